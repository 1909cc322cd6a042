//! Instructions by their words. Each keeps all bits of its words, so that encoding is exact.

use super::fields::{CfAlu, CfExport, CfMemory, CfNormal, Op2, Op3, Tex, Vtx};
use super::table::form::UPDATES;
use super::table::suffix::Suffix;
use super::table::{AluOp, CfOp, FetchOp};
use unshade_isa_common::field::Field;

/// A control-flow instruction, the first word in the low half.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Cf(pub u64);

impl Cf {
    /// Whether it starts an arithmetic clause; such an instruction has another layout.
    #[inline]
    pub fn is_alu(self) -> bool {
        self.0 >> 61 & 1 != 0
    }

    /// Which instruction; `None` for a number that the machine does not define.
    #[inline]
    pub fn op(self) -> Option<CfOp> {
        if self.is_alu() { CfOp::of(0x40 + self.alu().inst()) } else { CfOp::of(self.normal().inst()) }
    }

    /// As a normal instruction.
    #[inline]
    pub fn normal(self) -> CfNormal {
        CfNormal(self.0)
    }

    /// As an export.
    #[inline]
    pub fn export(self) -> CfExport {
        CfExport(self.0)
    }

    /// As a write to memory.
    #[inline]
    pub fn memory(self) -> CfMemory {
        CfMemory(self.0)
    }

    /// As the start of an arithmetic clause.
    #[inline]
    pub fn alu(self) -> CfAlu {
        CfAlu(self.0)
    }

    /// Whether the program ends behind it.
    #[inline]
    pub fn ends_program(self) -> bool {
        !self.is_alu() && self.normal().end_of_program() != 0
    }

    /// Its two words.
    #[inline]
    pub fn words(self) -> [u32; 2] {
        [self.0 as u32, (self.0 >> 32) as u32]
    }
}

impl CfNormal {
    /// Instructions of its clause.
    #[inline]
    pub fn clause_length(self) -> u32 {
        (self.count_high() << 3 | self.count_low()) + 1
    }

    /// The same with another length of the clause, 1 to 16.
    #[must_use]
    pub fn with_clause_length(self, length: u32) -> Self {
        let count = length.wrapping_sub(1);
        self.with_count_low(count).with_count_high(count >> 3)
    }
}

impl CfExport {
    /// What x, y, z, w of the target get: 0-3 x y z w, 4 is 0.0, 5 is 1.0, 7 nothing.
    #[inline]
    pub fn swizzle(self) -> [u32; 4] {
        [self.sel_x(), self.sel_y(), self.sel_z(), self.sel_w()]
    }
}

/// What an arithmetic source reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Source {
    /// A register; those from 120 on keep their value only inside the clause, by convention.
    Gpr(u8),
    /// A vector of the lines that the clause holds: set 0 or 1, and which vector of them.
    Kcache(u8, u8),
    /// 0, as a float and as an integer.
    Zero,
    /// 1.0.
    One,
    /// Integer 1.
    IntOne,
    /// Integer -1.
    IntMinusOne,
    /// 0.5.
    Half,
    /// A literal of the group, by component.
    Literal,
    /// Result of the previous group, by vector unit.
    PreviousVector,
    /// Result of the previous group's fifth unit.
    PreviousScalar,
    /// A register of the constant file.
    Constant(u8),
    /// A number that the machine's programs do not use: queues, counters, identifiers.
    Other(u16),
}

impl Source {
    /// What the nine bits of a source mean.
    #[inline]
    pub fn of(sel: u32) -> Self {
        match sel {
            0..=127 => Self::Gpr(sel as u8),
            128..=159 => Self::Kcache(0, (sel - 128) as u8),
            160..=191 => Self::Kcache(1, (sel - 160) as u8),
            248 => Self::Zero,
            249 => Self::One,
            250 => Self::IntOne,
            251 => Self::IntMinusOne,
            252 => Self::Half,
            253 => Self::Literal,
            254 => Self::PreviousVector,
            255 => Self::PreviousScalar,
            256..=511 => Self::Constant((sel - 256) as u8),
            _ => Self::Other(sel as u16),
        }
    }

