//! Random programs compile or are refused with a reason, and never do anything but what their source says.

use crate::support::machine::{run, stage, table};
use crate::support::random::{Chance, Given, Random, program};
use std::collections::{BTreeMap, HashMap};
use unshade_compile::{Calls, Compiled, Language, Options, Source, compile, reference::Reference};
use unshade_isa::pica200::exec::{Float, Program, Rounding, State};
use unshade_isa::pica200::lint::lint;

/// Cases for each program.
const CASES: usize = 12;

#[derive(Default)]
struct Counted {
    compared: usize,
    cases: usize,
    with_calls: usize,
    undecided: usize,
    refused: BTreeMap<String, usize>,
}

fn values(chance: &mut Chance, given: &Given) -> Vec<f32> {
    let size = match given.ty.as_str() {
        "vec2" => 2,
        "vec3" => 3,
        "vec4" => 4,
        "mat3" => 9,
        "mat4" => 16,
        _ => 1,
    };
    (0..size * given.count)
        .map(|_| match given.ty.as_str() {
            "bool" => chance.below(2) as f32,
            "int" => chance.below(6) as f32,
            _ => (chance.below(1024) as f32 - 512.0) / 256.0,
        })
        .collect()
}

fn put(state: &mut State, compiled: &Compiled, given: &Given, values: &[f32]) {
    let table = table(compiled);
    let Some(&(space, number)) = table.get(&given.name) else { return };
    match (space, given.ty.as_str()) {
        ('v', _) => {
            state.v[number] = [0.0, 0.0, 0.0, 1.0];
            state.v[number][..values.len()].copy_from_slice(values);
        }
        ('b', _) => state.b[number] = values[0] != 0.0,
        ('i', _) => state.i[number] = [values[0] as u8, 0, 1, 0],
        (_, "mat3" | "mat4") => {
            let size = if given.ty == "mat3" { 3 } else { 4 };
            for row in 0..size {
                for column in 0..size {
                    state.c[number + row][column] = values[column * size + row];
                }
            }
        }
        _ => {
            let size = values.len() / given.count;
            for element in 0..given.count {
                state.c[number + element][..size].copy_from_slice(&values[element * size..][..size]);
            }
        }
    }
}

fn compare(seed: u64, counted: &mut Counted) {
    let random = program(seed);
    compare_one(seed, &random, Calls::Shorter, counted);
    // Once more with functions that the machine calls.
    let mut again = Counted::default();
    compare_one(seed, &random, Calls::Always, &mut again);
    counted.with_calls += again.with_calls;
}

fn compare_one(seed: u64, random: &Random, calls: Calls, counted: &mut Counted) {
    let source = Source { name: "random.vert.glsl", text: &random.text, language: Language::Glsl };
    let options = Options { calls, ..Options::default() };
    let compiled = match compile(&[source], &options) {
        Ok(compiled) => compiled,
        Err(findings) => {
            let first = &findings[0];
            assert!(!first.message.is_empty());
            assert!(
                first.code != "compile.syntax"
                    && first.code != "compile.invalid"
                    && first.code != "compile.unsupported",
                "program {seed}: {first}\n{}",
                random.text
            );
            *counted.refused.entry(format!("{}: {}", first.code, first.message)).or_default() += 1;
            return;
        }
    };
    let stage = stage(&compiled);
    let findings = lint(&stage);
    assert!(findings.is_empty(), "program {seed}: {findings:?}\n{}\n{}", random.text, compiled.listings[0]);
    let reference = Reference::new(&random.text, Language::Glsl).unwrap();
    let machine = Program::new(&stage);
    let mut chance = Chance::new(seed ^ 0x5555);
    counted.compared += 1;
    let has_call = compiled.listings[0].lines().any(|line| line.trim_start().starts_with("call"));
    counted.with_calls += usize::from(has_call);
    for case in 0..CASES {
        let mut inputs: HashMap<String, Vec<f32>> = HashMap::new();
        let mut state = State::new(&stage);
        for given in &random.given {
            let values = values(&mut chance, given);
            put(&mut state, &compiled, given, &values);
            inputs.insert(given.name.clone(), values);
        }
        let wanted = match reference.run(&inputs) {
            Ok(wanted) => wanted,
            Err(unshade_compile::reference::NoAnswer::Undecided) => {
                counted.undecided += 1;
                continue;
            }
            Err(other) => panic!("program {seed}: {other:?}\n{}", random.text),
        };
        counted.cases += 1;
        for float in [Float::F32, Float::F24(Rounding::Nearest)] {
            for (name, found) in run(&compiled, &machine, state.clone(), float) {
                let (_, wanted) = wanted.iter().find(|(wanted, _)| *wanted == name).unwrap();
                for (component, (found, wanted)) in found.iter().zip(wanted).enumerate() {
                    let off = (f64::from(*found) - wanted.value).abs();
                    assert!(
                        off <= wanted.error * 2.0 + wanted.value.abs() / 32768.0 + 1e-6,
                        "program {seed} case {case} {name}[{component}] {float:?}: found {found}, wanted {wanted:?}\n{}\n{}\n{inputs:?}",
                        random.text,
                        compiled.listings[0]
                    );
                }
            }
        }
    }
}

/// `UNSHADE_RANDOM` programs from number `UNSHADE_SEED` on, else a few.
#[test]
fn random_programs_do_what_their_source_says() {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let (count, first) = (number("UNSHADE_RANDOM").unwrap_or(400), number("UNSHADE_SEED").unwrap_or(0));
    let mut counted = Counted::default();
    let mut failed: Vec<(usize, String)> = Vec::new();
    for seed in first..first + count {
        let one = std::panic::AssertUnwindSafe(|| compare(seed, &mut counted));
        if let Err(panic) = std::panic::catch_unwind(one) {
            let text = panic.downcast_ref::<String>().cloned().unwrap_or_default();
            failed.push((text.len(), text));
        }
    }
    failed.sort();
    if let Some((_, shortest)) = failed.first() {
        panic!("{} of {count} programs failed; the shortest:\n{shortest}", failed.len());
    }
    let refused: usize = counted.refused.values().sum();
    if std::env::var_os("UNSHADE_SHOW").is_some() {
        eprintln!(
            "{} programs compared on {} cases ({} undecided), {} with calls, {refused} refused: {:#?}",
            counted.compared, counted.cases, counted.undecided, counted.with_calls, counted.refused
        );
    }
    assert!(counted.compared * 4 > count as usize * 3, "{} of {count} compared", counted.compared);
    assert!(counted.with_calls * 50 > count as usize, "{} of {count} with calls", counted.with_calls);
    assert!(counted.cases > counted.undecided, "{} cases, {} undecided", counted.cases, counted.undecided);
}
