//! `options`: the macros of programs and the options of shading models in shader archives.

use crate::{
    OpenError, UnknownName, WithinError,
    archives::{self, MacroProgram, ShaderArchive},
};
use serde::Serialize;
use unshade_containers::{
    bfsha::{
        index::{Index, IndexedModel},
        options::OptionTable,
    },
    opaque::escape,
    wrap::nest::Source,
};

/// The programs of the archives in one file, with their macros, and the shading models, with their options.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct OptionsReport {
    /// Programs that macros choose variations of, in file order.
    pub programs: Vec<ProgramOptions>,
    /// Shading models whose options choose programs, in file order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub models: Vec<ModelOptions>,
}

/// A shading model and what its programs were compiled for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ModelOptions {
    /// What stands behind `FILE` to name it: `#model`, `:x.bfsha#model`.
    pub item: String,
    /// How many programs it has.
    pub programs: u64,
    /// The program that is taken where none fits.
    pub default_program: Option<u64>,
    /// Its options, static ones first, in file order.
    pub options: Vec<OptionReport>,
}

/// An option of a shading model.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct OptionReport {
    /// Its name.
    pub name: String,
    /// Whether materials say its value; that of the others is said when something is drawn.
    pub is_static: bool,
    /// The choice that is taken where none is given.
    pub default: String,
    /// Its choices, in file order.
    pub choices: Vec<ChoiceReport>,
}

/// A choice of an option.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ChoiceReport {
    /// Its name.
    pub value: String,
    /// How many programs were compiled for it.
    pub programs: u64,
}

/// A program and what it can be compiled for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ProgramOptions {
    /// What stands behind `FILE` to name it: `#toon`, `:shader.sharcfb#toon`.
    pub item: String,
    /// How many variations it has: one for every combination of values.
    pub variations: u64,
    /// How many symbols it has: uniforms, uniform blocks, samplers, attributes.
    pub symbols: u64,
    /// The macros, the most significant digit of a variation's number first.
    pub macros: Vec<MacroReport>,
}

/// A macro.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MacroReport {
    /// Name in the shader's source.
    pub name: String,
    /// The other name that programs call it by.
    pub id: String,
    /// Its values, in their order.
    pub values: Vec<ValueReport>,
    /// The value that it has where nobody says another.
    pub default: Option<String>,
    /// Of how many symbols the use depends on it: two variations that differ in nothing else have different flags.
    pub decides: u64,
}

/// A value of a macro.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ValueReport {
    /// The value.
    pub value: String,
    /// How many symbols are used in at least one variation with it.
    pub symbols: u64,
}

/// The macros of the programs that `names` and `item` choose in a file.
///
/// # Errors
///
/// Where an archive cannot be read or there is none, and where nothing has such a name.
pub fn options<'f>(
    file: impl Into<Source<'f>>,
    names: &[String],
    item: Option<&str>,
) -> Result<OptionsReport, OpenError> {
    let (mut report, mut known) = (Vec::new(), Vec::new());
    let mut models = Vec::new();
    archives::each_archive(file, names, |inner, archive| {
        let failed = |error| WithinError::new(Default::default(), error);
        let place = inner.map(|inner| format!(":{inner}")).unwrap_or_default();
        if let ShaderArchive::Models(archive) = archive {
            for model in &archive.models {
                let name = escape(model.name);
                let place = format!("{place}#{name}");
                if item.is_none_or(|item| item == name) {
                    models.push(of_model(place.clone(), archive, model).map_err(failed)?);
                }
                known.push(place);
            }
        }
        for (name, program) in archive.programs().map_err(failed)? {
            let place = format!("{place}#{name}");
            if item.is_none_or(|item| item == name) {
                report.push(of_program(place.clone(), &program).map_err(failed)?);
            }
            known.push(place);
        }
        Ok(())
    })?;
    match item {
        Some(item) if report.is_empty() && models.is_empty() => {
            Err(UnknownName { wanted: format!("#{item}"), known }.into())
        }
        _ => Ok(OptionsReport { programs: report, models }),
    }
}

