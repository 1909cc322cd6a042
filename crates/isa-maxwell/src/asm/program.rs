//! The lines of a program, and their words in groups.

use super::read::{self, Miss, Place, Wanted};
use super::schedule::Scheduler;
use super::{Assembled, Findings, MOST_INSTRUCTIONS};
use crate::layout::Slot;
use crate::{Form, control, print};
use std::collections::HashMap;
use unshade_isa_common::assembly::Problem;
use unshade_isa_common::assembly::lexer::{Lines, Piece};
use unshade_isa_common::text::PlainText;
use unshade_stage::suggest;

/// `NOP`, always true, with nothing else.
const NOP: u64 = 0x50B0_0000_0007_0F00;

/// What a line stands for.
#[derive(Debug, Clone, Copy)]
enum Content {
    /// The text of an instruction: where it starts and how long it is.
    Text(usize, usize),
    /// A word of its own.
    Word(u64),
}

/// A line with an instruction.
#[derive(Debug, Clone, Copy)]
struct Item {
    content: Content,
    slot: Option<Slot>,
    /// Where its line starts.
    line: usize,
}

/// The lines of a program.
#[derive(Debug, Default)]
pub(super) struct Program<'a> {
    items: Vec<Item>,
    /// Number of the instruction that a name stands in front of.
    labels: HashMap<&'a str, usize>,
    /// Control words by number of their group.
    controls: HashMap<usize, u64>,
    cut: bool,
    half: Option<u32>,
}

/// The address of an instruction by its number.
fn address(number: usize) -> u64 {
    (number / 3 * 32 + 8 + number % 3 * 8) as u64
}

/// Divides a text into lines.
pub(super) fn read<'a>(text: &'a str, findings: &mut Findings) -> Program<'a> {
    let mut program = Program::default();
    for line in Lines::new(text) {
        let mut body = line.body;
        while let Some((name, rest)) = label(body) {
            if program.labels.insert(name.text, program.items.len()).is_some() {
                let message = format!("the label `{}` is there twice", name.text);
                findings.error(Problem::new("maxwell.asm.label", name.span(), message));
            }
            body = rest;
        }
        if body.is_empty() || body.first() == Some(b'#') {
            continue;
        }
        if let Err(problem) = statement(&mut program, body) {
            findings.error(problem);
        }
        if program.items.len() > MOST_INSTRUCTIONS {
            let message = format!("the program has more than {MOST_INSTRUCTIONS} instructions");
            findings.error(Problem::new("maxwell.asm.size", body.span(), message));
            break;
        }
    }
    program
}

/// A name and a colon at the start of a line, and what follows.
fn label(body: Piece<'_>) -> Option<(Piece<'_>, Piece<'_>)> {
    let (name, rest) = body.split(b':')?;
    let fits = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'.');
    let name = name.trim();
    let letter = name.first().is_some_and(|byte| !byte.is_ascii_digit());
    (letter && name.text.bytes().all(fits)).then(|| (name, rest.trim()))
}

