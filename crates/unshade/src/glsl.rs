//! Shaders in GLSL: read, and translated to the common language, so that they can be held against programs.

use crate::{DecompileError, DecompileOptions};
use unshade_bytes::{Diagnostic, Location, Severity};
use unshade_compile::translate::{Translation, translate};
use unshade_compile::{File, Include};
use unshade_emit::Layout;
use unshade_glsl::errors::{Problem, Severity as Gravity};
use unshade_glsl::language::Stage as Kind;
use unshade_glsl::{Options, read_with};
use unshade_stage::{Stage, StageKind};

/// A text that was read.
#[derive(Debug, Clone)]
pub struct Text {
    /// The shader as a module of the common language, with its interface.
    pub translation: Translation,
    /// What may be a mistake.
    pub warnings: Vec<Diagnostic>,
    /// The files that it includes, in the order in which they came; the places of findings count them behind the text.
    pub files: Vec<File>,
}

/// What is wrong with a text.
#[derive(Debug, Clone)]
pub struct Wrong {
    /// All of it, in the order of the places.
    pub findings: Vec<Diagnostic>,
    /// As [`Text::files`].
    pub files: Vec<File>,
}

/// Reads a shader. `defines` are macros with their values; `include_one` finds a file that it includes.
///
/// ```
/// use unshade::{StageKind, glsl};
/// let text = "#version 450\nlayout(location = 0) out vec4 c;\nvoid main() { c = vec4(1.0); }";
/// let read = glsl::read("a.frag", text, StageKind::Fragment, &[], &mut |_| Err("there is none".into()));
/// assert_eq!(read.unwrap().translation.interface.variables.len(), 1);
/// ```
///
/// # Errors
/// What is wrong with the text, or what of it the common language does not have, each with its place.
pub fn read(
    name: &str,
    text: &str,
    kind: StageKind,
    defines: &[(String, String)],
    include_one: &mut dyn FnMut(Include<'_>) -> Result<File, String>,
) -> Result<Text, Wrong> {
    let stage = match kind {
        StageKind::Vertex => Kind::Vertex,
        StageKind::Fragment => Kind::Fragment,
        StageKind::Geometry => Kind::Geometry,
        StageKind::TessControl => Kind::TessellationControl,
        StageKind::TessEval => Kind::TessellationEvaluation,
        StageKind::Compute => Kind::Compute,
    };
    let options = Options { name: name.to_owned(), defines: defines.to_vec(), ..Options::new(stage) };
    let mut files = Vec::new();
    let mut find = |wanted: unshade_glsl::preprocess::Include<'_>| {
        let include = Include { name: wanted.name, from: wanted.from, is_quoted: !wanted.is_system };
        let file = include_one(include)?;
        let found = (file.name.clone(), file.text.clone());
        files.push(file);
        Ok(found)
    };
    let reading = read_with(text, &options, &mut find);
    let mut findings: Vec<Diagnostic> = reading.problems.iter().map(diagnostic).collect();
    let Some(shader) = reading.shader else { return Err(Wrong { findings, files }) };
    match translate(&shader) {
        Ok(translation) => Ok(Text { translation, warnings: findings, files }),
        Err(error) => {
            let place = location(error.span);
            findings.push(Diagnostic::new(Severity::Error, "glsl.unsupported", place, "", error.message));
            Err(Wrong { findings, files })
        }
    }
}

/// A text that `decompile` made of another program, to be read in its place.
///
/// # Errors
/// As [`crate::decompile`].
pub fn of_program(stage: &Stage<'_>) -> Result<String, DecompileError> {
    let how = DecompileOptions { layout: Layout::OpenGl, ..DecompileOptions::default() };
    Ok(crate::decompile(stage, &how)?.text)
}

fn location(span: unshade_glsl::place::Span) -> Location {
    Location::Text { source: span.file.0 as usize, span: span.start as usize..span.end as usize }
}

fn diagnostic(problem: &Problem) -> Diagnostic {
    let severity = match problem.severity {
        Gravity::Error => Severity::Error,
        Gravity::Warning => Severity::Warning,
    };
    let code = format!("glsl.{}", problem.kind.name());
    let mut finding = Diagnostic::new(severity, code, location(problem.span), "", problem.message.clone());
    let notes = problem.notes.iter().map(|(_, text)| text.clone());
    finding.notes.extend(notes.filter(|text| !text.is_empty()));
    finding.notes.extend(problem.help.clone().filter(|text| !text.is_empty()));
    finding
}
