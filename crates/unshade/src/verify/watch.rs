//! Seeing whether a program does what readable mode assumes that none does: it divides an integer by zero, for which no
//! language says what comes out, its index leads out of what it addresses, or whole turns are taken off an angle of so many that
//! nothing is left of it. And whether it drops its pixel, of which
//! readable mode assumes that it ends.

use super::machine::Inputs;
use super::outside::Reason;
use super::subject::Subject;
use unshade_ir::{
    Access, CompareFloat, CompareInt, FloatMode, Function, Global, InstId, Module, Op, Origin, Shape, Space,
    Type, Value, ValueDef, Width,
};

/// Binding of the mark in the output space; no machine has that many.
const MARK: u32 = 1 << 16;

/// Where it is left for an index outside of what it addresses, for an integer divided by zero, and for a dropped pixel.
const BEYOND: Access = Access { space: Space::Output, binding: MARK, offset: 0, stride: 0 };
const BY_ZERO: Access = Access { offset: 1, ..BEYOND };
const DROPPED: Access = Access { offset: 2, ..BEYOND };
/// And for an angle of too many turns.
const TURNED: Access = Access { offset: 3, ..BEYOND };
/// Words of the marks.
const MARKS: usize = 4;

/// Turns of which a float holds no fraction that is worth something.
const MOST_TURNS: f32 = 65_536.0;
/// Operations between a sine and what takes whole turns off its argument.
const TURN_STEPS: usize = 16;

/// Lets a module leave a mark where it does so. The registers of any case say how much there is to address.
pub(super) fn watch(module: &mut Module, inputs: &Inputs) {
    let globals = std::mem::take(&mut module.globals);
    let arrays: Vec<u32> = module.arrays.iter().map(|array| array.words).collect();
    let words = |access: Access| match access.space {
        Space::Local => arrays.get(access.binding as usize).copied(),
        Space::Uniform if array_of(&globals, access).is_some() => array_of(&globals, access),
        Space::Uniform => {
            let file =
                inputs.iter().find(|file| (file.space, file.binding) == (access.space, access.binding));
            file.and_then(|file| u32::try_from(file.words.len()).ok())
        }
        _ => None,
    };
    for function in &mut module.functions {
        let turned = turned(function);
        for block in 0..function.blocks.len() {
            let listed = std::mem::take(&mut function.blocks[block].insts);
            let mut insts = Vec::with_capacity(listed.len());
            for id in listed {
                let inst = &function.insts[id.index()];
                let first = inst.args.first().copied();
                match (inst.op, first, inst.args.get(1).copied()) {
                    (Op::UDiv | Op::SDiv | Op::URem | Op::SRem, _, Some(divisor)) => {
                        Marker { function, insts: &mut insts }.zero(divisor);
                    }
                    (Op::Load(access) | Op::Store(access), Some(index), _) if access.is_indexed() => {
                        if let Some(words) = words(access) {
                            Marker { function, insts: &mut insts }.outside(access, index, words);
                        }
                    }
                    (Op::FRound(..), Some(turns), _) if turned.contains(&id) => {
                        Marker { function, insts: &mut insts }.turns(turns);
                    }
                    (Op::Demote, ..) => Marker { function, insts: &mut insts }.dropped(),
                    _ => {}
                }
                insts.push(id);
            }
            function.blocks[block].insts = insts;
        }
    }
    module.globals = globals;
}

/// The word behind the array that an access starts in, where its words are whole numbers or truth values as floats: what lies behind
/// it is none of these.
fn array_of(globals: &[Global], access: Access) -> Option<u32> {
    let whole = |global: &&Global| {
        let kind =
            matches!(global.shape, Shape::Int { elements: 1.., .. } | Shape::Bool { elements: 1.., .. });
        kind && global.as_float && (global.space, global.binding) == (access.space, access.binding)
    };
    let starts = |global: &&Global| global.locate(access.offset).is_some() && access.stride == global.stride;
    globals.iter().filter(whole).find(starts).map(Global::end)
}

