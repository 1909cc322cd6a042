//! Control flow, addressing and emission of the PICA200 interpreter, rule by rule.

use crate::machine::{ALL, Program as Asm, XYZW, descriptor, o, r};
use unshade_isa_pica200::exec::{EMIT_LIMIT, End, Float, Outcome, Program, State, Step, Write};
use unshade_isa_pica200::{Compare, Condition, Index, Opcode, Operands, Reg};
use unshade_stage::{Stage, StageKind};

/// c<n> holds 2^n in all lanes, so that the sum of marks tells which were passed, and how often.
fn marks() -> State {
    let mut state = State::default();
    for (n, c) in state.c.iter_mut().enumerate().take(20) {
        *c = [(1_u32 << n) as f32; 4];
    }
    state
}

fn run(stage: &Stage<'_>, state: &mut State) -> Outcome {
    Program::new(stage).run(state, 100_000)
}

/// Sum of the marks passed, of a program that ends.
fn passed(asm: &Asm, state: &mut State) -> u32 {
    let outcome = run(&asm.vertex(), state);
    assert_eq!(outcome.end, End::Ended);
    state.r[0][0] as u32
}

const ANY: Condition = Condition { op: 0, ref_x: false, ref_y: false };

#[test]
fn if_takes_one_side() {
    let mut asm = Asm::default();
    asm.uniform(Opcode::Ifu, 3, 3, 1).mark(0).mark(1).mark(2).mark(3).end();
    let mut state = marks();
    state.b[3] = true;
    assert_eq!(passed(&asm, &mut state), 0b1011);
    assert_eq!(passed(&asm, &mut marks()), 0b1100);
}

#[test]
fn a_jump_on_the_last_word_of_a_block_is_never_taken() {
    let mut asm = Asm::default();
    // The block is word 1 alone; its jump would go to word 4.
    asm.uniform(Opcode::Ifu, 0, 2, 0).uniform(Opcode::Jmpu, 0, 4, 0).mark(0).mark(1).mark(2).end();
    let mut state = marks();
    state.b[0] = true;
    assert_eq!(passed(&asm, &mut state), 0b111);
    // With a word behind it in the block the jump is taken.
    let mut asm = Asm::default();
    asm.uniform(Opcode::Ifu, 0, 3, 0).uniform(Opcode::Jmpu, 0, 5, 0).nop().mark(0).mark(1).mark(2).end();
    let mut state = marks();
    state.b[0] = true;
    assert_eq!(passed(&asm, &mut state), 0b100);
}

#[test]
fn jmpu_can_test_for_false() {
    let mut asm = Asm::default();
    asm.uniform(Opcode::Jmpu, 5, 2, 1).mark(0).mark(1).end();
    assert_eq!(passed(&asm, &mut marks()), 0b10);
    let mut state = marks();
    state.b[5] = true;
    assert_eq!(passed(&asm, &mut state), 0b11);
}

#[test]
fn a_call_returns_to_the_word_behind_it() {
    let mut asm = Asm::default();
    asm.call(4, 2).mark(0).call(5, 1).end().mark(1).mark(2);
    assert_eq!(passed(&asm, &mut marks()), 0b1 + 0b10 + 2 * 0b100);
}

#[test]
fn procedures_may_share_their_end() {
    let mut asm = Asm::default();
    // a = words 2-4, b = 3-4, c = 4. Each return but the last lands inside the caller.
    asm.call(2, 3).end().call(3, 2).call(4, 1).mark(0);
    let mut trace: Vec<Step> = Vec::new();
    Program::new(&asm.vertex()).run_with(&mut marks(), 100, Float::F32, &mut trace);
    assert_eq!(trace.iter().map(|step| step.pc).collect::<Vec<_>>(), [0, 2, 3, 4, 4, 3, 4, 4, 1]);
}

/// Procedure n is the single word 1 + n and calls the next, so that each return lands on the end of its
/// caller; the innermost is a mark.
fn nested_calls(depth: u16) -> Asm {
    let mut asm = Asm::default();
    asm.call(2, 1).end();
    for n in 1..depth {
        asm.call(2 + n, 1);
    }
    asm.mark(0);
    asm
}

