//! Source trees made by hand, for the tests of all printers.
#![allow(dead_code)]

pub mod buffers;
pub mod doubles;
pub mod fragments;
pub mod pipeline;
pub mod programs;
pub mod random;
pub mod textures;

use unshade_ir::ast::{
    Binary, Builtin, Expr, ExprKind, Function, GlobalRef, GlobalVar, Helper, Local, LocalRef, Place, Scalar,
    Stmt, Type, Unary,
};
use unshade_ir::{Global, Shape, Space};

pub const fn ty(scalar: Scalar, components: u8) -> Type {
    Type { scalar, components }
}
pub const FLOAT: Type = ty(Scalar::Float, 1);
pub const VEC2: Type = ty(Scalar::Float, 2);
pub const VEC3: Type = ty(Scalar::Float, 3);
pub const VEC4: Type = ty(Scalar::Float, 4);
pub const INT: Type = ty(Scalar::Int, 1);
pub const UINT: Type = ty(Scalar::Uint, 1);
pub const BOOL: Type = ty(Scalar::Bool, 1);

// ---- interface

pub fn global(name: &str, space: Space, location: u32, shape: Shape) -> GlobalVar {
    let global = Global { location, ..Global::new(name, space, 0, location * 4, shape) };
    GlobalVar { global, matrix_rows: None }
}

pub fn vector(name: &str, space: Space, location: u32, components: u8) -> GlobalVar {
    global(name, space, location, Shape::Float { components, elements: 0 })
}

pub fn position_output() -> GlobalVar {
    let mut output = vector("position", Space::Output, 0, 4);
    output.global.semantic = Some("position".to_owned());
    output
}

pub fn matrix(name: &str, space: Space, location: u32, rows: u8, components: u8) -> GlobalVar {
    let mut variable = global(name, space, location, Shape::Float { components, elements: u32::from(rows) });
    variable.matrix_rows = Some(rows);
    variable
}

// ---- functions

/// A function whose parameters are the first `params` locals.
pub fn function(
    name: &str,
    params: u32,
    locals: &[(&str, Type)],
    results: &[Type],
    body: Vec<Stmt>,
) -> Function {
    Function {
        name: name.to_owned(),
        params: (0..params).map(LocalRef).collect(),
        results: results.to_vec(),
        locals: locals.iter().map(|&(name, ty)| Local { name: name.to_owned(), ty }).collect(),
        body,
        links: Default::default(),
    }
}

pub fn assign_local(index: u32, value: Expr) -> Stmt {
    Stmt::Assign(Place::Local(LocalRef(index), Vec::new()), value)
}

pub fn assign_global(index: u32, value: Expr) -> Stmt {
    Stmt::Assign(Place::Global(GlobalRef(index), None, Vec::new()), value)
}

pub fn declare(index: u32, value: Expr) -> Stmt {
    Stmt::Declare(LocalRef(index), Some(value))
}

// ---- expressions

pub fn float(value: f32) -> Expr {
    floats(&[value])
}

pub fn floats(values: &[f32]) -> Expr {
    let bits = values.iter().map(|value| value.to_bits().into()).collect();
    Expr::new(ty(Scalar::Float, values.len() as u8), ExprKind::Literal(bits))
}

pub fn int(value: i32) -> Expr {
    Expr::new(INT, ExprKind::Literal(vec![value.cast_unsigned().into()]))
}

pub fn uint(value: u32) -> Expr {
    Expr::new(UINT, ExprKind::Literal(vec![value.into()]))
}

pub fn truth(value: bool) -> Expr {
    Expr::new(BOOL, ExprKind::Literal(vec![u64::from(value)]))
}

pub fn local(index: u32, ty: Type) -> Expr {
    Expr::new(ty, ExprKind::Local(LocalRef(index)))
}

pub fn read(index: u32, ty: Type) -> Expr {
    Expr::new(ty, ExprKind::Global(GlobalRef(index), None))
}

