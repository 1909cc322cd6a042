//! What the shader formats of the Switch share: file header, string pool, dictionaries, relocation table, and
//! files as structures that point at each other.

pub mod check;
pub mod dictionary;
pub mod header;
pub mod image;
pub mod layout;
#[cfg(feature = "manifest")]
pub(crate) mod manifest;
pub(crate) mod names;
pub mod relocation;
pub mod strings;
pub mod tree;
#[cfg(feature = "serde")]
pub mod wide;

pub use crate::shared::fields::{
    Fields, Form, Loader, Meaning, Numbers, Pointer, Saver, Slot, Style, Use, Visitor, Walk,
};
pub use dictionary::{Dictionary, DictionaryNode, Family};
pub use header::FileHeader;
pub use image::{Image, Look, Object, Shared, SharedMut, Target, Texts};
pub use relocation::{Entry, Relocation, Section};
pub use strings::{BlockHeader, StringPool};
