//! Values known to the compiler.

use crate::types::Type;

/// A scalar whose kind is known from elsewhere. It is always as its type would hold it: wrapped to the width, rounded.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Value {
    /// `bool`
    Bool(bool),
    /// Signed whole numbers of any width.
    Int(i64),
    /// Unsigned whole numbers of any width.
    Uint(u64),
    /// Floats of any width: those of 32 and 16 bits are rounded to these.
    Float(f64),
}

/// A constant of any type but opaque ones.
#[derive(Debug, Clone, PartialEq)]
pub struct Constant {
    /// Its type.
    pub ty: Type,
    /// Its scalars in order: matrices by column, arrays by element, structures by member.
    pub values: Box<[Value]>,
}
