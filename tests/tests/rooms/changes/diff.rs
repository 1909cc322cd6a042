//! Differences: none where there are none, every one where there are some.

use crate::changes::related::{self, Numbers};
use std::{collections::BTreeSet, fs, time::Instant};
use unshade::{
    Container, ListingOptions, Node,
    diff::{Difference, PartFate, Place, ProgramFate, align_listings},
};
use unshade_tests::corpus;

fn diff(old: &[u8], new: &[u8]) -> Difference {
    let place = |bytes| Place { source: bytes, names: &[], item: None };
    unshade::diff(&place(old.into()), &place(new.into())).unwrap()
}

#[test]
fn the_same_is_the_same() {
    for path in related::files("diff of a file with itself") {
        let bytes = fs::read(&path).unwrap();
        let found = diff(&bytes, &bytes);
        assert!(found.same && found.files.is_empty(), "{}: {found:?}", path.display());
    }
}

/// Differences of related files are told without an end that never comes, the one way and the other, and never as none.
#[test]
fn related_files_differ() {
    let started = Instant::now();
    let files = related::files("diff of related files");
    let mut compared = 0;
    for (old, new) in related::pairs(&files, 3, 60) {
        let (a, b) = (fs::read(&old).unwrap(), fs::read(&new).unwrap());
        for (a, b) in [(&a, &b), (&b, &a)] {
            let found = diff(a, b);
            assert_eq!(found.same, a == b, "{} {}", old.display(), new.display());
            compared += 1;
        }
    }
    assert!(compared > 10);
    eprintln!("{compared} pairs in {:?}", started.elapsed());
}

/// The leaves of a tree that a number could be set in.
fn settable(tree: &Node) -> Vec<(String, String)> {
    let mut fields = Vec::new();
    tree.walk(|path, node| {
        if node.children.is_empty() && matches!(node.coding, unshade_containers::FieldEncoding::Number) {
            fields.push((path.to_owned(), node.value.clone().unwrap_or_default()));
        }
    });
    fields
}

/// Random fields are set, as `edit` sets them; each is told by its path with both values.
#[test]
fn every_edit_is_told() {
    let mut numbers = Numbers(11);
    let mut told = 0;
    for path in related::files("diff of edited files") {
        let bytes = fs::read(&path).unwrap();
        let Ok(container) = Container::read(&bytes) else { continue };
        if container.write().as_deref() != Ok(&bytes[..]) {
            continue;
        }
        let fields = settable(&container.tree());
        for _ in 0..3 {
            let mut edited = container.clone();
            let mut changes = Vec::new();
            for _ in 0..3 {
                let Some((path, _)) = fields.get(numbers.below(fields.len())) else { break };
                let value = numbers.below(100).to_string();
                let setting = unshade::Setting { path: path.clone(), value };
                // What the format does not take is not the matter here.
                if let Ok((next, changed)) = edited.set(&[setting]) {
                    edited = next;
                    changes.extend(changed);
                }
            }
            let after = edited.write().unwrap();
            let found = diff(&bytes, &after);
            assert_eq!(found.same, bytes == after);
            let fields: Vec<_> = found
                .files
                .iter()
                .flat_map(|file| &file.containers)
                .flat_map(|container| &container.fields)
                .collect();
            let values = |tree: &Node, path: &str| {
                let mut value = None;
                tree.walk(|at, node| {
                    if at == path {
                        value = node.value.clone();
                    }
                });
                value
            };
            for change in &changes {
                let (old, new) =
                    (values(&container.tree(), &change.path), values(&edited.tree(), &change.path));
                if old == new {
                    continue;
                }
                assert!(
                    fields.iter().any(|field| field.path == change.path
                        && Some(&field.old) == old.as_ref()
                        && Some(&field.new) == new.as_ref()),
                    "{}: {change:?} is not told: {fields:?}",
                    path.display()
                );
                told += 1;
            }
        }
    }
    assert!(told > 20, "{told}");
}

