//! One instruction of a program, by its number and what stands there.

use super::{
    assemble_for,
    program::{Change, ChangeError, finish, single, targets},
};
use crate::code::replace_code;
use crate::{ListingOptions, OpenError, WithinError, disassemble_stage, listing::instruction_texts, open_at};
use std::ops::Range;
use unshade_bytes::{Diagnostic, Error, ErrorKind, Location};
use unshade_containers::wrap::nest::Source;
use unshade_isa::text::Listing;
use unshade_isa::{Machine, with_machine};
use unshade_stage::{Code, Isa, Stage};

/// An instruction that shall be another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InstructionEdit {
    /// Which one; `None`: the only one that reads as expected.
    pub place: Option<InstructionPlace>,
    /// What stands there, as a listing has it; blanks do not count, nor what a control word of Maxwell says where it is
    /// left out.
    pub expect: String,
    /// What shall stand there. Where it leaves the control word out, that stays.
    pub value: String,
}

/// Where an instruction is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InstructionPlace {
    /// Its number in the listing, from 0.
    Number(usize),
    /// Offset of its first word in the file, as `disasm --offsets` prints it.
    Offset(u64),
}

impl InstructionPlace {
    /// A number, or in hexadecimal an offset.
    pub fn parse(text: &str) -> Option<Self> {
        match text.strip_prefix("0x") {
            Some(digits) => u64::from_str_radix(digits, 16).ok().map(Self::Offset),
            None => text.parse().ok().map(Self::Number),
        }
    }
}

/// An instruction of a listing.
struct Instruction {
    words: Range<u32>,
    text: String,
}

/// Makes one instruction of the only program that `item` names another one. All others stay as they are, to the bit.
///
/// # Errors
///
/// Where there is no such instruction or another one stands there, the text does not assemble, or the new one does not
/// fit: it would change other instructions, or what is around the program does not serve it (see [`ChangeError`]).
pub fn replace_instruction<'f>(
    file: impl Into<Source<'f>>,
    names: &[String],
    item: Option<&str>,
    edit: &InstructionEdit,
    anyway: bool,
) -> Result<Change, ChangeError> {
    let source = file.into();
    let opened = open_at(source, names)?;
    let (inner, targets) = targets(&opened, item)?;
    let stage = single(inner, &targets, item)?;
    let failed = |error| ChangeError::from(OpenError::from(WithinError::new(inner.chain.clone(), error)));
    let code = edited(stage, edit).map_err(|failure| match failure {
        Failure::Refused(error) => failed(*error),
        Failure::Text(text, findings) => ChangeError::Text { name: "--value".to_owned(), text, findings },
    })?;
    let mut container = inner.container.clone();
    replace_code(&mut container, stage, &code).map_err(failed)?;
    finish(source, inner, container, &targets, anyway)
}

enum Failure {
    Refused(Box<Error>),
    Text(String, Vec<Diagnostic>),
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::Refused(Box::new(error))
    }
}

fn refused(stage: &Stage<'_>, word: u32, expected: impl Into<String>, found: impl Into<String>) -> Error {
    let offset = stage.code.file_offset.saturating_add(4 * u64::from(word));
    Error::new(ErrorKind::BadValue, offset, format!("#{}", stage.id), expected.into(), found.into())
        .code("replace.instruction")
}

fn edited<'s>(stage: &Stage<'s>, edit: &InstructionEdit) -> Result<Code<'s>, Failure> {
    let all: Vec<_> =
        instruction_texts(stage).into_iter().map(|(words, text)| Instruction { words, text }).collect();
    let number = find(stage, &all, edit)?;
    let old = &all[number];
    let value = with_front(stage.isa, &old.text, &edit.value);
    let listing = disassemble_stage(stage, &ListingOptions::default());
    let (text, place) = spliced(&listing, &old.words, &lines(stage.isa, &value));
    let code = assemble_for(stage, &text).map_err(|findings| about(&text, findings, &place))?;
    same_elsewhere(stage, &all, number, &code)?;
    Ok(code)
}

fn find(stage: &Stage<'_>, all: &[Instruction], edit: &InstructionEdit) -> Result<usize, Failure> {
    let number = match edit.place {
        Some(InstructionPlace::Number(number)) => Some(number),
        Some(InstructionPlace::Offset(offset)) => {
            let at = all.iter().position(|instruction| {
                stage.code.file_offset.saturating_add(4 * u64::from(instruction.words.start)) == offset
            });
            let found = || format!("none there of {} instructions", all.len());
            Some(at.ok_or_else(|| refused(stage, 0, format!("an instruction at {offset:#x}"), found()))?)
        }
        None => None,
    };
    if let Some(number) = number {
        let Some(found) = all.get(number) else {
            let expected = format!("an instruction from 0 to {}", all.len().saturating_sub(1));
            return Err(refused(stage, 0, expected, number.to_string()).into());
        };
        if !reads(stage.isa, &found.text, &edit.expect) {
            let near = all.iter().position(|other| reads(stage.isa, &other.text, &edit.expect));
            let near = near.map(|near| format!("; that is instruction {near}")).unwrap_or_default();
            let expected = format!("`{}` as instruction {number}", edit.expect);
            let found_text = format!("`{}`{near}", found.text);
            return Err(refused(stage, found.words.start, expected, found_text).into());
        }
        return Ok(number);
    }
    let found: Vec<_> = (0..all.len()).filter(|&at| reads(stage.isa, &all[at].text, &edit.expect)).collect();
    match found.as_slice() {
        [only] => Ok(*only),
        [] => Err(refused(stage, 0, format!("an instruction `{}`", edit.expect), "none").into()),
        several => {
            let numbers: Vec<_> = several.iter().take(8).map(usize::to_string).collect();
            let expected = format!("one instruction `{}`, or its number", edit.expect);
            let found = format!("{} of them: {}", several.len(), numbers.join(", "));
            Err(refused(stage, 0, expected, found).into())
        }
    }
}

