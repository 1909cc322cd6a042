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
    let mut status = Status::Good;
    for file in &arguments.files {
        let input = input::open(file)?;
        status = input.status().and(status);
        files.push((file.clone(), report::info(&input.bytes, &input.opened)));
    }
    if json {
        output::print_json(&Document::new("info", files))?;
        return Ok(status);
    }
    let paragraphs: Vec<_> = files.iter().map(|(file, report)| paragraph(file, report)).collect();
    output::print(&paragraphs.join("\n"))?;
    Ok(status)
}

fn paragraph(file: &str, report: &InfoReport) -> String {
    let mut text = format!("{}, {} bytes\n", paint(style::BOLD, file), report.bytes);
    for wrapper in &report.wrappers {
        let place = place(wrapper.inner.as_ref());
        text.push_str(&format!("  {place}{}, {} bytes\n", wrapper.description, wrapper.bytes));
    }
    for container in &report.containers {
        text.push_str(&container_lines(container));
    }
    for file in &report.unread {
        let note = paint(style::WARN, "known by name only");
        text.push_str(&format!(
            "  {}{}, {} bytes; {note}\n",
            place(file.inner.as_ref()),
            file.description,
            file.bytes
        ));
    }
    if report.others > 0 {
        text.push_str(&format!("  {}\n", output::other_files(report.others)));
    }
    text
}

/// Where something stands inside the file.
fn place(inner: Option<&String>) -> String {
    inner.map(|inner| format!("{} ", paint(style::NAME, format_args!(":{inner}")))).unwrap_or_default()
}

fn container_lines(container: &ContainerInfo) -> String {
    let place = place(container.inner.as_ref());
    let stages = match container.stages.as_slice() {
        [] => "no machine code".to_owned(),
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
