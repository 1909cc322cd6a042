//! Patches of fields: the structure stays as it is, some fields hold something else.

use super::{
    FailedHunk, FieldHunk, Fingerprint, counted, hash,
    pieces::{Cutter, joined},
    token,
};
use crate::diff::structure::{Flat, Side, list};
use std::{collections::HashMap, ops::Range};
use unshade_bytes::{Result, limits::Budget};
use unshade_containers::{Container, Node};

/// So many equal bytes between two ranges make them two.
const APART: usize = 8;
/// Values longer than this are not remarked.
const REMARKED: usize = 24;

/// The hunks that make `new` of `old`, which are files of these containers; `None` where a field has another place or
/// bytes without a field differ.
pub(super) fn make(
    old: (&Container, &[u8]),
    new: (&Container, &[u8]),
    cutter: &Cutter<'_>,
) -> Option<Vec<FieldHunk>> {
    if old.1.len() != new.1.len() || old.0.format() != new.0.format() {
        return None;
    }
    let (tree, after) = (old.0.tree(), new.0.tree());
    let leaves = |tree: &Node| {
        let mut leaves = Vec::new();
        tree.walk(|path, node| {
            if node.children.is_empty() {
                leaves.push((path.to_owned(), node.offset, node.size));
            }
        });
        leaves
    };
    if leaves(&tree) != leaves(&after) {
        return None;
    }
    let file = Fields::new(&tree, old.1);
    let mut values = HashMap::new();
    after.walk(|path, node| drop(values.insert(path.to_owned(), node.value.clone())));
    let mut hunks = Vec::new();
    // What fields that share bytes have in common is told once.
    let mut told = old.1.to_vec();
    for leaf in &file.leaves {
        for range in ranges(told.get(leaf.place.clone())?, new.1.get(leaf.place.clone())?) {
            let place = leaf.place.start + range.start..leaf.place.start + range.end;
            let bytes = &new.1[place.clone()];
            let value = values.get(&leaf.path).cloned().flatten();
            hunks.push(FieldHunk {
                path: token(&leaf.path),
                offset: range.start as u64,
                len: range.len() as u64,
                old: hash(&old.1[place.clone()]),
                entry: leaf.entry,
                name: leaf.name,
                new: cutter.pieces(bytes),
                remark: value
                    .filter(|value| leaf.place.len() <= 8 && value.len() <= REMARKED)
                    .map(|value| value.escape_debug().to_string()),
            });
            told[place].copy_from_slice(bytes);
        }
    }
    (told == new.1).then_some(hunks)
}

/// The ranges of a field that differ: all of a number, words of longer ones, so that no two patches make a value together
/// that neither has.
fn ranges(old: &[u8], new: &[u8]) -> Vec<Range<usize>> {
    let len = old.len();
    let word = match len {
        0..=8 => len.max(1),
        _ if len.is_multiple_of(8) => 8,
        _ if len.is_multiple_of(4) => 4,
        _ => 1,
    };
    let mut ranges: Vec<Range<usize>> = Vec::new();
    for at in old.iter().zip(new).enumerate().filter(|(_, (a, b))| a != b).map(|(at, _)| at) {
        match ranges.last_mut() {
            Some(last) if at < last.end + APART => last.end = last.end.max(at / word * word + word),
            _ => ranges.push(at / word * word..at / word * word + word),
        }
    }
    ranges
}

/// The fields of a file.
struct Fields {
    leaves: Vec<Leaf>,
    /// Leaves by the path without the numbers of entries.
    lists: HashMap<String, Vec<usize>>,
    /// Leaves by their paths as words.
    paths: HashMap<String, usize>,
}

struct Leaf {
    path: String,
    place: Range<usize>,
    /// Hash of what its entry holds.
    entry: u64,
    /// Hash of its entry's name.
    name: Option<u64>,
}

impl Fields {
    fn new(tree: &Node, bytes: &[u8]) -> Self {
        let flat = Flat::new(&Side { tree, bytes, code: &[] });
        let mut fields = Self { leaves: Vec::new(), lists: HashMap::new(), paths: HashMap::new() };
        for at in (1..flat.items.len()).filter(|&at| flat.is_leaf(at)) {
            let node = flat.items[at].node;
            let place = usize::try_from(node.offset).ok().zip(usize::try_from(node.end()).ok());
            let Some((start, end)) = place.filter(|&(_, end)| end <= bytes.len()) else { continue };
            let mut entry = at;
            // A leaf that is an entry itself changes with it: what is around it says where it is.
            loop {
                entry = flat.items[entry].parent;
                if entry == 0 || list(&flat.items[entry].node.name) != flat.items[entry].node.name {
                    break;
                }
            }
            let path = flat.path(at);
            let number = fields.leaves.len();
            fields.lists.entry(list_path(&token(&path))).or_default().push(number);
            fields.paths.insert(token(&path), number);
            let name = if entry == 0 { None } else { flat.name(entry).map(|name| hash(name.as_bytes())) };
            fields.leaves.push(Leaf { path, place: start..end, entry: flat.items[entry].content, name });
        }
        fields.leaves.iter_mut().for_each(|leaf| leaf.path.shrink_to_fit());
        fields
    }
}

