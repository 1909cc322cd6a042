//! Reads shaders in GLSL 1.10 to 4.60 and GLSL ES 1.00 to 3.20, of all six stages, to a typed tree with places.

pub mod builtins;
pub mod errors;
pub mod language;
pub mod lex;
pub mod limits;
pub mod parse;
pub mod place;
pub mod preprocess;
pub mod tree;
pub mod types;
