//! The programs of a container, as far as they go: programs may share code, and a file of a megabyte may have ten
//! thousand that each are half of it. What they come to grows with the file all the same.

use std::{cell::Cell, fmt, rc::Rc};
use unshade_bytes::{Error, ErrorKind};
use unshade_stage::Stage;

/// Programs that share code come to at most this many times the file and [`FREE`].
const TIMES: u64 = 16;
/// What the programs of a small file may come to in any case, in bytes: as much as 64 of the longest programs of the 3DS,
/// or 500,000 instructions of the Switch.
const FREE: u64 = 4 << 20;
/// What a program costs beside its parts, in bytes.
const EACH: u64 = 0x40;

/// What a name costs of which programs of one model each have all, in bytes.
const MEMBER: usize = 4;

/// What the programs of a file that share code may come to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Share {
    limit: u64,
    left: u64,
}

impl Share {
    /// For a file of `len` bytes.
    pub fn new(len: u64) -> Self {
        let limit = len.saturating_mul(TIMES).saturating_add(FREE);
        Self { limit, left: limit }
    }

    /// Takes a program's part; whether there is so much.
    pub fn take(&mut self, stage: &Stage<'_>) -> bool {
        let left = self.left.checked_sub(cost(stage));
        self.left = left.unwrap_or(0);
        left.is_some()
    }

    /// What to say where programs are left out.
    pub fn error(&self) -> Error {
        let expected =
            format!("programs that come to at most {} bytes (others are found by their names)", self.limit);
        let found = "more, which share their code";
        Error::new(ErrorKind::LimitExceeded, 0, "", expected, found).code("container.shared-code")
    }
}

/// What unpacking the programs of a file may cost: code that is packed may claim to be far longer than its file.
#[derive(Debug)]
pub struct Unpacking {
    limit: u64,
    left: Cell<u64>,
    spent: Cell<bool>,
}

/// Packed programs come to at most this many times the file and [`FREE`].
const PACKED_TIMES: u64 = 64;

#[cfg_attr(not(feature = "caches"), allow(dead_code, reason = "only caches are packed program by program"))]
impl Unpacking {
    /// For a file of `len` bytes.
    pub(crate) fn new(len: u64) -> Self {
        let limit = len.saturating_mul(PACKED_TIMES).saturating_add(FREE);
        Self { limit, left: Cell::new(limit), spent: Cell::new(false) }
    }

    /// Takes so many bytes that something is unpacked to; whether there are so many.
    pub(crate) fn charge(&self, bytes: u64) -> bool {
        let left = self.left.get().checked_sub(bytes.saturating_add(EACH));
        self.left.set(left.unwrap_or(0));
        self.spent.set(self.spent.get() || left.is_none());
        left.is_some()
    }

    /// What to say where programs are left out.
    pub(crate) fn error(&self) -> Error {
        let expected = format!(
            "programs that come to at most {} bytes unpacked (others are found by their names)",
            self.limit
        );
        Error::new(ErrorKind::LimitExceeded, 0, "", expected, "more").code("container.unpacked-code")
    }
}

/// The programs of a container in file order. They end early where they come to more than their [`Share`]; those left
/// out are found by their names alone.
pub struct Stages<'a> {
    inner: Box<dyn Iterator<Item = Stage<'a>> + 'a>,
    share: Option<Share>,
    unpacking: Option<Rc<Unpacking>>,
    note: Option<Error>,
    left_out: bool,
}

impl<'a> Stages<'a> {
    /// All programs of a file whose programs have their own bytes each.
    pub(crate) fn all(stages: impl Iterator<Item = Stage<'a>> + 'a) -> Self {
        Self { inner: Box::new(stages), share: None, unpacking: None, note: None, left_out: false }
    }

    /// The programs of a file of `len` bytes, which they may share.
    pub(crate) fn sharing(stages: impl Iterator<Item = Stage<'a>> + 'a, len: u64) -> Self {
        Self { share: Some(Share::new(len)), ..Self::all(stages) }
    }