#[test]
fn returns_chain_and_the_fourth_leaves_the_pc() {
    // Three at once: back in main.
    let asm = nested_calls(3);
    let mut state = marks();
    let outcome = run(&asm.vertex(), &mut state);
    assert_eq!((outcome.end, outcome.steps, state.r[0][0]), (End::Ended, 5, 1.0));
    // Four: the fourth entry (of main) is dropped, but the pc stays at the return address of the third, which
    // is word 3, the call of procedure 3. From there the chain is three deep and ends behind word 2's call,
    // at word 3 again: for ever.
    let asm = nested_calls(4);
    let mut state = marks();
    assert_eq!(Program::new(&asm.vertex()).run(&mut state, 6).steps, 6);
    let mut trace: Vec<Step> = Vec::new();
    Program::new(&asm.vertex()).run_with(&mut marks(), 7, Float::F32, &mut trace);
    assert_eq!(trace.iter().map(|step| step.pc).collect::<Vec<_>>(), [0, 2, 3, 4, 5, 3, 4]);
}

#[test]
fn a_fifth_call_drives_out_the_first() {
    // Five procedures of two words: call the next, mark. Nothing ends together.
    let mut asm = Asm::default();
    asm.call(2, 2).end();
    for n in 0..4 {
        asm.call(4 + 2 * n, 2).mark(n as u8);
    }
    asm.mark(4).mark(5).end();
    let mut state = marks();
    let outcome = run(&asm.vertex(), &mut state);
    // All marks are passed on the way back, but the return of the first procedure (words 2 and 3) is lost:
    // behind its mark the run goes on into the second procedure's words.
    assert_eq!(outcome.end, End::Ended);
    let mut trace: Vec<Step> = Vec::new();
    Program::new(&asm.vertex()).run_with(&mut marks(), 100, Float::F32, &mut trace);
    let pcs: Vec<u32> = trace.iter().map(|step| step.pc).collect();
    assert_eq!(pcs[..10], [0, 2, 4, 6, 8, 10, 11, 9, 7, 5]);
    assert_eq!(pcs[10..12], [3, 4], "the return to word 1 is forgotten");
}

#[test]
fn loop_runs_one_pass_more_than_x_and_counts_al() {
    let mut asm = Asm::default();
    asm.uniform(Opcode::Loop, 1, 1, 0).mark(0).end();
    let mut state = marks();
    state.i[1] = [4, 7, 3, 0];
    assert_eq!(passed(&asm, &mut state), 5);
    assert_eq!(state.al, 7 + 5 * 3);
}

#[test]
fn break_adds_the_step_and_goes_behind_the_loop() {
    let mut asm = Asm::default();
    asm.uniform(Opcode::Loop, 0, 3, 0).mark(0).bare(Opcode::Break).mark(1).mark(2).end();
    let mut state = marks();
    state.i[0] = [9, 20, 5, 0];
    assert_eq!(passed(&asm, &mut state), 0b101);
    assert_eq!(state.al, 25);
    // Outside a loop nothing happens.
    let mut asm = Asm::default();
    asm.bare(Opcode::Break).mark(0).end();
    assert_eq!(passed(&asm, &mut marks()), 1);
}

#[test]
fn behind_a_nested_loop_al_is_the_outer_loops() {
    let mut asm = Asm::default();
    asm.uniform(Opcode::Loop, 0, 3, 0).uniform(Opcode::Loop, 1, 2, 0).mark(0).nop().end();
    let mut state = marks();
    state.i[0] = [0, 10, 1, 0];
    state.i[1] = [1, 40, 2, 0];
    let mut trace: Vec<Step> = Vec::new();
    Program::new(&asm.vertex()).run_with(&mut state, 100, Float::F32, &mut trace);
    let counters: Vec<_> = trace.iter().map(|step| step.counter).collect();
    // LOOP, LOOP, two passes, the end of the outer pass, END.
    assert_eq!(counters, [Some(10), Some(40), Some(42), Some(10), Some(11), None]);
    assert_eq!(state.r[0][0], 2.0);
}

#[test]
fn loop_wins_over_if_wins_over_call() {
    // All three end at word 4: words 1-3 are the procedure, the block and the loop's body.
    let mut asm = Asm::default();
    asm.uniform(Opcode::Jmpu, 0, 5, 0);
    asm.uniform(Opcode::Loop, 0, 3, 0).uniform(Opcode::Ifu, 0, 4, 2).mark(0).mark(1).call(1, 3).mark(2).end();
    let mut state = marks();
    state.b[0] = true;
    state.i[0] = [1, 0, 0, 0];
    // Two passes (each opens a block; the first pass closes its own), then behind the loop: word 4.
    let mut trace: Vec<Step> = Vec::new();
    let outcome = Program::new(&asm.vertex()).run_with(&mut state, 12, Float::F32, &mut trace);
    let pcs: Vec<u32> = trace.iter().map(|step| step.pc).collect();
    // The call is popped at the end of the first pass without effect on the pc.
    assert_eq!(pcs[..10], [0, 5, 1, 2, 3, 2, 3, 4, 5, 1]);
    assert_eq!(outcome.steps, 12);
}

