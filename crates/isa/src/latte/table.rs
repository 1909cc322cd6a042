//! The one table of the machine: operations by number, with their names, sources and units.

/// Operations of a control-flow instruction.
macro_rules! numbered {
    ($(#[$doc:meta])* $name:ident, $bits:ty { $($(#[$op_doc:meta])* $variant:ident = $number:literal $text:literal,)* }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name {
            $($(#[$op_doc])* $variant,)*
        }

        impl $name {
            /// All of them, in order of their numbers.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// The one with that number.
            #[inline]
            pub fn of(number: $bits) -> Option<Self> {
                match number {
                    $($number => Some(Self::$variant),)*
                    _ => None,
                }
            }

            /// Its number.
            #[inline]
            pub fn number(self) -> $bits {
                match self {
                    $(Self::$variant => $number,)*
                }
            }

            /// Its name in listings.
            #[inline]
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $text,)*
                }
            }

            /// The one with that name, in capital letters.
            pub fn named(name: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|op| op.name() == name)
            }
        }
    };
}

numbered! {
    /// Operation of a control-flow instruction. Numbers below 64 are the seven bits of a normal or export
    /// instruction; those of arithmetic clauses are 64 + their four bits.
    CfOp, u32 {
        /// Nothing.
        Nop = 0x00 "NOP",
        /// A clause of texture instructions.
        Tex = 0x01 "TEX",
        /// A clause of fetches through the vertex cache.
        Vtx = 0x02 "VTX",
        /// A clause of fetches through the texture cache.
        VtxTc = 0x03 "VTX_TC",
        /// Loop that counts by a loop constant and has an index.
        LoopStart = 0x04 "LOOP_START",
        /// Back to behind the start of the loop.
        LoopEnd = 0x05 "LOOP_END",
        /// Loop without an end of its own.
        LoopStartDx10 = 0x06 "LOOP_START_DX10",
        /// Loop that counts by a loop constant and leaves the index alone.
        LoopStartNoAl = 0x07 "LOOP_START_NO_AL",
        /// Active pixels wait for the next pass of the loop.
        LoopContinue = 0x08 "LOOP_CONTINUE",
        /// Active pixels leave the loop.
        LoopBreak = 0x09 "LOOP_BREAK",
        /// Jumps when no pixel is active.
        Jump = 0x0A "JUMP",
        /// Pushes the mask of active pixels.
        Push = 0x0B "PUSH",
        /// Pushes the mask and inverts it.
        PushElse = 0x0C "PUSH_ELSE",
        /// The other pixels of the pushed mask.
        Else = 0x0D "ELSE",
        /// Drops entries of the stack.
        Pop = 0x0E "POP",
        /// Drops entries and jumps.
        PopJump = 0x0F "POP_JUMP",
        /// Drops entries and pushes.
        PopPush = 0x10 "POP_PUSH",
        /// Drops entries, pushes and inverts.
        PopPushElse = 0x11 "POP_PUSH_ELSE",
        /// Subroutine.
        Call = 0x12 "CALL",
        /// Fetch program, which brings the vertex attributes.
        CallFs = 0x13 "CALL_FS",
        /// Back from a subroutine.
        Return = 0x14 "RETURN",
        /// The vertex is complete.
        EmitVertex = 0x15 "EMIT_VERTEX",
        /// The vertex is complete and ends the strip.
        EmitCutVertex = 0x16 "EMIT_CUT_VERTEX",
        /// The strip ends.
        CutVertex = 0x17 "CUT_VERTEX",
        /// Active pixels are dropped.
        Kill = 0x18 "KILL",
        /// The program ends.
        EndProgram = 0x19 "END_PROGRAM",
        /// Waits for writes to memory.
        WaitAck = 0x1A "WAIT_ACK",
        /// A texture clause that acknowledges.
        TexAck = 0x1B "TEX_ACK",
        /// A vertex clause that acknowledges.
        VtxAck = 0x1C "VTX_ACK",
        /// A vertex clause through the texture cache that acknowledges.
        VtxTcAck = 0x1D "VTX_TC_ACK",
        /// Stream-out buffer 0.
        MemStream0 = 0x20 "MEM_STREAM0",
        /// Stream-out buffer 1.
        MemStream1 = 0x21 "MEM_STREAM1",
        /// Stream-out buffer 2.
        MemStream2 = 0x22 "MEM_STREAM2",
        /// Stream-out buffer 3.
        MemStream3 = 0x23 "MEM_STREAM3",
        /// Scratch memory.
        MemScratch = 0x24 "MEM_SCRATCH",
        /// Reduction buffer.
        MemReduction = 0x25 "MEM_REDUCTION",
        /// Ring between vertex, geometry and copy program.
        MemRing = 0x26 "MEM_RING",
        /// Export; more of the same kind follow.
        Export = 0x27 "EXP",
        /// Export, the last of its kind.
        ExportDone = 0x28 "EXP_DONE",
        /// Memory at any address.
        MemExport = 0x3A "MEM_EXPORT",
        /// Arithmetic.
        Alu = 0x48 "ALU",
        /// Pushes the mask, then arithmetic.
        AluPushBefore = 0x49 "ALU_PUSH_BEFORE",
        /// Arithmetic, then drops one entry.
        AluPopAfter = 0x4A "ALU_POP_AFTER",
        /// Arithmetic, then drops two entries.
        AluPop2After = 0x4B "ALU_POP2_AFTER",
        /// Extension of the next clause on later chips; without meaning here.
        AluExtended = 0x4C "ALU_EXT",
        /// Arithmetic; pixels that its predicate switches off go to the next pass of the loop.
        AluContinue = 0x4D "ALU_CONTINUE",
        /// Arithmetic; pixels that its predicate switches off leave the loop.
        AluBreak = 0x4E "ALU_BREAK",
        /// Arithmetic, then the other pixels of the pushed mask.
        AluElseAfter = 0x4F "ALU_ELSE_AFTER",
    }
}

