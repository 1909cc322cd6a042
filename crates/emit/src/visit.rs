//! Walks over trees that have passed [`crate::check`].

use unshade_ir::ast::{Action, Expr, ExprKind, GlobalRef, LocalRef, Place, Program, Scalar, Stmt};

/// What a walk meets.
pub(crate) enum Node<'e> {
    /// Any expression, before its parts.
    Expr(&'e Expr),
    /// A place that gets a value.
    Write(&'e Place),
    /// A local that is declared with a value.
    First(LocalRef),
    /// The counter of a loop.
    Counter(LocalRef),
    /// A return, before its values.
    Return,
    /// An image that a statement changes.
    Image(&'e GlobalRef),
}

/// Calls back for every statement, outside first.
pub(crate) fn statements<'e>(block: &'e [Stmt], meet: &mut dyn FnMut(&'e Stmt)) {
    for statement in block {
        meet(statement);
        for inner in unshade_ir::ast::walk::bodies(statement) {
            statements(inner, meet);
        }
    }
}

/// Meets everything in a block, in order.
pub(crate) fn block<'e>(block: &'e [Stmt], meet: &mut dyn FnMut(Node<'e>)) {
    for statement in block {
        match statement {
            Stmt::Declare(local, value) => {
                if let Some(value) = value {
                    meet(Node::First(*local));
                    expr(value, meet);
                }
            }
            Stmt::Assign(place, value) => {
                write(place, meet);
                expr(value, meet);
            }
            Stmt::Act(act) => {
                if let Action::Image(global, _) = &act.action {
                    meet(Node::Image(global));
                }
                act.operands.iter().for_each(|operand| expr(operand, meet));
                act.result.iter().for_each(|place| write(place, meet));
            }
            Stmt::Call { args, results, .. } => {
                args.iter().for_each(|arg| expr(arg, meet));
                results.iter().flatten().for_each(|place| write(place, meet));
            }
            Stmt::If { condition, then, otherwise } => {
                expr(condition, meet);
                self::block(then, meet);
                self::block(otherwise, meet);
            }
            Stmt::For { counter, start, condition, step, body } => {
                meet(Node::Counter(*counter));
                [start, condition, step].into_iter().for_each(|part| expr(part, meet));
                self::block(body, meet);
            }
            Stmt::While { condition, body } | Stmt::DoWhile { body, condition } => {
                expr(condition, meet);
                self::block(body, meet);
            }
            Stmt::Loop(body) => self::block(body, meet),
            Stmt::Switch { value, cases, default } => {
                expr(value, meet);
                cases.iter().for_each(|(_, body)| self::block(body, meet));
                self::block(default, meet);
            }
            Stmt::Return(values) => {
                meet(Node::Return);
                values.iter().for_each(|value| expr(value, meet));
            }
            Stmt::Break
            | Stmt::Continue
            | Stmt::Discard(_)
            | Stmt::EmitVertex(..)
            | Stmt::EndPrimitive(..)
            | Stmt::Comment(_) => {}
        }
    }
}

fn write<'e>(place: &'e Place, meet: &mut dyn FnMut(Node<'e>)) {
    meet(Node::Write(place));
    match place {
        Place::Local(..) | Place::Global(_, None, _) => {}
        Place::Global(_, Some(index), _) | Place::Array(_, index) | Place::Word(_, index, _) => {
            expr(index, meet);
        }
    }
}

fn expr<'e>(value: &'e Expr, meet: &mut dyn FnMut(Node<'e>)) {
    meet(Node::Expr(value));
    match &value.kind {
        ExprKind::Literal(_) | ExprKind::Local(_) | ExprKind::Elements(_) | ExprKind::Global(_, None) => {}
        ExprKind::Global(_, Some(inner))
        | ExprKind::Array(_, inner)
        | ExprKind::Word(_, inner)
        | ExprKind::Swizzle(inner, _)
        | ExprKind::Unary(_, inner)
        | ExprKind::Convert(inner)
        | ExprKind::Bitcast(inner)
        | ExprKind::MatrixVector(_, _, _, inner) => expr(inner, meet),
        ExprKind::Construct(parts)
        | ExprKind::Builtin(_, parts)
        | ExprKind::Helper(_, parts)
        | ExprKind::Image(_, _, parts)
        | ExprKind::Interpolate(_, _, parts) => {
            parts.iter().for_each(|part| expr(part, meet));
        }
        ExprKind::Binary(_, left, right) => {
            expr(left, meet);
            expr(right, meet);
        }
        ExprKind::Column(_, element, column) => {
            element.iter().for_each(|element| expr(element, meet));
            expr(column, meet);
        }
        ExprKind::Product(product) => {
            product.element.iter().for_each(|element| expr(element, meet));
            expr(&product.vector, meet);
        }
        ExprKind::Texture(fetch) => fetch.operands().for_each(|part| expr(part, meet)),
        ExprKind::Select(condition, yes, no) => {
            [condition, yes, no].into_iter().for_each(|part| expr(part, meet));
        }
    }
}

/// Whether a program computes with doubles.
pub(crate) fn has_doubles(program: &Program) -> bool {
    program.functions.iter().any(|function| {
        let declared = function.locals.iter().map(|local| local.ty).chain(function.results.iter().copied());
        let mut found = declared.into_iter().any(|ty| ty.scalar == Scalar::Double);
        block(&function.body, &mut |node| {
            found |= matches!(node, Node::Expr(expr) if expr.ty.scalar == Scalar::Double);
        });
        found
    })
}

/// Calls back for every global that a block mentions.
pub(crate) fn globals(body: &[Stmt], meet: &mut dyn FnMut(GlobalRef)) {
    block(body, &mut |node| match node {
        Node::Expr(expr) => match &expr.kind {
            ExprKind::Global(global, _)
            | ExprKind::MatrixVector(global, ..)
            | ExprKind::Column(global, ..)
            | ExprKind::Image(global, ..)
            | ExprKind::Interpolate(_, global, _) => meet(*global),
            ExprKind::Product(product) => meet(product.matrix),
            ExprKind::Texture(fetch) => meet(fetch.sampler),
            _ => {}
        },
        Node::Write(Place::Global(global, ..)) | Node::Image(global) => meet(*global),
        _ => {}
    });
}

/// Whether the statement gives all of the local its value and does nothing else: a declaration in front of
/// it can take the value over.
pub(crate) fn gives_first_value(statement: &Stmt, local: LocalRef) -> bool {
    let whole = |place: &Place| matches!(place, Place::Local(to, lanes) if *to == local && lanes.is_empty());
    match statement {
        Stmt::Assign(place, _) => whole(place),
        Stmt::Act(act) => act.result.as_ref().is_some_and(whole),
        Stmt::Call { results, .. } => matches!(results.as_slice(), [Some(place)] if whole(place)),
        _ => false,
    }
}
