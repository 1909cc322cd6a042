//! Operations of one lane by itself.

use super::access::{self, attribute_address};
use super::arithmetic::arithmetic;
use super::around::Around;
use super::operand::{Operands, register_of, write, write_predicate};
use super::run::Fault;
use super::state::{Event, Lane};
use super::warp::{Context, VERTEX_LIMIT, unit};
use super::{float, image, sample};
use crate::Register;
use crate::operation::*;

/// Does an operation in one lane.
pub(super) fn single<A: Around>(
    context: &mut Context<'_, A>,
    operation: &Operation,
    n: usize,
) -> Result<(), Fault> {
    if stops(operation).is_some() {
        return Err(Fault::Stopped);
    }
    if let Some(done) = arithmetic(&mut context.lanes[n], context.resources, operation) {
        return done;
    }
    let lane = &mut context.lanes[n];
    let keeps = !lane.helper && !lane.killed;
    if let Some(done) = access::access(lane, context.resources, context.program.extent, operation, keeps) {
        return done;
    }
    match *operation {
        Operation::AttributeLoad { d, a, vertex, words } => {
            let at = Operands { lane: &context.lanes[n], resources: context.resources };
            let address = attribute_address(at, a);
            let vertex = (!vertex.is_zero()).then(|| at.register(vertex));
            for k in 0..words {
                let word = attribute(context, a, address.wrapping_add(4 * u32::from(k)), vertex, n);
                write(&mut context.lanes[n], d.further(k), word);
            }
        }
        Operation::AttributeStore { a, value, words, .. } => {
            let at = Operands { lane: &context.lanes[n], resources: context.resources };
            let address = attribute_address(at, a);
            for k in 0..words {
                let word = register_of(&context.lanes[n], value.further(k));
                let to = address.wrapping_add(4 * u32::from(k));
                if a.patch {
                    if keeps {
                        context.resources.patch.set(to, word);
                    }
                } else {
                    context.lanes[n].outputs.set(to, word);
                }
            }
        }
        Operation::AttributeAddress { d, p, register, address, .. } => {
            let value = register_of(lane, register).wrapping_add(address.into());
            write(lane, d, value);
            write_predicate(lane, p, value < 0x400);
        }
        Operation::Interpolate { d, a, mode, sample, b, offset, saturate } => {
            // What does not change over a primitive is the same everywhere in a pixel.
            let sample = if mode == Interpolate::Constant { Sample::Center } else { sample };
            let word = interpolate(context, a, sample, offset, n);
            let lane = &mut context.lanes[n];
            let word = match mode {
                Interpolate::Pass | Interpolate::Constant => word,
                Interpolate::Multiply => {
                    let factor = float::single(register_of(lane, b), true);
                    float::to_single(float::single(word, true) * factor, true, Rounding::Nearest)
                }
                Interpolate::Sc => return Err(Fault::Unsupported),
            };
            write(lane, d, if saturate { float::saturated(word) } else { word });
        }
        Operation::Out { d, a, stream, emit, cut } => {
            let stream = Operands { lane, resources: context.resources }.source(stream) & 3;
            if emit {
                if lane.events.len() >= 2 * VERTEX_LIMIT {
                    return Err(Fault::TooManyVertices);
                }
                let outputs = lane.outputs.clone();
                lane.events.push(Event::Vertex { stream, outputs });
            }
            if cut {
                if lane.events.len() >= 2 * VERTEX_LIMIT {
                    return Err(Fault::TooManyVertices);
                }
                lane.events.push(Event::Cut { stream });
            }
            let handle = register_of(lane, a).wrapping_add(u32::from(emit));
            write(lane, d, handle);
        }
        Operation::VertexHandle { d, a } => {
            let value = register_of(lane, a);
            write(lane, d, value);
        }
        Operation::PixelLoad { d, p, mode, .. } => {
            let value = match mode {
                1 => lane.sample_mask,
                5 => lane.sample,
                _ => return Err(Fault::Unsupported),
            };
            write(lane, d, value);
            write_predicate(lane, p, false);
        }
        Operation::TextureQuery { d, a, handle, query, mask } => {
            let unit = unit(context, handle, n);
            let image = context.program.image(handle).filter(|_| query == 1);
            match image {
                Some(shape) => image::size(&mut context.lanes[n], d, (unit, shape), mask, context.around),
                None => sample::query(&mut context.lanes[n], (d, a), unit, query, mask, context.around)?,
            }
        }
        Operation::ImageLoad { image, .. }
        | Operation::ImageStore { image, .. }
        | Operation::ImageAtomic { image, .. }
        | Operation::ImageCompareAndSwap { image, .. } => {
            let unit = unit(context, image.handle, n);
            image::image(&mut context.lanes[n], operation, unit, keeps, context.around)?;
        }
        Operation::SpecialRegister { d, register, wide } => {
            let value = special(lane, register, n);
            write(lane, d, value);
            if wide {
                let above = special(lane, SpecialRegister(register.0 | 1), n);
                write(lane, d.further(1), if register.0 & 1 == 0 { above } else { 0 });
            }
        }
        _ => return Err(Fault::Unsupported),
    }
    Ok(())
}

