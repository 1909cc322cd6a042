//! The stages as an instruction set sees them.

use super::model::{Environment, Yuzu};
use super::raw::{COMPUTE, HEADER_LEN, RECORD_LEN};
use crate::formats::caches::maxwell::{SPH_LEN, words};
use unshade_stage::maxwell::{BoundConstant, BoundTexture, Driver, TextureKind};
use unshade_stage::{Code, Interface, Isa, Maxwell, Stage, StageId, StageKind};

/// The bank of handles that the console's own driver uses.
const NVN_HANDLES: u32 = 2;

impl Yuzu {
    /// The stages of all pipelines, each by the number of its pipeline and what it is: `0/vertex`, `0/fragment`.
    pub fn stages(&self) -> impl Iterator<Item = Stage<'_>> {
        let mut at = HEADER_LEN as u64;
        self.pipelines.iter().enumerate().flat_map(move |(index, pipeline)| {
            let mut here = at.saturating_add(4);
            at = at.saturating_add(pipeline.len());
            let mut seen = 0_u8;
            pipeline.stages.iter().filter_map(move |environment| {
                let start = here;
                here = here.saturating_add(environment.len());
                // A damaged pipeline may have a stage twice; the first is the one that has its name.
                let bit = 1_u8.checked_shl(environment.header.stage)?;
                let again = seen & bit != 0;
                seen |= bit;
                (!again).then(|| environment.stage(format!("{index}/{}", environment.name()?), start))?
            })
        })
    }

    /// The stage of that name.
    pub fn stage(&self, id: &StageId) -> Option<Stage<'_>> {
        let (number, name) = id.0.split_once('/')?;
        let index: usize = number.parse().ok()?;
        if index.to_string() != number {
            return None;
        }
        let before = self.pipelines.get(..index)?.iter().map(super::Pipeline::len);
        let mut here = before.fold(HEADER_LEN as u64, u64::saturating_add).saturating_add(4);
        for environment in &self.pipelines.get(index)?.stages {
            if environment.name() == Some(name) {
                return environment.stage(id.0.clone(), here);
            }
            here = here.saturating_add(environment.len());
        }
        None
    }
}

impl super::Pipeline {
    /// Bytes that it takes in the file.
    pub(super) fn len(&self) -> u64 {
        let stages = self.stages.iter().map(Environment::len).fold(4, u64::saturating_add);
        stages.saturating_add(self.key.len() as u64)
    }
}

impl Environment {
    /// Bytes that it takes in the file.
    pub(super) fn len(&self) -> u64 {
        let pairs = self.texture_types.len().saturating_add(self.texture_pixel_formats.len());
        let triples = self.cbuf_values.len().saturating_add(self.cbuf_replacements.len());
        let tail = self.program_header.len().saturating_add(if self.compute.is_some() { 16 } else { 0 });
        let lists = pairs.saturating_mul(8).saturating_add(triples.saturating_mul(12));
        RECORD_LEN.saturating_add(self.code.len()).saturating_add(lists).saturating_add(tail) as u64
    }

    /// What it is called in names of stages.
    pub(super) fn name(&self) -> Option<&'static str> {
        match self.header.stage {
            6 => Some("vertex-a"),
            _ => self.kind().map(StageKind::name),
        }
    }

    /// The step of the pipeline.
    pub(super) fn kind(&self) -> Option<StageKind> {
        Some(match self.header.stage {
            0 | 6 => StageKind::Vertex,
            1 => StageKind::TessControl,
            2 => StageKind::TessEval,
            3 => StageKind::Geometry,
            4 => StageKind::Fragment,
            COMPUTE => StageKind::Compute,
            _ => return None,
        })
    }

    /// Where its first instruction stands in its code, in bytes. Of a program that is delimited by the addresses that were
    /// read, that may lie before the first of them: then nobody knows its start.
    pub(super) fn first(&self) -> Option<usize> {
        let front = if self.header.stage == COMPUTE { 0 } else { SPH_LEN as u64 };
        let start = u64::from(self.header.start_address).saturating_add(front);
        let first = start.checked_sub(self.header.cached_lowest.into())?;
        usize::try_from(first).ok().filter(|first| *first <= self.code.len())
    }

    fn stage(&self, id: String, at: u64) -> Option<Stage<'_>> {
        let kind = self.kind()?;
        let first = self.first()?;
        let driver = if self.header.texture_bound == NVN_HANDLES { Driver::Nvn } else { Driver::Deko3d };
        let group = self.compute.map(|[x, y, z, _]| [x, y, z]);
        let maxwell = Maxwell {
            driver,
            header: words(self.program_header.get(..SPH_LEN).unwrap_or_default()),
            work_group: group,
            shared_memory: self.compute.map_or(0, |[.., shared]| shared),
            bound_textures: self.textures(),
            bound_constants: self.constants(),
            ..Maxwell::default()
        };
        let offset = at.saturating_add(RECORD_LEN as u64).saturating_add(first as u64);
        let code = Code {
            words: words(self.code.get(first..).unwrap_or_default()).into(),
            file_offset: offset,
            ..Code::default()
        };
        let interface = Interface { maxwell: Some(Box::new(maxwell)), ..Interface::default() };
        Some(Stage { id: StageId(id), kind, isa: Isa::Maxwell, code, interface })
    }

    /// The constants that the translator read.
    fn constants(&self) -> Vec<BoundConstant> {
        let constant = |value: &super::ConstantValue| {
            let bank = u8::try_from(value.bank).ok()?;
            Some(BoundConstant { bank, offset: value.offset, value: value.value })
        };
        let mut all: Vec<BoundConstant> = self.cbuf_values.iter().filter_map(constant).collect();
        all.sort();
        all
    }

    /// What was bound where a texture is read: a handle is a word of a bank, which is among the constants.
    fn textures(&self) -> Vec<BoundTexture> {
        let of = |list: &[super::TextureEntry], handle: u32| {
            list.iter().find(|entry| entry.handle == handle).map(|entry| entry.value)
        };
        let bound = |constant: BoundConstant| {
            let kind = of(&self.texture_types, constant.value);
            let format = of(&self.texture_pixel_formats, constant.value);
            (kind.is_some() || format.is_some()).then(|| BoundTexture {
                bank: (u32::from(constant.bank) != self.header.texture_bound).then_some(constant.bank),
                offset: constant.offset,
                kind: kind.and_then(texture_kind),
                format,
                normalised: (kind == Some(RECTANGLE)).then_some(false),
            })
        };
        // Few handles and few constants; of very many, the first ones.
        self.constants().into_iter().take(MOST_HANDLES).filter_map(bound).take(MOST_HANDLES).collect()
    }
}

/// Constants that are looked through for handles, and textures that come of it.
const MOST_HANDLES: usize = 256;
/// Number of the shape whose coordinates count texels.
const RECTANGLE: u32 = 8;

/// The shape with that number (`Shader::TextureType`).
fn texture_kind(number: u32) -> Option<TextureKind> {
    const KINDS: [TextureKind; 9] = [
        TextureKind::D1,
        TextureKind::D1Array,
        TextureKind::D2,
        TextureKind::D2Array,
        TextureKind::D3,
        TextureKind::Cube,
        TextureKind::CubeArray,
        TextureKind::Buffer,
        TextureKind::Rect,
    ];
    usize::try_from(number).ok().and_then(|number| KINDS.get(number)).copied()
}
