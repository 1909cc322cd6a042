//! What happens to GLSL before it is read: macros, conditions, and other files that it takes in. What comes out holds no
//! macro and no directive but `#version`, and knows of each byte where it comes from.

mod condition;
mod lex;
mod macros;
mod map;

pub(crate) use map::Map;

use lex::{Kind, Token, tokens};
use macros::{Macro, Macros, Piece, Stopped};
use map::Place;
use std::ops::Range;
use unshade_bytes::problem::Problem;
use unshade_bytes::{Diagnostic, Severity};

/// A file that a text takes in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct File {
    /// Its path, for messages.
    pub name: String,
    /// All of its text.
    pub text: String,
}

/// A question for a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Include<'a> {
    /// What stands between the quotes or angle brackets.
    pub name: &'a str,
    /// The file in which it stands.
    pub from: &'a str,
    /// It stands in quotes: beside the file is looked first.
    pub is_quoted: bool,
}

/// How a file is found; `Err` says where it was looked for.
type Find<'a> = dyn FnMut(Include<'_>) -> Result<File, String> + 'a;

/// Where texts find files that they take in, and those that they took. Findings about a file that was taken have the number of
/// sources and its place in the list together as their `source`.
pub struct Files<'a> {
    find: Box<Find<'a>>,
    taken: Vec<File>,
}

impl std::fmt::Debug for Files<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Files").field("taken", &self.taken).finish_non_exhaustive()
    }
}

impl<'a> Files<'a> {
    /// Files that a function finds. It says where it looked for one that is not there.
    pub fn new(find: impl FnMut(Include<'_>) -> Result<File, String> + 'a) -> Self {
        Self { find: Box::new(find), taken: Vec::new() }
    }

    /// No files.
    pub fn none() -> Self {
        Self::new(|_| Err("other files cannot be taken in here".to_owned()))
    }

    /// The files that were taken in so far.
    pub fn taken(&self) -> &[File] {
        &self.taken
    }
}

/// A text without macros.
#[derive(Debug, Default)]
pub(crate) struct Expanded {
    pub text: String,
    pub map: Map,
    /// What is wrong, at places of the files.
    pub findings: Vec<Diagnostic>,
    /// Places of the text that comes out where something is missing that was wrong.
    pub broken: Vec<Range<usize>>,
    /// So much is missing that what is left says nothing.
    pub is_partial: bool,
}

/// Files inside each other, conditions inside each other, and findings.
const FILES: usize = 32;
const CONDITIONS: usize = 64;
const FINDINGS: usize = 32;
/// Bytes that come out.
const BYTES: usize = 1 << 18;

/// The state of a condition that is open.
struct Condition {
    place: Place,
    /// What stands here counts.
    is_active: bool,
    /// A part of it has counted, or none can.
    is_done: bool,
    has_else: bool,
}

struct Preprocessor<'p, 'f> {
    files: &'p mut Files<'f>,
    /// Number of the first file that is taken in.
    base: usize,
    macros: Macros,
    conditions: Vec<Condition>,
    once: Vec<String>,
    out: Expanded,
    is_full: bool,
}

/// Makes a text without macros of one with them.
pub(crate) fn expand(
    (index, name, text): (usize, &str, &str),
    sources: usize,
    defines: &[(String, String)],
    files: &mut Files<'_>,
) -> Expanded {
    let mut preprocessor = Preprocessor {
        files,
        base: sources,
        macros: Macros::default(),
        conditions: Vec::new(),
        once: Vec::new(),
        out: Expanded::default(),
        is_full: false,
    };
    preprocessor.define_alone("GL_core_profile", "1");
    preprocessor.define_alone("__VERSION__", "110");
    for (name, value) in defines {
        preprocessor.define_alone(name, value);
    }
    preprocessor.file(index, name, text, 0);
    preprocessor.out
}

/// The name that the command line, or another program, may give to a macro.
pub(crate) fn is_name(name: &str) -> bool {
    let mut letters = name.chars();
    letters.next().is_some_and(|first| first.is_ascii_alphabetic() || first == '_')
        && letters.all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
}

impl Preprocessor<'_, '_> {
    fn define_alone(&mut self, name: &str, value: &str) {
        let place = Place::default();
        let list = tokens(value);
        let body = list.iter().map(|token| Piece { place, ..Piece::of(token, value, 0) }).collect();
        self.macros.known.insert(name.to_owned(), Macro { parameters: None, body });
    }

