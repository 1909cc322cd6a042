//! Sums and comparisons of bytes and halves.

use super::super::operation::{CompareInt, Destination, Part, PartOf, Source, Video, VideoMerge};
use super::write::{Order, Writer};
use unshade_ir::{Op, Value};

impl Writer<'_> {
    pub(super) fn video(
        &mut self,
        d: Destination,
        video: Video,
        (a, b, c): (PartOf, PartOf, Source),
        merge: VideoMerge,
        unsigned_result: bool,
        saturate: bool,
    ) {
        if saturate {
            return self.refuse("a video operation that saturates");
        }
        let signs = [a, b].map(|part| part.signed);
        // Narrower parts are whole numbers of 32 bits either way.
        let is_mixed =
            signs[0] != signs[1] && [a, b].iter().any(|part| !part.signed && part.part == Part::Word);
        let signed = a.signed || b.signed;
        let (a, b) = (self.part_of(a), self.part_of(b));
        let value = match video {
            Video::AbsoluteDifference | Video::Min | Video::Max | Video::Set(_) if is_mixed => {
                self.mixed(video, [a, b], signs[0])
            }
            Video::Add => self.value(Op::IAdd, &[a, b]),
            Video::AddOne => {
                let one = self.bits(1);
                let sum = self.value(Op::IAdd, &[a, b]);
                self.value(Op::IAdd, &[sum, one])
            }
            Video::AbsoluteDifference => {
                let (min, max) = if signed { (Op::SMin, Op::SMax) } else { (Op::UMin, Op::UMax) };
                let (least, most) = (self.value(min, &[a, b]), self.value(max, &[a, b]));
                self.value(Op::ISub, &[most, least])
            }
            Video::Min => self.value(if signed { Op::SMin } else { Op::UMin }, &[a, b]),
            Video::Max => self.value(if signed { Op::SMax } else { Op::UMax }, &[a, b]),
            Video::ShiftLeft { wrap } => {
                let by = if wrap { self.masked(b, 31) } else { b };
                self.value(Op::Shl, &[a, by])
            }
            Video::ShiftRight { wrap } => {
                let by = if wrap { self.masked(b, 31) } else { b };
                self.value(if signs[0] { Op::ShrS } else { Op::ShrU }, &[a, by])
            }
            Video::Set(compare) => {
                let holds = self.compare_int(compare, a, b, signed);
                self.value(Op::BToI, &[holds])
            }
        };
        let value = self.merged(value, c, merge, !unsigned_result);
        self.result(d, value);
    }

    /// A step on a word with a sign and one without: the former is the smaller one where it is below zero.
    fn mixed(&mut self, video: Video, operands: [Value; 2], first_signed: bool) -> Value {
        let [a, b] = operands;
        let [signed, unsigned] = if first_signed { [a, b] } else { [b, a] };
        let zero = self.bits(0);
        let below_zero = self.less(signed, zero, Order::Signed);
        let below = self.less(signed, unsigned, Order::Unsigned);
        let less = self.value(Op::Or, &[below_zero, below]);
        match video {
            Video::Min => self.select(less, signed, unsigned),
            Video::Max => self.select(less, unsigned, signed),
            Video::Set(CompareInt { less: below, equal, greater }) => {
                let (first_less, first_greater) =
                    if first_signed { (below, greater) } else { (greater, below) };
                let same = self.equal(signed, unsigned);
                let above_zero = self.value(Op::Not, &[below_zero]);
                let same = self.value(Op::And, &[same, above_zero]);
                let either = self.value(Op::Or, &[less, same]);
                let more = self.value(Op::Not, &[either]);
                let mut holds = self.truth(false);
                for (asked, holding) in [(first_less, less), (equal, same), (first_greater, more)] {
                    if asked {
                        holds = self.value(Op::Or, &[holds, holding]);
                    }
                }
                self.value(Op::BToI, &[holds])
            }
            _ => {
                let [up, down] =
                    [[unsigned, signed], [signed, unsigned]].map(|pair| self.value(Op::ISub, &pair));
                self.select(less, up, down)
            }
        }
    }

    fn merged(&mut self, value: Value, c: Source, merge: VideoMerge, signed: bool) -> Value {
        if merge == VideoMerge::None {
            return value;
        }
        let c = self.source(c);
        let (first, count) = match merge {
            VideoMerge::Merge16High => (16, 16),
            VideoMerge::Merge16Low => (0, 16),
            VideoMerge::Merge8Byte0 => (0, 8),
            VideoMerge::Merge8Byte2 => (16, 8),
            VideoMerge::Accumulate => return self.value(Op::IAdd, &[value, c]),
            VideoMerge::Min => {
                return self.value(if signed { Op::SMin } else { Op::UMin }, &[value, c]);
            }
            VideoMerge::Max | VideoMerge::None => {
                return self.value(if signed { Op::SMax } else { Op::UMax }, &[value, c]);
            }
        };
        let (first, count) = (self.bits(first), self.bits(count));
        self.value(Op::BitInsert, &[c, value, first, count])
    }

    pub(super) fn video_multiply_add(
        &mut self,
        d: Destination,
        (a, b, c): (PartOf, PartOf, Source),
        (negate_product, negate_c): (bool, bool),
        plus_one: bool,
        shift: u8,
        saturate: bool,
    ) {
        if saturate {
            return self.refuse("a video operation that saturates");
        }
        let signed = a.signed || b.signed || negate_product || negate_c;
        let signs = [a.signed, b.signed];
        let (a, b, c) = (self.part_of(a), self.part_of(b), self.source(c));
        if shift > 0 {
            let value =
                self.scaled_sum((a, b, c), signs, (negate_product, negate_c), (plus_one, signed), shift);
            return self.result(d, value);
        }
        let product = self.value(Op::IMul, &[a, b]);
        let product = if negate_product { self.value(Op::INeg, &[product]) } else { product };
        let c = if negate_c { self.value(Op::INeg, &[c]) } else { c };
        let mut sum = self.value(Op::IAdd, &[product, c]);
        if plus_one {
            let one = self.bits(1);
            sum = self.value(Op::IAdd, &[sum, one]);
        }
        self.result(d, sum);
    }

    /// The low word of `(a * b + c) >> shift`, for shifts below 32: what lies above 64 bits never gets there.
    fn scaled_sum(
        &mut self,
        (a, b, c): (Value, Value, Value),
        signs: [bool; 2],
        (negate_product, negate_c): (bool, bool),
        (plus_one, signed): (bool, bool),
        shift: u8,
    ) -> Value {
        let low = self.product(a, b, signs, false);
        let high = self.product(a, b, signs, true);
        let product = self.joined([low, high]);
        let product = if negate_product { self.value(Op::INeg, &[product]) } else { product };
        let above = if signed { self.shifted(Op::ShrS, c, 31) } else { self.bits(0) };
        let c = self.joined([c, above]);
        let c = if negate_c { self.value(Op::INeg, &[c]) } else { c };
        let mut sum = self.value(Op::IAdd, &[product, c]);
        if plus_one {
            let words = [self.bits(1), self.bits(0)];
            let one = self.joined(words);
            sum = self.value(Op::IAdd, &[sum, one]);
        }
        let [low, high] = self.halves(sum);
        let low = self.shifted(Op::ShrU, low, shift.into());
        let high = self.shifted(Op::Shl, high, 32 - u32::from(shift & 31));
        self.value(Op::Or, &[low, high])
    }
}