/// A word of attribute space. Outputs are those of the lane that the vertex names (what was not written there is an
/// input: the coordinates that tessellation evaluation reads as outputs); inputs are those of the vertex, or where
/// the vertex has none the lane's.
fn attribute<A>(context: &Context<'_, A>, a: Attribute, address: u32, vertex: Option<u32>, n: usize) -> u32 {
    let own = &context.lanes[n];
    if a.patch {
        return context.resources.patch.get(address);
    }
    if a.output {
        let lane = vertex.map_or(Some(own), |vertex| context.lanes.get(vertex as usize));
        return lane.map_or(0, |lane| {
            if lane.outputs.is_known(address) {
                lane.outputs.get(address)
            } else {
                lane.attributes.get(address)
            }
        });
    }
    let index = vertex.unwrap_or(0) as usize;
    match context.resources.vertices.get(index) {
        Some(vertex) if vertex.is_known(address) => vertex.get(address),
        // There is no such vertex.
        None if !context.resources.vertices.is_empty() => 0,
        _ => own.attributes.get(address),
    }
}

/// An input of a pixel, before it is multiplied.
fn interpolate<A: Around>(
    context: &mut Context<'_, A>,
    a: Attribute,
    sample: Sample,
    offset: Register,
    n: usize,
) -> u32 {
    let lane = &context.lanes[n];
    let address = attribute_address(Operands { lane, resources: context.resources }, a);
    let word = lane.attributes.get(address);
    if sample != Sample::Offset {
        return word;
    }
    // Twelve bits of fraction with the sign on top; the bits above hold other things.
    let packed = register_of(lane, offset);
    let [x, y] = [packed, packed >> 16].map(|half| ((half << 20) as i32 >> 20) as f32 / 4096.0);
    if let Some(word) = context.around.interpolate(address / 4, [x.to_bits(), y.to_bits()]) {
        return word;
    }
    let Some(plane) = context.resources.planes.get(&(address & !3)) else { return word };
    let [base, right, up] = plane.map(|bits| f64::from(f32::from_bits(bits)));
    let (x, y) = (f64::from(x) + (n & 1) as f64 + 0.5, f64::from(y) + (n >> 1 & 1) as f64 + 0.5);
    ((base + (right - base) * x / 4.0 + (up - base) * y / 4.0) as f32).to_bits()
}

pub(super) fn special(lane: &Lane, register: SpecialRegister, n: usize) -> u32 {
    if let Some(&value) = lane.special.get(&register.0) {
        return value;
    }
    let bit = 1_u32 << (n & 31);
    match register.0 {
        0 => n as u32,
        19 if lane.helper || lane.killed => u32::MAX,
        56 => bit,
        57 => bit - 1,
        58 => bit | (bit - 1),
        59 => !(bit | (bit - 1)),
        60 => !(bit - 1),
        _ => 0,
    }
}
