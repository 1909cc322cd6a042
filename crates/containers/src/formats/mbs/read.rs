//! From bytes to the model. Refused is only what is no MBS1; what is damaged inside is kept as it is.

use super::model::{
    Code, FileChunk, Framebuffer, Index, Initial, Instructions, Mbs, Program, ProgramChunk, ProgramKind,
    RawChunk, Stack, Symbol, SymbolChunk, Table, TableEntry, TableKind, Tag, Uniforms,
};
use super::raw::{self, Chunks, words};
use super::records::FORM;
use crate::shared::fields::{Loader, Record};
use crate::shared::{Name, Opaque};
use unshade_bytes::{Budget, Endian, Error, ErrorKind, Reader, Result, Under};

/// Reads a whole file.
///
/// # Errors
/// [`ErrorKind::Unsupported`] for another version of the format, [`ErrorKind::BadMagic`] for anything else,
/// [`ErrorKind::Truncated`] for less than the first eight bytes.
pub fn read(bytes: &[u8]) -> Result<Mbs> {
    let mut reader = Reader::new(bytes, Endian::Little);
    match reader.array("magic").code("mbs.truncated")? {
        raw::MBS1 => {}
        magic if magic.starts_with(&raw::FAMILY) => return Err(another_version(magic)),
        magic => {
            let found = format!("\"{}\"", magic.escape_ascii());
            return Err(Error::new(ErrorKind::BadMagic, 0, "magic", "\"MBS1\"", found).code("mbs.magic"));
        }
    }
    let size = reader.u32("size").code("mbs.truncated")?;
    let rest = reader.rest();
    let (size, (contents, trailing)) = match rest.split_at_checked(size as usize) {
        Some(parts) => (None, parts),
        None => (Some(size), (rest, [].as_slice())),
    };
    let (chunks, stray) = all(contents, |tag, contents| {
        let kind = match tag {
            Tag::VERTEX => Some(ProgramKind::Vertex),
            Tag::FRAGMENT => Some(ProgramKind::Fragment),
            _ => None,
        };
        let program = kind.and_then(|kind| program(kind, contents));
        program.map_or_else(|| FileChunk::Other(raw_chunk(tag, contents)), FileChunk::Program)
    });
    Ok(Mbs { size, chunks, stray, trailing: opaque(trailing) })
}

fn another_version(magic: [u8; 4]) -> Error {
    let [.., version] = magic;
    let about = match version {
        b'2' => "Mali Midgard and later: another format with other instructions",
        _ => "a version that is not known",
    };
    let found = format!("\"{}\" ({about})", magic.escape_ascii());
    Error::new(ErrorKind::Unsupported, 0, "magic", "\"MBS1\" (Mali-200/400, Utgard)", found)
        .code("mbs.version")
}

/// The length of a file at the start of `data` that goes on behind it: of one that has a program in it and no
/// damage in its outer two levels, so that letters which happen to be `MBS1` start nothing. What it claims is
/// charged, since such letters may stand everywhere.
pub(crate) fn embedded(data: &[u8], base: u64, budget: &mut Budget) -> Option<usize> {
    let (_, contents) = Chunks::new(data).next().filter(|(tag, _)| tag.0 == raw::MBS1)?;
    budget.charge(contents.len() as u64, base, "size").ok()?;
    let mut chunks = Chunks::new(contents);
    let mut programs = 0_usize;
    for (tag, contents) in chunks.by_ref() {
        if matches!(tag, Tag::VERTEX | Tag::FRAGMENT) {
            let mut inner = Chunks::new(contents.get(4..)?);
            inner.by_ref().find(|(tag, _)| *tag == Tag::CODE)?;
            programs = programs.saturating_add(1);
        }
    }
    let whole = programs > 0 && chunks.rest().is_empty();
    whole.then(|| contents.len().saturating_add(raw::CHUNK_HEADER as usize))
}

/// The chunks of `bytes` as `make` has them, and what is left behind the last one. They are counted first, so
/// that a list of many small ones takes no more than it needs.
fn all<T>(bytes: &[u8], mut make: impl FnMut(Tag, &[u8]) -> T) -> (Vec<T>, Opaque) {
    let mut chunks = Chunks::new(bytes);
    let mut made = Vec::with_capacity(chunks.count());
    made.extend(chunks.by_ref().map(|(tag, contents)| make(tag, contents)));
    (made, opaque(chunks.rest()))
}

fn opaque(bytes: &[u8]) -> Opaque {
    Opaque(bytes.to_vec())
}

fn raw_chunk(tag: Tag, contents: &[u8]) -> RawChunk {
    RawChunk { tag, bytes: opaque(contents) }
}

fn program(kind: ProgramKind, contents: &[u8]) -> Option<Program> {
    let (core, rest) = contents.split_first_chunk()?;
    let (chunks, stray) = all(rest, program_chunk);
    Some(Program { kind, core: u32::from_le_bytes(*core), chunks, stray })
}

