//! Accesses to images of one lane.

use super::access::word_operation;
use super::around::Around;
use super::operand::{register_of, write, write_predicate};
use super::run::Fault;
use super::state::Lane;
use crate::Register;
use crate::operation::*;
use unshade_ir::{AtomicOp, Image as Question, ImageQuery, TextureShape};
use unshade_isa_common::texture::{ImageAccess, View};

fn raw_bytes(size: Size) -> u32 {
    match size {
        Size::U8 | Size::S8 => 1,
        Size::U16 | Size::S16 => 2,
        Size::B32 => 4,
        Size::B64 => 8,
        Size::B128 => 16,
    }
}

fn view(image: &Image, data: ImageData) -> View {
    match data {
        ImageData::Formatted(_) => View::Formatted,
        ImageData::Raw(size) if image.bytes => View::Bytes(raw_bytes(size)),
        ImageData::Raw(size) => View::Texels(raw_bytes(size)),
    }
}

/// Asks the surroundings.
fn ask(
    lane: &Lane,
    image: &Image,
    unit: u32,
    query: ImageQuery,
    view: View,
    values: &[u32],
    around: &mut impl Around,
) -> [u32; 4] {
    let question = Question { unit, indexed: false, shape: image.shape(), query };
    let count = question.coordinates() as u8;
    let mut operands: Vec<u32> =
        (0..count).map(|n| register_of(lane, image.coordinates.further(n))).collect();
    operands.extend_from_slice(values);
    around.image(&ImageAccess { image: question, view, operands: &operands })
}

/// Registers that a mask chooses components for.
fn components(mask: u8) -> impl Iterator<Item = (u8, usize)> {
    (0_u8..).zip((0..4_usize).filter(move |n| mask >> n & 1 != 0))
}

/// An access of one lane; `keeps`: what it writes is kept.
pub(super) fn image(
    lane: &mut Lane,
    operation: &Operation,
    unit: u32,
    keeps: bool,
    around: &mut impl Around,
) -> Result<(), Fault> {
    match *operation {
        Operation::ImageLoad { d, image, data, p } => {
            let texel = ask(lane, &image, unit, ImageQuery::Load, view(&image, data), &[], around);
            match data {
                ImageData::Formatted(mask) => {
                    components(mask).for_each(|(n, component)| write(lane, d.further(n), texel[component]));
                }
                ImageData::Raw(size) => {
                    for n in 0..raw_bytes(size).div_ceil(4) as u8 {
                        let word = texel[usize::from(n) & 3];
                        let word = match size {
                            Size::S8 => word as i8 as u32,
                            Size::S16 => word as i16 as u32,
                            _ => word,
                        };
                        write(lane, d.further(n), word);
                    }
                }
            }
            write_predicate(lane, p, false);
        }
        Operation::ImageStore { image, data, value } => {
            if !keeps {
                return Ok(());
            }
            let mut values = [0; 4];
            match data {
                ImageData::Formatted(mask) => {
                    for (n, component) in components(mask) {
                        values[component] = register_of(lane, value.further(n));
                    }
                }
                ImageData::Raw(size) => {
                    for n in 0..raw_bytes(size).div_ceil(4) as u8 {
                        values[usize::from(n) & 3] = register_of(lane, value.further(n));
                    }
                }
            }
            ask(lane, &image, unit, ImageQuery::Store, view(&image, data), &values, around);
        }
        Operation::ImageAtomic { d, image, op, ty, b, p } => {
            let op = word_operation(op, ty).ok_or(Fault::Unsupported)?;
            let b = register_of(lane, b);
            let old = change(lane, &image, unit, op, &[b], keeps, around);
            finish(lane, d, old, p);
        }
        Operation::ImageCompareAndSwap { d, image, ty, compare, p } => {
            if !matches!(ty, AtomicType::U32 | AtomicType::S32) {
                return Err(Fault::Unsupported);
            }
            let values = [register_of(lane, compare), register_of(lane, compare.further(1))];
            let old = change(lane, &image, unit, AtomicOp::CompareExchange, &values, keeps, around);
            finish(lane, d, old, p);
        }
        _ => return Err(Fault::Unsupported),
    }
    Ok(())
}

fn change(
    lane: &Lane,
    image: &Image,
    unit: u32,
    op: AtomicOp,
    values: &[u32],
    keeps: bool,
    around: &mut impl Around,
) -> u32 {
    let view = if image.bytes { View::Bytes(4) } else { View::Texels(4) };
    if keeps { ask(lane, image, unit, ImageQuery::Atomic(op), view, values, around)[0] } else { 0 }
}

/// Asks an image for its size, as a texture is asked.
pub(super) fn size(
    lane: &mut Lane,
    d: Register,
    (unit, shape): (u32, TextureShape),
    mask: u8,
    around: &mut impl Around,
) {
    let image = Question { unit, indexed: false, shape, query: ImageQuery::Size };
    let answer = around.image(&ImageAccess { image, view: View::Formatted, operands: &[] });
    components(mask).for_each(|(n, component)| write(lane, d.further(n), answer[component]));
}

fn finish(lane: &mut Lane, d: Register, old: u32, p: u8) {
    write(lane, d, old);
    write_predicate(lane, p, false);
}
