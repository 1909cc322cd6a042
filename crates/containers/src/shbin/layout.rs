//! Where the parts of a file lie: notes that, together with the typed tables, give the file back.
//!
//! A [`Layout`] is either the name of a producer, whose order and padding are known, or an explicit list of
//! parts and fill. Offsets are not kept: they follow from the order and the sizes, so an edited table moves
//! what lies behind it and nothing else. Only parts that do not lie in the row (empty tables whose offset
//! points nowhere, tables that share bytes with others) keep the offset that their header has.

use super::raw::{DVLB_HEADER, DVLE_HEADER, DVLP_HEADER, DVLP_HEADER_SHORT, DVOJ_HEADER};
use crate::Opaque;
use std::{fmt, str::FromStr};
use unshade_bytes::{Error, ErrorKind, Limits, Result};

/// A table, string area or header that lies somewhere in the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Part {
    /// Whose part it is. Its offset counts from there.
    pub scope: Scope,
    /// Which part.
    pub section: Section,
}

/// The structures that have parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Scope {
    /// The DVLP of a linked binary.
    Program,
    /// A DVLE, by its place in the offset table.
    Executable(u32),
    /// The DVOJ itself.
    Object,
}

/// Kinds of parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Section {
    /// The header of a DVLE. (The other headers stand at the start of the file.)
    Header,
    /// Constant table.
    Constants,
    /// Label table.
    Labels,
    /// Output table.
    Outputs,
    /// Uniform table.
    Uniforms,
    /// Strings of labels and uniforms.
    Symbols,
    /// Code words.
    Code,
    /// Operand descriptors.
    Descriptors,
    /// Line table.
    Lines,
    /// Names of source files.
    FileNames,
    /// Relocation table.
    Relocations,
}

impl Section {
    /// The five tables of an executable in the order of the header fields.
    pub const TABLES: [Self; 5] =
        [Self::Constants, Self::Labels, Self::Outputs, Self::Uniforms, Self::Symbols];
    /// The parts of a DVLP in the order of the header fields.
    pub const PROGRAM: [Self; 4] = [Self::Code, Self::Descriptors, Self::Lines, Self::FileNames];
    /// The parts of a DVOJ in the order of the header fields.
    pub const OBJECT: [Self; 9] = [
        Self::Constants,
        Self::Labels,
        Self::Code,
        Self::Descriptors,
        Self::Lines,
        Self::Relocations,
        Self::Outputs,
        Self::Uniforms,
        Self::Symbols,
    ];

    /// The name in paths, empty for the header.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Header => "",
            Self::Constants => "constants",
            Self::Labels => "labels",
            Self::Outputs => "outputs",
            Self::Uniforms => "uniforms",
            Self::Symbols => "symbols",
            Self::Code => "code",
            Self::Descriptors => "descriptors",
            Self::Lines => "lines",
            Self::FileNames => "file_names",
            Self::Relocations => "relocations",
        }
    }

    /// Bytes of one entry, in the unit that the count field counts.
    pub const fn entry_size(self) -> u64 {
        match self {
            Self::Header => DVLE_HEADER,
            Self::Constants => 0x14,
            Self::Labels => 0x10,
            Self::Relocations => 12,
            Self::Outputs | Self::Uniforms | Self::Descriptors | Self::Lines => 8,
            Self::Code => 4,
            Self::Symbols | Self::FileNames => 1,
        }
    }
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Program => f.write_str("dvlp"),
            Self::Executable(index) => write!(f, "dvle[{index}]"),
            Self::Object => f.write_str("dvoj"),
        }
    }
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.section {
            Section::Header => self.scope.fmt(f),
            section => write!(f, "{}.{}", self.scope, section.name()),
        }
    }
}

impl FromStr for Part {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let (scope, section) = text.split_once('.').unwrap_or((text, ""));
        let (scope, sections): (_, &[Section]) = match scope {
            "dvlp" => (Scope::Program, &Section::PROGRAM),
            "dvoj" => (Scope::Object, &Section::OBJECT),
            _ => {
                let index = scope.strip_prefix("dvle[").and_then(|rest| rest.strip_suffix(']')).ok_or(())?;
                let scope = Scope::Executable(index.parse().map_err(|_| ())?);
                if section.is_empty() {
                    return Ok(Self { scope, section: Section::Header });
                }
                (scope, &Section::TABLES)
            }
        };
        let section = sections.iter().copied().find(|known| known.name() == section).ok_or(())?;
        Ok(Self { scope, section })
    }
}

