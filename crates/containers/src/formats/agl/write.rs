//! The records that archives share as bytes, each size filled in when its end is known.

use super::model::{Array, Block, Macro, Record, Symbol, Uniform};
use super::raw;
use unshade_bytes::{Endian, Error, ErrorKind, Limits, Result, Under};

/// An archive as far as it is written.
pub(crate) struct Out {
    pub bytes: Vec<u8>,
    pub endian: Endian,
}

impl Out {
    pub(crate) fn position(&self) -> u32 {
        u32::try_from(self.bytes.len()).unwrap_or(u32::MAX)
    }

    pub(crate) fn len_of(&self, bytes: &[u8]) -> u32 {
        u32::try_from(bytes.len()).unwrap_or(u32::MAX)
    }

    pub(crate) fn word(&mut self, word: u32) {
        self.bytes.extend_from_slice(&raw::bytes(word, self.endian));
    }

    pub(crate) fn patch(&mut self, at: usize, word: u32) {
        if let Some(place) = self.bytes.get_mut(at..).and_then(|rest| rest.first_chunk_mut()) {
            *place = raw::bytes(word, self.endian);
        }
    }

    /// A file within the limit has sizes that fit their fields.
    pub(crate) fn limit(&self) -> Result<()> {
        let limit = Limits::DEFAULT.bytes;
        if self.bytes.len() as u64 <= limit {
            return Ok(());
        }
        let expected = format!("a file of at most {limit} bytes");
        let found = format!("{} bytes", self.bytes.len());
        Err(Error::new(ErrorKind::LimitExceeded, 0, "", expected, found).code("agl.too-long"))
    }

    /// Starts a record or an array and returns where its size goes.
    pub(crate) fn open(&mut self) -> usize {
        let at = self.bytes.len();
        self.word(0);
        at
    }

    /// Ends what starts at `at`.
    pub(crate) fn close(&mut self, at: usize, stated: Option<u32>) -> Result<()> {
        self.limit()?;
        let size = self.bytes.len().saturating_sub(at);
        self.patch(at, stated.unwrap_or(u32::try_from(size).unwrap_or(u32::MAX)));
        Ok(())
    }

    pub(crate) fn array<T>(
        &mut self,
        array: &Array<Record<T>>,
        mut write: impl FnMut(&mut Self, &T) -> Result<()>,
    ) -> Result<()> {
        let start = self.open();
        self.word(array.count.unwrap_or(u32::try_from(array.items.len()).unwrap_or(u32::MAX)));
        for (index, record) in array.items.iter().enumerate() {
            let at = self.open();
            match record {
                Record::Known(record) => write(self, record).under(|| format!("[{index}]"))?,
                Record::Damaged(bytes) => self.bytes.extend_from_slice(bytes),
            }
            self.close(at, None)?;
        }
        self.bytes.extend_from_slice(&array.stray);
        self.close(start, array.size)
    }

    pub(crate) fn macro_of(&mut self, of: &Macro) -> Result<()> {
        for word in [self.len_of(&of.name.0), of.stated_count(), self.len_of(&of.id.0)] {
            self.word(word);
        }
        for part in [&of.name, &of.values, &of.id] {
            self.bytes.extend_from_slice(&part.0);
        }
        Ok(())
    }

    pub(crate) fn symbol(&mut self, symbol: &Symbol) -> Result<()> {
        self.word(u32::from_ne_bytes(symbol.offset.to_ne_bytes()));
        for part in [&symbol.name.0, &symbol.id.0, &symbol.default.0, &symbol.flags.0] {
            let len = self.len_of(part);
            self.word(len);
        }
        for part in [&symbol.name.0, &symbol.id.0, &symbol.default.0, &symbol.flags.0, &symbol.tail.0] {
            self.bytes.extend_from_slice(part);
        }
        Ok(())
    }

    pub(crate) fn block(&mut self, block: &Block) -> Result<()> {
        self.word(u32::from_ne_bytes(block.location.to_ne_bytes()));
        self.word(self.len_of(&block.name.0));
        self.bytes.extend_from_slice(&block.name.0);
        self.array(&block.uniforms, Self::uniform).under(|| "uniforms")?;
        self.bytes.extend_from_slice(&block.tail);
        Ok(())
    }

    fn uniform(&mut self, uniform: &Uniform) -> Result<()> {
        self.word(u32::from_ne_bytes(uniform.location.to_ne_bytes()));
        self.word(self.len_of(&uniform.name.0));
        self.bytes.extend_from_slice(&uniform.name.0);
        self.bytes.extend_from_slice(&uniform.tail);
        Ok(())
    }
}
