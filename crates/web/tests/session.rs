//! The page's questions, answered without a browser: the same functions that the worker calls.
#![allow(clippy::expect_used, clippy::panic, reason = "tests")]

use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use unshade_web::Session;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples")
}

/// Every sample that is a file of shaders.
fn samples() -> Vec<(String, Vec<u8>)> {
    let texts = ["md", "vert", "frag", "pica", "latte", "maxwell", "vsh"];
    let mut found: Vec<(String, Vec<u8>)> = std::fs::read_dir(folder())
        .expect("samples")
        .map(|entry| entry.expect("entry").path())
        .filter(|path| !path.extension().is_some_and(|end| texts.iter().any(|text| end == *text)))
        .map(|path| {
            let name = path.file_name().expect("name").to_string_lossy().into_owned();
            let bytes = std::fs::read(&path).expect("sample");
            (name, bytes)
        })
        .collect();
    found.sort();
    assert!(found.len() > 20, "found {}", found.len());
    found
}

fn opened(name: &str) -> (Session, u32) {
    let mut session = Session::new();
    let file = session.open(name, std::fs::read(folder().join(name)).expect("sample"));
    (session, file)
}

fn ask(session: &mut Session, question: &str, arguments: Value) -> Value {
    let text = session
        .call(question, &arguments.to_string())
        .unwrap_or_else(|failure| panic!("{question}: {failure:?}"));
    serde_json::from_str(&text).expect("JSON")
}

#[test]
fn every_byte_of_every_sample_leads_to_the_field_that_has_it() {
    for (name, bytes) in samples() {
        let mut session = Session::new();
        let file = session.open(&name, bytes);
        let Ok(trees) = session.call("trees", &json!({ "file": file }).to_string()) else { continue };
        let trees: Vec<Value> = serde_json::from_str(&trees).expect("JSON");
        for (tree, root) in trees.iter().enumerate() {
            let size = root["bytes"].as_u64().expect("size");
            let window = json!({ "file": file, "tree": tree, "from": 0, "count": size });
            assert_eq!(session.window(&window.to_string()).expect("bytes").len() as u64, size, "{name}");
            let runs = ask(&mut session, "owners", window);
            let mut end = 0;
            for run in runs.as_array().expect("runs") {
                let (from, to) = (run["start"].as_u64().expect("start"), run["end"].as_u64().expect("end"));
                assert!(end <= from && from < to && to <= size, "{name}: {run}");
                end = to;
                let byte = json!({ "file": file, "tree": tree, "from": from });
                let found = ask(&mut session, "at", byte);
                let first = found["field"]["offset"].as_u64().expect("offset");
                let last = first + found["field"]["size"].as_u64().expect("size");
                assert!(first <= from && to <= last, "{name}: {run} is not in {found}");
                assert_eq!(found["path"], run["path"], "{name}");
                // The path that findings and `show` print leads to the same place.
                let front = root["inner"].as_str().map(|inner| format!(":{inner} ")).unwrap_or_default();
                let path = format!("{front}{}", run["path"].as_str().expect("path"));
                let again = ask(&mut session, "find", json!({ "file": file, "path": path.trim_end() }));
                // Wrappers around each other have one name: a path that both have is that of the outer one.
                let outer = trees.iter().position(|other| other["inner"] == root["inner"]) == Some(tree);
                if outer {
                    assert_eq!(again["way"], found["way"], "{name}: {path}");
                } else {
                    assert_eq!(again["path"], found["path"], "{name}: {path}");
                }
            }
        }
    }
}

#[test]
fn programs_are_listed_disassembled_and_decompiled() {
    for (name, bytes) in samples() {
        let mut session = Session::new();
        let file = session.open(&name, bytes);
        let Ok(listed) = session.call("ls", &json!({ "file": file }).to_string()) else { continue };
        let listed: Value = serde_json::from_str(&listed).expect("JSON");
        for item in listed["files"][0]["items"].as_array().expect("items") {
            let at = json!({ "file": file, "item": item["item"] });
            let text = session.call("disasm", &at.to_string()).expect("listing");
            assert!(text.contains(".isa"), "{name}: {text}");
            session.call("decompile", &at.to_string()).expect("source");
            // What was printed assembles.
            let mut whole = at.clone();
            whole["text"] = text.into();
            let checked = ask(&mut session, "asm-check", whole);
            assert_eq!(checked["findings"], json!([]), "{name} {item}");
        }
    }
}

#[test]
fn findings_in_a_text_have_places() {
    let (mut session, file) = opened("lighting.shbin");
    let at = json!({ "file": file, "item": "#0" });
    let text = session.call("disasm", &at.to_string()).expect("listing");
    let wrong = text.replacen(" mov ", " moov ", 1);
    assert_ne!(wrong, text);
    let checked = ask(&mut session, "asm-check", json!({ "file": file, "item": "#0", "text": wrong }));
    let span = &checked["findings"][0]["location"]["text"]["span"];
    let start = span["start"].as_u64().expect("start") as usize;
    assert_eq!(&wrong[start..start + 4], "moov");
    let failure = session
        .call("asm", &json!({ "file": file, "item": "#0", "text": wrong }).to_string())
        .expect_err("a wrong text");
    assert!(!failure.findings.is_empty());
}

