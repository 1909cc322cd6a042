//! Fetches from textures and buffers.

use super::alu::{head, indent};
use super::{flag, property, rest};
use crate::decode::Program;
use crate::fields::{Tex, Vtx};
use crate::inst::Fetch;
use crate::layout::Layout;
use crate::names::{COMPONENTS, ENDIANS, FETCH_TYPES, NUMBER_FORMATS, pick, selected, word};
use std::cmp::Reverse;
use std::collections::BTreeMap;
use unshade_isa_common::text::{PartKind, Sink};

/// The selects of a destination that is not written.
const MASKED: u32 = 0o7777;

/// The fourth word that most fetches of a program have; of several that are as frequent the least.
pub(crate) fn usual_fill(program: &Program<'_>, layout: &Layout) -> u32 {
    let clauses = layout.clauses.iter().filter(|clause| clause.fetches);
    let fetches =
        clauses.filter_map(|clause| program.cf(clause.cf)).flat_map(|cf| program.fetches(cf.normal()));
    let mut counts: BTreeMap<u32, usize> = BTreeMap::new();
    for (_, fetch) in fetches {
        *counts.entry(fetch.fill()).or_default() += 1;
    }
    let most = counts.into_iter().max_by_key(|&(fill, count)| (count, Reverse(fill)));
    most.map_or(0, |(fill, _)| fill)
}

/// Writes a fetch with its number; `fill` is the fourth word that need not be said. Whether the bits mean a texture or a
/// buffer follows from the operation.
pub fn fetch(sink: &mut impl Sink, fetch: Fetch, number: u32, blanks: usize, fill: u32) {
    indent(sink, blanks);
    head(sink, number);
    sink.put(PartKind::Plain, "    ");
    if fetch.op().is_buffer() { buffer(sink, fetch.vtx(), fill) } else { texture(sink, fetch, fill) }
}

fn register(sink: &mut impl Sink, prefix: &str, number: u32, relative: bool) {
    sink.put(PartKind::Register, prefix);
    sink.decimal(PartKind::Register, number);
    if relative {
        sink.put(PartKind::Register, "[AL]");
    }
}

fn texture(sink: &mut impl Sink, fetch: Fetch, fill: u32) {
    let start = sink.column();
    sink.put(PartKind::Mnemonic, fetch.op().name());
    sink.pad_to(start + 16);
    let tex = fetch.tex();
    let mut said = tex.with_reserved_6(0).with_reserved_25(0).with_reserved_40(0).with_reserved_96(fill);
    let selects = (fetch.0 >> 41) as u32 & 0o7777;
    if selects == MASKED {
        sink.put(PartKind::Register, "____");
        said = said.with_dst_gpr(0).with_dst_rel(0);
    } else {
        register(sink, "R", tex.dst_gpr(), tex.dst_rel() != 0);
        sink.put_short(PartKind::Register, selected(selects));
    }
    sink.put(PartKind::Punctuation, ", ");
    register(sink, "R", tex.src_gpr(), tex.src_rel() != 0);
    sink.put_short(PartKind::Register, selected((fetch.0 >> 84) as u32));
    sink.put(PartKind::Punctuation, ", ");
    register(sink, "t", tex.resource_id(), false);
    sink.put(PartKind::Punctuation, ", ");
    register(sink, "s", tex.sampler_id(), false);
    let bias = (tex.lod_bias() as i32) << 25 >> 25;
    if bias != 0 {
        sink.put(PartKind::Plain, " ");
        sink.put(PartKind::Name, "LOD_BIAS");
        sink.put(PartKind::Punctuation, "(");
        signed(sink, bias);
        sink.put(PartKind::Punctuation, ")");
    }
    flag(sink, tex.fetch_whole_quad(), "WHOLE_QUAD");
    flag(sink, tex.bc_frac_mode(), "BC_FRAC_MODE");
    flag(sink, tex.alt_const(), "ALT_CONST");
    if tex.normalized() != [true; 4] {
        sink.put(PartKind::Plain, " ");
        sink.put(PartKind::Name, "DENORM");
        sink.put(PartKind::Punctuation, "(");
        for (letter, normalized) in ["X", "Y", "Z", "W"].into_iter().zip(tex.normalized()) {
            if !normalized {
                sink.put(PartKind::Name, letter);
            }
        }
        sink.put(PartKind::Punctuation, ")");
    }
    for (name, offset) in ["XOFFSET", "YOFFSET", "ZOFFSET"].into_iter().zip(tex.offsets()) {
        if offset != 0 {
            sink.put(PartKind::Plain, " ");
            sink.put(PartKind::Name, name);
            sink.put(PartKind::Punctuation, "(");
            halves(sink, offset);
            sink.put(PartKind::Punctuation, ")");
        }
    }
    if said.0 != tex.0 {
        rest(sink, Tex::PARTS, tex.0, said.0);
    }
}

