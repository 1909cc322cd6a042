//! The fields of a tree by their paths.

use crate::shared::names::Thing;
use crate::shared::{FieldEncoding, Node};
use std::{collections::BTreeMap, ops::Range};
use unshade_stage::suggest;

/// So many paths are looked at for one that is spelled like another.
const PATHS: usize = 4096;

/// A field of the file that is edited.
#[derive(Debug, Clone)]
pub(super) struct Field<'n> {
    pub node: &'n Node,
    pub place: Range<usize>,
    /// Its number among the nodes.
    number: usize,
}

/// The leaves of a tree with bytes in the file by their paths, and its texts by their places.
pub(super) struct Fields<'n> {
    tree: &'n Node,
    by_path: BTreeMap<String, Field<'n>>,
    by_place: BTreeMap<u64, String>,
    /// For each node the number of its parent, and which child of it it is.
    parents: Vec<(usize, usize)>,
}

/// The way down a tree: which child, from the top.
pub(super) type Trail = Vec<usize>;

impl<'n> Fields<'n> {
    /// The fields of the tree of a file of `len` bytes.
    pub fn of(tree: &'n Node, len: usize) -> Self {
        let (by_path, by_place, parents) = (BTreeMap::new(), BTreeMap::new(), vec![(0, 0)]);
        let mut fields = Self { tree, by_path, by_place, parents };
        let mut stack = vec![(String::new(), 0_usize, tree)];
        while let Some((path, number, node)) = stack.pop() {
            for (index, child) in node.children.iter().enumerate() {
                let dot = if child.name.starts_with('[') || path.is_empty() { "" } else { "." };
                let path = format!("{path}{dot}{}", child.name);
                let child_number = fields.parents.len();
                fields.parents.push((number, index));
                if child.children.is_empty() {
                    fields.leaf(path, child_number, child, len);
                } else {
                    stack.push((path, child_number, child));
                }
            }
        }
        fields
    }

    fn leaf(&mut self, path: String, number: usize, node: &'n Node, len: usize) {
        let place = usize::try_from(node.offset).ok().zip(usize::try_from(node.end()).ok());
        let Some((start, end)) = place.filter(|&(_, end)| end <= len) else { return };
        if node.coding == FieldEncoding::Text {
            self.by_place.insert(node.offset, path.clone());
        }
        self.by_path.insert(path, Field { node, place: start..end, number });
    }

    /// The field with that path.
    pub fn get(&self, path: &str) -> Option<&Field<'n>> {
        self.by_path.get(path)
    }

    /// The path of the text that starts at a place of the file.
    pub fn text_at(&self, at: u64) -> Option<&str> {
        self.by_place.get(&at).map(String::as_str)
    }

    /// Whether a path is that of a structure: where it starts, and what is in it.
    pub fn structure(&self, path: &str) -> Option<(u64, String)> {
        let mut inner = None;
        self.tree.walk(|known, node| {
            if known == path && inner.is_none() {
                let names: Vec<_> = node.children.iter().take(8).map(|child| child.name.as_str()).collect();
                inner = Some((node.offset, names.join(", ")));
            }
        });
        inner
    }

    /// The way down to a field.
    pub fn trail(&self, field: &Field<'_>) -> Trail {
        let mut trail = Trail::new();
        let mut number = field.number;
        while number > 0 {
            let Some((parent, index)) = self.parents.get(number) else { break };
            trail.push(*index);
            number = *parent;
        }
        trail.reverse();
        trail
    }

    /// The same node in the tree of the file as it is now: at each step the child of the same number where there are as
    /// many, else the one of the same name.
    pub fn follow<'t>(&self, trail: &[usize], tree: &'t Node) -> Option<&'t Node> {
        let (mut old, mut new) = (self.tree, tree);
        for &index in trail {
            let before = old.children.get(index)?;
            let named = || new.children.iter().find(|child| child.name == before.name);
            let same = new.children.get(index);
            let matches = same.is_some_and(|same| same.name == before.name);
            new = match old.children.len() == new.children.len() || matches {
                true => same?,
                false => named().or(same)?,
            };
            old = before;
        }
        Some(new)
    }

    /// What a path or a name that is not there may have meant: those that are spelled most like it.
    pub fn near(&self, things: &[Thing], path: &str) -> String {
        let names: Vec<String> = things.iter().flat_map(|thing| [thing.full(), thing.rest()]).collect();
        let names = suggest(path, names.iter().map(String::as_str), 3);
        let under = self.under(path);
        let near = suggest(path, under.iter().copied(), 3);
        match (near.is_empty(), names.is_empty(), under.get(..4.min(under.len())).unwrap_or_default()) {
            (false, ..) | (_, false, _) => {
                let all: Vec<&str> = near.into_iter().chain(names).collect();
                format!("none of that name; near it are {}", all.join(", "))
            }
            (true, true, []) => "none of that name".to_owned(),
            (true, true, some) => format!("none of that name; there are {}, ...", some.join(", ")),
        }
    }

    /// The paths that begin like `path` for as long as any do.
    fn under(&self, path: &str) -> Vec<&str> {
        let mut prefix = path;
        while let Some(end) = prefix.rfind(['.', '[']) {
            prefix = prefix.get(..end).unwrap_or_default();
            let from = self.by_path.range(prefix.to_owned()..).map(|(path, _)| path.as_str());
            let known: Vec<&str> = from.take_while(|path| path.starts_with(prefix)).take(PATHS).collect();
            if !known.is_empty() && !prefix.is_empty() {
                return known;
            }
        }
        Vec::new()
    }
}
