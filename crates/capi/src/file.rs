//! Files that are open.

use crate::{error::Failure, text::Owned};
use std::ffi::c_char;
use unshade::{Dictionaries, ErrorKind, FilePath, MAX_INPUT, Source, Stage, report};

/// How a file is opened. Everything that is zero is left to the library; a null pointer in place of the structure leaves
/// all of it.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct OpenOptions {
    /// Size of this structure as the caller knows it, in bytes: `sizeof(unshade_open_options)`.
    pub size: usize,
    /// What is wanted of the file, in the words that stand behind its name on the command line:
    /// `:Layout/x.szs:shader.sharcfb#toon/3`, `#1`. Null: all of it.
    pub place: *const c_char,
    /// Who numbers resources: `gx2`, `mesa`, `cemu` (Wii U), `nvn`, `uam` (Switch). Null: what the file says.
    pub profile: *const c_char,
    /// What surrounds programs of the Wii U beside what their file says, as a JSON object (docs/state.md). Null: nothing.
    pub state: *const c_char,
    /// A zstd dictionary or an archive with some, for what was compressed with them. Null: none.
    pub dictionary: *const u8,
    /// How many bytes that are.
    pub dictionary_size: usize,
}

/// [`OpenOptions`] as texts.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Wanted<'w> {
    pub place: Option<&'w str>,
    pub surroundings: Surroundings<'w>,
    pub dictionary: &'w [u8],
}

/// What is said of programs beside what their file says.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Surroundings<'w> {
    pub profile: Option<&'w str>,
    pub state: Option<&'w str>,
}

impl Surroundings<'_> {
    pub(crate) fn apply(&self, stage: &mut Stage<'_>) -> Result<(), Failure> {
        if let Some(state) = self.state {
            unshade::apply_state(stage, state)?;
        }
        if let Some(name) = self.profile {
            let profile = unshade::profile_named(name);
            let profile = profile.ok_or_else(|| Failure::argument("profile", format!("{name:?} is none")))?;
            unshade::apply_profile(stage, profile);
        }
        Ok(())
    }
}

/// Programs that are open, with what they came from. Nothing about it changes until it is closed, so any number of threads
/// may use it at once.
#[derive(Debug)]
pub struct File {
    pub(crate) origin: Origin,
    pub(crate) programs: Vec<Program>,
}

/// Where programs came from.
#[derive(Debug)]
pub(crate) enum Origin {
    /// A file.
    File { bytes: Vec<u8>, dictionaries: Option<Dictionaries>, place: FilePath },
    /// Bare code.
    Code,
}

/// A program that is open.
#[derive(Debug)]
pub(crate) struct Program {
    pub stage: Stage<'static>,
    pub item: String,
    /// Its item and the name of its entry point, for C.
    pub texts: [Owned; 2],
}

impl Program {
    pub(crate) fn new(item: String, stage: Stage<'static>) -> Self {
        let name = report::entry_name(&stage).unwrap_or_default();
        let texts = [Owned::new(item.as_str()), Owned::new(name)];
        Self { stage, item, texts }
    }
}

/// The name that stands for the file in front of a place.
const FILE: &str = "-";

/// What a place says.
fn place(text: &str) -> Result<FilePath, Failure> {
    let place = FilePath::resolve(&format!("{FILE}{text}"), |path| path == FILE);
    if place.file == FILE {
        return Ok(place);
    }
    Err(Failure::argument("place", format!("{text:?} starts neither with `:` nor with `#`")))
}

impl File {
    /// Opens a file.
    pub(crate) fn open(bytes: &[u8], wanted: &Wanted<'_>) -> Result<Self, Failure> {
        if bytes.len() as u64 > MAX_INPUT {
            let expected = format!("at most {MAX_INPUT} bytes");
            let found = bytes.len().to_string();
            return Err(unshade::Error::new(ErrorKind::LimitExceeded, MAX_INPUT, "", expected, found).into());
        }
        let place = place(wanted.place.unwrap_or_default())?;
        let dictionaries = match wanted.dictionary {
            [] => None,
            bytes => Some(unshade::wrap::nest::dictionaries(bytes)?),
        };
        let source = Source { bytes, dictionaries: dictionaries.as_ref() };
        let found = unshade::programs(source, &place.inner, place.item.as_deref())?;
        let mut programs = Vec::with_capacity(found.stages.len());
        for (item, mut stage) in found.stages {
            wanted.surroundings.apply(&mut stage)?;
            programs.push(Program::new(item, stage));
        }
        Ok(Self { origin: Origin::File { bytes: bytes.to_vec(), dictionaries, place }, programs })
    }
}

/// The program at an index.
pub(crate) fn program(file: Option<&File>, index: usize) -> Result<&Program, Failure> {
    let file = file.ok_or_else(|| Failure::null("file"))?;
    file.programs.get(index).ok_or_else(|| {
        Failure::argument("index", format!("{index}, but there are {} programs", file.programs.len()))
    })
}

/// Handles go from thread to thread, and are used by several at once.
const _: () = {
    const fn shared<T: Send + Sync>() {}
    shared::<File>();
    shared::<crate::Findings>();
    shared::<crate::Buffer>();
    shared::<crate::Error>();
};
