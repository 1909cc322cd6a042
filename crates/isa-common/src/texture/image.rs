//! Textures whose texels are given, of every shape, with the state of their sampler.

use super::{Fetch, Filter, Query, face, face_change, neighbours, on_face};
use unshade_ir::{CompareFloat, Texel, Texture, TextureLevel, TextureQuery, TextureShape, math};

/// What lies beside a texture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Wrap {
    /// It again.
    #[default]
    Repeat,
    /// It again, every second time mirrored.
    Mirror,
    /// Its edge.
    Edge,
    /// It mirrored once, then its edge.
    MirrorOnce,
    /// The colour of the border.
    Border,
}

/// How a texture is sampled.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sampler {
    /// Filter where texels are smaller than pixels.
    pub min: Filter,
    /// Filter where they are larger.
    pub mag: Filter,
    /// Filter between levels; without one only level 0 is there.
    pub mip: Option<Filter>,
    /// What lies beside the texture, along each axis.
    pub wrap: [Wrap; 3],
    /// When a comparison passes: `reference cc texel`.
    pub compare: CompareFloat,
    /// Colour of the border, as bits.
    pub border: [u32; 4],
    /// Added to the level of detail.
    pub bias: f32,
    /// Filters of cubes mix texels of neighbouring faces; else a face ends at its edge.
    pub seamless: bool,
}

impl Default for Sampler {
    fn default() -> Self {
        Self {
            min: Filter::Nearest,
            mag: Filter::Nearest,
            mip: None,
            wrap: [Wrap::Repeat; 3],
            compare: CompareFloat::Le,
            border: [0; 4],
            bias: 0.0,
            seamless: false,
        }
    }
}

/// A texture with its texels.
#[derive(Debug, Clone, PartialEq)]
pub struct Image {
    /// Its shape.
    pub shape: TextureShape,
    /// Width, height, and depth or number of layers (of cubes: of cubes) of level 0. Each further level has half of
    /// what is no number of layers, at least 1.
    pub size: [u32; 3],
    /// What the components of a texel are. Integers are never filtered.
    pub texel: Texel,
    /// Texels of each level as bits: x fastest, then y, then layer, slice or face (+x -x +y -y +z -z). Those that are
    /// not there are 0. Of shapes with samples each entry holds the texels of one sample.
    pub levels: Vec<Vec<[u32; 4]>>,
    /// How it is sampled.
    pub sampler: Sampler,
}

/// A place in an image: coordinates in texels along each axis, and the layer or face.
#[derive(Debug, Clone, Copy)]
struct Place {
    axes: [f32; 3],
    count: usize,
    layer: i64,
}

impl Image {
    /// Answers for one pixel of a quad. A query for another shape gives 0.
    pub fn query(&self, query: &Query<'_>, pixel: usize) -> [u32; 4] {
        let texture = query.texture;
        let operands = query.operands[pixel & 3];
        match texture.query {
            TextureQuery::Samples if self.shape.has_samples() => [self.levels.len() as u32, 0, 0, 0],
            TextureQuery::Samples => [1, 0, 0, 0],
            TextureQuery::Size => self.size_of(operands.first().copied().unwrap_or(0)),
            _ if texture.shape != self.shape => [0; 4],
            TextureQuery::Texel => self.texel_at(texture, operands),
            TextureQuery::Level => {
                let lod = self.level_of_detail(query, pixel);
                let most = self.levels.len().saturating_sub(1) as f32;
                // As ARB_texture_query_lod has it: the level that would be taken, of no filter between levels whole.
                let clamped = match self.sampler.mip {
                    Some(Filter::Linear) if lod > 0.0 => lod.min(most),
                    Some(Filter::Nearest) if lod > 0.5 => ((lod + 0.5).ceil() - 1.0).min(most),
                    _ => 0.0,
                };
                [clamped.to_bits(), lod.to_bits(), 0, 0]
            }
            TextureQuery::Gather(component) => self.gather(query, pixel, component),
            TextureQuery::Sample => self.sample(query, pixel),
        }
    }

