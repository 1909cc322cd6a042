//! GLSL as people write it for this machine, made into what naga reads: any version, uniforms without bindings, inputs and
//! outputs without locations.
//!
//! Nothing moves to another line, and what is put in is taken out of every place that is told ([`Offsets`]). A uniform that
//! stands alone becomes a variable (its `uniform` becomes blanks), and the front end knows by name that it is none.

use super::{
    Hints, Offsets,
    scan::{Token, tokens},
};
use crate::problem::{Problem, Result};
use naga::{
    Module, ShaderStage,
    front::glsl::{Error, ErrorKind, Frontend, Options},
};
use std::collections::HashSet;

/// Reads a text.
pub(super) fn parse(text: &str) -> Result<(Module, Hints, Offsets)> {
    let (changed, hints, offsets) = prepare(text)?;
    let parsed = Frontend::default().parse(&Options::from(ShaderStage::Vertex), &changed);
    let module = parsed.map_err(|errors| {
        let first = errors.errors.first();
        match first {
            Some(error) => syntax(error, &changed, text, &offsets),
            None => Problem::new("compile.syntax", 0..0, "this is no GLSL"),
        }
    })?;
    Ok((module, hints, offsets))
}

/// What naga says, in words that name the text and not its tokens.
fn syntax(error: &Error, changed: &str, text: &str, offsets: &Offsets) -> Box<Problem> {
    let range = error.meta.to_range().unwrap_or(0..0);
    let found = changed.get(range.clone()).filter(|found| !found.is_empty());
    let message = match (&error.kind, found) {
        (ErrorKind::InvalidToken(_, expected), Some(found)) => {
            let expected: Vec<String> = expected.iter().map(|token| plain(&token.to_string())).collect();
            format!("expected {}, found `{found}`", expected.join(" or "))
        }
        (ErrorKind::UnknownVariable(name), _) => format!("there is no variable or function `{name}`"),
        (ErrorKind::UnknownType(name), _) => format!("there is no type `{name}`"),
        (ErrorKind::UnknownField(name), _) => format!("there is no member `{name}`"),
        (ErrorKind::SemanticError(why), _) if why.contains("runtime-expression") => {
            "a constant can only be made of constants".to_owned()
        }
        (kind, _) => super::lower_first(kind.to_string()),
    };
    let problem = Problem::new("compile.syntax", offsets.to_text(range, text.len()), message);
    match &error.kind {
        ErrorKind::SemanticError(why) if why.starts_with("Unknown function") => problem.note(
            "functions stand in front of their calls, and none calls itself: the machine has no recursion",
        ),
        _ => problem,
    }
}

/// A token of naga as it is written.
fn plain(token: &str) -> String {
    let sign = match token {
        "Semicolon" => ";",
        "Comma" => ",",
        "LeftBrace" => "{",
        "RightBrace" => "}",
        "LeftParen" => "(",
        "RightParen" => ")",
        "LeftBracket" => "[",
        "RightBracket" => "]",
        "Assign" => "=",
        "Colon" => ":",
        other => return other.to_owned(),
    };
    format!("`{sign}`")
}

/// A declaration at the top of a text.
#[derive(Default)]
struct Declaration<'a> {
    tokens: Vec<Token<'a>>,
    /// `uniform`, `in` or `out` stands in it.
    has_storage: bool,
    has_uniform: bool,
    /// What stands in front of its first brace, if there was one.
    opened: Option<&'a str>,
}

/// What has to be done to a text, as places and what comes there.
#[derive(Default)]
struct Changes {
    /// Bytes that become blanks.
    blank: Vec<std::ops::Range<usize>>,
    /// What is put in, and in front of which byte.
    insert: Vec<(usize, String)>,
    blocks: usize,
}

