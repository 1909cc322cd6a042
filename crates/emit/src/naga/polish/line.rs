//! Lines of text, and words in them.

/// A line without the blanks in front.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Line {
    pub indent: usize,
    pub text: String,
}

impl Line {
    pub(super) fn new(line: &str) -> Self {
        let text = line.trim_start_matches(' ');
        Self { indent: line.len() - text.len(), text: text.trim_end().to_owned() }
    }

    /// `NAME = VALUE;`: both.
    pub(super) fn assignment(&self) -> Option<(&str, &str)> {
        let (name, value) = self.text.strip_suffix(';')?.split_once(" = ")?;
        name.chars().all(is_word).then_some((name, value))
    }

    /// Whether it declares `NAME`, with a type or `let` in front: the name and the value.
    pub(super) fn declaration(&self) -> Option<(&str, &str)> {
        let (front, value) = self.text.strip_suffix(';')?.split_once(" = ")?;
        let (ty, name) = front.rsplit_once(' ')?;
        let is_type = |c: char| is_word(c) || matches!(c, ':' | '<' | '>' | ',' | ' ');
        (!ty.is_empty() && ty != "return" && ty.chars().all(is_type) && name.chars().all(is_word))
            .then_some((name, value))
    }

    pub(super) fn begins_loop(&self) -> bool {
        ["loop ", "while", "for ", "for(", "do "].iter().any(|word| self.text.starts_with(word))
    }
}

pub(super) fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// The words of a text, each with its place. What follows on a number is part of it.
pub(super) fn placed_words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            let rest = text.get(at..)?;
            let start = at + rest.find(is_word)?;
            let rest = text.get(start..)?;
            let length = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
            at = start + length;
            let word = rest.get(..length)?;
            if !word.starts_with(|c: char| c.is_ascii_digit()) {
                return Some((start, word));
            }
        }
    })
}

/// The words of a text.
pub(super) fn words(text: &str) -> impl Iterator<Item = &str> {
    placed_words(text).map(|(_, word)| word)
}

/// The text with something else for a word.
pub(super) fn replaced(text: &str, word: &str, by: &str) -> String {
    let mut out = String::with_capacity(text.len() + by.len());
    let mut last = 0;
    for (start, found) in placed_words(text) {
        if found == word {
            out.push_str(&text[last..start]);
            out.push_str(by);
            last = start + word.len();
        }
    }
    out.push_str(&text[last..]);
    out
}

/// Where the parenthesis or bracket closes that opens at a place.
pub(super) fn closing(text: &str, open: usize) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, byte) in text.bytes().enumerate().skip(open) {
        match byte {
            b'(' | b'[' => depth += 1,
            b')' | b']' => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(at);
                }
            }
            _ if depth == 0 => return None,
            _ => {}
        }
    }
    None
}

/// A value without the parentheses around all of it.
pub(super) fn bare(mut value: &str) -> &str {
    while value.starts_with('(')
        && closing(value, 0) == Some(value.len() - 1)
        && let Some(inner) = value.get(1..value.len() - 1)
    {
        value = inner;
    }
    value
}

/// A line whose value or condition has no parentheses around all of it.
pub(super) fn without_parentheses(text: &str) -> String {
    if let Some(value) = text.strip_suffix(';') {
        if let Some(value) = value.strip_prefix("return ") {
            return format!("return {};", bare(value));
        }
        if let Some((front, value)) = value.split_once(" = ")
            && !front.starts_with("for ")
        {
            return format!("{front} = {};", bare(value));
        }
        return text.to_owned();
    }
    let condition = |start: &str| text.strip_prefix(start)?.strip_suffix(" {");
    for start in ["if ", "} else if ", "while "] {
        if let Some(condition) = condition(start) {
            let inner = bare(condition);
            // Without any parenthesis only where the language has none there.
            return match condition.starts_with('(') && inner.len() + 2 <= condition.len() {
                true if closing(condition, 0) == Some(condition.len() - 1) => format!("{start}({inner}) {{"),
                _ => text.to_owned(),
            };
        }
    }
    text.to_owned()
}
