//! Operations of control flow.

use super::numbered;

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
