//! Two files and what is between them: differences, and patches.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

mod diff;
mod patch;
mod related;
