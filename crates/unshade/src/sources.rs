//! Sources in archives of sources: found by name, decoded for people, put beside what was compiled of them.

use crate::{OpenError, Opened, UnknownName, WithinError, open_at};
use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet},
};
use unshade_bytes::{Error, ErrorKind};
use unshade_containers::{
    Container, Name,
    agl::raw::text,
    sharc::{Program, Sharc, Source as Text, Stage as SourceStage},
    wrap::nest::{Chain, Source},
};
use unshade_stage::StageKind;

/// How the characters of a text are stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextEncoding {
    /// UTF-8; ASCII is part of it.
    Utf8,
    /// Shift-JIS, in which the console's tools store comments.
    ShiftJis,
    /// Neither: what is none of its characters was left out.
    Unknown,
}

impl TextEncoding {
    /// Its name: `utf-8`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Utf8 => "utf-8",
            Self::ShiftJis => "shift-jis",
            Self::Unknown => "unknown",
        }
    }
}

/// Characters of bytes, for people: the bytes are what goes back into a file.
pub fn decoded(bytes: &[u8]) -> (Cow<'_, str>, TextEncoding) {
    if let Ok(text) = std::str::from_utf8(bytes) {
        return (Cow::Borrowed(text), TextEncoding::Utf8);
    }
    #[cfg(feature = "shift-jis")]
    if let Some(text) = encoding_rs::SHIFT_JIS.decode_without_bom_handling_and_without_replacement(bytes) {
        return (text, TextEncoding::ShiftJis);
    }
    (String::from_utf8_lossy(bytes), TextEncoding::Unknown)
}

/// A source of an archive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceText {
    /// What stands behind the file to name it: `#toon.vsh`.
    pub item: String,
    /// Its name.
    pub name: String,
    /// The stages that it is for, of the program that was asked for or of all: `toon/vertex`.
    pub stages: Vec<String>,
    /// Its characters.
    pub text: String,
    /// How they are stored.
    pub encoding: TextEncoding,
}

/// The sources that `item` names in what was opened: one by its own name (`toon.vsh`) or that of a stage (`toon/vertex`), or
/// all of a program (`toon`). All sources without an item.
pub fn source_texts(opened: &Opened, item: Option<&str>) -> Vec<SourceText> {
    let mut found = Vec::new();
    for inner in &opened.containers {
        let Container::Sharc(archive) = &inner.container else { continue };
        let front = inner.name.as_ref().map(|name| format!(":{name}")).unwrap_or_default();
        let named = match item {
            Some(item) => archive.sources_named(item),
            None => archive.sources().collect(),
        };
        let users = users(archive);
        for (number, source) in named {
            let (text, encoding) = decoded(source.bytes());
            let all = users.get(&number).cloned().unwrap_or_default();
            // Of many programs with the same source those are told that were asked for.
            let owner = |stage: &String| item.is_some_and(|item| within(stage, item));
            let stages = match all.iter().any(owner) {
                true => all.into_iter().filter(owner).collect(),
                false => all,
            };
            found.push(SourceText {
                item: format!("{front}#{}", source.title()),
                name: source.title(),
                stages,
                text: text.into_owned(),
                encoding,
            });
        }
    }
    found
}

/// As [`source_texts`], where there have to be some.
///
/// # Errors
/// [`UnknownName`] where no source has that name.
pub fn sources_named(opened: &Opened, item: Option<&str>) -> Result<Vec<SourceText>, UnknownName> {
    let found = source_texts(opened, item);
    match item {
        Some(item) if found.is_empty() => {
            let mut unknown = UnknownName { wanted: format!("#{item}"), known: Vec::new() };
            for inner in &opened.containers {
                let Container::Sharc(archive) = &inner.container else { continue };
                let front = inner.name.as_ref().map(|name| format!(":{name}")).unwrap_or_default();
                unknown.known.extend(no_source(archive, &front, item).known);
            }
            Err(unknown)
        }
        _ => Ok(found),
    }
}

/// Whether a stage is the item, or one of a program that is.
fn within(stage: &str, item: &str) -> bool {
    stage.strip_prefix(item).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// The number of each source that a stage has, with the names of the stages: `toon/vertex`.
pub(crate) fn users(archive: &Sharc) -> BTreeMap<usize, Vec<String>> {
    let mut users: BTreeMap<usize, Vec<String>> = BTreeMap::new();
    for (_, program) in archive.programs() {
        for stage in SourceStage::ALL {
            if let Some(number) = archive.source_number(program, stage) {
                let name = format!("{}/{}", program.text(), stage.name());
                users.entry(number as usize).or_default().push(name);
            }
        }
    }
    users
}

/// An archive of sources beside one of what was compiled of them.
#[derive(Debug, Clone)]
pub struct Sources {
    archive: Sharc,
    name: String,
}

/// The source of a program that was compiled.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct OriginalSource {
    /// Its name.
    pub name: String,
    /// The macros that the stage is compiled with, in the order of the archive.
    pub macros: Vec<(String, String)>,
    /// Its characters.
    pub text: String,
}

