//! What is said where somebody wants to change a cache.

use unshade_bytes::{Error, ErrorKind};

/// Why a cache is not changed. `emulator` is whose it is.
pub(crate) fn read_only(emulator: &'static str) -> Error {
    let expected = "a file that may be changed";
    let found = format!(
        "a shader cache of {emulator}, which throws away what it did not write itself: caches are only read"
    );
    Error::unplaced(ErrorKind::Unsupported, "", expected, found).code("caches.read-only")
}
