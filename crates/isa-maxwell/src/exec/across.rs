//! Operations in which lanes see each other: shuffles, votes, sums with the neighbours of a quad.

use super::around::Around;
use super::float;
use super::flow::{Mask, each};
use super::operand::{Operands, register_of, write, write_predicate};
use super::run::Fault;
use super::single::special;
use super::state::Lane;
use super::warp::Context;
use crate::operation::*;
use unshade_ir::{QuadSide, Vote as Question};

/// Operations that see other lanes.
pub(super) fn across<A: Around>(
    context: &mut Context<'_, A>,
    operation: Operation,
    address: u64,
    lanes: Mask,
) -> Result<(), Fault> {
    let is_shared = context.program.is_shared_by_quad(address);
    match operation {
        Operation::FloatSwizzleAdd { d, a, b, pattern, flush, rounding, .. } => {
            for n in each(lanes) {
                let (a, b) = (register_of(&context.lanes[n], a), register_of(&context.lanes[n], b));
                let sides = match pattern {
                    _ if is_shared => None,
                    0x99 => Some((QuadSide::Right, QuadSide::Left)),
                    0xa5 => Some((QuadSide::Upper, QuadSide::Lower)),
                    _ => None,
                };
                let asked = sides.and_then(|(high, low)| {
                    Some((context.around.quad(high, b)?, context.around.quad(low, b)?))
                });
                let bits = match asked {
                    Some((high, low)) => difference(high, low, flush, rounding),
                    None => {
                        let number = number(&context.lanes[n], n);
                        swizzled(a, b, pattern, number, flush, rounding)
                    }
                };
                let lane = &mut context.lanes[n];
                write(lane, d.register, bits);
                if d.flags {
                    let value = f32::from_bits(bits);
                    lane.flags.zero = value == 0.0 || value.is_nan();
                    lane.flags.sign = value < 0.0 || value.is_nan();
                    (lane.flags.carry, lane.flags.overflow) = (false, false);
                }
            }
        }
        Operation::Shuffle { d, p, a, b, c, shuffle } => {
            let values: Vec<u32> = context.lanes.iter().map(|lane| register_of(lane, a)).collect();
            for n in each(lanes) {
                let at = Operands { lane: &context.lanes[n], resources: context.resources };
                let (from, inside) = source_lane(shuffle, number(at.lane, n), at.source(b), at.source(c));
                let own = values[n];
                let asked = if is_shared { Some(own) } else { context.around.shuffle(own, from) };
                let value = match asked {
                    Some(value) => value,
                    None => values.get(from as usize).copied().unwrap_or(own),
                };
                write(&mut context.lanes[n], d, value);
                write_predicate(&mut context.lanes[n], p, inside);
            }
        }
        Operation::Vote { d, p, a, vote } => {
            let holding =
                each(lanes).filter(|&n| context.lanes[n].holds(a)).fold(0, |all: Mask, n| all | 1 << n);
            let (question, answer) = match vote {
                Vote::All => (Question::All, holding == lanes),
                Vote::Any => (Question::Any, holding != 0),
                Vote::Equal => (Question::Equal, holding == 0 || holding == lanes),
            };
            for n in each(lanes) {
                let own = holding >> n & 1 != 0;
                let (answer, ballot) = context.around.vote(question, own).unwrap_or((answer, holding));
                write(&mut context.lanes[n], d, ballot);
                write_predicate(&mut context.lanes[n], p, answer);
            }
        }
        _ => return Err(Fault::Unsupported),
    }
    Ok(())
}

fn difference(high: u32, low: u32, flush: bool, rounding: Rounding) -> u32 {
    let sum = float::sum(float::single(high, flush), -float::single(low, flush), rounding);
    float::to_single(sum, flush, rounding)
}

/// The sum with the signs that the pattern has for a lane: those of lane 0 are the highest two bits (Mesa's lowering
/// of gradients relies on it).
fn swizzled(a: u32, b: u32, pattern: u8, lane: u32, flush: bool, rounding: Rounding) -> u32 {
    let (x, y) = (float::single(a, flush), float::single(b, flush));
    let sum = match pattern >> (6 - 2 * (lane & 3)) & 3 {
        0 => float::sum(x, y, rounding),
        1 => float::sum(y, -x, rounding),
        2 => float::sum(x, -y, rounding),
        _ => y,
    };
    float::to_single(sum, flush, rounding)
}
/// The number of a lane, as it tells it: one that runs alone may be any of its warp.
pub(super) fn number(lane: &Lane, n: usize) -> u32 {
    special(lane, SpecialRegister(0), n)
}

/// The lane that a shuffle reads, and whether it lies inside of the limits; else it is the lane itself (PTX `shfl`).
fn source_lane(shuffle: Shuffle, lane: u32, b: u32, c: u32) -> (u32, bool) {
    let (b, limit, segment) = (b & 31, c & 31, c >> 8 & 31);
    let most = lane & segment | limit & !segment & 31;
    let least = lane & segment;
    let (from, inside) = match shuffle {
        Shuffle::Up => (lane.wrapping_sub(b), lane as i32 - b as i32 >= most as i32),
        Shuffle::Down => (lane + b, lane + b <= most),
        Shuffle::Butterfly => (lane ^ b, lane ^ b <= most),
        Shuffle::Index => {
            let from = least | b & !segment & 31;
            (from, from <= most)
        }
    };
    if inside { (from, true) } else { (lane, false) }
}
