//! Instructions as Mesa's disassembler for lima writes them (release 22.3), its quirks included: the raw
//! number of a multiply's shift, blanks behind scalar destinations of the combine unit, an operand of `mov`
//! that does not exist, C's division of negative places, names read past the end of their list.

use super::half;
use super::names::{DESTINATION_SCALARS, DESTINATIONS, MASKS, SCALARS, SWIZZLES, VECTORS, pick};
use super::table::{
    ADD_OPS, AddOp, COMBINE_OPS, CUBE, CombineAtan, CombineMul, CombineOp, CombineScalar, Constant, Field,
    MUL_OPS, MulOp, NO_OFFSET, Row, Sampler, Store, TEMPORARY, UNIFORM, Uniform, Varying, VaryingRegister,
    VaryingSource,
};
use super::{Inst, Item, Walk};
use crate::text::{PartKind, Short, Sink};

/// Writes all instructions, one line each. Words that start no instruction, at which Mesa's own program
/// goes astray, come out as `.word`.
pub fn list(words: &[u32], sink: &mut impl Sink) {
    for (at, item) in Walk::new(words) {
        sink.words(at..at + item.words());
        place(sink, at);
        match item {
            Item::Inst(inst) => instruction(sink, at, &inst),
            Item::Word(word) => {
                sink.put(PartKind::Directive, ".word ");
                sink.hex(PartKind::Immediate, word, 8);
            }
        }
        sink.end_line();
    }
}

/// `@    12: `.
fn place(sink: &mut impl Sink, at: u32) {
    sink.put(PartKind::Label, "@");
    let digits = at.checked_ilog10().unwrap_or(0) as usize + 1;
    if let Some(blanks) = "      ".get(digits.min(6)..) {
        sink.put(PartKind::Plain, blanks);
    }
    sink.decimal(PartKind::Label, at);
    sink.put(PartKind::Punctuation, ": ");
}

/// Writes one instruction that stands at word `at`, without line break.
pub fn instruction(sink: &mut impl Sink, at: u32, inst: &Inst) {
    let mut left = inst.control.fields();
    let mut first = true;
    while left != 0 {
        let number = left.trailing_zeros();
        left &= left - 1;
        if !std::mem::replace(&mut first, false) {
            sink.put_short(PartKind::Punctuation, &COMMA);
        }
        match Field::ALL[number as usize % Field::ALL.len()] {
            Field::Varying => varying(sink, inst.varying),
            Field::Sampler => sampler(sink, inst.sampler),
            Field::Uniform => uniform(sink, inst.uniform),
            Field::VectorMul => vector_mul(sink, inst),
            Field::FloatMul => float_mul(sink, inst),
            Field::VectorAdd => vector_add(sink, inst),
            Field::FloatAdd => float_add(sink, inst),
            Field::Combine => combine(sink, inst.combine),
            Field::Store => store(sink, inst.store),
            Field::Branch => branch(sink, inst, at),
            Field::Const0 => constant(sink, &CONST0, inst.constants[0]),
            Field::Const1 => constant(sink, &CONST1, inst.constants[1]),
        }
    }
    if inst.control.sync() != 0 {
        sink.put(PartKind::Directive, ", sync");
    }
    if inst.control.stop() != 0 {
        sink.put(PartKind::Directive, ", stop");
    }
}

