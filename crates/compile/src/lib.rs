//! The compiler: vertex programs in GLSL or WGSL to assembly for PICA200, and the program that it assembles to.
//!
//! ```text
//! text -naga-> module -front-> vector::Program -passes-> -pica200-> listing -assembler-> asm::Program
//! ```
//!
//! [`compile`] takes one or several sources; each becomes an executable of one program. The listing is in the language of
//! the reference assembler, so everything behind it - padding, descriptors, tables of names and constants - is the
//! assembler's, and what comes out is what people write by hand.
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

mod allocate;
mod front;
pub mod pica200;
pub mod reference;
mod source;
pub mod translate;
mod vector;

pub use front::interface::{Input, Interface, Meaning, Output, Part, Uniform};
pub use front::places::{Choice, Reason};
pub use front::shape::{Kind, Shape};
pub use source::{File, Files, Include, Language};

use front::Plan;
use pica200::listing::{FIRST, Listing, Names, plain_name};
use source::Map;
use std::{collections::HashMap, ops::Range};
use unshade_bytes::problem::Problem;
use unshade_bytes::{Diagnostic, Location, Severity};
use unshade_isa::assembly;
use unshade_isa::pica200::asm::{self, Assembly, Options as AsmOptions};

/// A source text.
#[derive(Debug, Clone, Copy)]
pub struct Source<'a> {
    /// Name of the file: its ending says the language, unless that is given.
    pub name: &'a str,
    /// All of its text.
    pub text: &'a str,
    /// Language of the text.
    pub language: Language,
}

/// How to compile.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Options {
    /// The vertex program of a WGSL text that has several.
    pub entry: Option<String>,
    /// Which functions the machine calls.
    pub calls: Calls,
    /// Macros with their values, as `#define` in front of each GLSL source makes them.
    pub defines: Vec<(String, String)>,
    /// What outputs shall be, by their names; the last of a name counts.
    pub outputs: Vec<(String, Choice)>,
    /// For each source the text of the fragment program beside it, which says what outputs are for; may be empty, or shorter.
    pub fragments: Vec<String>,
}

impl Options {
    /// Takes `NAME=VALUE` or `NAME` as compilers do: without a value it is 1.
    ///
    /// # Errors
    /// What is wrong with it, in words.
    pub fn define(&mut self, text: &str) -> Result<(), String> {
        let (name, value) = text.split_once('=').unwrap_or((text, "1"));
        if !source::is_name(name) {
            return Err(format!("`{name}` is no name of a macro"));
        }
        self.defines.push((name.to_owned(), value.to_owned()));
        Ok(())
    }

    /// Takes `NAME=PLACE`: what an output shall be.
    ///
    /// # Errors
    /// What is wrong with it, in words.
    pub fn output(&mut self, text: &str) -> Result<(), String> {
        let names = || Meaning::ALL.map(Meaning::name).join(", ");
        let Some((name, place)) = text.split_once('=').filter(|(name, _)| !name.is_empty()) else {
            return Err(format!("expected NAME=PLACE, found `{text}`; places are {}", names()));
        };
        let meaning = Meaning::named(place)
            .ok_or_else(|| format!("there is no place `{place}`; there are {}", names()))?;
        self.outputs.push((name.to_owned(), Choice::Meaning(meaning)));
        Ok(())
    }
}

/// Which functions the machine calls; others are written out where they are called.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Calls {
    /// Those whose calls make the program much shorter, or make it fit.
    #[default]
    Shorter,
    /// All that are called at least twice and can be.
    Always,
    /// None.
    Never,
}

/// What compiling gives.
#[derive(Debug, Clone)]
pub struct Compiled {
    /// For each source, its listing: assembling them gives the same program.
    pub listings: Vec<String>,
    /// The program with an executable for each source.
    pub assembly: Assembly,
    /// For each source, what it has in common with others.
    pub interfaces: Vec<Interface>,
    /// For each source, temporary registers that it uses.
    pub registers: Vec<usize>,
    /// What may be a mistake.
    pub warnings: Vec<Diagnostic>,
}

