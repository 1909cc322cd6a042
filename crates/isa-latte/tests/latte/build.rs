//! Programs put together word by word.
#![allow(dead_code, reason = "each test uses a part of it")]

use unshade_isa_common::texture::NoTextures;
use unshade_isa_latte::exec::{Lane, NoTrace, Outcome, Program, Resources};
use unshade_isa_latte::fields::{CfAlu, CfExport, CfMemory, CfNormal, Op2, Op3, Vtx};
use unshade_isa_latte::{AluOp, CfOp};
use unshade_stage::{Code, Interface, Isa, Latte, Stage, StageId, StageKind};

pub const LITERAL: u32 = 253;
pub const PV: u32 = 254;
pub const PS: u32 = 255;
/// Where clauses start.
const CLAUSES: u32 = 64;

/// An instruction of a component of a register, from the x of two or three sources.
pub fn inst(op: AluOp, gpr: u32, chan: u32, sources: [(u32, u32); 3]) -> u64 {
    let [(a, ac), (b, bc), (c, cc)] = sources;
    if op.is_op3() {
        let inst = Op3(0).with_inst(op.number() - 0x100).with_dst_gpr(gpr).with_dst_chan(chan);
        let inst = inst.with_src0_sel(a).with_src0_chan(ac).with_src1_sel(b).with_src1_chan(bc);
        inst.with_src2_sel(c).with_src2_chan(cc).0
    } else {
        let inst = Op2(0).with_inst(op.number()).with_dst_gpr(gpr).with_dst_chan(chan).with_write_mask(1);
        inst.with_src0_sel(a).with_src0_chan(ac).with_src1_sel(b).with_src1_chan(bc).0
    }
}

/// `MOV`.
pub fn mov(gpr: u32, chan: u32, sel: u32, from: u32) -> u64 {
    inst(AluOp::Mov, gpr, chan, [(sel, from), (0, 0), (0, 0)])
}

/// A group: the last instruction is marked, literals follow.
pub fn group(insts: &[u64], literals: &[u32]) -> Vec<u64> {
    let mut units = insts.to_vec();
    *units.last_mut().unwrap() |= 1 << 31;
    units.extend(
        literals
            .chunks(2)
            .map(|pair| u64::from(pair[0]) | u64::from(pair.get(1).copied().unwrap_or(0)) << 32),
    );
    units
}

/// A program under construction.
#[derive(Default)]
pub struct Build {
    cfs: Vec<u64>,
    clauses: Vec<u64>,
}

impl Build {
    /// A target that comes later, see [`Build::aim`].
    pub const OPEN: u32 = u32::MAX;

    /// Gives an instruction whose target is open that one.
    pub fn aim(&mut self, at: u32, addr: u32) {
        let cf = unshade_isa_latte::Cf(self.cfs[at as usize]);
        if !cf.is_alu() && cf.normal().addr() == Self::OPEN {
            self.set_target(at, addr);
        }
    }

    /// The address of the next control-flow instruction.
    pub fn here(&self) -> u32 {
        self.cfs.len() as u32
    }

    pub fn raw(&mut self, unit: u64) -> &mut Self {
        self.cfs.push(unit);
        self
    }

    /// An arithmetic clause; `change` sets more of its fields.
    pub fn alu_with(&mut self, op: CfOp, groups: &[Vec<u64>], change: impl Fn(CfAlu) -> CfAlu) -> &mut Self {
        let addr = CLAUSES + self.clauses.len() as u32;
        let units: Vec<u64> = groups.concat();
        let cf = CfAlu(1 << 61).with_addr(addr).with_count(units.len() as u32 - 1);
        self.clauses.extend(units);
        self.raw(change(cf.with_inst(op.number() - 0x40)).0)
    }

    pub fn alu(&mut self, op: CfOp, groups: &[Vec<u64>]) -> &mut Self {
        self.alu_with(op, groups, |cf| cf)
    }

    /// A control-flow instruction with target and pop count.
    pub fn flow(&mut self, op: CfOp, addr: u32, pops: u32) -> &mut Self {
        self.raw(CfNormal(0).with_inst(op.number()).with_addr(addr).with_pop_count(pops).0)
    }

    /// Changes the target of an earlier one.
    pub fn set_target(&mut self, at: u32, addr: u32) {
        self.cfs[at as usize] = CfNormal(self.cfs[at as usize]).with_addr(addr).0;
    }

    /// A clause of fetches.
    pub fn fetch(&mut self, op: CfOp, insts: &[u128]) -> &mut Self {
        if self.clauses.len() % 2 == 1 {
            self.clauses.push(0);
        }
        let addr = CLAUSES + self.clauses.len() as u32;
        self.clauses.extend(insts.iter().flat_map(|inst| [*inst as u64, (inst >> 64) as u64]));
        let cf = CfNormal(0).with_inst(op.number()).with_addr(addr);
        self.raw(cf.with_clause_length(insts.len() as u32).0)
    }

    /// An export of registers to consecutive targets.
    pub fn export(&mut self, kind: u32, target: u32, gpr: u32, swizzle: [u32; 4], burst: u32) -> &mut Self {
        let [x, y, z, w] = swizzle;
        let cf = CfExport(0).with_inst(CfOp::ExportDone.number()).with_kind(kind).with_array_base(target);
        let cf = cf.with_gpr(gpr).with_sel_x(x).with_sel_y(y).with_sel_z(z).with_sel_w(w);
        self.raw(cf.with_burst_count(burst - 1).0)
    }

    /// A write to memory (or a read).
    pub fn memory(&mut self, op: CfOp, change: impl Fn(CfMemory) -> CfMemory) -> &mut Self {
        let cf =
            CfMemory(0).with_inst(op.number()).with_comp_mask(15).with_elem_size(3).with_array_size(0xFFF);
        self.raw(change(cf).0)
    }

    /// The end.
    pub fn end(&mut self) -> &mut Self {
        self.raw(CfNormal(0).with_end_of_program(1).0)
    }

    pub fn words(&self) -> Vec<u32> {
        assert!(self.cfs.len() <= CLAUSES as usize);
        let mut units = self.cfs.clone();
        units.resize(CLAUSES as usize, 0);
        units.extend(&self.clauses);
        units.iter().flat_map(|unit| [*unit as u32, (*unit >> 32) as u32]).collect()
    }

    pub fn program(&self) -> Program {
        Program::new(&stage(self.words(), StageKind::Fragment, Latte::default()))
    }

    /// Runs lanes whose R0.x is their number.
    pub fn run(&self, lanes: usize, resources: &Resources) -> (Vec<Lane>, Outcome) {
        let mut state = vec![Lane::default(); lanes];
        for (n, lane) in state.iter_mut().enumerate() {
            lane.registers[0][0] = (n as f32).to_bits();
        }
        let outcome = self.program().run_with(&mut state, resources, &mut NoTextures, 10_000, &mut NoTrace);
        (state, outcome)
    }
}

pub fn stage(words: Vec<u32>, kind: StageKind, latte: Latte) -> Stage<'static> {
    Stage {
        id: StageId("0".to_owned()),
        kind,
        isa: Isa::Latte,
        code: Code { words: words.into(), ..Code::default() },
        interface: Interface { latte: Some(Box::new(latte)), ..Interface::default() },
    }
}

/// A fetch of all components from a buffer by R0.x.
pub fn vtx(buffer: u32, to: u32) -> Vtx {
    Vtx(0).with_buffer_id(buffer).with_dst_gpr(to).with_dst_sel_y(1).with_dst_sel_z(2).with_dst_sel_w(3)
}
