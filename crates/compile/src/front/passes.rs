//! What walking a loop pass by pass shows: how often it runs, how its variables grow, and what bounds it.

use super::{
    Exit, Frame, Walk,
    loops::{Source, WRITTEN_OUT, replaced},
};
use crate::vector::{Lane, Op, Relation};
use naga::{Block, Statement};
use smallvec::SmallVec;
use unshade_bytes::problem::Result;

/// Passes of a loop of the machine.
pub(super) const PASSES: usize = 256;
/// So many passes are walked in full before the rest is counted by the test at the head alone.
const WALKED: usize = 4;

/// What walking a loop pass by pass has shown.
#[derive(Default)]
pub(super) struct Probe {
    /// Passes that run in full; what is left for sure in the next one.
    pub(super) passes: Option<usize>,
    /// Whether something that only the running program knows can leave it.
    pub(super) is_open: bool,
    /// The integer uniform that it is compared with in the first pass.
    pub(super) bound: Option<Bound>,
    /// Start and step of lanes that grow evenly, by variable and place in it.
    pub(super) series: Vec<Vec<Option<Series>>>,
    /// All of it was walked, so that what was made is the loop.
    pub(super) is_whole: bool,
}

/// Numbers that a lane takes pass by pass.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Series {
    pub(super) start: f32,
    pub(super) step: f32,
    pub(super) last: f32,
}

/// An integer uniform as the end of a loop.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bound {
    pub(super) uniform: u16,
    pub(super) component: u8,
    pub(super) width: u8,
    /// The counter to the uniform, where the loop is left.
    pub(super) relation: Relation,
    pub(super) start: f32,
    pub(super) skips_first: bool,
}

impl<'m> Walk<'m> {
    pub(super) fn probe(&mut self, frame: &mut Frame<'m>, source: Source<'m>, exit: Exit) -> Result<Probe> {
        let mut probe = Probe::default();
        let mark = self.builder.mark();
        let has_head = head(source.body).is_some();
        for pass in 0..=PASSES {
            self.record(&mut probe, pass);
            let out = self.pass(frame, source, exit)?;
            match out.value() {
                Some(0.0) => {}
                Some(_) => {
                    // A test behind the body ends a full pass.
                    let is_behind = source.break_if.is_some() && self.flag(exit.broken).is(1.0);
                    probe.passes = Some(if is_behind { pass + 1 } else { pass });
                    probe.is_whole = !probe.is_open;
                    return Ok(probe);
                }
                None => {
                    if pass == 0 {
                        probe.bound = self.bound_of(out);
                    }
                    probe.is_open = true;
                    self.clear(Some(exit.broken));
                    self.clear(Some(frame.returned));
                }
            }
            let is_long = self.builder.made_since(mark) > WRITTEN_OUT || probe.is_open;
            if pass + 1 >= WALKED && is_long && has_head {
                probe.passes = self.count(frame, source, exit, &probe, pass + 1)?;
                return Ok(probe);
            }
        }
        Ok(probe)
    }

    /// Counts passes by the test at the head.
    fn count(
        &mut self,
        frame: &mut Frame<'m>,
        source: Source<'m>,
        exit: Exit,
        probe: &Probe,
        walked: usize,
    ) -> Result<Option<usize>> {
        let Some(test) = head(source.body) else { return Ok(None) };
        for pass in walked..=PASSES {
            self.budget()?;
            for (variable, series) in probe.series.iter().enumerate() {
                let at = |series: &Series| Lane::constant(series.start + series.step * pass as f32);
                let lanes: Vec<Option<Lane>> = series.iter().map(|series| series.as_ref().map(at)).collect();
                if lanes.iter().any(Option::is_some) {
                    let value = replaced(self.get(variable), &mut lanes.into_iter());
                    self.set(variable, value);
                }
            }
            for statement in source.body.iter().take(test) {
                if let Statement::Emit(range) = statement {
                    for handle in range.clone() {
                        self.emit(frame, handle)?;
                    }
                }
            }
            let Some(Statement::If { condition, accept, .. }) = source.body.get(test) else {
                return Ok(None);
            };
            let condition = self.lanes(frame, *condition)?.first().copied().unwrap_or(Lane::ZERO);
            let leaves_if = if is_break(accept) { 1.0 } else { 0.0 };
            match condition.value() {
                Some(truth) if truth == leaves_if => {
                    self.clear(Some(exit.broken));
                    return Ok(Some(pass));
                }
                Some(_) => {}
                None => return Ok(None),
            }
        }
        Ok(None)
    }

