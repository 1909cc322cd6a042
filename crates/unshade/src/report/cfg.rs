//! `cfg`: the control-flow graphs of a file's programs.

use crate::cfg::{FlowGraph, cfg};
use serde::Serialize;
use unshade_stage::Stage;

/// The graphs of a file's programs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CfgReport {
    /// `unshade-cfg-1`.
    pub schema: String,
    /// As given.
    pub file: String,
    /// In file order.
    pub items: Vec<ItemGraph>,
}

/// The graph of one program.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ItemGraph {
    /// What stands behind `FILE` to name it.
    pub item: String,
    /// `vertex`, `geometry`.
    pub kind: String,
    /// Name of the instruction set.
    pub isa: String,
    /// The graph.
    #[serde(flatten)]
    pub graph: FlowGraph,
}

impl CfgReport {
    /// The document of these graphs.
    pub fn new(file: &str, items: impl IntoIterator<Item = ItemGraph>) -> Self {
        Self { schema: "unshade-cfg-1".to_owned(), file: file.to_owned(), items: items.into_iter().collect() }
    }
}

impl ItemGraph {
    /// Of one program; `None` for an instruction set that is not read.
    pub fn new(item: &str, stage: &Stage<'_>) -> Option<Self> {
        Some(Self {
            item: item.to_owned(),
            kind: stage.kind.name().to_owned(),
            isa: stage.isa.name().to_owned(),
            graph: cfg(stage)?,
        })
    }
}
