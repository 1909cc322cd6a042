//! The pool of strings of a file, and its blocks.

use crate::shared::fields::{Fields, Form, Loader, Visitor};
use crate::shared::{Name, Opaque};
use std::collections::{BTreeMap, HashMap};
use unshade_bytes::{Error, ErrorKind, Result};

/// What every block of a Switch file starts with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct BlockHeader {
    /// What the block is: `grsc`, `_STR`.
    pub signature: [u8; 4],
    /// From this block to the next one in bytes; 0: the last.
    pub next: u32,
    /// Bytes of the block.
    pub size: u32,
    /// Not used.
    pub reserved: u32,
}

impl BlockHeader {
    /// Its length.
    pub const LEN: u64 = 16;

    /// Goes through its fields.
    ///
    /// # Errors
    /// What the visitor says.
    pub fn visit(&mut self, v: &mut dyn Visitor) -> Result<()> {
        v.magic("signature", &mut self.signature)?;
        v.u32("next_block", &mut self.next)?;
        v.u32("block_size", &mut self.size)?;
        v.u32("block_reserved", &mut self.reserved)
    }
}

/// The strings of a file. On the Switch a block with a count; on the Wii U only the strings, whose place and
/// size the header says.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct StringPool {
    /// Its block header (`_STR`), and the count of strings without the empty one; not on the Wii U.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub block: Option<(BlockHeader, u32)>,
    /// Each string starts at a multiple of this: 2 in files of the console's tools, 4 in those of
    /// ShaderLibrary and on the Wii U.
    pub alignment: u8,
    /// The strings in their order.
    pub texts: Vec<Name>,
    /// What follows on the strings up to the end of the pool, where it is not zeros up to a multiple of 8.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub rest: Option<Opaque>,
}

impl StringPool {
    /// Bytes before the first string.
    pub fn header_len(&self) -> u64 {
        if self.block.is_some() { BlockHeader::LEN.saturating_add(4) } else { 0 }
    }

    /// Reads the pool of a Switch file.
    ///
    /// # Errors
    /// Where the file ends in the block header.
    pub fn load(loader: &mut Loader<'_>) -> Result<Self> {
        let mut header = BlockHeader::default();
        let mut count = 0;
        header.visit(loader)?;
        loader.u32("count", &mut count)?;
        let left = loader.left().unwrap_or(0);
        let size = u64::from(header.size).saturating_sub(BlockHeader::LEN.saturating_add(4)).min(left);
        let bytes = loader.take("strings", size)?;
        let wanted = u64::from(count).saturating_add(1);
        let form = loader.form();
        let pools = [2_u8, 4].map(|alignment| {
            let (texts, used) = split(bytes, form, alignment, wanted);
            Self::with_rest(Some((header, count)), alignment, texts, bytes, used)
        });
        // Read with the smaller alignment, padding looks like empty strings; only one reading ends right.
        let [two, four] = pools;
        let right = |pool: &Self| pool.rest.is_none() && pool.texts.len() as u64 == wanted;
        Ok(if right(&four) && !right(&two) { four } else { two })
    }

    /// Reads a pool of `size` bytes of a Wii U file.
    ///
    /// # Errors
    /// Where the file ends before.
    pub fn load_bare(loader: &mut Loader<'_>, size: u64) -> Result<Self> {
        let bytes = loader.take("strings", size)?;
        let (texts, used) = split(bytes, loader.form(), 4, u64::MAX);
        Ok(Self::with_rest(None, 4, texts, bytes, used))
    }

    fn with_rest(
        block: Option<(BlockHeader, u32)>,
        alignment: u8,
        texts: Vec<Name>,
        bytes: &[u8],
        used: usize,
    ) -> Self {
        let mut pool = Self { block, alignment, texts, rest: None };
        let rest = bytes.get(used..).unwrap_or_default();
        if *rest != *pool.usual_rest(used) {
            pool.rest = Some(Opaque(rest.to_vec()));
        }
        pool
    }

    /// Zeros up to a multiple of 8 of a block; strings of the Wii U have none.
    fn usual_rest(&self, used: usize) -> Vec<u8> {
        if self.block.is_none() {
            return Vec::new();
        }
        let end = self.header_len().saturating_add(used as u64);
        let zeros = end.next_multiple_of(8).saturating_sub(end);
        vec![0; usize::try_from(zeros).unwrap_or(0)]
    }