fn prepare(text: &str) -> Result<(String, Hints, Offsets)> {
    let mut changes = Changes::default();
    let mut hints = Hints { located: Some(HashSet::new()), ..Hints::default() };
    // A text that says no version is of the first one.
    let mut old = true;
    let mut replaced: Vec<(std::ops::Range<usize>, String)> = Vec::new();
    let mut declaration = Declaration::default();
    let (mut braces, mut brackets) = (0usize, 0usize);
    let mut first = None;
    let mut multiplies_matrices = false;
    for token in tokens(text) {
        if token.text.starts_with('#') {
            if let Some(rest) = token.text.get(1..).map(str::trim_start)
                && let Some(version) = rest.strip_prefix("version")
            {
                old = version_line(&token, version, &mut replaced)?;
            }
            continue;
        }
        refuse(&token)?;
        first = first.or(Some(token.span.start));
        multiplies_matrices |= token.text == "matrixCompMult";
        match token.text {
            "attribute" | "varying" if braces == 0 => {
                let now = if token.text == "attribute" { "in" } else { "out" };
                if !old {
                    let message = format!("`{}` is a word of versions up to 410", token.text);
                    return Err(Problem::new("compile.syntax", token.span.clone(), message)
                        .note(format!("write `{now}`")));
                }
                replaced.push((token.span.clone(), format!("{now:<0$}", token.span.len())));
            }
            _ => {}
        }
        match token.text {
            "{" => braces += 1,
            "}" => braces = braces.saturating_sub(1),
            "(" | "[" => brackets += 1,
            ")" | "]" => brackets = brackets.saturating_sub(1),
            _ => {}
        }
        let ends = (token.text == ";" && braces == 0 && brackets == 0)
            // The body of a function ends without a semicolon.
            || (token.text == "}" && braces == 0 && declaration.is_function());
        if braces == 0 || (braces == 1 && token.text == "{") || declaration.is_block() {
            declaration.push(token);
        }
        if ends {
            declaration.take(&mut changes, &mut hints)?;
        }
    }
    // The one function of the language that naga does not know, before all that can call it.
    if multiplies_matrices && let Some(first) = first {
        changes.insert.insert(0, (first, by_components()));
    }
    Ok(changes.apply(text, replaced, hints))
}

/// `matrixCompMult` for all matrices, in one line.
fn by_components() -> String {
    let mut functions = String::new();
    for columns in 2..=4 {
        for rows in 2..=4 {
            let of = format!("mat{columns}x{rows}");
            let products: Vec<String> =
                (0..columns).map(|column| format!("a[{column}]*b[{column}]")).collect();
            let products = products.join(",");
            functions.push_str(&format!("{of} matrixCompMult({of} a,{of} b){{return {of}({products});}} "));
        }
    }
    functions
}

/// What no vertex program of the machine can have, told where it stands.
fn refuse(token: &Token<'_>) -> Result<()> {
    let word = token.text;
    let starts = |fronts: &[&str]| fronts.iter().any(|front| word.starts_with(front));
    let sampler = starts(&["sampler", "isampler", "usampler", "image1D", "image2D", "image3D"]);
    if sampler
        && word.ends_with(['D', 'e', 'y', 'w', 'S', 'r', 't'])
        && word.contains(['1', '2', '3', 'C', 'B'])
    {
        let message = "a vertex program of this machine cannot read textures";
        return Err(Problem::new("compile.texture", token.span.clone(), message)
            .note("put what the texture holds into attributes or into an array of uniforms"));
    }
    if word.starts_with("xfb_") {
        let message = "the machine has no transform feedback";
        return Err(Problem::new("compile.unsupported", token.span.clone(), message)
            .note("what a vertex program makes goes to the rasteriser, or to a geometry program"));
    }
    let is_double = word == "double"
        || word.strip_prefix("dvec").or_else(|| word.strip_prefix("dmat")).is_some_and(|rest| {
            matches!(rest, "2" | "3" | "4") || matches!(rest.as_bytes(), [b'2'..=b'4', b'x', b'2'..=b'4'])
        });
    if is_double {
        let message = "this machine has no doubles: its numbers have 24 bits";
        return Err(
            Problem::new("compile.double", token.span.clone(), message).note("use `float`, `vec` and `mat`")
        );
    }
    Ok(())
}

/// The line that says the version, as the one that naga reads. Whether it is a version with `attribute` and `varying`.
fn version_line(
    token: &Token<'_>,
    version: &str,
    replaced: &mut Vec<(std::ops::Range<usize>, String)>,
) -> Result<bool> {
    let code = version.split("//").next().unwrap_or_default();
    let code = code.split("/*").next().unwrap_or_default();
    let words: Vec<&str> = code.split_whitespace().collect();
    const OLD: [&str; 9] = ["100", "110", "120", "130", "140", "150", "330", "400", "410"];
    const NEW: [&str; 5] = ["420", "430", "440", "450", "460"];
    let old = words.first().is_some_and(|version| OLD.contains(version));
    let known = match words.as_slice() {
        [version] | [version, "core"] => old || NEW.contains(version),
        [version, "es"] => ["300", "310", "320"].contains(version),
        _ => false,
    };
    if !known {
        let message = format!("there is no version `{}`", words.join(" "));
        return Err(Problem::new("compile.version", token.span.clone(), message)
            .note("write `#version 450` or `#version 300 es`"));
    }
    let mut line = "#version 450".to_owned();
    while line.len() < token.span.len() {
        line.push(' ');
    }
    replaced.push((token.span.clone(), line));
    Ok(old)
}

