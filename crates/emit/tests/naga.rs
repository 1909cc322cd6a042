//! WGSL, HLSL, MSL and SPIR-V: golden files, and the validators of each language.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout, clippy::print_stderr)]

mod tools;
mod trees;

use unshade_emit::{ErrorKind, Options, naga};
use unshade_stage::StageKind;

fn options(kind: StageKind, strict: bool) -> Options {
    Options { strict, header: vec!["example.shbin #0, for PICA200".to_owned()], ..Options::new(kind) }
}

#[test]
fn golden_files() {
    for (name, kind, program) in trees::programs::all() {
        if kind == StageKind::Vertex {
            tools::golden(
                &format!("{name}.wgsl"),
                &naga::wgsl(&program, &options(kind, false)).unwrap().text,
            );
        }
    }
    let (_, kind, program) = trees::programs::all().remove(0);
    tools::golden("transform.hlsl", &naga::hlsl(&program, &options(kind, false)).unwrap().text);
    tools::golden("transform.metal", &naga::msl(&program, &options(kind, false)).unwrap().text);
}

#[test]
fn every_language_is_valid() {
    let (mut hlsl, mut spirv) = (Vec::new(), Vec::new());
    for (name, kind, program) in trees::programs::all() {
        if kind != StageKind::Vertex {
            continue;
        }
        for strict in [false, true] {
            let options = options(kind, strict);
            let name = format!("{name}-{strict}");
            tools::validate_wgsl(&name, &naga::wgsl(&program, &options).unwrap().text);
            hlsl.push((name.clone(), naga::hlsl(&program, &options).unwrap().text));
            spirv.push((name.clone(), naga::spirv(&program, &options).unwrap().bytes()));
            assert!(naga::msl(&program, &options).unwrap().text.contains("vertex "), "{name}");
        }
    }
    tools::validate_hlsl(&hlsl);
    tools::validate_spirv(&spirv);
}

#[test]
fn other_stages_are_refused_by_name() {
    for (name, kind, program) in trees::programs::all() {
        if kind != StageKind::Vertex {
            let error = naga::wgsl(&program, &options(kind, false)).unwrap_err();
            assert_eq!(error.kind, ErrorKind::Unsupported, "{name}");
            assert!(error.to_string().contains(kind.name()), "{error}");
            assert!(naga::spirv(&program, &options(kind, false)).unwrap_err().to_string().contains("SPIR-V"));
        }
    }
}

#[test]
fn random_programs_are_valid() {
    let (mut hlsl, mut spirv) = (Vec::new(), Vec::new());
    for seed in tools::seeds(150) {
        let recipe = trees::random::Recipe { kind: StageKind::Vertex, comparable: false };
        let program = trees::random::program(seed, recipe);
        let name = format!("program {seed}");
        let options = options(StageKind::Vertex, seed % 2 == 0);
        let failed = |error: unshade_emit::Error| -> ! { panic!("{name}: {error}") };
        let wgsl = naga::wgsl(&program, &options).unwrap_or_else(|error| failed(error));
        tools::validate_wgsl(&name, &wgsl.text);
        spirv.push((
            name.clone(),
            naga::spirv(&program, &options).unwrap_or_else(|error| failed(error)).bytes(),
        ));
        naga::msl(&program, &options).unwrap_or_else(|error| failed(error));
        if seed % 3 == 0 {
            hlsl.push((
                name.clone(),
                naga::hlsl(&program, &options).unwrap_or_else(|error| failed(error)).text,
            ));
        }
    }
    tools::validate_spirv(&spirv);
    tools::validate_hlsl(&hlsl);
}
