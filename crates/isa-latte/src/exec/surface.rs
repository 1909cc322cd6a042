//! What a program reads and writes, as its instructions name it.

use super::super::bindings::{self, FetchSource};
use super::super::fields::{CfAlu, CfMemory};
use super::super::table::{CfOp, FetchOp};
use super::super::{Alu, Cf, Fetch, Source};
use super::Program;
use std::collections::{BTreeMap, BTreeSet};

/// Vectors behind the last one named that an index leads to.
const BEHIND: u32 = 64;
/// Words that an output with an index may have.
const INDEXED_WORDS: u32 = 1 << 12;

/// What a program reads at the start, and what it reads and writes outside.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Surface {
    /// Registers that it reads somewhere.
    pub registers: Numbers,
    /// Registers of the constant file.
    pub file: Numbers,
    /// Loop constants.
    pub loops: Numbers,
    /// Bool constants.
    pub bools: Numbers,
    /// Words of each constant buffer that it reads.
    pub constants: BTreeMap<u32, u32>,
    /// Other buffers, by resource.
    pub buffers: BTreeSet<u32>,
    /// Resources that are the ring in front of it.
    pub rings: BTreeSet<u32>,
    /// Words of each output binding that it writes, exports included.
    pub outputs: BTreeMap<u32, u32>,
    /// It writes (or reads) memory by MEM_EXPORT.
    pub memory: bool,
}

/// Numbers that a program names, or all there are, where an index leads to them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Numbers([u64; 4]);

impl Numbers {
    /// Whether a number is among them.
    pub fn contains(&self, number: u32) -> bool {
        self.0.get(number as usize / 64).is_some_and(|bits| bits >> (number % 64) & 1 != 0)
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0 == [0; 4]
    }

    fn insert(&mut self, number: u32, indexed: bool) {
        if indexed {
            self.0 = [u64::MAX; 4];
        } else if let Some(bits) = self.0.get_mut(number as usize / 64) {
            *bits |= 1 << (number % 64);
        }
    }
}

impl Surface {
    /// Of a program, over all of its control flow.
    pub fn new(program: &Program) -> Self {
        let mut surface = Self::default();
        surface.outputs.insert(bindings::EXPORT_BINDING, bindings::EXPORT_WORDS);
        for (_, cf) in program.code().control_flow() {
            surface.control(program, cf);
        }
        // What goes to the ring leaves through the copy program.
        if let Some(copy) = program.copy() {
            surface.outputs.remove(&bindings::RING_OUTPUT_BINDING);
            for (binding, words) in Self::new(copy).outputs {
                let place = surface.outputs.entry(binding).or_default();
                *place = (*place).max(words);
            }
        }
        surface
    }

    fn control(&mut self, program: &Program, cf: Cf) {
        let Some(op) = cf.op() else { return };
        let code = program.code();
        if op.is_alu() {
            self.kcache(cf.alu());
            code.groups(cf.alu()).for_each(|group| group.insts().for_each(|(_, inst)| self.inst(inst)));
            return;
        }
        if op.is_export() || op.is_memory() {
            self.memory(op, cf.memory());
            return;
        }
        let normal = cf.normal();
        if op.is_fetch() {
            code.fetches(normal).for_each(|(_, inst)| self.fetch(program, inst));
        }
        if matches!(op, CfOp::LoopStart | CfOp::LoopStartNoAl) {
            self.loops.insert(normal.cf_const(), false);
        }
        if normal.cond() > 1 {
            self.bools.insert(normal.cf_const(), false);
        }
    }

    fn kcache(&mut self, clause: CfAlu) {
        for (mode, bank, line) in [
            (clause.kcache_mode0(), clause.kcache_bank0(), clause.kcache_addr0()),
            (clause.kcache_mode1(), clause.kcache_bank1(), clause.kcache_addr1()),
        ] {
            let lines = match mode {
                0 => continue,
                1 => 1,
                2 => 2,
                _ => 2 + 8,
            };
            let words = self.constants.entry(bank).or_default();
            *words = (*words).max((line + lines) * 64);
        }
    }

    fn inst(&mut self, inst: Alu) {
        for n in 0..inst.operand_count() {
            let operand = inst.operand(n);
            match operand.source {
                Source::Gpr(register) => self.registers.insert(register.into(), operand.relative),
                Source::Constant(register) => self.file.insert(register.into(), operand.relative),
                _ => {}
            }
        }
    }

    fn memory(&mut self, op: CfOp, memory: CfMemory) {
        let indexed = op.is_memory() && memory.kind() & 1 != 0;
        for n in 0..=memory.burst_count() {
            self.registers.insert(memory.gpr() + n, memory.gpr_relative() != 0);
        }
        if indexed {
            self.registers.insert(memory.index_gpr(), false);
        }
        let binding = match op {
            CfOp::MemStream0 => bindings::STREAM_BINDING,
            CfOp::MemStream1 => bindings::STREAM_BINDING + 1,
            CfOp::MemStream2 => bindings::STREAM_BINDING + 2,
            CfOp::MemStream3 => bindings::STREAM_BINDING + 3,
            CfOp::MemRing => bindings::RING_OUTPUT_BINDING,
            CfOp::MemExport => {
                self.memory = true;
                return;
            }
            _ => return,
        };
        let reach = memory.array_base() + (memory.burst_count() + 1) * 4;
        let words = self.outputs.entry(binding).or_default();
        *words = (*words).max(if indexed { reach.max(INDEXED_WORDS) } else { reach });
    }

    fn fetch(&mut self, program: &Program, inst: Fetch) {
        let vtx = inst.vtx();
        self.registers.insert(vtx.src_gpr(), vtx.src_rel() != 0);
        if !inst.op().is_buffer() || inst.op() == FetchOp::VtxSemantic {
            return;
        }
        match bindings::fetch_source(program.kind, &program.latte, vtx) {
            FetchSource::Constants(buffer) => {
                let words = self.constants.entry(buffer).or_default();
                *words = (*words).max(vtx.offset() / 4 + 4 * BEHIND);
            }
            FetchSource::Ring => drop(self.rings.insert(vtx.buffer_id())),
            FetchSource::Buffer(resource) => drop(self.buffers.insert(resource)),
            FetchSource::Texels(_) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_index_leads_to_all_numbers() {
        let mut numbers = Numbers::default();
        assert!(numbers.is_empty());
        numbers.insert(127, false);
        assert_eq!([126, 127, 128, 300].map(|n| numbers.contains(n)), [false, true, false, false]);
        numbers.insert(5, true);
        assert_eq!([0, 255, 256].map(|n| numbers.contains(n)), [true, true, false]);
    }
}
