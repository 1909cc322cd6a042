//! What the rows of catalogs come to.

use super::svg::short;
use crate::{fingerprint::Signature, row::Row};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Names of one kind that are told apart; what comes later is counted together.
const NAMES: usize = 50_000;
/// Characters of a program's options that are kept: those of a large archive have hundreds.
const OPTIONS: usize = 300;
/// Values of an option that are told apart.
const VALUES: usize = 64;
/// What is counted under no name of its own.
pub(super) const OTHERS: &str = "(others)";

/// Instruction sets, in the order in which they are shown.
pub(super) const ISAS: [&str; 5] = ["pica200", "mali-gp", "mali-pp", "latte", "maxwell"];
/// Steps of the pipeline, in its order.
pub(super) const KINDS: [&str; 6] =
    ["vertex", "tess-control", "tess-eval", "geometry", "fragment", "compute"];

/// A distinct program.
#[derive(Debug, Clone)]
pub struct Program {
    /// Its instruction set.
    pub isa: String,
    /// Which step of the pipeline it is for.
    pub kind: String,
    /// Instructions in it.
    pub instructions: u64,
    /// Bytes of its code.
    pub bytes: u64,
    /// How often it occurs.
    pub count: u64,
    /// Where it was seen first.
    pub place: String,
    /// What it was compiled for, there.
    pub options: String,
    /// What it looks like; none where the table does not say.
    pub signature: Option<Signature>,
    /// The same for programs that differ in names of registers and constants only.
    pub normal_hash: String,
}

/// How much there is of something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Amount {
    pub(super) programs: u64,
    pub(super) distinct: u64,
    pub(super) bytes: u64,
}

/// Findings or errors of one kind.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Finding {
    pub(super) count: u64,
    /// `error`, `warning`, `note`.
    pub(super) severity: String,
    /// What was said, and of what, the first time.
    pub(super) message: String,
    pub(super) place: String,
}

/// An option or macro.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Choice {
    /// Programs that were compiled for a value of it.
    pub(super) programs: u64,
    pub(super) values: BTreeSet<String>,
}

/// A format of files.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct FormatCount {
    pub(super) programs: u64,
    pub(super) files: u64,
    pub(super) bytes: u64,
    pub(super) versions: BTreeSet<String>,
}

/// What the rows of catalogs come to.
#[derive(Debug, Default)]
pub struct Tally {
    pub(super) programs: HashMap<String, Program>,
    pub(super) stages: u64,
    pub(super) bytes: u64,
    pub(super) files: u64,
    pub(super) errors: BTreeMap<String, Finding>,
    pub(super) unread: BTreeMap<String, u64>,
    /// By instruction set, then by step of the pipeline.
    pub(super) groups: BTreeMap<String, BTreeMap<String, Amount>>,
    /// By instruction set, then by what was found.
    pub(super) verdicts: BTreeMap<String, BTreeMap<String, u64>>,
    pub(super) findings: BTreeMap<String, Finding>,
    pub(super) formats: BTreeMap<String, FormatCount>,
    pub(super) wrapped: u64,
    /// Bytes of code of each instruction set by file, in the order of the rows.
    pub(super) paths: Vec<(String, BTreeMap<String, u64>)>,
    /// How many distinct programs have each name: of inputs, uniforms, blocks, samplers.
    pub(super) names: [HashMap<String, u64>; 4],
    pub(super) options: HashMap<String, Choice>,
    last_path: String,
    last_container: (String, String),
    /// What the program of the last row is known by; kept for its memory.
    key: String,
}

/// What [`Tally::names`] holds, in order.
pub(super) const NAMED: [&str; 4] = ["inputs", "uniforms", "blocks", "samplers"];

impl Tally {
    /// Takes a row in. Rows of one file come one after the other.
    pub fn row(&mut self, row: Row) {
        match row.record.as_str() {
            "stage" => self.stage(row),
            "unread" => *self.unread.entry(row.format).or_default() += 1,
            _ => {
                let (code, message) = coded(&row.message);
                let place = row.place();
                let error = self.errors.entry(code.to_owned()).or_insert_with(|| Finding {
                    severity: "error".to_owned(),
                    message: message.to_owned(),
                    place,
                    ..Finding::default()
                });
                error.count += 1;
            }
        }
    }

