//! The variables of the source in the debugger, held against the interpreter of the source tree: with inputs that the debugger has
//! not seen when it looked for what holds them, each variable gets the values that the source assigns to it, in their order.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use unshade::debug::{Command, Options, Session, Variables, View};
use unshade::run_json::{self, Document};
use unshade::verify::{self, Kind};
use unshade::{Isa, Source, Stage, readable_passes};
use unshade_ir::ast::exec::{Watch, run_watched};
use unshade_ir::ast::raise::{self, Mode};
use unshade_ir::ast::{self, LocalRef, Scalar, Stmt, walk};
use unshade_ir::exec::{Limits, Memory, Outcome, Textured};
use unshade_ir::{Module, Space, math, passes};
use unshade_isa::mali_pp::half::Constants;
use unshade_isa::{latte, mali_pp};

/// Relative difference of two floats that are one value.
const NEAR: f32 = 1.0 / 512.0;

fn samples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples")
}

/// The programs of a file of the samples.
fn programs(path: &Path, item: Option<&str>) -> Vec<Stage<'static>> {
    let bytes = std::fs::read(path).unwrap();
    let source = Source { bytes: &bytes, dictionaries: None };
    let found = unshade::programs(source, &[], item).unwrap().stages;
    found.into_iter().map(|(_, stage)| stage).collect()
}

/// Programs of the samples and, where it is there, of the corpus: each once.
fn subjects() -> Vec<(String, Stage<'static>)> {
    let mut subjects = Vec::new();
    let mut paths: Vec<PathBuf> =
        std::fs::read_dir(samples()).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    for path in paths {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if [".shbin", ".mbs", ".gsh", ".sharcfb", ".dksh", ".bnsh", "wiiu.bfsha", "options.bfsha"]
            .iter()
            .any(|end| name.ends_with(end))
        {
            let stages = programs(&path, None);
            subjects.extend(stages.into_iter().take(4).map(|stage| (name.clone(), stage)));
        }
    }
    let corpus = unshade_corpus::shared("corpus");
    if !corpus.join("run").is_dir() {
        println!("skipped: no corpus at {}", corpus.display());
        return subjects;
    }
    let folder = std::fs::read_dir(corpus.join("gfd")).unwrap();
    let mut paths: Vec<PathBuf> = folder.map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|ending| ending == "gsh"));
    paths.sort();
    for path in paths {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        subjects.extend(programs(&path, None).into_iter().map(|stage| (format!("gfd/{name}"), stage)));
    }
    for isa in ["pica200", "mali-gp", "mali-pp", "latte", "maxwell"] {
        let folder = std::fs::read_dir(corpus.join("run").join(isa)).unwrap();
        let mut paths: Vec<PathBuf> = folder.map(|entry| entry.unwrap().path()).collect();
        paths.sort();
        let mut seen = BTreeSet::new();
        for path in paths {
            let document = Document::parse(&std::fs::read_to_string(&path).unwrap()).unwrap();
            let (Some(file), Some(item)) = (&document.file, &document.item) else { continue };
            if item == "raw" || !seen.insert((file.clone(), item.clone())) {
                continue;
            }
            let stage = programs(&corpus.join(file), Some(item)).remove(0);
            subjects.push((format!("{file}#{item}"), stage));
        }
    }
    subjects
}

/// The readable source of a program, made here from the parts of it.
fn tree(stage: &Stage<'_>) -> Option<ast::Program> {
    let mut module: Module = match stage.isa {
        Isa::MaliPp => mali_pp::lift::lift_with(stage, Constants::Exact).ok()?,
        Isa::Latte => latte::lift::lift_with(stage, latte::lift::Reach::Array).ok()?,
        _ => unshade::lift(stage).ok()?,
    };
    passes::run(&mut module, &readable_passes(stage.isa), None);
    Some(raise::raise(&module, Mode::Readable).ok()?.program)
}

/// A component of a variable: function, variable, component.
type Component = (String, String, usize);

/// What a run of the tree assigns.
#[derive(Default)]
struct Assigned {
    /// By address, the function around each statement.
    functions: BTreeMap<usize, usize>,
    names: Vec<(String, Vec<(String, Scalar)>)>,
    values: BTreeMap<Component, Vec<u32>>,
}

impl Assigned {
    fn of(program: &ast::Program) -> Self {
        let mut found = Self::default();
        for (number, function) in program.functions.iter().enumerate() {
            walk::for_each_stmt(&function.body, &mut |stmt| {
                found.functions.insert(std::ptr::from_ref(stmt).addr(), number);
            });
            let locals = function.locals.iter().map(|local| (local.name.clone(), local.ty.scalar));
            let name = if number + 1 == program.functions.len() { "" } else { &function.name };
            found.names.push((name.to_owned(), locals.collect()));
        }
        found
    }
}

impl Watch for Assigned {
    fn assigned(&mut self, by: &Stmt, _: bool, local: LocalRef, value: [u64; 4]) {
        let (function, locals) = &self.names[self.functions[&std::ptr::from_ref(by).addr()]];
        let name = &locals[local.0 as usize].0;
        for (_, components) in walk::written(by).into_iter().filter(|(written, _)| *written == local) {
            let all: &[u8] = if components.is_empty() { &[0, 1, 2, 3] } else { components };
            for component in all {
                let at = usize::from(*component);
                let values = self.values.entry((function.clone(), name.clone(), at)).or_default();
                values.push(value[at] as u32);
            }
        }
    }
}

fn is_same(is_float: bool, a: u32, b: u32) -> bool {
    let (x, y) = (f32::from_bits(a), f32::from_bits(b));
    let size = x.abs().max(y.abs());
    // What is too small to be normal is zero to most machines.
    let near =
        || x == y || size < f32::MIN_POSITIVE || (x - y).abs() <= NEAR * size || (x.is_nan() && y.is_nan());
    a == b || is_float && near()
}

