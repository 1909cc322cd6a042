//! Models of any content: written, they read as they were, and JSON and manifest hold them.

use crate::common;
use proptest::{collection::vec, option, prelude::*};
use unshade_containers::{
    Container, Name, Opaque, build, extract,
    fields::Record,
    mbs::{
        Code, FileChunk, Framebuffer, Index, Initial, Instructions, Mbs, Program, ProgramChunk, ProgramKind,
        RawChunk, Stack, Symbol, SymbolChunk, Table, TableEntry, TableKind, Tag, Uniforms, read,
    },
};

/// Tags that nothing here knows, odd characters among them.
fn tag() -> impl Strategy<Value = Tag> {
    prop_oneof![
        Just(Tag(*b"XFUT")),
        Just(Tag(*b"\"\\\n\0")),
        any::<[u8; 3]>().prop_map(|[a, b, c]| Tag([b'!', a, b, c])),
    ]
}

fn opaque() -> impl Strategy<Value = Opaque> {
    vec(any::<u8>(), 0..12).prop_map(Opaque)
}

fn raw() -> impl Strategy<Value = RawChunk> {
    (tag(), opaque()).prop_map(|(tag, bytes)| RawChunk { tag, bytes })
}

/// Less than a header, so that no chunk starts in it.
fn stray() -> impl Strategy<Value = Opaque> {
    prop_oneof![3 => Just(Opaque::default()), 1 => vec(any::<u8>(), 0..8).prop_map(Opaque)]
}

/// A count that is none of a table with at most 8 entries.
fn wrong_count() -> impl Strategy<Value = Option<u32>> {
    prop_oneof![4 => Just(None), 1 => (20..=u32::MAX).prop_map(Some)]
}

fn symbol_chunk() -> impl Strategy<Value = SymbolChunk> {
    let index =
        any::<[u32; 3]>().prop_map(|[itdr, iyuv, igrd]| SymbolChunk::Index(Index { itdr, iyuv, igrd }));
    let initial = (wrong_count(), vec(any::<u32>(), 0..5))
        .prop_map(|(count, words)| SymbolChunk::Initial(Initial { count, words }));
    prop_oneof![index, initial, raw().prop_map(SymbolChunk::Other)]
}

/// A name without NUL, and what may follow on it but is not what a writer puts there.
fn name() -> impl Strategy<Value = (Name, Option<Opaque>)> {
    let name = prop_oneof!["[a-z_.]{0,9}".prop_map(String::into_bytes), vec(1..=255_u8, 0..9)];
    let tail = prop_oneof![
        Just(Opaque::default()),
        vec(any::<u8>(), 0..6).prop_map(|rest| Opaque([vec![0, 1], rest].concat())),
    ];
    (name.prop_map(Name), option::weighted(0.2, tail))
}

fn symbol(kind: TableKind) -> impl Strategy<Value = TableEntry> {
    let attribute = kind == TableKind::Attributes;
    let given = prop_oneof![Just(None), (0..u16::MAX).prop_map(Some), (0..8_u16).prop_map(Some)];
    let small = || prop_oneof![0..10_u16, any::<u16>()];
    let record = (
        (prop_oneof![0..10_u8, any::<u8>()], any::<(u8, u8)>(), prop_oneof![0..4_u8, any::<u8>()]),
        (small(), small(), small(), small()),
        (prop_oneof![Just(0), Just(1), any::<u32>()], given.clone(), given),
    );
    (name(), record, vec(symbol_chunk(), 0..3), stray()).prop_map(
        move |((name, name_tail), record, chunks, stray)| {
            let ((kind, (unknown_0, dst_bits), precision), sizes, (invariant, offset, parent)) = record;
            let (components, component_size, entries, stride) = sizes;
            TableEntry::Symbol(Box::new(Symbol {
                name,
                name_tail,
                unknown_0,
                kind,
                component_count: components,
                component_size,
                entry_count: entries,
                src_stride: stride,
                dst_bits,
                precision,
                invariant: if attribute { invariant & 0xFFFF } else { invariant },
                offset,
                parent: parent.filter(|_| !attribute),
                chunks,
                stray,
            }))
        },
    )
}

fn table(kind: TableKind) -> impl Strategy<Value = Table> {
    let entry = prop_oneof![6 => symbol(kind), 1 => raw().prop_map(TableEntry::Other)];
    (wrong_count(), vec(entry, 0..8), stray()).prop_map(|(count, entries, stray)| Table {
        count,
        entries,
        stray,
    })
}

