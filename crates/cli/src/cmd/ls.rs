//! `ls`: a line per program.

use crate::{
    args::Files,
    input,
    output::{self, Outcome, Status},
    style,
    table::{Cell, Table},
};
use unshade::report::{self, Document};

pub fn run(arguments: &Files, json: bool) -> Outcome {
    let mut files = Vec::new();
    for file in &arguments.files {
        let input = input::open(file)?;
        input.stages()?;
        files.push((file.clone(), report::items(&input.opened, input.item())));
    }
    if json {
        output::print_json(&Document::new("ls", files))?;
        return Ok(Status::Good);
    }
    let mut text = String::new();
    let several = files.len() > 1;
    for (file, report) in files {
        text.push_str(&output::file_heading(&file, several, text.is_empty()));
        let mut table = Table::new(&["item", "kind", "isa", "bytes", "instructions", "hash", "name"]);
        for item in report.items {
            table.row(vec![
                Cell::text(item.item).styled(style::NAME),
                Cell::text(item.kind),
                Cell::text(item.isa),
                Cell::number(item.code_bytes),
                Cell::number(item.instructions),
                Cell::text(item.hash).styled(style::DIM),
                Cell::text(item.name.unwrap_or_default()),
            ]);
        }
        text.push_str(&table.render());
    }
    output::print(&text)?;
    Ok(Status::Good)
}
