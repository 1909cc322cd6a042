//! Shapes of textures that the tables leave open, seen in the code.
//!
//! - CUBE gives the number of the face in w; rounded or moved, it is the third coordinate of a fetch, and nothing else
//!   makes such a coordinate: a cube. One that SET_CUBEMAP_INDEX names is an array of cubes.
//! - x and y that are normalised beside a z that is not: z counts layers, x and y are a place in one of them. Where y and
//!   z are one component of the register, that is the layer of an array of lines: y does not count there. The console
//!   vendor's compiler writes 2D arrays so, and Mesa both kinds.
//!
//! The program is gone through once, from its first instruction to its last.

use super::fields::Tex;
use super::table::FetchOp;
use super::{AluOp, Group, Program, Source, bindings};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use unshade_stage::Latte;
use unshade_stage::latte::{Dimension, Sampler};

/// What surrounds a program, with shapes where nothing says what a texture is and the code shows it.
pub fn with_shapes<'a>(program: Program<'_>, latte: &'a Latte) -> Cow<'a, Latte> {
    let mut shapes = Cow::Borrowed(latte);
    for (unit, dimension) in units(program, latte) {
        let samplers = &mut shapes.to_mut().samplers;
        match samplers.iter_mut().find(|sampler| sampler.location == unit) {
            Some(sampler) => sampler.dimension = sampler.dimension.or(Some(dimension)),
            None => samplers.push(Sampler {
                name: String::new(),
                dimension: Some(dimension),
                shadow: false,
                location: unit,
            }),
        }
    }
    shapes
}

/// Units whose textures the tables do not describe, with what their fetches show.
fn units(program: Program<'_>, latte: &Latte) -> BTreeMap<u32, Dimension> {
    let mut faces = Faces::default();
    let mut units = BTreeMap::new();
    let mut indexed = BTreeSet::new();
    for (_, cf) in program.control_flow() {
        let Some(op) = cf.op() else { continue };
        if op.is_alu() {
            program.groups(cf.alu()).for_each(|group| faces.group(&group));
            // Results of groups do not last longer than their clause.
            faces.before = [false; 5];
        } else if op.is_fetch() {
            for (_, inst) in program.fetches(cf.normal()).filter(|(_, inst)| !inst.op().is_buffer()) {
                let (tex, op) = (inst.tex(), inst.op());
                let unit = bindings::texture_unit(latte, tex.resource_id());
                let named = latte.samplers.iter().find(|sampler| sampler.location == unit);
                let is_open = named.is_none_or(|sampler| sampler.dimension.is_none());
                if op == FetchOp::SetCubemapIndex {
                    indexed.insert(unit);
                }
                if is_open && let Some(shape) = shown(&faces, tex, op, indexed.contains(&unit)) {
                    // A cube in one fetch is none elsewhere, since only faces tell.
                    let known = units.entry(unit).or_insert(shape);
                    if rank(shape) > rank(*known) {
                        *known = shape;
                    }
                }
                for (lane, _) in (0..4).zip(tex.dst_swizzle()).filter(|(_, select)| *select < 6) {
                    faces.places.remove(&(tex.dst_gpr(), lane));
                }
            }
        }
    }
    units
}

/// What a fetch shows of its texture. `indexed`: SET_CUBEMAP_INDEX named its unit before.
fn shown(faces: &Faces, tex: Tex, op: FetchOp, indexed: bool) -> Option<Dimension> {
    if !op.is_sample() && op != FetchOp::GetCompTexLod {
        return None;
    }
    if faces.is_third(tex) {
        return Some(if indexed { Dimension::CubeArray } else { Dimension::Cube });
    }
    let [_, y, z, _] = tex.src_swizzle();
    let layered = tex.coord_type_x() != 0 && tex.coord_type_y() != 0 && tex.coord_type_z() == 0;
    // Without a third coordinate there is no layer.
    if !layered || z > 5 {
        return None;
    }
    Some(if y == z && y < 4 { Dimension::D1Array } else { Dimension::D2Array })
}

/// Which of two shapes holds for all fetches of a texture.
fn rank(shape: Dimension) -> u32 {
    match shape {
        Dimension::D1Array => 0,
        Dimension::D2Array => 1,
        Dimension::Cube => 2,
        _ => 3,
    }
}

/// Where numbers of faces are.
#[derive(Default)]
struct Faces {
    /// Components of registers.
    places: BTreeSet<(u32, u32)>,
    /// Results of the group before, by unit.
    before: [bool; 5],
}

