//! `add`: one more program or variation.

use super::change::{finish, replacement};
use crate::{
    args::Add,
    input,
    output::{Failure, Outcome},
};
use unshade::change::{Addition, add_program};

pub fn run(arguments: &Add, json: bool) -> Outcome {
    let place = input::place(&arguments.file);
    let mut addition = Addition {
        into: place.item.clone(),
        from: arguments.from.clone(),
        name: arguments.name.clone(),
        ..Addition::default()
    };
    for text in &arguments.set {
        let wrong = || Failure::usage(format!("--set takes NAME=VALUE, found `{text}`"));
        let (name, value) = text.split_once('=').ok_or_else(wrong)?;
        addition.values.push((name.trim().to_owned(), value.trim().to_owned()));
    }
    for code in &arguments.code {
        addition.programs.push(replacement(code, false)?);
    }
    let bytes = input::read(&place.file)?;
    let anyway = arguments.fit.allow_mismatch;
    let changed = add_program(input::source(&bytes), &place.inner, addition, anyway);
    finish(&place, &arguments.target, changed, json)
}