impl<'a> Declaration<'a> {
    fn push(&mut self, token: Token<'a>) {
        match token.text {
            "uniform" => (self.has_storage, self.has_uniform) = (true, true),
            "in" | "out" => self.has_storage = true,
            "{" if self.opened.is_none() => {
                self.opened = Some(self.tokens.last().map_or("", |before| before.text));
            }
            _ => {}
        }
        self.tokens.push(token);
    }

    /// Whether what has come so far is the start of a function: parameters, then a body.
    fn is_function(&self) -> bool {
        self.opened == Some(")") && !self.has_uniform
    }

    fn is_block(&self) -> bool {
        self.opened.is_some() && self.has_storage && !self.is_function()
    }

    /// The `layout(...)` in front: its tokens.
    fn layout(&self) -> Option<std::ops::Range<usize>> {
        let first = self.tokens.iter().position(|token| token.text == "layout")?;
        let rest = self.tokens.get(first..)?;
        let last = rest.iter().position(|token| token.text == ")")?;
        Some(first..first + last + 1)
    }

    fn take(&mut self, changes: &mut Changes, hints: &mut Hints) -> Result<()> {
        let layout = self.layout();
        let uniform = self.tokens.iter().find(|token| token.text == "uniform").cloned();
        let is_function = self.is_function();
        if let Some(word) = uniform.filter(|_| !is_function) {
            let layouts = layout.and_then(|range| {
                let tokens = self.tokens.get(range)?;
                Some(tokens.first()?.span.start..tokens.last()?.span.end)
            });
            changes.blank.extend(layouts);
            if self.opened.is_some() {
                changes.insert.push((word.span.start, format!("layout(std140,binding={}) ", changes.blocks)));
                changes.blocks += 1;
                hints.blocks.insert(self.instance());
            } else {
                changes.blank.push(word.span.clone());
                hints.loose.extend(self.names().map(str::to_owned));
            }
        } else if !is_function && self.has_storage {
            let located = layout.is_some_and(|range| {
                self.tokens
                    .get(range)
                    .is_some_and(|tokens| tokens.iter().any(|token| token.text == "location"))
            });
            if located && let Some(known) = &mut hints.located {
                known.extend(self.names().map(str::to_owned));
            }
        }
        *self = Self::default();
        Ok(())
    }

    /// The name behind a block, or nothing.
    fn instance(&self) -> String {
        let close = self.tokens.iter().rposition(|token| token.text == "}");
        let behind = close.and_then(|close| self.tokens.get(close + 1)).map_or("", |token| token.text);
        if behind == ";" { String::new() } else { behind.to_owned() }
    }

    /// What is declared: words in front of a comma, a bracket, an equals sign or the end.
    fn names(&self) -> impl Iterator<Item = &str> {
        let mut depth = 0usize;
        self.tokens.windows(2).filter_map(move |pair| {
            let [name, next] = pair else { return None };
            match name.text {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => depth = depth.saturating_sub(1),
                _ => {}
            }
            let is_name = name.text.starts_with(|c: char| c.is_alphabetic() || c == '_');
            (depth == 0 && is_name && matches!(next.text, "," | "[" | "=" | ";")).then_some(name.text)
        })
    }
}

impl Changes {
    fn apply(
        mut self,
        text: &str,
        replaced: Vec<(std::ops::Range<usize>, String)>,
        hints: Hints,
    ) -> (String, Hints, Offsets) {
        let mut bytes = text.as_bytes().to_vec();
        for (range, line) in replaced {
            // As long as what was there, or longer where the rest of the line is empty.
            let line = line.as_bytes();
            let length = range.len().min(line.len());
            if let (Some(place), Some(line)) =
                (bytes.get_mut(range.start..range.start + length), line.get(..length))
            {
                place.copy_from_slice(line);
            }
        }
        for range in self.blank {
            for byte in bytes.get_mut(range).into_iter().flatten() {
                if *byte != b'\n' && *byte != b'\r' {
                    *byte = b' ';
                }
            }
        }
        let mut offsets = Offsets::default();
        self.insert.sort_by_key(|(at, _)| *at);
        let mut changed: Vec<u8> = Vec::with_capacity(bytes.len() + 32);
        let mut from = 0;
        for (at, insert) in self.insert {
            changed.extend(bytes.get(from..at).unwrap_or_default());
            offsets.insert(changed.len(), insert.len());
            changed.extend(insert.bytes());
            from = at;
        }
        changed.extend(bytes.get(from..).unwrap_or_default());
        (String::from_utf8(changed).unwrap_or_default(), hints, offsets)
    }
}
