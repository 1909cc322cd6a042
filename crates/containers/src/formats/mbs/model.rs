//! What an MBS file holds, as a tree of typed chunks. Nothing here is a copy of the input: sizes and counts
//! follow from what is here, and are kept only where a file says something else.

use crate::shared::{Name, Opaque};
use std::fmt;

/// A shader binary: the chunk `MBS1` with what stands in it, and what follows on it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Mbs {
    /// The size word, where it is not the size of what is here: the file was cut. Loaders refuse that.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub size: Option<u32>,
    /// The programs, in any order, and other chunks. Single-stage files of ARM's compiler hold one program;
    /// linked ones both.
    pub chunks: Vec<FileChunk>,
    /// Bytes at the end of `MBS1` that are no whole chunk.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Opaque::is_empty"))]
    pub stray: Opaque,
    /// Bytes behind `MBS1`.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Opaque::is_empty"))]
    pub trailing: Opaque,
}

/// Four characters that say what a chunk is. In JSON and manifests: text, as [`crate::shared::opaque::escape`] writes
/// it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Tag(pub [u8; 4]);

impl fmt::Display for Tag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&crate::shared::opaque::escape(&self.0))
    }
}

impl fmt::Debug for Tag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Tag({self})")
    }
}

/// A chunk that is kept without being understood: of an unknown kind, or damaged.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct RawChunk {
    /// What it says that it is.
    pub tag: Tag,
    /// Its contents.
    pub bytes: Opaque,
}

/// A chunk in `MBS1`.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum FileChunk {
    /// `CFRA` or `CVER`.
    Program(Program),
    /// Anything else.
    Other(RawChunk),
}

/// What a program is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum ProgramKind {
    /// `CVER`: vertices, on the geometry processor.
    Vertex,
    /// `CFRA`: fragments, on the pixel processor.
    Fragment,
}

/// A program: four bytes that name the processor, then chunks.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Program {
    /// What it is for.
    pub kind: ProgramKind,
    /// Processor: 2 Mali-200 GP2, 6 Mali-400 GP; 5 Mali-200 PP, 7 Mali-400 PP. The instructions are the same.
    pub core: u32,
    /// What it is made of, in file order.
    pub chunks: Vec<ProgramChunk>,
    /// Bytes at its end that are no whole chunk.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Opaque::is_empty"))]
    pub stray: Opaque,
}

/// A chunk in a program.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum ProgramChunk {
    /// `FSTA`, of fragment programs.
    Stack(Stack),
    /// `FDIS`, of fragment programs: `has_discard`, 1 when it can discard, else 0.
    #[doc(alias = "has_discard")]
    Discard(u32),
    /// `FBUU`, of fragment programs.
    Framebuffer(Framebuffer),
    /// `FINS`, of vertex programs.
    Instructions(Instructions),
    /// `SUNI`.
    Uniforms(Uniforms),
    /// `SATT`, of vertex programs.
    Attributes(Table),
    /// `SVAR`.
    Varyings(Table),
    /// `DBIN`.
    Code(Code),
    /// Anything else, and what is too short or too long for what it says it is.
    Other(RawChunk),
}

/// Stack of a fragment program, in vectors of four. 1 and 1 where it has none. Drivers put
/// `size << 16 | offset` into the frame register of the processor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Stack {
    /// 0x00.
    #[doc(alias = "size")]
    pub stack_size: u32,
    /// 0x04.
    #[doc(alias = "offset")]
    pub stack_offset: u32,
}

/// What a fragment program does with the framebuffer: a byte each, 0 or 1. All ordinary shaders: only
/// `writes_color`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Framebuffer {
    /// 0x00.
    pub reads_color: u8,
    /// 0x01.
    pub writes_color: u8,
    /// 0x02.
    pub reads_depth: u8,
    /// 0x03.
    pub writes_depth: u8,
    /// 0x04.
    pub reads_stencil: u8,
    /// 0x05.
    pub writes_stencil: u8,
    /// 0x06. Never seen other than 0.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Opaque::is_empty"))]
    pub unknown_06: Opaque,
}

