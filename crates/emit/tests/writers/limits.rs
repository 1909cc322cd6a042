//! Trees that break the rules or go too deep are refused, and never crash a printer.

use crate::tools;
use crate::trees::*;
use unshade_emit::{DEPTH_LIMIT, Error, ErrorKind, GlslVersion, Options, glsl, naga};
use unshade_ir::ast::{
    Builtin, Expr, ExprKind, Fetch, FunctionRef, GlobalRef, Helper, LocalRef, Product, Program, Scalar, Stmt,
};
use unshade_ir::{Space, Texture, TextureLevel, TextureShape};
use unshade_stage::StageKind;

/// A way to print, with its name.
type Printer = (&'static str, fn(&Program, &Options) -> Result<String, Error>);

const PRINTERS: [Printer; 5] = [
    ("glsl", |program, options| glsl::print(program, options).map(|source| source.text)),
    ("wgsl", |program, options| naga::wgsl(program, options).map(|source| source.text)),
    ("hlsl", |program, options| naga::hlsl(program, options).map(|source| source.text)),
    ("msl", |program, options| naga::msl(program, options).map(|source| source.text)),
    ("spirv", |program, options| naga::spirv(program, options).map(|binary| format!("{:?}", binary.words))),
];

fn program(body: Vec<Stmt>) -> Program {
    Program {
        globals: vec![
            vector("a", Space::Input, 0, 4),
            position_output(),
            vector("color", Space::Output, 1, 4),
        ],
        functions: vec![function("main", 0, &[("x", FLOAT), ("y", VEC2)], &[], body)],
        ..Program::default()
    }
}

fn vertex() -> Options {
    Options::new(StageKind::Vertex)
}

/// Nested calls and operators on both sides, as deep as asked.
fn deep_expression(depth: usize) -> Expr {
    (1..depth).fold(swizzle(read(0, VEC4), "x"), |inner, level| match level % 4 {
        0 => builtin(Builtin::Sqrt, vec![inner]),
        1 => add(inner, float(1.5)),
        2 => sub(float(0.5), inner),
        _ => select(less(float(0.25), float(0.5)), inner, float(2.0)),
    })
}

fn deep_block(depth: usize) -> Vec<Stmt> {
    let condition = || less(swizzle(read(0, VEC4), "x"), float(0.5));
    (0..depth).fold(vec![assign_local(0, float(1.0))], |inner, level| {
        vec![match level % 3 {
            0 => Stmt::If { condition: condition(), then: inner, otherwise: vec![] },
            1 => Stmt::While { condition: condition(), body: inner },
            _ => Stmt::If { condition: condition(), then: vec![], otherwise: inner },
        }]
    })
}

#[test]
fn deep_expressions_print_up_to_the_limit() {
    let body = |depth| vec![assign_global(2, construct(4, vec![deep_expression(depth)]))];
    let (mut glsl_texts, mut spirv) = (Vec::new(), Vec::new());
    for depth in [10, 100, DEPTH_LIMIT - 2] {
        let program = program(body(depth));
        for (name, print) in PRINTERS {
            let text =
                print(&program, &vertex()).unwrap_or_else(|error| panic!("{name} at {depth}: {error}"));
            match name {
                "glsl" => glsl_texts.push((format!("depth {depth}"), StageKind::Vertex, text)),
                "wgsl" => tools::validate_wgsl(&format!("depth {depth}"), &text),
                _ => {}
            }
        }
        spirv.push((format!("depth {depth}"), naga::spirv(&program, &vertex()).unwrap().bytes()));
    }
    tools::validate_glsl(&glsl_texts);
    tools::validate_spirv(&spirv);
    let program = program(body(DEPTH_LIMIT + 10));
    for (name, print) in PRINTERS {
        assert_eq!(print(&program, &vertex()).unwrap_err().kind, ErrorKind::Invalid, "{name}");
    }
}

#[test]
fn long_sums_are_not_deep() {
    let sum = (0..400).fold(read(0, VEC4), |sum, _| add(sum, read(0, VEC4)));
    let program = program(vec![assign_global(2, sum)]);
    for (name, print) in PRINTERS {
        let text = print(&program, &vertex()).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(!text.is_empty());
    }
}

#[test]
fn deep_blocks_print_or_are_refused() {
    for depth in [5, 50, 90, 200, 500, 600, 5000] {
        let mut body = vec![declare(0, float(0.0))];
        body.extend(deep_block(depth));
        let program = program(body);
        for (name, print) in PRINTERS {
            match print(&program, &vertex()) {
                Ok(_) => assert!(depth <= DEPTH_LIMIT),
                Err(error) => {
                    assert_eq!(error.kind, ErrorKind::Invalid, "{name} at {depth}: {error}");
                    assert!(depth > 90, "{name} at {depth}: {error}");
                }
            }
        }
        // Dropping a tree this deep is the business of whoever made it; these have to go in a big stack.
        if depth > 1000 {
            std::thread::Builder::new()
                .stack_size(1 << 28)
                .spawn(move || drop(program))
                .unwrap()
                .join()
                .unwrap();
        }
    }
}

#[test]
fn long_chains_of_else_if_are_flat() {
    let condition = |n: i32| less(swizzle(read(0, VEC4), "x"), float(n as f32));
    let chain = (0..60).fold(vec![assign_local(0, float(-1.0))], |otherwise, n| {
        let then = vec![assign_local(0, float(n as f32))];
        vec![Stmt::If { condition: condition(n), then, otherwise }]
    });
    let program = program([vec![declare(0, float(0.0))], chain].concat());
    let text = glsl::print(&program, &vertex()).unwrap().text;
    assert!(text.lines().all(|line| !line.starts_with("            ")), "{text}");
    assert_eq!(text.matches("} else if (").count(), 59);
    for (name, print) in PRINTERS {
        print(&program, &vertex()).unwrap_or_else(|error| panic!("{name}: {error}"));
    }
}

#[test]
fn broken_trees_are_refused() {
    let literal =
        |components, bits: &[u64]| Expr::new(ty(Scalar::Float, components), ExprKind::Literal(bits.to_vec()));
    let value = |kind| vec![assign_local(0, Expr::new(FLOAT, kind))];
    let call = |function, args, results| Stmt::Call {
        function: FunctionRef(function),
        args,
        results,
        link: unshade_ir::ast::Link::NONE,
    };
    let x = || Box::new(float(1.0));
    let no_product =
        Product { matrix: GlobalRef(0), element: None, vector: read(0, VEC4), vector_first: false };
    let no_fetch = Fetch {
        sampler: GlobalRef(0),
        element: None,
        texture: Texture::sample(0, TextureShape::Plane, TextureLevel::Quad),
        coordinates: Some(read(0, VEC4)),
        reference: None,
        levels: Vec::new(),
    };
    let broken = vec![
        ("no such local", vec![assign_local(7, float(1.0))]),
        ("no such local read", value(ExprKind::Local(LocalRef(2)))),
        ("no such global", value(ExprKind::Global(GlobalRef(9), None))),
        ("no such array", value(ExprKind::Array(0, Box::new(int(0))))),
        ("an assigned input", vec![assign_global(0, read(0, VEC4))]),
        ("five components", value(ExprKind::Swizzle(x(), vec![0, 0, 0, 0, 0]))),
        ("a swizzle outside", value(ExprKind::Swizzle(x(), vec![1]))),
        ("a short literal", vec![assign_local(1, literal(2, &[0]))]),
        ("no components", vec![assign_local(0, literal(0, &[]))]),
        ("parts that do not add up", vec![assign_local(1, construct(2, vec![read(0, VEC4)]))]),
        ("operands missing", value(ExprKind::Builtin(Builtin::Dot, vec![float(1.0)]))),
        ("helper operands missing", value(ExprKind::Helper(Helper::MulInfTimesZero, vec![]))),
        ("an index on no array", value(ExprKind::Global(GlobalRef(0), Some(Box::new(int(0)))))),
        ("a call of itself", vec![call(0, vec![], vec![])]),
        ("a call of nothing", vec![call(3, vec![], vec![])]),
        ("values of the entry", vec![Stmt::Return(vec![float(1.0)])]),
        ("a column of no matrix", value(ExprKind::Column(GlobalRef(0), None, Box::new(int(0))))),
        ("a product with no matrix", value(ExprKind::Product(Box::new(no_product)))),
        ("a fetch from no texture", value(ExprKind::Texture(Box::new(no_fetch)))),
        ("rows of no matrix", value(ExprKind::MatrixVector(GlobalRef(0), 0, 1, Box::new(read(0, VEC4))))),
    ];
    for (what, body) in broken {
        let program = program(body);
        for (name, print) in PRINTERS {
            let error = print(&program, &vertex()).expect_err(what);
            assert_eq!(error.kind, ErrorKind::Invalid, "{name}: {what}: {error}");
            assert_eq!(error.function.as_deref(), Some("main"), "{name}: {what}: {error}");
        }
    }
    assert!(glsl::print(&Program::default(), &vertex()).is_err());
}

#[test]
fn what_a_language_lacks_is_named() {
    let fma = builtin(Builtin::Fma, vec![float(1.0), float(2.0), float(3.0)]);
    let program = program(vec![declare(0, fma)]);
    let with = |glsl, strict| Options { glsl, strict, ..vertex() };
    assert!(
        glsl::print(&program, &with(GlslVersion::Core450, true)).unwrap().text.contains("fma(1.0, 2.0, 3.0)")
    );
    assert!(
        glsl::print(&program, &with(GlslVersion::Es300, false)).unwrap().text.contains("1.0 * 2.0 + 3.0")
    );
    let error = glsl::print(&program, &with(GlslVersion::Es300, true)).unwrap_err();
    assert_eq!(error.kind, ErrorKind::Unsupported);
    assert!(error.to_string().contains("multiply-add") && error.to_string().contains("es300"), "{error}");
    for stage in [StageKind::Compute, StageKind::TessControl] {
        assert_eq!(glsl::print(&program, &Options::new(stage)).unwrap_err().kind, ErrorKind::Unsupported);
    }
    let emits = self::program(vec![Stmt::EmitVertex(0, unshade_ir::ast::Link::NONE)]);
    for (name, print) in PRINTERS {
        let error = print(&emits, &vertex()).unwrap_err();
        assert!(error.to_string().contains("EmitVertex"), "{name}: {error}");
    }
}

#[test]
fn strange_names_and_comments_stay_harmless() {
    let mut program = program(vec![
        Stmt::Comment("one\ntwo \\\nthree\r\u{7} */".to_owned()),
        declare(0, float(1.0)),
        assign_global(2, construct(4, vec![local(0, FLOAT)])),
    ]);
    for (index, name) in ["gl_Position", "in", "a b\n#define main x\u{fffd}"].into_iter().enumerate() {
        program.globals[index].global.name = name.to_owned();
    }
    program.functions[0].locals[0].name = "vec4".to_owned();
    let options =
        Options { header: vec!["C:\\shaders\\".to_owned(), "line\n#error no".to_owned()], ..vertex() };
    let text = glsl::print(&program, &options).unwrap().text;
    assert!(text.lines().all(|line| !line.starts_with("#error") && !line.ends_with('\\')), "{text}");
    tools::validate_glsl(&[("names".to_owned(), StageKind::Vertex, text)]);
    tools::validate_wgsl("names", &naga::wgsl(&program, &options).unwrap().text);
    tools::validate_hlsl(&[(
        "names".to_owned(),
        StageKind::Vertex,
        naga::hlsl(&program, &options).unwrap().text,
    )]);
}
