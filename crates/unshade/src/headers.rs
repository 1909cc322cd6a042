//! Program headers of the Switch in the tree of a file: under the code that they stand in front of.

use std::collections::BTreeMap;
use unshade_containers::{Container, Node};
use unshade_isa::maxwell::header::{Field, Header, WORDS};

/// What a header is called; where code has several, with a number behind it.
pub(crate) const NAME: &str = "program_header";

/// Bytes of a header.
const LEN: u64 = 4 * WORDS as u64;

/// Adds the fields of the program headers of a container to its tree, each below the node that holds its bytes.
pub(crate) fn add_headers(tree: &mut Node, container: &Container) {
    let headers: BTreeMap<u64, Header> = container
        .stages()
        .filter_map(|stage| {
            let header = Header::read(&stage.interface.maxwell.as_deref()?.header)?;
            Some((stage.code.file_offset.checked_sub(LEN)?, header))
        })
        .collect();
    if !headers.is_empty() {
        add(tree, &headers);
    }
}

fn add(root: &mut Node, headers: &BTreeMap<u64, Header>) {
    let mut open = vec![root];
    while let Some(node) = open.pop() {
        if node.children.is_empty() {
            let end = node.end();
            let inside = headers.range(node.offset..end);
            let fitting = inside.filter(|(at, _)| at.saturating_add(LEN) <= end);
            node.children = fitting.map(|(at, header)| describe(*at, header)).collect();
            // Code of several programs, as a DKSH has: each header has a path of its own.
            if let [_, _, ..] = node.children[..] {
                for (number, child) in node.children.iter_mut().enumerate() {
                    child.name = format!("{NAME}[{number}]");
                }
            }
        } else {
            open.extend(node.children.iter_mut());
        }
    }
}

/// A header with its fields. Of the maps of inputs and outputs those are named that hold something.
fn describe(at: u64, header: &Header) -> Node {
    let stage = header.stage().map_or("no", |stage| stage.name());
    let mut node = Node::new(NAME, at).value(format_args!("{stage} stage"));
    node.size = LEN;
    for field in header.fields() {
        let value = header.get(&field);
        let optional = field.at >= 160 || field.path.starts_with("reserved");
        if optional && value == 0 {
            continue;
        }
        let Field { at: bit, len, .. } = field;
        let mut child = Node::new(field.path.to_string(), at + u64::from(bit / 8)).value(field.text(value));
        child.size = u64::from((bit % 8 + len).div_ceil(8));
        node.children.push(child);
    }
    node
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_under_the_code() {
        let mut words = [0; WORDS];
        (words[0], words[6], words[18]) = (0x0006_d462, 0xa, 0xf);
        let header = Header::read(&words).unwrap();
        let mut root = Node::new("file", 0);
        let mut code = Node::new("code", 0x100);
        code.size = 0x100;
        root.children.push(code);
        add(&mut root, &BTreeMap::from([(0x130, header), (0x1F0, header)]));
        let found = &root.children[0].children;
        assert_eq!(found.len(), 1);
        let named = |name: &str| found[0].children.iter().find(|node| node.name == name).unwrap();
        assert_eq!(named("kills_pixels").value.as_deref(), Some("true"));
        let generic = named("imap.generic[0]");
        assert_eq!((generic.offset, generic.size), (0x130 + 24, 1));
        assert_eq!(generic.value.as_deref(), Some("xy perspective"));
        assert_eq!(named("omap.target[0]").value.as_deref(), Some("xyzw"));
        assert!(found[0].children.iter().all(|node| node.name != "imap.generic[1]"));
        let mut root = Node::new("file", 0);
        root.size = 0x200;
        add(&mut root, &BTreeMap::from([(0x30, header), (0x100, header)]));
        let names: Vec<&str> = root.children.iter().map(|node| &*node.name).collect();
        assert_eq!(names, ["program_header[0]", "program_header[1]"]);
    }
}