/// Whose order and padding a file has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Producer {
    /// devkitPro's assembler: code, descriptors; per DVLE its header, constants, labels, outputs, uniforms,
    /// symbols; each DVLE padded to 4. The file-name offset is 0.
    #[default]
    Picasso,
    /// As picasso, without padding behind the last DVLE.
    Aemstro,
    /// The vendor's linker as public descriptions have it: as picasso, with line table and file names behind
    /// the descriptors.
    Official,
    /// DVLE headers right behind the DVLP header, then code, descriptors, and outputs, constants, uniforms,
    /// labels, symbols of each DVLE; no padding.
    Nihstro,
    /// A DVOJ whose parts follow the order of its header fields, each padded to 4.
    Object,
}

impl Producer {
    /// All of them, in the order in which a reader tries them.
    pub const ALL: [Self; 5] = [Self::Picasso, Self::Aemstro, Self::Official, Self::Nihstro, Self::Object];

    /// The name in JSON and manifests.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Picasso => "picasso",
            Self::Aemstro => "aemstro",
            Self::Official => "official",
            Self::Nihstro => "nihstro",
            Self::Object => "object",
        }
    }
}

/// Order and fill of the parts of a file. The headers at its start are not listed: they cannot move.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Layout {
    /// As a known producer lays a file out.
    Standard(Producer),
    /// Anything else.
    Explicit(Vec<Item>),
}

impl Default for Layout {
    fn default() -> Self {
        Self::Standard(Producer::Picasso)
    }
}

/// One step of a layout.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Item {
    /// The part comes next.
    Part(Part),
    /// Zero bytes up to the next multiple, counted from the start of the container.
    Align(u32),
    /// This many zero bytes.
    Zeros(u32),
    /// Bytes that belong to no part.
    Opaque(Opaque),
    /// The part is not in the row. Its header field holds this offset; its bytes, if it has any, lie over
    /// those of other parts.
    Loose(Part, u32),
}

/// One step of a layout while it is followed: an [`Item`] without its bytes.
#[derive(Debug, Clone, Copy)]
pub(super) enum Step<'a> {
    Part(Part),
    Align(u32),
    Zeros(u32),
    Opaque(&'a Opaque),
    Loose(Part, u32),
}

impl Item {
    fn step(&self) -> Step<'_> {
        match self {
            Self::Part(part) => Step::Part(*part),
            Self::Align(to) => Step::Align(*to),
            Self::Zeros(count) => Step::Zeros(*count),
            Self::Opaque(bytes) => Step::Opaque(bytes),
            Self::Loose(part, offset) => Step::Loose(*part, *offset),
        }
    }
}

impl fmt::Display for Item {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Part(part) => part.fmt(f),
            Self::Align(to) => write!(f, "align {to}"),
            Self::Zeros(count) => write!(f, "zeros {count}"),
            Self::Opaque(bytes) => write!(f, "opaque {}", bytes.to_hex()),
            Self::Loose(part, offset) => write!(f, "loose {part} {offset:#x}"),
        }
    }
}

impl FromStr for Item {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let (word, rest) = text.split_once(' ').unwrap_or((text, ""));
        Ok(match word {
            "align" => Self::Align(rest.parse().map_err(|_| ())?),
            "zeros" => Self::Zeros(rest.parse().map_err(|_| ())?),
            "opaque" => Self::Opaque(Opaque(crate::opaque::from_hex(rest).ok_or(())?)),
            "loose" => {
                let (part, offset) = rest.split_once(' ').ok_or(())?;
                let digits = offset.strip_prefix("0x").ok_or(())?;
                Self::Loose(part.parse()?, u32::from_str_radix(digits, 16).map_err(|_| ())?)
            }
            _ => Self::Part(text.parse()?),
        })
    }
}

#[cfg(feature = "serde")]
mod json {
    use super::Item;
    use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

    impl Serialize for Item {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            serializer.collect_str(self)
        }
    }

    impl<'de> Deserialize<'de> for Item {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            let text = String::deserialize(deserializer)?;
            text.parse().map_err(|()| D::Error::custom(format!("`{text}` is no step of a layout")))
        }
    }
}

/// Which parts a file has, and how long each is: all that a layout needs to know of it.
#[derive(Clone, Copy)]
pub(super) struct Shape<'a> {
    pub form: Form,
    /// Bytes of a part.
    pub size: &'a dyn Fn(Part) -> u64,
}

/// What stands at the start of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    Object,
    Linked { executables: u32, long: bool },
}

impl Form {
    /// Where the DVLP of a linked binary starts; 0 for an object.
    pub fn program_start(self) -> u64 {
        match self {
            Self::Object => 0,
            Self::Linked { executables, .. } => {
                DVLB_HEADER.saturating_add(u64::from(executables).saturating_mul(4))
            }
        }
    }

