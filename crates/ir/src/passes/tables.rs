//! Tables of constants that the file holds as words, by how the program goes through them.
//!
//! Compilers put arrays of constants one behind the other. An index that is multiplied with a number of words goes through
//! an array of that step; which words of a step are read, and as what, says what its elements are. Arrays end where the next
//! one begins, or where the code shows that their index ends.

use super::Changes;
use super::members::matrices::stepped;
use crate::bounds::most;
use crate::votes::{Kind, Votes, by_use, is_no_float};
use crate::{Access, Global, Module, Op, Shape, Space, Value};
use std::collections::BTreeMap;

/// What must hold where arrays are told apart.
const ASSUMPTION: &str = "indices of relative addressing stay inside what they address";

/// Words of a vector.
const VECTOR: u32 = 4;
/// Elements of an array that are taken seriously.
const MOST_ELEMENTS: u32 = 1 << 14;

/// A load through an index.
struct Read {
    function: usize,
    inst: usize,
    offset: u32,
    /// Words from one index to the next.
    step: u32,
    /// The index without what the step has of it.
    index: Value,
    /// The most that it is, where the code shows that.
    most: Option<u32>,
    votes: Votes,
}

/// An array while it is found.
#[derive(Debug)]
struct Array {
    start: u32,
    step: u32,
    /// One past its last word, where every index has an end.
    end: Option<u32>,
    /// What the words of an element are read as, by their place in it.
    words: BTreeMap<u32, Votes>,
}

pub(super) fn run(module: &mut Module) -> Changes {
    let is_table = |global: &Global| {
        global.space == Space::Uniform
            && global.by_use
            && (global.stride, global.shape.components()) == (1, 1)
            && global.constant.is_some()
    };
    let found = module.globals.iter().enumerate().filter(|(_, global)| is_table(global));
    let tables: Vec<(usize, u32)> = found.map(|(at, global)| (at, global.binding)).collect();
    let mut count = 0;
    // From the end, so that those before stay where they are.
    for (at, binding) in tables.into_iter().rev() {
        let reads = reads(module, binding);
        let Some(global) = module.globals.get(at) else { continue };
        let Some(arrays) = arrays(&reads, global) else { continue };
        let made = globals(global, &arrays);
        for read in &reads {
            let inst = module.functions.get_mut(read.function).and_then(|f| f.insts.get_mut(read.inst));
            if let Some(inst) = inst
                && let Op::Load(access) = inst.op
            {
                inst.op = Op::Load(Access { stride: read.step, ..access });
                if let Some(place) = inst.args.first_mut() {
                    *place = read.index;
                }
            }
        }
        count += made.len();
        module.globals.splice(at..=at, made);
    }
    Changes::from(count).assume(ASSUMPTION)
}

/// All loads through an index.
fn reads(module: &Module, binding: u32) -> Vec<Read> {
    let mut reads = Vec::new();
    for (number, function) in module.functions.iter().enumerate() {
        let votes = by_use(function);
        for id in function.blocks.iter().flat_map(|block| &block.insts) {
            let Some(inst) = function.insts.get(id.index()) else { continue };
            let Op::Load(access) = inst.op else { continue };
            if (access.space, access.binding) != (Space::Uniform, binding) || !access.is_indexed() {
                continue;
            }
            let (Some(index), step) = stepped(function, inst.args.first().copied(), access.stride) else {
                continue;
            };
            let known = inst.results.first().and_then(|result| votes.get(result.index()));
            reads.push(Read {
                function: number,
                inst: id.index(),
                offset: access.offset,
                step,
                index,
                most: most(function, index),
                votes: known.copied().unwrap_or_default(),
            });
        }
    }
    reads.sort_by_key(|read| (read.offset, read.step));
    reads
}

/// The arrays that are read; nothing where two of them cannot be told apart.
fn arrays(reads: &[Read], global: &Global) -> Option<Vec<Array>> {
    let last = global.offset.saturating_add(global.constant.as_ref().map_or(0, |words| words.len() as u32));
    let mut arrays: Vec<Array> = Vec::new();
    for read in reads {
        let step = read.step.max(1);
        if let Some(array) = arrays.last_mut() {
            let inside = array.end.is_none_or(|end| read.offset < end);
            if array.step == step && inside {
                array.add(read);
                continue;
            }
            if inside {
                // The one before ends here: it has at least one element.
                let elements = (read.offset - array.start) / array.step;
                if elements == 0 {
                    return None;
                }
                array.end = Some(array.start + elements * array.step);
            }
        }
        // Elements of whole vectors begin with one.
        let start = if step.is_multiple_of(VECTOR) { read.offset / VECTOR * VECTOR } else { read.offset };
        let mut array = Array { start, step, end: Some(start + step), words: BTreeMap::new() };
        array.add(read);
        arrays.push(array);
    }
    for array in &mut arrays {
        let end = array.end.unwrap_or(last.max(array.start + 1));
        array.end = Some(end.min(array.start.saturating_add(MOST_ELEMENTS.saturating_mul(array.step))));
    }
    (!arrays.is_empty()).then_some(arrays)
}

impl Array {
    fn add(&mut self, read: &Read) {
        let at = read.offset.saturating_sub(self.start);
        self.words.entry(at % self.step).or_default().add(read.votes);
        let reach = read.most.and_then(|most| most.checked_add(at / self.step)?.checked_add(1));
        let reach = reach.and_then(|elements| self.start.checked_add(elements.checked_mul(self.step)?));
        self.end = self.end.zip(reach).map(|(one, other)| one.max(other));
    }
}

