//! Differences in a quad: `SHFL.BFLY t, x, 1; FSWZADD d, t, x, PNNPPNNP` is how `x` grows to the right.

use super::super::super::spaces::SPECIAL_BINDING;
use super::Editor;
use unshade_ir::{Access, Axis, CompareInt, FloatMode, Inst, InstId, Op, QuadSide, Space, Value};

/// The axis along which a condition tells the first pixel of the quad: `lane & 1 == 0`, `lane & 2 == 0`.
fn first_along(editor: &Editor<'_>, condition: Value) -> Option<Axis> {
    let test = editor.definition(condition)?;
    let (Op::ICompare(CompareInt::Eq), &[a, b]) = (test.op, &test.args[..]) else { return None };
    let masked = match (editor.constant(a), editor.constant(b)) {
        (_, Some(0)) => a,
        (Some(0), _) => b,
        _ => return None,
    };
    let inst = editor.definition(masked)?;
    let (Op::And, &[a, b]) = (inst.op, &inst.args[..]) else { return None };
    let (lane, bit) = match (editor.constant(a), editor.constant(b)) {
        (_, Some(bit)) => (a, bit),
        (Some(bit), _) => (b, bit),
        _ => return None,
    };
    let lane = editor.definition(lane)?;
    let own = Access { space: Space::Input, binding: SPECIAL_BINDING, offset: 0, stride: 0 };
    match bit {
        _ if lane.op != Op::Load(own) => None,
        1 => Some(Axis::X),
        2 => Some(Axis::Y),
        _ => None,
    }
}

/// What the other pixel along an axis is asked for.
fn other(editor: &Editor<'_>, value: Value, axis: Axis) -> Option<Value> {
    let inst = editor.definition(value)?;
    let (Op::Select, &[condition, near, far]) = (inst.op, &inst.args[..]) else { return None };
    if first_along(editor, condition)? != axis {
        return None;
    }
    let (forward, backward) = match axis {
        Axis::X => (QuadSide::Right, QuadSide::Left),
        Axis::Y => (QuadSide::Upper, QuadSide::Lower),
    };
    let read = |value: Value, side: QuadSide| {
        let inst = editor.definition(value)?;
        (inst.op == Op::QuadRead(side)).then(|| inst.args.first().copied()).flatten()
    };
    let (a, b) = (read(near, forward)?, read(far, backward)?);
    (a == b).then_some(a)
}

/// `plus - minus` as a sum with a negative.
fn difference(editor: &Editor<'_>, value: Value) -> Option<(Value, Value, FloatMode)> {
    let inst = editor.definition(value)?;
    let (Op::FAdd(mode), &[a, b]) = (inst.op, &inst.args[..]) else { return None };
    let negated = |value: Value| {
        let inst = editor.definition(value)?;
        matches!(inst.op, Op::FNeg(_)).then(|| inst.args.first().copied()).flatten()
    };
    match (negated(a), negated(b)) {
        (None, Some(minus)) => Some((a, minus, mode)),
        (Some(minus), None) => Some((b, minus, mode)),
        _ => None,
    }
}

/// Replaces the choice between the two differences of a pixel and the one beside it.
pub(super) fn derivative(editor: &mut Editor<'_>, id: InstId, inst: &Inst) {
    let found = (|| {
        let &[condition, near, far] = &inst.args[..] else { return None };
        let axis = first_along(editor, condition)?;
        let (near_plus, near_minus, mode) = difference(editor, near)?;
        let (far_plus, far_minus, _) = difference(editor, far)?;
        // The first pixel has the other's value less its own, the second its own less the other's.
        let value = other(editor, near_plus, axis)?;
        let same = far_minus == near_plus && near_minus == value && far_plus == value;
        same.then_some((axis, value, mode))
    })();
    let Some((axis, value, mode)) = found else { return };
    if let Some(inst) = editor.function.insts.get_mut(id.index()) {
        inst.op = Op::Derivative(axis, mode);
        inst.args = std::iter::once(value).collect();
    }
}
