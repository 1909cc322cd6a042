//! Interfaces as the symbol tables have them: arrays of structures that an index reaches into, matrices between stages, whole
//! numbers and truth values. The programs are listings of what Mesa's compiler makes of the sources above them.

use unshade::verify::verify;
use unshade::{DecompileOptions, GlslVersion, Opened, Stage, Target, assemble_listing, decompile, open};

fn program(text: &str) -> Opened {
    let container = assemble_listing(text).unwrap_or_else(|found| panic!("{}", found[0]));
    open(&container.write().unwrap()).unwrap()
}

fn only(opened: &Opened) -> Stage<'_> {
    opened.stages(None).next().unwrap().1
}

fn source(stage: &Stage<'_>, glsl: GlslVersion, strict: bool) -> String {
    let how = DecompileOptions { target: Target::Glsl(glsl), strict, ..DecompileOptions::default() };
    decompile(stage, &how).unwrap().text
}

/// Both modes, on as many cases as are asked for.
fn equal(text: &str) {
    let opened = program(text);
    let verdict = verify(&only(&opened), 512, 1);
    assert!(verdict.passed(), "{verdict:#?}\n{text}");
    assert_eq!((verdict.strict.failure, verdict.readable.failure), (None, None), "{text}");
}

const SCALE: &str = include_str!("programs/int_uniform_scale.vert.lst");
const ADD: &str = include_str!("programs/int_uniform.vert.lst");
const LOOP: &str = include_str!("programs/int_loop.frag.lst");
const PALETTE: &str = include_str!("programs/ivec_array.frag.lst");
const STRUCTS: &str = include_str!("programs/struct_array.frag.lst");
const CONSTANT: &str = include_str!("programs/struct_array_const.frag.lst");
const MATRIX: &str = include_str!("programs/mat_varying.vert.lst");

/// The compiler stores all three columns to the first, one after the other; this is what it means.
fn columns() -> String {
    let mut parts = MATRIX.split("-> m[0]");
    let mut text = parts.next().unwrap_or_default().to_owned();
    for (at, part) in parts.enumerate() {
        text += &format!("-> m[{}]{part}", [2, 0, 1][at / 3]);
    }
    text
}

#[test]
fn integers_get_whole_numbers() {
    for text in [SCALE, ADD, LOOP, PALETTE] {
        equal(text);
    }
    // Truth values too: 0.37 is none.
    equal(&SCALE.replace("highp int k", "highp bool k"));
    equal(&LOOP.replace("mediump int n", "mediump bool n"));
}

#[test]
fn an_index_reaches_into_structures() {
    equal(STRUCTS);
    let opened = program(STRUCTS);
    for glsl in [GlslVersion::Es100, GlslVersion::Es300, GlslVersion::Core450] {
        let text = source(&only(&opened), glsl, false);
        for line in ["float e;\n", "vec4 c;\n", "uniform L l[4];", "l[index].e", "l[index].c"] {
            assert!(text.contains(line), "{line}\n{text}");
        }
    }
    // Each element is found by its name.
    let how = DecompileOptions::default();
    let interface = decompile(&only(&opened), &how).unwrap().interface;
    let places: Vec<(&str, u32)> = interface
        .iter()
        .filter(|binding| binding.name.starts_with("l["))
        .map(|binding| (binding.name.as_str(), binding.machine.first))
        .collect();
    assert!(places.contains(&("l[0].e", 0)) && places.contains(&("l[3].c", 28)), "{places:?}");
    // Members beside them that are no plain vectors.
    let with_matrix = STRUCTS
        .replace("@component_count=2", "@component_count=3")
        .replace(" l[4] at 0", " l[4] at 0 @component_size=24 @src_stride=24")
        .replace(
            "c at 4 @parent=0 @index=-,-,-",
            "c at 4 @parent=0 @index=-,-,-\n        .uniform    mediump mat4 m at 8 @parent=0 @index=-,-,-",
        )
        .replace("const0      2, 0, 0, 0", "const0      6, 0, 0, 0");
    equal(&with_matrix);
    let opened = program(&with_matrix);
    let text = source(&only(&opened), GlslVersion::Es100, false);
    for line in ["mat4 m;", "uniform L l[4];", "l[index].c"] {
        assert!(text.contains(line), "{line}\n{text}");
    }
}

#[test]
fn structures_by_constant_indices() {
    equal(CONSTANT);
    let opened = program(CONSTANT);
    for strict in [false, true] {
        let text = source(&only(&opened), GlslVersion::Es100, strict);
        assert!(text.contains("uniform L l[2];") && text.contains("l[1].c"), "{text}");
    }
}

#[test]
fn a_vertex_program_writes_a_matrix() {
    equal(MATRIX);
    let text = columns();
    equal(&text);
    let opened = program(&text);
    for glsl in [GlslVersion::Es100, GlslVersion::Es300, GlslVersion::Core330, GlslVersion::Core450] {
        for strict in [false, true] {
            let text = source(&only(&opened), glsl, strict);
            for line in ["mat3 m;", "m[0] = ", "m[1] = ", "m[2] = "] {
                assert!(text.contains(line), "{line}\n{text}");
            }
            // All of it is written, so nothing has to be set to zero first.
            assert!(!text.contains("vec3(0.0)"), "{text}");
        }
    }
    // Languages without matrices between stages have one output for each column.
    for target in [Target::Wgsl, Target::Hlsl, Target::Msl, Target::Spirv] {
        let how = DecompileOptions { target, ..DecompileOptions::default() };
        decompile(&only(&opened), &how).unwrap_or_else(|error| panic!("{target:?}: {error}"));
    }
}
