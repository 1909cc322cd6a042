//! `gl_Position` from what the machine stores instead of it.
//!
//! The machine's v0 is the position behind the viewport transform, `(x, y, z) / w * scale + offset`, with `1/w`
//! in w; compilers add these operations to every program, with the uniform `gl_mali_ViewportTransform`. Where
//! they are found, [`run`] makes the program store x, y, z, w again. Where they are not, nothing changes.
//!
//! Recognised are products in any order and association, the reciprocal of w with or without a clamp around
//! it, a w of 1 that the compiler has folded away, and coordinates of 0.

use unshade_ir::passes::Changes;
use unshade_ir::{FloatMode, Function, Global, InstId, Module, Multiply, Op, Origin, Space, Value, Width};

/// Name of the uniform with scale and offset.
pub const UNIFORM: &str = "gl_mali_ViewportTransform";
/// Bounds of 1/w that are taken for "no bound".
const FAR: f32 = 1e9;
/// Factors and clamps that are looked through.
const DEPTH: usize = 16;

const MODE: FloatMode = FloatMode::F32;
const MUL: Op = Op::FMul(MODE, Multiply::Ieee);

/// Replaces the stored position of a lifted module by that of the source. The module may be as it was lifted,
/// or behind any pass; variables are turned into values first. Answers how many stores changed: 4 or 0.
pub fn run(module: &mut Module) -> Changes {
    unshade_ir::ssa::run(module);
    let place = |global: &&Global| global.space == Space::Uniform && global.name == UNIFORM;
    let Some(viewport) = module.globals.iter().find(place).map(|global| global.offset) else {
        return Changes::default();
    };
    let semantic =
        |global: &&Global| global.space == Space::Output && global.semantic.as_deref() == Some("position");
    let Some(position) = module.globals.iter().find(semantic).map(|global| global.offset) else {
        return Changes::default();
    };
    let constants: Vec<Global> =
        module.globals.iter().filter(|global| global.constant.is_some()).cloned().collect();
    let entry = module.entry.index();
    let Some(function) = module.functions.get_mut(entry) else { return Changes::default() };
    let Some(stores) = stores(function, position) else { return Changes::default() };
    let mut pattern = Pattern { function, viewport, constants: &constants };
    let Some(coordinates) = pattern.coordinates(&stores) else { return Changes::default() };
    pattern.replace(&stores, coordinates);
    Changes {
        count: 4,
        assumptions: vec!["the position is what the viewport transform at the end was applied to"],
    }
}

/// What the machine stores for a position: the transform itself, to compare a program from which it was
/// removed.
pub fn transform(position: [f32; 4], scale: [f32; 4], offset: [f32; 4]) -> [f32; 4] {
    let w = 1.0 / position[3];
    let coordinate = |n: usize| position[n] * w * scale[n] + offset[n];
    [coordinate(0), coordinate(1), coordinate(2), w]
}

/// The one store of each component of the position, all in one block.
fn stores(function: &Function, position: u32) -> Option<[(InstId, Value); 4]> {
    let mut found = [None; 4];
    let mut home = None;
    for (number, block) in function.blocks.iter().enumerate() {
        for &id in &block.insts {
            let inst = function.insts.get(id.index())?;
            let Op::Store(access) = inst.op else { continue };
            let Some(component) = access.offset.checked_sub(position).filter(|component| *component < 4)
            else {
                continue;
            };
            if access.space != Space::Output {
                continue;
            }
            let slot = &mut found[component as usize];
            let elsewhere = home.is_some_and(|home| home != number);
            if access.is_indexed() || slot.is_some() || elsewhere {
                return None;
            }
            home = Some(number);
            *slot = Some((id, *inst.args.first()?));
        }
    }
    let [x, y, z, w] = found;
    Some([x?, y?, z?, w?])
}

/// A product: its factors, and whether it is negative.
struct Product {
    factors: Vec<Value>,
    negative: bool,
}

/// One coordinate as the source has it.
#[derive(Debug, Clone, PartialEq)]
enum Coordinate {
    /// 0.
    Zero,
    /// A product; without factors it is 1.
    Product {
        factors: Vec<Value>,
        negative: bool,
        /// The transform does not divide by w: the coordinate was a multiple of it.
        times_w: bool,
    },
}

/// How 1/w was made.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Depth {
    /// From this value.
    Reciprocal(Value),
    /// It is 1.
    One,
    /// It is an infinity: w is the constant 0, with this sign.
    Infinite(bool),
    /// It is some other value.
    Other(Value),
}

struct Pattern<'a> {
    function: &'a mut Function,
    viewport: u32,
    constants: &'a [Global],
}

