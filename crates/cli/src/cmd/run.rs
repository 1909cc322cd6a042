//! `run`: executes a program on the CPU.

use crate::{
    args::{Execution, Float, Given, Run},
    input::{self, Programs},
    output::{self, Failure, Outcome, Status},
    style::{self, paint},
};
use std::path::{Path, PathBuf};
use unshade::{
    Stage,
    report::RunCheckReport,
    run_json::{self, Document, RunJsonError},
};

/// Programs that are named where one has to be chosen.
const NAMED: usize = 8;

pub fn run(arguments: &Run, json: bool) -> Outcome {
    if !arguments.check.is_empty() {
        return check(arguments, json);
    }
    let Some(file) = &arguments.file else {
        return Err(Failure::usage("run needs a file"));
    };
    let (stage, document) = prepare(file, &arguments.given, &arguments.execution)?;
    run_stage(arguments, file, &stage, document, json)
}

/// The program that an argument names, and the inputs for it.
pub(super) fn prepare(
    file: &str,
    given: &Given,
    execution: &Execution,
) -> Outcome<(Stage<'static>, Document)> {
    let (stage, mut document) = inputs_for(file, given, execution)?;
    if let Some(float) = execution.float {
        document.float = Some(float_name(float).to_owned());
    }
    Ok((stage, document))
}

fn inputs_for(file: &str, given: &Given, execution: &Execution) -> Outcome<(Stage<'static>, Document)> {
    let inputs = given.inputs.as_deref();
    let document = read_inputs(inputs, file)?;
    if let Some(mut bare) = bare(inputs, &document, file)? {
        input::surround(&mut bare, &execution.surroundings)?;
        return Ok((bare, document));
    }
    let Programs { place, mut stages, .. } = input::programs_or_code(file, &execution.bare)?;
    if stages.len() == 1
        && let Some((_, mut stage)) = stages.pop()
    {
        input::surround(&mut stage, &execution.surroundings)?;
        let document = match given.random {
            Some(seed) => drawn(file, &stage, seed, given.cases)?,
            None => document,
        };
        return Ok((stage, document));
    }
    if stages.is_empty() {
        return Err(Failure::NoPrograms(format!("{file} holds no program")));
    }
    let items: Vec<_> = stages.iter().take(NAMED).map(|(item, _)| item.to_string()).collect();
    let more = match stages.len() - items.len() {
        0 => String::new(),
        more => format!(" and {more} more that `unshade ls` shows"),
    };
    let (count, first) = (stages.len(), items.first().map_or("", String::as_str));
    Err(Failure::usage(format!(
        "{file} holds {count} programs; name one of them behind it, as in {}{first}: {}{more}",
        place.file,
        items.join(", ")
    )))
}

/// The inputs that the arguments name.
fn read_inputs(inputs: Option<&str>, file: &str) -> Outcome<Document> {
    match inputs {
        Some(path) => Document::inputs(&input::read_text(path)?).map_err(|error| bad_document(path, &error)),
        None => Document::inputs("").map_err(|error| bad_document(file, &error)),
    }
}

/// Inputs of chance.
fn drawn(file: &str, stage: &Stage<'_>, seed: u64, cases: u16) -> Outcome<Document> {
    let inputs = run_json::drawn(stage, seed, cases.into())
        .ok_or_else(|| Failure::Text(format!("{file}: {} programs cannot be run", stage.isa)))?;
    Document::inputs(&inputs).map_err(|error| bad_document(file, &error))
}

/// The program of a file that is nothing but code, where the inputs say that it is.
fn bare(inputs: Option<&str>, document: &Document, file: &str) -> Outcome<Option<Stage<'static>>> {
    if document.item.as_deref() != Some("raw") {
        return Ok(None);
    }
    let words = unshade::words_from_bytes(&input::read(file)?)
        .map_err(|error| Failure::file(file.to_owned(), error))?;
    let name = inputs.unwrap_or(file);
    run_json::bare_stage(document, words).map_err(|error| bad_document(name, &error))
}

fn run_stage(arguments: &Run, file: &str, stage: &Stage<'_>, document: Document, json: bool) -> Outcome {
    let name = arguments.given.inputs.as_deref().unwrap_or(file);
    if arguments.trace && !json {
        return trace(stage, &document, arguments.execution.fuel).map_err(|error| bad_document(name, &error));
    }
    let runs = run_json::run(stage, &document, arguments.execution.fuel)
        .map_err(|error| bad_document(name, &error))?;
    let mut text = document.with_outputs(&runs);
    if !text.ends_with('\n') {
        text.push('\n');
    }
    output::print(&text)?;
    if let Some(note) = unshade::verify::accuracy(stage) {
        output::note(&note);
    }
    let unfinished = runs.iter().filter_map(|run| run.unfinished.as_ref().map(|why| (&run.id, why)));
    let mut status = Status::Good;
    for (id, why) in unfinished {
        output::note(&format!("case {id}: {why}"));
        status = Status::Bad;
    }
    Ok(status)
}

