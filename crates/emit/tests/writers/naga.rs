//! WGSL, HLSL, MSL and SPIR-V: golden files, and the validators of each language.

use crate::tools;
use crate::trees;
use unshade_emit::{ErrorKind, Options, naga};
use unshade_stage::StageKind;

fn options(kind: StageKind, strict: bool) -> Options {
    Options { strict, header: vec!["example.shbin #0, for PICA200".to_owned()], ..Options::new(kind) }
}

#[test]
fn golden_files() {
    for (name, kind, program) in trees::programs::all() {
        if kind != StageKind::Geometry {
            tools::golden(
                &format!("{name}.wgsl"),
                &naga::wgsl(&program, &options(kind, false)).unwrap().text,
            );
        }
    }
    for (name, kind, program) in trees::fragments::all() {
        if let Some(wgsl) = accepted(name, "WGSL", naga::wgsl(&program, &options(kind, false))) {
            tools::golden(&format!("{name}.wgsl"), &wgsl.text);
        }
    }
    let (_, kind, program) = trees::fragments::all().remove(0);
    tools::golden("textured.hlsl", &naga::hlsl(&program, &options(kind, false)).unwrap().text);
    tools::golden("textured.metal", &naga::msl(&program, &options(kind, false)).unwrap().text);
    let (_, kind, program) = trees::programs::all().remove(0);
    tools::golden("transform.hlsl", &naga::hlsl(&program, &options(kind, false)).unwrap().text);
    tools::golden("transform.metal", &naga::msl(&program, &options(kind, false)).unwrap().text);
}

#[test]
fn every_language_is_valid() {
    let (mut hlsl, mut spirv) = (Vec::new(), Vec::new());
    for (name, kind, program) in trees::programs::all().into_iter().chain(trees::fragments::all()) {
        if kind == StageKind::Geometry {
            continue;
        }
        for strict in [false, true] {
            let options = options(kind, strict);
            let case = format!("{name}-{strict}");
            if let Some(wgsl) = accepted(name, "WGSL", naga::wgsl(&program, &options)) {
                tools::validate_wgsl(&case, &wgsl.text);
            }
            if let Some(text) = accepted(name, "HLSL", naga::hlsl(&program, &options)) {
                hlsl.push((case.clone(), kind, text.text));
            }
            spirv.push((case.clone(), naga::spirv(&program, &options).unwrap().bytes()));
            let entry = if kind == StageKind::Vertex { "vertex " } else { "fragment " };
            assert!(naga::msl(&program, &options).unwrap().text.contains(entry), "{case}");
        }
    }
    tools::validate_hlsl(&hlsl);
    tools::validate_spirv(&spirv);
}

#[test]
fn pipelines_are_valid_or_named() {
    let (mut hlsl, mut spirv, mut wgsl) = (Vec::new(), Vec::new(), 0);
    for (name, kind, program) in trees::pipeline::all() {
        if kind == StageKind::Geometry {
            continue;
        }
        let options = options(kind, false);
        let named = |error: unshade_emit::Error| {
            assert!(
                error.kind == ErrorKind::Unsupported && error.message.starts_with("gl_"),
                "{name}: {error}"
            );
        };
        match naga::wgsl(&program, &options) {
            Ok(text) => {
                wgsl += 1;
                tools::validate_wgsl(&name, &text.text);
            }
            Err(error) => named(error),
        }
        match naga::hlsl(&program, &options) {
            Ok(text) => hlsl.push((name.clone(), kind, text.text)),
            Err(error) => named(error),
        }
        match naga::spirv(&program, &options) {
            Ok(binary) => spirv.push((name.clone(), binary.bytes())),
            Err(error) => named(error),
        }
        naga::msl(&program, &options).map_or_else(named, |_| ());
    }
    assert!(wgsl >= 18, "{wgsl}");
    tools::validate_hlsl(&hlsl);
    tools::validate_spirv(&spirv);
}

/// Every question to every kind of texture has a form that validators take, or is refused by name.
#[test]
fn textures_are_valid_or_named() {
    let (mut hlsl, mut spirv, mut wgsl) = (Vec::new(), Vec::new(), 0);
    for (texture, texel) in trees::textures::all() {
        let program = trees::textures::program(texture, texel, true);
        let case = trees::textures::name(texture, texel);
        for kind in [StageKind::Fragment, StageKind::Vertex] {
            let options = options(kind, false);
            let named = |error: unshade_emit::Error| {
                assert_eq!(error.kind, ErrorKind::Unsupported, "{case}: {error}");
            };
            match naga::wgsl(&program, &options) {
                Ok(text) => {
                    wgsl += 1;
                    tools::validate_wgsl(&case, &text.text);
                }
                Err(error) => named(error),
            }
            let name = format!("{case} {kind}");
            match naga::hlsl(&program, &options) {
                Ok(text) => hlsl.push((name.clone(), kind, text.text)),
                Err(error) => named(error),
            }
            match naga::spirv(&program, &options) {
                Ok(binary) => spirv.push((name, binary.bytes())),
                Err(error) => named(error),
            }
            naga::msl(&program, &options).map_or_else(named, |_| ());
        }
    }
    assert!(wgsl >= 150, "{wgsl}");
    tools::validate_hlsl(&hlsl);
    tools::validate_spirv(&spirv);
}

