//! Images whose bits readable mode takes for texels of a format: the machine gets the bits, and the source the
//! components that lie in them.

use std::collections::BTreeMap;
use unshade_ir::exec::{Environment, Memory};
use unshade_ir::{Barrier, Global, Image, ImageFormat, ImageQuery, Shape, Space, TextureShape};
use unshade_isa::maxwell::address_map::image_of;
use unshade_isa::texture::{ImageAccess, Storage, View};

/// Formats of images that the machine reads as bits, by unit.
pub(super) type Formats = BTreeMap<u32, ImageFormat>;

/// What a program of the Switch's declares its images as, those that the machine reads as bits.
pub(super) fn formats(globals: &[Global]) -> Formats {
    let images = globals.iter().filter(|global| global.space == Space::Image);
    let formats = images.filter_map(|global| match global.shape {
        Shape::Image { format: Some(format), .. } if image_of(global.offset).1.is_some() => {
            Some((global.offset, format))
        }
        _ => None,
    });
    formats.collect()
}

/// Memory whose images have formats.
pub(super) struct Formatted<'m> {
    pub(super) memory: &'m mut Memory,
    pub(super) formats: &'m Formats,
}

/// Components that lie in the bits of a texel.
fn decoded(format: ImageFormat, words: [u32; 4]) -> [u32; 4] {
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    let name = format.name();
    if name.ends_with("_snorm") {
        // As the machine's code multiplies them: the lowest number is a little below -1, which readable mode assumes
        // does not come.
        let wide = name.contains("16");
        return std::array::from_fn(|n| {
            let field = match wide {
                true => i32::from(i16::from_le_bytes([bytes[2 * n], bytes[2 * n + 1]])),
                false => i32::from(bytes[n] as i8),
            };
            let most = if wide { 32767.0 } else { 127.0 };
            ((f64::from(field) / most) as f32).to_bits()
        });
    }
    let shape = TextureShape::Line;
    let mut texel = Storage { shape, size: [1; 3], format, bytes };
    let image = Image { unit: 0, indexed: false, shape, query: ImageQuery::Load };
    texel.access(&ImageAccess { image, view: View::Formatted, operands: &[0] })
}

impl Environment for Formatted<'_> {
    fn load(&mut self, space: Space, binding: u32, word: u32) -> u32 {
        self.memory.load(space, binding, word)
    }

    fn store(&mut self, space: Space, binding: u32, word: u32, value: u32) {
        self.memory.store(space, binding, word, value);
    }

    fn emit_vertex(&mut self, stream: u32) -> u64 {
        self.memory.emit_vertex(stream)
    }

    fn end_primitive(&mut self, stream: u32) -> u64 {
        self.memory.end_primitive(stream)
    }

    fn buffer_size(&mut self, binding: u32) -> u32 {
        self.memory.buffer_size(binding)
    }

    fn global_load(&mut self, address: u64) -> u32 {
        self.memory.global_load(address)
    }

    fn global_store(&mut self, address: u64, value: u32) {
        self.memory.global_store(address, value);
    }

    fn image(&mut self, image: Image, unit: u32, operands: &[u32]) -> [u32; 4] {
        let Some(format) = self.formats.get(&unit) else {
            return self.memory.image(image, unit, operands);
        };
        match image.query {
            ImageQuery::Load => decoded(*format, self.memory.image(image, unit, operands)),
            // The machine stores through the format and asks for the size without looking at bits.
            ImageQuery::Store | ImageQuery::Size => {
                let unit = image_of(unit).0;
                self.memory.image(Image { unit, ..image }, unit, operands)
            }
            ImageQuery::Atomic(_) => self.memory.image(image, unit, operands),
        }
    }

    fn barrier(&mut self, barrier: Barrier) {
        self.memory.barrier(barrier);
    }
}