fn float_name(float: Float) -> &'static str {
    match float {
        Float::F32 => "f32",
        Float::F24 => "f24",
        Float::F16 => "f16",
    }
}

fn parse(path: &str) -> Outcome<Document> {
    Document::parse(&input::read_text(path)?).map_err(|error| bad_document(path, &error))
}

pub(super) fn bad_document(path: &str, error: &RunJsonError) -> Failure {
    Failure::Text(format!("{} {path}: {error}", paint(style::BAD, "error[run-json]:")))
}

fn trace(stage: &Stage<'_>, document: &Document, fuel: u64) -> Result<Status, RunJsonError> {
    let mut text = String::new();
    let traces = unshade::trace(stage, document, fuel)?;
    for case in &traces {
        if traces.len() > 1 {
            text.push_str(&format!("{}\n", paint(style::BOLD, format_args!("case {}", case.run.id))));
        }
        for line in &case.lines {
            let word = paint(style::DIM, format_args!("{:03x}", line.word));
            let text_width = line.text.chars().count();
            let fill = " ".repeat(44_usize.saturating_sub(text_width));
            text.push_str(&match line.change.as_str() {
                "" => format!("{word}  {}\n", line.text),
                change => format!("{word}  {}{fill}  {}\n", line.text, paint(style::NAME, change)),
            });
        }
        let end = match &case.run.unfinished {
            None => format!("ended after {} instructions", case.run.steps),
            Some(why) => paint(style::WARN, why),
        };
        text.push_str(&format!("{end}\n"));
    }
    let _ = output::print(&text);
    Ok(Status::Good)
}

/// Runs vector files and compares.
fn check(arguments: &Run, json: bool) -> Outcome {
    let mut reports = Vec::new();
    for path in &arguments.check {
        let document = parse(path)?;
        let root = match &arguments.root {
            Some(root) => PathBuf::from(root),
            None => root_of(path),
        };
        if let Some(report) = check_bare(&document, &root, path, arguments)? {
            reports.extend(report);
            continue;
        }
        let Some(file) = &document.file else {
            return Err(Failure::Text(format!("{path}: names no file to run")));
        };
        let container = root.join(file);
        let item = document.item.as_deref().unwrap_or("dvle:0");
        let mut programs = input::programs(&format!("{}#{item}", container.display()))?;
        let Some((_, stage)) = programs.stages.first_mut() else {
            return Err(Failure::Text(format!("{path}: {file} holds no {item}")));
        };
        input::surround(stage, &arguments.execution.surroundings)?;
        let cases = run_json::check(stage, &document, arguments.execution.fuel)
            .map_err(|error| bad_document(path, &error))?;
        reports.push((path.clone(), unshade::report::run_check(&cases)));
    }
    let passed = reports.iter().all(|(_, report)| report.failed.is_empty());
    let status = if passed { Status::Good } else { Status::Bad };
    if json {
        output::print_json(&unshade::report::Document::new("run-check", reports))?;
        return Ok(status);
    }
    let mut text = String::new();
    for (path, report) in &reports {
        let verdict = match report.failed.as_slice() {
            [] => paint(style::GOOD, "all as expected"),
            failed => paint(style::BAD, format_args!("{} different", failed.len())),
        };
        text.push_str(&format!("{path}: {} cases, {verdict}\n", report.cases));
        for failed in report.failed.iter().take(10) {
            text.push_str(&format!("  {}: {}\n", paint(style::NAME, &failed.id), failed.reason));
        }
    }
    output::print(&text)?;
    Ok(status)
}

/// Compares every file of bare code that a document is for; nothing where it is for a container.
fn check_bare(
    document: &Document,
    root: &Path,
    path: &str,
    arguments: &Run,
) -> Outcome<Option<Vec<(String, RunCheckReport)>>> {
    let bad = |error: RunJsonError| bad_document(path, &error);
    if document.item.as_deref() != Some("raw") {
        return Ok(None);
    }
    let mut programs = Vec::new();
    for file in run_json::bare_files(document) {
        let place = root.join(file).display().to_string();
        let words = unshade::words_from_bytes(&input::read(&place)?)
            .map_err(|error| Failure::file(place.clone(), error))?;
        programs.push((format!("{path} in {file}"), words));
    }
    programs.extend(run_json::own_code(document).map_err(bad)?.map(|words| (path.to_owned(), words)));
    let mut reports = Vec::new();
    for (name, words) in programs {
        let Some(mut stage) = run_json::bare_stage(document, words).map_err(bad)? else { continue };
        input::surround(&mut stage, &arguments.execution.surroundings)?;
        let cases = run_json::check(&stage, document, arguments.execution.fuel).map_err(bad)?;
        reports.push((name, unshade::report::run_check(&cases)));
    }
    Ok(Some(reports))
}

/// Vector files lie in `run/ISA/` of a corpus; the files they name are relative to the corpus.
fn root_of(path: &str) -> PathBuf {
    Path::new(path).ancestors().nth(3).map_or_else(PathBuf::new, Path::to_owned)
}
