//! `let _e7 = x;`, and `_e7` behind it: `x`, as long as nothing assigns to it in between.

use super::line::{Line, closing, is_word, placed_words, replaced, words};
use std::collections::{BTreeMap, BTreeSet};

/// Lines that are looked through.
const FAR: usize = 200;
/// Longest text that takes the place of several names.
const SHORT: usize = 24;

/// Rewrites a function. `changing`: what else may change between two lines.
pub(super) fn run(body: &mut Vec<Line>, changing: &BTreeSet<String>) {
    // Where each name is mentioned last, and how often.
    let mut mentions: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    for (at, line) in body.iter().enumerate() {
        for word in words(&line.text).filter(|word| is_temporary(word)) {
            let entry = mentions.entry(word.to_owned()).or_default();
            *entry = (at, entry.1 + 1);
        }
    }
    let mut gone = vec![false; body.len()];
    for at in 0..body.len() {
        let Some((name, value)) = body[at].declaration() else { continue };
        let Some(&(last, count)) = mentions.get(name).filter(|_| is_temporary(name) && is_path(value)) else {
            continue;
        };
        let watched: Vec<&str> = words(value).collect();
        let fits = count <= 2 || value.len() <= SHORT;
        if !fits || last > at + FAR || watched.iter().any(|word| changing.contains(*word)) {
            continue;
        }
        if body[at + 1..=last.max(at)].iter().enumerate().any(|(offset, line)| {
            // The last line may assign: what it reads comes first.
            let is_last = at + 1 + offset == last;
            line.begins_loop() || line.text.starts_with("continuing") || !is_last && changes(line, &watched)
        }) {
            continue;
        }
        let (name, value) = (name.to_owned(), value.to_owned());
        for line in &mut body[at + 1..=last.max(at)] {
            line.text = replaced(&line.text, &name, &value);
        }
        gone[at] = true;
    }
    let mut gone = gone.into_iter();
    body.retain(|_| !gone.next().unwrap_or(false));
}

/// A name that naga made: `_e` and a number.
fn is_temporary(name: &str) -> bool {
    name.strip_prefix("_e").is_some_and(|number| number.bytes().all(|byte| byte.is_ascii_digit()))
}

/// A name with members and elements: `a.b[c]`.
fn is_path(value: &str) -> bool {
    let Some((0, first)) = placed_words(value).next() else { return false };
    let mut at = first.len();
    while let Some(next) = value.get(at..).and_then(|rest| rest.chars().next()) {
        match next {
            '[' => match closing(value, at) {
                Some(end) => at = end + 1,
                None => return false,
            },
            '.' => {
                let rest = value.get(at + 1..).unwrap_or_default();
                at += 1 + rest.find(|c| !is_word(c)).unwrap_or(rest.len());
            }
            _ => return false,
        }
    }
    !matches!(first, "true" | "false")
}

/// Whether a line may assign to one of these.
fn changes(line: &Line, names: &[&str]) -> bool {
    let first = words(&line.text).next();
    let assigns = line.text.contains(" = ") && line.declaration().is_none();
    // A call that stands alone may do anything.
    let calls = line.text.ends_with(");") && !assigns && line.declaration().is_none();
    calls
        || assigns && first.is_some_and(|first| names.contains(&first))
        || names.iter().any(|name| line.text.contains(&format!("&{name}")))
}
