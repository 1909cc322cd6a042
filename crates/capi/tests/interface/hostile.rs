//! Arguments that are wrong and bytes that are hostile: a status, an error, never more.
#![allow(unsafe_code)]

use crate::door::*;
use std::{mem::MaybeUninit, ptr};
use unshade_capi::{doors::*, *};

#[test]
fn null_pointers_are_told() {
    let is_null = |why: Why, name: &str| {
        assert_eq!((why.status, &why.path[..]), (Status::Argument, name), "{why:?}");
    };
    let bytes = sample("lighting.shbin");
    // SAFETY: nothing but what the header allows, null pointers included.
    unsafe {
        is_null(
            out(|file, error| unshade_open(ptr::null(), 5, ptr::null(), file, error)).unwrap_err(),
            "bytes",
        );
        let none = out(|file, error| unshade_open(ptr::null(), 0, ptr::null(), file, error)).unwrap_err();
        assert_eq!(none.status, open(&[]).unwrap_err().status);
        let code = out(|file, error| unshade_open_code(1, ptr::null(), 4, ptr::null(), file, error));
        is_null(code.unwrap_err(), "bytes");
        let (start, len) = (bytes.as_ptr(), bytes.len());
        assert_eq!(unshade_open(start, len, ptr::null(), None, None), Status::Argument);
        assert_eq!(unshade_open_code(1, start, len, ptr::null(), None, None), Status::Argument);
        assert_eq!(
            unshade_stage_get(None, 0, &mut empty_info(size_of::<StageInfo>()), None),
            Status::Argument
        );
        assert_eq!(unshade_stage_get(None, 0, ptr::null_mut(), None), Status::Argument);
        assert_eq!(unshade_findings_get(None, 0, ptr::null_mut()), Status::Argument);
        assert_eq!(unshade_error_get(None, ptr::null_mut()), Status::Argument);
        is_null(out(|text, error| unshade_run(None, 0, ptr::null(), 0, text, error)).unwrap_err(), "file");
        assert_eq!(unshade_run(None, 0, ptr::null(), 0, None, None), Status::Argument);
    }
    is_null(out(|list, error| unshade_check(None, list, error)).unwrap_err(), "file");
    is_null(out(|text, error| unshade_disassemble(None, 0, 0, text, error)).unwrap_err(), "file");
    is_null(out(|text, error| unshade_decompile(None, 0, 0, 0, text, error)).unwrap_err(), "file");
    assert_eq!(unshade_check(None, None, None), Status::Argument);
    assert_eq!(unshade_disassemble(None, 0, 0, None, None), Status::Argument);
    assert_eq!(unshade_decompile(None, 0, 0, 0, None, None), Status::Argument);
    assert_eq!(
        (unshade_stage_count(None), unshade_findings_count(None), unshade_buffer_len(None)),
        (0, 0, 0)
    );
    assert_eq!(told(Text { data: unshade_buffer_data(None), len: 0 }), "");
    unshade_close(None);
    unshade_findings_free(None);
    unshade_buffer_free(None);
    unshade_error_free(None);

    // The error may be left out, and what cannot be given is told.
    let file = open(&bytes).unwrap();
    let mut error = MaybeUninit::uninit();
    assert_eq!(unshade_check(Some(&file), None, Some(&mut error)), Status::Argument);
    // SAFETY: a door writes it.
    let error = unsafe { error.assume_init() };
    // SAFETY: the place is ours.
    let why = finding(Status::Argument, |to| unsafe { unshade_error_get(error.as_deref(), to) });
    is_null(why, "findings");
    unshade_error_free(error);
    let mut text = MaybeUninit::uninit();
    assert_eq!(unshade_disassemble(Some(&file), 0, 0, Some(&mut text), None), Status::Ok);
    // SAFETY: a door wrote it.
    unshade_buffer_free(unsafe { text.assume_init() });
    let mut text = MaybeUninit::uninit();
    assert_eq!(unshade_disassemble(Some(&file), 1000, 0, Some(&mut text), None), Status::Argument);
    // SAFETY: as above.
    assert!(unsafe { text.assume_init() }.is_none());
}

