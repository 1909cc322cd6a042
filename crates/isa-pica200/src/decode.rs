//! Code word to instruction. Total: every word decodes.

pub use super::fields::decode;
