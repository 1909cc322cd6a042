//! Programs as a compiler of GLSL ES has them: textures, matrices by columns, precision, structures, the
//! inputs of the rasteriser.

use super::*;
use unshade_ir::ast::{Fetch, Product, Program};
use unshade_ir::{Precision, Texel, Texture, TextureLevel, TextureShape};
use unshade_stage::StageKind;

/// Everything with its name and kind.
pub fn all() -> Vec<(&'static str, StageKind, Program)> {
    vec![
        ("textured", StageKind::Fragment, textured()),
        ("lights", StageKind::Fragment, lights()),
        ("screen", StageKind::Fragment, screen()),
        ("points", StageKind::Fragment, points()),
        ("video", StageKind::Fragment, video()),
        ("skinned", StageKind::Vertex, skinned()),
        ("sprite", StageKind::Vertex, sprite()),
    ]
}

fn float_vector(components: u8) -> Shape {
    Shape::Float { components, elements: 0 }
}

fn matrix_shape(size: u8, elements: u32) -> Shape {
    Shape::Matrix { columns: size, rows: size, elements, element_stride: 0 }
}

fn precise(precision: Precision, mut variable: GlobalVar) -> GlobalVar {
    variable.global.precision = Some(precision);
    variable
}

fn medium(variable: GlobalVar) -> GlobalVar {
    precise(Precision::Medium, variable)
}

fn meaning(semantic: &str, mut variable: GlobalVar) -> GlobalVar {
    variable.global.semantic = Some(semantic.to_owned());
    variable
}

/// A float uniform at a word.
fn uniform(name: &str, offset: u32, shape: Shape) -> GlobalVar {
    medium(GlobalVar { global: Global::new(name, Space::Uniform, 0, offset, shape), matrix_rows: None })
}

/// A varying at a component of a location.
fn varying(name: &str, space: Space, location: u32, component: u32, components: u8) -> GlobalVar {
    let place = 4 * location + component;
    let global = Global { location, ..Global::new(name, space, 0, place, float_vector(components)) };
    medium(GlobalVar { global, matrix_rows: None })
}

fn sampler(name: &str, unit: u32, shape: TextureShape, elements: u32) -> GlobalVar {
    let shape = Shape::Sampler { shape, elements, external: false, shadow: false, texel: Texel::Float };
    GlobalVar { global: Global::new(name, Space::Texture, 0, unit, shape), matrix_rows: None }
}

fn colour() -> GlobalVar {
    let global = Global::new("gl_FragColor", Space::Output, 0, 0, float_vector(4));
    meaning("color", GlobalVar { global, matrix_rows: None })
}

fn fetch(sampler: u32, coordinates: Expr) -> Expr {
    level(sampler, coordinates, TextureLevel::Quad, None)
}

fn level(sampler: u32, coordinates: Expr, level: TextureLevel, lod: Option<Expr>) -> Expr {
    let shape = if coordinates.ty.components == 3 { TextureShape::Cube } else { TextureShape::Plane };
    let fetch = Fetch {
        sampler: GlobalRef(sampler),
        element: None,
        texture: Texture::sample(0, shape, level),
        coordinates: Some(coordinates),
        reference: None,
        levels: lod.into_iter().collect(),
    };
    Expr::new(VEC4, ExprKind::Texture(Box::new(fetch)))
}

fn element_fetch(sampler: u32, element: i32, coordinates: Expr) -> Expr {
    let Expr { ty, kind: ExprKind::Texture(mut inner), .. } = fetch(sampler, coordinates) else {
        unreachable!()
    };
    inner.element = Some(int(element));
    Expr::new(ty, ExprKind::Texture(inner))
}

/// `matrix * vector`, or the other way round.
fn columns(matrix: u32, element: Option<Expr>, vector: Expr, vector_first: bool, result: u8) -> Expr {
    let product = Product { matrix: GlobalRef(matrix), element, vector, vector_first };
    Expr::new(ty(Scalar::Float, result), ExprKind::Product(Box::new(product)))
}

fn column(matrix: u32, element: Option<Expr>, at: Expr, rows: u8) -> Expr {
    let kind = ExprKind::Column(GlobalRef(matrix), element.map(Box::new), Box::new(at));
    Expr::new(ty(Scalar::Float, rows), kind)
}

