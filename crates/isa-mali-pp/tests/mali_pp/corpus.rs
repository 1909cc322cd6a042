//! The corpus of Mali fragment programs beside the checkout, and just enough of its container to get at the
//! code.
#![allow(dead_code)]

use proptest::prelude::*;
use std::path::PathBuf;
use unshade_isa_mali_pp::table::{Branch, DISCARD, Sampler};
use unshade_isa_mali_pp::{Control, Field, Inst, encode, words_needed};
use unshade_stage::{Code, Interface, Isa, Stage, StageId, StageKind};

/// The corpus folder; says so and gives none where there is none.
pub fn corpus() -> Option<PathBuf> {
    let path = unshade_corpus::shared("corpus");
    if !path.is_dir() {
        println!("skipped: no corpus beside the checkout");
        return None;
    }
    Some(path)
}

fn word(bytes: &[u8], at: usize) -> u32 {
    bytes.get(at..at + 4).map_or(0, |bytes| u32::from_le_bytes(bytes.try_into().unwrap()))
}

/// The payload of the first chunk with this tag.
pub fn chunk<'a>(bytes: &'a [u8], tag: &[u8; 4]) -> Option<&'a [u8]> {
    let mut at = 0;
    while at + 8 <= bytes.len() {
        let size = word(bytes, at + 4) as usize;
        let payload = bytes.get(at + 8..at + 8 + size)?;
        if &bytes[at..at + 4] == tag {
            return Some(payload);
        }
        at += 8 + size;
    }
    None
}

/// The code of the fragment program of an MBS file.
pub fn fragment_code(file: &[u8]) -> Option<Vec<u32>> {
    let fragment = chunk(chunk(file, b"MBS1")?, b"CFRA")?;
    let code = chunk(&fragment[4..], b"DBIN")?;
    Some((0..code.len() / 4).map(|n| word(code, 4 * n)).collect())
}

/// Name and code of every fragment program that comes with a reference listing, and the listing.
pub fn listed() -> Vec<(String, Vec<u32>, String)> {
    let Some(corpus) = corpus() else { return Vec::new() };
    let mut all = Vec::new();
    for folder in ["mbs/real", "mbs/lima-out"] {
        let mut files: Vec<_> =
            std::fs::read_dir(corpus.join(folder)).unwrap().map(|e| e.unwrap().path()).collect();
        files.sort();
        for path in files.into_iter().filter(|path| path.extension().is_some_and(|e| e == "mbs")) {
            let Some(words) = fragment_code(&std::fs::read(&path).unwrap()) else { continue };
            let Ok(text) = std::fs::read_to_string(path.with_extension("txt")) else { continue };
            let name = path.file_stem().unwrap().to_string_lossy().into_owned();
            let bare = path.with_extension("bin");
            if let Ok(bytes) = std::fs::read(bare) {
                let same: Vec<u32> = (0..bytes.len() / 4).map(|n| word(&bytes, 4 * n)).collect();
                assert_eq!(words, same, "{name}: bare code and container differ");
            }
            all.push((name, words, text));
        }
    }
    assert!(all.len() > 40, "{} programs", all.len());
    all
}

/// A fragment stage of these words, without names.
pub fn stage(words: Vec<u32>) -> Stage<'static> {
    Stage {
        id: StageId("0".to_owned()),
        kind: StageKind::Fragment,
        isa: Isa::MaliPp,
        code: Code { words: words.into(), ..Code::default() },
        interface: Interface::default(),
    }
}

/// Words of which many start an instruction: control words with a fitting count in front of random bits.
pub fn code() -> impl Strategy<Value = Vec<u32>> {
    let instruction = (any::<u32>(), prop::collection::vec(any::<u32>(), 31), 0..8_u32, any::<bool>());
    let instruction = instruction.prop_map(|(head, mut body, longer, exact)| {
        let control = Control(head);
        let control = if exact { control.with_fields(control.fields() & head >> 19) } else { control };
        let count = (words_needed(control.fields()) + longer.saturating_sub(6)).min(31);
        let control = if longer == 0 { control } else { control.with_count(count) };
        body.truncate(count as usize - 1);
        body.insert(0, control.0);
        body
    });
    prop::collection::vec(instruction, 0..12).prop_map(|all| all.concat())
}

/// Programs of random instructions, most of which do not stop and branch to nearby places.
pub fn random_code() -> impl Strategy<Value = Vec<u32>> {
    let instruction = (any::<u32>(), prop::collection::vec(any::<u64>(), 12), any::<u32>());
    prop::collection::vec(instruction, 1..10).prop_map(|all| {
        let mut words = Vec::new();
        for (head, bits, choice) in all {
            let mut inst = Inst::default();
            // Two of three fields are left out.
            let wanted = head & head >> 12 | 1 << (choice % 9);
            for field in Field::ALL.into_iter().filter(|field| wanted & field.bit() != 0) {
                let raw = u128::from(bits[field as usize]) | u128::from(bits[0]) << 64;
                let raw = match field {
                    Field::Branch if choice & 0x700 == 0 => DISCARD,
                    Field::Branch => {
                        let distance = (choice >> 16) as i32 % 40 - 20;
                        Branch(raw).with_reserved_0(0).with_target(distance as u32).0
                    }
                    Field::Sampler if choice & 0x800 == 0 => Sampler(raw as u64).with_kind(0).0.into(),
                    // Registers that there are, more often than not.
                    _ => raw & !(u128::from(choice & 1) << 3),
                };
                inst.set_field(field, raw);
            }
            let fields = inst.control.fields();
            let stop = u32::from(choice & 0xF000 == 0);
            inst.control =
                inst.control.with_count(words_needed(fields)).with_stop(stop).with_sync(choice & 1);
            encode(&inst, &mut words);
        }
        words
    })
}
