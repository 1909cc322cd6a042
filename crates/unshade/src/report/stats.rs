//! `stats`: what programs use, how close they come to the hardware's limits, what a run costs.

use crate::Opened;
use serde::Serialize;
use unshade_ir::exec::Memory;
use unshade_isa::{cases::Kind, latte, mali_gp, mali_pp, maxwell, pica200};
use unshade_stage::{Isa, Stage};

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
    let counted = match stage.isa {
        Isa::Pica200 => of_pica200(&pica200::stats::stats(stage)),
        Isa::MaliGp => of_mali_gp(&mali_gp::stats::stats(stage)),
        Isa::MaliPp => of_mali_pp(&mali_pp::stats::stats(stage)),
        Isa::Latte => of_latte(&latte::stats::stats(stage)),
        Isa::Maxwell => of_maxwell(&maxwell::stats::stats(stage)),
        _ => Counted::default(),
    };
    StageStats {
        item,
        kind: stage.kind.name().to_owned(),
        isa: stage.isa.name().to_owned(),
        mnemonics: counted.mnemonics,
        arithmetic: counted.arithmetic as u64,
        flow: counted.flow as u64,
        nops: counted.nops as u64,
        unknown: counted.unknown as u64,
        relative: counted.relative as u64,
        resources: counted.resources,
        executed: executed(stage, fuel),
    }
}

/// What every machine's counts come down to.
#[derive(Default)]
struct Counted {
    mnemonics: Vec<Mnemonic>,
    arithmetic: usize,
    flow: usize,
    nops: usize,
    unknown: usize,
    relative: usize,
    resources: Vec<Resource>,
}

fn mnemonic(name: &str, count: usize) -> Mnemonic {
    Mnemonic { name: name.to_owned(), count: count as u64 }
}

fn resource(name: &str, used: usize, limit: usize) -> Resource {
    Resource { name: name.to_owned(), used: used as u64, limit: limit as u64 }
}

fn of_pica200(counts: &pica200::stats::Stats) -> Counted {
    Counted {
        mnemonics: counts.mnemonics.iter().map(|(name, count)| mnemonic(name, *count)).collect(),
        arithmetic: counts.arithmetic,
        flow: counts.flow,
        nops: counts.nops,
        unknown: counts.unknown,
        relative: counts.relative,
        resources: counts
            .resources
            .iter()
            .map(|(name, usage)| resource(name, usage.used, usage.limit))
            .collect(),
    }
}

/// Arithmetic is what the units do besides moving; the slots stand among the resources, with as many places
/// as there are instructions.
fn of_mali_gp(counts: &mali_gp::stats::Stats) -> Counted {
    let slots = counts.slots.iter().map(|(name, usage)| (format!("slot-{name}"), usage));
    let branches = counts.slots.iter().find(|(name, _)| *name == "branch").map_or(0, |(_, usage)| usage.used);
    let operations: usize = counts.operations.values().sum();
    let named = counts.resources.iter().map(|(name, usage)| ((*name).to_owned(), usage));
    Counted {
        mnemonics: counts.operations.iter().map(|(name, count)| mnemonic(name, *count)).collect(),
        arithmetic: operations.saturating_sub(counts.moves),
        flow: branches,
        nops: counts.nops,
        unknown: 0,
        relative: counts.relative,
        resources: named.chain(slots).map(|(name, usage)| resource(&name, usage.used, usage.limit)).collect(),
    }
}

/// Arithmetic is what the four units and the combiner do; the fields stand among the resources, with as many
/// places as there are instructions.
fn of_mali_pp(counts: &mali_pp::stats::Stats) -> Counted {
    let operations: usize = counts.operations.values().sum();
    let named = counts.resources.iter().map(|(name, usage)| resource(name, usage.used, usage.limit));
    let fields = mali_pp::Field::ALL.iter().zip(counts.fields);
    let fields =
        fields.map(|(field, used)| resource(&format!("field-{}", field.name()), used, counts.instructions));
    Counted {
        mnemonics: counts.operations.iter().map(|(name, count)| mnemonic(name, *count)).collect(),
        arithmetic: operations,
        flow: counts.branches + counts.discards,
        nops: 0,
        unknown: counts.strays,
        relative: counts.relative,
        resources: named.chain(fields).collect(),
    }
}

