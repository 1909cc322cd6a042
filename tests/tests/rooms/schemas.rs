//! The JSON documents: their schemas are committed, and what the commands print follows them.

use std::fs;
use unshade_catalog::row::{COLUMNS, Column, Kind};
use unshade_tests::corpus;

#[test]
fn schemas_are_committed() {
    let folder = corpus::root().join("docs/schema");
    let bless = std::env::var_os("BLESS").is_some();
    for (name, schema) in unshade::report::schemas().into_iter().chain(unshade_catalog::schemas()) {
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

/// The columns of catalogs are described, in their order and in the words that the tables have.
#[test]
fn the_columns_are_described() {
    let path = corpus::root().join("docs/catalog.md");
    let text = fs::read_to_string(&path).unwrap();
    let mut table = String::from("| column | holds | what it means |\n|---|---|---|\n");
    for Column { name, kind, meaning, .. } in COLUMNS {
        let kind = match kind {
            Kind::Text => "text",
            Kind::Number => "number",
        };
        table.push_str(&format!("| `{name}` | {kind} | {meaning} |\n"));
    }
    let start = text.find("| column |").unwrap();
    let end = start + text[start..].find("\n\n").unwrap() + 1;
    if std::env::var_os("BLESS").is_some() {
        fs::write(&path, format!("{}{table}{}", &text[..start], &text[end..])).unwrap();
    } else {
        assert_eq!(&text[start..end], table, "BLESS=1 writes the table of {} anew", path.display());
    }
    for scheme in unshade_catalog::emulators::Scheme::ALL {
        assert!(
            text.contains(&format!("`{}`", scheme.name())),
            "{} says nothing of {}",
            path.display(),
            scheme.name()
        );
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
