//! Unshade for the page: files that were opened in a browser, and questions to them.
//!
//! A [`Session`] keeps files by number. [`Session::call`] takes the name of a question and its arguments as JSON, and gives
//! the text that the command of the same name prints, or its JSON document. What it gives, the library computed. On
//! `wasm32` the module `glue` is what the page's worker calls, or, with the feature `languages`, the module of that name.

mod answer;
mod ask;
mod change;
mod choose;
mod compare;
mod debug;
mod draw;
mod file;
#[cfg(all(target_family = "wasm", not(feature = "languages")))]
mod glue;
#[cfg(all(target_family = "wasm", feature = "languages"))]
mod languages;
mod look;
mod session;
mod text;
mod tree;

pub use answer::{Answer, Failure};
pub use session::Session;
