//! A line for each arithmetic unit that is on.

use super::super::inst::{Source, SourceKind};
use super::super::out::Out;
use super::super::table::{Line, NO_OFFSET, Operand, line};
use super::Printer;
use super::pieces::{COMMA, MINUS, MOV, NEUTRAL, SLOT_TEXTS, STARTS};
use unshade_isa_common::text::{PartKind, Sink};

impl<S: Sink, R: Fn(&mut Out<'_, S>)> Printer<'_, '_, S, R> {
    pub(super) fn units(&mut self) {
        self.line(line::<0>(self.word));
        self.line(line::<1>(self.word));
        self.line(line::<2>(self.word));
        self.line(line::<3>(self.word));
        self.line(line::<4>(self.word));
        self.line(line::<5>(self.word));
        self.line(line::<6>(self.word));
    }

    #[inline(always)]
    fn line(&mut self, line: Option<Line>) {
        let Some(line) = line else { return };
        let Line { slot, operation, .. } = line;
        let text = &SLOT_TEXTS[line.index][line.number];
        self.start(&STARTS[line.index]);
        self.put(PartKind::Mnemonic, if line.moves() { &MOV } else { &text.native });
        for (at, &n) in line.operands().iter().enumerate() {
            if at > 0 {
                self.put(PartKind::Punctuation, &COMMA);
            }
            if line.is_negated(n) {
                self.put(PartKind::Punctuation, &MINUS);
            }
            match &slot.operands[n] {
                Operand::Source { neutral, .. } => {
                    self.source(line.source(n), neutral.map(|number| &NEUTRAL[usize::from(number & 1)]));
                }
                Operand::Bound(component) => self.load(*component),
            }
        }
        self.said |= text.said;
        self.destination(slot.unit);
        // A wide operation shows what all of its fields name, also the one that a selection leaves out.
        let shown = if operation.operands.len() > 2 { slot.operands.len() } else { operation.operands.len() };
        self.values((0..shown).map(|n| line.source(n)));
        self.end();
    }

    /// A remark with the values of the constants among these sources.
    #[inline]
    fn values(&mut self, sources: impl Iterator<Item = Source>) {
        let load = self.inst.load;
        if load.offset != NO_OFFSET {
            return;
        }
        let mut first = true;
        for source in sources {
            let SourceKind::Load(component) = source.kind() else { continue };
            let names = self.context.names;
            let Some(value) = names.value(u32::from(load.address) * 4 + u32::from(component)) else {
                continue;
            };
            if first {
                self.out.pad_to(56);
            }
            self.out.text(PartKind::Comment, if first { "; " } else { ", " });
            self.out.text(PartKind::Comment, value);
            first = false;
        }
    }
}
