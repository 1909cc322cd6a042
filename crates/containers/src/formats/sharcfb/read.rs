//! From bytes to the model. Refused is only what is no archive of version 8 or 9, nor of another version whose sizes add
//! up by the rules of the nearest of these; what is damaged inside is kept as it is.

#[cfg(feature = "manifest")]
use super::model::Record;
use super::model::{Binary, Extra, Program, Sharcfb};
use super::raw::{
    self, ALIGNMENT, ArrayView, BinaryView, HEADER, Header, LAST_VERSION, MAGIC, ProgramView, VERSION,
};
use crate::formats::agl::read::{array, macros, opaque, strings, symbols};
use crate::formats::gx2::edit::Program as Which;
use crate::shared::Strings;
use unshade_bytes::{Budget, Endian, Error, ErrorKind, Result};

/// Reads a whole archive.
///
/// # Errors
/// [`ErrorKind::Unsupported`] for other versions in which not every size adds up and for archives of the Switch,
/// [`ErrorKind::BadMagic`] for anything else, [`ErrorKind::Truncated`] where header or name are cut.
pub fn read(bytes: &[u8]) -> Result<Sharcfb> {
    let (header, endian, name, rest) = header(bytes)?;
    let mut file = Sharcfb {
        endian,
        version: header.version,
        file_size: Some(header.file_size).filter(|&size| size as usize != bytes.len()),
        resolved: header.resolved,
        name: Strings(name.to_vec()),
        ..Sharcfb::default()
    };
    file.endian_word = Some(header.endian_word).filter(|&word| word != file.endian_word());
    let Some((binaries, after)) = ArrayView::split(rest, endian) else {
        file.trailing = opaque(rest);
        return Ok(file);
    };
    let mut at = bytes.len().saturating_sub(rest.len()).saturating_add(8) as u64;
    file.binaries = Some(array(binaries, raw::BINARY, |record| {
        let start = at;
        at = at.saturating_add(record.len() as u64);
        BinaryView::read(record, endian).map(|view| binary(view, start, endian))
    }));
    let Some((programs, after)) = ArrayView::split(after, endian).or_else(|| {
        file.trailing = opaque(after);
        None
    }) else {
        return Ok(file);
    };
    file.programs = Some(array(programs, raw::PROGRAM, |record| {
        ProgramView::read(record, endian, header.version).map(|view| Box::new(program(view, endian)))
    }));
    file.trailing = opaque(after);
    Ok(file)
}

/// The header, the byte order, the name and what follows, of an archive that can be read.
pub(super) fn header(bytes: &[u8]) -> Result<(Header, Endian, &[u8], &[u8])> {
    if raw::byte_order(bytes, MAGIC).is_none() {
        let found = format!("\"{}\"", bytes.get(..4).unwrap_or(bytes).escape_ascii());
        let expected = "\"SHAB\" or \"BAHS\"";
        return Err(Error::new(ErrorKind::BadMagic, 0, "magic", expected, found).code("sharcfb.magic"));
    }
    let cut = |offset: usize, path: &'static str, expected: String| {
        let found = format!("the end after {}", bytes.len().saturating_sub(offset));
        Error::new(ErrorKind::Truncated, offset as u64, path, expected, found).code("sharcfb.truncated")
    };
    let (header, endian) =
        Header::read(bytes).ok_or_else(|| cut(0, "header", format!("{HEADER:#x} bytes")))?;
    if endian == Endian::Little && header.is_switch() {
        let found =
            format!("{:#x}, an alignment (Switch SHARCFB, version {})", header.name_len, header.version);
        let expected = "the length of a name (Wii U SHARCFB)";
        return Err(
            Error::new(ErrorKind::Unsupported, 0x14, "name_length", expected, found).code("sharcfb.switch")
        );
    }
    let rest = bytes.get(HEADER..).unwrap_or_default();
    let (name, rest) = rest
        .split_at_checked(header.name_len as usize)
        .ok_or_else(|| cut(HEADER, "name", format!("a name of {} bytes", header.name_len)))?;
    let known = (VERSION..=LAST_VERSION).contains(&header.version);
    let whole = || header.file_size as usize == bytes.len() && raw::adds_up(rest, endian, header.version);
    if !known && !whole() {
        let near = header.version.clamp(VERSION, LAST_VERSION);
        let found =
            format!("version {}, whose sizes do not add up by the rules of version {near}", header.version);
        let expected = "version 8 or 9";
        return Err(Error::new(ErrorKind::Unsupported, 4, "version", expected, found).code("sharcfb.version"));
    }
    Ok((header, endian, name, rest))
}

/// The length of an archive at the start of `data` that goes on behind it: of one whose two arrays are whole.
pub(crate) fn embedded(data: &[u8], base: u64, budget: &mut Budget) -> Option<usize> {
    let (header, endian, _, rest) = header(data).ok()?;
    let len = header.file_size as usize;
    let fits = |array: &ArrayView<'_>| array.is_whole();
    let (binaries, rest) = ArrayView::split(rest, endian).filter(|(array, _)| fits(array))?;
    let (programs, rest) = ArrayView::split(rest, endian).filter(|(array, _)| fits(array))?;
    budget.charge(binaries.contents.len() as u64, base, "binaries").ok()?;
    budget.charge(programs.contents.len() as u64, base, "programs").ok()?;
    (data.len().checked_sub(rest.len()) == Some(len)).then_some(len)
}

fn binary(view: BinaryView<'_>, at: u64, endian: Endian) -> Binary {
    let mut binary = Binary {
        kind: view.kind,
        gap: opaque(view.gap),
        data: opaque(view.data),
        tail: opaque(view.tail),
        ..Binary::default()
    };
    let start = at.saturating_add(raw::BINARY as u64).saturating_add(view.gap.len() as u64);
    let form = crate::formats::gx2::Form::sharcfb(endian);
    let unaligned = |which: Which| {
        let place = binary.shader(form).and_then(|shader| which.place(&shader));
        place.is_some_and(|(at, _)| !start.saturating_add(at as u64).is_multiple_of(ALIGNMENT))
    };
    (binary.code_unaligned, binary.copy_unaligned) = (unaligned(Which::Main), unaligned(Which::Copy));
    binary
}

fn program(view: ProgramView<'_>, endian: Endian) -> Program {
    let [uniforms, blocks, samplers, attributes] = view.symbols;
    Program {
        name: strings(view.name),
        stages: view.stages,
        base: view.base,
        macros: macros(view.macros),
        defaults: macros(view.defaults),
        uniforms: symbols(uniforms),
        extra: view.extra.map(|section| Extra::of(section, endian)),
        blocks: symbols(blocks),
        samplers: symbols(samplers),
        attributes: symbols(attributes),
        tail: opaque(view.tail),
    }
}

/// A program of which the record without its size word is given.
#[cfg(feature = "manifest")]
pub(super) fn program_record(bytes: &[u8], endian: Endian, version: u32) -> Record<Box<Program>> {
    let size = u32::try_from(bytes.len().saturating_add(4)).unwrap_or(u32::MAX);
    let record = [&raw::bytes(size, endian), bytes].concat();
    match ProgramView::read(&record, endian, version) {
        Some(view) => Record::Known(Box::new(program(view, endian))),
        None => Record::Damaged(opaque(bytes)),
    }
}
