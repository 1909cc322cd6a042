//! What an archive holds: records with their data as it is. GX2 structures are looked at when they are asked for.

use super::archive::{shader_kind, stage_bit};
use super::raw;
use super::variation::{MacroList, MacroValues};
use crate::{
    Opaque, Strings,
    gx2::{Form, Shader, ShaderKind},
};
use unshade_bytes::Endian;

/// An archive of version 8.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Sharcfb {
    /// Byte order of the numbers, which the magic number shows.
    pub endian: Endian,
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

/// A shader binary.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Binary {
    /// 0x04. 0 vertex, 1 pixel, 2 geometry.
    pub kind: u32,
    /// Bytes between the head of the record and its data.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Opaque::is_empty"))]
    pub gap: Opaque,
    /// The GX2 structure with its tables, names, padding and code.
    pub data: Opaque,
    /// Bytes behind the data.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Opaque::is_empty"))]
    pub tail: Opaque,
    /// The code does not lie at a multiple of 0x100 of the file, and stays where it is. Otherwise it is brought
    /// to one when something in front of it changes its length.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "is_false"))]
    pub code_unaligned: bool,
    /// The same of a copy program.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "is_false"))]
    pub copy_unaligned: bool,
}

#[cfg(feature = "serde")]
#[expect(clippy::trivially_copy_pass_by_ref, reason = "the shape that serde asks for")]
fn is_false(value: &bool) -> bool {
    !value
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

impl Sharcfb {
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

impl Binary {
    /// Which structure it holds; `None` for an unknown type.
    pub fn shader_kind(&self) -> Option<ShaderKind> {
        shader_kind(self.kind)
    }

    /// Its structure; `None` for an unknown type and where it is cut.
    pub fn shader(&self, form: Form) -> Option<Shader<'_>> {
        Shader::new(self.shader_kind()?, form, &self.data)
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

    /// The macros with their values and defaults, to find variations by; those that were not understood are not
    /// among them.
    pub fn macro_list(&self) -> MacroList<'_> {
        let defaults: Vec<&Macro> = self.defaults.items.iter().filter_map(Record::known).collect();
        let macros = self.macros.items.iter().filter_map(Record::known).enumerate().map(|(index, of)| {
            let named = |other: &&&Macro| other.name() == of.name();
            let default = defaults.get(index).filter(named).or_else(|| defaults.iter().find(named));
            MacroValues {
                name: of.name(),
                id: raw::text(&of.id.0),
                values: of.values().collect(),
                default: default.and_then(|other| other.values().next()),
            }
        });
        MacroList { macros: macros.collect() }
    }

    /// How many variations it has; `None` where a macro was not understood, or that does not fit.
    pub fn variation_count(&self) -> Option<u64> {
        self.macros
            .items
            .iter()
            .try_fold(1_u64, |product, record| product.checked_mul(record.known()?.stated_count().into()))
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
