//! What is declared only for its name, in a type that the target language has not.

use crate::{Error, ErrorKind, Options};
use unshade_ir::ast::{Program, Read};

/// Prints a program; where that fails, without what nothing reads, which the comment at the top names instead.
pub(crate) fn or_without<T>(
    program: &Program,
    options: &Options,
    print: impl Fn(&Program, &Options) -> Result<T, Error>,
) -> Result<T, Error> {
    let error = match print(program, options) {
        Err(error) => error,
        printed => return printed,
    };
    let Some(read) = rest(program, &error) else { return Err(error) };
    let mut options = options.clone();
    options.header.push(note(&read.unread));
    print(&read.program, &options)
}

/// What is left where a language refuses something, and something is not read. A tree that breaks the rules, which may
/// be too deep to walk, is not looked at.
pub(crate) fn rest(program: &Program, error: &Error) -> Option<Read> {
    if error.kind == ErrorKind::Invalid {
        return None;
    }
    program.without_unread()
}

/// What the text says of them.
pub(crate) fn note(unread: &[String]) -> String {
    format!("Not read, and not declared here: {}.", unread.join(", "))
}
