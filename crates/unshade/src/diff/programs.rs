//! Which programs are each other's, and the instructions in which they differ.

use super::instructions::{Row, RowKind, Rows, align_listings, common};
use crate::{ListingOptions, code_hash::code_hash, disassemble_stage};
use serde::Serialize;
use std::{
    collections::{HashMap, HashSet},
    hash::{DefaultHasher, Hash, Hasher},
};
use unshade_isa::text::Listing;
use unshade_stage::{Isa, Stage, StageKind};

/// Pairs of programs that are compared to find out which are alike.
const COMPARED: usize = 1 << 16;
/// Instructions of which a program is known when it is compared with many.
const SKETCH: usize = 256;
/// Programs with less in common, of 100, are different programs.
const ALIKE: u32 = 50;
/// Equal lines that are shown around different ones.
const CONTEXT: usize = 3;

/// How a program is in the two files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum ProgramFate {
    /// It does something else.
    Changed,
    /// It is the same under another name.
    Moved,
    /// It has another name and does something else, mostly alike.
    MovedAndChanged,
    /// It is in the old file only.
    Removed,
    /// It is in the new file only.
    Added,
}

/// A program that is not the same in both files.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ProgramDifference {
    /// What happened to it.
    pub fate: ProgramFate,
    /// What stands behind the old file to name it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub old_item: Option<String>,
    /// What stands behind the new file to name it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub new_item: Option<String>,
    /// Which step of the pipeline it is for.
    pub kind: String,
    /// Instruction set.
    pub isa: String,
    /// Hash in the old file, as `ls` prints it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub old_hash: Option<String>,
    /// Hash in the new file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub new_hash: Option<String>,
    /// How many lines of the listings are paired and differ.
    pub changed: u64,
    /// How many are in the old one only.
    pub removed: u64,
    /// How many are in the new one only.
    pub added: u64,
    /// Whether a stretch was too different to be aligned within bounds; its lines stand as removed and added.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub rough: bool,
    /// The lines that differ with some around them; none where only constants do, or where to start.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub hunks: Vec<Hunk>,
}

/// Lines of two listings, one below the other on both sides.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Hunk {
    /// Number of the first line in the old listing, from 1.
    pub old_line: u64,
    /// Number of the first line in the new listing, from 1.
    pub new_line: u64,
    /// The lines.
    pub rows: Vec<HunkRow>,
}

/// A line of both listings, or of one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct HunkRow {
    /// How they are to each other.
    pub kind: RowKind,
    /// The line of the old listing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub old: Option<String>,
    /// The line of the new listing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub new: Option<String>,
}

/// A program with what stands behind its file to name it.
pub(super) struct Named<'a> {
    pub item: String,
    pub stage: Stage<'a>,
}

/// The differences of two lists of programs, in the order of the old file; added ones at the end. And how many are the
/// same.
pub(super) fn programs(old: &[Named<'_>], new: &[Named<'_>]) -> (Vec<ProgramDifference>, u64) {
    let pairs = Pairs::of(old, new);
    let mut found = Vec::new();
    let mut same = 0;
    for (x, before) in old.iter().enumerate() {
        let Some(y) = pairs.old[x] else {
            found.push(alone(before, ProgramFate::Removed));
            continue;
        };
        let after = &new[y];
        let renamed = before.item != after.item;
        let fate = match (renamed, pairs.hashes.0[x] == pairs.hashes.1[y]) {
            (false, true) => {
                same += 1;
                continue;
            }
            (true, true) => ProgramFate::Moved,
            (false, false) => ProgramFate::Changed,
            (true, false) => ProgramFate::MovedAndChanged,
        };
        found.push(pair(before, after, fate));
    }
    for (y, after) in new.iter().enumerate().filter(|(y, _)| pairs.new[*y].is_none()) {
        let _ = y;
        found.push(alone(after, ProgramFate::Added));
    }
    (found, same)
}

