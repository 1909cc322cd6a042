//! What writes files: changed, packed, assembled, compiled.

use clap::{ArgAction, Args, Subcommand, ValueEnum};

/// Where a container goes.
#[derive(Args)]
pub struct Destination {
    /// File to write
    #[arg(short, long, alias = "out", value_name = "OUT", required_unless_present = "into")]
    pub output: Option<String>,
    /// Put it into this file, PATH[:INNER][#ITEM], and write that: to OUT, or, without -o, in its place. Wrappers
    /// around it are written too
    #[arg(long, value_name = "FILE")]
    pub into: Option<String>,
}

/// Where a changed file goes.
#[derive(Args)]
#[group(required = true, multiple = false)]
pub struct Target {
    /// File to write; the old one stays as it is
    #[arg(short, long, value_name = "OUT")]
    pub output: Option<String>,
    /// Write in the place of the old file, which is kept beside it with .bak behind its name
    #[arg(long)]
    pub in_place: bool,
    /// Write nothing: print which fields and bytes would change
    #[arg(long)]
    pub dry_run: bool,
}

/// Where an edited file goes, or that its names are asked for.
#[derive(Args)]
#[group(required = true, multiple = false)]
pub struct EditTarget {
    /// File to write; the old one stays as it is
    #[arg(short, long, value_name = "OUT")]
    pub output: Option<String>,
    /// Write in the place of the old file, which is kept beside it with .bak behind its name
    #[arg(long)]
    pub in_place: bool,
    /// Write nothing: print which fields and bytes would change
    #[arg(long)]
    pub dry_run: bool,
    /// Change nothing: print what the file has names for, with the values that --set takes
    #[arg(long)]
    pub names: bool,
}

impl EditTarget {
    /// Where the file goes.
    pub fn target(&self) -> Target {
        Target { output: self.output.clone(), in_place: self.in_place, dry_run: self.dry_run }
    }
}

#[derive(Args)]
pub struct Edit {
    /// File, PATH[:INNER...]
    #[arg(value_name = "FILE")]
    pub file: String,
    /// Set a field by a path that `show` prints, or a value by a name that --names prints (uniforms.tint=1,0,0,1).
    /// Several changes are made all or none
    #[arg(
        long,
        value_name = "PATH=VALUE",
        required_unless_present_any = ["rename", "names"],
        conflicts_with = "names"
    )]
    pub set: Vec<String>,
    /// Give something another name: a name that --names prints, and its own name from now on (uniforms.tint=colour)
    #[arg(long, value_name = "NAME=NEW", conflicts_with = "names")]
    pub rename: Vec<String>,
    #[command(flatten)]
    pub target: EditTarget,
}

#[derive(Args)]
pub struct Replace {
    /// File, PATH[:INNER][#ITEM]: a program, or all stages of one
    #[arg(value_name = "FILE#ITEM")]
    pub file: String,
    /// What takes the place: a listing, picasso source, or PATH[:INNER][#ITEM] of a file with programs
    #[arg(value_name = "CODE", required_unless_present = "value")]
    pub code: Option<String>,
    /// CODE is bare code words
    #[arg(long, requires = "code")]
    pub raw: bool,
    /// One instruction: its number in the listing from 0, or its offset in the file (0x...); left out where --expect
    /// stands in one place only
    #[arg(long, value_name = "N", requires = "value")]
    pub instruction: Option<String>,
    /// What stands there, as the listing has it
    #[arg(long, value_name = "TEXT", requires = "value")]
    pub expect: Option<String>,
    /// What shall stand there
    #[arg(long, value_name = "TEXT", requires = "expect", conflicts_with = "code")]
    pub value: Option<String>,
    #[command(flatten)]
    pub fit: Fit,
    #[command(flatten)]
    pub target: Target,
}

#[derive(Args)]
pub struct Fit {
    /// Write even where inputs, outputs or uniforms do not fit to what is around
    #[arg(long)]
    pub allow_mismatch: bool,
}

#[derive(Args)]
pub struct Add {
    /// File, PATH[:INNER][#INTO]; INTO: the shading model or program that it goes into
    #[arg(value_name = "FILE#INTO")]
    pub file: String,
    /// Stages: PATH[:INNER][#ITEM] of files with programs
    #[arg(value_name = "CODE")]
    pub code: Vec<String>,
    /// A program of the same file to copy; stages of CODE take the places of the copied ones
    #[arg(long, value_name = "ITEM")]
    pub from: Option<String>,
    /// Name of the new program
    #[arg(long, value_name = "NAME")]
    pub name: Option<String>,
    /// Value of an option or macro; those that are not given are as in the program to copy
    #[arg(long, value_name = "NAME=VALUE")]
    pub set: Vec<String>,
    #[command(flatten)]
    pub fit: Fit,
    #[command(flatten)]
    pub target: Target,
}

#[derive(Args)]
pub struct Remove {
    /// File and program, PATH[:INNER]#ITEM
    #[arg(value_name = "FILE#ITEM")]
    pub file: String,
    #[command(flatten)]
    pub target: Target,
}

/// What to do with a patch.
#[derive(Subcommand)]
pub enum Patch {
    /// Writes the patch that makes NEW of OLD: places by name and hash, and no bytes of OLD
    Make(PatchMake),
    /// Applies a patch to the file that it was made from, or to one like it: all of it or nothing
    Apply(PatchApply),
}

