//! Names of types.

use unshade_ir::ast::{Scalar, Type};

/// Name of a scalar or vector type.
pub(super) fn name(ty: Type) -> &'static str {
    let of_scalar = match ty.scalar {
        Scalar::Bool => ["bool", "bvec2", "bvec3", "bvec4"],
        Scalar::Int => ["int", "ivec2", "ivec3", "ivec4"],
        Scalar::Uint => ["uint", "uvec2", "uvec3", "uvec4"],
        Scalar::Float => ["float", "vec2", "vec3", "vec4"],
        Scalar::Double => ["double", "dvec2", "dvec3", "dvec4"],
    };
    of_scalar[usize::from(ty.components.clamp(1, 4) - 1)]
}

/// Name of a matrix type. GLSL counts columns first.
pub(super) fn matrix(columns: u8, rows: u8) -> &'static str {
    const NAMES: [[&str; 3]; 3] =
        [["mat2", "mat2x3", "mat2x4"], ["mat3x2", "mat3", "mat3x4"], ["mat4x2", "mat4x3", "mat4"]];
    NAMES[usize::from(columns.clamp(2, 4) - 2)][usize::from(rows.clamp(2, 4) - 2)]
}
