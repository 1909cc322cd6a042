//! The registers of the GPU as the instruction set wants them: what `--state` says by hand of other files.
//!
//! Addresses are those of AMD's public register reference for the R600 family, counted in words.

use super::record::{Kind, Record};
use super::registers::Registers;
use crate::formats::gx2::latte::position_exports;
use crate::formats::gx2::registers as r;
use unshade_stage::latte::{
    Dimension, FrontFace, GeometryRegisters, Latte, LoopConstant, OutputPrimitive, PixelInput, Sampler,
    UniformMode,
};

const SQ_CONFIG: u32 = 0x2300;
const SQ_VTX_SEMANTIC: u32 = 0xA0E0;
const CB_SHADER_MASK: u32 = 0xA08F;
const SPI_VS_OUT_ID: u32 = 0xA185;
const SPI_PS_INPUT_CNTL: u32 = 0xA191;
const SPI_VS_OUT_CONFIG: u32 = 0xA1B1;
const SPI_PS_IN_CONTROL: u32 = 0xA1B3;
const DB_SHADER_CONTROL: u32 = 0xA203;
const PA_CL_VS_OUT_CNTL: u32 = 0xA207;
const SQ_PGM_RESOURCES_PS: u32 = 0xA214;
const SQ_PGM_EXPORTS_PS: u32 = 0xA215;
const SQ_PGM_RESOURCES_VS: u32 = 0xA21A;
const SQ_PGM_RESOURCES_GS: u32 = 0xA21F;
const SQ_PGM_RESOURCES_ES: u32 = 0xA224;
const SQ_ESGS_RING_ITEMSIZE: u32 = 0xA22A;
const SQ_GSVS_RING_ITEMSIZE: u32 = 0xA22B;
const SQ_GS_VERT_ITEMSIZE: u32 = 0xA232;
const SQ_VTX_SEMANTIC_CLEAR: u32 = 0xA238;
const VGT_GS_MODE: u32 = 0xA290;
const VGT_GS_OUT_PRIM_TYPE: u32 = 0xA29B;
const VGT_STRMOUT_EN: u32 = 0xA2AC;
/// Each buffer has size, stride and place, and a fourth register.
const VGT_STRMOUT_VTX_STRIDE: [u32; 4] = [0xA2B5, 0xA2B9, 0xA2BD, 0xA2C1];
const SQ_LOOP_CONST: u32 = 0xF880;

/// Words of a resource.
const RESOURCE: u32 = 7;
/// Texture units of a stage.
const UNITS: u32 = 16;
/// Loop constants of a stage.
const LOOPS: u32 = 32;
/// The bit of SQ_CONFIG that says that constants are in registers.
const DX9_CONSTS: u32 = 1 << 2;
/// A semantic that is not used.
const UNUSED: u32 = 0xFF;

/// Where the texture resources and the loop constants of a kind are.
fn places(kind: Kind) -> (u32, u32) {
    let loops = |number: u32| SQ_LOOP_CONST.saturating_add(LOOPS.saturating_mul(number));
    match kind {
        Kind::Pixel => (0xE000, loops(0)),
        Kind::Vertex => (0xE460, loops(1)),
        Kind::Geometry => (0xE930, loops(2)),
    }
}

