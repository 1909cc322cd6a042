//! What lifted programs look like: procedures, jumps, loops, names.

use std::collections::BTreeMap;
use unshade::assembly::Source;
use unshade::pica200::asm::Options;
use unshade::pica200::exec::{End, Program, State, batch::Batch};
use unshade::verify::verify;
use unshade::{Container, ErrorKind, Opened, Stage, assemble_shbin, lift, open};
use unshade_ir::{Global, Module, Op, Shape, Space};
use unshade_stage::{Code, CodeLabel, Interface, Isa, StageId, StageKind};

fn assembled(text: &str, no_nop: bool) -> Opened {
    let source = Source { name: "test.pica", text };
    let assembled = assemble_shbin(&[source], Options { no_nop }).unwrap();
    open(&Container::Shbin(assembled.shbin).write().unwrap()).unwrap()
}

fn stage(opened: &Opened) -> Stage<'_> {
    opened.stages(None).next().unwrap().1
}

/// Lifts a source and compares it with the machine.
fn lifted_with(text: &str, no_nop: bool) -> Module {
    let opened = assembled(text, no_nop);
    let stage = stage(&opened);
    let verdict = verify(&stage, 200, 1);
    assert_eq!((verdict.strict.failure, verdict.readable.failure), (None, None), "{text}");
    lift(&stage).unwrap()
}

fn lifted(text: &str) -> Module {
    lifted_with(text, false)
}

/// How often each write of a register stands in the module, by machine word: the largest of a word counts.
fn copies(module: &Module) -> BTreeMap<u32, usize> {
    let mut writes = BTreeMap::<_, usize>::new();
    for function in &module.functions {
        for id in function.blocks.iter().flat_map(|block| &block.insts) {
            let inst = &function.insts[id.index()];
            if let Op::WriteVar(variable) = inst.op {
                *writes.entry((inst.origin, variable)).or_default() += 1;
            }
        }
    }
    let mut words = BTreeMap::new();
    for ((origin, _), count) in writes {
        let most = words.entry(origin.instruction).or_insert(0);
        *most = count.max(*most);
    }
    words
}

fn most_copies(module: &Module) -> usize {
    copies(module).into_values().max().unwrap_or(0)
}

const HEAD: &str = "
.fvec scale, table[8]
.ivec passes
.bool first, second
.out o position
.out c color
.alias v v0
";

fn program(body: &str) -> String {
    format!("{HEAD}{body}")
}

#[test]
fn a_procedure_is_one_function() {
    let module = lifted(&program(
        ".proc double\n add r0, r0, r0\n mul r0, scale, r0\n.end
         .proc main\n mov r0, v\n call double\n call double\n ifu first\n call double\n.end
         mov o, r0\n end\n.end",
    ));
    let names: Vec<_> = module.functions.iter().map(|function| function.name.as_str()).collect();
    assert_eq!(names, ["main", "proc_000"]);
    assert_eq!(most_copies(&module), 1);
}

#[test]
fn a_label_names_a_procedure() {
    let opened = assembled(
        &program(
            ".proc p\n add r0, r0, r0\n nop\n.end
             .proc main\n mov r0, v\n call p\n mov o, r0\n end\n.end",
        ),
        false,
    );
    let mut stage = stage(&opened);
    let label = |name: &str, words| CodeLabel { name: name.to_owned(), word: 0, words };
    stage.code.labels = vec![label("longer", Some(9)), label("twice", Some(2))];
    assert_eq!(lift(&stage).unwrap().functions[1].name, "twice");
    // A name that is taken already gets a number.
    stage.code.labels = vec![label("main", None)];
    assert_eq!(lift(&stage).unwrap().functions[1].name, "main_2");
}

#[test]
fn a_call_at_the_end_of_a_block_is_followed() {
    // Without the padding the IF is closed by the CALL itself, before the procedure runs.
    let text = program(
        ".proc double\n add r0, r0, r0\n add r0, scale, r0\n.end
         .proc main\n mov r0, v\n ifu first\n call double\n.else\n mov r0, scale\n nop\n.end
         mov o, r0\n end\n.end",
    );
    assert_eq!(lifted_with(&text, false).functions.len(), 2);
    lifted_with(&text, true);
}

