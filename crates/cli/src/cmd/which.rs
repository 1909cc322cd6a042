//! `which`: the programs that a hash, a line of a log or a dumped file means.

use crate::{
    args::Which,
    input,
    output::{self, Failure, Outcome, Status},
    style::{self, paint},
    table::{Cell, Table},
};
use std::{io::Write, path::Path};
use unshade::report::Document;
use unshade_catalog::which::{Certainty, Match, Query, Report, which};

/// Places of one program that are told; `--json` has all.
const TOLD: usize = 1000;

pub fn run(arguments: &Which, json: bool) -> Outcome {
    let query = query(&arguments.query)?;
    let mut documents = Vec::new();
    let mut all = Vec::new();
    for (path, catalog) in arguments.catalogs.iter().zip(input::catalogs(&arguments.catalogs)?) {
        let mut found = Vec::new();
        which(&catalog, &query, &mut |one| found.push(one)).map_err(Failure::catalog("read"))?;
        all.extend(found.iter().cloned());
        documents.push((path.display().to_string(), Report { query: query.text.clone(), found }));
    }
    let status = if all.is_empty() { Status::Bad } else { Status::Good };
    if json {
        output::print_json(&Document::new("which", documents))?;
        return Ok(status);
    }
    let mut out = output::stdout();
    out.write_all(text(&query, &all).as_bytes()).map_err(output::stdout_failure)?;
    Ok(status)
}

/// A dumped file, or text with a hash.
fn query(text: &str) -> Outcome<Query> {
    let path = Path::new(text);
    // What emulators write as text is not the code; its name says which it is.
    let is_text = path.extension().is_some_and(|extension| extension == "txt" || extension == "glsl");
    if path.is_file() && !is_text {
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        return Ok(Query::of_dump(&name, input::read(text)?));
    }
    Query::of_text(text).ok_or_else(|| {
        Failure::usage(format!(
            "`{text}` has no hash in it (8 or 16 hexadecimal digits), and there is no such file"
        ))
    })
}

fn text(query: &Query, found: &[Match]) -> String {
    let mut text = String::new();
    if found.is_empty() {
        text.push_str(&format!("{}: no program that is called so\n", paint(style::NAME, &query.text)));
    }
    // A cache of the emulator's own has the name as it stands.
    let is_sure = |one: &Match| matches!(one.certainty, Certainty::Content | Certainty::Exact);
    if query.needs_layout && !found.iter().any(is_sure) {
        text.push_str(
            "  Cemu's hash of a vertex or geometry program is also made of the vertex layout or the programs around it, which \
             the game decides while it runs; from files alone it cannot be told. The dumped .bin file can: give that.\n",
        );
    }
    for certainty in [Certainty::Content, Certainty::Exact, Certainty::Conditional] {
        let mut meanings: Vec<&str> = Vec::new();
        for one in found.iter().filter(|one| one.certainty == certainty) {
            if !meanings.contains(&one.meaning.as_str()) {
                meanings.push(&one.meaning);
            }
        }
        for meaning in meanings {
            text.push_str(&format!("{}\n", paint(style::BOLD, meaning)));
            let mut table = Table::new(&["program", "hash", "options"]);
            let places = found.iter().filter(|one| one.certainty == certainty && one.meaning == meaning);
            let count = places.clone().count();
            for one in places.take(TOLD) {
                table.row(vec![
                    Cell::text(&one.place).styled(style::NAME),
                    Cell::text(&one.code_hash).styled(style::DIM),
                    Cell::text(&one.options),
                ]);
            }
            text.push_str(&table.render_part());
            if count > TOLD {
                text.push_str(&format!("and {} more\n", count - TOLD));
            }
        }
    }
    text
}
