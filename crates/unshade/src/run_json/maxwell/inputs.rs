//! What is there before a run.

use super::super::textures;
use super::super::words::{self, object, text};
use super::super::{Case, Document, RunJsonError};
use crate::run_json::document::small_number;
use crate::verify::Inputs;
use serde_json::{Map, Value};
use std::sync::Arc;
use unshade_ir::{ImageFormat, Space, TextureShape};
use unshade_isa::maxwell::address_map::{ATTRIBUTE_BINDING, bank_of};
use unshade_isa::maxwell::exec::{Lane, Resources, special_number};
use unshade_isa::texture::{Bound, Pictures, Storage, texel_byte};
use unshade_stage::Stage;

/// What a case may set.
const SPACES: [&str; 8] = ["a", "corners", "av", "p", "c", "g", "sr", "sys"];
/// Attributes of four words that there are.
const ATTRIBUTES: usize = 64;
/// Vertices that a primitive or a patch may have.
const VERTICES: usize = 32;
/// Bytes that the images of a document may have together.
const IMAGE_BYTES: usize = 1 << 26;

/// What all lanes find.
pub(crate) struct Start {
    pub(crate) resources: Resources,
    pub(crate) pictures: Pictures,
}

/// A number of a header or a case, where it is there.
pub(super) fn number(
    fields: &Map<String, Value>,
    key: &str,
    path: &str,
) -> Result<Option<u32>, RunJsonError> {
    fields.get(key).map(|value| small_number(value, path)).transpose()
}

/// Three numbers of a header or a case, where they are there.
pub(super) fn three(
    fields: &Map<String, Value>,
    key: &str,
    path: &str,
) -> Result<Option<[u32; 3]>, RunJsonError> {
    let Some(value) = fields.get(key) else { return Ok(None) };
    let Some([x, y, z]) = value.as_array().map(Vec::as_slice) else {
        return Err(RunJsonError::new(path, format!("expected three numbers, found {value}")));
    };
    Ok(Some([small_number(x, path)?, small_number(y, path)?, small_number(z, path)?]))
}

/// How many lanes a case has: what it says, or its document.
pub(super) fn lanes(document: &Document, case: &Case) -> Result<u32, RunJsonError> {
    let of_case = number(&case.source, "lanes", &format!("{}.lanes", case.path))?;
    Ok(of_case.or(number(&document.header, "lanes", "lanes")?).unwrap_or(1))
}

/// What each entry of a space is called in messages, and its value.
fn entries<'c>(
    case: &'c Case,
    space: &str,
) -> Result<impl Iterator<Item = (&'c String, String, &'c Value)>, RunJsonError> {
    let path = case.input_path(space);
    let fields = case.input.get(space).map(|value| object(value, &path)).transpose()?;
    let fields = fields.into_iter().flatten();
    Ok(fields.map(move |(key, value)| (key, format!("{path}.{key}"), value)))
}

/// What one lane gets of a value.
fn of_lane<'v>(value: &'v Value, lane: usize, path: &str) -> Result<&'v Value, RunJsonError> {
    match value {
        Value::Array(lanes) => lanes.get(lane).ok_or_else(|| {
            let message = format!("expected words for lane {lane}, found {} lanes", lanes.len());
            RunJsonError::new(path, message)
        }),
        all => Ok(all),
    }
}

fn attribute(key: &str, path: &str) -> Result<u32, RunJsonError> {
    match u32::try_from(words::address(key, path)?) {
        Ok(address) if address < 0x400 => Ok(address),
        _ => Err(RunJsonError::new(path, format!("{key:?} is outside of the attributes"))),
    }
}

impl Start {
    /// Reads everything but the lanes.
    pub(crate) fn read(stage: &Stage<'_>, document: &Document, case: &Case) -> Result<Self, RunJsonError> {
        for space in case.input.keys() {
            if !SPACES.contains(&space.as_str()) {
                return Err(RunJsonError::new(case.input_path(space), "this machine has no such input"));
            }
        }
        let pool = &document.pool;
        let mut resources = Resources::default();
        if let Some(around) = &stage.interface.maxwell {
            let constants: Vec<u32> = words_of(&around.constants);
            resources.set_constants(1, 0, &constants);
        }
        for (key, path, value) in entries(case, "c")? {
            let (bank, offset) = constant(key, &path)?;
            resources.set_constants(bank, offset, &words::words(value, pool, &path)?);
        }
        for (key, path, value) in entries(case, "g")? {
            resources.global.regions.insert(words::address(key, &path)?, words::words(value, pool, &path)?);
        }
        for (key, path, value) in entries(case, "p")? {
            resources.patch.set_all(attribute(key, &path)?, &words::words(value, pool, &path)?);
        }
        for (key, path, value) in entries(case, "av")? {
            let address = attribute(key, &path)?;
            let Some(vertices) = value.as_array().filter(|vertices| vertices.len() <= VERTICES) else {
                let message = format!("expected words for each of at most {VERTICES} vertices");
                return Err(RunJsonError::new(path, message));
            };
            if resources.vertices.len() < vertices.len() {
                resources.vertices.resize_with(vertices.len(), Default::default);
            }
            for (vertex, value) in resources.vertices.iter_mut().zip(vertices) {
                vertex.set_all(address, &words::words(value, pool, &path)?);
            }
        }
        for (key, path, value) in entries(case, "corners")? {
            let address = attribute(key, &path)?;
            let at = |n: usize| words::words(of_lane(value, n, &path)?, pool, &path);
            let [origin, right, up] = [at(0)?, at(1)?, at(2)?];
            for (n, ((origin, right), up)) in (0..).zip(origin.into_iter().zip(right).zip(up)) {
                resources.planes.insert(address + 4 * n, [origin, right, up]);
            }
        }
        Ok(Self { resources, pictures: pictures(document, case)? })
    }

