//! Sources of two archives, line by line.

use super::{
    instructions::{Row, RowKind, Rows},
    programs::{Hunk, ProgramFate, hunks_of},
    sequence::align,
};
use crate::SourceText;
use serde::Serialize;
use std::{
    collections::HashMap,
    hash::{DefaultHasher, Hash, Hasher},
};

/// A source that is not the same in both archives.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SourceDifference {
    /// What happened to it.
    pub fate: ProgramFate,
    /// What stands behind the old file to name it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub old_item: Option<String>,
    /// What stands behind the new file to name it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub new_item: Option<String>,
    /// How many lines are paired and differ.
    pub changed: u64,
    /// How many lines are in the old one only.
    pub removed: u64,
    /// How many lines are in the new one only.
    pub added: u64,
    /// Whether a stretch was too different to be aligned within bounds; its lines stand as removed and added.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub rough: bool,
    /// The lines that differ with some around them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub hunks: Vec<Hunk>,
}

/// The differences of two lists of sources, in the order of the old archive; added ones at the end. Sources are paired by
/// their names, then by their texts.
pub(super) fn sources(old: &[SourceText], new: &[SourceText]) -> Vec<SourceDifference> {
    let mut to: Vec<Option<usize>> = vec![None; old.len()];
    let mut free = vec![true; new.len()];
    for key in [|source: &SourceText| source.name.clone(), |source: &SourceText| source.text.clone()] {
        let mut places: HashMap<String, Vec<usize>> = HashMap::new();
        for (y, source) in new.iter().enumerate().rev().filter(|(y, _)| free[*y]) {
            places.entry(key(source)).or_default().push(y);
        }
        for (x, source) in old.iter().enumerate() {
            if to[x].is_none() {
                to[x] = places.get_mut(&key(source)).and_then(Vec::pop);
                to[x].into_iter().for_each(|y| free[y] = false);
            }
        }
    }
    let mut found = Vec::new();
    for (x, y) in to.into_iter().enumerate() {
        match y {
            None => found.push(alone(&old[x], ProgramFate::Removed)),
            Some(y) => found.extend(pair(&old[x], &new[y])),
        }
    }
    let added = new.iter().zip(&free).filter(|(_, free)| **free);
    found.extend(added.map(|(source, _)| alone(source, ProgramFate::Added)));
    found
}

/// What is told of a source that has no other.
fn alone(source: &SourceText, fate: ProgramFate) -> SourceDifference {
    let lines = source.text.lines().count() as u64;
    let gone = fate == ProgramFate::Removed;
    let item = Some(source.item.clone());
    SourceDifference {
        fate,
        old_item: item.clone().filter(|_| gone),
        new_item: item.filter(|_| !gone),
        changed: 0,
        removed: if gone { lines } else { 0 },
        added: if gone { 0 } else { lines },
        rough: false,
        hunks: Vec::new(),
    }
}

/// What is told of two sources; nothing where they are the same.
pub(super) fn pair(old: &SourceText, new: &SourceText) -> Option<SourceDifference> {
    let fate = match (old.name == new.name, old.text == new.text) {
        (true, true) => return None,
        (false, true) => ProgramFate::Moved,
        (true, false) => ProgramFate::Changed,
        (false, false) => ProgramFate::MovedAndChanged,
    };
    let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<String>>();
    let (before, after) = (lines(&old.text), lines(&new.text));
    let rows = rows(&before, &after);
    let count = |kind| rows.rows.iter().filter(|row| row.kind == kind).count() as u64;
    Some(SourceDifference {
        fate,
        old_item: Some(old.item.clone()),
        new_item: Some(new.item.clone()),
        changed: count(RowKind::Changed),
        removed: count(RowKind::Removed),
        added: count(RowKind::Added),
        rough: rows.rough,
        hunks: hunks_of(&before, &after, &rows),
    })
}

/// The lines of both, one beside the other. Of as many lines on both sides between equal ones each is another of its place.
fn rows(old: &[String], new: &[String]) -> Rows {
    let hash = |line: &String| {
        let mut hasher = DefaultHasher::new();
        line.hash(&mut hasher);
        hasher.finish()
    };
    let keys = |lines: &[String]| lines.iter().map(hash).collect::<Vec<u64>>();
    let found = align(&keys(old), &keys(new));
    let mut rows: Vec<Row> = Vec::with_capacity(old.len().max(new.len()));
    for gap in found.gaps(old.len(), new.len()) {
        if gap.old.len() == gap.new.len() {
            let both = gap.old.zip(gap.new);
            rows.extend(both.map(|(x, y)| Row { kind: RowKind::Changed, old: Some(x), new: Some(y) }));
        } else {
            rows.extend(gap.old.map(|x| Row { kind: RowKind::Removed, old: Some(x), new: None }));
            rows.extend(gap.new.map(|y| Row { kind: RowKind::Added, old: None, new: Some(y) }));
        }
    }
    let same = found.runs.iter().flat_map(|run| (0..run.len).map(|at| (run.old + at, run.new + at)));
    rows.extend(same.map(|(x, y)| Row { kind: RowKind::Same, old: Some(x), new: Some(y) }));
    Rows { rows: ordered(rows, old.len(), new.len()), rough: found.rough }
}

/// Rows in the order of both sides.
fn ordered(rows: Vec<Row>, old: usize, new: usize) -> Vec<Row> {
    let mut by_old: Vec<Option<Row>> = vec![None; old];
    let mut by_new: Vec<Option<Row>> = vec![None; new];
    for row in rows {
        match (row.old, row.new) {
            (Some(x), _) => by_old[x] = Some(row),
            (None, Some(y)) => by_new[y] = Some(row),
            (None, None) => {}
        }
    }
    let mut found = Vec::with_capacity(old.max(new));
    let mut added = by_new.into_iter().enumerate().peekable();
    for row in by_old.into_iter().flatten() {
        if let Some(y) = row.new {
            // What was added in front of its line; of that line itself nothing is kept.
            while let Some((_, row)) = added.next_if(|(at, _)| *at < y) {
                found.extend(row);
            }
        }
        found.push(row);
    }
    found.extend(added.filter_map(|(_, row)| row));
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::TextEncoding;

    fn source(name: &str, text: &str) -> SourceText {
        SourceText {
            item: format!("#{name}"),
            name: name.to_owned(),
            stages: Vec::new(),
            text: text.to_owned(),
            encoding: TextEncoding::Utf8,
        }
    }

    #[test]
    fn lines_stand_beside_each_other() {
        let (old, new) =
            (source("a", "one\ntwo\nthree\nfour\n"), source("a", "zero\none\n2\nthree\nfour\nfive\n"));
        let found = pair(&old, &new).unwrap();
        assert_eq!((found.changed, found.removed, found.added), (1, 0, 2));
        let kinds: Vec<_> = found.hunks[0].rows.iter().map(|row| row.kind).collect();
        use RowKind::{Added, Changed, Same};
        assert_eq!(kinds, [Added, Same, Changed, Same, Same, Added]);
        assert_eq!(pair(&old, &old), None);
    }

    #[test]
    fn sources_are_paired_by_name_then_by_text() {
        let old = [source("a", "x\n"), source("b", "y\n"), source("c", "z\n")];
        let new = [source("d", "y\n"), source("a", "w\n"), source("e", "v\n")];
        let found = sources(&old, &new);
        let fates: Vec<_> = found.iter().map(|found| found.fate).collect();
        use ProgramFate::{Added, Changed, Moved, Removed};
        assert_eq!(fates, [Changed, Moved, Removed, Added]);
    }
}
