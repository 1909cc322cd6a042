//! Scalars that do the same side by side become one vector operation, starting from where they meet.
//!
//! A machine without vectors, and one whose compiler fills slots as they are free, says nothing of the vectors that
//! the source had. Their uses do: what is stored to one output, what a texture is asked with, the operands of a dot
//! product are vectors. From such a list the search goes up: scalars of one list that one operation makes, in one
//! block, are that operation on lists of operands, and so on. How long the text would be decides whether a list is
//! taken as a whole, in runs, or one by one. Parameters of a block are grouped likewise, with what edges pass to them.

use super::super::Scalar;
use super::operands::{Leaf, OneSource};
use super::packs::{KeyId, Lanes, Make};
use super::statements::Unit;
use crate::quick::QuickMap;
use crate::{BlockId, Multiply, Op, Terminator, Value, ValueDef};
use smallvec::SmallVec;
use std::collections::VecDeque;

/// How far up the search looks before it decides, in operations.
const DEEPEST: u32 = 10;
/// Longest text that is told from longer ones.
const LONGEST: u32 = 10_000;
/// Operations that are looked at to see that lanes do not need each other.
const LOOKED_AT: usize = 300;
/// How much a value looks like itself: more than any other does.
const SAME: u32 = 8;
/// How deep operands are compared to find which belongs to which.
const COMPARED: u32 = 2;

/// How long texts are, in tokens, as far as they are known.
#[derive(Default)]
pub(super) struct Lengths {
    /// How often each value is used.
    uses: Vec<u32>,
    lists: QuickMap<Lanes, u32>,
    /// Of lists as one operation each.
    runs: QuickMap<Lanes, u32>,
    values: QuickMap<Value, u32>,
}

