//! What a GX2 structure has names for: blocks, uniforms, samplers, attributes, and the numbers by which its programs
//! hand things on; and its names of other lengths.
//!
//! A name of another length moves what lies behind it, and every pointer follows. Several entries may have one name of
//! the file, or one that is the end of another; then they are called by it, before as after.

use super::edit::{set_word, splice};
use super::layout::Contents;
use super::pieces::{PieceKind, Pieces};
use super::relocation::Relocation;
use super::shader::{Form, Shader};
use super::structure::{Member, ShaderKind, TableKind};
use crate::shared::names::{Content, Element, Joins, Key, Put, Slot, Thing, no_text};
use crate::shared::{FieldEncoding, opaque::escape};
use std::collections::{BTreeMap, BTreeSet};
use unshade_bytes::{Endian, Error, ErrorKind, Result};
use unshade_stage::latte::VarType;

/// Vectors of one uniform that are looked at: the constant file has 256.
const VECTORS: u32 = 256;

/// What the structure at `base` of a file has names for. `number` is that of the structure among those of its file.
pub(crate) fn things(shader: &Shader<'_>, base: u64, owner: &str, number: usize) -> Vec<Thing> {
    let mut things = Vec::new();
    let names: BTreeSet<usize> = name_pieces(shader).into_keys().collect();
    let place = |pointer: u32| {
        let text = shader.form.text(pointer).filter(|at| names.contains(at));
        text.map(|at| base.saturating_add(at as u64))
    };
    let arrays = Arrays::of(shader, place);
    for table in shader.kind.tables().filter(|table| table.is_named()) {
        for (index, entry) in shader.entries(table).enumerate() {
            let Some(own) = shader.text(entry.word(0)) else { continue };
            let text = place(entry.word(0));
            let thing = |tail| Thing::new(owner, table.name(), own).tail(tail).joins(Joins::Unowned);
            let field = |index: usize| {
                let at = entry.offset.saturating_add(index.saturating_mul(4));
                let bytes = shader.form.bytes(entry.word(index));
                let at = base.saturating_add(at as u64);
                Content::number(Slot::new(at, &bytes, FieldEncoding::Number, shader.form.endian))
            };
            let named = thing("").texts(text);
            match table {
                // Rows of elements belong to their array.
                TableKind::Uniforms if arrays.elements.contains(&index) => continue,
                TableKind::Uniforms => {
                    let followers = arrays.followers.get(&index).cloned().unwrap_or_default();
                    let named = Thing { followers, ..named };
                    let value = initial(shader, base, number, &|index| entry.word(index));
                    things.push(named.value(value));
                    continue;
                }
                _ => things.push(named),
            }
            match table {
                TableKind::Blocks => things.push(thing(".offset").value(field(1))),
                TableKind::Samplers => things.push(thing(".location").value(field(2))),
                TableKind::Attributes => things.push(thing(".location").value(field(3))),
                _ => {}
            }
        }
    }
    things.extend(handed_on(shader, base, owner));
    things
}

/// Uniforms whose elements have rows of their own.
#[derive(Default)]
struct Arrays {
    /// Numbers of the rows that are elements of an array with a row for the whole.
    elements: BTreeSet<usize>,
    /// For the row of the whole where the names of its elements stand, and what is behind its own name there.
    followers: BTreeMap<usize, Vec<(u64, Vec<u8>)>>,
}

impl Arrays {
    fn of(shader: &Shader<'_>, place: impl Fn(u32) -> Option<u64>) -> Self {
        let latte = shader.latte();
        let variables = latte.variables();
        let wholes: BTreeMap<usize, usize> = variables
            .rows
            .iter()
            .enumerate()
            .rev()
            .filter(|(_, part)| part.element.is_none())
            .map(|(row, part)| (part.variable, row))
            .collect();
        let pointers: Vec<u32> = shader.entries(TableKind::Uniforms).map(|entry| entry.word(0)).collect();
        let text = |row: usize| shader.text(*pointers.get(row)?);
        let mut arrays = Self::default();
        let elements =
            variables.rows.iter().enumerate().filter(|(_, part)| part.element.is_some() && part.fits);
        for (row, part) in elements {
            let Some(whole) = wholes.get(&part.variable) else { continue };
            arrays.elements.insert(row);
            let at = pointers.get(row).and_then(|pointer| place(*pointer));
            let behind = text(row).zip(text(*whole)).and_then(|(element, whole)| element.strip_prefix(whole));
            if let (Some(at), Some(behind)) = (at, behind) {
                arrays.followers.entry(*whole).or_default().push((at, behind.to_vec()));
            }
        }
        arrays
    }
}