/// The values without those that are as the one before.
fn changes(is_float: bool, values: &[u32]) -> Vec<u32> {
    let mut changes: Vec<u32> = Vec::new();
    for value in values {
        if changes.last().is_none_or(|last| !is_same(is_float, *last, *value)) {
            changes.push(*value);
        }
    }
    changes
}

/// What the variables of a run held behind each step, and how many components of all are available.
fn stepped(session: &mut Session) -> (BTreeMap<Component, Vec<u32>>, (u32, u32)) {
    let mut values: BTreeMap<Component, Vec<u32>> = BTreeMap::new();
    let mut note = |view: &View| {
        for variable in &view.variables {
            for (at, number) in variable.values[0].iter().enumerate() {
                if let Some(number) = number {
                    assert_ne!(variable.available >> at & 1, 0, "{}", variable.name);
                    let function = variable.function.clone().unwrap_or_default();
                    let held = values.entry((function, variable.name.clone(), at)).or_default();
                    held.push(u32::from_str_radix(&number.bits, 16).unwrap());
                }
            }
        }
    };
    let mut view = session.view();
    note(&view);
    while view.ended.is_none() {
        view = session.run(&Command::Step { count: 1 }).unwrap();
        note(&view);
    }
    let available = view.variables.iter().map(|variable| variable.available.count_ones()).sum();
    let all = view.variables.iter().map(|variable| variable.values[0].len() as u32).sum();
    (values, (available, all))
}

#[test]
fn they_get_what_the_source_assigns() {
    let only = std::env::var("UNSHADE_ONLY").ok();
    let mut told: BTreeMap<&str, [u64; 5]> = BTreeMap::new();
    let mut wrong = Vec::new();
    for (name, stage) in subjects() {
        if only.as_ref().is_some_and(|only| !name.contains(only)) {
            continue;
        }
        let Some(program) = tree(&stage) else { continue };
        let [programs, available, all, runs, compared] = told.entry(stage.isa.name()).or_default();
        *programs += 1;
        let mut counted = false;
        let variables = Variables::of(&stage);
        let finite = (11..27).map(|seed| (seed, Kind::Finite));
        for (seed, kind) in finite.chain((31..47).map(|seed| (seed, Kind::Full))) {
            let drawn = verify::drawn_for_both(&stage, seed, kind).unwrap();
            let mut memory = Memory::default();
            for registers in &drawn.source {
                memory.set(registers.space, registers.binding, registers.words.clone());
            }
            for binding in 0..8 {
                memory.set(Space::Output, binding, vec![0; 256]);
            }
            let mut memory = Textured { memory, answer: math::smooth_texture };
            let mut assigned = Assigned::of(&program);
            let limits = Limits::fuel(1 << 17);
            let run = run_watched(&program, &mut memory, limits, Some(&mut assigned));
            let document =
                Document::inputs(&run_json::inputs(&stage, &drawn.machine, run_json::Unbound::Smooth))
                    .unwrap();
            let options = Options { fuel: 4096, by_formula: true, ..Options::default() };
            let mut session = Session::with_variables(&stage, &document, options, &variables).unwrap();
            let (held, counts) = stepped(&mut session);
            if !counted {
                *available += u64::from(counts.0);
                *all += u64::from(counts.1);
                counted = true;
                if std::env::var("UNSHADE_TELL").is_ok() && counts.0 != counts.1 {
                    let view = session.view();
                    let lacks = view
                        .variables
                        .iter()
                        .filter(|one| one.available.count_ones() as usize != one.values[0].len());
                    let lacks: Vec<String> =
                        lacks.map(|one| format!("{}:{:x}/{}", one.name, one.available, one.ty)).collect();
                    println!("{name} {}: {counts:?} {}", stage.isa.name(), lacks.join(" "));
                }
            }
            if !matches!(run.outcome, Outcome::Ended | Outcome::Discarded)
                || !drawn.is_ordinary
                || session.view().ended.is_none_or(|ended| !ended.finished)
            {
                continue;
            }
            *runs += 1;
            for (component, values) in &held {
                let (function, variable, at) = component;
                let local = assigned.names.iter().find(|(name, _)| name == function);
                let scalar = local.and_then(|(_, locals)| locals.iter().find(|(name, _)| name == variable));
                let is_float = scalar.is_some_and(|(_, scalar)| *scalar == Scalar::Float);
                let expected = assigned.values.get(component).cloned().unwrap_or_default();
                // With infinities a variable shows what the machine has, which readable source does not say.
                let is_finite = |word: &u32| f32::from_bits(*word).is_finite();
                if is_float && !expected.iter().chain(values).all(is_finite) {
                    continue;
                }
                let (want, have) = (changes(is_float, &expected), changes(is_float, values));
                *compared += have.len() as u64;
                let same = want.len() == have.len()
                    && want.iter().zip(&have).all(|(want, have)| is_same(is_float, *want, *have));
                if !same {
                    wrong.push(format!("{name} seed {seed} {variable}.{at}: {want:x?}, held {have:x?}"));
                }
            }
        }
    }
    for (isa, [programs, available, all, runs, compared]) in &told {
        println!(
            "{isa}: {programs} programs, {available} of {all} components, {compared} values in {runs} runs"
        );
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
    if only.is_none() {
        // The samples alone have programs of the Mali GP without a variable.
        let shown =
            |[_, available, all, ..]: &[u64; 5]| *available > 0 || *all == 0 && !unshade_corpus::is_there();
        assert!(told.len() == 5 && told.values().all(shown), "{told:?}");
    }
}
