//! Selection of what is not straight: conditions, loops, calls, and what goes to outputs.

use super::{
    code::{Code, Operand, Operation, Register, Value},
    select::Select,
};
use crate::allocate::{Home, Step};
use crate::vector::condition::{Comparison, Join, Test};
use crate::vector::points::is_computed;
use crate::vector::{Id, Item, Lane, Lanes, Op, Passes, Relation, Span};
use smallvec::{SmallVec, smallvec};
use unshade_bytes::problem::Result;

/// Conditions, loops and calls inside each other, as the machine's stacks hold them.
const CONDITIONS: usize = 8;
const LOOPS: usize = 4;
const CALLS: usize = 4;
/// Runs of procedures that are looked at one by one: far more than the code of a program has calls.
const RUNS: usize = 1 << 11;

/// Blocks inside each other.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Depth {
    pub conditions: usize,
    pub loops: usize,
    pub calls: usize,
}

/// What is known of a procedure before it is selected.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Called {
    /// The most blocks that a call of it stands in.
    pub depth: Depth,
    /// How often it stands in the program, were its calls written out.
    pub runs: usize,
}

impl Select<'_> {
    /// Enters blocks; the machine remembers only so many.
    pub(super) fn nested(&self, conditions: usize, loops: usize) -> Result<()> {
        if self.depth.conditions + conditions > CONDITIONS {
            return self.refuse(
                "compile.depth",
                "conditions stand inside each other more than 8 deep",
                "the machine remembers 8; compute some as numbers, with `step`, `min` and `max`",
            );
        }
        if self.depth.loops + loops > LOOPS {
            return self.refuse(
                "compile.depth",
                "loops stand inside each other more than 4 deep",
                "the machine remembers 4; write the innermost out",
            );
        }
        Ok(())
    }

    /// The head of a condition, behind the comparison that it needs. `next` is a single comparison that is asked for soon: the
    /// instruction has room for it.
    fn test(&mut self, test: Test, next: Option<Comparison>) -> Result<Code> {
        let (first, second, join) = match test {
            Test::Truth(uniform, turned) => return Ok(Code::Truth(uniform, turned)),
            Test::One(one) => {
                let (one, turned) = plain(one);
                if let Some((x, y)) = self.flags.take() {
                    // What was in front may have asked for both.
                    let names = if x == one { Some(("cmp.x", "!cmp.x")) } else { None };
                    let names = names.or((y == one).then_some(("cmp.y", "!cmp.y")));
                    if let Some((yes, no)) = names {
                        return Ok(if turned {
                            Code::Flags(no, yes, false)
                        } else {
                            Code::Flags(yes, no, false)
                        });
                    }
                }
                let other = next.map_or(one, |next| plain(next).0);
                let flags = if turned { ("!cmp.x", "cmp.x") } else { ("cmp.x", "!cmp.x") };
                self.compare(one, other)?;
                self.flags = next.is_some().then_some((one, other));
                return Ok(Code::Flags(flags.0, flags.1, next.is_some()));
            }
            Test::Two(a, b, join) => (plain(a), plain(b), join),
        };
        // In one order, so that the same two are found again.
        let (first, second) =
            if (second.0.a, second.0.b) < (first.0.a, first.0.b) { (second, first) } else { (first, second) };
        self.compare(first.0, second.0)?;
        // Both, or one at least, of two flags that are turned round or not; the opposite is the other way with both turned.
        const AND: [&str; 4] = ["cmp.x && cmp.y", "!cmp.x && cmp.y", "cmp.x && !cmp.y", "!cmp.x && !cmp.y"];
        const OR: [&str; 4] = ["cmp.x || cmp.y", "!cmp.x || cmp.y", "cmp.x || !cmp.y", "!cmp.x || !cmp.y"];
        let at = usize::from(first.1) + 2 * usize::from(second.1);
        Ok(match join {
            Join::And => Code::Flags(AND[at & 3], OR[3 - (at & 3)], false),
            Join::Or => Code::Flags(OR[at & 3], AND[3 - (at & 3)], false),
        })
    }

    /// Compares, the first into cmp.x and the second into cmp.y.
    fn compare(&mut self, a: Comparison, b: Comparison) -> Result<()> {
        // The side that the machine can read from anywhere gets what only it can read.
        let swap = |comparison: &Comparison| Comparison {
            relation: comparison.relation.swapped(),
            a: comparison.b,
            b: comparison.a,
        };
        let kind = |lane: Lane| match lane.node().map(|id| self.program.node(id).op) {
            None => 3,
            Some(Op::Uniform { .. } | Op::Element { .. }) => 2,
            Some(Op::Input(_)) => 1,
            _ => 0,
        };
        let orient = |comparison: &Comparison| match kind(comparison.b) > kind(comparison.a) {
            true => swap(comparison),
            false => *comparison,
        };
        let (a, b) = (orient(&a), orient(&b));
        let first = self.operand(&[a.a, b.a])?;
        let second = self.operand(&[a.b, b.b])?;
        self.flags = None;
        self.fitted(Operation::Cmp(a.relation, b.relation), None, smallvec![first, second])
    }

    /// The single comparison that the item behind a condition asks for, if both can be made at once: nothing in between
    /// changes the flags, or makes what is compared.
    pub(super) fn asked_next(&self, item: &Item, next: Option<&Item>) -> Option<Comparison> {
        let Item::If { condition, accept, reject, results, .. } = item else { return None };
        let Item::If { condition: next, results: left, .. } = next? else { return None };
        let is_needed = left.iter().any(|id| self.uses.of(*id) != 0);
        let keeps_flags = keeps_flags(accept) && keeps_flags(reject);
        let (Test::One(first), Test::One(second)) =
            (Test::of(self.program, *condition), Test::of(self.program, *next))
        else {
            return None;
        };
        let is_there = |lane: Lane| {
            lane.node().is_none_or(|id| {
                !results.contains(&id) && !matches!(self.program.node(id).op, Op::Element { .. })
            })
        };
        let wide = |lane: Lane| match lane.node().map(|id| self.program.node(id).op) {
            None => Some(None),
            Some(op @ (Op::Uniform { .. } | Op::Input(_))) => Some(Some(op)),
            _ => None,
        };
        // Both sides have to lie in one register, or bringing them there costs more than the comparison.
        let alike = |a: Lane, b: Lane| match (wide(a), wide(b)) {
            (Some(a), Some(b)) => a == b,
            (None, None) => a.node() == b.node(),
            _ => false,
        };
        let (first, second) = (plain(first).0, plain(second).0);
        let fits = alike(first.a, second.a)
            && alike(first.b, second.b)
            && first.a.is_negated() == second.a.is_negated()
            && first.b.is_negated() == second.b.is_negated();
        (is_needed && keeps_flags && fits && is_there(second.a) && is_there(second.b)).then_some(second)
    }

    /// Whether an item becomes no instruction.
    pub(super) fn is_nothing(&self, item: &Item) -> bool {
        let Item::Node(id) = item else { return false };
        self.uses.of(*id) == 0 || !is_computed(self.program.node(*id).op)
    }

    fn open(&mut self) {
        self.blocks.push(Vec::new());
        self.copies.open();
    }

    fn close(&mut self) -> Vec<Step<Code>> {
        self.copies.close();
        self.blocks.pop().unwrap_or_default()
    }

    pub(super) fn condition(
        &mut self,
        condition: Lane,
        (accept, reject): (&[Item], &[Item]),
        results: &[Id],
        (span, next): (Span, Option<Comparison>),
    ) -> Result<()> {
        self.span = span;
        if !results.iter().any(|id| self.uses.of(*id) != 0) {
            // Nothing in it is needed.
            return Ok(());
        }
        self.nested(1, 0)?;
        let head = self.test(Test::of(self.program, condition), next)?;
        // What both flags say holds behind this condition, but in it nobody asks.
        let flags = self.flags.take();
        self.depth.conditions += 1;
        let addresses = self.addresses;
        let mut parts = Vec::with_capacity(2);
        for (part, items) in [accept, reject].into_iter().enumerate() {
            self.addresses = addresses;
            self.open();
            self.items(items)?;
            self.span = span;
            for &id in results {
                let components = self.needed(id);
                let lanes = self.program.node(id).arguments.get(part).cloned().unwrap_or_default();
                let value = self.value(id);
                self.copy_lanes(value, &components, &lanes)?;
            }
            parts.push(self.close());
        }
        self.depth.conditions -= 1;
        self.addresses = [None; 2];
        let reject = parts.pop().unwrap_or_default();
        let accept = parts.pop().unwrap_or_default();
        self.push(Step::If(head, accept, reject));
        self.flags = flags;
        Ok(())
    }

    pub(super) fn repeat(
        &mut self,
        index: u32,
        body: &[Item],
        results: &[Id],
        stop: Lane,
        span: Span,
    ) -> Result<()> {
        self.span = span;
        if !results.iter().any(|id| self.uses.of(*id) != 0) {
            return Ok(());
        }
        self.nested(0, 1)?;
        let Some(of) = self.program.loops.get(index as usize) else { return Ok(()) };
        let count = self.counts.get(index as usize).copied().flatten();
        let head = match of.passes {
            Passes::Uniform(uniform) => Code::Uniform(uniform, span),
            Passes::Constant(passes) => {
                let last = u8::try_from(passes.saturating_sub(1)).unwrap_or(u8::MAX);
                let (start, step) = count.map_or((0, 1), |count| (count.start, count.step));
                Code::Constant([last, start, step, 0], span)
            }
        };
        for &id in results {
            let components = self.needed(id);
            let lanes = self.program.node(id).arguments.first().cloned().unwrap_or_default();
            let value = self.value(id);
            self.copy_lanes(value, &components, &lanes)?;
        }
        self.depth.loops += 1;
        self.addresses = [None; 2];
        self.open();
        self.flags = None;
        self.items(body)?;
        self.span = span;
        // Flags stay what they are while values are handed on.
        let test = Test::of(self.program, stop);
        let stop = match test {
            _ if stop.is(0.0) => None,
            Test::Truth(uniform, turned) => Some(self.truth_as_flag(uniform, turned)?),
            // The last condition of the body asked the same: its flags still stand.
            _ => match self.asked_last(body, test) {
                Some(flags) => Some(flags),
                None => Some(self.test(test, None)?),
            },
        };
        self.hand_on(results)?;
        let body = self.close();
        self.depth.loops -= 1;
        self.addresses = [None; 2];
        self.push(Step::Loop(head, body, stop));
        self.flags = None;
        Ok(())
    }

    /// A call: what it is called with is copied to where the procedure reads it, and what it leaves to where it is needed.
    pub(super) fn call(&mut self, procedure: u32, call: u32, results: &[Id], span: Span) -> Result<()> {
        self.span = span;
        if !results.iter().any(|id| self.uses.of(*id) != 0) {
            return Ok(());
        }
        let program = self.program;
        let index = procedure as usize;
        let Some(of) = program.procedures.get(index) else { return Ok(()) };
        let depth = Depth { calls: self.depth.calls + 1, ..self.depth };
        if depth.calls > CALLS {
            return self.refuse(
                "compile.depth",
                "calls stand inside each other more than 4 deep",
                "the machine remembers 4",
            );
        }
        let runs = self.runs;
        if let Some(called) = self.called.get_mut(index) {
            called.depth.conditions = called.depth.conditions.max(depth.conditions);
            called.depth.loops = called.depth.loops.max(depth.loops);
            called.depth.calls = called.depth.calls.max(depth.calls);
            called.runs = called.runs.saturating_add(runs);
            if called.runs > RUNS {
                return self.refuse(
                    "compile.size",
                    "there are too many calls",
                    "the machine holds 512 words",
                );
            }
        }
        for &id in &of.parameters {
            let components = self.needed(id);
            let lanes = program.node(id).arguments.get(call as usize).cloned().unwrap_or_default();
            if !components.is_empty() {
                let value = self.value(id);
                self.copy_lanes(value, &components, &lanes)?;
            }
        }
        self.addresses = [None; 2];
        self.flags = None;
        self.push(Step::Call(index));
        for &id in results {
            let components = self.needed(id);
            let lanes = program.node(id).arguments.first().cloned().unwrap_or_default();
            if !components.is_empty() {
                let value = self.value(id);
                self.copy_lanes(value, &components, &lanes)?;
            }
        }
        Ok(())
    }

    /// The procedures, those that call others first: so all calls of one are known when it comes.
    pub(super) fn procedures(&mut self) -> Result<Vec<Vec<Step<Code>>>> {
        let program = self.program;
        let mut texts = Vec::new();
        for (index, procedure) in program.procedures.iter().enumerate().rev() {
            let called = self.called.get(index).copied().unwrap_or_default();
            (self.depth, self.runs) = (called.depth, called.runs);
            self.addresses = [None; 2];
            self.flags = None;
            self.copies = Default::default();
            self.blocks = vec![Vec::new()];
            if called.runs > 0 {
                self.items(&procedure.body)?;
            }
            texts.push(self.blocks.pop().unwrap_or_default());
        }
        texts.reverse();
        Ok(texts)
    }

    /// The flags of the last condition of a block, if it asks this or the opposite.
    fn asked_last(&mut self, body: &[Item], test: Test) -> Option<Code> {
        let last = body.iter().rev().find(|item| !matches!(item, Item::Node(_)))?;
        let Item::If { condition, accept, reject, results, .. } = last else { return None };
        let known = Test::of(self.program, *condition);
        let is_there = results.iter().any(|id| self.uses.of(*id) != 0);
        if !is_there || !keeps_flags(accept) || !keeps_flags(reject) {
            return None;
        }
        let mut steps = self.blocks.last_mut()?.iter_mut().rev();
        let step = steps.find(|step| !matches!(step, Step::Do(_)))?;
        let Step::If(Code::Flags(yes, no, is_asked_again), ..) = step else { return None };
        let flags = match () {
            () if known == test => Code::Flags(yes, no, false),
            () if known == test.not() => Code::Flags(no, yes, false),
            () => return None,
        };
        *is_asked_again = true;
        Some(flags)
    }

    /// What a pass leaves for the next one. All of it happens at once, so what is overwritten is kept first.
    fn hand_on(&mut self, results: &[Id]) -> Result<()> {
        let mut all: Vec<(Id, SmallVec<[u8; 4]>, Lanes)> = Vec::new();
        for &id in results {
            let components = self.needed(id);
            let lanes = self.program.node(id).arguments.get(1).cloned().unwrap_or_default();
            all.push((id, components, lanes));
        }
        let is_written = |node: Id, component: u8| {
            results.contains(&node)
                && all.iter().any(|(id, components, lanes)| {
                    let itself = Lane::Of { node, component, negate: false };
                    *id == node
                        && components.contains(&component)
                        && lanes.get(usize::from(component)) != Some(&itself)
                })
        };
        let mut kept: Vec<(Id, u8)> = Vec::new();
        for (id, components, lanes) in &all {
            for &to in components {
                if let Some(Lane::Of { node, component, .. }) = lanes.get(usize::from(to)).copied()
                    && is_written(node, component)
                    && (node, component) != (*id, to)
                    && !kept.contains(&(node, component))
                {
                    kept.push((node, component));
                }
            }
        }
        let mut moved: Vec<((Id, u8), (Value, u8))> = Vec::new();
        for (node, component) in kept {
            let value = self.new_value(Home::Any);
            let operand = self.operand(&[Lane::Of { node, component, negate: false }])?;
            self.instruction(Operation::Mov, Some((value, smallvec![0])), smallvec![operand]);
            moved.push(((node, component), (value, 0)));
        }
        for (id, components, lanes) in all {
            let value = self.value(id);
            let mut plain: SmallVec<[u8; 4]> = SmallVec::new();
            for to in components {
                let kept = match lanes.get(usize::from(to)).copied() {
                    Some(Lane::Of { node, component, negate }) if (node, component) != (id, to) => {
                        moved.iter().find(|(of, _)| *of == (node, component)).map(|(_, from)| (*from, negate))
                    }
                    _ => None,
                };
                let Some(((from, component), negate)) = kept else {
                    plain.push(to);
                    continue;
                };
                let operand =
                    Operand { register: Register::Value(from), components: smallvec![component], negate };
                self.instruction(Operation::Mov, Some((value, smallvec![to])), smallvec![operand]);
            }
            self.copy_lanes(value, &plain, &lanes)?;
        }
        Ok(())
    }

    /// Writes those of these components of an output that have not been.
    pub(super) fn output(&mut self, index: u16, mask: u8) -> Result<()> {
        let program = self.program;
        let Some(written) = program.outputs.get(usize::from(index)) else { return Ok(()) };
        self.span = written.span;
        let Some(output) = self.interface.outputs.get(usize::from(written.output)) else { return Ok(()) };
        let known = self.outputs.get(usize::from(index)).copied().flatten();
        let (value, done) = match known {
            Some(known) => known,
            None => (self.new_value(Home::Output(output.register)), 0),
        };
        if let Some(place) = self.outputs.get_mut(usize::from(index)) {
            *place = Some((value, done | mask));
        }
        let open = mask & !done;
        // In front of its first component nothing of it stands.
        let before = std::iter::repeat_n(None, usize::from(output.first));
        let open_lanes = (0u8..).zip(&written.lanes).map(|(at, lane)| lane.filter(|_| open >> at & 1 != 0));
        let lanes: SmallVec<[Option<Lane>; 4]> = before.chain(open_lanes).collect();
        let components: SmallVec<[u8; 4]> =
            (0u8..).zip(&lanes).filter(|(_, lane)| lane.is_some()).map(|(at, _)| at).collect();
        let lanes: Lanes = lanes.iter().map(|lane| lane.unwrap_or(Lane::ZERO)).collect();
        self.copy_lanes(value, &components, &lanes)
    }
}

/// A comparison in the form that it shares with its opposite; whether it is the opposite.
fn plain(comparison: Comparison) -> (Comparison, bool) {
    let turned = matches!(comparison.relation, Relation::Ne | Relation::Ge | Relation::Le);
    let relation = if turned { comparison.relation.not() } else { comparison.relation };
    (Comparison { relation, ..comparison }, turned)
}

/// Whether what is computed in a block leaves the flags alone.
fn keeps_flags(items: &[Item]) -> bool {
    items.iter().all(|item| matches!(item, Item::Node(_) | Item::Write { .. }))
}
