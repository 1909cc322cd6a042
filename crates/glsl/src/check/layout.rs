//! `layout(...)`: of variables, blocks and members, and of a whole stage.

use super::qualifier::{Qualifiers, Word};
use super::{Checker, Known};
use crate::errors::{Kind, Problem};
use crate::language::{Since, Stage, since_or};
use crate::parse::syntax::LayoutItem;
use crate::place::Span;
use crate::tree::{Format, FormatKind, Layout, MatrixLayout};
use crate::types::layout::Packing;

/// What a layout belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Of {
    /// A variable outside of functions, with its storage.
    Variable(Option<Word>),
    /// A block, with its storage.
    Block(Word),
    /// A member of a block.
    Member(Word),
    /// `layout(...) uniform;`
    Default(Word),
}

impl Of {
    fn word(self) -> Option<Word> {
        match self {
            Self::Variable(word) => word,
            Self::Block(word) | Self::Member(word) | Self::Default(word) => Some(word),
        }
    }
}

/// What `layout(...) uniform;`, `buffer;` and `out;` leave for what follows.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Defaults {
    pub uniform: (Option<Packing>, Option<MatrixLayout>),
    pub buffer: (Option<Packing>, Option<MatrixLayout>),
    pub stream: u32,
    pub xfb_buffer: u32,
}

const fn format(name: &'static str, components: u8, bits: u8, kind: FormatKind) -> Format {
    Format { name, components, bits, kind }
}

/// Formats of images; the first ones are in GLSL ES too.
static FORMATS: &[Format] = &[
    format("rgba32f", 4, 32, FormatKind::Float),
    format("rgba16f", 4, 16, FormatKind::Float),
    format("r32f", 1, 32, FormatKind::Float),
    format("rgba8", 4, 8, FormatKind::Unorm),
    format("rgba8_snorm", 4, 8, FormatKind::Snorm),
    format("rgba32i", 4, 32, FormatKind::Int),
    format("rgba16i", 4, 16, FormatKind::Int),
    format("rgba8i", 4, 8, FormatKind::Int),
    format("r32i", 1, 32, FormatKind::Int),
    format("rgba32ui", 4, 32, FormatKind::Uint),
    format("rgba16ui", 4, 16, FormatKind::Uint),
    format("rgba8ui", 4, 8, FormatKind::Uint),
    format("r32ui", 1, 32, FormatKind::Uint),
    format("rg32f", 2, 32, FormatKind::Float),
    format("rg16f", 2, 16, FormatKind::Float),
    format("r11f_g11f_b10f", 3, 11, FormatKind::Float),
    format("r16f", 1, 16, FormatKind::Float),
    format("rgba16", 4, 16, FormatKind::Unorm),
    format("rgb10_a2", 4, 10, FormatKind::Unorm),
    format("rg16", 2, 16, FormatKind::Unorm),
    format("rg8", 2, 8, FormatKind::Unorm),
    format("r16", 1, 16, FormatKind::Unorm),
    format("r8", 1, 8, FormatKind::Unorm),
    format("rgba16_snorm", 4, 16, FormatKind::Snorm),
    format("rg16_snorm", 2, 16, FormatKind::Snorm),
    format("rg8_snorm", 2, 8, FormatKind::Snorm),
    format("r16_snorm", 1, 16, FormatKind::Snorm),
    format("r8_snorm", 1, 8, FormatKind::Snorm),
    format("rg32i", 2, 32, FormatKind::Int),
    format("rg16i", 2, 16, FormatKind::Int),
    format("rg8i", 2, 8, FormatKind::Int),
    format("r16i", 1, 16, FormatKind::Int),
    format("r8i", 1, 8, FormatKind::Int),
    format("rg32ui", 2, 32, FormatKind::Uint),
    format("rg16ui", 2, 16, FormatKind::Uint),
    format("rg8ui", 2, 8, FormatKind::Uint),
    format("rgb10_a2ui", 4, 10, FormatKind::Uint),
    format("r16ui", 1, 16, FormatKind::Uint),
    format("r8ui", 1, 8, FormatKind::Uint),
    format("r64i", 1, 64, FormatKind::Int),
    format("r64ui", 1, 64, FormatKind::Uint),
];
const ES_FORMATS: usize = 13;