#[test]
fn numbers_that_mean_nothing_are_told() {
    let file = open(&sample("lighting.shbin")).unwrap();
    let argument = |why: Why, name: &str| {
        assert_eq!(
            (why.status, &why.path[..], &why.code[..]),
            (Status::Argument, name, "c.argument"),
            "{why:?}"
        );
    };
    let count = unshade_stage_count(Some(&file));
    for index in [count, count + 1, usize::MAX] {
        assert_eq!(info(&file, index).unwrap_err(), Status::Argument);
        argument(disassemble(&file, index, 0).unwrap_err(), "index");
        argument(decompile(&file, index, 0, 0).unwrap_err(), "index");
        argument(run(&file, index, "", 0).unwrap_err(), "index");
    }
    for flags in [8, 1 << 31, u32::MAX] {
        argument(disassemble(&file, 0, flags).unwrap_err(), "flags");
    }
    for flags in [16, u32::MAX, UNSHADE_DECOMPILE_OPENGL | UNSHADE_DECOMPILE_VULKAN] {
        argument(decompile(&file, 0, 0, flags).unwrap_err(), "flags");
    }
    for target in [9, u32::MAX] {
        argument(decompile(&file, 0, target, 0).unwrap_err(), "target");
    }
    for isa in [0, 6, u32::MAX] {
        argument(open_code(isa, &[0; 16], ptr::null()).unwrap_err(), "isa");
    }
    for kind in [7, u32::MAX] {
        let with = CodeOptions { kind, ..code_options() };
        argument(open_code(1, &[0; 16], &with).unwrap_err(), "kind");
    }
    for with in [CodeOptions { flags: 2, ..code_options() }, CodeOptions { reserved: 1, ..code_options() }] {
        argument(open_code(5, &[0; 160], &with).unwrap_err(), "flags");
    }
    let with = CodeOptions { descriptor_count: 4, ..code_options() };
    argument(open_code(1, &[0; 16], &with).unwrap_err(), "descriptors");
    let words = [0_u32; 4];
    for (descriptors, descriptor_count) in [
        (words.as_ptr(), usize::MAX),
        (words.as_ptr(), usize::MAX / 4),
        (words.as_ptr().cast::<u8>().wrapping_add(1).cast(), 1),
    ] {
        let with = CodeOptions { descriptors, descriptor_count, ..code_options() };
        argument(open_code(1, &[0; 16], &with).unwrap_err(), "descriptors");
    }
    // SAFETY: a length that no object has is refused before anything is read.
    let long = out(|file, error| unsafe {
        unshade_open(words.as_ptr().cast(), usize::MAX, ptr::null(), file, error)
    });
    argument(long.unwrap_err(), "bytes");
    let bad = c"\xFF\xFE";
    argument(open_with(&[0; 4], &OpenOptions { place: bad.as_ptr(), ..options() }).unwrap_err(), "place");
    let why = open_with(&[0; 4], &OpenOptions { state: c"ab\xFF".as_ptr(), ..options() }).unwrap_err();
    assert_eq!((&why.path[..], why.place, why.offset), ("state", Place::Text as u32, 2));
    // SAFETY: a text with a zero byte behind it.
    let why = out(|text, error| unsafe { unshade_run(Some(&file), 0, bad.as_ptr(), 0, text, error) });
    argument(why.unwrap_err(), "inputs");
}

/// Structures of callers that know fewer or more fields.
#[test]
fn structures_tell_their_size() {
    #[repr(C)]
    struct Longer<T> {
        known: T,
        later: [u64; 4],
    }
    let file = open(&sample("lighting.shbin")).unwrap();
    for size in [0, 1, 7, size_of::<usize>(), size_of::<StageInfo>() - 1, 4097, usize::MAX] {
        let mut info = empty_info(size);
        // SAFETY: such a size is refused before anything else is touched.
        let status = unsafe { unshade_stage_get(Some(&file), 0, &mut info, None) };
        assert_eq!((status, info.kind, info.size), (Status::Argument, 77, size));
        let why = open_with(&[], &OpenOptions { size, ..options() }).unwrap_err();
        assert_eq!((why.status, &why.path[..]), (Status::Argument, "options"));
        let why = open_code(1, &[], &CodeOptions { size, ..code_options() }).unwrap_err();
        assert_eq!((why.status, &why.path[..]), (Status::Argument, "options"));
    }
    let mut later = Longer { known: empty_info(size_of::<Longer<StageInfo>>()), later: [7; 4] };
    // SAFETY: as large as it says.
    let status = unsafe { unshade_stage_get(Some(&file), 0, ptr::from_mut(&mut later).cast(), None) };
    assert_eq!((status, later.known.kind, later.later), (Status::Ok, Kind::Vertex as u32, [0; 4]));
    assert_eq!(later.known.size, size_of::<Longer<StageInfo>>());
    // What a later caller sets and this version does not know is not passed over in silence.
    let bytes = sample("lighting.shbin");
    for (value, status) in [(0, Status::Ok), (1, Status::Argument)] {
        let known = OpenOptions { size: size_of::<Longer<OpenOptions>>(), ..options() };
        let later = Longer { known, later: [0, value, 0, 0] };
        let opened = open_with(&bytes, ptr::from_ref(&later).cast());
        assert_eq!(opened.map_or_else(|why| why.status, |_| Status::Ok), status);
    }
    let aside = ptr::from_mut(&mut later).cast::<u8>().wrapping_add(4).cast();
    // SAFETY: refused before anything is touched.
    assert_eq!(unsafe { unshade_stage_get(Some(&file), 0, aside, None) }, Status::Argument);
}

