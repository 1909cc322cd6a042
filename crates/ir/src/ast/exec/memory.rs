//! What reaches outside of the invocation: memory, images, other lanes, other places of the pixel.

use super::super::{Act, Action, Builtin, Expr, GlobalRef, GlobalVar};
use super::evaluate::Vector;
use super::{Machine, signed};
use crate::exec::{Environment, Outcome};
use crate::{Image, InputPlace, Space, Vote};
use smallvec::SmallVec;

impl<E: Environment> Machine<'_, '_, E> {
    pub(super) fn act(&mut self, act: &Act, frame: &mut [Vector]) -> Result<(), Outcome> {
        let mut old = Vector::default();
        match act.action {
            Action::Barrier(barrier) => self.environment.barrier(barrier),
            Action::Demote => self.demoted = true,
            Action::Atomic(op, memory) => {
                let operands = self.words(&act.operands, frame)?;
                if let Some(memory) = self.program.memories.get(memory as usize)
                    && let Some((index, values)) = operands.split_first()
                    && let Some(word) = memory.word(*index as i32, 0)
                    && !(self.demoted && memory.space == Space::Storage)
                {
                    old[0] = self.environment.atomic(op, memory.space, memory.binding, word, values).into();
                }
            }
            Action::Image(global, image) if self.demoted => {
                // The operands of a dropped pixel have no effect either, but they take their steps.
                let _ = (global, image, self.words(&act.operands, frame)?);
            }
            Action::Image(global, image) => old = self.image(global, image, &act.operands, frame)?,
        }
        match &act.result {
            Some(place) => self.assign(place, old, frame),
            None => Ok(()),
        }
    }

    /// All components of all operands, one after the other.
    fn words(&mut self, operands: &[Expr], frame: &[Vector]) -> Result<SmallVec<[u32; 12]>, Outcome> {
        let mut words = SmallVec::new();
        for operand in operands {
            let value = self.expr(operand, frame)?;
            words.extend(value.into_iter().take(operand.ty.components.into()).map(|bits| bits as u32));
        }
        Ok(words)
    }

    pub(super) fn image(
        &mut self,
        global: GlobalRef,
        image: Image,
        operands: &[Expr],
        frame: &[Vector],
    ) -> Result<Vector, Outcome> {
        let words = self.words(operands, frame)?;
        let Some(GlobalVar { global, .. }) = self.program.globals.get(global.0 as usize) else {
            return Ok(Vector::default());
        };
        let is_array = global.shape.elements() > 0;
        let (element, words) = words.split_at(usize::from(is_array).min(words.len()));
        let element = element.first().copied().unwrap_or(0);
        let unit = global.offset.wrapping_add(element.wrapping_mul(global.stride));
        let image = Image { unit: global.offset, indexed: is_array, ..image };
        Ok(self.environment.image(image, unit, words).map(u64::from))
    }

    pub(super) fn interpolate(
        &mut self,
        place: InputPlace,
        global: GlobalRef,
        operands: &[Expr],
        frame: &[Vector],
    ) -> Result<Vector, Outcome> {
        let words = self.words(operands, frame)?;
        let Some(GlobalVar { global, .. }) = self.program.globals.get(global.0 as usize) else {
            return Ok(Vector::default());
        };
        let is_array = global.shape.elements() > 0;
        let (element, words) = words.split_at(usize::from(is_array).min(words.len()));
        let element = element.first().map(|element| signed((*element).into()));
        let mut value = Vector::default();
        for component in 0..global.shape.components() {
            if let Some(word) = global.word(element, component) {
                value[usize::from(component)] =
                    self.environment.interpolate(place, global.binding, word, words).into();
            }
        }
        Ok(value)
    }

    pub(super) fn lanes(
        &mut self,
        function: Builtin,
        args: &[Expr],
        frame: &[Vector],
    ) -> Result<u32, Outcome> {
        let words = self.words(args, frame)?;
        let first = words.first().copied().unwrap_or(0);
        Ok(match function {
            Builtin::VoteAll => self.environment.vote(Vote::All, first != 0).into(),
            Builtin::VoteAny => self.environment.vote(Vote::Any, first != 0).into(),
            Builtin::VoteEqual => self.environment.vote(Vote::Equal, first != 0).into(),
            Builtin::Ballot => self.environment.ballot(first != 0),
            _ => self.environment.shuffle(first, words.get(1).copied().unwrap_or(0)),
        })
    }
}
