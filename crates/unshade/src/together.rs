//! One program, one view: all of its stages decompiled together, what goes from one to the next under one name.
//!
//! Each stage is made alone up to its tree, but for one thing: what nobody declares is floats or integers by what both
//! sides do with it. Then both sides of every varying are looked at: a name of the file that
//! one side has goes to the other; what has none is called after what the stage behind does with it, or else after
//! what the stage in front makes it of: `vNormal`, `vTexCoord`.

use crate::decompile::{
    DecompileError, DecompileOptions, Decompiled, Lowered, Prepared, lower, prepare, print,
};
use std::collections::{BTreeMap, BTreeSet};
use unshade_emit::glsl::{self, Part};
use unshade_emit::{BindingKind, GlslVersion, Options};
use unshade_ir::ast::Program;
use unshade_ir::ast::raise::{rename, varying_words};
use unshade_ir::ast::unite::{Renamed, unite};
use unshade_ir::passes::varyings;
use unshade_ir::votes::Kind;
use unshade_ir::{Global, Module, Space};
use unshade_stage::{Stage, StageKind};

/// Decompiles the stages of one program, in the order given, each to a text of its own.
///
/// # Errors
///
/// Of each stage its own, see [`DecompileError`].
pub fn decompile_together(
    stages: &[(&Stage<'_>, DecompileOptions)],
) -> Vec<Result<Decompiled, DecompileError>> {
    let prepared = prepare_all(stages).0;
    prepared.into_iter().zip(stages).map(|(stage, (_, how))| print(stage?, how)).collect()
}

/// A program as one text.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct DecompiledProgram {
    /// The text. Every stage has a macro of its own ([`Part::macro_name`]), by which a compiler gets that stage; what
    /// is no step of the pipeline of its own follows behind, each a text by itself.
    pub text: String,
    /// Each stage, without a text of its own.
    pub stages: Vec<Result<Decompiled, DecompileError>>,
}

/// Decompiles the stages of one program to one GLSL text, with these lines in the comment at the top. What is printed
/// is the version that the first stage's options name.
///
/// # Errors
///
/// Of each stage its own, see [`DecompileError`]; the text is that of the others.
pub fn decompile_program(stages: &[(&Stage<'_>, DecompileOptions)], header: &[String]) -> DecompiledProgram {
    let (prepared, order) = prepare_all(stages);
    let mut made: Vec<Option<Result<Decompiled, DecompileError>>> = Vec::new();
    made.resize_with(stages.len(), || None);
    // The stages of the text, in the order of the pipeline.
    let mut of_text: Vec<(usize, Prepared)> = Vec::new();
    let mut beside = Vec::new();
    for (at, stage) in prepared.into_iter().enumerate() {
        match stage {
            Ok(stage) if order.contains(&at) && stage.kind != StageKind::Compute => of_text.push((at, stage)),
            Ok(stage) => beside.push((at, stage)),
            Err(error) => made[at] = Some(Err(error)),
        }
    }
    of_text.sort_by_key(|(at, _)| order.iter().position(|other| other == at));
    let mut text = String::new();
    if let [(at, _)] = of_text[..]
        && let Some((_, stage)) = of_text.pop()
    {
        made[at] = Some(print_alone(stage, &stages[at].1, header, &mut text));
    }
    if !of_text.is_empty() {
        print_whole(of_text, stages, header, &mut made, &mut text);
    }
    for (at, stage) in beside {
        let mut own = String::new();
        let how = &stages[at].1;
        made[at] = Some(print_alone(stage, how, &how.header, &mut own));
        if !text.is_empty() && !own.is_empty() {
            text.push('\n');
        }
        text.push_str(&own);
    }
    DecompiledProgram { text, stages: made.into_iter().flatten().collect() }
}

/// Prints a stage that is alone, and takes its text.
fn print_alone(
    mut stage: Prepared,
    how: &DecompileOptions,
    header: &[String],
    text: &mut String,
) -> Result<Decompiled, DecompileError> {
    stage.options.header = header.to_vec();
    let mut made = print(stage, how)?;
    *text = std::mem::take(&mut made.text);
    Ok(made)
}

/// Prints two stages or more as one text.
fn print_whole(
    mut of_text: Vec<(usize, Prepared)>,
    stages: &[(&Stage<'_>, DecompileOptions)],
    header: &[String],
    made: &mut [Option<Result<Decompiled, DecompileError>>],
    text: &mut String,
) {
    // ES has geometry programs from 3.2 on, and a program has one version.
    let geometry = of_text.iter().any(|(_, stage)| stage.kind == StageKind::Geometry);
    for (_, stage) in &mut of_text {
        if geometry && stage.options.glsl == GlslVersion::Es300 {
            stage.options.glsl = GlslVersion::Es320;
        }
    }
    let linking = of_text.first().map(|(_, stage)| glsl::linking(&stage.options));
    let mut trees: Vec<&mut Program> =
        of_text.iter_mut().filter_map(|(_, stage)| stage.tree.as_mut()).collect();
    let renamed = linking.map_or_else(Vec::new, |linking| unite(&mut trees, linking));
    let none = Renamed::new();
    let parts: Vec<(Part<'_>, &usize)> = of_text
        .iter()
        .enumerate()
        .filter_map(|(place, (at, stage))| {
            let options: &Options = &stage.options;
            let renamed = renamed.get(place).unwrap_or(&none);
            Some((Part { program: stage.tree.as_ref()?, options, renamed }, at))
        })
        .collect();
    let list: Vec<Part<'_>> = parts.iter().map(|(part, _)| *part).collect();
    let whole = glsl::print_program(&list, header);
    let alone = whole.stages.iter().filter(|stage| stage.is_ok()).count() == 1;
    *text = whole.text;
    let interfaces: Vec<(usize, _)> = parts.iter().map(|(_, at)| **at).zip(whole.stages).collect();
    for ((at, stage), (_, printed)) in of_text.into_iter().zip(interfaces) {
        made[at] = Some(match printed {
            Ok(_) if alone => print_alone(stage, &stages[at].1, header, text),
            Ok(interface) => Ok(Decompiled { interface, ..stage.made }),
            Err(error) => Err(DecompileError::Print(error)),
        });
    }
}

/// Makes the stages up to their trees, with names for what goes from one to the next; with those that follow each
/// other in the pipeline, one of each kind.
fn prepare_all(
    stages: &[(&Stage<'_>, DecompileOptions)],
) -> (Vec<Result<Prepared, DecompileError>>, Vec<usize>) {
    let mut lowered: Vec<_> = stages.iter().map(|(stage, how)| lower(stage, how)).collect();
    agree_on_kinds(&mut lowered, stages);
    let mut prepared: Vec<_> = lowered
        .into_iter()
        .zip(stages)
        .map(|(lowered, (stage, how))| prepare(stage, how, lowered?))
        .collect();
    let of = |at: &usize| prepared.get(*at).and_then(|stage| stage.as_ref().ok());
    let mut order: Vec<usize> = (0..prepared.len()).filter(|at| of(at).is_some()).collect();
    order.sort_by_key(|at| of(at).map(|stage| place(stage.kind)));
    // Of several the first: the others are the machine's own parts, such as the program that copies what a geometry
    // program emits.
    order.dedup_by_key(|at| of(at).map(|stage| place(stage.kind)));
    for pair in order.windows(2) {
        let &[front, back] = pair else { continue };
        if let Some((front, back)) = two(&mut prepared, front, back)
            && let (Some(front), Some(back)) = (&mut front.tree, &mut back.tree)
        {
            agree(front, back);
        }
    }
    (prepared, order)
}

/// Declares what goes from one stage to the next the same on both sides.
fn agree_on_kinds(
    lowered: &mut [Result<Lowered, DecompileError>],
    stages: &[(&Stage<'_>, DecompileOptions)],
) {
    let place_of = |at: usize| stages.get(at).map_or(0, |(stage, _)| place(stage.kind));
    let mut order: Vec<usize> = (0..lowered.len()).filter(|at| lowered[*at].is_ok()).collect();
    order.sort_by_key(|at| place_of(*at));
    for pair in order.windows(2) {
        let &[front, back] = pair else { continue };
        if place_of(front) < place_of(back)
            && let Some((front, back)) = two(lowered, front, back)
        {
            agree_on_kind(&mut front.module, &mut back.module);
        }
    }
}

/// The same for two stages: what either side takes a varying for counts, and what one side knows holds for both.
fn agree_on_kind(front: &mut Module, back: &mut Module) {
    let (made, used) = (varyings::votes(front), varyings::votes(back));
    if made.is_empty() && used.is_empty() {
        return;
    }
    let inputs = varying_places(back.globals.iter(), Space::Input);
    for (key, output) in varying_places(front.globals.iter(), Space::Output) {
        let Some(input) = inputs.get(&key) else { continue };
        let (Some(from), Some(to)) = (front.globals.get_mut(output), back.globals.get_mut(*input)) else {
            continue;
        };
        match (made.get(&output), used.get(input)) {
            (Some(made), Some(used)) => {
                let mut votes = *made;
                votes.add(*used);
                varyings::declare(from, votes.kind());
                varyings::declare(to, votes.kind());
            }
            (Some(_), None) => {
                if let Some(kind) = Kind::of(to.shape) {
                    varyings::declare(from, kind);
                }
            }
            (None, Some(_)) => {
                if let Some(kind) = Kind::of(from.shape) {
                    varyings::declare(to, kind);
                }
            }
            (None, None) => {}
        }
    }
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
fn two<T>(list: &mut [Result<T, DecompileError>], front: usize, back: usize) -> Option<(&mut T, &mut T)> {
    let [front, back] = list.get_disjoint_mut([front, back]).ok()?;
    Some((front.as_mut().ok()?, back.as_mut().ok()?))
}

/// What an output and an input must share to be one: the location, and the first component in it.
fn key(global: &Global) -> (u32, u32) {
    (global.location, global.offset % 4)
}

/// What goes to another stage, or comes from one, by its [`key`]: its index among all globals.
fn varying_places<'a>(
    globals: impl Iterator<Item = &'a Global>,
    space: Space,
) -> BTreeMap<(u32, u32), usize> {
    globals
        .enumerate()
        .filter(|(_, global)| global.space == space && global.semantic.is_none() && global.constant.is_none())
        .map(|(index, global)| (key(global), index))
        .collect()
}

/// Gives both sides of what goes from one stage to the next the same names.
fn agree(front: &mut Program, back: &mut Program) {
    let places = |program: &Program, space: Space| {
        varying_places(program.globals.iter().map(|variable| &variable.global), space)
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

#[cfg(test)]
mod tests {
    use super::*;
    use unshade_ir::build::FunctionBuilder;
    use unshade_ir::{Access, FloatMode, Interpolation, Op, Round, Shape, Width};

    /// What one side does with a varying.
    #[derive(Clone, Copy)]
    enum Does {
        /// Makes an integer of it, or takes it for one.
        Int,
        Float,
        /// Passes it on.
        Nothing,
    }

    fn side(space: Space, does: Does, by_use: bool) -> Module {
        let mut builder = FunctionBuilder::new("main");
        let access = |space, binding| Access { space, binding, offset: 0, stride: 0 };
        let from = if space == Space::Input { 0 } else { 1 };
        let loaded = builder.value(Op::Load(access(Space::Input, from)), &[]);
        let value = match (does, space) {
            (Does::Int, Space::Input) => builder.value(Op::SToF(FloatMode::F32), &[loaded]),
            (Does::Int, _) => builder.value(Op::FToS(Width::F32, Round::Zero), &[loaded]),
            (Does::Float, _) => builder.value(Op::FAdd(FloatMode::F32), &[loaded, loaded]),
            (Does::Nothing, _) => loaded,
        };
        builder.effect(Op::Store(access(Space::Output, 1 - from)), &[value]);
        builder.returns(&[]);
        let shape = Shape::Float { components: 1, elements: 0 };
        let global = Global { by_use, ..Global::new("v", space, 0, 0, shape) };
        let mut module = Module { globals: vec![global], ..Module::default() };
        module.push_function(builder.finish());
        module
    }

    #[test]
    fn both_sides_declare_the_same() {
        for (front, back, back_open, kind) in [
            (Does::Int, Does::Int, true, Kind::Int),
            (Does::Int, Does::Nothing, true, Kind::Int),
            (Does::Nothing, Does::Int, true, Kind::Int),
            (Does::Nothing, Does::Nothing, true, Kind::Float),
            (Does::Float, Does::Int, true, Kind::Float),
            (Does::Int, Does::Float, true, Kind::Float),
            (Does::Int, Does::Int, false, Kind::Float),
        ] {
            let mut front = side(Space::Output, front, true);
            let mut back = side(Space::Input, back, back_open);
            agree_on_kind(&mut front, &mut back);
            let (output, input) = (&front.globals[0], &back.globals[0]);
            assert_eq!(Kind::of(output.shape), Some(kind));
            assert_eq!(Kind::of(input.shape), Some(kind));
            let flat = if kind == Kind::Float { Interpolation::Smooth } else { Interpolation::Flat };
            assert_eq!(input.interpolation, flat);
        }
    }
}