    /// The nine bits.
    #[inline]
    pub fn sel(self) -> u32 {
        match self {
            Self::Gpr(register) => register.into(),
            Self::Kcache(set, index) => 128 + 32 * u32::from(set) + u32::from(index),
            Self::Zero => 248,
            Self::One => 249,
            Self::IntOne => 250,
            Self::IntMinusOne => 251,
            Self::Half => 252,
            Self::Literal => 253,
            Self::PreviousVector => 254,
            Self::PreviousScalar => 255,
            Self::Constant(register) => 256 + u32::from(register),
            Self::Other(sel) => sel.into(),
        }
    }
}

/// A source with its modifiers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Operand {
    /// What it reads.
    pub source: Source,
    /// The index of the instruction is added to the number.
    pub relative: bool,
    /// Component; of [`Source::Literal`], which literal.
    pub channel: u8,
    /// Negated, after the absolute value was taken.
    pub negate: bool,
    /// Absolute value.
    pub absolute: bool,
}

/// An arithmetic instruction, the first word in the low half.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Alu(pub u64);

impl Alu {
    /// As a two-source instruction.
    #[inline]
    pub fn op2(self) -> Op2 {
        Op2(self.0)
    }

    /// As a three-source instruction.
    #[inline]
    pub fn op3(self) -> Op3 {
        Op3(self.0)
    }

    /// Whether it is encoded with three sources.
    #[inline]
    pub fn is_op3(self) -> bool {
        self.0 >> 47 & 7 != 0
    }

    /// Number of the operation, as [`AluOp::of`] takes it.
    #[inline]
    pub fn number(self) -> u32 {
        if self.is_op3() { 0x100 + self.op3().inst() } else { self.op2().inst() }
    }

    /// Which operation; `None` for a number that the machine does not define.
    #[inline]
    pub fn op(self) -> Option<AluOp> {
        AluOp::of(self.number())
    }

    /// Its fields.
    #[inline]
    pub(crate) fn parts(self) -> &'static [Field] {
        if self.is_op3() { Op3::PARTS } else { Op2::PARTS }
    }

    /// The words that only stand behind an operation of two sources.
    #[inline]
    pub(crate) fn updates(self) -> &'static [Suffix] {
        if self.is_op3() { &[] } else { &UPDATES }
    }

    /// Whether it is the last of its group.
    #[inline]
    pub fn last(self) -> bool {
        self.op2().last() != 0
    }

    /// Sources that the encoding has, used or not: 2 or 3.
    #[inline]
    pub fn operand_count(self) -> usize {
        if self.is_op3() { 3 } else { 2 }
    }

    /// A source: 0, 1, or 2 (three-source instructions; otherwise it reads as register 0).
    #[inline]
    pub fn operand(self, index: usize) -> Operand {
        let (two, three) = (self.op2(), self.op3());
        let is_op3 = self.is_op3();
        let (sel, rel, chan, neg, abs) = match index {
            0 => (two.src0_sel(), two.src0_rel(), two.src0_chan(), two.src0_neg(), two.src0_abs()),
            1 => (two.src1_sel(), two.src1_rel(), two.src1_chan(), two.src1_neg(), two.src1_abs()),
            _ if is_op3 => (three.src2_sel(), three.src2_rel(), three.src2_chan(), three.src2_neg(), 0),
            _ => (0, 0, 0, 0, 0),
        };
        Operand {
            source: Source::of(sel),
            relative: rel != 0,
            channel: chan as u8,
            negate: neg != 0,
            absolute: abs != 0 && !is_op3,
        }
    }

    /// Register written.
    #[inline]
    pub fn dst_gpr(self) -> u32 {
        self.op2().dst_gpr()
    }

    /// Component written, which is also the vector unit.
    #[inline]
    pub fn dst_chan(self) -> u32 {
        self.op2().dst_chan()
    }

    /// Whether the result goes to the register.
    #[inline]
    pub fn writes(self) -> bool {
        self.is_op3() || self.op2().write_mask() != 0
    }

    /// Whether the predicate is kept.
    #[inline]
    pub fn updates_predicate(self) -> bool {
        !self.is_op3() && self.op2().update_pred() != 0
    }

    /// Whether the predicate becomes the mask of active pixels.
    #[inline]
    pub fn updates_mask(self) -> bool {
        !self.is_op3() && self.op2().update_execute_mask() != 0
    }

    /// Factor of the result: 0 one, 1 two, 2 four, 3 a half.
    #[inline]
    pub fn omod(self) -> u32 {
        if self.is_op3() { 0 } else { self.op2().omod() }
    }

    /// Its two words.
    #[inline]
    pub fn words(self) -> [u32; 2] {
        [self.0 as u32, (self.0 >> 32) as u32]
    }
}

