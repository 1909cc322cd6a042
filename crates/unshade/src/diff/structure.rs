//! Two trees of fields: which entries are which, and what of them is different.
//!
//! Entries of a table are known by their names, else by what they hold, whatever their numbers are; so one that was put in
//! front of others is an entry more, and not another value in every one behind it. Where a list is as long as it was and
//! nothing in it looks moved, its places are what counts.

use super::{
    instructions::moved,
    sequence::{Gap, align},
};
use serde::Serialize;
use std::{
    collections::HashMap,
    hash::{DefaultHasher, Hash, Hasher},
    ops::Range,
};
use unshade_bytes::Owner;
use unshade_containers::{FieldEncoding, Node};

/// Entries of unlike stretches that are compared each with each.
const COMPARED: usize = 1024;

/// A field with another value.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FieldDifference {
    /// Path in the old file.
    pub path: String,
    /// Path in the new file, where it is another.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub new_path: Option<String>,
    /// The value in the old file.
    pub old: String,
    /// The value in the new file.
    pub new: String,
    /// Whether the field is code of a program, which is compared as such.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub code: bool,
}

/// What happened to a part of the structure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum PartFate {
    /// It is in the old file only.
    Removed,
    /// It is in the new file only.
    Added,
    /// It stands elsewhere, as it was.
    Moved,
    /// It stands elsewhere and is not the same; its differences are told with the others.
    MovedAndChanged,
}

/// A field or an entry with everything in it that is in one file only, or elsewhere.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PartDifference {
    /// What happened to it.
    pub fate: PartFate,
    /// Path in the old file, where it is there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub old_path: Option<String>,
    /// Path in the new file, where it is there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub new_path: Option<String>,
    /// What it is: its value, or that of its name.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub value: String,
    /// How many bytes it has, with what is inside as far as that lies in it.
    pub bytes: u64,
}

/// Bytes of a field that say the same and are not.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BytesDifference {
    /// Path of the field that they belong to; empty where no structure is known.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub path: String,
    /// First byte in the old file.
    pub old_offset: u64,
    /// How many there.
    pub old_bytes: u64,
    /// First byte in the new file.
    pub new_offset: u64,
    /// How many there.
    pub new_bytes: u64,
}

/// What of two trees is different.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct StructureDifference {
    /// Fields with other values.
    pub fields: Vec<FieldDifference>,
    /// Parts of one file only, or elsewhere.
    pub parts: Vec<PartDifference>,
    /// Offsets, sizes and counts that are others because of what is different.
    pub follows: Vec<FieldDifference>,
    /// Fields that hold other bytes behind the same value.
    pub bytes: Vec<BytesDifference>,
}

/// A file with its structure.
#[derive(Debug, Clone, Copy)]
pub struct Side<'a> {
    /// The structure.
    pub tree: &'a Node,
    /// The bytes that its offsets count in.
    pub bytes: &'a [u8],
    /// Which of them are code of programs; sorted.
    pub code: &'a [Range<u64>],
}

/// Compares two structures.
pub fn structure(old: &Side<'_>, new: &Side<'_>) -> StructureDifference {
    let (old, new) = (Flat::new(old), Flat::new(new));
    let moved_along = old.places() != new.places();
    let mut walk =
        Comparison { old, new, moved_along, found: StructureDifference::default(), nodes: Vec::new() };
    let mut stack = vec![(0, 0)];
    while let Some((a, b)) = stack.pop() {
        walk.pair(a, b, &mut stack);
    }
    walk.join_moved();
    walk.found
}

/// The nodes of a tree, children side by side.
pub(crate) struct Flat<'a> {
    side: Side<'a>,
    pub(crate) items: Vec<Item<'a>>,
}

pub(crate) struct Item<'a> {
    pub(crate) node: &'a Node,
    pub(crate) parent: usize,
    children: Range<usize>,
    /// Of what it holds: names and values, without numbers in its list and what follows from other things.
    pub(crate) content: u64,
}

