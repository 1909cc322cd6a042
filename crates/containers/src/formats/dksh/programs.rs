//! Whole programs of a DKSH: taken, put, added, removed.
//!
//! A program has a home in the code: padding up to its entry, header, instructions, constants, up to the next
//! program. A home that gets another length moves those behind it by multiples of 0x100; one that others share or reach
//! into stays, and the new one comes behind all others.

use super::{Dksh, DkshProgram, PROGRAM_LEN};
use crate::formats::nvn::detached::same_kind;
use crate::formats::nvn::{Detached, Sections};
use crate::shared::programs::{Details, NewProgram, Removed, missing, unfit};
use std::ops::Range;
use unshade_bytes::Result;
use unshade_stage::{StageId, StageKind};

/// Homes start and end at multiples of this, and so do constants.
const ALIGNMENT: usize = super::ALIGNMENT as usize;
/// Where a graphics program starts in its home.
const ENTRY: usize = super::ENTRY as usize;

impl Dksh {
    fn position(&self, id: &StageId) -> Result<usize> {
        let index = id.0.split_once('/').and_then(|(index, kind)| Some((index.parse().ok()?, kind)));
        let (index, kind): (usize, &str) = index.ok_or_else(|| missing(&id.0))?;
        let found = self.programs.get(index).and_then(DkshProgram::stage_kind);
        found.filter(|found| found.name() == kind).map(|_| index).ok_or_else(|| missing(&id.0))
    }

    /// Header and instructions of a program.
    fn bytes(&self, program: &DkshProgram) -> &[u8] {
        let (_, end) = self.range(program, &self.homes());
        let entry = program.entry as usize;
        self.code.get(entry..end).or_else(|| self.code.get(entry..)).unwrap_or_default()
    }

    /// The program of that name.
    ///
    /// # Errors
    /// [`unshade_bytes::ErrorKind::OutOfBounds`] where no program has that name.
    pub fn take(&self, id: &StageId) -> Result<Detached> {
        let program = self.programs.get(self.position(id)?).ok_or_else(|| missing(&id.0))?;
        let kind = program.stage_kind().ok_or_else(|| missing(&id.0))?;
        let sections = Sections::Deko3d {
            program: *program,
            code: self.bytes(program).to_vec().into(),
            constants: self.constants(program).to_vec().into(),
        };
        Ok(Detached { kind, sections, scratch: None, names: None, tables: Details::default() })
    }

    /// Puts another program of the same kind in the place of that name. Others that share its code keep it.
    ///
    /// # Errors
    /// [`unshade_bytes::ErrorKind::OutOfBounds`] where no program has that name;
    /// [`unshade_bytes::ErrorKind::BadValue`] for one of another kind;
    /// [`unshade_bytes::ErrorKind::Unrepresentable`] where its record cannot be derived.
    pub fn put(&mut self, id: &StageId, stage: &Detached) -> Result<()> {
        let here = self.take(id)?;
        same_kind(id, here.kind, stage.kind)?;
        if stage.sections == here.sections {
            return Ok(());
        }
        let index = self.position(id)?;
        let (program, code, constants) = stage.deko3d()?;
        let home = match self.home(index) {
            Some(home) => home,
            None => self.new_home()?,
        };
        self.settle(index, home, program, &code, &constants)
    }

    /// Adds a program; [`NewProgram::at`] counts programs.
    ///
    /// # Errors
    /// [`unshade_bytes::ErrorKind::BadValue`] for a name, values, or anything but one stage of the Switch;
    /// [`unshade_bytes::ErrorKind::Unrepresentable`] where its record cannot be derived.
    pub fn add(&mut self, what: &NewProgram) -> Result<Vec<StageId>> {
        what.bare("a program of a DKSH")?;
        let stage: &Detached = what.only("one stage for maxwell")?;
        let at = what.place(self.programs.len())?;
        let (program, code, constants) = stage.deko3d()?;
        let home = self.new_home()?;
        self.programs.insert(at, DkshProgram { entry: self.code_size, constants_size: 0, ..program });
        self.resize_table(true)?;
        self.settle(at, home, program, &code, &constants)?;
        Ok(vec![StageId(format!("{at}/{}", stage.kind))])
    }

    /// Takes a program out, by its number or by the name of its stage; those behind it move up.
    ///
    /// # Errors
    /// [`unshade_bytes::ErrorKind::OutOfBounds`] where no program has that name.
    pub fn remove(&mut self, item: &str) -> Result<Removed> {
        let index = match item.split_once('/') {
            Some(_) => self.position(&StageId(item.to_owned()))?,
            None => item.parse().ok().filter(|at| *at < self.programs.len()).ok_or_else(|| missing(item))?,
        };
        let program = self.programs.get(index).copied().ok_or_else(|| missing(item))?;
        let Some(kind) = program.stage_kind() else {
            return Err(unfit(item, "a program of a known stage", program.kind.to_string()));
        };
        let id = StageId(format!("{index}/{kind}"));
        let stage = self.take(&id)?;
        let home = self.home(index);
        if index < self.programs.len() {
            self.programs.remove(index);
        }
        self.resize_table(false)?;
        if let Some(home) = home {
            // What is behind stays on multiples of 0x100.
            let odd = home.len() % ALIGNMENT;
            self.splice(home, &vec![0; odd])?;
        }
        let stages = vec![stage.into()];
        Ok(Removed {
            stages: vec![id],
            again: NewProgram { stages, at: Some(index), ..NewProgram::default() },
        })
    }

