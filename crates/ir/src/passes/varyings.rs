//! Inputs and outputs as floats or integers, by how the program uses them ([`Global::by_use`]); with them texels and single words of
//! blocks, since what only moves from the one to the other is the same.
//!
//! Machines pass words from one stage to the next. What a program makes of integers alone, or takes for integers
//! alone, was declared as integers; one use as a float makes it a float. Programs of one pipeline have to agree:
//! whoever has both sides adds up their [`votes`] and [`declare`]s both the same.

use super::texels;
use crate::cells::Cells;
use crate::votes::{Kind, Votes, by_all_and};
use crate::votes::{declared, has_word};
use crate::{Global, Interpolation, Module, Op, Sampling, Shape, Space};
use std::collections::BTreeMap;

/// Declares every input, output, texture and image that nobody else declares, and the texels that only pass to memory. Gives how
/// many are other than before.
pub fn run(module: &mut Module) -> usize {
    let before: Vec<Shape> = module.globals.iter().map(|global| global.shape).collect();
    // What code before it was tidied made of them says nothing.
    module.globals.iter_mut().filter(|global| global.by_use).for_each(forget);
    texels::declare(module);
    declare_all(module);
    if texels::declare_moved(module) > 0 {
        declare_all(module);
    }
    module.globals.iter().zip(before).filter(|(global, before)| global.shape != *before).count()
}

/// Takes from an input or output what it is declared as.
fn forget(global: &mut Global) {
    if matches!(global.space, Space::Input | Space::Output) {
        // What comes from several vertices is interpolated by nobody.
        if global.vertices > 0 {
            global.interpolation = Interpolation::Smooth;
        }
        global.shape = Kind::Float.shape(global.shape);
    }
}

fn declare_all(module: &mut Module) -> usize {
    let mut count = 0;
    // What only moves is what it comes from, once that is known.
    for _ in 0..2 {
        for (at, votes) in votes(module) {
            if let Some(global) = module.globals.get_mut(at) {
                count += usize::from(declare(global, votes.kind()));
            }
        }
    }
    count
}

/// What the program takes each of its inputs and outputs for that nobody else declares, by index of the global.
pub fn votes(module: &Module) -> BTreeMap<usize, Votes> {
    let mut open: BTreeMap<(Space, u32), Vec<usize>> = BTreeMap::new();
    for (at, global) in module.globals.iter().enumerate().filter(|(_, global)| global.by_use) {
        open.entry((global.space, global.binding)).or_default().push(at);
    }
    if open.is_empty() {
        return BTreeMap::new();
    }
    let mut words: BTreeMap<(Space, u32, u32), Votes> = BTreeMap::new();
    // What only moves to an output is what the memory is that it comes from.
    let is_memory = |op: &Op| match op {
        Op::Load(access) => matches!(access.space, Space::Shared | Space::Storage | Space::Local),
        _ => false,
    };
    let mut insts = module.functions.iter().flat_map(|function| &function.insts);
    let cells = insts.any(|inst| is_memory(&inst.op)).then(|| Cells::new(module));
    for function in &module.functions {
        let votes = by_all_and(function, |op| match (op, &cells) {
            (op, Some(cells)) if is_memory(op) => cells.known(module, op),
            // What an output was taken for is no reason to take it for that.
            (Op::Store(access), _) if open.contains_key(&(access.space, access.binding)) => Votes::default(),
            (Op::Load(access), _) if is_interpolated(module, *access) => Votes::FLOAT,
            _ => declared(module, op),
        });
        for id in function.blocks.iter().flat_map(|block| &block.insts) {
            let Some(inst) = function.insts.get(id.index()) else { continue };
            let (access, value) = match inst.op {
                Op::Load(access) => (access, inst.results.first()),
                Op::Store(access) => (access, inst.args.last()),
                Op::Interpolate(_, access) => (access, None),
                _ => continue,
            };
            if !open.contains_key(&(access.space, access.binding)) {
                continue;
            }
            let known = match inst.op {
                // Only floats are interpolated.
                Op::Interpolate(..) => Votes::FLOAT,
                _ => value.and_then(|value| votes.get(value.index())).copied().unwrap_or_default(),
            };
            words.entry((access.space, access.binding, access.offset)).or_default().add(known);
        }
    }
    let mut found: BTreeMap<usize, Votes> =
        open.values().flatten().map(|at| (*at, Votes::default())).collect();
    // Targets are declared by headers with all components, and behind those of the source stands anything.
    let is_target = |global: &Global| {
        global.space == Space::Output
            && module
                .globals
                .iter()
                .any(|other| other.space == Space::Output && other.semantic.as_deref() == Some("color"))
    };
    for ((space, binding, word), votes) in words {
        for at in open.get(&(space, binding)).into_iter().flatten() {
            if let Some(global) = module.globals.get(*at)
                && has_word(global, word)
            {
                let known = found.entry(*at).or_default();
                let other =
                    !known.is_empty() && !votes.is_empty() && known.is_integer() != votes.is_integer();
                if !(other && module.from_shading_language && is_target(global)) {
                    known.add(votes);
                }
            }
        }
    }
    found
}

/// Whether a word comes interpolated from the vertices: a float.
fn is_interpolated(module: &Module, access: crate::Access) -> bool {
    let is = |global: &Global| {
        (global.space, global.binding) == (access.space, access.binding)
            && !global.by_use
            && global.interpolation != Interpolation::Flat
            && matches!(global.shape, Shape::Float { .. })
            && has_word(global, access.offset)
    };
    access.space == Space::Input && module.globals.iter().any(is)
}

