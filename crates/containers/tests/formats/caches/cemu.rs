//! `TITLEID_shaders.bin`. The dictionaries are our own, with the numbers of the emulator's.
#![allow(clippy::indexing_slicing, clippy::arithmetic_side_effects)]

use super::make::{Chance, frame, little, zlib};
use super::{cases, corpus};
use crate::common;
use unshade_containers::{Container, Format, build, extract, wrap::zstd::Dictionaries};
use unshade_stage::latte::{Dimension, OutputPrimitive, UniformMode};
use unshade_stage::{Latte, StageId, StageKind};

const REGISTERS: u32 = 0x6318_73d9;
const PROGRAMS: u32 = 0x149f_2e51;
/// Words of a record, and the places of some of them in its order, counted by hand from the description.
const WORDS: usize = 1854;

/// The description's order of registers: address of the first of a run, how many.
const ORDER: &str = "2232:2 2235:1 223A:1 2256:1 22C8:1 2300:6 2310:C 2363:1 2404:2 2542:1 25C5:1 260C:1 2900:48 2980:48 \
    2A00:48 A000:2 A003:3 A00A:4 A010:38 A050:34 A08C:1 A08E:4 A094:40 A0D5:1 A0E0:20 A100:9 A10C:3 A10F:60 A185:A A191:27 \
    A1E0:9 A200:1 A202:7 A210:29 A250:34 A284:C A290:1 A292:2 A29B:1 A2A1:1 A2A5:1 A2A8:2 A2AC:3 A2B4:3 A2B8:3 A2BC:3 \
    A2C0:3 A2C8:1 A2CA:1 A2CC:1 A2CE:1 A300:9 A30C:1 A312:1 A316:2 A343:2 A349:3 A34C:2 A351:1 A37E:6 E000:70 E380:70 \
    E460:70 E7E0:70 E8B9:7 E8C0:70 E930:70 ECB0:70 ED89:7 F000:36 F036:36 F06C:36 F880:60";

pub fn dictionaries() -> Dictionaries {
    let mut all = Dictionaries::default();
    for name in ["cemu-registers.zdict", "cemu-programs.zdict"] {
        all.offer(&std::fs::read(common::root().join("tests/caches").join(name)).unwrap());
    }
    assert_eq!(all.0.len(), 2);
    all
}

/// Which word of a record a register is.
fn place(address: u32) -> usize {
    let mut before = 0;
    for run in ORDER.split_whitespace() {
        let (first, count) = run.split_once(':').unwrap();
        let (first, count) =
            (u32::from_str_radix(first, 16).unwrap(), u32::from_str_radix(count, 16).unwrap());
        if (first..first + count).contains(&address) {
            return (before + address - first) as usize;
        }
        before += count;
    }
    panic!("{address:x} is no register of a record");
}

/// The run coding of the words.
fn runs(words: &[u32]) -> Vec<u8> {
    let mut out = Vec::new();
    for run in words.chunk_by(|one, other| (*one == 0) == (*other == 0)) {
        for run in run.chunks(127) {
            if run[0] == 0 {
                out.push(0x80 | run.len() as u8);
            } else {
                out.push(run.len() as u8);
                out.extend(run.iter().flat_map(|word| word.to_be_bytes()));
            }
        }
    }
    out
}

/// A program that the generator put into a cache.
struct Made {
    name: String,
    kind: u8,
    code: Vec<u32>,
    beside: Vec<u32>,
    latte: Latte,
}

fn program(out: &mut Vec<u8>, code: &[u32], known: bool) {
    let packed = frame(&little(code), Some(PROGRAMS), known);
    out.push(1);
    out.extend((4 * code.len() as u32).to_be_bytes());
    out.extend((packed.len() as u32).to_be_bytes());
    out.extend(packed);
}

/// A record by chance, with its names in the table.
fn record(chance: &mut Chance) -> (Vec<u8>, [u64; 2], Made) {
    let kind = chance.below(3) as u8;
    let (base, aux) = (chance.next(), chance.next() & 0xffff);
    let mut out = vec![kind << 4 | 1];
    out.extend(base.to_be_bytes());
    out.extend(aux.to_be_bytes());
    let geometry = kind == 0 && chance.once_in(4);
    match kind {
        1 => out.extend([0, 2]),
        _ => out.push(u8::from(geometry)),
    }
    let (words, latte) = registers(chance, kind, geometry);
    let packed = frame(&runs(&words), Some(REGISTERS), true);
    out.push(1);
    out.extend((packed.len() as u16).to_be_bytes());
    out.extend(packed);
    let some = |chance: &mut Chance| {
        let len = 2 * (1 + chance.below(40));
        chance.words(len)
    };
    let beside = if kind == 2 { Vec::new() } else { some(chance) };
    let code = some(chance);
    if kind != 2 {
        program(&mut out, &beside, true);
    }
    program(&mut out, &code, chance.once_in(2));
    let suffix = ["vs", "gs", "ps"][usize::from(kind)];
    let name = format!("{base:016x}_{aux:016x}_{suffix}");
    let first = base & !(7 << 61) | u64::from(kind) << 61;
    (out, [first, aux], Made { name, kind, code, beside, latte })
}

