//! How much decompiled source is like its original, over the corpora: limits that no change may pass.
//!
//! `tools/likeness` prints the table behind these figures.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

use std::collections::BTreeMap;
use unshade_tests::{
    corpus,
    likeness::{
        measure::{self, Row, Summary},
        subjects::{self, DKSH, LATTE, MALI, MAXWELL, PICA},
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
    /// Names that are those of registers.
    registers: usize,
}

const LIMITS: [Limits; 5] = [
    Limits { table: MALI, median: 1.0, ninetieth: 1.34, more: 24, density: 1.7, casting: 0, registers: 37 },
    Limits {
        table: LATTE,
        median: 1.42,
        ninetieth: 4.9,
        more: 52,
        density: 3.3,
        casting: 21,
        registers: 268,
    },
    Limits {
        table: MAXWELL,
        median: 1.66,
        ninetieth: 2.1,
        more: 15,
        density: 3.3,
        casting: 4,
        registers: 12,
    },
    Limits { table: DKSH, median: 1.53, ninetieth: 3.0, more: 15, density: 4.0, casting: 13, registers: 43 },
    Limits { table: PICA, median: 0.0, ninetieth: 0.0, more: 15, density: 2.25, casting: 1, registers: 94 },
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
    hold("names of registers", sum.registers as f64, limits.registers as f64);
    hold("dispatchers", f64::from(sum.dispatchers), 0.0);
    for row in rows {
        let more = row.original.as_ref().map_or(0, |source| row.made.tokens as i64 - source.tokens as i64);
        if row.is_small() && row.survives() && more > limits.more {
            found.push(format!("{} {}: {more} tokens more than its source", limits.table, row.name));
        }
        if (row.loops as usize) > row.made.loops {
            found.push(format!(
                "{} {}: {} loops of the machine code came back as {}",
                limits.table, row.name, row.loops, row.made.loops
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
    for subject in subjects::subjects(&shared) {
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
