//! Textures. The long forms have coordinates in a block of registers from A on, the layer of an array before
//! them, and what else they need in a block from B on: handle, level or bias, offsets, reference. The short forms
//! divide the same among A and B by tables. Sources: Mesa's nv50_ir for this generation and the decoders of two
//! emulators, which agree.

use crate::operation::{
    Answer, Dimension, Handle, Level, LevelClamp, Offset, Operation, Register, Texture, TextureOperation,
};
use crate::word::Word;

/// Hands out the registers of a block one after the other.
struct Block(Register);

impl Block {
    fn take(&mut self) -> Register {
        let register = self.0;
        self.0 = register.further(1);
        register
    }
}

/// Offsets of samples and fetches.
const NIBBLES: Offset = Offset::One { at: 0, step: 4, bits: 4 };
/// Offsets of gathers.
const BYTES: Offset = Offset::One { at: 0, step: 8, bits: 6 };

fn dimension(w: Word, at: u32) -> (Dimension, bool) {
    let number = w.bits(at, 3);
    let dimension = match number >> 1 {
        0 => Dimension::D1,
        1 => Dimension::D2,
        2 => Dimension::D3,
        _ => Dimension::Cube,
    };
    (dimension, number & 1 == 1)
}

fn axes(dimension: Dimension) -> usize {
    match dimension {
        Dimension::D1 | Dimension::Buffer => 1,
        Dimension::D2 => 2,
        Dimension::D3 | Dimension::Cube => 3,
    }
}

/// Coordinates from a block, as many as the dimension has.
fn coordinates(block: &mut Block, dimension: Dimension) -> [Register; 3] {
    let mut all = [Register::ZERO; 3];
    for register in all.iter_mut().take(axes(dimension)) {
        *register = block.take();
    }
    all
}

fn bound(w: Word) -> Handle {
    Handle::Bound(w.bits(36, 13) as u16)
}

/// A texture access that asks for nothing special.
fn plain(w: Word, operation: TextureOperation, dimension: Dimension, handle: Handle) -> Texture {
    Texture {
        operation,
        dimension,
        handle,
        layer: None,
        coordinates: [Register::ZERO; 3],
        level: Level::Quad,
        level_operand: None,
        clamp: LevelClamp::None,
        offset: Offset::None,
        offset_operand: None,
        reference: None,
        gradients: None,
        sample: None,
        answer: Answer::Block { first: w.register(0), mask: w.bits(31, 4) as u8 },
        resident: w.predicate(51),
        no_derivatives: false,
    }
}

/// Handle of a long form, from the start of block B where it is in a register.
fn handle(w: Word, bindless: bool, block: &mut Block) -> Handle {
    if bindless { Handle::Register(block.take()) } else { bound(w) }
}

/// Layer and coordinates of a long form.
fn place(w: Word, texture: &mut Texture) {
    let (dimension, array) = dimension(w, 28);
    let mut block = Block(w.register(8));
    texture.layer = array.then(|| block.take());
    texture.coordinates = coordinates(&mut block, dimension);
}

/// `TEX`.
pub(super) fn sample(w: Word, bindless: bool) -> Option<Operation> {
    let (level_at, offset, clamp) = if bindless { (37, 36, 40) } else { (55, 54, 58) };
    let level = match w.bits(level_at, 3) {
        0 => Level::Quad,
        1 => Level::Zero,
        2 => Level::Bias,
        3 => Level::Given,
        6 => Level::BiasAligned,
        7 => Level::GivenAligned,
        _ => return None,
    };
    let mut block = Block(w.register(20));
    let handle = handle(w, bindless, &mut block);
    let mut texture = plain(w, TextureOperation::Sample, dimension(w, 28).0, handle);
    place(w, &mut texture);
    texture.level = level;
    texture.no_derivatives = w.bit(35);
    if !matches!(level, Level::Quad | Level::Zero) {
        texture.level_operand = Some(block.take());
    }
    if w.bit(offset) {
        texture.offset = NIBBLES;
        texture.offset_operand = Some(block.take());
    }
    if w.bit(50) {
        texture.reference = Some(block.take());
    }
    if w.bit(clamp) {
        texture.clamp = LevelClamp::Register(block.take());
    }
    Some(Operation::Texture(texture))
}

