//! Patches applied: all of them or nothing.

use super::{Changes, Fingerprint, Patch, Section, UNPACKED, fields, file_token, parts, pieces::joined};
use crate::{OpenError, Rewritten, UnknownName, open::WithinError};
use std::fmt;
use unshade_bytes::{Diagnostic, Error, ErrorKind, Result, Severity, limits::Budget};
use unshade_containers::{
    Container,
    wrap::nest::{self, Chain, Found, Source, Wrapper, walk},
};

/// What a patch may cost beside what it and its file are worth, in bytes that are looked at.
const WORK: u64 = 256 << 20;
/// How often the bytes of the file and of the patch may be looked at.
const VISITS: u64 = 64;
/// Hunks that are told when they fail.
const TOLD: usize = 1000;

/// A file that a patch was applied to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Applied {
    /// The new file, and what happened to its wrappers.
    pub rewritten: Rewritten,
    /// Whether the old file is the one that the patch was made from; then the new one is the one that it was made for.
    pub exact: bool,
    /// Whether the file was the new one before.
    pub already: bool,
}

/// A hunk that finds no place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FailedHunk {
    /// Where: a field's path, a part and its line, with the name of the file in front.
    pub place: String,
    /// What must stand there.
    pub expected: String,
    /// What stands there.
    pub found: String,
}

impl fmt::Display for FailedHunk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: expected {}, found {}", self.place, self.expected, self.found)
    }
}

/// Why a patch is not applied.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PatchError {
    /// These hunks find no place.
    Failed(Vec<FailedHunk>),
    /// The file does not open, or a wrapper cannot hold the result.
    Open(OpenError),
    /// The patch says what cannot be.
    Patch(Box<Error>),
    /// The new file would have these errors, which the old one has not.
    Errors(Vec<Diagnostic>),
}

impl fmt::Display for PatchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Failed(hunks) => {
                let all: Vec<String> = hunks.iter().map(ToString::to_string).collect();
                f.write_str(&all.join("\n"))
            }
            Self::Open(error) => error.fmt(f),
            Self::Patch(error) => error.fmt(f),
            Self::Errors(found) => {
                let all: Vec<String> = found.iter().map(ToString::to_string).collect();
                write!(f, "the patched file would have errors that it had not before: {}", all.join("; "))
            }
        }
    }
}

impl std::error::Error for PatchError {}

impl From<Error> for PatchError {
    fn from(error: Error) -> Self {
        Self::Patch(Box::new(error))
    }
}

impl From<OpenError> for PatchError {
    fn from(error: OpenError) -> Self {
        Self::Open(error)
    }
}

/// Applies a patch to a file.
///
/// # Errors
///
/// [`PatchError`]: then nothing is made.
pub fn apply<'f>(patch: &Patch, file: impl Into<Source<'f>>) -> std::result::Result<Applied, PatchError> {
    let source = file.into();
    if let Some(error) = unshade_containers::detect(source.bytes).and_then(unshade_containers::Format::locked)
    {
        return Err(error.into());
    }
    let here = Fingerprint::of(source.bytes);
    let exact = here == patch.from;
    if here == patch.to && !exact {
        let rewritten = Rewritten { bytes: source.bytes.to_vec(), notes: Vec::new() };
        return Ok(Applied { rewritten, exact, already: true });
    }
    let worth = (source.bytes.len() as u64).saturating_add(worth(patch)).saturating_mul(VISITS);
    let mut budget = Budget::new(worth.saturating_add(WORK));
    let mut failed = Vec::new();
    let mut current = inside_out(patch, source, exact, &mut budget, &mut failed)?;
    if let Some(rest) = &patch.rest
        && failed.is_empty()
    {
        let now = Fingerprint::of(&current.bytes);
        if now == rest.from {
            let behind = if current.bytes == source.bytes { &[] } else { source.bytes };
            match joined(&[&current.bytes, behind], &rest.pieces, &mut budget)? {
                Ok(bytes) => current.bytes = bytes,
                Err(missing) => failed.extend(missing.iter().map(|missing| missing.failed("rest"))),
            }
        } else if rest.packing && !exact {
            current.notes.push("the wrappers are packed in their own way".to_owned());
        } else {
            let place = "rest (what no file inside explains)".to_owned();
            failed.push(FailedHunk { place, expected: rest.from.words(), found: now.words() });
        }
    }
    failed.truncate(TOLD);
    if !failed.is_empty() {
        return Err(PatchError::Failed(failed));
    }
    let made = Fingerprint::of(&current.bytes);
    if exact && made != patch.to {
        let expected = patch.to.words();
        let found = made.words();
        return Err(Error::new(ErrorKind::BadValue, 0, "to", expected, found).code("patch.result").into());
    }
    Ok(Applied { rewritten: current, exact, already: false })
}

