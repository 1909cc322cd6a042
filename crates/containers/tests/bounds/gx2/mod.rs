//! GFD files and archives that mean harm, or met with some: each is refused clearly or understood soundly, quickly,
//! and without taking more memory than its size allows.
#![allow(clippy::indexing_slicing)]

mod harm;
mod made;

use crate::common;
use crate::cost;
use unshade_bytes::{Endian, ErrorKind};
use unshade_containers::{
    Container, Format, build, detect, extract,
    gx2::{Form, Member, ShaderKind, TableKind},
    sharcfb::Archive,
};

use made::*;

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
            ErrorKind::Truncated,
            "sharcfb-nx.truncated",
            "0x150 bytes",
        ),
        (
            [magic(b"BAHS", 10, Endian::Little, 0x1000), vec![0; 0x2000]].concat(),
            ErrorKind::Unsupported,
            "sharcfb-nx.version",
            "found version 10",
        ),
        (
            magic(b"BAHS", 10, Endian::Little, 4),
            ErrorKind::Unsupported,
            "sharcfb.version",
            "expected version 8 or 9, found version 10",
        ),
        (magic(b"SHAB", 7, Endian::Big, 4), ErrorKind::Unsupported, "sharcfb.version", "found version 7"),
        (magic(b"SHAA", 9, Endian::Big, 4), ErrorKind::Unsupported, "sharc.version", "found version 9"),
        (magic(b"AAHS", 14, Endian::Little, 4), ErrorKind::Unsupported, "sharc.version", "found version 14"),
        (b"SHAA".to_vec(), ErrorKind::Truncated, "sharc.truncated", "0x14 bytes"),
        (
            magic(b"SHAB", 8, Endian::Big, 0x30),
            ErrorKind::Truncated,
            "sharcfb.truncated",
            "a name of 48 bytes",
        ),
        (b"SHAB".to_vec(), ErrorKind::Truncated, "sharcfb.truncated", "0x18 bytes"),
        (b"Gfx2".to_vec(), ErrorKind::Truncated, "gfd.truncated", "0x20 bytes"),
    ] {
        let error = Container::read(&bytes).unwrap_err();
        let room = error.code.split('.').next().unwrap();
        let format = Format::ALL.into_iter().find(|format| format.name() == room).unwrap();
        assert_eq!(detect(&bytes), Some(format));
        assert_eq!((error.kind, error.code), (kind, code), "{error}");
        assert!(error.to_string().contains(expected), "{error}");
        assert!(format != Format::Sharcfb || Archive::open(&bytes).is_err());
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
                    0xABC0_0000 | u32::from_be_bytes(data[at..at + 4].try_into().unwrap()) & !Form::TAG
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
