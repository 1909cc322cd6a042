//! Which variations use which symbols: flags of a program that follow from the tables of its shaders.

use super::super::model::{Program, Record, Sharcfb, SymbolKind};
use super::super::raw;
use crate::formats::gx2::{Flag, TableKind};
use crate::shared::programs::unfit;
use std::collections::BTreeSet;
use unshade_bytes::{Limits, Result};

/// Names and symbols that are looked at for one change. Many programs may claim the same binary.
const WORK: usize = 1 << 22;

/// The names in the tables of a variation, by the kind of their symbols.
type Names = [BTreeSet<Vec<u8>>; 4];

/// What the variations that have a binary found in their tables.
pub(super) struct Usage {
    /// Number of the program, variation, names.
    found: Vec<(usize, u64, Names)>,
}

impl Usage {
    /// Looks at the tables of all variations that have a binary.
    ///
    /// # Errors
    /// [`unshade_bytes::ErrorKind::Unrepresentable`] where that is more than a reasonable archive has.
    pub fn of(file: &Sharcfb, binary: usize) -> Result<Self> {
        let mut work = WORK;
        let mut found = Vec::new();
        for (number, program) in file.programs() {
            if !file.claim(program).is_some_and(|claim| claim.contains(&binary)) {
                continue;
            }
            let index = (binary as u64).saturating_sub(program.base.into());
            let variation = index.checked_div(program.binaries_per_variation().into()).unwrap_or(0);
            found.push((number, variation, names(file, program, variation, &mut work)?));
        }
        Ok(Self { found })
    }

    /// The flags of the first variation that are not what its tables say.
    ///
    /// # Errors
    /// [`unshade_bytes::ErrorKind::OutOfBounds`] for another archive.
    pub fn exceptions(&self, file: &Sharcfb) -> Result<Vec<Flag>> {
        let Some((number, variation, names)) = self.found.first() else { return Ok(Vec::new()) };
        let program = file.program(*number)?;
        let mut flags = Vec::new();
        for (kind, names) in SymbolKind::ALL.into_iter().zip(names) {
            for symbol in program.symbols(kind).items.iter().filter_map(Record::known) {
                let name = near(raw::text(&symbol.name.0));
                let flag = usize::try_from(*variation).ok().and_then(|at| symbol.flags.get(at));
                if let Some(&flag) = flag.filter(|flag| **flag != u8::from(names.contains(name))) {
                    flags.push(Flag { kind, name: name.to_vec(), flag });
                }
            }
        }
        Ok(flags)
    }

    /// Sets the flags of symbols that came or went since: to what the shader brings along, else to what the tables say.
    ///
    /// # Errors
    /// As [`Usage::of`].
    pub fn follow(self, file: &mut Sharcfb, flags: &[Flag]) -> Result<()> {
        let mut work = WORK;
        for (number, variation, before) in self.found {
            let after = names(file, file.program(number)?, variation, &mut work)?;
            let program = file.program_mut(number)?;
            for (kind, (before, after)) in SymbolKind::ALL.into_iter().zip(before.iter().zip(&after)) {
                if before == after {
                    continue;
                }
                for record in &mut program.symbols_mut(kind).items {
                    let Record::Known(symbol) = record else { continue };
                    let name = near(raw::text(&symbol.name.0));
                    let flag = usize::try_from(variation).ok().and_then(|at| symbol.flags.0.get_mut(at));
                    if let Some(flag) = flag
                        && before.contains(name) != after.contains(name)
                    {
                        let own = flags.iter().find(|own| own.kind == kind && own.name == name);
                        *flag = own.map_or_else(|| after.contains(name).into(), |own| own.flag);
                    }
                }
            }
        }
        Ok(())
    }
}

/// As much of a name as is looked at.
fn near(name: &[u8]) -> &[u8] {
    name.get(..Limits::DEFAULT.name).unwrap_or(name)
}

fn names(file: &Sharcfb, program: &Program, variation: u64, work: &mut usize) -> Result<Names> {
    let per = u64::from(program.binaries_per_variation());
    let first = variation.saturating_mul(per).saturating_add(program.base.into());
    let first = usize::try_from(first).unwrap_or(usize::MAX);
    let items = file.binaries.as_ref().and_then(|array| array.items.get(first..));
    let mut names = Names::default();
    let tables = [TableKind::Uniforms, TableKind::Blocks, TableKind::Samplers, TableKind::Attributes];
    for record in items.unwrap_or_default().iter().take(per as usize) {
        let Some(shader) = record.known().and_then(|binary| binary.shader(file.form())) else { continue };
        for (names, table) in names.iter_mut().zip(tables) {
            let entries = shader.entries(table);
            charge(work, entries.len())?;
            names.extend(entries.filter_map(|entry| shader.short_text(entry.word(0)).map(<[u8]>::to_vec)));
        }
    }
    let symbols = SymbolKind::ALL.map(|kind| program.symbols(kind).items.len());
    symbols.into_iter().try_for_each(|count| charge(work, count.saturating_add(1)))?;
    Ok(names)
}

fn charge(work: &mut usize, count: usize) -> Result<()> {
    let left = work.checked_sub(count);
    *work =
        left.ok_or_else(|| unfit("", format!("at most {WORK} names in the programs of one shader"), "more"))?;
    Ok(())
}
