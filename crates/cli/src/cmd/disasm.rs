//! `disasm`: a listing that `asm` takes back.

use crate::{
    args::{Disasm, Syntax},
    input, listing,
    output::{self, Failure, Outcome, Status},
};
use unshade::{ListingOptions, Stage, listing::ItemListing, report, text::Listing};

pub fn run(arguments: &Disasm, json: bool) -> Outcome {
    let options = ListingOptions {
        // As data each instruction has both.
        words: arguments.words && !json,
        offsets: arguments.offsets && !json,
        no_control: arguments.no_control,
    };
    if let Some(stage) = input::code(&arguments.file, &arguments.bare)? {
        return raw(arguments, &stage, &options, json);
    }
    if !json && foreign(arguments.syntax).is_none() && input::place(&arguments.file).item.is_none() {
        return whole(arguments, &options);
    }
    let programs = input::programs(&arguments.file)?;
    if json {
        let listed = |(item, stage): &(String, Stage<'_>)| {
            let listing = one(arguments, stage, &options)?;
            Ok(ItemListing { item: item.clone(), ..unshade::item_listing_of(stage, &listing) })
        };
        let items: Outcome<Vec<_>> = programs.stages.iter().map(listed).collect();
        output::print_json(&report::Listings::new(items?))?;
        return Ok(programs.status);
    }
    let listings: Outcome<Vec<_>> =
        programs.stages.iter().map(|(_, stage)| one(arguments, stage, &options)).collect();
    Ok(deliver(arguments, &listings?)?.and(programs.status))
}

/// One program in the text that is asked for.
fn one(arguments: &Disasm, stage: &Stage<'_>, options: &ListingOptions) -> Outcome<Listing> {
    match foreign(arguments.syntax) {
        Some(syntax) => in_syntax(arguments, stage, syntax),
        None => Ok(unshade::disassemble_stage(stage, options)),
    }
}

/// Everything in a file, with what surrounds the programs.
fn whole(arguments: &Disasm, options: &ListingOptions) -> Outcome {
    let input = input::open(&arguments.file)?;
    if input.opened.containers.is_empty() {
        return Err(Failure::NoPrograms(output::no_programs(&input.place.file, &input.opened)));
    }
    input::note_without_code(&input.place.file, &input.opened);
    let listing = unshade::disassemble_opened(&input.opened, options);
    Ok(deliver(arguments, &[listing])?.and(input.status()))
}

/// The library's name of a dialect; none for our own.
fn foreign(syntax: Syntax) -> Option<unshade::Syntax> {
    match syntax {
        Syntax::Unshade => None,
        Syntax::Picasso => Some(unshade::Syntax::Picasso),
        Syntax::Lima => Some(unshade::Syntax::Lima),
        Syntax::Decaf => Some(unshade::Syntax::Decaf),
        Syntax::Nvdisasm => Some(unshade::Syntax::Nvdisasm),
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
fn raw(arguments: &Disasm, stage: &Stage<'_>, options: &ListingOptions, json: bool) -> Outcome {
    let listing = one(arguments, stage, options)?;
    if json {
        output::print_json(&report::Listings::new([unshade::item_listing_of(stage, &listing)]))?;
        return Ok(Status::Good);
    }
    deliver(arguments, &[listing])
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
