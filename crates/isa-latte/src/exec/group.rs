//! One group of arithmetic: all sources are read, then all results are written.

use super::super::decode::{Group, Unit};
use super::super::fields::CfAlu;
use super::super::inst::{Alu, Operand, Source};
use super::super::semantics::alu::{self, Sign};
use super::super::table::{AluInfo, AluOp, Effect, Units};
use super::double;
use super::outcome::Fault;
use super::state::{Lane, Resources, Vector};
use super::value::Bits;

/// What a group's instructions take, in their order, after absolute value and sign.
pub(super) type Sources = [[u32; 3]; 5];

/// What a lane has only inside of a clause, and its predicate.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Local {
    /// The address register; lost at the end of a clause.
    pub(super) address: [i32; 4],
    /// Results of the previous group; lost at the end of a clause.
    previous: Vector,
    previous_scalar: u32,
    /// What the previous group took, for the trace.
    pub(super) sources: Sources,
    /// False before the first one is made; kept over clauses.
    predicate: bool,
}

impl Local {
    /// Results of the previous group: x, y, z, w, and t.
    pub(super) fn results(&self) -> [u32; 5] {
        let [x, y, z, w] = self.previous;
        [x, y, z, w, self.previous_scalar]
    }

    /// The predicate.
    pub(super) fn predicate(&self) -> bool {
        self.predicate
    }

    /// A clause starts.
    pub(super) fn start_clause(&mut self) {
        (self.address, self.previous, self.previous_scalar) = ([0; 4], [0; 4], 0);
    }
}

/// Lines of a constant buffer that a clause reads.
#[derive(Debug, Clone, Copy)]
struct Lines {
    bank: u32,
    /// First vector.
    first: i64,
    /// Vectors.
    count: i64,
}

/// What all groups of a clause share.
#[derive(Debug, Clone, Copy)]
pub(super) struct Clause {
    lines: [Option<Lines>; 2],
    /// The loop index.
    index: i32,
    dx10_clamp: bool,
}

impl Clause {
    pub(super) fn new(cf: CfAlu, index: i32, dx10_clamp: bool) -> Self {
        let lines = |mode, bank, line: u32| {
            let (count, base) = match mode {
                0 => return None,
                1 => (16, 0),
                2 => (32, 0),
                _ => (32, index),
            };
            Some(Lines { bank, first: 16 * (i64::from(line) + i64::from(base)), count })
        };
        let first = lines(cf.kcache_mode0(), cf.kcache_bank0(), cf.kcache_addr0());
        let second = lines(cf.kcache_mode1(), cf.kcache_bank1(), cf.kcache_addr1());
        Self { lines: [first, second], index, dx10_clamp }
    }
}

impl Clause {
    /// The constant buffer and the vector of it that a set of lines holds at a place.
    pub(super) fn constant(&self, set: u8, vector: i64) -> Option<(u32, u64)> {
        let lines = self.lines[usize::from(set & 1)]?;
        (0..lines.count)
            .contains(&vector)
            .then(|| u64::try_from(lines.first + vector).ok())?
            .map(|vector| (lines.bank, vector))
    }
}

/// A group whose operations are known, ready to run in any lane.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ready<'a> {
    group: &'a Group,
    ops: [(AluOp, &'static AluInfo); 5],
}

/// What a group did in one lane beside its results.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Signs {
    /// The new mask bit, where one was made.
    pub(super) mask: Option<bool>,
    pub(super) killed: bool,
}

/// Registers written in one lane: up to one component for each unit.
pub(super) type Writes = [Option<(u8, u8)>; 5];

impl<'a> Ready<'a> {
    pub(super) fn new(group: &'a Group) -> Result<Self, Fault> {
        if group.fault.is_some() {
            return Err(Fault::BadGroup);
        }
        let mut ops = [(AluOp::Nop, AluOp::Nop.info()); 5];
        for (place, (unit, inst)) in ops.iter_mut().zip(group.insts()) {
            let op = inst.op().ok_or(Fault::UnknownOperation)?;
            *place = (op, op.info());
            let relative =
                inst.op2().dst_rel() != 0 || (0..inst.operand_count()).any(|n| inst.operand(n).relative);
            if relative && inst.op2().index_mode() > 4 {
                return Err(Fault::IndexMode);
            }
            let together = |units: &[Unit]| {
                units.iter().all(|&unit| group.on(unit).is_some_and(|other| other.op() == Some(op)))
            };
            let complete = match op.info().units {
                Units::All => together(&[Unit::X, Unit::Y, Unit::Z, Unit::W]),
                Units::Pair if unit == Unit::X || unit == Unit::Y => together(&[Unit::X, Unit::Y]),
                Units::Pair => together(&[Unit::Z, Unit::W]),
                _ => true,
            };
            if !complete {
                return Err(Fault::Incomplete);
            }
        }
        Ok(Self { group, ops })
    }

