//! Questions for texts: listings, sources, and what these declare.

use crate::{
    Answer, Failure, Session,
    answer::document,
    ask::{Decompile, Disasm, arguments},
    file::File,
};
use unshade::{
    DecompileError, Decompiled, GlslVersion, Layout, ListingOptions, Manner, Origin, StageKind, Target,
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
        let all = opened.containers.iter();
        all.map(|inner| unshade::listing::disassemble_container_to_text(&inner.container, &options)).collect()
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

fn sources(
    file: &File,
    asked: &Decompile,
    target: Target,
    one_text: bool,
) -> Result<Vec<(String, StageKind, Decompiled)>, Failure> {
    let place = file.place(&asked.at.item);
    let stages = file.programs(&place)?;
    let compiled_for = file.compiled_for(&place.inner)?;
    let origin =
        Origin { name: &file.name, source: file.source(), inner: &place.inner, compiled_for: &compiled_for };
    let beside = place.item.is_some();
    let how = Manner { target, strict: asked.strict, layout: Layout::Source, beside, one_text };
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
        Some(other) => return Err(Failure::new(format!("there is no language `{other}`"))),
    })
}
