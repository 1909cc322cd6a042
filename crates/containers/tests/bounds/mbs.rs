//! MBS files that mean harm, or met with some: each is refused clearly or understood soundly, quickly, and
//! without taking more memory than its size allows.

use crate::common;
use crate::cost;
use crate::cost::{Worst, cost};
use unshade_bytes::Severity;
use unshade_containers::{Container, build, extract, wrap::scan};

const MIB: usize = 1 << 20;

/// The samples, small files with one program and with two.
fn seeds() -> Vec<(String, Vec<u8>)> {
    let mut seeds = common::mbs();
    seeds.retain(|(path, _)| path.contains("samples"));
    assert!(seeds.len() >= 3);
    seeds
}

/// What must hold for any bytes, and that the manifest holds all of them.
fn sound(bytes: &[u8]) -> bool {
    let read = common::sound(bytes);
    if read {
        let container = Container::read(bytes).unwrap();
        let parts = extract(&container).unwrap();
        let back = build(&parts).unwrap_or_else(|error| panic!("{error}\n{}", parts.manifest()));
        assert!(back == container, "{}", parts.manifest());
    }
    read
}

#[test]
fn files_cut_at_every_length() {
    let _alone = cost::alone();
    for (path, bytes) in seeds() {
        for len in 0..bytes.len() {
            assert_eq!(sound(&bytes[..len]), len >= 8, "{path} cut to {len}");
            if len >= 8 {
                let found = Container::read(&bytes[..len]).unwrap().check();
                assert_eq!((found[0].severity, &*found[0].code), (Severity::Error, "mbs.size"), "{len}");
            }
        }
    }
}

#[test]
fn every_single_bit_flipped() {
    let _alone = cost::alone();
    for (path, bytes) in seeds() {
        let mut damaged = bytes.clone();
        let mut read = 0;
        let mut noticed = 0;
        for bit in 0..bytes.len() * 8 {
            damaged[bit / 8] ^= 1 << (bit % 8);
            // The manifest is slow: every seventh.
            let taken = if bit % 7 == 0 { sound(&damaged) } else { common::sound(&damaged) };
            read += usize::from(taken);
            noticed += usize::from(taken && !Container::read(&damaged).unwrap().check().is_empty());
            damaged[bit / 8] ^= 1 << (bit % 8);
        }
        println!("{path}: {read} of {} flips can be read, {noticed} are noticed", bytes.len() * 8);
        // All but those in the magic number.
        assert_eq!(read, (bytes.len() - 4) * 8);
    }
}

/// A chunk.
fn chunk(tag: &[u8; 4], contents: &[u8]) -> Vec<u8> {
    let size = (contents.len() as u32).to_le_bytes();
    [tag.as_slice(), &size, contents].concat()
}

