//! The properties of the Switch's interpreter, lift and program header over the corpus, whole, cut and with flipped
//! bits, and over programs of random instructions.

use std::path::{Path, PathBuf};
use unshade_tests::properties::maxwell_exec::{exec, header, lift};

fn files(end: &str) -> Vec<PathBuf> {
    let folder = unshade_corpus::shared("corpus/maxwell/uam-out");
    let Ok(entries) = std::fs::read_dir(folder) else {
        println!("skipped: no corpus beside the checkout");
        return Vec::new();
    };
    let mut files: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.to_string_lossy().ends_with(end));
    files.sort();
    assert!(files.len() > 40);
    files
}

/// The first byte of an input: the stage that a file's name says.
fn flags(path: &Path) -> u8 {
    match path.file_name().unwrap().to_str().unwrap().as_bytes()[0] {
        b'v' => 0,
        b'g' => 1,
        b'c' => 2,
        b'e' => 3,
        b'k' => 4,
        _ => 5,
    }
}

/// A generator (xorshift): the same bytes everywhere.
struct Random(u64);

impl Random {
    fn bytes(&mut self, count: usize) -> Vec<u8> {
        let next = || {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
            (self.0 >> 24) as u8
        };
        std::iter::repeat_with(next).take(count).collect()
    }
}

#[test]
fn corpus_whole_and_cut() {
    for path in files(".bin") {
        let data = [vec![flags(&path)], std::fs::read(&path).unwrap()].concat();
        for end in (0..=data.len()).rev().step_by(data.len() / 5 + 1) {
            exec(&data[..end]);
        }
    }
}

#[test]
fn flipped_bits() {
    for path in files(".bin") {
        let data = [vec![flags(&path)], std::fs::read(&path).unwrap()].concat();
        let bits = data.len() * 8;
        for bit in (8..bits).step_by((bits / 30).max(1)) {
            let mut flipped = data.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            exec(&flipped);
            if bit % 4 == 0 {
                lift(&flipped[..flipped.len().min(257)]);
            }
        }
    }
}

/// Random words, and random instructions of every form.
#[test]
fn random_programs() {
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    for round in 0..3000_usize {
        let mut data = random.bytes(2 + 9 * (round % 40));
        // Chosen forms in all rounds but one of eight, a header in one of four.
        data[0] = data[0] & 7 | if round % 8 != 0 { 16 } else { 0 };
        if round % 4 == 0 {
            data[0] |= 8;
            let rest = data.split_off(1);
            data.extend(random.bytes(80));
            data.extend(rest);
        }
        exec(&data);
        if round % 10 == 0 {
            lift(&data);
        }
    }
    for data in [&[][..], &[0xff; 200], &[0; 64], &[5]] {
        exec(data);
        lift(data);
    }
}

#[test]
fn headers() {
    let mut random = Random(0x1234_5678_9ABC_DEF1);
    for round in 0..400_usize {
        let mut data = random.bytes(80 + 8 * (round % 20));
        if round % 2 == 0 {
            // A layout that is one.
            data[0] = data[0] & !31 | (1 + (round / 2 % 2) as u8);
        }
        header(&data);
    }
    for path in files(".nvncode") {
        let data = std::fs::read(path).unwrap();
        header(&data[0x30.min(data.len())..]);
        for end in (0..data.len().min(200)).step_by(7) {
            header(&data[..end]);
        }
    }
    header(&[0xff; 80]);
    header(&[0; 79]);
}

/// Minima of 64 bits, from their upper words down, are the machine's in the lifted program too, and lifted at all.
#[test]
fn wide_minima_lift() {
    use unshade::{Isa, maxwell::Form};
    let word = |form: Form, fields: &[(u32, u64)]| {
        fields.iter().fold(form.value() | 7 << 16, |word, (at, value)| word | value << at)
    };
    for (signed, never) in [(0, 0), (1, 0), (1, 8)] {
        // a[0x80] to a[0x8c]: two numbers; R1 and R0 the upper and the lower word of the smaller or larger one.
        let instructions = [
            word(Form::Ald, &[(0, 4), (8, 255), (20, 0x80), (39, 255), (47, 3)]),
            word(Form::ImnmxR, &[(0, 1), (8, 5), (20, 7), (39, 7 | never), (43, 3), (47, 1), (48, signed)]),
            word(Form::ImnmxR, &[(0, 0), (8, 4), (20, 6), (39, 7 | never), (43, 1)]),
            word(Form::Ast, &[(0, 0), (8, 255), (20, 0x70), (39, 255), (47, 1)]),
            word(Form::Exit, &[(0, 15)]),
        ];
        let mut code = Vec::new();
        for chunk in instructions.chunks(3) {
            code.extend(
                [0x07e0_u64].iter().chain(chunk).flat_map(|word| [*word as u32, (word >> 32) as u32]),
            );
        }
        let verdict = unshade::verify(&unshade::raw_stage(Isa::Maxwell, code, Vec::new()), 200, 1);
        assert!(verdict.strict.failure.is_none(), "{verdict:?}");
    }
}
