//! Archives of sources: `ls` of one, and `show` of texts in it.

use crate::{Opened, SourceText, sources::users};
use serde::Serialize;
use unshade_containers::{
    Container,
    sharc::{Sharc, Stage},
};

/// What an archive of sources holds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SourceArchive {
    /// What stands behind `:`, where the file is not the archive itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub inner: Option<String>,
    /// The programs, in file order.
    pub programs: Vec<SourceProgram>,
    /// The sources, in file order.
    pub sources: Vec<SourceItem>,
}

/// A program whose stages are compiled from sources.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SourceProgram {
    /// What stands behind `FILE` to name it: `#toon`.
    pub item: String,
    /// Its stages.
    pub stages: Vec<SourceStage>,
    /// How many variations its macros make; none where these cannot be counted.
    pub variations: Option<u64>,
}

/// A stage and its source.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SourceStage {
    /// `vertex`, `pixel`, `geometry` or `compute`.
    pub kind: String,
    /// What stands behind `FILE` to name its source; none where the archive has no such source.
    pub source: Option<String>,
}

/// A source.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SourceItem {
    /// What stands behind `FILE` to name it: `#toon.vsh`.
    pub item: String,
    /// Bytes of its text.
    pub bytes: u64,
    /// Lines of it.
    pub lines: u64,
    /// The stages that it is for: `toon/vertex`.
    pub stages: Vec<String>,
}

/// The archives of sources among what was opened, as far as `item` names something in them; all of them without an item.
pub fn source_archives(opened: &Opened, item: Option<&str>) -> Vec<SourceArchive> {
    let archives = opened.containers.iter().filter_map(|inner| match &inner.container {
        Container::Sharc(archive) => Some((inner.name.clone(), archive)),
        _ => None,
    });
    let mut found: Vec<_> =
        archives.map(|(inner, archive)| SourceArchive::new(inner, archive, item)).collect();
    found.retain(|archive| item.is_none() || !archive.programs.is_empty() || !archive.sources.is_empty());
    found
}

impl SourceArchive {
    /// What an archive holds that `item` names.
    fn new(inner: Option<String>, archive: &Sharc, item: Option<&str>) -> Self {
        let front = inner.as_ref().map(|name| format!(":{name}")).unwrap_or_default();
        let users = users(archive);
        let named = item.map(|item| archive.sources_named(item));
        let sources = archive.sources().filter(|(number, _)| {
            named.as_ref().is_none_or(|named| named.iter().any(|(known, _)| known == number))
        });
        let sources = sources.map(|(number, source)| SourceItem {
            item: format!("{front}#{}", source.title()),
            bytes: source.bytes().len() as u64,
            lines: lines(source.bytes()),
            stages: users.get(&number).cloned().unwrap_or_default(),
        });
        let programs =
            archive.programs().filter(|(_, program)| item.is_none_or(|item| program.text() == item));
        let programs = programs.map(|(_, program)| {
            let stages = Stage::ALL.into_iter().filter_map(|stage| {
                let number = archive.source_number(program, stage)?;
                let source = archive.source(number).map(|source| format!("{front}#{}", source.title()));
                Some(SourceStage { kind: stage.name().to_owned(), source })
            });
            SourceProgram {
                item: format!("{front}#{}", program.text()),
                stages: stages.collect(),
                variations: program.variation_count(),
            }
        });
        let (programs, sources) = (programs.collect(), sources.collect());
        Self { inner, programs, sources }
    }
}

/// Lines of a text, the last of which need not end.
fn lines(text: &[u8]) -> u64 {
    let ends = text.iter().filter(|&&byte| byte == b'\n').count() as u64;
    ends + u64::from(text.last().is_some_and(|&last| last != b'\n'))
}

/// Sources of a file, as `show FILE#ITEM` prints them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SourcesReport {
    /// In the order of the stages, or of the file.
    pub sources: Vec<ShownSource>,
}

/// A source with its text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ShownSource {
    /// What stands behind `FILE` to name it.
    pub item: String,
    /// The stages that it is for: `toon/vertex`.
    pub stages: Vec<String>,
    /// How its characters are stored: `utf-8`, `shift-jis`, or `unknown` where some were lost.
    pub encoding: String,
    /// Its text.
    pub text: String,
}

impl SourcesReport {
    /// The report of these sources.
    pub fn new(sources: impl IntoIterator<Item = SourceText>) -> Self {
        let shown = sources.into_iter().map(|source| ShownSource {
            item: source.item,
            stages: source.stages,
            encoding: source.encoding.name().to_owned(),
            text: source.text,
        });
        Self { sources: shown.collect() }
    }
}
