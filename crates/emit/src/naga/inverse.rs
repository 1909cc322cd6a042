//! Products with the inverse of a matrix, as functions of its columns: of the languages not all have an inverse.

use super::double_helper::call;
use super::helper::{FLOAT, binary, local};
use unshade_ir::ast::{self, Binary, Builtin, Expr, ExprKind, Local, LocalRef, Scalar, Stmt, Type};

fn vector(components: u8) -> Type {
    Type { scalar: Scalar::Float, components }
}

/// A function while its statements are written.
struct Writer {
    locals: Vec<Local>,
    body: Vec<Stmt>,
}

impl Writer {
    /// A value with a name, to be used more than once.
    fn name(&mut self, name: &str, value: Expr) -> Expr {
        let index = self.locals.len() as u32;
        self.locals.push(Local { name: name.to_owned(), ty: value.ty });
        let ty = value.ty;
        self.body.push(Stmt::Declare(LocalRef(index), Some(value)));
        local(index, ty)
    }
}

fn part(value: &Expr, lanes: &[u8]) -> Expr {
    let ty = vector(lanes.len() as u8);
    Expr::new(ty, ExprKind::Swizzle(Box::new(value.clone()), lanes.to_vec()))
}

fn times(a: Expr, b: Expr) -> Expr {
    let ty = vector(a.ty.components.max(b.ty.components));
    binary(Binary::Mul, ty, a, b)
}

fn plus(a: Expr, b: Expr) -> Expr {
    let ty = a.ty;
    binary(Binary::Add, ty, a, b)
}

fn minus(a: Expr, b: Expr) -> Expr {
    let ty = a.ty;
    binary(Binary::Sub, ty, a, b)
}

fn opposite(a: Expr) -> Expr {
    Expr::new(a.ty, ExprKind::Unary(ast::Unary::Negate, Box::new(a)))
}

fn dot(a: Expr, b: Expr) -> Expr {
    call(FLOAT, Builtin::Dot, vec![a, b])
}

fn cross(a: Expr, b: Expr) -> Expr {
    call(vector(3), Builtin::Cross, vec![a, b])
}

fn joined(parts: Vec<Expr>) -> Expr {
    let components = parts.iter().map(|part| part.ty.components).sum();
    Expr::new(vector(components), ExprKind::Construct(parts))
}

/// `inverse(matrix) * vector` or `vector * inverse(matrix)`: the columns, so many, then the vector.
pub(super) fn product(size: u8, vector_first: bool) -> ast::Function {
    let ty = vector(size);
    let names = ["a", "b", "c", "d"].iter().take(size.into()).chain(&["x"]);
    let mut writer = Writer {
        locals: names.map(|name| Local { name: (*name).to_owned(), ty }).collect(),
        body: Vec::new(),
    };
    let params = writer.locals.len() as u32;
    let columns: Vec<Expr> = (0..params - 1).map(|index| local(index, ty)).collect();
    let x = local(params - 1, ty);
    let (determinant, rows) = match &columns[..] {
        [a, b, c] => of_three(&mut writer, a, b, c),
        [a, b, c, d] => of_four(&mut writer, [a, b, c, d]),
        [a, b, ..] => of_two(a, b),
        _ => (x.clone(), Vec::new()),
    };
    let lanes = 0..size;
    let adjoint = if vector_first {
        let terms = rows.into_iter().zip(lanes).map(|(row, lane)| times(row, part(&x, &[lane])));
        terms.reduce(plus).unwrap_or_else(|| x.clone())
    } else {
        joined(rows.into_iter().map(|row| dot(row, x.clone())).collect())
    };
    let determinant = writer.name("determinant", determinant);
    let determinant = Expr::new(ty, ExprKind::Construct(vec![determinant]));
    let result = binary(Binary::Div, ty, adjoint, determinant);
    writer.body.push(Stmt::Return(vec![result]));
    ast::Function {
        name: if vector_first { "timesInverse" } else { "inverseTimes" }.to_owned(),
        params: (0..params).map(LocalRef).collect(),
        results: vec![ty],
        locals: writer.locals,
        body: writer.body,
        links: ast::Links::default(),
    }
}

/// The determinant, and the rows of the inverse times it.
fn of_two(a: &Expr, b: &Expr) -> (Expr, Vec<Expr>) {
    let (ax, ay, bx, by) = (part(a, &[0]), part(a, &[1]), part(b, &[0]), part(b, &[1]));
    let determinant = minus(times(ax.clone(), by.clone()), times(ay.clone(), bx.clone()));
    (determinant, vec![joined(vec![by, opposite(bx)]), joined(vec![opposite(ay), ax])])
}

