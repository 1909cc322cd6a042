//! What the bytes of the attribute space `a[]` mean, and what they are called.
//!
//! An address counts bytes; every attribute is a word of four of them. Sources: the maps of NVIDIA's document of
//! the shader program header, which go through the space word by word, and the emulators' use of the addresses.

use std::fmt;

/// Words of the space that the maps of a program header know: up to byte 0x3C0.
pub const WORDS: u32 = 240;
/// Bytes of the space.
pub const SIZE: u32 = 0x400;
/// First byte of generic vector 0.
pub const GENERIC: u32 = 0x80;
/// Generic vectors.
pub const GENERICS: u8 = 32;
/// First byte of what a patch has for itself behind its levels of tessellation.
pub const PATCH: u32 = 0x20;
/// Last byte + 1 of what a patch has.
pub const PATCH_END: u32 = 0x200;

/// A word of the attribute space. Components count from 0 for x.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Attribute {
    /// Of a patch: how finely its outer edges are divided, 0-3.
    TessLevelOuter(u8),
    /// Of a patch: how finely its inside is divided, 0-1.
    TessLevelInner(u8),
    /// Of a patch: a component of a vector that programs agree on.
    Patch(u8, u8),
    /// Number of the primitive.
    PrimitiveId,
    /// Layer of the target.
    Layer,
    /// Number of the viewport.
    Viewport,
    /// Size of a point.
    PointSize,
    /// The position; of a pixel its place, and 1/w as the last component.
    Position(u8),
    /// A component of a vector that programs agree on.
    Generic(u8, u8),
    /// Diffuse colour of a front face.
    FrontDiffuse(u8),
    /// Specular colour of a front face.
    FrontSpecular(u8),
    /// Diffuse colour of a back face.
    BackDiffuse(u8),
    /// Specular colour of a back face.
    BackSpecular(u8),
    /// Distance from a clip plane, 0-7.
    ClipDistance(u8),
    /// Place inside of a point.
    PointCoord(u8),
    /// Coordinate of fog.
    FogCoord,
    /// Place inside of a patch: u and v.
    TessCoord(u8),
    /// Number of the instance.
    InstanceId,
    /// Number of the vertex.
    VertexId,
    /// Texture coordinate of the fixed pipeline: vector 0-9, component.
    TexCoord(u8, u8),
    /// Mask of viewports.
    ViewportMask,
    /// All ones for a front face.
    FrontFacing,
}

impl Attribute {
    /// The attribute at an address, of the vertex or pixel. `None` where nothing is known to be, and for
    /// addresses inside of a word.
    pub fn at(address: u32) -> Option<Self> {
        if !address.is_multiple_of(4) {
            return None;
        }
        // Places inside of a vector of four words, and of a run of vectors.
        let component = (address / 4 % 4) as u8;
        let vector = |start: u32| ((address - start) / 16) as u8;
        Some(match address {
            0x60 => Self::PrimitiveId,
            0x64 => Self::Layer,
            0x68 => Self::Viewport,
            0x6C => Self::PointSize,
            0x70..0x80 => Self::Position(component),
            0x80..0x280 => Self::Generic(vector(0x80), component),
            0x280..0x290 => Self::FrontDiffuse(component),
            0x290..0x2A0 => Self::FrontSpecular(component),
            0x2A0..0x2B0 => Self::BackDiffuse(component),
            0x2B0..0x2C0 => Self::BackSpecular(component),
            0x2C0..0x2E0 => Self::ClipDistance(((address - 0x2C0) / 4) as u8),
            0x2E0 | 0x2E4 => Self::PointCoord(component),
            0x2E8 => Self::FogCoord,
            0x2F0 | 0x2F4 => Self::TessCoord(component),
            0x2F8 => Self::InstanceId,
            0x2FC => Self::VertexId,
            0x300..0x3A0 => Self::TexCoord(vector(0x300), component),
            0x3A0 => Self::ViewportMask,
            0x3FC => Self::FrontFacing,
            _ => return None,
        })
    }

    /// The attribute at an address, of the patch.
    pub fn of_patch(address: u32) -> Option<Self> {
        if !address.is_multiple_of(4) {
            return None;
        }
        let component = (address / 4 % 4) as u8;
        Some(match address {
            0x00..0x10 => Self::TessLevelOuter(component),
            0x10 | 0x14 => Self::TessLevelInner(component),
            PATCH..PATCH_END => Self::Patch(((address - PATCH) / 16) as u8, component),
            _ => return None,
        })
    }

