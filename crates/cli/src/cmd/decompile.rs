//! `decompile`: source code.

use crate::{
    args::{Decompile, Glsl, LayoutOf, To},
    input,
    output::{self, Failure, Outcome, Status},
    style::{self, paint},
};
use std::path::Path;
use unshade::{
    CompiledFor, Decompiled, GlslVersion, Layout, Manner, Origin, Sources, Stage, StageKind, Target,
    report::{Decompilation, DecompiledItem, ItemLinks, LinksReport},
};

pub fn run(arguments: &Decompile, json: bool) -> Outcome {
    let programs = input::programs_or_code(&arguments.file, &arguments.bare)?;
    let target = target(arguments);
    let name = Path::new(&programs.place.file)
        .file_name()
        .map_or_else(|| programs.place.file.clone(), |name| name.to_string_lossy().into_owned());
    let (count, mut status) = (programs.stages.len(), programs.status);
    let compiled_for = CompiledFor::new(input::source(&programs.bytes), &programs.place.inner);
    let mut stages = Vec::new();
    for (item, mut stage) in programs.stages {
        input::surround(&mut stage, &arguments.surroundings)?;
        stages.push((item, stage));
    }
    // What is printed one below the other is one text for all stages of a program.
    let one_text = !json && arguments.output.is_none() && !matches!(target, Target::Spirv | Target::Ir);
    let layout = match arguments.layout {
        None => Layout::Source,
        Some(LayoutOf::Gl) => Layout::OpenGl,
        Some(LayoutOf::Vulkan) => Layout::Vulkan,
    };
    let origin = Origin {
        name: &name,
        source: input::source(&programs.bytes),
        inner: &programs.place.inner,
        compiled_for: &compiled_for,
    };
    // All programs of an archive at once would each be held against all others.
    let beside = programs.place.item.is_some();
    let how = Manner { target, strict: arguments.strict, layout, beside, one_text };
    if arguments.links {
        if !matches!(target, Target::Glsl(_)) {
            return Err(Failure::usage(format!("--links are of GLSL, not of {}", target.name())));
        }
        return links(&arguments.file, &name, &origin, &stages, how).map(|found| found.and(status));
    }
    for (item, stage) in &stages {
        if let Some(damage) = unshade::Damage::of(stage) {
            output::note(&format!("{name}{item}: {damage}"));
            status = Status::Bad;
        }
    }
    if let Some(pass) = &arguments.after {
        if json {
            return Err(Failure::usage("--after prints text, not JSON".to_owned()));
        }
        for (item, stage) in &stages {
            print_after(&format!("{name}{item}"), stage, arguments.strict, pass)?;
        }
        return Ok(status);
    }
    let mut failures = Vec::new();
    let sources = sources(arguments, &programs.place.file)?;
    if let Some(sources) = &sources
        && !stages.iter().any(|(item, stage)| sources.of(item, stage.kind).is_some())
    {
        output::note(&format!("{} has no source of these programs", sources.name()));
    }
    let items = origin.decompile_all(&stages, how, |item, made| match made {
        Ok(decompiled) if arguments.stats => print_stats(item, decompiled),
        Ok(_) => {}
        Err(error) => {
            let code = paint(style::BAD, format_args!("error[{}]:", error.code()));
            failures.push(Failure::Text(format!("{code} {name}{item}: {error}")));
        }
    });
    if count == 1
        && let Some(failure) = failures.pop()
    {
        return Err(failure);
    }
    for failure in &failures {
        output::report_failure(failure);
        status = Status::Bad;
    }
    if json {
        let items = items.into_iter().map(|(item, kind, decompiled)| {
            let original = sources.as_ref().and_then(|sources| sources.of(&item, kind));
            let made = DecompiledItem::new(item, kind, target, arguments.strict, decompiled);
            DecompiledItem { original: original.map(Into::into), ..made }
        });
        output::print_json(&Decompilation::new(&arguments.file, items))?;
        return Ok(status);
    }
    match (&arguments.output, items.as_slice()) {
        (Some(path), [(item, kind, only)]) if !Path::new(path).is_dir() => {
            output::write_file(path, &only.bytes())?;
            write_source(sources.as_ref(), item, *kind, path)?;
        }
        (Some(folder), items) => {
            std::fs::create_dir_all(folder).map_err(|error| Failure::Io {
                path: folder.clone(),
                action: "write",
                error,
            })?;
            let mut taken = std::collections::BTreeSet::new();
            for (item, kind, decompiled) in items {
                let stem: String =
                    item.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
                let stem = stem.trim_start_matches('_');
                let mut file = format!("{stem}.{}", target.extension(*kind));
                let mut number = 1;
                // Names that differ only in what a file name must not have.
                while !taken.insert(file.to_lowercase()) {
                    number += 1;
                    file = format!("{stem}-{number}.{}", target.extension(*kind));
                }
                let path = Path::new(folder).join(file);
                let path = path.to_string_lossy();
                output::write_file(&path, &decompiled.bytes())?;
                write_source(sources.as_ref(), item, *kind, &path)?;
            }
        }
        (None, items) => {
            let mut texts = Vec::new();
            for (item, kind, decompiled) in items {
                let of = members(item, *kind, &stages, one_text);
                if let Some(source) = sources.as_ref().and_then(|sources| sources.text(of)) {
                    texts.push(source.into_bytes());
                }
                texts.push(decompiled.bytes().to_vec());
            }
            output::print_bytes(&texts.join(b"\n".as_slice()))?;
        }
    }
    Ok(status)
}