/// Registers with some that count, and what is known by these.
fn registers(chance: &mut Chance, kind: u8, geometry: bool) -> (Vec<u32>, Latte) {
    let mut words = vec![0; WORDS];
    let mut latte = Latte::default();
    let mut set = |address: u32, value: u32| words[place(address)] = value;
    if chance.once_in(3) {
        set(0x2300, 4);
        latte.uniform_mode = UniformMode::Registers;
    }
    let (textures, loops, resources) =
        [(0xe460, 0xf8a0, 0xa21a), (0xe930, 0xf8c0, 0xa21f), (0xe000, 0xf880, 0xa214)][usize::from(kind)];
    let resources = if geometry { 0xa224 } else { resources };
    let (used, stack) = (1 + chance.below(100) as u32, chance.below(4) as u32);
    set(resources, used | stack << 8);
    (latte.registers, latte.stack) = (Some(used as u8), Some(stack as u8));
    let shapes = [
        Dimension::D1,
        Dimension::D2,
        Dimension::D3,
        Dimension::Cube,
        Dimension::D1Array,
        Dimension::D2Array,
    ];
    for unit in 0..16 {
        if chance.once_in(4) {
            let shape = chance.below(6) as u32;
            set(textures + 7 * unit, shape);
            set(textures + 7 * unit + 6, 0x8000_0000);
            latte.samplers.push(unshade_stage::latte::Sampler {
                name: String::new(),
                dimension: Some(shapes[shape as usize]),
                shadow: false,
                location: unit,
            });
        }
    }
    if chance.once_in(3) {
        set(loops + 3, 0x0100_0008);
        latte.loops.push(unshade_stage::latte::LoopConstant { slot: 3, value: 0x0100_0008 });
    }
    if kind == 0 {
        // Attributes 0, 5 and 7 in registers 1, 2 and 4.
        [(0, 0), (1, 5), (2, 9), (3, 7)].into_iter().for_each(|(n, id)| set(0xa0e0 + n, id));
        set(0xa238, !0b1011);
        latte.semantics = vec![Some(0), Some(5), None, Some(7)];
        latte.export_stage = geometry;
        if geometry {
            set(0xa22a, 12);
            latte.ring_words = 12;
        }
    }
    if kind == 1 || (kind == 0 && !geometry) {
        // Three parameters: 0, 1, 7.
        set(0xa185, 0xff07_0100);
        set(0xa1b1, 2 << 1);
        latte.parameters = vec![Some(0), Some(1), Some(7)];
        latte.parameter_count = Some(3);
    }
    if kind == 1 {
        set(0xa29b, 1);
        set(0xa232, 8);
        set(0xa22b, 64);
        let geometry = latte.geometry.get_or_insert_default();
        geometry.primitive = OutputPrimitive::LineStrip;
        (geometry.max_vertices, geometry.vertex_words, geometry.ring_words) = (1024, 8, 64);
    }
    if kind == 2 {
        set(0xa1b3, 2 | 1 << 8 | 3 << 10);
        set(0xa191, 0x0000_0105);
        set(0xa192, 0x0000_0407);
        set(0xa215, 2 << 1 | 1);
        set(0xa08f, 0xf3);
        set(0xa203, 1 << 6);
        let input = |semantic, default, flat| unshade_stage::latte::PixelInput {
            semantic,
            default,
            flat,
            ..Default::default()
        };
        latte.inputs = vec![input(5, 1, false), input(7, 0, true)];
        latte.input_registers = vec![2 | 1 << 8 | 3 << 10, 0x105, 0x407];
        latte.frag_coord = Some(3);
        (latte.colours, latte.exports_depth, latte.colour_mask) = (Some(2), true, Some(0xf3));
        latte.kills = Some(true);
    }
    (words, latte)
}