/// `TLD`.
pub(super) fn fetch(w: Word, bindless: bool) -> Option<Operation> {
    let mut block = Block(w.register(20));
    let handle = handle(w, bindless, &mut block);
    let mut texture = plain(w, TextureOperation::Fetch, dimension(w, 28).0, handle);
    place(w, &mut texture);
    texture.level = Level::Zero;
    if w.bit(55) {
        texture.level = Level::Given;
        texture.level_operand = Some(block.take());
    }
    if w.bit(35) {
        texture.offset = NIBBLES;
        texture.offset_operand = Some(block.take());
    }
    if w.bit(50) {
        texture.sample = Some(block.take());
    }
    if w.bit(54) {
        texture.clamp = LevelClamp::Register(block.take());
    }
    Some(Operation::Texture(texture))
}

/// `TLD4`.
pub(super) fn gather(w: Word, bindless: bool) -> Option<Operation> {
    let (offset, component) = if bindless { (36, 38) } else { (54, 56) };
    let mut block = Block(w.register(20));
    let handle = handle(w, bindless, &mut block);
    let operation = TextureOperation::Gather(w.bits(component, 2) as u8);
    let mut texture = plain(w, operation, dimension(w, 28).0, handle);
    place(w, &mut texture);
    texture.level = Level::Zero;
    texture.no_derivatives = w.bit(35);
    match w.bits(offset, 2) {
        0 => {}
        1 => {
            texture.offset = BYTES;
            texture.offset_operand = Some(block.take());
        }
        2 => {
            texture.offset = Offset::Four;
            texture.offset_operand = Some(block.take());
            block.take();
        }
        _ => return None,
    }
    texture.reference = w.bit(50).then(|| block.take());
    Some(Operation::Texture(texture))
}

/// `TXD`: block A has the handle, the coordinates, and a word with layer, offsets and clamp; block B the gradients.
pub(super) fn gradient(w: Word, bindless: bool) -> Option<Operation> {
    let mut block = Block(w.register(8));
    let handle = handle(w, bindless, &mut block);
    let (dimension, array) = dimension(w, 28);
    let mut texture = plain(w, TextureOperation::Gradient, dimension, handle);
    texture.coordinates = coordinates(&mut block, dimension);
    let packed = block.take();
    let clamped = w.bit(50);
    texture.layer = array.then_some(packed);
    if w.bit(35) {
        texture.offset = Offset::One { at: if clamped { 12 } else { 16 }, step: 4, bits: 4 };
        texture.offset_operand = Some(packed);
    }
    if clamped {
        texture.clamp = LevelClamp::Packed(packed);
    }
    texture.gradients = Some(w.register(20));
    Some(Operation::Texture(texture))
}

/// `TMML`: level of detail, clamped in 1/256 as the first component and unclamped as the second.
pub(super) fn level(w: Word, bindless: bool) -> Option<Operation> {
    let mut block = Block(w.register(20));
    let handle = handle(w, bindless, &mut block);
    let mut texture = plain(w, TextureOperation::Level, dimension(w, 28).0, handle);
    place(w, &mut texture);
    texture.no_derivatives = w.bit(35);
    texture.resident = 7;
    Some(Operation::Texture(texture))
}

/// `TXA`.
pub(super) fn address(w: Word) -> Option<Operation> {
    let mut texture = plain(w, TextureOperation::Address, Dimension::D1, bound(w));
    texture.coordinates = coordinates(&mut Block(w.register(8)), Dimension::D1);
    texture.no_derivatives = w.bit(35);
    texture.resident = 7;
    Some(Operation::Texture(texture))
}

/// `TXQ`.
pub(super) fn query(w: Word, bindless: bool) -> Option<Operation> {
    let query = w.bits(22, 6) as u8;
    if !matches!(query, 1 | 2 | 5 | 16 | 18 | 20 | 22) {
        return None;
    }
    let mut block = Block(w.register(8));
    let handle = handle(w, bindless, &mut block);
    let mask = w.bits(31, 4) as u8;
    Some(Operation::TextureQuery { d: w.register(0), a: block.take(), handle, query, mask })
}

/// Components of a short form: one table where there is no second pair of registers, another where there is.
fn short_answer(w: Word, halves: bool) -> Option<Answer> {
    let (low, high) = (w.register(0), w.register(28));
    let number = w.bits(50, 3) as usize;
    let mask = if high.is_zero() {
        [0b0001, 0b0010, 0b0100, 0b1000, 0b0011, 0b1001, 0b1010, 0b1100].get(number)
    } else {
        [0b0111, 0b1011, 0b1101, 0b1110, 0b1111].get(number)
    };
    Some(Answer::Pairs { low, high, mask: *mask?, halves })
}