impl Faces {
    fn group(&mut self, group: &Group) {
        let mut results = [false; 5];
        let mut written = Vec::new();
        for (unit, inst) in group.insts() {
            let kept = match inst.op() {
                Some(AluOp::Cube) => unit as usize == 3,
                Some(AluOp::Mov | AluOp::RoundNe | AluOp::Floor | AluOp::Trunc) => {
                    let from = inst.operand(0);
                    let component = u32::from(from.channel);
                    match from.source {
                        _ if from.relative => false,
                        Source::Gpr(register) => self.places.contains(&(register.into(), component)),
                        Source::PreviousVector => self.before[component as usize & 3],
                        Source::PreviousScalar => self.before[4],
                        _ => false,
                    }
                }
                _ => false,
            };
            if let Some(result) = results.get_mut(unit as usize) {
                *result = kept;
            }
            if inst.writes() {
                written.push(((inst.dst_gpr(), inst.dst_chan()), kept));
            }
        }
        for (place, kept) in written {
            if kept {
                self.places.insert(place);
            } else {
                self.places.remove(&place);
            }
        }
        self.before = results;
    }

    /// Whether the third coordinate of a fetch is one.
    fn is_third(&self, tex: Tex) -> bool {
        let [_, _, third, _] = tex.src_swizzle();
        tex.src_rel() == 0 && third < 4 && self.places.contains(&(tex.src_gpr(), third))
    }
}

#[cfg(test)]
mod tests {
    use super::super::asm::assemble;
    use super::*;
    use unshade_stage::latte::Profile;

    const CODE: &str = "\
00 ALU: ADDR(4) CNT(9)
  0   x: CUBE            R1.x, R0.z, R0.y
      y: CUBE            R1.y, R0.z, R0.x
      z: CUBE            R1.z, R0.x, R0.z
      w: CUBE            R1.w, R0.y, R0.z
  1   z: RNDNE           R2.z, PV0.w
      t: RECIP_IEEE      R1.z, |PV0.z| SCL_210
  2   x: MULADD_IEEE     R2.x, R1.y, PS1, (0x3FC00000, 1.5)
      y: MULADD_IEEE     R2.y, R1.x, PS1, (0x3FC00000, 1.5)
01 TEX: ADDR(14) CNT(2)
  3      SAMPLE          R0.xyzw, R2.xyz_, t18, s0 DENORM(Z)
  4      SAMPLE          R3.xyzw, R2.xy__, t19, s1
02 EXP_DONE: PIX0, R0.xyzw
END_OF_PROGRAM
";

    #[test]
    fn the_face_shows_a_cube() {
        let words = assemble(CODE).unwrap().words;
        let program = Program::new(&words);
        let mut latte = Latte { profile: Profile::Mesa, ..Latte::default() };
        let found = with_shapes(program, &latte).into_owned();
        let cubes = found.samplers.iter().map(|sampler| (sampler.location, sampler.dimension));
        assert_eq!(cubes.collect::<Vec<_>>(), [(0, Some(Dimension::Cube))]);
        // What the tables say holds; a name without a dimension stays a name.
        let sampler = |dimension| Sampler { name: "sky".to_owned(), dimension, shadow: false, location: 0 };
        latte.samplers.push(sampler(Some(Dimension::D3)));
        assert_eq!(*with_shapes(program, &latte), latte);
        latte.samplers = vec![sampler(None)];
        assert_eq!(with_shapes(program, &latte).samplers, [sampler(Some(Dimension::Cube))]);
    }

    /// Another third coordinate that is not normalised is a layer; one that is like the others shows nothing.
    #[test]
    fn other_coordinates_are_no_faces() {
        let words = assemble(&CODE.replace("RNDNE           R2.z, PV0.w", "RNDNE           R2.z, PV0.x"))
            .unwrap()
            .words;
        let found = with_shapes(Program::new(&words), &Latte::default()).into_owned();
        let shapes =
            found.samplers.iter().map(|sampler| (sampler.location, sampler.dimension, sampler.shadow));
        assert_eq!(shapes.collect::<Vec<_>>(), [(18, Some(Dimension::D2Array), false)]);
        let plain = CODE
            .replace("RNDNE           R2.z, PV0.w", "RNDNE           R2.z, PV0.x")
            .replace(" DENORM(Z)", "");
        let words = assemble(&plain).unwrap().words;
        assert_eq!(with_shapes(Program::new(&words), &Latte::default()).samplers, []);
    }
}
