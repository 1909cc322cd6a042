//! One invocation, instruction by instruction.

use super::super::{Index, inst::RegKind};
use super::alu::{self, Arithmetic, Short, Single};
use super::f24;
use super::flow::{Flow, Open};
use super::program::{Alu, Op, Program, Source};
use super::state::{Emission, State, Vector, Vertex};
use super::trace::{Step, Write};
use super::{super::Dest, Rounding};
use unshade_ir::math;
use unshade_isa_common::trace::{NoTrace, Trace};

/// Which arithmetic a run uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Float {
    /// binary32, as emulators compute.
    F32,
    /// The hardware's 24 bits. Inputs and uniforms are rounded to that width before the run.
    F24(Rounding),
}

/// Why a run stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// END, or the end of the code.
    Ended,
    /// As many instructions as allowed were done.
    OutOfFuel,
    /// [`EMIT_LIMIT`] vertices were emitted and another triangle was to come.
    TooManyVertices,
}

/// How a run went. What it computed is in the state.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    /// Why it stopped.
    pub end: End,
    /// Instructions done, END included.
    pub steps: u64,
    /// Vertices of a geometry program, three for each triangle, in emission order.
    pub emitted: Vec<Vertex>,
}

/// A run that stands still between two instructions. Beside the registers this is all that it goes on with.
#[derive(Debug, Clone, PartialEq)]
pub struct Progress {
    flow: Flow,
    /// Instructions done.
    pub steps: u64,
    /// Vertices emitted so far.
    pub emitted: Vec<Vertex>,
}

impl Progress {
    /// Word index of the next instruction.
    pub fn pc(&self) -> u32 {
        self.flow.pc
    }

    /// The open blocks and calls, the three stacks of the machine one after the other, outermost first.
    pub fn open(&self) -> impl Iterator<Item = Open> + '_ {
        self.flow.open()
    }
}

/// Vertices that one run may emit, so that a run's memory is bounded (4 MiB).
pub const EMIT_LIMIT: usize = 3 * 5461;

impl Program {
    /// Runs one invocation with the arithmetic of emulators, at most `fuel` instructions.
    pub fn run(&self, state: &mut State, fuel: u64) -> Outcome {
        self.run_with(state, fuel, Float::F32, &mut NoTrace)
    }

    /// Runs one invocation and reports each instruction to `trace`.
    pub fn run_with<T: Trace<Program>>(
        &self,
        state: &mut State,
        fuel: u64,
        float: Float,
        trace: &mut T,
    ) -> Outcome {
        let mut progress = self.begin(state, float);
        let end = self.resume(&mut progress, state, fuel, float, trace);
        Outcome { end, steps: progress.steps, emitted: progress.emitted }
    }

    /// A run in front of its first instruction. Registers are rounded to the width of the arithmetic.
    pub fn begin(&self, state: &mut State, float: Float) -> Progress {
        if let Float::F24(rounding) = float {
            let registers = state.v.iter_mut().chain(&mut state.c).chain(&mut state.r);
            for register in registers.chain(&mut state.o).chain(&mut state.o_other) {
                *register = register.map(|x| f24::load(x, rounding));
            }
        }
        Progress { flow: Flow::new(self.entry), steps: 0, emitted: Vec::new() }
    }

    /// Goes on until the run has done `fuel` instructions in all. One that ran out of fuel can go on with more.
    pub fn resume<T: Trace<Program>>(
        &self,
        progress: &mut Progress,
        state: &mut State,
        fuel: u64,
        float: Float,
        trace: &mut T,
    ) -> End {
        match float {
            Float::F32 => self.interpret(Single, progress, state, fuel, trace),
            Float::F24(rounding) => self.interpret(Short(rounding), progress, state, fuel, trace),
        }
    }

