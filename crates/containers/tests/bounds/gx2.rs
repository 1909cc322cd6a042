//! GFD files and archives that mean harm, or met with some: each is refused clearly or understood soundly, quickly,
//! and without taking more memory than its size allows.
#![allow(clippy::indexing_slicing)]

use crate::common;
use crate::cost;
use crate::cost::{Worst, cost};
use std::time::Duration;
use unshade_bytes::{Endian, ErrorKind};
use unshade_containers::{
    Container, Format, build, detect, extract,
    gx2::{
        Form, Member, ShaderKind, TableKind,
        edit::set_member,
        layout::{Contents, EntryContents, Programs},
    },
    sharcfb::Archive,
    wrap::scan,
};

const MIB: usize = 1 << 20;

/// What must hold for any bytes, and that the manifest holds all of them.
fn sound(bytes: &[u8]) -> bool {
    let read = common::sound(bytes);
    if read {
        let container = Container::read(bytes).unwrap();
        let parts = extract(&container).unwrap();
        let back = build(&parts).unwrap_or_else(|error| panic!("{error}\n{}", parts.manifest()));
        assert!(back == container, "{}", parts.manifest());
    }
    lazily(bytes);
    read
}

/// Everything that can be asked of the index over an archive ends.
fn lazily(bytes: &[u8]) {
    let Ok(archive) = Archive::open(bytes) else { return };
    for program in archive.programs().take(50).flatten() {
        let count = program.variation_count();
        if let Ok(list) = program.macro_list() {
            let _ = list.variation_of(&[]);
            let _ = list.variation_of(&[("none", "none")]);
            let last = count.unwrap_or(0).wrapping_sub(1);
            assert!(list.values_of(last).is_none_or(|values| values.len() == list.macros.len()));
            if let Ok(number) = program.binary_number(last, ShaderKind::Pixel) {
                let _ = archive.binary(number).and_then(|binary| binary.shader());
            }
        }
    }
    let _ = archive.program_named("none");
    let _ = archive.binary(0);
}

/// A small structure with an entry in every table.
fn contents(kind: ShaderKind) -> Contents {
    let mut contents = Contents::new(kind);
    for table in kind.tables() {
        let words = table.fields().len() - usize::from(table.is_named());
        let name = table.is_named().then(|| table.name().as_bytes().to_vec());
        contents.tables[table as usize] = vec![EntryContents { name, words: vec![1; words] }];
    }
    contents
}

const CODE: [u8; 16] = [0, 0, 0, 0, 0, 0, 0x20, 0x80, 1, 2, 3, 4, 5, 6, 7, 8];

/// A block.
fn block(kind: u32, data: &[u8]) -> Vec<u8> {
    let mut bytes = b"BLK{".to_vec();
    for word in [0x20, 1, 0, kind, data.len() as u32, 0, 0] {
        bytes.extend(word.to_be_bytes());
    }
    bytes.extend(data);
    bytes
}

fn gfd(blocks: &[u8]) -> Vec<u8> {
    let mut bytes = b"Gfx2".to_vec();
    for word in [0x20_u32, 7, 1, 2, 0, 0, 0] {
        bytes.extend(word.to_be_bytes());
    }
    bytes.extend(blocks);
    bytes
}

/// A file with a shader header as `change` leaves it.
fn header(kind: ShaderKind, change: impl FnOnce(&mut Vec<u8>)) -> Vec<u8> {
    let mut data = contents(kind).to_header(4).unwrap();
    set_member(kind, Form::GFD, &mut data, Member::CodeSize, 16);
    if kind == ShaderKind::Geometry {
        set_member(kind, Form::GFD, &mut data, Member::CopySize, 16);
    }
    change(&mut data);
    let (head, code) = match kind {
        ShaderKind::Vertex => (3, 5),
        ShaderKind::Pixel => (6, 7),
        ShaderKind::Geometry => (8, 9),
        ShaderKind::Compute => (14, 15),
    };
    let copy = if kind == ShaderKind::Geometry { block(10, &CODE) } else { Vec::new() };
    gfd(&[block(head, &data), block(code, &CODE), copy, block(1, &[])].concat())
}

fn word(word: u32, endian: Endian) -> [u8; 4] {
    if endian == Endian::Little { word.to_le_bytes() } else { word.to_be_bytes() }
}

fn words(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|&of| word(of, Endian::Big)).collect()
}

/// A record with its size.
fn record(bytes: &[u8]) -> Vec<u8> {
    [&words(&[bytes.len() as u32 + 4]), bytes].concat()
}

/// An array with its size and count.
fn array(records: &[Vec<u8>]) -> Vec<u8> {
    counted(records.len() as u32, &records.concat())
}

fn counted(count: u32, records: &[u8]) -> Vec<u8> {
    [&words(&[records.len() as u32 + 8, count]), records].concat()
}

/// A big-endian archive with these arrays.
fn archive(binaries: &[u8], programs: &[u8]) -> Vec<u8> {
    let size = (0x18 + 2 + binaries.len() + programs.len()) as u32;
    [&words(&[0x5348_4142, 8, size, 0, 0, 2]), b"a\0".as_slice(), binaries, programs].concat()
}

