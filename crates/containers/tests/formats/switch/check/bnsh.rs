//! What is wrong with a BNSH.

use crate::switch::check::{Shown, first, found_bnsh, listed, rewritten_bnsh, sample};
use unshade_containers::bnsh::raw::{Container, SourceCode, StageCode};
use unshade_containers::bnsh::{self, Bnsh, Object, Role};
use unshade_containers::switch::Pointer;

const TWO: &str = "two_stages.bnsh";

pub fn container(file: &mut Bnsh) -> &mut Container {
    first!(file, Object, Container)
}

fn blob(file: &mut Bnsh, role: Role) -> &mut Vec<u8> {
    file.image
        .objects
        .values_mut()
        .find_map(|object| match object {
            Object::Blob(known, bytes) if *known == role => Some(&mut bytes.0),
            _ => None,
        })
        .unwrap()
}

fn set(bytes: &mut [u8], at: usize, value: u32) {
    bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
}

pub fn rules(shown: &mut Shown) {
    of_the_head(shown);
    of_control_and_code(shown);
    of_the_pool(shown);
    of_programs(shown);
    of_compute(shown);
}

fn of_the_head(shown: &mut Shown) {
    shown.only("bnsh.version", found_bnsh(TWO, |file| first!(file, Object, Header).file.micro = 99));
    shown.only("bnsh.api", found_bnsh(TWO, |file| container(file).api_type = 7));
    shown.only("bnsh.name", found_bnsh(TWO, |file| first!(file, Object, Header).file.name.0 += 1));
    shown.only("bnsh.block", found_bnsh(TWO, |file| container(file).block.size += 0x100_0000));
    shown.only("bnsh.trailing", found_bnsh(TWO, |file| file.trailing.0 = vec![1, 2]));
    shown.only(
        "bnsh.variations",
        found_bnsh(TWO, |file| {
            file.remove_variations(&[0]).unwrap();
            container(file).variation_count = 1;
        }),
    );
}

fn of_control_and_code(shown: &mut Shown) {
    let control = |at: usize, value: u32| found_bnsh(TWO, |file| set(blob(file, Role::Control), at, value));
    shown.only("bnsh.control-magic", control(0, 5));
    shown.only("bnsh.code-magic", found_bnsh(TWO, |file| set(blob(file, Role::Code), 0, 5)));
    shown.only("bnsh.device", control(0xC, 5));
    shown.only("bnsh.code-version", control(8, 1));
    shown.only("bnsh.program-size", control(0x6F8, 0x10_0000));
    shown.only("bnsh.constants", control(0x6FC, 0x10_0000));
    shown.only("bnsh.stage", control(0x714, 4));
    // The record's 0x400 bytes; less than that, and more than the zeros behind the constants explain.
    shown.only("bnsh.code-size", control(0x704, 0x300));
    shown.only("bnsh.code-size", control(0x704, 0x500));
    let filled_up = found_bnsh(TWO, |file| {
        let stage = first!(file, Object, StageCode);
        stage.code_size -= 0x80;
        blob(file, Role::Code).truncate(0x380);
    });
    assert_eq!(filled_up, [""; 0], "zeros up to 0x100 may be left out");
    shown.only(
        "bnsh.header-stage",
        found_bnsh(TWO, |file| {
            let code = blob(file, Role::Code);
            let word = u32::from_le_bytes([code[0x30], code[0x31], code[0x32], code[0x33]]);
            set(code, 0x30, word | 0xF << 10);
        }),
    );
    shown.only(
        "bnsh.program-offset",
        found_bnsh(TWO, |file| {
            // A program at another place, which is as long as it can be there, with its header at that place.
            let code = blob(file, Role::Code);
            let header = code[0x30..0x80].to_vec();
            code[0x20..0x70].copy_from_slice(&header);
            set(blob(file, Role::Control), 0x708, 0x20);
        }),
    );
}

fn of_the_pool(shown: &mut Shown) {
    shown.only("bnsh.pool", found_bnsh(TWO, |file| first!(file, Object, Pool).size = 0x10_0000));
    shown.only(
        "bnsh.pool-alignment",
        found_bnsh(TWO, |file| {
            let pool = first!(file, Object, Pool);
            pool.memory.0 -= 0x100;
            pool.size += 0x100;
            let start = pool.memory.0 as u32;
            let table = first!(file, Object, Relocation);
            let mut sections = table.sections.iter_mut();
            let section = sections.find(|section| section.position == start + 0x100).unwrap();
            section.position -= 0x100;
            section.size += 0x100;
        }),
    );
    shown.only("bnsh.code-pool", found_bnsh(TWO, |file| first!(file, Object, Pool).size = 0x10));
    shown.only(
        "bnsh.code-alignment",
        found_bnsh(TWO, |file| {
            let is_code = |object: &Object| matches!(object, Object::Blob(Role::Code, _));
            let at = *file.image.objects.iter().rev().find(|(_, object)| is_code(object)).unwrap().0;
            let code = file.image.objects.remove(&at).unwrap();
            file.image.objects.insert(at + 0x10, code);
            stage_at(file, at).code.0 += 0x10;
        }),
    );
    shown.only("bnsh.runtime", found_bnsh(TWO, |file| first!(file, Object, Pool).current = 1));
}

