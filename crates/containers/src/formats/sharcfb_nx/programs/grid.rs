//! Values of macros that come and go, with all variations that have them.

use super::super::model::{Binary, SharcfbNx};
use super::super::raw::NO_BINARIES;
use super::{Gone, fits, loose_stage, stage as loose};
use crate::formats::agl::binaries;
use crate::formats::agl::grid::{Coming, Leaving, VARIATIONS, edit_values};
use crate::formats::nvn::Detached;
use crate::shared::programs::{DetachedStage, Details, NewProgram, Removed, missing, unfit};
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
        let program = self.program(number)?;
        let macros = (&program.macros, &program.macro_list());
        let leaving = Leaving::of(macros, &program.text(), (name, which))?;
        let own = self.alone(number)?;
        let stages = self.stage_names(number, leaving.variations.iter().copied())?;
        let per = program.binaries_per_variation() as usize;
        let places = match own.is_empty() {
            true => Vec::new(),
            false => binaries::places(&leaving.variations, per, own.start),
        };
        let taken: Vec<DetachedStage> =
            places.iter().map(|place| self.loose(*place).map(loose_stage)).collect::<Result<_>>()?;
        let gone = self.take_out(&places);
        edit_values(&mut self.program_mut(number)?.macros, leaving.axis, |values| {
            values.remove(leaving.value as usize);
        });
        let again = NewProgram {
            stages: taken,
            values: vec![leaving.named],
            into: Some(name.to_owned()),
            at: Some(leaving.value as usize),
            details: Details::new(gone),
            ..NewProgram::default()
        };
        Ok(Removed { stages, again })
    }

    /// Adds a value of a macro with all variations that it makes.
    pub(super) fn add_value(
        &mut self,
        into: &str,
        what: &NewProgram,
        stages: &[&Detached],
    ) -> Result<Vec<StageId>> {
        let number = self.number_of(into).ok_or_else(|| missing(into))?;
        let program = self.program(number)?;
        let macros = (&program.macros, &program.macro_list());
        let coming = Coming::of(macros, &program.text(), what)?;
        let own = self.alone(number)?;
        let per = program.binaries_per_variation() as usize;
        let (base, has_binaries) = (program.base, program.base != NO_BINARIES);
        let given = stages.len();
        let whole = coming.stages(into, given, per, has_binaries)?;
        fits(program, stages)?;
        if coming.wider.len().is_none_or(|len| len > VARIATIONS) {
            return Err(unfit(into, "variations that fit a file", "more"));
        }
        if has_binaries && coming.count == 0 && given != whole {
            return Err(unfit(into, "a value whose stages can be copied, or all stages", "neither"));
        }
        let new = coming.variations();
        let places = match has_binaries {
            true => binaries::places(&new, per, own.start),
            false => Vec::new(),
        };
        let back = match what.details.get::<Gone>() {
            Some(gone) if what.at.is_some() && gone.places == places && given == whole => {
                self.put_back(gone)?
            }
            _ => false,
        };
        if !back {
            let records = match given == whole {
                true => self.made(stages)?,
                false if has_binaries => self.copies(&coming, &new, (per, own.start), into)?,
                false => Vec::new(),
            };
            self.insert(&places, records)?;
        }
        let program = self.program_mut(number)?;
        program.base = base;
        edit_values(&mut program.macros, coming.axis, |values| {
            values.insert(coming.value as usize, coming.text.clone());
        });
        if !back && given == per && given != whole {
            let named = new.iter().find(|variation| coming.is_named(**variation));
            let places = named.map(|variation| binaries::places(&[*variation], per, own.start));
            for (place, given) in places.iter().flatten().zip(&what.stages) {
                self.put_at(*place, loose(given)?, &StageId(into.to_owned()))?;
            }
        }
        self.stage_names(number, new.into_iter())
    }

    /// The binaries of new variations, as copies of those with the default value.
    fn copies(
        &self,
        coming: &Coming,
        new: &[u64],
        (per, start): (usize, usize),
        into: &str,
    ) -> Result<Vec<Binary>> {
        let before: Vec<u64> = new.iter().map(|variation| coming.before(*variation)).collect();
        let mut bytes = 0_usize;
        let copy = |place: usize| {
            let record = self.binary(place).cloned().ok_or_else(|| missing(into))?;
            bytes = bytes.saturating_add(record.data.len());
            if bytes as u64 > Limits::DEFAULT.bytes {
                let expected = format!("at most {} bytes of stages", Limits::DEFAULT.bytes);
                return Err(unfit(into, expected, "more"));
            }
            Ok(record)
        };
        binaries::places(&before, per, start).into_iter().map(copy).collect()
    }
}
