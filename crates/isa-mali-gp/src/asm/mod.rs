//! The assembler of our own language: what [`super::print`] writes, and what a person would write.
//!
//! An instruction is one line, or several of which all but the first start with `||`; each line is a unit, its
//! operation, its sources, and behind `->` where the result goes:
//!
//! ```text
//! L004:
//!     add0     max      ^mul0, -^mul0 -> v1.xy, $2.z
//! ||  mul01    select   ^add1, u_on.x, a_color.w
//! ||  pass     clamp    ^^mul0, t[6].x, t[6].y
//! ||  branch   pass, L004
//! ```
//!
//! The assembler finds the register loads itself: an attribute comes through the first one, a register through
//! the second, a further register through the first; `@reg0` and `@reg1` behind a register decide otherwise.
//! What is against the machine's form is an error; what the machine would do otherwise than it looks is a
//! warning, from [`super::lint`].

mod bundle;
mod operand;
mod reader;
mod slot;

pub use reader::{Assembled, CodeReader};

use super::names::{Area, Names};
use unshade_bytes::Diagnostic;
use unshade_isa_common::assembly::lexer::{Lines, Piece, Statement};
use unshade_isa_common::assembly::{Problem, Result};
use unshade_stage::Symbol;

/// Assembles a listing of bare code. Besides the machine's own names, places have those of `symbols` and of
/// `.alias` lines.
///
/// # Errors
/// Everything that is wrong in the text, with its place.
pub fn assemble(text: &str, symbols: &[Symbol]) -> std::result::Result<Assembled, Vec<Diagnostic>> {
    let mut names = Names::of_symbols(symbols);
    let mut reader = CodeReader::new();
    for line in Lines::new(text) {
        if reader.is_full() {
            break;
        }
        if let Statement::Directive { name, mut arguments, .. } = line.statement() {
            if name.is("isa") {
                let isa = arguments.rest.trim();
                if !isa.is("mali-gp") {
                    let message = format!("expected `mali-gp`, found `{}`", isa.text);
                    reader.problem(*Problem::new("mali-gp.asm.isa", isa.span(), message));
                }
                continue;
            }
            if name.is("alias") {
                let name = arguments.blank().unwrap_or(arguments.rest);
                if let Err(problem) = alias(name, arguments.rest.trim(), &mut names) {
                    reader.problem(*problem);
                }
                continue;
            }
        }
        reader.line(line, &names);
    }
    reader.finish(&names)
}

/// `.alias name place.components`.
fn alias(name: Piece<'_>, place: Piece<'_>, names: &mut Names) -> Result<()> {
    let (area, word, components) = operand::plain_place(place)?;
    let taken =
        |known: &super::names::Name| (known.area, known.word, known.components) == (area, word, components);
    let top = name.text.split(['[', '.']).next().unwrap_or_default();
    let whole = name.text.bytes().all(|b| b.is_ascii_graphic() && !matches!(b, b',' | b'@' | b'^' | b'-'));
    if !super::names::is_free(top) || !whole {
        let message = format!("`{}` cannot be a name", name.text);
        return Err(Problem::new("mali-gp.asm.syntax", name.span(), message));
    }
    if names.find(name.text).is_some_and(taken) || names.add(name.text, area, word, components) {
        return Ok(());
    }
    let message = format!("`{}` is the name of another place already", name.text);
    Err(Problem::new("mali-gp.asm.name-twice", name.span(), message))
}

/// The area's own name of a vector: `a3`, `v0`, `t[12]`.
pub(super) fn vector_text(area: Area, vector: u32) -> String {
    match area {
        Area::Attribute => format!("a{vector}"),
        Area::Varying => format!("v{vector}"),
        Area::Memory => format!("t[{vector}]"),
    }
}