fn stage_at(file: &mut Bnsh, code: u64) -> &mut StageCode {
    file.image
        .objects
        .values_mut()
        .find_map(|object| match object {
            Object::StageCode(stage) if stage.code.0 == code => Some(stage),
            _ => None,
        })
        .unwrap()
}

fn of_programs(shown: &mut Shown) {
    shown.only("bnsh.parent", found_bnsh(TWO, |file| first!(file, Object, Program).parent.0 = 0x60));
    shown.only("bnsh.parent", found_bnsh(TWO, |file| first!(file, Object, Variation).parent.0 = 0xC0));
    shown.only("bnsh.runtime", found_bnsh(TWO, |file| first!(file, Object, StageCode).address = 5));
    shown.only("bnsh.runtime", found_bnsh(TWO, |file| blob(file, Role::ProgramObject)[3] = 1));
    shown.only(
        "bnsh.code-type",
        found_bnsh(TWO, |file| {
            let variation = first!(file, Object, Variation);
            (variation.source, variation.binary) = (variation.binary, Pointer::NULL);
            listed(&mut file.image);
        }),
    );
    shown.only(
        "bnsh.reflection-slots",
        found_bnsh(TWO, |file| first!(file, Object, StageReflection).first[0] = -1),
    );
    shown.only(
        "bnsh.reflection-order",
        found_bnsh(TWO, |file| first!(file, Object, StageReflection).first[0] = 0),
    );
    shown.only(
        "bnsh.reflection-stage",
        found_bnsh(TWO, |file| {
            // A geometry stage that is not there has the names of the fragment stage.
            let stages = &mut first!(file, Object, Reflection).stages;
            stages[3] = stages[4];
            listed(&mut file.image);
        }),
    );
    shown.only("bnsh.source-record", {
        // A text of no length fits neither layout of the record; the text itself is zeros.
        let mut file = bnsh::read(&source()).unwrap();
        assert!(file.check().is_empty(), "{:?}", file.check());
        let SourceCode::Short { size, code, .. } = first!(file, Object, SourceCode) else { panic!() };
        let at = code.0;
        *size = 0;
        file.image.objects.remove(&at);
        rewritten_bnsh(&file)
    });
}

/// A file whose program is one text for each stage.
fn source() -> Vec<u8> {
    let mut file = bnsh::read(&sample("source.bnsh")).unwrap();
    // Each array of one text or more becomes the first of its texts.
    let places: Vec<u64> = file.image.objects.keys().copied().collect();
    for at in places {
        let Some(Object::SourceArray(array)) = file.image.objects.get(&at) else { continue };
        let (sizes, texts) = (array.sizes, array.codes);
        let Some(Object::Sizes(all)) = file.image.get(sizes) else { panic!() };
        let size = all[0];
        let Some(Object::TextTable(table)) = file.image.get(texts) else { panic!() };
        let table = table.texts.clone();
        let code = table[0];
        for gone in table[1..].iter().chain([&sizes, &texts]) {
            file.image.objects.remove(&gone.0);
        }
        let record = SourceCode::Short { size, decompressed_size: size, code, reserved: [0; 2] };
        file.image.objects.insert(at, Object::SourceCode(record));
    }
    for object in file.image.objects.values_mut() {
        if let Object::Program(program) = object {
            program.code_type = 2;
        }
    }
    listed(&mut file.image);
    file.write().unwrap()
}

/// The vertex stage made one of compute, with work groups of 8 x 4 x 1.
fn compute() -> Bnsh {
    let mut file = bnsh::read(&sample(TWO)).unwrap();
    first!(file, Object, Program).stages.swap(0, 5);
    first!(file, Object, Reflection).stages.swap(0, 5);
    first!(file, Object, StageReflection).work_group = [8, 4, 1];
    let control = blob(&mut file, Role::Control);
    for (at, value) in [(0x714, 5), (0x748, 8), (0x74C, 4), (0x750, 1)] {
        set(control, at, value);
    }
    listed(&mut file.image);
    assert!(file.check().is_empty(), "{:?}", file.check());
    file
}

fn of_compute(shown: &mut Shown) {
    let with = |x: u32, y: u32, z: u32| {
        let mut file = compute();
        first!(file, Object, StageReflection).work_group = [x, y, z];
        rewritten_bnsh(&file)
    };
    shown.only("bnsh.work-group", with(8, 0, 1));
    shown.only("bnsh.work-group", with(4, 8, 1));
    shown.writer(&["bnsh.work-group"], with(0, 8, 4));
}
