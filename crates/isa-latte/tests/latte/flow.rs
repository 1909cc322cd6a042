//! Control flow, memory and geometry of the interpreter, and programs that mean harm.

use crate::build;
use crate::build::{Build, LITERAL, group, inst, mov, stage};
use unshade_isa_common::texture::NoTextures;
use unshade_isa_latte::exec::{End, Event, Fault, Lane, Program, Resources, VERTEX_LIMIT};
use unshade_isa_latte::fields::{CfExport, CfNormal, Op2};
use unshade_isa_latte::{AluOp, CfOp, bindings};
use unshade_stage::{Latte, StageKind};

/// `R1.chan += literal`.
fn add(chan: u32, value: f32) -> Vec<u64> {
    group(&[inst(AluOp::Add, 1, chan, [(1, chan), (LITERAL, 0), (0, 0)])], &[value.to_bits()])
}

/// Lanes whose R0.x is above the literal stay.
fn above(value: f32) -> Vec<u64> {
    let test = inst(AluOp::PredSetGt, 9, 0, [(0, 0), (LITERAL, 0), (0, 0)]);
    group(&[Op2(test).with_update_execute_mask(1).with_update_pred(1).0], &[value.to_bits()])
}

/// The same of R1.chan.
fn below(chan: u32, value: f32) -> Vec<u64> {
    let test = inst(AluOp::PredSetGt, 9, 0, [(LITERAL, 0), (1, chan), (0, 0)]);
    group(&[Op2(test).with_update_execute_mask(1).0], &[value.to_bits()])
}

/// R1.x of four lanes whose R0.x is 0, 1, 2, 3.
fn results(build: &Build, resources: &Resources) -> [f32; 4] {
    let (lanes, outcome) = build.run(4, resources);
    assert_eq!(outcome.end, End::Ended);
    let together: [f32; 4] = std::array::from_fn(|n| f32::from_bits(lanes[n].registers[1][0]));
    // Each lane alone does the same.
    for (n, want) in together.iter().enumerate() {
        let mut lane = Lane::default();
        lane.registers[0][0] = (n as f32).to_bits();
        build.program().run(std::slice::from_mut(&mut lane), resources, &mut NoTextures, 10_000);
        assert_eq!(f32::from_bits(lane.registers[1][0]), *want, "lane {n}");
    }
    together
}

fn plain(build: &Build) -> [f32; 4] {
    results(build, &Resources::default())
}

#[test]
fn jump_else_pop() {
    let mut build = Build::default();
    build
        .alu(CfOp::AluPushBefore, &[above(1.5)])
        .flow(CfOp::Jump, 3, 0)
        .alu(CfOp::Alu, &[add(0, 1.0)])
        .flow(CfOp::Else, 5, 1)
        .alu(CfOp::AluPopAfter, &[add(0, 10.0)])
        .alu(CfOp::Alu, &[add(0, 100.0)])
        .end();
    assert_eq!(plain(&build), [110.0, 110.0, 101.0, 101.0]);
}

#[test]
fn clauses_that_pop_twice_and_turn() {
    let mut build = Build::default();
    build
        .alu(CfOp::AluPushBefore, &[above(0.5)])
        .flow(CfOp::Jump, 5, 1)
        .alu(CfOp::AluPushBefore, &[above(1.5)])
        // Lanes 2 and 3, then lane 1.
        .alu(CfOp::AluElseAfter, &[add(0, 1.0)])
        .alu(CfOp::AluPop2After, &[add(0, 10.0)])
        .alu(CfOp::Alu, &[add(0, 100.0)])
        .end();
    assert_eq!(plain(&build), [100.0, 110.0, 101.0, 101.0]);
}