    /// Length of the headers in front of the first part.
    pub fn headers(self) -> u64 {
        match self {
            Self::Object => DVOJ_HEADER,
            Self::Linked { long, .. } => {
                self.program_start().saturating_add(if long { DVLP_HEADER } else { DVLP_HEADER_SHORT })
            }
        }
    }

    /// How many slots a table of all parts needs.
    pub fn slots(self) -> usize {
        match self {
            Self::Object => SHARED_SLOTS,
            Self::Linked { executables, .. } => {
                SHARED_SLOTS.saturating_add((executables as usize).saturating_mul(EXECUTABLE_SLOTS))
            }
        }
    }

    /// Place of a part in a table of all parts; `None` for a part that such a file does not have.
    pub fn slot(self, part: Part) -> Option<usize> {
        let section = part.section as usize;
        match (self, part.scope) {
            (Self::Object, Scope::Object) => Section::OBJECT.contains(&part.section).then_some(section),
            (Self::Linked { long, .. }, Scope::Program) => match part.section {
                Section::Code | Section::Descriptors => Some(section),
                Section::Lines | Section::FileNames if long => Some(section),
                _ => None,
            },
            (Self::Linked { executables, .. }, Scope::Executable(index)) => {
                if index >= executables || section >= EXECUTABLE_SLOTS {
                    return None;
                }
                let first = (index as usize).checked_mul(EXECUTABLE_SLOTS)?.checked_add(SHARED_SLOTS)?;
                first.checked_add(section)
            }
            _ => None,
        }
    }

    /// Calls `visit` with every part in the order of the header fields.
    pub fn parts(self, mut visit: impl FnMut(Part)) {
        match self {
            Self::Object => {
                for section in Section::OBJECT {
                    visit(Part { scope: Scope::Object, section });
                }
            }
            Self::Linked { executables, long } => {
                for section in Section::PROGRAM.into_iter().take(if long { 4 } else { 2 }) {
                    visit(Part { scope: Scope::Program, section });
                }
                for index in 0..executables {
                    let scope = Scope::Executable(index);
                    visit(Part { scope, section: Section::Header });
                    for section in Section::TABLES {
                        visit(Part { scope, section });
                    }
                }
            }
        }
    }
}

/// Slots of the sections of a DVLP or DVOJ: one for each [`Section`].
const SHARED_SLOTS: usize = 11;
/// Slots of a DVLE: its header and its five tables.
const EXECUTABLE_SLOTS: usize = 6;

/// Calls `visit` with the steps of a producer's layout until it answers `false`; whether it never did.
#[inline]
pub(super) fn standard(
    producer: Producer,
    shape: Shape<'_>,
    mut visit: impl FnMut(Step<'static>) -> bool,
) -> bool {
    let (executables, long) = match shape.form {
        Form::Object => {
            return producer == Producer::Object
                && Section::OBJECT.into_iter().all(|section| {
                    visit(Step::Align(4)) && visit(Step::Part(Part { scope: Scope::Object, section }))
                })
                && visit(Step::Align(4));
        }
        Form::Linked { executables, long } => (executables, long),
    };
    if producer == Producer::Object || long == (producer == Producer::Nihstro) {
        return false;
    }
    if producer == Producer::Nihstro {
        use Section::{Constants, Labels, Outputs, Symbols, Uniforms};
        let mut part = |scope, section| visit(Step::Part(Part { scope, section }));
        return (0..executables).all(|index| part(Scope::Executable(index), Section::Header))
            && part(Scope::Program, Section::Code)
            && part(Scope::Program, Section::Descriptors)
            && (0..executables).all(|index| {
                [Outputs, Constants, Uniforms, Labels, Symbols]
                    .into_iter()
                    .all(|section| part(Scope::Executable(index), section))
            });
    }
    let names = Part { scope: Scope::Program, section: Section::FileNames };
    let names = match producer {
        Producer::Picasso | Producer::Aemstro if (shape.size)(names) == 0 => Step::Loose(names, 0),
        _ => Step::Part(names),
    };
    let program = [Section::Code, Section::Descriptors, Section::Lines];
    program.into_iter().all(|section| visit(Step::Part(Part { scope: Scope::Program, section })))
        && visit(names)
        && (0..executables).all(|index| {
            let scope = Scope::Executable(index);
            visit(Step::Align(4))
                && visit(Step::Part(Part { scope, section: Section::Header }))
                && Section::TABLES.into_iter().all(|section| visit(Step::Part(Part { scope, section })))
        })
        && (producer == Producer::Aemstro || visit(Step::Align(4)))
}

/// A layout worked out: where each part starts.
#[derive(Debug, Clone)]
pub(super) struct Plan {
    form: Form,
    starts: Vec<u64>,
    /// Fill between the parts, in file order.
    pub fills: Vec<Fill>,
    /// Where the last part or fill ends; trailing bytes follow.
    pub end: u64,
}

/// Bytes that belong to no part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Fill {
    pub start: u64,
    pub len: u64,
    /// The bytes; `None` for zeros.
    pub bytes: Option<Opaque>,
}

