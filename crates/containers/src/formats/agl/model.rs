//! The records that archives share: arrays, macros with their values, symbols, and blocks with their uniforms.

use super::raw;
use crate::shared::{Opaque, Strings};

/// An array of records. Size and count follow from what is here.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Array<T> {
    /// The size, where it is not that of the array.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub size: Option<u32>,
    /// The count, where it is not the number of records.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub count: Option<u32>,
    /// The records.
    pub items: Vec<T>,
    /// Bytes at its end that are no record.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Opaque::is_empty"))]
    pub stray: Opaque,
}

impl<T> Array<T> {
    /// Whether its size or its count is not that of what it holds.
    pub(crate) fn claims_otherwise(&self) -> bool {
        self.size.is_some() || self.count.is_some()
    }
}

impl<T> Default for Array<T> {
    fn default() -> Self {
        Self { size: None, count: None, items: Vec::new(), stray: Opaque::default() }
    }
}

/// A record that was understood, or one whose parts do not fit in it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Record<T> {
    /// Understood.
    Known(T),
    /// Kept as it is, without its size word.
    Damaged(Opaque),
}

impl<T> Record<T> {
    /// What was understood.
    pub fn known(&self) -> Option<&T> {
        match self {
            Self::Known(record) => Some(record),
            Self::Damaged(_) => None,
        }
    }
}

/// A macro with its values.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Macro {
    /// The name with its NUL, and whatever its length covers.
    pub name: Strings,
    /// The values, each with its NUL.
    pub values: Strings,
    /// The number of values, where it is not that of the strings.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub count: Option<u32>,
    /// The name by which programs ask for it, with its NUL.
    pub id: Strings,
}

/// A symbol: a variable that some variations of a program use.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Symbol {
    /// Name in the shader's source with its NUL, and whatever its length covers.
    pub name: Strings,
    /// The name by which programs ask for it, with its NUL.
    pub id: Strings,
    /// 0x04. Uniforms: byte offset in the block or register file, -1: none. Blocks: size in bytes. Others: -1.
    pub offset: i32,
    /// The default value. Of uniforms words in the byte order of the file; of blocks little-endian ones in both.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Opaque::is_empty"))]
    pub default: Opaque,
    /// A byte for each variation: 1 where it uses the symbol.
    pub flags: Opaque,
    /// Bytes behind the flags.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Opaque::is_empty"))]
    pub tail: Opaque,
}

/// A block with the uniforms in it: of programs of the Switch, of sources from version 13 on, and, it seems, of
/// programs of the Wii U from version 9 on.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Block {
    /// The name with its NUL, and whatever its length covers.
    pub name: Strings,
    /// 0x04. Its location; one reader takes it for an offset or a size.
    pub location: i32,
    /// Its uniforms.
    pub uniforms: Array<Record<Uniform>>,
    /// Bytes behind the uniforms.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Opaque::is_empty"))]
    pub tail: Opaque,
}

/// A uniform of a [`Block`].
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Uniform {
    /// The name with its NUL, and whatever its length covers.
    pub name: Strings,
    /// 0x04. Its location.
    pub location: i32,
    /// Bytes behind the name.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Opaque::is_empty"))]
    pub tail: Opaque,
}

/// Which symbols of a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SymbolKind {
    /// Uniforms.
    Uniforms,
    /// Uniform blocks.
    Blocks,
    /// Samplers.
    Samplers,
    /// Attributes.
    Attributes,
}

impl SymbolKind {
    /// All of them, in the order of the file.
    pub const ALL: [Self; 4] = [Self::Uniforms, Self::Blocks, Self::Samplers, Self::Attributes];

    /// Name in trees: `uniforms`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Uniforms => "uniforms",
            Self::Blocks => "blocks",
            Self::Samplers => "samplers",
            Self::Attributes => "attributes",
        }
    }
}

impl Macro {
    /// Its name, without NUL.
    pub fn name(&self) -> &[u8] {
        raw::text(&self.name.0)
    }

    /// How many values it says that it has.
    pub fn stated_count(&self) -> u32 {
        let strings = || self.values.iter().count();
        self.count.unwrap_or_else(|| u32::try_from(strings()).unwrap_or(u32::MAX))
    }

    /// The values, without their NUL.
    pub fn values(&self) -> impl Iterator<Item = &[u8]> {
        raw::values(&self.values.0, self.stated_count())
    }
}

impl Array<Record<Macro>> {
    /// How many variations these macros make: the product of the numbers of their values; `None` where a macro was
    /// not understood, or that does not fit.
    pub fn variation_count(&self) -> Option<u64> {
        self.items
            .iter()
            .try_fold(1_u64, |product, record| product.checked_mul(record.known()?.stated_count().into()))
    }
}
