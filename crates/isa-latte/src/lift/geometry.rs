//! Geometry programs: where they find their vertices, and what they hand over.

use super::super::{Alu, AluOp, CfOp, Group, Program, Source};
use super::explore::{Destination, Exit, Place, PlaceId, What};
use std::collections::{BTreeMap, HashMap};

/// What is known of a register's component: its value, and how far its value times four is from the first word of the
/// item that is being written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Known {
    value: Option<i64>,
    words: Option<i64>,
}

/// What is known at a place.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
struct State {
    /// Vertices that were handed over.
    emitted: Option<i64>,
    registers: BTreeMap<(u8, u8), Known>,
}

/// Where in its item each write to the ring goes, by place and in words from the base of the instruction.
pub(super) type Offsets = HashMap<PlaceId, i64>;

/// Words of an instruction's element that are followed; others are not known.
const ELEMENT: i64 = 4;

/// Follows the program's own index into the ring: compilers count it on by the size of an item with each vertex. Answers
/// nothing where that is not so, or a write leaves the item of the next vertex.
pub(super) fn offsets(
    program: Program<'_>,
    start: Destination,
    places: &[Place],
    item: u32,
) -> Option<Offsets> {
    let item = i64::from(item);
    let Destination::Place(first) = start else { return Some(Offsets::new()) };
    let mut states: Vec<Option<State>> = vec![None; places.len()];
    states[first as usize] = Some(State { emitted: Some(0), ..State::default() });
    let mut queue = vec![first];
    while let Some(at) = queue.pop() {
        let Some(state) = states[at as usize].clone() else { continue };
        let behind = state.through(program, &places[at as usize], item);
        let (one, two) = match &places[at as usize].exit {
            Exit::Jump(edge) => (edge, None),
            Exit::Branch { then, otherwise, .. } => (then, Some(otherwise)),
        };
        for edge in [Some(one), two].into_iter().flatten() {
            let Destination::Place(to) = edge.to else { continue };
            let place = &mut states[to as usize];
            let joined = match place {
                Some(known) => known.joined(&behind, item),
                None => behind.clone(),
            };
            if place.as_ref() != Some(&joined) {
                *place = Some(joined);
                queue.push(to);
            }
        }
    }
    let mut offsets = Offsets::new();
    for (at, place) in places.iter().enumerate() {
        let What::Cf(address) = place.what else { continue };
        let Some(cf) = program.cf(address).filter(|cf| cf.op() == Some(CfOp::MemRing)) else { continue };
        let Some(state) = &states[at] else { continue };
        let memory = cf.memory();
        let words = match memory.kind() {
            0 => state.emitted.map(|emitted| -emitted * item),
            1 => state.of((memory.index_gpr() as u8, 0), item).words,
            _ => None,
        }?;
        let from = words + i64::from(memory.array_base());
        // What is masked is not written.
        let last = ELEMENT - i64::from((memory.comp_mask() << 28).leading_zeros());
        let to = from + ELEMENT * i64::from(memory.burst_count()) + last;
        if memory.elem_size() != 3 || from < 0 || to > item {
            return None;
        }
        offsets.insert(at as PlaceId, words);
    }
    Some(offsets)
}

impl State {
    fn of(&self, register: (u8, u8), item: i64) -> Known {
        self.complete(self.registers.get(&register).copied().unwrap_or_default(), item)
    }

    /// With the distance, where the value and the number of vertices are known.
    fn complete(&self, known: Known, item: i64) -> Known {
        let distance = || Some(ELEMENT * known.value? - self.emitted? * item);
        Known { words: known.words.or_else(distance), ..known }
    }

    fn joined(&self, other: &Self, item: i64) -> Self {
        let emitted = self.emitted.filter(|_| self.emitted == other.emitted);
        let both = self.registers.keys().filter(|register| other.registers.contains_key(register));
        let same = |a: Option<i64>, b: Option<i64>| a.filter(|_| a == b);
        let registers = both.filter_map(|&register| {
            let (a, b) = (self.of(register, item), other.of(register, item));
            let known = Known { value: same(a.value, b.value), words: same(a.words, b.words) };
            (known != Known::default()).then_some((register, known))
        });
        Self { emitted, registers: registers.collect() }
    }

