//! The programs: which binaries are theirs, their macros, their symbols.

use super::{Check, shown};
use crate::gx2::findings::inside;
use crate::sharcfb::model::{Array, Macro, Program, Record, Symbol, SymbolKind};
use crate::sharcfb::raw::{self, NO_BINARIES};
use std::collections::BTreeSet;

/// Steps of comparing binaries with the stages of programs.
const WORK: usize = 1 << 22;

impl<'m> Check<'m> {
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
                    self.damaged(bytes, at, &path, "a name and six arrays");
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

    /// A program at `at`; returns where it ends.
    fn program(&mut self, program: &'m Program, at: u64, path: &str) -> u64 {
        let mut at = at.saturating_add(raw::PROGRAM as u64);
        self.string(&program.name, at, &inside(path, "name"));
        at = at.saturating_add(program.name.0.len() as u64);
        at = self.macros(&program.macros, false, at, &inside(path, "macros"));
        self.defaults(program, at, path);
        at = self.macros(&program.defaults, true, at, &inside(path, "defaults"));
        let variations = program.variation_count();
        for kind in SymbolKind::ALL {
            at = self.symbols(program.symbols(kind), kind, variations, at, &inside(path, kind.name()));
        }
        if !program.tail.is_empty() {
            let len = program.tail.len() as u64;
            self.found.warning("sharcfb.tail", (at, len), &inside(path, "tail"), || {
                format!("expected the end of the record behind the attributes, found {len} more bytes")
            });
        }
        at.saturating_add(program.tail.len() as u64)
    }

    fn macros(&mut self, array: &'m Array<Record<Macro>>, defaults: bool, at: u64, path: &str) -> u64 {
        self.array(array, path, at);
        let mut at = at.saturating_add(8);
        let mut names = BTreeSet::new();
        for (index, record) in array.items.iter().enumerate() {
            let path = format!("{path}[{index}]");
            let of = match record {
                Record::Known(of) => of,
                Record::Damaged(bytes) => {
                    self.damaged(bytes, at, &path, "name, values and id");
                    at = at.saturating_add(4).saturating_add(bytes.len() as u64);
                    continue;
                }
            };
            let name_at = at.saturating_add(raw::MACRO as u64);
            let values_at = name_at.saturating_add(of.name.0.len() as u64);
            let id_at = values_at.saturating_add(of.values.0.len() as u64);
            self.string(&of.name, name_at, &inside(&path, "name"));
            self.string(&of.id, id_at, &inside(&path, "id"));
            if !names.insert(of.name()) {
                self.found.warning("sharcfb.duplicate", (name_at, 1), &inside(&path, "name"), || {
                    format!(
                        "expected a name of its own, found {} again: the first is taken",
                        shown(of.name())
                    )
                });
            }
            self.values(of, values_at, &inside(&path, "values"));
            if defaults && of.stated_count() != 1 {
                self.found.error(
                    "sharcfb.default",
                    (at.saturating_add(8), 4),
                    &inside(&path, "value_count"),
                    || format!("expected one default value, found {}", of.stated_count()),
                );
            }
            at = id_at.saturating_add(of.id.0.len() as u64);
        }
        at.saturating_add(array.stray.len() as u64)
    }

    fn values(&mut self, of: &Macro, at: u64, path: &str) {
        let place = (at, of.values.0.len() as u64);
        if let Some(count) = of.count {
            self.found.error("sharcfb.values", place, path, || {
                format!("expected {count} strings, found {}", of.values.iter().count())
            });
        }
        if of.values.terminated() != of.values.0.len() {
            self.found.error("sharcfb.string", place, path, || "expected a NUL behind each value".to_owned());
        }
        let mut seen = BTreeSet::new();
        for value in of.values() {
            if value.is_empty() {
                self.found.warning("sharcfb.value-empty", place, path, || {
                    "expected values of at least one byte, found an empty one, which the console passes over".to_owned()
                });
            }
            if !seen.insert(value) {
                self.found.warning("sharcfb.duplicate", place, path, || {
                    format!("expected each value once, found {} again: the first is taken", shown(value))
                });
            }
        }
    }

