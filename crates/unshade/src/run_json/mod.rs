//! `unshade-run-1`: one JSON for running machine code, inputs in and outputs out.
//!
//! A document names a program of a file, and for each case what is in its registers before the run and,
//! where known, after it. [`run`] fills in what the machine computes, [`check`] compares. The notation, the
//! header and the comparison are the same for every instruction set ([`document`], [`words`], [`compare`]);
//! which register spaces there are is a matter of the machine ([`pica200`], [`mali_gp`],
//! [`mali_pp`], [`latte`], [`maxwell`]).

pub mod compare;
pub mod document;
pub mod latte;
pub mod mali_gp;
pub mod mali_pp;
pub mod maxwell;
pub mod pica200;
pub(crate) mod textures;
pub mod words;

pub use compare::{Difference, Output, Outputs, Rules};
pub use document::{Case, Document};
pub use unshade_isa::texture::Unbound;

use crate::verify::{self, Inputs};
use serde_json::{Map, Value, json};
use std::fmt;
use unshade_ir::Op;
use unshade_isa::with_machine;
use unshade_stage::{Stage, StageKind};

/// Instructions that a case may take unless the caller says otherwise.
pub const DEFAULT_FUEL: u64 = 1_000_000;

/// Cases that a document may have, so that its results fit into memory.
pub const CASE_LIMIT: usize = 1 << 16;

/// Vertices that the cases of one document may emit together.
pub const VERTEX_LIMIT: usize = 1 << 18;

/// A document that cannot be taken, with the place inside it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunJsonError {
    /// Where, as in `cases[3].in.v.0`.
    pub path: String,
    /// What is wrong there.
    pub message: String,
}

impl RunJsonError {
    pub(crate) fn new(path: impl Into<String>, message: impl Into<String>) -> Self {
        Self { path: path.into(), message: message.into() }
    }
}

impl fmt::Display for RunJsonError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.path.is_empty() {
            write!(f, "{}: ", self.path)?;
        }
        f.write_str(&self.message)
    }
}

impl std::error::Error for RunJsonError {}

/// What the machine made of one case.
#[derive(Debug, Clone, PartialEq)]
pub struct CaseRun {
    /// The case.
    pub id: String,
    /// Instructions done.
    pub steps: u64,
    /// Why it stopped, if not at the end of the program.
    pub unfinished: Option<String>,
    /// What is in the registers afterwards.
    pub outputs: Outputs,
    /// Lanes whose results hang on the last bit of a texture coordinate, or on the width of the arithmetic where
    /// a branch is taken: another implementation may rightly have others, so these are not compared.
    pub uncertain: Vec<bool>,
}

/// How one case compares with what its document expects.
#[derive(Debug, Clone, PartialEq)]
pub struct CaseReport {
    /// What was computed.
    pub run: CaseRun,
    /// Where it differs; empty for a case that passes or that expects nothing.
    pub differences: Vec<Difference>,
    /// Whether the document says what this case has to give.
    pub expected: bool,
}

impl CaseReport {
    /// It ended, and nothing that the document expects is different.
    pub fn passes(&self) -> bool {
        self.run.unfinished.is_none() && self.differences.is_empty()
    }
}

/// The program of a document whose file is nothing but code (`item` is `raw`), from the words of that file: of the
/// kind that the document says. Nothing where the document means a program of a container.
///
/// # Errors
/// An instruction set or a kind that is not known.
pub fn bare_stage(document: &Document, words: Vec<u32>) -> Result<Option<Stage<'static>>, RunJsonError> {
    if document.item.as_deref() != Some("raw") {
        return Ok(None);
    }
    let name = document.isa.as_deref().unwrap_or_default();
    let isa = crate::isa_named(name);
    let isa = isa.ok_or_else(|| RunJsonError::new("isa", format!("{name:?} is no instruction set")))?;
    let mut stage = crate::code_stage(isa, None, words, Vec::new());
    if let Some(name) = document.stage.as_deref() {
        use StageKind as K;
        let kinds = [K::Vertex, K::TessControl, K::TessEval, K::Geometry, K::Fragment, K::Compute];
        stage.kind = match kinds.into_iter().find(|kind| kind.name() == name) {
            Some(kind) => kind,
            None => return Err(RunJsonError::new("stage", format!("{name:?} is no kind of program"))),
        };
    }
    Ok(Some(stage))
}

/// Files of bare code that a document is for: its own, then those under `also`.
pub fn bare_files(document: &Document) -> Vec<&str> {
    let also = document.header.get("also").and_then(Value::as_array);
    let also = also.into_iter().flatten().filter_map(Value::as_str);
    document.file.as_deref().into_iter().chain(also).collect()
}

/// Code words that stand in the document itself.
///
/// # Errors
/// Words that cannot be read.
pub fn own_code(document: &Document) -> Result<Option<Vec<u32>>, RunJsonError> {
    document.header.get("code").map(|code| words::words(code, &document.pool, "code")).transpose()
}

