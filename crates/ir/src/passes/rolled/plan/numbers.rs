//! Values that grow from pass to pass by rule: numbers, words of uniforms that lie evenly, a base with something added.

use super::{Node, Plan};
use crate::passes::edit::constant;
use crate::{FloatMode, Global, InstId, Multiply, Op, Shape, Space, Type, Value, Width};

/// How a number goes on from pass to pass, or from pass to pass of two loops, the outer one first.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::passes::rolled) struct Course {
    pub(in crate::passes::rolled) start: f64,
    pub(in crate::passes::rolled) steps: [f64; 2],
}

impl Plan<'_> {
    pub(super) fn numbers(&self, lanes: &[Value]) -> Option<Node> {
        let bits: Option<Vec<u32>> = lanes
            .iter()
            .map(|value| {
                (self.function.ty(*value) == Type::B32)
                    .then(|| constant(self.function, *value))?
                    .map(|bits| bits as u32)
            })
            .collect();
        let bits = bits?;
        // Small numbers are integers, and no floats.
        if bits.iter().all(|bits| (*bits as i32).unsigned_abs() < 1 << 20) {
            let numbers: Vec<f64> = bits.iter().map(|bits| f64::from(*bits as i32)).collect();
            if bits.iter().any(|bits| *bits != 0) {
                return self.course(&numbers).map(Node::Int);
            }
        }
        let floats: Vec<f32> = bits.iter().map(|bits| f32::from_bits(*bits)).collect();
        if floats.iter().any(|number| !number.is_finite() || *number != 0.0 && number.abs() < 1e-20) {
            return None;
        }
        let numbers: Vec<f64> = floats.iter().map(|number| f64::from(*number)).collect();
        self.course(&numbers).map(Node::Float).or_else(|| self.ratio(&floats))
    }

    /// Numbers that grow evenly over the passes.
    fn course(&self, numbers: &[f64]) -> Option<Course> {
        let [outer, inner] = self.passes;
        let start = *numbers.first()?;
        let largest = numbers.iter().fold(0.0_f64, |most, number| most.max(number.abs()));
        // Over all passes: each number was rounded by itself.
        let even = |last: usize, passes: usize| match passes {
            0 | 1 => Some(0.0),
            passes => Some((numbers.get(last)? - start) / (passes - 1) as f64),
        };
        // What a pass leaves to the next is there once less.
        let inner = if outer == 1 { numbers.len() } else { inner };
        let step = even(inner - 1, inner)?;
        let outside = even((outer - 1) * inner, outer)?;
        let fits = numbers.iter().enumerate().all(|(pass, number)| {
            let at = start + outside * (pass / inner) as f64 + step * (pass % inner) as f64;
            (at - number).abs() <= largest * 1.2e-7
        });
        // A number that is as short as what it was rounded from.
        let short = |step: f64| {
            let rounded = (step * 1e6).round() / 1e6;
            let apart = (rounded - step).abs() * numbers.len() as f64;
            if apart <= largest * 2.4e-7 { rounded } else { step }
        };
        fits.then(|| Course { start, steps: [short(outside), short(step)] })
    }

    fn ratio(&self, numbers: &[f32]) -> Option<Node> {
        let (first, second) = (*numbers.first()?, *numbers.get(1)?);
        let by = second / first;
        let mut at = first;
        let fits = self.passes[0] == 1
            && first != 0.0
            && by.is_finite()
            && numbers.iter().all(|number| {
                let same = (at - number).abs() <= at.abs() * 3e-7;
                at *= by;
                same
            });
        // What halves and doubles is a ratio; others only look like one.
        (fits && (by * 1000.0).fract() == 0.0).then_some(Node::Ratio { first, by })
    }

    /// One word that passes with blocks of their own each read for themselves: the first reads it for all.
    pub(super) fn same_load(&mut self, lanes: &[Value]) -> Option<Node> {
        self.homes?;
        let (first, place) = self.made_by(*lanes.first()?)?;
        let op = self.function.insts[first.index()].op;
        let Op::Load(access) = op else { return None };
        if access.is_indexed() || !matches!(access.space, Space::Input | Space::Uniform) {
            return None;
        }
        let same = |value: &Value| {
            let (id, own) = self.made_by(*value)?;
            (self.function.insts[id.index()].op == op && own == place).then_some(id)
        };
        let all: Vec<InstId> = lanes.iter().map(same).collect::<Option<_>>()?;
        self.insts.extend(all.into_iter().filter(|id| *id != first));
        Some(Node::Same(lanes[0]))
    }

    /// Words of uniforms that lie evenly, which no two names have.
    pub(super) fn loads(&mut self, lanes: &[Value]) -> Option<Node> {
        let mut words = Vec::new();
        let mut access = None;
        for value in lanes {
            let (id, _) = self.made_by(*value)?;
            let Op::Load(own) = self.function.insts[id.index()].op else { return None };
            let first = *access.get_or_insert(own);
            if own.space != Space::Uniform
                || own.is_indexed()
                || (own.space, own.binding) != (first.space, first.binding)
            {
                return None;
            }
            words.push(f64::from(own.offset));
        }
        let access = access?;
        let course = self.course(&words)?;
        let steps = course.steps.map(|step| step as i64);
        if steps.iter().any(|step| *step < 0 || step % 4 != 0) || steps == [0, 0] {
            return None;
        }
        let holder = |word: f64| {
            let own = |global: &Global| {
                (global.space, global.binding) == (access.space, access.binding)
                    && global.locate(word as u32).is_some()
            };
            self.globals.iter().position(own)
        };
        let first = holder(words[0]);
        let named = first.is_some_and(|at| self.globals[at].shape.elements() == 0);
        // Not from column to column of one matrix.
        let across = first.is_some_and(|at| {
            let global = &self.globals[at];
            let whole = i64::from(global.element_stride().max(1));
            matches!(global.shape, Shape::Matrix { .. }) && steps.iter().any(|step| step % whole != 0)
        });
        if named || across || words.iter().any(|word| holder(*word) != first) {
            return None;
        }
        for value in lanes {
            if let Some((id, _)) = self.made_by(*value) {
                self.insts.insert(id);
            }
        }
        Some(Node::Load { access, steps: steps.map(|step| step as u32) })
    }

    /// A value times a factor that is 1 in some passes: there the value stands alone.
    pub(super) fn scaled(&mut self, lanes: &[Value], depth: usize) -> Option<usize> {
        const MUL: Op = Op::FMul(FloatMode::F32, Multiply::Ieee);
        // Of many passes the first or the last is so; to find that in loops of loops is not worth what it takes.
        if self.passes[0] != 1 || lanes.len() <= super::TRIMMED {
            return None;
        }
        let product = |plan: &Self, value: Value| {
            let (id, _) = plan.made_by(value)?;
            let inst = &plan.function.insts[id.index()];
            (inst.op == MUL && plan.stands_here(id)).then(|| (id, inst.args[0], inst.args[1]))
        };
        let (first, a, b) = lanes.iter().find_map(|value| product(self, *value))?;
        let base = [a, b].into_iter().find(|base| lanes.contains(base))?;
        if constant(self.function, base).is_some() {
            return None;
        }
        // Constants stand in front.
        let mut front = self.function.blocks[0].insts.iter();
        let one = front.find(|id| self.function.insts[id.index()].op == Op::B32(1.0f32.to_bits()))?;
        let one = *self.function.insts[one.index()].results.first()?;
        let mut factors = Vec::new();
        let mut insts = Vec::new();
        for value in lanes {
            if *value == base {
                factors.push(one);
                continue;
            }
            let (id, a, b) = product(self, *value)?;
            factors.push(if a == base { b } else { (b == base).then_some(a)? });
            insts.push(id);
        }
        let (whole, factor) = self.tried(|plan| {
            Some((plan.node(&[base].repeat(lanes.len()), depth + 1)?, plan.node(&factors, depth + 1)?))
        })?;
        self.insts.extend(insts);
        Some(
            self.push(
                lanes,
                Node::Op { inst: first, result: 0, args: [whole, factor].into_iter().collect() },
            ),
        )
    }

    /// A value with something added that grows evenly and is nothing in some passes.
    pub(super) fn affine(&mut self, lanes: &[Value]) -> Option<Node> {
        const ADD: Op = Op::FAdd(FloatMode::F32);
        const MUL: Op = Op::FMul(FloatMode::F32, Multiply::Ieee);
        let args = |value: Value, op: Op| {
            let (id, _) = self.made_by(value)?;
            let inst = &self.function.insts[id.index()];
            (inst.op == op && self.stands_here(id)).then_some(&inst.args[..])
        };
        let number = |value: Value| {
            (self.function.ty(value) == Type::B32)
                .then(|| constant(self.function, value))?
                .map(|bits| f64::from(f32::from_bits(bits as u32)))
        };
        // What is added to a base: a unit and how many of it.
        let part = |value: Value| -> (Option<Value>, f64) {
            if let Some(number) = number(value) {
                return (None, number);
            }
            let (value, sign) = match args(value, Op::FNeg(Width::F32)) {
                Some(&[inner]) => (inner, -1.0),
                _ => (value, 1.0),
            };
            match args(value, MUL) {
                Some(&[a, b]) => match (number(a), number(b)) {
                    (None, Some(by)) => (Some(a), sign * by),
                    (Some(by), None) => (Some(b), sign * by),
                    _ => (Some(value), sign),
                },
                _ => (Some(value), sign),
            }
        };
        let terms = |value: Value| args(value, ADD).map(|args| (args[0], args[1]));
        let whole = |base: Value| -> Option<Node> {
            let mut unit: Option<Option<Value>> = None;
            let mut numbers = Vec::new();
            for value in lanes {
                if *value == base {
                    numbers.push(0.0);
                    continue;
                }
                let (a, b) = terms(*value)?;
                let (own, by) = match (a == base, b == base) {
                    (true, _) => part(b),
                    (_, true) => part(a),
                    _ => return None,
                };
                if *unit.get_or_insert(own) != own {
                    return None;
                }
                numbers.push(by);
            }
            Some(Node::Affine { base, unit: unit?, course: self.course(&numbers)? })
        };
        let (a, b) = lanes.iter().find_map(|value| terms(*value))?;
        // A number where it is all that there is in some pass.
        let may = |base: &Value| number(*base).is_none() || lanes.contains(base);
        let found = [a, b].into_iter().filter(may).find_map(whole);
        if found.is_some() {
            let made: Vec<InstId> = lanes
                .iter()
                .filter(|value| terms(**value).is_some())
                .filter_map(|value| Some(self.made_by(*value)?.0))
                .collect();
            self.insts.extend(made);
        }
        found
    }
}
