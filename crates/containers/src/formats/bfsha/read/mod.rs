//! From bytes to the model: from the header along every pointer.

mod targets;

pub(super) use targets::dictionary_values;

use super::model::{Bfsha, Object, Role};
use super::raw::{self, MAGIC, MAJORS, Model, Program, Resource};
use super::wiiu::{self, WiiUShader, WiiUStage};
use crate::formats::switch::layout::Map;
use crate::formats::switch::{
    Dictionary, Fields, Form, Image, Loader, Look, Numbers, Object as NxObject, Relocation, Shared,
    SharedMut, StringPool, Target, Visitor, header, strings::stray,
};
use crate::shared::{Name, Opaque};
use targets::{entries, model_targets, wiiu_model_targets};
use unshade_bytes::{Error, ErrorKind, Result, Under};

/// What there is to read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// File header.
    Header,
    /// The archive.
    Archive,
    /// A shading model.
    Model,
    /// An option.
    Option,
    /// So many numbers of choices.
    Values(u64),
    /// So many attributes.
    Attributes(u64),
    /// A sampler or an image.
    Sampler,
    /// A block.
    Block,
    /// A variable.
    Variable,
    /// A program, whose tables have so many columns and rows.
    Program(u8, [u8; 4]),
    /// So many words of keys.
    Keys(u64),
    /// Where symbols are, and so many of each resource.
    SymbolInfo([u16; 4]),
    /// So many symbols.
    Symbols(u64),
    /// So many locations.
    Locations(u64),
    /// Names.
    Dictionary,
    /// The strings; of the Wii U so many bytes.
    Strings(Option<u64>),
    /// The relocation table.
    Relocation,
    /// Shaders.
    Bnsh,
    /// So many bytes.
    Blob(Role, u64),
    /// Up to the next structure, once that is known.
    Raw(Option<u64>),
    /// File header of the Wii U.
    WiiUHeader,
    /// A shading model of the Wii U.
    WiiUModel,
    /// An option of the Wii U.
    WiiUOption,
    /// So many attributes of the Wii U.
    WiiUAttributes(u64),
    /// A sampler of the Wii U.
    WiiUSampler,
    /// A uniform block of the Wii U.
    WiiUBlock,
    /// A variable of the Wii U.
    WiiUVariable,
    /// A program of the Wii U.
    WiiUProgram,
    /// So many locations of the Wii U.
    WiiULocations(u64),
    /// A GX2 structure.
    WiiUShader(WiiUStage),
}

fn deferred(kind: Kind, room: u64) -> Option<Kind> {
    match kind {
        Kind::Raw(_) => Some(Kind::Raw(Some(room))),
        _ => None,
    }
}

/// Reads a BFSHA of the Switch or the Wii U.
///
/// # Errors
/// Where the header is not that of a BFSHA, its version is not known, its size is not there, a pointer or a
/// count leads out of the file, or two structures share bytes.
pub fn read(bytes: &[u8]) -> Result<Bfsha> {
    let (form, size) = form(bytes)?;
    let first = if form.relative { Kind::WiiUHeader } else { Kind::Header };
    let (file, trailing) = bytes.split_at_checked(usize::try_from(size).unwrap_or(0)).unwrap_or((bytes, &[]));
    let first = Target { name: "header", index: None, at: 0, kind: first };
    let image = Image::read(form, file, vec![first], deferred).code("bfsha.structure")?;
    Ok(Bfsha { image, trailing: Opaque(trailing.to_vec()) })
}

/// How a file is stored, and how long it says that it is.
pub(super) fn form(bytes: &[u8]) -> Result<(Form, u64)> {
    if !bytes.starts_with(&MAGIC) {
        return wiiu_form(bytes);
    }
    let (form, size) = header::form(bytes, &MAGIC)?;
    if !MAJORS.contains(&form.major) {
        let found = format!("version {}.{}", form.major, form.minor);
        return Err(version("a version from 3 to 9, whose layouts are known", found));
    }
    Ok((form, size))
}

fn version(expected: &'static str, found: String) -> Error {
    Error::new(ErrorKind::Unsupported, 8, "header.version", expected, found).code("bfsha.version")
}

