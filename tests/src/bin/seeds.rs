//! `seeds TARGET FOLDER`: writes what a fuzz target starts from, and a dictionary for it beside the folder.
#![allow(clippy::print_stderr, reason = "a program for a terminal")]

use std::path::Path;
use std::process::ExitCode;
use unshade_tests::seeds::{dictionary, seeds};

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [target, folder] = &arguments[..] else {
        eprintln!("usage: seeds TARGET FOLDER");
        return ExitCode::from(2);
    };
    let Some(seeds) = seeds(target) else {
        eprintln!("no seeds are known for {target}");
        return ExitCode::from(2);
    };
    let write = || -> std::io::Result<()> {
        std::fs::create_dir_all(folder)?;
        for (number, seed) in seeds.iter().enumerate() {
            std::fs::write(Path::new(folder).join(format!("seed-{number}")), seed)?;
        }
        std::fs::write(format!("{folder}.dict"), dictionary(&seeds))
    };
    match write() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{folder}: {error}");
            ExitCode::FAILURE
        }
    }
}