impl Framebuffer {
    /// What the bytes with a known meaning are called, with their values.
    pub fn accesses(&self) -> [(&'static str, u8); 6] {
        [
            ("reads_color", self.reads_color),
            ("writes_color", self.writes_color),
            ("reads_depth", self.reads_depth),
            ("writes_depth", self.writes_depth),
            ("reads_stencil", self.reads_stencil),
            ("writes_stencil", self.writes_stencil),
        ]
    }
}

/// What a vertex program says of its instructions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Instructions {
    /// 0x00. 0 so far.
    pub unknown_00: u32,
    /// 0x04. How many there are; each has 16 bytes.
    #[doc(alias = "count")]
    pub instruction_count: u32,
    /// 0x08. Index of the last one that loads an attribute, plus 1; 0 if none does.
    #[doc(alias = "attribute_prefetch")]
    pub attrib_prefetch: u32,
}

/// Which variables a table holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum TableKind {
    /// `SUNI` with `VUNI`.
    Uniforms,
    /// `SATT` with `VATT`.
    Attributes,
    /// `SVAR` with `VVAR`.
    Varyings,
}

/// The uniforms of a program, with what the compiler put among them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Uniforms {
    /// Floats that all of them need; ARM's compiler rounds up to a multiple of 4.
    pub space: u32,
    /// The uniforms.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub table: Table,
}

/// A table of variables.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Table {
    /// The count, where it is not the number of entries.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub count: Option<u32>,
    /// In file order. ARM's compiler sorts neither by name nor by place; [`Symbol::parent`] counts here.
    pub entries: Vec<TableEntry>,
    /// Bytes at its end that are no whole chunk.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Opaque::is_empty"))]
    pub stray: Opaque,
}

/// A chunk in a table.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum TableEntry {
    /// `VUNI`, `VATT` or `VVAR`, as the table's kind asks.
    Symbol(Box<Symbol>),
    /// Anything else, and a symbol without a name or with a record that is cut.
    Other(RawChunk),
}

/// A variable: its name, a record of 20 bytes (of an attribute 16), then chunks.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Symbol {
    /// The name, up to its NUL.
    pub name: Name,
    /// The bytes behind the name in its chunk, where they are not NUL and zeros up to a multiple of 4.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub name_tail: Option<Opaque>,
    /// 0x00. 2 from ARM's compiler since r3p2, 0 from others. Its meaning is not known.
    pub unknown_0: u8,
    /// 0x01. 1 float, 2 int, 3 bool, 4 matrix, 5 sampler2D, 6 samplerCube, 8 struct, 9 samplerExternalOES.
    #[cfg_attr(feature = "serde", serde(rename = "type"))]
    #[doc(alias = "type")]
    pub kind: u8,
    /// 0x02. Components of a vector, columns of a matrix, members of a struct, coordinates of a sampler.
    #[doc(alias = "components")]
    pub component_count: u16,
    /// 0x04. Floats from one column of a matrix to the next; of others the room of one element.
    pub component_size: u16,
    /// 0x06. Length of an array; 0: no array.
    #[doc(alias = "entries")]
    pub entry_count: u16,
    /// 0x08. Floats from one element of an array to the next.
    #[doc(alias = "stride")]
    pub src_stride: u16,
    /// 0x0A. 16; 24 for a varying of a fragment program that goes right into a texture fetch. Perhaps the
    /// bits of a component on its way.
    #[doc(alias = "dst_stride")]
    pub dst_bits: u8,
    /// 0x0B. 1 lowp, 2 mediump, 3 highp.
    pub precision: u8,
    /// 0x0C. 1 where declared `invariant`, else 0. Of an attribute only 16 bits.
    pub invariant: u32,
    /// 0x10, of an attribute 0x0E. First float, from the start of the space or of the struct; `None`, in the
    /// file 0xFFFF: the program does not use it.
    pub offset: Option<u16>,
    /// 0x12. Index in the table of the struct that it is a member of; `None`, in the file 0xFFFF: of none.
    /// Attributes have no such field.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub parent: Option<u16>,
    /// What hangs on it, in file order.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Vec::is_empty"))]
    pub chunks: Vec<SymbolChunk>,
    /// Bytes at its end that are no whole chunk.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Opaque::is_empty"))]
    pub stray: Opaque,
}

