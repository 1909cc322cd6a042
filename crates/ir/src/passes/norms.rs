//! Floats packed into the bytes or halves of a word, and taken out again: `packUnorm4x8` and its kin, which machines
//! spell field by field.

use super::Changes;
use super::edit::constant;
use crate::{FloatMode, Function, InstId, Module, Multiply, Norm, Op, Round, Type, Value, Width};
use smallvec::{SmallVec, smallvec};
use std::collections::BTreeMap;

const MODE: FloatMode = FloatMode::F32;
const MUL: Op = Op::FMul(MODE, Multiply::Ieee);
const NORMS: [Norm; 4] = [
    Norm { signed: false, wide: false },
    Norm { signed: false, wide: true },
    Norm { signed: true, wide: false },
    Norm { signed: true, wide: true },
];
/// How deep a word is taken apart.
const DEPTH: u32 = 8;

/// What must hold.
const ASSUMPTION: &str = "no float that is packed is NaN";

pub(super) fn run(module: &mut Module) -> Changes {
    if !module.from_shading_language {
        return Changes::default();
    }
    let count = module.functions.iter_mut().map(|function| pack(function) + unpack(function)).sum();
    Changes { count, ..Changes::default() }.assume(ASSUMPTION)
}

/// A field of a word: first bit, bits, and a value whose lowest bits it has.
type Field = (u32, u32, Value);

fn word(function: &Function, value: Value) -> Option<u32> {
    (function.ty(value) == Type::B32).then(|| constant(function, value))?.map(|bits| bits as u32)
}

fn pack(function: &mut Function) -> usize {
    let mut found = Vec::new();
    for id in function.blocks.iter().flat_map(|block| &block.insts) {
        let inst = &function.insts[id.index()];
        let (Op::BitInsert | Op::Or | Op::IAdd, [result]) = (inst.op, &inst.results[..]) else { continue };
        if let Some(made) = fields(function, *result, DEPTH).and_then(|list| packed(function, list)) {
            found.push((*id, made));
        }
    }
    let count = found.len();
    for (id, (norm, args)) in found {
        let inst = &mut function.insts[id.index()];
        (inst.op, inst.args) = (Op::PackNorm(norm), args);
    }
    count
}

/// The fields of a word, none of which overlap.
fn fields(function: &Function, value: Value, depth: u32) -> Option<Vec<Field>> {
    let whole = || vec![(0, 32, value)];
    let (Some(inst), Some(depth)) = (function.definition(value), depth.checked_sub(1)) else {
        return Some(whole());
    };
    let found = match (inst.op, &inst.args[..]) {
        (Op::BitInsert, &[base, inserted, first, count]) => {
            let (first, count) = (word(function, first)?, word(function, count)?);
            let mut list = Vec::new();
            for (from, bits, value) in fields(function, base, depth)? {
                if from + bits <= first || from >= first + count {
                    list.push((from, bits, value));
                } else if from < first {
                    // What is above is written over.
                    list.push((from, first - from, value));
                    if from + bits > first + count {
                        return None;
                    }
                } else if from + bits > first + count {
                    return None;
                }
            }
            list.push((first, count, inserted));
            list
        }
        (Op::And, &[a, b]) => {
            let (of, mask) = match (word(function, a), word(function, b)) {
                (None, Some(mask)) => (a, mask),
                (Some(mask), None) => (b, mask),
                _ => return Some(whole()),
            };
            match mask.trailing_ones() {
                bits if bits > 0 && mask.count_ones() == bits => vec![(0, bits, of)],
                _ => whole(),
            }
        }
        (Op::Shl, &[of, by]) => {
            let by = word(function, by).filter(|by| *by < 32)?;
            let list = fields(function, of, depth)?;
            let moved = list.into_iter().filter(|(from, ..)| from + by < 32);
            moved.map(|(from, bits, value)| (from + by, bits.min(32 - from - by), value)).collect()
        }
        (Op::Or | Op::IAdd, &[a, b]) => {
            let mut list = fields(function, a, depth)?;
            list.extend(fields(function, b, depth)?);
            list
        }
        _ => whole(),
    };
    Some(found)
}

/// What was packed, if all fields are floats of one kind.
fn packed(function: &Function, mut list: Vec<Field>) -> Option<(Norm, SmallVec<[Value; 3]>)> {
    list.sort_by_key(|(first, ..)| *first);
    NORMS.into_iter().find_map(|norm| {
        let bits = norm.bits();
        if list.len() != norm.fields() {
            return None;
        }
        let mut args: SmallVec<[Value; 3]> = SmallVec::new();
        for (n, (first, count, value)) in list.iter().enumerate() {
            // Without a sign nothing is above the field.
            let cut = *count == bits || first + count == 32 && *count >= bits;
            if *first != n as u32 * bits || !cut && norm.signed {
                return None;
            }
            args.push(float_of(function, *value, norm)?);
        }
        Some((norm, args))
    })
}

