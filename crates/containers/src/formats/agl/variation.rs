//! Which variation of a program belongs to which values of its macros.
//!
//! Variations are counted like the digits of a number: `v = v * values(macro) + value` over the macros in their
//! order, so that the first one is the most significant.

use super::model::{Array, Macro, Record};
use super::raw;
use crate::shared::opaque::escape;
use unshade_bytes::{Error, ErrorKind, Limits, Result};

/// A macro and the value that is wanted of it.
pub type Given<'s> = (&'s str, &'s str);

/// The macros of a program, each with its name, the name that programs call it by, and its values.
///
/// [`crate::formats::sharcfb::archive::Program::macro_list`] and [`crate::formats::sharcfb::Program::macro_list`] make it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct MacroList<'a> {
    /// In order, most significant first.
    pub macros: Vec<MacroValues<'a>>,
}

/// A macro of a [`MacroList`].
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct MacroValues<'a> {
    /// Name in the shader's source.
    pub name: &'a [u8],
    /// The other name.
    pub id: &'a [u8],
    /// All values.
    pub values: Vec<&'a [u8]>,
    /// The default value, where the program names one.
    pub default: Option<&'a [u8]>,
}

impl<'a> MacroList<'a> {
    /// Macros with their values, and with the defaults that the same macros have in another array; those that were not
    /// understood are not among them.
    pub fn of(macros: &'a Array<Record<Macro>>, defaults: &'a Array<Record<Macro>>) -> Self {
        let defaults: Vec<&Macro> = defaults.items.iter().filter_map(Record::known).collect();
        let macros = macros.items.iter().filter_map(Record::known).enumerate().map(|(index, of)| {
            let named = |other: &&&Macro| other.name() == of.name();
            let default = defaults.get(index).filter(named).or_else(|| defaults.iter().find(named));
            MacroValues {
                name: of.name(),
                id: raw::text(&of.id.0),
                values: of.values().collect(),
                default: default.and_then(|other| other.values().next()),
            }
        });
        Self { macros: macros.collect() }
    }

    /// How many variations there are: the product of the numbers of values; 1 without macros. `None` where that
    /// does not fit.
    pub fn variations(&self) -> Option<u64> {
        self.macros.iter().try_fold(1_u64, |product, list| product.checked_mul(list.values.len() as u64))
    }

    /// The variation of these values. What is not given takes its default value; a macro may be called by either
    /// of its names.
    ///
    /// # Errors
    /// [`ErrorKind::BadValue`] for a macro or a value that is not there, and for a macro without a default that
    /// is not given; the message lists what is there. [`ErrorKind::LimitExceeded`] where there are more
    /// variations than can be counted.
    pub fn variation_of(&self, given: &[Given<'_>]) -> Result<u64> {
        let called = |list: &MacroValues<'_>, name: &str| list.name == name.as_bytes();
        let known_as = |list: &MacroValues<'_>, name: &str| list.id == name.as_bytes();
        // A name goes to the first macro of that name, and only if there is none to one of that other name.
        let find = |name: &str| {
            let by_name = self.macros.iter().position(|list| called(list, name));
            by_name.or_else(|| self.macros.iter().position(|list| known_as(list, name)))
        };
        let mut wanted: Vec<Option<&str>> = vec![None; self.macros.len()];
        for (name, value) in given {
            let index = find(name).ok_or_else(|| self.unknown(name))?;
            if let Some(place) = wanted.get_mut(index) {
                *place = Some(value);
            }
        }
        let mut variation = 0_u64;
        for (list, wanted) in self.macros.iter().zip(wanted) {
            let value = wanted.map(str::as_bytes).or(list.default);
            let digit = value.and_then(|value| list.values.iter().position(|known| *known == value));
            let digit = digit.ok_or_else(|| list.no_value(value))?;
            variation = variation
                .checked_mul(list.values.len() as u64)
                .and_then(|variation| variation.checked_add(digit as u64))
                .ok_or_else(too_many)?;
        }
        Ok(variation)
    }

    /// The value of each macro in a variation, in the order of the macros; `None` for a variation that is not
    /// there.
    pub fn values_of(&self, variation: u64) -> Option<Vec<&'a [u8]>> {
        let mut left = variation;
        let mut values = Vec::with_capacity(self.macros.len());
        for list in self.macros.iter().rev() {
            let count = list.values.len() as u64;
            let digit = left.checked_rem(count)?;
            left = left.checked_div(count)?;
            values.push(*list.values.get(usize::try_from(digit).ok()?)?);
        }
        values.reverse();
        (left == 0).then_some(values)
    }

