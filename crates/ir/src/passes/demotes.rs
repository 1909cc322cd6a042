//! A pixel that is dropped ends there, where nobody can see that it goes on: no neighbour asks it afterwards, and
//! it changes no memory. What was decided by dropping it is known behind.

use crate::cfg::Cfg;
use crate::{Effect, Function, Module, Op, Space, Terminator, Texture, TextureLevel};

pub(super) fn run(module: &mut Module) -> usize {
    let entry = module.entry;
    // Where it is called from somebody may ask afterwards.
    module.functions.get_mut(entry.index()).map_or(0, of_function)
}

/// Whether somebody sees what an operation of a dropped pixel does.
fn is_seen(op: &Op) -> bool {
    match op {
        Op::Store(access) => !matches!(access.space, Space::Output | Space::Local),
        Op::Load(_) | Op::Demote => false,
        // Only where the level comes from the quad does a neighbour ask.
        Op::Texture(Texture { level: TextureLevel::Given | TextureLevel::Gradients, .. }) => false,
        op => match op.effect() {
            Effect::Pure => false,
            Effect::Reads => false,
            Effect::Quad | Effect::Writes => true,
        },
    }
}

fn of_function(function: &mut Function) -> usize {
    let demotes =
        |block: &crate::Block| block.insts.iter().rposition(|id| function.insts[id.index()].op == Op::Demote);
    if !function.blocks.iter().any(|block| demotes(block).is_some()) {
        return 0;
    }
    let cfg = Cfg::new(function);
    // Per block: something is seen from its start on.
    let mut seen = vec![false; function.blocks.len()];
    let mut work = Vec::new();
    for block in &cfg.order {
        let body = &function.blocks[block.index()];
        if body.insts.iter().any(|id| is_seen(&function.insts[id.index()].op)) {
            seen[block.index()] = true;
            work.push(*block);
        }
    }
    while let Some(block) = work.pop() {
        for from in cfg.predecessors(block) {
            if !std::mem::replace(&mut seen[from.index()], true) {
                work.push(*from);
            }
        }
    }
    let mut ends = Vec::new();
    for block in &cfg.order {
        let body = &function.blocks[block.index()];
        let Some(at) = demotes(body) else { continue };
        let later = &body.insts[at..];
        let unseen = later.iter().all(|id| !is_seen(&function.insts[id.index()].op))
            && cfg.successors(*block).iter().all(|to| !seen[to.index()]);
        if unseen && body.terminator != Terminator::Discard {
            ends.push((*block, at));
        }
    }
    for (block, at) in &ends {
        let body = &mut function.blocks[block.index()];
        let demote = body.insts.get(*at).and_then(|id| function.insts.get(id.index()));
        body.exit = demote.map_or(u32::MAX, |inst| inst.origin.instruction);
        body.insts.truncate(*at);
        body.terminator = Terminator::Discard;
    }
    ends.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::build::FunctionBuilder;
    use crate::{Access, Axis, CompareInt, FloatMode, Type};

    /// `if (a < b) demote; out = f(a)`, with the derivative of `a` if asked for.
    fn module(asks: bool) -> Module {
        let mut builder = FunctionBuilder::new("main");
        let access = |space, offset| Access { space, binding: 0, offset, stride: 0 };
        let [a, b] = [0, 1].map(|word| builder.value(Op::Load(access(Space::Input, word)), &[]));
        let less = builder.value(Op::ICompare(CompareInt::Ult), &[a, b]);
        let [drop, rest] = [(); 2].map(|()| builder.block());
        builder.branch(less, drop, rest);
        builder.switch_to(drop);
        builder.effect(Op::Demote, &[]);
        builder.jump(rest, &[]);
        builder.switch_to(rest);
        let made = if asks {
            builder.value(Op::Derivative(Axis::X, FloatMode::F32), &[a])
        } else {
            builder.value(Op::IAdd, &[a, b])
        };
        assert_eq!(builder.ty(made), Type::B32);
        builder.effect(Op::Store(access(Space::Output, 0)), &[made]);
        builder.returns(&[]);
        let mut module = Module::default();
        module.push_function(builder.finish());
        module
    }

    #[test]
    fn a_dropped_pixel_ends_where_nobody_asks_it() {
        let mut dropped = module(false);
        assert_eq!(run(&mut dropped), 1);
        assert!(crate::verify::check(&dropped).is_empty(), "{dropped}");
        assert!(dropped.to_string().contains("discard"), "{dropped}");
        assert_eq!(run(&mut module(true)), 0);
    }
}
