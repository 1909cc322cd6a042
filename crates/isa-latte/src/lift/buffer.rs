//! Elements of buffers to components.

use super::super::DataFormat;
use super::super::bindings::{CONSTANT_BUFFER_BINDING, FETCH_BINDING, FetchSource, RING_INPUT_BINDING};
use super::super::fields::Vtx;
use super::super::ring::STRIDE as RING_STRIDE;
use super::super::semantics::alu::Arithmetic;
use super::write::{Step, Writer};
use unshade_ir::{FloatMode, Op, Space, Value};

/// Bytes from one element to the next in a constant buffer.
const CONSTANT_STRIDE: u32 = 16;

/// Bytes from one element to the next of a buffer that nobody describes: as many as the fetch takes, in whole
/// words.
pub fn stride(inst: Vtx) -> u32 {
    let format = DataFormat::of(inst.data_format());
    let bits: u32 = format.and_then(sizes).map_or(128, |(sizes, _)| sizes.iter().sum());
    bits.div_ceil(32).max(1) * 4
}

/// Sizes of the components in bits, the one in the lowest bits first, and whether they are floats. None: formats
/// that only textures have, and those with components of different kinds.
fn sizes(format: DataFormat) -> Option<(&'static [u32], bool)> {
    use DataFormat as F;
    Some(match format {
        F::X8 => (&[8], false),
        F::X4Y4 => (&[4, 4], false),
        F::X3Y3Z2 => (&[2, 3, 3], false),
        F::X16 => (&[16], false),
        F::X8Y8 => (&[8, 8], false),
        F::X5Y6Z5 => (&[5, 6, 5], false),
        F::X6Y5Z5 => (&[5, 5, 6], false),
        F::X1Y5Z5W5 => (&[5, 5, 5, 1], false),
        F::X4Y4Z4W4 => (&[4, 4, 4, 4], false),
        F::X5Y5Z5W1 => (&[1, 5, 5, 5], false),
        F::X32 => (&[32], false),
        F::X32Float => (&[32], true),
        F::X16Y16 => (&[16, 16], false),
        F::X10Y11Z11 => (&[11, 11, 10], false),
        F::X11Y11Z10 => (&[10, 11, 11], false),
        F::X2Y10Z10W10 => (&[10, 10, 10, 2], false),
        F::X8Y8Z8W8 => (&[8, 8, 8, 8], false),
        F::X10Y10Z10W2 => (&[2, 10, 10, 10], false),
        F::X32Y32 => (&[32, 32], false),
        F::X32Y32Float => (&[32, 32], true),
        F::X16Y16Z16W16 => (&[16, 16, 16, 16], false),
        F::X32Y32Z32W32 => (&[32, 32, 32, 32], false),
        F::X32Y32Z32W32Float => (&[32, 32, 32, 32], true),
        F::X8Y8Z8 => (&[8, 8, 8], false),
        F::X16Y16Z16 => (&[16, 16, 16], false),
        F::X32Y32Z32 => (&[32, 32, 32], false),
        F::X32Y32Z32Float => (&[32, 32, 32], true),
        F::X1 => (&[1], false),
        _ => return None,
    })
}

/// How the numbers of a fetch are read.
struct Numbers {
    /// 0 normalised, 1 integer, 2 converted to float.
    numbers: u32,
    signed: bool,
    spread: bool,
}

/// Where the bytes of an element are.
struct Bytes {
    space: Space,
    binding: u32,
    index: Value,
    /// Bytes from one element to the next.
    stride: u32,
    offset: u32,
}

/// The components of the element at an index.
pub(super) fn element(w: &mut Writer<'_>, source: FetchSource, inst: Vtx, index: Value) -> [Value; 4] {
    let (space, binding, own) = match source {
        FetchSource::Constants(buffer) => (Space::Uniform, CONSTANT_BUFFER_BINDING + buffer, CONSTANT_STRIDE),
        FetchSource::Ring => (Space::Input, RING_INPUT_BINDING, RING_STRIDE),
        FetchSource::Buffer(resource) | FetchSource::Texels(resource) => {
            (Space::Uniform, FETCH_BINDING + resource, stride(inst))
        }
    };
    let stride = if inst.const_buf_no_stride() != 0 { 1 } else { own };
    let bytes = Bytes { space, binding, index, stride, offset: inst.offset() };
    // Where the resource says the format, it holds vectors of floats.
    let (format, numbers) = if inst.use_const_fields() != 0 {
        (DataFormat::X32Y32Z32W32Float, Numbers { numbers: 2, signed: true, spread: true })
    } else {
        let numbers = Numbers {
            numbers: inst.num_format_all(),
            signed: inst.format_comp_all() != 0,
            spread: inst.srf_mode_all() != 0,
        };
        (DataFormat::of(inst.data_format()).unwrap_or(DataFormat::X32Y32Z32W32), numbers)
    };
    let Some((sizes, float)) = sizes(format) else {
        w.refuse(format!("a fetch in the format {}", format.name()));
        return [w.bits(0); 4];
    };
    let one = if float || numbers.numbers != 1 { w.float(1.0) } else { w.bits(1) };
    let zero = w.bits(0);
    let mut values = [zero, zero, zero, one];
    let mut first = 0;
    for (lane, (place, &size)) in (0_u32..).zip(values.iter_mut().zip(sizes)) {
        let raw = bytes.read(w, first, size, numbers.signed && !float, lane);
        first += size;
        *place = if float { raw } else { numbers.convert(w, raw, size) };
    }
    values
}

