//! What shall take the place of a program, or become one: a container with programs, a text, bare code.

use crate::code::needs::needs;
use crate::{
    ListingKind, OpenError, UnknownName, assemble_listing, assemble_shbin, is_container_listing, open_at,
    words_from_bytes,
};
use unshade_bytes::{Diagnostic, Error, ErrorKind, Location, Severity};
use unshade_containers::{
    Container, DetachedStage,
    wrap::nest::{Chain, Source},
};
use unshade_isa::assembly::lexer::{Lines, Statement};
use unshade_isa::pica200::asm;
use unshade_stage::{Isa, Stage, StageId, StageKind};

use super::program::{ChangeError, is_copy};

/// What takes the place of a program.
#[derive(Debug, Clone)]
pub enum Replacement {
    /// A listing of code, or source for picasso.
    Text {
        /// Its name, for messages.
        name: String,
        /// The text.
        text: String,
    },
    /// Bytes that are neither a known container nor a text in UTF-8: a source in another encoding.
    Bytes {
        /// Their name, for messages.
        name: String,
        /// The bytes.
        bytes: Vec<u8>,
        /// Why they do not open as anything else.
        why: Box<OpenError>,
    },
    /// Code words.
    Words(Vec<u32>),
    /// Programs of another file: those that the item names, or all.
    Programs {
        /// The container that they are in.
        container: Box<Container>,
        /// The item.
        item: Option<String>,
    },
}

/// What a file holds that shall take the place of a program: the programs of the container that `names` choose in it;
/// where it is none, its text; with `raw` its words, whatever they look like.
///
/// # Errors
///
/// Where it holds several containers.
pub fn replacement<'f>(
    file: impl Into<Source<'f>>,
    place: (&str, &[String], Option<&str>),
    raw: bool,
) -> Result<Replacement, ChangeError> {
    let source = file.into();
    let (name, names, item) = place;
    let whole =
        |error: Error| ChangeError::from(OpenError::from(crate::WithinError::new(Chain::default(), error)));
    if raw {
        return words_from_bytes(source.bytes).map(Replacement::Words).map_err(whole);
    }
    let text = std::str::from_utf8(source.bytes).ok().filter(|text| names.is_empty() && !text.contains('\0'));
    if let Some(text) = text {
        return Ok(Replacement::Text { name: name.to_owned(), text: text.to_owned() });
    }
    let mut opened = match open_at(source, names) {
        Ok(opened) => opened,
        Err(why) if names.is_empty() => {
            let (name, bytes) = (name.to_owned(), source.bytes.to_vec());
            return Ok(Replacement::Bytes { name, bytes, why: Box::new(why) });
        }
        Err(why) => return Err(why.into()),
    };
    match (opened.containers.pop(), opened.containers.len()) {
        (Some(inner), 0) => {
            Ok(Replacement::Programs { container: Box::new(inner.container), item: item.map(str::to_owned) })
        }
        (_, others) => {
            let found = format!("{} of them", others + usize::from(others > 0));
            let error = Error::new(ErrorKind::BadValue, 0, "", "one container with programs", found);
            Err(whole(error.code("replace.several")))
        }
    }
}

/// Whether a text says what a program of this machine is made of by itself: source for picasso has no `.isa`.
fn is_picasso(text: &str) -> bool {
    let names = Lines::new(text).filter_map(|line| match line.statement() {
        Statement::Directive { name, .. } => Some(name.text.to_ascii_lowercase()),
        _ => None,
    });
    let names: Vec<_> = names.collect();
    let has = |wanted: &str| names.iter().any(|name| name.trim_start_matches('.') == wanted);
    !has("isa") && (has("proc") || has("entry") || has("out") || has("fvec"))
}

impl Replacement {
    /// The same with a text that stands for a whole file assembled to it.
    pub(super) fn resolved(self, isa: Option<Isa>) -> Result<Self, ChangeError> {
        let (name, text) = match self {
            Self::Text { name, text } => (name, text),
            Self::Bytes { why, .. } => return Err((*why).into()),
            other => return Ok(other),
        };
        if let Some((kind, span)) = ListingKind::with_place(&text).filter(|(kind, _)| kind.goes_into()) {
            let message = format!("{kind} is no program");
            let location = Location::Text { source: 0, span };
            let finding = Diagnostic::new(Severity::Error, "replace.archive", location, "", message)
                .note("`asm --into FILE` puts it into the file that it is a listing of");
            return Err(ChangeError::Text { name, text, findings: vec![finding] });
        }
        let container = if is_container_listing(&text) {
            assemble_listing(&text)
        } else if isa.is_none_or(|isa| isa == Isa::Pica200) && is_picasso(&text) {
            let sources = [unshade_isa::assembly::Source { name: &name, text: &text }];
            assemble_shbin(&sources, asm::Options::default()).map(|made| Container::Shbin(made.shbin))
        } else {
            return Ok(Self::Text { name, text });
        };
        match container {
            Ok(container) => Ok(Self::Programs { container: Box::new(container), item: None }),
            Err(findings) => Err(ChangeError::Text { name, text, findings }),
        }
    }
}

/// The stage of `container` that shall take the place of one of this kind.
///
/// # Errors
/// Where there is none or several; `Ok(None)` where none is of this kind, but nobody asked for a certain one.
pub(super) fn donor(
    container: &Container,
    item: Option<&str>,
    target: &Stage<'_>,
) -> Result<Option<DetachedStage>, ChangeError> {
    let found: Vec<(StageId, StageKind, Isa)> = container
        .stages()
        .filter(|stage| item.is_none_or(|item| crate::open::names(stage, item)))
        // A copy program goes with its geometry program.
        .filter(|stage| !is_copy(stage))
        .map(|stage| (stage.id, stage.kind, stage.isa))
        .collect();
    let known = || container.stages().map(|stage| format!("#{}", stage.id)).collect();
    if found.is_empty() {
        let wanted = item.map_or_else(|| "program".to_owned(), |item| format!("#{item}"));
        return Err(OpenError::from(UnknownName { wanted, known: known() }).into());
    }
    let fitting: Vec<_> =
        found.iter().filter(|(_, kind, isa)| *kind == target.kind && *isa == target.isa).collect();
    let failure =
        |error| ChangeError::from(OpenError::from(crate::WithinError::new(Chain::default(), error)));
    match fitting.as_slice() {
        [] => Ok(None),
        [(id, ..)] => container.take(id).map(known_registers).map(Some).map_err(failure),
        several => {
            let wanted = format!("single {} program to take", target.kind);
            let known = several.iter().map(|(id, ..)| format!("#{id}")).collect();
            Err(OpenError::from(UnknownName { wanted, known }).into())
        }
    }
}

/// A code section alone does not say how many registers its program uses; its code does.
pub(super) fn known_registers(mut stage: DetachedStage) -> DetachedStage {
    if stage.isa() == Isa::Maxwell && stage.code_facts().registers.is_none() {
        let needs = needs(&stage.stage());
        stage.set_code_facts(&needs);
    }
    stage
}