fn of_model(
    item: String,
    archive: &Index<'_>,
    model: &IndexedModel<'_>,
) -> unshade_bytes::Result<ModelOptions> {
    let table = archive.options(model)?;
    let mut counts: Vec<Vec<u64>> =
        table.options.iter().map(|option| vec![0; option.choices.len()]).collect();
    for program in 0..table.programs {
        let key = table.key(program);
        for (option, counts) in table.options.iter().zip(&mut counts) {
            let choice = usize::try_from(option.packed.choice(key)).unwrap_or(usize::MAX);
            if let Some(count) = counts.get_mut(choice) {
                *count += 1;
            }
        }
    }
    let options = table.options.iter().zip(counts).map(|(option, counts)| {
        let choices = option.choices.iter().zip(counts);
        OptionReport {
            name: option.name.clone(),
            is_static: option.is_static,
            default: choice_name(&table, &option.name, option.default),
            choices: choices
                .map(|(value, programs)| ChoiceReport { value: value.clone(), programs })
                .collect(),
        }
    });
    Ok(ModelOptions {
        item,
        programs: table.programs as u64,
        default_program: table.default_program.map(|program| program as u64),
        options: options.collect(),
    })
}

/// The name of a choice; its number where it has none.
fn choice_name(table: &OptionTable, option: &str, choice: u32) -> String {
    let choices = table.option(option).map(|option| option.choices.as_slice()).unwrap_or_default();
    let name = usize::try_from(choice).ok().and_then(|index| choices.get(index));
    name.cloned().unwrap_or_else(|| format!("#{choice}"))
}

fn of_program(item: String, program: &MacroProgram<'_>) -> unshade_bytes::Result<ProgramOptions> {
    let list = program.macro_list()?;
    let mut counts: Vec<Counts> = list.macros.iter().map(|list| Counts::new(list.values.len())).collect();
    // From the least significant digit on: how far apart variations are that differ by one in it.
    let mut stride = 1_usize;
    for counts in counts.iter_mut().rev() {
        counts.stride = stride;
        stride = stride.saturating_mul(counts.symbols.len().max(1));
    }
    let mut symbols = 0;
    for flags in program.symbol_flags()? {
        symbols += 1;
        counts.iter_mut().for_each(|counts| counts.take(flags));
    }
    let macros = list.macros.iter().zip(counts).map(|(list, counts)| MacroReport {
        name: escape(list.name),
        id: escape(list.id),
        values: list
            .values
            .iter()
            .zip(counts.symbols)
            .map(|(value, symbols)| ValueReport { value: escape(value), symbols })
            .collect(),
        default: list.default.map(escape),
        decides: counts.decides,
    });
    Ok(ProgramOptions { item, variations: program.variation_count()?, symbols, macros: macros.collect() })
}

/// What the flags of symbols say of a macro.
struct Counts {
    /// How far apart variations are that differ by one in its value.
    stride: usize,
    /// For each value the symbols that are used with it.
    symbols: Vec<u64>,
    decides: u64,
}

impl Counts {
    fn new(values: usize) -> Self {
        Self { stride: 1, symbols: vec![0; values], decides: 0 }
    }

    /// Takes in the flags of a symbol, a byte for each variation.
    fn take(&mut self, flags: &[u8]) {
        let values = self.symbols.len().max(1);
        let mut used = vec![false; values];
        let mut decides = false;
        // Runs of variations that have one value; as many runs as values make a turn, in which nothing else that is
        // more significant changes.
        for turn in flags.chunks(self.stride.saturating_mul(values)) {
            let mut first: Option<&[u8]> = None;
            for (run, used) in turn.chunks(self.stride).zip(&mut used) {
                *used |= run.iter().any(|&flag| flag != 0);
                let differs = |first: &[u8]| first.iter().zip(run).any(|(a, b)| (*a != 0) != (*b != 0));
                decides |= first.is_some_and(differs);
                first.get_or_insert(run);
            }
        }
        self.decides += u64::from(decides);
        self.symbols.iter_mut().zip(used).for_each(|(count, used)| *count += u64::from(used));
    }
}

#[cfg(test)]
mod tests {
    use super::Counts;

    #[test]
    fn flags_tell_what_a_macro_decides() {
        // Two macros of 2 and 3 values; used where the first is 1 and the second is not 2.
        let flags = [0, 0, 0, 1, 1, 0];
        let mut first = Counts { stride: 3, ..Counts::new(2) };
        let mut second = Counts::new(3);
        first.take(&flags);
        second.take(&flags);
        assert_eq!((first.symbols, first.decides), (vec![0, 1], 1));
        assert_eq!((second.symbols, second.decides), (vec![1, 1, 0], 1));
        let mut none = Counts::new(3);
        none.take(&[1, 1, 1, 0, 0, 0]);
        assert_eq!((none.symbols, none.decides), (vec![1, 1, 1], 0));
    }
}
