//! What the listing of a container asks of the instruction sets: the code of a program as text, and back.

use super::ListingOptions;
use unshade_bytes::Diagnostic;
pub(super) use unshade_isa::machine::CodeFacts;
use unshade_isa::{Machine, text::Sink, with_machine};
use unshade_stage::{Code, Isa, Stage, Symbol};

/// Writes the code of a program, line by line. No line of it is `.end_code`.
pub(super) fn write(sink: &mut impl Sink, stage: &Stage<'_>, options: &ListingOptions) {
    let style = options.style(stage.code.file_offset);
    with_machine!(stage.isa, M => M::list_inside(sink, stage, style), _ => super::words::write(sink, stage));
}

/// What code says of itself. A listing states it only where the container says otherwise; what the code does not tell, the
/// listing states always.
pub(super) fn facts(isa: Isa, words: &[u32]) -> CodeFacts {
    let code = Code { words: words.into(), ..Code::default() };
    with_machine!(isa, M => M::facts(&code), _ => CodeFacts::default())
}

/// The words of a text, with the symbols of the program whose code it is.
///
/// # Errors
/// Everything that is wrong, with its place in this text.
pub(super) fn read(isa: Isa, text: &str, symbols: &[Symbol]) -> Result<Vec<u32>, Vec<Diagnostic>> {
    with_machine!(isa, M => Ok(M::assemble(text, symbols)?.words), _ => super::words::read(text))
}
