//! What goes out: results, JSON, files written whole or not at all, failures.

use crate::style;
use std::{fmt, io, io::Write, path::Path, process::ExitCode};
use unshade::{Diagnostic, Location, report::Kind};

/// How a command ended that did what it was asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// Everything is as it should be.
    Good,
    /// The command ran; the file is bad or a check failed.
    Bad,
    /// `pick` found only programs that differ from what was wanted.
    Relaxed,
    /// `pick` found no program.
    NoProgram,
    /// `diff` could not compare.
    Trouble,
    /// `verify --strict-verdict` could compare too few cases.
    Weak,
}

impl Status {
    /// Good where both are.
    pub fn and(self, other: Self) -> Self {
        if self == Self::Good { other } else { self }
    }
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> Self {
        match status {
            Status::Good => Self::SUCCESS,
            Status::Bad => Self::from(1),
            Status::Relaxed => Self::from(3),
            Status::NoProgram => Self::from(4),
            Status::Trouble => Self::from(2),
            Status::Weak => Self::from(5),
        }
    }
}

/// Why a command could not do what it was asked.
#[derive(Debug)]
pub enum Failure {
    /// The arguments make no sense together; exit status 2.
    Usage(String),
    /// A file could not be read or written.
    Io {
        /// Its path.
        path: String,
        /// `read` or `write`.
        action: &'static str,
        /// What the system said.
        error: io::Error,
    },
    /// A catalog could not be read or written.
    Catalog {
        /// Its path, or that of a file or folder beside it.
        path: String,
        /// `read` or `write`.
        action: &'static str,
        /// Why.
        error: unshade_catalog::table::Error,
    },
    /// The bytes of a file stopped the library.
    File {
        /// Its path.
        path: String,
        /// Why.
        error: Box<unshade::Error>,
    },
    /// A file, or one inside it, that cannot be read.
    Within {
        /// Path of the outermost file.
        path: String,
        /// Why.
        error: Box<unshade::WithinError>,
    },
    /// A file that holds no program that can be read, in a sentence.
    NoPrograms(String),
    /// A text did not assemble; already rendered.
    Text(String),
    /// What is wrong was printed as JSON.
    Told,
}

/// Result of a command.
pub type Outcome<T = Status> = Result<T, Failure>;

impl Failure {
    pub fn usage(message: impl Into<String>) -> Self {
        Self::Usage(message.into())
    }

    pub fn file(path: impl Into<String>, error: unshade::Error) -> Self {
        Self::File { path: path.into(), error: Box::new(error) }
    }

    /// A catalog that could not be read or written, by the file or folder that stood in the way.
    pub fn catalog(action: &'static str) -> impl FnOnce(unshade_catalog::scan::Error) -> Self {
        move |unshade_catalog::scan::Error { path, error }| Self::Catalog {
            path: path.display().to_string(),
            action,
            error,
        }
    }

    /// A file that does not open: the file's fault, or that of who named something in it.
    pub fn open(path: impl Into<String>, error: unshade::OpenError) -> Self {
        match error {
            unshade::OpenError::Within(error) => Self::Within { path: path.into(), error },
            unshade::OpenError::Unknown(error) => Self::usage(format!("{}: {error}", path.into())),
        }
    }

    pub fn exit_code(&self) -> ExitCode {
        ExitCode::from(if matches!(self, Self::Usage(_)) { 2 } else { 1 })
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Usage(message) => f.write_str(message),
            Self::Io { path, action, error } => write!(f, "cannot {action} {path}: {error}"),
            Self::Catalog { path, action, error } => write!(f, "cannot {action} {path}: {error}"),
            Self::File { path, error } => write!(f, "{path}: {error}"),
            Self::Within { path, error } => write!(f, "{path}{}{error}", within_separator(error)),
            Self::NoPrograms(sentence) => f.write_str(sentence),
            Self::Text(rendered) => f.write_str(rendered),
            Self::Told => Ok(()),
        }
    }
}

/// What stands between a file and an error in it: the name of a file inside starts with its own colon.
fn within_separator(error: &unshade::WithinError) -> &'static str {
    if error.chain.name().is_some() { "" } else { ": " }
}

/// Says of a file that no program in it can be read, and what there is instead.
pub fn no_programs(file: &str, opened: &unshade::Opened) -> String {
    let unread: Vec<String> = opened
        .unread
        .iter()
        .take(3)
        .map(|file| match &file.name {
            Some(name) => format!(":{name} is {}", file.format.describe()),
            None => format!("inside is {}", file.format.describe()),
        })
        .collect();
    let more = opened.unread.len().saturating_sub(3);
    let mut text = format!("{file}: no program in it that this version reads");
    if !unread.is_empty() {
        text.push_str(&format!("; {}", unread.join(", ")));
        text.push_str(&match more {
            0 => ", known by name only".to_owned(),
            n => format!(", known by name only, and {n} more"),
        });
    }
    if opened.others > 0 {
        text.push_str(&format!("; {}", other_files(opened.others as u64)));
    }
    text
}

/// Says of a container that it was read and has no program that a machine could run.
pub fn no_machine_code(file: &str, container: &str) {
    note(&format!("{file}: no machine code in it: {container}; `show` and `extract` give what it holds"));
}

/// Says of a container that it holds sources, and how these are seen.
pub fn only_sources(file: &str, container: &str) {
    note(&format!(
        "{file}: it holds sources, no machine code: {container}; `ls` lists them, `show FILE#ITEM` prints them"
    ));
}

/// `2 other files`
pub fn other_files(count: u64) -> String {
    format!("{count} other file{}", if count == 1 { "" } else { "s" })
}

