//! What cannot be read, and what cannot be changed or written.

use crate::switch::check::bnsh::container;
use crate::switch::check::{Shown, first, sample};
use unshade_containers::bfsha::pick::Query;
use unshade_containers::bfsha::{self, Object as Shading};
use unshade_containers::bnsh::raw::{Program, StageCode, Variation};
use unshade_containers::bnsh::{self, Bnsh, Object};
use unshade_containers::switch::Pointer;

fn two() -> Vec<u8> {
    sample("two_stages.bnsh")
}

fn with(mut bytes: Vec<u8>, at: usize, new: &[u8]) -> Vec<u8> {
    bytes[at..at + new.len()].copy_from_slice(new);
    bytes
}

fn position(bytes: &[u8], text: &[u8]) -> usize {
    bytes.windows(text.len()).position(|window| window == text).unwrap()
}

pub fn of_reading(shown: &mut Shown) {
    let bytes = two();
    shown.refused("nx.truncated", bnsh::read(&bytes[..0x1F]));
    shown.refused("nx.truncated", bnsh::read(&bytes[..bytes.len() - 1]));
    shown.refused("nx.truncated", bfsha::read(&sample("wiiu.bfsha")[..0x37]));
    let end = (bytes.len() as u16 - 8).to_le_bytes();
    shown.refused("record.truncated", bnsh::read(&with(two(), 0x16, &end)));
    shown.refused("nx.magic", bnsh::read(&with(two(), 0, b"BNSX")));
    shown.refused("nx.magic", bfsha::read(&with(sample("wiiu.bfsha"), 0, b"FSHX")));
    shown.refused("nx.byte-order", bnsh::read(&with(two(), 12, &[0xFF, 0xFF])));
    shown.refused("nx.byte-order", bfsha::read(&with(sample("wiiu.bfsha"), 8, &[0xFF, 0xFE])));
    shown.refused("nx.relocated", bnsh::read(&with(two(), 0x14, &[1])));
    shown
        .refused("record.pointer-range", bnsh::read(&with(two(), 0x80, &(bytes.len() as u64).to_le_bytes())));
    shown.refused("bnsh.container", bnsh::read(&with(two(), 0x60, b"grsd")));
    let names = position(&bytes, b"_DIC");
    shown.refused("bnsh.structure", bnsh::read(&with(two(), names + 4, &[0xFF, 0xFF, 0xFF, 0x0F])));
    let archive = sample("options.bfsha");
    let at = position(&archive, b"_DIC");
    shown.refused("bfsha.structure", bfsha::read(&with(archive.clone(), at + 4, &[0xFF, 0xFF, 0xFF, 0x0F])));
    shown.refused("bfsha.version", bfsha::read(&with(archive.clone(), 0xA, &[10, 0])));
    shown.refused("bfsha.version", bfsha::read(&with(sample("wiiu.bfsha"), 4, &[2])));
    // A control section 8 bytes further than it is reaches into the next one.
    let file = bnsh::read(&bytes).unwrap();
    let is_stage = |object: &Object| matches!(object, Object::StageCode(_));
    let (stage_at, _) = file.image.objects.iter().find(|(_, object)| is_stage(object)).unwrap();
    let Some(Object::StageCode(stage)) = file.image.objects.get(stage_at) else { panic!() };
    let control = stage.control.0;
    let further = (control + 8).to_le_bytes();
    shown.refused("nx.overlap", bnsh::read(&with(two(), *stage_at as usize + 8, &further)));
    // A name in a control section, where no NUL follows on the length 0.
    let no_text = (control + 0xA).to_le_bytes();
    shown.refused("nx.string", bnsh::read(&with(two(), names + 0x20, &no_text)));
    shown.refused("nx.work", bnsh::read(&work()));
    let empty = bnsh::index::Index::open(&bytes).unwrap();
    assert!(empty.variation(1).is_err());
}