/// The archive of sources that is to stand beside what is decompiled. Where none is asked for and one lies beside the file,
/// that is said.
fn sources(arguments: &Decompile, file: &str) -> Outcome<Option<Sources>> {
    let path = Path::new(file);
    let beside = |folder: &Path| {
        let name = path.file_name().and_then(|name| unshade::source_archive_name(&name.to_string_lossy()))?;
        Some(folder.join(name))
    };
    let Some(wanted) = &arguments.source else {
        let found = path.parent().and_then(beside).filter(|found| found.is_file());
        if let Some(found) = found {
            output::note(&format!("--source {} prints the sources with it", found.display()));
        }
        return Ok(None);
    };
    let wanted = match beside(Path::new(wanted)).filter(|_| Path::new(wanted).is_dir()) {
        Some(found) => found.to_string_lossy().into_owned(),
        None => wanted.clone(),
    };
    let place = input::place(&wanted);
    let bytes = input::map(&place.file)?;
    let name = Path::new(&place.file).file_name().map(|name| name.to_string_lossy().into_owned());
    let name = name.unwrap_or_else(|| place.file.clone());
    let sources = Sources::open(input::source(&bytes), &place.inner, &name);
    sources.map(Some).map_err(|error| Failure::open(place.file.clone(), error))
}

/// The stages that a text is of: all of their program, or one.
fn members<'s>(
    item: &'s str,
    kind: StageKind,
    stages: &'s [(String, Stage<'_>)],
    one_text: bool,
) -> Vec<(&'s str, StageKind)> {
    let program = item.rsplit_once('/').map(|(program, _)| program).filter(|_| one_text);
    let Some(program) = program else { return vec![(item, kind)] };
    let same = |other: &str| other.rsplit_once('/').is_some_and(|(front, _)| front == program);
    let members = stages.iter().filter(|(other, _)| same(other));
    members.map(|(other, stage)| (other.as_str(), stage.kind)).collect()
}

/// Writes the source of a stage beside its decompiled program: `toon.source.vert` beside `toon.vert`.
fn write_source(sources: Option<&Sources>, item: &str, kind: StageKind, path: &str) -> Outcome<()> {
    let Some(text) = sources.and_then(|sources| sources.text([(item, kind)])) else { return Ok(()) };
    let path = Path::new(path);
    let ending = path.extension().map(|ending| ending.to_string_lossy().into_owned());
    let ending = ending.map_or_else(|| "source".to_owned(), |ending| format!("source.{ending}"));
    output::write_file(&path.with_extension(ending).to_string_lossy(), text.as_bytes())
}

