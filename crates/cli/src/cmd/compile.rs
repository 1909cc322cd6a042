//! `compile`: vertex programs in GLSL or WGSL to one SHBIN.

use crate::{
    args::{Compile, ShadingLanguage, WhichCalls},
    input,
    output::{self, Failure, Outcome, Status},
    snippet,
};
use unshade::{
    Diagnostic,
    compile::{Calls, Language, Options, Source, compile_shbin},
    pica200::asm,
    report::Written,
};

pub fn run(arguments: &Compile, json: bool) -> Outcome {
    let mut texts = Vec::new();
    for path in &arguments.sources {
        texts.push(input::read_text(path)?);
    }
    let mut sources = Vec::new();
    for (name, text) in arguments.sources.iter().zip(&texts) {
        sources.push(Source { name, text, language: language(arguments, name)? });
    }
    if let Some(place) = arguments.destination.place().filter(|place| place.item.is_some()) {
        return Err(Failure::usage(format!(
            "--into {}#{} takes the code of one program; what is compiled is a whole file, so leave the #ITEM out",
            place.file,
            place.item.unwrap_or_default()
        )));
    }
    if arguments.asm.is_some() && sources.len() > 1 {
        return Err(Failure::usage(format!("--asm goes with one source, found {}", sources.len())));
    }
    let calls = match arguments.calls {
        WhichCalls::Shorter => Calls::Shorter,
        WhichCalls::Always => Calls::Always,
        WhichCalls::Never => Calls::Never,
    };
    let options = Options { entry: arguments.entry.clone(), calls };
    let compiled =
        compile_shbin(&sources, &options).map_err(|findings| Failure::Text(drawn(&sources, &findings)))?;
    if !compiled.program.warnings.is_empty() {
        output::print_rendered(&drawn(&sources, &compiled.program.warnings));
    }
    let mut written = Vec::new();
    if let (Some(path), Some(listing)) = (&arguments.asm, compiled.program.listings.first()) {
        output::write_file(path, listing.as_bytes())?;
        written.push((path.clone(), listing.len()));
    }
    if let Some(path) = &arguments.header {
        let header = asm::header(&compiled.program.assembly.program);
        output::write_file(path, header.as_bytes())?;
        written.push((path.clone(), header.len()));
    }
    let bytes = compiled.write().map_err(|error| Failure::file(arguments.destination.path(), error))?;
    written.push(arguments.destination.write(bytes)?);
    if json {
        output::print_json(&Written::new(written))?;
    }
    Ok(Status::Good)
}

/// Findings with their lines.
fn drawn(sources: &[Source<'_>], findings: &[Diagnostic]) -> String {
    let texts: Vec<asm::Source<'_>> =
        sources.iter().map(|source| asm::Source { name: source.name, text: source.text }).collect();
    snippet::render_plain(&texts, findings)
}

/// The language of a source: what was asked for, or what its name says.
fn language(arguments: &Compile, name: &str) -> Outcome<Language> {
    match arguments.lang {
        Some(ShadingLanguage::Glsl) => Ok(Language::Glsl),
        Some(ShadingLanguage::Wgsl) => Ok(Language::Wgsl),
        None => Language::of_name(name).ok_or_else(|| {
            Failure::usage(format!(
                "the name of {name} says no language; say --lang glsl or --lang wgsl, or name it .glsl, .vert or .wgsl"
            ))
        }),
    }
}
