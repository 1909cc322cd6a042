//! Pixels, instruction by instruction.

use super::super::reach::{Successors, floats};
use super::super::table::{AddOp, CUBE, Combine, NO_OFFSET, Sampler, TEMPORARY, UNIFORM, VaryingSource};
use super::super::{Field, Inst};
use super::around::{Alone, Around, LaneFetch, Quad};
use super::program::Program;
use super::state::{Lane, State, Vector};
use super::trace::Step;
use super::units::{self, Half, Precision, Single};
use unshade_ir::exec::Environment;
use unshade_ir::{Axis, Texture, TextureLevel, TextureShape, math};
use unshade_isa_common::texture::Textures;
use unshade_isa_common::trace::{NoTrace, Trace};

/// Which arithmetic a run uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Float {
    /// binary32.
    F32,
    /// Halves in registers and links.
    F16,
}

/// How a pixel came to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// It has its colour in `$0`.
    Ended,
    /// It was dropped.
    Discarded,
    /// As many instructions as allowed were done.
    OutOfFuel,
}

/// How a run went. What it computed is in the state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Outcome {
    /// How each pixel came to its end; of a pixel alone the first.
    pub ends: [End; 4],
    /// Instructions done. One that several pixels do together counts once.
    pub steps: u64,
}

/// A run that stands still between two instructions. Beside the pixels this is all that it goes on with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// Where each pixel goes on; none for those that are done.
    pub places: [Option<u32>; 4],
    /// How each pixel came to its end, as far as it did.
    pub ends: [End; 4],
    /// Instructions done. One that several pixels do together counts once.
    pub steps: u64,
}

impl Progress {
    /// Word index of the next instruction, and which pixels do it.
    pub fn next(&self, program: &Program) -> Option<(u32, [bool; 4])> {
        let known = |pc: &u32| program.inst(*pc).is_some();
        let pc = self.places.into_iter().flatten().filter(known).min()?;
        Some((pc, self.places.map(|place| place == Some(pc))))
    }
}

impl Program {
    /// A run in front of its first instruction. Registers are rounded to the width of the arithmetic.
    pub fn begin(&self, state: &mut State, float: Float) -> Progress {
        match float {
            Float::F32 => self.start(Single, &mut state.lanes),
            Float::F16 => self.start(Half, &mut state.lanes),
        }
    }

    /// Goes on until the run has done `fuel` instructions in all; answers whether it came to its end. A run that did
    /// not can go on with more.
    pub fn resume(
        &self,
        progress: &mut Progress,
        state: &mut State,
        textures: &mut impl Textures,
        float: Float,
        fuel: u64,
        trace: &mut impl Trace<Program>,
    ) -> bool {
        let State { lanes, uniforms } = state;
        let quad = &mut Quad { textures };
        match float {
            Float::F32 => self.go_on(Single, progress, lanes, uniforms, quad, fuel, trace),
            Float::F16 => self.go_on(Half, progress, lanes, uniforms, quad, fuel, trace),
        }
    }

    fn start(&self, precision: impl Precision, lanes: &mut [Lane]) -> Progress {
        for lane in lanes.iter_mut() {
            lane.registers = lane.registers.map(|register| precision.round_all(register));
            lane.temporaries.clear();
            lane.temporaries.resize(self.temporaries.len(), 0.0);
        }
        let mut places = [None; 4];
        for place in places.iter_mut().take(lanes.len()) {
            *place = Some(0);
        }
        Progress { places, ends: [End::Ended; 4], steps: 0 }
    }

    /// Runs a quad, at most `fuel` instructions. Pixels at the same instruction do it together; of those that
    /// have parted the ones at the lowest address go on.
    pub fn run(&self, state: &mut State, textures: &mut impl Textures, float: Float, fuel: u64) -> Outcome {
        self.run_with(state, textures, float, fuel, &mut NoTrace)
    }

    /// Runs a quad and reports each instruction to `trace`.
    pub fn run_with(
        &self,
        state: &mut State,
        textures: &mut impl Textures,
        float: Float,
        fuel: u64,
        trace: &mut impl Trace<Program>,
    ) -> Outcome {
        let State { lanes, uniforms } = state;
        let mut quad = Quad { textures };
        match float {
            Float::F32 => self.interpret(Single, lanes, uniforms, &mut quad, fuel, trace),
            Float::F16 => self.interpret(Half, lanes, uniforms, &mut quad, fuel, trace),
        }
    }

