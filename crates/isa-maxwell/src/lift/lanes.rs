//! Special registers, other lanes, barriers.

use super::super::Predicate;
use super::super::Register;
use super::super::address_map::{HELPER, PATCH_VERTICES, SAMPLE_ID, SAMPLE_MASK_IN, SPECIAL_BINDING};
use super::super::operation::{Barrier, Rounding, Shuffle, Source, SpecialRegister, Vote};
use super::attributes::INVOCATION_ID;
use super::float;
use super::write::{Order, Writer};
use unshade_ir::{CompareInt, Op, QuadSide, Space, Value};
use unshade_stage::StageKind;

/// Numbers of special registers.
mod special {
    pub(super) const LANE: u8 = 0;
    pub(super) const PRIM_TYPE: u8 = 16;
    pub(super) const INVOCATION_ID: u8 = 17;
    pub(super) const Y_DIRECTION: u8 = 18;
    pub(super) const THREAD_KILL: u8 = 19;
    pub(super) const INVOCATION_INFO: u8 = 29;
    pub(super) const TID: u8 = 32;
    pub(super) const TID_X: u8 = 33;
    pub(super) const TID_Z: u8 = 35;
    pub(super) const CTAID_X: u8 = 37;
    pub(super) const CTAID_Z: u8 = 39;
    pub(super) const EQMASK: u8 = 56;
    pub(super) const GEMASK: u8 = 60;
}

/// Word of the number of the lane, in [`SPECIAL_BINDING`].
const LANE_ID: u32 = 0;

