//! PICA200's interpreter, as [`super::verify`] needs it.
//!
//! Readable source may take it that no number on the way is an infinity or NaN, and that relative addressing
//! stays inside the array it starts in. A run of the machine that does otherwise says nothing about it.

use super::compare::Words;
use super::machine::{Inputs, Leaves, Machine, Registers, words};
use super::outside::Reason;
use crate::pica200::exec::{End, Float, Program, State, Step, Trace, Vector, Vertex, Write, cases};
use crate::pica200::inst::RegKind;
use crate::pica200::lift::{BOOL_BINDING, FLOAT_BINDING, INT_BINDING};
use crate::pica200::{Format, Index, Inst, Operands, Reg};
use unshade_ir::{Global, Shape, Space};
use unshade_isa::cases::Kind;
use unshade_isa::pica200;
use unshade_stage::{Stage, StageKind};

/// A program and the interpreter.
pub(super) struct Pica200<'a> {
    stage: &'a Stage<'a>,
    program: Program,
}

impl<'a> Pica200<'a> {
    pub(super) fn new(stage: &'a Stage<'a>) -> Self {
        Self { stage, program: Program::new(stage) }
    }

    fn state(&self, inputs: &Inputs) -> State {
        let mut state = State::new(self.stage);
        let vectors = |registers: &mut [Vector], words: &[u32]| {
            for (place, word) in registers.iter_mut().flatten().zip(words) {
                *place = f32::from_bits(*word);
            }
        };
        vectors(&mut state.v, words(inputs, Space::Input, 0));
        vectors(&mut state.c, words(inputs, Space::Uniform, FLOAT_BINDING));
        for (place, word) in state.i.iter_mut().flatten().zip(words(inputs, Space::Uniform, INT_BINDING)) {
            *place = *word as u8;
        }
        for (place, word) in state.b.iter_mut().zip(words(inputs, Space::Uniform, BOOL_BINDING)) {
            *place = *word != 0;
        }
        state
    }
}

impl super::machine::Verified for pica200::Pica200 {
    fn machine<'a>(stage: &'a Stage<'_>) -> Result<Box<dyn Machine + 'a>, String> {
        Ok(Box::new(Pica200::new(stage)))
    }
}

impl Machine for Pica200<'_> {
    fn inputs(&self, seed: u64, index: u64, kind: Kind) -> Inputs {
        let state = cases::case(self.stage, seed, index, kind);
        let floats = |registers: &[Vector]| registers.iter().flatten().map(|x| x.to_bits()).collect();
        let registers = |space, binding, words| Registers { space, binding, words };
        vec![
            registers(Space::Input, 0, floats(&state.v)),
            registers(Space::Uniform, FLOAT_BINDING, floats(&state.c)),
            registers(
                Space::Uniform,
                INT_BINDING,
                state.i.iter().flatten().map(|byte| u32::from(*byte)).collect(),
            ),
            registers(Space::Uniform, BOOL_BINDING, state.b.iter().map(|set| u32::from(*set)).collect()),
        ]
    }

    /// Integers have 8 bits and booleans one. What a draw makes of them has 32.
    fn limited(&self, mut inputs: Inputs) -> Inputs {
        for file in inputs.iter_mut().filter(|file| file.space == Space::Uniform) {
            let limit: fn(u32) -> u32 = match file.binding {
                INT_BINDING => |word| word & 0xFF,
                BOOL_BINDING => |word| u32::from(word != 0),
                _ => continue,
            };
            file.words.iter_mut().for_each(|word| *word = limit(*word));
        }
        inputs
    }

    fn run(&self, inputs: &Inputs, fuel: u64) -> (Option<Words>, u64) {
        let mut state = self.state(inputs);
        let outcome = self.program.run(&mut state, fuel);
        let words = |o: &[Vector; 16]| o.iter().flatten().map(|x| x.to_bits()).collect();
        let result = (outcome.end == End::Ended).then(|| {
            if self.leaves() == Leaves::Outputs {
                return vec![words(&state.o)];
            }
            let triangles = outcome.emitted.chunks_exact(3).flat_map(in_winding_order);
            triangles.map(|vertex| words(&vertex.o)).collect()
        });
        (result, outcome.steps)
    }

    fn stops_at_bound(&self, inputs: &Inputs, fuel: u64) -> bool {
        self.program.run(&mut self.state(inputs), fuel).end == End::TooManyVertices
    }

    fn leaves_assumptions(&self, inputs: &Inputs, fuel: u64, globals: &[Global]) -> Option<Reason> {
        let mut state = self.state(inputs);
        let mut watch = Watch::new(globals, &state);
        self.program.run_with(&mut state, fuel, Float::F32, &mut watch);
        watch.outside
    }

    fn output_words(&self) -> usize {
        4 * 16
    }

    fn leaves(&self) -> Leaves {
        if self.stage.kind == StageKind::Geometry { Leaves::Vertices } else { Leaves::Outputs }
    }

    fn output_name(&self, word: usize) -> String {
        format!("o{}.{}", word / 4, ["x", "y", "z", "w"][word % 4])
    }
}

