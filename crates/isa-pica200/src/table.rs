//! The opcode table: every name, number and format of the machine stands here, once.

/// How the bits of a code word are divided (3dbrew's format numbers). Bit 0 is the least significant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    /// Opcode only (3dbrew: 0). Bits 0-25 have no known meaning.
    Bare,
    /// Two sources: DESC 0-6, SRC2 7-11, SRC1 12-18, IDX 19-20, DST 21-25 (1).
    Two,
    /// Two sources, the second wide: DESC 0-6, SRC2 7-13, SRC1 14-18, IDX 19-20, DST 21-25 (1i).
    TwoInverted,
    /// One source: as [`Format::Two`], SRC2 unused (1u).
    One,
    /// Compare: as [`Format::Two`], but CMPY 21-23 and CMPX 24-26, opcode 27-31 (1c).
    Compare,
    /// Conditional flow: NUM 0-7, bits 8-9 unknown, DST 10-21, CONDOP 22-23, REFY 24, REFX 25 (2).
    FlowCondition,
    /// Flow by uniform: NUM 0-7, bits 8-9 unknown, DST 10-21, uniform id 22-25 (3).
    FlowUniform,
    /// SETEMIT: winding 22, primitive 23, vertex id 24-25 (4).
    SetEmit,
    /// Multiply-add: DESC 0-4, SRC3 5-9, SRC2 10-16, SRC1 17-21, IDX 22-23, DST 24-28, opcode 29-31 (5).
    Mad,
    /// Multiply-add, third source wide: SRC3 5-11, SRC2 12-16, else as [`Format::Mad`] (5i).
    MadInverted,
}

/// One row of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Row {
    /// The operation.
    pub opcode: Opcode,
    /// First value of bits 26-31 that selects it.
    pub first: u8,
    /// Last value of bits 26-31 that selects it: CMP owns two values, MAD and MADI eight each.
    pub last: u8,
    /// Mnemonic in lower case.
    pub name: &'static str,
    /// Division of the word.
    pub format: Format,
    /// How many sources it reads.
    pub sources: u8,
}