    /// Runs one pixel alone. What it sees of neighbours and textures the environment says, exactly as it says
    /// it to the lifted program; its inputs and uniforms are not asked for.
    pub fn run_lane(
        &self,
        lane: &mut Lane,
        uniforms: &[f32],
        environment: &mut impl Environment,
        float: Float,
        fuel: u64,
        trace: &mut impl Trace<Program>,
    ) -> Outcome {
        let lanes = std::slice::from_mut(lane);
        let mut alone = Alone { environment };
        match float {
            Float::F32 => self.interpret(Single, lanes, uniforms, &mut alone, fuel, trace),
            Float::F16 => self.interpret(Half, lanes, uniforms, &mut alone, fuel, trace),
        }
    }

    fn interpret<P: Precision, T: Trace<Program>>(
        &self,
        precision: P,
        lanes: &mut [Lane],
        uniforms: &[f32],
        around: &mut impl Around,
        fuel: u64,
        trace: &mut T,
    ) -> Outcome {
        let mut progress = self.start(precision, lanes);
        let ended = self.go_on(precision, &mut progress, lanes, uniforms, around, fuel, trace);
        let Progress { places, mut ends, steps } = progress;
        if !ended {
            for (end, place) in ends.iter_mut().zip(places) {
                if place.is_some() {
                    *end = End::OutOfFuel;
                }
            }
        }
        Outcome { ends, steps }
    }

    #[allow(clippy::too_many_arguments)]
    fn go_on<P: Precision, T: Trace<Program>>(
        &self,
        precision: P,
        progress: &mut Progress,
        lanes: &mut [Lane],
        uniforms: &[f32],
        around: &mut impl Around,
        fuel: u64,
        trace: &mut T,
    ) -> bool {
        let count = lanes.len();
        let Progress { mut places, mut ends, mut steps } = *progress;
        let mut ended = true;
        // The lowest address of all pixels that are still on their way.
        while let Some(pc) = places.iter().flatten().min().copied() {
            let together: [bool; 4] = places.map(|place| place == Some(pc));
            let Some((inst, constants)) = self.at(pc) else {
                for place in places.iter_mut().filter(|place| **place == Some(pc)) {
                    *place = None;
                }
                continue;
            };
            if steps >= fuel {
                ended = false;
                break;
            }
            steps += 1;
            let others = (0..count).filter(|lane| !together[*lane]);
            let kept: Vec<(usize, Lane)> = if inst.needs_sync() {
                // They lend their values and get them back as they were.
                others.map(|lane| (lane, lanes[lane].clone())).collect()
            } else {
                Vec::new()
            };
            let active = if inst.needs_sync() { [true; 4] } else { together };
            let branches =
                self.instruction(precision, inst, constants, lanes, active, together, uniforms, around);
            for (lane, before) in kept {
                lanes[lane] = before;
            }
            let ways = Successors::of(pc, inst);
            for lane in (0..count).filter(|lane| together[*lane]) {
                let taken = ways.taken.filter(|_| branches[lane]);
                places[lane] = match taken {
                    // Outside of the code there is no instruction.
                    Some(target) => u32::try_from(target).ok(),
                    None => ways.next,
                };
                if ways.discards {
                    ends[lane] = End::Discarded;
                }
            }
            if T::ACTIVE {
                trace.step(&Step { pc, inst, lanes, together, next: places });
            }
        }
        *progress = Progress { places, ends, steps };
        ended
    }

    /// Does one instruction in the active pixels. Answers in which of them the branch is taken.
    #[allow(clippy::too_many_arguments)]
    fn instruction<P: Precision>(
        &self,
        precision: P,
        inst: &Inst,
        constants: [[f32; 4]; 2],
        lanes: &mut [Lane],
        active: [bool; 4],
        together: [bool; 4],
        uniforms: &[f32],
        around: &mut impl Around,
    ) -> [bool; 4] {
        let constant = |field, n: usize| if inst.has(field) { constants[n] } else { [0.0; 4] };
        let links =
            Links { constants: [constant(Field::Const0, 0), constant(Field::Const1, 1)], ..Links::default() };
        let mut links = [links; 4];
        let at_work = |lanes: &mut [Lane]| (0..lanes.len()).filter(move |lane| active[*lane]);
        if inst.has(Field::Varying) {
            for n in at_work(lanes) {
                varying(precision, inst, &mut lanes[n], &mut links[n]);
            }
        }
        if inst.has(Field::Sampler) {
            let fetches = std::array::from_fn(|n| {
                lanes
                    .get(n)
                    .map_or_else(LaneFetch::default, |lane| LaneFetch::of(inst.sampler, lane, &links[n]))
            });
            let texels = around.texture(texture(inst.sampler), lanes.len(), &fetches, together);
            for n in at_work(lanes) {
                links[n].texture = precision.round_all(texels[n]);
            }
        }
        for n in at_work(lanes) {
            let (lane, links) = (&mut lanes[n], &mut links[n]);
            if inst.has(Field::Uniform) {
                self.uniform(precision, inst, lane, links, uniforms);
            }
            multiply(precision, inst, lane, links);
        }
        adds(precision, inst, lanes, active, &links, around);
        let mut taken = [false; 4];
        for n in at_work(lanes) {
            let (lane, links) = (&mut lanes[n], &links[n]);
            if inst.has(Field::Combine) {
                combine(precision, Combine::of(inst.combine), lane, links);
            }
            if inst.has(Field::Store) {
                self.store(precision, inst, lane, links);
            }
            if inst.has(Field::Branch) {
                let [a, b] = [inst.branch.arg0(), inst.branch.arg1()].map(|arg| scalar(lane, links, arg));
                taken[n] = units::taken(inst.branch.condition(), a, b);
            }
        }
        taken
    }

