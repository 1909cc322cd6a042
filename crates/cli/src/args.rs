//! The command line: one definition for parsing, help, man page and completions.

mod catalogs;

pub use catalogs::{Report, Scan, Similar, Which};

use clap::{Args, Parser, Subcommand, ValueEnum, builder::Styles};

const AFTER_HELP: &str = "\
FILE is a path, or `-` for standard input; `FILE:INNER` takes a file of an archive (game.szs:Model/x.shbin), or one of \
the containers found inside a blob (an index or an offset such as 0x80); `FILE#ITEM` takes one program. `ls` prints \
both. Yaz0, zstd, SARC and BFRES open by themselves, also inside of each other (game.szs:Layout/inner.szs:x.shbin, \
model.bfres:x.bfsha).

Exit status: 0 done, 1 the file is bad or a check failed, 2 wrong usage; of `pick`: 3 only a program that differs, \
4 none; of `diff`: 1 different, 2 trouble.

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

#[derive(Args)]
pub struct Show {
    #[command(flatten)]
    pub files: Files,
    /// Print the file offset of every field
    #[arg(long)]
    pub offsets: bool,
    /// Print opaque parts as hex
    #[arg(long)]
    pub opaque: bool,
    /// Print which field owns each byte of a range instead, counted from the start of each container: `0x40..0x80`
    #[arg(long, value_name = "A..B", value_parser = byte_range, conflicts_with_all = ["offsets", "opaque"])]
    pub bytes: Option<std::ops::Range<u64>>,
}

/// Takes `A..B`, both decimal or hexadecimal, either left out.
fn byte_range(text: &str) -> Result<std::ops::Range<u64>, String> {
    let number = |text: &str, default: u64| match text.strip_prefix("0x") {
        _ if text.is_empty() => Ok(default),
        Some(digits) => u64::from_str_radix(digits, 16),
        None => text.parse(),
    };
    let (start, end) = text.split_once("..").ok_or("expected two offsets with `..` between them")?;
    match (number(start, 0), number(end, u64::MAX)) {
        (Ok(start), Ok(end)) if start < end => Ok(start..end),
        (Ok(_), Ok(_)) => Err("the range is empty: it ends where it starts, or before".to_owned()),
        (Err(_), _) => Err(format!("`{start}` is no offset")),
        (_, Err(_)) => Err(format!("`{end}` is no offset")),
    }
}

#[derive(Args)]
pub struct Serve {
    /// Files that the page opens at once
    #[arg(value_name = "FILE")]
    pub files: Vec<std::path::PathBuf>,
    /// Port of 127.0.0.1 to listen on; without it, one that is free
    #[arg(long, value_name = "PORT", default_value_t = 0, hide_default_value = true)]
    pub port: u16,
    /// Let the page write changed files back to where they came from
    #[arg(long)]
    pub write: bool,
    /// Show the page in the browser at once
    #[arg(long)]
    pub open: bool,
}

#[derive(Args)]
pub struct Check {
    #[command(flatten)]
    pub files: Files,
    /// Which findings make the exit status 1 beside errors
    #[arg(long, value_enum, value_name = "WHAT")]
    pub deny: Option<Deny>,
    /// List the bytes that no part of the structure owns
    #[arg(long)]
    pub coverage: bool,
}

/// What `check --deny` takes.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Deny {
    /// Warnings count as errors
    Warnings,
}

#[derive(Args)]
pub struct Disasm {
    /// File: PATH[:INNER][#ITEM], or `-`
    #[arg(value_name = "FILE")]
    pub file: String,
    /// Write to a file instead of standard output
    #[arg(short, long, value_name = "OUT")]
    pub output: Option<String>,
    /// Take the file as raw code words of this instruction set
    #[arg(long, value_name = "NAME")]
    pub isa: Option<String>,
    /// The file is text: hexadecimal words as pasted from a dump
    #[arg(long, requires = "isa")]
    pub from_hex: bool,
    /// Another tool's exact text instead of our own
    #[arg(long, value_enum, default_value_t = Syntax::Unshade, value_name = "NAME")]
    pub syntax: Syntax,
    /// Print the code word of each instruction in a comment
    #[arg(long)]
    pub words: bool,
    /// Print the word index of each instruction in a comment
    #[arg(long)]
    pub offsets: bool,
    /// Leave out what control words say (Maxwell); `asm` then makes safe ones
    #[arg(long)]
    pub no_control: bool,
}

