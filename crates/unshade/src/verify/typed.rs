//! Values of the type that the words of inputs have. A whole number is never 0.37 where an application sets it, a truth value is 0
//! or 1, and nobody asks a loop for a thousand million passes: what a program does with such words shows nothing of its source, and
//! takes long. Types are those that the file gives its variables; which whole numbers bound a loop the code tells.

use super::machine::{Inputs, Machine};
use super::roots::Roots;
use std::collections::BTreeMap;
use unshade_ir::{Global, Module, Shape, Space};
use unshade_isa::cases::{Kind, Random};

/// Elements of an array whose words are looked at.
const MOST_ELEMENTS: u32 = 1 << 12;
/// Passes that a loop is asked for, but in one case of so many, where it may be any number.
const MOST_PASSES: u64 = 16;
const WILD: u64 = 8;
/// The largest whole number of which all that are smaller are floats too.
const MOST_WHOLE: f32 = 16_777_216.0;

/// What a word holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Holds {
    /// A whole number, as a float.
    WholeFloat,
    /// 0.0 or 1.0.
    TruthFloat,
    /// An integer.
    Whole,
    /// 0 or 1.
    Truth,
    /// An integer that a loop ends by.
    Bound,
}

/// The words of inputs that have a type of their own.
#[derive(Debug, Clone, Default)]
pub(super) struct Typed(BTreeMap<(Space, u32), BTreeMap<u32, Holds>>);

impl Typed {
    /// Of a lifted program, whose globals have the file's types. None for machines that draw by type themselves.
    pub(super) fn of(lifted: &Module, machine: &dyn Machine) -> Self {
        let mut typed = Self::default();
        if machine.draws_by_type() {
            return typed;
        }
        let samples = [0, 1, 2].map(|index| machine.inputs(0, index, Kind::Finite));
        let mut values = lifted.clone();
        unshade_ir::passes::run(&mut values, unshade_ir::passes::strict(), None);
        for (file, words) in Roots::of_bounds(&values, &samples[0]).words {
            typed.0.entry(file).or_default().extend(words.into_iter().map(|word| (word, Holds::Bound)));
        }
        for global in &lifted.globals {
            typed.global(global);
        }
        // What is the same in every case the file says.
        for (&(space, binding), words) in &mut typed.0 {
            words.retain(|at, _| {
                let [first, others @ ..] = samples
                    .each_ref()
                    .map(|inputs| super::machine::words(inputs, space, binding).get(*at as usize).copied());
                first.is_some() && others.iter().any(|other| *other != first)
            });
        }
        typed.0.retain(|_, words| !words.is_empty());
        typed
    }

    fn global(&mut self, global: &Global) {
        let holds = match (global.shape, global.as_float) {
            (Shape::Int { .. } | Shape::Uint { .. }, true) => Holds::WholeFloat,
            (Shape::Bool { .. }, true) => Holds::TruthFloat,
            (Shape::Int { .. } | Shape::Uint { .. }, false) => Holds::Whole,
            (Shape::Bool { .. }, false) => Holds::Truth,
            _ => return,
        };
        let is_given = matches!(global.space, Space::Input | Space::Uniform) && global.constant.is_none();
        // Whole numbers that nobody named are what the machine counts with, which draws these itself.
        if !is_given || global.semantic.is_some() || !global.named {
            return;
        }
        let file = self.0.entry((global.space, global.binding)).or_default();
        for element in 0..global.shape.elements().clamp(1, MOST_ELEMENTS) {
            for component in 0..global.shape.components() {
                if let Some(word) = global.word(Some(element.into()), component) {
                    // A loop's bound is a whole number too.
                    file.entry(word).and_modify(|known| *known = known.with(holds)).or_insert(holds);
                }
            }
        }
    }

    /// Gives the words of a case values of their types, where they have others.
    pub(super) fn fit(&self, inputs: &mut Inputs, seed: u64, index: u64, kind: Kind) {
        if self.0.is_empty() {
            return;
        }
        let mut random = Random::new(seed.rotate_left(17) ^ 0x7479_7065, index);
        for file in inputs {
            let Some(typed) = self.0.get(&(file.space, file.binding)) else { continue };
            for (&at, holds) in typed {
                let drawn = random.next();
                if let Some(word) = file.words.get_mut(at as usize) {
                    *word = holds.fit(*word, drawn, kind);
                }
            }
        }
    }
}

impl Holds {
    /// What a word is that is the one by the code and the other by the file.
    fn with(self, by_file: Self) -> Self {
        match (self, by_file) {
            (Self::Bound, Self::Whole) => Self::Bound,
            _ => by_file,
        }
    }

    /// The same word where it has the type, else another.
    fn fit(self, word: u32, drawn: u64, kind: Kind) -> u32 {
        let [choice, small, ..] = drawn.to_le_bytes();
        // As the whole numbers among the floats.
        let whole = i32::from(small >> 2) * 104 / 64 - 8;
        let number = f32::from_bits(word);
        match self {
            Self::WholeFloat => {
                let is_whole = number.abs() <= MOST_WHOLE && number.fract() == 0.0 && word != 1 << 31;
                if is_whole { word } else { (whole as f32).to_bits() }
            }
            Self::TruthFloat if word == 0 || number == 1.0 => word,
            Self::TruthFloat => f32::from(choice & 1).to_bits(),
            Self::Truth if word < 2 => word,
            Self::Truth => u32::from(choice & 1),
            // Of all kinds of inputs any number is one; but those that are small are more often meant.
            Self::Whole if kind == Kind::Full && choice & 3 == 0 => word,
            Self::Whole if (word as i32).unsigned_abs() < 256 => word,
            Self::Whole => whole as u32,
            Self::Bound if u64::from(choice) % WILD == 0 || u64::from(word) < MOST_PASSES => word,
            Self::Bound => (u64::from(small) % MOST_PASSES) as u32,
        }
    }
}
