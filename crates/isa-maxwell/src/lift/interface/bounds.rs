//! The most that an index can be, as far as the code shows it: arrays of textures are declared that long.

use std::collections::BTreeMap;
use unshade_ir::bounds::most;
use unshade_ir::{Module, Op};

/// Entries of each array of textures or images that its index can reach, by unit; nothing where some index has no bound.
#[derive(Debug, Default)]
pub(super) struct Bounds {
    textures: BTreeMap<u32, Option<u32>>,
    images: BTreeMap<u32, Option<u32>>,
}

impl Bounds {
    pub(super) fn new(module: &Module) -> Self {
        let mut bounds = Self::default();
        for function in &module.functions {
            for inst in function.blocks.iter().flat_map(|block| &block.insts) {
                let Some(inst) = function.insts.get(inst.index()) else { continue };
                let (table, unit) = match inst.op {
                    Op::Texture(texture) if texture.indexed => (&mut bounds.textures, texture.unit),
                    Op::Image(image) if image.indexed => (&mut bounds.images, image.unit),
                    _ => continue,
                };
                let count = inst.args.first().and_then(|index| most(function, *index));
                let count = count.and_then(|last| last.checked_add(1));
                let known = table.entry(unit).or_insert(count);
                *known = known.zip(count).map(|(one, other)| one.max(other));
            }
        }
        bounds
    }

    pub(super) fn texture(&self, unit: u32) -> Option<u32> {
        self.textures.get(&unit).copied().flatten()
    }

    pub(super) fn image(&self, unit: u32) -> Option<u32> {
        self.images.get(&unit).copied().flatten()
    }
}