    /// Fetches for one pixel of a quad.
    pub fn fetch(&self, fetch: &Fetch, pixel: usize) -> [f32; 4] {
        let count = if fetch.shape == TextureShape::Cube { 3 } else { 2 };
        let given = usize::from(fetch.level != TextureLevel::Quad);
        let words = [0, 1, 2, 3].map(|pixel: usize| {
            let mut words = [0; 4];
            for (word, part) in words.iter_mut().zip(fetch.coordinates[pixel]).take(count) {
                *word = part.to_bits();
            }
            words[count] = fetch.levels[pixel].to_bits();
            words
        });
        let texture = Texture::sample(fetch.units[pixel & 3], fetch.shape, fetch.level);
        let operands = words.each_ref().map(|words| &words[..count + given]);
        let query = Query { texture, operands, faces: None, wanted: fetch.wanted };
        self.query(&query, pixel).map(f32::from_bits)
    }

    /// Axes of a picture: those that become smaller from level to level.
    fn axes(&self) -> usize {
        if self.shape.is_cube() { 2 } else { self.shape.axes() }
    }

    fn extent(&self, level: usize) -> [u32; 3] {
        let mut extent = [1; 3];
        let level = if self.shape.has_samples() { 0 } else { level as u32 };
        for (side, size) in extent.iter_mut().zip(self.size).take(self.axes()) {
            *side = size.checked_shr(level).unwrap_or(0).max(1);
        }
        extent
    }

    /// Layers or faces.
    fn layers(&self) -> u32 {
        match self.shape {
            TextureShape::Cube => 6,
            TextureShape::CubeArray => self.size[2].max(1).saturating_mul(6),
            shape if shape.is_array() => self.size[2].max(1),
            _ => 1,
        }
    }

    /// Of a level that is not there, only the number of levels is known: the console's answer, where GLSL defines none.
    fn size_of(&self, level: u32) -> [u32; 4] {
        if !self.shape.has_samples() && level as usize >= self.levels.len() {
            return [0, 0, 0, self.levels.len() as u32];
        }
        let extent = self.extent(level as usize);
        let mut size = [0; 4];
        let axes = self.axes();
        size[..axes].copy_from_slice(&extent[..axes]);
        if self.shape.is_array() {
            size[axes] = self.size[2].max(1);
        }
        size[3] = if self.shape.has_samples() { 1 } else { self.levels.len() as u32 };
        size
    }

    fn bits(&self, level: usize, [x, y, z]: [u32; 3], layer: u32) -> [u32; 4] {
        let [width, height, depth] = self.extent(level).map(u64::from);
        let row = (u64::from(layer) * depth + u64::from(z)) * height + u64::from(y);
        let at = usize::try_from(row * width + u64::from(x)).ok();
        let texels = self.levels.get(level);
        at.and_then(|at| texels?.get(at)).copied().unwrap_or_default()
    }

    /// A texel by integer coordinates that may lie outside.
    fn inside(&self, level: usize, place: [i64; 3], layer: i64) -> Option<[u32; 4]> {
        let extent = self.extent(level);
        let mut at = [0; 3];
        for (n, at) in at.iter_mut().enumerate() {
            *at = u32::try_from(place[n]).ok().filter(|&texel| texel < extent[n])?;
        }
        let layer = u32::try_from(layer).ok().filter(|&layer| layer < self.layers())?;
        Some(self.bits(level, at, layer))
    }

    /// The texel at integer coordinates; 0 outside.
    fn texel_at(&self, texture: Texture, operands: &[u32]) -> [u32; 4] {
        let coordinate = |n: usize| i64::from(operands.get(n).copied().unwrap_or(0) as i32);
        let count = texture.coordinates();
        let axes = self.axes().min(count);
        let mut place = [0; 3];
        for (n, place) in place.iter_mut().enumerate().take(axes) {
            *place = coordinate(n) + i64::from(texture.offset[n]);
        }
        let layer = if axes < count { coordinate(axes) } else { 0 };
        let level = match texture.level {
            _ if texture.has_sample_operand() => usize::try_from(coordinate(count)).unwrap_or(usize::MAX),
            TextureLevel::Given => usize::try_from(coordinate(count)).unwrap_or(usize::MAX),
            _ => 0,
        };
        if level >= self.levels.len() {
            return [0; 4];
        }
        self.inside(level, place, layer).unwrap_or_default()
    }

