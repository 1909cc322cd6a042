//! From bytes to the model: from the header along every pointer.

use super::model::{Bnsh, Object, Role};
use super::raw::{
    CodeType, Container, Extension, MAGIC, POOL_OBJECT_LEN, Program, SourceCode, StageCode, StageReflection,
    TextTable, VARIATION_LEN,
};
use crate::formats::switch::layout::Map;
use crate::formats::switch::{
    Dictionary, Fields, Form, Image, Loader, Look, Numbers, Object as NxObject, Pointer, Relocation, Shared,
    SharedMut, StringPool, Target, Visitor, header, strings::stray,
};
use crate::shared::Opaque;
use unshade_bytes::{Error, ErrorKind, Result, Under};

/// What there is to read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// File header.
    Header,
    /// The block `grsc`.
    Container,
    /// A shader.
    Variation,
    /// A program.
    Program,
    /// A stage in machine code.
    StageCode,
    /// A control section in parts.
    Decomposed,
    /// A stage as text; with the bytes up to the next structure once they are known.
    SourceCode(Option<u64>),
    /// A stage as several texts.
    SourceArray,
    /// So many sizes.
    Sizes(u64),
    /// So many texts, whose sizes are there.
    TextTable(u64, Pointer),
    /// Reflection of the stages.
    Reflection,
    /// Reflection of a stage.
    StageReflection,
    /// More reflection of a stage.
    Extension,
    /// Names.
    Dictionary,
    /// So many slots.
    Slots(u64),
    /// The memory pool.
    Pool,
    /// The strings.
    Strings,
    /// The relocation table.
    Relocation,
    /// So many bytes.
    Blob(Role, u64),
    /// A record whose fields are not known; with the bytes up to the next structure once they are known.
    Raw(Option<u64>),
}

/// Bytes of a record whose layout is not known, where nothing else starts before.
const RAW_LEN: u64 = 0x40;

fn deferred(kind: Kind, room: u64) -> Option<Kind> {
    match kind {
        Kind::Raw(_) => Some(Kind::Raw(Some(room.min(RAW_LEN)))),
        Kind::SourceCode(_) => Some(Kind::SourceCode(Some(room.min(RAW_LEN)))),
        _ => None,
    }
}

/// Reads a BNSH.
///
/// # Errors
/// Where the header is not that of a BNSH, its size is not there, a pointer or a count leads out of the file,
/// or two structures share bytes.
pub fn read(bytes: &[u8]) -> Result<Bnsh> {
    let (form, size) = header::form(bytes, &MAGIC)?;
    let (file, trailing) = bytes.split_at_checked(usize::try_from(size).unwrap_or(0)).unwrap_or((bytes, &[]));
    let first = Target { name: "header", index: None, at: 0, kind: Kind::Header };
    let image = Image::read(form, file, vec![first], deferred).code("bnsh.structure")?;
    Ok(Bnsh { image, trailing: Opaque(trailing.to_vec()) })
}

/// How long a BNSH says that it is, where its header is one.
pub fn size(bytes: &[u8]) -> Option<u64> {
    header::form(bytes, &MAGIC).ok().map(|(_, size)| size)
}

fn list<T: Default + Clone>(loader: &mut Loader<'_>, count: u64, size: u64) -> Result<Vec<T>> {
    let mut list = Vec::new();
    loader.entries(&mut list, count, size)?;
    Ok(list)
}

/// The same bits with a sign.
pub(crate) fn signed(numbers: Vec<u32>) -> Vec<i32> {
    numbers.into_iter().map(|number| number as i32).collect()
}

impl NxObject for Object {
    type Kind = Kind;