impl CfOp {
    /// Whether it starts a clause of arithmetic.
    #[inline]
    pub fn is_alu(self) -> bool {
        self.number() >= 0x48
    }

    /// Whether it starts a clause of fetches.
    #[inline]
    pub fn is_fetch(self) -> bool {
        matches!(self, Self::Tex | Self::Vtx | Self::VtxTc | Self::TexAck | Self::VtxAck | Self::VtxTcAck)
    }

    /// Whether it writes a pixel, position or parameter.
    #[inline]
    pub fn is_export(self) -> bool {
        matches!(self, Self::Export | Self::ExportDone)
    }

    /// Whether it writes or reads a buffer in memory.
    #[inline]
    pub fn is_memory(self) -> bool {
        matches!(
            self,
            Self::MemStream0
                | Self::MemStream1
                | Self::MemStream2
                | Self::MemStream3
                | Self::MemScratch
                | Self::MemReduction
                | Self::MemRing
                | Self::MemExport
        )
    }

    /// Whether its address is another control-flow instruction's.
    #[inline]
    pub fn has_target(self) -> bool {
        matches!(
            self,
            Self::LoopStart
                | Self::LoopEnd
                | Self::LoopStartDx10
                | Self::LoopStartNoAl
                | Self::LoopContinue
                | Self::LoopBreak
                | Self::Jump
                | Self::Push
                | Self::PushElse
                | Self::Else
                | Self::Pop
                | Self::PopJump
                | Self::PopPush
                | Self::PopPushElse
                | Self::Call
        )
    }
}

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

            pub(super) const INFOS: &'static [AluInfo] = &[$(AluInfo {
                name: $text,
                sources: $sources,
                units: Units::$units,
                effect: Effect::$effect,
                domain: Domain::$domain,
            },)*];

            pub(super) const NUMBERS: &'static [u16] = &[$($number,)*];
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
pub(super) struct Facts {
    /// Sources that count; all that the encoding has where the operation is not known.
    pub(super) sources: u8,
    /// Which units can do it; the vector unit where the operation is not known.
    pub(super) units: Units,
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
pub(super) fn facts(number: u32) -> Facts {
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

numbered! {
    /// Operation of a fetch instruction.
    FetchOp, u32 {
        /// From a buffer.
        VtxFetch = 0x00 "VTX_FETCH",
        /// From a buffer, into the register that belongs to a semantic number.
        VtxSemantic = 0x01 "VTX_SEMANTIC",
        /// From memory: scratch, reduction.
        Mem = 0x02 "MEM",
        /// A texel by integer coordinates.
        Ld = 0x03 "LD",
        /// Size of a level and number of levels.
        GetTextureInfo = 0x04 "GET_TEXTURE_INFO",
        /// Number of samples.
        GetSampleInfo = 0x05 "GET_SAMPLE_INFO",
        /// Level of detail that would be sampled.
        GetCompTexLod = 0x06 "GET_COMP_TEX_LOD",
        /// Difference to the pixel at the side.
        GetGradientsH = 0x07 "GET_GRADIENTS_H",
        /// Difference to the pixel above.
        GetGradientsV = 0x08 "GET_GRADIENTS_V",
        /// Weights of the filter.
        GetLerp = 0x09 "GET_LERP",
        /// Keeps the gradients for later samples.
        KeepGradients = 0x0A "KEEP_GRADIENTS",
        /// Horizontal gradients for the samples that follow.
        SetGradientsH = 0x0B "SET_GRADIENTS_H",
        /// Vertical gradients for the samples that follow.
        SetGradientsV = 0x0C "SET_GRADIENTS_V",
        /// Copy.
        Pass = 0x0D "PASS",
        /// Face or layer for cube map arrays.
        SetCubemapIndex = 0x0E "SET_CUBEMAP_INDEX",
        /// One component of four texels.
        Fetch4 = 0x0F "FETCH4",
        /// Level of detail from the quad.
        Sample = 0x10 "SAMPLE",
        /// Level of detail given.
        SampleL = 0x11 "SAMPLE_L",
        /// Bias given.
        SampleLb = 0x12 "SAMPLE_LB",
        /// Level 0.
        SampleLz = 0x13 "SAMPLE_LZ",
        /// Gradients given.
        SampleG = 0x14 "SAMPLE_G",
        /// Gradients and level given.
        SampleGL = 0x15 "SAMPLE_G_L",
        /// Gradients and bias given.
        SampleGLb = 0x16 "SAMPLE_G_LB",
        /// Gradients given, level 0.
        SampleGLz = 0x17 "SAMPLE_G_LZ",
        /// Compares with a reference.
        SampleC = 0x18 "SAMPLE_C",
        /// Compares, level given.
        SampleCL = 0x19 "SAMPLE_C_L",
        /// Compares, bias given.
        SampleCLb = 0x1A "SAMPLE_C_LB",
        /// Compares at level 0.
        SampleCLz = 0x1B "SAMPLE_C_LZ",
        /// Compares, gradients given.
        SampleCG = 0x1C "SAMPLE_C_G",
        /// Compares, gradients and level given.
        SampleCGL = 0x1D "SAMPLE_C_G_L",
        /// Compares, gradients and bias given.
        SampleCGLb = 0x1E "SAMPLE_C_G_LB",
        /// Compares, gradients given, level 0.
        SampleCGLz = 0x1F "SAMPLE_C_G_LZ",
    }
}

impl FetchOp {
    /// Whether the instruction has the layout of a buffer fetch.
    #[inline]
    pub fn is_buffer(self) -> bool {
        matches!(self, Self::VtxFetch | Self::VtxSemantic)
    }

    /// Whether it samples a texture with filtering.
    #[inline]
    pub fn is_sample(self) -> bool {
        self.number() >= 0x0F
    }

    /// Whether it compares with a reference.
    #[inline]
    pub fn compares(self) -> bool {
        self.number() >= 0x18
    }
}

numbered! {
    /// Format of the data in a buffer. Components are named from the one in the highest bits down, as AMD does.
    DataFormat, u32 {
        /// 8 bits.
        X8 = 1 "8",
        /// 4 bits each.
        X4Y4 = 2 "4_4",
        /// 3, 3 and 2 bits.
        X3Y3Z2 = 3 "3_3_2",
        /// 16 bits.
        X16 = 5 "16",
        /// 16-bit float.
        X16Float = 6 "16_FLOAT",
        /// 8 bits each.
        X8Y8 = 7 "8_8",
        /// 5, 6 and 5 bits.
        X5Y6Z5 = 8 "5_6_5",
        /// 6, 5 and 5 bits.
        X6Y5Z5 = 9 "6_5_5",
        /// 1, 5, 5 and 5 bits.
        X1Y5Z5W5 = 10 "1_5_5_5",
        /// 4 bits each.
        X4Y4Z4W4 = 11 "4_4_4_4",
        /// 5, 5, 5 and 1 bits.
        X5Y5Z5W1 = 12 "5_5_5_1",
        /// 32 bits.
        X32 = 13 "32",
        /// 32-bit float.
        X32Float = 14 "32_FLOAT",
        /// 16 bits each.
        X16Y16 = 15 "16_16",
        /// 16-bit floats.
        X16Y16Float = 16 "16_16_FLOAT",
        /// 8 and 24 bits.
        X8Y24 = 17 "8_24",
        /// 8 bits and a 24-bit float.
        X8Y24Float = 18 "8_24_FLOAT",
        /// 24 and 8 bits.
        X24Y8 = 19 "24_8",
        /// A 24-bit float and 8 bits.
        X24Y8Float = 20 "24_8_FLOAT",
        /// 10, 11 and 11 bits.
        X10Y11Z11 = 21 "10_11_11",
        /// Small floats of 10, 11 and 11 bits.
        X10Y11Z11Float = 22 "10_11_11_FLOAT",
        /// 11, 11 and 10 bits.
        X11Y11Z10 = 23 "11_11_10",
        /// Small floats of 11, 11 and 10 bits.
        X11Y11Z10Float = 24 "11_11_10_FLOAT",
        /// 2, 10, 10 and 10 bits.
        X2Y10Z10W10 = 25 "2_10_10_10",
        /// 8 bits each.
        X8Y8Z8W8 = 26 "8_8_8_8",
        /// 10, 10, 10 and 2 bits.
        X10Y10Z10W2 = 27 "10_10_10_2",
        /// 32-bit float with 8 bits beside it.
        X24Y8Z32Float = 28 "X24_8_32_FLOAT",
        /// 32 bits each.
        X32Y32 = 29 "32_32",
        /// 32-bit floats.
        X32Y32Float = 30 "32_32_FLOAT",
        /// 16 bits each.
        X16Y16Z16W16 = 31 "16_16_16_16",
        /// 16-bit floats.
        X16Y16Z16W16Float = 32 "16_16_16_16_FLOAT",
        /// 32 bits each.
        X32Y32Z32W32 = 34 "32_32_32_32",
        /// 32-bit floats.
        X32Y32Z32W32Float = 35 "32_32_32_32_FLOAT",
        /// One bit.
        X1 = 37 "1",
        /// Two pixels with shared colour.
        GbGr = 39 "GB_GR",
        /// Two pixels with shared colour.
        BgRg = 40 "BG_RG",
        /// 32 bits as 8.
        X32As8 = 41 "32_AS_8",
        /// 32 bits as twice 8.
        X32As8Y8 = 42 "32_AS_8_8",
        /// Three mantissas with a shared exponent.
        X5Y9Z9E9 = 43 "5_9_9_9_SHAREDEXP",
        /// 8 bits each.
        X8Y8Z8 = 44 "8_8_8",
        /// 16 bits each.
        X16Y16Z16 = 45 "16_16_16",
        /// 16-bit floats.
        X16Y16Z16Float = 46 "16_16_16_FLOAT",
        /// 32 bits each.
        X32Y32Z32 = 47 "32_32_32",
        /// 32-bit floats.
        X32Y32Z32Float = 48 "32_32_32_FLOAT",
        /// Block compression 1.
        Bc1 = 49 "BC1",
        /// Block compression 2.
        Bc2 = 50 "BC2",
        /// Block compression 3.
        Bc3 = 51 "BC3",
        /// Block compression 4.
        Bc4 = 52 "BC4",
        /// Block compression 5.
        Bc5 = 53 "BC5",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_names_lead_back() {
        for &op in AluOp::ALL {
            assert_eq!(AluOp::of(op.number()), Some(op));
            assert_eq!(AluOp::named(op.name()), Some(op));
        }
        for &op in CfOp::ALL {
            assert_eq!((CfOp::of(op.number()), CfOp::named(op.name())), (Some(op), Some(op)));
        }
        for &op in FetchOp::ALL {
            assert_eq!((FetchOp::of(op.number()), FetchOp::named(op.name())), (Some(op), Some(op)));
        }
        assert_eq!(AluOp::of(0x54), None);
        assert_eq!(AluOp::of(0x11B), None);
        assert_eq!(AluOp::of(0x1FF), None);
    }
}
