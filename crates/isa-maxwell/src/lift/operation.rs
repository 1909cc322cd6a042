//! From operations to the functions that write them.

use super::super::operation::{ConditionCode, Predicates};
use super::super::{Operation, Register};
use super::convert::{Between, Sign};
use super::half::Landing;
use super::integer::{Effective, Half, Multiplied, Sum};
use super::write::Writer;
use super::{condition, float};
use unshade_ir::{Barrier, Op};
use unshade_stage::StageKind;

/// Whether an operation changes anything that a program sees.
pub(super) fn does_something(operation: &Operation) -> bool {
    !matches!(operation, Operation::Nop | Operation::CacheControl | Operation::DependencyBarrier)
        && !is_state(operation)
}

/// Operations on the state of the machine that do not reach a program's values: `SAM`, `RAM`.
fn is_state(operation: &Operation) -> bool {
    use super::super::Form;
    matches!(operation, Operation::System(Form::Sam | Form::Ram))
}

/// Whether an operation writes a predicate.
pub(super) fn writes_predicate(operation: &Operation, number: u8) -> bool {
    use Operation as O;
    let one = |p: &u8| *p == number && number < 7;
    let two = |p: &Predicates| one(&p.result) || one(&p.opposite);
    match operation {
        O::FloatSetPredicate { p, .. }
        | O::DoubleSetPredicate { p, .. }
        | O::HalfSetPredicate { p, .. }
        | O::IntSetPredicate { p, .. }
        | O::VideoSetPredicate { p, .. }
        | O::PredicateSetPredicate { p, .. }
        | O::ConditionSetPredicate { p, .. } => two(p),
        O::FloatCheckDivide { p, .. }
        | O::LoadEffectiveAddress { p, .. }
        | O::LoadEffectiveAddressHigh { p, .. }
        | O::LogicTwo { p, .. }
        | O::LogicThree { p, .. }
        | O::Load { p, .. }
        | O::Atomic { p, .. }
        | O::CompareAndSwap { p, .. }
        | O::AttributeAddress { p, .. }
        | O::PixelLoad { p, .. }
        | O::ImageLoad { p, .. }
        | O::ImageAtomic { p, .. }
        | O::ImageCompareAndSwap { p, .. }
        | O::Vote { p, .. }
        | O::Shuffle { p, .. }
        | O::BarrierResult { p, .. } => one(p),
        O::Texture(texture) => one(&texture.resident),
        O::RegisterToPredicates { condition_code, .. } => !condition_code,
        _ => false,
    }
}

