//! The programs of an archive as stages: what the instruction set needs, with the archive's own names.

use super::lazy;
use super::model::{Program, Sharcfb};
use super::raw;
use super::write::Placed;
use crate::formats::agl::binaries;
use crate::formats::agl::stages::{self, Claim, Owned, Place};
use crate::formats::gx2::{Shader, ShaderKind, code_bytes, edit};
use unshade_bytes::{Error, ErrorKind, Result};
use unshade_stage::{Code, Stage, StageId};

/// What the name of a stage says.
pub(super) struct Wanted<'n> {
    /// Without the stage: `toon/3`, `@5`.
    pub owner: &'n str,
    pub place: Place<'n>,
    /// The shader that holds it.
    pub kind: ShaderKind,
    /// Which of the shader's programs it is.
    pub which: edit::Program,
}

impl<'n> Wanted<'n> {
    /// Takes a name apart; `None` for one that no stage has.
    pub fn of(id: &'n StageId) -> Option<Self> {
        let (owner, word) = id.0.rsplit_once('/')?;
        let (kind, which) = match word {
            "vertex" => (ShaderKind::Vertex, edit::Program::Main),
            "pixel" => (ShaderKind::Pixel, edit::Program::Main),
            "geometry" => (ShaderKind::Geometry, edit::Program::Main),
            "copy" => (ShaderKind::Geometry, edit::Program::Copy),
            _ => return None,
        };
        let place = Place::of(owner)?;
        Some(Self { owner, place, kind, which })
    }
}

