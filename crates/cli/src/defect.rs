//! Defects: what panics in spite of all is told once, at the end, and not in the middle of other output.
//!
//! The library catches panics where it calls code that is not its own (naga stops at some wrong texts), and a scan catches those
//! of one file. Rust would print a message for each of them all the same.

use crate::{output, style};
use std::{
    panic::{self, AssertUnwindSafe},
    process::ExitCode,
    sync::{Mutex, PoisonError},
};

/// What was said by the last panic, caught or not.
static LAST: Mutex<String> = Mutex::new(String::new());

/// Does what it is given. A panic that nobody catches ends it with the exit status that Rust programs have then, 101. With
/// `RUST_BACKTRACE` everything is printed as Rust prints it.
pub fn told(run: impl FnOnce() -> ExitCode) -> ExitCode {
    if std::env::var_os("RUST_BACKTRACE").is_none() {
        panic::set_hook(Box::new(|panic| {
            *LAST.lock().unwrap_or_else(PoisonError::into_inner) = panic.to_string();
        }));
    }
    panic::catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|_| {
        let last = LAST.lock().unwrap_or_else(PoisonError::into_inner);
        let head = style::paint(style::BAD, "a defect of this program:");
        output::print_rendered(&format!("{head} {last}\nplease report it, with the file that it was at"));
        ExitCode::from(101)
    })
}