    /// Where the coordinates of a pixel lead.
    fn place(&self, query: &Query<'_>, pixel: usize) -> Place {
        let operands = query.operands[pixel & 3];
        let coordinate = |n: usize| f32::from_bits(operands.get(n).copied().unwrap_or(0));
        if self.shape.is_cube() {
            let own = [coordinate(0), coordinate(1), coordinate(2)];
            let (face, [s, t]) = match query.faces {
                Some(faces) => {
                    let [x, y, number] = faces[pixel & 3];
                    (math::to_int(number.round()).clamp(0, 5) as u32, [x - 1.0, y - 1.0])
                }
                None => (face(own), on_face(face(own), own)),
            };
            let cube = if self.shape == TextureShape::CubeArray { self.layer(coordinate(3)) } else { 0 };
            return Place { axes: [s, t, 0.0], count: 2, layer: cube * 6 + i64::from(face) };
        }
        let count = self.axes();
        let layer = if self.shape.is_array() { self.layer(coordinate(count)) } else { 0 };
        let mut axes = [coordinate(0), coordinate(1), coordinate(2)];
        axes[count..].fill(0.0);
        Place { axes, count, layer }
    }

    fn layer(&self, coordinate: f32) -> i64 {
        let most = i64::from(self.size[2].max(1)) - 1;
        (f64::from(coordinate).round_ties_even() as i64).clamp(0, most)
    }

    /// Texels across one unit of a coordinate.
    fn scale(&self, level: usize) -> [f32; 3] {
        if self.shape == TextureShape::Rectangle {
            [1.0; 3]
        } else {
            self.extent(level).map(|side| side as f32)
        }
    }

    /// The level of detail of a pixel: given, or the logarithm of how many texels lie between pixels.
    fn level_of_detail(&self, query: &Query<'_>, pixel: usize) -> f32 {
        let texture = query.texture;
        let pixel = pixel & 3;
        let operands = query.operands[pixel];
        let behind = texture.coordinates() + usize::from(texture.shadow);
        let operand = |n: usize| f32::from_bits(operands.get(behind + n).copied().unwrap_or(0));
        let level = match texture.level {
            TextureLevel::Given => return operand(0),
            TextureLevel::Gradients => {
                let axes = texture.shape.axes();
                let gradient =
                    |first: usize| std::array::from_fn(|n| if n < axes { operand(first + n) } else { 0.0 });
                self.logarithm(operands, gradient(0), gradient(axes))
            }
            TextureLevel::Quad | TextureLevel::Bias => {
                let coordinate =
                    |lane: usize, n: usize| f32::from_bits(query.operands[lane].get(n).copied().unwrap_or(0));
                let axes = texture.shape.axes();
                let change =
                    |high: usize, low: usize| {
                        std::array::from_fn(|n| {
                            if n < axes { coordinate(high, n) - coordinate(low, n) } else { 0.0 }
                        })
                    };
                let [across, up] = neighbours(self.shape, pixel);
                let level = self.logarithm(operands, change(across.0, across.1), change(up.0, up.1));
                if texture.level == TextureLevel::Bias { level + operand(0) } else { level }
            }
        };
        level + self.sampler.bias
    }

    fn logarithm(&self, operands: &[u32], right: [f32; 3], up: [f32; 3]) -> f32 {
        let scale = self.scale(0);
        let length = |mut change: [f32; 3]| {
            if self.shape.is_cube() {
                let own = std::array::from_fn(|n| f32::from_bits(operands.get(n).copied().unwrap_or(0)));
                let [s, t] = face_change(face(own), own, change);
                change = [s, t, 0.0];
            }
            change.iter().zip(scale).map(|(change, scale)| (change * scale) * (change * scale)).sum::<f32>()
        };
        let (right, up) = (length(right), length(up));
        math::log2(if right > up { right } else { up }) / 2.0
    }

