//! Scalars that do the same side by side become one vector operation, starting from where they meet.
//!
//! A machine without vectors, and one whose compiler fills slots as they are free, says nothing of the vectors that
//! the source had. Their uses do: what is stored to one output, what a texture is asked with, the operands of a dot
//! product are vectors. From such a list the search goes up: scalars of one list that one operation makes, in one
//! block, are that operation on lists of operands, and so on. How long the text would be decides whether a list is
//! taken as a whole, in runs, or one by one. Parameters of a block are grouped likewise, with what edges pass to them.

use super::super::Scalar;
use super::lengths::{LONGEST, Lengths};
use super::operands::Leaf;
use super::packs::{KeyId, Lanes, Make};
use super::statements::Unit;
use crate::quick::QuickMap;
use crate::{BlockId, Terminator, Value, ValueDef};
use smallvec::SmallVec;
use std::collections::VecDeque;

/// How far up the search looks before it decides, in operations.
const DEEPEST: u32 = 10;
/// Operations that are looked at to see that lanes do not need each other.
const LOOKED_AT: usize = 300;
/// How deep a list has to be whole vectors to be one without doubt.
const SMOOTH: u32 = 2;

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
                && self.is_smooth(&distinct, SMOOTH)
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
    pub(super) fn split(
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

    pub(super) fn is_param(&self, value: Value) -> bool {
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

    pub(super) fn taken_by(&self, value: Value) -> &[Value] {
        self.function.definition(value).map_or(&[], |inst| &inst.args)
    }

    /// The operands of a list of values of one operation, position by position; one value where all lanes share it.
    pub(super) fn list_operands(&self, run: &[Value]) -> SmallVec<[Lanes; 3]> {
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