/// How a Wii U file is stored, and how long it says that it is.
fn wiiu_form(bytes: &[u8]) -> Result<(Form, u64)> {
    let Some(header) = bytes.first_chunk::<0x38>() else {
        let found = format!("{} bytes", bytes.len());
        return Err(
            Error::new(ErrorKind::Truncated, 0, "header", "a header of 56 bytes", found).code("nx.truncated")
        );
    };
    if !header.starts_with(&wiiu::MAGIC) {
        let found = format!("\"{}\"", header.get(..8).unwrap_or_default().escape_ascii());
        return Err(Error::new(ErrorKind::BadMagic, 0, "header.magic", "\"FSHA\"", found).code("nx.magic"));
    }
    let mark = [header[8], header[9]];
    if mark != [0xFE, 0xFF] {
        let found = format!("{:02x} {:02x}", mark[0], mark[1]);
        let expected = "the byte order mark FE FF (big endian), as files of the Wii U have";
        return Err(Error::new(ErrorKind::BadValue, 8, "header.byte_order_mark", expected, found)
            .code("nx.byte-order"));
    }
    let (major, minor) = (u16::from(header[4]), header[5]);
    if !(3..=4).contains(&major) {
        return Err(version("a Wii U version 3 or 4", format!("version {major}.{minor}")));
    }
    let size = u32::from_be_bytes([header[12], header[13], header[14], header[15]]);
    if size as usize > bytes.len() {
        let expected = format!("{size} bytes, as the header says");
        let found = format!("{} bytes", bytes.len());
        return Err(
            Error::new(ErrorKind::Truncated, 12, "header.file_size", expected, found).code("nx.truncated")
        );
    }
    Ok((Form { big_endian: true, relative: true, major, minor }, size.into()))
}

/// How long a BFSHA says that it is, where its header is one.
pub fn size(bytes: &[u8]) -> Option<u64> {
    form(bytes).ok().map(|(_, size)| size)
}

fn list<T: Default + Clone>(loader: &mut Loader<'_>, count: u64, size: u64) -> Result<Vec<T>> {
    let mut list = Vec::new();
    loader.entries(&mut list, count, size)?;
    Ok(list)
}

impl NxObject for Object {
    type Kind = Kind;

    fn load(kind: Kind, loader: &mut Loader<'_>) -> Result<Self> {
        let mut object = match kind {
            Kind::Header => Self::Header(Box::default()),
            Kind::Archive => Self::Archive(Box::default()),
            Kind::Model => Self::Model(Box::default()),
            Kind::Option => Self::Option(Box::default()),
            Kind::Values(count) => return loader.numbers("value", count).map(Self::Values),
            Kind::Attributes(count) => Self::Attributes(list(loader, count, 2)?),
            Kind::Sampler => Self::Sampler(Default::default()),
            Kind::Block => Self::Block(Box::default()),
            Kind::Variable => Self::Variable(Default::default()),
            Kind::Program(columns, rows) => {
                Self::Program(Box::new(Program { columns, rows, ..Program::default() }))
            }
            Kind::Keys(count) => return loader.numbers("word", count).map(Self::Keys),
            Kind::SymbolInfo(counts) => {
                Self::SymbolInfo(Box::new(raw::SymbolInfo { counts, ..Default::default() }))
            }
            Kind::Symbols(count) => Self::Symbols(list(loader, count, 8)?),
            Kind::Locations(count) => {
                return loader
                    .numbers("location", count)
                    .map(crate::formats::bnsh::signed)
                    .map(Self::Locations);
            }
            Kind::Dictionary => Self::Dictionary(Dictionary::default()),
            Kind::Strings(None) => return StringPool::load(loader).map(Self::Strings),
            Kind::Strings(Some(size)) => return StringPool::load_bare(loader, size).map(Self::Strings),
            Kind::Relocation => Self::Relocation(Relocation::default()),
            Kind::Bnsh => return embedded(loader),
            Kind::Blob(role, size) => {
                return loader.take("bytes", size).map(|bytes| Self::Blob(role, bytes.to_vec().into()));
            }
            Kind::Raw(room) => {
                let room = room.unwrap_or(0);
                return loader.take("record", room).map(|bytes| Self::Raw(bytes.to_vec().into()));
            }
            Kind::WiiUHeader => Self::WiiUHeader(Box::default()),
            Kind::WiiUModel => Self::WiiUModel(Box::default()),
            Kind::WiiUOption => Self::WiiUOption(Box::default()),
            Kind::WiiUAttributes(count) => Self::WiiUAttributes(list(loader, count, 4)?),
            Kind::WiiUSampler => Self::WiiUSampler(Default::default()),
            Kind::WiiUBlock => Self::WiiUBlock(Box::default()),
            Kind::WiiUVariable => Self::WiiUVariable(Box::default()),
            Kind::WiiUProgram => Self::WiiUProgram(Box::default()),
            Kind::WiiULocations(count) => Self::WiiULocations(list(loader, count, 1)?),
            Kind::WiiUShader(stage) => Self::WiiUShader(Box::new(WiiUShader::new(stage))),
        };
        object.visit(loader)?;
        Ok(object)
    }

