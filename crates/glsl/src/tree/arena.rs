//! Lists whose rows are named by typed indices.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::marker::PhantomData;

/// Index of a row of an [`Arena`].
pub struct Id<T> {
    index: u32,
    of: PhantomData<fn() -> T>,
}

impl<T> Id<T> {
    pub(crate) fn new(index: usize) -> Self {
        Self { index: u32::try_from(index).unwrap_or(u32::MAX), of: PhantomData }
    }

    /// The number of the row, from 0 on.
    pub fn index(self) -> usize {
        self.index as usize
    }
}

impl<T> Clone for Id<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Id<T> {}

impl<T> PartialEq for Id<T> {
    fn eq(&self, other: &Self) -> bool {
        self.index == other.index
    }
}

impl<T> Eq for Id<T> {}

impl<T> PartialOrd for Id<T> {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl<T> Ord for Id<T> {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.index.cmp(&other.index)
    }
}

impl<T> Hash for Id<T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.index.hash(state);
    }
}

impl<T> fmt::Debug for Id<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{}", self.index)
    }
}

/// A list that only grows. Indexing with an id of another arena is a mistake of the program, and panics.
#[derive(Debug, Clone)]
pub struct Arena<T> {
    rows: Vec<T>,
}

impl<T> Default for Arena<T> {
    fn default() -> Self {
        Self { rows: Vec::new() }
    }
}

impl<T> Arena<T> {
    pub(crate) fn with_capacity(count: usize) -> Self {
        Self { rows: Vec::with_capacity(count) }
    }

    /// Takes a row in.
    pub fn push(&mut self, row: T) -> Id<T> {
        let id = Id::new(self.rows.len());
        self.rows.push(row);
        id
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The row of an id.
    pub fn get(&self, id: Id<T>) -> Option<&T> {
        self.rows.get(id.index())
    }

    /// All rows with their ids.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (Id<T>, &T)> {
        self.rows.iter().enumerate().map(|(index, row)| (Id::new(index), row))
    }
}

impl<T> std::ops::Index<Id<T>> for Arena<T> {
    type Output = T;

    fn index(&self, id: Id<T>) -> &T {
        &self.rows[id.index()]
    }
}

impl<T> std::ops::IndexMut<Id<T>> for Arena<T> {
    fn index_mut(&mut self, id: Id<T>) -> &mut T {
        &mut self.rows[id.index()]
    }
}
