//! Where samples lie: deko3d tells it in a table among its constants, which the languages have a name for.
//!
//! A word of the table is found by the number of the sample and by column and row of the pixel. Below it holds the
//! distance from the centre of the pixel, which inputs are interpolated at, and above that the place in the pixel.

use super::super::super::address_map::{
    ATTRIBUTE_BINDING, DRIVER_BANK, OTHER_BANKS, SAMPLE_ID, SAMPLE_POSITION, SAMPLE_TABLE, SPECIAL_BINDING,
};
use super::Editor;
use unshade_ir::{Access, FloatMode, InputPlace, Inst, InstId, Multiply, Op, Round, Space, Value, Width};

/// Steps of an offset from the centre: 12 bits behind the point.
const OFFSET_STEP: f32 = 1.0 / 4096.0;
/// Steps of a place in the pixel.
const PLACE_STEP: f32 = 1.0 / 16.0;

/// Two operands of an operation.
fn two(editor: &Editor<'_>, value: Value, op: Op) -> Option<(Value, Value)> {
    let inst = editor.definition(value)?;
    match inst.args[..] {
        [a, b] if inst.op == op => Some((a, b)),
        _ => None,
    }
}

/// A value and a constant, in either order.
fn and_constant(editor: &Editor<'_>, value: Value, op: Op) -> Option<(Value, u32)> {
    let (a, b) = two(editor, value, op)?;
    match (editor.constant(a), editor.constant(b)) {
        (_, Some(bits)) => Some((a, bits)),
        (Some(bits), _) => Some((b, bits)),
        _ => None,
    }
}

/// Bits of a word at a fixed place.
fn field(editor: &Editor<'_>, value: Value, op: Op) -> Option<(Value, u32, u32)> {
    let inst = editor.definition(value)?;
    match inst.args[..] {
        [word, first, count] if inst.op == op => {
            Some((word, editor.constant(first)?, editor.constant(count)?))
        }
        _ => None,
    }
}

/// What stands at `first`, `count` bits long, in a word, and the word that it was put into.
fn inserted(editor: &Editor<'_>, value: Value, first: u32, count: u32) -> Option<(Value, Value)> {
    let inst = editor.definition(value)?;
    match inst.args[..] {
        [base, field, at, len]
            if inst.op == Op::BitInsert
                && (editor.constant(at)?, editor.constant(len)?) == (first, count) =>
        {
            Some((base, field))
        }
        _ => None,
    }
}

/// Whether a value is the column (0) or row (1) of the pixel.
fn is_pixel(editor: &Editor<'_>, value: Value, axis: u32) -> bool {
    let own = Access { space: Space::Input, binding: ATTRIBUTE_BINDING, offset: 0x1C + axis, stride: 0 };
    let Some(inst) = editor.definition(value) else { return false };
    matches!((inst.op, &inst.args[..]), (Op::FToU(Width::F32, Round::Zero), &[place])
        if editor.definition(place).is_some_and(|inst| inst.op == Op::Load(own)))
}

/// The number of the sample whose word of the table a value is: a constant or a value.
fn sample_of(editor: &Editor<'_>, word: Value) -> Option<Result<u32, Value>> {
    let inst = editor.definition(word)?;
    let Op::Load(Access { space: Space::Uniform, binding, offset, stride: 1 }) = inst.op else { return None };
    if binding != OTHER_BANKS + u32::from(DRIVER_BANK) {
        return None;
    }
    let index = *inst.args.first()?;
    let bytes = match field(editor, index, Op::UBitExtract) {
        Some((bytes, 2, 14)) => bytes,
        _ => {
            let shifted = [Op::ShrU, Op::ShrS].into_iter().find_map(|op| two(editor, index, op));
            let (bytes, by) = shifted?;
            if editor.constant(by)? != 2 {
                return None;
            }
            match and_constant(editor, bytes, Op::And) {
                Some((bytes, mask)) if mask | 0xF == 0xFFFF => bytes,
                _ => bytes,
            }
        }
    };
    let (place, more) = and_constant(editor, bytes, Op::IAdd)?;
    if more.wrapping_add(offset.wrapping_mul(4)) != 4 * SAMPLE_TABLE.start {
        return None;
    }
    let (place, row) = inserted(editor, place, 6, 2)?;
    let (place, column) = inserted(editor, place, 5, 1)?;
    if !is_pixel(editor, column, 0) || !is_pixel(editor, row, 1) {
        return None;
    }
    if let Some(bytes) = editor.constant(place) {
        return (bytes % 4 == 0 && bytes < 0x20).then_some(Ok(bytes / 4));
    }
    let (base, number) = inserted(editor, place, 2, 3)?;
    (editor.constant(base)? & !0x1C == 0).then_some(Err(number))
}

