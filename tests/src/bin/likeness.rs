//! `cargo run --release -p unshade-tests --bin likeness [-- [--sources] PART...]`: decompiled programs beside the
//! sources that they were compiled from, in tokens.
//!
//! With words, only programs whose table or name holds one of them; with `--sources` both texts are printed as well.
#![allow(clippy::print_stdout)]

use unshade_tests::{
    corpus,
    likeness::{
        measure::{self, Row},
        subjects::{self, DKSH, LATTE, MALI, MAXWELL, PICA},
    },
};

fn main() {
    let mut parts: Vec<String> = std::env::args().skip(1).collect();
    let before = parts.len();
    parts.retain(|part| part != "--sources");
    let with_sources = parts.len() < before;
    let Some(shared) = corpus::shared("likeness to the sources") else { return };
    let mut rows = Vec::new();
    for subject in subjects::subjects(&shared) {
        let place = format!("{} {}", subject.corpus, subject.name);
        if !parts.is_empty() && !parts.iter().any(|part| place.contains(part.as_str())) {
            continue;
        }
        match measure::measure(&subject) {
            Ok((row, text)) => {
                if with_sources {
                    println!(
                        "{place}\n{}\n----\n{text}\n----",
                        subject.original.as_deref().unwrap_or_default()
                    );
                }
                rows.push(row);
            }
            Err(error) => println!("{place}: {error}"),
        }
    }
    for table in [MALI, LATTE, MAXWELL, DKSH, PICA] {
        print(table, rows.iter().filter(|row| row.corpus == table).collect());
    }
}

fn print(table: &str, rows: Vec<&Row>) {
    if rows.is_empty() {
        return;
    }
    println!("\n{table}");
    println!(
        "  {:<44} {:>6} {:>6} {:>6} {:>5} {:>6} {:>5} {:>9}  ",
        "program", "source", "made", "ratio", "ops", "per op", "loops", "bitcasts"
    );
    for row in &rows {
        let source = row.original.as_ref();
        let tokens = source.map_or_else(String::new, |source| source.tokens.to_string());
        let ratio = row.ratio().map_or_else(String::new, |ratio| format!("{ratio:.2}"));
        let verdict = match (source, row.survives(), row.is_small()) {
            (None, ..) => "",
            (_, false, _) => "loops or functions gone",
            (_, true, true) => "small",
            _ => "",
        };
        let casts = source.map_or(0, |source| source.bitcasts);
        println!(
            "  {:<44} {tokens:>6} {:>6} {ratio:>6} {:>5} {:>6.2} {:>2}/{:<2} {:>4}/{:<4}  {verdict} {}",
            row.name,
            row.made.tokens,
            row.operations,
            row.density(),
            row.made.loops,
            row.all_loops(),
            row.made.bitcasts,
            casts,
            row.registers().join(" ")
        );
    }
    let sum = measure::summary(rows.iter().copied());
    println!(
        "  {} compared: median {:.2}, ninetieth percentile {:.2}; {} small: at most {} tokens more; {} others: {:.2} tokens per operation",
        sum.compared,
        sum.median,
        sum.ninetieth,
        sum.small,
        sum.most_more.max(-9999),
        sum.others,
        sum.density
    );
    println!(
        "  loops {} of {}, dispatchers {}, names of registers {}, bitcasts {} (sources {}), programs with some where the source has none {}",
        sum.loops.1, sum.loops.0, sum.dispatchers, sum.registers, sum.bitcasts.0, sum.bitcasts.1, sum.casting
    );
}
