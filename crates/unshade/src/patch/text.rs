//! The text of patches: a line for each thing, see `docs/patch.md`.

use super::{Changes, FieldHunk, Fingerprint, PartHunk, Patch, Piece, Rest, Section};
use std::{fmt, fmt::Write, str::SplitAsciiWhitespace};
use unshade_bytes::{Error, ErrorKind, Limits, Result};

/// The first line.
const MAGIC: &str = "unshade-patch 1";
/// Bytes on a line.
const ROW: usize = 32;

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {:016x}", self.len, self.hash)
    }
}

impl fmt::Display for Patch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{MAGIC}\nfrom {}\nto {}", self.from, self.to)?;
        for section in &self.sections {
            let name = if section.name.is_empty() { "-" } else { &section.name };
            writeln!(f, "\nfile {name}\nfrom {}\nto {}", section.from, section.to)?;
            match &section.changes {
                Changes::Fields(hunks) => {
                    f.write_str("fields\n")?;
                    hunks.iter().try_for_each(|hunk| field(f, hunk))?;
                }
                Changes::Parts(hunks) => {
                    f.write_str("parts\n")?;
                    hunks.iter().try_for_each(|hunk| part(f, hunk))?;
                }
                Changes::Bytes(all) => {
                    f.write_str("bytes\n")?;
                    pieces(f, all)?;
                }
            }
        }
        if let Some(rest) = &self.rest {
            let packing = if rest.packing { " packing" } else { "" };
            writeln!(f, "\nrest {}{packing}", rest.from)?;
            pieces(f, &rest.pieces)?;
        }
        Ok(())
    }
}

fn field(f: &mut fmt::Formatter<'_>, hunk: &FieldHunk) -> fmt::Result {
    let FieldHunk { path, offset, len, old, entry, name, new, remark } = hunk;
    write!(f, "at {path} +{offset} {len} {old:016x} entry {entry:016x}")?;
    if let Some(name) = name {
        write!(f, " name {name:016x}")?;
    }
    if let Some(remark) = remark {
        write!(f, "  # {remark}")?;
    }
    f.write_char('\n')?;
    pieces(f, new)
}

fn part(f: &mut fmt::Formatter<'_>, hunk: &PartHunk) -> fmt::Result {
    match hunk {
        PartHunk::Lines { part, line, count, old, before, after, new } => {
            write!(f, "lines {part} {line} {count} {old:016x} before")?;
            before.iter().try_for_each(|hash| write!(f, " {hash:016x}"))?;
            f.write_str(" after")?;
            after.iter().try_for_each(|hash| write!(f, " {hash:016x}"))?;
            f.write_char('\n')?;
            pieces(f, new)
        }
        PartHunk::Change { part, old, new } => {
            writeln!(f, "change {part} {old}")?;
            pieces(f, new)
        }
        PartHunk::Add { part, new } => {
            writeln!(f, "add {part}")?;
            pieces(f, new)
        }
        PartHunk::Remove { part, old } => writeln!(f, "remove {part} {old}"),
        PartHunk::Rename { part, to, old } => writeln!(f, "rename {part} {to} {old}"),
    }
}

fn pieces(f: &mut fmt::Formatter<'_>, pieces: &[Piece]) -> fmt::Result {
    for piece in pieces {
        match piece {
            Piece::Copy { from, len, hash } => writeln!(f, "  copy {from:#x} {len} {hash:016x}")?,
            Piece::Bytes(bytes) => match lines(bytes) {
                Some(text) => text.lines().try_for_each(|line| writeln!(f, "  +{line}"))?,
                None => {
                    for row in bytes.chunks(ROW) {
                        f.write_str("  bytes ")?;
                        row.iter().try_for_each(|byte| write!(f, "{byte:02x}"))?;
                        f.write_char('\n')?;
                    }
                }
            },
        }
    }
    Ok(())
}

/// Bytes that are whole lines of plain text.
fn lines(bytes: &[u8]) -> Option<&str> {
    let text = std::str::from_utf8(bytes).ok()?;
    let plain = |c: char| c == '\n' || (c == ' ' || c.is_ascii_graphic());
    (text.ends_with('\n') && text.chars().all(plain)).then_some(text)
}