/// Names of layouts of variables and blocks, for suggestions.
static NAMES: &[&str] = &[
    "location",
    "component",
    "index",
    "binding",
    "set",
    "offset",
    "align",
    "std140",
    "std430",
    "shared",
    "packed",
    "scalar",
    "row_major",
    "column_major",
    "push_constant",
    "constant_id",
    "input_attachment_index",
    "stream",
    "xfb_buffer",
    "xfb_offset",
    "xfb_stride",
    "local_size_x",
    "local_size_y",
    "local_size_z",
    "max_vertices",
    "vertices",
    "invocations",
    "points",
    "lines",
    "triangles",
    "quads",
    "isolines",
    "line_strip",
    "triangle_strip",
    "early_fragment_tests",
    "origin_upper_left",
    "pixel_center_integer",
    "depth_any",
    "depth_greater",
    "depth_less",
    "depth_unchanged",
];

impl Checker<'_> {
    /// The value of `name = value`: a constant of at least 0.
    pub(super) fn layout_value(&mut self, item: &LayoutItem) -> Option<u32> {
        let name = self.text(item.name.symbol).to_owned();
        let Some(value) = item.value else {
            let problem = Problem::error(Kind::Layout, item.name.span, format!("`{name}` needs a value"));
            self.report(problem.help(format!("`{name} = 0`")));
            return None;
        };
        let span = self.span(value);
        if !matches!(self.syntax.get(value).kind, crate::parse::syntax::ExpressionKind::Integer(..)) {
            let since = since_or(440, 0, &["GL_ARB_enhanced_layouts"]);
            self.need(&since, span, "layouts with expressions");
        }
        let value = self.expression(value)?;
        let (number, known) = self.whole_number(value, &format!("`{name}`"))?;
        if known == Known::Specialized {
            self.error(Kind::Layout, span, format!("`{name}` cannot be a specialization constant"));
            return None;
        }
        match u32::try_from(number) {
            Ok(number) => Some(number),
            Err(_) => {
                self.error(Kind::Layout, span, format!("`{name}` is {number}; it must be from 0 up"));
                None
            }
        }
    }

    /// The layout of a variable, a block or a member. What it says of the stage is taken in.
    pub(super) fn layout_of(&mut self, qualifiers: &Qualifiers<'_>, of: Of) -> Layout {
        let mut layout = Layout::default();
        for item in &qualifiers.layout {
            self.layout_item(item, of, &mut layout);
        }
        layout
    }

    fn layout_item(&mut self, item: &LayoutItem, of: Of, layout: &mut Layout) {
        let span = item.name.span;
        let text = self.text(item.name.symbol);
        let name = text.to_ascii_lowercase();
        let word = of.word();
        let stage = self.language.stage;
        let is_io =
            matches!(word, Some(Word::In | Word::Out | Word::InOut | Word::Attribute | Word::Varying));
        let is_memory = matches!(word, Some(Word::Uniform | Word::Buffer));
        let misplaced = |this: &mut Self, what: &str| {
            this.error(Kind::Layout, span, format!("`{name}` is of {what}"));
        };
        match name.as_str() {
            "location" => {
                if is_io {
                    let ends = (stage == Stage::Vertex && word == Some(Word::In))
                        || (stage == Stage::Fragment && matches!(word, Some(Word::Out | Word::InOut)))
                        || word == Some(Word::Attribute);
                    let since = match ends {
                        true => since_or(
                            330,
                            300,
                            &["GL_ARB_explicit_attrib_location", "GL_EXT_separate_shader_objects"],
                        ),
                        false => since_or(
                            410,
                            310,
                            &["GL_ARB_separate_shader_objects", "GL_EXT_separate_shader_objects"],
                        ),
                    };
                    self.need(&since, span, "location here");
                    if let Of::Block(_) = of {
                        let since = since_or(
                            440,
                            320,
                            &[
                                "GL_ARB_enhanced_layouts",
                                "GL_EXT_shader_io_blocks",
                                "GL_OES_shader_io_blocks",
                            ],
                        );
                        self.need(&since, span, "location of a block");
                    }
                } else if word == Some(Word::Uniform) && !matches!(of, Of::Member(_)) {
                    let since = since_or(430, 310, &["GL_ARB_explicit_uniform_location"]);
                    self.need(&since, span, "location of uniforms");
                    if matches!(of, Of::Block(_)) {
                        misplaced(self, "variables");
                    }
                } else {
                    misplaced(self, "inputs, outputs and uniforms");
                }
                layout.location = self.layout_value(item);
                if let Some(location) = layout.location
                    && location >= 0x8_0000
                {
                    self.error(Kind::Layout, span, format!("`location` is {location}, which is too much"));
                }
            }
            "component" => {
                self.need(&since_or(440, 0, &["GL_ARB_enhanced_layouts"]), span, "component");
                if !is_io {
                    misplaced(self, "inputs and outputs");
                }
                layout.component = self.layout_value(item);
                if let Some(component @ 4..) = layout.component {
                    self.error(
                        Kind::Layout,
                        span,
                        format!("`component` is {component}; it must be at most 3"),
                    );
                }
            }
            "index" => {
                let since =
                    since_or(330, 0, &["GL_ARB_explicit_attrib_location", "GL_EXT_blend_func_extended"]);
                self.need(&since, span, "index");
                if stage != Stage::Fragment || word != Some(Word::Out) {
                    misplaced(self, "outputs of fragment shaders");
                }
                layout.index = self.layout_value(item);
                if let Some(index @ 2..) = layout.index {
                    self.error(Kind::Layout, span, format!("`index` is {index}; it must be 0 or 1"));
                }
            }
            "binding" => {
                self.need(&since_or(420, 310, &["GL_ARB_shading_language_420pack"]), span, "binding");
                if !is_memory && !matches!(of, Of::Variable(None)) || matches!(of, Of::Member(_)) {
                    misplaced(self, "uniforms and buffers");
                }
                layout.binding = self.layout_value(item);
                if let Some(binding @ 0xffff..) = layout.binding {
                    self.error(Kind::Layout, span, format!("`binding` is {binding}, which is too much"));
                }
            }
            "set" => {
                if !is_memory {
                    misplaced(self, "uniforms and buffers");
                }
                layout.set = self.layout_value(item);
                if !self.language.is_vulkan() && layout.set != Some(0) {
                    self.error(Kind::Layout, span, "`set` is of Vulkan");
                }
            }
            "offset" => {
                let since = match of {
                    Of::Member(_) => since_or(440, 0, &["GL_ARB_enhanced_layouts"]),
                    _ => since_or(420, 310, &["GL_ARB_shader_atomic_counters", "GL_ARB_enhanced_layouts"]),
                };
                if !self.language.is_vulkan() {
                    self.need(&since, span, "offset");
                }
                layout.offset = self.layout_value(item);
            }
            "align" => {
                if !self.language.is_vulkan() {
                    self.need(&since_or(440, 0, &["GL_ARB_enhanced_layouts"]), span, "align");
                }
                if !is_memory {
                    misplaced(self, "uniform and buffer blocks");
                }
                layout.align = self.layout_value(item);
                if let Some(align) = layout.align
                    && !align.is_power_of_two()
                {
                    self.error(Kind::Layout, span, format!("`align` is {align}; it must be a power of 2"));
                    layout.align = None;
                }
            }
            "std140" | "std430" | "shared" | "packed" | "scalar" => {
                let packing = match name.as_str() {
                    "std140" => Packing::Std140,
                    "std430" => Packing::Std430,
                    "packed" => Packing::Packed,
                    "scalar" => Packing::Scalar,
                    _ => Packing::Shared,
                };
                match of {
                    Of::Block(Word::Uniform | Word::Buffer) | Of::Default(Word::Uniform | Word::Buffer) => {}
                    Of::Block(Word::Shared) | Of::Default(Word::Shared) => {}
                    _ => misplaced(self, "uniform and buffer blocks"),
                }
                if packing == Packing::Std430 {
                    self.need(&since_or(430, 310, &["GL_ARB_shader_storage_buffer_object"]), span, "std430");
                    let scalar = self.language.is_enabled("GL_EXT_scalar_block_layout");
                    if word == Some(Word::Uniform) && !self.language.is_vulkan() && !scalar {
                        misplaced(self, "buffer blocks");
                    }
                }
                if packing == Packing::Scalar {
                    self.need(&since_or(0, 0, &["GL_EXT_scalar_block_layout"]), span, "scalar layout");
                }
                let is_gl_only = matches!(packing, Packing::Shared | Packing::Packed);
                if is_gl_only && self.language.is_vulkan() {
                    self.error(Kind::Layout, span, format!("Vulkan has no `{name}` blocks"));
                }
                layout.packing = Some(packing);
            }
            "row_major" | "column_major" => {
                if !is_memory {
                    misplaced(self, "uniform and buffer blocks");
                }
                layout.matrix = Some(match name.as_str() {
                    "row_major" => MatrixLayout::RowMajor,
                    _ => MatrixLayout::ColumnMajor,
                });
            }
            "push_constant" => {
                if !self.language.is_vulkan() {
                    self.error(Kind::Layout, span, "`push_constant` is of Vulkan");
                }
                if of != Of::Block(Word::Uniform) {
                    misplaced(self, "uniform blocks");
                }
                layout.is_push_constant = true;
            }
            "constant_id" => {
                if !self.language.is_vulkan() && !self.language.is_enabled("GL_ARB_gl_spirv") {
                    self.error(Kind::Layout, span, "`constant_id` is of Vulkan");
                }
                if of != Of::Variable(None) {
                    misplaced(self, "`const` variables");
                }
                layout.constant_id = self.layout_value(item);
            }
            "input_attachment_index" => {
                if !self.language.is_vulkan() {
                    self.error(Kind::Layout, span, "`input_attachment_index` is of Vulkan");
                }
                layout.input_attachment_index = self.layout_value(item);
            }
            "stream" => {
                self.need(&since_or(150, 0, &["GL_ARB_gpu_shader5"]), span, "streams");
                if stage != Stage::Geometry || word != Some(Word::Out) {
                    misplaced(self, "outputs of geometry shaders");
                }
                layout.stream = self.layout_value(item);
                if let Some(stream @ 4..) = layout.stream {
                    self.error(Kind::Layout, span, format!("`stream` is {stream}; it must be at most 3"));
                }
                if let (Of::Default(_), Some(stream)) = (of, layout.stream) {
                    self.defaults.stream = stream;
                    self.layout.geometry.stream = stream;
                }
            }
            "xfb_buffer" | "xfb_offset" | "xfb_stride" => {
                self.need(
                    &since_or(440, 0, &["GL_ARB_enhanced_layouts"]),
                    span,
                    "transform feedback layouts",
                );
                if word != Some(Word::Out) || stage == Stage::Fragment {
                    misplaced(self, "outputs before the fragment shader");
                }
                let value = self.layout_value(item);
                match name.as_str() {
                    "xfb_buffer" => {
                        if let Some(buffer @ 4..) = value {
                            self.error(
                                Kind::Layout,
                                span,
                                format!("`xfb_buffer` is {buffer}; it must be at most 3"),
                            );
                        }
                        layout.xfb_buffer = value;
                    }
                    "xfb_offset" => layout.xfb_offset = value,
                    _ => layout.xfb_stride = value,
                }
            }
            _ => {
                if let Some((number, format)) =
                    FORMATS.iter().enumerate().find(|(_, format)| format.name == name)
                {
                    self.format(*format, number, span);
                    if word != Some(Word::Uniform) || matches!(of, Of::Block(_) | Of::Member(_)) {
                        misplaced(self, "images");
                    }
                    layout.format = Some(*format);
                } else if !self.stage_item(item, &name, of) {
                    let problem = Problem::error(Kind::Layout, span, format!("there is no layout `{name}`"));
                    let formats = FORMATS.iter().map(|format| format.name);
                    let problem = problem.near(&name, NAMES.iter().copied().chain(formats));
                    self.report(problem);
                }
                return;
            }
        }
        let takes_value = matches!(
            name.as_str(),
            "std140"
                | "std430"
                | "shared"
                | "packed"
                | "scalar"
                | "row_major"
                | "column_major"
                | "push_constant"
        );
        if takes_value && item.value.is_some() {
            self.error(Kind::Layout, span, format!("`{name}` takes no value"));
        }
    }

    fn format(&mut self, format: Format, number: usize, span: Span) {
        let name = format!("the format `{}`", format.name);
        let since = match format.bits {
            64 => since_or(0, 0, &["GL_EXT_shader_image_int64"]),
            _ if number < ES_FORMATS => {
                since_or(420, 310, &["GL_ARB_shader_image_load_store", "GL_EXT_shader_image_load_store"])
            }
            _ => since_or(
                420,
                0,
                &["GL_ARB_shader_image_load_store", "GL_EXT_shader_image_load_store", "GL_NV_image_formats"],
            ),
        };
        self.need(&since, span, &name);
    }

    /// A layout has no place on things that are not global.
    pub(super) fn no_layout(&mut self, qualifiers: &Qualifiers<'_>, what: &str) {
        if let Some(item) = qualifiers.layout.first() {
            self.error(Kind::Layout, item.name.span, format!("{what} have no layout"));
        }
    }

    /// Blocks of uniforms and buffers.
    pub(super) const UNIFORM_BLOCKS: Since = since_or(140, 300, &["GL_ARB_uniform_buffer_object"]);
    pub(super) const IO_BLOCKS: Since =
        since_or(150, 320, &["GL_EXT_shader_io_blocks", "GL_OES_shader_io_blocks", "GL_EXT_geometry_shader"]);
}
