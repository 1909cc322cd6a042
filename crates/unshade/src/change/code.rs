//! Text to the code of a program that is there.

use super::needs::{follow, needs};
use unshade_bytes::{Diagnostic, Location, Severity};
use unshade_containers::Container;
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

/// Gives a program other code, and lets follow what the container states of it.
pub(crate) fn replace_code(
    container: &mut Container,
    target: &Stage<'_>,
    code: &Code<'_>,
) -> unshade_bytes::Result<()> {
    if target.code.words == code.words && target.code.descriptors == code.descriptors {
        return Ok(());
    }
    container.replace(&target.id, code)?;
    let Some(new) = container.stage(&target.id) else { return Ok(()) };
    let (old, new) = (needs(target), needs(&new));
    if old == new {
        return Ok(());
    }
    let mut loose = container.take(&target.id)?;
    let claims = follow(&loose.claims(), &old, &new);
    if loose.claim(&claims) {
        container.put(&target.id, &loose)?;
    }
    Ok(())
}
