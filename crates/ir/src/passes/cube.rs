//! Cube maps by their direction: machines that choose face and place by instructions of their own leave a long way
//! from the direction to the face, the place on it, and back. The direction itself says the same.
//!
//! What has to be there, for the direction (x, y, z): the coordinate across the face, twice (`m`), chosen by which of
//! the three is largest; both coordinates on the face times `1 / |m|` plus 1.5; the number of the face; and from these
//! three the direction again, by the number of the face.

use super::Changes;
use super::edit::constant;
use crate::{CompareFloat, FloatMode, Function, Inst, Module, Op, Texture, Value};

/// What must hold.
const ASSUMPTION: &str = "directions of cube maps are not zero, and their length does not matter";

const F32: FloatMode = FloatMode::F32;

pub(super) fn run(module: &mut Module) -> Changes {
    let mut changes = Changes::default();
    for function in &mut module.functions {
        for block in 0..function.blocks.len() {
            for position in 0..function.blocks[block].insts.len() {
                let id = function.blocks[block].insts[position];
                let inst = &function.insts[id.index()];
                let Op::Texture(texture) = inst.op else { continue };
                if !texture.shape.is_cube() {
                    continue;
                }
                let first = usize::from(texture.indexed);
                let Some(direction) = direction(function, inst, texture, first) else { continue };
                for (place, value) in function.insts[id.index()].args.iter_mut().skip(first).zip(direction) {
                    *place = value;
                }
                changes.count += 1;
            }
        }
    }
    changes.assume(ASSUMPTION)
}

/// The direction that the coordinates of a fetch were made of.
fn direction(function: &Function, inst: &Inst, _: Texture, first: usize) -> Option<[Value; 3]> {
    let find = Find { function };
    let (on_first, face) = find.by_face(*inst.args.get(first)?)?;
    // On the first face: (1, -t, -s).
    constant(function, on_first).filter(|bits| *bits as u32 == 1.0_f32.to_bits())?;
    let (minus_t, same) = find.by_face(*inst.args.get(first + 1)?)?;
    let (minus_s, too) = find.by_face(*inst.args.get(first + 2)?)?;
    if same != face || too != face {
        return None;
    }
    let [x, y] = [minus_s, minus_t].map(|value| find.place(value));
    let ((s, across), (t, again)) = (x?, y?);
    if across != again {
        return None;
    }
    let (is_z, z, rest) = find.select(find.doubled(across)?)?;
    let (is_y, y, x) = find.select(rest)?;
    // The face and the place on it are chosen by the same.
    let (s_by, _, s_rest) = find.select(s)?;
    let (t_by, _, t_rest) = find.select(t)?;
    let (s_then, s_y, _) = find.select(s_rest)?;
    let (t_then, ..) = find.select(t_rest)?;
    let (face_by, ..) = find.select(find.rounded(face))?;
    let consistent = [s_by, t_by, face_by].iter().all(|by| *by == is_z);
    let consistent = consistent && [s_then, t_then].iter().all(|by| *by == is_y) && s_y == x;
    consistent.then_some([x, y, z])
}

struct Find<'a> {
    function: &'a Function,
}

impl Find<'_> {
    fn definition(&self, value: Value) -> Option<&Inst> {
        self.function.definition(value)
    }

    fn is(&self, value: Value, number: f32) -> bool {
        constant(self.function, value).is_some_and(|bits| bits as u32 == number.to_bits())
    }

    fn select(&self, value: Value) -> Option<(Value, Value, Value)> {
        let inst = self.definition(value).filter(|inst| inst.op == Op::Select)?;
        Some((inst.args[0], inst.args[1], inst.args[2]))
    }

    /// What is chosen where the face is below 0.5, and the face.
    fn by_face(&self, value: Value) -> Option<(Value, Value)> {
        let (condition, first, _) = self.select(value)?;
        let test = self.definition(condition)?;
        let below = test.op == Op::FCompare(CompareFloat::Lt, F32) && self.is(test.args[1], 0.5);
        below.then_some((first, test.args[0]))
    }

    /// `s` and `m` of `-((s * (1 / |m|) + 1.5) * 2 - 3)`.
    fn place(&self, value: Value) -> Option<(Value, Value)> {
        let minus = self.definition(value).filter(|inst| matches!(inst.op, Op::FNeg(_)))?;
        let doubled = self.plus(minus.args[0], -3.0)?;
        let scaled = self.plus(self.doubled(doubled)?, 1.5)?;
        let product = self.definition(scaled).filter(|inst| matches!(inst.op, Op::FMul(F32, _)))?;
        let divisor = |value: Value| {
            let rcp = self.definition(value).filter(|inst| inst.op == Op::FRcp(F32))?;
            let absolute = self.definition(rcp.args[0]).filter(|inst| matches!(inst.op, Op::FAbs(_)))?;
            Some(absolute.args[0])
        };
        let (a, b) = (product.args[0], product.args[1]);
        divisor(b).map(|m| (a, m)).or_else(|| divisor(a).map(|m| (b, m)))
    }

    /// `x` of `x + number`.
    fn plus(&self, value: Value, number: f32) -> Option<Value> {
        let sum = self.definition(value).filter(|inst| inst.op == Op::FAdd(F32))?;
        self.is(sum.args[1], number).then_some(sum.args[0])
    }

    /// `x` of `x * 2`.
    fn doubled(&self, value: Value) -> Option<Value> {
        let product = self.definition(value).filter(|inst| matches!(inst.op, Op::FMul(F32, _)))?;
        self.is(product.args[1], 2.0).then_some(product.args[0])
    }

    /// What was rounded.
    fn rounded(&self, value: Value) -> Value {
        match self.definition(value) {
            Some(inst) if matches!(inst.op, Op::FRound(..)) => inst.args[0],
            _ => value,
        }
    }
}