/// The float that was made an integer of a few bits.
fn float_of(function: &Function, value: Value, norm: Norm) -> Option<Value> {
    let inst = function.definition(value)?;
    let scaled = match (inst.op, &inst.args[..]) {
        (Op::FToU(Width::F32, Round::Nearest) | Op::FToS(Width::F32, Round::Nearest), &[a]) => a,
        (Op::FToU(Width::F32, _) | Op::FToS(Width::F32, _), &[a]) => {
            let inner = function.definition(a).filter(|inst| inst.op == Op::FRound(MODE, Round::Nearest))?;
            *inner.args.first()?
        }
        _ => return None,
    };
    let (a, b) = match function.definition(scaled).map(|inst| (inst.op, &inst.args[..])) {
        Some((MUL, &[a, b])) => (a, b),
        _ => return None,
    };
    let is_scale = |value: Value| word(function, value) == Some(norm.scale().to_bits());
    let within = match (is_scale(a), is_scale(b)) {
        (_, true) => a,
        (true, _) => b,
        _ => return None,
    };
    let inst = function.definition(within)?;
    let number = |value: Value| word(function, value).map(f32::from_bits);
    let low = if norm.signed { -1.0 } else { 0.0 };
    match (inst.op, &inst.args[..]) {
        (Op::FSaturate(MODE), &[a]) if !norm.signed => Some(a),
        (Op::Clamp, &[a, from, to]) => (number(from) == Some(low) && number(to) == Some(1.0)).then_some(a),
        _ => None,
    }
}

fn unpack(function: &mut Function) -> usize {
    // By word and kind: which instruction gives which field.
    let mut found: BTreeMap<(Value, Norm), Vec<(u8, InstId)>> = BTreeMap::new();
    for id in function.blocks.iter().flat_map(|block| &block.insts) {
        if let Some((of, norm, field)) = field_of(function, *id) {
            found.entry((of, norm)).or_default().push((field, *id));
        }
    }
    let mut count = 0;
    for ((of, norm), list) in found {
        let complete = (0..norm.fields()).all(|field| list.iter().any(|(own, _)| usize::from(*own) == field));
        if !complete {
            continue;
        }
        for (field, id) in list {
            let inst = &mut function.insts[id.index()];
            (inst.op, inst.args) = (Op::UnpackNorm(norm, field), smallvec![of]);
            count += 1;
        }
    }
    count
}

/// The word, and which of its fields an instruction makes a float of.
fn field_of(function: &Function, id: InstId) -> Option<(Value, Norm, u8)> {
    let inst = &function.insts[id.index()];
    let number = |value: Value| word(function, value).map(f32::from_bits);
    let product = match (inst.op, &inst.args[..]) {
        (Op::Clamp, &[a, from, to]) if number(from) == Some(-1.0) && number(to) == Some(1.0) => {
            function.definition(a).filter(|inst| inst.op == MUL)?
        }
        (MUL, _) => inst,
        _ => return None,
    };
    let signed = inst.op != MUL;
    let &[a, b] = &product.args[..] else { return None };
    let (converted, by) = match (number(a), number(b)) {
        (None, Some(by)) => (a, by),
        (Some(by), None) => (b, by),
        _ => return None,
    };
    let norm =
        NORMS.into_iter().find(|norm| norm.signed == signed && (by * norm.scale() - 1.0).abs() < 4e-7)?;
    let converted = function.definition(converted)?;
    let field = match (converted.op, signed) {
        (Op::UToF(MODE), false) | (Op::SToF(MODE), _) => *converted.args.first()?,
        _ => return None,
    };
    let (of, first) = bits_of(function, field, norm)?;
    (first % norm.bits() == 0).then_some((of, norm, (first / norm.bits()) as u8))
}

