//! The flat files of the Switch, a thousand of each with every field at random: DKSH, raw pairs, code sections by
//! themselves. They come back from the model, from the extracted folder, and from their coverage nothing is missing.
#![allow(clippy::indexing_slicing)]
#![allow(clippy::arithmetic_side_effects)]

use crate::common;
use proptest::{collection::vec, prelude::*};
use unshade_containers::{Container, Format, build, extract};

/// Magic numbers of a control and of a code section.
const CONTROL: u32 = 0x9876_1234;
const CODE: u32 = 0x1234_5678;
/// Bytes of the shortest control section, and where it says how long its code section is.
const CONTROL_LEN: usize = 0x7C8;
const CODE_SIZE: usize = 0x704;
/// Where it says how long it is.
const CONTROL_SIZE: usize = 0x6F0;

fn words(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

fn bytes(most: usize) -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![Just(Vec::new()), vec(any::<u8>(), 0..most), (0..most).prop_map(|len| vec![0; len])]
}

fn dksh() -> impl Strategy<Value = Vec<u8>> {
    let programs =
        vec(vec(prop_oneof![0_u32..8, any::<u32>(), (0_u32..16).prop_map(|n| n * 0x30)], 16), 0..5);
    (any::<u32>(), bytes(40), programs, bytes(200), bytes(600), bytes(40)).prop_map(
        |(header_size, before, programs, behind, code, trailing)| {
            let at = 0x18 + before.len();
            let control = at + 64 * programs.len() + behind.len();
            let numbers = [header_size, control as u32, code.len() as u32, at as u32, programs.len() as u32];
            let head = [b"DKSH".to_vec(), words(&numbers), before].concat();
            let programs = programs.iter().flat_map(|program| words(program)).collect();
            [head, programs, behind, code, trailing].concat()
        },
    )
}

/// A control section for code of that many bytes, with some other words set.
fn control(code: usize, others: &[(usize, u32)]) -> Vec<u8> {
    let mut control = vec![0; CONTROL_LEN];
    let mut set = |at: usize, word: u32| control[at..at + 4].copy_from_slice(&word.to_le_bytes());
    others.iter().for_each(|&(at, word)| set(0x700 + at % 0xC0 / 4 * 4, word));
    set(0, CONTROL);
    set(CONTROL_SIZE, CONTROL_LEN as u32);
    set(CODE_SIZE, code as u32);
    control
}

fn pair() -> impl Strategy<Value = Vec<u8>> {
    let others = vec((0_usize..0xC0, any::<u32>()), 0..12);
    let gaps = vec(bytes(48), 5);
    (others.clone(), others, bytes(300), bytes(300), gaps, any::<bool>()).prop_map(
        |(first, second, a, b, gaps, turned)| {
            let code = |rest: Vec<u8>| [words(&[CODE]), rest].concat();
            let (a, b) = (code(a), code(b));
            let mut sections =
                vec![(0, control(a.len(), &first)), (2, a), (1, control(b.len(), &second)), (3, b)];
            if turned {
                sections.swap(0, 3);
            }
            let (mut offsets, mut body) = ([0_u32; 4], gaps[0].clone());
            for ((index, section), gap) in sections.into_iter().zip(&gaps[1..]) {
                offsets[index] = (16 + body.len()) as u32;
                body.extend(section);
                body.extend(gap);
            }
            [words(&offsets), body].concat()
        },
    )
}

fn code() -> impl Strategy<Value = Vec<u8>> {
    (bytes(700), any::<u8>())
        .prop_map(|(rest, last)| [words(&[CODE]), vec![0; 0x2C], rest, vec![last]].concat())
}

fn comes_back(format: Format, bytes: &[u8]) {
    let container = Container::read(bytes).unwrap_or_else(|error| panic!("{}: {error}", format.name()));
    assert_eq!(container.format(), format);
    assert!(container.write().unwrap() == bytes, "another file");
    assert_eq!(container.coverage().unowned().next(), None);
    container.check();
    let parts = common::through_a_folder(&extract(&container).unwrap());
    assert!(build(&parts).unwrap() == container, "another model from the folder");
    for stage in container.stages() {
        assert!(container.stage(&stage.id).is_some());
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn dksh_files_come_back(bytes in dksh()) {
        comes_back(Format::Dksh, &bytes);
    }

    #[test]
    fn raw_pairs_come_back(bytes in pair()) {
        comes_back(Format::Nvn, &bytes);
    }

    #[test]
    fn code_sections_come_back(bytes in code()) {
        comes_back(Format::NvnCode, &bytes);
    }
}
