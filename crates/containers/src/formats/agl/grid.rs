//! The variations of a program as a grid: an axis for each macro, a step for each of its values. A value can only come
//! or go with all variations that have it.

use super::model::{Array, Macro, Record};
use super::variation::MacroList;
use crate::shared::Strings;
use crate::shared::opaque::escape;
use crate::shared::programs::{NewProgram, missing, unfit, wrong};
use std::cmp::Ordering;
use unshade_bytes::{Limits, Result};

/// Variations that a program may have. Each has two shaders, whose structures alone have more than 128 bytes together,
/// so that a file within its limit has fewer.
pub(crate) const VARIATIONS: u64 = Limits::DEFAULT.bytes / 128;

/// How many values each macro has, the most significant first.
pub(crate) struct Grid(pub Vec<u64>);

impl Grid {
    /// The grid of a program of which every macro is understood.
    pub(crate) fn of(macros: &Array<Record<Macro>>, title: &str) -> Result<Self> {
        let count = |record: &Record<Macro>| match record.known() {
            Some(of) if of.count.is_none() && of.values.terminated() == of.values.0.len() => {
                Ok(of.values.iter().count() as u64)
            }
            _ => Err(unfit(title, "macros with the values that they say they have", "another")),
        };
        Ok(Self(macros.items.iter().map(count).collect::<Result<_>>()?))
    }

    /// How many variations there are.
    pub(crate) fn len(&self) -> Option<u64> {
        self.0.iter().try_fold(1_u64, |product, count| product.checked_mul(*count))
    }

    /// By how much a variation's number grows with the value on an axis.
    pub(crate) fn stride(&self, axis: usize) -> u64 {
        self.0.iter().skip(axis.saturating_add(1)).fold(1, |product, count| product.saturating_mul(*count))
    }

    /// The value of a variation on an axis.
    pub(crate) fn value(&self, axis: usize, variation: u64) -> u64 {
        let count = self.0.get(axis).copied().unwrap_or(1);
        variation.checked_div(self.stride(axis)).and_then(|step| step.checked_rem(count)).unwrap_or(0)
    }

    /// The variations with that value on an axis.
    pub(crate) fn plane(&self, axis: usize, value: u64) -> impl Iterator<Item = u64> {
        (0..self.len().unwrap_or(0)).filter(move |&variation| self.value(axis, variation) == value)
    }
}

/// A value that is taken out, with all variations that have it.
pub(crate) struct Leaving {
    pub grid: Grid,
    pub axis: usize,
    pub value: u64,
    /// Macro and value, as they are named to add the value again.
    pub named: (String, String),
    /// The variations that go.
    pub variations: Vec<u64>,
}

