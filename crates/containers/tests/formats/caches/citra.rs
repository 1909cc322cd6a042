//! Transferable caches of Citra and Azahar.
#![allow(clippy::indexing_slicing, clippy::arithmetic_side_effects)]

use super::make::{Chance, little};
use super::{cases, corpus};
use crate::common;
use unshade_containers::{Container, Format, build, extract};
use unshade_stage::{Constant, ConstantValue, Output, Space};

/// What the generator says of a vertex program.
struct Made {
    id: u64,
    words: Vec<u32>,
    descriptors: Vec<u32>,
    entry: u32,
    inputs: u32,
    outputs: Vec<Output>,
    output_mask: u32,
    constants: Vec<Constant>,
}

fn entry(chance: &mut Chance, kind: u32, out: &mut Vec<u8>) -> Option<Made> {
    let id = chance.next();
    out.extend(little(&[0, id as u32, (id >> 32) as u32, kind, 0x300, 0]));
    let mut registers = vec![0; 0x300];
    let count = 1 + chance.below(200);
    let mut words = chance.words(count);
    *words.last_mut().unwrap() |= 1;
    let count = chance.below(60);
    let mut descriptors = chance.words(count);
    if let Some(last) = descriptors.last_mut() {
        *last |= 1;
    }
    let entry = chance.below(words.len() as u64) as u32;
    registers[0x2ba] = 0x7fff_0000 | entry;
    // Three attributes, in registers 4, 0 and 9.
    registers[0x2b9] = 0xa000_0002;
    registers[0x2bb] = 0x904;
    // Outputs 0, 2 and 5: a position, a texture coordinate with its third component alone, a colour.
    registers[0x2bd] = 0b10_0101;
    registers[0x50] = 0x0302_0100;
    registers[0x51] = 0x1f10_0d0c;
    registers[0x52] = 0x0b0a_0908;
    let output = |semantic: &str, register, mask| Output { semantic: semantic.into(), register, mask };
    let outputs = vec![
        output("position", 0, 15),
        output("texcoord0", 2, 3),
        output("texcoord0w", 2, 4),
        output("color", 5, 15),
    ];
    let mut constants = Vec::new();
    if chance.once_in(2) {
        registers[0x2b0] = 0x7fff_0204;
        registers[0x2b2] = 0x0001_0007;
        let truth = |register| Constant { space: Space::Bool, register, value: ConstantValue::Bool(true) };
        constants.extend([truth(2), truth(9)]);
        let value = ConstantValue::Int([7, 0, 1, 0]);
        constants.push(Constant { space: Space::Int, register: 1, value });
    }
    out.extend(little(&registers));
    if kind != 0 {
        return None;
    }
    out.extend(8192_u64.to_le_bytes());
    let mut memory = words.clone();
    memory.resize(4096, 0);
    memory.extend(&descriptors);
    memory.resize(8192, 0);
    out.extend(little(&memory));
    let (inputs, output_mask) = (1 << 4 | 1 << 0 | 1 << 9, 0b10_0101);
    Some(Made { id, words, descriptors, entry, inputs, outputs, output_mask, constants })
}

fn cache(chance: &mut Chance) -> (Vec<u8>, Vec<usize>, Vec<Made>) {
    let (mut bytes, mut ends, mut made) = (little(&[1]), Vec::new(), Vec::new());
    for _ in 0..1 + chance.below(3) {
        let kind = if chance.once_in(3) { 1 + chance.below(2) as u32 } else { 0 };
        made.extend(entry(chance, kind, &mut bytes));
        ends.push(bytes.len());
    }
    (bytes, ends, made)
}

fn holds(bytes: &[u8]) -> Container {
    let container = Container::read(bytes).unwrap();
    assert_eq!(container.format(), Format::Citra);
    assert!(common::sound(bytes));
    let again = build(&common::through_a_folder(&extract(&container).unwrap())).unwrap();
    assert_eq!(again, container);
    container
}

#[test]
fn caches_by_chance_are_what_their_generator_says() {
    let mut compared = 0;
    for seed in 0..cases() {
        let (bytes, _, made) = cache(&mut Chance::new(seed));
        let container = holds(&bytes);
        assert_eq!(container.check(), []);
        assert_eq!(container.stages().count(), made.len());
        for (stage, made) in container.stages().zip(&made) {
            assert_eq!(stage.id.0, format!("{:016x}", made.id));
            assert_eq!(
                (&stage.code.words[..], &stage.code.descriptors[..]),
                (&made.words[..], &made.descriptors[..])
            );
            assert_eq!((stage.code.entry, &stage.code.constants), (made.entry, &made.constants));
            let interface = &stage.interface;
            assert_eq!((interface.input_mask, interface.output_mask), (made.inputs, made.output_mask));
            assert_eq!(interface.outputs, made.outputs);
            compared += 1;
        }
    }
    println!("{} caches, {compared} programs", cases());
}

#[test]
fn of_a_cut_file_all_whole_entries_are_read() {
    for seed in 0..20 {
        let chance = &mut Chance::new(seed + 500);
        let (bytes, ends, _) = cache(chance);
        let cut = 28 + chance.below(bytes.len() as u64 - 28) as usize;
        let whole = ends.iter().filter(|end| **end <= cut).count();
        assert!(common::sound(&bytes[..cut]));
        let said = Container::cut(Format::Citra, &bytes[..cut]);
        let end = ends.get(whole.wrapping_sub(1)).copied().unwrap_or(4);
        assert_eq!(said.is_some(), end != cut);
        let Some(said) = said else { continue };
        assert!(said.to_string().contains(&format!("whole entries before it: {whole}, ")), "{said}");
    }
}

#[test]
fn the_corpus_is_read() {
    let Some(bytes) = corpus("0004000000030800.bin") else { return };
    let container = holds(&bytes);
    assert_eq!(
        container.describe(),
        "shader cache of Citra for OpenGL: 1 vertex program, registers of 0 geometry and 0 fragment units"
    );
    let names: Vec<_> = container.stages().map(|stage| stage.id.0).collect();
    assert_eq!((names, container.check()), (vec!["0000000000001234".to_owned()], vec![]));
}

#[test]
fn damage_is_told() {
    let mut bytes = little(&[1]);
    let made = entry(&mut Chance::new(2), 0, &mut bytes).unwrap();
    let first = bytes.len();
    entry(&mut Chance::new(3), 1, &mut bytes);
    let is = |at: usize, value: u8, code: &str, path: &str| {
        let mut bytes = bytes.clone();
        bytes[at] = value;
        assert!(common::sound(&bytes));
        let found = Container::read(&bytes).unwrap().check();
        assert_eq!((found[0].code.as_ref(), found[0].path.as_ref()), (code, path));
    };
    is(first, 1, "citra.entry", "entries[1].kind");
    is(first + 12, 3, "citra.entry", "entries[1].program_type");
    is(first + 16, 1, "citra.entry", "entries[1].register_count");
    assert!(made.words.len() < 0x8000);
    is(28 + 4 * 0x2ba + 1, 0x80, "citra.entry-point", "entries[0].registers.vsh_entrypoint");
    let other = Container::read(&[&little(&[1, 0, 0, 0, 0, 0x200]), &bytes[24..]].concat());
    assert_eq!(other.unwrap_err().diagnostic_code(), "container.unknown-format");
}

#[test]
fn cuts_and_flipped_bits() {
    super::sweep(&cache(&mut Chance::new(4)).0, 401);
}