    fn is_active(&self) -> bool {
        self.conditions.last().is_none_or(|condition| condition.is_active)
    }

    fn say(&mut self, place: Place, code: &'static str, message: impl Into<String>, note: &str) {
        if self.out.findings.len() < FINDINGS {
            let mut problem = Problem::new(code, place.start..place.end, message.into());
            if !note.is_empty() {
                problem = problem.note(note.to_owned());
            }
            self.out.findings.push(problem.diagnostic(Severity::Error, place.file));
        }
    }

    fn wrong(&mut self, place: Place, message: impl Into<String>) {
        self.say(place, "compile.preprocessor", message, "");
    }

    /// Puts a piece behind what has come out.
    fn put(&mut self, text: &str, place: Place, is_same: bool) {
        if self.is_full || self.out.text.len() + text.len() > BYTES {
            if !std::mem::replace(&mut self.is_full, true) {
                let message = format!("with its macros and files the text has more than {BYTES} bytes");
                self.out.is_partial = true;
                self.say(place, "compile.size", message, "");
            }
            return;
        }
        self.out.map.push(self.out.text.len(), place, is_same);
        self.out.text.push_str(text);
    }

    fn file(&mut self, file: usize, name: &str, text: &str, depth: usize) {
        let list = tokens(text);
        let outer = self.conditions.len();
        let mut at = 0;
        let mut line_starts = true;
        while let Some(token) = list.get(at) {
            at += 1;
            let place = Place { file, start: token.span.start, end: token.span.end };
            match token.kind {
                Kind::Line => {
                    line_starts = true;
                    self.put("\n", place, true);
                }
                Kind::Space => {
                    // As long as it was, so that places stay what they are.
                    let blank = |byte: u8| if byte == b'\n' { '\n' } else { ' ' };
                    let blanks: String = token.text(text).bytes().map(blank).collect();
                    self.put(&blanks, place, true);
                }
                Kind::Sign if line_starts && token.text(text) == "#" => {
                    let end = list.iter().skip(at).position(|token| token.kind == Kind::Line);
                    let end = end.map_or(list.len(), |length| at + length);
                    let line = list.get(at..end).unwrap_or_default();
                    let whole = Place { end: line.last().map_or(place.end, |last| last.span.end), ..place };
                    self.directive(line, whole, (file, name, text, depth));
                    at = end;
                }
                _ if !self.is_active() => line_starts = false,
                Kind::Word if self.macros.is_macro(token.text(text)) => {
                    line_starts = false;
                    let first = Piece::of(token, text, file);
                    let mut next = |peeks: bool| {
                        let mut ahead = at;
                        while peeks
                            && list.get(ahead).is_some_and(|t| matches!(t.kind, Kind::Space | Kind::Line))
                        {
                            ahead += 1;
                        }
                        let token = list.get(ahead)?;
                        if !peeks {
                            at += 1;
                        }
                        Some(Piece::of(token, text, file))
                    };
                    let expanded = self.macros.expand(first, &mut next);
                    let whole =
                        Place { end: list.get(at - 1).map_or(place.end, |last| last.span.end), ..place };
                    match expanded {
                        Ok(pieces) => self.put_all(&pieces, whole),
                        Err(stopped) => {
                            self.stopped(&stopped, whole);
                            self.break_here(1);
                            self.put(" ", whole, false);
                        }
                    }
                }
                Kind::Foreign => {
                    line_starts = false;
                    let found = token.text(text);
                    let first = found.chars().next().unwrap_or_default();
                    let message = match found.len() == first.len_utf8() {
                        true => format!("`{first}` is no character of GLSL"),
                        false => format!("`{first}` is no character of GLSL, found `{}`", shown(found)),
                    };
                    let note = if found.len() > 2 && found.is_ascii() && found.ends_with(first) {
                        "where a program puts code in there before it compiles, the text has to go that way first"
                    } else {
                        ""
                    };
                    self.say(place, "compile.character", message, note);
                    let blanks = " ".repeat(found.len());
                    self.break_here(blanks.len());
                    self.put(&blanks, place, true);
                }
                Kind::Open => {
                    self.wrong(place, "this comment has no end");
                    break;
                }
                Kind::Word | Kind::Number | Kind::Sign => {
                    line_starts = false;
                    self.put(token.text(text), place, true);
                }
            }
            if self.is_full {
                break;
            }
        }
        while self.conditions.len() > outer {
            if let Some(condition) = self.conditions.pop() {
                self.wrong(condition.place, "this condition has no `#endif`");
            }
        }
    }

