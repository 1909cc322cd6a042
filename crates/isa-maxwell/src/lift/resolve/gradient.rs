//! Gradients that a compiler made by moving the lanes of a quad.
//!
//! The machine has no fetch with gradients for volumes, cubes and comparisons. nouveau's compiler has all four lanes of
//! the quad fetch for one of them after the other: each lane takes the coordinates of the one that is served, moved by
//! its gradient to the right, upwards or both, so that the differences between the lanes are the gradients. The answer
//! goes back to the lane that is served. This follows values lane by lane and makes one fetch with gradients of it,
//! if that is what each of the four lanes gets.

use super::super::super::address_map::SPECIAL_BINDING;
use super::{Editor, direction};
use std::cell::{Cell, RefCell};
use unshade_ir::{
    Access, CompareInt, FloatMode, Inst, InstId, Module, Op, QuadSide, Space, Texture, TextureLevel,
    TextureQuery, Value,
};

/// Values that are followed.
const DEPTH: u32 = 24;

/// A number: whether the number of the quad's first lane is part of it, and the rest.
type Number = (bool, u32);

/// A value in a lane of the quad.
type Leaf = (Value, u32);

/// Numbers that lanes are told by.
struct Lanes<'e, 'f> {
    editor: &'e Editor<'f>,
}

impl Lanes<'_, '_> {
    fn two(&self, inst: &Inst) -> Option<(Value, Value)> {
        let _ = self;
        match inst.args[..] {
            [a, b] => Some((a, b)),
            _ => None,
        }
    }

    /// What a value is in a lane, if that follows from the lane's number alone. The first lane of a quad is a multiple
    /// of four below 32.
    fn number(&self, value: Value, lane: u32, depth: u32) -> Option<Number> {
        let depth = depth.checked_sub(1)?;
        let inst = self.editor.definition(value)?;
        let own = Access { space: Space::Input, binding: SPECIAL_BINDING, offset: 0, stride: 0 };
        match inst.op {
            Op::B32(bits) => return Some((false, bits)),
            Op::Load(access) if access == own => return Some((true, lane)),
            Op::Select => {
                let &[condition, a, b] = &inst.args[..] else { return None };
                let chosen = if self.truth(condition, lane, depth)? { a } else { b };
                return self.number(chosen, lane, depth);
            }
            _ => {}
        }
        if let (Op::UBitExtract, &[a, first, count]) = (inst.op, &inst.args[..]) {
            let first = self.editor.constant(first)?;
            let count = self.editor.constant(count)?;
            return match (self.number(a, lane, depth)?, first, count) {
                ((_, rest), 0, 0..=2) => Some((false, rest & ((1 << count) - 1))),
                ((false, bits), 0..=31, 0..=31) => Some((false, bits >> first & ((1 << count) - 1))),
                _ => None,
            };
        }
        let (a, b) = self.two(inst)?;
        let (a, b) = (self.number(a, lane, depth)?, self.number(b, lane, depth)?);
        let small = |number: Number| (!number.0 && number.1 < 4).then_some(number.1);
        let ((quad, rest), (other, bits)) = if a.0 { (a, b) } else { (b, a) };
        match (inst.op, quad, other) {
            (_, false, false) => {
                let (a, b) = (a.1, b.1);
                let bits = match inst.op {
                    Op::And => a & b,
                    Op::Or => a | b,
                    Op::Xor => a ^ b,
                    Op::IAdd => a.wrapping_add(b),
                    Op::ISub => a.wrapping_sub(b),
                    Op::Shl => a.checked_shl(b).unwrap_or(0),
                    Op::ShrU => a.checked_shr(b).unwrap_or(0),
                    _ => return None,
                };
                Some((false, bits))
            }
            (Op::And, true, false) if bits & 0x1C == 0x1C => Some((true, rest & bits)),
            (Op::And, true, false) if bits & 0x1C == 0 => Some((false, rest & bits & 3)),
            (Op::Or, true, false) => Some((true, rest | small((false, bits))?)),
            (Op::Xor, true, false) => Some((true, rest ^ small((false, bits))?)),
            (Op::IAdd, true, false) => {
                let sum = rest + small((false, bits))?;
                (sum < 4).then_some((true, sum))
            }
            _ => None,
        }
    }

    /// Whether a condition holds in a lane, if that follows from the lane's number alone.
    fn truth(&self, value: Value, lane: u32, depth: u32) -> Option<bool> {
        let depth = depth.checked_sub(1)?;
        let inst = self.editor.definition(value)?;
        match inst.op {
            Op::Bool(truth) => Some(truth),
            Op::Not => Some(!self.truth(*inst.args.first()?, lane, depth)?),
            Op::ICompare(by) => {
                let (a, b) = self.two(inst)?;
                let (a, b) = (self.number(a, lane, depth)?, self.number(b, lane, depth)?);
                if a.0 != b.0 {
                    return None;
                }
                let (a, b) = (a.1, b.1);
                Some(match by {
                    CompareInt::Eq => a == b,
                    CompareInt::Ne => a != b,
                    CompareInt::Slt => (a as i32) < b as i32,
                    CompareInt::Sle => a as i32 <= b as i32,
                    CompareInt::Ult => a < b,
                    CompareInt::Ule => a <= b,
                })
            }
            _ => None,
        }
    }

