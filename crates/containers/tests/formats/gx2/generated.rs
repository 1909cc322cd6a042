//! Models of any content: written, they read as they were, and JSON and manifest hold them; structures of any
//! content are laid out and taken apart again.
#![allow(clippy::indexing_slicing)]

use crate::common;
use proptest::{collection::vec, prelude::*, sample::select};
use unshade_bytes::Endian;
use unshade_containers::{
    Container, Opaque, Strings, build, extract,
    gfd::{self, Block, BlockKind, Gfd},
    gx2::{
        Form, Shader, ShaderKind, TableKind,
        edit::{Program as Which, replace_code},
        layout::{Contents, EntryContents, HeaderStyle, Programs},
    },
    sharcfb::{self, Array, Binary, Macro, Program, Record, Sharcfb, Symbol, raw},
};

fn kind() -> impl Strategy<Value = ShaderKind> {
    prop_oneof![
        Just(ShaderKind::Vertex),
        Just(ShaderKind::Pixel),
        Just(ShaderKind::Geometry),
        Just(ShaderKind::Compute)
    ]
}

fn word() -> impl Strategy<Value = u32> {
    prop_oneof![3 => Just(0), 3 => 0..16_u32, 1 => Just(u32::MAX), 1 => Just(0xFF), 2 => any::<u32>()]
}

fn name() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof!["[a-z_.]{0,9}".prop_map(String::into_bytes), vec(1..=255_u8, 0..9), Just(vec![b'n'; 300])]
}

fn contents(kind: ShaderKind) -> impl Strategy<Value = Contents> {
    let entries = vec((name(), vec(word(), 5)), 0..4);
    (vec(word(), kind.size() / 4), vec(entries, 6)).prop_map(move |(words, lists)| {
        let mut contents = Contents { words, ..Contents::new(kind) };
        for (table, list) in TableKind::ALL.into_iter().zip(lists) {
            if kind.tables().all(|own| own != table) {
                continue;
            }
            let words = table.fields().len() - usize::from(table.is_named());
            let entry = |(name, list): (Vec<u8>, Vec<u32>)| EntryContents {
                name: table.is_named().then_some(name),
                words: list[..words].to_vec(),
            };
            contents.tables[table as usize] = list.into_iter().map(entry).collect();
        }
        contents
    })
}

fn any_contents() -> impl Strategy<Value = Contents> {
    kind().prop_flat_map(contents)
}

/// What a structure says besides what follows from how it is laid out.
fn essence(contents: &Contents) -> (Vec<u32>, [Vec<EntryContents>; 6]) {
    let kept = contents.kind.rows().iter().filter(|row| {
        use unshade_containers::gx2::Member;
        matches!(row.member, Member::Register(_) | Member::Word)
    });
    let words = kept.flat_map(|row| {
        let start = usize::from(row.word);
        contents.words[start..start + usize::from(row.count)].to_vec()
    });
    (words.collect(), contents.tables.clone())
}

fn code() -> impl Strategy<Value = Vec<u8>> {
    vec(any::<[u8; 4]>(), 1..40).prop_map(|words| words.concat())
}

fn opaque() -> impl Strategy<Value = Opaque> {
    prop_oneof![2 => Just(Opaque::default()), 1 => vec(any::<u8>(), 0..20).prop_map(Opaque)]
}

/// A block of which the data is of its kind, or of any.
fn block() -> impl Strategy<Value = Block> {
    let header = (any_contents(), select(HeaderStyle::KNOWN.to_vec())).prop_map(|(contents, style)| Block {
        kind: BlockKind::header(contents.kind),
        data: Opaque(contents.to_header(style).unwrap()),
        ..Block::default()
    });
    let code = (kind(), code()).prop_map(|(kind, code)| Block {
        kind: BlockKind::code(kind),
        data: Opaque(code),
        ..Block::default()
    });
    // Not the end, behind which nothing is read, nor padding, which is fitted.
    let any_kind = prop_oneof![3..16_u32, 100..=u32::MAX];
    let other = (any_kind, vec(any::<u8>(), 0..30)).prop_map(|(kind, data)| Block {
        kind: BlockKind(kind),
        data: Opaque(data),
        ..Block::default()
    });
    let numbers = (word(), word(), word(), word(), opaque());
    (prop_oneof![3 => header, 2 => code, 1 => other], numbers).prop_map(|(block, numbers)| {
        let (major, minor, id, index, header_rest) = numbers;
        Block { major, minor, id, index, header_rest, ..block }
    })
}

