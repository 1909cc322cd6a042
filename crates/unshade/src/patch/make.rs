//! Patches made: fields where nothing moves, parts where the file can be taken apart, else bytes.

use super::{
    Changes, Fingerprint, Patch, Rest, Section, UNPACKED,
    apply::{unpacked, works},
    fields, file_token, holds, parts,
    pieces::{Cutter, together},
};
use std::collections::BTreeMap;
use unshade_containers::{
    Container,
    wrap::nest::{Found, Source, walk, wrapper},
};

/// Text of parts up to this length is kept, since parts are found in other files as well.
const LONG: usize = 16 << 10;

/// Files inside that get a section of their own; of more, the whole archive is patched as bytes.
const SECTIONS: usize = 256;

/// The patch that makes `new` of `old`.
pub fn make<'f>(old: impl Into<Source<'f>>, new: impl Into<Source<'f>>) -> Patch {
    let (old, new) = (old.into(), new.into());
    let (from, to) = (Fingerprint::of(old.bytes), Fingerprint::of(new.bytes));
    if old.bytes == new.bytes {
        return Patch { from, to, sections: Vec::new(), rest: None };
    }
    let patch = match wrapper(old.bytes) {
        Some(_) => wrapped(old, new),
        None => Patch { from, to, sections: vec![section("", old.bytes, new.bytes, old.bytes)], rest: None },
    };
    // Only what was seen to work, and holds nothing of the old file, is handed out.
    if works(&patch, old) == Ok(true) && !holds::run_of(old.bytes, &patch) {
        return patch;
    }
    let pieces = Cutter::new(old.bytes).pieces(new.bytes);
    Patch { from, to, sections: Vec::new(), rest: Some(Rest { packing: false, from, pieces }) }
}

/// What becomes of a file inside.
fn section(name: &str, old: &[u8], new: &[u8], outermost: &[u8]) -> Section {
    let (from, to) = (Fingerprint::of(old), Fingerprint::of(new));
    let all = together(old, outermost);
    let cutter = Cutter::new(&all);
    let section = |changes| Section { name: name.to_owned(), from, to, changes };
    if let (Ok(a), Ok(b)) = (Container::read(old), Container::read(new)) {
        let makes = |section: &Section| applies(section, old, outermost);
        if let Some(hunks) = fields::make((&a, old), (&b, new), &cutter) {
            let made = section(Changes::Fields(hunks));
            if makes(&made) {
                return made;
            }
        }
        let whole = parts::is_whole(&a, old).is_ok() && parts::is_whole(&b, new).is_ok();
        if let Some(hunks) = parts::make(&a, &b, &cutter).filter(|_| whole && a.format() == b.format()) {
            let made = section(Changes::Parts(hunks));
            if makes(&made) {
                // A manifest of which most is other says more than the bytes that it stands for.
                let bytes = section(Changes::Bytes(cutter.pieces(new)));
                let long = length(&made);
                return if long > LONG && long / 2 > length(&bytes) { bytes } else { made };
            }
        }
    }
    section(Changes::Bytes(cutter.pieces(new)))
}

/// How long the text of a section is.
fn length(section: &Section) -> usize {
    let Section { from, to, .. } = *section;
    Patch { from, to, sections: vec![section.clone()], rest: None }.to_string().len()
}

/// Whether a section makes what it shall of a file that lies in others.
fn applies(section: &Section, old: &[u8], outermost: &[u8]) -> bool {
    super::apply::made(section, old, outermost).is_some_and(|made| Fingerprint::of(&made) == section.to)
}

/// The files in wrappers, by their names; those whose name is not theirs alone are left out.
fn files(source: Source<'_>) -> BTreeMap<String, Vec<u8>> {
    let mut files: BTreeMap<String, Option<Vec<u8>>> = BTreeMap::new();
    for found in walk(source, &[]) {
        if let Found::File { chain, piece, .. } = found {
            let name = chain.name().map(|name| file_token(&name)).unwrap_or_default();
            let bytes = piece.bytes(source.bytes).to_vec();
            files.entry(name).and_modify(|file| *file = None).or_insert(Some(bytes));
        }
    }
    files.into_iter().filter_map(|(name, file)| Some((name, file?))).collect()
}

fn wrapped(old: Source<'_>, new: Source<'_>) -> Patch {
    let (from, to) = (Fingerprint::of(old.bytes), Fingerprint::of(new.bytes));
    let (before, after) = (files(old), files(new));
    let changed: Vec<_> = before
        .iter()
        .filter_map(|(name, old)| Some((name, old, after.get(name).filter(|new| *new != old)?)))
        .collect();
    let mut patch = Patch { from, to, sections: Vec::new(), rest: None };
    if changed.len() <= SECTIONS {
        patch.sections = changed.into_iter().map(|(name, a, b)| section(name, a, b, old.bytes)).collect();
    }
    let mut made = match super::apply::sections(&patch, old) {
        Some(made) => made,
        None => {
            patch.sections.clear();
            old.bytes.to_vec()
        }
    };
    // Files that were added, removed or renamed: in the archive itself, not in what it is compressed to.
    let now = Source { bytes: &made, dictionaries: old.dictionaries };
    if made != new.bytes
        && !same_contents(now, new)
        && let (Some((here, before)), Some((there, after))) = (unpacked(now), unpacked(new))
        && here == there
        && before != after
    {
        let all = together(&before, old.bytes);
        let archive = Section {
            name: UNPACKED.to_owned(),
            from: Fingerprint::of(&before),
            to: Fingerprint::of(&after),
            changes: Changes::Bytes(Cutter::new(&all).pieces(&after)),
        };
        patch.sections.push(archive);
        match super::apply::sections(&patch, old) {
            Some(with) => made = with,
            None => drop(patch.sections.pop()),
        }
    }
    if made != new.bytes {
        let now = Source { bytes: &made, dictionaries: old.dictionaries };
        patch.rest = Some(Rest {
            packing: !patch.sections.is_empty() && same_contents(now, new),
            from: Fingerprint::of(&made),
            pieces: Cutter::new(&together(&made, old.bytes)).pieces(new.bytes),
        });
    }
    patch
}

/// Whether two files hold the same in the same wrappers.
fn same_contents(a: Source<'_>, b: Source<'_>) -> bool {
    let contents = |source: Source<'_>| -> Vec<_> {
        walk(source, &[])
            .map(|found| match found {
                Found::File { chain, piece, .. } => (chain.0, Some(piece.bytes(source.bytes).to_vec())),
                Found::Wrapper { chain, .. } => (chain.0, None),
                Found::Failed { chain, .. } | Found::Unknown { chain, .. } => (chain.0, None),
            })
            .collect()
    };
    contents(a) == contents(b)
}