    /// Notes what lanes are at the start of a pass.
    fn record(&self, probe: &mut Probe, pass: usize) {
        for (index, value) in self.variables.iter().enumerate() {
            let mut lanes: SmallVec<[Lane; 8]> = SmallVec::new();
            value.for_each_lane(&mut |lane| lanes.push(lane));
            if pass == 0 {
                let first = |lane: &Lane| {
                    let start = lane.value()?;
                    Some(Series { start, step: 0.0, last: start })
                };
                probe.series.push(lanes.iter().map(first).collect());
                continue;
            }
            let Some(known) = probe.series.get_mut(index) else { break };
            if known.len() != lanes.len() {
                known.iter_mut().for_each(|series| *series = None);
                continue;
            }
            for (series, lane) in known.iter_mut().zip(lanes) {
                *series = series.zip(lane.value()).and_then(|(series, value)| {
                    let step = value - series.last;
                    let is_even = pass == 1 || step == series.step;
                    let is_whole =
                        step.fract() == 0.0 && series.start.fract() == 0.0 && value.abs() < 65536.0;
                    (is_even && is_whole).then_some(Series { step, last: value, ..series })
                });
            }
        }
        // What has come since is gone in the next pass.
        for series in probe.series.iter_mut().skip(self.variables.len()) {
            series.clear();
        }
    }

    pub(super) fn refuse_length<T>(&self) -> Result<T> {
        Err(self
            .problem("compile.loop", "the bound of this loop is neither constant nor an integer uniform")
            .note("write `for (int i = 0; i < N; i++)` with a constant N up to 256 or a uniform `int`, and leave it early with `break`"))
    }

    /// The integer uniform that bounds a loop.
    pub(super) fn uniform_bound(&mut self, source: Source<'m>, probe: &Probe) -> Result<Bound> {
        let bound = probe.bound.filter(|_| head(source.body).is_some());
        let Some(bound) = bound else { return self.refuse_length() };
        let mut lanes = probe.series.iter().flatten().flatten();
        let counts = lanes.any(|series| series.step == 1.0 && series.start == bound.start);
        if !counts {
            return Err(self
                .problem("compile.loop", "a loop to an integer uniform has to count up in steps of 1")
                .note("write `for (int i = 0; i < n; i++)`"));
        }
        // A register of n makes n + 1 passes.
        let extra = match bound.relation {
            Relation::Ge => -bound.start,
            _ => 1.0 - bound.start,
        };
        match extra {
            1.0 => Ok(Bound { skips_first: false, ..bound }),
            0.0 => Ok(Bound { skips_first: true, ..bound }),
            _ => Err(self
                .problem("compile.loop", "a loop to an integer uniform has to run n or n + 1 times")
                .note("write `for (int i = 0; i < n; i++)`, `for (int i = 0; i <= n; i++)` or `for (int i = 1; i <= n; i++)`")),
        }
    }

    fn bound_of(&self, lane: Lane) -> Option<Bound> {
        let Lane::Of { node, component, negate: false } = lane else { return None };
        let of = self.builder.program.node(node);
        let Op::Compare(relation) = of.op else { return None };
        let operand = |at: usize| of.arguments.get(at)?.get(usize::from(component)).copied();
        let (a, b) = (operand(0)?, operand(1)?);
        let (relation, start, whole) = match (a.value(), b.value()) {
            (Some(start), None) => (relation, start, b),
            (None, Some(start)) => (relation.swapped(), start, a),
            _ => return None,
        };
        let relation = if relation == Relation::Eq { Relation::Ge } else { relation };
        let (uniform, component) = self.whole_uniform(whole)?;
        let width = whole.node().map_or(1, |id| self.builder.program.node(id).width);
        matches!(relation, Relation::Ge | Relation::Gt)
            .then_some(Bound { uniform, component, width, relation, start, skips_first: false })
            .filter(|bound| bound.component == 0)
    }
}

/// Index of the test that a loop starts with: a condition behind nothing but expressions, one of whose parts only leaves.
pub(super) fn head(body: &Block) -> Option<usize> {
    let test = body.iter().position(|statement| !matches!(statement, Statement::Emit(_)))?;
    match body.get(test)? {
        Statement::If { accept, reject, .. } if is_break(accept) != is_break(reject) => {
            let other = if is_break(accept) { reject } else { accept };
            other.is_empty().then_some(test)
        }
        _ => None,
    }
}

fn is_break(block: &Block) -> bool {
    block.len() == 1 && matches!(block.first(), Some(Statement::Break))
}
