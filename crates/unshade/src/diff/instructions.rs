//! Two listings of programs, line beside line.
//!
//! Lines that say the same are paired first, places in the code apart, whose numbers change with every instruction put in
//! front of them. What lies between is paired by operation, then by how many parts of a line are the same.

use super::sequence::{Alignment, Gap, align, rising};
use serde::Serialize;
use std::collections::{HashMap, HashSet};
use unshade_isa::text::{Line, Listing, PartKind};

/// Lines of unlike stretches that are compared each with each.
const COMPARED: usize = 4096;

/// How a line is on both sides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum RowKind {
    /// The same.
    Same,
    /// The same, but for the numbers of places in the code that moved along.
    Renumbered,
    /// Another line in its place.
    Changed,
    /// Only in the old listing.
    Removed,
    /// Only in the new listing.
    Added,
}

/// A line of both listings, or of one: indices of lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Row {
    /// How they are to each other.
    pub kind: RowKind,
    /// Line of the old listing.
    pub old: Option<usize>,
    /// Line of the new listing.
    pub new: Option<usize>,
}

/// The rows of two listings: every line of each, in order.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Rows {
    /// From top to bottom.
    pub rows: Vec<Row>,
    /// Whether a stretch was too different to be aligned within bounds; its lines stand as removed and added.
    pub rough: bool,
}

/// Aligns two listings.
pub fn align_listings(old: &Listing, new: &Listing) -> Rows {
    let mut words = Words::default();
    let (old, new) = (words.lines(old), words.lines(new));
    let keys = |lines: &[Read<'_>]| lines.iter().map(|line| line.key).collect::<Vec<_>>();
    let mut found = align(&keys(&old), &keys(&new));
    let mut pairs: Vec<(usize, usize)> = pairs(&found);
    for gap in found.gaps(old.len(), new.len()) {
        pair_alike(&old, &new, &gap, &mut pairs, &mut found.rough);
    }
    pairs.sort_unstable();
    let places = places(&old, &new, &pairs);
    let mut rows = Vec::with_capacity(old.len().max(new.len()));
    let (mut at_old, mut at_new) = (0, 0);
    for (in_old, in_new) in pairs.into_iter().chain([(old.len(), new.len())]) {
        rows.extend((at_old..in_old).map(|at| Row { kind: RowKind::Removed, old: Some(at), new: None }));
        rows.extend((at_new..in_new).map(|at| Row { kind: RowKind::Added, old: None, new: Some(at) }));
        if let (Some(before), Some(after)) = (old.get(in_old), new.get(in_new)) {
            let kind = before.kind(after, &places);
            rows.push(Row { kind, old: Some(in_old), new: Some(in_new) });
        }
        (at_old, at_new) = (in_old + 1, in_new + 1);
    }
    Rows { rows, rough: found.rough }
}

fn pairs(found: &Alignment) -> Vec<(usize, usize)> {
    found.runs.iter().flat_map(|run| (0..run.len).map(|at| (run.old + at, run.new + at))).collect()
}

/// Pairs lines of a stretch in which none are the same: by operation where it is long, else by the parts they share.
fn pair_alike(
    old: &[Read<'_>],
    new: &[Read<'_>],
    gap: &Gap,
    pairs: &mut Vec<(usize, usize)>,
    rough: &mut bool,
) {
    let (a, b) = (&old[gap.old.clone()], &new[gap.new.clone()]);
    if a.len().saturating_mul(b.len()) <= COMPARED {
        pairs.extend(alike(a, b).into_iter().map(|(x, y)| (x + gap.old.start, y + gap.new.start)));
        return;
    }
    let operations = |lines: &[Read<'_>]| lines.iter().map(|line| line.operation).collect::<Vec<_>>();
    let found = align(&operations(a), &operations(b));
    *rough |= found.rough;
    for (x, y) in self::pairs(&found) {
        if a[x].share(&b[y]) >= HALF {
            pairs.push((x + gap.old.start, y + gap.new.start));
        }
    }
}

/// A line that is as much like another as it is unlike it.
const HALF: u32 = 50;

/// Pairs in order with the most in common altogether, of a short stretch.
fn alike(old: &[Read<'_>], new: &[Read<'_>]) -> Vec<(usize, usize)> {
    let width = new.len() + 1;
    // `best[x * width + y]`: of the lines from x and y on.
    let mut best = vec![0_u32; (old.len() + 1) * width];
    let mut shares = vec![0_u32; old.len() * new.len()];
    for x in (0..old.len()).rev() {
        for y in (0..new.len()).rev() {
            let share = old[x].share(&new[y]);
            shares[x * new.len() + y] = share;
            let paired = if share >= HALF { best[(x + 1) * width + y + 1] + share } else { 0 };
            best[x * width + y] = paired.max(best[(x + 1) * width + y]).max(best[x * width + y + 1]);
        }
    }
    let (mut x, mut y, mut pairs) = (0, 0, Vec::new());
    while x < old.len() && y < new.len() {
        let (here, share) = (best[x * width + y], shares[x * new.len() + y]);
        if share >= HALF && here == best[(x + 1) * width + y + 1] + share {
            pairs.push((x, y));
            (x, y) = (x + 1, y + 1);
        } else if here == best[(x + 1) * width + y] {
            x += 1;
        } else {
            y += 1;
        }
    }
    pairs
}

/// A line, read for comparing.
struct Read<'l> {
    text: &'l str,
    /// The same for lines that say the same, places apart.
    key: u64,
    /// The same for lines of the same operation.
    operation: u64,
    /// The parts, each with how often it stood there before, sorted.
    parts: Vec<u64>,
    /// The places in the code that it names; the first is its own where it starts with it.
    places: Vec<&'l str>,
    own: bool,
}

/// Texts as numbers: equal texts, equal numbers.
#[derive(Default)]
struct Words(HashMap<String, u64>);

impl Words {
    fn number(&mut self, text: &str) -> u64 {
        match self.0.get(text) {
            Some(&number) => number,
            None => {
                let number = self.0.len() as u64;
                self.0.insert(text.to_owned(), number);
                number
            }
        }
    }

    fn lines<'l>(&mut self, listing: &'l Listing) -> Vec<Read<'l>> {
        listing.lines().map(|line| self.line(&line)).collect()
    }

    fn line<'l>(&mut self, line: &Line<'l>) -> Read<'l> {
        let (mut key, mut operation) = (String::with_capacity(line.text.len()), String::from("operation"));
        let (mut parts, mut places) = (Vec::new(), Vec::new());
        let mut own = false;
        for (at, part) in line.parts().enumerate() {
            match part.kind {
                PartKind::Label => {
                    own |= at == 0;
                    places.push(part.text.trim());
                    key.extend(part.text.chars().filter(|c| !c.is_ascii_digit()));
                    key.push('\u{1}');
                    continue;
                }
                PartKind::Mnemonic => operation.push_str(part.text),
                _ => {}
            }
            for word in part.text.split_ascii_whitespace() {
                key.push_str(word);
                key.push(' ');
                if part.kind != PartKind::Punctuation {
                    parts.push(self.number(word));
                }
            }
        }
        parts.sort_unstable();
        let (key, operation) = (self.number(&key), self.number(&operation));
        Read { text: line.text, key, operation, parts, places, own }
    }
}

