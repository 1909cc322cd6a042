//! How far the machine's special functions (`MUFU`) may be from the true ones. The machine looks them up in tables that nobody has
//! published; the interpreter and the lift round the true result to nearest. So what both compute may differ from the machine's by as
//! much as its maker says that the tables do, and `run` and `verify` name that.
//!
//! The bounds are those of the functions that the CUDA C Programming Guide says map to these instructions (NVIDIA; "Mathematical
//! Functions", tables of standard and of intrinsic functions, with division and roots in the fast mode), for compute capability 5.2
//! and later.

use super::operation::{Function, Instruction, Operation};
use super::reachable::Reach;
use unshade_stage::Code;

/// All functions, in the order of their numbers in the word.
pub const FUNCTIONS: [Function; 9] = [
    Function::Cos,
    Function::Sin,
    Function::Exp2,
    Function::Log2,
    Function::Reciprocal,
    Function::ReciprocalSqrt,
    Function::Reciprocal64High,
    Function::ReciprocalSqrt64High,
    Function::Sqrt,
];

/// What the listing calls a function, and the largest difference between the machine's result and the true one.
pub fn bound(function: Function) -> (&'static str, &'static str) {
    match function {
        Function::Cos => ("COS", "2^-21.19 from -pi to pi, more beyond"),
        Function::Sin => ("SIN", "2^-21.41 from -pi to pi, more beyond"),
        Function::Exp2 => ("EX2", "2 ulp"),
        Function::Log2 => ("LG2", "2^-22 from 0.5 to 2, 2 ulp elsewhere"),
        Function::Reciprocal => ("RCP", "1 ulp"),
        Function::ReciprocalSqrt => ("RSQ", "2 ulp"),
        Function::Reciprocal64High => ("RCP64H", "no bound is public"),
        Function::ReciprocalSqrt64High => ("RSQ64H", "no bound is public"),
        Function::Sqrt => ("SQRT", "1 ulp"),
    }
}

/// The functions that a program uses, in the order of their numbers.
pub fn used(code: &Code<'_>) -> Vec<Function> {
    let mut found = [false; FUNCTIONS.len()];
    for placed in Reach::new(code).placed {
        if let Some(Instruction { operation: Operation::FloatFunction { function, .. }, .. }) =
            Instruction::decode(placed.word)
            && let Some(place) = FUNCTIONS.iter().position(|known| *known == function)
        {
            found[place] = true;
        }
    }
    FUNCTIONS.into_iter().zip(found).filter(|(_, found)| *found).map(|(function, _)| function).collect()
}

/// One line about the functions that a program uses; nothing where it uses none.
pub fn note(code: &Code<'_>) -> Option<String> {
    let parts: Vec<String> = used(code)
        .into_iter()
        .map(|function| {
            let (name, bound) = bound(function);
            format!("{name} ({bound})")
        })
        .collect();
    (!parts.is_empty()).then(|| {
        format!(
            "the hardware's tables for MUFU differ from the rounded functions used here by up to: {}",
            parts.join(", ")
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Three words behind a control word: a reciprocal, a sine, the end.
    #[test]
    fn what_a_program_uses() {
        let words: [u64; 4] =
            [0x001F_8000_FC00_07E0, 0x5080_0000_0047_0000, 0x5080_0000_0017_0000, 0xE300_0000_0007_000F];
        let words: Vec<u32> = words.iter().flat_map(|word| [*word as u32, (*word >> 32) as u32]).collect();
        let code = Code { words: words.into(), ..Code::default() };
        assert_eq!(used(&code), [Function::Sin, Function::Reciprocal]);
        let note = note(&code).unwrap();
        assert!(note.contains("SIN (2^-21.41") && note.contains("RCP (1 ulp)"), "{note}");
        assert_eq!(super::note(&Code::default()), None);
    }
}
