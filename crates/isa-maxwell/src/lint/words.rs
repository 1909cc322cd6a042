//! Rules about single instructions.

use crate::address_map::COMPILER_BANK;
use crate::attribute::describe;
use crate::class::{Class, has_fixed_latency};
use crate::form::Form;
use crate::header::{Header, Interpolation, Layout};
use crate::layout::Placed;
use crate::operand_fields::is_double;
use crate::operation::{Constant, Instruction, Operation, Source, stops};
use crate::reachable::Reach;
use crate::usage::{Access, memory, stores};
use crate::word::Word;
use unshade_bytes::Severity::Warning;
use unshade_isa_common::findings::Findings;
use unshade_stage::Maxwell;

/// The number of no barrier.
const NO_BARRIER: u32 = 7;

pub(super) fn check(findings: &mut Findings<'_>, reach: &Reach, header: Option<&Header>) {
    for placed in &reach.placed {
        let at = (placed.address / 4) as u32;
        let Some(form) = Form::of(placed.word) else {
            let message = if is_of_nouveau(placed.word) {
                format!(
                    "{:#018x} is `SUATOM` as compilers on top of nouveau write it: NVIDIA's disassembler refuses it, and \
                     its type lies under the number of the image. It is run and decompiled by its other fields, as an \
                     operation on unsigned words",
                    placed.word
                )
            } else {
                format!("{:#018x} is no instruction", placed.word)
            };
            findings.word(Warning, "maxwell.unknown-word", at, message);
            continue;
        };
        control(findings, at, form, placed);
        if let Some(why) = Instruction::decode(placed.word).and_then(|found| stops(&found.operation)) {
            let message = format!("the machine stops at `{}`: {why}", form.name());
            findings.word(Warning, "maxwell.stops", at, message);
        }
        let word = Word(placed.word);
        if let Some(header) = header.filter(|_| !word.guard().is_never()) {
            flags(findings, at, form, header);
            local(findings, at, (form, word), header);
            if let Some(access) = Access::of(form, word) {
                attributes(findings, at, (form, word), access, header);
            }
        }
    }
}

/// What slopes in y are multiplied by in code of Mesa's compiler: 1 or -1, as y goes up or down.
const Y_SCALE: Constant = Constant { bank: COMPILER_BANK, offset: 0 };

/// Signs of the difference between the rows of a quad: `FSWZADD ..., PNPNNPNP`.
const Y_DIFFERENCE: u8 = 0xA5;

/// Slopes that are always 0, since the file has 0 where the driver of that compiler puts a sign.
pub(super) fn slopes(findings: &mut Findings<'_>, reach: &Reach, maxwell: &Maxwell) {
    let is_zero = maxwell.constants.get(..4).is_some_and(|bytes| bytes.iter().all(|byte| *byte == 0));
    let operation = |placed: &Placed| Instruction::decode(placed.word).map(|found| found.operation);
    let along_y = |placed: &Placed| {
        matches!(operation(placed), Some(Operation::FloatSwizzleAdd { pattern: Y_DIFFERENCE, .. }))
    };
    if !is_zero || !reach.placed.iter().any(along_y) {
        return;
    }
    let scaled = |placed: &&Placed| matches!(operation(placed), Some(Operation::FloatMultiply { b, .. }) if b.source == Source::Constant(Y_SCALE));
    if let Some(placed) = reach.placed.iter().find(scaled) {
        let message = "dFdy() and fwidth() are multiplied by c[0x1][0x0], which is 0 in this file: all slopes in y are 0 (a \
                       known defect of the compiler uam)";
        findings.word(Warning, "maxwell.slopes", (placed.address / 4) as u32, message);
    }
}

/// Whether a word is one of two that nouveau's compiler and those made from it write for an atomic operation on
/// an image of the table, and that NVIDIA's disassembler refuses.
fn is_of_nouveau(word: u64) -> bool {
    matches!(word >> 48 & 0xFFF8, 0xEA78 | 0xEAD8)
}