/// Offset of the first binary's record.
const FIRST: u64 = 0x18 + 2 + 8;

/// A binary of which the data starts at `start`, as `change` leaves it.
fn binary(kind: ShaderKind, start: u64, change: impl FnOnce(&mut Vec<u8>)) -> Vec<u8> {
    let programs = Programs { code: &CODE, copy: &CODE, fill: 0 };
    let mut data = contents(kind).to_binary(Form::sharcfb(Endian::Big), programs, start, 0x100).unwrap();
    change(&mut data);
    record(&[words(&[kind as u32, 0, data.len() as u32]), data].concat())
}

/// A record of a program: name, stages, base, then its six arrays.
fn program(name: &[u8], stages: u32, base: u32, arrays: [Vec<u8>; 6]) -> Vec<u8> {
    record(&[words(&[name.len() as u32, stages, base]), name.to_vec(), arrays.concat()].concat())
}

fn none() -> Vec<u8> {
    array(&[])
}

fn macro_of(name: &[u8], count: u32, values: &[u8]) -> Vec<u8> {
    record(&[&words(&[name.len() as u32, count, 2]), name, values, b"i\0"].concat())
}

fn symbol(offset: u32, default: &[u8], flags: &[u8]) -> Vec<u8> {
    let head = words(&[offset, 2, 2, default.len() as u32, flags.len() as u32]);
    record(&[&head, b"s\0t\0".as_slice(), default, flags].concat())
}

fn with_symbols(place: usize, symbols: Vec<u8>) -> Vec<u8> {
    let mut arrays = [none(), none(), none(), none(), none(), none()];
    arrays[place] = symbols;
    let vertex = binary(ShaderKind::Vertex, FIRST + 16, |_| {});
    let pixel_at = FIRST + vertex.len() as u64 + 16;
    let pixel = binary(ShaderKind::Pixel, pixel_at, |_| {});
    archive(&array(&[vertex, pixel]), &array(&[program(b"p\0", 3, 0, arrays)]))
}

fn plain() -> Vec<u8> {
    with_symbols(0, none())
}

/// An archive of one binary as `change` leaves its data, and a program that has none.
fn one(kind: ShaderKind, change: impl FnOnce(&mut Vec<u8>)) -> Vec<u8> {
    let arrays = [none(), none(), none(), none(), none(), none()];
    archive(&array(&[binary(kind, FIRST + 16, change)]), &array(&[program(b"p\0", 3, u32::MAX, arrays)]))
}

fn with_macros(macros: Vec<u8>, defaults: Vec<u8>) -> Vec<u8> {
    let arrays = [macros, defaults, none(), none(), none(), none()];
    archive(&none(), &array(&[program(b"p\0", 3, u32::MAX, arrays)]))
}

fn set(kind: ShaderKind, data: &mut [u8], form: Form, member: Member, value: u32) {
    set_member(kind, form, data, member, value);
}

const BIG: Form = Form { endian: Endian::Big, tagged: false };

/// Small files, one of each kind.
fn seeds() -> Vec<(String, Vec<u8>)> {
    let mut seeds: Vec<(String, Vec<u8>)> = ShaderKind::ALL
        .into_iter()
        .map(|kind| (format!("{} gsh", kind.name()), header(kind, |_| {})))
        .collect();
    seeds.push(("archive".into(), plain()));
    let big = with_symbols(2, array(&[symbol(0, &[0, 0, 128, 63], &[1])]));
    let little = build(&{
        let parts = extract(&Container::read(&big).unwrap()).unwrap();
        let manifest = parts.manifest().replace("endian = \"big\"", "endian = \"little\"");
        let mut little = parts.clone();
        little.insert(unshade_containers::Parts::MANIFEST, manifest);
        little
    });
    seeds.push(("little archive".into(), little.unwrap().write().unwrap()));
    seeds.push(("archive with a geometry shader".into(), one(ShaderKind::Geometry, |_| {})));
    let macros = || array(&[macro_of(b"A\0", 2, b"0\x001\0"), macro_of(b"B\0", 1, b"x\0")]);
    let defaults = array(&[macro_of(b"A\0", 1, b"1\0"), macro_of(b"B\0", 1, b"x\0")]);
    seeds.push(("archive with macros".into(), with_macros(macros(), defaults)));
    seeds
}

#[test]
fn seeds_follow_the_rules() {
    let _alone = cost::alone();
    for (name, bytes) in seeds() {
        assert!(sound(&bytes), "{name}");
        let container = Container::read(&bytes).unwrap();
        let found = container.check();
        let bad = found.iter().find(|finding| finding.severity == unshade_bytes::Severity::Error);
        assert!(bad.is_none(), "{name}: {bad:?}");
        let parts = extract(&container).unwrap();
        assert!(!parts.manifest().contains("data_file"), "{name}\n{}", parts.manifest());
    }
}