/// A path without the numbers of entries: `dvle[].outputs[].mask`.
fn list_path(path: &str) -> String {
    let mut out = String::with_capacity(path.len());
    let mut inside = false;
    for c in path.chars() {
        match c {
            '[' => {
                inside = true;
                out.push('[');
            }
            ']' => {
                inside = false;
                out.push(']');
            }
            c if !inside => out.push(c),
            _ => {}
        }
    }
    out
}

/// The bytes of the file with the hunks done to them; those that find no place are told.
pub(super) fn apply(
    container: &Container,
    bytes: &[u8],
    outermost: &[u8],
    hunks: &[FieldHunk],
    budget: &mut Budget,
    failed: &mut Vec<FailedHunk>,
) -> Result<Vec<u8>> {
    let tree = container.tree();
    let fields = Fields::new(&tree, bytes);
    let behind = if bytes == outermost { &[] } else { outermost };
    let mut out = bytes.to_vec();
    for hunk in hunks {
        let place = match find(&fields, bytes, hunk, budget)? {
            Ok(place) => place,
            Err(found) => {
                let expected = Fingerprint { len: hunk.len, hash: hunk.old }.words();
                failed.push(FailedHunk { place: hunk.path.clone(), expected, found });
                continue;
            }
        };
        match joined(&[bytes, behind], &hunk.new, budget)? {
            Ok(new) if new.len() == place.len() => out[place].copy_from_slice(&new),
            Ok(new) => {
                let expected = format!("{} in their place", counted(hunk.len, "byte"));
                failed.push(FailedHunk {
                    place: hunk.path.clone(),
                    expected,
                    found: counted(new.len() as u64, "byte"),
                });
            }
            Err(missing) => failed.extend(missing.iter().map(|missing| missing.failed(&hunk.path))),
        }
    }
    Ok(out)
}

/// The place of a hunk's bytes, or what is found instead.
fn find(
    fields: &Fields,
    bytes: &[u8],
    hunk: &FieldHunk,
    budget: &mut Budget,
) -> Result<std::result::Result<Range<usize>, String>> {
    let place = |leaf: &Leaf| -> Option<Range<usize>> {
        let start = leaf.place.start.checked_add(usize::try_from(hunk.offset).ok()?)?;
        let end = start.checked_add(usize::try_from(hunk.len).ok()?)?;
        (end <= leaf.place.end).then_some(start..end)
    };
    let stands = |leaf: &Leaf, budget: &mut Budget| -> Result<bool> {
        budget.charge(hunk.len.saturating_add(16), 0, "hunks of a patch")?;
        Ok(place(leaf).is_some_and(|place| hash(&bytes[place]) == hunk.old))
    };
    let there = fields.paths.get(&hunk.path).map(|&at| &fields.leaves[at]);
    // The entry as it was, at its place; as it was, elsewhere; of its name; at its place.
    if let Some(leaf) = there.filter(|leaf| leaf.entry == hunk.entry)
        && stands(leaf, budget)?
    {
        return Ok(place(leaf).ok_or_else(String::new));
    }
    let list = fields.lists.get(&list_path(&hunk.path)).map(Vec::as_slice).unwrap_or_default();
    let kinds: [&dyn Fn(&Leaf) -> bool; 2] =
        [&|leaf| leaf.entry == hunk.entry, &|leaf| hunk.name.is_some() && leaf.name == hunk.name];
    for kind in kinds {
        let mut found = Vec::new();
        for leaf in list.iter().map(|&at| &fields.leaves[at]) {
            budget.charge(1, 0, "hunks of a patch")?;
            if kind(leaf) && stands(leaf, budget)? {
                found.push(leaf);
            }
        }
        match found.as_slice() {
            [] => {}
            [leaf] => return Ok(place(leaf).ok_or_else(String::new)),
            several => {
                // The same path is the better one of entries that are alike.
                if let Some(leaf) = several.iter().find(|leaf| token(&leaf.path) == hunk.path) {
                    return Ok(place(leaf).ok_or_else(String::new));
                }
                return Ok(Err(format!("{} places where they stand", several.len())));
            }
        }
    }
    let Some(leaf) = there else { return Ok(Err("no such field".to_owned())) };
    let named_so = hunk.name.is_none() || leaf.name.is_none() || leaf.name == hunk.name;
    match place(leaf) {
        Some(place) if !named_so => {
            Ok(Err(format!("another entry there, and bytes that hash to {:016x}", hash(&bytes[place]))))
        }
        Some(place) if stands(leaf, budget)? => Ok(Ok(place)),
        Some(place) => Ok(Err(format!("bytes that hash to {:016x}", hash(&bytes[place])))),
        None => Ok(Err(format!("a field of {}", counted(leaf.place.len() as u64, "byte")))),
    }
}