/// The text without what a listing has in front of the instruction.
fn without_front(isa: Isa, text: &str) -> &str {
    with_machine!(isa, M => M::without_prefix(text), _ => text.trim_start())
}

/// Whether an instruction reads as expected.
fn reads(isa: Isa, text: &str, expected: &str) -> bool {
    let spaced = |text: &str| text.split_ascii_whitespace().collect::<Vec<_>>().join(" ");
    let (text, expected) = (spaced(text), spaced(expected));
    text == expected || without_front(isa, &text) == expected
}

/// The new text with what stood in front of the old one, where it has nothing there.
fn with_front(isa: Isa, old: &str, value: &str) -> String {
    let value = value.trim();
    let front = old.len() - without_front(isa, old).len();
    match without_front(isa, value) == value {
        true => format!("{}{value}", &old[..front]),
        false => value.to_owned(),
    }
}

/// The text of an instruction with each of its units on a line, as a listing has them.
fn lines(isa: Isa, value: &str) -> String {
    with_machine!(isa, M => M::units_on_lines(value), _ => value.to_owned())
}

/// The listing with other lines for the instruction of these words, and where they stand in it.
fn spliced(listing: &Listing, words: &Range<u32>, value: &str) -> (String, Range<usize>) {
    let mut text = String::with_capacity(listing.text().len() + value.len());
    let mut place = 0..0;
    for line in listing.lines() {
        if line.words.as_ref() != Some(words) {
            text.push_str(line.text);
            text.push('\n');
        } else if place.is_empty() {
            let start = text.len();
            // Units of one instruction stand on lines of their own.
            for part in value.lines() {
                text.push_str("    ");
                text.push_str(part);
                text.push('\n');
            }
            place = start..text.len();
        }
    }
    (text, place)
}

/// The findings about the lines that were given, as if these were the whole text; where there are none, all.
fn about(text: &str, mut findings: Vec<Diagnostic>, place: &Range<usize>) -> Failure {
    let inside = |finding: &Diagnostic| match &finding.location {
        Location::Text { span, .. } => place.contains(&span.start),
        _ => false,
    };
    if !findings.iter().any(inside) {
        return Failure::Text(text.to_owned(), findings);
    }
    findings.retain(inside);
    for finding in &mut findings {
        if let Location::Text { span, .. } = &mut finding.location {
            *span = span.start - place.start..span.end.min(place.end) - place.start;
        }
    }
    Failure::Text(text.get(place.clone()).unwrap_or_default().to_owned(), findings)
}

/// Every other instruction has the words that it had; where the new one has another length, every other one reads as it
/// did, but for the places that branches name.
fn same_elsewhere(
    stage: &Stage<'_>,
    all: &[Instruction],
    number: usize,
    code: &Code<'_>,
) -> Result<(), Failure> {
    let new = Stage { code: code.clone(), ..stage.clone() };
    let now = instruction_texts(&new);
    let old = &all[number];
    if now.len() != all.len() {
        let expected = format!("one instruction in the place of number {number}");
        let found = format!("{} instructions in all, which were {}", now.len(), all.len());
        return Err(refused(stage, old.words.start, expected, found).into());
    }
    let same_length = now.get(number).is_some_and(|(words, _)| words.len() == old.words.len());
    let olds: Vec<_> = all.iter().map(|instruction| instruction.words.clone()).collect();
    let news: Vec<_> = now.iter().map(|(words, _)| words.clone()).collect();
    // What takes as many words stands where the old one stood; otherwise all keep their order in the code.
    let moved = if same_length { olds != news } else { order(&olds) != order(&news) };
    if moved {
        let expected = format!("an instruction that can stand where `{}` stands", old.text);
        let new = now.get(number).map(|(_, text)| text.as_str()).unwrap_or_default();
        let found = format!("`{new}`, which moves others");
        return Err(refused(stage, old.words.start, expected, found).into());
    }
    for (index, (before, (words, text))) in all.iter().zip(&now).enumerate().filter(|(at, _)| *at != number) {
        let bits = |code: &Code<'_>, words: &Range<u32>| {
            code.words.get(words.start as usize..words.end as usize).map(<[u32]>::to_vec)
        };
        let same = match same_length {
            // Control words of Maxwell hold three instructions; the others' thirds stay.
            true if stage.isa == Isa::Maxwell => before.text == *text,
            true => bits(&stage.code, &before.words) == bits(code, words),
            false => places_apart(&before.text) == places_apart(text),
        };
        if !same {
            let expected = format!("an instruction that leaves number {index} as it is: `{}`", before.text);
            return Err(refused(stage, before.words.start, expected, format!("`{text}`")).into());
        }
    }
    Ok(())
}

/// The numbers of instructions in the order in which they lie in the code.
fn order(places: &[Range<u32>]) -> Vec<usize> {
    let mut order: Vec<_> = (0..places.len()).collect();
    order.sort_by_key(|&number| places[number].start);
    order
}

/// The text with all numbers of labels and places left out.
fn places_apart(text: &str) -> String {
    text.chars().filter(|c| !c.is_ascii_hexdigit()).collect()
}