pub fn element(index: u32, ty: Type, at: Expr) -> Expr {
    Expr::new(ty, ExprKind::Global(GlobalRef(index), Some(Box::new(at))))
}

pub fn swizzle(base: Expr, lanes: &str) -> Expr {
    let lanes: Vec<u8> =
        lanes.bytes().map(|lane| "xyzw".bytes().position(|l| l == lane).unwrap() as u8).collect();
    let ty = Type { components: lanes.len() as u8, ..base.ty };
    Expr::new(ty, ExprKind::Swizzle(Box::new(base), lanes))
}

pub fn construct(components: u8, parts: Vec<Expr>) -> Expr {
    Expr::new(Type { components, ..parts[0].ty }, ExprKind::Construct(parts))
}

pub fn unary(operator: Unary, operand: Expr) -> Expr {
    Expr::new(operand.ty, ExprKind::Unary(operator, Box::new(operand)))
}

pub fn negate(operand: Expr) -> Expr {
    unary(Unary::Negate, operand)
}

pub fn binary(operator: Binary, left: Expr, right: Expr) -> Expr {
    let compares =
        matches!(operator, Binary::Eq | Binary::Ne | Binary::Lt | Binary::Le | Binary::Gt | Binary::Ge);
    let widest = if right.ty.components > left.ty.components { right.ty } else { left.ty };
    let ty = if compares { BOOL } else { widest };
    Expr::new(ty, ExprKind::Binary(operator, Box::new(left), Box::new(right)))
}

pub fn add(left: Expr, right: Expr) -> Expr {
    binary(Binary::Add, left, right)
}

pub fn sub(left: Expr, right: Expr) -> Expr {
    binary(Binary::Sub, left, right)
}

pub fn mul(left: Expr, right: Expr) -> Expr {
    binary(Binary::Mul, left, right)
}

pub fn less(left: Expr, right: Expr) -> Expr {
    binary(Binary::Lt, left, right)
}

pub fn select(condition: Expr, yes: Expr, no: Expr) -> Expr {
    Expr::new(yes.ty, ExprKind::Select(Box::new(condition), Box::new(yes), Box::new(no)))
}

/// A function with a result of the type of its first operand, or what the function says.
pub fn builtin(builtin: Builtin, operands: Vec<Expr>) -> Expr {
    let first = operands[0].ty;
    let ty = match builtin {
        Builtin::Dot | Builtin::Length => FLOAT,
        Builtin::Exponent => Type { scalar: Scalar::Int, ..first },
        Builtin::IsNan
        | Builtin::LessThan
        | Builtin::LessThanEqual
        | Builtin::GreaterThan
        | Builtin::GreaterThanEqual
        | Builtin::Equal
        | Builtin::NotEqual => Type { scalar: Scalar::Bool, ..first },
        _ => first,
    };
    Expr::new(ty, ExprKind::Builtin(builtin, operands))
}

pub fn dot(left: Expr, right: Expr) -> Expr {
    builtin(Builtin::Dot, vec![left, right])
}

pub fn helper(helper: Helper, operands: Vec<Expr>) -> Expr {
    let scalar = match helper {
        Helper::ToIntSaturate => Scalar::Int,
        Helper::ToUintSaturate => Scalar::Uint,
        _ => Scalar::Float,
    };
    Expr::new(Type { scalar, ..operands[0].ty }, ExprKind::Helper(helper, operands))
}

pub fn product(global: u32, first: u8, rows: u8, vector: Expr) -> Expr {
    Expr::new(
        ty(Scalar::Float, rows),
        ExprKind::MatrixVector(GlobalRef(global), first, rows, Box::new(vector)),
    )
}

pub fn convert(scalar: Scalar, operand: Expr) -> Expr {
    Expr::new(Type { scalar, ..operand.ty }, ExprKind::Convert(Box::new(operand)))
}

pub fn bitcast(scalar: Scalar, operand: Expr) -> Expr {
    Expr::new(Type { scalar, ..operand.ty }, ExprKind::Bitcast(Box::new(operand)))
}
