//! What the tests of the compiler share.

pub mod machine;
pub mod programs;
pub mod random;