/// The globals of arrays: of each element the runs of words that are one vector and of one kind.
fn globals(table: &Global, arrays: &[Array]) -> Vec<Global> {
    let words = table.constant.as_deref().unwrap_or_default();
    let mut made: Vec<Global> = Vec::new();
    for array in arrays {
        let end = array.end.unwrap_or(array.start);
        let elements = (end - array.start).div_ceil(array.step).max(1);
        let kinds: Vec<(u32, Kind)> = array
            .words
            .iter()
            .map(|(at, votes)| {
                let column = (0..elements).filter_map(|n| {
                    let word = array.start + n * array.step + at;
                    words.get(word.checked_sub(table.offset)? as usize).copied()
                });
                (*at, kind(*votes, column))
            })
            .collect();
        let apart = |(a, x): &(u32, Kind), (b, y): &(u32, Kind)| {
            x == y && (a / VECTOR == b / VECTOR || !array.step.is_multiple_of(VECTOR) && array.step < VECTOR)
        };
        for run in kinds.chunk_by(apart) {
            let (Some((first, kind)), Some((last, _))) = (run.first(), run.last()) else { continue };
            let components = (last - first + 1).min(VECTOR) as u8;
            let offset = array.start + first;
            let from = offset.saturating_sub(table.offset) as usize;
            let count = ((elements - 1) * array.step + u32::from(components)) as usize;
            let mut own: Vec<u32> = words.get(from..).unwrap_or_default().to_vec();
            // Behind the table there are zeros.
            own.resize(count, 0);
            let number = if made.is_empty() { String::new() } else { made.len().to_string() };
            made.push(Global {
                name: format!("table{number}"),
                offset,
                shape: kind.shape(Shape::Float { components, elements }),
                stride: array.step,
                by_use: false,
                constant: Some(own),
                ..table.clone()
            });
        }
    }
    made
}

/// The kind of words by what they are used for, or by what they are.
fn kind(votes: Votes, mut words: impl Iterator<Item = u32>) -> Kind {
    match votes.is_empty() {
        true if words.any(is_no_float) => Kind::Int,
        _ => votes.kind(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::build::FunctionBuilder;
    use crate::{FloatMode, Multiply};

    /// A table of eight words, read by an index of `mask` words apart by `1 << shift`, from `offset` on, as floats or not.
    fn module(reads: &[(u32, u32, u32, bool)]) -> Module {
        let mut builder = FunctionBuilder::new("main");
        let own = Access { space: Space::Input, binding: 0, offset: 0, stride: 0 };
        let any = builder.value(Op::Load(own), &[]);
        for (word, (offset, shift, mask, float)) in (0..).zip(reads) {
            let [mask, shift] = [*mask, *shift].map(|bits| builder.bits(bits));
            let masked = builder.value(Op::And, &[any, mask]);
            let index = builder.value(Op::Shl, &[masked, shift]);
            let access = Access { space: Space::Uniform, binding: 65, offset: *offset, stride: 1 };
            let mut value = builder.value(Op::Load(access), &[index]);
            if *float {
                value = builder.value(Op::FMul(FloatMode::F32, Multiply::Ieee), &[value, value]);
            }
            builder.effect(Op::Store(Access { space: Space::Output, offset: word, ..own }), &[value]);
        }
        builder.returns(&[]);
        let words: Vec<u32> = vec![1, 2, 3, 4, 5, 6, 7, 8];
        let shape = Shape::Float { components: 1, elements: 8 };
        let table = Global {
            named: false,
            by_use: true,
            stride: 1,
            constant: Some(words),
            ..Global::new("constants", Space::Uniform, 65, 0, shape)
        };
        let mut module = Module { globals: vec![table], ..Module::default() };
        module.push_function(builder.finish());
        module
    }

    fn found(module: &mut Module) -> Vec<(String, u32, u32, Shape)> {
        run(module);
        assert!(crate::verify::check(module).is_empty(), "{module}");
        let globals = module.globals.iter();
        globals.map(|global| (global.name.clone(), global.offset, global.stride, global.shape)).collect()
    }

    #[test]
    fn steps_and_ends_make_arrays() {
        let int = |components, elements| Shape::Int { components, elements };
        let float = |components, elements| Shape::Float { components, elements };
        // One word in each vector.
        let one = found(&mut module(&[(0, 2, 1, false)]));
        assert_eq!(one, [("table".to_owned(), 0, 4, int(1, 2))]);
        // Two arrays of words, the first of which ends by its mask.
        let two = found(&mut module(&[(0, 0, 3, false), (4, 0, 3, true)]));
        assert_eq!(two, [("table".to_owned(), 0, 1, int(1, 4)), ("table1".to_owned(), 4, 1, float(1, 4))]);
        // The components of a vector; one further on in the same array.
        let vectors = found(&mut module(&[(0, 2, 1, true), (1, 2, 1, true), (4, 2, 0, true)]));
        assert_eq!(vectors, [("table".to_owned(), 0, 4, float(2, 2))]);
        // A structure of a float and an integer.
        let structure = found(&mut module(&[(0, 2, 1, true), (1, 2, 1, false)]));
        let parts = [("table".to_owned(), 0, 4, float(1, 2)), ("table1".to_owned(), 1, 4, int(1, 2))];
        assert_eq!(structure, parts);
    }

    #[test]
    fn what_cannot_be_told_apart_stays_words() {
        let words = Shape::Float { components: 1, elements: 8 };
        let same = found(&mut module(&[(0, 0, 7, false), (0, 2, 1, false)]));
        assert_eq!(same, [("constants".to_owned(), 0, 1, words)]);
    }
}
