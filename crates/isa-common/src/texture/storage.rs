//! Images that programs read and write texel by texel, and where machines find them.

use super::{Bank, Fetch, NoTextures, Query, Textures};
use std::collections::BTreeMap;
use std::sync::Arc;
use unshade_ir::exec::evaluate;
use unshade_ir::{
    AtomicOp, FloatMode, Image, ImageFormat, ImageQuery, Op, Round, TextureQuery, TextureShape, Type, Width,
};

/// How an access takes an image.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum View {
    /// Through its format: four components.
    Formatted,
    /// As memory: so many bytes from a texel on, as words.
    Texels(u32),
    /// The same, and the first coordinate counts bytes.
    Bytes(u32),
}

/// One access of one invocation to an image.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ImageAccess<'a> {
    /// What is done, and to which unit.
    pub image: Image,
    /// How its texels are taken.
    pub view: View,
    /// Operands as [`unshade_ir::Op::Image`] has them, without an index. A store has four values in every view.
    pub operands: &'a [u32],
}

/// Where a machine reads and writes images.
pub trait Images {
    /// Does what is asked. Reads give four components, or the words of the bytes; atomic operations give the old
    /// word first. Texels that are not there read as 0, stores to them vanish.
    fn image(&mut self, access: &ImageAccess<'_>) -> [u32; 4];
}

impl Images for NoTextures {
    fn image(&mut self, _: &ImageAccess<'_>) -> [u32; 4] {
        [0; 4]
    }
}

/// An image in memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Storage {
    /// Its shape.
    pub shape: TextureShape,
    /// Width, height, and depth, layers or faces.
    pub size: [u32; 3],
    /// How a texel lies in memory.
    pub format: ImageFormat,
    /// The texels: x fastest, then y, then layer, slice or face. What is not there is 0.
    pub bytes: Vec<u8>,
}

/// What one component of a format is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Component {
    Float,
    Unorm,
    Snorm,
    Int,
    Uint,
}

/// Components of a format: what they are, and how many bits each has; the first lies lowest.
fn layout(format: ImageFormat) -> (Component, [u32; 4]) {
    let name = format.name();
    match format {
        ImageFormat::R11fG11fB10f => return (Component::Float, [11, 11, 10, 0]),
        ImageFormat::Rgb10A2 => return (Component::Unorm, [10, 10, 10, 2]),
        ImageFormat::Rgb10A2ui => return (Component::Uint, [10, 10, 10, 2]),
        _ => {}
    }
    let count = name.bytes().take_while(u8::is_ascii_alphabetic).count().min(4);
    let width = if name.contains("32") {
        32
    } else if name.contains("16") {
        16
    } else {
        8
    };
    let component = if name.ends_with("_snorm") {
        Component::Snorm
    } else if name.ends_with("ui") {
        Component::Uint
    } else if name.ends_with('i') {
        Component::Int
    } else if name.ends_with('f') {
        Component::Float
    } else {
        Component::Unorm
    };
    (component, std::array::from_fn(|n| if n < count { width } else { 0 }))
}

/// A small float without sign as a binary32: five bits of exponent, the rest fraction.
fn widen_unsigned(bits: u32, width: u32) -> u32 {
    // The same fields as a binary16, whose fraction has ten bits.
    let half = bits << (15 - width);
    convert(Width::F16, FloatMode::F32, half)
}

fn convert(from: Width, to: FloatMode, bits: u32) -> u32 {
    let ty = if from == Width::F16 { Type::B16 } else { Type::B32 };
    evaluate(&Op::FConvert(from, to), ty, &[bits.into()]).unwrap_or_default() as u32
}

const HALF: FloatMode = FloatMode { width: Width::F16, flush: false, round: Round::Nearest };

/// A component of memory as a program sees it.
fn unpack(component: Component, width: u32, bits: u32) -> u32 {
    let most = if width >= 32 { u32::MAX } else { (1 << width) - 1 };
    let signed = || ((bits << (32 - width)) as i32) >> (32 - width);
    match (component, width) {
        (Component::Uint, _) | (Component::Float, 32) => bits,
        (Component::Int, _) => signed() as u32,
        (Component::Float, 16) => convert(Width::F16, FloatMode::F32, bits),
        (Component::Float, _) => widen_unsigned(bits, width),
        (Component::Unorm, _) => ((f64::from(bits) / f64::from(most)) as f32).to_bits(),
        (Component::Snorm, _) => ((f64::from(signed()) / f64::from(most >> 1)).max(-1.0) as f32).to_bits(),
    }
}

