//! The number of an invocation among all: machines count work groups, and the invocations in each; source has one name for
//! `group * size + place`.

use super::walk::{bodies_mut, exprs_mut, for_each_expr_mut};
use super::{Binary, Expr, ExprKind, GlobalRef, GlobalVar, Program, Scalar, Stmt, Type};
use crate::{Global, Shape, Space};

/// Names the sums of a compute program with work groups of this size (invocations along x, y and z).
pub fn name_global_ids(program: &mut Program, size: [u32; 3]) {
    let of = |semantic: &str| {
        let found = program.globals.iter().position(|variable| {
            variable.global.space == Space::Input && variable.global.semantic.as_deref() == Some(semantic)
        })?;
        Some(GlobalRef(found as u32))
    };
    let (Some(group), Some(local), None) = (of("workgroup-id"), of("local-id"), of("global-id")) else {
        return;
    };
    let model = &program.globals[group.0 as usize];
    let made = GlobalRef(program.globals.len() as u32);
    let global = GlobalVar {
        global: Global {
            name: "gl_GlobalInvocationID".to_owned(),
            // A word that no machine has.
            offset: u32::MAX - 4,
            ..model.global.clone()
        },
        matrix_rows: None,
    };
    if !matches!(global.global.shape, Shape::Int { .. } | Shape::Uint { .. } | Shape::Float { .. }) {
        return;
    }
    let ids = Ids { group, local, made, size };
    let mut count = 0;
    for function in &mut program.functions {
        ids.body(&mut function.body, &mut count);
    }
    if count > 0 {
        let mut global = global;
        global.global.semantic = Some("global-id".to_owned());
        program.globals.push(global);
    }
}

struct Ids {
    group: GlobalRef,
    local: GlobalRef,
    made: GlobalRef,
    size: [u32; 3],
}

impl Ids {
    fn body(&self, body: &mut [Stmt], count: &mut usize) {
        for stmt in body {
            for expr in exprs_mut(stmt) {
                for_each_expr_mut(expr, &mut |expr| {
                    if let Some(components) = self.sum(expr) {
                        *count += 1;
                        *expr = self.named(expr, &components);
                    }
                });
            }
            for inner in bodies_mut(stmt) {
                self.body(inner, count);
            }
        }
    }

    /// The same components of the sum's name, in the kind of the sum.
    fn named(&self, sum: &Expr, components: &[u8]) -> Expr {
        let uint = |components: usize| Type { scalar: Scalar::Uint, components: components as u8 };
        let all = Expr::new(uint(3), ExprKind::Global(self.made, None));
        let part = match components {
            [0, 1, 2] => all,
            list => Expr::new(uint(list.len()), ExprKind::Swizzle(Box::new(all), list.to_vec())),
        };
        let part = match sum.ty.scalar {
            Scalar::Uint => part,
            _ => Expr::new(sum.ty, ExprKind::Convert(Box::new(part))),
        };
        part.linked(sum.link)
    }

    /// Components of the number that a sum is.
    fn sum(&self, expr: &Expr) -> Option<Vec<u8>> {
        let ExprKind::Binary(Binary::Add, a, b) = &expr.kind else { return None };
        if !matches!(expr.ty.scalar, Scalar::Int | Scalar::Uint) {
            return None;
        }
        [(a, b), (b, a)].into_iter().find_map(|(group, local)| {
            let components = components(local, self.local)?;
            let starts = self.starts(group)?;
            (starts == components).then_some(components)
        })
    }

    /// Components of the number of the first invocation of a group.
    fn starts(&self, expr: &Expr) -> Option<Vec<u8>> {
        if let ExprKind::Construct(parts) = &expr.kind {
            let lists: Option<Vec<Vec<u8>>> = parts.iter().map(|part| self.starts(part)).collect();
            return lists.map(|lists| lists.concat()).filter(|list| list.len() == expr.ty.components.into());
        }
        let (list, factors) = match &expr.kind {
            ExprKind::Binary(Binary::ShiftLeft, group, by) => {
                let factors: Vec<u64> =
                    numbers(by)?.iter().map(|by| 1u64.checked_shl(*by as u32)).collect::<Option<_>>()?;
                (components(group, self.group)?, factors)
            }
            ExprKind::Binary(Binary::Mul, a, b) => match (numbers(a), numbers(b)) {
                (None, Some(factors)) => (components(a, self.group)?, factors.to_vec()),
                (Some(factors), None) => (components(b, self.group)?, factors.to_vec()),
                _ => return None,
            },
            // Groups of one.
            _ => (components(expr, self.group)?, vec![1]),
        };
        let fits = list.iter().enumerate().all(|(at, component)| {
            let factor = factors.get(at).or(factors.first()).copied();
            let size = self.size.get(usize::from(*component)).map(|size| u64::from((*size).max(1)));
            factor.is_some() && factor == size
        });
        fits.then_some(list)
    }
}

