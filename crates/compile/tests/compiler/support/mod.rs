//! What the tests of the compiler share.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

pub mod machine;
pub mod programs;
pub mod random;
