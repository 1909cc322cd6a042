//! Values of macros that come and go, with all variations that have them.

use super::super::model::SharcfbNx;
use super::super::raw::NO_BINARIES;
use super::{fits, loose_stage, stage as loose};
use crate::agl::grid::{Grid, New, VARIATIONS, axis, edit_values, escape_free, lone, source};
use crate::agl::model::Record;
use crate::nvn::Loose;
use crate::programs::{Details, LooseStage, NewProgram, Removed, missing, unfit, wrong};
use unshade_bytes::{Limits, Result};
use unshade_stage::StageId;

impl SharcfbNx {
    /// The binaries of a program, which are nobody else's.
    fn alone(&self, number: usize) -> Result<std::ops::Range<usize>> {
        let program = self.program(number)?;
        let own = self.own(program)?;
        let crossed = self.programs().any(|(other, program)| {
            let claim = self.claim(other, program).filter(|_| other != number);
            claim.is_some_and(|claim| claim.start < own.end && own.start < claim.end)
        });
        match crossed {
            true => Err(unfit(&program.text(), "stages that no other program has", "some that another has")),
            false => Ok(own),
        }
    }

    /// Takes a value of a macro out: `MACRO=VALUE`, or the number of a variation that is the only one with a value.
    pub(super) fn remove_value(&mut self, number: usize, name: &str, which: &str) -> Result<Removed> {
        let item = format!("{name}/{which}");
        let program = self.program(number)?;
        let grid = Grid::of(&program.macros, &program.text())?;
        let list = program.macro_list();
        let (at, value) = match which.split_once('=') {
            Some((of, value)) => {
                let at = axis(&list, of).ok_or_else(|| missing(&item))?;
                let found = program.macros.items.get(at).and_then(|record| {
                    record.known()?.values.iter().position(|(_, known)| known == value.as_bytes())
                });
                (at, found.ok_or_else(|| missing(&item))? as u64)
            }
            None => lone(&list, &grid, name, which)?,
        };
        let own = self.alone(number)?;
        let Some(Record::Known(of)) = program.macros.items.get(at) else { return Err(missing(&item)) };
        let text = of.values.iter().nth(value as usize).map(|(_, text)| text.to_vec());
        let text = text.ok_or_else(|| missing(&item))?;
        if grid.0.get(at).is_none_or(|count| *count < 2) {
            let expected = format!("a macro with other values (or `{name}` as a whole)");
            return Err(unfit(&item, expected, "the last one"));
        }
        if list.macros.get(at).and_then(|list| list.default) == Some(&text) {
            return Err(unfit(&item, "a value that is not the default one", "the default"));
        }
        if grid.len().is_none_or(|len| len > VARIATIONS) {
            return Err(unfit(&item, "variations that fit a file", "more"));
        }
        let plane: Vec<u64> = grid.plane(at, value).collect();
        let stages = self.stage_names(number, plane.iter().copied())?;
        let per = program.binaries_per_variation() as usize;
        let mut places = Vec::new();
        if !own.is_empty() {
            for variation in &plane {
                let first = (*variation as usize).saturating_mul(per).saturating_add(own.start);
                places.extend(first..first.saturating_add(per));
            }
        }
        let taken: Vec<LooseStage> =
            places.iter().map(|place| self.loose(*place).map(loose_stage)).collect::<Result<_>>()?;
        let values = vec![(of.name_text(), escape_free(&text, &item)?)];
        let gone = self.take_out(&places);
        edit_values(&mut self.program_mut(number)?.macros, at, |values| {
            values.remove(value as usize);
        });
        let again = NewProgram {
            stages: taken,
            values,
            into: Some(name.to_owned()),
            at: Some(value as usize),
            details: Details::SharcfbNxStages(Box::new(gone)),
            ..NewProgram::default()
        };
        Ok(Removed { stages, again })
    }

