//! The programs of a file, one after the other, without the rest of it in memory where its format allows that.

use crate::{
    Inner, OpenError, Opened, UnknownName, WithinError, open::names as is_called, sources::source_names,
};
use unshade_bytes::{Error, Result};
use unshade_containers::{
    Container, Format, bfsha, detect,
    opaque::escape,
    sharcfb::Archive,
    stages::Share,
    wrap::nest::{Bounds, Found, Source, walk_within},
};
use unshade_stage::{Stage, StageId};

/// Names that are told where none is the one that was asked for; more than this nobody reads.
const TOLD: usize = 4096;

/// What a program is looked at for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Detail {
    /// Its code and its place; its interface may be left out.
    Code,
    /// All of it.
    Whole,
}

/// The programs that are wanted of a file.
struct Wanted<'w> {
    detail: Detail,
    item: Option<&'w str>,
    visit: &'w mut dyn FnMut(String, &Stage<'_>) -> bool,
    found: u64,
    /// Why programs of the last file were left out.
    left_out: Option<Error>,
}

impl Wanted<'_> {
    /// Looks at the program called `place` behind the file's name. Whether more are wanted.
    fn take(&mut self, place: String, stage: &Stage<'_>) -> bool {
        if self.item.is_none_or(|item| is_called(stage, item)) {
            self.found += 1;
            return (self.visit)(place, stage);
        }
        true
    }

    /// Whether a name may be that of a program whose name starts with `front`, up to a `/`.
    fn may_be_in(&self, front: &str) -> bool {
        let within = |longer: &str, shorter: &str| {
            longer.strip_prefix(shorter).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        self.item.is_none_or(|item| within(item, front) || within(front, item))
    }

    /// The programs of a container. Whether more are wanted.
    fn container(&mut self, container: &Container, name: impl Fn(&StageId) -> String) -> bool {
        let before = self.found;
        let mut stages = container.stages();
        let more = stages.by_ref().all(|stage| self.take(name(&stage.id), &stage));
        match (stages.left_out(), self.item) {
            (Some(_), Some(item)) if self.found == before => {
                let one = container.stage(&StageId(item.to_owned()));
                one.is_none_or(|stage| self.take(name(&stage.id), &stage))
            }
            (left_out, None) => {
                self.left_out = left_out;
                more
            }
            _ => more,
        }
    }

    /// The programs of an archive of the Wii U, each straight from its bytes.
    fn sharcfb(&mut self, archive: &Archive<'_>, front: &str) -> bool {
        // Of a whole name there is one, which need not be looked for among all.
        let one = self.item.and_then(|item| archive.stage(&StageId(item.to_owned())));
        match one {
            Some(stage) => self.take(format!("{front}#{}", stage.id), &stage),
            None => archive.stages().all(|stage| self.take(format!("{front}#{}", stage.id), &stage)),
        }
    }

    /// The programs of an archive of shading models, each as it is found; where something in it cannot be found that
    /// way, the whole file is read. Whether more are wanted.
    fn bfsha(&mut self, archive: &bfsha::index::Index<'_>, bytes: &[u8], front: &str) -> Result<bool> {
        use bfsha::index::ModelRecord;
        // What is found one by one comes without its interface.
        let lazily = self.detail == Detail::Code
            && archive.models.iter().all(|model| match &model.record {
                ModelRecord::Switch(record) => archive.bnsh(record).is_ok_and(|shaders| {
                    archive.stages(model, &shaders, 0).is_ok_and(|found| found.is_some())
                }),
                ModelRecord::WiiU(_) => false,
            });
        if !lazily {
            return Ok(self.container(&Container::read(bytes)?, |id| format!("{front}#{id}")));
        }
        let mut share = Share::new(bytes.len() as u64);
        for model in &archive.models {
            let ModelRecord::Switch(record) = &model.record else { continue };
            let shaders = archive.bnsh(record)?;
            let name = escape(model.name);
            for program in 0..model.programs {
                if !self.may_be_in(&format!("{name}/{program}")) {
                    continue;
                }
                for stage in archive.stages(model, &shaders, program)?.unwrap_or_default() {
                    if !share.take(&stage) {
                        self.left_out = Some(share.error());
                        return Ok(true);
                    }
                    if !self.take(format!("{front}#{}", stage.id), &stage) {
                        return Ok(false);
                    }
                }
            }
        }
        Ok(true)
    }
}

/// Visits the programs that `names` and `item` choose in a file, with what stands behind `FILE` to name each: the same
/// as those of what [`open_at`](crate::open_at) gives, without keeping more of it than one file of a wrapper, or one
/// shader of a shader archive. `detail` says what for, `visit` whether to go on. Gives what was met beside programs.
///
/// # Errors
///
/// As [`open_at`](crate::open_at), and where no program is called `item`.
pub fn each_program<'f>(
    file: impl Into<Source<'f>>,
    names: &[String],
    item: Option<&str>,
    detail: Detail,
    mut visit: impl FnMut(String, &Stage<'_>) -> bool,
) -> std::result::Result<Opened, OpenError> {
    walk_programs(file.into(), names, item, detail, &mut visit)
}

