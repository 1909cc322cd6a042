//! Each program beside its source, in figures.

use super::declarations::{self, Counted};
use super::subjects::Subject;
use unshade::{DecompileOptions, Target};

/// What came of one program.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// Which table it belongs to.
    pub corpus: &'static str,
    /// Its name.
    pub name: String,
    /// The source; nothing for programs of the 3DS.
    pub original: Option<Counted>,
    /// What was decompiled, in the language of the source.
    pub made: Counted,
    /// Operations of the IR when the tree was made.
    pub operations: u32,
    /// Loops of the machine code that are left when the tree is made.
    pub loops: u32,
    /// Loops that the compiler had written out and that are loops again.
    pub rolled: u32,
    /// Loops with a switch over a state variable.
    pub dispatchers: u32,
}

/// Programs of fewer tokens are measured by how many more there are.
pub const SMALL: usize = 40;

impl Row {
    /// Loops that the text should have: those of the machine code, and those that were rolled up.
    pub fn all_loops(&self) -> usize {
        (self.loops + self.rolled) as usize
    }

    /// Whether loops and functions of the source survive in the machine code: as many loops are left there, and as many
    /// functions are called. Programs without any survive always.
    pub fn survives(&self) -> bool {
        let original = self.original.as_ref();
        original.is_some_and(|source| {
            source.loops == self.loops as usize && source.functions == self.made.functions
        })
    }

    /// Tokens over tokens of the source.
    pub fn ratio(&self) -> Option<f64> {
        let source = self.original.as_ref()?.tokens;
        Some(self.made.tokens as f64 / source as f64)
    }

    /// Tokens for each operation.
    pub fn density(&self) -> f64 {
        self.made.tokens as f64 / f64::from(self.operations.max(1))
    }

    /// Whether the source is too small for a ratio to say much.
    pub fn is_small(&self) -> bool {
        self.original.as_ref().is_some_and(|source| source.tokens < SMALL)
    }

    /// Names of registers that the output has: a letter or two of a machine with a number.
    pub fn registers(&self) -> Vec<&str> {
        self.made.names.iter().map(String::as_str).filter(|name| is_register(name)).collect()
    }
}

/// Whether a name is one that assembly calls a register by.
fn is_register(name: &str) -> bool {
    let digits = name.trim_start_matches(|c: char| c.is_ascii_alphabetic());
    let letters = &name[..name.len() - digits.len()];
    let numbered = !digits.is_empty() && digits.chars().all(|c| c.is_ascii_digit());
    let of_machine = ["r", "R", "c", "C", "o", "v", "T", "PV", "PS", "KC", "GPR", "gpr", "b", "aL", "a"];
    numbered && of_machine.contains(&letters) || matches!(name, "a0" | "aL" | "PV" | "PS" | "RZ" | "PT")
}

/// Decompiles a program and counts.
///
/// # Errors
/// Why it cannot be decompiled.
pub fn measure(subject: &Subject) -> Result<(Row, String), String> {
    let options = DecompileOptions { target: Target::Glsl(subject.language), ..DecompileOptions::default() };
    let made = unshade::decompile(&subject.stage, &options).map_err(|error| error.to_string())?;
    let row = Row {
        corpus: subject.corpus,
        name: subject.name.clone(),
        original: subject.original.as_deref().map(declarations::count),
        made: declarations::count(&made.text),
        operations: made.structure.operations,
        loops: made.structure.loops,
        rolled: made.structure.rolled,
        dispatchers: made.structure.dispatchers,
    };
    Ok((row, made.text))
}

/// The value below which a share of the values lies; the values are sorted.
fn share(sorted: &[f64], of: f64) -> f64 {
    let last = sorted.len().saturating_sub(1);
    sorted.get((last as f64 * of).round() as usize).copied().unwrap_or(0.0)
}

/// Figures of one table.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Summary {
    /// Programs whose loops and functions survive, of [`SMALL`] tokens and more.
    pub compared: usize,
    /// Median of their ratios.
    pub median: f64,
    /// Ninetieth percentile of their ratios.
    pub ninetieth: f64,
    /// Small programs whose loops and functions survive.
    pub small: usize,
    /// The most tokens that one of these has more than its source.
    pub most_more: i64,
    /// Programs that are measured by their operations.
    pub others: usize,
    /// Tokens for each operation over all of these.
    pub density: f64,
    /// Bits read as another kind: here, in the sources.
    pub bitcasts: (usize, usize),
    /// Programs that read bits as another kind where their source has none.
    pub casting: usize,
    /// Loops in the machine code, and in the output.
    pub loops: (usize, usize),
    /// Loops with a switch over a state variable.
    pub dispatchers: u32,
    /// Names of registers.
    pub registers: usize,
}

/// Sums up rows of one table.
pub fn summary<'a>(rows: impl IntoIterator<Item = &'a Row>) -> Summary {
    let mut summary = Summary { most_more: i64::MIN, ..Summary::default() };
    let (mut ratios, mut tokens, mut operations) = (Vec::new(), 0_usize, 0_u32);
    for row in rows {
        if let (Some(source), true) = (&row.original, row.survives()) {
            if row.is_small() {
                summary.small += 1;
                summary.most_more = summary.most_more.max(row.made.tokens as i64 - source.tokens as i64);
            } else {
                ratios.extend(row.ratio());
            }
        } else {
            summary.others += 1;
            tokens += row.made.tokens;
            operations += row.operations;
        }
        let source = row.original.as_ref().map_or(0, |source| source.bitcasts);
        summary.bitcasts.0 += row.made.bitcasts;
        summary.bitcasts.1 += source;
        summary.casting += usize::from(source == 0 && row.made.bitcasts > 0);
        summary.loops.0 += row.all_loops();
        summary.loops.1 += row.made.loops;
        summary.dispatchers += row.dispatchers;
        summary.registers += row.registers().len();
    }
    ratios.sort_by(f64::total_cmp);
    summary.compared = ratios.len();
    summary.median = share(&ratios, 0.5);
    summary.ninetieth = share(&ratios, 0.9);
    summary.density = tokens as f64 / f64::from(operations.max(1));
    summary
}
