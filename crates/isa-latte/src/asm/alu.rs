//! Arithmetic instructions and groups of them.

use super::cursor::Cursor;
use super::operand::{Operand, component, index, source};
use super::suffix::argument;
use crate::decode::{Unit, literals_of, unit_of};
use crate::fields::{Op2, Op3};
use crate::inst::Alu;
use crate::names::FACTORS;
use crate::ports::{self, Generation};
use crate::table::form::{CLAMP, PREDICATES, SOURCES, UPDATES};
use crate::table::suffix::Suffix;
use crate::table::{AluOp, Effect, Units};
use std::ops::Range;
use unshade_isa_common::assembly::{Problem, Result};
use unshade_isa_common::field::Field;
use unshade_stage::suggest;

/// An instruction of a group that is not closed.
#[derive(Debug)]
pub(super) struct Draft {
    unit: Unit,
    bits: u64,
    /// Operands that read literals.
    literals: Vec<Literal>,
    /// Its bank swizzle stands in the text.
    swizzle: bool,
    /// Bits that the text sets.
    parts: Vec<(Field, u32)>,
    /// Literals that nothing reads.
    unused: [Option<u32>; 4],
    /// Where it stands.
    pub(super) span: Range<usize>,
    /// Groups whose results it says that it reads.
    previous: Vec<(u32, Range<usize>)>,
    /// It reads results of the group in front.
    reads_previous: Option<Range<usize>>,
}

#[derive(Debug)]
struct Literal {
    /// Which source: 0, 1, 2.
    source: usize,
    value: u32,
    /// Component, where the text says so.
    channel: Option<u32>,
    span: Range<usize>,
}

/// Names that the assembler of decaf knows besides.
const ALIASES: [(&str, AluOp); 9] = [
    ("SQRT_e", AluOp::SqrtIeee),
    ("EXP_e", AluOp::ExpIeee),
    ("LOG_e", AluOp::LogIeee),
    ("RSQ_e", AluOp::RecipSqrtIeee),
    ("RCP_e", AluOp::RecipIeee),
    ("LOG_sat", AluOp::LogClamped),
    ("MUL_e", AluOp::MulIeee),
    ("DOT4_e", AluOp::Dot4Ieee),
    ("MULADD_e", AluOp::MulAddIeee),
];

/// The unit whose letter stands next, with its colon.
pub(super) fn unit(line: &Cursor<'_>) -> Option<Unit> {
    let mut ahead = *line;
    let unit = Unit::ALL.into_iter().find(|unit| ahead.tight(unit.letter().encode_utf8(&mut [0; 4])))?;
    ahead.blank();
    ahead.tight(":").then_some(unit)
}

/// Number of an operation and its sources.
fn operation(line: &mut Cursor<'_>) -> Result<(u32, usize)> {
    let name = line.word();
    if name.is_empty() {
        return Err(line.unexpected("an operation"));
    }
    let known = AluOp::named(name.text)
        .or_else(|| ALIASES.iter().find(|(alias, _)| *alias == name.text).map(|(_, op)| *op));
    if let Some(op) = known {
        return Ok((op.number(), usize::from(op.info().sources)));
    }
    let unknown = |prefix: &str, most: u32| {
        name.text.strip_prefix(prefix)?.parse::<u32>().ok().filter(|number| *number <= most)
    };
    if let Some(number) = unknown("OP2_", 0x7FF).filter(|number| number & 0x700 == 0) {
        return Ok((number, AluOp::of(number).map_or(2, |op| op.info().sources.into())));
    }
    if let Some(number) = unknown("OP3_", 31).filter(|number| *number >= 4) {
        return Ok((0x100 + number, 3));
    }
    let message = format!("`{}` is no arithmetic operation", name.text);
    let problem = Problem::new("latte.asm.operation", name.span(), message);
    Err(match suggest(name.text, AluOp::ALL.iter().map(|op| op.name()), 1).first() {
        Some(near) => problem.note(format!("did you mean `{near}`?")),
        None => problem,
    })
}