/// A slot that no step of the layout has placed yet.
const UNPLACED: u64 = u64::MAX;

impl Plan {
    /// Offset of a part from the start of the container. 0 for a part that the file does not have.
    pub fn start(&self, part: Part) -> u64 {
        self.form.slot(part).and_then(|slot| self.starts.get(slot)).copied().unwrap_or(0)
    }

    /// Offset of the structure that a part's offset field counts from.
    pub fn base(&self, part: Part) -> u64 {
        match (part.scope, part.section) {
            (Scope::Program, _) => self.form.program_start(),
            (Scope::Object, _) | (_, Section::Header) => 0,
            (scope, _) => self.start(Part { scope, section: Section::Header }),
        }
    }

    /// What the offset field of a part holds.
    pub fn offset(&self, part: Part) -> Result<u32> {
        let (start, base) = (self.start(part), self.base(part));
        start.checked_sub(base).and_then(|offset| u32::try_from(offset).ok()).ok_or_else(|| {
            unrepresentable(start, part, "a place behind the structure that names it", "a place before it")
        })
    }

    /// Works `layout` out for a file of this shape.
    pub fn new(layout: &Layout, shape: Shape<'_>) -> Result<Self> {
        let form = shape.form;
        let mut plan =
            Self { form, starts: vec![UNPLACED; form.slots()], fills: Vec::new(), end: form.headers() };
        let mut failure = None;
        let mut loose = false;
        visit(layout, shape, |step| {
            match plan.step(step, shape) {
                Ok(placed) => loose |= !placed,
                Err(error) => failure = Some(error),
            }
            failure.is_none()
        });
        if let Some(error) = failure.take() {
            return Err(error);
        }
        // Headers of executables first: the offsets of their tables count from them.
        for headers in [true, false] {
            if loose {
                visit(layout, shape, |step| {
                    if let Step::Loose(part, offset) = step
                        && (part.section == Section::Header) == headers
                    {
                        let start = plan.base(part).saturating_add(u64::from(offset));
                        if let Err(error) = plan.put(part, start) {
                            failure = Some(error);
                        }
                    }
                    failure.is_none()
                });
            }
            if headers {
                plan.append_missing(shape);
            }
        }
        match failure {
            Some(error) => Err(error),
            None => Ok(plan),
        }
    }

    /// Follows one step; `false` for a loose part, which waits.
    fn step(&mut self, step: Step<'_>, shape: Shape<'_>) -> Result<bool> {
        let (len, bytes) = match step {
            Step::Part(part) => {
                self.put(part, self.end)?;
                self.end = self.end.saturating_add((shape.size)(part));
                (0, None)
            }
            Step::Loose(part, _) => {
                // Marked as known, so that it is not taken for one that the layout forgot.
                self.put(part, UNPLACED.wrapping_sub(1))?;
                return Ok(false);
            }
            Step::Align(to) => (padding(self.end, to), None),
            Step::Zeros(len) => (u64::from(len), None),
            Step::Opaque(bytes) => (bytes.len() as u64, Some(bytes.clone())),
        };
        self.fill(len, bytes);
        if self.end > Limits::DEFAULT.bytes {
            return Err(Error::new(
                ErrorKind::LimitExceeded,
                self.end,
                "layout",
                format!("a file of at most {} bytes", Limits::DEFAULT.bytes),
                "a longer one",
            ));
        }
        Ok(true)
    }

    fn fill(&mut self, len: u64, bytes: Option<Opaque>) {
        if len > 0 {
            self.fills.push(Fill { start: self.end, len, bytes });
            self.end = self.end.saturating_add(len);
        }
    }

    fn put(&mut self, part: Part, start: u64) -> Result<()> {
        let place = self.form.slot(part).and_then(|slot| self.starts.get_mut(slot));
        match place {
            Some(place) if *place >= UNPLACED.wrapping_sub(1) => {
                *place = start;
                Ok(())
            }
            Some(_) => Err(unrepresentable(start, part, "one place in the layout", "several")),
            None => Err(unrepresentable(start, part, "a part that the file has", "none")),
        }
    }