/// Writes an operation that does not change the flow.
#[allow(clippy::too_many_lines, reason = "one arm for each operation")]
pub(super) fn write(w: &mut Writer<'_>, operation: &Operation) {
    use Operation as O;
    if let Some(why) = super::super::operation::stops(operation) {
        return w.refuse(format!("{why}, at which the machine stops"));
    }
    match *operation {
        // ---- floats
        O::FloatAdd { d, a, b, flush, rounding, saturate } => {
            w.float_add(d, a, b, float::mode(flush, rounding), saturate);
        }
        O::FloatMultiply { d, a, b, scale, denormals, rounding, saturate } => {
            w.float_multiply(d, [a, b], scale, (denormals, rounding), saturate);
        }
        O::FloatFusedMultiplyAdd { d, a, b, c, denormals, rounding, saturate } => {
            w.float_multiply_add(d, [a, b, c], (denormals, rounding), saturate);
        }
        O::FloatMinMax { d, a, b, least, flush } => w.float_min_max(d, a, b, least, flush),
        O::FloatSelect { d, a, b, c, compare, flush } => w.float_select(d, [a, b, c], compare, flush),
        O::FloatSet { d, a, b, compare, combined, flush, truth } => {
            let holds = w.float_compare(compare, a, b, flush);
            let holds = w.combined(holds, combined);
            w.truth_result(d, holds, truth);
        }
        O::FloatSetPredicate { p, a, b, compare, combined, flush } => {
            let holds = w.float_compare(compare, a, b, flush);
            w.truth_predicates(p, holds, combined);
        }
        O::FloatCheckDivide { p, a, b } => w.check_divide(p, a, b),
        O::FloatSwizzleAdd { d, a, b, pattern, flush, rounding, .. } => {
            w.swizzle_add(d.register, [a, b], pattern, flush, rounding);
        }
        O::FloatFunction { d, function, a, saturate } => w.float_function(d, function, a, saturate),
        O::RangeReduce { d, a, .. } => {
            let value = w.float(a);
            w.set_register(d, value);
        }

        // ---- doubles
        O::DoubleAdd { d, a, b, rounding } => w.double_add(d, a, b, rounding),
        O::DoubleMultiply { d, a, b, rounding } => w.double_multiply(d, a, b, rounding),
        O::DoubleFusedMultiplyAdd { d, a, b, c, rounding } => {
            w.double_multiply_add(d, [a, b, c], rounding);
        }
        O::DoubleMinMax { d, a, b, least } => w.double_min_max(d, a, b, least),
        O::DoubleSet { d, a, b, compare, combined, truth } => {
            let holds = w.double_compare(compare, a, b);
            let holds = w.combined(holds, combined);
            w.truth_result(d, holds, truth);
        }
        O::DoubleSetPredicate { p, a, b, compare, combined } => {
            let holds = w.double_compare(compare, a, b);
            w.truth_predicates(p, holds, combined);
        }

        // ---- halves
        O::HalfAdd { d, a, b, output, flush, saturate } => {
            w.half_add([a, b], flush, Landing { d, output, saturate });
        }
        O::HalfMultiply { d, a, b, output, denormals, saturate } => {
            w.half_multiply([a, b], denormals, Landing { d, output, saturate });
        }
        O::HalfFusedMultiplyAdd { d, a, b, c, output, denormals, saturate } => {
            w.half_multiply_add([a, b, c], denormals, Landing { d, output, saturate });
        }
        O::HalfSet { d, a, b, compare, combined, flush, truth } => {
            w.half_set(d, [a, b], compare, combined, flush, truth);
        }
        O::HalfSetPredicate { p, a, b, compare, combined, flush, both } => {
            w.half_set_predicate(p, [a, b], compare, combined, flush, both);
        }

        // ---- integers
        O::IntAdd { d, a, b, carry, plus_one, saturate } => {
            w.int_add(d, a, b, Sum { carry, plus_one, saturate });
        }
        O::IntAdd3 { d, a, b, c, parts, shift, carry } => w.int_add3(d, [a, b, c], parts, shift, carry),
        O::IntMultiply { d, a, b, signed, high } => w.int_multiply(d, a, b, signed, high),
        O::IntMultiplyAdd { d, a, b, c, signed, high, carry, saturate, negate_product, plus_one } => w
            .int_multiply_add(Multiplied {
                d,
                a,
                b,
                c,
                signed,
                high,
                sum: Sum { carry, plus_one, saturate },
                negate_product,
            }),
        O::IntMultiplyAddParts { d, a, b, c } => w.multiply_add_parts(d, a, b, c),
        O::MultiplyAdd16 { d, a, b, b_word, c, addend, shift_product, merge, carry } => {
            w.multiply_add_16(Half { d, a, b, b_word, c, addend, shift_product, merge, carry });
        }
        O::ShiftAdd { d, a, b, shift, plus_one } => w.shift_add(d, a, b, shift, plus_one),
        O::LoadEffectiveAddress { d, p, a, b, shift, carry } => {
            w.effective_address(Effective { d, p, a, b, high: None, shift, carry });
        }
        O::LoadEffectiveAddressHigh { d, p, a, b, c, shift, carry } => {
            w.effective_address(Effective { d, p, a, b, high: Some(c), shift, carry });
        }
        O::IntMinMax { d, a, b, signed, least, extended: extended @ 1.. } => {
            let (a, b) = (w.source(a), w.source(b));
            w.int_min_max_wide(d, (a, b), signed, least, extended == 3);
        }
        O::IntMinMax { d, a, b, signed, least, .. } => {
            let (a, b) = (w.source(a), w.source(b));
            w.int_min_max(d, a, b, signed, least);
        }
        O::IntSelect { d, a, b, c, compare, signed } => {
            let [a, b, c] = [a, b, c].map(|source| w.source(source));
            let zero = w.bits(0);
            let holds = w.compare_int(compare, c, zero, signed);
            let value = w.select(holds, a, b);
            w.set_register(d, value);
        }
        O::IntSet { d, a, b, compare, signed, combined, extended, truth } => {
            let (a, b) = (w.source(a), w.source(b));
            let holds = match extended {
                true => w.compare_int_extended(compare, a, b, signed),
                false => w.compare_int(compare, a, b, signed),
            };
            let holds = w.combined(holds, combined);
            w.truth_result(d, holds, truth);
        }
        O::IntSetPredicate { p, a, b, compare, signed, combined, extended } => {
            let (a, b) = (w.source(a), w.source(b));
            let holds = match extended {
                true => w.compare_int_extended(compare, a, b, signed),
                false => w.compare_int(compare, a, b, signed),
            };
            w.truth_predicates(p, holds, combined);
        }

        // ---- bits
        O::LogicTwo { d, p, test, a, b, logic, carry } => w.logic_two((d, p, test), a, b, logic, carry),
        O::LogicThree { d, p, test, a, b, c, table, carry } => {
            w.logic_three((d, p, test), [a, b, c], table, carry);
        }
        O::ShiftLeft { carry: true, .. } => w.refuse("a shift to the left that goes on (.X)"),
        O::ShiftLeft { d, a, b, wrap, .. } => {
            let a = w.source(a);
            w.shift(d, Op::Shl, a, b, wrap);
        }
        O::ShiftRight { extended: 1.., .. } => w.refuse("a shift to the right that goes on (.X)"),
        O::ShiftRight { d, a, b, signed, wrap, reverse, .. } => {
            let a = w.source(a);
            let a = w.reversed(a, reverse);
            w.shift(d, if signed { Op::ShrS } else { Op::ShrU }, a, b, wrap);
        }
        O::FunnelShift { mode: 1.., .. } => w.refuse("a funnel shift in a mode (.HI, .X)"),
        O::FunnelShift { d, a, b, c, left, wrap, width, .. } => {
            w.funnel(d, [a, c], b, (left, wrap), width);
        }
        O::BitFieldExtract { d, a, b, signed, reverse } => w.extract(d, a, b, signed, reverse),
        O::BitFieldInsert { d, a, b, c } => w.insert(d, a, b, c),
        O::FindLeadingOne { d, a, signed, shift } => w.leading_one(d, a, signed, shift),
        O::PopulationCount { d, a } => {
            let a = w.logic(a);
            let value = w.value(Op::BitCount, &[a]);
            w.set_register(d, value);
        }
        O::Permute { d, a, b, c, mode } => w.permute(d, [a, b, c], mode),
        O::Select { d, a, b, p } => {
            let (a, b) = (w.source(a), w.source(b));
            let holds = w.predicate(p);
            let value = w.select(holds, a, b);
            w.set_register(d, value);
        }
        O::Move { d, a, mask } => w.moved_lanes(d, a, mask),

        // ---- video
        O::Video { d, video, a, b, c, merge, unsigned_result, saturate } => {
            w.video(d, video, (a, b, c), merge, unsigned_result, saturate);
        }
        O::VideoMultiplyAdd { d, a, b, c, negate_product, negate_c, plus_one, shift, saturate } => {
            w.video_multiply_add(d, (a, b, c), (negate_product, negate_c), plus_one, shift, saturate);
        }
        O::VideoSetPredicate { p, a, b, compare, combined } => {
            let signed = a.signed || b.signed;
            let (a, b) = (w.part_of(a), w.part_of(b));
            let holds = w.compare_int(compare, a, b, signed);
            w.truth_predicates(p, holds, combined);
        }
        O::VideoAbsoluteDifference4 { .. } => w.refuse("VABSDIFF4"),

        // ---- conversions
        O::FloatToFloat { d, a, from, to, negate, absolute, rounding, integral, flush, saturate } => {
            let how = Between { from, to, rounding, integral, flush, saturate };
            w.float_to_float(d, a, Sign { negate, absolute }, how);
        }
        O::FloatToInt { d, a, from, to, negate, absolute, rounding, flush } => {
            w.float_to_int(d, (a, from, Sign { negate, absolute }), to, rounding, flush);
        }
        O::IntToFloat { d, a, from, to, negate, absolute, rounding } => {
            w.int_to_float(d, (a, from, Sign { negate, absolute }), to, rounding);
        }
        O::IntToInt { d, a, from, to, negate, absolute, saturate } => {
            w.int_to_int(d, (a, from, Sign { negate, absolute }), to, saturate);
        }

        // ---- predicates and the condition code
        O::PredicateSet { d, a, b, op, combined, truth } => {
            let holds = w.two_predicates(a, b, op);
            let holds = w.combined(holds, combined);
            w.truth_result(d, holds, truth);
        }
        O::PredicateSetPredicate { p, a, b, op, combined } => {
            w.combined_predicates(p, [a, b], op, combined);
        }
        O::ConditionSet { d, condition, combined, truth } => {
            let holds = w.condition(condition);
            let holds = w.combined(holds, combined);
            w.truth_result(d, holds, truth);
        }
        O::ConditionSetPredicate { p, condition, combined } => {
            let holds = w.condition(condition);
            w.truth_predicates(p, holds, combined);
        }
        O::PredicatesToRegister { d, a, mask, byte, condition_code } => {
            w.predicates_to_register(d, a, mask, byte, condition_code);
        }
        O::RegisterToPredicates { a, mask, byte, condition_code } => {
            w.register_to_predicates(a, mask, byte, condition_code);
        }

        // ---- memory
        O::Load { d, memory, a, size, p } => {
            w.load_memory(d, memory, a, size);
            yes(w, p);
        }
        O::Store { memory, a, size, value } => w.store_memory(memory, a, size, value),
        O::LoadConstant { d, a, size } => w.load_constant(d, a, size),
        O::Atomic { d, memory, a, op, ty, b, p } => {
            w.atomic(d, memory, a, (op, ty), b);
            yes(w, p);
        }
        O::CompareAndSwap { d, memory, a, wide, compare, swap, p } => {
            w.compare_and_swap(d, memory, a, wide, [compare, swap]);
            yes(w, p);
        }
        O::Reduce { a, op, ty, b } => {
            w.atomic(Register::ZERO, super::super::operation::Memory::Global, a, (op, ty), b);
        }
        O::MemoryBarrier => w.builder.effect(Op::Barrier(Barrier::Memory), &[]),
        O::CacheControl | O::DependencyBarrier | O::Nop | O::RegisterToBarrier => {}

        // ---- attributes
        O::AttributeLoad { d, a, vertex, words } => w.attribute_load(d, a, vertex, words),
        O::AttributeStore { a, value, words, .. } => w.attribute_store(a, value, words),
        O::AttributeAddress { .. } => w.refuse("an attribute at a computed address"),
        O::Interpolate { d, a, mode, sample, b, offset, saturate } => {
            w.interpolate(d, a, (mode, sample), b, offset, saturate);
        }
        O::Out { d, a, stream, emit, cut } => {
            let number = match stream {
                super::super::operation::Source::Immediate(number) => number & 3,
                super::super::operation::Source::Register(register) if register.is_zero() => 0,
                _ => return w.refuse("a stream that is not fixed"),
            };
            if emit {
                w.builder.effect(Op::EmitVertex(number), &[]);
            }
            if cut {
                w.builder.effect(Op::EndPrimitive(number), &[]);
            }
            let mut handle = w.register(a);
            if emit {
                let one = w.bits(1);
                handle = w.value(Op::IAdd, &[handle, one]);
            }
            w.set_register(d, handle);
        }
        // Handles are the numbers of vertices.
        O::VertexHandle { d, a } => {
            let value = w.register(a);
            w.set_register(d, value);
        }
        O::PixelLoad { d, p, mode, .. } => w.pixel_load(d, p, mode),

        // ---- textures and images
        O::Texture(texture) => w.texture(&texture),
        O::TextureQuery { d, a, handle, query, mask } => w.texture_query(d, a, handle, query, mask),
        O::ImageLoad { d, image, data, p } => w.image_load(d, &image, data, p),
        O::ImageStore { image, data, value } => w.image_store(&image, data, value),
        O::ImageAtomic { d, image, op, ty, b, p } => {
            w.image_atomic(d, &image, (op, ty), b);
            yes(w, p);
        }
        O::ImageCompareAndSwap { d, image, compare, p, .. } => {
            w.image_compare_and_swap(d, &image, compare);
            yes(w, p);
        }

        // ---- other lanes
        O::Vote { d, p, a, vote } => w.vote(d, p, a, vote),
        O::Shuffle { d, p, a, b, c, shuffle } => w.shuffle(d, p, a, (b, c), shuffle),
        O::Barrier { barrier, .. } => w.barrier(barrier),
        O::BarrierResult { .. } => w.refuse("the result of a barrier"),

        // ---- the end of a pixel
        O::Kill { condition } => kill(w, condition),
        O::SpecialRegister { d, register, wide } => w.special_register(d, register, wide),
        O::System(form) => w.refuse(form.name()),
        O::Branch { .. } | O::Call { .. } | O::Push { .. } | O::Pop { .. } => {}
    }
}

/// Everything was there.
fn yes(w: &mut Writer<'_>, p: u8) {
    if p < 7 {
        let yes = w.truth(true);
        w.set_predicate(p, yes);
    }
}

/// The pixel will not be written; the invocation goes on for its quad.
fn kill(w: &mut Writer<'_>, condition: ConditionCode) {
    if w.kind != StageKind::Fragment {
        return;
    }
    match condition::holds(w, condition) {
        None => w.builder.effect(Op::Demote, &[]),
        Some(holds) => {
            let [inside, on] = [w.builder.block(), w.builder.block()];
            w.builder.branch(holds, inside, on);
            w.builder.switch_to(inside);
            w.builder.effect(Op::Demote, &[]);
            w.builder.jump(on, &[]);
            w.builder.switch_to(on);
        }
    }
}