/// Components of a global, read as integers of either kind.
fn components(expr: &Expr, of: GlobalRef) -> Option<Vec<u8>> {
    match &expr.kind {
        ExprKind::Convert(inner) | ExprKind::Bitcast(inner)
            if matches!(
                (expr.ty.scalar, inner.ty.scalar),
                (Scalar::Int | Scalar::Uint, Scalar::Int | Scalar::Uint)
            ) =>
        {
            components(inner, of)
        }
        ExprKind::Swizzle(inner, list) => match inner.kind {
            ExprKind::Global(global, None) if global == of => Some(list.clone()),
            _ => None,
        },
        ExprKind::Global(global, None) if *global == of => Some((0..expr.ty.components).collect()),
        _ => None,
    }
}

fn numbers(expr: &Expr) -> Option<&[u64]> {
    match &expr.kind {
        ExprKind::Literal(bits) => Some(bits),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ast::{Function, Local, LocalRef};

    const GROUP: GlobalRef = GlobalRef(0);
    const LOCAL: GlobalRef = GlobalRef(1);

    fn ty(scalar: Scalar, components: u8) -> Type {
        Type { scalar, components }
    }

    fn int(value: u64) -> Expr {
        Expr::new(ty(Scalar::Int, 1), ExprKind::Literal(vec![value]))
    }

    /// `int(global.x)` and its neighbours.
    fn part(global: GlobalRef, at: u8) -> Expr {
        let all = Expr::new(ty(Scalar::Uint, 3), ExprKind::Global(global, None));
        let one = Expr::new(ty(Scalar::Uint, 1), ExprKind::Swizzle(Box::new(all), vec![at]));
        Expr::new(ty(Scalar::Int, 1), ExprKind::Convert(Box::new(one)))
    }

    fn binary(op: Binary, a: Expr, b: Expr) -> Expr {
        Expr::new(a.ty, ExprKind::Binary(op, Box::new(a), Box::new(b)))
    }

    /// What is left of an expression in a program with groups of 32 by 1 by 1.
    fn named(expr: Expr) -> (Expr, usize) {
        let global = |semantic: &str, offset: u32| GlobalVar {
            global: Global {
                semantic: Some(semantic.to_owned()),
                ..Global::new(semantic, Space::Input, 2, offset, Shape::Uint { components: 3, elements: 1 })
            },
            matrix_rows: None,
        };
        let mut program = Program {
            globals: vec![global("workgroup-id", 37), global("local-id", 33)],
            functions: vec![Function {
                locals: vec![Local { name: "a".to_owned(), ty: expr.ty }],
                body: vec![Stmt::Declare(LocalRef(0), Some(expr))],
                ..Function::default()
            }],
            ..Program::default()
        };
        name_global_ids(&mut program, [32, 1, 1]);
        let Some(Stmt::Declare(_, Some(expr))) = program.functions[0].body.first() else { panic!() };
        (expr.clone(), program.globals.len())
    }

    #[test]
    fn the_number_among_all() {
        let shifted = binary(Binary::ShiftLeft, part(GROUP, 0), int(5));
        let (expr, globals) = named(binary(Binary::Add, shifted, part(LOCAL, 0)));
        assert_eq!(globals, 3);
        assert_eq!(expr, part(GlobalRef(2), 0));
        let times = binary(Binary::Mul, int(32), part(GROUP, 0));
        assert_eq!(named(binary(Binary::Add, part(LOCAL, 0), times)).1, 3);
        // Along y there is one in each group.
        assert_eq!(named(binary(Binary::Add, part(GROUP, 1), part(LOCAL, 1))).1, 3);
    }

    #[test]
    fn other_sums_stay() {
        let shifted = |by| binary(Binary::ShiftLeft, part(GROUP, 0), int(by));
        assert_eq!(named(binary(Binary::Add, shifted(4), part(LOCAL, 0))).1, 2);
        assert_eq!(named(binary(Binary::Add, shifted(5), part(LOCAL, 1))).1, 2);
        assert_eq!(named(binary(Binary::Add, part(GROUP, 0), part(LOCAL, 0))).1, 2);
        assert_eq!(named(binary(Binary::Sub, shifted(5), part(LOCAL, 0))).1, 2);
    }
}