#[test]
fn procedures_that_end_together_return_together() {
    let text = program(
        ".proc three\n add r0, scale, r0\n.end
         .proc two\n mul r0, scale, r0\n call three\n.end
         .proc one\n add r0, r0, r0\n call two\n.end
         .proc main\n mov r0, v\n call one\n add r0, r0, v\n mov o, r0\n end\n.end",
    );
    assert_eq!(lifted_with(&text, true).functions.len(), 4);
    // One more makes four that end with one word; the fourth does not go back, so what stands behind it runs.
    let text = text.replace(
        ".proc main\n mov r0, v\n call one",
        ".proc zero\n mov r1, r0\n call one\n.end\n.proc behind\n mul r0, r1, r0\n mov o, r0\n end\n.end
         .proc main\n mov r0, v\n call zero",
    );
    let module = lifted_with(&text, true);
    let multiplies = |word: u32| copies(&module).contains_key(&word);
    assert!(module.functions.len() < 5 && multiplies(8));
}

#[test]
fn a_jump_out_of_blocks_duplicates_nothing() {
    let module = lifted(&program(
        ".proc main\n mov r0, v\n cmp scale, gt, lt, v
         ifu first\n ifc cmp.x\n add r0, r0, r0\n jmpc cmp.y, out\n mul r0, scale, r0\n.end\n nop\n.end
         add r0, scale, r0\n ifu second\n mul r0, r0, r0\n.end
         out:\n add r0, r0, v\n ifu first\n mul r0, r0, v\n.end
         mov o, r0\n end\n.end",
    ));
    assert_eq!(most_copies(&module), 1);
}

#[test]
fn a_jump_backwards_is_a_loop() {
    let module = lifted(&program(
        ".proc main\n mov r0, v\n mov r1, scale
         again:\n add r0, scale, r0\n ifu first\n add r1, scale, r1\n.end
         cmp table[1], lt, lt, r0\n jmpc cmp.x && cmp.y, done\n jmpu first, done
         jmpu !second, done\n add r1, r1, r0\n add r0, table[0], r0\n cmp r0, eq, ne, r0\n jmpc cmp.x, done
         jmpc cmp.y, again
         done:\n mov o, r1\n end\n.end",
    ));
    assert_eq!(most_copies(&module), 1);
}

#[test]
fn loops_count_in_front_of_each_pass() {
    let module = lifted(&program(
        ".consti four(3, 1, 2, 0)
         .proc main\n mov r0, v\n for four\n for passes\n add r0, table[lcnt], r0\n cmp r0, gt, gt, v
         breakc cmp.x\n nop\n.end\n add r0, scale, r0\n.end\n mov o, r0\n end\n.end",
    ));
    assert_eq!(most_copies(&module), 1);
    let main = &module.functions[0];
    let compares =
        main.insts.iter().filter(|inst| matches!(inst.op, Op::ICompare(unshade_ir::CompareInt::Sle)));
    assert_eq!(compares.count(), 2);
}

#[test]
fn a_loop_in_a_procedure_knows_whether_it_is_nested() {
    // Behind a nested loop aL is the outer loop's again, behind an outermost one it is its own last value: two
    // functions for one procedure.
    let module = lifted(&program(
        ".consti outer(1, 0, 1, 0)\n.consti inner(1, 2, 1, 0)
         .proc sum\n for inner\n add r0, table[lcnt], r0\n.end\n add r0, scale[lcnt], r0\n.end
         .proc main\n mov r0, v\n call sum\n for outer\n call sum\n nop\n.end\n mov o, r0\n end\n.end",
    ));
    let names: Vec<_> = module.functions.iter().map(|function| function.name.as_str()).collect();
    assert_eq!(names, ["main", "proc_000", "proc_000_2"]);
}

