//! `layout(...)` of a whole stage, and qualifiers that stand alone.

use super::Checker;
use super::layout::Of;
use super::qualifier::Word;
use crate::errors::{Kind, Problem};
use crate::language::{Stage, since_or};
use crate::parse::syntax::{LayoutItem, Name, Qualifier};
use crate::place::Span;
use crate::tree::{DepthLayout, GeometryInput, GeometryOutput, PrimitiveMode, Spacing};
use crate::types::Length;

impl Checker<'_> {
    /// What a layout says of the whole stage. False where there is no such name.
    pub(super) fn stage_item(&mut self, item: &LayoutItem, name: &str, of: Of) -> bool {
        let span = item.name.span;
        let stage = self.language.stage;
        let side = match of {
            Of::Default(word) => Some(word),
            // `layout(depth_greater) out float gl_FragDepth;` and the like.
            Of::Variable(word) => word,
            _ => None,
        };
        let is_default = matches!(of, Of::Default(_));
        let wants = |this: &mut Self, stages: &[Stage], word: Word| {
            let is_right = stages.contains(&stage) && side == Some(word) && is_default;
            if !is_right {
                let stages: Vec<&str> = stages.iter().map(|stage| stage.name()).collect();
                let message = format!(
                    "`{name}` is of `layout(...) {};` in {} shaders",
                    word.text(),
                    stages.join(" and ")
                );
                this.error(Kind::Layout, span, message);
            }
            is_right
        };
        let tessellation = [Stage::TessellationEvaluation];
        match name {
            "local_size_x" | "local_size_y" | "local_size_z" | "local_size_x_id" | "local_size_y_id"
            | "local_size_z_id" => {
                let axis =
                    usize::from(name.as_bytes().get(11).copied().unwrap_or(b'x').saturating_sub(b'x')).min(2);
                let is_id = name.ends_with("_id");
                if !wants(self, &[Stage::Compute], Word::In) {
                    return true;
                }
                self.need(&since_or(430, 310, &["GL_ARB_compute_shader"]), span, "work groups");
                if is_id && !self.language.is_vulkan() {
                    self.error(Kind::Layout, span, format!("`{name}` is of Vulkan"));
                }
                let Some(value) = self.layout_value(item) else { return true };
                let (slot, id) = match axis {
                    0 => (0, 0),
                    1 => (1, 1),
                    _ => (2, 2),
                };
                let [x, y, z] = self.layout.work_group.size;
                let was = [x, y, z].get(slot).copied().unwrap_or(1);
                self.layout.work_group.is_declared = true;
                if let Some(used) = self.size_used.take() {
                    let problem =
                        Problem::error(Kind::Layout, span, "the size of the work group behind a use of it");
                    self.report(problem.note(Some(used), "`gl_WorkGroupSize` is used here"));
                }
                if is_id {
                    if let Some(place) = self.layout.work_group.ids.get_mut(id) {
                        *place = Some(value);
                    }
                    return true;
                }
                let most = [1024, 1024, 64].get(slot).copied().unwrap_or(64);
                if value == 0 || value > most {
                    let message = format!("`{name}` is {value}; it must be from 1 to {most}");
                    self.error(Kind::Layout, span, message);
                    return true;
                }
                if was != 1 && was != value {
                    self.error(Kind::Layout, span, format!("`{name}` is {value}, and was {was} before"));
                }
                if let Some(place) = self.layout.work_group.size.get_mut(slot) {
                    *place = value;
                }
                true
            }
            "max_vertices" => {
                if !wants(self, &[Stage::Geometry], Word::Out) {
                    return true;
                }
                if let Some(value) = self.layout_value(item) {
                    if value > 256 {
                        self.error(
                            Kind::Layout,
                            span,
                            format!("`max_vertices` is {value}; it must be at most 256"),
                        );
                    }
                    self.say(span, name, value, |layout| &mut layout.geometry.max_vertices);
                }
                true
            }
            "invocations" => {
                if !wants(self, &[Stage::Geometry], Word::In) {
                    return true;
                }
                let since = since_or(400, 310, &["GL_ARB_gpu_shader5"]);
                self.need(&since, span, "invocations");
                if let Some(value) = self.layout_value(item) {
                    if value == 0 {
                        self.error(Kind::Layout, span, "`invocations` must be at least 1");
                    }
                    self.say(span, name, value, |layout| &mut layout.geometry.invocations);
                }
                true
            }
            "vertices" => {
                if !wants(self, &[Stage::TessellationControl], Word::Out) {
                    return true;
                }
                if let Some(value) = self.layout_value(item) {
                    if value == 0 || value > 32 {
                        self.error(
                            Kind::Layout,
                            span,
                            format!("`vertices` is {value}; it must be from 1 to 32"),
                        );
                        return true;
                    }
                    self.say(span, name, value, |layout| &mut layout.tessellation.vertices);
                    self.size_stage_arrays(value, true, span);
                }
                true
            }
            "points" if stage == Stage::Geometry && side == Some(Word::Out) => {
                self.say(span, name, GeometryOutput::Points, |layout| &mut layout.geometry.output);
                true
            }
            "line_strip" | "triangle_strip" => {
                if wants(self, &[Stage::Geometry], Word::Out) {
                    let output = match name {
                        "line_strip" => GeometryOutput::LineStrip,
                        _ => GeometryOutput::TriangleStrip,
                    };
                    self.say(span, name, output, |layout| &mut layout.geometry.output);
                }
                true
            }
            "triangles" if stage == Stage::TessellationEvaluation => {
                if wants(self, &tessellation, Word::In) {
                    self.say(span, name, PrimitiveMode::Triangles, |layout| &mut layout.tessellation.mode);
                }
                true
            }
            "points" | "lines" | "lines_adjacency" | "triangles" | "triangles_adjacency" => {
                if !wants(self, &[Stage::Geometry], Word::In) {
                    return true;
                }
                let input = match name {
                    "points" => GeometryInput::Points,
                    "lines" => GeometryInput::Lines,
                    "lines_adjacency" => GeometryInput::LinesAdjacency,
                    "triangles" => GeometryInput::Triangles,
                    _ => GeometryInput::TrianglesAdjacency,
                };
                self.say(span, name, input, |layout| &mut layout.geometry.input);
                self.size_stage_arrays(input.vertices(), false, span);
                true
            }
            "quads" | "isolines" => {
                if wants(self, &tessellation, Word::In) {
                    let mode = if name == "quads" { PrimitiveMode::Quads } else { PrimitiveMode::Isolines };
                    self.say(span, name, mode, |layout| &mut layout.tessellation.mode);
                }
                true
            }
            "equal_spacing" | "fractional_even_spacing" | "fractional_odd_spacing" => {
                if wants(self, &tessellation, Word::In) {
                    let spacing = match name {
                        "equal_spacing" => Spacing::Equal,
                        "fractional_even_spacing" => Spacing::FractionalEven,
                        _ => Spacing::FractionalOdd,
                    };
                    self.say(span, name, spacing, |layout| &mut layout.tessellation.spacing);
                }
                true
            }
            "cw" | "ccw" => {
                if wants(self, &tessellation, Word::In) {
                    self.layout.tessellation.is_clockwise = name == "cw";
                }
                true
            }
            "point_mode" => {
                if wants(self, &tessellation, Word::In) {
                    self.layout.tessellation.is_point_mode = true;
                }
                true
            }
            "early_fragment_tests" => {
                let since = since_or(420, 310, &["GL_ARB_shader_image_load_store"]);
                if wants(self, &[Stage::Fragment], Word::In)
                    && self.need(&since, span, "early_fragment_tests")
                {
                    self.layout.early_fragment_tests = true;
                }
                true
            }
            "post_depth_coverage" => {
                if wants(self, &[Stage::Fragment], Word::In) {
                    self.layout.post_depth_coverage = true;
                }
                true
            }
            "origin_upper_left" | "pixel_center_integer" => {
                let since = since_or(150, 0, &["GL_ARB_fragment_coord_conventions"]);
                self.need(&since, span, name);
                if stage != Stage::Fragment || side != Some(Word::In) || is_default {
                    self.error(Kind::Layout, span, format!("`{name}` is of `in vec4 gl_FragCoord;`"));
                }
                match name {
                    "origin_upper_left" => self.layout.origin_upper_left = true,
                    _ => self.layout.pixel_center_integer = true,
                }
                true
            }
            "depth_any" | "depth_greater" | "depth_less" | "depth_unchanged" => {
                let since = since_or(420, 0, &["GL_ARB_conservative_depth", "GL_EXT_conservative_depth"]);
                self.need(&since, span, name);
                if stage != Stage::Fragment || side != Some(Word::Out) || is_default {
                    self.error(Kind::Layout, span, format!("`{name}` is of `out float gl_FragDepth;`"));
                }
                let depth = match name {
                    "depth_any" => DepthLayout::Any,
                    "depth_greater" => DepthLayout::Greater,
                    "depth_less" => DepthLayout::Less,
                    _ => DepthLayout::Unchanged,
                };
                self.say(span, name, depth, |layout| &mut layout.depth);
                true
            }
            "noncoherent" => true,
            "num_views" => {
                let value = self.layout_value(item);
                self.layout.views = value;
                true
            }
            _ if name.starts_with("blend_support_") => {
                let since = since_or(0, 320, &["GL_KHR_blend_equation_advanced"]);
                self.need(&since, span, name);
                self.layout.blend_support.push(name.to_owned());
                true
            }
            _ => false,
        }
    }

    /// Sets a layout of the stage; one that says something else than before is an error.
    pub(super) fn say<T: Copy + PartialEq + std::fmt::Debug>(
        &mut self,
        span: Span,
        name: &str,
        value: T,
        slot: impl Fn(&mut crate::tree::StageLayout) -> &mut Option<T>,
    ) {
        let group =
            if name == "max_vertices" || name == "vertices" || name == "invocations" { name } else { "" };
        let key = format!("{group}{}", std::any::type_name::<T>());
        let is_same_line = self.said.insert(key, self.lines) == Some(self.lines);
        let slot = slot(&mut self.layout);
        match slot {
            // In one line the last word holds.
            Some(old) if *old != value && !is_same_line => {
                let message = format!("`{name}` contradicts a layout before it");
                self.error(Kind::Layout, span, message);
            }
            _ => *slot = Some(value),
        }
    }

    /// Gives inputs (or outputs) of a stage that are arrays by vertex their size.
    pub(super) fn size_stage_arrays(&mut self, count: u32, is_output: bool, span: Span) {
        self.charge(self.stage_arrays.len(), span);
        for (array, of_output) in self.stage_arrays.clone() {
            if of_output != is_output {
                continue;
            }
            match self.types.get_array(array).length {
                Length::Implicit => {
                    if let Some(largest) = self.implicit.get(&array.0)
                        && *largest >= count
                    {
                        let message = format!("an array of {count} by this layout is indexed with {largest}");
                        self.error(Kind::Layout, span, message);
                    }
                    self.types.set_length(array, Length::Known(count));
                }
                Length::Known(known) if known != count => {
                    let message =
                        format!("this layout asks for {count} vertices, and an array by vertex has {known}");
                    self.error(Kind::Layout, span, message);
                }
                _ => {}
            }
        }
    }

    /// Qualifiers alone: `layout(...) in;`, or with names: `invariant gl_Position;`.
    pub(super) fn standalone(&mut self, list: &[Qualifier], names: &[Name], span: Span) {
        let qualifiers = self.qualifiers(list);
        self.lines += 1;
        if !names.is_empty() {
            self.requalify(&qualifiers, names);
            return;
        }
        let Some((word, word_span)) = qualifiers.word else {
            let problem = Problem::error(Kind::Syntax, span, "qualifiers without a type or names");
            self.report(problem.help("a type and a name are missing, or `in`, `out`, `uniform`, `buffer`"));
            return;
        };
        if matches!(word, Word::Attribute | Word::Varying | Word::InOut) {
            self.error(Kind::Qualifier, word_span, format!("`{}` alone says nothing", word.text()));
            return;
        }
        if qualifiers.layout.is_empty() {
            let problem = Problem::error(Kind::Syntax, span, format!("`{}` alone says nothing", word.text()));
            self.report(problem.help("`layout(...)` before it, or a type and a name behind it"));
            return;
        }
        if qualifiers.interpolation_span.is_some() || qualifiers.is_const.is_some() || qualifiers.is_invariant
        {
            self.error(Kind::Qualifier, span, "only layouts and storage stand alone");
        }
        let layout = self.layout_of(&qualifiers, Of::Default(word));
        let is_of_things = layout.location.is_some()
            || layout.binding.is_some()
            || layout.component.is_some()
            || layout.index.is_some()
            || layout.constant_id.is_some()
            || layout.xfb_offset.is_some()
            || layout.is_push_constant;
        if is_of_things && !(word == Word::Uniform && layout.binding.is_some()) {
            self.error(Kind::Layout, span, "this layout is of a variable or a block, and there is none");
        }
        let defaults = match word {
            Word::Uniform => &mut self.defaults.uniform,
            Word::Buffer => &mut self.defaults.buffer,
            _ => {
                if let Some(buffer) = layout.xfb_buffer {
                    self.defaults.xfb_buffer = buffer;
                }
                if let Some(stride) = layout.xfb_stride {
                    let buffer = layout.xfb_buffer.unwrap_or(self.defaults.xfb_buffer);
                    self.layout.xfb_strides.push((buffer, stride));
                }
                return;
            }
        };
        defaults.0 = layout.packing.or(defaults.0);
        defaults.1 = layout.matrix.or(defaults.1);
    }
}
