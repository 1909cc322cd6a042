//! Which program of a shading model belongs to a choice of options, and which ones come near where none does.

use super::options::OptionTable;
use std::collections::HashMap;
use std::ops::Range;
use unshade_bytes::{Error, ErrorKind, Result};

/// Programs that come near, at most.
const NEAREST: usize = 8;

/// What is asked for one option.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Wanted {
    /// The choice of that index.
    Choice(u32),
    /// Any choice.
    Any,
}

/// A question: for each option of the table what is wanted. Options that are not named want their default.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Query {
    /// At the place of the option; behind the end nothing is said.
    wanted: Vec<Option<Wanted>>,
}

/// An option whose choice is another one than was asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Difference {
    /// The option.
    pub option: String,
    /// What was asked for.
    pub wanted: String,
    /// What the program was compiled for.
    pub found: String,
}

/// A program that comes near.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Near {
    /// Index of the program.
    pub program: usize,
    /// Options in which it differs.
    pub differences: Vec<Difference>,
}

/// What was found.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Picked {
    /// All programs that fit, ascending.
    pub programs: Vec<usize>,
    /// The program that the console takes where none fits.
    pub fallback: Option<usize>,
    /// Where none fits: programs with the fewest options that differ, these first.
    pub nearest: Vec<Near>,
}

impl Query {
    /// A question about `name=choice` pairs; the choice `*` stands for any.
    ///
    /// # Errors
    /// [`ErrorKind::BadValue`] for an option or a choice that the model does not have; names the ones it has.
    pub fn new<'a>(table: &OptionTable, pairs: impl IntoIterator<Item = (&'a str, &'a str)>) -> Result<Self> {
        let mut query = Self::default();
        for (name, choice) in pairs {
            query.want(table, name, choice)?;
        }
        Ok(query)
    }

    /// Asks for a choice of an option, `*` for any, `<Default Value>` for its default.
    ///
    /// # Errors
    /// As [`Query::new`].
    pub fn want(&mut self, table: &OptionTable, name: &str, choice: &str) -> Result<()> {
        let position = table.options.iter().position(|option| option.name == name);
        let option = position.and_then(|position| table.options.get(position));
        let (Some(position), Some(option)) = (position, option) else {
            let expected = format!("an option of {}", table.model);
            return Err(Error::new(ErrorKind::BadValue, 0, "", expected, format!("`{name}`"))
                .code("bfsha.unknown-option"));
        };
        let wanted = match choice {
            "*" => Wanted::Any,
            "<Default Value>" => Wanted::Choice(option.default),
            _ => match option.choice(choice) {
                Some(index) => Wanted::Choice(index),
                None => {
                    let expected = format!("a choice of {name} ({})", some(&option.choices));
                    return Err(Error::new(ErrorKind::BadValue, 0, name, expected, format!("`{choice}`"))
                        .code("bfsha.unknown-choice"));
                }
            },
        };
        if let Some(place) = self.at(position) {
            *place = Some(wanted);
        }
        Ok(())
    }

    fn at(&mut self, position: usize) -> Option<&mut Option<Wanted>> {
        if self.wanted.len() <= position {
            self.wanted.resize(position.saturating_add(1), None);
        }
        self.wanted.get_mut(position)
    }

    /// Asks for any choice of every option that was not named.
    pub fn open_others(&mut self, table: &OptionTable) {
        for position in 0..table.options.len() {
            if let Some(place) = self.at(position) {
                place.get_or_insert(Wanted::Any);
            }
        }
    }
}

/// The first few of a list of names.
fn some(names: &[String]) -> String {
    const SHOWN: usize = 12;
    let shown = names.iter().take(SHOWN).cloned().collect::<Vec<_>>().join(", ");
    if names.len() > SHOWN { format!("{shown}, ...") } else { shown }
}

/// Looks programs up in a table of keys, for many questions.
#[derive(Debug)]
pub struct Picker<'t> {
    table: &'t OptionTable,
    sorted: bool,
    /// The bits that any key has.
    set: Vec<u32>,
    by_key: HashMap<&'t [u32], Vec<usize>>,
}

impl<'t> Picker<'t> {
    /// Makes ready for questions about a shading model.
    pub fn new(table: &'t OptionTable) -> Self {
        let rows = || (0..table.programs).map(|program| table.key(program));
        let sorted = rows().zip(rows().skip(1)).all(|(a, b)| a < b);
        let mut by_key: HashMap<&[u32], Vec<usize>> = HashMap::new();
        if !sorted {
            for (program, key) in rows().enumerate() {
                by_key.entry(key).or_default().push(program);
            }
        }
        let mut set = vec![0_u32; table.words];
        for row in rows() {
            for (bits, word) in set.iter_mut().zip(row) {
                *bits |= word;
            }
        }
        Self { table, sorted, set, by_key }
    }

    /// The programs that fit a question, or else those that come near.
    pub fn pick(&self, query: &Query) -> Picked {
        let mut key = self.table.default_key();
        let mut mask = vec![0_u32; self.table.words];
        for (position, option) in self.table.options.iter().enumerate() {
            let word = usize::try_from(option.packed.word).unwrap_or(usize::MAX);
            match query.wanted.get(position).and_then(Option::as_ref) {
                Some(Wanted::Any) => {
                    option.packed.set(&mut key, 0);
                    continue;
                }
                Some(Wanted::Choice(choice)) => option.packed.set(&mut key, *choice),
                None => {}
            }
            if let Some(bits) = mask.get_mut(word) {
                *bits |= option.packed.mask;
            }
        }
        let is_open = query.wanted.contains(&Some(Wanted::Any));
        let programs = if is_open { self.masked(&key, &mask) } else { self.exact(&key) };
        let nearest = if programs.is_empty() { self.near(&key, &mask) } else { Vec::new() };
        Picked { programs, fallback: self.table.default_program, nearest }
    }