    fn load(kind: Kind, loader: &mut Loader<'_>) -> Result<Self> {
        let mut object = match kind {
            Kind::Header => Self::Header(Box::default()),
            Kind::Container => Self::Container(Box::default()),
            Kind::Variation => Self::Variation(Box::default()),
            Kind::Program => Self::Program(Box::default()),
            Kind::StageCode => Self::StageCode(Box::default()),
            Kind::Decomposed => Self::Decomposed(Box::default()),
            Kind::SourceArray => Self::SourceArray(Box::default()),
            Kind::Sizes(count) => return loader.numbers("size", count).map(Self::Sizes),
            Kind::TextTable(count, sizes) => {
                Self::TextTable(Box::new(TextTable { texts: list(loader, count, 8)?, sizes }))
            }
            Kind::Slots(count) => return loader.numbers("slot", count).map(signed).map(Self::Slots),
            Kind::Reflection => Self::Reflection(Box::default()),
            Kind::StageReflection => Self::StageReflection(Box::default()),
            Kind::Extension => Self::Extension(Box::default()),
            Kind::Dictionary => Self::Dictionary(Dictionary::default()),
            Kind::Pool => Self::Pool(Box::default()),
            Kind::Relocation => Self::Relocation(Relocation::default()),
            Kind::Strings => return StringPool::load(loader).map(Self::Strings),
            Kind::Blob(role, size) => {
                return loader.take(role.name(), size).map(|bytes| Self::Blob(role, bytes.to_vec().into()));
            }
            Kind::Raw(room) => {
                let bytes = loader.take("record", room.unwrap_or(RAW_LEN))?;
                return Ok(Self::Raw(bytes.to_vec().into()));
            }
            Kind::SourceCode(room) => return source(loader, room.unwrap_or(RAW_LEN)),
        };
        let start = loader.position();
        object.visit(loader)?;
        if let Self::Container(container) = &object
            && container.block.signature != Container::SIGNATURE
        {
            let found = format!("\"{}\"", container.block.signature.escape_ascii());
            return Err(
                Error::new(ErrorKind::BadMagic, start, "signature", "\"grsc\"", found).code("bnsh.container")
            );
        }
        Ok(object)
    }

