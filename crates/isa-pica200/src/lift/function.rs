//! From a graph of places to a function of the IR.

use super::super::Inst;
use super::arithmetic;
use super::explore::{Action, Choice, Destination, Edge, Exit, Graph, What};
use super::flow::{Emission, Loop, Test};
use super::operand::{BOOL_BINDING, INT_BINDING};
use super::registers::{Register, Registers};
use super::write::{Step, Writer};
use std::collections::BTreeSet;
use unshade_ir::build::FunctionBuilder;
use unshade_ir::{BlockId, CompareInt, Function, FunctionId, Module, Op, Space, Terminator, Value};

/// What all functions of a program share while they are written.
#[derive(Debug)]
pub(super) struct Program<'a> {
    pub(super) insts: &'a [Inst],
    pub(super) descriptors: &'a [u32],
    pub(super) geometry: bool,
    /// Components that leave the program, by output register: bit 0 = x.
    pub(super) outputs: [u8; 16],
    /// Function of each graph.
    pub(super) functions: Vec<Option<FunctionId>>,
    pub(super) registers: Registers,
    /// Float uniforms that are the base of relative addressing.
    pub(super) bases: BTreeSet<u8>,
}

impl Program<'_> {
    /// Writes the function of a graph; `index` is that of the graph, `usize::MAX` for the entry.
    pub(super) fn function(
        &mut self,
        module: &mut Module,
        graph: &Graph,
        index: usize,
        name: String,
    ) -> Function {
        let (insts, descriptors, geometry) = (self.insts, self.descriptors, self.geometry);
        let writer = Writer {
            builder: FunctionBuilder::new(name),
            module,
            registers: &mut self.registers,
            bases: &mut self.bases,
            word: graph.begin,
        };
        let body = Body {
            writer,
            graph,
            index,
            insts,
            descriptors,
            geometry,
            outputs: &self.outputs,
            functions: &self.functions,
            exit: None,
        };
        body.write()
    }
}

struct Body<'a> {
    writer: Writer<'a>,
    graph: &'a Graph,
    index: usize,
    insts: &'a [Inst],
    descriptors: &'a [u32],
    geometry: bool,
    outputs: &'a [u8; 16],
    functions: &'a [Option<FunctionId>],
    /// The block that stores the outputs and ends the program, once some place needs it.
    exit: Option<BlockId>,
}