    /// Its address.
    pub fn address(self) -> u32 {
        let (start, vector, component) = match self {
            Self::TessLevelOuter(edge) => (0, 0, edge),
            Self::TessLevelInner(direction) => (0x10, 0, direction),
            Self::Patch(vector, component) => (PATCH, vector, component),
            Self::PrimitiveId => (0x60, 0, 0),
            Self::Layer => (0x64, 0, 0),
            Self::Viewport => (0x68, 0, 0),
            Self::PointSize => (0x6C, 0, 0),
            Self::Position(component) => (0x70, 0, component),
            Self::Generic(vector, component) => (GENERIC, vector, component),
            Self::FrontDiffuse(component) => (0x280, 0, component),
            Self::FrontSpecular(component) => (0x290, 0, component),
            Self::BackDiffuse(component) => (0x2A0, 0, component),
            Self::BackSpecular(component) => (0x2B0, 0, component),
            Self::ClipDistance(plane) => (0x2C0, 0, plane),
            Self::PointCoord(component) => (0x2E0, 0, component),
            Self::FogCoord => (0x2E8, 0, 0),
            Self::TessCoord(component) => (0x2F0, 0, component),
            Self::InstanceId => (0x2F8, 0, 0),
            Self::VertexId => (0x2FC, 0, 0),
            Self::TexCoord(vector, component) => (0x300, vector, component),
            Self::ViewportMask => (0x3A0, 0, 0),
            Self::FrontFacing => (0x3FC, 0, 0),
        };
        start + 16 * u32::from(vector) + 4 * u32::from(component)
    }

    /// Whether it belongs to a patch and not to a vertex of it.
    pub fn is_of_patch(self) -> bool {
        matches!(self, Self::TessLevelOuter(_) | Self::TessLevelInner(_) | Self::Patch(..))
    }

    /// The attribute of that name, as [`Display`](fmt::Display) writes it.
    pub fn named(name: &str) -> Option<Self> {
        let every = |address: u32| [Self::at(address), Self::of_patch(address)];
        (0..SIZE).step_by(4).flat_map(every).flatten().find(|attribute| attribute.to_string() == name)
    }
}

/// `position.x`, `generic[3].w`, `clip_distance[0]`, `point_size`.
impl fmt::Display for Attribute {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letter = |component: u8| ["x", "y", "z", "w"].get(usize::from(component)).copied().unwrap_or("?");
        let (name, vector, component) = match *self {
            Self::TessLevelOuter(edge) => ("tess_level_outer", Some(edge), None),
            Self::TessLevelInner(direction) => ("tess_level_inner", Some(direction), None),
            Self::Patch(vector, component) => ("patch", Some(vector), Some(component)),
            Self::PrimitiveId => ("primitive_id", None, None),
            Self::Layer => ("layer", None, None),
            Self::Viewport => ("viewport", None, None),
            Self::PointSize => ("point_size", None, None),
            Self::Position(component) => ("position", None, Some(component)),
            Self::Generic(vector, component) => ("generic", Some(vector), Some(component)),
            Self::FrontDiffuse(component) => ("front_diffuse", None, Some(component)),
            Self::FrontSpecular(component) => ("front_specular", None, Some(component)),
            Self::BackDiffuse(component) => ("back_diffuse", None, Some(component)),
            Self::BackSpecular(component) => ("back_specular", None, Some(component)),
            Self::ClipDistance(plane) => ("clip_distance", Some(plane), None),
            Self::PointCoord(component) => ("point_coord", None, Some(component)),
            Self::FogCoord => ("fog_coord", None, None),
            Self::TessCoord(component) => ("tess_coord", None, Some(component)),
            Self::InstanceId => ("instance_id", None, None),
            Self::VertexId => ("vertex_id", None, None),
            Self::TexCoord(vector, component) => ("tex_coord", Some(vector), Some(component)),
            Self::ViewportMask => ("viewport_mask", None, None),
            Self::FrontFacing => ("front_facing", None, None),
        };
        f.write_str(name)?;
        if let Some(vector) = vector {
            write!(f, "[{vector}]")?;
        }
        component.map_or(Ok(()), |component| write!(f, ".{}", letter(component)))
    }
}

/// `a[0x70] position.x`: an address with its name, where it has one.
pub fn describe(address: u32, patch: bool) -> String {
    let attribute = if patch { Attribute::of_patch(address) } else { Attribute::at(address) };
    match attribute {
        Some(attribute) => format!("a[{address:#x}] {attribute}"),
        None => format!("a[{address:#x}]"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_and_names_lead_back() {
        let mut named = 0;
        for address in 0..SIZE {
            for found in [Attribute::at(address), Attribute::of_patch(address)].into_iter().flatten() {
                assert_eq!(found.address(), address);
                assert_eq!(Attribute::named(&found.to_string()), Some(found));
                named += 1;
            }
        }
        // Vertices: 8 system words, 32 vectors, 16 of colours, 8 planes, 3, 4, 10 vectors, mask, face; patches.
        assert_eq!(named, 8 + 128 + 16 + 8 + 3 + 4 + 40 + 2 + 6 + 4 * 30);
    }

    #[test]
    fn names() {
        for (address, name) in
            [(0x70, "position.x"), (0xBC, "generic[3].w"), (0x2C4, "clip_distance[1]"), (0x6C, "point_size")]
        {
            assert_eq!(Attribute::at(address).unwrap().to_string(), name);
        }
        assert_eq!(Attribute::of_patch(0x30).unwrap().to_string(), "patch[1].x");
        assert_eq!(describe(0x2EC, false), "a[0x2ec]");
        assert_eq!(Attribute::named("generic[32].x"), None);
    }
}
