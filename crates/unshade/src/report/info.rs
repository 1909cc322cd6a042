//! `info`: what a file is, in one paragraph.

use crate::Opened;
use serde::Serialize;
use std::collections::BTreeMap;
use unshade_containers::wrap::{layer::Layer, nest::Wrapper, yaz0};

/// What a file is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct InfoReport {
    /// Size of the file in bytes.
    pub bytes: u64,
    /// What was opened; several where the file is a blob or an archive that holds containers.
    pub containers: Vec<ContainerInfo>,
    /// The wrappers that were opened on the way, each before what is inside.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub wrappers: Vec<WrapperInfo>,
    /// Files in wrappers of formats that are known by name only.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unread: Vec<UnreadInfo>,
    /// How many files in archives are nothing that is known.
    pub others: u64,
}

/// What a wrapper is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WrapperInfo {
    /// What stands behind `:`, where it is a file of an archive.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub inner: Option<String>,
    /// `Yaz0`, `SARC`, `zstd`, `BFRES`.
    pub format: String,
    /// What it is, in words.
    pub description: String,
    /// How many wrappers are around it.
    pub depth: u64,
    /// Its size, packed, in bytes.
    pub bytes: u64,
}

/// A file of a format that is known by name only.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct UnreadInfo {
    /// What stands behind `:`, where it is a file of an archive.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub inner: Option<String>,
    /// `BFSHA`.
    pub format: String,
    /// What it is, in words.
    pub description: String,
    /// Its size in bytes.
    pub bytes: u64,
}

/// The files of an opened file that are known by name only.
pub(super) fn unread(opened: &Opened) -> Vec<UnreadInfo> {
    let unread = opened.unread.iter().map(|file| UnreadInfo {
        inner: file.name.clone(),
        format: file.format.name().to_owned(),
        description: file.format.describe().to_owned(),
        bytes: file.bytes,
    });
    unread.collect()
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
    let wrappers = opened.wrappers.iter().map(|wrapped| {
        let packed = wrapped.piece.bytes(bytes);
        let description = match wrapped.kind {
            Wrapper::Yaz0 => yaz0::announced(packed).map(|size| format!("Yaz0, {size} bytes unpacked")),
            kind => Layer::read(kind, packed, &opened.dictionaries).ok().map(|layer| layer.describe()),
        };
        WrapperInfo {
            inner: wrapped.name.clone(),
            format: wrapped.kind.name().to_owned(),
            description: description.unwrap_or_default(),
            depth: wrapped.depth as u64,
            bytes: packed.len() as u64,
        }
    });
    InfoReport {
        bytes: bytes.len() as u64,
        containers: containers.collect(),
        wrappers: wrappers.collect(),
        unread: unread(opened),
        others: opened.others as u64,
    }
}