#[test]
fn the_ninth_block_drives_out_the_first() {
    // Nine open blocks, each ending one word later than the one inside it, each going on at mark n + 1.
    let nested = |depth: u16| {
        let mut asm = Asm::default();
        let body = depth;
        for n in 0..depth {
            // Block n ends behind word body + depth - 1 - n, and skips nothing.
            asm.uniform(Opcode::Ifu, 0, body + depth - n, 1);
        }
        for _ in 0..depth {
            asm.mark(0);
        }
        asm.mark(1).mark(2).end();
        let mut state = marks();
        state.b[0] = true;
        let mut trace: Vec<Step> = Vec::new();
        Program::new(&asm.vertex()).run_with(&mut state, 1000, Float::F32, &mut trace);
        state.r[0][0] as u32
    };
    // The end of each block skips one word, so of the blocks' ends every other is met.
    let open = |depth: u32| {
        let mut passed = 0;
        let mut blocks: Vec<u32> = (0..depth).map(|n| 2 * depth - n).collect();
        blocks.drain(..blocks.len().saturating_sub(8));
        let mut pc = depth;
        while pc < 2 * depth + 2 {
            passed += [1, 2, 4][(pc.max(2 * depth - 1) - (2 * depth - 1)) as usize];
            pc += 1;
            if blocks.last() == Some(&pc) {
                blocks.pop();
                pc += 1;
            }
        }
        passed
    };
    for depth in 1..=9 {
        assert_eq!(nested(depth), open(depth.into()), "depth {depth}");
    }
}

#[test]
fn the_end_of_the_code_is_an_end() {
    let mut asm = Asm::default();
    asm.mark(0);
    let mut state = marks();
    let outcome = run(&asm.vertex(), &mut state);
    assert_eq!((outcome.end, outcome.steps, state.r[0][0]), (End::Ended, 1, 1.0));
    let outcome = run(&asm.stage(StageKind::Vertex, u32::MAX), &mut marks());
    assert_eq!((outcome.end, outcome.steps), (End::Ended, 0));
    // 4096 words can be addressed.
    let mut asm = Asm::default();
    for _ in 0..5000 {
        asm.nop();
    }
    assert_eq!(run(&asm.vertex(), &mut marks()).steps, 4096);
}

#[test]
fn fuel_is_the_number_of_instructions() {
    let mut asm = Asm::default();
    asm.mark(0).uniform(Opcode::Jmpu, 0, 0, 1);
    let mut state = marks();
    let outcome = Program::new(&asm.vertex()).run(&mut state, 11);
    assert_eq!((outcome.end, outcome.steps, state.r[0][0]), (End::OutOfFuel, 11, 6.0));
    let mut asm = Asm::default();
    asm.mark(0).end();
    assert_eq!(Program::new(&asm.vertex()).run(&mut marks(), 2).end, End::Ended);
    assert_eq!(Program::new(&asm.vertex()).run(&mut marks(), 1).end, End::OutOfFuel);
}

#[test]
fn flags_and_conditions() {
    for x in [false, true] {
        for y in [false, true] {
            for bits in 0..16_u8 {
                let condition = Condition { op: bits >> 2, ref_x: bits & 2 != 0, ref_y: bits & 1 != 0 };
                let mut asm = Asm::default();
                asm.flags(Opcode::Jmpc, condition, 2, 0).mark(0).mark(1).end();
                let mut state = marks();
                state.cmp = [x, y];
                let (x, y) = (x == condition.ref_x, y == condition.ref_y);
                let taken = [x || y, x && y, x, y][usize::from(condition.op)];
                assert_eq!(passed(&asm, &mut state), if taken { 0b10 } else { 0b11 });
            }
        }
    }
}

#[test]
fn comparisons() {
    const NAN: f32 = f32::NAN;
    // EQ NE LT LE GT GE and the two that are always true.
    let expected = [
        ([1.0, 1.0], 0b1110_1001_u8),
        ([1.0, 2.0], 0b1100_1110),
        ([2.0, 1.0], 0b1111_0010),
        ([NAN, 1.0], 0b1100_0010),
        ([-0.0, 0.0], 0b1110_1001),
    ];
    for ([a, b], bits) in expected {
        for code in 0..8 {
            let mut asm = Asm::default();
            let desc = asm.plain();
            let (x, y) = (Compare::from_bits(code), Compare::from_bits(7 - code));
            let operands = Operands::Compare {
                desc,
                src1: Reg::float(0),
                src2: Reg::input(0),
                index: Index::None,
                x,
                y,
            };
            asm.push(Opcode::Cmp, operands).end();
            let mut state = State::default();
            state.c[0] = [a, a, 0.0, 0.0];
            state.v[0] = [b, b, 0.0, 0.0];
            run(&asm.vertex(), &mut state);
            assert_eq!(state.cmp, [bits >> code & 1 != 0, bits >> (7 - code) & 1 != 0], "{a} {b} {code}");
        }
    }
}