impl Leaving {
    /// Of the program of that unique name: `MACRO=VALUE`, or the number of a variation that is the only one with a value.
    pub(crate) fn of(
        (macros, list): (&Array<Record<Macro>>, &MacroList<'_>),
        title: &str,
        (name, which): (&str, &str),
    ) -> Result<Self> {
        let item = format!("{name}/{which}");
        let grid = Grid::of(macros, title)?;
        let (axis, value) = match which.split_once('=') {
            Some((of, value)) => {
                let axis = axis(list, of).ok_or_else(|| missing(&item))?;
                let found = macros.items.get(axis).and_then(|record| {
                    record.known()?.values.iter().position(|(_, known)| known == value.as_bytes())
                });
                (axis, found.ok_or_else(|| missing(&item))? as u64)
            }
            None => lone(list, &grid, name, which)?,
        };
        let Some(Record::Known(of)) = macros.items.get(axis) else { return Err(missing(&item)) };
        let text = of.values.iter().nth(value as usize).map(|(_, text)| text.to_vec());
        let text = text.ok_or_else(|| missing(&item))?;
        if grid.0.get(axis).is_none_or(|count| *count < 2) {
            let expected = format!("a macro with other values (or `{name}` as a whole)");
            return Err(unfit(&item, expected, "the last one"));
        }
        if list.macros.get(axis).and_then(|list| list.default) == Some(&text) {
            return Err(unfit(&item, "a value that is not the default one", "the default"));
        }
        if grid.len().is_none_or(|len| len > VARIATIONS) {
            return Err(unfit(&item, "variations that fit a file", "more"));
        }
        let named = (of.name_text(), escape_free(&text, &item)?);
        let variations = grid.plane(axis, value).collect();
        Ok(Self { grid, axis, value, named, variations })
    }
}

/// A value that comes in, with all variations that it makes.
pub(crate) struct Coming {
    pub axis: usize,
    pub text: Vec<u8>,
    /// Its place among the values of its macro.
    pub value: u64,
    /// The grid with it.
    pub wider: Grid,
    /// How many values the macro had.
    pub count: u64,
    /// Values on the other axes.
    chosen: Vec<(usize, u64)>,
    /// The value whose variations the new ones are copies of.
    source: u64,
}

impl Coming {
    /// What is to be added to a program.
    pub(crate) fn of(
        (macros, list): (&Array<Record<Macro>>, &MacroList<'_>),
        title: &str,
        what: &NewProgram,
    ) -> Result<Self> {
        if let Some(name) = &what.name {
            return Err(wrong("name", "no name: variations have none", format!("`{name}`")));
        }
        let grid = Grid::of(macros, title)?;
        let New { axis, text, chosen } = New::of(list, &what.values)?;
        let count = grid.0.get(axis).copied().unwrap_or(0);
        let value = what.place(usize::try_from(count).unwrap_or(usize::MAX))? as u64;
        let mut wider = grid;
        if let Some(place) = wider.0.get_mut(axis) {
            *place = place.saturating_add(1);
        }
        Ok(Self { axis, text, value, wider, count, chosen, source: source(list, axis) })
    }

    /// Stages of all new variations, of which each has `per`. Refuses another number of given ones than these, those of one
    /// variation, or none; a program without binaries takes none.
    pub(crate) fn stages(&self, into: &str, given: usize, per: usize, has_binaries: bool) -> Result<usize> {
        let new = self.wider.stride(self.axis).saturating_mul(self.wider.0.iter().take(self.axis).product());
        let whole = (new as usize).saturating_mul(per);
        if given != 0 && (!has_binaries || (given != per && given != whole)) {
            let expected = match has_binaries {
                true => format!("no stages, {per} of one variation, or {whole} of all {new} new ones"),
                false => "no stages, as the program has none".to_owned(),
            };
            return Err(wrong(into, expected, given.to_string()));
        }
        Ok(whole)
    }

    /// The new variations. Only of a grid whose length was looked at.
    pub(crate) fn variations(&self) -> Vec<u64> {
        self.wider.plane(self.axis, self.value).collect()
    }

    /// Which variation of the grid before it was: for a new one, that with the default value in its place.
    pub(crate) fn before(&self, variation: u64) -> u64 {
        let step = self.wider.value(self.axis, variation);
        let step = match step.cmp(&self.value) {
            Ordering::Less => step,
            Ordering::Equal => self.source,
            Ordering::Greater => step.saturating_sub(1),
        };
        let stride = self.wider.stride(self.axis);
        let low = variation.checked_rem(stride).unwrap_or(0);
        let high = variation.checked_div(stride).unwrap_or(0);
        let high = high.checked_div(self.count.saturating_add(1)).unwrap_or(0);
        high.saturating_mul(self.count).saturating_add(step).saturating_mul(stride).saturating_add(low)
    }

    /// Whether that is the new variation which the given values name.
    pub(crate) fn is_named(&self, variation: u64) -> bool {
        self.chosen.iter().all(|(axis, wanted)| self.wider.value(*axis, variation) == *wanted)
    }
}

/// A value that a macro has not yet.
struct New {
    axis: usize,
    text: Vec<u8>,
    /// Values on the other axes.
    chosen: Vec<(usize, u64)>,
}

impl New {
    fn of(list: &MacroList<'_>, values: &[(String, String)]) -> Result<Self> {
        let mut new = None;
        let mut chosen = Vec::new();
        for (name, value) in values {
            let axis = axis(list, name);
            let known = axis.and_then(|axis| Some((axis, list.macros.get(axis)?)));
            let Some((axis, of)) = known else {
                let names: Vec<String> = list.macros.iter().map(|of| escape(of.name)).collect();
                return Err(wrong(name, format!("one of the macros {}", names.join(", ")), "another"));
            };
            match of.values.iter().position(|known| *known == value.as_bytes()) {
                Some(at) => chosen.push((axis, at as u64)),
                None if new.is_some() => {
                    return Err(wrong(name, "one value that is new", format!("another one, `{value}`")));
                }
                None => new = Some((axis, value)),
            }
        }
        let Some((axis, value)) = new else {
            return Err(wrong(
                "",
                "a value that its macro has not yet",
                "values that make a known variation",
            ));
        };
        if value.is_empty() {
            return Err(wrong("", "a value of at least one byte: the console passes over others", "none"));
        }
        if value.contains('\0') {
            return Err(wrong("", "a name without NUL", "one inside it"));
        }
        let text = value.as_bytes().to_vec();
        // Where nothing is said of a macro, its default value counts.
        for (other, of) in list.macros.iter().enumerate().filter(|(other, _)| *other != axis) {
            let named = chosen.iter().any(|(axis, _)| *axis == other);
            let at = of.default.and_then(|default| of.values.iter().position(|known| *known == default));
            if !named {
                chosen.push((other, at.unwrap_or(0) as u64));
            }
        }
        Ok(Self { axis, text, chosen })
    }
}

/// The default value of a macro, or its first one.
fn source(list: &MacroList<'_>, axis: usize) -> u64 {
    let of = list.macros.get(axis);
    let at = of.and_then(|of| of.values.iter().position(|known| Some(*known) == of.default));
    at.unwrap_or(0) as u64
}

impl Macro {
    pub(crate) fn name_text(&self) -> String {
        String::from_utf8_lossy(self.name()).into_owned()
    }
}

/// Text that can be said again.
fn escape_free(bytes: &[u8], item: &str) -> Result<String> {
    String::from_utf8(bytes.to_vec()).map_err(|_| unfit(item, "a value in UTF-8", "another"))
}

/// The macro of that name, or with that id where none has the name.
fn axis(list: &MacroList<'_>, name: &str) -> Option<usize> {
    let by_name = list.macros.iter().position(|of| of.name == name.as_bytes());
    by_name.or_else(|| list.macros.iter().position(|of| of.id == name.as_bytes()))
}

/// The value that only that variation has.
fn lone(list: &MacroList<'_>, grid: &Grid, name: &str, number: &str) -> Result<(usize, u64)> {
    let item = format!("{name}/{number}");
    let variation: u64 = number.parse().map_err(|_| missing(&item))?;
    if number != variation.to_string() || grid.len().is_none_or(|len| variation >= len) {
        return Err(missing(&item));
    }
    let several: Vec<usize> = (0..grid.0.len()).filter(|&axis| grid.0.get(axis) != Some(&1)).collect();
    match several.as_slice() {
        [axis] => Ok((*axis, grid.value(*axis, variation))),
        [] => Err(unfit(&item, format!("a program with several variations (or `{name}` as a whole)"), "one")),
        _ => {
            let values = list.values_of(variation).unwrap_or_default();
            let items: Vec<String> = list
                .macros
                .iter()
                .zip(values)
                .filter(|(of, _)| of.values.len() > 1)
                .map(|(of, value)| format!("`{name}/{}={}`", escape(of.name), escape(value)))
                .collect();
            let expected = format!("a value with all of its variations ({})", items.join(", "));
            Err(unfit(&item, expected, "one variation of several with each of its values"))
        }
    }
}

/// Changes the list of values of a macro.
pub(crate) fn edit_values(
    macros: &mut Array<Record<Macro>>,
    axis: usize,
    change: impl FnOnce(&mut Vec<Vec<u8>>),
) {
    if let Some(Record::Known(of)) = macros.items.get_mut(axis) {
        let mut values: Vec<Vec<u8>> = of.values.iter().map(|(_, text)| text.to_vec()).collect();
        change(&mut values);
        of.values = Strings(values.into_iter().flat_map(|text| text.into_iter().chain([0])).collect());
    }
}