#[test]
fn pushes_without_arithmetic() {
    let bools = Resources { bools: 0b10, ..Resources::default() };
    let cond = |op: CfOp, cond: u32, constant: u32, addr: u32, pops: u32| {
        CfNormal(0)
            .with_inst(op.number())
            .with_cond(cond)
            .with_cf_const(constant)
            .with_addr(addr)
            .with_pop_count(pops)
            .0
    };
    let with = |unit: u64| {
        let mut build = Build::default();
        build.raw(unit).alu(CfOp::Alu, &[add(0, 1.0)]).alu(CfOp::Alu, &[add(0, 10.0)]).end();
        results(&build, &bools)[0]
    };
    // Taken over the first clause where the condition fails.
    assert_eq!(with(cond(CfOp::Jump, 2, 1, 2, 0)), 11.0);
    assert_eq!(with(cond(CfOp::Jump, 2, 0, 2, 0)), 10.0);
    assert_eq!(with(cond(CfOp::Jump, 3, 0, 2, 0)), 11.0);
    assert_eq!(with(cond(CfOp::Jump, 1, 0, 2, 0)), 10.0);
    assert_eq!(with(cond(CfOp::Push, 2, 1, 2, 1)), 11.0);
    assert_eq!(with(cond(CfOp::Push, 2, 0, 2, 1)), 10.0);
    assert_eq!(with(cond(CfOp::PushElse, 2, 1, 2, 1)), 10.0);
    assert_eq!(with(cond(CfOp::PushElse, 2, 0, 2, 1)), 11.0);
    let mut build = Build::default();
    build
        .flow(CfOp::Push, 9, 0)
        .alu(CfOp::Alu, &[above(1.5)])
        .flow(CfOp::PopPush, 9, 1)
        .alu(CfOp::Alu, &[add(0, 1.0), above(2.5)])
        .flow(CfOp::PopJump, 6, 1)
        .alu(CfOp::Alu, &[add(0, 10.0)])
        .end();
    assert_eq!(plain(&build), [11.0; 4]);
}

#[test]
fn loops_end_by_break() {
    let mut build = Build::default();
    build.flow(CfOp::LoopStartDx10, 7, 0);
    build
        // Each lane goes round until R1.x reaches R0.x.
        .alu(
            CfOp::AluPushBefore,
            &[group(
                &[Op2(inst(AluOp::PredSetGe, 9, 0, [(1, 0), (0, 0), (0, 0)])).with_update_execute_mask(1).0],
                &[],
            )],
        )
        .flow(CfOp::Jump, 4, 1)
        .flow(CfOp::LoopBreak, 6, 1)
        .flow(CfOp::Pop, 5, 1);
    // JUMP pops by itself and skips the POP.
    build.set_target(2, 5);
    build.alu(CfOp::Alu, &[add(0, 1.0)]).flow(CfOp::LoopEnd, 1, 0).end();
    assert_eq!(plain(&build), [0.0, 1.0, 2.0, 3.0]);
}

#[test]
fn clauses_that_break_and_continue() {
    let mut build = Build::default();
    build
        .flow(CfOp::LoopStartDx10, 6, 0)
        .alu(CfOp::Alu, &[add(0, 1.0)])
        // Lanes whose count reached 5 leave; lanes 0 and 1 go to the next pass.
        .alu(CfOp::AluBreak, &[below(0, 5.0)])
        .alu(CfOp::AluContinue, &[above(1.5)])
        .alu(CfOp::Alu, &[add(0, 2.0)])
        .flow(CfOp::LoopEnd, 1, 0)
        .end();
    // 1, 2, 3, 4, 5; 1, 3, 4, 6.
    assert_eq!(plain(&build), [5.0, 5.0, 7.0, 7.0]);
}