/// What surrounds the program of a record; `copy` is the copy program of a geometry record.
pub(super) fn latte(record: &Record<'_>, registers: &Registers, copy: Vec<u32>) -> Latte {
    let get = |address: u32| registers.get(address);
    let uniform_mode =
        if get(SQ_CONFIG) & DX9_CONSTS != 0 { UniformMode::Registers } else { UniformMode::Blocks };
    let mut latte = Latte { uniform_mode, ..Latte::default() };
    let resources = match record.kind {
        Kind::Vertex if record.geometry != 0 => SQ_PGM_RESOURCES_ES,
        Kind::Vertex => SQ_PGM_RESOURCES_VS,
        Kind::Geometry => SQ_PGM_RESOURCES_GS,
        Kind::Pixel => SQ_PGM_RESOURCES_PS,
    };
    program(&mut latte, get(resources));
    match record.kind {
        Kind::Vertex => {
            latte.semantics = semantics(registers);
            latte.export_stage = record.geometry != 0;
            match latte.export_stage {
                true => latte.ring_words = get(SQ_ESGS_RING_ITEMSIZE),
                false => exports(&mut latte, registers),
            }
        }
        Kind::Geometry => {
            latte.geometry = Some(geometry(registers, copy));
            // What the copy program exports is what the geometry program hands over.
            exports(&mut latte, registers);
        }
        Kind::Pixel => pixel(&mut latte, registers),
    }
    let (textures, loops) = places(record.kind);
    latte.samplers = (0..UNITS).filter_map(|unit| sampler(registers, textures, unit)).collect();
    latte.loops = (0..LOOPS)
        .map(|slot| LoopConstant { slot, value: get(loops.saturating_add(slot)) })
        .filter(|constant| constant.value != 0)
        .collect();
    latte
}

fn program(latte: &mut Latte, resources: u32) {
    // Nobody wrote a register that is 0: every program needs a register.
    if resources == 0 {
        return;
    }
    let register = &r::SQ_PGM_RESOURCES_PS;
    latte.registers = Some(byte(register.get("NUM_GPRS", resources)));
    latte.stack = Some(byte(register.get("STACK_SIZE", resources)));
    latte.dx10_clamp = register.get("DX10_CLAMP", resources) != 0;
}

/// Which attribute arrives in which register. A bit for each says which do not arrive.
fn semantics(registers: &Registers) -> Vec<Option<u8>> {
    let words: Vec<u32> = (0..32).map(|n: u32| registers.get(SQ_VTX_SEMANTIC.saturating_add(n))).collect();
    if words.iter().all(|word| *word == 0) {
        return Vec::new();
    }
    let clear = registers.get(SQ_VTX_SEMANTIC_CLEAR);
    let semantic = |(n, word): (usize, &u32)| {
        let arrives = clear >> n & 1 == 0;
        used(r::SQ_VTX_SEMANTIC.get("SEMANTIC_ID", *word)).filter(|_| arrives)
    };
    let mut all: Vec<Option<u8>> = words.iter().enumerate().map(semantic).collect();
    trim(&mut all);
    all
}

fn trim(list: &mut Vec<Option<u8>>) {
    while list.last() == Some(&None) {
        list.pop();
    }
}

/// Parameters, further positions and stream-out of a vertex or copy program.
fn exports(latte: &mut Latte, registers: &Registers) {
    let ids = (0..10_u32).flat_map(|n| registers.get(SPI_VS_OUT_ID.saturating_add(n)).to_le_bytes());
    let config = registers.get(SPI_VS_OUT_CONFIG);
    let count = r::SPI_VS_OUT_CONFIG.get("VS_EXPORT_COUNT", config).saturating_add(1);
    let mut ids: Vec<Option<u8>> = ids.map(|id| used(id.into())).take(count as usize).collect();
    trim(&mut ids);
    if config != 0 || ids.iter().flatten().any(|id| *id != 0) {
        latte.parameters = ids;
        latte.parameter_count = Some(byte(count));
    }
    let control = registers.get(PA_CL_VS_OUT_CNTL);
    latte.position = position_exports(control);
    if registers.get(VGT_STRMOUT_EN) & 1 != 0 {
        // Strides of the machine count words.
        latte.stream_strides =
            Some(VGT_STRMOUT_VTX_STRIDE.map(|address| registers.get(address).saturating_mul(4)));
    }
}

