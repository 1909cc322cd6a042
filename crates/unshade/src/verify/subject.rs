//! The other side: a program on its way to source, on the machine's inputs.

use super::compare::Words;
use super::machine::{Inputs, Leaves, Machine as Reference, Restored};
use super::mapped::{Mapped, Mapping, Text};
use super::texels::{Formats, Formatted};
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
    leaves: Leaves,
    /// Output bindings, in the order in which their words are compared.
    files: Vec<u32>,
    /// Storage buffers, whose words follow on those.
    buffers: Vec<u32>,
    dropped: bool,
    restored: Restored,
    formats: Formats,
    /// Of a text: where the program has what it names.
    mapping: Option<&'a Mapping>,
    has_strayed: bool,
    /// Words of the outputs that the text does not name, in the order in which they are compared.
    unnamed: Vec<bool>,
}

#[derive(Debug)]
enum Runner<'a> {
    Module(Machine<'a>),
    Tree(&'a ast::Program),
}

impl<'a> Subject<'a> {
    pub(super) fn new(form: &'a Form, machine: &dyn Reference) -> Self {
        let mut memory = Memory::default();
        let files = machine.output_files();
        for (binding, words) in &files {
            memory.set(Space::Output, *binding, vec![0; *words]);
        }
        let runner = match form {
            Form::Module(program) => Runner::Module(Machine::new(program)),
            Form::Tree(program) => Runner::Tree(program),
        };
        Self {
            runner,
            memory,
            leaves: machine.leaves(),
            files: files.into_iter().map(|(binding, _)| binding).collect(),
            buffers: machine.buffers(),
            dropped: false,
            restored: Restored::default(),
            formats: Formats::new(),
            mapping: None,
            has_strayed: false,
            unnamed: Vec::new(),
        }
    }

    /// The same, of a text whose words and units are those of the program by a mapping.
    pub(super) fn through(mut self, text: Option<&'a Text>) -> Self {
        let Some(text) = text else { return self };
        self.mapping = Some(&text.mapping);
        let named: std::collections::BTreeSet<(u32, u32)> = text
            .mapping
            .places()
            .filter(|place| place.space == Space::Output)
            .map(|place| (place.binding, place.word))
            .collect();
        let words = |file: u32| {
            (0..self.memory.words(Space::Output, file).len() as u32).map(move |word| (file, word))
        };
        self.unnamed =
            self.files.iter().flat_map(|file| words(*file)).map(|at| !named.contains(&at)).collect();
        self
    }

    /// Whether the last run read beside what the text names.
    pub(super) fn has_strayed(&self) -> bool {
        self.has_strayed
    }

    /// Takes what is expected for words that the text does not name: of these it says nothing.
    pub(super) fn complete(&self, got: &mut Words, expected: &Words, machine: &dyn Reference) {
        if self.unnamed.iter().all(|unnamed| !unnamed) {
            return;
        }
        for (number, (got, expected)) in got.iter_mut().zip(expected).enumerate() {
            let unnamed = match self.leaves {
                Leaves::Vertices => {
                    let marks: Vec<u32> = self.unnamed.iter().map(|unnamed| u32::from(*unnamed)).collect();
                    machine.vertex(number, &marks).into_iter().map(|mark| mark != 0).collect()
                }
                _ => self.unnamed.clone(),
            };
            for ((got, expected), unnamed) in got.iter_mut().zip(expected).zip(unnamed) {
                if unnamed {
                    *got = *expected;
                }
            }
        }
    }

    /// The same, of a program for which images have formats that the machine reads as bits.
    pub(super) fn with_formats(mut self, formats: &Formats) -> Self {
        self.formats.clone_from(formats);
        self
    }

    /// The same, of a program that stores some outputs as its source did.
    pub(super) fn restored(mut self, restored: Restored) -> Self {
        self.restored = restored;
        self
    }

    /// Gives a binding its words.
    pub(super) fn set(&mut self, space: Space, binding: u32, words: Vec<u32>) {
        self.memory.set(space, binding, words);
    }

    /// The words of a binding.
    pub(super) fn words(&self, space: Space, binding: u32) -> &[u32] {
        self.memory.words(space, binding)
    }

    /// Runs it on these registers. Answers how it stopped and the steps that it took.
    pub(super) fn run(&mut self, inputs: &Inputs, fuel: u64) -> (Ended, u64) {
        for registers in inputs {
            let place = self.memory.words_mut(registers.space, registers.binding);
            if place.len() == registers.words.len() {
                place.copy_from_slice(&registers.words);
            } else {
                self.memory.set(registers.space, registers.binding, registers.words.clone());
            }
        }
        for &file in &self.files {
            self.memory.words_mut(Space::Output, file).fill(0);
        }
        self.memory.events.clear();
        let limits = Limits::fuel(fuel);
        let mut environment = Formatted { memory: &mut self.memory, formats: &self.formats };
        let run = match (&mut self.runner, self.mapping) {
            (Runner::Module(machine), Some(mapping)) => {
                let mut mapped = Mapped { inner: &mut environment, mapping, has_strayed: false };
                let run = machine.run(&mut mapped, limits);
                self.has_strayed = mapped.has_strayed;
                run
            }
            (Runner::Module(machine), None) => machine.run(&mut environment, limits),
            (Runner::Tree(program), _) => ast::exec::run(program, &mut environment, limits),
        };
        self.dropped = run.outcome == exec::Outcome::Discarded;
        let ended = match run.outcome {
            exec::Outcome::Ended => Ended::Yes,
            exec::Outcome::Discarded if self.leaves == Leaves::Pixel => Ended::Yes,
            exec::Outcome::OutOfFuel => Ended::OutOfFuel,
            outcome => Ended::Otherwise(outcome),
        };
        (ended, run.steps)
    }

    /// Whether the last run ended as a dropped pixel does.
    pub(super) fn is_dropped(&self) -> bool {
        self.dropped
    }

    /// What left the program in the last run, on these inputs, as the machine would have stored it.
    pub(super) fn stored(&self, inputs: &Inputs, machine: &dyn Reference) -> Words {
        machine.as_stored(inputs, self.result(machine), self.restored)
    }

    /// What left the program in the last run.
    pub(super) fn result(&self, machine: &dyn Reference) -> Words {
        let files = self.files.iter().flat_map(|&file| self.memory.words(Space::Output, file));
        let outputs: Vec<u32> = files.copied().collect();
        let buffers =
            self.buffers.iter().flat_map(|&buffer| self.memory.words(Space::Storage, buffer)).copied();
        match self.leaves {
            Leaves::Outputs => vec![outputs.into_iter().chain(buffers).collect()],
            Leaves::Pixel => {
                let shown = outputs.iter().map(|word| if self.dropped { 0 } else { *word });
                vec![shown.chain([u32::from(self.dropped)]).chain(buffers).collect()]
            }
            Leaves::Vertices => {
                let vertices = self.memory.events.iter().filter_map(|event| match event {
                    Event::Vertex { words, .. } => Some(words),
                    Event::EndPrimitive { .. } | Event::Image { .. } => None,
                });
                let vertices = vertices.enumerate();
                vertices.map(|(number, words)| machine.vertex(number, words)).collect()
            }
        }
    }
}
