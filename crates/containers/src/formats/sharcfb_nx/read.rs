//! From bytes to the model. Refused is only what is no archive of version 9, nor of another version whose sizes add up by
//! its rules; what is damaged inside is kept as it is.

use super::model::{Binary, Pool, Program, SharcfbNx};
use super::raw::{self, BinaryView, HEADER, Header, POOL_ALIGNMENT, ProgramView, RUNTIME, VERSION};
use crate::formats::agl::raw::ArrayView;
use crate::formats::agl::read::{array, blocks, macros, opaque, strings};
use crate::formats::sharcfb::raw::is_switch;
use crate::shared::Opaque;
use unshade_bytes::{Budget, Endian, Error, ErrorKind, Result};

/// Reads a whole archive.
///
/// # Errors
/// [`ErrorKind::Unsupported`] for other versions in which not every size adds up, [`ErrorKind::BadMagic`] for anything else,
/// [`ErrorKind::Truncated`] where header or names are cut.
pub fn read(bytes: &[u8]) -> Result<SharcfbNx> {
    let (header, names, rest) = headed(bytes)?;
    let runtime = bytes.get(RUNTIME..HEADER).unwrap_or_default();
    let mut file = SharcfbNx {
        version: header.version,
        file_size: Some(header.file_size).filter(|&size| size as usize != bytes.len()),
        flags: header.flags,
        resolved: header.resolved,
        runtime: if runtime.iter().all(|&byte| byte == 0) { Opaque::default() } else { opaque(runtime) },
        names: strings(names),
        pool: Pool::Elsewhere { offset: header.pool_offset, size: header.pool_size },
        ..SharcfbNx::default()
    };
    let Some((binaries, rest)) = ArrayView::split(rest, Endian::Little) else {
        file.trailing = opaque(rest);
        return Ok(file);
    };
    file.binaries = Some(array(binaries, raw::BINARY, |record| BinaryView::read(record).map(binary)));
    let Some((programs, rest)) = ArrayView::split(rest, Endian::Little) else {
        file.trailing = opaque(rest);
        return Ok(file);
    };
    file.programs = Some(array(programs, raw::PROGRAM, |record| {
        ProgramView::read(record).map(|view| Box::new(program(view)))
    }));
    let at = bytes.len().saturating_sub(rest.len());
    // The pool where it lies behind the programs and in the file.
    let parts = (header.pool_offset as usize).checked_sub(at).and_then(|gap| {
        let (gap, behind) = rest.split_at_checked(gap)?;
        let (pool, trailing) = behind.split_at_checked(header.pool_size as usize)?;
        Some((gap, pool, trailing))
    });
    match parts {
        Some((gap, pool, trailing)) => {
            let usual = (at as u64).next_multiple_of(POOL_ALIGNMENT) == u64::from(header.pool_offset)
                && gap.iter().all(|&byte| byte == 0);
            let gap = (!usual).then(|| opaque(gap));
            file.pool = Pool::Behind { gap, bytes: opaque(pool) };
            file.trailing = opaque(trailing);
        }
        None => file.trailing = opaque(rest),
    }
    Ok(file)
}

/// The header, the names and what follows, of an archive that can be read.
pub(super) fn headed(bytes: &[u8]) -> Result<(Header, &[u8], &[u8])> {
    let cut = |offset: usize, path: &'static str, expected: String| {
        let found = format!("the end after {}", bytes.len().saturating_sub(offset));
        Error::new(ErrorKind::Truncated, offset as u64, path, expected, found).code("sharcfb-nx.truncated")
    };
    if !is_switch(bytes) {
        let found = format!("\"{}\"", bytes.get(..4).unwrap_or(bytes).escape_ascii());
        let expected = "\"BAHS\", and at 0x14 the length of the names of an archive of the Switch";
        return Err(Error::new(ErrorKind::BadMagic, 0, "magic", expected, found).code("sharcfb-nx.magic"));
    }
    let whole = Header::read(bytes).zip(bytes.get(HEADER..));
    let (header, rest) = whole.ok_or_else(|| cut(0, "header", format!("{HEADER:#x} bytes")))?;
    let (names, rest) = rest
        .split_at_checked(header.names_len as usize)
        .ok_or_else(|| cut(HEADER, "names", format!("{:#x} bytes of names", header.names_len)))?;
    let before = HEADER.saturating_add(names.len());
    let whole = || header.file_size as usize == bytes.len() && raw::adds_up(rest, before, &header);
    if header.version != VERSION && !whole() {
        let found = format!(
            "version {}, whose sizes do not add up by the rules of version {VERSION}",
            header.version
        );
        let expected = "version 9 (Switch SHARCFB)";
        return Err(
            Error::new(ErrorKind::Unsupported, 4, "version", expected, found).code("sharcfb-nx.version")
        );
    }
    Ok((header, names, rest))
}

/// The length of an archive at the start of `data` that goes on behind it: of one whose parts are whole.
pub(crate) fn embedded(data: &[u8], base: u64, budget: &mut Budget) -> Option<usize> {
    let header = Header::read(data).filter(|_| is_switch(data))?;
    let file = data.get(..header.file_size as usize)?;
    budget.charge(file.len() as u64, base, "archive").ok()?;
    let rest = file.get(HEADER..)?.get(header.names_len as usize..)?;
    let before = file.len().checked_sub(rest.len())?;
    let (binaries, behind) = ArrayView::split(rest, Endian::Little).filter(|(array, _)| array.is_whole())?;
    let (programs, behind) =
        ArrayView::split(behind, Endian::Little).filter(|(array, _)| array.is_whole())?;
    let _ = (binaries, programs);
    let end = before.checked_add(rest.len().checked_sub(behind.len())?)?;
    let pool_end = (header.pool_offset as usize).checked_add(header.pool_size as usize)?;
    let fits = header.pool_offset as usize >= end && pool_end == file.len();
    (fits && headed(file).is_ok()).then_some(file.len())
}

fn binary(view: BinaryView<'_>) -> Binary {
    Binary { stage: view.stage, numbers: view.numbers, data: opaque(view.data), tail: opaque(view.tail) }
}

fn program(view: ProgramView<'_>) -> Program {
    Program {
        name: strings(view.name),
        stages: view.stages,
        base: view.base,
        macros: macros(view.macros),
        defaults: macros(view.defaults),
        blocks: blocks(view.blocks),
        tail: opaque(view.tail),
    }
}

/// A program of which the record without its size word is given.
#[cfg(feature = "manifest")]
pub(super) fn program_record(bytes: &[u8]) -> crate::formats::agl::model::Record<Box<Program>> {
    use crate::formats::agl::model::Record;
    let size = u32::try_from(bytes.len().saturating_add(4)).unwrap_or(u32::MAX);
    let record = [&size.to_le_bytes(), bytes].concat();
    match ProgramView::read(&record) {
        Some(view) => Record::Known(Box::new(program(view))),
        None => Record::Damaged(opaque(bytes)),
    }
}
