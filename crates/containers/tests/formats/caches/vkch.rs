//! Caches of Azahar for Vulkan.
#![allow(clippy::indexing_slicing, clippy::arithmetic_side_effects)]

use super::make::{Chance, frame, little};
use super::{cases, corpus};
use crate::common;
use unshade_containers::{Container, Format, Parts, build, extract};

/// What the generator says of a program as a configuration uses it.
struct Made {
    id: String,
    words: Vec<u32>,
    descriptors: Vec<u32>,
    entry: u32,
    outputs: u32,
}

/// An entry: its bytes.
fn entry(chance: &mut Chance, kind: u16, id: u64, payload: &[u8], number: &mut u32) -> Vec<u8> {
    let packed = kind != 0 && chance.once_in(2);
    let payload = if packed { frame(payload, None, chance.once_in(2)) } else { payload.to_vec() };
    let size = (payload.len() + 32) as u32;
    let mut out = vec![0x42, u8::from(packed)];
    out.extend(kind.to_le_bytes());
    out.extend(size.to_le_bytes());
    out.extend(id.to_le_bytes());
    out.extend(payload);
    out.extend((0x24 | *number << 8).to_le_bytes());
    out.extend(size.to_le_bytes());
    out.extend([0; 8]);
    *number += 1;
    out
}

fn info() -> Vec<u8> {
    let mut info = b"VKCH".to_vec();
    info.resize(1144, 0);
    info
}

/// A cache by chance: bytes, ends of entries, programs, SPIR-V by its number.
#[allow(clippy::type_complexity)]
fn cache(chance: &mut Chance) -> (Vec<u8>, Vec<usize>, Vec<Made>, Vec<(u64, Vec<u8>)>) {
    let mut number = 0;
    let mut bytes = entry(chance, 0, 0, &info(), &mut number);
    let (mut ends, mut made, mut spirv) = (vec![bytes.len()], Vec::new(), Vec::new());
    for _ in 0..1 + chance.below(3) {
        let id = chance.next();
        let (len, count) = (1 + chance.below(300), 1 + chance.below(100));
        let (mut words, mut descriptors) = (chance.words(len), chance.words(count));
        *words.last_mut().unwrap() |= 1;
        *descriptors.last_mut().unwrap() |= 1;
        let mut payload = little(&[0, 0, words.len() as u32, descriptors.len() as u32]);
        for list in [&words, &descriptors] {
            let mut memory = list.clone();
            memory.resize(4096, 0);
            payload.extend(little(&memory));
        }
        bytes.extend(entry(chance, 2, id, &payload, &mut number));
        ends.push(bytes.len());
        let uses = chance.below(3);
        let mut seen = Vec::new();
        for n in 0..uses {
            let (config, module) = (chance.next(), chance.next());
            let (start, mut outputs) = (chance.below(len) as u32, 0);
            let mut payload = Vec::new();
            [0, id, module].iter().for_each(|word| payload.extend(word.to_le_bytes()));
            payload.extend(vec![0; 24]);
            payload.extend(little(&[start, 0]));
            let mut place = 0;
            for register in 0..16 {
                let handed = chance.once_in(3);
                payload.extend(little(&[if handed { place } else { 16 }]));
                place += u32::from(handed);
                outputs |= u32::from(handed) << register;
            }
            payload.resize(216, 7);
            bytes.extend(entry(chance, 1, config, &payload, &mut number));
            ends.push(bytes.len());
            let mut code = vec![0x03, 0x02, 0x23, 0x07];
            let more = 4 * chance.below(50);
            code.extend(chance.bytes(more));
            bytes.extend(entry(chance, 3, module, &code, &mut number));
            ends.push(bytes.len());
            spirv.push((module, code));
            if seen.contains(&(start, outputs)) {
                continue;
            }
            seen.push((start, outputs));
            let id = if n == 0 { format!("{id:016x}") } else { format!("{id:016x}.{config:016x}") };
            made.push(Made {
                id,
                words: words.clone(),
                descriptors: descriptors.clone(),
                entry: start,
                outputs,
            });
        }
        if uses == 0 {
            made.push(Made { id: format!("{id:016x}"), words, descriptors, entry: 0, outputs: 0 });
        }
    }
    (bytes, ends, made, spirv)
}

