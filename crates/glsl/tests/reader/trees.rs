//! What the typed tree says.

use crate::{fragment, shader};
use unshade_glsl::builtins::Operation;
use unshade_glsl::language::Stage;
use unshade_glsl::tree::{
    Argument, Binary, ExpressionId, ExpressionKind, GeometryInput, LoopKind, Shader, StatementKind, Storage,
};
use unshade_glsl::types::{Scalar, Type};

/// The expression of the first statement of `main` that is one.
fn first(shader: &Shader) -> ExpressionId {
    let body = shader.functions[shader.entry].body.as_ref().expect("main has a body");
    body.statements
        .iter()
        .find_map(|statement| match statement.kind {
            StatementKind::Expression(id) => Some(id),
            _ => None,
        })
        .expect("an expression")
}

#[test]
fn conversions_are_nodes() {
    let shader = fragment("uniform int i; uniform float f; void main() { f + i; }");
    let ExpressionKind::Binary { operation: Binary::Add, left, right } =
        shader.expressions[first(&shader)].kind
    else {
        panic!()
    };
    assert!(matches!(shader.expressions[left].kind, ExpressionKind::Variable(_)));
    assert_eq!(shader.expressions[right].ty, Type::FLOAT);
    assert!(matches!(shader.expressions[right].kind, ExpressionKind::Convert { is_implicit: true, .. }));
}

#[test]
fn products_of_linear_algebra_are_told_apart() {
    let shader = fragment(
        "uniform mat3x4 m; uniform vec3 v; uniform vec4 w; void main() { m * v; w * m; m * 2; m * mat2x3(1); }",
    );
    let body = shader.functions[shader.entry].body.as_ref().expect("main has a body");
    let found: Vec<(Binary, Type)> = body
        .statements
        .iter()
        .map(|statement| {
            let StatementKind::Expression(id) = statement.kind else { panic!() };
            let ExpressionKind::Binary { operation, .. } = shader.expressions[id].kind else { panic!() };
            (operation, shader.expressions[id].ty)
        })
        .collect();
    let float = Scalar::Float;
    assert_eq!(
        found,
        [
            (Binary::MatrixTimesVector, Type::Vector(float, 4)),
            (Binary::VectorTimesMatrix, Type::Vector(float, 3)),
            (Binary::Multiply, Type::Matrix(float, 3, 4)),
            (Binary::MatrixTimesMatrix, Type::Matrix(float, 2, 4)),
        ]
    );
}

#[test]
fn places_point_to_the_text() {
    let text = "#version 450\n#define TWICE(x) (x + x)\nuniform float f;\nvoid main() {\n    TWICE(f);\n}\n";
    let shader = shader(Stage::Fragment, text);
    let span = shader.expressions[first(&shader)].span;
    assert!(text.get(span.start as usize..).expect("inside").starts_with("TWICE(f)"), "{span:?}");
}

#[test]
fn arguments_that_are_written_are_places() {
    let shader = fragment(
        "void f(in int a, out float b, inout vec2 c) {} vec4 v[2]; void main() { f(1, v[0].x, v[1].yz); }",
    );
    let ExpressionKind::Call { function, ref arguments } = shader.expressions[first(&shader)].kind else {
        panic!()
    };
    assert_eq!(shader.functions[function].name, "f");
    let [Argument::In(_), Argument::Out(out), Argument::InOut(inout)] = arguments.as_ref() else { panic!() };
    assert!(matches!(shader.expressions[*out].kind, ExpressionKind::Swizzle { .. }));
    let root = shader.root(*inout).expect("a variable");
    assert_eq!(shader.variables[root].name, "v");
}

#[test]
fn members_of_blocks_without_a_name_are_fields() {
    let shader = fragment("layout(std140) uniform B { float a; mat3 b; } ; void main() { b; }");
    let ExpressionKind::Field { base, member: 1 } = shader.expressions[first(&shader)].kind else { panic!() };
    let ExpressionKind::Variable(id) = shader.expressions[base].kind else { panic!() };
    let variable = &shader.variables[id];
    assert_eq!((variable.name.as_str(), variable.storage), ("", Storage::Uniform));
    let block = &shader.blocks[variable.block.expect("a block")];
    assert_eq!((block.name.as_str(), block.members[1].offset, block.size), ("B", 16, 64));
}

#[test]
fn short_circuits_and_choices_are_nodes() {
    let shader = fragment("uniform bool a, b; void main() { a && (b || !a) ? 1 : 2; }");
    let ExpressionKind::Select { condition, .. } = shader.expressions[first(&shader)].kind else { panic!() };
    let ExpressionKind::And { right, .. } = shader.expressions[condition].kind else { panic!() };
    assert!(matches!(shader.expressions[right].kind, ExpressionKind::Or { .. }));
}

#[test]
fn control_flow() {
    let shader = fragment(
        "uniform int n; out float o; void main() {\n\
         for (int i = 0; i < n; i++) { if (i == 3) continue; else break; }\n\
         while (bool more = n > 2) { o += 1.0; }\n\
         do o *= 2.0; while (o < 9.0);\n\
         switch (n) { case 1: case 2: o = 1.0; default: o = 2.0; break; }\n\
         discard; }",
    );
    let body = shader.functions[shader.entry].body.as_ref().expect("main has a body");
    let kinds: Vec<Option<LoopKind>> = body
        .statements
        .iter()
        .map(|statement| match &statement.kind {
            StatementKind::Loop { kind, .. } => Some(*kind),
            _ => None,
        })
        .collect();
    assert_eq!(kinds, [Some(LoopKind::For), Some(LoopKind::While), Some(LoopKind::DoWhile), None, None]);
    let StatementKind::Switch { cases, .. } = &body.statements[3].kind else { panic!() };
    let labels: Vec<usize> = cases.iter().map(|case| case.labels.len()).collect();
    assert_eq!(labels, [2, 1]);
    assert!(cases[1].labels[0].value.is_none());
}

#[test]
fn arrays_by_vertex_have_the_size_of_the_layout() {
    let shader = shader(
        Stage::Geometry,
        "#version 450\nin vec4 c[];\nlayout(triangles) in;\nlayout(triangle_strip, max_vertices = 3) out;\n\
         out vec4 d;\nvoid main() { for (int i = 0; i < c.length(); i++) { d = c[i]; gl_Position = gl_in[i].gl_Position; EmitVertex(); } }",
    );
    let geometry = shader.layout.geometry;
    assert_eq!((geometry.input, geometry.max_vertices), (Some(GeometryInput::Triangles), Some(3)));
    for name in ["c", "gl_in"] {
        let (_, variable) = shader.variables.iter().find(|(_, one)| one.name == name).expect("there");
        assert_eq!(shader.types.length(variable.ty), Some(3), "{name}");
    }
}

#[test]
fn helpers_are_functions_by_name_and_body() {
    let text = "float flushDenormal(float a) { return (floatBitsToUint(a) & 0x7f800000u) == 0u\n\
                ? uintBitsToFloat(floatBitsToUint(a) & 0x80000000u) : a; }\n\
                uniform float f; void main() { flushDenormal(f); }";
    let shader = fragment(text);
    let ExpressionKind::Call { function, .. } = shader.expressions[first(&shader)].kind else { panic!() };
    assert_eq!(shader.functions[function].name, "flushDenormal");
    let casts = shader
        .expressions
        .iter()
        .filter(|(_, one)| matches!(one.kind, ExpressionKind::Builtin { operation: Operation::Bitcast, .. }));
    assert_eq!(casts.count(), 3);
}
