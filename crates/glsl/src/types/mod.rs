//! Types of the language, and how they lie in blocks.

pub mod layout;
mod name;

use crate::place::Span;
use std::collections::HashMap;

/// A kind of number or truth.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs)]
pub enum Scalar {
    Bool,
    Int8,
    Uint8,
    Int16,
    Uint16,
    /// `int`, of 32 bits.
    Int,
    /// `uint`, of 32 bits.
    Uint,
    Int64,
    Uint64,
    Float16,
    /// `float`, of 32 bits.
    Float,
    Double,
}

impl Scalar {
    /// All of them.
    pub const ALL: [Self; 12] = [
        Self::Bool,
        Self::Int8,
        Self::Uint8,
        Self::Int16,
        Self::Uint16,
        Self::Int,
        Self::Uint,
        Self::Int64,
        Self::Uint64,
        Self::Float16,
        Self::Float,
        Self::Double,
    ];

    /// Bytes in memory; a `bool` in a block takes 4.
    pub fn size(self) -> u32 {
        match self {
            Self::Int8 | Self::Uint8 => 1,
            Self::Int16 | Self::Uint16 | Self::Float16 => 2,
            Self::Bool | Self::Int | Self::Uint | Self::Float => 4,
            Self::Int64 | Self::Uint64 | Self::Double => 8,
        }
    }

    /// Whether it is a whole number, signed or not.
    pub fn is_integer(self) -> bool {
        self.is_signed() || self.is_unsigned()
    }

    /// Whether it is a signed whole number.
    pub fn is_signed(self) -> bool {
        matches!(self, Self::Int8 | Self::Int16 | Self::Int | Self::Int64)
    }

    /// Whether it is an unsigned whole number.
    pub fn is_unsigned(self) -> bool {
        matches!(self, Self::Uint8 | Self::Uint16 | Self::Uint | Self::Uint64)
    }

    /// Whether it is a float of any width.
    pub fn is_float(self) -> bool {
        matches!(self, Self::Float16 | Self::Float | Self::Double)
    }
}

/// A type. Arrays and structures are rows of [`Types`]; arrays are interned, so that equal types are equal ids, but for arrays that
/// have no size yet ([`Types::same`] compares those).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Type {
    /// What functions give that give nothing.
    Void,
    /// `float`.
    Scalar(Scalar),
    /// `vec3`: 2 to 4 components.
    Vector(Scalar, u8),
    /// `mat3x4`: columns, then rows, 2 to 4 each.
    Matrix(Scalar, u8, u8),
    /// An array.
    Array(ArrayId),
    /// A structure, or the members of a block.
    Struct(StructId),
    /// A texture, sampler or image.
    Opaque(Opaque),
    /// `atomic_uint`.
    AtomicCounter,
}

/// Index of an array type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ArrayId(pub u32);

/// Index of a structure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StructId(pub u32);

/// How many elements an array has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Length {
    /// A number known to the compiler.
    Known(u32),
    /// Declared without one, and not a member of a buffer: the largest constant index decides. When a shader has been read, no array
    /// that is used has this length.
    Implicit,
    /// The last member of a buffer block: as long as the buffer that is bound.
    Runtime,
    /// A specialization constant: the number by default, and the index of its expression in [`Shader::lengths`].
    ///
    /// [`Shader::lengths`]: crate::tree::Shader::lengths
    Specialized(u32, u32),
}

/// An array type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Array {
    /// Type of one element; of an array of arrays, the inner one.
    pub element: Type,
    /// How many.
    pub length: Length,
}

/// A structure, or the members of a block.
#[derive(Debug, Clone, PartialEq)]
pub struct Struct {
    /// Its name; empty for `struct { ... } x`. Of blocks, the name of the block.
    pub name: String,
    /// What it consists of.
    pub members: Vec<Member>,
    /// Where its name stands.
    pub span: Span,
    /// Whether it is the members of a block.
    pub is_block: bool,
}

