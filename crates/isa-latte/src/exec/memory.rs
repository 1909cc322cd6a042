//! Exports and writes to memory.

use super::super::bindings::export_word;
use super::super::fields::{CfExport, CfMemory};
use super::super::table::CfOp;
use super::outcome::Fault;
use super::state::{Event, Lane, Region};

/// Reads a register whose number may lie outside.
pub(super) fn register(lane: &Lane, number: i64) -> [u32; 4] {
    usize::try_from(number).ok().and_then(|number| lane.registers.get(number)).copied().unwrap_or_default()
}

/// Exports of one lane: consecutive registers to consecutive targets.
pub(super) fn export(lane: &mut Lane, export: CfExport, index: i32) {
    let offset = if export.gpr_relative() != 0 { index } else { 0 };
    for n in 0..=export.burst_count() {
        let Some(word) = export_word(export.kind(), export.array_base() + n) else { continue };
        let value = register(lane, i64::from(export.gpr()) + i64::from(offset) + i64::from(n));
        lane.exported |= 1 << (word / 4);
        for (component, sel) in export.swizzle().into_iter().enumerate() {
            if let Some(bits) = selected(value, sel) {
                lane.exports[word as usize + component] = bits;
            }
        }
    }
}

/// What a selector takes of a vector; `None`: nothing.
pub(super) fn selected(value: [u32; 4], sel: u32) -> Option<u32> {
    match sel {
        0..=3 => Some(value[sel as usize]),
        4 => Some(0),
        5 => Some(1.0_f32.to_bits()),
        _ => None,
    }
}

/// The region that an instruction means.
fn region(lane: &mut Lane, op: CfOp) -> Option<&mut Region> {
    Some(match op {
        CfOp::MemStream0 => &mut lane.streams[0],
        CfOp::MemStream1 => &mut lane.streams[1],
        CfOp::MemStream2 => &mut lane.streams[2],
        CfOp::MemStream3 => &mut lane.streams[3],
        CfOp::MemScratch => &mut lane.scratch,
        CfOp::MemReduction => &mut lane.reduction,
        CfOp::MemRing => &mut lane.ring,
        CfOp::MemExport => &mut lane.memory,
        _ => return None,
    })
}

/// Writes to memory, or reads from it, of one lane. Consecutive registers go to consecutive elements. Words are
/// counted like this: streams, ring and memory `base + (index + n) * size + component`, size the words of an element,
/// nothing behind the array size; scratch and reduction `(base + index + n) * 4 + component`. Answers the registers that were read into: the first,
/// how many, and which components.
pub(super) fn memory(
    lane: &mut Lane,
    op: CfOp,
    memory: CfMemory,
    loop_index: i32,
) -> Option<(i64, u32, u32)> {
    let offset = if memory.gpr_relative() != 0 { loop_index } else { 0 };
    let first = i64::from(memory.gpr()) + i64::from(offset);
    let indexed = memory.kind() & 1 != 0;
    let reads = memory.kind() & 2 != 0;
    let index = if indexed { register(lane, memory.index_gpr().into())[0] } else { 0 };
    let vectors = matches!(op, CfOp::MemScratch | CfOp::MemReduction);
    let size = if vectors { 4 } else { i64::from(memory.elem_size() + 1) };
    let base = i64::from(memory.array_base()) * if vectors { 4 } else { 1 };
    for n in 0..=memory.burst_count() {
        let start = base + (i64::from(index as i32) + i64::from(n)) * size;
        // The size of the array behind the base, minus 1.
        let inside = vectors || index.wrapping_add(n) <= memory.array_size();
        let word = |component: usize| u64::try_from(start + component as i64).ok().filter(|_| inside);
        let number = first + i64::from(n);
        if reads {
            let value: [u32; 4] = std::array::from_fn(|c| {
                word(c).and_then(|word| Some(region(lane, op)?.read(word))).unwrap_or(0)
            });
            let place = usize::try_from(number).ok().and_then(|number| lane.registers.get_mut(number));
            for (component, place) in place.into_iter().flatten().enumerate() {
                if memory.comp_mask() >> component & 1 != 0 {
                    *place = value[component];
                }
            }
        } else {
            let value = register(lane, number);
            for (component, bits) in value.into_iter().enumerate() {
                if memory.comp_mask() >> component & 1 != 0
                    && let (Some(word), Some(region)) = (word(component), region(lane, op))
                {
                    region.write(word, bits);
                }
            }
        }
    }
    reads.then_some((first, memory.burst_count() + 1, memory.comp_mask()))
}

/// A vertex is complete: its item of the ring, by how many came before.
pub(super) fn emit(lane: &mut Lane, item: u32, emitted: u32, limit: u32) -> Result<u64, Fault> {
    if emitted >= limit {
        return Err(Fault::TooManyVertices);
    }
    let start = u64::from(emitted) * u64::from(item);
    let words = (0..u64::from(item)).map(|n| lane.ring.read(start + n)).collect();
    lane.events.push(Event::Vertex(words));
    Ok(u64::from(item) + 1)
}