/// The sample at whose distance from the centre an offset along an axis is.
fn offset_of(editor: &Editor<'_>, offset: Value, axis: u32) -> Option<Value> {
    let inst = editor.definition(offset)?;
    let (Op::FMul(..), &[a, b]) = (inst.op, &inst.args[..]) else { return None };
    let number = match (editor.constant(a), editor.constant(b)) {
        (_, Some(bits)) if bits == OFFSET_STEP.to_bits() => a,
        (Some(bits), _) if bits == OFFSET_STEP.to_bits() => b,
        _ => return None,
    };
    let inst = editor.definition(number)?;
    let (Op::SToF(_), &[number]) = (inst.op, &inst.args[..]) else { return None };
    match field(editor, number, Op::SBitExtract)? {
        (word, first, 12) if first == 16 * axis => Some(word),
        _ => None,
    }
}

/// The axis along which a value is the place of the pixel's own sample, in sixteenths.
fn place_of(editor: &Editor<'_>, value: Value) -> Option<u32> {
    let inst = editor.definition(value)?;
    let (Op::UToF(_) | Op::SToF(_), &[number]) = (inst.op, &inst.args[..]) else { return None };
    // Those that are highest may be a shift.
    let (word, first, count) = field(editor, number, Op::UBitExtract).or_else(|| {
        let (word, by) = two(editor, number, Op::ShrU)?;
        let by = editor.constant(by).filter(|by| *by < 32)?;
        Some((word, by, 32 - by))
    })?;
    let axis = match (first, count) {
        (12, 4) => 0,
        (28, 4) => 1,
        _ => return None,
    };
    let Err(number) = sample_of(editor, word)? else { return None };
    let own = Access { space: Space::Input, binding: SPECIAL_BINDING, offset: SAMPLE_ID, stride: 0 };
    (editor.definition(number)?.op == Op::Load(own)).then_some(axis)
}

/// Names a sample that the table is asked for: where an input is interpolated, and where the pixel's own lies.
pub(super) fn place(editor: &mut Editor<'_>, id: InstId, inst: &Inst) {
    match (inst.op, &inst.args[..]) {
        (Op::Interpolate(InputPlace::Offset, access), &[x, y]) => {
            let words = (offset_of(editor, x, 0), offset_of(editor, y, 1));
            let (Some(word), Some(other)) = words else { return };
            let Some(sample) = (word == other).then(|| sample_of(editor, word)).flatten() else { return };
            let sample = match sample {
                Ok(number) => editor.bits(number),
                Err(number) => number,
            };
            if let Some(inst) = editor.function.insts.get_mut(id.index()) {
                inst.op = Op::Interpolate(InputPlace::Sample, access);
                inst.args = std::iter::once(sample).collect();
            }
        }
        (Op::FMul(..) | Op::FFma(..), &[a, b, ..]) => {
            let is_step = |value: Value| editor.constant(value) == Some(PLACE_STEP.to_bits());
            let found = [(a, b), (b, a)]
                .into_iter()
                .find_map(|(number, step)| is_step(step).then(|| place_of(editor, number)).flatten());
            let Some(axis) = found else { return };
            let own = Access {
                space: Space::Input,
                binding: SPECIAL_BINDING,
                offset: SAMPLE_POSITION + axis,
                stride: 0,
            };
            let position = editor.value(Op::Load(own), &[]);
            let one = editor.bits(1.0_f32.to_bits());
            let Some(inst) = editor.function.insts.get_mut(id.index()) else { return };
            // Sixteenths are exact, so that the product is the place itself.
            match (inst.op, &inst.args[..]) {
                (Op::FFma(mode, _), &[_, _, c]) => {
                    inst.op = Op::FAdd(mode);
                    inst.args = [position, c].into_iter().collect();
                }
                _ => {
                    inst.op = Op::FMul(FloatMode::F32, Multiply::Ieee);
                    inst.args = [position, one].into_iter().collect();
                }
            }
        }
        _ => {}
    }
}