impl Writer<'_> {
    fn special(&mut self, word: u32) -> Value {
        self.load(Space::Input, SPECIAL_BINDING, word)
    }

    /// Number of the lane.
    pub(super) fn lane(&mut self) -> Value {
        self.special(LANE_ID)
    }

    pub(super) fn special_register(&mut self, d: Register, register: SpecialRegister, wide: bool) {
        let SpecialRegister(number) = register;
        let value = match number {
            // The patch's invocations are the lanes.
            special::LANE if self.kind == StageKind::TessControl => self.special(INVOCATION_ID),
            special::LANE => self.special(LANE_ID),
            special::PRIM_TYPE => {
                let vertices = self.special(PATCH_VERTICES);
                self.shifted(Op::Shl, vertices, 8)
            }
            special::INVOCATION_ID => self.special(INVOCATION_ID),
            special::Y_DIRECTION => self.bits(1.0_f32.to_bits()),
            special::THREAD_KILL => {
                // All ones where it is one.
                let (helper, none) = (self.special(HELPER), self.bits(0));
                let helps = self.value(Op::ICompare(CompareInt::Ne), &[helper, none]);
                let ones = self.bits(u32::MAX);
                self.select(helps, ones, none)
            }
            // Where the vertices of the primitive start: handles are their numbers.
            special::INVOCATION_INFO => self.bits(0),
            special::TID => {
                let [x, y, z] = [0, 1, 2].map(|n| self.special(u32::from(special::TID_X) + n));
                let y = self.shifted(Op::Shl, y, 16);
                let z = self.shifted(Op::Shl, z, 26);
                let both = self.value(Op::Or, &[x, y]);
                self.value(Op::Or, &[both, z])
            }
            special::TID_X..=special::TID_Z | special::CTAID_X..=special::CTAID_Z => {
                self.special(number.into())
            }
            special::EQMASK..=special::GEMASK => {
                let lane = self.special(LANE_ID);
                let one = self.bits(1);
                let own = self.value(Op::Shl, &[one, lane]);
                let below = self.value(Op::ISub, &[own, one]);
                match number - special::EQMASK {
                    0 => own,
                    1 => below,
                    2 => self.value(Op::Or, &[below, own]),
                    3 => {
                        let upto = self.value(Op::Or, &[below, own]);
                        self.value(Op::Not, &[upto])
                    }
                    _ => self.value(Op::Not, &[below]),
                }
            }
            _ => return self.refuse(format!("special register {number}")),
        };
        self.set_register(d, value);
        if wide {
            let zero = self.bits(0);
            self.set_register(d.further(1), zero);
        }
    }

    pub(super) fn pixel_load(&mut self, d: Register, p: u8, mode: u8) {
        let word = match mode {
            1 => SAMPLE_MASK_IN,
            5 => SAMPLE_ID,
            _ => return self.refuse(format!("PIXLD in mode {mode}")),
        };
        let value = self.special(word);
        self.set_register(d, value);
        if p < 7 {
            let no = self.truth(false);
            self.set_predicate(p, no);
        }
    }

    /// Each lane of a quad adds its own signs of two values.
    pub(super) fn swizzle_add(
        &mut self,
        d: Register,
        [a, b]: [Register; 2],
        pattern: u8,
        flush: bool,
        rounding: Rounding,
    ) {
        let mode = float::mode(flush, rounding);
        let (a, b) = (self.register(a), self.register(b));
        let kinds = [0, 1, 2, 3].map(|lane| pattern >> (6 - 2 * lane) & 3);
        let mut sums: Vec<(u8, Value)> = Vec::new();
        for kind in kinds {
            if sums.iter().any(|(known, _)| *known == kind) {
                continue;
            }
            let value = self.one_swizzle_add(kind, a, b, mode);
            sums.push((kind, value));
        }
        let of = |kind: u8| sums.iter().find(|(known, _)| *known == kind).map(|(_, value)| *value);
        let [Some(first), Some(second), Some(third), Some(fourth)] = kinds.map(of) else { return };
        let value = if sums.len() == 1 {
            first
        } else {
            let lane = self.special(LANE_ID);
            let column = self.masked(lane, 1);
            let row = self.masked(lane, 2);
            let (left, lower) = (self.is_zero(column), self.is_zero(row));
            let pick = |w: &mut Self, condition, a: Value, b: Value| {
                if a == b { a } else { w.select(condition, a, b) }
            };
            let low = pick(self, left, first, second);
            let high = pick(self, left, third, fourth);
            pick(self, lower, low, high)
        };
        self.set_register(d, value);
    }

    fn one_swizzle_add(&mut self, kind: u8, a: Value, b: Value, mode: unshade_ir::FloatMode) -> Value {
        let negative = |w: &mut Self, value| w.value(Op::FNeg(mode.width), &[value]);
        match kind {
            0 => self.value(Op::FAdd(mode), &[a, b]),
            1 => {
                let a = negative(self, a);
                self.value(Op::FAdd(mode), &[a, b])
            }
            2 => {
                let b = negative(self, b);
                self.value(Op::FAdd(mode), &[a, b])
            }
            _ => b,
        }
    }

    pub(super) fn vote(&mut self, d: Register, p: u8, a: Predicate, vote: Vote) {
        let truth = self.predicate(a);
        if p < 7 {
            let vote = match vote {
                Vote::All => unshade_ir::Vote::All,
                Vote::Any => unshade_ir::Vote::Any,
                Vote::Equal => unshade_ir::Vote::Equal,
            };
            let answer = self.value(Op::Vote(vote), &[truth]);
            self.set_predicate(p, answer);
        }
        if !d.is_zero() {
            let lanes = self.value(Op::Ballot, &[truth]);
            self.set_register(d, lanes);
        }
    }

    /// What a register is in another lane, within a segment of lanes.
    pub(super) fn shuffle(
        &mut self,
        d: Register,
        p: u8,
        a: Register,
        (b, c): (Source, Source),
        shuffle: Shuffle,
    ) {
        let value = self.register(a);
        // Inside of a quad the languages have a name for it.
        if let (Shuffle::Butterfly, Source::Immediate(by @ 1..=2), Source::Immediate(c)) = (shuffle, b, c)
            && self.kind == StageKind::Fragment
            && c & 0x1F >= 3
            && c >> 8 & 0x1F == 0x1C
        {
            let value = self.other_pixel(value, by);
            self.set_register(d, value);
            if p < 7 {
                let yes = self.truth(true);
                self.set_predicate(p, yes);
            }
            return;
        }
        let (b, c) = (self.source(b), self.source(c));
        let clamp = self.masked(c, 0x1F);
        let segment = self.cut(c, 8, 5, false);
        let own = self.special(LANE_ID);
        let inside = self.value(Op::Not, &[segment]);
        let inside = self.masked(inside, 0x1F);
        let first = self.value(Op::And, &[own, segment]);
        let kept = self.value(Op::And, &[clamp, inside]);
        let last = self.value(Op::Or, &[first, kept]);
        let lane = match shuffle {
            Shuffle::Index => {
                let number = self.value(Op::And, &[b, inside]);
                self.value(Op::Or, &[number, first])
            }
            Shuffle::Up => self.value(Op::ISub, &[own, b]),
            Shuffle::Down => self.value(Op::IAdd, &[own, b]),
            Shuffle::Butterfly => self.value(Op::Xor, &[own, b]),
        };
        // Upwards the limit is the least lane, else the last.
        let outside = match shuffle {
            Shuffle::Up => self.less(lane, last, Order::Signed),
            _ => self.less(last, lane, Order::Signed),
        };
        let from = self.select(outside, own, lane);
        let value = self.value(Op::Shuffle, &[value, from]);
        self.set_register(d, value);
        let there = self.value(Op::Not, &[outside]);
        self.set_predicate(p, there);
    }

    /// What a value is in the pixel beside (1) or above or below (2) of the quad.
    fn other_pixel(&mut self, value: Value, by: u32) -> Value {
        let (near, far) = match by {
            1 => (QuadSide::Right, QuadSide::Left),
            _ => (QuadSide::Upper, QuadSide::Lower),
        };
        let lane = self.special(LANE_ID);
        let own = self.masked(lane, by);
        let first = self.is_zero(own);
        let [near, far] = [near, far].map(|side| self.value(Op::QuadRead(side), &[value]));
        self.select(first, near, far)
    }

    pub(super) fn barrier(&mut self, barrier: Barrier) {
        match barrier {
            Barrier::Sync => {
                self.builder.effect(Op::Barrier(unshade_ir::Barrier::Control), &[]);
            }
            other => self.refuse(format!("a barrier that does more than wait ({other:?})")),
        }
    }
}
