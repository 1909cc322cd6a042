//! `stats`: what programs use, how close they come to the hardware's limits, what a run costs.

use crate::Opened;
use serde::Serialize;
use unshade_isa::{Machine, Usage, cases::Kind, machine::Counts, with_machine};
use unshade_stage::Stage;

/// The programs of one file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StatsReport {
    /// In file order.
    pub stages: Vec<StageStats>,
}

/// One program.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StageStats {
    /// What stands behind `FILE` to name it.
    pub item: String,
    /// `vertex`, `geometry`.
    pub kind: String,
    /// Instruction set.
    pub isa: String,
    /// Instructions by mnemonic, in alphabetical order.
    pub mnemonics: Vec<Mnemonic>,
    /// Arithmetic instructions.
    pub arithmetic: u64,
    /// Flow control.
    pub flow: u64,
    /// Instructions that do nothing.
    pub nops: u64,
    /// Code words that are no instruction.
    pub unknown: u64,
    /// Operands with relative addressing.
    pub relative: u64,
    /// Resources in use and their limits.
    pub resources: Vec<Resource>,
    /// What runs cost.
    pub executed: Executed,
}

/// How often an instruction occurs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Mnemonic {
    /// Its name.
    pub name: String,
    /// How often.
    pub count: u64,
}

/// A resource with its limit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Resource {
    /// `words`, `descriptors`, `temporaries`.
    pub name: String,
    /// How many are in use.
    pub used: u64,
    /// How many there are.
    pub limit: u64,
}

/// Instructions executed until the end, over seeded runs. The shader units issue one instruction per cycle,
/// so this estimates cycles (stalls between dependent instructions are not public).
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Executed {
    /// Cheapest run.
    pub min: u64,
    /// Middle run.
    pub median: u64,
    /// Dearest run.
    pub max: u64,
    /// Runs that did not end.
    pub unfinished: u64,
}

/// Runs behind [`Executed`].
const RUNS: u64 = 64;
/// Seed of their inputs.
const SEED: u64 = 1;
/// Instructions after which a run counts as endless.
const FUEL: u64 = 100_000;

/// Instructions that all programs of a file may execute together; what then is left to run counts as endless.
const ALL_FUEL: u64 = 32_000_000;

/// Counts the programs of an opened file; `item` keeps those of that name.
pub fn stats(opened: &Opened, item: Option<&str>) -> StatsReport {
    stats_stages(opened.stages(item).map(|(inner, stage)| (inner.item_name(&stage.id), stage)))
}

/// Counts programs, each with its name.
pub fn stats_stages<'a>(stages: impl IntoIterator<Item = (String, Stage<'a>)>) -> StatsReport {
    let mut fuel = ALL_FUEL;
    let stages = stages.into_iter().map(|(item, stage)| stage_stats(item, &stage, &mut fuel));
    StatsReport { stages: stages.collect() }
}

fn stage_stats(item: String, stage: &Stage<'_>, fuel: &mut u64) -> StageStats {
    let counted: Counts = with_machine!(stage.isa, M => M::counts(stage), _ => Counts::default());
    StageStats {
        item,
        kind: stage.kind.name().to_owned(),
        isa: stage.isa.name().to_owned(),
        mnemonics: counted.mnemonics.into_iter().map(mnemonic).collect(),
        arithmetic: counted.arithmetic as u64,
        flow: counted.flow as u64,
        nops: counted.nops as u64,
        unknown: counted.unknown as u64,
        relative: counted.relative as u64,
        resources: counted.resources.into_iter().map(resource).collect(),
        executed: executed(stage, fuel),
    }
}

fn mnemonic((name, count): (String, usize)) -> Mnemonic {
    Mnemonic { name, count: count as u64 }
}

fn resource((name, usage): (String, Usage)) -> Resource {
    Resource { name, used: usage.used as u64, limit: usage.limit as u64 }
}

fn executed(stage: &Stage<'_>, fuel: &mut u64) -> Executed {
    let mut steps = Vec::new();
    let runner = with_machine!(stage.isa, M => M::case_runner(stage, SEED, Kind::Finite), _ => None);
    if let Some(mut run) = runner {
        for index in 0..RUNS {
            let most = FUEL.min(*fuel);
            let (count, ended) = if most == 0 { (0, false) } else { run(index, most) };
            *fuel -= count.min(most);
            steps.extend(ended.then_some(count));
        }
    }
    steps.sort_unstable();
    let at = |index: usize| steps.get(index).copied().unwrap_or_default();
    Executed {
        min: at(0),
        median: at(steps.len() / 2),
        max: at(steps.len().saturating_sub(1)),
        unfinished: RUNS - steps.len() as u64,
    }
}

/// The programs of several files as comma-separated values: a heading, then a line per program.
pub fn stats_csv(files: &[(String, StatsReport)]) -> String {
    let mut names: Vec<&str> = Vec::new();
    for stage in files.iter().flat_map(|(_, report)| &report.stages) {
        for resource in &stage.resources {
            if !names.contains(&resource.name.as_str()) {
                names.push(&resource.name);
            }
        }
    }
    let mut text = String::from(
        "file,item,kind,isa,arithmetic,flow,nops,unknown,relative,executed_min,executed_median,executed_max",
    );
    for name in &names {
        text.push_str(&format!(",{}", name.replace('-', "_")));
    }
    text.push('\n');
    for (file, report) in files {
        for stage in &report.stages {
            let run = &stage.executed;
            let counts = [
                stage.arithmetic,
                stage.flow,
                stage.nops,
                stage.unknown,
                stage.relative,
                run.min,
                run.median,
                run.max,
            ];
            let used = names.iter().map(|name| {
                stage
                    .resources
                    .iter()
                    .find(|resource| resource.name == *name)
                    .map_or(0, |resource| resource.used)
            });
            let cells = [file, &stage.item, &stage.kind, &stage.isa].into_iter().map(|cell| quoted(cell));
            let cells = cells.chain(counts.into_iter().chain(used).map(|count| count.to_string()));
            text.push_str(&cells.collect::<Vec<_>>().join(","));
            text.push('\n');
        }
    }
    text
}

/// A cell of a CSV line (RFC 4180): in quotes where it holds a comma, a quote or a line break.
fn quoted(cell: &str) -> String {
    if cell.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", cell.replace('"', "\"\""))
    } else {
        cell.to_owned()
    }
}
