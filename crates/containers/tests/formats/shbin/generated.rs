//! Models that no assembler made: whatever tables they hold, the written file reads as the same model.

use crate::common;
use proptest::{collection::vec, prelude::*};
use unshade_containers::{
    Container, Opaque, Strings, build, extract,
    fields::Record,
    shbin::{
        Code, Constant, ConstantValue, Descriptor, Dvlb, Dvle, Dvlp, Dvoj, Executable, GeometryWord,
        HeaderForm, Label, Layout, Line, Output, Producer, Relocation, Shbin, Uniform, read,
    },
};

fn code(lines: bool) -> impl Strategy<Value = Code> {
    let descriptor = any::<(u32, u32)>().prop_map(|(bits, high)| Descriptor { bits, high });
    let line = any::<(u32, u32)>().prop_map(|(file, line)| Line { file, line });
    let most = if lines { 6 } else { 0 };
    (vec(any::<u32>(), 0..40), vec(descriptor, 0..10), vec(line, 0..=most))
        .prop_map(|(words, descriptors, lines)| Code { words, descriptors, lines })
}

fn strings() -> impl Strategy<Value = Strings> {
    prop_oneof![
        vec("[a-zA-Z0-9_.\\[\\]]{0,12}", 0..8)
            .prop_map(|names| { Strings(names.iter().flat_map(|name| name.bytes().chain([0])).collect()) }),
        vec(prop_oneof![Just(0), any::<u8>()], 0..40).prop_map(Strings),
    ]
}

fn constant() -> impl Strategy<Value = Constant> {
    let value = prop_oneof![
        any::<(bool, [u8; 12])>().prop_map(|(truth, tail)| ConstantValue::Bool { word: truth.into(), tail }),
        any::<(u32, [u8; 12])>().prop_map(|(word, tail)| ConstantValue::Bool { word, tail }),
        any::<[u8; 4]>().prop_map(|xyzw| ConstantValue::Int { xyzw, tail: [0; 12] }),
        any::<[u32; 4]>().prop_map(ConstantValue::Float),
        any::<[u32; 4]>().prop_map(|words| ConstantValue::Float(words.map(|word| word & 0xFF_FFFF))),
        (3..=u16::MAX, any::<[u8; 16]>())
            .prop_map(|(kind, payload)| ConstantValue::Unknown { kind, payload }),
    ];
    (any::<(u8, u8)>(), value).prop_map(|((register, byte_03), value)| Constant { register, byte_03, value })
}

fn executable() -> impl Strategy<Value = Executable> {
    let label = any::<(u16, u16, u32, u32, u8)>().prop_map(|(id, unknown_02, position, size, name)| Label {
        id,
        unknown_02,
        position,
        size,
        name: name.into(),
    });
    let output = any::<(u16, u16, u16, u16)>().prop_map(|(semantic, register, mask, unknown_06)| Output {
        semantic,
        register,
        mask,
        unknown_06,
    });
    let uniform = prop_oneof![any::<u32>(), 0..40_u32].prop_flat_map(|name| {
        any::<(u16, u16)>().prop_map(move |(first, last)| Uniform { name, first, last })
    });
    let tables = (vec(constant(), 0..5), vec(label, 0..4), vec(output, 0..5), vec(uniform, 0..6), strings());
    let fields = any::<(u16, u8, u8, u16, u16, [u8; 4])>();
    (fields, tables).prop_map(|((version, kind, flags, input_mask, output_mask, geometry), tables)| {
        Executable {
            version,
            kind,
            flags,
            input_mask,
            output_mask,
            geometry: GeometryWord::read(&geometry).unwrap(),
            constants: tables.0,
            labels: tables.1,
            outputs: tables.2,
            uniforms: tables.3,
            symbols: tables.4,
        }
    })
}

fn dvle() -> impl Strategy<Value = Dvle> {
    (any::<(u32, u32)>(), executable()).prop_map(|((entry, end), executable)| Dvle { entry, end, executable })
}

/// Bytes behind the file that no alignment can be taken for.
fn trailing() -> impl Strategy<Value = Opaque> {
    vec(1..=255_u8, 0..5).prop_map(Opaque)
}

fn linked() -> impl Strategy<Value = Shbin> {
    let long = (code(true), strings(), prop_oneof![Just(Producer::Picasso), Just(Producer::Official)])
        .prop_map(|(code, names, producer)| (HeaderForm::Long, code, names, producer));
    let short = (code(false), any::<u32>()).prop_map(|(code, word_18)| {
        (HeaderForm::Short { word_18 }, code, Strings::default(), Producer::Nihstro)
    });
    // Without an executable nothing tells a short header from a long one.
    (any::<(u16, u16)>(), prop_oneof![long, short], vec(dvle(), 1..4), trailing()).prop_map(
        |((version, unknown_06), (header, code, file_names, producer), executables, trailing)| {
            let program = Dvlp { header, version, unknown_06, code, file_names };
            Shbin::Linked(Dvlb { program, executables, layout: Layout::Standard(producer), trailing })
        },
    )
}

