//! Whether a program fills an array before it reads it, so that it need not be set to 0 first.

use unshade_ir::ast::walk::{bodies, exprs, for_each_expr};
use unshade_ir::ast::{ExprKind, Place, Stmt};

/// Most words of an array that is looked at.
const LARGEST: u32 = 1 << 12;

/// Whether the first statements of a body, those in front of any branch, loop or call, give every word of an array a
/// value before one is read.
pub(super) fn is_filled(body: &[Stmt], array: u32, words: u32) -> bool {
    if words > LARGEST {
        return false;
    }
    let mut given = vec![false; words as usize];
    let mut left = words;
    for stmt in body {
        let straight = matches!(stmt, Stmt::Declare(..) | Stmt::Assign(..) | Stmt::Comment(_));
        let mut reads = false;
        for expr in exprs(stmt) {
            for_each_expr(expr, &mut |expr| {
                reads |= matches!(expr.kind, ExprKind::Array(read, _) if read == array);
            });
        }
        if left == 0 || !straight || reads || !bodies(stmt).is_empty() {
            break;
        }
        if let Stmt::Assign(Place::Array(written, index), _) = stmt
            && *written == array
            && let ExprKind::Literal(bits) = &index.kind
            && let Some(given) = bits.first().and_then(|word| given.get_mut(usize::try_from(*word).ok()?))
            && !std::mem::replace(given, true)
        {
            left -= 1;
        }
    }
    left == 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use unshade_ir::ast::{Expr, LocalRef, Scalar, Type};

    const UINT: Type = Type { scalar: Scalar::Uint, components: 1 };

    fn literal(value: u64) -> Expr {
        Expr::new(UINT, ExprKind::Literal(vec![value]))
    }

    fn store(index: Expr) -> Stmt {
        Stmt::Assign(Place::Array(0, Box::new(index)), literal(7))
    }

    #[test]
    fn every_word_before_the_first_read() {
        let dynamic = Expr::new(UINT, ExprKind::Local(LocalRef(0)));
        let read =
            Stmt::Declare(LocalRef(1), Some(Expr::new(UINT, ExprKind::Array(0, Box::new(literal(0))))));
        let both = [store(literal(1)), store(dynamic.clone()), store(literal(0)), read.clone()];
        assert!(is_filled(&both, 0, 2));
        assert!(!is_filled(&both, 0, 3));
        assert!(!is_filled(&[store(literal(0)), read, store(literal(1))], 0, 2));
        let branch = Stmt::If { condition: dynamic, then: vec![store(literal(1))], otherwise: Vec::new() };
        assert!(!is_filled(&[store(literal(0)), branch], 0, 2));
    }
}
