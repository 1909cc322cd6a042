//! The programs as an instruction set sees them. Code is unpacked when it is asked for.

use super::model::{GuestEntry, Ryujinx};
use super::raw::{Algorithm, ENTRY_LEN, HEADER_LEN, MOST_CODE};
use super::state::{Program, Slot};
use crate::formats::caches::maxwell::{SPH_LEN, graphics_stage, words};
use crate::formats::caches::packed::{brotli, inflate};
use crate::shared::stages::{Stages, Unpacking};
use std::collections::BTreeSet;
use std::rc::Rc;
use unshade_bytes::{Error, ErrorKind, Result};
use unshade_stage::maxwell::{BoundTexture, Driver};
use unshade_stage::{Code, Interface, Isa, Maxwell, Stage, StageId, StageKind};

/// What stands in front of the number of a program that no entry of `shared.toc` names.
const ALONE: &str = "guest";

impl Ryujinx {
    /// Where `guest.data` starts in the joined files, in bytes.
    pub(super) fn data_at(&self) -> u64 {
        let entries = self.guest.entries.len().saturating_mul(ENTRY_LEN);
        let len = HEADER_LEN.saturating_add(entries).saturating_add(self.guest.trailing.len());
        len as u64
    }

    /// Where `shared.toc` starts in the joined files, in bytes.
    pub(super) fn shared_at(&self) -> u64 {
        self.data_at().saturating_add(self.guest.data.len() as u64)
    }

    /// Where `shared.data` starts in the joined files, in bytes.
    pub(super) fn states_at(&self) -> u64 {
        let Some(shared) = &self.shared else { return self.shared_at() };
        let offsets = shared.offsets.len().saturating_mul(8);
        let len = HEADER_LEN.saturating_add(offsets).saturating_add(shared.trailing.len());
        self.shared_at().saturating_add(len as u64)
    }

    /// The program of `shared.data` at `index`.
    ///
    /// # Errors
    /// Where there is none, or its stages cannot be known.
    pub fn program(&self, index: usize) -> Result<Program> {
        let shared = self.shared.as_ref().ok_or_else(|| {
            let error = Error::unplaced(ErrorKind::OutOfBounds, "shared_toc", "shared.toc", "none");
            error.code("ryujinx.shared-toc")
        })?;
        shared.program(index, self.states_at())
    }

    /// The constants of an entry and its packed code, with the algorithm in front and the place of what follows on that.
    fn parts(&self, entry: &GuestEntry) -> Option<(&[u8], u8, &[u8], u64)> {
        let rest = self.guest.data.get(entry.offset as usize..)?;
        let (constants, rest) = rest.split_at_checked(entry.cb1_data_size as usize)?;
        let (algorithm, stream) = rest.split_first()?;
        let at = u64::from(entry.offset).saturating_add(entry.cb1_data_size.into()).saturating_add(1);
        Some((constants, *algorithm, stream, self.data_at().saturating_add(at)))
    }

