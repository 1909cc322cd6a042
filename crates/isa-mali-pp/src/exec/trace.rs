//! Watching a run: each instruction with what it left in the registers it writes.

use super::super::table::Combine;
use super::super::{Field, Inst};
use super::Program;
use super::state::Lane;
use std::fmt;
use unshade_isa_common::trace::Steps;

impl Steps for Program {
    type Step<'a> = Step<'a>;
}

/// One instruction of a run.
#[derive(Debug, Clone, Copy)]
pub struct Step<'a> {
    /// Its word index.
    pub pc: u32,
    /// The instruction.
    pub inst: &'a Inst,
    /// The pixels, afterwards.
    pub lanes: &'a [Lane],
    /// Which of them did it.
    pub together: [bool; 4],
    /// Where each goes on; none for those that are done.
    pub next: [Option<u32>; 4],
}

/// Components of the registers that an instruction writes, bit 0 = x.
pub fn writes(inst: &Inst) -> [u8; 12] {
    let mut masks = [0; 12];
    let mut vector = |dest: u32, mask: u32| {
        if let Some(place) = masks.get_mut(dest as usize) {
            *place |= mask as u8 & 15;
        }
    };
    if inst.has(Field::Varying) {
        vector(inst.varying.dest(), inst.varying.mask());
    }
    if inst.has(Field::VectorMul) {
        vector(inst.vector_mul.dest(), inst.vector_mul.mask());
    }
    if inst.has(Field::FloatMul) && inst.float_mul.output_enable() != 0 {
        vector(inst.float_mul.dest() >> 2, 1 << (inst.float_mul.dest() & 3));
    }
    if inst.has(Field::VectorAdd) {
        vector(inst.vector_add.dest(), inst.vector_add.mask());
    }
    if inst.has(Field::FloatAdd) && inst.float_add.output_enable() != 0 {
        vector(inst.float_add.dest() >> 2, 1 << (inst.float_add.dest() & 3));
    }
    match inst.combine() {
        Some(Combine::Scalar(field)) => vector(field.dest() >> 2, 1 << (field.dest() & 3)),
        Some(Combine::AtanSecond(field)) => vector(field.dest() >> 2, 1 << (field.dest() & 3)),
        Some(Combine::Atan(field)) => vector(field.dest(), field.mask()),
        Some(Combine::Mul(field)) => vector(field.dest(), field.mask()),
        None => {}
    }
    if inst.has(Field::Store)
        && let Some(read) = inst.store.framebuffer_read()
    {
        vector(read.dest(), 15);
    }
    masks
}

/// As in `$3.xz = 1.5 -2`; of several pixels each in its own brackets.
impl fmt::Display for Step<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut first = true;
        for (register, mask) in writes(self.inst).into_iter().enumerate().filter(|(_, mask)| *mask != 0) {
            if !std::mem::replace(&mut first, false) {
                f.write_str(", ")?;
            }
            write!(f, "${register}")?;
            let lanes = || (0..4_usize).filter(move |lane| mask >> lane & 1 != 0);
            if mask != 15 {
                f.write_str(".")?;
                lanes().try_for_each(|lane| f.write_str(["x", "y", "z", "w"][lane]))?;
            }
            f.write_str(" =")?;
            for (n, lane) in self.lanes.iter().enumerate().filter(|(n, _)| self.together[*n]) {
                let alone = self.lanes.len() == 1;
                if !alone {
                    write!(f, " {n}[")?;
                }
                for (at, component) in lanes().enumerate() {
                    let blank = if at == 0 && !alone { "" } else { " " };
                    write!(f, "{blank}{}", lane.registers[register][component])?;
                }
                if !alone {
                    f.write_str("]")?;
                }
            }
        }
        Ok(())
    }
}