    fn set(&mut self, register: (u8, u8), known: Known) {
        if known == Known::default() {
            self.registers.remove(&register);
        } else {
            self.registers.insert(register, known);
        }
    }

    /// What is known behind a place.
    fn through(&self, program: Program<'_>, place: &Place, item: i64) -> Self {
        let mut state = self.clone();
        let (address, first) = match place.what {
            What::Cf(address) => (address, 0),
            What::Groups { cf, first } => (cf, first),
            What::Head { .. } => return state,
        };
        let Some(cf) = program.cf(address) else { return state };
        let Some(op) = cf.op() else { return state };
        if op.is_alu() {
            let mut previous = [Known::default(); 5];
            for group in program.groups(cf.alu()).filter(|group| group.address >= first) {
                previous = state.group(&group, previous, item);
            }
        } else if op.is_fetch() {
            for (_, inst) in program.fetches(cf.normal()) {
                let vtx = inst.vtx();
                if vtx.dst_rel() != 0 {
                    state.registers.clear();
                }
                (0..4).for_each(|lane| state.set((vtx.dst_gpr() as u8, lane), Known::default()));
            }
        } else if op.is_memory() && cf.memory().kind() & 2 != 0 {
            state.registers.clear();
        } else if matches!(op, CfOp::EmitVertex | CfOp::EmitCutVertex) {
            // Under a condition it is not known how many there were.
            state.emitted = self.emitted.filter(|_| cf.normal().cond() == 0).map(|emitted| emitted + 1);
            for known in state.registers.values_mut() {
                known.words = known.words.filter(|_| cf.normal().cond() == 0).map(|words| words - item);
            }
        }
        state
    }

    /// A group; answers its results by unit.
    fn group(&mut self, group: &Group, previous: [Known; 5], item: i64) -> [Known; 5] {
        let mut results = [Known::default(); 5];
        let mut writes = Vec::new();
        for (unit, inst) in group.insts() {
            let known = self.result(group, inst, &previous, item);
            results[unit as usize] = known;
            if !inst.writes() {
                continue;
            }
            if inst.op2().dst_rel() != 0 {
                self.registers.clear();
                continue;
            }
            let always = inst.op2().pred_sel() < 2;
            let known = if always { known } else { Known::default() };
            writes.push(((inst.dst_gpr() as u8, inst.dst_chan() as u8), known));
        }
        writes.into_iter().for_each(|(register, known)| self.set(register, known));
        results
    }

    fn result(&self, group: &Group, inst: Alu, previous: &[Known; 5], item: i64) -> Known {
        let source = |n: usize| {
            let operand = inst.operand(n);
            if operand.relative || operand.negate || operand.absolute {
                return Known::default();
            }
            let value = |value: i64| self.complete(Known { value: Some(value), words: None }, item);
            match operand.source {
                Source::Gpr(register) => self.of((register, operand.channel), item),
                Source::Zero => value(0),
                Source::IntOne => value(1),
                Source::IntMinusOne => value(-1),
                Source::Literal => value((group.literals[usize::from(operand.channel & 3)] as i32).into()),
                Source::PreviousVector => previous[usize::from(operand.channel & 3)],
                Source::PreviousScalar => previous[4],
                _ => Known::default(),
            }
        };
        let sum = |a: Known, b: Known, sign: i64| {
            let scaled = |known: Known| known.value.map(|value| sign * ELEMENT * value);
            let words = match (a.words, scaled(b)) {
                (Some(words), Some(more)) => Some(words + more),
                // A number and a distance, where it is added.
                _ if sign > 0 => b.words.zip(a.value).map(|(words, value)| words + ELEMENT * value),
                _ => None,
            };
            let value = a.value.zip(b.value).map(|(a, b)| a + sign * b);
            let small = |number: &i64| number.abs() < 1 << 30;
            Known { value: value.filter(small), words: words.filter(small) }
        };
        if inst.omod() != 0 || inst.op2().clamp() != 0 {
            return Known::default();
        }
        match inst.op() {
            Some(AluOp::Mov) => source(0),
            Some(AluOp::AddInt) => sum(source(0), source(1), 1),
            Some(AluOp::SubInt) => sum(source(0), source(1), -1),
            _ => Known::default(),
        }
    }
}