#[test]
fn blocks_are_valid() {
    let program = trees::buffers::blocks();
    let (mut hlsl, mut spirv) = (Vec::new(), Vec::new());
    for strict in [false, true] {
        let options = options(StageKind::Vertex, strict);
        let case = format!("blocks-{strict}");
        let wgsl = naga::wgsl(&program, &options).unwrap();
        tools::validate_wgsl(&case, &wgsl.text);
        if !strict {
            tools::golden("blocks.wgsl", &wgsl.text);
        }
        hlsl.push((case.clone(), StageKind::Vertex, naga::hlsl(&program, &options).unwrap().text));
        spirv.push((case, naga::spirv(&program, &options).unwrap().bytes()));
        assert!(naga::msl(&program, &options).unwrap().text.contains("Material"));
    }
    tools::validate_hlsl(&hlsl);
    tools::validate_spirv(&spirv);
}

/// What came out, unless the program is one for points in a language that has none.
fn accepted<T>(name: &str, target: &str, printed: Result<T, unshade_emit::Error>) -> Option<T> {
    match printed {
        Ok(printed) => Some(printed),
        Err(error) => {
            let points = ["points", "sprite"].contains(&name);
            assert!(points && error.message.starts_with("gl_Point"), "{name} in {target}: {error}");
            None
        }
    }
}

#[test]
fn a_texture_chosen_by_a_computed_number_is_refused() {
    use unshade_ir::ast::{ExprKind, Stmt};
    let mut program = trees::fragments::video();
    let body = &mut program.functions[0].body;
    let Stmt::Declare(_, Some(value)) = &mut body[0] else { panic!() };
    let ExprKind::Texture(fetch) = &mut value.kind else { panic!() };
    let coordinate = trees::swizzle(trees::read(4, trees::VEC2), "x");
    fetch.element = Some(trees::convert(unshade_ir::ast::Scalar::Int, coordinate));
    let error = naga::wgsl(&program, &options(StageKind::Fragment, false)).unwrap_err();
    assert_eq!(error.kind, ErrorKind::Unsupported);
    assert!(error.message.contains("u_planes"), "{error}");
}

#[test]
fn other_stages_are_refused_by_name() {
    for (name, kind, program) in trees::programs::all() {
        if kind == StageKind::Geometry {
            let error = naga::wgsl(&program, &options(kind, false)).unwrap_err();
            assert_eq!(error.kind, ErrorKind::Unsupported, "{name}");
            assert!(error.to_string().contains(kind.name()), "{error}");
            assert!(naga::spirv(&program, &options(kind, false)).unwrap_err().to_string().contains("SPIR-V"));
        }
    }
}

/// SPIR-V has doubles; the others say that they have not.
#[test]
fn doubles_are_in_spirv_alone() {
    let mut spirv = Vec::new();
    for seed in tools::seeds(60) {
        let recipe = trees::random::Recipe { kind: StageKind::Vertex, comparable: false, doubles: true };
        let program = trees::random::program(seed, recipe);
        let options = options(StageKind::Vertex, seed % 2 == 0);
        let binary = naga::spirv(&program, &options).unwrap_or_else(|error| panic!("{seed}: {error}"));
        spirv.push((format!("program {seed}"), binary.bytes()));
        for (name, result) in [
            ("WGSL", naga::wgsl(&program, &options)),
            ("HLSL", naga::hlsl(&program, &options)),
            ("MSL", naga::msl(&program, &options)),
        ] {
            let Err(error) = result else { continue };
            assert_eq!(error.kind, ErrorKind::Unsupported, "{error}");
            assert!(error.message.starts_with(&format!("doubles, floats of 64 bits, in {name}")), "{error}");
        }
    }
    tools::validate_spirv(&spirv);
}

#[test]
fn random_programs_are_valid() {
    let (mut hlsl, mut spirv) = (Vec::new(), Vec::new());
    for seed in tools::seeds(150) {
        let recipe = trees::random::Recipe { kind: StageKind::Vertex, comparable: false, doubles: false };
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
                StageKind::Vertex,
                naga::hlsl(&program, &options).unwrap_or_else(|error| failed(error)).text,
            ));
        }
    }
    tools::validate_spirv(&spirv);
    tools::validate_hlsl(&hlsl);
}