/// A member of a structure.
#[derive(Debug, Clone, PartialEq)]
pub struct Member {
    /// Its name.
    pub name: String,
    /// Its type.
    pub ty: Type,
    /// Its precision.
    pub precision: Precision,
    /// Where its name stands.
    pub span: Span,
}

/// Precision of a declaration or an expression.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Precision {
    /// None said, none by default: of the desktop, and of types that have none.
    #[default]
    Unspecified,
    /// `lowp`
    Low,
    /// `mediump`
    Medium,
    /// `highp`
    High,
}

/// What an opaque type stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Handle {
    /// `sampler2D`: a texture with its sampler.
    Combined,
    /// `texture2D`: a texture alone (Vulkan).
    Texture,
    /// `sampler`: a sampler alone (Vulkan); only `is_shadow` means anything.
    Sampler,
    /// `image2D`
    Image,
    /// `subpassInput` (Vulkan); only `component` and `is_multisampled` mean anything.
    Subpass,
}

/// Shape of a texture or image.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Dimension {
    /// `sampler1D`
    D1,
    /// `sampler2D`
    D2,
    /// `sampler3D`
    D3,
    /// `samplerCube`
    Cube,
    /// `sampler2DRect`: coordinates are texels.
    Rectangle,
    /// `samplerBuffer`
    Buffer,
    /// `samplerExternalOES`
    External,
}

/// A texture, sampler or image.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Opaque {
    /// What it stands for.
    pub handle: Handle,
    /// Its shape.
    pub dimension: Dimension,
    /// Whether it is an array of layers.
    pub is_array: bool,
    /// Whether it has samples.
    pub is_multisampled: bool,
    /// Whether it compares (`sampler2DShadow`).
    pub is_shadow: bool,
    /// What its texels are: `Float`, `Int`, `Uint`; of images also the 64-bit whole numbers; `Float16` of AMD's.
    pub component: Scalar,
}

impl Opaque {
    /// Components of the coordinate that names a texel, with the layer; without what is compared or projected.
    pub fn coordinates(self) -> u8 {
        let shape = match self.dimension {
            Dimension::D1 | Dimension::Buffer => 1,
            Dimension::D2 | Dimension::Rectangle | Dimension::External => 2,
            Dimension::D3 | Dimension::Cube => 3,
        };
        // The face and the layer of a cube image are one number.
        let layer = self.is_array && !(self.dimension == Dimension::Cube && self.handle == Handle::Image);
        shape + u8::from(layer)
    }

    /// Components of offsets and derivatives: the shape without layers.
    pub fn offsets(self) -> u8 {
        match self.dimension {
            Dimension::D1 | Dimension::Buffer => 1,
            Dimension::D2 | Dimension::Rectangle | Dimension::External => 2,
            Dimension::D3 | Dimension::Cube => 3,
        }
    }
}

impl Type {
    /// `float`
    pub const FLOAT: Self = Self::Scalar(Scalar::Float);
    /// `int`
    pub const INT: Self = Self::Scalar(Scalar::Int);
    /// `uint`
    pub const UINT: Self = Self::Scalar(Scalar::Uint);
    /// `bool`
    pub const BOOL: Self = Self::Scalar(Scalar::Bool);
    /// `double`
    pub const DOUBLE: Self = Self::Scalar(Scalar::Double);

    /// A scalar (of one component), or a vector.
    pub fn of(scalar: Scalar, components: u8) -> Self {
        if components <= 1 { Self::Scalar(scalar) } else { Self::Vector(scalar, components) }
    }

    /// What scalars, vectors and matrices consist of.
    pub fn scalar(self) -> Option<Scalar> {
        match self {
            Self::Scalar(scalar) | Self::Vector(scalar, _) | Self::Matrix(scalar, ..) => Some(scalar),
            _ => None,
        }
    }

    /// The same shape of another scalar; other types as they are.
    pub fn with_scalar(self, scalar: Scalar) -> Self {
        match self {
            Self::Scalar(_) => Self::Scalar(scalar),
            Self::Vector(_, size) => Self::Vector(scalar, size),
            Self::Matrix(_, columns, rows) => Self::Matrix(scalar, columns, rows),
            other => other,
        }
    }

