use super::super::forms::{binary, float, ty};
use super::*;
use crate::ast::{GlobalRef, Program};
use crate::exec::{Limits, Memory};
use crate::random::Dice;
use crate::{Global, Shape};

const NUMBER: super::super::super::Type = super::super::super::Type { scalar: Scalar::Float, components: 1 };

fn int(value: i64) -> Expr {
    literal(Scalar::Int, &[value as u32 as u64])
}

fn local(at: u32) -> Expr {
    Expr::new(NUMBER, ExprKind::Local(LocalRef(at)))
}

/// A word of an array of inputs (global 0) or of outputs (1).
fn word(global: u32, index: Expr) -> Expr {
    Expr::new(NUMBER, ExprKind::Global(GlobalRef(global), Some(Box::new(index))))
}

fn store(index: i64, value: Expr) -> Stmt {
    Stmt::Assign(Place::Global(GlobalRef(1), Some(Box::new(int(index))), Vec::new()), value)
}

fn declare(at: u32, value: Expr) -> Stmt {
    Stmt::Declare(LocalRef(at), Some(value))
}

fn set(at: u32, value: Expr) -> Stmt {
    Stmt::Assign(Place::Local(LocalRef(at), Vec::new()), value)
}

fn times(a: Expr, b: Expr) -> Expr {
    binary(Binary::Mul, a, b)
}

fn plus(a: Expr, b: Expr) -> Expr {
    binary(Binary::Add, a, b)
}

fn program(locals: usize, body: Vec<Stmt>) -> Program {
    let array = |name: &str, space| {
        let shape = Shape::Float { components: 1, elements: 16 };
        GlobalVar { global: Global { stride: 1, ..Global::new(name, space, 0, 0, shape) }, matrix_rows: None }
    };
    let locals = vec![Local { name: String::new(), ty: NUMBER }; locals];
    let function = Function { name: "main".to_owned(), locals, body, ..Function::default() };
    Program {
        globals: vec![array("from", Space::Input), array("to", Space::Output)],
        functions: vec![function],
        ..Program::default()
    }
}

/// What a program leaves in its outputs.
fn outputs(program: &Program) -> Vec<u32> {
    let mut memory = Memory::default();
    memory.set(Space::Input, 0, (0..16).map(|word| (word as f32 * 0.75 - 3.0).to_bits()).collect());
    memory.set(Space::Output, 0, vec![0; 16]);
    crate::ast::exec::run(program, &mut memory, Limits::fuel(10_000));
    memory.words(Space::Output, 0).to_vec()
}

/// Rolls up; the outputs must stay. Answers the body and how many loops there are.
fn rolled(locals: usize, body: Vec<Stmt>) -> (Vec<Stmt>, u32) {
    let mut program = program(locals, body);
    let before = outputs(&program);
    let count = run(&mut program.functions[0], &program.globals, true);
    assert_eq!(before, outputs(&program), "{:#?}", program.functions[0].body);
    (std::mem::take(&mut program.functions[0].body), count)
}

/// `to[n] = from[n] * (from[0] + from[n]) * 2.0`, at an index to read and one to write.
fn term(to: i64, from: i64) -> Stmt {
    store(to, times(times(word(0, int(from)), plus(word(0, int(0)), word(0, int(from)))), float(2.0)))
}

#[test]
fn runs_that_count_are_a_loop() {
    let (body, count) = rolled(0, (3..9).map(|n| term(n, n)).collect());
    let [Stmt::For { start, condition, step, body, .. }] = &body[..] else { panic!("{body:#?}") };
    let counter = Expr::new(ty(Scalar::Int, 1), ExprKind::Local(LocalRef(0)));
    assert_eq!((start, step, count), (&int(3), &int(1), 1));
    assert_eq!(condition, &binary(Binary::Lt, counter.clone(), int(9)));
    let [Stmt::Assign(Place::Global(_, Some(index), _), _)] = &body[..] else { panic!("{body:#?}") };
    assert_eq!(**index, counter);
}

#[test]
fn integers_may_fall_jump_and_start_again() {
    let falls = (0..5).map(|n| term(n, 9 - 2 * n)).collect();
    let around = (0..5).map(|n| term(n, (n * 2 + 2) % 10)).collect();
    for body in [falls, around] {
        let (body, count) = rolled(0, body);
        assert!(matches!(&body[..], [Stmt::For { .. }]) && count == 1, "{body:#?}");
    }
    // No rule for these.
    let (body, count) = rolled(0, [1, 4, 3, 9, 2].map(|n| term(n, n * n)).to_vec());
    assert_eq!((body.len(), count), (5, 0));
}

#[test]
fn short_ones_stay() {
    let (body, count) = rolled(0, (0..3).map(|n| store(n, float(1.0))).collect());
    assert_eq!((body.len(), count), (3, 0));
}

