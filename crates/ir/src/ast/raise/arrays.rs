//! Members of one block that follow each other and are alike, as an array, where that lets a loop come back which the
//! compiler wrote out: `transform`, `transform2`, `transform3` of bodies that differ in nothing else are `transforms[i]`.

use super::super::walk::{bodies_mut, exprs_mut, for_each_expr_mut, for_each_global};
use super::super::{Expr, ExprKind, Function, GlobalRef, GlobalVar, Program, Scalar, Stmt};
use super::forms::{boxed, literal};
use super::rolled;
use crate::{Shape, Space};

/// Members that are an array at the least.
const LEAST: usize = 3;
/// Tokens that have to go for it.
const LOOP: usize = 12;
/// Arrays that are tried.
const MOST: usize = 4;

/// Joins what makes loops; answers whether it joined something.
pub(super) fn run(program: &mut Program, wraps: bool) -> bool {
    let mut groups = groups(&program.globals);
    groups.retain(|group| {
        let binding = program.globals[group[0] as usize].global.binding;
        program.blocks.iter().any(|block| block.binding == binding)
    });
    if groups.is_empty() {
        return false;
    }
    // How many tokens are left when loops came back.
    let length = |program: &Program| -> usize {
        let mut tokens = 0;
        for function in &program.functions {
            let mut function: Function = function.clone();
            rolled::run(&mut function, &program.globals, wraps);
            tokens += function.body.iter().map(rolled::tokens).sum::<usize>();
        }
        tokens
    };
    let mut before = length(program);
    let mut any = false;
    // The last first, so that the numbers of those in front stay.
    for group in groups.into_iter().rev().take(MOST) {
        let mut joined = program.clone();
        if !join(&mut joined, &group) {
            continue;
        }
        let after = length(&joined);
        if after + LOOP < before {
            *program = joined;
            before = after;
            any = true;
        }
    }
    any
}

/// Runs of members without names that lie side by side: their numbers.
fn groups(globals: &[GlobalVar]) -> Vec<Vec<u32>> {
    let mut found: Vec<Vec<u32>> = Vec::new();
    for (at, variable) in globals.iter().enumerate() {
        let global = &variable.global;
        let fits = global.space == Space::Uniform
            && !global.named
            && global.constant.is_none()
            && variable.matrix_rows.is_none()
            && matches!(
                global.shape,
                Shape::Matrix { elements: 0, element_stride: 0, .. }
                    | Shape::Float { elements: 0, components: 4 }
            );
        if !fits {
            continue;
        }
        let words = match global.shape {
            Shape::Matrix { columns, .. } => u32::from(columns) * global.stride,
            _ => global.stride,
        };
        let follows = |group: &Vec<u32>| {
            let first = &globals[group[0] as usize].global;
            let Some(last) = group.last().map(|last| &globals[*last as usize].global) else { return false };
            (first.binding, first.shape, first.stride) == (global.binding, global.shape, global.stride)
                && last.offset.checked_add(words) == Some(global.offset)
        };
        match found.last_mut().filter(|group| follows(group)) {
            Some(group) => group.push(at as u32),
            None => found.push(vec![at as u32]),
        }
    }
    found.retain(|group| group.len() >= LEAST);
    found
}

