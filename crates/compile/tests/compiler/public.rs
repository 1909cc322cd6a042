//! Programs that others wrote, of a folder that `UNSHADE_PUBLIC` names (`*.vert.glsl`): how many compile, and that each does
//! what software OpenGL and the reference of this project make of its source.

use crate::support::machine::{run, stage, table};
use crate::support::programs::{Expected, SET, Source, expected, folder, put_attribute, put_uniform};
use std::{collections::HashMap, fs, panic::AssertUnwindSafe, path::Path, process::Command};
use unshade_compile::{Compiled, Language, Options, compile, reference::Reference};
use unshade_isa::pica200::exec::{Float, Program, Rounding, State};

/// Largest value that is compared: behind it the machine's numbers end.
const LARGE: f32 = 65536.0;

/// Compares a program with both; how many values each of them had to say.
fn compare(source: &Source, compiled: &Compiled, of: &mut Expected) -> (usize, usize) {
    let stage = stage(compiled);
    let program = Program::new(&stage);
    let (table, interface) = (table(compiled), &compiled.interfaces[0]);
    let reference = Reference::new(&source.text, source.language).unwrap();
    let mut base = State::new(&stage);
    let mut inputs: HashMap<String, Vec<f32>> = HashMap::new();
    let (mut drawn, mut computed) = (0, 0);
    for case in 0..of.cases {
        if case % SET == 0 {
            for variable in &mut of.uniforms {
                let values = variable.draw();
                put_uniform(&mut base, &table, interface, variable, &values);
                inputs.insert(variable.name.clone(), values);
            }
        }
        let mut state = base.clone();
        for variable in &mut of.attributes {
            let values = variable.draw();
            put_attribute(&mut state, &table, variable, &values);
            inputs.insert(variable.name.clone(), values);
        }
        let decided = reference.run(&inputs);
        for (name, found) in run(compiled, &program, state.clone(), Float::F32) {
            let Some(wanted) = of.outputs.get(&name).map(|cases| &cases[case]) else { continue };
            let spread = of.spread[&name][case];
            let largest = wanted.iter().fold(1.0f32, |largest, value| largest.max(value.abs()));
            let is_told =
                spread.is_finite() && largest.is_finite() && largest < LARGE && spread < largest / 64.0;
            if !is_told {
                continue;
            }
            // What hangs on the last bit, or is a power of zero or a quotient by it, is whatever a machine makes of it.
            let bounds = decided.as_ref().ok().and_then(|all| all.iter().find(|(known, _)| *known == name));
            if bounds.is_none() && found.iter().any(|found| !found.is_finite()) {
                continue;
            }
            let error = bounds.map_or(0.0, |(_, all)| all.iter().fold(0.0, |most, one| one.error.max(most)));
            let allowed = 8.0 * (spread + largest * 2.0f32.powi(-16)) + error as f32;
            for (component, (found, wanted)) in found.iter().zip(wanted).enumerate() {
                assert!(
                    (found - wanted).abs() <= allowed,
                    "case {case} {name}[{component}]: found {found}, software OpenGL has {wanted}, allowed {allowed}"
                );
                drawn += 1;
            }
        }
        let Ok(wanted) = decided else { continue };
        for float in [Float::F32, Float::F24(Rounding::Nearest)] {
            for (name, found) in run(compiled, &program, state.clone(), float) {
                let Some((_, wanted)) = wanted.iter().find(|(wanted, _)| *wanted == name) else { continue };
                for (component, (found, wanted)) in found.iter().zip(wanted).enumerate() {
                    let off = (f64::from(*found) - wanted.value).abs();
                    assert!(
                        off <= wanted.error * 2.0 + wanted.value.abs() / 32768.0,
                        "case {case} {name}[{component}] {float:?}: found {found}, the reference has {wanted:?}"
                    );
                    computed += 1;
                }
            }
        }
    }
    (drawn, computed)
}

#[test]
fn programs_of_others_do_what_their_source_says() {
    let Some(programs) = std::env::var_os("UNSHADE_PUBLIC") else {
        eprintln!("skipped: UNSHADE_PUBLIC names no folder");
        return;
    };
    let programs = Path::new(&programs);
    let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join("public-expected");
    let script = folder().join("reference.py");
    let done = Command::new("python3").arg(script).arg("others").arg(programs).arg(&out).output().unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    eprint!("{}", String::from_utf8_lossy(&done.stdout));
    let mut files: Vec<_> = fs::read_dir(programs).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let (mut all, mut compiles, mut equal, mut wrong) = (0, 0, 0, Vec::new());
    for path in files {
        let file = path.file_name().unwrap().to_string_lossy().into_owned();
        let (Some(name), Ok(text)) = (file.strip_suffix(".vert.glsl"), fs::read_to_string(&path)) else {
            continue;
        };
        let source = Source { name: name.to_owned(), file: file.clone(), text, language: Language::Glsl };
        all += 1;
        let of =
            unshade_compile::Source { name: &source.file, text: &source.text, language: source.language };
        let Ok(compiled) = compile(&[of], &Options::default()) else { continue };
        compiles += 1;
        let Some(mut expected) = expected(&out, name.split('.').next().unwrap()) else { continue };
        match std::panic::catch_unwind(AssertUnwindSafe(|| compare(&source, &compiled, &mut expected))) {
            Ok((drawn, computed)) => {
                equal += usize::from(drawn > 0);
                if drawn == 0 {
                    eprintln!("{name}: software OpenGL has nothing to say, the reference {computed} values");
                }
            }
            Err(why) => {
                let why = why.downcast_ref::<String>().cloned().unwrap_or_default();
                wrong.push(format!("{name}: {why}"));
            }
        }
    }
    eprintln!("{compiles} of {all} compile, {equal} are equal to software OpenGL, {} are not", wrong.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