impl Unit<'_> {
    /// Groups what is used as a vector.
    pub(super) fn group_by_use(&mut self) {
        let mut lengths = Lengths { uses: self.count_uses(), ..Lengths::default() };
        // What is one vector without doubt first, so that nothing else takes lanes away from it.
        for sure in [true, false] {
            self.operand_table.clear();
            let mut lists = self.find_lists();
            // Long lists first: a part of one is part of a vector anyway. What stands later asks for what stands before.
            lists.reverse();
            lists.sort_by_key(|(_, list)| std::cmp::Reverse(list.len()));
            let mut work: VecDeque<Lanes> = lists.into_iter().map(|(_, list)| list).collect();
            lengths.lists.clear();
            lengths.runs.clear();
            lengths.values.clear();
            while let Some(list) = work.pop_front() {
                let mut found = Vec::new();
                self.group_list(&list, sure, &mut lengths, &mut found);
                // What a group takes comes next, before other lists get hold of it.
                for list in found.into_iter().rev() {
                    work.push_front(list);
                }
            }
        }
        self.operand_table.clear();
        // Otherwise more comes, after which lists are looked for.
        if !self.module.vectors_by_use {
            self.lists = self.find_lists();
        }
    }

    /// The values of a list once each, without signs.
    pub(super) fn distinct(&self, list: &[Value]) -> Lanes {
        let mut distinct = Lanes::new();
        for value in list {
            let value = match self.leaves[value.index()] {
                Leaf::Negated(inner) => inner,
                _ => *value,
            };
            if !distinct.contains(&value) {
                distinct.push(value);
            }
        }
        distinct
    }

    /// Groups a list or runs of it; adds the lists that what was grouped takes. If `sure`, only where nothing needs to be
    /// put together for it.
    fn group_list(&mut self, list: &[Value], sure: bool, lengths: &mut Lengths, found: &mut Vec<Lanes>) {
        let distinct = self.distinct(list);
        // Nothing is left to do where it is one vector already.
        if distinct.len() < 2 || self.one_source(&distinct).is_some() {
            return;
        }
        if sure {
            let runs = self.longest_runs(&distinct);
            if let [(0, end)] = runs[..]
                && end == distinct.len()
                && end > 1
                && self.is_smooth(&distinct, COMPARED)
            {
                self.group_run(distinct, found);
            }
            return;
        }
        let (_, runs) = self.split(&distinct, lengths, DEEPEST);
        for (start, end) in runs {
            if end - start > 1 {
                self.group_run(Lanes::from_slice(&distinct[start..end]), found);
            }
        }
    }

    /// Longest runs of values that may become one operation.
    fn longest_runs(&mut self, distinct: &[Value]) -> SmallVec<[(usize, usize); 4]> {
        let mut runs = SmallVec::new();
        let mut start = 0;
        while start < distinct.len() {
            let mut end = start + 1;
            while end < distinct.len()
                && end - start < 4
                && self.may_join(&distinct[start..end], distinct[end])
            {
                end += 1;
            }
            runs.push((start, end));
            start = end;
        }
        runs
    }

    /// How to split a list so that the text is shortest, and how long it is then.
    fn split(
        &mut self,
        distinct: &[Value],
        lengths: &mut Lengths,
        depth: u32,
    ) -> (u32, SmallVec<[(usize, usize); 4]>) {
        let mut all = SmallVec::new();
        let mut length = 0;
        let runs = self.longest_runs(distinct);
        let pieces = runs.len() > 1;
        for (first, last) in runs {
            let (inner, parts) = self.split_run(distinct, (first, last), pieces, lengths, depth);
            length += inner;
            all.extend(parts);
        }
        let construct = if all.len() > 1 { 2 + all.len() as u32 } else { 0 };
        ((length + construct).min(LONGEST), all)
    }

    /// The same for lanes of one kind.
    fn split_run(
        &mut self,
        distinct: &[Value],
        (first, last): (usize, usize),
        pieces: bool,
        lengths: &mut Lengths,
        depth: u32,
    ) -> (u32, SmallVec<[(usize, usize); 4]>) {
        if last - first == 1 {
            let mut alone = SmallVec::new();
            alone.push((first, last));
            return (self.value_length(distinct[first], lengths, depth), alone);
        }
        // Best way to say the lanes before each place; what stands in pieces anyway costs a comma more for each.
        let count = last - first;
        let mut best: SmallVec<[(u32, usize); 5]> = SmallVec::from_elem((LONGEST * 4, 0), count + 1);
        best[0] = (0, 0);
        for end in 1..=count {
            for start in 0..end {
                let run = Lanes::from_slice(&distinct[first + start..first + end]);
                let own = self.run_length(&run, lengths, depth);
                let whole = start == 0 && end == count && !pieces;
                let total = best[start].0 + own + u32::from(!whole);
                if total < best[end].0 || total == best[end].0 && start < best[end].1 {
                    best[end] = (total, start);
                }
            }
        }
        let mut parts: SmallVec<[(usize, usize); 4]> = SmallVec::new();
        let mut end = count;
        while end > 0 {
            let start = best[end].1;
            parts.push((first + start, first + end));
            end = start;
        }
        parts.reverse();
        let commas = if parts.len() > 1 || pieces { parts.len() as u32 } else { 0 };
        (best[count].0.saturating_sub(commas), parts)
    }

    /// How long lanes are as one operation, or a single one as itself.
    fn run_length(&mut self, run: &[Value], lengths: &mut Lengths, depth: u32) -> u32 {
        if run.len() == 1 {
            return self.value_length(run[0], lengths, depth);
        }
        if self.is_param(run[0]) {
            return 1;
        }
        let key = Lanes::from_slice(run);
        if let Some(length) = lengths.runs.get(&key) {
            return *length;
        }
        let length = self.operation_length(run, lengths, depth);
        lengths.runs.insert(key, length);
        length
    }

    /// How long lanes are as one operation, where they are used.
    fn operation_length(&mut self, run: &[Value], lengths: &mut Lengths, depth: u32) -> u32 {
        let together = self.together(run, lengths, depth);
        // Lanes with a variable are a variable, if that pays; a lane that others take by itself needs its letter.
        let often = run.iter().filter(|value| lengths.uses[value.index()] > 1).count();
        if often < run.len() {
            return together + 2 * often as u32;
        }
        let apart: u32 = run.iter().map(|value| 4 + self.inner_length(*value, lengths, depth)).sum();
        let others: u32 = run.iter().map(|value| lengths.uses[value.index()].saturating_sub(1).min(2)).sum();
        if together + others <= apart { 1 } else { LONGEST }
    }

    /// Whether lanes are one operation on whole vectors, up to some depth.
    fn is_smooth(&mut self, run: &[Value], depth: u32) -> bool {
        if self.is_param(run[0]) {
            return true;
        }
        for operand in self.list_operands(run) {
            if operand.len() == 1 || self.is_one_run(&operand) {
                continue;
            }
            let distinct = self.distinct(&operand);
            let whole = depth > 0 && distinct.len() == operand.len() && {
                let runs = self.longest_runs(&distinct);
                runs.len() == 1 && self.is_smooth(&distinct, depth - 1)
            };
            if !whole {
                return false;
            }
        }
        true
    }

    fn group_run(&mut self, run: Lanes, found: &mut Vec<Lanes>) {
        if !self.are_independent(&run) {
            return;
        }
        if self.is_param(run[0]) {
            self.replace(run.clone(), Make::Params);
            self.edges_to(&run, found);
            return;
        }
        self.replace(run.clone(), Make::Operation);
        for operand in self.list_operands(&run) {
            if operand.len() > 1 {
                found.push(operand);
            }
        }
    }

    /// Whether a value may become one more lane of a run.
    fn may_join(&mut self, run: &[Value], value: Value) -> bool {
        let Some(first) = run.first().copied() else { return false };
        if !self.is_free(first) || !self.is_free(value) || self.kinds.of(first) != self.kinds.of(value) {
            return false;
        }
        let (Some((a, _)), Some((b, _))) = (self.pack_of[first.index()], self.pack_of[value.index()]) else {
            return false;
        };
        if self.pack(a).block != self.pack(b).block {
            return false;
        }
        match (self.is_param(first), self.is_param(value)) {
            (true, true) => true,
            (false, false) => {
                let key = self.key(first);
                let same = key.is_some() && key == self.key(value);
                if same {
                    self.align(first, value);
                }
                same
            }
            _ => false,
        }
    }

    /// Whether a value stands alone, but could stand with others.
    fn is_free(&self, value: Value) -> bool {
        if self.leaves[value.index()] != Leaf::Pack {
            return false;
        }
        let Some((pack, _)) = self.pack_of[value.index()] else { return false };
        let pack = self.pack(pack);
        let entry = self.cfg.order.first() == Some(&pack.block);
        pack.lanes.len() == 1
            && match pack.make {
                Make::Operation => true,
                Make::Params => !entry && !self.counted.get(value.index()).copied().unwrap_or(false),
                _ => false,
            }
    }

    fn is_param(&self, value: Value) -> bool {
        self.function.values.get(value.index()).is_some_and(|data| matches!(data.def, ValueDef::Param(..)))
    }

    /// What edges pass to grouped parameters.
    fn edges_to(&self, params: &[Value], found: &mut Vec<Lanes>) {
        let Some((pack, _)) = self.pack_of[params[0].index()] else { return };
        let block = self.pack(pack).block;
        for from in self.cfg.predecessors(block) {
            let terminator: &Terminator = &self.function.blocks[from.index()].terminator;
            for target in terminator.targets().filter(|target| target.block == block) {
                let arg = |value: &Value| match self.function.values[value.index()].def {
                    ValueDef::Param(_, at) => target.args.get(usize::from(at)).copied().unwrap_or_default(),
                    ValueDef::Result(..) => *value,
                };
                found.push(params.iter().map(arg).collect());
            }
        }
    }

    /// Whether no lane needs another, as far as the search goes; what it does not see, the order of items does.
    pub(super) fn are_independent(&self, run: &[Value]) -> bool {
        if self.is_param(run[0]) {
            return true;
        }
        let Some((pack, _)) = self.pack_of[run[0].index()] else { return false };
        let block = self.pack(pack).block;
        // What stands in front of all lanes needs none of them.
        let place =
            |value: &Value| self.pack_of[value.index()].map_or(0, |(pack, _)| self.pack(pack).position);
        let first = run.iter().map(place).min().unwrap_or(0);
        let mut seen = 0;
        let mut marked: QuickMap<u32, ()> = QuickMap::default();
        let mut work: SmallVec<[Value; 16]> =
            run.iter().flat_map(|value| self.taken_by(*value)).copied().collect();
        while let Some(value) = work.pop() {
            let value = match self.leaves.get(value.index()) {
                Some(Leaf::Negated(inner) | Leaf::Not(inner)) => *inner,
                _ => value,
            };
            if run.contains(&value) {
                return false;
            }
            let Some((pack, _)) = self.pack_of[value.index()] else { continue };
            let data = self.pack(pack);
            if data.block != block || data.position < first || marked.insert(pack.0, ()).is_some() {
                continue;
            }
            seen += 1;
            if seen > LOOKED_AT {
                return true;
            }
            for lane in &data.lanes {
                work.extend(self.taken_by(*lane).iter().copied());
            }
        }
        true
    }

    fn taken_by(&self, value: Value) -> &[Value] {
        self.function.definition(value).map_or(&[], |inst| &inst.args)
    }

    /// Turns the first two operands of a value round where they then match those of another better.
    pub(super) fn align(&mut self, first: Value, value: Value) {
        let commutes = self.function.definition(first).is_some_and(|inst| commutes(&inst.op));
        if !commutes || self.pack_of[value.index()].is_some_and(|(pack, _)| self.pack(pack).lanes.len() > 1) {
            return;
        }
        // The search comes here again and again; nothing is different before something else changes.
        if self.aligned.insert((first, value), self.arrangement) == Some(self.arrangement) {
            return;
        }
        let of = |value, position| self.operand_of(value, position);
        let (a, b, c, d) = (of(first, 0), of(first, 1), of(value, 0), of(value, 1));
        let straight = self.likeness(a, c, COMPARED) + self.likeness(b, d, COMPARED);
        // The rest is not looked at where it cannot win any more.
        if straight >= 2 * SAME {
            return;
        }
        let half = self.likeness(a, d, COMPARED);
        if half + SAME > straight && half + self.likeness(b, c, COMPARED) > straight {
            self.turned[value.index()] ^= true;
            self.arrangement += 1;
        }
    }

    /// How much two values look like lanes of one vector.
    fn likeness(&mut self, a: Value, b: Value, depth: u32) -> u32 {
        if a == b {
            return SAME;
        }
        match (self.leaves[a.index()], self.leaves[b.index()]) {
            (Leaf::Negated(a), Leaf::Negated(b)) | (Leaf::Not(a), Leaf::Not(b)) => self.likeness(a, b, depth),
            (Leaf::Global(a), Leaf::Global(b)) => {
                if (a.global, a.element) == (b.global, b.element) {
                    SAME
                } else if a.component == b.component && a.global == b.global {
                    3
                } else {
                    1
                }
            }
            (Leaf::Bits(_), Leaf::Bits(_)) | (Leaf::Truth(_), Leaf::Truth(_)) => 4,
            (Leaf::Pack, Leaf::Pack) => {
                if self.pack_of[a.index()].map(|(pack, _)| pack)
                    == self.pack_of[b.index()].map(|(pack, _)| pack)
                {
                    return SAME;
                }
                let key = self.key(a);
                if key.is_none() || key != self.key(b) {
                    return u32::from(self.is_param(a) && self.is_param(b)) * 3;
                }
                if depth == 0 {
                    return 3;
                }
                let arity = self.taken_by(a).len().min(self.taken_by(b).len()).min(3);
                let below = depth.saturating_sub(1);
                let alike = |unit: &mut Self, at: usize, other: usize| {
                    let (a, b) = (unit.operand_of(a, at), unit.operand_of(b, other));
                    unit.likeness(a, b, below)
                };
                let rest = if arity > 2 { alike(self, 2, 2) } else { 0 };
                let mut straight = rest + (0..arity.min(2)).map(|at| alike(self, at, at)).sum::<u32>();
                if arity >= 2
                    && 2 * SAME + rest > straight
                    && self.function.definition(a).is_some_and(|inst| commutes(&inst.op))
                {
                    let turned = rest + alike(self, 0, 1);
                    if turned + SAME > straight {
                        straight = straight.max(turned + alike(self, 1, 0));
                    }
                }
                (2 + straight / (arity.max(1) as u32)).min(SAME - 1)
            }
            _ => 0,
        }
    }

    /// An operand of a value, where the first two may have been turned round.
    pub(super) fn operand_of(&self, value: Value, position: usize) -> Value {
        let position = match position {
            0 | 1 if self.turned[value.index()] => 1 - position,
            position => position,
        };
        self.taken_by(value).get(position).copied().unwrap_or_default()
    }

    /// The operands of a list of values of one operation, position by position; one value where all lanes share it.
    fn list_operands(&self, run: &[Value]) -> SmallVec<[Lanes; 3]> {
        let mut operands = SmallVec::new();
        for position in 0..self.taken_by(run[0]).len() {
            operands.push(self.lanes_of(run, position));
        }
        operands
    }

    /// An operand of each of some values of one operation; one value where all share it.
    pub(super) fn lanes_of(&self, run: &[Value], position: usize) -> Lanes {
        let mut lanes = Lanes::new();
        let mut shared = true;
        for value in run {
            let lane = self.operand_of(*value, position);
            shared &= lanes.first().is_none_or(|first| *first == lane);
            lanes.push(lane);
        }
        if shared {
            lanes.truncate(1);
        }
        lanes
    }

    /// Length of a run as one operation.
    fn together(&mut self, run: &[Value], lengths: &mut Lengths, depth: u32) -> u32 {
        let Some(inst) = self.function.definition(run[0]) else { return LONGEST };
        let mut length = own_length(&inst.op);
        for operand in self.list_operands(run) {
            length += self.list_length(&operand, lengths, depth.saturating_sub(1));
            // Not every function takes a number for all lanes.
            length += if operand.len() == 1 && wants_vectors(&inst.op) { 3 } else { 0 };
        }
        length.min(LONGEST)
    }

    /// Length of a list of operands.
    fn list_length(&mut self, list: &[Value], lengths: &mut Lengths, depth: u32) -> u32 {
        if list.len() == 1 {
            return self.value_length(list[0], lengths, depth);
        }
        match self.one_source(list) {
            Some(OneSource::Bits) => return 2 + 2 * list.len() as u32,
            Some(OneSource::Lanes) => return 3,
            None => {}
        }
        if depth == 0 {
            return (2 + 2 * list.len() as u32).min(LONGEST);
        }
        let key = Lanes::from_slice(list);
        if let Some(length) = lengths.lists.get(&key) {
            return *length;
        }
        // Against going in circles, which a list of parameters could.
        lengths.lists.insert(key.clone(), LONGEST);
        let distinct = self.distinct(list);
        let length = self.split(&distinct, lengths, depth.saturating_sub(1)).0;
        lengths.lists.insert(key, length);
        length
    }

    /// Length of a scalar where it is used.
    fn value_length(&mut self, value: Value, lengths: &mut Lengths, depth: u32) -> u32 {
        match self.leaves[value.index()] {
            Leaf::Bits(_) | Leaf::Truth(_) => 1,
            Leaf::Global(lane) => {
                let wide = self.interface.global(lane.global).shape.components() > 1;
                1 + 2 * u32::from(wide) + 3 * u32::from(lane.element.is_some())
            }
            Leaf::Negated(inner) | Leaf::Not(inner) => match depth {
                0 => 2,
                depth => 1 + self.value_length(inner, lengths, depth.saturating_sub(1)),
            },
            Leaf::Pack => {
                let Some((pack, _)) = self.pack_of[value.index()] else { return 1 };
                if self.pack(pack).lanes.len() > 1 {
                    return 3;
                }
                if lengths.uses[value.index()] > 1 || self.is_param(value) {
                    return 1;
                }
                self.inner_length(value, lengths, depth)
            }
        }
    }

    /// Length of a scalar's own expression.
    fn inner_length(&mut self, value: Value, lengths: &mut Lengths, depth: u32) -> u32 {
        if let Some(length) = lengths.values.get(&value) {
            return *length;
        }
        let Some(inst) = self.function.definition(value) else { return 1 };
        if depth == 0 {
            return 4;
        }
        let mut length = own_length(&inst.op);
        for arg in &inst.args {
            length = (length + self.value_length(*arg, lengths, depth.saturating_sub(1))).min(LONGEST);
        }
        lengths.values.insert(value, length);
        length
    }

    /// Joins what is left alone and came from one machine instruction, where nothing needs to be put together for it.
    pub(super) fn join_machine_lanes(&mut self) {
        for at in 0..self.cfg.order.len() {
            let block = self.cfg.order[at];
            self.join_params(block);
            let function = self.function;
            let mut runs: Vec<Lanes> = Vec::new();
            let mut open: QuickMap<(u32, u8, KeyId, Scalar), usize> = QuickMap::default();
            let lane = |value: Value| function.definition(value).map_or(0, |inst| inst.origin.lane);
            for id in &function.blocks[block.index()].insts {
                let inst = &function.insts[id.index()];
                let Some(value) = inst.results.first().copied() else { continue };
                if inst.origin.instruction == u32::MAX || !self.needed[id.index()] || !self.is_free(value) {
                    continue;
                }
                let Some(key) = self.key(value) else { continue };
                let place = (inst.origin.instruction, inst.origin.step, key, self.kinds.of(value));
                match open.get(&place).copied() {
                    // A machine without vectors has no lanes: its operands that look alike are others.
                    Some(run) if runs[run].iter().any(|other| lane(*other) == inst.origin.lane) => {}
                    Some(run) if runs[run].len() < 4 => {
                        let first = runs[run][0];
                        self.align(first, value);
                        runs[run].push(value);
                    }
                    _ => {
                        open.insert(place, runs.len());
                        runs.push(Lanes::from_slice(&[value]));
                    }
                }
            }
            for mut run in runs {
                if run.len() < 2 || !self.are_independent(&run) {
                    continue;
                }
                run.sort_by_key(|value| function.definition(*value).map_or(0, |inst| inst.origin.lane));
                let smooth = |list: &Lanes| list.len() == 1 || self.is_one_run(list);
                if self.list_operands(&run).iter().all(smooth) {
                    self.replace(run, Make::Operation);
                }
            }
        }
    }

    /// Joins parameters that were lanes of one register and that nothing else has grouped.
    fn join_params(&mut self, block: BlockId) {
        let params: Vec<Value> = self.function.blocks[block.index()].params.clone();
        let free: Vec<Value> = params.into_iter().filter(|param| self.is_free(*param)).collect();
        let scalars: Vec<_> = free
            .iter()
            .map(|param| (self.function.values[param.index()].variable, self.kinds.of(*param)))
            .collect();
        for group in super::calls::group(self.registers, &scalars) {
            if group.members.len() > 1 {
                self.replace(group.members.iter().map(|at| free[*at]).collect(), Make::Params);
            }
        }
    }
}