impl<'a> Flat<'a> {
    pub(crate) fn new(side: &Side<'a>) -> Self {
        let mut items = vec![Item { node: side.tree, parent: 0, children: 0..0, content: 0 }];
        let mut at = 0;
        while let Some(item) = items.get(at) {
            let node = item.node;
            let start = items.len();
            items.extend(node.children.iter().map(|node| Item {
                node,
                parent: at,
                children: 0..0,
                content: 0,
            }));
            items[at].children = start..items.len();
            at += 1;
        }
        let mut flat = Self { side: *side, items };
        for at in (0..flat.items.len()).rev() {
            flat.items[at].content = flat.content(at);
        }
        flat
    }

    fn content(&self, at: usize) -> u64 {
        let Item { node, children, .. } = &self.items[at];
        let mut held = list(&node.name).as_bytes().to_vec();
        held.push(0);
        if !children.is_empty() {
            children.clone().for_each(|child| held.extend(self.items[child].content.to_le_bytes()));
        } else if !follows(node) && !matches!(node.owner, Owner::Padding(_)) {
            match self.bytes(at) {
                [] => held.extend(node.value.as_deref().unwrap_or_default().as_bytes()),
                bytes => held.extend(bytes),
            }
        }
        twox_hash::XxHash3_64::oneshot(&held)
    }

    /// The bytes of a node.
    pub(crate) fn bytes(&self, at: usize) -> &'a [u8] {
        let node = self.items[at].node;
        let place = usize::try_from(node.offset).ok().zip(usize::try_from(node.end()).ok());
        place.and_then(|(start, end)| self.side.bytes.get(start..end)).unwrap_or_default()
    }

    pub(crate) fn path(&self, mut at: usize) -> String {
        let mut names = Vec::new();
        while at != 0 {
            names.push(self.items[at].node.name.as_str());
            at = self.items[at].parent;
        }
        let mut path = String::new();
        for name in names.into_iter().rev() {
            if !path.is_empty() && !name.starts_with('[') {
                path.push('.');
            }
            path.push_str(name);
        }
        path
    }

    pub(crate) fn is_leaf(&self, at: usize) -> bool {
        self.items[at].children.is_empty()
    }

    /// What a person would call it.
    pub(crate) fn name(&self, at: usize) -> Option<&'a str> {
        let node = self.items[at].node;
        // `"modelView" in c4-c7` is called `"modelView"`.
        let quoted = |node: &'a Node| {
            let value = node.value.as_deref().filter(|value| value.starts_with('"'))?;
            let end = value.rfind('"').filter(|&end| end > 0)?;
            value.get(..=end)
        };
        const NAMES: [&str; 4] = ["name", "text", "key", "symbol"];
        let named = NAMES.iter().find_map(|wanted| node.children.iter().find(|child| child.name == *wanted));
        named.and_then(quoted).or_else(|| quoted(node))
    }

    /// A node in words.
    fn value(&self, at: usize) -> String {
        let node = self.items[at].node;
        match (node.value.as_deref(), self.name(at)) {
            (Some(value), _) if !value.is_empty() => value.to_owned(),
            (_, Some(name)) => name.to_owned(),
            _ => String::new(),
        }
    }

    /// Where all fields lie.
    fn places(&self) -> Vec<(u64, u64)> {
        self.items.iter().map(|item| (item.node.offset, item.node.size)).collect()
    }

    fn is_code(&self, at: usize) -> bool {
        let node = self.items[at].node;
        let behind = self.side.code.partition_point(|code| code.start <= node.offset);
        let code = behind.checked_sub(1).and_then(|at| self.side.code.get(at));
        code.is_some_and(|code| node.size > 0 && node.end() <= code.end)
    }
}

