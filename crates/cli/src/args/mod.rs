//! The command line: one definition for parsing, help, man page and completions.

mod catalogs;
mod change;
mod look;
mod programs;

pub use catalogs::{Report, Scan, Similar, Which};
pub use change::{
    Add, Asm, Build, Compile, Destination, Edit, Extract, Link, Patch, PatchApply, PatchMake, Remove,
    Replace, ShadingLanguage, Target, WhichCalls,
};
pub use look::{Bare, Cfg, Check, Deny, Diff, Disasm, Kind, Pick, Picture, Serve, Show, Stats, Syntax};
pub use programs::{
    Debug, Decompile, Execution, Float, Given, Glsl, LayoutOf, Numbering, Run, Surroundings, To, Verify,
};

use clap::{Args, Parser, Subcommand, ValueEnum, builder::Styles};
use std::{
    ffi::{OsStr, OsString},
    path::Path,
};

const AFTER_HELP: &str = "\
FILE is a path, or `-` for standard input; `FILE:INNER` takes a file of an archive (game.szs:Model/x.shbin), or one of \
the containers found inside a blob (an index or an offset such as 0x80); `FILE#ITEM` takes one program. `ls` prints \
both. Yaz0, zstd, SARC and BFRES open by themselves, also inside of each other (game.szs:Layout/inner.szs:x.shbin, \
model.bfres:x.bfsha).

Exit status: 0 done, 1 the file is bad or a check failed, 2 wrong usage; of `pick`: 3 only a program that differs, \
4 none; of `diff`: 1 different, 2 trouble; of `verify --strict-verdict`: 5 nothing differs, but under half could be compared.

Examples:
  unshade info game.shbin
  unshade decompile game.shbin#0
  unshade disasm game.shbin -o game.listing && unshade asm game.listing -o same.shbin
  unshade asm shader.v.pica -o shader.shbin
  unshade verify game.shbin
  unshade ls game.szs
  unshade pick game.szs:shader.sharcfb#toon --set FOG=1 LIGHTS=*
  unshade pick shader.bfsha --material model.bfres:Mt_Body
  unshade ls shader.bfsha.zs --dictionary ZsDic.pack.zs
  unshade scan games/ -o games.parquet && unshade report games.parquet -o games.html";

fn styles() -> Styles {
    use anstyle::{AnsiColor, Style};
    Styles::styled()
        .header(Style::new().bold())
        .usage(Style::new().bold())
        .literal(AnsiColor::Cyan.on_default())
        .placeholder(Style::new().dimmed())
}

/// Opens compiled-shader files of game consoles and mobile GPUs: shows, checks, disassembles and
/// assembles, decompiles, runs and verifies them, and writes them back exactly.
#[derive(Parser)]
#[command(name = "unshade", version, max_term_width = 100, styles = styles(), after_help = AFTER_HELP)]
#[command(subcommand_required = true, arg_required_else_help = true)]
pub struct Cli {
    #[command(flatten)]
    pub global: Global,
    #[command(subcommand)]
    pub command: Command,
}

/// Options that every command takes.
#[derive(Args)]
pub struct Global {
    /// Print one JSON document on standard output (schemas: docs/schema)
    #[arg(long, global = true, help_heading = "Everywhere")]
    pub json: bool,
    /// When to use colour
    #[arg(long, global = true, value_enum, default_value_t = Color::Auto, value_name = "WHEN", help_heading = "Everywhere")]
    pub color: Color,
    /// Dictionary that zstd files were compressed with, or an archive with some (ZsDic.pack.zs); may be given several
    /// times. The id in a file chooses
    #[arg(long, global = true, value_name = "FILE", help_heading = "Everywhere")]
    pub dictionary: Vec<String>,
}

