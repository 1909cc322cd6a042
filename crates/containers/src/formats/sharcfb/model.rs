//! What an archive holds: records with their data as it is. GX2 structures are looked at when they are asked for.

use super::archive::stage_bit;
use super::raw::{self, SectionView};
use super::variation::MacroList;
pub use crate::formats::agl::model::{Array, Block, Macro, Record, Symbol, SymbolKind, Uniform};
use crate::formats::agl::raw::{ArrayView, blocks_add_up};
use crate::formats::agl::read::blocks;
pub use crate::formats::gx2::record::Binary;
use crate::formats::gx2::{Form, ShaderKind};
use crate::shared::{Opaque, Strings};
use unshade_bytes::Endian;

/// An archive of version 8 or 9.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Sharcfb {
    /// Byte order of the numbers, which the magic number shows.
    pub endian: Endian,
    /// 0x04. 8 or 9; another one where all sizes add up by the rules of the nearest of these.
    pub version: u32,
    /// 0x0C, where it is not what belongs to the byte order.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub endian_word: Option<u32>,
    /// 0x08, where it is not the size of the file.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub file_size: Option<u32>,
    /// 0x10. 0; the console sets it when it turns offsets into pointers.
    pub resolved: u32,
    /// The name with its NUL, and whatever its length covers.
    pub name: Strings,
    /// The binaries; `None` where the file ends before.
    pub binaries: Option<Array<Record<Binary>>>,
    /// The programs; `None` where the file ends before.
    pub programs: Option<Array<Record<Box<Program>>>>,
    /// Bytes behind the last array.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Opaque::is_empty"))]
    pub trailing: Opaque,
}

impl Default for Sharcfb {
    /// An archive of version 8 that ends behind its header.
    fn default() -> Self {
        Self {
            endian: Endian::default(),
            version: raw::VERSION,
            endian_word: None,
            file_size: None,
            resolved: 0,
            name: Strings::default(),
            binaries: None,
            programs: None,
            trailing: Opaque::default(),
        }
    }
}

/// A program: what the binaries of its variations have in common.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Program {
    /// The name with its NUL, and whatever its length covers.
    pub name: Strings,
    /// 0x08. Bits: 1 vertex, 2 pixel, 4 geometry.
    pub stages: u32,
    /// 0x0C. Number of its first binary; 0xFFFFFFFF: it has none.
    pub base: u32,
    /// The macros with all their values.
    pub macros: Array<Record<Macro>>,
    /// The same macros with one value each.
    pub defaults: Array<Record<Macro>>,
    /// The uniforms.
    pub uniforms: Array<Record<Symbol>>,
    /// The section behind the uniforms, from version 9 on.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub extra: Option<Extra>,
    /// The uniform blocks.
    pub blocks: Array<Record<Symbol>>,
    /// The samplers.
    pub samplers: Array<Record<Symbol>>,
    /// The attributes.
    pub attributes: Array<Record<Symbol>>,
    /// Bytes behind the last array.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Opaque::is_empty"))]
    pub tail: Opaque,
}

/// The section that programs have from version 9 on. What it is for is not known; programs of the Switch have an array of
/// blocks in this place.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Extra {
    /// It is an array of blocks, to its last byte.
    Blocks(Array<Record<Block>>),
    /// It is not.
    Bytes {
        /// The size, where it is not that of the section.
        #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
        size: Option<u32>,
        /// Its bytes behind the size.
        bytes: Opaque,
    },
}

impl Default for Extra {
    /// No blocks.
    fn default() -> Self {
        Self::Blocks(Array::default())
    }
}

impl Extra {
    /// What is in a section.
    pub fn of(section: SectionView<'_>, endian: Endian) -> Self {
        let array = || {
            let count = raw::word(section.contents, 0, endian)?;
            let contents = section.contents.get(4..)?;
            let array = ArrayView { size: section.size, count, contents, endian };
            (section.is_whole() && blocks_add_up(&array)).then(|| blocks(array))
        };
        array().map_or_else(
            || Self::Bytes {
                size: Some(section.size).filter(|_| !section.is_whole()),
                bytes: Opaque(section.contents.to_vec()),
            },
            Self::Blocks,
        )
    }
}

impl Sharcfb {
    /// Whether programs have a section behind their uniforms.
    pub fn has_extra(&self) -> bool {
        self.version >= raw::EXTRA_VERSION
    }

    /// The binaries in order, those that were not understood as `None`.
    pub fn binaries(&self) -> impl Iterator<Item = Option<&Binary>> {
        self.binaries.iter().flat_map(|array| &array.items).map(Record::known)
    }

    /// The programs that were understood, each with its number.
    pub fn programs(&self) -> impl Iterator<Item = (usize, &Program)> {
        let items = self.programs.iter().flat_map(|array| &array.items).enumerate();
        items.filter_map(|(number, record)| Some((number, record.known()?.as_ref())))
    }

    /// How structures are stored here.
    pub fn form(&self) -> Form {
        Form::sharcfb(self.endian)
    }

    /// The word that says the byte order.
    pub fn endian_word(&self) -> u32 {
        self.endian_word.unwrap_or(match self.endian {
            Endian::Little => 1,
            Endian::Big => 0,
        })
    }
}

impl Program {
    /// The symbols of a kind.
    pub fn symbols(&self, kind: SymbolKind) -> &Array<Record<Symbol>> {
        match kind {
            SymbolKind::Uniforms => &self.uniforms,
            SymbolKind::Blocks => &self.blocks,
            SymbolKind::Samplers => &self.samplers,
            SymbolKind::Attributes => &self.attributes,
        }
    }

    /// Whether it has a shader of that kind.
    pub fn has(&self, kind: ShaderKind) -> bool {
        stage_bit(kind).is_some_and(|bit| self.stages & bit != 0)
    }

    /// Binaries of one variation.
    pub fn binaries_per_variation(&self) -> u32 {
        if self.stages & 4 != 0 { 3 } else { 2 }
    }

    /// Binaries of all variations; `None` where nobody knows how many variations there are.
    pub fn binaries(&self) -> Option<u64> {
        Some(self.variation_count()?.saturating_mul(self.binaries_per_variation().into()))
    }

    /// The macros with their values and defaults, to find variations by; those that were not understood are not
    /// among them.
    pub fn macro_list(&self) -> MacroList<'_> {
        MacroList::of(&self.macros, &self.defaults)
    }

    /// How many variations it has; `None` where a macro was not understood, or that does not fit.
    pub fn variation_count(&self) -> Option<u64> {
        self.macros.variation_count()
    }
}
