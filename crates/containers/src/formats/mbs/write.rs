//! From the model to bytes: chunk by chunk, each size filled in when its end is known.

use super::model::{
    FileChunk, Initial, Mbs, Program, ProgramChunk, RawChunk, Symbol, SymbolChunk, Table, TableEntry,
    TableKind, Tag, Uniforms,
};
use super::raw::{CHUNK_HEADER, MBS1};
use super::read::usual_tail;
use super::records::FORM;
use crate::shared::fields::{Record, Saver};
use unshade_bytes::{Error, ErrorKind, Limits, Result, Under};

impl Mbs {
    /// The bytes of the file.
    ///
    /// # Errors
    /// [`ErrorKind::Unrepresentable`] when an attribute has what only other symbols have, a name holds a NUL,
    /// or a table has more entries than its count can say; [`ErrorKind::LimitExceeded`] for a file that is
    /// longer than [`Limits::bytes`].
    pub fn write(&self) -> Result<Vec<u8>> {
        let mut out = Out { bytes: Vec::with_capacity(usize::try_from(self.len()).unwrap_or(0)) };
        let start = out.open(Tag(MBS1));
        for (index, chunk) in self.chunks.iter().enumerate() {
            match chunk {
                FileChunk::Program(program) => out.program(program).under(|| format!("chunks[{index}]"))?,
                FileChunk::Other(chunk) => out.raw(chunk)?,
            }
        }
        out.bytes.extend_from_slice(&self.stray);
        match self.size {
            None => out.close(start)?,
            Some(size) => out.patch(start, size),
        }
        out.bytes.extend_from_slice(&self.trailing);
        out.limit()?;
        Ok(out.bytes)
    }

    /// Length of the file in bytes.
    pub fn len(&self) -> u64 {
        self.contents_len().saturating_add(CHUNK_HEADER).saturating_add(self.trailing.len() as u64)
    }

    /// Whether it has no chunk and nothing else but its header.
    pub fn is_empty(&self) -> bool {
        self.len() == CHUNK_HEADER
    }

    /// Length of what stands in the chunk `MBS1`.
    pub(super) fn contents_len(&self) -> u64 {
        total(self.chunks.iter().map(FileChunk::len), &self.stray)
    }
}

/// The lengths of some chunks with their headers, and of the bytes behind them.
fn total(chunks: impl Iterator<Item = u64>, stray: &[u8]) -> u64 {
    chunks.fold(stray.len() as u64, |sum, len| sum.saturating_add(CHUNK_HEADER).saturating_add(len))
}

impl FileChunk {
    /// Length of its contents, without its header.
    pub(super) fn len(&self) -> u64 {
        match self {
            Self::Program(program) => program.len(),
            Self::Other(chunk) => chunk.bytes.len() as u64,
        }
    }
}

impl Program {
    pub(super) fn len(&self) -> u64 {
        total(self.chunks.iter().map(ProgramChunk::len), &self.stray).saturating_add(4)
    }
}

impl ProgramChunk {
    /// Length of its contents, without its header.
    pub(super) fn len(&self) -> u64 {
        match self {
            Self::Stack(_) | Self::Framebuffer(_) => 8,
            Self::Discard(_) => 4,
            Self::Instructions(_) => 12,
            Self::Uniforms(uniforms) => uniforms.table.len(TableKind::Uniforms).saturating_add(8),
            Self::Attributes(table) => table.len(TableKind::Attributes).saturating_add(4),
            Self::Varyings(table) => table.len(TableKind::Varyings).saturating_add(4),
            Self::Code(code) => words_len(&code.words).saturating_add(code.stray.len() as u64),
            Self::Other(chunk) => chunk.bytes.len() as u64,
        }
    }

    /// Its tag.
    pub(super) fn tag(&self) -> Tag {
        match self {
            Self::Stack(_) => Tag::STACK,
            Self::Discard(_) => Tag::DISCARD,
            Self::Framebuffer(_) => Tag::FRAMEBUFFER,
            Self::Instructions(_) => Tag::INSTRUCTIONS,
            Self::Uniforms(_) => Tag::UNIFORMS,
            Self::Attributes(_) => Tag::ATTRIBUTES,
            Self::Varyings(_) => Tag::VARYINGS,
            Self::Code(_) => Tag::CODE,
            Self::Other(chunk) => chunk.tag,
        }
    }
}