/// Whether the first two operands may change places, bit for bit.
fn commutes(op: &Op) -> bool {
    matches!(
        op,
        Op::FAdd(_)
            | Op::FMul(_, Multiply::Ieee | Multiply::InfTimesZero | Multiply::ZeroWins)
            | Op::FFma(..)
            | Op::IAdd
            | Op::IMul
            | Op::And
            | Op::Or
            | Op::Xor
            | Op::SMin
            | Op::SMax
    )
}

/// Tokens of an operation without its operands.
fn own_length(op: &Op) -> u32 {
    match op {
        Op::FAdd(_) | Op::FMul(..) | Op::FDiv(_) | Op::FNeg(_) | Op::INeg | Op::Not => 1,
        Op::IAdd | Op::ISub | Op::IMul | Op::And | Op::Or | Op::Xor => 1,
        Op::FFma(..) | Op::Select => 2,
        Op::FAtan2(_) | Op::FMin(..) | Op::FMax(..) | Op::SMin | Op::SMax | Op::Pow => 4,
        Op::Clamp | Op::Mix => 5,
        Op::Interpolate(..) => 6,
        _ => 3,
    }
}

/// Whether a function of the source takes vectors in all places.
fn wants_vectors(op: &Op) -> bool {
    matches!(op, Op::FDiv(_) | Op::Pow | Op::FAtan2(_) | Op::FCompare(..))
}