#[test]
fn files_cut_at_every_length() {
    let _alone = cost::alone();
    for (path, bytes) in seeds() {
        let head = if path.ends_with("gsh") { 0x20 } else { 0x1A };
        for len in 0..bytes.len() {
            assert_eq!(sound(&bytes[..len]), len >= head, "{path} cut to {len}");
            if len >= head {
                let found = Container::read(&bytes[..len]).unwrap().check();
                assert!(!found.is_empty(), "{path} cut to {len}");
            }
        }
    }
}

#[test]
fn every_single_bit_flipped() {
    let _alone = cost::alone();
    for (path, bytes) in seeds() {
        let mut damaged = bytes.clone();
        let (mut read, mut noticed) = (0, 0);
        for bit in 0..bytes.len() * 8 {
            damaged[bit / 8] ^= 1 << (bit % 8);
            // The manifest is slow: every seventh.
            let taken = if bit % 7 == 0 { sound(&damaged) } else { common::sound(&damaged) };
            read += usize::from(taken);
            noticed += usize::from(taken && !Container::read(&damaged).unwrap().check().is_empty());
            damaged[bit / 8] ^= 1 << (bit % 8);
        }
        println!("{path}: {read} of {} flips can be read, {noticed} are noticed", bytes.len() * 8);
        assert!(read > bytes.len() * 8 - 32 * 8 - 1, "{path}");
    }
}

#[test]
fn others_are_refused_by_name() {
    let _alone = cost::alone();
    let magic = |magic: &[u8; 4], version: u32, order: Endian, at_14: u32| {
        let rest: Vec<u8> =
            [version, 0x100, 1, 0, at_14, 0, 0, 0].iter().flat_map(|&of| word(of, order)).collect();
        [magic.as_slice(), &rest].concat()
    };
    for (bytes, kind, code, expected) in [
        (
            magic(b"BAHS", 9, Endian::Little, 0x1000),
            ErrorKind::Unsupported,
            "sharcfb.switch",
            "Switch SHARCFB, version 9",
        ),
        (
            magic(b"BAHS", 8, Endian::Little, 0x1000),
            ErrorKind::Unsupported,
            "sharcfb.switch",
            "Switch SHARCFB, version 8",
        ),
        (magic(b"SHAB", 9, Endian::Big, 0x1801), ErrorKind::Unsupported, "sharcfb.switch", "Switch"),
        (
            magic(b"BAHS", 9, Endian::Little, 4),
            ErrorKind::Unsupported,
            "sharcfb.version",
            "expected version 8, found version 9",
        ),
        (magic(b"SHAB", 7, Endian::Big, 4), ErrorKind::Unsupported, "sharcfb.version", "found version 7"),
        (
            magic(b"SHAA", 11, Endian::Big, 4),
            ErrorKind::Unsupported,
            "sharcfb.text",
            ".sharc: shader sources",
        ),
        (
            magic(b"AAHS", 12, Endian::Little, 4),
            ErrorKind::Unsupported,
            "sharcfb.text",
            ".sharc: shader sources",
        ),
        (
            magic(b"SHAB", 8, Endian::Big, 0x30),
            ErrorKind::Truncated,
            "sharcfb.truncated",
            "a name of 48 bytes",
        ),
        (b"SHAB".to_vec(), ErrorKind::Truncated, "sharcfb.truncated", "0x18 bytes"),
        (b"Gfx2".to_vec(), ErrorKind::Truncated, "gfd.truncated", "0x20 bytes"),
    ] {
        let format = if bytes.starts_with(b"G") { Format::Gfd } else { Format::Sharcfb };
        assert_eq!(detect(&bytes), Some(format));
        let error = Container::read(&bytes).unwrap_err();
        assert_eq!((error.kind, error.code), (kind, code), "{error}");
        assert!(error.to_string().contains(expected), "{error}");
        assert!(format == Format::Gfd || Archive::open(&bytes).is_err());
    }
    // A name that is no power of two long is a name.
    let long = [magic(b"SHAB", 8, Endian::Big, 0x801), vec![b'x'; 0x900]].concat();
    assert!(common::sound(&long));
}