/// Arithmetic is what the five units do; slots of groups stand among the resources, with five places to a group.
fn of_latte(counts: &latte::stats::Stats) -> Counted {
    let uses = &counts.uses;
    let count = |name: &str| uses.operations.get(name).map_or(0, |count| *count as usize);
    let named = counts.resources.iter().map(|(name, usage)| resource(name, usage.used, usage.limit));
    let counted = [
        ("groups", uses.groups),
        ("literals", uses.literals),
        ("texture-fetches", uses.texture_fetches),
        ("buffer-fetches", uses.buffer_fetches),
        ("clauses", uses.alu_clauses + uses.fetch_clauses),
    ];
    let instructions = uses.instructions() as usize;
    let counted = counted.map(|(name, used)| resource(name, used as usize, instructions));
    Counted {
        mnemonics: uses.operations.iter().map(|(name, count)| mnemonic(name, *count as usize)).collect(),
        arithmetic: uses.units.iter().sum::<u32>() as usize,
        flow: uses.flow as usize,
        nops: count("NOP"),
        unknown: count("unknown") + counts.strays,
        relative: uses.relative as usize,
        resources: named.chain(counted).collect(),
    }
}

/// Arithmetic is what computes; the classes of instructions stand among the resources, with as many places as there
/// are instructions. Cycles are those that the control words let pass, each instruction once.
fn of_maxwell(counts: &maxwell::stats::Stats) -> Counted {
    let uses = &counts.uses;
    let instructions = uses.instructions as usize;
    let arithmetic = uses.classes.iter().filter(|(class, _)| class.is_arithmetic());
    let named = counts.resources.iter().map(|(name, usage)| resource(name, usage.used, usage.limit));
    let memory = |extent: maxwell::usage::Extent| extent.end as usize;
    let counted = [
        ("textures", uses.textures.len(), instructions),
        ("images", uses.images.len(), instructions),
        ("bindless", uses.bindless as usize, instructions),
        ("local-bytes", memory(uses.local), maxwell::stats::LOCAL),
        ("shared-bytes", memory(uses.shared), maxwell::stats::SHARED),
        ("issue-cycles", usize::try_from(uses.cycles).unwrap_or(usize::MAX), 15 * instructions),
        ("instructions", instructions, instructions + counts.unreached),
    ];
    let counted = counted.into_iter().filter(|(_, used, _)| *used > 0);
    Counted {
        mnemonics: uses.operations.iter().map(|(name, count)| mnemonic(name, *count as usize)).collect(),
        arithmetic: arithmetic.map(|(_, count)| *count as usize).sum(),
        flow: uses.of_class(maxwell::Class::Flow) as usize,
        nops: uses.of_class(maxwell::Class::Nop) as usize,
        unknown: uses.unknown as usize,
        relative: uses.relative as usize,
        resources: named.chain(counted.map(|(name, used, limit)| resource(name, used, limit))).collect(),
    }
}

fn executed(stage: &Stage<'_>, fuel: &mut u64) -> Executed {
    let mut steps = Vec::new();
    if let Some(mut run) = runner(stage) {
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

/// Executes the case of a number, with so many instructions at most: how many it took, and whether it ended.
type Run<'a> = Box<dyn FnMut(u64, u64) -> (u64, bool) + 'a>;

fn runner<'a>(stage: &'a Stage<'_>) -> Option<Run<'a>> {
    Some(match stage.isa {
        Isa::Pica200 => {
            use pica200::exec::{End, Program, cases};
            let program = Program::new(stage);
            Box::new(move |index, most| {
                let mut state = cases::case(stage, SEED, index, Kind::Finite);
                let outcome = program.run(&mut state, most);
                (outcome.steps, outcome.end != End::OutOfFuel)
            })
        }
        Isa::MaliGp => {
            use mali_gp::exec::{End, Program, cases};
            let program = Program::new(stage);
            Box::new(move |index, most| {
                let mut state = cases::case(stage, SEED, index, Kind::Finite);
                let outcome = program.run(&mut state, most);
                (outcome.steps, outcome.end != End::OutOfFuel)
            })
        }
        Isa::MaliPp => {
            use mali_pp::exec::{End, Float, NoTrace, Program, cases};
            let program = Program::new(stage);
            Box::new(move |index, most| {
                let (mut lane, uniforms) = cases::case(stage, &program, SEED, index, Kind::Finite);
                let (memory, trace) = (&mut Memory::default(), &mut NoTrace);
                let outcome = program.run_lane(&mut lane, &uniforms, memory, Float::F32, most, trace);
                (outcome.steps, outcome.ends[0] != End::OutOfFuel)
            })
        }
        _ => return None,
    })
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
