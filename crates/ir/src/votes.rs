//! What values are taken for: registers and memory have no types, operations say what they read and make.
//!
//! Every operation that reads a value or makes it is a vote for a kind; what only passes a value on votes as what it
//! passes it to. Members of uniform blocks, what goes from one stage to the next, and texels are declared by it.

use crate::scalar::{Scalar, wanted};
use crate::{
    AtomicOp, Function, Global, Image, ImageQuery, Module, Op, Shape, Space, Texel, TextureQuery, Type, Value,
};

/// Kind of a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// A float, or nobody can tell.
    Float,
    /// A signed integer.
    Int,
    /// An unsigned one.
    Uint,
}

impl Kind {
    /// The same shape with components of this kind; matrices, truth values and resources stay what they are.
    pub fn shape(self, shape: Shape) -> Shape {
        let (Shape::Float { components, elements }
        | Shape::Int { components, elements }
        | Shape::Uint { components, elements }) = shape
        else {
            return shape;
        };
        match self {
            Self::Float => Shape::Float { components, elements },
            Self::Int => Shape::Int { components, elements },
            Self::Uint => Shape::Uint { components, elements },
        }
    }

    /// The kind of a shape's components, where it is one of these.
    pub fn of(shape: Shape) -> Option<Self> {
        match shape {
            Shape::Float { .. } | Shape::Matrix { .. } => Some(Self::Float),
            Shape::Int { .. } => Some(Self::Int),
            Shape::Uint { .. } => Some(Self::Uint),
            Shape::Bool { .. } | Shape::Sampler { .. } | Shape::Image { .. } => None,
        }
    }
}

/// How often a value is taken for what.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Votes {
    float: u32,
    int: u32,
    uint: u32,
    /// Integers whose sign does not matter.
    either: u32,
}

impl Votes {
    const NONE: Self = Self { float: 0, int: 0, uint: 0, either: 0 };
    /// A vote for each kind.
    pub fn for_kind(kind: Kind) -> Self {
        match kind {
            Kind::Float => Self::FLOAT,
            Kind::Int => Self::INT,
            Kind::Uint => Self::UINT,
        }
    }

    /// A vote for a float.
    pub const FLOAT: Self = Self { float: 1, ..Self::NONE };
    const INT: Self = Self { int: 1, ..Self::NONE };
    const UINT: Self = Self { uint: 1, ..Self::NONE };
    const EITHER: Self = Self { either: 1, ..Self::NONE };

    /// Counts the votes of another value, or of another use.
    pub fn add(&mut self, other: Self) {
        self.float = self.float.saturating_add(other.float);
        self.int = self.int.saturating_add(other.int);
        self.uint = self.uint.saturating_add(other.uint);
        self.either = self.either.saturating_add(other.either);
    }

    /// Takes the votes of another where nobody voted, if that is an integer.
    pub(crate) fn take(&mut self, other: Self) {
        if self.is_empty() && other.is_integer() {
            *self = other;
        }
    }

    /// Whether nobody voted.
    pub fn is_empty(self) -> bool {
        self == Self::NONE
    }

    /// Whether somebody voted, and nobody for a float.
    pub fn is_integer(self) -> bool {
        self.float == 0 && !self.is_empty()
    }

    /// Whether somebody voted for a float, and nobody for anything else.
    pub fn is_float(self) -> bool {
        self == Self { float: self.float, ..Self::NONE } && self.float > 0
    }

    /// What it is: an integer where nobody takes it for a float.
    pub fn kind(self) -> Kind {
        if self.float > 0 || self.is_empty() {
            Kind::Float
        } else if self.uint > self.int {
            Kind::Uint
        } else {
            Kind::Int
        }
    }

    fn scalar(scalar: Option<Scalar>) -> Self {
        match scalar {
            Some(Scalar::Float) => Self::FLOAT,
            Some(Scalar::Int) => Self::INT,
            Some(Scalar::Uint) => Self::UINT,
            Some(Scalar::Bool | Scalar::Double) | None => Self::NONE,
        }
    }

