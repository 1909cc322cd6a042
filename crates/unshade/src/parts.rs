//! A file taken apart into a manifest and files, and put together again.

use crate::{OpenError, Opened, open::WithinError};
use unshade_bytes::Result;
use unshade_containers::{
    Parts, extract,
    parts::{build_whole, extract_blob},
    wrap::{
        manifest::extract_wrapper,
        nest::{Found, Source, walk, wrapper},
        scan::Blob,
    },
};

/// Takes a whole file apart: a wrapper with what is in it, a container, or a blob with the containers in it.
///
/// # Errors
///
/// As [`extract`].
pub fn extract_file(bytes: &[u8], opened: &Opened) -> Result<Parts> {
    if wrapper(bytes).is_some() {
        return extract_wrapper(Source::new(bytes, &opened.dictionaries));
    }
    match opened.containers.as_slice() {
        [only] if only.is_whole() => extract(&only.container),
        _ => extract_blob(&Blob::read(bytes)),
    }
}

/// Takes what `names` choose in a file apart, see [`open_at`](crate::open_at).
///
/// # Errors
///
/// As [`open_at`](crate::open_at) and [`extract`].
pub fn extract_at<'f>(
    file: impl Into<Source<'f>>,
    names: &[String],
) -> std::result::Result<Parts, OpenError> {
    let source = file.into();
    let bytes = source.bytes;
    let mut walk = walk(source, names);
    while let Some(found) = walk.next() {
        let (chain, piece) = match found {
            // Names that are left choose something further inside.
            Found::Wrapper { names, .. } if !names.is_empty() => continue,
            Found::Wrapper { chain, piece, .. } => (chain, piece),
            Found::File { chain, piece, names } if names.is_empty() => (chain, piece),
            _ => break,
        };
        let inside = piece.bytes(bytes);
        let parts = match wrapper(inside) {
            Some(_) => extract_wrapper(Source::new(inside, walk.dictionaries())),
            None => crate::open(inside).and_then(|opened| extract_file(inside, &opened)),
        };
        return parts.map_err(|error| WithinError::new(chain, error).into());
    }
    // A container of a blob, or an error.
    let opened = crate::open_at(source, names)?;
    match opened.containers.as_slice() {
        [only] => {
            extract(&only.container).map_err(|error| WithinError::new(only.chain.clone(), error).into())
        }
        _ => extract_file(bytes, &opened).map_err(|error| WithinError::new(Default::default(), error).into()),
    }
}

/// Puts a file together from its parts: the bytes of the container, of the blob, or of the wrapper.
///
/// # Errors
///
/// Where the manifest says what cannot be, or the model that it makes cannot be written.
pub fn build_file(parts: &Parts) -> Result<Vec<u8>> {
    build_whole(parts)
}