#[test]
fn what_is_carried_is_carried() {
    // Local 0 goes through all runs; each has a local of its own.
    let mut stmts = vec![declare(0, float(1.0))];
    for n in 0..4 {
        stmts.push(declare(1 + n as u32, times(word(0, int(n)), plus(local(0), word(0, int(n + 4))))));
        stmts.push(set(0, plus(local(0), times(local(1 + n as u32), local(1 + n as u32)))));
    }
    stmts.push(store(0, local(0)));
    let (body, count) = rolled(5, stmts.clone());
    assert!(matches!(&body[..], [_, Stmt::For { .. }, _]) && count == 1, "{body:#?}");
    // What is needed behind the runs cannot be declared inside.
    stmts.push(store(1, local(2)));
    let (body, count) = rolled(5, stmts);
    assert_eq!((body.len(), count), (11, 0));
}

#[test]
fn loops_are_found_in_loops() {
    let mut stmts = Vec::new();
    for m in 0..3 {
        stmts.extend((0..4).map(|n| {
            store(n, times(times(word(0, int(n)), plus(word(0, int(m)), word(0, int(n)))), float(2.0)))
        }));
        stmts.push(store(15, plus(word(0, int(m)), times(word(0, int(m)), word(0, int(m + 1))))));
    }
    let (body, count) = rolled(0, stmts);
    let [Stmt::For { counter, body, .. }] = &body[..] else { panic!("{body:#?}") };
    assert!(matches!(&body[..], [Stmt::For { counter: inner, .. }, _] if inner != counter), "{body:#?}");
    assert_eq!(count, 2);
}

#[test]
fn outputs_of_vertices_may_stand_in_any_order() {
    let vertex = |n: i64, turned: bool| {
        let global = |at, index| {
            let place = Place::Global(GlobalRef(at), None, Vec::new());
            Stmt::Assign(place, times(word(0, int(index)), plus(word(0, int(index)), float(2.0))))
        };
        let mut stmts = vec![global(2, n), global(3, n + 1)];
        if turned {
            stmts.reverse();
        }
        stmts.push(Stmt::EmitVertex(0, Link::NONE));
        stmts
    };
    let body = [vertex(0, false), vertex(1, true), vertex(2, false)].concat();
    let mut program = program(0, body);
    for name in ["a", "b"] {
        let shape = Shape::Float { components: 1, elements: 0 };
        let global = Global::new(name, Space::Output, 1, 0, shape);
        program.globals.push(GlobalVar { global, matrix_rows: None });
    }
    assert_eq!(run(&mut program.functions[0], &program.globals, true), 1);
}

#[test]
fn breaks_stay_where_they_are() {
    let once = |n: i64| {
        let condition = binary(Binary::Lt, word(0, int(n)), word(0, int(n + 1)));
        vec![term(n, n), Stmt::If { condition, then: vec![Stmt::Break], otherwise: Vec::new() }]
    };
    let mut body = [once(0), once(1), once(2), once(3)].concat();
    body.push(Stmt::Break);
    let (body, count) = rolled(0, vec![Stmt::Loop(body)]);
    assert_eq!(count, 0, "{body:#?}");
}

/// Random statements, written out several times with integers that go on or do not.
#[test]
fn random_repetitions_leave_the_same() {
    fn value(dice: &mut Dice, depth: u32, pass: i64, locals: u32) -> Expr {
        match dice.below(if depth == 0 { 3 } else { 5 }) {
            0 => float(0.5),
            1 if locals > 0 => local(dice.below(locals as usize) as u32),
            1..=2 => {
                let (start, step) = (dice.below(8) as i64, dice.below(3) as i64 - 1);
                word(0, int((start + step * pass).rem_euclid(16)))
            }
            3 => plus(value(dice, depth - 1, pass, locals), value(dice, depth - 1, pass, locals)),
            _ => times(value(dice, depth - 1, pass, locals), value(dice, depth - 1, pass, locals)),
        }
    }
    let mut found = 0;
    for seed in 0..600 {
        let mut stmts = vec![declare(0, float(1.0)), declare(1, float(-2.0))];
        let (runs, length) = (2 + seed as i64 % 6, 1 + seed / 6 % 3);
        for pass in 0..runs {
            let own = 2 + pass as u32;
            // Every pass throws the same dice.
            let mut dice = Dice::new(seed);
            stmts.push(declare(own, value(&mut dice, 2, pass, 2)));
            for _ in 0..length {
                let to = dice.below(3);
                let mut value = value(&mut dice, 3, pass, 2);
                if dice.one_in(2) {
                    value = plus(value, local(own));
                }
                stmts.push(match to {
                    0 => set(dice.below(2) as u32, value),
                    _ => store((dice.below(9) as i64 + pass) % 16, value),
                });
            }
        }
        stmts.extend([store(0, local(0)), store(1, local(1))]);
        found += rolled(2 + runs as usize, stmts).1;
    }
    assert!(found > 100, "{found}");
}
