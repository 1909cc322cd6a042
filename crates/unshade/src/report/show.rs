//! `show`: the structure of a file as a tree.

use crate::Opened;
use crate::headers::add_headers;
use serde::Serialize;
use unshade_containers::{Node, wrap::layer::Layer};

/// The structure of one file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ShowReport {
    /// One for each wrapper and each container in the file; a wrapper comes before what is inside.
    pub containers: Vec<ContainerTree>,
}

/// The structure of one container, or of a wrapper.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ContainerTree {
    /// What stands behind `:`, where the file is not the container itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub inner: Option<String>,
    /// Where the container starts in the file; the offsets of the tree count from there.
    pub offset: u64,
    /// The fields.
    #[cfg_attr(feature = "schema", schemars(with = "super::schema::Node"))]
    pub tree: Node,
}

/// The structure of an opened file; `bytes` is the whole file.
pub fn show(bytes: &[u8], opened: &Opened) -> ShowReport {
    let wrappers = opened.wrappers.iter().filter(|wrapped| wrapped.chosen).filter_map(|wrapped| {
        let packed = wrapped.piece.bytes(bytes);
        let tree = Layer::read(wrapped.kind, packed, &opened.dictionaries).ok()?.tree();
        Some(ContainerTree { inner: wrapped.name.clone(), offset: 0, tree })
    });
    let containers = opened.containers.iter().map(|inner| {
        let mut tree = inner.container.tree();
        add_headers(&mut tree, &inner.container);
        ContainerTree { inner: inner.name.clone(), offset: inner.offset, tree }
    });
    ShowReport { containers: wrappers.chain(containers).collect() }
}