fn walk_programs(
    source: Source<'_>,
    names: &[String],
    item: Option<&str>,
    detail: Detail,
    visit: &mut dyn FnMut(String, &Stage<'_>) -> bool,
) -> std::result::Result<Opened, OpenError> {
    let bytes = source.bytes;
    let mut wanted = Wanted { detail, item, visit, found: 0, left_out: None };
    let (mut rest, mut containers) = (Opened::with(source), 0_u64);
    let mut texts: Vec<Inner> = Vec::new();
    for found in walk_within(source, names, Bounds::EVERYTHING) {
        match found {
            Found::Wrapper { .. } => {}
            Found::Failed { chain, error } => rest.failed.push(WithinError::new(chain, error)),
            Found::Unknown { .. } => {
                // The words for it are those of the opened file.
                crate::open_at(source, names)?;
            }
            Found::File { chain, piece, names } => {
                let inside = piece.bytes(bytes);
                let front = chain.name().map(|name| format!(":{name}")).unwrap_or_default();
                let within = chain.clone();
                // What is cut so early that it cannot be looked at is for the reader of whole files to judge.
                let format = detect(inside).filter(|_| names.is_empty());
                let archive = (format == Some(Format::Sharcfb)).then(|| Archive::open(inside).ok()).flatten();
                let models = (format == Some(Format::Bfsha)).then(|| bfsha::index::Index::open(inside).ok());
                let more = if let Some(archive) = archive {
                    containers += 1;
                    let cut = Container::cut(Format::Sharcfb, inside);
                    rest.cut.extend(cut.map(|error| WithinError::new(chain, error)));
                    wanted.sharcfb(&archive, &front)
                } else if let Some(models) = models.flatten() {
                    match wanted.bfsha(&models, inside, &front) {
                        Ok(more) => {
                            containers += 1;
                            more
                        }
                        Err(error) => {
                            rest.failed.push(WithinError::new(chain, error));
                            true
                        }
                    }
                } else {
                    rest.file(bytes, chain, piece, &names)?;
                    let read = std::mem::take(&mut rest.containers);
                    containers += read.len() as u64;
                    let more =
                        read.iter().all(|inner| wanted.container(&inner.container, |id| inner.item_name(id)));
                    // What has texts instead of programs is met beside these.
                    texts.extend(read.into_iter().filter(holds_sources));
                    more
                };
                if !more {
                    return Ok(Opened::default());
                }
                let left_out = wanted.left_out.take();
                rest.failed.extend(left_out.map(|error| WithinError::new(within, error)));
            }
        }
    }
    rest.containers = texts;
    if containers == 0 && rest.unread.is_empty() && rest.others == 0 && rest.failed.len() == 1 {
        let error = rest.failed.swap_remove(0);
        return Err(error.into());
    }
    match item {
        Some(item) if wanted.found == 0 && !rest.containers.iter().any(|inner| has_source(inner, item)) => {
            let mut known = Vec::new();
            walk_programs(source, names, None, Detail::Code, &mut |place, _| {
                known.push(place);
                known.len() < TOLD
            })?;
            for inner in &rest.containers {
                let Container::Sharc(archive) = &inner.container else { continue };
                let left = TOLD.saturating_sub(known.len());
                let front = inner.name.as_ref().map(|name| format!(":{name}")).unwrap_or_default();
                known.extend(source_names(archive).take(left).map(|name| format!("{front}#{name}")));
            }
            Err(UnknownName { wanted: format!("#{item}"), known }.into())
        }
        _ => Ok(rest),
    }
}

/// Whether it is an archive of sources.
fn holds_sources(inner: &Inner) -> bool {
    matches!(inner.container, Container::Sharc(_))
}

/// Whether it is an archive of sources in which something has that name.
fn has_source(inner: &Inner, item: &str) -> bool {
    matches!(&inner.container, Container::Sharc(archive) if archive.item(item).is_some())
}

/// The programs that `names` and `item` choose in a file, see [`each_program`].
#[derive(Debug, Clone, Default)]
pub struct Programs {
    /// Each with what stands behind `FILE` to name it.
    pub stages: Vec<(String, Stage<'static>)>,
    /// Files in wrappers that are damaged, and what is missing at the end of containers that were read all the same.
    pub failed: Vec<WithinError>,
}

/// Takes the programs that `names` and `item` choose out of a file.
///
/// # Errors
///
/// As [`each_program`].
pub fn programs<'f>(
    file: impl Into<Source<'f>>,
    names: &[String],
    item: Option<&str>,
) -> std::result::Result<Programs, OpenError> {
    let mut stages = Vec::new();
    let rest = each_program(file, names, item, Detail::Whole, |place, stage| {
        stages.push((place, stage.clone().into_owned()));
        true
    })?;
    Ok(Programs { stages, failed: [rest.failed, rest.cut].concat() })
}
