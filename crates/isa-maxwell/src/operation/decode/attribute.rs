//! Attributes, the geometry stage's output, properties of the pixel.

use super::fields::{Immediate, register};
use crate::Form;
use crate::operation::{Attribute, Interpolate, Operation, Register, Sample, Source};
use crate::word::Word;

/// The attribute of `ALD` and `AST`: an address, or a physical one in a register; both together are no form.
fn attribute(w: Word, output: bool) -> Option<Attribute> {
    let (address, register) = (w.bits(20, 10) as u16, w.register(8));
    let physical = !register.is_zero();
    if physical && address != 0 {
        return None;
    }
    Some(Attribute { address, register, patch: w.bit(31), output, physical })
}

/// `ALD`.
pub(super) fn load(w: Word) -> Option<Operation> {
    Some(Operation::AttributeLoad {
        d: w.register(0),
        a: attribute(w, w.bit(32))?,
        vertex: w.register(39),
        words: w.bits(47, 2) as u8 + 1,
    })
}

/// `AST`.
pub(super) fn store(w: Word) -> Option<Operation> {
    Some(Operation::AttributeStore {
        a: attribute(w, true)?,
        value: w.register(0),
        vertex: w.register(39),
        words: w.bits(47, 2) as u8 + 1,
    })
}

/// `AL2P`. Its size (47-48) says how much will be read, which changes no address.
pub(super) fn address(w: Word) -> Option<Operation> {
    Some(Operation::AttributeAddress {
        d: w.register(0),
        p: w.predicate(44),
        register: w.register(8),
        address: w.bits(20, 11) as u16,
        output: w.bit(32),
    })
}

/// `IPA`.
pub(super) fn interpolate(w: Word) -> Option<Operation> {
    let (register, indexed) = (w.register(8), w.bit(38));
    if !indexed && !register.is_zero() {
        return None;
    }
    let mode = match w.bits(54, 2) {
        0 => Interpolate::Pass,
        1 => Interpolate::Multiply,
        2 => Interpolate::Constant,
        _ => Interpolate::Sc,
    };
    let sample = match w.bits(52, 2) {
        0 => Sample::Center,
        1 => Sample::Centroid,
        2 => Sample::Offset,
        _ => return None,
    };
    let address = if indexed { 0 } else { w.bits(28, 10) as u16 };
    Some(Operation::Interpolate {
        d: w.register(0),
        a: Attribute { address, register, patch: false, output: false, physical: indexed },
        mode,
        sample,
        b: w.register(20),
        offset: w.register(39),
        saturate: w.bit(51),
    })
}

/// `ISBERD`; with modifiers it reads other things, by its name.
pub(super) fn vertex(w: Word) -> Option<Operation> {
    if w.bits(31, 4) != 0 || w.bits(47, 2) != 0 {
        return Some(Operation::System(Form::Isberd));
    }
    Some(Operation::VertexHandle { d: w.register(0), a: w.register(8) })
}

/// What kind of second source `OUT` has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stream {
    /// A register.
    Register,
    /// A constant.
    Constant,
    /// An immediate.
    Immediate,
}

/// `OUT`.
pub(super) fn out(w: Word, kind: Stream) -> Option<Operation> {
    let stream = match kind {
        Stream::Register => register(w.register(20)),
        Stream::Constant => Source::Constant(w.constant()),
        Stream::Immediate => Source::Immediate(w.immediate20(Immediate::Integer)),
    };
    let (emit, cut) = (w.bit(39), w.bit(40));
    if !emit && !cut {
        return None;
    }
    Some(Operation::Out { d: w.register(0), a: w.register(8), stream, emit, cut })
}

/// `PIXLD`.
pub(super) fn pixel(w: Word) -> Option<Operation> {
    let mode = w.bits(31, 3) as u8;
    if mode > 5 {
        return None;
    }
    let (a, offset): (Register, u8) = (w.register(8), w.bits(20, 8) as u8);
    Some(Operation::PixelLoad { d: w.register(0), p: w.predicate(45), a, mode, offset })
}
