//! Which values a compiler must not compute in another way.

use unshade_ir::ast::{Binary, Builtin, Expr, ExprKind, Place, Program, Stmt};

/// What is declared `precise` in strict text.
#[derive(Debug, Clone, Default)]
pub(super) struct Precise {
    /// As [`Program::globals`].
    pub globals: Vec<bool>,
    /// Locals of each function.
    pub locals: Vec<Vec<bool>>,
}

impl Precise {
    /// Nothing: readable text.
    pub fn nothing(program: &Program) -> Self {
        Self {
            globals: vec![false; program.globals.len()],
            locals: program.functions.iter().map(|function| vec![false; function.locals.len()]).collect(),
        }
    }

    /// Every local and output that gets the value of float arithmetic somewhere. What flows into a
    /// `precise` variable is computed precisely as well, so plain copies need no mark.
    pub fn new(program: &Program) -> Self {
        let mut precise = Self::nothing(program);
        for (index, function) in program.functions.iter().enumerate() {
            precise.block(&function.body, index);
        }
        precise
    }

    fn block(&mut self, block: &[Stmt], function: usize) {
        for statement in block {
            match statement {
                Stmt::Declare(local, Some(value)) => {
                    self.value(&Place::Local(*local, Vec::new()), value, function)
                }
                Stmt::Assign(place, value) => self.value(place, value, function),
                Stmt::If { then, otherwise, .. } => {
                    self.block(then, function);
                    self.block(otherwise, function);
                }
                Stmt::For { body, .. }
                | Stmt::While { body, .. }
                | Stmt::DoWhile { body, .. }
                | Stmt::Loop(body) => self.block(body, function),
                Stmt::Switch { cases, default, .. } => {
                    cases.iter().for_each(|(_, body)| self.block(body, function));
                    self.block(default, function);
                }
                _ => {}
            }
        }
    }

    fn value(&mut self, place: &Place, value: &Expr, function: usize) {
        if is_arithmetic(value) {
            match place {
                Place::Local(local, _) => self.locals[function][local.0 as usize] = true,
                Place::Global(global, ..) => self.globals[global.0 as usize] = true,
                Place::Array(..) | Place::Word(..) => {}
            }
        }
    }
}

/// Whether float arithmetic that a compiler may fuse or reorder is in there.
pub(super) fn is_arithmetic(expr: &Expr) -> bool {
    let of_operands = |operands: &[Expr]| operands.iter().any(is_arithmetic);
    match &expr.kind {
        ExprKind::Literal(_) | ExprKind::Local(_) | ExprKind::Elements(_) => false,
        ExprKind::Global(_, index) => index.as_deref().is_some_and(is_arithmetic),
        ExprKind::Array(_, inner)
        | ExprKind::Word(_, inner)
        | ExprKind::Swizzle(inner, _)
        | ExprKind::Unary(_, inner)
        | ExprKind::Convert(inner)
        | ExprKind::Bitcast(inner) => is_arithmetic(inner),
        ExprKind::Construct(parts) => of_operands(parts),
        ExprKind::Binary(binary, left, right) => {
            let arithmetic = matches!(binary, Binary::Add | Binary::Sub | Binary::Mul | Binary::Div);
            arithmetic && expr.ty.scalar.is_float() || is_arithmetic(left) || is_arithmetic(right)
        }
        ExprKind::Select(condition, yes, no) => {
            is_arithmetic(condition) || is_arithmetic(yes) || is_arithmetic(no)
        }
        ExprKind::Builtin(builtin, operands) => {
            let compound = matches!(
                builtin,
                Builtin::Dot
                    | Builtin::Mix
                    | Builtin::Length
                    | Builtin::Normalize
                    | Builtin::Cross
                    | Builtin::Smoothstep
                    | Builtin::Modulo
                    | Builtin::Exp
                    | Builtin::Log
                    | Builtin::Reflect
                    | Builtin::Refract
                    | Builtin::InverseTimes
                    | Builtin::TimesInverse
                    | Builtin::FaceForward
                    | Builtin::Tan
                    | Builtin::Asin
                    | Builtin::Acos
                    | Builtin::AtanNear
                    | Builtin::Atan2Near
                    | Builtin::Sinh
                    | Builtin::Cosh
                    | Builtin::Tanh
                    | Builtin::Asinh
                    | Builtin::Acosh
                    | Builtin::Atanh
                    | Builtin::Fract
                    | Builtin::Pow
            );
            compound || of_operands(operands)
        }
        ExprKind::Helper(_, operands)
        | ExprKind::Image(_, _, operands)
        | ExprKind::Interpolate(_, _, operands) => of_operands(operands),
        ExprKind::MatrixVector(..) | ExprKind::Product(_) => true,
        ExprKind::Column(_, element, column) => {
            element.as_deref().is_some_and(is_arithmetic) || is_arithmetic(column)
        }
        ExprKind::Texture(fetch) => fetch.operands().any(is_arithmetic),
    }
}
