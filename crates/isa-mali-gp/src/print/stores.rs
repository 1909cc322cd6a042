//! Where results are stored.

use super::super::inst::{Store, StoreSource};
use super::super::names::Area;
use super::super::out::Out;
use super::super::table::{STORES, Unit};
use super::Printer;
use super::pieces::{ARROW, COMMA, DOT, MASKS, REGISTERS, RESULTS, STORE, TEMPORARY, VARYINGS};
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
        let mut masks = [0; 2];
        for slot in 0..2 {
            let store = &self.inst.store[slot];
            for n in 0..2 {
                if store.sources[n] == source {
                    masks[slot] |= 1 << (2 * slot + n);
                    self.said |= STORES[slot].components[n].mask();
                }
            }
            if masks[slot] != 0 {
                self.said |= STORES[slot].temporary.mask();
                if !store.temporary {
                    self.say(&[STORES[slot].address, STORES[slot].varying]);
                }
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
