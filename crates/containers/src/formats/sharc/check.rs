//! What is wrong with an archive of sources that could be read. The texts are not looked at.

use super::model::{Program, Record, Sharc, SourceIndex, Stage, StageMacro, symbol_kinds};
use super::raw::{self, FIRST_VERSION, HEADER, LAST_VERSION};
use crate::formats::agl::check::{Codes, Records, codes, shown};
use crate::formats::agl::model::Array;
use crate::formats::agl::raw::text;
use crate::shared::findings::{Findings, inside};
use std::collections::BTreeSet;
use unshade_bytes::Diagnostic;

/// What findings about shared records are called here.
const CODES: Codes = codes!("sharc");

impl Sharc {
    /// All findings, most severe first, then by place; at most [`unshade_bytes::Limits::diagnostics`] and a note that
    /// counts the others.
    pub fn check(&self) -> Vec<Diagnostic> {
        let mut check = Check { found: Findings::default(), file: self };
        check.header();
        let mut at = self.programs_at();
        match &self.programs {
            Some(programs) => {
                check.records().array(programs, "programs", at);
                at = check.programs(at.saturating_add(8)).saturating_add(programs.stray.len() as u64);
            }
            None => check.missing("programs", at),
        }
        match &self.sources {
            Some(sources) => {
                check.records().array(sources, "sources", at);
                at = check.sources(at.saturating_add(8)).saturating_add(sources.stray.len() as u64);
            }
            None if self.programs.is_some() => check.missing("sources", at),
            None => {}
        }
        match &self.info {
            Some(info) => {
                check.records().array(info, "info", at);
                at = check.info(at.saturating_add(8)).saturating_add(info.stray.len() as u64);
            }
            None if self.sources.is_some() && self.rules().blocks => check.missing("information", at),
            None => {}
        }
        if !self.trailing.is_empty() {
            let len = self.trailing.len() as u64;
            check.found.warning("sharc.trailing", (at, len), "trailing", || {
                format!("expected the end of the file behind the last array, found {len} more bytes")
            });
        }
        check.found.finish("sharc.more")
    }
}

struct Check<'m> {
    found: Findings,
    file: &'m Sharc,
}

