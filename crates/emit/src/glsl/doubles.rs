//! Doubles of blocks, buffers and attributes: in the tree they are pairs of words. A member that is read as nothing else is
//! declared as what it is, in the place that the words have: a double lies as a `uvec2` does, a `dvec2` as a `uvec4`.

use super::Printer;
use super::call::Argument;
use super::declaration::type_of;
use super::expression::{Printed, precedence};
use crate::interface::{Form, Role, Slot};
use crate::visit::{self, Node};
use unshade_ir::Space;
use unshade_ir::ast::{Action, Builtin, Expr, ExprKind, GlobalRef, Place, Program, Stmt, Type};
use unshade_stage::StageKind;

/// What is declared as doubles: globals and memories of the program, by number.
#[derive(Debug, Clone, Default)]
pub(super) struct Doubles {
    globals: Vec<bool>,
    memories: Vec<bool>,
}

/// Where the two words of a double come from.
#[derive(Clone, Copy)]
enum Holder<'e> {
    Global(GlobalRef, Option<&'e Expr>),
    Word(u32, &'e Expr),
}

/// A double as it was declared: of one, or the first or the second of two.
#[derive(Clone, Copy)]
struct Double<'e> {
    holder: Holder<'e>,
    component: &'static str,
}

/// An expression without what only says that its bits are of another kind.
fn bare(mut expr: &Expr) -> &Expr {
    while let ExprKind::Bitcast(inner) = &expr.kind {
        expr = inner;
    }
    expr
}