fn gfd_file() -> impl Strategy<Value = Gfd> {
    let header = (word(), word(), word(), word(), any::<[u32; 2]>(), opaque());
    (header, vec(block(), 0..5), any::<bool>(), opaque()).prop_map(|(header, mut blocks, end, trailing)| {
        let (major, minor, gpu, align, unknown, header_rest) = header;
        if end {
            blocks.push(Block { kind: BlockKind::END, ..Block::default() });
        }
        // Without an end block what follows must not look like a block.
        let trailing = if end { trailing } else { Opaque::default() };
        Gfd { major, minor, gpu, align, unknown, header_size: None, header_rest, blocks, trailing }
    })
}

fn text() -> impl Strategy<Value = Strings> {
    let extra = prop_oneof![4 => Just(vec![0]), 1 => Just(vec![0, 0, 0]), 1 => Just(vec![])];
    (name(), extra).prop_map(|(name, extra)| Strings([name, extra].concat()))
}

fn array<T: std::fmt::Debug + Clone + 'static>(
    item: impl Strategy<Value = T> + 'static,
) -> impl Strategy<Value = Array<Record<T>>> {
    let wrong = prop_oneof![6 => Just(None), 1 => (20..=u32::MAX).prop_map(Some)];
    // Less than a record's size word.
    let stray = prop_oneof![6 => Just(vec![]), 1 => vec(any::<u8>(), 0..4)];
    (vec(item, 0..3), wrong, stray).prop_map(|(items, count, stray)| Array {
        size: None,
        count,
        items: items.into_iter().map(Record::Known).collect(),
        stray: Opaque(stray),
    })
}

fn macro_of() -> impl Strategy<Value = Macro> {
    let values = vec(name(), 0..4)
        .prop_map(|values| Strings(values.into_iter().flat_map(|value| [value, vec![0]].concat()).collect()));
    let count = prop_oneof![5 => Just(None), 1 => (5..=u32::MAX).prop_map(Some)];
    (text(), values, count, text()).prop_map(|(name, values, count, id)| Macro { name, values, count, id })
}

fn symbol() -> impl Strategy<Value = Symbol> {
    let flags = prop_oneof![3 => vec(0..2_u8, 0..9), 1 => vec(any::<u8>(), 0..9)].prop_map(Opaque);
    let tail = prop_oneof![6 => Just(Opaque::default()), 1 => opaque()];
    let offset = prop_oneof![Just(-1), any::<i32>()];
    (text(), text(), offset, opaque(), flags, tail).prop_map(|(name, id, offset, default, flags, tail)| {
        Symbol { name, id, offset, default, flags, tail }
    })
}

fn program() -> impl Strategy<Value = Program> {
    let arrays = (array(macro_of()), array(macro_of()), array(symbol()), array(symbol()), array(symbol()));
    let head = (text(), prop_oneof![Just(3), Just(7), word()], prop_oneof![Just(0), word()]);
    let tail = prop_oneof![6 => Just(Opaque::default()), 1 => opaque()];
    (head, arrays, array(symbol()), tail).prop_map(|(head, arrays, attributes, tail)| {
        let ((name, stages, base), (macros, defaults, uniforms, blocks, samplers)) = (head, arrays);
        Program {
            name,
            stages,
            base,
            macros,
            defaults,
            uniforms,
            extra: None,
            blocks,
            samplers,
            attributes,
            tail,
        }
    })
}

/// What a binary is made of; its data follows from where it lies.
#[derive(Debug, Clone)]
struct Parts {
    contents: Contents,
    code: Vec<u8>,
    copy: Vec<u8>,
    fill: u8,
    gap: Opaque,
    tail: Opaque,
}

