//! Memory of the invocation and rings: scratch, reduction, streams, what geometry programs hand over.

use super::super::bindings::{MEMORY_BINDING, RING_OUTPUT_BINDING, STREAM_BINDING};
use super::super::fields::CfMemory;
use super::super::semantics::alu::Arithmetic;
use super::super::{CfOp, Fetch, Program};
use super::copy::{Copied, Copy};
use super::explore::{self, PlaceId, What};
use super::fetch::Place;
use super::geometry::Offsets;
use super::registers::{Memory, Register};
use super::write::{Step, Writer};
use std::collections::BTreeSet;
use unshade_ir::{Access, BlockId, CompareInt, Op, Space, StorageBuffer, Value};
use unshade_stage::StageKind;

/// How a geometry program hands over vertices.
#[derive(Debug)]
pub(super) struct Emission {
    /// Where in its item each write goes; none: anywhere in the ring.
    pub(super) offsets: Option<Offsets>,
    /// Words of an item.
    pub(super) item: u32,
    /// Which of them are outputs; none: nobody says, and each is one.
    pub(super) copy: Option<Copy>,
}

impl Emission {
    /// A write to the ring at a place.
    pub(super) fn write(&self, w: &mut Writer<'_>, inst: CfMemory, place: PlaceId, index: Option<u8>) {
        let Some(&offset) = self.offsets.as_ref().and_then(|offsets| offsets.get(&place)) else {
            return instruction(w, CfOp::MemRing, inst, index);
        };
        for n in 0..=inst.burst_count() {
            let from = Place::new(w, inst.gpr() + n, inst.gpr_relative(), index);
            for lane in (0..4_u32).filter(|lane| inst.comp_mask() >> lane & 1 != 0) {
                let word = offset + i64::from(inst.array_base() + 4 * n + lane);
                let Ok(word) = u16::try_from(word) else { continue };
                w.at(Step::Output, lane);
                let value = from.read(w, lane as u8);
                w.write(Register::Item(word), value);
            }
        }
    }

    /// The vertex is complete. `words`: those of its item that the program writes.
    pub(super) fn emit(&self, w: &mut Writer<'_>, words: &BTreeSet<u16>) {
        w.at(Step::Output, 0);
        match &self.copy {
            Some(copy) => {
                for ((binding, output), from) in copy.words() {
                    w.at(Step::Output, output % 4);
                    let value = match from {
                        Copied::Constant(bits) => w.bits(bits),
                        Copied::Word(word) => self.word(w, words, word),
                    };
                    w.store(Space::Output, binding, output, value);
                }
            }
            None => {
                for word in self.all(words) {
                    w.at(Step::Output, word % 4);
                    let value = self.word(w, words, word);
                    w.store(Space::Output, RING_OUTPUT_BINDING, word, value);
                }
            }
        }
        if self.offsets.is_some() {
            for &word in words {
                w.at(Step::Output, u32::from(word) % 4);
                // The item of the next vertex is empty.
                let zero = w.bits(0);
                w.write(Register::Item(word), zero);
            }
        } else {
            let start = w.read(Register::ItemStart);
            let item = w.bits(self.item);
            let next = w.apply(Op::IAdd, &[start, item]);
            w.write(Register::ItemStart, next);
        }
        w.builder.effect(Op::EmitVertex(0), &[]);
    }

    /// Words of an item that are anything.
    fn all(&self, words: &BTreeSet<u16>) -> Vec<u32> {
        match self.offsets {
            Some(_) => words.iter().map(|word| u32::from(*word)).collect(),
            None => (0..self.item).collect(),
        }
    }

    /// A word of the item that is complete.
    fn word(&self, w: &mut Writer<'_>, words: &BTreeSet<u16>, word: u32) -> Value {
        if self.offsets.is_none() && word < self.item {
            let binding = w.registers.memory(w.module, Memory::Ring);
            let start = w.read(Register::ItemStart);
            return w.load_at(Space::Local, binding, word, 1, start);
        }
        match u16::try_from(word).ok().filter(|word| words.contains(word)) {
            Some(word) => w.read(Register::Item(word)),
            None => w.bits(0),
        }
    }

    /// Words of an item that the program writes.
    pub(super) fn words(&self, program: Program<'_>, places: &[explore::Place]) -> BTreeSet<u16> {
        let mut words = BTreeSet::new();
        for (place, offset) in self.offsets.iter().flatten() {
            let Some(What::Cf(at)) = places.get(*place as usize).map(|place| place.what) else { continue };
            let Some(memory) = program.cf(at).map(|cf| cf.memory()) else { continue };
            let all = (0..=memory.burst_count()).flat_map(|n| (0..4).map(move |lane| (n, lane)));
            for (n, lane) in all.filter(|(_, lane)| memory.comp_mask() >> lane & 1 != 0) {
                words.extend(u16::try_from(offset + i64::from(memory.array_base() + 4 * n + lane)).ok());
            }
        }
        words
    }
}

/// Where an instruction reads or writes.
struct Target {
    space: Space,
    binding: u32,
}