/// One defect each, with the code that names it.
#[test]
fn defects_have_names() {
    let _alone = cost::alone();
    let vertex = ShaderKind::Vertex;
    let pointer = Member::Pointer;
    let count = Member::Count;
    let patch = |at: usize, bytes: [u8; 4]| {
        move |mut file: Vec<u8>| {
            file[at..at + 4].copy_from_slice(&bytes);
            file
        }
    };
    let gsh = |change: &dyn Fn(&mut Vec<u8>)| header(vertex, |data| change(data));
    let of = |member: Member, value: u32| header(vertex, |data| set(vertex, data, Form::GFD, member, value));
    let arc = |member: Member, value: u32| one(vertex, |data| set(vertex, data, BIG, member, value));
    let named = |name: &str, value: u32| {
        let at = usize::from(vertex.row_named(name).unwrap().word) * 4;
        header(vertex, |data| data[at..at + 4].copy_from_slice(&value.to_be_bytes()))
    };
    let pixel = |name: &str, value: u32| {
        let kind = ShaderKind::Pixel;
        let at = usize::from(kind.row_named(name).unwrap().word) * 4;
        header(kind, |data| data[at..at + 4].copy_from_slice(&value.to_be_bytes()))
    };
    let end = |data: &mut Vec<u8>, back: usize, value: u32| {
        let at = data.len() - back;
        data[at..at + 4].copy_from_slice(&value.to_be_bytes());
    };
    let program_of = |stages, base, name: &[u8]| {
        let arrays = [none(), none(), none(), none(), none(), none()];
        let vertex = binary(vertex, FIRST + 16, |_| {});
        archive(&array(&[vertex]), &array(&[program(name, stages, base, arrays)]))
    };
    let macros = |list: &[Vec<u8>], defaults: &[Vec<u8>]| with_macros(array(list), array(defaults));
    let a = macro_of(b"A\0", 2, b"0\x001\0");
    let a1 = macro_of(b"A\0", 1, b"1\0");
    let cases: Vec<(&str, Vec<u8>)> = vec![
        ("gfd.header-size", patch(4, [0, 0, 0, 8])(gsh(&|_| {}))),
        ("gfd.header-size", patch(0x24, [0xFF; 4])(gsh(&|_| {}))),
        ("gfd.version", patch(8, [0, 0, 0, 9])(gsh(&|_| {}))),
        ("gfd.gpu", patch(0x10, [0; 4])(gsh(&|_| {}))),
        ("gfd.unknown", patch(0x1C, [1; 4])(gsh(&|_| {}))),
        ("gfd.block-size", gfd(&block(5, &CODE)[..0x24])),
        ("gfd.block-type", gfd(&block(4, &[]))),
        ("gfd.block-version", patch(0x28, [0, 0, 0, 7])(gsh(&|_| {}))),
        ("gfd.end", gfd(&block(5, &CODE))),
        ("gfd.end", gfd(&block(1, &CODE))),
        ("gfd.trailing", gfd(&[block(1, &[]), vec![0]].concat())),
        ("gfd.padding", gfd(&[block(2, &[0, 1]), block(1, &[])].concat())),
        ("gfd.alignment", patch(0x14, [0, 0, 0, 1])(gsh(&|_| {}))),
        ("gfd.structure", gfd(&block(3, &[0; 0x100]))),
        ("gfd.code-missing", gfd(&block(3, &[0; 0x134]))),
        ("gfd.header-missing", gfd(&block(15, &CODE))),
        ("gfd.code-size", of(Member::CodeSize, 24)),
        ("gfd.code-size", gfd(&block(5, &CODE[..12]))),
        ("gfd.trailer", gfd(&block(3, &[0; 0x200]))),
        ("gfd.trailer", gsh(&|data| end(data, 0x24, 0x20))),
        ("gfd.trailer", gsh(&|data| end(data, 0x18, 0xD0FF_FFFF))),
        ("gfd.patches", gsh(&|data| end(data, 0x08, u32::MAX))),
        ("gfd.patch", gsh(&|data| end(data, 0x2C, 0xD060_0004))),
        ("gfd.patch", gsh(&|data| end(data, 0x2C, 0))),
        (
            "gfd.patch-tag",
            gsh(&|data| {
                end(data, 0x2C, {
                    let at = data.len() - 0x2C;
                    Form::DATA | u32::from_be_bytes(data[at..at + 4].try_into().unwrap()) & !Form::TAG
                })
            }),
        ),
        ("gfd.unpatched", gsh(&|data| end(data, 0x2C, 0))),
        ("gfd.overlap", of(pointer(TableKind::Uniforms), 0xD060_0134)),
        ("gx2.table", of(count(TableKind::Uniforms), u32::MAX)),
        ("gx2.table", of(pointer(TableKind::Samplers), 0xD06F_FFFF)),
        ("gx2.table", of(pointer(TableKind::Samplers), 0xCA70_0134)),
        ("gx2.name", gsh(&|data| data[0x134..0x138].copy_from_slice(&[0xCA, 0x7F, 0xFF, 0xFF]))),
        ("gx2.mode", named("mode", 7)),
        ("gx2.buffer", named("gx2r_flags", 1)),
        ("gx2.stream-out", named("has_stream_out", 1)),
        ("gx2.reserved", named("SQ_PGM_RESOURCES_VS", 1 << 16)),
        ("gx2.count", named("num_sq_vtx_semantic", 33)),
        ("gx2.count", named("num_spi_vs_out_id", 11)),
        ("gx2.semantic", named("num_sq_vtx_semantic", 1)),
        ("gx2.semantic-clear", named("SQ_VTX_SEMANTIC_CLEAR", 0)),
        ("gx2.parameters", named("SPI_VS_OUT_CONFIG", 8)),
        ("gx2.inputs", pixel("SPI_PS_IN_CONTROL_0", 3)),
        ("gx2.targets", pixel("SQ_PGM_EXPORTS_PS", 4)),
        ("gx2.targets", pixel("CB_SHADER_CONTROL", 2)),
        ("gx2.limit", gsh(&|data| data[0x138..0x13C].copy_from_slice(&[0, 0, 0, 16]))),
        ("gx2.limit", gsh(&|data| data[0x13C..0x140].copy_from_slice(&[0, 1, 0, 1]))),
        ("gx2.type", gsh(&|data| data[0x144..0x148].copy_from_slice(&[0, 0, 0, 39]))),
        ("gx2.range", gsh(&|data| data[0x14C..0x150].copy_from_slice(&[0, 0, 4, 0]))),
        ("gx2.block", {
            let at = usize::from(vertex.row_named("mode").unwrap().word) * 4 + 3;
            gsh(&|data| data[at] = 1)
        }),
        ("sharcfb.endian", patch(12, [0, 0, 0, 1])(plain())),
        ("sharcfb.file-size", patch(8, [0xFF; 4])(plain())),
        ("sharcfb.resolved", patch(16, [0, 0, 0, 1])(plain())),
        ("sharcfb.trailing", [plain(), vec![0; 3]].concat()),
        ("sharcfb.truncated", archive(&[], &[])),
        ("sharcfb.truncated", archive(&none(), &[])),
        ("sharcfb.string", patch(0x18, *b"ab\0\0")(plain())),
        ("sharcfb.string-length", patch(0x17, [2, 0, 0, 0])(plain())),
        ("sharcfb.array-size", patch(0x1A, [0, 0, 0, 7])(plain())),
        ("sharcfb.array-size", patch(0x1A, [0xFF; 4])(plain())),
        ("sharcfb.count", patch(0x1E, [0xFF; 4])(plain())),
        ("sharcfb.stray", archive(&counted(0, &[0; 5]), &none())),
        ("sharcfb.damaged", archive(&array(&[record(&words(&[0, 0, 1]))]), &none())),
        ("sharcfb.damaged", archive(&array(&[record(&words(&[0, u32::MAX, 1]))]), &none())),
        ("sharcfb.damaged", archive(&none(), &array(&[record(&words(&[u32::MAX, 3, 0]))]))),
        ("sharcfb.damaged", archive(&none(), &array(&[record(&words(&[0, 3, 0]))]))),
        ("sharcfb.damaged", macros(&[record(&words(&[0, 0, 9]))], &[])),
        ("sharcfb.damaged", with_symbols(3, array(&[record(&words(&[0, 0, 0, 9, 0]))]))),
        ("sharcfb.type", archive(&array(&[record(&words(&[3, 0, 0]))]), &none())),
        ("sharcfb.structure", archive(&array(&[record(&words(&[0, 0, 0]))]), &none())),
        ("sharcfb.gap", archive(&array(&[record(&words(&[0, 4, 0, 0]))]), &none())),
        ("sharcfb.tail", archive(&array(&[record(&words(&[0, 0, 0, 0]))]), &none())),
        ("sharcfb.code", arc(Member::CodeSize, u32::MAX)),
        ("sharcfb.code", arc(Member::CodePointer, u32::MAX)),
        ("sharcfb.code-size", arc(Member::CodeSize, 12)),
        ("sharcfb.alignment", arc(Member::CodePointer, 0x10)),
        (
            "sharcfb.padding",
            one(vertex, |data| {
                let at = data.len() - 17;
                data[at] = 1;
            }),
        ),
        ("sharcfb.overlap", arc(Member::CodePointer, 0x10)),
        ("sharcfb.stages", program_of(1, u32::MAX, b"p\0")),
        ("sharcfb.stages", program_of(11, u32::MAX, b"p\0")),
        ("sharcfb.base", program_of(3, 0, b"p\0")),
        ("sharcfb.base", program_of(3, 0xFFFF_FFFE, b"p\0")),
        ("sharcfb.unused", program_of(3, u32::MAX, b"p\0")),
        ("sharcfb.string", program_of(3, u32::MAX, b"pq")),
        ("sharcfb.string", program_of(3, u32::MAX, b"")),
        ("sharcfb.order", {
            let arrays = || [none(), none(), none(), none(), none(), none()];
            let first = binary(vertex, FIRST + 16, |_| {});
            let second = binary(ShaderKind::Pixel, FIRST + 16 + first.len() as u64, |_| {});
            let programs = [program(b"p\0", 3, 0, arrays()), program(b"q\0", 3, 0, arrays())];
            archive(&array(&[first, second]), &array(&programs))
        }),
        ("sharcfb.stage-type", {
            let first = binary(ShaderKind::Pixel, FIRST + 16, |_| {});
            let second = binary(ShaderKind::Pixel, FIRST + 16 + first.len() as u64, |_| {});
            let arrays = [none(), none(), none(), none(), none(), none()];
            archive(&array(&[first, second]), &array(&[program(b"p\0", 3, 0, arrays)]))
        }),
        ("sharcfb.values", macros(&[macro_of(b"A\0", 3, b"0\x001\0")], std::slice::from_ref(&a1))),
        ("sharcfb.values", macros(&[macro_of(b"A\0", u32::MAX, b"0\x001\0")], std::slice::from_ref(&a1))),
        ("sharcfb.value-empty", macros(&[macro_of(b"A\0", 2, b"\x001\0")], std::slice::from_ref(&a1))),
        ("sharcfb.string", macros(&[macro_of(b"A\0", 1, b"1\x00x")], std::slice::from_ref(&a1))),
        ("sharcfb.duplicate", macros(&[a.clone(), a.clone()], &[a1.clone(), a1.clone()])),
        ("sharcfb.duplicate", macros(&[macro_of(b"A\0", 2, b"1\x001\0")], std::slice::from_ref(&a1))),
        ("sharcfb.default", macros(std::slice::from_ref(&a), &[])),
        ("sharcfb.default", macros(std::slice::from_ref(&a), &[macro_of(b"B\0", 1, b"1\0")])),
        ("sharcfb.default", macros(std::slice::from_ref(&a), &[macro_of(b"A\0", 1, b"2\0")])),
        ("sharcfb.default", macros(std::slice::from_ref(&a), std::slice::from_ref(&a))),
        ("sharcfb.variations", with_symbols(2, array(&[symbol(0, &[], &[1, 1])]))),
        ("sharcfb.flags", with_symbols(2, array(&[symbol(0, &[], &[2])]))),
        ("sharcfb.default-size", with_symbols(2, array(&[symbol(0, &[1], &[1])]))),
        ("sharcfb.default-size", with_symbols(3, array(&[symbol(8, &[0; 4], &[1])]))),
        ("sharcfb.default-size", with_symbols(4, array(&[symbol(0, &[], &[1])]))),
        ("sharcfb.usage", with_symbols(2, array(&[symbol(0, &[], &[1])]))),
        ("sharcfb.contiguous", {
            let big = one(vertex, |data| {
                let at = u32::from_be_bytes(data[0xE8..0xEC].try_into().unwrap());
                data[0xE8..0xEC].copy_from_slice(&(at + 4).to_be_bytes());
            });
            // Only little-endian archives are swapped.
            let mut little = big;
            for at in (0..0x18).step_by(4).chain([0x1A, 0x1E, 0x22, 0x26, 0x2A, 0x2E]) {
                little[at..at + 4].reverse();
            }
            for at in (0x32..0x32 + 0x134).step_by(4) {
                little[at..at + 4].reverse();
            }
            little
        }),
    ];
    for (index, (code, bytes)) in cases.iter().enumerate() {
        assert!(sound(bytes), "{index}: {code}");
        let found = Container::read(bytes).unwrap().check();
        let hit = found.iter().any(|finding| finding.code == *code);
        assert!(hit, "{index}: no {code} among {found:#?}");
    }
    println!("{} files", cases.len());
}

