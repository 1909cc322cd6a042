//! `gl_PointSize` from what the machine stores instead of it.
//!
//! Compilers keep the size of points in the range that the machine can draw. Mesa clamps to 1..100; Arm's compiler
//! takes bounds and a factor from the uniform `gl_mali_PointSizeParameters`. Where one of these is found, [`run`]
//! makes the program store the size itself.

use unshade_ir::passes::Changes;
use unshade_ir::{Function, Global, InstId, Module, Multiply, Op, Space, Value, math, op::MinMax};

/// Name of the uniform with the least size, the greatest, and a factor.
pub const UNIFORM: &str = "gl_mali_PointSizeParameters";
/// Mesa's bounds.
pub const BOUNDS: [f32; 2] = [1.0, 100.0];
/// Stores that are looked at; a program has one, or one for each of its ends.
const STORES: usize = 64;

/// Replaces the stored size of points of a lifted module by that of the source. The module may be as it was
/// lifted, or behind any pass; variables are turned into values first. Answers how many stores changed.
pub fn run(module: &mut Module) -> Changes {
    unshade_ir::ssa::run(module);
    let size =
        |global: &&Global| global.space == Space::Output && global.semantic.as_deref() == Some("point-size");
    let Some(size) = module.globals.iter().find(size).map(|global| global.offset) else {
        return Changes::default();
    };
    let place = |global: &&Global| global.space == Space::Uniform && global.name == UNIFORM;
    let parameters = module.globals.iter().find(place).map(|global| global.offset);
    let constants: Vec<Global> =
        module.globals.iter().filter(|global| global.constant.is_some()).cloned().collect();
    let entry = module.entry.index();
    let Some(function) = module.functions.get_mut(entry) else { return Changes::default() };
    let stores: Vec<InstId> = stores(function, size).take(STORES + 1).collect();
    let pattern = Pattern { function, parameters, constants: &constants };
    let found: Option<Vec<(InstId, Value)>> = stores
        .iter()
        .map(|id| {
            let stored = *pattern.function.insts.get(id.index())?.args.first()?;
            Some((*id, pattern.size(stored)?))
        })
        .collect();
    // All or none: otherwise one end of the program would store something else than the others.
    let Some(found) = found.filter(|found| (1..=STORES).contains(&found.len())) else {
        return Changes::default();
    };
    let count = found.len();
    for (id, size) in found {
        function.insts[id.index()].args[0] = size;
    }
    Changes { count, assumptions: vec!["the bounds of the point size are the compiler's, not the source's"] }
}

/// What the machine stores for a size; the parameters are those of the program, where it has them.
pub fn transform(size: f32, parameters: Option<[f32; 3]>) -> f32 {
    let rule = MinMax::SecondUnlessOrdered;
    let clamp = |low, high| math::min(math::max(size, low, rule), high, rule);
    match parameters {
        Some([low, high, factor]) => clamp(low, high) * factor,
        None => clamp(BOUNDS[0], BOUNDS[1]),
    }
}

fn stores(function: &Function, word: u32) -> impl Iterator<Item = InstId> + '_ {
    function.blocks.iter().flat_map(|block| &block.insts).copied().filter(move |id| {
        matches!(function.insts.get(id.index()).map(|inst| inst.op), Some(Op::Store(access))
            if access.space == Space::Output && access.offset == word && !access.is_indexed())
    })
}

struct Pattern<'a> {
    function: &'a Function,
    parameters: Option<u32>,
    constants: &'a [Global],
}

impl Pattern<'_> {
    /// The size that a stored value is made from.
    fn size(&self, stored: Value) -> Option<Value> {
        let Some(first) = self.parameters else {
            return self.clamped(
                stored,
                |low| self.number(low) == Some(BOUNDS[0]),
                |high| self.number(high) == Some(BOUNDS[1]),
            );
        };
        let (Op::FMul(_, Multiply::Ieee), &[a, b]) = self.op(stored)? else { return None };
        let clamped = match (self.uniform(a), self.uniform(b)) {
            (_, Some(word)) if word == first + 2 => a,
            (Some(word), _) if word == first + 2 => b,
            _ => return None,
        };
        self.clamped(
            clamped,
            |low| self.uniform(low) == Some(first),
            |high| self.uniform(high) == Some(first + 1),
        )
    }

    /// What is clamped, where the bounds are these.
    fn clamped(
        &self,
        value: Value,
        low: impl Fn(Value) -> bool,
        high: impl Fn(Value) -> bool,
    ) -> Option<Value> {
        let one_of = |a: Value, b: Value, bound: &dyn Fn(Value) -> bool| match (bound(a), bound(b)) {
            (_, true) => Some(a),
            (true, _) => Some(b),
            _ => None,
        };
        match self.op(value)? {
            (Op::FMin(..), &[a, b]) => {
                let (Op::FMax(..), &[a, b]) = self.op(one_of(a, b, &high)?)? else { return None };
                one_of(a, b, &low)
            }
            (Op::FMax(..), &[a, b]) => {
                let (Op::FMin(..), &[a, b]) = self.op(one_of(a, b, &low)?)? else { return None };
                one_of(a, b, &high)
            }
            _ => None,
        }
    }

    fn op(&self, value: Value) -> Option<(&Op, &[Value])> {
        self.function.definition(value).map(|inst| (&inst.op, &inst.args[..]))
    }

    /// The word of uniform memory that a value is.
    fn uniform(&self, value: Value) -> Option<u32> {
        match self.op(value)? {
            (Op::Load(access), []) if access.space == Space::Uniform && access.binding == 0 => {
                Some(access.offset)
            }
            _ => None,
        }
    }

    /// The number that a value is.
    fn number(&self, value: Value) -> Option<f32> {
        if let Some((Op::B32(bits), _)) = self.op(value) {
            return Some(f32::from_bits(*bits));
        }
        let word = self.uniform(value)?;
        let global = self.constants.iter().find(|global| global.locate(word).is_some())?;
        let at = word.checked_sub(global.offset)?;
        global.constant.as_ref()?.get(at as usize).map(|bits| f32::from_bits(*bits))
    }
}
