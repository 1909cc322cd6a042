//! What a control word says about one instruction, as text and as a check.
//!
//! `[B01----:R2:W0:Y:S06]`: waits for barriers 0 and 1, sets barrier 2 when its operands have been read and barrier 0
//! when its result is written, may give way to another warp, and the next instruction comes 6 cycles later. `:U5`
//! behind it are reuse flags that no operand shows.

use super::Form;
use super::layout::Slot;

/// Barrier number for none.
pub const NO_BARRIER: u8 = 7;

impl Slot {
    /// What says nothing: no wait, no barriers, no stall.
    pub const PLAIN: Self = Self(0x7E0);

    /// Cycles until the next instruction; 0 issues both together where the warp also stays.
    pub fn stall(self) -> u8 {
        (self.0 & 15) as u8
    }

    /// Whether the warp should stay rather than give way to another one.
    pub fn stays(self) -> bool {
        self.0 >> 4 & 1 == 1
    }

    /// The barrier that is set until the result is written; [`NO_BARRIER`] for none.
    pub fn write_barrier(self) -> u8 {
        (self.0 >> 5 & 7) as u8
    }

    /// The barrier that is set until the operands have been read; [`NO_BARRIER`] for none.
    pub fn read_barrier(self) -> u8 {
        (self.0 >> 8 & 7) as u8
    }

    /// The barriers that must be clear before: bit n for barrier n.
    pub fn waits(self) -> u8 {
        (self.0 >> 11 & 63) as u8
    }

    /// Which operands' registers stay in the reuse cache: bit 0 the first source, 1 the second, 2 the third.
    pub fn reuse(self) -> u8 {
        (self.0 >> 17 & 15) as u8
    }

    /// From its parts.
    pub fn new(stall: u8, stays: bool, write: u8, read: u8, waits: u8, reuse: u8) -> Self {
        Self(
            u32::from(stall & 15)
                | u32::from(stays) << 4
                | u32::from(write & 7) << 5
                | u32::from(read & 7) << 8
                | u32::from(waits & 63) << 11
                | u32::from(reuse & 15) << 17,
        )
    }

    /// The same with other reuse flags.
    #[must_use]
    pub fn with_reuse(self, reuse: u8) -> Self {
        Self(self.0 & 0x1_FFFF | u32::from(reuse & 15) << 17)
    }
}

/// Length of [`text`] without reuse flags.
pub(super) const WIDTH: usize = 23;

/// The text of a slot; `reuse` are the flags that the instruction does not show.
pub(super) fn text(slot: Slot, reuse: u8) -> ([u8; 26], usize) {
    let mut out = *b"[B------:R-:W-:-:S00]     ";
    for barrier in 0..6 {
        if slot.waits() >> barrier & 1 == 1 {
            out[2 + usize::from(barrier)] = b'0' + barrier;
        }
    }
    let digit = |barrier: u8| if barrier == NO_BARRIER { b'-' } else { b'0' + barrier };
    out[10] = digit(slot.read_barrier());
    out[13] = digit(slot.write_barrier());
    if !slot.stays() {
        out[15] = b'Y';
    }
    out[18] = b'0' + slot.stall() / 10;
    out[19] = b'0' + slot.stall() % 10;
    if reuse == 0 {
        return (out, 21);
    }
    out[20] = b':';
    out[21] = b'U';
    let end = if reuse >= 10 {
        out[22] = b'1';
        out[23] = b'0' + reuse - 10;
        24
    } else {
        out[22] = b'0' + reuse;
        23
    };
    out[end] = b']';
    (out, end + 1)
}

/// Reads the text of a slot up to its bracket. None where it is none.
pub(super) fn read(text: &str) -> Option<Slot> {
    let mut parts = text.strip_prefix('[')?.strip_suffix(']')?.split(':').map(str::trim);
    let waits = parts.next()?.strip_prefix('B')?;
    if waits.len() != 6 {
        return None;
    }
    let mut mask = 0;
    for (number, byte) in waits.bytes().enumerate() {
        if byte != b'-' {
            if byte != b'0' + number as u8 {
                return None;
            }
            mask |= 1 << number;
        }
    }
    let barrier = |text: &str| match text {
        "-" => Some(NO_BARRIER),
        text => text.parse().ok().filter(|number| *number < NO_BARRIER),
    };
    let read = barrier(parts.next()?.strip_prefix('R')?)?;
    let write = barrier(parts.next()?.strip_prefix('W')?)?;
    let stays = match parts.next()? {
        "Y" => false,
        "-" => true,
        _ => return None,
    };
    let stall = parts.next()?.strip_prefix('S')?.parse().ok().filter(|stall| *stall < 16)?;
    let reuse = match parts.next() {
        Some(part) => part.strip_prefix('U')?.parse().ok().filter(|reuse| *reuse < 16)?,
        None => 0,
    };
    parts.next().is_none().then(|| Slot::new(stall, stays, write, read, mask, reuse))
}