fn statement(program: &mut Program<'_>, body: Piece<'_>) -> unshade_isa_common::assembly::Result<()> {
    let mut rest = body;
    let mut slot = None;
    if rest.first() == Some(b'[') {
        let end = rest.find(b']').map_or(rest.text.len(), |end| end + 1);
        let text = rest.take(end);
        slot = Some(control::read(text.text).ok_or_else(|| {
            let message = format!("`{}` is not what a control word says", text.text);
            Problem::new("maxwell.asm.control", text.span(), message)
                .note("it looks like [B01----:R2:W0:Y:S06]: wait, read barrier, write barrier, yield, stall")
        })?);
        rest = rest.skip(end).trim();
    }
    let (head, argument) = rest.split(b' ').unwrap_or((rest, rest.skip(rest.text.len())));
    let argument = argument.trim();
    let content = match head.text {
        ".word" => Content::Word(hex(argument, u64::MAX)?),
        ".control" if slot.is_none() => {
            if !program.items.len().is_multiple_of(3) {
                let message =
                    "a control word stands in front of every third instruction, and this is not one";
                return Err(Problem::new("maxwell.asm.control", head.span(), message));
            }
            program.controls.insert(program.items.len() / 3, hex(argument, u64::MAX)?);
            return Ok(());
        }
        ".cut" if slot.is_none() => {
            program.cut = true;
            return Ok(());
        }
        ".half" if slot.is_none() => {
            program.half = Some(hex(argument, u32::MAX.into())? as u32);
            return Ok(());
        }
        ".isa" if slot.is_none() => {
            if argument.text == "maxwell" {
                return Ok(());
            }
            let message = format!("this is the language of maxwell, not of `{}`", argument.text);
            return Err(Problem::new("maxwell.asm.isa", argument.span(), message));
        }
        name if name.starts_with('.') => {
            let message = format!("there is no directive `{name}`");
            return Err(Problem::new("maxwell.asm.directive", head.span(), message)
                .note("there are .word, .control, .cut, .half and .isa"));
        }
        "" => {
            let message = "an instruction must follow what its control word says";
            return Err(Problem::new("maxwell.asm.control", body.span(), message));
        }
        _ => Content::Text(rest.at, rest.text.len()),
    };
    if program.cut && program.half.is_some() {
        let message = "nothing can follow `.half`";
        return Err(Problem::new("maxwell.asm.half", body.span(), message));
    }
    program.items.push(Item { content, slot, line: body.at });
    Ok(())
}

fn hex(piece: Piece<'_>, most: u64) -> unshade_isa_common::assembly::Result<u64> {
    let digits = piece.text.strip_prefix("0x").or_else(|| piece.text.strip_prefix("0X"));
    let value = match digits {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None => piece.text.parse().ok(),
    };
    value.filter(|value| *value <= most).ok_or_else(|| {
        let message = format!("`{}` is not a number up to {most:#x}", piece.text);
        Problem::new("maxwell.asm.number", piece.span(), message)
    })
}

/// Takes `{raw 0x...}` off the end of an instruction.
///
/// # Errors
/// Where the number is none.
pub(super) fn raw(text: &str) -> Result<(&str, Option<u64>), usize> {
    // Few texts have a brace at all.
    let Some((front, raw)) = text.find('{').and_then(|_| text.split_once("{raw")) else {
        return Ok((text, None));
    };
    let number = raw.trim().strip_suffix('}').and_then(|raw| raw.trim().strip_prefix("0x"));
    match number.and_then(|number| u64::from_str_radix(number, 16).ok()) {
        Some(word) => Ok((front, Some(word))),
        None => Err(front.len()),
    }
}

/// Whether two words have one text.
pub(super) fn same_text(one: u64, other: u64, address: u64) -> bool {
    let text = |word: u64| {
        let mut text = PlainText::default();
        print::plain(word, address, &mut text);
        text.into_text()
    };
    one == other || text(one) == text(other)
}

