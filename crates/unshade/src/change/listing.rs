//! A listing put into the file that it is a listing of: whole containers, the programs of an archive, one program.

use super::{
    assemble_for,
    program::{Change, ChangeError, finish, single, targets},
};
use crate::code::replace_code;
use crate::{
    Inner, ListingKind, OpenError, Opened, UnknownName, WithinError, assemble_into, assemble_listing,
    listing::files::{self, Part},
    open_at, replace_container, replace_file,
};
use std::collections::{BTreeMap, VecDeque};
use unshade_bytes::{Diagnostic, Error, ErrorKind, Location, Severity};
use unshade_containers::{
    Container, Format,
    wrap::nest::{Chain, Rewritten, Source},
};
use unshade_stage::Stage;
use unshade_stage::suggest;

/// Unknown names for which one like it is looked for.
const LIKENED: usize = 5;

/// Puts a listing into the place that `names` choose in a file. Of a whole file it takes the place of the container there; of
/// an archive, each program that the text changes takes the place of the one of its name, and what the archive states of it
/// follows; of several files, each goes to its own; of code, that takes the place of the program `item`. What the text does not
/// change stays as it is, byte for byte, with all wrappers. What does not fit to what is around a program is only reported.
///
/// `name` is what the text is called in messages.
///
/// # Errors
///
/// [`ChangeError::Text`] where the text does not assemble or is the listing of another file; [`ChangeError::Open`] where the
/// file does not open or cannot hold what is new. Nothing is changed then.
pub fn replace_by_listing<'f>(
    file: impl Into<Source<'f>>,
    names: &[String],
    item: Option<&str>,
    (name, text): (&str, &str),
) -> Result<Change, ChangeError> {
    let source = file.into();
    let failed = |findings: Vec<Diagnostic>| ChangeError::Text {
        name: name.to_owned(),
        text: text.to_owned(),
        findings,
    };
    match ListingKind::of(text) {
        None if item.is_none() => {
            let location = Location::Text { source: 0, span: 0..0 };
            let message = "the text does not say what it is a listing of";
            Err(failed(vec![Diagnostic::new(Severity::Error, "listing.kind", location, "", message).note(
                "listings start with `.container`, `.archive`, `.files` or `.isa`; other code goes to a program that is named",
            )]))
        }
        None | Some(ListingKind::Code(_)) => {
            let opened = open_at(source, names)?;
            let (inner, targets) = targets(&opened, item)?;
            let target = single(inner, &targets, item)?;
            let code = assemble_for(target, text).map_err(failed)?;
            let mut container = inner.container.clone();
            replace_code(&mut container, target, &code).map_err(|error| within(inner, error))?;
            finish(source, inner, container, &targets, true)
        }
        Some(ListingKind::Files) => {
            let parts = files::split(text).map_err(failed)?;
            several(source, names, &parts, &failed)
        }
        Some(ListingKind::Container(format)) => {
            let opened = open_at(source, names);
            if opened.as_ref().map_or(0, |opened| opened.containers.len()) == 0 {
                // What is there is no container that is known, and need not be one.
                let bytes = assemble_listing(text).map_err(failed)?.write().map_err(whole)?;
                return Ok(unnamed(replace_file(source, names, bytes)?));
            }
            into_one(source, &opened?, format, text, failed)
        }
        Some(ListingKind::Archive(format)) => {
            into_one(source, &open_at(source, names)?, format, text, failed)
        }
    }
}

fn within(inner: &Inner, error: Error) -> ChangeError {
    OpenError::from(WithinError::new(inner.chain.clone(), error)).into()
}

fn whole(error: Error) -> ChangeError {
    OpenError::from(WithinError::new(Chain::default(), error)).into()
}

/// A change of what has no programs that could be named.
fn unnamed(rewritten: Rewritten) -> Change {
    Change { rewritten, programs: Vec::new(), findings: Vec::new() }
}

/// Puts the listing of one container into the one that is meant.
fn into_one(
    source: Source<'_>,
    opened: &Opened,
    format: &str,
    text: &str,
    failed: impl Fn(Vec<Diagnostic>) -> ChangeError,
) -> Result<Change, ChangeError> {
    let inner = match opened.containers.as_slice() {
        [only] => only,
        several => {
            let mut alike = several.iter().filter(|inner| is_called(&inner.container, format));
            match (alike.next(), alike.next()) {
                (Some(only), None) => only,
                (first, _) => {
                    let wanted = match first {
                        Some(_) => format!("single `{format}` file; name one of them"),
                        None => format!("`{format}` file"),
                    };
                    let known = several.iter().map(|inner| format!(":{}", files::name(inner))).collect();
                    return Err(OpenError::from(UnknownName { wanted, known }).into());
                }
            }
        }
    };
    let change = put(source, inner, text).map_err(|problem| problem.told(failed))?;
    Ok(change.unwrap_or_else(|| unnamed(Rewritten { bytes: source.bytes.to_vec(), notes: Vec::new() })))
}

/// Whether a listing calls the format of a container so. Objects of the 3DS have a name of their own there.
fn is_called(container: &Container, format: &str) -> bool {
    let name = container.format().name();
    format.eq_ignore_ascii_case(name) || (name == "shbin" && format.eq_ignore_ascii_case("dvoj"))
}

