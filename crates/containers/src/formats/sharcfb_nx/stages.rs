//! The binaries of an archive as stages: what the instruction set needs, with the file's own names.

use super::model::{Binary, Program, SharcfbNx, Slot};
use super::raw::{self, Table};
use crate::formats::agl::binaries;
use crate::formats::agl::stages::{self, Claim, Owned, Place};
use unshade_bytes::{Error, ErrorKind, Result};
use unshade_stage::maxwell::{Binding, Member};
use unshade_stage::{Code, Interface, Isa, Stage, StageId, StageKind};

/// The name of a stage, taken apart: `toon/3/pixel`, `@5/vertex`.
fn parse(id: &StageId) -> Option<(Place<'_>, StageKind)> {
    let (owner, word) = id.0.rsplit_once('/')?;
    let kind = (0..4).filter_map(raw::stage_kind).find(|kind| raw::stage_word(*kind) == word)?;
    Some((Place::of(owner)?, kind))
}

impl SharcfbNx {
    /// The stages in the order of their binaries, named `PROGRAM/VARIATION/vertex`, `pixel`, `geometry` or `compute`. A second
    /// program of a name is `NAME~1`. A binary that several programs have is listed for the first one; one that none has is
    /// `@NUMBER/vertex`.
    pub fn stages(&self) -> impl Iterator<Item = Stage<'_>> {
        let pool = self.pool_at();
        self.owners().into_iter().filter_map(move |owner| self.stage_of(&owner, pool))
    }

    /// The stage of that name. Other than [`SharcfbNx::stages`] it finds a binary by every program that has it.
    pub fn stage(&self, id: &StageId) -> Option<Stage<'_>> {
        let owner = self.find(id)?;
        self.stage_of(&owner, self.pool_at())
    }

    fn pool_at(&self) -> u64 {
        self.written().map_or(0, |(_, placed)| placed.pool)
    }

    fn stage_of(&self, owner: &Owned, pool: u64) -> Option<Stage<'_>> {
        let binary = self.binary(owner.binary)?;
        let (kind, info) = (binary.kind()?, binary.info()?);
        let section = self.code(binary)?;
        let (code, mut maxwell) = crate::formats::nvn::pair(info.control_in(&binary.data), section, kind);
        let bindings = |table: Table| -> Vec<Binding> {
            self.slots(binary, table)
                .map(|slot| Binding { name: slot.name.text(), slot: slot.location })
                .collect()
        };
        maxwell.constant_buffers = bindings(Table::Blocks);
        maxwell.storage_buffers = bindings(Table::Buffers);
        maxwell.inputs = bindings(Table::Attributes);
        maxwell.samplers = bindings(Table::Samplers);
        maxwell.images = bindings(Table::Images);
        let program = owner.program.and_then(|number| self.program(number).ok());
        maxwell.members =
            program.map(|program| members(program, &maxwell.constant_buffers)).unwrap_or_default();
        let at = pool.saturating_add(info.code).saturating_add(code.file_offset);
        Some(Stage {
            id: StageId(format!("{}/{}", owner.name, raw::stage_word(kind))),
            kind,
            isa: Isa::Maxwell,
            code: Code { file_offset: at, ..code },
            interface: Interface { maxwell: Some(Box::new(maxwell)), ..Interface::default() },
        })
    }

    /// Gives the stage of that name other code: the instructions, in a code section whose header and constants stay. Other
    /// variations that share it keep theirs.
    ///
    /// # Errors
    /// [`ErrorKind::OutOfBounds`] where no stage has that name; [`ErrorKind::Unrepresentable`] for a program that would not
    /// start at its first word, and what [`crate::formats::nvn::with_instructions`] says.
    pub fn replace(&mut self, id: &StageId, code: &Code<'_>) -> Result<()> {
        let missing = || {
            Error::new(ErrorKind::OutOfBounds, 0, "", "the name of a stage of this file", format!("`{id}`"))
        };
        let owner = self.find(id).ok_or_else(missing)?;
        if code.entry != 0 {
            let found = format!("an entry point at word {}", code.entry);
            let expected = "code that starts at word 0, as that of an archive does";
            return Err(Error::new(ErrorKind::Unrepresentable, 0, id.0.as_str(), expected, found));
        }
        let binary = self.binary(owner.binary).ok_or_else(missing)?;
        let (kind, info) = binary.kind().zip(binary.info()).ok_or_else(missing)?;
        let section = self.code(binary).ok_or_else(missing)?;
        let control = info.control_in(&binary.data);
        let (control, section) = crate::formats::nvn::with_instructions(control, section, kind, &code.words)?;
        self.set_code(owner.binary, &control, &section)
    }

    /// The name of each program, made unique, with its number.
    pub(super) fn unique_names(&self) -> Vec<(String, usize)> {
        let names = stages::unique(self.programs().map(|(_, program)| program.text()));
        names.into_iter().zip(self.programs().map(|(number, _)| number)).collect()
    }

    /// The binaries that can be stages, in order, each with its first owner.
    pub(super) fn owners(&self) -> Vec<Owned> {
        let claims = self.unique_names().into_iter().zip(self.programs());
        let claims: Vec<Claim> = claims
            .map(|((name, _), (number, program))| Claim {
                name,
                program: number,
                binaries: self.claim(number, program),
            })
            .collect();
        let variation = |number, binary| {
            let (variation, kind) = self.owns(number, self.program(number).ok()?, binary)?;
            (self.binary(binary).and_then(Binary::kind) == Some(kind)).then_some(variation)
        };
        let is_stage = |binary| self.binary(binary).is_some_and(|found| found.kind().is_some());
        stages::owners(self.binary_count(), &claims, variation, is_stage)
    }

    /// The binaries that a program says are its own, of those that there are.
    pub(super) fn claim(&self, number: usize, program: &Program) -> Option<std::ops::Range<usize>> {
        let all = self.binary_count();
        if self.is_by_program() {
            return (number < all).then(|| number..number.saturating_add(1));
        }
        binaries::claim(program.base, program.binaries(), all)
    }

    /// Which variation and stage of a program a binary is.
    fn owns(&self, number: usize, program: &Program, binary: usize) -> Option<(u64, StageKind)> {
        if self.is_by_program() {
            let kind = self.binary(binary)?.kind()?;
            return (number == binary && program.has(kind)).then_some((0, kind));
        }
        let place = (binary as u64).checked_sub(program.base.into())?;
        let per = u64::from(program.binaries_per_variation());
        let (variation, stage) = (place.checked_div(per)?, place.checked_rem(per)?);
        let stage = if per == 1 { 3 } else { u32::try_from(stage).ok()? };
        let kind = raw::stage_kind(stage).filter(|kind| program.has(*kind))?;
        (variation < program.variation_count()?).then_some((variation, kind))
    }

    /// The binary that a name means.
    pub(super) fn find(&self, id: &StageId) -> Option<Owned> {
        let (place, kind) = parse(id)?;
        let (name, binary, program) = match place {
            Place::Binary(number) => (format!("@{number}"), usize::try_from(number).ok()?, None),
            Place::Variation(name, variation) => {
                let number = self.number_of(name)?;
                let program = self.program(number).ok()?;
                let inside = self.is_by_program() || variation < program.variation_count()?;
                let binary = self.binary_number(number, program, variation, kind).filter(|_| inside)?;
                (format!("{name}/{variation}"), binary as usize, Some(number))
            }
        };
        (self.binary(binary)?.kind() == Some(kind)).then_some(Owned { name, binary, program })
    }

    /// The number of the program of that unique name.
    pub(super) fn number_of(&self, name: &str) -> Option<usize> {
        self.unique_names().into_iter().find(|(unique, _)| unique == name).map(|(_, number)| number)
    }
}

/// The uniforms in the blocks of a program that a stage has, with their places.
fn members(program: &Program, blocks: &[Binding]) -> Vec<Member> {
    let mut members = Vec::new();
    let known = program.blocks.items.iter().filter_map(|record| record.known());
    for block in known {
        let name = crate::shared::Name(crate::formats::agl::raw::text(&block.name.0).to_vec()).text();
        if !blocks.iter().any(|known| known.name == name) {
            continue;
        }
        for uniform in block.uniforms.items.iter().filter_map(|record| record.known()) {
            if let Ok(offset) = u32::try_from(uniform.location) {
                let own =
                    crate::shared::Name(crate::formats::agl::raw::text(&uniform.name.0).to_vec()).text();
                members.push(Member { block: name.clone(), name: own, offset });
            }
        }
    }
    members
}

impl Slot {
    /// A name with its location.
    pub(super) fn named(&self) -> crate::formats::nvn::NamedSlot {
        crate::formats::nvn::NamedSlot { name: self.name.clone(), slot: self.location }
    }
}