fn program_chunk(tag: Tag, contents: &[u8]) -> ProgramChunk {
    let known = match tag {
        Tag::STACK => Stack::read(contents).map(ProgramChunk::Stack),
        Tag::DISCARD => fixed(contents).map(|[word]| ProgramChunk::Discard(word)),
        Tag::FRAMEBUFFER => Framebuffer::read(contents).map(ProgramChunk::Framebuffer),
        Tag::INSTRUCTIONS => Instructions::read(contents).map(ProgramChunk::Instructions),
        Tag::UNIFORMS => uniforms(contents).map(ProgramChunk::Uniforms),
        Tag::ATTRIBUTES => table(contents, TableKind::Attributes).map(ProgramChunk::Attributes),
        Tag::VARYINGS => table(contents, TableKind::Varyings).map(ProgramChunk::Varyings),
        Tag::CODE => {
            let stray = opaque(contents.as_chunks::<4>().1);
            Some(ProgramChunk::Code(Code { words: words(contents).collect(), stray }))
        }
        _ => None,
    };
    known.unwrap_or_else(|| ProgramChunk::Other(raw_chunk(tag, contents)))
}

/// A chunk of exactly `N` words.
fn fixed<const N: usize>(contents: &[u8]) -> Option<[u32; N]> {
    let (words, []) = contents.as_chunks::<4>() else { return None };
    let words: &[[u8; 4]; N] = words.try_into().ok()?;
    Some(words.map(u32::from_le_bytes))
}

fn uniforms(contents: &[u8]) -> Option<Uniforms> {
    let (count, rest) = contents.split_first_chunk()?;
    let (space, rest) = rest.split_first_chunk()?;
    let table = entries(u32::from_le_bytes(*count), rest, TableKind::Uniforms);
    Some(Uniforms { space: u32::from_le_bytes(*space), table })
}

fn table(contents: &[u8], kind: TableKind) -> Option<Table> {
    let (count, rest) = contents.split_first_chunk()?;
    Some(entries(u32::from_le_bytes(*count), rest, kind))
}

fn entries(count: u32, bytes: &[u8], kind: TableKind) -> Table {
    let (entries, stray) = all(bytes, |tag, contents| {
        let symbol = if tag == kind.symbol_tag() { symbol(contents, kind) } else { None };
        match symbol {
            Some(symbol) => TableEntry::Symbol(Box::new(symbol)),
            None => TableEntry::Other(raw_chunk(tag, contents)),
        }
    });
    let count = Some(count).filter(|&count| count as usize != entries.len());
    Table { count, entries, stray }
}

fn symbol(contents: &[u8], kind: TableKind) -> Option<Symbol> {
    let mut chunks = Chunks::new(contents);
    let (Tag::NAME, text) = chunks.next()? else { return None };
    let mut symbol = Symbol::default();
    let mut loader = Loader::new(FORM, chunks.rest(), 0);
    symbol.visit(kind, &mut loader).ok()?;
    let rest = chunks.rest().get(Symbol::record_len(kind)..)?;
    (symbol.name, symbol.name_tail) = name(text);
    (symbol.chunks, symbol.stray) = all(rest, symbol_chunk);
    Some(symbol)
}

/// The name in a `STRI`, and what follows on it, where that is not what a writer puts there.
fn name(text: &[u8]) -> (Name, Option<Opaque>) {
    let end = text.iter().position(|&byte| byte == 0).unwrap_or(text.len());
    let (name, tail) = text.split_at_checked(end).unwrap_or((text, &[]));
    let usual = tail.len() == usual_tail(name.len()) && tail.iter().all(|&byte| byte == 0);
    (Name(name.to_vec()), (!usual).then(|| opaque(tail)))
}

/// How many zeros stand behind a name of `len` bytes: NUL, and what a multiple of 4 needs.
pub(super) fn usual_tail(len: usize) -> usize {
    4_usize.saturating_sub(len % 4)
}

fn symbol_chunk(tag: Tag, contents: &[u8]) -> SymbolChunk {
    let known = match tag {
        Tag::INDEX => index(contents).map(SymbolChunk::Index),
        Tag::INITIAL => initial(contents).map(SymbolChunk::Initial),
        _ => None,
    };
    known.unwrap_or_else(|| SymbolChunk::Other(raw_chunk(tag, contents)))
}

fn index(contents: &[u8]) -> Option<Index> {
    let mut chunks = Chunks::new(contents);
    let mut word = |wanted| {
        let (_, contents) = chunks.next().filter(|(tag, _)| *tag == wanted)?;
        fixed(contents).map(|[word]| word)
    };
    let index =
        Index { itdr: word(Tag::INDEX_ITDR)?, iyuv: word(Tag::INDEX_IYUV)?, igrd: word(Tag::INDEX_IGRD)? };
    chunks.rest().is_empty().then_some(index)
}

fn initial(contents: &[u8]) -> Option<Initial> {
    let (count, values) = contents.split_first_chunk()?;
    let (_, []) = values.as_chunks::<4>() else { return None };
    let words: Vec<u32> = words(values).collect();
    let count = Some(u32::from_le_bytes(*count)).filter(|&count| count as usize != words.len());
    Some(Initial { count, words })
}
