//! From a program to those that look like it: by signature to find them, by their instructions side by side to tell how
//! much they have in common.

use crate::{
    catalog::Catalog,
    fingerprint::{Fingerprint, Instruction, Signature, fingerprint, instructions},
    load,
    row::Row,
    scan,
    stage::hex,
};
use serde::Serialize;
use unshade::{Stage, diff::align, report::code_hash};

/// Places of one program that are kept; more are counted.
pub const PLACES: usize = 1000;
/// Programs whose instructions are looked at, for each that is wanted: a signature orders those that are near each other
/// only about.
const LOOKED_AT: usize = 20;
/// The same at least.
const LEAST_LOOKED_AT: usize = 200;

/// A program that others are compared with.
#[derive(Debug, Clone)]
pub struct Subject {
    isa: &'static str,
    code_hash: String,
    looks: Fingerprint,
    instructions: Vec<Instruction>,
}

impl Subject {
    /// Takes in what a program looks like.
    pub fn new(stage: &Stage<'_>) -> Self {
        Self {
            isa: stage.isa.name(),
            code_hash: hex(code_hash(stage)),
            looks: fingerprint(stage),
            instructions: instructions(stage),
        }
    }
}

/// What two programs have in common.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Relation {
    /// They are the same program.
    Same,
    /// They differ in what registers and labels are called and in the values of constants.
    Renamed,
    /// They look alike.
    Alike,
}

/// Two programs side by side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Aligned {
    /// Instructions of the same operation with the same kinds of operands, in the same order.
    pub alike: u64,
    /// Those of them that are equal to the last operand.
    pub equal: u64,
    /// Instructions of the program that was asked about.
    pub here: u64,
    /// Instructions of the one that was found.
    pub there: u64,
}

impl Aligned {
    /// Aligns two programs.
    pub fn new(here: &[Instruction], there: &[Instruction]) -> Self {
        let looks = |all: &[Instruction]| all.iter().map(|one| one.looks).collect::<Vec<_>>();
        let runs = align(&looks(here), &looks(there)).runs;
        let pairs = runs.iter().flat_map(|run| {
            let side = |all: &'_ [Instruction], from: usize| {
                all.iter().skip(from).take(run.len).copied().collect::<Vec<_>>()
            };
            side(here, run.old).into_iter().zip(side(there, run.new))
        });
        let equal = pairs.filter(|(one, other)| one.exact == other.exact).count() as u64;
        let alike = runs.iter().map(|run| run.len as u64).sum();
        Self { alike, equal, here: here.len() as u64, there: there.len() as u64 }
    }

    /// The share of instructions that are alike, of all that both have: 0.0 to 1.0.
    pub fn share(&self) -> f64 {
        let all = self.here.saturating_add(self.there);
        if all == 0 { 1.0 } else { self.alike.saturating_mul(2) as f64 / all as f64 }
    }
}

/// A program that was found.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Match {
    /// How it is to the program that was asked about.
    pub relation: Relation,
    /// How much of both is alike, 0.0 to 1.0: by their instructions side by side, or, where the program could not be read
    /// again, by their signatures.
    pub share: f64,
    /// The instructions side by side.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub aligned: Option<Aligned>,
    /// Why they are not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unread: Option<String>,
    /// Hash of the program, as `ls` prints it.
    pub code_hash: String,
    /// Which step of the pipeline it is for.
    pub kind: String,
    /// Instructions in it.
    pub instructions: u64,
    /// Options or macros that it was compiled for, where it was seen first.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub options: String,
    /// How often it occurs.
    pub count: u64,
    /// Where, in the order of the catalogs: the first [`PLACES`] of them.
    pub places: Vec<String>,
}

/// What `similar --json` prints for a program.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Report {
    /// Hash of the program that was asked about.
    pub code_hash: String,
    /// Its instructions.
    pub instructions: u64,
    /// How many programs of its instruction set were compared with it, every place of the same one counted.
    pub compared: u64,
    /// The nearest first; the program itself, where the catalogs have it, and behind it at most as many as were asked for.
    pub found: Vec<Match>,
}

/// A program of the catalog that may be near.
struct Candidate {
    near: f64,
    row: Row,
    count: u64,
    places: Vec<String>,
}

/// The `count` programs of catalogs that look most like one, and the program itself.
///
/// # Errors
/// Where a catalog cannot be read.
pub fn similar(subject: &Subject, catalogs: &[Catalog], count: usize) -> Result<Report, scan::Error> {
    let kept = count.saturating_mul(LOOKED_AT).max(LEAST_LOOKED_AT);
    let mut candidates: Vec<Candidate> = Vec::new();
    let mut compared = 0_u64;
    for catalog in catalogs {
        for row in catalog.rows()? {
            let row = row.map_err(catalog.fault())?;
            if !row.is_stage() || row.isa != subject.isa {
                continue;
            }
            compared += 1;
            take(subject, row, &mut candidates, kept);
        }
    }
    let mut found: Vec<Match> =
        candidates.into_iter().map(|candidate| side_by_side(subject, candidate)).collect();
    // Of equal shares the one with more equal instructions, then the order of the catalogs.
    let equal = |one: &Match| one.aligned.map_or(0, |aligned| aligned.equal);
    found.sort_by(|one, other| {
        (one.relation as u8)
            .cmp(&(other.relation as u8))
            .then(other.share.total_cmp(&one.share))
            .then(equal(other).cmp(&equal(one)))
    });
    let itself = found.iter().filter(|one| one.relation == Relation::Same).count();
    found.truncate(count.saturating_add(itself));
    Ok(Report {
        code_hash: subject.code_hash.clone(),
        instructions: subject.instructions.len() as u64,
        compared,
        found,
    })
}

