//! What a program says that its variations use, against the tables of their binaries.

use super::Check;
use crate::formats::agl::check::shown;
use crate::formats::gx2::TableKind;
use crate::formats::sharcfb::model::{Program, Record, SymbolKind};
use crate::formats::sharcfb::raw::{self, NO_BINARIES};
use std::collections::BTreeSet;
use unshade_bytes::Limits;

/// Names and flags that are looked at in one archive. Many programs may claim the same binaries.
const WORK: usize = 1 << 22;

/// In how many variations flag and tables differ, and the first of them.
#[derive(Debug, Clone, Copy, Default)]
struct Differ {
    first: u64,
    count: u64,
}

impl Differ {
    fn add(&mut self, variation: u64) {
        if self.count == 0 {
            self.first = variation;
        }
        self.count = self.count.saturating_add(1);
    }
}

impl Check<'_> {
    /// Compares the flags of the symbols with the tables.
    pub(super) fn usage(&mut self) {
        let file = self.file;
        let mut work = WORK;
        for (index, program) in file.programs() {
            let count = program.variation_count().filter(|_| program.base != NO_BINARIES);
            for kind in SymbolKind::ALL {
                let symbols = &program.symbols(kind).items;
                // What is flagged but not there, and what is there but not flagged.
                let mut tally = vec![[Differ::default(); 2]; symbols.len()];
                for variation in 0..count.unwrap_or(0) {
                    if self.variation(program, variation, kind, &mut tally, &mut work).is_none() {
                        break;
                    }
                }
                for (number, (symbol, [missing, unflagged])) in symbols.iter().zip(tally).enumerate() {
                    let Record::Known(symbol) = symbol else { continue };
                    let place = (self.programs_at.get(index).copied().unwrap_or(0), 4);
                    let path = format!("programs[{index}].{}[{number}].flags", kind.name());
                    let name = || shown(&symbol.name.0);
                    if missing.count > 0 {
                        self.found.warning("sharcfb.usage", place, &path, || {
                            let Differ { first, count } = missing;
                            format!("expected {} in the tables of the variations that use it, found {count} without, the first is {first}", name())
                        });
                    }
                    if unflagged.count > 0 {
                        self.found.warning("sharcfb.usage", place, &path, || {
                            let Differ { first, count } = unflagged;
                            format!("expected no {} in the tables of variations that do not use it, found {count} with it, the first is {first}", name())
                        });
                    }
                }
            }
        }
    }

    /// One variation; `None` where its binaries are not there, or too much was looked at.
    fn variation(
        &self,
        program: &Program,
        variation: u64,
        kind: SymbolKind,
        tally: &mut [[Differ; 2]],
        work: &mut usize,
    ) -> Option<()> {
        let per = u64::from(program.binaries_per_variation());
        let first = variation.checked_mul(per)?.checked_add(program.base.into())?;
        let first = usize::try_from(first).ok()?;
        let items = &self.file.binaries.as_ref()?.items;
        let binaries = items.get(first..first.checked_add(per as usize)?)?;
        let form = self.file.form();
        let table = match kind {
            SymbolKind::Uniforms => TableKind::Uniforms,
            SymbolKind::Blocks => TableKind::Blocks,
            SymbolKind::Samplers => TableKind::Samplers,
            SymbolKind::Attributes => TableKind::Attributes,
        };
        let mut names: BTreeSet<&[u8]> = BTreeSet::new();
        for shader in binaries.iter().filter_map(|record| record.known()?.shader(form)) {
            let entries = shader.entries(table);
            *work = work.checked_sub(entries.len())?;
            names.extend(entries.filter_map(|entry| shader.short_text(entry.word(0))));
        }
        let symbols = &program.symbols(kind).items;
        *work = work.checked_sub(symbols.len().saturating_add(1))?;
        for (symbol, [missing, unflagged]) in symbols.iter().zip(tally) {
            let Record::Known(symbol) = symbol else { continue };
            let flag = usize::try_from(variation).ok().and_then(|at| symbol.flags.get(at));
            let Some(used) = flag.map(|&flag| flag != 0) else { continue };
            let name = raw::text(&symbol.name.0);
            let near = name.get(..Limits::DEFAULT.name).unwrap_or(name);
            match (used, names.contains(near)) {
                (true, false) => missing.add(variation),
                (false, true) => unflagged.add(variation),
                _ => {}
            }
        }
        Some(())
    }
}