/// Which lines of the texts of each stage belong together.
fn links(
    file: &str,
    name: &str,
    origin: &Origin<'_>,
    stages: &[(String, Stage<'_>)],
    how: Manner,
) -> Outcome {
    let (mut items, mut status) = (Vec::new(), Status::Good);
    for group in unshade::by_program(stages) {
        let members: Vec<&(String, Stage<'_>)> =
            group.stages.iter().filter_map(|at| stages.get(*at)).collect();
        for (((item, stage), at), links) in members.iter().zip(&group.stages).zip(origin.links(&members, how))
        {
            match links {
                Ok(links) => items.push((*at, ItemLinks::new(item, stage, how.strict, links))),
                Err(error) => {
                    let code = paint(style::BAD, format_args!("error[{}]:", error.code()));
                    output::report_failure(&Failure::Text(format!("{code} {name}{item}: {error}")));
                    status = Status::Bad;
                }
            }
        }
    }
    items.sort_by_key(|(at, _)| *at);
    output::print_json(&LinksReport::new(file, items.into_iter().map(|(_, item)| item)))?;
    Ok(status)
}

fn target(arguments: &Decompile) -> Target {
    let glsl = match arguments.glsl {
        Glsl::V450 => GlslVersion::Core450,
        Glsl::V330 => GlslVersion::Core330,
        Glsl::Es300 => GlslVersion::Es300,
        Glsl::Es100 => GlslVersion::Es100,
    };
    match arguments.to {
        To::Glsl => Target::Glsl(glsl),
        To::Wgsl => Target::Wgsl,
        To::Hlsl => Target::Hlsl,
        To::Msl => Target::Msl,
        To::Spirv => Target::Spirv,
        To::Ir => Target::Ir,
    }
}

/// The intermediate form after a pass.
fn print_after(name: &str, stage: &Stage<'_>, strict: bool, pass: &str) -> Result<(), Failure> {
    let names = unshade::pass_names(stage.isa, strict);
    let (wanted, time) = pass.rsplit_once('#').unwrap_or((pass, "1"));
    let places: Vec<usize> = (1..).zip(&names).filter(|(_, name)| **name == wanted).map(|(n, _)| n).collect();
    let place = time.parse().ok().and_then(|time: usize| places.get(time.checked_sub(1)?));
    let Some(place) = place else {
        let known: std::collections::BTreeSet<&str> = names.iter().copied().collect();
        let known = known.into_iter().collect::<Vec<_>>().join(", ");
        return Err(Failure::usage(match places.len() {
            0 => format!("--after {pass}: there is no pass {wanted}; passes are {known}"),
            1 => format!("--after {pass}: {wanted} runs once"),
            times => format!("--after {pass}: {wanted} runs {times} times, #1 to #{times}"),
        }));
    };
    match unshade::after_passes(stage, strict, *place) {
        Ok(text) => {
            output::print(&format!("; {name} after {wanted}, pass {place} of {}\n{text}", names.len()))
        }
        Err(error) => {
            let code = paint(style::BAD, format_args!("error[{}]:", error.code()));
            Err(Failure::Text(format!("{code} {name}: {error}")))
        }
    }
}

/// What each pass did, on standard error: the source is on standard output.
fn print_stats(item: &str, decompiled: &Decompiled) {
    let mut text = format!("{}\n", paint(style::BOLD, item));
    for (name, changes) in &decompiled.passes {
        text.push_str(&format!("  {name:<24} {changes:>6}\n"));
    }
    let structure = &decompiled.structure;
    let counts = [
        ("locals", structure.locals),
        ("dispatchers", structure.dispatchers),
        ("duplicated blocks", structure.duplicated_blocks),
        ("loops rolled up", structure.rolled),
        ("state variables", structure.flags),
    ];
    for (name, count) in counts {
        text.push_str(&format!("  {name:<24} {count:>6}\n"));
    }
    output::print_rendered(text.trim_end());
}
