//! Programs replaced, added and removed in a container, and the file with it.

use super::{
    assemble_for,
    mismatch::{between, new_findings, with_predecessor},
    source::{Replacement, donor, known_registers},
    sources,
};
use crate::code::replace_code;
use crate::{
    Inner, OpenError, Opened, Rewritten, UnknownName, WithinError, lint::lint, open::names, open_at,
    replace_container,
};
use std::fmt;
use unshade_bytes::{Diagnostic, Error, ErrorKind, Severity};
use unshade_containers::{
    Container, NewProgram,
    wrap::nest::{Chain, Source},
};
use unshade_stage::{Isa, Stage, StageId};

/// A file whose programs changed.
#[derive(Debug, Clone)]
pub struct Change {
    /// The file, with the wrappers around the container.
    pub rewritten: Rewritten,
    /// What became of which program.
    pub programs: Vec<ChangedProgram>,
    /// Warnings and notes about what is around the programs.
    pub findings: Vec<Diagnostic>,
}

/// What became of a program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChangedProgram {
    /// Its name, as `ls` prints it.
    pub item: String,
    /// Bytes of code that it had, or of a source's text; `None`: it was not there.
    pub before: Option<u64>,
    /// Bytes of code that it has, or of a source's text; `None`: it is not there any more.
    pub after: Option<u64>,
    /// Its bytes are others.
    pub changed: bool,
}

/// Why programs were not changed. Nothing is changed then.
#[derive(Debug, Clone)]
pub enum ChangeError {
    /// The file does not open, has no such program, or cannot hold the new one.
    Open(OpenError),
    /// The text does not assemble.
    Text {
        /// Name of the text.
        name: String,
        /// The text.
        text: String,
        /// What is wrong in it.
        findings: Vec<Diagnostic>,
    },
    /// The new program does not fit to what is around it, most severe first.
    Mismatch(Vec<Diagnostic>),
}

impl From<OpenError> for ChangeError {
    fn from(error: OpenError) -> Self {
        Self::Open(error)
    }
}

impl fmt::Display for ChangeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Open(error) => error.fmt(f),
            Self::Text { name, findings, .. } => {
                write!(f, "{name}: {} errors", findings.len())?;
                findings.iter().take(1).try_for_each(|first| write!(f, ", the first: {}", first.message))
            }
            Self::Mismatch(findings) => {
                f.write_str("does not fit")?;
                findings.iter().take(1).try_for_each(|first| write!(f, ": {}: {}", first.path, first.message))
            }
        }
    }
}

impl std::error::Error for ChangeError {}

pub(super) fn within(inner: &Inner, error: Error) -> ChangeError {
    OpenError::from(WithinError::new(inner.chain.clone(), error)).into()
}

/// Puts something in the place of the programs that `item` names in the container that `names` choose: code for one of
/// them, or whole stages of another container, each in the place of the one of its kind. What the container states of
/// them follows. With `anyway` mismatches are only reported.
///
/// # Errors
///
/// See [`ChangeError`].
pub fn replace_program<'f>(
    file: impl Into<Source<'f>>,
    names: &[String],
    item: Option<&str>,
    new: Replacement,
    anyway: bool,
) -> Result<Change, ChangeError> {
    let source = file.into();
    let opened = open_at(source, names)?;
    if let Some((inner, archive)) = sources::archive(&opened) {
        return sources::replace(source, inner, archive, item, &new);
    }
    let (inner, targets) = targets(&opened, item)?;
    let mut container = inner.container.clone();
    match new.resolved(targets.first().map(|stage| stage.isa))? {
        Replacement::Text { name, text } => {
            let target = single(inner, &targets, item)?;
            let code =
                assemble_for(target, &text).map_err(|findings| ChangeError::Text { name, text, findings })?;
            replace_code(&mut container, target, &code).map_err(|error| within(inner, error))?;
        }
        Replacement::Bytes { why, .. } => return Err((*why).into()),
        Replacement::Words(words) => {
            let target = single(inner, &targets, item)?;
            let code = unshade_stage::Code { words: words.into(), ..target.code.clone() };
            replace_code(&mut container, target, &code).map_err(|error| within(inner, error))?;
        }
        Replacement::Programs { container: other, item: wanted } => {
            if targets.iter().all(is_copy) {
                let expected = "a geometry program, with which its copy program goes";
                let error = Error::new(ErrorKind::BadValue, 0, "", expected, "a copy program alone");
                return Err(within(inner, error.code("replace.copy")));
            }
            let mut any = false;
            for target in &targets {
                let Some(stage) = donor(&other, wanted.as_deref(), target)? else { continue };
                container.put(&target.id, &stage).map_err(|error| within(inner, error))?;
                any = true;
            }
            if !any {
                let kinds: Vec<_> =
                    other.stages().map(|stage| format!("{} ({})", stage.kind, stage.isa)).collect();
                let wanted: Vec<_> =
                    targets.iter().map(|stage| format!("{} ({})", stage.kind, stage.isa)).collect();
                let expected = format!("a program for {}", wanted.join(" or "));
                let error = Error::new(ErrorKind::BadValue, 0, "", expected, kinds.join(", "));
                return Err(within(inner, error.code("replace.kind")));
            }
        }
    }
    finish(source, inner, container, &targets, anyway)
}

