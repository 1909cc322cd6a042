//! BNSH and BFSHA opened without being read: what is asked for does not depend on what is not, and costs
//! neither memory nor time for it.
#![allow(clippy::indexing_slicing)]

use crate::common;
use crate::cost;
use crate::cost::cost;
use std::ops::Range;
use std::time::Duration;
use unshade_containers::bfsha::index::ModelRecord;
use unshade_containers::bfsha::raw::{Model, Program};
use unshade_containers::switch::{Pointer, Walk};
use unshade_containers::{bfsha, bnsh};

/// The file with only these ranges left; everything else is 0xFF, which no structure can be.
fn only(bytes: &[u8], left: &[Range<u64>]) -> Vec<u8> {
    let mut poisoned = vec![0xFF; bytes.len()];
    for range in left {
        let range = range.start as usize..range.end as usize;
        poisoned[range.clone()].copy_from_slice(&bytes[range]);
    }
    poisoned
}

fn span(at: u64, len: u64) -> Range<u64> {
    at..at + len
}

/// The string at a place with the word of its length.
fn name(bytes: &[u8], at: Pointer, big: bool) -> Range<u64> {
    let place = at.0 as usize;
    let word = [bytes[place], bytes[place + 1]];
    let len = if big { u16::from_be_bytes(word) } else { u16::from_le_bytes(word) };
    span(at.0, 2 + u64::from(len))
}

#[test]
fn a_bnsh_opened_and_asked() {
    let _alone = cost::alone();
    let mut asked = 0;
    for (path, bytes) in common::nx("bnsh") {
        let index = bnsh::index::Index::open(&bytes).unwrap();
        let mut left = vec![span(0, 0x60), span(0x60, 0x60)];
        let head = only(&bytes, &left);
        let bare = bnsh::index::Index::open(&head).unwrap();
        assert_eq!((&bare.container, bare.form), (&index.container, index.form), "{path}");
        for number in 0..index.variation_count() {
            left.truncate(2);
            left.push(span(index.container.variations.0 + 0x40 * u64::from(number), 0x40));
            let variation = index.variation(number).unwrap();
            let Some(program_at) = variation.binary.get() else { continue };
            left.push(span(program_at, 0xA0));
            let program = index.program(variation.binary).unwrap();
            for at in program.stages.into_iter().filter(|at| !at.is_null()) {
                let (stage, control, code) = index.stage(at).unwrap();
                left.truncate(4);
                left.push(span(at.0, 0x40));
                left.push(span(stage.control.0, stage.control_size.into()));
                left.push(span(stage.code.0, stage.code_size.into()));
                let poisoned = only(&bytes, &left);
                let bare = bnsh::index::Index::open(&poisoned).unwrap();
                assert_eq!(bare.variation(number).unwrap(), variation);
                assert_eq!(bare.program(variation.binary).unwrap(), program);
                assert_eq!(bare.stage(at).unwrap(), (stage, control, code), "{path}");
                asked += 1;
            }
        }
    }
    println!("{asked} stages found without the rest of their files");
}

#[test]
fn a_bfsha_opened_and_asked() {
    let _alone = cost::alone();
    let mut asked = 0;
    for (path, bytes) in common::nx("bfsha") {
        let index = bfsha::index::Index::open(&bytes).unwrap();
        let (form, file) = (index.form, bfsha::read(&bytes).unwrap());
        let (Some(header), Some(archive)) = (file.header(), file.archive()) else { continue };
        let archive_len = if form.major >= 7 { 0x48 } else { 0x40 };
        let models = u64::from(archive.model_count) * Model::len(form);
        let mut left = vec![
            span(0, 0x38),
            span(header.archive.0, archive_len),
            span(archive.models.0, models),
            name(&bytes, archive.name, form.big_endian),
        ];
        for model in &index.models {
            let ModelRecord::Switch(record) = &model.record else { panic!() };
            left.push(name(&bytes, record.name, form.big_endian));
        }
        let head = left.len();
        let poisoned = only(&bytes, &left);
        let bare = bfsha::index::Index::open(&poisoned).unwrap();
        assert_eq!(format!("{:?}", bare.models), format!("{:?}", index.models), "{path}");
        assert_eq!(bare.name, index.name);
        for model in &index.models {
            let ModelRecord::Switch(record) = &model.record else { panic!() };
            for number in 0..model.programs {
                let program = index.program(record, number).unwrap();
                left.truncate(head);
                left.push(span(record.programs.0 + Program::len(form) * number as u64, Program::len(form)));
                left.push(span(record.bnsh.0, 0xC0));
                let poisoned = only(&bytes, &left);
                let bare = bfsha::index::Index::open(&poisoned).unwrap();
                assert_eq!(bare.program(record, number).unwrap(), program, "{path}");
                let (inner, known) = (bare.bnsh(record).unwrap(), index.bnsh(record).unwrap());
                let variation = index.variation(record, &known, &program).unwrap();
                assert_eq!(bare.variation(record, &inner, &program).unwrap(), variation);
                asked += 1;
            }
        }
    }
    println!("{asked} programs found without the rest of their files");
}

/// The length that the records of an archive have: their fields, counted.
#[test]
fn lengths_that_are_left_are_those_of_the_records() {
    let _alone = cost::alone();
    for (path, bytes) in common::nx("bfsha") {
        let file = bfsha::read(&bytes).unwrap();
        let form = file.image.form;
        for object in file.image.objects.values() {
            let wanted = match object {
                bfsha::Object::Archive(_) if form.major >= 7 => 0x48,
                bfsha::Object::Archive(_) => 0x40,
                bfsha::Object::Model(_) => Model::len(form),
                bfsha::Object::Program(_) => Program::len(form),
                _ => continue,
            };
            let mut walk = Walk::new(form, |_: unshade_containers::switch::Slot, _: &mut Pointer| {});
            unshade_containers::switch::Object::visit(&mut object.clone(), &mut walk).unwrap();
            assert_eq!(walk.len, wanted, "{path}");
        }
    }
}

/// An archive with a gigabyte that nobody asks for is opened at once, in next to no memory.
#[test]
fn a_large_file_is_opened_at_once() {
    let _alone = cost::alone();
    let small = std::fs::read(format!("{}/../../samples/options.bfsha", env!("CARGO_MANIFEST_DIR"))).unwrap();
    // Zeros that are never touched are never there.
    let mut bytes = vec![0_u8; 1 << 30];
    bytes[..small.len()].copy_from_slice(&small);
    bytes[0x1C..0x20].copy_from_slice(&(1_u32 << 30).to_le_bytes());
    let resident = resident();
    let (_, taken) = cost(|| {
        let index = bfsha::index::Index::open(&bytes).unwrap();
        let ModelRecord::Switch(record) = &index.models[0].record else { panic!() };
        let program = index.program(record, 1).unwrap();
        let inner = index.bnsh(record).unwrap();
        let variation = index.variation(record, &inner, &program).unwrap();
        let found = inner.program(inner.variation(variation).unwrap().binary).unwrap();
        let (_, control, code) = inner.stage(found.stages[0]).unwrap();
        assert!(!control.is_empty() && !code.is_empty());
    });
    let touched = self::resident().saturating_sub(resident);
    println!("{taken:?}, {touched} KiB touched");
    assert!(taken.heap < 16 << 10 && taken.time < Duration::from_millis(100), "{taken:?}");
    assert!(touched < 16 << 10, "{touched} KiB");
}

/// Memory of the process in KiB; 0 where the system does not say.
fn resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    line.and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or(0)
}
