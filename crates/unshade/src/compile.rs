//! From shading languages to a file: GLSL and WGSL vertex programs to SHBIN.

use crate::assemble::shbin;
use std::fmt::Write as _;
use unshade_bytes::{Diagnostic, Location};
use unshade_compile::Compiled;
use unshade_containers::{Container, shbin::Shbin};

pub use unshade_compile::{
    Calls, Choice, Compiled as Program, File, Files, Include, Input, Interface, Kind, Language, Meaning,
    Options, Output, Part, Reason, Shape, Source, Uniform,
};

/// A 3DS shader file made of sources.
#[derive(Debug, Clone)]
pub struct CompiledShbin {
    /// The file, laid out as the reference assembler does: an executable for each source, in their order.
    pub shbin: Shbin,
    /// The program with listings, interfaces and warnings.
    pub program: Compiled,
}

/// Compiles vertex programs into one 3DS shader file. Uniforms with the same name are one.
///
/// ```
/// use unshade::compile::{Language, Options, Source, compile_shbin};
/// let text = "#version 450\nin vec4 p; uniform mat4 mvp; void main() { gl_Position = mvp * p; }";
/// let source = Source { name: "a.vert.glsl", text, language: Language::Glsl };
/// let compiled = compile_shbin(&[source], &Options::default()).unwrap();
/// assert_eq!(compiled.program.assembly.program.words.len(), 5);
/// ```
///
/// # Errors
/// What is wrong with the sources, with places in their texts.
pub fn compile_shbin(sources: &[Source<'_>], options: &Options) -> Result<CompiledShbin, Vec<Diagnostic>> {
    compile_shbin_with(sources, options, &mut Files::none())
}

/// The same for sources that take in other files with `#include`.
///
/// ```
/// use unshade::compile::{File, Files, Language, Options, Source, compile_shbin_with};
/// let text = "#version 450\n#include \"scale.glsl\"\nin vec4 p;\nvoid main() { gl_Position = p * SCALE; }";
/// let source = Source { name: "a.vert.glsl", text, language: Language::Glsl };
/// let mut files = Files::new(|include| match include.name {
///     "scale.glsl" => Ok(File { name: "scale.glsl".into(), text: "#define SCALE 2.0".into() }),
///     _ => Err("there is only scale.glsl".into()),
/// });
/// compile_shbin_with(&[source], &Options::default(), &mut files).unwrap();
/// assert_eq!(files.taken()[0].name, "scale.glsl");
/// ```
///
/// # Errors
/// What is wrong with the sources, with places in their texts, and in those of the files.
pub fn compile_shbin_with(
    sources: &[Source<'_>],
    options: &Options,
    files: &mut Files<'_>,
) -> Result<CompiledShbin, Vec<Diagnostic>> {
    let program = unshade_compile::compile_with(sources, options, files)?;
    Ok(CompiledShbin { shbin: shbin(&program.assembly.program), program })
}

impl CompiledShbin {
    /// The bytes of the file.
    ///
    /// # Errors
    /// A table that does not fit, which no program of the compiler has.
    pub fn write(&self) -> unshade_bytes::Result<Vec<u8>> {
        Container::Shbin(self.shbin.clone()).write()
    }
}

/// Findings as compilers print them, `file:line:column: error: ...` with the line and what to do: for build scripts.
///
/// ```
/// use unshade::compile::{Language, Options, Source, compile_shbin, messages};
/// let text = "#version 450\nvoid main() { gl_Position = p; }";
/// let sources = [Source { name: "a.vert.glsl", text, language: Language::Glsl }];
/// let findings = compile_shbin(&sources, &Options::default()).unwrap_err();
/// assert!(messages(&findings, &sources).starts_with("a.vert.glsl:2:29: error: there is no variable or function `p`"));
/// ```
pub fn messages(findings: &[Diagnostic], sources: &[Source<'_>]) -> String {
    let mut text = String::new();
    for found in findings {
        let place = match &found.location {
            Location::Text { source, span } => sources.get(*source).map(|source| (source, span.start)),
            _ => None,
        };
        if let Some((source, at)) = place {
            let before = source.text.get(..at).unwrap_or_default();
            let line = before.matches('\n').count();
            let column = before.rsplit('\n').next().unwrap_or_default().chars().count();
            let _ = write!(text, "{}:{}:{}: ", source.name, line.saturating_add(1), column.saturating_add(1));
            let _ = writeln!(text, "{}: {}", found.severity, found.message);
            if let Some(line) = source.text.lines().nth(line) {
                let _ = writeln!(text, "    {}", line.trim());
            }
        } else {
            let _ = writeln!(text, "{}: {}", found.severity, found.message);
        }
        for note in &found.notes {
            let _ = writeln!(text, "    note: {note}");
        }
    }
    text
}
