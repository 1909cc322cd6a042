//! What the shader caches of emulators share: their code is packed with the usual algorithms, and no emulator takes a cache that
//! somebody else wrote, so that they are read and never written in place.

pub(crate) mod maxwell;
pub(crate) mod packed;
pub(crate) mod pica;
mod refuse;
mod wide;

pub(crate) use refuse::read_only;
pub use wide::Wide;
