//! Which outputs a program may leave unwritten.
//!
//! The machine's outputs start as 0 and keep their value when a vertex is emitted; GLSL's start undefined
//! and are undefined again after `EmitVertex`. Where every path writes an output in time, nothing is
//! needed; this finds the others. It errs on the side of an assignment too many.

use crate::interface::{Form, Role, Slot};
use unshade_ir::ast::{Binary, Expr, ExprKind, LocalRef, Place, Program, Scalar, Stmt};
use unshade_stage::StageKind;

/// What each global (as [`Program::globals`]) needs beside its assignments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Needs {
    /// Some path ends without having written all of it.
    pub zero: Vec<bool>,
    /// Some vertex is emitted without all of it written since the last one.
    pub kept: Vec<bool>,
}

/// Walks the whole program.
pub(super) fn needs(program: &Program, slots: &[Slot], kind: StageKind) -> Needs {
    let whole = slots
        .iter()
        .map(|slot| match (slot.role, slot.form) {
            (Role::Output | Role::Position | Role::PointSize | Role::Fixed(_), Form::Single) => {
                (1u16 << slot.ty.components) - 1
            }
            // A bit for each element.
            (Role::Output | Role::Fixed(_), Form::Array(elements @ 1..=8)) if slot.ty.components == 1 => {
                (1u16 << elements) - 1
            }
            // Four bits for each column.
            (Role::Output, Form::Columns(columns @ 2..=4, 0)) => {
                (0..columns).fold(0, |mask, column| mask | ((1u16 << slot.ty.components) - 1) << (4 * column))
            }
            // Elements are written one by one: never known to be complete.
            (Role::Output | Role::Position | Role::PointSize | Role::Fixed(_), _) => 0xffff,
            _ => 0,
        })
        .collect::<Vec<u16>>();
    let rows = |slot: &Slot| match slot.form {
        Form::Columns(..) => slot.ty.components,
        _ => 0,
    };
    let mut walk = Walk {
        rows: slots.iter().map(rows).collect(),
        zero: vec![false; whole.len()],
        kept: vec![false; whole.len()],
        streams: program.globals.iter().map(|variable| variable.global.stream).collect(),
        whole,
        summaries: Vec::new(),
        breaks: Vec::new(),
        returned: Vec::new(),
    };
    for function in &program.functions {
        let start = vec![0; walk.whole.len()];
        walk.returned = everything(&start);
        let end = walk.block(&function.body, start);
        let end = meet(end, &walk.returned);
        let emits = emits(&function.body, &walk.summaries);
        walk.summaries.push(Summary { written: end, emits });
    }
    if kind == StageKind::TessControl {
        // Several invocations write one patch; what one leaves out another may have written.
        return Needs { zero: vec![false; walk.zero.len()], kept: vec![false; walk.kept.len()] };
    }
    if kind != StageKind::Geometry {
        let Walk { mut zero, whole, summaries, .. } = walk;
        if let Some(entry) = summaries.last() {
            for (zero, (written, whole)) in zero.iter_mut().zip(entry.written.iter().zip(&whole)) {
                *zero = written & whole != *whole;
            }
        }
        return Needs { kept: vec![false; zero.len()], zero };
    }
    Needs { zero: walk.zero, kept: walk.kept }
}

/// Components written so far, a mask for each global. All bits set where control never arrives.
type Written = Vec<u16>;

struct Summary {
    /// What a call writes after its last emitted vertex, if it emits.
    written: Written,
    emits: bool,
}

struct Walk {
    /// Rows of matrices; 0 for all others.
    rows: Vec<u8>,
    whole: Vec<u16>,
    zero: Vec<bool>,
    kept: Vec<bool>,
    /// The stream of each.
    streams: Vec<u32>,
    summaries: Vec<Summary>,
    /// What is written where control leaves the loops and switches around, innermost last.
    breaks: Vec<Written>,
    /// What is written at the returns of the current function.
    returned: Written,
}

impl Walk {
    fn block(&mut self, block: &[Stmt], mut written: Written) -> Written {
        for statement in block {
            written = self.statement(statement, written);
        }
        written
    }

