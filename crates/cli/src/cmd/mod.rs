//! One file per command.

mod add;
mod asm;
mod build;
mod cfg;
mod change;
mod check;
mod compile;
mod debug;
mod decompile;
mod demo;
mod diff;
mod disasm;
mod edit;
mod extract;
mod info;
mod link;
mod ls;
mod options;
mod patch;
mod pick;
mod remove;
mod replace;
mod report;
mod roundtrip;
mod run;
mod scan;
mod serve;
mod shell;
mod show;
mod similar;
mod stats;
mod verify;
mod which;

use crate::{
    args::{Cli, Command},
    output::Outcome,
};

/// Runs the command that was asked for.
pub fn run(cli: &Cli) -> Outcome {
    let json = cli.global.json;
    match &cli.command {
        Command::Info(files) => info::run(files, json),
        Command::Ls(files) => ls::run(files, json),
        Command::Show(arguments) => show::run(arguments, json),
        Command::Check(arguments) => check::run(arguments, json),
        Command::Roundtrip(files) => roundtrip::run(files, json),
        Command::Disasm(arguments) => disasm::run(arguments, json),
        Command::Asm(arguments) => asm::run(arguments, json),
        Command::Compile(arguments) => compile::run(arguments, json),
        Command::Decompile(arguments) => decompile::run(arguments, json),
        Command::Cfg(arguments) => cfg::run(arguments, json),
        Command::Run(arguments) => run::run(arguments, json),
        Command::Debug(arguments) => debug::run(arguments, json),

        Command::Stats(arguments) => stats::run(arguments, json),
        Command::Options(files) => options::run(files, json),
        Command::Pick(arguments) => pick::run(arguments, json),
        Command::Extract(arguments) => extract::run(arguments, json),
        Command::Build(arguments) => build::run(arguments, json),
        Command::Edit(arguments) => edit::run(arguments, json),
        Command::Replace(arguments) => replace::run(arguments, json),
        Command::Add(arguments) => add::run(arguments, json),
        Command::Remove(arguments) => remove::run(arguments, json),
        Command::Link(arguments) => link::run(arguments, json),
        Command::Diff(arguments) => diff::run(arguments, json),
        Command::Patch(what) => patch::run(what, json),

        Command::Verify(arguments) => verify::run(arguments, json),
        Command::Scan(arguments) => scan::run(arguments, json),
        Command::Report(arguments) => report::run(arguments, json),
        Command::Similar(arguments) => similar::run(arguments, json),
        Command::Which(arguments) => which::run(arguments, json),
        Command::Serve(arguments) => serve::run(arguments, json),
        Command::Demo => demo::run(json),
        Command::Man { command } => shell::man(command.as_deref()),
        Command::Completions { shell } => shell::completions(*shell),
    }
}