    /// Makes room for the records of programs in front of the code, in steps of 0x100.
    fn resize_table(&mut self, grown: bool) -> Result<()> {
        let len = PROGRAM_LEN as usize;
        let minimal = self.behind.len() < ALIGNMENT;
        if grown {
            let zeros = self.behind.iter().take_while(|&&byte| byte == 0).count();
            if zeros < len {
                let more = ALIGNMENT.saturating_sub(len);
                self.behind.0.splice(0..0, std::iter::repeat_n(0, more));
            } else {
                self.behind.0.drain(..len);
            }
        } else {
            self.behind.0.splice(0..0, std::iter::repeat_n(0, len));
            if minimal
                && self.behind.len() >= ALIGNMENT
                && self.behind.iter().take(ALIGNMENT).all(|b| *b == 0)
            {
                self.behind.0.drain(..ALIGNMENT);
            }
        }
        let table = self.programs.len().saturating_mul(len);
        let size = (self.programs_offset as usize).saturating_add(table).saturating_add(self.behind.len());
        self.control_size = u32::try_from(size).map_err(|_| too_long())?;
        Ok(())
    }

    /// The bytes of the code that belong to a program alone; nothing where others share them or reach into them.
    fn home(&self, index: usize) -> Option<Range<usize>> {
        let program = self.programs.get(index)?;
        let start = |program: &DkshProgram| program.home() as usize;
        let constants =
            |program: &DkshProgram| (program.constants_size > 0).then_some(program.constants_offset as usize);
        let others = self.programs.iter().enumerate().filter(|(other, _)| *other != index);
        let places: Vec<usize> = others
            .flat_map(|(_, other)| [Some(start(other)), Some(other.entry as usize), constants(other)])
            .flatten()
            .collect();
        let from = start(program);
        let end = places.iter().copied().filter(|at| *at >= from).min().unwrap_or(self.code.len());
        let inside = |at: usize| at > from && at < end;
        let own = (program.entry as usize) < end && constants(program).is_none_or(inside);
        let reached_into = self.programs.iter().enumerate().any(|(other, found)| {
            let size = found.constants_size as usize;
            let reaches = constants(found).is_some_and(|at| at < from && at.saturating_add(size) > from);
            other != index && reaches
        });
        let fits =
            constants(program).is_none_or(|at| at.saturating_add(program.constants_size as usize) <= end);
        (own && fits && !reached_into && end > from && end <= self.code.len()).then_some(from..end)
    }

    /// A home without a length behind all others.
    fn new_home(&mut self) -> Result<Range<usize>> {
        let end = self.code.len().next_multiple_of(ALIGNMENT);
        self.code.0.resize(end, 0);
        self.code_size = u32::try_from(end).map_err(|_| too_long())?;
        Ok(end..end)
    }

    /// Puts a program into a home.
    fn settle(
        &mut self,
        index: usize,
        home: Range<usize>,
        program: DkshProgram,
        code: &[u8],
        constants: &[u8],
    ) -> Result<()> {
        let front = if program.stage_kind() == Some(StageKind::Compute) { 0 } else { ENTRY };
        let mut bytes = self.filler(&home, index, front);
        bytes.extend_from_slice(code);
        let mut constants_at = 0;
        if !constants.is_empty() {
            bytes.resize(bytes.len().next_multiple_of(ALIGNMENT), 0);
            constants_at = home.start.saturating_add(bytes.len());
            bytes.extend_from_slice(constants);
        }
        let odd = home.len() % ALIGNMENT;
        let len = bytes.len().saturating_sub(odd).next_multiple_of(ALIGNMENT).saturating_add(odd);
        bytes.resize(len, 0);
        let entry = home.start.saturating_add(front);
        let narrow = |at: usize| u32::try_from(at).map_err(|_| too_long());
        let constants_at =
            if constants.is_empty() { program.constants_offset } else { narrow(constants_at)? };
        let placed = DkshProgram { entry: narrow(entry)?, constants_offset: constants_at, ..program };
        self.splice(home, &bytes)?;
        if let Some(place) = self.programs.get_mut(index) {
            *place = placed;
        }
        Ok(())
    }

    /// What stands in front of the entry of a graphics program: as it is in the home, else as in that of another.
    fn filler(&self, home: &Range<usize>, index: usize, front: usize) -> Vec<u8> {
        let here = self.programs.get(index).filter(|_| !home.is_empty());
        let of = |program: &DkshProgram| {
            let end = program.entry as usize;
            let graphics = end % ALIGNMENT == ENTRY && program.stage_kind() != Some(StageKind::Compute);
            self.code.get(end.saturating_sub(ENTRY)..end).filter(|_| graphics)
        };
        let mut others = self.programs.iter().enumerate().filter(|(other, _)| *other != index);
        let found = here.and_then(of).or_else(|| others.find_map(|(_, other)| of(other)));
        let mut bytes = found.unwrap_or_default().to_vec();
        bytes.resize(front, 0);
        bytes
    }

    /// Replaces bytes of the code; what lies behind moves with its pointers.
    fn splice(&mut self, place: Range<usize>, bytes: &[u8]) -> Result<()> {
        if place.end > self.code.len() {
            let expected = format!("a place in {} bytes", self.code.len());
            return Err(unfit("code", expected, place.end.to_string()));
        }
        self.code.0.splice(place.clone(), bytes.iter().copied());
        let moved = |at: u32| {
            if (at as usize) < place.end {
                return Ok(at);
            }
            let to = (at as usize).saturating_add(bytes.len()).saturating_sub(place.len());
            u32::try_from(to).map_err(|_| too_long())
        };
        for program in &mut self.programs {
            program.entry = moved(program.entry)?;
            if program.constants_size > 0 {
                program.constants_offset = moved(program.constants_offset)?;
            }
        }
        self.code_size = u32::try_from(self.code.len()).map_err(|_| too_long())?;
        Ok(())
    }
}

fn too_long() -> unshade_bytes::Error {
    unfit("", "a file of 32 bits", "a longer one")
}