/// Compilers write no pop count into a LOOP_CONTINUE: its jump skips the POP behind it, pass after pass.
#[test]
fn a_jump_to_the_end_of_a_loop_leaves_no_mask_behind() {
    let mut resources = Resources::default();
    resources.loops[0] = 3000;
    let mut build = Build::default();
    build
        .flow(CfOp::LoopStart, 6, 0)
        .alu(CfOp::AluPushBefore, &[above(-1.0)])
        .alu(CfOp::Alu, &[add(0, 1.0)])
        .flow(CfOp::LoopContinue, 5, 0)
        .flow(CfOp::Pop, 5, 1)
        .flow(CfOp::LoopEnd, 1, 0)
        .end();
    let mut lane = Lane::default();
    let outcome = build.program().run(std::slice::from_mut(&mut lane), &resources, &mut NoTextures, 100_000);
    assert_eq!((outcome.end, f32::from_bits(lane.registers[1][0])), (End::Ended, 3000.0));
}

#[test]
fn counted_loops_have_an_index() {
    let resources = {
        let mut resources = Resources::default();
        // Three passes: 5, 7, 9; two passes: 100, 99.
        resources.loops[4] = 3 | 5 << 12 | 2 << 24;
        resources.loops[5] = 2 | 100 << 12 | 0xFF << 24;
        resources.constant_file = (0..1024).map(|word| (word as f32).to_bits()).collect();
        resources
    };
    let constant = |op: CfOp, number: u32, addr: u32| {
        CfNormal(0).with_inst(op.number()).with_cf_const(number).with_addr(addr).0
    };
    // R1.x += C[aL].x
    let indexed = {
        let sum = Op2(inst(AluOp::Add, 1, 0, [(256, 0), (1, 0), (0, 0)])).with_src0_rel(1).with_index_mode(4);
        group(&[sum.0], &[])
    };
    let mut build = Build::default();
    build
        .raw(constant(CfOp::LoopStart, 4, 6))
        .alu(CfOp::Alu, std::slice::from_ref(&indexed))
        .raw(constant(CfOp::LoopStartNoAl, 5, 5))
        .alu(CfOp::Alu, std::slice::from_ref(&indexed))
        .flow(CfOp::LoopEnd, 3, 0)
        .flow(CfOp::LoopEnd, 1, 0)
        .end();
    assert_eq!(results(&build, &resources), [4.0 * 3.0 * (5.0 + 7.0 + 9.0); 4]);
    let mut nested = Build::default();
    nested
        .raw(constant(CfOp::LoopStart, 4, 6))
        .raw(constant(CfOp::LoopStart, 5, 4))
        .alu(CfOp::Alu, std::slice::from_ref(&indexed))
        .flow(CfOp::LoopEnd, 2, 0)
        .alu(CfOp::Alu, std::slice::from_ref(&indexed))
        .flow(CfOp::LoopEnd, 1, 0)
        .end();
    assert_eq!(results(&nested, &resources), [4.0 * (3.0 * 199.0 + 21.0); 4]);
    let mut empty = Build::default();
    empty.raw(constant(CfOp::LoopStart, 0, 3)).alu(CfOp::Alu, &[add(0, 1.0)]).flow(CfOp::LoopEnd, 1, 0).end();
    assert_eq!(results(&empty, &resources), [0.0; 4]);
}

#[test]
fn calls_return_lane_by_lane() {
    let mut build = Build::default();
    build
        .flow(CfOp::Call, 4, 0)
        .alu(CfOp::Alu, &[add(0, 1000.0)])
        .flow(CfOp::Call, 4, 0)
        .end()
        // The subroutine: lanes above 1.5 return early.
        .alu(CfOp::AluPushBefore, &[above(1.5)])
        .alu(CfOp::Alu, &[add(0, 1.0)])
        .flow(CfOp::Return, 0, 0)
        .flow(CfOp::Pop, 8, 1)
        .alu(CfOp::Alu, &[add(0, 10.0)])
        .flow(CfOp::Return, 0, 0);
    assert_eq!(plain(&build), [1020.0, 1020.0, 1002.0, 1002.0]);
}

