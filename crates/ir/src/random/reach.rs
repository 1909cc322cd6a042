//! What reaches outside of the invocation, fields of bits, floats of 16 bits.

use super::{Dice, Kinds};
use crate::build::FunctionBuilder;
use crate::{
    Access, AtomicOp, Barrier, FloatMode, Image, ImageQuery, InputPlace, MinMax, Multiply, Op, Space,
    TextureShape, Value, Vote, Width,
};

/// Memory that invocations share: floats in shared memory and storage buffer 0, integers in buffer 1.
fn shared(dice: &mut Dice, integers: bool) -> Access {
    let (space, binding) = match integers {
        true => (Space::Storage, 1),
        false => (dice.pick(&[Space::Shared, Space::Storage]), 0),
    };
    Access { space, binding, offset: dice.below(8) as u32, stride: dice.below(3) as u32 }
}

/// Where a word of such memory is. A step of several words that leaves 32 bits is no address in source.
fn address(dice: &mut Dice, builder: &mut FunctionBuilder, kinds: &Kinds, access: Access) -> Vec<Value> {
    let index = kinds.integer(dice);
    match access.stride {
        0 => Vec::new(),
        1 => vec![index],
        _ => {
            let near = builder.bits(0x0FFF_FFFF);
            vec![builder.value(Op::And, &[index, near])]
        }
    }
}

/// Operands of an operation on an image.
fn image_args(dice: &mut Dice, kinds: &Kinds, image: Image) -> Vec<Value> {
    let floats = if image.query == ImageQuery::Store { image.values() } else { 0 };
    let integers = (0..image.operands() - floats).map(|_| kinds.integer(dice)).collect::<Vec<_>>();
    integers.into_iter().chain((0..floats).map(|_| kinds.float(dice))).collect()
}

/// Effects that reach outside of the invocation.
pub(super) fn reach(dice: &mut Dice, builder: &mut FunctionBuilder, kinds: &mut Kinds) {
    use AtomicOp::{Add, And, CompareExchange, Decrement, Exchange, Increment, SMax, SMin, UMax, UMin, Xor};
    match dice.below(8) {
        0 => {
            builder.effect(Op::Barrier(dice.pick(&[Barrier::Control, Barrier::Group, Barrier::Memory])), &[])
        }
        1 if dice.one_in(4) => builder.effect(Op::Demote, &[]),
        1 | 2 => {
            let op = dice.pick(&[
                Add,
                SMin,
                SMax,
                UMin,
                UMax,
                And,
                Xor,
                Exchange,
                CompareExchange,
                Increment,
                Decrement,
            ]);
            let access = shared(dice, true);
            let mut args = address(dice, builder, kinds, access);
            args.extend((0..op.operands()).map(|_| kinds.integer(dice)));
            kinds.integers.push(builder.value(Op::Atomic(op, access), &args));
        }
        3 => {
            let query = dice.pick(&[ImageQuery::Store, ImageQuery::Atomic(Add)]);
            let unit = if query == ImageQuery::Store { 1 } else { 2 };
            let image = Image { unit, indexed: false, shape: TextureShape::Plane, query };
            let args = image_args(dice, kinds, image);
            match query {
                ImageQuery::Store => builder.effect(Op::Image(image), &args),
                _ => kinds.integers.push(builder.value(Op::Image(image), &args)),
            }
        }
        choice => {
            let access = shared(dice, choice == 4);
            let mut args = address(dice, builder, kinds, access);
            args.push(if choice == 4 { kinds.integer(dice) } else { kinds.float(dice) });
            builder.effect(Op::Store(access), &args);
        }
    }
}

/// Operations on bits, floats of 16 bits, other lanes, memory, inputs at other places.
pub(super) fn wider(dice: &mut Dice, builder: &mut FunctionBuilder, kinds: &mut Kinds) {
    let half = FloatMode { width: Width::F16, flush: dice.one_in(4), ..FloatMode::F32 };
    let single = FloatMode { flush: dice.one_in(4), ..FloatMode::F32 };
    let (a, b) = (kinds.float(dice), kinds.float(dice));
    let (i, j, k) = (kinds.integer(dice), kinds.integer(dice), kinds.integer(dice));
    let p = kinds.flag(dice);
    match dice.below(10) {
        0 => {
            let op = dice.pick(&[Op::BitCount, Op::BitReverse, Op::UFindMsb, Op::SFindMsb, Op::FindLsb]);
            kinds.integers.push(builder.value(op, &[i]));
        }
        1 => {
            let op = dice.pick(&[Op::UBitExtract, Op::SBitExtract]);
            kinds.integers.push(builder.value(op, &[i, j, k]));
        }
        2 => {
            let inside = kinds.integer(dice);
            kinds.integers.push(builder.value(Op::BitInsert, &[i, inside, j, k]));
        }
        3 => {
            let [x, y] = [a, b].map(|value| builder.value(Op::FConvert(Width::F32, half), &[value]));
            let rule = Multiply::Ieee;
            let result = match dice.below(4) {
                0 => builder.value(Op::FAdd(half), &[x, y]),
                1 => builder.value(Op::FMul(half, rule), &[x, y]),
                2 => builder.value(Op::FFma(half, rule), &[x, y, x]),
                _ => builder.value(Op::FMax(half, MinMax::Number), &[x, y]),
            };
            kinds.floats.push(builder.value(Op::FConvert(Width::F16, single), &[result]));
        }
        4 => {
            let part = builder.value(dice.pick(&[Op::Low, Op::High]), &[i]);
            kinds.floats.push(builder.value(Op::FConvert(Width::F16, single), &[part]));
        }
        5 => {
            let vote = dice.pick(&[Vote::All, Vote::Any, Vote::Equal]);
            kinds.flags.push(builder.value(Op::Vote(vote), &[p]));
            kinds.integers.push(builder.value(Op::Ballot, &[p]));
        }
        6 => {
            kinds.floats.push(builder.value(Op::Shuffle, &[a, j]));
            kinds.integers.push(builder.value(Op::Shuffle, &[i, j]));
        }
        7 => {
            let image = Image {
                unit: 0,
                indexed: false,
                shape: TextureShape::Plane,
                query: dice.pick(&[ImageQuery::Load, ImageQuery::Size]),
            };
            let args = image_args(dice, kinds, image);
            let answer = builder.values(Op::Image(image), &args);
            match image.query {
                ImageQuery::Size => kinds.integers.extend(answer),
                _ => kinds.floats.extend(answer),
            }
        }
        8 => {
            let access = Access { space: Space::Input, binding: 0, offset: dice.below(12) as u32, stride: 0 };
            let value = match dice.below(3) {
                0 => builder.value(Op::Interpolate(InputPlace::Centroid, access), &[]),
                1 => builder.value(Op::Interpolate(InputPlace::Sample, access), &[i]),
                _ => builder.value(Op::Interpolate(InputPlace::Offset, access), &[a, b]),
            };
            kinds.floats.push(value);
        }
        _ => {
            let integers = dice.one_in(3);
            let access = shared(dice, integers);
            let args = address(dice, builder, kinds, access);
            let value = builder.value(Op::Load(access), &args);
            if integers {
                kinds.integers.push(value);
            } else {
                kinds.floats.push(value);
            }
        }
    }
}