static COMMA: Short<'static> = Short::new(", ");
static BLANK: Short<'static> = Short::new(" ");
static CONST0: Short<'static> = Short::new("const0");
static CONST1: Short<'static> = Short::new("const1");
static LOAD_VARYING: Short<'static> = Short::new("load.v ");
static OUTMODS: [Short<'static>; 4] = Short::all(["", ".sat", ".pos", ".int"]);
static SIGNS: [Short<'static>; 4] = Short::all(["", "abs(", "-", "-abs("]);
static CLOSE: Short<'static> = Short::new(")");
static PLUS: Short<'static> = Short::new("+");
static UNITS: [Short<'static>; 5] = Short::all([".v0 ", ".s0 ", ".v1 ", ".s1 ", ".s2 "]);
static COMPONENTS: [Short<'static>; 4] = Short::all([".x", ".y", ".z", ".w"]);
static PAIRS: [Short<'static>; 2] = Short::all([".xy", ".zw"]);
static BRANCHES: [Short<'static>; 8] = Short::all([
    "branch.nv ",
    "branch.gt ",
    "branch.eq ",
    "branch.ge ",
    "branch.lt ",
    "branch.ne ",
    "branch.le ",
    "branch",
]);
static SHIFTS: [Short<'static>; 8] = Short::all(["", "<<1", "<<2", "<<3", "<<4", "<<5", "<<6", "<<7"]);
static MUL_NAMES: [Short<'static>; MUL_OPS.len()] = row_names(MUL_OPS);
static ADD_NAMES: [Short<'static>; ADD_OPS.len()] = row_names(ADD_OPS);
static COMBINE_NAMES: [Short<'static>; COMBINE_OPS.len()] = row_names(COMBINE_OPS);

pub(super) const fn row_names<const N: usize>(rows: &[Row]) -> [Short<'static>; N] {
    let mut names = [Short::new(""); N];
    let mut n = 0;
    while n < N {
        names[n] = Short::new(rows[n].name);
        n += 1;
    }
    names
}

#[inline]
fn register(sink: &mut impl Sink, short: &Short<'static>) {
    sink.put_short(PartKind::Register, short);
}

#[inline]
fn blank(sink: &mut impl Sink) {
    sink.put_short(PartKind::Plain, &BLANK);
}

#[inline]
fn vector_source(sink: &mut impl Sink, source: u32, swizzle: u32, absolute: u32, negate: u32) {
    signed(sink, absolute, negate, |sink| {
        register(sink, pick(&VECTORS, source));
        register(sink, pick(&SWIZZLES, swizzle));
    });
}

#[inline]
fn scalar_source(sink: &mut impl Sink, source: u32, absolute: u32, negate: u32) {
    signed(sink, absolute, negate, |sink| register(sink, pick(&SCALARS, source)));
}

#[inline]
fn signed<S: Sink>(sink: &mut S, absolute: u32, negate: u32, inner: impl FnOnce(&mut S)) {
    if absolute | negate != 0 {
        sink.put_short(PartKind::Punctuation, pick(&SIGNS, negate << 1 | absolute));
    }
    inner(sink);
    if absolute != 0 {
        sink.put_short(PartKind::Punctuation, &CLOSE);
    }
}

#[inline]
fn vector_dest(sink: &mut impl Sink, dest: u32, mask: u32) {
    register(sink, pick(&DESTINATIONS, dest));
    register(sink, pick(&MASKS, mask));
    blank(sink);
}

#[inline]
fn scalar_dest(sink: &mut impl Sink, dest: u32) {
    register(sink, pick(&DESTINATION_SCALARS, dest));
    blank(sink);
}

fn signed_number(sink: &mut impl Sink, value: i32) {
    if value < 0 {
        sink.put(PartKind::Immediate, "-");
    }
    sink.decimal(PartKind::Immediate, value.unsigned_abs());
}

fn offset(sink: &mut impl Sink, component: u32) {
    sink.put_short(PartKind::Punctuation, &PLUS);
    register(sink, pick(&SCALARS, component));
}

fn varying_place(sink: &mut impl Sink, field: Varying) {
    let index = field.index();
    match field.alignment() {
        0 => {
            sink.decimal(PartKind::Immediate, index >> 2);
            sink.put_short(PartKind::Immediate, pick(&COMPONENTS, index));
        }
        1 => {
            sink.decimal(PartKind::Immediate, index >> 1);
            sink.put_short(PartKind::Immediate, pick(&PAIRS, index));
        }
        _ => sink.decimal(PartKind::Immediate, index),
    }
    if field.offset_register() != NO_OFFSET {
        offset(sink, field.offset_register() << 2 | field.offset_component());
    }
}

fn varying(sink: &mut impl Sink, field: Varying) {
    if field.source_type() < 2 && field.sub() != 0 {
        sink.put(
            PartKind::Mnemonic,
            match field.sub() {
                2 => "load.perspective.z.v ",
                3 => "load.perspective.w.v ",
                _ => "load.perspective.unknown.v ",
            },
        );
    } else {
        sink.put_short(PartKind::Mnemonic, &LOAD_VARYING);
    }
    if field.dest() == UNIFORM {
        sink.put(PartKind::Register, "^discard");
        register(sink, pick(&MASKS, field.mask()));
        blank(sink);
    } else {
        vector_dest(sink, field.dest(), field.mask());
    }
    let source = field.source();
    let from_register = |sink: &mut _| {
        let form: VaryingRegister = field.register();
        vector_source(sink, form.source(), form.swizzle(), form.absolute(), form.negate());
    };
    match source {
        VaryingSource::Varying => varying_place(sink, field),
        VaryingSource::Register => from_register(sink),
        VaryingSource::Cube | VaryingSource::CubeRegister => {
            sink.put(PartKind::Punctuation, "cube(");
            if source == VaryingSource::Cube {
                varying_place(sink, field);
            } else {
                from_register(sink);
            }
            sink.put_short(PartKind::Punctuation, &CLOSE);
        }
        VaryingSource::Normalize => {
            sink.put(PartKind::Punctuation, "normalize(");
            from_register(sink);
            sink.put_short(PartKind::Punctuation, &CLOSE);
        }
        VaryingSource::FragCoord => sink.put(PartKind::Name, "gl_FragCoord"),
        VaryingSource::PointCoord => sink.put(PartKind::Name, "gl_PointCoord"),
        VaryingSource::FrontFacing => sink.put(PartKind::Name, "gl_FrontFacing"),
    }
}

fn sampler(sink: &mut impl Sink, field: Sampler) {
    sink.put(PartKind::Mnemonic, if field.lod_enable() != 0 { "texld.b" } else { "texld" });
    match field.kind() {
        0 => {}
        CUBE => sink.put(PartKind::Mnemonic, ".cube"),
        kind => {
            sink.put(PartKind::Mnemonic, "_t");
            sink.decimal(PartKind::Mnemonic, kind);
        }
    }
    blank(sink);
    sink.decimal(PartKind::Immediate, field.index());
    if field.offset_enable() != 0 {
        offset(sink, field.offset_register());
    }
    if field.lod_enable() != 0 {
        blank(sink);
        register(sink, pick(&SCALARS, field.lod_register()));
    }
}

/// A place in the uniforms or temporaries, divided as C divides.
fn memory_place(sink: &mut impl Sink, index: u32, alignment: u32) {
    let index = i32::from(index as u16 as i16);
    match alignment {
        2 => signed_number(sink, index),
        1 => {
            signed_number(sink, index / 2);
            sink.put_short(PartKind::Immediate, pick(&PAIRS, index as u32));
        }
        _ => {
            signed_number(sink, index / 4);
            sink.put_short(PartKind::Immediate, pick(&COMPONENTS, index as u32));
        }
    }
}

fn uniform(sink: &mut impl Sink, field: Uniform) {
    match field.source() {
        0 => sink.put(PartKind::Mnemonic, "load.u "),
        TEMPORARY => sink.put(PartKind::Mnemonic, "load.t "),
        source => {
            sink.put(PartKind::Mnemonic, "load..u");
            sink.decimal(PartKind::Mnemonic, source);
            blank(sink);
        }
    }
    memory_place(sink, field.index(), field.alignment());
    if field.offset_enable() != 0 {
        offset(sink, field.offset_register());
    }
}

/// The name of an operation with its change of the result and its unit.
#[inline]
fn head(sink: &mut impl Sink, name: Option<&Short<'static>>, op: u32, outmod: u32, unit: usize) {
    match name {
        Some(name) => sink.put_short(PartKind::Mnemonic, name),
        None => {
            sink.put(PartKind::Mnemonic, "op");
            sink.decimal(PartKind::Mnemonic, op);
        }
    }
    sink.put_short(PartKind::Mnemonic, pick(&OUTMODS, outmod));
    sink.put_short(PartKind::Mnemonic, &UNITS[unit]);
}

fn vector_mul(sink: &mut impl Sink, inst: &Inst) {
    let field = inst.vector_mul;
    let op = MulOp::of(field.op());
    head(sink, op.map(|op| &MUL_NAMES[op as usize]), field.op(), field.outmod(), 0);
    if field.mask() != 0 {
        vector_dest(sink, field.dest(), field.mask());
    }
    vector_source(sink, field.arg0(), field.arg0_swizzle(), field.arg0_absolute(), field.arg0_negate());
    if op == Some(MulOp::Mul) {
        sink.put_short(PartKind::Immediate, pick(&SHIFTS, field.op()));
    }
    blank(sink);
    if op.is_some_and(|op| op.row().sources > 1) {
        vector_source(sink, field.arg1(), field.arg1_swizzle(), field.arg1_absolute(), field.arg1_negate());
    }
}

fn float_mul(sink: &mut impl Sink, inst: &Inst) {
    let field = inst.float_mul;
    let op = MulOp::of(field.op());
    head(sink, op.map(|op| &MUL_NAMES[op as usize]), field.op(), field.outmod(), 1);
    if field.output_enable() != 0 {
        scalar_dest(sink, field.dest());
    }
    scalar_source(sink, field.arg0(), field.arg0_absolute(), field.arg0_negate());
    if op == Some(MulOp::Mul) {
        sink.put_short(PartKind::Immediate, pick(&SHIFTS, field.op()));
    }
    if op.is_some_and(|op| op.row().sources > 1) {
        blank(sink);
        scalar_source(sink, field.arg1(), field.arg1_absolute(), field.arg1_negate());
    }
}

fn vector_add(sink: &mut impl Sink, inst: &Inst) {
    let field = inst.vector_add;
    let op = AddOp::of(field.op());
    head(sink, op.map(|op| &ADD_NAMES[op as usize]), field.op(), field.outmod(), 2);
    if field.mask() != 0 {
        vector_dest(sink, field.dest(), field.mask());
    }
    signed(sink, field.arg0_absolute(), field.arg0_negate(), |sink| {
        if field.mul_in() != 0 {
            sink.put(PartKind::Register, "^v0");
        } else {
            register(sink, pick(&VECTORS, field.arg0()));
        }
        register(sink, pick(&SWIZZLES, field.arg0_swizzle()));
    });
    if op.is_some_and(|op| op.row().sources > 1) {
        blank(sink);
        vector_source(sink, field.arg1(), field.arg1_swizzle(), field.arg1_absolute(), field.arg1_negate());
    }
}

fn float_add(sink: &mut impl Sink, inst: &Inst) {
    let field = inst.float_add;
    let op = AddOp::of_scalar(field.op());
    head(sink, op.map(|op| &ADD_NAMES[op as usize]), field.op(), field.outmod(), 3);
    if field.output_enable() != 0 {
        scalar_dest(sink, field.dest());
    }
    signed(sink, field.arg0_absolute(), field.arg0_negate(), |sink| {
        if field.mul_in() != 0 {
            sink.put(PartKind::Register, "^s0");
        } else {
            register(sink, pick(&SCALARS, field.arg0()));
        }
    });
    if op.is_some_and(|op| op.row().sources > 1) {
        blank(sink);
        scalar_source(sink, field.arg1(), field.arg1_absolute(), field.arg1_negate());
    }
}

/// This disassembler knows one form with optional parts, where there are four.
fn combine(sink: &mut impl Sink, raw: u64) {
    let (scalar, vector, product) = (CombineScalar(raw), CombineAtan(raw), CombineMul(raw));
    let to_vector = scalar.dest_vector() != 0;
    let second = scalar.vector_source() != 0;
    if to_vector && second {
        sink.put(PartKind::Mnemonic, "mul.s2 ");
    } else {
        // Its list of names ends before the number does, and behind it in memory lie those of the add units.
        let name = match CombineOp::of(scalar.op()) {
            Some(op) => Some(&COMBINE_NAMES[op as usize]),
            None => AddOp::of(scalar.op() - COMBINE_OPS.len() as u32).map(|op| &ADD_NAMES[op as usize]),
        };
        head(sink, name, scalar.op(), if to_vector { 0 } else { scalar.outmod() }, 4);
    }
    if to_vector {
        vector_dest(sink, vector.dest(), vector.mask());
    } else {
        scalar_dest(sink, scalar.dest());
        blank(sink);
    }
    scalar_source(sink, scalar.arg0(), scalar.arg0_absolute(), scalar.arg0_negate());
    blank(sink);
    if to_vector && second {
        vector_source(sink, product.arg1(), product.arg1_swizzle(), 0, 0);
    } else if second {
        scalar_source(sink, scalar.arg1(), scalar.arg1_absolute(), scalar.arg1_negate());
    }
}

fn store(sink: &mut impl Sink, field: Store) {
    if let Some(read) = field.framebuffer_read() {
        sink.put(PartKind::Mnemonic, if read.color() != 0 { "fb_color " } else { "fb_depth " });
        return register(sink, pick(&DESTINATIONS, read.dest()));
    }
    sink.put(PartKind::Mnemonic, "store.t ");
    memory_place(sink, field.index(), field.alignment());
    if field.offset_enable() != 0 {
        offset(sink, field.offset_register());
    }
    blank(sink);
    if field.alignment() != 0 {
        register(sink, pick(&VECTORS, field.source() >> 2));
    } else {
        register(sink, pick(&SCALARS, field.source()));
    }
}

fn branch(sink: &mut impl Sink, inst: &Inst, at: u32) {
    let field = inst.branch;
    if field.is_discard() {
        return sink.put(PartKind::Mnemonic, "discard");
    }
    sink.put_short(PartKind::Mnemonic, pick(&BRANCHES, field.condition()));
    if field.condition() != 7 {
        register(sink, pick(&SCALARS, field.arg0()));
        blank(sink);
        register(sink, pick(&SCALARS, field.arg1()));
    }
    blank(sink);
    signed_number(sink, (at as i32).wrapping_add(field.distance()));
}

fn constant(sink: &mut impl Sink, name: &Short<'static>, constant: Constant) {
    sink.put_short(PartKind::Mnemonic, name);
    for half in constant.halves() {
        blank(sink);
        sink.ascii(PartKind::Immediate, half::six_places(half).bytes());
    }
}