/// Compiles sources into one program. They cannot take in other files: see [`compile_with`].
///
/// # Errors
/// All that is wrong with the sources, each with its place in the text, and what to do about it.
pub fn compile(sources: &[Source<'_>], options: &Options) -> Result<Compiled, Vec<Diagnostic>> {
    compile_with(sources, options, &mut Files::none())
}

/// The same for sources that take in others with `#include`.
///
/// # Errors
/// All that is wrong with the sources, each with its place in the text, and what to do about it. Places in files that were
/// taken in have the number of sources and their place in [`Files::taken`] together as their source.
pub fn compile_with(
    sources: &[Source<'_>],
    options: &Options,
    files: &mut Files<'_>,
) -> Result<Compiled, Vec<Diagnostic>> {
    let mut opened: Vec<Opened<'_>> = Vec::new();
    let mut errors = Vec::new();
    for (index, source) in sources.iter().enumerate() {
        let entry = options.entry.as_deref().filter(|_| source.language == Language::Wgsl);
        let expanded = match source.language {
            Language::Glsl => {
                source::expand((index, source.name, source.text), sources.len(), &options.defines, files)
            }
            Language::Wgsl => source::Expanded {
                text: source.text.to_owned(),
                map: Map::same(index, source.text.len()),
                ..source::Expanded::default()
            },
        };
        errors.extend(expanded.findings);
        let fragment = options.fragments.get(index).filter(|text| !text.is_empty());
        let mut one = Opened {
            origin: Origin { index, map: expanded.map },
            language: source.language,
            entry,
            text: expanded.text,
            broken: expanded.broken,
            parsed: None,
            plan: Plan::default(),
            asked: &options.outputs,
            sampled: fragment.map(|text| source::sampled(text, &options.defines)).unwrap_or_default(),
        };
        // What is left of a text that stops on its way to the reader says nothing.
        if !expanded.is_partial {
            match source::parse(&one.text, source.language, entry) {
                Ok(parsed) if one.broken.is_empty() => one.parsed = Some(parsed),
                Ok(_) => errors.extend(one.all(Vec::new())),
                Err(problems) => errors.extend(one.all(problems)),
            }
        }
        opened.push(one);
    }
    let plain = together(&mut opened, errors);
    let words = |compiled: &Compiled| compiled.assembly.program.words.len();
    // Functions are written out where they are called. Where that is too long, or much longer than calls would be, those
    // that are large become procedures.
    let saved = match (&plain, options.calls) {
        (Ok(_), Calls::Always) => 0,
        (Ok(compiled), Calls::Shorter) if words(compiled) >= LARGE => words(compiled) / 3,
        (Err(findings), Calls::Shorter | Calls::Always) if findings.iter().any(is_about_room) => 0,
        _ => return plain,
    };
    let is_always = options.calls == Calls::Always;
    let mut best = plain;
    for size in if is_always { [1, 1] } else { PROCEDURES } {
        let chosen: Vec<bool> = opened.iter_mut().map(|opened| opened.plan.choose(size, saved)).collect();
        if !chosen.contains(&true) {
            continue;
        }
        let mut found = together(&mut opened, Vec::new());
        for _ in 0..WALKS {
            if !opened.iter().any(|opened| opened.plan.changed) {
                break;
            }
            found = together(&mut opened, Vec::new());
        }
        let is_better = match (&found, &best) {
            (Ok(found), Ok(best)) => is_always || words(found) * 4 <= words(best) * 3,
            (Ok(_), Err(_)) => true,
            (Err(_), _) => false,
        };
        if is_better {
            best = found;
        }
    }
    best
}

/// Words from which on it is asked whether calls make a program shorter: before, there is nothing to gain.
const LARGE: usize = 96;
/// Operations from which on functions become procedures: large ones alone, then smaller ones.
const PROCEDURES: [usize; 2] = [24, 8];
/// Walks until what all calls of a procedure pass alike is known.
const WALKS: usize = 4;

/// Where a source comes from.
struct Origin {
    index: usize,
    map: Map,
}

impl Origin {
    /// A problem at its place in the file that it comes from.
    fn told(&self, mut problem: Problem, severity: Severity) -> Diagnostic {
        let mut file = self.index;
        if problem.span != (0..0) {
            (file, problem.span) = self.map.find(problem.span.clone());
        }
        problem.diagnostic(severity, file)
    }
}

/// A source that has been read.
struct Opened<'a> {
    origin: Origin,
    language: Language,
    entry: Option<&'a str>,
    /// The text without macros.
    text: String,
    /// Places in it where something wrong is missing.
    broken: Vec<Range<usize>>,
    /// `None` where it does not read.
    parsed: Option<source::Parsed>,
    plan: Plan,
    asked: &'a [(String, Choice)],
    sampled: Vec<String>,
}

impl Opened<'_> {
    /// All that is wrong with the text, where these problems were found first.
    fn all(&self, problems: Vec<Problem>) -> Vec<Diagnostic> {
        let mut look = |text: &str| match source::parse(text, self.language, self.entry) {
            Err(problems) => problems,
            Ok(parsed) => {
                let walked = front::walk(&parsed, text, &mut Plan::default(), self.asked, &self.sampled);
                walked.err().unwrap_or_default()
            }
        };
        let all = match self.language {
            Language::Glsl => source::all_problems(&self.text, &self.broken, &mut look),
            Language::Wgsl => problems,
        };
        all.into_iter().map(|problem| self.origin.told(problem, Severity::Error)).collect()
    }
}

