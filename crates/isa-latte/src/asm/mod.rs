//! The assembler: native listings, what decaf prints, and sources for decaf's `latte-assembler`.
//!
//! A line holds a control-flow instruction, an arithmetic instruction, a fetch or a directive; `;` starts a
//! remark. Instructions of a clause stand behind the control-flow instruction that starts it:
//!
//! ```text
//! 00 CALL_FS NO_BARRIER
//! 01 ALU: KCACHE0(CB1:0-15)
//!   0   x: MUL             R1.x, R1.x, KC0[0].x
//!       y: MUL             R1.y, R1.y, 2.5
//!   1   x: ADD             R1.x, PV0.y, R1.x
//! 02 EXP_DONE: POS0, R1.xyzw
//! END_OF_PROGRAM
//! ```
//!
//! Numbers in front are names, not places: a jump to `ADDR(2)` goes to the instruction with the number 02,
//! wherever that comes to stand; one without a number can be put anywhere. Where clauses go, how long they are,
//! where literals stand, which instruction is a group's last and in which cycles sources are read is computed
//! where the text does not say it.

mod alu;
mod cursor;
mod fetch;
mod flow;
mod link;
mod operand;
mod read;
mod suffix;

use cursor::{Cursor, number};
use unshade_bytes::{Diagnostic, Severity};
use unshade_isa_common::assembly::{Problem, Result};
use unshade_isa_common::field::Field;

/// What an assembly gives.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Assembled {
    /// The code.
    pub words: Vec<u32>,
    /// What may be a mistake, in the order of the text.
    pub warnings: Vec<Diagnostic>,
    /// For each instruction its first word and the byte offset of its line in the text, in the order of the
    /// text.
    pub origins: Vec<(u32, usize)>,
}

/// Findings of each kind that are kept.
const MOST: usize = 1000;

/// Units that a program has at most, as far as the address of an arithmetic clause reaches: 32 MiB.
const MOST_UNITS: u32 = 1 << 22;

/// Assembles a listing.
///
/// # Errors
/// Everything that is wrong in the text, with its place, in the order of the text; at most 1000 findings.
pub fn assemble(text: &str) -> std::result::Result<Assembled, Vec<Diagnostic>> {
    let mut findings = Findings::default();
    let draft = read::read(text, &mut findings);
    let mut assembled =
        if findings.errors.is_empty() { link::link(draft, &mut findings) } else { Assembled::default() };
    let place = |finding: &Diagnostic| match &finding.location {
        unshade_bytes::Location::Text { span, .. } => span.start,
        _ => 0,
    };
    if !findings.errors.is_empty() {
        findings.errors.sort_by_key(place);
        return Err(findings.errors);
    }
    findings.warnings.sort_by_key(place);
    assembled.warnings = findings.warnings;
    Ok(assembled)
}

/// What has been found.
#[derive(Debug, Default)]
struct Findings {
    errors: Vec<Diagnostic>,
    warnings: Vec<Diagnostic>,
}

impl Findings {
    #[expect(clippy::boxed_local, reason = "problems travel in boxes, to keep results small")]
    fn error(&mut self, problem: Box<Problem>) {
        if self.errors.len() < MOST {
            self.errors.push(problem.diagnostic(Severity::Error, 0));
        }
    }

    fn warn(&mut self, problem: Problem) {
        if self.warnings.len() < MOST {
            self.warnings.push(problem.diagnostic(Severity::Warning, 0));
        }
    }

    fn is_full(&self) -> bool {
        self.errors.len() >= MOST
    }
}

/// Reads `@name=value` and the blanks behind it.
fn part(line: &mut Cursor<'_>, parts: &[Field]) -> Result<(Field, u32)> {
    let start = line.position();
    line.tight("@");
    let name = line.run(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    let Some(part) = parts.iter().copied().find(|part| part.name == name.text) else {
        let message = format!("the instruction has no bits with the name `{}`", name.text);
        return Err(Problem::new("latte.asm.bits", start..name.span().end, message));
    };
    line.expect("=")?;
    let piece = line.run(|byte| byte.is_ascii_alphanumeric());
    let value = number(piece, part.limit())?;
    line.blank();
    Ok((part, value))
}
