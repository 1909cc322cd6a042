//! Walking over trees. Depth is bounded by [`super::raise`], so these recurse.

use smallvec::{SmallVec, smallvec};

use super::{Act, Action, Expr, ExprKind, GlobalRef, LocalRef, Place, Stmt};

/// Lists of statements inside of a statement.
pub fn bodies(stmt: &Stmt) -> SmallVec<[&[Stmt]; 2]> {
    match stmt {
        Stmt::If { then, otherwise, .. } => smallvec![&then[..], &otherwise[..]],
        Stmt::For { body, .. } | Stmt::While { body, .. } | Stmt::DoWhile { body, .. } | Stmt::Loop(body) => {
            smallvec![&body[..]]
        }
        Stmt::Switch { cases, default, .. } => {
            cases.iter().map(|(_, body)| &body[..]).chain([&default[..]]).collect()
        }
        _ => SmallVec::new(),
    }
}

/// The same, to be changed.
pub fn bodies_mut(stmt: &mut Stmt) -> SmallVec<[&mut Vec<Stmt>; 2]> {
    match stmt {
        Stmt::If { then, otherwise, .. } => smallvec![then, otherwise],
        Stmt::For { body, .. } | Stmt::While { body, .. } | Stmt::DoWhile { body, .. } | Stmt::Loop(body) => {
            smallvec![body]
        }
        Stmt::Switch { cases, default, .. } => {
            cases.iter_mut().map(|(_, body)| body).chain([default]).collect()
        }
        _ => SmallVec::new(),
    }
}

/// Expressions that stand directly in a statement, those of its places included, in order of evaluation.
pub fn exprs(stmt: &Stmt) -> SmallVec<[&Expr; 4]> {
    fn of_place(place: &Place) -> Option<&Expr> {
        match place {
            Place::Local(..) => None,
            Place::Global(_, index, _) => index.as_deref(),
            Place::Array(_, index) | Place::Word(_, index, _) => Some(index),
        }
    }
    match stmt {
        Stmt::Declare(_, value) => value.iter().collect(),
        Stmt::Assign(place, value) => of_place(place).into_iter().chain([value]).collect(),
        Stmt::Call { args, results, .. } => {
            args.iter().chain(results.iter().flatten().filter_map(of_place)).collect()
        }
        Stmt::If { condition, .. } | Stmt::While { condition, .. } | Stmt::DoWhile { condition, .. } => {
            smallvec![condition]
        }
        Stmt::For { start, condition, step, .. } => smallvec![start, condition, step],
        Stmt::Switch { value, .. } => smallvec![value],
        Stmt::Act(act) => act.operands.iter().chain(act.result.iter().filter_map(of_place)).collect(),
        Stmt::Return(values) => values.iter().collect(),
        _ => SmallVec::new(),
    }
}

/// The same, to be changed.
pub fn exprs_mut(stmt: &mut Stmt) -> SmallVec<[&mut Expr; 4]> {
    fn of_place(place: &mut Place) -> Option<&mut Expr> {
        match place {
            Place::Local(..) => None,
            Place::Global(_, index, _) => index.as_deref_mut(),
            Place::Array(_, index) | Place::Word(_, index, _) => Some(index),
        }
    }
    match stmt {
        Stmt::Declare(_, value) => value.iter_mut().collect(),
        Stmt::Assign(place, value) => of_place(place).into_iter().chain([value]).collect(),
        Stmt::Call { args, results, .. } => {
            args.iter_mut().chain(results.iter_mut().flatten().filter_map(of_place)).collect()
        }
        Stmt::If { condition, .. } | Stmt::While { condition, .. } | Stmt::DoWhile { condition, .. } => {
            smallvec![condition]
        }
        Stmt::For { start, condition, step, .. } => smallvec![start, condition, step],
        Stmt::Switch { value, .. } => smallvec![value],
        Stmt::Act(act) => {
            let Act { operands, result, .. } = &mut **act;
            operands.iter_mut().chain(result.iter_mut().filter_map(of_place)).collect()
        }
        Stmt::Return(values) => values.iter_mut().collect(),
        _ => SmallVec::new(),
    }
}

