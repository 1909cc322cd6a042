//! What the formats stand on. Nothing here knows a format.

pub mod encoding;
pub mod fields;
pub(crate) mod findings;
pub(crate) mod format;
pub mod held;
#[cfg(feature = "manifest")]
pub(crate) mod manifest;
pub(crate) mod names;
pub mod opaque;
#[cfg(feature = "manifest")]
pub mod parts;
pub mod path;
pub mod programs;
#[cfg(feature = "manifest")]
pub(crate) mod sheet;
pub mod stages;
pub mod tree;

pub use encoding::FieldEncoding;
pub use opaque::{Name, Opaque, Strings};
#[cfg(feature = "manifest")]
pub use parts::Parts;
pub use programs::{DetachedStage, NewProgram, Removed};
pub use tree::Node;
