//! A layout worked out: from order and sizes to the place of every part.

use super::layout::{Item, Layout, Part, Producer, Scope, Section};
use super::raw::{DVLB_HEADER, DVLP_HEADER, DVLP_HEADER_SHORT, DVOJ_HEADER};
use crate::shared::Opaque;
use unshade_bytes::{Error, ErrorKind, Limits, Result};

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
