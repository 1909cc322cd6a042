//! Whole stages, variations and programs of the Switch's formats: taken, put, added, removed. After every step the file
//! reads back equal, has no finding that it had not before, an owner for every byte, and a relocation table that lists
//! exactly its pointers; and what is undone is undone to the byte.
#![allow(clippy::indexing_slicing)]

mod bfsha;
mod bnsh;
mod cafe;
mod flat;
mod hostile;

use super::bench::{Bench, first_difference};
use std::collections::BTreeSet;
use unshade_containers::switch::{Image, Object};
use unshade_containers::{Container, bfsha as archive};
use unshade_stage::StageId;

/// What is found in a file, by code; the names of paths hold numbers that edits change.
fn findings(file: &Container) -> BTreeSet<String> {
    file.check().into_iter().map(|found| found.code.into_owned()).collect()
}

/// What holds for every edited file. Returns its bytes.
fn sound(name: &str, before: &Container, after: &Container) -> Vec<u8> {
    let bytes = after.write().unwrap_or_else(|error| panic!("{name}: {error}"));
    let back = Container::read(&bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
    assert!(back == *after, "{name}: reads back differently");
    let known = findings(before);
    let new: Vec<_> = back.check().into_iter().filter(|found| !known.contains(&*found.code)).collect();
    assert!(new.is_empty(), "{name}: {new:?}");
    let coverage = back.coverage();
    assert_eq!(coverage.len, bytes.len() as u64, "{name}");
    assert_eq!(coverage.unowned().next(), None, "{name}");
    match &back {
        Container::Bnsh(file) => relocated(name, &file.image),
        Container::Bfsha(file) if !file.is_wiiu() => {
            relocated(name, &file.image);
            for object in file.image.objects.values() {
                if let archive::Object::Bnsh(inner) = object {
                    relocated(name, &inner.image);
                }
            }
        }
        _ => {}
    }
    bytes
}

/// The relocation table lists every pointer once, in the section of its target, and nothing else, but for words of
/// records that nobody knows.
fn relocated<O: Object>(name: &str, image: &Image<O>) {
    let (_, table) = image.relocation().unwrap_or_else(|| panic!("{name}: no relocation table"));
    let mut listed = std::collections::BTreeMap::new();
    for (index, section) in table.sections.iter().enumerate() {
        for slot in table.of(section).iter().flat_map(|entry| entry.slots()) {
            assert_eq!(listed.insert(slot, index), None, "{name}: {slot:#x} is listed twice");
        }
    }
    for (slot, field, target) in image.slots().unwrap() {
        let section = listed.remove(&slot);
        let section = section.unwrap_or_else(|| panic!("{name}: {} at {slot:#x} is not listed", field.name));
        assert!(table.sections[section].contains(target.0), "{name}: {} at {slot:#x}", field.name);
    }
    for slot in listed.keys() {
        let (_, object) = image.objects.range(..=slot).next_back().unwrap();
        assert!(object.is_raw(), "{name}: {slot:#x} is listed and no pointer");
    }
}

fn ids(file: &Container) -> Vec<StageId> {
    file.stages().map(|stage| stage.id).collect()
}

/// What a stage is for an instruction set, without where it stands.
fn meaning(file: &Container, id: &StageId) -> String {
    let mut stage = file.stage(id).unwrap_or_else(|| panic!("no stage {id}")).into_owned();
    stage.code.file_offset = 0;
    stage.id = StageId(String::new());
    format!("{stage:?}")
}

/// Numbers that look random and are always the same (xorshift).
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % limit.max(1)
    }
}
