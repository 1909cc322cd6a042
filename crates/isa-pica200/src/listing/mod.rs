//! The native listing of PICA200 code: text that assembles back to the same words and the same descriptor
//! table, bit for bit, whatever the words are.
//!
//! Well-nested code reads as picasso source. Where the words cannot be said in that language, suffixes and
//! directives of our own follow (`docs/listing.md`). What a file holds besides code is the container's
//! business: it gives names and places to [`CodeText`] and prints its tables around it.

mod code;
mod instruction;
mod layout;
mod names;
mod picasso;
mod read;
mod resolve;
mod stage;
mod structure;
mod write;

pub use code::{assemble_code, list_code};
pub use layout::{CodeText, Layout, Named, Root};
pub use names::RegisterNames;
pub use picasso::write_picasso;
pub use read::{CodeReader, place_or_number};
pub use resolve::{AssembledCode, PlaceRef};
pub use stage::{output_names, stage_names};
pub use structure::{Block, BlockKind, blocks};
pub use unshade_isa_common::Remarks;
pub use write::{indent, write_code, write_descriptors};
