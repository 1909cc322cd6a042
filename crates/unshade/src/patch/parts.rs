//! Patches of files that are taken apart: lines of manifests by what stands around them, parts by their names.

use super::{
    FailedHunk, Fingerprint, PartHunk, Piece, counted, file_token, hash,
    pieces::{Cutter, joined},
};
use crate::diff::align;
use std::collections::{BTreeMap, btree_map::Entry};
use unshade_bytes::{Error, ErrorKind, Result, limits::Budget};
use unshade_containers::{Container, Parts, build, extract};

/// Lines around a change that are known by their hashes.
const CONTEXT: usize = 3;

/// The hunks that make the parts of `new` of those of `old`.
pub(super) fn make(old: &Container, new: &Container, cutter: &Cutter<'_>) -> Option<Vec<PartHunk>> {
    let (before, after) = (extract(old).ok()?, extract(new).ok()?);
    let before: BTreeMap<&str, &[u8]> = before.files().collect();
    let after: BTreeMap<&str, &[u8]> = after.files().collect();
    let mut hunks = Vec::new();
    let mut gone: Vec<(&str, &[u8])> = before
        .iter()
        .filter(|(name, _)| !after.contains_key(*name))
        .map(|(name, bytes)| (*name, *bytes))
        .collect();
    for (name, bytes) in &after {
        let Some(was) = before.get(name) else {
            let same = gone.iter().position(|(_, was)| was == bytes);
            hunks.push(match same.map(|at| gone.swap_remove(at)) {
                Some((from, _)) => {
                    PartHunk::Rename { part: file_token(from), to: plain(name)?, old: Fingerprint::of(bytes) }
                }
                None => PartHunk::Add { part: plain(name)?, new: cutter.pieces(bytes) },
            });
            continue;
        };
        if was == bytes {
            continue;
        }
        match (text(name, was), text(name, bytes)) {
            (Some(a), Some(b)) => lines(name, a, b, cutter, &mut hunks),
            _ => hunks.push(PartHunk::Change {
                part: file_token(name),
                old: Fingerprint::of(was),
                new: cutter.pieces_of_part(was, bytes),
            }),
        }
    }
    for (name, bytes) in gone {
        hunks.push(PartHunk::Remove { part: file_token(name), old: Fingerprint::of(bytes) });
    }
    Some(hunks)
}

/// The name of a part that is made: one that stands as it is.
fn plain(name: &str) -> Option<String> {
    (file_token(name) == name).then(|| name.to_owned())
}

fn text<'b>(name: &str, bytes: &'b [u8]) -> Option<&'b str> {
    name.ends_with(Parts::MANIFEST).then(|| std::str::from_utf8(bytes).ok()).flatten()
}

/// Hunks for the lines that differ.
fn lines(name: &str, old: &str, new: &str, cutter: &Cutter<'_>, hunks: &mut Vec<PartHunk>) {
    let (a, b) = (Lines::of(old), Lines::of(new));
    for gap in align(&a.hashes, &b.hashes).gaps(a.hashes.len(), b.hashes.len()) {
        let around = |at: &mut dyn Iterator<Item = usize>| at.take(CONTEXT).map(|at| a.hashes[at]).collect();
        hunks.push(PartHunk::Lines {
            part: file_token(name),
            line: gap.old.start as u64 + 1,
            count: gap.old.len() as u64,
            old: block(&a.hashes[gap.old.clone()]),
            before: around(&mut (0..gap.old.start).rev()),
            after: around(&mut (gap.old.end..a.hashes.len())),
            new: cutter.pieces(b.lines[gap.new.clone()].concat().as_bytes()),
        });
    }
}

/// A text by its lines.
struct Lines<'t> {
    lines: Vec<&'t str>,
    hashes: Vec<u64>,
}

impl<'t> Lines<'t> {
    fn of(text: &'t str) -> Self {
        let lines: Vec<&str> = text.split_inclusive('\n').collect();
        let hashes = lines.iter().map(|line| hash(line.as_bytes())).collect();
        Self { lines, hashes }
    }
}

/// The hash of several lines.
fn block(hashes: &[u64]) -> u64 {
    let bytes: Vec<u8> = hashes.iter().flat_map(|hash| hash.to_le_bytes()).collect();
    hash(&bytes)
}

