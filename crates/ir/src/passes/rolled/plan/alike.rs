//! What looks like passes of one loop at first sight.

use super::super::{LEAST, MOST};
use super::FAR;
use crate::{BlockId, Effect, Function, InstId, Op, Space, Value, ValueDef};
use smallvec::SmallVec;
use std::collections::{BTreeMap, BTreeSet};
use std::hash::{DefaultHasher, Hash, Hasher};

/// How deep terms have to be alike to be looked at.
pub(super) const ALIKE: u32 = 2;

/// What terms look like at first sight, and which instructions a block has.
#[derive(Debug)]
pub(in crate::passes::rolled) struct Shapes {
    shapes: BTreeMap<Value, u64>,
    listed: Vec<bool>,
}

impl Shapes {
    pub(in crate::passes::rolled) fn new(function: &Function, block: BlockId) -> Self {
        let mut listed = vec![false; function.insts.len()];
        let mut shapes = BTreeMap::new();
        for id in &function.blocks[block.index()].insts {
            listed[id.index()] = true;
            for result in &function.insts[id.index()].results {
                shapes.insert(*result, shape(function, *result, ALIKE));
            }
        }
        Self { shapes, listed }
    }

    /// That number of a value of any block.
    pub(in crate::passes::rolled) fn look(function: &Function, value: Value) -> u64 {
        shape(function, value, ALIKE)
    }

    /// A number that values have in common which may be passes of one loop.
    pub(in crate::passes::rolled) fn of(&self, value: Value) -> u64 {
        self.shapes.get(&value).copied().unwrap_or(u64::from(value.0))
    }

    /// Whether an instruction stands in the block.
    pub(in crate::passes::rolled) fn has(&self, id: InstId) -> bool {
        self.listed.get(id.index()).copied().unwrap_or(false)
    }
}

pub(super) fn shape(function: &Function, value: Value, depth: u32) -> u64 {
    let mut hasher = DefaultHasher::new();
    let ValueDef::Result(id, place) = function.values[value.index()].def else { return 1 };
    let inst = &function.insts[id.index()];
    match inst.op {
        Op::B32(_) => 2_u8.hash(&mut hasher),
        Op::Load(access) => {
            (3_u8, access.space, access.binding, access.offset % 4, access.stride).hash(&mut hasher);
        }
        // Coordinates that something was added to, and those that nothing was.
        op @ Op::Texture(_) => (op, place).hash(&mut hasher),
        _ if depth == 0 => 4_u8.hash(&mut hasher),
        op => {
            (op, place).hash(&mut hasher);
            if let Some(depth) = depth.checked_sub(1) {
                let mut inner: SmallVec<[u64; 4]> =
                    inst.args.iter().map(|arg| shape(function, *arg, depth)).collect();
                if op.is_commutative() {
                    inner.sort_unstable();
                }
                inner.hash(&mut hasher);
            }
        }
    }
    hasher.finish()
}

/// Lists of values of a block each of which is computed from the one before, in the same way as far as that shows.
pub(in crate::passes::rolled) fn chains(function: &Function, block: BlockId) -> Vec<Vec<Value>> {
    let mut groups: BTreeMap<u64, Vec<Value>> = BTreeMap::new();
    let mut memo: BTreeMap<(Value, u32), u64> = BTreeMap::new();
    for id in &function.blocks[block.index()].insts {
        let inst = &function.insts[id.index()];
        let may = matches!(inst.op.effect(), Effect::Pure | Effect::Quad) && !inst.args.is_empty();
        if let ([result], true) = (&inst.results[..], may && !matches!(inst.op, Op::Load(_))) {
            groups.entry(exact(function, *result, SAME, &mut memo)).or_default().push(*result);
        }
    }
    let mut found: Vec<Vec<Value>> = Vec::new();
    for list in groups.into_values().filter(|list| list.len() >= LEAST) {
        let mut chain: Vec<Value> = Vec::new();
        for value in list {
            match chain.last() {
                Some(last) if !comes_from(function, value, *last) => {
                    if chain.len() >= LEAST {
                        break;
                    }
                    chain = vec![value];
                }
                _ => chain.push(value),
            }
        }
        if (LEAST..=MOST).contains(&chain.len()) {
            found.push(chain);
        }
    }
    // What is computed last leads.
    found.sort_by_key(|chain| std::cmp::Reverse((chain.len(), chain.last().copied())));
    found
}