#[test]
fn a_fetch_program_brings_attributes() {
    let mut fetch = Build::default();
    let at = |semantic: u32, offset: u32| {
        let vtx = build::vtx(3, 0).with_inst(1).with_dst_gpr(semantic).with_offset(offset);
        vtx.with_data_format(13)
            .with_num_format_all(1)
            .with_dst_sel_y(7)
            .with_dst_sel_z(4)
            .with_dst_sel_w(5)
            .0
    };
    fetch.fetch(CfOp::VtxTc, &[at(9, 4), at(8, 0), at(77, 0)]).flow(CfOp::Return, 0, 0);
    let mut build = Build::default();
    build.flow(CfOp::CallFs, 0, 0).export(1, 60, 1, [0, 1, 2, 3], 2).end();
    let mut resources = Resources { fetch_program: Some(fetch.words()), ..Resources::default() };
    let buffer = unshade_isa_latte::exec::Buffer {
        words: vec![10, 11, 20, 21],
        stride: Some(8),
        ..Default::default()
    };
    resources.buffers.insert(3, buffer);
    let latte = Latte { semantics: vec![Some(8), Some(9)], ..Latte::default() };
    let program = Program::new(&stage(build.words(), StageKind::Vertex, latte));
    let mut lane = Lane::default();
    lane.registers[0][0] = 1;
    let outcome = program.run(std::slice::from_mut(&mut lane), &resources, &mut NoTextures, 100);
    assert_eq!(outcome.end, End::Ended);
    assert_eq!(lane.exports[..8], [20, 0, 0, 0x3F80_0000, 21, 0, 0, 0x3F80_0000]);
    assert_eq!(lane.exported, 0b11);
}

#[test]
fn dropped_pixels_write_nothing_and_end_the_program() {
    let kill = inst(AluOp::KillGt, 9, 0, [(0, 0), (LITERAL, 0), (0, 0)]);
    let mut build = Build::default();
    build
        .alu(CfOp::Alu, &[group(&[kill], &[1.5_f32.to_bits()]), add(0, 1.0)])
        .export(0, 0, 1, [0, 4, 5, 7], 1)
        .end();
    let (lanes, _) = build.run(4, &Resources::default());
    assert_eq!([0, 1, 2, 3].map(|n: usize| lanes[n].killed), [false, false, true, true]);
    assert_eq!(lanes[2].exported, 0);
    let word = bindings::PIXEL_WORD as usize;
    assert_eq!(lanes[0].exports[word..word + 4], [0x3F80_0000, 0, 0x3F80_0000, 0]);
    // A loop that a dropped pixel would never leave.
    let mut endless = Build::default();
    endless.flow(CfOp::LoopStartDx10, 3, 0).flow(CfOp::Kill, 0, 0).flow(CfOp::LoopEnd, 1, 0).end();
    let (lanes, outcome) = endless.run(4, &Resources::default());
    assert_eq!(outcome.end, End::Ended);
    assert!(lanes.iter().all(|lane| lane.killed));
}

#[test]
fn scratch_streams_and_rings() {
    let mut build = Build::default();
    let literals = [7, 8, 9, 10];
    let fill: Vec<u64> = (0..4).map(|n| mov(1, n, LITERAL, n)).collect();
    build
        .alu(CfOp::Alu, &[group(&fill, &literals), group(&[mov(2, 0, LITERAL, 0)], &[3])])
        .memory(CfOp::MemScratch, |cf| cf.with_gpr(1).with_array_base(2).with_kind(1).with_index_gpr(2))
        .memory(CfOp::MemScratch, |cf| cf.with_gpr(4).with_array_base(5).with_kind(2).with_comp_mask(0b1010))
        .memory(CfOp::MemStream1, |cf| cf.with_gpr(1).with_array_base(5).with_comp_mask(0b0110))
        .memory(CfOp::MemRing, |cf| cf.with_gpr(1).with_array_base(4).with_burst_count(1))
        .memory(CfOp::MemExport, |cf| cf.with_gpr(1).with_kind(1).with_index_gpr(2).with_elem_size(0))
        .memory(CfOp::MemReduction, |cf| cf.with_gpr(1).with_array_base(1))
        .end();
    let (lanes, outcome) = build.run(1, &Resources::default());
    assert_eq!(outcome.end, End::Ended);
    let lane = &lanes[0];
    assert_eq!(lane.scratch.words[20..], literals);
    assert_eq!(lane.registers[4], [0, 8, 0, 10]);
    assert_eq!(lane.streams[1].words, [0, 0, 0, 0, 0, 0, 8, 9]);
    assert_eq!(lane.ring.words, [0, 0, 0, 0, 7, 8, 9, 10, 3, 0, 0, 0]);
    assert_eq!(lane.memory.words, [0, 0, 0, 7, 8, 9, 10]);
    assert_eq!(lane.reduction.words[4..], literals);
}