/// Whether a program did not find room in the machine.
fn is_about_room(found: &Diagnostic) -> bool {
    found.severity == Severity::Error && [SIZE, DESCRIPTORS].contains(&found.code.as_ref())
}

/// What is said of a program that is too long, and of one with too many operand descriptors.
const SIZE: &str = "compile.size";
const DESCRIPTORS: &str = "compile.descriptors";

/// Walks all sources as planned, and makes one program of them.
fn together(opened: &mut [Opened<'_>], mut errors: Vec<Diagnostic>) -> Result<Compiled, Vec<Diagnostic>> {
    let mut warnings = Vec::new();
    let mut walked = Vec::new();
    for one in opened.iter_mut() {
        let Some(parsed) = &one.parsed else { continue };
        match front::walk(parsed, &one.text, &mut one.plan, one.asked, &one.sampled) {
            Ok(mut program) => {
                let found = std::mem::take(&mut program.warnings);
                warnings.extend(found.into_iter().map(|found| one.origin.told(found, Severity::Warning)));
                walked.push(program);
            }
            Err(problems) => errors.extend(one.all(problems)),
        }
    }
    if errors.is_empty() {
        errors.extend(unknown_outputs(opened, &walked));
    }
    if !errors.is_empty() {
        // In the order of the sources and their texts.
        errors.sort_by_key(|found| match &found.location {
            Location::Text { source, span } => (*source, span.start),
            _ => (0, 0),
        });
        errors.append(&mut warnings);
        return Err(errors);
    }
    let origins: Vec<&Origin> = opened.iter().map(|one| &one.origin).collect();
    let mut failed = Vec::new();
    // Multiply-adds reach 32 descriptors; a program that needs more of them can do without some.
    for fuses in [true, false] {
        match assembled(&walked, &origins, fuses) {
            Ok(mut compiled) => {
                compiled.warnings.splice(0..0, warnings);
                return Ok(compiled);
            }
            Err(findings) => {
                let is_about_descriptors = findings.iter().any(|found| found.code == DESCRIPTORS);
                failed = findings;
                if !is_about_descriptors {
                    break;
                }
            }
        }
    }
    failed.append(&mut warnings);
    Err(failed)
}

/// What is asked of outputs that no source has.
fn unknown_outputs(opened: &[Opened<'_>], walked: &[front::Walked]) -> Vec<Diagnostic> {
    let names: Vec<&str> =
        walked.iter().flat_map(|walked| &walked.interface.declared).map(String::as_str).collect();
    let asked = opened.first().map(|one| one.asked).unwrap_or_default();
    let is_there = |name: &str, choice: &Choice| {
        names
            .iter()
            .any(|known| *known == name || (*choice == Choice::Drop && front::places::base(known) == name))
    };
    let unknown = asked.iter().filter(|(name, choice)| !is_there(name, choice));
    unknown
        .map(|(name, _)| {
            Problem::new("compile.output", 0..0, format!("there is no output `{name}`"))
                .note(format!("there are: {}", names.join(", ")))
                .diagnostic(Severity::Error, usize::MAX)
        })
        .map(|found| Diagnostic { location: Location::Whole, ..found })
        .collect()
}

fn assembled(
    walked: &[front::Walked],
    origins: &[&Origin],
    fuses: bool,
) -> Result<Compiled, Vec<Diagnostic>> {
    let mut generated = Vec::new();
    let mut warnings = Vec::new();
    for (walked, origin) in walked.iter().zip(origins) {
        match pica200::generate(walked, fuses) {
            Ok(mut program) => {
                let found = std::mem::take(&mut program.warnings);
                warnings.extend(found.into_iter().map(|found| origin.told(found, Severity::Warning)));
                generated.push(program);
            }
            Err(problem) => return Err(vec![origin.told(*problem, Severity::Error)]),
        }
    }
    let mut bases = first_registers(walked, false);
    if generated
        .iter()
        .zip(walked)
        .any(|(program, walked)| program.starts_too_early(&walked.interface, &bases))
    {
        bases = first_registers(walked, true);
    }
    let listings: Vec<Listing> = generated
        .iter()
        .zip(walked)
        .enumerate()
        .map(|(index, (program, walked))| program.listing(&walked.interface, &Names { index, bases: &bases }))
        .collect();
    let sources: Vec<assembly::Source<'_>> =
        listings.iter().map(|listing| assembly::Source { name: "listing", text: &listing.text }).collect();
    let mut assembly = asm::assemble(&sources, AsmOptions::default()).map_err(|findings| {
        let errors = findings.into_iter().filter(|found| found.severity == Severity::Error);
        // One is enough: what follows mostly comes of it.
        errors.take(1).map(|found| placed(found, &listings, origins)).collect::<Vec<_>>()
    })?;
    for executable in &mut assembly.program.executables {
        for uniform in &mut executable.uniforms {
            uniform.name = plain_name(&uniform.name);
        }
    }
    Ok(Compiled {
        assembly,
        interfaces: walked.iter().map(|walked| walked.interface.clone()).collect(),
        registers: generated.iter().map(|program| program.registers).collect(),
        listings: listings.into_iter().map(|listing| listing.text).collect(),
        warnings,
    })
}

/// The first register of each float uniform, as the assembler gives them: in order, those with the same name once.
fn first_registers(walked: &[front::Walked], has_first: bool) -> HashMap<String, u16> {
    let mut bases = HashMap::new();
    let mut next = 0u16;
    if has_first {
        bases.insert(FIRST.to_owned(), 0);
        next = 1;
    }
    for uniform in walked.iter().flat_map(|walked| &walked.interface.floats) {
        bases.entry(uniform.name.clone()).or_insert_with(|| {
            next = next.saturating_add(uniform.registers);
            next - uniform.registers
        });
    }
    bases
}

/// What the assembler says of a listing, as a finding about the source that the line comes from.
fn placed(found: Diagnostic, listings: &[Listing], origins: &[&Origin]) -> Diagnostic {
    let Location::Text { source, span } = &found.location else { return found };
    let (Some(listing), Some(origin)) = (listings.get(*source), origins.get(*source)) else { return found };
    let text = listing.text.get(..span.start).unwrap_or_default();
    let line = text.bytes().filter(|byte| *byte == b'\n').count();
    let place = listing.spans.get(line).copied().unwrap_or_default();
    let (code, message, note) = match found.code.as_ref() {
        "pica200.asm.vertex-size" | "pica200.asm.size" => (
            SIZE,
            "the program is too long: the machine holds 512 words of code for vertex programs".to_owned(),
            "write long loops as loops, or compute on the CPU what is the same for all vertices",
        ),
        "pica200.asm.descriptors" => (
            DESCRIPTORS,
            "the program needs more than 128 combinations of components and signs".to_owned(),
            "bring vectors into the same components, or split the program",
        ),
        "pica200.asm.registers-full" => (
            "compile.machine",
            "the uniforms and constants do not fit: the machine has 96 registers for floats, 4 for integers and 16 for bools"
                .to_owned(),
            "a `mat4` takes 4 registers, an array as many as it has elements",
        ),
        _ => ("compile.machine", found.message.clone(), "the assembler says so of the listing that the program became"),
    };
    origin.told(*Problem::new(code, place.range(), message).note(note), Severity::Error)
}
