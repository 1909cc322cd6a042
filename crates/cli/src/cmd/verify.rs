//! `verify`: the machine's interpreter against everything made from the program.

use crate::{
    args::Verify,
    input,
    output::{self, Outcome, Status},
    style::{self, paint},
};
use std::collections::BTreeSet;
use unshade::report::{self, Document};

pub fn run(arguments: &Verify, json: bool) -> Outcome {
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