/// The word that a field of so many bits is taken out of, and its first bit.
fn bits_of(function: &Function, value: Value, norm: Norm) -> Option<(Value, u32)> {
    let bits = norm.bits();
    let inst = function.definition(value)?;
    let pair = |value: Value, op: Op| {
        let inst = function.definition(value).filter(|inst| inst.op == op)?;
        Some((*inst.args.first()?, word(function, *inst.args.get(1)?)?))
    };
    match (inst.op, &inst.args[..]) {
        (Op::UBitExtract, &[of, first, count]) if !norm.signed => {
            (word(function, count) == Some(bits)).then(|| Some((of, word(function, first)?)))?
        }
        (Op::SBitExtract, &[of, first, count]) if norm.signed => {
            (word(function, count) == Some(bits)).then(|| Some((of, word(function, first)?)))?
        }
        (Op::And, &[of, mask]) if !norm.signed && word(function, mask) == Some((1 << bits) - 1) => {
            Some(pair(of, Op::ShrU).filter(|(_, by)| *by < 32).unwrap_or((of, 0)))
        }
        (Op::ShrU, &[of, by]) if !norm.signed => {
            let by = word(function, by).filter(|by| *by == 32 - bits)?;
            Some((of, by))
        }
        (Op::ShrS, &[of, by]) if norm.signed && word(function, by) == Some(32 - bits) => {
            match pair(of, Op::Shl) {
                Some((of, left)) => Some((of, (32 - bits).checked_sub(left)?)),
                None => Some((of, 32 - bits)),
            }
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_near, outputs, program};
    use super::*;
    use crate::build::FunctionBuilder;

    fn run_on(write: impl FnOnce(&mut FunctionBuilder, &[Value]) -> Vec<Value>) -> (Module, Module, usize) {
        let mut before = program(|builder, x| write(builder, x));
        before.from_shading_language = true;
        let mut after = before.clone();
        let count = run(&mut after).count;
        assert!(crate::verify::check(&after).is_empty(), "{after}");
        (before, after, count)
    }

    /// `roundEven(clamp(x, low, 1) * scale)`.
    fn rounded(builder: &mut FunctionBuilder, x: Value, norm: Norm, scale: f32) -> Value {
        let [low, one, scale] =
            [if norm.signed { -1.0 } else { 0.0 }, 1.0, scale].map(|number| builder.float(number));
        let within = builder.value(Op::Clamp, &[x, low, one]);
        let scaled = builder.value(MUL, &[within, scale]);
        let op = if norm.signed { Op::FToS } else { Op::FToU };
        builder.value(op(Width::F32, Round::Nearest), &[scaled])
    }

    #[test]
    fn fields_are_packed_floats() {
        for norm in NORMS {
            let (before, after, count) = run_on(|builder, x| {
                let mut word = rounded(builder, x[0], norm, norm.scale());
                let mask = builder.bits((1 << norm.bits()) - 1);
                word = builder.value(Op::And, &[word, mask]);
                for (n, value) in x.iter().enumerate().take(norm.fields()).skip(1) {
                    let field = rounded(builder, *value, norm, norm.scale());
                    let [first, bits] = [n as u32 * norm.bits(), norm.bits()].map(|bits| builder.bits(bits));
                    word = builder.value(Op::BitInsert, &[word, field, first, bits]);
                }
                vec![word]
            });
            assert_eq!(count, 1, "{after}");
            for seed in 0..50_u32 {
                let inputs: Vec<u32> =
                    (0..6).map(|n| ((seed * 7 + n * 13) as f32 / 100.0 - 1.5).to_bits()).collect();
                assert_eq!(outputs(&before, &inputs), outputs(&after, &inputs), "{after}");
            }
        }
    }

    #[test]
    fn fields_are_unpacked_floats() {
        let (before, after, count) = run_on(|builder, x| {
            let by = builder.float(1.0 / 255.0);
            let mask = builder.bits(255);
            (0..4_u32)
                .map(|n| {
                    let first = builder.bits(8 * n);
                    let moved = builder.value(Op::ShrU, &[x[0], first]);
                    let field = builder.value(Op::And, &[moved, mask]);
                    let number = builder.value(Op::UToF(MODE), &[field]);
                    builder.value(MUL, &[number, by])
                })
                .collect()
        });
        assert_eq!(count, 4, "{after}");
        assert_near(&before, &after, 1);
    }

    #[test]
    fn other_words_stay() {
        // Another scale; a field too few.
        let norm = NORMS[0];
        let (_, after, count) = run_on(|builder, x| {
            let mut word = rounded(builder, x[0], norm, 127.0);
            for (n, value) in x.iter().enumerate().take(4).skip(1) {
                let field = rounded(builder, *value, norm, 255.0);
                let [first, bits] = [n as u32 * 8, 8].map(|bits| builder.bits(bits));
                word = builder.value(Op::BitInsert, &[word, field, first, bits]);
            }
            let (by, mask) = (builder.float(1.0 / 255.0), builder.bits(255));
            let field = builder.value(Op::And, &[x[5], mask]);
            let number = builder.value(Op::UToF(MODE), &[field]);
            vec![word, builder.value(MUL, &[number, by])]
        });
        assert_eq!(count, 0, "{after}");
    }
}
