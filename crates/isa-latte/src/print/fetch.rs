//! Fetches from textures and buffers.

use super::alu::{head, indent};
use super::{rest, words};
use crate::decode::Program;
use crate::inst::Fetch;
use crate::layout::Layout;
use crate::names::{COMPONENTS, MASKED, pick, selected};
use crate::table::FetchOp;
use crate::table::form::{BUFFER, COORDINATES, DESTINATION, TEXTURE};
use crate::table::suffix::Text;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use unshade_isa_common::text::{PartKind, Sink};

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
    let op = fetch.op();
    let start = sink.column();
    sink.put(PartKind::Mnemonic, op.spelling());
    match op {
        // Here the blanks have the colour of the name.
        FetchOp::VtxFetch => sink.put(PartKind::Mnemonic, "           "),
        FetchOp::VtxSemantic => sink.put(PartKind::Mnemonic, "        "),
        _ => sink.pad_to(start + 16),
    }
    let form = if op.is_buffer() { &BUFFER } else { &TEXTURE };
    let read = operands(sink, fetch, op.is_buffer(), Text::Native);
    let said = form.operands | words(sink, form, fetch.0, Text::Native);
    rest(sink, form.parts, fetch.0, read.0 & said | Fetch(form.usual).with_fill(fill).0 & !said);
}

/// Writes the operands of a fetch; gives what they are read as.
pub(crate) fn operands(sink: &mut impl Sink, fetch: Fetch, is_buffer: bool, text: Text) -> Fetch {
    let (tex, vtx) = (fetch.tex(), fetch.vtx());
    // The texts differ in the kinds of some parts.
    let (index, comma) = match text {
        Text::Native => (PartKind::Register, PartKind::Punctuation),
        Text::Decaf => (PartKind::Name, PartKind::Register),
    };
    let mut read = fetch;
    let selects = DESTINATION.get(fetch.0);
    if selects == MASKED {
        sink.put(PartKind::Register, "____");
        read = Fetch(tex.with_dst_gpr(0).with_dst_rel(0).0);
    } else {
        if fetch.op() == FetchOp::VtxSemantic {
            numbered(sink, "SEM[", vtx.semantic_id());
            sink.put(PartKind::Register, "]");
        } else {
            register(sink, index, tex.dst_gpr(), tex.dst_rel());
        }
        sink.put_short(PartKind::Register, selected(selects));
    }
    sink.put(PartKind::Punctuation, ", ");
    register(sink, index, tex.src_gpr(), tex.src_rel());
    if is_buffer {
        sink.put_short(PartKind::Register, pick(&COMPONENTS, vtx.src_sel_x()));
        sink.put(comma, ", ");
        numbered(sink, "b", vtx.buffer_id());
    } else {
        sink.put_short(PartKind::Register, selected(COORDINATES.get(fetch.0)));
        sink.put(comma, ", ");
        numbered(sink, "t", tex.resource_id());
        sink.put(comma, ", ");
        numbered(sink, "s", tex.sampler_id());
    }
    read
}

fn register(sink: &mut impl Sink, index: PartKind, number: u32, relative: u32) {
    numbered(sink, "R", number);
    if relative != 0 {
        sink.put(index, "[AL]");
    }
}

fn numbered(sink: &mut impl Sink, prefix: &str, number: u32) {
    sink.put(PartKind::Register, prefix);
    sink.decimal(PartKind::Register, number);
}
