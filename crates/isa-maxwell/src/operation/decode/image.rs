//! Images.

use super::memory::{operation, operation_type};
use crate::operation::{AtomicType, Dimension, Handle, Image, ImageData, Operation, Register, Size};
use crate::word::Word;

/// Which image: a number in the instruction or a handle in a register, then the shape and what happens outside.
fn image(w: Word, bindless: bool, bytes: bool) -> Option<Image> {
    let (dimension, array) = match w.bits(33, 3) {
        0 => (Dimension::D1, false),
        1 => (Dimension::Buffer, false),
        2 => (Dimension::D1, true),
        3 => (Dimension::D2, false),
        4 => (Dimension::D2, true),
        5 => (Dimension::D3, false),
        _ => return None,
    };
    let clamp = w.bits(49, 2) as u8;
    if clamp == 3 {
        return None;
    }
    let handle =
        if bindless { Handle::Register(w.register(39)) } else { Handle::Bound(w.bits(36, 13) as u16) };
    Some(Image { handle, dimension, array, coordinates: w.register(8), clamp, bytes })
}

fn size(w: Word) -> Option<Size> {
    match w.bits(20, 3) {
        0 => Some(Size::U8),
        1 => Some(Size::S8),
        2 => Some(Size::U16),
        3 => Some(Size::S16),
        4 => Some(Size::B32),
        5 => Some(Size::B64),
        6 => Some(Size::B128),
        _ => None,
    }
}

/// Components or size, and whether the first coordinate counts bytes.
fn data(w: Word, raw: bool) -> Option<(ImageData, bool)> {
    if raw {
        return Some((ImageData::Raw(size(w)?), w.bit(23)));
    }
    let components = w.bits(20, 4) as u8;
    (components != 0).then_some((ImageData::Formatted(components), false))
}

/// `SULD`. Its predicate is stored complemented.
pub(super) fn load(w: Word, bindless: bool, raw: bool) -> Option<Operation> {
    let (data, bytes) = data(w, raw)?;
    let image = image(w, bindless, bytes)?;
    Some(Operation::ImageLoad { d: w.register(0), image, data, p: 7 - w.predicate(30) })
}

/// `SUST`.
pub(super) fn store(w: Word, bindless: bool, raw: bool) -> Option<Operation> {
    let (data, bytes) = data(w, raw)?;
    Some(Operation::ImageStore { image: image(w, bindless, bytes)?, data, value: w.register(0) })
}

/// `SUATOM`: `ty` is where the type of raw access lies, `p` a predicate.
pub(super) fn atomic(w: Word, bindless: bool, ty: Option<u32>, p: u8) -> Option<Operation> {
    let (ty, bytes) = atomic_type(w, ty, 28)?;
    Some(Operation::ImageAtomic {
        d: w.register(0),
        image: image(w, bindless, bytes)?,
        op: operation(w.bits(29, 4)).filter(|_| w.bits(29, 4) <= 8)?,
        ty,
        b: w.register(20),
        p,
    })
}

/// `SUATOM.CAS`.
pub(super) fn swap(w: Word, bindless: bool, ty: Option<u32>, p: u8) -> Option<Operation> {
    let (ty, bytes) = atomic_type(w, ty, 28)?;
    let image = image(w, bindless, bytes)?;
    Some(Operation::ImageCompareAndSwap { d: w.register(0), image, ty, compare: w.register(20), p })
}

/// `SURED`.
pub(super) fn reduce(w: Word, bindless: bool, raw: bool) -> Option<Operation> {
    let (ty, bytes) = atomic_type(w, raw.then_some(20), 23)?;
    Some(Operation::ImageAtomic {
        d: Register::ZERO,
        image: image(w, bindless, bytes)?,
        op: operation(w.bits(24, 3))?,
        ty,
        b: w.register(0),
        p: 7,
    })
}

/// Raw atomics of a numbered image as nouveau writes them, `0xea78` and with a comparison `0xead8`: the fields of
/// the forms with a handle in a register, and the number where the type lies. It puts one on top of the other, so
/// the type is lost; words are taken for unsigned.
pub(super) fn nonstandard(w: Word) -> Option<Operation> {
    let (image, d, ty) = (image(w, false, w.bit(28))?, w.register(0), AtomicType::U32);
    match w.0 >> 51 {
        0x1d4f => {
            let op = operation(w.bits(29, 4))?;
            Some(Operation::ImageAtomic { d, image, op, ty, b: w.register(20), p: 7 })
        }
        0x1d5b => Some(Operation::ImageCompareAndSwap { d, image, ty, compare: w.register(20), p: 7 }),
        _ => None,
    }
}

/// Type of an atomic operation; formatted access takes whole words.
fn atomic_type(w: Word, at: Option<u32>, bytes: u32) -> Option<(AtomicType, bool)> {
    match at {
        Some(at) => Some((operation_type(w.bits(at, 3))?, w.bit(bytes))),
        None => Some((AtomicType::U32, false)),
    }
}