    fn exact(&self, key: &[u32]) -> Vec<usize> {
        if self.table.words == 0 {
            return (0..self.table.programs).collect();
        }
        if !self.sorted {
            return self.by_key.get(key).cloned().unwrap_or_default();
        }
        let low = self.first(|row| row < key);
        if low < self.table.programs && self.table.key(low) == key { vec![low] } else { Vec::new() }
    }

    /// Where in sorted keys those are that can be wanted: what stands in front of the first open bit is known.
    fn candidates(&self, key: &[u32], mask: &[u32]) -> Range<usize> {
        let all = 0..self.table.programs;
        if !self.sorted {
            return all;
        }
        let (mut least, mut most) = (key.to_vec(), key.to_vec());
        let mut open = false;
        for (((least, most), mask), set) in least.iter_mut().zip(&mut most).zip(mask).zip(&self.set) {
            // Bits that no key has are as good as asked for.
            let asked = *mask | !set;
            let known = match open {
                true => 0,
                // Bits above the highest one that is open.
                false => !(u32::MAX.checked_shr(asked.leading_ones()).unwrap_or(0)),
            };
            open |= asked != u32::MAX;
            *least &= known;
            *most = *most & known | !known;
        }
        let start = self.first(|row| row < &*least);
        let end = self.first(|row| row <= &*most);
        start..end.max(start)
    }

    /// The first program whose key is not `before`, of sorted keys.
    fn first(&self, before: impl Fn(&[u32]) -> bool) -> usize {
        let (mut low, mut high) = (0, self.table.programs);
        while low < high {
            let middle = low.midpoint(high);
            if before(self.table.key(middle)) {
                low = middle.saturating_add(1);
            } else {
                high = middle;
            }
        }
        low
    }

    /// Programs whose keys are the wanted one in the bits of `mask`. Only words with such bits are looked at.
    fn masked(&self, key: &[u32], mask: &[u32]) -> Vec<usize> {
        let wanted: Vec<(usize, u32, u32)> = key
            .iter()
            .zip(mask)
            .enumerate()
            .filter(|(_, (_, mask))| **mask != 0)
            .map(|(word, (key, mask))| (word, *key & *mask, *mask))
            .collect();
        if self.table.words == 0 {
            return (0..self.table.programs).collect();
        }
        let range = self.candidates(key, mask);
        let keys = self.table.keys.chunks_exact(self.table.words).take(self.table.programs);
        let rows = keys.enumerate().take(range.end).skip(range.start);
        rows.filter(|(_, row)| {
            wanted.iter().all(|(word, key, mask)| row.get(*word).is_some_and(|bits| bits & mask == *key))
        })
        .map(|(program, _)| program)
        .collect()
    }

    fn near(&self, key: &[u32], mask: &[u32]) -> Vec<Near> {
        if self.table.words == 0 {
            return Vec::new();
        }
        let mut best: Vec<(usize, usize)> = Vec::new();
        let rows = self.table.keys.chunks_exact(self.table.words).take(self.table.programs).enumerate();
        for (program, row) in rows {
            let limit = best.get(NEAREST.saturating_sub(1)).map_or(usize::MAX, |(count, _)| *count);
            let count = self.distance(key, mask, row, limit);
            if count < limit {
                let at = best.partition_point(|known| *known <= (count, program));
                best.insert(at, (count, program));
                best.truncate(NEAREST);
            }
        }
        let fewest = best.first().map_or(0, |(count, _)| *count);
        best.retain(|(count, _)| *count == fewest);
        best.into_iter().map(|(_, program)| self.differences(key, mask, program)).collect()
    }

    /// How many options differ; stops counting at `limit`.
    fn distance(&self, key: &[u32], mask: &[u32], row: &[u32], limit: usize) -> usize {
        let mut left: Vec<u32> = Vec::new();
        let mut any = false;
        for ((key, mask), row) in key.iter().zip(mask).zip(row) {
            let bits = (key ^ row) & mask;
            any |= bits != 0;
            left.push(bits);
        }
        if !any {
            return 0;
        }
        let mut count = 0_usize;
        for option in &self.table.options {
            let word = usize::try_from(option.packed.word).unwrap_or(usize::MAX);
            if left.get(word).is_some_and(|bits| bits & option.packed.mask != 0) {
                count = count.saturating_add(1);
                if count >= limit {
                    return count;
                }
            }
        }
        count
    }

    fn differences(&self, key: &[u32], mask: &[u32], program: usize) -> Near {
        let row = self.table.key(program);
        let name = |choices: &[String], choice: u32| {
            let known = usize::try_from(choice).ok().and_then(|index| choices.get(index));
            known.cloned().unwrap_or_else(|| format!("#{choice}"))
        };
        let differences = self
            .table
            .options
            .iter()
            .filter(|option| {
                let word = usize::try_from(option.packed.word).unwrap_or(usize::MAX);
                let asked = mask.get(word).is_some_and(|bits| bits & option.packed.mask != 0);
                asked && option.packed.choice(key) != option.packed.choice(row)
            })
            .map(|option| Difference {
                option: option.name.clone(),
                wanted: name(&option.choices, option.packed.choice(key)),
                found: name(&option.choices, option.packed.choice(row)),
            })
            .collect();
        Near { program, differences }
    }
}
