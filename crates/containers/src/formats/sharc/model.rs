//! What an archive of sources holds: programs with their tables, and texts.

use super::raw::{self, Rules};
pub use crate::formats::agl::model::{Array, Block, Macro, Record, Symbol, SymbolKind, Uniform};
use crate::formats::agl::{raw::text, variation::MacroList};
use crate::shared::{Name, Opaque, Strings};
use unshade_bytes::Endian;

/// An archive of version 10 to 13.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Sharc {
    /// Byte order of the numbers, which the magic number shows.
    pub endian: Endian,
    /// 0x04. 10 to 13; another one where all sizes add up by the rules of the nearest of these.
    pub version: u32,
    /// Programs of version 10 have no array of uniform blocks. Known readers disagree; the sizes decide.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "is_false"))]
    pub without_blocks: bool,
    /// 0x0C, where it is not what belongs to the byte order.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub endian_word: Option<u32>,
    /// 0x08, where it is not the size of the file.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub file_size: Option<u32>,
    /// The name with its NUL, and whatever its length covers.
    pub name: Strings,
    /// The programs; `None` where the file ends before.
    pub programs: Option<Array<Record<Box<Program>>>>,
    /// The sources; `None` where the file ends before.
    pub sources: Option<Array<Record<Source>>>,
    /// From version 13 on; `None` where the file ends before.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub info: Option<Array<Record<Info>>>,
    /// Bytes behind the last array.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Opaque::is_empty"))]
    pub trailing: Opaque,
}

#[cfg(feature = "serde")]
#[expect(clippy::trivially_copy_pass_by_ref, reason = "the shape that serde asks for")]
fn is_false(value: &bool) -> bool {
    !value
}

impl Default for Sharc {
    /// An archive of version 11 that ends behind its header.
    fn default() -> Self {
        Self {
            endian: Endian::default(),
            version: 11,
            without_blocks: false,
            endian_word: None,
            file_size: None,
            name: Strings::default(),
            programs: None,
            sources: None,
            info: None,
            trailing: Opaque::default(),
        }
    }
}

/// A program: which sources its stages are compiled from, with which macros.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Program {
    /// The name with its NUL, and whatever its length covers.
    pub name: Strings,
    /// A word for each stage, see [`SourceIndex`].
    pub sources: Vec<u32>,
    /// The macros that each stage is compiled with.
    pub stage_macros: Vec<Array<Record<StageMacro>>>,
    /// The macros with all their values, which make its variations.
    pub macros: Array<Record<Macro>>,
    /// The same macros with one value each; from version 11 on.
    pub defaults: Array<Record<Macro>>,
    /// The uniforms; before version 13, as the next three.
    pub uniforms: Array<Record<Symbol>>,
    /// The uniform blocks.
    pub block_symbols: Array<Record<Symbol>>,
    /// The samplers.
    pub samplers: Array<Record<Symbol>>,
    /// The attributes.
    pub attributes: Array<Record<Symbol>>,
    /// Blocks with their uniforms; from version 13 on.
    pub blocks: Array<Record<Block>>,
    /// Bytes behind the last array.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Opaque::is_empty"))]
    pub tail: Opaque,
}

/// A macro that a stage is compiled with.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct StageMacro {
    /// The name with its NUL, and whatever its length covers.
    pub name: Strings,
    /// The value with its NUL.
    pub value: Strings,
    /// Bytes behind the value.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Opaque::is_empty"))]
    pub tail: Opaque,
}

/// A source text.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Source {
    /// The name with its NUL, and whatever its length covers.
    pub name: Strings,
    /// The text with its NUL. Comments are Shift-JIS in what the vendor's tools wrote.
    pub text: Strings,
    /// 0x0C, where it is not the length of the text: how long the text gets once others are included. Nothing reads it.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub raw_len: Option<u32>,
    /// Bytes behind the text.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Opaque::is_empty"))]
    pub tail: Opaque,
}

/// Three words of unknown meaning, from version 13 on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Info(pub [u32; 3]);

/// A stage of a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Stage {
    /// Vertices.
    Vertex,
    /// Pixels.
    Pixel,
    /// Primitives.
    Geometry,
    /// Compute, from version 13 on.
    Compute,
}

impl Stage {
    /// All of them, in the order of the file.
    pub const ALL: [Self; 4] = [Self::Vertex, Self::Pixel, Self::Geometry, Self::Compute];

    /// Its name: `vertex`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Vertex => "vertex",
            Self::Pixel => "pixel",
            Self::Geometry => "geometry",
            Self::Compute => "compute",
        }
    }
}

/// The word that says which source a stage has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SourceIndex {
    /// The number of the source; `None`: the stage has none.
    pub index: Option<u32>,
    /// The upper half of the word from version 13 on, of unknown meaning.
    pub high: u16,
}