/// Prints a failure on standard error. A reader that went away (`unshade ls … | head`) is no failure.
pub fn report_failure(failure: &Failure) {
    let mut err = anstream::stderr().lock();
    let _ = match failure {
        Failure::Text(rendered) => writeln!(err, "{rendered}"),
        Failure::Told => Ok(()),
        Failure::Io { error, .. } if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        Failure::File { path, error } => {
            let head = format!("error[{}]:", error.diagnostic_code());
            writeln!(err, "{} {path}: {error}", style::paint(style::BAD, head))
        }
        Failure::Within { error, .. } => {
            let head = format!("error[{}]:", error.error.diagnostic_code());
            writeln!(err, "{} {failure}", style::paint(style::BAD, head))
        }
        other => writeln!(err, "{} {other}", style::paint(style::BAD, "error:")),
    };
}

/// Standard output with colour where it is a terminal.
pub fn stdout() -> impl Write {
    io::BufWriter::with_capacity(1 << 16, anstream::stdout())
}

/// A failed write to standard output.
pub fn stdout_failure(error: io::Error) -> Failure {
    Failure::Io { path: "standard output".into(), action: "write", error }
}

/// Prints text on standard output as it is.
pub fn print(text: &str) -> Outcome<()> {
    let mut out = stdout();
    out.write_all(text.as_bytes()).and_then(|()| out.flush()).map_err(stdout_failure)
}

/// Prints one JSON document.
pub fn print_json(document: &impl serde::Serialize) -> Outcome<()> {
    let mut text = serde_json::to_string_pretty(document).map_err(|error| Failure::Io {
        path: "standard output".into(),
        action: "write",
        error: error.into(),
    })?;
    text.push('\n');
    print(&text)
}

/// Prints a diagnostic on standard error: `error[code] at 0x48 (path): message`, with the file in front.
pub fn print_diagnostic(file: &str, diagnostic: &Diagnostic) {
    let mut err = anstream::stderr().lock();
    let head = format!("{}[{}]", diagnostic.severity, diagnostic.code);
    let whole = diagnostic.to_string();
    let rest = whole.strip_prefix(&head).unwrap_or(&whole);
    let _ = writeln!(
        err,
        "{}{} {}{rest}",
        style::paint(style::DIM, file),
        style::paint(style::DIM, ":"),
        style::paint(style::severity(diagnostic.severity), head),
    );
    for note in &diagnostic.notes {
        let _ = writeln!(err, "  {} {note}", style::paint(style::DIM, "note:"));
    }
}

/// Writes a file whole or not at all: into a temporary beside it, then renamed.
pub fn write_file(path: &str, bytes: &[u8]) -> Outcome<()> {
    if path == "-" {
        let mut out = io::stdout().lock();
        return out.write_all(bytes).and_then(|()| out.flush()).map_err(stdout_failure);
    }
    unshade_catalog::content::write_whole(Path::new(path), bytes).map_err(|error| Failure::Io {
        path: path.into(),
        action: "write",
        error,
    })
}

/// Keeps the file at `path` beside it under another name that is free, with the same contents and permissions: that name.
pub fn back_up(path: &str) -> Outcome<String> {
    let failure = |path: &str, error| Failure::Io { path: path.to_owned(), action: "write", error };
    let mut number = 0_u32;
    loop {
        let backup = if number == 0 { format!("{path}.bak") } else { format!("{path}.bak{number}") };
        // A copy under a name that must be new, so that no older backup is lost.
        match std::fs::OpenOptions::new().write(true).create_new(true).open(&backup) {
            Ok(_) => {
                let copied = std::fs::copy(path, &backup);
                return copied.map(|_| backup.clone()).map_err(|error| {
                    let _ = std::fs::remove_file(&backup);
                    failure(&backup, error)
                });
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && number < u32::MAX => number += 1,
            Err(error) => return Err(failure(&backup, error)),
        }
    }
}

/// A heading with the file's name, where there are several files.
pub fn file_heading(file: &str, several: bool, first: bool) -> String {
    if !several {
        return String::new();
    }
    format!("{}{}\n", if first { "" } else { "\n" }, style::paint(style::BOLD, file))
}

/// Says something on standard error that is neither result nor failure.
pub fn note(message: &str) {
    let mut err = anstream::stderr().lock();
    let _ = writeln!(err, "{} {message}", style::paint(style::DIM, "note:"));
}

/// Prints bytes on standard output; text gets no colour and needs none.
pub fn print_bytes(bytes: &[u8]) -> Outcome<()> {
    let mut out = io::stdout().lock();
    out.write_all(bytes).and_then(|()| out.flush()).map_err(stdout_failure)
}

/// Says how many more findings of a kind there are, and where the first of them is.
pub fn print_others(file: &str, kind: &Kind<'_>) {
    let Some(first) = kind.others().first() else { return };
    let mut text = format!(" {} more of this kind, the first", kind.others().len());
    match &first.location {
        Location::Bytes(range) => text.push_str(&format!(" at {:#x}", range.start)),
        Location::Word(word) => text.push_str(&format!(" at word {word:#05x}")),
        Location::Text { .. } | Location::Whole => {}
    }
    if !first.path.is_empty() {
        text.push_str(&format!(" ({})", first.path));
    }
    let _ = writeln!(
        anstream::stderr().lock(),
        "{}{} {}{text}; --all lists them",
        style::paint(style::DIM, file),
        style::paint(style::DIM, ":"),
        style::paint(style::severity(kind.severity), format_args!("{}[{}]:", kind.severity, kind.code)),
    );
}

/// Prints a finished text on standard error.
pub fn print_rendered(text: &str) {
    let _ = writeln!(anstream::stderr().lock(), "{text}");
}
