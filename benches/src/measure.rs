//! Medians of repeated runs, printed as a row.

use std::time::{Duration, Instant};

/// How often each row runs, after one run that does not count.
const RUNS: usize = 9;
/// Environment variable: so many runs of each row and nothing measured, for a program that counts instructions.
const TIMES: &str = "UNSHADE_BENCH_TIMES";

/// A row of the table: what was measured, and what is aimed at.
#[derive(Clone)]
pub struct Row {
    /// `B5`.
    pub id: &'static str,
    /// What was done.
    pub task: String,
    /// `M instr/s`.
    pub unit: &'static str,
    /// Figure to reach; for times (`ms`) to stay under.
    pub target: f64,
    /// Figure beyond which nobody looks further.
    pub stretch: f64,
}

/// Runs `work` repeatedly and prints the row. `work` checks its own result and gives the amount done, in
/// units of `row.unit` without the `/s`; for the unit `ms` the amount is how many repetitions it did.
pub fn row(row: &Row, mut work: impl FnMut() -> Result<f64, String>) -> Result<(), String> {
    if let Ok(times) = std::env::var(TIMES) {
        let times: usize = times.parse().map_err(|_| format!("{TIMES}: expected a number, found {times}"))?;
        return (0..times).try_for_each(|_| work().map(drop));
    }
    let (low, median, high) = figures(row, work)?;
    let reached = |aim: f64| if row.unit == "ms" { median <= aim } else { median >= aim };
    let verdict = match (reached(row.stretch), reached(row.target)) {
        (true, _) => "stretch reached",
        (_, true) => "target reached",
        _ => "below target",
    };
    #[allow(clippy::print_stdout, reason = "the table is what this program is for")]
    {
        println!(
            "{:<4} {:<52} {:>9.2} {:<9} ({:.2} .. {:.2})  target {}, stretch {}: {verdict}",
            row.id, row.task, median, row.unit, low, high, row.target, row.stretch,
        );
    }
    Ok(())
}

/// Measures what another tool does and prints it as a row without an aim.
pub fn peer(row: &Row, work: impl FnMut() -> Result<f64, String>) -> Result<(), String> {
    if std::env::var_os(TIMES).is_some() {
        return Ok(());
    }
    let (low, median, high) = figures(row, work)?;
    #[allow(clippy::print_stdout, reason = "the table is what this program is for")]
    {
        println!("{:<4} {:<52} {median:>9.2} {:<9} ({low:.2} .. {high:.2})", row.id, row.task, row.unit);
    }
    Ok(())
}

/// The least, the median and the greatest figure.
fn figures(row: &Row, mut work: impl FnMut() -> Result<f64, String>) -> Result<(f64, f64, f64), String> {
    let failed = |error: String| format!("{} {}: {error}", row.id, row.task);
    work().map_err(failed)?;
    let mut figures = Vec::with_capacity(RUNS);
    for _ in 0..RUNS {
        let start = Instant::now();
        let amount = work().map_err(failed)?;
        figures.push(figure(row.unit, amount, start.elapsed()));
    }
    figures.sort_by(f64::total_cmp);
    Ok((figures[0], figures[RUNS / 2], figures[RUNS - 1]))
}

fn figure(unit: &str, amount: f64, time: Duration) -> f64 {
    if unit == "ms" { time.as_secs_f64() * 1e3 / amount } else { amount / time.as_secs_f64() }
}

/// An error as the rows tell it.
pub fn text_of(error: impl ToString) -> String {
    error.to_string()
}