impl Check<'_> {
    fn records(&mut self) -> Records<'_> {
        Records { found: &mut self.found, codes: &CODES }
    }

    fn header(&mut self) {
        let file = self.file;
        if !(FIRST_VERSION..=LAST_VERSION).contains(&file.version) {
            self.found.warning("sharc.version", (4, 4), "version", || {
                let near = file.version.clamp(FIRST_VERSION, LAST_VERSION);
                format!(
                    "expected version {FIRST_VERSION} to {LAST_VERSION}, found {}, which is read as version {near}: every size adds up",
                    file.version
                )
            });
        }
        if let Some(word) = file.endian_word {
            self.found.error("sharc.endian", (12, 4), "endian", || {
                let expected = if word == 0 { 1 } else { 0 };
                format!("expected {expected} in a {}-endian file, found {word:#x}", file.endian.name())
            });
        }
        if let Some(size) = file.file_size {
            self.found.error("sharc.file-size", (8, 4), "file_size", || {
                format!("expected the size of the file, found {size}")
            });
        }
        if file.without_blocks {
            self.found.note("sharc.blocks", (4, 4), "version", || {
                "expected an array of uniform blocks in each program, found none: only so do the sizes add up".to_owned()
            });
        }
        self.records().string(&file.name, HEADER as u64, "name");
    }

    fn missing(&mut self, name: &str, at: u64) {
        self.found.error("sharc.truncated", (at, 0), "", || {
            format!("expected size and count of the {name}, found the end of the file")
        });
    }

    fn duplicate(&mut self, name: &[u8], at: u64, path: &str) {
        self.found.warning("sharc.duplicate", (at, name.len() as u64), &inside(path, "name"), || {
            format!("expected a name of its own, found {} again: the first is taken", shown(name))
        });
    }

    /// Checks all programs, the first of which lies at `at`; returns where they end.
    fn programs(&mut self, mut at: u64) -> u64 {
        let file = self.file;
        let mut names = BTreeSet::new();
        for (index, record) in file.programs.iter().flat_map(|array| &array.items).enumerate() {
            let path = format!("programs[{index}]");
            match record {
                Record::Known(program) => {
                    if !names.insert(text(&program.name.0)) {
                        self.duplicate(&program.name.0, at, &path);
                    }
                    self.indices(program, at.saturating_add(raw::PROGRAM as u64), &path);
                    at = self.program(program, at, &path);
                }
                Record::Damaged(bytes) => {
                    self.records().damaged(bytes, at, &path, "a name, sources and arrays");
                    at = at.saturating_add(4).saturating_add(bytes.len() as u64);
                }
            }
        }
        at
    }

    /// The sources of a program, whose words lie at `at`.
    fn indices(&mut self, program: &Program, at: u64, path: &str) {
        let rules = self.file.rules();
        let sources = self.file.sources.as_ref().map_or(0, |array| array.items.len());
        let mut none = true;
        for (stage, &word) in Stage::ALL.into_iter().zip(&program.sources) {
            let place = (at.saturating_add((stage as u64).saturating_mul(4)), 4);
            let Some(index) = SourceIndex::of(word, rules).index else { continue };
            none = false;
            if index as usize >= sources {
                let path = inside(path, &format!("{}_source", stage.name()));
                self.found.error("sharc.source", place, &path, || {
                    let shown = if rules.halves { i64::from(index) } else { i64::from(index.cast_signed()) };
                    format!("expected the number of one of {sources} sources, found {shown}")
                });
            }
        }
        if none {
            self.found.warning("sharc.no-source", (at, 4), path, || {
                "expected a source for at least one stage, found none".to_owned()
            });
        }
    }

    /// A program at `at`; returns where it ends.
    fn program(&mut self, program: &Program, at: u64, path: &str) -> u64 {
        let rules = self.file.rules();
        let words = (program.sources.len() as u64).saturating_mul(4);
        let mut at = at.saturating_add(raw::PROGRAM as u64).saturating_add(words);
        self.records().string(&program.name, at, &inside(path, "name"));
        at = at.saturating_add(program.name.0.len() as u64);
        for (stage, macros) in Stage::ALL.into_iter().zip(&program.stage_macros) {
            at = self.stage_macros(macros, at, &inside(path, &format!("{}_macros", stage.name())));
        }
        at = self.records().macros(&program.macros, false, at, &inside(path, "macros"));
        if rules.defaults {
            self.records().defaults(&program.macros, &program.defaults, at, path);
            at = self.records().macros(&program.defaults, true, at, &inside(path, "defaults"));
        }
        let variations = program.variation_count();
        let mut last = "the macros";
        for kind in symbol_kinds(rules) {
            let path = inside(path, kind.name());
            at = self.records().symbols(program.symbols(kind), kind, variations, at, &path);
            last = "the attributes";
        }
        if rules.blocks {
            at = self.records().blocks(&program.blocks, at, &inside(path, "blocks"));
            last = "the blocks";
        }
        self.records().tail(&program.tail, at, path, last)
    }

    fn stage_macros(&mut self, array: &Array<Record<StageMacro>>, at: u64, path: &str) -> u64 {
        self.records().array(array, path, at);
        let mut at = at.saturating_add(8);
        let mut names = BTreeSet::new();
        for (index, record) in array.items.iter().enumerate() {
            let path = format!("{path}[{index}]");
            match record {
                Record::Known(of) => {
                    at = at.saturating_add(raw::STAGE_MACRO as u64);
                    if !names.insert(text(&of.name.0)) {
                        self.duplicate(&of.name.0, at, &path);
                    }
                    for (part, name) in [(&of.name, "name"), (&of.value, "value")] {
                        self.records().string(part, at, &inside(&path, name));
                        at = at.saturating_add(part.0.len() as u64);
                    }
                    at = self.records().tail(&of.tail, at, &path, "the value");
                }
                Record::Damaged(bytes) => {
                    self.records().damaged(bytes, at, &path, "name and value");
                    at = at.saturating_add(4).saturating_add(bytes.len() as u64);
                }
            }
        }
        at.saturating_add(array.stray.len() as u64)
    }

    /// Checks all sources, the first of which lies at `at`; returns where they end.
    fn sources(&mut self, mut at: u64) -> u64 {
        let file = self.file;
        let mut names = BTreeSet::new();
        for (index, record) in file.sources.iter().flat_map(|array| &array.items).enumerate() {
            let path = format!("sources[{index}]");
            match record {
                Record::Known(source) => {
                    at = at.saturating_add(raw::SOURCE as u64);
                    if !names.insert(text(&source.name.0)) {
                        self.duplicate(&source.name.0, at, &path);
                    }
                    for (part, name) in [(&source.name, "name"), (&source.text, "text")] {
                        self.records().string(part, at, &inside(&path, name));
                        at = at.saturating_add(part.0.len() as u64);
                    }
                    at = self.records().tail(&source.tail, at, &path, "the text");
                }
                Record::Damaged(bytes) => {
                    self.records().damaged(bytes, at, &path, "name and text");
                    at = at.saturating_add(4).saturating_add(bytes.len() as u64);
                }
            }
        }
        at
    }

    fn info(&mut self, mut at: u64) -> u64 {
        let file = self.file;
        for (index, record) in file.info.iter().flat_map(|array| &array.items).enumerate() {
            match record {
                Record::Known(_) => at = at.saturating_add(raw::INFO as u64),
                Record::Damaged(bytes) => {
                    self.records().damaged(bytes, at, &format!("info[{index}]"), "three words");
                    at = at.saturating_add(4).saturating_add(bytes.len() as u64);
                }
            }
        }
        at
    }
}