    /// Notes that what comes out next stands for something wrong.
    fn break_here(&mut self, length: usize) {
        let at = self.out.text.len();
        self.out.broken.push(at..at + length);
    }

    fn put_all(&mut self, pieces: &[Piece], whole: Place) {
        for piece in pieces {
            match piece.kind {
                // A macro can hold what the language does not have.
                Kind::Foreign | Kind::Open => {
                    let message = format!("`{}` is no part of GLSL", shown(&piece.text));
                    self.say(
                        whole,
                        "compile.character",
                        message,
                        "it comes out of the macro that is used here",
                    );
                    self.break_here(1);
                    self.put(" ", whole, false);
                }
                Kind::Space | Kind::Line => self.put(" ", whole, false),
                _ => self.put(&piece.text, whole, false),
            }
        }
    }

    fn stopped(&mut self, stopped: &Stopped, place: Place) {
        let message = match stopped {
            Stopped::TooLong => {
                (self.is_full, self.out.is_partial) = (true, true);
                "macros make too much out of this text".to_owned()
            }
            Stopped::Arguments(name, wanted, found) => {
                format!("the macro `{name}` takes {}, found {found}", arguments(*wanted))
            }
            Stopped::Open(name) => format!("the `)` of `{name}(` is missing"),
        };
        self.wrong(place, message);
    }

