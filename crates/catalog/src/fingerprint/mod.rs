//! What programs look like: a hash that renaming does not change, and a signature that changes little when a program does.
//!
//! Both are made of the listing that the instruction set prints, part by part, so that one rule serves all machines: what
//! a register, a name or a label is called does not matter, only which of them are the same; of a constant, that there is one.

mod normal;
mod signature;

pub use normal::Instruction;
pub use signature::{BYTES, Signature};

use normal::Parts;
use unshade::{ListingOptions, Stage, listing::write_stage};

/// Both kinds of a program's looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fingerprint {
    /// XXH3-64 over the listing with everything numbered in the order in which it first comes.
    pub normal: u64,
    /// Which pairs of instructions there are.
    pub signature: Signature,
}

/// The looks of a program.
pub fn fingerprint(stage: &Stage<'_>) -> Fingerprint {
    listed(Parts::new(stage), stage).finish()
}

/// The instructions of a program, one by one.
pub fn instructions(stage: &Stage<'_>) -> Vec<Instruction> {
    listed(Parts::one_by_one(stage), stage).instructions()
}

fn listed(mut parts: Parts, stage: &Stage<'_>) -> Parts {
    // What control words of Maxwell say is when something runs, not what.
    write_stage(&mut parts, stage, &ListingOptions { no_control: true, ..ListingOptions::default() });
    parts
}

#[cfg(test)]
mod tests {
    use super::*;
    use unshade::{Isa, assemble_code, raw_stage, words_from_bytes};

    fn of(source: &str) -> Fingerprint {
        let code = assemble_code(Isa::Latte, source).map_err(|found| found[0].to_string());
        let words = code.and_then(|code| words_from_bytes(&code).map_err(|error| error.to_string()));
        fingerprint(&raw_stage(Isa::Latte, words.unwrap_or_default(), Vec::new()))
    }

    fn program(target: u32, source: u32, factor: &str, operation: &str) -> Fingerprint {
        of(&format!(
            "00 ALU: ADDR(32) CNT(3)\n  0 x: MUL R{target}.x, R{source}.y, ({factor}).x\n  1 x: {operation} R{target}.x, \
             R{target}.x, R{source}.z\n01 EXP_DONE: PIX0, R{target}\nEND_OF_PROGRAM\n"
        ))
    }

    #[test]
    fn names_do_not_matter_and_meaning_does() {
        let first = program(1, 0, "0x3F800000", "ADD");
        assert_eq!(first.normal, program(5, 3, "0x40000000", "ADD").normal);
        assert_eq!(first.signature, program(5, 3, "0x40000000", "ADD").signature);
        assert_ne!(first.normal, program(1, 0, "0x3F800000", "MUL").normal);
        assert_ne!(first.normal, program(1, 1, "0x3F800000", "ADD").normal);
        let (near, other) = (program(1, 0, "0x3F800000", "MAX"), of("00 NOP\nEND_OF_PROGRAM\n"));
        assert!(first.signature.alike(&near.signature) > first.signature.alike(&other.signature));
        assert!(first.signature.alike(&first.signature) > 0.999);
    }

    #[test]
    fn text_and_back() {
        let signature = program(1, 0, "0x3F800000", "ADD").signature;
        let text = signature.to_string();
        assert_eq!(text.len(), 2 * BYTES);
        assert_eq!(text.parse(), Ok(signature));
        assert!("12".parse::<Signature>().is_err() && "zz".repeat(BYTES).parse::<Signature>().is_err());
    }
}