    /// A lane with what the case says of it.
    pub(super) fn lane(&self, document: &Document, case: &Case, n: usize) -> Result<Lane, RunJsonError> {
        let mut lane = Lane::default();
        self.prepare(&mut lane, document, case, n)?;
        Ok(lane)
    }

    /// Puts what the case says of a lane into it.
    pub(super) fn prepare(
        &self,
        lane: &mut Lane,
        document: &Document,
        case: &Case,
        n: usize,
    ) -> Result<(), RunJsonError> {
        let pool = &document.pool;
        for (key, path, value) in entries(case, "a")? {
            let words = words::words(of_lane(value, n, &path)?, pool, &path)?;
            lane.attributes.set_all(attribute(key, &path)?, &words);
        }
        for (key, path, value) in entries(case, "sr")? {
            let Some(number) = special_number(key) else {
                return Err(RunJsonError::new(path, "there is no special register of that name"));
            };
            match words::words(of_lane(value, n, &path)?, pool, &path)?.as_slice() {
                [word] => lane.special.insert(number, *word),
                other => {
                    let message = format!("expected one word, found {}", other.len());
                    return Err(RunJsonError::new(path, message));
                }
            };
        }
        for (key, path, value) in entries(case, "sys")? {
            let number = || small_number(of_lane(value, n, &path)?, &path);
            match key.as_str() {
                "SampleMaskIn" => lane.sample_mask = number()?,
                "SampleID" => lane.sample = number()?,
                "HelperInvocation" => lane.helper = number()? != 0,
                _ => {}
            }
        }
        Ok(())
    }
}

fn words_of(bytes: &[u8]) -> Vec<u32> {
    bytes.as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word)).collect()
}

/// `2:1c0`: a bank and a byte of it.
fn constant(key: &str, path: &str) -> Result<(u8, u32), RunJsonError> {
    let unknown = || RunJsonError::new(path, format!("{key:?} is no bank and byte of it, as in 2:1c0"));
    let (bank, offset) = key.split_once(':').ok_or_else(unknown)?;
    let bank = u8::from_str_radix(bank, 16).ok().filter(|bank| *bank < 32).ok_or_else(unknown)?;
    let offset = u32::try_from(words::address(offset, path)?).ok().filter(|offset| *offset < 0x1_0000);
    Ok((bank, offset.ok_or_else(unknown)?))
}

/// Textures and images, by their handles.
fn pictures(document: &Document, case: &Case) -> Result<Pictures, RunJsonError> {
    let mut pictures = Pictures::default();
    Arc::make_mut(&mut pictures.textures).unbound = textures::unbound(document)?;
    for (handle, named) in textures::images_by_handle(document, case)? {
        Arc::make_mut(&mut pictures.textures).units.insert(handle, Bound::Image(named.image));
    }
    let Some(images) = document.header.get("images") else { return Ok(pictures) };
    let more = textures::seed(case)?;
    let mut bytes = 0_usize;
    for (key, value) in object(images, "images")? {
        let path = format!("images.{key}");
        let image = image(object(value, &path)?, more, &path)?;
        bytes = bytes.saturating_add(image.bytes.len());
        if bytes > IMAGE_BYTES {
            return Err(RunJsonError::new(path, format!("more than {IMAGE_BYTES} bytes of images")));
        }
        pictures.images.insert(words::handle(key, &path)?, image);
    }
    Ok(pictures)
}

