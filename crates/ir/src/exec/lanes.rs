//! Steps that reach outside of the invocation: memory, images, other lanes.

use super::{Environment, Machine, Step};
use crate::{Access, Op, Space};
use smallvec::SmallVec;

/// Operands of a step.
type Operands = SmallVec<[u32; 12]>;

impl Machine<'_> {
    /// One of these steps.
    pub(super) fn memory(&mut self, base: usize, step: &Step, environment: &mut impl Environment) {
        let mut operands = Operands::new();
        for slot in self.program.operands(&step.args) {
            operands.push(self.slots[base + *slot as usize] as u32);
        }
        let value = match step.op {
            Op::Load(access) => self.load(access, &operands, environment),
            Op::Store(access) => {
                let (address, value) = operands.split_at(access.address_operands());
                self.store(access, address, value.first().copied().unwrap_or(0), environment);
                return;
            }
            Op::Atomic(op, access) => {
                let (address, values) = operands.split_at(access.address_operands());
                match word(access, address) {
                    _ if self.demoted => 0,
                    Some(At::Word(word)) => {
                        environment.atomic(op, access.space, access.binding, word, values)
                    }
                    Some(At::Address(address)) => environment.global_atomic(op, address, values),
                    None => 0,
                }
            }
            Op::Interpolate(place, access) => {
                let (address, at) = operands.split_at(access.address_operands());
                match word(access, address) {
                    Some(At::Word(word)) => environment.interpolate(place, access.binding, word, at),
                    _ => 0,
                }
            }
            Op::Image(image) => {
                let (index, operands) = operands.split_at(usize::from(image.indexed));
                let unit = image.unit.wrapping_add(index.first().copied().unwrap_or(0));
                let writes = step.op.effect() == crate::Effect::Writes;
                let answer =
                    if writes && self.demoted { [0; 4] } else { environment.image(image, unit, operands) };
                let result = base + step.result as usize;
                for (slot, word) in self.slots[result..].iter_mut().zip(&answer[..image.results()]) {
                    *slot = (*word).into();
                }
                return;
            }
            Op::Vote(vote) => environment.vote(vote, operands[0] != 0).into(),
            Op::Ballot => environment.ballot(operands[0] != 0),
            Op::Shuffle => environment.shuffle(operands[0], operands[1]),
            _ => return,
        };
        self.slots[base + step.result as usize] = value.into();
    }

    fn load(&self, access: Access, address: &[u32], environment: &mut impl Environment) -> u32 {
        match (word(access, address), access.space) {
            (Some(At::Word(word)), Space::Local) => {
                let array = &self.arrays[access.binding as usize];
                array.get(word as usize).copied().unwrap_or(0)
            }
            (Some(At::Word(word)), space) => environment.load(space, access.binding, word),
            (Some(At::Address(address)), _) => environment.global_load(address),
            (None, _) => 0,
        }
    }

    fn store(&mut self, access: Access, address: &[u32], value: u32, environment: &mut impl Environment) {
        match (word(access, address), access.space) {
            (Some(At::Word(word)), Space::Local) => {
                let array = &mut self.arrays[access.binding as usize];
                if let Some(place) = array.get_mut(word as usize) {
                    *place = value;
                }
            }
            (_, Space::Storage | Space::Global) if self.demoted => {}
            (Some(At::Word(word)), space) => environment.store(space, access.binding, word, value),
            (Some(At::Address(address)), _) => environment.global_store(address, value),
            (None, _) => {}
        }
    }
}

/// Where an access goes.
enum At {
    /// A word of its space and binding.
    Word(u32),
    /// An address in bytes.
    Address(u64),
}

/// Where an access with the given operands goes, if there can be such a place.
fn word(access: Access, address: &[u32]) -> Option<At> {
    match *address {
        [low, high] => {
            let address = u64::from(low & !3) | u64::from(high) << 32;
            Some(At::Address(address.wrapping_add(u64::from(access.offset) * 4)))
        }
        [index] => {
            let index = i64::from(index as i32);
            let word = i64::from(access.offset) + index * i64::from(access.stride);
            u32::try_from(word).ok().map(At::Word)
        }
        _ => Some(At::Word(access.offset)),
    }
}
