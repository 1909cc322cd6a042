//! What a program's inputs, outputs and resources are called, whatever the format says it in.

use crate::row::listed;
use unshade::{Space, Stage};

/// Names, with blanks between.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Names {
    pub(crate) inputs: String,
    pub(crate) outputs: String,
    pub(crate) uniforms: String,
    pub(crate) blocks: String,
    pub(crate) samplers: String,
}

impl Names {
    pub(crate) fn of(stage: &Stage<'_>) -> Self {
        let interface = &stage.interface;
        if let Some(latte) = interface.latte.as_deref() {
            return Self {
                inputs: listed(latte.attributes.iter().map(|input| &input.name)),
                outputs: String::new(),
                uniforms: listed(latte.variables().list.iter().map(|variable| variable.name)),
                blocks: listed(latte.blocks.iter().map(|block| &block.name)),
                samplers: listed(latte.samplers.iter().map(|sampler| &sampler.name)),
            };
        }
        if let Some(maxwell) = interface.maxwell.as_deref() {
            let blocks = maxwell.constant_buffers.iter().chain(&maxwell.storage_buffers);
            let samplers =
                [&maxwell.samplers, &maxwell.separate_textures, &maxwell.separate_samplers, &maxwell.images];
            return Self {
                inputs: listed(maxwell.inputs.iter().map(|input| &input.name)),
                outputs: listed(maxwell.outputs.iter().map(|output| &output.name)),
                uniforms: listed(maxwell.members.iter().map(|member| &member.name)),
                blocks: listed(blocks.map(|block| &block.name)),
                samplers: listed(samplers.into_iter().flatten().map(|sampler| &sampler.name)),
            };
        }
        if !interface.symbols.is_empty() {
            // Members belong to a structure, which is named.
            let of = |space, samplers| {
                let all = interface.symbols.iter().filter(|symbol| symbol.parent.is_none());
                listed(
                    all.filter(|symbol| symbol.space == space && symbol.ty.is_sampler() == samplers)
                        .map(|symbol| &symbol.name),
                )
            };
            return Self {
                inputs: of(Space::Input, false),
                outputs: of(Space::Output, false),
                uniforms: of(Space::Float, false),
                blocks: String::new(),
                samplers: of(Space::Float, true),
            };
        }
        Self {
            inputs: listed(interface.inputs.iter().map(|input| &input.name)),
            outputs: listed(interface.outputs.iter().map(|output| &output.semantic)),
            uniforms: listed(interface.uniforms.iter().map(|uniform| &uniform.name)),
            ..Self::default()
        }
    }
}