    /// One step from a value in a lane to where it comes from: what a choice by the lane's number chooses, or what
    /// another lane of the quad has.
    fn step(&self, (value, lane): Leaf) -> Option<(Leaf, bool)> {
        let inst = self.editor.definition(value)?;
        match (inst.op, &inst.args[..]) {
            (Op::Select, &[condition, a, b]) => {
                let chosen = if self.truth(condition, lane, DEPTH)? { a } else { b };
                Some(((chosen, lane), false))
            }
            (Op::Shuffle, &[value, from]) => match self.number(from, lane, DEPTH)? {
                (true, from @ 0..=3) => Some(((value, from), true)),
                _ => None,
            },
            (Op::QuadRead(side), &[value]) => {
                let lane = match side {
                    QuadSide::Left => lane & !1,
                    QuadSide::Right => lane | 1,
                    QuadSide::Lower => lane & !2,
                    QuadSide::Upper => lane | 2,
                };
                Some(((value, lane), true))
            }
            _ => None,
        }
    }

    /// Where an answer comes from.
    fn source(&self, mut leaf: Leaf) -> Leaf {
        for _ in 0..DEPTH {
            match self.step(leaf) {
                Some((next, _)) => leaf = next,
                None => break,
            }
        }
        leaf
    }

    /// Terms of a sum, each in the lane whose own it is. What another lane hands over is a term as it is.
    fn terms(&self, mut leaf: Leaf, terms: &mut Vec<Leaf>, depth: u32) -> Option<()> {
        let depth = depth.checked_sub(1)?;
        for _ in 0..DEPTH {
            match self.step(leaf) {
                Some((next, true)) => {
                    terms.push(next);
                    return Some(());
                }
                Some((next, false)) => leaf = next,
                None => break,
            }
        }
        let inst = self.editor.definition(leaf.0)?;
        if let (Op::FAdd(_), &[a, b]) = (inst.op, &inst.args[..]) {
            self.terms((a, leaf.1), terms, depth)?;
            return self.terms((b, leaf.1), terms, depth);
        }
        terms.push(leaf);
        Some(())
    }
}

/// A layer or a reference.
#[derive(Debug, PartialEq, Clone, Copy)]
enum Beside {
    Value(Value),
    Bits(u32),
    /// The lower 16 bits of a value as a float.
    Layer(Value),
}

/// Bits of a layer.
const LAYER: u32 = 0xFFFF;

/// What stands beside the coordinates, as `lane` has it where `asker` asks for it, and whether the asker has its own.
fn beside(
    lanes: &Lanes<'_, '_>,
    operand: Value,
    asker: u32,
    lane: u32,
    is_layer: bool,
) -> Option<(Beside, bool)> {
    let editor = lanes.editor;
    let own = |value: Value, asker: u32| {
        let (value, from) = lanes.source((value, asker));
        (from == lane || from == asker).then_some((value, from))
    };
    let (value, from) = own(operand, asker)?;
    if let Some(bits) = editor.constant(value) {
        return Some((Beside::Bits(bits), false));
    }
    let number = editor.definition(value).filter(|inst| is_layer && matches!(inst.op, Op::UToF(_)));
    let Some(number) = number.and_then(|inst| inst.args.first()).copied() else {
        return Some((Beside::Value(value), from != lane));
    };
    // Where a number is small anyway its mask is gone, but what another lane hands over is not known to be.
    let masked = editor.definition(number).and_then(|inst| match (inst.op, &inst.args[..]) {
        (Op::And, &[number, mask]) if editor.constant(mask) == Some(LAYER) => Some(number),
        _ => None,
    });
    let (number, from) = own(masked.unwrap_or(number), from)?;
    Some(match editor.constant(number) {
        Some(bits) => (Beside::Bits(((bits & LAYER) as f32).to_bits()), false),
        None => (Beside::Layer(number), from != lane),
    })
}

impl Beside {
    fn value(self, editor: &mut Editor<'_>) -> Value {
        match self {
            Self::Value(value) => value,
            Self::Bits(bits) => editor.bits(bits),
            Self::Layer(number) => {
                let mask = editor.bits(LAYER);
                let number = editor.value(Op::And, &[number, mask]);
                editor.value(Op::UToF(FloatMode::F32), &[number])
            }
        }
    }
}

/// A fetch with gradients: what is asked, and its operands; a gradient of none is zero.
#[derive(PartialEq, Clone)]
struct Found {
    texture: Texture,
    component: usize,
    before: Vec<Beside>,
    gradients: [Vec<Option<Value>>; 2],
    /// Something is that of the lane that asks.
    foreign: bool,
}