/// Files of up to 1 MiB that ask for more than they hold.
fn hostile() -> Vec<(String, Vec<u8>)> {
    let mut files = Vec::new();
    for len in [0x400, 0x8000, MIB] {
        let mut add = |name: &str, bytes: Vec<u8>| files.push((format!("{name}, {len:#x} bytes"), bytes));
        let many = |part: Vec<u8>| part.repeat(len / part.len());
        // Very many of the smallest parts.
        add("empty blocks", gfd(&many(block(5, &[]))));
        add("empty headers", gfd(&many(block(3, &[]))));
        add("blocks of an unknown type", gfd(&many(block(u32::MAX, &[]))));
        add("padding that aligns and aligns", gfd(&many([block(2, &[0; 0xA0]), block(5, &[])].concat())));
        add("end blocks", gfd(&many(block(1, &[]))));
        add(
            "blocks of 2^32 bytes",
            gfd(&many([&b"BLK{"[..], &words(&[0x20, 1, 0, 5, u32::MAX, 0, 0])].concat())),
        );
        add(
            "headers of 2^32 bytes",
            gfd(&many([&b"BLK{"[..], &words(&[u32::MAX, 1, 0, 5, 0, 0, 0])].concat())),
        );
        add("small structures", gfd(&many(block(14, &[0xFF; 0x84]))));
        // Tables that claim everything, all at the same place, whose names are one long text.
        for kind in ShaderKind::ALL {
            let size = kind.size();
            let rest = len.saturating_sub(size).max(0x100);
            for (what, tagged) in [("gsh", true), ("archive", false)] {
                let form = if tagged { Form::GFD } else { BIG };
                if kind == ShaderKind::Compute && !tagged {
                    continue;
                }
                let all = |name_at: u32, fill: u8| {
                    let mut data = vec![0; size];
                    data.resize(size + rest, fill);
                    let table_end = size + rest / 2;
                    for table in kind.tables() {
                        let count = (table_end - size) / table.entry_size();
                        set(kind, &mut data, form, Member::Count(table), count as u32);
                        set(kind, &mut data, form, Member::Pointer(table), form.data_pointer(size as u32));
                    }
                    let pointer = form.text_pointer(name_at);
                    for place in data[size..table_end].chunks_exact_mut(4) {
                        place.copy_from_slice(&pointer.to_be_bytes());
                    }
                    data[size + rest - 1] = 0;
                    data
                };
                let middle = (size + rest / 2) as u32;
                let wrap = |data: Vec<u8>| match what {
                    "gsh" => gfd(&block(
                        match kind {
                            ShaderKind::Vertex => 3,
                            ShaderKind::Pixel => 6,
                            ShaderKind::Geometry => 8,
                            ShaderKind::Compute => 14,
                        },
                        &data,
                    )),
                    _ => archive(
                        &array(&[record(&[words(&[kind as u32, 0, data.len() as u32]), data].concat())]),
                        &none(),
                    ),
                };
                let name = kind.name();
                add(&format!("{name} {what}: tables on one place, one long name"), wrap(all(middle, b'n')));
                add(
                    &format!("{name} {what}: names without an end"),
                    wrap({
                        let mut data = all(middle, b'n');
                        *data.last_mut().unwrap() = b'n';
                        data
                    }),
                );
                add(
                    &format!("{name} {what}: counts of 2^32"),
                    wrap({
                        let mut data = all(0, 0);
                        for table in kind.tables() {
                            set(kind, &mut data, form, Member::Count(table), u32::MAX);
                        }
                        data
                    }),
                );
                add(&format!("{name} {what}: all bits set"), wrap(vec![0xFF; len.max(size)]));
            }
        }
        // Names that end at the same place, each a byte longer.
        add("names in names", {
            let size = ShaderKind::Vertex.size();
            let count = (len / 32).max(1);
            let mut data = vec![0; size];
            let names = size + count * 12;
            set(ShaderKind::Vertex, &mut data, BIG, Member::Count(TableKind::Samplers), count as u32);
            set(ShaderKind::Vertex, &mut data, BIG, Member::Pointer(TableKind::Samplers), size as u32);
            for index in 0..count {
                data.extend(words(&[(names + index) as u32, 1, 0]));
            }
            data.extend(vec![b'n'; count]);
            data.push(0);
            archive(&array(&[record(&[words(&[0, 0, data.len() as u32]), data].concat())]), &none())
        });
        let empty_program = || program(b"", 7, 0, [none(), none(), none(), none(), none(), none()]);
        add("empty binaries", archive(&counted(u32::MAX, &many(record(&words(&[0, 0, 0])))), &none()));
        add("empty programs", archive(&none(), &counted(u32::MAX, &many(empty_program()))));
        add("damaged programs", archive(&none(), &counted(9, &many(record(&words(&[u32::MAX, 0, 0]))))));
        add("records of no size", archive(&counted(9, &many(words(&[0]))), &none()));
        add("records of 2^32 bytes", archive(&counted(9, &many(words(&[u32::MAX]))), &none()));
        let of = |place: usize, bytes: Vec<u8>| {
            let mut arrays = [none(), none(), none(), none(), none(), none()];
            arrays[place] = counted(u32::MAX, &bytes);
            archive(&none(), &array(&[program(b"p\0", 3, 0, arrays)]))
        };
        add("empty macros", of(0, many(record(&words(&[0, 0, 0])))));
        add("macros of 2^32 values", of(0, many(record(&words(&[0, u32::MAX, 0])))));
        add("a macro of empty values", of(0, macro_of(b"A\0", u32::MAX, &vec![0; len])));
        add("macros that multiply", of(0, many(macro_of(b"A\0", 2, b"0\x001\0"))));
        add("empty symbols", of(4, many(record(&words(&[0, 0, 0, 0, 0])))));
        add("a symbol of flags", of(4, symbol(0, &[], &vec![1; len])));
        add("a symbol of a default", of(2, symbol(0, &vec![1; len], &[])));
        // Every program claims every binary.
        let half = len / 2;
        let structure = record(&[words(&[0, 0, 0x134]), vec![0; 0x134]].concat());
        let binaries = structure.repeat((half / structure.len()).max(1));
        let claims = macro_of(b"A\0", 1 << 20, &b"x\0".repeat(20));
        let claiming = program(b"p\0", 3, 0, [array(&[claims]), none(), none(), none(), none(), none()]);
        add(
            "programs that claim every binary",
            archive(&counted(0, &binaries), &counted(0, &claiming.repeat((half / claiming.len()).max(1)))),
        );
        let plain = program(b"p\0", 3, 0, [none(), none(), none(), none(), none(), none()]);
        add(
            "programs that share two binaries",
            archive(&counted(0, &binaries), &counted(0, &plain.repeat((half / plain.len()).max(1)))),
        );
        add("an archive in an archive", {
            let inner = archive(&none(), &none());
            archive(&counted(0, &many(inner)), &none())
        });
    }
    files
}