    /// Nothing that comes now belongs to the file of the last row.
    pub fn end_of_catalog(&mut self) {
        self.last_path.clear();
        self.last_container = (String::new(), String::new());
    }

    fn stage(&mut self, row: Row) {
        self.stages += 1;
        self.bytes += row.code_bytes;
        self.wrapped += u64::from(!row.wrappers.is_empty());
        if self.last_path != row.path || self.paths.is_empty() {
            self.files += 1;
            self.last_path.clone_from(&row.path);
            self.paths.push((row.path.clone(), BTreeMap::new()));
        }
        if let Some((_, isas)) = self.paths.last_mut() {
            count(isas, &row.isa, |bytes| *bytes += row.code_bytes);
        }
        let container = (&self.last_container.0, &self.last_container.1) != (&row.path, &row.inner);
        if container {
            self.last_container.0.clone_from(&row.path);
            self.last_container.1.clone_from(&row.inner);
        }
        count(&mut self.formats, &row.format, |format| {
            format.programs += 1;
            format.bytes += row.code_bytes;
            format.files += u64::from(container);
            add_value(&mut format.versions, &row.version);
        });
        count(&mut self.verdicts, &row.isa, |verdicts| {
            count(verdicts, &row.check, |programs| *programs += 1)
        });
        if !row.message.is_empty() {
            let (code, message) = coded(&row.message);
            let finding = self.findings.entry(code.to_owned()).or_insert_with(|| Finding {
                severity: row.check.clone(),
                message: message.to_owned(),
                place: row.place(),
                ..Finding::default()
            });
            finding.count += 1;
        }
        for (name, value) in row.options.split(' ').filter_map(|pair| pair.split_once('=')) {
            if let Some(choice) = slot(&mut self.options, name) {
                choice.programs += 1;
                add_value(&mut choice.values, value);
            }
        }
        // The same words in another step of the pipeline are another program.
        self.key.clear();
        self.key.push_str(&row.code_hash);
        self.key.push_str(&row.kind);
        let known = self.programs.get_mut(&self.key);
        let distinct = known.is_none();
        count(&mut self.groups, &row.isa, |kinds| {
            count(kinds, &row.kind, |amount| {
                amount.programs += 1;
                amount.distinct += u64::from(distinct);
                amount.bytes += if distinct { row.code_bytes } else { 0 };
            });
        });
        if let Some(known) = known {
            known.count += 1;
            return;
        }
        for (names, list) in
            self.names.iter_mut().zip([&row.inputs, &row.uniforms, &row.blocks, &row.samplers])
        {
            for name in list.split(' ').filter(|name| !name.is_empty()) {
                if let Some(count) = slot(names, name) {
                    *count += 1;
                }
            }
        }
        let program = Program {
            place: row.place(),
            isa: row.isa,
            kind: row.kind,
            instructions: row.instructions,
            bytes: row.code_bytes,
            count: 1,
            options: short(&row.options, OPTIONS),
            signature: row.signature.parse().ok(),
            normal_hash: row.normal_hash,
        };
        self.programs.insert(self.key.clone(), program);
    }

    /// Up to `count` distinct programs, those that occur most often first.
    pub fn by_count(&self, count: usize) -> Vec<&Program> {
        self.largest(count, |program| program.count)
    }

    /// Up to `count` distinct programs, the longest first.
    pub fn by_length(&self, count: usize) -> Vec<&Program> {
        self.largest(count, |program| program.instructions)
    }

    /// The distinct programs with the largest first; of equal ones in the order of their places.
    fn largest(&self, count: usize, size: impl Fn(&Program) -> u64) -> Vec<&Program> {
        let order = |one: &&Program, other: &&Program| {
            size(other)
                .cmp(&size(one))
                .then_with(|| one.place.cmp(&other.place))
                .then_with(|| one.kind.cmp(&other.kind))
        };
        let mut all: Vec<&Program> = self.programs.values().collect();
        if count < all.len() {
            all.select_nth_unstable_by(count, order);
            all.truncate(count);
        }
        all.sort_unstable_by(order);
        all
    }

