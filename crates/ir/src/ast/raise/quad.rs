//! What needs the other pixels of the quad is computed where the machine computes it, not under a condition
//! that only the printed form has: an arm of `c ? a : b`, the second operand of `&&`, an arm of a branch that
//! an argument is passed along.

use super::operands::Operand;
use super::packs::{Make, PackId};
use super::schedule::{EffectKind, Item};
use super::statements::Unit;
use crate::op::Effect;
use crate::{Op, Type};

/// Who reads a pack that is written where it is used.
#[derive(Debug, Clone, Copy)]
struct Reader {
    /// Pack that it is part of, if one.
    pack: Option<PackId>,
    under_condition: bool,
}

impl Unit<'_> {
    /// Gives a local to what would come under a condition otherwise.
    pub(super) fn keep_quads_out(&mut self) {
        let quads: Vec<PackId> = (0..self.packs.len() as u32)
            .map(PackId)
            .filter(|id| self.inline[id.index()] && self.is_quad(*id))
            .collect();
        if quads.is_empty() {
            return;
        }
        let readers = self.readers();
        for quad in quads {
            let mut at = quad;
            // An expression is a tree: the way up ends.
            while let Some(reader) = readers[at.index()] {
                if reader.under_condition {
                    self.inline[quad.index()] = false;
                    break;
                }
                match reader.pack.filter(|pack| self.inline[pack.index()]) {
                    Some(pack) => at = pack,
                    None => break,
                }
            }
        }
    }

    fn is_quad(&self, id: PackId) -> bool {
        let pack = self.pack(id);
        let inst = pack.lanes.first().and_then(|value| self.function.definition(*value));
        matches!(pack.make, Make::Operation | Make::Results(_))
            && inst.is_some_and(|inst| inst.op.effect() == Effect::Quad)
    }

    fn readers(&self) -> Vec<Option<Reader>> {
        let mut readers = vec![None; self.packs.len()];
        let mut note = |values: &[crate::Value], own: Option<PackId>, reader: Reader| {
            self.for_each_lane(values, own, |pack, _, begins| {
                if begins {
                    readers[pack.index()] = Some(reader);
                }
            });
        };
        for block in &self.cfg.order {
            for item in &self.items[block.index()] {
                match *item {
                    Item::Pack(id) => {
                        let own = (self.pack(id).make == Make::Tuple).then_some(id);
                        for (position, operand) in self.noted(id).iter().enumerate() {
                            let under_condition = self.is_conditional(id, position, operand);
                            note(&operand.values, own, Reader { pack: Some(id), under_condition });
                        }
                    }
                    Item::Effect(effect) => {
                        let effect = &self.effects[effect as usize];
                        let under_condition = matches!(
                            effect.kind,
                            EffectKind::StoreArray { .. }
                                | EffectKind::StoreIndexed { .. }
                                | EffectKind::StoreWords { .. }
                        );
                        for operand in self.effect_operands(effect) {
                            note(&operand.values, None, Reader { pack: None, under_condition });
                        }
                    }
                }
            }
            let terminator = &self.function.blocks[block.index()].terminator;
            let branches = terminator.targets().nth(1).is_some();
            for (number, list) in self.end_lists(*block).iter().enumerate() {
                // The first is what is decided by.
                note(list, None, Reader { pack: None, under_condition: branches && number > 0 });
            }
        }
        readers
    }

    /// Whether the form of a pack evaluates an operand only sometimes.
    fn is_conditional(&self, id: PackId, position: usize, operand: &Operand) -> bool {
        let pack = self.pack(id);
        let inst = pack.lanes.first().and_then(|value| self.function.definition(*value));
        let Some(inst) = inst.filter(|_| pack.make == Make::Operation) else { return operand.repeated };
        match inst.op {
            Op::Select => position > 0,
            Op::And | Op::Or => {
                inst.results.first().is_some_and(|value| self.function.ty(*value) == Type::Bool)
            }
            Op::Shl | Op::ShrU | Op::ShrS => true,
            _ => operand.repeated,
        }
    }
}
