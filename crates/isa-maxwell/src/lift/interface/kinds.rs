//! What texels are by how the code uses them: registers have no types.

use std::collections::BTreeMap;
use unshade_ir::votes::{Kind, Votes, by_all};
use unshade_ir::{Module, Op, Value};

/// Kinds of texels.
#[derive(Debug, Default)]
pub(super) struct Kinds {
    /// By unit: what the texels of a texture are used as.
    textures: BTreeMap<u32, Votes>,
    /// By unit, of images.
    images: BTreeMap<u32, Votes>,
}

impl Kinds {
    pub(super) fn new(module: &Module) -> Self {
        let mut kinds = Self::default();
        for function in &module.functions {
            let mut insts = function.blocks.iter().flat_map(|block| &block.insts);
            let accesses = |op: &Op| matches!(op, Op::Texture(_) | Op::Image(_));
            if !insts.any(|id| function.insts.get(id.index()).is_some_and(|inst| accesses(&inst.op))) {
                continue;
            }
            let votes = by_all(function);
            let of = |value: &Value| votes.get(value.index()).copied().unwrap_or_default();
            for inst in function.blocks.iter().flat_map(|block| &block.insts) {
                let Some(inst) = function.insts.get(inst.index()) else { continue };
                match inst.op {
                    Op::Texture(texture) if texture.query.is_texel() && !texture.shadow => {
                        let unit = kinds.textures.entry(texture.unit).or_default();
                        inst.results.iter().for_each(|result| unit.add(of(result)));
                    }
                    Op::Image(image) => {
                        let unit = kinds.images.entry(image.unit).or_default();
                        inst.results.iter().for_each(|result| unit.add(of(result)));
                        let values = inst.args.len().saturating_sub(image.values());
                        inst.args.iter().skip(values).for_each(|value| unit.add(of(value)));
                    }
                    _ => {}
                }
            }
        }
        kinds
    }

    /// Kind of the texels of a texture.
    pub(super) fn texture(&self, unit: u32) -> Kind {
        self.textures.get(&unit).copied().unwrap_or_default().kind()
    }

    /// Kind of the texels of an image.
    pub(super) fn image(&self, unit: u32) -> Kind {
        self.images.get(&unit).copied().unwrap_or_default().kind()
    }
}