/// The double whose words an expression reads. `components` says how many words what holds it has, or an element of that.
fn double<'e>(expr: &'e Expr, components: impl Fn(Holder<'e>) -> u8) -> Option<Double<'e>> {
    let expr = bare(expr);
    let (inner, lanes) = match &expr.kind {
        ExprKind::Swizzle(inner, lanes) => (bare(inner), &lanes[..]),
        _ if expr.ty.components == 2 => (expr, &[0, 1][..]),
        _ => return None,
    };
    let holder = match &inner.kind {
        ExprKind::Global(global, index) => Holder::Global(*global, index.as_deref()),
        ExprKind::Word(memory, index) => Holder::Word(*memory, index),
        _ => return None,
    };
    let component = match (components(holder), lanes) {
        (2, [0, 1]) => "",
        (4, [0, 1]) => ".x",
        (4, [2, 3]) => ".y",
        _ => return None,
    };
    Some(Double { holder, component })
}

/// The doubles whose words a value is, in order; none where it is something else.
fn doubles_of(value: &Expr) -> Option<Vec<&Expr>> {
    fn words<'e>(value: &'e Expr, out: &mut Vec<(&'e Expr, u8)>) -> Option<()> {
        let value = bare(value);
        let (of, lanes) = match &value.kind {
            ExprKind::Construct(parts) if parts.len() > 1 => {
                return parts.iter().try_for_each(|part| words(part, out));
            }
            ExprKind::Swizzle(inner, lanes) => match &bare(inner).kind {
                ExprKind::Construct(parts) if parts.len() > 1 => {
                    let mut all = Vec::new();
                    parts.iter().try_for_each(|part| words(part, &mut all))?;
                    for lane in lanes {
                        out.push(*all.get(usize::from(*lane))?);
                    }
                    return Some(());
                }
                _ => (bare(inner), &lanes[..]),
            },
            _ => (value, &[0, 1][..]),
        };
        let ExprKind::Builtin(Builtin::UnpackDouble, operands) = &of.kind else { return None };
        let double = operands.first()?;
        out.extend(lanes.iter().map(|lane| (double, *lane)));
        Some(())
    }
    let mut halves = Vec::new();
    words(value, &mut halves)?;
    let double = |pair: &[(&'_ Expr, u8)]| matches!(pair, [(a, 0), (b, 1)] if a == b);
    if !halves.chunks(2).all(double) {
        return None;
    }
    Some(halves.iter().step_by(2).map(|(double, _)| *double).collect())
}

/// The doubles that go to an element of so many words, and which of it.
fn stored<'e>(components: u8, lanes: &[u8], value: &'e Expr) -> Option<(Vec<&'e Expr>, &'static str)> {
    let component = match (components, lanes) {
        (2 | 4, []) | (2, [0, 1]) | (4, [0, 1, 2, 3]) => "",
        (4, [0, 1]) => ".x",
        (4, [2, 3]) => ".y",
        _ => return None,
    };
    let doubles = doubles_of(value)?;
    let words = if lanes.is_empty() { components.into() } else { lanes.len() };
    (2 * doubles.len() == words).then_some((doubles, component))
}

/// The name of as many doubles as there are words for.
fn name(ty: Type) -> &'static str {
    if ty.components == 2 { "double" } else { "dvec2" }
}

impl Printer<'_> {
    /// Finds what nothing but doubles is read from.
    pub(super) fn find_doubles(&mut self) {
        self.doubles = Doubles {
            globals: vec![false; self.program.globals.len()],
            memories: vec![false; self.program.memories.len()],
        };
        if self.options.strict || !self.version.has_doubles() || !visit::has_doubles(self.program) {
            return;
        }
        let mut all = (vec![0_u32; self.slots.len()], vec![0_u32; self.program.memories.len()]);
        let mut own = all.clone();
        for function in &self.program.functions {
            visit::statements(&function.body, &mut |stmt| match stmt {
                Stmt::Assign(Place::Word(memory, _, lanes), value) => {
                    let at = *memory as usize;
                    let components = self.program.memories[at].components;
                    own.1[at] += u32::from(stored(components, lanes, value).is_some());
                }
                Stmt::Act(act) => {
                    if let Action::Atomic(_, memory) = act.action {
                        all.1[memory as usize] += 1;
                    }
                }
                _ => {}
            });
            visit::block(&function.body, &mut |node| {
                let expr = match node {
                    Node::Expr(expr) => expr,
                    Node::Write(Place::Word(memory, ..)) => {
                        all.1[*memory as usize] += 1;
                        return;
                    }
                    _ => return,
                };
                match &expr.kind {
                    ExprKind::Global(global, _) => all.0[global.0 as usize] += 1,
                    ExprKind::Word(memory, _) => all.1[*memory as usize] += 1,
                    ExprKind::Builtin(Builtin::PackDouble, operands) => {
                        match operands.first().and_then(|operand| self.double(operand)) {
                            Some(Double { holder: Holder::Global(global, _), .. }) => {
                                own.0[global.0 as usize] += 1;
                            }
                            Some(Double { holder: Holder::Word(memory, _), .. }) => {
                                own.1[memory as usize] += 1;
                            }
                            None => {}
                        }
                    }
                    _ => {}
                }
            });
        }
        let globals = (0..self.slots.len()).map(|at| {
            all.0[at] > 0 && all.0[at] == own.0[at] && self.may_be_double(self.program, at, self.slots[at])
        });
        let memories = (0..all.1.len()).map(|at| {
            all.1[at] > 0 && all.1[at] == own.1[at] && self.program.memories[at].space == Space::Storage
        });
        self.doubles = Doubles { globals: globals.collect(), memories: memories.collect() };
    }

    /// Whether a global is a member of a block, or an attribute.
    fn may_be_double(&self, program: &Program, at: usize, slot: Slot) -> bool {
        let global = &program.globals[at].global;
        match slot.role {
            Role::Input => self.options.kind == StageKind::Vertex && slot.form == Form::Single,
            _ => {
                global.space == Space::Uniform
                    && program.blocks.iter().any(|block| block.binding == global.binding)
                    && matches!(slot.form, Form::Single | Form::Array(_))
            }
        }
    }

    fn double<'e>(&self, words: &'e Expr) -> Option<Double<'e>> {
        double(words, |holder| match holder {
            Holder::Global(global, _) => self.slots[global.0 as usize].ty.components,
            Holder::Word(memory, _) => self.program.memories[memory as usize].components,
        })
    }

    /// The type that a global is declared with.
    pub(super) fn declared_type(&self, index: usize, slot: &Slot) -> &'static str {
        match self.doubles.globals.get(index) {
            Some(true) => name(slot.ty),
            _ => type_of(slot),
        }
    }

    /// The type that the elements of a memory are declared with.
    pub(super) fn element_type(&self, memory: usize, ty: Type) -> &'static str {
        match self.doubles.memories.get(memory) {
            Some(true) => name(ty),
            _ => super::types::name(ty),
        }
    }

    /// Stores doubles to a memory that is declared as what it is; answers whether that is so.
    pub(super) fn store_doubles(&mut self, place: &Place, value: &Expr) -> Result<bool, crate::Error> {
        let Place::Word(memory, index, lanes) = place else { return Ok(false) };
        if !self.doubles.memories.get(*memory as usize).is_some_and(|is_double| *is_double) {
            return Ok(false);
        }
        let components = self.program.memories[*memory as usize].components;
        let Some((doubles, component)) = stored(components, lanes, value) else { return Ok(false) };
        self.word(*memory, index)?;
        self.out.push_str(component);
        self.out.push_str(" = ");
        match doubles[..] {
            [double] => self.expression(double, precedence::ANY)?,
            _ => {
                self.out.push_str("dvec2");
                self.arguments(doubles.into_iter().map(Argument::Whole))?;
            }
        }
        self.out.push(';');
        Ok(true)
    }

    /// The name of a double that is declared as one; answers whether it is.
    pub(super) fn declared_double(&mut self, words: &Expr) -> Result<bool, crate::Error> {
        let Some(found) = self.double(words) else { return Ok(false) };
        let printed: Printed = match found.holder {
            Holder::Global(global, index) if self.doubles.globals[global.0 as usize] => {
                self.global_name(global, index)
            }
            Holder::Word(memory, index) if self.doubles.memories[memory as usize] => self.word(memory, index),
            _ => return Ok(false),
        };
        printed?;
        self.out.push_str(found.component);
        Ok(true)
    }
}
