//! A time-travel debugger: one run of a program, forwards and backwards, step by step.
//!
//! A [`Session`] takes what `run` takes, a stage and an inputs document, and then [`Command`]s, one after the other; it
//! answers each with a [`View`]: where the run is, what the last step changed, what the next one reads. Both are plain
//! data and travel as JSON (`unshade-debug-1`, docs/schema/debug.json), so that a terminal, a page and a script drive the
//! same engine. `docs/debug.md` describes it for users.
//!
//! Beside the registers a view shows the variables of the decompiled source, as far as it was found out which registers hold
//! them (`variables`).
//!
//! A step is what the machine does at once: an instruction, a group of units, a fetch. The state of a run is a pure
//! function of how many steps were done, so going back is going forward from an earlier state: the session keeps
//! states every so many steps, fewer of them the longer the run and the larger the state, within [`STATES`] bytes, and
//! some more around the place where it is.

mod command;
mod condition;
mod history;
mod lines;
mod machine;
mod names;
mod session;
mod variables;
mod view;

pub use command::{COMMANDS, Command, CommandError, parse};
pub use history::STATES;
pub(crate) use lines::first_word;
pub use lines::{Line, LinePart};
pub use session::{Options, Session};
pub use variables::Variables;
pub use view::{
    BreakpointView, Ended, Listing, Number, NumberFormat, Position, Read, RegisterFile, RegisterKind,
    RegisterView, Reply, SCHEMA, StackEntry, Stop, Stopped, VariableView, View,
};

#[cfg(test)]
mod tests;