impl Sources {
    /// The archive of sources that `names` choose in a file; `name` is what the file is called.
    ///
    /// # Errors
    /// Where the file does not open, and where it holds no archive of sources, or several.
    pub fn open<'f>(file: impl Into<Source<'f>>, names: &[String], name: &str) -> Result<Self, OpenError> {
        let opened = open_at(file, names)?;
        let mut archives = opened.containers.into_iter().filter_map(|inner| match inner.container {
            Container::Sharc(archive) => Some(archive),
            _ => None,
        });
        match (archives.next(), archives.count()) {
            (Some(archive), 0) => Ok(Self { archive, name: name.to_owned() }),
            (one, more) => {
                let count = more + usize::from(one.is_some());
                let expected = "one archive of sources (sharc)";
                let error = Error::new(ErrorKind::BadValue, 0, "", expected, format!("{count} of them"));
                Err(WithinError::new(Chain::default(), error.code("decompile.source")).into())
            }
        }
    }

    /// What the file is called.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The source of a stage of a compiled program; `item` is what stands behind the file to name it: `#toon/3/vertex`.
    /// Programs belong together by their names, and several of a name by their order.
    pub fn of(&self, item: &str, kind: StageKind) -> Option<OriginalSource> {
        let (_, name) = item.rsplit_once('#')?;
        let program = self.program(name.rsplitn(3, '/').nth(2)?)?;
        let stage = match kind {
            StageKind::Vertex => SourceStage::Vertex,
            StageKind::Fragment => SourceStage::Pixel,
            StageKind::Geometry => SourceStage::Geometry,
            StageKind::Compute => SourceStage::Compute,
            _ => return None,
        };
        let source: &Text = self.archive.source_of(program, stage)?;
        let macros = program.stage_macros.get(stage as usize).into_iter().flat_map(|array| &array.items);
        let shown = |bytes: &[u8]| Name(text(bytes).to_vec()).text();
        let macros = macros.filter_map(|record| record.known());
        Some(OriginalSource {
            name: source.title(),
            macros: macros.map(|of| (shown(&of.name.0), shown(&of.value.0))).collect(),
            text: decoded(source.bytes()).0.into_owned(),
        })
    }

    /// The program of a name as items have it: the second of a name is `NAME~1`.
    fn program(&self, name: &str) -> Option<&Program> {
        let called = |name: &str, nth: usize| {
            self.archive.programs().map(|(_, program)| program).filter(|p| p.text() == name).nth(nth)
        };
        called(name, 0).or_else(|| {
            let (name, number) = name.rsplit_once('~')?;
            called(name, number.parse().ok()?)
        })
    }

    /// The sources of some stages as one text: above each its name, the stages that it is for and their macros. `None` where
    /// the archive has none of them. Stages that share a source and its macros share the text.
    pub fn text<'i>(&self, stages: impl IntoIterator<Item = (&'i str, StageKind)>) -> Option<String> {
        let mut found: Vec<(OriginalSource, Vec<String>)> = Vec::new();
        for (item, kind) in stages {
            let Some(source) = self.of(item, kind) else { continue };
            let stage = format!("{item} ({kind})");
            match found.iter_mut().find(|(known, _)| *known == source) {
                Some((_, stages)) => stages.push(stage),
                None => found.push((source, vec![stage])),
            }
        }
        let texts: Vec<String> = found.iter().map(|(source, stages)| self.one(source, stages)).collect();
        (!texts.is_empty()).then(|| texts.join("\n"))
    }

    fn one(&self, source: &OriginalSource, stages: &[String]) -> String {
        let mut text = format!("// Source {} of {}, for {}\n", source.name, self.name, stages.join(", "));
        // A macro that is set twice says nothing the second time.
        let mut said = BTreeSet::new();
        for (name, value) in source.macros.iter().filter(|(name, _)| said.insert(name.as_str())) {
            text.push_str(format!("// with {name} {value}").trim_end());
            text.push('\n');
        }
        text.push_str(source.text.trim_end());
        text.push('\n');
        text
    }
}

/// The name of a file's archive of sources: the same with the ending of those. `None` where it has that itself.
pub fn source_archive_name(name: &str) -> Option<String> {
    let (stem, ending) = name.rsplit_once('.')?;
    (!ending.eq_ignore_ascii_case("sharc") && !stem.is_empty()).then(|| format!("{stem}.sharc"))
}

/// A name that is told as there: of archives of sources what `show` and `replace` take.
pub(crate) fn source_names(archive: &Sharc) -> impl Iterator<Item = String> {
    let programs = archive.programs().map(|(_, program)| program.text());
    programs.chain(archive.sources().map(|(_, source)| source.title()))
}

/// Says that nothing in an archive of sources has that name.
pub(crate) fn no_source(archive: &Sharc, front: &str, item: &str) -> UnknownName {
    let known = source_names(archive).map(|name| format!("{front}#{name}")).collect();
    UnknownName { wanted: format!("{front}#{item}"), known }
}
