//! What the functions do with what they are meant for.
#![allow(unsafe_code)]

use crate::door::*;
use std::{ffi::CString, ptr};
use unshade_capi::{doors::*, *};

#[test]
fn versions_are_told() {
    assert_eq!(unshade_abi_version(), UNSHADE_ABI_VERSION);
    let text = Text { data: unshade_version(), len: env!("CARGO_PKG_VERSION").len() };
    assert_eq!(told(text), env!("CARGO_PKG_VERSION"));
}

#[test]
fn programs_are_listed() {
    let bytes = sample("shared_transform.shbin");
    let file = open(&bytes).unwrap();
    // The bytes are the library's own by now.
    drop(bytes);
    assert_eq!(unshade_stage_count(Some(&file)), 3);
    let infos: Vec<StageInfo> = (0..3).map(|index| info(&file, index).unwrap()).collect();
    let items: Vec<String> = infos.iter().map(|info| told(info.item)).collect();
    assert_eq!(items, ["#0", "#1", "#2"]);
    let kinds: Vec<u32> = infos.iter().map(|info| info.kind).collect();
    assert_eq!(kinds, [Kind::Vertex as u32, Kind::Vertex as u32, Kind::Geometry as u32]);
    assert!(infos.iter().all(|info| info.isa == Isa::Pica200 as u32 && info.size == size_of::<StageInfo>()));
    assert!(infos.iter().all(|info| info.code_bytes == infos[0].code_bytes && info.code_bytes % 4 == 0));
    let found = check(&file);
    let known = unshade::report::check(&sample("shared_transform.shbin")[..], &[], None).diagnostics;
    assert_eq!((found.len(), known.len()), (1, 1));
    assert_eq!((found[0].severity, found[0].place), (Severity::Warning as u32, Place::Bytes as u32));
    assert_eq!((&found[0].code[..], &found[0].path), (&*known[0].code, &known[0].path));
    unshade_close(Some(file));
}

#[test]
fn everything_is_what_the_library_says() {
    let bytes = sample("phong.frag.mbs");
    let file = open(&bytes).unwrap();
    let opened = unshade::open(&bytes[..]).unwrap();
    let (_, stage) = opened.stages(None).next().unwrap();
    let listing = unshade::disassemble_stage_to_text(&stage, &unshade::ListingOptions::default());
    assert_eq!(disassemble(&file, 0, 0).unwrap(), listing);
    let words = disassemble(&file, 0, UNSHADE_LIST_WORDS | UNSHADE_LIST_OFFSETS).unwrap();
    assert!(words.len() > listing.len());
    let mut texts = Vec::new();
    for target in 0..=8 {
        let made = decompile(&file, 0, target, 0).unwrap();
        if target == Target::Spirv as u32 {
            assert_eq!(made[..4], [3, 2, 0x23, 7]);
        } else {
            texts.push(String::from_utf8(made).unwrap());
        }
    }
    assert!(texts[3].starts_with("#version 100") && texts[2].starts_with("#version 300 es"), "{}", texts[3]);
    assert!(
        texts[0].contains("#frag: fragment program, mali-pp") && texts[0].contains("reflect"),
        "{}",
        texts[0]
    );
    texts.sort();
    texts.dedup();
    assert_eq!(texts.len(), 8);
    let strict = String::from_utf8(decompile(&file, 0, 0, UNSHADE_DECOMPILE_STRICT).unwrap()).unwrap();
    assert_ne!(strict, texts[0]);
    let opengl = decompile(&file, 0, 0, UNSHADE_DECOMPILE_OPENGL).unwrap();
    assert_ne!(opengl, decompile(&file, 0, 0, UNSHADE_DECOMPILE_VULKAN).unwrap());
    let json = String::from_utf8(decompile(&file, 0, 3, UNSHADE_DECOMPILE_JSON).unwrap()).unwrap();
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["schema"], "unshade-decompile-1");
    assert!(json["items"][0]["interface"].as_array().unwrap().iter().any(|binding| binding["name"] == "u_l"));
}