#[test]
fn relative_addressing() {
    // Register c90 with an offset in a0.x.
    let read = |offset: i32, reg: Reg| {
        let mut asm = Asm::default();
        asm.indexed(Opcode::Mov, o(0), reg, Index::A0X).end();
        let mut state = State::default();
        for (n, c) in state.c.iter_mut().enumerate() {
            *c = [n as f32 + 1000.0; 4];
        }
        state.r[4] = [-7.0; 4];
        state.a0[0] = offset;
        run(&asm.vertex(), &mut state);
        state.o[0][0]
    };
    let c90 = Reg::float(90);
    assert_eq!(read(0, c90), 1090.0);
    assert_eq!(read(5, c90), 1095.0);
    assert_eq!(read(-90, c90), 1000.0);
    assert_eq!(read(6, c90), 1.0, "behind the last register");
    assert_eq!(read(37, c90), 1.0, "number 127");
    assert_eq!(read(38, c90), 1000.0, "the sum has seven bits");
    assert_eq!(read(-91, c90), 1.0, "number -1 is 127");
    assert_eq!(read(127, c90), 1089.0);
    assert_eq!(read(128, c90), 1090.0, "no signed byte: no offset");
    assert_eq!(read(-128, c90), 1090.0, "seven bits again");
    assert_eq!(read(-129, c90), 1090.0);
    assert_eq!(read(i32::MIN, c90), 1090.0);
    assert_eq!(read(3, Reg::temp(4)), -7.0, "only float uniforms are indexed");
}

#[test]
fn mova_truncates_and_saturates() {
    let address = |x: f32, y: f32, mask: u32| {
        let mut asm = Asm::default();
        let desc = asm.desc(descriptor(mask, [XYZW; 3], 0));
        asm.push(
            Opcode::Mova,
            Operands::One { desc, dst: o(0), src1: Reg::float(0), index: Index::None, unused: 0 },
        );
        asm.end();
        let mut state = State { a0: [77, 78], ..State::default() };
        state.c[0] = [x, y, 0.0, 0.0];
        run(&asm.vertex(), &mut state);
        state.a0
    };
    assert_eq!(address(2.9, -2.9, 0b1100), [2, -2]);
    assert_eq!(address(2.9, -2.9, 0b1000), [2, 78]);
    assert_eq!(address(2.9, -2.9, 0b0100), [77, -2]);
    assert_eq!(address(f32::INFINITY, f32::NAN, ALL), [i32::MAX, 0]);
}

#[test]
fn descriptors_behind_the_table_write_nothing() {
    let mut asm = Asm::default();
    asm.mark(0).end();
    asm.descriptors.clear();
    assert_eq!(passed(&asm, &mut marks()), 0);
}

#[test]
fn the_wide_source_of_inverted_forms_is_indexed() {
    let mut asm = Asm::default();
    let desc = asm.plain();
    asm.push(
        Opcode::Sgei,
        Operands::Two { desc, dst: o(0), src1: Reg::input(0), src2: Reg::float(1), index: Index::A0Y },
    );
    let operands =
        |src2, src3| Operands::Mad { desc, dst: o(1), src1: Reg::input(0), src2, src3, index: Index::AL };
    asm.push(Opcode::Madi, operands(Reg::input(0), Reg::float(1))).end();
    let mut state = marks();
    state.v[0] = [3.0; 4];
    state.a0 = [5, 0];
    state.al = 4;
    run(&asm.vertex(), &mut state);
    assert_eq!(state.o[0][0], 1.0, "3 >= c1 = 2");
    assert_eq!(state.o[1][0], 9.0 + 32.0, "3 * 3 + c5");
}

fn emitter() -> Asm {
    let mut asm = Asm::default();
    for n in 0..3 {
        asm.setemit(n, n == 2, false).one(Opcode::Mov, o(0), Reg::float(n)).bare(Opcode::Emit);
    }
    asm
}