fn pixel(latte: &mut Latte, registers: &Registers) {
    let control = registers.get(SPI_PS_IN_CONTROL);
    let field = |name| r::SPI_PS_IN_CONTROL_0.get(name, control);
    let count = field("NUM_INTERP").min(32);
    let words: Vec<u32> = (0..count).map(|n| registers.get(SPI_PS_INPUT_CNTL.saturating_add(n))).collect();
    latte.inputs = words.iter().map(|word| pixel_input(*word)).collect();
    latte.input_registers = std::iter::once(control).chain(words).collect();
    latte.frag_coord = (field("POSITION_ENA") != 0).then(|| byte(field("POSITION_ADDR")));
    latte.point_coord = (field("PARAM_GEN") != 0).then(|| byte(field("PARAM_GEN_ADDR")));
    let control = registers.get(SPI_PS_IN_CONTROL.saturating_add(1));
    let field = |name| r::SPI_PS_IN_CONTROL_1.get(name, control);
    latte.front_face = (field("FRONT_FACE_ENA") != 0).then(|| FrontFace {
        register: byte(field("FRONT_FACE_ADDR")),
        component: byte(field("FRONT_FACE_CHAN")),
        all_bits: field("FRONT_FACE_ALL_BITS") != 0,
    });
    let mode = r::SQ_PGM_EXPORTS_PS.get("EXPORT_MODE", registers.get(SQ_PGM_EXPORTS_PS));
    if mode != 0 {
        latte.colours = Some(byte(mode >> 1));
        latte.exports_depth = mode & 1 != 0;
        latte.colour_mask = Some(registers.get(CB_SHADER_MASK));
        let control = registers.get(DB_SHADER_CONTROL);
        latte.kills = Some(r::DB_SHADER_CONTROL.get("KILL_ENABLE", control) != 0);
    }
}

fn pixel_input(word: u32) -> PixelInput {
    let field = |name| r::SPI_PS_INPUT_CNTL.get(name, word);
    PixelInput {
        semantic: byte(field("SEMANTIC")),
        default: byte(field("DEFAULT_VAL")),
        flat: field("FLAT_SHADE") != 0,
        centroid: field("SEL_CENTROID") != 0,
        linear: field("SEL_LINEAR") != 0,
        sample: field("SEL_SAMPLE") != 0,
        point_coord: field("PT_SPRITE_TEX") != 0,
    }
}

fn geometry(registers: &Registers, copy: Vec<u32>) -> GeometryRegisters {
    let primitive = registers.get(VGT_GS_OUT_PRIM_TYPE);
    GeometryRegisters {
        primitive: match r::VGT_GS_OUT_PRIM_TYPE.get("OUTPRIM_TYPE", primitive) {
            0 => OutputPrimitive::Points,
            1 => OutputPrimitive::LineStrip,
            _ => OutputPrimitive::TriangleStrip,
        },
        max_vertices: 1024 >> r::VGT_GS_MODE.get("CUT_MODE", registers.get(VGT_GS_MODE)),
        vertex_words: r::SQ_GS_VERT_ITEMSIZE.get("ITEMSIZE", registers.get(SQ_GS_VERT_ITEMSIZE)),
        ring_words: registers.get(SQ_GSVS_RING_ITEMSIZE),
        copy,
    }
}

/// The texture of a unit, where one is bound there.
fn sampler(registers: &Registers, textures: u32, unit: u32) -> Option<Sampler> {
    let first = textures.saturating_add(RESOURCE.saturating_mul(unit));
    let mut words = (0..RESOURCE).map(|n| registers.get(first.saturating_add(n)));
    let front = words.next()?;
    (front != 0 || words.any(|word| word != 0)).then(|| Sampler {
        name: String::new(),
        dimension: dimension(front & 7),
        shadow: false,
        location: unit,
    })
}

/// The shape with that number (DIM of SQ_TEX_RESOURCE_WORD0).
fn dimension(number: u32) -> Option<Dimension> {
    Some(match number {
        0 => Dimension::D1,
        1 => Dimension::D2,
        2 => Dimension::D3,
        3 => Dimension::Cube,
        4 => Dimension::D1Array,
        5 => Dimension::D2Array,
        6 => Dimension::D2Multisample,
        7 => Dimension::D2MultisampleArray,
        _ => return None,
    })
}

fn used(semantic: u32) -> Option<u8> {
    (semantic != UNUSED).then(|| byte(semantic))
}

fn byte(value: u32) -> u8 {
    u8::try_from(value).unwrap_or(u8::MAX)
}