/// A chunk behind the record of a symbol.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum SymbolChunk {
    /// `VIDX` with its three chunks.
    Index(Index),
    /// `VINI`.
    Initial(Initial),
    /// Anything else, and a `VIDX` of another make.
    Other(RawChunk),
}

/// Three numbers of a uniform, 0xFFFFFFFF where they say nothing. ARM's compiler writes nothing in all three
/// but 0 as `igrd` of a sampler; limasc writes 1 there for all. They may belong to images from outside and
/// to derivatives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Index {
    /// Chunk `ITDR`.
    pub itdr: u32,
    /// Chunk `IYUV`.
    pub iyuv: u32,
    /// Chunk `IGRD`.
    pub igrd: u32,
}

/// Value that a uniform starts with.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Initial {
    /// The count, where it is not the number of words.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub count: Option<u32>,
    /// Binary32 floats.
    pub words: Vec<u32>,
}

/// Machine code. Execution starts at its first instruction.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Code {
    /// GP: four words an instruction. PP: instructions of different lengths, of which the first word tells.
    pub words: Vec<u32>,
    /// Bytes behind the last whole word.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Opaque::is_empty"))]
    pub stray: Opaque,
}

impl ProgramKind {
    /// The tag of its chunk.
    pub fn tag(self) -> Tag {
        match self {
            Self::Vertex => Tag::VERTEX,
            Self::Fragment => Tag::FRAGMENT,
        }
    }
}

impl TableKind {
    /// The tag of the table.
    pub fn tag(self) -> Tag {
        match self {
            Self::Uniforms => Tag::UNIFORMS,
            Self::Attributes => Tag::ATTRIBUTES,
            Self::Varyings => Tag::VARYINGS,
        }
    }

    /// The tag of its symbols.
    pub fn symbol_tag(self) -> Tag {
        match self {
            Self::Uniforms => Tag::UNIFORM,
            Self::Attributes => Tag::ATTRIBUTE,
            Self::Varyings => Tag::VARYING,
        }
    }
}

impl Mbs {
    /// The programs in file order.
    pub fn programs(&self) -> impl Iterator<Item = &Program> {
        self.chunks.iter().filter_map(|chunk| match chunk {
            FileChunk::Program(program) => Some(program),
            FileChunk::Other(_) => None,
        })
    }

    /// The programs in file order, to be changed.
    pub fn programs_mut(&mut self) -> impl Iterator<Item = &mut Program> {
        self.chunks.iter_mut().filter_map(|chunk| match chunk {
            FileChunk::Program(program) => Some(program),
            FileChunk::Other(_) => None,
        })
    }

    /// The first program of a kind.
    pub fn program(&self, kind: ProgramKind) -> Option<&Program> {
        self.programs().find(|program| program.kind == kind)
    }
}

impl Program {
    /// Its code: the first `DBIN`.
    pub fn code(&self) -> Option<&Code> {
        self.chunks.iter().find_map(|chunk| match chunk {
            ProgramChunk::Code(code) => Some(code),
            _ => None,
        })
    }

    /// Its code, to be changed.
    pub fn code_mut(&mut self) -> Option<&mut Code> {
        self.chunks.iter_mut().find_map(|chunk| match chunk {
            ProgramChunk::Code(code) => Some(code),
            _ => None,
        })
    }

    /// Its first table of that kind.
    pub fn table(&self, kind: TableKind) -> Option<&Table> {
        self.chunks.iter().find_map(|chunk| chunk.table().filter(|(known, _)| *known == kind)).map(|(_, t)| t)
    }

    /// Its first table of that kind, to be changed.
    pub fn table_mut(&mut self, kind: TableKind) -> Option<&mut Table> {
        self.chunks.iter_mut().find_map(|chunk| match (chunk, kind) {
            (ProgramChunk::Uniforms(uniforms), TableKind::Uniforms) => Some(&mut uniforms.table),
            (ProgramChunk::Attributes(table), TableKind::Attributes)
            | (ProgramChunk::Varyings(table), TableKind::Varyings) => Some(table),
            _ => None,
        })
    }

