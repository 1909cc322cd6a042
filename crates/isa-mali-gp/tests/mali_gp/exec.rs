//! The interpreter of the Mali vertex processor against recorded runs of the original shaders, and against
//! what the specification says about time.

use crate::corpus::{corpus, files, vertex_stage};
use serde_json::Value;
use unshade_isa_mali_gp::exec::{End, Program, State, Timing};
use unshade_isa_mali_gp::names::{Area, Names};
use unshade_isa_mali_gp::{asm::assemble, exec::Step};
use unshade_stage::{Code, Interface, Isa, Stage, StageId, StageKind};

const FUEL: u64 = 100_000;

/// Words in hexadecimal; `-` is nothing.
fn words(text: &Value) -> Vec<Option<f32>> {
    let text = text.as_str().unwrap();
    text.split(' ').map(|word| u32::from_str_radix(word, 16).ok().map(f32::from_bits)).collect()
}

fn entries(value: &Value) -> impl Iterator<Item = (&String, &Value)> {
    value.as_object().into_iter().flatten()
}

/// Puts the inputs of a document or a case into a state.
fn fill(state: &mut State, inputs: &Value) {
    for (number, value) in entries(&inputs["a"]) {
        let attribute = &mut state.attributes[number.parse::<usize>().unwrap()];
        for (component, word) in words(value).into_iter().enumerate() {
            attribute[component] = word.unwrap();
        }
    }
    for (first, value) in entries(&inputs["mem"]) {
        let first: usize = first.parse().unwrap();
        for (n, word) in words(value).into_iter().enumerate() {
            state.set_memory(first + n, word.unwrap());
        }
    }
}

/// Whether a value is within relative 1e-4 (of at least 1) or absolute 1e-5, unless the file says otherwise.
fn close(got: f32, want: f32, tolerance: (f64, f64)) -> bool {
    if got.is_nan() || want.is_nan() {
        return got.is_nan() && want.is_nan();
    }
    if got == want {
        return true;
    }
    let distance = (f64::from(got) - f64::from(want)).abs();
    distance <= tolerance.1 || distance <= tolerance.0 * f64::from(want).abs().max(1.0)
}

#[test]
fn recorded_runs() {
    let Some(corpus) = corpus() else { return };
    let (mut documents, mut cases, mut undefined) = (0, 0, 0);
    for path in files(&corpus.join("run/mali-gp"), ".json") {
        let document: Value = serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
        let file = corpus.join(document["file"].as_str().unwrap());
        let stage = vertex_stage(&std::fs::read(file).unwrap()).unwrap();
        let program = Program::new(&stage);
        let limit = |name: &str| document["tol"][name].as_f64().unwrap_or(0.0);
        let mut tolerance = (limit("rel"), limit("abs"));
        if path.ends_with("v09_sincos.vert.json") {
            // The compiled code has polynomials of second degree for sine and cosine, which are off by up to
            // 1.1e-3; the recorded values are those of the functions themselves.
            tolerance = (3e-3, 3e-3);
        }
        // The compiled code keeps the size of points in the machine's range, which the source does not say.
        let clamps = path.ends_with("v18_pointsize.vert.json");
        documents += 1;
        for case in document["cases"].as_array().unwrap() {
            let mut start = State::new(&stage);
            fill(&mut start, &document["in"]);
            fill(&mut start, &case["in"]);
            for timing in [Timing::Relaxed, Timing::Strict] {
                let mut state = start.clone();
                let outcome =
                    program.run_with(&mut state, FUEL, timing, &mut unshade_isa_mali_gp::exec::NoTrace);
                let name = format!("{} {} {timing:?}", path.display(), case["id"]);
                assert_eq!(outcome.end, End::Ended, "{name}");
                for (number, value) in entries(&case["out"]["v"]) {
                    let varying = state.varyings[number.parse::<usize>().unwrap()];
                    for (component, want) in words(value).into_iter().enumerate() {
                        let Some(mut want) = want else { continue };
                        let got = varying[component];
                        if clamps && number == "1" {
                            want = want.clamp(1.0, 100.0);
                        }
                        if is_undefined(
                            path.to_str().unwrap(),
                            start.attributes[0],
                            number,
                            component,
                            got,
                            want,
                        ) {
                            undefined += 1;
                            continue;
                        }
                        assert!(
                            close(got, want, tolerance),
                            "{name}: v{number} component {component} is {got}, not {want}"
                        );
                    }
                }
            }
            cases += 1;
        }
    }
    println!("{documents} documents, {cases} cases, in both modes; {undefined} undefined values passed over");
    assert!(undefined <= 2 * 8, "{undefined} values are not compared");
    assert!(documents >= 60 && cases >= 875, "{documents} documents, {cases} cases");
}