/// Makes the words of a program.
pub(super) fn link(text: &str, program: &Program<'_>, findings: &mut Findings) -> Assembled {
    let mut out = Assembled::default();
    let mut scheduler = Scheduler::default();
    let named = |name: &str, control: bool| {
        let address = address(*program.labels.get(name)?);
        Some(if control && address % 32 == 8 { address - 8 } else { address })
    };
    let groups =
        program.items.len().div_ceil(3).max(program.controls.keys().max().map_or(0, |last| last + 1));
    for group in 0..groups {
        let items = program.items.get(group * 3..).unwrap_or_default();
        let items = items.get(..items.len().min(3)).unwrap_or_default();
        let mut control = program.controls.get(&group).copied().unwrap_or(0);
        let count = if program.cut && group + 1 == groups { items.len() } else { 3 };
        let mut words = [NOP; 3];
        for (index, place) in words.iter_mut().enumerate().take(count) {
            let number = group * 3 + index;
            let slot = match items.get(index) {
                Some(item) => {
                    let read = match item.content {
                        Content::Word(word) => Some((word, 0)),
                        Content::Text(start, len) => {
                            let place = Place { address: address(number), named: &named };
                            instruction(text, start, len, &place, findings)
                        }
                    };
                    let (word, reuse) = read.unwrap_or((NOP, 0));
                    *place = word;
                    out.origins.push(((group * 8 + 2 + index * 2) as u32, item.line));
                    let slot = scheduler.next(word, item.slot);
                    warn(item, word, slot, findings);
                    slot.with_reuse(slot.reuse() | reuse)
                }
                None => Slot::PLAIN,
            };
            let shift = 21 * index;
            control = control & !(0x1F_FFFF << shift) | u64::from(slot.0) << shift;
        }
        for word in std::iter::once(control).chain(words.into_iter().take(count)) {
            out.words.extend([word as u32, (word >> 32) as u32]);
        }
    }
    out.words.extend(program.half);
    out
}

/// Says so where NVIDIA's disassembler would refuse an instruction with its control data.
fn warn(item: &Item, word: u64, slot: Slot, findings: &mut Findings) {
    let (Some(form), Content::Text(start, len)) = (Form::of(word), item.content) else { return };
    if !control::fits(form, slot) {
        let message = format!("`{}` has a fixed latency and cannot set barriers", form.name());
        findings.warn(Problem::new("maxwell.asm.barrier", start..start + len, message));
    }
}

/// Reads the text of an instruction: word and reuse flags.
fn instruction(
    text: &str,
    start: usize,
    len: usize,
    place: &Place<'_>,
    findings: &mut Findings,
) -> Option<(u64, u8)> {
    let line = text.get(start..start + len).unwrap_or_default();
    let (front, raw) = match raw(line) {
        Ok(parts) => parts,
        Err(at) => {
            let message = "`{raw 0x...}` holds the word of the instruction in hexadecimal";
            findings.error(Problem::new("maxwell.asm.raw", start + at..start + len, message));
            return None;
        }
    };
    match read::instruction(front.trim_end(), place) {
        Ok(read) => match raw {
            Some(raw) if !same_text(read.word, raw, place.address) => {
                let message =
                    format!("the text and the word {raw:#018x} behind it are two different instructions");
                findings.error(
                    Problem::new("maxwell.asm.raw", start..start + len, message)
                        .note("take `{raw ...}` away to have the text"),
                );
                None
            }
            raw => Some((raw.unwrap_or(read.word), read.reuse)),
        },
        Err(miss) => {
            findings.error(problem(front, start, &miss));
            None
        }
    }
}

fn problem(line: &str, start: usize, miss: &Miss) -> Box<Problem> {
    let rest = line.get(miss.at..).unwrap_or_default();
    let blank = rest.len() - rest.trim_start().len();
    let at = miss.at + blank;
    let rest = rest.trim_start();
    let end = rest.find([' ', ',']).unwrap_or(rest.len()).max(1);
    let span = start + at..start + (at + end).min(line.len().max(at));
    if miss.wanted == Wanted::Operation {
        let name = rest.split(['.', ' ', '[']).next().unwrap_or_default();
        let problem = Problem::new(
            "maxwell.asm.operation",
            span,
            format!("there is no operation with the name `{name}`"),
        );
        return match suggest(name, read::operations(), 1).first() {
            Some(near) => problem.note(format!("there is `{near}`")),
            None => problem,
        };
    }
    let found = rest.get(..end.min(rest.len())).unwrap_or_default();
    if miss.names() {
        return Problem::new("maxwell.asm.operand", span, format!("here should be {}", miss.wanted));
    }
    let found = if found.is_empty() { "the end of the line".to_owned() } else { format!("`{found}`") };
    Problem::new("maxwell.asm.operand", span, format!("here should be {}, not {found}", miss.wanted))
}
