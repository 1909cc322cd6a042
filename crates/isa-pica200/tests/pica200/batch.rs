//! Batched runs against the reference interpreter, and both against random programs.

use crate::machine::{Program as Asm, r};
use proptest::prelude::*;
use unshade_isa_pica200::exec::batch::{Attribute, Batch, Column, LANES};
use unshade_isa_pica200::exec::cases::{Kind, case};
use unshade_isa_pica200::exec::{End, Float, NoTrace, Program, Rounding, State, Vector};
use unshade_isa_pica200::table::TABLE;
use unshade_isa_pica200::{Compare, Condition, Index, Opcode, Operands, Reg};
use unshade_stage::{Stage, StageKind};

/// Words that mean something: every opcode, targets inside a short program, some words of any bits.
fn words() -> impl Strategy<Value = Vec<u32>> {
    let word = prop_oneof![
        1 => any::<u32>(),
        30 => (0..TABLE.len(), any::<u32>(), 0..40_u32, 0..12_u32).prop_map(|(row, bits, dst, num)| {
            let row = &TABLE[row];
            let head = u32::from(row.first) << 26;
            let span = u32::from(row.last - row.first + 1);
            let fields = bits % (span << 26);
            match row.opcode {
                // Half of them nothing, so that programs have some length.
                Opcode::End if bits & 3 != 0 => u32::from(Opcode::Nop.row().first) << 26,
                Opcode::Call | Opcode::Callc | Opcode::Callu | Opcode::Ifu | Opcode::Ifc | Opcode::Loop
                | Opcode::Jmpc | Opcode::Jmpu => head | fields & 0x03C0_0000 | dst << 10 | num,
                _ => head | fields,
            }
        }),
    ];
    proptest::collection::vec(word, 1..40)
}

fn stage(words: Vec<u32>, descriptors: Vec<u32>, kind: StageKind, entry: u32) -> Stage<'static> {
    Asm { words, descriptors }.stage(kind, entry)
}

fn same(a: f32, b: f32) -> bool {
    a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan())
}

fn same_registers(a: &[Vector], b: &[Vector]) -> bool {
    a.iter().flatten().zip(b.iter().flatten()).all(|(&a, &b)| same(a, b))
}

/// All registers that a vertex program can change.
fn same_states(a: &State, b: &State) -> bool {
    same_registers(&a.o, &b.o)
        && same_registers(&a.r, &b.r)
        && same_registers(&a.v, &b.v)
        && (a.a0, a.al, a.cmp) == (b.a0, b.al, b.cmp)
}

/// Runs `count` vertices both ways and compares everything.
fn agree(stage: &Stage<'_>, seed: u64, count: usize, kind: Kind, fuel: u64) {
    let program = Program::new(stage);
    let common = case(stage, seed, seed, kind);
    let inputs: Vec<[Vector; 16]> = (0..count as u64).map(|n| case(stage, seed, n, kind).v).collect();
    let batch = Batch::new(&program, &common).unwrap();
    let finished = batch.run_all(&inputs, fuel);
    assert_eq!(finished.len(), count);
    for (n, (got, v)) in finished.iter().zip(&inputs).enumerate() {
        let mut state = State { v: *v, ..common.clone() };
        let outcome = program.run(&mut state, fuel);
        assert_eq!((got.end, got.steps), (outcome.end, outcome.steps), "vertex {n}");
        assert!(same_states(&got.state, &state), "vertex {n}:\n{:?}\n{:?}", got.state, state);
    }
    columns_agree(&batch, &common, &inputs, fuel, &finished.iter().map(|f| &f.state).collect::<Vec<_>>());
}