    /// Number of scalars in a scalar, vector or matrix.
    pub fn components(self) -> Option<u8> {
        match self {
            Self::Scalar(_) => Some(1),
            Self::Vector(_, size) => Some(size),
            Self::Matrix(_, columns, rows) => Some(columns.saturating_mul(rows)),
            _ => None,
        }
    }

    /// Whether it is a scalar.
    pub fn is_scalar(self) -> bool {
        matches!(self, Self::Scalar(_))
    }

    /// Whether it is a vector.
    pub fn is_vector(self) -> bool {
        matches!(self, Self::Vector(..))
    }

    /// Whether it is a matrix.
    pub fn is_matrix(self) -> bool {
        matches!(self, Self::Matrix(..))
    }

    /// Whether it is a scalar or a vector of whole numbers.
    pub fn is_integer(self) -> bool {
        !self.is_matrix() && self.scalar().is_some_and(Scalar::is_integer)
    }

    /// Whether its parts are floats of any width.
    pub fn is_float(self) -> bool {
        self.scalar().is_some_and(Scalar::is_float)
    }

    /// Whether its parts are truths.
    pub fn is_bool(self) -> bool {
        self.scalar() == Some(Scalar::Bool)
    }
}

/// The arrays and structures of a shader.
#[derive(Debug, Clone, Default)]
pub struct Types {
    arrays: Vec<Array>,
    structs: Vec<Struct>,
    /// Of each structure, the number of its scalars and what is in it.
    totals: Vec<(u64, u16)>,
    interned: HashMap<Array, ArrayId>,
}

impl Types {
    /// The type of an array. One without a size is a type of its own each time, which gets its size later.
    pub fn array(&mut self, element: Type, length: Length) -> Type {
        let array = Array { element, length };
        if length != Length::Implicit
            && let Some(id) = self.interned.get(&array)
        {
            return Type::Array(*id);
        }
        let id = ArrayId(u32::try_from(self.arrays.len()).unwrap_or(u32::MAX));
        self.arrays.push(array);
        if length != Length::Implicit {
            self.interned.insert(array, id);
        }
        Type::Array(id)
    }

    /// Gives an array that was declared without a size its size.
    pub fn set_length(&mut self, id: ArrayId, length: Length) {
        if let Some(array) = self.arrays.get_mut(id.0 as usize) {
            array.length = length;
        }
    }

    /// Takes a structure in.
    pub fn add_struct(&mut self, structure: Struct) -> StructId {
        let id = StructId(u32::try_from(self.structs.len()).unwrap_or(u32::MAX));
        let members = &structure.members;
        let count = members.iter().fold(0, |sum: u64, member| sum.saturating_add(self.scalars(member.ty)));
        let parts = members.iter().fold(0, |all, member| all | self.parts(member.ty));
        self.totals.push((count, parts));
        self.structs.push(structure);
        id
    }

    /// The structure of an id.
    pub fn structure(&self, id: StructId) -> &Struct {
        static NONE: Struct = Struct {
            name: String::new(),
            members: Vec::new(),
            span: Span { file: crate::place::FileId(0), start: 0, end: 0 },
            is_block: false,
        };
        self.structs.get(id.0 as usize).unwrap_or(&NONE)
    }

    /// All structures.
    pub fn structures(&self) -> impl Iterator<Item = (StructId, &Struct)> {
        (0u32..).map(StructId).zip(&self.structs)
    }

    /// The array of an id.
    pub fn get_array(&self, id: ArrayId) -> Array {
        self.arrays
            .get(id.0 as usize)
            .copied()
            .unwrap_or(Array { element: Type::Void, length: Length::Known(0) })
    }

    /// The element type of an array, the column of a matrix, the scalar of a vector.
    pub fn element(&self, ty: Type) -> Option<Type> {
        match ty {
            Type::Array(id) => Some(self.get_array(id).element),
            Type::Matrix(scalar, _, rows) => Some(Type::Vector(scalar, rows)),
            Type::Vector(scalar, _) => Some(Type::Scalar(scalar)),
            _ => None,
        }
    }

