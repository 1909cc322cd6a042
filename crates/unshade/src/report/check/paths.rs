//! One path for one thing: findings name fields by the paths that the tree of the file has, which `show` prints and `edit`
//! takes.
//!
//! Most checks know the path of what they look at. Code is checked by its words, whoever holds it, and some rules are about
//! bytes between fields; such a finding gets the path of the smallest part of the tree that holds its bytes.

use std::collections::{BTreeMap, HashSet};
use unshade_bytes::{Diagnostic, Location};
use unshade_containers::Node;

/// Steps of a path that are taken back in search for one that is there.
const STEPS_BACK: usize = 16;

/// Findings that are held against parts of the tree: many parts may share bytes that many findings are about.
const WORK: u64 = 1 << 24;

/// A part of the tree that holds the bytes of a finding.
struct Holder {
    size: u64,
    path: String,
}

/// Gives each finding a path that is in the tree; none where there is none for it.
pub(super) fn settle(tree: &Node, found: &mut [Diagnostic]) {
    let mut wanted: HashSet<String> = HashSet::new();
    for finding in found.iter() {
        wanted.extend(back(&finding.path).map(str::to_owned));
    }
    wanted.remove("");
    if wanted.is_empty() {
        return;
    }
    let mut known: HashSet<String> = HashSet::new();
    // The bytes of findings by their start, each end with the smallest part that holds them.
    let mut places: BTreeMap<u64, Vec<(u64, Option<Holder>)>> = BTreeMap::new();
    for finding in found.iter() {
        if let Location::Bytes(range) = &finding.location {
            let ends = places.entry(range.start).or_default();
            if ends.iter().all(|(end, _)| *end != range.end) {
                ends.push((range.end, None));
            }
        }
    }
    let mut work = WORK;
    tree.walk(|path, node| {
        if wanted.contains(path) {
            known.insert(path.to_owned());
        }
        if node.size == 0 {
            return;
        }
        for ends in places.range_mut(node.offset..node.end()).map(|(_, ends)| ends) {
            if work == 0 {
                return;
            }
            work -= 1;
            for (_, holder) in ends.iter_mut().filter(|(end, _)| *end <= node.end()) {
                if holder.as_ref().is_none_or(|holder| node.size < holder.size) {
                    *holder = Some(Holder { size: node.size, path: path.to_owned() });
                }
            }
        }
    });
    for finding in found {
        if finding.path.is_empty() || known.contains(&finding.path) {
            continue;
        }
        let holder = match &finding.location {
            Location::Bytes(range) => places.get(&range.start).and_then(|ends| {
                let (_, holder) = ends.iter().find(|(end, _)| *end == range.end)?;
                holder.as_ref()
            }),
            _ => None,
        };
        finding.path = match holder {
            Some(holder) => holder.path.clone(),
            None => back(&finding.path).find(|path| known.contains(*path)).unwrap_or_default().to_owned(),
        };
    }
}

/// A path, and those of what it lies in, the longest first.
fn back(path: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(path), |path| path.get(..path.rfind(['.', '['])?)).take(STEPS_BACK)
}

#[cfg(test)]
mod tests {
    use super::*;
    use unshade_bytes::Severity;

    #[test]
    fn findings_get_paths_of_the_tree() {
        let mut root = Node::new("file", 0);
        let mut block = Node::new("blocks[0]", 0);
        block.number("size", 4, 8);
        let mut code = Node::new("code", 4);
        code.number("[0x000]", 32, "");
        code.number("[0x008]", 32, "");
        block.push(code);
        root.push(block);
        let found = |range: std::ops::Range<u64>, path: &str| {
            let location = if range.is_empty() { Location::Whole } else { Location::Bytes(range) };
            let mut list = [Diagnostic::new(Severity::Note, "a", location, path, "")];
            settle(&root, &mut list);
            let [finding] = list;
            finding.path
        };
        assert_eq!(found(0..4, "blocks[0].size"), "blocks[0].size");
        assert_eq!(found(0..4, ""), "");
        // Code by its words, by its whole, beyond all, and what has no bytes.
        assert_eq!(found(8..12, "code[0x1]"), "blocks[0].code[0x000]");
        assert_eq!(found(40..44, "code[0x9]"), "blocks[0].code[0x008]");
        assert_eq!(found(4..68, "code"), "blocks[0].code");
        assert_eq!(found(32..40, "code"), "blocks[0].code");
        assert_eq!(found(68..99, "blocks[0].tail"), "blocks[0]");
        assert_eq!(found(0..0, "blocks[0].code.name"), "blocks[0].code");
        assert_eq!(found(0..0, "elsewhere"), "");
    }
}
