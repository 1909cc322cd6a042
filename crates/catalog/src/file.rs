//! The rows of one file.

use crate::{
    companions, content,
    paths::Input,
    row::{Row, listed},
    stage,
};
use std::{
    fs::File,
    io::{self, Read},
    ops::{Deref, Range},
    panic::{AssertUnwindSafe, catch_unwind},
};
use unshade::{
    Container, Diagnostic, Dictionaries, Error, Format, MAX_INPUT, Source, Stage,
    choices::Choices,
    detect,
    sharcfb::Archive,
    wrap::{
        nest::{Bounds, Chain, Found, walk_within, wrapper},
        recognise::recognise,
        scan::{self, Place},
    },
};

/// Where rows go, those of programs with their programs. Whether more are wanted.
pub type Take<'t> = dyn FnMut(Row, Option<&Stage<'_>>) -> bool + 't;

/// Containers from this size on whose check takes a multiple of their size are looked at program by program.
const LARGE: usize = 16 << 20;

/// Files up to this size are looked at as a whole; of longer ones that are nothing themselves, one part of this size after
/// the other.
const PART: u64 = 16 << 20;

/// How much memory there is for a file.
pub struct Room<'r> {
    /// Bytes that may be unpacked.
    pub unpacked: u64,
    /// The same where nothing else runs.
    pub most: u64,
    /// Runs something while nothing else runs.
    pub alone: &'r dyn Fn(&mut dyn FnMut()),
    /// For files that were compressed with dictionaries.
    pub dictionaries: &'r Dictionaries,
}

/// About how much memory a file takes, unless it unpacks to more: itself, or a part of it, and what is read from that.
pub(crate) fn cost(input: &Input) -> u64 {
    let whole = input.bytes <= PART || is_whole(input).unwrap_or(false);
    let bytes = if whole { input.bytes } else { PART };
    bytes.saturating_mul(2).saturating_add(1 << 20)
}

/// An error row of a whole file.
pub(crate) fn error_row(path: &str, message: &str) -> Row {
    Row { record: "error".to_owned(), path: path.to_owned(), message: message.to_owned(), ..Row::default() }
}

/// The row of a file at which this program failed.
pub(crate) fn defect_row(path: &str) -> Row {
    error_row(path, "[scan.panic] a defect of this program; please report the file")
}

/// Does what it is given; a defect of this program in one file must not cost the rows of all others.
pub(crate) fn guarded(look: impl FnOnce()) -> Result<(), ()> {
    catch_unwind(AssertUnwindSafe(look)).map_err(drop)
}

/// Gives the rows of a file on disk, in the order of its parts.
pub(crate) fn look(input: &Input, room: &Room<'_>, take: &mut Take<'_>) {
    if let Some(error) = &input.error {
        take(error_row(&input.path, &format!("[scan.io] {error}")), None);
        return;
    }
    if let Err(error) = look_into(input, room, take) {
        take(error_row(&input.path, &format!("[scan.io] {error}")), None);
    }
}

fn look_into(input: &Input, room: &Room<'_>, take: &mut Take<'_>) -> io::Result<()> {
    if companions::is_behind_another(&input.file) {
        return Ok(());
    }
    if input.bytes <= PART || is_whole(input)? {
        let bytes = content::whole(&input.file, MAX_INPUT)?;
        rows(&input.path, &bytes, room, take);
        return Ok(());
    }
    let file = File::open(&input.file)?;
    parts(&input.path, input.bytes, &|range| content::part(&file, range), room, take)
}

/// Gives the rows of a file whose bytes are at hand as [`look`] gives those of one on disk.
pub(crate) fn look_at_bytes(path: &str, bytes: &[u8], room: &Room<'_>, take: &mut Take<'_>) {
    let len = bytes.len() as u64;
    if len <= PART || (len <= MAX_INPUT && is_known(bytes.get(..64).unwrap_or(bytes))) {
        return rows(path, bytes, room, take);
    }
    let part = |range: Range<u64>| Ok(slice(bytes, range.start, range.end.saturating_sub(range.start)));
    // Of bytes that are there each part is.
    let _ = parts(path, len, &part, room, take);
}