    /// How many elements can be indexed, where that is known: of arrays, columns of matrices, components of vectors.
    pub fn length(&self, ty: Type) -> Option<u32> {
        match ty {
            Type::Array(id) => match self.get_array(id).length {
                Length::Known(count) | Length::Specialized(count, _) => Some(count),
                _ => None,
            },
            Type::Matrix(_, columns, _) => Some(u32::from(columns)),
            Type::Vector(_, size) => Some(u32::from(size)),
            _ => None,
        }
    }

    /// What an array of arrays consists of in the end.
    pub fn innermost(&self, mut ty: Type) -> Type {
        while let Type::Array(id) = ty {
            ty = self.get_array(id).element;
        }
        ty
    }

    /// Whether two types are the same, sizes that came late among them.
    pub fn same(&self, one: Type, other: Type) -> bool {
        match (one, other) {
            (Type::Array(a), Type::Array(b)) if a != b => {
                let (a, b) = (self.get_array(a), self.get_array(b));
                let lengths = match (a.length, b.length) {
                    // Both have the same number by default; that they are the same constant is not asked.
                    (Length::Specialized(one, _), Length::Specialized(other, _)) => one == other,
                    (Length::Implicit, _) => false,
                    (one, other) => one == other,
                };
                lengths && self.same(a.element, b.element)
            }
            _ => one == other,
        }
    }

    /// Whether the type or a part of it is of a kind. Structures know what is in them, so that this takes no time.
    pub fn has(&self, ty: Type, part: Part) -> bool {
        self.parts(ty) & part.bit() != 0
    }

    fn parts(&self, ty: Type) -> u16 {
        match ty {
            Type::Void => 0,
            Type::Scalar(scalar) | Type::Vector(scalar, _) => Part::of(scalar).bit(),
            Type::Matrix(scalar, ..) => Part::of(scalar).bit() | Part::Matrix.bit(),
            Type::Array(id) => {
                let array = self.get_array(id);
                let unsized_ = matches!(array.length, Length::Implicit | Length::Runtime);
                self.parts(array.element) | Part::Array.bit() | if unsized_ { Part::Unsized.bit() } else { 0 }
            }
            Type::Struct(id) => {
                self.totals.get(id.0 as usize).map_or(0, |total| total.1) | Part::Struct.bit()
            }
            Type::Opaque(_) => Part::Opaque.bit(),
            Type::AtomicCounter => Part::AtomicCounter.bit(),
        }
    }

    /// Number of scalars in the type: of an array without a size, those of one element.
    pub fn scalars(&self, ty: Type) -> u64 {
        match ty {
            Type::Array(id) => {
                let count = self.length(ty).unwrap_or(1);
                self.scalars(self.get_array(id).element).saturating_mul(u64::from(count))
            }
            Type::Struct(id) => self.totals.get(id.0 as usize).map_or(0, |total| total.0),
            other => u64::from(other.components().unwrap_or(1)),
        }
    }
}

/// What a type can have as a part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Part {
    Bool,
    Integer,
    Float,
    Double,
    /// Whole numbers of 64 bits.
    Integer64,
    /// Numbers of 8 or 16 bits.
    Small,
    Matrix,
    Array,
    /// An array without a size.
    Unsized,
    Struct,
    Opaque,
    AtomicCounter,
}

impl Part {
    fn bit(self) -> u16 {
        1 << self as u16
    }

    fn of(scalar: Scalar) -> Self {
        match scalar {
            Scalar::Bool => Self::Bool,
            Scalar::Int | Scalar::Uint => Self::Integer,
            Scalar::Float => Self::Float,
            Scalar::Double => Self::Double,
            Scalar::Int64 | Scalar::Uint64 => Self::Integer64,
            Scalar::Int8 | Scalar::Uint8 | Scalar::Int16 | Scalar::Uint16 | Scalar::Float16 => Self::Small,
        }
    }
}
