//! An executable of a SHBIN without its file.

use super::model::{Code, Dvlb, Dvle, Dvlp, Shbin};
use crate::Strings;
use unshade_stage::{Isa, Stage, StageId, StageKind};

/// An executable with the code that it runs: a file of its own, of which nobody says how it is laid out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Loose {
    /// A linked binary with one executable.
    file: Box<Shbin>,
}

impl Loose {
    /// An executable and the program that it was linked to.
    pub fn new(dvle: Dvle, code: Code, file_names: Strings) -> Self {
        let program = Dvlp { code, file_names, ..Dvlp::default() };
        let file = Dvlb { program, executables: vec![dvle], ..Dvlb::default() };
        Self { file: Box::new(Shbin::Linked(file)) }
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
