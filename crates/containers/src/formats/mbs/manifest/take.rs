//! From the manifest to the model.

use super::form::{self, Flag, Float, Manifest, Precision, Type};
use crate::formats::mbs::layout::{self, Extents, STRUCT, StorageClass};
use crate::formats::mbs::model::{
    Code, FileChunk, Framebuffer, Index, Initial, Instructions, Mbs, Program, ProgramChunk, ProgramKind,
    RawChunk, Stack, Symbol, SymbolChunk, Table, TableEntry, TableKind, Tag, Uniforms,
};
use crate::formats::mbs::raw;
use crate::formats::mbs::view::type_named;
use crate::shared::opaque::{from_hex, unescape};
use crate::shared::parts::{Parts, bad, check_name, parse};
use crate::shared::{Name, Opaque};
use unshade_bytes::Result;

/// Names of the files that a manifest asks for.
pub(crate) fn wanted(text: &str) -> Result<Vec<String>> {
    let manifest: Manifest = parse(text, Parts::MANIFEST)?;
    let parts = manifest.chunk.iter().flat_map(|chunk| &chunk.part);
    let of_parts = parts.flat_map(|part| [&part.code, &part.stray, &part.file]);
    let of_chunks = manifest.chunk.iter().flat_map(|chunk| [&chunk.stray, &chunk.file]);
    let own = [&manifest.stray, &manifest.trailing];
    let names: Vec<String> = own.into_iter().chain(of_chunks).chain(of_parts).flatten().cloned().collect();
    names.iter().try_for_each(|name| check_name(name))?;
    Ok(names)
}

/// The model of a manifest and its files.
pub(crate) fn build(text: &str, parts: &Parts) -> Result<Mbs> {
    wanted(text)?;
    let manifest: Manifest = parse(text, Parts::MANIFEST)?;
    let chunks = manifest.chunk.iter().enumerate();
    let chunks = chunks.map(|(index, chunk)| file_chunk(chunk, parts, &format!("chunk[{index}]")));
    Ok(Mbs {
        size: manifest.size,
        chunks: chunks.collect::<Result<_>>()?,
        stray: bytes(manifest.stray.as_ref(), parts)?,
        trailing: bytes(manifest.trailing.as_ref(), parts)?,
    })
}

fn bytes(name: Option<&String>, parts: &Parts) -> Result<Opaque> {
    name.map_or_else(|| Ok(Opaque::default()), |name| Ok(Opaque(parts.file(name)?.to_vec())))
}

fn tag(text: &str, path: &str) -> Result<Tag> {
    unescape(text)
        .and_then(|bytes| bytes.try_into().ok())
        .map(Tag)
        .ok_or_else(|| bad(path, "a tag of four characters", format!("`{text}`")))
}

fn hex(text: &str, path: &str) -> Result<Opaque> {
    let bytes = from_hex(text).map(Opaque);
    bytes.ok_or_else(|| bad(path, "pairs of hexadecimal digits", format!("`{text}`")))
}

fn file_chunk(form: &form::Chunk, parts: &Parts, path: &str) -> Result<FileChunk> {
    let program = match (&form.program, &form.tag, &form.file) {
        (Some(program), None, None) => program,
        (None, Some(text), Some(file)) if form.core.is_none() && form.part.is_empty() => {
            let bytes = bytes(Some(file), parts)?;
            return Ok(FileChunk::Other(RawChunk { tag: tag(text, path)?, bytes }));
        }
        _ => return Err(bad(path, "a `program`, or `tag` and `file`", "none, or both")),
    };
    let kind = match program.as_str() {
        "vertex" => ProgramKind::Vertex,
        "fragment" => ProgramKind::Fragment,
        other => return Err(bad(path, "program vertex or fragment", format!("`{other}`"))),
    };
    let core = form.core.ok_or_else(|| bad(path, "a `core`", "none"))?;
    let chunks = form.part.iter().enumerate();
    let chunks =
        chunks.map(|(index, part)| program_chunk(part, kind, parts, &format!("{path}.part[{index}]")));
    let chunks = chunks.collect::<Result<_>>()?;
    Ok(FileChunk::Program(Program { kind, core, chunks, stray: bytes(form.stray.as_ref(), parts)? }))
}