/// The container with the hunks done to its parts; those that find no place are told.
pub(super) fn apply(
    container: &Container,
    bytes: &[u8],
    outermost: &[u8],
    hunks: &[PartHunk],
    budget: &mut Budget,
    failed: &mut Vec<FailedHunk>,
) -> Result<Option<Container>> {
    let parts = extract(container)?;
    let before: BTreeMap<&str, &[u8]> = parts.files().collect();
    budget.charge(
        before.values().map(|bytes| bytes.len() as u64).fold(0, u64::saturating_add),
        0,
        "parts",
    )?;
    let known = before.iter().map(|(name, bytes)| Known {
        name,
        token: file_token(name),
        print: Fingerprint::of(bytes),
        text: text(name, bytes).map(Lines::of),
        changes: BTreeMap::new(),
        shift: 0,
    });
    let behind = if bytes == outermost { &[] } else { outermost };
    let mut work = Work { known: known.collect(), files: [bytes, behind], budget, failed };
    let mut after: BTreeMap<String, Vec<u8>> =
        before.iter().map(|(name, bytes)| ((*name).to_owned(), bytes.to_vec())).collect();
    let mut made: Vec<(String, Vec<u8>)> = Vec::new();
    for hunk in hunks {
        match hunk {
            PartHunk::Lines { .. } => work.lines(hunk)?,
            PartHunk::Change { part, old, new } => {
                let Some(name) = work.part(part, old)? else { continue };
                let was = before.get(name).copied().unwrap_or_default();
                if let Some(new) = work.pieces(part, was, new)? {
                    after.insert(name.to_owned(), new);
                }
            }
            PartHunk::Add { part, new } => {
                if let Some(new) = work.pieces(part, &[], new)? {
                    made.push((part.clone(), new));
                }
            }
            PartHunk::Remove { part, old } => {
                if let Some(name) = work.part(part, old)? {
                    after.remove(name);
                }
            }
            PartHunk::Rename { part, to, old } => {
                if let Some(name) = work.part(part, old)? {
                    after.remove(name);
                    made.push((to.clone(), before.get(name).copied().unwrap_or_default().to_vec()));
                }
            }
        }
    }
    for known in &mut work.known {
        let (Some(text), false) = (&known.text, known.changes.is_empty()) else { continue };
        let (mut out, mut at) = (Vec::new(), 0);
        let copy = |lines: &[&str], out: &mut Vec<u8>| {
            lines.iter().for_each(|line| out.extend_from_slice(line.as_bytes()));
        };
        for (start, (end, new)) in &known.changes {
            copy(text.lines.get(at..*start).unwrap_or_default(), &mut out);
            out.extend_from_slice(new);
            at = *end;
        }
        copy(text.lines.get(at..).unwrap_or_default(), &mut out);
        after.insert(known.name.to_owned(), out);
    }
    for (name, bytes) in made {
        match after.entry(name) {
            Entry::Occupied(known) => {
                work.fail(known.key(), "no part of that name".to_owned(), "one".to_owned());
            }
            Entry::Vacant(place) => {
                place.insert(bytes);
            }
        }
    }
    if !work.failed.is_empty() {
        return Ok(None);
    }
    let mut parts = Parts::default();
    after.into_iter().for_each(|(name, bytes)| parts.insert(name, bytes));
    build(&parts).map(Some)
}

/// A part of the file that hunks are looked for in.
struct Known<'p> {
    name: &'p str,
    token: String,
    print: Fingerprint,
    /// Its lines, where it is a text.
    text: Option<Lines<'p>>,
    /// By the first line: the line behind the last, and what stands there then.
    changes: BTreeMap<usize, (usize, Vec<u8>)>,
    /// How far the last hunk was from where it was expected.
    shift: isize,
}

impl Known<'_> {
    /// Whether no hunk has these lines.
    fn free(&self, start: usize, end: usize) -> bool {
        let before = self.changes.range(..=start).next_back();
        let behind = self.changes.range(start..).next();
        before.is_none_or(|(from, (to, _))| *to <= start && *from != start)
            && behind.is_none_or(|(from, _)| end <= *from && *from != start)
    }
}

/// What hunks are done with.
struct Work<'w, 'p> {
    known: Vec<Known<'p>>,
    /// The file and the outermost one.
    files: [&'w [u8]; 2],
    budget: &'w mut Budget,
    failed: &'w mut Vec<FailedHunk>,
}

impl<'p> Work<'_, 'p> {
    fn fail(&mut self, place: &str, expected: String, found: String) {
        self.failed.push(FailedHunk { place: place.to_owned(), expected, found });
    }

