//! The passes: each rewrites a module and keeps what its runs show.
//!
//! [`strict`] lists those that are equal bit for bit (any NaN counts as equal to any other); [`readable`]
//! adds idioms that assume finite inputs, each within 4 ulp of what it replaces, and says what it assumed.

mod agree;
mod bits;
mod branches;
mod cancel;
mod cases;
mod chain;
mod chosen;
mod compounds;
mod cross;
mod cube;
mod dead;
mod demotes;
mod divided;
mod division;
mod divisors;
mod dot;
mod doubles;
mod edit;
mod extremes;
mod flags;
mod flush;
mod fold;
mod frexp;
mod function;
mod fused;
mod implied;
mod index;
mod inline;
mod inverse;
mod known;
mod lacks;
mod later;
mod leaves;
mod locals;
mod masks;
mod members;
mod multiply;
mod norms;
mod number;
mod overwritten;
mod picked;
mod product;
mod quotient;
mod refract;
mod rolled;
mod rounding;
mod scaled;
mod scratch;
mod select;
mod signs;
mod sink;
mod slice;
mod spelled;
mod squares;
mod stack;
mod storage;
mod strides;
mod tables;
mod terms;
#[cfg(test)]
pub(crate) mod testing;
mod texels;
mod threading;
mod transcendent;
mod truth;
mod turns;
mod unasked;
pub mod varyings;
mod vector;
mod whole;
mod wide;

use crate::{Module, ssa};
use smallvec::SmallVec;

/// One step of the pipeline.
#[derive(Debug, Clone, Copy)]
pub struct Pass {
    /// Its name, for reports and bisecting; a pass that runs twice has the same name twice.
    pub name: &'static str,
    /// Rewrites the module.
    pub run: fn(&mut Module) -> Changes,
}

/// What a pass did.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Changes {
    /// How many places it changed; 0: nothing.
    pub count: usize,
    /// What must hold for the change to be right, one sentence each (readable mode).
    pub assumptions: Vec<&'static str>,
}

impl From<usize> for Changes {
    fn from(count: usize) -> Self {
        Self { count, assumptions: Vec::new() }
    }
}

impl Changes {
    /// The same with one more assumption, if anything was changed.
    fn assume(mut self, assumption: &'static str) -> Self {
        if self.count > 0 {
            self.assumptions.push(assumption);
        }
        self
    }
}

/// What a run of several passes did.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Report {
    /// Each pass that ran, with the number of places it changed.
    pub passes: Vec<(&'static str, usize)>,
    /// What was assumed, each sentence once, in the order in which it came up.
    pub assumptions: Vec<String>,
}

const SSA: Pass = Pass { name: "ssa", run: |module| (stack::run(module) + ssa::run(module)).into() };
const BRANCHES: Pass = Pass { name: "branches", run: |module| branches::run(module).into() };
const VALUES: Pass = Pass { name: "values", run: |module| number::run(module, fold::Rules::Exact) };
const DEAD: Pass = Pass { name: "dead", run: |module| dead::run(module).into() };
const INLINE: Pass = Pass { name: "inline", run: |module| inline::run(module).into() };
const SELECT: Pass = Pass { name: "select", run: |module| select::run(module).into() };

const MASKS: Pass = Pass { name: "masks", run: |module| (masks::run(module) + agree::run(module)).into() };
const FLAGS: Pass = Pass { name: "flags", run: |module| flags::run(module).into() };
const CHOICES: Pass = Pass { name: "choices", run: choices };
const KNOWN: Pass = Pass { name: "implied", run: |module| implied::run(module, fold::Rules::Exact) };
const IMPLIED: Pass = Pass { name: "implied", run: |module| implied::run(module, fold::Rules::Finite) };
const SINK: Pass = Pass { name: "sink", run: |module| sink::run(module).into() };
const LATER: Pass = Pass { name: "later", run: |module| later::run(module).into() };
const CANCEL: Pass = Pass { name: "cancel", run: cancel::run };
const DEMOTES: Pass = Pass { name: "demotes", run: |module| demotes::run(module).into() };
const LEAVES: Pass = Pass { name: "leaves", run: |module| leaves::run(module).into() };
const CASES: Pass = Pass { name: "cases", run: |module| cases::run(module).into() };