    /// Loads uniforms or temporaries.
    fn uniform(
        &self,
        precision: impl Precision,
        inst: &Inst,
        lane: &Lane,
        links: &mut Links,
        uniforms: &[f32],
    ) {
        let field = inst.uniform;
        let width = floats(field.alignment());
        let offset = (field.offset_enable() != 0).then(|| scalar(lane, links, field.offset_register()));
        let first = first_float(field.index(), width, offset);
        for n in 0..width {
            let float = first + i64::from(n);
            let value = if field.source() == TEMPORARY {
                self.temporary(float).and_then(|place| lane.temporaries.get(place))
            } else {
                usize::try_from(float).ok().and_then(|place| uniforms.get(place))
            };
            links.uniform[n as usize & 3] = precision.round(value.copied().unwrap_or(0.0));
        }
    }

    /// Where a temporary lies in [`Lane::temporaries`].
    fn temporary(&self, float: i64) -> Option<usize> {
        usize::try_from(float - i64::from(self.temporaries.start)).ok()
    }

    /// Stores temporaries, or reads the framebuffer.
    fn store(&self, precision: impl Precision, inst: &Inst, lane: &mut Lane, links: &Links) {
        let field = inst.store;
        if let Some(read) = field.framebuffer_read() {
            let value = if read.color() != 0 {
                lane.framebuffer_color
            } else {
                [lane.framebuffer_depth, 0.0, 0.0, 0.0]
            };
            return write_vector(precision, lane, read.dest(), 15, value);
        }
        let width = floats(field.alignment());
        let offset = (field.offset_enable() != 0).then(|| scalar(lane, links, field.offset_register()));
        let first = first_float(field.index(), width, offset);
        for n in 0..width {
            let component = if width == 1 { field.source() } else { field.source() & !3 | n };
            let value = scalar(lane, links, component);
            if let Some(place) =
                self.temporary(first + i64::from(n)).and_then(|n| lane.temporaries.get_mut(n))
            {
                *place = value;
            }
        }
    }
}

/// First float of an access; its index counts accesses of that width.
fn first_float(index: u32, width: u32, offset: Option<f32>) -> i64 {
    let units = i64::from(index as u16 as i16) + offset.map_or(0, |offset| math::to_int(offset).into());
    units * i64::from(width)
}

/// What the units of one instruction pass on.
#[derive(Debug, Clone, Copy, Default)]
struct Links {
    constants: [Vector; 2],
    coordinates: Vector,
    texture: Vector,
    uniform: Vector,
    vector_mul: Vector,
    float_mul: f32,
}

fn register(lane: &Lane, links: &Links, number: u32) -> Vector {
    match number & 15 {
        12 => links.constants[0],
        13 => links.constants[1],
        14 => links.texture,
        15 => links.uniform,
        number => lane.registers[number as usize],
    }
}

fn scalar(lane: &Lane, links: &Links, component: u32) -> f32 {
    register(lane, links, component >> 2)[component as usize & 3]
}

fn swizzled(value: Vector, swizzle: u32) -> Vector {
    [0, 2, 4, 6].map(|low| value[(swizzle >> low) as usize & 3])
}

fn signed(value: f32, absolute: u32, negate: u32) -> f32 {
    let value = if absolute != 0 { value.abs() } else { value };
    if negate != 0 { -value } else { value }
}

fn write_vector(precision: impl Precision, lane: &mut Lane, dest: u32, mask: u32, value: Vector) {
    if let Some(register) = lane.registers.get_mut(dest as usize) {
        for (n, place) in register.iter_mut().enumerate() {
            if mask >> n & 1 != 0 {
                *place = precision.round(value[n]);
            }
        }
    }
}

