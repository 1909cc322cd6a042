//! `remove`: a program or variation less.

use super::change::finish;
use crate::{
    args::Remove,
    input,
    output::{Failure, Outcome},
};
use unshade::change::remove_program;

pub fn run(arguments: &Remove, json: bool) -> Outcome {
    let place = input::place(&arguments.file);
    let Some(item) = &place.item else {
        return Err(Failure::usage(format!(
            "remove takes FILE#ITEM; `unshade ls {}` shows the items",
            arguments.file
        )));
    };
    let bytes = input::read(&place.file)?;
    let changed = remove_program(input::source(&bytes), &place.inner, item);
    finish(&place, &arguments.target, changed, json)
}
