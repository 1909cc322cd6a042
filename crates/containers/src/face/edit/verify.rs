//! What an edited file has to be: readable, of the same structure, with the same code and text, without new errors.

use crate::face::Container;
use crate::shared::{FieldEncoding, Node};
use std::collections::BTreeMap;
use unshade_bytes::{Diagnostic, Error, ErrorKind, Location, Result, Severity};

/// The container that the bytes are, as long as they are written the same way again.
pub(crate) fn reread(bytes: &[u8], paths: &str) -> Result<Container> {
    let broken = |found: String| {
        let expected = "values with which the file can be read";
        Error::unplaced(ErrorKind::BadValue, paths, expected, found).code("edit.structure")
    };
    let container = Container::read(bytes).map_err(|error| broken(error.to_string()))?;
    match container.write()? == bytes {
        true => Ok(container),
        false => Err(broken("a file that would be written in another way".to_owned())),
    }
}

/// Every field is where it was.
pub(super) fn same_structure(before: &Node, after: &Node, paths: &str) -> Result<()> {
    let places = |tree: &Node| {
        let mut places = Vec::new();
        tree.walk(|path, node| {
            if node.children.is_empty() {
                places.push((path.to_owned(), node.offset, node.size));
            }
        });
        places
    };
    let (before, after) = (places(before), places(after));
    let first = before.iter().zip(&after).position(|(old, new)| old != new);
    let first = match first {
        None if before.len() == after.len() => return Ok(()),
        None => before.len().min(after.len()),
        Some(first) => first,
    };
    let (path, offset) = match before.get(first).or(after.get(first)) {
        Some((path, offset, _)) => (path.as_str(), *offset),
        None => ("", 0),
    };
    let found = format!("{path} would not be where it is");
    Err(other(paths, offset, "a value that leaves the structure of the file as it is", found))
}

/// Every text says what it said, but for those that were asked to say something else, by the places that they had.
pub(super) fn same_text(
    before: &Node,
    after: &Node,
    asked: &BTreeMap<u64, Vec<u8>>,
    paths: &str,
) -> Result<()> {
    let texts = |tree: &Node| {
        let mut texts: Vec<(String, u64, String)> = Vec::new();
        tree.walk(|path, node| {
            if node.children.is_empty() && node.coding == FieldEncoding::Text {
                texts.push((path.to_owned(), node.offset, node.value.clone().unwrap_or_default()));
            }
        });
        texts
    };
    let (before, after) = (texts(before), texts(after));
    let expected = "text that leaves all others as they are";
    if before.len() != after.len() {
        let found = format!("{} texts where {} were", after.len(), before.len());
        return Err(other(paths, 0, expected, found));
    }
    for ((path, offset, old), (_, _, new)) in before.iter().zip(&after) {
        let wanted = match asked.get(offset) {
            // The tree prints the start of a long text only.
            Some(text) if text.len() > unshade_bytes::Limits::DEFAULT.name => continue,
            Some(text) => format!("\"{}\"", crate::shared::opaque::escape(text)),
            None => old.clone(),
        };
        if wanted != *new {
            return Err(other(paths, *offset, expected, format!("{path} as {new} where {wanted} was")));
        }
    }
    Ok(())
}

/// Every program has the code that it had.
pub(super) fn same_code(before: &Container, after: &Container, paths: &str) -> Result<()> {
    let (mut old, mut new) = (before.stages(), after.stages());
    let mut count = 0_usize;
    loop {
        let same = match (old.next(), new.next()) {
            (None, None) => return Ok(()),
            (Some(old), Some(new)) => old.code.words == new.code.words && old.kind == new.kind,
            _ => false,
        };
        if !same {
            let found = format!("another one as program {count}");
            return Err(other(paths, 0, "a file with the programs that it has", found));
        }
        count = count.saturating_add(1);
    }
}

/// What was right stays right: no kind of error comes up more often in a place than before. Numbers in paths are not
/// compared, as entries that come or go move those behind them; where names in paths may have changed (`renamed`), nor
/// are paths.
pub(crate) fn no_new_errors(before: &Container, after: &Container, renamed: bool) -> Result<()> {
    let errors = |container: &Container| -> Vec<(String, Diagnostic)> {
        let errors = container.check().into_iter().filter(|found| found.severity == Severity::Error);
        let key = |found: &Diagnostic| {
            let path: String = found.path.chars().filter(|c| !renamed && !c.is_ascii_digit()).collect();
            format!("{} {path}", found.code)
        };
        errors.map(|found| (key(&found), found)).collect()
    };
    let mut known: BTreeMap<String, usize> = BTreeMap::new();
    for (key, _) in errors(before) {
        let count = known.entry(key).or_default();
        *count = count.saturating_add(1);
    }
    let new = errors(after).into_iter().find(|(key, _)| match known.get_mut(key) {
        Some(count) if *count > 0 => {
            *count = count.saturating_sub(1);
            false
        }
        _ => true,
    });
    let Some((_, found)) = new else { return Ok(()) };
    let offset = match &found.location {
        Location::Bytes(place) => place.start,
        _ => 0,
    };
    let (expected, message) =
        ("a file without errors that it had not before", format!("{} ({})", found.message, found.code));
    Err(Error::new(ErrorKind::BadValue, offset, found.path, expected, message).code("edit.error"))
}

fn other(paths: &str, offset: u64, expected: &'static str, found: String) -> Error {
    Error::new(ErrorKind::BadValue, offset, paths, expected, found).code("edit.structure")
}
