//! `similar`: the programs of catalogs that look most like one.

use crate::{
    args::Similar,
    input,
    output::{self, Failure, Outcome, Status},
    style::{self, paint},
    table::{Cell, Table},
};
use indicatif::HumanCount;
use std::io::Write;
use unshade::report::Document;
use unshade_catalog::similar::{Match, Relation, Report, Subject, similar};

pub fn run(arguments: &Similar, json: bool) -> Outcome {
    let programs = input::programs(&arguments.program)?;
    let [(place, stage)] = programs.stages.as_slice() else {
        let names: Vec<&str> = programs.stages.iter().take(6).map(|(place, _)| place.as_str()).collect();
        let more = programs.stages.len().saturating_sub(names.len());
        let more = if more == 0 { String::new() } else { format!(" and {more} more") };
        return Err(Failure::usage(format!(
            "{} has {} programs; say which: {}{more}",
            arguments.program,
            programs.stages.len(),
            names.join(", ")
        )));
    };
    let catalogs = input::catalogs(&arguments.catalogs)?;
    let report =
        similar(&Subject::new(stage), &catalogs, arguments.count.into()).map_err(Failure::catalog("read"))?;
    let status = if report.found.is_empty() { Status::Bad } else { Status::Good };
    let name = format!("{}{place}", programs.place.file);
    if json {
        output::print_json(&Document::new("similar", [(name, report)]))?;
        return Ok(status);
    }
    output::stdout().write_all(text(&name, &report).as_bytes()).map_err(output::stdout_failure)?;
    Ok(status)
}

fn text(name: &str, report: &Report) -> String {
    let mut text = format!(
        "{}: {} instructions, compared with {} programs\n",
        paint(style::NAME, name),
        HumanCount(report.instructions),
        HumanCount(report.compared)
    );
    let (itself, others): (Vec<&Match>, Vec<&Match>) =
        report.found.iter().partition(|one| one.relation == Relation::Same);
    for one in itself {
        let more = one.count.saturating_sub(1);
        let place = one.places.first().map(String::as_str).unwrap_or_default();
        text.push_str(&format!("the same program is {}{}\n", paint(style::NAME, place), elsewhere(more)));
    }
    if others.is_empty() {
        text.push_str("no other program looks like it\n");
        return text;
    }
    let mut table = Table::new(&["alike", "equal", "instructions", "program", "", "options"]);
    for one in others {
        let place = one.places.first().map(String::as_str).unwrap_or_default();
        let (alike, equal) = match one.aligned {
            Some(aligned) => (percent(one.share), HumanCount(aligned.equal).to_string()),
            None => (format!("~{}", percent(one.share)), String::new()),
        };
        let remark = match (one.relation, &one.unread) {
            (Relation::Renamed, _) => "other registers or constants",
            (_, Some(_)) => "file not there",
            _ => "",
        };
        let remark = [remark.to_owned(), elsewhere(one.count.saturating_sub(1))].join("");
        table.row(vec![
            Cell::number(alike).styled(style::BOLD),
            Cell::number(equal),
            Cell::number(HumanCount(one.instructions)),
            Cell::text(place).styled(style::NAME),
            Cell::text(remark.trim_start_matches(", ")).styled(style::DIM),
            Cell::text(&one.options),
        ]);
    }
    text.push_str(&table.render());
    text
}

fn percent(share: f64) -> String {
    // Only what is whole is called so.
    format!("{:.1} %", (share * 1000.0).floor() / 10.0)
}

/// `, and in 3 more places`
fn elsewhere(more: u64) -> String {
    match more {
        0 => String::new(),
        1 => ", and in 1 more place".to_owned(),
        more => format!(", and in {} more places", HumanCount(more)),
    }
}
