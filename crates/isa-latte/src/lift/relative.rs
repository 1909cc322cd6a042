//! Registers that are reached by an index: which ones have to lie in an array.
//!
//! The index may lead to any register, so exactly all 128 of them do. Programs of a compiler stay inside of the
//! array that the source had: from the register that the index is added to, as far as the code lets the index go where
//! it does (`AND_INT` in front of `MOVA_INT`), else up to the next register that the program reads by its own number
//! what it last put there. A register may have served for other things in front of that.

use super::super::{Alu, CfOp, Fetch, FetchOp, Program, Source};
use super::explore::{Place, What};
use super::reached::most;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use unshade_ir::bounds::Bounds;
use unshade_ir::{BlockId, Module, Op, Space};

/// Components of a register, each a word of the array.
const COMPONENTS: u32 = 4;

/// Registers, behind which those begin that only keep their value inside of a clause.
pub(super) const REGISTERS: u8 = 124;

/// How far an index is taken to lead.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Reach {
    /// Everywhere.
    #[default]
    Everywhere,
    /// Through the array that the source most likely had.
    Array,
    /// From one register to another.
    Through {
        /// The first one.
        first: u8,
        /// The last one.
        last: u8,
    },
}

impl Reach {
    /// How far the indices of a module go that was lifted with this reach, where its code shows that, and whether it does of each:
    /// what machine code spells out (`i % 5`) is told by what passes have made of it.
    ///
    /// Where that is inside of the reach, the program never leaves it: until an index does, the module computes what the machine
    /// does.
    pub fn shown(self, module: &Module) -> Option<(Self, bool)> {
        let Self::Through { first: start, last: end } = self else { return None };
        let mut through: Option<(u32, u32)> = None;
        let mut of_each = true;
        for function in &module.functions {
            let bounds = Bounds::new(function);
            for (number, block) in (0..).zip(&function.blocks) {
                for inst in block.insts.iter().filter_map(|id| function.insts.get(id.index())) {
                    let (Op::Load(access) | Op::Store(access)) = inst.op else { continue };
                    let first = u32::from(start) + access.offset / COMPONENTS;
                    // Behind the end only an index leads, if it has become a number.
                    let by_index = access.is_indexed() || first > u32::from(end);
                    if access.space != Space::Local || access.binding != 0 || !by_index {
                        continue;
                    }
                    let words = match inst.args.first().filter(|_| access.is_indexed()) {
                        Some(index) => bounds
                            .most(*index, BlockId(number))
                            .and_then(|most| most.checked_mul(access.stride)),
                        None => Some(0),
                    };
                    of_each &= words.is_some();
                    let last = first.checked_add(words.unwrap_or(0) / COMPONENTS)?;
                    let (start, end) = through.unwrap_or((first, last));
                    through = Some((start.min(first), end.max(last)));
                }
            }
        }
        let (first, last) = through?;
        let last = u8::try_from(last).ok().filter(|last| *last < REGISTERS)?;
        Some((Self::Through { first: u8::try_from(first).ok()?, last }, of_each))
    }

    /// As far as either goes.
    pub fn with(self, other: Self) -> Self {
        match (self, other) {
            (Self::Through { first, last }, Self::Through { first: start, last: end }) => {
                Self::Through { first: first.min(start), last: last.max(end) }
            }
            (known, _) => known,
        }
    }
}

/// What indices reach.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Indexed {
    /// Registers.
    pub(super) registers: Range<u8>,
    /// Components of them: an index leads to the same one of another register.
    pub(super) lanes: [bool; 4],
}

impl Indexed {
    pub(super) fn holds(&self, register: u8, lane: u8) -> bool {
        self.registers.contains(&register) && self.lanes.get(usize::from(lane)) == Some(&true)
    }
}

/// What the instructions of a program name.
#[derive(Default)]
struct Named {
    /// Registers that an index is added to, and where first; and components that are reached so.
    bases: BTreeSet<u8>,
    lanes: [bool; 4],
    first: Option<u32>,
    /// Where components are read by their own numbers, and where they are written.
    read: BTreeMap<(u8, u8), Vec<u32>>,
    written: BTreeMap<(u8, u8), Vec<u32>>,
    /// Where the instruction is that is looked at.
    at: u32,
}

/// What lies in an array; empty where no index reaches any.
pub(super) fn array(program: Program<'_>, places: &[Place], reach: Reach) -> Indexed {
    let mut named = Named::default();
    for place in places {
        named.place(program, place);
    }
    Indexed { registers: named.array(program, places, reach), lanes: named.lanes }
}

impl Named {
    /// The registers of the array.
    fn array(&self, program: Program<'_>, places: &[Place], reach: Reach) -> Range<u8> {
        let Some(&first) = self.bases.first() else { return 0..0 };
        match reach {
            Reach::Everywhere => return 0..128,
            Reach::Through { first, last } => return first..last.saturating_add(1),
            Reach::Array => {}
        }
        let last_base = self.bases.last().copied().unwrap_or(first);
        if let Some(most) = most(program, places) {
            return first..(last_base.saturating_add(most) + 1).min(REGISTERS).max(last_base + 1);
        }
        let mut end = last_base + 1;
        while end < REGISTERS && self.belongs(end) {
            end += 1;
        }
        // What serves for other things behind the array is no part of it.
        while end > last_base + 2 && self.is_rewritten(end - 1) {
            end -= 1;
        }
        first..end
    }