fn write_scalar(precision: impl Precision, lane: &mut Lane, component: u32, value: f32) {
    write_vector(precision, lane, component >> 2, 1 << (component & 3), [value; 4]);
}

fn varying(precision: impl Precision, inst: &Inst, lane: &mut Lane, links: &mut Links) {
    let field = inst.varying;
    let source = field.source();
    let mut value = if source.is_register() {
        let form = field.register();
        let value = swizzled(register(lane, links, form.source()), form.swizzle());
        value.map(|x| signed(x, form.absolute(), form.negate()))
    } else if source.is_place() {
        let width = floats(field.alignment());
        let offset = (field.offset_register() != NO_OFFSET)
            .then(|| scalar(lane, links, field.offset_register() << 2 | field.offset_component()));
        let first = first_float(field.index(), width, offset);
        [0, 1, 2, 3].map(|n| {
            let place = usize::try_from(first + i64::from(n)).ok().filter(|_| n < width);
            place.and_then(|place| lane.varyings.get(place)).copied().unwrap_or(0.0)
        })
    } else {
        match source {
            VaryingSource::FragCoord => lane.frag_coord,
            VaryingSource::PointCoord => [lane.point_coord[0], lane.point_coord[1], 0.0, 0.0],
            _ => [lane.front_facing; 4],
        }
    };
    match source {
        VaryingSource::Varying | VaryingSource::Register => value = units::divide(field.sub(), value),
        VaryingSource::Normalize => value = units::normalize(value),
        _ => {}
    }
    links.coordinates = value;
    if field.dest() != UNIFORM {
        write_vector(precision, lane, field.dest(), field.mask(), value);
    }
}

/// The multiply units, which read before either writes.
fn multiply(precision: impl Precision, inst: &Inst, lane: &mut Lane, links: &mut Links) {
    if inst.has(Field::VectorMul) {
        let field = inst.vector_mul;
        let a = swizzled(register(lane, links, field.arg0()), field.arg0_swizzle());
        let b = swizzled(register(lane, links, field.arg1()), field.arg1_swizzle());
        links.vector_mul = [0, 1, 2, 3].map(|n: usize| {
            let a = signed(a[n], field.arg0_absolute(), field.arg0_negate());
            let b = signed(b[n], field.arg1_absolute(), field.arg1_negate());
            precision.round(units::modify(field.outmod(), units::multiply(field.op(), a, b)))
        });
    }
    if inst.has(Field::FloatMul) {
        let field = inst.float_mul;
        let a = signed(scalar(lane, links, field.arg0()), field.arg0_absolute(), field.arg0_negate());
        let b = signed(scalar(lane, links, field.arg1()), field.arg1_absolute(), field.arg1_negate());
        links.float_mul = precision.round(units::modify(field.outmod(), units::multiply(field.op(), a, b)));
    }
    if inst.has(Field::VectorMul) {
        write_vector(precision, lane, inst.vector_mul.dest(), inst.vector_mul.mask(), links.vector_mul);
    }
    if inst.has(Field::FloatMul) && inst.float_mul.output_enable() != 0 {
        write_scalar(precision, lane, inst.float_mul.dest(), links.float_mul);
    }
}

