//! Images.

use super::super::Register;
use super::super::address_map;
use super::super::operation::{Answer, Atomic, AtomicType, Handle, Image, ImageData, Size};
use super::memory::words;
use super::write::Writer;
use unshade_ir::{self as ir, AtomicOp, ImageQuery, Op, Value};

/// Bytes of a texel, where it is taken for the bits that it is.
fn raw_bytes(data: ImageData) -> Option<u32> {
    match data {
        ImageData::Formatted(_) => None,
        ImageData::Raw(Size::U8 | Size::S8) => Some(1),
        ImageData::Raw(Size::U16 | Size::S16) => Some(2),
        ImageData::Raw(size) => Some(4 * u32::from(words(size))),
    }
}

impl Writer<'_> {
    /// The static part of an access, and its coordinates.
    ///
    /// `raw`: bytes of a texel that is taken for the bits that it is.
    fn image(&mut self, image: &Image, query: ImageQuery, raw: Option<u32>) -> (ir::Image, Vec<Value>) {
        let shape = image.shape();
        let (number, handle) = match image.handle {
            Handle::Bound(word) => (address_map::image(self.maxwell.driver, self.kind, word.into()), None),
            Handle::Register(register) => (address_map::UNKNOWN_IMAGE, Some(self.register(register))),
        };
        let unit = address_map::raw_image(number, raw);
        if image.bytes {
            self.refuse("an image whose coordinates count bytes");
        }
        let access = ir::Image { unit, indexed: handle.is_some(), shape, query };
        let mut operands: Vec<Value> = handle.into_iter().collect();
        for n in 0..access.coordinates() {
            operands.push(self.register(image.coordinates.further(n as u8)));
        }
        (access, operands)
    }

    pub(super) fn image_load(&mut self, d: Register, image: &Image, data: ImageData, p: u8) {
        let raw = raw_bytes(data);
        let (access, operands) = self.image(image, ImageQuery::Load, raw);
        let answer = self.builder.values(Op::Image(access), &operands).to_vec();
        let mask = match data {
            ImageData::Formatted(mask) => mask,
            ImageData::Raw(size) => 0xF >> (4 - words(size)),
        };
        let mut answer = answer;
        if let ImageData::Raw(size @ (Size::U8 | Size::S8 | Size::U16 | Size::S16)) = data {
            let (bits, signed) = match size {
                Size::U8 => (8, false),
                Size::S8 => (8, true),
                Size::U16 => (16, false),
                _ => (16, true),
            };
            answer = answer.iter().map(|value| self.cut(*value, 0, bits, signed)).collect();
        }
        self.put_answer(Answer::Block { first: d, mask }, &answer);
        if p < 7 {
            // Nothing was missing.
            let no = self.truth(false);
            self.set_predicate(p, no);
        }
    }

    pub(super) fn image_store(&mut self, image: &Image, data: ImageData, value: Register) {
        let raw = raw_bytes(data);
        let (access, mut operands) = self.image(image, ImageQuery::Store, raw);
        let count = match data {
            ImageData::Formatted(mask) => mask.count_ones() as u8,
            ImageData::Raw(size) => words(size),
        };
        for n in 0..4 {
            let component = if n < count { self.register(value.further(n)) } else { self.bits(0) };
            let component = match raw {
                // What does not fit does not get there.
                Some(bytes @ 1..=2) if n == 0 => self.cut(component, 0, 8 * bytes, false),
                _ => component,
            };
            operands.push(component);
        }
        self.builder.effect(Op::Image(access), &operands);
    }

    pub(super) fn image_atomic(
        &mut self,
        d: Register,
        image: &Image,
        (op, ty): (Atomic, AtomicType),
        b: Register,
    ) {
        let Some(op) = self.atomic_op(op, ty) else { return };
        let (access, mut operands) = self.image(image, ImageQuery::Atomic(op), Some(4));
        operands.push(self.register(b));
        let old = self.value(Op::Image(access), &operands);
        self.set_register(d, old);
    }

    pub(super) fn image_compare_and_swap(&mut self, d: Register, image: &Image, compare: Register) {
        let (access, mut operands) =
            self.image(image, ImageQuery::Atomic(AtomicOp::CompareExchange), Some(4));
        operands.push(self.register(compare));
        operands.push(self.register(compare.further(1)));
        let old = self.value(Op::Image(access), &operands);
        self.set_register(d, old);
    }
}
