//! From a structure to what the instruction set needs to know around a program.

use super::registers as r;
use super::samplers::SamplerType;
use super::shader::{Shader, code_words};
use super::structure::{Member, SHADER_MODE, ShaderKind, TableKind};
use unshade_stage::latte::{
    Attribute, Block, FrontFace, GeometryRegisters, InitialValue, Latte, LoopConstant, OutputPrimitive,
    PixelInput, PositionExports, Sampler, Uniform, UniformMode, VarType,
};

/// The registers of the constant file, as `mode` has it.
const UNIFORM_REGISTER: u32 = 0;
/// The vertex shader runs in front of a geometry shader.
const GEOMETRY_SHADER: u32 = 2;
/// A semantic that is not used.
const UNUSED: u32 = 0xFF;

impl Shader<'_> {
    /// What surrounds the program of the structure.
    pub fn latte(&self) -> Latte {
        let mut latte = Latte { uniform_mode: self.uniform_mode(), ..Latte::default() };
        match self.kind {
            ShaderKind::Vertex => {
                self.program(&mut latte, self.named(r::SQ_PGM_RESOURCES_VS.name, 0));
                latte.export_stage = self.mode() == GEOMETRY_SHADER;
                latte.semantics = self.semantics();
                latte.ring_words = self.named("ring_item_size", 0);
                self.exports(&mut latte);
            }
            ShaderKind::Pixel => self.pixel(&mut latte),
            ShaderKind::Geometry => {
                self.program(&mut latte, self.named(r::SQ_PGM_RESOURCES_GS.name, 0));
                latte.geometry = Some(self.geometry());
                // What the copy program exports is what the geometry program hands over.
                self.exports(&mut latte);
            }
            ShaderKind::Compute => {}
        }
        self.tables(&mut latte);
        latte
    }

    /// The same with the bytes of the copy program, which only geometry programs have.
    pub fn latte_with_copy(&self, copy: &[u8]) -> Latte {
        let mut latte = self.latte();
        if let Some(geometry) = &mut latte.geometry {
            geometry.copy = code_words(copy);
        }
        latte
    }

    /// What surrounds the copy program of a geometry structure: a vertex program that reads the ring.
    pub fn copy_latte(&self) -> Latte {
        let mut latte = Latte { uniform_mode: self.uniform_mode(), copy_program: true, ..Latte::default() };
        self.program(&mut latte, self.named(r::SQ_PGM_RESOURCES_VS.name, 0));
        self.exports(&mut latte);
        latte
    }

    /// The word `mode`; structures without one are for buffers.
    pub fn mode(&self) -> u32 {
        match self.kind {
            ShaderKind::Compute => 3,
            _ => self.member(Member::Register(&SHADER_MODE)),
        }
    }

    fn uniform_mode(&self) -> UniformMode {
        if self.mode() == UNIFORM_REGISTER { UniformMode::Registers } else { UniformMode::Blocks }
    }

    fn program(&self, latte: &mut Latte, resources: u32) {
        let register = &r::SQ_PGM_RESOURCES_PS;
        latte.registers = Some(byte(register.get("NUM_GPRS", resources)));
        latte.stack = Some(byte(register.get("STACK_SIZE", resources)));
        latte.dx10_clamp = register.get("DX10_CLAMP", resources) != 0;
    }

    fn semantics(&self) -> Vec<Option<u8>> {
        let count = self.named("num_sq_vtx_semantic", 0).min(32) as u16;
        let semantic =
            |index| r::SQ_VTX_SEMANTIC.get("SEMANTIC_ID", self.named(r::SQ_VTX_SEMANTIC.name, index));
        (0..count).map(|index| used(semantic(index))).collect()
    }

    /// Parameters, further positions and stream-out of a vertex or copy program.
    fn exports(&self, latte: &mut Latte) {
        let words = self.named("num_spi_vs_out_id", 0).min(10) as u16;
        let ids = (0..words).flat_map(|index| self.named(r::SPI_VS_OUT_ID.name, index).to_le_bytes());
        latte.parameters = ids.map(|id| used(id.into())).collect();
        while latte.parameters.last() == Some(&None) {
            latte.parameters.pop();
        }
        let config = self.named(r::SPI_VS_OUT_CONFIG.name, 0);
        let count = byte(r::SPI_VS_OUT_CONFIG.get("VS_EXPORT_COUNT", config));
        // The field cannot say "none"; no label then does.
        latte.parameter_count = Some(if words == 0 && count == 0 { 0 } else { count.saturating_add(1) });
        let control = self.named(r::PA_CL_VS_OUT_CNTL.name, 0);
        latte.position = position_exports(control);
        if self.named("has_stream_out", 0) != 0 {
            latte.stream_strides = Some([0, 1, 2, 3].map(|index| self.named("stream_out_stride", index)));
        }
    }

    fn pixel(&self, latte: &mut Latte) {
        self.program(latte, self.named(r::SQ_PGM_RESOURCES_PS.name, 0));
        let count = self.named("num_spi_ps_input_cntl", 0).min(32) as u16;
        latte.inputs = (0..count).map(|index| self.pixel_input(index)).collect();
        let control = self.named(r::SPI_PS_IN_CONTROL_0.name, 0);
        let inputs = (0..count).map(|index| self.named(r::SPI_PS_INPUT_CNTL.name, index));
        latte.input_registers = std::iter::once(control).chain(inputs).collect();
        let field = |name| r::SPI_PS_IN_CONTROL_0.get(name, control);
        latte.frag_coord = (field("POSITION_ENA") != 0).then(|| byte(field("POSITION_ADDR")));
        latte.point_coord = (field("PARAM_GEN") != 0).then(|| byte(field("PARAM_GEN_ADDR")));
        let control = self.named(r::SPI_PS_IN_CONTROL_1.name, 0);
        let field = |name| r::SPI_PS_IN_CONTROL_1.get(name, control);
        latte.front_face = (field("FRONT_FACE_ENA") != 0).then(|| FrontFace {
            register: byte(field("FRONT_FACE_ADDR")),
            component: byte(field("FRONT_FACE_CHAN")),
            all_bits: field("FRONT_FACE_ALL_BITS") != 0,
        });
        let mode = r::SQ_PGM_EXPORTS_PS.get("EXPORT_MODE", self.named(r::SQ_PGM_EXPORTS_PS.name, 0));
        latte.colours = Some(byte(mode >> 1));
        latte.exports_depth = mode & 1 != 0;
        latte.colour_mask = Some(self.named(r::CB_SHADER_MASK.name, 0));
        let control = self.named(r::DB_SHADER_CONTROL.name, 0);
        latte.kills = Some(r::DB_SHADER_CONTROL.get("KILL_ENABLE", control) != 0);
    }

    fn pixel_input(&self, index: u16) -> PixelInput {
        let word = self.named(r::SPI_PS_INPUT_CNTL.name, index);
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

    fn geometry(&self) -> GeometryRegisters {
        let primitive = self.named(r::VGT_GS_OUT_PRIM_TYPE.name, 0);
        let mode = self.named(r::VGT_GS_MODE.name, 0);
        GeometryRegisters {
            primitive: match r::VGT_GS_OUT_PRIM_TYPE.get("OUTPRIM_TYPE", primitive) {
                0 => OutputPrimitive::Points,
                1 => OutputPrimitive::LineStrip,
                _ => OutputPrimitive::TriangleStrip,
            },
            max_vertices: 1024 >> r::VGT_GS_MODE.get("CUT_MODE", mode),
            vertex_words: r::SQ_GS_VERT_ITEMSIZE.get("ITEMSIZE", self.named(r::SQ_GS_VERT_ITEMSIZE.name, 0)),
            ring_words: self.named("ring_item_size", 0),
            copy: Vec::new(),
        }
    }

    fn tables(&self, latte: &mut Latte) {
        let name =
            |pointer| String::from_utf8_lossy(self.short_text(pointer).unwrap_or_default()).into_owned();
        latte.attributes = self
            .entries(TableKind::Attributes)
            .map(|entry| Attribute {
                name: name(entry.word(0)),
                ty: VarType(entry.word(1)),
                count: entry.word(2),
                location: entry.word(3),
            })
            .collect();
        latte.blocks = self
            .entries(TableKind::Blocks)
            .map(|entry| Block { name: name(entry.word(0)), buffer: entry.word(1), size: entry.word(2) })
            .collect();
        // One producer writes block 0 for uniforms that are in registers.
        let in_blocks = latte.uniform_mode == UniformMode::Blocks && !latte.blocks.is_empty();
        latte.uniforms = self
            .entries(TableKind::Uniforms)
            .map(|entry| Uniform {
                name: name(entry.word(0)),
                ty: VarType(entry.word(1)),
                count: entry.word(2),
                offset: entry.word(3),
                block: Some(entry.word(4)).filter(|&block| in_blocks && i32::try_from(block).is_ok()),
            })
            .collect();
        latte.initial_values = self
            .entries(TableKind::InitialValues)
            .map(|entry| InitialValue {
                value: [entry.word(0), entry.word(1), entry.word(2), entry.word(3)],
                offset: entry.word(4),
            })
            .collect();
        latte.loops = self
            .entries(TableKind::Loops)
            .map(|entry| LoopConstant { slot: entry.word(0), value: entry.word(1) })
            .collect();
        latte.samplers = self
            .entries(TableKind::Samplers)
            .map(|entry| {
                let kind = SamplerType::of(entry.word(1));
                Sampler {
                    name: name(entry.word(0)),
                    dimension: kind.map(|kind| kind.dimension),
                    shadow: kind.is_some_and(|kind| kind.shadow),
                    location: entry.word(2),
                }
            })
            .collect();
    }
}

fn used(semantic: u32) -> Option<u8> {
    (semantic != UNUSED).then(|| byte(semantic))
}

fn byte(value: u32) -> u8 {
    u8::try_from(value).unwrap_or(u8::MAX)
}

/// What a vertex program exports beside parameters, by the register that says it.
pub(crate) fn position_exports(control: u32) -> PositionExports {
    let field = |name| r::PA_CL_VS_OUT_CNTL.get(name, control);
    PositionExports {
        misc: field("VS_OUT_MISC_VEC_ENA") != 0,
        point_size: field("USE_VTX_POINT_SIZE") != 0,
        edge_flag: field("USE_VTX_EDGE_FLAG") != 0,
        layer: field("USE_VTX_RENDER_TARGET_INDX") != 0,
        viewport: field("USE_VTX_VIEWPORT_INDX") != 0,
        distances: [field("VS_OUT_CCDIST0_VEC_ENA") != 0, field("VS_OUT_CCDIST1_VEC_ENA") != 0],
        clip: byte(field("CLIP_DIST_ENA")),
        cull: byte(field("CULL_DIST_ENA")),
    }
}
