//! Where the inputs and outputs of a program lie in the address spaces of the IR. The interpreter's side of a
//! comparison ([`super::exec`]) and the lifted program ([`unshade_ir::Access`]) use the same numbers.
//!
//! | machine | space | binding | word |
//! |---|---|---|---|
//! | register n, component c, at the start | `Input` | [`REGISTER_BINDING`] | 4n + c |
//! | the ring that a geometry or copy program reads | `Input` | [`RING_INPUT_BINDING`] | offset in words |
//! | constant buffer b | `Uniform` | b | word |
//! | register n of the constant file, component c | `Uniform` | [`CONSTANT_FILE_BINDING`] | 4n + c |
//! | loop constant n | `Uniform` | [`LOOP_BINDING`] | n |
//! | bool constant n, 0 or 1 | `Uniform` | [`BOOL_BINDING`] | n |
//! | fetch resource r that is none of these, as 32-bit words behind the endian swap | `Uniform` | [`FETCH_BINDING`] + r | word |
//! | exports | `Output` | [`EXPORT_BINDING`] | see [`export_word`] |
//! | stream-out buffer n | `Output` | [`STREAM_BINDING`] + n | array base + component |
//! | the ring that a vertex program in front of a geometry program, or a geometry program, writes | `Output` | [`RING_OUTPUT_BINDING`] | word of the item |
//! | what MEM_EXPORT writes, behind SX_MEMORY_EXPORT_BASE | `Storage` | [`MEMORY_BINDING`] | word |
//!
//! Vertices that a geometry program hands over through a copy program are the exports and streams of that.
//!
//! Registers at the start: a vertex program has the vertex number in R0.x and the instance number in R0.w, its
//! attributes from R1 on; a pixel program its interpolated inputs; a geometry program offsets into the ring. Attributes
//! that a table lists and no register is filled with stand behind [`REGISTERS`]: nothing reads them.
//! A vertex that a geometry program emits is the ring's item of that vertex, `EmitVertex(0)`.

use super::fields::Vtx;
use unshade_ir::TexelTable;
use unshade_stage::{Latte, StageKind};

/// Input binding of the registers at the start.
pub const REGISTER_BINDING: u32 = 0;
/// General registers.
pub const REGISTERS: usize = 128;
/// Input binding of the ring that is read.
pub const RING_INPUT_BINDING: u32 = 1;
/// Input binding of the window coordinates as OpenGL has them, four words; see [`super::lift::start`].
pub const FRAG_COORD_BINDING: u32 = 2;
/// Input binding of the facing, one word: 1.0 or 0.0.
pub const FRONT_FACING_BINDING: u32 = 3;
/// Input binding of the place in a point, two words.
pub const POINT_COORD_BINDING: u32 = 4;
/// Uniform binding of the first constant buffer; there are 16.
pub const CONSTANT_BUFFER_BINDING: u32 = 0;
/// Constant buffers.
pub const CONSTANT_BUFFERS: u32 = 16;
/// What Mesa's driver for this machine keeps of buffer textures: in the last constant buffer, behind eight clip planes.
pub const MESA_TEXELS: TexelTable =
    TexelTable { binding: CONSTANT_BUFFER_BINDING + 15, offset: 32, stride: 8 };
/// Uniform binding of the constant file, 256 registers.
pub const CONSTANT_FILE_BINDING: u32 = 16;
/// Uniform binding of the 32 loop constants.
pub const LOOP_BINDING: u32 = 17;
/// Uniform binding of the 32 bool constants.
pub const BOOL_BINDING: u32 = 18;
/// Uniform binding of fetch resource 0.
pub const FETCH_BINDING: u32 = 32;
/// Output binding of exports.
pub const EXPORT_BINDING: u32 = 0;
/// Output binding of stream-out buffer 0.
pub const STREAM_BINDING: u32 = 1;
/// Stream-out buffers.
pub const STREAMS: u32 = 4;
/// Output binding of the ring that is written.
pub const RING_OUTPUT_BINDING: u32 = 5;

/// Storage binding of the memory that MEM_EXPORT writes.
pub const MEMORY_BINDING: u32 = 0;

/// Word of export target 60, the position.
pub const POSITION_WORD: u32 = 0;
/// Word of parameter 0.
pub const PARAMETER_WORD: u32 = 16;
/// Word of pixel 0.
pub const PIXEL_WORD: u32 = 144;
/// Word of pixel 61, the depth.
pub const DEPTH_WORD: u32 = 176;
/// Words of all exports.
pub const EXPORT_WORDS: u32 = 180;

/// First word of an export's target: `kind` 0 pixel, 1 position, 2 parameter. `None` for targets that there are
/// not; what is exported there vanishes.
pub fn export_word(kind: u32, target: u32) -> Option<u32> {
    match (kind, target) {
        (0, 0..=7) => Some(PIXEL_WORD + 4 * target),
        (0, 61) => Some(DEPTH_WORD),
        (1, 60..=63) => Some(POSITION_WORD + 4 * (target - 60)),
        (2, 0..=31) => Some(PARAMETER_WORD + 4 * target),
        _ => None,
    }
}

/// What a word of the exports belongs to, as in `POS60`, `PARAM3`, `PIXEL0`: the inverse of [`export_word`].
pub fn export_name(word: u32) -> String {
    match word {
        0..PARAMETER_WORD => format!("POS{}", 60 + word / 4),
        PARAMETER_WORD..PIXEL_WORD => format!("PARAM{}", (word - PARAMETER_WORD) / 4),
        PIXEL_WORD..DEPTH_WORD => format!("PIXEL{}", (word - PIXEL_WORD) / 4),
        _ => "PIXEL61".to_owned(),
    }
}

/// What a buffer fetch reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FetchSource {
    /// A constant buffer, by number. Its words are what the constant cache gives: the swap of the fetch does not
    /// count.
    Constants(u32),
    /// A buffer of texels, by texture unit: a fetch whose format is the resource's, where textures are.
    Texels(u32),
    /// The ring in front of a geometry or copy program.
    Ring,
    /// Another buffer, by resource number.
    Buffer(u32),
}

/// What a buffer fetch of such a program reads.
pub fn fetch_source(kind: StageKind, latte: &Latte, fetch: Vtx) -> FetchSource {
    let resource = fetch.buffer_id();
    if let Some(buffer) = latte.constant_buffer(resource) {
        return FetchSource::Constants(buffer);
    }
    if fetch.use_const_fields() != 0
        && let Some(unit) = latte.texture_unit(resource)
    {
        return FetchSource::Texels(unit);
    }
    if kind == StageKind::Geometry || latte.copy_program {
        return FetchSource::Ring;
    }
    FetchSource::Buffer(resource)
}

/// Texture unit of a texture instruction's resource: that of the profile, or behind all of those.
pub fn texture_unit(latte: &Latte, resource: u32) -> u32 {
    latte.texture_unit(resource).unwrap_or(256 + resource)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_and_words_lead_back() {
        for (kind, targets, name) in
            [(0, 0..8, "PIXEL"), (0, 61..62, "PIXEL"), (1, 60..64, "POS"), (2, 0..32, "PARAM")]
        {
            for target in targets {
                let word = export_word(kind, target).unwrap();
                assert!(word + 4 <= EXPORT_WORDS);
                assert_eq!(export_name(word + 3), format!("{name}{target}"));
            }
        }
        assert_eq!((export_word(0, 8), export_word(3, 0), export_word(1, 59)), (None, None, None));
    }
}