    fn statement(&mut self, statement: &Stmt, mut written: Written) -> Written {
        match statement {
            Stmt::Assign(place, _) => self.write(&mut written, place),
            Stmt::Call { function, results, .. } => {
                if let Some(summary) = self.summaries.get(function.0 as usize) {
                    if summary.emits {
                        written.fill(0);
                    }
                    for (mask, more) in written.iter_mut().zip(&summary.written) {
                        *mask |= more;
                    }
                }
                results.iter().flatten().for_each(|place| self.write(&mut written, place));
            }
            Stmt::If { then, otherwise, .. } => {
                let no = self.block(otherwise, written.clone());
                let yes = self.block(then, written);
                return meet(yes, &no);
            }
            Stmt::For { counter, start, condition, step, body }
                if let Some(elements) = counts(*counter, start, condition, step)
                    && !leaves(body) =>
            {
                // It runs to its end, at least once.
                let before = self.loop_start(body, written);
                let mut written = self.block(body, before);
                if !emits(body, &self.summaries) {
                    for statement in body {
                        if let Stmt::Assign(Place::Global(global, Some(index), lanes), _) = statement
                            && lanes.is_empty()
                            && self.rows.get(global.0 as usize) == Some(&0)
                            && index.kind == ExprKind::Local(*counter)
                            && let Some(mask) = written.get_mut(global.0 as usize)
                        {
                            *mask |= elements;
                        }
                    }
                }
                return written;
            }
            Stmt::For { body, .. } | Stmt::While { body, .. } | Stmt::DoWhile { body, .. } => {
                let before = self.loop_start(body, written);
                self.breaks.push(everything(&before));
                self.block(body, before.clone());
                let left = self.breaks.pop().unwrap_or_default();
                return meet(before, &left);
            }
            Stmt::Loop(body) => {
                let before = self.loop_start(body, written);
                self.breaks.push(everything(&before));
                self.block(body, before);
                return self.breaks.pop().unwrap_or_default();
            }
            Stmt::Switch { cases, default, .. } => {
                self.breaks.push(everything(&written));
                let mut end = everything(&written);
                for body in cases.iter().map(|(_, body)| body).chain([default]) {
                    let case_end = self.block(body, written.clone());
                    end = meet(end, &case_end);
                }
                let left = self.breaks.pop().unwrap_or_default();
                return meet(end, &left);
            }
            Stmt::Break => {
                if let Some(left) = self.breaks.last_mut() {
                    *left = meet(std::mem::take(left), &written);
                }
                return everything(&written);
            }
            Stmt::Return(_) => {
                self.returned = meet(std::mem::take(&mut self.returned), &written);
                return everything(&written);
            }
            Stmt::Continue | Stmt::Discard(_) => return everything(&written),
            Stmt::EmitVertex(stream, _) => {
                let own = self.streams.iter().map(|of| of == stream);
                for (((kept, whole), mask), own) in
                    self.kept.iter_mut().zip(&self.whole).zip(&mut written).zip(own)
                {
                    *kept |= own && *mask & whole != *whole;
                    *mask = 0;
                }
            }
            Stmt::Act(act) => act.result.iter().for_each(|place| self.write(&mut written, place)),
            Stmt::Declare(..) | Stmt::EndPrimitive(..) | Stmt::Comment(_) => {}
        }
        written
    }

    /// What is written at the start of every pass of a loop.
    fn loop_start(&self, body: &[Stmt], mut written: Written) -> Written {
        if emits(body, &self.summaries) {
            written.fill(0);
        }
        written
    }

    fn write(&self, written: &mut Written, place: &Place) {
        let Place::Global(global, index, lanes) = place else { return };
        let Some(mask) = written.get_mut(global.0 as usize) else { return };
        let rows = self.rows.get(global.0 as usize).copied().unwrap_or(0);
        mark(mask, rows, index.as_deref(), lanes);
    }
}

/// Marks what an assignment writes of a global; of a matrix with so many rows.
fn mark(mask: &mut u16, rows: u8, index: Option<&Expr>, lanes: &[u8]) {
    match index.map(|index| &index.kind) {
        Some(ExprKind::Literal(bits)) if rows > 0 => {
            if let Some(column @ 0..=3) = bits.first() {
                let all = (1 << rows) - 1;
                let lanes = lanes.iter().fold(0_u16, |mask, lane| mask | 1 << (lane & 3));
                *mask |= (if lanes == 0 { all } else { lanes }) << (4 * column);
            }
        }
        None if lanes.is_empty() => *mask |= 0xf,
        None => *mask |= lanes.iter().fold(0, |mask, lane| mask | 1 << lane),
        // Counts where elements have a bit each; the others are never complete.
        Some(ExprKind::Literal(bits)) => {
            if let Some(element @ 0..=7) = bits.first() {
                *mask |= 1 << element;
            }
        }
        Some(_) => {}
    }
}