/// Reads an instruction from its unit on.
/// `unused` is what the second source of an operation with one source holds.
pub(super) fn instruction(line: &mut Cursor<'_>, unit: Unit, unused: u32) -> Result<Draft> {
    let start = line.position();
    line.run(|byte| byte.is_ascii_alphabetic());
    line.blank();
    line.expect(":")?;
    let (number, count) = operation(line)?;
    let is_op3 = number >= 0x100;
    let mut draft = Draft {
        unit,
        bits: 0,
        literals: Vec::new(),
        swizzle: false,
        parts: Vec::new(),
        unused: [None; 4],
        span: start..start,
        previous: Vec::new(),
        reads_previous: None,
    };
    let mut op2 = Op2(0);
    let mut factor = None;
    for (value, name) in (0..).zip(FACTORS).skip(1) {
        let at = line.position();
        if line.eat(name) {
            factor = Some((value, line.since(at)));
        }
    }
    if let Some((value, span)) = factor {
        if is_op3 {
            let message = "an operation of three sources has no factor";
            return Err(Problem::new("latte.asm.factor", span, message));
        }
        op2 = op2.with_omod(value);
    }
    if is_op3 {
        op2 = Op2(Op3(op2.0).with_inst(number & 31).0);
    } else {
        op2 = op2.with_inst(number);
    }
    if count == 1 && !is_op3 {
        op2 = op2.with_src1_sel(unused);
    }
    let mut index_mode = None;
    op2 = destination(line, unit, is_op3, op2, &mut index_mode)?;
    // decaf's text has a second source behind some operations that read one only.
    let most = if is_op3 { 3 } else { 2 };
    for place in 0..most {
        if place >= count && line.peek() != Some(b',') {
            break;
        }
        line.expect(",")?;
        let operand = source(line)?;
        op2 = put(&mut draft, op2, place, is_op3, &operand, &mut index_mode)?;
    }
    draft.bits = op2.with_index_mode(index_mode.map_or(0, |(mode, _)| mode)).0;
    while !line.is_done() {
        property(line, &mut draft, is_op3)?;
    }
    draft.span = line.since(start);
    Ok(draft)
}

fn same_index(index: &mut Option<(u32, Range<usize>)>, mode: u32, span: &Range<usize>) -> Result<()> {
    match index {
        Some((other, _)) if *other != mode => {
            let message = "an instruction has one index, but this is another one";
            Err(Problem::new("latte.asm.index", span.clone(), message))
        }
        _ => {
            *index = Some((mode, span.clone()));
            Ok(())
        }
    }
}

fn destination(
    line: &mut Cursor<'_>,
    unit: Unit,
    is_op3: bool,
    op2: Op2,
    index_mode: &mut Option<(u32, Range<usize>)>,
) -> Result<Op2> {
    let start = line.position();
    let vector = if unit == Unit::T { 0 } else { unit as u32 };
    if line.peek() == Some(b'_') {
        line.run(|byte| byte == b'_');
        let span = line.since(start);
        line.blank();
        if is_op3 {
            let message = "an operation of three sources always writes a register";
            return Err(Problem::new("latte.asm.destination", span, message));
        }
        return Ok(op2.with_dst_chan(vector));
    }
    if !line.tight("R") {
        return Err(line.unexpected("a destination: `R0.x` or `____`"));
    }
    let mut op2 = op2.with_dst_gpr(line.number(127)?);
    if let Some(mode) = index(line)? {
        same_index(index_mode, mode, &line.since(start))?;
        op2 = op2.with_dst_rel(1);
    }
    let channel = component(line)?;
    let span = line.since(start);
    line.blank();
    if let Some(channel) = channel
        && unit != Unit::T
        && channel != vector
    {
        let message = format!("the unit {} writes the component {0}", unit.letter());
        return Err(Problem::new("latte.asm.destination", span, message));
    }
    if !is_op3 {
        op2 = op2.with_write_mask(1);
    }
    Ok(op2.with_dst_chan(channel.unwrap_or(vector)))
}

