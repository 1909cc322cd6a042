//! The variations of a program as a grid: an axis for each macro, a step for each of its values. A value can only come
//! or go with all variations that have it.

use super::super::model::{Program, Record, Sharcfb, SymbolKind};
use super::super::raw::NO_BINARIES;
use super::{loose_stage, shader};
use crate::formats::agl::binaries;
use crate::formats::agl::grid::{Coming, Grid, Leaving, VARIATIONS, edit_values};
use crate::formats::gx2::Detached;
use crate::shared::Opaque;
use crate::shared::programs::{DetachedStage, Details, NewProgram, Removed, missing, unfit};
use unshade_bytes::{Limits, Result};
use unshade_stage::StageId;

/// The flags of the variations that went with a value, symbol by symbol.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Flags(Vec<Vec<u8>>);

impl Sharcfb {
    /// A program whose binaries are there and nobody else's, with the number of its binaries in front of the first.
    fn alone(&self, number: usize) -> Result<std::ops::Range<usize>> {
        let program = self.program(number)?;
        let own = self.own(program)?;
        let crossed = self.programs().any(|(other, program)| {
            let claim = self.claim(program).filter(|_| other != number);
            claim.is_some_and(|claim| claim.start < own.end && own.start < claim.end)
        });
        match crossed {
            true => Err(unfit(&program.text(), "shaders that no other program has", "some that another has")),
            false => Ok(own),
        }
    }

    /// Takes a value of a macro out: `MACRO=VALUE`, or the number of a variation that is the only one with a value.
    pub(super) fn remove_value(&mut self, number: usize, name: &str, which: &str) -> Result<Removed> {
        let program = self.program(number)?;
        let macros = (&program.macros, &program.macro_list());
        let Leaving { grid, axis, value, named, variations } =
            Leaving::of(macros, &program.text(), (name, which))?;
        let own = self.alone(number)?;
        let stages = self.stage_names(number, variations.iter().copied())?;
        let per = program.binaries_per_variation() as usize;
        let places = match own.is_empty() {
            true => Vec::new(),
            false => binaries::places(&variations, per, own.start),
        };
        let shaders: Vec<DetachedStage> =
            places.iter().map(|place| self.loose(*place).map(loose_stage)).collect::<Result<_>>()?;
        let len = grid.len().unwrap_or(0);
        self.take_out(&places);
        let program = self.program_mut(number)?;
        let mut flags = Vec::new();
        for symbol in symbols(program) {
            let mut gone = Vec::new();
            if symbol.flags.len() as u64 == len {
                let mut kept = Vec::with_capacity(symbol.flags.len());
                for (flag, variation) in symbol.flags.iter().zip(0..) {
                    let list = if grid.value(axis, variation) == value { &mut gone } else { &mut kept };
                    list.push(*flag);
                }
                symbol.flags = Opaque(kept);
            }
            flags.push(gone);
        }
        edit_values(&mut program.macros, axis, |values| {
            values.remove(value as usize);
        });
        Ok(Removed {
            stages,
            again: NewProgram {
                stages: shaders,
                values: vec![named],
                into: Some(name.to_owned()),
                at: Some(value as usize),
                details: Details::new(Flags(flags)),
                ..NewProgram::default()
            },
        })
    }

