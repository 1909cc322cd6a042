//! Arithmetic operations, and what the table says of each.

/// Which units can do an arithmetic instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Units {
    /// One of x, y, z, w.
    Vector,
    /// The fifth, t.
    Trans,
    /// Any.
    Any,
    /// x, y, z and w together.
    All,
    /// x and y, or z and w, together: 64-bit floats.
    Pair,
}

/// What an instruction does beside its result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Effect {
    /// Nothing.
    None,
    /// It makes a predicate.
    Predicate,
    /// It drops pixels.
    Kill,
    /// It writes the address register.
    Address,
}

/// What the sources and the result of an instruction are. Modifiers of the result (factor, clamp) count for
/// floats only.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Domain {
    /// Floats to float.
    Float,
    /// Floats to all bits or none.
    FloatToMask,
    /// Float to integer.
    FloatToInt,
    /// Integers to integer.
    Int,
    /// Integer to float.
    IntToFloat,
    /// 64-bit floats.
    Double,
}

/// What the table says of an arithmetic operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AluInfo {
    /// Name in listings.
    pub name: &'static str,
    /// Sources that count.
    pub sources: u8,
    /// Which units can do it.
    pub units: Units,
    /// What it does beside its result.
    pub effect: Effect,
    /// What sources and result are.
    pub domain: Domain,
}

macro_rules! alu {
    ($(#[$doc:meta])* $name:ident {
        $($variant:ident = $number:literal $text:literal $sources:literal $units:ident $effect:ident $domain:ident,)*
    }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u8)]
        #[expect(missing_docs, reason = "the names are the machine's; what they do stands in `exec`")]
        pub enum $name {
            $($variant,)*
        }

        impl $name {
            /// All of them, in order of their numbers.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            pub(in crate) const INFOS: &'static [AluInfo] = &[$(AluInfo {
                name: $text,
                sources: $sources,
                units: Units::$units,
                effect: Effect::$effect,
                domain: Domain::$domain,
            },)*];

            pub(in crate) const NUMBERS: &'static [u16] = &[$($number,)*];
        }
    };
}

