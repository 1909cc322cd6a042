//! What memory is made of: single values in front, and an array behind them.
//!
//! A machine has words. What an index goes through with steps of four words, each of which is read and written, was
//! an array of vectors; what stands in front of it and is something else was declared by itself. Every word keeps its
//! place, so that nothing but the text changes.

use super::super::Scalar;
use smallvec::{SmallVec, smallvec};

/// Words of memory that accesses of one kind go to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Seen {
    /// The word, at index 0 where there is an index.
    pub offset: u32,
    /// Words from one index to the next; 0: no index.
    pub stride: u32,
    /// What it is used as, where that is known.
    pub kind: Option<Scalar>,
    /// It is changed at once, as a single word.
    pub atomic: bool,
}

/// A part of memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Member {
    /// First word.
    pub offset: u32,
    /// Words from one element to the next.
    pub stride: u32,
    /// Components of an element.
    pub components: u8,
    /// It goes on to the end; else it is one element.
    pub is_array: bool,
}

impl Member {
    /// All words, one by one.
    pub const WORDS: Self = Self { offset: 0, stride: 1, components: 1, is_array: true };

    fn holds(&self, word: u32) -> bool {
        word >= self.offset && (self.is_array || word - self.offset < self.components.into())
    }
}

/// Where the variables of shared memory start, one behind the other: at a word of another kind, float or integer, behind the
/// elements that indices lead to from the words in front. `seen` is in order.
pub(super) fn starts(seen: &[Seen]) -> SmallVec<[u32; 4]> {
    let mut starts = smallvec![0];
    let (mut open, mut reached) = (None, 0);
    for Seen { offset, stride, kind, .. } in seen {
        if *offset >= FAR || *stride >= FAR {
            return smallvec![0];
        }
        let is_float = kind.map(|kind| kind == Scalar::Float);
        if is_float.is_some() && open.is_some() && is_float != open {
            // Elements that have both.
            if *offset < reached {
                return smallvec![0];
            }
            starts.push(*offset);
        }
        open = is_float.or(open);
        reached = reached.max(offset + stride.max(&1));
    }
    starts
}

/// Words further away are none of a buffer that anybody declares.
const FAR: u32 = 1 << 28;
/// Values in front of an array, at most; memory with more stays an array of words.
const MOST: usize = 16;

/// The parts that all accesses fit, in order.
pub(super) fn members(seen: &[Seen]) -> Vec<Member> {
    parts(seen).unwrap_or_else(|| vec![Member::WORDS])
}

fn parts(seen: &[Seen]) -> Option<Vec<Member>> {
    if seen.iter().any(|seen| seen.offset >= FAR || seen.stride >= FAR) {
        return None;
    }
    let array = array(seen);
    let end = array.map_or(u32::MAX, |array| array.offset);
    let mut single: Vec<Seen> =
        seen.iter().copied().filter(|seen| seen.stride == 0 && seen.offset < end).collect();
    single.sort_by_key(|seen| seen.offset);
    single.dedup_by_key(|seen| seen.offset);
    let mut members = front(&single);
    if members.len() > MOST {
        return None;
    }
    members.extend(array);
    let fits = |seen: &Seen| match seen.stride {
        0 => members.iter().any(|member| member.holds(seen.offset)),
        stride => array.is_some_and(|array| array.holds(seen.offset) && stride.is_multiple_of(array.stride)),
    };
    seen.iter().all(fits).then_some(members)
}

/// What indices go through.
fn array(seen: &[Seen]) -> Option<Member> {
    let indexed = || seen.iter().filter(|seen| seen.stride > 0);
    let first = indexed().map(|seen| seen.offset).min()?;
    let step = indexed().fold(0, |step, seen| greatest_divisor(step, seen.stride));
    let atomic = indexed().any(|seen| seen.atomic);
    let kinds: Vec<Scalar> = indexed().filter_map(|seen| seen.kind).collect();
    // Single values in front are what elements are not.
    let front = seen.iter().filter(|seen| {
        let other = seen.kind.is_some_and(|kind| !kinds.is_empty() && !kinds.contains(&kind));
        seen.stride == 0 && seen.offset < first && (seen.atomic != atomic || other)
    });
    let start = front.map(|seen| seen.offset + 1).max().unwrap_or(0);
    let widths: &[u32] = match step {
        _ if atomic => &[],
        step if step.is_multiple_of(4) => &[4],
        2 => &[2],
        _ => &[],
    };
    let vector = widths.iter().find_map(|width| {
        let offset = start.next_multiple_of(*width);
        let inside = || seen.iter().filter(move |seen| seen.stride > 0 || seen.offset >= offset);
        if first < offset || inside().any(|seen| seen.atomic) {
            return None;
        }
        let last = inside().map(|seen| seen.offset % width).max()?;
        let components = match last {
            0 => return None,
            2 if step == 4 => 3,
            _ => *width as u8,
        };
        Some(Member { offset, stride: *width, components, is_array: true })
    });
    Some(vector.unwrap_or(Member { offset: start, ..Member::WORDS }))
}

