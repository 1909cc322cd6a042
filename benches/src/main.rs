//! Every row of the benchmark table that this version has, printed by one program: medians of repeated runs
//! on one core, each with a check of its result. `tools/bench` builds and starts it.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "the table is what this program is for")]

use std::process::ExitCode;
use unshade_benches::{rows, scale};

/// As the command has it.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    // Three modes beside the table: `phases`, `threads`, and `only PROGRAM TIMES`.
    let special = match arguments[..] {
        ["phases"] => Some(rows::decompile_phases()),
        ["threads"] => Some(scale::print_threads()),
        ["only", program, times] => Some(rows::decompile_only(program, times.parse().unwrap_or(1))),
        _ => None,
    };
    if let Some(done) = special {
        return match done {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => {
                eprintln!("{error}");
                ExitCode::FAILURE
            }
        };
    }
    println!("{}", machine());
    let mut status = ExitCode::SUCCESS;
    for (id, row) in rows::ALL {
        let wanted = std::env::args().skip(1).any(|argument| argument == *id) || std::env::args().len() == 1;
        if wanted && let Err(error) = row() {
            eprintln!("{error}");
            status = ExitCode::FAILURE;
        }
    }
    status
}

/// The processor, where the system says.
fn machine() -> String {
    let cpus = std::thread::available_parallelism().map_or(1, usize::from);
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = info.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
    format!(
        "{} ({cpus} cores), unshade {}",
        model.map_or("unknown processor", |(_, name)| name),
        env!("CARGO_PKG_VERSION")
    )
}