impl Pattern<'_> {
    /// x, y, z and w as the source has them.
    fn coordinates(&self, stores: &[(InstId, Value); 4]) -> Option<([Coordinate; 3], Depth)> {
        let stored = stores[3].1;
        let depth = self.depth(stored);
        let coordinate = |n: usize| self.coordinate(n as u32, stores[n].1, stored, depth);
        Some(([coordinate(0)?, coordinate(1)?, coordinate(2)?], depth))
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

    fn depth(&self, stored: Value) -> Depth {
        if self.number(stored) == Some(1.0) {
            return Depth::One;
        }
        if let Some(number) = self.number(stored).filter(|number| number.is_infinite()) {
            return Depth::Infinite(number < 0.0);
        }
        let mut value = stored;
        for _ in 0..DEPTH {
            match self.op(value) {
                Some((Op::FRcp(_), &[w])) => return Depth::Reciprocal(w),
                // The clamp, as far as it does not clamp anything of ordinary size.
                Some((Op::FMin(..), &[inner, bound]))
                    if self.number(bound).is_some_and(|bound| bound >= FAR) =>
                {
                    value = inner;
                }
                Some((Op::FMax(..), &[inner, bound]))
                    if self.number(bound).is_some_and(|bound| bound <= -FAR) =>
                {
                    value = inner;
                }
                _ => break,
            }
        }
        Depth::Other(stored)
    }

    /// The factors of a product, taken apart as far as it goes.
    fn product(&self, value: Value) -> Product {
        let mut product = Product { factors: Vec::new(), negative: false };
        let mut open = vec![value];
        let mut steps = 0;
        while let Some(value) = open.pop() {
            steps += 1;
            match self.op(value) {
                Some((Op::FMul(..), &[a, b])) if steps < DEPTH => open.extend([b, a]),
                Some((Op::FNeg(Width::F32), &[a])) if steps < DEPTH => {
                    product.negative = !product.negative;
                    open.push(a);
                }
                _ => product.factors.push(value),
            }
        }
        product
    }

    /// What was transformed to a stored coordinate.
    fn coordinate(&self, n: u32, value: Value, stored: Value, depth: Depth) -> Option<Coordinate> {
        let (scale, offset) = (self.viewport + n, self.viewport + 4 + n);
        // A coordinate of 0 leaves the offset alone.
        if self.uniform(value) == Some(offset) {
            return Some(Coordinate::Zero);
        }
        let Some((Op::FAdd(_), &[a, b])) = self.op(value) else { return None };
        let scaled = match (self.uniform(a) == Some(offset), self.uniform(b) == Some(offset)) {
            (_, true) => a,
            (true, _) => b,
            _ => return None,
        };
        let Product { mut factors, negative } = self.product(scaled);
        let at = factors.iter().position(|factor| self.uniform(*factor) == Some(scale))?;
        factors.remove(at);
        // 1/w of a w that is the constant 0 is an infinity wherever it stands.
        let infinite = self.number(stored).filter(|number| number.is_infinite());
        let is_stored =
            |factor: &Value| *factor == stored || infinite.is_some() && self.number(*factor) == infinite;
        let divided = factors.iter().position(is_stored).filter(|_| depth != Depth::One);
        if let Some(at) = divided {
            factors.remove(at);
        }
        let times_w = divided.is_none() && depth != Depth::One;
        Some(Coordinate::Product { factors, negative, times_w })
    }

    /// Makes the stores store the coordinates of the source.
    fn replace(&mut self, stores: &[(InstId, Value); 4], (coordinates, depth): ([Coordinate; 3], Depth)) {
        let Some(block) = self.block_of(stores[0].0) else { return };
        let first = stores.iter().filter_map(|(id, _)| self.position(block, *id)).min().unwrap_or(0);
        let mut made = Vec::new();
        let w = match depth {
            Depth::Reciprocal(w) => w,
            Depth::One => stores[3].1,
            Depth::Infinite(negative) => {
                let zero = if negative { -0.0_f32 } else { 0.0 };
                self.make(&mut made, Op::B32(zero.to_bits()), &[], stores[3].0)
            }
            Depth::Other(stored) => self.make(&mut made, Op::FRcp(MODE), &[stored], stores[3].0),
        };
        for (coordinate, (id, _)) in coordinates.into_iter().zip(stores) {
            let value = match coordinate {
                Coordinate::Zero => self.make(&mut made, Op::B32(0), &[], *id),
                Coordinate::Product { factors, negative, times_w } => {
                    let product = factors
                        .into_iter()
                        .chain(times_w.then_some(w))
                        .reduce(|product, factor| self.make(&mut made, MUL, &[product, factor], *id));
                    let product = match product {
                        Some(product) => product,
                        None => self.make(&mut made, Op::B32(1.0_f32.to_bits()), &[], *id),
                    };
                    if negative {
                        self.make(&mut made, Op::FNeg(Width::F32), &[product], *id)
                    } else {
                        product
                    }
                }
            };
            self.function.insts[id.index()].args[0] = value;
        }
        self.function.insts[stores[3].0.index()].args[0] = w;
        self.function.blocks[block].insts.splice(first..first, made);
    }

    fn block_of(&self, id: InstId) -> Option<usize> {
        self.function.blocks.iter().position(|block| block.insts.contains(&id))
    }

    fn position(&self, block: usize, id: InstId) -> Option<usize> {
        self.function.blocks.get(block)?.insts.iter().position(|found| *found == id)
    }

    fn make(&mut self, made: &mut Vec<InstId>, op: Op, args: &[Value], at: InstId) -> Value {
        let origin = self.function.insts.get(at.index()).map_or_else(Origin::default, |inst| inst.origin);
        let id = self.function.push_inst(op, args, &[unshade_ir::Type::B32], origin);
        made.push(id);
        self.function.result(id, 0)
    }
}
