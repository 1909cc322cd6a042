//! What a unit reads: registers, memory, and results of other units.

use super::super::inst::{Register, Source, SourceKind};
use super::super::names::{Area, Name};
use super::super::out::{Out, Piece};
use super::super::table::{NO_OFFSET, Unit, field};
use super::Printer;
use super::pieces::{
    CARET, DOT_COMPONENTS, MEMORY, OFFSETS, PREVIOUS, REGISTERS, RESULTS, THROUGH, UNKNOWN, UNUSED,
};
use unshade_isa_common::text::{PartKind, Sink};

impl<S: Sink, R: Fn(&mut Out<'_, S>)> Printer<'_, '_, S, R> {
    /// A named component, or `false`.
    #[inline]
    pub(super) fn named(&mut self, area: Area, word: u32) -> bool {
        let names = self.context.names;
        let Some((name, component)) = names.at(area, word) else { return false };
        self.out.text(PartKind::Name, &name.text);
        if name.components > 1 {
            self.put(PartKind::Name, &DOT_COMPONENTS[usize::from(component & 3)]);
        }
        true
    }

    pub(super) fn load(&mut self, component: u8) {
        self.say(&[field::LOAD_ADDRESS, field::LOAD_OFFSET]);
        let load = self.inst.load;
        let address = u32::from(load.address);
        let direct = load.offset == NO_OFFSET;
        if direct && self.named(Area::Memory, address * 4 + u32::from(component)) {
            return;
        }
        let names = self.context.names;
        let starts = |name: &&Name| !direct && name.word == load.address * 4;
        match names.at(Area::Memory, address * 4).map(|(name, _)| name).filter(starts) {
            Some(name) => {
                self.put(PartKind::Register, &MEMORY);
                self.out.text(PartKind::Name, &name.text);
            }
            None => {
                self.put(PartKind::Register, &MEMORY);
                self.out.number(PartKind::Register, address);
            }
        }
        self.put(PartKind::Register, &OFFSETS[usize::from(load.offset & 7)]);
        self.out.component(PartKind::Register, component);
    }

    #[inline]
    pub(super) fn register(&mut self, register: Register, component: u8) {
        let word = u32::from(register.number) * 4 + u32::from(component);
        if register.attribute && self.named(Area::Attribute, word) {
            return;
        }
        let names = &REGISTERS[usize::from(register.attribute)];
        self.put(PartKind::Register, &names[usize::from(register.number & 15)]);
        self.out.component(PartKind::Register, component);
    }

    /// A source; `neutral` is how the neutral element is written where there is one.
    #[inline]
    pub(super) fn source(&mut self, source: Source, neutral: Option<&'static Piece>) {
        match source.kind() {
            SourceKind::Reg0(component) => {
                let register = self.inst.reg0;
                self.say(&[field::REG0_ADDRESS, field::REG0_ATTRIBUTE]);
                self.register(register, component);
                if self.tagged && !register.attribute {
                    self.put(PartKind::Directive, &THROUGH[0]);
                }
            }
            SourceKind::Reg1(component) => {
                self.say(&[field::REG1_ADDRESS]);
                self.register(Register { number: self.inst.reg1, attribute: false }, component);
                if self.tagged {
                    self.put(PartKind::Directive, &THROUGH[1]);
                }
            }
            SourceKind::PreviousReg0(component) => {
                self.put(PartKind::Punctuation, &CARET);
                match self.context.previous {
                    Some(register) => self.register(register, component),
                    None => {
                        self.put(PartKind::Register, &PREVIOUS);
                        self.out.component(PartKind::Register, component);
                    }
                }
            }
            SourceKind::Unknown(n) => self.put(PartKind::Register, &UNKNOWN[usize::from(n & 3)]),
            SourceKind::Load(component) => self.load(component),
            SourceKind::Result(unit, back) => self.result(unit, back),
            SourceKind::Unused => self.put(PartKind::Plain, &UNUSED),
            SourceKind::Identity => match neutral {
                Some(text) => self.put(PartKind::Immediate, text),
                None => self.result(Unit::Complex, 1),
            },
        }
    }

    #[inline]
    pub(super) fn result(&mut self, unit: Unit, back: u8) {
        let back = usize::from(back % 3);
        self.out.put_two(PartKind::Punctuation, back, PartKind::Register, &RESULTS[back][unit as usize]);
    }
}
