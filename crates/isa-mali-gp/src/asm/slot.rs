//! One line of an instruction: a unit, its operation, sources, destinations.

use super::bundle::Bundle;
use super::operand::{self, Operand, What, wrong};
use crate::inst::StoreSource;
use crate::names::Names;
use crate::table::{self as slots, AddOp, FIELDS, MulOp, Operation, SLOTS, Slot, Unit, field};
use unshade_isa_common::assembly::lexer::{Arguments, Piece};
use unshade_isa_common::assembly::{Problem, Result};

/// Reads a line into its instruction. `head` is the unit, `arguments` what follows.
pub(super) fn line<'a>(
    bundle: &mut Bundle<'a>,
    head: Piece<'a>,
    mut arguments: Arguments<'a>,
    names: &Names,
) -> Result<()> {
    let whole = head.at..arguments.rest.span().end;
    bundle.lines.push((head, whole));
    match head.text {
        "nop" => return nothing_left(arguments),
        "fields" => return fields(bundle, arguments),
        "branch" => return branch(bundle, head, arguments),
        "store" => return store(bundle, head, arguments, names),
        _ => {}
    }
    let Some(slot) = SLOTS.iter().find(|slot| slot.name == head.text) else {
        let message = format!("there is no unit `{}`", head.text);
        let known: Vec<&str> = SLOTS.iter().map(|slot| slot.name).collect();
        return Err(Problem::new("mali-gp.asm.unknown-unit", head.span(), message)
            .note(format!("units are {}, branch, store, fields", known.join(", "))));
    };
    let operation = arguments.blank().unwrap_or(Piece { text: "", at: arguments.rest.at });
    let (sources, targets) = match arguments.rest.text.find("->") {
        Some(at) => (arguments.rest.take(at).trim(), Some(arguments.rest.skip(at + 2).trim())),
        None => (arguments.rest.trim(), None),
    };
    unit(bundle, slot, operation, sources, names)?;
    match targets {
        Some(targets) => destinations(bundle, StoreSource::of(slot.unit), targets, names),
        None => Ok(()),
    }
}

fn nothing_left(arguments: Arguments<'_>) -> Result<()> {
    let rest = arguments.rest.trim();
    if rest.is_empty() {
        Ok(())
    } else {
        Err(wrong(rest, format!("nothing is expected here, found `{}`", rest.text)))
    }
}

/// What a slot does: its operation and operands.
fn unit<'a>(
    bundle: &mut Bundle<'a>,
    slot: &Slot,
    operation: Piece<'a>,
    sources: Piece<'a>,
    names: &Names,
) -> Result<()> {
    let moves = operation.text == "mov" && !slot.neutral.is_empty();
    let row = if moves { slot.operations[0] } else { slot.find(operation.text) };
    let Some(row) = row else {
        return Err(unknown_operation(slot, operation));
    };
    set_operation(bundle, slot, row, operation)?;
    let places = if moves { &row.operands[..1] } else { row.operands };
    // The operands that are not read have no sign.
    let mut read = [(Operand { negate: false, what: What::Neutral(0) }, sources); 4];
    operands(operation, sources, read.get_mut(..places.len()).unwrap_or_default(), names)?;
    if let Some(negate) = slot.negate {
        // Of a product the sign is that of both factors together.
        let [(one, first), (two, _), ..] = read;
        bundle.set_once(negate, (one.negate ^ two.negate).into(), first)?;
    }
    for (&place, &(operand, piece)) in places.iter().zip(&read) {
        match &slot.operands[place] {
            slots::Operand::Source { field, neutral, negate } => {
                match negate {
                    Some(negate) => bundle.set_once(*negate, operand.negate.into(), piece)?,
                    None if slot.negate.is_some() => {}
                    None => positive(operand, piece)?,
                }
                bundle.source(*field, *neutral, operand, piece)?;
            }
            slots::Operand::Bound(component) => bound(bundle, *component, operand, piece)?,
        }
    }
    for &(field, value) in slot.neutral.iter().filter(|_| moves) {
        bundle.set_once(field, value, sources)?;
    }
    Ok(())
}

fn unknown_operation(slot: &Slot, operation: Piece<'_>) -> Box<Problem> {
    let message = format!("{} cannot do `{}`", slot.name, operation.text);
    let problem = Problem::new("mali-gp.asm.unknown-operation", operation.span(), message)
        .note(format!("it can do {}", slot.names().join(", ")));
    let joint = SLOTS.iter().find(|other| {
        other.name != slot.name
            && other.operation == slot.operation
            && other.operands.len() > slot.operands.len()
            && other.find(operation.text).is_some()
    });
    match joint {
        Some(joint) => problem.note(format!("this one takes both multipliers: `{}`", joint.name)),
        None => problem,
    }
}