    /// Goes through its fields, but for reading.
    ///
    /// # Errors
    /// What the visitor says.
    pub fn visit(&mut self, v: &mut dyn Visitor) -> Result<()> {
        let mut used = 0_usize;
        if let Some((header, count)) = &mut self.block {
            header.visit(v)?;
            v.u32("count", count)?;
        }
        let form = v.form();
        for (index, text) in self.texts.iter().enumerate() {
            let mut bytes = Opaque(entry(text, form, self.alignment, used));
            used = used.saturating_add(bytes.len());
            v.enter("texts", index as u64);
            let size = bytes.len() as u64;
            v.string("text", size, &mut bytes, text)?;
            v.leave();
        }
        let mut rest = self.rest.clone().unwrap_or_else(|| Opaque(self.usual_rest(used)));
        let size = rest.len() as u64;
        if size > 0 {
            v.padding("rest", size, &mut rest)?;
        }
        Ok(())
    }

    /// Brings along the size of the block and the way to the next one.
    pub fn rescale(&mut self, at: u64, map: &super::layout::Map) {
        if let Some((header, _)) = &mut self.block {
            header.size = u32::try_from(map.len(at, header.size.into())).unwrap_or(u32::MAX);
            if header.next != 0 {
                header.next = u32::try_from(map.size(at, header.next.into())).unwrap_or(u32::MAX);
            }
        }
    }

    /// Where pointers to the strings lead, for a pool at `at`: to the word of the length, on the Wii U to the
    /// first character.
    pub fn places(&self, at: u64, form: Form) -> impl Iterator<Item = u64> {
        let mut used = 0_usize;
        let start = at.saturating_add(self.header_len());
        let word = if form.relative { 4 } else { 0 };
        self.texts.iter().map(move |text| {
            let place = start.saturating_add(used as u64).saturating_add(word);
            used = used.saturating_add(entry_len(text, form, self.alignment, used));
            place
        })
    }

    /// Whether the strings stand in the order of their bytes, wherever the empty one and the one at `but` are.
    pub fn is_sorted(&self, but: Option<usize>) -> bool {
        let texts = self.texts.iter().enumerate();
        let others = texts.filter(|(index, text)| !text.is_empty() && but != Some(*index));
        others.is_sorted_by(|a, b| **a.1 < **b.1)
    }

    /// Adds strings where the order asks for them: in their places when all are sorted, else behind the last. The empty
    /// string is left where it is, and so is the one at `name`, the name of the file, which some writers put behind the
    /// others. Returns the indices of those that were there, and of those that were asked for.
    pub fn insert(&mut self, new: &[&[u8]], name: Option<usize>) -> (Vec<usize>, Vec<usize>) {
        let last_is_empty = self.texts.last().is_some_and(|last| last.is_empty()) && self.texts.len() > 1;
        let end = self.texts.len().saturating_sub(usize::from(last_is_empty));
        // The name of the file as the last string counts as one that is out of order.
        let name = name.filter(|name| name.saturating_add(1) == end);
        let texts = std::mem::take(&mut self.texts);
        let known: HashMap<&[u8], usize> =
            texts.iter().enumerate().rev().map(|(index, text)| (text.0.as_slice(), index)).collect();
        let order: Vec<(usize, &[u8])> = texts
            .iter()
            .enumerate()
            .filter(|(index, text)| !text.is_empty() && name != Some(*index))
            .map(|(index, text)| (index, text.0.as_slice()))
            .collect();
        let sorted = order.is_sorted_by(|a, b| a.1 < b.1);
        // In front of which string each comes in.
        let mut coming: BTreeMap<(usize, &[u8], usize), usize> = BTreeMap::new();
        for (asked, text) in new.iter().enumerate().filter(|(_, text)| !known.contains_key(**text)) {
            let behind = order.partition_point(|(_, known)| known < text);
            let place = order.get(behind).map_or(name.unwrap_or(end), |(index, _)| *index);
            let key = if sorted { (place, *text, 0) } else { (end, &[][..], asked) };
            coming.insert(key, asked);
        }
        let mut old = Vec::with_capacity(texts.len());
        let mut merged: Vec<Name> = Vec::with_capacity(texts.len().saturating_add(coming.len()));
        let mut rest = coming.into_iter().peekable();
        for (index, text) in texts.iter().enumerate() {
            while let Some((_, asked)) = rest.next_if(|((place, ..), _)| *place <= index) {
                merged.extend(new.get(asked).map(|text| Name(text.to_vec())));
            }
            old.push(merged.len());
            merged.push(text.clone());
        }
        merged.extend(rest.filter_map(|(_, asked)| new.get(asked).map(|text| Name(text.to_vec()))));
        if let Some((_, count)) = &mut self.block {
            let more = merged.len().saturating_sub(texts.len());
            *count = count.saturating_add(u32::try_from(more).unwrap_or(u32::MAX));
        }
        let places: HashMap<&[u8], usize> =
            merged.iter().enumerate().rev().map(|(index, text)| (text.0.as_slice(), index)).collect();
        let asked = new.iter().map(|text| places.get(text).copied().unwrap_or(0)).collect();
        self.texts = merged;
        (old, asked)
    }
}