#[test]
fn reading_takes_memory_in_proportion() {
    let _alone = cost::alone();
    let mut files = common::gfd();
    files.extend(common::sharcfb());
    files.extend(hostile());
    let mut worst = Worst::default();
    for (name, bytes) in &files {
        drop(worst.read(name, bytes));
        let (opened, taken) = cost(|| Archive::open(bytes).is_ok());
        assert!(!opened || taken.heap == 0, "{name}: opening took {} bytes", taken.heap);
    }
    println!("{}", worst.report());
}

#[test]
fn hostile_files_are_sound_and_quick() {
    let _alone = cost::alone();
    let files = hostile();
    assert!(files.len() >= 100);
    let mut worst = Worst::default();
    for (name, bytes) in &files {
        worst.quick(name, || {
            let written = Container::read(bytes).map(|container| container.write().unwrap().len());
            assert!(written.is_ok_and(|len| len == bytes.len()), "{name}");
            let scanned = scan::scan(bytes).count();
            assert!(scanned <= 1, "{name}");
        });
        assert!(worst.ask(name, bytes.len(), || sound(bytes)), "{name}");
    }
    println!("{} files; {}", files.len(), worst.report());
}

#[test]
fn false_magics_do_not_add_up() {
    let _alone = cost::alone();
    let head = |rest: usize| {
        [words(&[0x5348_4142, 8, rest as u32, 0, 0, 0]), words(&[rest as u32 - 0x18, 0])].concat()
    };
    let mut blob = Vec::new();
    while blob.len() + 0x40 < MIB {
        blob.extend(head(MIB - blob.len()));
    }
    blob.extend(b"Gfx2".repeat(MIB / 8));
    let (found, cost) = cost(|| scan::scan(&blob).count());
    assert_eq!(found, 0);
    assert!(cost.time < cost::TIME_TO_READ, "{cost:?}");
    assert!(scan::Blob::read(&blob).write().unwrap() == blob);
}

