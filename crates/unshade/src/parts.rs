//! A file taken apart into a manifest and files, and put together again.

use crate::Opened;
use unshade_bytes::{ErrorKind, Result};
use unshade_containers::{
    Parts, extract,
    parts::{build, build_blob, extract_blob},
    wrap::scan::Blob,
};

/// Takes a whole file apart: a container, or a blob with the containers in it.
///
/// # Errors
///
/// As [`extract`].
pub fn extract_file(bytes: &[u8], opened: &Opened) -> Result<Parts> {
    match opened.containers.as_slice() {
        [only] if only.name.is_none() => extract(&only.container),
        _ => extract_blob(&Blob::read(bytes)),
    }
}

/// Puts a file together from its parts: the bytes of the container, or of the blob.
///
/// # Errors
///
/// Where the manifest says what cannot be, or the model that it makes cannot be written.
pub fn build_file(parts: &Parts) -> Result<Vec<u8>> {
    match build(parts) {
        Err(error) if error.kind == ErrorKind::Unsupported => build_blob(parts)?.write(),
        built => built?.write(),
    }
}
