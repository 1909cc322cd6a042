//! Places in texts: which file, which bytes, and the line and column that a person sees.

use std::fmt;
use std::rc::Rc;

/// A file of a shader: the text that was given, or one that it includes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct FileId(pub u32);

/// A run of bytes in a file. What a macro made has the place where the macro is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Span {
    /// The file.
    pub file: FileId,
    /// First byte.
    pub start: u32,
    /// Byte behind the last one.
    pub end: u32,
}

impl Span {
    /// From the start of this to the end of `other`; this alone where `other` lies before it or in another file.
    pub fn to(self, other: Self) -> Self {
        match self.file == other.file && other.end >= self.start {
            true => Self { end: other.end.max(self.end), ..self },
            false => self,
        }
    }

    /// The empty place behind this.
    pub fn after(self) -> Self {
        Self { start: self.end, ..self }
    }
}

/// One text with the starts of its lines.
#[derive(Debug, Clone)]
pub struct File {
    /// The name by which it was given or included.
    pub name: String,
    /// What stands in it.
    pub text: Rc<str>,
    /// First byte of each line but the first.
    lines: Vec<u32>,
    /// What `#line` said: behind which byte, which number the next line has, and the number of the source string.
    renumbered: Vec<(u32, i64, Option<i64>)>,
}

/// A place as it is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place<'a> {
    /// Name of the file.
    pub file: &'a str,
    /// Line from 1 on.
    pub line: u32,
    /// Column from 1 on, in characters.
    pub column: u32,
    /// Length in characters, at least 1; what goes over the end of the line is left out.
    pub length: u32,
    /// The line's text without its end.
    pub text: &'a str,
    /// The line by the last `#line` before it, and the number of its source string, where there is one.
    pub said: Option<(i64, Option<i64>)>,
}

impl fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}

/// All files of a shader.
#[derive(Debug, Clone, Default)]
pub struct Sources {
    files: Vec<File>,
}

impl Sources {
    /// Takes a file in. A text is at most 4 GiB; the caller's limits are far below.
    pub fn add(&mut self, name: &str, text: &str) -> FileId {
        let id = FileId(u32::try_from(self.files.len()).unwrap_or(u32::MAX));
        let mut lines = Vec::new();
        let bytes = text.as_bytes();
        for (at, byte) in bytes.iter().enumerate() {
            // CR LF ends one line, as LF and CR alone do.
            if *byte == b'\n' || (*byte == b'\r' && bytes.get(at + 1) != Some(&b'\n')) {
                lines.push(u32::try_from(at + 1).unwrap_or(u32::MAX));
            }
        }
        self.files.push(File { name: name.to_owned(), text: text.into(), lines, renumbered: Vec::new() });
        id
    }

    /// The files, the shader's own text first.
    pub fn files(&self) -> &[File] {
        &self.files
    }

    /// The text of a file.
    pub fn text(&self, file: FileId) -> &str {
        self.files.get(file.0 as usize).map_or("", |file| &file.text)
    }

    /// The text of a file, for one who reads it while others are added.
    pub(crate) fn shared_text(&self, file: FileId) -> Rc<str> {
        self.files.get(file.0 as usize).map_or_else(|| Rc::from(""), |file| file.text.clone())
    }

    /// Takes the last file out again.
    pub(crate) fn forget(&mut self, file: FileId) {
        if file.0 as usize + 1 == self.files.len() {
            self.files.pop();
        }
    }

    /// The text at a place.
    pub fn at(&self, span: Span) -> &str {
        self.text(span.file).get(span.start as usize..span.end as usize).unwrap_or("")
    }

    /// Number of the line, from 1 on.
    pub fn line(&self, span: Span) -> u32 {
        let Some(file) = self.files.get(span.file.0 as usize) else { return 1 };
        u32::try_from(file.lines.partition_point(|start| *start <= span.start))
            .unwrap_or(u32::MAX)
            .saturating_add(1)
    }

    /// What `#line` said: the line behind `span` has the number `line`.
    pub fn renumber(&mut self, span: Span, line: i64, string: Option<i64>) {
        if let Some(file) = self.files.get_mut(span.file.0 as usize) {
            // A line that says no string keeps the one before.
            let string = string.or_else(|| file.renumbered.last().and_then(|last| last.2));
            file.renumbered.push((span.end, line, string));
        }
    }

    /// The number of a line by the last `#line`, and the number of its source string.
    pub fn said(&self, span: Span) -> Option<(i64, Option<i64>)> {
        let file = self.files.get(span.file.0 as usize)?;
        let last = file.renumbered.partition_point(|(at, ..)| *at <= span.start).checked_sub(1)?;
        let (at, line, string) = *file.renumbered.get(last)?;
        let behind = self.line(span) - self.line(Span { start: at, end: at, ..span });
        Some((line.saturating_add(i64::from(behind)).saturating_sub(1), string))
    }

    /// A place as it is shown.
    pub fn place(&self, span: Span) -> Place<'_> {
        let Some(file) = self.files.get(span.file.0 as usize) else {
            return Place { file: "", line: 1, column: 1, length: 1, text: "", said: None };
        };
        let line = self.line(span);
        let start = match line.checked_sub(2) {
            Some(before) => file.lines.get(before as usize).copied().unwrap_or(0) as usize,
            None => 0,
        };
        let rest = file.text.get(start..).unwrap_or("");
        let text = rest.split(['\n', '\r']).next().unwrap_or("");
        let characters = |bytes: usize| {
            u32::try_from(text.get(..bytes).unwrap_or(text).chars().count()).unwrap_or(u32::MAX)
        };
        let before = characters((span.start as usize).saturating_sub(start));
        let upto = characters((span.end as usize).saturating_sub(start));
        Place {
            file: &file.name,
            line,
            column: before.saturating_add(1),
            length: upto.saturating_sub(before).max(1),
            text,
            said: self.said(span),
        }
    }
}
