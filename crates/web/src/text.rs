//! Questions for texts: listings, sources, and what these declare.

use crate::{
    Answer, Failure, Session,
    answer::{compact, document},
    ask::{At, Decompile, Disasm, arguments},
    change::single,
    file::File,
};
use unshade::{
    CompiledFor, DecompileError, Decompiled, GlslVersion, Layout, ListingOptions, Manner, Origin, StageKind,
    Target,
    report::{Decompilation, DecompiledItem},
};

pub(crate) fn disasm(session: &Session, json: &str) -> Answer {
    let asked: Disasm = arguments(json)?;
    let options = ListingOptions { words: asked.words, offsets: asked.offsets, no_control: false };
    let file = session.file(asked.at.file)?;
    let place = file.place(&asked.at.item);
    let texts: Vec<String> = if place.item.is_some() {
        let programs = file.programs(&place)?;
        programs.iter().map(|(_, stage)| unshade::disassemble_stage_to_text(stage, &options)).collect()
    } else {
        let opened = file.opened(&place.inner)?;
        if opened.containers.is_empty() {
            file.programs(&place)?;
        }
        vec![unshade::listing::disassemble_opened_to_text(&opened, &options)]
    };
    Ok(texts.join("\n"))
}

pub(crate) fn decompile(session: &Session, json: &str) -> Answer {
    let asked: Decompile = arguments(json)?;
    let target = target(&asked)?;
    let file = session.file(asked.at.file)?;
    let one_text = !matches!(target, Target::Spirv | Target::Ir);
    let made = sources(file, &asked, target, one_text)?;
    let texts: Vec<_> = made.into_iter().map(|(_, _, made)| made.text).collect();
    Ok(texts.join("\n"))
}

/// The document of `decompile --json`.
pub(crate) fn source(session: &Session, json: &str) -> Answer {
    let asked: Decompile = arguments(json)?;
    let target = target(&asked)?;
    let file = session.file(asked.at.file)?;
    let items = sources(file, &asked, target, false)?;
    let items = items
        .into_iter()
        .map(|(item, kind, made)| DecompiledItem::new(item, kind, target, asked.strict, made));
    document(&Decompilation::new(&(file.name.clone() + &asked.at.item), items))
}

/// Which lines of listing, IR and source of one program belong together.
pub(crate) fn links(session: &Session, json: &str) -> Answer {
    let asked: Decompile = arguments(json)?;
    let target = target(&asked)?;
    let file = session.file(asked.at.file)?;
    let place = file.place(&asked.at.item);
    let stages = file.programs(&place)?;
    let member = single(&stages)?;
    let compiled_for = file.compiled_for(&place.inner)?;
    let origin = origin(file, &place.inner, &compiled_for);
    let how = manner(target, asked.strict, true, false);
    let linked = origin.links(&[member], how).into_iter().next();
    let linked = linked.ok_or_else(|| Failure::new("no program to link"))?;
    compact(&linked.map_err(|error| failure(&error))?)
}

/// The control-flow graph of one program.
pub(crate) fn graph(session: &Session, json: &str) -> Answer {
    let at: At = arguments(json)?;
    let file = session.file(at.file)?;
    let stages = file.programs(&file.place(&at.item))?;
    let (_, stage) = single(&stages)?;
    let none = || Failure::new(format!("{} code is not read", stage.isa));
    compact(&unshade::cfg::cfg(stage).ok_or_else(none)?)
}

pub(crate) fn origin<'o>(file: &'o File, inner: &'o [String], compiled_for: &'o CompiledFor) -> Origin<'o> {
    Origin { name: &file.name, source: file.source(), inner, compiled_for }
}

fn manner(target: Target, strict: bool, beside: bool, one_text: bool) -> Manner {
    Manner { target, strict, layout: Layout::Source, beside, one_text }
}

fn sources(
    file: &File,
    asked: &Decompile,
    target: Target,
    one_text: bool,
) -> Result<Vec<(String, StageKind, Decompiled)>, Failure> {
    let place = file.place(&asked.at.item);
    let stages = file.programs(&place)?;
    let compiled_for = file.compiled_for(&place.inner)?;
    let origin = origin(file, &place.inner, &compiled_for);
    let how = manner(target, asked.strict, place.item.is_some(), one_text);
    let mut failed = None;
    let made = origin.decompile_all(&stages, how, |_, made| {
        if let (Err(error), None) = (made, &failed) {
            failed = Some(failure(error));
        }
    });
    match failed {
        Some(failure) if made.is_empty() => Err(failure),
        _ => Ok(made),
    }
}

fn failure(error: &DecompileError) -> Failure {
    Failure { code: Some(error.code().to_owned()), ..Failure::new(error.to_string()) }
}

fn target(asked: &Decompile) -> Result<Target, Failure> {
    let glsl = match asked.glsl.as_deref() {
        None | Some("450") => GlslVersion::Core450,
        Some("330") => GlslVersion::Core330,
        Some("es300") => GlslVersion::Es300,
        Some("es100") => GlslVersion::Es100,
        Some(other) => return Err(Failure::new(format!("there is no GLSL `{other}`"))),
    };
    Ok(match asked.to.as_deref() {
        None | Some("glsl") => Target::Glsl(glsl),
        Some("ir") => Target::Ir,
        Some("hlsl") => Target::Hlsl,
        Some("msl") => Target::Msl,
        Some("wgsl") => Target::Wgsl,
        Some(other) => return Err(Failure::new(format!("there is no language `{other}`"))),
    })
}
