//! How much decompiled source is like the source that it was compiled from: both are counted in tokens.
//!
//! What counts is said in two places: [`tokens`] says what a token is, [`declarations`] which declarations
//! nobody uses. [`subjects`] finds the programs that have an original, and [`measure`] compares.

pub mod declarations;
pub mod measure;
pub mod subjects;
pub mod tokens;
