//! Texels of buffer textures without what a driver does to them.
//!
//! A machine may fetch four words from a buffer whatever the format of its texels says. The driver then holds masks
//! and the missing last component in constants ([`crate::TexelTable`]), and its compiler puts both behind every
//! fetch. For a texel that has all of its components that does nothing, and no source has it. The number of texels,
//! which the machine does not tell, is the size of the texture.

use super::Changes;
use super::edit::Forward;
use crate::{
    Function, InstId, Module, Op, Origin, Space, TexelTable, Texture, TextureLevel, TextureQuery,
    TextureShape, Type, Value, ValueDef,
};

/// What must hold.
const ASSUMPTION: &str = "texels of buffer textures have four components, and the driver's constants say so";

pub(super) fn run(module: &mut Module) -> Changes {
    let Some(table) = module.texel_table else { return Changes::default() };
    let is_buffer = |op: &Op| matches!(op, Op::Texture(texture) if texture.shape == TextureShape::Buffer);
    let mut changes = Changes::default();
    for function in &mut module.functions {
        if function.insts.iter().any(|inst| is_buffer(&inst.op)) {
            changes.count += plain_texels(function, table);
        }
        changes.count += sizes(function, table);
    }
    changes.assume(ASSUMPTION)
}

/// Takes texels as they are fetched.
fn plain_texels(function: &mut Function, table: TexelTable) -> usize {
    let mut forward = Forward::new(function);
    let mut count = 0;
    for index in 0..function.blocks.len() {
        for position in 0..function.blocks[index].insts.len() {
            let inst = &function.insts[function.blocks[index].insts[position].index()];
            if !matches!(inst.op, Op::And | Op::Or) {
                continue;
            }
            let [a, b] = inst.args[..] else { continue };
            let found = [(a, b), (b, a)].into_iter().find_map(|(texel, other)| {
                let texel = forward.resolve(texel);
                let (unit, component) = component(function, texel)?;
                let word = driver_word(function, other, table)?;
                let wanted = match inst.op {
                    Op::And => component,
                    _ if component == 3 => TexelTable::LAST,
                    _ => return None,
                };
                (word == (unit, wanted)).then_some(texel)
            });
            if let (Some(texel), Some(result)) = (found, inst.results.first()) {
                forward.set(*result, texel);
                count += 1;
            }
        }
    }
    if count > 0 {
        forward.apply(function);
    }
    count
}

/// Asks textures for their sizes. Which units are buffers only the constant says: no other texture has one.
fn sizes(function: &mut Function, table: TexelTable) -> usize {
    let mut found: Vec<(InstId, u32, Origin)> = Vec::new();
    for id in function.blocks.iter().flat_map(|block| &block.insts) {
        let inst = &function.insts[id.index()];
        if let Some((unit, TexelTable::COUNT)) = word_of(&inst.op, table) {
            found.push((*id, unit, inst.origin));
        }
    }
    for (id, unit, origin) in &found {
        let texture = Texture {
            query: TextureQuery::Size,
            ..Texture::sample(*unit, TextureShape::Buffer, TextureLevel::Quad)
        };
        let asked = function.push_inst(Op::Texture(texture), &[], &[Type::B32; 4], *origin);
        // The first component is what was loaded; the instruction stands in its place.
        let (loaded, size) = (function.insts[id.index()].results[0], function.result(asked, 0));
        let mut forward = Forward::new(function);
        forward.set(loaded, size);
        for block in &mut function.blocks {
            block.insts.iter_mut().filter(|known| *known == id).for_each(|known| *known = asked);
        }
        forward.apply(function);
    }
    found.len()
}

/// Unit of the buffer texture and component of a texel that a value is.
fn component(function: &Function, value: Value) -> Option<(u32, u32)> {
    let ValueDef::Result(id, component) = function.values.get(value.index())?.def else { return None };
    match function.insts.get(id.index())?.op {
        Op::Texture(texture)
            if texture.shape == TextureShape::Buffer
                && texture.query == TextureQuery::Texel
                && !texture.indexed =>
        {
            Some((texture.unit, component.into()))
        }
        _ => None,
    }
}