    /// How many distinct programs occur more than once.
    pub(super) fn repeated(&self) -> usize {
        self.programs.values().filter(|program| program.count > 1).count()
    }

    /// The number of instructions that half of all distinct programs do not exceed.
    pub(super) fn middle_length(&self) -> u64 {
        let mut lengths: Vec<u64> = self.programs.values().map(|program| program.instructions).collect();
        let middle = lengths.len() / 2;
        if lengths.is_empty() { 0 } else { *lengths.select_nth_unstable(middle).1 }
    }

    /// Bytes of code of distinct programs.
    pub fn distinct_bytes(&self) -> u64 {
        self.programs.values().map(|program| program.bytes).sum()
    }
}

/// Adds to what is counted under a name, which is nearly always there: then it is not copied.
fn count<T: Default>(map: &mut BTreeMap<String, T>, name: &str, add: impl FnOnce(&mut T)) {
    match map.get_mut(name) {
        Some(amount) => add(amount),
        None => add(map.entry(name.to_owned()).or_default()),
    }
}

/// Takes a value in, where there are few enough to tell it apart.
fn add_value(values: &mut BTreeSet<String>, value: &str) {
    if values.len() < VALUES && !values.contains(value) {
        values.insert(value.to_owned());
    }
}

/// What is counted under a name; `None` where all names that are told apart are taken and there is none for the rest.
fn slot<'m, T: Default>(map: &'m mut HashMap<String, T>, name: &str) -> Option<&'m mut T> {
    let name = if map.len() < NAMES || map.contains_key(name) { name } else { OTHERS };
    if !map.contains_key(name) {
        map.insert(name.to_owned(), T::default());
    }
    map.get_mut(name)
}

/// `[code] text` taken apart.
fn coded(message: &str) -> (&str, &str) {
    let parts = message.strip_prefix('[').and_then(|rest| rest.split_once("] "));
    parts.unwrap_or(("other", message))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(path: &str, hash: &str, kind: &str) -> Row {
        Row {
            record: "stage".to_owned(),
            path: path.to_owned(),
            code_hash: hash.to_owned(),
            kind: kind.to_owned(),
            isa: "latte".to_owned(),
            code_bytes: 100,
            instructions: 10,
            uniforms: "tint world".to_owned(),
            options: "SHADOW=1 LIGHTS=4".to_owned(),
            check: "warning".to_owned(),
            message: "[latte.gap] words that nothing reaches".to_owned(),
            ..Row::default()
        }
    }

    #[test]
    fn rows_are_counted() {
        let mut tally = Tally::default();
        for (path, hash, kind) in
            [("a", "1", "vertex"), ("a", "2", "fragment"), ("b", "1", "vertex"), ("c", "1", "fragment")]
        {
            tally.row(row(path, hash, kind));
        }
        tally.row(Row {
            record: "error".to_owned(),
            path: "d".to_owned(),
            message: "[scan.io] gone".to_owned(),
            ..Row::default()
        });
        assert_eq!((tally.stages, tally.programs.len(), tally.files, tally.bytes), (4, 3, 3, 400));
        assert_eq!(tally.distinct_bytes(), 300);
        assert_eq!(tally.by_count(1)[0].count, 2);
        let vertex = tally.groups["latte"]["vertex"];
        assert_eq!(vertex, Amount { programs: 2, distinct: 1, bytes: 100 });
        assert_eq!(tally.names[1]["tint"], 3);
        assert_eq!(tally.options["LIGHTS"].programs, 4);
        assert_eq!((tally.findings["latte.gap"].count, tally.errors["scan.io"].count), (4, 1));
        assert_eq!(tally.errors["scan.io"].message, "gone");
    }

    #[test]
    fn names_are_bounded() {
        let mut map: HashMap<String, u64> = HashMap::new();
        for number in 0..NAMES + 10 {
            *slot(&mut map, &number.to_string()).unwrap_or(&mut 0) += 1;
        }
        assert_eq!((map.len(), map[OTHERS]), (NAMES + 1, 10));
    }
}
