//! Dictionaries: Patricia tries from names to indices. Node 0 is the root; node i + 1 belongs to entry i of the
//! array that the dictionary names.
//!
//! On the Switch bits count from the last character of a key and numbers of bits grow on the way down; on the
//! Wii U bits count from the first character, numbers fall, and nodes hold what they name.

use super::image::Texts;
use crate::shared::fields::{Fields, Pointer, Visitor};
use unshade_bytes::{Error, ErrorKind, Result};

/// Signature of a dictionary; four zeros in BFRES files.
pub const DIC: [u8; 4] = *b"_DIC";

/// A node of the trie.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct DictionaryNode {
    /// Number of the bit that it looks at; -1 (all ones) in the root.
    pub bit: u32,
    /// Where to go when that bit is 0, and when it is 1.
    pub children: [u16; 2],
    /// The key; empty in the root (Switch), none there (Wii U).
    pub key: Pointer,
    /// What it names (Wii U only).
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "is_null"))]
    pub value: Pointer,
}

#[cfg(feature = "serde")]
fn is_null(pointer: &Pointer) -> bool {
    pointer.is_null()
}

/// A trie of names.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Dictionary {
    /// `_DIC` or zeros; on the Wii U the size in bytes.
    pub signature: [u8; 4],
    /// The root and the nodes.
    pub nodes: Vec<DictionaryNode>,
}

/// Which bit of a key, and which way the numbers of bits go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Family {
    /// From the last character, growing.
    Switch,
    /// From the first character, falling.
    WiiU,
}

impl Dictionary {
    /// How many keys it has.
    pub fn len(&self) -> usize {
        self.nodes.len().saturating_sub(1)
    }

    /// Whether it has no keys.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Goes through its fields.
    ///
    /// # Errors
    /// What the visitor says.
    pub fn visit(&mut self, v: &mut dyn Visitor) -> Result<()> {
        let values = v.form().relative;
        if values {
            let mut size = u32::from_be_bytes(self.signature);
            v.u32("size", &mut size)?;
            self.signature = size.to_be_bytes();
        } else {
            v.magic("signature", &mut self.signature)?;
        }
        let mut count = u32::try_from(self.len()).unwrap_or(u32::MAX);
        v.u32("count", &mut count)?;
        let size = 16;
        v.entries(&mut self.nodes, u64::from(count).saturating_add(1), size)?;
        for (index, node) in self.nodes.iter_mut().enumerate() {
            v.enter("nodes", index as u64);
            let mut bit = node.bit as i32;
            v.i32("bit", &mut bit)?;
            node.bit = bit as u32;
            let [left, right] = &mut node.children;
            v.u16("left", left)?;
            v.u16("right", right)?;
            v.text("key", &mut node.key)?;
            if values {
                v.object("value", &mut node.value)?;
            }
            v.leave();
        }
        Ok(())
    }

