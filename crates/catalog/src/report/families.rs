//! Programs that look alike, put together.
//!
//! Signatures are cut into bands; programs that agree in a whole band are compared (locality-sensitive hashing), so that
//! the work grows with the number of programs and not with that of pairs.

use super::tally::Program;
use crate::fingerprint::{BYTES, Signature};
use std::collections::HashMap;

/// Bytes of a signature that must agree for two programs to be compared.
const BAND: usize = 4;
/// How alike two programs of a family are, at least: with bands of this length, 19 of 20 such pairs are found.
const ALIKE: f64 = 0.6;
/// Programs of one band that each is compared with.
const COMPARED: usize = 8;

/// Programs that look alike, the one that occurs most often first.
#[derive(Debug, Clone)]
pub struct Family<'p> {
    /// Its programs, all of one instruction set and kind.
    pub programs: Vec<&'p Program>,
}

impl Family<'_> {
    /// How often its programs occur altogether.
    pub fn count(&self) -> u64 {
        self.programs.iter().map(|program| program.count).sum()
    }

    /// The fewest and the most instructions of a program of it.
    pub fn lengths(&self) -> (u64, u64) {
        let lengths = self.programs.iter().map(|program| program.instructions);
        (lengths.clone().min().unwrap_or_default(), lengths.max().unwrap_or_default())
    }
}

/// The families of programs, the largest first. The order of the programs decides nothing but which one of a family comes
/// first.
pub fn families<'p>(programs: &[&'p Program]) -> Vec<Family<'p>> {
    let mut sets = Sets::new(programs.len());
    let mut groups: HashMap<(&str, &str), u64> = HashMap::new();
    let signed: Vec<(u64, u32, &Signature)> = (0_u32..)
        .zip(programs)
        .filter_map(|(at, program)| {
            let next = groups.len() as u64;
            let group = *groups.entry((&program.isa, &program.kind)).or_insert(next);
            Some((group, at, program.signature.as_ref()?))
        })
        .collect();
    // Band after band: sorted, those that agree in it stand together, and each is held against the last few before it.
    let mut band: Vec<(u64, u32)> = Vec::with_capacity(signed.len());
    for number in 0..BYTES / BAND {
        let bytes = |signature: &Signature| signature.0.as_chunks::<BAND>().0[number];
        band.clear();
        band.extend((0_u32..).zip(&signed).map(|(at, (group, _, signature))| {
            (group << 32 | u64::from(u32::from_le_bytes(bytes(signature))), at)
        }));
        band.sort_unstable();
        for (at, &(key, one)) in band.iter().enumerate() {
            let (_, one, signature) = signed[one as usize];
            let near = band[at.saturating_sub(COMPARED)..at].iter().rev();
            for &(_, other) in near.take_while(|(other, _)| *other == key) {
                let (_, other, beside) = signed[other as usize];
                // Most of those that agree in one band agree in others, and are together already.
                if sets.first(one as usize) != sets.first(other as usize) && signature.alike(beside) >= ALIKE
                {
                    sets.join(one as usize, other as usize);
                }
            }
        }
    }
    let mut families: Vec<Family<'_>> = Vec::new();
    let mut numbers = HashMap::new();
    for (at, &program) in programs.iter().enumerate() {
        let number = *numbers.entry(sets.first(at)).or_insert(families.len());
        if number == families.len() {
            families.push(Family { programs: Vec::new() });
        }
        families[number].programs.push(program);
    }
    families.sort_by(|one, other| {
        other.programs.len().cmp(&one.programs.len()).then(other.count().cmp(&one.count()))
    });
    families
}

/// Sets that are joined (union-find).
struct Sets(Vec<usize>);

impl Sets {
    fn new(count: usize) -> Self {
        Self((0..count).collect())
    }

    /// What stands for the set of an element.
    fn first(&mut self, mut at: usize) -> usize {
        while self.0[at] != at {
            self.0[at] = self.0[self.0[at]];
            at = self.0[at];
        }
        at
    }

    fn join(&mut self, one: usize, other: usize) {
        let (one, other) = (self.first(one), self.first(other));
        self.0[one.max(other)] = one.min(other);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn program(seed: u8, changed: usize, kind: &str) -> Program {
        let mut bytes = [0; BYTES];
        bytes.iter_mut().enumerate().for_each(|(at, byte)| *byte = (at as u8).wrapping_mul(seed) ^ seed);
        // Bytes spread over all bands.
        (0..changed).for_each(|at| bytes[at * 5 % BYTES] ^= 0x80);
        Program {
            isa: "latte".to_owned(),
            kind: kind.to_owned(),
            instructions: 10 + changed as u64,
            bytes: 100,
            count: 1,
            place: format!("{seed}/{changed}"),
            options: String::new(),
            signature: Some(Signature(bytes)),
            normal_hash: String::new(),
        }
    }

    #[test]
    fn alike_programs_come_together() {
        let mut all: Vec<Program> = (0..12).map(|changed| program(3, changed, "vertex")).collect();
        all.extend((0..5).map(|changed| program(77, changed, "vertex")));
        all.extend((0..3).map(|changed| program(3, changed, "fragment")));
        all.push(Program { signature: None, ..program(3, 0, "vertex") });
        let programs: Vec<&Program> = all.iter().collect();
        let found = families(&programs);
        let sizes: Vec<usize> = found.iter().map(|family| family.programs.len()).collect();
        assert_eq!(sizes, [12, 5, 3, 1]);
        assert_eq!((found[0].lengths(), found[0].count()), ((10, 21), 12));
    }

    /// Programs that agree in a band are not compared each with each.
    #[test]
    fn many_programs_take_little_time() {
        let all: Vec<Program> = (0..20_000_u32)
            .map(|number| {
                let mut one = program(9, 0, "vertex");
                let mut bytes = [0; BYTES];
                for (at, byte) in bytes.iter_mut().enumerate().skip(BAND) {
                    *byte = (number.wrapping_mul(0x9e37_79b9).rotate_left(at as u32) >> 13) as u8;
                }
                one.signature = Some(Signature(bytes));
                one
            })
            .collect();
        let programs: Vec<&Program> = all.iter().collect();
        let found = families(&programs);
        assert_eq!(found.iter().map(|family| family.programs.len()).sum::<usize>(), all.len());
    }
}
