//! Variables that only ever hold one of two words, and are only asked which, become truth values: a flag that
//! the machine carries round a loop as -1 or 0 is a `bool`.
//!
//! Which words a value may have is followed through parameters, choices and operations on bits, until nothing
//! changes. Parameters with one word only become that word. Exact: no bit changes. What the words were asked
//! becomes a question to the truth value by [`super::masks`] and [`super::fold`].

use super::edit::{Forward, constant};
use crate::cfg::Cfg;
use crate::exec::evaluate;
use crate::{BlockId, CompareInt, Function, InstId, Module, Op, Origin, Type, Value, ValueDef, Width};
use smallvec::SmallVec;

/// How often all values are looked at; what still changes then is taken for unknown.
const ROUNDS: usize = 12;

pub(super) fn run(module: &mut Module) -> usize {
    module.functions.iter_mut().map(of_function).sum()
}

/// Words that a value may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Words {
    /// Not looked at yet.
    None,
    One(u32),
    /// In order.
    Two(u32, u32),
    Any,
}

impl Words {
    fn or(self, other: Self) -> Self {
        match (self, other) {
            (Self::None, other) | (other, Self::None) => other,
            (Self::Any, _) | (_, Self::Any) => Self::Any,
            (mut found, other) => {
                for word in other.list() {
                    found = found.with(word);
                }
                found
            }
        }
    }

    fn with(self, word: u32) -> Self {
        match self {
            Self::None => Self::One(word),
            Self::One(a) if a == word => self,
            Self::One(a) => Self::Two(a.min(word), a.max(word)),
            Self::Two(a, b) if a == word || b == word => self,
            Self::Two(..) | Self::Any => Self::Any,
        }
    }

    fn list(self) -> SmallVec<[u32; 2]> {
        match self {
            Self::None | Self::Any => SmallVec::new(),
            Self::One(a) => SmallVec::from_slice(&[a]),
            Self::Two(a, b) => SmallVec::from_slice(&[a, b]),
        }
    }
}

fn of_function(function: &mut Function) -> usize {
    if function.blocks.iter().skip(1).all(|block| block.params.is_empty()) {
        return 0;
    }
    let cfg = Cfg::new(function);
    let Some(words) = possible_words(function, &cfg) else { return 0 };
    let good = only_asked(function, &cfg, &words);
    let mut found: Vec<(BlockId, usize, Words)> = Vec::new();
    for block in cfg.order.iter().filter(|block| **block != BlockId(0)) {
        for (n, param) in function.blocks[block.index()].params.iter().enumerate() {
            match words[param.index()] {
                Words::One(_) => found.push((*block, n, words[param.index()])),
                Words::Two(..) if good[param.index()] => found.push((*block, n, words[param.index()])),
                _ => {}
            }
        }
    }
    if !found.is_empty() {
        convert(function, &cfg, &found);
    }
    found.len()
}

/// The words of all values; none if there is no end to it.
fn possible_words(function: &Function, cfg: &Cfg) -> Option<Vec<Words>> {
    let mut words = vec![Words::None; function.values.len()];
    for param in function.params() {
        words[param.index()] = Words::Any;
    }
    for _ in 0..ROUNDS {
        let mut changed = false;
        let mut set = |words: &mut Vec<Words>, value: Value, now: Words| {
            let now = words[value.index()].or(now);
            changed |= now != words[value.index()];
            words[value.index()] = now;
        };
        for block in &cfg.order {
            let body = &function.blocks[block.index()];
            for id in &body.insts {
                let inst = &function.insts[id.index()];
                for result in &inst.results {
                    let now = result_words(function, &words, *id, *result);
                    set(&mut words, *result, now);
                }
            }
            for target in body.terminator.targets() {
                let params = &function.blocks[target.block.index()].params;
                for (param, arg) in params.iter().zip(&target.args) {
                    let now = words[arg.index()];
                    set(&mut words, *param, now);
                }
            }
        }
        if !changed {
            return Some(words);
        }
    }
    None
}

