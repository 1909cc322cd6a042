//! Reading a text: the whole way from bytes to the typed tree.

use crate::check::check;
use crate::errors::{Problem, Severity};
use crate::language::{Language, Profile, Stage, Target, Version};
use crate::limits::Limits;
use crate::parse::parse;
use crate::place::Sources;
use crate::preprocess::{Includer, Settings, preprocess};
use crate::tree::Shader;

/// What a text is, where it does not say so itself.
#[derive(Debug, Clone)]
pub struct Options {
    /// The stage.
    pub stage: Stage,
    /// The API whose rules hold.
    pub target: Target,
    /// Name of the text in messages.
    pub name: String,
    /// The version of a text without `#version`.
    pub version: Version,
    /// Macros that are defined from outside, with their values.
    pub defines: Vec<(String, String)>,
    /// What it may cost.
    pub limits: Limits,
}

impl Options {
    /// A text of a stage for OpenGL, of GLSL 1.10 where it does not say another version.
    pub fn new(stage: Stage) -> Self {
        Self {
            stage,
            target: Target::OpenGl,
            name: format!("shader.{}", stage.ending()),
            version: Version { number: 110, profile: Profile::None },
            defines: Vec::new(),
            limits: Limits::DEFAULT,
        }
    }
}

/// What reading gave.
#[derive(Debug)]
pub struct Reading {
    /// The shader, if nothing is wrong.
    pub shader: Option<Shader>,
    /// What is wrong, and warnings, in the order of their places.
    pub problems: Vec<Problem>,
    /// All texts, for showing places.
    pub sources: Sources,
}

impl Reading {
    /// Errors alone.
    pub fn errors(&self) -> impl Iterator<Item = &Problem> {
        self.problems.iter().filter(|problem| problem.severity == Severity::Error)
    }

    /// All problems as text.
    pub fn render(&self) -> String {
        self.problems.iter().map(|problem| problem.render(&self.sources)).collect::<Vec<_>>().join("\n")
    }
}

/// Reads a text that includes no files.
pub fn read(text: &str, options: &Options) -> Reading {
    run(text, options, None)
}

/// Reads a text; `include` finds the files that it includes.
pub fn read_with<'i>(text: &str, options: &'i Options, include: &'i mut Includer<'i>) -> Reading {
    run(text, options, Some(include))
}

fn run<'i>(text: &str, options: &'i Options, include: Option<&'i mut Includer<'i>>) -> Reading {
    let settings = Settings {
        name: &options.name,
        target: options.target,
        version: options.version,
        defines: &options.defines,
        include,
        limits: options.limits,
    };
    let mut done = preprocess(text, settings);
    let language = Language::new(done.version, options.stage, options.target);
    let mut shader = None;
    if !done.problems.is_full() {
        let syntax = parse(
            &done.tokens,
            &done.names,
            &done.extensions,
            language.clone(),
            &options.limits,
            &mut done.problems,
        );
        shader = check(
            &syntax,
            &done.names,
            &done.extensions,
            done.pragmas,
            language,
            &options.limits,
            &mut done.problems,
        );
    }
    // What stands at the name of a macro was made by it.
    let (sources, names, macros) = (&done.sources, &done.names, &done.macros);
    if !macros.is_empty() {
        done.problems.explain(|problem| {
            let symbol = names.find(sources.at(problem.span))?;
            let (_, span) = macros.iter().find(|(name, span)| *name == symbol && *span != problem.span)?;
            Some((*span, "it comes from this macro".to_owned()))
        });
    }
    let shader = shader.filter(|_| !done.problems.has_errors());
    Reading { shader, problems: done.problems.into_list(), sources: done.sources }
}