    /// Runs it in one lane.
    pub(super) fn run(
        &self,
        clause: &Clause,
        lane: &mut Lane,
        local: &mut Local,
        resources: &Resources,
    ) -> (Signs, Writes) {
        let group = self.group;
        let mut sources = Sources::default();
        for (place, (_, inst)) in sources.iter_mut().zip(group.insts()) {
            for (n, value) in place.iter_mut().enumerate().take(inst.operand_count()) {
                *value = self.read(clause, lane, local, resources, inst, inst.operand(n));
            }
        }
        let mut values = [0; 5];
        let mut signs = [Sign::None; 5];
        for (at, (unit, _)) in group.insts().enumerate() {
            let (op, info) = self.ops[at];
            match info.units {
                Units::All => values[at] = self.reduction(op, &sources)[unit as usize & 3],
                Units::Pair => (values[at], signs[at]) = self.double(op, unit, &sources),
                _ => {
                    if let Some(outcome) = alu::scalar(&mut Bits, op, sources[at]) {
                        (values[at], signs[at]) = (outcome.value, outcome.sign);
                    }
                }
            }
        }
        let mut done = Signs::default();
        let (mut previous, mut previous_scalar) = ([0; 4], 0);
        let (mut address, mut predicate) = (local.address, local.predicate);
        let mut writes: Writes = [None; 5];
        for (at, (unit, inst)) in group.insts().enumerate() {
            let (op, info) = self.ops[at];
            let clamp = inst.op2().clamp() != 0;
            let value =
                alu::modify(&mut Bits, info.domain, inst.omod(), clamp, clause.dx10_clamp, values[at]);
            match unit {
                Unit::T => previous_scalar = value,
                unit => previous[unit as usize & 3] = value,
            }
            let runs = match inst.op2().pred_sel() {
                2 => !local.predicate,
                3 => local.predicate,
                _ => true,
            };
            if !runs {
                continue;
            }
            match signs[at] {
                Sign::None => {}
                Sign::Kill(killed) => done.killed |= killed,
                Sign::Predicate(truth) => {
                    if inst.updates_predicate() {
                        predicate = truth;
                    }
                    if inst.updates_mask() {
                        done.mask = Some(truth);
                    }
                }
            }
            let chan = inst.dst_chan() as usize;
            if info.effect == Effect::Address {
                address[chan] = value as i32;
            }
            if !inst.writes() || op == AluOp::Nop {
                continue;
            }
            let offset = if inst.op2().dst_rel() != 0 { self.offset(clause, local, inst) } else { 0 };
            if let Ok(register @ 0..=127) = u8::try_from(i64::from(inst.dst_gpr()) + i64::from(offset)) {
                lane.registers[usize::from(register)][chan] = value;
                writes[at] = Some((register, 1 << chan));
            }
        }
        (local.address, local.predicate) = (address, predicate);
        (local.previous, local.previous_scalar) = (previous, previous_scalar);
        local.sources = sources;
        (done, writes)
    }

    /// The index of an instruction.
    fn offset(&self, clause: &Clause, local: &Local, inst: Alu) -> i32 {
        match inst.op2().index_mode() {
            mode @ 0..=3 => local.address[mode as usize],
            _ => clause.index,
        }
    }

    fn read(
        &self,
        clause: &Clause,
        lane: &Lane,
        local: &Local,
        resources: &Resources,
        inst: Alu,
        operand: Operand,
    ) -> u32 {
        let chan = usize::from(operand.channel & 3);
        let offset = || i64::from(if operand.relative { self.offset(clause, local, inst) } else { 0 });
        let value = match operand.source {
            Source::Gpr(register) => {
                let register = usize::try_from(i64::from(register) + offset()).ok();
                register.and_then(|register| lane.registers.get(register)).map_or(0, |value| value[chan])
            }
            Source::Kcache(set, vector) => {
                let vector = i64::from(vector) + offset();
                match clause.lines[usize::from(set & 1)] {
                    Some(lines) if (0..lines.count).contains(&vector) => u64::try_from(lines.first + vector)
                        .map_or(0, |vector| resources.constant(lines.bank, vector)[chan]),
                    _ => 0,
                }
            }
            Source::Constant(register) => resources.file(i64::from(register) + offset())[chan],
            Source::Zero | Source::Other(_) => 0,
            Source::One => 1.0_f32.to_bits(),
            Source::IntOne => 1,
            Source::IntMinusOne => u32::MAX,
            Source::Half => 0.5_f32.to_bits(),
            Source::Literal => self.group.literals[chan],
            Source::PreviousVector => local.previous[chan],
            Source::PreviousScalar => local.previous_scalar,
        };
        alu::source(&mut Bits, operand.absolute, operand.negate, value)
    }

    /// Where the instruction of a unit is.
    fn place(&self, unit: Unit) -> usize {
        self.group.insts().position(|(on, _)| on == unit).unwrap_or(0)
    }

    fn reduction(&self, op: AluOp, sources: &Sources) -> Vector {
        let of = |unit| {
            let [a, b, _] = sources[self.place(unit)];
            [a, b]
        };
        let four = [of(Unit::X), of(Unit::Y), of(Unit::Z), of(Unit::W)];
        alu::reduce(&mut Bits, op, four).unwrap_or_default()
    }

    fn double(&self, op: AluOp, unit: Unit, sources: &Sources) -> (u32, Sign<bool>) {
        const UNITS: [Unit; 4] = [Unit::X, Unit::Y, Unit::Z, Unit::W];
        let of = |unit| sources[self.place(unit)];
        let all = UNITS.iter().all(|&unit| self.group.on(unit).is_some_and(|inst| inst.op() == Some(op)));
        if all && double::takes_four(op) {
            let results = double::four(op, UNITS.map(of)).unwrap_or_default();
            return (results[unit as usize & 3], Sign::None);
        }
        let (first, second) =
            if matches!(unit, Unit::X | Unit::Y) { (Unit::X, Unit::Y) } else { (Unit::Z, Unit::W) };
        let pair = double::pair(op, of(first), of(second)).unwrap_or_default();
        let value = if unit == first { pair.low } else { pair.high };
        (value, pair.predicate.map_or(Sign::None, Sign::Predicate))
    }
}