/// What is left of terms without others.
fn without(mut terms: Vec<Leaf>, known: &[Leaf]) -> Option<Vec<Leaf>> {
    for leaf in known {
        let at = terms.iter().position(|term| term == leaf)?;
        terms.swap_remove(at);
    }
    Some(terms)
}

/// What a lane gets, if it is an answer to a fetch that all four lanes made for it.
fn served(lanes: &Lanes<'_, '_>, value: Value, lane: u32) -> Option<Found> {
    let (answer, asker) = lanes.source((value, lane));
    let data = lanes.editor.function.values.get(answer.index())?;
    let unshade_ir::ValueDef::Result(id, component) = data.def else { return None };
    let inst = lanes.editor.function.insts.get(id.index())?;
    let Op::Texture(texture) = inst.op else { return None };
    if texture.query != TextureQuery::Sample || texture.level != TextureLevel::Quad || texture.indexed {
        return None;
    }
    let (axes, count) = (texture.shape.axes(), texture.operands());
    let mut before = Vec::new();
    let mut gradients = [Vec::new(), Vec::new()];
    let coordinates = inst.args.get(..axes)?;
    let direction = if texture.shape.is_cube() { direction(lanes.editor, coordinates) } else { None };
    for coordinate in direction.as_deref().unwrap_or(coordinates) {
        let [here, right, up, both] = [0, 1, 2, 3].map(|lane| {
            let mut terms = Vec::new();
            lanes.terms((*coordinate, lane), &mut terms, DEPTH).map(|()| terms)
        });
        let (here, right, up, both) = (here?, right?, up?, both?);
        let &[own] = &here[..] else { return None };
        if own.1 != lane {
            return None;
        }
        let (right, up) = (without(right, &here)?, without(up, &here)?);
        if !without(without(without(both, &here)?, &right)?, &up)?.is_empty() {
            return None;
        }
        before.push(Beside::Value(own.0));
        for (list, terms) in gradients.iter_mut().zip([right, up]) {
            match terms[..] {
                [] => list.push(None),
                [(value, from)] if from == lane => list.push(Some(value)),
                _ => return None,
            }
        }
    }
    // Layers and references stay with the lane that asks, which reads its own or that of the lane that is served.
    let mut foreign = false;
    for (place, operand) in inst.args.get(axes..count)?.iter().enumerate() {
        let is_layer = place == 0 && texture.shape.is_array();
        let (operand, is_foreign) = beside(lanes, *operand, asker, lane, is_layer)?;
        before.push(operand);
        foreign |= is_foreign;
    }
    if gradients.iter().flatten().all(Option::is_none) {
        return None;
    }
    Some(Found { texture, component: component as usize, before, gradients, foreign })
}

/// Makes fetches with gradients of those that move the lanes of a quad. Answers how many answers were replaced, and
/// whether one of them has a layer or reference that its lane does not hand over.
pub(in super::super) fn restore(module: &mut Module) -> (usize, bool) {
    // In the block so far, so that the components of an answer share a fetch.
    let made: RefCell<Vec<(Found, InstId, Vec<Value>)>> = RefCell::new(Vec::new());
    let besides = Cell::new(false);
    let count = super::rewrite(module, |editor: &mut Editor<'_>, _: InstId, inst: &Inst| {
        if inst.op != Op::Select {
            return None;
        }
        let result = *inst.results.first()?;
        let found = {
            let lanes = Lanes { editor };
            let first = served(&lanes, result, 0)?;
            let mut foreign = first.foreign;
            let same = (1..4).all(|lane| {
                let found = served(&lanes, result, lane);
                foreign |= found.as_ref().is_some_and(|found| found.foreign);
                found.is_some_and(|found| Found { foreign: first.foreign, ..found } == first)
            });
            same.then_some(Found { foreign, ..first })?
        };
        let component = found.component;
        besides.set(besides.get() || found.foreign);
        let key = Found { component: 0, ..found };
        let known = made.borrow().iter().find_map(|(other, id, answer)| {
            (*other == key && editor.insts.contains(id)).then(|| answer.clone())
        });
        let answer = match known {
            Some(answer) => answer,
            None => {
                let mut args: Vec<Value> = key.before.iter().map(|known| known.value(editor)).collect();
                for gradient in key.gradients.iter().flatten() {
                    let gradient = match gradient {
                        Some(value) => *value,
                        None => editor.bits(0),
                    };
                    args.push(gradient);
                }
                let texture = Texture { level: TextureLevel::Gradients, ..key.texture };
                let answer = editor.add(Op::Texture(texture), &args);
                let id = *editor.insts.last()?;
                made.borrow_mut().push((key, id, answer.clone()));
                answer
            }
        };
        answer.get(component).copied()
    });
    (count, besides.get())
}
