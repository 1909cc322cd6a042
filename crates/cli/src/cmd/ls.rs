//! `ls`: a line per program, printed as they are found.

use crate::{
    args::Files,
    input,
    output::{self, Failure, Outcome, Status},
    style::{self, paint},
    table::{Cell, Table},
};
use std::io::Write;
use unshade::report::{self, Document, ItemReport, Items, Listed, SourceArchive, UnreadInfo};

/// Stages that are named for a source.
const STAGES: usize = 4;
/// Rows whose widths are looked at together; what follows has at least the same widths.
const ROWS: usize = 512;

pub fn run(arguments: &Files, json: bool) -> Outcome {
    let mut status = Status::Good;
    let mut documents = Vec::new();
    let mut out = output::stdout();
    for (number, file) in arguments.files.iter().enumerate() {
        let place = input::place(file);
        let bytes = input::map(&place.file)?;
        let mut items = Vec::new();
        let mut table = Table::new(&["item", "kind", "isa", "bytes", "instructions", "hash", "name"]);
        let mut rows = 0_u64;
        let mut written = match json {
            true => Ok(()),
            false => {
                let heading = output::file_heading(file, arguments.files.len() > 1, number == 0);
                out.write_all(heading.as_bytes())
            }
        };
        let listed = report::each_item(input::source(&bytes), &place.inner, place.item.as_deref(), |item| {
            rows += 1;
            if json {
                items.push(item);
                return true;
            }
            table.row(row(item));
            if table.len() >= ROWS {
                written = out.write_all(table.render_part().as_bytes());
            }
            // A reader that went away wants no more.
            written.is_ok()
        });
        let listed = listed.map_err(|error| Failure::open(place.file.clone(), error))?;
        written.map_err(output::stdout_failure)?;
        let Listed { source_archives, unread, failed, others } = listed;
        let whole = failed.is_empty();
        for error in failed {
            status = Status::Bad;
            output::report_failure(&Failure::open(place.file.clone(), error.into()));
        }
        if rows == 0 && unread.is_empty() && source_archives.is_empty() && whole {
            let opened = unshade::open_at(input::source(&bytes), &place.inner)
                .map_err(|error| Failure::open(place.file.clone(), error))?;
            input::note_without_code(&place.file, &opened);
        }
        if json {
            documents.push((file.clone(), Items { items, source_archives, unread, others }));
            continue;
        }
        let mut text = table.render_part();
        if rows == 0 && !source_archives.is_empty() {
            text.clear();
        }
        text.extend(source_archives.iter().map(sources));
        text.push_str(&lines(&unread));
        if others > 0 {
            let others = output::other_files(others);
            text.push_str(&format!("{}\n", paint(style::DIM, format_args!("{others} without shaders"))));
        }
        out.write_all(text.as_bytes()).map_err(output::stdout_failure)?;
    }
    out.flush().map_err(output::stdout_failure)?;
    if json {
        output::print_json(&Document::new("ls", documents))?;
    }
    Ok(status)
}

fn row(item: ItemReport) -> Vec<Cell> {
    vec![
        Cell::text(item.item).styled(style::NAME),
        Cell::text(item.kind),
        Cell::text(item.isa),
        Cell::number(item.code_bytes),
        Cell::number(item.instructions),
        Cell::text(item.hash).styled(style::DIM),
        Cell::text(item.name.unwrap_or_default()),
    ]
}

/// Programs and texts of an archive of sources.
fn sources(archive: &SourceArchive) -> String {
    let mut table = Table::new(&["item", "kind", "bytes", "lines", "of"]);
    for program in &archive.programs {
        let stages = program.stages.iter().map(|stage| match &stage.source {
            Some(source) => format!("{} {source}", stage.kind),
            None => format!("{} of no source", stage.kind),
        });
        let mut of = stages.collect::<Vec<_>>().join(", ");
        match program.variations {
            Some(1) => {}
            Some(count) => of.push_str(&format!("; {count} variations")),
            None => of.push_str("; more variations than can be counted"),
        }
        table.row(vec![
            Cell::text(&program.item).styled(style::NAME),
            Cell::text("program"),
            Cell::text(""),
            Cell::text(""),
            Cell::text(of),
        ]);
    }
    for source in &archive.sources {
        let mut stages: Vec<&str> = source.stages.iter().take(STAGES).map(String::as_str).collect();
        if source.stages.len() > STAGES {
            stages.push("...");
        }
        table.row(vec![
            Cell::text(&source.item).styled(style::NAME),
            Cell::text("source"),
            Cell::number(source.bytes),
            Cell::number(source.lines),
            Cell::text(stages.join(", ")),
        ]);
    }
    table.render()
}

/// Files of formats that are known by name only, one a line.
fn lines(files: &[UnreadInfo]) -> String {
    let line = |file: &UnreadInfo| {
        let name = file.inner.as_ref().map_or_else(|| "inside".to_owned(), |inner| format!(":{inner}"));
        let what = format!("{}, {} bytes, known by name only", file.description, file.bytes);
        format!("{}  {}\n", paint(style::NAME, name), paint(style::WARN, what))
    };
    files.iter().map(line).collect()
}