fn object() -> impl Strategy<Value = Shbin> {
    let relocation = any::<[u32; 3]>().prop_map(|[word, unknown_04, unknown_08]| Relocation {
        word,
        unknown_04,
        unknown_08,
    });
    (executable(), code(true), vec(relocation, 0..6), trailing()).prop_map(
        |(executable, code, relocations, trailing)| {
            let layout = Layout::Standard(Producer::Object);
            Shbin::Object(Dvoj { executable, code, relocations, layout, trailing })
        },
    )
}

fn layout(file: &Shbin) -> Layout {
    match file {
        Shbin::Linked(file) => file.layout.clone(),
        Shbin::Object(file) => file.layout.clone(),
    }
}

fn with_layout(file: &Shbin, layout: Layout) -> Shbin {
    match file.clone() {
        Shbin::Linked(file) => Shbin::Linked(Dvlb { layout, ..file }),
        Shbin::Object(file) => Shbin::Object(Dvoj { layout, ..file }),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: None, rng_seed: proptest::test_runner::RngSeed::Fixed(1), ..ProptestConfig::default() })]

    #[test]
    fn written_models_read_as_they_were(file in prop_oneof![linked(), object()]) {
        let bytes = file.write().unwrap();
        let again = read(&bytes).unwrap();
        // Two producers may lay a file out in the same way; all else is equal.
        prop_assert_eq!(&with_layout(&again, layout(&file)), &file);
        prop_assert_eq!(again.write().unwrap(), bytes.clone());
        prop_assert!(matches!(layout(&again), Layout::Standard(_)));
        prop_assert!(common::sound(&bytes));

        let container = Container::Shbin(again);
        let json = serde_json::to_string(&container).unwrap();
        prop_assert_eq!(&serde_json::from_str::<Container>(&json).unwrap(), &container);
        let parts = extract(&container).unwrap();
        prop_assert_eq!(&build(&parts).unwrap(), &container, "{}", parts.manifest());
    }

    #[test]
    fn edits_are_undone(file in prop_oneof![linked(), object()], seed in 1..u64::MAX) {
        let bytes = file.write().unwrap();
        let mut random = common::edits::Random(seed);
        common::edits::undone("generated", &bytes, &mut random, 4, &mut common::edits::Done::default());
        common::edits::survives("generated", &bytes, &mut random, 4);
    }

    #[test]
    fn gaps_and_order_survive(
        file in prop_oneof![linked(), object()],
        order in any::<prop::sample::Index>(),
        gap in vec(any::<u8>(), 0..9),
    ) {
        // The steps of the producer's own layout, in another order and with something in between.
        let bytes = file.write().unwrap();
        let mut spoiled = bytes.clone();
        spoiled.extend_from_slice(&gap);
        let Shbin::Linked(linked) = read(&spoiled).unwrap() else { return Ok(()) };
        prop_assert_eq!(Shbin::Linked(linked.clone()).write().unwrap(), spoiled);
        let mut items: Vec<_> = (0..linked.executables.len())
            .map(|index| format!("dvle[{index}]").parse().unwrap())
            .collect();
        items.push("dvlp.code".parse().unwrap());
        items.insert(order.index(items.len()), unshade_containers::shbin::Item::Opaque(Opaque(gap)));
        let moved = Shbin::Linked(Dvlb { layout: Layout::Explicit(items), ..linked });
        // Parts that the list leaves out follow at the end.
        let bytes = moved.write().unwrap();
        prop_assert!(common::sound(&bytes));
        let Shbin::Linked(again) = read(&bytes).unwrap() else { panic!("another kind of file") };
        let Shbin::Linked(moved) = moved else { panic!("another kind of file") };
        if again.program.header == moved.program.header {
            prop_assert_eq!(again.program, moved.program);
            prop_assert_eq!(again.executables, moved.executables);
        }
    }

    #[test]
    fn any_bytes_behind_a_magic_are_sound(bytes in vec(prop_oneof![Just(0), 0..=0x40_u8, any::<u8>()], 0..300), object in any::<bool>()) {
        let mut file = if object { b"DVOJ".to_vec() } else { b"DVLB\x01\0\0\0\x34\0\0\0DVLP".to_vec() };
        file.extend_from_slice(&bytes);
        common::sound(&file);
    }
}
