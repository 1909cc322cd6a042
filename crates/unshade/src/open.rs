//! From the bytes of a file to the containers in it, through the wrappers around them.

use std::fmt;
use unshade_bytes::Error;
use unshade_containers::{
    Container, detect,
    mbs::ProgramKind,
    wrap::{
        inside,
        nest::{Bounds, Chain, Found, Piece, Source, Wrapper, walk_within},
        recognise::{Unread, recognise},
        scan,
        zstd::Dictionaries,
    },
};
use unshade_stage::suggest;
use unshade_stage::{Stage, StageId};

/// A container with its place in the file that was opened.
#[derive(Debug, Clone)]
pub struct Inner {
    /// Name behind `:` on the command line; `None` where the file itself is the container, perhaps unpacked.
    pub name: Option<String>,
    /// Where it starts in its file (the one that was opened, or the one inside an archive), in bytes.
    pub offset: u64,
    /// The container.
    pub container: Container,
    /// The wrappers around its file.
    pub chain: Chain,
    /// The bytes of its file.
    pub piece: Piece,
}

/// A wrapper that was opened on the way.
#[derive(Debug, Clone)]
pub struct Wrapped {
    /// Name behind `:` on the command line; `None` where the file itself is the wrapper, perhaps unpacked.
    pub name: Option<String>,
    /// Which it is.
    pub kind: Wrapper,
    /// Its bytes, packed.
    pub piece: Piece,
    /// How many wrappers are around it.
    pub depth: usize,
    /// Whether it is what was asked for, or inside of that; else it only lay on the way.
    pub chosen: bool,
}

/// A file of a format that is known by name only.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnreadFile {
    /// Name behind `:` on the command line.
    pub name: Option<String>,
    /// What it is.
    pub format: Unread,
    /// How many bytes it has.
    pub bytes: u64,
}

/// What was found in a file: one container, or several inside a blob or in archives.
#[derive(Debug, Clone, Default)]
pub struct Opened {
    /// In file order.
    pub containers: Vec<Inner>,
    /// The wrappers, each before what is inside.
    pub wrappers: Vec<Wrapped>,
    /// Files that are known by name only.
    pub unread: Vec<UnreadFile>,
    /// Files in wrappers that are damaged.
    pub failed: Vec<WithinError>,
    /// What is missing at the end of containers that were read all the same.
    pub cut: Vec<WithinError>,
    /// How many files in archives are nothing that is known.
    pub others: usize,
    /// The dictionaries that were given, and those of the archives on the way.
    pub dictionaries: Dictionaries,
}

/// Opens a file: as a container, as a blob in which containers lie at aligned places, or as wrappers around such
/// files.
///
/// # Errors
///
/// The reader's error where the file has a known magic number, its path behind that of the file inside;
/// [`unshade_bytes::ErrorKind::UnknownFormat`] where nothing in it is known.
pub fn open<'f>(file: impl Into<Source<'f>>) -> unshade_bytes::Result<Opened> {
    open_at(file, &[]).map_err(|error| match error {
        OpenError::Within(within) => within.into_error(),
        // Without a name none is unknown.
        OpenError::Unknown(unknown) => {
            Error::new(unshade_bytes::ErrorKind::UnknownFormat, 0, "", "a name", unknown.to_string())
        }
    })
}

/// Opens what `names` choose in a file: files of archives by their names, the outermost archive's first, at last a
/// container of a blob by its index or its offset in hexadecimal. No names: everything. Of a file in which several
/// things were found, those that are damaged are in [`Opened::failed`].
///
/// # Errors
///
/// As [`open`], and where nothing has such a name.
pub fn open_at<'f>(file: impl Into<Source<'f>>, names: &[String]) -> Result<Opened, OpenError> {
    let source = file.into();
    let bytes = source.bytes;
    let mut opened = Opened::with(source);
    let mut walk = walk_within(source, names, Bounds::EVERYTHING);
    for found in walk.by_ref() {
        match found {
            Found::Wrapper { chain, kind, piece, names } => {
                let (name, depth) = (chain.name(), chain.0.len());
                opened.wrappers.push(Wrapped { name, kind, piece, depth, chosen: names.is_empty() });
            }
            Found::File { chain, piece, names } => opened.file(bytes, chain, piece, &names)?,
            Found::Failed { chain, error } => opened.failed.push(WithinError::new(chain, error)),
            Found::Unknown { chain, wanted, known } => {
                let above = chain.name().map(|name| format!(":{name}")).unwrap_or_default();
                let known = known.iter().map(|name| format!("{above}:{name}")).collect();
                return Err(UnknownName { wanted: format!("{above}:{wanted}"), known }.into());
            }
        }
    }
    opened.dictionaries = walk.dictionaries().clone();
    match opened.failed.as_slice() {
        [_] if opened.containers.is_empty() && opened.unread.is_empty() && opened.others == 0 => {
            let error = opened.failed.swap_remove(0);
            Err(error.into())
        }
        _ => Ok(opened),
    }
}

