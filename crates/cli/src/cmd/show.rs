//! `show`: the whole structure as a tree.

use crate::{
    args::Show,
    input,
    output::{self, Failure, Outcome, Status},
    style::{self, paint},
};
use std::ops::Range;
use unshade::{Format, Node, report};

pub fn run(arguments: &Show, json: bool) -> Outcome {
    if let Some(window) = &arguments.bytes {
        return bytes(arguments, window, json);
    }
    let named = |file: &String| input::place(file).item.is_some();
    if arguments.files.files.iter().any(named)
        && let Some(status) = sources(arguments, json)?
    {
        return Ok(status);
    }
    let mut files = Vec::new();
    let mut status = Status::Good;
    for file in &arguments.files.files {
        let input = input::open(file)?;
        status = input.status().and(status);
        files.push((file.clone(), report::show(&input.bytes, &input.opened)));
    }
    if json {
        output::print_json(&report::Document::new("show", files))?;
        return Ok(status);
    }
    let mut text = String::new();
    let several = files.len() > 1;
    for (file, report) in &files {
        text.push_str(&output::file_heading(file, several, text.is_empty()));
        for tree in &report.containers {
            if let Some(inner) = &tree.inner {
                text.push_str(&format!("{}\n", paint(style::NAME, format_args!(":{inner}"))));
            }
            draw(&mut text, &tree.tree, arguments);
        }
    }
    output::print(&text)?;
    Ok(status)
}

/// The texts of the sources that are named. Nothing where a file holds no sources.
fn sources(arguments: &Show, json: bool) -> Outcome<Option<Status>> {
    let mut files = Vec::new();
    let mut status = Status::Good;
    for file in &arguments.files.files {
        let input = input::open(file)?;
        if !input.opened.containers.iter().any(|inner| inner.container.format() == Format::Sharc) {
            return Ok(None);
        }
        status = input.status().and(status);
        let sources = unshade::sources_named(&input.opened, input.place.item.as_deref())
            .map_err(|error| Failure::open(input.place.file.clone(), error.into()))?;
        files.push((file.clone(), report::SourcesReport::new(sources)));
    }
    if json {
        output::print_json(&report::Document::new("sources", files))?;
        return Ok(Some(status));
    }
    let several = files.iter().map(|(_, report)| report.sources.len()).sum::<usize>() > 1;
    let mut text = String::new();
    for (file, report) in &files {
        let front = input::place(file).file;
        for source in &report.sources {
            let stages = match source.stages.as_slice() {
                [] => String::new(),
                stages => format!(", for {}", stages.join(", ")),
            };
            // One alone is printed as it is, for whom it is piped to.
            if several {
                let title = format!("{front}{}{stages}", source.item);
                text.push_str(&output::file_heading(&title, true, text.is_empty()));
            }
            if source.encoding == "unknown" {
                let what = "is neither UTF-8 nor Shift-JIS: some characters are lost here, and `extract` has them all";
                output::note(&format!("{front}{} {what}", source.item));
            }
            text.push_str(&source.text);
            if several && !source.text.ends_with('\n') {
                text.push('\n');
            }
        }
    }
    output::print(&text)?;
    Ok(Some(status))
}

/// Which field owns each byte of a range.
fn bytes(arguments: &Show, window: &Range<u64>, json: bool) -> Outcome {
    let mut files = Vec::new();
    let mut status = Status::Good;
    for file in &arguments.files.files {
        let input = input::open(file)?;
        status = input.status().and(status);
        files.push((file.clone(), report::bytes(&input.bytes, &input.opened, window.clone())));
    }
    if json {
        output::print_json(&report::Document::new("bytes", files))?;
        return Ok(status);
    }
    let mut text = String::new();
    let several = files.len() > 1;
    for (file, report) in &files {
        text.push_str(&output::file_heading(file, several, text.is_empty()));
        for container in &report.containers {
            if let Some(inner) = &container.inner {
                text.push_str(&format!("{}\n", paint(style::NAME, format_args!(":{inner}"))));
            }
            for span in &container.spans {
                let places = paint(style::DIM, format_args!("{:#08x}..{:#08x}", span.start, span.end));
                text.push_str(format!("{places}  {:<8} {}", span.kind.name(), span.path).trim_end());
                text.push('\n');
            }
            if let Some(next) = container.next {
                text.push_str(&format!("more from {next:#x} on\n"));
            }
        }
    }
    output::print(&text)?;
    Ok(status)
}

/// Draws a tree with an explicit stack; trees of files are shallow, but nobody promises it.
fn draw(text: &mut String, root: &Node, arguments: &Show) {
    let mut stack = vec![(root, 0_usize)];
    while let Some((node, depth)) = stack.pop() {
        let indent = "  ".repeat(depth);
        let offset = match arguments.offsets {
            true => paint(style::DIM, format_args!("{:#06x}  ", node.offset)),
            false => String::new(),
        };
        let name = if node.children.is_empty() { node.name.clone() } else { paint(style::BOLD, &node.name) };
        let value = match &node.value {
            Some(value) if !value.is_empty() => format!(" {}", paint(style::NAME, value)),
            _ => String::new(),
        };
        text.push_str(&format!("{offset}{indent}{name}{value}\n"));
        if arguments.opaque
            && let Some(bytes) = &node.opaque
        {
            for row in bytes.0.chunks(16) {
                let hex: Vec<_> = row.iter().map(|byte| format!("{byte:02x}")).collect();
                text.push_str(&format!("{indent}    {}\n", paint(style::DIM, hex.join(" "))));
            }
        }
        stack.extend(node.children.iter().rev().map(|child| (child, depth + 1)));
    }
}