    /// A texel beside which there may be nothing: what the sampler says lies there.
    fn wrapped(&self, level: usize, place: [i64; 3], layer: i64) -> [u32; 4] {
        let extent = self.extent(level);
        let mut at = [0; 3];
        for n in 0..self.axes() {
            let size = i64::from(extent[n]);
            let texel = place[n];
            let wrap = if self.shape.is_cube() { Wrap::Edge } else { self.sampler.wrap[n] };
            at[n] = match wrap {
                Wrap::Repeat => texel.rem_euclid(size),
                Wrap::Edge => texel.clamp(0, size - 1),
                Wrap::Mirror => {
                    let twice = texel.rem_euclid(2 * size);
                    if twice < size { twice } else { 2 * size - 1 - twice }
                }
                Wrap::MirrorOnce => (if texel < 0 { -1 - texel } else { texel }).clamp(0, size - 1),
                Wrap::Border if (0..size).contains(&texel) => texel,
                Wrap::Border => return self.sampler.border,
            };
        }
        self.inside(level, at, layer).unwrap_or_default()
    }

    /// A texel beside a face: the one of the neighbouring face that lies there.
    fn beside(&self, level: usize, place: [i64; 3], layer: i64) -> [u32; 4] {
        let size = f64::from(self.extent(level)[0]);
        let [s, t] = [place[0], place[1]].map(|at| (2.0 * (at as f64 + 0.5) / size - 1.0) as f32);
        let direction = direction(layer.rem_euclid(6) as u32, s, t);
        let other = face(direction);
        let at = on_face(other, direction).map(|c| ((f64::from(c) * size) as i64).clamp(0, size as i64 - 1));
        let layer = layer - layer.rem_euclid(6) + i64::from(other);
        self.inside(level, [at[0], at[1], 0], layer).unwrap_or_default()
    }

    /// One colour: a texel's, or the result of comparing it.
    fn color(&self, level: usize, place: [i64; 3], layer: i64, reference: Option<f32>) -> [u32; 4] {
        if self.shape.is_cube() && self.sampler.seamless {
            let size = i64::from(self.extent(level)[0]);
            let inside = [place[0], place[1]].map(|at| (0..size).contains(&at));
            if inside == [false; 2] {
                // At a corner three faces meet: the mean of the three texels that are there.
                let [x, y] = [place[0], place[1]].map(|at| at.clamp(0, size - 1));
                let three = [[x, y, 0], [place[0], y, 0], [x, place[1], 0]];
                let three = three.map(|at| self.color(level, at, layer, reference).map(f32::from_bits));
                return std::array::from_fn(|n| ((three[0][n] + three[1][n] + three[2][n]) / 3.0).to_bits());
            }
            if inside != [true; 2] {
                return compared(&self.sampler, self.beside(level, place, layer), reference);
            }
        }
        compared(&self.sampler, self.wrapped(level, place, layer), reference)
    }

    fn reference(&self, query: &Query<'_>, pixel: usize) -> Option<f32> {
        let at = query.texture.coordinates();
        let operand = query.operands[pixel & 3].get(at).copied().unwrap_or(0);
        query.texture.shadow.then_some(f32::from_bits(operand))
    }

    fn sample(&self, query: &Query<'_>, pixel: usize) -> [u32; 4] {
        let place = self.place(query, pixel);
        let reference = self.reference(query, pixel);
        let lod = self.level_of_detail(query, pixel);
        let filter = if lod > 0.0 { self.sampler.min } else { self.sampler.mag };
        let most = self.levels.len().saturating_sub(1);
        let at = |level: usize| self.filtered(query.texture, filter, level.min(most), place, reference);
        match self.sampler.mip {
            // NaN and everything below gives level 0.
            Some(Filter::Nearest) if lod >= 0.5 => at((lod + 0.5).floor().min(most as f32) as usize),
            Some(Filter::Linear) if lod > 0.0 && self.texel == Texel::Float => {
                let lower = lod.floor().min(most as f32) as usize;
                mix(at(lower), at(lower + 1), lod - lod.floor())
            }
            _ => at(0),
        }
    }