/// The values below 8 that the counter of a loop has, a bit each, where all of them are known and there is one.
fn counts(counter: LocalRef, start: &Expr, condition: &Expr, step: &Expr) -> Option<u16> {
    let number = |expr: &Expr| match (expr.ty.scalar, &expr.kind) {
        (Scalar::Int, ExprKind::Literal(bits)) => bits.first().map(|bits| i64::from(*bits as u32 as i32)),
        _ => None,
    };
    let ExprKind::Binary(Binary::Lt, held, end) = &condition.kind else { return None };
    let (start, end, step) = (number(start)?, number(end)?, number(step)?);
    if held.kind != ExprKind::Local(counter) || start < 0 || start >= end || step <= 0 {
        return None;
    }
    Some((start..end.min(8)).step_by(step as usize).fold(0, |mask, element| mask | 1 << element))
}

/// Whether control may leave a body elsewhere than at its end.
fn leaves(block: &[Stmt]) -> bool {
    block.iter().any(|statement| match statement {
        Stmt::Break | Stmt::Continue | Stmt::Return(_) | Stmt::Discard(_) => true,
        Stmt::If { then, otherwise, .. } => leaves(then) || leaves(otherwise),
        Stmt::For { body, .. } | Stmt::While { body, .. } | Stmt::DoWhile { body, .. } | Stmt::Loop(body) => {
            leaves(body)
        }
        Stmt::Switch { cases, default, .. } => cases.iter().any(|(_, body)| leaves(body)) || leaves(default),
        _ => false,
    })
}

fn everything(written: &Written) -> Written {
    vec![0xffff; written.len()]
}

/// What is written on both ways.
fn meet(mut a: Written, b: &Written) -> Written {
    for (a, b) in a.iter_mut().zip(b) {
        *a &= b;
    }
    a
}