/// A big archive: 15,000 variations of two binaries each, 100 MB in all.
fn big() -> Vec<u8> {
    let mut binaries = Vec::new();
    let sizes = [10_u32, 10, 10, 15];
    let variations: u32 = sizes.iter().product();
    // The first record starts where the code of all of them is aligned; each is a multiple of 0x100 long.
    let name_len = 0x100 - (0x18 + 8);
    let start = 0x100 + 16;
    let records = [ShaderKind::Vertex, ShaderKind::Pixel].map(|kind| {
        let programs = Programs { code: &[0; 0xA00], copy: &[], fill: 0 };
        let data = contents(kind).to_binary(Form::sharcfb(Endian::Big), programs, start, 0x100).unwrap();
        let tail = vec![0; (data.len() + 16).next_multiple_of(0x100) - data.len() - 16 + 0x200];
        record(&[words(&[kind as u32, 0, data.len() as u32]), data, tail].concat())
    });
    for _ in 0..variations {
        binaries.extend(records.concat());
    }
    let macros: Vec<Vec<u8>> = sizes
        .iter()
        .enumerate()
        .map(|(index, &count)| {
            let values: String = (0..count).map(|value| format!("v{value}\0")).collect();
            macro_of(format!("M{index}\0").as_bytes(), count, values.as_bytes())
        })
        .collect();
    let flags = symbol(u32::MAX, &[], &vec![1; variations as usize]);
    let arrays = [array(&macros), none(), none(), none(), array(&[flags]), none()];
    let binaries = counted(2 * variations, &binaries);
    let programs = array(&[program(b"p\0", 3, 0, arrays)]);
    let size = (0x18 + name_len + binaries.len() + programs.len()) as u32;
    let mut name = vec![b'a'; name_len];
    name[name_len - 1] = 0;
    [words(&[0x5348_4142, 8, size, 0, 0, name_len as u32]), name, binaries, programs].concat()
}