impl Table {
    /// Length of its entries and of what follows on them.
    fn len(&self, kind: TableKind) -> u64 {
        total(self.entries.iter().map(|entry| entry.len(kind)), &self.stray)
    }

    /// What its count says.
    pub(super) fn stated_count(&self) -> Result<u32> {
        stated(self.count, self.entries.len())
    }
}

impl Initial {
    /// What its count says.
    pub(super) fn stated_count(&self) -> Result<u32> {
        stated(self.count, self.words.len())
    }
}

impl TableEntry {
    /// Length of its contents, without its header.
    pub(super) fn len(&self, kind: TableKind) -> u64 {
        match self {
            Self::Symbol(symbol) => symbol.len(kind),
            Self::Other(chunk) => chunk.bytes.len() as u64,
        }
    }
}

impl Symbol {
    fn len(&self, kind: TableKind) -> u64 {
        let record = Self::record_len(kind);
        let front = CHUNK_HEADER.saturating_add(self.name_len()).saturating_add(record as u64);
        total(self.chunks.iter().map(SymbolChunk::len), &self.stray).saturating_add(front)
    }

    /// Length of the text of its name with what follows on it.
    pub(super) fn name_len(&self) -> u64 {
        let tail = self.name_tail.as_ref().map_or_else(|| usual_tail(self.name.len()), |tail| tail.len());
        (self.name.len() as u64).saturating_add(tail as u64)
    }
}

impl SymbolChunk {
    /// Length of its contents, without its header.
    pub(super) fn len(&self) -> u64 {
        match self {
            Self::Index(_) => 3 * (CHUNK_HEADER + 4),
            Self::Initial(initial) => words_len(&initial.words).saturating_add(4),
            Self::Other(chunk) => chunk.bytes.len() as u64,
        }
    }
}

fn words_len(words: &[u32]) -> u64 {
    (words.len() as u64).saturating_mul(4)
}

fn stated(count: Option<u32>, entries: usize) -> Result<u32> {
    let unfit = |_| Error::new(ErrorKind::Unrepresentable, 0, "count", "a count of 32 bits", "a larger one");
    count.map_or_else(|| u32::try_from(entries).map_err(unfit), Ok)
}

struct Out {
    bytes: Vec<u8>,
}

impl Out {
    /// Starts a chunk whose size is not known yet, and returns where that goes.
    fn open(&mut self, tag: Tag) -> usize {
        self.bytes.extend_from_slice(&tag.0);
        let at = self.bytes.len();
        self.word(0);
        at
    }

    /// Ends the chunk whose size goes to `at`.
    fn close(&mut self, at: usize) -> Result<()> {
        self.limit()?;
        let size = self.bytes.len().saturating_sub(at).saturating_sub(4);
        self.patch(at, u32::try_from(size).unwrap_or(u32::MAX));
        Ok(())
    }

    fn patch(&mut self, at: usize, word: u32) {
        if let Some(place) = self.bytes.get_mut(at..).and_then(|rest| rest.first_chunk_mut()) {
            *place = word.to_le_bytes();
        }
    }

    /// A file within the limit has sizes that fit their fields.
    fn limit(&self) -> Result<()> {
        let limit = Limits::DEFAULT.bytes;
        if self.bytes.len() as u64 <= limit {
            return Ok(());
        }
        let expected = format!("a file of at most {limit} bytes");
        let found = format!("{} bytes", self.bytes.len());
        Err(Error::new(ErrorKind::LimitExceeded, 0, "", expected, found).code("mbs.too-long"))
    }

    fn word(&mut self, word: u32) {
        self.bytes.extend_from_slice(&word.to_le_bytes());
    }

    fn words(&mut self, words: &[u32]) {
        self.bytes.extend(words.iter().flat_map(|word| word.to_le_bytes()));
    }

    fn raw(&mut self, chunk: &RawChunk) -> Result<()> {
        let start = self.open(chunk.tag);
        self.bytes.extend_from_slice(&chunk.bytes);
        self.close(start)
    }

    fn program(&mut self, program: &Program) -> Result<()> {
        let start = self.open(program.kind.tag());
        self.word(program.core);
        for (index, chunk) in program.chunks.iter().enumerate() {
            self.program_chunk(chunk).under(|| format!("chunks[{index}]"))?;
        }
        self.bytes.extend_from_slice(&program.stray);
        self.close(start)
    }

