//! Shader archives looked at in their bytes: the same programs as those of the model, in memory that does not depend on
//! the size of the archive, in time that grows with it.

use crate::common;
use crate::cost;
use crate::cost::cost;
use std::time::{Duration, Instant};
use unshade_containers::{gx2::ShaderKind, sharcfb, sharcfb::Archive};
use unshade_stage::StageId;

fn words(out: &mut Vec<u8>, words: &[u32]) {
    out.extend(words.iter().flat_map(|word| word.to_be_bytes()));
}

/// A shader of `size` bytes of structure whose code's size and place stand at `field`.
fn binary(out: &mut Vec<u8>, kind: u32, size: usize, field: usize, code: &[u8]) {
    let start = out.len() + 16;
    let at = (start + size).next_multiple_of(0x100) - start;
    let len = at + code.len();
    words(out, &[len as u32 + 16, kind, 0, len as u32]);
    let mut data = vec![0; at];
    data[field..field + 4].copy_from_slice(&(code.len() as u32).to_be_bytes());
    data[field + 4..field + 8].copy_from_slice(&(at as u32).to_be_bytes());
    out.extend(data);
    out.extend(code);
}

/// An archive with a program of two stages, whose `digits` macros have two values each, based on binary 2.
fn archive(digits: u32, code: usize) -> Vec<u8> {
    let mut out = Vec::new();
    words(&mut out, &[u32::from_be_bytes(*b"SHAB"), 8, 0, 0, 0, 4]);
    out.extend(b"big\0");
    let start = out.len();
    let count = 2 + (2 << digits);
    words(&mut out, &[0, count]);
    for number in 0..count {
        let code = vec![(number % 251) as u8; code];
        match number % 2 {
            0 => binary(&mut out, 0, 0x134, 0xd0, &code),
            _ => binary(&mut out, 1, 0xe8, 0xa4, &code),
        }
    }
    let size = (out.len() - start) as u32;
    out[start..start + 4].copy_from_slice(&size.to_be_bytes());
    let mut program = Vec::new();
    words(&mut program, &[4, 3, 2]);
    program.extend(b"toy\0");
    for values in [&b"0\x001\0"[..], b"1\0"] {
        let mut list = Vec::new();
        for digit in 0..digits {
            let name = format!("M{digit:02}\0");
            words(&mut list, &[(16 + 8 + values.len()) as u32, 4, values.len() as u32 / 2, 4]);
            list.extend(name.as_bytes());
            list.extend(values);
            list.extend(name.to_lowercase().as_bytes());
        }
        words(&mut program, &[list.len() as u32 + 8, digits]);
        program.extend(list);
    }
    for _ in 0..4 {
        words(&mut program, &[8, 0]);
    }
    words(&mut out, &[program.len() as u32 + 12, 1, program.len() as u32 + 4]);
    out.extend(program);
    let len = out.len() as u32;
    out[8..12].copy_from_slice(&len.to_be_bytes());
    out
}

#[test]
fn programs_are_those_of_the_model() {
    let _alone = cost::alone();
    let mut files = vec![("own".to_owned(), archive(3, 32))];
    if let Some(folder) = common::shared("corpus/sharcfb") {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|ending| ending == "sharcfb") {
                files.push((path.display().to_string(), std::fs::read(&path).unwrap()));
            }
        }
    }
    // Programs that claim each other's binaries, and binaries that nobody has.
    let mut damaged = Vec::new();
    for (name, bytes) in files.iter().filter(|(_, bytes)| bytes.len() < 16_000) {
        for at in (0..bytes.len()).step_by(97) {
            let mut flipped = bytes.clone();
            flipped[at] ^= 1 << (at % 8);
            damaged.push((format!("{name} with a flipped bit at {at}"), flipped));
        }
    }
    files.extend(damaged);
    let mut count = 0;
    for (name, bytes) in &files {
        let (Ok(model), Ok(archive)) = (sharcfb::read(bytes), Archive::open(bytes)) else { continue };
        let eager: Vec<String> = model.stages().map(|stage| format!("{stage:?}")).collect();
        let lazy: Vec<String> = archive.stages().map(|stage| format!("{stage:?}")).collect();
        assert_eq!(lazy.len(), eager.len(), "{name}");
        for (lazy, eager) in lazy.iter().zip(&eager) {
            assert_eq!(lazy, eager, "{name}");
        }
        for (stage, expected) in model.stages().zip(&eager) {
            assert_eq!(
                archive.stage(&stage.id).map(|stage| format!("{stage:?}")).as_ref(),
                Some(expected),
                "{name}"
            );
        }
        for missing in ["", "toy/0", "toy/00/vertex", "toy/99999/vertex", "@99999/pixel", "toy/0/compute"] {
            let id = StageId(missing.to_owned());
            assert_eq!(archive.stage(&id), model.stage(&id), "{name}: {missing}");
        }
        count += lazy.len();
    }
    println!("{count} programs of {} archives", files.len());
    assert!(count > 10);
}

#[test]
fn large_archives_take_little_memory_and_linear_time() {
    let _alone = cost::alone();
    let small = archive(11, 512);
    let large = archive(13, 512);
    let look = |bytes: &[u8]| {
        let (archive, found) = cost(|| {
            let archive = Archive::open(bytes).unwrap();
            let program = archive.program_named("toy").unwrap();
            let list = program.macro_list().unwrap();
            let given: Vec<_> =
                list.macros.iter().map(|list| (std::str::from_utf8(list.name).unwrap(), "1")).collect();
            let variation = list.variation_of(&given).unwrap();
            assert_eq!(variation + 1, program.variation_count().unwrap());
            let number = program.binary_number(variation, ShaderKind::Pixel).unwrap();
            assert_eq!(number + 1, archive.binary_count());
            let stage = archive.stage(&StageId(format!("toy/{variation}/pixel"))).unwrap();
            assert_eq!(stage.code.words.len(), 128);
            archive
        });
        let mut fastest = Duration::MAX;
        let (_, listed) = cost(|| {
            for _ in 0..7 {
                let start = Instant::now();
                let words: usize = archive.stages().map(|stage| stage.code.words.len()).sum();
                fastest = fastest.min(start.elapsed());
                assert_eq!(words, archive.binary_count() as usize * 128);
            }
        });
        (found.heap, listed.heap, fastest)
    };
    let (a, b) = (look(&small), look(&large));
    println!("{} bytes: {a:?}; {} bytes: {b:?}", small.len(), large.len());
    for (found, listed, _) in [a, b] {
        assert!(found < 64 << 10 && listed < 64 << 10, "{found} and {listed} bytes of heap");
    }
    // Four times as much: four times as long, with room for a busy machine.
    assert!(b.2 < a.2 * 16 + Duration::from_millis(5), "{:?} and {:?}", a.2, b.2);
}
