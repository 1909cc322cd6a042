//! What surrounds a program: primitives, interpolation, distances to planes, outputs that go to buffers, and
//! which version has which.

use super::{GlslVersion, Printer};
use crate::interface::{BuiltIn, Fixed, Role, Slot, is_streamed};
use crate::system::System;
use crate::{Error, Options};
use std::fmt::Write as _;
use unshade_ir::ast::{GlobalVar, Program, Scalar};
use unshade_ir::{Interpolation, Sampling, Space};
use unshade_stage::StageKind;

/// Refuses inputs and outputs of the pipeline that a version does not have.
pub(super) fn check(program: &Program, slots: &[Slot], options: &Options) -> Result<(), Error> {
    let version = options.glsl;
    let geometry = options.kind == StageKind::Geometry;
    let desktop = !version.is_es();
    for (variable, slot) in program.globals.iter().zip(slots) {
        let has = match slot.role {
            Role::PointSize => !geometry || desktop,
            Role::BuiltIn(BuiltIn::VertexId | BuiltIn::InstanceId) => !version.is_old(),
            Role::BuiltIn(BuiltIn::PrimitiveId) => desktop || version == GlslVersion::Es320,
            Role::Fixed(Fixed::Depth) => !version.is_old(),
            // ES has sizes of points in geometry programs only as an extension.
            Role::Fixed(Fixed::Positions) => version == GlslVersion::Core450 || geometry,
            Role::Fixed(Fixed::PointSizes) => version == GlslVersion::Core450 || geometry && desktop,
            Role::Fixed(Fixed::Layer) => geometry || version == GlslVersion::Core450,
            Role::Fixed(Fixed::Viewport) => version == GlslVersion::Core450 || geometry && desktop,
            Role::Fixed(Fixed::ClipDistance) => desktop,
            Role::Fixed(Fixed::CullDistance) => version == GlslVersion::Core450,
            Role::BuiltIn(BuiltIn::System(system)) | Role::Fixed(Fixed::System(system)) => {
                system.has(version, geometry)
            }
            _ => true,
        };
        if !has {
            let what = variable.global.semantic.as_deref().unwrap_or("part");
            let message = format!("the {what} of a {} program in GLSL {}", options.kind, version.name());
            return Err(Error::unsupported(message));
        }
    }
    if geometry && options.geometry.invocations > 1 && version == GlslVersion::Core330 {
        return Err(Error::unsupported("a geometry program of several invocations in GLSL 330"));
    }
    Ok(())
}

impl System {
    /// Whether a version has it, in a geometry program or another.
    fn has(&self, version: GlslVersion, geometry: bool) -> bool {
        match version {
            GlslVersion::Core450 => true,
            GlslVersion::Core330 => match self.semantic {
                "primitive-id" => geometry,
                "clip-distance" => true,
                _ => false,
            },
            GlslVersion::Es320 => geometry && matches!(self.semantic, "primitive-id" | "invocation-id"),
            _ => false,
        }
    }
}

