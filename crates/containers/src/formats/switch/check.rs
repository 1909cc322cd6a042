//! What is wrong with the machinery that Switch files share: strings, dictionaries, relocation, reserved bytes.

use super::dictionary::{DIC, Family};
use super::image::{Image, Object, Texts};
use super::relocation::{RLT, Relocation};
use crate::shared::fields::DirtyFields;
use std::collections::BTreeSet;
use unshade_bytes::{Diagnostic, Limits, Location, Result, Severity};

/// Collects findings, so many and no more.
#[derive(Debug, Default)]
pub struct Findings {
    found: Vec<Diagnostic>,
    more: usize,
}

impl Findings {
    /// Reports something about `size` bytes at `at`.
    pub fn report(
        &mut self,
        severity: Severity,
        code: &'static str,
        (at, size): (u64, u64),
        path: impl Into<String>,
        message: impl Into<String>,
    ) -> Option<&mut Diagnostic> {
        if self.found.len() >= Limits::DEFAULT.diagnostics {
            self.more = self.more.saturating_add(1);
            return None;
        }
        let location = Location::Bytes(at..at.saturating_add(size));
        self.found.push(Diagnostic::new(severity, code, location, path, message));
        self.found.last_mut()
    }

    /// Takes findings about a file in the file.
    pub fn inside(&mut self, findings: Vec<Diagnostic>, at: u64, path: &str) {
        for finding in findings {
            if self.found.len() >= Limits::DEFAULT.diagnostics {
                self.more = self.more.saturating_add(1);
                continue;
            }
            let mut finding = finding.moved(at);
            let dot = if finding.path.is_empty() { "" } else { "." };
            finding.path = format!("{path}{dot}{}", finding.path);
            self.found.push(finding);
        }
    }

    /// The findings in the order in which they were found, and how many more there were.
    pub fn into_parts(self) -> (Vec<Diagnostic>, usize) {
        (self.found, self.more)
    }

    /// The findings, most severe first, then by place.
    pub fn finish(mut self) -> Vec<Diagnostic> {
        let place = |diagnostic: &Diagnostic| match &diagnostic.location {
            Location::Bytes(range) => range.start,
            _ => 0,
        };
        self.found.sort_by_key(|diagnostic| (std::cmp::Reverse(diagnostic.severity), place(diagnostic)));
        if self.more > 0 {
            let message = format!("{} more findings are not listed", self.more);
            self.found.push(Diagnostic::new(Severity::Note, "nx.more", Location::Whole, "", message));
        }
        self.found
    }
}

/// Checks what every file has.
///
/// # Errors
/// When a structure cannot be visited.
pub fn check<O: Object>(image: &Image<O>, texts: &Texts<'_>, findings: &mut Findings) -> Result<()> {
    let family = if image.form.relative { Family::WiiU } else { Family::Switch };
    for (&at, object) in &image.objects {
        if let Some(bytes) = object.bytes().filter(|_| object.label() == "unknown") {
            let message = format!("{} bytes that nothing leads to are kept", bytes.len());
            let place = (at, bytes.len() as u64);
            findings.report(Severity::Note, "nx.unknown-bytes", place, "unknown", message);
        }
        if let Some(dictionary) = object.as_dictionary() {
            self::dictionary(at, dictionary, texts, family, findings);
        }
        if object.has_fields() && object.as_dictionary().is_none() {
            let mut dirty = DirtyFields::new(image.form);
            object.clone().visit(&mut dirty)?;
            for field in dirty.found {
                let place = (at.saturating_add(field.offset), field.size);
                let path = format!("{}.{}", object.label(), field.name);
                let message = format!("expected {} bytes of zero, found others", field.size);
                findings.report(Severity::Warning, "nx.reserved", place, path, message);
            }
        }
    }
    if !image.form.relative {
        strings(image, findings);
        relocation(image, findings)?;
    }
    Ok(())
}

fn dictionary(
    at: u64,
    dictionary: &super::Dictionary,
    texts: &Texts<'_>,
    family: Family,
    findings: &mut Findings,
) {
    let size = (dictionary.nodes.len() as u64).saturating_mul(16).saturating_add(8);
    let signature = dictionary.signature;
    if family == Family::Switch && signature != DIC && signature != [0; 4] {
        let found = signature.escape_ascii();
        let message =
            format!("expected the signature \"_DIC\" (or zeros, as in BFRES files), found \"{found}\"");
        findings.report(Severity::Error, "nx.dictionary-signature", (at, 4), "dictionary", message);
    }
    if family == Family::WiiU && u64::from(u32::from_be_bytes(signature)) != size {
        let found = u32::from_be_bytes(signature);
        let message = format!("expected a size of {size} bytes, found {found}");
        findings.report(Severity::Error, "nx.dictionary-size", (at, 4), "dictionary", message);
    }
    if dictionary.is_exact(texts, family) {
        return;
    }
    let lost = dictionary.keys().enumerate().find(|(index, key)| {
        let name = texts.get(*key);
        name.is_none_or(|name| dictionary.find(texts, name, family, 4096) != Some(*index))
    });
    match lost {
        Some((index, key)) => {
            let message = format!(
                "expected to find \"{}\" (entry {index}) on the way down, found another entry or none",
                texts.show(key)
            );
            findings.report(Severity::Error, "nx.dictionary", (at, size), "dictionary", message);
        }
        None => {
            let message = "every name is found, but the nodes are not those that the console's tools make";
            findings.report(Severity::Note, "nx.dictionary-shape", (at, size), "dictionary", message);
        }
    }
}