/// What the machine leaves in o0.x and aL, with c0 to c3 holding 0, 1, 10 and 100 and passes and starts of the loops as given.
fn loops_leave(text: &str, ints: [[u8; 4]; 3]) -> (f32, i32) {
    let opened = assembled(text, false);
    let stage = stage(&opened);
    let verdict = verify(&stage, 300, 1);
    assert_eq!((verdict.strict.failure, verdict.readable.failure), (None, None), "{text}");
    let mut state = State::new(&stage);
    for (place, value) in state.c.iter_mut().zip([0.0, 1.0, 10.0, 100.0]) {
        *place = [value; 4];
    }
    state.i[..3].copy_from_slice(&ints);
    let program = Program::new(&stage);
    let mut lanes = Batch::new(&program, &state).unwrap().run_all(&[state.v], 10_000);
    let outcome = program.run(&mut state, 10_000);
    assert_eq!(outcome.end, End::Ended);
    let lane = lanes.remove(0).state;
    assert_eq!((lane.o[0][0].to_bits(), lane.al), (state.o[0][0].to_bits(), state.al), "{text}");
    (state.o[0][0], state.al)
}

const NESTED: &str = ".ivec outer, inner, third\n.fvec arr[8]\n.out o position\n";

#[test]
fn behind_a_nested_loop_the_outer_index_is_there_again() {
    let main = ".proc main\n mov r0, arr[0].xxxx\n for outer\n for inner\n nop\n.end
         add r0, arr[lcnt], r0\n.end\n mov o, r0\n end\n.end";
    // Passes less one, start, step: rows 0 to 3, whatever the inner loop counts.
    for inner in [[1, 0, 1, 0], [1, 1, 1, 0], [0, 7, 9, 0]] {
        assert_eq!(loops_leave(&format!("{NESTED}{main}"), [[3, 0, 1, 0], inner, [0; 4]]), (111.0, 4));
    }
    // Left by a break, and inside of a procedure.
    let broken = main
        .replace(" nop\n.end", " breakc cmp.x\n nop\n.end")
        .replace(" for outer", " cmp r0, eq, eq, r0\n for outer");
    assert_eq!(loops_leave(&format!("{NESTED}{broken}"), [[3, 0, 1, 0], [2, 5, 1, 0], [0; 4]]), (111.0, 4));
    let called = ".proc around\n for inner\n nop\n.end\n nop\n.end
         .proc main\n mov r0, arr[0].xxxx\n for outer\n call around\n add r0, arr[lcnt], r0\n.end
         mov o, r0\n end\n.end";
    assert_eq!(loops_leave(&format!("{NESTED}{called}"), [[3, 0, 1, 0], [2, 5, 1, 0], [0; 4]]), (111.0, 4));
}

#[test]
fn three_loops_deep_each_has_its_own_index() {
    let text = format!(
        "{NESTED}.proc main\n mov r0, arr[0].xxxx\n for outer\n for inner\n for third\n add r0, arr[lcnt], r0\n.end
         add r0, arr[lcnt], r0\n nop\n.end\n add r0, arr[lcnt], r0\n.end\n mov o, r0\n end\n.end"
    );
    // Twice: three times (row 1 twice, then row 1, 2 or 3), then row 2 or 3.
    assert_eq!(
        loops_leave(&text, [[1, 2, 1, 0], [2, 1, 1, 0], [1, 1, 0, 0]]),
        (2.0 * (6.0 + 111.0) + 110.0, 4)
    );
}

#[test]
fn recursion_is_followed_as_deep_as_the_stack_goes() {
    lifted(&program(
        ".proc again\n add r0, scale, r0\n cmp r0, gt, gt, v\n callc cmp.x, again\n mul r0, scale, r0\n.end
         .proc main\n mov r0, v\n call again\n mov o, r0\n end\n.end",
    ));
}

#[test]
fn a_triangle_is_stored_in_winding_order() {
    let text = ".gsh point c0\n.out o position\n.out c color\n.proc main
         setemit 0\n mov o, v0\n mov c, v1\n emit
         setemit 1\n mov o, v1\n mov c, v2\n emit
         setemit 2, prim inv\n mov o, v2\n emit\n end\n.end";
    let module = lifted(text);
    let effects: Vec<_> = module.functions[0]
        .insts
        .iter()
        .filter_map(|inst| match inst.op {
            Op::Store(access) if access.offset == 0 => Some("position.x"),
            Op::EmitVertex(0) => Some("vertex"),
            Op::EndPrimitive(0) => Some("end"),
            _ => None,
        })
        .collect();
    let vertex = ["position.x", "vertex"];
    assert_eq!(effects, [&vertex[..], &vertex, &vertex, &["end"]].concat());
}