    /// What it says of its instructions: the first `FINS`.
    pub fn instructions(&self) -> Option<&Instructions> {
        self.chunks.iter().find_map(|chunk| match chunk {
            ProgramChunk::Instructions(instructions) => Some(instructions),
            _ => None,
        })
    }

    /// Sets how far attributes are fetched, in every `FINS`: the index of the last instruction that loads
    /// one, plus 1. Only the instruction set can tell.
    pub fn set_attrib_prefetch(&mut self, attrib_prefetch: u32) {
        for chunk in &mut self.chunks {
            if let ProgramChunk::Instructions(instructions) = chunk {
                instructions.attrib_prefetch = attrib_prefetch;
            }
        }
    }

    /// Sets whether the program can discard, in every `FDIS`. Only the instruction set can tell.
    pub fn set_discards(&mut self, discards: bool) {
        for chunk in &mut self.chunks {
            if let ProgramChunk::Discard(word) = chunk {
                *word = discards.into();
            }
        }
    }

    /// Gives it other code, in its first `DBIN`, and each `FINS` the number of instructions that this makes.
    /// Returns whether there is a `DBIN`.
    pub fn set_code(&mut self, words: Vec<u32>) -> bool {
        let count = u32::try_from(words.len() / 4).unwrap_or(u32::MAX);
        let Some(code) = self.code_mut() else { return false };
        *code = Code { words, stray: Opaque::default() };
        for chunk in &mut self.chunks {
            if let ProgramChunk::Instructions(instructions) = chunk {
                instructions.instruction_count = count;
            }
        }
        true
    }
}

impl ProgramChunk {
    /// The table that it is, if it is one.
    pub fn table(&self) -> Option<(TableKind, &Table)> {
        match self {
            Self::Uniforms(uniforms) => Some((TableKind::Uniforms, &uniforms.table)),
            Self::Attributes(table) => Some((TableKind::Attributes, table)),
            Self::Varyings(table) => Some((TableKind::Varyings, table)),
            _ => None,
        }
    }
}

impl Table {
    /// The symbol at an index, if one stands there.
    pub fn symbol(&self, index: usize) -> Option<&Symbol> {
        match self.entries.get(index)? {
            TableEntry::Symbol(symbol) => Some(symbol),
            TableEntry::Other(_) => None,
        }
    }

    /// The symbols with their indices.
    pub fn symbols(&self) -> impl Iterator<Item = (usize, &Symbol)> {
        self.entries.iter().enumerate().filter_map(|(index, entry)| match entry {
            TableEntry::Symbol(symbol) => Some((index, symbol.as_ref())),
            TableEntry::Other(_) => None,
        })
    }

    /// The symbols with their indices, to be changed.
    pub fn symbols_mut(&mut self) -> impl Iterator<Item = (usize, &mut Symbol)> {
        self.entries.iter_mut().enumerate().filter_map(|(index, entry)| match entry {
            TableEntry::Symbol(symbol) => Some((index, symbol.as_mut())),
            TableEntry::Other(_) => None,
        })
    }
}

impl Symbol {
    /// The value that it starts with: the first `VINI`.
    pub fn initial(&self) -> Option<&Initial> {
        self.chunks.iter().find_map(|chunk| match chunk {
            SymbolChunk::Initial(initial) => Some(initial),
            _ => None,
        })
    }
}

#[cfg(feature = "serde")]
mod json {
    use super::Tag;
    use crate::shared::opaque::unescape;
    use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

    impl Serialize for Tag {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            serializer.collect_str(self)
        }
    }

    impl<'de> Deserialize<'de> for Tag {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            let text = String::deserialize(deserializer)?;
            let bytes = unescape(&text).and_then(|bytes| bytes.try_into().ok());
            bytes.map(Self).ok_or_else(|| D::Error::custom("expected four characters"))
        }
    }
}
