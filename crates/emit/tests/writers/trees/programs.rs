//! Whole programs, one for each part of the language that a golden file shows.

use super::fragments::parts;
use super::*;
use unshade_ir::LocalArray;
use unshade_ir::ast::{FunctionRef, Program};
use unshade_stage::StageKind;

/// Everything with its name and kind.
pub fn all() -> Vec<(&'static str, StageKind, Program)> {
    vec![
        ("transform", StageKind::Vertex, transform()),
        ("precedence", StageKind::Vertex, precedence()),
        ("control", StageKind::Vertex, control()),
        ("functions", StageKind::Vertex, functions()),
        ("interface", StageKind::Vertex, interface()),
        ("exact", StageKind::Vertex, exact()),
        ("long_lines", StageKind::Vertex, long_lines()),
        ("arrays", StageKind::Vertex, arrays()),
        ("matrices", StageKind::Vertex, matrices()),
        ("quad", StageKind::Geometry, quad()),
        ("kept", StageKind::Geometry, kept()),
        ("cutout", StageKind::Fragment, cutout()),
        ("parts", StageKind::Vertex, parts()),
    ]
}

/// What most vertex programs are.
pub fn transform() -> Program {
    let globals = vec![
        matrix("projection", Space::Uniform, 0, 4, 4),
        matrix("modelView", Space::Uniform, 4, 3, 4),
        vector("lightDirection", Space::Uniform, 7, 3),
        vector("tint", Space::Uniform, 8, 4),
        vector("inPosition", Space::Input, 0, 4),
        vector("inNormal", Space::Input, 1, 3),
        vector("inTexcoord", Space::Input, 2, 2),
        position_output(),
        vector("color", Space::Output, 1, 4),
        vector("texcoord0", Space::Output, 2, 2),
    ];
    let body = vec![
        declare(0, construct(4, vec![product(1, 0, 3, read(4, VEC4)), float(1.0)])),
        assign_global(7, product(0, 0, 4, local(0, VEC4))),
        declare(1, builtin(Builtin::Normalize, vec![product(1, 0, 3, read(5, VEC3))])),
        declare(2, builtin(Builtin::Max, vec![dot(local(1, VEC3), negate(read(2, VEC3))), float(0.0)])),
        assign_global(
            8,
            mul(read(3, VEC4), construct(4, vec![construct(3, vec![local(2, FLOAT)]), float(1.0)])),
        ),
        assign_global(9, read(6, VEC2)),
        Stmt::Return(vec![]),
    ];
    let main =
        function("start", 0, &[("viewPosition", VEC4), ("normal", VEC3), ("lambert", FLOAT)], &[], body);
    Program {
        globals,
        functions: vec![main],
        assumptions: vec!["all inputs are finite".to_owned()],
        ..Program::default()
    }
}

fn vertex(locals: &[(&str, Type)], mut body: Vec<Stmt>) -> Program {
    let globals = vec![
        vector("a", Space::Input, 0, 4),
        vector("b", Space::Input, 1, 4),
        position_output(),
        vector("color", Space::Output, 1, 4),
    ];
    body.push(assign_global(2, read(0, VEC4)));
    Program { globals, functions: vec![function("main", 0, locals, &[], body)], ..Program::default() }
}

