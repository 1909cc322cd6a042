//! Places of everything, and the words.

use super::flow::{Flow, Named, Place, finish};
use super::read::{Draft, Step, What};
use super::{Assembled, Findings, MOST_UNITS};
use crate::fields::CfNormal;
use crate::inst::Cf;
use crate::table::CfOp;
use std::collections::BTreeMap;
use std::ops::Range;
use unshade_isa_common::assembly::{Problem, Result};

/// Makes the code.
pub(super) fn link(mut draft: Draft, findings: &mut Findings) -> Assembled {
    end(&mut draft);
    for step in &mut draft.flow {
        if let What::Flow(flow) = &step.what
            && let Some((count, _)) = &flow.count
            && flow.op.is_alu()
        {
            step.clause.settle(*count);
        }
    }
    let addresses = addresses(&draft, findings);
    if !findings.errors.is_empty() {
        return Assembled::default();
    }
    let targets = Targets::new(&draft, &addresses, findings);
    let clauses = clauses(&draft, &addresses, findings);
    let by_structure = structured(&draft.flow, &addresses);
    let mut image = Image::default();
    let mut origins = Vec::new();
    for (index, step) in draft.flow.iter().enumerate() {
        let at = addresses.get(index).copied().unwrap_or(0);
        origins.push((at.saturating_mul(2), step.span.start));
        let place = clauses.get(index).copied().flatten();
        match step_bits(step, at, place, &targets, by_structure.get(index).copied().flatten()) {
            Ok(cf) => image.put(at, &[cf.0], &step.span, findings),
            Err(problem) => findings.error(problem),
        }
        if let Some(first) = place.filter(|_| !step.clause.units.is_empty()) {
            image.put(first, &step.clause.units, &step.span, findings);
            let lines = step.clause.origins.iter();
            origins.extend(lines.map(|(unit, line)| (first.saturating_add(*unit).saturating_mul(2), *line)));
        }
    }
    let mut odd = None;
    for data in &draft.data {
        let (pairs, rest) = data.words.as_chunks::<2>();
        let units: Vec<u64> =
            pairs.iter().map(|[low, high]| u64::from(*high) << 32 | u64::from(*low)).collect();
        image.put(data.at, &units, &data.span, findings);
        if let [word] = rest {
            let at = data.at.saturating_add(units.len() as u32);
            if let Some((_, _, span)) = odd.replace((at, *word, data.span.clone())) {
                let message = "an odd number of words, which only the end of a program can have";
                findings.error(Problem::new("latte.asm.word", span, message));
            }
        }
    }
    let mut words = image.words(draft.size, findings);
    if let Some((at, word, span)) = odd {
        if words.len() as u64 > 2 * u64::from(at) {
            let message = "an odd number of words, which only the end of a program can have";
            findings.error(Problem::new("latte.asm.word", span, message));
        } else if at <= MOST_UNITS {
            words.resize(2 * at as usize, 0);
            words.push(word);
        }
    }
    Assembled { words, warnings: Vec::new(), origins }
}

/// Without any end in the text, the last instruction ends the program, as decaf's assembler has it.
fn end(draft: &mut Draft) {
    let ends = |step: &Step| match &step.what {
        What::Flow(_) => step.ends,
        What::Raw(bits) => step.ends || Cf(*bits).ends_program(),
    };
    if draft.unended || draft.flow.iter().any(ends) {
        return;
    }
    let Some(last) = draft.flow.last_mut() else { return };
    match last.what.op() {
        Some(CfOp::Return) => {}
        Some(op) if op.is_alu() => {
            let flow = Flow {
                op: CfOp::Nop,
                bits: CfNormal(0).with_barrier(1).0,
                address: None,
                count: None,
                parts: Vec::new(),
            };
            let span = last.span.clone();
            let what = What::Flow(Box::new(flow));
            draft.flow.push(Step {
                number: None,
                at: None,
                what,
                ends: true,
                clause: Default::default(),
                span,
            });
        }
        _ => last.ends = true,
    }
}

/// Addresses of the control flow.
fn addresses(draft: &Draft, findings: &mut Findings) -> Vec<u32> {
    let mut next = 0_u32;
    let mut all = Vec::with_capacity(draft.flow.len());
    for step in &draft.flow {
        next = step.at.unwrap_or(next);
        all.push(next);
        next = next.saturating_add(1);
        if next > MOST_UNITS {
            findings.error(too_far(step.span.clone()));
            break;
        }
    }
    all
}

fn too_far(span: Range<usize>) -> Box<Problem> {
    Problem::new("latte.asm.size", span, format!("a program has at most {MOST_UNITS} units"))
}

/// What jumps can name.
struct Targets<'a> {
    /// Address of each number; `None` where it stands twice.
    numbers: BTreeMap<u32, Option<u32>>,
    labels: BTreeMap<&'a str, u32>,
}