/// `TEXS`.
pub(super) fn short_sample(w: Word, halves: bool) -> Option<Operation> {
    let (a, b) = (w.register(8), w.register(20));
    let (a1, b1) = (a.further(1), b.further(1));
    let none = Register::ZERO;
    let (level, dimension) = match w.bits(53, 4) {
        0 => (Level::Zero, Dimension::D1),
        1 | 4 => (Level::Quad, Dimension::D2),
        2 | 6 | 8 | 9 => (Level::Zero, Dimension::D2),
        3 | 5 => (Level::Given, Dimension::D2),
        7 => (Level::Quad, Dimension::D2),
        10 => (Level::Quad, Dimension::D3),
        11 => (Level::Zero, Dimension::D3),
        12 => (Level::Quad, Dimension::Cube),
        13 => (Level::Given, Dimension::Cube),
        _ => return None,
    };
    let mut texture = plain(w, TextureOperation::Sample, dimension, bound(w));
    texture.level = level;
    texture.resident = 7;
    texture.answer = short_answer(w, halves)?;
    texture.coordinates = match w.bits(53, 4) {
        0 => [a, none, none],
        1 | 2 => [a, b, none],
        3..=6 => [a, a1, none],
        7..=9 => [a1, b, none],
        _ => [a, a1, b],
    };
    match w.bits(53, 4) {
        3 => texture.level_operand = Some(b),
        4 | 6 => texture.reference = Some(b),
        5 => {
            texture.level_operand = Some(b);
            texture.reference = Some(b1);
        }
        7 | 8 => texture.layer = Some(a),
        9 => {
            texture.layer = Some(a);
            texture.reference = Some(b1);
        }
        13 => texture.level_operand = Some(b1),
        _ => {}
    }
    Some(Operation::Texture(texture))
}

/// `TLDS`.
pub(super) fn short_fetch(w: Word, halves: bool) -> Option<Operation> {
    let (a, b) = (w.register(8), w.register(20));
    let (a1, b1) = (a.further(1), b.further(1));
    let none = Register::ZERO;
    let number = w.bits(53, 4);
    let (dimension, coordinates) = match number {
        0 | 1 => (Dimension::D1, [a, none, none]),
        2 => (Dimension::D2, [a, b, none]),
        4 | 5 | 6 | 12 => (Dimension::D2, [a, a1, none]),
        7 => (Dimension::D3, [a, a1, b]),
        // Both emulators: the layer alone in A, the place in the pair from B on; not as `TEXS` has it.
        8 => (Dimension::D2, [b, b1, none]),
        _ => return None,
    };
    let mut texture = plain(w, TextureOperation::Fetch, dimension, bound(w));
    texture.level = Level::Zero;
    texture.resident = 7;
    texture.answer = short_answer(w, halves)?;
    texture.coordinates = coordinates;
    match number {
        1 | 5 => {
            texture.level = Level::Given;
            texture.level_operand = Some(b);
        }
        4 => {
            texture.offset = NIBBLES;
            texture.offset_operand = Some(b);
        }
        6 => texture.sample = Some(b),
        8 => texture.layer = Some(a),
        12 => {
            texture.level = Level::Given;
            texture.level_operand = Some(b);
            texture.offset = NIBBLES;
            texture.offset_operand = Some(b1);
        }
        _ => {}
    }
    Some(Operation::Texture(texture))
}

/// `TLD4S`: four answers, two in each pair of registers.
pub(super) fn short_gather(w: Word, halves: bool) -> Option<Operation> {
    let (a, b) = (w.register(8), w.register(20));
    let operation = TextureOperation::Gather(w.bits(52, 2) as u8);
    let mut texture = plain(w, operation, Dimension::D2, bound(w));
    let (compared, offset) = (w.bit(50), w.bit(51));
    texture.level = Level::Zero;
    texture.resident = 7;
    texture.answer = Answer::Pairs { low: w.register(0), high: w.register(28), mask: 0b1111, halves };
    texture.coordinates =
        if compared || offset { [a, a.further(1), Register::ZERO] } else { [a, b, Register::ZERO] };
    let mut block = Block(b);
    if offset {
        texture.offset = BYTES;
        texture.offset_operand = Some(block.take());
    }
    texture.reference = compared.then(|| block.take());
    Some(Operation::Texture(texture))
}