/// The name of the list that an entry is in: without its number.
pub(crate) fn list(name: &str) -> &str {
    match name.strip_suffix(']') {
        Some(rest) => rest.rfind('[').map_or(name, |at| &name[..at]),
        None => name,
    }
}

/// Whether a field is a number that follows from something else.
fn follows(node: &Node) -> bool {
    node.coding == FieldEncoding::Follows
        && node.size <= 8
        && node.children.is_empty()
        && node.value.as_ref().is_some_and(|value| !value.starts_with('"'))
}

struct Comparison<'a> {
    old: Flat<'a>,
    new: Flat<'a>,
    /// Whether fields have other places, so that what leads to them has other values.
    moved_along: bool,
    found: StructureDifference,
    /// The nodes of each part that is told.
    nodes: Vec<(Option<usize>, Option<usize>)>,
}

impl Comparison<'_> {
    /// Whether a number, which could be set, leads to something else or counts it.
    fn leads(&self, at: usize) -> bool {
        let item = &self.old.items[at];
        let name = item.node.name.as_str();
        let mut above = at;
        let mut relocates = false;
        while above != 0 {
            relocates |= list(&self.old.items[above].node.name) == "relocation";
            above = self.old.items[above].parent;
        }
        // A number in the place of a name is the place of the name.
        // How many components a variable has, or elements an array, is said nowhere else.
        let is_shape = ["component_count", "entry_count"].contains(&name);
        relocates
            || name == "name"
            || !is_shape && ["_pointer", "_count", "code_size"].iter().any(|end| name.ends_with(end))
    }

    /// Compares two nodes that are each other's; their children go on the stack.
    fn pair(&mut self, a: usize, b: usize, stack: &mut Vec<(usize, usize)>) {
        match (self.old.is_leaf(a), self.new.is_leaf(b)) {
            (true, true) => self.leaves(a, b),
            (false, false) => {
                let pairs = self.children(a, b);
                stack.extend(pairs.into_iter().rev());
            }
            _ => {
                self.part(PartFate::Removed, Some(a), None);
                self.part(PartFate::Added, None, Some(b));
            }
        }
    }

    fn leaves(&mut self, a: usize, b: usize) {
        let (before, after) = (self.old.items[a].node, self.new.items[b].node);
        let bytes = (self.old.bytes(a), self.new.bytes(b));
        if before.value == after.value && bytes.0 == bytes.1 {
            return;
        }
        let fill =
            matches!((before.owner, after.owner), (Owner::Padding(old), Owner::Padding(new)) if old == new);
        let (old_path, new_path) = (self.old.path(a), self.new.path(b));
        let code = self.old.is_code(a) && self.new.is_code(b);
        if before.value == after.value && !code {
            self.found.bytes.push(BytesDifference {
                path: old_path,
                old_offset: before.offset,
                old_bytes: before.size,
                new_offset: after.offset,
                new_bytes: after.size,
            });
            return;
        }
        let difference = FieldDifference {
            new_path: (new_path != old_path).then_some(new_path),
            path: old_path,
            old: before.value.clone().unwrap_or_default(),
            new: after.value.clone().unwrap_or_default(),
            code,
        };
        let number = |node: &Node| {
            node.value.as_ref().is_some_and(|value| value.starts_with(|c: char| c.is_ascii_digit()))
        };
        let led = self.moved_along && number(before) && number(after) && self.leads(a);
        if fill || led || (follows(before) && follows(after)) {
            self.found.follows.push(difference);
        } else {
            self.found.fields.push(difference);
        }
    }

    /// Pairs of the children of two structures, in the order of the old one; what has no other is a part more or less.
    fn children(&mut self, a: usize, b: usize) -> Vec<(usize, usize)> {
        let mut lists: HashMap<&str, (Vec<usize>, Vec<usize>)> = HashMap::new();
        let mut order = Vec::new();
        for child in self.old.items[a].children.clone() {
            let name = list(&self.old.items[child].node.name);
            let entry = lists.entry(name).or_default();
            if entry.0.is_empty() {
                order.push(name);
            }
            entry.0.push(child);
        }
        for child in self.new.items[b].children.clone() {
            let name = list(&self.new.items[child].node.name);
            let entry = lists.entry(name).or_default();
            if entry.0.is_empty() && entry.1.is_empty() {
                order.push(name);
            }
            entry.1.push(child);
        }
        let mut pairs = Vec::new();
        for name in order {
            let Some((old, new)) = lists.remove(name) else { continue };
            let paired = self.list(&old, &new);
            let (mut known_old, mut known_new) = (vec![false; old.len()], vec![false; new.len()]);
            let out_of_order = moved(&paired.iter().map(|pair| pair.1).collect::<Vec<_>>());
            for (at, &(x, y)) in paired.iter().enumerate() {
                (known_old[x], known_new[y]) = (true, true);
                if out_of_order.contains(&at) {
                    let same = self.old.items[old[x]].content == self.new.items[new[y]].content;
                    let fate = if same { PartFate::Moved } else { PartFate::MovedAndChanged };
                    self.part(fate, Some(old[x]), Some(new[y]));
                }
                pairs.push((old[x], new[y]));
            }
            let alone = |nodes: &[usize], known: &[bool]| -> Vec<usize> {
                nodes.iter().zip(known).filter(|(_, known)| !**known).map(|(node, _)| *node).collect()
            };
            for node in alone(&old, &known_old) {
                self.part(PartFate::Removed, Some(node), None);
            }
            for node in alone(&new, &known_new) {
                self.part(PartFate::Added, None, Some(node));
            }
        }
        pairs
    }

    /// Which entries of two lists are each other's: indices, in the order of the old list.
    fn list(&self, old: &[usize], new: &[usize]) -> Vec<(usize, usize)> {
        let by_place = || (0..old.len().min(new.len())).map(|at| (at, at)).collect::<Vec<_>>();
        let leaves = old.iter().all(|&at| self.old.is_leaf(at)) && new.iter().all(|&at| self.new.is_leaf(at));
        let content = |flat: &Flat<'_>, nodes: &[usize]| {
            nodes.iter().map(|&node| flat.items[node].content).collect::<Vec<_>>()
        };
        let names = |flat: &Flat<'_>, nodes: &[usize]| {
            nodes.iter().map(|&node| flat.name(node).map(str::to_owned)).collect::<Vec<_>>()
        };
        let (old_names, new_names) = (names(&self.old, old), names(&self.new, new));
        let (old_content, new_content) = (content(&self.old, old), content(&self.new, new));
        if old.len() == new.len() {
            if old.len() == 1 || (leaves && !old_names.iter().chain(&new_names).all(Option::is_some)) {
                return by_place();
            }
            let named = old_names.iter().zip(&new_names);
            let in_place = named
                .zip(old_content.iter().zip(&new_content))
                .filter(|((a, b), (x, y))| x == y || (a.is_some() && a == b))
                .count();
            let aligned = [
                (old_content.clone(), new_content.clone()),
                (with_numbers(&old_names, 0), with_numbers(&new_names, 1)),
            ]
            .map(|(old, new)| align(&old, &new).runs.iter().map(|run| run.len).sum::<usize>());
            if aligned.iter().all(|&aligned| in_place >= aligned) {
                return by_place();
            }
        }
        let mut matching = Matching::new(old.len(), new.len());
        matching.by(&unique(&old_names), &unique(&new_names));
        matching.aligned(&old_content, &new_content);
        matching.by(&with_ordinals(&old_content), &with_ordinals(&new_content));
        for gap in matching.gaps() {
            let same_kind = |x: usize, y: usize| self.old.is_leaf(old[x]) == self.new.is_leaf(new[y]);
            if gap.old.len() == gap.new.len() {
                let pairs = gap.old.clone().zip(gap.new.clone()).filter(|&(x, y)| same_kind(x, y));
                pairs.for_each(|(x, y)| matching.pair(x, y));
            } else if gap.old.len().saturating_mul(gap.new.len()) <= COMPARED {
                let mut best: Vec<_> = gap
                    .old
                    .clone()
                    .flat_map(|x| gap.new.clone().map(move |y| (x, y)))
                    .filter_map(|(x, y)| Some((self.share(old[x], new[y])?, x, y)))
                    .collect();
                best.sort_unstable_by_key(|&(share, x, y)| (std::cmp::Reverse(share), x.abs_diff(y), x));
                best.into_iter().for_each(|(_, x, y)| matching.pair(x, y));
            }
        }
        matching.pairs()
    }

    /// How much of two structures is the same, of 100, if it is enough to call them one and the same.
    fn share(&self, a: usize, b: usize) -> Option<u32> {
        let (x, y) = (&self.old.items[a].children, &self.new.items[b].children);
        let same = x.clone().zip(y.clone());
        let same = same.filter(|&(x, y)| self.old.items[x].content == self.new.items[y].content).count();
        let share = (same * 100 / x.len().max(y.len()).max(1)) as u32;
        (share >= 50).then_some(share)
    }

    fn part(&mut self, fate: PartFate, a: Option<usize>, b: Option<usize>) {
        let (value, bytes) = match (a, b) {
            (_, Some(b)) => (self.new.value(b), self.new.items[b].node.size),
            (Some(a), None) => (self.old.value(a), self.old.items[a].node.size),
            (None, None) => return,
        };
        // Code is told with the programs.
        let code =
            |flat: &Flat<'_>, at: Option<usize>| at.is_none_or(|at| flat.is_leaf(at) && flat.is_code(at));
        if code(&self.old, a) && code(&self.new, b) {
            return;
        }
        let (old_path, new_path) = (a.map(|a| self.old.path(a)), b.map(|b| self.new.path(b)));
        if old_path == new_path {
            return;
        }
        self.found.parts.push(PartDifference { fate, old_path, new_path, value, bytes });
        self.nodes.push((a, b));
    }

    /// A part that went from one structure to another was removed here and added there: it moved.
    fn join_moved(&mut self) {
        let mut removed: HashMap<u64, Vec<usize>> = HashMap::new();
        for (at, nodes) in self.nodes.iter().enumerate() {
            // A single number is like many others.
            if let (Some(a), None) = *nodes
                && !self.old.is_leaf(a)
            {
                removed.entry(self.old.items[a].content).or_default().push(at);
            }
        }
        let mut gone = vec![false; self.nodes.len()];
        for (at, nodes) in self.nodes.iter().enumerate() {
            let (None, Some(b)) = *nodes else { continue };
            let from = removed.get_mut(&self.new.items[b].content).and_then(Vec::pop);
            if let Some(from) = from.filter(|_| !self.new.is_leaf(b)) {
                gone[from] = true;
                let old_path = self.found.parts[from].old_path.take();
                let part = &mut self.found.parts[at];
                (part.fate, part.old_path) = (PartFate::Moved, old_path);
            }
        }
        let mut gone = gone.into_iter();
        self.found.parts.retain(|_| !gone.next().unwrap_or_default());
    }
}

