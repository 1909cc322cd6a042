//! Whole programs of an MBS: taken, put, added, removed. A program is a chunk that depends on nothing else in the file.

use super::model::{FileChunk, Mbs, Program, ProgramChunk, ProgramKind};
use crate::shared::programs::{DetachedForm, NewProgram, Removed, missing, unfit, wrong};
use unshade_bytes::Result;
use unshade_stage::CodeFacts;
use unshade_stage::{Isa, Stage, StageId, StageKind};

impl ProgramKind {
    /// Which step of the pipeline it is for.
    pub fn stage(self) -> StageKind {
        match self {
            Self::Vertex => StageKind::Vertex,
            Self::Fragment => StageKind::Fragment,
        }
    }

    /// Which processor runs it.
    pub fn isa(self) -> Isa {
        match self {
            Self::Vertex => Isa::MaliGp,
            Self::Fragment => Isa::MaliPp,
        }
    }

    /// The name of its stage.
    pub(super) fn stage_name(self) -> &'static str {
        match self {
            Self::Vertex => "vert",
            Self::Fragment => "frag",
        }
    }
}

impl Mbs {
    /// The program of that name with its tables and everything else that stands in its chunk.
    ///
    /// # Errors
    /// [`unshade_bytes::ErrorKind::OutOfBounds`] where no program has that name.
    pub fn take(&self, id: &StageId) -> Result<Program> {
        self.named(id).cloned().ok_or_else(|| missing(&id.0))
    }

    /// Puts another program of the same kind in the place of that name.
    ///
    /// # Errors
    /// [`unshade_bytes::ErrorKind::OutOfBounds`] where no program has that name;
    /// [`unshade_bytes::ErrorKind::BadValue`] for a program of the other kind.
    pub fn put(&mut self, id: &StageId, program: &Program) -> Result<()> {
        let place = self.named_mut(id).ok_or_else(|| missing(&id.0))?;
        if place.kind != program.kind {
            let expected = format!("a {} program", place.kind.name());
            return Err(wrong(&id.0, expected, format!("a {} program", program.kind.name())));
        }
        *place = program.clone();
        Ok(())
    }

    /// Adds the program of a kind that the file has not; [`NewProgram::at`] counts chunks.
    ///
    /// # Errors
    /// [`unshade_bytes::ErrorKind::BadValue`] for anything but one Mali program without name and values;
    /// [`unshade_bytes::ErrorKind::Unrepresentable`] where the file has a program of that kind.
    pub fn add(&mut self, what: &NewProgram) -> Result<Vec<StageId>> {
        let program: &Program = what.only("one Mali program")?;
        what.bare("a program of an MBS")?;
        let name = program.kind.stage_name();
        if self.program(program.kind).is_some() {
            return Err(unfit(name, "a file without such a program: loaders take one of each kind", "one"));
        }
        let at = what.place(self.chunks.len())?;
        self.chunks.insert(at, FileChunk::Program(program.clone()));
        Ok(vec![StageId(name.to_owned())])
    }

    /// Takes the program of that name out. Of several of a kind the first goes.
    ///
    /// # Errors
    /// [`unshade_bytes::ErrorKind::OutOfBounds`] where no program has that name.
    pub fn remove(&mut self, item: &str) -> Result<Removed> {
        let kind = self.take(&StageId(item.to_owned()))?.kind;
        let is_it = |chunk: &FileChunk| matches!(chunk, FileChunk::Program(program) if program.kind == kind);
        let at = self.chunks.iter().position(is_it).ok_or_else(|| missing(item))?;
        let FileChunk::Program(program) = self.chunks.remove(at) else { return Err(missing(item)) };
        Ok(Removed {
            stages: vec![StageId(kind.stage_name().to_owned())],
            again: NewProgram { stages: vec![program.into()], at: Some(at), ..NewProgram::default() },
        })
    }
}

impl DetachedForm for Program {
    fn kind(&self) -> StageKind {
        self.kind.stage()
    }

    fn isa(&self) -> Isa {
        self.kind.isa()
    }

    fn stage(&self) -> Stage<'_> {
        self.stage(0)
    }

    fn code_facts(&self) -> CodeFacts {
        let mut facts = CodeFacts::default();
        for chunk in &self.chunks {
            match chunk {
                ProgramChunk::Instructions(chunk) => facts.attribute_prefetch = Some(chunk.attrib_prefetch),
                ProgramChunk::Discard(word) => facts.discards = Some(*word != 0),
                _ => {}
            }
        }
        facts
    }

    fn set_code_facts(&mut self, facts: &CodeFacts) {
        let before = DetachedForm::code_facts(self);
        if let (Some(_), Some(prefetch)) = (before.attribute_prefetch, facts.attribute_prefetch) {
            self.set_attrib_prefetch(prefetch);
        }
        // A word that says yes in another way stays.
        if let (Some(old), Some(new)) = (before.discards, facts.discards)
            && old != new
        {
            self.set_discards(new);
        }
    }

    fn copy_stage(&self) -> Box<dyn DetachedForm> {
        Box::new(self.clone())
    }
}
