//! Wrappers in wrappers: walking down to the files inside, and writing a changed one back up.
//!
//! A compressed file opens by itself; of an archive, or a model file with others embedded in it, a name chooses one
//! file, and without names all are visited. What a stranger's file may cost is bounded: depth, unpacked bytes
//! altogether, and visits of the same bytes.

mod chain;
mod replace;
mod walk;

pub use chain::{Chain, Piece, Step, Wrapper, wrapper};
pub use replace::{Rewritten, replace};
pub use walk::{Bounds, DEPTH, Found, Source, Walk, dictionaries, walk, walk_within};
