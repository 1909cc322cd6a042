//! What leaves the program: exports, and writes to buffers in memory.

use super::super::CfOp;
use super::super::fields::{CfExport, CfMemory};
use super::super::places::{EXPORT_BINDING, RING_OUTPUT_BINDING, STREAM_BINDING, export_word};
use super::registers::Register;
use super::write::{Step, Writer};
use unshade_ir::{Access, Op, Space, Value};

/// Component of a register whose number the loop index may be added to.
fn component(w: &mut Writer<'_>, register: u32, lane: u8, relative: bool, index: Option<u8>) -> Value {
    let Ok(register) = u8::try_from(register) else { return w.bits(0) };
    if register >= 128 {
        return w.bits(0);
    }
    match index.filter(|_| relative) {
        Some(slot) => {
            let index = w.read(Register::Index(slot));
            w.read_at(register, lane, index)
        }
        None => w.read(Register::Gpr(register, lane)),
    }
}

/// An export of pixels, positions or parameters.
pub(super) fn export(w: &mut Writer<'_>, inst: CfExport, index: Option<u8>) {
    for n in 0..=inst.burst_count() {
        let Some(word) = export_word(inst.kind(), inst.array_base() + n) else { continue };
        for (lane, select) in (0_u32..).zip(inst.swizzle()) {
            w.at(Step::Output, lane);
            let value = match select {
                0..=3 => component(w, inst.gpr() + n, select as u8, inst.gpr_relative() != 0, index),
                4 => w.bits(0),
                5 => w.bits(1.0_f32.to_bits()),
                _ => continue,
            };
            w.store(Space::Output, EXPORT_BINDING, word + lane, value);
        }
    }
}

/// A write to (or read from) a buffer.
pub(super) fn memory(w: &mut Writer<'_>, op: CfOp, inst: CfMemory, index: Option<u8>) {
    let binding = match op {
        CfOp::MemStream0 => STREAM_BINDING,
        CfOp::MemStream1 => STREAM_BINDING + 1,
        CfOp::MemStream2 => STREAM_BINDING + 2,
        CfOp::MemStream3 => STREAM_BINDING + 3,
        CfOp::MemRing => RING_OUTPUT_BINDING,
        _ => return,
    };
    for n in 0..=inst.burst_count() {
        for lane in 0..4_u32 {
            if inst.comp_mask() >> lane & 1 == 0 {
                continue;
            }
            w.at(Step::Output, lane);
            let value = component(w, inst.gpr() + n, lane as u8, inst.gpr_relative() != 0, index);
            let offset = inst.array_base() + 4 * n + lane;
            if inst.kind() == 1 {
                let index = w.read(Register::Gpr(inst.index_gpr() as u8, 0));
                let access = Access { space: Space::Output, binding, offset, stride: 4 };
                w.builder.effect(Op::Store(access), &[index, value]);
            } else {
                w.store(Space::Output, binding, offset, value);
            }
        }
    }
}
