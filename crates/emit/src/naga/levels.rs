//! Levels that SPIR-V has and naga's own form of a program has not: a comparison at a level, with a bias or with gradients,
//! and the level of detail that a sample would take.
//!
//! naga's writer for SPIR-V knows what its validator refuses. So the module is validated with a plain fetch in these places;
//! then the fetch gets its level ([`Levels::put`]), and what the writer spells otherwise is spelled right in the words
//! ([`spelled`]): a level is written as two equal gradients, since naga takes the level of a comparison for an integer; a
//! question for the level of detail is a fetch with a bias that no program has.

use ::naga::{Expression, Function, Handle, Module, SampleLevel, ScalarKind};
use std::collections::BTreeMap;

/// What is to be put into a module behind its validation.
#[derive(Debug, Default)]
pub(super) struct Levels {
    /// Of the function in work.
    open: Vec<Change>,
    /// Of functions that are finished; none: the entry.
    done: Vec<(Option<Handle<Function>>, Vec<Change>)>,
}

/// A change of an expression.
#[derive(Debug, Clone, Copy)]
enum Change {
    /// A fetch gets a level.
    Level(Handle<Expression>, SampleLevel),
    /// A float becomes another: it was there so that the writer takes what it is made of for used.
    Same(Handle<Expression>, Handle<Expression>),
}

impl Levels {
    /// A fetch of the function in work gets another level.
    pub fn add(&mut self, fetch: Handle<Expression>, level: SampleLevel) {
        self.open.push(Change::Level(fetch, level));
    }

    /// A float of the function in work becomes another, which comes before it.
    pub fn same(&mut self, float: Handle<Expression>, as_other: Handle<Expression>) {
        self.open.push(Change::Same(float, as_other));
    }

    /// The function in work is finished.
    pub fn finish(&mut self, function: Option<Handle<Function>>) {
        let open = std::mem::take(&mut self.open);
        if !open.is_empty() {
            self.done.push((function, open));
        }
    }

    /// Gives the fetches their levels.
    pub fn put(self, module: &mut Module) {
        for (at, changes) in self.done {
            let function = match at {
                Some(at) => Some(module.functions.get_mut(at)),
                None => module.entry_points.first_mut().map(|entry| &mut entry.function),
            };
            let Some(function) = function else { continue };
            for change in changes {
                match change {
                    Change::Level(fetch, new) => {
                        if let Expression::ImageSample { level, .. } = function.expressions.get_mut(fetch) {
                            *level = new;
                        }
                    }
                    Change::Same(float, other) => {
                        let same = Expression::As { expr: other, kind: ScalarKind::Float, convert: Some(4) };
                        *function.expressions.get_mut(float) = same;
                    }
                }
            }
        }
    }
}

/// Biases that ask for the level of detail: the clamped one, and the one that was computed. No texture has as many
/// levels.
pub(super) const ASKED: [f32; 2] = [-1_048_576.6, -1_048_577.6];

const TYPE_FLOAT: u32 = 22;
const TYPE_VECTOR: u32 = 23;
const CAPABILITY: u32 = 17;
const CONSTANT: u32 = 43;
const SAMPLE_IMPLICIT: u32 = 87;
const COMPARE_IMPLICIT: u32 = 89;
const COMPARE_EXPLICIT: u32 = 90;
const QUERY_LOD: u32 = 105;
const VECTOR_SHUFFLE: u32 = 79;
const COMPOSITE_EXTRACT: u32 = 81;
/// The capability to ask for levels.
const IMAGE_QUERY: u32 = 50;
const BIAS: u32 = 1;
const LOD: u32 = 2;
const GRAD: u32 = 4;
/// A component of a shuffle that is nothing.
const NOTHING: u32 = u32::MAX;

/// The module with its levels as SPIR-V spells them. Words that are no module come back as they are.
pub(super) fn spelled(words: Vec<u32>) -> Vec<u32> {
    let Some(module) = Spelling::new(&words) else { return words };
    module.spelled()
}

/// A module that is spelled anew.
struct Spelling<'w> {
    header: &'w [u32],
    insts: Vec<&'w [u32]>,
    /// The type of floats, and of two of them.
    float: u32,
    pair: Option<u32>,
    /// Constants that ask for a level, with which of the two.
    asked: BTreeMap<u32, u32>,
}

impl<'w> Spelling<'w> {
    fn new(words: &'w [u32]) -> Option<Self> {
        let (header, mut rest) = words.split_at_checked(5)?;
        let mut insts = Vec::new();
        while let Some(first) = rest.first() {
            let (inst, behind) =
                rest.split_at_checked((first >> 16) as usize).filter(|(at, _)| !at.is_empty())?;
            insts.push(inst);
            rest = behind;
        }
        let float = insts.iter().find_map(|inst| match inst {
            [head, id, 32, ..] if head & 0xFFFF == TYPE_FLOAT => Some(*id),
            _ => None,
        })?;
        let pair = insts.iter().find_map(|inst| match inst {
            [head, id, of, 2] if head & 0xFFFF == TYPE_VECTOR && *of == float => Some(*id),
            _ => None,
        });
        let asked = insts
            .iter()
            .filter_map(|inst| match inst {
                [head, ty, id, bits] if head & 0xFFFF == CONSTANT && *ty == float => {
                    let which = ASKED.iter().position(|known| known.to_bits() == *bits)?;
                    Some((*id, which as u32))
                }
                _ => None,
            })
            .collect();
        Some(Self { header, insts, float, pair, asked })
    }