const ROUNDED: Pass = Pass { name: "rounding", run: rounding::run };
const SCALED: Pass = Pass { name: "scaled", run: scaled::run };
const FREXPS: Pass = Pass { name: "frexp", run: frexp::run };
const FLUSHES: Pass = Pass { name: "flush", run: flush::run };
const PICKED: Pass = Pass { name: "picked", run: picked::run };
const TURNS: Pass = Pass { name: "turns", run: turns::run };
const CUBES: Pass = Pass { name: "cube", run: cube::run };
const DIVISORS: Pass = Pass { name: "divisors", run: divisors::run };
const DIVIDED: Pass = Pass { name: "divided", run: divided::run };
const OVERWRITTEN: Pass = Pass { name: "overwritten", run: overwritten::run };
const SQUARES: Pass = Pass { name: "squares", run: squares::run };
const INVERSES: Pass = Pass { name: "inverse", run: inverse::run };
const CROSSES: Pass = Pass { name: "cross", run: cross::run };
const COMPOUNDS: Pass = Pass { name: "compounds", run: compounds::run };
const TEXELS: Pass = Pass { name: "texels", run: |module| texels::run(module).into() };
const PARTS: Pass = Pass { name: "product", run: |module| product::run(module).into() };
const CHOSEN: Pass = Pass { name: "chosen", run: |module| chosen::run(module).into() };
const DOUBLES: Pass = Pass { name: "doubles", run: |module| doubles::run(module).into() };
const LACKS: Pass = Pass { name: "lacks", run: lacks::run };
const BUFFERS: Pass = Pass { name: "storage", run: storage::run };
const FIELDS: Pass = Pass { name: "bits", run: |module| bits::run(module, bits::Inputs::Any) };
const BOUNDED: Pass = Pass { name: "fields", run: |module| bits::run(module, bits::Inputs::Bounded) };
const FUSED: Pass = Pass { name: "fused", run: fused::run };
const SUMS: Pass = Pass { name: "dot", run: dot::run };
const INDICES: Pass = Pass { name: "index", run: index::run };
const STRIDES: Pass = Pass { name: "strides", run: strides::run };
const PRODUCTS: Pass = Pass { name: "multiply", run: multiply::run };
const NUMBERS: Pass = Pass { name: "numbers", run: |module| number::run(module, fold::Rules::Finite) };
const QUOTIENTS: Pass = Pass { name: "quotient", run: quotient::run };
const DIVISIONS: Pass = Pass { name: "division", run: division::run };
const VECTORS: Pass = Pass { name: "vector", run: vector::run };
const TRUTHS: Pass = Pass { name: "truth", run: truth::run };
const MEMBERS: Pass = Pass { name: "members", run: members::run };
const TABLES: Pass = Pass { name: "tables", run: tables::run };
const TERMS: Pass = Pass { name: "terms", run: terms::run };
const SPELLED: Pass = Pass { name: "spelled", run: spelled::run };
const LOCALS: Pass = Pass { name: "locals", run: |module| locals::run(module).into() };
const UNASKED: Pass = Pass { name: "unasked", run: unasked::run };
const SCRATCH: Pass = Pass { name: "scratch", run: scratch::run };
const CHAINS: Pass = Pass { name: "chain", run: chain::run };
const EXTREMES: Pass = Pass { name: "extremes", run: extremes::run };
const SIGNS: Pass = Pass { name: "signs", run: signs::run };
const VARYINGS: Pass = Pass { name: "varyings", run: |module| varyings::run(module).into() };
const WHOLE: Pass = Pass { name: "whole", run: whole::run };
const ROLLED: Pass = Pass { name: "rolled", run: rolled::run };
const REFRACTS: Pass = Pass { name: "refract", run: refract::run };
const NORMS: Pass = Pass { name: "norms", run: norms::run };
const TRANSCENDENT: Pass = Pass { name: "transcendent", run: transcendent::run };
const FUNCTIONS: Pass = Pass { name: "function", run: function::run };

/// Conditions with nothing on either side; what follows from their being choices.
fn choices(module: &mut Module) -> Changes {
    let count = select::bare(module);
    if count == 0 {
        return Changes::default();
    }
    branches::run(module);
    let numbers = number::run(module, fold::Rules::Finite);
    dead::run(module);
    Changes { count: count + numbers.count, assumptions: numbers.assumptions }
}