fn strings<O: Object>(image: &Image<O>, findings: &mut Findings) {
    let Some((at, pool)) = image.strings() else { return };
    let Some((header, count)) = &pool.block else { return };
    if header.signature != *b"_STR" {
        let found = header.signature.escape_ascii();
        let message = format!("expected the signature \"_STR\", found \"{found}\"");
        findings.report(Severity::Error, "nx.string-pool", (at, 4), "strings", message);
    }
    let wanted = u64::from(*count).saturating_add(1);
    let found = pool.texts.len() as u64;
    if found != wanted {
        let message = format!(
            "expected {wanted} strings ({count} and the empty one) that each end with NUL, found {found}"
        );
        findings.report(
            Severity::Error,
            "nx.string-count",
            (at.saturating_add(16), 4),
            "strings.count",
            message,
        );
    }
    if pool.alignment == 4 {
        let message = "expected strings at multiples of 2, found them at multiples of 4";
        let place = (at, header.size.into());
        let found = findings.report(Severity::Note, "nx.string-alignment", place, "strings", message);
        if let Some(found) = found {
            found.notes.push("ShaderLibrary writes them so; consoles read both".to_owned());
        }
    }
}

/// Why a pointer is not listed as it should be, for the names of known writers' mistakes.
#[derive(Debug, Default)]
struct Damage {
    null: u64,
    /// Of these the ones in programs.
    programs: u64,
    missing: u64,
    /// Of these the ones in tables of symbols.
    symbols: u64,
    wrong: u64,
    outside: u64,
    twice: u64,
}

fn relocation<O: Object>(image: &Image<O>, findings: &mut Findings) -> Result<()> {
    let Some((at, table)) = image.relocation() else {
        let message = "expected a relocation table, found none";
        findings.report(Severity::Error, "nx.relocation", (0x18, 4), "header.relocation", message);
        return Ok(());
    };
    if table.signature != RLT || table.own.0 != at {
        let message = format!(
            "expected the signature \"_RLT\" and its own place {at:#x}, found \"{}\" and {:#x}",
            table.signature.escape_ascii(),
            table.own.0
        );
        findings.report(Severity::Error, "nx.relocation", (at, 8), "relocation", message);
    }
    for (index, section) in table.sections.iter().enumerate() {
        let end = u64::from(section.position).saturating_add(section.size.into());
        if end > image.len {
            let path = format!("relocation.sections[{index}]");
            let message = format!("expected an end before {:#x}, found {end:#x}", image.len);
            findings.report(Severity::Error, "nx.relocation-section-range", (at, 16), path, message);
        }
    }
    let limit = image.len / 4;
    if table.count() > limit.saturating_add(1024) {
        let message = format!(
            "expected at most {} pointers in a file of {} bytes, found {}",
            image.len / 8,
            image.len,
            table.count()
        );
        let size = image.len.saturating_sub(at);
        findings.report(Severity::Error, "nx.relocation-twice", (at, size), "relocation.entries", message);
        return Ok(());
    }
    let pointers = image.slots()?;
    let damage = slots(image, table, &pointers, findings);
    let Damage { null, programs, missing, symbols, wrong, outside, twice } = damage;
    if null > 0 && null == programs && missing == 0 && twice == 0 && outside == 0 {
        name(
            findings,
            at,
            "null pointers are listed: the mark of ShaderLibrary's and of older effect_library's BNSH writers, which list six stages of every program",
        );
    } else if twice > 0 && outside > 0 {
        name(
            findings,
            at,
            "pointers are listed twice and outside of the file: the mark of ShaderLibrary's BFSHA writer for versions 5 and 6",
        );
    } else if missing > 0 && missing == symbols && wrong == 0 && outside == 0 && twice == 0 {
        name(
            findings,
            at,
            "pointers of the interface or of symbol tables are not listed: the mark of ShaderLibrary's BFSHA writer for version 9",
        );
    }
    Ok(())
}

fn name(findings: &mut Findings, at: u64, message: &str) {
    findings.report(Severity::Note, "nx.known-writer", (at, 16), "relocation", message);
}

