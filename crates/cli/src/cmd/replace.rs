//! `replace`: code or stages in the place of programs.

use super::change::{finish, replacement};
use crate::{
    args::Replace,
    input,
    output::{Failure, Outcome},
};
use unshade::change::{InstructionEdit, InstructionPlace, replace_instruction, replace_program};

pub fn run(arguments: &Replace, json: bool) -> Outcome {
    let place = input::place(&arguments.file);
    let item = place.item.as_deref();
    let anyway = arguments.fit.allow_mismatch;
    let bytes = input::read(&place.file)?;
    let changed = match (&arguments.code, &arguments.expect, &arguments.value) {
        (None, Some(expect), Some(value)) => {
            let number = arguments.instruction.as_deref().map(|text| {
                let wrong = || format!("--instruction takes a number, or an offset as 0x48; found `{text}`");
                InstructionPlace::parse(text).ok_or_else(|| Failure::usage(wrong()))
            });
            let edit =
                InstructionEdit { place: number.transpose()?, expect: expect.clone(), value: value.clone() };
            replace_instruction(input::source(&bytes), &place.inner, item, &edit, anyway)
        }
        (Some(code), ..) => {
            let new = replacement(code, arguments.raw)?;
            replace_program(input::source(&bytes), &place.inner, item, new, anyway)
        }
        _ => return Err(Failure::usage("replace takes CODE, or --expect and --value")),
    };
    finish(&place, &arguments.target, changed, json)
}
