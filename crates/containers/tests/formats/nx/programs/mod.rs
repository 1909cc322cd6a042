//! Whole stages, variations and programs of the Switch's formats: taken, put, added, removed. After every step the file
//! reads back equal, has no finding that it had not before, an owner for every byte, and a relocation table that lists
//! exactly its pointers; and what is undone is undone to the byte.
#![allow(clippy::indexing_slicing)]

mod bfsha;
mod bnsh;
mod cafe;
mod flat;
mod hostile;

use super::generator::describe;
use crate::common;
use serde_json::Value;
use std::collections::BTreeSet;
use std::process::Command;
use unshade_containers::nx::{Image, Object};
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
        Container::Bfsha(file) if !file.is_cafe() => {
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

/// Where two files differ first.
fn difference(a: &[u8], b: &[u8]) -> Option<String> {
    let at = a.iter().zip(b).position(|(a, b)| a != b);
    let same = at.is_none() && a.len() == b.len();
    (!same).then(|| format!("{at:x?} in {:#x} and {:#x} bytes", a.len(), b.len()))
}

/// Edited files for the independent reader, which knows nothing of this project.
struct Bench {
    name: &'static str,
    made: Vec<(String, Vec<u8>)>,
}

impl Bench {
    fn new(name: &'static str) -> Self {
        Self { name, made: Vec::new() }
    }

    fn keep(&mut self, name: String, bytes: Vec<u8>) {
        self.made.push((name, bytes));
    }

    /// Has it read everything, and compares in every field.
    fn compare(self) {
        let Some(tool) = common::shared("tools/make_bfsha.py") else { return };
        let folder = std::env::temp_dir().join(format!("unshade-{}-{}", self.name, std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        for (index, (_, bytes)) in self.made.iter().enumerate() {
            std::fs::write(folder.join(format!("{index}.bin")), bytes).unwrap();
        }
        let driver = concat!(
            include_str!("../generator/generator.py"),
            "import json\n\
            tools = [little(sys.argv[1]), big(sys.argv[1])]\n\
            for i in range(int(sys.argv[3])):\n\
            \x20   data = open('%s/%d.bin' % (sys.argv[2], i), 'rb').read()\n\
            \x20   is_big = data[12:14] == b'\\xfe\\xff' and data[4:5] in b'\\0 '\n\
            \x20   print(json.dumps(tools[is_big].read_any(data)))\n",
        );
        let count = self.made.len().to_string();
        let mut python = Command::new("python3");
        let output = python.args(["-c", driver]).arg(&tool).arg(&folder).arg(count).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let text = String::from_utf8(output.stdout).unwrap();
        assert_eq!(text.lines().count(), self.made.len());
        for ((name, bytes), line) in self.made.iter().zip(text.lines()) {
            let expected: Value = serde_json::from_str(line).unwrap();
            let found = match Container::read(bytes).unwrap() {
                Container::Bnsh(file) => describe::bnsh(&file, bytes.len() as u64),
                Container::Bfsha(file) if file.is_cafe() => describe::cafe(&file),
                Container::Bfsha(file) => describe::bfsha(&file, bytes.len() as u64),
                other => panic!("{}", other.describe()),
            };
            assert!(expected == found, "{name}: the independent reader says otherwise");
        }
        println!("{} edited files read the same by the independent reader", self.made.len());
        std::fs::remove_dir_all(folder).unwrap();
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