#[derive(Args)]
pub struct PatchMake {
    /// Old file: PATH[:INNER], or `-`
    #[arg(value_name = "OLD")]
    pub old: String,
    /// New file: PATH[:INNER], or `-`
    #[arg(value_name = "NEW")]
    pub new: String,
    /// Patch to write
    #[arg(short, long, value_name = "OUT")]
    pub output: String,
}

#[derive(Args)]
pub struct PatchApply {
    /// File: PATH[:INNER], or `-`
    #[arg(value_name = "FILE")]
    pub file: String,
    /// Patch
    #[arg(value_name = "PATCH")]
    pub patch: String,
    #[command(flatten)]
    pub target: Target,
}

/// The options are those of picasso as well, so that it can stand in its place.
#[derive(Args)]
pub struct Asm {
    /// Texts: one listing, or picasso sources (.v.pica, .g.pica, .pica, .vsh, .gsh) linked into one SHBIN
    #[arg(required = true, value_name = "TEXT")]
    pub texts: Vec<String>,
    #[command(flatten)]
    pub destination: Destination,
    /// Assemble to raw code words of this instruction set
    #[arg(long, value_name = "NAME")]
    pub isa: Option<String>,
    /// Do not insert padding NOPs
    #[arg(short = 'n', long)]
    pub no_nop: bool,
    /// Write a C header with the uniform registers
    #[arg(short = 'h', long, value_name = "FILE")]
    pub header: Option<String>,
    /// Write a make rule that names the sources
    #[arg(long, value_name = "FILE")]
    pub depfile: Option<String>,
    /// Print help
    #[arg(short = '?', long, action = ArgAction::Help)]
    pub help: Option<bool>,
    /// Print the version
    #[arg(short = 'v', long, action = ArgAction::Version)]
    pub version: Option<bool>,
}

#[derive(Args)]
pub struct Compile {
    /// Vertex programs: GLSL (.glsl, .vert, .vs, .vsh) or WGSL (.wgsl); each becomes an executable of the file
    #[arg(required = true, value_name = "SOURCE")]
    pub sources: Vec<String>,
    /// File to write
    #[arg(short, long = "out", value_name = "OUT", required_unless_present_any = ["into", "places"])]
    pub out: Option<String>,
    /// Put it into this file, PATH[:INNER], and write that: to OUT, or, without -o, in its place. Wrappers around it are
    /// written too
    #[arg(long, value_name = "FILE")]
    pub into: Option<String>,
    /// The vertex program of a WGSL source that has several
    #[arg(long, value_name = "NAME")]
    pub entry: Option<String>,
    /// Define a macro for GLSL sources; without =VALUE it is 1
    #[arg(short = 'D', value_name = "NAME=VALUE")]
    pub defines: Vec<String>,
    /// Folder in which `#include` looks, behind that of the file
    #[arg(short = 'I', value_name = "DIR")]
    pub folders: Vec<String>,
    /// What an output of the program is to the machine: position, normalquat, color, texcoord0, texcoord0w, texcoord1,
    /// texcoord2 or view
    #[arg(long = "output", value_name = "NAME=PLACE")]
    pub places: Vec<String>,
    /// Leave an output out
    #[arg(long, value_name = "NAME")]
    pub drop: Vec<String>,
    /// The fragment program that reads the outputs, which says what is a texture coordinate; else that beside the source
    /// (a.frag for a.vert)
    #[arg(long, value_name = "FILE")]
    pub fragment: Option<String>,
    /// Write a make rule that names the sources and all files that they take in
    #[arg(long, value_name = "FILE")]
    pub depfile: Option<String>,
    /// Language of the sources, where their names do not say it
    #[arg(long, value_enum, value_name = "LANGUAGE")]
    pub lang: Option<ShadingLanguage>,
    /// Which functions of the source the program calls; others are written out where they are called
    #[arg(long, value_enum, value_name = "WHICH", default_value = "shorter")]
    pub calls: WhichCalls,
    /// Write the assembly that the program becomes
    #[arg(long, value_name = "FILE")]
    pub asm: Option<String>,
    /// Write a C header with the uniform registers, as `asm` does
    #[arg(long, value_name = "FILE")]
    pub header: Option<String>,
}

/// Which functions become calls.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum WhichCalls {
    /// Those whose calls make the program much shorter, or make it fit
    Shorter,
    /// All that are called at least twice and can be
    Always,
    /// None
    Never,
}

/// What sources are written in.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ShadingLanguage {
    /// GLSL, desktop or ES
    Glsl,
    /// WGSL
    Wgsl,
}

#[derive(Args)]
pub struct Extract {
    /// File: PATH[:INNER], or `-`
    #[arg(value_name = "FILE")]
    pub file: String,
    /// Folder to write
    #[arg(short, long, value_name = "DIR")]
    pub output: String,
}

#[derive(Args)]
pub struct Build {
    /// Folder that `extract` made
    #[arg(value_name = "DIR")]
    pub folder: String,
    #[command(flatten)]
    pub destination: Destination,
}

#[derive(Args)]
pub struct Link {
    /// File with the vertex program: PATH[:INNER], or `-`
    #[arg(value_name = "VERTEX")]
    pub vertex: String,
    /// File with the fragment program: PATH[:INNER], or `-`
    #[arg(value_name = "FRAGMENT")]
    pub fragment: String,
    #[command(flatten)]
    pub destination: Destination,
    /// Give an attribute a number, as glBindAttribLocation does
    #[arg(long = "attribute", value_name = "NAME=NUMBER")]
    pub attributes: Vec<String>,
}