    /// What an operation takes an operand for.
    pub fn of_operand(op: &Op, position: usize) -> Self {
        match op {
            Op::IAdd
            | Op::ISub
            | Op::IMul
            | Op::INeg
            | Op::And
            | Op::Or
            | Op::Xor
            | Op::Not
            | Op::ICompare(_) => match wanted(op, position) {
                None => Self::EITHER,
                known => Self::scalar(known),
            },
            Op::Shl if position == 0 => Self::EITHER,
            Op::FindLsb => Self::EITHER,
            // Where something lies is an integer.
            Op::Load(access) | Op::Store(access) | Op::Atomic(_, access)
                if position < access.address_operands() =>
            {
                Self::INT
            }
            Op::Image(image) if position < usize::from(image.indexed) + image.coordinates() => Self::INT,
            Op::Atomic(op, _) => Self::of_atomic(*op),
            Op::Store(_) | Op::WriteVar(_) | Op::Select | Op::Shuffle | Op::QuadRead(_) | Op::Call(_) => {
                Self::NONE
            }
            // What a double is made of.
            Op::Join => Self::UINT,
            op => Self::scalar(wanted(op, position)),
        }
    }

    fn of_atomic(op: AtomicOp) -> Self {
        match op {
            AtomicOp::FAdd => Self::FLOAT,
            AtomicOp::SMin | AtomicOp::SMax => Self::INT,
            AtomicOp::UMin | AtomicOp::UMax => Self::UINT,
            AtomicOp::Exchange | AtomicOp::CompareExchange => Self::NONE,
            _ => Self::EITHER,
        }
    }

    /// What an operation's result is.
    pub fn of_result(op: &Op) -> Self {
        match op {
            Op::FToS(..) | Op::SBitExtract | Op::BufferLength(_) | Op::Exponent => Self::INT,
            Op::FToU(..) | Op::UBitExtract | Op::BitReverse | Op::Join | Op::PackNorm(_) => Self::UINT,
            Op::UnpackNorm(..) => Self::FLOAT,
            Op::SToF(_) | Op::UToF(_) | Op::FConvert(..) => Self::FLOAT,
            Op::BToI | Op::BitCount | Op::UFindMsb | Op::SFindMsb | Op::FindLsb | Op::BitInsert => {
                Self::EITHER
            }
            Op::Image(Image { query: ImageQuery::Size, .. }) => Self::INT,
            Op::Texture(texture) => match texture.query {
                TextureQuery::Size | TextureQuery::Samples => Self::INT,
                TextureQuery::Level => Self::FLOAT,
                _ if texture.shadow => Self::FLOAT,
                _ => Self::NONE,
            },
            Op::Atomic(op, _) | Op::Image(Image { query: ImageQuery::Atomic(op), .. }) => match op {
                AtomicOp::FAdd => Self::FLOAT,
                AtomicOp::SMin | AtomicOp::SMax => Self::INT,
                AtomicOp::Exchange | AtomicOp::CompareExchange => Self::NONE,
                // As memory and images are declared where nothing else is known.
                _ => Self::UINT,
            },
            Op::Image(_) | Op::Load(_) | Op::Store(_) | Op::Interpolate(..) | Op::ReadVar(_) | Op::B32(_) => {
                Self::NONE
            }
            op => Self::of_operand(op, 0),
        }
    }
}

/// How often values are followed through copies and choices.
const ROUNDS: usize = 4;

/// Votes for each value of a function by what it is used for, and by what it is passed on to.
pub fn by_use(function: &Function) -> Vec<Votes> {
    let (mut votes, same) = collect(function, None);
    let is_word = |value: Value| function.ty(value) == Type::B32;
    settle(&mut votes, &same, is_word, false);
    votes
}

/// Votes for each value of a function by what makes it, what it is used for, and what it is passed on to or comes
/// from. Constants have none: they are what they are used for.
pub fn by_all(function: &Function) -> Vec<Votes> {
    by_all_and(function, |_| Votes::default())
}

/// The same where something else is known of what operations give, and of what stores take: what inputs, outputs and
/// texels are declared as.
pub fn by_all_and(function: &Function, known: impl Fn(&Op) -> Votes) -> Vec<Votes> {
    let (mut votes, same) = collect(function, Some(&known));
    let is_word = |value: Value| function.ty(value) == Type::B32;
    settle(&mut votes, &same, is_word, true);
    if stored(function, &mut votes, &known) {
        settle(&mut votes, &same, is_word, true);
    }
    let mut bits = vec![false; votes.len()];
    for (index, known) in votes.iter_mut().enumerate() {
        if let Some(word) = constant(function, Value(index as u32)) {
            *known = Votes::default();
            bits[index] = is_no_float(word);
        }
    }
    // Constants that no float is make integers of what nothing else is known of.
    let passed = passed(function);
    for _ in 0..ROUNDS {
        let mut changed = false;
        for (from, to) in &passed {
            let (from, to) = (from.index(), to.index());
            if bits.get(from) == Some(&true) && bits.get(to) == Some(&false) {
                bits[to] = true;
                changed = true;
            }
        }
        if !changed {
            break;
        }
    }
    for (known, _) in votes.iter_mut().zip(bits).filter(|(known, bits)| *bits && known.is_empty()) {
        *known = Votes::EITHER;
    }
    votes
}

