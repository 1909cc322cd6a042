//! Fetches from textures and buffers.

use super::super::bindings::{self, FetchSource, fetch_source};
use super::super::fields::{Tex, Vtx};
use super::super::semantics::alu::{Arithmetic, FLOAT};
use super::super::semantics::sample::{self, Kept};
use super::super::{Fetch, FetchOp};
use super::registers::Register;
use super::write::{Step, Writer};
use super::{buffer, memory};
use unshade_ir::{Axis, Op, Texture, TextureLevel, TextureQuery, TextureShape, Value};
use unshade_stage::StageKind;

/// Writes a fetch. `index`: slot of the loop index.
pub(super) fn write(w: &mut Writer<'_>, kind: StageKind, inst: Fetch, index: Option<u8>) {
    match inst.op() {
        op @ (FetchOp::VtxFetch | FetchOp::VtxSemantic) => vertex(w, kind, inst.vtx(), op, index),
        FetchOp::Mem => memory::fetch(w, inst, index),
        FetchOp::GetLerp => {}
        op => texture(w, inst.tex(), op, index),
    }
}

/// A register whose number the loop index may be added to.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place {
    register: u8,
    index: Option<Value>,
}

impl Place {
    /// The register of a field.
    pub(super) fn new(w: &mut Writer<'_>, register: u32, relative: u32, index: Option<u8>) -> Self {
        let index = index.filter(|_| relative != 0).map(|slot| w.read(Register::Index(slot)));
        Self { register: register as u8, index }
    }

    pub(super) fn read(self, w: &mut Writer<'_>, lane: u8) -> Value {
        match self.index {
            Some(index) => w.read_at(self.register, lane, index),
            None => w.read(Register::Gpr(self.register, lane)),
        }
    }

    fn write(self, w: &mut Writer<'_>, lane: u8, value: Value) {
        match self.index {
            Some(index) => w.write_at(self.register, lane, index, value),
            None => w.write(Register::Gpr(self.register, lane), value),
        }
    }

    /// Puts a result there.
    pub(super) fn put(self, w: &mut Writer<'_>, swizzle: [u32; 4], values: [Value; 4]) {
        for (lane, select) in (0_u8..).zip(swizzle) {
            w.at(Step::Output, lane.into());
            if let Some(value) = selected(w, values, select) {
                self.write(w, lane, value);
            }
        }
    }
}

/// What a selector takes of a vector; none: nothing.
pub(super) fn selected(w: &mut Writer<'_>, values: [Value; 4], select: u32) -> Option<Value> {
    match select {
        0..=3 => Some(values[select as usize]),
        4 => Some(w.bits(0)),
        5 => Some(w.float(1.0)),
        _ => None,
    }
}

fn vertex(w: &mut Writer<'_>, kind: StageKind, inst: Vtx, op: FetchOp, index: Option<u8>) {
    w.at(Step::Flow, 0);
    let to = if op == FetchOp::VtxSemantic {
        let id = inst.semantic_id();
        let known = |known: &Option<u8>| known.is_some_and(|known| u32::from(known) == id);
        let Some(place) = w.latte.semantics.iter().position(known) else { return };
        Place { register: (place + 1) as u8, index: None }
    } else {
        Place::new(w, inst.dst_gpr(), inst.dst_rel(), index)
    };
    let from = Place::new(w, inst.src_gpr(), inst.src_rel(), index);
    let element = from.read(w, inst.src_sel_x() as u8);
    let source = fetch_source(kind, w.latte, inst);
    let values = match source {
        FetchSource::Texels(unit) => {
            let texture = Texture {
                query: TextureQuery::Texel,
                ..Texture::sample(unit, TextureShape::Buffer, TextureLevel::Quad)
            };
            ask(w, texture, &[element])
        }
        _ => buffer::element(w, source, inst, element),
    };
    to.put(w, inst.dst_swizzle(), values);
}

fn ask(w: &mut Writer<'_>, texture: Texture, operands: &[Value]) -> [Value; 4] {
    w.at(Step::Result, 0);
    let values = w.builder.values(Op::Texture(texture), operands);
    let mut texel = [Value::default(); 4];
    texel.iter_mut().zip(&values).for_each(|(place, value)| *place = *value);
    texel
}

/// How the swizzled source changes along an axis.
fn derivatives(w: &mut Writer<'_>, axis: Axis, values: [Value; 4]) -> [Value; 4] {
    let mut lane = 0;
    values.map(|value| {
        w.at(Step::Result, lane);
        lane += 1;
        w.value(Op::Derivative(axis, FLOAT), &[value])
    })
}

fn texture(w: &mut Writer<'_>, inst: Tex, op: FetchOp, index: Option<u8>) {
    w.at(Step::Flow, 0);
    let from = Place::new(w, inst.src_gpr(), inst.src_rel(), index);
    let to = Place::new(w, inst.dst_gpr(), inst.dst_rel(), index);
    let mut source = [Value::default(); 4];
    for (lane, (place, select)) in (0_u32..).zip(source.iter_mut().zip(inst.src_swizzle())) {
        w.at(Step::Source(0), lane);
        *place = match select {
            0..=3 => from.read(w, select as u8),
            5 => w.float(1.0),
            _ => w.bits(0),
        };
    }
    let swizzle = inst.dst_swizzle();
    match op {
        FetchOp::GetGradientsH | FetchOp::GetGradientsV => {
            let axis = if op == FetchOp::GetGradientsH { Axis::X } else { Axis::Y };
            let changes = derivatives(w, axis, source);
            to.put(w, swizzle, changes);
        }
        FetchOp::KeepGradients => {
            for (n, axis) in (0_u8..).zip([Axis::X, Axis::Y]) {
                let changes = derivatives(w, axis, source);
                keep(w, n, changes);
            }
        }
        FetchOp::SetGradientsH => keep(w, 0, source),
        FetchOp::SetGradientsV => keep(w, 1, source),
        FetchOp::SetCubemapIndex => w.write(Register::Cube, source[0]),
        FetchOp::Pass => to.put(w, swizzle, source),
        _ => {
            let unit = bindings::texture_unit(w.latte, inst.resource_id());
            let shape = sample::shape(w.latte, inst, op, unit);
            let Some(texture) = sample::query(inst, op, unit, shape) else { return };
            let mut gradients = [[w.bits(0); 3]; 2];
            if texture.level == TextureLevel::Gradients {
                for (n, gradient) in (0_u8..).zip(&mut gradients) {
                    for (lane, place) in (0_u8..).zip(gradient) {
                        *place = w.read(Register::Gradient(n, lane));
                    }
                }
            }
            let cube = match shape {
                TextureShape::CubeArray => w.read(Register::Cube),
                _ => w.bits(0),
            };
            w.at(Step::Result, 0);
            let operands = sample::operands(w, inst, op, texture, source, Kept { gradients, cube });
            let texel = ask(w, texture, operands.as_slice());
            to.put(w, swizzle, sample::arranged(op, texel));
        }
    }
}

/// Keeps gradients for the samples that follow.
fn keep(w: &mut Writer<'_>, n: u8, values: [Value; 4]) {
    for (lane, value) in (0_u8..3).zip(values) {
        w.write(Register::Gradient(n, lane), value);
    }
}