/// Reads the text of a patch.
///
/// # Errors
///
/// [`ErrorKind::BadValue`] with the line, where it is no patch.
pub fn parse(text: &str) -> Result<Patch> {
    if text.len() as u64 > Limits::DEFAULT.bytes {
        let expected = format!("a patch of at most {} bytes", Limits::DEFAULT.bytes);
        return Err(Error::new(ErrorKind::LimitExceeded, 0, "", expected, format!("{} bytes", text.len()))
            .code("patch.limit"));
    }
    let mut reader = Reader { text, at: 0, line: 0, next: 0 };
    reader.advance();
    if reader.current() != Some(MAGIC) {
        return Err(reader.error(&format!("`{MAGIC}`")));
    }
    reader.advance();
    let (from, to) = (reader.fingerprint("from")?, reader.fingerprint("to")?);
    let mut patch = Patch { from, to, sections: Vec::new(), rest: None };
    while let Some(line) = reader.current() {
        let mut words = line.split_ascii_whitespace();
        match (words.next(), words.next()) {
            (Some("file"), Some(name)) if words.next().is_none() && patch.rest.is_none() => {
                let name = if name == "-" { String::new() } else { name.to_owned() };
                reader.advance();
                let (from, to) = (reader.fingerprint("from")?, reader.fingerprint("to")?);
                let changes = reader.changes()?;
                patch.sections.push(Section { name, from, to, changes });
            }
            (Some("rest"), Some(len)) if patch.rest.is_none() => {
                let from = reader.print(Some(len), words.next())?;
                let packing = words.next().is_some_and(|word| word == "packing");
                reader.advance();
                patch.rest = Some(Rest { packing, from, pieces: reader.pieces()? });
            }
            _ => return Err(reader.error("`file NAME` or `rest`")),
        }
    }
    Ok(patch)
}

/// The lines of a patch that say something.
struct Reader<'t> {
    text: &'t str,
    /// Where the current line starts.
    at: usize,
    /// Its number, from 1.
    line: usize,
    /// Where the next line starts.
    next: usize,
}

