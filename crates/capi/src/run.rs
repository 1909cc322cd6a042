//! Programs executed.

use crate::{error::Failure, file::Program, text::Buffer};
use unshade::run_json::{self, Document, RunJsonError};

/// Runs a program on the inputs of a document of docs/run-json.md, and gives the document with its outputs.
pub(crate) fn run(program: &Program, inputs: &str, fuel: u64) -> Result<Buffer, Failure> {
    let wrong = |error: RunJsonError| Failure::inputs(&error.path, &error.message);
    let document = Document::inputs(inputs).map_err(wrong)?;
    let fuel = if fuel == 0 { run_json::DEFAULT_FUEL } else { fuel };
    let runs = run_json::run(&program.stage, &document, fuel).map_err(wrong)?;
    Ok(Buffer::text(document.with_outputs(&runs)))
}