/// Text dialects.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Syntax {
    /// Our own listing: gives the same file back
    Unshade,
    /// Source text for picasso (PICA200); what its language cannot say is lost and reported
    Picasso,
    /// The text of Mesa's lima disassembler (Mali GP and PP)
    Lima,
    /// The text of the decaf emulator's disassembler (Latte); `asm` takes it as well
    Decaf,
    /// The text of NVIDIA's disassembler for bare code (Maxwell)
    Nvdisasm,
}

/// Where a container goes.
#[derive(Args)]
pub struct Destination {
    /// File to write
    #[arg(short, long, value_name = "OUT", required_unless_present = "into")]
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

#[derive(Args)]
pub struct Diff {
    /// Old file: PATH[:INNER][#ITEM], or `-`
    #[arg(value_name = "OLD")]
    pub old: String,
    /// New file: PATH[:INNER][#ITEM], or `-`
    #[arg(value_name = "NEW")]
    pub new: String,
    /// Print instructions side by side, as wide as the terminal
    #[arg(long)]
    pub side_by_side: bool,
    /// Print every offset, size and count that follows from what is different, and every range of bytes
    #[arg(long)]
    pub all: bool,
}

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
    /// Do not insert padding NOPs (picasso's -n)
    #[arg(short = 'n', long)]
    pub no_nop: bool,
    /// Write a C header with the uniform registers (picasso's --header)
    #[arg(long, value_name = "FILE")]
    pub header: Option<String>,
    /// Write a make rule that names the sources
    #[arg(long, value_name = "FILE")]
    pub depfile: Option<String>,
}

#[derive(Args)]
pub struct Compile {
    /// Vertex programs: GLSL (.glsl, .vert, .vs, .vsh) or WGSL (.wgsl); each becomes an executable of the file
    #[arg(required = true, value_name = "SOURCE")]
    pub sources: Vec<String>,
    #[command(flatten)]
    pub destination: Destination,
    /// The vertex program of a WGSL source that has several
    #[arg(long, value_name = "NAME")]
    pub entry: Option<String>,
    /// Language of the sources, where their names do not say it
    #[arg(long, value_enum, value_name = "LANGUAGE")]
    pub lang: Option<ShadingLanguage>,
    /// Write the assembly that the program becomes
    #[arg(long, value_name = "FILE")]
    pub asm: Option<String>,
    /// Write a C header with the uniform registers, as `asm` does
    #[arg(long, value_name = "FILE")]
    pub header: Option<String>,
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
pub struct Decompile {
    /// File: PATH[:INNER][#ITEM], or `-`
    #[arg(value_name = "FILE")]
    pub file: String,
    /// Target language
    #[arg(long, value_enum, default_value_t = To::Glsl, value_name = "TARGET")]
    pub to: To,
    /// Bit-exact source instead of readable source
    #[arg(long)]
    pub strict: bool,
    /// GLSL version
    #[arg(long, value_enum, default_value_t = Glsl::V450, value_name = "VERSION")]
    pub glsl: Glsl,
    /// Whose rules GLSL says by where resources, inputs and outputs are
    #[arg(long, value_enum, value_name = "WHO")]
    pub layout: Option<LayoutOf>,
    /// Write a file (one stage) or a folder (several, a file each); without it, a program is printed as one text
    #[arg(short, long, value_name = "OUT")]
    pub output: Option<String>,
    /// Print what each pass did
    #[arg(long)]
    pub stats: bool,
    /// Which lines of listing, IR and source belong together, with these texts, as a JSON document
    #[arg(long, conflicts_with_all = ["output", "stats"])]
    pub links: bool,
    #[command(flatten)]
    pub surroundings: Surroundings,
}

#[derive(Args)]
pub struct Cfg {
    /// File: PATH[:INNER][#ITEM], or `-`
    #[arg(value_name = "FILE")]
    pub file: String,
    /// What to print: the language of Graphviz, or a picture of one program
    #[arg(long, value_enum, default_value_t = Picture::Dot, value_name = "WHAT")]
    pub to: Picture,
    /// Write to a file
    #[arg(short, long, value_name = "OUT")]
    pub output: Option<String>,
}

/// What `cfg` prints.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Picture {
    /// Graphviz
    Dot,
    /// A picture with its places
    Svg,
}

/// Whose rules GLSL is printed by.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum LayoutOf {
    /// OpenGL: plain binding numbers and locations
    Gl,
    /// Vulkan: sets and bindings, all uniforms in blocks (GLSL 4.50)
    Vulkan,
}

/// What surrounds a program and its code does not say.
#[derive(Args)]
pub struct Surroundings {
    /// Who numbers resources and names what has no name (Wii U: gx2, mesa, cemu), or fills constants (Switch: nvn, uam)
    #[arg(long, value_enum, value_name = "WHO")]
    pub profile: Option<Numbering>,
    /// JSON with registers, tables and texture dimensions, put over what the file says (Wii U)
    #[arg(long, value_name = "FILE")]
    pub state: Option<String>,
}

