//! `ls`: a line per program.

use crate::{
    args::Files,
    input,
    output::{self, Outcome, Status},
    style::{self, paint},
    table::{Cell, Table},
};
use unshade::report::{self, Document, UnreadInfo};

pub fn run(arguments: &Files, json: bool) -> Outcome {
    let mut files = Vec::new();
    let mut status = Status::Good;
    for file in &arguments.files {
        let input = input::open(file)?;
        if !input.opened.containers.is_empty() {
            input.stages()?;
        }
        status = input.status().and(status);
        files.push((file.clone(), report::items(&input.opened, input.item())));
    }
    if json {
        output::print_json(&Document::new("ls", files))?;
        return Ok(status);
    }
    let mut text = String::new();
    let several = files.len() > 1;
    for (file, report) in files {
        text.push_str(&output::file_heading(&file, several, text.is_empty()));
        let mut table = Table::new(&["item", "kind", "isa", "bytes", "instructions", "hash", "name"]);
        for item in &report.items {
            table.row(vec![
                Cell::text(item.item.clone()).styled(style::NAME),
                Cell::text(item.kind.clone()),
                Cell::text(item.isa.clone()),
                Cell::number(item.code_bytes),
                Cell::number(item.instructions),
                Cell::text(item.hash.clone()).styled(style::DIM),
                Cell::text(item.name.clone().unwrap_or_default()),
            ]);
        }
        if !table.is_empty() {
            text.push_str(&table.render());
        }
        text.push_str(&unread(&report.unread));
        if report.others > 0 {
            let others = output::other_files(report.others);
            text.push_str(&format!("{}\n", paint(style::DIM, format_args!("{others} without shaders"))));
        }
    }
    output::print(&text)?;
    Ok(status)
}

/// Files of formats that are known by name only, one a line.
fn unread(files: &[UnreadInfo]) -> String {
    let line = |file: &UnreadInfo| {
        let name = file.inner.as_ref().map_or_else(|| "inside".to_owned(), |inner| format!(":{inner}"));
        let what = format!("{}, {} bytes, known by name only", file.description, file.bytes);
        format!("{}  {}\n", paint(style::NAME, name), paint(style::WARN, what))
    };
    files.iter().map(line).collect()
}
