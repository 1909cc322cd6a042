//! A thousand archives of each version, every field by chance: as their writer describes them, identical on rewrite and out of
//! a folder, every byte owned, no error found; and cut, flipped and lying ones.

use super::{describe::describe, writer};
use crate::common;
use serde_json::Value;
use unshade_bytes::Severity;
use unshade_containers::{Container, build, extract};

/// Archives of each version.
const COUNT: u64 = 1000;

fn comes_back(shown: &str, bytes: &[u8], told: &Value, sound: bool) {
    let container = Container::read(bytes).unwrap_or_else(|error| panic!("{shown}: {error}"));
    assert!(container.write().unwrap() == bytes, "{shown}: another file");
    assert_eq!(describe(&container, bytes), *told, "{shown}");
    assert_eq!(container.coverage().unowned().next(), None, "{shown}");
    let parts = common::through_a_folder(&extract(&container).unwrap());
    let again = build(&parts).unwrap_or_else(|error| panic!("{shown}: {error}\n{}", parts.manifest()));
    assert!(again == container, "{shown}: another model from the folder:\n{}", parts.manifest());
    let error = container.check().into_iter().find(|finding| finding.severity == Severity::Error);
    assert!(!sound || error.is_none(), "{shown}: {error:?}");
    for stage in container.stages() {
        assert!(container.stage(&stage.id).is_some(), "{shown}: {}", stage.id);
    }
}

#[test]
fn archives_of_sources_come_back() {
    for version in 10..=13 {
        for seed in 0..COUNT {
            let (bytes, told) = writer::sources(version, seed);
            comes_back(&format!("version {version}, {seed}"), &bytes, &told, true);
        }
    }
}

#[test]
fn archives_of_the_wii_u_come_back() {
    for version in 8..=9 {
        for seed in 0..COUNT {
            let (bytes, told) = writer::cafe(version, seed);
            // Their binaries are of no known type.
            comes_back(&format!("version {version}, {seed}"), &bytes, &told, false);
        }
    }
}

#[test]
fn archives_of_the_switch_come_back() {
    for seed in 0..COUNT {
        let (bytes, told) = writer::switch(seed);
        comes_back(&format!("switch {seed}"), &bytes, &told, false);
        let container = Container::read(&bytes).unwrap();
        let error = container
            .check()
            .into_iter()
            .find(|finding| finding.severity == Severity::Error && finding.code.starts_with("sharcfb-nx."));
        assert_eq!(error, None, "switch {seed}");
    }
}

/// One archive of each version, not the smallest.
fn some() -> Vec<Vec<u8>> {
    let mut all: Vec<Vec<u8>> =
        (10..=13).map(|version| largest(|seed| writer::sources(version, seed).0)).collect();
    all.push(largest(|seed| writer::cafe(9, seed).0));
    all.push(largest(|seed| writer::switch(seed).0));
    all
}

fn largest(made: impl Fn(u64) -> Vec<u8>) -> Vec<u8> {
    (0..12).map(made).max_by_key(Vec::len).unwrap()
}

#[test]
fn cut_and_flipped_archives_are_refused_or_kept() {
    for bytes in some() {
        let step = bytes.len() / 400 + 1;
        for len in (0..bytes.len()).step_by(step).chain([bytes.len()]) {
            common::sound(&bytes[..len]);
        }
        let mut changed = bytes.clone();
        let step = bytes.len() / 600 + 1;
        for at in (0..bytes.len()).step_by(step).chain(0..0x40) {
            for bit in [0, 3, 7] {
                changed[at] ^= 1 << bit;
                common::sound(&changed);
                changed[at] ^= 1 << bit;
            }
        }
    }
}

#[test]
fn every_word_may_lie() {
    for bytes in some() {
        let big = bytes[0] == b'S';
        let mut changed = bytes.clone();
        let step = (bytes.len() / 400 + 1) * 4;
        for at in (0..bytes.len() - 3).step_by(4).filter(|at| *at < 0x200 || at % step == 0) {
            let old: [u8; 4] = bytes[at..at + 4].try_into().unwrap();
            for word in [0, 1, 0x7FFF_FFFF, 0x8000_0000, u32::MAX, bytes.len() as u32, at as u32] {
                let new = if big { word.to_be_bytes() } else { word.to_le_bytes() };
                changed[at..at + 4].copy_from_slice(&new);
                common::sound(&changed);
            }
            changed[at..at + 4].copy_from_slice(&old);
        }
    }
}

#[test]
fn other_versions_are_walked_where_every_size_adds_up() {
    for bytes in some() {
        let big = bytes[0] == b'S';
        let version = |number: u32| if big { number.to_be_bytes() } else { number.to_le_bytes() };
        let mut other = bytes.clone();
        // The nearest known version decides how it is walked; that of sources of version 13 is the last one.
        let last = [8_u32, 9, 13].into_iter().find(|known| other[4..8] == version(*known)).is_some();
        let number = if last { 77 } else { 3 };
        if !last && other[4..8] != version(10) {
            continue;
        }
        other[4..8].copy_from_slice(&version(number));
        let container = Container::read(&other).unwrap_or_else(|error| panic!("{error}"));
        let told = container.check().into_iter().find(|finding| finding.code.ends_with(".version"));
        assert_eq!(told.map(|finding| finding.severity), Some(Severity::Warning));
        assert!(container.write().unwrap() == other);
        other.truncate(other.len() - 1);
        let error = Container::read(&other).unwrap_err();
        assert!(error.code.ends_with(".version") && error.to_string().contains("version"), "{error}");
    }
}