/// Keeps a row where its program is among the nearest so far.
fn take(subject: &Subject, row: Row, candidates: &mut Vec<Candidate>, kept: usize) {
    let near = match row.signature.parse::<Signature>() {
        _ if row.code_hash == subject.code_hash => f64::INFINITY,
        Ok(signature) => subject.looks.signature.alike(&signature),
        // A table that somebody else wrote.
        Err(_) => return,
    };
    let place = row.place();
    if let Some(known) = candidates.iter_mut().find(|known| known.row.code_hash == row.code_hash) {
        known.count += 1;
        if known.places.len() < PLACES {
            known.places.push(place);
        }
        return;
    }
    // A program that was dropped comes back no nearer, so the places of those that are kept are all of them.
    let at = candidates.partition_point(|known| known.near >= near);
    if at < kept {
        candidates.insert(at, Candidate { near, row, count: 1, places: vec![place] });
        candidates.truncate(kept);
    }
}

fn side_by_side(subject: &Subject, candidate: Candidate) -> Match {
    let Candidate { near, row, count, places } = candidate;
    let same = row.code_hash == subject.code_hash;
    let loaded = match same {
        true => Ok(subject.instructions.clone()),
        false => load::stage(&row).map(|stage| instructions(&stage)),
    };
    let (aligned, unread) = match loaded {
        Ok(there) => (Some(Aligned::new(&subject.instructions, &there)), None),
        Err(why) => (None, Some(why)),
    };
    let relation = match row.normal_hash == hex(subject.looks.normal) {
        _ if same => Relation::Same,
        true => Relation::Renamed,
        false => Relation::Alike,
    };
    let share = aligned.map_or(near, |aligned| aligned.share());
    Match {
        relation,
        share,
        aligned,
        unread,
        code_hash: row.code_hash,
        kind: row.kind,
        instructions: row.instructions,
        options: row.options,
        count,
        places,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use unshade::{Isa, assemble_code, raw_stage, words_from_bytes};

    fn program(operations: &[&str], register: u32) -> Stage<'static> {
        let lines: Vec<String> = operations
            .iter()
            .enumerate()
            .map(|(at, operation)| format!("  {at} x: {operation} R{register}.x, R{register}.y, R0.z\n"))
            .collect();
        let count = operations.len();
        let text = format!("00 ALU: ADDR(32) CNT({count})\n{}END_OF_PROGRAM\n", lines.concat());
        let code = assemble_code(Isa::Latte, &text).map_err(|found| found[0].to_string());
        let words = code.and_then(|code| words_from_bytes(&code).map_err(|error| error.to_string()));
        raw_stage(Isa::Latte, words.unwrap_or_default(), Vec::new())
    }

    #[test]
    fn instructions_side_by_side() {
        let of = |operations: &[&str], register| instructions(&program(operations, register));
        let first = of(&["ADD", "MUL", "MAX", "MIN"], 1);
        let same = Aligned::new(&first, &first);
        assert_eq!((same.alike, same.equal, same.share()), (same.here, same.here, 1.0));
        let renamed = Aligned::new(&first, &of(&["ADD", "MUL", "MAX", "MIN"], 2));
        assert!(renamed.share() > 0.999 && renamed.equal < renamed.alike, "{renamed:?}");
        let shorter = Aligned::new(&first, &of(&["ADD", "MAX", "MIN"], 1));
        assert_eq!((shorter.there + 1, shorter.alike), (shorter.here, shorter.there));
        assert!(shorter.share() < 1.0 && shorter.share() > 0.7);
        assert_eq!(Aligned::new(&[], &[]).share(), 1.0);
        assert_eq!(Aligned::new(&first, &[]).share(), 0.0);
    }

    /// Whatever the order of the rows, the nearest are kept with all of their places.
    #[test]
    fn the_nearest_are_kept() {
        let subject = Subject::new(&program(&["ADD", "MUL", "MAX", "MIN", "ADD", "DOT4"], 1));
        let row = |hash: usize, same: usize, place: usize| {
            // A signature that agrees in so many bytes.
            let mut bytes = subject.looks.signature.0;
            bytes.iter_mut().skip(same).for_each(|byte| *byte ^= 0xff);
            Row {
                record: "stage".to_owned(),
                isa: "latte".to_owned(),
                code_hash: format!("{hash:016x}"),
                signature: Signature(bytes).to_string(),
                path: format!("{place}"),
                ..Row::default()
            }
        };
        for turn in 0..7 {
            let mut candidates = Vec::new();
            let mut rows: Vec<Row> = (0..40).map(|at| row(at / 2, 20 + 2 * (at / 2), at)).collect();
            rows.rotate_left(turn * 5);
            rows.into_iter().for_each(|row| take(&subject, row, &mut candidates, 5));
            let hashes: Vec<&str> = candidates.iter().map(|one| &one.row.code_hash[14..]).collect();
            assert_eq!(hashes, ["13", "12", "11", "10", "0f"]);
            assert!(candidates.iter().all(|one| one.count == 2 && one.places.len() == 2));
        }
    }
}
