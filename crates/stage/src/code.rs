//! Everything that a machine needs to decode and run a program.

use crate::Space;
use std::borrow::Cow;

/// The code of a stage. Several stages of one file may borrow the same words.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Code<'a> {
    /// The instruction words, as 32-bit words in file order, already in the machine's byte order.
    pub words: Cow<'a, [u32]>,
    /// Side table that the instructions index (PICA200: operand descriptors; others: empty).
    pub descriptors: Cow<'a, [u32]>,
    /// Offset of the first word in the whole file, in bytes.
    pub file_offset: u64,
    /// Where execution starts, as a word index.
    pub entry: u32,
    /// Word index behind the main procedure, where the file says so. It is not a stop.
    pub end: Option<u32>,
    /// Values that the loader puts into constant registers before the program runs, in file order; where
    /// two name the same register the last one wins.
    pub constants: Vec<Constant>,
    /// Names of places in the code.
    pub labels: Vec<CodeLabel>,
    /// Source line of each word, where the file keeps them (index = word).
    pub lines: Vec<SourceLine>,
    /// Why there are no words, where the file has some that cannot be got at: what they were packed with is not here.
    pub missing: Option<&'static str>,
}

impl Code<'_> {
    /// The same with words of its own.
    pub fn into_owned(self) -> Code<'static> {
        let Self { words, descriptors, file_offset, entry, end, constants, labels, lines, missing } = self;
        let (words, descriptors) = (words.into_owned().into(), descriptors.into_owned().into());
        Code { words, descriptors, file_offset, entry, end, constants, labels, lines, missing }
    }
}

/// A constant that the loader sets.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Constant {
    /// Register space: float, integer or bool uniforms.
    pub space: Space,
    /// Register number in that space.
    pub register: u32,
    /// What is loaded.
    pub value: ConstantValue,
}

/// Value of a constant register.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum ConstantValue {
    /// Four floats as the file holds them, widened to binary32 (exact for every machine float up to 32 bits).
    Float([f32; 4]),
    /// Four small integers x y z w.
    Int([u8; 4]),
    /// A truth value.
    Bool(bool),
}

/// A named place in the code.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct CodeLabel {
    /// The name, as text; bytes that are no UTF-8 are shown as U+FFFD.
    pub name: String,
    /// First word.
    pub word: u32,
    /// Length in words, where the file says so.
    pub words: Option<u32>,
}

/// Where a code word came from.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct SourceLine {
    /// Name of the source file.
    pub file: String,
    /// Line number, from 1.
    pub line: u32,
}
