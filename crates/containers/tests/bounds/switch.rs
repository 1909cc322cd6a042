//! Switch files that mean harm, or met with some: each is refused clearly or understood soundly, quickly, and
//! without taking more memory than its size allows.
#![allow(clippy::indexing_slicing)]

use crate::common;
use crate::cost;
use crate::cost::{Worst, cost};
use unshade_containers::{Container, bfsha, bnsh, build, extract};

const KIB: usize = 1 << 10;
const MIB: usize = 1 << 20;

fn sample(name: &str) -> Vec<u8> {
    std::fs::read(format!("{}/../../samples/{name}", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

const SAMPLES: [&str; 6] = [
    "source.bnsh",
    "two_stages.bnsh",
    "options_v5.bfsha",
    "options.bfsha",
    "wiiu.bfsha",
    "texture.frag.dksh",
];

/// The samples, and two of them in the other order of bytes.
fn samples() -> Vec<(String, Vec<u8>)> {
    let mut files: Vec<_> = SAMPLES.map(|name| (name.to_owned(), sample(name))).to_vec();
    let mut turned = bnsh::read(&sample("source.bnsh")).unwrap();
    turned.image.form.big_endian = true;
    files.push(("source.bnsh, big endian".to_owned(), turned.write().unwrap()));
    let mut turned = bfsha::read(&sample("options_v5.bfsha")).unwrap();
    turned.image.form.big_endian = true;
    for object in turned.image.objects.values_mut() {
        if let bfsha::Object::Bnsh(inner) = object {
            inner.image.form.big_endian = true;
        }
    }
    files.push(("options_v5.bfsha, big endian".to_owned(), turned.write().unwrap()));
    files
}

/// `UNSHADE_SWEEP=all` looks at every place; otherwise at one of so many.
fn step(usual: usize) -> usize {
    if std::env::var("UNSHADE_SWEEP").is_ok_and(|value| value == "all") { 1 } else { usual }
}

/// What must hold for any bytes, and that the manifest and JSON hold all of them.
fn sound(bytes: &[u8], whole: bool) -> bool {
    let container = match Container::read(bytes) {
        Ok(container) => container,
        Err(error) => {
            assert!(!error.diagnostic_code().starts_with("bytes."), "{error:?} has no code of its own");
            return false;
        }
    };
    assert!(container.write().expect("what was read can be written") == bytes, "written differently");
    if whole {
        let coverage = container.coverage();
        assert_eq!(coverage.unowned().next(), None);
        for diagnostic in container.check() {
            assert!(!diagnostic.message.is_empty() && diagnostic.code.contains('.'), "{diagnostic}");
        }
        let _ = container.stages().count();
        let parts = extract(&container).unwrap();
        let back = build(&parts).unwrap_or_else(|error| panic!("{error}\n{}", parts.manifest()));
        assert!(back == container, "{}", parts.manifest());
    }
    true
}

#[test]
fn files_cut_at_every_length() {
    let _alone = cost::alone();
    for (name, bytes) in samples() {
        for len in 0..bytes.len() {
            assert!(!sound(&bytes[..len], false), "{name} cut to {len}");
        }
        assert!(sound(&bytes, true), "{name}");
    }
}

/// The same where the header says the shorter length, so that what is missing is met on the way.
#[test]
fn files_that_end_where_their_header_says() {
    let _alone = cost::alone();
    for (name, bytes) in samples().into_iter().filter(|(name, _)| !name.ends_with("dksh")) {
        let (mut read, mut tried) = (0, 0);
        let relative = name.starts_with("wiiu");
        let big = relative || name.contains("big");
        let at = if relative { 0xC } else { 0x1C };
        for len in (at + 4..bytes.len()).step_by(step(3)) {
            let mut short = bytes[..len].to_vec();
            let size = if big { (len as u32).to_be_bytes() } else { (len as u32).to_le_bytes() };
            short[at..at + 4].copy_from_slice(&size);
            tried += 1;
            read += usize::from(sound(&short, len % 31 == 0));
        }
        println!("{name}: {read} of {tried} lengths can be read");
        assert!(read < tried / 4, "{name}: {read} of {tried}");
    }
}

#[test]
fn every_single_bit_flipped() {
    let _alone = cost::alone();
    for (name, bytes) in samples() {
        let mut damaged = bytes.clone();
        let (mut read, mut tried) = (0, 0);
        for at in 0..bytes.len() {
            // Code and padding are nothing but bytes: there every 61st is enough.
            let dense =
                at < 0x100 || bytes[at] != 0 || bytes[at.saturating_sub(8)..at].iter().any(|&b| b != 0);
            if at % 61 != 0 && !(dense && at % step(13) == 0) {
                continue;
            }
            for bit in 0..8 {
                damaged[at] ^= 1 << bit;
                tried += 1;
                read += usize::from(sound(&damaged, (at + bit) % 7 == 0));
                damaged[at] ^= 1 << bit;
            }
        }
        println!("{name}: {read} of {tried} flips can be read");
        assert!(read > 0 && read < tried);
    }
}

/// A copy of a sample in `len` bytes, whose size its header says, with words changed.
fn grown(name: &str, len: usize, changes: &[(usize, &[u8])]) -> Vec<u8> {
    let mut bytes = sample(name);
    bytes.resize(len.max(bytes.len()), 0);
    let size = (bytes.len() as u32).to_le_bytes();
    bytes[0x1C..0x20].copy_from_slice(&size);
    for (at, value) in changes {
        bytes[*at..*at + value.len()].copy_from_slice(value);
    }
    bytes
}

fn long(value: u64) -> [u8; 8] {
    value.to_le_bytes()
}

/// As many copies of a sample's shading model, changed, as there is room for in `len` bytes; and how many.
fn models(len: usize, change: &dyn Fn(&mut [u8])) -> (Vec<u8>, usize) {
    let mut file = grown("options.bfsha", len, &[]);
    let archive = 0x38;
    let first = u64::from_le_bytes(file[archive + 0x10..archive + 0x18].try_into().unwrap()) as usize;
    let mut model = file[first..first + 0x100].to_vec();
    change(&mut model);
    let count = ((len - 0x10000).max(0x1000) / 0x200).min(60000);
    let start = len - count * 0x100;
    file[archive + 0x10..archive + 0x18].copy_from_slice(&long(start as u64));
    file[archive + 0x40..archive + 0x42].copy_from_slice(&(count as u16).to_le_bytes());
    for place in file[start..].chunks_exact_mut(0x100) {
        place.copy_from_slice(&model);
    }
    (file, count)
}

/// Files of up to 1 MiB that ask for more than they hold.
fn hostile() -> Vec<(String, Vec<u8>)> {
    let mut files = Vec::new();
    let mut add = |name: String, bytes: Vec<u8>| files.push((name, bytes));
    let word = |value: u32| value.to_le_bytes();
    for len in [64 * KIB, MIB] {
        for count in [0x1000_u32, 0x4000, 0x1_0000, u32::MAX] {
            let variations: [(usize, &[u8]); 2] = [(0x7C, &word(count)), (0x80, &long(0x4000))];
            add(
                format!("{count} empty variations in {len} bytes"),
                grown("two_stages.bnsh", len, &variations),
            );
            let loops: [(usize, &[u8]); 2] = [(0x7C, &word(count)), (0x80, &long(0xC0))];
            add(
                format!("{count} variations over everything in {len}"),
                grown("two_stages.bnsh", len, &loops),
            );
        }
        // Every variation leads to one program.
        let mut file = grown(
            "two_stages.bnsh",
            len,
            &[(0x7C, &word(((len - 0x8000) / 0x40) as u32)), (0x80, &long(0x8000))],
        );
        let program = file[0xD0..0xD8].to_vec();
        for at in (0x8000..len).step_by(0x40) {
            for field in [0, 8, 16] {
                file[at + field..at + field + 8].copy_from_slice(&program);
            }
        }
        add(format!("one program for all variations in {len}"), file.clone());
        // Every variation leads to a program of its own that is the rest of the file.
        for at in (0x8000..len).step_by(0x40) {
            file[at + 16..at + 24].copy_from_slice(&long(at as u64 + 0x20));
        }
        add(format!("programs over variations in {len}"), file);
        // A relocation table that lists everything many times.
        let mut file = grown("two_stages.bnsh", len, &[]);
        let table = len - 32 * KIB;
        file[0x18..0x1C].copy_from_slice(&word(table as u32));
        file[table..table + 4].copy_from_slice(b"_RLT");
        file[table + 4..table + 8].copy_from_slice(&word(table as u32));
        file[table + 8..table + 12].copy_from_slice(&word(1));
        file[table + 24..table + 28].copy_from_slice(&word(0));
        file[table + 28..table + 32].copy_from_slice(&word(len as u32));
        let entries = (32 * KIB - 40) / 8;
        file[table + 36..table + 40].copy_from_slice(&word(entries as u32));
        for entry in 0..entries {
            let at = table + 40 + 8 * entry;
            file[at..at + 4].copy_from_slice(&word(0xC0));
            file[at + 4..at + 8].copy_from_slice(&[0xFF, 0xFF, 0xFF, 0]);
        }
        add(format!("a relocation table of {entries} full entries in {len}"), file.clone());
        for entry in 0..entries {
            let at = table + 40 + 8 * entry;
            file[at..at + 4].copy_from_slice(&word((0x4000 + 8 * entry) as u32));
            file[at + 4..at + 8].copy_from_slice(&[4, 0, 8, 0]);
        }
        add(format!("a relocation table of overlapping entries in {len}"), file);
        // As many texts as can be said, all at one place, each longer than the one before.
        let known = bnsh::read(&sample("source.bnsh")).unwrap();
        let array = known.image.objects.iter().find_map(|(at, object)| match object {
            bnsh::Object::SourceArray(_) => Some(*at as usize),
            _ => None,
        });
        let at = array.unwrap();
        for growth in [0, 1] {
            let mut file = grown("source.bnsh", len, &[]);
            let count = ((len - 0x2000) / 16).min(0xFFFF);
            file[at..at + 2].copy_from_slice(&(count as u16).to_le_bytes());
            file[at + 8..at + 16].copy_from_slice(&long(0x1000));
            file[at + 16..at + 24].copy_from_slice(&long(0x1000 + 4 * count as u64));
            let text = 0x1000 + 12 * count;
            for index in 0..count {
                let size = 0x40 + growth * index.min(count / 2);
                file[0x1000 + 4 * index..][..4].copy_from_slice(&word(size as u32));
                file[0x1000 + 4 * count + 8 * index..][..8].copy_from_slice(&long(text as u64));
            }
            add(format!("{count} pointers to one text, {growth} longer each, in {len}"), file);
        }
        // Models that all have one big table of variables.
        for field in [0x68_usize, 0x58, 0x88, 0x90] {
            let (file, count) = models(len, &|model| {
                model[field..field + 8].copy_from_slice(&long(0x6000));
                model[0xD8..0xE0].copy_from_slice(&[0xFF; 8]);
            });
            add(format!("{count} models with one table at {field:#x} in {len}"), file);
        }
        // Models with as many programs as a count can say, and no place for them; and all with one table of keys.
        for keys in [false, true] {
            let (file, count) = models(len, &|model| {
                let known = bfsha::read(&sample("options.bfsha")).unwrap();
                let record = known.model(0).unwrap();
                for at in (0..0x100).step_by(8) {
                    let place = u64::from_le_bytes(model[at..at + 8].try_into().unwrap());
                    if place == record.programs.0 && (!keys || at % 16 == 8) {
                        model[at..at + 8].fill(0);
                    }
                    if place == record.keys.0 && keys {
                        model[at..at + 8].copy_from_slice(&long(0x6000));
                    }
                }
                let count = record.program_count.to_le_bytes();
                for at in (0xA0..0x100).step_by(2) {
                    if model[at..at + 2] == count {
                        model[at..at + 2].fill(0xFF);
                    }
                }
            });
            add(format!("{count} models of 65535 programs nowhere, keys: {keys}, in {len}"), file);
        }
        // A dictionary that is a circle, and one of many nodes with one key.
        let file = sample("two_stages.bnsh");
        let at = file.windows(4).position(|window| window == b"_DIC").unwrap();
        let mut circle = grown("two_stages.bnsh", len, &[]);
        let nodes = u32::from_le_bytes(circle[at + 4..at + 8].try_into().unwrap()) as usize;
        for node in 0..=nodes {
            let place = at + 8 + 16 * node;
            circle[place..place + 8].copy_from_slice(&[node as u8, 0, 0, 0, 1, 0, 1, 0]);
        }
        add(format!("a dictionary that is a circle in {len}"), circle);
        let mut wide = grown("two_stages.bnsh", len, &[]);
        let start = 0x8000;
        let count = (len - start - 64) / 16 - 1;
        wide[start..start + 4].copy_from_slice(b"_DIC");
        wide[start + 4..start + 8].copy_from_slice(&word(count as u32));
        let key = u64::from_le_bytes(file[at + 8 + 16 + 8..at + 8 + 32].try_into().unwrap());
        for node in 0..=count {
            let place = start + 8 + 16 * node;
            wide[place..place + 4].copy_from_slice(&word(node as u32));
            let next = ((node + 1) % 65536) as u16;
            wide[place + 4..place + 6].copy_from_slice(&next.to_le_bytes());
            wide[place + 6..place + 8].copy_from_slice(&next.to_le_bytes());
            wide[place + 8..place + 16].copy_from_slice(&long(key));
        }
        let old = long(at as u64);
        for place in (0xC0..0x8000 - 8).step_by(8) {
            if wide[place..place + 8] == old {
                wide[place..place + 8].copy_from_slice(&long(start as u64));
            }
        }
        add(format!("a dictionary of {count} nodes with one key in {len}"), wide);
        // Counts of 2^32 in every place of a count: each word of the file at once, and one after the other.
        for name in ["two_stages.bnsh", "options.bfsha"] {
            let file = grown(name, len, &[]);
            for at in (0x60..sample(name).len()).step_by(if name.starts_with("two") { 388 } else { 596 }) {
                let mut file = file.clone();
                file[at & !3..][..4].fill(0xFF);
                add(format!("{name} with ff ff ff ff at {:#x} in {len}", at & !3), file);
            }
        }
        for byte in [0_u8, 1, 0x40, 0xFF] {
            for name in ["two_stages.bnsh", "options.bfsha"] {
                let mut file = sample(name);
                let front = file.len().min(0x100);
                file.truncate(front);
                file.resize(len, byte);
                file[0x1C..0x20].copy_from_slice(&word(len as u32));
                add(format!("{name} and then {byte:#04x} in {len}"), file);
            }
        }
    }
    files
}

#[test]
fn hostile_files_cost_no_more_than_their_size() {
    let _alone = cost::alone();
    let mut refused = 0;
    let mut worst = Worst::default();
    let files = hostile();
    assert!(files.len() >= 50, "{}", files.len());
    for (name, bytes) in &files {
        match worst.read(name, bytes) {
            Ok(container) => {
                assert!(worst.quick(name, || container.write()).unwrap() == *bytes, "{name}");
                worst.ask(name, bytes.len(), || {
                    let _ = container.check();
                    let _ = container.coverage();
                    let _ = container.describe();
                    container.stages().count();
                });
            }
            Err(error) => {
                assert!(!error.to_string().is_empty());
                refused += 1;
            }
        }
    }
    println!("{refused} are refused; {}", worst.report());
}

#[test]
fn reading_stays_within_its_memory() {
    let _alone = cost::alone();
    let mut files = common::nx("bnsh");
    files.extend(common::nx("bfsha"));
    let mut worst = Worst::default();
    for (path, bytes) in files {
        drop(worst.read(&path, &bytes).unwrap());
        // Opening without reading takes next to nothing.
        let (models, taken) = cost(|| {
            if bytes.starts_with(b"BNSH") {
                bnsh::index::Index::open(&bytes).unwrap().variation_count() as usize
            } else {
                bfsha::index::Index::open(&bytes).unwrap().models.len()
            }
        });
        assert!(taken.heap <= 4 * KIB + 512 * models, "{path}: {} to open {models}", taken.heap);
    }
    println!("{}", worst.report());
}

#[test]
fn opening_says_what_reading_says() {
    let _alone = cost::alone();
    for (path, bytes) in common::nx("bnsh") {
        let file = bnsh::read(&bytes).unwrap();
        let index = bnsh::index::Index::open(&bytes).unwrap();
        assert_eq!(index.variation_count(), file.variation_count(), "{path}");
        for variation in 0..index.variation_count() {
            let found = index.variation(variation).unwrap();
            assert_eq!(Some(&found), file.variation(variation), "{path}");
            if let Some(known) = file.program(found.binary) {
                let program = index.program(found.binary).unwrap();
                assert_eq!(program, *known);
                for at in program.stages.into_iter().filter(|at| !at.is_null()) {
                    let (stage, control, code) = index.stage(at).unwrap();
                    let known = file.stage_code(at).unwrap();
                    assert_eq!(stage, *known);
                    assert_eq!(control, file.blob(stage.control, stage.control_size.into()).unwrap());
                    assert_eq!(code, file.code(known));
                }
            }
        }
        assert!(index.variation(index.variation_count()).is_err());
    }
    for (path, bytes) in common::nx("bfsha") {
        let file = bfsha::read(&bytes).unwrap();
        let index = bfsha::index::Index::open(&bytes).unwrap();
        let texts = file.image.texts();
        let names: Vec<String> =
            index.models.iter().map(|model| String::from_utf8(model.name.to_vec()).unwrap()).collect();
        assert_eq!(names, file.model_names(&texts), "{path}");
        for (number, model) in index.models.iter().enumerate() {
            assert_eq!(model.programs, file.program_count(number));
            match &model.record {
                bfsha::index::ModelRecord::Switch(record) => {
                    let inner = index.bnsh(record).unwrap();
                    let known = file.model(number).unwrap();
                    for program in 0..model.programs {
                        let found = index.program(record, program).unwrap();
                        assert_eq!(Some(&found), file.program(known, program));
                        let variation = index.variation(record, &inner, &found).ok();
                        assert_eq!(variation, file.variation_of(known, &found));
                    }
                    assert!(index.program(record, model.programs).is_err());
                }
                bfsha::index::ModelRecord::WiiU(record) => {
                    for program in 0..model.programs {
                        let found = index.wiiu_program(record, program).unwrap();
                        assert_eq!(Some(&found), file.wiiu_program_of(record, program));
                    }
                }
            }
        }
    }
}
