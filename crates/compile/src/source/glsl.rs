//! GLSL as people write it for this machine, made into what naga reads: any version, uniforms without bindings, inputs and
//! outputs without locations.
//!
//! Nothing moves to another line, and what is put in is taken out of every place that is told ([`Offsets`]). A uniform that
//! stands alone becomes a variable (its `uniform` becomes blanks), and the front end knows by name that it is none.

use super::{
    Hints, Offsets,
    compatibility::Used,
    messages::syntax,
    scan::{Token, tokens},
};
use naga::{
    Module, ShaderStage,
    front::glsl::{Frontend, Options},
};
use std::collections::HashSet;
use unshade_bytes::problem::{Problem, Result};

/// Reads a text.
pub(super) fn parse(text: &str) -> std::result::Result<(Module, Hints, Offsets), Vec<Problem>> {
    let (changed, hints, offsets) = prepare(text).map_err(|problem| vec![*problem])?;
    let parsed = Frontend::default().parse(&Options::from(ShaderStage::Vertex), &changed);
    let module = parsed.map_err(|errors| match errors.errors.as_slice() {
        [] => vec![*Problem::new("compile.syntax", 0..0, "this is no GLSL")],
        list => list.iter().map(|error| *syntax(error, &changed, text, &offsets)).collect(),
    })?;
    Ok((module, hints, offsets))
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
    let (mut old, mut has_fixed) = (true, true);
    let mut replaced: Vec<(std::ops::Range<usize>, String)> = Vec::new();
    let mut declaration = Declaration::default();
    let (mut braces, mut brackets) = (0usize, 0usize);
    let mut first = None;
    let mut multiplies_matrices = false;
    let mut used = Used::default();
    let mut all = tokens(text).peekable();
    let mut ahead: std::collections::VecDeque<Token<'_>> = std::collections::VecDeque::new();
    while let Some(token) = ahead.pop_front().or_else(|| all.next()) {
        while ahead.len() < 3
            && let Some(next) = all.next()
        {
            ahead.push_back(next);
        }
        if token.text.starts_with('#') {
            if let Some(rest) = token.text.get(1..).map(str::trim_start)
                && let Some(version) = rest.strip_prefix("version")
            {
                (old, has_fixed) = version_line(&token, version, &mut replaced)?;
            }
            continue;
        }
        refuse(&token)?;
        first = first.or(Some(token.span.start));
        multiplies_matrices |= token.text == "matrixCompMult";
        if (token.text.starts_with("gl_") || token.text == "ftransform")
            && !declaration.is_redeclaration(token.text)
        {
            if !has_fixed && Used::is_fixed(token.text) {
                let message = format!("`{}` is a name of versions up to 120", token.text);
                return Err(Problem::new("compile.syntax", token.span.clone(), message).note(
                    "write `compatibility` behind the number of the version, or declare an attribute, a uniform or an output",
                ));
            }
            let next = |at: usize| ahead.get(at).map_or("", |token| token.text);
            used.note(token.text, [next(0), next(1), next(2)]);
        }
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
    let declared = used.declare();
    if let Some(first) = first.filter(|_| !declared.text.is_empty()) {
        changes.insert.insert(0, (first, declared.text));
        hints.loose.extend(declared.uniforms);
        hints.nowhere = declared.nowhere;
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
    const NUMBERS: [&str; 11] = [
        "gl_VertexID",
        "gl_VertexIndex",
        "gl_InstanceID",
        "gl_InstanceIndex",
        "gl_BaseVertex",
        "gl_BaseInstance",
        "gl_BaseVertexARB",
        "gl_BaseInstanceARB",
        "gl_DrawID",
        "gl_ViewIndex",
        "gl_ViewID_OVR",
    ];
    if NUMBERS.contains(&word) {
        let message = format!("the machine has no `{word}`");
        return Err(
            Problem::new("compile.builtin", token.span.clone(), message).note("give it as an attribute")
        );
    }
    if word == "subroutine" {
        let message = "the machine has no functions that are chosen from outside";
        return Err(Problem::new("compile.unsupported", token.span.clone(), message)
            .note("choose with `if` and a `uniform bool`"));
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

/// The line that says the version, as the one that naga reads. Whether it is a version with `attribute` and `varying`, and
/// whether it is one with the names of the fixed functions.
fn version_line(
    token: &Token<'_>,
    version: &str,
    replaced: &mut Vec<(std::ops::Range<usize>, String)>,
) -> Result<(bool, bool)> {
    let code = version.split("//").next().unwrap_or_default();
    let code = code.split("/*").next().unwrap_or_default();
    let words: Vec<&str> = code.split_whitespace().collect();
    const OLD: [&str; 9] = ["100", "110", "120", "130", "140", "150", "330", "400", "410"];
    const NEW: [&str; 5] = ["420", "430", "440", "450", "460"];
    let old = words.first().is_some_and(|version| OLD.contains(version));
    let known = match words.as_slice() {
        [version] | [version, "core" | "compatibility"] => old || NEW.contains(version),
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
    let has_fixed =
        matches!(words.as_slice(), ["100" | "110" | "120" | "130" | "140"] | [_, "compatibility"]);
    Ok((old, has_fixed))
}

impl<'a> Declaration<'a> {
    fn push(&mut self, token: Token<'a>) {
        match token.text {
            "uniform" => (self.has_storage, self.has_uniform) = (true, true),
            "in" | "out" | "attribute" | "varying" => self.has_storage = true,
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

    /// Whether a name that the language has already is declared here once more, as `out gl_PerVertex { ... };` does.
    fn is_redeclaration(&self, name: &str) -> bool {
        let is_inside = self.tokens.iter().any(|token| token.text == "gl_PerVertex");
        self.has_storage
            && !self.is_function()
            && (is_inside || (name.starts_with("gl_") && self.opened.is_none() && !self.assigns()))
    }

    /// Whether a value stands in it.
    fn assigns(&self) -> bool {
        self.tokens.iter().any(|token| token.text == "=")
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
        // `layout(std140) uniform;` is about memory, which the machine does not have.
        let is_default = layout
            .as_ref()
            .is_some_and(|layout| layout.start == 0 && self.tokens.len() == layout.end + 2)
            && matches!(self.tokens.iter().rev().nth(1), Some(word) if matches!(word.text, "uniform" | "buffer"));
        if is_default && let (Some(first), Some(last)) = (self.tokens.first(), self.tokens.last()) {
            changes.blank.push(first.span.start..last.span.end);
            *self = Self::default();
            return Ok(());
        }
        if self.is_block() {
            self.plain_members(changes);
        }
        // What the language has already says nothing new.
        let is_known = self.tokens.iter().any(|token| token.text == "gl_PerVertex")
            || (!self.assigns() && self.names().any(|name| name.starts_with("gl_")));
        if is_known
            && self.has_storage
            && !is_function
            && let (Some(first), Some(last)) = (self.tokens.first(), self.tokens.last())
        {
            changes.blank.push(first.span.start..last.span.end);
            *self = Self::default();
            return Ok(());
        }
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

    /// Takes from the members of a block what says where they lie and how they are handed on.
    fn plain_members(&self, changes: &mut Changes) {
        const WORDS: [&str; 8] =
            ["flat", "smooth", "noperspective", "centroid", "sample", "lowp", "mediump", "highp"];
        let open = self.tokens.iter().position(|token| token.text == "{").unwrap_or(0);
        let mut inside = self.tokens.iter().skip(open);
        while let Some(token) = inside.next() {
            if WORDS.contains(&token.text) {
                changes.blank.push(token.span.clone());
            } else if token.text == "layout"
                && let Some(last) = inside.find(|token| token.text == ")")
            {
                changes.blank.push(token.span.start..last.span.end);
            }
        }
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
