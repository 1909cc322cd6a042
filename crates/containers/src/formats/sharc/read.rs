//! From bytes to the model. Refused is only what is no archive of versions 10 to 13, nor of another version whose sizes
//! add up by the rules of the nearest of these; what is damaged inside is kept as it is.

use super::model::{Info, Program, Sharc, Source, StageMacro};
use super::raw::{
    self, FIRST_VERSION, HEADER, Header, LAST_VERSION, MAGIC, ProgramView, Rules, SourceView, StageMacroView,
};
use crate::formats::agl::raw::{ArrayView, byte_order, word};
use crate::formats::agl::read::{array, blocks, macros, opaque, strings, symbols};
use unshade_bytes::{Budget, Endian, Error, ErrorKind, Result};

/// Reads a whole archive.
///
/// # Errors
/// [`ErrorKind::Unsupported`] for other versions in which not every size adds up, [`ErrorKind::BadMagic`] for anything
/// else, [`ErrorKind::Truncated`] where header or name are cut.
pub fn read(bytes: &[u8]) -> Result<Sharc> {
    let Headed { header, endian, name, rest, without_blocks } = headed(bytes)?;
    let rules = Rules::of(header.version, without_blocks);
    let mut file = Sharc {
        endian,
        version: header.version,
        without_blocks,
        file_size: Some(header.file_size).filter(|&size| size as usize != bytes.len()),
        name: strings(name),
        ..Sharc::default()
    };
    file.endian_word = Some(header.endian_word).filter(|&word| word != file.endian_word());
    let Some((programs, rest)) = ArrayView::split(rest, endian) else {
        file.trailing = opaque(rest);
        return Ok(file);
    };
    file.programs = Some(array(programs, raw::PROGRAM, |record| {
        ProgramView::read(record, endian, rules).map(|view| Box::new(program(view, endian)))
    }));
    let Some((sources, rest)) = ArrayView::split(rest, endian) else {
        file.trailing = opaque(rest);
        return Ok(file);
    };
    file.sources = Some(array(sources, raw::SOURCE, |record| SourceView::read(record, endian).map(source)));
    let mut rest = rest;
    if rules.blocks
        && let Some((records, behind)) = ArrayView::split(rest, endian)
    {
        file.info = Some(array(records, raw::INFO, |record| {
            let words = [word(record, 4, endian)?, word(record, 8, endian)?, word(record, 12, endian)?];
            (record.len() == raw::INFO).then_some(Info(words))
        }));
        rest = behind;
    }
    file.trailing = opaque(rest);
    Ok(file)
}

/// What an archive starts with.
pub(super) struct Headed<'a> {
    pub(super) header: Header,
    endian: Endian,
    name: &'a [u8],
    /// What stands behind the name.
    rest: &'a [u8],
    without_blocks: bool,
}

pub(super) fn headed(bytes: &[u8]) -> Result<Headed<'_>> {
    if byte_order(bytes, MAGIC).is_none() {
        let found = format!("\"{}\"", bytes.get(..4).unwrap_or(bytes).escape_ascii());
        let expected = "\"SHAA\" or \"AAHS\"";
        return Err(Error::new(ErrorKind::BadMagic, 0, "magic", expected, found).code("sharc.magic"));
    }
    let cut = |offset: usize, path: &'static str, expected: String| {
        let found = format!("the end after {}", bytes.len().saturating_sub(offset));
        Error::new(ErrorKind::Truncated, offset as u64, path, expected, found).code("sharc.truncated")
    };
    let (header, endian) =
        Header::read(bytes).ok_or_else(|| cut(0, "header", format!("{HEADER:#x} bytes")))?;
    let (name, rest) = bytes
        .get(HEADER..)
        .unwrap_or_default()
        .split_at_checked(header.name_len as usize)
        .ok_or_else(|| cut(HEADER, "name", format!("a name of {} bytes", header.name_len)))?;
    // Of version 10 two readings are known. Whichever adds up is the right one, since they differ by an array.
    let adds_up = |without_blocks| {
        let array = ArrayView::split(rest, endian);
        let rules = Rules::of(header.version, without_blocks);
        array.is_some_and(|(programs, _)| raw::programs_add_up(&programs, rules))
    };
    let without_blocks = header.version <= FIRST_VERSION && !adds_up(false) && adds_up(true);
    let known = (FIRST_VERSION..=LAST_VERSION).contains(&header.version);
    let rules = Rules::of(header.version, without_blocks);
    let whole = || header.file_size as usize == bytes.len() && raw::adds_up(rest, endian, rules);
    if !known && !whole() {
        let near = header.version.clamp(FIRST_VERSION, LAST_VERSION);
        let found =
            format!("version {}, whose sizes do not add up by the rules of version {near}", header.version);
        let expected = "version 10, 11, 12 or 13";
        return Err(Error::new(ErrorKind::Unsupported, 4, "version", expected, found).code("sharc.version"));
    }
    Ok(Headed { header, endian, name, rest, without_blocks })
}

/// The length of an archive at the start of `data` that goes on behind it: of one whose arrays are whole.
pub(crate) fn embedded(data: &[u8], base: u64, budget: &mut Budget) -> Option<usize> {
    let (header, endian) = Header::read(data)?;
    let file = data.get(..header.file_size as usize)?;
    let (_, rest) = file.get(HEADER..)?.split_at_checked(header.name_len as usize)?;
    let arrays = if Rules::of(header.version, false).blocks { 3 } else { 2 };
    let mut rest = rest;
    for _ in 0..arrays {
        let (array, behind) = ArrayView::split(rest, endian).filter(|(array, _)| array.is_whole())?;
        budget.charge(array.contents.len() as u64, base, "arrays").ok()?;
        rest = behind;
    }
    headed(file).ok().filter(|_| rest.is_empty()).map(|_| file.len())
}

fn program(view: ProgramView<'_>, endian: Endian) -> Program {
    let stage_macro = |view: StageMacroView<'_>| StageMacro {
        name: strings(view.name),
        value: strings(view.value),
        tail: opaque(view.tail),
    };
    let stage_macros = view.stage_macros.into_iter().flatten().map(|view| {
        array(view, raw::STAGE_MACRO, |record| StageMacroView::read(record, endian).map(stage_macro))
    });
    let [uniforms, block_symbols, samplers, attributes] =
        view.symbols.map(|array| array.map(symbols).unwrap_or_default());
    Program {
        name: strings(view.name),
        sources: (0..view.sources.len()).step_by(4).filter_map(|at| word(view.sources, at, endian)).collect(),
        stage_macros: stage_macros.collect(),
        macros: macros(view.macros),
        defaults: view.defaults.map(macros).unwrap_or_default(),
        uniforms,
        block_symbols,
        samplers,
        attributes,
        blocks: view.blocks.map(blocks).unwrap_or_default(),
        tail: opaque(view.tail),
    }
}

fn source(view: SourceView<'_>) -> Source {
    let text = strings(view.text);
    let raw_len = Some(view.raw_len).filter(|&len| len as usize != text.0.len());
    Source { name: strings(view.name), text, raw_len, tail: opaque(view.tail) }
}