fn global<'a>(module: &'a Module, name: &str) -> &'a Global {
    let found = module.globals.iter().find(|global| global.name == name);
    found.unwrap_or_else(|| panic!("no {name} in {:#?}", module.globals))
}

#[test]
fn names_come_from_the_file() {
    let module = lifted(
        ".fvec projection[4], tint\n.ivec count\n.bool lit\n.constf one(1.0, 2.0, 3.0, 4.0)
         .constfa rows[]\n.constfa (1,2,3,4)\n.constfa (5,6,7,8)\n.end
         .in position\n.out out_position position\n.out out_uv texcoord0 o2.xy\n.out - texcoord0w o2.z
         .proc main\n dp4 r0.x, projection[0], position\n mov r0.yzw, v5\n ifu lit\n mul r0, tint, r0\n.end
         mova a0.x, v5\n add r0, rows[a0.x], r0\n mul r0, one, r0\n mov out_position, r0
         mov o2, r0\n mov o3.yw, r0\n end\n.end",
    );
    let projection = global(&module, "projection");
    assert!(projection.named);
    assert_eq!((projection.space, projection.binding, projection.offset), (Space::Uniform, 0, 0));
    assert_eq!(projection.shape, Shape::Float { components: 4, elements: 4 });
    assert_eq!(global(&module, "tint").shape, Shape::Float { components: 4, elements: 0 });
    assert_eq!((global(&module, "lit").binding, global(&module, "lit").offset), (2, 0));
    assert_eq!(global(&module, "count").shape, Shape::Int { components: 4, elements: 0 });
    // Constants next to each other, of which one is indexed: one array.
    let rows = global(&module, "constants_93");
    assert_eq!(rows.shape, Shape::Float { components: 4, elements: 3 });
    let values: Vec<f32> = rows.constant.iter().flatten().map(|bits| f32::from_bits(*bits)).collect();
    assert_eq!(values, [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 1.0, 2.0, 3.0, 4.0]);
    assert_eq!(global(&module, "float_uniforms").shape, Shape::Float { components: 4, elements: 96 });
    // Inputs that only the code names are called after themselves.
    assert!(global(&module, "position").named && !global(&module, "v5").named);
    // Two meanings in one register.
    let uv = global(&module, "texcoord0");
    assert_eq!((uv.offset, uv.shape), (8, Shape::Float { components: 2, elements: 0 }));
    assert_eq!(uv.semantic.as_deref(), Some("texcoord0"));
    assert_eq!(global(&module, "texcoord0w").offset, 10);
    // What no meaning covers keeps the register's name, a run of components each.
    assert_eq!(global(&module, "o2").offset, 11);
    assert_eq!((global(&module, "o3").offset, global(&module, "o3_2").offset), (13, 15));
}

#[test]
fn code_that_overlaps_beyond_measure_is_refused() {
    // Every word calls into every other: a linear congruential sequence picks targets and lengths.
    let mut state = 1_u32;
    let words: Vec<u32> = (0..4096)
        .map(|_| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let head = [0x24, 0x25, 0x26, 0x27, 0x28, 0x29, 0x2C][(state >> 29) as usize % 7];
            head << 26 | state >> 3 & 0x03FF_FFFF
        })
        .collect();
    let stage = Stage {
        id: StageId("0".to_owned()),
        kind: StageKind::Vertex,
        isa: Isa::Pica200,
        code: Code { words: words.into(), file_offset: 0x40, ..Code::default() },
        interface: Interface::default(),
    };
    let error = lift(&stage).unwrap_err();
    assert_eq!(error.kind, ErrorKind::LimitExceeded);
    assert!(error.to_string().contains("control flow with at most"), "{error}");
    assert!(verify(&stage, 10, 1).strict.failure.is_some());
}