/// The same through the columns of attributes and outputs.
fn columns_agree(batch: &Batch, common: &State, inputs: &[[Vector; 16]], fuel: u64, states: &[&State]) {
    let values: Vec<Vec<Vector>> = (0..16).map(|n| inputs.iter().map(|v| v[n]).collect()).collect();
    let attributes: Vec<Attribute<'_>> =
        (0..).zip(&values).map(|(register, values)| Attribute { register, values }).collect();
    let mut outputs = vec![vec![[7.0; 4]; inputs.len()]; 16];
    let mut columns: Vec<Column<'_>> =
        (0..).zip(&mut outputs).map(|(register, values)| Column { register, values }).collect();
    let summary = batch.run(inputs.len(), &attributes, &mut columns, fuel);
    let finished = batch.run_all(inputs, fuel);
    assert_eq!(summary.steps, finished.iter().map(|f| f.steps).sum::<u64>());
    assert_eq!(summary.unfinished, finished.iter().filter(|f| f.end != End::Ended).count() as u64);
    for (n, state) in states.iter().enumerate() {
        for (register, values) in outputs.iter().enumerate() {
            assert!(same_registers(&[values[n]], &[state.o[register]]), "vertex {n}, o{register}");
        }
    }
    // Attributes that are not given have the common value.
    let mut column = vec![[0.0; 4]; 3];
    batch.run(3, &[], &mut [Column { register: 0, values: &mut column }], fuel);
    let alone = batch.run_all(&[common.v], fuel);
    assert!(column.iter().all(|o| same_registers(&[*o], &[alone[0].state.o[0]])));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn batch_is_the_reference(
        words in words(),
        descriptors in proptest::collection::vec(any::<u32>(), 0..128),
        seed in any::<u64>(),
        count in 1..40_usize,
        finite in any::<bool>(),
        fuel in prop_oneof![0..20_u64, Just(400)],
    ) {
        let entry = (seed % 3) as u32;
        let stage = stage(words, descriptors, StageKind::Vertex, entry);
        agree(&stage, seed, count, if finite { Kind::Finite } else { Kind::Full }, fuel);
    }

    /// Every kind of arithmetic, straight: no branch hides an instruction.
    #[test]
    fn arithmetic_is_the_reference(
        words in proptest::collection::vec((0..TABLE.len(), any::<u32>()), 1..60),
        descriptors in proptest::collection::vec(any::<u32>(), 128),
        seed in any::<u64>(),
        fuel in prop_oneof![0..60_u64, Just(400)],
    ) {
        let words = words.into_iter().filter_map(|(row, bits)| {
            let row = &TABLE[row];
            let fields = bits % (u32::from(row.last - row.first + 1) << 26);
            (row.sources > 0).then_some(u32::from(row.first) << 26 | fields)
        });
        agree(&stage(words.collect(), descriptors, StageKind::Vertex, 0), seed, 20, Kind::Full, fuel);
    }

    /// Nothing panics, in either arithmetic, for any words, as a geometry program or not; fuel holds.
    #[test]
    fn any_words_run(
        words in proptest::collection::vec(any::<u32>(), 0..60),
        more in words(),
        descriptors in proptest::collection::vec(any::<u32>(), 0..20),
        seed in any::<u64>(),
        geometry in any::<bool>(),
        entry in prop_oneof![0..60_u32, any::<u32>()],
    ) {
        let kind = if geometry { StageKind::Geometry } else { StageKind::Vertex };
        for words in [words, more] {
            let stage = stage(words, descriptors.clone(), kind, entry);
            let program = Program::new(&stage);
            prop_assert_eq!(Batch::new(&program, &State::default()).is_none(), geometry);
            for float in [Float::F32, Float::F24(Rounding::Nearest), Float::F24(Rounding::Truncate)] {
                let mut state = case(&stage, seed, 3, Kind::Full);
                let outcome = program.run_with(&mut state, 500, float, &mut NoTrace);
                prop_assert!(outcome.steps <= 500);
                prop_assert!(geometry || outcome.emitted.is_empty());
                let mut trace = Vec::new();
                let mut again = case(&stage, seed, 3, Kind::Full);
                let traced = program.run_with(&mut again, 500, float, &mut trace);
                prop_assert_eq!(trace.len() as u64, traced.steps);
                prop_assert_eq!((traced.end, traced.steps), (outcome.end, outcome.steps));
                prop_assert!(same_states(&again, &state));
                let text: String = trace.iter().map(|step| step.write.to_string()).collect();
                prop_assert!(geometry || !text.contains("vertex"));
            }
        }
    }
}

/// A loop that each vertex leaves after another number of passes, with a branch inside it.
#[test]
fn lanes_part_one_by_one() {
    let mut asm = Asm::default();
    let desc = asm.plain();
    let condition = Condition { op: 2, ref_x: true, ref_y: false };
    asm.uniform(Opcode::Loop, 0, 7, 0);
    asm.two(Opcode::Add, r(0), Reg::float(0), Reg::temp(0));
    let by = (Compare::Gt, Compare::Lt);
    let operands = Operands::Compare {
        desc,
        src1: Reg::temp(0),
        src2: Reg::input(0),
        index: Index::None,
        x: by.0,
        y: by.1,
    };
    asm.push(Opcode::Cmp, operands);
    asm.flags(Opcode::Ifc, Condition { op: 3, ref_x: false, ref_y: true }, 5, 0);
    asm.two(Opcode::Mul, r(1), Reg::float(1), Reg::temp(0));
    asm.flags(Opcode::Breakc, condition, 0, 0);
    asm.mad(r(2), Reg::temp(0), Reg::float(1), Reg::temp(2));
    asm.nop();
    asm.end();
    let stage = asm.vertex();
    let program = Program::new(&stage);
    let mut common = State::default();
    common.c[0] = [1.0; 4];
    common.c[1] = [1.5, -2.0, 0.25, 3.0];
    common.i[0] = [30, 2, 3, 0];
    let inputs: Vec<[Vector; 16]> = (0..50).map(|n| [[(n * 7 % 50) as f32; 4]; 16]).collect();
    let finished = Batch::new(&program, &common).unwrap().run_all(&inputs, 1000);
    let mut lengths: Vec<u64> = Vec::new();
    for (got, v) in finished.iter().zip(&inputs) {
        let mut state = State { v: *v, ..common.clone() };
        let outcome = program.run(&mut state, 1000);
        assert_eq!((got.end, got.steps), (End::Ended, outcome.steps));
        assert!(same_states(&got.state, &state));
        lengths.push(got.steps);
    }
    lengths.sort_unstable();
    lengths.dedup();
    assert!(lengths.len() > LANES, "vertices leave at different times: {lengths:?}");
}
