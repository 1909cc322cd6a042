//! Steps from what is valid to what is nearly valid, for the fuzz targets: a field of a container that says something
//! else, an instruction of a program that is another one, a word of a text in another place.
//!
//! A step may come to nothing, where the bytes are not of the kind that it changes; then whoever asked changes them
//! otherwise.

mod code;
mod container;
mod text;

pub use code::code;
pub use container::container;
pub use text::text;

use unshade_isa::cases::Random;

/// A way of changing bytes: what came out, if it knew what to do with them.
pub type Step = fn(&[u8], &mut Dice) -> Option<Vec<u8>>;

/// A step on what stands behind the first bytes.
pub fn behind(head: usize, step: Step, data: &[u8], dice: &mut Dice) -> Option<Vec<u8>> {
    let (head, rest) = data.split_at_checked(head)?;
    Some([head, &step(rest, dice)?[..]].concat())
}

/// A step on the text in front of the first zero, or on the container behind it.
pub fn text_and_container(data: &[u8], dice: &mut Dice) -> Option<Vec<u8>> {
    let end = data.iter().position(|byte| *byte == 0)?;
    let (front, file) = (&data[..end], &data[end + 1..]);
    let (front, file) = match dice.one_in(3) {
        true => (front.to_vec(), container(file, dice)?),
        false => (text(front, dice)?, file.to_vec()),
    };
    Some([&front[..], &[0], &file[..]].concat())
}

/// Numbers by chance.
#[derive(Debug, Clone)]
pub struct Dice(Random);

impl Dice {
    /// All that follows from a seed.
    pub fn new(seed: u32) -> Self {
        Self(Random::new(u64::from(seed), 0))
    }

    /// A number below a limit; 0 where that is 0.
    pub fn below(&mut self, limit: usize) -> usize {
        (self.0.next() >> 16) as usize % limit.max(1)
    }

    /// Whether something that happens once in `n` times happens.
    pub fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    /// One of some.
    pub fn pick<'a, T>(&mut self, from: &'a [T]) -> Option<&'a T> {
        from.get(self.below(from.len()))
    }

    /// 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0.next()
    }
}
