//! The `unshade` command. Each subcommand is a file in `cmd/`: it parses its arguments, calls the library
//! and prints; whatever it prints, the library computed.

mod args;
mod cmd;
mod defect;
mod destination;
mod input;
mod listing;
mod output;
mod snippet;
mod style;
mod table;

use clap::Parser;
use std::process::ExitCode;

/// Decompiling makes and drops many small lists; the allocator of the system takes a tenth of the time for them.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    defect::told(|| {
        let cli = args::Cli::parse_from(args::as_picasso(std::env::args_os().collect()));
        cli.global.color.install();
        match input::take_dictionaries(&cli.global.dictionary).and_then(|()| cmd::run(&cli)) {
            Ok(status) => status.into(),
            Err(failure) => {
                output::report_failure(&failure);
                failure.exit_code()
            }
        }
    })
}
