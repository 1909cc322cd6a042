//! docs/latte-hardware.md says of every operation who decides what it does. The interpreter and the lift share what they say of
//! arithmetic and fetches, so that a source outside is all that can find a wrong rule.

use crate::corpus::recorded;
use std::collections::{BTreeMap, BTreeSet};
use unshade_isa_latte::{AluOp, CfOp, FetchOp, Layout, Program, Uses};

/// Who may decide.
const SOURCES: [&str; 5] = ["files", "recorded", "Mesa", "AMD", "emulators"];

/// The table: each operation with who decides.
fn table() -> BTreeMap<String, String> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/latte-hardware.md");
    let text = std::fs::read_to_string(path).unwrap();
    for source in SOURCES {
        assert!(text.contains(&format!("- **{source}**: ")), "{source} is not explained");
    }
    let (_, table) = text.split_once("\n## Operations\n").unwrap();
    let mut found = BTreeMap::new();
    for row in table.lines().take_while(|line| !line.starts_with("## ")) {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        let [_, operations, decided, _] = cells[..] else { continue };
        // Names stand between grave accents: every second piece.
        for name in operations.split('`').skip(1).step_by(2) {
            assert!(SOURCES.iter().any(|source| decided.contains(source)), "{name}: {decided}");
            assert_eq!(found.insert(name.to_owned(), decided.to_owned()), None, "{name} stands twice");
        }
    }
    found
}

fn operations() -> BTreeSet<&'static str> {
    let alu = AluOp::ALL.iter().map(|op| op.name());
    let flow = CfOp::ALL.iter().map(|op| op.name());
    alu.chain(flow).chain(FetchOp::ALL.iter().map(|op| op.name())).collect()
}

#[test]
fn every_operation_has_a_source() {
    let table = table();
    for name in operations() {
        assert!(table.contains_key(name), "{name} has no source");
    }
    for name in table.keys() {
        assert!(operations().contains(name.as_str()), "{name} is not an operation");
    }
}

/// What the table calls recorded is in a program with recorded results, and nothing else is.
#[test]
fn recorded_operations_are_in_recorded_programs() {
    let programs = recorded();
    if programs.is_empty() {
        return;
    }
    let mut seen = BTreeSet::new();
    for words in &programs {
        let program = Program::new(words);
        seen.extend(Uses::new(&program, &Layout::new(&program)).operations.into_keys());
    }
    let known = operations();
    for (name, decided) in table() {
        assert!(known.contains(name.as_str()));
        let is_seen = seen.iter().any(|seen| *seen == name);
        assert_eq!(decided.contains("recorded"), is_seen, "{name}: {decided}");
    }
    let alu = AluOp::ALL.iter().filter(|op| seen.iter().any(|seen| *seen == op.name())).count();
    println!("{} programs: {alu} of {} arithmetic operations", programs.len(), AluOp::ALL.len());
}
