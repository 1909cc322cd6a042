//! Where the parts of a file lie: notes that, together with the typed tables, give the file back.
//!
//! A [`Layout`] is either the name of a producer, whose order and padding are known, or an explicit list of
//! parts and fill. Offsets are not kept: they follow from the order and the sizes, so an edited table moves
//! what lies behind it and nothing else. Only parts that do not lie in the row (empty tables whose offset
//! points nowhere, tables that share bytes with others) keep the offset that their header has.

use super::raw::DVLE_HEADER;
use crate::shared::Opaque;
use std::{fmt, str::FromStr};

/// A table, string area or header that lies somewhere in the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Part {
    /// Whose part it is. Its offset counts from there.
    pub scope: Scope,
    /// Which part.
    pub section: Section,
}

/// The structures that have parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Scope {
    /// The DVLP of a linked binary.
    Program,
    /// A DVLE, by its place in the offset table.
    Executable(u32),
    /// The DVOJ itself.
    Object,
}

/// Kinds of parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Section {
    /// The header of a DVLE. (The other headers stand at the start of the file.)
    Header,
    /// Constant table.
    Constants,
    /// Label table.
    Labels,
    /// Output table.
    Outputs,
    /// Uniform table.
    Uniforms,
    /// Strings of labels and uniforms.
    Symbols,
    /// Code words.
    Code,
    /// Operand descriptors.
    Descriptors,
    /// Line table.
    Lines,
    /// Names of source files.
    FileNames,
    /// Relocation table.
    Relocations,
}

impl Section {
    /// The five tables of an executable in the order of the header fields.
    pub const TABLES: [Self; 5] =
        [Self::Constants, Self::Labels, Self::Outputs, Self::Uniforms, Self::Symbols];
    /// The parts of a DVLP in the order of the header fields.
    pub const PROGRAM: [Self; 4] = [Self::Code, Self::Descriptors, Self::Lines, Self::FileNames];
    /// The parts of a DVOJ in the order of the header fields.
    pub const OBJECT: [Self; 9] = [
        Self::Constants,
        Self::Labels,
        Self::Code,
        Self::Descriptors,
        Self::Lines,
        Self::Relocations,
        Self::Outputs,
        Self::Uniforms,
        Self::Symbols,
    ];

    /// The name in paths, empty for the header.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Header => "",
            Self::Constants => "constants",
            Self::Labels => "labels",
            Self::Outputs => "outputs",
            Self::Uniforms => "uniforms",
            Self::Symbols => "symbols",
            Self::Code => "code",
            Self::Descriptors => "descriptors",
            Self::Lines => "lines",
            Self::FileNames => "file_names",
            Self::Relocations => "relocations",
        }
    }

    /// Bytes of one entry, in the unit that the count field counts.
    pub const fn entry_size(self) -> u64 {
        match self {
            Self::Header => DVLE_HEADER,
            Self::Constants => 0x14,
            Self::Labels => 0x10,
            Self::Relocations => 12,
            Self::Outputs | Self::Uniforms | Self::Descriptors | Self::Lines => 8,
            Self::Code => 4,
            Self::Symbols | Self::FileNames => 1,
        }
    }
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Program => f.write_str("dvlp"),
            Self::Executable(index) => write!(f, "dvle[{index}]"),
            Self::Object => f.write_str("dvoj"),
        }
    }
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.section {
            Section::Header => self.scope.fmt(f),
            section => write!(f, "{}.{}", self.scope, section.name()),
        }
    }
}

impl FromStr for Part {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let (scope, section) = text.split_once('.').unwrap_or((text, ""));
        let (scope, sections): (_, &[Section]) = match scope {
            "dvlp" => (Scope::Program, &Section::PROGRAM),
            "dvoj" => (Scope::Object, &Section::OBJECT),
            _ => {
                let index = scope.strip_prefix("dvle[").and_then(|rest| rest.strip_suffix(']')).ok_or(())?;
                let scope = Scope::Executable(index.parse().map_err(|_| ())?);
                if section.is_empty() {
                    return Ok(Self { scope, section: Section::Header });
                }
                (scope, &Section::TABLES)
            }
        };
        let section = sections.iter().copied().find(|known| known.name() == section).ok_or(())?;
        Ok(Self { scope, section })
    }
}

