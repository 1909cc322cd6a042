//! Video operations, as PTX defines them (`vadd` and its kin): a first step on whole numbers, a limit, then a second
//! step with C.

use super::operand::Operands;
use crate::operation::{PartOf, QuadBytes, Source, Video, VideoMerge};

/// Range of a result: as wide as the field that it goes to.
fn limits(bits: u32, unsigned: bool) -> (i64, i64) {
    if unsigned { (0, (1 << bits) - 1) } else { (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) }
}

/// First and second step.
pub(super) fn video(
    at: Operands<'_>,
    video: Video,
    [a, b]: [PartOf; 2],
    c: Source,
    merge: VideoMerge,
    unsigned: bool,
    saturate: bool,
) -> u32 {
    let (a, b, c) = (at.part(a), at.part(b), at.source(c));
    // A count has no sign.
    let shift = |wrap: bool| if wrap { b as u32 & 31 } else { (b as u32).min(32) };
    let mut value = match video {
        Video::Add => a + b,
        Video::AddOne => a + b + 1,
        Video::AbsoluteDifference => (a - b).abs(),
        Video::Min => a.min(b),
        Video::Max => a.max(b),
        Video::ShiftLeft { wrap } => a << shift(wrap),
        Video::ShiftRight { wrap } => a >> shift(wrap),
        Video::Set(compare) => {
            let holds = a < b && compare.less || a == b && compare.equal || a > b && compare.greater;
            i64::from(holds)
        }
    };
    if saturate {
        let bits = match merge {
            VideoMerge::Merge16High | VideoMerge::Merge16Low => 16,
            VideoMerge::Merge8Byte0 | VideoMerge::Merge8Byte2 => 8,
            _ => 32,
        };
        let (least, most) = limits(bits, unsigned);
        value = value.clamp(least, most);
    }
    let word = value as u32;
    match merge {
        VideoMerge::None => word,
        VideoMerge::Merge16High => c & 0xffff | word << 16,
        VideoMerge::Merge16Low => c & 0xffff_0000 | word & 0xffff,
        VideoMerge::Merge8Byte0 => c & 0xffff_ff00 | word & 0xff,
        VideoMerge::Merge8Byte2 => c & 0xff00_ffff | (word & 0xff) << 16,
        VideoMerge::Accumulate => word.wrapping_add(c),
        VideoMerge::Min if unsigned => word.min(c),
        VideoMerge::Min => (word as i32).min(c as i32) as u32,
        VideoMerge::Max if unsigned => word.max(c),
        VideoMerge::Max => (word as i32).max(c as i32) as u32,
    }
}

/// How the product and the addend of `VMAD` are changed.
#[derive(Clone, Copy)]
pub(super) struct Scaled {
    pub(super) negate_product: bool,
    pub(super) negate_c: bool,
    pub(super) plus_one: bool,
    pub(super) shift: u8,
    pub(super) saturate: bool,
}

/// `VMAD` (PTX `vmad`). The result is signed where a factor is, or where something is negated.
pub(super) fn multiply_add(at: Operands<'_>, a: PartOf, b: PartOf, c: Source, how: Scaled) -> u32 {
    let signed = a.signed || b.signed || how.negate_product || how.negate_c;
    let product = i128::from(at.part(a)) * i128::from(at.part(b));
    let product = if how.negate_product { -product } else { product };
    let word = at.source(c);
    let addend = if signed { i128::from(word as i32) } else { i128::from(word) };
    let addend = if how.negate_c { -addend } else { addend };
    let value = (product + addend + i128::from(how.plus_one)) >> how.shift;
    let (least, most) = limits(32, !signed);
    if how.saturate { value.clamp(least.into(), most.into()) as u32 } else { value as u32 }
}

/// `VABSDIFF4` (PTX `vabsdiff4`): differences of four pairs of bytes of `{b:a}`. The chosen ones go into their bytes of
/// C, or are added to it.
pub(super) fn absolute_difference4(a: u32, b: u32, c: u32, how: QuadBytes) -> u32 {
    let pair = u64::from(a) | u64::from(b) << 32;
    let byte = |number: u8, signed: bool| {
        let byte = (pair >> (8 * u32::from(number & 7))) as u8;
        if signed { i32::from(byte as i8) } else { i32::from(byte) }
    };
    let mut all = c;
    for n in (0..4_u32).filter(|n| how.lanes >> n & 1 != 0) {
        let [x, y] = [0, 1].map(|side: usize| byte(how.select[side][n as usize & 3], how.signed[side]));
        let (least, most) = if how.signed_result { (-128, 127) } else { (0, 255) };
        let value = (x - y).abs();
        let value = if how.saturate { value.clamp(least, most) } else { value };
        all = if how.accumulate {
            all.wrapping_add(value as u32)
        } else {
            all & !(0xff << (8 * n)) | (value as u32 & 0xff) << (8 * n)
        };
    }
    all
}