#[test]
fn vertices_are_items_of_the_ring() {
    let mut build = Build::default();
    let count = inst(AluOp::AddInt, 3, 0, [(3, 0), (250, 0), (0, 0)]);
    let vertex = |build: &mut Build, value: u32, op: CfOp| {
        build
            .alu(CfOp::Alu, &[group(&[mov(1, 0, LITERAL, 0)], &[value])])
            .memory(CfOp::MemRing, |cf| cf.with_gpr(1).with_kind(1).with_index_gpr(3))
            .alu(CfOp::Alu, &[group(&[count], &[])])
            .flow(op, 0, 0);
    };
    vertex(&mut build, 5, CfOp::EmitVertex);
    vertex(&mut build, 6, CfOp::EmitCutVertex);
    build.flow(CfOp::CutVertex, 0, 0).end();
    let (lanes, outcome) = build.run(1, &Resources::default());
    assert_eq!(outcome.end, End::Ended);
    let vertex = |value: u32| Event::Vertex(vec![value, 0, 0, 0]);
    assert_eq!(lanes[0].events, [vertex(5), vertex(6), Event::Cut, Event::Cut]);
}

#[test]
fn bursts_and_relative_registers() {
    let mut build = Build::default();
    let mut resources = Resources::default();
    resources.loops[0] = 1 | 2 << 12;
    build.flow(CfOp::LoopStart, 4, 0);
    build.alu(CfOp::Alu, &[group(&[mov(5, 0, LITERAL, 0), mov(6, 0, LITERAL, 1)], &[8, 9])]);
    let export = CfExport(0).with_inst(CfOp::Export.number()).with_kind(2).with_array_base(3).with_gpr(3);
    let export = export.with_gpr_relative(1).with_burst_count(1).with_sel_y(7).with_sel_z(7).with_sel_w(7);
    build.raw(export.0).flow(CfOp::LoopEnd, 1, 0).end();
    let (lanes, _) = build.run(1, &resources);
    let word = (bindings::PARAMETER_WORD + 12) as usize;
    assert_eq!((lanes[0].exports[word], lanes[0].exports[word + 4]), (8, 9));
    assert_eq!(lanes[0].exported, 0b11 << 7);
}

fn end(build: &Build) -> End {
    build.run(4, &Resources::default()).1.end
}

fn fault(build: &Build) -> Option<Fault> {
    match end(build) {
        End::Fault { fault, .. } => Some(fault),
        _ => None,
    }
}