    /// Pointers to its keys, in the order of what they name.
    pub fn keys(&self) -> impl ExactSizeIterator<Item = Pointer> + '_ {
        self.nodes.iter().skip(1).map(|node| node.key)
    }

    /// The keys as they are shown.
    pub fn names(&self, texts: &Texts<'_>) -> Vec<String> {
        self.keys().map(|key| texts.show(key)).collect()
    }

    /// The index of a key, found as a console finds it; at most `steps` nodes down.
    pub fn find(&self, texts: &Texts<'_>, key: &[u8], family: Family, steps: usize) -> Option<usize> {
        let mut parent = self.nodes.first()?;
        let mut index = parent.children[0];
        let mut node = self.nodes.get(usize::from(index))?;
        let mut left = steps;
        while family.deeper(parent.bit, node.bit) {
            left = left.checked_sub(1)?;
            index = if family.bit(key, node.bit) { node.children[1] } else { node.children[0] };
            parent = node;
            node = self.nodes.get(usize::from(index))?;
        }
        (texts.get(node.key) == Some(key) && index > 0).then(|| usize::from(index).saturating_sub(1))
    }

    /// Makes the trie anew for these keys, with what each names.
    ///
    /// # Errors
    /// [`ErrorKind::Unrepresentable`] for a key that stands there twice, and for more than 65535.
    pub fn rebuild(&mut self, keys: &[(&[u8], Pointer, Pointer)], family: Family) -> Result<()> {
        let names: Vec<&[u8]> = keys.iter().map(|(name, ..)| *name).collect();
        let shape = build(&names, family)?;
        let root = self.nodes.first().copied().unwrap_or_default();
        let pointers = std::iter::once((root.key, root.value)).chain(keys.iter().map(|(_, k, v)| (*k, *v)));
        self.nodes = shape
            .into_iter()
            .zip(pointers)
            .map(|((bit, children), (key, value))| DictionaryNode { bit, children, key, value })
            .collect();
        if family == Family::WiiU {
            let size = self.nodes.len().saturating_mul(16).saturating_add(8);
            self.signature = u32::try_from(size).unwrap_or(u32::MAX).to_be_bytes();
        }
        Ok(())
    }

    /// Whether its nodes are those that the console's tools make for its keys.
    pub fn is_exact(&self, texts: &Texts<'_>, family: Family) -> bool {
        let keys: Option<Vec<&[u8]>> = self.keys().map(|key| texts.get(key)).collect();
        let shape = keys.and_then(|keys| build(&keys, family).ok());
        shape.is_some_and(|shape| {
            shape.len() == self.nodes.len()
                && shape.iter().zip(&self.nodes).all(|(shape, node)| *shape == (node.bit, node.children))
        })
    }
}

impl Family {
    /// Bit of that number of a key.
    fn bit(self, key: &[u8], number: u32) -> bool {
        if number as i32 == -1 {
            return false;
        }
        let byte = usize::try_from(number >> 3).unwrap_or(usize::MAX);
        let byte = match self {
            Self::Switch => key.len().checked_sub(byte.saturating_add(1)).and_then(|at| key.get(at)),
            Self::WiiU => key.get(byte),
        };
        byte.is_some_and(|byte| byte >> (number & 7) & 1 == 1)
    }

    /// Whether a node with bit `child` lies below one with bit `parent`; otherwise the way leads back up.
    fn deeper(self, parent: u32, child: u32) -> bool {
        match self {
            Self::Switch => (parent as i32) < (child as i32),
            Self::WiiU => parent > child,
        }
    }

    /// The first bit on the way down in which two keys differ.
    fn difference(self, a: &[u8], b: &[u8]) -> Option<u32> {
        let byte = |key: &[u8], index: usize| match self {
            Self::Switch => {
                key.len().checked_sub(index.saturating_add(1)).and_then(|at| key.get(at)).copied()
            }
            Self::WiiU => key.get(index).copied(),
        };
        let len = a.len().max(b.len());
        let differs = |&index: &usize| byte(a, index).unwrap_or(0) != byte(b, index).unwrap_or(0);
        let index = match self {
            Self::Switch => (0..len).find(differs),
            Self::WiiU => (0..len).rev().find(differs),
        }?;
        let bits = byte(a, index).unwrap_or(0) ^ byte(b, index).unwrap_or(0);
        let bit = match self {
            Self::Switch => bits.trailing_zeros(),
            Self::WiiU => 7_u32.saturating_sub(bits.leading_zeros()),
        };
        u32::try_from(index).ok()?.checked_mul(8)?.checked_add(bit)
    }
}