    fn spelled(self) -> Vec<u32> {
        let mut next = self.header.get(3).copied().unwrap_or(0);
        let asks = !self.asked.is_empty();
        let pair = match (self.pair, asks) {
            (Some(pair), _) => pair,
            (None, false) => 0,
            (None, true) => {
                next += 1;
                next - 1
            }
        };
        let capable = self.insts.iter().any(|inst| **inst == [2 << 16 | CAPABILITY, IMAGE_QUERY]);
        let mut out = Vec::with_capacity(self.insts.iter().map(|inst| inst.len()).sum::<usize>() + 16);
        if asks && !capable {
            out.extend([2 << 16 | CAPABILITY, IMAGE_QUERY]);
        }
        for inst in &self.insts {
            match **inst {
                [head, ty, id, image, at, ref operands @ ..]
                    if asks && self.which(head, operands).is_some() =>
                {
                    let which = self.which(head, operands).unwrap_or_default();
                    out.extend([5 << 16 | QUERY_LOD, pair, next, image, at]);
                    if head & 0xFFFF == SAMPLE_IMPLICIT {
                        let lanes = [which, which, NOTHING, NOTHING];
                        out.extend([9 << 16 | VECTOR_SHUFFLE, ty, id, next, next]);
                        out.extend(lanes);
                    } else {
                        out.extend([5 << 16 | COMPOSITE_EXTRACT, ty, id, next, which]);
                    }
                    next += 1;
                }
                [head, ty, id, image, at, reference, mask, x, y, ref rest @ ..]
                    if head & 0xFFFF == COMPARE_EXPLICIT
                        && mask & GRAD != 0
                        && x == y
                        && self.is_float(x) =>
                {
                    let count = 8 + rest.len() as u32;
                    out.extend([count << 16 | COMPARE_EXPLICIT, ty, id, image, at, reference]);
                    out.extend([mask & !GRAD | LOD, x]);
                    out.extend(rest);
                }
                _ => out.extend(*inst),
            }
            if asks
                && self.pair.is_none()
                && matches!(**inst, [head, id, ..] if head & 0xFFFF == TYPE_FLOAT && id == self.float)
            {
                out.extend([4 << 16 | TYPE_VECTOR, pair, self.float, 2]);
            }
        }
        let mut words = self.header.to_vec();
        if let Some(bound) = words.get_mut(3) {
            *bound = next;
        }
        words.extend(out);
        words
    }

    /// Which of the two levels a fetch with such a bias asks for.
    fn which(&self, head: u32, operands: &[u32]) -> Option<u32> {
        let behind = match (head & 0xFFFF, operands) {
            (SAMPLE_IMPLICIT, rest) | (COMPARE_IMPLICIT, [_, rest @ ..]) => rest,
            _ => return None,
        };
        match behind {
            [mask, bias, ..] if mask & BIAS != 0 => self.asked.get(bias).copied(),
            _ => None,
        }
    }

    /// Whether a value is a single float, and so no gradient.
    fn is_float(&self, id: u32) -> bool {
        self.insts.iter().any(|inst| inst.get(1) == Some(&self.float) && inst.get(2) == Some(&id))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_module_stays() {
        for words in [vec![], vec![1, 2], vec![7, 1, 0, 9, 0, 0], vec![7, 1, 0, 9, 0, 5 << 16, 1]] {
            assert_eq!(spelled(words.clone()), words);
        }
    }

    /// A comparison with two equal gradients that are floats has a level.
    #[test]
    fn levels_and_questions() {
        let float = [3 << 16 | TYPE_FLOAT, 1, 32];
        let number = [4 << 16 | CONSTANT, 1, 2, 0];
        let asked = [4 << 16 | CONSTANT, 1, 3, ASKED[1].to_bits()];
        let compare = [9 << 16 | COMPARE_EXPLICIT, 1, 4, 20, 21, 22, GRAD, 2, 2];
        let ask = [8 << 16 | COMPARE_IMPLICIT, 1, 5, 20, 21, 22, BIAS, 3];
        let header = [0x0723_0203, 0x1_0300, 0, 30, 0];
        let module = [&header[..], &float, &number, &asked, &compare, &ask].concat();
        let wanted = [
            &[0x0723_0203, 0x1_0300, 0, 32, 0, 2 << 16 | CAPABILITY, IMAGE_QUERY][..],
            &float,
            &[4 << 16 | TYPE_VECTOR, 30, 1, 2],
            &number,
            &asked,
            &[8 << 16 | COMPARE_EXPLICIT, 1, 4, 20, 21, 22, LOD, 2],
            &[5 << 16 | QUERY_LOD, 30, 31, 20, 21],
            &[5 << 16 | COMPOSITE_EXTRACT, 1, 5, 31, 1],
        ]
        .concat();
        assert_eq!(spelled(module), wanted);
    }
}
