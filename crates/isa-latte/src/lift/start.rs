//! What registers hold when a program starts, in the words of a shading language.
//!
//! The console's hardware puts window coordinates, the facing and offsets of vertices into registers in its own way.
//! The lifted program reads what a shading language has instead, and makes the machine's value of it; whoever compares
//! both sides gives the interpreter what [`start`] says.

use super::super::bindings::{
    FRAG_COORD_BINDING, FRONT_FACING_BINDING, POINT_COORD_BINDING, REGISTER_BINDING,
};
use super::super::ring::{VERTEX_WORDS, item_words};
use unshade_stage::latte::Scalar;
use unshade_stage::{Latte, StageKind};

/// Where the first value of a register's component comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Start {
    /// A word of that input binding.
    Word(u32, u32),
    /// The reciprocal of one, by [`unshade_ir::Op::FRcp`] with the machine's float rules.
    Reciprocal(u32, u32),
    /// All bits where that word is not 0.0, else none.
    Mask(u32, u32),
    /// Always this.
    Constant(u32),
}

/// What a component of a register holds at the start.
pub fn start(kind: StageKind, latte: &Latte, register: u8, component: u8) -> Start {
    let word = 4 * u32::from(register) + u32::from(component);
    match kind {
        StageKind::Fragment => pixel(latte, register, component),
        StageKind::Geometry => match VERTEX_WORDS.iter().position(|known| *known == word) {
            Some(vertex) => Start::Constant(vertex as u32 * item_words(latte)),
            None => Start::Word(REGISTER_BINDING, word),
        },
        _ if latte.copy_program && word == 0 => Start::Constant(0),
        _ => vertex(latte, register, component),
    }
}

fn pixel(latte: &Latte, register: u8, component: u8) -> Start {
    let number = component.into();
    if latte.frag_coord == Some(register) {
        return match component {
            3 => Start::Reciprocal(FRAG_COORD_BINDING, 3),
            _ => Start::Word(FRAG_COORD_BINDING, number),
        };
    }
    if let Some(face) = latte.front_face
        && (face.register, face.component) == (register, component)
    {
        return match face.all_bits {
            true => Start::Mask(FRONT_FACING_BINDING, 0),
            false => Start::Word(FRONT_FACING_BINDING, 0),
        };
    }
    let input = latte.inputs.get(usize::from(register));
    if latte.point_coord == Some(register) || input.is_some_and(|input| input.point_coord) {
        return match component {
            0 | 1 => Start::Word(POINT_COORD_BINDING, number),
            2 => Start::Constant(0),
            _ => Start::Constant(1.0_f32.to_bits()),
        };
    }
    if input.is_none() && !latte.inputs.is_empty() {
        return Start::Constant(0);
    }
    Start::Word(REGISTER_BINDING, 4 * u32::from(register) + number)
}

fn vertex(latte: &Latte, register: u8, component: u8) -> Start {
    let word = Start::Word(REGISTER_BINDING, 4 * u32::from(register) + u32::from(component));
    if latte.semantics.is_empty() {
        return word;
    }
    let Some(place) = register.checked_sub(1) else {
        // Vertex and instance numbers.
        return if matches!(component, 0 | 3) { word } else { Start::Constant(0) };
    };
    let Some(location) = latte.semantics.get(usize::from(place)).copied().flatten() else {
        return Start::Constant(0);
    };
    let attribute = latte.attributes.iter().filter(|known| known.location <= location.into());
    let attribute = attribute.max_by_key(|known| known.location);
    match attribute.and_then(|known| known.ty.shape()) {
        Some((scalar, _, rows)) if u32::from(component) >= rows => {
            let float = matches!(scalar, Scalar::Float | Scalar::Double);
            Start::Constant(match (component, float) {
                (3, true) => 1.0_f32.to_bits(),
                (3, false) => 1,
                _ => 0,
            })
        }
        _ => word,
    }
}
