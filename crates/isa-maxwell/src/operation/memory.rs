//! Memory, attributes, textures and images as operations name them.

use super::Operation;
use super::operand::Constant;
use crate::{Predicate, Register};
use std::collections::BTreeMap;
use unshade_ir::TextureShape;

/// How many bits an access moves, and how fewer than 32 are extended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Size {
    /// A byte, zeros above.
    U8,
    /// A byte, its sign above.
    S8,
    /// Two bytes, zeros above.
    U16,
    /// Two bytes, their sign above.
    S16,
    /// One register.
    B32,
    /// Two registers.
    B64,
    /// Four registers.
    B128,
}

/// Which memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Memory {
    /// All of it, by generic address (`LD`, `ST`).
    Generic,
    /// Global memory.
    Global,
    /// Private to the invocation.
    Local,
    /// Shared by the work group.
    Shared,
}

/// An address: register plus offset.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Address {
    /// The register; with `wide` the lower half of a pair. `RZ`: the offset alone.
    pub register: Register,
    /// Bytes added.
    pub offset: i32,
    /// The address has 64 bits (`.E`).
    pub wide: bool,
}

/// How a constant is found whose place is computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ConstantMode {
    /// The register is added to the offset.
    Linear,
    /// The upper half of the register is added to the bank, the lower to the offset (`.IL`; measured).
    IndexedLinear,
    /// The same (`.IS`; emulators).
    Segmented,
    /// The same (`.ISL`): what tells it from the two others where a sum leaves its half is not known.
    SegmentedLinear,
}

/// A computed constant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct IndexedConstant {
    /// Where counting starts.
    pub base: Constant,
    /// Added to it.
    pub register: Register,
    /// How.
    pub mode: ConstantMode,
}

/// What an atomic operation computes of old value and operand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Atomic {
    /// Sum.
    Add,
    /// Smaller.
    Min,
    /// Larger.
    Max,
    /// `old >= b ? 0 : old + 1`.
    Increment,
    /// `old == 0 || old > b ? b : old - 1`.
    Decrement,
    /// Bits of both.
    And,
    /// Bits of either.
    Or,
    /// Bits of one.
    Xor,
    /// The operand.
    Exchange,
    /// Sum that stays at the limit.
    SafeAdd,
}

/// What an atomic operation takes its words for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AtomicType {
    /// Unsigned, 32 bits.
    U32,
    /// Signed, 32 bits.
    S32,
    /// Unsigned, 64 bits.
    U64,
    /// binary32, denormals flushed.
    F32,
    /// Two halves, denormals flushed.
    F16x2,
    /// Signed, 64 bits.
    S64,
}

/// A place in attribute space.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Attribute {
    /// Byte address, 0-0x3ff.
    pub address: u16,
    /// A register whose value is added, or `RZ`.
    pub register: Register,
    /// Attribute of the patch.
    pub patch: bool,
    /// Reads what the stage itself writes.
    pub output: bool,
    /// The register holds a physical address of [`super::Operation::AttributeAddress`].
    pub physical: bool,
}

/// How an attribute becomes a pixel's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Interpolate {
    /// As set up: straight in the window.
    Pass,
    /// Times the second operand: with perspective.
    Multiply,
    /// From one vertex.
    Constant,
    /// Mode 3; no known compiler makes it.
    Sc,
}

/// Where in the pixel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Sample {
    /// Its centre.
    Center,
    /// Inside of the triangle.
    Centroid,
    /// At an offset.
    Offset,
}

/// What kind of picture an access goes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Dimension {
    /// One coordinate.
    D1,
    /// Two.
    D2,
    /// Three.
    D3,
    /// A direction.
    Cube,
    /// A row of texels in memory (images only).
    Buffer,
}

impl Dimension {
    /// The shape of a picture of one sample per texel, and of an array of these.
    pub fn shape(self, array: bool) -> TextureShape {
        match (self, array) {
            (Self::D1, false) => TextureShape::Line,
            (Self::D1, true) => TextureShape::LineArray,
            (Self::D2, false) => TextureShape::Plane,
            (Self::D2, true) => TextureShape::PlaneArray,
            (Self::D3, _) => TextureShape::Volume,
            (Self::Cube, false) => TextureShape::Cube,
            (Self::Cube, true) => TextureShape::CubeArray,
            (Self::Buffer, _) => TextureShape::Buffer,
        }
    }
}

/// Where a handle comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Handle {
    /// Word of the table of handles.
    Bound(u16),
    /// A register.
    Register(Register),
}

/// Level of detail of a texture access.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Level {
    /// From the quad.
    Quad,
    /// Level zero.
    Zero,
    /// From the quad plus a bias operand.
    Bias,
    /// An operand.
    Given,
    /// As [`Level::Bias`], written `.LBA`.
    BiasAligned,
    /// As [`Level::Given`], written `.LLA`.
    GivenAligned,
}

/// Texel offsets of a texture access.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Offset {
    /// None.
    None,
    /// One, packed in a register: axis k is the signed number of `bits` bits from bit `at + k * step` on.
    One {
        /// Where the first axis lies.
        at: u8,
        /// Distance of the axes.
        step: u8,
        /// Width of an axis.
        bits: u8,
    },
    /// Four of a gather, packed in two registers: bytes x y x y of each, of which the lower six bits count.
    Four,
}

