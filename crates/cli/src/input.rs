//! Where bytes come from: files by path, standard input, containers inside them.

use crate::args::{Bare, Kind, Numbering, Surroundings};
use crate::output::{self, Failure, Outcome, Status};
use crate::snippet;
use std::sync::OnceLock;
use std::{
    io,
    path::{Path, PathBuf},
};
use unshade::assembly;
use unshade::{Dictionaries, FilePath, Isa, ListingKind, Opened, Source, Stage, StageKind};
use unshade_catalog::{
    Catalog,
    content::{self, Bytes},
};

/// Reads a whole file, or standard input for `-`, up to the library's size limit.
pub fn read(path: &str) -> Outcome<Vec<u8>> {
    let failure = |error| Failure::Io {
        path: if path == "-" { "standard input".into() } else { path.into() },
        action: "read",
        error,
    };
    if path == "-" {
        content::stream(io::stdin().lock(), unshade::MAX_INPUT).map_err(failure)
    } else {
        content::read(path, unshade::MAX_INPUT).map_err(failure)
    }
}

/// The bytes of a file that is only looked at: read, or, of a large one, mapped, so that only what is looked at takes memory.
pub fn map(path: &str) -> Outcome<Bytes> {
    if path == "-" {
        return read(path).map(Bytes::Read);
    }
    let failure = |error| Failure::Io { path: path.into(), action: "read", error };
    content::whole(path, unshade::MAX_INPUT).map_err(failure)
}

/// The dictionaries of the command line.
static DICTIONARIES: OnceLock<Dictionaries> = OnceLock::new();

/// Reads the dictionaries that the command line names.
pub fn take_dictionaries(paths: &[String]) -> Outcome<()> {
    let mut all = Dictionaries::default();
    for path in paths {
        let bytes = map(path)?;
        let found = unshade::wrap::nest::dictionaries(&bytes[..])
            .map_err(|error| Failure::file(path.clone(), error))?;
        found.0.into_iter().for_each(|dictionary| all.add(dictionary));
    }
    // The command line is read once.
    let _ = DICTIONARIES.set(all);
    Ok(())
}

/// A file with the dictionaries of the command line.
pub fn source(bytes: &[u8]) -> Source<'_> {
    Source { bytes, dictionaries: DICTIONARIES.get() }
}

/// Opens catalogs; of folders and other files one is made for the question alone.
pub fn catalogs(paths: &[PathBuf]) -> Outcome<Vec<Catalog>> {
    let dictionaries = DICTIONARIES.get().cloned().unwrap_or_default();
    let open = |path: &PathBuf| {
        is_there(path)?;
        Catalog::open(path, &dictionaries).map_err(Failure::catalog("read"))
    };
    paths.iter().map(open).collect()
}

/// A file or folder that is not there fails at once, as one that cannot be read does.
pub fn is_there(path: &Path) -> Outcome<()> {
    path.metadata().map(drop).map_err(|error| Failure::Io {
        path: path.display().to_string(),
        action: "read",
        error,
    })
}

/// Reads a text file.
pub fn read_text(path: &str) -> Outcome<String> {
    String::from_utf8(read(path)?).map_err(|error| Failure::Io {
        path: path.into(),
        action: "read",
        error: io::Error::new(
            io::ErrorKind::InvalidData,
            format!("byte {:#x} is no UTF-8 text", error.utf8_error().valid_up_to()),
        ),
    })
}

/// Takes `PATH[:INNER][#ITEM]` apart, where a file ends that exists.
pub fn place(argument: &str) -> FilePath {
    FilePath::resolve(argument, |path| path == "-" || Path::new(path).is_file())
}

/// A file with the containers in it that were asked for.
pub struct Input {
    pub place: FilePath,
    /// The whole file.
    pub bytes: Bytes,
    pub opened: Opened,
}

/// Opens a file and what `:INNER` names in it.
pub fn open(argument: &str) -> Outcome<Input> {
    let place = place(argument);
    let bytes = map(&place.file)?;
    let opened = unshade::open_at(source(&bytes), &place.inner)
        .map_err(|error| Failure::open(place.file.clone(), error))?;
    for error in opened.failed.iter().chain(&opened.cut) {
        output::report_failure(&Failure::open(place.file.clone(), error.clone().into()));
    }
    Ok(Input { place, bytes, opened })
}

impl Input {
    /// How a command ends that did what it could: badly where something inside is damaged, which was said when it
    /// was opened.
    pub fn status(&self) -> Status {
        if self.opened.failed.is_empty() && self.opened.cut.is_empty() { Status::Good } else { Status::Bad }
    }
}

/// Says of each container that has no program that a machine could run what it has instead.
pub fn note_without_code(file: &str, opened: &Opened) {
    let empty = opened.containers.iter().filter(|inner| inner.container.stages().next().is_none());
    for inner in empty {
        match inner.container.format() {
            unshade::Format::Sharc => output::only_sources(file, &inner.container.describe()),
            _ => output::no_machine_code(file, &inner.container.describe()),
        }
    }
}

