//! How much decompiled source is like its original, over the corpora: limits that no change may pass.
//!
//! `tools/likeness` prints the table behind these figures.

use std::collections::BTreeMap;
use unshade_tests::{
    corpus,
    likeness::{
        measure::{self, Row, Summary},
        subjects::{self, DKSH, FEATURES, LATTE, MALI, MAXWELL, PICA},
    },
};

/// What the programs of one table must reach.
struct Limits {
    table: &'static str,
    /// Median of tokens over tokens of the source.
    median: f64,
    /// Their ninetieth percentile.
    ninetieth: f64,
    /// Tokens that a program of fewer than 40 may have more than its source.
    more: i64,
    /// Tokens for each operation, of the programs that have no comparable source.
    density: f64,
    /// Programs with bits read as another kind where their source reads none so.
    casting: usize,
}

const LIMITS: [Limits; 5] = [
    Limits { table: MALI, median: 1.0, ninetieth: 1.21, more: 5, density: 1.25, casting: 0 },
    Limits { table: LATTE, median: 1.06, ninetieth: 1.65, more: 12, density: 2.35, casting: 0 },
    Limits { table: MAXWELL, median: 1.15, ninetieth: 1.55, more: 15, density: 2.8, casting: 0 },
    Limits { table: DKSH, median: 1.22, ninetieth: 1.71, more: 15, density: 3.3, casting: 0 },
    Limits { table: PICA, median: 0.0, ninetieth: 0.0, more: 15, density: 2.23, casting: 0 },
];

/// What is past its limit.
fn past(limits: &Limits, sum: &Summary, rows: &[&Row]) -> Vec<String> {
    let mut found = Vec::new();
    let mut hold = |what: &str, is: f64, limit: f64| {
        if is > limit {
            found.push(format!("{}: {what} {is:.2}, at most {limit:.2}", limits.table));
        }
    };
    hold("median", sum.median, limits.median);
    hold("ninetieth percentile", sum.ninetieth, limits.ninetieth);
    hold("tokens for each operation", sum.density, limits.density);
    hold("programs with bitcasts", sum.casting as f64, limits.casting as f64);
    hold("names of registers", sum.registers as f64, 0.0);
    hold("dispatchers", f64::from(sum.dispatchers), 0.0);
    for row in rows {
        let more = row.original.as_ref().map_or(0, |source| row.made.tokens as i64 - source.tokens as i64);
        if row.is_small() && row.survives() && more > limits.more {
            found.push(format!("{} {}: {more} tokens more than its source", limits.table, row.name));
        }
        if row.all_loops() != row.made.loops {
            found.push(format!(
                "{} {}: {} loops came back as {}",
                limits.table,
                row.name,
                row.all_loops(),
                row.made.loops
            ));
        }
    }
    found
}

#[test]
fn source_is_like_its_original() {
    let Some(shared) = corpus::shared("likeness to the sources") else { return };
    let mut wrong = Vec::new();
    let mut tables: BTreeMap<&str, Vec<Row>> = BTreeMap::new();
    for subject in subjects::subjects(&shared).into_iter().filter(|subject| subject.corpus != FEATURES) {
        match measure::measure(&subject) {
            Ok((row, _)) => tables.entry(row.corpus).or_default().push(row),
            Err(error) => wrong.push(format!("{} {}: {error}", subject.corpus, subject.name)),
        }
    }
    for limits in &LIMITS {
        let rows: Vec<&Row> = tables.get(limits.table).into_iter().flatten().collect();
        assert!(!rows.is_empty(), "no programs in {}", limits.table);
        wrong.extend(past(limits, &measure::summary(rows.iter().copied()), &rows));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Programs of one feature each, some of which are here because they are hard: what their median and the long ones among
/// them reach, how many read bits as another kind where their source does not, and how many have no source form.
#[test]
fn programs_of_one_feature_are_like_their_originals() {
    let Some(shared) = corpus::shared("likeness to the sources of small programs") else { return };
    let subjects = subjects::subjects(&shared).into_iter().filter(|subject| subject.corpus == FEATURES);
    let made: Vec<_> = subjects.map(|subject| measure::measure(&subject)).collect();
    if made.is_empty() {
        return;
    }
    let refused = made.iter().filter(|made| made.is_err()).count();
    let rows: Vec<&Row> = made.iter().flatten().map(|(row, _)| row).collect();
    let mut ratios: Vec<f64> =
        rows.iter().filter(|row| !row.is_small()).filter_map(|row| row.ratio()).collect();
    ratios.sort_by(f64::total_cmp);
    let (median, ninetieth) = (ratios[ratios.len() / 2], ratios[ratios.len() * 9 / 10]);
    let casting = measure::summary(rows.iter().copied()).casting;
    assert!(
        refused <= 6 && median <= 1.08 && ninetieth <= 1.75 && casting <= 8,
        "{refused} refused, median {median:.2}, ninetieth percentile {ninetieth:.2}, {casting} with bitcasts"
    );
}