/// A limit below which the level of detail may not go (`.LC`, `.CL`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LevelClamp {
    /// None.
    None,
    /// A register, as a float.
    Register(Register),
    /// The upper twelve bits of the register that holds layer and offset, in 1/256 of a level (`TXD`).
    Packed(Register),
}

/// What is asked of a texture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TextureOperation {
    /// Sampled (`TEX`, `TEXS`).
    Sample,
    /// Sampled with gradients (`TXD`).
    Gradient,
    /// A texel (`TLD`, `TLDS`).
    Fetch,
    /// One component of four texels (`TLD4`, `TLD4S`): 0-3.
    Gather(u8),
    /// Level of detail that a sample would have (`TMML`).
    Level,
    /// `TXA`.
    Address,
}

/// Where the components of an answer go.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Answer {
    /// Those of the mask (bit 0 = first) one after the other from a register on.
    Block {
        /// First register.
        first: Register,
        /// Which components.
        mask: u8,
    },
    /// Those of the mask in order: two from `low` on, the rest from `high` on (short forms).
    Pairs {
        /// Register of the first two.
        low: Register,
        /// Register of the rest.
        high: Register,
        /// Which components.
        mask: u8,
        /// Two components lie as halves in one register.
        halves: bool,
    },
}

/// A texture access. Long and short forms lay their operands out differently; here each has its register.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Texture {
    /// What is asked.
    pub operation: TextureOperation,
    /// What kind of texture.
    pub dimension: Dimension,
    /// Which texture and sampler.
    pub handle: Handle,
    /// Register whose lower 16 bits (with [`LevelClamp::Packed`]: 12) are the layer of an array.
    pub layer: Option<Register>,
    /// Registers of the coordinates: as many count as the dimension has; the others are `RZ`.
    pub coordinates: [Register; 3],
    /// The level of detail, and the register that goes with it.
    pub level: Level,
    /// Operand of [`Level::Bias`], [`Level::Given`] and their kin; an integer where texels are fetched.
    pub level_operand: Option<Register>,
    /// Lower limit of the level.
    pub clamp: LevelClamp,
    /// How offsets in texels are packed.
    pub offset: Offset,
    /// Register of the offsets; four offsets are in it and the one behind it.
    pub offset_operand: Option<Register>,
    /// Reference of a comparison (`.DC`).
    pub reference: Option<Register>,
    /// First register of the gradients: of each axis its change to the right, then its change upwards.
    pub gradients: Option<Register>,
    /// Number of the sample (`.MS`).
    pub sample: Option<Register>,
    /// Where the answer goes.
    pub answer: Answer,
    /// Predicate that says whether all texels were there; 7: none.
    pub resident: Resident,
    /// Derivatives are not of a quad (`.NDV`).
    pub no_derivatives: bool,
}

/// An access to an image.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Image {
    /// Which image.
    pub handle: Handle,
    /// What kind.
    pub dimension: Dimension,
    /// The last coordinate is a layer.
    pub array: bool,
    /// First register of the coordinates, texels; with raw access the first counts bytes.
    pub coordinates: Register,
    /// What happens outside: 0 ignored, 1 nearest, 2 trap.
    pub clamp: u8,
    /// With raw access the first coordinate counts bytes (`.BA`).
    pub bytes: bool,
}

impl Image {
    /// The shape that the access sees.
    pub fn shape(&self) -> TextureShape {
        self.dimension.shape(self.array)
    }
}

/// The images of the table of handles that operations access, by their words, with the shape that they see. A
/// question for a size (`TXQ`) does not tell by itself whether a texture is asked or an image.
pub fn image_shapes<'a>(operations: impl Iterator<Item = &'a Operation>) -> BTreeMap<u16, TextureShape> {
    let images = operations.filter_map(|operation| match operation {
        Operation::ImageLoad { image, .. }
        | Operation::ImageStore { image, .. }
        | Operation::ImageAtomic { image, .. }
        | Operation::ImageCompareAndSwap { image, .. } => match image.handle {
            Handle::Bound(word) => Some((word, image.shape())),
            Handle::Register(_) => None,
        },
        _ => None,
    });
    images.collect()
}

/// How an image's content is read and written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ImageData {
    /// Through its format (`.P`): these components, bit 0 = red.
    Formatted(u8),
    /// As bits (`.D`).
    Raw(Size),
}

/// The predicate that says whether all texels were there, 7: none.
pub type Resident = u8;

/// A vote's question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Vote {
    /// Holds in all lanes.
    All,
    /// Holds in one.
    Any,
    /// Is the same in all.
    Equal,
}

/// Which lane a shuffle reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Shuffle {
    /// By number.
    Index,
    /// So many below.
    Up,
    /// So many above.
    Down,
    /// The number combined with exclusive or.
    Butterfly,
}

/// What the barrier of a work group does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Barrier {
    /// Waits for all.
    Sync,
    /// Says that it is there.
    Arrive,
    /// Waits, and counts or combines a predicate.
    Reduce {
        /// The predicate.
        predicate: Predicate,
        /// 0 count, 1 and, 2 or.
        how: u8,
    },
    /// `.SCAN`.
    Scan,
}
