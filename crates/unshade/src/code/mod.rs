//! Text to the code of a program that is there.

pub(crate) mod needs;

use needs::{follow, needs};
use unshade_bytes::{Diagnostic, Location, Severity};
use unshade_containers::Container;
use unshade_isa::{Machine, with_machine};
use unshade_stage::{Code, Stage};

/// Assembles the listing of one program as the new code of `stage`: what the listing does not say (entry point,
/// constants) is as it was.
///
/// # Errors
///
/// Everything that is wrong in the text, with its place in it.
pub fn assemble_for<'s>(stage: &Stage<'s>, text: &str) -> Result<Code<'s>, Vec<Diagnostic>> {
    let none = || {
        let message = format!("programs of {} have no assembler", stage.isa.name());
        vec![Diagnostic::new(Severity::Error, "asm.into", Location::Whole, "", message)]
    };
    let symbols = &stage.interface.symbols;
    let made = with_machine!(stage.isa, M => M::assemble(text, symbols)?, _ => return Err(none()));
    let mut code = stage.code.clone();
    code.words = made.words.into();
    if !made.descriptors.is_empty() {
        code.descriptors = made.descriptors.into();
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
    let claims = follow(&loose.code_facts(), &old, &new);
    if loose.set_code_facts(&claims) {
        container.put(&target.id, &loose)?;
    }
    Ok(())
}