/// The numbers by which a vertex program's parameters and a pixel program's inputs find each other.
fn handed_on(shader: &Shader<'_>, base: u64, owner: &str) -> Vec<Thing> {
    let count = |name| shader.named(name, 0);
    let thing = |kind: &str, index: u32, word: u16, byte: u64, value: u32| {
        // Of a word the lowest byte stands first or last.
        let byte = match shader.form.endian {
            Endian::Little => byte,
            Endian::Big => 3_u64.saturating_sub(byte),
        };
        let at = base.saturating_add(u64::from(word).saturating_mul(4)).saturating_add(byte);
        let slot = Slot::new(at, &[value as u8], FieldEncoding::Number, shader.form.endian);
        Thing::new(owner, kind, index.to_string().as_bytes()).value(Content::number(slot))
    };
    let mut things = Vec::new();
    if let Some(row) = shader.kind.row_named("SPI_VS_OUT_ID") {
        let parameters = super::registers::SPI_VS_OUT_CONFIG
            .get("VS_EXPORT_COUNT", count("SPI_VS_OUT_CONFIG"))
            .saturating_add(1)
            .min(count("num_spi_vs_out_id").saturating_mul(4))
            .min(u32::from(row.count).saturating_mul(4));
        for index in 0..parameters {
            let word = row.word.saturating_add((index / 4) as u16);
            let value = shader.word(word).checked_shr((index % 4).saturating_mul(8)).unwrap_or(0);
            things.push(thing("outputs", index, word, (index % 4).into(), value));
        }
    }
    if let Some(row) = shader.kind.row_named("SPI_PS_INPUT_CNTL") {
        for index in 0..count("num_spi_ps_input_cntl").min(row.count.into()) {
            let word = row.word.saturating_add(index as u16);
            things.push(thing("inputs", index, word, 0, shader.word(word)));
        }
    }
    things
}

/// The values that a uniform of the constant file starts with, vector by vector.
fn initial(shader: &Shader<'_>, base: u64, number: usize, word: &dyn Fn(usize) -> u32) -> Option<Content> {
    let (ty, count, offset, block) = (VarType(word(1)), word(2), word(3), word(4));
    // What lies in a block comes from a buffer.
    if i32::try_from(block).is_ok() && shader.mode() != 0 {
        return None;
    }
    let (_, columns, rows) = ty.shape()?;
    let vectors = columns.saturating_mul(count.max(1)).min(VECTORS);
    // Behind the last place that a word can say there is none.
    let places = (0..vectors).map_while(|vector| offset.checked_add(vector.checked_mul(4)?));
    let elements = places.map(|place| {
        let key = Key { owner: number, table: TableKind::InitialValues as usize, index: place as usize };
        let count = rows.clamp(1, 4) as usize;
        let value = shader.entries(TableKind::InitialValues).find(|value| value.word(4) == place);
        let slots = value.map(|value| {
            let slot = |index: usize| {
                let at = value.offset.saturating_add(index.saturating_mul(4));
                let bytes = shader.form.bytes(value.word(index));
                Slot::new(base.saturating_add(at as u64), &bytes, FieldEncoding::Float, shader.form.endian)
            };
            (0..count).map(slot).collect()
        });
        // What has more to say than the uniform takes stays where it is.
        let whole = value.is_none_or(|value| (count..4).all(|index| value.word(index) == 0));
        Element { slots: slots.unwrap_or_default(), count, key: whole.then_some(key) }
    });
    Some(Content::Numbers(elements.collect()))
}