fn one(globals: Vec<GlobalVar>, locals: &[(&str, Type)], body: Vec<Stmt>) -> Program {
    Program { globals, functions: vec![function("main", 0, locals, &[], body)], ..Program::default() }
}

/// Fetches from planes and cubes, with bias, under a condition, projected; varyings that share a register.
pub fn textured() -> Program {
    let globals = vec![
        precise(Precision::High, uniform("u_tint", 0, float_vector(4)).clone()),
        uniform("u_bias", 4, float_vector(1)),
        sampler("u_diffuse", 0, TextureShape::Plane, 0),
        precise(Precision::Medium, sampler("u_sky", 1, TextureShape::Cube, 0)),
        varying("v_uv", Space::Input, 0, 0, 2),
        varying("v_fog", Space::Input, 0, 2, 1),
        precise(Precision::Low, varying("v_normal", Space::Input, 1, 0, 3)),
        varying("v_shadow", Space::Input, 2, 0, 4),
        colour(),
    ];
    let shadow = || read(7, VEC4);
    let projected = binary(Binary::Div, swizzle(shadow(), "xy"), swizzle(shadow(), "w"));
    let normal = builtin(Builtin::Normalize, vec![read(6, VEC3)]);
    let body = vec![
        declare(0, mul(fetch(2, read(4, VEC2)), read(0, VEC4))),
        Stmt::If {
            condition: less(swizzle(local(0, VEC4), "w"), float(0.5)),
            then: vec![Stmt::Discard(unshade_ir::ast::Link::NONE)],
            otherwise: vec![],
        },
        declare(1, fetch(3, normal)),
        Stmt::If {
            condition: less(float(0.0), read(5, FLOAT)),
            then: vec![Stmt::Assign(
                Place::Local(LocalRef(0), vec![]),
                add(local(0, VEC4), level(2, read(4, VEC2), TextureLevel::Bias, Some(read(1, FLOAT)))),
            )],
            otherwise: vec![],
        },
        assign_global(
            8,
            mul(
                builtin(Builtin::Mix, vec![local(0, VEC4), local(1, VEC4), read(5, FLOAT)]),
                fetch(2, projected),
            ),
        ),
    ];
    one(globals, &[("base", VEC4), ("sky", VEC4)], body)
}

/// Arrays of structures and structures in structures; matrices whole and cut, on both sides.
pub fn lights() -> Program {
    let globals = vec![
        uniform("lights[0].color", 0, float_vector(3)),
        uniform("lights[0].direction", 4, float_vector(3)),
        uniform("lights[1].color", 8, float_vector(3)),
        uniform("lights[1].direction", 12, float_vector(3)),
        uniform("scene.fog.color", 16, float_vector(4)),
        uniform("scene.exposure", 20, float_vector(1)),
        uniform("scene.weights", 24, Shape::Float { components: 1, elements: 3 }),
        uniform("u_normal", 28, matrix_shape(3, 0)),
        precise(Precision::High, uniform("u_view", 40, matrix_shape(4, 0))),
        varying("v_normal", Space::Input, 0, 0, 3),
        colour(),
    ];
    let n = || local(0, VEC3);
    let lit = |color: u32, direction: u32| {
        let amount = builtin(Builtin::Max, vec![dot(n(), read(direction, VEC3)), float(0.0)]);
        mul(read(color, VEC3), amount)
    };
    let cut = columns(8, None, columns(7, None, read(9, VEC3), false, 3), false, 3);
    let back = columns(8, None, n(), true, 3);
    let narrow = columns(8, None, swizzle(n(), "xy"), false, 3);
    let middle = column(7, None, int(1), 3);
    let body = vec![
        declare(0, builtin(Builtin::Normalize, vec![cut])),
        declare(1, add(lit(0, 1), lit(2, 3))),
        Stmt::Assign(
            Place::Local(LocalRef(1), vec![]),
            mul(local(1, VEC3), mul(read(5, FLOAT), element(6, FLOAT, int(2)))),
        ),
        Stmt::Assign(Place::Local(LocalRef(1), vec![]), add(local(1, VEC3), add(back, add(narrow, middle)))),
        assign_global(10, add(construct(4, vec![local(1, VEC3), float(1.0)]), read(4, VEC4))),
    ];
    one(globals, &[("n", VEC3), ("sum", VEC3)], body)
}