fn program_chunk() -> impl Strategy<Value = ProgramChunk> {
    prop_oneof![
        any::<(u32, u32)>()
            .prop_map(|(stack_size, stack_offset)| ProgramChunk::Stack(Stack { stack_size, stack_offset })),
        prop_oneof![0..2_u32, any::<u32>()].prop_map(ProgramChunk::Discard),
        any::<[u8; 8]>().prop_map(|bytes| ProgramChunk::Framebuffer(Framebuffer::read(&bytes).unwrap())),
        any::<[u32; 3]>().prop_map(|[unknown_00, instruction_count, attrib_prefetch]| {
            ProgramChunk::Instructions(Instructions { unknown_00, instruction_count, attrib_prefetch })
        }),
        (any::<u32>(), table(TableKind::Uniforms))
            .prop_map(|(space, table)| ProgramChunk::Uniforms(Uniforms { space, table })),
        table(TableKind::Attributes).prop_map(ProgramChunk::Attributes),
        table(TableKind::Varyings).prop_map(ProgramChunk::Varyings),
        (vec(any::<u32>(), 0..9), vec(any::<u8>(), 0..4))
            .prop_map(|(words, stray)| ProgramChunk::Code(Code { words, stray: Opaque(stray) })),
        raw().prop_map(ProgramChunk::Other),
    ]
}

fn file() -> impl Strategy<Value = Mbs> {
    let kind = prop_oneof![Just(ProgramKind::Vertex), Just(ProgramKind::Fragment)];
    let program = (kind, any::<u32>(), vec(program_chunk(), 0..8), stray())
        .prop_map(|(kind, core, chunks, stray)| Program { kind, core, chunks, stray });
    let chunk = prop_oneof![
        4 => program.prop_map(FileChunk::Program),
        1 => raw().prop_map(FileChunk::Other),
    ];
    (vec(chunk, 0..4), stray(), opaque(), option::weighted(0.1, 0x1000_0000..=u32::MAX)).prop_map(
        |(chunks, stray, trailing, size)| {
            // A file that was cut has nothing behind it.
            let trailing = if size.is_some() { Opaque::default() } else { trailing };
            Mbs { size, chunks, stray, trailing }
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, rng_seed: proptest::test_runner::RngSeed::Fixed(1), ..ProptestConfig::default() })]

    #[test]
    fn written_models_read_as_they_were(file in file()) {
        let bytes = file.write().unwrap();
        prop_assert_eq!(file.len(), bytes.len() as u64);
        let again = read(&bytes).unwrap();
        prop_assert_eq!(&again, &file);
        prop_assert!(common::sound(&bytes));

        let container = Container::Mbs(again);
        let json = serde_json::to_string(&container).unwrap();
        prop_assert_eq!(&serde_json::from_str::<Container>(&json).unwrap(), &container);
        let parts = extract(&container).unwrap();
        let back = build(&common::through_a_folder(&parts)).unwrap();
        prop_assert_eq!(&back, &container, "{}", parts.manifest());
        let mut random = common::edits::Random(1 + bytes.len() as u64 * 0x9E37_79B9);
        common::edits::undone("generated", &bytes, &mut random, 3, &mut common::edits::Done::default());
        common::edits::survives("generated", &bytes, &mut random, 3);
    }

    #[test]
    fn any_bytes_in_a_file_are_sound(chunks in vec((0..24_usize, vec(prop_oneof![Just(0), any::<u8>()], 0..60)), 0..6), nested in any::<bool>()) {
        const TAGS: [&[u8; 4]; 24] = [
            b"CFRA", b"CVER", b"FSTA", b"FDIS", b"FBUU", b"FINS", b"SUNI", b"SATT", b"SVAR", b"DBIN", b"VUNI", b"VATT",
            b"VVAR", b"STRI", b"VIDX", b"ITDR", b"IYUV", b"IGRD", b"VINI", b"MBS1", b"XFUT", b"\0\0\0\0", b"CVER", b"SUNI",
        ];
        let mut contents = Vec::new();
        for (tag, bytes) in chunks {
            contents.extend(TAGS[tag]);
            contents.extend((bytes.len() as u32).to_le_bytes());
            contents.extend(bytes);
        }
        if nested {
            contents = [b"CVER".as_slice(), &(contents.len() as u32 + 4).to_le_bytes(), &6_u32.to_le_bytes(), &contents].concat();
        }
        let file = [b"MBS1".as_slice(), &(contents.len() as u32).to_le_bytes(), &contents].concat();
        prop_assert!(common::sound(&file));
    }
}