#[test]
fn a_big_archive_costs_what_is_looked_at() {
    let _alone = cost::alone();
    let bytes = big();
    assert!(bytes.len() >= 100_000_000, "{}", bytes.len());
    let ((archive, program, list), opened) = cost(|| {
        let archive = Archive::open(&bytes).unwrap();
        let program = archive.program_named("p").unwrap();
        let list = program.macro_list().unwrap();
        assert_eq!(list.variations(), Some(15_000));
        (archive, program, list)
    });
    assert!(opened.heap <= 64 << 10, "{opened:?} to open and to know the macros");
    let (_, picked) = cost(|| {
        let given = [("M0", "v3"), ("M1", "v1"), ("M2", "v4"), ("M3", "v14")];
        let variation = list.variation_of(&given).unwrap();
        assert_eq!(variation, 3 * 1500 + 150 + 4 * 15 + 14);
        let number = program.binary_number(variation, ShaderKind::Pixel).unwrap();
        let binary = archive.binary(number).unwrap();
        assert_eq!(binary.shader().unwrap().latte().samplers[0].name, "samplers");
    });
    assert!(picked.heap <= 1 << 20, "{picked:?} to pick");
    let (_, listed) = cost(|| {
        for number in 0..archive.binary_count() {
            assert_eq!(archive.binary(number).unwrap().view.kind, number % 2);
        }
        for variation in 0..15_000 {
            assert_eq!(list.values_of(variation).unwrap().len(), 4);
        }
    });
    assert!(listed.time < Duration::from_secs(2), "{listed:?}");
    let (container, read) = cost(|| Container::read(&bytes).unwrap());
    assert!(read.heap < 2 * bytes.len(), "{read:?}");
    let (written, wrote) = cost(|| container.write().unwrap());
    assert!(written == bytes);
    println!("{} bytes: opened {opened:?}, picked {picked:?}, listed {listed:?}", bytes.len());
    println!("the model: read {read:?}, written {wrote:?}");
}