/// A component of a program as memory holds it.
fn pack(component: Component, width: u32, bits: u32) -> u32 {
    let most = if width >= 32 { u32::MAX } else { (1 << width) - 1 };
    let value = f64::from(f32::from_bits(bits));
    match (component, width) {
        (Component::Float, 32) => bits,
        (Component::Float, 16) => convert(Width::F32, HALF, bits),
        (Component::Float, _) => {
            let positive = if bits >> 31 != 0 { 0 } else { bits };
            convert(Width::F32, FloatMode { round: Round::Zero, ..HALF }, positive) >> (15 - width)
        }
        (Component::Uint, _) => bits.min(most),
        (Component::Int, 32) => bits,
        (Component::Int, _) => {
            let half = (most >> 1) as i32;
            (bits as i32).clamp(-half - 1, half) as u32 & most
        }
        // NaN becomes 0, as the cast has it.
        (Component::Unorm, _) => (value.clamp(0.0, 1.0) * f64::from(most)).round_ties_even() as u32,
        (Component::Snorm, _) => {
            ((value.clamp(-1.0, 1.0) * f64::from(most >> 1)).round_ties_even() as i32) as u32 & most
        }
    }
}

impl Storage {
    fn texel_bytes(&self) -> u64 {
        let (_, widths) = layout(self.format);
        u64::from(widths.iter().sum::<u32>() / 8)
    }

    /// The byte where an access starts; `None` outside of the image.
    fn place(&self, coordinates: &[u32], in_bytes: bool) -> Option<usize> {
        let axes = self.shape.axes().min(2 + usize::from(self.shape == TextureShape::Volume));
        let coordinate = |n: usize| coordinates.get(n).copied().unwrap_or(0);
        let texel = self.texel_bytes();
        let width = u64::from(self.size[0]);
        let x = u64::from(coordinate(0));
        let (within, row_bytes) = (if in_bytes { x } else { x * texel }, width * texel);
        if within >= row_bytes {
            return None;
        }
        // Cubes are arrays of faces here: two axes and a face.
        let axes = if self.shape.is_cube() { 2 } else { axes };
        let (y, z) = match axes {
            1 => (0, coordinate(1)),
            2 => (coordinate(1), coordinate(2)),
            _ => (coordinate(1), coordinate(2)),
        };
        if y >= self.size[1].max(1) || z >= self.size[2].max(1) {
            return None;
        }
        let row = u64::from(z) * u64::from(self.size[1].max(1)) + u64::from(y);
        usize::try_from(row.checked_mul(row_bytes)?.checked_add(within)?).ok()
    }

    fn read(&self, at: usize, count: usize) -> [u32; 4] {
        let mut words = [0; 4];
        for n in 0..count.min(16) {
            let byte = self.bytes.get(at + n).copied().unwrap_or(0);
            if let Some(word) = words.get_mut(n / 4) {
                *word |= u32::from(byte) << (n % 4 * 8);
            }
        }
        words
    }

    fn write(&mut self, at: usize, count: usize, words: [u32; 4]) {
        for n in 0..count.min(16) {
            let byte = words.get(n / 4).map_or(0, |word| (word >> (n % 4 * 8)) as u8);
            if let Some(place) = self.bytes.get_mut(at + n) {
                *place = byte;
            }
        }
    }

    fn unpacked(&self, raw: [u32; 4]) -> [u32; 4] {
        let (component, widths) = layout(self.format);
        let one = match component {
            Component::Int | Component::Uint => 1,
            _ => 1.0_f32.to_bits(),
        };
        let whole = raw.iter().rev().fold(0_u128, |all, word| all << 32 | u128::from(*word));
        let mut at = 0;
        let mut texel = [0, 0, 0, one];
        for (place, width) in texel.iter_mut().zip(widths) {
            if width > 0 {
                let mask = (1_u128 << width) - 1;
                *place = unpack(component, width, (whole >> at & mask) as u32);
                at += width;
            }
        }
        texel
    }

    fn packed(&self, texel: [u32; 4]) -> [u32; 4] {
        let (component, widths) = layout(self.format);
        let (mut at, mut whole) = (0, 0_u128);
        for (bits, width) in texel.into_iter().zip(widths) {
            if width > 0 {
                whole |= u128::from(pack(component, width, bits)) << at;
                at += width;
            }
        }
        std::array::from_fn(|n| (whole >> (32 * n)) as u32)
    }

    /// Size in texels, and one level.
    fn size_of(&self) -> [u32; 4] {
        [self.size[0], self.size[1], self.size[2], 1]
    }

