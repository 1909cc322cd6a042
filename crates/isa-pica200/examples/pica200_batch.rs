//! Speed of the PICA200 interpreters: a lit and textured vertex program over many vertices, once in the
//! batch and, for fewer vertices, once in the reference interpreter, with a comparison of the two.
//!
//! `cargo run --release -p unshade-isa-pica200 --example pica200_batch [VERTICES]`
#![allow(clippy::print_stdout, clippy::unwrap_used)]

use std::time::Instant;
use unshade_isa_pica200::exec::batch::{Attribute, Batch, Column};
use unshade_isa_pica200::exec::{Program, State, Vector};
use unshade_isa_pica200::{Dest, Index, Inst, Opcode, Operands, Reg, Swizzle, encode};
use unshade_stage::{Code, Interface, Isa, Stage, StageId, StageKind};

/// Masks have bit 3 = x.
fn descriptor(mask: u32, swizzles: [[u8; 4]; 3]) -> u32 {
    let at = |n: usize, low: u32| u32::from(Swizzle::new(swizzles[n]).0) << low;
    mask | at(0, 5) | at(1, 14) | at(2, 23)
}

struct Assembly {
    words: Vec<u32>,
    descriptors: Vec<u32>,
}

const XYZW: [u8; 4] = [0, 1, 2, 3];
const X: [u8; 4] = [0; 4];

impl Assembly {
    fn desc(&mut self, mask: u32, swizzles: [[u8; 4]; 3]) -> u8 {
        let word = descriptor(mask, swizzles);
        let found = self.descriptors.iter().position(|&d| d == word);
        found.unwrap_or_else(|| {
            self.descriptors.push(word);
            self.descriptors.len() - 1
        }) as u8
    }

    fn push(&mut self, opcode: Opcode, operands: Operands) {
        self.words.push(encode(Inst::Known { opcode, operands }));
    }

    fn two(&mut self, opcode: Opcode, dst: Dest, mask: u32, src1: Reg, src2: Reg, swizzle2: [u8; 4]) {
        let desc = self.desc(mask, [XYZW, swizzle2, XYZW]);
        self.push(opcode, Operands::Two { desc, dst, src1, src2, index: Index::None });
    }

    fn one(&mut self, opcode: Opcode, dst: Dest, mask: u32, src1: Reg, swizzle: [u8; 4]) {
        let desc = self.desc(mask, [swizzle, XYZW, XYZW]);
        self.push(opcode, Operands::One { desc, dst, src1, index: Index::None, unused: 0 });
    }
}

/// Position and normal through two matrices, one directional and one ambient light, a texture matrix.
fn program() -> Stage<'static> {
    let mut a = Assembly { words: Vec::new(), descriptors: Vec::new() };
    let temp = |n: u8| Dest(0x10 | n);
    for row in 0..4 {
        a.two(Opcode::Dp4, temp(0), 8 >> row, Reg::float(row), Reg::input(0), XYZW);
    }
    for row in 0..4 {
        a.two(Opcode::Dp4, Dest(0), 8 >> row, Reg::float(4 + row), Reg::temp(0), XYZW);
    }
    for row in 0..3 {
        a.two(Opcode::Dp3, temp(1), 8 >> row, Reg::float(row), Reg::input(1), XYZW);
    }
    a.two(Opcode::Dp3, temp(2), 8, Reg::temp(1), Reg::temp(1), XYZW);
    a.one(Opcode::Rsq, temp(2), 8, Reg::temp(2), X);
    a.two(Opcode::Mul, temp(1), 0b1110, Reg::temp(1), Reg::temp(2), X);
    a.two(Opcode::Dp3, temp(3), 0b1111, Reg::float(8), Reg::temp(1), XYZW);
    a.two(Opcode::Max, temp(3), 0b1111, Reg::float(9), Reg::temp(3), XYZW);
    let desc = a.desc(0b1111, [XYZW, XYZW, XYZW]);
    a.push(
        Opcode::Mad,
        Operands::Mad {
            desc,
            dst: temp(4),
            src1: Reg::temp(3),
            src2: Reg::float(10),
            src3: Reg::input(2),
            index: Index::None,
        },
    );
    a.two(Opcode::Min, Dest(1), 0b1111, Reg::float(11), Reg::temp(4), XYZW);
    for row in 0..2 {
        a.two(Opcode::Dp4, Dest(2), 8 >> row, Reg::float(12 + row), Reg::input(3), XYZW);
    }
    a.one(Opcode::Mov, Dest(3), 0b1111, Reg::temp(0), XYZW);
    a.two(Opcode::Add, Dest(4), 0b1110, Reg::float(14), Reg::temp(0), XYZW);
    a.push(Opcode::End, Operands::Bare { unused: 0 });
    Stage {
        id: StageId("example".to_owned()),
        kind: StageKind::Vertex,
        isa: Isa::Pica200,
        code: Code { words: a.words.into(), descriptors: a.descriptors.into(), ..Code::default() },
        interface: Interface::default(),
    }
}

fn main() {
    let count: usize = std::env::args().nth(1).map_or(1_000_000, |n| n.parse().unwrap());
    let stage = program();
    let program = Program::new(&stage);
    let mut common = State::default();
    for (n, c) in common.c.iter_mut().enumerate() {
        *c = std::array::from_fn(|k| ((n * 7 + k * 3) % 11) as f32 * 0.25 - 1.0);
    }
    let value = |n: usize, k: usize| ((n.wrapping_mul(2_654_435_761) >> k) % 1024) as f32 / 256.0 - 2.0;
    let inputs: Vec<Vec<Vector>> = (0..4)
        .map(|r| (0..count).map(|n| std::array::from_fn(|k| value(n + r * 77, k * 5))).collect())
        .collect();
    let attributes: Vec<Attribute<'_>> =
        inputs.iter().zip(0..).map(|(values, register)| Attribute { register, values }).collect();
    let mut outputs = vec![vec![[0.0; 4]; count]; 5];
    let batch = Batch::new(&program, &common).unwrap();
    let mut times = Vec::new();
    let mut steps = 0;
    for _ in 0..(20_000_000 / count.max(1)).clamp(7, 2000) {
        let mut columns: Vec<Column<'_>> =
            outputs.iter_mut().zip(0..).map(|(values, register)| Column { register, values }).collect();
        let start = Instant::now();
        steps = batch.run(count, &attributes, &mut columns, 1000).steps;
        times.push(start.elapsed().as_secs_f64());
    }
    times.sort_by(f64::total_cmp);
    let batch_speed = steps as f64 / times[times.len() / 2] / 1e6;
    println!(
        "batch:     {count} vertices, {steps} instructions, {:.1} ms, {batch_speed:.0} M instr/s",
        times[times.len() / 2] * 1e3
    );

    let few = count.min(20_000);
    let mut steps = 0;
    let mut equal = true;
    let start = Instant::now();
    for n in 0..few {
        let mut state = common.clone();
        for (register, values) in inputs.iter().enumerate() {
            state.v[register] = values[n];
        }
        steps += program.run(&mut state, 1000).steps;
        let same = |a: f32, b: f32| a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan());
        equal &= (0..5).all(|o| (0..4).all(|k| same(state.o[o][k], outputs[o][n][k])));
    }
    let seconds = start.elapsed().as_secs_f64();
    println!("reference: {few} vertices, {:.0} M instr/s, equal: {equal}", steps as f64 / seconds / 1e6);
}