/// The names that only one entry has.
fn unique(names: &[Option<String>]) -> Vec<Option<&str>> {
    let mut count: HashMap<&str, usize> = HashMap::new();
    names.iter().flatten().for_each(|name| *count.entry(name).or_default() += 1);
    names.iter().map(|name| name.as_deref().filter(|name| count.get(name) == Some(&1))).collect()
}

/// Names as numbers; what has no name is like nothing else, also not of the other side.
fn with_numbers(names: &[Option<String>], side: u8) -> Vec<u64> {
    let number = |(at, name): (usize, &Option<String>)| {
        let mut hash = DefaultHasher::new();
        match name {
            Some(name) => name.hash(&mut hash),
            None => (at, side).hash(&mut hash),
        }
        hash.finish()
    };
    names.iter().enumerate().map(number).collect()
}

/// Each with how often it stood there before.
fn with_ordinals(values: &[u64]) -> Vec<Option<(u64, usize)>> {
    let mut count: HashMap<u64, usize> = HashMap::new();
    let mut next = |value| {
        let count = count.entry(value).or_default();
        *count += 1;
        *count
    };
    values.iter().map(|&value| Some((value, next(value)))).collect()
}

/// Pairs of two lists while they are found.
struct Matching {
    old: Vec<Option<usize>>,
    new: Vec<Option<usize>>,
}