impl<'a> Targets<'a> {
    fn new(draft: &'a Draft, addresses: &[u32], findings: &mut Findings) -> Self {
        let mut numbers = BTreeMap::new();
        for (step, address) in draft.flow.iter().zip(addresses) {
            if let Some(number) = step.number {
                numbers.entry(number).and_modify(|place| *place = None).or_insert(Some(*address));
            }
        }
        let mut labels = BTreeMap::new();
        let end = addresses.last().map_or(0, |last| last.saturating_add(1));
        for (name, span, step) in &draft.labels {
            let address = addresses.get(*step).copied().unwrap_or(end);
            if labels.insert(&**name, address).is_some() {
                let message = format!("the label `{name}` stands twice");
                findings.error(Problem::new("latte.asm.label", span.clone(), message));
            }
        }
        Self { numbers, labels }
    }

    fn address(&self, place: &Place) -> Result<u32> {
        match &place.what {
            Named::Number(number) => match self.numbers.get(number) {
                Some(Some(address)) => Ok(*address),
                None => Ok(*number),
                Some(None) => {
                    let message = format!("the number {number} stands in front of two instructions");
                    Err(Problem::new("latte.asm.label", place.span.clone(), message)
                        .note("give one of them another number, or put a label in front: `name:`"))
                }
            },
            Named::Label(name) => self.labels.get(&**name).copied().ok_or_else(|| {
                let message = format!("there is no label `{name}`");
                Problem::new("latte.asm.label", place.span.clone(), message)
            }),
        }
    }
}

/// First units of the clauses, for each instruction that starts one.
fn clauses(draft: &Draft, addresses: &[u32], findings: &mut Findings) -> Vec<Option<u32>> {
    let mut all = vec![None; draft.flow.len()];
    let mut sizes = Vec::new();
    let mut steps = Vec::new();
    for (index, step) in draft.flow.iter().enumerate() {
        let What::Flow(flow) = &step.what else { continue };
        if !step.clause.units.is_empty() {
            sizes.push((flow.op.is_fetch(), step.clause.units.len() as u32));
            steps.push((index, explicit(flow)));
        } else if let Some(place) = all.get_mut(index) {
            *place = explicit(flow);
        }
    }
    // The first stretch of control flow, from the start of the program.
    let mut behind = 0;
    while addresses.get(behind as usize) == Some(&behind) {
        behind += 1;
    }
    let mut far = None;
    draft.policy.place(behind, &sizes, |number, free| {
        let Some((index, said)) = steps.get(number) else { return free };
        let first = said.unwrap_or(free);
        if first > MOST_UNITS {
            far = Some(*index);
        }
        if let Some(place) = all.get_mut(*index) {
            *place = Some(first);
        }
        first
    });
    if let Some(step) = far.and_then(|index| draft.flow.get(index)) {
        findings.error(too_far(step.span.clone()));
    }
    all
}

/// The address of a clause that the text gives. Clauses have no names.
fn explicit(flow: &Flow) -> Option<u32> {
    match flow.address.as_ref()?.what {
        Named::Number(number) => Some(number),
        Named::Label(_) => None,
    }
}

fn step_bits(
    step: &Step,
    at: u32,
    place: Option<u32>,
    targets: &Targets<'_>,
    by_structure: Option<u32>,
) -> Result<Cf> {
    let flow = match &step.what {
        What::Raw(bits) => return Ok(ended(Cf(*bits), step.ends)),
        What::Flow(flow) => flow,
    };
    let op = flow.op;
    let cf = if op.is_alu() || op.is_fetch() {
        let units = step.clause.units.len() as u32;
        let length = if op.is_alu() { units } else { units / 2 };
        let count = match &flow.count {
            None if units == 0 => {
                let message = "the clause is empty";
                return Err(Problem::new("latte.asm.clause", step.span.clone(), message)
                    .note("`ADDR` and `CNT` give the place of a clause that stands elsewhere"));
            }
            None => length,
            Some((count, span)) if units != 0 && *count != length => {
                let message = format!("the clause has {length}, not {count}");
                return Err(Problem::new("latte.asm.count", span.clone(), message)
                    .note("without `CNT` it is counted"));
            }
            Some((count, _)) => *count,
        };
        let most = if op.is_alu() { 128 } else { 16 };
        if count > most {
            let what = if op.is_alu() { "units, literals included" } else { "instructions" };
            let message = format!("a clause has at most {most} {what}, but this has {count}");
            return Err(Problem::new("latte.asm.clause", step.span.clone(), message));
        }
        let Some(first) = place else {
            let message = "the address of the clause is missing";
            return Err(Problem::new("latte.asm.clause", step.span.clone(), message)
                .note("without instructions a clause needs `ADDR` as well as `CNT`"));
        };
        if op.is_alu() && first >= 1 << 22 {
            let message = "a clause of arithmetic starts below 4194304";
            return Err(Problem::new("latte.asm.clause", step.span.clone(), message));
        }
        finish(flow, first, count)
    } else {
        let address = match (&flow.address, op.unsaid_target(at)) {
            (Some(place), _) => targets.address(place)?,
            (None, Some(address)) => address,
            (None, None) => by_structure.ok_or_else(|| {
                let message = format!("it does not follow where `{}` goes", op.name());
                Problem::new("latte.asm.target", step.span.clone(), message).note("say it with `ADDR(...)`")
            })?,
        };
        finish(flow, address, 0)
    };
    Ok(ended(cf, step.ends))
}