/// The file with the sections of the patch done to the files in it.
fn inside_out(
    patch: &Patch,
    source: Source<'_>,
    exact: bool,
    budget: &mut Budget,
    failed: &mut Vec<FailedHunk>,
) -> std::result::Result<Rewritten, PatchError> {
    let mut current = Rewritten { bytes: source.bytes.to_vec(), notes: Vec::new() };
    for section in &patch.sections {
        let now = Source { bytes: &current.bytes, dictionaries: source.dictionaries };
        let Some((chain, inside)) = locate(now, section) else {
            let place =
                if section.name.is_empty() { "the file".to_owned() } else { format!(":{}", section.name) };
            failed.push(FailedHunk {
                place,
                expected: "one file of that name".to_owned(),
                found: "none, or several".to_owned(),
            });
            continue;
        };
        let first = failed.len();
        let made = within(section, &inside, source.bytes, exact, budget, failed)
            .map_err(|error| in_file(error, &chain))?;
        for hunk in failed.iter_mut().skip(first) {
            if !section.name.is_empty() {
                hunk.place = format!(":{} {}", section.name, hunk.place);
            }
        }
        let Some(made) = made else { continue };
        let next = match chain.0.is_empty() {
            true => Rewritten { bytes: made, notes: Vec::new() },
            false => nest::replace(now, &chain, made)
                .map_err(|error| OpenError::from(WithinError::new(chain.clone(), error)))?,
        };
        current.bytes = next.bytes;
        current.notes.extend(next.notes);
    }
    Ok(current)
}

/// What the sections make of the file that they were made from.
pub(super) fn sections(patch: &Patch, source: Source<'_>) -> Option<Vec<u8>> {
    let mut failed = Vec::new();
    let made = inside_out(patch, source, true, &mut Budget::new(u64::MAX), &mut failed).ok()?;
    failed.is_empty().then_some(made.bytes)
}

/// What a patch holds, in bytes.
fn worth(patch: &Patch) -> u64 {
    use super::PartHunk;
    let pieces = |pieces: &[super::Piece]| -> u64 {
        pieces.iter().fold(64, |sum: u64, piece| {
            sum.saturating_add(32).saturating_add(match piece {
                super::Piece::Bytes(bytes) => bytes.len() as u64,
                super::Piece::Copy { .. } => 0,
            })
        })
    };
    let section = |section: &Section| match &section.changes {
        Changes::Fields(hunks) => hunks.iter().map(|hunk| pieces(&hunk.new)).fold(0, u64::saturating_add),
        Changes::Bytes(all) => pieces(all),
        Changes::Parts(hunks) => hunks
            .iter()
            .map(|hunk| match hunk {
                PartHunk::Lines { new, .. } | PartHunk::Change { new, .. } | PartHunk::Add { new, .. } => {
                    pieces(new)
                }
                _ => 64,
            })
            .fold(0, u64::saturating_add),
    };
    let sections = patch.sections.iter().map(section).fold(0, u64::saturating_add);
    sections.saturating_add(patch.rest.as_ref().map_or(0, |rest| pieces(&rest.pieces)))
}

/// The file that a section means, and the way to it.
pub(super) fn locate(source: Source<'_>, section: &Section) -> Option<(Chain, Vec<u8>)> {
    if section.name == UNPACKED {
        return unpacked(source);
    }
    let mut found = None;
    for file in walk(source, &[]) {
        let Found::File { chain, piece, .. } = file else { continue };
        if chain.name().map(|name| file_token(&name)).unwrap_or_default() == section.name
            && found.replace((chain, piece.bytes(source.bytes).to_vec())).is_some()
        {
            return None;
        }
    }
    // What cannot be unpacked is bytes.
    if found.is_none() && section.name.is_empty() {
        return Some((Chain::default(), source.bytes.to_vec()));
    }
    found
}

/// What is inside of the compression around everything, and the way to it; `None` where there is none around it.
pub(super) fn unpacked(source: Source<'_>) -> Option<(Chain, Vec<u8>)> {
    for found in walk(source, &[]) {
        match found {
            Found::Wrapper { kind: Wrapper::Yaz0 | Wrapper::Zstd, .. } => {}
            Found::Wrapper { chain, piece, .. } | Found::File { chain, piece, .. } => {
                let inside = piece.bytes(source.bytes).to_vec();
                return (!chain.0.is_empty()).then_some((chain, inside));
            }
            _ => return None,
        }
    }
    None
}