/// How deep values of a chain are the same.
const SAME: u32 = 3;

/// The same for values that are computed the same way, words and numbers included.
fn exact(function: &Function, value: Value, depth: u32, memo: &mut BTreeMap<(Value, u32), u64>) -> u64 {
    if let Some(known) = memo.get(&(value, depth)) {
        return *known;
    }
    let mut hasher = DefaultHasher::new();
    let hash = match function.values[value.index()].def {
        ValueDef::Result(id, place) => {
            let inst = &function.insts[id.index()];
            match inst.op {
                // Numbers of passes.
                Op::B32(1..0x10_0000) => 7_u8.hash(&mut hasher),
                Op::Load(_) | Op::B32(_) if depth + 1 < SAME => (6_u8, inst.op).hash(&mut hasher),
                _ if depth == 0 => 4_u8.hash(&mut hasher),
                op => {
                    (op, place).hash(&mut hasher);
                    let args = inst.args.clone();
                    let mut inner: SmallVec<[u64; 4]> =
                        args.iter().map(|arg| exact(function, *arg, depth - 1, memo)).collect();
                    if op.is_commutative() {
                        inner.sort_unstable();
                    }
                    inner.hash(&mut hasher);
                }
            }
            hasher.finish()
        }
        ValueDef::Param(..) => 4,
    };
    memo.insert((value, depth), hash);
    hash
}

/// Whether a value is computed from another, some instructions back.
pub(super) fn comes_from(function: &Function, value: Value, from: Value) -> bool {
    let mut work = vec![value];
    let mut seen: BTreeSet<InstId> = BTreeSet::new();
    while let Some(value) = work.pop() {
        let ValueDef::Result(id, _) = function.values[value.index()].def else { continue };
        if !seen.insert(id) || seen.len() > FAR {
            continue;
        }
        let args = &function.insts[id.index()].args;
        if args.contains(&from) {
            return true;
        }
        work.extend(args.iter().copied());
    }
    false
}

/// Terms in the order of what they are made of: words of uniforms and numbers, else as they were computed.
pub(super) fn in_order(function: &Function, terms: &[Value]) -> Vec<Value> {
    let made = |value: &Value| match function.values[value.index()].def {
        ValueDef::Result(id, _) => i64::from(id.0),
        ValueDef::Param(..) => 0,
    };
    let mut terms = terms.to_vec();
    terms.sort_by_cached_key(|value| (words(function, *value), made(value)));
    terms
}

/// The same, but for those whose words tell nothing as they were added.
pub(super) fn as_added(function: &Function, terms: &[Value]) -> Vec<Value> {
    let mut terms = terms.to_vec();
    terms.sort_by_cached_key(|value| words(function, *value));
    terms
}

/// The words of uniforms that a value is made of.
fn words(function: &Function, value: Value) -> Vec<u32> {
    let mut words: Vec<u32> = Vec::new();
    let mut work = vec![(value, 0)];
    while let Some((value, depth)) = work.pop() {
        let ValueDef::Result(id, _) = function.values[value.index()].def else { continue };
        let inst = &function.insts[id.index()];
        match inst.op {
            Op::Load(access) if access.space == Space::Uniform => words.push(access.offset),
            _ if depth < 6 && words.len() < 64 => {
                work.extend(inst.args.iter().map(|arg| (*arg, depth + 1)));
            }
            _ => {}
        }
    }
    words.sort_unstable();
    words
}