impl Opened {
    /// Nothing opened yet; the dictionaries that come with the file are there.
    pub(crate) fn with(source: Source<'_>) -> Self {
        Self { dictionaries: source.dictionaries.cloned().unwrap_or_default(), ..Self::default() }
    }

    /// Takes in a file that is no wrapper.
    pub(crate) fn file(
        &mut self,
        file: &[u8],
        chain: Chain,
        piece: Piece,
        names: &[String],
    ) -> Result<(), OpenError> {
        let bytes = piece.bytes(file);
        let above = chain.name();
        let mut found = Vec::new();
        let place =
            |found: scan::Embedded| (Some(format!("{:#x}", found.offset)), found.offset, found.container);
        if detect(bytes).is_some() {
            match Container::read(bytes) {
                Ok(mut container) => {
                    container.equip(&self.dictionaries);
                    let cut = Container::cut(container.format(), bytes);
                    self.cut.extend(cut.map(|error| WithinError::new(chain.clone(), error)));
                    found.push((None, 0, container));
                    found.extend(scan::behind(bytes).map(place));
                }
                Err(error) => {
                    self.failed.push(WithinError::new(chain, error));
                    return Ok(());
                }
            }
        } else {
            found.extend(scan::scan(bytes).map(place));
        }
        if let Some(format) =
            recognise(bytes).filter(|_| found.is_empty() && !chain.0.is_empty() && names.is_empty())
        {
            self.unread.push(UnreadFile { name: above, format, bytes: bytes.len() as u64 });
            return Ok(());
        }
        if found.is_empty() {
            if names.is_empty() && inside::wrappers(bytes).next().is_some() {
                // What lies in it comes next.
                return Ok(());
            }
            if chain.0.is_empty() || !names.is_empty() {
                // The reader says best what is wrong with a file that is no container and holds none.
                let unknown = |error| WithinError::new(chain.clone(), error);
                Container::read(bytes).map_err(unknown)?;
            }
            self.others += 1;
            return Ok(());
        }
        if let [name, rest @ ..] = names {
            let by_name = found.iter().position(|(place, ..)| place.as_ref() == Some(name));
            let index = by_name.or_else(|| name.parse().ok()).filter(|&at| at < found.len());
            let (Some(index), []) = (index, rest) else {
                let prefix = above.map(|name| format!(":{name}")).unwrap_or_default();
                let place = |(place, ..): &(Option<String>, u64, Container)| {
                    format!("{prefix}:{}", place.as_deref().unwrap_or("0"))
                };
                let wanted = names.iter().map(|name| format!(":{name}")).collect::<String>();
                let known = found.iter().map(place).collect();
                return Err(UnknownName { wanted: prefix.clone() + &wanted, known }.into());
            };
            found = vec![found.swap_remove(index)];
        }
        self.containers.extend(found.into_iter().map(|(place, offset, container)| Inner {
            name: match (&above, place) {
                (Some(above), Some(place)) => Some(format!("{above}:{place}")),
                (Some(name), None) => Some(name.clone()),
                (None, place) => place,
            },
            offset,
            container,
            chain: chain.clone(),
            piece: piece.clone(),
        }));
        Ok(())
    }
}

impl Inner {
    /// What stands behind `FILE` to name a program of this container: `#0`, `:0x80#1`.
    pub fn item_name(&self, stage: &StageId) -> String {
        match &self.name {
            Some(name) => format!(":{name}#{stage}"),
            None => format!("#{stage}"),
        }
    }

    /// The bytes that the container was read from, with those behind it where its file is a blob.
    pub(crate) fn original<'b>(&'b self, file: &'b [u8]) -> &'b [u8] {
        let start = usize::try_from(self.offset).unwrap_or(usize::MAX);
        self.piece.bytes(file).get(start..).unwrap_or_default()
    }

    /// Writes the model and compares with the file it was read from: `None` if the bytes are the same, else
    /// a sentence that says what differs first. `file` is the outermost file.
    pub fn difference(&self, file: &[u8]) -> Option<String> {
        let original = self.original(file);
        let original = match (self.is_whole(), self.container.write()) {
            (false, Ok(written)) => original.get(..written.len()).unwrap_or(original),
            _ => original,
        };
        match self.container.difference(original) {
            Ok(None) => None,
            Ok(Some(difference)) => Some(difference.to_string()),
            Err(error) => Some(error.to_string()),
        }
    }

    /// Its programs, or those that `item` names.
    fn stages<'a>(&'a self, item: Option<&'a str>) -> Box<dyn Iterator<Item = Stage<'a>> + 'a> {
        let all = self.container.stages();
        let Some(item) = item else { return Box::new(all) };
        let mut named = all.filter(move |stage| names(stage, item)).peekable();
        // Of programs that share code the last ones are found by their names alone.
        let one = named.peek().is_none().then(|| self.container.stage(&StageId(item.to_owned()))).flatten();
        Box::new(named.chain(one))
    }

    /// Whether its file is the container and nothing else.
    pub(crate) fn is_whole(&self) -> bool {
        // A blob's containers are told apart by their places.
        self.name == self.chain.name()
    }
}