/// The names in the data by their places, each with the entries that point into it: where, and how far behind its start.
fn name_pieces(shader: &Shader<'_>) -> BTreeMap<usize, Vec<usize>> {
    let pieces = Pieces::of(shader);
    let names = pieces.0.iter().filter(|piece| piece.kind == PieceKind::Name);
    let mut names: BTreeMap<usize, Vec<usize>> = names.map(|piece| (piece.at, Vec::new())).collect();
    for table in shader.kind.tables().filter(|table| table.is_named()) {
        for entry in shader.entries(table) {
            let Some(at) = shader.form.text(entry.word(0)) else { continue };
            if let Some((start, inner)) = names.range_mut(..=at).next_back() {
                inner.push(at.saturating_sub(*start));
            }
        }
    }
    names
}

/// Puts other names in place of those at these offsets of the data.
///
/// # Errors
/// Where no name starts there; [`ErrorKind::Unrepresentable`] where an offset does not fit its field any more, and
/// where another entry has the end of a name that would not be there any more.
pub(crate) fn set_texts(
    kind: ShaderKind,
    form: Form,
    data: &mut Vec<u8>,
    texts: &BTreeMap<usize, Vec<u8>>,
) -> Result<()> {
    let shader = Shader::new(kind, form, data).ok_or_else(|| no_text(0))?;
    if let Some(changed) = laid_out_anew(&shader, texts)? {
        *data = changed;
        return Ok(());
    }
    // From the back, so that the others keep their places.
    for (&at, text) in texts.iter().rev() {
        let shader = Shader::new(kind, form, data).ok_or_else(|| no_text(at as u64))?;
        let names = name_pieces(&shader);
        let inner = names.get(&at).ok_or_else(|| no_text(at as u64))?;
        let rest = data.get(at..).unwrap_or_default();
        let len = rest.iter().position(|&byte| byte == 0).unwrap_or(rest.len());
        let old = rest.get(..len).unwrap_or_default();
        // What others have stays: the end of the name from where the first of them starts.
        let kept = inner.iter().filter(|inner| **inner > 0).min().and_then(|inner| old.get(*inner..));
        let kept = kept.unwrap_or_default().to_vec();
        let Some(front) = text.strip_suffix(kept.as_slice()) else {
            let expected = format!("a name that ends in \"{}\", which another entry has", escape(&kept));
            let found = format!("\"{}\"", escape(text));
            return Err(
                Error::new(ErrorKind::Unrepresentable, at as u64, "name", expected, found).code("gx2.name")
            );
        };
        let front_len = len.saturating_sub(kept.len());
        let filled = filled(&shader, at, len).filter(|_| kept.is_empty());
        let (end, mut front) = (at.saturating_add(front_len), front.to_vec());
        let end = match filled {
            // Zeros that fill a name up to a multiple of 4 go with it.
            Some(filled) => {
                front.push(0);
                front.resize(front.len().next_multiple_of(4), 0);
                at.saturating_add(filled)
            }
            None => end,
        };
        exchange(kind, form, data, at..end, &front)?;
    }
    Ok(())
}

/// How many bytes a name takes with NUL and zeros up to a multiple of 4, where names lie so and nothing else is there.
fn filled(shader: &Shader<'_>, at: usize, len: usize) -> Option<usize> {
    let taken = len.saturating_add(1).next_multiple_of(4);
    let end = at.saturating_add(taken);
    let zeros = shader.data.get(at.saturating_add(len)..end)?.iter().all(|&byte| byte == 0);
    let free = Pieces::of(shader).0.iter().all(|piece| piece.at <= at || piece.at >= end);
    (shader.form.tagged && at.is_multiple_of(4) && zeros && free).then_some(taken)
}

