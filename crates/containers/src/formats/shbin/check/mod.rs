//! What is wrong with a container that could be read. The instructions are not looked at.

mod tables;

use crate::formats::shbin::layout::{Item, Layout, Part, Scope, Section};
use crate::formats::shbin::model::{Code, Dvlb, Dvle, Dvoj, Shbin};
use crate::formats::shbin::plan::Plan;
use crate::shared::Strings;
use unshade_bytes::{Diagnostic, Limits, Location, Severity};

/// Instruction words that the vertex units take.
const VERTEX_WORDS: u32 = 512;
/// Instruction words that the geometry unit takes.
const WORDS: usize = 4096;
/// Operand descriptors of the hardware.
const DESCRIPTORS: usize = 128;

impl Shbin {
    /// All findings, most severe first, then by place; at most [`Limits::diagnostics`] and a note that
    /// counts the others.
    pub fn check(&self) -> Vec<Diagnostic> {
        let plan = match self.plan() {
            Ok(plan) => plan,
            Err(error) => return vec![error.diagnostic()],
        };
        let mut check = Check { plan, found: Vec::new(), more: 0 };
        self.parts(&mut check);
        match self {
            Self::Linked(file) => check.linked(file),
            Self::Object(file) => check.object(file),
        }
        check.finish()
    }

    /// Places: alignment, overlap, bytes that belong to nothing.
    fn parts(&self, check: &mut Check) {
        self.form().parts(|part| {
            let start = check.plan.start(part);
            let strings = matches!(part.section, Section::Symbols | Section::FileNames);
            if !strings && !start.is_multiple_of(4) && self.count(part) > 0 {
                let at = (start, self.size(part));
                check.report(
                    Severity::Error,
                    "shbin.alignment",
                    at,
                    || part.to_string(),
                    || format!("expected a place at a multiple of 4, found {start:#x}"),
                );
            }
        });
        let (layout, trailing) = match self {
            Self::Linked(file) => (&file.layout, &file.trailing),
            Self::Object(file) => (&file.layout, &file.trailing),
        };
        if let Layout::Explicit(items) = layout {
            self.overlaps(items, check);
        }
        let fills = check.plan.fills.iter().enumerate();
        let opaque: Vec<_> = fills
            .filter(|(_, fill)| fill.bytes.is_some())
            .map(|(i, fill)| (i, fill.start, fill.len))
            .collect();
        for (index, start, len) in opaque {
            check.report(
                Severity::Note,
                "shbin.gap",
                (start, len),
                || format!("opaque[{index}]"),
                || format!("{} between the parts belong to none of them", bytes(len)),
            );
        }
        if !trailing.is_empty() {
            let at = (check.plan.end, trailing.len() as u64);
            check.report(
                Severity::Warning,
                "shbin.trailing",
                at,
                || "trailing".to_owned(),
                || {
                    format!(
                        "expected the end of the file behind its last part, found {} more bytes",
                        trailing.len()
                    )
                },
            );
        }
    }

    fn overlaps(&self, items: &[Item], check: &mut Check) {
        for item in items {
            let Item::Loose(part, _) = *item else { continue };
            let (start, size) = (check.plan.start(part), self.size(part));
            if size == 0 || check.is_full() {
                continue;
            }
            let end = start.saturating_add(size);
            let mut over = None;
            self.form().parts(|other| {
                let (first, size) = (check.plan.start(other), self.size(other));
                if other != part && over.is_none() && first < end && first.saturating_add(size) > start {
                    over = Some(other);
                }
            });
            let over = over.map_or_else(|| "the headers".to_owned(), |other| other.to_string());
            check.report(
                Severity::Error,
                "shbin.overlap",
                (start, size),
                || part.to_string(),
                || format!("expected bytes of its own from {start:#x} to {end:#x}, found those of {over}"),
            );
        }
    }
}

fn bytes(count: u64) -> String {
    if count == 1 { "1 byte".to_owned() } else { format!("{count} bytes") }
}

/// Offset and length of what a finding is about.
type Place = (u64, u64);

struct Check {
    plan: Plan,
    found: Vec<Diagnostic>,
    more: usize,
}

impl Check {
    fn report(
        &mut self,
        severity: Severity,
        code: &'static str,
        (start, len): Place,
        path: impl FnOnce() -> String,
        message: impl FnOnce() -> String,
    ) {
        if self.is_full() {
            self.more = self.more.saturating_add(1);
            return;
        }
        let location = Location::Bytes(start..start.saturating_add(len));
        self.found.push(Diagnostic::new(severity, code, location, path(), message()));
    }

    fn is_full(&self) -> bool {
        self.found.len() >= Limits::DEFAULT.diagnostics
    }

    fn finish(mut self) -> Vec<Diagnostic> {
        let place = |diagnostic: &Diagnostic| match &diagnostic.location {
            Location::Bytes(range) => range.start,
            _ => 0,
        };
        self.found.sort_by_key(|diagnostic| (std::cmp::Reverse(diagnostic.severity), place(diagnostic)));
        if self.more > 0 {
            let message = format!("{} more findings are not listed", self.more);
            self.found.push(Diagnostic::new(Severity::Note, "shbin.more", Location::Whole, "", message));
        }
        self.found
    }

    /// Place of `len` bytes at `offset` of entry `index` of a table.
    fn entry(&self, part: Part, index: usize, (offset, len): Place) -> Place {
        let entry = (index as u64).saturating_mul(part.section.entry_size());
        (self.plan.start(part).saturating_add(entry).saturating_add(offset), len)
    }