/// What is told of a program that has no other.
fn alone(program: &Named<'_>, fate: ProgramFate) -> ProgramDifference {
    let lines = disassemble_stage(&program.stage, &ListingOptions::default()).lines().count() as u64;
    let hash = Some(hash_text(&program.stage));
    let item = Some(program.item.clone());
    let gone = fate == ProgramFate::Removed;
    ProgramDifference {
        fate,
        old_item: item.clone().filter(|_| gone),
        new_item: item.filter(|_| !gone),
        kind: program.stage.kind.name().to_owned(),
        isa: program.stage.isa.name().to_owned(),
        old_hash: hash.clone().filter(|_| gone),
        new_hash: hash.filter(|_| !gone),
        changed: 0,
        removed: if gone { lines } else { 0 },
        added: if gone { 0 } else { lines },
        rough: false,
        hunks: Vec::new(),
    }
}

/// What is told of two programs.
pub(super) fn pair(before: &Named<'_>, after: &Named<'_>, fate: ProgramFate) -> ProgramDifference {
    let mut difference = ProgramDifference {
        fate,
        old_item: Some(before.item.clone()),
        new_item: Some(after.item.clone()),
        kind: after.stage.kind.name().to_owned(),
        isa: after.stage.isa.name().to_owned(),
        old_hash: Some(hash_text(&before.stage)),
        new_hash: Some(hash_text(&after.stage)),
        changed: 0,
        removed: 0,
        added: 0,
        rough: false,
        hunks: Vec::new(),
    };
    if fate == ProgramFate::Moved {
        return difference;
    }
    let listing = |program: &Named<'_>| disassemble_stage(&program.stage, &ListingOptions::default());
    let (old, new) = (listing(before), listing(after));
    let rows = align_listings(&old, &new);
    let count = |kind| rows.rows.iter().filter(|row| row.kind == kind).count() as u64;
    difference.changed = count(RowKind::Changed);
    difference.removed = count(RowKind::Removed);
    difference.added = count(RowKind::Added);
    difference.rough = rows.rough;
    difference.hunks = hunks(&old, &new, &rows);
    difference
}

fn hash_text(stage: &Stage<'_>) -> String {
    format!("{:016x}", code_hash(stage))
}

/// The rows that differ, each with a few around it.
fn hunks(old: &Listing, new: &Listing, rows: &Rows) -> Vec<Hunk> {
    let texts =
        |listing: &Listing| listing.lines().map(|line| line.text.trim_end().to_owned()).collect::<Vec<_>>();
    hunks_of(&texts(old), &texts(new), rows)
}

/// As [`hunks`], of any lines.
pub(super) fn hunks_of(old: &[String], new: &[String], rows: &Rows) -> Vec<Hunk> {
    let differs = |row: &Row| !matches!(row.kind, RowKind::Same | RowKind::Renumbered);
    let mut hunks: Vec<Hunk> = Vec::new();
    let (mut at_old, mut at_new, mut shown) = (1, 1, 0);
    let mut lines = Vec::with_capacity(rows.rows.len());
    for row in &rows.rows {
        lines.push((at_old, at_new));
        at_old += u64::from(row.old.is_some());
        at_new += u64::from(row.new.is_some());
    }
    for (at, _) in rows.rows.iter().enumerate().filter(|(_, row)| differs(row)) {
        let from = at.saturating_sub(CONTEXT).max(shown);
        let to = (at + CONTEXT + 1).min(rows.rows.len());
        if from > shown || hunks.is_empty() {
            hunks.push(Hunk { old_line: lines[from].0, new_line: lines[from].1, rows: Vec::new() });
        }
        if let Some(hunk) = hunks.last_mut() {
            hunk.rows.extend(rows.rows[from.min(to)..to].iter().map(|row| HunkRow {
                kind: row.kind,
                old: row.old.map(|line| old[line].clone()),
                new: row.new.map(|line| new[line].clone()),
            }));
        }
        shown = to;
    }
    hunks
}

/// Which programs are each other's.
struct Pairs {
    old: Vec<Option<usize>>,
    new: Vec<Option<usize>>,
    hashes: (Vec<u64>, Vec<u64>),
}