    fn visit(&mut self, v: &mut dyn Visitor) -> Result<()> {
        match self {
            Self::Header(record) => record.visit(v),
            Self::Archive(record) => record.visit(v),
            Self::Model(record) => record.visit(v),
            Self::Option(record) => record.visit(v),
            Self::Values(values) => values.iter_mut().try_for_each(|value| v.u32("value", value)),
            Self::Attributes(attributes) => {
                for (index, attribute) in attributes.iter_mut().enumerate() {
                    v.enter("attributes", index as u64);
                    v.u8("index", &mut attribute.index)?;
                    v.i8("location", &mut attribute.location)?;
                    v.leave();
                }
                Ok(())
            }
            Self::Sampler(record) => record.visit(v),
            Self::Block(record) => record.visit(v),
            Self::Variable(record) => record.visit(v),
            Self::Program(record) => record.visit(v),
            Self::Keys(words) => words.iter_mut().try_for_each(|word| v.bits32("word", word)),
            Self::SymbolInfo(record) => record.visit(v),
            Self::Symbols(symbols) => symbols.iter_mut().try_for_each(|symbol| v.text("symbol", symbol)),
            Self::Locations(all) => all.iter_mut().try_for_each(|location| v.i32("location", location)),
            Self::Dictionary(dictionary) => dictionary.visit(v),
            Self::Strings(pool) => pool.visit(v),
            Self::Relocation(table) => table.visit(v),
            Self::Text(text) => visit_text(text, v),
            Self::WiiUHeader(record) => record.visit(v),
            Self::WiiUModel(record) => record.visit(v),
            Self::WiiUOption(record) => record.visit(v),
            Self::WiiUAttributes(attributes) => {
                for (index, attribute) in attributes.iter_mut().enumerate() {
                    v.enter("attributes", index as u64);
                    v.u8("index", &mut attribute.index)?;
                    v.u8("kind", &mut attribute.kind)?;
                    v.u8("count", &mut attribute.count)?;
                    v.i8("location", &mut attribute.location)?;
                    v.leave();
                }
                Ok(())
            }
            Self::WiiUSampler(record) => record.visit(v),
            Self::WiiUBlock(record) => record.visit(v),
            Self::WiiUVariable(record) => record.visit(v),
            Self::WiiUProgram(record) => record.visit(v),
            Self::WiiULocations(all) => all.iter_mut().try_for_each(|location| v.i8("location", location)),
            Self::WiiUShader(record) => record.visit(v),
            Self::Bnsh(_) | Self::Blob(..) | Self::Raw(_) | Self::Unknown(_) => Ok(()),
        }
    }

    fn bytes(&self) -> Option<&[u8]> {
        match self {
            Self::Blob(_, bytes) | Self::Raw(bytes) | Self::Unknown(bytes) => Some(bytes),
            _ => None,
        }
    }

