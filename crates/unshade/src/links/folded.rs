//! What became of instructions that no operation is left of: the nearest instructions that use their results, and of those that go one
//! way or another, the ones that decide which.

use std::collections::BTreeSet;
use std::ops::Range;
use unshade_ir::{Function, Module, Value, ValueDef};

/// Most steps that are looked at for one instruction: what is folded is folded into something near.
const STEPS: usize = 256;

/// A place between instructions: an instruction by its word, or a value that belongs to none.
type Node = u64;

/// Who uses the results of whom, as a list of pairs, sorted.
#[derive(Debug)]
pub(super) struct Uses(Vec<(Node, Node)>);

impl Uses {
    /// Of a module whose variables are values; `unit`: words of what it counts instructions in.
    pub fn of(module: &Module, unit: u32) -> Self {
        let mut pairs = Vec::new();
        for (index, function) in module.functions.iter().enumerate() {
            let node = |function, index, value| node(function, index, value, unit);
            let mut pair = |from: Node, to: Node| {
                if from != to {
                    pairs.push((from, to));
                }
            };
            for block in &function.blocks {
                for inst in block.insts.iter().filter_map(|inst| function.insts.get(inst.index())) {
                    let result = inst.results.first();
                    let to = match (inst.origin.instruction, result) {
                        (u32::MAX, Some(result)) => node(function, index, *result),
                        (u32::MAX, None) => continue,
                        (place, _) => place.saturating_mul(unit).into(),
                    };
                    inst.args.iter().for_each(|arg| pair(node(function, index, *arg), to));
                }
                // What decides which way to go, and the instruction that goes it, are one question.
                if let (Some(asked), true) = (block.terminator.asked(), block.exit != u32::MAX) {
                    let (asked, exit) =
                        (node(function, index, asked), Node::from(block.exit.saturating_mul(unit)));
                    pair(asked, exit);
                    pair(exit, asked);
                }
                // What a way passes along is what the block behind it takes.
                for target in block.terminator.targets() {
                    let Some(to) = function.blocks.get(target.block.index()) else { continue };
                    for (arg, param) in target.args.iter().zip(&to.params) {
                        pair(node(function, index, *arg), node(function, index, *param));
                    }
                }
            }
        }
        pairs.sort_unstable();
        pairs.dedup();
        Self(pairs)
    }

    fn users(&self, from: Range<Node>) -> impl Iterator<Item = Node> {
        let start = self.0.partition_point(|(node, _)| *node < from.start);
        let behind = self.0.get(start..).unwrap_or_default().iter();
        behind.take_while(move |(node, _)| *node < from.end).map(|(_, to)| *to)
    }

    /// The nearest users of an instruction's results, by their index, that have one.
    pub fn nearest(&self, words: Range<u32>, index: impl Fn(u32) -> Option<usize>) -> BTreeSet<usize> {
        let mut found = BTreeSet::new();
        let first = Node::from(words.start)..Node::from(words.end);
        let mut open: Vec<Range<Node>> = std::iter::once(first).collect();
        let mut seen: BTreeSet<Node> = BTreeSet::new();
        let mut at = 0;
        while let Some(from) = open.get(at).cloned() {
            at += 1;
            for user in self.users(from) {
                if seen.len() >= STEPS {
                    return found;
                }
                if !seen.insert(user) {
                    continue;
                }
                match u32::try_from(user).ok().and_then(&index) {
                    Some(user) => {
                        found.insert(user);
                    }
                    None => open.push(user..user + 1),
                }
            }
        }
        found
    }
}

/// The instruction that makes a value, or the value itself where none does.
fn node(function: &Function, index: usize, value: Value, unit: u32) -> Node {
    let made = match function.values.get(value.index()).map(|data| data.def) {
        Some(ValueDef::Result(inst, _)) => function.insts.get(inst.index()),
        _ => None,
    };
    match made.map(|inst| inst.origin.instruction) {
        Some(place) if place != u32::MAX => place.saturating_mul(unit).into(),
        _ => (index as Node + 1) << 32 | value.index() as Node,
    }
}