/// A store of these records. The table is at the start or behind some of them.
fn store(chance: &mut Chance, version: u32, records: &[(Vec<u8>, [u64; 2])]) -> Vec<u8> {
    let packed: Vec<(Vec<u8>, u8)> = records
        .iter()
        .map(|(record, _)| match version == 3 && chance.once_in(3) {
            true => ([&(record.len() as u32).to_be_bytes()[..], &zlib(record)].concat(), 1),
            false => (record.clone(), 0),
        })
        .collect();
    let free = chance.below(3) as usize;
    let table_len = 32 * (records.len() + 1 + free) as u64;
    let in_front = chance.below(1 + records.len() as u64) as usize;
    let (mut data, mut places) = (Vec::new(), Vec::new());
    let mut table_at = 0;
    for (n, (record, _)) in packed.iter().enumerate() {
        if n == in_front {
            table_at = data.len() as u64;
            data.resize(data.len() + table_len as usize, 0);
        }
        places.push(data.len() as u64);
        data.extend(record);
        // Between records there may be what others left.
        let stale = chance.below(9);
        data.extend(chance.bytes(stale));
    }
    if in_front == packed.len() {
        table_at = data.len() as u64;
        data.resize(data.len() + table_len as usize, 0);
    }
    let mut table = Vec::new();
    let mut entry = |names: [u64; 2], at: u64, size: u64, flags: u8| {
        [names[0], names[1], at].iter().for_each(|word| table.extend(word.to_le_bytes()));
        table.extend((size as u32).to_le_bytes());
        table.extend([flags, 0, 0, 0]);
    };
    entry([0xefef_efef_efef_efef, 0xfefe_fefe_fefe_fefe], table_at, table_len, 0);
    for ((_, names), (at, (record, flags))) in records.iter().zip(places.iter().zip(&packed)) {
        entry(*names, *at, record.len() as u64, *flags);
    }
    (0..free).for_each(|_| entry([0, 0], 0, 0, 0));
    data[table_at as usize..][..table.len()].copy_from_slice(&table);
    let mut file = little(&[0x8371_b693 + version, 2]);
    file.extend(128_u64.to_le_bytes());
    file.extend(table_at.to_le_bytes());
    file.extend((table_len as u32).to_le_bytes());
    file.resize(128, 0);
    [file, data].concat()
}

fn holds(bytes: &[u8]) -> Container {
    let mut container = Container::read(bytes).unwrap();
    assert_eq!(container.format(), Format::Cemu);
    assert!(common::sound(bytes));
    let again = build(&common::through_a_folder(&extract(&container).unwrap())).unwrap();
    assert_eq!(again, container);
    container.equip(&dictionaries());
    container
}

#[test]
fn caches_by_chance_are_what_their_generator_says() {
    let mut compared = 0;
    for seed in 0..cases() {
        let chance = &mut Chance::new(seed);
        let version = 2 + chance.below(2) as u32;
        let made: Vec<_> = (0..1 + chance.below(5)).map(|_| record(chance)).collect();
        let records: Vec<_> = made.iter().map(|(bytes, names, _)| (bytes.clone(), *names)).collect();
        let mut container = holds(&store(chance, version, &records));
        assert_eq!(container.check(), []);
        for (stage, (_, _, made)) in container.stages().zip(&made) {
            let kinds = [StageKind::Vertex, StageKind::Geometry, StageKind::Fragment];
            assert_eq!((&stage.id.0, stage.kind), (&made.name, kinds[usize::from(made.kind)]));
            assert_eq!(stage.code.words, made.code);
            let mut latte = made.latte.clone();
            if let Some(geometry) = &mut latte.geometry {
                geometry.copy = made.beside.clone();
            }
            assert_eq!(stage.interface.latte.as_deref(), Some(&latte));
            let Container::Cemu(cache) = &container else { panic!() };
            let beside = cache.program_beside(&stage.id);
            assert_eq!(beside.map(|(_, words)| words).unwrap_or_default(), made.beside);
            compared += 1;
        }
        assert_eq!(container.stages().count(), made.len());
        assert_eq!(container.stages().left_out(), None);
        // Without dictionaries: the names.
        container.equip(&Dictionaries::default());
        let mut stages = container.stages();
        let names: Vec<_> = stages.by_ref().map(|stage| stage.id.0).collect();
        assert_eq!(names, made.iter().map(|(.., made)| made.name.clone()).collect::<Vec<_>>());
        let said = stages.left_out().unwrap().to_string();
        assert_eq!(
            said,
            "expected Cemu's dictionaries (--dictionary with its executable, or with the two dictionaries as files), found none: programs are listed by their hashes alone"
        );
    }
    println!("{} caches, {compared} programs", cases());
}

