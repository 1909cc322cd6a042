//! The compiler: every program of `tests/compile-programs` does what its source says, as software OpenGL has it.

use crate::support::machine::{run, stage, table};
use crate::support::programs::{
    Expected, SET, Source, expected, folder, put_attribute, put_uniform, sources,
};
use std::{collections::HashMap, path::Path, process::Command};
use unshade_bytes::{Location, Severity};
use unshade_compile::{Calls, Compiled, Options, compile, reference::Reference};
use unshade_isa::pica200::exec::{Float, Program, Rounding, State};
use unshade_isa::pica200::lint::lint;

fn compiled(source: &Source) -> Compiled {
    let of = unshade_compile::Source { name: &source.file, text: &source.text, language: source.language };
    compile(&[of], &Options::default()).unwrap_or_else(|findings| {
        panic!("{}: {}", source.file, findings.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))
    })
}

/// What the reference itself is off: Mesa's asin and acos are polynomials with an error of 2e-4 (asin of 0.6587 is 0.71925,
/// as the compiled program has it, not 0.71909).
fn inexact(program: &str) -> f32 {
    if program == "polar_coordinates" { 3e-4 } else { 0.0 }
}

/// Compares all cases of a program; how far it was off at most, in parts of what is allowed.
fn compare(source: &Source, reference: &mut Expected, float: Float, loose: f32) -> f32 {
    let compiled = compiled(source);
    let stage = stage(&compiled);
    let program = Program::new(&stage);
    let (table, interface) = (table(&compiled), &compiled.interfaces[0]);
    let mut base = State::new(&stage);
    let mut worst = 0.0f32;
    for case in 0..reference.cases {
        if case % SET == 0 {
            for variable in &mut reference.uniforms {
                let values = variable.draw();
                put_uniform(&mut base, &table, interface, variable, &values);
            }
        }
        let mut state = base.clone();
        for variable in &mut reference.attributes {
            let values = variable.draw();
            put_attribute(&mut state, &table, variable, &values);
        }
        for (name, found) in run(&compiled, &program, state, float) {
            let Some(wanted) = reference.outputs.get(&name).map(|cases| &cases[case]) else { continue };
            let spread = reference.spread[&name][case];
            let largest = wanted.iter().fold(1.0f32, |largest, value| largest.max(value.abs()));
            let allowed = loose * (spread + largest * 2.0f32.powi(-16)) + inexact(&source.name);
            for (component, (found, wanted)) in found.iter().zip(wanted).enumerate() {
                let off = (found - wanted).abs() / allowed;
                worst = worst.max(off);
                assert!(
                    off <= 1.0,
                    "{} case {case} {name}[{component}] {float:?}: found {found}, wanted {wanted}, allowed {allowed}",
                    source.file
                );
            }
        }
    }
    worst
}

/// Compares all programs with what is expected of them in a folder.
fn compare_all(expectations: &Path) {
    let mut count = 0;
    for source in sources(&["programs", "corpus"]) {
        for (float, loose) in [(Float::F32, 4.0), (Float::F24(Rounding::Nearest), 16.0)] {
            let mut reference = expected(expectations, &source.name)
                .unwrap_or_else(|| panic!("nothing is expected of {}", source.name));
            let worst = compare(&source, &mut reference, float, loose);
            if std::env::var_os("UNSHADE_SHOW").is_some() {
                eprintln!("{:28} {float:?} {worst:.3}", source.name);
            }
        }
        count += 1;
    }
    assert!(count >= 60, "{count}");
}

#[test]
fn programs_do_what_software_opengl_does() {
    compare_all(&folder().join("expected"));
}

/// The same on 256 inputs each, which software OpenGL computes now.
#[test]
fn programs_do_what_software_opengl_does_on_more_inputs() {
    if !unshade_corpus::shared("tools/glslrun.py").exists() {
        eprintln!("skipped: no shared/tools/glslrun.py beside the checkout");
        return;
    }
    let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join("compile-expected");
    let script = folder().join("reference.py");
    match Command::new("python3").arg(script).arg("full").arg(&out).output() {
        Ok(done) if done.status.success() => compare_all(&out),
        other => {
            assert!(
                std::env::var_os("UNSHADE_REQUIRE_TOOLS").is_none(),
                "reference.py does not run: {other:?}"
            );
            eprintln!("skipped: reference.py does not run here (python3, libegl1, Mesa)");
        }
    }
}

