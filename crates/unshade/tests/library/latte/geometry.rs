//! Geometry programs: where each vertex lies on the ring, and which of its words are outputs by the copy program.

use super::forms::{agrees, case, decompiled, is_valid, stage, stages, text};
use unshade::{GlslVersion, Stage, StageKind, Target};
use unshade_stage::Latte;
use unshade_stage::latte::{GeometryRegisters, OutputPrimitive, PositionExports};

/// One vector of a vertex on the ring: where it lies there, and what the copy program makes of it.
#[derive(Clone, Copy)]
struct Vector {
    word: u32,
    target: &'static str,
}

const fn vector(word: u32, target: &'static str) -> Vector {
    Vector { word, target }
}

/// The code of a copy program.
fn copy(vectors: &[Vector]) -> Vec<u32> {
    let fetches: String = vectors
        .iter()
        .enumerate()
        .map(|(n, at)| {
            format!(
                "  {n}      FETCH           R{}.xyzw, R0.x, b159 FETCH_TYPE(NO_INDEX_OFFSET) FORMAT( 35 SCALED SIGNED 0) \
                 MEGA(16) OFFSET({})\n",
                n + 1,
                4 * at.word
            )
        })
        .collect();
    let exports: String = vectors
        .iter()
        .enumerate()
        .map(|(n, at)| format!("{:02} EXP_DONE: {}, R{}.xyzw\n", n + 1, at.target, n + 1))
        .collect();
    let listing = format!("00 VTX:\n{fetches}{exports}END_OF_PROGRAM\n");
    unshade::latte::asm::assemble(&listing).unwrap_or_else(|error| panic!("{error:?}\n{listing}")).words
}

/// A geometry program that emits `vertices` vertices with two vectors, R1 and R2, at these words of each vertex; vertex
/// k starts at word `item * k`. `indexed`: by an index that it counts on itself, as Mesa does.
fn emits(vertices: u32, item: u32, words: [u32; 2], indexed: bool) -> String {
    let mut listing = String::from(
        "00 TEX:\n\
         \x20 0      FETCH           R1.xyzw, R0.x, b159 FETCH_TYPE(NO_INDEX_OFFSET) FORMAT( 35 SCALED SIGNED 0) MEGA(16) OFFSET(0)\n\
         \x20 1      FETCH           R2.xyzw, R0.x, b159 FETCH_TYPE(NO_INDEX_OFFSET) FORMAT( 35 SCALED SIGNED 0) MEGA(16) OFFSET(16)\n\
         01 ALU:\n  2   x: MOV             R3.x, 0.0f\n",
    );
    let mut number = 2;
    let mut push = |text: String| {
        listing.push_str(&format!("{number:02} {text}\n"));
        number += 1;
    };
    for vertex in 0..vertices {
        push(format!("ALU:\n  3   x: ADD             R1.x, R1.x, {}", f64::from(vertex) + 0.5));
        for (register, word) in (1..).zip(words) {
            let at = if indexed { word } else { item * vertex + word };
            let write = if indexed {
                format!("WRITE({} + R3), R{register}.xyzw", 4 * at)
            } else {
                format!("WRITE({}), R{register}.xyzw", 4 * at)
            };
            let size = if indexed { 4095 } else { 0 };
            push(format!("MEM_RING: {write} ARRAY_SIZE({size}) ELEM_SIZE(3)"));
        }
        if indexed {
            push(format!("ALU:\n  4   x: ADD_INT         R3.x, R3.x, 0x{:08X}", item / 4));
        }
        push("EMIT_VERTEX".to_owned());
    }
    listing.push_str("END_OF_PROGRAM\n");
    listing
}

fn around(item: u32, vertices: u32, copy: Vec<u32>) -> Latte {
    Latte {
        geometry: Some(GeometryRegisters {
            primitive: OutputPrimitive::Points,
            max_vertices: 128,
            vertex_words: item,
            ring_words: item * vertices,
            copy,
        }),
        parameters: vec![Some(5), Some(2)],
        ..Latte::default()
    }
}

fn program(item: u32, vertices: u32, words: [u32; 2], vectors: &[Vector], indexed: bool) -> Stage<'static> {
    let latte = around(item, vertices, copy(vectors));
    stage(&emits(vertices, item, words, indexed), StageKind::Geometry, latte)
}

/// Every place of the position among two vectors, sizes of a vertex from what is needed to more, one to four vertices,
/// with constant places and with an index that the program counts on.
#[test]
fn the_copy_program_names_the_outputs() {
    for (words, vectors, position, parameter) in [
        ([0, 4], [vector(0, "POS0"), vector(4, "PARAM0")], "R1", "v_param_5"),
        ([0, 4], [vector(4, "POS0"), vector(0, "PARAM0")], "R2", "v_param_5"),
        ([4, 0], [vector(0, "POS0"), vector(4, "PARAM1")], "R2", "v_param_2"),
        ([8, 4], [vector(8, "POS0"), vector(4, "PARAM1")], "R1", "v_param_2"),
    ] {
        let least = words[0].max(words[1]) + 4;
        for item in [least, least + 4] {
            for vertices in 1..=4 {
                for indexed in [false, true] {
                    let program = program(item, vertices, words, &vectors, indexed);
                    let text = text(&program);
                    assert_eq!(text.matches("EmitVertex();").count(), vertices as usize, "{text}");
                    assert_eq!(text.matches("gl_Position = ").count(), vertices as usize, "{text}");
                    assert!(text.contains(&format!("out vec4 {parameter};")), "{text}");
                    // Two outputs, the position and one parameter, and no others.
                    assert_eq!(text.matches(") out vec4 ").count(), 1, "{text}");
                    let of_position = if position == "R1" { "gl_in[0].gl_Position" } else { "param0[0]" };
                    let whole = text.lines().find(|line| line.contains("gl_Position = ")).unwrap();
                    if position == "R2" {
                        assert!(whole.contains(of_position), "{whole}\n{text}");
                    }
                    is_valid(&text, StageKind::Geometry);
                    if vertices != 3 {
                        agrees(&program, 12);
                    }
                }
            }
        }
    }
}

