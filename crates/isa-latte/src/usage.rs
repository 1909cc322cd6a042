//! What a program uses of the machine, counted from its code.

use super::decode::{Program, Unit};
use super::fields::CfNormal;
use super::inst::{Cf, Source};
use super::layout::Layout;
use super::table::{AluOp, CfOp, Effect};
use std::collections::{BTreeMap, BTreeSet};
use unshade_stage::StageKind;

/// Registers from here on keep their value inside of a clause only.
pub const FIRST_TEMPORARY: u32 = 120;
/// Stack elements in an entry; the claimed size counts entries (Mesa, for chips like the RV770).
pub const ENTRY: u32 = 4;

/// What a program uses.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Uses {
    /// Control-flow instructions.
    pub flow: u32,
    /// Clauses of arithmetic.
    pub alu_clauses: u32,
    /// Clauses of fetches.
    pub fetch_clauses: u32,
    /// Groups of arithmetic: what the machine issues.
    pub groups: u32,
    /// Arithmetic instructions by unit.
    pub units: [u32; 5],
    /// Units of 64 bits with literals.
    pub literals: u32,
    /// Fetches from textures.
    pub texture_fetches: u32,
    /// Fetches from buffers.
    pub buffer_fetches: u32,
    /// Operands with an index.
    pub relative: u32,
    /// Instructions by their names.
    pub operations: BTreeMap<String, u32>,
    /// Registers named, those that live in clauses apart: the highest plus 1.
    pub registers: u32,
    /// Registers of the constant file: the highest plus 1.
    pub constants: u32,
    /// Buffers that constants are read from through the cache.
    pub banks: BTreeSet<u32>,
    /// Texture numbers of fetches.
    pub textures: BTreeSet<u32>,
    /// Sampler numbers of fetches.
    pub samplers: BTreeSet<u32>,
    /// Buffer numbers of fetches.
    pub buffers: BTreeSet<u32>,
    /// Loop constants.
    pub loops: BTreeSet<u32>,
    /// Places of position exports.
    pub positions: BTreeSet<u32>,
    /// Numbers of parameter exports.
    pub parameters: BTreeSet<u32>,
    /// Places of pixel exports with the components written, 1 for x to 8 for w.
    pub pixels: BTreeMap<u32, u32>,
    /// It can drop pixels.
    pub kills: bool,
    /// Elements of the stack, where pushes and loops are closed as they stand.
    pub stack: u32,
    /// It writes rings, streams or other memory.
    pub memory: bool,
    /// It makes vertices.
    pub emits: bool,
}

impl Uses {
    /// Counts a program.
    pub fn new(program: &Program<'_>, layout: &Layout) -> Self {
        let mut uses = Self::default();
        let mut stack = Stack::default();
        for address in layout.flow() {
            let Some(cf) = program.cf(address) else { continue };
            uses.flow(cf);
            stack.step(cf);
            let Some(clause) = layout.clause_at(address) else { continue };
            if clause.fetches {
                uses.fetch_clauses += 1;
                uses.fetches(program, cf.normal());
            } else {
                uses.alu_clauses += 1;
                uses.arithmetic(program, cf);
            }
        }
        uses.stack = stack.most;
        uses
    }

    fn count(&mut self, name: &str) {
        match self.operations.get_mut(name) {
            Some(count) => *count += 1,
            None => {
                self.operations.insert(name.to_owned(), 1);
            }
        }
    }

    fn register(&mut self, number: u32) {
        if number < FIRST_TEMPORARY {
            self.registers = self.registers.max(number + 1);
        }
    }

    fn flow(&mut self, cf: Cf) {
        self.flow += 1;
        let Some(op) = cf.op() else { return self.count("unknown") };
        self.count(op.name());
        if op.is_export() {
            let export = cf.export();
            let last = export.burst_count();
            self.register(export.gpr() + last);
            self.relative += export.gpr_relative();
            for number in export.array_base()..=export.array_base() + last {
                match export.kind() {
                    0 => {
                        let swizzle = (0..).zip(export.swizzle());
                        let mask = swizzle.filter(|(_, select)| *select != 7).map(|(lane, _)| 1_u32 << lane);
                        *self.pixels.entry(number).or_default() |= mask.sum::<u32>();
                    }
                    1 => {
                        self.positions.insert(number);
                    }
                    2 => {
                        self.parameters.insert(number);
                    }
                    _ => {}
                }
            }
        } else if op.is_memory() {
            self.memory = true;
            let memory = cf.memory();
            self.register(memory.gpr() + memory.burst_count());
            if memory.kind() & 1 != 0 {
                self.register(memory.index_gpr());
            }
        }
        match op {
            CfOp::LoopStart | CfOp::LoopStartNoAl => {
                self.loops.insert(cf.normal().cf_const());
            }
            CfOp::Kill => self.kills = true,
            CfOp::EmitVertex | CfOp::EmitCutVertex => self.emits = true,
            _ => {}
        }
    }

