//! All stages of a program as one text: what they have in common once, each stage under its macro.

use crate::tools;
use crate::trees::{
    VEC2, VEC3, VEC4, assign_global, binary, construct, declare, element, float, function, int, local,
    position_output, read, swizzle, vector,
};
use unshade_emit::glsl::{self, Part};
use unshade_emit::{GlslVersion, Options};
use unshade_ir::ast::unite::unite;
use unshade_ir::ast::{Binary, GlobalVar, Program, Stmt, Type};
use unshade_ir::{Interpolation, Space, UniformBlock};
use unshade_stage::StageKind;

fn scene() -> Vec<UniformBlock> {
    vec![UniformBlock { name: "Scene".to_owned(), named: true, binding: 0, words: 16 }]
}

fn program(globals: Vec<GlobalVar>, locals: &[(&str, Type)], body: Vec<Stmt>) -> Program {
    Program {
        globals,
        blocks: scene(),
        functions: vec![function("main", 0, locals, &[], body)],
        ..Program::default()
    }
}

/// Passes on a normal and a color, and reads two members of a block.
fn vertex() -> Program {
    let globals = vec![
        vector("place", Space::Input, 0, 3),
        position_output(),
        vector("vNormal", Space::Output, 1, 3),
        vector("vColor", Space::Output, 2, 4),
        vector("offset", Space::Uniform, 0, 4),
        vector("tint", Space::Uniform, 1, 4),
    ];
    let moved = binary(Binary::Add, read(0, VEC3), swizzle(read(4, VEC4), "xyz"));
    let body = vec![
        assign_global(1, construct(4, vec![moved, float(1.0)])),
        assign_global(2, read(0, VEC3)),
        assign_global(3, read(5, VEC4)),
    ];
    program(globals, &[], body)
}

/// Takes less of both, knows one member under another name and one more, and has a local called like a member.
fn fragment() -> Program {
    let mut flat = vector("shade", Space::Input, 2, 4);
    flat.global.interpolation = Interpolation::Flat;
    let mut guessed = vector("Scene_vector0", Space::Uniform, 0, 2);
    guessed.global.named = false;
    let globals = vec![
        vector("vNormal", Space::Input, 1, 2),
        flat,
        vector("color", Space::Output, 0, 4),
        guessed,
        vector("fog", Space::Uniform, 2, 4),
    ];
    let sum = binary(Binary::Add, read(0, VEC2), read(3, VEC2));
    let body = vec![
        declare(0, binary(Binary::Mul, read(1, VEC4), read(4, VEC4))),
        assign_global(
            2,
            construct(
                4,
                vec![
                    swizzle(binary(Binary::Add, sum, swizzle(local(0, VEC4), "xy")), "xy"),
                    float(0.0),
                    float(1.0),
                ],
            ),
        ),
    ];
    program(globals, &[("tint", VEC4)], body)
}

/// Passes on what each vertex brings.
fn geometry() -> Program {
    let of_vertices = |mut variable: GlobalVar| {
        variable.global.vertices = 3;
        variable.global.vertex_stride = 64;
        variable.global.shape = unshade_ir::Shape::Float { components: 3, elements: 3 };
        variable
    };
    let globals = vec![
        of_vertices(vector("vNormal", Space::Input, 1, 3)),
        position_output(),
        vector("gNormal", Space::Output, 1, 3),
        vector("gColor", Space::Output, 2, 4),
    ];
    let body = vec![
        assign_global(1, construct(4, vec![element(0, VEC3, int(0)), float(1.0)])),
        assign_global(2, element(0, VEC3, int(1))),
        assign_global(3, construct(4, vec![element(0, VEC3, int(2)), float(1.0)])),
        Stmt::EmitVertex(0, unshade_ir::ast::Link::NONE),
        Stmt::EndPrimitive(0, unshade_ir::ast::Link::NONE),
    ];
    Program { blocks: Vec::new(), max_vertices: Some(1), ..program(globals, &[], body) }
}

fn text(stages: Vec<(StageKind, Program)>, version: GlslVersion, strict: bool) -> String {
    let options: Vec<Options> =
        stages.iter().map(|(kind, _)| Options { glsl: version, strict, ..Options::new(*kind) }).collect();
    let mut trees: Vec<Program> = stages.into_iter().map(|(_, program)| program).collect();
    let renamed = unite(&mut trees.iter_mut().collect::<Vec<_>>(), glsl::linking(&options[0]));
    let parts: Vec<Part<'_>> = trees
        .iter()
        .zip(&options)
        .zip(&renamed)
        .map(|((program, options), renamed)| Part { program, options, renamed })
        .collect();
    let whole = glsl::print_program(&parts, &["a program".to_owned()]);
    for stage in &whole.stages {
        assert!(stage.is_ok(), "{stage:?}");
    }
    whole.text
}

/// One text for each stage: the macro stands behind the first line.
fn stages(name: &str, text: &str, kinds: &[StageKind]) -> Vec<(String, StageKind, String)> {
    let (version, rest) = text.split_once('\n').unwrap();
    let of = |kind: &StageKind| {
        let text = format!("{version}\n#define {}\n{rest}", Part::macro_name(*kind));
        (format!("{name} {kind}"), *kind, text)
    };
    kinds.iter().map(of).collect()
}

#[test]
fn golden_files() {
    let pair = || vec![(StageKind::Vertex, vertex()), (StageKind::Fragment, fragment())];
    let three = || {
        let mut all = pair();
        all.insert(1, (StageKind::Geometry, geometry()));
        all
    };
    let kinds = [StageKind::Vertex, StageKind::Geometry, StageKind::Fragment];
    let mut texts = Vec::new();
    for (name, version, strict) in [
        ("whole.glsl", GlslVersion::Core450, false),
        ("whole.330.glsl", GlslVersion::Core330, false),
        ("whole.es300.glsl", GlslVersion::Es300, true),
    ] {
        let text = text(pair(), version, strict);
        tools::golden(name, &text);
        texts.extend(stages(name, &text, &[StageKind::Vertex, StageKind::Fragment]));
    }
    for (name, version, strict) in [
        ("whole.geometry.glsl", GlslVersion::Core450, true),
        ("whole.geometry.330.glsl", GlslVersion::Core330, false),
    ] {
        let text = text(three(), version, strict);
        tools::golden(name, &text);
        texts.extend(stages(name, &text, &kinds));
    }
    tools::validate_glsl(&texts);
}