fn holds(bytes: &[u8]) -> (Container, Parts) {
    let container = Container::read(bytes).unwrap();
    assert_eq!(container.format(), Format::Vkch);
    assert!(common::sound(bytes));
    let parts = extract(&container).unwrap();
    assert_eq!(build(&parts).unwrap(), container);
    (container, parts)
}

#[test]
fn caches_by_chance_are_what_their_generator_says() {
    let mut compared = 0;
    for seed in 0..cases() {
        let (bytes, _, made, spirv) = cache(&mut Chance::new(seed));
        let (container, parts) = holds(&bytes);
        assert_eq!(container.check(), []);
        assert_eq!(container.stages().count(), made.len());
        for (stage, made) in container.stages().zip(&made) {
            assert_eq!(stage.id.0, made.id);
            assert_eq!(
                (&stage.code.words[..], &stage.code.descriptors[..]),
                (&made.words[..], &made.descriptors[..])
            );
            assert_eq!((stage.code.entry, stage.interface.output_mask), (made.entry, made.outputs));
            compared += 1;
        }
        for (id, code) in spirv {
            let name = format!("{id:016x}.spv");
            assert!(parts.files().any(|(file, bytes)| file == name && bytes == code));
        }
    }
    println!("{} caches, {compared} programs", cases());
}

#[test]
fn of_a_cut_file_all_whole_entries_are_read() {
    for seed in 0..cases() / 8 {
        let chance = &mut Chance::new(seed + 100);
        let (bytes, ends, ..) = cache(chance);
        let cut = 20 + chance.below(bytes.len() as u64 - 20) as usize;
        let whole = ends.iter().filter(|end| **end <= cut).count();
        assert!(common::sound(&bytes[..cut]));
        let said = Container::cut(Format::Vkch, &bytes[..cut]);
        let end = ends.get(whole.wrapping_sub(1)).copied().unwrap_or(0);
        assert_eq!(said.is_some(), end != cut);
        let Some(said) = said else { continue };
        assert!(said.to_string().contains(&format!("whole entries before it: {whole}, ")), "{said}");
    }
}

#[test]
fn the_corpus_is_read() {
    let Some(bytes) = corpus("0004000000030800_vs.vkch") else { return };
    let (container, _) = holds(&bytes);
    assert_eq!(
        container.describe(),
        "shader cache of Azahar for Vulkan: 1 vertex program, 0 configurations, 0 SPIR-V modules"
    );
    assert_eq!((container.stages().count(), container.check()), (1, vec![]));
}

#[test]
fn damage_is_told() {
    let (bytes, ends, ..) = cache(&mut Chance::new(3));
    let is = |at: usize, value: u8, code: &str, path: &str| {
        let mut bytes = bytes.clone();
        bytes[at] = value;
        assert!(common::sound(&bytes));
        let found = Container::read(&bytes).unwrap().check();
        assert_eq!((found[0].code.as_ref(), found[0].path.as_ref()), (code, path));
    };
    let second = ends[0];
    is(second, 0x43, "vkch.entry", "entries[1].version");
    is(second + 7, 1, "vkch.entry", "entries[1].entry_size");
    is(second + 2, 9, "vkch.type", "entries[1].entry_type");
    is(ends[1] - 16, 0x25, "vkch.entry", "entries[1].footer");
    is(ends[1] - 1, 1, "vkch.footer", "entries[1].footer.reserved");
    // A program under the type of SPIR-V.
    let mut number = 0;
    let chance = &mut Chance::new(8);
    let front = entry(chance, 0, 0, &info(), &mut number);
    let other = [front.clone(), entry(chance, 3, 5, b"none", &mut number)].concat();
    assert_eq!(Container::read(&other).unwrap().check()[0].code, "vkch.spirv");
    let other = [front, entry(chance, 2, 5, b"none", &mut number)].concat();
    assert_eq!(Container::read(&other).unwrap().check()[0].code, "vkch.program");
}

#[test]
fn cuts_and_flipped_bits() {
    super::sweep(&cache(&mut Chance::new(4)).0, 601);
}
