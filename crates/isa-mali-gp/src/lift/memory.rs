//! The memory of uniforms, constants and temporaries.
//!
//! All three share one space, and a program may write any of it through address register 0. Three cases:
//!
//! * Nothing is written: every load is a load of `Uniform`.
//! * Every store goes to a place that is known from the code, and no load has an address register: the rows
//!   that are written become variables, filled from the uniforms at the start.
//! * Otherwise the rows live twice: a local array holds what was written, a second one whether it was, and a
//!   load looks there first.

use super::super::exec;
use super::super::inst::{Inst, Source, SourceKind};
use super::super::table::{ComplexOp, MEMORY, PassOp, Unit};
use super::{Place, Writer, step};
use std::collections::{BTreeMap, BTreeSet};
use unshade_ir::{Access, CompareInt, LocalArray, Op, Space, Value, math};
use unshade_stage::Stage;

/// The local array that holds what was written.
const VALUES: u32 = 0;
/// The local array that says what was written.
const FLAGS: u32 = 1;

/// How the code treats memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Memory {
    /// It reads it only.
    Constant,
    /// It writes known rows: the row of each instruction that stores, and the components of all rows that are
    /// written.
    Rows {
        /// Row by instruction.
        stores: BTreeMap<usize, u16>,
        /// Written components.
        written: BTreeSet<(u16, u8)>,
    },
    /// It writes anywhere.
    Arrays,
}

impl Memory {
    /// Finds out what the code does.
    pub(super) fn of(stage: &Stage<'_>, insts: &[Inst], leaders: &[bool]) -> Self {
        let storing = || insts.iter().enumerate().filter(|(_, inst)| inst.stores_temporary());
        if storing().next().is_none() {
            return Self::Constant;
        }
        let relative = insts.iter().any(|inst| inst.reads_memory() && inst.load.register().is_some());
        let constants = constants(stage);
        let mut stores = BTreeMap::new();
        let mut written = BTreeSet::new();
        for (index, inst) in storing() {
            let Some(row) = store_row(insts, leaders, &constants, index) else { return Self::Arrays };
            stores.insert(index, row);
            for (slot, store) in inst.store.iter().enumerate().filter(|(_, store)| store.temporary) {
                for (n, _) in store.sources.iter().enumerate().filter(|(_, source)| !source.is_none()) {
                    written.insert((row, (2 * slot + n) as u8));
                }
            }
        }
        let stays = |word: &usize| !written.contains(&((word / 4) as u16, (word % 4) as u8));
        if relative || !constants.keys().all(stays) {
            return Self::Arrays;
        }
        Self::Rows { stores, written }
    }
}

/// Words that hold compiler-made constants.
pub(super) fn constants(stage: &Stage<'_>) -> BTreeMap<usize, u32> {
    let mut constants = BTreeMap::new();
    for symbol in &stage.interface.symbols {
        let made = symbol.name.starts_with('?') && symbol.parent.is_none();
        if let (true, unshade_stage::Space::Float, Some(first), Some(values)) =
            (made, symbol.space, symbol.offset, &symbol.initial)
        {
            let words = values.iter().take(4 * MEMORY).enumerate();
            constants.extend(words.map(|(n, &bits)| (usize::from(first) + n, bits)));
        }
    }
    // Where several symbols claim a word, the last one is what the loader leaves there.
    let last: BTreeMap<usize, u32> = exec_initial(stage);
    constants.retain(|word, bits| last.get(word) == Some(bits));
    constants
}

fn exec_initial(stage: &Stage<'_>) -> BTreeMap<usize, u32> {
    exec::initial(stage).collect()
}

/// The row that an instruction stores to, if the same instruction sets the address to a constant.
fn store_row(
    insts: &[Inst],
    leaders: &[bool],
    constants: &BTreeMap<usize, u32>,
    index: usize,
) -> Option<u16> {
    let inst = insts.get(index)?;
    let source = match inst.complex_op {
        ComplexOp::Address0 => inst.complex,
        ComplexOp::Address01 if inst.pass_op == PassOp::Mov => inst.pass,
        _ => return None,
    };
    let bits = constant(insts, leaders, constants, index, source)?;
    let row = math::to_int(f32::from_bits(bits));
    u16::try_from(row).ok().filter(|row| usize::from(*row) < MEMORY)
}

