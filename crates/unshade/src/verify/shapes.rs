//! Inputs such as a program gets from an application. A number of any size leads out of arrays, and roots and quotients of it are
//! no numbers: cases with that say nothing of readable source. Where many of the wild cases are like that, others are drawn: numbers
//! of one size, directions of length 1, and small numbers where indices are made of them. Which of these shapes a program wants
//! nobody knows; what has worked is drawn more often.

use super::Registers;
use super::machine::{Inputs, Machine};
use super::roots::Roots;
use super::typed::Typed;
use unshade_ir::Space;
use unshade_isa::cases::{Kind, Random, Size};

/// Cases in a row of which one is wild in any case.
const WILD: u64 = 4;
/// Draws after which a program in which hardly any shape works is left alone.
const PATIENCE: u32 = 64;
/// Draws in the place of one case.
pub(super) const DRAWS: u32 = 8;

/// How the words are drawn that indices are made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Style {
    /// As all others.
    Any,
    /// Whole numbers as floats.
    Float,
    /// Whole numbers.
    Integer,
    /// Floats from 0 to 1: they are multiplied by the number of elements.
    Fraction,
    /// Four small numbers in the bytes of a word.
    Packed,
}

/// One way to draw inputs.
#[derive(Debug, Clone, Copy)]
struct Way {
    kind: Kind,
    style: Style,
    tried: u32,
    good: u32,
}

/// The ways to draw inputs for a program, and how well each did.
pub(super) struct Shapes {
    roots: Roots,
    /// The first one is wild.
    ways: Vec<Way>,
    random: Random,
}

/// The shape of one draw.
#[derive(Debug)]
pub(super) struct Shape<'s> {
    roots: &'s Roots,
    /// Which of the ways.
    pub(super) way: usize,
    kind: Kind,
    style: Style,
}

impl Shapes {
    pub(super) fn new(roots: Roots, seed: u64) -> Self {
        let kinds = [Kind::Finite]
            .into_iter()
            .chain([Size::Unit, Size::Signed, Size::Positive, Size::Whole].into_iter().map(Kind::Sized));
        let styles: &[Style] = match roots.words.is_empty() {
            true => &[Style::Any],
            false => &[Style::Any, Style::Float, Style::Integer, Style::Fraction, Style::Packed],
        };
        let ways = styles
            .iter()
            .flat_map(|&style| kinds.clone().map(move |kind| Way { kind, style, tried: 0, good: 0 }))
            .collect();
        Self { roots, ways, random: Random::new(seed, u64::MAX) }
    }

    /// Whether the first draw of a case is a wild one: every fourth, and all while most of them say something.
    pub(super) fn is_wild(&self, case: u64) -> bool {
        case.is_multiple_of(WILD) || self.ways.first().is_none_or(|wild| wild.good * 2 >= wild.tried)
    }

    /// Whether it is worth while to draw in the place of a case that says nothing.
    pub(super) fn has_hope(&self) -> bool {
        let shaped = self.ways.iter().skip(1);
        let (tried, good) =
            shaped.fold((0_u32, 0_u32), |(tried, good), way| (tried + way.tried, good + way.good));
        tried < PATIENCE || good > tried / 16
    }

    /// A shape for the next draw: the better one of three, so that what works is drawn often and the others are not forgotten.
    pub(super) fn next(&mut self) -> Shape<'_> {
        let count = self.ways.len().saturating_sub(1).max(1) as u64;
        let drawn = [0; 3].map(|_: u8| 1 + (self.random.next() % count) as usize);
        let share = |way: usize| {
            self.ways.get(way).map_or(0.0, |way| f64::from(way.good + 1) / f64::from(way.tried + 2))
        };
        let best =
            drawn.into_iter().fold(drawn[0], |best, way| if share(way) > share(best) { way } else { best });
        let (kind, style) =
            self.ways.get(best).map_or((Kind::Finite, Style::Any), |way| (way.kind, way.style));
        Shape { roots: &self.roots, way: best, kind, style }
    }

    /// What a draw came to: whether it said something. The wild way is 0.
    pub(super) fn learn(&mut self, way: usize, is_good: bool) {
        if let Some(way) = self.ways.get_mut(way) {
            way.tried += 1;
            way.good += u32::from(is_good);
        }
    }
}

impl Shape<'_> {
    /// The inputs of a case in that shape.
    pub(super) fn inputs(&self, machine: &dyn Machine, typed: &Typed, seed: u64, index: u64) -> Inputs {
        let mut inputs = machine.inputs(seed, index, self.kind);
        if self.kind == Kind::Sized(Size::Signed) {
            inputs.iter_mut().filter(|file| file.space == Space::Input).for_each(directions);
        }
        typed.fit(&mut inputs, seed, index, self.kind);
        if self.style == Style::Any {
            return inputs;
        }
        // What is the same in every case the file or the hardware says.
        let others = [index ^ 1, index ^ 2].map(|other| machine.inputs(seed, other, Kind::Finite));
        let mut random = Random::new(!seed, index);
        let elements = self.roots.elements.unwrap_or(8).clamp(1, 256);
        // An index may be multiplied on its way, by the rows of a matrix for one.
        let below = (elements >> (random.next() & 3)).max(1);
        for file in &mut inputs {
            let Some(words) = self.roots.words.get(&(file.space, file.binding)) else { continue };
            for &at in words {
                let at = at as usize;
                let is_set = others.iter().all(|other| {
                    let same = super::machine::words(other, file.space, file.binding).get(at);
                    same.is_some() && same == file.words.get(at)
                });
                if let (Some(word), false) = (file.words.get_mut(at), is_set) {
                    *word = self.style.draw(&mut random, below, *word);
                }
            }
        }
        typed.fit(&mut inputs, seed, index, self.kind);
        machine.limited(inputs)
    }
}

impl Style {
    fn draw(self, random: &mut Random, below: u32, word: u32) -> u32 {
        let number = (random.next() % u64::from(below)) as u32;
        match self {
            Self::Any => word,
            Self::Float => (number as f32).to_bits(),
            Self::Integer => number,
            Self::Fraction => ((random.next() >> 40) as f32 / (1 << 24) as f32).to_bits(),
            Self::Packed => [0, 8, 16, 24]
                .map(|shift| ((random.next() % u64::from(below.min(256))) as u32) << shift)
                .into_iter()
                .fold(0, |word, byte| word | byte),
        }
    }
}

/// Makes the first three of each four components a direction of length 1, where they are numbers.
fn directions(file: &mut Registers) {
    for vector in file.words.chunks_exact_mut(4) {
        let [x, y, z] = [vector[0], vector[1], vector[2]].map(f32::from_bits);
        let length = (x * x + y * y + z * z).sqrt();
        let is_one = [x, y, z].iter().all(|component| component.abs() <= 1.0) && length > 0.0625;
        if is_one {
            for (place, component) in vector.iter_mut().zip([x, y, z]) {
                *place = (component / length).to_bits();
            }
        }
    }
}
