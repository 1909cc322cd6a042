//! What words of the interface are by how the code uses them: registers have no types.

use std::collections::BTreeMap;
use unshade_ir::{CompareInt, Function, Module, Op, Space, Value, ValueDef};

/// Kind of a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(in super::super) enum Kind {
    /// A float, or nobody can tell.
    Float,
    /// A signed integer.
    Int,
    /// An unsigned one.
    Uint,
}

/// Uses of one kind and the other.
#[derive(Debug, Clone, Copy, Default)]
struct Votes {
    float: u32,
    int: u32,
    uint: u32,
    /// Integers whose sign does not matter.
    either: u32,
}

/// Kinds of words and texels.
#[derive(Debug, Default)]
pub(super) struct Kinds {
    words: BTreeMap<(Space, u32, u32), Votes>,
    /// By unit: what the texels of a texture are used as.
    textures: BTreeMap<u32, Votes>,
    /// By unit, of images.
    images: BTreeMap<u32, Votes>,
}

/// Values that are followed through copies and choices.
const ROUNDS: usize = 4;

impl Kinds {
    pub(super) fn new(module: &Module) -> Self {
        let mut kinds = Self::default();
        for function in &module.functions {
            let votes = votes(function);
            for inst in function.blocks.iter().flat_map(|block| &block.insts) {
                let Some(inst) = function.insts.get(inst.index()) else { continue };
                let of = |value: Option<&Value>| {
                    value.and_then(|value| votes.get(value.index())).copied().unwrap_or_default()
                };
                match inst.op {
                    Op::Load(access) | Op::Interpolate(_, access) => {
                        let word =
                            kinds.words.entry((access.space, access.binding, access.offset)).or_default();
                        word.add(of(inst.results.first()));
                    }
                    Op::Store(access) => {
                        let word =
                            kinds.words.entry((access.space, access.binding, access.offset)).or_default();
                        word.add(of(inst.args.last()));
                    }
                    Op::Texture(texture) => {
                        let unit = kinds.textures.entry(texture.unit).or_default();
                        inst.results.iter().for_each(|result| unit.add(of(Some(result))));
                    }
                    Op::Image(image) => {
                        let unit = kinds.images.entry(image.unit).or_default();
                        inst.results.iter().for_each(|result| unit.add(of(Some(result))));
                        let values = inst.args.len().saturating_sub(image.values());
                        inst.args.iter().skip(values).for_each(|value| unit.add(of(Some(value))));
                    }
                    _ => {}
                }
            }
        }
        kinds
    }

    /// Kind of a vector of words.
    pub(super) fn of(&self, space: Space, binding: u32, word: u32, components: u8) -> Kind {
        let mut votes = Votes::default();
        for n in 0..u32::from(components) {
            // Of each vertex.
            for vertex in 0..8 {
                if let Some(found) = self.words.get(&(space, binding, word + n + 256 * vertex)) {
                    votes.add(*found);
                }
                if space == Space::Uniform {
                    break;
                }
            }
        }
        votes.kind()
    }

    /// Kind of the texels of a texture.
    pub(super) fn texture(&self, unit: u32) -> Kind {
        self.textures.get(&unit).copied().unwrap_or_default().kind()
    }

    /// Kind of the texels of an image.
    pub(super) fn image(&self, unit: u32) -> Kind {
        self.images.get(&unit).copied().unwrap_or_default().kind()
    }
}

impl Votes {
    fn add(&mut self, other: Self) {
        self.float += other.float;
        self.int += other.int;
        self.uint += other.uint;
        self.either += other.either;
    }

    fn kind(self) -> Kind {
        if self.float > 0 || self.int + self.uint + self.either == 0 {
            Kind::Float
        } else if self.uint > self.int {
            Kind::Uint
        } else {
            Kind::Int
        }
    }