impl SourceIndex {
    /// What a word says. Before version 13 all of it is the number, and -1 is none; since then the low half, and 0xFFFF.
    pub fn of(word: u32, rules: Rules) -> Self {
        match rules.halves {
            true => {
                let [low, high] = [word & 0xffff, word >> 16];
                let index = Some(low).filter(|&low| low != 0xffff);
                Self { index, high: u16::try_from(high).unwrap_or(0) }
            }
            false => Self { index: Some(word).filter(|&word| word != u32::MAX), high: 0 },
        }
    }

    /// The word that says it; `None` where the number has no room.
    pub fn word(self, rules: Rules) -> Option<u32> {
        match (rules.halves, self.index) {
            (true, index) => {
                let low = index.unwrap_or(0xffff);
                let fits = index.is_none_or(|index| index < 0xffff);
                fits.then_some(low | u32::from(self.high) << 16)
            }
            (false, None) => Some(u32::MAX),
            (false, Some(index)) => Some(index).filter(|&index| index != u32::MAX),
        }
    }
}

impl Sharc {
    /// What its programs have.
    pub fn rules(&self) -> Rules {
        Rules::of(self.version, self.without_blocks)
    }

    /// The programs that were understood, each with its number.
    pub fn programs(&self) -> impl Iterator<Item = (usize, &Program)> {
        let items = self.programs.iter().flat_map(|array| &array.items).enumerate();
        items.filter_map(|(number, record)| Some((number, record.known()?.as_ref())))
    }

    /// The sources that were understood, each with its number.
    pub fn sources(&self) -> impl Iterator<Item = (usize, &Source)> {
        let items = self.sources.iter().flat_map(|array| &array.items).enumerate();
        items.filter_map(|(number, record)| Some((number, record.known()?)))
    }

    /// The source of that number.
    pub fn source(&self, number: u32) -> Option<&Source> {
        self.sources.as_ref()?.items.get(number as usize)?.known()
    }

    /// The number of the source that a stage of a program has, which may be that of none.
    pub fn source_number(&self, program: &Program, stage: Stage) -> Option<u32> {
        SourceIndex::of(*program.sources.get(stage as usize)?, self.rules()).index
    }

    /// The source that a stage of a program has.
    pub fn source_of(&self, program: &Program, stage: Stage) -> Option<&Source> {
        self.source(self.source_number(program, stage)?)
    }

    /// The word that says the byte order.
    pub fn endian_word(&self) -> u32 {
        self.endian_word.unwrap_or(match self.endian {
            Endian::Little => 1,
            Endian::Big => 0,
        })
    }

    /// Offset of the array of programs.
    pub(super) fn programs_at(&self) -> u64 {
        (raw::HEADER as u64).saturating_add(self.name.0.len() as u64)
    }
}

impl Program {
    /// Its name for people.
    pub fn text(&self) -> String {
        Name(text(&self.name.0).to_vec()).text()
    }

    /// The symbols of a kind.
    pub fn symbols(&self, kind: SymbolKind) -> &Array<Record<Symbol>> {
        match kind {
            SymbolKind::Uniforms => &self.uniforms,
            SymbolKind::Blocks => &self.block_symbols,
            SymbolKind::Samplers => &self.samplers,
            SymbolKind::Attributes => &self.attributes,
        }
    }

    /// The symbols of a kind, to be changed.
    pub(super) fn symbols_mut(&mut self, kind: SymbolKind) -> &mut Array<Record<Symbol>> {
        match kind {
            SymbolKind::Uniforms => &mut self.uniforms,
            SymbolKind::Blocks => &mut self.block_symbols,
            SymbolKind::Samplers => &mut self.samplers,
            SymbolKind::Attributes => &mut self.attributes,
        }
    }

    /// The macros with their values and defaults, to find variations by.
    pub fn macro_list(&self) -> MacroList<'_> {
        MacroList::of(&self.macros, &self.defaults)
    }

    /// How many variations it has; `None` where a macro was not understood, or that does not fit.
    pub fn variation_count(&self) -> Option<u64> {
        self.macros.variation_count()
    }
}

impl Source {
    /// Its name for people.
    pub fn title(&self) -> String {
        Name(text(&self.name.0).to_vec()).text()
    }

    /// The text up to its NUL, as it is stored.
    pub fn bytes(&self) -> &[u8] {
        text(&self.text.0)
    }

    /// The length that the file states beside that of the text.
    pub(super) fn raw_len(&self) -> u32 {
        self.raw_len.unwrap_or_else(|| u32::try_from(self.text.0.len()).unwrap_or(u32::MAX))
    }
}

/// The symbol arrays that programs have by these rules.
pub(super) fn symbol_kinds(rules: Rules) -> impl Iterator<Item = SymbolKind> {
    SymbolKind::ALL.into_iter().filter(move |kind| match kind {
        SymbolKind::Blocks => rules.block_symbols,
        _ => rules.symbols,
    })
}
