//! What is wrong with an archive of the Switch that could be read. The code is not looked at, but for its size and place.

use super::model::{Binary, Pool, Program, SharcfbNx};
use super::raw::{self, HEADER, NATIVE, NO_BINARIES, POOL_ALIGNMENT, RESOLVED, Table, VERSION};
use super::write::Placed;
use crate::formats::agl::check::{Codes, Records, codes, shown};
use crate::formats::agl::model::Record;
use crate::formats::agl::raw::text;
use crate::formats::nvn::Control;
use crate::shared::findings::{Findings, inside};
use std::collections::BTreeSet;
use unshade_bytes::Diagnostic;

/// What findings about shared records are called here.
const CODES: Codes = Codes { without_ids: true, ..codes!("sharcfb-nx") };
/// Steps of comparing binaries with the stages of programs.
const WORK: usize = 1 << 22;

impl SharcfbNx {
    /// All findings, most severe first, then by place; at most [`unshade_bytes::Limits::diagnostics`] and a note that
    /// counts the others.
    pub fn check(&self) -> Vec<Diagnostic> {
        let placed = match self.written() {
            Ok((_, placed)) => placed,
            Err(error) => return vec![error.diagnostic()],
        };
        let mut check = Check {
            found: Findings::default(),
            pairs: crate::formats::switch::check::Findings::default(),
            file: self,
            placed,
        };
        check.header();
        let mut at = self.binaries_at();
        match &self.binaries {
            Some(binaries) => {
                check.records().array(binaries, "binaries", at);
                at = check.binaries(at.saturating_add(8)).saturating_add(binaries.stray.len() as u64);
            }
            None => check.missing("binaries", at),
        }
        match &self.programs {
            Some(programs) => {
                check.records().array(programs, "programs", at);
                check.programs(at.saturating_add(8));
            }
            None if self.binaries.is_some() => check.missing("programs", at),
            None => {}
        }
        check.pool();
        let Check { mut found, pairs, .. } = check;
        found.take(pairs.into_parts());
        found.finish("sharcfb-nx.more")
    }
}

struct Check<'m> {
    found: Findings,
    /// What is said of control and code sections.
    pairs: crate::formats::switch::check::Findings,
    file: &'m SharcfbNx,
    placed: Placed,
}

