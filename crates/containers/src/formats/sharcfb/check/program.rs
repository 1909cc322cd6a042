//! The programs: which binaries are theirs, their macros, their symbols.

use super::Check;
use crate::formats::agl::check::shown;
use crate::formats::sharcfb::model::{Extra, Program, Record, SymbolKind};
use crate::formats::sharcfb::raw::{self, NO_BINARIES};
use crate::shared::findings::inside;
use std::collections::BTreeSet;

/// Steps of comparing binaries with the stages of programs.
const WORK: usize = 1 << 22;

impl Check<'_> {
    /// Checks all programs, the first of which lies at `at`; returns where they end.
    pub(super) fn programs(&mut self, mut at: u64) -> u64 {
        let file = self.file;
        let mut names = BTreeSet::new();
        let mut next = 0_u64;
        let mut work = WORK;
        for (index, record) in file.programs.iter().flat_map(|array| &array.items).enumerate() {
            let path = format!("programs[{index}]");
            self.programs_at.push(at);
            match record {
                Record::Known(program) => {
                    if !names.insert(raw::text(&program.name.0)) {
                        let place = (at.saturating_add(0x10), program.name.0.len() as u64);
                        self.found.warning("sharcfb.duplicate", place, &inside(&path, "name"), || {
                            format!(
                                "expected a name of its own, found {} again: the first is taken",
                                shown(&program.name.0)
                            )
                        });
                    }
                    self.owned(program, &mut next, &mut work, at, &path);
                    at = self.program(program, at, &path);
                }
                Record::Damaged(bytes) => {
                    self.records().damaged(bytes, at, &path, "a name and six arrays");
                    at = at.saturating_add(4).saturating_add(bytes.len() as u64);
                }
            }
        }
        let binaries = file.binaries.as_ref().map_or(0, |array| array.items.len() as u64);
        if file.programs.is_some() && next < binaries {
            let place = (self.file.first_binary().saturating_sub(4), 4);
            self.found.warning("sharcfb.unused", place, "binaries.count", || {
                format!("expected every binary to belong to a program, found {binaries} where programs end at {next}")
            });
        }
        at
    }

    /// The binaries of a program: in order behind those of the program before, of the right stages.
    fn owned(&mut self, program: &Program, next: &mut u64, work: &mut usize, at: u64, path: &str) {
        let (stages_at, base_at) = ((at.saturating_add(8), 4), (at.saturating_add(12), 4));
        if program.stages & 3 != 3 || program.stages > 7 {
            self.found.error("sharcfb.stages", stages_at, &inside(path, "stages"), || {
                format!("expected 3 (vertex, pixel) or 7 (and geometry), found {:#x}", program.stages)
            });
        }
        if program.base == NO_BINARIES {
            return;
        }
        let binaries = self.file.binaries.as_ref().map_or(0, |array| array.items.len() as u64);
        let base = u64::from(program.base);
        let per = u64::from(program.binaries_per_variation());
        let path = inside(path, "first_binary");
        let end = program.variation_count().and_then(|count| count.checked_mul(per)?.checked_add(base));
        let Some(end) = end.filter(|&end| end <= binaries) else {
            return self.found.error("sharcfb.base", base_at, &path, || {
                let count = program.variation_count().map_or("too many".to_owned(), |count| count.to_string());
                format!("expected {per} binaries for each of {count} variations, found {binaries} binaries and the first at {base}")
            });
        };
        if base != *next {
            self.found.warning("sharcfb.order", base_at, &path, || {
                format!("expected {next}, behind the binaries of the program before, found {base}")
            });
        }
        *next = (*next).max(end);
        for (index, binary) in (base..end).enumerate() {
            let Some(left) = work.checked_sub(1) else { return };
            *work = left;
            let items = self.file.binaries.as_ref().map(|array| &array.items);
            let record = items.and_then(|items| items.get(usize::try_from(binary).ok()?)?.known());
            let stage = (index as u64).checked_rem(per).unwrap_or(0);
            if let Some(record) = record.filter(|record| u64::from(record.kind) != stage) {
                self.found.error("sharcfb.stage-type", base_at, &path, || {
                    format!("expected type {stage} of binary {binary}, found {}", record.kind)
                });
            }
        }
    }

    /// The section behind the uniforms at `at`; returns where it ends.
    fn extra(&mut self, extra: &Extra, at: u64, path: &str) -> u64 {
        match extra {
            Extra::Blocks(blocks) => self.records().blocks(blocks, at, path),
            Extra::Bytes { size, bytes } => {
                if let Some(size) = size {
                    self.found.error("sharcfb.array-size", (at, 4), &inside(path, "size"), || {
                        format!("expected 4 and the size of the section within the program, found {size}")
                    });
                }
                at.saturating_add(4).saturating_add(bytes.len() as u64)
            }
        }
    }

    /// A program at `at`; returns where it ends.
    fn program(&mut self, program: &Program, at: u64, path: &str) -> u64 {
        let mut at = at.saturating_add(raw::PROGRAM as u64);
        self.records().string(&program.name, at, &inside(path, "name"));
        at = at.saturating_add(program.name.0.len() as u64);
        at = self.records().macros(&program.macros, false, at, &inside(path, "macros"));
        self.records().defaults(&program.macros, &program.defaults, at, path);
        at = self.records().macros(&program.defaults, true, at, &inside(path, "defaults"));
        let variations = program.variation_count();
        for kind in SymbolKind::ALL {
            at = self.records().symbols(
                program.symbols(kind),
                kind,
                variations,
                at,
                &inside(path, kind.name()),
            );
            if let Some(extra) = program.extra.as_ref().filter(|_| kind == SymbolKind::Uniforms) {
                at = self.extra(extra, at, &inside(path, "extra"));
            }
        }
        self.records().tail(&program.tail, at, path, "the attributes")
    }
}
