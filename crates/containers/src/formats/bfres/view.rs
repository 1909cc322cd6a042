//! Fields, names and dictionaries of a BFRES by their places, in either family's words.
//!
//! Only what is asked for is looked at, and every look is charged: however many records lead to one long table,
//! reading costs no more than a few times the bytes of the file.

use std::cell::RefCell;
use unshade_bytes::{Budget, Endian, Error, ErrorKind, Result};

/// How the files of a console point at things.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Pointers {
    /// 64 bits from the start of the file; strings have their length in front (Switch).
    Absolute,
    /// 32 bits with a sign, from where they stand; strings end with NUL (Wii U).
    Relative,
}

/// A file with the rules of its family.
#[derive(Debug)]
pub(super) struct View<'a> {
    pub file: &'a [u8],
    pub endian: Endian,
    pub pointers: Pointers,
    budget: RefCell<Budget>,
}

/// An entry of a dictionary.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Entry {
    /// Its name; `None` for one whose name stands in another file.
    pub key: Option<String>,
    /// What it leads to, where its family says that in the dictionary.
    pub value: u64,
}

impl<'a> View<'a> {
    pub fn new(file: &'a [u8], endian: Endian, pointers: Pointers) -> Self {
        let work = (file.len() as u64).saturating_mul(8).saturating_add(1 << 20);
        Self { file, endian, pointers, budget: RefCell::new(Budget::new(work)) }
    }

    pub fn take(&self, at: u64, len: u64, what: &'static str) -> Result<&'a [u8]> {
        self.budget
            .borrow_mut()
            .charge(len.saturating_add(1), at, what)
            .map_err(|error| error.code("bfres.work"))?;
        let end = at.checked_add(len).and_then(|end| usize::try_from(end).ok());
        let start = usize::try_from(at).unwrap_or(usize::MAX);
        end.and_then(|end| self.file.get(start..end)).ok_or_else(|| {
            let expected = format!("{len} bytes");
            let found = format!("the end at {:#x}", self.file.len());
            Error::new(ErrorKind::Truncated, at, what, expected, found).code("bfres.truncated")
        })
    }

    fn number(&self, at: u64, len: u64, what: &'static str) -> Result<u64> {
        let bytes = self.take(at, len, what)?.iter();
        let join = |number: u64, byte: &u8| number << 8 | u64::from(*byte);
        Ok(match self.endian {
            Endian::Big => bytes.fold(0, join),
            Endian::Little => bytes.rev().fold(0, join),
        })
    }

    pub fn u8(&self, at: u64, what: &'static str) -> Result<u8> {
        Ok(self.number(at, 1, what)? as u8)
    }

    pub fn u16(&self, at: u64, what: &'static str) -> Result<u16> {
        Ok(self.number(at, 2, what)? as u16)
    }

    pub fn u32(&self, at: u64, what: &'static str) -> Result<u32> {
        Ok(self.number(at, 4, what)? as u32)
    }

    /// Where the pointer at a place leads to; 0: nowhere.
    pub fn pointer(&self, at: u64, what: &'static str) -> Result<u64> {
        match self.pointers {
            Pointers::Absolute => self.number(at, 8, what),
            Pointers::Relative => {
                let away = (self.number(at, 4, what)? as u32).cast_signed();
                let place = at.checked_add_signed(away.into());
                Ok(if away == 0 { 0 } else { place.unwrap_or(u64::MAX) })
            }
        }
    }

    /// Bytes of a pointer.
    pub fn pointer_len(&self) -> u64 {
        match self.pointers {
            Pointers::Absolute => 8,
            Pointers::Relative => 4,
        }
    }

    /// The string at a place; empty where there is none.
    pub fn text(&self, at: u64, what: &'static str) -> Result<String> {
        if at == 0 {
            return Ok(String::new());
        }
        let bytes = match self.pointers {
            Pointers::Absolute => {
                let len = self.u16(at, what)?;
                self.take(at.saturating_add(2), len.into(), what)?
            }
            Pointers::Relative => {
                let rest = usize::try_from(at).ok().and_then(|at| self.file.get(at..)).unwrap_or_default();
                let rest = rest.get(..0x1000).unwrap_or(rest);
                let end = rest.iter().position(|&byte| byte == 0).ok_or_else(|| {
                    let found = format!("{} bytes without one", rest.len());
                    Error::new(ErrorKind::Truncated, at, what, "a string that ends with NUL", found)
                        .code("bfres.string")
                })?;
                self.take(at, end as u64, what)?
            }
        };
        Ok(String::from_utf8_lossy(bytes).into_owned())
    }

    /// The string that the pointer at a place leads to.
    pub fn named(&self, at: u64, what: &'static str) -> Result<String> {
        self.text(self.pointer(at, what)?, what)
    }

    /// Strings that pointers in a row lead to.
    pub fn names(&self, at: u64, count: u64, what: &'static str) -> Result<Vec<String>> {
        if at == 0 {
            return Ok(Vec::new());
        }
        let place = |index: u64| at.saturating_add(index.saturating_mul(self.pointer_len()));
        (0..count).map(|index| self.named(place(index), what)).collect()
    }

    /// The entries of the dictionary at a place, in their order.
    pub fn dictionary(&self, at: u64, what: &'static str) -> Result<Vec<Entry>> {
        if at == 0 {
            return Ok(Vec::new());
        }
        let count = u64::from(self.u32(at.saturating_add(4), what)?);
        let first = at.saturating_add(8);
        // Every entry has 16 bytes, and the root stands in front of them.
        let nodes = count.saturating_add(1).saturating_mul(16);
        self.take(first, nodes, what)?;
        let mut entries = Vec::with_capacity(usize::try_from(count).unwrap_or(0));
        // Names that stand in another file are known by the root, which has no name here either.
        let absent = self.pointers == Pointers::Absolute && self.pointer(first.saturating_add(8), what)? == 0;
        for index in 1..=count {
            let node = first.saturating_add(index.saturating_mul(16));
            let key_at = node.saturating_add(8);
            let key = if absent { None } else { Some(self.named(key_at, what)?) };
            let value = match self.pointers {
                Pointers::Absolute => 0,
                Pointers::Relative => self.pointer(node.saturating_add(12), what)?,
            };
            entries.push(Entry { key, value });
        }
        Ok(entries)
    }
}