/// Parentheses where they are needed and nowhere else.
pub fn precedence() -> Program {
    let a = || read(0, VEC4);
    let b = || read(1, VEC4);
    let (x, y, z) = (|| swizzle(a(), "x"), || swizzle(a(), "y"), || swizzle(a(), "z"));
    let (n, m) = (|| convert(Scalar::Int, x()), || convert(Scalar::Int, y()));
    let div = |left, right| binary(Binary::Div, left, right);
    let and = |left, right| binary(Binary::LogicalAnd, left, right);
    let or = |left, right| binary(Binary::LogicalOr, left, right);
    let floats = vec![
        add(mul(x(), y()), z()),
        mul(add(x(), y()), z()),
        sub(x(), sub(y(), z())),
        sub(sub(x(), y()), z()),
        div(x(), mul(y(), z())),
        div(mul(x(), y()), z()),
        negate(add(x(), y())),
        mul(negate(x()), y()),
        negate(negate(x())),
        sub(x(), negate(y())),
        sub(x(), float(-1.5)),
        negate(float(-1.5)),
        negate(float(1.5)),
        dot(add(a(), b()), swizzle(sub(b(), a()), "wzyx")),
        swizzle(negate(a()), "w"),
        select(less(x(), y()), select(less(y(), z()), x(), y()), select(less(z(), x()), y(), z())),
        add(select(less(x(), y()), x(), y()), z()),
    ];
    let ints = vec![
        binary(Binary::BitAnd, add(n(), m()), binary(Binary::ShiftLeft, n(), int(2))),
        binary(Binary::ShiftRight, binary(Binary::BitOr, n(), m()), int(1)),
        binary(Binary::BitXor, unary(Unary::BitNot, n()), binary(Binary::BitAnd, n(), m())),
        mul(int(-3), negate(int(i32::MIN))),
    ];
    let bools = vec![
        or(and(less(x(), y()), less(y(), z())), less(x(), z())),
        and(or(less(x(), y()), less(y(), z())), less(x(), z())),
        unary(Unary::Not, less(x(), y())),
        binary(Binary::LogicalXor, less(x(), y()), unary(Unary::Not, truth(true))),
        binary(Binary::Eq, less(x(), y()), less(y(), z())),
    ];
    let mut locals = Vec::new();
    let mut body = Vec::new();
    for (kind, values, ty) in [("f", floats, FLOAT), ("i", ints, INT), ("c", bools, BOOL)] {
        for (index, value) in values.into_iter().enumerate() {
            body.push(declare(locals.len() as u32, value));
            locals.push((format!("{kind}{index}"), ty));
        }
    }
    // A declared value that nothing uses is still a valid program.
    body.push(assign_global(3, construct(4, vec![local(0, FLOAT)])));
    let locals: Vec<(&str, Type)> = locals.iter().map(|(name, ty)| (name.as_str(), *ty)).collect();
    vertex(&locals, body)
}

/// Every statement of control.
pub fn control() -> Program {
    let (sum, index, count) = (|| local(0, FLOAT), || local(1, INT), || local(2, INT));
    let grow = |by: Expr| assign_local(0, add(sum(), by));
    let at_least = |limit: f32| binary(Binary::Ge, sum(), float(limit));
    let when = |condition, then, otherwise| Stmt::If { condition, then, otherwise };
    let body = vec![
        declare(0, float(0.0)),
        declare(2, convert(Scalar::Int, swizzle(read(0, VEC4), "x"))),
        Stmt::Comment("Weights.".to_owned()),
        Stmt::For {
            counter: LocalRef(1),
            start: int(0),
            condition: less(index(), count()),
            step: int(1),
            body: vec![
                when(at_least(100.0), vec![Stmt::Break], vec![]),
                grow(convert(Scalar::Float, index())),
            ],
        },
        Stmt::For {
            counter: LocalRef(3),
            start: int(8),
            condition: binary(Binary::Gt, local(3, INT), int(0)),
            step: int(-2),
            body: vec![when(at_least(50.0), vec![Stmt::Continue], vec![]), grow(float(0.5))],
        },
        when(
            at_least(10.0),
            vec![grow(float(1.0))],
            vec![when(
                at_least(5.0),
                vec![grow(float(2.0))],
                vec![when(at_least(1.0), vec![], vec![grow(float(3.0))])],
            )],
        ),
        Stmt::While {
            condition: less(sum(), float(7.0)),
            body: vec![assign_local(0, mul(sum(), float(2.0))), grow(float(1.0))],
        },
        Stmt::DoWhile { body: vec![assign_local(0, mul(sum(), float(0.5)))], condition: at_least(3.0) },
        Stmt::Loop(vec![grow(float(1.0)), when(at_least(4.0), vec![Stmt::Break], vec![])]),
        Stmt::Switch {
            value: count(),
            cases: vec![
                (vec![0], vec![grow(float(1.0))]),
                (vec![1, 0xffff_ffff], vec![declare(4, sum()), grow(local(4, FLOAT))]),
                (vec![5], vec![when(at_least(9.0), vec![Stmt::Break], vec![]), grow(float(5.0))]),
                (vec![9], vec![Stmt::Return(vec![])]),
            ],
            default: vec![assign_local(0, negate(sum()))],
        },
        when(truth(true), vec![], vec![]),
        when(binary(Binary::LogicalOr, at_least(0.0), truth(false)), vec![], vec![grow(float(6.0))]),
        when(unary(Unary::Not, at_least(0.0)), vec![], vec![grow(float(6.0))]),
        assign_global(3, construct(4, vec![sum()])),
    ];
    vertex(&[("sum", FLOAT), ("i", INT), ("count", INT), ("j", INT), ("half", FLOAT)], body)
}