/// The inputs of the rasteriser, derivatives, an explicit level, arc tangents, the framebuffer, constants.
pub fn screen() -> Program {
    let mut facing = varying("gl_FrontFacing", Space::Input, 0, 0, 1);
    facing.global.shape = Shape::Bool { components: 1, elements: 0 };
    facing.global.binding = 3;
    facing.global.as_float = true;
    let mut coord = varying("gl_FragCoord", Space::Input, 0, 0, 4);
    coord.global.binding = 1;
    let mut behind = varying("framebuffer", Space::Input, 0, 0, 4);
    behind.global.binding = 4;
    let mut table = uniform("table", 8, Shape::Float { components: 2, elements: 3 });
    table.global.stride = 2;
    table.global.constant = Some([0.5f32, 1.0, -2.0, 0.25, 4.0, 8.0].into_iter().map(f32::to_bits).collect());
    let mut odd = uniform("odd", 20, float_vector(2));
    odd.global.constant = Some(vec![f32::INFINITY.to_bits(), 1.0f32.to_bits()]);
    let globals = vec![
        uniform("u_size", 0, float_vector(2)),
        sampler("u_noise", 0, TextureShape::Plane, 0),
        meaning("frag-coord", coord),
        meaning("front-facing", facing),
        meaning("framebuffer-color", behind),
        varying("v_uv", Space::Input, 0, 0, 2),
        colour(),
        table,
        odd,
    ];
    let uv = || read(5, VEC2);
    let place = binary(Binary::Div, swizzle(read(2, VEC4), "xy"), read(0, VEC2));
    let steep = add(
        builtin(Builtin::DerivativeX, vec![swizzle(uv(), "x")]),
        add(
            builtin(Builtin::DerivativeY, vec![swizzle(uv(), "y")]),
            builtin(Builtin::DerivativeWidth, vec![swizzle(uv(), "x")]),
        ),
    );
    let angle = add(
        builtin(Builtin::Atan, vec![swizzle(uv(), "x")]),
        builtin(Builtin::Atan2, vec![swizzle(uv(), "y"), swizzle(uv(), "x")]),
    );
    let offset = add(element(7, VEC2, convert(Scalar::Int, swizzle(uv(), "x"))), element(7, VEC2, int(2)));
    let body = vec![
        declare(0, level(1, add(place, offset), TextureLevel::Given, Some(steep))),
        Stmt::If {
            condition: read(3, BOOL),
            then: vec![Stmt::Assign(
                Place::Local(LocalRef(0), vec![0]),
                add(angle, convert(Scalar::Float, read(3, BOOL))),
            )],
            otherwise: vec![Stmt::Assign(
                Place::Local(LocalRef(0), vec![1, 2]),
                builtin(Builtin::Min, vec![read(8, VEC2), floats(&[1.0, 2.0])]),
            )],
        },
        assign_global(6, builtin(Builtin::Mix, vec![read(4, VEC4), local(0, VEC4), float(0.75)])),
    ];
    one(globals, &[("noise", VEC4)], body)
}

/// What only points have, which not every language knows.
pub fn points() -> Program {
    let globals = vec![
        sampler("u_sprite", 0, TextureShape::Plane, 0),
        meaning("point-coord", varying("gl_PointCoord", Space::Input, 0, 0, 2)),
        colour(),
    ];
    one(globals, &[], vec![assign_global(2, fetch(0, read(1, VEC2)))])
}