alu! {
    /// Operation of an arithmetic instruction. Numbers below 256 have two sources at most, the others are
    /// 256 + the number of a three-source operation.
    AluOp {
        Add = 0x00 "ADD" 2 Any None Float,
        Mul = 0x01 "MUL" 2 Any None Float,
        MulIeee = 0x02 "MUL_IEEE" 2 Any None Float,
        Max = 0x03 "MAX" 2 Any None Float,
        Min = 0x04 "MIN" 2 Any None Float,
        MaxDx10 = 0x05 "MAX_DX10" 2 Any None Float,
        MinDx10 = 0x06 "MIN_DX10" 2 Any None Float,
        Frexp64 = 0x07 "FREXP_64" 1 Pair None Double,
        SetE = 0x08 "SETE" 2 Any None Float,
        SetGt = 0x09 "SETGT" 2 Any None Float,
        SetGe = 0x0A "SETGE" 2 Any None Float,
        SetNe = 0x0B "SETNE" 2 Any None Float,
        SetEDx10 = 0x0C "SETE_DX10" 2 Any None FloatToMask,
        SetGtDx10 = 0x0D "SETGT_DX10" 2 Any None FloatToMask,
        SetGeDx10 = 0x0E "SETGE_DX10" 2 Any None FloatToMask,
        SetNeDx10 = 0x0F "SETNE_DX10" 2 Any None FloatToMask,
        Fract = 0x10 "FRACT" 1 Any None Float,
        Trunc = 0x11 "TRUNC" 1 Any None Float,
        Ceil = 0x12 "CEIL" 1 Any None Float,
        RoundNe = 0x13 "RNDNE" 1 Any None Float,
        Floor = 0x14 "FLOOR" 1 Any None Float,
        Mova = 0x15 "MOVA" 1 Vector Address FloatToInt,
        MovaFloor = 0x16 "MOVA_FLOOR" 1 Vector Address FloatToInt,
        Add64 = 0x17 "ADD_64" 2 Pair None Double,
        MovaInt = 0x18 "MOVA_INT" 1 Vector Address Int,
        Mov = 0x19 "MOV" 1 Any None Float,
        Nop = 0x1A "NOP" 0 Any None Int,
        Mul64 = 0x1B "MUL_64" 2 Pair None Double,
        Flt64ToFlt32 = 0x1C "FLT64_TO_FLT32" 1 Pair None Double,
        Flt32ToFlt64 = 0x1D "FLT32_TO_FLT64" 1 Pair None Double,
        PredSetGtUint = 0x1E "PRED_SETGT_UINT" 2 Any Predicate IntToFloat,
        PredSetGeUint = 0x1F "PRED_SETGE_UINT" 2 Any Predicate IntToFloat,
        PredSetE = 0x20 "PRED_SETE" 2 Any Predicate Float,
        PredSetGt = 0x21 "PRED_SETGT" 2 Any Predicate Float,
        PredSetGe = 0x22 "PRED_SETGE" 2 Any Predicate Float,
        PredSetNe = 0x23 "PRED_SETNE" 2 Any Predicate Float,
        PredSetInv = 0x24 "PRED_SET_INV" 1 Any Predicate Float,
        PredSetPop = 0x25 "PRED_SET_POP" 2 Any Predicate Float,
        PredSetClr = 0x26 "PRED_SET_CLR" 0 Any Predicate Float,
        PredSetRestore = 0x27 "PRED_SET_RESTORE" 1 Any Predicate Float,
        PredSetEPush = 0x28 "PRED_SETE_PUSH" 2 Any Predicate Float,
        PredSetGtPush = 0x29 "PRED_SETGT_PUSH" 2 Any Predicate Float,
        PredSetGePush = 0x2A "PRED_SETGE_PUSH" 2 Any Predicate Float,
        PredSetNePush = 0x2B "PRED_SETNE_PUSH" 2 Any Predicate Float,
        KillE = 0x2C "KILLE" 2 Any Kill Float,
        KillGt = 0x2D "KILLGT" 2 Any Kill Float,
        KillGe = 0x2E "KILLGE" 2 Any Kill Float,
        KillNe = 0x2F "KILLNE" 2 Any Kill Float,
        AndInt = 0x30 "AND_INT" 2 Any None Int,
        OrInt = 0x31 "OR_INT" 2 Any None Int,
        XorInt = 0x32 "XOR_INT" 2 Any None Int,
        NotInt = 0x33 "NOT_INT" 1 Any None Int,
        AddInt = 0x34 "ADD_INT" 2 Any None Int,
        SubInt = 0x35 "SUB_INT" 2 Any None Int,
        MaxInt = 0x36 "MAX_INT" 2 Any None Int,
        MinInt = 0x37 "MIN_INT" 2 Any None Int,
        MaxUint = 0x38 "MAX_UINT" 2 Any None Int,
        MinUint = 0x39 "MIN_UINT" 2 Any None Int,
        SetEInt = 0x3A "SETE_INT" 2 Any None Int,
        SetGtInt = 0x3B "SETGT_INT" 2 Any None Int,
        SetGeInt = 0x3C "SETGE_INT" 2 Any None Int,
        SetNeInt = 0x3D "SETNE_INT" 2 Any None Int,
        SetGtUint = 0x3E "SETGT_UINT" 2 Any None Int,
        SetGeUint = 0x3F "SETGE_UINT" 2 Any None Int,
        KillGtUint = 0x40 "KILLGT_UINT" 2 Any Kill IntToFloat,
        KillGeUint = 0x41 "KILLGE_UINT" 2 Any Kill IntToFloat,
        PredSetEInt = 0x42 "PRED_SETE_INT" 2 Any Predicate IntToFloat,
        PredSetGtInt = 0x43 "PRED_SETGT_INT" 2 Any Predicate IntToFloat,
        PredSetGeInt = 0x44 "PRED_SETGE_INT" 2 Any Predicate IntToFloat,
        PredSetNeInt = 0x45 "PRED_SETNE_INT" 2 Any Predicate IntToFloat,
        KillEInt = 0x46 "KILLE_INT" 2 Any Kill IntToFloat,
        KillGtInt = 0x47 "KILLGT_INT" 2 Any Kill IntToFloat,
        KillGeInt = 0x48 "KILLGE_INT" 2 Any Kill IntToFloat,
        KillNeInt = 0x49 "KILLNE_INT" 2 Any Kill IntToFloat,
        PredSetEPushInt = 0x4A "PRED_SETE_PUSH_INT" 2 Any Predicate IntToFloat,
        PredSetGtPushInt = 0x4B "PRED_SETGT_PUSH_INT" 2 Any Predicate IntToFloat,
        PredSetGePushInt = 0x4C "PRED_SETGE_PUSH_INT" 2 Any Predicate IntToFloat,
        PredSetNePushInt = 0x4D "PRED_SETNE_PUSH_INT" 2 Any Predicate IntToFloat,
        PredSetLtPushInt = 0x4E "PRED_SETLT_PUSH_INT" 2 Any Predicate IntToFloat,
        PredSetLePushInt = 0x4F "PRED_SETLE_PUSH_INT" 2 Any Predicate IntToFloat,
        Dot4 = 0x50 "DOT4" 2 All None Float,
        Dot4Ieee = 0x51 "DOT4_IEEE" 2 All None Float,
        Cube = 0x52 "CUBE" 2 All None Float,
        Max4 = 0x53 "MAX4" 1 All None Float,
        MovaGprInt = 0x60 "MOVA_GPR_INT" 1 Trans Address Int,
        ExpIeee = 0x61 "EXP_IEEE" 1 Trans None Float,
        LogClamped = 0x62 "LOG_CLAMPED" 1 Trans None Float,
        LogIeee = 0x63 "LOG_IEEE" 1 Trans None Float,
        RecipClamped = 0x64 "RECIP_CLAMPED" 1 Trans None Float,
        RecipFf = 0x65 "RECIP_FF" 1 Trans None Float,
        RecipIeee = 0x66 "RECIP_IEEE" 1 Trans None Float,
        RecipSqrtClamped = 0x67 "RECIPSQRT_CLAMPED" 1 Trans None Float,
        RecipSqrtFf = 0x68 "RECIPSQRT_FF" 1 Trans None Float,
        RecipSqrtIeee = 0x69 "RECIPSQRT_IEEE" 1 Trans None Float,
        SqrtIeee = 0x6A "SQRT_IEEE" 1 Trans None Float,
        FltToInt = 0x6B "FLT_TO_INT" 1 Trans None FloatToInt,
        IntToFlt = 0x6C "INT_TO_FLT" 1 Trans None IntToFloat,
        UintToFlt = 0x6D "UINT_TO_FLT" 1 Trans None IntToFloat,
        Sin = 0x6E "SIN" 1 Trans None Float,
        Cos = 0x6F "COS" 1 Trans None Float,
        AshrInt = 0x70 "ASHR_INT" 2 Any None Int,
        LshrInt = 0x71 "LSHR_INT" 2 Any None Int,
        LshlInt = 0x72 "LSHL_INT" 2 Any None Int,
        MulLoInt = 0x73 "MULLO_INT" 2 Trans None Int,
        MulHiInt = 0x74 "MULHI_INT" 2 Trans None Int,
        MulLoUint = 0x75 "MULLO_UINT" 2 Trans None Int,
        MulHiUint = 0x76 "MULHI_UINT" 2 Trans None Int,
        RecipInt = 0x77 "RECIP_INT" 1 Trans None Int,
        RecipUint = 0x78 "RECIP_UINT" 1 Trans None Int,
        FltToUint = 0x79 "FLT_TO_UINT" 1 Trans None FloatToInt,
        Ldexp64 = 0x7A "LDEXP_64" 2 Pair None Double,
        Fract64 = 0x7B "FRACT_64" 1 Pair None Double,
        PredSetGt64 = 0x7C "PRED_SETGT_64" 2 Pair Predicate Double,
        PredSetE64 = 0x7D "PRED_SETE_64" 2 Pair Predicate Double,
        PredSetGe64 = 0x7E "PRED_SETGE_64" 2 Pair Predicate Double,
        MulAdd64 = 0x108 "MULADD_64" 3 Pair None Double,
        MulAdd64M2 = 0x109 "MULADD_64_M2" 3 Pair None Double,
        MulAdd64M4 = 0x10A "MULADD_64_M4" 3 Pair None Double,
        MulAdd64D2 = 0x10B "MULADD_64_D2" 3 Pair None Double,
        MulLit = 0x10C "MUL_LIT" 3 Trans None Float,
        MulLitM2 = 0x10D "MUL_LIT_M2" 3 Trans None Float,
        MulLitM4 = 0x10E "MUL_LIT_M4" 3 Trans None Float,
        MulLitD2 = 0x10F "MUL_LIT_D2" 3 Trans None Float,
        MulAdd = 0x110 "MULADD" 3 Any None Float,
        MulAddM2 = 0x111 "MULADD_M2" 3 Any None Float,
        MulAddM4 = 0x112 "MULADD_M4" 3 Any None Float,
        MulAddD2 = 0x113 "MULADD_D2" 3 Any None Float,
        MulAddIeee = 0x114 "MULADD_IEEE" 3 Any None Float,
        MulAddIeeeM2 = 0x115 "MULADD_IEEE_M2" 3 Any None Float,
        MulAddIeeeM4 = 0x116 "MULADD_IEEE_M4" 3 Any None Float,
        MulAddIeeeD2 = 0x117 "MULADD_IEEE_D2" 3 Any None Float,
        CndE = 0x118 "CNDE" 3 Any None Float,
        CndGt = 0x119 "CNDGT" 3 Any None Float,
        CndGe = 0x11A "CNDGE" 3 Any None Float,
        CndEInt = 0x11C "CNDE_INT" 3 Any None Int,
        CndGtInt = 0x11D "CNDGT_INT" 3 Any None Int,
        CndGeInt = 0x11E "CNDGE_INT" 3 Any None Int,
    }
}