impl Matching {
    fn new(old: usize, new: usize) -> Self {
        Self { old: vec![None; old], new: vec![None; new] }
    }

    /// Makes a pair of two that have none.
    fn pair(&mut self, x: usize, y: usize) {
        if self.old[x].is_none() && self.new[y].is_none() {
            (self.old[x], self.new[y]) = (Some(y), Some(x));
        }
    }

    /// Pairs those that have a key in common.
    fn by<K: Eq + Hash>(&mut self, old: &[Option<K>], new: &[Option<K>]) {
        let places: HashMap<&K, usize> =
            new.iter().enumerate().filter_map(|(at, key)| Some((key.as_ref()?, at))).collect();
        for (x, key) in old.iter().enumerate() {
            if let Some(&y) = key.as_ref().and_then(|key| places.get(key)) {
                self.pair(x, y);
            }
        }
    }

    /// Pairs those without one that hold the same, in order.
    fn aligned(&mut self, old: &[u64], new: &[u64]) {
        let free = |known: &[Option<usize>]| -> Vec<usize> {
            known.iter().enumerate().filter(|(_, other)| other.is_none()).map(|(at, _)| at).collect()
        };
        let (free_old, free_new) = (free(&self.old), free(&self.new));
        let keys = |values: &[u64], free: &[usize]| free.iter().map(|&at| values[at]).collect::<Vec<_>>();
        for run in align(&keys(old, &free_old), &keys(new, &free_new)).runs {
            (0..run.len).for_each(|at| self.pair(free_old[run.old + at], free_new[run.new + at]));
        }
    }

