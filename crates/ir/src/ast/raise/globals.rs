//! Globals and their elements as expressions.

use super::super::{Binary, Expr, ExprKind, GlobalRef, Scalar};
use super::forms::{add, binary, convert, literal, swizzle, ty};
use super::interface::Indexed;
use super::statements::Unit;
use crate::{Access, Shape, Value};

impl Unit<'_> {
    /// Components of a global, or of an element of it, as the machine's words are read.
    pub(super) fn global_lanes(&mut self, global: u32, element: Option<u32>, lanes: &[u8]) -> Expr {
        let whole = match (self.interface.global(global).shape, element) {
            (Shape::Matrix { columns, elements, .. }, element) => {
                let (at, column) = split(element.unwrap_or(0), columns);
                let at = (elements > 0).then(|| Box::new(number(at)));
                self.declared(global, ExprKind::Column(GlobalRef(global), at, Box::new(number(column))))
            }
            (_, element) => {
                let index = element.map(|element| Box::new(number(element)));
                self.declared(global, ExprKind::Global(GlobalRef(global), index))
            }
        };
        self.as_read(global, swizzle(whole, lanes))
    }

    /// Components of the element that an index means: `first` at index 0, `steps` further with each step of it.
    pub(super) fn indexed_lanes(&mut self, found: Indexed, index: Expr, lanes: &[u8]) -> Option<Expr> {
        let Indexed::Elements { global, first, steps, .. } = found else { return None };
        let whole = match self.interface.global(global).shape {
            Shape::Matrix { columns, elements, .. } => {
                let (at, column) = split(first, columns);
                let (at, column) = if elements == 0 {
                    (None, moved(index, column))
                } else if steps == u32::from(columns) {
                    (Some(Box::new(moved(index, at))), number(column))
                } else {
                    // Columns in a row through several matrices.
                    let flat = moved(index, first);
                    let quotient = binary(Binary::Div, flat.clone(), number(columns.into()));
                    let whole = binary(Binary::Mul, quotient.clone(), number(columns.into()));
                    (Some(Box::new(quotient)), binary(Binary::Sub, flat, whole))
                };
                self.declared(global, ExprKind::Column(GlobalRef(global), at, Box::new(column)))
            }
            _ => {
                let scaled = if steps == 1 { index } else { binary(Binary::Mul, index, number(steps)) };
                let index = Some(Box::new(moved(scaled, first)));
                self.declared(global, ExprKind::Global(GlobalRef(global), index))
            }
        };
        Some(self.as_read(global, swizzle(whole, lanes)))
    }

    /// The element of an array of matrices that a fixed or a dynamic index means.
    pub(super) fn matrix_element(&mut self, global: u32, first: u32, index: Option<Value>) -> Option<Expr> {
        let Shape::Matrix { elements: 1.., .. } = self.interface.global(global).shape else { return None };
        Some(match index {
            Some(index) => moved(self.gather(&[index], Scalar::Int), first),
            None => number(first),
        })
    }

    /// An expression of the type that a global is declared with.
    fn declared(&mut self, global: u32, kind: ExprKind) -> Expr {
        self.interface.use_global(global);
        let scalar = match self.interface.global(global).shape {
            Shape::Int { .. } => Scalar::Int,
            Shape::Uint { .. } => Scalar::Uint,
            Shape::Bool { .. } => Scalar::Bool,
            Shape::Float { .. } | Shape::Matrix { .. } | Shape::Sampler { .. } | Shape::Image { .. } => {
                Scalar::Float
            }
        };
        Expr::new(ty(scalar, self.interface.components(global).into()), kind)
    }

    /// The declared value as the float that the words hold.
    fn as_read(&self, global: u32, value: Expr) -> Expr {
        let read = self.interface.scalar(global);
        if value.ty.scalar == read { value } else { convert(read, value) }
    }

    /// Whether a dynamic index is written twice.
    pub(super) fn repeats_index(&self, access: Access) -> bool {
        match self.interface.indexed(access) {
            Some(Indexed::Elements { global, steps, .. }) => {
                matches!(self.interface.global(global).shape, Shape::Matrix { columns, elements: 1.., .. }
                    if steps != u32::from(columns))
            }
            _ if matches!(access.space, crate::Space::Shared | crate::Space::Storage) => false,
            _ => access.space == crate::Space::Local || !access.stride.is_multiple_of(4),
        }
    }
}

fn number(value: u32) -> Expr {
    literal(Scalar::Int, &[value.into()])
}

/// `index + by`.
fn moved(index: Expr, by: u32) -> Expr {
    match by {
        0 => index,
        by => add(index, number(by)),
    }
}

/// Element and column of a column counted through all elements.
fn split(flat: u32, columns: u8) -> (u32, u32) {
    let columns = u32::from(columns.max(1));
    (flat / columns, flat % columns)
}