    fn arithmetic(&mut self, program: &Program<'_>, cf: Cf) {
        let alu = cf.alu();
        let banks = [(alu.kcache_mode0(), alu.kcache_bank0()), (alu.kcache_mode1(), alu.kcache_bank1())];
        for (mode, bank) in banks {
            if mode != 0 {
                self.banks.insert(bank);
            }
        }
        for group in program.groups(alu) {
            self.groups += 1;
            self.literals += u32::from(group.literal_units);
            for (unit, inst) in group.insts() {
                if let Some(count) = self.units.get_mut(unit as usize) {
                    *count += 1;
                }
                let info = inst.op().map(AluOp::info);
                self.count(info.map_or("unknown", |info| info.name));
                self.kills |= info.is_some_and(|info| info.effect == Effect::Kill);
                if inst.writes() {
                    self.register(inst.dst_gpr());
                    self.relative += inst.op2().dst_rel();
                }
                let sources = info.map_or(inst.operand_count(), |info| info.sources.into());
                for index in 0..sources {
                    let operand = inst.operand(index);
                    self.relative += u32::from(operand.relative);
                    match operand.source {
                        Source::Gpr(number) => self.register(number.into()),
                        Source::Constant(number) => {
                            self.constants = self.constants.max(u32::from(number) + 1)
                        }
                        _ => {}
                    }
                }
            }
        }
    }

    fn fetches(&mut self, program: &Program<'_>, cf: CfNormal) {
        for (_, fetch) in program.fetches(cf) {
            let op = fetch.op();
            self.count(op.name());
            let tex = fetch.tex();
            let masked = tex.dst_swizzle() == [7; 4];
            if op.is_buffer() {
                self.buffer_fetches += 1;
                self.buffers.insert(fetch.vtx().buffer_id());
            } else {
                self.texture_fetches += 1;
                self.textures.insert(tex.resource_id());
                self.samplers.insert(tex.sampler_id());
            }
            self.register(tex.src_gpr());
            self.relative += tex.src_rel();
            if !masked && op != super::FetchOp::VtxSemantic {
                self.register(tex.dst_gpr());
                self.relative += tex.dst_rel();
            }
        }
    }

    /// Entries of the stack.
    pub fn stack_entries(&self) -> u32 {
        self.stack.div_ceil(ENTRY)
    }

    /// Which kind of program it seems to be: one that exports pixels is for pixels, one that makes vertices for
    /// primitives.
    pub fn kind(&self) -> StageKind {
        if self.emits {
            StageKind::Geometry
        } else if !self.pixels.is_empty() && self.positions.is_empty() {
            StageKind::Fragment
        } else {
            StageKind::Vertex
        }
    }

    /// Instructions of all kinds.
    pub fn instructions(&self) -> u32 {
        self.flow + self.units.iter().sum::<u32>() + self.texture_fetches + self.buffer_fetches
    }

    /// Arithmetic instructions on a unit.
    pub fn on(&self, unit: Unit) -> u32 {
        self.units.get(unit as usize).copied().unwrap_or(0)
    }
}

/// The stack as a walk through the text of the program sees it.
#[derive(Debug, Default)]
struct Stack {
    loops: u32,
    pushes: u32,
    most: u32,
}

impl Stack {
    fn step(&mut self, cf: Cf) {
        let pops = cf.normal().pop_count();
        match cf.op() {
            Some(CfOp::LoopStart | CfOp::LoopStartDx10 | CfOp::LoopStartNoAl) => self.loops += 1,
            Some(CfOp::LoopEnd) => self.loops = self.loops.saturating_sub(1),
            Some(CfOp::Push | CfOp::PushElse | CfOp::AluPushBefore) => self.pushes += 1,
            Some(CfOp::PopPush | CfOp::PopPushElse) => self.pushes = self.pushes.saturating_sub(pops) + 1,
            Some(CfOp::Pop | CfOp::PopJump) => self.pushes = self.pushes.saturating_sub(pops),
            Some(CfOp::AluPopAfter) => self.pushes = self.pushes.saturating_sub(1),
            Some(CfOp::AluPop2After) => self.pushes = self.pushes.saturating_sub(2),
            _ => {}
        }
        // A push may need two elements more for a moment.
        let spare = if self.pushes > 0 { 2 } else { 0 };
        self.most = self.most.max(self.loops * ENTRY + self.pushes + spare);
    }
}