/// The programs that an argument names.
pub struct Programs {
    pub place: FilePath,
    /// Each with what stands behind the file to name it.
    pub stages: Vec<(String, Stage<'static>)>,
    /// The whole file.
    pub bytes: Bytes,
    /// Badly where something inside is damaged, which was said.
    pub status: Status,
}

/// Takes the programs that an argument names out of a file; that there are none at all is a failure.
pub fn programs(argument: &str) -> Outcome<Programs> {
    let place = place(argument);
    let bytes = map(&place.file)?;
    let found = unshade::programs(source(&bytes), &place.inner, place.item.as_deref());
    let found = found.map_err(|error| Failure::open(place.file.clone(), error))?;
    if found.stages.is_empty() {
        let opened = unshade::open_at(source(&bytes), &place.inner)
            .map_err(|error| Failure::open(place.file.clone(), error))?;
        if opened.containers.is_empty() {
            return Err(Failure::NoPrograms(output::no_programs(&place.file, &opened)));
        }
        note_without_code(&place.file, &opened);
    }
    for error in &found.failed {
        output::report_failure(&Failure::open(place.file.clone(), error.clone().into()));
    }
    let status = if found.failed.is_empty() { Status::Good } else { Status::Bad };
    Ok(Programs { place, stages: found.stages, bytes, status })
}

/// The instruction set of that name.
pub fn isa(name: &str) -> Outcome<Isa> {
    unshade::isa_named(name).ok_or_else(|| {
        let known: Vec<_> = unshade::ISAS.iter().map(|isa| isa.name()).collect();
        Failure::usage(format!("there is no instruction set `{name}`; known: {}", known.join(", ")))
    })
}

/// The programs that an argument names, or, where it names bare code, that.
pub fn programs_or_code(argument: &str, bare: &Bare) -> Outcome<Programs> {
    if let Some(stage) = code(argument, bare)? {
        let place = FilePath { file: argument.to_owned(), inner: Vec::new(), item: None };
        let stages = vec![(format!("#{}", stage.id), stage)];
        return Ok(Programs { place, stages, bytes: Bytes::Read(Vec::new()), status: Status::Good });
    }
    programs(argument)
}

/// The program of a file that is nothing but code: words, where the command line says of which machine, or a listing that begins
/// with `.isa`. Nothing where it is another file.
pub fn code(argument: &str, bare: &Bare) -> Outcome<Option<Stage<'static>>> {
    let kind = bare.stage.map(kind);
    if let Some(name) = &bare.isa {
        let isa = isa(name)?;
        let descriptors = match &bare.descriptors {
            Some(path) => words(path, bare.from_hex)?,
            None => Vec::new(),
        };
        return Ok(Some(unshade::code_stage(isa, kind, words(argument, bare.from_hex)?, descriptors)));
    }
    let path = Path::new(argument);
    let text = if argument != "-" && path.is_file() && starts_as_listing(path)? {
        Some(read_text(argument)?)
    } else {
        None
    };
    let listed = text.as_deref().and_then(|text| Some((text, ListingKind::of(text)?)));
    if let Some((text, ListingKind::Code(name))) = listed {
        let stage = unshade::listed_stage(isa(name)?, kind, text).map_err(|findings| {
            let source = assembly::Source { name: argument, text };
            snippet::failure(&assembly::Places::new(&[source]), &findings, false)
        })?;
        return Ok(Some(stage));
    }
    match kind {
        Some(_) => {
            Err(Failure::usage("--stage is for bare code, and goes with --isa; a container says it itself"))
        }
        None => Ok(None),
    }
}

/// Whether a file may be a listing of code: text, with a statement that begins with a dot first.
fn starts_as_listing(path: &Path) -> Outcome<bool> {
    let failure = |error| Failure::Io { path: path.display().to_string(), action: "read", error };
    let mut front = Vec::new();
    let file = std::fs::File::open(path).map_err(failure)?;
    io::Read::read_to_end(&mut io::Read::take(file, LISTING_FRONT), &mut front).map_err(failure)?;
    let text = String::from_utf8_lossy(&front);
    let first =
        text.lines().map(str::trim_start).find(|line| !line.is_empty() && !line.starts_with([';', '#']));
    Ok(first.is_some_and(|line| line.get(..4).is_some_and(|front| front.eq_ignore_ascii_case(".isa"))))
}

/// Bytes at the start of a file among which a listing's first statement stands.
const LISTING_FRONT: u64 = 1 << 16;

/// The words of a file that is nothing but these, or of a text.
fn words(path: &str, from_hex: bool) -> Outcome<Vec<u32>> {
    let words = match from_hex {
        true => unshade::words_from_hex(&read_text(path)?),
        false => unshade::words_from_bytes(&read(path)?),
    };
    words.map_err(|error| Failure::file(path.to_owned(), error))
}

/// The library's name of a kind of program.
fn kind(kind: Kind) -> StageKind {
    match kind {
        Kind::Vertex => StageKind::Vertex,
        Kind::TessControl => StageKind::TessControl,
        Kind::TessEval => StageKind::TessEval,
        Kind::Geometry => StageKind::Geometry,
        Kind::Fragment => StageKind::Fragment,
        Kind::Compute => StageKind::Compute,
    }
}

/// Puts what a file of surroundings says over what a program's file says.
pub fn state(stage: &mut Stage<'_>, path: &str) -> Outcome<()> {
    let read = std::fs::read_to_string(path);
    let text = read.map_err(|error| Failure::Io { path: path.to_owned(), action: "read", error })?;
    unshade::apply_state(stage, &text).map_err(|error| Failure::usage(format!("{path}: {error}")))
}

/// Puts what the command line says of a program's surroundings over what the file says.
pub fn surround(stage: &mut Stage<'_>, said: &Surroundings) -> Outcome<()> {
    if let Some(path) = &said.state {
        state(stage, path)?;
    }
    if let Some(numbering) = said.profile {
        let name = match numbering {
            Numbering::Gx2 => "gx2",
            Numbering::Mesa => "mesa",
            Numbering::Cemu => "cemu",
            Numbering::Nvn => "nvn",
            Numbering::Uam => "uam",
        };
        if let Some(profile) = unshade::profile_named(name) {
            unshade::apply_profile(stage, profile);
        }
    }
    Ok(())
}
