//! `disasm --json`: programs as data.

use crate::listing::ItemListing;
use serde::Serialize;

/// The programs of a file, instruction by instruction.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Listings {
    /// `unshade-disasm-1`.
    pub schema: String,
    /// In file order.
    pub items: Vec<ItemListing>,
}

impl Listings {
    /// The document of these programs.
    pub fn new(items: impl IntoIterator<Item = ItemListing>) -> Self {
        Self { schema: "unshade-disasm-1".to_owned(), items: items.into_iter().collect() }
    }
}
