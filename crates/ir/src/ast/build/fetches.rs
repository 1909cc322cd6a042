//! Texture fetches.

use super::super::{Expr, ExprKind, Fetch, GlobalRef, Scalar};
use super::expressions::{add, literal, ty};
use super::operands::Operand;
use super::packs::Lanes;
use super::statements::Unit;
use crate::{Inst, Texture, TextureLevel, Value};
use smallvec::SmallVec;

impl Unit<'_> {
    /// What a fetch takes: index, coordinates, level.
    pub(super) fn fetch_operands(&self, texture: Texture, args: &[Value]) -> SmallVec<[Operand; 3]> {
        let (index, rest) = args.split_at(usize::from(texture.indexed).min(args.len()));
        let (coordinates, level) = rest.split_at(texture.shape.coordinates().min(rest.len()));
        let mut operands: SmallVec<[Operand; 3]> = index.iter().copied().map(Operand::one).collect();
        operands.push(Operand::of(Lanes::from_slice(coordinates)));
        operands.extend(level.iter().copied().map(Operand::one));
        operands
    }

    /// The expression of a fetch, all four channels.
    pub(super) fn fetch(&mut self, texture: Texture, inst: &Inst) -> Expr {
        let zero = || literal(Scalar::Float, &[0; 4]);
        let Some((sampler, first)) = self.interface.sampler(texture) else { return zero() };
        self.interface.use_global(sampler);
        let mut args = &inst.args[..];
        let index = match args.split_first() {
            Some((index, rest)) if texture.indexed => {
                args = rest;
                Some(self.gather(&[*index], Scalar::Int))
            }
            _ => None,
        };
        let element = match (index, first) {
            (Some(index), Some(first)) if first > 0 => Some(add(index, literal(Scalar::Int, &[first]))),
            (Some(index), _) => Some(index),
            (None, first) => first.map(|first| literal(Scalar::Int, &[first])),
        };
        let (coordinates, level) = args.split_at(texture.shape.coordinates().min(args.len()));
        let coordinates = self.gather(coordinates, Scalar::Float);
        let lod = match texture.level {
            TextureLevel::Quad => None,
            TextureLevel::Bias | TextureLevel::Given => {
                level.first().map(|level| self.gather(&[*level], Scalar::Float))
            }
        };
        let (shape, level) = (texture.shape, texture.level);
        let fetch = Fetch { sampler: GlobalRef(sampler), element, shape, coordinates, level, lod };
        Expr { ty: ty(Scalar::Float, 4), kind: ExprKind::Texture(Box::new(fetch)) }
    }
}
