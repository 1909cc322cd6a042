//! What the units load and store: varyings, texels, uniforms, temporaries.

use super::super::Inst;
use super::super::exec::texture;
use super::super::reach::floats;
use super::super::table::{NO_OFFSET, TEMPORARY, UNIFORM, VaryingSource};
use super::arithmetic::{Links, Signs, component, lane_of, scalar};
use super::write::{Step, Vector, Writer};
use super::{
    FRAG_COORD_BINDING, FRAMEBUFFER_COLOR_BINDING, FRAMEBUFFER_DEPTH_BINDING, FRONT_FACING_BINDING,
    POINT_COORD_BINDING, UNIFORM_BINDING, VARYING_BINDING,
};
use unshade_ir::{Access, FloatMode, Op, Space, Value};

const F32: FloatMode = FloatMode::F32;

/// A place in a space: the first of its words, and the index that is added in steps of the width.
struct Place {
    offset: i64,
    index: Option<Value>,
    width: u32,
}

impl Place {
    fn new(writer: &mut Writer<'_>, links: &Links, index: i64, alignment: u32, offset: Option<u32>) -> Self {
        let width = floats(alignment);
        let index_value = offset.map(|number| {
            let register = scalar(writer, links, number, 0);
            writer.at(Step::Address, 0);
            writer.integer(register)
        });
        Self { offset: index * i64::from(width), index: index_value, width }
    }

    /// The access of word `n` in a space whose words start at `start`; none if there is no such word.
    fn access(
        &self,
        writer: &mut Writer<'_>,
        space: Space,
        binding: u32,
        start: i64,
        n: u32,
    ) -> Option<(Access, Option<Value>)> {
        let word = self.offset - start + i64::from(n);
        let Some(mut index) = self.index else {
            let offset = u32::try_from(word).ok()?;
            return Some((Access { space, binding, offset, stride: 0 }, None));
        };
        let mut offset = word;
        if word < 0 {
            // An access starts at a word that exists, so whole steps move into the index.
            let steps = word.div_euclid(self.width.into());
            offset = word.rem_euclid(self.width.into());
            writer.at(Step::Address, 0);
            let steps = writer.builder.bits(steps as i32 as u32);
            index = writer.value(Op::IAdd, &[index, steps]);
        }
        Some((Access { space, binding, offset: offset as u32, stride: self.width }, Some(index)))
    }

    /// Loads all words; the lanes behind are zero.
    fn load(&self, writer: &mut Writer<'_>, space: Space, binding: u32, start: i64, length: u32) -> Vector {
        let mut values = writer.zeros();
        for n in 0..self.width {
            let access = self.access(writer, space, binding, start, n);
            if let Some((access, index)) =
                access.filter(|(access, index)| index.is_some() || access.offset < length)
            {
                writer.at(Step::Result(0), n as usize);
                values[n as usize & 3] = writer.value(Op::Load(access), index.as_slice());
            }
        }
        values
    }
}

pub(super) fn varying(writer: &mut Writer<'_>, inst: &Inst, links: &mut Links) {
    let field = inst.varying;
    let source = field.source();
    let mut value = if source.is_register() {
        let form = field.register();
        let signs = Signs { absolute: form.absolute(), negate: form.negate() };
        [0, 1, 2, 3].map(|lane| lane_of(writer, links, form.source(), form.swizzle(), signs, 0, lane))
    } else if source.is_place() {
        let offset = (field.offset_register() != NO_OFFSET)
            .then(|| field.offset_register() << 2 | field.offset_component());
        let place = Place::new(writer, links, field.index().into(), field.alignment(), offset);
        place.load(writer, Space::Input, VARYING_BINDING, 0, u32::MAX)
    } else {
        special(writer, source)
    };
    match (source, field.sub()) {
        (VaryingSource::Varying | VaryingSource::Register, sub @ (2 | 3)) => {
            let divisor = value[sub as usize];
            for (lane, value) in value.iter_mut().enumerate() {
                writer.at(Step::Result(1), lane);
                *value = writer.value(Op::FDiv(F32), &[*value, divisor]);
            }
        }
        (VaryingSource::Normalize, _) => {
            let mut sum = None;
            for (lane, value) in value.iter().take(3).enumerate() {
                writer.at(Step::Result(1), lane);
                let square = writer.mul(*value, *value);
                writer.at(Step::Result(2), 0);
                sum = Some(match sum {
                    Some(sum) => writer.add(sum, square),
                    None => square,
                });
            }
            writer.at(Step::Result(3), 0);
            let scale = sum.map(|sum| writer.value(Op::FRsq(F32), &[sum]));
            for (lane, value) in value.iter_mut().take(3).enumerate() {
                writer.at(Step::Result(4), lane);
                *value = scale.map_or(*value, |scale| writer.mul(*value, scale));
            }
        }
        _ => {}
    }
    links.coordinates = Some(value);
    if field.dest() != UNIFORM {
        writer.write_masked(field.dest(), field.mask(), value);
    }
}