fn result_words(function: &Function, words: &[Words], id: InstId, result: Value) -> Words {
    if function.ty(result) != Type::B32 {
        return Words::Any;
    }
    let inst = &function.insts[id.index()];
    let of = |value: Value| words[value.index()];
    match (inst.op, &inst.args[..]) {
        (Op::B32(bits), _) => Words::One(bits),
        (Op::Select, &[_, yes, no]) => of(yes).or(of(no)),
        (Op::BToI, _) => Words::Two(0, 1),
        (Op::And | Op::Or | Op::Xor, &[a, b]) => {
            let (a, b) = (of(a), of(b));
            match (a, b) {
                (Words::Any, _) | (_, Words::Any) => return Words::Any,
                _ => {}
            }
            let mut found = Words::None;
            for x in a.list() {
                for y in b.list() {
                    let made = evaluate(&inst.op, Type::B32, &[x.into(), y.into()]);
                    found = found.or(made.map_or(Words::Any, |bits| Words::One(bits as u32)));
                }
            }
            found
        }
        (Op::Not | Op::FNeg(Width::F32) | Op::FAbs(Width::F32), &[a]) => match of(a) {
            Words::Any => Words::Any,
            a => a.list().iter().fold(Words::None, |found, word| {
                let made = evaluate(&inst.op, Type::B32, &[u64::from(*word)]);
                found.or(made.map_or(Words::Any, |bits| Words::One(bits as u32)))
            }),
        },
        _ => Words::Any,
    }
}

/// Values of two words that nothing but questions read: comparisons with constants, masks, and what is asked
/// in turn.
fn only_asked(function: &Function, cfg: &Cfg, words: &[Words]) -> Vec<bool> {
    let two = |value: Value| matches!(words[value.index()], Words::Two(..));
    let mut good: Vec<bool> = words.iter().map(|words| matches!(words, Words::Two(..))).collect();
    let known = |value: Value| matches!(words[value.index()], Words::One(_));
    // What reads each value and must be good itself.
    let mut bad: Vec<Value> = Vec::new();
    let mut made_of: Vec<SmallVec<[Value; 2]>> = vec![SmallVec::new(); words.len()];
    for block in &cfg.order {
        let body = &function.blocks[block.index()];
        for id in &body.insts {
            let inst = &function.insts[id.index()];
            for (n, arg) in inst.args.iter().enumerate().filter(|(_, arg)| two(**arg)) {
                let other = || inst.args.get(1 - n.min(1)).copied();
                let mask = matches!(words[arg.index()], Words::Two(0, u32::MAX));
                match inst.op {
                    Op::ICompare(_) | Op::FCompare(..) if other().is_some_and(known) => {}
                    Op::And if mask => {}
                    Op::Or | Op::Xor | Op::And | Op::Not | Op::Select | Op::FNeg(_) | Op::FAbs(_)
                        if two(inst.results[0]) =>
                    {
                        made_of[inst.results[0].index()].push(*arg);
                    }
                    _ => bad.push(*arg),
                }
            }
        }
        for target in body.terminator.targets() {
            let params = &function.blocks[target.block.index()].params;
            for (param, arg) in params.iter().zip(&target.args).filter(|(_, arg)| two(**arg)) {
                if two(*param) {
                    made_of[param.index()].push(*arg);
                } else {
                    bad.push(*arg);
                }
            }
        }
        match &body.terminator {
            crate::Terminator::Return(values) => {
                bad.extend(values.iter().copied().filter(|value| two(*value)))
            }
            crate::Terminator::Switch { value, .. } if two(*value) => bad.push(*value),
            _ => {}
        }
    }
    while let Some(value) = bad.pop() {
        if std::mem::replace(&mut good[value.index()], false) {
            bad.extend(std::mem::take(&mut made_of[value.index()]));
        }
    }
    good
}

