//! What a listing calls the places and registers of a piece of code.

use super::structure::{Block, BlockKind, blocks};
use crate::{
    asm::operand::Class,
    names::{Names, is_free_name},
    print::Places,
    reach::{Flow, reach},
};
use std::collections::{BTreeMap, BTreeSet};

/// Code to be listed, with what its file says about it.
#[derive(Debug, Clone, Default)]
pub struct CodeText<'a> {
    /// The code words.
    pub words: &'a [u32],
    /// Operand descriptors, low words.
    pub descriptors: &'a [u32],
    /// High words of the descriptors; missing ones are 0.
    pub high: &'a [u32],
    /// Main programs.
    pub roots: Vec<Root>,
    /// Further runs of words that are to be procedures.
    pub runs: Vec<(u32, u32)>,
    /// Names of places, in the order of the file.
    pub labels: Vec<(u32, String)>,
    /// Places that the container's tables name and that must have a label, so that they move with edits.
    pub marks: Vec<u32>,
}

/// A main program and its names.
#[derive(Debug, Clone, Default)]
pub struct Root {
    /// Where it starts.
    pub entry: u32,
    /// The word behind it, where the file says so.
    pub end: Option<u32>,
    /// What to call it where the file has no name for it.
    pub name: String,
    /// Names of its registers.
    pub names: Vec<Named>,
}

/// Names a range of registers. The name must be one of [`is_free_name`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Named {
    /// Class of the registers.
    pub class: Class,
    /// First register.
    pub first: u32,
    /// Last register.
    pub last: u32,
    /// The name, as code writes it.
    pub name: String,
}

/// How the code is laid out as text.
#[derive(Debug, Clone)]
pub struct Layout {
    /// The blocks, in the order in which they open.
    pub blocks: Vec<Block>,
    /// Names of places.
    pub places: Places,
    /// Names of the procedures among `blocks`, in their order.
    pub(super) procedure_names: Vec<Box<str>>,
    procedure_set: BTreeSet<Box<str>>,
    /// For each word: a block starts here, so that no bounds are written.
    pub(super) block_heads: Vec<bool>,
    /// The sets of names that words use.
    scopes: Vec<Names>,
    /// Scope of each word; words behind the end of the list use the first.
    scope_of: Vec<u16>,
}

impl Layout {
    /// Whether a procedure has this name.
    pub fn is_procedure(&self, name: &str) -> bool {
        self.procedure_set.contains(name)
    }

    /// The names in force at a word.
    #[inline]
    pub(super) fn names(&self, at: usize) -> &Names {
        let scope = self.scope_of.get(at).copied().unwrap_or(0);
        // The first scope always exists.
        &self.scopes[usize::from(scope)]
    }
}

