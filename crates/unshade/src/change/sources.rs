//! Sources of an archive of sources, replaced, added and removed: texts, whose bytes go into the file as they are.

use super::{
    program::{Addition, Change, ChangeError, ChangedProgram, change, within},
    source::Replacement,
};
use crate::{Inner, OpenError, Opened, UnknownName, sources::no_source};
use unshade_bytes::{Error, ErrorKind};
use unshade_containers::{
    Container,
    sharc::{Sharc, Source as Text},
    wrap::nest::Source,
};

/// The archive of sources that was opened, where nothing else was.
pub(super) fn archive(opened: &Opened) -> Option<(&Inner, &Sharc)> {
    match opened.containers.as_slice() {
        [inner] => match &inner.container {
            Container::Sharc(archive) => Some((inner, archive)),
            _ => None,
        },
        _ => None,
    }
}

/// What stands in front of the items of a container.
fn front(inner: &Inner) -> String {
    inner.name.as_ref().map(|name| format!(":{name}")).unwrap_or_default()
}

/// The one source that a name means, or the only one where there is no name.
fn one<'a>(archive: &'a Sharc, front: &str, item: Option<&str>) -> Result<&'a Text, ChangeError> {
    let found: Vec<&Text> = match item {
        Some(item) => archive.sources_named(item).into_iter().map(|(_, source)| source).collect(),
        None => archive.sources().map(|(_, source)| source).collect(),
    };
    match (found.as_slice(), item) {
        ([only], _) => Ok(only),
        ([], Some(item)) => Err(OpenError::from(no_source(archive, front, item)).into()),
        (several, item) => {
            let wanted =
                item.map_or_else(|| "single source".to_owned(), |item| format!("single {front}#{item}"));
            let known = several.iter().map(|source| format!("{front}#{}", source.title())).collect();
            Err(OpenError::from(UnknownName { wanted, known }).into())
        }
    }
}

/// The bytes of a source that something stands for; `name` is that of the source whose place it takes.
fn bytes_of(inner: &Inner, new: &Replacement, name: Option<&str>) -> Result<Vec<u8>, ChangeError> {
    match new {
        Replacement::Text { text, .. } => Ok(text.as_bytes().to_vec()),
        Replacement::Bytes { bytes, .. } => Ok(bytes.clone()),
        Replacement::Programs { container, item } => match container.as_ref() {
            Container::Sharc(other) => {
                let same = name.filter(|name| item.is_none() && !other.sources_named(name).is_empty());
                Ok(one(other, "", item.as_deref().or(same))?.bytes().to_vec())
            }
            _ => Err(within(inner, no_text("compiled programs"))),
        },
        Replacement::Words(_) => Err(within(inner, no_text("code words"))),
    }
}

fn no_text(found: &'static str) -> Error {
    let expected = "a text: the archive holds sources";
    Error::new(ErrorKind::BadValue, 0, "", expected, found).code("replace.source")
}

/// Gives a source another text.
pub(super) fn replace(
    source: Source<'_>,
    inner: &Inner,
    archive: &Sharc,
    item: Option<&str>,
    new: &Replacement,
) -> Result<Change, ChangeError> {
    let front = front(inner);
    let old = one(archive, &front, item)?;
    let text = bytes_of(inner, new, Some(&old.title()))?;
    let mut container = inner.container.clone();
    let title = old.title();
    container.put_source(item.unwrap_or(&title), &text).map_err(|error| within(inner, error))?;
    let changed = ChangedProgram {
        item: format!("{front}#{title}"),
        before: Some(old.bytes().len() as u64),
        after: Some(text.len() as u64),
        changed: old.bytes() != text,
    };
    change(source, inner, &container, vec![changed], Vec::new(), false)
}

/// Adds a source, or a copy of a program or source.
pub(super) fn add(
    source: Source<'_>,
    inner: &Inner,
    archive: &Sharc,
    addition: Addition,
) -> Result<Change, ChangeError> {
    let failed = |error: Error| within(inner, error);
    let wrong = |expected: &'static str, found: String| {
        failed(Error::new(ErrorKind::BadValue, 0, "", expected, found).code("add.source"))
    };
    if let Some((name, value)) = addition.values.first() {
        let expected = "no values: `edit` sets macros of an archive of sources";
        return Err(wrong(expected, format!("{name} = {value}")));
    }
    let from = addition.from.as_deref().map(|from| from.trim_start_matches('#'));
    let mut container = inner.container.clone();
    let (name, bytes) = match (from, addition.programs.as_slice()) {
        (Some(from), []) => {
            if archive.item(from).is_none() {
                return Err(OpenError::from(no_source(archive, &front(inner), from)).into());
            }
            let mut new = container.copy_of(from).map_err(failed)?;
            new.name = addition.name;
            container.add(&new).map_err(failed)?;
            let name = new.name.unwrap_or_else(|| from.to_owned());
            let copied = archive.sources_named(from);
            let is_source = archive.sources().any(|(_, source)| source.title() == from);
            let bytes = copied.first().filter(|_| is_source).map_or(0, |(_, source)| source.bytes().len());
            (name, bytes)
        }
        (None, [new]) => {
            let name = addition.name.or_else(|| file_name(new));
            let Some(name) = name else { return Err(wrong("a name for the source (--name)", "none".into())) };
            let bytes = bytes_of(inner, new, None)?;
            let text = Text::new(name.as_bytes(), &bytes).map_err(failed)?;
            container.add_source(text).map_err(failed)?;
            (name, bytes.len())
        }
        (from, programs) => {
            let expected = "one text, or a program or source to copy (--from ITEM)";
            let found = format!("{} texts{}", programs.len(), from.map_or("", |_| " and one to copy"));
            return Err(wrong(expected, found));
        }
    };
    let item = format!("{}#{name}", front(inner));
    let added = ChangedProgram { item, before: None, after: Some(bytes as u64), changed: true };
    change(source, inner, &container, vec![added], Vec::new(), false)
}

/// The name of the file that a text is from.
fn file_name(new: &Replacement) -> Option<String> {
    match new {
        Replacement::Text { name, .. } | Replacement::Bytes { name, .. } => {
            let name = name.rsplit(['/', '\\']).next()?;
            (name != "-" && !name.is_empty()).then(|| name.to_owned())
        }
        Replacement::Programs { item, .. } => item.clone(),
        Replacement::Words(_) => None,
    }
}

/// Takes a program out, or a source that no program has.
pub(super) fn remove(
    source: Source<'_>,
    inner: &Inner,
    archive: &Sharc,
    item: &str,
) -> Result<Change, ChangeError> {
    let front = front(inner);
    if archive.item(item).is_none() {
        return Err(OpenError::from(no_source(archive, &front, item)).into());
    }
    let mut container = inner.container.clone();
    container.remove(item).map_err(|error| within(inner, error))?;
    let is_source = archive.programs().all(|(_, program)| program.text() != item);
    let bytes = archive.sources_named(item).first().filter(|_| is_source).map_or(0, |(_, s)| s.bytes().len());
    let item = format!("{front}#{item}");
    let removed = ChangedProgram { item, before: Some(bytes as u64), after: None, changed: true };
    change(source, inner, &container, vec![removed], Vec::new(), false)
}
