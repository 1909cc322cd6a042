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
pub mod problem;
pub mod reference;
mod source;
mod vector;

pub use front::interface::{Input, Interface, Meaning, Output, Part, Uniform};
pub use front::shape::{Kind, Shape};
pub use source::Language;

use front::Plan;
use pica200::listing::{FIRST, Listing, Names, plain_name};
use problem::Problem;
use std::collections::HashMap;
use unshade_bytes::{Diagnostic, Location, Severity};
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

/// Compiles sources into one program.
///
/// # Errors
/// What is wrong with the sources, each with its place in the text, and what to do about it.
pub fn compile(sources: &[Source<'_>], options: &Options) -> Result<Compiled, Vec<Diagnostic>> {
    let mut opened: Vec<Opened<'_>> = Vec::new();
    let mut errors = Vec::new();
    for (index, source) in sources.iter().enumerate() {
        let entry = options.entry.as_deref().filter(|_| source.language == Language::Wgsl);
        match source::parse(source.text, source.language, entry) {
            Ok(parsed) => opened.push(Opened { index, text: source.text, parsed, plan: Plan::default() }),
            Err(problem) => errors.push(problem.diagnostic(Severity::Error, index)),
        }
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

/// A source that has been read.
struct Opened<'a> {
    index: usize,
    text: &'a str,
    parsed: source::Parsed,
    plan: Plan,
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
    for Opened { index, text, parsed, plan } in opened {
        match front::walk(parsed, text, plan) {
            Ok(mut program) => {
                let found = std::mem::take(&mut program.warnings);
                warnings.extend(found.into_iter().map(|found| found.diagnostic(Severity::Warning, *index)));
                walked.push(program);
            }
            Err(problem) => errors.push(problem.diagnostic(Severity::Error, *index)),
        }
    }
    if !errors.is_empty() {
        errors.append(&mut warnings);
        return Err(errors);
    }
    let mut failed = Vec::new();
    // Multiply-adds reach 32 descriptors; a program that needs more of them can do without some.
    for fuses in [true, false] {
        match assembled(&walked, fuses) {
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

fn assembled(walked: &[front::Walked], fuses: bool) -> Result<Compiled, Vec<Diagnostic>> {
    let mut generated = Vec::new();
    let mut warnings = Vec::new();
    for (index, walked) in walked.iter().enumerate() {
        match pica200::generate(walked, fuses) {
            Ok(mut program) => {
                let found = std::mem::take(&mut program.warnings);
                warnings.extend(found.into_iter().map(|found| found.diagnostic(Severity::Warning, index)));
                generated.push(program);
            }
            Err(problem) => return Err(vec![problem.diagnostic(Severity::Error, index)]),
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
    let sources: Vec<asm::Source<'_>> =
        listings.iter().map(|listing| asm::Source { name: "listing", text: &listing.text }).collect();
    let mut assembly = asm::assemble(&sources, AsmOptions::default()).map_err(|findings| {
        let errors = findings.into_iter().filter(|found| found.severity == Severity::Error);
        // One is enough: what follows mostly comes of it.
        errors.take(1).map(|found| placed(found, &listings)).collect::<Vec<_>>()
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
fn placed(found: Diagnostic, listings: &[Listing]) -> Diagnostic {
    let Location::Text { source, span } = &found.location else { return found };
    let Some(listing) = listings.get(*source) else { return found };
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
    Problem::new(code, place.range(), message).note(note).diagnostic(Severity::Error, *source)
}