    fn filtered(
        &self,
        texture: Texture,
        filter: Filter,
        level: usize,
        place: Place,
        reference: Option<f32>,
    ) -> [u32; 4] {
        let scale = self.scale(level);
        let offset = |n: usize| if self.shape.is_cube() { 0 } else { i64::from(texture.offset[n]) };
        let nearest = filter == Filter::Nearest || self.texel != Texel::Float;
        let mut corner = [0_i64; 3];
        let mut weights = [0.0; 3];
        for n in 0..place.count {
            let scaled = place.axes[n] * scale[n] - if nearest { 0.0 } else { 0.5 };
            let floor = scaled.floor();
            weights[n] = scaled - floor;
            corner[n] = (floor as i64).saturating_add(offset(n));
        }
        if nearest {
            // Only filters look over the edge of a face.
            if self.shape.is_cube() {
                let last = i64::from(self.extent(level)[0]) - 1;
                corner = [corner[0].clamp(0, last), corner[1].clamp(0, last), 0];
            }
            return self.color(level, corner, place.layer, reference);
        }
        let mut texels: Vec<[u32; 4]> = (0..1_usize << place.count)
            .map(|corners| {
                let at = std::array::from_fn(|n| corner[n].saturating_add((corners >> n & 1) as i64));
                self.color(level, at, place.layer, reference)
            })
            .collect();
        for weight in weights.into_iter().take(place.count) {
            texels = texels.chunks(2).map(|pair| mix(pair[0], pair[pair.len() - 1], weight)).collect();
        }
        texels.first().copied().unwrap_or_default()
    }

    /// The texels (0, 1), (1, 1), (1, 0), (0, 0) of the four around a place.
    fn gather(&self, query: &Query<'_>, pixel: usize, component: u8) -> [u32; 4] {
        let place = self.place(query, pixel);
        let reference = self.reference(query, pixel);
        let scale = self.scale(0);
        let corner: [i64; 3] = std::array::from_fn(|n| {
            if n >= place.count {
                return 0;
            }
            ((place.axes[n] * scale[n] - 0.5).floor() as i64)
                .saturating_add(i64::from(query.texture.offset[n]))
        });
        [[0, 1], [1, 1], [1, 0], [0, 0]].map(|[x, y]| {
            let at = [corner[0].saturating_add(x), corner[1].saturating_add(y), corner[2]];
            self.color(0, at, place.layer, reference)[usize::from(component & 3)]
        })
    }
}

/// A texel, or the result of comparing it.
fn compared(sampler: &Sampler, texel: [u32; 4], reference: Option<f32>) -> [u32; 4] {
    let Some(reference) = reference else { return texel };
    let stored = f32::from_bits(texel[0]);
    let passes = match sampler.compare {
        CompareFloat::Eq => reference == stored,
        CompareFloat::Ne => reference != stored,
        CompareFloat::Lt => reference < stored,
        CompareFloat::Le => reference <= stored,
        CompareFloat::Gt => reference > stored,
        CompareFloat::Ge => reference >= stored,
    };
    [if passes { 1.0_f32.to_bits() } else { 0 }; 4]
}

/// The direction of a place on a face (-1 to 1), which may lie beside it: what [`super::turned`] undoes.
fn direction(face: u32, s: f32, t: f32) -> [f32; 3] {
    match face {
        0 => [1.0, -t, -s],
        1 => [-1.0, -t, s],
        2 => [s, 1.0, t],
        3 => [s, -1.0, -t],
        4 => [s, -t, 1.0],
        _ => [-s, -t, -1.0],
    }
}

