//! The records of what programs are chosen by and fed with: options, attributes, samplers, blocks, variables.

use crate::formats::bnsh::raw::reserved;
use crate::shared::fields::{Fields, Pointer, Visitor};
use unshade_bytes::Result;

/// An option with its choices. It has 0x28 bytes.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct OptionRecord {
    /// 00: its name.
    pub name: Pointer,
    /// 08: names of the choices.
    pub choices: Pointer,
    /// 10: a number for each choice.
    pub values: Pointer,
    /// 18: how many choices.
    pub choice_count: u16,
    /// 19: the choice that is taken where none is given.
    pub default_choice: u16,
    /// 1A: place of the value in the block of options, and 1; 0: none.
    pub branch_offset: u16,
    /// 1C: bit 0 static, bit 1 branch (as the seed of the format says; files of the Wii U set bit 1 on static).
    pub flags: u8,
    /// 1D: words of the key in front of those of its group.
    pub key_offset: u8,
    /// 1E: word of the key that holds its choice.
    pub word: u8,
    /// 1F: lowest bit of its choice in that word.
    pub shift: u8,
    /// 20: bits of its choice in that word.
    pub mask: u32,
    /// Not used.
    pub reserved: [u8; 4],
}

impl OptionRecord {
    pub(in crate::formats::bfsha) fn visit(&mut self, v: &mut dyn Visitor) -> Result<()> {
        v.text("name", &mut self.name)?;
        v.object("choices", &mut self.choices)?;
        v.object("values", &mut self.values)?;
        if v.form().major >= 9 {
            v.u16("choice_count", &mut self.choice_count)?;
            v.u16("default_choice", &mut self.default_choice)?;
            v.u16("branch_offset", &mut self.branch_offset)?;
            v.bits8("flags", &mut self.flags)?;
            v.u8("key_offset", &mut self.key_offset)?;
            v.bits32("mask", &mut self.mask)?;
            v.u8("word", &mut self.word)?;
            v.u8("shift", &mut self.shift)?;
            let [a, b, ..] = &mut self.reserved;
            let mut two = [*a, *b];
            reserved(v, "reserved", &mut two)?;
            [*a, *b] = two;
            return Ok(());
        }
        byte(v, "choice_count", &mut self.choice_count)?;
        byte(v, "default_choice", &mut self.default_choice)?;
        v.u16("branch_offset", &mut self.branch_offset)?;
        v.bits8("flags", &mut self.flags)?;
        v.u8("key_offset", &mut self.key_offset)?;
        v.u8("word", &mut self.word)?;
        v.u8("shift", &mut self.shift)?;
        v.bits32("mask", &mut self.mask)?;
        reserved(v, "reserved", &mut self.reserved)
    }
}

/// A number that older versions keep in a byte; one that does not fit is cut to 255.
fn byte(v: &mut dyn Visitor, name: &'static str, value: &mut u16) -> Result<()> {
    let mut small = u8::try_from(*value).unwrap_or(u8::MAX);
    v.u8(name, &mut small)?;
    *value = small.into();
    Ok(())
}

/// A vertex attribute. It has 2 bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Attribute {
    /// 00: its index.
    pub index: u8,
    /// 01: its location in the vertex program.
    pub location: i8,
}

/// A sampler, or an image, whose record is taken to be the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Sampler {
    /// 00: another name of it.
    pub annotation: Pointer,
    /// 08: its index.
    pub index: u8,
    /// 09: not used.
    pub reserved: [u8; 7],
}

impl Sampler {
    pub(in crate::formats::bfsha) fn visit(&mut self, v: &mut dyn Visitor) -> Result<()> {
        v.text("annotation", &mut self.annotation)?;
        v.u8("index", &mut self.index)?;
        reserved(v, "reserved", &mut self.reserved)
    }
}

/// A uniform or storage block. It has 0x20 bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Block {
    /// 00: its variables.
    pub variables: Pointer,
    /// 08: their names.
    pub dictionary: Pointer,
    /// 10: default values, of the material's block.
    pub defaults: Pointer,
    /// 18: its index.
    pub index: u8,
    /// 19: 0 none, 1 material, 2 shape, 3 skeleton, 4 options.
    pub kind: u8,
    /// 1A: its size in bytes.
    pub size: u16,
    /// 1C: how many variables.
    pub count: u16,
    /// 1E: not used.
    pub reserved: [u8; 2],
}

impl Block {
    pub(in crate::formats::bfsha) fn visit(&mut self, v: &mut dyn Visitor) -> Result<()> {
        v.object("variables", &mut self.variables)?;
        v.object("variable_names", &mut self.dictionary)?;
        v.object("defaults", &mut self.defaults)?;
        v.u8("index", &mut self.index)?;
        v.u8("kind", &mut self.kind)?;
        v.u16("size", &mut self.size)?;
        v.u16("count", &mut self.count)?;
        reserved(v, "reserved", &mut self.reserved)
    }
}

/// A variable of a block. It has 0x10 bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Variable {
    /// 00: name of what converts it.
    pub converter: Pointer,
    /// 08: its index.
    pub index: i32,
    /// 0C: its place in the block, and 1; 0: none.
    pub offset_plus_1: u16,
    /// 0E: index of its block.
    pub block: u8,
    /// 0F: not used.
    pub reserved: [u8; 1],
}

impl Variable {
    pub(in crate::formats::bfsha) fn visit(&mut self, v: &mut dyn Visitor) -> Result<()> {
        v.text("converter", &mut self.converter)?;
        v.i32("index", &mut self.index)?;
        v.u16("offset_plus_1", &mut self.offset_plus_1)?;
        v.u8("block", &mut self.block)?;
        reserved(v, "reserved", &mut self.reserved)
    }
}