/// Functions with no, one and several results.
pub fn functions() -> Program {
    let mut program = vertex(&[], Vec::new());
    let call = |function, args, results| Stmt::Call {
        function: FunctionRef(function),
        args,
        results,
        link: unshade_ir::ast::Link::NONE,
    };
    let to = |index| Some(Place::Local(LocalRef(index), Vec::new()));
    let shade = function(
        "shade",
        2,
        &[("base", VEC4), ("amount", FLOAT)],
        &[VEC4],
        vec![
            assign_local(1, add(local(1, FLOAT), float(0.25))),
            Stmt::If {
                condition: less(local(1, FLOAT), float(0.5)),
                then: vec![Stmt::Return(vec![local(0, VEC4)])],
                otherwise: vec![],
            },
            Stmt::Return(vec![mul(local(0, VEC4), local(1, FLOAT))]),
        ],
    );
    let split = function(
        "split",
        1,
        &[("whole", VEC4), ("front", VEC2), ("back", VEC2)],
        &[VEC2, VEC2],
        vec![
            declare(1, swizzle(local(0, VEC4), "xy")),
            Stmt::Declare(LocalRef(2), None),
            assign_local(2, swizzle(local(0, VEC4), "zw")),
            Stmt::Return(vec![local(1, VEC2), local(2, VEC2)]),
        ],
    );
    let either = function(
        "either",
        1,
        &[("whole", VEC4)],
        &[VEC4, FLOAT],
        vec![
            Stmt::If {
                condition: less(swizzle(local(0, VEC4), "x"), float(0.0)),
                then: vec![Stmt::Return(vec![negate(local(0, VEC4)), float(-1.0)])],
                otherwise: vec![],
            },
            Stmt::Return(vec![local(0, VEC4), float(1.0)]),
        ],
    );
    let note = function("note", 0, &[], &[], vec![assign_global(3, floats(&[1.0, 0.5, 0.25, 1.0]))]);
    let main = function(
        "main",
        0,
        &[("tone", VEC4), ("head", VEC2), ("tail", VEC2), ("sign", FLOAT)],
        &[],
        vec![
            call(3, vec![], vec![]),
            Stmt::Declare(LocalRef(0), None),
            call(0, vec![read(1, VEC4), swizzle(read(0, VEC4), "w")], vec![to(0)]),
            Stmt::Declare(LocalRef(1), None),
            Stmt::Declare(LocalRef(2), None),
            call(1, vec![local(0, VEC4)], vec![to(1), to(2)]),
            Stmt::Declare(LocalRef(3), None),
            call(2, vec![read(0, VEC4)], vec![None, to(3)]),
            call(0, vec![read(0, VEC4), local(3, FLOAT)], vec![None]),
            call(
                1,
                vec![mul(read(0, VEC4), local(3, FLOAT))],
                vec![
                    Some(Place::Local(LocalRef(0), vec![0, 1])),
                    Some(Place::Local(LocalRef(0), vec![2, 3])),
                ],
            ),
            Stmt::Assign(Place::Global(GlobalRef(3), None, vec![0, 1]), add(local(1, VEC2), local(2, VEC2))),
            assign_global(2, local(0, VEC4)),
        ],
    );
    program.functions = vec![shade, split, either, note, main];
    program
}