fn put(
    draft: &mut Draft,
    op2: Op2,
    place: usize,
    is_op3: bool,
    operand: &Operand,
    index_mode: &mut Option<(u32, Range<usize>)>,
) -> Result<Op2> {
    if let Some(mode) = operand.index {
        same_index(index_mode, mode, &operand.span)?;
    }
    if is_op3 && operand.absolute {
        let message = "an operation of three sources has no absolute values";
        return Err(Problem::new("latte.asm.absolute", operand.span.clone(), message));
    }
    if matches!(operand.sel, 254 | 255) {
        draft.reads_previous = Some(operand.span.clone());
        draft.previous.extend(operand.previous.map(|number| (number, operand.span.clone())));
    }
    let needs = !matches!(operand.sel, 192..=253 | 255);
    // Without a component, decaf's assembler takes that of the destination.
    let channel = operand.channel.unwrap_or(if needs { op2.dst_chan() } else { 0 });
    if let Some(value) = operand.literal {
        let span = operand.span.clone();
        draft.literals.push(Literal { source: place, value, channel: operand.channel, span });
    }
    let of = &SOURCES[place];
    let mut bits = of.sel.set(op2.0.into(), operand.sel);
    bits = of.rel.set(bits, operand.index.is_some().into());
    bits = of.neg.set(of.chan.set(bits, channel), operand.negate.into());
    let absolute = of.abs.filter(|_| operand.absolute);
    Ok(Op2(absolute.map_or(bits, |abs| abs.set(bits, 1)) as u64))
}

fn property(line: &mut Cursor<'_>, draft: &mut Draft, is_op3: bool) -> Result<()> {
    if line.peek() == Some(b'@') {
        let mut ahead = *line;
        ahead.tight("@");
        let name = ahead.run(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        if let Some(place) =
            ["literal_x", "literal_y", "literal_z", "literal_w"].iter().position(|word| *word == name.text)
        {
            *line = ahead;
            line.expect("=")?;
            draft.unused[place] = Some(line.number(u32::MAX)?);
            line.blank();
            return Ok(());
        }
        let (part, value) = super::part(line, if is_op3 { Op3::PARTS } else { Op2::PARTS })?;
        draft.swizzle |= part.name == "bank_swizzle";
        draft.parts.push((part, value));
        return Ok(());
    }
    let name = line.word();
    let named = |row: &&Suffix| row.is_named(name.text);
    if let Some(row) = [&CLAMP].into_iter().chain(&PREDICATES).find(named) {
        draft.bits = argument(line, row, draft.bits.into())? as u64;
    } else if let Some(row) = UPDATES.iter().find(named) {
        if is_op3 {
            let message = format!("an operation of three sources has no `{}`", name.text);
            return Err(Problem::new("latte.asm.property", name.span(), message));
        }
        draft.bits = argument(line, row, draft.bits.into())? as u64;
    } else {
        let names = ports::VECTOR_NAMES.iter().zip(0..).chain(ports::TRANS_NAMES.iter().zip(0..));
        let Some((_, number)) = names.into_iter().find(|(swizzle, _)| **swizzle == name.text) else {
            return Err(super::suffix::none(line, name, "an arithmetic instruction"));
        };
        draft.swizzle = true;
        draft.bits = Op2(draft.bits).with_bank_swizzle(number).0;
    }
    Ok(())
}

/// What a closed group gives.
pub(super) struct Closed {
    /// Its units.
    pub(super) units: Vec<u64>,
    /// Its units with equal literals in one place, where that makes a difference.
    pub(super) shared: Option<Vec<u64>>,
    /// What may be a mistake.
    pub(super) warnings: Vec<Problem>,
}

/// What stands in front of a group in its clause.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Front {
    /// Nothing: it is the first.
    Start,
    /// A group with that number, or without one.
    Group(Option<u32>),
}

/// Makes the words of a group: units, literals, bank swizzles, the mark of the last instruction.
pub(super) fn close(mut drafts: Vec<Draft>, front: Front) -> Result<Closed> {
    let mut warnings = Vec::new();
    let literals = assign(&mut drafts, false).or_else(|_| assign(&mut drafts, true))?;
    let insts = finish(&drafts);
    units(&drafts, &insts)?;
    let swizzles = swizzles(&drafts, insts, &mut warnings)?;
    previous(&drafts, front, &mut warnings);
    rules(&drafts, &swizzles, &mut warnings);
    let units = words(&drafts, &swizzles, literals);
    let mut shared = None;
    let mut values: Vec<u32> =
        drafts.iter().flat_map(|draft| &draft.literals).map(|literal| literal.value).collect();
    values.sort_unstable();
    if values.windows(2).any(|pair| pair[0] == pair[1]) {
        let literals = assign(&mut drafts, true)?;
        // Which place a literal has, does not matter for the ports.
        let insts = finish(&drafts).into_iter().zip(&swizzles).map(|((unit, inst), (_, with))| {
            (unit, Alu(Op2(inst.0).with_bank_swizzle(with.op2().bank_swizzle()).0))
        });
        shared = Some(words(&drafts, &insts.collect::<Vec<_>>(), literals)).filter(|other| *other != units);
    }
    Ok(Closed { units, shared, warnings })
}

