//! Instructions as Mesa's disassembler for lima writes them (release 22.3), its quirks included: the raw
//! number of a multiply's shift, blanks behind scalar destinations of the combine unit, an operand of `mov`
//! that does not exist, C's division of negative places, names read past the end of their list.

use super::forms::{FORMS, Operand};
use super::half;
use super::names::{
    DESTINATION_SCALARS, DESTINATIONS, LIMA_COMBINE, MASKS, SCALARS, SWIZZLES, VECTORS, mnemonic, pick,
};
use super::print::{signed, value};
use super::table::{
    CUBE, CombineAtan, CombineMul, CombineScalar, Constant, Field, MulOp, NO_OFFSET, Sampler, Store,
    TEMPORARY, UNIFORM, Uniform, Varying, VaryingRegister, VaryingSource,
};
use super::{Inst, Item, Walk};
use unshade_isa_common::text::{PartKind, Short, Sink};

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
    if at >= 1_000_000 {
        sink.put(PartKind::Label, "@");
        sink.decimal(PartKind::Label, at);
        return sink.put(PartKind::Punctuation, ": ");
    }
    let mut text = *b"@      ";
    let mut rest = at;
    for place in text.iter_mut().rev() {
        *place = b'0' + (rest % 10) as u8;
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    sink.ascii(PartKind::Label, &text);
    sink.put_short(PartKind::Punctuation, &COLON);
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
            Field::VectorMul => arithmetic::<0>(sink, inst.vector_mul.0),
            Field::FloatMul => arithmetic::<1>(sink, inst.float_mul.0),
            Field::VectorAdd => arithmetic::<2>(sink, inst.vector_add.0),
            Field::FloatAdd => arithmetic::<3>(sink, inst.float_add.0),
            Field::Combine => combine(sink, inst.combine),
            Field::Store => store(sink, inst.store),
            Field::Branch => branch(sink, inst, at),
            Field::Const0 => constant(sink, &CONST0, inst.constants[0]),
            Field::Const1 => constant(sink, &CONST1, inst.constants[1]),
        }
    }
    if inst.control.sync() != 0 {
        sink.put_short(PartKind::Directive, &SYNC);
    }
    if inst.control.stop() != 0 {
        sink.put_short(PartKind::Directive, &STOP);
    }
}

static SYNC: Short<'static> = Short::new(", sync");
static STOP: Short<'static> = Short::new(", stop");
static DISCARD: Short<'static> = Short::new("^discard");
static FETCH: Short<'static> = Short::new("texld");
static FETCH_BIAS: Short<'static> = Short::new("texld.b");
static LOAD_UNIFORM: Short<'static> = Short::new("load.u ");
static LOAD_TEMPORARY: Short<'static> = Short::new("load.t ");
static STORE: Short<'static> = Short::new("store.t ");
static VECTOR_LINK: Short<'static> = Short::new("^v0");
static FLOAT_LINK: Short<'static> = Short::new("^s0");
static COMBINE_MUL: Short<'static> = Short::new("mul.s2 ");
static ZERO: Short<'static> = Short::new("0.000000");
static COLON: Short<'static> = Short::new(": ");
static COMMA: Short<'static> = Short::new(", ");
static BLANK: Short<'static> = Short::new(" ");
static CONST0: Short<'static> = Short::new("const0");
static CONST1: Short<'static> = Short::new("const1");
static LOAD_VARYING: Short<'static> = Short::new("load.v ");
static CLOSE: Short<'static> = Short::new(")");
static PLUS: Short<'static> = Short::new("+");
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
        register(sink, &DISCARD);
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
    sink.put_short(PartKind::Mnemonic, if field.lod_enable() != 0 { &FETCH_BIAS } else { &FETCH });
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
        0 => sink.put_short(PartKind::Mnemonic, &LOAD_UNIFORM),
        TEMPORARY => sink.put_short(PartKind::Mnemonic, &LOAD_TEMPORARY),
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

/// The forms that are alike: all but those of the combine unit. The index is a constant, so that shifts and masks are.
// As in the native text, inlined it is slower.
#[inline(never)]
fn arithmetic<const FORM: usize>(sink: &mut impl Sink, raw: u64) {
    let form = const { &FORMS[FORM] };
    let op = value(const { FORMS[FORM].op }, raw);
    if let Some(names) = form.lima {
        sink.put_short(PartKind::Mnemonic, mnemonic(names, op, value(const { FORMS[FORM].outmod }, raw)));
    }
    if value(const { FORMS[FORM].written }, raw) != 0 {
        let dest = const { FORMS[FORM].dest }.get(raw.into());
        match const { FORMS[FORM].mask } {
            Some(mask) => vector_dest(sink, dest, mask.get(raw.into())),
            None => scalar_dest(sink, dest),
        }
    }
    operand::<FORM, 0>(sink, raw);
    if const { matches!(FORMS[FORM].field, Field::VectorMul | Field::FloatMul) }
        && MulOp::of(op) == Some(MulOp::Mul)
    {
        sink.put_short(PartKind::Immediate, pick(&SHIFTS, op));
    }
    let two = form.sources[op as usize % 32] > 1;
    // Its blank is there without the operand.
    if two || const { matches!(FORMS[FORM].field, Field::VectorMul) } {
        blank(sink);
    }
    if two {
        operand::<FORM, 1>(sink, raw);
    }
}

fn operand<const FORM: usize, const N: usize>(sink: &mut impl Sink, raw: u64) {
    let Operand { register: run, swizzle, absolute, negate, link } = const { FORMS[FORM].operands[N] };
    let (number, link) = (run.get(raw.into()), value(link, raw) != 0);
    let swizzle = swizzle.map(|run| run.get(raw.into()));
    signed(sink, value(absolute, raw), value(negate, raw), |sink| match swizzle {
        Some(swizzle) => {
            register(sink, if link { &VECTOR_LINK } else { pick(&VECTORS, number) });
            register(sink, pick(&SWIZZLES, swizzle));
        }
        None => register(sink, if link { &FLOAT_LINK } else { pick(&SCALARS, number) }),
    });
}

/// This disassembler knows one form with optional parts, where there are four.
fn combine(sink: &mut impl Sink, raw: u64) {
    let (scalar, vector, product) = (CombineScalar(raw), CombineAtan(raw), CombineMul(raw));
    let to_vector = scalar.dest_vector() != 0;
    let second = scalar.vector_source() != 0;
    if to_vector && second {
        sink.put_short(PartKind::Mnemonic, &COMBINE_MUL);
    } else {
        let outmod = if to_vector { 0 } else { scalar.outmod() };
        sink.put_short(PartKind::Mnemonic, mnemonic(&LIMA_COMBINE, scalar.op(), outmod));
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
    sink.put_short(PartKind::Mnemonic, &STORE);
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
        // Most are zero.
        if half == 0 {
            sink.put_short(PartKind::Immediate, &ZERO);
        } else {
            sink.ascii(PartKind::Immediate, half::six_places(half).bytes());
        }
    }
}