fn parts() -> impl Strategy<Value = Parts> {
    let archived = prop_oneof![Just(ShaderKind::Vertex), Just(ShaderKind::Pixel), Just(ShaderKind::Geometry)];
    let fill = prop_oneof![Just(0), any::<u8>()];
    (archived.prop_flat_map(contents), code(), code(), fill, opaque(), opaque())
        .prop_map(|(contents, code, copy, fill, gap, tail)| Parts { contents, code, copy, fill, gap, tail })
}

fn archive() -> impl Strategy<Value = Sharcfb> {
    let endian = prop_oneof![Just(Endian::Little), Just(Endian::Big)];
    let programs = array(program().prop_map(Box::new));
    (endian, text(), word(), vec(parts(), 0..4), programs, opaque()).prop_map(
        |(endian, name, resolved, parts, programs, trailing)| {
            let mut file = Sharcfb { endian, name, resolved, trailing, ..Sharcfb::default() };
            let mut at = raw::HEADER as u64 + file.name.0.len() as u64 + 8;
            let mut binaries = Array::default();
            for Parts { contents, code, copy, fill, gap, tail } in parts {
                let start = at + raw::BINARY as u64 + gap.len() as u64;
                let programs = Programs { code: &code, copy: &copy, fill };
                let data = Opaque(contents.to_binary(file.form(), programs, start, raw::ALIGNMENT).unwrap());
                at = start + data.len() as u64 + tail.len() as u64;
                let kind = contents.kind as u32;
                binaries.items.push(Record::Known(Binary { kind, gap, data, tail, ..Binary::default() }));
            }
            file.binaries = Some(binaries);
            file.programs = Some(programs);
            file
        },
    )
}