#[test]
fn what_the_machine_cannot_run_has_a_name() {
    let one = |unit: u64| {
        let mut build = Build::default();
        build.raw(unit);
        fault(&build)
    };
    let flow = |op: CfOp, pops: u32| one(CfNormal(0).with_inst(op.number()).with_pop_count(pops).0);
    assert_eq!(flow(CfOp::Pop, 1), Some(Fault::StackUnderflow));
    assert_eq!(flow(CfOp::Else, 0), Some(Fault::StackUnderflow));
    assert_eq!(flow(CfOp::LoopEnd, 0), Some(Fault::OutsideLoop));
    assert_eq!(flow(CfOp::LoopBreak, 0), Some(Fault::OutsideLoop));
    assert_eq!(one(CfNormal(0).with_inst(30).0), Some(Fault::UnknownInstruction));
    assert_eq!(one(1 << 61 | 12 << 58), Some(Fault::UnknownInstruction));
    assert_eq!(one(1 << 61 | 8 << 58 | 5000), Some(Fault::ClauseOutside));
    let tex = CfNormal(0).with_inst(CfOp::Tex.number()).with_addr(u32::MAX);
    assert_eq!(one(tex.0), Some(Fault::ClauseOutside));
    // No end: 64 NOPs, then whatever stands there.
    assert_eq!(fault(&Build::default()), Some(Fault::RanOff));
    let mut lerp = Build::default();
    lerp.fetch(CfOp::Tex, &[9]).end();
    assert_eq!(fault(&lerp), Some(Fault::Unsupported));
}

#[test]
fn hostile_programs_end() {
    // Round and round, in every way.
    let mut endless = Build::default();
    endless.flow(CfOp::LoopStartDx10, 2, 0).flow(CfOp::LoopEnd, 1, 0).end();
    assert_eq!(end(&endless), End::OutOfFuel);
    let mut back = Build::default();
    back.raw(CfNormal(0).with_inst(CfOp::Jump.number()).with_cond(1).0);
    assert_eq!(end(&back), End::OutOfFuel);
    let mut itself = Build::default();
    itself.flow(CfOp::Call, 0, 0);
    assert_eq!(fault(&itself), Some(Fault::TooDeep));
    let mut pushes = Build::default();
    pushes.flow(CfOp::Push, 0, 0).raw(CfNormal(0).with_inst(CfOp::Jump.number()).with_cond(1).0);
    assert_eq!(fault(&pushes), Some(Fault::StackOverflow));
    let mut loops = Build::default();
    loops.flow(CfOp::LoopStartDx10, 0, 0).raw(CfNormal(0).with_inst(CfOp::Jump.number()).with_cond(1).0);
    assert_eq!(fault(&loops), Some(Fault::StackOverflow));
    let mut emits = Build::default();
    emits.flow(CfOp::EmitVertex, 0, 0).raw(CfNormal(0).with_inst(CfOp::Jump.number()).with_cond(1).0);
    let (lanes, outcome) = emits.run(1, &Resources::default());
    assert!(matches!(outcome.end, End::Fault { fault: Fault::TooManyVertices, .. }));
    assert_eq!(lanes[0].events.len(), VERTEX_LIMIT as usize);
    // A call must not pop what its caller pushed.
    let mut thief = Build::default();
    thief.flow(CfOp::Push, 0, 0).flow(CfOp::Call, 3, 0).end().flow(CfOp::Pop, 0, 1);
    assert_eq!(fault(&thief), Some(Fault::StackUnderflow));
    // Memory far away vanishes.
    let mut far = Build::default();
    far.alu(CfOp::Alu, &[group(&[mov(2, 0, LITERAL, 0)], &[0x7FFF_FFFF])])
        .memory(CfOp::MemScratch, |cf| cf.with_gpr(1).with_kind(1).with_index_gpr(2))
        .memory(CfOp::MemExport, |cf| cf.with_gpr(1).with_kind(1).with_index_gpr(2))
        .end();
    let (lanes, outcome) = far.run(1, &Resources::default());
    assert_eq!(outcome.end, End::Ended);
    assert!(lanes[0].scratch.words.is_empty() && lanes[0].memory.words.is_empty());
}

#[test]
fn no_lanes_no_steps() {
    let mut build = Build::default();
    build.flow(CfOp::Call, 0, 0);
    let outcome = build.run(0, &Resources::default()).1;
    assert_eq!((outcome.end, outcome.steps), (End::Ended, 0));
}
