//! `info`: what a file is, in one paragraph.

use crate::Opened;
use serde::Serialize;
use std::collections::BTreeMap;

/// What a file is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct InfoReport {
    /// Size of the file in bytes.
    pub bytes: u64,
    /// What was opened; several where the file is a blob that holds containers.
    pub containers: Vec<ContainerInfo>,
}

/// What a container is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ContainerInfo {
    /// What stands behind `:`, where the file is not the container itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub inner: Option<String>,
    /// Format: `SHBIN`.
    pub format: String,
    /// Format, variant and version in words.
    pub description: String,
    /// Machine: `Nintendo 3DS`.
    pub platform: String,
    /// `little` or `big`.
    pub byte_order: String,
    /// How many programs there are of each kind.
    pub stages: Vec<StageCount>,
    /// Code size in bytes, code that several programs share counted once.
    pub code_bytes: u64,
    /// Whether writing the model gives the same bytes again.
    pub rewrite_identical: bool,
}

/// How many programs there are of a kind.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StageCount {
    /// `vertex`, `geometry`.
    pub kind: String,
    /// How many.
    pub count: u64,
}

/// Describes an opened file; `bytes` is the whole file.
pub fn info(bytes: &[u8], opened: &Opened) -> InfoReport {
    let containers = opened.containers.iter().map(|inner| {
        let container = &inner.container;
        let mut counts = BTreeMap::new();
        let mut code = BTreeMap::new();
        for stage in container.stages() {
            *counts.entry(stage.kind).or_insert(0_u64) += 1;
            code.insert(stage.code.file_offset, stage.code.words.len() as u64 * 4);
        }
        ContainerInfo {
            inner: inner.name.clone(),
            format: container.format().name().to_owned(),
            description: container.describe(),
            platform: container.format().platform().to_owned(),
            byte_order: container.byte_order().name().to_owned(),
            stages: counts
                .into_iter()
                .map(|(kind, count)| StageCount { kind: kind.name().to_owned(), count })
                .collect(),
            code_bytes: code.values().sum(),
            rewrite_identical: inner.difference(bytes).is_none(),
        }
    });
    InfoReport { bytes: bytes.len() as u64, containers: containers.collect() }
}
