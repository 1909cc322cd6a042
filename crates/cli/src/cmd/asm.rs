//! `asm`: a listing to its file, or picasso sources to a SHBIN.

use crate::{
    args::Asm,
    input::{self, isa},
    output::{self, Failure, Outcome, Status},
    snippet,
};
use unshade::assembly::{Places, Source};
use unshade::pica200::asm;
use unshade::pica200::asm::Options;
use unshade::report::Written;
use unshade::{Diagnostic, FilePath, Isa, ListingKind};

pub fn run(arguments: &Asm, json: bool) -> Outcome {
    let mut texts = Vec::new();
    for path in &arguments.texts {
        texts.push(input::read_text(path)?);
    }
    let sources: Vec<_> =
        arguments.texts.iter().zip(&texts).map(|(name, text)| Source { name, text }).collect();
    let places = Places::new(&sources);
    let failed = |findings: Vec<Diagnostic>| snippet::failure(&places, &findings, json);
    let mut warnings = Vec::new();
    let kinds: Vec<_> = sources.iter().filter_map(|source| ListingKind::of(source.text)).collect();
    let mut written = Vec::new();
    if let Some(place) = arguments.destination.place()
        && (place.item.is_some() || (!kinds.is_empty() && arguments.isa.is_none()))
    {
        let what = if place.item.is_some() { "--into FILE#ITEM" } else { "a listing" };
        let source = single(&sources, what)?;
        refuse_picasso(arguments, source)?;
        written.push(into_file(arguments, &place, source, json)?);
        return finish(written, &warnings, &places, json);
    }
    let bytes = if let Some(name) = &arguments.isa {
        let code = code(isa(name)?, single(&sources, "--isa")?).map_err(failed)?;
        warnings = code.warnings;
        code.bytes
    } else if let Some(kind) = kinds.first() {
        let source = single(&sources, "a listing")?;
        refuse_picasso(arguments, source)?;
        match kind {
            ListingKind::Code(name) => {
                let code = code(isa(name)?, source).map_err(failed)?;
                warnings = code.warnings;
                code.bytes
            }
            kind if kind.goes_into() => {
                return Err(Failure::usage(format!(
                    "{} is {kind} and does not hold the rest; name the file that it goes into with --into FILE",
                    source.name
                )));
            }
            _ => {
                let container = unshade::assemble_listing(source.text).map_err(failed)?;
                container.write().map_err(|error| Failure::file(source.name.to_owned(), error))?
            }
        }
    } else {
        let assembled =
            unshade::assemble_shbin(&sources, Options { no_nop: arguments.no_nop }).map_err(failed)?;
        warnings.clone_from(&assembled.assembly.warnings);
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
    finish(written, &warnings, &places, json)
}

/// The words of bare code, as bytes.
fn code(isa: Isa, source: &Source<'_>) -> Result<unshade::AssembledCode, Vec<Diagnostic>> {
    unshade::assemble_code_with_warnings(isa, source.text)
}

/// A listing is no source for picasso.
fn refuse_picasso(arguments: &Asm, source: &Source<'_>) -> Outcome<()> {
    if arguments.header.is_some() || arguments.depfile.is_some() || arguments.no_nop {
        return Err(Failure::usage(format!(
            "{} is a listing; --header, --depfile and --no-nop are for picasso sources",
            source.name
        )));
    }
    Ok(())
}

/// A listing into the file that it is a listing of, or the text of one program as the code of one that is there.
fn into_file(arguments: &Asm, place: &FilePath, source: &Source<'_>, json: bool) -> Outcome<(String, usize)> {
    if let (Some(item), Some(kind)) = (&place.item, ListingKind::of(source.text))
        && !matches!(kind, ListingKind::Code(_))
    {
        return Err(Failure::usage(format!("{} is {kind}; leave #{item} out of --into", source.name)));
    }
    let bytes = input::read(&place.file)?;
    let text = (source.name, source.text);
    let item = place.item.as_deref();
    let change = unshade::change::replace_by_listing(input::source(&bytes), &place.inner, item, text)
        .map_err(|error| super::change::failure_as(&place.file, error, json))?;
    for finding in &change.findings {
        output::print_diagnostic(&place.file, finding);
    }
    arguments.destination.write_rewritten(&change.rewritten)
}

fn finish(
    written: Vec<(String, usize)>,
    warnings: &[Diagnostic],
    places: &Places<'_>,
    json: bool,
) -> Outcome {
    if json {
        output::print_json(&Written::new(written).with_findings(warnings, places))?;
    } else if !warnings.is_empty() {
        output::print_rendered(&snippet::draw(places, warnings));
    }
    Ok(Status::Good)
}

fn single<'a, 'b>(sources: &'b [Source<'a>], what: &str) -> Outcome<&'b Source<'a>> {
    match sources {
        [source] => Ok(source),
        _ => Err(Failure::usage(format!("{what} goes with one text, found {}", sources.len()))),
    }
}
