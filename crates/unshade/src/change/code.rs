//! Text to the code of a program that is there.

use unshade_bytes::{Diagnostic, Location, Severity};
use unshade_isa::{latte, mali_gp, mali_pp, maxwell, pica200};
use unshade_stage::{Code, Isa, Stage};

/// Assembles the listing of one program as the new code of `stage`: what the listing does not say (entry point,
/// constants) is as it was.
///
/// # Errors
///
/// Everything that is wrong in the text, with its place in it.
pub fn assemble_for<'s>(stage: &Stage<'s>, text: &str) -> Result<Code<'s>, Vec<Diagnostic>> {
    let mut code = stage.code.clone();
    let symbols = &stage.interface.symbols;
    match stage.isa {
        Isa::Pica200 => {
            let assembled = pica200::listing::assemble_code(text)?;
            code.words = assembled.words.into();
            if !assembled.descriptors.is_empty() {
                code.descriptors = assembled.descriptors.into();
            }
        }
        Isa::MaliGp => code.words = mali_gp::asm::assemble(text, symbols)?.words.into(),
        Isa::MaliPp => code.words = mali_pp::asm::assemble(text, symbols)?.words.into(),
        Isa::Latte => code.words = latte::asm::assemble(text)?.words.into(),
        Isa::Maxwell => code.words = maxwell::asm::assemble(text)?.words.into(),
        isa => {
            let message = format!("programs of {} have no assembler", isa.name());
            return Err(vec![Diagnostic::new(Severity::Error, "asm.into", Location::Whole, "", message)]);
        }
    }
    Ok(code)
}
