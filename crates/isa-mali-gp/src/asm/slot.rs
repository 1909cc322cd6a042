//! One line of an instruction: a unit, its operation, sources, destinations.

use super::bundle::{Bundle, Position};
use super::operand::{self, Operand, What, wrong};
use crate::inst::StoreSource;
use crate::names::Names;
use crate::table::{AddOp, ComplexOp, FIELDS, Field, MulOp, PassOp, Unit, field};
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
    let joined = head.text == "mul01";
    let Some(unit) = operand::unit(head).or(joined.then_some(Unit::Mul0)) else {
        let problem = Problem::new(
            "mali-gp.asm.unknown-unit",
            head.span(),
            format!("there is no unit `{}`", head.text),
        );
        return Err(
            problem.note("units are add0, add1, mul0, mul1, mul01, complex, pass, branch, store, fields")
        );
    };
    let operation = arguments.blank().unwrap_or(Piece { text: "", at: arguments.rest.at });
    let (sources, targets) = match arguments.rest.text.find("->") {
        Some(at) => (arguments.rest.take(at).trim(), Some(arguments.rest.skip(at + 2).trim())),
        None => (arguments.rest.trim(), None),
    };
    match unit {
        Unit::Add0 | Unit::Add1 => adder(bundle, unit, operation, sources, names)?,
        _ if joined => joint(bundle, operation, sources, names)?,
        Unit::Mul0 | Unit::Mul1 => multiplier(bundle, unit, operation, sources, names)?,
        Unit::Complex => complex(bundle, operation, sources, names)?,
        Unit::Pass => pass(bundle, operation, sources, names)?,
    }
    match targets {
        Some(targets) => destinations(bundle, StoreSource::of(unit), targets, names),
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

fn unknown_operation(operation: Piece<'_>, unit: &str, known: &str) -> Box<Problem> {
    let message = format!("{unit} cannot do `{}`", operation.text);
    Problem::new("mali-gp.asm.unknown-operation", operation.span(), message)
        .note(format!("it can do {known}"))
}

/// As many sources as the operation has, with their text.
fn operands<'a, const N: usize>(
    operation: Piece<'_>,
    sources: Piece<'a>,
    names: &Names,
) -> Result<[(Operand, Piece<'a>); N]> {
    let mut out = [(Operand { negate: false, what: What::Neutral(0) }, sources); N];
    let mut arguments = Arguments { rest: sources };
    for place in &mut out {
        let Some(piece) = arguments.comma() else {
            let message = format!("`{}` has {N} sources", operation.text);
            return Err(Problem::new("mali-gp.asm.operand-count", sources.span(), message));
        };
        *place = (operand::source(piece, names)?, piece);
    }
    if !arguments.is_done() {
        let message = format!("`{}` has {N} sources only", operation.text);
        return Err(Problem::new("mali-gp.asm.operand-count", arguments.rest.trim().span(), message));
    }
    Ok(out)
}

fn positive(operand: Operand, piece: Piece<'_>) -> Result<Operand> {
    if operand.negate {
        let message = "this source cannot be negated";
        return Err(Problem::new("mali-gp.asm.negate", piece.span(), message));
    }
    Ok(operand)
}

fn adder<'a>(
    bundle: &mut Bundle<'a>,
    unit: Unit,
    operation: Piece<'a>,
    sources: Piece<'a>,
    names: &Names,
) -> Result<()> {
    let [first, second, negate0, negate1] = match unit {
        Unit::Add0 => [field::ADD0_SRC0, field::ADD0_SRC1, field::ADD0_NEGATE0, field::ADD0_NEGATE1],
        _ => [field::ADD1_SRC0, field::ADD1_SRC1, field::ADD1_NEGATE0, field::ADD1_NEGATE1],
    };
    let moves = operation.text == "mov";
    let op =
        if moves { Some(AddOp::Add) } else { AddOp::ALL.into_iter().find(|op| op.name() == operation.text) };
    let Some(op) = op else {
        return Err(unknown_operation(
            operation,
            unit.name(),
            "add, floor, sign, ge, lt, min, max, mov, op3",
        ));
    };
    bundle.set(field::ADD_OP, op.number(), operation, |old| {
        let other = AddOp::of(old).name();
        ("mali-gp.asm.shared-operation", format!("both adders do the same; the other one does `{other}`"))
    })?;
    let (one, two) = if moves || op.sources() == 1 {
        let [one] = operands(operation, sources, names)?;
        (one, moves.then_some((Operand { negate: true, what: What::Neutral(0) }, sources)))
    } else {
        let [one, two] = operands(operation, sources, names)?;
        (one, Some(two))
    };
    let minus = |operand: Operand| u32::from(operand.negate);
    bundle.set_once(negate0, minus(one.0), one.1)?;
    bundle.source(first, Position::First, one.0, one.1)?;
    if let Some(two) = two {
        bundle.set_once(negate1, minus(two.0), two.1)?;
        bundle.source(second, Position::Second(0), two.0, two.1)?;
    }
    Ok(())
}

