//! Fetches from textures and buffers.

use super::super::places::{FetchSource, fetch_source};
use super::super::fields::{Tex, Vtx};
use super::super::{Fetch, FetchOp};
use super::registers::Register;
use super::write::{Step, Writer};
use unshade_ir::{Space, Value};
use unshade_stage::StageKind;

/// Writes a fetch. `index`: slot of the loop index.
pub(super) fn write(w: &mut Writer<'_>, kind: StageKind, inst: Fetch, index: Option<u8>) {
    match inst.op() {
        FetchOp::VtxFetch => buffer(w, kind, inst.vtx(), index),
        _ => {}
    }
    let _ = |tex: Tex| tex.inst();
}

fn buffer(w: &mut Writer<'_>, kind: StageKind, inst: Vtx, index: Option<u8>) {
    w.at(Step::Flow, 0);
    let at = w.read(Register::Gpr(inst.src_gpr() as u8, inst.src_sel_x() as u8));
    let _ = index;
    let values: Option<[Value; 4]> = match fetch_source(kind, w.latte, inst) {
        FetchSource::Constants(buffer) => {
            Some([0, 1, 2, 3].map(|lane| {
                w.at(Step::Result, lane);
                w.load_at(Space::Uniform, buffer, inst.offset() / 4 + lane, 4, at)
            }))
        }
        _ => None,
    };
    let Some(values) = values else { return };
    for (lane, select) in (0_u32..).zip(inst.dst_swizzle()) {
        w.at(Step::Output, lane);
        let value = match select {
            0..=3 => values[select as usize],
            4 => w.bits(0),
            5 => w.bits(1.0_f32.to_bits()),
            _ => continue,
        };
        w.write(Register::Gpr(inst.dst_gpr() as u8, lane as u8), value);
    }
}
