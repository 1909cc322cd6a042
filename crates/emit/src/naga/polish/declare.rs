//! Variables declared with their first value, in the block that needs them.

use super::Language;
use super::line::{Line, words};
use std::collections::BTreeMap;

/// Rewrites a function.
pub(super) fn run(body: &mut Vec<Line>, language: Language) {
    // First and last line with each name, the declaration apart.
    let mut declared: BTreeMap<String, usize> = BTreeMap::new();
    let mut mentions: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    for (at, line) in body.iter().enumerate() {
        if let Some((_, name)) = variable(line, language)
            && !declared.contains_key(name)
        {
            declared.insert(name.to_owned(), at);
            continue;
        }
        for word in words(&line.text).filter(|word| declared.contains_key(*word)) {
            mentions.entry(word.to_owned()).or_insert((at, at)).1 = at;
        }
    }
    let mut gone = vec![false; body.len()];
    for (name, at) in declared {
        let Some(&(first, last)) = mentions.get(&name) else { continue };
        let Some((ty, _)) = variable(&body[at], language) else { continue };
        let word = if language == Language::Wgsl { "var" } else { ty };
        let Some(text) = with_type(&body[first], &name, word) else { continue };
        // The block that the first value stands in ends where a line stands further out; a `for` with itself.
        let indent = body[first].indent;
        let in_head = body[first].text.starts_with("for ");
        let stays =
            |line: &Line| line.text.is_empty() || line.indent > indent || !in_head && line.indent == indent;
        let end = first + 1 + body[first + 1..].iter().take_while(|line| stays(line)).count();
        if last < end {
            body[first].text = text;
            gone[at] = true;
        }
    }
    let mut all = gone.iter().copied();
    body.retain(|_| !all.next().unwrap_or(false));
    // The blank line behind the declarations.
    if gone.contains(&true) && body.first().is_some_and(|line| line.text.is_empty()) {
        body.remove(0);
    }
}

/// A variable without a first value: its type and name.
fn variable(line: &Line, language: Language) -> Option<(&str, &str)> {
    let text = line.text.strip_suffix(';').filter(|_| line.indent == 4)?;
    match language {
        Language::Wgsl => text.strip_prefix("var ")?.split_once(": ").map(|(name, ty)| (ty, name)),
        Language::Hlsl => {
            let (front, value) = text.split_once(" = ")?;
            let (ty, name) = front.rsplit_once(' ')?;
            (value.strip_prefix('(')?.strip_suffix(")0")? == ty).then_some((ty, name))
        }
        Language::Msl => text.strip_suffix(" = {}")?.rsplit_once(' '),
    }
}

/// A line that gives the first value, as a declaration.
fn with_type(line: &Line, name: &str, ty: &str) -> Option<String> {
    if let Some(rest) = line.text.strip_prefix("for (") {
        let start = rest.split(';').next().unwrap_or_default();
        let value = start.strip_prefix(name)?.strip_prefix(" = ")?;
        return (!words(value).any(|word| word == name)).then(|| format!("for ({ty} {rest}"));
    }
    let (assigned, value) = line.assignment()?;
    (assigned == name && !words(value).any(|word| word == name)).then(|| format!("{ty} {}", line.text))
}
