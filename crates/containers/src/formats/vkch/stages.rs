//! The vertex programs as an instruction set sees them, each as the configurations of the file use it.

use super::model::{Entry, Vkch};
use super::raw::{AROUND, CONFIG_LEN, MOST, PROGRAM_LEN, SPIRV, VERTEX_CONFIG, VERTEX_PROGRAM};
use crate::formats::caches::{Wide, maxwell::words, pica::trimmed};
use crate::formats::zstd::{self, Dictionaries};
use crate::shared::stages::{Stages, Unpacking};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use unshade_bytes::{Error, ErrorKind, Result};
use unshade_stage::{Code, Interface, Isa, Stage, StageId, StageKind};

/// Words of a program, and operand descriptors that instructions can name.
const PROGRAM_WORDS: usize = 0x1000;
const DESCRIPTORS: usize = 128;
/// What a map says of an output register that is not handed on.
const NOT_HANDED_ON: u32 = 16;

/// What a configuration says of a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Config {
    /// Its own number.
    id: Wide,
    /// The program.
    program: Wide,
    /// Where the program starts, as a word.
    entry: u32,
    /// Output registers that are handed on, bit n = register n.
    outputs: u32,
}

impl Config {
    /// Reads a configuration, unpacked.
    fn read(id: Wide, bytes: &[u8]) -> Option<Self> {
        let wide = |at: usize| Some(Wide(u64::from_le_bytes(*bytes.get(at..)?.first_chunk()?)));
        let word = |at: usize| Some(u32::from_le_bytes(*bytes.get(at..)?.first_chunk()?));
        // The structure that the program is translated for starts behind three numbers.
        let map = bytes.get(24_usize.saturating_add(32)..CONFIG_LEN)?;
        let handed = words(map).into_iter().take(16).enumerate();
        let outputs =
            handed.filter(|(_, place)| *place < NOT_HANDED_ON).fold(0, |mask, (n, _)| mask | 1 << n);
        Some(Self { id, program: wide(8)?, entry: word(24_usize.saturating_add(24))?, outputs })
    }
}

impl Entry {
    /// What it holds, unpacked up to `limit` bytes.
    ///
    /// # Errors
    /// Where the frame is damaged or longer. Offsets count from the start of the payload.
    pub fn content(&self, limit: usize) -> Result<Cow<'_, [u8]>> {
        if self.header.flags & 1 == 0 {
            return Ok(Cow::Borrowed(&self.payload));
        }
        let none = Dictionaries::default();
        zstd::read_within(&self.payload, limit as u64, &none)
            .map(|file| Cow::Owned(file.data))
            .map_err(|error| error.code("vkch.packed"))
    }

    /// Whether it holds SPIR-V.
    pub fn is_spirv(&self) -> bool {
        SPIRV.contains(&self.header.entry_type)
    }

    /// The SPIR-V that it holds: what the emulator made of a program.
    ///
    /// # Errors
    /// [`ErrorKind::BadValue`] for an entry of another type; as [`Entry::content`].
    pub fn spirv(&self) -> Result<Cow<'_, [u8]>> {
        if self.is_spirv() {
            return self.content(MOST);
        }
        let found = super::records::type_name(self.header.entry_type.into());
        Err(Error::unplaced(ErrorKind::BadValue, "entry_type", "SPIR-V", found).code("vkch.entry"))
    }

    /// Bytes that it takes in the file.
    pub(super) fn len(&self) -> u64 {
        self.payload.len().saturating_add(AROUND) as u64
    }

    /// Words of code and operand descriptors of a vertex program.
    ///
    /// # Errors
    /// As [`Entry::content`], and where there are not as many words as the format has.
    pub fn program(&self) -> Result<(Vec<u32>, Vec<u32>)> {
        let bytes = self.content(PROGRAM_LEN)?;
        let counts = bytes.get(8..).and_then(|rest| rest.first_chunk::<8>()).map(|counts| words(counts));
        let (Some([code_len, descriptor_len]), Some(memory)) =
            (counts.as_deref(), bytes.get(16..PROGRAM_LEN))
        else {
            let expected = format!("{PROGRAM_LEN} bytes of a vertex program");
            let found = bytes.len().to_string();
            return Err(Error::new(ErrorKind::Truncated, 0, "payload", expected, found).code("vkch.program"));
        };
        let (code, descriptors) =
            memory.split_at_checked(PROGRAM_WORDS.saturating_mul(4)).unwrap_or_default();
        let code = trimmed(code, PROGRAM_WORDS.min(*code_len as usize));
        Ok((code, trimmed(descriptors, DESCRIPTORS.min(*descriptor_len as usize))))
    }
}

