//! One program, one view: all of its stages decompiled together, what goes from one to the next under one name.
//!
//! Each stage is made alone up to its tree. Then both sides of every varying are looked at: a name of the file that
//! one side has goes to the other; what has none is called after what the stage behind does with it, or else after
//! what the stage in front makes it of: `vNormal`, `vTexCoord`.

use crate::decompile::{DecompileError, DecompileOptions, Decompiled, Prepared, prepare, print};
use std::collections::{BTreeMap, BTreeSet};
use unshade_emit::BindingKind;
use unshade_ir::ast::Program;
use unshade_ir::ast::build::{rename, varying_words};
use unshade_ir::{Global, Space};
use unshade_stage::{Stage, StageKind};

/// Decompiles the stages of one program, in the order given.
///
/// # Errors
///
/// Of each stage its own, see [`DecompileError`].
pub fn decompile_together(
    stages: &[(&Stage<'_>, DecompileOptions)],
) -> Vec<Result<Decompiled, DecompileError>> {
    let mut prepared: Vec<_> = stages.iter().map(|(stage, how)| prepare(stage, how)).collect();
    let mut order: Vec<usize> = (0..prepared.len()).filter(|at| prepared[*at].is_ok()).collect();
    order.sort_by_key(|at| prepared[*at].as_ref().map_or(0, |stage| place(stage.kind)));
    for pair in order.windows(2) {
        let &[front, back] = pair else { continue };
        if let Some((front, back)) = two(&mut prepared, front, back)
            && place(front.kind) < place(back.kind)
            && let (Some(front), Some(back)) = (&mut front.tree, &mut back.tree)
        {
            agree(front, back);
        }
    }
    prepared.into_iter().zip(stages).map(|(stage, (_, how))| print(stage?, how)).collect()
}

/// The comment over the stages of one program: these lines, what goes from one stage to the next, and what any of
/// them assumed, each said once.
pub fn together_header(lines: &[String], stages: &[(StageKind, &Decompiled)]) -> String {
    let mut lines = lines.to_vec();
    let mut passed: Vec<String> = Vec::new();
    for pair in stages.windows(2) {
        let [(_, front), (_, back)] = pair else { continue };
        let inputs: BTreeSet<&str> = back
            .interface
            .iter()
            .filter(|binding| matches!(binding.kind, BindingKind::Input { .. }))
            .map(|binding| &binding.name[..])
            .collect();
        let outputs = front.interface.iter().filter(|binding| {
            matches!(binding.kind, BindingKind::Output { .. }) && inputs.contains(&binding.name[..])
        });
        for output in outputs {
            if !passed.contains(&output.name) {
                passed.push(output.name.clone());
            }
        }
    }
    if !passed.is_empty() {
        lines.push(format!("Passed on: {}", passed.join(", ")));
    }
    let assumptions: Vec<String> = stages.iter().flat_map(|(_, made)| made.assumptions.clone()).collect();
    unshade_emit::comment(&lines, &assumptions)
}

/// Where in the pipeline a stage is; programs for computing are in none.
fn place(kind: StageKind) -> u32 {
    match kind {
        StageKind::Compute => 0,
        StageKind::Vertex => 1,
        StageKind::TessControl => 2,
        StageKind::TessEval => 3,
        StageKind::Geometry => 4,
        StageKind::Fragment => 5,
    }
}

/// Two stages of a list at once.
fn two(
    list: &mut [Result<Prepared, DecompileError>],
    front: usize,
    back: usize,
) -> Option<(&mut Prepared, &mut Prepared)> {
    let [front, back] = list.get_disjoint_mut([front, back]).ok()?;
    Some((front.as_mut().ok()?, back.as_mut().ok()?))
}

/// What an output and an input must share to be one: the location, and the first component in it.
fn key(global: &Global) -> (u32, u32) {
    (global.location, global.offset % 4)
}

/// Gives both sides of what goes from one stage to the next the same names.
fn agree(front: &mut Program, back: &mut Program) {
    let is_varying = |global: &Global, space: Space| {
        global.space == space && global.semantic.is_none() && global.constant.is_none()
    };
    let places = |program: &Program, space: Space| -> BTreeMap<(u32, u32), usize> {
        let all = program.globals.iter().enumerate();
        all.filter(|(_, variable)| is_varying(&variable.global, space))
            .map(|(index, variable)| (key(&variable.global), index))
            .collect()
    };
    let (outputs, inputs) = (places(front, Space::Output), places(back, Space::Input));
    let words = |program: &Program| -> BTreeMap<usize, Option<String>> {
        varying_words(program).into_iter().map(|found| (found.global, found.word)).collect()
    };
    let (made, used) = (words(front), words(back));
    let mut taken: BTreeSet<String> = [&*front, &*back]
        .iter()
        .flat_map(|program| &program.globals)
        .map(|found| found.global.name.clone())
        .collect();
    let (mut of_front, mut of_back) = (BTreeMap::new(), BTreeMap::new());
    for (key, output) in &outputs {
        let Some(input) = inputs.get(key) else { continue };
        let (Some(from), Some(to)) = (front.globals.get(*output), back.globals.get(*input)) else { continue };
        let (from, to) = (&from.global, &to.global);
        match (made.get(output), used.get(input)) {
            // What the file says on one side holds for both.
            (None, Some(_)) if from.named => {
                of_back.insert(*input, from.name.clone());
            }
            (Some(_), None) if to.named => {
                of_front.insert(*output, to.name.clone());
            }
            (Some(made), Some(used)) if from.name == to.name => {
                let Some(word) = used.as_ref().or(made.as_ref()) else { continue };
                let mut letters = word.chars();
                let Some(first) = letters.next() else { continue };
                let wish: String = ['v', first.to_ascii_uppercase()].into_iter().chain(letters).collect();
                let mut name = wish.clone();
                let mut number = 1_u32;
                while !taken.insert(name.clone()) {
                    number += 1;
                    name = format!("{wish}{number}");
                }
                of_front.insert(*output, name.clone());
                of_back.insert(*input, name);
            }
            _ => {}
        }
    }
    rename(front, &of_front);
    rename(back, &of_back);
}
