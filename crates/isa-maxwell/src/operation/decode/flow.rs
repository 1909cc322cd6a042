//! Flow of control.

use crate::operation::{Constant, Operation, Register, Target, Token};
use crate::word::Word;

/// Where a form's target comes from: relative or absolute, with a register or not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// `BRA`, `SSY` and the like.
    Relative,
    /// `JMP`, `JCAL`.
    Absolute,
    /// `BRX`.
    RegisterRelative,
    /// `JMX`.
    RegisterAbsolute,
}

fn target(w: Word, form: Form) -> Target {
    let register = match form {
        Form::Relative | Form::Absolute => Register::ZERO,
        Form::RegisterRelative | Form::RegisterAbsolute => w.register(8),
    };
    if w.bit(5) {
        let place = Constant { bank: w.bits(36, 5) as u8, offset: w.bits(20, 16) as u16 };
        let absolute = matches!(form, Form::Absolute | Form::RegisterAbsolute);
        return Target::Constant { place, register, absolute };
    }
    match form {
        Form::Relative => Target::Relative(w.signed(20, 24) as i32),
        Form::Absolute => Target::Absolute(w.immediate32()),
        Form::RegisterRelative => Target::RegisterRelative(register, w.signed(20, 24) as i32),
        Form::RegisterAbsolute => Target::RegisterAbsolute(register, w.immediate32()),
    }
}

/// `BRA`, `BRX`, `JMP`, `JMX`.
pub(super) fn branch(w: Word, form: Form) -> Option<Operation> {
    Some(Operation::Branch { condition: w.condition_code(0), target: target(w, form) })
}

/// `CAL`, `JCAL`.
pub(super) fn call(w: Word, form: Form) -> Option<Operation> {
    Some(Operation::Call { target: target(w, form) })
}

/// `SSY`, `PBK`, `PCNT`, `PEXIT`, `PRET`, `PLONGJMP`.
pub(super) fn push(w: Word, token: Token) -> Option<Operation> {
    Some(Operation::Push { token, target: target(w, Form::Relative) })
}

/// `SYNC`, `BRK`, `CONT`, `EXIT`, `RET`, `LONGJMP`.
pub(super) fn pop(w: Word, token: Token) -> Option<Operation> {
    Some(Operation::Pop { token, condition: w.condition_code(0) })
}

/// `KIL`.
pub(super) fn kill(w: Word) -> Option<Operation> {
    Some(Operation::Kill { condition: w.condition_code(0) })
}
