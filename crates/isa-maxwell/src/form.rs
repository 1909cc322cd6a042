//! The forms of instructions and how a word tells which it has.
//!
//! A form is an operation together with the kinds of its operands: `FADD` with a register, with a constant and
//! with an immediate are three. Each has a mask and a value; where several masks fit, the one with the most bits
//! wins. Masks and values were found by asking NVIDIA's disassembler (SM53) about every pattern of the upper
//! bits; what it never accepts (`IDP`) is no form here.

macro_rules! forms {
    ($($form:ident, $name:literal, $mask:literal, $value:literal;)*) => {
        /// A form of instruction. The last letters name the kind of the second source where there are several:
        /// `R` register, `C` constant, `I` immediate, `Rc` the constant as third source; `B` has its texture or
        /// image handle in a register ("bindless").
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u16)]
        #[allow(missing_docs)]
        pub enum Form {
            $($form,)*
        }

        impl Form {
            /// Every form.
            pub const ALL: &[Form] = &[$(Form::$form,)*];
        }

        const ROWS: &[Row] = &[$(Row { name: $name, mask: $mask, value: $value },)*];
    };
}

/// What tells a form.
struct Row {
    name: &'static str,
    mask: u64,
    value: u64,
}

forms! {
    Al2p, "AL2P", 0xfff8_0000_0000_0000, 0xefa0_0000_0000_0000;
    Ald, "ALD", 0xfff8_0000_0000_0000, 0xefd8_0000_0000_0000;
    Ast, "AST", 0xfff8_0000_0000_0000, 0xeff0_0000_0000_0000;
    Atom, "ATOM", 0xff00_0000_0000_0000, 0xed00_0000_0000_0000;
    AtomCas, "ATOM", 0xfff0_0000_0000_0000, 0xeef0_0000_0000_0000;
    Atoms, "ATOMS", 0xff00_0000_0000_0000, 0xec00_0000_0000_0000;
    AtomsCas, "ATOMS", 0xff80_0000_0000_0000, 0xee00_0000_0000_0000;
    B2r, "B2R", 0xfff8_0000_0000_0000, 0xf0b8_0000_0000_0000;
    Bar, "BAR", 0xfff8_0000_0000_0000, 0xf0a8_0000_0000_0000;
    BfeC, "BFE", 0xfff8_0000_0000_0000, 0x4c00_0000_0000_0000;
    BfeI, "BFE", 0xfef8_0000_0000_0000, 0x3800_0000_0000_0000;
    BfeR, "BFE", 0xfff8_0000_0000_0000, 0x5c00_0000_0000_0000;
    BfiC, "BFI", 0xfff8_0000_0000_0000, 0x4bf0_0000_0000_0000;
    BfiI, "BFI", 0xfef8_0000_0000_0000, 0x36f0_0000_0000_0000;
    BfiR, "BFI", 0xfff8_0000_0000_0000, 0x5bf0_0000_0000_0000;
    BfiRc, "BFI", 0xfff8_0000_0000_0000, 0x53f0_0000_0000_0000;
    Bpt, "BPT", 0xfff0_0000_0000_0000, 0xe3a0_0000_0000_0000;
    Bra, "BRA", 0xfff0_0000_0000_0000, 0xe240_0000_0000_0000;
    Brk, "BRK", 0xfff0_0000_0000_0000, 0xe340_0000_0000_0000;
    Brx, "BRX", 0xfff0_0000_0000_0000, 0xe250_0000_0000_0000;
    Cal, "CAL", 0xfff0_0000_0000_0000, 0xe260_0000_0000_0000;
    Cctl, "CCTL", 0xffe0_0000_0000_0000, 0xef60_0000_0000_0000;
    Cctll, "CCTLL", 0xfff8_0000_0000_0000, 0xef80_0000_0000_0000;
    Cctlt, "CCTLT", 0xfff8_0000_0000_0000, 0xebf0_0000_0000_0000;
    CctltReg, "CCTLT", 0xfff8_0000_0000_0000, 0xebe8_0000_0000_0000;
    Cont, "CONT", 0xfff0_0000_0000_0000, 0xe350_0000_0000_0000;
    Cs2r, "CS2R", 0xfff8_0000_0000_0000, 0x50c8_0000_0000_0000;
    Cset, "CSET", 0xfff8_0000_0000_0000, 0x5098_0000_0000_0000;
    Csetp, "CSETP", 0xfff8_0000_0000_0000, 0x50a0_0000_0000_0000;
    DaddC, "DADD", 0xfff8_0000_0000_0000, 0x4c70_0000_0000_0000;
    DaddI, "DADD", 0xfef8_0000_0000_0000, 0x3870_0000_0000_0000;
    DaddR, "DADD", 0xfff8_0000_0000_0000, 0x5c70_0000_0000_0000;
    Depbar, "DEPBAR", 0xfff8_0000_0000_0000, 0xf0f0_0000_0000_0000;
    DfmaC, "DFMA", 0xfff0_0000_0000_0000, 0x4b70_0000_0000_0000;
    DfmaI, "DFMA", 0xfef0_0000_0000_0000, 0x3670_0000_0000_0000;
    DfmaR, "DFMA", 0xfff0_0000_0000_0000, 0x5b70_0000_0000_0000;
    DfmaRc, "DFMA", 0xfff0_0000_0000_0000, 0x5370_0000_0000_0000;
    DmnmxC, "DMNMX", 0xfff8_0000_0000_0000, 0x4c50_0000_0000_0000;
    DmnmxI, "DMNMX", 0xfef8_0000_0000_0000, 0x3850_0000_0000_0000;
    DmnmxR, "DMNMX", 0xfff8_0000_0000_0000, 0x5c50_0000_0000_0000;
    DmulC, "DMUL", 0xfff8_0000_0000_0000, 0x4c80_0000_0000_0000;
    DmulI, "DMUL", 0xfef8_0000_0000_0000, 0x3880_0000_0000_0000;
    DmulR, "DMUL", 0xfff8_0000_0000_0000, 0x5c80_0000_0000_0000;
    DsetC, "DSET", 0xff80_0000_0000_0000, 0x4900_0000_0000_0000;
    DsetI, "DSET", 0xfe80_0000_0000_0000, 0x3200_0000_0000_0000;
    DsetR, "DSET", 0xff80_0000_0000_0000, 0x5900_0000_0000_0000;
    DsetpC, "DSETP", 0xfff0_0000_0000_0000, 0x4b80_0000_0000_0000;
    DsetpI, "DSETP", 0xfef0_0000_0000_0000, 0x3680_0000_0000_0000;
    DsetpR, "DSETP", 0xfff0_0000_0000_0000, 0x5b80_0000_0000_0000;
    Exit, "EXIT", 0xfff0_0000_0000_0000, 0xe300_0000_0000_0000;
    F2fC, "F2F", 0xfff8_0000_0000_0000, 0x4ca8_0000_0000_0000;
    F2fI, "F2F", 0xfef8_0000_0000_0000, 0x38a8_0000_0000_0000;
    F2fR, "F2F", 0xfff8_0000_0000_0000, 0x5ca8_0000_0000_0000;
    F2iC, "F2I", 0xfff8_0000_0000_0000, 0x4cb0_0000_0000_0000;
    F2iI, "F2I", 0xfef8_0000_0000_0000, 0x38b0_0000_0000_0000;
    F2iR, "F2I", 0xfff8_0000_0000_0000, 0x5cb0_0000_0000_0000;
    FaddC, "FADD", 0xfff8_0000_0000_0000, 0x4c58_0000_0000_0000;
    FaddI, "FADD", 0xfef8_0000_0000_0000, 0x3858_0000_0000_0000;
    FaddR, "FADD", 0xfff8_0000_0000_0000, 0x5c58_0000_0000_0000;
    Fadd32i, "FADD32I", 0xfc00_0000_0000_0000, 0x0800_0000_0000_0000;
    FchkC, "FCHK", 0xfff8_0000_0000_0000, 0x4c88_0000_0000_0000;
    FchkI, "FCHK", 0xfef8_0000_0000_0000, 0x3888_0000_0000_0000;
    FchkR, "FCHK", 0xfff8_0000_0000_0000, 0x5c88_0000_0000_0000;
    FcmpC, "FCMP", 0xfff0_0000_0000_0000, 0x4ba0_0000_0000_0000;
    FcmpI, "FCMP", 0xfef0_0000_0000_0000, 0x36a0_0000_0000_0000;
    FcmpR, "FCMP", 0xfff0_0000_0000_0000, 0x5ba0_0000_0000_0000;
    FcmpRc, "FCMP", 0xfff0_0000_0000_0000, 0x53a0_0000_0000_0000;
    FfmaC, "FFMA", 0xff80_0000_0000_0000, 0x4980_0000_0000_0000;
    FfmaI, "FFMA", 0xfe80_0000_0000_0000, 0x3280_0000_0000_0000;
    FfmaR, "FFMA", 0xff80_0000_0000_0000, 0x5980_0000_0000_0000;
    FfmaRc, "FFMA", 0xff80_0000_0000_0000, 0x5180_0000_0000_0000;
    Ffma32i, "FFMA32I", 0xfc00_0000_0000_0000, 0x0c00_0000_0000_0000;
    FloC, "FLO", 0xfff8_0000_0000_0000, 0x4c30_0000_0000_0000;
    FloI, "FLO", 0xfef8_0000_0000_0000, 0x3830_0000_0000_0000;
    FloR, "FLO", 0xfff8_0000_0000_0000, 0x5c30_0000_0000_0000;
    FmnmxC, "FMNMX", 0xfff8_0000_0000_0000, 0x4c60_0000_0000_0000;
    FmnmxI, "FMNMX", 0xfef8_0000_0000_0000, 0x3860_0000_0000_0000;
    FmnmxR, "FMNMX", 0xfff8_0000_0000_0000, 0x5c60_0000_0000_0000;
    FmulC, "FMUL", 0xfff8_0000_0000_0000, 0x4c68_0000_0000_0000;
    FmulI, "FMUL", 0xfef8_0000_0000_0000, 0x3868_0000_0000_0000;
    FmulR, "FMUL", 0xfff8_0000_0000_0000, 0x5c68_0000_0000_0000;
    Fmul32i, "FMUL32I", 0xff00_0000_0000_0000, 0x1e00_0000_0000_0000;
    FsetC, "FSET", 0xff00_0000_0000_0000, 0x4800_0000_0000_0000;
    FsetI, "FSET", 0xfe00_0000_0000_0000, 0x3000_0000_0000_0000;
    FsetR, "FSET", 0xff00_0000_0000_0000, 0x5800_0000_0000_0000;
    FsetpC, "FSETP", 0xfff0_0000_0000_0000, 0x4bb0_0000_0000_0000;
    FsetpI, "FSETP", 0xfef0_0000_0000_0000, 0x36b0_0000_0000_0000;
    FsetpR, "FSETP", 0xfff0_0000_0000_0000, 0x5bb0_0000_0000_0000;
    Fswzadd, "FSWZADD", 0xfff8_0000_0000_0000, 0x50f8_0000_0000_0000;
    Getcrsptr, "GETCRSPTR", 0xfff0_0000_0000_0000, 0xe2c0_0000_0000_0000;
    Getlmembase, "GETLMEMBASE", 0xfff0_0000_0000_0000, 0xe2d0_0000_0000_0000;
    Hadd2C, "HADD2", 0xfe80_0000_0000_0000, 0x7a80_0000_0000_0000;
    Hadd2I, "HADD2", 0xfe80_0000_0000_0000, 0x7a00_0000_0000_0000;
    Hadd2R, "HADD2", 0xfff8_0000_0000_0000, 0x5d10_0000_0000_0000;
    Hadd232i, "HADD2_32I", 0xfe00_0000_0000_0000, 0x2c00_0000_0000_0000;
    Hfma2C, "HFMA2", 0xf880_0000_0000_0000, 0x7080_0000_0000_0000;
    Hfma2I, "HFMA2", 0xf880_0000_0000_0000, 0x7000_0000_0000_0000;
    Hfma2R, "HFMA2", 0xfff8_0000_0000_0000, 0x5d00_0000_0000_0000;
    Hfma2Rc, "HFMA2", 0xf880_0000_0000_0000, 0x6080_0000_0000_0000;
    Hfma232i, "HFMA2_32I", 0xfe00_0000_0000_0000, 0x2800_0000_0000_0000;
    Hmul2C, "HMUL2", 0xfe80_0000_0000_0000, 0x7880_0000_0000_0000;
    Hmul2I, "HMUL2", 0xfe80_0000_0000_0000, 0x7800_0000_0000_0000;
    Hmul2R, "HMUL2", 0xfff8_0000_0000_0000, 0x5d08_0000_0000_0000;
    Hmul232i, "HMUL2_32I", 0xfe00_0000_0000_0000, 0x2a00_0000_0000_0000;
    Hset2C, "HSET2", 0xfe80_0000_0000_0000, 0x7c80_0000_0000_0000;
    Hset2I, "HSET2", 0xfe80_0000_0000_0000, 0x7c00_0000_0000_0000;
    Hset2R, "HSET2", 0xfff8_0000_0000_0000, 0x5d18_0000_0000_0000;
    Hsetp2C, "HSETP2", 0xfe80_0000_0000_0000, 0x7e80_0000_0000_0000;
    Hsetp2I, "HSETP2", 0xfe80_0000_0000_0000, 0x7e00_0000_0000_0000;
    Hsetp2R, "HSETP2", 0xfff8_0000_0000_0000, 0x5d20_0000_0000_0000;
    I2fC, "I2F", 0xfff8_0000_0000_0000, 0x4cb8_0000_0000_0000;
    I2fI, "I2F", 0xfef8_0000_0000_0000, 0x38b8_0000_0000_0000;
    I2fR, "I2F", 0xfff8_0000_0000_0000, 0x5cb8_0000_0000_0000;
    I2iC, "I2I", 0xfff8_0000_0000_0000, 0x4ce0_0000_0000_0000;
    I2iI, "I2I", 0xfef8_0000_0000_0000, 0x38e0_0000_0000_0000;
    I2iR, "I2I", 0xfff8_0000_0000_0000, 0x5ce0_0000_0000_0000;
    IaddC, "IADD", 0xfff8_0000_0000_0000, 0x4c10_0000_0000_0000;
    IaddI, "IADD", 0xfef8_0000_0000_0000, 0x3810_0000_0000_0000;
    IaddR, "IADD", 0xfff8_0000_0000_0000, 0x5c10_0000_0000_0000;
    Iadd3C, "IADD3", 0xfff0_0000_0000_0000, 0x4cc0_0000_0000_0000;
    Iadd3I, "IADD3", 0xfef0_0000_0000_0000, 0x38c0_0000_0000_0000;
    Iadd3R, "IADD3", 0xfff0_0000_0000_0000, 0x5cc0_0000_0000_0000;
    Iadd32i, "IADD32I", 0xfe00_0000_0000_0000, 0x1c00_0000_0000_0000;
    IcmpC, "ICMP", 0xfff0_0000_0000_0000, 0x4b40_0000_0000_0000;
    IcmpI, "ICMP", 0xfef0_0000_0000_0000, 0x3640_0000_0000_0000;
    IcmpR, "ICMP", 0xfff0_0000_0000_0000, 0x5b40_0000_0000_0000;
    IcmpRc, "ICMP", 0xfff0_0000_0000_0000, 0x5340_0000_0000_0000;
    Ide, "IDE", 0xfff0_0000_0000_0000, 0xe390_0000_0000_0000;
    ImadC, "IMAD", 0xff80_0000_0000_0000, 0x4a00_0000_0000_0000;
    ImadI, "IMAD", 0xfe80_0000_0000_0000, 0x3400_0000_0000_0000;
    ImadR, "IMAD", 0xff80_0000_0000_0000, 0x5a00_0000_0000_0000;
    ImadRc, "IMAD", 0xff80_0000_0000_0000, 0x5200_0000_0000_0000;
    Imad32i, "IMAD32I", 0xfc00_0000_0000_0000, 0x1000_0000_0000_0000;
    ImadspC, "IMADSP", 0xff80_0000_0000_0000, 0x4a80_0000_0000_0000;
    ImadspI, "IMADSP", 0xfe80_0000_0000_0000, 0x3480_0000_0000_0000;
    ImadspR, "IMADSP", 0xff80_0000_0000_0000, 0x5a80_0000_0000_0000;
    ImadspRc, "IMADSP", 0xff80_0000_0000_0000, 0x5280_0000_0000_0000;
    ImnmxC, "IMNMX", 0xfff8_0000_0000_0000, 0x4c20_0000_0000_0000;
    ImnmxI, "IMNMX", 0xfef8_0000_0000_0000, 0x3820_0000_0000_0000;
    ImnmxR, "IMNMX", 0xfff8_0000_0000_0000, 0x5c20_0000_0000_0000;
    ImulC, "IMUL", 0xfff8_0000_0000_0000, 0x4c38_0000_0000_0000;
    ImulI, "IMUL", 0xfef8_0000_0000_0000, 0x3838_0000_0000_0000;
    ImulR, "IMUL", 0xfff8_0000_0000_0000, 0x5c38_0000_0000_0000;
    Imul32i, "IMUL32I", 0xff00_0000_0000_0000, 0x1f00_0000_0000_0000;
    Ipa, "IPA", 0xff00_0000_0000_0000, 0xe000_0000_0000_0000;
    Isberd, "ISBERD", 0xfff8_0000_0000_0000, 0xefd0_0000_0000_0000;
    IscaddC, "ISCADD", 0xfff8_0000_0000_0000, 0x4c18_0000_0000_0000;
    IscaddI, "ISCADD", 0xfef8_0000_0000_0000, 0x3818_0000_0000_0000;
    IscaddR, "ISCADD", 0xfff8_0000_0000_0000, 0x5c18_0000_0000_0000;
    Iscadd32i, "ISCADD32I", 0xfc00_0000_0000_0000, 0x1400_0000_0000_0000;
    IsetC, "ISET", 0xfff0_0000_0000_0000, 0x4b50_0000_0000_0000;
    IsetI, "ISET", 0xfef0_0000_0000_0000, 0x3650_0000_0000_0000;
    IsetR, "ISET", 0xfff0_0000_0000_0000, 0x5b50_0000_0000_0000;
    IsetpC, "ISETP", 0xfff0_0000_0000_0000, 0x4b60_0000_0000_0000;
    IsetpI, "ISETP", 0xfef0_0000_0000_0000, 0x3660_0000_0000_0000;
    IsetpR, "ISETP", 0xfff0_0000_0000_0000, 0x5b60_0000_0000_0000;
    Jcal, "JCAL", 0xfff0_0000_0000_0000, 0xe220_0000_0000_0000;
    Jmp, "JMP", 0xfff0_0000_0000_0000, 0xe210_0000_0000_0000;
    Jmx, "JMX", 0xfff0_0000_0000_0000, 0xe200_0000_0000_0000;
    Kil, "KIL", 0xfff0_0000_0000_0000, 0xe330_0000_0000_0000;
    Ld, "LD", 0xe000_0000_0000_0000, 0x8000_0000_0000_0000;
    Ldc, "LDC", 0xfff8_0000_0000_0000, 0xef90_0000_0000_0000;
    Ldg, "LDG", 0xfff8_0000_0000_0000, 0xeed0_0000_0000_0000;
    LdgP, "LDG", 0xfff8_0000_0000_0000, 0xeec8_0000_0000_0000;
    Ldl, "LDL", 0xfff8_0000_0000_0000, 0xef40_0000_0000_0000;
    Lds, "LDS", 0xfff8_0000_0000_0000, 0xef48_0000_0000_0000;
    LeaC, "LEA", 0xfff8_0000_0000_0000, 0x4bd0_0000_0000_0000;
    LeaI, "LEA", 0xfef8_0000_0000_0000, 0x36d0_0000_0000_0000;
    LeaR, "LEA", 0xfff8_0000_0000_0000, 0x5bd0_0000_0000_0000;
    LeaHiC, "LEA.HI", 0xfc00_0000_0000_0000, 0x1800_0000_0000_0000;
    LeaHiR, "LEA.HI", 0xfff8_0000_0000_0000, 0x5bd8_0000_0000_0000;
    Lepc, "LEPC", 0xfff8_0000_0000_0000, 0x50d0_0000_0000_0000;
    Longjmp, "LONGJMP", 0xfff0_0000_0000_0000, 0xe310_0000_0000_0000;
    LopC, "LOP", 0xfff8_0000_0000_0000, 0x4c40_0000_0000_0000;
    LopI, "LOP", 0xfef8_0000_0000_0000, 0x3840_0000_0000_0000;
    LopR, "LOP", 0xfff8_0000_0000_0000, 0x5c40_0000_0000_0000;
    Lop3C, "LOP3.LUT", 0xfe00_0000_0000_0000, 0x0200_0000_0000_0000;
    Lop3I, "LOP3.LUT", 0xfc00_0000_0000_0000, 0x3c00_0000_0000_0000;
    Lop3R, "LOP3.LUT", 0xfff8_0000_0000_0000, 0x5be0_0000_0000_0000;
    Lop32i, "LOP32I", 0xfc00_0000_0000_0000, 0x0400_0000_0000_0000;
    Membar, "MEMBAR", 0xfff8_0000_0000_0000, 0xef98_0000_0000_0000;
    MovC, "MOV", 0xfff8_0000_0000_0000, 0x4c98_0000_0000_0000;
    MovI, "MOV", 0xfef8_0000_0000_0000, 0x3898_0000_0000_0000;
    MovR, "MOV", 0xfff8_0000_0000_0000, 0x5c98_0000_0000_0000;
    Mov32i, "MOV32I", 0xfff0_0000_0000_0000, 0x0100_0000_0000_0000;
    Mufu, "MUFU", 0xfff8_0000_0000_0000, 0x5080_0000_0000_0000;
    Nop, "NOP", 0xfff8_0000_0000_0000, 0x50b0_0000_0000_0000;
    OutC, "OUT", 0xfff8_0000_0000_0000, 0xebe0_0000_0000_0000;
    OutI, "OUT", 0xfef8_0000_0000_0000, 0xf6e0_0000_0000_0000;
    OutR, "OUT", 0xfff8_0000_0000_0000, 0xfbe0_0000_0000_0000;
    P2rC, "P2R", 0xfff8_0000_0000_0000, 0x4ce8_0000_0000_0000;
    P2rI, "P2R", 0xfef8_0000_0000_0000, 0x38e8_0000_0000_0000;
    P2rR, "P2R", 0xfff8_0000_0000_0000, 0x5ce8_0000_0000_0000;
    Pbk, "PBK", 0xfff0_0000_0000_0000, 0xe2a0_0000_0000_0000;
    Pcnt, "PCNT", 0xfff0_0000_0000_0000, 0xe2b0_0000_0000_0000;
    Pexit, "PEXIT", 0xfff0_0000_0000_0000, 0xe230_0000_0000_0000;
    Pixld, "PIXLD", 0xfff8_0000_0000_0000, 0xefe8_0000_0000_0000;
    Plongjmp, "PLONGJMP", 0xfff0_0000_0000_0000, 0xe280_0000_0000_0000;
    PopcC, "POPC", 0xfff8_0000_0000_0000, 0x4c08_0000_0000_0000;
    PopcI, "POPC", 0xfef8_0000_0000_0000, 0x3808_0000_0000_0000;
    PopcR, "POPC", 0xfff8_0000_0000_0000, 0x5c08_0000_0000_0000;
    Pret, "PRET", 0xfff0_0000_0000_0000, 0xe270_0000_0000_0000;
    PrmtC, "PRMT", 0xfff0_0000_0000_0000, 0x4bc0_0000_0000_0000;
    PrmtI, "PRMT", 0xfef0_0000_0000_0000, 0x36c0_0000_0000_0000;
    PrmtR, "PRMT", 0xfff0_0000_0000_0000, 0x5bc0_0000_0000_0000;
    PrmtRc, "PRMT", 0xfff0_0000_0000_0000, 0x53c0_0000_0000_0000;
    Pset, "PSET", 0xfff8_0000_0000_0000, 0x5088_0000_0000_0000;
    Psetp, "PSETP", 0xfff8_0000_0000_0000, 0x5090_0000_0000_0000;
    R2b, "R2B", 0xfff8_0000_0000_0000, 0xf0c0_0000_0000_0000;
    R2pC, "R2P", 0xfff8_0000_0000_0000, 0x4cf0_0000_0000_0000;
    R2pI, "R2P", 0xfef8_0000_0000_0000, 0x38f0_0000_0000_0000;
    R2pR, "R2P", 0xfff8_0000_0000_0000, 0x5cf0_0000_0000_0000;
    Ram, "RAM", 0xfff0_0000_0000_0000, 0xe380_0000_0000_0000;
    Red, "RED", 0xfff8_0000_0000_0000, 0xebf8_0000_0000_0000;
    Ret, "RET", 0xfff0_0000_0000_0000, 0xe320_0000_0000_0000;
    RroC, "RRO", 0xfff8_0000_0000_0000, 0x4c90_0000_0000_0000;
    RroI, "RRO", 0xfef8_0000_0000_0000, 0x3890_0000_0000_0000;
    RroR, "RRO", 0xfff8_0000_0000_0000, 0x5c90_0000_0000_0000;
    Rtt, "RTT", 0xfff0_0000_0000_0000, 0xe360_0000_0000_0000;
    S2r, "S2R", 0xfff8_0000_0000_0000, 0xf0c8_0000_0000_0000;
    Sam, "SAM", 0xfff0_0000_0000_0000, 0xe370_0000_0000_0000;
    SelC, "SEL", 0xfff8_0000_0000_0000, 0x4ca0_0000_0000_0000;
    SelI, "SEL", 0xfef8_0000_0000_0000, 0x38a0_0000_0000_0000;
    SelR, "SEL", 0xfff8_0000_0000_0000, 0x5ca0_0000_0000_0000;
    Setcrsptr, "SETCRSPTR", 0xfff0_0000_0000_0000, 0xe2e0_0000_0000_0000;
    Setlmembase, "SETLMEMBASE", 0xfff0_0000_0000_0000, 0xe2f0_0000_0000_0000;
    ShfLI, "SHF", 0xfef8_0000_0000_0000, 0x36f8_0000_0000_0000;
    ShfLR, "SHF", 0xfff8_0000_0000_0000, 0x5bf8_0000_0000_0000;
    ShfRI, "SHF", 0xfef8_0000_0000_0000, 0x38f8_0000_0000_0000;
    ShfRR, "SHF", 0xfff8_0000_0000_0000, 0x5cf8_0000_0000_0000;
    Shfl, "SHFL", 0xfff8_0000_0000_0000, 0xef10_0000_0000_0000;
    ShlC, "SHL", 0xfff8_0000_0000_0000, 0x4c48_0000_0000_0000;
    ShlI, "SHL", 0xfef8_0000_0000_0000, 0x3848_0000_0000_0000;
    ShlR, "SHL", 0xfff8_0000_0000_0000, 0x5c48_0000_0000_0000;
    ShrC, "SHR", 0xfff8_0000_0000_0000, 0x4c28_0000_0000_0000;
    ShrI, "SHR", 0xfef8_0000_0000_0000, 0x3828_0000_0000_0000;
    ShrR, "SHR", 0xfff8_0000_0000_0000, 0x5c28_0000_0000_0000;
    Ssy, "SSY", 0xfff0_0000_0000_0000, 0xe290_0000_0000_0000;
    St, "ST", 0xe000_0000_0000_0000, 0xa000_0000_0000_0000;
    Stg, "STG", 0xfff8_0000_0000_0000, 0xeed8_0000_0000_0000;
    Stl, "STL", 0xfff8_0000_0000_0000, 0xef50_0000_0000_0000;
    Stp, "STP", 0xfff8_0000_0000_0000, 0xeea0_0000_0000_0000;
    Sts, "STS", 0xfff8_0000_0000_0000, 0xef58_0000_0000_0000;
    Suatom, "SUATOM", 0xff40_0000_0000_0000, 0xea00_0000_0000_0000;
    SuatomB, "SUATOM", 0xfff8_0000_0000_0000, 0xea70_0000_0000_0000;
    SuatomB2, "SUATOM", 0xffc0_0000_0000_0000, 0xeb80_0000_0000_0000;
    SuatomCas, "SUATOM", 0xffc0_0000_0000_0000, 0xea80_0000_0000_0000;
    SuatomCasB, "SUATOM", 0xfff8_0000_0000_0000, 0xead0_0000_0000_0000;
    SuatomCasP, "SUATOM", 0xfff8_0000_0000_0000, 0xeac0_0000_0000_0000;
    SuatomCasPI, "SUATOM", 0xfff8_0000_0000_0000, 0xeac8_0000_0000_0000;
    SuatomP, "SUATOM", 0xfff8_0000_0000_0000, 0xea60_0000_0000_0000;
    SuatomPI, "SUATOM", 0xfff8_0000_0000_0000, 0xea68_0000_0000_0000;
    Suld, "SULD", 0xfff8_0000_0000_0000, 0xeb08_0000_0000_0000;
    SuldB, "SULD", 0xfff8_0000_0000_0000, 0xeb00_0000_0000_0000;
    SuldD, "SULD", 0xfff8_0000_0000_0000, 0xeb18_0000_0000_0000;
    SuldDB, "SULD", 0xfff8_0000_0000_0000, 0xeb10_0000_0000_0000;
    Sured, "SURED", 0xfff8_0000_0000_0000, 0xeb58_0000_0000_0000;
    SuredB, "SURED", 0xfff8_0000_0000_0000, 0xeb50_0000_0000_0000;
    SuredPI, "SURED", 0xfff8_0000_0000_0000, 0xeb48_0000_0000_0000;
    SuredPR, "SURED", 0xfff8_0000_0000_0000, 0xeb40_0000_0000_0000;
    Sust, "SUST", 0xfff8_0000_0000_0000, 0xeb28_0000_0000_0000;
    SustB, "SUST", 0xfff8_0000_0000_0000, 0xeb20_0000_0000_0000;
    SustD, "SUST", 0xfff8_0000_0000_0000, 0xeb38_0000_0000_0000;
    SustDB, "SUST", 0xfff8_0000_0000_0000, 0xeb30_0000_0000_0000;
    Sync, "SYNC", 0xfff8_0000_0000_0000, 0xf0f8_0000_0000_0000;
    Tex, "TEX", 0xf800_0000_0000_0000, 0xc000_0000_0000_0000;
    TexB, "TEX", 0xffc0_0000_0000_0000, 0xde80_0000_0000_0000;
    Texs, "TEXS", 0xfe00_0000_0000_0000, 0xd800_0000_0000_0000;
    TexsF16, "TEXS", 0xfe00_0000_0000_0000, 0xd000_0000_0000_0000;
    Tld, "TLD", 0xff00_0000_0000_0000, 0xdc00_0000_0000_0000;
    TldB, "TLD", 0xff00_0000_0000_0000, 0xdd00_0000_0000_0000;
    Tld4, "TLD4", 0xfc00_0000_0000_0000, 0xc800_0000_0000_0000;
    Tld4B, "TLD4", 0xffc0_0100_0000_0000, 0xdec0_0000_0000_0000;
    Tld4s, "TLD4S", 0xffc0_0000_0000_0000, 0xdf00_0000_0000_0000;
    Tld4sF16, "TLD4S", 0xffc0_0000_0000_0000, 0xdf80_0000_0000_0000;
    Tlds, "TLDS", 0xfe00_0000_0000_0000, 0xda00_0000_0000_0000;
    TldsF16, "TLDS", 0xfe00_0000_0000_0000, 0xd200_0000_0000_0000;
    Tmml, "TMML", 0xfff8_0000_0000_0000, 0xdf58_0000_0000_0000;
    TmmlB, "TMML", 0xfff8_0000_0000_0000, 0xdf60_0000_0000_0000;
    Txa, "TXA", 0xfff8_0000_0000_0000, 0xdf40_0000_0000_0000;
    Txd, "TXD", 0xff80_0000_0000_0000, 0xde00_0000_0000_0000;
    TxdB, "TXD", 0xffc0_0000_0000_0000, 0xde40_0000_0000_0000;
    Txq, "TXQ", 0xfff8_0000_0000_0000, 0xdf48_0000_0000_0000;
    TxqB, "TXQ", 0xfff8_0000_0000_0000, 0xdf50_0000_0000_0000;
    Vabsdiff, "VABSDIFF", 0xff00_0000_0000_0000, 0x5400_0000_0000_0000;
    Vabsdiff4, "VABSDIFF4", 0xff80_0000_0000_0000, 0x5000_0000_0000_0000;
    Vadd, "VADD", 0xfc00_0000_0000_0000, 0x2000_0000_0000_0000;
    Vmad, "VMAD", 0xff00_0000_0000_0000, 0x5f00_0000_0000_0000;
    Vmnmx, "VMNMX", 0xfe00_0000_0000_0000, 0x3a00_0000_0000_0000;
    Vote, "VOTE", 0xfff8_0000_0000_0000, 0x50d8_0000_0000_0000;
    Votevtg, "VOTE.VTG", 0xfff8_0000_0000_0000, 0x50e0_0000_0000_0000;
    Vset, "VSET", 0xfe00_0000_0000_0000, 0x4000_0000_0000_0000;
    Vsetp, "VSETP", 0xfff8_0000_0000_0000, 0x50f0_0000_0000_0000;
    Vshl, "VSHL", 0xff00_0000_0000_0000, 0x5700_0000_0000_0000;
    Vshr, "VSHR", 0xff00_0000_0000_0000, 0x5600_0000_0000_0000;
    XmadC, "XMAD", 0xfe00_0000_0000_0000, 0x4e00_0000_0000_0000;
    XmadI, "XMAD", 0xfec0_0000_0000_0000, 0x3600_0000_0000_0000;
    XmadR, "XMAD", 0xffc0_0000_0000_0000, 0x5b00_0000_0000_0000;
    XmadRc, "XMAD", 0xff80_0000_0000_0000, 0x5100_0000_0000_0000;
    AtomPred, "ATOM", 0xfff0_0000_0000_0000, 0xee60_0000_0000_0000;
    AtomCasPred, "ATOM", 0xfff0_0000_0000_0000, 0xee70_0000_0000_0000;
}