fn program_chunk(form: &form::Part, program: ProgramKind, parts: &Parts, path: &str) -> Result<ProgramChunk> {
    let kinds = [
        form.stack.is_some(),
        form.discard.is_some(),
        form.framebuffer.is_some(),
        form.instructions.is_some(),
        form.uniforms.is_some(),
        form.attributes.is_some(),
        form.varyings.is_some(),
        form.code.is_some(),
        form.tag.is_some(),
    ];
    if kinds.iter().filter(|given| **given).count() != 1 {
        return Err(bad(
            path,
            "one of stack, discard, framebuffer, instructions, uniforms, attributes, varyings, code and tag",
            "none, or several",
        ));
    }
    let is_table = form.uniforms.is_some() || form.attributes.is_some() || form.varyings.is_some();
    let odd = (form.space.is_some() && form.uniforms.is_none())
        || (form.count.is_some() && !is_table)
        || (form.stray.is_some() && !is_table)
        || (form.file.is_some() != form.tag.is_some());
    if odd {
        return Err(bad(
            path,
            "`space` with uniforms, `count` and `stray` with tables, `file` with `tag`",
            "others",
        ));
    }
    let make = |kind, entries| table(program, kind, entries, form, parts, path);
    if let Some(stack) = &form.stack {
        return Ok(ProgramChunk::Stack(Stack { size: stack.size, offset: stack.offset }));
    }
    if let Some(word) = &form.discard {
        return Ok(ProgramChunk::Discard(flag(word)));
    }
    if let Some(bytes) = form.framebuffer {
        return Ok(ProgramChunk::Framebuffer(Framebuffer::from(bytes)));
    }
    if let Some(of) = &form.instructions {
        let (unknown_00, count, attribute_prefetch) = (of.unknown_00, of.count, of.attribute_prefetch);
        return Ok(ProgramChunk::Instructions(Instructions { unknown_00, count, attribute_prefetch }));
    }
    if let Some(entries) = &form.uniforms {
        let table = make(TableKind::Uniforms, entries)?;
        let space = form.space.unwrap_or_else(|| Extents::of(&table).space(&table));
        return Ok(ProgramChunk::Uniforms(Uniforms { space, table }));
    }
    if let Some(entries) = &form.attributes {
        return Ok(ProgramChunk::Attributes(make(TableKind::Attributes, entries)?));
    }
    if let Some(entries) = &form.varyings {
        return Ok(ProgramChunk::Varyings(make(TableKind::Varyings, entries)?));
    }
    if let Some(name) = &form.code {
        let bytes = parts.file(name)?;
        let stray = Opaque(bytes.as_chunks::<4>().1.to_vec());
        return Ok(ProgramChunk::Code(Code { words: raw::words(bytes).collect(), stray }));
    }
    let text = form.tag.as_deref().unwrap_or_default();
    Ok(ProgramChunk::Other(RawChunk { tag: tag(text, path)?, bytes: bytes(form.file.as_ref(), parts)? }))
}

fn flag(flag: &Flag) -> u32 {
    match flag {
        Flag::Truth(truth) => u32::from(*truth),
        Flag::Word(word) => *word,
    }
}

fn table(
    program: ProgramKind,
    kind: TableKind,
    forms: &[form::Entry],
    part: &form::Part,
    parts: &Parts,
    path: &str,
) -> Result<Table> {
    let mut entries = Vec::with_capacity(forms.len());
    for (index, form) in forms.iter().enumerate() {
        entries.push(entry(form, &format!("{path}.{}[{index}]", kind.name()))?);
    }
    let mut table = Table { count: part.count, entries, stray: bytes(part.stray.as_ref(), parts)? };
    let class = StorageClass::of(program, kind);
    let layout = layout::anew(class, &table);
    for (index, symbol) in table.symbols_mut() {
        let (Some(form), Some(sizes)) = (forms.get(index), layout.sizes.get(index)) else { continue };
        let fits = |size: u32| {
            let path = format!("{path}.{}[{index}]", kind.name());
            u16::try_from(size).map_err(|_| bad(path, "a size of at most 65535 floats", size.to_string()))
        };
        symbol.component_size = form.component_size.map_or_else(|| fits(sizes.component_size), Ok)?;
        symbol.stride = form.stride.map_or_else(|| fits(sizes.stride), Ok)?;
    }
    let missing: Vec<bool> =
        forms.iter().map(|form| form.tag.is_none() && form.offset.is_none() && !form.unused).collect();
    layout::place_missing(class, &mut table, &missing);
    Ok(table)
}

fn entry(form: &form::Entry, path: &str) -> Result<TableEntry> {
    match (&form.name, &form.tag, &form.bytes) {
        (Some(name), None, None) => Ok(TableEntry::Symbol(Box::new(symbol(form, name, path)?))),
        (None, Some(text), Some(bytes)) => {
            Ok(TableEntry::Other(RawChunk { tag: tag(text, path)?, bytes: hex(bytes, path)? }))
        }
        _ => Err(bad(path, "a `name`, or `tag` and `bytes`", "none, or both")),
    }
}