/// The data with other names, where it is laid out as known writers do; `None` where it is not.
fn laid_out_anew(shader: &Shader<'_>, texts: &BTreeMap<usize, Vec<u8>>) -> Result<Option<Vec<u8>>> {
    if !shader.form.tagged {
        return Ok(None);
    }
    let Some((mut contents, style)) = Contents::with_style(shader) else { return Ok(None) };
    let mut found = BTreeSet::new();
    for table in shader.kind.tables().filter(|table| table.is_named()) {
        let Some(entries) = contents.tables.get_mut(table as usize) else { continue };
        for (entry, stored) in entries.iter_mut().zip(shader.entries(table)) {
            let Some(at) = shader.form.text(stored.word(0)) else { continue };
            if let Some(text) = texts.get(&at) {
                entry.name = Some(text.clone());
                found.insert(at);
            }
        }
    }
    if let Some(missing) = texts.keys().find(|at| !found.contains(*at)) {
        return Err(no_text(*missing as u64));
    }
    contents.to_header(style).map(Some)
}

/// Puts other bytes in place of a range, and lets all pointers follow: those of the structure, of its names, and in a
/// shader header those of the trailer and of the table of pointers.
fn exchange(
    kind: ShaderKind,
    form: Form,
    data: &mut Vec<u8>,
    range: std::ops::Range<usize>,
    with: &[u8],
) -> Result<()> {
    let relocation =
        if form.tagged { Relocation::of(data).map(|found| (found.trailer, found.patches_at)) } else { None };
    let patches: Vec<u32> = match form.tagged {
        true => Relocation::of(data).map(|found| found.patches().collect()).unwrap_or_default(),
        false => Vec::new(),
    };
    let moved = |offset: usize| match offset >= range.end {
        true => offset.saturating_sub(range.len()).saturating_add(with.len()),
        false => offset,
    };
    let longest = moved(data.len());
    if form.tagged && longest > (!Form::TAG) as usize {
        let (expected, found) = ("at most 0x100000 bytes, which pointers reach", format!("{longest:#x}"));
        return Err(Error::new(ErrorKind::Unrepresentable, 0, "data", expected, found).code("gx2.name"));
    }
    splice(kind, form, data, range.clone(), with)?;
    let Some((mut trailer, patches_at)) = relocation else { return Ok(()) };
    let place = |pointer: u32| match form.data(pointer) {
        Some(offset) => form.data_pointer(u32::try_from(moved(offset)).unwrap_or(u32::MAX)),
        None => pointer,
    };
    let size = |start: usize, size: u32| {
        let end = start.saturating_add(size as usize);
        u32::try_from(moved(end).saturating_sub(moved(start))).unwrap_or(u32::MAX)
    };
    if let Some(start) = form.data(trailer.data) {
        trailer.data_size = size(start, trailer.data_size);
    }
    if let Some(start) = form.data(trailer.text) {
        trailer.text_size = size(start, trailer.text_size);
    }
    (trailer.data, trailer.text) = (place(trailer.data), place(trailer.text));
    trailer.patches = place(trailer.patches);
    let at = data.len().saturating_sub(trailer.to_bytes().len());
    if let Some(place) = data.get_mut(at..) {
        place.copy_from_slice(&trailer.to_bytes());
    }
    for (index, patch) in patches.into_iter().enumerate().filter(|(_, patch)| *patch != 0) {
        let offset = u32::try_from(moved((patch & !Form::TAG) as usize)).unwrap_or(u32::MAX);
        let place = patches_at.map(|at| moved(at).saturating_add(index.saturating_mul(4)));
        if let Some(place) = place {
            set_word(form, data, place, patch & Form::TAG | offset);
        }
    }
    Ok(())
}