/// An image with its texels, which are a formula: those of a float format 1/256 of a byte, of an integer format
/// the byte, of others the byte itself.
fn image(fields: &Map<String, Value>, more: u32, path: &str) -> Result<Storage, RunJsonError> {
    let at = |name: &str| format!("{path}.{name}");
    let string = |name: &str| match fields.get(name) {
        Some(value) => text(value, &at(name)),
        None => Err(RunJsonError::new(at(name), "missing")),
    };
    let shape = match string("target")? {
        "1D" => TextureShape::Line,
        "2D" => TextureShape::Plane,
        "3D" => TextureShape::Volume,
        "1DArray" => TextureShape::LineArray,
        "2DArray" => TextureShape::PlaneArray,
        "Cube" => TextureShape::Cube,
        "CubeArray" => TextureShape::CubeArray,
        "Buffer" => TextureShape::Buffer,
        other => return Err(RunJsonError::new(at("target"), format!("{other:?} is no target of an image"))),
    };
    let name = string("format")?;
    let format = ImageFormat::ALL.into_iter().find(|format| format.name() == name);
    let format = format
        .ok_or_else(|| RunJsonError::new(at("format"), format!("{name:?} is no format of an image")))?;
    let size = three(fields, "size", &at("size"))?
        .ok_or_else(|| RunJsonError::new(at("size"), "expected width, height and depth"))?;
    let seed = number(fields, "seed", &at("seed"))?.unwrap_or(0).wrapping_add(more);
    let texels = size.iter().fold(1_usize, |all, side| all.saturating_mul((*side).max(1) as usize));
    let channels = name.bytes().take_while(u8::is_ascii_alphabetic).count().min(4);
    if texels.saturating_mul(4 * channels) > IMAGE_BYTES {
        return Err(RunJsonError::new(at("size"), format!("more than {IMAGE_BYTES} bytes")));
    }
    let mut bytes = Vec::new();
    for z in 0..size[2].max(1) {
        for y in 0..size[1].max(1) {
            for x in 0..size[0].max(1) {
                for channel in 0..channels as u32 {
                    channel_bytes(name, texel_byte([x, y, z], 0, channel, 0, seed), &mut bytes);
                }
            }
        }
    }
    Ok(Storage { shape, size, format, bytes })
}

/// The bytes of one channel of a format.
fn channel_bytes(name: &str, byte: u8, bytes: &mut Vec<u8>) {
    let float = name.ends_with('f');
    if name.contains("32") {
        let word = if float { (f32::from(byte) / 256.0).to_bits() } else { byte.into() };
        bytes.extend(word.to_le_bytes());
    } else if name.contains("16") {
        let half = if float { half_of_256th(byte) } else { byte.into() };
        bytes.extend(half.to_le_bytes());
    } else {
        bytes.push(byte);
    }
}

/// A byte over 256 as a binary16, exactly.
fn half_of_256th(byte: u8) -> u16 {
    match byte.checked_ilog2() {
        None => 0,
        Some(place) => {
            let exponent = (15 + place - 8) << 10;
            let fraction = (u32::from(byte) << (10 - place)) & 0x3FF;
            (exponent | fraction) as u16
        }
    }
}

/// The inputs of a case of [`crate::verify()`], in the notation of the document: the bank of a uniform is that in which the driver
/// has its binding, an input's address the place of its word. What is no attribute of the vertex or pixel itself is left out.
pub(super) fn registers(stage: &Stage<'_>, inputs: &Inputs) -> Map<String, Value> {
    let driver = stage.interface.maxwell.as_deref().map(|around| around.driver).unwrap_or_default();
    let mut document = Map::new();
    let mut put = |space: &str, key: String, words: &[u32]| {
        if words.iter().any(|&word| word != 0)
            && let Value::Object(fields) =
                document.entry(space.to_owned()).or_insert_with(|| Value::Object(Map::new()))
        {
            fields.insert(key, words::print(words).into());
        }
    };
    for registers in inputs {
        match registers.space {
            Space::Input if registers.binding == ATTRIBUTE_BINDING => {
                for (n, vector) in registers.words.chunks(4).enumerate().take(ATTRIBUTES) {
                    put("a", format!("{:x}", 16 * n), vector);
                }
            }
            Space::Uniform => {
                put("c", format!("{:x}:0", bank_of(driver, registers.binding)), &registers.words)
            }
            _ => {}
        }
    }
    document
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys() {
        assert_eq!(constant("2:1c0", "").unwrap(), (2, 0x1C0));
        assert_eq!(constant("11:0", "").unwrap(), (0x11, 0));
        for wrong in ["2", "2:", "20:0", "2:2", "2:10000", "x:0"] {
            assert!(constant(wrong, "in.c").is_err(), "{wrong}");
        }
        assert_eq!(attribute("2f0", "").unwrap(), 0x2F0);
        assert!(attribute("400", "").is_err());
    }

    #[test]
    fn bytes_as_halves() {
        for byte in 0..=255_u8 {
            let bits = half_of_256th(byte);
            let (exponent, fraction) = (i32::from(bits >> 10), f32::from(bits & 0x3FF));
            let value = if bits == 0 { 0.0 } else { (1.0 + fraction / 1024.0) * 2_f32.powi(exponent - 15) };
            assert_eq!(value, f32::from(byte) / 256.0);
        }
    }
}
