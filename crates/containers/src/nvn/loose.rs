//! A stage of the Switch without its container.

use crate::Opaque;
use crate::bnsh::pair;
use unshade_stage::maxwell::Binding;
use unshade_stage::{Interface, Isa, Stage, StageId, StageKind};

/// A control section and a code section, with what the reflection of a container says of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Loose {
    /// Which step of the pipeline it is for.
    pub kind: StageKind,
    /// The control section; one in parts is put together.
    pub control: Opaque,
    /// The code section.
    pub code: Opaque,
    /// Names with their slots; `None` where the container has no reflection.
    pub names: Option<Names>,
}

/// The names that a reflection has of a stage, group by group, each in its order.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Names {
    /// Inputs.
    pub inputs: Vec<Binding>,
    /// Outputs.
    pub outputs: Vec<Binding>,
    /// Textures with their samplers.
    pub samplers: Vec<Binding>,
    /// Uniform blocks.
    pub constant_buffers: Vec<Binding>,
    /// Storage blocks.
    pub storage_buffers: Vec<Binding>,
    /// Images.
    pub images: Vec<Binding>,
    /// Textures by themselves.
    pub separate_textures: Vec<Binding>,
    /// Samplers by themselves.
    pub separate_samplers: Vec<Binding>,
    /// Size of a work group, of compute programs.
    pub work_group: Option<[u32; 3]>,
}

impl Loose {
    /// The stage as its instruction set sees it. Offsets of the code count from the start of the code section.
    pub fn stage(&self) -> Stage<'_> {
        let (code, mut maxwell) = pair(&self.control, &self.code, self.kind);
        if let Some(names) = &self.names {
            let names = names.clone();
            maxwell.inputs = names.inputs;
            maxwell.outputs = names.outputs;
            maxwell.samplers = names.samplers;
            maxwell.constant_buffers = names.constant_buffers;
            maxwell.storage_buffers = names.storage_buffers;
            maxwell.images = names.images;
            maxwell.separate_textures = names.separate_textures;
            maxwell.separate_samplers = names.separate_samplers;
            maxwell.work_group = names.work_group.or(maxwell.work_group);
        }
        let interface = Interface { maxwell: Some(Box::new(maxwell)), ..Interface::default() };
        let id = StageId(self.kind.name().to_owned());
        Stage { id, kind: self.kind, isa: Isa::Maxwell, code, interface }
    }
}