    fn linked(&mut self, file: &Dvlb) {
        if file.executables.is_empty() {
            let path = || "dvle_count".to_owned();
            self.report(Severity::Warning, "shbin.dvlb.no-executable", (4, 4), path, || {
                "expected at least one executable, found none: nothing can be run".to_owned()
            });
        }
        self.code(&file.program.code, &file.program.file_names, Scope::Program);
        for (index, dvle) in (0_u32..).zip(&file.executables) {
            self.entry_point(dvle, file.program.code.words.len(), index);
            let scope = Scope::Executable(index);
            self.executable(&dvle.executable, file.program.code.words.len(), dvle.entry, scope);
        }
    }

    fn object(&mut self, file: &Dvoj) {
        self.code(&file.code, &file.executable.symbols, Scope::Object);
        self.executable(&file.executable, file.code.words.len(), 0, Scope::Object);
        if file.code.words.is_empty() {
            let path = || "dvoj.code_count".to_owned();
            self.report(Severity::Error, "shbin.entry", (0x24, 4), path, || {
                "expected a first instruction, where execution starts, found no code".to_owned()
            });
        }
        let part = Part { scope: Scope::Object, section: Section::Relocations };
        for (index, relocation) in file.relocations.iter().enumerate() {
            if relocation.word as usize >= file.code.words.len() {
                let at = self.entry(part, index, (0, 4));
                let path = || format!("{part}[{index}].word");
                self.report(Severity::Error, "shbin.relocation-word", at, path, || {
                    format!("expected a word below {}, found {}", file.code.words.len(), relocation.word)
                });
            }
        }
    }

    fn code(&mut self, code: &Code, names: &Strings, scope: Scope) {
        let part = |section| Part { scope, section };
        let start = |section| self.plan.start(part(section));
        let places = (start(Section::Code), start(Section::Descriptors), start(Section::Lines));
        if code.words.len() > WORDS {
            let path = || part(Section::Code).to_string();
            self.report(Severity::Warning, "shbin.code-size", (places.0, 0), path, || {
                format!(
                    "expected at most {WORDS} words, which the hardware holds, found {}",
                    code.words.len()
                )
            });
        }
        if code.descriptors.len() > DESCRIPTORS {
            let path = || part(Section::Descriptors).to_string();
            self.report(Severity::Warning, "shbin.descriptor-count", (places.1, 0), path, || {
                let count = code.descriptors.len();
                format!("expected at most {DESCRIPTORS} descriptors, which the hardware holds, found {count}")
            });
        }
        if !code.lines.is_empty() && code.lines.len() != code.words.len() {
            let path = || part(Section::Lines).to_string();
            self.report(Severity::Warning, "shbin.line-count", (places.2, 0), path, || {
                format!(
                    "expected one entry for each of {} words, found {}",
                    code.words.len(),
                    code.lines.len()
                )
            });
        }
        let known = Names::new(names);
        for (index, line) in code.lines.iter().enumerate() {
            self.name("shbin.line-name", known, line.file, (part(Section::Lines), index, 0), "file");
        }
    }

    fn entry_point(&mut self, dvle: &Dvle, words: usize, index: u32) {
        let scope = Scope::Executable(index);
        let header = self.plan.start(Part { scope, section: Section::Header });
        let at = |offset: u64| (header.saturating_add(offset), 4);
        if dvle.entry as usize >= words {
            self.report(
                Severity::Error,
                "shbin.entry",
                at(8),
                || format!("{scope}.entry"),
                || format!("expected a word below {words}, found {}", dvle.entry),
            );
        }
        if dvle.end as usize > words {
            self.report(
                Severity::Error,
                "shbin.end",
                at(0xC),
                || format!("{scope}.end"),
                || format!("expected a word up to {words}, found {}", dvle.end),
            );
        } else if dvle.end != 0 && dvle.end <= dvle.entry {
            self.report(
                Severity::Warning,
                "shbin.end",
                at(0xC),
                || format!("{scope}.end"),
                || format!("expected a word behind the entry point {}, found {}", dvle.entry, dvle.end),
            );
        }
        let last = dvle.end.max(dvle.entry.saturating_add(1));
        if dvle.executable.kind == 0 && last > VERTEX_WORDS && last as usize <= words {
            self.report(
                Severity::Warning,
                "shbin.vertex-code-size",
                at(8),
                || scope.to_string(),
                || {
                    format!(
                        "expected a vertex program in the first {VERTEX_WORDS} words, found one up to {last}"
                    )
                },
            );
        }
    }

    /// Checks that a name starts inside its strings and ends there.
    fn name(
        &mut self,
        code: &'static str,
        names: Names,
        offset: u32,
        (part, index, field): (Part, usize, u64),
        name: &'static str,
    ) {
        if (offset as usize) < names.terminated {
            return;
        }
        let at = self.entry(part, index, (field, 4));
        let path = || format!("{part}[{index}].{name}");
        if (offset as usize) < names.len {
            self.report(Severity::Error, "shbin.string-unterminated", at, path, || {
                format!("expected a string that ends with NUL, found none from {offset:#x} on")
            });
        } else {
            self.report(Severity::Error, code, at, path, || {
                format!("expected an offset below {:#x} into the strings, found {offset:#x}", names.len)
            });
        }
    }
}

/// What a check needs to know of a string table.
#[derive(Clone, Copy)]
struct Names {
    len: usize,
    terminated: usize,
}

impl Names {
    fn new(strings: &Strings) -> Self {
        Self { len: strings.0.len(), terminated: strings.terminated() }
    }

    fn unterminated(self) -> bool {
        self.terminated < self.len
    }
}