/// 256 inputs each, against the source as it is computed statement by statement.
#[test]
fn programs_do_what_their_source_says() {
    for source in sources(&["programs", "corpus"]) {
        let compiled = compiled(&source);
        let stage = stage(&compiled);
        let program = Program::new(&stage);
        let (table, interface) = (table(&compiled), &compiled.interfaces[0]);
        let reference = Reference::new(&source.text, source.language).unwrap();
        let mut described = expected(&folder().join("expected"), &source.name).unwrap();
        let mut base = State::new(&stage);
        let mut inputs: HashMap<String, Vec<f32>> = HashMap::new();
        let mut decided = 0;
        for case in 0..256 {
            if case % SET == 0 {
                for variable in &mut described.uniforms {
                    let values = variable.draw();
                    put_uniform(&mut base, &table, interface, variable, &values);
                    inputs.insert(variable.name.clone(), values);
                }
            }
            let mut state = base.clone();
            for variable in &mut described.attributes {
                let values = variable.draw();
                put_attribute(&mut state, &table, variable, &values);
                inputs.insert(variable.name.clone(), values);
            }
            let Ok(wanted) = reference.run(&inputs) else { continue };
            decided += 1;
            for float in [Float::F32, Float::F24(Rounding::Nearest), Float::F24(Rounding::Truncate)] {
                for (name, found) in run(&compiled, &program, state.clone(), float) {
                    let Some((_, wanted)) = wanted.iter().find(|(wanted, _)| *wanted == name) else {
                        continue;
                    };
                    for (component, (found, wanted)) in found.iter().zip(wanted).enumerate() {
                        let off = (f64::from(*found) - wanted.value).abs();
                        assert!(
                            off <= wanted.error * 2.0 + wanted.value.abs() / 32768.0,
                            "{} case {case} {name}[{component}] {float:?}: found {found}, wanted {wanted:?}",
                            source.file
                        );
                    }
                }
            }
        }
        if std::env::var_os("UNSHADE_SHOW").is_some() {
            eprintln!("{:28} {decided} of 256 decided", source.name);
        }
        assert!(decided >= 128, "{}: {decided} of 256 cases are decided", source.file);
    }
}

#[test]
fn programs_have_no_finding() {
    for source in sources(&["programs", "corpus"]) {
        let compiled = compiled(&source);
        let findings = lint(&stage(&compiled));
        assert!(findings.is_empty(), "{}: {findings:?}", source.file);
    }
}

/// How many words programs have beside hand-written ones, and the ratio in the median.
#[test]
fn programs_are_as_short_as_hand_written_ones() {
    let text = std::fs::read_to_string(folder().join("corpus/README.md")).unwrap();
    let mut ratios: Vec<(f64, String)> = Vec::new();
    for line in text.lines().filter(|line| line.starts_with("| `")) {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let (Some(name), Some(live)) = (cells.get(1), cells.get(3).and_then(|live| live.parse::<f64>().ok()))
        else {
            continue;
        };
        let name = name.trim_matches('`');
        let source = sources(&["corpus"]).into_iter().find(|source| source.name == name).unwrap();
        let words = compiled(&source).assembly.program.words.len();
        ratios.push((words as f64 / live, format!("{name:16} {words:4} words, by hand {live:4}")));
    }
    ratios.sort_by(|a, b| a.0.total_cmp(&b.0));
    if std::env::var_os("UNSHADE_SHOW").is_some() {
        for (ratio, line) in &ratios {
            eprintln!("{line} {ratio:.2}");
        }
    }
    let median = ratios[ratios.len() / 2].0;
    assert!(ratios.len() >= 25 && median <= 1.2, "{median} in the median of {}", ratios.len());
}

