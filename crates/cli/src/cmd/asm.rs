//! `asm`: a listing to its file, or picasso sources to a SHBIN.

use super::disasm::isa;
use crate::{
    args::Asm,
    input,
    output::{self, Failure, Outcome, Status},
    snippet,
};
use unshade::{
    Diagnostic, FilePath,
    pica200::asm::{self, Options, Source},
    report::Written,
};

pub fn run(arguments: &Asm, json: bool) -> Outcome {
    let mut texts = Vec::new();
    for path in &arguments.texts {
        texts.push(input::read_text(path)?);
    }
    let sources: Vec<_> =
        arguments.texts.iter().zip(&texts).map(|(name, text)| Source { name, text }).collect();
    let failed = |findings: Vec<Diagnostic>| Failure::Text(snippet::render(&sources, &findings));
    let mut written = Vec::new();
    if let Some(place) = arguments.destination.place().filter(|place| place.item.is_some()) {
        let source = single(&sources, "--into FILE#ITEM")?;
        if unshade::is_container_listing(source.text) {
            return Err(Failure::usage(format!(
                "{} is a listing of a whole file; leave the #ITEM out of --into",
                source.name
            )));
        }
        written.push(program_into(arguments, &place, source, failed)?);
        return finish(written, json);
    }
    let bytes = if let Some(name) = &arguments.isa {
        let isa = isa(name)?;
        let source = single(&sources, "--isa")?;
        let code = unshade::assemble_code_with_warnings(isa, source.text).map_err(failed)?;
        if !code.warnings.is_empty() {
            output::print_rendered(&snippet::render(&sources, &code.warnings));
        }
        code.bytes
    } else if sources.iter().any(|source| unshade::is_container_listing(source.text)) {
        let source = single(&sources, "a listing")?;
        if arguments.header.is_some() || arguments.depfile.is_some() || arguments.no_nop {
            return Err(Failure::usage(format!(
                "{} is a listing; --header, --depfile and --no-nop are for picasso sources",
                source.name
            )));
        }
        let container = unshade::assemble_listing(source.text).map_err(failed)?;
        container.write().map_err(|error| Failure::file(source.name.to_owned(), error))?
    } else {
        let assembled =
            unshade::assemble_shbin(&sources, Options { no_nop: arguments.no_nop }).map_err(failed)?;
        if !assembled.assembly.warnings.is_empty() {
            output::print_rendered(&snippet::render(&sources, &assembled.assembly.warnings));
        }
        let bytes =
            assembled.shbin.write().map_err(|error| Failure::file(arguments.destination.path(), error))?;
        if let Some(path) = &arguments.header {
            let header = asm::header(&assembled.assembly.program);
            output::write_file(path, header.as_bytes())?;
            written.push((path.clone(), header.len()));
        }
        if let Some(path) = &arguments.depfile {
            let rule = asm::depfile(&arguments.destination.path(), &sources);
            output::write_file(path, rule.as_bytes())?;
            written.push((path.clone(), rule.len()));
        }
        bytes
    };
    written.push(arguments.destination.write(bytes)?);
    finish(written, json)
}

/// The listing of one program as the code of a program that is there.
fn program_into(
    arguments: &Asm,
    place: &FilePath,
    source: &Source<'_>,
    failed: impl Fn(Vec<Diagnostic>) -> Failure,
) -> Outcome<(String, usize)> {
    let bytes = input::read(&place.file)?;
    let failure = |error| Failure::open(place.file.clone(), error);
    let opened = unshade::open_at(input::source(&bytes), &place.inner).map_err(failure)?;
    let stages = opened.require(place.item.as_deref()).map_err(|error| failure(error.into()))?;
    let Some((_, stage)) = stages.first() else {
        return Err(Failure::NoPrograms(output::no_programs(&place.file, &opened)));
    };
    let code = unshade::assemble_for(stage, source.text).map_err(failed)?;
    let rewritten = unshade::replace_code(input::source(&bytes), &opened, place.item.as_deref(), &code)
        .map_err(failure)?;
    arguments.destination.write_rewritten(&rewritten)
}

fn finish(written: Vec<(String, usize)>, json: bool) -> Outcome {
    if json {
        output::print_json(&Written::new(written))?;
    }
    Ok(Status::Good)
}

fn single<'a, 'b>(sources: &'b [Source<'a>], what: &str) -> Outcome<&'b Source<'a>> {
    match sources {
        [source] => Ok(source),
        _ => Err(Failure::usage(format!("{what} goes with one text, found {}", sources.len()))),
    }
}