impl CodeText<'_> {
    /// Start and end of the main programs, as far as they are known.
    pub(super) fn mains(&self) -> Vec<(u32, u32)> {
        let mains = self.roots.iter().filter_map(|root| Some((root.entry, root.end?)));
        mains.filter(|(entry, end)| entry < end).collect()
    }

    /// Chooses blocks and names.
    pub fn layout(&self) -> Layout {
        let length = u32::try_from(self.words.len()).unwrap_or(u32::MAX);
        let mains: Vec<_> = self.mains().into_iter().chain(self.runs.iter().copied()).collect();
        let blocks = blocks(self.words, &mains);
        let mut block_heads = vec![false; self.words.len()];
        for block in blocks.iter().filter(|block| block.kind != BlockKind::Procedure) {
            if let Some(head) = block_heads.get_mut(block.start as usize) {
                *head = true;
            }
        }
        let mut taken = BTreeSet::new();
        let mut places = Places::default();
        for (at, name) in &self.labels {
            if *at <= length
                && places.label_at(*at).is_none()
                && is_free_name(name)
                && taken.insert(name.clone())
            {
                places.label(*at, name);
            }
        }
        let mut fresh = |name: String| {
            let mut name = name;
            while !taken.insert(name.clone()) {
                name.push('_');
            }
            name
        };
        for root in &self.roots {
            if root.entry <= length && places.label_at(root.entry).is_none() {
                places.label(root.entry, &fresh(root.name.clone()));
            }
        }
        let procedure_names = name_procedures(&blocks, &mut places, &mut fresh);
        let mut mark = |at: u32| {
            if at <= length && places.label_at(at).is_none() {
                let name = fresh(format!("L{at:03X}"));
                places.label(at, &name);
            }
        };
        self.marks.iter().for_each(|&at| mark(at));
        let known: BTreeSet<_> = blocks
            .iter()
            .filter(|block| block.kind == BlockKind::Procedure)
            .map(|block| (block.start, block.end))
            .collect();
        // The end of a main program that is no block is named by its number alone, unless it has a label.
        for root in &self.roots {
            if let Some(end) = root.end.filter(|&end| !known.contains(&(root.entry, end))) {
                mark(end);
            }
        }
        for (at, &word) in self.words.iter().enumerate() {
            match Flow::of(word) {
                Flow::Jump { to } => mark(to),
                Flow::If { then_end, end } if !block_heads[at] => {
                    [then_end, end].into_iter().for_each(&mut mark)
                }
                Flow::Loop { last } if !block_heads[at] => mark(last + 1),
                Flow::Call { begin, end } => {
                    let long = end + (word & 0x300);
                    if !known.contains(&(begin, long)) && !known.contains(&(begin, end)) {
                        [begin, end].into_iter().for_each(&mut mark);
                    }
                }
                _ => {}
            }
        }
        let (scopes, scope_of) = self.scopes();
        let procedure_set = procedure_names.iter().cloned().collect();
        Layout { blocks, places, procedure_names, procedure_set, block_heads, scopes, scope_of }
    }

    /// The names in force at each word: those on which all main programs agree that can reach it.
    fn scopes(&self) -> (Vec<Names>, Vec<u16>) {
        let plain = (vec![Names::default()], Vec::new());
        let named = unambiguous(&self.roots);
        if named.iter().all(Vec::is_empty) {
            return plain;
        }
        // Many programs in one large code: names are not worth the walk.
        if self.roots.len().saturating_mul(self.words.len().max(4096)) > 1 << 24 {
            return plain;
        }
        let mut sets: Vec<BTreeSet<usize>> = vec![BTreeSet::new()];
        let mut index = BTreeMap::from([(BTreeSet::new(), 0u16)]);
        let mut scope_of = vec![0u16; self.words.len()];
        for (root, main) in self.roots.iter().enumerate() {
            let reached = reach(self.words, main.entry);
            if !reached.complete {
                return plain;
            }
            let mut moved: BTreeMap<u16, u16> = BTreeMap::new();
            for (scope, _) in scope_of.iter_mut().zip(&reached.words).filter(|(_, reached)| **reached) {
                *scope = *moved.entry(*scope).or_insert_with(|| {
                    let mut set = sets.get(usize::from(*scope)).cloned().unwrap_or_default();
                    set.insert(root);
                    let next = sets.len();
                    *index.entry(set.clone()).or_insert_with(|| {
                        sets.push(set);
                        next as u16
                    })
                });
            }
            if sets.len() > 256 {
                return plain;
            }
        }
        let scopes = sets.iter().map(|set| common_names(set, &named)).collect();
        (scopes, scope_of)
    }
}

/// Names the procedures; the first one at a labelled place takes the label's name.
fn name_procedures(
    blocks: &[Block],
    places: &mut Places,
    fresh: &mut impl FnMut(String) -> String,
) -> Vec<Box<str>> {
    let mut names = Vec::new();
    let mut procedures = Vec::new();
    let mut last_start = None;
    for block in blocks.iter().filter(|block| block.kind == BlockKind::Procedure) {
        let length = block.end - block.start;
        let name: Box<str> = match places.label_at(block.start) {
            Some(name) if last_start != Some(block.start) => name.into(),
            Some(_) => fresh(format!("proc_{:03X}_{length}", block.start)).into(),
            None => fresh(format!("proc_{:03X}", block.start)).into(),
        };
        places.label(block.start, &name);
        last_start = Some(block.start);
        procedures.push((block.start, length, name.clone()));
        names.push(name);
    }
    places.set_procedures(procedures);
    names
}

/// The names of each root without those that stand for different registers in two roots, and without those
/// that one root gives twice.
fn unambiguous(roots: &[Root]) -> Vec<Vec<&Named>> {
    let mut meaning: BTreeMap<&str, Option<(Class, u32)>> = BTreeMap::new();
    for named in roots.iter().flat_map(|root| &root.names) {
        let place = Some((named.class, named.first));
        meaning
            .entry(&named.name)
            .and_modify(|known| {
                if *known != place {
                    *known = None;
                }
            })
            .or_insert(place);
    }
    let good =
        |named: &&Named| is_free_name(&named.name) && meaning.get(&*named.name).is_some_and(|m| m.is_some());
    roots.iter().map(|root| root.names.iter().filter(good).collect()).collect()
}

/// The names on which all roots of a set agree.
fn common_names(set: &BTreeSet<usize>, named: &[Vec<&Named>]) -> Names {
    let mut names = Names::default();
    let mut members = set.iter().filter_map(|&root| named.get(root));
    let Some(first) = members.next() else { return names };
    let others: Vec<_> = members.collect();
    for name in first {
        if others.iter().all(|other| other.contains(name)) {
            names.set(name.class, name.first, name.last, &name.name);
        }
    }
    names
}