fn mul_operation(bundle: &mut Bundle<'_>, op: MulOp, operation: Piece<'_>) -> Result<()> {
    bundle.set(field::MUL_OP, op.number(), operation, |old| {
        let other = MulOp::of(old).name();
        ("mali-gp.asm.shared-operation", format!("the multipliers are doing `{other}` in this instruction"))
    })
}

fn multiplier<'a>(
    bundle: &mut Bundle<'a>,
    unit: Unit,
    operation: Piece<'a>,
    sources: Piece<'a>,
    names: &Names,
) -> Result<()> {
    let [first, second, negate] = match unit {
        Unit::Mul0 => [field::MUL0_SRC0, field::MUL0_SRC1, field::MUL0_NEGATE],
        _ => [field::MUL1_SRC0, field::MUL1_SRC1, field::MUL1_NEGATE],
    };
    // The second multiplier multiplies beside the first one's `complex2`, and does not care.
    let beside = unit == Unit::Mul1 && bundle.has(field::MUL_OP);
    let beside = beside && MulOp::of(field::MUL_OP.get(bundle.word)) == MulOp::Complex2;
    let moves = match operation.text {
        "mul" => false,
        "mov" => true,
        "complex2" if unit == Unit::Mul0 => {
            let before =
                bundle.has(field::MUL1_NEGATE) && MulOp::of(field::MUL_OP.get(bundle.word)) == MulOp::Mul;
            if before {
                bundle.word =
                    bundle.word & !field::MUL_OP.mask() | field::MUL_OP.put(MulOp::Complex2.number());
            } else {
                mul_operation(bundle, MulOp::Complex2, operation)?;
            }
            return product(bundle, [first, second, negate], operation, sources, false, names);
        }
        other => {
            let known = if unit == Unit::Mul0 { "mul, mov, complex2" } else { "mul, mov" };
            let problem = unknown_operation(operation, unit.name(), known);
            let joint = MulOp::ALL.into_iter().any(|op| op.is_wide() && op.name() == other);
            return Err(if joint {
                problem.note("this one takes both multipliers: `mul01`")
            } else {
                problem
            });
        }
    };
    if !beside {
        mul_operation(bundle, MulOp::Mul, operation)?;
    }
    product(bundle, [first, second, negate], operation, sources, moves, names)
}

fn product<'a>(
    bundle: &mut Bundle<'a>,
    [first, second, negate]: [Field; 3],
    operation: Piece<'a>,
    sources: Piece<'a>,
    moves: bool,
    names: &Names,
) -> Result<()> {
    let (one, two) = if moves {
        let [one] = operands(operation, sources, names)?;
        (one, (Operand { negate: false, what: What::Neutral(1) }, sources))
    } else {
        let [one, two] = operands(operation, sources, names)?;
        (one, two)
    };
    bundle.set_once(negate, (one.0.negate ^ two.0.negate).into(), one.1)?;
    bundle.source(first, Position::First, one.0, one.1)?;
    bundle.source(second, Position::Second(1), two.0, two.1)
}