/// Kinds of inputs, outputs, uniforms; names that a language does not leave free.
pub fn interface() -> Program {
    let mut weights = global("weights", Space::Uniform, 40, Shape::Float { components: 1, elements: 3 });
    weights.global.constant = Some(vec![0x3f80_0000, 0, 0, 0, 0x3f00_0000, 0, 0, 0, 0x7f80_0000]);
    let mut partial = vector("texcoord1", Space::Output, 2, 2);
    partial.global.offset = 10;
    let mut clashing = vector("view", Space::Output, 2, 3);
    clashing.global.offset = 8;
    let globals = vec![
        vector("sample", Space::Uniform, 0, 1),
        vector("fog__range", Space::Uniform, 1, 2),
        vector("eye", Space::Uniform, 2, 3),
        vector("exposure", Space::Uniform, 3, 1),
        global("palette", Space::Uniform, 4, Shape::Float { components: 3, elements: 4 }),
        global("steps", Space::Uniform, 8, Shape::Int { components: 4, elements: 0 }),
        global("limits", Space::Uniform, 9, Shape::Int { components: 1, elements: 2 }),
        global("fogOn", Space::Uniform, 11, Shape::Bool { components: 1, elements: 0 }),
        global("flags", Space::Uniform, 12, Shape::Bool { components: 1, elements: 3 }),
        weights,
        vector("gl_Vertex", Space::Input, 0, 3),
        vector("scale", Space::Input, 3, 1),
        position_output(),
        vector("color", Space::Output, 1, 4),
        vector("texcoord0", Space::Output, 2, 2),
        partial,
        clashing,
    ];
    let on = |index: u32, at: i32| element(index, BOOL, int(at));
    let steps = || read(5, ty(Scalar::Int, 4));
    let body = vec![
        declare(0, convert(Scalar::Int, read(11, FLOAT))),
        Stmt::Assign(
            Place::Global(GlobalRef(13), None, vec![0, 1, 2]),
            add(element(4, VEC3, local(0, INT)), mul(read(2, VEC3), read(3, FLOAT))),
        ),
        Stmt::If {
            condition: binary(Binary::LogicalAnd, read(7, BOOL), on(8, 2)),
            then: vec![Stmt::Assign(Place::Global(GlobalRef(13), None, vec![3]), read(0, FLOAT))],
            otherwise: vec![],
        },
        assign_global(14, read(1, VEC2)),
        assign_global(
            15,
            construct(
                2,
                vec![
                    convert(Scalar::Float, swizzle(steps(), "y")),
                    convert(Scalar::Float, element(6, INT, int(1))),
                ],
            ),
        ),
        assign_global(16, mul(read(10, VEC3), element(9, FLOAT, local(0, INT)))),
        assign_global(12, construct(4, vec![read(10, VEC3), float(1.0)])),
    ];
    Program {
        globals,
        functions: vec![function("main", 0, &[("texture", INT)], &[], body)],
        ..Program::default()
    }
}

/// Helpers of strict mode, bits, literals that have no digits.
pub fn exact() -> Program {
    let a = || read(0, VEC4);
    let b = || read(1, VEC4);
    let a3 = || swizzle(a(), "xyz");
    let x = || swizzle(a(), "x");
    let mul0 = |left, right| helper(Helper::MulInfTimesZero, vec![left, right]);
    let body = vec![
        declare(0, mul0(a(), b())),
        declare(1, add(add(mul0(x(), x()), mul0(x(), swizzle(b(), "y"))), swizzle(b(), "z"))),
        declare(2, helper(Helper::MaxSecond, vec![a3(), floats(&[0.0, -0.0, f32::INFINITY])])),
        declare(3, helper(Helper::MinSecond, vec![x(), float(f32::NAN)])),
        declare(4, helper(Helper::ToIntSaturate, vec![x()])),
        declare(5, helper(Helper::Saturate, vec![local(2, VEC3)])),
        declare(6, helper(Helper::MulZeroWins, vec![local(3, FLOAT), x()])),
        declare(7, helper(Helper::ToUintSaturate, vec![x()])),
        declare(8, bitcast(Scalar::Uint, x())),
        declare(
            9,
            bitcast(
                Scalar::Float,
                binary(
                    Binary::BitXor,
                    local(8, UINT),
                    binary(Binary::BitOr, local(7, UINT), uint(0x8000_0000)),
                ),
            ),
        ),
        declare(10, helper(Helper::MinNumber, vec![local(9, FLOAT), x()])),
        declare(11, helper(Helper::MaxNumber, vec![local(10, FLOAT), x()])),
        declare(12, helper(Helper::FlushDenormal, vec![local(11, FLOAT)])),
        declare(
            13,
            builtin(
                Builtin::Choose,
                vec![
                    swizzle(b(), "xyz"),
                    local(5, VEC3),
                    builtin(Builtin::LessThan, vec![a3(), floats(&[1.0, 0.1, 1e-7])]),
                ],
            ),
        ),
        Stmt::If {
            condition: less(add(mul(x(), x()), float(f32::from_bits(0x3dcc_cc80))), float(3.0)),
            then: vec![assign_local(1, float(0.0))],
            otherwise: vec![],
        },
        assign_global(
            3,
            add(
                local(0, VEC4),
                construct(
                    4,
                    vec![local(13, VEC3), add(convert(Scalar::Float, local(4, INT)), local(12, FLOAT))],
                ),
            ),
        ),
        assign_local(1, add(local(1, FLOAT), local(6, FLOAT))),
        Stmt::Assign(Place::Global(GlobalRef(3), None, vec![3]), local(1, FLOAT)),
    ];
    vertex(
        &[
            ("all", VEC4),
            ("sum", FLOAT),
            ("greatest", VEC3),
            ("least", FLOAT),
            ("index", INT),
            ("unit", VEC3),
            ("zeroed", FLOAT),
            ("count", UINT),
            ("bits", UINT),
            ("flipped", FLOAT),
            ("low", FLOAT),
            ("high", FLOAT),
            ("flushed", FLOAT),
            ("chosen", VEC3),
        ],
        body,
    )
}