    /// Does what is asked.
    pub fn access(&mut self, access: &ImageAccess<'_>) -> [u32; 4] {
        let image = access.image;
        if image.query == ImageQuery::Size {
            let mut size = self.size;
            size[usize::from(image.size_components()).min(3)..].fill(0);
            return [size[0], size[1], size[2], 0];
        }
        let (coordinates, values) = access.operands.split_at(image.coordinates().min(access.operands.len()));
        let Some(at) = self.place(coordinates, matches!(access.view, View::Bytes(_))) else { return [0; 4] };
        let texel = self.texel_bytes() as usize;
        let count = match access.view {
            View::Formatted => texel,
            View::Texels(bytes) | View::Bytes(bytes) => bytes as usize,
        };
        let formatted = access.view == View::Formatted;
        let values: [u32; 4] = std::array::from_fn(|n| values.get(n).copied().unwrap_or(0));
        match image.query {
            ImageQuery::Load if formatted => self.unpacked(self.read(at, count)),
            ImageQuery::Load => self.read(at, count),
            ImageQuery::Store => {
                let words = if formatted { self.packed(values) } else { values };
                self.write(at, count, words);
                [0; 4]
            }
            ImageQuery::Atomic(op) => {
                let old = self.read(at, 4)[0];
                let operands = op.operands().min(4);
                self.write(at, 4, [AtomicOp::apply(op, old, &values[..operands]), 0, 0, 0]);
                [old, 0, 0, 0]
            }
            ImageQuery::Size => [0; 4],
        }
    }
}

/// Textures and images by their units.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Pictures {
    /// What is sampled; copies share it.
    pub textures: Arc<Bank>,
    /// What is read and written.
    pub images: BTreeMap<u32, Storage>,
}

impl Textures for Pictures {
    fn fetch(&mut self, fetch: &Fetch) -> [[f32; 4]; 4] {
        (&*self.textures).fetch(fetch)
    }

    fn query(&mut self, query: &Query<'_>) -> [[u32; 4]; 4] {
        // Machines whose handles are of both kinds ask images for their size like textures.
        match self.images.get(&query.texture.unit) {
            Some(image) if query.texture.query == TextureQuery::Size => [image.size_of(); 4],
            _ => (&*self.textures).query(query),
        }
    }

    fn shape(&mut self, unit: u32) -> Option<TextureShape> {
        (&*self.textures).shape(unit).or_else(|| self.images.get(&unit).map(|image| image.shape))
    }
}

impl Images for Pictures {
    fn image(&mut self, access: &ImageAccess<'_>) -> [u32; 4] {
        self.images.get_mut(&access.image.unit).map_or([0; 4], |image| image.access(access))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn image(format: ImageFormat) -> Storage {
        Storage { shape: TextureShape::Plane, size: [4, 4, 1], format, bytes: vec![0; 4 * 4 * 16] }
    }

    fn ask(image: &mut Storage, query: ImageQuery, view: View, operands: &[u32]) -> [u32; 4] {
        let shape = image.shape;
        image.access(&ImageAccess { image: Image { unit: 0, indexed: false, shape, query }, view, operands })
    }

    #[test]
    fn every_format_keeps_what_it_can_hold() {
        for format in ImageFormat::ALL {
            let mut image = image(format);
            let (component, widths) = layout(format);
            let values = match component {
                Component::Int | Component::Uint => [1, 2, 3, 1],
                Component::Snorm => [1.0, -1.0, 0.0, 1.0].map(f32::to_bits),
                _ => [1.0_f32, 0.0, 1.0, 1.0].map(f32::to_bits),
            };
            let mut operands = vec![2, 3];
            operands.extend(values);
            ask(&mut image, ImageQuery::Store, View::Formatted, &operands);
            let got = ask(&mut image, ImageQuery::Load, View::Formatted, &[2, 3]);
            for n in 0..4 {
                if widths[n] > 0 {
                    assert_eq!(got[n], values[n], "{} {n}", format.name());
                }
            }
        }
    }

    #[test]
    fn bits_and_places() {
        let mut image = image(ImageFormat::Rgba8);
        let texel = [2, 1].into_iter().chain([0.0, 1.0, 0.5, 1.0].map(f32::to_bits)).collect::<Vec<_>>();
        ask(&mut image, ImageQuery::Store, View::Formatted, &texel);
        assert_eq!(ask(&mut image, ImageQuery::Load, View::Texels(4), &[2, 1])[0], 0xff80_ff00);
        assert_eq!(ask(&mut image, ImageQuery::Load, View::Bytes(2), &[9, 1])[0], 0x80ff);
        assert_eq!(ask(&mut image, ImageQuery::Load, View::Texels(4), &[4, 1]), [0; 4]);
        assert_eq!(ask(&mut image, ImageQuery::Size, View::Formatted, &[]), [4, 4, 0, 0]);
        let add = ImageQuery::Atomic(AtomicOp::Add);
        assert_eq!(ask(&mut image, add, View::Formatted, &[2, 1, 1])[0], 0xff80_ff00);
        assert_eq!(ask(&mut image, ImageQuery::Load, View::Texels(4), &[2, 1])[0], 0xff80_ff01);
    }
}