const SAMPLES: [&str; 9] = [
    "shared_transform.shbin",
    "object.dvoj",
    "phong.frag.mbs",
    "linked.mbs",
    "blur.gsh",
    "surface.sharcfb",
    "two_stages.bnsh",
    "texture.frag.dksh",
    "nested.szs",
];

/// Small numbers that look random.
struct Chance(u64);

impl Chance {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn bytes(&mut self, len: usize) -> Vec<u8> {
        (0..len).map(|_| (self.next() >> 24) as u8).collect()
    }
}

/// Opens bytes, and asks everything of what opens. Whether they did.
fn ask(bytes: &[u8]) -> bool {
    match open(bytes) {
        Ok(file) => {
            everything(&file, &[0]);
            true
        }
        Err(why) => {
            assert!(why.status != Status::Argument, "{why:?}");
            assert!(why.offset == UNSHADE_NO_OFFSET || why.place != 0);
            false
        }
    }
}

#[test]
fn every_cut_is_an_error_or_a_file() {
    for name in SAMPLES {
        let bytes = sample(name);
        // What opens is asked everything, so longer samples are cut in longer steps.
        let step = (bytes.len() / 400).max(1);
        let opened = (0..bytes.len()).step_by(step).filter(|len| ask(&bytes[..*len])).count();
        assert!(opened * step < bytes.len(), "{name}");
        assert!(ask(&bytes), "{name}");
    }
    // Every single length of one of each family.
    for name in ["passthrough.shbin", "power.vert.mbs"] {
        let bytes = sample(name);
        for len in 0..bytes.len() {
            ask(&bytes[..len]);
        }
    }
}

#[test]
fn bytes_of_chance_are_an_error_or_a_file() {
    let mut chance = Chance(0x9E37_79B9_7F4A_7C15);
    let magics: [&[u8]; 12] = [
        b"", b"DVLB", b"DVOJ", b"MBS1", b"Gfx2", b"BAHS", b"BNSH", b"FSHA", b"Yaz0", b"SARC", b"FRES",
        b"DKSH",
    ];
    for round in 0..600 {
        let len = (chance.next() % 900) as usize;
        let mut bytes = magics[round % magics.len()].to_vec();
        bytes.extend(chance.bytes(len));
        ask(&bytes);
    }
    // Samples with some bytes of chance in them.
    for name in SAMPLES {
        let bytes = sample(name);
        for _ in 0..40 {
            let mut changed = bytes.clone();
            for _ in 0..1 + chance.next() % 4 {
                let at = chance.next() as usize % changed.len();
                changed[at] = chance.next() as u8;
            }
            ask(&changed);
        }
    }
}

#[test]
fn code_of_chance_is_code() {
    let mut chance = Chance(7);
    let targets: Vec<u32> = (0..=8).collect();
    for isa in 1..=5 {
        assert!(open_code(isa, &[], ptr::null()).is_ok_and(|file| !everything(&file, &targets).is_empty()));
        for round in 0..40 {
            let len = (chance.next() % 64) as usize * 4;
            let code = chance.bytes(len);
            let descriptors: Vec<u32> = (0..round % 5).map(|_| chance.next() as u32).collect();
            let with = CodeOptions {
                flags: if isa == 5 { round % 2 } else { 0 },
                kind: round % 7,
                descriptors: descriptors.as_ptr(),
                descriptor_count: descriptors.len(),
                ..code_options()
            };
            match open_code(isa, &code, &with) {
                Ok(file) => assert!(!everything(&file, &targets).is_empty()),
                Err(why) => assert_eq!(why.code, "raw.header"),
            }
        }
    }
}

/// Inputs of chance, and those that nest without end.
#[test]
fn inputs_of_chance_are_told() {
    let mut chance = Chance(11);
    let alphabet = br#"{}[]":,0123456789abcvinor -"#;
    let file = open(&sample("passthrough.shbin")).unwrap();
    for _ in 0..2000 {
        let len = chance.next() % 40;
        let text: String =
            (0..len).map(|_| char::from(alphabet[chance.next() as usize % alphabet.len()])).collect();
        if let Err(why) = run(&file, 0, &text, 100) {
            assert_eq!(why.status, Status::Inputs);
        }
    }
    let deep = "[".repeat(100_000);
    assert_eq!(run(&file, 0, &deep, 100).unwrap_err().status, Status::Inputs);
}