/// Instructions with all bits but those of the bank swizzles that are not given.
fn finish(drafts: &[Draft]) -> Vec<(Unit, Alu)> {
    let mut all: Vec<(Unit, Alu)> = drafts
        .iter()
        .map(|draft| {
            let bits = u128::from(draft.bits);
            let bits = draft.parts.iter().fold(bits, |bits, (part, value)| part.set(bits, *value));
            (draft.unit, Alu(bits as u64))
        })
        .collect();
    if let Some((_, last)) = all.last_mut() {
        *last = Alu(Op2(last.0).with_last(1).0);
    }
    all
}

/// Chooses the bank swizzles that the text does not give.
fn swizzles(
    drafts: &[Draft],
    mut insts: Vec<(Unit, Alu)>,
    warnings: &mut Vec<Problem>,
) -> Result<Vec<(Unit, Alu)>> {
    let given: Vec<bool> = drafts.iter().map(|draft| draft.swizzle).collect();
    let start = drafts.first().map_or(0, |draft| draft.span.start);
    let whole = start..drafts.last().map_or(start, |draft| draft.span.end);
    if given.iter().all(|given| *given) {
        if let Err(conflict) = ports::check(insts.iter().copied()) {
            let message = format!("the group cannot read its sources: {conflict}");
            warnings.push(*Problem::new("latte.asm.read-ports", whole, message));
        }
        return Ok(insts);
    }
    let Err(conflict) = ports::choose(&mut insts, &given, Generation::R700) else { return Ok(insts) };
    let message = format!("no bank swizzle lets the group read its sources: {conflict}");
    let problem = Problem::new("latte.asm.read-ports", whole, message)
        .note("move an instruction to another group, or a source to another register");
    if ports::choose(&mut insts, &given, Generation::R600).is_ok() {
        warnings.push(*problem.note("by the rules of the older R600 it is legal, so it is left as it is"));
        return Ok(insts);
    }
    Err(problem)
}

/// Units of a group with its literals behind it.
fn words(drafts: &[Draft], insts: &[(Unit, Alu)], mut literals: [u32; 4]) -> Vec<u64> {
    let mut units: Vec<u64> = insts.iter().map(|(_, inst)| inst.0).collect();
    let count = insts.iter().map(|(_, inst)| literals_of(*inst)).max().unwrap_or(0);
    for draft in drafts {
        for (place, value) in literals.iter_mut().zip(draft.unused) {
            *place = value.unwrap_or(*place);
        }
    }
    for [low, high] in literals.as_chunks::<2>().0.iter().take(count.into()) {
        units.push(u64::from(*high) << 32 | u64::from(*low));
    }
    units
}

/// Each instruction runs on the unit that the text says.
fn units(drafts: &[Draft], insts: &[(Unit, Alu)]) -> Result<()> {
    let mut taken = 0_u8;
    for (draft, (_, inst)) in drafts.iter().zip(insts) {
        let bit = 1 << draft.unit as u8;
        let letter = draft.unit.letter();
        if taken & bit != 0 {
            let message = format!("the group has an instruction for {letter} already");
            return Err(Problem::new("latte.asm.unit", draft.span.clone(), message)
                .note("a number or `-` in front of an instruction starts a new group"));
        }
        let real = unit_of(*inst, taken);
        if real != draft.unit {
            let only = inst.op().map(|op| op.info().units);
            let message = match (draft.unit, only) {
                (Unit::T, Some(Units::Any)) | (Unit::T, None) => format!(
                    "the machine runs it on {}, since that unit is free: t gets what finds its own taken",
                    real.letter()
                ),
                (Unit::T, _) => "the unit t cannot do this operation".to_owned(),
                (_, Some(Units::Trans)) => "only the unit t can do this operation".to_owned(),
                _ => format!("the machine runs it on {}", real.letter()),
            };
            return Err(Problem::new("latte.asm.unit", draft.span.clone(), message));
        }
        taken |= bit;
    }
    Ok(())
}

