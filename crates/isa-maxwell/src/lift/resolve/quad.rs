//! Differences in a quad: `SHFL.BFLY t, x, 1; FSWZADD d, t, x, PNNPPNNP` is how `x` grows to the right.

use super::super::super::address_map::SPECIAL_BINDING;
use super::{Editor, rewrite};
use std::collections::BTreeMap;
use unshade_ir::{Access, Axis, CompareInt, FloatMode, Inst, InstId, Module, Op, QuadSide, Space, Value};

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
    is_same(editor, a, b, false).then_some(a)
}

/// What is added, and what is subtracted: the value, or a constant that is its negative.
#[derive(Clone, Copy)]
struct Difference {
    plus: Value,
    minus: Value,
    /// `minus` is the negative already.
    negative: bool,
    mode: FloatMode,
}

/// `plus - minus` as a sum with a negative.
fn difference(editor: &Editor<'_>, value: Value) -> Option<Difference> {
    let inst = editor.definition(value)?;
    let (Op::FAdd(mode), &[a, b]) = (inst.op, &inst.args[..]) else { return None };
    let negated = |value: Value| {
        let inst = editor.definition(value)?;
        matches!(inst.op, Op::FNeg(_)).then(|| inst.args.first().copied()).flatten()
    };
    let of = |plus, minus, negative| Some(Difference { plus, minus, negative, mode });
    match (negated(a), negated(b)) {
        (None, Some(minus)) => of(a, minus, false),
        (Some(minus), None) => of(b, minus, false),
        _ => match (editor.constant(a), editor.constant(b)) {
            (None, Some(_)) => of(a, b, true),
            (Some(_), None) => of(b, a, true),
            _ => None,
        },
    }
}

/// Whether a value is another, or the same number.
fn is_same(editor: &Editor<'_>, a: Value, b: Value, negated: bool) -> bool {
    let flip = if negated { 1 << 31 } else { 0 };
    !negated && a == b || editor.constant(a).zip(editor.constant(b)).is_some_and(|(a, b)| a == b ^ flip)
}

/// Whether pixels of a quad are asked for something.
pub(super) fn asks(module: &Module) -> bool {
    let mut all = module.functions.iter().flat_map(|function| &function.insts);
    all.any(|inst| matches!(inst.op, Op::QuadRead(_)))
}

/// A binding of outputs that no program has.
const PROBE: u32 = u32::MAX;

/// For each question to another pixel of the quad, by function and value, whether the program itself holds what is asked for, as it
/// stands or as passes show it. They work on a copy in which every question is kept apart by a store of what it asks for.
fn held(module: &Module) -> BTreeMap<(usize, Value), bool> {
    let mut probed = module.clone();
    let mut questions = Vec::new();
    for (at, function) in probed.functions.iter_mut().enumerate() {
        for block in 0..function.blocks.len() {
            let listed = std::mem::take(&mut function.blocks[block].insts);
            let mut insts = Vec::with_capacity(listed.len());
            for id in listed {
                insts.push(id);
                let Some(Inst { op: Op::QuadRead(_), args, results, origin }) =
                    function.insts.get(id.index())
                else {
                    continue;
                };
                let (Some(asked), Some(result), origin) = (args.first(), results.first(), *origin) else {
                    continue;
                };
                let offset = questions.len() as u32;
                questions.push((at, *result));
                let place = Access { space: Space::Output, binding: PROBE, offset, stride: 0 };
                insts.push(function.push_inst(Op::Store(place), &[*asked], &[], origin));
            }
            function.blocks[block].insts = insts;
        }
    }
    super::tidy(&mut probed, &["values", "bits", "values", "product", "bits", "values"]);
    let mut found = BTreeMap::new();
    for function in &probed.functions {
        let constant = |value: Value| match function.definition(value)?.op {
            Op::B32(bits) => Some(bits),
            _ => None,
        };
        for inst in
            function.blocks.iter().flat_map(|block| &block.insts).map(|id| &function.insts[id.index()])
        {
            if let Op::Store(Access { space: Space::Output, binding: PROBE, offset, .. }) = inst.op
                && let Some(question) = questions.get(offset as usize)
            {
                let bits = inst.args.last().and_then(|value| constant(*value));
                found.insert(*question, bits.is_some_and(|bits| f32::from_bits(bits).is_finite()));
            }
        }
    }
    found
}

/// What other pixels of the quad are asked for that the program itself holds, all of them have. Notes the instructions
/// that ask so each time.
pub(super) fn shared(module: &mut Module) -> usize {
    let held = held(module);
    let mut asked: BTreeMap<u32, bool> = BTreeMap::new();
    for (at, function) in module.functions.iter().enumerate() {
        for id in function.blocks.iter().flat_map(|block| &block.insts) {
            let Some(inst) = function.insts.get(id.index()) else { continue };
            let (Op::QuadRead(_), Some(result)) = (inst.op, inst.results.first()) else { continue };
            let is_held = held.get(&(at, *result)).copied().unwrap_or(false);
            *asked.entry(inst.origin.instruction).or_insert(true) &= is_held;
        }
    }
    asked.retain(|_, held| *held);
    let count = rewrite(module, |_, _, inst| match inst.op {
        Op::QuadRead(_) if asked.contains_key(&inst.origin.instruction) => inst.args.first().copied(),
        _ => None,
    });
    module.shared_by_quad.extend(asked.into_keys());
    count
}

/// Replaces the choice between the two values of a quad's lanes that no derivative is made of: another lane's value, by its
/// number.
pub(super) fn other_lane(editor: &mut Editor<'_>, _: InstId, inst: &Inst) -> Option<Value> {
    let (Op::Select, &[condition, near, far]) = (inst.op, &inst.args[..]) else { return None };
    let axis = first_along(editor, condition)?;
    let (forward, backward, by) = match axis {
        Axis::X => (QuadSide::Right, QuadSide::Left, 1),
        Axis::Y => (QuadSide::Upper, QuadSide::Lower, 2),
    };
    let read = |value: Value, side: QuadSide| {
        let inst = editor.definition(value)?;
        (inst.op == Op::QuadRead(side)).then(|| inst.args.first().copied()).flatten()
    };
    let (a, b) = (read(near, forward)?, read(far, backward)?);
    if !is_same(editor, a, b, false) {
        return None;
    }
    let own = Access { space: Space::Input, binding: SPECIAL_BINDING, offset: 0, stride: 0 };
    let lane = editor.value(Op::Load(own), &[]);
    let by = editor.bits(by);
    let from = editor.value(Op::Xor, &[lane, by]);
    Some(editor.value(Op::Shuffle, &[a, from]))
}

/// Replaces the choice between the two differences of a pixel and the one beside it.
pub(super) fn derivative(editor: &mut Editor<'_>, id: InstId, inst: &Inst) {
    let found = (|| {
        let &[condition, near, far] = &inst.args[..] else { return None };
        let axis = first_along(editor, condition)?;
        let (near, far) = (difference(editor, near)?, difference(editor, far)?);
        // The first pixel has the other's value less its own, the second its own less the other's.
        let value = other(editor, near.plus, axis)?;
        let same = !far.negative
            && far.minus == near.plus
            && is_same(editor, near.minus, value, near.negative)
            && is_same(editor, far.plus, value, false);
        same.then_some((axis, value, near.mode))
    })();
    let Some((axis, value, mode)) = found else { return };
    if let Some(inst) = editor.function.insts.get_mut(id.index()) {
        inst.op = Op::Derivative(axis, mode);
        inst.args = std::iter::once(value).collect();
    }
}
