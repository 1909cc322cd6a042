//! Reads shaders in GLSL 1.10 to 4.60 and GLSL ES 1.00 to 3.20, of all six stages, to a typed tree with places.
//!
//! ```
//! use unshade_glsl::{Options, language::Stage, read};
//!
//! let text = "#version 450\nin vec2 at;\nout vec4 colour;\nvoid main() { colour = vec4(at, 0.5, 1); }";
//! let reading = read(text, &Options::new(Stage::Fragment));
//! let shader = reading.shader.expect("it is right");
//! assert_eq!(shader.globals.len(), 2);
//!
//! let wrong = read("#version 450\nvoid main() { float x = colour; }", &Options::new(Stage::Fragment));
//! assert!(wrong.render().starts_with("error: `colour` is not declared"));
//! ```
//!
//! The rooms, in the order in which a text goes through them: [`preprocess`] (with [`lex`]) makes tokens of it, [`parse`] a syntax
//! tree, and the check the typed [`tree`]. [`builtins`] are the functions, variables and constants of the language as tables,
//! [`types`] its types and how they lie in memory, [`language`] its versions and extensions. Whatever is wrong is a
//! [`Problem`](errors::Problem) with a [`place`]; what a text may cost is in [`limits`].

pub mod builtins;
mod check;
pub mod errors;
pub mod language;
pub mod lex;
pub mod limits;
pub mod parse;
pub mod place;
pub mod preprocess;
mod read;
pub mod tree;
pub mod types;

pub use read::{Options, Reading, read, read_with};
