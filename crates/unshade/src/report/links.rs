//! `decompile --links`: which lines of the texts of a stage belong together.

use crate::links::StageLinks;
use serde::Serialize;
use unshade_stage::Stage;

/// The linked texts of a file's programs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LinksReport {
    /// `unshade-links-1`.
    pub schema: String,
    /// As given.
    pub file: String,
    /// In file order.
    pub items: Vec<ItemLinks>,
}

/// One program.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ItemLinks {
    /// What stands behind `FILE` to name it.
    pub item: String,
    /// `vertex`, `geometry`.
    pub kind: String,
    /// Name of the instruction set.
    pub isa: String,
    /// Bit-exact instead of readable.
    pub strict: bool,
    /// The texts and their lines.
    #[serde(flatten)]
    pub links: StageLinks,
}

impl LinksReport {
    /// The document of these programs.
    pub fn new(file: &str, items: impl IntoIterator<Item = ItemLinks>) -> Self {
        Self {
            schema: "unshade-links-1".to_owned(),
            file: file.to_owned(),
            items: items.into_iter().collect(),
        }
    }
}

impl ItemLinks {
    /// One program.
    pub fn new(item: &str, stage: &Stage<'_>, strict: bool, links: StageLinks) -> Self {
        Self {
            item: item.to_owned(),
            kind: stage.kind.name().to_owned(),
            isa: stage.isa.name().to_owned(),
            strict,
            links,
        }
    }
}