#[test]
fn what_cannot_be_done_is_refused_where_it_stands() {
    let mut failed = Vec::new();
    for source in sources(&["refused"]) {
        let line = source.text.lines().find(|line| line.starts_with("// refused: ")).unwrap();
        let (number, phrase) = line["// refused: ".len()..].split_once(": ").unwrap();
        let of =
            unshade_compile::Source { name: &source.file, text: &source.text, language: source.language };
        let Err(findings) = compile(&[of], &Options::default()) else {
            failed.push(format!("{}: compiles, wanted {phrase} in line {number}", source.file));
            continue;
        };
        let first = findings.iter().find(|found| found.severity == Severity::Error).unwrap();
        let Location::Text { span, .. } = &first.location else { panic!("{}: {first}", source.file) };
        let found = source.text[..span.start].matches('\n').count() + 1;
        let whole =
            std::iter::once(&first.message).chain(&first.notes).cloned().collect::<Vec<_>>().join("; ");
        if found.to_string() != number || !whole.to_lowercase().contains(&phrase.to_lowercase()) {
            failed.push(format!("{}: line {found}: {whole}\n    wanted {number}: {phrase}", source.file));
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

/// What needs more than sixteen registers in the order of the source fits in another one.
#[test]
fn programs_with_many_values_fit() {
    for source in sources(&["programs"]).iter().filter(|source| source.name.starts_with("many_")) {
        let compiled = compiled(source);
        assert!(compiled.registers[0] <= 16, "{}: {}", source.file, compiled.registers[0]);
    }
}

/// Functions are called where the program would not fit otherwise, or where it is much shorter.
#[test]
fn large_functions_are_called() {
    for name in ["large_function", "bending"] {
        let source = sources(&["programs"]).into_iter().find(|source| source.name == name).unwrap();
        let of =
            unshade_compile::Source { name: &source.file, text: &source.text, language: source.language };
        let called = compiled(&source);
        let calls = called.listings[0].lines().filter(|line| line.trim_start().starts_with("call")).count();
        assert!(calls >= 4, "{name}: {calls} calls\n{}", called.listings[0]);
        let options = Options { calls: Calls::Never, ..Options::default() };
        match compile(&[of], &options) {
            Ok(written_out) => {
                let (long, short) =
                    (written_out.assembly.program.words.len(), called.assembly.program.words.len());
                assert!(short * 4 <= long * 3, "{name}: {short} words with calls, {long} without");
            }
            Err(findings) => assert_eq!(findings[0].code, "compile.size", "{name}: {}", findings[0]),
        }
    }
}

/// What old versions write, and texts that say none, is the same program.
#[test]
fn old_words_and_prefixed_names_are_understood() {
    let new = "#version 450\nin vec4 a_position; in vec2 a_uv; out vec4 v_fragmentColor; out vec2 vTexCoord;\n\
        uniform mat4 mvp; uniform vec4 tint;\n\
        void main() { gl_Position = mvp * a_position; v_fragmentColor = tint; vTexCoord = a_uv; }\n";
    let words = |text: &str| {
        let source = unshade_compile::Source { name: "a", text, language: unshade_compile::Language::Glsl };
        let made =
            compile(&[source], &Options::default()).unwrap_or_else(|findings| panic!("{}", findings[0]));
        made.assembly.program.words
    };
    let expected = words(new);
    let old = new.replace("in vec", "attribute vec").replace("out vec", "varying mediump vec");
    let precision = "#ifdef GL_ES\nprecision mediump float;\n#endif\n";
    for version in
        ["", "#version 100\n", "#version 110\n", "#version 330 core\n", "#version 410\n", precision]
    {
        assert_eq!(words(&old.replace("#version 450\n", version)), expected, "{version}");
    }
}

/// A text with the other half of a pipeline in it: what only that half uses takes no register and is not refused.
#[test]
fn what_other_entry_points_use_is_theirs() {
    let vertex = "struct Camera { view_proj: mat4x4<f32> }\n\
        @group(1) @binding(0) var<uniform> camera: Camera;\n\
        struct Out { @builtin(position) clip_position: vec4<f32>, @location(0) tex_coords: vec2<f32> }\n\
        @vertex fn vs_main(@location(0) p: vec3<f32>, @location(1) uv: vec2<f32>) -> Out {\n\
            return Out(camera.view_proj * vec4<f32>(p, 1.0), uv);\n\
        }\n";
    let fragment = "@group(0) @binding(0) var t: texture_2d<f32>;\n\
        @group(0) @binding(1) var s: sampler;\n\
        @group(2) @binding(0) var<uniform> lights: array<vec4<f32>, 200>;\n\
        @group(2) @binding(1) var<storage> table: array<f32>;\n\
        fn shade(uv: vec2<f32>) -> vec4<f32> { return textureSample(t, s, uv) * lights[1] * table[3]; }\n\
        @fragment fn fs_main(in: Out) -> @location(0) vec4<f32> { return shade(in.tex_coords); }\n";
    let made = |text: &str| {
        let source = unshade_compile::Source { name: "a", text, language: unshade_compile::Language::Wgsl };
        compile(&[source], &Options::default())
    };
    let alone = made(vertex).unwrap();
    let both = made(&format!("{vertex}{fragment}")).unwrap_or_else(|findings| panic!("{}", findings[0]));
    assert_eq!(both.listings, alone.listings);
    let used = format!("{vertex}{fragment}").replace("1.0), uv)", "1.0), uv * table[0])");
    assert_eq!(made(&used).unwrap_err()[0].code, "compile.unsupported");
}

/// Two hundred small programs a second, with a wide margin, so that a busy machine does not matter.
#[test]
fn small_programs_compile_quickly() {
    let names = ["mvp", "lambert", "fog", "flags", "lights_loop"];
    let small: Vec<Source> =
        sources(&["programs"]).into_iter().filter(|source| names.contains(&source.name.as_str())).collect();
    assert_eq!(small.len(), names.len());
    let before = std::time::Instant::now();
    let times = 40;
    for source in (0..times).flat_map(|_| &small) {
        compiled(source);
    }
    let rate = (times * small.len()) as f64 / before.elapsed().as_secs_f64();
    if std::env::var_os("UNSHADE_SHOW").is_some() {
        eprintln!("{rate:.0} programs a second");
    }
    assert!(rate >= 200.0, "{rate:.0} programs a second");
}