/// Whether a vertex is emitted anywhere in there.
fn emits(block: &[Stmt], summaries: &[Summary]) -> bool {
    block.iter().any(|statement| match statement {
        Stmt::EmitVertex(..) => true,
        Stmt::Call { function, .. } => summaries.get(function.0 as usize).is_some_and(|callee| callee.emits),
        Stmt::If { then, otherwise, .. } => emits(then, summaries) || emits(otherwise, summaries),
        Stmt::For { body, .. } | Stmt::While { body, .. } | Stmt::DoWhile { body, .. } | Stmt::Loop(body) => {
            emits(body, summaries)
        }
        Stmt::Switch { cases, default, .. } => {
            cases.iter().any(|(_, body)| emits(body, summaries)) || emits(default, summaries)
        }
        _ => false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::interface::{Rules, slots};
    use unshade_ir::ast::{Expr, Function, FunctionRef, GlobalRef, GlobalVar, Link, Scalar, Type};
    use unshade_ir::{Global, Shape, Space};

    fn output(name: &str) -> GlobalVar {
        let shape = Shape::Float { components: 4, elements: 0 };
        let global = Global { location: 1, ..Global::new(name, Space::Output, 0, 4, shape) };
        GlobalVar { global, matrix_rows: None }
    }

    fn truth() -> Expr {
        Expr::new(Type { scalar: Scalar::Bool, components: 1 }, ExprKind::Literal(vec![1]))
    }

    fn write(lanes: &[u8]) -> Stmt {
        let components = if lanes.is_empty() { 4 } else { lanes.len() as u8 };
        let value = Expr::new(
            Type { scalar: Scalar::Float, components },
            ExprKind::Literal(vec![0; components.into()]),
        );
        Stmt::Assign(Place::Global(GlobalRef(0), None, lanes.to_vec()), value)
    }

    fn when(then: Vec<Stmt>, otherwise: Vec<Stmt>) -> Stmt {
        Stmt::If { condition: truth(), then, otherwise }
    }

    /// Whether the only output needs something: a zero, or for geometry a variable that keeps it.
    fn needs_help(kind: StageKind, functions: Vec<Vec<Stmt>>) -> bool {
        let functions = functions.into_iter().map(|body| Function { body, ..Function::default() });
        let program =
            Program { globals: vec![output("color")], functions: functions.collect(), ..Program::default() };
        let rules = Rules {
            components: true,
            matrix_outputs: true,
            varying_locations: true,
            loose: false,
            buffer: None,
            samplers: None,
        };
        let slots = slots(&program, kind, rules).unwrap();
        let needs = needs(&program, &slots, kind);
        needs.zero[0] || needs.kept[0]
    }

    #[test]
    fn an_output_is_cleared_where_a_path_leaves_it_out() {
        let call =
            || Stmt::Call { function: FunctionRef(0), args: vec![], results: vec![], link: Link::NONE };
        let switch = |case: Vec<Stmt>, default: Vec<Stmt>| Stmt::Switch {
            value: truth(),
            cases: vec![(vec![1], case)],
            default,
        };
        for (help, functions) in [
            (true, vec![vec![]]),
            (false, vec![vec![write(&[])]]),
            (true, vec![vec![write(&[0, 1])]]),
            (false, vec![vec![write(&[0, 1]), write(&[3, 2])]]),
            (true, vec![vec![when(vec![write(&[])], vec![])]]),
            (false, vec![vec![when(vec![write(&[])], vec![write(&[])])]]),
            (false, vec![vec![when(vec![write(&[]), Stmt::Return(vec![])], vec![]), write(&[])]]),
            (true, vec![vec![when(vec![Stmt::Return(vec![])], vec![]), write(&[])]]),
            (true, vec![vec![Stmt::While { condition: truth(), body: vec![write(&[])] }]]),
            (false, vec![vec![Stmt::Loop(vec![write(&[]), when(vec![Stmt::Break], vec![])])]]),
            (true, vec![vec![Stmt::Loop(vec![when(vec![Stmt::Break], vec![]), write(&[])])]]),
            (false, vec![vec![switch(vec![write(&[])], vec![write(&[])])]]),
            (true, vec![vec![switch(vec![write(&[])], vec![])]]),
            (true, vec![vec![switch(vec![when(vec![Stmt::Break], vec![]), write(&[])], vec![write(&[])])]]),
            (false, vec![vec![write(&[])], vec![call()]]),
            (true, vec![vec![when(vec![Stmt::Return(vec![])], vec![]), write(&[])], vec![call()]]),
        ] {
            assert_eq!(needs_help(StageKind::Vertex, functions.clone()), help, "{functions:?}");
        }
    }

    #[test]
    fn a_loop_that_counts_writes_the_elements_that_it_counts() {
        let int = |value: u64| {
            Expr::new(Type { scalar: Scalar::Int, components: 1 }, ExprKind::Literal(vec![value]))
        };
        let counter = || Expr { kind: ExprKind::Local(LocalRef(0)), ..int(0) };
        let element = || {
            let zero = Expr { ty: Type { scalar: Scalar::Float, components: 1 }, ..int(0) };
            Stmt::Assign(Place::Global(GlobalRef(0), Some(Box::new(counter())), Vec::new()), zero)
        };
        let counted = |to: u64, step: u64, body: Vec<Stmt>| Stmt::For {
            counter: LocalRef(0),
            start: int(0),
            condition: Expr {
                kind: ExprKind::Binary(Binary::Lt, Box::new(counter()), Box::new(int(to))),
                ..truth()
            },
            step: int(step),
            body,
        };
        let mut array = output("distances");
        array.global.shape = Shape::Float { components: 1, elements: 4 };
        array.global.stride = 1;
        array.global.semantic = Some("clip-distance".to_owned());
        for (help, body) in [
            (false, counted(4, 1, vec![element()])),
            (true, counted(3, 1, vec![element()])),
            (true, counted(4, 2, vec![element()])),
            (true, counted(4, 1, vec![element(), when(vec![Stmt::Break], vec![])])),
            (true, counted(4, 1, vec![when(vec![element()], vec![])])),
        ] {
            let function = Function { body: vec![body.clone()], ..Function::default() };
            let program =
                Program { globals: vec![array.clone()], functions: vec![function], ..Program::default() };
            let rules = Rules {
                components: true,
                matrix_outputs: true,
                varying_locations: true,
                loose: false,
                buffer: None,
                samplers: None,
            };
            let slots = slots(&program, StageKind::Vertex, rules).unwrap();
            assert_eq!(needs(&program, &slots, StageKind::Vertex).zero, [help], "{body:?}");
        }
    }

    #[test]
    fn an_output_is_kept_where_a_vertex_is_emitted_without_it() {
        let call =
            || Stmt::Call { function: FunctionRef(0), args: vec![], results: vec![], link: Link::NONE };
        let emit = || Stmt::EmitVertex(0, Link::NONE);
        for (help, functions) in [
            (false, vec![vec![]]),
            (true, vec![vec![emit()]]),
            (false, vec![vec![write(&[]), emit(), write(&[]), emit()]]),
            (true, vec![vec![write(&[]), emit(), emit()]]),
            (true, vec![vec![write(&[]), emit(), write(&[0]), emit()]]),
            (false, vec![vec![Stmt::Loop(vec![write(&[]), emit()])]]),
            (true, vec![vec![write(&[]), Stmt::Loop(vec![emit()])]]),
            (true, vec![vec![emit()], vec![write(&[]), call()]]),
            (true, vec![vec![write(&[]), emit()], vec![call(), emit()]]),
            (false, vec![vec![write(&[]), emit(), write(&[])], vec![call(), emit()]]),
        ] {
            assert_eq!(needs_help(StageKind::Geometry, functions.clone()), help, "{functions:?}");
        }
    }
}