fn signed(sink: &mut impl Sink, value: i32) {
    if value < 0 {
        sink.put(PartKind::Immediate, "-");
    }
    sink.decimal(PartKind::Immediate, value.unsigned_abs());
}

/// A number that counts halves.
pub(crate) fn halves(sink: &mut impl Sink, value: i32) {
    if value < 0 {
        sink.put(PartKind::Immediate, "-");
    }
    let value = value.unsigned_abs();
    sink.decimal(PartKind::Immediate, value >> 1);
    if value & 1 != 0 {
        sink.put(PartKind::Immediate, ".5");
    }
}

fn buffer(sink: &mut impl Sink, vtx: Vtx, fill: u32) {
    let semantic = vtx.inst() == 1;
    sink.put(PartKind::Mnemonic, if semantic { "SEMANTIC        " } else { "FETCH           " });
    let mut said = vtx.with_reserved_40(0).with_reserved_85(0).with_reserved_96(fill);
    let selects = (vtx.0 >> 41) as u32 & 0o7777;
    if selects == MASKED {
        sink.put(PartKind::Register, "____");
        said = said.with_dst_gpr(0).with_dst_rel(0);
    } else {
        if semantic {
            sink.put(PartKind::Register, "SEM[");
            sink.decimal(PartKind::Register, vtx.semantic_id());
            sink.put(PartKind::Register, "]");
        } else {
            register(sink, "R", vtx.dst_gpr(), vtx.dst_rel() != 0);
        }
        sink.put_short(PartKind::Register, selected(selects));
    }
    sink.put(PartKind::Punctuation, ", ");
    register(sink, "R", vtx.src_gpr(), vtx.src_rel() != 0);
    sink.put_short(PartKind::Register, pick(&COMPONENTS, vtx.src_sel_x()));
    sink.put(PartKind::Punctuation, ", ");
    register(sink, "b", vtx.buffer_id(), false);
    named(sink, "FETCH_TYPE", word(&FETCH_TYPES, vtx.fetch_type()));
    if vtx.use_const_fields() == 0 {
        sink.put(PartKind::Plain, " ");
        sink.put(PartKind::Name, "FORMAT");
        sink.put(PartKind::Punctuation, "( ");
        sink.decimal(PartKind::Immediate, vtx.data_format());
        sink.put(PartKind::Plain, " ");
        sink.put(PartKind::Name, word(&NUMBER_FORMATS, vtx.num_format_all()));
        sink.put(PartKind::Name, if vtx.format_comp_all() != 0 { " SIGNED " } else { " UNSIGNED " });
        sink.decimal(PartKind::Immediate, vtx.srf_mode_all());
        sink.put(PartKind::Punctuation, ")");
    } else {
        said = said.with_data_format(0).with_num_format_all(0).with_format_comp_all(0).with_srf_mode_all(0);
    }
    property(sink, if vtx.mega_fetch() != 0 { "MEGA" } else { "MINI" }, vtx.mega_fetch_count() + 1);
    property(sink, "OFFSET", vtx.offset());
    flag(sink, vtx.fetch_whole_quad(), "WHOLE_QUAD");
    if vtx.endian_swap() != 0 {
        named(sink, "ENDIAN_SWAP", word(&ENDIANS, vtx.endian_swap()));
    }
    flag(sink, vtx.const_buf_no_stride(), "CONST_BUF_NO_STRIDE");
    flag(sink, vtx.alt_const(), "ALT_CONST");
    if said.0 != vtx.0 {
        rest(sink, Vtx::PARTS, vtx.0, said.0);
    }
}

fn named(sink: &mut impl Sink, name: &str, value: &str) {
    sink.put(PartKind::Plain, " ");
    sink.put(PartKind::Name, name);
    sink.put(PartKind::Punctuation, "(");
    sink.put(PartKind::Name, value);
    sink.put(PartKind::Punctuation, ")");
}
