//! Which machine instructions an expression or statement comes from.
//!
//! A link is a number that travels with an expression through every pass over the tree; the function holds what the
//! numbers mean. It says nothing of what the expression computes, so all links are equal to each other: trees
//! that differ in nothing else are equal.

use smallvec::SmallVec;

/// A set of machine instructions, by its number in [`Links`].
#[derive(Debug, Clone, Copy, Default)]
pub struct Link(u32);

impl Link {
    /// No instruction is known.
    pub const NONE: Self = Self(0);

    /// Whether no instruction is known.
    pub fn is_none(self) -> bool {
        self.0 == 0
    }
}

impl PartialEq for Link {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Link {}

/// The sets of machine instructions of a function. As with [`Link`], all are equal to each other.
#[derive(Debug, Clone, Default)]
pub struct Links(Vec<SmallVec<[u32; 4]>>);

impl PartialEq for Links {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Links {}

impl Links {
    /// The instructions of a link, ascending: indices in words from the start of the code.
    pub fn of(&self, link: Link) -> &[u32] {
        let at = (link.0 as usize).wrapping_sub(1);
        self.0.get(at).map_or(&[], |set| set)
    }

    /// The link of what two links stand for.
    pub fn union(&mut self, a: Link, b: Link) -> Link {
        if a.is_none() || a.0 == b.0 {
            return b;
        }
        let more: SmallVec<[u32; 4]> = SmallVec::from_slice(self.of(b));
        self.with(a, more)
    }

    /// The link of what a link stands for together with more instructions; `u32::MAX` is none.
    pub fn with(&mut self, link: Link, more: impl IntoIterator<Item = u32>) -> Link {
        let mut set: SmallVec<[u32; 4]> = SmallVec::from_slice(self.of(link));
        let known = set.len();
        set.extend(more.into_iter().filter(|instruction| *instruction != u32::MAX));
        set.sort_unstable();
        set.dedup();
        if set.len() == known || self.0.len() >= u32::MAX as usize {
            return link;
        }
        self.0.push(set);
        Link(self.0.len() as u32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_grow() {
        let mut links = Links::default();
        let one = links.with(Link::NONE, [7, u32::MAX]);
        let two = links.with(one, [3, 7, 3]);
        assert_eq!((links.of(one), links.of(two)), (&[7][..], &[3, 7][..]));
        let same = links.with(two, [7]);
        assert_eq!(links.of(same), [3, 7]);
        let other = links.with(Link::NONE, [9]);
        let both = links.union(two, other);
        assert_eq!(links.of(both), [3, 7, 9]);
        assert_eq!((links.union(Link::NONE, one).0, links.union(one, Link::NONE).0), (one.0, one.0));
        assert!(links.with(Link::NONE, [u32::MAX]).is_none());
        assert_eq!(links.of(Link::NONE), []);
        assert_eq!(links.0.len(), 4);
    }
}