    /// Program header, where it has one, and code of the entry at `index`, unpacked.
    ///
    /// # Errors
    /// Where it lies outside of `guest.data`, is too long, or cannot be unpacked.
    pub fn code(&self, index: usize) -> Result<Vec<u8>> {
        let path = |field: &str| format!("guest_data.entries[{index}].{field}");
        let bad = |at: u64, field: &str, expected: String, found: String, code: &'static str| {
            Error::new(ErrorKind::BadValue, at, path(field), expected, found).code(code)
        };
        let entry = self.guest.entries.get(index).copied().unwrap_or_default();
        let Some((_, algorithm, stream, at)) = self.parts(&entry) else {
            let expected = format!("a place before the end of guest.data at {:#x}", self.guest.data.len());
            let found = format!("{:#x} and {} bytes of constants", entry.offset, entry.cb1_data_size);
            return Err(Error::new(ErrorKind::OutOfBounds, self.data_at(), path("offset"), expected, found)
                .code("ryujinx.place"));
        };
        let size = entry.code_size as usize;
        if size > MOST_CODE {
            let expected = format!("at most {MOST_CODE} bytes of code");
            return Err(bad(at, "code", expected, size.to_string(), "ryujinx.code-size"));
        }
        let unpacked = match Algorithm::of(algorithm) {
            Some(Algorithm::None) => {
                return stream.get(..size).map(<[u8]>::to_vec).ok_or_else(|| {
                    let expected = format!("{size} bytes of code");
                    let found = format!("{} to the end of guest.data", stream.len());
                    Error::new(ErrorKind::Truncated, at, path("code"), expected, found)
                        .code("ryujinx.truncated")
                });
            }
            Some(Algorithm::Deflate) => inflate(stream, size, false),
            Some(Algorithm::Brotli) => brotli(stream, size),
            None => {
                let expected = "0 (not packed), 1 (deflate) or 2 (Brotli)".to_owned();
                let at = at.saturating_sub(1);
                return Err(bad(at, "algorithm", expected, algorithm.to_string(), "ryujinx.algorithm"));
            }
        };
        if unpacked.bytes.len() != size {
            let expected = format!("{size} bytes of code");
            let found = format!("{}: {}", unpacked.bytes.len(), unpacked.damage.unwrap_or("the stream ends"));
            return Err(bad(at, "code", expected, found, "ryujinx.packed"));
        }
        Ok(unpacked.bytes)
    }

    /// The stage that the entry at `index` of `guest.toc` is; `slot` where a program says which.
    fn guest_stage(&self, id: String, index: usize, slot: Option<Slot>) -> Option<Stage<'static>> {
        let entry = self.guest.entries.get(index)?;
        let (constants, _, _, at) = self.parts(entry)?;
        let bytes = self.code(index).ok()?;
        let said = slot.map(Slot::kind);
        let kind = said.or_else(|| graphics_stage(&bytes)).unwrap_or(StageKind::Compute);
        let header = if kind == StageKind::Compute { 0 } else { SPH_LEN };
        let (header, code) = bytes.split_at_checked(header).unwrap_or((&bytes, &[]));
        let maxwell = Maxwell {
            driver: Driver::Nvn,
            header: words(header),
            constants: constants.to_vec(),
            ..Maxwell::default()
        };
        let code = Code { words: words(code).into(), file_offset: at, ..Code::default() };
        let interface = Interface { maxwell: Some(Box::new(maxwell)), ..Interface::default() };
        Some(Stage { id: StageId(id), kind, isa: Isa::Maxwell, code, interface })
    }

    /// A stage of a program, with what that was translated for.
    fn stage_of(&self, index: usize, program: &Program, slot: Slot, guest: i32) -> Option<Stage<'static>> {
        let id = format!("{index}/{}", slot.name());
        let mut stage = self.guest_stage(id, usize::try_from(guest).ok()?, Some(slot))?;
        if let Some(maxwell) = &mut stage.interface.maxwell {
            maxwell.work_group = program.work_group;
            maxwell.shared_memory = program.shared_memory;
            maxwell.bound_textures = program.bound(slot);
        }
        Some(stage)
    }

    /// Bytes that the entry may come to.
    fn cost(&self, guest: i32) -> u64 {
        let entry = usize::try_from(guest).ok().and_then(|guest| self.guest.entries.get(guest));
        let code = |entry: &GuestEntry| u64::from(entry.code_size).min(MOST_CODE as u64);
        let constants = |entry: &GuestEntry| u64::from(entry.cb1_data_size).min(self.guest.data.len() as u64);
        entry.map_or(0, |entry| code(entry).saturating_add(constants(entry)))
    }

    /// The stages of each program, as `shared.toc` has them, then the entries of `guest.toc` that no program names. Without
    /// `shared.toc`, the entries.
    pub fn stages(&self) -> Stages<'_> {
        let len =
            self.guest.data.len().saturating_add(self.shared.as_ref().map_or(0, |shared| shared.data.len()));
        Stages::unpacking(len as u64, |work| self.all(work))
    }

    fn all<'a>(&'a self, work: Rc<Unpacking>) -> impl Iterator<Item = Stage<'a>> + 'a {
        let mut named: BTreeSet<i32> = BTreeSet::new();
        let mut programs = 0..self.shared.as_ref().map_or(0, |shared| shared.offsets.len());
        let mut waiting: Vec<Stage<'a>> = Vec::new();
        let mut guests = 0..self.guest.entries.len();
        std::iter::from_fn(move || {
            loop {
                if let Some(stage) = waiting.pop() {
                    return Some(stage);
                }
                if let Some(index) = programs.next() {
                    // A description is short; what it may come to is charged as a whole.
                    if !work.charge(super::raw::MOST_STATE as u64 / 4) {
                        return None;
                    }
                    let Ok(program) = self.program(index) else { continue };
                    for (slot, guest) in program.stages.iter().rev() {
                        if !work.charge(self.cost(*guest)) {
                            return None;
                        }
                        named.insert(*guest);
                        waiting.extend(self.stage_of(index, &program, *slot, *guest));
                    }
                    continue;
                }
                let index = guests.next()?;
                let guest = i32::try_from(index).ok()?;
                if named.contains(&guest) {
                    continue;
                }
                if !work.charge(self.cost(guest)) {
                    return None;
                }
                let Some(stage) = self.guest_stage(self.guest_id(index), index, None) else { continue };
                return Some(stage);
            }
        })
    }

    /// What an entry of `guest.toc` is called that stands for itself.
    fn guest_id(&self, index: usize) -> String {
        match self.shared {
            Some(_) => format!("{ALONE}{index}"),
            None => index.to_string(),
        }
    }

    /// The stage of that name.
    pub fn stage(&self, id: &StageId) -> Option<Stage<'_>> {
        if let Some((program, name)) = id.0.split_once('/') {
            let index = number(program)?;
            let program = self.program(index).ok()?;
            let (slot, guest) = program.stages.iter().find(|(slot, _)| slot.name() == name)?;
            return self.stage_of(index, &program, *slot, *guest);
        }
        let index = match self.shared {
            Some(_) => number(id.0.strip_prefix(ALONE)?)?,
            None => number(&id.0)?,
        };
        self.guest_stage(id.0.clone(), index, None)
    }
}

impl Program {
    /// What was bound where the stage reads textures.
    fn bound(&self, slot: Slot) -> Vec<BoundTexture> {
        // Numbers of stages count from the vertex program on; compute programs have one stage.
        let stage = match slot {
            Slot::Compute | Slot::VertexA | Slot::VertexB => 0,
            Slot::TessControl => 1,
            Slot::TessEval => 2,
            Slot::Geometry => 3,
            Slot::Fragment => 4,
        };
        let of = |texture: &&super::Texture| texture.stage == stage;
        let bound = |texture: &super::Texture| BoundTexture {
            bank: texture.buffer,
            // In a handle of two parts the upper bits are the place of the sampler.
            offset: (texture.handle as u32 & 0x3fff).saturating_mul(4),
            kind: texture.kind,
            format: texture.format,
            normalised: texture.normalised,
        };
        let mut all: Vec<BoundTexture> = self.textures.iter().filter(of).map(bound).collect();
        all.sort();
        all
    }
}

/// A number that is written as `stages` writes it.
fn number(text: &str) -> Option<usize> {
    text.parse().ok().filter(|number: &usize| number.to_string() == text)
}