fn special(writer: &mut Writer<'_>, source: VaryingSource) -> Vector {
    let mut values = writer.zeros();
    let (binding, count) = match source {
        VaryingSource::FragCoord => (FRAG_COORD_BINDING, 4),
        VaryingSource::PointCoord => (POINT_COORD_BINDING, 2),
        _ => {
            writer.at(Step::Result(0), 0);
            return [writer.load(Space::Input, FRONT_FACING_BINDING, 0); 4];
        }
    };
    for (lane, value) in values.iter_mut().enumerate().take(count) {
        writer.at(Step::Result(0), lane);
        *value = writer.load(Space::Input, binding, lane as u32);
        // The hardware has w, the language 1/w, and its compilers write the one as the inverse of the other.
        if binding == FRAG_COORD_BINDING && lane == 3 {
            writer.at(Step::Result(1), lane);
            *value = writer.value(Op::FRcp(F32), &[*value]);
        }
    }
    values
}

pub(super) fn sampler(writer: &mut Writer<'_>, inst: &Inst, links: &mut Links) {
    let field = inst.sampler;
    let texture = texture(field);
    let mut args = Vec::with_capacity(5);
    if texture.indexed {
        let register = scalar(writer, links, field.offset_register(), 0);
        writer.at(Step::Address, 0);
        args.push(writer.integer(register));
    }
    let coordinates = match links.coordinates {
        Some(coordinates) => coordinates,
        None => writer.zeros(),
    };
    args.extend(coordinates.iter().take(texture.shape.coordinates()));
    if field.lod_enable() != 0 {
        args.push(scalar(writer, links, field.lod_register(), 1));
    }
    writer.at(Step::Result(0), 0);
    let texels = writer.builder.values(Op::Texture(texture), &args);
    if let [r, g, b, a] = texels[..] {
        links.texture = Some([r, g, b, a]);
    }
}

pub(super) fn uniform(writer: &mut Writer<'_>, inst: &Inst, links: &mut Links) {
    let field = inst.uniform;
    let offset = (field.offset_enable() != 0).then(|| field.offset_register());
    let index = i64::from(field.index() as u16 as i16);
    let place = Place::new(writer, links, index, field.alignment(), offset);
    links.uniform = Some(if field.source() == TEMPORARY {
        let (start, length) = (writer.temporaries.start, writer.temporaries.len());
        if length == 0 {
            writer.zeros()
        } else {
            place.load(writer, Space::Local, 0, start.into(), length as u32)
        }
    } else {
        place.load(writer, Space::Uniform, UNIFORM_BINDING, 0, u32::MAX)
    });
}

pub(super) fn store(writer: &mut Writer<'_>, inst: &Inst, links: &Links) {
    let field = inst.store;
    if let Some(read) = field.framebuffer_read() {
        let mut values = writer.zeros();
        let (binding, count) =
            if read.color() != 0 { (FRAMEBUFFER_COLOR_BINDING, 4) } else { (FRAMEBUFFER_DEPTH_BINDING, 1) };
        for (lane, value) in values.iter_mut().enumerate().take(count) {
            writer.at(Step::Result(0), lane);
            *value = writer.load(Space::Input, binding, lane as u32);
        }
        return writer.write_masked(read.dest(), 15, values);
    }
    let offset = (field.offset_enable() != 0).then(|| field.offset_register());
    let index = i64::from(field.index() as u16 as i16);
    let place = Place::new(writer, links, index, field.alignment(), offset);
    let (start, length) = (writer.temporaries.start, writer.temporaries.len() as u32);
    for n in 0..place.width {
        let number = if place.width == 1 { field.source() } else { field.source() & !3 | n };
        writer.at(Step::Read(1), n as usize);
        let value = component(writer, links, number >> 2, number as usize & 3);
        let access = place.access(writer, Space::Local, 0, start.into(), n);
        if let Some((access, index)) =
            access.filter(|(access, index)| index.is_some() || access.offset < length)
        {
            writer.at(Step::Result(0), n as usize);
            let args: Vec<Value> = index.into_iter().chain([value]).collect();
            writer.builder.effect(Op::Store(access), &args);
        }
    }
}
