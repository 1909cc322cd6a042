//! What can be asked of a session: as data, and as a line of text.

use serde::{Deserialize, Serialize};
use std::fmt;

/// A command. Counts are at least 1.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "command", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Command {
    /// Goes so many steps forward.
    Step {
        /// How many.
        #[serde(default = "one")]
        count: u64,
    },
    /// Goes forward over calls, so many times.
    Next {
        /// How many.
        #[serde(default = "one")]
        count: u64,
    },
    /// Goes forward until the innermost call has returned, or to the end.
    Out,
    /// Goes so many steps back.
    Back {
        /// How many.
        #[serde(default = "one")]
        count: u64,
    },
    /// Goes back over calls, so many times.
    BackOver {
        /// How many.
        #[serde(default = "one")]
        count: u64,
    },
    /// Goes back to the innermost call, or to the start.
    BackOut,
    /// Goes forward to the next breakpoint, or to the end.
    Continue,
    /// Goes back to the last breakpoint, or to the start.
    Reverse,
    /// Goes forward to a place, a breakpoint or the end, whichever comes first.
    Until {
        /// The place: see [`Command::Break`].
        at: String,
    },
    /// Goes to where so many steps are done.
    Goto {
        /// Steps from the start.
        step: u64,
    },
    /// Goes to the start.
    Start,
    /// Goes to the end.
    End,
    /// Sets a breakpoint.
    Break {
        /// The place: index of a code word (`0x12` or `18`), line of the listing (`:15`), or a label.
        at: String,
        /// When it counts, as in `r0.x > 1.5`; always where there is none.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        condition: Option<String>,
    },
    /// Takes a breakpoint away, or all.
    Delete {
        /// Its number; all where there is none.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        id: Option<u32>,
    },
    /// Switches a breakpoint on or off.
    Enable {
        /// Its number.
        id: u32,
        /// Whether it counts.
        enabled: bool,
    },
    /// Chooses the lane that is looked at, with those of its quad.
    Lane {
        /// Its number among those of its warp.
        lane: u32,
    },
    /// Asks for a register, whether the code names it or not.
    Print {
        /// Its name, as in `c12`, `R4`, or the file's.
        register: String,
    },
    /// Asks for the view and changes nothing.
    View,
}

fn one() -> u64 {
    1
}

/// A command that cannot be done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommandError {
    /// Why, in a sentence.
    pub message: String,
}

impl CommandError {
    pub(super) fn new(message: impl Into<String>) -> Self {
        Self { message: message.into() }
    }
}

impl fmt::Display for CommandError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for CommandError {}

/// The commands as lines of text, each with its short form, what follows it and what it does.
pub const COMMANDS: &[(&str, &str, &str, &str)] = &[
    ("step", "s", "[N]", "go forward, into calls"),
    ("next", "n", "[N]", "go forward, over calls"),
    ("out", "o", "", "go forward to where the call returns"),
    ("back", "b", "[N]", "go back, into calls"),
    ("back-over", "p", "[N]", "go back, over calls"),
    ("back-out", "u", "", "go back to the call"),
    ("continue", "c", "", "go forward to a breakpoint or the end"),
    ("reverse", "r", "", "go back to a breakpoint or the start"),
    ("until", "t", "PLACE", "go forward to a place"),
    ("goto", "g", "STEP", "go to where so many steps are done"),
    ("start", "", "", "go to the start"),
    ("end", "", "", "go to the end"),
    ("break", "k", "PLACE [if REGISTER == NUMBER]", "set a breakpoint"),
    ("delete", "d", "[ID]", "take a breakpoint away, or all"),
    ("enable", "", "ID", "switch a breakpoint on"),
    ("disable", "", "ID", "switch a breakpoint off"),
    ("lane", "l", "N", "look at another lane"),
    ("print", "x", "REGISTER", "show a register"),
    ("view", "v", "", "show where the run is"),
];

/// Longer lines are refused.
const LENGTH: usize = 1 << 12;

/// Reads a line of text as a command. Nothing for an empty line or a remark (`#`).
///
/// # Errors
/// A line that is no command, with what was expected.
pub fn parse(line: &str) -> Result<Option<Command>, CommandError> {
    if line.len() > LENGTH {
        return Err(CommandError::new(format!("a command of {} characters, at most {LENGTH}", line.len())));
    }
    let line = line.trim();
    if line.is_empty() || line.starts_with('#') {
        return Ok(None);
    }
    let (name, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let rest = rest.trim();
    let known =
        COMMANDS.iter().find(|(long, short, ..)| name == *long || (!short.is_empty() && name == *short));
    let Some((name, _, argument, _)) = known else {
        let names = COMMANDS.iter().map(|(name, ..)| *name);
        let near = unshade_stage::suggest(name, names, 1);
        let near = near.first().map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
        return Err(CommandError::new(format!("there is no command `{name}`{near}")));
    };
    let count = || match rest {
        "" => Ok(1),
        digits => number(digits, name).and_then(|count| match count {
            0 => Err(CommandError::new(format!("`{name}` 0 times: expected at least 1"))),
            count => Ok(count),
        }),
    };
    let needed = || match rest {
        "" => Err(CommandError::new(format!("`{name}` needs {argument}"))),
        rest => Ok(rest),
    };
    let id = |text: &str| {
        let id = number(text, name)?;
        u32::try_from(id).map_err(|_| CommandError::new(format!("`{name}`: {id} is too large")))
    };
    if argument.is_empty() && !rest.is_empty() {
        return Err(CommandError::new(format!("`{name}` takes nothing, found {rest:?}")));
    }
    Ok(Some(match *name {
        "step" => Command::Step { count: count()? },
        "next" => Command::Next { count: count()? },
        "out" => Command::Out,
        "back" => Command::Back { count: count()? },
        "back-over" => Command::BackOver { count: count()? },
        "back-out" => Command::BackOut,
        "continue" => Command::Continue,
        "reverse" => Command::Reverse,
        "until" => Command::Until { at: needed()?.to_owned() },
        "goto" => Command::Goto { step: number(needed()?, name)? },
        "start" => Command::Start,
        "end" => Command::End,
        "break" => match needed()?.split_once(" if ") {
            Some((at, condition)) => {
                Command::Break { at: at.trim().to_owned(), condition: Some(condition.trim().to_owned()) }
            }
            None => Command::Break { at: rest.to_owned(), condition: None },
        },
        "delete" => Command::Delete { id: if rest.is_empty() { None } else { Some(id(rest)?) } },
        "enable" => Command::Enable { id: id(needed()?)?, enabled: true },
        "disable" => Command::Enable { id: id(needed()?)?, enabled: false },
        "lane" => Command::Lane { lane: id(needed()?)? },
        "print" => Command::Print { register: needed()?.to_owned() },
        _ => Command::View,
    }))
}

fn number(text: &str, name: &str) -> Result<u64, CommandError> {
    text.parse().map_err(|_| CommandError::new(format!("`{name}`: expected a number, found {text:?}")))
}
