//! `roundtrip`: read, write, compare.

use crate::{
    args::Files,
    input,
    output::{self, Outcome, Status},
    style::{self, paint},
};
use unshade::report::{self, Document};

pub fn run(arguments: &Files, json: bool) -> Outcome {
    let mut files = Vec::new();
    let mut opened = Status::Good;
    for file in &arguments.files {
        let input = input::open(file)?;
        opened = input.status().and(opened);
        files.push((file.clone(), report::roundtrip(&input.bytes, &input.opened)));
    }
    let status = if files.iter().all(|(_, report)| report.identical) { opened } else { Status::Bad };
    if json {
        output::print_json(&Document::new("roundtrip", files))?;
        return Ok(status);
    }
    let lines: Vec<_> = files
        .iter()
        .map(|(file, report)| match &report.difference {
            None => format!("{file}: {}\n", paint(style::GOOD, "identical")),
            Some(difference) => format!("{file}: {}: {difference}\n", paint(style::BAD, "different")),
        })
        .collect();
    output::print(&lines.concat())?;
    Ok(status)
}
