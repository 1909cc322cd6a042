//! Whether a stage still fits to what is around it: the application that fills its uniforms, and the stages in front of
//! it and behind it. Said by name, before anything is written.

use super::interface::{Group, Place, shared};
use unshade_bytes::{Diagnostic, Location, Severity};
use unshade_stage::{Isa, Stage, StageKind};

/// What is another in the interface of a stage than in that of the stage that it replaces. An error: whoever serves
/// the old one does not serve the new one. A warning: nobody serves something new. A note: something is not used any
/// more.
pub(super) fn with_predecessor(old: &Stage<'_>, new: &Stage<'_>) -> Vec<Diagnostic> {
    let (before, after) = (shared(old), shared(new));
    let item = &old.id;
    let mut findings = Vec::new();
    let mut report = |severity, code: &'static str, message: String| {
        findings.push(Diagnostic::new(severity, code, Location::Whole, format!("#{item}"), message));
    };
    for ((group, name), place) in &after {
        let what = group.name();
        match before.get(&(*group, name.clone())) {
            Some(known) => {
                if !fits(*group, &known.ty, &place.ty) {
                    let message = format!("{what} `{name}`: expected {}, found {}", known.ty, place.ty);
                    report(Severity::Error, "replace.type", message);
                }
                if known.at != place.at {
                    let message = format!(
                        "{what} `{name}`: expected it at {}, found it at {}",
                        told(known),
                        told(place)
                    );
                    report(Severity::Error, "replace.place", message);
                }
            }
            None if *group == Group::Output || is_served(old, *group) => {}
            None => {
                let message = format!("{what} `{name}` is new: nothing gives it a value so far");
                report(Severity::Warning, "replace.new", message);
            }
        }
    }
    for (group, name) in before.keys().filter(|key| !after.contains_key(*key)) {
        let what = group.name();
        let (severity, message) = match group {
            Group::Output if old.isa == Isa::Pica200 => {
                (Severity::Error, format!("{what} `{name}` is missing, which the old program writes"))
            }
            _ => (Severity::Note, format!("{what} `{name}` is not there any more")),
        };
        report(severity, "replace.missing", message);
    }
    findings
}

/// Whether what is not in the tables of the old stage is given a value all the same: what comes from the stage in
/// front is compared with that stage.
fn is_served(old: &Stage<'_>, group: Group) -> bool {
    group == Group::Input && old.kind != StageKind::Vertex
}

/// Whether something of type `new` can be where `old` was expected. Of vectors that are told by their letters fewer
/// will do for an input.
fn fits(group: Group, old: &str, new: &str) -> bool {
    match is_letters(old) && is_letters(new) {
        true if group == Group::Input => new.chars().all(|c| old.contains(c)),
        true => old.chars().all(|c| new.contains(c)),
        false => old == new,
    }
}

/// Whether a type is told by the components that count.
fn is_letters(ty: &str) -> bool {
    !ty.is_empty() && ty.chars().all(|c| "xyzw".contains(c))
}

fn told(place: &Place) -> &str {
    if place.at.is_empty() { "no place of its own" } else { &place.at }
}

/// What the stages of one program expect of each other and do not get: for each stage the one in front of it.
pub(super) fn between(stages: &[Stage<'_>]) -> Vec<Diagnostic> {
    let mut order: Vec<_> = stages.iter().filter(|stage| step(stage).is_some()).collect();
    order.sort_by_key(|stage| step(stage));
    let mut findings = Vec::new();
    for (front, behind) in order.iter().zip(order.iter().skip(1)) {
        if step(front) == step(behind) || !comparable(front, behind) {
            continue;
        }
        let (written, read) = (shared(front), shared(behind));
        for ((_, name), place) in read.iter().filter(|((group, _), _)| *group == Group::Input) {
            let writer = front.kind;
            let (severity, message) = match written.get(&(Group::Output, name.clone())) {
                None if builtin(name) => continue,
                None => {
                    (Severity::Error, format!("reads `{name}`, which the {writer} program does not write"))
                }
                Some(found) if !fits(Group::Input, &found.ty, &place.ty) => {
                    // Components that nobody writes have a value, if nobody knows which.
                    let severity = if is_letters(&place.ty) { Severity::Warning } else { Severity::Error };
                    let (read, written) = (&place.ty, &found.ty);
                    let message =
                        format!("reads `{name}` as {read}, which the {writer} program writes as {written}");
                    (severity, message)
                }
                Some(_) => continue,
            };
            let path = format!("#{}", behind.id);
            findings.push(Diagnostic::new(severity, "replace.varying", Location::Whole, path, message));
        }
    }
    findings
}

/// Where a stage stands in the pipeline.
fn step(stage: &Stage<'_>) -> Option<u8> {
    let copy = stage.interface.latte.as_ref().is_some_and(|latte| latte.copy_program);
    match stage.kind {
        StageKind::Vertex if copy => Some(4),
        StageKind::Vertex => Some(0),
        StageKind::TessControl => Some(1),
        StageKind::TessEval => Some(2),
        StageKind::Geometry => Some(3),
        StageKind::Fragment => Some(5),
        _ => None,
    }
}

/// Whether the tables of both say what goes from one to the other.
fn comparable(front: &Stage<'_>, behind: &Stage<'_>) -> bool {
    match (front.isa, behind.isa) {
        (Isa::MaliGp, Isa::MaliPp) => true,
        // A program of the Wii U in front of a geometry program writes the ring as memory.
        (Isa::Latte, Isa::Latte) => behind.kind == StageKind::Fragment,
        (Isa::Maxwell, Isa::Maxwell) => [front, behind].iter().all(|stage| header(stage)),
        // A geometry program of the 3DS takes registers as they come.
        _ => false,
    }
}

fn header(stage: &Stage<'_>) -> bool {
    stage.interface.maxwell.as_ref().is_some_and(|maxwell| !maxwell.header.is_empty())
}

/// What the rasteriser gives.
fn builtin(name: &str) -> bool {
    name.starts_with("gl_")
}

/// The findings of `after` that are not in `before`, whatever program they are about.
pub(super) fn new_findings(before: &[Diagnostic], after: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let known = |finding: &Diagnostic| {
        before.iter().any(|old| old.code == finding.code && old.message == finding.message)
    };
    after.into_iter().filter(|finding| !known(finding)).collect()
}
