//! Why a call did not do what it was asked for.

use crate::{
    check::{Place, Severity},
    text::{Owned, Text},
};
use std::{
    any::Any,
    mem::MaybeUninit,
    panic::{AssertUnwindSafe, catch_unwind},
};
use unshade::{DecompileError, Diagnostic, ErrorKind, Location, OpenError, StateError};

/// What a call came to.
#[repr(u32)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// It did what it was asked for.
    Ok = 0,
    /// An argument is wrong: a null pointer, an index too large, a number that means nothing, a text that is no UTF-8.
    Argument = 1,
    /// The bytes are none of the known formats.
    UnknownFormat = 2,
    /// The bytes end too early or contradict themselves.
    Damaged = 3,
    /// A known format, version or machine that this version does not take.
    Unsupported = 4,
    /// A count, a size, a depth or the work goes past a limit.
    Limit = 5,
    /// Nothing in the file has the name that was asked for.
    UnknownName = 6,
    /// The program cannot be said in the language that was asked for.
    NotDecompiled = 7,
    /// The JSON that was given is not what it should be.
    Inputs = 8,
    /// A mistake in the library. The call had no effect, what was open stays usable.
    Internal = 9,
}

/// What an offset is where there is none.
pub const UNSHADE_NO_OFFSET: u64 = u64::MAX;

/// Something that was found, with its place: one finding of a check, or what stopped a call.
///
/// The caller sets `size`. Texts live as long as the object that was asked.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct Finding {
    /// Size of this structure as the caller knows it, in bytes: `sizeof(unshade_finding)`.
    pub size: usize,
    /// How bad it is, an `unshade_severity`.
    pub severity: u32,
    /// What `offset` counts, an `unshade_place`.
    pub place: u32,
    /// Where it starts; `UNSHADE_NO_OFFSET` where it is about no place.
    pub offset: u64,
    /// Where it ends; as `offset` where it is about a point.
    pub end: u64,
    /// Stable name of the kind of finding: `shbin.dvle.magic`.
    pub code: Text,
    /// Path of the field: `dvle[0].constants`, with the name of the file inside of an archive in front. May be empty.
    pub path: Text,
    /// What was expected and what was found.
    pub message: Text,
    /// Further sentences, one a line. May be empty.
    pub notes: Text,
}

/// A finding that keeps its own texts.
#[derive(Debug)]
pub(crate) struct Kept {
    severity: Severity,
    place: Place,
    offset: u64,
    end: u64,
    code: Owned,
    path: Owned,
    message: Owned,
    notes: Owned,
}

impl Kept {
    pub(crate) fn new(found: Diagnostic) -> Self {
        let (place, offset, end) = match found.location {
            Location::Bytes(range) => (Place::Bytes, range.start, range.end),
            Location::Text { span, .. } => (Place::Text, span.start as u64, span.end as u64),
            Location::Word(word) => (Place::Words, word.into(), word.into()),
            Location::Whole => (Place::None, UNSHADE_NO_OFFSET, UNSHADE_NO_OFFSET),
        };
        Self {
            severity: Severity::of(found.severity),
            place,
            offset,
            end,
            code: Owned::new(found.code),
            path: Owned::new(found.path),
            message: Owned::new(found.message),
            notes: Owned::new(found.notes.join("\n")),
        }
    }

    pub(crate) fn view(&self) -> Finding {
        Finding {
            size: 0,
            severity: self.severity as u32,
            place: self.place as u32,
            offset: self.offset,
            end: self.end,
            code: self.code.view(),
            path: self.path.view(),
            message: self.message.view(),
            notes: self.notes.view(),
        }
    }
}

/// Why a call failed.
#[derive(Debug)]
pub struct Error(Kept);

impl Error {
    pub(crate) fn view(&self) -> Finding {
        self.0.view()
    }
}

/// What stops the work behind a door.
#[derive(Debug)]
pub(crate) struct Failure {
    status: Status,
    found: Box<Diagnostic>,
}

impl Failure {
    fn new(status: Status, code: &'static str, path: &str, message: impl Into<String>) -> Self {
        let found = Diagnostic::new(unshade::Severity::Error, code, Location::Whole, path, message);
        Self { status, found: Box::new(found) }
    }

    /// The argument of that name is wrong.
    pub(crate) fn argument(name: &str, message: impl Into<String>) -> Self {
        Self::new(Status::Argument, "c.argument", name, message)
    }

    pub(crate) fn null(name: &str) -> Self {
        Self::argument(name, "a null pointer")
    }

