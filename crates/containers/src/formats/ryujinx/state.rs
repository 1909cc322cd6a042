//! What `shared.data` says of a program: its stages, and what they were translated for.

use super::model::Shared;
use super::raw::{Algorithm, MOST_STATE};
use crate::formats::caches::packed::{brotli, inflate};
use unshade_bytes::{Endian, Error, ErrorKind, Reader, Result, Under};
use unshade_stage::StageKind;
use unshade_stage::maxwell::TextureKind;

/// Most textures that a program notes; the machine has far fewer.
const MOST_TEXTURES: u16 = 1024;

/// A place in the pipeline, by the bit that stands for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Slot {
    /// Runs in front of the vertex program, of which it is a part.
    VertexA,
    /// The vertex program.
    VertexB,
    /// Tessellation control.
    TessControl,
    /// Tessellation evaluation.
    TessEval,
    /// Geometry.
    Geometry,
    /// Fragment.
    Fragment,
    /// Compute, which has no bit.
    Compute,
}

impl Slot {
    /// Those that have bits, from bit 0 on.
    pub const GRAPHICS: [Self; 6] =
        [Self::VertexA, Self::VertexB, Self::TessControl, Self::TessEval, Self::Geometry, Self::Fragment];

    /// The step of the pipeline.
    pub fn kind(self) -> StageKind {
        match self {
            Self::VertexA | Self::VertexB => StageKind::Vertex,
            Self::TessControl => StageKind::TessControl,
            Self::TessEval => StageKind::TessEval,
            Self::Geometry => StageKind::Geometry,
            Self::Fragment => StageKind::Fragment,
            Self::Compute => StageKind::Compute,
        }
    }

    /// What it is called in names of stages.
    pub fn name(self) -> &'static str {
        match self {
            Self::VertexA => "vertex-a",
            other => other.kind().name(),
        }
    }
}

/// A program: stages that were drawn together.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Program {
    /// Its stages: where each is, and its number in `guest.toc`.
    pub stages: Vec<(Slot, i32)>,
    /// Size of a work group (compute).
    pub work_group: Option<[u32; 3]>,
    /// Shared memory in bytes (compute).
    pub shared_memory: u32,
    /// What was bound where its stages read textures.
    pub textures: Vec<Texture>,
    /// Why what follows on the stages could not be read, where that is so.
    pub damage: Option<Error>,
}

/// What was bound where a stage reads a texture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Texture {
    /// The stage, counted from the vertex program on as in [`Slot::GRAPHICS`] without its first; of compute programs 0.
    pub stage: i32,
    /// Place of the handle in its buffer, in words.
    pub handle: i32,
    /// Buffer of the handle; `None`: the one that a register of the machine names.
    pub buffer: Option<u8>,
    /// Number format, where it was asked for.
    pub format: Option<u32>,
    /// Shape, where it was asked for.
    pub kind: Option<TextureKind>,
    /// Whether coordinates count from 0 to 1, where it was asked for.
    pub normalised: Option<bool>,
}

impl Shared {
    /// The program at `index`; `at` is where `shared.data` starts in the joined files, for messages.
    ///
    /// # Errors
    /// Where it lies outside of the file, or is so damaged that its stages are not known.
    pub fn program(&self, index: usize, at: u64) -> Result<Program> {
        let path = format!("shared_data.programs[{index}]");
        let offset = self.offsets.get(index).map_or(u64::MAX, |offset| offset.0);
        let here = at.saturating_add(offset);
        let place = usize::try_from(offset).ok();
        let Some((algorithm, stream)) =
            place.and_then(|place| self.data.get(place..)).and_then(<[u8]>::split_first)
        else {
            let expected = format!("a place before the end of shared.data at {:#x}", self.data.len());
            return Err(Error::new(ErrorKind::OutOfBounds, here, path, expected, format!("{offset:#x}"))
                .code("ryujinx.program-place"));
        };
        let bytes = unpack(*algorithm, stream, MOST_STATE).map_err(|(expected, found)| {
            Error::new(ErrorKind::BadValue, here, path.clone(), expected, found).code("ryujinx.packed")
        })?;
        program(&bytes).under(|| path.as_str()).map_err(|error| error.code("ryujinx.program"))
    }
}

/// The first `most` bytes of what is packed: what could be unpacked of a stream that is damaged or has no end.
fn unpack(algorithm: u8, stream: &[u8], most: usize) -> std::result::Result<Vec<u8>, (&'static str, String)> {
    Ok(match Algorithm::of(algorithm) {
        Some(Algorithm::None) => stream.get(..most).unwrap_or(stream).to_vec(),
        Some(Algorithm::Deflate) => inflate(stream, most, false).bytes,
        Some(Algorithm::Brotli) => brotli(stream, most).bytes,
        None => return Err(("0 (not packed), 1 (deflate) or 2 (Brotli)", algorithm.to_string())),
    })
}

