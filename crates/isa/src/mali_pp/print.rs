//! Instructions in the native text. What a field's bits say beyond that text follows as `@name=value`, with
//! the names of the table, so that the text determines every bit.
//!
//! Each form of a field knows what its text says; the bits that the assembler makes from such a text are
//! compared with the field's own, and every run of bits that differs is written out.

use super::half;
use super::names::{
    COMBINE, COMBINE_VECTOR, DESTINATION_SCALARS, DESTINATIONS, FLOAT_ADD, FLOAT_MUL, MASKS, Mnemonics,
    SCALARS, SHORT_SWIZZLES, VECTOR_ADD, VECTOR_MUL, VECTORS, mnemonic as mnemonic_of, pick,
};
use super::symbols::{INPUTS, Kind, Symbols};
use super::table::{
    AddOp, Branch, CUBE, Combine, CombineAtan, CombineAtanSecond, CombineMul, CombineOp, CombineScalar,
    Constant, Control, FRAMEBUFFER_CONSTANT, Field, FloatAdd, FloatMul, FramebufferRead, MulOp, NO_OFFSET,
    Part, SAMPLER_CONSTANT, Sampler, Store, TEMPORARY, UNIFORM, Uniform, Varying, VaryingRegister,
    VaryingSource, VectorAdd, VectorMul,
};
use super::{Inst, reach::floats as width, words_needed};
use crate::text::{PartKind, Short, Sink};
use std::ops::Range;

/// Column of the first operand.
const OPERANDS: usize = 16;

/// What an instruction's place in the code tells about it.
#[derive(Debug, Clone, Default)]
pub struct Around<'a> {
    /// Its words in the code.
    pub words: Range<u32>,
    /// Words of the instruction behind this one; 0: none.
    pub next: u32,
    /// Label of the branch's target.
    pub label: Option<&'a str>,
    /// The branch's target as a word index.
    pub target: i64,
    /// Words of the instruction there; 0: none starts there.
    pub target_count: u32,
}