impl<'t> Reader<'t> {
    /// The current line; none at the end.
    fn current(&self) -> Option<&'t str> {
        let line = self.text.get(self.at..self.next)?;
        (!line.is_empty()).then(|| line.trim_end_matches(['\n', '\r']))
    }

    /// Goes to the next line that says something.
    fn advance(&mut self) {
        loop {
            self.at = self.next;
            let rest = self.text.get(self.at..).unwrap_or_default();
            self.next = self.at + rest.find('\n').map_or(rest.len(), |end| end + 1);
            self.line += 1;
            match self.current() {
                Some(line) if line.trim().is_empty() || line.starts_with('#') => {}
                _ => return,
            }
        }
    }

    fn error(&self, expected: &str) -> Error {
        let found = match self.current() {
            Some(line) => format!("`{}`", line.chars().take(60).collect::<String>().escape_debug()),
            None => "the end of the patch".to_owned(),
        };
        Error::new(
            ErrorKind::BadValue,
            self.at as u64,
            format!("line {}", self.line),
            expected.to_owned(),
            found,
        )
        .code("patch.text")
    }

    fn number(&self, word: Option<&str>) -> Result<u64> {
        word.and_then(|word| word.parse().ok()).ok_or_else(|| self.error("a number"))
    }

    fn hash(&self, word: Option<&str>) -> Result<u64> {
        let digits = word.filter(|word| word.len() == 16);
        digits
            .and_then(|word| u64::from_str_radix(word, 16).ok())
            .ok_or_else(|| self.error("a hash of 16 hexadecimal digits"))
    }

    fn print(&self, len: Option<&str>, hash: Option<&str>) -> Result<Fingerprint> {
        Ok(Fingerprint { len: self.number(len)?, hash: self.hash(hash)? })
    }

    fn word(&self, words: &mut SplitAsciiWhitespace<'t>) -> Result<String> {
        words.next().map(str::to_owned).ok_or_else(|| self.error("a name"))
    }

    /// A line `from LEN HASH`.
    fn fingerprint(&mut self, what: &str) -> Result<Fingerprint> {
        let mut words = self.current().unwrap_or_default().split_ascii_whitespace();
        if words.next() != Some(what) {
            return Err(self.error(&format!("`{what} SIZE HASH`")));
        }
        let print = self.print(words.next(), words.next())?;
        self.advance();
        Ok(print)
    }

    fn changes(&mut self) -> Result<Changes> {
        let kind = self.current();
        let start = self.error("`fields`, `parts` or `bytes`");
        self.advance();
        match kind {
            Some("fields") => {
                let mut hunks = Vec::new();
                while let Some(line) = self.current().filter(|line| line.starts_with("at ")) {
                    hunks.push(self.field(line)?);
                }
                Ok(Changes::Fields(hunks))
            }
            Some("parts") => {
                let mut hunks = Vec::new();
                while let Some(hunk) = self.part()? {
                    hunks.push(hunk);
                }
                Ok(Changes::Parts(hunks))
            }
            Some("bytes") => self.pieces().map(Changes::Bytes),
            _ => Err(start),
        }
    }

    fn field(&mut self, line: &'t str) -> Result<FieldHunk> {
        let (said, remark) = match line.split_once("  # ") {
            Some((said, remark)) => (said, Some(remark.to_owned())),
            None => (line, None),
        };
        let mut words = said.split_ascii_whitespace();
        words.next();
        let path = self.word(&mut words)?;
        let offset = self.number(words.next().and_then(|word| word.strip_prefix('+')))?;
        let (len, old) = (self.number(words.next())?, self.hash(words.next())?);
        if words.next() != Some("entry") {
            return Err(self.error("`entry HASH`"));
        }
        let entry = self.hash(words.next())?;
        let name = match words.next() {
            None => None,
            Some("name") => Some(self.hash(words.next())?),
            Some(_) => return Err(self.error("`name HASH`")),
        };
        self.advance();
        Ok(FieldHunk { path, offset, len, old, entry, name, new: self.pieces()?, remark })
    }

    fn part(&mut self) -> Result<Option<PartHunk>> {
        let Some(line) = self.current() else { return Ok(None) };
        let mut words = line.split_ascii_whitespace();
        let kind = words.next();
        if !matches!(kind, Some("lines" | "change" | "add" | "remove" | "rename")) {
            return Ok(None);
        }
        let part = self.word(&mut words)?;
        let hunk = match kind {
            Some("lines") => {
                let (line, count) = (self.number(words.next())?, self.number(words.next())?);
                let old = self.hash(words.next())?;
                if words.next() != Some("before") {
                    return Err(self.error("`before`"));
                }
                let (mut before, mut after, mut behind) = (Vec::new(), Vec::new(), false);
                for word in words {
                    match word {
                        "after" if !behind => behind = true,
                        word if behind => after.push(self.hash(Some(word))?),
                        word => before.push(self.hash(Some(word))?),
                    }
                }
                self.advance();
                PartHunk::Lines { part, line, count, old, before, after, new: self.pieces()? }
            }
            Some("change") => {
                let old = self.print(words.next(), words.next())?;
                self.advance();
                PartHunk::Change { part, old, new: self.pieces()? }
            }
            Some("add") => {
                self.advance();
                PartHunk::Add { part, new: self.pieces()? }
            }
            Some("remove") => {
                let old = self.print(words.next(), words.next())?;
                self.advance();
                PartHunk::Remove { part, old }
            }
            _ => {
                let to = self.word(&mut words)?;
                let old = self.print(words.next(), words.next())?;
                self.advance();
                PartHunk::Rename { part, to, old }
            }
        };
        Ok(Some(hunk))
    }

    fn pieces(&mut self) -> Result<Vec<Piece>> {
        let mut pieces: Vec<Piece> = Vec::new();
        fn add(pieces: &mut Vec<Piece>, new: &[u8]) {
            match pieces.last_mut() {
                Some(Piece::Bytes(bytes)) => bytes.extend_from_slice(new),
                _ => pieces.push(Piece::Bytes(new.to_vec())),
            }
        }
        while let Some(line) = self.current() {
            if let Some(text) = line.strip_prefix("  +") {
                add(&mut pieces, text.as_bytes());
                add(&mut pieces, b"\n");
            } else if let Some(digits) = line.strip_prefix("  bytes ") {
                let bytes = bytes(digits.trim()).ok_or_else(|| self.error("pairs of hexadecimal digits"))?;
                add(&mut pieces, &bytes);
            } else if let Some(copy) = line.strip_prefix("  copy ") {
                let mut words = copy.split_ascii_whitespace();
                let from = words.next().and_then(|word| word.strip_prefix("0x"));
                let from = from.and_then(|digits| u64::from_str_radix(digits, 16).ok());
                let from = from.ok_or_else(|| self.error("an offset such as 0x80"))?;
                let (len, hash) = (self.number(words.next())?, self.hash(words.next())?);
                pieces.push(Piece::Copy { from, len, hash });
            } else {
                break;
            }
            self.advance();
        }
        Ok(pieces)
    }
}

fn bytes(digits: &str) -> Option<Vec<u8>> {
    let nibble = |digit: &u8| char::from(*digit).to_digit(16).map(|value| value as u8);
    let (pairs, rest) = digits.as_bytes().as_chunks::<2>();
    let byte = |[high, low]: &[u8; 2]| Some(nibble(high)? << 4 | nibble(low)?);
    rest.is_empty().then(|| pairs.iter().map(byte).collect()).flatten()
}