macro_rules! opcodes {
    ($($(#[$doc:meta])* $variant:ident = $first:literal ..= $last:literal, $name:literal, $format:ident, $sources:literal;)*) => {
        /// An operation of the machine.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Opcode { $($(#[$doc])* $variant,)* }

        /// All operations, in the order of their numbers.
        pub const TABLE: &[Row] = &[
            $(Row { opcode: Opcode::$variant, first: $first, last: $last, name: $name, format: Format::$format, sources: $sources },)*
        ];
    };
}

opcodes! {
    /// `s1 + s2`.
    Add = 0x00 ..= 0x00, "add", Two, 2;
    /// Dot product of x y z, to all lanes.
    Dp3 = 0x01 ..= 0x01, "dp3", Two, 2;
    /// Dot product of four lanes, to all lanes.
    Dp4 = 0x02 ..= 0x02, "dp4", Two, 2;
    /// Dot product with `s1.w` taken as 1, to all lanes.
    Dph = 0x03 ..= 0x03, "dph", Two, 2;
    /// `(1, s1.y*s2.y, s1.z, s2.w)`. One source: 3dbrew.
    Dst = 0x04 ..= 0x04, "dst", Two, 2;
    /// `2^s1.x` to all lanes.
    Ex2 = 0x05 ..= 0x05, "ex2", One, 1;
    /// `log2(s1.x)` to all lanes.
    Lg2 = 0x06 ..= 0x06, "lg2", One, 1;
    /// `(max(x,0), clamp(y,-127.9961,127.9961), 0, max(w,0))`; sets cmp.x = x>=0, cmp.y = w>=0.
    Litp = 0x07 ..= 0x07, "litp", One, 1;
    /// `s1 * s2`, where 0 * inf is 0.
    Mul = 0x08 ..= 0x08, "mul", Two, 2;
    /// `s1 >= s2 ? 1 : 0`.
    Sge = 0x09 ..= 0x09, "sge", Two, 2;
    /// `s1 < s2 ? 1 : 0`.
    Slt = 0x0A ..= 0x0A, "slt", Two, 2;
    /// Floor.
    Flr = 0x0B ..= 0x0B, "flr", One, 1;
    /// `s1 > s2 ? s1 : s2`.
    Max = 0x0C ..= 0x0C, "max", Two, 2;
    /// `s1 < s2 ? s1 : s2`.
    Min = 0x0D ..= 0x0D, "min", Two, 2;
    /// `1 / s1.x` to all lanes.
    Rcp = 0x0E ..= 0x0E, "rcp", One, 1;
    /// `1 / sqrt(s1.x)` to all lanes.
    Rsq = 0x0F ..= 0x0F, "rsq", One, 1;
    /// `a0.x = trunc(s1.x)`, `a0.y = trunc(s1.y)`, by mask.
    Mova = 0x12 ..= 0x12, "mova", One, 1;
    /// Copy.
    Mov = 0x13 ..= 0x13, "mov", One, 1;
    /// [`Opcode::Dph`] with a wide second source.
    Dphi = 0x18 ..= 0x18, "dphi", TwoInverted, 2;
    /// [`Opcode::Dst`] with a wide second source.
    Dsti = 0x19 ..= 0x19, "dsti", TwoInverted, 2;
    /// [`Opcode::Sge`] with a wide second source.
    Sgei = 0x1A ..= 0x1A, "sgei", TwoInverted, 2;
    /// [`Opcode::Slt`] with a wide second source.
    Slti = 0x1B ..= 0x1B, "slti", TwoInverted, 2;
    /// Leave the loop.
    Break = 0x20 ..= 0x20, "break", Bare, 0;
    /// Nothing.
    Nop = 0x21 ..= 0x21, "nop", Bare, 0;
    /// Stop, at any depth.
    End = 0x22 ..= 0x22, "end", Bare, 0;
    /// Leave the loop if the condition holds.
    Breakc = 0x23 ..= 0x23, "breakc", FlowCondition, 0;
    /// Run DST .. DST+NUM, then return.
    Call = 0x24 ..= 0x24, "call", FlowCondition, 0;
    /// Call if the condition holds.
    Callc = 0x25 ..= 0x25, "callc", FlowCondition, 0;
    /// Call if the bool uniform is true.
    Callu = 0x26 ..= 0x26, "callu", FlowUniform, 0;
    /// True: run up to DST, go on at DST+NUM. False: go to DST. By bool uniform.
    Ifu = 0x27 ..= 0x27, "ifu", FlowUniform, 0;
    /// As [`Opcode::Ifu`], by condition.
    Ifc = 0x28 ..= 0x28, "ifc", FlowCondition, 0;
    /// Run the following words up to and with DST `i.x + 1` times.
    Loop = 0x29 ..= 0x29, "loop", FlowUniform, 0;
    /// Emit the outputs as a vertex (geometry).
    Emit = 0x2A ..= 0x2A, "emit", Bare, 0;
    /// Choose vertex slot and flags of the next EMIT (geometry).
    Setemit = 0x2B ..= 0x2B, "setemit", SetEmit, 0;
    /// Jump to DST if the condition holds.
    Jmpc = 0x2C ..= 0x2C, "jmpc", FlowCondition, 0;
    /// Jump to DST if the bool uniform is true (NUM bit 0: false).
    Jmpu = 0x2D ..= 0x2D, "jmpu", FlowUniform, 0;
    /// Compare lanes x and y into cmp.x and cmp.y.
    Cmp = 0x2E ..= 0x2F, "cmp", Compare, 2;
    /// `s1*s2 + s3` with a wide third source.
    Madi = 0x30 ..= 0x37, "madi", MadInverted, 3;
    /// `s1*s2 + s3`, not fused, with a wide second source.
    Mad = 0x38 ..= 0x3F, "mad", Mad, 3;
}

/// Which row owns each value of bits 26-31; `NONE` where no operation is known.
const OWNER: [u8; 64] = {
    let mut owner = [NONE; 64];
    let mut row = 0;
    while row < TABLE.len() {
        let mut number = TABLE[row].first;
        while number <= TABLE[row].last {
            owner[number as usize] = row as u8;
            number += 1;
        }
        row += 1;
    }
    owner
};
const NONE: u8 = 0xFF;

impl Opcode {
    /// The table row of this operation.
    pub fn row(self) -> &'static Row {
        // The enum and the table come from one list, so the discriminant is the index.
        &TABLE[self as usize]
    }

    /// Lower-case mnemonic.
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// Division of the word.
    pub fn format(self) -> Format {
        self.row().format
    }

    /// The operation that a code word selects by its bits 26-31.
    pub fn of_word(word: u32) -> Option<Self> {
        TABLE.get(usize::from(OWNER[(word >> 26) as usize])).map(|row| row.opcode)
    }
}
