//! What the machine can read in one instruction: one uniform or constant, in the field that is wide enough, and one input
//! register. What does not fit is copied to a register first.

use super::{
    code::{Code, Instruction, Operand, Operation, Register, Value},
    select::Select,
};
use crate::allocate::{Home, Step};
use smallvec::{SmallVec, smallvec};
use unshade_bytes::problem::Result;

/// Copies that can be read again, by open block.
#[derive(Debug, Default)]
pub(super) struct Copies {
    known: Vec<Known>,
    opened: Vec<usize>,
}

/// A copy: what of, the value, and where the instruction stands that makes it.
#[derive(Debug, Clone)]
struct Known {
    of: Register,
    value: Value,
    block: usize,
    step: usize,
}

impl Copies {
    pub fn open(&mut self) {
        self.opened.push(self.known.len());
    }

    pub fn close(&mut self) {
        let kept = self.opened.pop().unwrap_or(0);
        self.known.truncate(kept);
    }
}

/// Whether the operands can be exchanged.
fn commutes(operation: Operation) -> bool {
    matches!(
        operation,
        Operation::Add | Operation::Mul | Operation::Min | Operation::Max | Operation::Dp3 | Operation::Dp4
    )
}

impl Select<'_> {
    /// An instruction whose operands may have to be copied first.
    pub(super) fn fitted(
        &mut self,
        operation: Operation,
        target: Option<(Value, SmallVec<[u8; 4]>)>,
        mut operands: SmallVec<[Operand; 3]>,
    ) -> Result<()> {
        let mut operation = operation;
        self.one_input(&mut operands);
        self.one_wide(&mut operands);
        let wide = operands.iter().position(|operand| operand.register.is_wide());
        match (operation, wide) {
            (_, Some(1)) if commutes(operation) => operands.swap(0, 1),
            (Operation::Cmp(x, y), Some(1)) => {
                operands.swap(0, 1);
                operation = Operation::Cmp(x.swapped(), y.swapped());
            }
            (Operation::Mad, Some(0)) => operands.swap(0, 1),
            _ => {}
        }
        self.instruction(operation, target, operands);
        Ok(())
    }

    fn one_input(&mut self, operands: &mut SmallVec<[Operand; 3]>) {
        let mut inputs: SmallVec<[u8; 3]> = SmallVec::new();
        for operand in operands.iter() {
            if let Register::Input(number) = operand.register
                && !inputs.contains(&number)
            {
                inputs.push(number);
            }
        }
        if inputs.len() < 2 {
            return;
        }
        // One may stay: one that has no copy yet.
        let has_copy = |number: u8| self.copy_known(&Register::Input(number)).is_some();
        let stays = inputs.iter().copied().find(|number| !has_copy(*number)).or(inputs.first().copied());
        for operand in operands.iter_mut() {
            if let Register::Input(number) = operand.register
                && Some(number) != stays
            {
                self.copied(operand);
            }
        }
    }

    fn one_wide(&mut self, operands: &mut SmallVec<[Operand; 3]>) {
        let wide: SmallVec<[usize; 3]> = (0..operands.len())
            .filter(|at| operands.get(*at).is_some_and(|operand| operand.register.is_wide()))
            .collect();
        if wide.len() < 2 {
            return;
        }
        let score = |at: usize| {
            let register = operands.get(at).map(|operand| &operand.register);
            match register {
                // What an index register addresses differs each time: it stays.
                Some(Register::Table { index: Some(_), .. }) => 3,
                Some(register) if self.copy_known(register).is_some() => 0,
                // Constants come up again and again.
                Some(Register::Constant(_)) => 1,
                _ => 2,
            }
        };
        let stays = wide.iter().copied().max_by_key(|at| score(*at));
        for at in wide {
            if Some(at) != stays
                && let Some(operand) = operands.get_mut(at)
            {
                self.copied(operand);
            }
        }
    }

    fn copy_known(&self, register: &Register) -> Option<usize> {
        if !self.shares_copies() {
            return None;
        }
        self.copies.known.iter().position(|known| known.of == *register)
    }

    /// Reads a copy instead.
    fn copied(&mut self, operand: &mut Operand) {
        if let Some(known) = self.copy_known(&operand.register)
            && let Some(Known { value, block, step, .. }) = self.copies.known.get(known).cloned()
        {
            // The copy may have to take more components than it was made for.
            let made = self.blocks.get_mut(block).and_then(|block| block.get_mut(step));
            if let Some(Step::Do(Code::Instruction(Instruction {
                target: Some((_, to)),
                operands: read,
                ..
            }))) = made
                && let Some(read) = read.first_mut()
            {
                for component in &operand.components {
                    if !to.contains(component) {
                        to.push(*component);
                        read.components.push(*component);
                    }
                }
            }
            operand.register = Register::Value(value);
            return;
        }
        let value = self.new_value(Home::Any);
        let mut components: SmallVec<[u8; 4]> = SmallVec::new();
        for component in &operand.components {
            if !components.contains(component) {
                components.push(*component);
            }
        }
        let read =
            Operand { register: operand.register.clone(), components: components.clone(), negate: false };
        let (block, step) = (self.blocks.len().saturating_sub(1), self.blocks.last().map_or(0, Vec::len));
        self.instruction(Operation::Mov, Some((value, components)), smallvec![read]);
        let is_kept = !matches!(operand.register, Register::Table { index: Some(_), .. });
        if is_kept {
            self.copies.known.push(Known { of: operand.register.clone(), value, block, step });
        }
        operand.register = Register::Value(value);
    }
}
