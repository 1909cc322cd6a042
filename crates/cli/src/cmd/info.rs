//! `info`: one paragraph per file.

use crate::{
    args::Files,
    input,
    output::{self, Outcome, Status},
    style::{self, paint},
};
use unshade::report::{self, ContainerInfo, Document, InfoReport};

pub fn run(arguments: &Files, json: bool) -> Outcome {
    let mut files = Vec::new();
    for file in &arguments.files {
        let input = input::open(file)?;
        files.push((file.clone(), report::info(&input.bytes, &input.opened)));
    }
    if json {
        output::print_json(&Document::new("info", files))?;
        return Ok(Status::Good);
    }
    let paragraphs: Vec<_> = files.iter().map(|(file, report)| paragraph(file, report)).collect();
    output::print(&paragraphs.join("\n"))?;
    Ok(Status::Good)
}

fn paragraph(file: &str, report: &InfoReport) -> String {
    let mut text = format!("{}, {} bytes\n", paint(style::BOLD, file), report.bytes);
    for container in &report.containers {
        text.push_str(&container_lines(container));
    }
    text
}

fn container_lines(container: &ContainerInfo) -> String {
    let place = match &container.inner {
        Some(inner) => format!("{} ", paint(style::NAME, format_args!(":{inner}"))),
        None => String::new(),
    };
    let stages = match container.stages.as_slice() {
        [] => "no programs".to_owned(),
        stages => {
            let counts: Vec<_> = stages.iter().map(|stage| plural(stage.count, &stage.kind)).collect();
            counts.join(", ")
        }
    };
    let rewrite = if container.rewrite_identical {
        paint(style::GOOD, "rewrites identically")
    } else {
        paint(style::BAD, "does not rewrite identically")
    };
    format!(
        "  {place}{}, {}, {}-endian\n  {stages}; {} bytes of code; {rewrite}\n",
        container.description, container.platform, container.byte_order, container.code_bytes,
    )
}

fn plural(count: u64, kind: &str) -> String {
    format!("{count} {kind} program{}", if count == 1 { "" } else { "s" })
}
