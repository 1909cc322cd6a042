//! Operations of control flow.

use super::form::{ARITHMETIC, EXPORT, FETCHES, FLOW, Form, MEMORY};
use super::numbered;

/// What kind of control flow an operation is, and so which form its words have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Flow,
    Fetches,
    Arithmetic,
    Export,
    Memory,
}

/// The address of a target that a text does not say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unsaid {
    /// None: it is said.
    Nothing,
    /// The start of the program.
    Zero,
    /// The start of the program; the machine does not go there.
    Unused,
    /// The instruction behind this one; the machine does not go there.
    Next,
}

/// Rows of operations: number, name, kind, and behind an arrow the word of a target and the address that it does not say.
macro_rules! flow {
    ($(#[$doc:meta])* $name:ident, $bits:ty {
        $($(#[$op_doc:meta])* $variant:ident = $number:literal $text:literal $kind:ident $(-> $word:literal $unsaid:ident)?,)*
    }) => {
        numbered! {
            $(#[$doc])*
            $name, $bits { $($(#[$op_doc])* $variant = $number $text,)* }
        }

        impl $name {
            #[inline]
            fn kind(self) -> Kind {
                match self {
                    $(Self::$variant => Kind::$kind,)*
                }
            }

            /// The word of its target's address, and the one that is not said; `None`: it has no target.
            #[inline]
            pub(crate) fn target(self) -> Option<(&'static str, Unsaid)> {
                match self {
                    $($(Self::$variant => Some(($word, Unsaid::$unsaid)),)?)*
                    _ => None,
                }
            }
        }
    };
}

flow! {
    /// Operation of a control-flow instruction. Numbers below 64 are the seven bits of a normal or export
    /// instruction; those of arithmetic clauses are 64 + their four bits.
    CfOp, u32 {
        /// Nothing.
        Nop = 0x00 "NOP" Flow,
        /// A clause of texture instructions.
        Tex = 0x01 "TEX" Fetches,
        /// A clause of fetches through the vertex cache.
        Vtx = 0x02 "VTX" Fetches,
        /// A clause of fetches through the texture cache.
        VtxTc = 0x03 "VTX_TC" Fetches,
        /// Loop that counts by a loop constant and has an index.
        LoopStart = 0x04 "LOOP_START" Flow -> "FAIL_JUMP_ADDR" Nothing,
        /// Back to behind the start of the loop.
        LoopEnd = 0x05 "LOOP_END" Flow -> "PASS_JUMP_ADDR" Nothing,
        /// Loop without an end of its own.
        LoopStartDx10 = 0x06 "LOOP_START_DX10" Flow -> "FAIL_JUMP_ADDR" Nothing,
        /// Loop that counts by a loop constant and leaves the index alone.
        LoopStartNoAl = 0x07 "LOOP_START_NO_AL" Flow -> "FAIL_JUMP_ADDR" Nothing,
        /// Active pixels wait for the next pass of the loop.
        LoopContinue = 0x08 "LOOP_CONTINUE" Flow -> "ADDR" Nothing,
        /// Active pixels leave the loop.
        LoopBreak = 0x09 "LOOP_BREAK" Flow -> "ADDR" Nothing,
        /// Jumps when no pixel is active.
        Jump = 0x0A "JUMP" Flow -> "ADDR" Nothing,
        /// Pushes the mask of active pixels.
        Push = 0x0B "PUSH" Flow -> "ADDR" Unused,
        /// Pushes the mask and inverts it.
        PushElse = 0x0C "PUSH_ELSE" Flow -> "ADDR" Unused,
        /// The other pixels of the pushed mask.
        Else = 0x0D "ELSE" Flow -> "ADDR" Nothing,
        /// Drops entries of the stack.
        Pop = 0x0E "POP" Flow -> "ADDR" Next,
        /// Drops entries and jumps.
        PopJump = 0x0F "POP_JUMP" Flow -> "ADDR" Zero,
        /// Drops entries and pushes.
        PopPush = 0x10 "POP_PUSH" Flow -> "ADDR" Unused,
        /// Drops entries, pushes and inverts.
        PopPushElse = 0x11 "POP_PUSH_ELSE" Flow -> "ADDR" Unused,
        /// Subroutine.
        Call = 0x12 "CALL" Flow -> "ADDR" Nothing,
        /// Fetch program, which brings the vertex attributes.
        CallFs = 0x13 "CALL_FS" Flow,
        /// Back from a subroutine.
        Return = 0x14 "RETURN" Flow,
        /// The vertex is complete.
        EmitVertex = 0x15 "EMIT_VERTEX" Flow,
        /// The vertex is complete and ends the strip.
        EmitCutVertex = 0x16 "EMIT_CUT_VERTEX" Flow,
        /// The strip ends.
        CutVertex = 0x17 "CUT_VERTEX" Flow,
        /// Active pixels are dropped.
        Kill = 0x18 "KILL" Flow,
        /// The program ends.
        EndProgram = 0x19 "END_PROGRAM" Flow,
        /// Waits for writes to memory.
        WaitAck = 0x1A "WAIT_ACK" Flow,
        /// A texture clause that acknowledges.
        TexAck = 0x1B "TEX_ACK" Fetches,
        /// A vertex clause that acknowledges.
        VtxAck = 0x1C "VTX_ACK" Fetches,
        /// A vertex clause through the texture cache that acknowledges.
        VtxTcAck = 0x1D "VTX_TC_ACK" Fetches,
        /// Stream-out buffer 0.
        MemStream0 = 0x20 "MEM_STREAM0" Memory,
        /// Stream-out buffer 1.
        MemStream1 = 0x21 "MEM_STREAM1" Memory,
        /// Stream-out buffer 2.
        MemStream2 = 0x22 "MEM_STREAM2" Memory,
        /// Stream-out buffer 3.
        MemStream3 = 0x23 "MEM_STREAM3" Memory,
        /// Scratch memory.
        MemScratch = 0x24 "MEM_SCRATCH" Memory,
        /// Reduction buffer.
        MemReduction = 0x25 "MEM_REDUCTION" Memory,
        /// Ring between vertex, geometry and copy program.
        MemRing = 0x26 "MEM_RING" Memory,
        /// Export; more of the same kind follow.
        Export = 0x27 "EXP" Export,
        /// Export, the last of its kind.
        ExportDone = 0x28 "EXP_DONE" Export,
        /// Memory at any address.
        MemExport = 0x3A "MEM_EXPORT" Memory,
        /// Arithmetic.
        Alu = 0x48 "ALU" Arithmetic,
        /// Pushes the mask, then arithmetic.
        AluPushBefore = 0x49 "ALU_PUSH_BEFORE" Arithmetic,
        /// Arithmetic, then drops one entry.
        AluPopAfter = 0x4A "ALU_POP_AFTER" Arithmetic,
        /// Arithmetic, then drops two entries.
        AluPop2After = 0x4B "ALU_POP2_AFTER" Arithmetic,
        /// Extension of the next clause on later chips; without meaning here.
        AluExtended = 0x4C "ALU_EXT" Arithmetic,
        /// Arithmetic; pixels that its predicate switches off go to the next pass of the loop.
        AluContinue = 0x4D "ALU_CONTINUE" Arithmetic,
        /// Arithmetic; pixels that its predicate switches off leave the loop.
        AluBreak = 0x4E "ALU_BREAK" Arithmetic,
        /// Arithmetic, then the other pixels of the pushed mask.
        AluElseAfter = 0x4F "ALU_ELSE_AFTER" Arithmetic,
    }
}

impl CfOp {
    /// Whether it starts a clause of arithmetic.
    #[inline]
    pub fn is_alu(self) -> bool {
        self.kind() == Kind::Arithmetic
    }

    /// Whether it starts a clause of fetches.
    #[inline]
    pub fn is_fetch(self) -> bool {
        self.kind() == Kind::Fetches
    }

    /// Whether it writes a pixel, position or parameter.
    #[inline]
    pub fn is_export(self) -> bool {
        self.kind() == Kind::Export
    }

    /// Whether it writes or reads a buffer in memory.
    #[inline]
    pub fn is_memory(self) -> bool {
        self.kind() == Kind::Memory
    }

    /// Whether it writes a stream, which no text reads.
    pub(crate) fn is_stream(self) -> bool {
        matches!(self, Self::MemStream0 | Self::MemStream1 | Self::MemStream2 | Self::MemStream3)
    }

    /// Whether the machine goes to its target.
    pub(crate) fn goes_to_target(self) -> bool {
        matches!(self.target(), Some((_, Unsaid::Nothing | Unsaid::Zero)))
    }

    /// Whether its address is another control-flow instruction's.
    #[inline]
    pub fn has_target(self) -> bool {
        self.target().is_some()
    }

    /// The form of its words.
    #[inline]
    pub(crate) fn form(self) -> &'static Form {
        match self.kind() {
            Kind::Flow => &FLOW,
            Kind::Fetches => &FETCHES,
            Kind::Arithmetic => &ARITHMETIC,
            Kind::Export => &EXPORT,
            Kind::Memory => &MEMORY,
        }
    }

    /// The address of its target where a text does not say it; `at` is its own.
    pub(crate) fn unsaid_target(self, at: u32) -> Option<u32> {
        match self.target() {
            Some((_, Unsaid::Nothing)) => None,
            Some((_, Unsaid::Next)) => Some(at.wrapping_add(1)),
            _ => Some(0),
        }
    }

    /// Bytes of an address unit of the memory that it writes or reads.
    pub(crate) fn address_unit(self) -> u32 {
        if matches!(self, Self::MemScratch | Self::MemReduction) { 16 } else { 4 }
    }
}