/// The file of a section with its changes; `None` where hunks fail.
fn within(
    section: &Section,
    inside: &[u8],
    outermost: &[u8],
    exact: bool,
    budget: &mut Budget,
    failed: &mut Vec<FailedHunk>,
) -> std::result::Result<Option<Vec<u8>>, PatchError> {
    let before = failed.len();
    let behind = if inside == outermost { &[] } else { outermost };
    let made = match &section.changes {
        Changes::Bytes(pieces) => match joined(&[inside, behind], pieces, budget)? {
            Ok(bytes) => bytes,
            Err(missing) => {
                failed.extend(missing.iter().map(|missing| missing.failed("bytes")));
                return Ok(None);
            }
        },
        Changes::Fields(hunks) => {
            let container = Container::read(inside)?;
            let bytes = fields::apply(&container, inside, outermost, hunks, budget, failed)?;
            if failed.len() > before {
                return Ok(None);
            }
            if !exact {
                sound(&container, &bytes)?;
            }
            bytes
        }
        Changes::Parts(hunks) => {
            let container = Container::read(inside)?;
            parts::is_whole(&container, inside)?;
            let Some(new) = parts::apply(&container, inside, outermost, hunks, budget, failed)? else {
                return Ok(None);
            };
            let bytes = new.write()?;
            if !exact {
                sound(&container, &bytes)?;
            }
            bytes
        }
    };
    let is = Fingerprint::of(&made);
    if Fingerprint::of(inside) == section.from && is != section.to {
        let expected = section.to.words();
        let found = is.words();
        return Err(Error::new(ErrorKind::BadValue, 0, "to", expected, found).code("patch.result").into());
    }
    Ok(Some(made))
}

/// A file that another one than the patch's own became: it reads, is written the same, and has no new errors.
fn sound(before: &Container, bytes: &[u8]) -> std::result::Result<(), PatchError> {
    let after = Container::read(bytes)?;
    if let Some(difference) = after.difference(bytes)? {
        let expected = "a file that is written as it is read";
        let error = Error::new(
            ErrorKind::BadValue,
            difference.offset,
            difference.path.clone(),
            expected,
            difference.to_string(),
        );
        return Err(error.code("patch.structure").into());
    }
    let errors = |container: &Container| -> Vec<Diagnostic> {
        container.check().into_iter().filter(|found| found.severity == Severity::Error).collect()
    };
    let known = errors(before);
    let is_new =
        |found: &Diagnostic| !known.iter().any(|old| old.code == found.code && old.path == found.path);
    let new: Vec<_> = errors(&after).into_iter().filter(is_new).collect();
    if new.is_empty() { Ok(()) } else { Err(PatchError::Errors(new)) }
}

/// An error with the name of the file inside in front of its path.
fn in_file(error: PatchError, chain: &Chain) -> PatchError {
    match error {
        PatchError::Patch(error) if !chain.0.is_empty() => {
            PatchError::Open(WithinError::new(chain.clone(), *error).into())
        }
        other => other,
    }
}

/// Whether the result of a section can be made at all.
pub(super) fn works(patch: &Patch, old: Source<'_>) -> Result<bool> {
    match apply(patch, old) {
        Ok(applied) => Ok(Fingerprint::of(&applied.rewritten.bytes) == patch.to),
        Err(PatchError::Patch(error)) => Err(*error),
        Err(_) => Ok(false),
    }
}

/// What a section makes of its file.
pub(super) fn made(section: &Section, inside: &[u8], outermost: &[u8]) -> Option<Vec<u8>> {
    let mut failed = Vec::new();
    let mut budget = Budget::new(u64::MAX);
    within(section, inside, outermost, true, &mut budget, &mut failed).ok().flatten()
}

/// The file that `names` choose in another, which patches may be about as well.
///
/// # Errors
///
/// Where none has such a name, or several have.
pub fn file_at<'f>(file: impl Into<Source<'f>>, names: &[String]) -> std::result::Result<Vec<u8>, OpenError> {
    let source = file.into();
    let mut files = Vec::new();
    for found in walk(source, names) {
        match found {
            // A wrapper that was named is meant as it is.
            Found::Wrapper { piece, names: left, .. } if left.is_empty() && !names.is_empty() => {
                return Ok(piece.bytes(source.bytes).to_vec());
            }
            Found::File { piece, names, .. } if names.is_empty() => {
                files.push(piece.bytes(source.bytes).to_vec())
            }
            Found::Failed { chain, error } => return Err(WithinError::new(chain, error).into()),
            Found::Unknown { wanted, known, .. } => {
                let known = known.into_iter().map(|name| format!(":{name}")).collect();
                return Err(UnknownName { wanted: format!(":{wanted}"), known }.into());
            }
            _ => {}
        }
    }
    match files.len() {
        1 => Ok(files.swap_remove(0)),
        _ => {
            let wanted = names.iter().map(|name| format!(":{name}")).collect();
            Err(UnknownName { wanted, known: Vec::new() }.into())
        }
    }
}
