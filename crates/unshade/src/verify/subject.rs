//! The other side: a program on its way to source, on the machine's inputs.

use super::Words;
use crate::pica200::exec::State;
use crate::pica200::lift::{BOOL_BINDING, FLOAT_BINDING, INT_BINDING};
use unshade_ir::exec::{self, Event, Limits, Machine, Memory};
use unshade_ir::{Space, ast};

/// How a run stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ended {
    /// It came to its end.
    Yes,
    /// It did not.
    OutOfFuel,
    /// Something that the machine cannot do.
    Otherwise(exec::Outcome),
}

/// A program on its way to source.
#[derive(Debug)]
pub(super) enum Form {
    /// A module of the IR.
    Module(exec::Program),
    /// A source tree.
    Tree(ast::Program),
}

/// A program, ready to run.
#[derive(Debug)]
pub(super) struct Subject<'a> {
    runner: Runner<'a>,
    memory: Memory,
}

#[derive(Debug)]
enum Runner<'a> {
    Module(Machine<'a>),
    Tree(&'a ast::Program),
}

impl<'a> Subject<'a> {
    pub(super) fn new(form: &'a Form) -> Self {
        let mut memory = Memory::default();
        memory.set(Space::Input, 0, vec![0; 4 * 16]);
        memory.set(Space::Uniform, FLOAT_BINDING, vec![0; 4 * 96]);
        memory.set(Space::Uniform, INT_BINDING, vec![0; 4 * 4]);
        memory.set(Space::Uniform, BOOL_BINDING, vec![0; 16]);
        memory.set(Space::Output, 0, vec![0; 4 * 16]);
        let runner = match form {
            Form::Module(program) => Runner::Module(Machine::new(program)),
            Form::Tree(program) => Runner::Tree(program),
        };
        Self { runner, memory }
    }

    /// Gives a binding its words.
    pub(super) fn set(&mut self, space: Space, binding: u32, words: Vec<u32>) {
        self.memory.set(space, binding, words);
    }

    /// Runs it on these registers. Answers how it stopped and the steps that it took.
    pub(super) fn run(&mut self, inputs: &State, fuel: u64) -> (Ended, u64) {
        fill(&mut self.memory, Space::Input, 0, inputs.v.iter().flatten().map(|x| x.to_bits()));
        let floats = inputs.c.iter().flatten().map(|x| x.to_bits());
        fill(&mut self.memory, Space::Uniform, FLOAT_BINDING, floats);
        let integers = inputs.i.iter().flatten().map(|x| u32::from(*x));
        fill(&mut self.memory, Space::Uniform, INT_BINDING, integers);
        fill(&mut self.memory, Space::Uniform, BOOL_BINDING, inputs.b.iter().map(|b| u32::from(*b)));
        self.memory.words_mut(Space::Output, 0).fill(0);
        self.memory.events.clear();
        let limits = Limits::fuel(fuel);
        let run = match &mut self.runner {
            Runner::Module(machine) => machine.run(&mut self.memory, limits),
            Runner::Tree(program) => ast::exec::run(program, &mut self.memory, limits),
        };
        let ended = match run.outcome {
            exec::Outcome::Ended => Ended::Yes,
            exec::Outcome::OutOfFuel => Ended::OutOfFuel,
            outcome => Ended::Otherwise(outcome),
        };
        (ended, run.steps)
    }

    /// What left the program in the last run.
    pub(super) fn result(&self, geometry: bool) -> Words {
        if !geometry {
            return vec![self.memory.words(Space::Output, 0).to_vec()];
        }
        let vertex = |event: &Event| match event {
            Event::Vertex { words, .. } => Some(words.clone()),
            Event::EndPrimitive { .. } => None,
        };
        self.memory.events.iter().filter_map(vertex).collect()
    }
}

fn fill(memory: &mut Memory, space: Space, binding: u32, values: impl Iterator<Item = u32>) {
    for (word, value) in memory.words_mut(space, binding).iter_mut().zip(values) {
        *word = value;
    }
}
