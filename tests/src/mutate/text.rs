//! Texts of assemblers and other lines of words and numbers, of which a word or a line is another.

use super::Dice;
use std::ops::Range;

/// Most changes of one step.
const CHANGES: usize = 3;
/// Longest text that is taken apart, in bytes.
const LARGEST: usize = 1 << 16;

/// Numbers at which things end.
const EDGES: [&str; 14] = [
    "0",
    "1",
    "2",
    "3",
    "7",
    "15",
    "16",
    "31",
    "63",
    "127",
    "255",
    "4095",
    "4294967295",
    "18446744073709551616",
];

/// Changes words, numbers and lines of a text.
pub fn text(data: &[u8], dice: &mut Dice) -> Option<Vec<u8>> {
    let text = std::str::from_utf8(data).ok().filter(|text| text.len() <= LARGEST)?;
    changed(text, dice).map(String::into_bytes)
}

/// The same for what is a text already.
pub(super) fn changed(text: &str, dice: &mut Dice) -> Option<String> {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    for _ in 0..=dice.below(CHANGES) {
        let at = dice.below(lines.len());
        let other = dice.below(lines.len());
        match dice.below(10) {
            0 => drop(lines.get(at).is_some().then(|| lines.remove(at))),
            1 => {
                let line = lines.get(other)?.clone();
                lines.insert(at, line);
            }
            2 => lines.get(at.max(other)).is_some().then(|| lines.swap(at, other))?,
            3..=5 => {
                let from = lines.get(other)?.clone();
                replace(lines.get_mut(at)?, &from, dice)?;
            }
            _ => number(lines.get_mut(at)?, dice)?,
        }
    }
    Some(lines.join("\n") + "\n")
}

/// Runs of characters of one kind: digits, or letters.
fn runs(line: &str, is_part: impl Fn(u8) -> bool) -> Vec<Range<usize>> {
    let mut runs: Vec<Range<usize>> = Vec::new();
    for (at, byte) in line.bytes().enumerate() {
        match runs.last_mut() {
            _ if !is_part(byte) => {}
            Some(run) if run.end == at => run.end += 1,
            _ => runs.push(at..at + 1),
        }
    }
    runs
}

/// A word of one line in the place of a word of another.
fn replace(line: &mut String, from: &str, dice: &mut Dice) -> Option<()> {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.');
    let (own, others) = (runs(line, is_part), runs(from, is_part));
    let (place, word) = (dice.pick(&own)?.clone(), dice.pick(&others)?.clone());
    line.replace_range(place, from.get(word)?);
    Some(())
}

/// A number is another: its neighbour, or an edge.
fn number(line: &mut String, dice: &mut Dice) -> Option<()> {
    let numbers = runs(line, |byte| byte.is_ascii_digit());
    let place = dice.pick(&numbers)?.clone();
    let old: u64 = line.get(place.clone())?.parse().unwrap_or(0);
    let new = match dice.below(4) {
        0 => old.wrapping_add(1).to_string(),
        1 => old.saturating_sub(1).to_string(),
        2 => (old ^ 1 << dice.below(8)).to_string(),
        _ => (*dice.pick(&EDGES)?).to_owned(),
    };
    line.replace_range(place, &new);
    Some(())
}