fn symbol(form: &form::Entry, name: &str, path: &str) -> Result<Symbol> {
    let name = unescape(name)
        .filter(|name| !name.contains(&0))
        .ok_or_else(|| bad(path, "a name whose backslashes are `\\\\` or `\\xNN`", format!("`{name}`")))?;
    let wrong = |text: &str| bad(path, "a type of GLSL like vec3, mat4 or sampler2D", format!("`{text}`"));
    let (kind, components) = match &form.ty {
        None => return Err(bad(path, "a `type`", "none")),
        Some(Type::Numbers([kind, components])) => {
            let kind =
                u8::try_from(*kind).map_err(|_| bad(path, "a type of at most 255", kind.to_string()))?;
            (kind, *components)
        }
        Some(Type::Name(text)) => {
            let (kind, components) = type_named(text).ok_or_else(|| wrong(text))?;
            (kind, form.members.filter(|_| kind == STRUCT).unwrap_or(components))
        }
    };
    if form.members.is_some() && kind != STRUCT {
        return Err(bad(path, "`members` with a struct", "another type"));
    }
    if form.unused && form.offset.is_some() {
        return Err(bad(path, "an `offset`, or `unused`", "both"));
    }
    let precision = match &form.precision {
        None => 3,
        Some(Precision::Number(number)) => *number,
        Some(Precision::Name(name)) => match name.as_str() {
            "lowp" => 1,
            "mediump" => 2,
            "highp" => 3,
            other => return Err(bad(path, "precision lowp, mediump or highp", format!("`{other}`"))),
        },
    };
    Ok(Symbol {
        name: Name(name),
        name_tail: form.name_tail.as_ref().map(|text| hex(text, path)).transpose()?,
        unknown_0: form.unknown_0.unwrap_or(2),
        kind,
        components,
        component_size: 0,
        entries: form.array.unwrap_or(0),
        stride: 0,
        dst_bits: form.dst_bits.unwrap_or(16),
        precision,
        invariant: form.invariant.as_ref().map_or(0, flag),
        offset: form.offset,
        parent: form.parent,
        chunks: symbol_chunks(form, path)?,
        stray: form.stray.as_ref().map_or_else(|| Ok(Opaque::default()), |text| hex(text, path))?,
    })
}

fn symbol_chunks(form: &form::Entry, path: &str) -> Result<Vec<SymbolChunk>> {
    let mut chunks = Vec::new();
    if let Some(forms) = &form.chunks {
        if form.index.is_some() || form.initial.is_some() {
            return Err(bad(path, "`chunks`, or `index` and `initial`", "both"));
        }
        for form in forms {
            chunks.push(match (&form.index, &form.initial, &form.tag, &form.bytes) {
                (Some(numbers), None, None, None) if form.count.is_none() => {
                    SymbolChunk::Index(index(numbers, path)?)
                }
                (None, Some(words), None, None) => SymbolChunk::Initial(initial(words, form.count, path)?),
                (None, None, Some(text), Some(bytes)) if form.count.is_none() => {
                    SymbolChunk::Other(RawChunk { tag: tag(text, path)?, bytes: hex(bytes, path)? })
                }
                _ => return Err(bad(path, "`index`, `initial`, or `tag` and `bytes` in a chunk", "others")),
            });
        }
        return Ok(chunks);
    }
    if let Some(numbers) = &form.index {
        chunks.push(SymbolChunk::Index(index(numbers, path)?));
    }
    if let Some(words) = &form.initial {
        chunks.push(SymbolChunk::Initial(initial(words, None, path)?));
    }
    Ok(chunks)
}

fn index(numbers: &[i64; 3], path: &str) -> Result<Index> {
    let word = |number: i64| match number {
        -1 => Ok(u32::MAX),
        number => u32::try_from(number)
            .map_err(|_| bad(path, "indices of 32 bits, or -1 for none", number.to_string())),
    };
    let [itdr, iyuv, igrd] = *numbers;
    Ok(Index { itdr: word(itdr)?, iyuv: word(iyuv)?, igrd: word(igrd)? })
}

fn initial(floats: &[Float], count: Option<u32>, path: &str) -> Result<Initial> {
    let word = |float: &Float| match float {
        Float::Value(value) => Ok((*value as f32).to_bits()),
        Float::Bits(text) => text
            .strip_prefix("0x")
            .and_then(|digits| u32::from_str_radix(digits, 16).ok())
            .ok_or_else(|| bad(path, "a float, or its bits as \"0x3f800000\"", format!("`{text}`"))),
    };
    Ok(Initial { count, words: floats.iter().map(word).collect::<Result<_>>()? })
}
