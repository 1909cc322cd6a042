//! What goes in and out of a shader, and where it lies in the address spaces of the module.
//!
//! | space | binding | what lies there |
//! |---|---|---|
//! | input, output | 0 | location `n` at word `4n` and behind; then built-in variables; of what each vertex has, one vertex behind the other; then what the patch or the primitive has once |
//! | uniform | 0 | uniforms outside of blocks, in their order, as std140 lays them out |
//! | uniform | 1 and up | blocks: `binding` plus 1, or the next that is free |
//! | storage | 0 and up | buffers: `binding`, or the next that is free; atomic counters behind [`COUNTERS`] |
//! | texture, image | - | units: `binding`, or the next that is free |

mod declare;
mod edge;
mod resources;

use super::place::{Rule, Words};
use super::{MOST_INTERFACE, Result, Translator, unsupported};
use std::collections::BTreeSet;
use unshade_glsl::tree::{Variable as Declared, VariableId};
use unshade_glsl::types::{Dimension, Opaque, Scalar, Type};
use unshade_ir::{Global, Shape, Space, TextureShape};

/// Buffers from this number on are those of atomic counters, by their binding.
pub const COUNTERS: u32 = 1 << 16;

/// What a shader has in common with what is around it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Interface {
    /// Variables in the order of the text, members of blocks each by itself.
    pub variables: Vec<Variable>,
}

/// A variable, or a member of a block, that others read or write.
#[derive(Debug, Clone, PartialEq)]
pub struct Variable {
    /// Its name: that of a member is `Block.member`, or `instance.member` where the block has a name for its instance and goes from
    /// stage to stage.
    pub name: String,
    /// Address space.
    pub space: Space,
    /// Which buffer or register file of it; of textures and images 0.
    pub binding: u32,
    /// Its words in order, of one vertex where each vertex has it: those of a matrix column by column, two for a scalar of 64 bits,
    /// the low one first. Of textures and images the units. Of an array without a length those of one element.
    pub words: Vec<u32>,
    /// What its scalars are; none of textures and images.
    pub scalar: Option<Scalar>,
    /// `location` of the text, or the one that it has by its order; of built-in variables none.
    pub location: Option<u32>,
    /// The first component of that location that it has.
    pub component: u32,
    /// `binding` of the text; of a member that of its block.
    pub bound: Option<u32>,
    /// What the pipeline knows it for, in the words of [`unshade_ir::Global::semantic`].
    pub semantic: Option<&'static str>,
    /// Vertices that each have one; 0: it is there once.
    pub vertices: u32,
    /// Words from one vertex to the next.
    pub vertex_stride: u32,
    /// Whether the patch has it.
    pub is_patch: bool,
}

/// The first number from which so many are free; takes them.
fn take(taken: &mut BTreeSet<u32>, count: u32) -> u32 {
    let mut first = 0_u32;
    while let Some(last) = taken.range(first..first.saturating_add(count)).next_back() {
        first = last.saturating_add(1);
    }
    taken.extend(first..first.saturating_add(count));
    first
}
impl Translator<'_> {
    /// Gives a place to all that goes in and out.
    pub(super) fn place_interface(&mut self) -> Result<()> {
        self.place_edge(Space::Input)?;
        self.place_edge(Space::Output)?;
        self.place_resources()?;
        if self.interface_words > MOST_INTERFACE {
            let span = self.shader.functions[self.shader.entry].span;
            let message = format!("expected at most {MOST_INTERFACE} numbers that go in and out, found more");
            return Err(unsupported(message, span));
        }
        super::builtin::variables::compute(self)
    }

    /// The globals of a kind, in order.
    fn globals(&self, wanted: impl Fn(&Declared) -> bool) -> Vec<VariableId> {
        let globals = self.shader.globals.iter().copied();
        globals.filter(|id| wanted(&self.shader.variables[*id])).collect()
    }

    /// An input that the pipeline knows, where no variable of the shader has it.
    pub(super) fn input(&mut self, name: &str, semantic: &'static str, components: u8, offset: u32) -> Words {
        let words = Words::new(Space::Input, 0, offset, Rule::Tight);
        let shape = Shape::Uint { components, elements: 0 };
        let mut global = Global::new(name, Space::Input, 0, offset, shape);
        global.semantic = Some(semantic.to_owned());
        self.module.globals.push(global);
        self.interface.variables.push(Variable {
            semantic: Some(semantic),
            ..self.resource(
                name,
                Space::Input,
                0,
                (offset..offset + u32::from(components)).collect(),
                Type::UINT,
            )
        });
        words
    }

    /// One past the last word of the inputs.
    pub(super) fn inputs_end(&self) -> u32 {
        let inputs = self.interface.variables.iter().filter(|variable| variable.space == Space::Input);
        let ends = inputs.map(|variable| {
            let last = variable.words.iter().max().copied().unwrap_or(0);
            let before = variable.vertex_stride.saturating_mul(variable.vertices.saturating_sub(1));
            last.saturating_add(before).saturating_add(1)
        });
        ends.max().unwrap_or(0).next_multiple_of(4)
    }
}

/// The shape of a texture or image.
pub(super) fn shape(opaque: Opaque) -> Option<TextureShape> {
    Some(match (opaque.dimension, opaque.is_array, opaque.is_multisampled) {
        (Dimension::D1, false, false) => TextureShape::Line,
        (Dimension::D1, true, false) => TextureShape::LineArray,
        (Dimension::D2 | Dimension::External, false, false) => TextureShape::Plane,
        (Dimension::D2, true, false) => TextureShape::PlaneArray,
        (Dimension::D2, false, true) => TextureShape::PlaneSamples,
        (Dimension::D2, true, true) => TextureShape::PlaneSamplesArray,
        (Dimension::D3, false, false) => TextureShape::Volume,
        (Dimension::Cube, false, false) => TextureShape::Cube,
        (Dimension::Cube, true, false) => TextureShape::CubeArray,
        (Dimension::Rectangle, false, false) => TextureShape::Rectangle,
        (Dimension::Buffer, false, false) => TextureShape::Buffer,
        _ => return None,
    })
}

// Kept beside the places of built-in variables: those that follow from others.