/// What else nobody says of what is stored is what the place is; answers whether that says something.
fn stored(function: &Function, votes: &mut [Votes], known: &Known<'_>) -> bool {
    let mut found = false;
    for id in function.blocks.iter().flat_map(|block| &block.insts) {
        let Some(inst) = function.insts.get(id.index()).filter(|inst| matches!(inst.op, Op::Store(_))) else {
            continue;
        };
        if let Some(votes) = inst.args.last().and_then(|value| votes.get_mut(value.index()))
            && votes.is_empty()
        {
            *votes = known(&inst.op);
            found |= !votes.is_empty();
        }
    }
    found
}

/// Whether a constant is an integer: as a float it is so small that machines take it for zero, or a NaN other than what
/// arithmetic of compilers gives. The one that some machines give is the largest integer, which programs name rather.
pub fn is_no_float(bits: u32) -> bool {
    let value = f32::from_bits(bits);
    let given = matches!(bits, 0x7FC0_0000 | 0xFFC0_0000);
    value.is_subnormal() || value.is_nan() && !given
}

/// Which values are passed on as which.
fn passed(function: &Function) -> Vec<(Value, Value)> {
    let mut same: Vec<(Value, Value)> = Vec::new();
    for block in &function.blocks {
        for inst in block.insts.iter().filter_map(|id| function.insts.get(id.index())) {
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
    same
}

/// The bits of a constant word.
fn constant(function: &Function, value: Value) -> Option<u32> {
    match function.definition(value)?.op {
        Op::B32(bits) => Some(bits),
        _ => None,
    }
}

/// Whether bits are what floats are taken apart with: the sign, all but the sign, one.
fn is_float_mask(bits: u32) -> bool {
    matches!(bits, 0x8000_0000 | 0x7FFF_FFFF | 0x3F80_0000)
}

/// What is known of an operation's results beside what they are used for; of a store, of what it stores.
type Known<'d> = dyn Fn(&Op) -> Votes + 'd;

/// The votes of all operations, and which values are passed on as which. `made`: what makes a value votes too.
fn collect(function: &Function, made: Option<&Known<'_>>) -> (Vec<Votes>, Vec<(Value, Value)>) {
    let mut votes = vec![Votes::default(); function.values.len()];
    let mut same = passed(function);
    let mut vote = |value: Value, vote: Votes| {
        if let Some(known) = votes.get_mut(value.index()) {
            known.add(vote);
        }
    };
    for block in &function.blocks {
        for id in &block.insts {
            let Some(inst) = function.insts.get(id.index()) else { continue };
            let masked = matches!(inst.op, Op::And | Op::Or | Op::Xor)
                && inst.args.iter().any(|arg| constant(function, *arg).is_some_and(is_float_mask));
            if masked {
                // What is left of a number without its sign is what that was.
                same.extend(
                    inst.results.iter().flat_map(|result| inst.args.iter().map(|arg| (*arg, *result))),
                );
                continue;
            }
            for (position, arg) in inst.args.iter().enumerate() {
                vote(*arg, Votes::of_operand(&inst.op, position));
            }
            if let Some(known) = made {
                let known = known(&inst.op);
                if matches!(inst.op, Op::Store(_)) {
                    continue;
                }
                let known = if known.is_empty() { Votes::of_result(&inst.op) } else { known };
                inst.results.iter().for_each(|result| vote(*result, known));
            }
        }
    }
    // A constant that is passed on twice says nothing of what it is passed on as.
    same.retain(|(from, _)| constant(function, *from).is_none());
    (votes, same)
}

/// What nobody voted for takes the votes of what it is passed on to, and, with `both`, of what it comes from.
fn settle(votes: &mut [Votes], same: &[(Value, Value)], is_word: impl Fn(Value) -> bool, both: bool) {
    for _ in 0..ROUNDS {
        let mut changed = false;
        for (from, to) in same {
            for (open, known) in [(to, from), (from, to)].into_iter().skip(usize::from(!both)) {
                let known = votes.get(known.index()).copied().unwrap_or_default();
                let Some(votes) = votes.get_mut(open.index()) else { continue };
                if votes.is_empty() && !known.is_empty() && is_word(*open) {
                    *votes = known;
                    changed = true;
                }
            }
        }
        if !changed {
            break;
        }
    }
}

/// What the results of an operation are declared as, and what a store takes, where something else than their use says so.
pub(crate) fn declared(module: &Module, op: &Op) -> Votes {
    let of_texel = |space: Space, unit: u32| {
        let texel = module.globals.iter().find_map(|global| match global.shape {
            Shape::Sampler { texel, .. } | Shape::Image { texel, .. }
                if global.space == space && global.locate(unit).is_some() =>
            {
                Some(texel)
            }
            _ => None,
        });
        match texel {
            Some(Texel::Int) => Votes::for_kind(Kind::Int),
            Some(Texel::Uint) => Votes::for_kind(Kind::Uint),
            _ => Votes::default(),
        }
    };
    match op {
        Op::Load(access) | Op::Store(access) => {
            let own = |global: &&Global| {
                (global.space, global.binding) == (access.space, access.binding)
                    && has_word(global, access.offset)
            };
            let known = module.globals.iter().find(own).filter(|global| !global.as_float);
            let is_said =
                |global: &Global| !global.by_use && matches!(global.space, Space::Input | Space::Output);
            match known.map(|global| (Kind::of(global.shape), is_said(global))) {
                Some((Some(kind @ (Kind::Int | Kind::Uint)), _)) => Votes::for_kind(kind),
                // A float that is not said to be one may be anything.
                Some((Some(Kind::Float), true)) => Votes::FLOAT,
                _ => Votes::default(),
            }
        }
        Op::Texture(texture) if !texture.shadow => of_texel(Space::Texture, texture.unit),
        Op::Image(image) => of_texel(Space::Image, image.unit),
        _ => Votes::default(),
    }
}

/// Whether a word belongs to a global, to that of any vertex where each has its own.
pub(crate) fn has_word(global: &Global, word: u32) -> bool {
    let Some(at) = word.checked_sub(global.offset) else { return false };
    let inside = match (global.vertices, global.vertex_stride) {
        (0, _) | (_, 0) => at,
        (vertices, stride) if at / stride < vertices => at % stride,
        _ => return false,
    };
    global.locate(global.offset.saturating_add(inside)).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{CompareInt, FloatMode, Multiply, Round, Width};

    #[test]
    fn operations_vote_for_what_they_read_and_make() {
        let float = FloatMode::F32;
        let kind = |votes: Votes| (!votes.is_empty()).then(|| votes.kind());
        let of = |op: Op| kind(Votes::of_operand(&op, 0));
        assert_eq!(of(Op::FMul(float, Multiply::Ieee)), Some(Kind::Float));
        assert_eq!(of(Op::IAdd), Some(Kind::Int));
        assert_eq!(of(Op::ShrU), Some(Kind::Uint));
        assert_eq!(of(Op::ICompare(CompareInt::Ult)), Some(Kind::Uint));
        assert_eq!(of(Op::SToF(float)), Some(Kind::Int));
        assert_eq!(of(Op::Select), None);
        assert_eq!(of(Op::Join), Some(Kind::Uint));
        assert_eq!(kind(Votes::of_result(&Op::SToF(float))), Some(Kind::Float));
        assert_eq!(kind(Votes::of_result(&Op::FToU(Width::F32, Round::Zero))), Some(Kind::Uint));
        assert_eq!(kind(Votes::of_result(&Op::B32(1))), None);
    }

    #[test]
    fn one_float_makes_all_floats() {
        let mut votes = Votes::default();
        assert_eq!(votes.kind(), Kind::Float);
        votes.add(Votes::EITHER);
        assert_eq!(votes.kind(), Kind::Int);
        votes.add(Votes::UINT);
        assert_eq!(votes.kind(), Kind::Uint);
        votes.add(Votes::FLOAT);
        assert_eq!(votes.kind(), Kind::Float);
    }
}