impl Bytes {
    /// The bits of a component, extended by zeros or by its sign.
    fn read(&self, w: &mut Writer<'_>, first: u32, size: u32, signed: bool, lane: u32) -> Value {
        w.at(Step::Result, lane);
        if !self.stride.is_multiple_of(4) {
            let word = self.unaligned(w, first);
            return cut(w, word, first % 8, size, signed);
        }
        let bit = 8 * self.offset + first;
        let load =
            |w: &mut Writer<'_>, word| w.load_at(self.space, self.binding, word, self.stride / 4, self.index);
        let (word, shift) = (bit / 32, bit % 32);
        let value = load(w, word);
        if shift + size <= 32 {
            return cut(w, value, shift, size, signed);
        }
        let next = load(w, word + 1);
        let (down, up) = (w.bits(shift), w.bits(32 - shift));
        let low = w.apply(Op::ShrU, &[value, down]);
        let high = w.apply(Op::Shl, &[next, up]);
        let joined = w.apply(Op::Or, &[low, high]);
        cut(w, joined, 0, size, signed)
    }

    /// 32 bits from the byte on that holds bit `first` of the element, where bytes are counted.
    fn unaligned(&self, w: &mut Writer<'_>, first: u32) -> Value {
        let stride = w.bits(self.stride);
        let start = w.apply(Op::IMul, &[self.index, stride]);
        let offset = w.bits(self.offset + first / 8);
        let address = w.apply(Op::IAdd, &[start, offset]);
        let two = w.bits(2);
        let word = w.apply(Op::ShrU, &[address, two]);
        let [low, high] = [0, 1].map(|next| w.load_at(self.space, self.binding, next, 1, word));
        let (three, eight) = (w.bits(3), w.bits(3));
        let byte = w.apply(Op::And, &[address, three]);
        let down = w.apply(Op::Shl, &[byte, eight]);
        let all = w.bits(32);
        let up = w.apply(Op::ISub, &[all, down]);
        let low = w.apply(Op::ShrU, &[low, down]);
        let high = w.apply(Op::Shl, &[high, up]);
        w.apply(Op::Or, &[low, high])
    }
}

/// `size` bits from bit `first` on.
fn cut(w: &mut Writer<'_>, word: Value, first: u32, size: u32, signed: bool) -> Value {
    if size == 32 {
        return word;
    }
    let left = w.bits(32 - first - size);
    let right = w.bits(32 - size);
    let raised = if first + size == 32 { word } else { w.apply(Op::Shl, &[word, left]) };
    w.apply(if signed { Op::ShrS } else { Op::ShrU }, &[raised, right])
}

impl Numbers {
    /// A number by its format.
    fn convert(&self, w: &mut Writer<'_>, raw: Value, size: u32) -> Value {
        // The machine's formats do not flush.
        let mode = FloatMode::F32;
        let number =
            |w: &mut Writer<'_>| w.apply(if self.signed { Op::SToF(mode) } else { Op::UToF(mode) }, &[raw]);
        match self.numbers {
            1 => raw,
            0 if size > 16 => {
                w.refuse(format!("a fetch of normalised numbers of {size} bits"));
                raw
            }
            0 => {
                let value = number(w);
                let most = (1_u32 << size) - 1;
                let (value, most) = match (self.signed, self.spread) {
                    (false, _) => (value, most),
                    (true, true) => {
                        let (two, one) = (w.float(2.0), w.float(1.0));
                        let doubled = w.apply(Op::FMul(mode, unshade_ir::Multiply::Ieee), &[value, two]);
                        (w.apply(Op::FAdd(mode), &[doubled, one]), most)
                    }
                    (true, false) => (value, (most >> 1).max(1)),
                };
                let most = w.float(most as f32);
                let value = w.apply(Op::FDiv(mode), &[value, most]);
                if self.signed && !self.spread {
                    let least = w.float(-1.0);
                    return w.apply(Op::FMax(mode, unshade_ir::MinMax::Number), &[value, least]);
                }
                value
            }
            _ => number(w),
        }
    }
}
