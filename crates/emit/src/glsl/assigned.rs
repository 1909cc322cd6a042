//! Which outputs a program may leave unwritten.
//!
//! The machine's outputs start as 0 and keep their value when a vertex is emitted; GLSL's start undefined
//! and are undefined again after `EmitVertex`. Where every path writes an output in time, nothing is
//! needed; this finds the others. It errs on the side of an assignment too many.

use crate::interface::{Form, Role, Slot};
use unshade_ir::ast::{Place, Program, Stmt};
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
            (Role::Output | Role::Position, Form::Single) => (1u8 << slot.ty.components) - 1,
            // Elements are written one by one: never known to be complete.
            (Role::Output | Role::Position, _) => 0xff,
            _ => 0,
        })
        .collect::<Vec<u8>>();
    let mut walk = Walk {
        zero: vec![false; whole.len()],
        kept: vec![false; whole.len()],
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
type Written = Vec<u8>;

struct Summary {
    /// What a call writes after its last emitted vertex, if it emits.
    written: Written,
    emits: bool,
}

struct Walk {
    whole: Vec<u8>,
    zero: Vec<bool>,
    kept: Vec<bool>,
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
            Stmt::Assign(place, _) => write(&mut written, place),
            Stmt::Call { function, results, .. } => {
                if let Some(summary) = self.summaries.get(function.0 as usize) {
                    if summary.emits {
                        written.fill(0);
                    }
                    for (mask, more) in written.iter_mut().zip(&summary.written) {
                        *mask |= more;
                    }
                }
                results.iter().flatten().for_each(|place| write(&mut written, place));
            }
            Stmt::If { then, otherwise, .. } => {
                let no = self.block(otherwise, written.clone());
                let yes = self.block(then, written);
                return meet(yes, &no);
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
            Stmt::Continue | Stmt::Discard => return everything(&written),
            Stmt::EmitVertex => {
                for ((kept, whole), mask) in self.kept.iter_mut().zip(&self.whole).zip(&mut written) {
                    *kept |= *mask & whole != *whole;
                    *mask = 0;
                }
            }
            Stmt::Declare(..) | Stmt::EndPrimitive | Stmt::Comment(_) => {}
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
}

fn write(written: &mut Written, place: &Place) {
    if let Place::Global(global, None, lanes) = place
        && let Some(mask) = written.get_mut(global.0 as usize)
    {
        *mask |= if lanes.is_empty() { 0xf } else { lanes.iter().fold(0, |mask, lane| mask | 1 << lane) };
    }
}

fn everything(written: &Written) -> Written {
    vec![0xff; written.len()]
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
        Stmt::EmitVertex => true,
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