/// Which word of which unit a value was loaded from.
fn driver_word(function: &Function, value: Value, table: TexelTable) -> Option<(u32, u32)> {
    word_of(&function.definition(value)?.op, table)
}

fn word_of(op: &Op, table: TexelTable) -> Option<(u32, u32)> {
    match op {
        Op::Load(access) if access.space == Space::Uniform && !access.is_indexed() => {
            table.word(access.binding, access.offset)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Access;
    use crate::build::FunctionBuilder;
    use crate::exec::{Limits, Machine, Memory, Outcome, Program};

    const TABLE: TexelTable = TexelTable { binding: 15, offset: 32, stride: 8 };

    /// Fetches from unit 1 and masks with the constants of `unit`.
    fn program(unit: u32) -> Module {
        let mut builder = FunctionBuilder::new("main");
        let load = |builder: &mut FunctionBuilder, space, binding, offset| {
            builder.value(Op::Load(Access { space, binding, offset, stride: 0 }), &[])
        };
        let at = load(&mut builder, Space::Input, 0, 0);
        let texture = Texture {
            query: TextureQuery::Texel,
            ..Texture::sample(1, TextureShape::Buffer, TextureLevel::Quad)
        };
        let texel = builder.values(Op::Texture(texture), &[at]);
        let first = 32 + 8 * unit;
        for lane in 0..4 {
            let mask = load(&mut builder, Space::Uniform, 15, first + lane);
            let mut value = builder.value(Op::And, &[mask, texel[lane as usize]]);
            if lane == 3 {
                let last = load(&mut builder, Space::Uniform, 15, first + 4);
                value = builder.value(Op::Or, &[value, last]);
            }
            let access = Access { space: Space::Output, binding: 0, offset: lane, stride: 0 };
            builder.effect(Op::Store(access), &[value]);
        }
        let count = load(&mut builder, Space::Uniform, 15, 32 + 8 + 5);
        let access = Access { space: Space::Output, binding: 0, offset: 4, stride: 0 };
        builder.effect(Op::Store(access), &[count]);
        builder.returns(&[]);
        let mut module = Module { texel_table: Some(TABLE), ..Module::default() };
        module.push_function(builder.finish());
        module
    }

    fn outputs(module: &Module) -> Vec<u32> {
        let mut memory = Memory::default();
        memory.set(Space::Input, 0, vec![3]);
        memory.set(Space::Output, 0, vec![0; 5]);
        let texture = Texture {
            query: TextureQuery::Size,
            ..Texture::sample(1, TextureShape::Buffer, TextureLevel::Quad)
        };
        let mut words = vec![0; 64];
        words[40..46].copy_from_slice(&[u32::MAX, u32::MAX, u32::MAX, u32::MAX, 0, 0]);
        words[45] = crate::math::probe_texture(texture, 1, &[])[0];
        memory.set(Space::Uniform, 15, words);
        let run = Machine::new(&Program::new(module).unwrap()).run(&mut memory, Limits::fuel(1000));
        assert_eq!(run.outcome, Outcome::Ended);
        memory.words(Space::Output, 0).to_vec()
    }

    #[test]
    fn masks_that_let_everything_through_go() {
        let before = program(1);
        let mut after = before.clone();
        let changes = run(&mut after);
        assert_eq!((changes.count, changes.assumptions), (6, vec![ASSUMPTION]));
        assert_eq!(outputs(&before), outputs(&after));
        super::super::run(&mut after, &[super::super::DEAD], None);
        assert!(!after.to_string().contains("uniform"), "{after}");
    }

    #[test]
    fn other_words_stay() {
        let before = program(2);
        let mut after = before.clone();
        // The number of texels alone.
        assert_eq!(run(&mut after).count, 1);
        let mut after = Module { texel_table: None, ..program(1) };
        assert_eq!(run(&mut after), Changes::default());
    }
}
