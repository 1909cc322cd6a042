//! Commands line by line: what a session answers as text, or as one JSON object per line.

use super::text;
use crate::{
    output::{self, Failure, Outcome},
    style::{self, paint},
};
use std::io::Write;
use unshade::debug::{self, COMMANDS, Command, CommandError, NumberFormat, Session, View};

/// Commands of the text alone, each with what follows it and what it does.
const OWN: [(&str, &str, &str); 4] = [
    ("list", "[LINES]", "show the listing around the place"),
    ("format", "auto|float|int|hex", "show numbers so"),
    ("help", "", "show this"),
    ("quit", "", "end"),
];

pub struct Lines {
    session: Session,
    json: bool,
    format: NumberFormat,
    /// Some command was refused.
    pub refused: bool,
}

/// A command of the text alone.
pub enum Own {
    List(usize),
    Format(NumberFormat),
    Help,
    Quit,
}

/// A line that is for the text alone; nothing for all others.
pub fn own(line: &str) -> Option<Result<Own, CommandError>> {
    let mut words = line.split_whitespace();
    let name = words.next()?;
    let argument = words.next();
    let refuse = |message: String| Some(Err(CommandError { message }));
    match (name, argument) {
        ("help" | "h" | "?", _) => Some(Ok(Own::Help)),
        ("quit" | "q" | "exit", _) => Some(Ok(Own::Quit)),
        ("list", None) => Some(Ok(Own::List(5))),
        ("list", Some(count)) => match count.parse() {
            Ok(count) => Some(Ok(Own::List(count))),
            Err(_) => refuse(format!("`list`: expected a number, found {count:?}")),
        },
        ("format", name) => {
            let name = name.unwrap_or_default();
            match NumberFormat::ALL.into_iter().find(|format| format.name() == name) {
                Some(format) => Some(Ok(Own::Format(format))),
                None => refuse(format!("`format`: expected auto, float, int or hex, found {name:?}")),
            }
        }
        _ => None,
    }
}

/// The commands, one per line.
pub fn help() -> String {
    let line =
        |name: &str, argument: &str, what: &str| format!("  {:<42} {what}\n", format!("{name} {argument}"));
    let mut text = String::new();
    for (name, short, argument, what) in COMMANDS {
        let name = if short.is_empty() { (*name).to_owned() } else { format!("{name}, {short}") };
        text.push_str(&line(&name, argument, what));
    }
    for (name, argument, what) in OWN {
        text.push_str(&line(name, argument, what));
    }
    text.push_str(
        "PLACE is the index of a code word (0x12 or 18), a line of the listing (:15), or a label.\n",
    );
    text
}

impl Lines {
    pub fn new(session: Session, json: bool) -> Self {
        Self { session, json, format: NumberFormat::Auto, refused: false }
    }

    #[cfg(feature = "debug")]
    pub fn into_session(self) -> Session {
        self.session
    }

    /// Shows where the run starts.
    pub fn start(&mut self) -> Outcome<()> {
        let view = self.session.view();
        self.show(&view, &Command::Start)
    }

    /// Does what a line says; answers whether more may come.
    pub fn command(&mut self, line: &str, place: &str) -> Outcome<bool> {
        match own(line) {
            Some(Ok(Own::Quit)) => return Ok(false),
            Some(Ok(Own::Help)) => output::print(&help())?,
            Some(Ok(Own::Format(format))) => self.format = format,
            Some(Ok(Own::List(around))) => {
                let view = self.session.view();
                output::print(&text::listing(&self.session.listing(), &view, around))?;
            }
            Some(Err(error)) => self.refuse(&error, place)?,
            None => match debug::parse(line) {
                Ok(None) => {}
                Ok(Some(command)) => match self.session.run(&command) {
                    Ok(view) => self.show(&view, &command)?,
                    Err(error) => self.refuse(&error, place)?,
                },
                Err(error) => self.refuse(&error, place)?,
            },
        }
        Ok(true)
    }

    fn show(&self, view: &View, command: &Command) -> Outcome<()> {
        if self.json {
            return json_line(view);
        }
        let shown = match command {
            Command::View => text::whole(view, self.format),
            Command::Print { .. } => text::printed(view, self.format),
            Command::Break { .. } => text::new_breakpoint(view),
            Command::Delete { .. } | Command::Enable { .. } => text::breakpoints(view),
            _ => text::place(view, self.format),
        };
        output::print(&shown)
    }

    fn refuse(&mut self, error: &CommandError, place: &str) -> Outcome<()> {
        self.refused = true;
        if self.json {
            return json_line(&debug::Reply::refused(error));
        }
        // In the order of the results.
        output::print("")?;
        let mut err = anstream::stderr().lock();
        let _ = writeln!(err, "{} {place}: {error}", paint(style::BAD, "error:"));
        Ok(())
    }
}

fn json_line(document: &impl serde::Serialize) -> Outcome<()> {
    let failure = |error: serde_json::Error| Failure::Io {
        path: "standard output".into(),
        action: "write",
        error: error.into(),
    };
    let mut text = serde_json::to_string(document).map_err(failure)?;
    text.push('\n');
    output::print(&text)
}
