//! Outputs of which a program writes some components once, on every way: the machine leaves the others at 0, so that is
//! what is written there at once, `color = vec4(normal, 0.0)`, instead of zeros first and components later.

use super::super::walk::{for_each_expr, for_each_stmt};
use super::super::{Expr, ExprKind, Place, Program, Stmt};
use super::forms::{literal, ty};
use crate::{Shape, Space};

/// How an output is written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Writes {
    /// How many statements do.
    count: u32,
    /// It is read, or written as the result of a call or an action.
    other: bool,
}

/// Completes what the entry writes.
pub(super) fn run(program: &mut Program) {
    let mut writes = vec![Writes::default(); program.globals.len()];
    let mut emits = false;
    for function in &program.functions {
        for_each_stmt(&function.body, &mut |stmt| {
            let mut other = |place: &Place| {
                if let Place::Global(global, ..) = place
                    && let Some(writes) = writes.get_mut(global.0 as usize)
                {
                    writes.other = true;
                }
            };
            match stmt {
                Stmt::Call { results, .. } => results.iter().flatten().for_each(&mut other),
                Stmt::Act(act) => act.result.iter().for_each(&mut other),
                Stmt::EmitVertex(..) => emits = true,
                _ => {}
            }
            if let Stmt::Assign(Place::Global(global, ..), _) = stmt
                && let Some(writes) = writes.get_mut(global.0 as usize)
            {
                writes.count += 1;
            }
            for expr in super::super::walk::exprs(stmt) {
                for_each_expr(expr, &mut |expr| {
                    if let ExprKind::Global(global, _) = &expr.kind
                        && let Some(writes) = writes.get_mut(global.0 as usize)
                    {
                        writes.other = true;
                    }
                });
            }
        });
    }
    // A vertex that is emitted keeps what others wrote before.
    if emits {
        return;
    }
    let Program { globals, functions, .. } = program;
    let Some(entry) = functions.last_mut() else { return };
    for stmt in &mut entry.body {
        if leaves(stmt) {
            return;
        }
        let Stmt::Assign(Place::Global(global, None, lanes), value) = stmt else { continue };
        let at = global.0 as usize;
        let (Some(variable), Some(writes)) = (globals.get(at), writes.get(at)) else { continue };
        let global = &variable.global;
        let (Shape::Float { components, elements: 0 } | Shape::Int { components, elements: 0 }) =
            global.shape
        else {
            continue;
        };
        let plain = variable.matrix_rows.is_none()
            && global.space == Space::Output
            && global.vertices == 0
            && !global.patch
            && *writes == Writes { count: 1, other: false };
        let in_row = lanes.windows(2).all(|pair| pair[1] == pair[0] + 1);
        let (Some(first), Some(last)) = (lanes.first().copied(), lanes.last().copied()) else { continue };
        if !plain || !in_row || lanes.len() >= components.into() || last >= components {
            continue;
        }
        let scalar = value.ty.scalar;
        let zeros = |count: u8| literal(scalar, &vec![0; count.into()]);
        let given = std::mem::replace(value, zeros(1));
        let mut parts: Vec<Expr> = (0..first).map(|_| zeros(1)).collect();
        match given.kind {
            ExprKind::Construct(inner) if inner.len() > 1 => parts.extend(inner),
            kind => parts.push(Expr::new(given.ty, kind).linked(given.link)),
        }
        parts.extend((last + 1..components).map(|_| zeros(1)));
        *value = Expr::new(ty(scalar, components.into()), ExprKind::Construct(parts)).linked(given.link);
        lanes.clear();
    }
}

/// Whether the program may end there, with outputs that count.
fn leaves(stmt: &Stmt) -> bool {
    let mut found = false;
    for_each_stmt(std::slice::from_ref(stmt), &mut |stmt| found |= matches!(stmt, Stmt::Return(_)));
    found
}

#[cfg(test)]
mod tests {
    use super::super::super::{Function, GlobalRef, GlobalVar, Scalar};
    use super::*;
    use crate::Global;

    fn program(lanes: &[u8], before: Vec<Stmt>) -> Program {
        let shape = Shape::Float { components: 4, elements: 0 };
        let global = Global::new("color", Space::Output, 0, 0, shape);
        let write = Stmt::Assign(
            Place::Global(GlobalRef(0), None, lanes.to_vec()),
            literal(Scalar::Float, &vec![7; lanes.len()]),
        );
        let body = before.into_iter().chain([write]).collect();
        Program {
            globals: vec![GlobalVar { global, matrix_rows: None }],
            functions: vec![Function { body, ..Function::default() }],
            ..Program::default()
        }
    }

    #[test]
    fn components_that_are_left_out_are_zero() {
        let mut written = program(&[1, 2], vec![]);
        run(&mut written);
        let Some(Stmt::Assign(Place::Global(_, None, lanes), value)) = written.functions[0].body.first()
        else {
            panic!("{written:?}")
        };
        assert!(lanes.is_empty());
        let parts =
            [literal(Scalar::Float, &[0]), literal(Scalar::Float, &[7, 7]), literal(Scalar::Float, &[0])];
        assert_eq!(value.kind, ExprKind::Construct(parts.to_vec()));
    }

    #[test]
    fn others_stay() {
        let write = program(&[0, 1], vec![]).functions[0].body.clone();
        let returns = vec![Stmt::Loop(vec![Stmt::Return(vec![])])];
        for before in [write, returns, vec![Stmt::Loop(vec![Stmt::EmitVertex(0, crate::ast::Link::NONE)])]] {
            let mut twice = program(&[2], before);
            let original = twice.clone();
            run(&mut twice);
            assert_eq!(twice, original);
        }
        let mut whole = program(&[0, 1, 2, 3], vec![]);
        let original = whole.clone();
        run(&mut whole);
        assert_eq!(whole, original);
    }
}