/// How long an instruction takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Latency {
    /// So many cycles; it cannot set barriers, and NVIDIA's disassembler refuses a control word that says so.
    Fixed(u8),
    /// It takes as long as it takes, and sets barriers: whether it has a result.
    Variable(bool),
}

/// How long an instruction takes. Cycles are those that NVIDIA's compiler leaves between an instruction and what
/// uses its result; which instructions set barriers is what the compilers' programs show.
pub fn latency(form: Form) -> Latency {
    match form.name() {
        "AST" | "ST" | "STG" | "STL" | "STS" | "RED" | "SUST" | "SURED" | "STP" => Latency::Variable(false),
        "AL2P" | "ALD" | "ATOM" | "ATOMS" | "B2R" | "DADD" | "DFMA" | "DMNMX" | "DMUL" | "DSET" | "DSETP"
        | "F2F" | "F2I" | "FLO" | "HADD2" | "HADD2_32I" | "HFMA2" | "HFMA2_32I" | "HMUL2" | "HMUL2_32I"
        | "HSET2" | "HSETP2" | "I2F" | "I2I" | "IMAD" | "IMAD32I" | "IMADSP" | "IMUL" | "IMUL32I" | "IPA"
        | "ISBERD" | "LD" | "LDC" | "LDG" | "LDL" | "LDS" | "MUFU" | "OUT" | "PIXLD" | "POPC" | "S2R"
        | "SHFL" | "SUATOM" | "SULD" | "TEX" | "TEXS" | "TLD" | "TLD4" | "TLD4S" | "TLDS" | "TMML"
        | "TXA" | "TXD" | "TXQ" | "GETCRSPTR" | "GETLMEMBASE" => Latency::Variable(true),
        // Predicates and flags come later than registers; the branch unit takes as long.
        "FSETP" | "ISETP" | "PSETP" | "CSETP" | "VSETP" | "FCHK" | "P2R" | "R2P" | "R2B" | "PSET"
        | "CSET" | "VOTE" | "VOTE.VTG" | "DEPBAR" | "SSY" | "PBK" | "PCNT" | "PRET" | "PEXIT"
        | "PLONGJMP" | "KIL" => Latency::Fixed(13),
        "BAR" | "MEMBAR" | "CCTL" | "CCTLL" | "CCTLT" | "BRA" | "BRX" | "JMP" | "JMX" | "CAL" | "JCAL"
        | "RET" | "BRK" | "CONT" | "SYNC" | "LONGJMP" | "EXIT" | "BPT" | "RAM" | "SAM" | "RTT" | "IDE"
        | "SETCRSPTR" | "SETLMEMBASE" => Latency::Fixed(15),
        // Those may write a predicate or the flags too.
        "LEA" | "LEA.HI" | "LOP" | "LOP3.LUT" | "IADD" | "IADD3" | "IADD32I" | "ISCADD" | "ISCADD32I"
        | "XMAD" => Latency::Fixed(13),
        _ => Latency::Fixed(6),
    }
}

/// Whether a control slot goes with an instruction: one of fixed latency sets no barrier.
pub fn fits(form: Form, slot: Slot) -> bool {
    let barriers = slot.write_barrier() != NO_BARRIER || slot.read_barrier() != NO_BARRIER;
    // Where no operation is nothing is refused, and a barrier of the work group may set one of the warp.
    !barriers || matches!(form, Form::Nop | Form::Bar) || matches!(latency(form), Latency::Variable(_))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_come_back() {
        for bits in 0..1 << 21 {
            let slot = Slot(bits);
            let (bytes, len) = text(slot, slot.reuse());
            assert_eq!(read(std::str::from_utf8(&bytes[..len]).unwrap()), Some(slot));
        }
        assert_eq!(read("[B------:R-:W-:-:S16]"), None);
        assert_eq!(read("[B1-----:R-:W-:-:S01]"), None);
    }
}