/// Bits that index the table of candidates: nearly every mask lies inside of them.
const INDEX_SHIFT: u32 = 51;

/// Patterns of those bits.
const PATTERNS: usize = 1 << (64 - INDEX_SHIFT);

/// For each value of the upper bits the forms that may have them, the one with the most specific mask first.
static CANDIDATES: [Candidates; PATTERNS] = candidates();

/// The forms that the upper bits leave: never more than two.
#[derive(Clone, Copy)]
struct Candidates {
    first: Option<Form>,
    other: Option<Form>,
}

impl Candidates {
    /// With one more; two with masks of the same length are never both possible.
    const fn and(self, form: Form) -> Self {
        match (self.first, self.other) {
            (None, _) => Self { first: Some(form), other: None },
            (Some(first), _) if length(form) > length(first) => {
                Self { first: Some(form), other: Some(first) }
            }
            // Behind a form whose whole mask was looked at already nothing can win.
            (Some(first), _) if is_sure(first) => self,
            (_, Some(other)) if length(other) > length(form) => self,
            _ => Self { other: Some(form), ..self },
        }
    }
}

/// Bits of a form's mask.
const fn length(form: Form) -> u32 {
    ROWS[form as usize].mask.count_ones()
}

/// Whether the upper bits say all of a form.
const fn is_sure(form: Form) -> bool {
    ROWS[form as usize].mask << (64 - INDEX_SHIFT) == 0
}

