//! What a control word says about one instruction, as text and as a check.
//!
//! `[B01----:R2:W0:Y:S06]`: waits for barriers 0 and 1, sets barrier 2 when its operands have been read and barrier 0
//! when its result is written, may give way to another warp, and the next instruction comes 6 cycles later. `:U5`
//! behind it are reuse flags that no operand shows.

use super::Form;
use super::layout::Slot;
use std::sync::LazyLock;

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

    /// Whether it sets a barrier.
    #[inline]
    pub fn sets_barrier(self) -> bool {
        self.write_barrier() != NO_BARRIER || self.read_barrier() != NO_BARRIER
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

/// The barriers that are waited for, by the bits of the slot.
static WAITS: [[u8; 6]; 64] = {
    let mut all = [[b'-'; 6]; 64];
    let mut bits = 0;
    while bits < 64 {
        let mut barrier = 0;
        while barrier < 6 {
            if bits >> barrier & 1 == 1 {
                all[bits][barrier] = b'0' + barrier as u8;
            }
            barrier += 1;
        }
        bits += 1;
    }
    all
};

/// The text of a slot, its first 16 characters and those behind them, and the length of all; `reuse` are the flags that
/// the instruction does not show.
pub(super) fn text(slot: Slot, reuse: u8) -> ([u8; 16], [u8; 16], usize) {
    const BARRIERS: &[u8; 8] = b"0123456-";
    let mut first = *b"[B------:R-:W-:-";
    let mut rest = *b":S00]           ";
    first[2..8].copy_from_slice(&WAITS[usize::from(slot.waits() & 63)]);
    first[10] = BARRIERS[usize::from(slot.read_barrier() & 7)];
    first[13] = BARRIERS[usize::from(slot.write_barrier() & 7)];
    if !slot.stays() {
        first[15] = b'Y';
    }
    let two = |place: &mut [u8], number: u8| {
        if let [tens, ones] = place {
            *tens = if number >= 10 { b'1' } else { b'0' };
            *ones = b'0' + number % 10;
        }
    };
    two(&mut rest[2..4], slot.stall());
    let end = match reuse {
        0 => 4,
        1..=9 => {
            rest[4..7].copy_from_slice(&[b':', b'U', b'0' + reuse]);
            7
        }
        _ => {
            rest[4..6].copy_from_slice(b":U");
            two(&mut rest[6..8], reuse & 15);
            8
        }
    };
    rest[end] = b']';
    (first, rest, 16 + end + 1)
}

/// Reads the text of a slot up to its bracket. None where it is none.
pub(super) fn read(text: &str) -> Option<Slot> {
    let inside = text.strip_prefix('[')?.strip_suffix(']')?.as_bytes();
    let mut parts = inside.split(|byte| *byte == b':').map(<[u8]>::trim_ascii);
    let [b'B', waits @ ..] = parts.next()? else { return None };
    if waits.len() != 6 {
        return None;
    }
    let mut mask = 0;
    for (number, byte) in (0_u8..).zip(waits) {
        if *byte != b'-' {
            if *byte != b'0' + number {
                return None;
            }
            mask |= 1 << number;
        }
    }
    let barrier = |text: &[u8]| match text {
        b"-" => Some(NO_BARRIER),
        text => below(text, NO_BARRIER),
    };
    let [b'R', read @ ..] = parts.next()? else { return None };
    let [b'W', write @ ..] = parts.next()? else { return None };
    let (read, write) = (barrier(read)?, barrier(write)?);
    let stays = match parts.next()? {
        b"Y" => false,
        b"-" => true,
        _ => return None,
    };
    let [b'S', stall @ ..] = parts.next()? else { return None };
    let stall = below(stall, 16)?;
    let reuse = match parts.next() {
        Some([b'U', reuse @ ..]) => below(reuse, 16)?,
        Some(_) => return None,
        None => 0,
    };
    parts.next().is_none().then(|| Slot::new(stall, stays, write, read, mask, reuse))
}

/// A decimal number below a limit.
fn below(text: &[u8], limit: u8) -> Option<u8> {
    let number = text.iter().try_fold(0_u8, |number, digit| {
        let digit = digit.checked_sub(b'0').filter(|digit| *digit < 10)?;
        number.checked_mul(10)?.checked_add(digit)
    })?;
    (!text.is_empty() && number < limit).then_some(number)
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
    static LATENCIES: LazyLock<Vec<Latency>> =
        LazyLock::new(|| Form::ALL.iter().map(|form| by_name(form.name())).collect());
    LATENCIES.get(form as usize).copied().unwrap_or(Latency::Fixed(15))
}

fn by_name(name: &str) -> Latency {
    match name {
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
    // Where no operation is nothing is refused, and a barrier of the work group may set one of the warp.
    !slot.sets_barrier()
        || matches!(form, Form::Nop | Form::Bar)
        || matches!(latency(form), Latency::Variable(_))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_come_back() {
        for bits in 0..1 << 21 {
            let slot = Slot(bits);
            let (first, rest, len) = text(slot, slot.reuse());
            let bytes = [first, rest].concat();
            assert_eq!(read(std::str::from_utf8(&bytes[..len]).unwrap()), Some(slot));
        }
        assert_eq!(read("[B------:R-:W-:-:S16]"), None);
        assert_eq!(read("[B1-----:R-:W-:-:S01]"), None);
    }
}