/// What rounds the arguments of sines and cosines down to whole turns.
fn turned(function: &Function) -> Vec<InstId> {
    let mut found = Vec::new();
    for id in function.blocks.iter().flat_map(|block| &block.insts) {
        let inst = &function.insts[id.index()];
        if !matches!(inst.op, Op::FSin(_) | Op::FCos(_)) {
            continue;
        }
        let mut open: Vec<Value> = inst.args.to_vec();
        for _ in 0..TURN_STEPS {
            let Some(value) = open.pop() else { break };
            let Some(ValueDef::Result(made, _)) = function.values.get(value.index()).map(|value| value.def)
            else {
                continue;
            };
            let inst = &function.insts[made.index()];
            match inst.op {
                Op::FRound(..) => found.push(made),
                Op::FAdd(_) | Op::FMul(..) | Op::FNeg(_) | Op::FFma(..) => {
                    open.extend(inst.args.iter().copied())
                }
                _ => {}
            }
        }
    }
    found
}

/// Puts what leaves marks in front of the instruction that follows.
struct Marker<'a> {
    function: &'a mut Function,
    insts: &'a mut Vec<InstId>,
}

impl Marker<'_> {
    fn push(&mut self, op: Op, args: &[Value], ty: Type) -> Value {
        let inst = self.function.push_inst(op, args, &[ty], Origin::default());
        self.insts.push(inst);
        self.function.result(inst, 0)
    }

    fn number(&mut self, bits: u32) -> Value {
        self.push(Op::B32(bits), &[], Type::B32)
    }

    /// Marks a divisor that is zero.
    fn zero(&mut self, divisor: Value) {
        if self.function.ty(divisor) == Type::B32 {
            let zero = self.number(0);
            let is_zero = self.push(Op::ICompare(CompareInt::Eq), &[divisor, zero], Type::Bool);
            self.mark(BY_ZERO, is_zero);
        }
    }

    /// Marks an index that leads out of so many words.
    fn outside(&mut self, access: Access, index: Value, words: u32) {
        // Steps that lie in front of the constant part of the address, and all that there are.
        let before = access.offset / access.stride;
        let steps = before + words.saturating_sub(access.offset).div_ceil(access.stride);
        let [before, steps] = [before, steps].map(|number| self.number(number));
        let step = self.push(Op::IAdd, &[index, before], Type::B32);
        let outside = self.push(Op::ICompare(CompareInt::Ule), &[steps, step], Type::Bool);
        self.mark(BEYOND, outside);
    }

    /// Marks that many turns, in either direction.
    fn turns(&mut self, turns: Value) {
        if self.function.ty(turns) == Type::B32 {
            let most = self.number(MOST_TURNS.to_bits());
            let size = self.push(Op::FAbs(Width::F32), &[turns], Type::B32);
            let is_many = Op::FCompare(CompareFloat::Le, FloatMode::F32);
            let is_many = self.push(is_many, &[most, size], Type::Bool);
            self.mark(TURNED, is_many);
        }
    }

    /// Marks that the pixel is dropped.
    fn dropped(&mut self) {
        let one = self.number(1);
        self.store(DROPPED, one);
    }

    fn mark(&mut self, place: Access, condition: Value) {
        let before = self.push(Op::Load(place), &[], Type::B32);
        let marked = self.push(Op::BToI, &[condition], Type::B32);
        let after = self.push(Op::Or, &[before, marked], Type::B32);
        self.store(place, after);
    }

    fn store(&mut self, place: Access, value: Value) {
        let store = self.function.push_inst(Op::Store(place), &[value], &[], Origin::default());
        self.insts.push(store);
    }
}

/// Takes the marks away before a run.
pub(super) fn clear(subject: &mut Subject<'_>) {
    subject.set(Space::Output, MARK, vec![0; MARKS]);
}

/// What the last run did that no program does.
pub(super) fn marked(subject: &Subject<'_>) -> Option<Reason> {
    let marks = [(BEYOND, Reason::Index), (BY_ZERO, Reason::Divisor), (TURNED, Reason::Turns)];
    marks.into_iter().find(|(place, _)| is_left(subject, *place)).map(|(_, reason)| reason)
}

/// Whether the last run dropped its pixel.
pub(super) fn is_dropped(subject: &Subject<'_>) -> bool {
    is_left(subject, DROPPED)
}

fn is_left(subject: &Subject<'_>, place: Access) -> bool {
    subject.words(Space::Output, MARK).get(place.offset as usize).is_some_and(|mark| *mark != 0)
}