/// Programs whose stages all have one code, each a byte more of it than the one before.
fn work() -> Vec<u8> {
    let mut file = bnsh::read(&two()).unwrap();
    file.image.len = 0x2_0000;
    first!(file, Object, Header).file.file_size.0 = 0x2_0000;
    let start = Pointer(0x8000);
    let count = 20;
    (container(&mut file).variations, container(&mut file).variation_count) = (start, count);
    let mut size = 0x4000;
    for index in 0..u64::from(count) {
        let binary = Pointer(0x9000 + 0xA0 * index);
        let variation = Variation { binary, ..Variation::default() };
        file.image.objects.insert(start.0 + 0x40 * index, Object::Variation(Box::new(variation)));
        let mut program = Program::default();
        for (stage, place) in program.stages.iter_mut().enumerate() {
            let at = 0xB000 + 0x40 * (6 * index + stage as u64);
            size += 1;
            let code = StageCode { code: Pointer(0x1_0000), code_size: size, ..StageCode::default() };
            file.image.objects.insert(at, Object::StageCode(Box::new(code)));
            *place = Pointer(at);
        }
        file.image.objects.insert(binary.0, Object::Program(Box::new(program)));
    }
    file.write().unwrap()
}

/// An option whose choices all have one long name.
fn long_names() -> Vec<u8> {
    let mut file = bfsha::read(&sample("options.bfsha")).unwrap();
    let texts = file.image.texts();
    let option = file.options(0, &texts).unwrap().options[0].name.clone();
    drop(texts);
    let long = "x".repeat(4000);
    file.add_choice(0, &option, &long, 1000).unwrap();
    let names: Vec<String> = (0..100).map(|number| format!("choice{number:03}")).collect();
    for (name, value) in names.iter().zip(1001..) {
        file.add_choice(0, &option, name, value).unwrap();
    }
    let mut bytes = file.write().unwrap();
    let text = |bytes: &[u8], name: &str| position(bytes, name.as_bytes()) as u64 - 2;
    let first = text(&bytes, &long);
    for name in &names {
        let place = text(&bytes, name).to_le_bytes();
        let key = bytes.chunks_exact(8).position(|word| word == place).unwrap();
        bytes = with(bytes, key * 8, &first.to_le_bytes());
    }
    bytes
}

pub fn of_looking(shown: &mut Shown) {
    let bytes = long_names();
    let index = bfsha::index::Index::open(&bytes).unwrap();
    shown.refused("bfsha.work", index.options(&index.models[0]));
    shown.refused("bfsha.no-model", Err::<(), _>(bfsha::lazy::no_model("a", &["b".to_owned()])));
}

pub fn of_changes(shown: &mut Shown) {
    let read = || -> Bnsh { bnsh::read(&two()).unwrap() };
    shown.refused("bnsh.edit", read().remove_variations(&[9]));
    let mut file = bfsha::read(&sample("options.bfsha")).unwrap();
    shown.refused("bfsha.edit", file.set_default(0, "no such option", "1"));
    shown.refused("bfsha.edit", file.remove_programs(0, &[0, 1]));
    let texts = file.image.texts();
    let table = file.options(0, &texts).unwrap();
    shown.refused("bfsha.unknown-option", Query::new(&table, [("no such option", "1")]));
    shown.refused("bfsha.unknown-choice", Query::new(&table, [("gsys_weight", "no such choice")]));
    let mut file = read();
    container(&mut file).reserved_38.0 = vec![1; 3];
    shown.refused("record.unfit", file.write());
    let mut file = read();
    let (strings, _) = file.image.strings().unwrap();
    file.image.objects.remove(&strings);
    shown.refused("nx.strings", file.rename(b"another name"));
    let mut file = read();
    let end = file.image.len;
    file.image.objects.insert(end, Object::Unknown(vec![1; 8].into()));
    file.image.len += 8;
    shown.refused("nx.relocation", file.rename(b"another name"));
    let mut file = read();
    let (relocation, _) = file.image.relocation().unwrap();
    let table = file.image.objects.remove(&relocation).unwrap();
    file.image.objects.insert(0xFFFF_FFF8, table);
    shown.refused("nx.too-long", file.rename(b"another name"));
    // A text longer than its length can say, wherever one stands.
    let whole = unshade_containers::Container::Bnsh(read());
    let mut paths = Vec::new();
    whole.tree().walk(|path, _| paths.push(path.to_owned()));
    let long = format!("\"{}\"", "x".repeat(70_000));
    let refused = paths.into_iter().find_map(|path| {
        let setting = unshade_containers::edit::Setting { path, value: long.clone() };
        whole.set(&[setting]).err().filter(|error| error.diagnostic_code() == "nx.text")
    });
    shown.refused::<()>("nx.text", Err(refused.unwrap()));
    let mut archive = bfsha::read(&sample("options.bfsha")).unwrap();
    first!(archive, Shading, Program).variation = Pointer(8);
    shown.refused("bfsha.edit", archive.add_program(0, 0, &[("gsys_weight", "5")]));
}