impl Vkch {
    /// The entries with their places in the file.
    pub(super) fn placed(&self) -> impl Iterator<Item = (u64, &Entry)> {
        let mut next = 0_u64;
        self.entries.iter().map(move |entry| {
            let at = next;
            next = next.saturating_add(entry.len());
            (at, entry)
        })
    }

    /// Bytes of all entries.
    pub(super) fn len(&self) -> u64 {
        self.entries.iter().map(Entry::len).fold(0, u64::saturating_add)
    }

    fn programs(&self) -> impl Iterator<Item = (u64, &Entry)> {
        self.placed().filter(|(_, entry)| entry.header.entry_type == VERTEX_PROGRAM)
    }

    /// The configurations by their programs, in the order of the file.
    fn configs(&self, work: &Unpacking) -> BTreeMap<Wide, Vec<Config>> {
        let mut configs: BTreeMap<Wide, Vec<Config>> = BTreeMap::new();
        for entry in self.entries.iter().filter(|entry| entry.header.entry_type == VERTEX_CONFIG) {
            if !work.charge(CONFIG_LEN as u64) {
                break;
            }
            let content = entry.content(CONFIG_LEN).ok();
            if let Some(config) = content.and_then(|bytes| Config::read(entry.header.id, &bytes)) {
                configs.entry(config.program).or_default().push(config);
            }
        }
        configs
    }

    /// The vertex programs, each by its number; where several configurations use it in different ways, once for each of these, the
    /// number of the configuration behind it: `0123456789abcdef.fedcba9876543210`.
    pub fn stages(&self) -> Stages<'_> {
        Stages::unpacking(self.len(), |work| self.all(work))
    }

    fn all<'a>(&'a self, work: Rc<Unpacking>) -> impl Iterator<Item = Stage<'a>> + 'a {
        let configs = self.configs(&work);
        let mut seen = BTreeSet::new();
        self.programs()
            // What is there twice is found once, as by its name.
            .filter(move |(_, entry)| seen.insert(entry.header.id))
            .map_while(move |(at, entry)| work.charge(PROGRAM_LEN as u64).then_some((at, entry)))
            .flat_map(move |(at, entry)| {
                let program = entry.program().ok();
                let mut uses = configs.get(&entry.header.id).cloned().unwrap_or_default();
                // Those that differ in nothing that a program shows are one.
                let mut kinds = BTreeSet::new();
                uses.retain(|config| kinds.insert((config.entry, config.outputs)));
                let uses: Vec<Option<Config>> = match uses.is_empty() {
                    true => vec![None],
                    false => uses.into_iter().map(Some).collect(),
                };
                program.into_iter().flat_map(move |program| {
                    let uses = uses.clone();
                    uses.into_iter().enumerate().map(move |(n, config)| {
                        let id = match config.filter(|_| n > 0) {
                            Some(config) => format!("{}.{}", entry.header.id, config.id),
                            None => entry.header.id.to_string(),
                        };
                        stage(id, at, &program, config)
                    })
                })
            })
    }

    /// The program of that name.
    pub fn stage(&self, id: &StageId) -> Option<Stage<'_>> {
        let (program, config) = match id.0.split_once('.') {
            Some((program, config)) => (program, Some(config)),
            None => (&id.0[..], None),
        };
        let (at, entry) = self.programs().find(|(_, entry)| entry.header.id.to_string() == program)?;
        let configs = self.configs(&Unpacking::new(self.len()));
        let uses = configs.get(&entry.header.id);
        let config = match config {
            Some(wanted) => Some(*uses?.iter().find(|config| config.id.to_string() == wanted)?),
            None => uses.and_then(|uses| uses.first()).copied(),
        };
        Some(stage(id.0.clone(), at, &entry.program().ok()?, config))
    }
}

/// A program as a configuration uses it.
fn stage(id: String, at: u64, program: &(Vec<u32>, Vec<u32>), config: Option<Config>) -> Stage<'static> {
    let (words, descriptors) = program;
    let code = Code {
        words: words.clone().into(),
        descriptors: descriptors.clone().into(),
        file_offset: at.saturating_add(16),
        entry: config.map_or(0, |config| config.entry),
        ..Code::default()
    };
    let output_mask = config.map_or(0, |config| config.outputs);
    let interface = Interface { output_mask, ..Interface::default() };
    Stage { id: StageId(id), kind: StageKind::Vertex, isa: Isa::Pica200, code, interface }
}