/// Declares an input or output as words of a kind. Gives whether that makes it integers, or others than it was.
pub fn declare(global: &mut Global, kind: Kind) -> bool {
    let before = global.shape;
    global.shape = kind.shape(before);
    // Integers come from one vertex.
    if kind != Kind::Float && global.space == Space::Input && Kind::of(global.shape) == Some(kind) {
        global.interpolation = Interpolation::Flat;
        global.sampling = Sampling::Center;
    }
    global.shape != before
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_only_moves_is_what_it_comes_from() {
        let mut builder = FunctionBuilder::new("main");
        let number = builder.value(Op::Load(access(Space::Input, 8)), &[]);
        let moved = builder.value(Op::Load(access(Space::Input, 0)), &[]);
        let sign = builder.value(Op::Load(access(Space::Input, 4)), &[]);
        let zero = builder.bits(0);
        let above = builder.value(Op::ICompare(crate::CompareInt::Ne), &[sign, zero]);
        let chosen = builder.value(Op::Select, &[above, number, moved]);
        builder.effect(Op::Store(access(Space::Output, 0)), &[chosen]);
        builder.effect(Op::Store(access(Space::Output, 4)), &[sign]);
        builder.returns(&[]);
        let shape = Shape::Int { components: 1, elements: 0 };
        let known = Global::new("instance", Space::Input, 0, 8, shape);
        let globals = vec![
            global(Space::Input, 0, 4),
            global(Space::Input, 4, 4),
            global(Space::Output, 0, 4),
            global(Space::Output, 4, 4),
            known,
        ];
        let mut module = Module { globals, ..Module::default() };
        module.push_function(builder.finish());
        run(&mut module);
        let int = Some(Kind::Int);
        assert_eq!(kinds(&module), [int, int, int, int, int]);
    }
    use crate::build::FunctionBuilder;
    use crate::{Access, FloatMode, InputPlace, Round, Shape, Width};

    fn access(space: Space, offset: u32) -> Access {
        Access { space, binding: 0, offset, stride: 0 }
    }

    fn global(space: Space, offset: u32, components: u8) -> Global {
        let shape = Shape::Float { components, elements: 0 };
        Global { by_use: true, ..Global::new(format!("{space:?}{offset}"), space, 0, offset, shape) }
    }

    fn kinds(module: &Module) -> Vec<Option<Kind>> {
        module.globals.iter().map(|global| Kind::of(global.shape)).collect()
    }

    /// Integers in the first vector, a float and an integer in the second, a copy of the first in an output, and
    /// integers made of floats in another.
    fn program() -> Module {
        let mut builder = FunctionBuilder::new("main");
        let float = FloatMode::F32;
        let load =
            |builder: &mut FunctionBuilder, word| builder.value(Op::Load(access(Space::Input, word)), &[]);
        let integer = load(&mut builder, 0);
        let sum = builder.value(Op::IAdd, &[integer, integer]);
        let number = load(&mut builder, 4);
        let other = load(&mut builder, 5);
        let _ = builder.value(Op::IAdd, &[other, sum]);
        let double = builder.value(Op::FAdd(float), &[number, number]);
        let whole = builder.value(Op::FToS(Width::F32, Round::Zero), &[double]);
        for (word, value) in [(0, integer), (4, whole), (8, double)] {
            builder.effect(Op::Store(access(Space::Output, word)), &[value]);
        }
        builder.returns(&[]);
        let globals = vec![
            global(Space::Input, 0, 4),
            global(Space::Input, 4, 4),
            global(Space::Output, 0, 4),
            global(Space::Output, 4, 1),
            global(Space::Output, 8, 1),
        ];
        let mut module = Module { globals, ..Module::default() };
        module.push_function(builder.finish());
        module
    }

    #[test]
    fn uses_say_what_is_an_integer() {
        let mut module = program();
        assert_eq!(run(&mut module), 3);
        let (float, int) = (Some(Kind::Float), Some(Kind::Int));
        assert_eq!(kinds(&module), [int, float, int, int, float]);
        assert_eq!(module.globals[0].interpolation, Interpolation::Flat);
        assert_eq!(module.globals[1].interpolation, Interpolation::Smooth);
        assert_eq!(run(&mut module), 0);
    }

    #[test]
    fn what_is_declared_stays() {
        let mut module = program();
        module.globals.iter_mut().for_each(|global| global.by_use = false);
        assert_eq!(run(&mut module), 0);
        assert_eq!(kinds(&module), [Some(Kind::Float); 5]);
    }

    #[test]
    fn what_is_interpolated_is_a_float() {
        let mut module = program();
        let function = &mut module.functions[0];
        let mut builder = FunctionBuilder::new("other");
        let at = builder.value(Op::Interpolate(InputPlace::Centroid, access(Space::Input, 0)), &[]);
        let _ = builder.value(Op::IAdd, &[at, at]);
        builder.returns(&[]);
        *function = builder.finish();
        assert_eq!(run(&mut module), 0);
    }

    #[test]
    fn words_of_every_vertex_count() {
        let mut module = program();
        module.globals[0].offset = 0;
        module.globals[0].vertices = 2;
        module.globals[0].vertex_stride = 4;
        // The second vertex has the float.
        assert_eq!(votes(&module)[&0].kind(), Kind::Float);
        module.globals[0].vertices = 1;
        assert_eq!(votes(&module)[&0].kind(), Kind::Int);
    }
}