/// What the console's compiler writes into the fourth word of each fetch, which the machine does not read.
pub const VENDOR_FILL: u32 = 0x0DEA_DFEC;

/// A fetch instruction, the first word in the low bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Fetch(pub u128);

impl Fetch {
    /// Which operation. All 32 numbers are defined.
    #[inline]
    pub fn op(self) -> FetchOp {
        FetchOp::of(self.tex().inst()).unwrap_or(FetchOp::Mem)
    }

    /// As a texture instruction.
    #[inline]
    pub fn tex(self) -> Tex {
        Tex(self.0)
    }

    /// Its fourth word, which means nothing.
    #[inline]
    pub fn fill(self) -> u32 {
        (self.0 >> 96) as u32
    }

    /// The same with another fourth word.
    #[must_use]
    pub(crate) fn with_fill(self, fill: u32) -> Self {
        Self(self.tex().with_reserved_96(fill).0)
    }

    /// As a buffer fetch.
    #[inline]
    pub fn vtx(self) -> Vtx {
        Vtx(self.0)
    }

    /// Its four words.
    #[inline]
    pub fn words(self) -> [u32; 4] {
        [self.0 as u32, (self.0 >> 32) as u32, (self.0 >> 64) as u32, (self.0 >> 96) as u32]
    }
}

impl Tex {
    /// What the four components of the destination get.
    #[inline]
    pub fn dst_swizzle(self) -> [u32; 4] {
        [self.dst_sel_x(), self.dst_sel_y(), self.dst_sel_z(), self.dst_sel_w()]
    }

    /// Components or constants that are the coordinates.
    #[inline]
    pub fn src_swizzle(self) -> [u32; 4] {
        [self.src_sel_x(), self.src_sel_y(), self.src_sel_z(), self.src_sel_w()]
    }

    /// Offsets of the coordinates, in half texels.
    #[inline]
    pub fn offsets(self) -> [i32; 3] {
        [self.offset_x(), self.offset_y(), self.offset_z()].map(|bits| (bits as i32) << 27 >> 27)
    }

    /// Which coordinates are normalised.
    #[inline]
    pub fn normalized(self) -> [bool; 4] {
        [self.coord_type_x(), self.coord_type_y(), self.coord_type_z(), self.coord_type_w()]
            .map(|bit| bit != 0)
    }
}

impl Vtx {
    /// What the four components of the destination get.
    #[inline]
    pub fn dst_swizzle(self) -> [u32; 4] {
        [self.dst_sel_x(), self.dst_sel_y(), self.dst_sel_z(), self.dst_sel_w()]
    }

    /// Semantic number of a semantic fetch.
    #[inline]
    pub fn semantic_id(self) -> u32 {
        self.dst_rel() << 7 | self.dst_gpr()
    }
}
