//! Clauses of fetches: from buffers, from memory, from textures.

use super::super::bindings::{self, FetchSource};
use super::super::fields::{CfAlu, CfNormal, Tex, Vtx};
use super::super::inst::Fetch;
use super::super::semantics::sample;
use super::super::table::FetchOp;
use super::Program;
use super::around::Around;
use super::fetch;
use super::flow::Mask;
use super::group::Clause;
use super::memory::{register, selected};
use super::outcome::Fault;
use super::progress::Inside;
use super::run::{Run, Stop, each};
use super::state::{Lane, Vector};
use super::trace::Action;
use super::value::Bits;
use unshade_ir::{Axis, Texture, TextureLevel, TextureQuery, TextureShape};
use unshade_isa_common::trace::Trace;

impl<A: Around, T: Trace<Program>> Run<'_, A, T> {
    /// A clause of fetches.
    pub(super) fn fetches(&mut self, cf: CfNormal, lanes: Mask) -> Result<(), Stop> {
        let code = self.code();
        let end = u64::from(cf.addr()) + 2 * u64::from(cf.clause_length());
        if end > u64::from(code.units()) {
            return Err(Fault::ClauseOutside.into());
        }
        let mut inside = self.inside.take().unwrap_or_else(|| {
            let clause = Clause::new(CfAlu(0), 0, false);
            Inside { done: 0, before: self.flow.active, clause }
        });
        for (address, inst) in code.fetches(cf).skip(inside.done) {
            self.pause_inside(&mut inside)?;
            self.pay(1)?;
            if lanes != 0 {
                self.fetch(inst, lanes)?;
            }
            if T::ACTIVE {
                self.report(address, Action::Fetch(inst));
            }
        }
        Ok(())
    }

    fn fetch(&mut self, inst: Fetch, lanes: Mask) -> Result<(), Stop> {
        let op = inst.op();
        match op {
            FetchOp::VtxFetch | FetchOp::VtxSemantic => self.buffer(inst.vtx(), op, lanes),
            FetchOp::Mem => return Ok(self.scratch(inst.tex(), lanes)?),
            FetchOp::GetLerp => return Err(Fault::Unsupported.into()),
            _ => self.texture(inst.tex(), op, lanes),
        }
        Ok(())
    }

    /// Registers and loop index: the number that a field means.
    fn number(&self, number: u32, relative: u32) -> i64 {
        i64::from(number) + if relative != 0 { i64::from(self.flow.index) } else { 0 }
    }

    /// Puts a result into a register.
    fn put(&mut self, lane: usize, number: i64, swizzle: [u32; 4], value: Vector) {
        let Some(place) =
            usize::try_from(number).ok().and_then(|number| self.lanes[lane].registers.get_mut(number))
        else {
            return;
        };
        let mut mask = 0;
        for (component, (place, sel)) in place.iter_mut().zip(swizzle).enumerate() {
            if let Some(bits) = selected(value, sel) {
                *place = bits;
                mask |= 1 << component;
            }
        }
        self.note(lane, number, mask);
    }

    fn buffer(&mut self, inst: Vtx, op: FetchOp, lanes: Mask) {
        let latte = &self.program.latte;
        let source = bindings::fetch_source(self.program.kind, latte, inst);
        let to = if op == FetchOp::VtxSemantic {
            let id = inst.semantic_id();
            let place =
                latte.semantics.iter().position(|known| known.is_some_and(|known| u32::from(known) == id));
            // What no register is for is dropped.
            let Some(place) = place else { return };
            place as i64 + 1
        } else {
            self.number(inst.dst_gpr(), inst.dst_rel())
        };
        let from = self.number(inst.src_gpr(), inst.src_rel());
        let index = |lane: &Lane| register(lane, from)[inst.src_sel_x() as usize & 3];
        // Where the buffer is described, it is a buffer; else it is what the textures say.
        let texels = match source {
            FetchSource::Texels(unit) if !self.resources.buffers.contains_key(&inst.buffer_id()) => {
                Some(unit)
            }
            _ => None,
        };
        if let Some(unit) = texels {
            let texture = Texture {
                query: TextureQuery::Texel,
                ..Texture::sample(unit, TextureShape::Buffer, TextureLevel::Quad)
            };
            let mut indices = [sample::Operands::one(0); 4];
            for (n, lane) in self.lanes.iter().enumerate() {
                indices[n] = sample::Operands::one(index(lane));
            }
            let texels = self.around.texture(texture, self.lanes.len(), &indices, None, lanes);
            each(lanes).for_each(|n| self.put(n, to, inst.dst_swizzle(), texels[n]));
            return;
        }
        for n in each(lanes) {
            let value = fetch::fetch(self.resources, source, inst, index(&self.lanes[n]));
            self.put(n, to, inst.dst_swizzle(), value);
        }
    }

    /// The fetch form of a read from scratch memory (R700 manual, MEM_RD): the operation in bits 8-10, 0 scratch
    /// and 1 reduction; indexed in bit 12; the array base in the third word.
    fn scratch(&mut self, inst: Tex, lanes: Mask) -> Result<(), Fault> {
        let operation = inst.0 >> 8 & 7;
        if operation > 1 {
            return Err(Fault::Unsupported);
        }
        let vtx = Vtx(inst.0);
        let (from, to) =
            (self.number(vtx.src_gpr(), vtx.src_rel()), self.number(vtx.dst_gpr(), vtx.dst_rel()));
        let base = (inst.0 >> 64) as u64 & 0x1FFF;
        for n in each(lanes) {
            let indexed = inst.0 >> 12 & 1 != 0;
            let lane = &self.lanes[n];
            let index = if indexed { register(lane, from)[vtx.src_sel_x() as usize & 3] } else { 0 };
            let region = if operation == 0 { &lane.scratch } else { &lane.reduction };
            let start = (base as i64 + i64::from(index as i32)) * 4;
            let value =
                std::array::from_fn(|c| u64::try_from(start + c as i64).map_or(0, |word| region.read(word)));
            self.put(n, to, vtx.dst_swizzle(), value);
        }
        Ok(())
    }

    fn texture(&mut self, inst: Tex, op: FetchOp, lanes: Mask) {
        let count = self.lanes.len();
        let from = self.number(inst.src_gpr(), inst.src_rel());
        let to = self.number(inst.dst_gpr(), inst.dst_rel());
        let mut c = [[0; 4]; 4];
        for (c, lane) in c.iter_mut().zip(self.lanes.iter()) {
            let value = register(lane, from);
            *c = inst.src_swizzle().map(|sel| selected(value, sel).unwrap_or(0));
        }
        let swizzle = inst.dst_swizzle();
        match op {
            FetchOp::GetGradientsH | FetchOp::GetGradientsV => {
                let axis = if op == FetchOp::GetGradientsH { Axis::X } else { Axis::Y };
                let changes = self.around.derivative(axis, count, &c);
                each(lanes).for_each(|n| self.put(n, to, swizzle, changes[n]));
            }
            FetchOp::KeepGradients => {
                let changes = [Axis::X, Axis::Y].map(|axis| self.around.derivative(axis, count, &c));
                for n in each(lanes) {
                    self.kept[n].gradients = changes.map(|change| [change[n][0], change[n][1], change[n][2]]);
                }
            }
            FetchOp::SetGradientsH | FetchOp::SetGradientsV => {
                let axis = usize::from(op == FetchOp::SetGradientsV);
                for n in each(lanes) {
                    self.kept[n].gradients[axis] = [c[n][0], c[n][1], c[n][2]];
                }
            }
            FetchOp::SetCubemapIndex => each(lanes).for_each(|n| self.kept[n].cube = c[n][0]),
            FetchOp::Pass => each(lanes).for_each(|n| self.put(n, to, swizzle, c[n])),
            _ => {
                let latte = &self.program.latte;
                let unit = bindings::texture_unit(latte, inst.resource_id());
                let shape = sample::shape(latte, inst, op, unit);
                let Some(texture) = sample::query(inst, op, unit, shape) else { return };
                let operands = std::array::from_fn(|n| {
                    sample::operands(&mut Bits, inst, op, texture, c[n], self.kept[n])
                });
                let cube = shape.is_cube();
                let faces = cube.then(|| c.map(|[x, y, face, _]| [x, y, face].map(f32::from_bits)));
                let texels = self.around.texture(texture, count, &operands, faces, lanes);
                each(lanes).for_each(|n| self.put(n, to, swizzle, sample::arranged(op, texels[n])));
            }
        }
    }
}
