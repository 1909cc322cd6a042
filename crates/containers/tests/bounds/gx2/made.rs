//! Files made by hand, field by field, so that each can be wrong in one.

use unshade_bytes::Endian;
use unshade_containers::gx2::{
    Form, Member, ShaderKind,
    edit::set_member,
    layout::{Contents, EntryContents, HeaderStyle, Programs},
};

/// A small structure with an entry in every table.
pub(super) fn contents(kind: ShaderKind) -> Contents {
    let mut contents = Contents::new(kind);
    for table in kind.tables() {
        let words = table.fields().len() - usize::from(table.is_named());
        let name = table.is_named().then(|| table.name().as_bytes().to_vec());
        contents.tables[table as usize] = vec![EntryContents { name, words: vec![1; words] }];
    }
    contents
}

pub(super) const CODE: [u8; 16] = [0, 0, 0, 0, 0, 0, 0x20, 0x80, 1, 2, 3, 4, 5, 6, 7, 8];

/// A block.
pub(super) fn block(kind: u32, data: &[u8]) -> Vec<u8> {
    let mut bytes = b"BLK{".to_vec();
    for word in [0x20, 1, 0, kind, data.len() as u32, 0, 0] {
        bytes.extend(word.to_be_bytes());
    }
    bytes.extend(data);
    bytes
}

pub(super) fn gfd(blocks: &[u8]) -> Vec<u8> {
    let mut bytes = b"Gfx2".to_vec();
    for word in [0x20_u32, 7, 1, 2, 0, 0, 0] {
        bytes.extend(word.to_be_bytes());
    }
    bytes.extend(blocks);
    bytes
}

/// A file with a shader header as `change` leaves it.
pub(super) fn header(kind: ShaderKind, change: impl FnOnce(&mut Vec<u8>)) -> Vec<u8> {
    let mut data = contents(kind).to_header(HeaderStyle::default()).unwrap();
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

pub(super) fn word(word: u32, endian: Endian) -> [u8; 4] {
    if endian == Endian::Little { word.to_le_bytes() } else { word.to_be_bytes() }
}

pub(super) fn words(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|&of| word(of, Endian::Big)).collect()
}

/// A record with its size.
pub(super) fn record(bytes: &[u8]) -> Vec<u8> {
    [&words(&[bytes.len() as u32 + 4]), bytes].concat()
}

/// An array with its size and count.
pub(super) fn array(records: &[Vec<u8>]) -> Vec<u8> {
    counted(records.len() as u32, &records.concat())
}

pub(super) fn counted(count: u32, records: &[u8]) -> Vec<u8> {
    [&words(&[records.len() as u32 + 8, count]), records].concat()
}

/// A big-endian archive with these arrays.
pub(super) fn archive(binaries: &[u8], programs: &[u8]) -> Vec<u8> {
    let size = (0x18 + 2 + binaries.len() + programs.len()) as u32;
    [&words(&[0x5348_4142, 8, size, 0, 0, 2]), b"a\0".as_slice(), binaries, programs].concat()
}

/// Offset of the first binary's record.
pub(super) const FIRST: u64 = 0x18 + 2 + 8;

/// A binary of which the data starts at `start`, as `change` leaves it.
pub(super) fn binary(kind: ShaderKind, start: u64, change: impl FnOnce(&mut Vec<u8>)) -> Vec<u8> {
    let programs = Programs { code: &CODE, copy: &CODE, fill: 0 };
    let mut data = contents(kind).to_binary(Form::sharcfb(Endian::Big), programs, start, 0x100).unwrap();
    change(&mut data);
    record(&[words(&[kind as u32, 0, data.len() as u32]), data].concat())
}

/// A record of a program: name, stages, base, then its six arrays.
pub(super) fn program(name: &[u8], stages: u32, base: u32, arrays: [Vec<u8>; 6]) -> Vec<u8> {
    record(&[words(&[name.len() as u32, stages, base]), name.to_vec(), arrays.concat()].concat())
}

pub(super) fn none() -> Vec<u8> {
    array(&[])
}

pub(super) fn macro_of(name: &[u8], count: u32, values: &[u8]) -> Vec<u8> {
    record(&[&words(&[name.len() as u32, count, 2]), name, values, b"i\0"].concat())
}

pub(super) fn symbol(offset: u32, default: &[u8], flags: &[u8]) -> Vec<u8> {
    let head = words(&[offset, 2, 2, default.len() as u32, flags.len() as u32]);
    record(&[&head, b"s\0t\0".as_slice(), default, flags].concat())
}

pub(super) fn with_symbols(place: usize, symbols: Vec<u8>) -> Vec<u8> {
    let mut arrays = [none(), none(), none(), none(), none(), none()];
    arrays[place] = symbols;
    let vertex = binary(ShaderKind::Vertex, FIRST + 16, |_| {});
    let pixel_at = FIRST + vertex.len() as u64 + 16;
    let pixel = binary(ShaderKind::Pixel, pixel_at, |_| {});
    archive(&array(&[vertex, pixel]), &array(&[program(b"p\0", 3, 0, arrays)]))
}

pub(super) fn plain() -> Vec<u8> {
    with_symbols(0, none())
}

/// An archive of one binary as `change` leaves its data, and a program that has none.
pub(super) fn one(kind: ShaderKind, change: impl FnOnce(&mut Vec<u8>)) -> Vec<u8> {
    let arrays = [none(), none(), none(), none(), none(), none()];
    archive(&array(&[binary(kind, FIRST + 16, change)]), &array(&[program(b"p\0", 3, u32::MAX, arrays)]))
}

pub(super) fn with_macros(macros: Vec<u8>, defaults: Vec<u8>) -> Vec<u8> {
    let arrays = [macros, defaults, none(), none(), none(), none()];
    archive(&none(), &array(&[program(b"p\0", 3, u32::MAX, arrays)]))
}

pub(super) fn set(kind: ShaderKind, data: &mut [u8], form: Form, member: Member, value: u32) {
    set_member(kind, form, data, member, value);
}
