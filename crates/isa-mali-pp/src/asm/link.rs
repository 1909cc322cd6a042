//! Places of all instructions, and what follows from them: sizes, distances, the control words.

use super::{Assembled, Draft, Place, Program, What};
use crate::print::usual_control;
use crate::table::{Branch, Control, Field};
use crate::{encode, field_bits, words_needed};
use std::collections::{BTreeMap, btree_map::Entry};
use std::ops::Range;
use unshade_bytes::Diagnostic;
use unshade_isa_common::assembly::Problem;

/// Branches reach so far in either direction.
const REACH: i64 = 1 << 26;

impl Program {
    /// Makes the code.
    pub(super) fn link(mut self) -> Result<Assembled, Vec<Diagnostic>> {
        let statements = std::mem::take(&mut self.statements);
        let mut starts = Vec::with_capacity(statements.len() + 1);
        let mut counts = Vec::with_capacity(statements.len());
        let mut at = 0_u32;
        for statement in &statements {
            starts.push(at);
            let (count, words) = match &statement.what {
                What::Word(_) => (0, 1),
                What::Inst(draft) => match count(draft, &statement.span) {
                    Ok(count) => (count, count),
                    Err(problem) => {
                        self.error(problem);
                        (1, 1)
                    }
                },
            };
            counts.push(count);
            at = at.saturating_add(words);
        }
        starts.push(at);
        let labels = self.labels(&starts);
        let mut out = Assembled::default();
        for (n, statement) in statements.into_iter().enumerate() {
            out.origins.push((starts[n], statement.span.start));
            match statement.what {
                What::Word(word) => out.words.push(word),
                What::Inst(mut draft) => {
                    let next = counts.get(n + 1).copied().unwrap_or(0);
                    let size = |at: i64| {
                        let at = u32::try_from(at).ok()?;
                        counts.get(starts.binary_search(&at).ok()?).copied()
                    };
                    if let Err(problem) = finish(&mut draft, starts[n], counts[n], next, &labels, size) {
                        self.error(problem);
                    }
                    out.discards |= draft.inst.discards();
                    let last = n + 1 == counts.len() && draft.inst.control.stop() == 0;
                    let goes_on =
                        draft.inst.branch_distance().is_none() || draft.inst.branch.condition() != 7;
                    if last && goes_on {
                        let message = "the program can run past its end: the last instruction does not stop";
                        self.warn(Problem::new("mali-pp.asm.no-stop", statement.span, message));
                    }
                    encode(&draft.inst, &mut out.words);
                }
            }
        }
        if !self.errors.is_empty() {
            self.errors.sort_by_key(|error| match &error.location {
                unshade_bytes::Location::Text { span, .. } => span.start,
                _ => 0,
            });
            return Err(self.errors);
        }
        out.warnings = self.warnings;
        Ok(out)
    }

    /// Word of each label; those that stand twice are errors.
    fn labels(&mut self, starts: &[u32]) -> BTreeMap<String, u32> {
        let mut places = BTreeMap::new();
        for (name, span, statement) in std::mem::take(&mut self.labels) {
            let word = starts.get(statement).copied().unwrap_or_default();
            match places.entry(name) {
                Entry::Vacant(place) => {
                    place.insert(word);
                }
                Entry::Occupied(place) => {
                    let message = format!("the label `{}` stands twice", place.key());
                    self.error(Problem::new("mali-pp.asm.label-twice", span, message));
                }
            }
        }
        places
    }
}

/// Words of an instruction: as many as it needs, or as many as the text says.
fn count(draft: &Draft, span: &Range<usize>) -> Result<u32, Box<Problem>> {
    let fields = draft.inst.control.fields();
    let tail = match draft.inst.tail.iter().rposition(|word| *word != 0) {
        Some(last) => 32 * last as u32 + (32 - draft.inst.tail[last].leading_zeros()),
        None => 0,
    };
    let needed = 1 + (field_bits(fields) + tail).div_ceil(32);
    let said = draft.control.iter().rev().find(|(part, _)| part.name == "count");
    let count = said.map_or(words_needed(fields), |(_, value)| *value);
    if count < needed || needed > 31 {
        let message =
            format!("the instruction needs {needed} words, which is more than its count of {count}");
        return Err(Problem::new("mali-pp.asm.count", span.clone(), message));
    }
    Ok(count)
}

/// Fills in what the neighbours determine.
fn finish(
    draft: &mut Draft,
    at: u32,
    count: u32,
    next: u32,
    labels: &BTreeMap<String, u32>,
    size: impl Fn(i64) -> Option<u32>,
) -> Result<(), Box<Problem>> {
    let inst = &mut draft.inst;
    if let Some(target) = &draft.target {
        let place = match &target.place {
            Place::Word(word) => *word,
            Place::Label(name) => match labels.get(name) {
                Some(word) => (*word).into(),
                None => {
                    let message = format!("there is no label `{name}`");
                    return Err(Problem::new("mali-pp.asm.unknown-label", target.span.clone(), message));
                }
            },
        };
        let distance = place - i64::from(at);
        if !(-REACH..REACH).contains(&distance) {
            let message = format!("a branch reaches {REACH} words, but this target is {distance} away");
            return Err(Problem::new("mali-pp.asm.range", target.span.clone(), message));
        }
        let branch = inst.branch.with_target(distance as u32).with_target_count(size(place).unwrap_or(0));
        inst.branch =
            Branch(draft.branch.iter().fold(branch.0, |bits, (part, value)| part.set(bits, *value)));
    }
    let sync = draft.sync.unwrap_or_else(|| inst.needs_sync());
    inst.control = usual_control(inst, next).with_sync(sync.into()).with_count(count);
    let fields = inst.control.fields();
    let control =
        draft.control.iter().fold(u128::from(inst.control.0), |bits, (part, value)| part.set(bits, *value));
    // Fields are those that stand there.
    inst.control = Control(control as u32).with_fields(fields);
    debug_assert!(Field::ALL.iter().all(|field| inst.has(*field) == (fields & field.bit() != 0)));
    Ok(())
}