fn of_three(writer: &mut Writer, a: &Expr, b: &Expr, c: &Expr) -> (Expr, Vec<Expr>) {
    let first = writer.name("p", cross(b.clone(), c.clone()));
    let determinant = dot(a.clone(), first.clone());
    (determinant, vec![first, cross(c.clone(), a.clone()), cross(a.clone(), b.clone())])
}

/// Of the first two columns and the last two: the cross product of their first three components, and the difference of these
/// scaled with the fourth of the other one. A row of the inverse is a cross product of a column with such a difference.
fn of_four(writer: &mut Writer, [a, b, c, d]: [&Expr; 4]) -> (Expr, Vec<Expr>) {
    let upper = |column: &Expr| part(column, &[0, 1, 2]);
    let last = |column: &Expr| part(column, &[3]);
    let differ = |a: &Expr, b: &Expr| minus(times(upper(a), last(b)), times(upper(b), last(a)));
    let s = writer.name("s", cross(upper(a), upper(b)));
    let t = writer.name("t", cross(upper(c), upper(d)));
    let u = writer.name("u", differ(a, b));
    let v = writer.name("v", differ(c, d));
    let determinant = plus(dot(s.clone(), v.clone()), dot(t.clone(), u.clone()));
    let row = |first: Expr, fourth: Expr| joined(vec![first, fourth]);
    let rows = vec![
        row(plus(cross(upper(b), v.clone()), times(t.clone(), last(b))), opposite(dot(upper(b), t.clone()))),
        row(minus(cross(v, upper(a)), times(t.clone(), last(a))), dot(upper(a), t)),
        row(plus(cross(upper(d), u.clone()), times(s.clone(), last(d))), opposite(dot(upper(d), s.clone()))),
        row(minus(cross(u, upper(c)), times(s.clone(), last(c))), dot(upper(c), s)),
    ];
    (determinant, rows)
}

#[cfg(test)]
mod tests {
    use super::*;
    use unshade_ir::ast::{GlobalRef, GlobalVar, Link, Links, Place, Program};
    use unshade_ir::exec::{Limits, Memory, Outcome};
    use unshade_ir::{Global, Shape, Space};

    /// What the function gives for columns and a vector.
    fn run(size: u8, vector_first: bool, numbers: &[f32]) -> Vec<f32> {
        let ty = vector(size);
        let words = |list: &[f32]| list.iter().map(|number| u64::from(number.to_bits())).collect();
        let literal = |list: &[f32]| Expr::new(ty, ExprKind::Literal(words(list)));
        let call = Stmt::Call {
            function: ast::FunctionRef(0),
            args: numbers.chunks(size.into()).map(literal).collect(),
            results: vec![Some(Place::Global(GlobalRef(0), None, Vec::new()))],
            link: Link::default(),
        };
        let main = ast::Function {
            name: "main".to_owned(),
            params: Vec::new(),
            results: Vec::new(),
            locals: Vec::new(),
            body: vec![call],
            links: Links::default(),
        };
        let shape = Shape::Float { components: size, elements: 0 };
        let program = Program {
            globals: vec![GlobalVar {
                global: Global::new("result", Space::Output, 0, 0, shape),
                matrix_rows: None,
            }],
            functions: vec![product(size, vector_first), main],
            ..Program::default()
        };
        let mut memory = Memory::default();
        memory.set(Space::Output, 0, vec![0; 4]);
        assert_eq!(ast::exec::run(&program, &mut memory, Limits::fuel(1000)).outcome, Outcome::Ended);
        memory.words(Space::Output, 0).iter().take(size.into()).map(|word| f32::from_bits(*word)).collect()
    }

    #[test]
    fn the_functions_give_what_the_interpreter_gives() {
        let mut state = 1u32;
        let mut number = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 16) as f32 / 8192.0 - 4.0
        };
        for size in 2..=4u8 {
            let all = usize::from(size);
            for _ in 0..20 {
                let mut numbers: Vec<f32> = (0..all * (all + 1)).map(|_| number()).collect();
                // Far from having no inverse.
                (0..all).for_each(|n| numbers[n * all + n] += 20.0);
                let mut columns = [[0.0; 4]; 4];
                for (column, list) in columns.iter_mut().zip(numbers.chunks(all)).take(all) {
                    column[..all].copy_from_slice(list);
                }
                let mut last = [0.0; 4];
                last[..all].copy_from_slice(&numbers[all * all..]);
                for vector_first in [false, true] {
                    let wanted = unshade_ir::inverse::product(&columns, all, last, vector_first);
                    for (found, wanted) in run(size, vector_first, &numbers).iter().zip(wanted) {
                        assert!((found - wanted).abs() < 1e-5, "{size} {vector_first}: {found} {wanted}");
                    }
                }
            }
        }
    }
}