/// Makes the members of a group elements of the first one; answers whether every use can be said.
fn join(program: &mut Program, group: &[u32]) -> bool {
    let Some(first) = group.first().copied() else { return false };
    let count = group.len() as u32;
    match program.globals.get_mut(first as usize).map(|variable| &mut variable.global.shape) {
        Some(Shape::Matrix { elements, element_stride, .. }) => (*elements, *element_stride) = (count, 0),
        Some(Shape::Float { elements, .. }) => *elements = count,
        _ => return false,
    }
    let place = |global: GlobalRef| group.iter().position(|own| *own == global.0);
    let index = |at: usize| literal(Scalar::Int, &[at as u64]);
    let mut sayable = true;
    for function in &mut program.functions {
        each_expr(&mut function.body, &mut |expr| match &mut expr.kind {
            ExprKind::Global(global, element) => {
                if let Some(at) = place(*global) {
                    sayable &= element.is_none();
                    (*global, *element) = (GlobalRef(first), Some(boxed(index(at))));
                }
            }
            ExprKind::Column(global, element, _) => {
                if let Some(at) = place(*global) {
                    sayable &= element.is_none();
                    (*global, *element) = (GlobalRef(first), Some(boxed(index(at))));
                }
            }
            ExprKind::Product(product) => {
                if let Some(at) = place(product.matrix) {
                    sayable &= product.element.is_none();
                    (product.matrix, product.element) = (GlobalRef(first), Some(index(at)));
                }
            }
            ExprKind::MatrixVector(global, ..) | ExprKind::Interpolate(_, global, _) => {
                sayable &= place(*global).is_none();
            }
            _ => {}
        });
        // The others are gone, and all behind them have other numbers.
        for_each_global(&mut function.body, &mut |global| {
            global.0 -= group[1..].iter().filter(|gone| **gone < global.0).count() as u32;
        });
    }
    let mut at = 0;
    program.globals.retain(|_| {
        at += 1;
        !group[1..].contains(&(at - 1))
    });
    sayable
}

fn each_expr(body: &mut [Stmt], visit: &mut impl FnMut(&mut Expr)) {
    for stmt in body {
        for expr in exprs_mut(stmt) {
            for_each_expr_mut(expr, visit);
        }
        for inner in bodies_mut(stmt) {
            each_expr(inner, visit);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::{Local, LocalRef, Place, Type};
    use super::*;
    use crate::{Global, UniformBlock};

    const FLOAT4: Type = Type { scalar: Scalar::Float, components: 4 };

    fn vector(offset: u32) -> GlobalVar {
        let shape = Shape::Float { components: 4, elements: 0 };
        let mut global = Global::new("vector", Space::Uniform, 0, offset, shape);
        global.named = false;
        GlobalVar { global, matrix_rows: None }
    }

    fn output() -> GlobalVar {
        let shape = Shape::Float { components: 4, elements: 8 };
        GlobalVar { global: Global::new("made", Space::Output, 0, 0, shape), matrix_rows: None }
    }

    /// `made[k] = v_k * v_k * a * a * a` for some members.
    fn program(offsets: &[u32]) -> Program {
        let mut globals: Vec<GlobalVar> = offsets.iter().map(|offset| vector(*offset)).collect();
        globals.push(output());
        let made = GlobalRef(offsets.len() as u32);
        let times = |a: Expr, b: Expr| super::super::forms::binary(super::super::super::Binary::Mul, a, b);
        let local = Expr::new(FLOAT4, ExprKind::Local(LocalRef(0)));
        let body = (0..offsets.len() as u32)
            .map(|at| {
                let member = Expr::new(FLOAT4, ExprKind::Global(GlobalRef(at), None));
                let mut value = times(member.clone(), member);
                for _ in 0..6 {
                    value = times(value, local.clone());
                }
                let index = literal(Scalar::Int, &[at.into()]);
                Stmt::Assign(Place::Global(made, Some(boxed(index)), Vec::new()), value)
            })
            .collect();
        let block = UniformBlock { name: "block".to_owned(), named: false, binding: 0, words: 0 };
        Program {
            globals,
            blocks: vec![block],
            functions: vec![Function {
                params: vec![LocalRef(0)],
                locals: vec![Local { name: "a".to_owned(), ty: FLOAT4 }],
                body,
                ..Function::default()
            }],
            ..Program::default()
        }
    }

    #[test]
    fn neighbours_of_a_loop_are_an_array() {
        let mut joined = program(&[0, 4, 8, 12]);
        assert!(run(&mut joined, true));
        assert_eq!(joined.globals.len(), 2);
        assert_eq!(joined.globals[0].global.shape, Shape::Float { components: 4, elements: 4 });
        let globals = joined.globals.clone();
        assert_eq!(rolled::run(&mut joined.functions[0], &globals, true), 1);
    }

    #[test]
    fn what_lies_apart_or_makes_no_loop_stays() {
        let mut apart = program(&[0, 8, 16, 24]);
        assert!(!run(&mut apart, true));
        let mut single = program(&[0, 4, 8, 12]);
        single.functions[0].body.truncate(1);
        assert!(!run(&mut single, true));
        assert_eq!(single.globals.len(), 5);
    }
}