const fn candidates() -> [Candidates; PATTERNS] {
    let mut all = [Candidates { first: None, other: None }; PATTERNS];
    let mut number = 0;
    while number < Form::ALL.len() {
        let row = &ROWS[number];
        let (free, value) = (!row.mask >> INDEX_SHIFT, row.value >> INDEX_SHIFT);
        // Every part of the bits that are free, from all of them down to none.
        let mut part = free;
        loop {
            let place = (value | part) as usize;
            all[place] = all[place].and(Form::ALL[number]);
            if part == 0 {
                break;
            }
            part = (part - 1) & free;
        }
        number += 1;
    }
    all
}

impl Form {
    /// The form of a word, going by its mask alone: a word may still hold a value that its form refuses. `None`
    /// where no form has these bits.
    #[inline]
    pub fn of(word: u64) -> Option<Self> {
        let candidates = CANDIDATES.get((word >> INDEX_SHIFT) as usize)?;
        let fits = |form: &Form| (word ^ form.value()) & form.mask() == 0;
        candidates.first.filter(fits).or_else(|| candidates.other.filter(fits))
    }

    /// The name of the operation as NVIDIA's listings have it, without modifiers.
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// Whether the bits of the guard count: the forms that touch the stack alone and the system's have none, and
    /// NVIDIA's disassembler does not look at them.
    #[inline]
    pub fn has_guard(self) -> bool {
        !matches!(
            self,
            Self::Cal
                | Self::Jcal
                | Self::Pret
                | Self::Ssy
                | Self::Pbk
                | Self::Pcnt
                | Self::Pexit
                | Self::Plongjmp
                | Self::Getcrsptr
                | Self::Setcrsptr
                | Self::Getlmembase
                | Self::Setlmembase
                | Self::Ram
                | Self::Sam
                | Self::Ide
                | Self::Bpt
                | Self::Rtt
                | Self::Stp
        )
    }

    /// The bits that tell this form.
    #[inline]
    pub fn mask(self) -> u64 {
        self.row().mask
    }

    /// What those bits are.
    #[inline]
    pub fn value(self) -> u64 {
        self.row().value
    }

    #[inline]
    fn row(self) -> &'static Row {
        // The enumeration and the rows come from one list.
        &ROWS[self as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_most_specific_mask_wins() {
        let mut seed = 1_u64;
        for round in 0..2_000_000_u64 {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let mut word = seed ^ (seed >> 29);
            // Every pattern of the upper bits, and then words near each form.
            if round < 8192 {
                word = (word >> 13) | (round << INDEX_SHIFT);
            } else if round % 2 == 0 {
                let form = Form::ALL[(seed >> 40) as usize % Form::ALL.len()];
                word = (word & !form.mask()) | form.value();
            }
            let slow = Form::ALL
                .iter()
                .copied()
                .filter(|form| (word ^ form.value()) & form.mask() == 0)
                .max_by_key(|form| form.mask().count_ones());
            assert_eq!(Form::of(word), slow, "{word:016x}");
        }
    }
}