/// Whose order and padding a file has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Producer {
    /// devkitPro's assembler: code, descriptors; per DVLE its header, constants, labels, outputs, uniforms,
    /// symbols; each DVLE padded to 4. The file-name offset is 0.
    #[default]
    Picasso,
    /// As picasso, without padding behind the last DVLE.
    Aemstro,
    /// The vendor's linker as public descriptions have it: as picasso, with line table and file names behind
    /// the descriptors.
    Official,
    /// DVLE headers right behind the DVLP header, then code, descriptors, and outputs, constants, uniforms,
    /// labels, symbols of each DVLE; no padding.
    Nihstro,
    /// A DVOJ whose parts follow the order of its header fields, each padded to 4.
    Object,
}

impl Producer {
    /// All of them, in the order in which a reader tries them.
    pub const ALL: [Self; 5] = [Self::Picasso, Self::Aemstro, Self::Official, Self::Nihstro, Self::Object];

    /// The name in JSON and manifests.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Picasso => "picasso",
            Self::Aemstro => "aemstro",
            Self::Official => "official",
            Self::Nihstro => "nihstro",
            Self::Object => "object",
        }
    }
}

/// Order and fill of the parts of a file. The headers at its start are not listed: they cannot move.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Layout {
    /// As a known producer lays a file out.
    Standard(Producer),
    /// Anything else.
    Explicit(Vec<Item>),
}

impl Default for Layout {
    fn default() -> Self {
        Self::Standard(Producer::Picasso)
    }
}

/// One step of a layout.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Item {
    /// The part comes next.
    Part(Part),
    /// Zero bytes up to the next multiple, counted from the start of the container.
    Align(u32),
    /// This many zero bytes.
    Zeros(u32),
    /// Bytes that belong to no part.
    Opaque(Opaque),
    /// The part is not in the row. Its header field holds this offset; its bytes, if it has any, lie over
    /// those of other parts.
    Loose(Part, u32),
}

impl fmt::Display for Item {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Part(part) => part.fmt(f),
            Self::Align(to) => write!(f, "align {to}"),
            Self::Zeros(count) => write!(f, "zeros {count}"),
            Self::Opaque(bytes) => write!(f, "opaque {}", bytes.to_hex()),
            Self::Loose(part, offset) => write!(f, "loose {part} {offset:#x}"),
        }
    }
}

impl FromStr for Item {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let (word, rest) = text.split_once(' ').unwrap_or((text, ""));
        Ok(match word {
            "align" => Self::Align(rest.parse().map_err(|_| ())?),
            "zeros" => Self::Zeros(rest.parse().map_err(|_| ())?),
            "opaque" => Self::Opaque(Opaque(crate::shared::opaque::from_hex(rest).ok_or(())?)),
            "loose" => {
                let (part, offset) = rest.split_once(' ').ok_or(())?;
                let digits = offset.strip_prefix("0x").ok_or(())?;
                Self::Loose(part.parse()?, u32::from_str_radix(digits, 16).map_err(|_| ())?)
            }
            _ => Self::Part(text.parse()?),
        })
    }
}

#[cfg(feature = "serde")]
mod json {
    use super::Item;
    use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

    impl Serialize for Item {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            serializer.collect_str(self)
        }
    }

    impl<'de> Deserialize<'de> for Item {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            let text = String::deserialize(deserializer)?;
            text.parse().map_err(|()| D::Error::custom(format!("`{text}` is no step of a layout")))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_text_both_ways() {
        for text in [
            "dvlp.code",
            "dvlp.file_names",
            "dvle[0]",
            "dvle[12].symbols",
            "dvoj.relocations",
            "align 4",
            "zeros 17",
            "opaque 00ff",
            "loose dvlp.file_names 0x0",
            "loose dvle[1] 0xffffffff",
        ] {
            assert_eq!(text.parse::<Item>().map(|item| item.to_string()), Ok(text.to_owned()));
        }
        for text in
            ["", "dvlp", "dvlp.symbols", "dvle[x]", "dvoj.file_names", "align", "opaque 0", "loose dvle[0]"]
        {
            assert_eq!(text.parse::<Item>(), Err(()), "{text}");
        }
    }
}