    fn unknown(&self, name: &str) -> Error {
        let names = self.macros.iter().map(|list| escape(list.name));
        let expected = match self.macros.is_empty() {
            true => "no macro: the program has none".to_owned(),
            false => format!("one of the macros {}", listed(names)),
        };
        Error::new(ErrorKind::BadValue, 0, "", expected, format!("`{name}`")).code("sharcfb.macro")
    }
}

impl MacroValues<'_> {
    fn no_value(&self, value: Option<&[u8]>) -> Error {
        let name = escape(self.name);
        let expected = format!("one of the values {}", listed(self.values.iter().map(|value| escape(value))));
        let found = match value {
            Some(value) => format!("`{}`", escape(value)),
            None => "no value and no default".to_owned(),
        };
        Error::new(ErrorKind::BadValue, 0, name, expected, found).code("sharcfb.macro-value")
    }
}

fn too_many() -> Error {
    let found = "more variations than 64 bits count";
    Error::new(ErrorKind::LimitExceeded, 0, "", "a product of values of 64 bits", found)
        .code("sharcfb.variations")
}

/// Names in a row, the first few hundred bytes of them.
fn listed(names: impl Iterator<Item = String>) -> String {
    let mut text = String::new();
    let mut more = 0_usize;
    for name in names {
        if text.len() > 4 * Limits::DEFAULT.name {
            more = more.saturating_add(1);
            continue;
        }
        let separator = if text.is_empty() { "" } else { ", " };
        text.push_str(&format!("{separator}{name}"));
    }
    if more > 0 {
        text.push_str(&format!(" and {more} more"));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list() -> MacroList<'static> {
        let values =
            |name: &'static str, id: &'static str, values: &[&'static str], default: &'static str| {
                let values = values.iter().map(|value| value.as_bytes()).collect();
                MacroValues {
                    name: name.as_bytes(),
                    id: id.as_bytes(),
                    values,
                    default: Some(default.as_bytes()),
                }
            };
        MacroList {
            macros: vec![
                values("FOG", "fog", &["0", "1"], "1"),
                values("LIGHTS", "n", &["a", "b", "c"], "a"),
            ],
        }
    }

    #[test]
    fn variations_count_like_digits() {
        let list = list();
        assert_eq!(list.variations(), Some(6));
        assert_eq!(list.variation_of(&[("FOG", "1"), ("LIGHTS", "c")]), Ok(5));
        assert_eq!(list.variation_of(&[("fog", "0"), ("n", "b")]), Ok(1));
        assert_eq!(list.variation_of(&[]), Ok(3));
        for variation in 0..6 {
            let values = list.values_of(variation).unwrap();
            let text: Vec<_> = values.iter().map(|value| std::str::from_utf8(value).unwrap()).collect();
            assert_eq!(list.variation_of(&[("FOG", text[0]), ("LIGHTS", text[1])]), Ok(variation));
        }
        assert_eq!((list.values_of(6), MacroList::default().values_of(0)), (None, Some(vec![])));
        assert_eq!(MacroList::default().variation_of(&[]), Ok(0));
    }

    #[test]
    fn errors_say_what_there_is() {
        let error = list().variation_of(&[("SUN", "1")]).unwrap_err();
        assert!(error.to_string().contains("FOG, LIGHTS"), "{error}");
        let error = list().variation_of(&[("LIGHTS", "d")]).unwrap_err();
        assert!(
            error.to_string().starts_with("LIGHTS: expected one of the values a, b, c, found `d`"),
            "{error}"
        );
    }
}