/// Lines that have to be broken.
pub fn long_lines() -> Program {
    let term = |name: u32| mul(read(name, VEC4), swizzle(read(1 - name, VEC4), "wwww"));
    let sum = (0..9).fold(read(0, VEC4), |sum, index| add(sum, term(index % 2)));
    let far = |index: u32| add(mul(swizzle(read(index, VEC4), "x"), float(0.123_456)), float(1000.25));
    let condition = (0..5).fold(less(far(0), far(1)), |all, index| {
        binary(Binary::LogicalAnd, all, less(far(index % 2), float(10.0)))
    });
    let body = vec![
        declare(0, sum),
        declare(
            1,
            construct(4, (0..4).map(|index| builtin(Builtin::Max, vec![far(index % 2), far(0)])).collect()),
        ),
        Stmt::If { condition, then: vec![assign_local(0, local(1, VEC4))], otherwise: vec![] },
        declare(
            2,
            select(
                less(far(0), far(1)),
                select(less(far(1), float(2.0)), far(0), far(1)),
                mul(far(1), far(0)),
            ),
        ),
        declare(
            3,
            builtin(
                Builtin::Sqrt,
                vec![add(add(mul(far(0), far(0)), mul(far(1), far(1))), mul(far(0), far(1)))],
            ),
        ),
        assign_global(
            3,
            add(local(0, VEC4), construct(4, vec![local(2, FLOAT), local(3, FLOAT), float(0.0), float(1.0)])),
        ),
    ];
    vertex(&[("blend", VEC4), ("corners", VEC4), ("picked", FLOAT), ("distance", FLOAT)], body)
}

/// Private arrays and arrays of everything, with dynamic index.
pub fn arrays() -> Program {
    let globals = vec![
        global("bones", Space::Uniform, 0, Shape::Float { components: 4, elements: 12 }),
        global("pairs", Space::Uniform, 12, Shape::Float { components: 2, elements: 2 }),
        global("channel", Space::Input, 0, Shape::Float { components: 4, elements: 2 }),
        position_output(),
        global("layers", Space::Output, 1, Shape::Float { components: 3, elements: 2 }),
    ];
    let index = || local(0, INT);
    let stored = |at| Expr::new(UINT, ExprKind::Array(0, Box::new(at)));
    let body = vec![
        declare(0, convert(Scalar::Int, swizzle(element(2, VEC4, int(0)), "x"))),
        Stmt::Assign(
            Place::Array(0, Box::new(index())),
            bitcast(Scalar::Uint, swizzle(element(2, VEC4, index()), "y")),
        ),
        declare(1, bitcast(Scalar::Float, stored(add(index(), int(1))))),
        Stmt::Assign(
            Place::Global(GlobalRef(4), Some(Box::new(index())), vec![0, 1]),
            element(1, VEC2, int(1)),
        ),
        assign_global(
            3,
            mul(
                element(0, VEC4, add(index(), int(3))),
                add(local(1, FLOAT), swizzle(element(1, VEC2, index()), "y")),
            ),
        ),
    ];
    Program {
        globals,
        arrays: vec![LocalArray { name: "r8".to_owned(), words: 8 }],
        functions: vec![function("main", 0, &[("index", INT), ("old", FLOAT)], &[], body)],
        ..Program::default()
    }
}

