//! From byte offsets to file, line and column, as an editor shows them.

use super::lexer::{Lines, Piece, Statement};
use unshade_bytes::Location;

/// A source text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Source<'a> {
    /// Name of the file, for messages.
    pub name: &'a str,
    /// All of its text.
    pub text: &'a str,
}

/// A place in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place<'a> {
    /// Name of the file: that of the last line marker, or else of the source.
    pub file: &'a str,
    /// Line number from 1, counted from the last line marker.
    pub line: u32,
    /// Column from 1, in characters.
    pub column: u32,
    /// The line itself, without its line feed.
    pub text: &'a str,
    /// How many characters are meant, at least 1.
    pub width: u32,
}

/// Index of the lines of all sources, made once for any number of questions.
#[derive(Debug, Clone)]
pub struct Places<'a> {
    sources: Vec<Index<'a>>,
}

#[derive(Debug, Clone)]
struct Index<'a> {
    text: &'a str,
    /// Byte offset of each line.
    starts: Vec<usize>,
    /// Line of the text from which on a file name and a line number hold.
    marks: Vec<(usize, &'a str, u32)>,
}

impl<'a> Places<'a> {
    /// An index of these sources, in the order in which they were assembled.
    pub fn new(sources: &[Source<'a>]) -> Self {
        Self { sources: sources.iter().map(|source| Index::new(source, true)).collect() }
    }

    /// The same for texts of other languages, where a line that starts with `#` is like any other: `#version` and `#define` of
    /// GLSL say nothing about where lines come from.
    pub fn plain(sources: &[Source<'a>]) -> Self {
        Self { sources: sources.iter().map(|source| Index::new(source, false)).collect() }
    }

    /// Where a finding points. `None` if it does not point into a text.
    pub fn find(&self, location: &Location) -> Option<Place<'a>> {
        match location {
            Location::Text { source, span } => self.sources.get(*source)?.find(span.start, span.end),
            _ => None,
        }
    }
}

impl<'a> Index<'a> {
    fn new(source: &Source<'a>, has_markers: bool) -> Self {
        let feeds = source.text.bytes().enumerate().filter(|&(_, byte)| byte == b'\n');
        let starts: Vec<usize> = std::iter::once(0).chain(feeds.map(|(at, _)| at + 1)).collect();
        let mut file = source.name;
        let mut marks = vec![(0, file, 1)];
        for (number, line) in Lines::new(source.text).enumerate().take_while(|_| has_markers) {
            if line.body.first() == Some(b'#')
                && let Statement::Marker(marker) = line.statement()
            {
                file = marker.file.map_or(file, |name: Piece<'a>| name.text);
                marks.push((number + 1, file, marker.line));
            }
        }
        Self { text: source.text, starts, marks }
    }

    fn find(&self, start: usize, end: usize) -> Option<Place<'a>> {
        let line = self.starts.partition_point(|&at| at <= start).checked_sub(1)?;
        let first = *self.starts.get(line)?;
        let last = self.starts.get(line + 1).map_or(self.text.len(), |next| next - 1);
        let text = self.text.get(first..last)?;
        let count = |from: usize, to: usize| {
            self.text.get(from..to.max(from)).map_or(0, |part| part.chars().count() as u32)
        };
        let &(since, file, number) = self.marks.get(self.marks.partition_point(|mark| mark.0 <= line) - 1)?;
        Some(Place {
            file,
            line: number.saturating_add((line - since) as u32),
            column: count(first, start.min(last)).saturating_add(1),
            text: text.strip_suffix('\r').unwrap_or(text),
            width: count(start.min(last), end.min(last)).max(1),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn find(text: &str, at: usize) -> (String, u32, u32, String) {
        let places = Places::new(&[Source { name: "a.pica", text }]);
        let place = places.find(&Location::Text { source: 0, span: at..at + 1 }).unwrap();
        (place.file.into(), place.line, place.column, place.text.into())
    }

    #[test]
    fn places_follow_line_markers() {
        let text = "one\r\n; \u{e9} two\n# 100 \"b.h\"\nthree\n# 7\n four";
        assert_eq!(find(text, 0), ("a.pica".into(), 1, 1, "one".into()));
        assert_eq!(find(text, text.find("two").unwrap()), ("a.pica".into(), 2, 5, "; \u{e9} two".into()));
        assert_eq!(find(text, text.find("three").unwrap()), ("b.h".into(), 100, 1, "three".into()));
        assert_eq!(find(text, text.find("four").unwrap()), ("b.h".into(), 7, 2, " four".into()));
        assert_eq!(find(text, text.len()), ("b.h".into(), 7, 6, " four".into()));
    }

    #[test]
    fn texts_of_other_languages_have_no_line_markers() {
        let text = "#version 450\n#define ONE 1\n# 100 \"b.h\"\nvoid";
        let places = Places::plain(&[Source { name: "a.vert", text }]);
        let at = |at: usize| {
            let place = places.find(&Location::Text { source: 0, span: at..at + 1 }).unwrap();
            (place.file, place.line, place.column)
        };
        assert_eq!(at(1), ("a.vert", 1, 2));
        assert_eq!(at(text.find("ONE").unwrap()), ("a.vert", 2, 9));
        assert_eq!(at(text.find("void").unwrap()), ("a.vert", 4, 1));
    }

    #[test]
    fn what_is_no_text_has_no_place() {
        let places = Places::new(&[]);
        assert_eq!(places.find(&Location::Whole), None);
        assert_eq!(places.find(&Location::Text { source: 0, span: 0..0 }), None);
    }
}