/// Operands of an expression.
pub fn operands(expr: &Expr) -> SmallVec<[&Expr; 4]> {
    match &expr.kind {
        ExprKind::Literal(_) | ExprKind::Local(_) | ExprKind::Elements(_) => SmallVec::new(),
        ExprKind::Global(_, index) => index.as_deref().into_iter().collect(),
        ExprKind::Array(_, a)
        | ExprKind::Word(_, a)
        | ExprKind::Swizzle(a, _)
        | ExprKind::Unary(_, a)
        | ExprKind::MatrixVector(_, _, _, a)
        | ExprKind::Convert(a)
        | ExprKind::Bitcast(a) => smallvec![&**a],
        ExprKind::Binary(_, a, b) => smallvec![&**a, &**b],
        ExprKind::Column(_, element, column) => element.as_deref().into_iter().chain([&**column]).collect(),
        ExprKind::Product(product) => product.element.iter().chain([&product.vector]).collect(),
        ExprKind::Texture(fetch) => fetch.operands().collect(),
        ExprKind::Select(a, b, c) => smallvec![&**a, &**b, &**c],
        ExprKind::Construct(list)
        | ExprKind::Builtin(_, list)
        | ExprKind::Helper(_, list)
        | ExprKind::Image(_, _, list)
        | ExprKind::Interpolate(_, _, list) => list.iter().collect(),
    }
}

/// Calls back for an expression and everything in it, outside first.
pub fn for_each_expr<'t>(expr: &'t Expr, visit: &mut impl FnMut(&'t Expr)) {
    visit(expr);
    match &expr.kind {
        ExprKind::Literal(_) | ExprKind::Local(_) | ExprKind::Elements(_) | ExprKind::Global(_, None) => {}
        ExprKind::Global(_, Some(a))
        | ExprKind::Array(_, a)
        | ExprKind::Word(_, a)
        | ExprKind::Swizzle(a, _)
        | ExprKind::Unary(_, a)
        | ExprKind::MatrixVector(_, _, _, a)
        | ExprKind::Convert(a)
        | ExprKind::Bitcast(a) => for_each_expr(a, visit),
        ExprKind::Binary(_, a, b) => {
            for_each_expr(a, visit);
            for_each_expr(b, visit);
        }
        ExprKind::Column(..) | ExprKind::Product(_) | ExprKind::Texture(_) => {
            operands(expr).into_iter().for_each(|part| for_each_expr(part, visit));
        }
        ExprKind::Select(a, b, c) => {
            for_each_expr(a, visit);
            for_each_expr(b, visit);
            for_each_expr(c, visit);
        }
        ExprKind::Construct(list)
        | ExprKind::Builtin(_, list)
        | ExprKind::Helper(_, list)
        | ExprKind::Image(_, _, list)
        | ExprKind::Interpolate(_, _, list) => {
            list.iter().for_each(|part| for_each_expr(part, visit));
        }
    }
}

/// The same, to be changed.
pub fn for_each_expr_mut(expr: &mut Expr, visit: &mut impl FnMut(&mut Expr)) {
    visit(expr);
    match &mut expr.kind {
        ExprKind::Literal(_) | ExprKind::Local(_) | ExprKind::Elements(_) | ExprKind::Global(_, None) => {}
        ExprKind::Global(_, Some(a))
        | ExprKind::Array(_, a)
        | ExprKind::Word(_, a)
        | ExprKind::Swizzle(a, _)
        | ExprKind::Unary(_, a)
        | ExprKind::MatrixVector(_, _, _, a)
        | ExprKind::Convert(a)
        | ExprKind::Bitcast(a) => for_each_expr_mut(a, visit),
        ExprKind::Binary(_, a, b) => {
            for_each_expr_mut(a, visit);
            for_each_expr_mut(b, visit);
        }
        ExprKind::Column(_, element, column) => {
            element.iter_mut().for_each(|element| for_each_expr_mut(element, visit));
            for_each_expr_mut(column, visit);
        }
        ExprKind::Product(product) => {
            product.element.iter_mut().for_each(|element| for_each_expr_mut(element, visit));
            for_each_expr_mut(&mut product.vector, visit);
        }
        ExprKind::Texture(fetch) => fetch.operands_mut().for_each(|part| for_each_expr_mut(part, visit)),
        ExprKind::Select(a, b, c) => {
            for_each_expr_mut(a, visit);
            for_each_expr_mut(b, visit);
            for_each_expr_mut(c, visit);
        }
        ExprKind::Construct(list)
        | ExprKind::Builtin(_, list)
        | ExprKind::Helper(_, list)
        | ExprKind::Image(_, _, list)
        | ExprKind::Interpolate(_, _, list) => {
            list.iter_mut().for_each(|part| for_each_expr_mut(part, visit));
        }
    }
}

/// Calls back for every statement, outside first.
pub fn for_each_stmt<'t>(body: &'t [Stmt], visit: &mut impl FnMut(&'t Stmt)) {
    for stmt in body {
        visit(stmt);
        for inner in bodies(stmt) {
            for_each_stmt(inner, visit);
        }
    }
}