/// The machine keeps the order of the slots and says that the winding is inverted; a program in source
/// exchanges the first two vertices instead.
fn in_winding_order(triangle: &[Vertex]) -> impl Iterator<Item = &Vertex> {
    let inverted = triangle.first().is_some_and(|vertex| vertex.inverted);
    let order = if inverted { [1, 0, 2] } else { [0, 1, 2] };
    order.into_iter().filter_map(|n| triangle.get(n))
}

/// Watches a run for what readable mode does not cover.
#[derive(Debug)]
struct Watch {
    /// First and last float uniform of each array.
    arrays: Vec<(i32, i32)>,
    a0: [i32; 2],
    al: i32,
    /// What happened that readable mode does not cover.
    outside: Option<Reason>,
}

impl Watch {
    fn new(globals: &[Global], inputs: &State) -> Self {
        let mut arrays: Vec<(i32, i32)> = globals
            .iter()
            .filter(|global| global.space == Space::Uniform && global.binding == FLOAT_BINDING)
            .filter_map(|global| match global.shape {
                Shape::Float { elements: count @ 1.., .. } => {
                    let first = (global.offset / 4) as i32;
                    Some((first, first + count as i32 - 1))
                }
                _ => None,
            })
            .collect();
        // The smallest array around a register is the one that its index means.
        arrays.sort_by_key(|(first, last)| last - first);
        Self { arrays, a0: inputs.a0, al: inputs.al, outside: None }
    }

    fn indexed(&mut self, base: u8, index: Index) {
        let offset = match index {
            Index::None => return,
            Index::A0X => self.a0[0],
            Index::A0Y => self.a0[1],
            Index::AL => self.al,
        };
        let base = i32::from(base);
        let inside = |&&(first, last): &&(i32, i32)| (first..=last).contains(&base);
        let near = (-128..=127).contains(&offset);
        let stays = self
            .arrays
            .iter()
            .find(inside)
            .is_some_and(|(first, last)| (*first..=*last).contains(&base.saturating_add(offset)));
        Reason::Index.note(!near || !stays, &mut self.outside);
    }
}

impl Trace<Program> for Watch {
    fn step(&mut self, step: &Step) {
        if let Some((reg, index)) = wide(step.inst)
            && let RegKind::Float(base) = reg.kind()
        {
            self.indexed(base, index);
        }
        match step.write {
            Write::Register { mask, value, .. } => {
                let written = value.iter().enumerate().filter(|(lane, _)| mask >> lane & 1 != 0);
                let is_finite = written.into_iter().all(|(_, x)| x.is_finite());
                Reason::NotFinite.note(!is_finite, &mut self.outside);
            }
            Write::Address { value, .. } => self.a0 = value,
            _ => {}
        }
        self.al = step.counter.unwrap_or(self.al);
    }
}

/// The source that may be indexed.
fn wide(inst: Inst) -> Option<(Reg, Index)> {
    let Inst::Known { opcode, operands } = inst else { return None };
    let inverted = matches!(opcode.format(), Format::TwoInverted | Format::MadInverted);
    match operands {
        Operands::One { src1, index, .. } | Operands::Compare { src1, index, .. } => Some((src1, index)),
        Operands::Two { src1, src2, index, .. } => Some((if inverted { src2 } else { src1 }, index)),
        Operands::Mad { src2, src3, index, .. } => Some((if inverted { src3 } else { src2 }, index)),
        _ => None,
    }
}