#[test]
fn dictionaries_are_found_in_an_executable() {
    let mut file = b"MZ made up".to_vec();
    let chance = &mut Chance::new(1);
    for name in ["cemu-programs.zdict", "cemu-registers.zdict"] {
        file.extend(chance.bytes(1001));
        // Something that looks like a frame.
        file.extend([0x28, 0xb5, 0x2f, 0xfd, 0xff, 1, 2, 3]);
        let bytes = std::fs::read(common::root().join("tests/caches").join(name)).unwrap();
        file.extend(frame(&bytes, None, true));
    }
    file.extend(chance.bytes(500));
    let mut found = unshade_containers::wrap::nest::dictionaries(&file).unwrap();
    found.0.sort_by_key(|dictionary| dictionary.id);
    let mut expected = dictionaries();
    expected.0.sort_by_key(|dictionary| dictionary.id);
    assert_eq!(found, expected);
    let none = unshade_containers::wrap::nest::dictionaries(&chance.bytes(5000)).unwrap_err();
    assert_eq!(none.diagnostic_code(), "zstd.no-dictionary");
}

#[test]
fn the_corpus_is_listed_without_its_dictionaries() {
    let Some(bytes) = corpus("0005000010143500_shaders.bin") else { return };
    let container = Container::read(&bytes).unwrap();
    assert!(common::sound(&bytes));
    let names: Vec<_> = container.stages().map(|stage| stage.id.0).collect();
    assert_eq!(names, ["1122334455667788_0000000000000079_ps"]);
    assert_eq!(container.check(), []);
    assert!(container.stages().all(|stage| stage.code.missing.is_some() && stage.code.words.is_empty()));
}

#[test]
fn pipelines_are_told_from_programs() {
    let chance = &mut Chance::new(77);
    let mut records = Vec::new();
    for mask in 1_u8..8 {
        let mut record = vec![1, mask];
        (0..mask.count_ones() * 2).for_each(|_| record.extend(chance.next().to_be_bytes()));
        let registers = frame(&runs(&[0; WORDS]), Some(REGISTERS), true);
        record.push(1);
        record.extend((registers.len() as u16).to_be_bytes());
        record.extend(registers);
        records.push((record, [chance.next(), chance.next()]));
    }
    let container = holds(&store(chance, 2, &records));
    assert_eq!(container.check(), []);
    assert_eq!(
        container.describe(),
        "pipeline cache of Cemu, store version 2: which programs were drawn together, 7 times"
    );
    let mut stages = container.stages();
    assert_eq!((stages.by_ref().count(), stages.left_out()), (0, None));
}

#[test]
fn damage_is_told() {
    let chance = &mut Chance::new(4);
    let made: Vec<_> = (0..3).map(|_| record(chance)).collect();
    let records: Vec<_> = made.iter().map(|(bytes, names, _)| (bytes.clone(), *names)).collect();
    let bytes = store(chance, 2, &records);
    let table = 128 + u64::from_le_bytes(bytes[16..24].try_into().unwrap()) as usize;
    let worst = |bytes: &[u8]| {
        assert!(common::sound(bytes));
        let mut container = Container::read(bytes).unwrap();
        container.equip(&dictionaries());
        let stages = container.stages().count();
        container.check().first().map(|found| (found.code.to_string(), found.path.to_string(), stages))
    };
    let is = |bytes: &[u8], code: &str, path: &str, stages: usize| {
        assert_eq!(worst(bytes), Some((code.to_owned(), path.to_owned(), stages)));
    };
    assert_eq!(worst(&bytes), None);
    let first = table + 32;
    let mut other = bytes.clone();
    other[first + 23] = 1;
    is(&other, "cemu.place", "entries[1].offset", 2);
    let mut other = bytes.clone();
    other[first] ^= 1;
    is(&other, "cemu.name", "entries[1].name1", 3);
    let at = 128 + u64::from_le_bytes(bytes[first + 16..first + 24].try_into().unwrap()) as usize;
    let mut other = bytes.clone();
    other[at] = 0x02;
    is(&other, "cemu.record", "records[1].kind", 2);
    // The file is cut behind its table.
    let version = Container::read(&bytes[..100]).unwrap_err();
    assert_eq!(version.diagnostic_code(), "cemu.table");
    let refused = Container::read(&bytes).unwrap().replace(&StageId("x".into()), &Default::default());
    assert_eq!(refused.unwrap_err().diagnostic_code(), "caches.read-only");
}

#[test]
fn cuts_and_flipped_bits() {
    for version in [2, 3] {
        let chance = &mut Chance::new(u64::from(version));
        let records: Vec<_> =
            (0..2).map(|_| record(chance)).map(|(bytes, names, _)| (bytes, names)).collect();
        super::sweep(&store(chance, version, &records), 3);
    }
}