/// Calls back for every use of a global.
pub fn for_each_global(body: &mut [Stmt], visit: &mut impl FnMut(&mut GlobalRef)) {
    for stmt in body {
        match stmt {
            Stmt::Assign(Place::Global(global, ..), _) => visit(global),
            Stmt::Call { results, .. } => {
                for place in results.iter_mut().flatten() {
                    if let Place::Global(global, ..) = place {
                        visit(global);
                    }
                }
            }
            Stmt::Act(act) => {
                if let Action::Image(global, _) = &mut act.action {
                    visit(global);
                }
                if let Some(Place::Global(global, ..)) = &mut act.result {
                    visit(global);
                }
            }
            _ => {}
        }
        for expr in exprs_mut(stmt) {
            for_each_expr_mut(expr, &mut |expr| match &mut expr.kind {
                ExprKind::Global(global, _)
                | ExprKind::MatrixVector(global, ..)
                | ExprKind::Column(global, ..)
                | ExprKind::Image(global, ..)
                | ExprKind::Interpolate(_, global, _) => visit(global),
                ExprKind::Product(product) => visit(&mut product.matrix),
                ExprKind::Texture(fetch) => visit(&mut fetch.sampler),
                _ => {}
            });
        }
        for inner in bodies_mut(stmt) {
            for_each_global(inner, visit);
        }
    }
}

/// The local that a statement writes directly, with the components (empty: all). A call may write more.
pub fn written(stmt: &Stmt) -> SmallVec<[(LocalRef, &[u8]); 2]> {
    match stmt {
        Stmt::Declare(local, Some(_)) => smallvec![(*local, &[][..])],
        Stmt::Assign(Place::Local(local, components), _) => smallvec![(*local, &components[..])],
        Stmt::Call { results, .. } => results
            .iter()
            .flatten()
            .filter_map(|place| match place {
                Place::Local(local, components) => Some((*local, &components[..])),
                _ => None,
            })
            .collect(),
        Stmt::Act(act) => match &act.result {
            Some(Place::Local(local, components)) => smallvec![(*local, &components[..])],
            _ => SmallVec::new(),
        },
        Stmt::For { counter, .. } => smallvec![(*counter, &[][..])],
        _ => SmallVec::new(),
    }
}

/// Calls back for every local that a statement itself mentions, read or written, not those in its bodies.
pub fn for_each_mention(stmt: &Stmt, visit: &mut impl FnMut(LocalRef)) {
    if let Stmt::Declare(local, None) = stmt {
        visit(*local);
    }
    for (local, _) in written(stmt) {
        visit(local);
    }
    for expr in exprs(stmt) {
        for_each_expr(expr, &mut |expr| {
            if let ExprKind::Local(local) = &expr.kind {
                visit(*local);
            }
        });
    }
}

/// Calls back for every local reference of a function's body, to be changed.
pub fn for_each_local_mut(body: &mut [Stmt], visit: &mut impl FnMut(&mut LocalRef)) {
    for stmt in body {
        match stmt {
            Stmt::Declare(local, _) | Stmt::Assign(Place::Local(local, _), _) => visit(local),
            Stmt::For { counter, .. } => visit(counter),
            Stmt::Call { results, .. } => {
                for place in results.iter_mut().flatten() {
                    if let Place::Local(local, _) = place {
                        visit(local);
                    }
                }
            }
            Stmt::Act(act) => {
                if let Some(Place::Local(local, _)) = &mut act.result {
                    visit(local);
                }
            }
            _ => {}
        }
        for expr in exprs_mut(stmt) {
            for_each_expr_mut(expr, &mut |expr| {
                if let ExprKind::Local(local) = &mut expr.kind {
                    visit(local);
                }
            });
        }
        for inner in bodies_mut(stmt) {
            for_each_local_mut(inner, visit);
        }
    }
}

/// Whether an expression needs the other pixels of the quad, so that it may not come under a condition or
/// from under one.
pub fn needs_quad(expr: &Expr) -> bool {
    use super::Builtin::{
        Ballot, DerivativeWidth, DerivativeX, DerivativeY, Shuffle, VoteAll, VoteAny, VoteEqual,
    };
    let mut found = false;
    for_each_expr(expr, &mut |expr| {
        found |= matches!(
            expr.kind,
            ExprKind::Texture(_)
                | ExprKind::Builtin(
                    DerivativeX
                        | DerivativeY
                        | DerivativeWidth
                        | VoteAll
                        | VoteAny
                        | VoteEqual
                        | Ballot
                        | Shuffle,
                    _
                )
        );
    });
    found
}

/// Whether an expression reads memory that statements change.
pub fn reads_memory(expr: &Expr) -> bool {
    let mut found = false;
    for_each_expr(expr, &mut |expr| {
        found |= matches!(expr.kind, ExprKind::Array(..) | ExprKind::Word(..) | ExprKind::Image(..));
    });
    found
}

/// Whether an expression reads a local.
pub fn reads_local(expr: &Expr, local: LocalRef) -> bool {
    let mut found = false;
    for_each_expr(expr, &mut |expr| found |= expr.kind == ExprKind::Local(local));
    found
}
