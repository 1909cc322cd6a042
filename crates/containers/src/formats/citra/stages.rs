//! The vertex programs as an instruction set sees them.

use super::model::{Citra, Entry};
use super::raw::{DESCRIPTORS, HEADER_LEN, PROGRAM_WORDS, REGISTERS, VERTEX};
use crate::formats::caches::pica::trimmed;
use std::collections::BTreeSet;
use unshade_stage::{Code, Interface, Isa, Stage, StageId, StageKind};

/// Bytes of the header, the registers, and the number of the words.
const FRONT: u64 = HEADER_LEN as u64 + REGISTERS * 4 + 8;

impl Citra {
    /// The vertex programs in the order of the file, each by its number in hexadecimal digits.
    pub fn stages(&self) -> impl Iterator<Item = Stage<'_>> {
        let mut seen = BTreeSet::new();
        let vertex = self.placed().filter(|(_, entry)| entry.header.program_type == VERTEX);
        // What is there twice is found once, as by its name.
        vertex
            .filter(move |(_, entry)| seen.insert(entry.header.unique_identifier))
            .map(|(at, entry)| entry.stage(at))
    }

    /// The vertex program of that name.
    pub fn stage(&self, id: &StageId) -> Option<Stage<'_>> {
        let mut vertex = self.placed().filter(|(_, entry)| entry.header.program_type == VERTEX);
        vertex.find(|(_, entry)| entry.name() == id.0).map(|(at, entry)| entry.stage(at))
    }

    /// The entries with their places in the file.
    pub(super) fn placed(&self) -> impl Iterator<Item = (u64, &Entry)> {
        let mut next = 4_u64;
        self.entries.iter().map(move |entry| {
            let at = next;
            next = next.saturating_add(entry.len());
            (at, entry)
        })
    }
}

impl Entry {
    /// Bytes that it takes in the file.
    pub(super) fn len(&self) -> u64 {
        let words = if self.header.program_type == VERTEX { 8 } else { 0 };
        let parts = self.registers.len().saturating_add(self.program_code.len());
        (HEADER_LEN.saturating_add(parts) as u64).saturating_add(words)
    }

    fn name(&self) -> String {
        self.header.unique_identifier.to_string()
    }

    /// Words of code and operand descriptors, without the zeros at their ends.
    pub fn program(&self) -> (Vec<u32>, Vec<u32>) {
        let (code, descriptors) =
            self.program_code.split_at_checked(PROGRAM_WORDS.saturating_mul(4)).unwrap_or_default();
        (trimmed(code, PROGRAM_WORDS), trimmed(descriptors, DESCRIPTORS))
    }

    fn stage(&self, at: u64) -> Stage<'_> {
        let (words, descriptors) = self.program();
        let code = Code {
            words: words.into(),
            descriptors: descriptors.into(),
            file_offset: at.saturating_add(FRONT),
            entry: self.entry_point(),
            constants: self.constants(),
            ..Code::default()
        };
        let interface = Interface {
            outputs: self.outputs(),
            input_mask: self.input_mask(),
            output_mask: self.output_mask(),
            ..Interface::default()
        };
        Stage { id: StageId(self.name()), kind: StageKind::Vertex, isa: Isa::Pica200, code, interface }
    }
}