fn slots<O: Object>(
    image: &Image<O>,
    table: &Relocation,
    pointers: &[(u64, super::Slot, super::Pointer)],
    findings: &mut Findings,
) -> Damage {
    let mut damage = Damage::default();
    // Listed places that are pointers, by their number, and listed places that are none.
    let mut listed = vec![false; pointers.len()];
    let mut others: BTreeSet<u64> = BTreeSet::new();
    let mut cache = Cache::default();
    let known = |slot: u64| pointers.binary_search_by_key(&slot, |(at, ..)| *at).ok();
    for (index, section) in table.sections.iter().enumerate() {
        for slot in table.of(section).iter().flat_map(|entry| entry.slots()) {
            let path = || format!("relocation.sections[{index}]");
            if slot.saturating_add(8) > image.len {
                damage.outside = damage.outside.saturating_add(1);
                let message = format!("expected a pointer before {:#x}, found one at {slot:#x}", image.len);
                findings.report(Severity::Error, "nx.relocation-outside", (slot, 8), path(), message);
                continue;
            }
            let known = known(slot);
            let twice = match known.and_then(|index| listed.get_mut(index)) {
                Some(listed) => std::mem::replace(listed, true),
                None => !others.insert(slot),
            };
            if twice {
                damage.twice = damage.twice.saturating_add(1);
                let message =
                    format!("expected the pointer at {slot:#x} once, found it again: it is moved twice");
                findings.report(Severity::Error, "nx.relocation-twice", (slot, 8), path(), message);
                continue;
            }
            match known.and_then(|index| pointers.get(index)) {
                Some((_, _, target)) => {
                    let right = section.contains(target.0);
                    if !right {
                        damage.wrong = damage.wrong.saturating_add(1);
                        let message = format!(
                            "expected the pointer at {slot:#x} in the section that holds {:#x}, found it in the one from {:#x} to {:#x}",
                            target.0,
                            section.position,
                            u64::from(section.position).saturating_add(section.size.into())
                        );
                        findings.report(Severity::Error, "nx.relocation-section", (slot, 8), path(), message);
                    }
                }
                None if is_null(image, slot, &mut cache) => {
                    damage.null = damage.null.saturating_add(1);
                    if image.objects.range(..=slot).next_back().is_some_and(|(_, o)| o.label() == "program") {
                        damage.programs = damage.programs.saturating_add(1);
                    }
                    let message =
                        format!("expected pointers that lead somewhere, found one to nothing at {slot:#x}");
                    findings.report(Severity::Warning, "nx.relocation-null", (slot, 8), path(), message);
                }
                None if in_raw(image, slot) => {}
                None => {
                    let message =
                        format!("expected a pointer at {slot:#x}, found something else: it is overwritten");
                    findings.report(Severity::Error, "nx.relocation-unknown", (slot, 8), path(), message);
                }
            }
        }
    }
    for ((slot, field, target), listed) in pointers.iter().zip(listed) {
        if !listed {
            damage.missing = damage.missing.saturating_add(1);
            let owner = image.objects.range(..=*slot).next_back().map_or("", |(_, object)| object.label());
            let path = format!("{owner}.{}", field.name);
            if owner.starts_with("symbol") {
                damage.symbols = damage.symbols.saturating_add(1);
            }
            let message = format!(
                "expected the pointer at {slot:#x} to {:#x} in the relocation table, found it missing: a console crashes on it",
                target.0
            );
            findings.report(Severity::Error, "nx.relocation-missing", (*slot, 8), path, message);
        }
    }
    damage
}

/// The bytes of the structure that was looked at last, with its place.
type Cache = Option<(u64, Vec<u8>)>;

/// Whether a word is a pointer field without a target, or unused bytes that are zero.
fn is_null<O: Object>(image: &Image<O>, slot: u64, cache: &mut Cache) -> bool {
    let Some((&at, object)) = image.objects.range(..=slot).next_back() else { return true };
    let from = usize::try_from(slot.saturating_sub(at)).unwrap_or(usize::MAX);
    let end = from.saturating_add(8);
    let zeros = |word: &[u8]| word.iter().all(|&byte| byte == 0);
    if let Some(bytes) = object.bytes() {
        return bytes.get(from..end).is_none_or(zeros);
    }
    if cache.as_ref().is_none_or(|(known, _)| *known != at) {
        let mut saver = super::Saver::new(image.form, 0);
        if object.embedded_len().is_some() || object.clone().visit(&mut saver).is_err() {
            return false;
        }
        *cache = Some((at, saver.bytes));
    }
    cache.as_ref().is_none_or(|(_, bytes)| bytes.get(from..end).is_none_or(zeros))
}

fn in_raw<O: Object>(image: &Image<O>, slot: u64) -> bool {
    image.objects.range(..=slot).next_back().is_some_and(|(_, object)| object.is_raw())
}
