//! Chains and trees of comparisons of one integer with constants become a switch.
//!
//! From a branch on, every way through further branches that ask nothing but the same integer is followed with
//! the set of numbers that take it. Where all ways but one are taken by few numbers, these are the cases.
//! Exact.

use super::edit::constant;
use crate::cfg::{Cfg, Dominators, LoopId, Loops};
use crate::{BlockId, CompareInt, Effect, Function, InstId, Module, Op, Target, Terminator, Type, Value};

/// Fewest numbers that make a switch.
const FEWEST: usize = 3;
/// Most numbers that cases have.
const MOST: u64 = 64;
/// Most instructions that stand between the questions and are done before the first instead.
const BETWEEN: usize = 8;
/// Most blocks of one chain.
const LENGTH: usize = 256;

pub(super) fn run(module: &mut Module) -> usize {
    module.functions.iter_mut().map(of_function).sum()
}

fn of_function(function: &mut Function) -> usize {
    if function.blocks.len() < 2 * FEWEST {
        return 0;
    }
    let cfg = Cfg::new(function);
    let dominators = Dominators::new(&cfg);
    // Blocks behind which several ways meet again, that come from nowhere else.
    let mut closes = vec![false; function.blocks.len()];
    for block in cfg.order.iter().filter(|block| cfg.predecessors(**block).len() > 1) {
        if let Some(up) = dominators.immediate(*block) {
            closes[up.index()] = true;
        }
    }
    let mut loops = None;
    let mut gone = vec![false; function.blocks.len()];
    let mut count = 0;
    for head in &cfg.order {
        if gone[head.index()] {
            continue;
        }
        let Some(found) = chain(function, &cfg, &closes, *head) else { continue };
        let loops = loops.get_or_insert_with(|| Loops::new(&cfg, &dominators));
        if !stays_inside(&cfg, &dominators, loops, *head, &found) {
            continue;
        }
        for block in &found.inner {
            gone[block.index()] = true;
            let body = &mut function.blocks[block.index()];
            body.insts.clear();
            body.terminator = Terminator::Unreachable;
        }
        let body = &mut function.blocks[head.index()];
        body.insts.extend(found.between);
        body.terminator =
            Terminator::Switch { value: found.value, cases: found.cases, default: found.default };
        count += 1;
    }
    count
}

/// Numbers in order: first and last of each run.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
struct Set(Vec<(u32, u32)>);

impl Set {
    fn all() -> Self {
        Self(vec![(0, u32::MAX)])
    }

    fn and(&self, other: &Self) -> Self {
        let mut list = Vec::new();
        let (mut a, mut b) = (self.0.iter().peekable(), other.0.iter().peekable());
        while let (Some((a0, a1)), Some((b0, b1))) = (a.peek(), b.peek()) {
            let (first, last) = (*a0.max(b0), *a1.min(b1));
            if first <= last {
                list.push((first, last));
            }
            if a1 < b1 {
                a.next()
            } else {
                b.next()
            };
        }
        Self(list)
    }

    fn opposite(&self) -> Self {
        let mut list = Vec::new();
        let mut next = Some(0u32);
        for (first, last) in &self.0 {
            if let Some(from) = next.filter(|from| from < first) {
                list.push((from, first - 1));
            }
            next = last.checked_add(1);
        }
        list.extend(next.map(|from| (from, u32::MAX)));
        Self(list)
    }

    fn count(&self) -> u64 {
        self.0.iter().map(|(first, last)| u64::from(last - first) + 1).sum()
    }
}

/// Which numbers make a condition about one value true.
struct Question {
    value: Value,
    holds: Set,
    /// Comparisons by equality in it.
    equalities: usize,
}

fn question(function: &Function, condition: Value, depth: u32) -> Option<Question> {
    let inst = function.definition(condition).filter(|_| depth > 0)?;
    match (inst.op, &inst.args[..]) {
        (Op::ICompare(by), &[a, b]) if function.ty(a) == Type::B32 => {
            let (value, number, first) = match (constant(function, a), constant(function, b)) {
                (None, Some(number)) => (a, number as u32, true),
                (Some(number), None) => (b, number as u32, false),
                _ => return None,
            };
            let holds = numbers(by, number, first);
            let equalities = usize::from(matches!(by, CompareInt::Eq | CompareInt::Ne));
            Some(Question { value, holds, equalities })
        }
        (Op::Not, &[a]) => {
            let found = question(function, a, depth - 1)?;
            Some(Question { holds: found.holds.opposite(), ..found })
        }
        (Op::And | Op::Or, &[a, b]) => {
            let (a, b) = (question(function, a, depth - 1)?, question(function, b, depth - 1)?);
            if a.value != b.value {
                return None;
            }
            let holds = if inst.op == Op::And {
                a.holds.and(&b.holds)
            } else {
                a.holds.opposite().and(&b.holds.opposite()).opposite()
            };
            Some(Question { value: a.value, holds, equalities: a.equalities + b.equalities })
        }
        _ => None,
    }
}