/// Brings initial values in, in the order of their places, and takes them out.
///
/// # Errors
/// [`ErrorKind::BadValue`] for what is no float; [`ErrorKind::Unrepresentable`] where the structure is laid out in a way
/// that no known writer has, so that a table could not grow.
pub(crate) fn put(kind: ShaderKind, form: Form, data: &mut Vec<u8>, puts: &[&Put]) -> Result<()> {
    for put in puts {
        let shader = Shader::new(kind, form, data).ok_or_else(|| no_text(0))?;
        let place = u32::try_from(put.key.index).unwrap_or(u32::MAX);
        let table = TableKind::InitialValues;
        let entries: Vec<(usize, u32)> =
            shader.entries(table).map(|entry| (entry.offset, entry.word(4))).collect();
        let size = table.entry_size();
        let (range, bytes) = match &put.values {
            None => {
                let Some((at, _)) = entries.iter().find(|(_, known)| *known == place) else { continue };
                (*at..at.saturating_add(size), Vec::new())
            }
            Some(values) => {
                let mut bytes = Vec::with_capacity(size);
                for index in 0..4 {
                    let text = values.get(index).map_or("0", String::as_str);
                    let float =
                        FieldEncoding::Float.encode(text, &[0; 4], form.endian).map_err(|refusal| {
                            Error::new(
                                ErrorKind::BadValue,
                                0,
                                "initial_values",
                                refusal.expected,
                                refusal.found,
                            )
                            .code("edit.value")
                        })?;
                    bytes.extend(float);
                }
                bytes.extend(form.bytes(place));
                let behind = entries.iter().find(|(_, known)| *known > place).map(|(at, _)| *at);
                let last = entries.last().map(|(at, _)| at.saturating_add(size));
                let at = behind.or(last).unwrap_or_else(|| first_place(&shader));
                (at..at, bytes)
            }
        };
        let count = entries.len();
        grow(kind, form, data, (range, &bytes), count)?;
    }
    Ok(())
}

/// Where a table of initial values goes that has no entries yet: behind the tables that writers put in front of it.
fn first_place(shader: &Shader<'_>) -> usize {
    let ends = [TableKind::Blocks, TableKind::Uniforms].into_iter().filter_map(|table| {
        let (at, bytes) = shader.table(table)?;
        Some(at.saturating_add(bytes.len()))
    });
    ends.max().unwrap_or(shader.kind.size())
}

/// Lets the table of initial values, which has `count` entries, grow or shrink by one.
fn grow(
    kind: ShaderKind,
    form: Form,
    data: &mut Vec<u8>,
    (range, bytes): (std::ops::Range<usize>, &[u8]),
    count: usize,
) -> Result<()> {
    let table = TableKind::InitialValues;
    let shader = Shader::new(kind, form, data).ok_or_else(|| no_text(0))?;
    if form.tagged {
        // The table of pointers has one for a table that is not empty; so the whole header is laid out again.
        let Some((mut contents, style)) = Contents::with_style(&shader) else {
            let expected = "a header as known writers lay it out, in which a table can grow";
            let found = "another layout";
            return Err(Error::new(ErrorKind::Unrepresentable, 0, "initial_values", expected, found)
                .code("gx2.layout"));
        };
        let first = shader.table(table).map_or(range.start, |(at, _)| at);
        let index = range.start.saturating_sub(first).checked_div(table.entry_size()).unwrap_or(0);
        if let Some(entries) = contents.tables.get_mut(table as usize) {
            if bytes.is_empty() {
                entries.remove(index.min(entries.len().saturating_sub(1)));
            } else {
                let words = bytes.as_chunks().0.iter().map(|word| form.word(*word)).collect();
                let entry = super::layout::EntryContents { name: None, words };
                entries.insert(index.min(entries.len()), entry);
            }
        }
        *data = contents.to_header(style)?;
        return Ok(());
    }
    let start = shader.table(table).map_or(range.start, |(at, _)| at);
    splice(kind, form, data, range, bytes)?;
    let count = if bytes.is_empty() { count.saturating_sub(1) } else { count.saturating_add(1) };
    let number = |number: usize| {
        u32::try_from(number).map_err(|_| {
            Error::new(ErrorKind::Unrepresentable, 0, "initial_values", "32 bits", number.to_string())
        })
    };
    super::edit::set_member(kind, form, data, Member::Count(table), number(count)?);
    let pointer = if count == 0 { 0 } else { form.data_pointer(number(start)?) };
    super::edit::set_member(kind, form, data, Member::Pointer(table), pointer);
    Ok(())
}