/// Words that the copy program does not take are no outputs, and one that it takes twice is two.
#[test]
fn only_what_is_copied_leaves() {
    let program = program(12, 2, [0, 4], &[vector(0, "POS0"), vector(0, "PARAM0")], false);
    let text = text(&program);
    assert!(text.contains("out vec4 v_param_5;") && !text.contains("v_param_2"), "{text}");
    assert!(!text.contains("param0[0]"), "{text}");
    is_valid(&text, StageKind::Geometry);
    agrees(&program, 40);
}

/// The exports behind the position are what the registers say.
#[test]
fn layers_and_point_sizes() {
    let mut program = program(8, 1, [0, 4], &[vector(0, "POS0"), vector(4, "POS1")], false);
    let latte = program.interface.latte.as_mut().unwrap();
    latte.position =
        PositionExports { misc: true, point_size: true, layer: true, ..PositionExports::default() };
    let text = text(&program);
    assert!(text.contains("gl_PointSize = ") && text.contains("gl_Layer = "), "{text}");
    is_valid(&text, StageKind::Geometry);
    agrees(&program, 40);
}

/// A copy program that computes is not read; then each vector of the ring is an output, the first the position, and
/// both sides still agree.
#[test]
fn a_copy_program_that_computes_says_nothing() {
    let listing = "00 VTX:\n  0      FETCH           R1.xyzw, R0.x, b159 FETCH_TYPE(NO_INDEX_OFFSET) FORMAT( 35 SCALED SIGNED 0) \
                   MEGA(16) OFFSET(16)\n01 ALU:\n  1   x: ADD             R1.x, R1.x, R1.y\n02 EXP_DONE: POS0, R1.xyzw\nEND_OF_PROGRAM\n";
    let code = unshade::latte::asm::assemble(listing).unwrap().words;
    let program = stage(&emits(2, 8, [0, 4], false), StageKind::Geometry, around(8, 2, code));
    let text = text(&program);
    assert!(text.contains("gl_Position = ") && text.contains(") out vec4 "), "{text}");
    agrees(&program, 20);
}

/// What runs shows is what the copy program exports, beside the words on the ring.
#[test]
fn runs_show_what_is_exported() {
    let program = program(8, 2, [0, 4], &[vector(4, "POS0"), vector(0, "PARAM0")], false);
    let inputs = r#"{"cases":[{"in":{"gpr":{"0":"00000000 00000000 00000000 00000000"},
        "fetch":{"159":{"stride":4,"swapped":1,"data":"3f800000 40000000 40400000 40800000 40a00000 40c00000 40e00000 41000000"}}}}]}"#;
    let document = unshade::run_json::Document::inputs(inputs).unwrap();
    let runs = unshade::run_json::run(&program, &document, 1000).unwrap();
    let shown = document.with_outputs(&runs);
    // Vertex 0: the second vector is the position; the first, with 0.5 added to x, is the parameter.
    for wanted in
        ["POS60", "PARAM0", "40a00000 40c00000 40e00000 41000000", "3fc00000 40000000 40400000 40800000"]
    {
        assert!(shown.contains(wanted), "{wanted}\n{shown}");
    }
}

#[test]
fn the_cases_that_were_wrong() {
    if let Some(bytes) = case("gsmin.gsh") {
        let stages = stages(&bytes);
        let geometry = text(&stages[1]);
        assert_eq!(geometry.matches("gl_Position = gl_in[0].gl_Position;").count(), 2, "{geometry}");
        assert_eq!(geometry.matches(") out vec4 ").count(), 1, "{geometry}");
        is_valid(&geometry, StageKind::Geometry);
        stages.iter().for_each(|stage| agrees(stage, 60));
    }
    if let Some(bytes) = case("gscopy.gsh") {
        let stages = stages(&bytes);
        let geometry = text(&stages[1]);
        // Word 4 to 7 of the vertex is what the geometry program read first.
        assert!(geometry.contains("gl_Position = gl_in[0].gl_Position;"), "{geometry}");
        assert!(geometry.contains("v_param_0 = param0[0];"), "{geometry}");
        is_valid(&geometry, StageKind::Geometry);
        stages.iter().for_each(|stage| agrees(stage, 60));
    }
}

/// A copy program by itself is a program too: it says what it reads and what becomes of it.
#[test]
fn a_copy_program_alone() {
    let words = copy(&[vector(4, "POS0"), vector(0, "PARAM0")]);
    let mut alone = unshade::raw_stage(unshade::Isa::Latte, words, Vec::new());
    alone.kind = StageKind::Vertex;
    alone.interface.latte = Some(Box::new(Latte { copy_program: true, ..Latte::default() }));
    let text = text(&alone);
    assert!(text.contains("gl_Position = ring1;") && text.contains("param0 = ring0;"), "{text}");
    is_valid(&text, StageKind::Vertex);
    agrees(&alone, 20);
    for target in [Target::Wgsl, Target::Hlsl, Target::Msl, Target::Glsl(GlslVersion::Es300)] {
        decompiled(&alone, target).unwrap();
    }
}
