//! The assembler of native listings.
//!
//! A line holds labels and an instruction or a directive; `;` starts a remark. In front of an instruction may stand
//! what its control word says, in brackets; where it does not, safe scheduling is made:
//!
//! ```text
//! L_0008:
//! [B------:R-:W0:-:S02]       MUFU.RCP R0, R0
//!                         @P0 BRA L_0008
//! .word 0x0123456789abcdef
//! ```
//!
//! | directive | means |
//! |---|---|
//! | `.word 0x...` | a word of 64 bits in the place of an instruction |
//! | `.control 0x...` | the control word of the group that starts here, for what no instruction of it says |
//! | `.cut` | the last group is not filled up with `NOP` |
//! | `.half 0x...` | 32 bits behind everything else |
//! | `.isa maxwell` | says which language it is; nothing else |

mod cursor;
mod program;
mod read;
mod schedule;

use unshade_bytes::{Diagnostic, Severity};
use unshade_isa_common::assembly::Problem;

/// What an assembly gives.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Assembled {
    /// The code, control words included.
    pub words: Vec<u32>,
    /// What may be a mistake, in the order of the text.
    pub warnings: Vec<Diagnostic>,
    /// For each instruction its first word and the byte offset of its line in the text, in the order of the text.
    pub origins: Vec<(u32, usize)>,
}

/// Findings of each kind that are kept.
const MOST: usize = 1000;

/// Instructions that a program has at most: as far as a branch reaches in both directions.
const MOST_INSTRUCTIONS: usize = 1 << 21;

/// Assembles a listing.
///
/// # Errors
/// Everything that is wrong in the text, with its place, in the order of the text; at most 1000 findings.
pub fn assemble(text: &str) -> Result<Assembled, Vec<Diagnostic>> {
    let mut findings = Findings::default();
    let program = program::read(text, &mut findings);
    let assembled = if findings.errors.is_empty() {
        program::link(text, &program, &mut findings)
    } else {
        Assembled::default()
    };
    if !findings.errors.is_empty() {
        findings.errors.sort_by_key(place);
        return Err(findings.errors);
    }
    findings.warnings.sort_by_key(place);
    Ok(Assembled { warnings: findings.warnings, ..assembled })
}

fn place(finding: &Diagnostic) -> usize {
    match &finding.location {
        unshade_bytes::Location::Text { span, .. } => span.start,
        _ => 0,
    }
}

/// Reads one instruction at an address, without labels: its word. `None` for a text that is none.
///
/// ```
/// use unshade_isa_maxwell::asm::word;
/// assert_eq!(word("FADD.FTZ R0, R0, -R6", 8), Some(0x5c58_3000_0067_0000));
/// assert_eq!(word("FADD.FTZ R0, R0", 8), None);
/// ```
pub fn word(text: &str, address: u64) -> Option<u64> {
    if let Some(number) = text.strip_prefix(".word 0x") {
        return u64::from_str_radix(number, 16).ok();
    }
    let (text, raw) = program::raw(text).ok()?;
    let place = read::Place { address, named: &|_, _| None };
    let read = read::instruction(text, &place).ok()?.word;
    match raw {
        Some(raw) => program::same_text(read, raw, address).then_some(raw),
        None => Some(read),
    }
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

    #[expect(clippy::boxed_local, reason = "problems travel in boxes, to keep results small")]
    fn warn(&mut self, problem: Box<Problem>) {
        if self.warnings.len() < MOST {
            self.warnings.push(problem.diagnostic(Severity::Warning, 0));
        }
    }
}