/// Gives each literal a component: the next free one, or where none is left one with the same value. With
/// `share` such a one at once.
fn assign(drafts: &mut [Draft], share: bool) -> Result<[u32; 4]> {
    let mut values = [None; 4];
    for literal in drafts.iter().flat_map(|draft| &draft.literals) {
        if let Some(channel) = literal.channel {
            let place = &mut values[channel as usize & 3];
            if place.is_some_and(|value| value != literal.value) {
                let message = "another literal of the group has this component";
                return Err(Problem::new("latte.asm.literal", literal.span.clone(), message));
            }
            *place = Some(literal.value);
        }
    }
    for draft in drafts {
        for literal in &draft.literals {
            let channel = match literal.channel {
                Some(channel) => channel as usize,
                None => {
                    let free = values.iter().position(Option::is_none);
                    let same = values.iter().position(|value| *value == Some(literal.value));
                    let place = if share { same.or(free) } else { free.or(same) };
                    let Some(channel) = place else {
                        let message = "a group has four literals, but this is a fifth";
                        return Err(Problem::new("latte.asm.literal", literal.span.clone(), message)
                            .note("equal ones can share a place: `(0x3F800000, 1).x`"));
                    };
                    values[channel] = Some(literal.value);
                    channel
                }
            } as u32;
            draft.bits = SOURCES[literal.source].chan.set(draft.bits.into(), channel) as u64;
        }
    }
    Ok(values.map(|value| value.unwrap_or(0)))
}

/// Results of the previous group are those that the text means.
fn previous(drafts: &[Draft], front: Front, warnings: &mut Vec<Problem>) {
    for draft in drafts {
        match front {
            Front::Start => {
                if let Some(span) = &draft.reads_previous {
                    let message = "the first group of a clause has no results to read";
                    warnings.push(*Problem::new("latte.asm.previous", span.clone(), message));
                }
            }
            Front::Group(number) => {
                for (said, span) in &draft.previous {
                    if Some(*said) != number {
                        let message =
                            format!("this reads the group in front, which is not the one with number {said}");
                        warnings.push(*Problem::new("latte.asm.previous", span.clone(), message));
                    }
                }
            }
        }
    }
}

/// Rules about whole groups.
fn rules(drafts: &[Draft], insts: &[(Unit, Alu)], warnings: &mut Vec<Problem>) {
    let span = |place: usize| drafts.get(place).map_or(0..0, |draft| draft.span.clone());
    let mut predicate = None;
    for (place, (_, inst)) in insts.iter().enumerate() {
        let Some(op) = inst.op() else { continue };
        let info = op.info();
        if info.units == Units::All {
            let all = insts.iter().filter(|(unit, other)| *unit != Unit::T && other.op() == Some(op)).count();
            if all != 4 {
                let message = format!("`{}` needs x, y, z and w, all with the same operation", op.name());
                warnings.push(*Problem::new("latte.asm.whole-vector", span(place), message));
            }
        }
        if info.effect == Effect::Predicate && predicate.replace(place).is_some() {
            let message = "a second predicate in the group";
            warnings.push(*Problem::new("latte.asm.predicate-twice", span(place), message));
        }
        let same = |other: &(Unit, Alu)| {
            other.1.writes() && (other.1.dst_gpr(), other.1.dst_chan()) == (inst.dst_gpr(), inst.dst_chan())
        };
        let relative = inst.op2().dst_rel() != 0;
        if inst.writes()
            && !relative
            && insts.iter().take(place).any(|other| other.1.op2().dst_rel() == 0 && same(other))
        {
            let message = "another instruction of the group writes the same component";
            warnings.push(*Problem::new("latte.asm.written-twice", span(place), message));
        }
    }
}
