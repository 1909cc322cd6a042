//! Branches, and the stack of places to go back to.

use super::{Form, Row, one};

pub(super) const ROWS: &[Row] = &[
    one(Form::Bra, "BRA{.LMT:6}{.U:7}{?0+5=f} {condition_of:0},{/} {?5=1}{t20+24}{:}{k20}{/}"),
    one(Form::Brx, "BRX{.LMT:6}{?0+5=f} {condition_of:0},{/} {?5=1}{r8} {s20+24}{:}{kr20}{/}"),
    one(Form::Jmp, "JMP{.LMT:6}{.U:7}{?0+5=f} {condition_of:0},{/} {?5=1}{j20+32}{:}{k20}{/}"),
    one(Form::Jmx, "JMX{.LMT:6}{?0+5=f} {condition_of:0},{/} {?5=1}{r8} {j20+32}{:}{kr20}{/}"),
    one(Form::Cal, "CAL{-.NOINC:6} {?5=1}{t20+24}{:}{k20}{/}"),
    one(Form::Jcal, "JCAL{-.NOINC:6} {?5=1}{j20+32}{:}{k20}{/}"),
    one(Form::Pret, "PRET{-.NOINC:6} {?5=1}{t20+24}{:}{k20}{/}"),
    one(Form::Ssy, "SSY {?5=1}{t20+24}{:}{k20}{/}"),
    one(Form::Pbk, "PBK {?5=1}{t20+24}{:}{k20}{/}"),
    one(Form::Pcnt, "PCNT {?5=1}{t20+24}{:}{k20}{/}"),
    one(Form::Pexit, "PEXIT {t20+24}"),
    one(Form::Plongjmp, "PLONGJMP {?5=1}{t20+24}{:}{k20}{/}"),
    one(Form::Brk, "BRK{?0+5=f} {condition_of:0}{/}"),
    one(Form::Cont, "CONT{?0+5=f} {condition_of:0}{/}"),
    one(Form::Exit, "EXIT{.KEEPREFCOUNT:5}{?0+5=f} {condition_of:0}{/}"),
    one(Form::Kil, "KIL{?0+5=f} {condition_of:0}{/}"),
    one(Form::Longjmp, "LONGJMP{?0+5=f} {condition_of:0}{/}"),
    one(Form::Ret, "RET{?0+5=f} {condition_of:0}{/}"),
    one(Form::Sync, "SYNC{?0+5=f} {condition_of:0}{/}"),
];
