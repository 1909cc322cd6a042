//! `compile`: vertex programs in GLSL or WGSL to one SHBIN.

use crate::{
    args::{Compile, Destination, ShadingLanguage, WhichCalls},
    input,
    output::{self, Failure, Outcome, Status},
    snippet,
    style::{self, paint},
    table::{Cell, Table},
};
use std::path::{Path, PathBuf};
use unshade::assembly;
use unshade::assembly::Places;
use unshade::compile::{
    Calls, Choice, File, Files, Include, Interface, Language, Options, Reason, Source, compile_shbin_with,
};
use unshade::pica200::asm;
use unshade::report::{OutputPlace, Written};

pub fn run(arguments: &Compile, json: bool) -> Outcome {
    let mut texts = Vec::new();
    for path in &arguments.sources {
        texts.push(input::read_text(path)?);
    }
    let mut sources = Vec::new();
    for (name, text) in arguments.sources.iter().zip(&texts) {
        sources.push(Source { name, text, language: language(arguments, name)? });
    }
    let mut options =
        Options { entry: arguments.entry.clone(), calls: calls(arguments), ..Options::default() };
    let destination = destination(arguments, &mut options)?;
    refuse(arguments, &destination, &sources)?;
    let fragments = fragments(arguments)?;
    options.fragments = fragments.iter().map(|fragment| fragment.text.clone()).collect();

    let mut files = Files::new(|include| find(&arguments.folders, include));
    let compiled = compile_shbin_with(&sources, &options, &mut files);
    let taken = files.taken();
    let all = sources.iter().map(|source| assembly::Source { name: source.name, text: source.text });
    let all: Vec<_> =
        all.chain(taken.iter().map(|file| assembly::Source { name: &file.name, text: &file.text })).collect();
    let places = Places::plain(&all);
    let compiled = compiled.map_err(|findings| snippet::failure(&places, &findings, json))?;
    let warnings = &compiled.program.warnings;
    let outputs = outputs(&sources, &compiled.program.interfaces);
    if !json {
        if !warnings.is_empty() {
            output::print_rendered(&snippet::draw(&places, warnings));
        }
        tell(&outputs, &compiled.program.interfaces, &destination)?;
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
    let bytes = compiled.write().map_err(|error| Failure::file(destination.path(), error))?;
    if let Some(path) = &arguments.depfile {
        let of: Vec<&str> = sources.iter().map(|source| source.name).collect();
        let fragments =
            fragments.iter().map(|fragment| fragment.name.as_str()).filter(|name| !name.is_empty());
        let others: Vec<&str> = taken.iter().map(|file| file.name.as_str()).chain(fragments).collect();
        let rule = asm::rule(&destination.path(), &of, &others);
        output::write_file(path, rule.as_bytes())?;
        written.push((path.clone(), rule.len()));
    }
    written.push(destination.write(bytes)?);
    if json {
        let mut document = Written::new(written).with_findings(warnings, &places);
        document.outputs = outputs;
        output::print_json(&document)?;
    }
    Ok(Status::Good)
}

fn calls(arguments: &Compile) -> Calls {
    match arguments.calls {
        WhichCalls::Shorter => Calls::Shorter,
        WhichCalls::Always => Calls::Always,
        WhichCalls::Never => Calls::Never,
    }
}

/// Where the file goes, and what is said of macros and outputs. `--output` is both: with a place of the machine behind an
/// equals sign it is about an output of the program.
fn destination(arguments: &Compile, options: &mut Options) -> Outcome<Destination> {
    for text in &arguments.defines {
        options.define(text).map_err(|wrong| Failure::usage(format!("-D takes NAME=VALUE: {wrong}")))?;
    }
    let mut output = arguments.out.clone();
    for text in &arguments.places {
        if output.is_none() && !text.contains('=') {
            output = Some(text.clone());
            continue;
        }
        options
            .output(text)
            .map_err(|wrong| Failure::usage(format!("--output takes NAME=PLACE: {wrong}")))?;
    }
    options.outputs.extend(arguments.drop.iter().map(|name| (name.clone(), Choice::Drop)));
    if output.is_none() && arguments.into.is_none() {
        return Err(Failure::usage("say where the file goes: -o OUT"));
    }
    Ok(Destination { output, into: arguments.into.clone() })
}

fn refuse(arguments: &Compile, destination: &Destination, sources: &[Source<'_>]) -> Outcome<()> {
    if let Some(place) = destination.place().filter(|place| place.item.is_some()) {
        return Err(Failure::usage(format!(
            "--into {}#{} takes the code of one program; what is compiled is a whole file, so leave the #ITEM out",
            place.file,
            place.item.unwrap_or_default()
        )));
    }
    for (option, is_there) in
        [("--asm", arguments.asm.is_some()), ("--fragment", arguments.fragment.is_some())]
    {
        if is_there && sources.len() > 1 {
            return Err(Failure::usage(format!("{option} goes with one source, found {}", sources.len())));
        }
    }
    if !arguments.defines.is_empty() && sources.iter().any(|source| source.language == Language::Wgsl) {
        return Err(Failure::usage("-D is for GLSL: WGSL has no macros"));
    }
    Ok(())
}

/// The fragment program of each source; without a name where there is none.
fn fragments(arguments: &Compile) -> Outcome<Vec<File>> {
    if let Some(path) = &arguments.fragment {
        return Ok(vec![File { name: path.clone(), text: input::read_text(path)? }]);
    }
    let beside = |path: &String| {
        let names = sibling_names(path).into_iter().filter(|name| Path::new(name).is_file());
        let found = names.filter_map(|name| Some(File { text: input::read_text(&name).ok()?, name })).next();
        found.unwrap_or_else(|| File { name: String::new(), text: String::new() })
    };
    Ok(arguments.sources.iter().map(beside).collect())
}

/// Names that the fragment program of a vertex program may have.
fn sibling_names(path: &str) -> Vec<String> {
    const ENDINGS: [(&str, &str); 8] = [
        (".vert", ".frag"),
        (".vs", ".fs"),
        (".vsh", ".fsh"),
        (".vert.glsl", ".frag.glsl"),
        (".vs.glsl", ".fs.glsl"),
        ("_vert.glsl", "_frag.glsl"),
        ("_vs.glsl", "_fs.glsl"),
        ("-vert.glsl", "-frag.glsl"),
    ];
    let names = ENDINGS
        .iter()
        .filter_map(|(vertex, fragment)| Some(format!("{}{fragment}", path.strip_suffix(vertex)?)));
    names.collect()
}

/// A file that a text takes in: beside the file in which it says so, then in the folders; in angle brackets the folders
/// come first.
pub(super) fn find(folders: &[String], include: Include<'_>) -> Result<File, String> {
    let beside = Path::new(include.from).parent().unwrap_or(Path::new("")).to_path_buf();
    let mut places: Vec<PathBuf> = folders.iter().map(PathBuf::from).collect();
    places.insert(if include.is_quoted { 0 } else { places.len() }, beside);
    for place in &places {
        let path = place.join(include.name);
        if path.is_file() {
            let name = path.display().to_string();
            let text = input::read_text(&name).map_err(|failure| failure.to_string())?;
            return Ok(File { name, text });
        }
    }
    let looked: Vec<String> = places
        .iter()
        .map(|place| if place.as_os_str().is_empty() { ".".to_owned() } else { place.display().to_string() })
        .collect();
    Err(format!("looked in {}; -I DIR names a folder more", looked.join(", ")))
}

/// Where all outputs went.
fn outputs(sources: &[Source<'_>], interfaces: &[Interface]) -> Vec<OutputPlace> {
    let mut list = Vec::new();
    for (source, interface) in sources.iter().zip(interfaces) {
        let one = |name: &str, places: Vec<String>, reason: &str| OutputPlace {
            source: source.name.to_owned(),
            name: name.to_owned(),
            places,
            reason: reason.to_owned(),
        };
        for output in &interface.outputs {
            let places = output.parts.iter().map(|part| part.meaning.name().to_owned()).collect();
            list.push(one(&output.name, places, output.reason.text()));
        }
        list.extend(interface.dropped.iter().map(|name| one(name, Vec::new(), Reason::Asked.text())));
    }
    list
}

/// Prints where outputs went, if the text did not say it.
fn tell(outputs: &[OutputPlace], interfaces: &[Interface], destination: &Destination) -> Outcome<()> {
    let is_told = |interface: &Interface| {
        interface.dropped.is_empty() && interface.outputs.iter().all(|output| output.reason.is_told())
    };
    let mut text = String::new();
    let mut left = outputs;
    for interface in interfaces {
        let (own, rest) = left.split_at(left.len().min(interface.outputs.len() + interface.dropped.len()));
        left = rest;
        let Some(first) = own.first().filter(|_| !is_told(interface)) else { continue };
        text.push_str(&format!("{}: what goes where\n", paint(style::NAME, &first.source)));
        let mut table = Table::new(&["output", "place", "because"]);
        for output in own {
            let place =
                if output.places.is_empty() { "nowhere".to_owned() } else { output.places.join(" + ") };
            table.row(vec![Cell::text(&output.name), Cell::text(place), Cell::text(&output.reason)]);
        }
        for line in table.render().lines() {
            text.push_str(&format!("  {line}\n"));
        }
    }
    if destination.path() == "-" {
        // Standard output takes the file.
        if !text.is_empty() {
            output::print_rendered(text.trim_end());
        }
        return Ok(());
    }
    output::print(&text)
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