    fn program_chunk(&mut self, chunk: &ProgramChunk) -> Result<()> {
        let start = self.open(chunk.tag());
        match chunk {
            ProgramChunk::Stack(stack) => stack.write(&mut self.bytes)?,
            ProgramChunk::Discard(word) => self.word(*word),
            ProgramChunk::Framebuffer(framebuffer) => framebuffer.clone().write(&mut self.bytes)?,
            ProgramChunk::Instructions(of) => of.write(&mut self.bytes)?,
            ProgramChunk::Uniforms(Uniforms { space, table }) => {
                self.words(&[table.stated_count()?, *space]);
                self.entries(table, TableKind::Uniforms)?;
            }
            ProgramChunk::Attributes(table) => {
                self.word(table.stated_count()?);
                self.entries(table, TableKind::Attributes)?;
            }
            ProgramChunk::Varyings(table) => {
                self.word(table.stated_count()?);
                self.entries(table, TableKind::Varyings)?;
            }
            ProgramChunk::Code(code) => {
                self.words(&code.words);
                self.bytes.extend_from_slice(&code.stray);
            }
            ProgramChunk::Other(chunk) => self.bytes.extend_from_slice(&chunk.bytes),
        }
        self.close(start)
    }

    fn entries(&mut self, table: &Table, kind: TableKind) -> Result<()> {
        for (index, entry) in table.entries.iter().enumerate() {
            match entry {
                TableEntry::Symbol(symbol) => {
                    self.symbol(symbol, kind).under(|| format!("entries[{index}]"))?;
                }
                TableEntry::Other(chunk) => self.raw(chunk)?,
            }
        }
        self.bytes.extend_from_slice(&table.stray);
        Ok(())
    }

    fn symbol(&mut self, symbol: &Symbol, kind: TableKind) -> Result<()> {
        let start = self.open(kind.symbol_tag());
        self.name(symbol)?;
        if let Some(parent) = symbol.parent.filter(|_| kind == TableKind::Attributes) {
            let found = format!("a member of symbol {parent}");
            let expected = "what an attribute can say";
            return Err(Error::new(ErrorKind::Unrepresentable, 0, "parent", expected, found));
        }
        let mut saver = Saver::behind(FORM, std::mem::take(&mut self.bytes));
        symbol.record().visit(kind, &mut saver)?;
        self.bytes = saver.bytes;
        for (index, chunk) in symbol.chunks.iter().enumerate() {
            self.symbol_chunk(chunk).under(|| format!("chunks[{index}]"))?;
        }
        self.bytes.extend_from_slice(&symbol.stray);
        self.close(start)
    }

    fn name(&mut self, symbol: &Symbol) -> Result<()> {
        let start = self.open(Tag::NAME);
        if symbol.name.contains(&0) {
            let found = "one inside it";
            return Err(Error::new(ErrorKind::Unrepresentable, 0, "name", "a name without NUL", found));
        }
        self.bytes.extend_from_slice(&symbol.name);
        match &symbol.name_tail {
            Some(tail) if tail.first().is_some_and(|&first| first != 0) => {
                let found = "another byte";
                return Err(Error::new(
                    ErrorKind::Unrepresentable,
                    0,
                    "name_tail",
                    "NUL first, or nothing",
                    found,
                ));
            }
            Some(tail) => self.bytes.extend_from_slice(tail),
            None => self.bytes.extend(std::iter::repeat_n(0, usual_tail(symbol.name.len()))),
        }
        self.close(start)
    }

    fn symbol_chunk(&mut self, chunk: &SymbolChunk) -> Result<()> {
        match chunk {
            SymbolChunk::Index(index) => {
                let start = self.open(Tag::INDEX);
                for (tag, word) in [
                    (Tag::INDEX_ITDR, index.itdr),
                    (Tag::INDEX_IYUV, index.iyuv),
                    (Tag::INDEX_IGRD, index.igrd),
                ] {
                    let start = self.open(tag);
                    self.word(word);
                    self.close(start)?;
                }
                self.close(start)
            }
            SymbolChunk::Initial(initial) => {
                let start = self.open(Tag::INITIAL);
                self.word(initial.stated_count()?);
                self.words(&initial.words);
                self.close(start)
            }
            SymbolChunk::Other(chunk) => self.raw(chunk),
        }
    }
}