    /// Adds a value of a macro with all variations that it makes.
    pub(super) fn add_value(
        &mut self,
        into: &str,
        what: &NewProgram,
        stages: &[&Loose],
    ) -> Result<Vec<StageId>> {
        let number = self.number_of(into).ok_or_else(|| missing(into))?;
        if let Some(name) = &what.name {
            return Err(wrong("name", "no name: variations have none", format!("`{name}`")));
        }
        let own = self.alone(number)?;
        let program = self.program(number)?;
        let grid = Grid::of(&program.macros, &program.text())?;
        let per = program.binaries_per_variation() as usize;
        let has_binaries = program.base != NO_BINARIES;
        let New { axis: at, text, chosen } = New::of(&program.macro_list(), &what.values)?;
        let count = grid.0.get(at).copied().unwrap_or(0);
        let value = what.place(usize::try_from(count).unwrap_or(usize::MAX))? as u64;
        let mut wider = Grid(grid.0.clone());
        if let Some(place) = wider.0.get_mut(at) {
            *place = place.saturating_add(1);
        }
        let plane = wider.stride(at).saturating_mul(wider.0.iter().take(at).product());
        let whole = (plane as usize).saturating_mul(per);
        let given = stages.len();
        if given != 0 && (!has_binaries || (given != per && given != whole)) {
            let expected = match has_binaries {
                true => format!("no stages, {per} of one variation, or {whole} of all {plane} new ones"),
                false => "no stages, as the program has none".to_owned(),
            };
            return Err(wrong(into, expected, given.to_string()));
        }
        fits(program, stages)?;
        if wider.len().is_none_or(|len| len > VARIATIONS) {
            return Err(unfit(into, "variations that fit a file", "more"));
        }
        if has_binaries && count == 0 && given != whole {
            return Err(unfit(into, "a value whose stages can be copied, or all stages", "neither"));
        }
        let new: Vec<u64> = wider.plane(at, value).collect();
        let place_of = |variation: u64, stage: usize| {
            (variation as usize).saturating_mul(per).saturating_add(stage).saturating_add(own.start)
        };
        let places: Vec<usize> = match has_binaries {
            true => new
                .iter()
                .flat_map(|v| (0..per).map(move |stage| (*v, stage)))
                .map(|(v, s)| place_of(v, s))
                .collect(),
            false => Vec::new(),
        };
        let base = program.base;
        let back = match &what.details {
            Details::SharcfbNxStages(gone)
                if what.at.is_some() && gone.places == places && given == whole =>
            {
                self.put_back(gone)?
            }
            _ => false,
        };
        if !back {
            let program = self.program(number)?;
            // A variation of the old grid: with the default value where the new one stands.
            let source = source(&program.macro_list(), at);
            let old = |variation: u64| {
                let stride = wider.stride(at);
                let low = variation.checked_rem(stride).unwrap_or(0);
                let high = variation.checked_div(stride).unwrap_or(0);
                let high = high.checked_div(count.saturating_add(1)).unwrap_or(0);
                high.saturating_mul(count).saturating_add(source).saturating_mul(stride).saturating_add(low)
            };
            let (mut records, mut bytes) = (Vec::new(), 0_usize);
            for variation in new.iter().filter(|_| has_binaries) {
                for stage in 0..per {
                    let first = (old(*variation) as usize).saturating_mul(per).saturating_add(own.start);
                    let record = self.binary(first.saturating_add(stage)).cloned().or_else(|| {
                        // Of a macro without values there is nothing to copy; all stages are given then.
                        (given == whole).then(super::super::Binary::default)
                    });
                    let record = record.ok_or_else(|| missing(into))?;
                    bytes = bytes.saturating_add(record.data.len());
                    if bytes as u64 > Limits::DEFAULT.bytes {
                        let expected = format!("at most {} bytes of stages", Limits::DEFAULT.bytes);
                        return Err(unfit(into, expected, "more"));
                    }
                    records.push(record);
                }
            }
            if given == whole && has_binaries {
                records = self.made(stages)?;
            }
            self.insert(&places, records)?;
        }
        let program = self.program_mut(number)?;
        program.base = base;
        edit_values(&mut program.macros, at, |values| values.insert(value as usize, text));
        if !back && given == per && given != whole {
            // The variation that the values name.
            let digits = |variation: &&u64| {
                chosen.iter().all(|(axis, wanted)| wider.value(*axis, **variation) == *wanted)
            };
            let named = new.iter().find(digits).copied();
            for (place, given) in what.stages.iter().enumerate() {
                let Some(variation) = named else { continue };
                self.put_at(place_of(variation, place), loose(given)?, &StageId(into.to_owned()))?;
            }
        }
        self.stage_names(number, new.into_iter())
    }
}