    fn numbers(&self) -> Option<Numbers<'_>> {
        match self {
            Self::Values(numbers) | Self::Keys(numbers) => Some(Numbers::Unsigned(numbers)),
            Self::Locations(numbers) => Some(Numbers::Signed(numbers)),
            _ => None,
        }
    }

    fn embedded(&self, before: Vec<u8>) -> Result<Vec<u8>> {
        match self {
            Self::Bnsh(bnsh) => bnsh.write_behind(before),
            _ => Ok(before),
        }
    }

    fn embedded_len(&self) -> Option<u64> {
        match self {
            Self::Bnsh(bnsh) => Some(bnsh.len()),
            _ => None,
        }
    }

    fn bytes_len(kind: Kind) -> Option<u64> {
        match kind {
            Kind::Blob(_, size) => Some(size),
            _ => None,
        }
    }

    fn extend(&mut self, bytes: &[u8]) {
        if let Self::Blob(_, known) = self {
            known.0 = bytes.to_vec();
        }
    }

    fn targets(&self, at: u64, look: &dyn Look, out: &mut Vec<Target<Kind>>) {
        let form = look.form();
        match self {
            Self::Header(header) => {
                out.extend(Target::one("strings", header.strings, Kind::Strings(None)));
                out.extend(Target::one("archive", header.archive, Kind::Archive));
                out.extend(Target::one("relocation", header.file.relocation, Kind::Relocation));
            }
            Self::Archive(archive) => {
                let [models, names] = [archive.models, archive.dictionary];
                entries(
                    "models",
                    models,
                    archive.model_count.into(),
                    Model::len(form),
                    Kind::Model,
                    look,
                    out,
                );
                out.extend(Target::one("model_names", names, Kind::Dictionary));
            }
            Self::Model(model) => model_targets(model, look, out),
            Self::Option(option) => {
                out.extend(Target::one("choices", option.choices, Kind::Dictionary));
                let count = option.choice_count.into();
                out.extend(Target::one("values", option.values, Kind::Values(count)));
            }
            Self::Block(block) => {
                let (count, len) = (block.count.into(), raw::VARIABLE_LEN);
                entries("variables", block.variables, count, len, Kind::Variable, look, out);
                out.extend(Target::one("variable_names", block.dictionary, Kind::Dictionary));
                let size = block.size.into();
                out.extend(Target::one("defaults", block.defaults, Kind::Blob(Role::Defaults, size)));
            }
            Self::Program(program) => {
                for resource in Resource::of(form) {
                    let index = resource.index();
                    let at = program.tables.get(index).copied().unwrap_or_default();
                    let rows = program.counts.get(index).copied().unwrap_or(0);
                    let known = program.rows.get(index).copied().unwrap_or(0);
                    let count = u64::from(rows.min(known.into())).saturating_mul(program.columns.into());
                    out.extend(Target::one(resource.name(), at, Kind::Locations(count)));
                }
                out.extend(Target::one("extra", program.extra, Kind::Raw(None)));
            }
            Self::SymbolInfo(info) => {
                for resource in Resource::of(form) {
                    let index = resource.index();
                    let at = info.tables.get(index).copied().unwrap_or_default();
                    let count = info.counts.get(index).copied().unwrap_or(0).into();
                    out.extend(Target::one(resource.name(), at, Kind::Symbols(count)));
                }
                if info.stream_out_count > 0 {
                    out.extend(Target::one("stream_outs", info.stream_outs, Kind::Raw(None)));
                }
            }
            Self::WiiUHeader(header) => {
                let size = header.strings_size.into();
                out.extend(Target::one("strings", header.strings, Kind::Strings(Some(size))));
                out.extend(Target::one("model_names", header.models, Kind::Dictionary));
                for (index, at) in dictionary_values(header.models, look).into_iter().enumerate() {
                    if let Some(at) = at.get() {
                        out.push(Target::entry("models", index as u64, at, Kind::WiiUModel));
                    }
                }
            }
            Self::WiiUModel(model) => wiiu_model_targets(model, look, out),
            Self::WiiUOption(option) => {
                out.extend(Target::one("choices", option.choices, Kind::Dictionary));
                let count = option.choice_count.into();
                out.extend(Target::one("values", option.values, Kind::Values(count)));
            }
            Self::WiiUBlock(block) => {
                out.extend(Target::one("variable_names", block.dictionary, Kind::Dictionary));
                for (index, at) in dictionary_values(block.dictionary, look).into_iter().enumerate() {
                    if let Some(at) = at.get() {
                        out.push(Target::entry("variables", index as u64, at, Kind::WiiUVariable));
                    }
                }
                let size = block.size.into();
                out.extend(Target::one("defaults", block.defaults, Kind::Blob(Role::Defaults, size)));
            }
            Self::WiiUProgram(program) => {
                let columns = if form.major >= 4 { 4 } else { 3 };
                let tables = ["samplers", "uniform_blocks"].iter().zip(program.tables).zip(program.counts);
                let wide = program.wide_tables(columns, |at, len| look.record(at, len));
                for ((name, at), rows) in tables {
                    let count = u64::from(rows).saturating_mul(columns);
                    let kind = if wide { Kind::Locations(count) } else { Kind::WiiULocations(count) };
                    out.extend(Target::one(name, at, kind));
                }
                for ((name, at), stage) in WiiUStage::NAMES.iter().zip(program.shaders).zip(WiiUStage::ALL) {
                    out.extend(Target::one(name, at, Kind::WiiUShader(stage)));
                }
            }
            Self::WiiUShader(shader) => {
                let size = shader.code_size.into();
                out.extend(Target::one("code", shader.code, Kind::Blob(Role::Code, size)));
                let size = shader.copy_size.into();
                out.extend(Target::one("copy", shader.copy, Kind::Blob(Role::Code, size)));
            }
            _ => {
                let _ = at;
            }
        }
    }

    fn alignment(&self) -> u64 {
        match self {
            Self::Bnsh(_) => 0x1000,
            Self::Text(_) => 2,
            Self::Blob(Role::Code, _) => 0x100,
            Self::WiiUHeader(_) | Self::WiiUModel(_) | Self::WiiUOption(_) | Self::WiiUBlock(_) => 4,
            Self::WiiUSampler(_) | Self::WiiUVariable(_) | Self::WiiUProgram(_) | Self::WiiUShader(_) => 4,
            Self::WiiUAttributes(_) | Self::WiiULocations(_) => 4,
            _ => 8,
        }
    }

    fn label(&self) -> &'static str {
        match self {
            Self::Header(_) | Self::WiiUHeader(_) => "header",
            Self::Archive(_) => "archive",
            Self::Model(_) | Self::WiiUModel(_) => "model",
            Self::Option(_) | Self::WiiUOption(_) => "option",
            Self::Values(_) => "values",
            Self::Attributes(_) | Self::WiiUAttributes(_) => "attributes",
            Self::Sampler(_) | Self::WiiUSampler(_) => "sampler",
            Self::Block(_) | Self::WiiUBlock(_) => "block",
            Self::Variable(_) | Self::WiiUVariable(_) => "variable",
            Self::Program(_) | Self::WiiUProgram(_) => "program",
            Self::Keys(_) => "keys",
            Self::SymbolInfo(_) => "symbols",
            Self::Symbols(_) => "symbol_table",
            Self::Locations(_) | Self::WiiULocations(_) => "locations",
            Self::Dictionary(_) => "dictionary",
            Self::Strings(_) => "strings",
            Self::Text(_) => "text",
            Self::Relocation(_) => "relocation",
            Self::Bnsh(_) => "bnsh",
            Self::Blob(Role::Defaults, _) => "defaults",
            Self::Blob(Role::Code, _) => "code",
            Self::Raw(_) => "record",
            Self::Unknown(_) => "unknown",
            Self::WiiUShader(_) => "shader",
        }
    }

    fn gap(bytes: &[u8]) -> Self {
        Self::Unknown(bytes.to_vec().into())
    }

    fn stray_text(form: Form, loader: &mut Loader<'_>) -> Result<Self> {
        stray(form, loader).map(Self::Text)
    }

    fn shared(&self) -> Option<Shared<'_>> {
        Some(match self {
            Self::Text(text) => Shared::Text(text),
            Self::Strings(pool) => Shared::Strings(pool),
            Self::Dictionary(dictionary) => Shared::Dictionary(dictionary),
            Self::Relocation(table) => Shared::Relocation(table),
            _ => return None,
        })
    }

    fn shared_mut(&mut self) -> Option<SharedMut<'_>> {
        Some(match self {
            Self::Strings(pool) => SharedMut::Strings(pool),
            Self::Dictionary(dictionary) => SharedMut::Dictionary(dictionary),
            Self::Relocation(table) => SharedMut::Relocation(table),
            _ => return None,
        })
    }

    fn rescale(&mut self, at: u64, map: &Map) {
        match self {
            Self::Header(header) => header.rescale(map),
            Self::WiiUHeader(header) => header.rescale(map),
            Self::WiiUModel(model) => model.rescale(at, map),
            Self::Relocation(table) => table.rescale(map),
            Self::Strings(pool) => pool.rescale(at, map),
            _ => {}
        }
    }

    fn is_raw(&self) -> bool {
        matches!(self, Self::Raw(_) | Self::Unknown(_))
    }

    fn raw_mut(&mut self) -> Option<&mut [u8]> {
        match self {
            Self::Raw(bytes) | Self::Unknown(bytes) => Some(&mut bytes.0),
            _ => None,
        }
    }
}

/// A string with its length and its NUL.
fn visit_text(text: &Name, v: &mut dyn Visitor) -> Result<()> {
    if v.form().relative {
        let mut len = u32::try_from(text.len()).unwrap_or(u32::MAX);
        v.u32("length", &mut len)?;
    } else {
        let mut len = u16::try_from(text.len()).unwrap_or(u16::MAX);
        v.u16("length", &mut len)?;
    }
    let mut bytes = Opaque(text.0.clone());
    bytes.0.push(0);
    let size = bytes.len() as u64;
    v.string("text", size, &mut bytes, text)
}

/// A BNSH, which says itself how long it is.
fn embedded(loader: &mut Loader<'_>) -> Result<Object> {
    let at = loader.position();
    let rest = loader.peek(u64::MAX);
    let moved = |error: Error| error.moved(at);
    let (_, size) = header::form(rest, &crate::formats::bnsh::raw::MAGIC).map_err(moved)?;
    let bytes = loader.take("bnsh", size)?;
    crate::formats::bnsh::read(bytes).map(|bnsh| Object::Bnsh(Box::new(bnsh))).map_err(moved)
}