/// Gives the rows of a file of `len` bytes that is nothing itself, one part of it after the other.
fn parts<B: Deref<Target = [u8]>>(
    path: &str,
    len: u64,
    bytes: &dyn Fn(Range<u64>) -> io::Result<B>,
    room: &Room<'_>,
    take: &mut Take<'_>,
) -> io::Result<()> {
    // Where a part starts: behind what the last one held, which may be longer than a part.
    let mut at = 0;
    while at < len {
        // What is mapped takes memory when it is looked at, so the longest container may start at the end of the part.
        let end = at.saturating_add(PART).saturating_add(MAX_INPUT).min(len);
        let bytes = bytes(at..end)?;
        let Some(done) = part(path, at, &bytes, room, take) else { break };
        at = at.saturating_add(done.max(PART));
    }
    Ok(())
}

/// Whether a long file is a container or a wrapper by its first bytes, and not too long for one.
fn is_whole(input: &Input) -> io::Result<bool> {
    if input.bytes > MAX_INPUT || input.error.is_some() {
        return Ok(false);
    }
    let mut head = Vec::new();
    File::open(&input.file)?.take(64).read_to_end(&mut head)?;
    Ok(is_known(&head))
}

/// Whether what starts with these bytes is a container or a wrapper.
fn is_known(head: &[u8]) -> bool {
    detect(head).is_some() || wrapper(head).is_some()
}

/// The rows of a part of a file that is nothing itself: of what starts in its first [`PART`] bytes. How many of its bytes
/// are done; `None` where no more rows are wanted.
fn part(path: &str, at: u64, bytes: &[u8], room: &Room<'_>, take: &mut Take<'_>) -> Option<u64> {
    let before = usize::try_from(PART).unwrap_or(usize::MAX).min(bytes.len());
    let mut done = 0;
    for place in scan::places_before(bytes, before) {
        let more = match place {
            Place::Container(found) => {
                let place = at.saturating_add(found.offset);
                let row = Row { path: path.to_owned(), inner: format!(":{place:#x}"), ..Row::default() };
                done = done.max(found.offset.saturating_add(found.len));
                container(&row, &found.container, slice(bytes, found.offset, found.len), take)
            }
            Place::Wrapper(found) => {
                let front = format!(":{:#x}", at.saturating_add(found.range.start as u64));
                done = done.max(found.range.end as u64);
                let own = bytes.get(found.range).unwrap_or_default();
                walk_rows(&About { path, front: &front }, own, &[], room, false, take)
            }
        };
        if !more {
            return None;
        }
    }
    Some(done.next_multiple_of(4))
}

fn slice(bytes: &[u8], offset: u64, len: u64) -> &[u8] {
    let range =
        usize::try_from(offset).and_then(|start| Ok(start..start.saturating_add(usize::try_from(len)?)));
    range.ok().and_then(|range| bytes.get(range)).unwrap_or_default()
}

/// Gives the rows of a file, in the order of its parts. `path` is what it is called in them.
pub fn rows(path: &str, file: &[u8], room: &Room<'_>, take: &mut Take<'_>) {
    walk_rows(&About { path, front: "" }, file, &[], room, false, take);
}

/// What rows are about: a file, and what stands in front of the names of its parts.
struct About<'a> {
    path: &'a str,
    /// Of a part of a file: `:0x4000000`.
    front: &'a str,
}

impl About<'_> {
    fn row(&self, chain: &Chain) -> Row {
        let name = chain.name().map(|name| format!(":{name}")).unwrap_or_default();
        Row {
            path: self.path.to_owned(),
            inner: format!("{}{name}", self.front),
            wrappers: chain.to_string(),
            ..Row::default()
        }
    }

    fn error(&self, chain: &Chain, error: &Error) -> Row {
        left_out(&self.row(chain), error)
    }
}

/// The rows of what `names` choose. Whether more are wanted.
fn walk_rows(
    about: &About<'_>,
    file: &[u8],
    names: &[String],
    room: &Room<'_>,
    alone: bool,
    take: &mut Take<'_>,
) -> bool {
    let unpacked = if alone { room.most } else { room.unpacked };
    let bounds = Bounds { unpacked: unpacked.min(MAX_INPUT), ..Bounds::EVERYTHING };
    for found in walk_within(Source::new(file, room.dictionaries), names, bounds) {
        let more = match found {
            Found::Wrapper { .. } | Found::Unknown { .. } => true,
            Found::Failed { chain, error } if error.diagnostic_code() == "wrap.unpacked" => {
                if alone {
                    let mebibytes = room.most >> 20;
                    let message = format!(
                        "[scan.memory] unpacks to more than the {mebibytes} MiB that the memory setting leaves"
                    );
                    take(Row { record: "error".to_owned(), message, ..about.row(&chain) }, None)
                } else {
                    let names: Vec<String> = chain.labels();
                    let mut more = true;
                    (room.alone)(&mut || more = walk_rows(about, file, &names, room, true, take));
                    more
                }
            }
            Found::Failed { chain, error } => take(about.error(&chain, &error), None),
            Found::File { chain, piece, .. } => inside(about, &chain, piece.bytes(file), room, take),
        };
        if !more {
            return false;
        }
    }
    true
}