/// Gives the parameters their new type, and what reads and passes them the old one.
fn convert(function: &mut Function, cfg: &Cfg, found: &[(BlockId, usize, Words)]) {
    let nowhere = Origin { instruction: u32::MAX, step: 0, lane: 0 };
    let mut forward = Forward::new(function);
    let mut constants = Vec::new();
    let mut number = |function: &mut Function, bits: u32| {
        let made = function.push_inst(Op::B32(bits), &[], &[Type::B32], nowhere);
        constants.push(made);
        function.result(made, 0)
    };
    let mut choices: Vec<(BlockId, InstId, Value)> = Vec::new();
    let mut kept = Vec::new();
    for (block, n, words) in found {
        let param = function.blocks[block.index()].params[*n];
        match *words {
            Words::One(bits) => {
                let value = number(function, bits);
                forward.set(param, value);
            }
            Words::Two(no, yes) => {
                let (yes, no) = if yes == 0 { (no, yes) } else { (yes, no) };
                let values = [number(function, yes), number(function, no)];
                let made =
                    function.push_inst(Op::Select, &[param, values[0], values[1]], &[Type::B32], nowhere);
                let result = function.result(made, 0);
                function.values[result.index()].variable = function.values[param.index()].variable;
                forward.set(param, result);
                choices.push((*block, made, param));
                kept.push((*block, *n, yes));
            }
            Words::None | Words::Any => {}
        }
    }
    forward.apply(function);
    for (_, choice, param) in &choices {
        function.insts[choice.index()].args[0] = *param;
        function.values[param.index()].ty = Type::Bool;
    }
    let mut by_block: Vec<Vec<(usize, u32)>> = vec![Vec::new(); function.blocks.len()];
    for (block, n, yes) in kept {
        by_block[block.index()].push((n, yes));
    }
    let mut truths: [Option<Value>; 2] = [None; 2];
    for block in &cfg.order {
        let mut terminator =
            std::mem::replace(&mut function.blocks[block.index()].terminator, crate::Terminator::Unreachable);
        for target in terminator.targets_mut() {
            for (n, yes) in &by_block[target.block.index()] {
                let Some(arg) = target.args.get_mut(*n) else { continue };
                *arg = match constant(function, *arg) {
                    Some(bits) => {
                        let truth = bits as u32 == *yes;
                        *truths[usize::from(truth)].get_or_insert_with(|| {
                            let made = function.push_inst(Op::Bool(truth), &[], &[Type::Bool], nowhere);
                            constants.push(made);
                            function.result(made, 0)
                        })
                    }
                    None => asked(function, *block, *arg, *yes, &mut constants),
                };
            }
        }
        function.blocks[block.index()].terminator = terminator;
    }
    for (block, choice, _) in choices {
        function.blocks[block.index()].insts.insert(0, choice);
    }
    function.blocks[0].insts.splice(0..0, constants);
}

