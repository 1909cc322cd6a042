//! Types as far as registers are concerned.

use naga::{Handle, Module, ScalarKind, Type, TypeInner};
use unshade_bytes::problem::{Problem, Result};

/// How the values of a type lie in registers.
#[derive(Debug, Clone, PartialEq)]
pub enum Shape {
    /// A number, truth or vector: one register.
    Vector {
        /// Components.
        width: u8,
        /// Of what.
        kind: Kind,
    },
    /// A matrix: a register for each row, as programs for the machine upload it.
    Matrix {
        /// Columns: components of a register.
        columns: u8,
        /// Rows: registers.
        rows: u8,
    },
    /// Elements one behind the other.
    Array {
        /// Of what.
        of: Box<Self>,
        /// How many.
        count: u16,
    },
    /// Members one behind the other.
    Struct {
        /// Names and shapes.
        members: Vec<(String, Self)>,
    },
}

/// What components are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Floating-point numbers.
    Float,
    /// Whole numbers.
    Signed,
    /// Whole numbers from 0 on.
    Unsigned,
    /// Truths.
    Bool,
}

impl Kind {
    /// Whether it is a kind of whole numbers.
    pub fn is_whole(self) -> bool {
        matches!(self, Self::Signed | Self::Unsigned)
    }

    /// The kind of a scalar type.
    pub fn of(kind: ScalarKind) -> Self {
        match kind {
            ScalarKind::Sint | ScalarKind::AbstractInt => Self::Signed,
            ScalarKind::Uint => Self::Unsigned,
            ScalarKind::Bool => Self::Bool,
            ScalarKind::Float | ScalarKind::AbstractFloat => Self::Float,
        }
    }
}

/// Elements that arrays may have in all: far more than there are registers, so that constant arrays that are never stored
/// fit.
const ELEMENTS: u32 = 4096;
/// How deep types may nest.
const DEPTH: u8 = 16;

impl Shape {
    /// Registers that it takes.
    pub fn registers(&self) -> u32 {
        match self {
            Self::Vector { .. } => 1,
            Self::Matrix { rows, .. } => u32::from(*rows),
            Self::Array { of, count } => of.registers().saturating_mul(u32::from(*count)),
            Self::Struct { members } => {
                members.iter().fold(0, |sum: u32, (_, shape)| sum.saturating_add(shape.registers()))
            }
        }
    }

    /// The shape of a type.
    pub fn of(module: &Module, ty: Handle<Type>) -> Result<Self> {
        Self::within(module, ty, DEPTH)
    }

    fn within(module: &Module, ty: Handle<Type>, depth: u8) -> Result<Self> {
        let span = || module.types.get_span(ty).to_range().unwrap_or(0..0);
        let refuse = |message: &'static str| Err(Problem::new("compile.type", span(), message));
        let Some(depth) = depth.checked_sub(1) else { return refuse("types nest too deep") };
        let Ok(known) = module.types.get_handle(ty) else { return refuse("this type is not known") };
        Ok(match &known.inner {
            TypeInner::Scalar(scalar) => Self::vector(1, *scalar, span)?,
            TypeInner::Vector { size, scalar } => Self::vector(*size as u8, *scalar, span)?,
            TypeInner::Matrix { columns, rows, scalar } => {
                Self::vector(1, *scalar, span)?;
                Self::Matrix { columns: *columns as u8, rows: *rows as u8 }
            }
            TypeInner::Array { base, size, .. } => {
                let naga::ArraySize::Constant(count) = size else {
                    return refuse("an array needs a constant size here");
                };
                let of = Self::within(module, *base, depth)?;
                if count.get().saturating_mul(of.registers().max(1)) > ELEMENTS {
                    return refuse("this array is larger than anything that the machine holds");
                }
                Self::Array { of: Box::new(of), count: u16::try_from(count.get()).unwrap_or(u16::MAX) }
            }
            TypeInner::Struct { members, .. } => {
                let shapes = members.iter().map(|member| {
                    let name = member.name.clone().unwrap_or_default();
                    Ok((name, Self::within(module, member.ty, depth)?))
                });
                Self::Struct { members: shapes.collect::<Result<_>>()? }
            }
            TypeInner::Image { .. } | TypeInner::Sampler { .. } => {
                return Err(Problem::new(
                    "compile.texture",
                    span(),
                    "a vertex program of this machine cannot read textures",
                )
                .note("put what the texture holds into attributes or into an array of uniforms"));
            }
            _ => return refuse("this machine has nothing for this type"),
        })
    }

    fn vector(width: u8, scalar: naga::Scalar, span: impl Fn() -> std::ops::Range<usize>) -> Result<Self> {
        let is_long = scalar.width > 4 && matches!(scalar.kind, ScalarKind::Float);
        if is_long {
            let message = "this machine has no doubles: its numbers have 24 bits";
            return Err(Problem::new("compile.double", span(), message).note("use `float`, `vec` and `mat`"));
        }
        Ok(Self::Vector { width, kind: Kind::of(scalar.kind) })
    }
}