fn greatest_divisor(a: u32, b: u32) -> u32 {
    let (mut a, mut b) = (a, b);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// Single values: floats side by side are vectors where a vector may lie.
fn front(single: &[Seen]) -> Vec<Member> {
    let mut members = Vec::new();
    let mut at = 0;
    while let Some(first) = single.get(at) {
        let is_float = |seen: &Seen| seen.kind == Some(Scalar::Float) && !seen.atomic;
        let next = |n: usize| single.get(at + n).filter(|seen| seen.offset == first.offset + n as u32);
        let run = match is_float(first) {
            true => (1..4).take_while(|n| next(*n).is_some_and(is_float)).count() + 1,
            false => 1,
        };
        let is_double = |seen: &Seen| seen.kind == Some(Scalar::Double) && !seen.atomic;
        let run = match is_double(first) && first.offset.is_multiple_of(2) && next(1).is_some_and(is_double) {
            true => 2,
            false => run,
        };
        let components = match first.offset % 4 {
            0 => run,
            2 => run.min(2),
            _ => 1,
        };
        members.push(Member {
            offset: first.offset,
            stride: 1,
            components: components as u8,
            is_array: false,
        });
        at += components;
    }
    members
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(offset: u32, stride: u32, kind: Scalar) -> Seen {
        Seen { offset, stride, kind: Some(kind), atomic: false }
    }

    fn list(words: &[(u32, u32, Scalar)]) -> Vec<(u32, u32, u8, bool)> {
        let seen: Vec<Seen> =
            words.iter().map(|(offset, stride, kind)| seen(*offset, *stride, *kind)).collect();
        shown(&seen)
    }

    fn shown(seen: &[Seen]) -> Vec<(u32, u32, u8, bool)> {
        let members = members(seen).into_iter();
        members.map(|member| (member.offset, member.stride, member.components, member.is_array)).collect()
    }

    #[test]
    fn vectors_of_an_array() {
        use Scalar::{Float, Uint};
        let four = |first: u32| (first..first + 4).map(|word| (word, 4, Float)).collect::<Vec<_>>();
        assert_eq!(list(&four(0)), [(0, 4, 4, true)]);
        assert_eq!(list(&four(0)[..3]), [(0, 4, 3, true)]);
        assert_eq!(list(&four(0)[..1]), [(0, 1, 1, true)]);
        assert_eq!(list(&[(0, 2, Float), (1, 2, Float)]), [(0, 2, 2, true)]);
        assert_eq!(list(&[(0, 3, Float), (1, 3, Float), (2, 3, Float)]), [(0, 1, 1, true)]);
        // A counter in front; vectors lie at multiples of their size.
        let mut counted = four(4);
        counted.push((0, 0, Uint));
        assert_eq!(list(&counted), [(0, 1, 1, false), (4, 4, 4, true)]);
        // The same behind nothing: elements from the start on.
        assert_eq!(list(&four(8)), [(0, 4, 4, true)]);
        // What starts at no such place is words.
        assert_eq!(list(&[(0, 0, Uint), (1, 4, Float), (2, 4, Float)]), [(0, 1, 1, false), (1, 1, 1, true)]);
    }

    #[test]
    fn values_by_themselves() {
        use Scalar::{Float, Int};
        let fixed = |words: &[u32], kind| words.iter().map(|word| (*word, 0, kind)).collect::<Vec<_>>();
        assert_eq!(list(&fixed(&[0, 1, 2, 3, 4], Float)), [(0, 1, 4, false), (4, 1, 1, false)]);
        assert_eq!(list(&fixed(&[1, 2, 3], Float)), [(1, 1, 1, false), (2, 1, 2, false)]);
        assert_eq!(list(&fixed(&[0, 1], Int)), [(0, 1, 1, false), (1, 1, 1, false)]);
        let many: Vec<u32> = (0..40).collect();
        assert_eq!(list(&fixed(&many, Int)), [(0, 1, 1, true)]);
        // Of the kind of the elements, they are elements.
        assert_eq!(list(&[(0, 0, Float), (8, 1, Float)]), [(0, 1, 1, true)]);
    }

    #[test]
    fn shared_variables_start_where_kinds_change() {
        use Scalar::{Float, Int, Uint};
        let starts_of = |words: &[(u32, u32, Scalar)]| {
            let seen: Vec<Seen> =
                words.iter().map(|(offset, stride, kind)| seen(*offset, *stride, *kind)).collect();
            starts(&seen).to_vec()
        };
        assert_eq!(starts_of(&[(0, 2, Float), (1, 2, Float), (32, 0, Uint)]), [0, 32]);
        assert_eq!(starts_of(&[(0, 1, Int), (32, 0, Uint), (33, 1, Float)]), [0, 33]);
        // Elements of both.
        assert_eq!(starts_of(&[(0, 2, Float), (1, 2, Uint)]), [0]);
        assert_eq!(starts_of(&[(0, 1, Float), (u32::MAX, 1, Uint)]), [0]);
    }

    #[test]
    fn what_is_changed_at_once_is_a_word() {
        let mut words = vec![seen(0, 4, Scalar::Uint), seen(1, 4, Scalar::Uint)];
        assert_eq!(shown(&words), [(0, 4, 4, true)]);
        words[1].atomic = true;
        assert_eq!(shown(&words), [(0, 1, 1, true)]);
        assert_eq!(shown(&[Seen { atomic: true, ..seen(0, 0, Scalar::Uint) }]), [(0, 1, 1, false)]);
        assert_eq!(shown(&[seen(u32::MAX, 1, Scalar::Uint)]), [(0, 1, 1, true)]);
    }
}