impl Opened {
    /// All programs, or those that `item` names, with the container that each is in.
    pub fn stages<'a>(&'a self, item: Option<&'a str>) -> impl Iterator<Item = (&'a Inner, Stage<'a>)> {
        self.containers.iter().flat_map(move |inner| inner.stages(item).map(move |stage| (inner, stage)))
    }

    /// The programs that `item` names, all without a name.
    ///
    /// # Errors
    ///
    /// [`UnknownName`] where there is none of that name.
    pub fn require<'a>(&'a self, item: Option<&'a str>) -> Result<Vec<(&'a Inner, Stage<'a>)>, UnknownName> {
        let found: Vec<_> = self.stages(item).collect();
        match item {
            Some(item) if found.is_empty() => Err(UnknownName {
                wanted: format!("#{item}"),
                known: self.stages(None).map(|(inner, stage)| inner.item_name(&stage.id)).collect(),
            }),
            _ => Ok(found),
        }
    }
}

/// Why a file does not open.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OpenError {
    /// It, or a file in it, cannot be read.
    Within(Box<WithinError>),
    /// Nothing in it has the name that was asked for.
    Unknown(UnknownName),
}

impl From<WithinError> for OpenError {
    fn from(error: WithinError) -> Self {
        Self::Within(Box::new(error))
    }
}

impl From<UnknownName> for OpenError {
    fn from(error: UnknownName) -> Self {
        Self::Unknown(error)
    }
}

impl fmt::Display for OpenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Within(error) => error.fmt(f),
            Self::Unknown(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for OpenError {}

/// An error with the wrappers that it lies in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WithinError {
    /// The steps to the file that cannot be read.
    pub chain: Chain,
    /// Why. Offsets count from the start of that file.
    pub error: Error,
}

impl WithinError {
    pub(crate) fn new(chain: Chain, error: Error) -> Self {
        Self { chain, error }
    }

    /// The error alone, with the name of the file in front of its path.
    pub fn into_error(self) -> Error {
        let mut error = self.error;
        if let Some(name) = self.chain.name() {
            error.path = within(Some(&name), &error.path);
        }
        error
    }
}

/// `:Model/x.szs: dvle[0].magic: expected …, found … at 0x48 (inside Yaz0, SARC)`
impl fmt::Display for WithinError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(name) = self.chain.name() {
            write!(f, ":{name}: ")?;
        }
        self.error.fmt(f)?;
        if self.chain.wrappers().next().is_some() {
            write!(f, " (inside {})", self.chain)?;
        }
        Ok(())
    }
}

impl std::error::Error for WithinError {}

/// The path of a field of a file inside others: `:Model/x.shbin dvle[0].magic`.
pub(crate) fn within(name: Option<&str>, path: &str) -> String {
    match name {
        Some(name) if path.is_empty() => format!(":{name}"),
        Some(name) => format!(":{name} {path}"),
        None => path.to_owned(),
    }
}

/// A name that nothing in the file has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownName {
    /// What was asked for: `:9`, `#main`.
    pub wanted: String,
    /// What there is.
    pub known: Vec<String>,
}

/// So many names are told all; of more, those that are spelled alike.
const TOLD: usize = 8;

impl fmt::Display for UnknownName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "there is no {} in it", self.wanted)?;
        match self.known.as_slice() {
            [] => write!(f, ", and nothing else"),
            known if known.len() <= TOLD => write!(f, "; there is {}", known.join(", ")),
            known => {
                let near = suggest(&self.wanted, known.iter().map(String::as_str), 3);
                match near.as_slice() {
                    [] => write!(f, "; there are {} others, which `ls` shows", known.len()),
                    near => write!(f, ", but {}; `ls` shows all {}", near.join(", "), known.len()),
                }
            }
        }
    }
}

impl std::error::Error for UnknownName {}

/// A program answers to its item name, to what its format calls it (`dvle:0`, `program:0`, `cver`, `cfra`), and to the name
/// of its entry point.
pub(crate) fn names(stage: &Stage<'_>, item: &str) -> bool {
    let kind = [ProgramKind::Vertex, ProgramKind::Fragment].into_iter().find(|kind| kind.isa() == stage.isa);
    let is_chunk = kind.is_some_and(|kind| kind.tag().to_string().to_lowercase() == item);
    stage.id.0 == item
        // A program of an archive, or one of its variations, stands for all of its shaders.
        || stage.id.0.strip_prefix(item).is_some_and(|rest| rest.starts_with('/'))
        || is_chunk
        || item.strip_prefix("dvle:").is_some_and(|number| number == stage.id.0)
        || item.strip_prefix("program:").is_some_and(|number| {
            stage.id.0.strip_prefix(number).is_some_and(|rest| rest.starts_with('/'))
        })
        || stage.code.labels.iter().any(|label| label.word == stage.code.entry && label.name == item)
}