#[test]
fn three_slots_make_a_triangle() {
    let mut asm = emitter();
    // The next vertex goes into slot 1 only: the other slots keep theirs.
    asm.setemit(1, true, true).one(Opcode::Mov, o(0), Reg::float(9)).bare(Opcode::Emit).end();
    let mut state = marks();
    let outcome = run(&asm.stage(StageKind::Geometry, 0), &mut state);
    let seen: Vec<(f32, bool)> = outcome.emitted.iter().map(|v| (v.o[0][0], v.inverted)).collect();
    assert_eq!(seen, [(1.0, false), (2.0, false), (4.0, false), (1.0, true), (512.0, true), (4.0, true)]);
    assert_eq!(outcome.emitted[0].enabled(0b101, 3), [[1.0; 4], [0.0; 4], [0.0; 4]]);
}

#[test]
fn output_banks_alternate() {
    let mut asm = Asm::default();
    asm.setemit(0, false, false);
    for n in 0..3 {
        asm.one(Opcode::Mov, o(n), Reg::float(n)).bare(Opcode::Emit);
    }
    asm.end();
    let mut state = marks();
    run(&asm.stage(StageKind::Geometry, 0), &mut state);
    let first = |bank: &[[f32; 4]; 16]| [bank[0][0], bank[1][0], bank[2][0]];
    // EMIT 1 and 3 took the first bank, which has o0 and o2; the second, now active, has o1.
    assert_eq!(first(&state.slots[0]), [1.0, 0.0, 4.0]);
    assert_eq!(first(&state.o), [0.0, 2.0, 0.0]);
    assert_eq!(first(&state.o_other), [1.0, 0.0, 4.0]);
}

#[test]
fn vertex_programs_emit_nothing() {
    let mut asm = emitter();
    asm.end();
    let mut state = marks();
    let outcome = run(&asm.vertex(), &mut state);
    assert!(outcome.emitted.is_empty());
    assert_eq!((state.o[0][0], state.o_other[0][0]), (4.0, 0.0));
}

#[test]
fn emission_is_bounded() {
    let mut asm = Asm::default();
    asm.setemit(0, true, false).bare(Opcode::Emit).uniform(Opcode::Jmpu, 0, 1, 1).end();
    let outcome = Program::new(&asm.stage(StageKind::Geometry, 0)).run(&mut marks(), u64::MAX);
    assert_eq!(outcome.end, End::TooManyVertices);
    assert_eq!(outcome.emitted.len(), EMIT_LIMIT);
}

#[test]
fn litp_and_dst() {
    let mut asm = Asm::default();
    asm.one(Opcode::Litp, r(1), Reg::float(0)).two(Opcode::Dst, r(2), Reg::float(1), Reg::input(0)).end();
    let mut state = State::default();
    state.c[0] = [-1.0, -500.0, 9.0, 0.25];
    state.c[1] = [2.0, 3.0, 5.0, 7.0];
    state.v[0] = [11.0, 13.0, 17.0, 19.0];
    run(&asm.vertex(), &mut state);
    assert_eq!(state.r[1], [0.0, -127.996_09, 0.0, 0.25]);
    assert_eq!(state.cmp, [false, true]);
    assert_eq!(state.r[2], [1.0, 39.0, 5.0, 19.0]);
    state.c[0] = [f32::NAN, f32::NAN, 0.0, 0.0];
    run(&asm.vertex(), &mut state);
    assert_eq!(state.r[1], [0.0, -127.996_09, 0.0, 0.0]);
    assert_eq!(state.cmp, [false, true]);
}

#[test]
fn traces_tell_what_changed() {
    let mut asm = Asm::default();
    asm.mark(0).one(Opcode::Mova, o(0), Reg::float(3)).setemit(2, true, false).bare(Opcode::Emit);
    asm.flags(Opcode::Jmpc, ANY, 6, 0).nop().end();
    let mut trace: Vec<Step> = Vec::new();
    Program::new(&asm.stage(StageKind::Geometry, 0)).run_with(&mut marks(), 100, Float::F32, &mut trace);
    let text: Vec<String> = trace.iter().map(|step| step.write.to_string()).collect();
    let expected =
        ["r0.xyzw = 1 1 1 1", "a0.xy = 8 8", "next vertex 2, triangle", "vertex 2, triangle", "", ""];
    assert_eq!(text, expected);
    assert_eq!(
        trace.iter().map(|step| step.next).collect::<Vec<_>>(),
        [1, 2, 3, 4, 6].map(Some).into_iter().chain([None]).collect::<Vec<_>>()
    );
    assert!(matches!(trace[4].write, Write::Nothing));
}