/// The passes that make source as a person writes it. Dot products are found first, while their terms still
/// stand as the machine's instruction had them. What only compilers of shading languages spell out is looked
/// for in modules that say they come from one ([`Module::from_shading_language`]).
pub fn readable() -> &'static [Pass] {
    &[
        SSA,
        BUFFERS,
        LACKS,
        SCALED,
        FREXPS,
        DEAD,
        ROUNDED,
        DEAD,
        FLUSHES,
        FUSED,
        CUBES,
        SUMS,
        STRIDES,
        INDICES,
        PRODUCTS,
        TURNS,
        DEMOTES,
        BRANCHES,
        INLINE,
        LOCALS,
        NUMBERS,
        INDICES,
        PARTS,
        BOUNDED,
        NUMBERS,
        QUOTIENTS,
        DIVISORS,
        MASKS,
        IMPLIED,
        BRANCHES,
        NUMBERS,
        FLAGS,
        MASKS,
        NUMBERS,
        IMPLIED,
        BRANCHES,
        NUMBERS,
        DEAD,
        OVERWRITTEN,
        SINK,
        CASES,
        LEAVES,
        BRANCHES,
        NUMBERS,
        CANCEL,
        NUMBERS,
        PICKED,
        EXTREMES,
        INVERSES,
        CROSSES,
        SIGNS,
        TRUTHS,
        CHOICES,
        ROLLED,
        MEMBERS,
        TABLES,
        TERMS,
        CHAINS,
        SELECT,
        BRANCHES,
        MASKS,
        IMPLIED,
        NUMBERS,
        EXTREMES,
        TRUTHS,
        SPELLED,
        DIVIDED,
        CANCEL,
        DIVISIONS,
        SQUARES,
        NUMBERS,
        CHOSEN,
        DOUBLES,
        VECTORS,
        REFRACTS,
        FUNCTIONS,
        COMPOUNDS,
        TRANSCENDENT,
        NORMS,
        NUMBERS,
        UNASKED,
        BRANCHES,
        DEAD,
        SCRATCH,
        LOCALS,
        WHOLE,
        TEXELS,
        LATER,
        VARYINGS,
    ]
}

/// The passes that keep every bit.
pub fn strict() -> &'static [Pass] {
    &[
        SSA, BUFFERS, DEAD, BRANCHES, INLINE, VALUES, PARTS, FIELDS, MASKS, KNOWN, BRANCHES, VALUES, FLAGS,
        MASKS, VALUES, BRANCHES, DEAD, SINK, CASES, SELECT, MASKS, KNOWN, BRANCHES, VALUES, LEAVES, BRANCHES,
        KNOWN, DEAD, TEXELS, LATER, VARYINGS,
    ]
}

/// Runs passes in order. With `stop_after` only that many of them run, so that the first one that breaks
/// something can be found by bisecting.
///
/// A pass that comes again does nothing where neither it nor any other has changed something since: it is not run, and
/// reported with no changes.
pub fn run(module: &mut Module, passes: &[Pass], stop_after: Option<usize>) -> Report {
    let mut report = Report::default();
    // Those that found nothing to do in the module as it is now.
    let mut idle: SmallVec<[&'static str; 64]> = SmallVec::new();
    for pass in &passes[..stop_after.unwrap_or(passes.len()).min(passes.len())] {
        // What has no business here is not mentioned.
        if !module.from_shading_language
            && [CHAINS, CHOICES, EXTREMES, INVERSES, PICKED, SIGNS, TRUTHS, TERMS, SPELLED]
                .iter()
                .any(|own| own.name == pass.name)
        {
            continue;
        }
        if idle.contains(&pass.name) {
            report.passes.push((pass.name, 0));
            continue;
        }
        let changes = (pass.run)(module);
        report.passes.push((pass.name, changes.count));
        if changes.count > 0 {
            idle.clear();
        } else {
            idle.push(pass.name);
        }
        for assumption in changes.assumptions {
            // What another one says too is said once.
            if !report.assumptions.iter().any(|known| known.contains(assumption)) {
                report.assumptions.retain(|known| !assumption.contains(known.as_str()));
                report.assumptions.push(assumption.to_owned());
            }
        }
    }
    report
}

#[cfg(test)]
mod tests;