    /// As [`Failure::argument`], at a byte of a text.
    pub(crate) fn text(name: &str, at: usize, message: &str) -> Self {
        let mut failure = Self::argument(name, message);
        failure.found.location = Location::Text { source: 0, span: at..at };
        failure
    }

    /// The run's JSON is wrong.
    pub(crate) fn inputs(path: &str, message: &str) -> Self {
        Self::new(Status::Inputs, "run-json", path, message)
    }

    /// A panic, so that it does not cross into C.
    fn panic(payload: &(dyn Any + Send)) -> Self {
        let text = payload.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| payload.downcast_ref::<&str>().copied()).unwrap_or("a panic");
        Self::new(Status::Internal, "c.internal", "", text)
    }
}

impl From<unshade::Error> for Failure {
    fn from(error: unshade::Error) -> Self {
        let status = match error.kind {
            ErrorKind::UnknownFormat => Status::UnknownFormat,
            ErrorKind::Unsupported => Status::Unsupported,
            ErrorKind::LimitExceeded => Status::Limit,
            _ => Status::Damaged,
        };
        Self { status, found: Box::new(error.diagnostic()) }
    }
}

impl From<OpenError> for Failure {
    fn from(error: OpenError) -> Self {
        match error {
            OpenError::Within(within) => {
                let inside = within.chain.wrappers().next().is_some().then(|| within.chain.to_string());
                let mut failure = Self::from(within.into_error());
                let note = |chain| format!("inside {chain}; offsets count from the start of the file inside");
                failure.found.notes.extend(inside.map(note));
                failure
            }
            OpenError::Unknown(unknown) => {
                Self::new(Status::UnknownName, "open.unknown-name", &unknown.wanted, unknown.to_string())
            }
        }
    }
}

impl From<DecompileError> for Failure {
    fn from(error: DecompileError) -> Self {
        match error {
            DecompileError::Lift(error) => error.into(),
            other => Self::new(Status::NotDecompiled, other.code(), "", other.to_string()),
        }
    }
}

impl From<StateError> for Failure {
    fn from(error: StateError) -> Self {
        Self::new(Status::Inputs, "state", &error.field, error.message)
    }
}

/// Does the work behind a door: says what it came to and why, and lets no panic through.
pub(crate) fn door(
    error: Option<&mut MaybeUninit<Option<Box<Error>>>>,
    work: impl FnOnce() -> Result<(), Failure>,
) -> Status {
    let done = catch_unwind(AssertUnwindSafe(work));
    let done = done.unwrap_or_else(|payload| Err(Failure::panic(&*payload)));
    let (status, why) = match done {
        Ok(()) => (Status::Ok, None),
        Err(Failure { status, found }) => (status, Some(Box::new(Error(Kept::new(*found))))),
    };
    if let Some(error) = error {
        error.write(why);
    }
    status
}

/// As [`door`], for what hands out an object: the place for it, called `name`, holds a null pointer where there is none.
pub(crate) fn give<T>(
    name: &str,
    place: Option<&mut MaybeUninit<Option<Box<T>>>>,
    error: Option<&mut MaybeUninit<Option<Box<Error>>>>,
    make: impl FnOnce() -> Result<T, Failure>,
) -> Status {
    let Some(place) = place else { return door(error, || Err(Failure::null(name))) };
    place.write(None);
    door(error, || {
        place.write(Some(Box::new(make()?)));
        Ok(())
    })
}

/// Frees an object; a null pointer is none.
pub(crate) fn free<T>(object: Option<Box<T>>) {
    // Nothing that is freed here panics; if it did, what is left of it would leak.
    let _ = catch_unwind(AssertUnwindSafe(|| drop(object)));
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the default hook would print of panics that are meant.
    fn quietly<T>(work: impl FnOnce() -> T) -> T {
        let hook = std::panic::take_hook();
        std::panic::set_hook(Box::new(|_| ()));
        let made = work();
        std::panic::set_hook(hook);
        made
    }

    #[test]
    fn panics_do_not_cross() {
        let mut why = MaybeUninit::uninit();
        let mut place = MaybeUninit::<Option<Box<u8>>>::uninit();
        let status = quietly(|| give("place", Some(&mut place), Some(&mut why), || panic!("number {}", 7)));
        assert_eq!(status, Status::Internal);
        let told = |payload: &(dyn Any + Send)| Failure::panic(payload).found.message;
        assert_eq!(told(&"number 6"), "number 6");
        assert_eq!(told(&"number 7".to_owned()), "number 7");
        assert_eq!(told(&8), "a panic");
        struct Wrong;
        impl Drop for Wrong {
            fn drop(&mut self) {
                panic!("while it is freed");
            }
        }
        quietly(|| free(Some(Box::new(Wrong))));
    }
}
