//! Where results are stored.

use super::super::inst::{Store, StoreSource};
use super::super::lima::REGISTERS;
use super::super::names::Area;
use super::super::out::Out;
use super::super::table::{Field, Unit, field};
use super::Printer;
use super::pieces::{ARROW, COMMA, DOT, MASKS, RESULTS, STORE, TEMPORARY, VARYINGS};
use unshade_isa_common::text::{PartKind, Sink};

impl<S: Sink, R: Fn(&mut Out<'_, S>)> Printer<'_, '_, S, R> {
    /// Stores of units that have no line.
    pub(super) fn stores(&mut self) {
        for number in 0..7 {
            let source = StoreSource(number);
            let used = self.inst.store.iter().any(|store| store.sources.contains(&source));
            if !used || self.stored >> number & 1 != 0 {
                continue;
            }
            self.start(&STORE);
            match source.unit() {
                Some(unit) => self.put(PartKind::Register, &RESULTS[0][unit as usize]),
                None => self.out.text(PartKind::Register, "unknown5"),
            }
            self.targets(source);
            self.end();
        }
    }

    #[inline]
    pub(super) fn destination(&mut self, unit: Unit) {
        self.targets(StoreSource::of(unit));
    }

    /// Where the store slots put a result.
    pub(super) fn targets(&mut self, source: StoreSource) {
        const SLOTS: [[Field; 5]; 2] = [
            [
                field::STORE0_X,
                field::STORE0_Y,
                field::STORE0_TEMPORARY,
                field::STORE0_ADDRESS,
                field::STORE0_VARYING,
            ],
            [
                field::STORE1_Z,
                field::STORE1_W,
                field::STORE1_TEMPORARY,
                field::STORE1_ADDRESS,
                field::STORE1_VARYING,
            ],
        ];
        let mut masks = [0; 2];
        for (slot, store) in self.inst.store.iter().enumerate() {
            for (n, &stored) in store.sources.iter().enumerate() {
                if stored == source {
                    masks[slot] |= 1 << (2 * slot + n);
                    self.said |= SLOTS[slot][n].mask();
                }
            }
            if masks[slot] != 0 {
                self.say(&SLOTS[slot][2..if store.temporary { 3 } else { 5 }]);
            }
        }
        self.stored |= 1 << source.0;
        if masks == [0; 2] {
            return;
        }
        let [low, high] = self.inst.store;
        let alike = low.temporary == high.temporary
            && (low.temporary || (low.varying, low.number) == (high.varying, high.number));
        self.put(PartKind::Punctuation, &ARROW);
        if alike {
            return self.target(&low, masks[0] | masks[1]);
        }
        if masks[0] != 0 {
            self.target(&low, masks[0]);
        }
        if masks[1] != 0 {
            if masks[0] != 0 {
                self.put(PartKind::Punctuation, &COMMA);
            }
            self.target(&high, masks[1]);
        }
    }

    pub(super) fn target(&mut self, store: &Store, mask: u8) {
        if store.temporary {
            self.put(PartKind::Register, &TEMPORARY);
        } else if store.varying {
            let word = u32::from(store.number) * 4 + mask.trailing_zeros();
            // All components have to belong to one name.
            if let Some((name, component)) = self.context.names.at(Area::Varying, word) {
                let shift = name.word & 3;
                let room = ((1u8 << name.components) - 1) << shift;
                if mask & !room == 0 && u16::from(component) + name.word == word as u16 {
                    let text = &name.text;
                    self.out.text(PartKind::Name, text);
                    if name.components > 1 {
                        self.put(PartKind::Name, &DOT);
                        self.put(PartKind::Name, &MASKS[usize::from(mask >> shift)]);
                    }
                    return;
                }
            }
            self.put(PartKind::Register, &VARYINGS[usize::from(store.number & 15)]);
        } else {
            self.put(PartKind::Register, &REGISTERS[0][usize::from(store.number & 15)]);
        }
        self.put(PartKind::Register, &MASKS[usize::from(mask & 15)]);
    }
}