/// An operation of both multipliers together.
fn joint<'a>(bundle: &mut Bundle<'a>, operation: Piece<'a>, sources: Piece<'a>, names: &Names) -> Result<()> {
    let Some(op) = MulOp::ALL.into_iter().find(|op| op.is_wide() && op.name() == operation.text) else {
        return Err(unknown_operation(operation, "mul01", "complex1, select, op2, op5, op6, op7"));
    };
    mul_operation(bundle, op, operation)?;
    if op == MulOp::Select {
        let all: [_; 3] = operands(operation, sources, names)?;
        let places = [
            (field::MUL0_SRC1, Position::Second(1)),
            (field::MUL1_SRC0, Position::First),
            (field::MUL0_SRC0, Position::First),
        ];
        for ((operand, piece), (field, position)) in all.into_iter().zip(places) {
            bundle.source(field, position, positive(operand, piece)?, piece)?;
        }
        return Ok(());
    }
    let all: [_; 4] = operands(operation, sources, names)?;
    let places = [
        (field::MUL0_SRC0, Position::First),
        (field::MUL0_SRC1, Position::Second(1)),
        (field::MUL1_SRC0, Position::First),
        (field::MUL1_SRC1, Position::Second(1)),
    ];
    for ((operand, piece), (field, position)) in all.into_iter().zip(places) {
        bundle.source(field, position, positive(operand, piece)?, piece)?;
    }
    Ok(())
}

fn complex<'a>(
    bundle: &mut Bundle<'a>,
    operation: Piece<'a>,
    sources: Piece<'a>,
    names: &Names,
) -> Result<()> {
    let found = ComplexOp::ALL.into_iter().find(|op| *op != ComplexOp::Off && op.name() == operation.text);
    let Some(op) = found else {
        let known =
            "exp2, log2, rsqrt, rcp, mov, addr0, addr1, addr2, addr3, addr01, op1, op6, op7, op8, op11";
        return Err(unknown_operation(operation, "complex", known));
    };
    bundle.set_once(field::COMPLEX_OP, op.number(), operation)?;
    let [(operand, piece)] = operands(operation, sources, names)?;
    bundle.source(field::COMPLEX_SRC, Position::First, positive(operand, piece)?, piece)
}

fn pass<'a>(bundle: &mut Bundle<'a>, operation: Piece<'a>, sources: Piece<'a>, names: &Names) -> Result<()> {
    let Some(op) = PassOp::ALL.into_iter().find(|op| op.name() == operation.text) else {
        return Err(unknown_operation(
            operation,
            "pass",
            "mov, clamp, preexp2, postlog2, op0, op1, op3, op7",
        ));
    };
    bundle.set_once(field::PASS_OP, op.number(), operation)?;
    if op != PassOp::Clamp {
        let [(operand, piece)] = operands(operation, sources, names)?;
        return bundle.source(field::PASS_SRC, Position::First, positive(operand, piece)?, piece);
    }
    let [(operand, piece), low, high] = operands(operation, sources, names)?;
    bundle.source(field::PASS_SRC, Position::First, positive(operand, piece)?, piece)?;
    for (wanted, (operand, piece)) in [low, high].into_iter().enumerate() {
        match positive(operand, piece)?.what {
            What::Memory { load, component } if usize::from(component) == wanted => {
                bundle.load(load, piece)?
            }
            _ => {
                let message = format!(
                    "the {} bound of a clamp is component {} of a vector of memory",
                    ["lower", "upper"][wanted & 1],
                    ["x", "y"][wanted & 1]
                );
                return Err(Problem::new("mali-gp.asm.clamp-bounds", piece.span(), message));
            }
        }
    }
    Ok(())
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
