//! `stats`: instruction mix, registers, limits and how close.

use crate::{
    args::Stats,
    input,
    output::{self, Outcome, Status},
    style::{self, paint},
};
use unshade::report::{self, Document, Resource, StageStats, StatsReport};

pub fn run(arguments: &Stats, json: bool) -> Outcome {
    let mut files = Vec::new();
    let mut status = Status::Good;
    for file in &arguments.files.files {
        let programs = input::programs_or_code(file, &arguments.bare)?;
        status = programs.status.and(status);
        files.push((file.clone(), report::stats_stages(programs.stages)));
    }
    if json {
        output::print_json(&Document::new("stats", files))?;
    } else if arguments.csv {
        output::print(&report::stats_csv(&files))?;
    } else {
        let mut text = String::new();
        let several = files.len() > 1;
        for (file, report) in &files {
            text.push_str(&output::file_heading(file, several, text.is_empty()));
            text.push_str(&programs(report));
        }
        output::print(&text)?;
    }
    Ok(status)
}

fn programs(report: &StatsReport) -> String {
    report.stages.iter().map(program).collect::<Vec<_>>().join("\n")
}

fn program(stage: &StageStats) -> String {
    let mut text = format!("{} {} {}\n", paint(style::NAME, &stage.item), stage.kind, stage.isa);
    let total: u64 = stage.mnemonics.iter().map(|mnemonic| mnemonic.count).sum();
    text.push_str(&format!(
        "  {total} instructions: {} arithmetic, {} flow, {} nop",
        stage.arithmetic, stage.flow, stage.nops
    ));
    if stage.unknown > 0 {
        text.push_str(&paint(style::WARN, format_args!(", {} unknown words", stage.unknown)));
    }
    text.push('\n');
    let run = &stage.executed;
    text.push_str(&match (run.min == run.max, run.unfinished) {
        (true, 0) => format!("  a run executes {} instructions\n", run.max),
        (_, 0) => format!(
            "  a run executes {} to {} instructions, half of them at most {}\n",
            run.min, run.max, run.median
        ),
        (_, n) => format!("  runs execute {} to {} instructions; {n} did not end\n", run.min, run.max),
    });
    for resource in stage.resources.iter().filter(|resource| resource.used > 0) {
        text.push_str(&resource_line(resource));
    }
    let mut mix: Vec<_> = stage.mnemonics.iter().collect();
    mix.sort_by(|a, b| b.count.cmp(&a.count).then_with(|| a.name.cmp(&b.name)));
    let mix: Vec<_> = mix.iter().map(|mnemonic| format!("{} {}", mnemonic.name, mnemonic.count)).collect();
    text.push_str(&format!("  {}\n", mix.join(", ")));
    text
}

/// `temporaries  #####...............   4 of  16`
fn resource_line(resource: &Resource) -> String {
    const WIDTH: u64 = 24;
    let full = (resource.used * WIDTH).div_ceil(resource.limit.max(1)).min(WIDTH) as usize;
    let style = match resource.used * 10 {
        used if used > resource.limit * 10 => style::BAD,
        used if used > resource.limit * 9 => style::WARN,
        _ => style::GOOD,
    };
    format!(
        "  {:<18}{}{} {:>4} of {:>4}\n",
        resource.name,
        paint(style, "#".repeat(full)),
        paint(style::DIM, ".".repeat(WIDTH as usize - full)),
        resource.used,
        resource.limit,
    )
}
