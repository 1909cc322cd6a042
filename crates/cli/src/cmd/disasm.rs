//! `disasm`: a listing that `asm` takes back.

use crate::{
    args::{Disasm, Syntax},
    input, listing,
    output::{self, Failure, Outcome, Status},
};
use unshade::{Isa, ListingOptions, Stage, listing::ItemListing, report, text::Listing};

pub fn run(arguments: &Disasm, json: bool) -> Outcome {
    let options = ListingOptions { words: arguments.words, offsets: arguments.offsets };
    if let Some(name) = &arguments.isa {
        return raw(arguments, isa(name)?, &options, json);
    }
    let input = input::open(&arguments.file)?;
    if json {
        let stages = input.stages()?;
        let items = stages.iter().map(|(inner, stage)| ItemListing {
            item: inner.item_name(&stage.id),
            ..unshade::item_listing(stage)
        });
        output::print_json(&report::Listings::new(items))?;
        return Ok(input.status());
    }
    let mut listings = Vec::new();
    if let Some(syntax) = foreign(arguments.syntax) {
        for (_, stage) in input.stages()? {
            listings.push(in_syntax(arguments, &stage, syntax)?);
        }
    } else if input.item().is_some() {
        for (_, stage) in input.stages()? {
            listings.push(unshade::disassemble_stage(&stage, &options));
        }
    } else {
        input.stages()?;
        for inner in &input.opened.containers {
            listings.push(unshade::disassemble_container(&inner.container, &options));
        }
    }
    Ok(deliver(arguments, &listings)?.and(input.status()))
}

/// The library's name of a dialect; none for our own.
fn foreign(syntax: Syntax) -> Option<unshade::Syntax> {
    match syntax {
        Syntax::Unshade => None,
        Syntax::Picasso => Some(unshade::Syntax::Picasso),
        Syntax::Lima => Some(unshade::Syntax::Lima),
        Syntax::Decaf => Some(unshade::Syntax::Decaf),
    }
}

/// A program in another tool's text.
fn in_syntax(arguments: &Disasm, stage: &Stage<'_>, syntax: unshade::Syntax) -> Outcome<Listing> {
    let (listing, lost) =
        unshade::foreign_text(stage, syntax).map_err(|error| Failure::usage(error.to_string()))?;
    for diagnostic in &lost {
        output::print_diagnostic(&arguments.file, diagnostic);
    }
    Ok(listing)
}

/// Code words without a container.
fn raw(arguments: &Disasm, isa: Isa, options: &ListingOptions, json: bool) -> Outcome {
    let failure = |error| Failure::file(arguments.file.clone(), error);
    let words = if arguments.from_hex {
        unshade::words_from_hex(&input::read_text(&arguments.file)?).map_err(failure)?
    } else {
        unshade::words_from_bytes(&input::read(&arguments.file)?).map_err(failure)?
    };
    let stage = unshade::raw_stage(isa, words, Vec::new());
    if json {
        output::print_json(&report::Listings::new([unshade::item_listing(&stage)]))?;
        return Ok(Status::Good);
    }
    let listing = match foreign(arguments.syntax) {
        Some(syntax) => in_syntax(arguments, &stage, syntax)?,
        None => unshade::disassemble_stage(&stage, options),
    };
    deliver(arguments, &[listing])
}

/// The instruction set of that name.
pub fn isa(name: &str) -> Outcome<Isa> {
    unshade::isa_named(name).ok_or_else(|| {
        let known: Vec<_> = unshade::ISAS.iter().map(|isa| isa.name()).collect();
        Failure::usage(format!("there is no instruction set `{name}`; known: {}", known.join(", ")))
    })
}

fn deliver(arguments: &Disasm, listings: &[Listing]) -> Outcome {
    match &arguments.output {
        Some(path) => {
            let texts: Vec<_> = listings.iter().map(Listing::text).collect();
            output::write_file(path, texts.join("\n").as_bytes())?;
        }
        None => {
            let texts: Vec<_> = listings.iter().map(listing::coloured).collect();
            output::print(&texts.join("\n"))?;
        }
    }
    Ok(Status::Good)
}