    fn place(&mut self, program: Program<'_>, place: &Place) {
        let (address, first) = match place.what {
            What::Cf(address) => (address, 0),
            What::Groups { cf, first } => (cf, first),
            What::Head { .. } => return,
        };
        let Some(cf) = program.cf(address) else { return };
        let Some(op) = cf.op() else { return };
        // Without an index the number counts alone.
        let loops = place.index.is_some();
        // Clauses lie in the order of the instructions that lead to them, and so do these.
        let turn = address.saturating_mul(1 << 12);
        if op.is_alu() {
            for (n, group) in program.groups(cf.alu()).enumerate().filter(|(_, group)| group.address >= first)
            {
                self.at = turn + 2 * n as u32;
                group.insts().for_each(|(_, inst)| self.reads(inst, loops));
                self.at += 1;
                group.insts().for_each(|(_, inst)| self.writes(inst, loops));
            }
        } else if op.is_fetch() {
            for (n, (_, inst)) in program.fetches(cf.normal()).enumerate() {
                self.at = turn + 2 * n as u32;
                self.fetch(inst, loops);
            }
        } else if op.is_export() || op.is_memory() {
            self.at = turn;
            let memory = cf.memory();
            let relative = memory.gpr_relative() != 0 && loops;
            for lane in 0..4 {
                for n in 0..=memory.burst_count() {
                    self.read(memory.gpr() + n, lane, relative);
                }
                if op != CfOp::Export && memory.kind() & 1 != 0 {
                    self.read(memory.index_gpr(), lane, false);
                }
            }
        }
    }

    fn read(&mut self, register: u32, lane: u8, relative: bool) {
        let Ok(register) = u8::try_from(register) else { return };
        if relative {
            self.base(register, lane);
        } else {
            self.read.entry((register, lane)).or_default().push(self.at);
        }
    }

    fn base(&mut self, register: u8, lane: u8) {
        self.bases.insert(register);
        if let Some(reached) = self.lanes.get_mut(usize::from(lane)) {
            *reached = true;
        }
        self.first = Some(self.first.map_or(self.at, |first| first.min(self.at)));
    }

    fn write(&mut self, register: u8, lane: u8) {
        self.written.entry((register, lane)).or_default().push(self.at);
    }

    /// Whether a register holds something for an index to find: it is written in front of the first one, and what was last
    /// put there is not read by the register's number.
    fn belongs(&self, register: u8) -> bool {
        let Some(first) = self.first else { return false };
        let mut any = false;
        for lane in 0..4 {
            let writes = self.written.get(&(register, lane)).map_or(&[][..], Vec::as_slice);
            let Some(last) = writes.iter().copied().filter(|at| *at <= first).max() else { continue };
            any = true;
            let next = writes.iter().copied().filter(|at| *at > first).min().unwrap_or(u32::MAX);
            let reads = self.read.get(&(register, lane)).map_or(&[][..], Vec::as_slice);
            if reads.iter().any(|at| *at > last && *at < next) {
                return false;
            }
        }
        any
    }

    fn is_rewritten(&self, register: u8) -> bool {
        (0..4).any(|lane| self.written.get(&(register, lane)).is_some_and(|writes| writes.len() > 1))
    }

    fn reads(&mut self, inst: Alu, loops: bool) {
        let Some(op) = inst.op() else { return };
        let has_index = inst.op2().index_mode() <= 3 || loops;
        for n in 0..usize::from(op.info().sources) {
            let operand = inst.operand(n);
            if let Source::Gpr(register) = operand.source {
                self.read(register.into(), operand.channel, operand.relative && has_index);
            }
        }
    }

    fn writes(&mut self, inst: Alu, loops: bool) {
        if inst.op().is_none() || !inst.writes() {
            return;
        }
        let has_index = inst.op2().index_mode() <= 3 || loops;
        let (register, lane) = (inst.dst_gpr() as u8, inst.dst_chan() as u8);
        if inst.op2().dst_rel() != 0 && has_index {
            self.base(register, lane);
        } else {
            self.write(register, lane);
        }
    }

    fn fetch(&mut self, inst: Fetch, loops: bool) {
        let vtx = inst.vtx();
        for lane in 0..4 {
            self.read(vtx.src_gpr(), lane, vtx.src_rel() != 0 && loops);
        }
        let register = vtx.dst_gpr() as u8;
        if inst.op() == FetchOp::VtxSemantic {
            return;
        }
        self.at += 1;
        if vtx.dst_rel() != 0 && loops {
            (0..4).for_each(|lane| self.base(register, lane));
            return;
        }
        for (lane, _) in (0..4).zip(vtx.dst_swizzle()).filter(|(_, select)| *select < 6) {
            self.write(register, lane);
        }
    }
}
