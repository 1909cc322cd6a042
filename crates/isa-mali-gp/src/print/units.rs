//! A line for each arithmetic unit that is on.

use super::super::inst::{Inst, Source};
use super::super::out::Out;
use super::super::table::{AddOp, ComplexOp, Field, IDENTITY, MulOp, PassOp, Unit, field};
use super::Printer;
use super::pieces::{ADD, COMMA, COMPLEX, MOV, MUL, MUL01, ONE, PASS, ZERO};
use unshade_isa_common::text::{PartKind, Sink};

impl<S: Sink, R: Fn(&mut Out<'_, S>)> Printer<'_, '_, S, R> {
    pub(super) fn adders(&mut self) {
        const FIELDS: [[Field; 4]; 2] = [
            [field::ADD0_SRC0, field::ADD0_SRC1, field::ADD0_NEGATE0, field::ADD0_NEGATE1],
            [field::ADD1_SRC0, field::ADD1_SRC1, field::ADD1_NEGATE0, field::ADD1_NEGATE1],
        ];
        let op = self.inst.add_op;
        for (n, unit) in [Unit::Add0, Unit::Add1].into_iter().enumerate() {
            let add = self.inst.add[n];
            let [first, second] = add.sources;
            if first == Source::UNUSED {
                continue;
            }
            let moves = op == AddOp::Add && second.0 == IDENTITY && add.negate[1];
            self.start_unit(unit);
            self.put(PartKind::Mnemonic, if moves { &MOV } else { &ADD[op as usize] });
            self.source(first, None, add.negate[0]);
            self.say(&[FIELDS[n][0], FIELDS[n][2], field::ADD_OP]);
            if op.sources() > 1 {
                self.say(&[FIELDS[n][1], FIELDS[n][3]]);
                if !moves {
                    self.put(PartKind::Punctuation, &COMMA);
                    self.source(second, Some(&ZERO), add.negate[1]);
                }
            }
            self.destination(unit);
            self.values(&[first, second][..if moves { 1 } else { op.sources() }]);
            self.end();
        }
    }

    pub(super) fn multipliers(&mut self) {
        const FIELDS: [[Field; 3]; 2] = [
            [field::MUL0_SRC0, field::MUL0_SRC1, field::MUL0_NEGATE],
            [field::MUL1_SRC0, field::MUL1_SRC1, field::MUL1_NEGATE],
        ];
        let op = self.inst.mul_op;
        let [first, second] = self.inst.mul;
        if op.is_wide() {
            self.start(&MUL01);
            self.put(PartKind::Mnemonic, &MUL[op as usize]);
            self.say(&[FIELDS[0][0], FIELDS[0][1], FIELDS[1][0], field::MUL_OP]);
            if op == MulOp::Select {
                self.source(first.sources[1], Some(&ONE), false);
                for source in [second.sources[0], first.sources[0]] {
                    self.put(PartKind::Punctuation, &COMMA);
                    self.source(source, None, false);
                }
            } else {
                self.say(&[FIELDS[1][1]]);
                for (n, source) in first.sources.into_iter().chain(second.sources).enumerate() {
                    if n > 0 {
                        self.put(PartKind::Punctuation, &COMMA);
                    }
                    self.source(source, (n & 1 == 1).then_some(&ONE), false);
                }
            }
            self.destination(Unit::Mul0);
            self.values(&[first.sources[0], first.sources[1], second.sources[0], second.sources[1]]);
            self.end();
            return;
        }
        for (n, unit) in [Unit::Mul0, Unit::Mul1].into_iter().enumerate() {
            let mul = self.inst.mul[n];
            if mul.sources == [Source::UNUSED; 2] {
                continue;
            }
            // The operation is that of the first multiplier where that one is on.
            let joins = n == 0 && op == MulOp::Complex2;
            let moves = !joins && mul.sources[1] == Source::IDENTITY && !mul.negate;
            self.start_unit(unit);
            self.put(
                PartKind::Mnemonic,
                match (moves, joins) {
                    (true, _) => &MOV,
                    (_, true) => &MUL[MulOp::Complex2 as usize],
                    _ => &MUL[MulOp::Mul as usize],
                },
            );
            self.source(mul.sources[0], None, false);
            if !moves {
                self.put(PartKind::Punctuation, &COMMA);
                self.source(mul.sources[1], Some(&ONE), mul.negate);
            }
            self.say(&FIELDS[n]);
            if joins || op == MulOp::Mul {
                self.say(&[field::MUL_OP]);
            }
            self.destination(unit);
            self.values(&mul.sources);
            self.end();
        }
    }

    pub(super) fn complex(&mut self) {
        let Inst { complex, complex_op, .. } = *self.inst;
        if complex_op == ComplexOp::Off {
            return;
        }
        self.start_unit(Unit::Complex);
        self.put(PartKind::Mnemonic, &COMPLEX[complex_op as usize]);
        self.source(complex, None, false);
        self.say(&[field::COMPLEX_OP, field::COMPLEX_SRC]);
        self.destination(Unit::Complex);
        self.values(&[complex]);
        self.end();
    }

    pub(super) fn pass(&mut self) {
        let Inst { pass, pass_op, .. } = *self.inst;
        if pass == Source::UNUSED {
            return;
        }
        self.start_unit(Unit::Pass);
        self.put(PartKind::Mnemonic, &PASS[pass_op as usize]);
        self.source(pass, None, false);
        self.say(&[field::PASS_OP, field::PASS_SRC]);
        let clamps = pass_op == PassOp::Clamp;
        if clamps {
            for bound in 0..2 {
                self.put(PartKind::Punctuation, &COMMA);
                self.load(bound);
            }
        }
        self.destination(Unit::Pass);
        self.values(&[pass, Source(12), Source(13)][..if clamps { 3 } else { 1 }]);
        self.end();
    }
}
