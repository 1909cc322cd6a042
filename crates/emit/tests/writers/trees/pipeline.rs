//! Inputs and outputs of the pipeline, one program for each.

use super::*;
use unshade_ir::ast::Program;
use unshade_ir::{Interpolation, Sampling};
use unshade_stage::StageKind;

const INT_SHAPE: Shape = Shape::Int { components: 1, elements: 0 };

fn float_shape(components: u8, elements: u32) -> Shape {
    Shape::Float { components, elements }
}

fn with(semantic: &str, mut variable: GlobalVar) -> GlobalVar {
    variable.global.semantic = Some(semantic.to_owned());
    variable
}

fn input(name: &str, shape: Shape) -> GlobalVar {
    global(name, Space::Input, 1, shape)
}

fn output(name: &str, shape: Shape) -> GlobalVar {
    global(name, Space::Output, 2, shape)
}

/// The inputs are added up into the first output; every other output gets a literal, each element.
fn program(kind: StageKind, globals: Vec<GlobalVar>) -> Program {
    let mut body = Vec::new();
    let mut sum = floats(&[0.5, 0.25, 0.0, 1.0]);
    let mut outputs = Vec::new();
    for (index, variable) in (0..).zip(&globals) {
        let Global { shape, space, vertices, .. } = variable.global;
        let (scalar, components) = match shape {
            Shape::Int { components, .. } => (Scalar::Int, components),
            _ => (Scalar::Float, shape.components()),
        };
        let whole = ty(scalar, components);
        if space == Space::Output {
            outputs.push((index, whole, shape.elements()));
            continue;
        }
        let mut values = vec![read(index, whole)];
        if vertices > 0 {
            let last = convert(Scalar::Int, swizzle(sum.clone(), "x"));
            values = vec![element(index, whole, int(vertices as i32 - 1)), element(index, whole, last)];
        }
        for value in values {
            let first = if components > 1 { swizzle(value, "x") } else { value };
            let float = if scalar == Scalar::Int { convert(Scalar::Float, first) } else { first };
            sum = add(sum, construct(4, vec![float]));
        }
    }
    for (at, (index, whole, elements)) in outputs.into_iter().enumerate() {
        if at == 0 {
            body.push(assign_global(index, sum.clone()));
            continue;
        }
        let value = Expr::new(whole, ExprKind::Literal(vec![0; whole.components.into()]));
        if elements == 0 {
            body.push(assign_global(index, value.clone()));
        }
        for element in 0..elements {
            let place = Place::Global(GlobalRef(index), Some(Box::new(int(element as i32))), Vec::new());
            body.push(Stmt::Assign(place, value.clone()));
        }
    }
    if kind == StageKind::Geometry {
        body.extend([
            Stmt::EmitVertex(0, unshade_ir::ast::Link::NONE),
            Stmt::EndPrimitive(0, unshade_ir::ast::Link::NONE),
        ]);
    }
    Program { globals, functions: vec![function("main", 0, &[], &[], body)], ..Program::default() }
}

/// Each with its name and kind.
pub fn all() -> Vec<(String, StageKind, Program)> {
    use StageKind::{Fragment, Geometry, Vertex};
    let of_vertices = |name: &str, vertices: u32, shape: Shape| {
        let mut variable = input(name, shape);
        variable.global.vertices = vertices;
        variable.global.vertex_stride = 16;
        variable.global.stride = 16;
        variable
    };
    let from_corners = |interpolation, sampling, shape| {
        let mut variable = input("v_value", shape);
        variable.global.interpolation = interpolation;
        variable.global.sampling = sampling;
        variable
    };
    let mut streamed = with("stream-out", output("o_feedback", float_shape(3, 0)));
    streamed.global.binding = 2;
    streamed.global.offset = 5;
    let mut list: Vec<(&str, StageKind, GlobalVar)> = vec![
        ("vertex-id", Vertex, with("vertex-id", input("vertex", INT_SHAPE))),
        ("instance-id", Vertex, with("instance-id", input("instance", INT_SHAPE))),
        ("integers", Vertex, input("a_indices", Shape::Int { components: 4, elements: 0 })),
        ("integer output", Vertex, output("v_material", Shape::Int { components: 2, elements: 0 })),
        ("stream-out", Vertex, streamed),
        ("primitive-id", Geometry, with("primitive-id", input("primitive", INT_SHAPE))),
        ("lines", Geometry, of_vertices("v_param", 2, float_shape(4, 2))),
        ("triangles", Geometry, of_vertices("v_param", 3, float_shape(2, 3))),
        ("neighbours", Geometry, of_vertices("v_param", 6, float_shape(4, 6))),
        ("integers", Geometry, of_vertices("v_index", 3, Shape::Int { components: 1, elements: 3 })),
        ("positions", Geometry, with("position", of_vertices("position_in", 3, float_shape(4, 3)))),
        ("depth", Fragment, with("frag-depth", output("depth", float_shape(1, 0)))),
        ("colours", Fragment, output("o_second", float_shape(4, 0))),
        ("integer colour", Fragment, output("o_second", Shape::Int { components: 4, elements: 0 })),
        ("primitive-id", Fragment, with("primitive-id", input("primitive", INT_SHAPE))),
        (
            "integer input",
            Fragment,
            from_corners(Interpolation::Smooth, Sampling::Center, Shape::Int { components: 2, elements: 0 }),
        ),
    ];
    for kind in [Vertex, Geometry] {
        list.extend([
            ("layer", kind, with("layer", output("layer", INT_SHAPE))),
            ("viewport", kind, with("viewport", output("viewport", INT_SHAPE))),
            ("clip-distance", kind, with("clip-distance", output("clip", float_shape(1, 3)))),
            ("cull-distance", kind, with("cull-distance", output("cull", float_shape(1, 2)))),
            ("point-size", kind, with("point-size", output("size", float_shape(1, 0)))),
            ("edge-flag", kind, with("edge-flag", output("edge", float_shape(1, 0)))),
        ]);
    }
    for interpolation in [Interpolation::Smooth, Interpolation::Linear, Interpolation::Flat] {
        for sampling in [Sampling::Center, Sampling::Centroid, Sampling::Sample] {
            list.push(("interpolated", Fragment, from_corners(interpolation, sampling, float_shape(3, 0))));
        }
    }
    let named = list.into_iter().map(|(name, kind, variable)| {
        let mut first = vector("o_color", Space::Output, 0, 4);
        if kind != Fragment {
            first = position_output();
        }
        let global = &variable.global;
        let name = format!("{name} {:?} {:?} of a {kind} program", global.interpolation, global.sampling);
        (name, kind, program(kind, vec![first, variable]))
    });
    named.collect()
}
