//! How types lie in memory: std140, std430, scalar.

use super::{Length, StructId, Type, Types};
use std::collections::HashMap;

/// The rule by which the members of a block are placed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Packing {
    /// `shared`, also where nothing is said: the implementation's own; offsets here are those of std140.
    #[default]
    Shared,
    /// `packed`: the implementation's own without what is not used; offsets here are those of std140.
    Packed,
    /// Arrays and structures begin at multiples of 16 bytes.
    Std140,
    /// As `std140` without that rounding.
    Std430,
    /// Vulkan's scalar layout: everything is aligned as its scalars are.
    Scalar,
}

/// Where a type lies and how large it is, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Extent {
    /// Its offset is a multiple of this.
    pub align: u32,
    /// Its size; of an array without a size, 0.
    pub size: u32,
    /// From one element of an array to the next, 0 if it is none. Of an array of arrays, that of the outer one.
    pub array_stride: u32,
    /// From one column of a matrix to the next (of a row, if it is row-major); 0 where there is no matrix. Of an array, that of its
    /// innermost element.
    pub matrix_stride: u32,
}

/// Extents of structures that are known: a structure in a structure in a structure is laid out once.
pub type Extents = HashMap<(StructId, Packing, bool), Extent>;

/// The extent of a type. `row_major` says how matrices in it lie.
pub fn extent(types: &Types, ty: Type, packing: Packing, row_major: bool) -> Extent {
    extent_with(types, ty, packing, row_major, &mut Extents::new())
}

/// The extent of a type, with those of structures that are known from before.
pub fn extent_with(
    types: &Types,
    ty: Type,
    packing: Packing,
    row_major: bool,
    known: &mut Extents,
) -> Extent {
    let vector = |scalar: super::Scalar, size: u8| {
        let (bytes, size) = (scalar.size(), u32::from(size));
        let align = match (packing, size) {
            (Packing::Scalar, _) => bytes,
            (_, 3) => bytes * 4,
            _ => bytes * size,
        };
        Extent { align, size: bytes * size, ..Extent::default() }
    };
    match ty {
        Type::Scalar(scalar) => vector(scalar, 1),
        Type::Vector(scalar, size) => vector(scalar, size),
        Type::Matrix(scalar, columns, rows) => {
            let (count, size) = if row_major { (rows, columns) } else { (columns, rows) };
            let one = vector(scalar, size);
            let align = rounded(one.align, packing);
            let stride = one.size.next_multiple_of(align.max(1));
            Extent { align, size: stride * u32::from(count), array_stride: 0, matrix_stride: stride }
        }
        Type::Array(id) => {
            let array = types.get_array(id);
            let one = extent_with(types, array.element, packing, row_major, known);
            let align = rounded(one.align, packing);
            let stride = next_multiple(one.size, align);
            let count = match array.length {
                Length::Known(count) | Length::Specialized(count, _) => count,
                Length::Implicit | Length::Runtime => 0,
            };
            Extent {
                align,
                size: stride.saturating_mul(count),
                array_stride: stride,
                matrix_stride: one.matrix_stride,
            }
        }
        Type::Struct(id) => {
            if let Some(extent) = known.get(&(id, packing, row_major)) {
                return *extent;
            }
            let (_, whole) = members_with(types, ty, packing, row_major, known);
            known.insert((id, packing, row_major), whole);
            whole
        }
        // Handles of bindless textures are two words.
        Type::Opaque(_) => Extent { align: 8, size: 8, ..Extent::default() },
        Type::AtomicCounter => Extent { align: 4, size: 4, ..Extent::default() },
        Type::Void => Extent { align: 1, ..Extent::default() },
    }
}

/// The offset and extent of each member of a structure, and the extent of the whole.
pub fn members(types: &Types, ty: Type, packing: Packing, row_major: bool) -> (Vec<(u32, Extent)>, Extent) {
    members_with(types, ty, packing, row_major, &mut Extents::new())
}

fn members_with(
    types: &Types,
    ty: Type,
    packing: Packing,
    row_major: bool,
    known: &mut Extents,
) -> (Vec<(u32, Extent)>, Extent) {
    let Type::Struct(id) = ty else { return (Vec::new(), Extent::default()) };
    let mut placed = Vec::new();
    let (mut end, mut align) = (0u32, 1);
    for member in &types.structure(id).members {
        let one = extent_with(types, member.ty, packing, row_major, known);
        let offset = next_multiple(end, one.align);
        placed.push((offset, one));
        align = align.max(one.align);
        end = offset.saturating_add(one.size);
    }
    let align = rounded(align, packing);
    (placed, Extent { align, size: next_multiple(end, align), ..Extent::default() })
}

/// The alignment of arrays and structures.
fn rounded(align: u32, packing: Packing) -> u32 {
    match packing {
        Packing::Std430 | Packing::Scalar => align,
        _ => next_multiple(align, 16),
    }
}

/// The next multiple; the largest number where there is none.
pub fn next_multiple(value: u32, of: u32) -> u32 {
    value.checked_next_multiple_of(of.max(1)).unwrap_or(u32::MAX)
}