    /// Adds a value of a macro with all variations that it makes.
    pub(super) fn add_value(
        &mut self,
        into: &str,
        what: &NewProgram,
        shaders: &[&Detached],
    ) -> Result<Vec<StageId>> {
        let number = self.number_of(into).ok_or_else(|| missing(into))?;
        let program = self.program(number)?;
        let macros = (&program.macros, &program.macro_list());
        let coming = Coming::of(macros, &program.text(), what)?;
        let own = self.alone(number)?;
        let old_len = Grid::of(&program.macros, &program.text())?.len().unwrap_or(0);
        let per = program.binaries_per_variation() as usize;
        let has_binaries = program.base != NO_BINARIES;
        let given = shaders.len();
        let whole = coming.stages(into, given, per, has_binaries)?;
        self.fits(program, shaders)?;
        let symbols_len =
            SymbolKind::ALL.iter().map(|kind| program.symbols(*kind).items.len() as u64).sum::<u64>();
        let fits = |len: &u64| *len <= VARIATIONS && len.saturating_mul(symbols_len) <= Limits::DEFAULT.bytes;
        let len = coming.wider.len().filter(fits);
        let len = len.ok_or_else(|| unfit(into, "variations that fit a file", "more"))?;
        if has_binaries && coming.count == 0 && given != whole {
            return Err(unfit(into, "a value whose shaders can be copied, or all shaders", "neither"));
        }
        let new = coming.variations();
        let exact = what.details.get::<Flags>().is_some() && what.at.is_some() && given == whole;
        let (places, sources) = match has_binaries {
            true => {
                let before: Vec<u64> = new.iter().map(|variation| coming.before(*variation)).collect();
                (binaries::places(&new, per, own.start), binaries::places(&before, per, own.start))
            }
            false => Default::default(),
        };
        let (mut records, mut bytes) = (Vec::with_capacity(places.len()), 0_u64);
        for (index, source) in sources.into_iter().enumerate() {
            let record = match shaders.get(index) {
                Some(shader) if exact => Record::Known(shader.to_binary(self.endian, 0)?),
                _ => {
                    let items = self.binaries.as_ref().map(|array| array.items.as_slice());
                    let record = items.and_then(|items| items.get(source));
                    record.cloned().ok_or_else(|| missing(into))?
                }
            };
            bytes = bytes.saturating_add(record.known().map_or(0, super::super::Binary::len));
            if bytes > Limits::DEFAULT.bytes {
                let expected = format!("at most {} bytes of shaders", Limits::DEFAULT.bytes);
                return Err(unfit(into, expected, "more"));
            }
            records.push(record);
        }
        let base = program.base;
        self.insert(&places, records)?;
        let program = self.program_mut(number)?;
        program.base = base;
        let gone = match what.details.get() {
            Some(Flags(flags)) if exact || !has_binaries => flags.as_slice(),
            _ => &[],
        };
        for (index, symbol) in symbols(program).enumerate() {
            if symbol.flags.len() as u64 != old_len {
                continue;
            }
            let mut own = gone.get(index).filter(|own| own.len() == new.len()).map(|own| own.iter().copied());
            let mut flags = Vec::with_capacity(len as usize);
            for variation in 0..len {
                let of_old = symbol.flags.get(coming.before(variation) as usize).copied().unwrap_or(0);
                let is_new = coming.wider.value(coming.axis, variation) == coming.value;
                let flag = own.as_mut().filter(|_| is_new).and_then(Iterator::next);
                flags.push(flag.unwrap_or(of_old));
            }
            symbol.flags = Opaque(flags);
        }
        edit_values(&mut program.macros, coming.axis, |values| {
            values.insert(coming.value as usize, coming.text.clone());
        });
        if !exact {
            // The variation that the values name, or all of them.
            let first: Vec<u64> = match given == whole {
                true => new.clone(),
                false => new.iter().copied().filter(|variation| coming.is_named(*variation)).collect(),
            };
            for (variation, stages) in first.iter().zip(what.stages.chunks(per)) {
                for (stage, loose) in stages.iter().enumerate() {
                    let place = (*variation as usize).saturating_mul(per).saturating_add(stage);
                    self.put_at(place.saturating_add(own.start), shader(loose)?, into)?;
                }
            }
        }
        self.stage_names(number, new.into_iter())
    }
}

/// All symbols of a program that were understood.
fn symbols(program: &mut Program) -> impl Iterator<Item = &mut super::super::Symbol> {
    let Program { uniforms, blocks, samplers, attributes, .. } = program;
    [uniforms, blocks, samplers, attributes].into_iter().flat_map(|array| &mut array.items).filter_map(
        |record| match record {
            Record::Known(symbol) => Some(symbol),
            Record::Damaged(_) => None,
        },
    )
}