    /// Stretches without pairs between pairs that are in order on both sides.
    fn gaps(&self) -> Vec<Gap> {
        let pairs = self.pairs();
        let out_of_order = moved(&pairs.iter().map(|pair| pair.1).collect::<Vec<_>>());
        let in_order =
            pairs.iter().enumerate().filter(|(at, _)| !out_of_order.contains(at)).map(|(_, pair)| *pair);
        let (mut at_old, mut at_new, mut gaps) = (0, 0, Vec::new());
        for (x, y) in in_order.chain([(self.old.len(), self.new.len())]) {
            // Only what is free at its edges.
            let mut gap = Gap { old: at_old..x, new: at_new..y };
            while gap.old.start < gap.old.end && self.old[gap.old.start].is_some() {
                gap.old.start += 1;
            }
            while gap.new.start < gap.new.end && self.new[gap.new.start].is_some() {
                gap.new.start += 1;
            }
            let free_old = gap.old.clone().take_while(|&at| self.old[at].is_none()).count();
            let free_new = gap.new.clone().take_while(|&at| self.new[at].is_none()).count();
            gap.old.end = gap.old.start + free_old;
            gap.new.end = gap.new.start + free_new;
            if !gap.old.is_empty() && !gap.new.is_empty() {
                gaps.push(gap);
            }
            (at_old, at_new) = (x + 1, y + 1);
        }
        gaps
    }

    fn pairs(&self) -> Vec<(usize, usize)> {
        self.old.iter().enumerate().filter_map(|(x, y)| Some((x, (*y)?))).collect()
    }
}
