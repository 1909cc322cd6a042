//! Uniform blocks as machines with several buffers have them.

use super::*;
use unshade_ir::UniformBlock;
use unshade_ir::ast::Program;

fn block(name: &str, binding: u32, words: u32) -> UniformBlock {
    UniformBlock { name: name.to_owned(), named: true, binding, words }
}

fn member(name: &str, binding: u32, offset: u32, shape: Shape) -> GlobalVar {
    let stride = 4;
    let global = Global { stride, ..Global::new(name, Space::Uniform, binding, offset, shape) };
    GlobalVar { global, matrix_rows: None }
}

fn float_shape(components: u8, elements: u32) -> Shape {
    Shape::Float { components, elements }
}

/// Members with gaps between them, every kind of member, an array by a computed index, loose uniforms beside.
pub fn blocks() -> Program {
    // Structures of twelve words, the last four of which nobody reads.
    let each = |name: &str, offset, shape| {
        let mut global = member(name, 6, offset, shape);
        global.global.stride = 12;
        global
    };
    let matrix = |columns, rows, elements| Shape::Matrix { columns, rows, elements, element_stride: 0 };
    let mut rows = member("rows", 2, 64, float_shape(4, 3));
    rows.matrix_rows = Some(3);
    let globals = vec![
        vector("a_position", Space::Input, 0, 4),
        position_output(),
        // Behind each other in the program, not in the block.
        member("tint", 1, 23, float_shape(1, 0)),
        member("scale", 1, 0, float_shape(3, 0)),
        member("gain", 1, 3, float_shape(1, 0)),
        member("shift", 1, 10, float_shape(2, 0)),
        member("count", 1, 13, Shape::Int { components: 1, elements: 0 }),
        member("flag", 1, 14, Shape::Bool { components: 1, elements: 0 }),
        member("weights", 1, 24, float_shape(1, 5)),
        member("bones", 2, 0, matrix(4, 3, 3)),
        member("view", 2, 48, matrix(4, 4, 0)),
        rows,
        member("Material", 5, 4, float_shape(4, 16)),
        vector("loose", Space::Uniform, 0, 4),
        each("lights[].kind", 8, Shape::Int { components: 1, elements: 3 }),
        each("lights[].place", 12, float_shape(3, 3)),
        each("lights[].width", 15, float_shape(1, 3)),
        member("ambient", 6, 44, float_shape(4, 0)),
    ];
    let column = |global: u32, element: Option<Expr>, column: i32, components: u8| {
        Expr::new(
            ty(Scalar::Float, components),
            ExprKind::Column(GlobalRef(global), element.map(Box::new), Box::new(int(column))),
        )
    };
    let at = || convert(Scalar::Int, swizzle(read(0, VEC4), "x"));
    let wide_to = |components: u8, value: Expr| construct(components, vec![value]);
    let wide = |value: Expr| wide_to(4, value);
    let scaled = mul(construct(4, vec![read(3, VEC3), read(4, FLOAT)]), wide(read(2, FLOAT)));
    let counted = convert(Scalar::Float, read(6, INT));
    let moved = construct(4, vec![read(5, VEC2), counted, element(8, FLOAT, at())]);
    let flagged = select(read(7, BOOL), scaled, moved);
    let bone = construct(4, vec![column(9, Some(at()), 1, 3), float(1.0)]);
    let rotated = construct(4, vec![product(11, 0, 3, read(0, VEC4)), float(0.0)]);
    let sum = add(add(flagged, bone), add(column(10, None, 2, 4), rotated));
    let sum = add(add(sum, element(12, VEC4, at())), read(13, VEC4));
    let kind = convert(Scalar::Float, element(14, INT, at()));
    let light =
        construct(4, vec![mul(element(15, VEC3, at()), wide_to(3, kind)), element(16, FLOAT, int(2))]);
    let sum = add(add(sum, light), read(17, VEC4));
    Program {
        globals,
        blocks: vec![
            block("Scale", 1, 44),
            block("Bones", 2, 76),
            block("Material", 5, 68),
            block("Lights", 6, 48),
        ],
        functions: vec![function("main", 0, &[], &[], vec![assign_global(1, sum)])],
        ..Program::default()
    }
}