/// A uniform's entry that went to the front of its table is the same entry, and no other one is different.
#[test]
fn what_moved_is_told_as_moved() {
    let path = corpus::root().join("samples/lighting.shbin");
    let bytes = fs::read(path).unwrap();
    let parts = unshade::extract(&Container::read(&bytes).unwrap()).unwrap();
    let line = "    { name = \"lights\", first = 112, last = 112 },\n";
    let manifest = parts.manifest().replacen(line, "", 1).replacen(
        "uniforms = [\n",
        &format!("uniforms = [\n{line}"),
        1,
    );
    let mut moved = parts.clone();
    moved.insert(unshade::Parts::MANIFEST, manifest);
    let moved = unshade::build(&moved).unwrap().write().unwrap();
    assert_ne!(moved, bytes);
    let found = diff(&bytes, &moved);
    let container = &found.files[0].containers[0];
    let uniforms: Vec<_> = container
        .parts
        .iter()
        .filter(|part| part.new_path.as_ref().is_some_and(|path| path.starts_with("dvle[0].uniforms")))
        .collect();
    assert_eq!(uniforms.len(), 1, "{:?}", container.parts);
    assert!(matches!(uniforms[0].fate, PartFate::Moved | PartFate::MovedAndChanged));
    assert_eq!(uniforms[0].old_path.as_deref(), Some("dvle[0].uniforms[10]"));
    assert_eq!(uniforms[0].new_path.as_deref(), Some("dvle[0].uniforms[0]"));
}

/// An entry that is put in front of a table is one entry more.
#[test]
fn what_was_put_in_front_is_one_more() {
    let path = corpus::root().join("samples/surface.sharcfb");
    let bytes = fs::read(path).unwrap();
    let container = Container::read(&bytes).unwrap();
    let parts = unshade::extract(&container).unwrap();
    let manifest = parts.manifest();
    // The second program's name becomes the first of the list of programs.
    let at = manifest.find("[[program]]").unwrap();
    let (head, programs) = manifest.split_at(at);
    let next = programs[1..].find("[[program]]").unwrap() + 1;
    let swapped = format!("{head}{}\n{}", programs[next..].trim_end(), &programs[..next]);
    let mut other = parts.clone();
    other.insert(unshade::Parts::MANIFEST, swapped);
    let other = unshade::build(&other).unwrap().write().unwrap();
    let found = diff(&bytes, &other);
    let container = &found.files[0].containers[0];
    let moved: Vec<_> = container.parts.iter().filter(|part| part.fate != PartFate::Added).collect();
    assert!(moved.iter().all(|part| part.fate != PartFate::Removed), "{:?}", container.parts);
    assert!(!moved.is_empty());
    // The programs are the same under other names, or at other places.
    let fates: BTreeSet<_> = container.programs.iter().map(|program| program.fate as u8).collect();
    assert!(fates.iter().all(|&fate| fate == ProgramFate::Moved as u8), "{:?}", container.programs);
}

/// Each side of an alignment is the listing that it is made of.
#[test]
fn rows_are_the_listings() {
    let files = related::files("listings beside each other");
    let (mut pairs, mut rows_seen) = (0, 0);
    for (old, new) in related::pairs(&files, 4, 20) {
        let opened = |path| {
            unshade::open(&fs::read(path).unwrap()).map(|opened| opened.containers).unwrap_or_default()
        };
        let (before, after) = (opened(old), opened(new));
        let stages = |containers: &[unshade::Inner]| -> Vec<_> {
            containers
                .iter()
                .flat_map(|inner| inner.container.stages())
                .take(2)
                .map(|stage| unshade::disassemble_stage(&stage, &ListingOptions::default()))
                .collect()
        };
        for (a, b) in stages(&before).iter().zip(&stages(&after)) {
            let rows = align_listings(a, b).rows;
            let side = |which: fn(&unshade::diff::Row) -> Option<usize>, listing: &unshade::text::Listing| {
                let lines: Vec<_> = listing.lines().map(|line| line.text).collect();
                rows.iter().filter_map(which).map(|at| format!("{}\n", lines[at])).collect::<String>()
            };
            assert_eq!(side(|row| row.old, a), a.text());
            assert_eq!(side(|row| row.new, b), b.text());
            pairs += 1;
            rows_seen += rows.len();
        }
    }
    assert!(pairs > 3 && rows_seen > 50, "{pairs} {rows_seen}");
}