/// What the control word says about an instruction.
fn control(findings: &mut Findings<'_>, at: u32, form: Form, placed: &Placed) {
    let slot = placed.slot.0;
    for (name, barrier) in [("write", slot >> 5 & 7), ("read", slot >> 8 & 7)] {
        if barrier != NO_BARRIER && has_fixed_latency(form) {
            let message = format!(
                "the control word sets {name} barrier {barrier}, but `{}` always takes the same time and sets none",
                form.name()
            );
            findings.word(Warning, "maxwell.barrier", at, message);
        }
    }
}

/// Instructions that do nothing where the header does not announce them.
fn flags(findings: &mut Findings<'_>, at: u32, form: Form, header: &Header) {
    let name = form.name();
    let mut missing = |code: &'static str, flag: &str| {
        let message = format!("`{name}` does nothing: the program header does not set {flag}");
        findings.word(Warning, code, at, message);
    };
    if form == Form::Kil && !header.kills_pixels() {
        missing("maxwell.kill", "KillsPixels");
    }
    if stores(form) && !header.stores_globally() {
        missing("maxwell.global-store", "DoesGlobalStore");
    }
    if matches!(Class::of(form), Class::Memory | Class::Image) && !header.loads_or_stores() {
        missing("maxwell.load-store", "DoesLoadOrStore");
    }
    if is_double(form) && !header.uses_doubles() {
        missing("maxwell.double", "DoesFp64");
    }
}

/// Local memory: the window grows up from 0 and down from its end.
fn local(findings: &mut Findings<'_>, at: u32, (form, word): (Form, Word), header: &Header) {
    if !matches!(form, Form::Ldl | Form::Stl) {
        return;
    }
    let Some((start, size, indexed)) = memory(form, word) else { return };
    let (low, high) = (i64::from(header.local_memory()), i64::from(header.local_memory_high()));
    let inside = if start < 0 { -start <= high } else { start + i64::from(size) <= low };
    if !inside && !indexed {
        let message = format!(
            "`{}` goes at {size} bytes at {start:#x} of local memory, of which the program header claims {low:#x}",
            form.name()
        );
        findings.word(Warning, "maxwell.local-memory", at, message);
    }
}

/// The attribute space, against the maps of the header.
fn attributes(
    findings: &mut Findings<'_>,
    at: u32,
    (form, word): (Form, Word),
    access: Access,
    header: &Header,
) {
    let name = form.name();
    for address in access.addresses() {
        let place = describe(address, access.patch);
        if access.patch {
            if access.written && address / 4 >= header.patch_words() {
                let message = format!(
                    "`{name}` writes {place}, but the program header says that a patch has {} words",
                    header.patch_words()
                );
                findings.word(Warning, "maxwell.patch-words", at, message);
            }
            continue;
        }
        if access.output {
            if header.writes(address) == Some(false) {
                let does = if access.written { "writes" } else { "reads back" };
                let message =
                    format!("`{name}` {does} {place}, which is not among the outputs of the program header");
                findings.word(Warning, "maxwell.output", at, message);
            }
        } else if header.reads(address) == Some(false) {
            let message =
                format!("`{name}` reads {place}, which is not among the inputs of the program header");
            findings.word(Warning, "maxwell.input", at, message);
        } else if form == Form::Ipa && header.layout() == Layout::Pixels {
            interpolation(findings, at, word, (address, &place), header);
        }
    }
}

/// How `IPA` takes an input against how the header says that it is set up.
fn interpolation(
    findings: &mut Findings<'_>,
    at: u32,
    word: Word,
    (address, place): (u32, &str),
    header: &Header,
) {
    let (mode, fits) = match word.bits(54, 2) {
        0 => (".PASS", Interpolation::ScreenLinear),
        1 => ("", Interpolation::Perspective),
        2 => (".CONSTANT", Interpolation::Constant),
        _ => return,
    };
    if let Some(found) = header.interpolation(address)
        && found != fits
    {
        let message = format!(
            "`IPA{mode}` reads {place} as {}, but the program header says {}",
            fits.name(),
            found.name()
        );
        findings.word(Warning, "maxwell.interpolation", at, message);
    }
}
