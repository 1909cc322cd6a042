//! What looks: nothing is changed, nothing is run.

use super::Files;
use clap::{Args, ValueEnum};

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

/// Code without a container: words in a file, or as text. A listing that begins with `.isa` says by itself that it is one.
#[derive(Args)]
#[command(next_help_heading = "Bare code")]
pub struct Bare {
    /// Take the file as bare code words of this instruction set
    #[arg(long, value_name = "NAME")]
    pub isa: Option<String>,
    /// Which kind of program it is; without it, what the code shows
    #[arg(long, value_enum, value_name = "KIND")]
    pub stage: Option<Kind>,
    /// The file is text: words or bytes in hexadecimal digits, as pasted from a dump or from source code
    #[arg(long, requires = "isa")]
    pub from_hex: bool,
    /// Operand descriptors of the code, in a file of the same form (PICA200)
    #[arg(long, requires = "isa", value_name = "FILE")]
    pub descriptors: Option<String>,
}

/// Kinds of programs.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Kind {
    /// For each vertex
    Vertex,
    /// For each patch and its vertices
    TessControl,
    /// For each vertex that a patch is divided into
    TessEval,
    /// For each primitive
    Geometry,
    /// For each pixel
    #[value(alias = "pixel")]
    Fragment,
    /// For computing
    Compute,
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
    /// List every finding; otherwise many of one kind are counted behind the first
    #[arg(long)]
    pub all: bool,
    /// What surrounds bare code, as JSON (Wii U); without it nothing is held against registers and tables
    #[arg(long, value_name = "FILE")]
    pub state: Option<String>,
    #[command(flatten)]
    pub bare: Bare,
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
    #[command(flatten)]
    pub bare: Bare,
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
    #[command(flatten)]
    pub bare: Bare,
}

/// What `cfg` prints.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Picture {
    /// Graphviz
    Dot,
    /// A picture with its places
    Svg,
}

#[derive(Args)]
pub struct Stats {
    #[command(flatten)]
    pub files: Files,
    /// Comma-separated values with a header line
    #[arg(long, conflicts_with = "json")]
    pub csv: bool,
    #[command(flatten)]
    pub bare: Bare,
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