/// The add units, which read before either writes.
fn adds(
    precision: impl Precision,
    inst: &Inst,
    lanes: &mut [Lane],
    active: [bool; 4],
    links: &[Links; 4],
    around: &mut impl Around,
) {
    let mut vectors = [[0.0; 4]; 4];
    let mut scalars = [0.0; 4];
    if inst.has(Field::VectorAdd) {
        let field = inst.vector_add;
        let op = AddOp::of(field.op());
        let (mut a, mut b) = ([[0.0; 4]; 4], [[0.0; 4]; 4]);
        for (n, lane) in lanes.iter().enumerate() {
            let first = match field.mul_in() {
                0 => register(lane, &links[n], field.arg0()),
                _ => links[n].vector_mul,
            };
            a[n] = swizzled(first, field.arg0_swizzle())
                .map(|x| signed(x, field.arg0_absolute(), field.arg0_negate()));
            b[n] = swizzled(register(lane, &links[n], field.arg1()), field.arg1_swizzle())
                .map(|x| signed(x, field.arg1_absolute(), field.arg1_negate()));
        }
        vectors = match axis(op) {
            Some(axis) => around.derivative(axis, inst.vector_add.is_difference(), lanes.len(), &a, &b),
            None => std::array::from_fn(|n| units::add_vector(op, a[n], b[n], links[n].float_mul)),
        };
        vectors = vectors.map(|v| v.map(|x| units::modify(field.outmod(), x)));
    }
    if inst.has(Field::FloatAdd) {
        let field = inst.float_add;
        let op = AddOp::of_scalar(field.op());
        let (mut a, mut b) = ([[0.0; 4]; 4], [[0.0; 4]; 4]);
        for (n, lane) in lanes.iter().enumerate() {
            let first = match field.mul_in() {
                0 => scalar(lane, &links[n], field.arg0()),
                _ => links[n].float_mul,
            };
            a[n][0] = signed(first, field.arg0_absolute(), field.arg0_negate());
            let second = scalar(lane, &links[n], field.arg1());
            b[n][0] = signed(second, field.arg1_absolute(), field.arg1_negate());
        }
        scalars = match axis(op) {
            Some(axis) => around.derivative(axis, field.is_difference(), lanes.len(), &a, &b).map(|v| v[0]),
            None => std::array::from_fn(|n| units::add(op, a[n][0], b[n][0], links[n].float_mul)),
        };
        scalars = scalars.map(|x| units::modify(field.outmod(), x));
    }
    for (n, lane) in lanes.iter_mut().enumerate().filter(|(n, _)| active[*n]) {
        if inst.has(Field::VectorAdd) {
            write_vector(precision, lane, inst.vector_add.dest(), inst.vector_add.mask(), vectors[n]);
        }
        if inst.has(Field::FloatAdd) && inst.float_add.output_enable() != 0 {
            write_scalar(precision, lane, inst.float_add.dest(), scalars[n]);
        }
    }
}

fn axis(op: Option<AddOp>) -> Option<Axis> {
    match op {
        Some(AddOp::DFdx) => Some(Axis::X),
        Some(AddOp::DFdy) => Some(Axis::Y),
        _ => None,
    }
}

fn combine(precision: impl Precision, form: Combine, lane: &mut Lane, links: &Links) {
    match form {
        Combine::Scalar(field) => {
            let a = signed(scalar(lane, links, field.arg0()), field.arg0_absolute(), field.arg0_negate());
            let b = signed(scalar(lane, links, field.arg1()), field.arg1_absolute(), field.arg1_negate());
            let value = units::modify(field.outmod(), units::combine(field.op(), a, b));
            write_scalar(precision, lane, field.dest(), value);
        }
        Combine::Atan(field) => {
            let a = signed(scalar(lane, links, field.arg0()), field.arg0_absolute(), field.arg0_negate());
            let b = signed(scalar(lane, links, field.arg1()), field.arg1_absolute(), field.arg1_negate());
            let value = units::combine_vector(field.op(), a, b);
            write_vector(precision, lane, field.dest(), field.mask(), value);
        }
        Combine::Mul(field) => {
            let a = signed(scalar(lane, links, field.arg0()), field.arg0_absolute(), field.arg0_negate());
            let b = swizzled(register(lane, links, field.arg1()), field.arg1_swizzle());
            write_vector(precision, lane, field.dest(), field.mask(), b.map(|b| a * b));
        }
        Combine::AtanSecond(field) => {
            let [x, ..] = swizzled(register(lane, links, field.arg1()), field.arg1_swizzle());
            write_scalar(precision, lane, field.dest(), units::modify(field.outmod(), x));
        }
    }
}

/// The static part of a fetch, in the words of the IR.
pub(crate) fn texture(field: Sampler) -> Texture {
    let level = match (field.lod_enable(), field.explicit_lod()) {
        (0, _) => TextureLevel::Quad,
        (_, 0) => TextureLevel::Bias,
        _ => TextureLevel::Given,
    };
    let shape = if field.kind() == CUBE { TextureShape::Cube } else { TextureShape::Plane };
    Texture { indexed: field.offset_enable() != 0, ..Texture::sample(field.index(), shape, level) }
}

impl LaneFetch {
    fn of(field: Sampler, lane: &Lane, links: &Links) -> Self {
        let mut unit = field.index();
        if field.offset_enable() != 0 {
            unit = unit.wrapping_add(math::to_int(scalar(lane, links, field.offset_register())) as u32);
        }
        let [x, y, z, _] = links.coordinates;
        let coordinates = if field.kind() == CUBE { [x, y, z] } else { [x, y, 0.0] };
        let level = if field.lod_enable() != 0 { scalar(lane, links, field.lod_register()) } else { 0.0 };
        Self { unit, coordinates, level }
    }
}