/// Why a listing does not go into a container.
enum Problem {
    /// What is wrong in the text.
    Text(Vec<Diagnostic>),
    /// What is wrong with the file.
    File(ChangeError),
}

impl Problem {
    fn told(self, failed: impl Fn(Vec<Diagnostic>) -> ChangeError) -> ChangeError {
        match self {
            Self::Text(findings) => failed(findings),
            Self::File(error) => error,
        }
    }
}

/// Puts the listing of a container into it; `None` where the text changes nothing.
fn put(source: Source<'_>, inner: &Inner, text: &str) -> Result<Option<Change>, Problem> {
    let of_file = |error| Problem::File(within(inner, error));
    match ListingKind::with_place(text) {
        Some((ListingKind::Container(format), span)) => {
            if !is_called(&inner.container, format) {
                let found = inner.container.format().name();
                let location = Location::Text { source: 0, span };
                let message = format!("this is a listing of a `{format}`, and the file is a `{found}`");
                let finding = Diagnostic::new(Severity::Error, "listing.container", location, "", message);
                return Err(Problem::Text(vec![finding]));
            }
            let container = assemble_listing(text).map_err(Problem::Text)?;
            if container.write().map_err(of_file)? == inner.container.write().map_err(of_file)? {
                return Ok(None);
            }
            let rewritten = replace_container(source, inner, &container);
            rewritten.map(|rewritten| Some(unnamed(rewritten))).map_err(|error| Problem::File(error.into()))
        }
        _ => {
            let mut container = inner.container.clone();
            let changed = assemble_into(&mut container, text).map_err(Problem::Text)?;
            if changed.is_empty() {
                return Ok(None);
            }
            let targets: Vec<Stage<'_>> = changed.iter().filter_map(|id| inner.container.stage(id)).collect();
            finish(source, inner, container, &targets, true).map(Some).map_err(Problem::File)
        }
    }
}

/// Puts the listings of several containers into them, from the front on: what is put into one may move those behind it,
/// and a container that others lie behind has their bytes too.
fn several(
    source: Source<'_>,
    names: &[String],
    parts: &[Part<'_>],
    failed: &impl Fn(Vec<Diagnostic>) -> ChangeError,
) -> Result<Change, ChangeError> {
    let mut opened = open_at(source, names)?;
    let formats = |opened: &Opened| -> Vec<Format> {
        opened.containers.iter().map(|inner| inner.container.format()).collect()
    };
    let known = formats(&opened);
    let mut all = unnamed(Rewritten { bytes: source.bytes.to_vec(), notes: Vec::new() });
    for (at, part) in places(&opened, parts).map_err(failed)? {
        let now = Source { bytes: &all.rewritten.bytes, dictionaries: source.dictionaries };
        let Some(inner) = opened.containers.get(at) else { continue };
        let change = put(now, inner, part.text)
            .map_err(|problem| problem.told(|findings| failed(files::of_part(findings, part))))?;
        let Some(change) = change else { continue };
        all.rewritten.bytes = change.rewritten.bytes;
        all.rewritten.notes.extend(change.rewritten.notes);
        all.programs.extend(change.programs);
        all.findings.extend(change.findings);
        let now = Source { bytes: &all.rewritten.bytes, dictionaries: source.dictionaries };
        opened = open_at(now, names)?;
        if formats(&opened) != known {
            let expected = format!("{} containers behind the change, as before it", known.len());
            let found = opened.containers.len().to_string();
            let error = Error::new(ErrorKind::Unrepresentable, 0, "", expected, found);
            return Err(whole(error.code("listing.files")));
        }
    }
    Ok(all)
}

/// Which of the containers each listing is for, in the order of the containers.
fn places<'p, 't>(
    opened: &Opened,
    parts: &'p [Part<'t>],
) -> Result<Vec<(usize, &'p Part<'t>)>, Vec<Diagnostic>> {
    let mut left: BTreeMap<&str, VecDeque<usize>> = BTreeMap::new();
    for (at, inner) in opened.containers.iter().enumerate() {
        left.entry(files::name(inner)).or_default().push_back(at);
    }
    let (mut found, mut findings) = (Vec::new(), Vec::new());
    for part in parts {
        // Two files may have one name; then the first listing is that of the first.
        if let Some(at) = left.get_mut(part.name.as_str()).and_then(VecDeque::pop_front) {
            found.push((at, part));
            continue;
        }
        let location = Location::Text { source: 0, span: part.at.clone() };
        let message = match left.contains_key(part.name.as_str()) {
            true => format!("`{}` stands in the listing twice", part.name),
            false => format!("the file holds no `{}`", part.name),
        };
        let finding = Diagnostic::new(Severity::Error, "listing.files", location, part.name.clone(), message);
        let near = match findings.len() < LIKENED {
            true => suggest(&part.name, left.keys().copied().filter(|name| *name != part.name), 1),
            false => Vec::new(),
        };
        findings.push(match near.first() {
            Some(near) => finding.note(format!("there is `{near}`")),
            None => finding,
        });
    }
    found.sort_by_key(|(at, _)| *at);
    if findings.is_empty() { Ok(found) } else { Err(findings) }
}