/// Powers and roots of negative numbers are undefined in the source language: the recorded evaluation took 0
/// for them, the interpreter gives NaN.
fn is_undefined(
    shader: &str,
    position: [f32; 4],
    varying: &str,
    component: usize,
    got: f32,
    want: f32,
) -> bool {
    let argument = match component {
        0 if shader.contains("v07_pow_exp_log") => position[0],
        n if shader.contains("v08_sqrt_rsqrt") => position[n],
        _ => return false,
    };
    matches!(varying, "1" | "v_c") && argument < 0.0 && got.is_nan() && want == 0.0
}

fn floats(value: &Value) -> Vec<f32> {
    match value.as_array() {
        Some(all) => all.iter().flat_map(floats).collect(),
        None => vec![value.as_f64().unwrap() as f32],
    }
}

/// The vectors that an independent evaluation made, by the names of the original shader.
#[test]
fn evaluated_runs() {
    let Some(corpus) = corpus() else { return };
    let text = std::fs::read_to_string(corpus.join("mbs/lima-out/vectors.json")).unwrap();
    let document: Value = serde_json::from_str(&text).unwrap();
    let mut cases = 0;
    for case in document["cases"].as_array().unwrap() {
        let shader = case["shader"].as_str().unwrap();
        if !shader.ends_with(".vert") {
            continue;
        }
        let file = std::fs::read(corpus.join(format!("mbs/lima-out/{shader}.mbs"))).unwrap();
        let stage = vertex_stage(&file).unwrap();
        let names = Names::of_symbols(&stage.interface.symbols);
        let mut start = State::new(&stage);
        let memory = &case["memory"];
        for (n, value) in floats(&memory["user"]).into_iter().enumerate() {
            start.set_memory(n, value);
        }
        let viewport = names.find("gl_mali_ViewportTransform[0]").expect("every shader has a viewport");
        for (n, value) in floats(&memory["viewport"]).into_iter().enumerate() {
            start.set_memory(usize::from(viewport.word) + n, value);
        }
        for (name, value) in entries(&case["inputs"]) {
            let name = names.find(name).unwrap();
            assert_eq!(name.area, Area::Attribute);
            let attribute = &mut start.attributes[usize::from(name.word / 4)];
            *attribute = [0.0, 0.0, 0.0, 1.0];
            for (component, value) in floats(value).into_iter().enumerate() {
                attribute[component] = value;
            }
        }
        for timing in [Timing::Relaxed, Timing::Strict] {
            let mut state = start.clone();
            let mut trace: Vec<Step> = Vec::new();
            let outcome = Program::new(&stage).run_with(&mut state, FUEL, timing, &mut trace);
            assert_eq!((outcome.end, trace.len() as u64), (End::Ended, outcome.steps));
            assert_eq!(Some(outcome.steps), case["instructions_executed"].as_u64(), "{shader}");
            for (name, value) in entries(&case["outputs"]) {
                let name = names.find(name).unwrap();
                let varying = state.varyings[usize::from(name.word / 4)];
                for (component, want) in floats(value).into_iter().enumerate() {
                    let got = varying[component + usize::from(name.word % 4)];
                    if is_undefined(shader, start.attributes[0], &name.text, component, got, want) {
                        continue;
                    }
                    assert!(
                        close(got, want, (1e-4, 1e-5)),
                        "{shader} {timing:?}: {} component {component} is {got}, not {want}",
                        name.text
                    );
                }
            }
        }
        cases += 1;
    }
    println!("{cases} cases");
    assert!(cases >= 175, "{cases} cases");
}

fn stage(text: &str) -> Stage<'static> {
    let assembled = assemble(text, &[]).unwrap_or_else(|findings| panic!("{findings:?}"));
    Stage {
        id: StageId("test".into()),
        kind: StageKind::Vertex,
        isa: Isa::MaliGp,
        code: Code { words: assembled.words.into(), ..Code::default() },
        interface: Interface::default(),
    }
}

fn run(text: &str, start: &State, timing: Timing) -> State {
    let mut state = start.clone();
    let program = Program::new(&stage(text));
    let outcome = program.run_with(&mut state, 1000, timing, &mut unshade_isa_mali_gp::exec::NoTrace);
    assert_eq!(outcome.end, End::Ended);
    state
}

fn start() -> State {
    let mut state = State::default();
    for n in 0..16 {
        state.attributes[n] = [1.0, 2.0, 3.0, 4.0].map(|c| c + 10.0 * n as f32);
    }
    for (row, vector) in state.memory.iter_mut().enumerate() {
        *vector = [0.0, 0.25, 0.5, 0.75].map(|c| c + row as f32);
    }
    state
}

