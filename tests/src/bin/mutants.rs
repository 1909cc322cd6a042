//! `mutants FOLDER COUNT SEED`: writes so many files that are nearly what the samples are, or nothing at all like them:
//! fields changed, bytes changed, cut, grown, joined, by chance. For tools/attack.
#![allow(clippy::print_stderr, reason = "a program for a terminal")]

use std::path::Path;
use std::process::ExitCode;
use unshade_tests::corpus::{files, root};
use unshade_tests::mutate::{Dice, container, text};

/// Most bytes of a file that is nothing at all.
const NOISE: usize = 1 << 14;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let numbers = |at: usize| arguments.get(at).and_then(|number| number.parse::<u32>().ok());
    let (Some(folder), Some(count), Some(seed)) = (arguments.first(), numbers(1), numbers(2)) else {
        eprintln!("usage: mutants FOLDER COUNT SEED");
        return ExitCode::from(2);
    };
    let samples: Vec<(String, Vec<u8>)> = files(&root().join("samples"))
        .iter()
        .filter_map(|path| {
            let ending = path.extension().unwrap_or_default().to_string_lossy().into_owned();
            Some((ending, std::fs::read(path).ok()?))
        })
        .collect();
    let write = || -> std::io::Result<()> {
        std::fs::create_dir_all(folder)?;
        for number in 0..count {
            let mut dice = Dice::new(seed.wrapping_mul(0x9E37_79B9).wrapping_add(number));
            let Some((ending, sample)) = dice.pick(&samples).cloned() else { break };
            let bytes = mutant(&sample, &samples, &mut dice);
            std::fs::write(Path::new(folder).join(format!("{number:05}.{ending}")), bytes)?;
        }
        Ok(())
    };
    match write() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{folder}: {error}");
            ExitCode::FAILURE
        }
    }
}

fn mutant(sample: &[u8], others: &[(String, Vec<u8>)], dice: &mut Dice) -> Vec<u8> {
    let mut new = sample.to_vec();
    match dice.below(8) {
        // As it would come out of chance alone.
        0 => return (0..dice.below(NOISE)).map(|_| dice.bits() as u8).collect(),
        // The first bytes of one thing and chance behind it.
        1 => {
            new.truncate(4 + dice.below(60));
            new.extend((0..dice.below(NOISE)).map(|_| dice.bits() as u8));
        }
        2 => new.truncate(dice.below(sample.len())),
        // Two files in one.
        3 => {
            let at = dice.below(new.len());
            if let Some((_, other)) = dice.pick(others) {
                new.truncate(at);
                new.extend_from_slice(other.get(dice.below(other.len())..).unwrap_or_default());
            }
        }
        4 => {
            for _ in 0..=dice.below(32) {
                let at = dice.below(new.len());
                let bits = dice.bits() as u8;
                new.get_mut(at).into_iter().for_each(|byte| *byte = bits);
            }
        }
        _ => {
            for _ in 0..=dice.below(6) {
                let step = container(&new, dice).or_else(|| text(&new, dice));
                new = step.unwrap_or(new);
            }
        }
    }
    new
}