    /// A line that starts with `#`; `line` is what stands behind it.
    fn directive(
        &mut self,
        line: &[Token],
        place: Place,
        (file, name, text, depth): (usize, &str, &str, usize),
    ) {
        let of = |token: &Token| Place { file, start: token.span.start, end: token.span.end };
        let mut rest = line.iter().filter(|token| token.kind != Kind::Space);
        let Some(word) = rest.next() else { return };
        let behind = line
            .iter()
            .position(|token| token.span == word.span)
            .map_or(&[][..], |at| line.get(at + 1..).unwrap_or_default());
        let pieces = || -> Vec<Piece> {
            let mut pieces: Vec<Piece> = behind.iter().map(|token| Piece::of(token, text, file)).collect();
            for piece in &mut pieces {
                if piece.kind == Kind::Space {
                    piece.text = " ".to_owned();
                }
            }
            let is_blank = |piece: &Piece| piece.kind == Kind::Space;
            while pieces.last().is_some_and(is_blank) {
                pieces.pop();
            }
            let first = pieces.iter().position(|piece| !is_blank(piece)).unwrap_or(0);
            pieces.split_off(first)
        };
        let was_active = self.is_active();
        match word.text(text) {
            "if" | "ifdef" | "ifndef" => {
                let value = was_active && self.condition(word.text(text), &pieces(), place);
                if self.conditions.len() >= CONDITIONS {
                    self.wrong(place, format!("at most {CONDITIONS} conditions stand inside each other"));
                    (self.is_full, self.out.is_partial) = (true, true);
                }
                self.conditions.push(Condition {
                    place,
                    is_active: value,
                    is_done: value || !was_active,
                    has_else: false,
                });
            }
            word @ ("elif" | "else") => {
                let state = self.conditions.last().map(|last| (last.is_done, last.has_else));
                let Some((is_done, has_else)) = state else {
                    return self.wrong(place, format!("`#{word}` stands outside of a condition"));
                };
                if has_else {
                    return self
                        .wrong(place, format!("`#{word}` stands behind the `#else` of its condition"));
                }
                let value = !is_done && (word == "else" || self.condition("if", &pieces(), place));
                if let Some(last) = self.conditions.last_mut() {
                    last.is_active = value;
                    last.is_done |= value;
                    last.has_else |= word == "else";
                }
            }
            "endif" => {
                if self.conditions.pop().is_none() {
                    self.wrong(place, "`#endif` stands outside of a condition");
                }
            }
            _ if !was_active => {}
            "define" => self.define(pieces(), place),
            "undef" => match pieces().as_slice() {
                [name] if name.kind == Kind::Word => drop(self.macros.known.remove(&name.text)),
                _ => self.wrong(place, "`#undef` takes the name of a macro"),
            },
            "include" => self.include(behind, place, (name, text, depth)),
            "error" => {
                self.out.is_partial = true;
                let said: String = pieces().iter().map(|piece| piece.text.as_str()).collect();
                self.say(place, "compile.error", format!("the text says `#error {}`", shown(&said)), "");
            }
            "version" => {
                let words: Vec<&str> = rest.map(|token| token.text(text)).collect();
                self.version(&words);
                // It goes on to who reads the language.
                let line = text.get(place.start..place.end).unwrap_or_default();
                let code = line.split("//").next().unwrap_or_default();
                self.put(code, Place { end: place.start + code.len(), ..place }, true);
            }
            "pragma" => {
                let words: Vec<&str> = rest.map(|token| token.text(text)).collect();
                if words == ["once"] {
                    self.once.push(name.to_owned());
                }
            }
            "extension" | "line" => {}
            // `# 12 "file"`, as preprocessors write it.
            _ if word.kind == Kind::Number => {}
            other => self.say(
                of(word),
                "compile.preprocessor",
                format!("there is no directive `#{}`", shown(other)),
                "",
            ),
        }
    }

    /// What a version says of itself to conditions.
    fn version(&mut self, words: &[&str]) {
        let Some(&number) = words.first() else { return };
        if number.bytes().all(|byte| byte.is_ascii_digit()) && number.len() <= 4 {
            self.define_alone("__VERSION__", number);
        }
        if words.get(1) == Some(&"compatibility") {
            self.define_alone("GL_compatibility_profile", "1");
        }
        if number == "100" || words.get(1) == Some(&"es") {
            self.macros.known.remove("GL_core_profile");
            self.define_alone("GL_ES", "1");
        }
    }

    fn condition(&mut self, word: &str, pieces: &[Piece], place: Place) -> bool {
        if word != "if" {
            return match pieces {
                [name] if name.kind == Kind::Word => self.macros.is_macro(&name.text) == (word == "ifdef"),
                // What stands behind the name is passed over by compilers.
                [name, ..] if name.kind == Kind::Word => {
                    self.macros.is_macro(&name.text) == (word == "ifdef")
                }
                _ => {
                    self.wrong(place, format!("`#{word}` takes the name of a macro"));
                    false
                }
            };
        }
        // `defined` is answered before macros are.
        let mut ready: Vec<Piece> = Vec::new();
        let words: Vec<&Piece> = pieces.iter().filter(|piece| piece.kind != Kind::Space).collect();
        let mut at = 0;
        while let Some(piece) = words.get(at) {
            at += 1;
            if piece.text != "defined" {
                ready.push((*piece).clone());
                continue;
            }
            let has_bracket = words.get(at).is_some_and(|piece| piece.is("("));
            let name = words.get(at + usize::from(has_bracket)).filter(|name| name.kind == Kind::Word);
            let closes = !has_bracket || words.get(at + 2).is_some_and(|piece| piece.is(")"));
            let Some(name) = name.filter(|_| closes) else {
                self.wrong(place, "`defined` takes the name of a macro");
                return false;
            };
            let text = if self.macros.is_macro(&name.text) { "1" } else { "0" };
            ready.push(Piece { kind: Kind::Number, text: text.to_owned(), ..(*name).clone() });
            at += if has_bracket { 3 } else { 1 };
        }
        let value = match self.macros.expand_all(ready, 8) {
            Ok(expanded) => condition::value(&expanded),
            Err(stopped) => {
                self.stopped(&stopped, place);
                return false;
            }
        };
        value.map(|value| value != 0).unwrap_or_else(|wrong| {
            self.wrong(place, wrong);
            false
        })
    }

