//! The programs as an instruction set sees them. Registers and code are unpacked when they are asked for.

use super::machine::latte;
use super::model::Cemu;
use super::raw::{MOST_CODE, PROGRAM_DICTIONARY, REGISTER_DICTIONARY};
use super::record::{Kind, Packed, Record, code};
use super::registers::Registers;
use crate::formats::caches::Wide;
use crate::formats::gx2::code_words;
use crate::shared::stages::{Stages, Unpacking};
use std::collections::BTreeSet;
use std::rc::Rc;
use unshade_bytes::{Error, ErrorKind};
use unshade_stage::latte::Latte;
use unshade_stage::{Code, Interface, Isa, Stage, StageId, StageKind};

/// The fetch program in front of a vertex program, and the copy program behind a geometry program, in names of stages.
const WITH: [(&str, Kind); 2] = [("fetch", Kind::Vertex), ("copy", Kind::Geometry)];

/// Records that are looked at to know whether there are programs.
const SOME: usize = 16;
/// What it takes to get at registers and programs.
const WANTED: &str =
    "Cemu's dictionaries (--dictionary with its executable, or with the two dictionaries as files)";

impl Cemu {
    /// Whether both dictionaries are there, without which nothing but hashes is known.
    pub fn is_unpackable(&self) -> bool {
        [REGISTER_DICTIONARY, PROGRAM_DICTIONARY].iter().all(|id| self.dictionaries.get(*id).is_some())
    }

    /// What to say where they are not.
    pub(super) fn locked_code(&self) -> Error {
        let found = "none: programs are listed by their hashes alone";
        Error::unplaced(ErrorKind::Unsupported, "", WANTED, found).code("cemu.dictionary")
    }

    /// The programs in the order of the table, each by the name that the emulator gives it: `BASE_AUX_ps`. Without the
    /// dictionaries they have no code.
    pub fn stages(&self) -> Stages<'_> {
        // Where there is no program, nothing is wanted.
        let program = |index| {
            self.is_packed(index) || self.stored(index).is_ok_and(|(_, bytes)| Record::read(bytes).is_ok())
        };
        let known = self.is_unpackable() || !self.records().take(SOME).any(program);
        Stages::unpacking(self.len(), |work| self.all(work)).noting((!known).then(|| self.locked_code()))
    }

    /// The entries of the table that are used, by their indices.
    pub(super) fn records(&self) -> impl Iterator<Item = usize> + '_ {
        self.entries.iter().enumerate().filter(|(_, entry)| !entry.is_free()).map(|(index, _)| index)
    }

    fn all<'a>(&'a self, work: Rc<Unpacking>) -> impl Iterator<Item = Stage<'a>> + 'a {
        let mut seen: BTreeSet<(Kind, Wide, Wide)> = BTreeSet::new();
        self.records()
            .map_while(move |index| {
                if !work.charge(self.record_cost(index)) {
                    return None;
                }
                let Ok((at, bytes)) = self.record_bytes(index) else { return Some(None) };
                let Ok(record) = Record::read(&bytes) else { return Some(None) };
                let sizes =
                    record.programs.iter().map(|program| u64::from(program.size.unwrap_or(0)).min(MOST_CODE));
                let cost = sizes.fold(super::raw::MOST_REGISTERS, u64::saturating_add);
                if !work.charge(cost.saturating_add(bytes.len() as u64)) {
                    return None;
                }
                // What is there twice is found once, as by its name.
                let first = seen.insert((record.kind, record.base, record.aux));
                Some(first.then(|| self.stage_of(index, at, &record)).flatten())
            })
            .flatten()
    }

    /// The program that a record is named for.
    fn stage_of(&self, index: usize, at: u64, record: &Record<'_>) -> Option<Stage<'static>> {
        let (program, with) = record.program();
        let program = program?;
        let kind = match record.kind {
            Kind::Vertex => StageKind::Vertex,
            Kind::Geometry => StageKind::Geometry,
            Kind::Pixel => StageKind::Fragment,
        };
        let mut words = Vec::new();
        let mut latte_state = Latte::default();
        if self.is_unpackable() {
            words = code_words(&code(&program, &self.dictionaries).ok()?);
            let registers = record.state(&self.dictionaries).ok();
            let copy = with.filter(|_| record.kind == Kind::Geometry);
            let copy = copy.and_then(|copy| code(&copy, &self.dictionaries).ok());
            let copy = code_words(&copy.unwrap_or_default());
            latte_state = latte(record, &registers.unwrap_or_else(Registers::zero), copy);
        }
        let code = Code {
            words: words.into(),
            file_offset: self.code_at(index, at, &program),
            missing: (!self.is_unpackable()).then_some(WANTED),
            ..Code::default()
        };
        let interface = Interface { latte: Some(Box::new(latte_state)), ..Interface::default() };
        Some(Stage { id: StageId(record.name()), kind, isa: Isa::Latte, code, interface })
    }

    /// Where a program's frame stands in the file; where all of its record is packed, that.
    fn code_at(&self, index: usize, at: u64, program: &Packed<'_>) -> u64 {
        if self.is_packed(index) { at } else { at.saturating_add(program.at) }
    }

    /// The program of that name.
    pub fn stage(&self, id: &StageId) -> Option<Stage<'_>> {
        self.named(id, |index, at, record| self.stage_of(index, at, record))
    }

    /// The fetch program in front of a vertex program, or the copy program behind a geometry program, as machine code: what a
    /// record holds beside the program that it is named for.
    pub fn program_beside(&self, id: &StageId) -> Option<(&'static str, Vec<u32>)> {
        self.named(id, |_, _, record| {
            let (_, with) = record.program();
            let name = WITH.iter().find(|(_, kind)| *kind == record.kind)?.0;
            Some((name, code_words(&code(&with?, &self.dictionaries).ok()?)))
        })
    }

    /// What is made of the first record of that name of which something can be made.
    fn named<T>(&self, id: &StageId, make: impl Fn(usize, u64, &Record<'_>) -> Option<T>) -> Option<T> {
        let work = Unpacking::new(self.len());
        self.records().take_while(|index| work.charge(self.record_cost(*index))).find_map(|index| {
            let (at, bytes) = self.record_bytes(index).ok()?;
            let record = Record::read(&bytes).ok().filter(|record| record.name() == id.0)?;
            make(index, at, &record)
        })
    }

    /// Bytes of the file beside its table.
    pub(super) fn len(&self) -> u64 {
        self.before.len().saturating_add(self.behind.len()) as u64
    }
}