impl Printer<'_> {
    /// Extensions that outputs of the pipeline need.
    pub(super) fn pipeline_extensions(&mut self) {
        for slot in self.slots.clone() {
            let vertex = matches!(self.options.kind, StageKind::Vertex | StageKind::TessEval);
            match slot.role {
                Role::Fixed(Fixed::Layer | Fixed::Viewport) if vertex => {
                    self.uses.extension("GL_ARB_shader_viewport_layer_array");
                }
                Role::Fixed(Fixed::Viewport) if self.version == GlslVersion::Core330 => {
                    self.uses.extension("GL_ARB_viewport_array");
                }
                Role::BuiltIn(BuiltIn::System(system)) if !system.extension.is_empty() => {
                    self.uses.extension(system.extension);
                }
                _ => {}
            }
        }
    }

    /// The primitives of a geometry program.
    pub(super) fn primitives(&mut self) {
        let tessellation = self.options.tessellation;
        match self.options.kind {
            StageKind::Geometry => {}
            StageKind::TessControl => {
                let of_outputs = |variable: &GlobalVar| {
                    let output = variable.global.space == Space::Output;
                    if output { variable.global.vertices } else { 0 }
                };
                let known = self.program.globals.iter().map(of_outputs).max().unwrap_or(0);
                let vertices = tessellation.vertices.max(known).max(1);
                let _ = writeln!(self.out, "\nlayout(vertices = {vertices}) out;");
                return;
            }
            StageKind::TessEval => {
                let (domain, spacing) = (tessellation.domain.name(), tessellation.spacing.name());
                let order = if tessellation.clockwise { "cw" } else { "ccw" };
                let points = if tessellation.points { ", point_mode" } else { "" };
                let _ = writeln!(self.out, "\nlayout({domain}, {spacing}, {order}{points}) in;");
                return;
            }
            StageKind::Compute => {
                let [x, y, z] = self.options.local_size.map(|size| size.max(1));
                let _ = writeln!(
                    self.out,
                    "\nlayout(local_size_x = {x}, local_size_y = {y}, local_size_z = {z}) in;"
                );
                return;
            }
            StageKind::Fragment if self.options.early_tests && self.version == GlslVersion::Core450 => {
                self.out.push_str("\nlayout(early_fragment_tests) in;\n");
                return;
            }
            _ => return,
        }
        let vertices = self.program.globals.iter().map(|variable| variable.global.vertices).max();
        let input = match vertices {
            Some(2) => "lines",
            Some(3) => "triangles",
            Some(4) => "lines_adjacency",
            Some(5..) => "triangles_adjacency",
            _ => "points",
        };
        let output = self.options.geometry.output.name();
        let bound = self.program.max_vertices.or(self.options.geometry.max_vertices);
        let most = bound.unwrap_or_else(|| self.room_for_vertices()).max(1);
        let invocations = match self.options.geometry.invocations {
            0 | 1 => String::new(),
            count => format!(", invocations = {count}"),
        };
        let _ = writeln!(
            self.out,
            "\nlayout({input}{invocations}) in;\nlayout({output}, max_vertices = {most}) out;"
        );
    }

    /// How an input of a fragment program is interpolated, with a blank behind each word.
    pub(super) fn interpolation(&self, index: usize) -> Result<String, Error> {
        let global = &self.program.globals[index].global;
        let refuse = |what: &str| {
            let version = self.version.name();
            Err(Error::unsupported(format!("the input {} {what} in GLSL {version}", global.name)))
        };
        if global.interpolation == Interpolation::Flat || self.slots[index].ty.scalar != Scalar::Float {
            return if self.version.is_old() {
                refuse("without interpolation")
            } else {
                Ok("flat ".to_owned())
            };
        }
        let mut words = String::new();
        if global.interpolation == Interpolation::Linear {
            if self.version.is_es() {
                return refuse("without perspective");
            }
            words.push_str("noperspective ");
        }
        match global.sampling {
            Sampling::Center => {}
            Sampling::Centroid if self.version.is_old() => return refuse("at the centroid"),
            Sampling::Centroid => words.push_str("centroid "),
            Sampling::Sample if !matches!(self.version, GlslVersion::Core450 | GlslVersion::Es320) => {
                return refuse("at each sample");
            }
            Sampling::Sample => words.push_str("sample "),
        }
        Ok(words)
    }

    /// Where an output goes in a buffer, inside of a layout; only 4.50 says it.
    pub(super) fn streamed(&self, layout: &mut String, index: usize) {
        let global = &self.program.globals[index].global;
        if global.stream > 0 {
            let _ = write!(layout, ", stream = {}", global.stream);
        }
        if is_streamed(global) && self.version == GlslVersion::Core450 {
            let offset = u64::from(global.offset) * 4;
            let _ =
                write!(layout, ", xfb_buffer = {}, xfb_offset = {offset}", global.binding.saturating_sub(1));
        }
    }

    /// Distances to planes have as many elements as the program says.
    pub(super) fn distances(&mut self) {
        for slot in self.slots.clone() {
            if let Role::Fixed(fixed @ (Fixed::ClipDistance | Fixed::CullDistance)) = slot.role {
                let _ = writeln!(self.out, "out float {}[{}];", fixed.name(), slot.elements());
            }
        }
    }
}