    /// The defaults name the same macros in the same order, and one of their values each.
    fn defaults(&mut self, program: &Program, at: u64, path: &str) {
        let path = inside(path, "defaults");
        let (macros, defaults) = (&program.macros.items, &program.defaults.items);
        if macros.len() != defaults.len() {
            return self.found.error("sharcfb.default", (at, 8), &path, || {
                format!("expected a default for each of {} macros, found {}", macros.len(), defaults.len())
            });
        }
        for (index, (of, default)) in macros.iter().zip(defaults).enumerate() {
            let (Some(of), Some(default)) = (of.known(), default.known()) else { continue };
            let path = format!("{path}[{index}]");
            if of.name() != default.name() {
                self.found.error("sharcfb.default", (at, 8), &inside(&path, "name"), || {
                    format!(
                        "expected {}, the macro at this place, found {}",
                        shown(of.name()),
                        shown(default.name())
                    )
                });
            } else if let Some(value) = default.values().next()
                && of.values().all(|known| known != value)
            {
                self.found.error("sharcfb.default", (at, 8), &inside(&path, "values"), || {
                    format!("expected one of the values of {}, found {}", shown(of.name()), shown(value))
                });
            }
        }
    }

    fn symbols(
        &mut self,
        array: &'m Array<Record<Symbol>>,
        kind: SymbolKind,
        variations: Option<u64>,
        at: u64,
        path: &str,
    ) -> u64 {
        self.array(array, path, at);
        let mut at = at.saturating_add(8);
        let mut ids = BTreeSet::new();
        for (index, record) in array.items.iter().enumerate() {
            let path = format!("{path}[{index}]");
            let symbol = match record {
                Record::Known(symbol) => symbol,
                Record::Damaged(bytes) => {
                    self.damaged(bytes, at, &path, "names, default value and flags");
                    at = at.saturating_add(4).saturating_add(bytes.len() as u64);
                    continue;
                }
            };
            let name_at = at.saturating_add(raw::SYMBOL as u64);
            let id_at = name_at.saturating_add(symbol.name.0.len() as u64);
            let default_at = id_at.saturating_add(symbol.id.0.len() as u64);
            let flags_at = default_at.saturating_add(symbol.default.len() as u64);
            self.string(&symbol.name, name_at, &inside(&path, "name"));
            self.string(&symbol.id, id_at, &inside(&path, "id"));
            if !ids.insert(raw::text(&symbol.id.0)) {
                self.found.warning("sharcfb.duplicate", (id_at, 1), &inside(&path, "id"), || {
                    format!(
                        "expected an id of its own, found {} again: the first is taken",
                        shown(&symbol.id.0)
                    )
                });
            }
            let stated = (at.saturating_add(0x14), 4);
            if variations.is_some_and(|count| count != symbol.flags.len() as u64) {
                self.found.error("sharcfb.variations", stated, &inside(&path, "variation_count"), || {
                    let count = variations.unwrap_or(0);
                    format!("expected {count}, the variations of the program, found {}", symbol.flags.len())
                });
            }
            if symbol.flags.iter().any(|&flag| flag > 1) {
                let place = (flags_at, symbol.flags.len() as u64);
                self.found.note("sharcfb.flags", place, &inside(&path, "flags"), || {
                    "expected 0 or 1 for each variation, found another number".to_owned()
                });
            }
            let (len, size) = (symbol.default.len(), symbol.offset);
            let fits = match kind {
                SymbolKind::Uniforms => len.is_multiple_of(4),
                SymbolKind::Blocks => len == 0 || i64::from(size) == len as i64,
                SymbolKind::Samplers | SymbolKind::Attributes => len == 0 && size == -1,
            };
            if !fits {
                self.found.warning(
                    "sharcfb.default-size",
                    (default_at, len as u64),
                    &inside(&path, "default"),
                    || match kind {
                        SymbolKind::Uniforms => format!("expected words, found {len} bytes"),
                        SymbolKind::Blocks => {
                            format!("expected {size} bytes, the size of the block, found {len}")
                        }
                        _ => format!("expected no default value and offset -1, found {len} bytes and {size}"),
                    },
                );
            }
            if !symbol.tail.is_empty() {
                let place = (flags_at.saturating_add(symbol.flags.len() as u64), symbol.tail.len() as u64);
                self.found.warning("sharcfb.tail", place, &inside(&path, "tail"), || {
                    format!(
                        "expected the end of the record behind the flags, found {} more bytes",
                        symbol.tail.len()
                    )
                });
            }
            at = flags_at.saturating_add(symbol.flags.len() as u64).saturating_add(symbol.tail.len() as u64);
        }
        at.saturating_add(array.stray.len() as u64)
    }
}
