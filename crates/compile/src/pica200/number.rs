//! Numbers of 24 bits.

use unshade_bytes::float::F24;

/// A number as the assembler reads it, which cuts off what does not fit: the nearest one that the machine has.
pub fn text(value: f32) -> String {
    let nearest = F24::from_f32_nearest(value).to_f32();
    // Enough digits that nothing changes on the way.
    let text = format!("{nearest}");
    if text.contains('.') || text.contains("inf") || text.contains("NaN") {
        text
    } else {
        format!("{text}.0")
    }
}

/// Whether a number loses what was meant on its way into 24 bits: too large, too small, or whole and no longer the same.
pub fn loses(value: f32) -> Option<String> {
    let stored = F24::from_f32_nearest(value).to_f32();
    if stored == value {
        return None;
    }
    let what = if stored.is_infinite() {
        "is too large for 24 bits and becomes infinite"
    } else if stored.abs() < SMALLEST && value != 0.0 {
        "is too small for 24 bits and becomes zero"
    } else if value.fract() == 0.0 || is_short(value) {
        return Some(format!(
            "{value} needs more than the 17 bits that the machine's numbers have, and becomes {stored}"
        ));
    } else {
        return None;
    };
    Some(format!("{value:e} {what}"))
}

/// The smallest number that sums and products do not take for zero.
const SMALLEST: f32 = 2.168_404_3e-19;

/// Whether a number is a fraction of a power of two with few digits, which somebody meant exactly.
fn is_short(value: f32) -> bool {
    let scaled = value * 1024.0;
    scaled.fract() == 0.0
}
