//! Whether a run stays inside what readable mode assumes.
//!
//! Readable source may take it that no number on the way is an infinity or NaN, and that relative addressing
//! stays inside the array it starts in. A run of the machine that does otherwise says nothing about it.

use crate::pica200::exec::{State, Step, Trace, Write};
use crate::pica200::inst::RegKind;
use crate::pica200::lift::FLOAT_BINDING;
use crate::pica200::{Format, Index, Inst, Operands, Reg};
use unshade_ir::{Global, Shape, Space};

/// Watches a run for what readable mode does not cover.
#[derive(Debug)]
pub(super) struct Watch {
    /// First and last float uniform of each array.
    arrays: Vec<(i32, i32)>,
    a0: [i32; 2],
    al: i32,
    /// Something happened that readable mode does not cover.
    pub(super) outside: bool,
}

impl Watch {
    pub(super) fn new(globals: &[Global], inputs: &State) -> Self {
        let mut arrays: Vec<(i32, i32)> = globals
            .iter()
            .filter(|global| global.space == Space::Uniform && global.binding == FLOAT_BINDING)
            .filter_map(|global| match global.shape {
                Shape::Float { elements: count @ 1.., .. } => {
                    let first = (global.offset / 4) as i32;
                    Some((first, first + count as i32 - 1))
                }
                _ => None,
            })
            .collect();
        // The smallest array around a register is the one that its index means.
        arrays.sort_by_key(|(first, last)| last - first);
        Self { arrays, a0: inputs.a0, al: inputs.al, outside: false }
    }

    fn indexed(&mut self, base: u8, index: Index) {
        let offset = match index {
            Index::None => return,
            Index::A0X => self.a0[0],
            Index::A0Y => self.a0[1],
            Index::AL => self.al,
        };
        let base = i32::from(base);
        let inside = |&&(first, last): &&(i32, i32)| (first..=last).contains(&base);
        let near = (-128..=127).contains(&offset);
        let stays = self
            .arrays
            .iter()
            .find(inside)
            .is_some_and(|(first, last)| (*first..=*last).contains(&base.saturating_add(offset)));
        self.outside |= !near || !stays;
    }
}

impl Trace for Watch {
    fn step(&mut self, step: &Step) {
        if let Some((reg, index)) = wide(step.inst)
            && let RegKind::Float(base) = reg.kind()
        {
            self.indexed(base, index);
        }
        match step.write {
            Write::Register { mask, value, .. } => {
                let written = value.iter().enumerate().filter(|(lane, _)| mask >> lane & 1 != 0);
                self.outside |= written.into_iter().any(|(_, x)| !x.is_finite());
            }
            Write::Address { value, .. } => self.a0 = value,
            _ => {}
        }
        self.al = step.counter.unwrap_or(self.al);
    }
}

/// The source that may be indexed.
fn wide(inst: Inst) -> Option<(Reg, Index)> {
    let Inst::Known { opcode, operands } = inst else { return None };
    let inverted = matches!(opcode.format(), Format::TwoInverted | Format::MadInverted);
    match operands {
        Operands::One { src1, index, .. } | Operands::Compare { src1, index, .. } => Some((src1, index)),
        Operands::Two { src1, src2, index, .. } => Some((if inverted { src2 } else { src1 }, index)),
        Operands::Mad { src2, src3, index, .. } => Some((if inverted { src3 } else { src2 }, index)),
        _ => None,
    }
}
