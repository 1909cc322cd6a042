//! `show --bytes`: which field owns each byte of a window.

use crate::Opened;
use crate::owners::{OwnedBytes, owners};
use serde::Serialize;
use std::ops::Range;

/// Runs in one answer; who wants more asks from where this one ends.
pub const MOST_RUNS: usize = 1 << 16;

/// The owners of the bytes of a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BytesReport {
    /// One for each wrapper and each container in the file; a wrapper comes before what is inside.
    pub containers: Vec<ContainerBytes>,
}

/// The owners of the bytes of a container, or of a wrapper.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ContainerBytes {
    /// What stands behind `:`, where the file is not the container itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub inner: Option<String>,
    /// Where the container starts in its file; all other offsets count from there.
    pub offset: u64,
    /// Its length.
    pub len: u64,
    /// The runs with bytes in the window, whole, in order.
    pub spans: Vec<OwnedBytes>,
    /// Where the next run starts, if there are more in the window than one answer has.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<u64>,
}

/// The owners of the bytes of a window of everything that was opened in a file; `bytes` is the whole file, the window counts
/// from the start of each container.
pub fn bytes(bytes: &[u8], opened: &Opened, window: Range<u64>) -> BytesReport {
    let containers = owners(bytes, opened)
        .into_iter()
        .map(|owners| {
            let mut spans: Vec<OwnedBytes> = owners.window(window.clone()).take(MOST_RUNS + 1).collect();
            let next = spans.get(MOST_RUNS).map(|next| next.start);
            spans.truncate(MOST_RUNS);
            ContainerBytes {
                inner: owners.inner.clone(),
                offset: owners.offset,
                len: owners.len,
                spans,
                next,
            }
        })
        .collect();
    BytesReport { containers }
}