/// Sets the operation of a slot. Two slots may share it.
fn set_operation(bundle: &mut Bundle<'_>, slot: &Slot, row: &Operation, piece: Piece<'_>) -> Result<()> {
    let field = slot.operation;
    let set = bundle.has(field);
    let other = MulOp::of(field.get(bundle.word));
    // The second multiplier multiplies beside the first one's `complex2`, whichever of their lines comes first.
    if slot.unit == Unit::Mul1 && set && other == MulOp::Complex2 {
        return Ok(());
    }
    let before = bundle.has(field::MUL1_NEGATE) && other == MulOp::Mul;
    if slot.unit == Unit::Mul0 && row.number == MulOp::Complex2.number() && before {
        bundle.word = field.set(bundle.word, row.number);
        return Ok(());
    }
    match field {
        field::ADD_OP => bundle.set(field, row.number, piece, |old| {
            let other = AddOp::of(old).name();
            ("mali-gp.asm.shared-operation", format!("both adders do the same; the other one does `{other}`"))
        }),
        field::MUL_OP => bundle.set(field, row.number, piece, |old| {
            let other = MulOp::of(old).name();
            let message = format!("the multipliers are doing `{other}` in this instruction");
            ("mali-gp.asm.shared-operation", message)
        }),
        _ => bundle.set_once(field, row.number, piece),
    }
}

/// As many operands as there is room for, with their text.
fn operands<'a>(
    operation: Piece<'_>,
    sources: Piece<'a>,
    out: &mut [(Operand, Piece<'a>)],
    names: &Names,
) -> Result<()> {
    let count = out.len();
    let mut arguments = Arguments { rest: sources };
    for place in out {
        let Some(piece) = arguments.comma() else {
            let message = format!("`{}` has {count} sources", operation.text);
            return Err(Problem::new("mali-gp.asm.operand-count", sources.span(), message));
        };
        *place = (operand::source(piece, names)?, piece);
    }
    if !arguments.is_done() {
        let message = format!("`{}` has {count} sources only", operation.text);
        return Err(Problem::new("mali-gp.asm.operand-count", arguments.rest.trim().span(), message));
    }
    Ok(())
}

fn positive(operand: Operand, piece: Piece<'_>) -> Result<()> {
    if operand.negate {
        let message = "this source cannot be negated";
        return Err(Problem::new("mali-gp.asm.negate", piece.span(), message));
    }
    Ok(())
}

/// A bound of a clamp, which is always the same component of the memory load.
fn bound<'a>(bundle: &mut Bundle<'a>, wanted: u8, operand: Operand, piece: Piece<'a>) -> Result<()> {
    positive(operand, piece)?;
    match operand.what {
        What::Memory { load, component } if component == wanted => bundle.load(load, piece),
        _ => {
            let [which, letter] = [["lower", "x"], ["upper", "y"]][usize::from(wanted & 1)];
            let message = format!("the {which} bound of a clamp is component {letter} of a vector of memory");
            Err(Problem::new("mali-gp.asm.clamp-bounds", piece.span(), message))
        }
    }
}

/// `branch pass, place`.
fn branch<'a>(bundle: &mut Bundle<'a>, head: Piece<'a>, mut arguments: Arguments<'a>) -> Result<()> {
    let condition = arguments.comma().unwrap_or(arguments.rest);
    if condition.text != "pass" {
        let problem = wrong(condition, format!("expected `pass`, found `{}`", condition.text));
        return Err(problem.note("a branch is taken if the result of the pass unit is not 0"));
    }
    let place = arguments.rest.trim();
    if place.is_empty() {
        return Err(wrong(place, "expected the place to go to"));
    }
    bundle.set_once(field::BRANCH, 1, head)?;
    if bundle.branch.replace(place).is_some() {
        let message = "an instruction branches to one place";
        return Err(Problem::new("mali-gp.asm.unit-twice", head.span(), message));
    }
    Ok(())
}

/// `store unit -> places`: a store of a unit that does nothing in this instruction.
fn store<'a>(
    bundle: &mut Bundle<'a>,
    head: Piece<'a>,
    arguments: Arguments<'a>,
    names: &Names,
) -> Result<()> {
    let Some(at) = arguments.rest.text.find("->") else {
        return Err(wrong(head, "expected `store unit -> place`"));
    };
    let unit = arguments.rest.take(at).trim();
    let source = match (operand::unit(unit), unit.text) {
        (Some(unit), _) => StoreSource::of(unit),
        (None, "unknown5") => StoreSource::UNKNOWN,
        _ => return Err(wrong(unit, format!("expected a unit, found `{}`", unit.text))),
    };
    destinations(bundle, source, arguments.rest.skip(at + 2).trim(), names)
}

fn destinations(
    bundle: &mut Bundle<'_>,
    source: StoreSource,
    targets: Piece<'_>,
    names: &Names,
) -> Result<()> {
    let mut arguments = Arguments { rest: targets };
    if arguments.is_done() {
        return Err(wrong(targets, "expected where the result goes"));
    }
    while let Some(piece) = arguments.comma() {
        bundle.store(source, operand::target(piece, names)?, piece)?;
    }
    Ok(())
}

/// `fields name=value, name=value`.
fn fields(bundle: &mut Bundle<'_>, mut arguments: Arguments<'_>) -> Result<()> {
    while let Some(piece) = arguments.comma() {
        let Some((name, value)) = piece.split(b'=') else {
            return Err(wrong(piece, format!("expected `field=value`, found `{}`", piece.text)));
        };
        let Some(&field) = FIELDS.iter().find(|field| field.name == name.trim().text) else {
            let message = format!("there is no field `{}`", name.trim().text);
            return Err(Problem::new("mali-gp.asm.unknown-field", name.span(), message));
        };
        bundle.override_with(field, operand::number(value.trim(), field.limit())?);
    }
    Ok(())
}
