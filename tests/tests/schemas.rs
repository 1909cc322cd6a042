//! The JSON documents: their schemas are committed, and what the commands print follows them.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

use std::fs;
use unshade_tests::corpus;

#[test]
fn schemas_are_committed() {
    let folder = corpus::root().join("docs/schema");
    let bless = std::env::var_os("BLESS").is_some();
    for (name, schema) in unshade::report::schemas() {
        let path = folder.join(format!("{name}.json"));
        let text = serde_json::to_string_pretty(&schema).unwrap() + "\n";
        if bless {
            fs::create_dir_all(&folder).unwrap();
            fs::write(&path, &text).unwrap();
        }
        let committed = fs::read_to_string(&path).unwrap_or_default().replace("\r\n", "\n");
        assert_eq!(committed, text, "{} is not the schema; BLESS=1 writes it anew", path.display());
    }
}

/// The state is described field by field, and the example is one.
#[test]
fn the_state_is_described() {
    let root = corpus::root();
    let text = fs::read_to_string(root.join("docs/state.md")).unwrap();
    let (_, schema) = unshade::report::schemas().into_iter().find(|(name, _)| *name == "state").unwrap();
    let schema = serde_json::to_value(schema).unwrap();
    let fields: Vec<&String> = schema["properties"].as_object().unwrap().keys().collect();
    assert!(fields.len() > 25, "{fields:?}");
    for field in fields {
        assert!(text.contains(&format!("`{field}`")), "docs/state.md says nothing of {field}");
    }
    let example = text.split("```json").nth(1).unwrap().split("```").next().unwrap();
    let mut stage = unshade::raw_stage(unshade::Isa::Latte, vec![0; 4], Vec::new());
    unshade::apply_state(&mut stage, example).unwrap();
    assert_eq!(stage.interface.latte.unwrap().frag_coord, Some(2));
}