/// Who numbers resources.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Numbering {
    /// The console
    Gx2,
    /// Mesa's driver for chips of that generation
    Mesa,
    /// The console, with the names of the Cemu emulator
    Cemu,
    /// The Switch's own driver
    Nvn,
    /// deko3d, as the compiler uam has it
    Uam,
}

/// Target languages.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum To {
    /// OpenGL's language
    Glsl,
    /// WebGPU's language
    Wgsl,
    /// Direct3D's language
    Hlsl,
    /// Metal's language
    Msl,
    /// Vulkan's binary form
    Spirv,
    /// Unshade's own intermediate form
    Ir,
}

/// GLSL versions.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Glsl {
    /// OpenGL 4.5 core
    #[value(name = "450")]
    V450,
    /// OpenGL 3.3 core
    #[value(name = "330")]
    V330,
    /// OpenGL ES 3.0 (geometry programs: 3.2)
    Es300,
    /// OpenGL ES 2.0: vertex and fragment programs without integers
    Es100,
}

#[derive(Args)]
pub struct Run {
    /// File: PATH[:INNER][#ITEM]
    #[arg(value_name = "FILE", required_unless_present = "check")]
    pub file: Option<String>,
    /// Inputs as JSON (docs/run-json.md); without it all inputs are 0
    #[arg(long, value_name = "JSON")]
    pub inputs: Option<String>,
    /// Print each instruction with what it changed
    #[arg(long)]
    pub trace: bool,
    /// Run the cases of these vector files and compare
    #[arg(long, value_name = "VECTORS", num_args = 1.., conflicts_with_all = ["file", "inputs", "trace"])]
    pub check: Vec<String>,
    /// Folder that the vector files' paths are relative to
    #[arg(long, value_name = "DIR", requires = "check")]
    pub root: Option<String>,
    /// Arithmetic, instead of what the inputs ask for
    #[arg(long, value_enum, value_name = "MODE")]
    pub float: Option<Float>,
    /// Instructions to run at most
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    pub fuel: u64,
    #[command(flatten)]
    pub surroundings: Surroundings,
}

#[derive(Args)]
pub struct Debug {
    /// File: PATH[:INNER][#ITEM]
    #[arg(value_name = "FILE")]
    pub file: String,
    /// Inputs as JSON (docs/run-json.md); without it all inputs are 0
    #[arg(long, value_name = "JSON")]
    pub inputs: Option<String>,
    /// Which case of the inputs, from 0
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub case: usize,
    /// Take commands from this file, one per line, `-` for standard input (docs/debug.md); without it the full screen is
    /// used where there is a terminal
    #[arg(long, value_name = "FILE")]
    pub commands: Option<String>,
    /// Arithmetic, instead of what the inputs ask for
    #[arg(long, value_enum, value_name = "MODE")]
    pub float: Option<Float>,
    /// Instructions to run at most
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    pub fuel: u64,
    #[command(flatten)]
    pub surroundings: Surroundings,
}

/// Arithmetic of `run`.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Float {
    /// 32-bit floats, as emulators compute
    F32,
    /// 24-bit floats, the hardware's width (PICA200)
    F24,
    /// 16-bit floats, the hardware's width (Mali PP)
    F16,
}

#[derive(Args)]
pub struct Verify {
    #[command(flatten)]
    pub files: Files,
    /// Cases per program and mode
    #[arg(long, value_name = "N", default_value_t = 4096)]
    pub cases: u32,
    /// Seed of the inputs
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    #[command(flatten)]
    pub surroundings: Surroundings,
}

#[derive(Args)]
pub struct Stats {
    #[command(flatten)]
    pub files: Files,
    /// Comma-separated values with a header line
    #[arg(long, conflicts_with = "json")]
    pub csv: bool,
}

#[derive(Args)]
pub struct Pick {
    /// File: PATH[:INNER][#GROUP], or `-`; GROUP is a program with macros or a shading model
    #[arg(value_name = "FILE")]
    pub file: String,
    /// Value of a macro or an option; `*` for every value. What is not set has its default, or what the material says
    #[arg(long = "set", value_name = "NAME=VALUE", num_args = 1..)]
    pub set: Vec<String>,
    /// Take the values from a material of a model: PATH[:INNER]:MATERIAL, or :MODEL/MATERIAL
    #[arg(long, value_name = "BFRES:NAME")]
    pub material: Option<String>,
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
