//! `plant FOLDER COUNT`: writes the made-up tree of so many files that scans are tested with, and prints a line of JSON for
//! each program in it: `[file, what stands behind it, item]`. Of damaged files, which lie in `hostile`, nothing is said.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a tool for scripts")]

use std::{path::Path, process::ExitCode};
use unshade_tests::tree::plant;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [folder, count] = arguments.as_slice() else {
        eprintln!("plant FOLDER COUNT");
        return ExitCode::from(2);
    };
    let Ok(count) = count.parse() else {
        eprintln!("{count} is no number of files");
        return ExitCode::from(2);
    };
    match plant(Path::new(folder), count) {
        Ok(planted) => {
            for (file, inner, item) in planted {
                println!("{}", serde_json::json!([file, inner, item]));
            }
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{folder}: {error}");
            ExitCode::FAILURE
        }
    }
}