#[test]
fn programs_run() {
    let file = open(&sample("passthrough.shbin")).unwrap();
    let outputs = run(&file, 0, r#"{"v": {"0": "3f800000 40000000 40400000 3f800000"}}"#, 0).unwrap();
    let json: serde_json::Value = serde_json::from_str(&outputs).unwrap();
    assert_eq!(json["cases"][0]["out"]["o"]["0"], "3f800000 40000000 40400000 3f800000", "{outputs}");
    let outputs = run(&file, 0, "", 1).unwrap();
    assert!(outputs.contains("unfinished"), "{outputs}");
    let why = run(&file, 0, r#"{"v": {"0": "round"}}"#, 0).unwrap_err();
    assert_eq!((why.status, &why.code[..], &why.path[..]), (Status::Inputs, "run-json", "in.v.0"));
    let why = run(&file, 0, "{", 0).unwrap_err();
    assert_eq!((why.status, why.offset), (Status::Inputs, UNSHADE_NO_OFFSET));
    // SAFETY: no inputs at all are allowed.
    let none = out(|text, error| unsafe { unshade_run(Some(&file), 0, ptr::null(), 0, text, error) });
    assert!(text(none.unwrap()).contains("unshade-run-1"));
}

#[test]
fn wrapped_files_open_by_themselves() {
    let bytes = sample("nested.szs");
    let file = open(&bytes).unwrap();
    let count = unshade_stage_count(Some(&file));
    assert!(count > 1);
    let item = told(info(&file, 0).unwrap().item);
    assert!(item.starts_with(':'), "{item}");
    let one = open_at(&bytes, &item).unwrap();
    assert_eq!(unshade_stage_count(Some(&one)), 1);
    assert_eq!(told(info(&one, 0).unwrap().item), item);
    assert_eq!(info(&one, 0).unwrap().hash, info(&file, 0).unwrap().hash);
    let why = open_at(&bytes, ":nothing").unwrap_err();
    assert_eq!((why.status, &why.code[..]), (Status::UnknownName, "open.unknown-name"));
    let why = open_at(&bytes, "#999").unwrap_err();
    assert_eq!((why.status, &why.path[..]), (Status::UnknownName, "#999"));
    let why = open_at(&bytes, "nothing").unwrap_err();
    assert_eq!((why.status, &why.path[..]), (Status::Argument, "place"));
}

#[test]
fn dictionaries_are_taken() {
    let (bytes, dictionaries) = (sample("options_dict.bfsha.zs"), sample("ZsDic.pack.zs"));
    let why = open(&bytes).unwrap_err();
    assert!(why.message.contains("dictionary"), "{why:?}");
    let with =
        OpenOptions { dictionary: dictionaries.as_ptr(), dictionary_size: dictionaries.len(), ..options() };
    let file = open_with(&bytes, &with).unwrap();
    assert!(unshade_stage_count(Some(&file)) > 0);
    assert_eq!(check(&file).iter().filter(|found| found.severity == Severity::Error as u32).count(), 0);
    let why = open_with(&bytes, &OpenOptions { dictionary_size: 3, ..with }).unwrap_err();
    assert_eq!(why.code, "zstd.no-dictionary");
}

#[test]
fn bare_code_opens() {
    let file = open(&sample("shared_transform.shbin")).unwrap();
    let opened = unshade::open(&sample("shared_transform.shbin")[..]).unwrap();
    let stage = opened.stages(Some("1")).next().unwrap().1;
    let code: Vec<u8> = stage.code.words.iter().flat_map(|word| word.to_le_bytes()).collect();
    let with = CodeOptions {
        kind: Kind::Vertex as u32,
        entry: stage.code.entry,
        descriptors: stage.code.descriptors.as_ptr(),
        descriptor_count: stage.code.descriptors.len(),
        ..code_options()
    };
    let bare = open_code(Isa::Pica200 as u32, &code, &with).unwrap();
    let (of_file, of_code) = (info(&file, 1).unwrap(), info(&bare, 0).unwrap());
    assert_eq!((of_code.code_bytes, of_code.kind), (of_file.code_bytes, of_file.kind));
    assert_eq!((told(of_code.item), told(of_code.name)), ("#0".to_owned(), String::new()));
    assert!(String::from_utf8(decompile(&bare, 0, 0, 0).unwrap()).unwrap().contains("void main()"));
    assert!(run(&bare, 0, "", 0).unwrap().contains("\"out\""));
    let why = open_code(Isa::Pica200 as u32, &code[..6], ptr::null()).unwrap_err();
    assert_eq!((why.status, why.offset, &why.code[..]), (Status::Damaged, 4, "raw.size"));
    let why = open_code(Isa::Pica200 as u32, &code, &CodeOptions { entry: 1 << 20, ..with }).unwrap_err();
    assert_eq!((why.status, &why.path[..]), (Status::Argument, "entry"));
}

#[test]
fn headers_say_what_code_is_for() {
    let bytes = sample("two_stages.bnsh");
    let opened = unshade::open(&bytes[..]).unwrap();
    for (_, stage) in opened.stages(None) {
        let header = &stage.interface.maxwell.as_deref().unwrap().header;
        let words = header.iter().chain(stage.code.words.iter());
        let code: Vec<u8> = words.flat_map(|word| word.to_le_bytes()).collect();
        let with = CodeOptions { flags: UNSHADE_CODE_HEADER, ..code_options() };
        let bare = open_code(Isa::Maxwell as u32, &code, &with).unwrap();
        let told = info(&bare, 0).unwrap();
        let kind = if stage.kind == unshade::StageKind::Vertex { Kind::Vertex } else { Kind::Fragment };
        assert_eq!((told.kind, told.code_offset), (kind as u32, 80));
        assert_eq!(told.code_bytes, stage.code.words.len() as u64 * 4);
        decompile(&bare, 0, 0, 0).unwrap();
        let why = open_code(Isa::Maxwell as u32, &code[..76], &with).unwrap_err();
        assert_eq!((why.status, why.offset, &why.code[..]), (Status::Damaged, 76, "raw.header"));
        let why = open_code(Isa::Maxwell as u32, &[0; 88], &with).unwrap_err();
        assert_eq!((why.status, why.offset, &why.code[..]), (Status::Damaged, 0, "raw.header"));
        let why = open_code(Isa::Latte as u32, &code, &with).unwrap_err();
        assert_eq!((why.status, &why.path[..]), (Status::Argument, "flags"));
    }
}

#[test]
fn surroundings_are_said_by_hand() {
    let bytes = sample("blur.gsh");
    let (state, profile) = (CString::new(r#"{"frag_coord": 2}"#).unwrap(), CString::new("mesa").unwrap());
    let with = OpenOptions { state: state.as_ptr(), profile: profile.as_ptr(), ..options() };
    assert!(unshade_stage_count(Some(&open_with(&bytes, &with).unwrap())) > 0);
    let wrong = CString::new(r#"{"colour": 2}"#).unwrap();
    let why = open_with(&bytes, &OpenOptions { state: wrong.as_ptr(), ..with }).unwrap_err();
    assert_eq!((why.status, &why.code[..], &why.path[..]), (Status::Inputs, "state", "colour"));
    let wrong = CString::new("round").unwrap();
    let why = open_with(&bytes, &OpenOptions { profile: wrong.as_ptr(), ..with }).unwrap_err();
    assert_eq!((why.status, &why.path[..]), (Status::Argument, "profile"));
}

/// What was given away stays when the file is closed, and may be freed in any order.
#[test]
fn things_are_freed_in_any_order() {
    for order in 0..6 {
        let file = open(&sample("lighting.shbin")).unwrap();
        let listing = out(|text, error| unshade_disassemble(Some(&file), 0, 0, text, error)).unwrap();
        let findings = out(|list, error| unshade_check(Some(&file), list, error)).unwrap();
        let (mut file, mut listing, mut findings) = (Some(file), Some(listing), Some(findings));
        for step in [order % 3, (order + 1 + order / 3) % 3, (order + 2 - order / 3) % 3] {
            match step {
                0 => unshade_close(file.take()),
                1 => {
                    let made = listing.take().unwrap();
                    assert!(text(made).contains("dp4"));
                }
                _ => unshade_findings_free(findings.take()),
            }
        }
        assert!(file.is_none() && listing.is_none() && findings.is_none());
    }
}

#[test]
fn threads_share_a_file() {
    for name in ["surface.sharcfb", "phong.frag.mbs", "two_stages.bnsh"] {
        let file = open(&sample(name)).unwrap();
        let alone = everything(&file, &[0, 4]);
        std::thread::scope(|scope| {
            let all: Vec<_> = (0..4).map(|_| scope.spawn(|| everything(&file, &[0, 4]))).collect();
            for thread in all {
                assert!(thread.join().unwrap() == alone, "{name}");
            }
        });
    }
}