/// Whether a value is a word: a new question at the end of a block, or what the value was chosen by.
fn asked(
    function: &mut Function,
    block: BlockId,
    value: Value,
    yes: u32,
    constants: &mut Vec<InstId>,
) -> Value {
    if let Some(inst) = function.definition(value)
        && let (Op::Select, &[condition, a, b]) = (inst.op, &inst.args[..])
        && constant(function, a) == Some(yes.into())
        && constant(function, b).is_some_and(|bits| bits != u64::from(yes))
        && function.ty(condition) == Type::Bool
    {
        return condition;
    }
    let origin = match function.values[value.index()].def {
        ValueDef::Result(id, _) => function.insts[id.index()].origin,
        ValueDef::Param(..) => Origin { instruction: u32::MAX, step: 0, lane: 0 },
    };
    let number = function.push_inst(Op::B32(yes), &[], &[Type::B32], origin);
    constants.push(number);
    let number = function.result(number, 0);
    let made = function.push_inst(Op::ICompare(CompareInt::Eq), &[value, number], &[Type::Bool], origin);
    function.blocks[block.index()].insts.push(made);
    function.result(made, 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passes::testing::{assert_same, program};
    use crate::passes::{BRANCHES, DEAD, MASKS, VALUES, run as run_passes};
    use crate::{Target, Terminator};

    #[test]
    fn a_flag_of_a_loop_is_a_truth_value() {
        let module = program(|builder, inputs| {
            let (zero, all, limit) = (builder.bits(0), builder.bits(u32::MAX), builder.bits(5));
            let one = builder.bits(1);
            let [head, body, again, out] = [(); 4].map(|()| builder.block());
            let (count, flag) = (builder.param(head, Type::B32), builder.param(head, Type::B32));
            builder.jump(head, &[zero, zero]);
            builder.switch_to(head);
            let more = builder.value(Op::ICompare(CompareInt::Ult), &[count, limit]);
            builder.branch(more, body, out);
            builder.switch_to(body);
            let next = builder.value(Op::IAdd, &[count, one]);
            let found = builder.value(Op::ICompare(CompareInt::Eq), &[count, inputs[0]]);
            let mask = builder.value(Op::Select, &[found, all, zero]);
            let either = builder.value(Op::Or, &[flag, mask]);
            builder.jump(again, &[]);
            builder.switch_to(again);
            builder.jump(head, &[next, either]);
            builder.switch_to(out);
            let asked = builder.value(Op::ICompare(CompareInt::Ne), &[zero, flag]);
            let result = builder.value(Op::Select, &[asked, inputs[1], inputs[2]]);
            vec![result]
        });
        let mut after = module.clone();
        assert_eq!(run(&mut after), 1);
        assert!(crate::verify::check(&after).is_empty(), "{after}");
        assert_same(&module, &after, 1);
        run_passes(&mut after, &[VALUES, MASKS, VALUES, BRANCHES, DEAD], None);
        assert_same(&module, &after, 2);
        let text = after.to_string();
        assert!(!text.contains("0xffffffff") && text.contains(": bool"), "{text}");
    }

    #[test]
    fn a_number_that_is_used_as_one_stays() {
        let module = program(|builder, inputs| {
            let (zero, all) = (builder.bits(0), builder.bits(u32::MAX));
            let join = builder.block();
            let param = builder.param(join, Type::B32);
            let condition = builder.value(Op::ICompare(CompareInt::Ult), &[inputs[0], inputs[1]]);
            builder.terminate(Terminator::Branch {
                condition,
                then: Target { block: join, args: vec![zero] },
                otherwise: Target { block: join, args: vec![all] },
            });
            builder.switch_to(join);
            let sum = builder.value(Op::IAdd, &[param, inputs[2]]);
            vec![sum]
        });
        assert_eq!(run(&mut module.clone()), 0);
    }

    #[test]
    fn one_word_from_everywhere_is_that_word() {
        let module = program(|builder, inputs| {
            let zero = builder.bits(0);
            let [head, out] = [(); 2].map(|()| builder.block());
            let (carried, count) = (builder.param(head, Type::B32), builder.param(head, Type::B32));
            builder.jump(head, &[zero, inputs[0]]);
            builder.switch_to(head);
            let three = builder.bits(3);
            let low = builder.value(Op::And, &[count, three]);
            let both = builder.value(Op::And, &[carried, carried]);
            let stop = builder.value(Op::ICompare(CompareInt::Eq), &[low, zero]);
            let one = builder.bits(1);
            let next = builder.value(Op::ISub, &[count, one]);
            builder.terminate(Terminator::Branch {
                condition: stop,
                then: Target::plain(out),
                otherwise: Target { block: head, args: vec![both, next] },
            });
            builder.switch_to(out);
            vec![carried, count]
        });
        let mut after = module.clone();
        assert_eq!(run(&mut after), 1);
        assert_same(&module, &after, 3);
    }
}
