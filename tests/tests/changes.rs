//! Two files and what is between them: differences, and patches.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

#[path = "changes/diff.rs"]
mod diff;
#[path = "changes/related.rs"]
mod related;