impl Sharcfb {
    /// The programs in order of their binaries, named `PROGRAM/VARIATION/vertex`, `pixel`, `geometry` or `copy`
    /// (the copy program of a geometry shader). A second program of a name is `NAME~1`. A binary that several
    /// programs have is listed for the first one; one that none has is `@NUMBER/vertex`.
    pub fn stages(&self) -> impl Iterator<Item = Stage<'_>> {
        let placed = self.placed().unwrap_or_default();
        let owners = if placed.is_empty() { Vec::new() } else { self.owners() };
        owners.into_iter().flat_map(move |owner| {
            let at = placed.get(owner.binary).map(|placed| placed.at);
            let programs = [edit::Program::Main, edit::Program::Copy];
            programs.map(|program| at.and_then(|at| self.stage_of(&owner, at, program))).into_iter().flatten()
        })
    }

    /// The program of that name. Other than [`Sharcfb::stages`] it finds a binary by every program that has it.
    pub fn stage(&self, id: &StageId) -> Option<Stage<'_>> {
        let (owner, program) = self.find(id)?;
        let placed: Vec<Placed<'_>> = self.placed().ok()?;
        self.stage_of(&owner, placed.get(owner.binary)?.at, program)
    }

    /// Gives the program of that name other code. Sizes follow, and the code of all binaries behind it is brought
    /// to its alignment. Registers are not touched.
    ///
    /// # Errors
    /// [`ErrorKind::OutOfBounds`] where no program has that name; [`ErrorKind::Unrepresentable`] for a
    /// program that would not start at its first word, or whose bytes something else uses too.
    pub fn replace(&mut self, id: &StageId, code: &Code<'_>) -> Result<()> {
        let missing = || {
            Error::new(ErrorKind::OutOfBounds, 0, "", "the name of a stage of this file", format!("`{id}`"))
        };
        let (owner, program) = self.find(id).ok_or_else(missing)?;
        if code.entry != 0 {
            let found = format!("an entry point at word {}", code.entry);
            let expected = "code that starts at word 0, as that of an archive does";
            return Err(Error::new(ErrorKind::Unrepresentable, 0, id.0.as_str(), expected, found));
        }
        let form = self.form();
        let records = self.binaries.as_mut().map(|array| &mut array.items);
        let binary = records.and_then(|items| match items.get_mut(owner.binary) {
            Some(super::Record::Known(binary)) => Some(binary),
            _ => None,
        });
        let binary = binary.ok_or_else(missing)?;
        let kind = binary.shader(form).ok_or_else(missing)?.kind;
        edit::replace_code(kind, form, &mut binary.data.0, program, &code_bytes(&code.words))
            .map_err(|error| error.at_path(format!("binaries[{}].data", owner.binary)))?;
        self.settle()
    }

    /// The name of each program, made unique.
    pub(super) fn unique_names(&self) -> Vec<(String, &Program)> {
        let names = stages::unique(self.programs().map(|(_, program)| program.text()));
        names.into_iter().zip(self.programs().map(|(_, program)| program)).collect()
    }

    /// The binaries that can be stages, in order, each with its first owner.
    pub(super) fn owners(&self) -> Vec<Owned> {
        let claims = self.unique_names().into_iter().zip(self.programs());
        let claims: Vec<Claim> = claims
            .map(|((name, program), (number, _))| Claim {
                name,
                program: number,
                binaries: self.claim(program),
            })
            .collect();
        let variation = |number, binary| {
            let (variation, kind) = self.program(number).ok()?.owns(binary)?;
            (self.kind_of(binary) == Some(kind)).then_some(variation)
        };
        stages::owners(self.binaries().count(), &claims, variation, |binary| self.kind_of(binary).is_some())
    }

    /// The binaries that a program says are its own, of those that there are.
    pub(super) fn claim(&self, program: &Program) -> Option<std::ops::Range<usize>> {
        let all = self.binaries.as_ref().map_or(0, |array| array.items.len());
        binaries::claim(program.base, program.binaries(), all)
    }

    fn kind_of(&self, binary: usize) -> Option<ShaderKind> {
        let record = self.binaries.as_ref()?.items.get(binary)?.known()?;
        Some(record.shader(self.form())?.kind)
    }

    /// The binary and the program in it that a name means.
    pub(super) fn find(&self, id: &StageId) -> Option<(Owned, edit::Program)> {
        let Wanted { owner, place, kind, which } = Wanted::of(id)?;
        let (binary, program) = match place {
            Place::Variation(name, variation) => {
                let number = self.number_of(name)?;
                let program = self.program(number).ok()?;
                let first = variation.checked_mul(program.binaries_per_variation().into())?;
                let binary = first.checked_add(kind as u64)?.checked_add(program.base.into())?;
                let binary = usize::try_from(binary).ok()?;
                let claimed = self.claim(program)?;
                (claimed.contains(&binary).then_some(binary)?, Some(number))
            }
            Place::Binary(number) => (usize::try_from(number).ok()?, None),
        };
        if self.kind_of(binary) != Some(kind) {
            return None;
        }
        Some((Owned { name: owner.to_owned(), binary, program }, which))
    }

    fn stage_of(&self, owner: &Owned, at: u64, program: edit::Program) -> Option<Stage<'_>> {
        let binary = self.binaries.as_ref()?.items.get(owner.binary)?.known()?;
        let aligned = binary.aligned(at, self.form()).ok()?;
        let shader = Shader::new(binary.shader_kind()?, self.form(), &aligned)?;
        lazy::stage(&shader, &owner.name, binary.data_at(at), program)
    }
}

impl Program {
    /// Its name for people.
    pub(super) fn text(&self) -> String {
        crate::shared::Name(raw::text(&self.name.0).to_vec()).text()
    }

    /// Variation and stage of a binary that lies among those of the program.
    fn owns(&self, binary: usize) -> Option<(u64, ShaderKind)> {
        let index = (binary as u64).checked_sub(self.base.into())?;
        let per = u64::from(self.binaries_per_variation());
        let stage = match index.checked_rem(per)? {
            0 => ShaderKind::Vertex,
            1 => ShaderKind::Pixel,
            _ => ShaderKind::Geometry,
        };
        Some((index.checked_div(per)?, stage))
    }
}