fn holds(container: &Container) {
    let bytes = container.write().unwrap();
    assert!(common::sound(&bytes));
    let json = serde_json::to_string(container).unwrap();
    assert_eq!(&serde_json::from_str::<Container>(&json).unwrap(), container);
    let parts = extract(container).unwrap();
    let back = build(&common::through_a_folder(&parts));
    let back = back.unwrap_or_else(|error| panic!("{error}\n{}", parts.manifest()));
    assert_eq!(&back, container, "{}", parts.manifest());
    let mut random = common::edits::Random(1 + bytes.len() as u64 * 0x9E37_79B9);
    common::edits::undone("generated", &bytes, &mut random, 3, &mut common::edits::Done::default());
    common::edits::survives("generated", &bytes, &mut random, 3);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: None, rng_seed: proptest::test_runner::RngSeed::Fixed(1), ..ProptestConfig::default() })]

    #[test]
    fn headers_are_laid_out_and_taken_apart(contents in any_contents(), names in 1..9_usize, slots in any::<bool>()) {
        let data = contents.to_header(HeaderStyle { names, slots }).unwrap();
        let shader = Shader::new(contents.kind, Form::GFD, &data).unwrap();
        prop_assert_eq!(essence(&Contents::of(&shader).unwrap()), essence(&contents));
        let file = Gfd {
            major: 7,
            gpu: 2,
            blocks: vec![
                Block { kind: BlockKind::header(contents.kind), data: Opaque(data), ..Block::default() },
                Block { kind: BlockKind::END, ..Block::default() },
            ],
            ..Gfd::default()
        };
        // Whatever is in the registers, the layout itself is right.
        for finding in file.check() {
            prop_assert!(!finding.code.starts_with("gfd.") || finding.code == "gfd.code-missing", "{}", finding);
        }
    }

    #[test]
    fn binaries_are_laid_out_and_taken_apart(parts in parts(), start in 0..0x1000_u64, little in any::<bool>(), other in code()) {
        let form = Form::sharcfb(if little { Endian::Little } else { Endian::Big });
        let Parts { contents, code, copy, fill, .. } = parts;
        let data = contents.to_binary(form, Programs { code: &code, copy: &copy, fill }, start, 0x100).unwrap();
        let shader = Shader::new(contents.kind, form, &data).unwrap();
        prop_assert_eq!(essence(&Contents::of(&shader).unwrap()), essence(&contents));
        let latte = shader.latte();
        // Other code, and the first again, gives the same bytes, wherever the copy program went meanwhile.
        let mut changed = data.clone();
        replace_code(contents.kind, form, &mut changed, Which::Main, &other).unwrap();
        let now = Shader::new(contents.kind, form, &changed).unwrap();
        let (at, len) = Which::Main.place(&now).unwrap();
        prop_assert_eq!(&changed[at..at + len], &other[..]);
        prop_assert_eq!(now.latte(), latte);
        if contents.kind == ShaderKind::Geometry {
            let (at, len) = Which::Copy.place(&now).unwrap();
            prop_assert_eq!(&changed[at..at + len], &copy[..]);
        }
        replace_code(contents.kind, form, &mut changed, Which::Main, &code).unwrap();
        prop_assert!(changed == data);
    }

    #[test]
    fn written_gfd_files_read_as_they_were(file in gfd_file()) {
        let bytes = file.write().unwrap();
        let again = gfd::read(&bytes).unwrap();
        prop_assert_eq!(&again, &file);
        holds(&Container::Gfd(again));
    }

    #[test]
    fn padding_is_fitted(code in code(), longer in code(), names in vec(name(), 0..4)) {
        // Header, padding, code: what an aligning writer makes.
        let contents = Contents::new(ShaderKind::Pixel);
        let mut file = Gfd { major: 7, gpu: 2, align: 1, ..Gfd::default() };
        let mut rich = contents.clone();
        rich.tables[TableKind::Samplers as usize] =
            names.into_iter().map(|name| EntryContents { name: Some(name), words: vec![1, 0] }).collect();
        let data = |contents: &Contents| Opaque(contents.to_header(HeaderStyle::default()).unwrap());
        file.blocks = vec![
            Block { kind: BlockKind::header(ShaderKind::Pixel), data: data(&contents), ..Block::default() },
            Block { kind: BlockKind::PADDING, ..Block::default() },
            Block { kind: BlockKind::code(ShaderKind::Pixel), aligned: true, data: Opaque(code), ..Block::default() },
            Block { kind: BlockKind::PADDING, ..Block::default() },
            Block { kind: BlockKind::code(ShaderKind::Pixel), aligned: true, data: Opaque(longer), ..Block::default() },
            Block { kind: BlockKind::END, ..Block::default() },
        ];
        for contents in [&contents, &rich] {
            file.blocks[0].data = data(contents);
            let bytes = file.write().unwrap();
            let again = gfd::read(&bytes).unwrap();
            prop_assert!(again.stages().all(|stage| stage.code.file_offset % 0x100 == 0));
            prop_assert!(again.blocks.iter().zip(&file.blocks).all(|(a, b)| a.aligned == b.aligned));
            prop_assert!(again.check().iter().all(|finding| finding.code != "gfd.alignment"));
            holds(&Container::Gfd(again));
        }
    }

    #[test]
    fn written_archives_read_as_they_were(file in archive()) {
        let bytes = file.write().unwrap();
        let again = sharcfb::read(&bytes).unwrap();
        prop_assert_eq!(&again, &file);
        holds(&Container::Sharcfb(again));
    }

    #[test]
    fn any_words_in_an_archive_are_sound(words in vec(word(), 0..120), little in any::<bool>()) {
        let endian = if little { Endian::Little } else { Endian::Big };
        let head = [0x5348_4142, 8, 0, u32::from(little), 0, 4, 0x0041_0041];
        let bytes: Vec<u8> = head.iter().chain(&words).flat_map(|&word| raw::bytes(word, endian)).collect();
        prop_assert!(common::sound(&bytes));
    }

    #[test]
    fn any_words_in_a_gfd_are_sound(blocks in vec((0..17_u32, vec(word(), 0..90)), 0..4)) {
        let word = |word: u32| word.to_be_bytes();
        let mut bytes: Vec<u8> = [0x4766_7832, 0x20, 7, 1, 2, 0, 0, 0].into_iter().flat_map(word).collect();
        for (kind, words) in blocks {
            let head = [0x424C_4B7B, 0x20, 1, 0, kind, 4 * words.len() as u32, 0, 0];
            bytes.extend(head.into_iter().chain(words).flat_map(word));
        }
        prop_assert!(common::sound(&bytes));
    }
}