#[test]
fn results_last_two_instructions() {
    let text = "add0 add a0.x, a0.y\n|| mul0 mul a0.z, a0.w\n|| complex mov a0.x\n|| pass mov a0.y\n\
                mul0 mov ^add0 -> v0.x\n|| mul1 mov ^complex -> v0.z\n|| complex mov ^mul0 -> v0.y\n\
                mul0 mov ^^add0 -> v1.x\n|| add1 mov ^^pass -> v1.y\n|| complex mov ^^mul0 -> v1.z\n\
                || mul1 mov ^$0.x -> v1.w";
    let state = run(&text.replace("^$0.x", "^reg0.x"), &start(), Timing::Strict);
    assert_eq!(state.varyings[0], [3.0, 12.0, 1.0, 0.0]);
    assert_eq!(state.varyings[1], [3.0, 2.0, 12.0, 0.0]);
    let text = "mul0 mov a3.x\nmul0 mov ^a3.y -> v0.x\nmul0 mov ^a3.y -> v0.x";
    assert!(assemble(text, &[]).is_ok(), "the second instruction keeps the attribute for the third");
    assert_eq!(run(text, &start(), Timing::Strict).varyings[0][0], 32.0);
}

#[test]
fn strict_writes_come_late() {
    let read_after = |nops: usize| {
        let text = format!("mul0 mov a0.x -> $1.x\n{}mul0 mov $1.x -> v0.x", "nop\n".repeat(nops));
        (
            run(&text, &start(), Timing::Strict).varyings[0][0],
            run(&text, &start(), Timing::Relaxed).varyings[0][0],
        )
    };
    assert_eq!(read_after(0), (0.0, 1.0));
    assert_eq!(read_after(1), (0.0, 1.0));
    assert_eq!(read_after(2), (1.0, 1.0));
    let address = |nops: usize| {
        let text = format!("complex addr2 a0.z\n{}mul0 mov t[5+addr2].y -> v0.x", "nop\n".repeat(nops));
        run(&text, &start(), Timing::Strict).varyings[0][0]
    };
    assert_eq!((address(2), address(3)), (5.25, 8.25));
    let temporary = |nops: usize| {
        let text = format!(
            "complex addr0 a0.z\n|| mul0 mov a0.y -> t[addr0].yw\n{}mul0 mov t[3].w -> v0.x",
            "nop\n".repeat(nops)
        );
        run(&text, &start(), Timing::Strict).varyings[0][0]
    };
    assert_eq!((temporary(2), temporary(3)), (3.75, 2.0));
}

#[test]
fn operations() {
    let one = |line: &str| run(&format!("{line} -> v0.x"), &start(), Timing::Relaxed).varyings[0][0];
    for (line, want) in [
        ("add0 add a0.x, -a0.w", -3.0),
        ("add1 floor t[2].w", 2.0),
        ("add1 sign -t[2].w", -1.0),
        ("add0 sign t[0].x", 0.0),
        ("add0 ge a0.x, a0.x", 1.0),
        ("add0 lt a0.x, a0.x", 0.0),
        ("add0 min a0.y, a0.x", 1.0),
        ("add0 max a0.y, -a0.x", 2.0),
        ("add0 max -a0.y, 0", 0.0),
        ("mul1 mul a0.y, -a0.w", -8.0),
        ("mul0 mul a0.y, 1", 2.0),
        ("mul01 select a0.x, a0.y, a0.z", 2.0),
        ("mul01 select t[0].x, a0.y, a0.z", 3.0),
        ("complex exp2 a0.z", 8.0),
        ("complex log2 a0.w", 2.0),
        ("complex rsqrt a0.w", 0.5),
        ("complex rcp a0.w", 0.25),
        ("pass clamp a0.x, t[2].x, t[2].y", 2.0),
        ("pass clamp a0.w, t[2].x, t[2].y", 2.25),
        ("pass clamp a0.z, t[3].x, t[3].y", 3.0),
    ] {
        assert_eq!(one(line), want, "{line}");
    }
}

#[test]
fn branches_and_fuel() {
    let text = "mul0 mov a0.w -> $0.x\nnop\nnop\n\
                again: add0 add $0.x, -a0.x -> $0.x\n|| pass mov $0.x\nadd1 add $1.x, a0.y -> $1.x\n|| pass mov ^pass\nnop\n\
                pass mov $0.x\n|| branch pass, again\nmul0 mov $1.x -> v0.x";
    for timing in [Timing::Relaxed, Timing::Strict] {
        assert_eq!(run(text, &start(), timing).varyings[0][0], 8.0, "{timing:?}");
    }
    let endless = stage("again: pass mov a0.x\n|| branch pass, again");
    let outcome = Program::new(&endless).run(&mut start(), 1000);
    assert_eq!((outcome.end, outcome.steps), (End::OutOfFuel, 1000));
}