fn target(w: &mut Writer<'_>, op: CfOp) -> Option<Target> {
    let output = |binding| Some(Target { space: Space::Output, binding });
    let local = |w: &mut Writer<'_>, memory| {
        let binding = w.registers.memory(w.module, memory);
        Some(Target { space: Space::Local, binding })
    };
    match op {
        CfOp::MemStream0 => output(STREAM_BINDING),
        CfOp::MemStream1 => output(STREAM_BINDING + 1),
        CfOp::MemStream2 => output(STREAM_BINDING + 2),
        CfOp::MemStream3 => output(STREAM_BINDING + 3),
        // Only programs that do not write the ring vertex by vertex come here.
        CfOp::MemRing if w.kind == StageKind::Geometry => local(w, Memory::Ring),
        CfOp::MemRing => output(RING_OUTPUT_BINDING),
        CfOp::MemScratch => local(w, Memory::Scratch),
        CfOp::MemReduction => local(w, Memory::Reduction),
        CfOp::MemExport => {
            if w.module.buffers.is_empty() {
                let name = "memory".to_owned();
                w.module.buffers.push(StorageBuffer { name, named: false, binding: MEMORY_BINDING });
            }
            Some(Target { space: Space::Storage, binding: MEMORY_BINDING })
        }
        _ => None,
    }
}

/// A write to (or read from) a buffer, by a control-flow instruction. `index`: slot of the loop index.
pub(super) fn instruction(w: &mut Writer<'_>, op: CfOp, inst: CfMemory, index: Option<u8>) {
    w.at(Step::Flow, 0);
    let vectors = matches!(op, CfOp::MemScratch | CfOp::MemReduction);
    let (reads, indexed) = (inst.kind() & 2 != 0, inst.kind() & 1 != 0);
    let Some(target) = target(w, op) else { return };
    if reads && target.space == Space::Output {
        w.refuse(format!("a read by {}", op.name()));
        return;
    }
    let number = indexed.then(|| w.read(Register::Gpr(inst.index_gpr() as u8, 0)));
    let size = if vectors { 4 } else { inst.elem_size() + 1 };
    let base = inst.array_base() * if vectors { 4 } else { 1 };
    for n in 0..=inst.burst_count() {
        // What is behind the array vanishes.
        let inside = match number {
            _ if vectors => None,
            None if n > inst.array_size() => continue,
            None => None,
            Some(number) => {
                let (n, most) = (w.bits(n), w.bits(inst.array_size()));
                let element = w.apply(Op::IAdd, &[number, n]);
                Some(w.test(Op::ICompare(CompareInt::Ule), &[element, most]))
            }
        };
        // Memory of everybody has no place that is nobody's.
        let (inside, behind) = match inside.filter(|_| target.space == Space::Storage) {
            Some(inside) => {
                let [then, on] = [w.builder.block(), w.builder.block()];
                w.builder.branch(inside, then, on);
                w.builder.switch_to(then);
                (None, Some(on))
            }
            None => (inside, None),
        };
        let place = Place::new(w, inst.gpr() + n, inst.gpr_relative(), index);
        let word = base + n * size;
        if reads {
            let mut values = [Value::default(); 4];
            for (lane, value) in (0_u32..).zip(&mut values) {
                w.at(Step::Result, lane);
                *value = target.load(w, word + lane, size, number);
            }
            let swizzle = [0, 1, 2, 3].map(|lane| if inst.comp_mask() >> lane & 1 != 0 { lane } else { 7 });
            place.put(w, swizzle, values);
            go_on(w, behind);
            continue;
        }
        for lane in (0..4_u32).filter(|lane| inst.comp_mask() >> lane & 1 != 0) {
            w.at(Step::Output, lane);
            let value = place.read(w, lane as u8);
            target.store(w, word + lane, size, number, inside, value);
        }
        go_on(w, behind);
    }
}

/// Leaves what was under a condition.
fn go_on(w: &mut Writer<'_>, behind: Option<BlockId>) {
    if let Some(on) = behind {
        w.builder.jump(on, &[]);
        w.builder.switch_to(on);
    }
}

impl Target {
    fn access(&self, offset: u32, stride: u32) -> Access {
        Access { space: self.space, binding: self.binding, offset, stride }
    }

    fn load(&self, w: &mut Writer<'_>, offset: u32, size: u32, number: Option<Value>) -> Value {
        match number {
            Some(number) => w.value(Op::Load(self.access(offset, size)), &[number]),
            None => w.value(Op::Load(self.access(offset, 0)), &[]),
        }
    }

    fn store(
        &self,
        w: &mut Writer<'_>,
        offset: u32,
        size: u32,
        number: Option<Value>,
        inside: Option<Value>,
        value: Value,
    ) {
        let Some(number) = number else {
            return w.builder.effect(Op::Store(self.access(offset, 0)), &[value]);
        };
        let number = match inside {
            // An index that leads nowhere, also where up to four words an element are reckoned in 32 bits.
            Some(inside) => {
                let nowhere = w.bits(1 << 29);
                w.select(inside, number, nowhere)
            }
            None => number,
        };
        w.builder.effect(Op::Store(self.access(offset, size)), &[number, value]);
    }
}

/// The fetch form of a read from scratch memory. `index`: slot of the loop index.
pub(super) fn fetch(w: &mut Writer<'_>, inst: Fetch, index: Option<u8>) {
    let memory = if inst.0 >> 8 & 7 == 0 { Memory::Scratch } else { Memory::Reduction };
    let binding = w.registers.memory(w.module, memory);
    let target = Target { space: Space::Local, binding };
    let vtx = inst.vtx();
    w.at(Step::Flow, 0);
    let from = Place::new(w, vtx.src_gpr(), vtx.src_rel(), index);
    let to = Place::new(w, vtx.dst_gpr(), vtx.dst_rel(), index);
    let base = 4 * ((inst.0 >> 64) as u32 & 0x1FFF);
    let number = (inst.0 >> 12 & 1 != 0).then(|| from.read(w, vtx.src_sel_x() as u8));
    let mut values = [Value::default(); 4];
    for (lane, value) in (0_u32..).zip(&mut values) {
        w.at(Step::Result, lane);
        *value = target.load(w, base + lane, 4, number);
    }
    to.put(w, vtx.dst_swizzle(), values);
}