/// The numbers that compare so with one; `first`: they stand on the left.
fn numbers(by: CompareInt, number: u32, first: bool) -> Set {
    // Signed numbers in their order as unsigned ones: half of the circle further.
    let below = |limit: Option<u32>, signed: bool| {
        let Some(limit) = limit else { return Set::default() };
        if !signed {
            return Set(vec![(0, limit)]);
        }
        match limit as i32 {
            negative if negative < 0 => Set(vec![(0x8000_0000, limit)]),
            _ => Set(vec![(0, limit), (0x8000_0000, u32::MAX)]),
        }
    };
    let less = |signed: bool| {
        let before = if signed {
            (number as i32).checked_sub(1).map(|before| before as u32)
        } else {
            number.checked_sub(1)
        };
        below(before, signed)
    };
    let found = match (by, first) {
        (CompareInt::Eq, _) => return Set(vec![(number, number)]),
        (CompareInt::Ne, _) => return Set(vec![(number, number)]).opposite(),
        (CompareInt::Slt, true) => less(true),
        (CompareInt::Sle, true) => below(Some(number), true),
        (CompareInt::Ult, true) => less(false),
        (CompareInt::Ule, true) => below(Some(number), false),
        // `number < x` is not `x <= number`.
        (CompareInt::Slt, false) => below(Some(number), true).opposite(),
        (CompareInt::Sle, false) => less(true).opposite(),
        (CompareInt::Ult, false) => below(Some(number), false).opposite(),
        (CompareInt::Ule, false) => less(false).opposite(),
    };
    // Runs that touch are one.
    found.opposite().opposite()
}

struct Chain {
    value: Value,
    cases: Vec<(u32, Target)>,
    default: Target,
    /// Blocks that only asked.
    inner: Vec<BlockId>,
    between: Vec<InstId>,
}

fn chain(function: &Function, cfg: &Cfg, closes: &[bool], head: BlockId) -> Option<Chain> {
    let Terminator::Branch { condition, .. } = &function.blocks[head.index()].terminator else { return None };
    let value = question(function, *condition, 8)?.value;
    let mut leaves: Vec<(Target, Set)> = Vec::new();
    let mut inner: Vec<BlockId> = Vec::new();
    let mut between = Vec::new();
    let mut equalities = 0;
    let mut work = vec![(head, Set::all())];
    while let Some((block, set)) = work.pop() {
        let body = &function.blocks[block.index()];
        let Terminator::Branch { condition, then, otherwise } = &body.terminator else { return None };
        let asked = question(function, *condition, 8)?;
        equalities += asked.equalities;
        let sides = [(then, asked.holds.clone()), (otherwise, asked.holds.opposite())];
        for (target, takes) in sides.into_iter().rev() {
            let takes = set.and(&takes);
            // What closes again is a condition of its own inside of a case.
            if inner.len() < LENGTH
                && !closes[target.block.index()]
                && asks_on(function, cfg, target, value, between.len())
            {
                between.extend(&function.blocks[target.block.index()].insts);
                inner.push(target.block);
                work.push((target.block, takes));
            } else if let Some((_, known)) = leaves.iter_mut().find(|(known, _)| known == target) {
                *known = known.opposite().and(&takes.opposite()).opposite();
            } else {
                leaves.push((target.clone(), takes));
            }
        }
        if leaves.len() as u64 > MOST {
            return None;
        }
    }
    leaves.retain(|(_, set)| !set.0.is_empty());
    let largest = (0..leaves.len()).max_by_key(|at| leaves[*at].1.count())?;
    let (default, _) = leaves.remove(largest);
    let labels: u64 = leaves.iter().map(|(_, set)| set.count()).sum();
    if leaves.len() < 2 || (labels as usize) < FEWEST || labels > MOST || labels > 2 * equalities as u64 {
        return None;
    }
    let mut cases: Vec<(u32, Target)> = leaves
        .into_iter()
        .flat_map(|(target, set)| {
            let numbers: Vec<u32> = set.0.iter().flat_map(|(first, last)| *first..=*last).collect();
            numbers.into_iter().map(move |number| (number, target.clone()))
        })
        .collect();
    cases.sort_by_key(|(number, _)| *number as i32);
    Some(Chain { value, cases, default, inner, between })
}