/// When to use colour.
#[derive(Clone, Copy, ValueEnum)]
pub enum Color {
    /// On a terminal, unless NO_COLOR is set
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

impl Color {
    /// Makes it the choice of the whole process.
    pub fn install(self) {
        match self {
            Self::Auto => anstream::ColorChoice::Auto,
            Self::Always => anstream::ColorChoice::Always,
            Self::Never => anstream::ColorChoice::Never,
        }
        .write_global();
    }
}

/// The commands.
#[derive(Subcommand)]
pub enum Command {
    /// One paragraph per file: format, programs, code size, rewrite identical or not
    Info(Files),
    /// A line per program: item, kind, instruction set, code bytes, instructions, hash
    Ls(Files),
    /// The whole structure as a tree with names and values
    Show(Show),
    /// All diagnostics of container and code, most severe first
    Check(Check),
    /// Reads and rebuilds in memory and compares
    Roundtrip(Files),
    /// A listing that `asm` takes back
    Disasm(Disasm),
    /// Assembles a listing, or picasso sources into a SHBIN
    #[command(disable_help_flag = true, disable_version_flag = true, infer_long_args = true)]
    #[command(version = concat!(env!("CARGO_PKG_VERSION"), ", for the language of picasso 2.7"))]
    Asm(Asm),
    /// Compiles vertex programs in GLSL or WGSL into a SHBIN
    Compile(Compile),
    /// Source code: GLSL, WGSL, HLSL, MSL, SPIR-V
    Decompile(Decompile),
    /// The control-flow graph of programs: blocks and the ways between them, to be drawn
    Cfg(Cfg),
    /// Executes a program on the CPU
    Run(Run),
    /// Steps through a run of a program, forwards and backwards
    Debug(Debug),
    /// Proves the decompiled program against the machine's interpreter
    Verify(Verify),
    /// Instruction mix, registers, limits and how close
    Stats(Stats),
    /// Macros of programs or options of shading models: values, defaults, how often each is used
    Options(Files),
    /// Which shaders serve these values of macros or options, or this material
    Pick(Pick),
    /// Unpacks a file to a manifest and one file per part
    Extract(Extract),
    /// Packs an extracted folder again
    Build(Build),
    /// Sets fields by the paths that `show` prints; everything else stays as it is
    Edit(Edit),
    /// Puts code or whole stages in the place of programs; what depends on them follows
    Replace(Replace),
    /// Adds a program or variation: a copy of another, or stages of other files
    Add(Add),
    /// Takes a program or variation out
    Remove(Remove),
    /// What is different between two files: structure, then instructions, then bytes. Exit status 0 same, 1 different,
    /// 2 trouble
    Diff(Diff),
    /// A patch that holds only what one file adds to another: make it, apply it
    #[command(subcommand)]
    Patch(Patch),
    /// Finds every program in folders, archives and images, however deep, and writes a table with a row for each
    Scan(Scan),
    /// Which programs a hash, a line of an emulator's log or a dumped file means
    Which(Which),
    /// Which programs of catalogs look most like one, by their instructions side by side
    Similar(Similar),
    /// A page with charts about catalogs: what there is, where, how often, what looks alike
    Report(Report),
    /// Links a vertex and a fragment program of the Mali family into one file
    Link(Link),
    /// The page in a browser of this machine: looks at files, compares, runs and steps through programs
    Serve(Serve),
    /// The tour on the samples inside this program
    Demo,
    /// Prints the man page (roff), or the page of one command
    #[command(hide = true)]
    Man {
        /// Command whose page to print
        command: Option<String>,
    },
    /// Prints the completion script of a shell
    Completions {
        /// Which shell
        shell: clap_complete::Shell,
    },
}

/// One or more files.
#[derive(Args)]
pub struct Files {
    /// Files: PATH[:INNER][#ITEM], or `-`
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<String>,
}

/// The command line with what picasso's users leave out: under the name `picasso` (a link, or a copy) the program is `asm`.
/// `asm -h` alone asks for help; picasso's -h names a header.
pub fn as_picasso(mut line: Vec<OsString>) -> Vec<OsString> {
    let is_picasso =
        line.first().is_some_and(|name| Path::new(name).file_stem() == Some(OsStr::new("picasso")));
    if is_picasso {
        line.insert(1, "asm".into());
    }
    if let [_, command, option] = line.as_mut_slice()
        && command == "asm"
        && option == "-h"
    {
        *option = "--help".into();
    }
    line
}

#[cfg(test)]
mod tests {
    use super::as_picasso;

    #[test]
    fn under_the_name_of_picasso_it_assembles() {
        let line = |words: &[&str]| as_picasso(words.iter().map(Into::into).collect());
        assert_eq!(line(&["bin/picasso", "-o", "x"]), ["bin/picasso", "asm", "-o", "x"]);
        assert_eq!(line(&["picasso", "-h"]), ["picasso", "asm", "--help"]);
        assert_eq!(line(&["unshade", "asm", "-h", "x.h"]), ["unshade", "asm", "-h", "x.h"]);
        assert_eq!(line(&["unshade", "-h"]), ["unshade", "-h"]);
    }
}
