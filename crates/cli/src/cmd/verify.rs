//! `verify`: the machine's interpreter against everything made from the program.

use crate::{
    args::Verify,
    input,
    output::{self, Failure, Outcome, Status},
    snippet,
    style::{self, paint},
};
use std::collections::BTreeSet;
use std::path::Path;
use unshade::assembly::{self, Places};
use unshade::compile::Options;
use unshade::report::{self, Document, TextReport};
use unshade::{glsl, verify};

pub fn run(arguments: &Verify, json: bool) -> Outcome {
    if let Some(source) = &arguments.source {
        return against(arguments, source, json);
    }
    let mut files = Vec::new();
    let mut opened = Status::Good;
    for file in &arguments.files.files {
        let mut programs = input::programs_or_code(file, &arguments.bare)?;
        for (_, stage) in &mut programs.stages {
            input::surround(stage, &arguments.surroundings)?;
        }
        opened = programs.status.and(opened);
        let report = report::verify_stages(programs.stages, arguments.cases, arguments.seed);
        files.push((file.clone(), report));
    }
    let stands = |standing: &str| {
        files.iter().any(|(_, report)| report.stages.iter().any(|stage| stage.standing == standing))
    };
    let status = match () {
        () if stands("fail") => Status::Bad,
        () if (stands("weak") || stands("unfinished")) && arguments.strict_verdict => {
            opened.and(Status::Weak)
        }
        () => opened,
    };
    if json {
        output::print_json(&Document::new("verify", files))?;
        return Ok(status);
    }
    let mut text = String::new();
    for (file, report) in &files {
        for stage in &report.stages {
            let style = match stage.standing.as_str() {
                "pass" => style::GOOD,
                "weak" | "unfinished" => style::WARN,
                _ => style::BAD,
            };
            text.push_str(&format!(
                "{file}{} {} {}\n",
                paint(style::NAME, &stage.item),
                stage.kind,
                paint(style, &stage.verdict)
            ));
            for line in &stage.details {
                text.push_str(&format!("  {line}\n"));
            }
        }
    }
    output::print(&text)?;
    let stages = files.iter().flat_map(|(_, report)| &report.stages);
    let notes: BTreeSet<&str> = stages.filter_map(|stage| stage.accuracy.as_deref()).collect();
    notes.into_iter().for_each(output::note);
    Ok(status)
}

/// `--source`: the one program that is named, against a text or another program.
fn against(arguments: &Verify, source: &str, json: bool) -> Outcome {
    let [file] = arguments.files.files.as_slice() else {
        return Err(Failure::usage("--source holds one program against a text: expected one FILE#ITEM"));
    };
    let mut programs = input::programs_or_code(file, &arguments.bare)?;
    if programs.stages.len() != 1 {
        let known: Vec<&str> = programs.stages.iter().map(|(item, _)| item.as_str()).take(8).collect();
        let (found, known) = (programs.stages.len(), known.join(" "));
        return Err(Failure::usage(format!(
            "--source holds one program against a text, {file} has {found}: {known}"
        )));
    }
    let Some((item, mut stage)) = programs.stages.pop() else { return Ok(programs.status) };
    input::surround(&mut stage, &arguments.surroundings)?;

    let mut options = Options::default();
    for define in &arguments.defines {
        options.define(define).map_err(Failure::usage)?;
    }
    let (name, text) = text(source)?;
    let folders: Vec<String> = arguments.folders.iter().map(|folder| folder.display().to_string()).collect();
    let mut include = |include: unshade::compile::Include<'_>| super::compile::find(&folders, include);
    let read = glsl::read(&name, &text, stage.kind, &options.defines, &mut include);
    let (files, findings) = match &read {
        Ok(read) => (&read.files, &read.warnings),
        Err(wrong) => (&wrong.files, &wrong.findings),
    };
    let main = assembly::Source { name: &name, text: &text };
    let others = files.iter().map(|file| assembly::Source { name: &file.name, text: &file.text });
    let all: Vec<_> = std::iter::once(main).chain(others).collect();
    let places = Places::plain(&all);
    let Ok(read) = &read else { return Err(snippet::failure(&places, findings, json)) };
    if !json && !findings.is_empty() {
        output::print_rendered(&snippet::draw(&places, findings));
    }
    let verdict = verify::verify_text(&stage, &read.translation, arguments.cases, arguments.seed);
    let report = report::verify_text(file, &item, &stage, source, &verdict);
    let status = if report.passed { programs.status } else { Status::Bad };
    if json {
        output::print_json(&report)?;
        return Ok(status);
    }
    output::print(&drawn(&report))?;
    Ok(status)
}

/// The text of `--source`: a file, or what `decompile` makes of another program.
fn text(source: &str) -> Outcome<(String, String)> {
    let place = input::place(source);
    let is_program = place.item.is_some() || !place.inner.is_empty();
    if !is_program && (source == "-" || Path::new(source).is_file()) {
        let bytes = input::read(source)?;
        if let Ok(text) = String::from_utf8(bytes)
            && !text.contains('\0')
        {
            return Ok((source.to_owned(), text));
        }
    }
    let mut other = input::programs(source)?;
    match (other.stages.pop(), other.stages.is_empty()) {
        (Some((item, stage)), true) => {
            let text =
                glsl::of_program(&stage).map_err(|error| Failure::usage(format!("{source}: {error}")))?;
            Ok((format!("{}{item}", other.place.file), text))
        }
        _ => Err(Failure::usage(format!(
            "expected one program as --source, {source} has several: name one by #ITEM"
        ))),
    }
}

fn drawn(report: &TextReport) -> String {
    let style = if report.passed { style::GOOD } else { style::BAD };
    let place = report.file.strip_suffix(report.item.as_str()).unwrap_or(&report.file);
    let mut text = format!(
        "{place}{} {} {}\n",
        paint(style::NAME, &report.item),
        report.kind,
        paint(style, &report.verdict)
    );
    for pair in report.pairs.iter().filter(|pair| pair.by != "name") {
        let how = if pair.by == "place" { "by its place" } else { "by order" };
        text.push_str(&format!(
            "  `{}` of the text is `{}` of the program, {how}\n",
            pair.text, pair.program
        ));
    }
    for line in &report.details {
        text.push_str(&format!("  {line}\n"));
    }
    text
}
