//! What an operation takes: lists of scalars, and where their lanes come from.

use super::Mode;
use super::acts::image_operands;
use super::directed;
use super::interface::Lane;
use super::packs::{Lanes, Make, PackId};
use super::schedule::{Effect, EffectKind};
use super::statements::Unit;
use crate::{Op, Round, Space, Type, Value, Width};
use smallvec::{SmallVec, smallvec};

/// How a value gets into an expression.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Leaf {
    /// As a lane of a pack.
    Pack,
    /// As a literal.
    Bits(u64),
    /// As a truth value.
    Truth(bool),
    /// By the name of a global that never changes.
    Global(Lane),
    /// As the negative of another.
    Negated(Value),
    /// As the opposite of a truth value.
    Not(Value),
}

/// An operand: as many values as lanes, or one for all lanes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Operand {
    pub values: Lanes,
    /// It is written several times, so that it must be short.
    pub repeated: bool,
}

impl Operand {
    pub(super) fn of(values: Lanes) -> Self {
        Self { values, repeated: false }
    }

    pub(super) fn one(value: Value) -> Self {
        Self::of(smallvec![value])
    }
}

/// Where a run of lanes comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Source {
    /// Literals (truth values as 0 and 1).
    Bits(SmallVec<[u64; 4]>),
    /// A global, or an element of one.
    Global(u32, Option<u32>),
    /// A pack.
    Pack(PackId),
}

/// Where all lanes of a list come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum OneSource {
    /// They are literals.
    Bits,
    /// One global or one pack.
    Lanes,
}

/// A run of lanes from one place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Part {
    pub source: Source,
    /// Components of the source.
    pub components: SmallVec<[u8; 4]>,
    /// The opposite of it: negative, or not.
    pub opposite: bool,
}

/// A list of scalars as runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Plan {
    pub parts: Vec<Part>,
    /// The opposite of all of it.
    pub opposite: bool,
}

/// Whether the tree has a form for an operation at all. Readable mode takes directed rounding for rounding to
/// nearest.
pub(super) fn is_sayable(op: &Op, types: impl Iterator<Item = Type>, mode: Mode) -> bool {
    let mut types = types;
    let is_wide = types.any(|ty| ty == Type::B64);
    if let Some(float) = op.float_mode() {
        // No language has these of doubles.
        let singles = matches!(
            op,
            Op::FExp2(_)
                | Op::FLog2(_)
                | Op::FSin(_)
                | Op::FCos(_)
                | Op::FAtan(_)
                | Op::FAtan2(_)
                | Op::Derivative(..)
        );
        return !(singles && float.width == Width::F64)
            && (float.round == Round::Nearest || mode == Mode::Readable || directed::is_sayable(op, float));
    }
    match *op {
        Op::SDiv | Op::UDiv | Op::SRem | Op::URem | Op::SMulHigh | Op::UMulHigh => !is_wide,
        Op::EmitVertex(stream) | Op::EndPrimitive(stream) => stream < crate::STREAMS,
        Op::Load(access) | Op::Store(access) | Op::Atomic(_, access) => access.space != Space::Global,
        Op::ReadVar(_) | Op::WriteVar(_) | Op::QuadRead(_) => false,
        _ => true,
    }
}