fn words(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// A file with a vertex program of these chunks.
fn vertex(chunks: &[u8]) -> Vec<u8> {
    chunk(b"MBS1", &chunk(b"CVER", &[&words(&[6]), chunks].concat()))
}

/// A uniform with a record: type, components, component size, entries, stride, offset, parent.
fn uniform(name: &[u8], record: [u16; 7], behind: &[u8]) -> Vec<u8> {
    let [kind, components, size, entries, stride, offset, parent] = record;
    let mut contents = chunk(b"STRI", name);
    contents.extend([2, kind as u8]);
    for field in [components, size, entries, stride] {
        contents.extend(field.to_le_bytes());
    }
    contents.extend([16, 3, 0, 0, 0, 0]);
    contents.extend(offset.to_le_bytes());
    contents.extend(parent.to_le_bytes());
    contents.extend(behind);
    chunk(b"VUNI", &contents)
}

/// A file with a table of uniforms.
fn uniforms(count: u32, space: u32, symbols: &[u8]) -> Vec<u8> {
    let table = chunk(b"SUNI", &[&words(&[count, space]), symbols].concat());
    vertex(&[table, chunk(b"DBIN", &[0; 16])].concat())
}

const FLOAT: [u16; 7] = [1, 1, 4, 0, 4, 0, 0xFFFF];

/// One defect each, with the code that names it.
#[test]
fn defects_have_names() {
    let _alone = cost::alone();
    let one = |record: [u16; 7]| uniforms(1, 4, &uniform(b"u\0\0\0", record, &[]));
    let two = |a: [u16; 7], b: [u16; 7]| {
        uniforms(2, 64, &[uniform(b"a\0\0\0", a, &[]), uniform(b"b\0\0\0", b, &[])].concat())
    };
    let named = |name: &[u8]| uniforms(1, 4, &uniform(name, FLOAT, &[]));
    let behind = |behind: &[u8]| uniforms(1, 4, &uniform(b"u\0\0\0", FLOAT, behind));
    let code = |code: &[u8]| vertex(&chunk(b"DBIN", code));
    let fragment =
        |core: u32, chunks: &[u8]| chunk(b"MBS1", &chunk(b"CFRA", &[&words(&[core]), chunks].concat()));
    let mut cut = one(FLOAT);
    cut.truncate(cut.len() - 4);
    let mut long = one(FLOAT);
    long.push(0);
    let structure = |components: u16, size: u16| [8, components, size, 0, size, 0, 0xFFFF];
    let member = |offset: u16, parent: u16| [1, 1, 4, 0, 4, offset, parent];
    let dbin = chunk(b"DBIN", &[0; 16]);
    let cases: Vec<(&str, Vec<u8>)> = vec![
        ("mbs.size", cut),
        ("mbs.trailing", long),
        ("mbs.no-program", chunk(b"MBS1", &[])),
        ("mbs.stray", chunk(b"MBS1", &[1, 2, 3])),
        ("mbs.stray", vertex(&[dbin.clone(), vec![0; 7]].concat())),
        ("mbs.chunk-size", vertex(&[dbin.clone(), words(&[0x5555_5555, 1000])].concat())),
        ("mbs.chunk-size", vertex(&[dbin.clone(), words(&[0x4E49_4244, u32::MAX])].concat())),
        ("mbs.duplicate", vertex(&[dbin.clone(), dbin.clone()].concat())),
        (
            "mbs.duplicate",
            chunk(b"MBS1", &[chunk(b"CVER", &words(&[6])), chunk(b"CVER", &words(&[6]))].concat()),
        ),
        ("mbs.damaged", chunk(b"MBS1", &chunk(b"CVER", &[6, 0]))),
        ("mbs.damaged", vertex(&chunk(b"FINS", &[0; 11]))),
        ("mbs.damaged", vertex(&chunk(b"FSTA", &[0; 12]))),
        ("mbs.damaged", vertex(&chunk(b"SUNI", &[0; 7]))),
        ("mbs.damaged", uniforms(1, 0, &chunk(b"VUNI", &[0; 40]))),
        ("mbs.damaged", uniforms(1, 0, &chunk(b"VUNI", &chunk(b"STRI", b"u\0\0\0")))),
        ("mbs.damaged", behind(&chunk(b"VINI", &[0; 3]))),
        ("mbs.damaged", behind(&chunk(b"VIDX", &chunk(b"ITDR", &[0; 4])))),
        ("mbs.misplaced", chunk(b"MBS1", &chunk(b"DBIN", &[]))),
        ("mbs.misplaced", vertex(&chunk(b"FDIS", &[0; 4]))),
        ("mbs.misplaced", vertex(&chunk(b"CVER", &[0; 4]))),
        ("mbs.misplaced", uniforms(1, 0, &chunk(b"VVAR", &[0; 40]))),
        ("mbs.misplaced", behind(&chunk(b"MBS1", &[]))),
        ("mbs.unknown-chunk", vertex(&chunk(b"\xff\0\"\\", &[]))),
        ("mbs.core", fragment(6, &[])),
        ("mbs.core", chunk(b"MBS1", &chunk(b"CVER", &words(&[7])))),
        ("mbs.code-missing", vertex(&[])),
        ("mbs.code-size", code(&[])),
        ("mbs.code-size", code(&[0; 20])),
        ("mbs.code-size", fragment(7, &chunk(b"DBIN", &[1, 0, 0, 0, 0]))),
        ("mbs.code-limit", code(&[0; 16 * 513])),
        ("mbs.code-walk", fragment(7, &chunk(b"DBIN", &words(&[2, 0, 0])))),
        ("mbs.code-walk", fragment(7, &chunk(b"DBIN", &words(&[1, 3, 0])))),
        ("mbs.missing", fragment(7, &[])),
        ("mbs.instruction-count", vertex(&[chunk(b"FINS", &words(&[0, 2, 0])), dbin.clone()].concat())),
        ("mbs.attribute-prefetch", vertex(&[chunk(b"FINS", &words(&[0, 1, 2])), dbin.clone()].concat())),
        ("mbs.instructions-unknown", vertex(&[chunk(b"FINS", &words(&[9, 1, 0])), dbin].concat())),
        ("mbs.discard", fragment(7, &chunk(b"FDIS", &words(&[2])))),
        ("mbs.framebuffer", fragment(7, &chunk(b"FBUU", &[0, 2, 0, 0, 0, 0, 0, 0]))),
        ("mbs.framebuffer-unknown", fragment(7, &chunk(b"FBUU", &[0, 1, 0, 0, 0, 0, 0, 1]))),
        ("mbs.count", uniforms(u32::MAX, 4, &uniform(b"u\0\0\0", FLOAT, &[]))),
        ("mbs.space", uniforms(1, 0, &uniform(b"u\0\0\0", FLOAT, &[]))),
        ("mbs.space-rows", uniforms(1, 1, &uniform(b"u\0\0\0", FLOAT, &[]))),
        ("mbs.name-unterminated", named(b"abcd")),
        ("mbs.name-size", named(b"u\0")),
        ("mbs.name-padding", named(b"u\0\0\x01")),
        ("mbs.name-empty", named(b"\0\0\0\0")),
        ("mbs.name-duplicate", uniforms(2, 4, &[named_symbol(0), named_symbol(1)].concat())),
        ("mbs.type", one([7, 1, 4, 0, 4, 0, 0xFFFF])),
        ("mbs.components", one([1, 5, 4, 0, 4, 0, 0xFFFF])),
        ("mbs.components", one([4, 1, 4, 0, 4, 0, 0xFFFF])),
        ("mbs.type-place", one([5, 2, 1, 0, 1, 0, 0xFFFF])),
        ("mbs.component-size", one([1, 1, 1, 0, 4, 0, 0xFFFF])),
        ("mbs.stride", one([1, 1, 4, 0, 1, 0, 0xFFFF])),
        ("mbs.alignment", one([4, 2, 4, 0, 8, 2, 0xFFFF])),
        ("mbs.row", one([1, 3, 4, 0, 4, 2, 0xFFFF])),
        ("mbs.limit", one([1, 1, 4, 0, 4, 1216, 0xFFFF])),
        ("mbs.parent", one(member(0, 1))),
        ("mbs.parent-type", two(FLOAT, member(4, 0))),
        ("mbs.parent-circle", one([8, 1, 4, 0, 4, 0, 0])),
        ("mbs.parent-circle", two([8, 1, 4, 0, 4, 0, 1], [8, 1, 4, 0, 4, 0, 0])),
        ("mbs.members", two(structure(2, 4), member(0, 0))),
        ("mbs.struct-size", two(structure(1, 4), member(4, 0))),
        ("mbs.overlap", two(FLOAT, [1, 4, 4, 0, 4, 0, 0xFFFF])),
        ("mbs.overlap", two([1, 1, 4, 3, 4, 0, 0xFFFF], [1, 2, 4, 0, 4, 7, 0xFFFF])),
        ("mbs.initial-count", behind(&chunk(b"VINI", &words(&[2, 0])))),
        ("mbs.initial-size", behind(&chunk(b"VINI", &words(&[2, 0, 0])))),
    ];
    for (code, bytes) in &cases {
        assert!(sound(bytes), "{code}");
        let found = Container::read(bytes).unwrap().check();
        let hit = found.iter().find(|finding| finding.code == *code);
        let hit = hit.unwrap_or_else(|| panic!("no {code} among {found:#?}"));
        assert!(code == &"mbs.no-program" || !hit.path.is_empty() || code.ends_with("trailing"), "{hit}");
    }
    println!("{} files", cases.len());
}

fn named_symbol(offset: u16) -> Vec<u8> {
    uniform(b"u\0\0\0", [1, 1, 4, 0, 4, offset, 0xFFFF], &[])
}

/// Files of up to 1 MiB that ask for more than they hold: huge counts and sizes, very many tiny chunks, chunks
/// in chunks, structs in structs, tables that use every float again and again.
fn hostile() -> Vec<(String, Vec<u8>)> {
    let mut files = Vec::new();
    for len in [0x200, 0x4000, MIB] {
        let mut add = |name: &str, bytes: Vec<u8>| files.push((format!("{name}, {len:#x} bytes"), bytes));
        let many = |part: Vec<u8>| part.repeat(len / part.len());
        let empty = chunk(b"XXXX", &[]);
        add("empty chunks", chunk(b"MBS1", &many(empty.clone())));
        add("empty chunks in a program", vertex(&many(empty.clone())));
        add("empty chunks in a table", uniforms(0, 0, &many(empty.clone())));
        add("empty chunks in a symbol", uniforms(1, 0, &uniform(b"u\0\0\0", FLOAT, &many(empty))));
        add("programs of nothing", chunk(b"MBS1", &many(chunk(b"CVER", &words(&[6])))));
        add("tables of nothing", vertex(&many(chunk(b"SUNI", &words(&[u32::MAX, u32::MAX])))));
        add("tables of few", vertex(&many(chunk(b"SVAR", &words(&[u32::MAX])))));
        add("empty codes", vertex(&many(chunk(b"DBIN", &[]))));
        add("small values", uniforms(1, 0, &uniform(b"u\0\0\0", FLOAT, &many(chunk(b"VINI", &words(&[7]))))));
        for (name, record) in [
            ("floats", FLOAT),
            ("huge arrays", [1, 4, 4, 0xFFFE, 0, 0, 0xFFFF]),
            ("huge matrices", [4, 0xFFFF, 0xFFFF, 0xFFFF, 1, 0, 0xFFFF]),
            ("members of the first", [1, 1, 4, 0, 4, 0, 0]),
            ("structs that are their own member", [8, 1, 4, 0xFFFF, 1, 0, 0]),
            ("unused", [1, 1, 4, 0, 4, 0xFFFF, 0xFFFF]),
            ("with everything set", [0xFF, 0xFFFE, 0xFFFE, 0xFFFE, 0xFFFE, 0xFFFE, 0xFFFE]),
        ] {
            add(&format!("symbols: {name}"), uniforms(0, 0, &many(uniform(b"", record, &[]))));
        }
        let count = (len / 36) as u16;
        // Each struct is a member of the one before, forwards and backwards.
        for (name, step) in [("down", u16::MAX), ("up", 1)] {
            let symbols =
                (0..count).flat_map(|index| uniform(b"", [8, 1, 1, 9, 1, 0, index.wrapping_add(step)], &[]));
            add(
                &format!("structs in structs, {name}"),
                uniforms(count.into(), 0, &symbols.collect::<Vec<_>>()),
            );
        }
        // One array of structs with very many members that are arrays.
        let mut symbols = uniform(b"", [8, count, 1, 0xFFFF, 1, 0, 0xFFFF], &[]);
        symbols.extend(many(uniform(b"", [1, 1, 4, 0xFFFF, 1, 0, 0], &[])));
        add("arrays in an array", uniforms(0, 0, &symbols));
        add("one long name", uniforms(1, 0, &uniform(&vec![b'a'; len], FLOAT, &[])));
        let long = uniform(&vec![b'a'; len / 2], [8, 1, 4, 0, 4, 0, 0xFFFF], &[]);
        let members = many(uniform(b"", [1, 1, 4, 0, 4, 0, 0], &[]));
        add("a long name for many members", uniforms(0, 0, &[long, members].concat()));
        add("sizes that go past the end", many(words(&[0x3153_424D, u32::MAX])));
        add("sizes that just fit", nested(len));
    }
    files
}

/// Programs in programs, as deep as they go.
fn nested(len: usize) -> Vec<u8> {
    let mut file = Vec::new();
    while file.len() + 8 <= len {
        let size = (len - file.len() - 8) as u32;
        file.extend(if file.is_empty() { *b"MBS1" } else { *b"CVER" });
        file.extend(size.to_le_bytes());
    }
    file.resize(len, 0);
    file
}

#[test]
fn reading_takes_memory_in_proportion() {
    let _alone = cost::alone();
    let mut files = common::mbs();
    files.extend(hostile());
    let mut worst = Worst::default();
    for (name, bytes) in &files {
        drop(worst.read(name, bytes));
    }
    println!("{}", worst.report());
}

#[test]
fn hostile_files_are_sound_and_quick() {
    let _alone = cost::alone();
    let files = hostile();
    assert!(files.len() >= 50);
    let mut worst = Worst::default();
    for (name, bytes) in &files {
        worst.quick(name, || {
            let written = Container::read(bytes).map(|container| container.write().unwrap().len());
            assert!(written.is_ok_and(|len| len == bytes.len()), "{name}");
            let scanned = scan::scan(bytes).count();
            assert!(scanned <= 1, "{name}");
        });
        assert!(worst.ask(name, bytes.len(), || common::sound(bytes)), "{name}");
    }
    println!("{} files; {}", files.len(), worst.report());
}

#[test]
fn false_magics_do_not_add_up() {
    let _alone = cost::alone();
    // Headers every 8 bytes, each of which claims the rest of the blob.
    let mut blob = Vec::new();
    while blob.len() < MIB {
        blob.extend(b"MBS1");
        blob.extend(((MIB - blob.len() - 4) as u32).to_le_bytes());
    }
    let (found, cost) = cost(|| scan::scan(&blob).count());
    assert_eq!(found, 0);
    assert!(cost.time < cost::TIME_TO_READ, "{cost:?}");
    assert_eq!(scan::Blob::read(&blob).write().unwrap(), blob);
}
