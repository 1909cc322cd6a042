//! Globals that become part of others.

use super::super::walk::{bodies_mut, exprs_mut, for_each_expr_mut, for_each_global};
use super::super::{Act, Expr, ExprKind, GlobalRef, Place, Program, Scalar, Stmt, Type};
use std::collections::BTreeMap;

/// Where the value of a global lies from now on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Home {
    /// In a global of the same type, or in a longer array of that.
    Whole(GlobalRef),
    /// In components of a vector.
    Lanes {
        to: GlobalRef,
        /// Element of an array, or row of a matrix of rows.
        element: Option<u32>,
        /// Column of a matrix by columns.
        column: Option<u32>,
        /// The first component.
        first: u8,
        /// Components of the vector.
        width: u8,
    },
}

/// Moves the uses of globals to their new homes. A home is none of the globals that move.
pub(super) fn replace(program: &mut Program, homes: &BTreeMap<u32, Home>) {
    if homes.is_empty() {
        return;
    }
    for function in &mut program.functions {
        block(&mut function.body, homes);
        for_each_global(&mut function.body, &mut |global| {
            if let Some(Home::Whole(to)) = homes.get(&global.0) {
                *global = *to;
            }
        });
    }
}

fn block(body: &mut [Stmt], homes: &BTreeMap<u32, Home>) {
    for stmt in body {
        match stmt {
            Stmt::Assign(to, _) => place(to, homes),
            Stmt::Call { results, .. } => results.iter_mut().flatten().for_each(|to| place(to, homes)),
            Stmt::Act(act) => {
                let Act { result, .. } = &mut **act;
                result.iter_mut().for_each(|to| place(to, homes));
            }
            _ => {}
        }
        for expr in exprs_mut(stmt) {
            for_each_expr_mut(expr, &mut |expr| expression(expr, homes));
        }
        for inner in bodies_mut(stmt) {
            block(inner, homes);
        }
    }
}

fn place(to: &mut Place, homes: &BTreeMap<u32, Home>) {
    let Place::Global(global, index, lanes) = to else { return };
    let Some(Home::Lanes { to, first, width, .. }) = homes.get(&global.0) else { return };
    // Without lanes: all that the global had. Who moves it says in the home which these were.
    if index.is_none() {
        lanes.iter_mut().for_each(|lane| *lane = lane.saturating_add(*first));
        if lanes.iter().copied().eq(0..*width) {
            lanes.clear();
        }
        *global = *to;
    }
}

fn expression(expr: &mut Expr, homes: &BTreeMap<u32, Home>) {
    // Lanes of a vector that moves are lanes of its home, not lanes of lanes.
    if let ExprKind::Swizzle(inner, lanes) = &mut expr.kind {
        let Some(first) = widen(inner, homes) else { return };
        lanes.iter_mut().for_each(|lane| *lane = lane.saturating_add(first));
        return;
    }
    let narrow = expr.ty;
    if let Some(first) = widen(expr, homes)
        && expr.ty != narrow
    {
        let wide = std::mem::replace(expr, Expr::new(narrow, ExprKind::Literal(Vec::new())));
        let lanes = (0..narrow.components).map(|lane| lane.saturating_add(first)).collect();
        expr.kind = ExprKind::Swizzle(Box::new(wide), lanes);
    }
}

/// Makes a vector that moves the whole of its home; the component that it began at.
fn widen(expr: &mut Expr, homes: &BTreeMap<u32, Home>) -> Option<u8> {
    let global = match &mut expr.kind {
        ExprKind::Global(global, None) | ExprKind::Interpolate(_, global, _) => global,
        _ => return None,
    };
    let Some(&Home::Lanes { to, element, column, first, width }) = homes.get(&global.0) else { return None };
    *global = to;
    expr.ty.components = width;
    let number = |value: u32| {
        let ty = Type { scalar: Scalar::Int, components: 1 };
        Box::new(Expr::new(ty, ExprKind::Literal(vec![value.into()])))
    };
    match (element, column) {
        (element, Some(column)) => {
            expr.kind = ExprKind::Column(to, element.map(number), number(column));
        }
        (Some(element), None) => expr.kind = ExprKind::Global(to, Some(number(element))),
        (None, None) => {}
    }
    Some(first)
}

/// Writes out which components a place means that means all, for globals that get more.
pub(super) fn spell_out(program: &mut Program, globals: &BTreeMap<u32, u8>) {
    fn of_place(to: &mut Place, globals: &BTreeMap<u32, u8>) {
        if let Place::Global(global, None, lanes) = to
            && lanes.is_empty()
            && let Some(width) = globals.get(&global.0)
        {
            lanes.extend(0..*width);
        }
    }
    fn of_block(body: &mut [Stmt], globals: &BTreeMap<u32, u8>) {
        for stmt in body {
            match stmt {
                Stmt::Assign(to, _) => of_place(to, globals),
                Stmt::Call { results, .. } => {
                    results.iter_mut().flatten().for_each(|to| of_place(to, globals));
                }
                Stmt::Act(act) => act.result.iter_mut().for_each(|to| of_place(to, globals)),
                _ => {}
            }
            for inner in bodies_mut(stmt) {
                of_block(inner, globals);
            }
        }
    }
    if !globals.is_empty() {
        program.functions.iter_mut().for_each(|function| of_block(&mut function.body, globals));
    }
}

/// Drops globals that moved, and puts the others into another order: `order` lists those that stay.
pub(super) fn reorder(program: &mut Program, order: &[u32]) {
    let mut numbers = BTreeMap::new();
    let mut kept = Vec::with_capacity(order.len());
    for &old in order {
        if let Some(variable) = program.globals.get(old as usize) {
            numbers.insert(old, kept.len() as u32);
            kept.push(variable.clone());
        }
    }
    program.globals = kept;
    for function in &mut program.functions {
        for_each_global(&mut function.body, &mut |global| {
            if let Some(new) = numbers.get(&global.0) {
                global.0 = *new;
            }
        });
    }
}