/// A program in the bytes that were unpacked. Offsets of errors count in these.
fn program(bytes: &[u8]) -> Result<Program> {
    let mut reader = Reader::new(bytes, Endian::Little);
    let mask = reader.u32("stages")?;
    let mut program = Program::default();
    if mask == 0 {
        program.stages.push((Slot::Compute, reader.u32("guest_index")? as i32));
    }
    for (bit, slot) in Slot::GRAPHICS.into_iter().enumerate() {
        if mask >> bit & 1 != 0 {
            program.stages.push((slot, reader.u32("guest_index")? as i32));
        }
    }
    if mask >> Slot::GRAPHICS.len() != 0 {
        let expected = "six stages at most, one bit each";
        return Err(Error::new(ErrorKind::BadValue, 0, "stages", expected, format!("{mask:#x}")));
    }
    // Stages are worth having where the rest is of another version.
    if let Err(error) = state(&mut reader, &mut program) {
        program.damage = Some(error.code("ryujinx.state"));
    }
    Ok(program)
}

/// The state that a program was translated for.
fn state(reader: &mut Reader<'_>, program: &mut Program) -> Result<()> {
    let queried = reader.u32("queried_state")?;
    let compute = reader.u8("compute")? != 0;
    let special = block(reader, if compute { *b"COMS" } else { *b"GFXS" }, "state")?;
    if compute {
        let mut special = Reader::new(special, Endian::Little);
        let mut next = |name| special.u32(name);
        program.work_group = Some([next("local_size_x")?, next("local_size_y")?, next("local_size_z")?]);
        next("local_memory_size")?;
        program.shared_memory = next("shared_memory_size")?;
    }
    let mask = reader.u32("constant_buffers")?;
    for _ in 0..mask.count_ones() {
        reader.u32("constant_buffers_used")?;
    }
    if reader.u8("pipeline")? != 0 {
        block(reader, *b"PGPS", "pipeline")?;
    }
    if queried & 8 != 0 {
        for _ in 0..reader.u16("transform_feedback_count")? {
            block(reader, *b"TFBD", "transform_feedback")?;
        }
    }
    let count = reader.u16("texture_count")?;
    if count > MOST_TEXTURES {
        let expected = format!("at most {MOST_TEXTURES} textures");
        return Err(Error::new(
            ErrorKind::BadValue,
            reader.offset(),
            "texture_count",
            expected,
            count.to_string(),
        ));
    }
    for _ in 0..count {
        let key = block(reader, *b"TEXK", "texture_key")?;
        let value = block(reader, *b"TEXS", "texture")?;
        program.textures.push(texture(key, value)?);
    }
    Ok(())
}

fn texture(key: &[u8], value: &[u8]) -> Result<Texture> {
    let mut key = Reader::new(key, Endian::Little);
    let (stage, handle) = (key.u32("stage")? as i32, key.u32("handle")? as i32);
    let buffer = key.u32("buffer")?;
    let mut value = Reader::new(value, Endian::Little);
    let queried = value.u32("queried")?;
    let format = value.u32("format")?;
    value.u8("srgb")?;
    let target = value.u8("target")?;
    let normalised = value.u8("normalised")? != 0;
    Ok(Texture {
        stage,
        handle,
        buffer: u8::try_from(buffer).ok(),
        format: (queried & 1 != 0).then_some(format),
        kind: (queried & 2 != 0).then(|| target_kind(target)).flatten(),
        normalised: (queried & 4 != 0).then_some(normalised),
    })
}

/// The shape of a texture that has this number (`TextureTarget`).
fn target_kind(target: u8) -> Option<TextureKind> {
    const KINDS: [TextureKind; 9] = [
        TextureKind::D1,
        TextureKind::D2,
        TextureKind::D3,
        TextureKind::Cube,
        TextureKind::D1Array,
        TextureKind::D2Array,
        TextureKind::Buffer,
        TextureKind::Rect,
        TextureKind::CubeArray,
    ];
    KINDS.get(usize::from(target)).copied()
}

/// A block with its tag and size. Structures grow at their ends only, so that more bytes than are known are no damage.
fn block<'a>(reader: &mut Reader<'a>, tag: [u8; 4], name: &'static str) -> Result<&'a [u8]> {
    reader.magic(&tag, name)?;
    let size = reader.u32("size")?;
    reader.bytes(size.into(), name)
}