impl<'l> Read<'l> {
    /// How much the lines have in common, of 100.
    fn share(&self, other: &Self) -> u32 {
        if self.operation != other.operation && self.parts.len().min(other.parts.len()) < 3 {
            return 0;
        }
        let (mut a, mut b) = (self.parts.iter().peekable(), other.parts.iter().peekable());
        let mut same = 0;
        while let (Some(x), Some(y)) = (a.peek(), b.peek()) {
            match x.cmp(y) {
                std::cmp::Ordering::Less => drop(a.next()),
                std::cmp::Ordering::Greater => drop(b.next()),
                std::cmp::Ordering::Equal => {
                    same += 1;
                    a.next();
                    b.next();
                }
            }
        }
        let all = (self.parts.len() + other.parts.len()).max(1) as u32;
        // The same operation says more than any operand.
        let operation = if self.operation == other.operation { 40 } else { 0 };
        operation + 2 * same * (100 - 40) / all
    }

    fn kind(&self, other: &Self, moved: &HashMap<&'l str, &'l str>) -> RowKind {
        if self.text == other.text {
            return RowKind::Same;
        }
        if self.key != other.key || self.places.len() != other.places.len() {
            return RowKind::Changed;
        }
        let along = self.places.iter().zip(&other.places).enumerate().all(|(at, (a, b))| {
            // What stands in front of a line is its own number.
            (self.own && at == 0) || a == b || moved.get(place(a)) == Some(&place(b)) || numbered(self, at)
        });
        if along { RowKind::Renumbered } else { RowKind::Changed }
    }
}

/// Whether a place is the number of the line itself behind blanks, which stands in front of everything that says something.
fn numbered(line: &Read<'_>, at: usize) -> bool {
    at == 0 && line.text.trim_start().starts_with(line.places[0])
}

/// A place as references name it.
fn place(text: &str) -> &str {
    let text = text.trim_end_matches(':');
    match text.trim_start_matches('0') {
        "" if !text.is_empty() => "0",
        rest => rest,
    }
}