/// Runs every case of a document on a stage, at most `fuel` instructions each.
///
/// # Errors
/// Inputs that the machine does not have or cannot take; more than [`VERTEX_LIMIT`] emitted vertices.
pub fn run(stage: &Stage<'_>, document: &Document, fuel: u64) -> Result<Vec<CaseRun>, RunJsonError> {
    let mut budget = VERTEX_LIMIT;
    let one = |case: &Case| run_case(stage, document, case, fuel, &mut budget);
    document.cases.iter().map(one).collect()
}

/// Runs every case and compares with the outputs that the document expects.
///
/// # Errors
/// As [`run`], and expected outputs that the machine does not have or that cannot be read.
pub fn check(stage: &Stage<'_>, document: &Document, fuel: u64) -> Result<Vec<CaseReport>, RunJsonError> {
    // Expectations for halves hold for any wider arithmetic too, and only that keeps rounding out of the choice
    // of levels and of texels.
    let wide = (document.float.as_deref() == Some("f16"))
        .then(|| Document { float: Some("f32".to_owned()), ..document.clone() });
    let document = wide.as_ref().unwrap_or(document);
    let mut budget = VERTEX_LIMIT;
    let one = |case: &Case| {
        let run = run_case(stage, document, case, fuel, &mut budget)?;
        let differences = match &case.output {
            Some(expected) => compare::compare(expected, &run, document, &case.path)?,
            None => Vec::new(),
        };
        Ok(CaseReport { run, differences, expected: case.output.is_some() })
    };
    document.cases.iter().map(one).collect()
}

/// A document that says for which machine it is, is for that of the program.
pub(crate) fn right_machine(stage: &Stage<'_>, document: &Document) -> Result<(), RunJsonError> {
    match &document.isa {
        Some(isa) if isa != stage.isa.name() => {
            let message = format!("the document is for {isa}, the program for {}", stage.isa);
            Err(RunJsonError::new("isa", message))
        }
        _ => Ok(()),
    }
}

/// A machine whose programs run on documents.
pub(crate) trait Run {
    /// Runs one case, at most `fuel` instructions.
    fn run(stage: &Stage<'_>, document: &Document, case: &Case, fuel: u64) -> Result<CaseRun, RunJsonError>;

    /// The registers before a run as a document has them; those that are zero are left out.
    fn registers(stage: &Stage<'_>, inputs: &Inputs) -> Map<String, Value>;
}

fn run_case(
    stage: &Stage<'_>,
    document: &Document,
    case: &Case,
    fuel: u64,
    vertices: &mut usize,
) -> Result<CaseRun, RunJsonError> {
    right_machine(stage, document)?;
    let none = || RunJsonError::new("isa", format!("{} programs cannot be run", stage.isa));
    let run = with_machine!(stage.isa, M => M::run(stage, document, case, fuel)?, _ => return Err(none()));
    *vertices = vertices.checked_sub(run.outputs.vertices()).ok_or_else(|| {
        RunJsonError::new(case.path.clone(), format!("the cases emit more than {VERTEX_LIMIT} vertices"))
    })?;
    Ok(run)
}

/// The registers before a run of [`crate::verify()`] of a stage as JSON, as `run --inputs` takes it; those that are zero
/// are left out. Where the program asks textures, the document says what they answer: [`Unbound::Hashed`] is what they
/// answered in that run.
pub fn inputs(stage: &Stage<'_>, inputs: &Inputs, unbound: Unbound) -> String {
    let inputs = Value::Object(registers(stage, inputs));
    let unbound = match unbound {
        Unbound::Smooth if asks_textures(stage) => "smooth",
        Unbound::Hashed if asks_textures(stage) => "hashed",
        _ => return inputs.to_string(),
    };
    json!({ "unbound": unbound, "in": inputs }).to_string()
}

/// Inputs of chance for a program, the same for the same seed, as many cases as are wanted: of ordinary size, and such that
/// the program ends and does what its readable source assumes, where there are some. A document with `in` or `cases`, whose
/// textures are [`Unbound::Smooth`], or only what stands behind `in`. None for machines that cannot be run.
pub fn drawn(stage: &Stage<'_>, seed: u64, cases: usize) -> Option<String> {
    let draw = |n: usize| verify::drawn(stage, seed.wrapping_add(n as u64));
    if cases == 1 {
        return Some(inputs(stage, &draw(0)?, Unbound::Smooth));
    }
    let case = |n| Some(json!({ "in": registers(stage, &draw(n)?) }));
    let cases: Vec<Value> = (0..cases.min(CASE_LIMIT)).map(case).collect::<Option<_>>()?;
    let unbound = if asks_textures(stage) { "smooth" } else { "black" };
    Some(json!({ "unbound": unbound, "cases": cases }).to_string())
}

/// Whether a program asks textures for anything; one that cannot be lifted counts as one that does not.
fn asks_textures(stage: &Stage<'_>) -> bool {
    crate::lift(stage).is_ok_and(|module| {
        let mut insts = module.functions.iter().flat_map(|function| &function.insts);
        insts.any(|inst| matches!(inst.op, Op::Texture(_)))
    })
}

/// The registers of each space that are not zero.
pub(crate) fn registers(stage: &Stage<'_>, inputs: &Inputs) -> Map<String, Value> {
    with_machine!(stage.isa, M => M::registers(stage, inputs), _ => Map::new())
}