/// Bytes of a program's code.
fn code_bytes(stage: &Stage<'_>) -> u64 {
    4 * stage.code.words.len() as u64
}

/// The programs that are meant; all in one container.
pub(super) fn targets<'o>(
    opened: &'o Opened,
    item: Option<&'o str>,
) -> Result<(&'o Inner, Vec<Stage<'o>>), ChangeError> {
    let found = opened.require(item).map_err(OpenError::from)?;
    let Some((inner, _)) = found.first() else {
        let wanted = item.map_or_else(|| "program".to_owned(), |item| format!("#{item}"));
        return Err(OpenError::from(UnknownName { wanted, known: Vec::new() }).into());
    };
    let inner = *inner;
    if found.iter().any(|(other, _)| !std::ptr::eq(*other, inner)) {
        let known = found.iter().map(|(inner, stage)| inner.item_name(&stage.id)).collect();
        let wanted = "single file with such a program".to_owned();
        return Err(OpenError::from(UnknownName { wanted, known }).into());
    }
    // A copy program goes with its geometry program, unless it alone is named.
    let stages: Vec<_> = found.into_iter().map(|(_, stage)| stage).collect();
    let only_copies = stages.iter().all(is_copy);
    Ok((inner, stages.into_iter().filter(|stage| only_copies || !is_copy(stage)).collect()))
}

/// Whether it is the copy program of a geometry program, which is no stage of its own.
pub(super) fn is_copy(stage: &Stage<'_>) -> bool {
    stage.interface.latte.as_ref().is_some_and(|latte| latte.copy_program)
}

/// The only program that is meant.
pub(super) fn single<'t, 's>(
    inner: &Inner,
    targets: &'t [Stage<'s>],
    item: Option<&str>,
) -> Result<&'t Stage<'s>, ChangeError> {
    match targets {
        [only] => Ok(only),
        several => {
            let wanted = item.map_or_else(|| "single program".to_owned(), |item| format!("single #{item}"));
            let known = several.iter().map(|stage| inner.item_name(&stage.id)).collect();
            Err(OpenError::from(UnknownName { wanted, known }).into())
        }
    }
}