    /// The programs of a file of `len` bytes that holds them packed: who makes them charges what they are unpacked to, and ends
    /// where there is no more.
    #[cfg(feature = "caches")]
    pub(crate) fn unpacking<I: Iterator<Item = Stage<'a>> + 'a>(
        len: u64,
        stages: impl FnOnce(Rc<Unpacking>) -> I,
    ) -> Self {
        let work = Rc::new(Unpacking::new(len));
        Self { unpacking: Some(work.clone()), ..Self::all(stages(work)) }
    }

    /// The same with what to say of programs without their code.
    #[cfg(feature = "caches")]
    pub(crate) fn noting(self, note: Option<Error>) -> Self {
        Self { note, ..self }
    }

    /// Says that programs, or the code of all of them, were left out, if they were; known at the end.
    pub fn left_out(&self) -> Option<Error> {
        let spent = self.unpacking.as_deref().filter(|work| work.spent.get()).map(Unpacking::error);
        self.share
            .filter(|_| self.left_out)
            .map(|share| share.error())
            .or(spent)
            .or_else(|| self.note.clone())
    }
}

impl<'a> Iterator for Stages<'a> {
    type Item = Stage<'a>;

    fn next(&mut self) -> Option<Stage<'a>> {
        if self.left_out {
            return None;
        }
        let stage = self.inner.next()?;
        self.left_out = self.share.as_mut().is_some_and(|share| !share.take(&stage));
        (!self.left_out).then_some(stage)
    }
}

impl fmt::Debug for Stages<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { inner: _, share, unpacking, note, left_out } = self;
        f.debug_struct("Stages")
            .field("share", share)
            .field("unpacking", unpacking)
            .field("note", note)
            .field("left_out", left_out)
            .finish_non_exhaustive()
    }
}

/// Bytes that a program comes to.
fn cost(stage: &Stage<'_>) -> u64 {
    let words = stage.code.words.len().saturating_add(stage.code.descriptors.len());
    let around = stage.interface.maxwell.as_deref().map_or(0, |maxwell| {
        let names = [
            &maxwell.inputs,
            &maxwell.outputs,
            &maxwell.samplers,
            &maxwell.constant_buffers,
            &maxwell.storage_buffers,
            &maxwell.images,
            &maxwell.separate_textures,
            &maxwell.separate_samplers,
        ];
        let names = names.iter().map(|names| names.len()).fold(0, usize::saturating_add);
        let members = maxwell.members.len().saturating_mul(MEMBER);
        names.saturating_mul(0x20).saturating_add(maxwell.constants.len()).saturating_add(members)
    });
    let named = stage.interface.latte.as_deref().map_or(0, |latte| {
        let names = [latte.attributes.len(), latte.blocks.len(), latte.uniforms.len(), latte.samplers.len()];
        names.into_iter().fold(0, usize::saturating_add).saturating_mul(MEMBER)
    });
    let parts = words.saturating_mul(4).saturating_add(around).saturating_add(named);
    (parts as u64).saturating_add(EACH)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::arithmetic_side_effects)]

    use super::*;
    use unshade_stage::{Code, Interface, Isa, StageId, StageKind};

    fn stage(words: usize) -> Stage<'static> {
        let code = Code { words: vec![0; words].into(), ..Code::default() };
        let interface = Interface::default();
        Stage { id: StageId("0".into()), kind: StageKind::Vertex, isa: Isa::Pica200, code, interface }
    }

    #[test]
    fn what_programs_come_to_grows_with_the_file() {
        let program = 0x10_0000;
        let count = |len: u64| {
            let mut stages = Stages::sharing((0..1000).map(|_| stage(program / 4)), len);
            let count = stages.by_ref().count() as u64;
            assert!(stages.left_out().is_some() && stages.next().is_none());
            count
        };
        assert_eq!((count(0), count(program as u64)), (3, 19));
        let mut own = Stages::all((0..100).map(|_| stage(program / 4)));
        assert_eq!((own.by_ref().count(), own.left_out()), (100, None));
    }
}