/// Position in [`AluOp::ALL`] of each number, 255 where there is none.
static BY_NUMBER: [u8; 0x120] = {
    let mut places = [u8::MAX; 0x120];
    let mut at = 0;
    while at < AluOp::NUMBERS.len() {
        places[AluOp::NUMBERS[at] as usize] = at as u8;
        at += 1;
    }
    places
};

/// What the decoder and the printer ask of every instruction, by number.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Facts {
    /// Sources that count; all that the encoding has where the operation is not known.
    pub(crate) sources: u8,
    /// Which units can do it; the vector unit where the operation is not known.
    pub(crate) units: Units,
}

static FACTS: [Facts; 0x120] = {
    let mut all = [Facts { sources: 2, units: Units::Vector }; 0x120];
    let mut number = 0x100;
    while number < all.len() {
        all[number].sources = 3;
        number += 1;
    }
    let mut at = 0;
    while at < AluOp::NUMBERS.len() {
        let info = &AluOp::INFOS[at];
        all[AluOp::NUMBERS[at] as usize] = Facts { sources: info.sources, units: info.units };
        at += 1;
    }
    all
};

/// The facts about the operation with that number.
#[inline]
pub(crate) fn facts(number: u32) -> Facts {
    FACTS.get(number as usize).copied().unwrap_or(Facts { sources: 2, units: Units::Vector })
}

impl AluOp {
    /// The operation with that number: below 256 two-source, otherwise 256 + a three-source one.
    #[inline]
    pub fn of(number: u32) -> Option<Self> {
        let place = *BY_NUMBER.get(number as usize)?;
        Self::ALL.get(place as usize).copied()
    }

    /// Its number.
    #[inline]
    pub fn number(self) -> u32 {
        Self::NUMBERS[self as usize].into()
    }

    /// What the table says of it.
    #[inline]
    pub fn info(self) -> &'static AluInfo {
        &Self::INFOS[self as usize]
    }

    /// Its name in listings.
    #[inline]
    pub fn name(self) -> &'static str {
        self.info().name
    }

    /// The one with that name, in capital letters.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|op| op.name() == name)
    }

    /// Whether it is encoded with three sources.
    #[inline]
    pub fn is_op3(self) -> bool {
        self.number() >= 0x100
    }
}