/// Bytes of a string in the pool, `used` bytes behind its first.
fn entry_len(text: &[u8], form: Form, alignment: u8, used: usize) -> usize {
    let word = if form.relative { 4_usize } else { 2 };
    let end = used.saturating_add(word).saturating_add(text.len()).saturating_add(1);
    let end = end.checked_next_multiple_of(usize::from(alignment.max(1))).unwrap_or(end);
    end.saturating_sub(used)
}

fn entry(text: &[u8], form: Form, alignment: u8, used: usize) -> Vec<u8> {
    let len = entry_len(text, form, alignment, used);
    let mut bytes = Vec::with_capacity(len);
    match (form.relative, form.big_endian) {
        (true, true) => bytes.extend(u32::try_from(text.len()).unwrap_or(u32::MAX).to_be_bytes()),
        (true, false) => bytes.extend(u32::try_from(text.len()).unwrap_or(u32::MAX).to_le_bytes()),
        (false, true) => bytes.extend(u16::try_from(text.len()).unwrap_or(u16::MAX).to_be_bytes()),
        (false, false) => bytes.extend(u16::try_from(text.len()).unwrap_or(u16::MAX).to_le_bytes()),
    }
    bytes.extend_from_slice(text);
    bytes.resize(len, 0);
    bytes
}

/// The strings that stand in `bytes`, at most `wanted`, and how many bytes they take. A string without its
/// NUL or its zeros, and what follows on it, is none.
fn split(bytes: &[u8], form: Form, alignment: u8, wanted: u64) -> (Vec<Name>, usize) {
    let mut texts = Vec::new();
    let mut used = 0_usize;
    while (texts.len() as u64) < wanted {
        let Some(rest) = bytes.get(used..).filter(|rest| !rest.is_empty()) else { break };
        let word = if form.relative { rest.get(..4) } else { rest.get(..2) };
        let Some(word) = word else { break };
        let fold = |sum: usize, byte: &u8| sum << 8 | usize::from(*byte);
        let len = if form.big_endian { word.iter().fold(0, fold) } else { word.iter().rev().fold(0, fold) };
        let whole = word.len().checked_add(len).and_then(|end| rest.get(word.len()..end));
        let Some(text) = whole else { break };
        let len = entry_len(text, form, alignment, used);
        let tail = rest.get(word.len().saturating_add(text.len())..len);
        if !tail.is_some_and(|tail| tail.iter().all(|&byte| byte == 0)) {
            break;
        }
        texts.push(Name(text.to_vec()));
        used = used.saturating_add(len);
    }
    (texts, used)
}

/// Reads a string outside of the pool: its length, of 16 bits, or of 32 where pointers are relative; its characters, and
/// a NUL.
///
/// # Errors
/// Where it is cut, and where no NUL follows.
pub(crate) fn stray(form: Form, loader: &mut Loader<'_>) -> Result<Name> {
    let mut len = 0_u32;
    if form.relative {
        loader.u32("length", &mut len)?;
    } else {
        let mut short = 0;
        loader.u16("length", &mut short)?;
        len = short.into();
    }
    let end = loader.position().saturating_add(len.into());
    let text = loader.take("text", len.into())?.to_vec();
    if loader.take("text", 1)? != [0] {
        let found = "another byte";
        return Err(
            Error::new(ErrorKind::BadValue, end, "text", "NUL behind a string", found).code("nx.string")
        );
    }
    Ok(Name(text))
}