/// The rows of a file that is no wrapper: a container, or bytes with containers in them.
fn inside(about: &About<'_>, chain: &Chain, bytes: &[u8], room: &Room<'_>, take: &mut Take<'_>) -> bool {
    let row = about.row(chain);
    if let Some(format) = detect(bytes) {
        return match format {
            Format::Sharcfb if bytes.len() >= LARGE => archive(&row, bytes, take),
            _ => match Container::read(bytes) {
                Ok(mut read) => {
                    read.equip(room.dictionaries);
                    container(&row, &read, bytes, take)
                        && embedded(&row, bytes, scan::behind(bytes), take).is_some()
                }
                Err(error) => {
                    take(Row { format: format.name().to_owned(), ..about.error(chain, &error) }, None)
                }
            },
        };
    }
    let Some(any) = embedded(&row, bytes, scan::scan(bytes), take) else { return false };
    match recognise(bytes).filter(|_| !any && !chain.0.is_empty()) {
        Some(format) => {
            let message = format!("{}, {} bytes", format.describe(), bytes.len());
            take(Row { record: "unread".to_owned(), format: format.name().to_owned(), message, ..row }, None)
        }
        None => true,
    }
}

/// The rows of containers in bytes. Whether there were any; `None` where no more rows are wanted.
fn embedded(
    about: &Row,
    bytes: &[u8],
    all: impl Iterator<Item = scan::Embedded>,
    take: &mut Take<'_>,
) -> Option<bool> {
    let mut any = false;
    for found in all {
        any = true;
        let row = Row { inner: format!("{}:{:#x}", about.inner, found.offset), ..about.clone() };
        if !container(&row, &found.container, slice(bytes, found.offset, found.len), take) {
            return None;
        }
    }
    Some(any)
}

/// The rows of a container.
fn container(about: &Row, container: &Container, bytes: &[u8], take: &mut Take<'_>) -> bool {
    let found = container.check();
    let about =
        Row { format: container.format().name().to_owned(), version: container.describe(), ..about.clone() };
    let choices = Choices::of(bytes);
    let mut stages = container.stages();
    for stage in stages.by_ref() {
        if !take(stage_row(&about, &stage, &choices, stage::worst(&found)), Some(&stage)) {
            return false;
        }
    }
    match stages.left_out() {
        Some(error) => take(left_out(&about, &error), None),
        None => true,
    }
}

/// The rows of a large archive of the Wii U, each program straight from its bytes: its own tables are not checked.
fn archive(about: &Row, bytes: &[u8], take: &mut Take<'_>) -> bool {
    let archive = match Archive::open(bytes) {
        Ok(archive) => archive,
        Err(error) => {
            return take(Row { format: Format::Sharcfb.name().to_owned(), ..left_out(about, &error) }, None);
        }
    };
    let about = Row {
        format: Format::Sharcfb.name().to_owned(),
        version: format!(
            "SHARCFB with {} programs, {} binaries",
            archive.program_count(),
            archive.binary_count()
        ),
        ..about.clone()
    };
    let choices = Choices::of(bytes);
    archive.stages().all(|stage| take(stage_row(&about, &stage, &choices, None), Some(&stage)))
}

fn stage_row(about: &Row, stage: &Stage<'_>, choices: &Choices<'_>, container: Option<&Diagnostic>) -> Row {
    let mut row = about.clone();
    stage::fill(&mut row, stage, container);
    let chosen = choices.of_item(&stage.id.0);
    row.options = listed(chosen.iter().map(|(name, value)| format!("{name}={value}")));
    row
}

fn left_out(about: &Row, error: &Error) -> Row {
    Row {
        record: "error".to_owned(),
        message: format!("[{}] {error}", error.diagnostic_code()),
        ..about.clone()
    }
}
