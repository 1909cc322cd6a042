//! docs/maxwell-hardware.md says of every operation who decides what it does.

use std::collections::BTreeMap;
use unshade_isa_maxwell::Form;

/// Who may decide.
const SOURCES: [&str; 7] = ["console", "PTX", "ptxas", "nvdisasm", "recorded", "Mesa", "emulators"];

#[test]
fn every_operation_has_a_source() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/maxwell-hardware.md");
    let text = std::fs::read_to_string(path).unwrap();
    let (_, table) = text.split_once("\n## Operations\n").unwrap();
    let mut found: BTreeMap<&str, &str> = BTreeMap::new();
    for row in table.lines().take_while(|line| !line.starts_with("## ")) {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        let [_, operations, decided, _] = cells[..] else { continue };
        // Names stand between grave accents: every second piece.
        for name in operations.split('`').skip(1).step_by(2) {
            assert!(SOURCES.iter().any(|source| decided.contains(source)), "{name}: {decided}");
            assert_eq!(found.insert(name, decided), None, "{name} stands twice");
        }
    }
    for form in Form::ALL {
        assert!(found.contains_key(form.name()), "{} has no source", form.name());
    }
    for name in found.keys() {
        assert!(Form::ALL.iter().any(|form| form.name() == *name), "{name} is no operation");
    }
}

/// Every source that a row names is one that the head explains.
#[test]
fn sources_are_explained() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/maxwell-hardware.md");
    let text = std::fs::read_to_string(path).unwrap();
    for source in SOURCES {
        assert!(text.contains(&format!("- **{source}**: ")), "{source}");
    }
}