/// The nodes that the console's tools make for keys in the order of their array, root first: bit and children.
///
/// # Errors
/// [`ErrorKind::Unrepresentable`] for a key that stands there twice or is empty, and for more than 65535.
pub fn build(keys: &[&[u8]], family: Family) -> Result<Vec<(u32, [u16; 2])>> {
    let unfit = |expected, found| {
        Error::new(ErrorKind::Unrepresentable, 0, "dictionary", expected, found).code("nx.dictionary")
    };
    if keys.len() > usize::from(u16::MAX) {
        return Err(unfit("at most 65535 names", keys.len().to_string()));
    }
    let mut nodes: Vec<(u32, [u16; 2])> = Vec::with_capacity(keys.len().saturating_add(1));
    nodes.push((u32::MAX, [0, 0]));
    let name = |index: u16| match usize::from(index).checked_sub(1) {
        None => &[][..],
        Some(index) => keys.get(index).copied().unwrap_or_default(),
    };
    for (index, &key) in keys.iter().enumerate() {
        // Down to where the key would be found, no deeper than the bit `limit`.
        let down = |nodes: &[(u32, [u16; 2])], limit: Option<u32>| {
            let node = |index: u16| nodes.get(usize::from(index)).copied().unwrap_or_default();
            let mut parent = 0;
            let [mut child, _] = node(0).1;
            while family.deeper(node(parent).0, node(child).0)
                && limit.is_none_or(|limit| family.deeper(node(child).0, limit))
            {
                let (bit, [left, right]) = node(child);
                parent = child;
                child = if family.bit(key, bit) { right } else { left };
            }
            (parent, child)
        };
        let (_, nearest) = down(&nodes, None);
        let Some(bit) = family.difference(key, name(nearest)) else {
            return Err(unfit(
                "names that differ",
                format!("{:?} twice", crate::shared::opaque::escape(key)),
            ));
        };
        let (parent, child) = down(&nodes, Some(bit));
        let new = u16::try_from(index).unwrap_or(u16::MAX).saturating_add(1);
        let one = family.bit(key, bit);
        nodes.push((bit, if one { [child, new] } else { [new, child] }));
        if let Some((above, children)) = nodes.get_mut(usize::from(parent)) {
            let side = if parent == 0 { 0 } else { usize::from(family.bit(key, *above)) };
            if let Some(place) = children.get_mut(side) {
                *place = new;
            }
        }
    }
    Ok(nodes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tries_of_both_families() {
        // Worked out by hand from the rule: 'a' = 0x61, 'b' = 0x62, 'c' = 0x63.
        assert_eq!(build(&[b"a"], Family::Switch).unwrap(), [(u32::MAX, [1, 0]), (0, [0, 1])]);
        assert_eq!(
            build(&[b"a", b"b"], Family::Switch).unwrap(),
            [(u32::MAX, [1, 0]), (0, [2, 1]), (1, [0, 2])]
        );
        assert_eq!(build(&[b"a"], Family::WiiU).unwrap(), [(u32::MAX, [1, 0]), (6, [0, 1])]);
        assert_eq!(
            build(&[b"a", b"b"], Family::WiiU).unwrap(),
            [(u32::MAX, [1, 0]), (6, [0, 2]), (1, [1, 2])]
        );
        for family in [Family::Switch, Family::WiiU] {
            assert!(build(&[b"x", b"y", b"x"], family).is_err());
            assert!(build(&[b""], family).is_err());
        }
    }

    #[test]
    fn every_key_is_found() {
        let keys: Vec<String> = (0..2000).map(|index| format!("name_{:x}", index * 7919)).collect();
        for family in [Family::Switch, Family::WiiU] {
            let names: Vec<&[u8]> = keys.iter().map(|key| key.as_bytes()).collect();
            let nodes = build(&names, family).unwrap();
            for (index, key) in names.iter().enumerate() {
                let (mut parent, mut at) = (0, nodes[0].1[0]);
                while family.deeper(nodes[parent].0, nodes[usize::from(at)].0) {
                    parent = usize::from(at);
                    at = nodes[parent].1[usize::from(family.bit(key, nodes[parent].0))];
                }
                assert_eq!(usize::from(at), index + 1);
            }
        }
    }
}