impl Unit<'_> {
    /// A value that is a literal zero, besides those of the function.
    pub(super) fn zero(&self) -> Value {
        Value(self.function.values.len() as u32)
    }

    /// Decides for every value how it gets into expressions.
    pub(super) fn find_leaves(&mut self) {
        let function = self.function;
        self.leaves = vec![Leaf::Pack; function.values.len()];
        self.leaves.push(Leaf::Bits(0));
        for block in &self.cfg.order {
            for id in &function.blocks[block.index()].insts {
                let inst = &function.insts[id.index()];
                let Some(result) = inst.results.first() else { continue };
                let free =
                    |value: &&Value| !matches!(self.leaves[value.index()], Leaf::Negated(_) | Leaf::Not(_));
                let leaf = match inst.op {
                    Op::B32(bits) => Leaf::Bits(bits.into()),
                    Op::B64(bits) => Leaf::Bits(bits),
                    // A float of 16 bits is the float of the same value.
                    Op::B16(bits) => Leaf::Bits(super::forms::widened(bits)),
                    Op::Bool(value) => Leaf::Truth(value),
                    Op::Load(access)
                        if matches!(access.space, Space::Input | Space::Uniform) && !access.is_indexed() =>
                    {
                        match self.interface.lanes(access).first() {
                            Some(lane) => Leaf::Global(*lane),
                            None => Leaf::Pack,
                        }
                    }
                    Op::FNeg(_) => match inst.args.first().filter(free) {
                        // The negative of bits that are not a float is no negative of theirs.
                        Some(inner) if self.kinds.of(*inner).is_float() => Leaf::Negated(*inner),
                        _ => Leaf::Pack,
                    },
                    Op::Not if function.ty(*result) == Type::Bool => match inst.args.first().filter(free) {
                        Some(inner) => Leaf::Not(*inner),
                        None => Leaf::Pack,
                    },
                    _ => Leaf::Pack,
                };
                self.leaves[result.index()] = leaf;
            }
        }
    }

    /// Calls back for each lane of a list that comes from a pack: pack, lane of it, and whether another run
    /// of lanes begins. The same runs as in [`Self::plan`].
    pub(super) fn for_each_lane(
        &self,
        values: &[Value],
        own: Option<PackId>,
        mut visit: impl FnMut(PackId, u8, bool),
    ) {
        if own.is_none()
            && let Some((tuple, _)) = self.tuple_for(values)
        {
            (0..values.len() as u8).for_each(|lane| visit(tuple, lane, lane == 0));
            return;
        }
        let mut last = None;
        for value in values {
            let (value, negated) = match self.leaves[value.index()] {
                Leaf::Negated(inner) | Leaf::Not(inner) => (inner, true),
                _ => (*value, false),
            };
            if self.leaves[value.index()] != Leaf::Pack {
                last = None;
                continue;
            }
            let (pack, lane) = self.home_of(value, own);
            let run = Some((pack, negated));
            visit(pack, lane, run != last);
            last = run;
        }
    }

    /// The pack that a value is taken from.
    pub(super) fn home_of(&self, value: Value, own: Option<PackId>) -> (PackId, u8) {
        let tuple = self.tuple_of[value.index()].filter(|(tuple, _)| Some(*tuple) != own);
        tuple.or(self.pack_of[value.index()]).unwrap_or((PackId(0), 0))
    }

    /// Whether all lanes are literals or come from one global or one pack, none of them negated.
    pub(super) fn is_one_run(&self, values: &[Value]) -> bool {
        let source = |value: &Value| match self.leaves[value.index()] {
            Leaf::Pack => Some((0, self.home_of(*value, None).0.0, None)),
            Leaf::Global(lane) => Some((1, lane.global, lane.element)),
            Leaf::Bits(_) | Leaf::Truth(_) => Some((2, 0, None)),
            Leaf::Negated(_) | Leaf::Not(_) => None,
        };
        let first = values.first().and_then(source);
        first.is_some() && values.iter().all(|value| source(value) == first)
    }

    /// The tuple that a list is, and whether all of it is negated.
    pub(super) fn tuple_for(&self, values: &[Value]) -> Option<(PackId, bool)> {
        if self.tuples.is_empty() || values.len() < 2 {
            return None;
        }
        let opposite = matches!(self.leaves[values[0].index()], Leaf::Negated(_) | Leaf::Not(_));
        let inner = |value: &Value| match self.leaves[value.index()] {
            Leaf::Negated(inner) | Leaf::Not(inner) => opposite.then_some(inner),
            _ => (!opposite).then_some(*value),
        };
        let list = values.iter().map(inner).collect::<Option<Lanes>>()?;
        self.tuples.get(&list).map(|tuple| (*tuple, opposite))
    }

    /// Where a list comes from, if [`Self::plan`] has one part for it: without making the plan.
    pub(super) fn one_source(&self, values: &[Value]) -> Option<OneSource> {
        if self.tuple_for(values).is_some() {
            return Some(OneSource::Lanes);
        }
        let inner = |value: Value| match self.leaves[value.index()] {
            Leaf::Negated(inner) | Leaf::Not(inner) => (self.leaves[inner.index()], inner, true),
            leaf => (leaf, value, false),
        };
        let (mut literals, mut negated) = (0, 0);
        let mut source = None;
        for value in values {
            let (leaf, value, opposite) = inner(*value);
            let from = match leaf {
                Leaf::Bits(_) | Leaf::Truth(_) => {
                    literals += 1;
                    continue;
                }
                Leaf::Global(lane) => (Some((lane.global, lane.element)), PackId(0)),
                Leaf::Pack | Leaf::Negated(_) | Leaf::Not(_) => (None, self.home_of(value, None).0),
            };
            negated += usize::from(opposite);
            if *source.get_or_insert(from) != from {
                return None;
            }
        }
        match (literals, negated) {
            (all, _) if all == values.len() => Some(OneSource::Bits),
            // Some are negated and some are not, or a literal stands between.
            (0, 0) => Some(OneSource::Lanes),
            (0, all) if all == values.len() => Some(OneSource::Lanes),
            _ => None,
        }
    }

    /// Runs of the lanes of a list. `own` is the tuple whose lanes are asked for: they are not taken from
    /// itself.
    pub(super) fn plan(&self, values: &[Value], own: Option<PackId>) -> Plan {
        if own.is_none()
            && let Some((tuple, opposite)) = self.tuple_for(values)
        {
            let components = (0..values.len() as u8).collect();
            return Plan {
                parts: vec![Part { source: Source::Pack(tuple), components, opposite: false }],
                opposite,
            };
        }
        let mut seen: SmallVec<[(Leaf, Value, bool); 4]> = SmallVec::new();
        for value in values {
            seen.push(match self.leaves[value.index()] {
                Leaf::Negated(inner) | Leaf::Not(inner) => (self.leaves[inner.index()], inner, true),
                leaf => (leaf, *value, false),
            });
        }
        let literal = |leaf: Leaf| matches!(leaf, Leaf::Bits(_) | Leaf::Truth(_));
        // A literal can be negated itself.
        let opposite = seen.iter().any(|(_, _, negated)| *negated)
            && seen.iter().all(|(leaf, _, negated)| *negated || literal(*leaf));
        let mut parts: Vec<Part> = Vec::new();
        for (leaf, value, negated) in seen {
            let here = negated && !opposite;
            let (source, component, negative) = match leaf {
                Leaf::Bits(bits) => {
                    // Of a negated literal only the literal is left.
                    let sign = if self.is_double(value) { 1 << 63 } else { 1 << 31 };
                    let flip = if negated != opposite { sign } else { 0 };
                    (Source::Bits(smallvec![bits ^ flip]), 0, false)
                }
                Leaf::Truth(truth) => {
                    (Source::Bits(smallvec![u64::from(truth ^ (negated != opposite))]), 0, false)
                }
                Leaf::Global(lane) => (Source::Global(lane.global, lane.element), lane.component, here),
                Leaf::Pack | Leaf::Negated(_) | Leaf::Not(_) => {
                    let (pack, lane) = self.home_of(value, own);
                    (Source::Pack(pack), lane, here)
                }
            };
            match (parts.last_mut(), source) {
                (Some(Part { source: Source::Bits(bits), components, .. }), Source::Bits(more)) => {
                    bits.extend(more);
                    components.push(0);
                }
                (Some(part), source) if part.source == source && part.opposite == negative => {
                    part.components.push(component);
                }
                (_, source) => {
                    parts.push(Part { source, components: smallvec![component], opposite: negative });
                }
            }
        }
        Plan { parts, opposite }
    }

    /// Notes what each pack takes, once packs are final.
    pub(super) fn fill_operands(&mut self) {
        for at in self.operand_table.len()..self.packs.len() {
            let operands = match self.packs[at].alive {
                true => self.operands(PackId(at as u32)),
                false => SmallVec::new(),
            };
            self.operand_table.push(operands);
        }
    }

    /// What a pack takes, as noted by [`Self::fill_operands`].
    pub(super) fn noted(&self, id: PackId) -> &[Operand] {
        &self.operand_table[id.index()]
    }

    /// What a pack takes.
    pub(super) fn operands(&self, id: PackId) -> SmallVec<[Operand; 3]> {
        let pack = self.pack(id);
        let first = pack.lanes.first().and_then(|value| self.function.definition(*value));
        let Some(inst) = first else {
            return match pack.make {
                Make::Tuple => smallvec![Operand::of(pack.lanes.clone())],
                _ => smallvec![],
            };
        };
        match &pack.make {
            Make::Params | Make::Call => smallvec![],
            Make::Tuple => smallvec![Operand::of(pack.lanes.clone())],
            Make::Matrix { vector, .. } => smallvec![Operand::of(vector.clone())],
            Make::Product { vector, index, .. } => {
                let index = index.iter().copied().map(Operand::one);
                [Operand::of(vector.clone())].into_iter().chain(index).collect()
            }
            Make::Results(_) => match inst.op {
                Op::Texture(texture) => self.fetch_operands(texture, &inst.args),
                Op::Image(image) => image_operands(image, &inst.args).into_iter().map(Operand::of).collect(),
                Op::Cross => {
                    let (a, b) = inst.args.split_at(inst.args.len() / 2);
                    smallvec![Operand::of(Lanes::from_slice(a)), Operand::of(Lanes::from_slice(b))]
                }
                Op::Refract(lanes) => {
                    inst.args.chunks(lanes.into()).map(|list| Operand::of(Lanes::from_slice(list))).collect()
                }
                Op::InverseTimes(size) | Op::TimesInverse(size) => {
                    inst.args.chunks(size.into()).map(|list| Operand::of(Lanes::from_slice(list))).collect()
                }
                _ => smallvec![Operand::of(Lanes::from_slice(&inst.args))],
            },
            Make::Operation => match inst.op {
                Op::Dot(lanes) => {
                    let (a, b) = inst.args.split_at(lanes.into());
                    smallvec![Operand::of(Lanes::from_slice(a)), Operand::of(Lanes::from_slice(b))]
                }
                Op::PackNorm(_) => smallvec![Operand::of(Lanes::from_slice(&inst.args))],
                Op::Length(_) => smallvec![Operand::of(Lanes::from_slice(&inst.args))],
                // The two words of a double are one vector.
                Op::Join if self.function.ty(pack.lanes[0]) == Type::B64 => {
                    smallvec![Operand::of(Lanes::from_slice(&inst.args))]
                }
                Op::Load(access) => match inst.args.first() {
                    Some(index) => {
                        let repeated = self.repeats_index(access);
                        smallvec![Operand { repeated, ..Operand::one(*index) }]
                    }
                    None => smallvec![],
                },
                op => (0..inst.args.len())
                    .map(|position| {
                        let values = self.lanes_of(&pack.lanes, position);
                        Operand { repeated: self.repeats(&op, position, values[0]), values }
                    })
                    .collect(),
            },
        }
    }

    /// Whether the form of an operation writes an operand more than once.
    fn repeats(&self, op: &Op, position: usize, value: Value) -> bool {
        match op {
            Op::Shl | Op::ShrU => {
                position == 1
                    && !matches!(self.leaves[value.index()], Leaf::Bits(_))
                    && !self.is_below_32(value)
            }
            Op::FFma(_, rule) => self.mode == Mode::Strict && *rule != crate::Multiply::Ieee,
            _ => false,
        }
    }

    /// What an effect takes.
    pub(super) fn effect_operands(&self, effect: &Effect) -> SmallVec<[Operand; 2]> {
        match &effect.kind {
            EffectKind::Store { values, .. } => smallvec![Operand::of(values.clone())],
            EffectKind::StoreIndexed { access, index, value } => smallvec![
                Operand { repeated: self.repeats_index(*access), ..Operand::one(*index) },
                Operand { repeated: access.stride % 4 != 0, ..Operand::one(*value) }
            ],
            EffectKind::StoreArray { access, index, value } => match index {
                Some(index) => smallvec![
                    Operand { repeated: self.repeats_index(*access), ..Operand::one(*index) },
                    Operand::one(*value)
                ],
                None => smallvec![Operand::one(*value)],
            },
            EffectKind::StoreWords { index, values, .. } => {
                let index = index.iter().copied().map(Operand::one);
                index.chain([Operand::of(values.clone())]).collect()
            }
            EffectKind::Call { inst, callee } => {
                let args = &self.function.insts[inst.index()].args;
                let groups = self.signatures[callee.index()].as_ref().map_or(&[][..], |found| &found.params);
                groups
                    .iter()
                    .map(|group| Operand::of(group.members.iter().map(|at| args[*at]).collect()))
                    .collect()
            }
            EffectKind::Act(inst) => self.act_operands(&self.function.insts[inst.index()]),
            EffectKind::EmitVertex(_) | EffectKind::EndPrimitive(_) => smallvec![],
        }
    }
}
