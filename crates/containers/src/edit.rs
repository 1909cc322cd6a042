//! Fields of a container, set by the paths that its tree prints: all of them or none.
//!
//! A field is set in the bytes of the file, where its [`Coding`](crate::Coding) says how they hold its value. Then the file
//! is read again, and has to have the same structure: every field of it at the same place. So whatever is not asked
//! for stays as it was, byte for byte, and a count that other things depend on cannot be changed alone.

use crate::{Container, Node};
use std::{collections::BTreeMap, ops::Range};
use unshade_bytes::{Diagnostic, Error, ErrorKind, Location, Result, Severity};

/// A field that shall have a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Setting {
    /// Path of the field, as the tree has it: `dvle[0].outputs[1].semantic`.
    pub path: String,
    /// Its value, as the tree prints it or as a person would say it.
    pub value: String,
}

/// A field that got another value.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Changed {
    /// Path of the field.
    pub path: String,
    /// Its bytes in the file that was edited.
    pub place: Range<u64>,
    /// Its value before.
    pub old: String,
    /// Its value now.
    pub new: String,
}

/// A field of the file that is edited.
struct Field<'n> {
    node: &'n Node,
    place: Range<usize>,
}

impl Container {
    /// The container with other values in some fields, and which of them changed.
    ///
    /// # Errors
    /// [`ErrorKind::BadValue`] with the path where there is no such field, it cannot hold the value, its value follows
    /// from something else, or the file would get another structure or a new error.
    pub fn set(&self, settings: &[Setting]) -> Result<(Self, Vec<Changed>)> {
        let bytes = self.write()?;
        let tree = self.tree();
        let fields = fields(&tree, bytes.len());
        let mut edited = bytes.clone();
        let mut taken: Vec<(Range<usize>, &str)> = Vec::new();
        for setting in settings {
            let field = find(&fields, &tree, setting)?;
            let old = bytes.get(field.place.clone()).unwrap_or_default();
            let coding = field.node.coding;
            let new = coding
                .encode(&setting.value, old, self.byte_order())
                .map_err(|refusal| refused(setting, field.node.offset, refusal.expected, refusal.found))?;
            if let Some((_, other)) =
                taken.iter().find(|(place, _)| place.start < field.place.end && field.place.start < place.end)
            {
                let found = format!("{other}, set at the same time");
                return Err(refused(setting, field.node.offset, "a field that is set once", found));
            }
            taken.push((field.place.clone(), &setting.path));
            if let Some(place) = edited.get_mut(field.place.clone()) {
                place.copy_from_slice(&new);
            }
        }
        let container = reread(&edited, settings)?;
        let after = container.tree();
        same_structure(&tree, &after, settings)?;
        no_new_errors(self, &container)?;
        let values = values(&after);
        let changed = settings.iter().filter_map(|setting| {
            let field = fields.get(&setting.path)?;
            let (old, new) = (field.node.value.clone()?, values.get(&setting.path)?.clone());
            let place = field.node.offset..field.node.end();
            let differs = bytes.get(field.place.clone()) != edited.get(field.place.clone());
            differs.then(|| Changed { path: setting.path.clone(), place, old, new })
        });
        let changed = changed.collect();
        Ok((container, changed))
    }
}

/// The leaves of a tree with bytes in the file, by their paths.
fn fields(tree: &Node, len: usize) -> BTreeMap<String, Field<'_>> {
    let mut fields = BTreeMap::new();
    tree.walk(|path, node| {
        let place = usize::try_from(node.offset).ok().zip(usize::try_from(node.end()).ok());
        if let Some((start, end)) = place.filter(|&(_, end)| node.children.is_empty() && end <= len) {
            fields.insert(path.to_owned(), Field { node, place: start..end });
        }
    });
    fields
}

fn values(tree: &Node) -> BTreeMap<String, String> {
    let mut values = BTreeMap::new();
    tree.walk(|path, node| {
        values.insert(path.to_owned(), node.value.clone().unwrap_or_default());
    });
    values
}

fn find<'f, 'n>(
    fields: &'f BTreeMap<String, Field<'n>>,
    tree: &Node,
    setting: &Setting,
) -> Result<&'f Field<'n>> {
    if let Some(field) = fields.get(&setting.path) {
        return Ok(field);
    }
    let mut inner = None;
    tree.walk(|path, node| {
        if path == setting.path {
            let names: Vec<_> = node.children.iter().take(8).map(|child| child.name.as_str()).collect();
            inner = Some((node.offset, names.join(", ")));
        }
    });
    match inner {
        Some((offset, names)) => {
            Err(refused(setting, offset, "a single field", format!("a structure of {names}")))
        }
        None => Err(refused(setting, 0, "the path of a field that `show` prints", near(fields, setting))),
    }
}

/// What the path that is not there may have meant.
fn near(fields: &BTreeMap<String, Field<'_>>, setting: &Setting) -> String {
    let mut prefix = setting.path.as_str();
    loop {
        let mut known = fields.keys().filter(|path| path.starts_with(prefix)).take(4).peekable();
        if known.peek().is_some() && !prefix.is_empty() {
            let known: Vec<_> = known.map(String::as_str).collect();
            return format!("none of that name; there are {}, ...", known.join(", "));
        }
        match prefix.rfind(['.', '[']) {
            Some(end) => prefix = prefix.get(..end).unwrap_or_default(),
            None => return "none of that name".to_owned(),
        }
    }
}

fn reread(bytes: &[u8], settings: &[Setting]) -> Result<Container> {
    let broken = |found: String| match settings {
        [only] => refused(only, 0, "a value with which the file can be read", found),
        _ => Error::new(ErrorKind::BadValue, 0, "", "values with which the file can be read", found)
            .code("edit.structure"),
    };
    let container = Container::read(bytes).map_err(|error| broken(error.to_string()))?;
    match container.write()? == bytes {
        true => Ok(container),
        false => Err(broken("a file that would be written in another way".to_owned())),
    }
}

/// Every field is where it was.
fn same_structure(before: &Node, after: &Node, settings: &[Setting]) -> Result<()> {
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
    let paths: Vec<_> = settings.iter().map(|setting| setting.path.as_str()).collect();
    let (path, offset) = match before.get(first).or(after.get(first)) {
        Some((path, offset, _)) => (path.as_str(), *offset),
        None => ("", 0),
    };
    let found = format!("{path} would not be where it is");
    let expected = "a value that leaves the structure of the file as it is";
    Err(Error::new(ErrorKind::BadValue, offset, paths.join(", "), expected, found).code("edit.structure"))
}

/// What was right stays right.
pub(crate) fn no_new_errors(before: &Container, after: &Container) -> Result<()> {
    let errors = |container: &Container| -> Vec<Diagnostic> {
        container.check().into_iter().filter(|found| found.severity == Severity::Error).collect()
    };
    let known = errors(before);
    let new = errors(after)
        .into_iter()
        .find(|found| !known.iter().any(|old| old.code == found.code && old.path == found.path));
    match new {
        Some(found) => Err(Error::new(
            ErrorKind::BadValue,
            match &found.location {
                Location::Bytes(place) => place.start,
                _ => 0,
            },
            found.path.clone(),
            "a file without errors that it had not before",
            format!("{} ({})", found.message, found.code),
        )
        .code("edit.error")),
        None => Ok(()),
    }
}

fn refused(
    setting: &Setting,
    offset: u64,
    expected: impl Into<std::borrow::Cow<'static, str>>,
    found: impl Into<String>,
) -> Error {
    Error::new(ErrorKind::BadValue, offset, setting.path.clone(), expected, found.into()).code("edit.value")
}
