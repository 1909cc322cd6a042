//! What the listing of a container asks of the instruction sets: the code of a program as text, and back.

use super::ListingOptions;
use unshade_bytes::Diagnostic;
use unshade_isa::{
    latte,
    mali_gp::{self, names::Names},
    mali_pp, maxwell,
    text::Sink,
};
use unshade_stage::{Isa, Stage, Symbol};

/// What code says of itself that a container may state as well. A listing states it only where the container
/// says otherwise; `None`: the instruction set does not tell, and the listing states it always.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct CodeFacts {
    /// Index of the last instruction that loads an attribute, plus 1.
    pub attribute_prefetch: Option<u32>,
    /// The program can drop pixels.
    pub discards: Option<bool>,
}

/// Writes the code of a program, line by line. No line of it is `.end_code`.
pub(super) fn write(sink: &mut impl Sink, stage: &Stage<'_>, options: &ListingOptions) {
    let remarks = options.remarks(stage.code.file_offset);
    let symbols = &stage.interface.symbols;
    match stage.isa {
        Isa::MaliGp => {
            let names = Names::of_symbols(symbols);
            let code = &stage.code;
            mali_gp::listing::write_code(sink, &code.words, &code.labels, &names, remarks);
        }
        Isa::MaliPp => mali_pp::listing::list_code_with(&stage.code, symbols, remarks, sink),
        Isa::Latte => latte::listing::list_code(&stage.code, remarks, sink),
        Isa::Maxwell => maxwell::listing::list_code(&stage.code, options.control(), remarks, sink),
        _ => super::words::write(sink, stage),
    }
}

/// What code says of itself.
pub(super) fn facts(isa: Isa, words: &[u32]) -> CodeFacts {
    match isa {
        Isa::MaliGp => {
            let (_, attribute_prefetch) = mali_gp::stats::declaration(words);
            CodeFacts { attribute_prefetch: Some(attribute_prefetch), discards: None }
        }
        Isa::MaliPp => {
            let discards = mali_pp::decode::Walk::new(words)
                .any(|(_, item)| matches!(item, mali_pp::Item::Inst(inst) if inst.discards()));
            CodeFacts { attribute_prefetch: None, discards: Some(discards) }
        }
        _ => CodeFacts::default(),
    }
}

/// The words of a text, with the symbols of the program whose code it is.
///
/// # Errors
/// Everything that is wrong, with its place in this text.
pub(super) fn read(isa: Isa, text: &str, symbols: &[Symbol]) -> Result<Vec<u32>, Vec<Diagnostic>> {
    match isa {
        Isa::MaliGp => Ok(mali_gp::asm::assemble(text, symbols)?.words),
        Isa::MaliPp => Ok(mali_pp::asm::assemble(text, symbols)?.words),
        Isa::Latte => Ok(latte::asm::assemble(text)?.words),
        Isa::Maxwell => Ok(maxwell::asm::assemble(text)?.words),
        _ => super::words::read(text),
    }
}
