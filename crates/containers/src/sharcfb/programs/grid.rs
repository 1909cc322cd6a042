//! The variations of a program as a grid: an axis for each macro, a step for each of its values. A value can only come
//! or go with all variations that have it.

use super::super::model::{Program, Record, Sharcfb, SymbolKind};
use super::super::raw::NO_BINARIES;
use super::{loose_stage, shader};
use crate::Opaque;
use crate::agl::grid::{Grid, New, VARIATIONS, axis, edit_values, escape_free, lone, source};
use crate::gx2::Loose;
use crate::programs::{Details, LooseStage, NewProgram, Removed, missing, unfit, wrong};
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
        let item = format!("{name}/{which}");
        let program = self.program(number)?;
        let grid = Grid::of(&program.macros, &program.text())?;
        let (axis, value) = match which.split_once('=') {
            Some((of, value)) => {
                let axis = axis(&program.macro_list(), of).ok_or_else(|| missing(&item))?;
                let found = program.macros.items.get(axis).and_then(|record| {
                    record.known()?.values.iter().position(|(_, known)| known == value.as_bytes())
                });
                (axis, found.ok_or_else(|| missing(&item))? as u64)
            }
            None => lone(&program.macro_list(), &grid, name, which)?,
        };
        let own = self.alone(number)?;
        let Some(Record::Known(of)) = program.macros.items.get(axis) else { return Err(missing(&item)) };
        let text = of.values.iter().nth(value as usize).map(|(_, text)| text.to_vec());
        let text = text.ok_or_else(|| missing(&item))?;
        if grid.0.get(axis).is_none_or(|count| *count < 2) {
            return Err(unfit(
                &item,
                format!("a macro with other values (or `{name}` as a whole)"),
                "the last one",
            ));
        }
        let default = program.macro_list().macros.get(axis).and_then(|list| list.default);
        if default == Some(&text) {
            return Err(unfit(&item, "a value that is not the default one", "the default"));
        }
        if grid.len().is_none_or(|len| len > VARIATIONS) {
            return Err(unfit(&item, "variations that fit a file", "more"));
        }
        let plane: Vec<u64> = grid.plane(axis, value).collect();
        let stages = self.stage_names(number, plane.iter().copied())?;
        let per = program.binaries_per_variation() as usize;
        let mut places = Vec::new();
        if !own.is_empty() {
            for variation in &plane {
                let first = (*variation as usize).saturating_mul(per).saturating_add(own.start);
                places.extend(first..first.saturating_add(per));
            }
        }
        let shaders: Vec<LooseStage> =
            places.iter().map(|place| self.loose(*place).map(loose_stage)).collect::<Result<_>>()?;
        let values = vec![(of.name_text(), escape_free(&text, &item)?)];
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
                values,
                into: Some(name.to_owned()),
                at: Some(value as usize),
                details: Details::SharcfbValue(Flags(flags)),
                ..NewProgram::default()
            },
        })
    }

    /// Adds a value of a macro with all variations that it makes.
    pub(super) fn add_value(
        &mut self,
        into: &str,
        what: &NewProgram,
        shaders: &[&Loose],
    ) -> Result<Vec<StageId>> {
        let number = self.number_of(into).ok_or_else(|| missing(into))?;
        if let Some(name) = &what.name {
            return Err(wrong("name", "no name: variations have none", format!("`{name}`")));
        }
        let own = self.alone(number)?;
        let program = self.program(number)?;
        let grid = Grid::of(&program.macros, &program.text())?;
        let per = program.binaries_per_variation() as usize;
        let New { axis, text, chosen } = New::of(&program.macro_list(), &what.values)?;
        let count = grid.0.get(axis).copied().unwrap_or(0);
        let value = what.place(usize::try_from(count).unwrap_or(usize::MAX))? as u64;
        let mut wider = Grid(grid.0.clone());
        if let Some(place) = wider.0.get_mut(axis) {
            *place = place.saturating_add(1);
        }
        let plane = wider.stride(axis).saturating_mul(wider.0.iter().take(axis).product());
        let whole = (plane as usize).saturating_mul(per);
        let has_binaries = program.base != NO_BINARIES;
        let given = shaders.len();
        if given != 0 && (!has_binaries || (given != per && given != whole)) {
            let expected = match has_binaries {
                true => format!("no stages, {per} of one variation, or {whole} of all {plane} new ones"),
                false => "no stages, as the program has none".to_owned(),
            };
            return Err(wrong(into, expected, given.to_string()));
        }
        self.fits(program, shaders)?;
        let symbols_len =
            SymbolKind::ALL.iter().map(|kind| program.symbols(*kind).items.len() as u64).sum::<u64>();
        let fits = |len: &u64| *len <= VARIATIONS && len.saturating_mul(symbols_len) <= Limits::DEFAULT.bytes;
        let len = wider.len().filter(fits);
        let len = len.ok_or_else(|| unfit(into, "variations that fit a file", "more"))?;
        if has_binaries && count == 0 && given != whole {
            return Err(unfit(into, "a value whose shaders can be copied, or all shaders", "neither"));
        }
        // A variation of the old grid: with the default value where the new one stands.
        let source = source(&program.macro_list(), axis);
        let old = |variation: u64| {
            let step = wider.value(axis, variation);
            let step = match step.cmp(&value) {
                std::cmp::Ordering::Less => step,
                std::cmp::Ordering::Equal => source,
                std::cmp::Ordering::Greater => step.saturating_sub(1),
            };
            let stride = wider.stride(axis);
            let low = variation.checked_rem(stride).unwrap_or(0);
            let high =
                variation.checked_div(stride).unwrap_or(0).checked_div(count.saturating_add(1)).unwrap_or(0);
            high.saturating_mul(count).saturating_add(step).saturating_mul(stride).saturating_add(low)
        };
        let new: Vec<u64> = wider.plane(axis, value).collect();
        let exact = matches!(what.details, Details::SharcfbValue(_)) && what.at.is_some() && given == whole;
        let (mut places, mut records, mut bytes) = (Vec::new(), Vec::new(), 0_u64);
        for (index, variation) in new.iter().enumerate().filter(|_| has_binaries) {
            for stage in 0..per {
                places.push(
                    (*variation as usize).saturating_mul(per).saturating_add(stage).saturating_add(own.start),
                );
                let record = match shaders.get(index.saturating_mul(per).saturating_add(stage)) {
                    Some(shader) if exact => Record::Known(shader.to_binary(self.endian, 0)?),
                    _ => {
                        let first = (old(*variation) as usize).saturating_mul(per).saturating_add(own.start);
                        let items = self.binaries.as_ref().map(|array| array.items.as_slice());
                        let record = items.and_then(|items| items.get(first.saturating_add(stage)));
                        record.cloned().ok_or_else(|| missing(into))?
                    }
                };
                bytes = bytes.saturating_add(record.known().map_or(0, super::super::Binary::len));
                if bytes > Limits::DEFAULT.bytes {
                    return Err(unfit(
                        into,
                        format!("at most {} bytes of shaders", Limits::DEFAULT.bytes),
                        "more",
                    ));
                }
                records.push(record);
            }
        }
        let base = program.base;
        self.insert(&places, records)?;
        let program = self.program_mut(number)?;
        program.base = base;
        let old_len = grid.len().unwrap_or(0);
        let gone = match &what.details {
            Details::SharcfbValue(Flags(flags)) if exact || !has_binaries => flags.as_slice(),
            _ => &[],
        };
        for (index, symbol) in symbols(program).enumerate() {
            if symbol.flags.len() as u64 != old_len {
                continue;
            }
            let mut own = gone.get(index).filter(|own| own.len() == new.len()).map(|own| own.iter().copied());
            let mut flags = Vec::with_capacity(len as usize);
            for variation in 0..len {
                let of_old = symbol.flags.get(old(variation) as usize).copied().unwrap_or(0);
                let is_new = wider.value(axis, variation) == value;
                let flag = own.as_mut().filter(|_| is_new).and_then(Iterator::next);
                flags.push(flag.unwrap_or(of_old));
            }
            symbol.flags = Opaque(flags);
        }
        edit_values(&mut program.macros, axis, |values| values.insert(value as usize, text));
        if !exact {
            // The variation that the values name, or all of them.
            let digits = |variation: &&u64| {
                chosen.iter().all(|(axis, wanted)| wider.value(*axis, **variation) == *wanted)
            };
            let first: Vec<u64> = match given == whole {
                true => new.clone(),
                false => new.iter().filter(digits).copied().collect(),
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
