//! Arrays of structures in uniform blocks: members whose names go through the elements (`lights[].color`), each an array whose
//! elements lie a structure apart.

use super::{Form, Role, Slot, alignment, std140};
use crate::Error;
use unshade_ir::Global;
use unshade_ir::ast::Program;

/// An array of structures of a block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Structures {
    /// First byte.
    pub start: u32,
    /// Bytes from one structure to the next.
    pub step: u32,
    pub count: u32,
    /// The globals that are its members, in order.
    pub members: Vec<usize>,
}

impl Structures {
    /// The byte behind the last structure.
    pub fn end(&self) -> u32 {
        self.start.saturating_add(self.step.saturating_mul(self.count))
    }
}

/// The name of the array of structures that a global of a block is a member of, with that of the member.
pub(crate) fn names(global: &Global) -> Option<(&str, &str)> {
    let (array, member) = global.name.split_once(Global::EACH)?;
    Some((array, member.strip_prefix('.')?))
}

/// A member as it is in one structure.
pub(crate) fn alone(slot: &Slot) -> Slot {
    Slot { form: Form::Single, ..*slot }
}

/// The arrays of structures of a block, by their names, in the order of their first members.
pub(crate) fn of_block(program: &Program, slots: &[Slot], block: usize) -> Result<Vec<Structures>, Error> {
    let mut found: Vec<(&str, Structures)> = Vec::new();
    for (index, (slot, variable)) in slots.iter().zip(&program.globals).enumerate() {
        let global = &variable.global;
        if slot.role != Role::Uniform || slot.block != Some(block) {
            continue;
        }
        let (Some((name, _)), Form::Array(count)) = (names(global), slot.form) else { continue };
        match found.iter_mut().find(|(other, _)| *other == name) {
            Some((_, array)) => {
                if (array.step, array.count) != (global.stride.saturating_mul(4), count) {
                    return Err(Error::invalid(format!("{} steps as no other member", global.name)));
                }
                array.members.push(index);
            }
            None => {
                let step = global.stride.saturating_mul(4);
                found.push((name, Structures { start: 0, step, count, members: vec![index] }));
            }
        }
    }
    let mut arrays = Vec::new();
    for (name, mut array) in found {
        array.members.sort_by_key(|index| slots[*index].place);
        array.start = array.members.first().map_or(0, |index| slots[*index].place & !15);
        let mut end = 0;
        for index in &array.members {
            let slot = alone(&slots[*index]);
            let place = slot.place - array.start;
            let fits = place >= end && place.is_multiple_of(alignment(&slot));
            end = std140(&slot, place).map_or(u32::MAX, |(_, after)| after);
            if !fits || end > array.step {
                return Err(Error::invalid(format!("members of {name} over each other")));
            }
        }
        if !array.step.is_multiple_of(16)
            || array.start.checked_add(array.step.saturating_mul(array.count)).is_none()
        {
            return Err(Error::unsupported(format!("structures {} bytes apart: {name}", array.step)));
        }
        arrays.push(array);
    }
    arrays.sort_by_key(|array| array.start);
    Ok(arrays)
}