impl Pairs {
    fn of(old: &[Named<'_>], new: &[Named<'_>]) -> Self {
        let hashes = |programs: &[Named<'_>]| {
            programs.iter().map(|program| code_hash(&program.stage)).collect::<Vec<_>>()
        };
        let mut pairs = Self {
            old: vec![None; old.len()],
            new: vec![None; new.len()],
            hashes: (hashes(old), hashes(new)),
        };
        let kind = |program: &Named<'_>| (program.stage.kind, program.stage.isa);
        // What has kept name and code; what has kept its code; what has kept its name; what is alike.
        let (by_old, by_new) = (pairs.hashes.0.clone(), pairs.hashes.1.clone());
        pairs.by(old, new, |program, at, left| {
            let hash = if left { by_old[at] } else { by_new[at] };
            (kind(program), Some(hash), Some(program.item.clone()))
        });
        pairs.by(old, new, |program, at, left| {
            let hash = if left { by_old[at] } else { by_new[at] };
            (kind(program), Some(hash), None)
        });
        pairs.by(old, new, |program, _, _| (kind(program), None, Some(program.item.clone())));
        pairs.alike(old, new);
        pairs
    }

    /// Pairs those that have a key in common, the first with the first.
    fn by(
        &mut self,
        old: &[Named<'_>],
        new: &[Named<'_>],
        key: impl Fn(&Named<'_>, usize, bool) -> ((StageKind, Isa), Option<u64>, Option<String>),
    ) {
        let mut places: HashMap<_, Vec<usize>> = HashMap::new();
        for (y, program) in new.iter().enumerate().rev().filter(|(y, _)| self.new[*y].is_none()) {
            places.entry(key(program, y, false)).or_default().push(y);
        }
        for (x, program) in old.iter().enumerate() {
            if self.old[x].is_some() {
                continue;
            }
            if let Some(y) = places.get_mut(&key(program, x, true)).and_then(Vec::pop) {
                (self.old[x], self.new[y]) = (Some(y), Some(x));
            }
        }
    }

    /// Pairs those that are left with what has most lines in common.
    fn alike(&mut self, old: &[Named<'_>], new: &[Named<'_>]) {
        let free = |known: &[Option<usize>]| -> Vec<usize> {
            known.iter().enumerate().filter(|(_, other)| other.is_none()).map(|(at, _)| at).collect()
        };
        let (free_old, free_new) = (free(&self.old), free(&self.new));
        if free_old.is_empty() || free_new.is_empty() || free_old.len() * free_new.len() > COMPARED {
            return;
        }
        let sketch = |programs: &[Named<'_>], at: &[usize]| -> Vec<HashSet<u64>> {
            at.iter().map(|&at| sketch(&programs[at].stage)).collect()
        };
        let (old_lines, new_lines) = (sketch(old, &free_old), sketch(new, &free_new));
        let mut best = Vec::new();
        for (x, a) in free_old.iter().enumerate() {
            for (y, b) in free_new.iter().enumerate() {
                let (before, after) = (&old[*a].stage, &new[*b].stage);
                if (before.kind, before.isa) == (after.kind, after.isa) {
                    let share = common(&old_lines[x], &new_lines[y]);
                    if share >= ALIKE {
                        best.push((std::cmp::Reverse(share), x.abs_diff(y), *a, *b));
                    }
                }
            }
        }
        best.sort_unstable();
        for (_, _, x, y) in best {
            if self.old[x].is_none() && self.new[y].is_none() {
                (self.old[x], self.new[y]) = (Some(y), Some(x));
            }
        }
    }
}

/// Hashes of some lines of a program, the same of the same lines.
fn sketch(stage: &Stage<'_>) -> HashSet<u64> {
    let text = crate::disassemble_stage_to_text(stage, &ListingOptions::default());
    let mut hashes: Vec<u64> = text
        .lines()
        .map(|line| {
            let mut hash = DefaultHasher::new();
            line.trim().hash(&mut hash);
            hash.finish()
        })
        .collect();
    hashes.sort_unstable();
    hashes.dedup();
    hashes.truncate(SKETCH);
    hashes.into_iter().collect()
}
