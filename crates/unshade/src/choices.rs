//! Which options or macros the programs of an archive were compiled for.

use crate::archives;
use std::collections::BTreeMap;
use unshade_containers::{
    Format, bfsha,
    bfsha::options::OptionTable,
    detect,
    opaque::escape,
    sharcfb::{Archive, archive::Program},
};

/// What chooses the programs of one archive, as far as that can be told from its bytes. Made once for an archive and asked
/// for each program.
pub enum Choices<'a> {
    /// Nothing: no archive, or a damaged one.
    None,
    /// Options of shading models, by the models' names in items.
    Models(BTreeMap<String, OptionTable>),
    /// Macros of programs, by the programs' names in items.
    Macros(BTreeMap<String, Program<'a>>),
    /// Macros of programs of the Switch with their values, the most significant first.
    Values(BTreeMap<String, Vec<(String, Vec<String>)>>),
}

impl<'a> Choices<'a> {
    /// Those of a container, by its bytes.
    pub fn of(bytes: &'a [u8]) -> Self {
        match detect(bytes) {
            Some(Format::Bfsha) => Self::models(bytes).unwrap_or(Self::None),
            Some(Format::Sharcfb) => Self::macros(bytes).unwrap_or(Self::None),
            Some(Format::SharcfbNx) => Self::values(bytes).unwrap_or(Self::None),
            _ => Self::None,
        }
    }

    fn models(bytes: &[u8]) -> Option<Self> {
        let archive = bfsha::index::Index::open(bytes).ok()?;
        let tables = archive
            .models
            .iter()
            .filter_map(|model| Some((escape(model.name), archive.options(model).ok()?)));
        Some(Self::Models(tables.collect()))
    }

    fn macros(bytes: &'a [u8]) -> Option<Self> {
        let archive = Archive::open(bytes).ok()?;
        Some(Self::Macros(archives::programs(&archive).ok()?.into_iter().collect()))
    }

    fn values(bytes: &[u8]) -> Option<Self> {
        let archive = archives::ShaderArchive::open(bytes)?.ok()?;
        let programs = archive.programs().ok()?.into_iter();
        let values = |(name, program): (String, archives::MacroProgram<'_>)| {
            let list = program.macro_list().ok()?;
            let macros = list.macros.iter();
            let macros =
                macros.map(|list| (escape(list.name), list.values.iter().map(|v| escape(v)).collect()));
            Some((name, macros.collect()))
        };
        Some(Self::Values(programs.filter_map(values).collect()))
    }

    /// The name and value of each option or macro that the program called `item` (`model/12/vertex`) was compiled for, in
    /// the order of the file.
    pub fn of_item(&self, item: &str) -> Vec<(String, String)> {
        self.find(item).unwrap_or_default()
    }

    fn find(&self, item: &str) -> Option<Vec<(String, String)>> {
        let mut parts = item.rsplitn(3, '/');
        let (_kind, number, name) = (parts.next()?, parts.next()?, parts.next()?);
        match self {
            Self::None => None,
            Self::Models(models) => {
                let choices = models.get(name)?.choices(number.parse().ok()?);
                Some(choices.into_iter().map(|(option, choice)| (option.to_owned(), choice)).collect())
            }
            Self::Values(programs) => values_of(programs.get(name)?, number.parse().ok()?),
            Self::Macros(programs) => {
                let list = programs.get(name)?.macro_list().ok()?;
                let values = list.values_of(number.parse().ok()?)?;
                let pairs = list.macros.iter().zip(values);
                Some(pairs.map(|(list, value)| (escape(list.name), escape(value))).collect())
            }
        }
    }
}

/// The value of each macro in a variation.
fn values_of(macros: &[(String, Vec<String>)], variation: u64) -> Option<Vec<(String, String)>> {
    let mut left = variation;
    let mut values = Vec::with_capacity(macros.len());
    for (name, all) in macros.iter().rev() {
        let count = all.len() as u64;
        let digit = usize::try_from(left.checked_rem(count)?).ok()?;
        left /= count;
        values.push((name.clone(), all.get(digit)?.clone()));
    }
    values.reverse();
    (left == 0).then_some(values)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(bytes: &[u8], item: &str) -> String {
        let choices = Choices::of(bytes).of_item(item);
        choices.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn options_and_macros_of_the_samples() {
        let bytes = include_bytes!("../../../samples/options.bfsha");
        assert_ne!(of(bytes, "options/0/vertex"), "");
        assert_eq!(of(bytes, "options/0/vertex"), of(bytes, "options/0/fragment"));
        assert_ne!(of(bytes, "options/0/vertex"), of(bytes, "options/1/vertex"));
        let bytes = include_bytes!("../../../samples/surface.sharcfb");
        assert_ne!(of(bytes, "surface/0/vertex"), of(bytes, "surface/1/vertex"));
        assert_eq!(of(bytes, "nothing/0/vertex"), "");
        assert_eq!(of(bytes, "surface"), "");
        assert_eq!(of(b"DVLB", "0"), "");
    }
}