    fn visit(&mut self, v: &mut dyn Visitor) -> Result<()> {
        match self {
            Self::Header(record) => record.visit(v),
            Self::Container(record) => record.visit(v),
            Self::Variation(record) => record.visit(v),
            Self::Program(record) => record.visit(v),
            Self::StageCode(record) => record.visit(v),
            Self::Decomposed(record) => record.visit(v),
            Self::SourceCode(record) => record.visit(v),
            Self::SourceArray(record) => record.visit(v),
            Self::Sizes(sizes) => sizes.iter_mut().try_for_each(|size| v.u32("size", size)),
            Self::TextTable(table) => table.texts.iter_mut().try_for_each(|at| v.object("text", at)),
            Self::Slots(slots) => slots.iter_mut().try_for_each(|slot| v.i32("slot", slot)),
            Self::Reflection(record) => record.visit(v),
            Self::StageReflection(record) => record.visit(v),
            Self::Extension(record) => record.visit(v),
            Self::Dictionary(dictionary) => dictionary.visit(v),
            Self::Pool(record) => record.visit(v),
            Self::Strings(pool) => pool.visit(v),
            Self::Relocation(table) => table.visit(v),
            Self::Text(text) => {
                let mut len = u16::try_from(text.len()).unwrap_or(u16::MAX);
                v.u16("length", &mut len)?;
                let mut bytes = Opaque(text.0.clone());
                bytes.0.push(0);
                let size = bytes.len() as u64;
                v.string("text", size, &mut bytes, text)
            }
            Self::Blob(..) | Self::Raw(_) | Self::Unknown(_) => Ok(()),
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
            Self::Sizes(sizes) => Some(Numbers::Unsigned(sizes)),
            Self::Slots(slots) => Some(Numbers::Signed(slots)),
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
        match self {
            Self::Header(header) => {
                let first = Pointer(header.file.first_block.into());
                out.extend(Target::one("container", first, Kind::Container));
                out.extend(Target::one("relocation", header.file.relocation, Kind::Relocation));
            }
            Self::Container(container) => {
                // The pool comes first, so that strings outside of it can be told.
                if container.block.next != 0 {
                    let at = at.saturating_add(container.block.next.into());
                    out.extend(Target::one("strings", Pointer(at), Kind::Strings));
                }
                out.extend(Target::one("pool", container.pool, Kind::Pool));
                let first = container.variations.0;
                for index in 0..u64::from(container.variations_held()) {
                    let at = first.saturating_add(index.saturating_mul(VARIATION_LEN));
                    out.push(Target::entry("variations", index, at, Kind::Variation));
                    // A count that leads out of the file is found by the first entry behind its end.
                    if look.is_behind(at) {
                        break;
                    }
                }
            }
            Self::Variation(variation) => {
                out.extend(Target::one("source", variation.source, Kind::Program));
                out.extend(Target::one("intermediate", variation.intermediate, Kind::Program));
                out.extend(Target::one("binary", variation.binary, Kind::Program));
            }
            Self::Program(program) => program_targets(program, out),
            Self::StageCode(stage) => {
                out.extend(Target::one("code", stage.code, Kind::Blob(Role::Code, stage.code_size.into())));
                let size = stage.control_size.into();
                out.extend(Target::one("control", stage.control, Kind::Blob(Role::Control, size)));
                out.extend(Target::one("decomposed", stage.decomposed, Kind::Decomposed));
            }
            Self::Decomposed(parts) => {
                for (index, at, size) in parts.sizes(look) {
                    let name = super::raw::PARTS.get(index).copied().unwrap_or_default();
                    out.extend(Target::one(name, at, Kind::Blob(Role::Part, size)));
                }
            }
            Self::SourceCode(SourceCode::Short { size, code, .. }) => {
                out.extend(Target::one("text", *code, Kind::Blob(Role::Source, u64::from(*size))));
            }
            Self::SourceCode(SourceCode::Long(stage)) => {
                let size = stage.control_size.into();
                out.extend(Target::one("data_1", stage.control, Kind::Blob(Role::Source, size)));
                let size = stage.code_size.into();
                out.extend(Target::one("data_2", stage.code, Kind::Blob(Role::Source, size)));
            }
            Self::SourceArray(array) => {
                out.extend(Target::one("sizes", array.sizes, Kind::Sizes(array.count.into())));
                let kind = Kind::TextTable(array.count.into(), array.sizes);
                out.extend(Target::one("codes", array.codes, kind));
            }
            Self::TextTable(table) => {
                let sizes =
                    look.record(table.sizes.0, table.texts.len().saturating_mul(4)).unwrap_or_default();
                let big = look.form().big_endian;
                for (index, (at, size)) in table.texts.iter().zip(sizes.as_chunks::<4>().0).enumerate() {
                    let size = if big { u32::from_be_bytes(*size) } else { u32::from_le_bytes(*size) };
                    if let Some(at) = at.get() {
                        let kind = Kind::Blob(Role::Source, size.into());
                        out.push(Target::entry("texts", index as u64, at, kind));
                    }
                }
            }
            Self::Reflection(reflection) => {
                for (name, stage) in super::raw::STAGES.iter().zip(reflection.stages) {
                    out.extend(Target::one(name, stage, Kind::StageReflection));
                }
            }
            Self::StageReflection(stage) => stage_targets(stage, look, out),
            Self::Extension(extension) => {
                for (group, dictionary, _) in extension.groups() {
                    out.extend(Target::one(group.name(), dictionary, Kind::Dictionary));
                }
            }
            Self::Pool(pool) => {
                out.extend(Target::one("object", pool.object, Kind::Blob(Role::PoolObject, POOL_OBJECT_LEN)));
            }
            _ => {}
        }
    }

    fn alignment(&self) -> u64 {
        match self {
            Self::Blob(Role::Code, _) => 0x100,
            Self::Text(_) => 2,
            _ => 8,
        }
    }

    fn tail(&self) -> u64 {
        u64::from(matches!(self, Self::Blob(Role::Source, _)))
    }

    fn label(&self) -> &'static str {
        match self {
            Self::Header(_) => "header",
            Self::Container(_) => "container",
            Self::Variation(_) => "variation",
            Self::Program(_) => "program",
            Self::StageCode(_) => "stage",
            Self::Decomposed(_) => "decomposed",
            Self::SourceCode(_) => "source",
            Self::SourceArray(_) => "source_array",
            Self::Sizes(_) => "sizes",
            Self::TextTable(_) => "text_table",
            Self::Reflection(_) => "reflection",
            Self::StageReflection(_) => "stage_reflection",
            Self::Extension(_) => "extension",
            Self::Dictionary(_) => "dictionary",
            Self::Slots(_) => "slots",
            Self::Pool(_) => "pool",
            Self::Strings(_) => "strings",
            Self::Text(_) => "text",
            Self::Relocation(_) => "relocation",
            Self::Blob(role, _) => role.name(),
            Self::Raw(_) => "record",
            Self::Unknown(_) => "unknown",
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
            Self::TextTable(table) if !table.sizes.is_null() => table.sizes.0 = map.get(table.sizes.0),
            Self::Container(container) => container.rescale(at, map),
            Self::Pool(pool) => pool.rescale(map),
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

fn program_targets(program: &Program, out: &mut Vec<Target<Kind>>) {
    let kind = match CodeType::from_number(program.code_type) {
        Some(CodeType::Binary) => Kind::StageCode,
        Some(CodeType::Source) => Kind::SourceCode(None),
        Some(CodeType::SourceArray) => Kind::SourceArray,
        Some(CodeType::Intermediate) | None => Kind::Raw(None),
    };
    for (name, stage) in super::raw::STAGES.iter().zip(program.stages) {
        out.extend(Target::one(name, stage, kind));
    }
    out.extend(Target::one("reflection", program.reflection, Kind::Reflection));
    let room = Kind::Blob(Role::ProgramObject, program.object_size.into());
    out.extend(Target::one("object", program.object, room));
    out.extend(Target::one("tool_reflection", program.tool_reflection, Kind::Raw(None)));
}

fn stage_targets(stage: &StageReflection, look: &dyn Look, out: &mut Vec<Target<Kind>>) {
    let mut count = 0_u64;
    let mut see = |dictionary: Pointer, first: i32| {
        let len = look.dictionary_len(dictionary);
        if let (Ok(first), true) = (u64::try_from(first), len > 0) {
            count = count.max(first.saturating_add(len));
        }
    };
    for (group, dictionary, first) in stage.groups() {
        see(dictionary, first);
        out.extend(Target::one(group.name(), dictionary, Kind::Dictionary));
    }
    if let Some(at) = stage.extension.get() {
        if let Some(bytes) = look.record(at, Extension::LEN) {
            let big = look.form().big_endian;
            let number = |from: usize, len: usize| {
                let field = bytes.get(from..from.saturating_add(len)).unwrap_or_default();
                let fold = |sum: u64, byte: &u8| sum << 8 | u64::from(*byte);
                if big { field.iter().fold(0, fold) } else { field.iter().rev().fold(0, fold) }
            };
            see(Pointer(number(0, 8)), number(0x10, 4) as u32 as i32);
            see(Pointer(number(8, 8)), number(0x14, 4) as u32 as i32);
        }
        out.push(Target { name: "extension", index: None, at, kind: Kind::Extension });
    }
    out.extend(Target::one("slots", stage.slots, Kind::Slots(count)));
}

/// Takes the layout whose pointers and sizes fit; a record that fits none or both is kept as it is.
fn source(loader: &mut Loader<'_>, room: u64) -> Result<Object> {
    let form = loader.form();
    let file_end = loader.position().saturating_add(loader.left().unwrap_or(0));
    let bytes = loader.peek(room);
    let mut short =
        SourceCode::Short { size: 0, decompressed_size: 0, code: Pointer::NULL, reserved: [0; 2] };
    // Pointers count from the start of the file, and are checked here against its end.
    let number = |at: usize, len: usize| {
        let field = bytes.get(at..at.saturating_add(len)).unwrap_or_default();
        let fold = |sum: u64, byte: &u8| sum << 8 | u64::from(*byte);
        if form.big_endian { field.iter().fold(0, fold) } else { field.iter().rev().fold(0, fold) }
    };
    let (code_size, code) = (number(0, 4), number(8, 8));
    let zeros = bytes.get(0x10..0x20).is_some_and(|rest| rest.iter().all(|&byte| byte == 0));
    let fits_short = code_size != 0
        && code != 0
        && code.checked_add(code_size).is_some_and(|end| end <= file_end)
        && zeros;
    let parts = [(number(8, 8), number(0x1C, 4)), (number(0x10, 8), number(0x18, 4))];
    let part_fits = |(at, size): (u64, u64)| match (at, size) {
        (0, 0) => true,
        (0, _) | (_, 0) => false,
        (at, size) => at.checked_add(size).is_some_and(|end| end <= file_end),
    };
    let fits_long =
        bytes.len() >= 0x40 && parts.iter().any(|(at, _)| *at != 0) && parts.into_iter().all(part_fits);
    match (fits_short, fits_long) {
        (true, false) => {
            short.visit(loader)?;
            Ok(Object::SourceCode(short))
        }
        (false, true) => {
            let mut record = StageCode::default();
            record.visit(loader)?;
            Ok(Object::SourceCode(SourceCode::Long(Box::new(record))))
        }
        _ => Ok(Object::Raw(loader.take("record", bytes.len() as u64)?.to_vec().into())),
    }
}
