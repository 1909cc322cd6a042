//! An executable of a SHBIN without its file.

use super::model::{Code, Dvlb, Dvle, Dvlp, Dvoj, Relocation, Shbin};
use super::share::Shares;
use crate::shared::{Strings, programs::DetachedForm};
use unshade_stage::CodeFacts;
use unshade_stage::{Isa, Stage, StageId, StageKind};

/// An executable with the program that it was linked to, and what of that is its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Detached {
    /// A linked binary with one executable, of which nobody says how it is laid out.
    file: Box<Shbin>,
    pub(super) shares: Shares,
    /// The relocations, of an object.
    pub(super) relocations: Option<Vec<Relocation>>,
}

impl Detached {
    fn new(dvle: Dvle, code: Code, file_names: Strings, shares: Shares) -> Self {
        let program = Dvlp { code, file_names, ..Dvlp::default() };
        let file = Dvlb { program, executables: vec![dvle], ..Dvlb::default() };
        Self { file: Box::new(Shbin::Linked(file)), shares, relocations: None }
    }

    /// The executable of that number.
    pub(super) fn linked(file: &Dvlb, number: usize) -> Option<Self> {
        let dvle = file.executables.get(number)?.clone();
        let code = file.program.code.clone();
        let shares = Shares::of(&code, &file.executables, Some(number));
        Some(Self::new(dvle, code, file.program.file_names.clone(), shares))
    }

    /// An object that was not linked: it starts at its first word.
    pub(super) fn object(file: &Dvoj) -> Self {
        let end = u32::try_from(file.code.words.len()).unwrap_or(0);
        let dvle = Dvle { entry: 0, end, executable: file.executable.clone() };
        let shares = Shares::of(&file.code, std::slice::from_ref(&dvle), Some(0));
        let names = file.executable.symbols.clone();
        let loose = Self::new(dvle, file.code.clone(), names, shares);
        Self { relocations: Some(file.relocations.clone()), ..loose }
    }

    /// The executable, the code of its program and the names that line numbers stand with.
    pub(super) fn parts(&self) -> Option<(&Dvle, &Code, &Strings)> {
        match &*self.file {
            Shbin::Linked(file) => {
                Some((file.executables.first()?, &file.program.code, &file.program.file_names))
            }
            Shbin::Object(_) => None,
        }
    }

    /// Which unit runs it.
    pub fn kind(&self) -> StageKind {
        self.stage().kind
    }

    /// The stage as its instruction set sees it. Places in the code are those of the file that it comes from.
    pub fn stage(&self) -> Stage<'_> {
        let stage = self.file.stages().next();
        stage.unwrap_or_else(|| Stage {
            id: StageId("0".to_owned()),
            kind: StageKind::Vertex,
            isa: Isa::Pica200,
            code: unshade_stage::Code::default(),
            interface: unshade_stage::Interface::default(),
        })
    }
}

impl DetachedForm for Detached {
    fn kind(&self) -> StageKind {
        self.kind()
    }

    fn isa(&self) -> Isa {
        Isa::Pica200
    }

    fn stage(&self) -> Stage<'_> {
        self.stage()
    }

    fn code_facts(&self) -> CodeFacts {
        CodeFacts::default()
    }

    fn set_code_facts(&mut self, _facts: &CodeFacts) {}

    fn copy_stage(&self) -> Box<dyn DetachedForm> {
        Box::new(self.clone())
    }
}