impl Check<'_> {
    fn records(&mut self) -> Records<'_> {
        Records { found: &mut self.found, codes: &CODES }
    }

    fn missing(&mut self, name: &str, at: u64) {
        self.found.error("sharcfb-nx.truncated", (at, 0), "", || {
            format!("expected size and count of the {name}, found the end of the file")
        });
    }

    fn header(&mut self) {
        let file = self.file;
        if file.version != VERSION {
            self.found.warning("sharcfb-nx.version", (4, 4), "version", || {
                let version = file.version;
                format!("expected version {VERSION}, found {version}, which is read as version {VERSION}: every size adds up")
            });
        }
        if let Some(size) = file.file_size {
            self.found.error("sharcfb-nx.file-size", (8, 4), "file_size", || {
                format!("expected the size of the file, found {size}")
            });
        }
        if file.flags & NATIVE == 0 {
            self.found.error("sharcfb-nx.flags", (12, 4), "flags", || {
                let flags = file.flags;
                format!("expected bit 0, without which the console takes the numbers for swapped, found {flags:#x}")
            });
        }
        if file.flags & RESOLVED != 0 || file.resolved != 0 {
            self.found.warning("sharcfb-nx.resolved", (12, 8), "flags", || {
                "expected offsets that are none yet pointers, found a mark that they are: the console believes that it \
                 was loaded already"
                    .to_owned()
            });
        }
        if !file.runtime.is_empty() {
            let place = (raw::RUNTIME as u64, file.runtime.len() as u64);
            self.found.note("sharcfb-nx.runtime", place, "runtime", || {
                "expected zeros, which the console fills, found others".to_owned()
            });
        }
        let names = &file.names.0;
        if !names.contains(&0) {
            let place = (HEADER as u64, names.len() as u64);
            self.found.error("sharcfb-nx.string", place, "name", || {
                format!("expected a NUL among {} bytes, found none", names.len())
            });
        }
    }

    fn pool(&mut self) {
        let file = self.file;
        let at = self.placed.pool;
        match &file.pool {
            Pool::Elsewhere { offset, size } if file.programs.is_some() => {
                self.found.error("sharcfb-nx.pool", (0x18, 8), "pool_offset", || {
                    format!("expected a memory pool behind the programs and in the file, found {size:#x} bytes at {offset:#x}")
                });
            }
            Pool::Elsewhere { .. } => {}
            Pool::Behind { bytes, .. } => {
                if !at.is_multiple_of(POOL_ALIGNMENT) {
                    self.found.warning("sharcfb-nx.pool-alignment", (0x1C, 4), "pool_offset", || {
                        format!("expected a multiple of {POOL_ALIGNMENT:#x}, found {at:#x}")
                    });
                }
                if !(bytes.len() as u64).is_multiple_of(POOL_ALIGNMENT) {
                    self.found.note("sharcfb-nx.pool-size", (0x18, 4), "pool_size", || {
                        let len = bytes.len();
                        format!("expected a multiple of {POOL_ALIGNMENT:#x}, which the console makes of it, found {len:#x}")
                    });
                }
                if !file.trailing.is_empty() {
                    let place = (at.saturating_add(bytes.len() as u64), file.trailing.len() as u64);
                    self.found.warning("sharcfb-nx.trailing", place, "trailing", || {
                        let len = file.trailing.len();
                        format!("expected the end of the file behind the memory pool, found {len} more bytes")
                    });
                }
            }
        }
    }

    /// Checks all binaries, the first of which lies at `at`; returns where they end.
    fn binaries(&mut self, mut at: u64) -> u64 {
        let file = self.file;
        for (index, record) in file.binaries.iter().flat_map(|array| &array.items).enumerate() {
            let path = format!("binaries[{index}]");
            match record {
                Record::Known(binary) => {
                    let data = at.saturating_add(raw::BINARY as u64);
                    self.binary(binary, at, data, &path);
                    at = data.saturating_add(binary.data.len() as u64);
                    let len = binary.tail.len() as u64;
                    if len > 0 {
                        self.found.note("sharcfb-nx.tail", (at, len), &inside(&path, "tail"), || {
                            format!("expected the next record behind the data, found {len} bytes before")
                        });
                    }
                    at = at.saturating_add(len);
                }
                Record::Damaged(bytes) => {
                    self.records().damaged(bytes, at, &path, "data of its size");
                    at = at.saturating_add(4).saturating_add(bytes.len() as u64);
                }
            }
        }
        at
    }

    /// A binary whose record lies at `at`, and its data at `data`.
    fn binary(&mut self, binary: &Binary, at: u64, data: u64, path: &str) {
        let file = self.file;
        let kind = binary.kind();
        if kind.is_none() {
            self.found.error("sharcfb-nx.stage", (at.saturating_add(4), 4), &inside(path, "stage"), || {
                let stage = binary.stage;
                format!("expected 0 (vertex), 1 (pixel), 2 (geometry) or 3 (compute), found {stage}")
            });
        }
        let place = (data, binary.data.len() as u64);
        let within = inside(path, "data");
        let Some(info) = binary.info() else {
            return self.found.error("sharcfb-nx.info", place, &within, || {
                format!("expected an info block of {:#x} bytes, found {:#x}", raw::INFO, binary.data.len())
            });
        };
        if !info.fits(&binary.data) {
            self.found.error("sharcfb-nx.info", (data, info.len() as u64), &inside(&within, "info"), || {
                "expected a control section and tables behind the info block and inside of the data, found some that lead out"
                    .to_owned()
            });
        }
        for table in Table::ALL {
            for (index, entry) in info.entries(&binary.data, table).enumerate() {
                if file.text(binary, entry.name).is_none() {
                    let offset = info.table(table).map_or(0, |(_, offset)| offset);
                    let row = (index as u64).saturating_mul(table.entry_len() as u64);
                    let place = (data.saturating_add(offset).saturating_add(row), 8);
                    let path = inside(&within, &format!("{}[{index}].name", table.name()));
                    let of = if file.has_pooled_names() { "the names of the archive" } else { "the data" };
                    self.found.error("sharcfb-nx.name", place, &path, || {
                        format!("expected a name inside of {of}, found offset {:#x}", entry.name)
                    });
                }
            }
        }
        if matches!(file.pool, Pool::Elsewhere { .. }) {
            return;
        }
        let code_path = inside(&within, "info.code");
        let Some(code) = file.code(binary).filter(|code| !code.is_empty()) else {
            return self.found.error("sharcfb-nx.code", (data, 8), &code_path, || {
                let len = file.pool().len();
                format!(
                    "expected code inside of a memory pool of {len:#x} bytes, found some at {:#x}",
                    info.code
                )
            });
        };
        let section = info.control_in(&binary.data);
        let control_at = data.saturating_add(info.control);
        let Some(control) = Control::new(section) else {
            return self.found.error(
                "sharcfb-nx.control",
                (control_at, section.len() as u64),
                &within,
                || "expected a whole control section, found another beginning or too few bytes".to_owned(),
            );
        };
        if code.len() < control.code_size() as usize {
            self.found.error("sharcfb-nx.code", (data, 8), &code_path, || {
                let size = control.code_size();
                format!("expected {size:#x} bytes of code inside of the memory pool, found {:#x}", code.len())
            });
        }
        if let Some(kind) = kind {
            let code_at = self.placed.pool.saturating_add(info.code);
            crate::formats::nvn::check_pair(
                control,
                code,
                kind,
                (control_at, code_at),
                &within,
                &mut self.pairs,
            );
        }
    }

    /// Checks all programs, the first of which lies at `at`.
    fn programs(&mut self, mut at: u64) {
        let file = self.file;
        let mut names = BTreeSet::new();
        let (mut next, mut work) = (0_u64, WORK);
        for (index, record) in file.programs.iter().flat_map(|array| &array.items).enumerate() {
            let path = format!("programs[{index}]");
            match record {
                Record::Known(program) => {
                    if !names.insert(text(&program.name.0)) {
                        let place = (at.saturating_add(0x10), program.name.0.len() as u64);
                        self.found.warning("sharcfb-nx.duplicate", place, &inside(&path, "name"), || {
                            let name = shown(&program.name.0);
                            format!("expected a name of its own, found {name} again: the first is taken")
                        });
                    }
                    self.owned(index, program, (&mut next, &mut work), at, &path);
                    at = self.program(program, at, &path);
                }
                Record::Damaged(bytes) => {
                    self.records().damaged(bytes, at, &path, "a name and three arrays");
                    at = at.saturating_add(4).saturating_add(bytes.len() as u64);
                }
            }
        }
        let binaries = file.binary_count() as u64;
        if next < binaries && !file.is_by_program() {
            let place = (file.binaries_at().saturating_add(4), 4);
            self.found.warning("sharcfb-nx.unused", place, "binaries.count", || {
                format!("expected every binary to belong to a program, found {binaries} where programs end at {next}")
            });
        }
    }

    /// The binaries of a program: in order behind those of the program before, of the right stages.
    fn owned(
        &mut self,
        index: usize,
        program: &Program,
        (next, work): (&mut u64, &mut usize),
        at: u64,
        path: &str,
    ) {
        let (stages_at, base_at) = ((at.saturating_add(8), 4), (at.saturating_add(12), 4));
        if program.stages == 0 || program.stages > 15 {
            self.found.error("sharcfb-nx.stages", stages_at, &inside(path, "stages"), || {
                let stages = program.stages;
                format!(
                    "expected bits for vertex (1), pixel (2), geometry (4) or compute (8), found {stages:#x}"
                )
            });
        }
        let binaries = self.file.binary_count() as u64;
        if self.file.is_by_program() {
            if index as u64 >= binaries {
                self.found.error("sharcfb-nx.base", base_at, path, || {
                    format!("expected a binary of the program's number {index}, found {binaries} binaries")
                });
            }
            return;
        }
        if program.base == NO_BINARIES {
            return;
        }
        let base = u64::from(program.base);
        let per = u64::from(program.binaries_per_variation());
        let path = inside(path, "first_binary");
        let end = program.variation_count().and_then(|count| count.checked_mul(per)?.checked_add(base));
        let Some(end) = end.filter(|&end| end <= binaries) else {
            return self.found.error("sharcfb-nx.base", base_at, &path, || {
                let count = program.variation_count().map_or("too many".to_owned(), |count| count.to_string());
                format!("expected {per} binaries for each of {count} variations, found {binaries} binaries and the first at {base}")
            });
        };
        if base != *next {
            self.found.warning("sharcfb-nx.order", base_at, &path, || {
                format!("expected {next}, behind the binaries of the program before, found {base}")
            });
        }
        *next = (*next).max(end);
        for (index, number) in (base..end).enumerate() {
            let Some(left) = work.checked_sub(1) else { return };
            *work = left;
            let place = (index as u64).checked_rem(per).unwrap_or(0);
            let stage = if per == 1 { 3 } else { place };
            let record = usize::try_from(number).ok().and_then(|number| self.file.binary(number));
            if let Some(record) = record.filter(|record| u64::from(record.stage) != stage) {
                self.found.error("sharcfb-nx.stage-type", base_at, &path, || {
                    format!("expected stage {stage} of binary {number}, found {}", record.stage)
                });
            }
        }
    }

    /// A program at `at`; returns where it ends.
    fn program(&mut self, program: &Program, at: u64, path: &str) -> u64 {
        let mut at = at.saturating_add(raw::PROGRAM as u64);
        self.records().string(&program.name, at, &inside(path, "name"));
        at = at.saturating_add(program.name.0.len() as u64);
        at = self.records().macros(&program.macros, false, at, &inside(path, "macros"));
        if program.defaults.items.is_empty() && !program.macros.items.is_empty() {
            self.found.note("sharcfb-nx.defaults", (at, 8), &inside(path, "defaults"), || {
                let count = program.macros.items.len();
                format!("expected a default for each of {count} macros, found none, as known writers leave them out")
            });
        } else {
            self.records().defaults(&program.macros, &program.defaults, at, path);
        }
        at = self.records().macros(&program.defaults, true, at, &inside(path, "defaults"));
        at = self.records().blocks(&program.blocks, at, &inside(path, "blocks"));
        self.records().tail(&program.tail, at, path, "the blocks")
    }
}
