//! A decoded instruction. Every bit of the code word is in some field, so that encoding is exact.

use super::Opcode;

/// One code word, decoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Inst {
    /// A known operation.
    Known {
        /// Which one.
        opcode: Opcode,
        /// Its fields.
        operands: Operands,
    },
    /// Bits 26-31 select no known operation.
    Unknown(u32),
}

/// The fields of an instruction, one variant per [`super::Format`].
///
/// Sources are kept by meaning (first, second, third), not by width. Fields without known effect are
/// called `unused` and hold their bits right-aligned.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Operands {
    /// Opcode only.
    Bare {
        /// Bits 0-25.
        unused: u32,
    },
    /// One source.
    One {
        /// Operand descriptor, 0-127.
        desc: u8,
        /// Destination (MOVA: unused, kept).
        dst: Dest,
        /// Source, wide.
        src1: Reg,
        /// Relative addressing of the wide source.
        index: Index,
        /// Bits 7-11.
        unused: u8,
    },
    /// Two sources; in the inverted format the second is the wide one.
    Two {
        /// Operand descriptor, 0-127.
        desc: u8,
        /// Destination.
        dst: Dest,
        /// First source.
        src1: Reg,
        /// Second source.
        src2: Reg,
        /// Relative addressing of the wide source.
        index: Index,
    },
    /// Compare.
    Compare {
        /// Operand descriptor, 0-127.
        desc: u8,
        /// First source, wide.
        src1: Reg,
        /// Second source.
        src2: Reg,
        /// Relative addressing of the first source.
        index: Index,
        /// Comparison of the x lanes.
        x: Compare,
        /// Comparison of the y lanes.
        y: Compare,
    },
    /// Multiply-add; the second source is wide (MAD) or the third (MADI).
    Mad {
        /// Operand descriptor, 0-31.
        desc: u8,
        /// Destination.
        dst: Dest,
        /// First source.
        src1: Reg,
        /// Second source.
        src2: Reg,
        /// Third source.
        src3: Reg,
        /// Relative addressing of the wide source.
        index: Index,
    },
    /// Flow by the compare flags.
    FlowCondition {
        /// Bits 0-7: length in words of the procedure or the else part.
        num: u8,
        /// Bits 8-9; picasso lets a long NUM run into them.
        unused: u8,
        /// Target word, 0-4095.
        dst: u16,
        /// Condition on the flags.
        condition: Condition,
    },
    /// Flow by a uniform.
    FlowUniform {
        /// Bits 0-7: length in words; JMPU: bit 0 inverts.
        num: u8,
        /// Bits 8-9.
        unused: u8,
        /// Target word, 0-4095.
        dst: u16,
        /// b0-b15, for LOOP i0-i3 (four bits are kept; the hardware reads two).
        uniform: u8,
    },
    /// SETEMIT.
    SetEmit {
        /// Vertex slot, 0-3.
        vertex: u8,
        /// The next EMIT completes a triangle.
        primitive: bool,
        /// The triangle's order is inverted.
        invert: bool,
        /// Bits 0-21.
        unused: u32,
    },
}

/// A source register, in the numbering of the 7-bit fields: 0x00-0x0F v, 0x10-0x1F r, 0x20-0x7F c.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Reg(pub u8);

/// What a register number names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RegKind {
    /// v0-v15.
    Input(u8),
    /// r0-r15.
    Temp(u8),
    /// c0-c95.
    Float(u8),
}

impl Reg {
    /// What the number names. Bits above the seventh do not exist.
    pub fn kind(self) -> RegKind {
        match self.0 & 0x7F {
            n @ 0x00..=0x0F => RegKind::Input(n),
            n @ 0x10..=0x1F => RegKind::Temp(n & 0x0F),
            n => RegKind::Float(n.wrapping_sub(0x20)),
        }
    }

    /// v`n`, of which the low four bits count.
    pub fn input(n: u8) -> Self {
        Self(n & 0x0F)
    }

    /// r`n`, of which the low four bits count.
    pub fn temp(n: u8) -> Self {
        Self(0x10 | n & 0x0F)
    }

    /// c`n`; numbers above 95 wrap as in the hardware's seven bits.
    pub fn float(n: u8) -> Self {
        Self(n.wrapping_add(0x20) & 0x7F)
    }
}

/// A destination register: 0x00-0x0F o, 0x10-0x1F r.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Dest(pub u8);

impl Dest {
    /// o`n` if it is an output.
    pub fn output(self) -> Option<u8> {
        (self.0 & 0x10 == 0).then_some(self.0 & 0x0F)
    }

    /// r`n` if it is a temporary.
    pub fn temp(self) -> Option<u8> {
        (self.0 & 0x10 != 0).then_some(self.0 & 0x0F)
    }
}

/// Relative addressing of the wide source.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Index {
    /// 0: none.
    None,
    /// 1: a0.x.
    A0X,
    /// 2: a0.y.
    A0Y,
    /// 3: aL, the loop counter.
    AL,
}

impl Index {
    /// From the two bits of the field.
    pub fn from_bits(bits: u32) -> Self {
        match bits & 3 {
            0 => Self::None,
            1 => Self::A0X,
            2 => Self::A0Y,
            _ => Self::AL,
        }
    }

    /// The two bits of the field.
    pub fn bits(self) -> u32 {
        self as u32
    }
}

/// Comparison code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Compare {
    /// 0.
    Eq,
    /// 1; true when unordered.
    Ne,
    /// 2.
    Lt,
    /// 3.
    Le,
    /// 4.
    Gt,
    /// 5.
    Ge,
    /// 6: always true.
    True6,
    /// 7: always true.
    True7,
}

impl Compare {
    /// From the three bits of the field.
    pub fn from_bits(bits: u32) -> Self {
        match bits & 7 {
            0 => Self::Eq,
            1 => Self::Ne,
            2 => Self::Lt,
            3 => Self::Le,
            4 => Self::Gt,
            5 => Self::Ge,
            6 => Self::True6,
            _ => Self::True7,
        }
    }

    /// The three bits of the field.
    pub fn bits(self) -> u32 {
        self as u32
    }
}

/// A condition on the compare flags.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Condition {
    /// CONDOP: 0 x or y, 1 x and y, 2 only x, 3 only y.
    pub op: u8,
    /// cmp.x must equal this. Kept also where it has no effect.
    pub ref_x: bool,
    /// cmp.y must equal this. Kept also where it has no effect.
    pub ref_y: bool,
}

impl Condition {
    /// Whether it holds for these flags.
    pub fn holds(self, x: bool, y: bool) -> bool {
        let (x, y) = (x == self.ref_x, y == self.ref_y);
        match self.op & 3 {
            0 => x || y,
            1 => x && y,
            2 => x,
            _ => y,
        }
    }
}
