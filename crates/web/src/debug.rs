//! Questions to runs under the debugger.

use crate::{
    Answer, Failure, Session,
    answer::compact,
    ask::{Drawn, Run, Start, Told, arguments},
    change::single,
};
use serde::Serialize;
use unshade::{
    debug::{self, Command, Listing, Reply},
    run_json::{self, Document},
};

/// Runs that a page may have at once; each keeps states of up to 64 MiB.
const RUNS: usize = 4;

/// Inputs of chance for a program, as `run --inputs` takes them.
pub(crate) fn inputs(session: &Session, json: &str) -> Answer {
    let Drawn { at, seed } = arguments(json)?;
    let file = session.file(at.file)?;
    let programs = file.programs(&file.place(&at.item))?;
    let (_, stage) = single(&programs)?;
    run_json::drawn(stage, seed, 1)
        .ok_or_else(|| Failure::new(format!("{} programs cannot be run", stage.isa)))
}

/// A run in front of its first step.
#[derive(Serialize)]
struct Started {
    /// Its number.
    run: u32,
    listing: Listing,
    reply: Reply,
}

pub(crate) fn start(session: &mut Session, json: &str) -> Answer {
    let Start { at, inputs } = arguments(json)?;
    if session.runs.len() >= RUNS {
        return Err(Failure::new(format!("expected at most {RUNS} runs at once; end one of them")));
    }
    let file = session.file(at.file)?;
    let programs = file.programs(&file.place(&at.item))?;
    let (_, stage) = single(&programs)?;
    let document = Document::inputs(&inputs).map_err(|error| Failure::new(error.to_string()))?;
    let variables = file.variables(&at.item, stage)?;
    let made = debug::Session::with_variables(stage, &document, debug::Options::default(), &variables);
    let mut made = made.map_err(|error| Failure::new(error.to_string()))?;
    let run = session.runs.keys().last().map_or(1, |last| last.saturating_add(1));
    let answer = compact(&Started { run, listing: made.listing(), reply: made.answer(&Command::View) });
    session.runs.insert(run, made);
    answer
}

pub(crate) fn command(session: &mut Session, json: &str) -> Answer {
    let Told { run, command } = arguments(json)?;
    let run = session.runs.get_mut(&run).ok_or_else(|| Failure::new(format!("there is no run {run}")))?;
    compact(&run.answer(&command))
}

pub(crate) fn end(session: &mut Session, json: &str) -> Answer {
    let Run { run } = arguments(json)?;
    session.runs.remove(&run);
    compact(&())
}
