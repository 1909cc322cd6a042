//! What is wrong with a DKSH and with a raw pair.

use crate::switch::check::{Shown, codes, sample};
use std::borrow::Cow;
use unshade_containers::bnsh;
use unshade_containers::nvn::{self, NvnPair, NvnShader};
use unshade_containers::{Opaque, dksh};
use unshade_stage::{Code, StageId};

fn set(bytes: &mut [u8], at: usize, value: u32) {
    bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
}

/// The sample, a fragment program, with other words.
fn changed(words: &[(usize, u32)]) -> Vec<u8> {
    let mut bytes = sample("texture.frag.dksh");
    assert!(dksh::read(&bytes).unwrap().check().is_empty());
    for (at, value) in words {
        set(&mut bytes, *at, *value);
    }
    bytes
}

pub fn dksh(shown: &mut Shown) {
    let found = |words: &[(usize, u32)]| {
        let bytes = changed(words);
        let file = dksh::read(&bytes).unwrap();
        assert!(file.write().unwrap() == bytes);
        codes(file.check())
    };
    shown.only("dksh.header-size", found(&[(4, 0x20)]));
    shown.only("dksh.alignment", found(&[(12, 0x1F0)]));
    shown.only("dksh.no-program", found(&[(20, 0)]));
    shown.only("dksh.stage", found(&[(0x18, 9)]));
    shown.only("dksh.header-stage", found(&[(0x18, 0)]));
    shown.only("dksh.entry", found(&[(0x18, 5), (0x1C, 0x300)]));
    shown.only("dksh.constants", found(&[(0x24, 0x100), (0x28, 0x200)]));
    shown.refused("dksh.magic", dksh::read(b"DKSX"));
    shown.refused("dksh.truncated", dksh::read(&changed(&[])[..20]));
    shown.refused("dksh.section", dksh::read(&changed(&[(20, 100)])));
    shown.refused("dksh.section", dksh::read(&changed(&[(20, u32::MAX)])));
    let mut file = dksh::read(&changed(&[])).unwrap();
    let long = Code { words: Cow::Owned(vec![0; 0x1000]), ..Code::default() };
    shown.refused("dksh.code", file.replace(&StageId("0/fragment".to_owned()), &long));
    file.programs_offset = 0x20;
    shown.refused("dksh.unfit", file.write());
}

/// The two stages of a sample as a raw pair.
fn pair() -> NvnPair {
    let file = bnsh::read(&sample("two_stages.bnsh")).unwrap();
    let mut at = 0x10_u32;
    let mut stages = Vec::new();
    for object in file.image.objects.values() {
        let bnsh::Object::StageCode(stage) = object else { continue };
        let (control, code) = (file.control(stage), file.code(stage));
        let end = nvn::Control::new(&control).unwrap().end() as usize;
        let code_at = (at + end as u32).next_multiple_of(0x100);
        stages.push(NvnShader {
            control_at: at,
            control: Opaque(control[..end].to_vec()),
            code_at,
            code: Opaque(code.to_vec()),
        });
        at = code_at + code.len() as u32;
    }
    let pair = NvnPair { stages: stages.try_into().unwrap(), others: Vec::new(), len: at };
    let bytes = pair.write().unwrap();
    assert_eq!(nvn::read(&bytes).unwrap(), pair);
    assert!(pair.check().is_empty(), "{:?}", pair.check());
    pair
}

pub fn raw_pairs(shown: &mut Shown) {
    let found = |pair: NvnPair| {
        let bytes = pair.write().unwrap();
        let back = nvn::read(&bytes).unwrap();
        assert!(back.write().unwrap() == bytes);
        codes(back.check())
    };
    let mut moved = pair();
    moved.stages[1].code_at += 0x10;
    moved.len += 0x10;
    shown.only("nvn.code-alignment", found(moved));
    let mut strange = pair();
    set(&mut strange.stages[0].control.0, 0x714, 17);
    shown.only("bnsh.stage", found(strange));
    let bytes = pair().write().unwrap();
    shown.refused("nvn.magic", nvn::read(&bytes[..15]));
    shown.refused("nvn.section", nvn::read(&bytes[..bytes.len() - 1]));
    let mut shared = bytes.clone();
    shared.copy_within(4..8, 0);
    shown.refused("nvn.overlap", nvn::read(&shared));
    // Four gigabytes of zeros that nobody touches take no memory.
    let mut long = vec![0_u8; (1 << 32) + 0x10];
    long[..0x4000.min(bytes.len())].copy_from_slice(&bytes[..0x4000.min(bytes.len())]);
    shown.refused("nvn.too-long", nvn::read(&long));
    drop(long);
    let id = StageId("vertex".to_owned());
    let mut short = pair();
    let long = Code { words: Cow::Owned(vec![0; 0x1000]), ..Code::default() };
    shown.refused("nvn.code", short.replace(&id, &long));
    let odd = Code { words: Cow::Owned(vec![0; 3]), ..Code::default() };
    shown.refused("nvn.code", short.replace(&id, &odd));
}

pub fn code_sections(shown: &mut Shown) {
    let bytes = pair().stages[0].code.0.clone();
    let file = nvn::section::read(&bytes).unwrap();
    assert_eq!(file.write(), bytes);
    let ended = codes(file.check());
    assert!(ended.is_empty() || ended.iter().all(|code| *code == "nvn.code-end"), "{ended:?}");
    let mut endless = bytes.clone();
    endless[0x80..].fill(0x11);
    shown.only("nvn.code-end", codes(nvn::section::read(&endless).unwrap().check()));
    let mut other = bytes;
    other[4] = 1;
    shown.refused("nvn.code-magic", nvn::section::read(&other));
}
