//! What takes programs apart and runs them.

use super::{Bare, Files};
use clap::{Args, ValueEnum};

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
    /// Print the intermediate form as it is after a pass, or after the N-th time that it runs (`--stats` lists them)
    #[arg(long, value_name = "PASS[#N]", conflicts_with_all = ["to", "glsl", "layout", "links", "source", "output", "stats"])]
    pub after: Option<String>,
    /// GLSL version
    #[arg(long, value_enum, default_value_t = Glsl::V450, value_name = "VERSION")]
    pub glsl: Glsl,
    /// Whose rules GLSL says by where resources, inputs and outputs are
    #[arg(long, value_enum, value_name = "WHO")]
    pub layout: Option<LayoutOf>,
    /// Write a file (one stage) or a folder (several, a file each); without it, a program is printed as one text
    #[arg(short, long, value_name = "OUT")]
    pub output: Option<String>,
    /// Print the source that a program was compiled from above it: out of this archive of sources (.sharc),
    /// PATH[:INNER], or of the one with the file's name in this folder; with -o, in a file beside it
    #[arg(long, value_name = "SHARC", conflicts_with = "links")]
    pub source: Option<String>,
    /// Print what each pass did
    #[arg(long)]
    pub stats: bool,
    /// Which lines of listing, IR and source belong together, with these texts, as a JSON document
    #[arg(long, conflicts_with_all = ["output", "stats"])]
    pub links: bool,
    #[command(flatten)]
    pub surroundings: Surroundings,
    #[command(flatten)]
    pub bare: Bare,
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
    #[command(flatten)]
    pub given: Given,
    /// Print each instruction with what it changed
    #[arg(long)]
    pub trace: bool,
    /// Run the cases of these vector files and compare
    #[arg(long, value_name = "VECTORS", num_args = 1.., conflicts_with_all = ["file", "inputs", "random", "trace"])]
    pub check: Vec<String>,
    /// Folder that the vector files' paths are relative to
    #[arg(long, value_name = "DIR", requires = "check")]
    pub root: Option<String>,
    #[command(flatten)]
    pub execution: Execution,
}

#[derive(Args)]
pub struct Debug {
    /// File: PATH[:INNER][#ITEM]
    #[arg(value_name = "FILE")]
    pub file: String,
    #[command(flatten)]
    pub given: Given,
    /// Which case of the inputs, from 0
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub case: usize,
    /// Take commands from this file, one per line, `-` for standard input (docs/debug.md); without it the full screen is
    /// used where there is a terminal
    #[arg(long, value_name = "FILE")]
    pub commands: Option<String>,
    #[command(flatten)]
    pub execution: Execution,
}

/// What goes into a program.
#[derive(Args)]
pub struct Given {
    /// Inputs as JSON (docs/run-json.md); without it all inputs are 0
    #[arg(long, value_name = "JSON")]
    pub inputs: Option<String>,
    /// Inputs of chance, the same for the same seed; `run` prints them with the results, and takes that again as --inputs
    #[arg(long, value_name = "SEED", conflicts_with = "inputs")]
    pub random: Option<u64>,
    /// How many cases of chance
    #[arg(long, value_name = "N", default_value_t = 1, requires = "random",
        value_parser = clap::value_parser!(u16).range(1..))]
    pub cases: u16,
}

/// How a program is run, and what is around it.
#[derive(Args)]
pub struct Execution {
    /// Arithmetic, instead of what the inputs ask for
    #[arg(long, value_enum, value_name = "MODE")]
    pub float: Option<Float>,
    /// Instructions to run at most
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    pub fuel: u64,
    #[command(flatten)]
    pub surroundings: Surroundings,
    #[command(flatten)]
    pub bare: Bare,
}

/// Arithmetic of `run` and `debug`.
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
    /// Exit status 5 where a verdict is weak or unfinished: nothing differs, but under half of the cases could be compared
    #[arg(long)]
    pub strict_verdict: bool,
    /// Hold the program against this text instead: GLSL that is said to be its source, or another program (`FILE#ITEM`)
    #[arg(long, value_name = "TEXT", conflicts_with = "strict_verdict")]
    pub source: Option<String>,
    /// Define a macro in the text of `--source`; without a value it is 1
    #[arg(short = 'D', long = "define", value_name = "NAME[=VALUE]", requires = "source")]
    pub defines: Vec<String>,
    /// Where the text of `--source` finds what it includes, beside its own folder
    #[arg(short = 'I', long = "include", value_name = "FOLDER", requires = "source")]
    pub folders: Vec<std::path::PathBuf>,
    #[command(flatten)]
    pub surroundings: Surroundings,
    #[command(flatten)]
    pub bare: Bare,
}