fn ended(cf: Cf, ends: bool) -> Cf {
    if ends { Cf(cf.normal().with_end_of_program(1).0) } else { cf }
}

/// Targets of jumps and loops by what stands around them, for all instructions at once; `None` where that does not
/// tell.
fn structured(all: &[Step], addresses: &[u32]) -> Vec<Option<u32>> {
    let mut targets = vec![None; all.len()];
    let place = |step: usize| addresses.get(step).copied();
    let behind = |step: usize| place(step).map(|at| at.saturating_add(1));
    let mut set = |step: usize, target: Option<u32>| {
        if let Some(place) = targets.get_mut(step) {
            *place = target;
        }
    };
    // Starts of open loops, each with the instructions that lead to its end.
    let mut loops: Vec<(usize, Vec<usize>)> = Vec::new();
    // For each mask that was pushed the jumps that wait for its `ELSE` or `POP`; the first one is for those that
    // stand behind no push.
    let mut masks: Vec<Vec<usize>> = vec![Vec::new()];
    for (at, step) in all.iter().enumerate() {
        let Some(op) = step.what.op() else { continue };
        let pops = match &step.what {
            What::Flow(flow) => CfNormal(flow.bits).pop_count(),
            What::Raw(bits) => CfNormal(*bits).pop_count(),
        };
        match op {
            CfOp::LoopStart | CfOp::LoopStartDx10 | CfOp::LoopStartNoAl => loops.push((at, Vec::new())),
            CfOp::LoopBreak | CfOp::LoopContinue => {
                if let Some((_, waiting)) = loops.last_mut() {
                    waiting.push(at);
                }
            }
            CfOp::LoopEnd => {
                if let Some((start, waiting)) = loops.pop() {
                    set(at, behind(start));
                    set(start, behind(at));
                    waiting.into_iter().for_each(|step| set(step, place(at)));
                }
            }
            CfOp::Push | CfOp::AluPushBefore => masks.push(Vec::new()),
            CfOp::Jump => {
                if let Some(waiting) = masks.last_mut() {
                    waiting.push(at);
                }
            }
            CfOp::Else | CfOp::AluElseAfter => {
                if let Some(waiting) = masks.last_mut() {
                    let target = if op == CfOp::Else { place(at) } else { behind(at) };
                    waiting.drain(..).for_each(|step| set(step, target));
                    waiting.push(at);
                }
            }
            CfOp::Pop | CfOp::AluPopAfter | CfOp::AluPop2After => {
                let count = match op {
                    CfOp::Pop => pops.max(1),
                    CfOp::AluPopAfter => 1,
                    _ => 2,
                };
                for _ in 0..count {
                    let Some(waiting) = masks.pop() else { break };
                    for step in waiting {
                        // A jump that pops by itself passes the `POP`.
                        let itself = match all.get(step).map(|step| &step.what) {
                            Some(What::Flow(flow)) => CfNormal(flow.bits).pop_count() > 0,
                            _ => false,
                        };
                        set(step, if itself || op != CfOp::Pop { behind(at) } else { place(at) });
                    }
                }
                if masks.is_empty() {
                    masks.push(Vec::new());
                }
            }
            _ => {}
        }
    }
    targets
}

/// Units that have been placed.
#[derive(Debug, Default)]
struct Image {
    units: Vec<u64>,
    /// For each unit whether it is taken.
    taken: Vec<bool>,
}

impl Image {
    fn put(&mut self, at: u32, units: &[u64], span: &Range<usize>, findings: &mut Findings) {
        let end = u64::from(at) + units.len() as u64;
        if end > u64::from(MOST_UNITS) {
            return findings.error(too_far(span.clone()));
        }
        let (at, end) = (at as usize, end as usize);
        if self.units.len() < end {
            self.units.resize(end, 0);
            self.taken.resize(end, false);
        }
        let (Some(place), Some(taken)) = (self.units.get_mut(at..end), self.taken.get_mut(at..end)) else {
            return;
        };
        if let Some(first) = taken.iter().position(|taken| *taken) {
            let message = format!("something else stands at {} already", at + first);
            return findings.error(
                Problem::new("latte.asm.overlap", span.clone(), message)
                    .note("without `ADDR` a clause goes where there is room"),
            );
        }
        place.copy_from_slice(units);
        taken.fill(true);
    }

    fn words(mut self, size: u32, findings: &mut Findings) -> Vec<u32> {
        if size > MOST_UNITS {
            findings.error(too_far(0..0));
        } else if self.units.len() < size as usize {
            self.units.resize(size as usize, 0);
        }
        self.units.iter().flat_map(|unit| [*unit as u32, (*unit >> 32) as u32]).collect()
    }
}
