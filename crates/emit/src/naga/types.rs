//! Types of the tree as types of naga.

use ::naga::{ArraySize, Handle, Module, Scalar, ScalarKind, Span, Type, TypeInner, VectorSize};
use std::num::NonZeroU32;
use unshade_ir::ast;

pub(super) fn scalar(scalar: ast::Scalar) -> Scalar {
    match scalar {
        ast::Scalar::Bool => Scalar::BOOL,
        ast::Scalar::Int => Scalar::I32,
        ast::Scalar::Uint => Scalar::U32,
        ast::Scalar::Float => Scalar::F32,
        ast::Scalar::Double => Scalar::F64,
    }
}

pub(super) fn kind(scalar: ast::Scalar) -> ScalarKind {
    self::scalar(scalar).kind
}

/// Size of a vector; `None`: a scalar.
pub(super) fn size(components: u8) -> Option<VectorSize> {
    match components {
        2 => Some(VectorSize::Bi),
        3 => Some(VectorSize::Tri),
        4 => Some(VectorSize::Quad),
        _ => None,
    }
}

fn insert(module: &mut Module, inner: TypeInner) -> Handle<Type> {
    module.types.insert(Type { name: None, inner }, Span::UNDEFINED)
}

/// A scalar or vector.
pub(super) fn value(module: &mut Module, ty: ast::Type) -> Handle<Type> {
    let scalar = scalar(ty.scalar);
    let inner = match size(ty.components) {
        Some(size) => TypeInner::Vector { size, scalar },
        None => TypeInner::Scalar(scalar),
    };
    insert(module, inner)
}

/// An array of 32-bit words, of vectors or scalars; `stride` in bytes.
pub(super) fn array(module: &mut Module, base: Handle<Type>, count: u32, stride: u32) -> Handle<Type> {
    let count = NonZeroU32::new(count).unwrap_or(NonZeroU32::MIN);
    insert(module, TypeInner::Array { base, size: ArraySize::Constant(count), stride })
}

/// A matrix of so many columns.
pub(super) fn matrix(module: &mut Module, columns: VectorSize, rows: VectorSize) -> Handle<Type> {
    insert(module, TypeInner::Matrix { columns, rows, scalar: Scalar::F32 })
}

/// Bytes from one element to the next in an array that is not in a buffer.
pub(super) fn packed_stride(components: u8) -> u32 {
    match components {
        1 => 4,
        2 => 8,
        _ => 16,
    }
}