/// Whether an edge leads to a block that does nothing but ask about the value, light sums before that aside.
fn asks_on(function: &Function, cfg: &Cfg, target: &Target, value: Value, before: usize) -> bool {
    let block = target.block;
    let body = &function.blocks[block.index()];
    let Terminator::Branch { condition, .. } = &body.terminator else { return false };
    // Questions and constants do not count.
    let counted = |id: &&InstId| {
        !matches!(
            function.insts[id.index()].op,
            Op::ICompare(_) | Op::Not | Op::And | Op::Or | Op::Select | Op::B32(_) | Op::Bool(_)
        )
    };
    block != BlockId(0)
        && cfg.predecessors(block).len() == 1
        && body.params.is_empty()
        && body.insts.len() <= LENGTH
        && before + body.insts.iter().filter(counted).count() <= BETWEEN + LENGTH
        && body.insts.iter().filter(counted).count() <= BETWEEN
        && body.insts.iter().all(|id| function.insts[id.index()].op.effect() == Effect::Pure)
        && question(function, *condition, 8).is_some_and(|found| found.value == value)
}

/// Whether the cases leave no loop: a `break` would only leave the switch.
fn stays_inside(cfg: &Cfg, dominators: &Dominators, loops: &Loops, head: BlockId, chain: &Chain) -> bool {
    let Some(around) = loops.innermost(head) else { return true };
    let within = |block: BlockId| {
        let mut at: Option<LoopId> = loops.innermost(block);
        while let Some(id) = at {
            if id == around {
                return true;
            }
            at = loops.get(id).parent;
        }
        false
    };
    let leaves = chain.cases.iter().map(|(_, target)| target).chain([&chain.default]);
    leaves.map(|target| target.block).all(|leaf| {
        within(leaf)
            && (!dominators.dominates(head, leaf)
                || cfg.order.iter().skip(cfg.rank(leaf) as usize).take(4096).all(|block| {
                    !dominators.dominates(leaf, *block) || cfg.successors(*block).iter().all(|to| within(*to))
                }))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exec::evaluate;
    use crate::passes::testing::{outputs, program};
    use crate::random::Dice;

    #[test]
    fn sets_are_what_comparing_gives() {
        use CompareInt::{Eq, Ne, Sle, Slt, Ule, Ult};
        let words = [0u32, 1, 2, 0x7FFF_FFFE, 0x7FFF_FFFF, 0x8000_0000, 0x8000_0001, 0xFFFF_FFFE, u32::MAX];
        for by in [Eq, Ne, Slt, Sle, Ult, Ule] {
            for (a, b) in words.iter().flat_map(|a| words.map(|b| (*a, b))) {
                let holds =
                    |x: u32, y: u32| evaluate(&Op::ICompare(by), Type::B32, &[x.into(), y.into()]) == Some(1);
                let within = |set: Set| set.0.iter().any(|(first, last)| (*first..=*last).contains(&a));
                assert_eq!(within(numbers(by, b, true)), holds(a, b), "{a:x} {by:?} {b:x}");
                assert_eq!(within(numbers(by, b, false)), holds(b, a), "{b:x} {by:?} {a:x}");
            }
        }
    }

    /// A tree of questions about one input, drawn at random.
    fn tree(dice: &mut Dice) -> Module {
        program(|builder, inputs| {
            let join = builder.block();
            let result = builder.param(join, Type::B32);
            let mut open = vec![builder.current()];
            for n in 0..4 + dice.below(8) {
                let Some(block) = open.pop() else { break };
                builder.switch_to(block);
                let number = builder.bits((dice.below(12) as u32).wrapping_sub(2));
                let op = if dice.one_in(4) { CompareInt::Slt } else { CompareInt::Eq };
                let asked = builder.value(Op::ICompare(op), &[inputs[0], number]);
                let (then, otherwise) = (builder.block(), builder.block());
                builder.branch(asked, then, otherwise);
                if op == CompareInt::Slt {
                    open.insert(0, then);
                } else {
                    builder.switch_to(then);
                    let made = builder.bits(100 + n as u32);
                    let made = builder.value(Op::IAdd, &[made, inputs[1]]);
                    builder.jump(join, &[made]);
                }
                open.push(otherwise);
            }
            for block in open {
                builder.switch_to(block);
                builder.jump(join, &[inputs[2]]);
            }
            builder.switch_to(join);
            vec![result]
        })
    }

    #[test]
    fn trees_of_questions_are_switches() {
        let mut switches = 0;
        for seed in 0..300 {
            let mut dice = Dice::new(seed);
            let module = tree(&mut dice);
            let mut after = module.clone();
            switches += run(&mut after);
            assert!(crate::verify::check(&after).is_empty(), "{after}");
            for number in -5..20 {
                let inputs = [number as u32, 7, 13, 0, 0, 0];
                assert_eq!(
                    outputs(&module, &inputs),
                    outputs(&after, &inputs),
                    "{number}\n{module}\n{after}"
                );
            }
        }
        assert!(switches > 100, "{switches}");
    }
}
