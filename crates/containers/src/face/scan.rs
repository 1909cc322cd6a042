//! Containers inside any blob, found by their magic number at offsets that are multiples of 4: shaders in
//! CGFX (`.bcsdr`), in executables, in memory dumps.

use super::container::{Container, detect};
use super::{
    inside::{self, Inside},
    magic,
};
use crate::formats::shbin::read::budget;
use crate::shared::Opaque;
use unshade_bytes::{Budget, Result};

/// A container with its place in the blob.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Embedded {
    /// Where it starts, in bytes.
    pub offset: u64,
    /// How many bytes it covers. A SHBIN, which has no field for its size: to the end of its last table, and
    /// to the next multiple of 4 where zeros stand there.
    pub len: u64,
    /// What was read.
    pub container: Container,
}

/// What is found in a blob.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// A container.
    Container(Box<Embedded>),
    /// A wrapper, which may lie inside a container, but not inside another wrapper.
    Wrapper(Inside),
}

/// The containers in `bytes`, in order. What looks like a magic number but cannot be read is passed over;
/// a container inside the bytes of another one, or of a wrapper, is not looked for.
pub fn scan(bytes: &[u8]) -> impl Iterator<Item = Embedded> {
    places_before(bytes, bytes.len()).filter_map(|place| match place {
        Place::Container(found) => Some(*found),
        Place::Wrapper(_) => None,
    })
}

/// Both kinds of places that start before an offset, in order, in one pass over the bytes. The containers are those of
/// [`scan`], the wrappers those of [`wrappers`](super::inside::wrappers).
pub fn places_before(bytes: &[u8], before: usize) -> impl Iterator<Item = Place> {
    let starts = bytes.get(..before.saturating_add(3)).unwrap_or(bytes);
    // One budget for the whole blob: false starts that claim the rest of it cannot add up.
    let mut budget = budget(bytes.len());
    let mut to_follow = inside::budget(bytes.len());
    // From where on something of either kind may start.
    let (mut wrappers, mut containers) = (0_usize, 0_usize);
    let mut from = 0_usize;
    std::iter::from_fn(move || {
        loop {
            let offset = magic::either(starts, from.max(wrappers.min(containers)))?;
            from = offset.checked_add(4)?;
            if offset >= wrappers
                && let Some(found) = inside::inside(bytes, offset, &mut to_follow)
            {
                wrappers = found.range.end.checked_next_multiple_of(4)?;
                containers = containers.max(wrappers);
                return Some(Place::Wrapper(found));
            }
            if offset >= containers
                && let Some(found) = embedded(bytes, offset, &mut budget)
            {
                let len = (found.len as usize).max(4);
                containers = offset.saturating_add(len).checked_next_multiple_of(4)?;
                return Some(Place::Container(Box::new(found)));
            }
        }
    })
}

/// The containers behind the one that `bytes` start with, in order; none where it says that it takes all of them.
pub fn behind(bytes: &[u8]) -> impl Iterator<Item = Embedded> {
    let len = extent(bytes).and_then(|len| len.checked_next_multiple_of(4)).filter(|len| *len < bytes.len());
    let rest = len.and_then(|len| Some((len, bytes.get(len..)?)));
    rest.into_iter().flat_map(|(len, rest)| {
        scan(rest).map(move |found| Embedded { offset: found.offset.saturating_add(len as u64), ..found })
    })
}

/// How many bytes the container takes that `bytes` start with.
fn extent(bytes: &[u8]) -> Option<usize> {
    let mut budget = budget(bytes.len());
    detect(bytes)?.extent(bytes, 0, &mut budget)
}

fn embedded(bytes: &[u8], offset: usize, budget: &mut Budget) -> Option<Embedded> {
    let data = bytes.get(offset..)?;
    let (container, len) = detect(data)?.embedded(data, offset as u64, budget)?;
    Some(Embedded { offset: offset as u64, len: len as u64, container })
}

/// A blob with containers in it: they are models, the rest of its bytes is kept as it is.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Blob {
    /// In file order.
    pub pieces: Vec<Piece>,
}

/// A piece of a blob.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Piece {
    /// Bytes that belong to no container.
    Rest(Opaque),
    /// A container.
    Container(Box<Container>),
}

impl Blob {
    /// Finds the containers of a blob. Without any, all of it is one [`Piece::Rest`].
    pub fn read(bytes: &[u8]) -> Self {
        let mut pieces = Vec::new();
        let mut reached = 0_usize;
        for found in scan(bytes) {
            let start = found.offset as usize;
            push_rest(&mut pieces, bytes.get(reached..start));
            pieces.push(Piece::Container(Box::new(found.container)));
            reached = start.saturating_add(found.len as usize);
        }
        push_rest(&mut pieces, bytes.get(reached..));
        Self { pieces }
    }

    /// The bytes of the blob: each container written anew, the rest as it was. Where a container changed
    /// its size, what lies behind it moves; the blob's own offsets are not followed.
    ///
    /// # Errors
    /// What the writer of a container says.
    pub fn write(&self) -> Result<Vec<u8>> {
        let mut bytes = Vec::new();
        for piece in &self.pieces {
            match piece {
                Piece::Rest(rest) => bytes.extend_from_slice(&rest.0),
                Piece::Container(container) => bytes.extend_from_slice(&container.write()?),
            }
        }
        Ok(bytes)
    }

    /// The containers in order.
    pub fn containers(&self) -> impl Iterator<Item = &Container> {
        self.pieces.iter().filter_map(|piece| match piece {
            Piece::Container(container) => Some(container.as_ref()),
            Piece::Rest(_) => None,
        })
    }
}

fn push_rest(pieces: &mut Vec<Piece>, rest: Option<&[u8]>) {
    if let Some(rest) = rest.filter(|rest| !rest.is_empty()) {
        pieces.push(Piece::Rest(Opaque(rest.to_vec())));
    }
}