fn mix(a: [u32; 4], b: [u32; 4], weight: f32) -> [u32; 4] {
    std::array::from_fn(|n| {
        let (a, b) = (f32::from_bits(a[n]), f32::from_bits(b[n]));
        (a + (b - a) * weight).to_bits()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An image whose texels are their own position: x, y, layer or slice, level.
    fn image(shape: TextureShape, size: [u32; 3], levels: usize) -> Image {
        let mut image =
            Image { shape, size, texel: Texel::Float, levels: vec![], sampler: Sampler::default() };
        for level in 0..levels {
            let [width, height, depth] = image.extent(level);
            let mut texels = Vec::new();
            for z in 0..depth * image.layers() {
                for y in 0..height {
                    texels.extend((0..width).map(|x| [x, y, z, level as u32].map(|n| (n as f32).to_bits())));
                }
            }
            image.levels.push(texels);
        }
        image
    }

    fn ask(image: &Image, texture: Texture, operands: &[f32]) -> [f32; 4] {
        let bits: Vec<u32> = operands.iter().map(|value| value.to_bits()).collect();
        let query = Query { texture, operands: [&bits; 4], faces: None, wanted: [true; 4] };
        image.query(&query, 0).map(f32::from_bits)
    }

    fn sample(shape: TextureShape) -> Texture {
        Texture::sample(0, shape, TextureLevel::Quad)
    }

    #[test]
    fn every_shape_finds_its_texel() {
        use TextureShape as S;
        let find = |shape, size, operands: &[f32]| ask(&image(shape, size, 1), sample(shape), operands);
        assert_eq!(find(S::Line, [8, 1, 1], &[0.4])[..3], [3.0, 0.0, 0.0]);
        assert_eq!(find(S::Plane, [8, 4, 1], &[1.4, -0.3])[..3], [3.0, 2.0, 0.0]);
        assert_eq!(find(S::Volume, [4, 4, 2], &[0.3, 0.6, 0.9])[..3], [1.0, 2.0, 1.0]);
        assert_eq!(find(S::LineArray, [8, 1, 3], &[0.4, 1.5])[..3], [3.0, 0.0, 2.0]);
        assert_eq!(find(S::PlaneArray, [4, 4, 3], &[0.3, 0.6, 9.0])[..3], [1.0, 2.0, 2.0]);
        assert_eq!(find(S::Rectangle, [4, 4, 1], &[2.5, 1.5])[..3], [2.0, 1.0, 0.0]);
        assert_eq!(find(S::Cube, [4, 4, 1], &[0.0, 1.0, 0.1])[..3], [2.0, 2.0, 2.0]);
        assert_eq!(find(S::CubeArray, [4, 4, 2], &[0.0, 1.0, 0.1, 1.0])[..3], [2.0, 2.0, 8.0]);
        // Another shape than the texture's.
        assert_eq!(ask(&image(S::Plane, [4, 4, 1], 1), sample(S::Line), &[0.9]), [0.0; 4]);
    }

    #[test]
    fn the_nearest_texel_of_a_cube_is_on_its_face() {
        let mut cube = image(TextureShape::Cube, [4, 4, 1], 1);
        cube.sampler.seamless = true;
        // On the edge of +z towards +x: the place is 1, and the last texel counts.
        assert_eq!(ask(&cube, sample(TextureShape::Cube), &[1.0, 0.5, 1.0])[..3], [3.0, 1.0, 4.0]);
        cube.sampler.mag = Filter::Linear;
        cube.sampler.min = Filter::Linear;
        // A filter mixes it with the first of the next face, whose place is 0.
        assert_eq!(ask(&cube, sample(TextureShape::Cube), &[1.0, 0.25, 1.0])[..3], [1.5, 1.0, 2.0]);
    }

    #[test]
    fn a_chosen_face_is_kept() {
        let image = image(TextureShape::Cube, [4, 4, 1], 1);
        let bits = [1.0_f32, 1.0, 0.0].map(f32::to_bits);
        let faces = Some([[1.3, 1.99, 3.0]; 4]);
        let query =
            Query { texture: sample(TextureShape::Cube), operands: [&bits; 4], faces, wanted: [true; 4] };
        assert_eq!(image.query(&query, 0).map(f32::from_bits)[..3], [1.0, 3.0, 3.0]);
    }

    #[test]
    fn levels_and_filters() {
        let mut plane = image(TextureShape::Plane, [8, 8, 1], 3);
        plane.sampler.mip = Some(Filter::Nearest);
        let given = Texture::sample(0, TextureShape::Plane, TextureLevel::Given);
        assert_eq!(ask(&plane, given, &[0.9, 0.9, 0.6]), [3.0, 3.0, 0.0, 1.0]);
        assert_eq!(ask(&plane, given, &[0.9, 0.9, 9.0])[3], 2.0);
        plane.sampler.mip = Some(Filter::Linear);
        assert_eq!(ask(&plane, given, &[0.9, 0.9, 1.25])[3], 1.25);
        let gradients = Texture::sample(0, TextureShape::Plane, TextureLevel::Gradients);
        // Four texels to the right: level 2.
        assert_eq!(ask(&plane, gradients, &[0.1, 0.1, 0.5, 0.0, 0.0, 0.1])[3], 2.0);
        plane.sampler.mag = Filter::Linear;
        assert_eq!(ask(&plane, given, &[2.25 / 8.0, 0.5 / 8.0, 0.0])[..2], [1.75, 0.0]);
        let offset = Texture { offset: [1, -1, 0], ..sample(TextureShape::Plane) };
        assert_eq!(ask(&plane, offset, &[0.5 / 8.0, 2.5 / 8.0])[..2], [1.0, 1.0]);
    }

    #[test]
    fn what_lies_beside() {
        let mut line = image(TextureShape::Line, [4, 1, 1], 1);
        line.sampler.border = [7.0_f32.to_bits(); 4];
        let mut at = |wrap, texel: f32| {
            line.sampler.wrap = [wrap; 3];
            ask(&line, sample(TextureShape::Line), &[(texel + 0.5) / 4.0])[0]
        };
        assert_eq!([-1.0, 4.0, 9.0].map(|texel| at(Wrap::Repeat, texel)), [3.0, 0.0, 1.0]);
        assert_eq!([-1.0, 4.0, 9.0].map(|texel| at(Wrap::Mirror, texel)), [0.0, 3.0, 1.0]);
        assert_eq!([-2.0, 4.0, 9.0].map(|texel| at(Wrap::Edge, texel)), [0.0, 3.0, 3.0]);
        assert_eq!([-2.0, -9.0, 9.0].map(|texel| at(Wrap::MirrorOnce, texel)), [1.0, 3.0, 3.0]);
        assert_eq!([-1.0, 2.0, 4.0].map(|texel| at(Wrap::Border, texel)), [7.0, 2.0, 7.0]);
    }

    #[test]
    fn other_questions() {
        let plane = image(TextureShape::PlaneArray, [8, 4, 3], 2);
        let about = |query| Texture { query, ..sample(TextureShape::PlaneArray) };
        let bits = [1_u32, 2, 1, 0];
        let ask = |texture| {
            let query = Query { texture, operands: [&bits; 4], faces: None, wanted: [true; 4] };
            plane.query(&query, 0)
        };
        let given = |query| Texture { level: TextureLevel::Given, ..about(query) };
        assert_eq!(ask(given(TextureQuery::Size)), [4, 2, 3, 2]);
        // Of a level that is not there only the number of levels is known.
        let level = |bits: u32| {
            let texture = given(TextureQuery::Size);
            let bits = [bits];
            plane.query(&Query { texture, operands: [&bits; 4], faces: None, wanted: [true; 4] }, 0)
        };
        assert_eq!([0, 2, u32::MAX].map(level), [[8, 4, 3, 2], [0, 0, 0, 2], [0, 0, 0, 2]]);
        assert_eq!(ask(about(TextureQuery::Samples)), [1, 0, 0, 0]);
        let texel = ask(given(TextureQuery::Texel)).map(f32::from_bits);
        assert_eq!(texel, [1.0, 2.0, 1.0, 0.0]);
        let outside = Texture { offset: [7, 0, 0], ..given(TextureQuery::Texel) };
        assert_eq!(ask(outside), [0; 4]);
        let bits = [0.25_f32, 0.5, 1.0].map(f32::to_bits);
        let texture = about(TextureQuery::Gather(0));
        let query = Query { texture, operands: [&bits; 4], faces: None, wanted: [true; 4] };
        assert_eq!(plane.query(&query, 0).map(f32::from_bits), [1.0, 2.0, 2.0, 1.0]);
    }

    #[test]
    fn comparisons_are_filtered() {
        let mut line = image(TextureShape::Line, [4, 1, 1], 1);
        let shadow = Texture { shadow: true, ..sample(TextureShape::Line) };
        assert_eq!(ask(&line, shadow, &[0.6, 2.0]), [1.0; 4]);
        assert_eq!(ask(&line, shadow, &[0.6, 2.5]), [0.0; 4]);
        line.sampler.mag = Filter::Linear;
        assert_eq!(ask(&line, shadow, &[0.5, 1.5]), [0.5; 4]);
    }
}
