//! Questions to textures.

use super::super::{Expr, ExprKind, Fetch, GlobalRef, Scalar};
use super::forms::{add, literal, ty};
use super::operands::Operand;
use super::packs::Lanes;
use super::statements::Unit;
use crate::{Inst, Texture, TextureLevel, Value};
use smallvec::SmallVec;

/// Operands of a question, apart.
struct Parts<'v> {
    index: Option<Value>,
    coordinates: &'v [Value],
    reference: Option<Value>,
    /// One operand, or two gradients; the offsets of a gather.
    levels: SmallVec<[&'v [Value]; 2]>,
}

impl<'v> Parts<'v> {
    fn of(texture: Texture, args: &'v [Value]) -> Self {
        let (index, rest) = args.split_at(usize::from(texture.indexed).min(args.len()));
        let (coordinates, rest) = rest.split_at(texture.coordinates().min(rest.len()));
        let (reference, levels) = rest.split_at(usize::from(texture.shadow).min(rest.len()));
        let step = match texture.level {
            TextureLevel::Gradients => texture.shape.axes(),
            _ if texture.moved => texture.offset_operands(),
            _ => 1,
        };
        Self {
            index: index.first().copied(),
            coordinates,
            reference: reference.first().copied(),
            levels: levels.chunks(step).take(2).collect(),
        }
    }
}

impl Unit<'_> {
    /// What a question takes: index, coordinates, reference, level.
    pub(super) fn fetch_operands(&self, texture: Texture, args: &[Value]) -> SmallVec<[Operand; 3]> {
        let parts = Parts::of(texture, args);
        let vectors = (!parts.coordinates.is_empty()).then_some(parts.coordinates);
        let index = parts.index.map(Operand::one);
        let reference = parts.reference.map(Operand::one);
        let vector = |values: &[Value]| Operand::of(Lanes::from_slice(values));
        let coordinates = vectors.map(vector);
        index
            .into_iter()
            .chain(coordinates)
            .chain(reference)
            .chain(parts.levels.into_iter().map(vector))
            .collect()
    }

    /// The expression of a question, all four channels.
    pub(super) fn fetch(&mut self, texture: Texture, inst: &Inst) -> Expr {
        let scalar = self.interface.texel(texture);
        let Some((sampler, first)) = self.interface.sampler(texture) else {
            return literal(scalar, &[0; 4]);
        };
        self.interface.use_global(sampler);
        let parts = Parts::of(texture, &inst.args);
        let index = parts.index.map(|index| self.gather(&[index], Scalar::Int));
        let element = match (index, first) {
            (Some(index), Some(first)) if first > 0 => {
                Some(add(index, literal(Scalar::Int, &[first.into()])))
            }
            (Some(index), _) => Some(index),
            (None, first) => first.map(|first| literal(Scalar::Int, &[first.into()])),
        };
        let kind = if texture.is_integer() { Scalar::Int } else { Scalar::Float };
        let coordinates = match parts.coordinates {
            [] => None,
            coordinates => Some(self.gather(coordinates, kind)),
        };
        let reference = parts.reference.map(|reference| self.gather(&[reference], Scalar::Float));
        let of_level = if texture.moved { Scalar::Int } else { kind };
        let levels = parts.levels.into_iter().map(|level| self.gather(level, of_level)).collect();
        let fetch = Fetch { sampler: GlobalRef(sampler), element, texture, coordinates, reference, levels };
        Expr::new(ty(scalar, 4), ExprKind::Texture(Box::new(fetch)))
    }
}
