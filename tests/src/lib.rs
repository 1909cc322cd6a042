//! What the tests over several rooms share: where the corpus lies, which outside programs are there, and the
//! properties that the fuzz targets call too.

pub mod corpus;
pub mod fsha;
pub mod likeness;
pub mod mutate;
pub mod properties;
pub mod seeds;
pub mod targets;
pub mod tools;
pub mod tree;