    /// The name of a part: the one that is called so, else the only one that is the same.
    fn part(&mut self, part: &str, old: &Fingerprint) -> Result<Option<&'p str>> {
        self.budget.charge(self.known.len() as u64, 0, "parts of a patch")?;
        let called = self.known.iter().find(|known| known.token == part);
        if let Some(known) = called.filter(|known| known.print == *old) {
            return Ok(Some(known.name));
        }
        let same: Vec<_> =
            self.known.iter().filter(|known| known.print == *old).map(|known| known.name).collect();
        if let [only] = same.as_slice() {
            return Ok(Some(only));
        }
        let found = called.map_or("no part of that name".to_owned(), |known| known.print.words());
        self.fail(part, old.words(), found);
        Ok(None)
    }

    fn pieces(&mut self, place: &str, was: &[u8], pieces: &[Piece]) -> Result<Option<Vec<u8>>> {
        let [file, outermost] = self.files;
        match joined(&[was, file, outermost], pieces, self.budget)? {
            Ok(bytes) => Ok(Some(bytes)),
            Err(missing) => {
                self.failed.extend(missing.iter().map(|missing| missing.failed(place)));
                Ok(None)
            }
        }
    }

    /// Finds where the lines of a hunk stand, and puts others there.
    fn lines(&mut self, hunk: &PartHunk) -> Result<()> {
        let PartHunk::Lines { part, line, count, old, before, after, new } = hunk else { return Ok(()) };
        let place = format!("{part} line {line}");
        let expected = match count {
            0 => "the lines around it".to_owned(),
            count => format!("{} that hash to {old:016x}", counted(*count, "line")),
        };
        let at = self.known.iter().position(|known| known.token == *part && known.text.is_some());
        let Some(at) = at else {
            self.fail(&place, expected, "no text of that name".to_owned());
            return Ok(());
        };
        let known = &self.known[at];
        let hashes = known.text.as_ref().map(|text| text.hashes.as_slice()).unwrap_or_default();
        let count = usize::try_from(*count).unwrap_or(usize::MAX);
        let wanted = usize::try_from(line.saturating_sub(1)).unwrap_or(usize::MAX);
        // How many lines around a place are the hunk's, if its lines stand there.
        let around = |start: usize| -> Option<usize> {
            let end = start.checked_add(count)?;
            let there = hashes.get(start..end).map(block) == Some(*old) && known.free(start, end);
            let front =
                before.iter().zip(hashes.get(..start)?.iter().rev()).take_while(|(a, b)| a == b).count();
            let back = after.iter().zip(hashes.get(end..)?).take_while(|(a, b)| a == b).count();
            there.then_some(front + back)
        };
        let all = before.len() + after.len();
        let expected_at = wanted.saturating_add_signed(known.shift);
        self.budget.charge((count as u64).saturating_add(8), 0, "lines of a patch")?;
        let mut found = around(expected_at).filter(|&around| around == all).map(|_| expected_at);
        let mut places = 0;
        if found.is_none() {
            // The best of the places where the lines stand: with most of the lines around them, then the nearest.
            let mut best: Option<(usize, usize, usize)> = None;
            for start in 0..=hashes.len().saturating_sub(count) {
                self.budget.charge((count as u64).saturating_add(8), 0, "lines of a patch")?;
                let Some(around) = around(start) else { continue };
                places += 1;
                let far = start.abs_diff(expected_at);
                if best.is_none_or(|(most, near, _)| most < around || (most == around && far < near)) {
                    best = Some((around, far, start));
                }
            }
            // Lines that stand once are known by themselves; else what is around them has to be there, most of it.
            let enough = |around: usize| match count {
                0 => around * 2 > all || all == 0,
                _ => places == 1 || around * 2 >= all,
            };
            found = best.filter(|(around, ..)| enough(*around)).map(|(.., start)| start);
        }
        let Some(start) = found else {
            let there = wanted.checked_add(count).and_then(|end| hashes.get(wanted..end)).map(block);
            let found = match (places, there) {
                (0, Some(there)) if count > 0 => format!("lines that hash to {there:016x}"),
                (0, _) => "no place for it".to_owned(),
                (places, _) => format!("{places} places, none with the lines around it"),
            };
            self.fail(&place, expected, found);
            return Ok(());
        };
        if let Some(new) = self.pieces(&place, &[], new)? {
            let known = &mut self.known[at];
            known.shift = start as isize - wanted as isize;
            known.changes.insert(start, (start + count, new));
        }
        Ok(())
    }
}

/// Where a container cannot be taken apart and put together as it is, parts say nothing of it.
pub(super) fn is_whole(container: &Container, bytes: &[u8]) -> Result<()> {
    let same = extract(container).and_then(|parts| build(&parts)?.write())?;
    match same == bytes {
        true => Ok(()),
        false => Err(Error::new(ErrorKind::BadValue, 0, "", "a file that is what its parts make", "another")
            .code("patch.parts")),
    }
}
