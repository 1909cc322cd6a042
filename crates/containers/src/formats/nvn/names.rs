//! The names that a reflection has of a stage, with their slots.

use crate::shared::Name;
use unshade_stage::maxwell::Binding;

/// Groups of names of a stage, in the order of their slots.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Group {
    /// Inputs; slots are locations.
    Inputs,
    /// Outputs; slots are locations.
    Outputs,
    /// Textures with their samplers.
    Samplers,
    /// Constant buffers.
    ConstantBuffers,
    /// Unordered-access (storage) buffers.
    UnorderedAccessBuffers,
    /// Images.
    Images,
    /// Textures by themselves.
    SeparateTextures,
    /// Samplers by themselves.
    SeparateSamplers,
}

impl Group {
    /// All groups.
    pub const ALL: [Self; 8] = [
        Self::Inputs,
        Self::Outputs,
        Self::Samplers,
        Self::ConstantBuffers,
        Self::UnorderedAccessBuffers,
        Self::Images,
        Self::SeparateTextures,
        Self::SeparateSamplers,
    ];

    /// `inputs`, `constant_buffers` ...
    pub fn name(self) -> &'static str {
        match self {
            Self::Inputs => "inputs",
            Self::Outputs => "outputs",
            Self::Samplers => "samplers",
            Self::ConstantBuffers => "constant_buffers",
            Self::UnorderedAccessBuffers => "unordered_access_buffers",
            Self::Images => "images",
            Self::SeparateTextures => "separate_textures",
            Self::SeparateSamplers => "separate_samplers",
        }
    }
}

/// A name with the slot that it is bound to; -1: nowhere.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NamedSlot {
    /// The name.
    pub name: Name,
    /// Location of an input or output, binding of anything else.
    pub slot: i32,
}

/// The names that a reflection has of a stage.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Names {
    /// Group by group in the order of [`Group::ALL`], each in its own order; `None` for a group without a dictionary.
    pub groups: [Option<Vec<NamedSlot>>; 8],
    /// Size of a work group, of compute programs; else zeros.
    pub work_group: [u32; 3],
}

impl Names {
    /// The names of a group.
    pub fn group(&self, group: Group) -> &[NamedSlot] {
        let position = Group::ALL.iter().position(|known| *known == group);
        position.and_then(|at| self.groups.get(at)).and_then(Option::as_deref).unwrap_or_default()
    }

    /// The slot of a name in a group.
    pub fn slot(&self, group: Group, name: &[u8]) -> Option<i32> {
        self.group(group).iter().find(|known| *known.name == *name).map(|known| known.slot)
    }

    pub(super) fn bindings(&self, group: Group) -> Vec<Binding> {
        let shown = |known: &NamedSlot| Binding {
            name: crate::shared::opaque::escape(&known.name),
            slot: known.slot,
        };
        self.group(group).iter().map(shown).collect()
    }
}