/// Compares with what was, and writes the file.
pub(super) fn finish(
    source: Source<'_>,
    inner: &Inner,
    container: Container,
    targets: &[Stage<'_>],
    anyway: bool,
) -> Result<Change, ChangeError> {
    let mut findings = Vec::new();
    let mut programs = Vec::new();
    for old in targets {
        let Some(new) = container.stage(&old.id) else { continue };
        findings.extend(with_predecessor(old, &new));
        findings.extend(new_findings(&lint(old), lint(&new)));
        programs.push(ChangedProgram {
            item: inner.item_name(&old.id),
            before: Some(code_bytes(old)),
            after: Some(code_bytes(&new)),
            changed: old.code.words != new.code.words || old.interface != new.interface,
        });
    }
    findings.extend(new_findings(&varyings(&inner.container, targets), varyings(&container, targets)));
    change(source, inner, &container, programs, findings, anyway)
}

pub(super) fn change(
    source: Source<'_>,
    inner: &Inner,
    container: &Container,
    programs: Vec<ChangedProgram>,
    mut findings: Vec<Diagnostic>,
    anyway: bool,
) -> Result<Change, ChangeError> {
    findings.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
    findings.dedup();
    if !anyway && findings.iter().any(|finding| finding.severity == Severity::Error) {
        return Err(ChangeError::Mismatch(findings));
    }
    for finding in &mut findings {
        // It was to be overlooked; the file is what was asked for.
        finding.severity = finding.severity.min(Severity::Warning);
    }
    let rewritten = replace_container(source, inner, container)?;
    Ok(Change { rewritten, programs, findings })
}

/// What the stages of the programs that `targets` belong to expect of each other and do not get.
fn varyings(container: &Container, targets: &[Stage<'_>]) -> Vec<Diagnostic> {
    let mut programs: Vec<String> = targets.iter().map(|stage| program_of(stage)).collect();
    programs.sort_unstable();
    programs.dedup();
    let mut findings = Vec::new();
    for program in programs {
        let stages: Vec<_> = match container {
            // Those of one program only: an archive has thousands.
            Container::Bfsha(_) | Container::Bnsh(_) | Container::Sharcfb(_) | Container::SharcfbNx(_) => {
                KINDS
                    .iter()
                    .filter_map(|kind| container.stage(&StageId(format!("{program}/{kind}"))))
                    .collect()
            }
            _ => container.stages().filter(|stage| program_of(stage) == program).collect(),
        };
        findings.extend(between(&stages));
    }
    findings
}

/// What the last part of the name of a stage may be.
const KINDS: [&str; 10] = [
    "compute",
    "vertex",
    "tess-control",
    "tess-eval",
    "geometry",
    "copy",
    "fragment",
    "pixel",
    "hull",
    "domain",
];

/// The program that a stage belongs to, by its name: `toon/3` of `toon/3/vertex`, `0` of `pixel0`.
fn program_of(stage: &Stage<'_>) -> String {
    let name = stage.id.0.as_str();
    match (stage.isa, name.rsplit_once('/')) {
        (_, Some((program, _))) => program.to_owned(),
        (Isa::Latte, None) => name.trim_start_matches(|c: char| !c.is_ascii_digit()).to_owned(),
        (Isa::Pica200, None) => name.to_owned(),
        (_, None) => String::new(),
    }
}

/// What shall be added: what of a copy is another, and the stages that are not copied.
#[derive(Debug, Clone, Default)]
pub struct Addition {
    /// The shading model or program that it goes into.
    pub into: Option<String>,
    /// The program of the same file that it is like.
    pub from: Option<String>,
    /// Its name.
    pub name: Option<String>,
    /// Options or macros with their values.
    pub values: Vec<(String, String)>,
    /// Programs of other files; each takes the place of the stage of its kind.
    pub programs: Vec<Replacement>,
}

/// Adds a program to the container that `names` choose: a copy of another, stages of other files, or a copy with some
/// stages of other files.
///
/// # Errors
///
/// See [`ChangeError`].
pub fn add_program<'f>(
    file: impl Into<Source<'f>>,
    names: &[String],
    addition: Addition,
    anyway: bool,
) -> Result<Change, ChangeError> {
    let source = file.into();
    let opened = open_at(source, names)?;
    if let Some((inner, archive)) = sources::archive(&opened) {
        return sources::add(source, inner, archive, addition);
    }
    let inner = only(&opened)?;
    let failed = |error| within(inner, error);
    let mut new = match &addition.from {
        Some(from) => inner.container.copy_of(from.trim_start_matches('#')).map_err(failed)?,
        None => NewProgram::default(),
    };
    let copied = new.stages.len();
    for program in addition.programs {
        for stage in stages_of(program)? {
            match new.stages.iter_mut().take(copied).find(|known| known.kind() == stage.kind()) {
                Some(place) => *place = stage,
                None => new.stages.push(stage),
            }
        }
    }
    // A value of a macro may share the stages of the default one.
    let archive = matches!(inner.container, Container::Sharcfb(_) | Container::SharcfbNx(_));
    let is_value = archive && addition.into.is_some() && !addition.values.is_empty();
    if new.stages.is_empty() && !is_value {
        let error = Error::new(
            ErrorKind::BadValue,
            0,
            "",
            "a program to copy (--from ITEM) or a file with programs",
            "neither",
        );
        return Err(failed(error.code("add.stages")));
    }
    new.into = addition.into.or(new.into);
    new.name = addition.name.or(new.name);
    for (name, value) in addition.values {
        match new.values.iter_mut().find(|(known, _)| *known == name) {
            Some((_, known)) => *known = value,
            None => new.values.push((name, value)),
        }
    }
    let mut container = inner.container.clone();
    let ids = container.add(&new).map_err(failed)?;
    let added: Vec<_> = ids.iter().filter_map(|id| container.stage(id)).collect();
    let mut findings: Vec<_> = added.iter().flat_map(lint).collect();
    findings.retain(|finding| finding.severity == Severity::Error);
    findings.extend(varyings(&container, &added));
    // What the copied program has to be reproached with is nothing new.
    if let Some(from) = addition.from.as_deref().map(|from| from.trim_start_matches('#')) {
        let copied: Vec<_> = inner.container.stages().filter(|stage| self::names(stage, from)).collect();
        let mut known: Vec<_> = copied.iter().flat_map(lint).collect();
        known.extend(varyings(&inner.container, &copied));
        findings = new_findings(&known, findings);
    }
    let programs = added
        .iter()
        .map(|stage| ChangedProgram {
            item: inner.item_name(&stage.id),
            before: None,
            after: Some(code_bytes(stage)),
            changed: true,
        })
        .collect();
    change(source, inner, &container, programs, findings, anyway)
}

/// All stages of a file that is to be added, whole.
fn stages_of(program: Replacement) -> Result<Vec<unshade_containers::DetachedStage>, ChangeError> {
    let failed = |error| ChangeError::from(OpenError::from(WithinError::new(Chain::default(), error)));
    match program.resolved(None)? {
        Replacement::Programs { container, item } => {
            let found: Vec<_> = container
                .stages()
                .filter(|stage| item.as_deref().is_none_or(|item| names(stage, item)))
                .filter(|stage| !is_copy(stage))
                .map(|stage| stage.id)
                .collect();
            found.iter().map(|id| container.take(id).map(known_registers).map_err(failed)).collect()
        }
        Replacement::Text { name, .. } => {
            let error = Error::new(
                ErrorKind::BadValue,
                0,
                "",
                "a container, a listing of one, or source for picasso: code alone says nothing of its inputs and outputs",
                name,
            );
            Err(failed(error.code("add.code")))
        }
        Replacement::Bytes { why, .. } => Err((*why).into()),
        Replacement::Words(_) => {
            let expected = "a container: code alone says nothing of its inputs and outputs";
            Err(failed(Error::new(ErrorKind::BadValue, 0, "", expected, "bare words").code("add.code")))
        }
    }
}

/// Takes the program or stage that `item` names out of the container that `names` choose.
///
/// # Errors
///
/// See [`ChangeError`].
pub fn remove_program<'f>(
    file: impl Into<Source<'f>>,
    names: &[String],
    item: &str,
) -> Result<Change, ChangeError> {
    let source = file.into();
    let opened = open_at(source, names)?;
    if let Some((inner, archive)) = sources::archive(&opened) {
        return sources::remove(source, inner, archive, item);
    }
    let inner = match opened.containers.as_slice() {
        [only] => only,
        _ => targets(&opened, Some(item))?.0,
    };
    let mut container = inner.container.clone();
    let removed = container.remove(item).map_err(|error| within(inner, error))?;
    let programs = removed
        .stages
        .iter()
        .map(|id| ChangedProgram {
            item: inner.item_name(id),
            before: inner.container.stage(id).map(|stage| code_bytes(&stage)).or(Some(0)),
            after: None,
            changed: true,
        })
        .collect();
    change(source, inner, &container, programs, Vec::new(), false)
}

fn only(opened: &Opened) -> Result<&Inner, ChangeError> {
    match opened.containers.as_slice() {
        [only] => Ok(only),
        several => {
            let known = several
                .iter()
                .filter_map(|inner| inner.name.as_ref())
                .map(|name| format!(":{name}"))
                .collect();
            let wanted = "single container to add to".to_owned();
            Err(OpenError::from(UnknownName { wanted, known }).into())
        }
    }
}