/// Matrices of every size in every use.
pub fn matrices() -> Program {
    let mut turned = matrix("turned", Space::Uniform, 30, 2, 3);
    turned.global.constant = Some([0x3f80_0000; 8].to_vec());
    let globals = vec![
        matrix("whole", Space::Uniform, 0, 4, 4),
        matrix("affine", Space::Uniform, 4, 3, 4),
        matrix("texture0", Space::Uniform, 7, 2, 4),
        matrix("small", Space::Uniform, 9, 2, 2),
        turned,
        global("bones", Space::Uniform, 11, Shape::Float { components: 4, elements: 6 }),
        vector("place", Space::Input, 0, 4),
        matrix("instance", Space::Input, 1, 3, 4),
        position_output(),
        vector("color", Space::Output, 1, 4),
        vector("texcoord0", Space::Output, 2, 2),
    ];
    let place = || read(6, VEC4);
    let place3 = || swizzle(place(), "xyz");
    let body = vec![
        declare(0, product(0, 0, 4, product(0, 0, 4, place()))),
        declare(1, add(product(1, 0, 3, place()), product(1, 0, 3, place3()))),
        declare(2, mul(product(0, 0, 3, place()), product(0, 0, 3, place3()))),
        declare(3, add(product(2, 0, 2, place()), product(0, 2, 2, place()))),
        assign_local(3, add(local(3, VEC2), product(3, 0, 2, swizzle(place(), "xy")))),
        assign_local(3, add(local(3, VEC2), product(4, 0, 2, place3()))),
        assign_local(3, add(local(3, VEC2), product(0, 1, 2, place3()))),
        assign_local(1, product(5, 3, 3, construct(4, vec![local(1, VEC3), float(1.0)]))),
        assign_local(1, product(7, 0, 3, construct(4, vec![local(1, VEC3), float(1.0)]))),
        assign_local(1, add(local(1, VEC3), product(5, 0, 3, place3()))),
        assign_local(
            2,
            mul(swizzle(element(0, VEC4, int(3)), "xyz"), swizzle(element(7, VEC4, int(1)), "xyz")),
        ),
        declare(4, swizzle(product(0, 2, 1, place()), "x")),
        assign_global(8, local(0, VEC4)),
        assign_global(9, construct(4, vec![add(local(1, VEC3), local(2, VEC3)), local(4, FLOAT)])),
        assign_global(10, local(3, VEC2)),
    ];
    let locals = [("clip", VEC4), ("view", VEC3), ("other", VEC3), ("pair", VEC2), ("depth", FLOAT)];
    Program { globals, functions: vec![function("main", 0, &locals, &[], body)], ..Program::default() }
}

/// A geometry program that writes every output before every vertex.
pub fn quad() -> Program {
    let globals = vec![
        vector("size", Space::Uniform, 0, 2),
        vector("center", Space::Input, 0, 4),
        vector("tint", Space::Input, 1, 4),
        position_output(),
        vector("color", Space::Output, 1, 4),
    ];
    let corner = |x: f32, y: f32| {
        let offset = mul(read(0, VEC2), floats(&[x, y]));
        vec![
            assign_global(3, add(read(1, VEC4), construct(4, vec![offset, floats(&[0.0, 0.0])]))),
            assign_global(4, read(2, VEC4)),
            Stmt::EmitVertex(0, unshade_ir::ast::Link::NONE),
        ]
    };
    let mut body = [(-1.0, -1.0), (1.0, -1.0), (-1.0, 1.0), (1.0, 1.0)].map(|(x, y)| corner(x, y)).concat();
    body.push(Stmt::EndPrimitive(0, unshade_ir::ast::Link::NONE));
    Program {
        globals,
        functions: vec![function("main", 0, &[], &[], body)],
        max_vertices: Some(4),
        ..Program::default()
    }
}

/// A geometry program that writes its colour once for several vertices.
pub fn kept() -> Program {
    let mut program = quad();
    let function = program.functions.last_mut().unwrap();
    let mut seen = 0;
    function.body.retain(|statement| {
        let colors = matches!(statement, Stmt::Assign(Place::Global(GlobalRef(4), ..), _));
        seen += u32::from(colors);
        !colors || seen == 1
    });
    program
}

/// A fragment program.
pub fn cutout() -> Program {
    let globals = vec![vector("color", Space::Input, 0, 4), vector("target", Space::Output, 0, 4)];
    let body = vec![
        Stmt::If {
            condition: less(swizzle(read(0, VEC4), "w"), float(0.5)),
            then: vec![Stmt::Discard(unshade_ir::ast::Link::NONE)],
            otherwise: vec![],
        },
        assign_global(1, read(0, VEC4)),
    ];
    Program { globals, functions: vec![function("main", 0, &[], &[], body)], ..Program::default() }
}
