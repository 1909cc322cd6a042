//! `debug`: a run step by step, forwards and backwards. On a terminal the whole screen, else commands line by line.

mod lines;
#[cfg(feature = "debug")]
mod screen;
mod text;

use super::run::{bad_document, prepare};
use crate::{
    args::Debug,
    input,
    output::{Failure, Outcome, Status},
};
use std::io::{BufRead, IsTerminal};
use unshade::debug::{Options, Session};

pub fn run(arguments: &Debug, json: bool) -> Outcome {
    let inputs = arguments.given.inputs.as_deref();
    if arguments.commands.as_deref() == Some("-") && (inputs == Some("-") || arguments.file == "-") {
        return Err(Failure::usage("standard input cannot be both the commands and a file"));
    }
    let (stage, document) = prepare(&arguments.file, &arguments.given, &arguments.execution)?;
    let name = inputs.unwrap_or(&arguments.file);
    let options = Options { case: arguments.case, fuel: arguments.execution.fuel, ..Options::default() };
    let session = Session::new(&stage, &document, options).map_err(|error| bad_document(name, &error))?;
    let mut lines = lines::Lines::new(session, json);
    match arguments.commands.as_deref() {
        Some("-") => standard_input(lines),
        Some(path) => {
            lines.start()?;
            for (number, line) in (1_usize..).zip(input::read_text(path)?.lines()) {
                if !lines.command(line, &format!("{path}:{number}"))? {
                    break;
                }
            }
            Ok(lines.status())
        }
        None if json || !std::io::stdin().is_terminal() || !std::io::stdout().is_terminal() => {
            standard_input(lines)
        }
        None => screen(lines, &stage, &arguments.file),
    }
}

/// Commands as they come.
fn standard_input(mut lines: lines::Lines) -> Outcome {
    lines.start()?;
    for (number, line) in (1_usize..).zip(std::io::stdin().lock().lines()) {
        let line =
            line.map_err(|error| Failure::Io { path: "standard input".into(), action: "read", error })?;
        if !lines.command(&line, &format!("line {number}"))? {
            break;
        }
    }
    Ok(lines.status())
}

#[cfg(feature = "debug")]
fn screen(lines: lines::Lines, stage: &unshade::Stage<'_>, file: &str) -> Outcome {
    let title = format!("{file}  {} {}", stage.kind, stage.isa);
    screen::run(lines.into_session(), title)
}

/// Without the full screen a terminal has the lines too.
#[cfg(not(feature = "debug"))]
fn screen(lines: lines::Lines, _: &unshade::Stage<'_>, _: &str) -> Outcome {
    crate::output::note("this build has no full screen (cargo feature `debug`); `help` shows the commands");
    standard_input(lines)
}

impl lines::Lines {
    /// Whether all commands could be done.
    fn status(&self) -> Status {
        if self.refused { Status::Bad } else { Status::Good }
    }
}