/// An image from outside, an array of textures, numbers that the machine holds as floats, no colour at all on
/// one path.
pub fn video() -> Program {
    let mut outside = sampler("u_video", 4, TextureShape::Plane, 0);
    outside.global.shape = Shape::Sampler {
        shape: TextureShape::Plane,
        elements: 0,
        external: true,
        shadow: false,
        texel: Texel::Float,
    };
    let mut count = uniform("u_count", 0, Shape::Int { components: 1, elements: 0 });
    count.global.as_float = true;
    let mut on = uniform("u_on", 1, Shape::Bool { components: 3, elements: 0 });
    on.global.as_float = true;
    let globals = vec![
        outside,
        sampler("u_planes", 0, TextureShape::Plane, 3),
        count,
        on,
        varying("v_uv", Space::Input, 0, 0, 2),
        colour(),
    ];
    let bool3 = ty(Scalar::Bool, 3);
    let body = vec![
        declare(0, element_fetch(1, 2, read(4, VEC2))),
        Stmt::For {
            counter: LocalRef(1),
            start: int(0),
            condition: less(local(1, INT), read(2, INT)),
            step: int(1),
            body: vec![Stmt::Assign(
                Place::Local(LocalRef(0), vec![]),
                mul(local(0, VEC4), convert(Scalar::Float, local(1, INT))),
            )],
        },
        Stmt::If {
            condition: swizzle(read(3, bool3), "z"),
            then: vec![assign_global(5, add(local(0, VEC4), fetch(0, read(4, VEC2))))],
            otherwise: vec![],
        },
    ];
    one(globals, &[("sum", VEC4), ("i", INT)], body)
}

/// Bones by a computed index, attributes that are matrices, texture fetches of a vertex program.
pub fn skinned() -> Program {
    let high = |variable| precise(Precision::High, variable);
    let attribute = |name: &str, location: u32, components: u8| {
        high(varying(name, Space::Input, location, 0, components))
    };
    let mut frame = attribute("a_frame", 4, 3);
    frame.global.shape = matrix_shape(3, 0);
    let mut uv = varying("v_uv", Space::Output, 1, 0, 2);
    uv.global.offset = 4;
    let mut fog = varying("v_fog", Space::Output, 1, 2, 1);
    fog.global.offset = 6;
    let globals = vec![
        high(uniform("u_projection", 0, matrix_shape(4, 0))),
        high(uniform("u_bones", 16, matrix_shape(4, 8))),
        sampler("u_height", 0, TextureShape::Plane, 0),
        attribute("a_position", 0, 4),
        attribute("a_bone", 1, 1),
        attribute("a_uv", 2, 2),
        frame,
        high(position_output()),
        uv,
        fog,
        precise(Precision::Low, varying("v_normal", Space::Output, 2, 0, 3)),
    ];
    let bone = || convert(Scalar::Int, read(4, FLOAT));
    let height = level(2, read(5, VEC2), TextureLevel::Given, Some(float(0.0)));
    let body = vec![
        declare(0, columns(1, Some(bone()), read(3, VEC4), false, 4)),
        Stmt::Assign(
            Place::Local(LocalRef(0), vec![1]),
            add(swizzle(local(0, VEC4), "y"), swizzle(height, "x")),
        ),
        assign_global(7, columns(0, None, local(0, VEC4), false, 4)),
        assign_global(8, add(read(5, VEC2), swizzle(column(1, Some(int(3)), int(3), 4), "xy"))),
        assign_global(9, swizzle(column(0, None, bone(), 4), "w")),
        assign_global(10, columns(6, None, swizzle(local(0, VEC4), "xyz"), false, 3)),
    ];
    one(globals, &[("p", VEC4)], body)
}

/// A vertex program that sets the size of points.
pub fn sprite() -> Program {
    let mut size = varying("gl_PointSize", Space::Output, 1, 0, 1);
    size.global.semantic = Some("point-size".to_owned());
    let globals = vec![
        precise(Precision::High, uniform("u_size", 0, float_vector(1))),
        vector("a_position", Space::Input, 0, 4),
        size,
        position_output(),
    ];
    let body = vec![
        assign_global(2, mul(read(0, FLOAT), swizzle(read(1, VEC4), "w"))),
        assign_global(3, read(1, VEC4)),
    ];
    one(globals, &[], body)
}

/// Numbers and vectors without their powers of two, and those.
pub fn parts() -> Program {
    let globals = vec![vector("a_position", Space::Input, 0, 4), position_output()];
    let (one, two) = (|| swizzle(read(0, VEC4), "x"), || swizzle(read(0, VEC4), "yz"));
    let body = vec![assign_global(
        1,
        construct(
            4,
            vec![
                builtin(Builtin::Significand, vec![one()]),
                mul(
                    builtin(Builtin::Significand, vec![two()]),
                    convert(Scalar::Float, builtin(Builtin::Exponent, vec![two()])),
                ),
                convert(Scalar::Float, builtin(Builtin::Exponent, vec![one()])),
            ],
        ),
    )];
    self::one(globals, &[], body)
}
