//! Fetches from buffers.

use super::super::bindings::FetchSource;
use super::super::fields::Vtx;
use super::super::table::DataFormat;
use super::format::{self, element};
use super::state::{Buffer, Layout, Resources, Vector};

/// What a fetch from a buffer gives: the element at `index`. Bytes outside of the buffer are 0.
///
/// The address is `index * stride + offset`; where the instruction says that there is no stride, `index + offset`.
/// Constant buffers have a stride of 16.
pub(super) fn fetch(resources: &Resources, source: FetchSource, inst: Vtx, index: u32) -> Vector {
    let (words, stride, swapped, layout) = match source {
        FetchSource::Constants(buffer) => match resources.constants.get(buffer as usize) {
            Some(words) => (words.as_slice(), Some(16), true, Layout::default()),
            None => return [0; 4],
        },
        FetchSource::Ring | FetchSource::Buffer(_) | FetchSource::Texels(_) => {
            match resources.buffers.get(&inst.buffer_id()) {
                Some(Buffer { words, stride, swapped, layout }) => {
                    (words.as_slice(), *stride, *swapped, *layout)
                }
                None => return [0; 4],
            }
        }
    };
    let layout = if inst.use_const_fields() != 0 { layout } else { own_layout(inst) };
    let stride =
        if inst.const_buf_no_stride() != 0 { 1 } else { stride.unwrap_or_else(|| format::stride(inst)) };
    let address = u64::from(index) * u64::from(stride) + u64::from(inst.offset());
    let swap: u64 = match layout.swap {
        _ if swapped => 0,
        1 => 1,
        2 => 3,
        3 => 7,
        _ => 0,
    };
    element(layout, |byte| {
        let place = (address + u64::from(byte)) ^ swap;
        let word = usize::try_from(place / 4).ok().and_then(|word| words.get(word)).copied().unwrap_or(0);
        (word >> (8 * (place % 4))) as u8
    })
}

/// The layout that the instruction names. Numbers that are no format count as 32-bit words.
fn own_layout(inst: Vtx) -> Layout {
    Layout {
        format: DataFormat::of(inst.data_format()).unwrap_or(DataFormat::X32Y32Z32W32),
        numbers: inst.num_format_all(),
        signed: inst.format_comp_all() != 0,
        spread: inst.srf_mode_all() != 0,
        swap: inst.endian_swap(),
    }
}
