//! The variables of the decompiled source while the machine runs.
//!
//! Nothing in a program says which register holds a variable of the source that was made from it: passes fold, move and
//! share what the machine computes. So it is found out, and each finding rests on three things:
//!
//! 1. the instructions that the assigned expression comes from, which the tree remembers ([`tree`]): only what stands in a
//!    register behind one of these comes into question;
//! 2. runs of both sides with the same inputs, the tree by its interpreter and the code by the machine's: the k-th value
//!    that a statement assigns must be what the register holds when that instruction was done for the k-th time, in
//!    every run, and as often ([`fit`]);
//! 3. the order: the assignments to a variable must come in the same order on both sides.
//!
//! A component of which a single assignment is not found so is not available at all. Neither is one that does not get what the
//! source assigns in each of some more runs, which had no say in what was found: their inputs are drawn on their own, some
//! of them from the edges of what there is ([`held_out`]). What is found is a table by instruction,
//! and [`tracked`] keeps a run with what the variables hold.

mod fit;
mod held_out;
mod tracked;
mod tree;

pub(super) use tracked::Tracked;

use super::machine::{Machine, Slot};
use super::view::{Number, RegisterKind, VariableView};
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;
use unshade_ir::ast::Scalar;
use unshade_stage::Stage;

/// Variables that are looked at; source has fewer.
const VARIABLES: usize = 1 << 10;

/// A variable of the source.
#[derive(Debug, Clone)]
pub(super) struct Variable {
    /// Its name in the text.
    pub name: String,
    /// The function that it belongs to; none for the entry.
    pub function: Option<String>,
    /// What its components are.
    pub scalar: Scalar,
    /// How many components it has, 1 to 4.
    pub components: u8,
    /// Components that are found wherever they are assigned; bit 0 = x.
    pub found: u8,
}

/// A component of a variable that gets its value when an instruction is done.
#[derive(Debug, Clone)]
pub(super) struct Definition {
    /// Which variable.
    pub variable: usize,
    /// Which component, 0 to 3.
    pub component: u8,
    /// Where the value is then.
    pub slot: Slot,
    /// Which component of that, 0 to 3.
    pub place: u8,
}

/// The variables of a program, and the instructions that define them.
#[derive(Debug, Default)]
pub(super) struct Table {
    pub variables: Vec<Variable>,
    /// By the word that a run names the instruction by.
    pub definitions: BTreeMap<u32, Vec<Definition>>,
    /// Variable, component and word of constants that variables hold from the start.
    pub initial: Vec<(usize, u8, u32)>,
}

/// What is known of the variables of a program's source: which there are, and what holds them. It is found out once, by runs, and
/// the same in every session.
#[derive(Debug, Clone, Default)]
pub struct Variables(pub(super) Arc<Table>);

impl Variables {
    /// Those of the readable source of a program; none where there is no source.
    pub fn of(stage: &Stage<'_>) -> Self {
        let source = tree::Source::of(stage).filter(|source| !source.variables.is_empty());
        Self(Arc::new(source.map(|source| fit::table(stage, source)).unwrap_or_default()))
    }
}

/// A word as a component of a variable holds it: a truth value is 0 or 1.
fn held(scalar: Scalar, word: u32) -> u32 {
    match scalar {
        // A float, a mask or a flag; a zero may have a sign.
        Scalar::Bool => u32::from(word << 1 != 0),
        _ => word,
    }
}

/// The variables as they are, in the lanes shown.
pub(super) fn view(
    table: &Table,
    run: &dyn Machine,
    before: Option<&dyn Machine>,
    shown: Range<u32>,
) -> Vec<VariableView> {
    let one = |(number, variable): (usize, &Variable)| {
        let components = 0..variable.components.min(4);
        let word = |run: &dyn Machine, lane, component| run.held(lane, number, component)?.word;
        let value = |lane, component| word(run, lane, component).map(Number::new);
        let changed = |lane, component| {
            before.is_some_and(|before| word(before, lane, component) != word(run, lane, component))
        };
        let marked = |lane| {
            let changed = components.clone().filter(|component| changed(lane, *component));
            changed.fold(0, |mask, component| mask | 1_u8 << component)
        };
        VariableView {
            name: variable.name.clone(),
            function: variable.function.clone(),
            ty: type_name(variable.scalar, variable.components),
            kind: match variable.scalar {
                Scalar::Bool => RegisterKind::Flag,
                Scalar::Int => RegisterKind::Int,
                Scalar::Uint => RegisterKind::Bits,
                Scalar::Float | Scalar::Double => RegisterKind::Float,
            },
            available: variable.found,
            values: shown
                .clone()
                .map(|lane| components.clone().map(|component| value(lane, component)).collect())
                .collect(),
            place: place(run, shown.start, number, components.clone()),
            changed: shown.clone().map(marked).collect(),
        }
    };
    table.variables.iter().enumerate().map(one).collect()
}

/// Which registers hold a variable in a lane, those that follow each other in one as one.
fn place(run: &dyn Machine, lane: u32, variable: usize, components: Range<u8>) -> String {
    let mut text = String::new();
    let mut last: Option<String> = None;
    let mut any = false;
    for component in components {
        let held = run.held(lane, variable, component);
        let Some((name, letter)) = held.and_then(|held| held.place) else {
            text.push_str(if text.is_empty() { "-" } else { " -" });
            last = None;
            continue;
        };
        any = true;
        if let Some(letter) = letter
            && last.as_ref() == Some(&name)
        {
            text.push(letter);
            continue;
        }
        if !text.is_empty() {
            text.push(' ');
        }
        text.push_str(&name);
        if let Some(letter) = letter {
            text.push('.');
            text.push(letter);
        }
        last = letter.map(|_| name);
    }
    if any { text } else { String::new() }
}

/// A type as GLSL says it.
fn type_name(scalar: Scalar, components: u8) -> String {
    let (one, vector) = match scalar {
        Scalar::Bool => ("bool", "bvec"),
        Scalar::Int => ("int", "ivec"),
        Scalar::Uint => ("uint", "uvec"),
        Scalar::Float => ("float", "vec"),
        Scalar::Double => ("double", "dvec"),
    };
    if components > 1 { format!("{vector}{components}") } else { one.to_owned() }
}