    /// Parts that an explicit layout does not name, such as those of an executable that was added, go to
    /// the end.
    fn append_missing(&mut self, shape: Shape<'_>) {
        if !self.starts.contains(&UNPLACED) {
            return;
        }
        self.form.parts(|part| {
            let Some(slot) = self.form.slot(part) else { return };
            if self.starts.get(slot) != Some(&UNPLACED) {
                return;
            }
            let size = (shape.size)(part);
            if size > 0 {
                self.fill(padding(self.end, 4), None);
            }
            if let Some(place) = self.starts.get_mut(slot) {
                *place = self.end;
            }
            self.end = self.end.saturating_add(size);
        });
    }
}

/// Calls `visit` with the steps of a layout until it answers `false`.
fn visit(layout: &Layout, shape: Shape<'_>, mut visit: impl FnMut(Step<'_>) -> bool) {
    match layout {
        Layout::Standard(producer) => {
            standard(*producer, shape, visit);
        }
        Layout::Explicit(items) => {
            items.iter().all(|item| visit(item.step()));
        }
    }
}

/// Where a part of the program starts, without working out where all others do. 0 where it has no place of
/// its own.
pub(super) fn start_of(layout: &Layout, shape: Shape<'_>, part: Part) -> u64 {
    let mut cursor = shape.form.headers();
    let mut found = 0;
    visit(layout, shape, |step| {
        let len = match step {
            Step::Part(here) if here == part => {
                found = cursor;
                return false;
            }
            Step::Loose(here, offset) if here == part => {
                found = shape.form.program_start().saturating_add(u64::from(offset));
                return false;
            }
            Step::Loose(..) => 0,
            Step::Part(here) => (shape.size)(here),
            Step::Align(to) => padding(cursor, to),
            Step::Zeros(len) => u64::from(len),
            Step::Opaque(bytes) => bytes.len() as u64,
        };
        cursor = cursor.saturating_add(len);
        true
    });
    found
}

/// Bytes from `at` to the next multiple of `to`.
pub(super) fn padding(at: u64, to: u32) -> u64 {
    at.checked_next_multiple_of(u64::from(to.max(1))).map_or(0, |next| next.saturating_sub(at))
}

fn unrepresentable(offset: u64, part: Part, expected: &'static str, found: &'static str) -> Error {
    Error::new(ErrorKind::Unrepresentable, offset, part.to_string(), expected, found).code("shbin.layout")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_text_both_ways() {
        for text in [
            "dvlp.code",
            "dvlp.file_names",
            "dvle[0]",
            "dvle[12].symbols",
            "dvoj.relocations",
            "align 4",
            "zeros 17",
            "opaque 00ff",
            "loose dvlp.file_names 0x0",
            "loose dvle[1] 0xffffffff",
        ] {
            assert_eq!(text.parse::<Item>().map(|item| item.to_string()), Ok(text.to_owned()));
        }
        for text in
            ["", "dvlp", "dvlp.symbols", "dvle[x]", "dvoj.file_names", "align", "opaque 0", "loose dvle[0]"]
        {
            assert_eq!(text.parse::<Item>(), Err(()), "{text}");
        }
    }

    #[test]
    fn each_part_has_its_slot() {
        for form in [
            Form::Object,
            Form::Linked { executables: 3, long: true },
            Form::Linked { executables: 1, long: false },
        ] {
            let mut slots = Vec::new();
            form.parts(|part| slots.push(form.slot(part).expect("every part has a slot")));
            let count = slots.len();
            slots.sort_unstable();
            slots.dedup();
            assert_eq!(slots.len(), count);
            assert!(slots.iter().all(|&slot| slot < form.slots()));
        }
        let form = Form::Linked { executables: 1, long: true };
        assert_eq!(form.slot(Part { scope: Scope::Executable(1), section: Section::Header }), None);
        assert_eq!(form.slot(Part { scope: Scope::Object, section: Section::Code }), None);
    }

    #[test]
    fn a_part_stands_once() {
        let shape = Shape { form: Form::Object, size: &|_| 4 };
        let code = Part { scope: Scope::Object, section: Section::Code };
        for items in [
            vec![Item::Part(code), Item::Part(code)],
            vec![Item::Part(Part { scope: Scope::Program, section: Section::Code })],
        ] {
            let error = Plan::new(&Layout::Explicit(items), shape).unwrap_err();
            assert_eq!((error.kind, error.code), (ErrorKind::Unrepresentable, "shbin.layout"));
        }
        let plan = Plan::new(&Layout::Explicit(vec![Item::Zeros(3), Item::Part(code)]), shape).unwrap();
        assert_eq!((plan.start(code), plan.end), (0x5B, 0x80));
    }
}
