//! The assembler: picasso's language to code words, operand descriptors and the tables of executables.
//!
//! [`assemble`] takes one or several sources and gives a [`Program`], or all errors that it found. What is
//! accepted is encoded as the reference assembler (picasso 2.7) encodes it, bit for bit: padding NOPs,
//! shared descriptors and their order, allocation of registers. Where picasso passes over a mistake in
//! silence, there is a warning if the meaning stays what was written, and an error if it does not (`r15[1]`
//! would be c0, `R5` would be v5). Accepted beyond picasso: v15, negative offsets that stay in their
//! class, white space in some more places.
//!
//! ```
//! use unshade_isa_common::assembly::Source;
//! use unshade_isa_pica200::asm::{Options, assemble};
//! let text = ".in pos\n.out out position\n.proc main\n mov out, pos\n end\n.end\n";
//! let assembly = assemble(&[Source { name: "a.v.pica", text }], Options::default()).unwrap();
//! assert_eq!(assembly.program.words, [0x4C00_0000, 0x8800_0000]);
//! ```

mod assembler;
mod declare;
mod dialect;
mod finding;
mod hash;
mod header;
mod instruction;
mod link;
mod mnemonic;
pub mod operand;
mod plain;
mod pool;
pub mod program;
mod space;

pub use header::{depfile, header, rule};
pub use program::{Constant, ConstantValue, Executable, Output, Program, Semantic, Uniform};

use std::ops::Range;
use unshade_bytes::Diagnostic;
use unshade_isa_common::assembly::Source;

/// How to assemble.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Options {
    /// Do not insert the NOPs that the machine needs at the ends of some blocks; warn instead.
    pub no_nop: bool,
}

/// What an assembly gives besides errors.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Assembly {
    /// Code and tables.
    pub program: Program,
    /// What may be a mistake, in the order of the text.
    pub warnings: Vec<Diagnostic>,
    /// For each code word, the statement that it comes from.
    pub origins: Vec<Origin>,
    /// All procedures in the order in which they end.
    pub procedures: Vec<Procedure>,
}

/// Where a code word comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Origin {
    /// Index of the source.
    pub source: u32,
    /// Byte offset of the statement in its text.
    pub at: u32,
}

/// A procedure.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Procedure {
    /// Its name.
    pub name: String,
    /// First word.
    pub start: u32,
    /// Length in words.
    pub length: u32,
    /// Index of the source.
    pub source: usize,
    /// Byte range of the name in its text.
    pub span: Range<usize>,
}

/// Assembles sources into one program. Procedures are common to all sources, and so are the uniforms of
/// vertex programs; aliases and labels belong to their source.
///
/// # Errors
/// All errors found (up to a thousand), in the order of the text, with the warnings behind them.
pub fn assemble(sources: &[Source<'_>], options: Options) -> Result<Assembly, Vec<Diagnostic>> {
    let mut assembler = assembler::Assembler::new(!options.no_nop);
    for (index, source) in sources.iter().enumerate() {
        assembler.source(index, *source);
    }
    assembler.finish().map_err(|findings| {
        // Of a text for another assembler nothing that picasso's says is worth reading.
        let foreign: Vec<Diagnostic> = sources
            .iter()
            .enumerate()
            .filter_map(|(index, source)| dialect::finding(index, source.text))
            .collect();
        if foreign.is_empty() { findings } else { foreign }
    })
}
