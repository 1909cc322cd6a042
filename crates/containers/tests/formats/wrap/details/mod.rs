//! What wrappers say of a file down to the last byte: places, words, alignments, bounds. The files are made here by hand, so
//! that no writer of the crate is believed.
#![allow(clippy::indexing_slicing)]
#![allow(clippy::single_range_in_vec_init, reason = "one place that was found")]

mod folders;
mod layers;
mod nests;
mod places;
mod sarc;
mod sarc_edit;
mod yaz0;
mod yaz0_streams;
mod zstd;

use unshade_bytes::{Diagnostic, Location, Owner};
use unshade_containers::Node;

/// A finding in one line: `warning sarc.size 0x8..0xc size`.
fn line(found: &Diagnostic) -> String {
    let place = match &found.location {
        Location::Bytes(range) => format!("{:#x}..{:#x}", range.start, range.end),
        other => format!("{other:?}"),
    };
    format!("{} {} {place} {}", found.severity, found.code, found.path)
}

/// All findings, a line each.
fn lines(found: &[Diagnostic]) -> Vec<String> {
    found.iter().map(line).collect()
}

/// A structure and its parts, a line each: path, place, value, and what its bytes are where they are no field.
fn fields(node: &Node) -> Vec<String> {
    fn add(node: &Node, path: &str, lines: &mut Vec<String>) {
        let owner = match node.owner {
            Owner::Field => String::new(),
            Owner::Padding(byte) => format!(" (padding {byte})"),
            Owner::Opaque => " (opaque)".to_owned(),
        };
        let value = node.value.as_deref().unwrap_or("-");
        lines.push(format!("{path} {:#x}+{} {value}{owner}", node.offset, node.size));
        for child in &node.children {
            let name = &child.name;
            let path = if name.starts_with('[') { format!("{path}{name}") } else { format!("{path}.{name}") };
            add(child, &path, lines);
        }
    }
    let mut lines = Vec::new();
    add(node, &node.name, &mut lines);
    lines
}

fn sample(name: &str) -> Vec<u8> {
    std::fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/../../samples/").to_owned() + name).unwrap()
}