static FIRST: Short<'static> = Short::new("    ");
static FURTHER: Short<'static> = Short::new("  | ");
static CONST0: Short<'static> = Short::new("const0");
static CONST1: Short<'static> = Short::new("const1");
static NOTHING: Short<'static> = Short::new("_");
static DISCARD: Short<'static> = Short::new("^discard");
static VECTOR_LINK: Short<'static> = Short::new("^v0");
static FLOAT_LINK: Short<'static> = Short::new("^s0");
static LOADS: [Short<'static>; 4] = Short::all(["load.v", "load.v.proj1", "load.v.projz", "load.v.projw"]);
static LOAD_CUBE: Short<'static> = Short::new("load.v.cube");
static LOAD_NORMALIZE: Short<'static> = Short::new("load.v.normalize");
static LOAD_UNIFORM: Short<'static> = Short::new("load.u");
static LOAD_TEMPORARY: Short<'static> = Short::new("load.t");
static STORE: Short<'static> = Short::new("store.t");
static READ_COLOR: Short<'static> = Short::new("fb.color");
static READ_DEPTH: Short<'static> = Short::new("fb.depth");
static COMBINE_MUL: Short<'static> = Short::new("mul.v2");
static ATAN_SECOND: [Short<'static>; 4] =
    Short::all(["atan_pt2.s2", "atan_pt2.sat.s2", "atan_pt2.pos.s2", "atan_pt2.int.s2"]);
/// What stands between a mnemonic of that many letters and its operands; one of sixteen letters counts as none.
static GAPS: [Short<'static>; 16] = Short::all([
    " ",
    "           ",
    "          ",
    "         ",
    "        ",
    "       ",
    "      ",
    "     ",
    "    ",
    "   ",
    "  ",
    " ",
    " ",
    " ",
    " ",
    " ",
]);
static COMMA: Short<'static> = Short::new(", ");
static SIGNS: [Short<'static>; 4] = Short::all(["", "abs(", "-", "-abs("]);
static CLOSE: Short<'static> = Short::new(")");
static LETTERS: [Short<'static>; 4] = Short::all([".x", ".y", ".z", ".w"]);
static PAIRS: [Short<'static>; 4] = Short::all([".xy", ".yz", ".zw", ""]);

/// Division of an input by one of its components, by [`Varying::sub`].
pub(super) const DIVISIONS: [&str; 4] = ["", ".proj1", ".projz", ".projw"];
/// Mnemonics of branches by their condition.
pub(super) const BRANCHES: [&str; 8] =
    ["br.never", "br.gt", "br.eq", "br.ge", "br.lt", "br.ne", "br.le", "br"];
static BRANCH_TEXTS: [Short<'static>; 8] = Short::all(BRANCHES);

/// Writes an instruction, a line for each field and one for what concerns the whole; ends the last line.
pub fn instruction(sink: &mut impl Sink, inst: &Inst, symbols: &Symbols<'_>, around: &Around<'_>) {
    let mut left = inst.control.fields();
    let mut start = &FIRST;
    if left == 0 {
        sink.words(around.words.clone());
        sink.put_short(PartKind::Plain, start);
        sink.put(PartKind::Mnemonic, "nop");
        start = &FURTHER;
        sink.end_line();
    }
    while left != 0 {
        let number = left.trailing_zeros();
        left &= left - 1;
        sink.words(around.words.clone());
        sink.put_short(PartKind::Punctuation, start);
        start = &FURTHER;
        match Field::ALL[number as usize % Field::ALL.len()] {
            Field::Varying => varying(sink, inst.varying, symbols),
            Field::Sampler => sampler(sink, inst.sampler, symbols),
            Field::Uniform => uniform(sink, inst.uniform, symbols),
            Field::VectorMul => vector_mul(sink, inst.vector_mul),
            Field::FloatMul => float_mul(sink, inst.float_mul),
            Field::VectorAdd => vector_add(sink, inst.vector_add),
            Field::FloatAdd => float_add(sink, inst.float_add),
            Field::Combine => combine(sink, inst.combine),
            Field::Store => store(sink, inst.store),
            Field::Branch => branch(sink, inst.branch, around),
            Field::Const0 => constant(sink, &CONST0, inst.constants[0]),
            Field::Const1 => constant(sink, &CONST1, inst.constants[1]),
        }
        sink.end_line();
    }
    whole(sink, inst, around);
}

/// `sync`, `stop`, and whatever of the control word is not as the assembler makes it.
fn whole(sink: &mut impl Sink, inst: &Inst, around: &Around<'_>) {
    let control = inst.control;
    let said = usual_control(inst, around.next);
    let needs_sync = inst.needs_sync();
    let sync = control.sync() != 0;
    if !sync && !needs_sync && control.stop() == 0 && control == said && inst.tail.is_empty() {
        return;
    }
    sink.words(around.words.clone());
    let mut start = &FURTHER;
    let mut word = |sink: &mut _, text: &str| {
        Sink::put_short(sink, PartKind::Punctuation, start);
        Sink::put(sink, PartKind::Directive, text);
        start = &COMMA;
    };
    if sync {
        word(sink, "sync");
    } else if needs_sync {
        word(sink, "nosync");
    }
    if control.stop() != 0 {
        word(sink, "stop");
    }
    if control != said || !inst.tail.is_empty() {
        word(sink, "control");
        rest(sink, Control::PARTS, control.0.into(), said.0.into());
        for (n, bits) in inst.tail.iter().enumerate() {
            sink.put(PartKind::Directive, if n == 0 { " @tail=" } else { ":" });
            sink.hex(PartKind::Directive, *bits, 1);
        }
    }
    sink.end_line();
}

/// The control word that the assembler makes, with the fields and flags of this instruction.
pub(super) fn usual_control(inst: &Inst, next: u32) -> Control {
    let control = inst.control;
    control
        .with_count(words_needed(control.fields()))
        .with_next(next)
        .with_prefetch(u32::from(next != 0))
        .with_reserved(0)
}

/// Every run of bits that is not as the text says.
#[inline]
fn rest(sink: &mut impl Sink, parts: &[Part], raw: u128, said: u128) {
    if raw != said {
        different(sink, parts, raw, said);
    }
}

#[cold]
fn different(sink: &mut impl Sink, parts: &[Part], raw: u128, said: u128) {
    for part in parts.iter().filter(|part| part.of(raw) != part.of(said)) {
        sink.put(PartKind::Directive, " @");
        sink.put(PartKind::Directive, part.name);
        sink.put(PartKind::Directive, "=");
        sink.hex(PartKind::Directive, part.of(raw) as u32, 1);
    }
}

#[inline]
fn mnemonic(sink: &mut impl Sink, text: &'static Short<'static>) {
    sink.put_short(PartKind::Mnemonic, text);
    sink.put_short(PartKind::Plain, &GAPS[text.text().len() & 15]);
}

#[inline]
fn comma(sink: &mut impl Sink) {
    sink.put_short(PartKind::Punctuation, &COMMA);
}

#[inline]
fn register(sink: &mut impl Sink, short: &Short<'static>) {
    sink.put_short(PartKind::Register, short);
}

#[inline]
fn vector_dest(sink: &mut impl Sink, dest: u32, mask: u32) {
    register(sink, pick(&DESTINATIONS, dest));
    mask_text(sink, mask);
}

fn mask_text(sink: &mut impl Sink, mask: u32) {
    if mask == 0 {
        sink.put(PartKind::Register, "._");
    } else {
        register(sink, pick(&MASKS, mask));
    }
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
fn vector(sink: &mut impl Sink, source: u32, swizzle: u32, absolute: u32, negate: u32) {
    signed(sink, absolute, negate, |sink| {
        register(sink, pick(&VECTORS, source));
        register(sink, pick(&SHORT_SWIZZLES, swizzle));
    });
}

#[inline]
fn scalar(sink: &mut impl Sink, source: u32, absolute: u32, negate: u32) {
    signed(sink, absolute, negate, |sink| register(sink, pick(&SCALARS, source)));
}

/// A place of `width` floats that starts at a float: the name of the vector it lies in, or its number; then
/// the components, unless there are four.
fn place(sink: &mut impl Sink, symbols: &Symbols<'_>, kind: Option<Kind>, float: i32, width: u32) {
    let named = kind.and_then(|kind| {
        let float = u32::try_from(float).ok()?;
        let component = symbols.component(kind, float)?;
        let fits = if width == 4 { component == 0 } else { component + width <= 4 };
        fits.then(|| symbols.put(sink, kind, float)).flatten()
    });
    let component = named.unwrap_or_else(|| {
        let vector = float.div_euclid(4);
        if vector < 0 {
            sink.put(PartKind::Immediate, "-");
        }
        sink.decimal(PartKind::Immediate, vector.unsigned_abs());
        float.rem_euclid(4) as u32
    });
    match width {
        1 => sink.put_short(PartKind::Register, pick(&LETTERS, component)),
        2 => sink.put_short(PartKind::Register, pick(&PAIRS, component)),
        _ => {}
    }
}

fn offset(sink: &mut impl Sink, component: u32) {
    sink.put(PartKind::Punctuation, " + ");
    register(sink, pick(&SCALARS, component));
}

/// What the place of a special input looks like.
pub(super) const SPECIAL: Varying = Varying(3 << 5 | 15 << 10);

fn varying(sink: &mut impl Sink, field: Varying, symbols: &Symbols<'_>) {
    let source = field.source();
    mnemonic(
        sink,
        match source {
            VaryingSource::Varying | VaryingSource::Register => pick(&LOADS, field.sub()),
            VaryingSource::Cube | VaryingSource::CubeRegister => &LOAD_CUBE,
            VaryingSource::Normalize => &LOAD_NORMALIZE,
            _ => &LOADS[0],
        },
    );
    if field.dest() == UNIFORM {
        register(sink, &DISCARD);
        mask_text(sink, field.mask());
    } else {
        vector_dest(sink, field.dest(), field.mask());
    }
    comma(sink);
    if source.is_register() {
        let field = field.register();
        vector(sink, field.source(), field.swizzle(), field.absolute(), field.negate());
        let said = field.with_reserved_4(0).with_normalize(0).with_reserved_7(0).with_reserved_32(0);
        return rest(sink, VaryingRegister::PARTS, field.0.into(), said.0.into());
    }
    let mut said = field.with_reserved_4(0).with_reserved_7(0).with_reserved_14(0).with_reserved_32(0);
    if source.is_place() {
        let floats = width(field.alignment());
        place(sink, symbols, Some(Kind::Varying), (field.index() * floats) as i32, floats);
        if field.alignment() == 2 {
            said = said.with_alignment(3);
        }
        if field.offset_register() == NO_OFFSET {
            said = said.with_offset_component(0);
        } else {
            offset(sink, field.offset_register() << 2 | field.offset_component());
        }
    } else {
        let kept = Varying(0)
            .with_source_type(field.source_type())
            .with_sub(if source == VaryingSource::FrontFacing { 1 } else { field.sub() })
            .with_dest(field.dest())
            .with_mask(field.mask());
        said = Varying(SPECIAL.0 | kept.0);
        let name = match source {
            VaryingSource::FragCoord => INPUTS[0],
            VaryingSource::PointCoord => INPUTS[1],
            _ => INPUTS[2],
        };
        sink.put(PartKind::Name, name);
    }
    rest(sink, Varying::PARTS, field.0.into(), said.0.into());
}

fn sampler(sink: &mut impl Sink, field: Sampler, symbols: &Symbols<'_>) {
    sink.put(PartKind::Mnemonic, "texld");
    match field.kind() {
        0 => {}
        CUBE => sink.put(PartKind::Mnemonic, ".cube"),
        kind => {
            sink.put(PartKind::Mnemonic, ".t");
            sink.decimal(PartKind::Mnemonic, kind);
        }
    }
    let mut said = field.with_reserved_12(0).with_reserved_19(0).with_constant(SAMPLER_CONSTANT);
    if field.lod_enable() == 0 {
        said = said.with_lod_register(0).with_explicit_lod(0);
    } else {
        sink.put(PartKind::Mnemonic, if field.explicit_lod() != 0 { ".lod" } else { ".bias" });
    }
    sink.pad_to(OPERANDS);
    if symbols.put(sink, Kind::Sampler, field.index()).is_none() {
        sink.decimal(PartKind::Immediate, field.index());
    }
    if field.offset_enable() == 0 {
        said = said.with_offset_register(0);
    } else {
        offset(sink, field.offset_register());
    }
    if field.lod_enable() != 0 {
        comma(sink);
        register(sink, pick(&SCALARS, field.lod_register()));
    }
    rest(sink, Sampler::PARTS, field.0.into(), said.0.into());
}

/// First float of an access to memory.
fn first_float(index: u32, alignment: u32) -> i32 {
    i32::from(index as u16 as i16) * width(alignment) as i32
}

fn uniform(sink: &mut impl Sink, field: Uniform, symbols: &Symbols<'_>) {
    let temporary = field.source() == TEMPORARY;
    mnemonic(sink, if temporary { &LOAD_TEMPORARY } else { &LOAD_UNIFORM });
    let floats = width(field.alignment());
    let kind = (field.source() == 0).then_some(Kind::Uniform);
    place(sink, symbols, kind, first_float(field.index(), field.alignment()), floats);
    let mut said = field.with_reserved_2(0).with_reserved_12(0);
    if !temporary {
        said = said.with_source(0);
    }
    if field.alignment() == 3 {
        said = said.with_alignment(2);
    }
    if field.offset_enable() == 0 {
        said = said.with_offset_register(0);
    } else {
        offset(sink, field.offset_register());
    }
    rest(sink, Uniform::PARTS, field.0.into(), said.0.into());
}

/// The name of an operation with its change of the result and its unit.
#[inline]
fn head(sink: &mut impl Sink, table: &'static Mnemonics, op: u32, outmod: u32) {
    let text = mnemonic_of(table, op, outmod);
    sink.put_short(PartKind::Mnemonic, text);
    sink.put_short(PartKind::Plain, &GAPS[text.text().len() & 15]);
}

#[inline]
fn nothing(sink: &mut impl Sink) {
    register(sink, &NOTHING);
}

fn vector_mul(sink: &mut impl Sink, field: VectorMul) {
    let op = MulOp::of(field.op());
    head(sink, &VECTOR_MUL, field.op(), field.outmod());
    let mut said = field;
    if field.mask() == 0 {
        said = said.with_dest(0);
        nothing(sink);
    } else {
        vector_dest(sink, field.dest(), field.mask());
    }
    comma(sink);
    vector(sink, field.arg0(), field.arg0_swizzle(), field.arg0_absolute(), field.arg0_negate());
    if op.is_some_and(|op| op.row().sources == 1) {
        said = said.with_arg1(0).with_arg1_swizzle(0).with_arg1_absolute(0).with_arg1_negate(0);
    } else {
        comma(sink);
        vector(sink, field.arg1(), field.arg1_swizzle(), field.arg1_absolute(), field.arg1_negate());
    }
    rest(sink, VectorMul::PARTS, field.0.into(), said.0.into());
}

fn float_mul(sink: &mut impl Sink, field: FloatMul) {
    let op = MulOp::of(field.op());
    head(sink, &FLOAT_MUL, field.op(), field.outmod());
    let mut said = field;
    if field.output_enable() == 0 {
        said = said.with_dest(0);
        nothing(sink);
    } else {
        register(sink, pick(&DESTINATION_SCALARS, field.dest()));
    }
    comma(sink);
    scalar(sink, field.arg0(), field.arg0_absolute(), field.arg0_negate());
    if op.is_some_and(|op| op.row().sources == 1) {
        said = said.with_arg1(0).with_arg1_absolute(0).with_arg1_negate(0);
    } else {
        comma(sink);
        scalar(sink, field.arg1(), field.arg1_absolute(), field.arg1_negate());
    }
    rest(sink, FloatMul::PARTS, field.0.into(), said.0.into());
}

/// Between the operands: a select shows its condition.
fn between(sink: &mut impl Sink, op: Option<AddOp>) {
    if op == Some(AddOp::Sel) {
        sink.put(PartKind::Punctuation, " : ");
    } else {
        comma(sink);
    }
}

fn condition(sink: &mut impl Sink, op: Option<AddOp>) {
    if op == Some(AddOp::Sel) {
        sink.put(PartKind::Register, "^s0");
        sink.put(PartKind::Punctuation, " ? ");
    }
}

fn vector_add(sink: &mut impl Sink, field: VectorAdd) {
    let op = AddOp::of(field.op());
    head(sink, &VECTOR_ADD, field.op(), field.outmod());
    let mut said = field;
    if field.mask() == 0 {
        said = said.with_dest(0);
        nothing(sink);
    } else {
        vector_dest(sink, field.dest(), field.mask());
    }
    comma(sink);
    condition(sink, op);
    signed(sink, field.arg0_absolute(), field.arg0_negate(), |sink| {
        if field.mul_in() == 0 {
            register(sink, pick(&VECTORS, field.arg0()));
        } else {
            said = said.with_arg0(0);
            register(sink, &VECTOR_LINK);
        }
        register(sink, pick(&SHORT_SWIZZLES, field.arg0_swizzle()));
    });
    if op.is_some_and(|op| op.row().sources == 1) {
        said = said.with_arg1(0).with_arg1_swizzle(0).with_arg1_absolute(0).with_arg1_negate(0);
    } else {
        between(sink, op);
        vector(sink, field.arg1(), field.arg1_swizzle(), field.arg1_absolute(), field.arg1_negate());
    }
    rest(sink, VectorAdd::PARTS, field.0.into(), said.0.into());
}

fn float_add(sink: &mut impl Sink, field: FloatAdd) {
    let op = AddOp::of_scalar(field.op());
    head(sink, &FLOAT_ADD, field.op(), field.outmod());
    let mut said = field;
    if field.output_enable() == 0 {
        said = said.with_dest(0);
        nothing(sink);
    } else {
        register(sink, pick(&DESTINATION_SCALARS, field.dest()));
    }
    comma(sink);
    condition(sink, op);
    signed(sink, field.arg0_absolute(), field.arg0_negate(), |sink| {
        if field.mul_in() == 0 {
            register(sink, pick(&SCALARS, field.arg0()));
        } else {
            said = said.with_arg0(0);
            register(sink, &FLOAT_LINK);
        }
    });
    if op.is_some_and(|op| op.row().sources == 1) {
        said = said.with_arg1(0).with_arg1_absolute(0).with_arg1_negate(0);
    } else {
        between(sink, op);
        scalar(sink, field.arg1(), field.arg1_absolute(), field.arg1_negate());
    }
    rest(sink, FloatAdd::PARTS, field.0.into(), said.0.into());
}

fn combine(sink: &mut impl Sink, raw: u64) {
    match Combine::of(raw) {
        Combine::Scalar(field) => {
            head(sink, &COMBINE, field.op(), field.outmod());
            register(sink, pick(&DESTINATION_SCALARS, field.dest()));
            comma(sink);
            scalar(sink, field.arg0(), field.arg0_absolute(), field.arg0_negate());
            let said = field.with_arg1(0).with_arg1_absolute(0).with_arg1_negate(0);
            rest(sink, CombineScalar::PARTS, raw.into(), said.0.into());
        }
        Combine::Atan(field) => {
            let op = CombineOp::of(field.op());
            head(sink, &COMBINE_VECTOR, field.op(), 0);
            vector_dest(sink, field.dest(), field.mask());
            comma(sink);
            scalar(sink, field.arg0(), field.arg0_absolute(), field.arg0_negate());
            let mut said = field;
            if op.is_some_and(|op| op.row().sources == 1) {
                said = said.with_arg1(0).with_arg1_absolute(0).with_arg1_negate(0);
            } else {
                comma(sink);
                scalar(sink, field.arg1(), field.arg1_absolute(), field.arg1_negate());
            }
            rest(sink, CombineAtan::PARTS, raw.into(), said.0.into());
        }
        Combine::Mul(field) => {
            mnemonic(sink, &COMBINE_MUL);
            vector_dest(sink, field.dest(), field.mask());
            comma(sink);
            scalar(sink, field.arg0(), field.arg0_absolute(), field.arg0_negate());
            comma(sink);
            vector(sink, field.arg1(), field.arg1_swizzle(), 0, 0);
            rest(sink, CombineMul::PARTS, raw.into(), field.0.into());
        }
        Combine::AtanSecond(field) => {
            mnemonic(sink, pick(&ATAN_SECOND, field.outmod()));
            register(sink, pick(&DESTINATION_SCALARS, field.dest()));
            comma(sink);
            vector(sink, field.arg1(), field.arg1_swizzle(), 0, 0);
            rest(sink, CombineAtanSecond::PARTS, raw.into(), field.with_unused_14(0).0.into());
        }
    }
}

fn store(sink: &mut impl Sink, field: Store) {
    if let Some(read) = field.framebuffer_read() {
        mnemonic(sink, if read.color() != 0 { &READ_COLOR } else { &READ_DEPTH });
        register(sink, pick(&DESTINATIONS, read.dest()));
        let said = read.with_unknown_10(FRAMEBUFFER_CONSTANT);
        return rest(sink, FramebufferRead::PARTS, read.0.into(), said.0.into());
    }
    mnemonic(sink, &STORE);
    let floats = width(field.alignment());
    place(sink, &Symbols::default(), None, first_float(field.index(), field.alignment()), floats);
    let mut said = field.with_target(3).with_reserved_2(0).with_reserved_12(0);
    if field.offset_enable() == 0 {
        said = said.with_offset_register(0);
    } else {
        offset(sink, field.offset_register());
    }
    comma(sink);
    if floats == 1 {
        register(sink, pick(&SCALARS, field.source()));
    } else {
        register(sink, pick(&VECTORS, field.source() >> 2));
        said = said.with_source(field.source() & !3);
    }
    if field.alignment() == 3 {
        said = said.with_alignment(2);
    }
    rest(sink, Store::PARTS, field.0.into(), said.0.into());
}

fn branch(sink: &mut impl Sink, field: Branch, around: &Around<'_>) {
    if field.is_discard() {
        return sink.put(PartKind::Mnemonic, "discard");
    }
    mnemonic(sink, pick(&BRANCH_TEXTS, field.condition()));
    let mut said = field.with_reserved_0(0).with_reserved_19(0).with_target_count(around.target_count);
    if field.condition() == 7 {
        said = said.with_arg0(0).with_arg1(0);
    } else {
        scalar(sink, field.arg0(), 0, 0);
        comma(sink);
        scalar(sink, field.arg1(), 0, 0);
        comma(sink);
    }
    match around.label {
        Some(label) => sink.put(PartKind::Label, label),
        None => {
            if around.target < 0 {
                sink.put(PartKind::Immediate, "-");
            }
            sink.decimal(PartKind::Immediate, around.target.unsigned_abs() as u32);
        }
    }
    rest(sink, Branch::PARTS, field.0, said.0);
}

fn constant(sink: &mut impl Sink, name: &'static Short<'static>, constant: Constant) {
    mnemonic(sink, name);
    for (n, half) in constant.halves().into_iter().enumerate() {
        if n > 0 {
            comma(sink);
        }
        sink.ascii(PartKind::Immediate, half::shortest(half).bytes());
    }
}