    fn interpret<A: Arithmetic, T: Trace<Program>>(
        &self,
        float: A,
        progress: &mut Progress,
        state: &mut State,
        fuel: u64,
        trace: &mut T,
    ) -> End {
        let mut flow = progress.flow;
        let mut steps = progress.steps;
        let emitted = &mut progress.emitted;
        let end = loop {
            let Some(&op) = self.ops.get(flow.pc as usize) else { break End::Ended };
            if steps >= fuel {
                break End::OutOfFuel;
            }
            if op == Op::Emit && state.emission.primitive && emitted.len() >= EMIT_LIMIT {
                break End::TooManyVertices;
            }
            let pc = flow.pc;
            let al = state.al;
            steps += 1;
            let write = match op {
                Op::Alu { alu, dest, mask, src } => arithmetic(float, state, alu, dest, mask, src),
                Op::Cmp { src, by } => {
                    let [a, b] = src.map(|s| read(float, state, s));
                    state.cmp = [alu::compare(by[0], a[0], b[0]), alu::compare(by[1], a[1], b[1])];
                    Write::Flags(state.cmp)
                }
                Op::Mova { src, mask } => {
                    let a = read(float, state, src);
                    for (lane, address) in state.a0.iter_mut().enumerate() {
                        if mask >> lane & 1 != 0 {
                            *address = math::to_int(a[lane]);
                        }
                    }
                    Write::Address { mask: mask & 3, value: state.a0 }
                }
                Op::Emit => {
                    let Emission { vertex, primitive, invert } = state.emission;
                    state.slots[usize::from(vertex & 3)] = state.o;
                    std::mem::swap(&mut state.o, &mut state.o_other);
                    if primitive {
                        let triangle = state.slots[..3].iter();
                        emitted.extend(triangle.map(|&o| Vertex { o, inverted: invert }));
                    }
                    Write::Emitted { slot: vertex, triangle: primitive }
                }
                Op::SetEmit { vertex, primitive, invert } => {
                    state.emission = Emission { vertex, primitive, invert };
                    Write::Emission(state.emission)
                }
                Op::Flow { .. } | Op::Nop | Op::End => Write::Nothing,
            };
            match op {
                Op::Flow { transfer, test } => {
                    let holds = test.holds(state.cmp, &state.b);
                    flow.transfer(transfer, holds, &state.i, &mut state.al);
                }
                Op::End => {}
                _ => flow.advance(&mut state.al),
            }
            if T::ACTIVE
                && let Some(inst) = self.inst(pc)
            {
                let counter = (state.al != al).then_some(state.al);
                let next = (op != Op::End).then_some(flow.pc);
                trace.step(&Step { pc, inst, write, counter, next });
            }
            if op == Op::End {
                break End::Ended;
            }
        };
        (progress.flow, progress.steps) = (flow, steps);
        end
    }
}

#[inline]
fn arithmetic<A: Arithmetic>(
    float: A,
    state: &mut State,
    alu: Alu,
    dest: Dest,
    mask: u8,
    src: [Source; 3],
) -> Write {
    let first = read(float, state, src[0]);
    let second = || read(float, state, src[1]);
    let sources = match alu {
        Alu::Ex2 | Alu::Lg2 | Alu::Litp | Alu::Flr | Alu::Rcp | Alu::Rsq | Alu::Mov => [first; 3],
        Alu::Mad => [first, second(), read(float, state, src[2])],
        _ => [first, second(), first],
    };
    let value = alu::compute(float, alu, sources);
    if alu == Alu::Litp {
        state.cmp = alu::litp_flags(first);
    }
    let register = match dest.output() {
        Some(n) => &mut state.o[usize::from(n & 15)],
        None => &mut state.r[usize::from(dest.0 & 15)],
    };
    for lane in 0..4 {
        if mask >> lane & 1 != 0 {
            register[lane] = value[lane];
        }
    }
    Write::Register { dest, mask, value: *register, flags: (alu == Alu::Litp).then_some(state.cmp) }
}

#[inline]
fn read<A: Arithmetic>(float: A, state: &State, source: Source) -> Vector {
    let register = match source.reg {
        RegKind::Input(n) => state.v[usize::from(n & 15)],
        RegKind::Temp(n) => state.r[usize::from(n & 15)],
        RegKind::Float(n) => match source.index {
            Index::None => uniform(&state.c, i32::from(n)),
            Index::A0X => uniform(&state.c, indexed(n, state.a0[0])),
            Index::A0Y => uniform(&state.c, indexed(n, state.a0[1])),
            Index::AL => uniform(&state.c, indexed(n, state.al)),
        },
    };
    let value = source.swizzle.map(|component| register[usize::from(component & 3)]);
    if source.negate { value.map(|x| float.negate(x)) } else { value }
}

/// Register number of c`n` with an offset: offsets that do not fit into a signed byte count as zero, and the
/// sum has seven bits (3dbrew).
#[inline]
pub(super) fn indexed(n: u8, offset: i32) -> i32 {
    let offset = if (-128..=127).contains(&offset) { offset } else { 0 };
    (i32::from(n) + offset) & 0x7F
}

/// c`n`, or all ones behind the last register (3dbrew).
#[inline]
pub(super) fn uniform(c: &[Vector; 96], n: i32) -> Vector {
    usize::try_from(n).ok().and_then(|n| c.get(n)).copied().unwrap_or([1.0; 4])
}