    fn define(&mut self, pieces: Vec<Piece>, place: Place) {
        let mut pieces = pieces.into_iter().peekable();
        let Some(name) = pieces.next().filter(|name| name.kind == Kind::Word) else {
            return self.wrong(place, "`#define` takes the name of a macro");
        };
        // The brackets of parameters stand at the name, without a blank.
        let parameters = match pieces.next_if(|piece| piece.is("(") && piece.place.start == name.place.end) {
            None => None,
            Some(_) => {
                let mut list = Vec::new();
                let mut wants_name = true;
                loop {
                    match pieces.next() {
                        Some(piece) if piece.kind == Kind::Space => {}
                        Some(piece) if piece.kind == Kind::Word && wants_name => {
                            wants_name = false;
                            list.push(piece.text);
                        }
                        Some(piece) if piece.is(",") && !wants_name => wants_name = true,
                        Some(piece) if piece.is(")") && (!wants_name || list.is_empty()) => break,
                        _ => {
                            let message =
                                format!("the parameters of the macro `{}` are no list of names", name.text);
                            return self.wrong(place, message);
                        }
                    }
                }
                if let Some(twice) = macros::repeated(&list) {
                    let message = format!("the macro `{}` has two parameters `{twice}`", name.text);
                    return self.wrong(place, message);
                }
                Some(list)
            }
        };
        if ["defined", "__LINE__", "__FILE__", "__VERSION__"].contains(&name.text.as_str()) {
            return self.wrong(place, format!("`{}` cannot be defined", name.text));
        }
        while pieces.next_if(|piece| piece.kind == Kind::Space).is_some() {}
        self.macros.known.insert(name.text, Macro { parameters, body: pieces.collect() });
    }

    fn include(&mut self, behind: &[Token], place: Place, (from, text, depth): (&str, &str, usize)) {
        let line = match (behind.first(), behind.last()) {
            (Some(first), Some(last)) => text.get(first.span.start..last.span.end).unwrap_or_default().trim(),
            _ => "",
        };
        let between = |open: char, close: char| {
            let inner = line.strip_prefix(open)?;
            Some(inner.split_once(close)?.0).filter(|name| !name.is_empty())
        };
        let (name, is_quoted) = match (between('"', '"'), between('<', '>')) {
            (Some(name), _) => (name, true),
            (None, Some(name)) => (name, false),
            _ => {
                return self.wrong(place, "`#include` takes the name of a file, in quotes or angle brackets");
            }
        };
        if depth >= FILES {
            return self.wrong(place, format!("at most {FILES} files take each other in"));
        }
        let found = (self.files.find)(Include { name, from, is_quoted });
        match found {
            Ok(found) if self.once.contains(&found.name) => {}
            Ok(found) => {
                let known = self.files.taken.iter().position(|file| *file == found);
                let index = known.unwrap_or_else(|| {
                    self.files.taken.push(found.clone());
                    self.files.taken.len() - 1
                });
                self.file(self.base + index, &found.name, &found.text, depth + 1);
                self.put("\n", place, false);
            }
            Err(where_to) => {
                self.out.is_partial = true;
                let message = format!("there is no file `{}` to take in", shown(name));
                self.say(place, "compile.include", message, &where_to);
            }
        }
    }
}

fn arguments(count: usize) -> String {
    if count == 1 { "1 argument".to_owned() } else { format!("{count} arguments") }
}

/// As much of a text as a message can hold.
fn shown(text: &str) -> String {
    match text.char_indices().nth(60) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests;