/// Where the places of paired lines went.
fn places<'l>(old: &[Read<'l>], new: &[Read<'l>], pairs: &[(usize, usize)]) -> HashMap<&'l str, &'l str> {
    let own = |line: &Read<'l>| line.own.then(|| line.places.first().map(|text| place(text))).flatten();
    pairs.iter().filter_map(|&(x, y)| Some((own(&old[x])?, own(&new[y])?))).collect()
}

/// How much two programs have in common: lines that say the same, of 100.
pub(super) fn common(old: &HashSet<u64>, new: &HashSet<u64>) -> u32 {
    let both = old.intersection(new).count();
    (both * 200 / (old.len() + new.len()).max(1)) as u32
}

/// Of pairs in the order of the old side those that have to move, so that the others are in order on the new side as well.
pub(super) fn moved(news: &[usize]) -> HashSet<usize> {
    let mut moved: HashSet<usize> = (0..news.len()).collect();
    for at in rising(news) {
        moved.remove(&at);
    }
    moved
}

#[cfg(test)]
mod tests {
    use super::*;
    use unshade_isa::text::Sink;

    /// A listing of lines: a word in front of a colon is a place, words starting with `@` too.
    fn listing(lines: &[&str]) -> Listing {
        let mut listing = Listing::default();
        for line in lines {
            for (at, word) in line.split(' ').enumerate() {
                let kind = match word.chars().next() {
                    _ if word.ends_with(':') => PartKind::Label,
                    Some('@') => PartKind::Label,
                    _ if at == 0 => PartKind::Mnemonic,
                    _ => PartKind::Register,
                };
                if at > 0 {
                    listing.put(PartKind::Plain, " ");
                }
                listing.put(kind, word.trim_start_matches('@'));
            }
            listing.end_line();
        }
        listing
    }

    fn kinds(old: &[&str], new: &[&str]) -> Vec<(RowKind, Option<usize>, Option<usize>)> {
        let rows = align_listings(&listing(old), &listing(new));
        let seen = |side: fn(&Row) -> Option<usize>| rows.rows.iter().filter_map(side).collect::<Vec<_>>();
        assert_eq!(seen(|row| row.old), (0..old.len()).collect::<Vec<_>>());
        assert_eq!(seen(|row| row.new), (0..new.len()).collect::<Vec<_>>());
        rows.rows.iter().map(|row| (row.kind, row.old, row.new)).collect()
    }

    #[test]
    fn lines_are_paired() {
        use RowKind::{Added, Changed, Renumbered, Same};
        let old = ["mov r0 v0", "add r1 r0 c3", "jump @L3", "L3:", "mul r2 r1 r1", "end"];
        let new = ["mov r0 v0", "nop", "add r1 r0 c4", "jump @L4", "L4:", "mul r2 r1 r1", "end"];
        assert_eq!(
            kinds(&old, &new),
            [
                (Same, Some(0), Some(0)),
                (Added, None, Some(1)),
                (Changed, Some(1), Some(2)),
                (Renumbered, Some(2), Some(3)),
                (Renumbered, Some(3), Some(4)),
                (Same, Some(4), Some(5)),
                (Same, Some(5), Some(6)),
            ]
        );
        // A jump to somewhere else is another jump.
        let old = ["L1:", "mov r0 v0", "L2:", "jump @L1", "end"];
        let new = ["L1:", "mov r0 v0", "L2:", "jump @L2", "end"];
        assert_eq!(kinds(&old, &new)[3].0, Changed);
    }

    #[test]
    fn unlike_lines_stay_apart() {
        let rows = kinds(&["mov r0 v0", "a b c d", "end"], &["mov r0 v0", "e f g h", "end"]);
        assert_eq!(rows[1].0, RowKind::Removed);
        assert_eq!(rows[2].0, RowKind::Added);
    }

    #[test]
    fn long_programs_take_bounded_time() {
        let line =
            |at: usize, extra: usize| format!("op{} r{} c{}", at % 7, at % 100, (at * at + extra) % 90);
        let old: Vec<String> = (0..100_000).map(|at| line(at, 0)).collect();
        let new: Vec<String> = (0..100_000).map(|at| line(at + 3, usize::from(at % 50 == 0))).collect();
        let texts = |lines: &[String]| listing(&lines.iter().map(String::as_str).collect::<Vec<_>>());
        let rows = align_listings(&texts(&old), &texts(&new));
        assert_eq!(rows.rows.iter().filter(|row| row.old.is_some()).count(), 100_000);
        assert_eq!(rows.rows.iter().filter(|row| row.new.is_some()).count(), 100_000);
    }
}