impl Body<'_> {
    fn write(mut self) -> Function {
        let blocks = self.blocks();
        for (start, block) in blocks.iter().enumerate() {
            let Some(block) = *block else { continue };
            self.writer.builder.switch_to(block);
            self.run(start, &blocks);
        }
        if let Some(exit) = self.exit {
            self.writer.builder.switch_to(exit);
            // A geometry program hands its outputs over with EMIT.
            if !self.geometry {
                // What wrote the registers is what stores them.
                self.writer.word = u32::MAX;
                self.store_outputs(Register::Output);
            }
            self.writer.builder.terminate(Terminator::End);
        }
        self.writer.builder.finish()
    }

    /// Blocks of the places that begin one: all but those whose only way in is a jump.
    fn blocks(&mut self) -> Vec<Option<BlockId>> {
        let places = &self.graph.places;
        let mut ways = vec![0_u32; places.len()];
        let mut branched = vec![false; places.len()];
        for place in places {
            let (edges, branch): (&[&Edge], bool) = match &place.exit {
                Exit::Jump(edge) => (&[edge], false),
                Exit::Branch { then, otherwise, .. } => (&[then, otherwise], true),
                Exit::End => (&[], false),
            };
            for edge in edges {
                if let Destination::Place(to) = edge.to {
                    ways[to as usize] += 1;
                    branched[to as usize] |= branch;
                }
            }
        }
        let start = self.writer.builder.current();
        let blocks: Vec<_> = (0..places.len())
            .map(|place| match place {
                0 if ways[0] == 0 => Some(start),
                0 => Some(self.writer.builder.block()),
                _ => (ways[place] != 1 || branched[place]).then(|| self.writer.builder.block()),
            })
            .collect();
        // Nothing goes back to the first block.
        if let Some(Some(first)) = blocks.first()
            && *first != start
        {
            self.writer.builder.jump(*first, &[]);
        }
        blocks
    }

    /// Writes places from `at` on up to the end of the block.
    fn run(&mut self, mut at: usize, blocks: &[Option<BlockId>]) {
        loop {
            let graph = self.graph;
            let place = &graph.places[at];
            self.place(place.what);
            match &place.exit {
                Exit::End => return self.end(),
                Exit::Branch { test, then, otherwise } => {
                    let condition = self.choice(*test);
                    let [then_block, otherwise_block] = [then, otherwise].map(|edge| match edge.to {
                        Destination::Place(to) if edge.actions.is_empty() => blocks[to as usize],
                        _ => None,
                    });
                    let [then_to, otherwise_to] = [then_block, otherwise_block]
                        .map(|block| block.unwrap_or_else(|| self.writer.builder.block()));
                    self.writer.builder.branch(condition, then_to, otherwise_to);
                    for (edge, known, block) in
                        [(then, then_block, then_to), (otherwise, otherwise_block, otherwise_to)]
                    {
                        if known.is_none() {
                            self.writer.builder.switch_to(block);
                            self.actions(edge);
                            self.go(edge.to, blocks);
                        }
                    }
                    return;
                }
                Exit::Jump(edge) => {
                    self.actions(edge);
                    match edge.to {
                        Destination::Place(to) if blocks[to as usize].is_none() => at = to as usize,
                        to => return self.go(to, blocks),
                    }
                }
            }
        }
    }

    fn go(&mut self, to: Destination, blocks: &[Option<BlockId>]) {
        match to {
            Destination::Place(to) => {
                if let Some(block) = blocks[to as usize] {
                    self.writer.builder.jump(block, &[]);
                }
            }
            Destination::Return => self.writer.builder.returns(&[]),
            Destination::End => self.end(),
        }
    }

    fn end(&mut self) {
        let exit = *self.exit.get_or_insert_with(|| self.writer.builder.block());
        self.writer.builder.jump(exit, &[]);
    }

    fn place(&mut self, what: What) {
        match what {
            What::Word(word) => {
                self.writer.word = word;
                if let Some(inst) = self.insts.get(word as usize) {
                    arithmetic::instruction(&mut self.writer, *inst, self.descriptors);
                }
            }
            What::Emit(word, emission) => {
                self.writer.word = word;
                self.emit(emission);
            }
            What::Head(_) => {}
        }
    }

    /// EMIT: the outputs go into a slot, the banks change places, and with the primitive flag the slots
    /// leave as a triangle, the first two exchanged where the winding is inverted.
    fn emit(&mut self, emission: Emission) {
        let components: Vec<(u8, u8)> = components(self.outputs).collect();
        let writer = &mut self.writer;
        for &(n, lane) in &components {
            writer.at(Step::Output, lane.into());
            let value = writer.read(Register::Output(n, lane));
            let other = writer.read(Register::OtherOutput(n, lane));
            writer.write(Register::Output(n, lane), other);
            writer.write(Register::OtherOutput(n, lane), value);
            writer.write(Register::Slot(emission.vertex, n, lane), value);
        }
        if emission.primitive {
            let order = if emission.invert { [1, 0, 2] } else { [0, 1, 2] };
            for slot in order {
                self.store_outputs(|n, lane| Register::Slot(slot, n, lane));
                self.writer.builder.effect(Op::EmitVertex(0), &[]);
            }
            self.writer.builder.effect(Op::EndPrimitive(0), &[]);
        }
    }

    fn store_outputs(&mut self, from: impl Fn(u8, u8) -> Register) {
        for (n, lane) in components(self.outputs) {
            self.writer.at(Step::Output, lane.into());
            let value = self.writer.read(from(n, lane));
            self.writer.store_output(4 * u32::from(n) + u32::from(lane), value);
        }
    }

    fn actions(&mut self, edge: &Edge) {
        for action in &edge.actions {
            self.writer.at(Step::Flow, 0);
            match *action {
                Action::Call(graph) => {
                    if let Some(Some(function)) = self.functions.get(graph) {
                        self.writer.call(*function);
                    }
                }
                Action::Keep(open) => {
                    let counter = self.writer.read(Register::Counter);
                    self.writer.write(Register::Kept(self.index, open.slot), counter);
                }
                Action::Start(open) => {
                    let none = self.writer.bits(0);
                    self.writer.write(Register::Passes(self.index, open.slot), none);
                    let start = self.int(open, 1);
                    self.writer.write(Register::Counter, start);
                }
                Action::Pass(open) => {
                    self.step_counter(open);
                    let register = Register::Passes(self.index, open.slot);
                    let passes = self.writer.read(register);
                    let one = self.writer.bits(1);
                    let passes = self.writer.value(Op::IAdd, &[passes, one]);
                    self.writer.write(register, passes);
                }
                Action::Step(open) => self.step_counter(open),
                Action::Restore(open) => {
                    let counter = self.writer.read(Register::Kept(self.index, open.slot));
                    self.writer.write(Register::Counter, counter);
                }
            }
        }
    }

    fn step_counter(&mut self, open: Loop) {
        let counter = self.writer.read(Register::Counter);
        let step = self.int(open, 2);
        let counter = self.writer.value(Op::IAdd, &[counter, step]);
        self.writer.write(Register::Counter, counter);
    }

    fn int(&mut self, open: Loop, component: u32) -> Value {
        self.writer.load(Space::Uniform, INT_BINDING, 4 * u32::from(open.int) + component)
    }

    fn choice(&mut self, choice: Choice) -> Value {
        self.writer.at(Step::Flow, 0);
        match choice {
            Choice::Pass(open) => {
                let passes = self.writer.read(Register::Passes(self.index, open.slot));
                let last = self.int(open, 0);
                self.writer.value(Op::ICompare(CompareInt::Sle), &[passes, last])
            }
            Choice::Test(Test::Always) => self.writer.truth(true),
            Choice::Test(Test::Uniform { register, is }) => {
                let value = self.writer.load(Space::Uniform, BOOL_BINDING, register.into());
                let zero = self.writer.bits(0);
                let by = if is { CompareInt::Ne } else { CompareInt::Eq };
                self.writer.value(Op::ICompare(by), &[value, zero])
            }
            Choice::Test(Test::Flags(condition)) => {
                let flag = |body: &mut Self, lane: u8, is: bool| {
                    let flag = body.writer.read(Register::Flag(lane));
                    if is { flag } else { body.writer.value(Op::Not, &[flag]) }
                };
                match condition.op & 3 {
                    2 => flag(self, 0, condition.ref_x),
                    3 => flag(self, 1, condition.ref_y),
                    op => {
                        let x = flag(self, 0, condition.ref_x);
                        let y = flag(self, 1, condition.ref_y);
                        self.writer.value(if op == 0 { Op::Or } else { Op::And }, &[x, y])
                    }
                }
            }
        }
    }
}

/// Register and component of everything in the masks.
pub(super) fn components(masks: &[u8; 16]) -> impl Iterator<Item = (u8, u8)> {
    (0..16_u8)
        .zip(masks)
        .flat_map(|(n, mask)| (0..4_u8).filter(move |lane| mask >> lane & 1 != 0).map(move |lane| (n, lane)))
}
