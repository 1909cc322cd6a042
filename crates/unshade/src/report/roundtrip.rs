//! `roundtrip`: read, write, compare.

use crate::{Opened, open::within};
use serde::Serialize;
use unshade_containers::wrap::layer::Layer;

/// Whether a file comes back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RoundtripReport {
    /// The bytes are the same.
    pub identical: bool,
    /// Where not: what differs first, as a sentence with offset and field path.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub difference: Option<String>,
}

/// Writes every container of an opened file, and every wrapper, and compares with the file's bytes.
pub fn roundtrip(bytes: &[u8], opened: &Opened) -> RoundtripReport {
    let containers = opened.containers.iter().filter_map(|inner| {
        let difference = inner.difference(bytes)?;
        Some(within(inner.name.as_deref().filter(|_| !inner.chain.0.is_empty()), &difference))
    });
    let wrappers = opened.wrappers.iter().filter_map(|wrapped| {
        let original = wrapped.piece.bytes(bytes);
        let layer = Layer::read(wrapped.kind, original, &opened.dictionaries);
        let written = layer.and_then(|layer| layer.write());
        let difference = match written {
            Ok(written) if written == original => return None,
            Ok(written) => {
                let at = written.iter().zip(original).take_while(|(new, old)| new == old).count();
                format!("{} is written differently at {at:#x}", wrapped.kind)
            }
            Err(error) => error.to_string(),
        };
        Some(within(wrapped.name.as_deref(), &difference))
    });
    let difference = containers.chain(wrappers).next();
    RoundtripReport { identical: difference.is_none(), difference }
}