/// The constant that a source reads, through moves in the same block.
fn constant(
    insts: &[Inst],
    leaders: &[bool],
    constants: &BTreeMap<usize, u32>,
    mut index: usize,
    mut source: Source,
) -> Option<u32> {
    for _ in 0..32 {
        let inst = insts.get(index)?;
        let (unit, back) = match source.kind() {
            SourceKind::Load(component) if inst.load.register().is_none() => {
                return constants
                    .get(&(usize::from(inst.load.address) * 4 + usize::from(component)))
                    .copied();
            }
            SourceKind::Result(unit, back) => (unit, usize::from(back)),
            SourceKind::Identity => (Unit::Complex, 1),
            _ => return None,
        };
        let before = index.checked_sub(back)?;
        if leaders.get(before + 1..=index)?.contains(&true) {
            return None;
        }
        index = before;
        source = insts.get(index)?.moved(unit).filter(|source| *source != Source::UNUSED)?;
    }
    None
}

fn access(space: Space, binding: u32, offset: u32, stride: u32) -> Access {
    Access { space, binding, offset, stride }
}

impl Writer {
    /// Before the first instruction: rows that the code writes get the uniforms that lie there.
    pub(super) fn fill_temporaries(&mut self) {
        match self.memory.clone() {
            Memory::Constant => {}
            Memory::Rows { written, .. } => {
                for (row, component) in written {
                    let offset = u32::from(row) * 4 + u32::from(component);
                    let value = self.builder.value(Op::Load(access(Space::Uniform, 0, offset, 0)), &[]);
                    self.write_place(Place::Temporary(row, component), value);
                }
            }
            Memory::Arrays => {
                for name in ["temporaries", "temporaries_written"] {
                    let words = 4 * MEMORY as u32;
                    self.module.arrays.push(LocalArray { name: name.to_owned(), words });
                }
            }
        }
    }

    /// A component of the memory load.
    pub(super) fn load(&mut self, inst: &Inst, component: u8) -> Value {
        let component = component & 3;
        if let Memory::Rows { written, .. } = &self.memory
            && inst.load.register().is_none()
            && written.contains(&(inst.load.address, component))
        {
            return self.read_place(Place::Temporary(inst.load.address, component));
        }
        let offset = u32::from(inst.load.address) * 4 + u32::from(component);
        let index = inst.load.register().map(|register| self.read_place(Place::Address(register)));
        let args: &[Value] = match &index {
            Some(index) => std::slice::from_ref(index),
            None => &[],
        };
        let stride = if args.is_empty() { 0 } else { 4 };
        let uniform = self.builder.value(Op::Load(access(Space::Uniform, 0, offset, stride)), args);
        if self.memory != Memory::Arrays {
            return uniform;
        }
        let flag = self.builder.value(Op::Load(access(Space::Local, FLAGS, offset, stride)), args);
        let value = self.builder.value(Op::Load(access(Space::Local, VALUES, offset, stride)), args);
        let zero = self.builder.bits(0);
        let written = self.builder.value(Op::ICompare(CompareInt::Ne), &[flag, zero]);
        self.builder.value(Op::Select, &[written, value, uniform])
    }

    /// A store at address register 0.
    pub(super) fn store_temporary(&mut self, component: u8, value: Value) {
        if let Memory::Rows { stores, .. } = &self.memory {
            if let Some(&row) = stores.get(&self.index) {
                self.write_place(Place::Temporary(row, component), value);
            }
            return;
        }
        self.at(step::STORE, component);
        let index = self.read_place(Place::Address(0));
        let offset = component.into();
        self.builder.effect(Op::Store(access(Space::Local, VALUES, offset, 4)), &[index, value]);
        let one = self.builder.bits(1);
        self.builder.effect(Op::Store(access(Space::Local, FLAGS, offset, 4)), &[index, one]);
    }
}