    fn of(op: &Op, operand: usize) -> Self {
        let float = Self { float: 1, ..Self::default() };
        let int = Self { int: 1, ..Self::default() };
        let uint = Self { uint: 1, ..Self::default() };
        let either = Self { either: 1, ..Self::default() };
        match op {
            Op::FAdd(_)
            | Op::FMul(..)
            | Op::FFma(..)
            | Op::FDiv(_)
            | Op::FNeg(_)
            | Op::FAbs(_)
            | Op::FMin(..)
            | Op::FMax(..)
            | Op::FRound(..)
            | Op::FSaturate(_)
            | Op::FRcp(_)
            | Op::FRsq(_)
            | Op::FSqrt(_)
            | Op::FExp2(_)
            | Op::FLog2(_)
            | Op::FSin(_)
            | Op::FCos(_)
            | Op::FCompare(..)
            | Op::FIsNan(_)
            | Op::FToS(..)
            | Op::FToU(..)
            | Op::FConvert(..)
            | Op::Derivative(..) => float,
            Op::SToF(_)
            | Op::ShrS
            | Op::SMin
            | Op::SMax
            | Op::SMulHigh
            | Op::SDiv
            | Op::SRem
            | Op::SFindMsb
            | Op::ICompare(CompareInt::Slt | CompareInt::Sle) => int,
            Op::SBitExtract if operand == 0 => int,
            Op::UToF(_)
            | Op::ShrU
            | Op::UMin
            | Op::UMax
            | Op::UMulHigh
            | Op::UDiv
            | Op::URem
            | Op::UFindMsb
            | Op::BitCount
            | Op::BitReverse
            | Op::ICompare(CompareInt::Ult | CompareInt::Ule) => uint,
            Op::UBitExtract if operand == 0 => uint,
            Op::IAdd | Op::ISub | Op::IMul | Op::INeg | Op::And | Op::Or | Op::Xor | Op::Not | Op::Shl => {
                either
            }
            Op::ICompare(_) | Op::UBitExtract | Op::SBitExtract | Op::BitInsert => either,
            // Where something lies is an integer.
            Op::Load(access) | Op::Store(access) | Op::Atomic(_, access)
                if operand < access.address_operands() =>
            {
                int
            }
            Op::Atomic(..) => either,
            Op::Texture(texture) if operand < usize::from(texture.indexed) + texture.coordinates() => {
                if texture.is_integer() {
                    int
                } else {
                    float
                }
            }
            Op::Image(image) if operand < usize::from(image.indexed) + image.coordinates() => int,
            _ => Self::default(),
        }
    }

    /// What an operation's result is.
    fn of_result(op: &Op) -> Self {
        match op {
            Op::FToS(..) => Self { int: 1, ..Self::default() },
            Op::FToU(..) => Self { uint: 1, ..Self::default() },
            Op::SToF(_) | Op::UToF(_) | Op::FConvert(..) => Self { float: 1, ..Self::default() },
            Op::FCompare(..) | Op::FIsNan(_) | Op::ICompare(_) => Self::default(),
            Op::BToI | Op::BitCount | Op::UFindMsb | Op::SFindMsb => Self { either: 1, ..Self::default() },
            Op::UBitExtract | Op::BitReverse => Self { uint: 1, ..Self::default() },
            Op::SBitExtract => Self { int: 1, ..Self::default() },
            Op::Texture(_) | Op::Image(_) | Op::Load(_) | Op::Store(_) | Op::Atomic(..) => Self::default(),
            op => Self::of(op, 0),
        }
    }
}

/// Votes for each value, by what makes it, what it is used for, and what passes it on.
fn votes(function: &Function) -> Vec<Votes> {
    let mut votes = vec![Votes::default(); function.values.len()];
    let mut same: Vec<(Value, Value)> = Vec::new();
    for block in &function.blocks {
        for id in &block.insts {
            let Some(inst) = function.insts.get(id.index()) else { continue };
            for (n, arg) in inst.args.iter().enumerate() {
                if let Some(known) = votes.get_mut(arg.index()) {
                    known.add(Votes::of(&inst.op, n));
                }
            }
            for result in &inst.results {
                if let Some(known) = votes.get_mut(result.index()) {
                    known.add(Votes::of_result(&inst.op));
                }
            }
            if let (Op::Select | Op::QuadRead(_) | Op::Shuffle, Some(result)) =
                (inst.op, inst.results.first())
            {
                let passed = if inst.op == Op::Select { 1..3 } else { 0..1 };
                same.extend(inst.args.get(passed).into_iter().flatten().map(|arg| (*arg, *result)));
            }
        }
        for target in block.terminator.targets() {
            let Some(to) = function.blocks.get(target.block.index()) else { continue };
            same.extend(target.args.iter().copied().zip(to.params.iter().copied()));
        }
    }
    for _ in 0..ROUNDS {
        let mut changed = false;
        for (a, b) in &same {
            for (from, to) in [(a, b), (b, a)] {
                let from = votes.get(from.index()).copied().unwrap_or_default();
                let is_bool = |value: &Value| function.ty(*value) != unshade_ir::Type::B32;
                let Some(known) = votes.get_mut(to.index()) else { continue };
                if known.is_empty() && !from.is_empty() && !is_bool(to) {
                    *known = from;
                    changed = true;
                }
            }
        }
        if !changed {
            break;
        }
    }
    // Constants are what they are used for.
    for (value, data) in votes.iter_mut().zip(&function.values) {
        if let ValueDef::Result(inst, _) = data.def
            && matches!(function.insts.get(inst.index()).map(|inst| inst.op), Some(Op::B32(_)))
        {
            *value = Votes::default();
        }
    }
    votes
}

impl Votes {
    fn is_empty(self) -> bool {
        self.float + self.int + self.uint + self.either == 0
    }
}
