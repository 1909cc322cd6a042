//! An archive as a manifest and files: what a person may read and edit.
//!
//! Binaries that are laid out as the known writers do are registers by field and tables by name, with their code in
//! a file; programs are names, macros and symbols. Sizes, counts, pointers and the padding in front of code follow
//! from them. What is laid out otherwise is a file of its own.

mod print;
mod take;

pub(crate) use crate::shared::sheet::wanted;
pub(crate) use print::extract;
pub(crate) use take::build;

use super::model::Binary;
use super::raw::ALIGNMENT;
use crate::formats::gx2::{
    Form, Pieces,
    edit::Program as Which,
    layout::{Contents, Programs},
};

/// The contents of a binary whose data starts at `start`, its programs and what fills the bytes in front of them,
/// if they give its data back.
fn typed(binary: &Binary, form: Form, start: u64) -> Option<(Contents, Programs<'_>)> {
    if binary.code_unaligned || binary.copy_unaligned {
        return None;
    }
    let shader = binary.shader(form)?;
    let contents = Contents::of(&shader)?;
    let code = |which: Which| {
        let (at, len) = which.place(&shader)?;
        binary.data.get(at..at.checked_add(len)?)
    };
    let (at, _) = Which::Main.place(&shader)?;
    let gap = Pieces::of(&shader).gap_before(at);
    let fill = binary.data.get(gap).filter(|_| gap < at).copied().unwrap_or(0);
    let programs = Programs { code: code(Which::Main)?, copy: code(Which::Copy).unwrap_or_default(), fill };
    let again = contents.to_binary(form, programs, start, ALIGNMENT).ok()?;
    (again == *binary.data).then_some((contents, programs))
}