#[test]
fn a_changed_file_is_another_one_and_the_old_stays() {
    let (mut session, file) = opened("lighting.shbin");
    let before = session.bytes(file).expect("bytes").to_vec();
    let names = ask(&mut session, "names", json!({ "file": file }));
    assert!(
        names["names"].as_array().expect("names").iter().any(|thing| thing["name"] == "uniforms.ambient")
    );
    let set = json!({ "file": file, "set": [["uniforms.ambient", "0.5, 0.25, 0, 1"]] });
    let made = ask(&mut session, "edit", set);
    let new = made["file"].as_u64().expect("number") as u32;
    assert_ne!(session.bytes(new).expect("bytes"), before);
    assert_eq!(session.bytes(file).expect("bytes"), before);
    let found = ask(&mut session, "diff", json!({ "old": { "file": file }, "new": { "file": new } }));
    assert_eq!(found["same"], false);
    session.close(new);
    assert!(session.bytes(new).is_err());
}

#[test]
fn dictionaries_of_one_file_serve_the_next() {
    let (mut session, _) = opened("ZsDic.pack.zs");
    let packed = std::fs::read(folder().join("options_dict.bfsha.zs")).expect("sample");
    let file = session.open("options_dict.bfsha.zs", packed);
    let listed = ask(&mut session, "ls", json!({ "file": file }));
    assert!(!listed["files"][0]["items"].as_array().expect("items").is_empty());
}

#[test]
fn what_cannot_be_answered_is_said() {
    let mut session = Session::new();
    let file = session.open("noise", vec![0x41; 100]);
    let failure = session.call("ls", &json!({ "file": file }).to_string()).expect_err("noise");
    assert!(failure.message.contains("expected"), "{}", failure.message);
    for (question, arguments) in
        [("ls", "{"), ("ls", "{\"file\": 9}"), ("sing", "{}"), ("fields", "[]"), ("pick", "null")]
    {
        assert!(!session.call(question, arguments).expect_err("a refusal").message.is_empty());
    }
}

#[test]
fn materials_find_their_programs() {
    let (mut session, file) = opened("model.bfres");
    let materials = ask(&mut session, "materials", json!({ "file": file }));
    let all = materials.as_array().expect("materials");
    assert!(!all.is_empty());
    for material in all {
        let asked = json!({ "file": file, "models": file, "names": material["names"] });
        let found = ask(&mut session, "pick-material", asked);
        let found = &found["files"][0];
        assert_eq!(
            found["material"],
            *material["names"].as_array().and_then(|names| names.last()).expect("name")
        );
        assert!(!found["skins"].as_array().expect("skins").is_empty(), "{found}");
    }
    let (mut session, file) = opened("lighting.shbin");
    assert_eq!(ask(&mut session, "materials", json!({ "file": file })), json!([]));
}

#[test]
fn a_picture_comes_in_slices_and_is_compared() {
    let (mut session, file) = opened("phong.frag.mbs");
    let refused = session.call("draw-go", &json!({ "steps": 1 }).to_string()).expect_err("nothing yet");
    assert!(refused.message.contains("nothing"), "{refused:?}");
    let pair = ask(&mut session, "draw-open", json!({ "file": file, "item": "#frag", "chosen": "#frag" }));
    assert!(pair["vertex"].as_str().expect("text").contains("preview_projection"));
    let mesh = ask(&mut session, "draw-mesh", json!({ "mesh": "cube" }));
    assert_eq!(mesh["indices"].as_array().map(Vec::len), Some(36));
    assert_eq!(mesh["positions"].as_array().map(Vec::len), Some(72));
    let same: Vec<f32> = (0..16).map(|n| if n % 5 == 0 { 1.0 } else { 0.0 }).collect();
    let uniforms = json!([
        { "name": "preview_projection", "values": same },
        { "name": "preview_world", "values": same },
    ]);
    let scene = json!({ "mesh": "screen", "width": 32, "height": 16, "ground": 0.5, "uniforms": uniforms });
    let mut told = ask(&mut session, "draw-start", json!({ "scene": scene }));
    let mut slices = 0;
    while told["finished"] == false {
        told = ask(&mut session, "draw-go", json!({ "steps": 5000 }));
        slices += 1;
    }
    assert!(slices > 1, "{told}");
    let mut picture = session.picture().expect("a picture");
    assert_eq!(picture.len(), 32 * 16 * 4);
    let same: Value = serde_json::from_str(&session.compare(&picture, 0).expect("numbers")).expect("JSON");
    assert_eq!(same["largest"], 0);
    picture[0] ^= 0x80;
    let other: Value = serde_json::from_str(&session.compare(&picture, 4).expect("numbers")).expect("JSON");
    assert_eq!((other["beyond"].as_u64(), other["largest"].as_u64()), (Some(1), Some(128)));
    assert_eq!(session.difference().len(), picture.len());
    assert!(session.compare(&picture[4..], 0).is_err());
}
