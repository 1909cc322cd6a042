//! Loops. A loop is walked pass by pass first, to see how often it runs; if that is short, the walk is the program. Else it
//! becomes a loop of the machine, which counts by itself: to a constant, or as far as an integer uniform says.

use super::{
    Exit, Frame, Walk,
    passes::{PASSES, Probe, Series, head},
    value::{Matrix, Root, Value},
};
use crate::vector::build::all;
use crate::vector::{Id, Item, Lane, Lanes, Loop, Op, Passes};
use naga::{Block, Expression, Handle, Statement};
use smallvec::{SmallVec, smallvec};
use unshade_bytes::problem::Result;

/// Operations that a loop may become when it is written out.
pub(super) const WRITTEN_OUT: usize = 16;

/// A loop as naga has it.
#[derive(Clone, Copy)]
pub(super) struct Source<'m> {
    pub(super) body: &'m Block,
    pub(super) continuing: &'m Block,
    pub(super) break_if: Option<Handle<Expression>>,
}

impl<'m> Walk<'m> {
    pub(super) fn repeat(
        &mut self,
        frame: &mut Frame<'m>,
        body: &'m Block,
        continuing: &'m Block,
        break_if: Option<Handle<Expression>>,
    ) -> Result<()> {
        let source = Source { body, continuing, break_if };
        let exit = Exit {
            broken: self.variable(Self::number(0.0)),
            continued: Some(self.variable(Self::number(0.0))),
        };
        let span = self.builder.span;
        let mark = self.builder.mark();
        let before = (self.variables.clone(), frame.values.clone());
        frame.exits.push(exit);
        self.loops_probed += 1;
        let around = self.probed.replace(exit.broken);
        let probe = self.probe(frame, source, exit);
        self.probed = around;
        self.loops_probed -= 1;
        let probe = match probe {
            Ok(probe) => probe,
            Err(problem) => {
                frame.exits.pop();
                return Err(problem);
            }
        };
        let made = self.builder.made_since(mark);
        if probe.is_whole && (made <= WRITTEN_OUT || probe.passes.is_some_and(|passes| passes <= 1)) {
            frame.exits.pop();
            return Ok(());
        }
        self.builder.rewind(mark);
        (self.variables, frame.values) = before;
        self.builder.span = span;
        let around = self.probed.take();
        let done = self.hardware_loop(frame, source, exit, &probe);
        self.probed = around;
        frame.exits.pop();
        done
    }

    /// One pass. Whether the loop is left: 0, 1, or a truth that the running program knows.
    pub(super) fn pass(&mut self, frame: &mut Frame<'m>, source: Source<'m>, exit: Exit) -> Result<Lane> {
        self.clear(exit.continued);
        self.block(frame, source.body)?;
        self.clear(exit.continued);
        let out = self.out(frame, exit);
        if out.is(1.0) {
            return Ok(out);
        }
        let continuing = |walk: &mut Self, frame: &mut Frame<'m>| {
            walk.block(frame, source.continuing)?;
            if let Some(condition) = source.break_if {
                let leaves = walk.lanes(frame, condition)?;
                walk.set(exit.broken, Value::Vector(leaves));
            }
            Ok(())
        };
        if out.is(0.0) {
            continuing(self, frame)?;
        } else if self.loops_probed > 0 && self.probed == Some(exit.broken) {
            // Only how far it can go is asked.
            self.clear(Some(exit.broken));
            self.clear(Some(frame.returned));
            continuing(self, frame)?;
            let behind = self.out(frame, exit);
            return Ok(if behind.is(1.0) { behind } else { out });
        } else {
            let stays = self.not_one(out);
            self.under(stays, |walk| continuing(walk, frame))?;
        }
        Ok(self.out(frame, exit))
    }

    fn out(&mut self, frame: &Frame<'m>, exit: Exit) -> Lane {
        let (broken, returned) = (self.flag(exit.broken), self.flag(frame.returned));
        self.or(broken, returned)
    }

    pub(super) fn clear(&mut self, variable: Option<usize>) {
        if let Some(variable) = variable {
            self.set(variable, Self::number(0.0));
        }
    }

    /// The loop as one of the machine.
    fn hardware_loop(
        &mut self,
        frame: &mut Frame<'m>,
        source: Source<'m>,
        exit: Exit,
        probe: &Probe,
    ) -> Result<()> {
        let changed = self.changed(frame, source);
        let is_counter = |series: &Series| series.step != 0.0 && series.start.abs() < 256.0;
        let mut counters = probe.series.iter().enumerate().filter(|(index, _)| changed.contains(index));
        let bound = match probe.passes {
            Some(_) => None,
            None => Some(self.uniform_bound(source, probe)?),
        };
        let counter = match bound {
            Some(bound) => Some(Series { start: bound.start, step: 1.0, last: 0.0 }),
            None => counters
                .find_map(|(_, lanes)| lanes.iter().flatten().find(|series| is_counter(series)).copied()),
        };
        let counter = counter.unwrap_or(Series { start: 0.0, step: 1.0, last: 0.0 });
        let (passes, skips_first) = match (bound, probe.passes) {
            (Some(bound), _) => (Passes::Uniform(bound.uniform), bound.skips_first),
            (None, Some(passes)) if (1..=PASSES).contains(&passes) => {
                (Passes::Constant(u16::try_from(passes).unwrap_or(256)), false)
            }
            (None, _) => return self.refuse_length(),
        };
        let first = if skips_first { counter.start - counter.step } else { counter.start };
        let is_plain = bound.is_none_or(|bound| bound.width == 1);
        let index = self.builder.add_loop(Loop { passes, start: first, step: counter.step, is_plain });
        let span = self.builder.span;

        // What every pass starts with.
        let own_flags = [Some(exit.broken), exit.continued, Some(frame.returned)];
        let carried: Vec<usize> =
            changed.into_iter().filter(|variable| !own_flags.contains(&Some(*variable))).collect();
        for &variable in &carried {
            let computed = self.get(variable).clone();
            let computed = self.computed(computed);
            self.set(variable, computed);
        }
        let ran = self.variable(Self::number(0.0));
        let flags = [exit.broken, frame.returned, ran];
        let flags_before: SmallVec<[Lane; 3]> = flags.iter().map(|flag| self.flag(*flag)).collect();
        self.builder.open();
        let counts = self.builder.read(Op::Counter(index), 1).first().copied().unwrap_or(Lane::ZERO);
        let mut phis: Vec<Id> = Vec::new();
        let is_count = |variable: usize, place: usize| {
            let series = probe.series.get(variable).and_then(|lanes| lanes.get(place).copied().flatten());
            series.is_some_and(|series| (series.start, series.step) == (counter.start, counter.step))
        };
        let mut carriers: Vec<(usize, Vec<Id>)> = Vec::new();
        for &variable in &carried {
            let mut made = Vec::new();
            let value = self.get(variable).clone();
            let mut place = 0;
            let value =
                self.carried(&value, &mut place, &mut made, &|place| is_count(variable, place), counts);
            self.set(variable, value);
            phis.extend(made.iter().copied());
            carriers.push((variable, made));
        }
        let flag_phis: SmallVec<[Id; 3]> = flags_before
            .into_iter()
            .map(|before| self.builder.append(Op::Choose, 1, smallvec![smallvec![before]]))
            .collect();
        for &flag in flags.iter().take(2) {
            self.set(flag, Self::number(0.0));
        }
        if let Some(bound) = bound {
            let whole = self
                .builder
                .read(Op::Whole(bound.uniform), bound.width)
                .get(usize::from(bound.component))
                .copied();
            if let Some(whole) = whole {
                self.builder.assume(bound.relation, counts, whole, false);
            }
            self.use_as_passes(bound.uniform)?;
        }
        let walked = if skips_first {
            let ran_before = flag_phis.get(2).map_or(Lane::ONE, |id| self.only(*id));
            self.under(ran_before, |walk| walk.pass(frame, source, exit).map(|_| ()))
        } else {
            self.pass(frame, source, exit).map(|_| ())
        };
        if bound.is_some() {
            self.builder.forget();
        }
        walked?;
        self.set(ran, Self::number(1.0));
        let stop = self.out(frame, exit);
        // What every pass leaves for the next.
        for (variable, made) in &carriers {
            let variable = *variable;
            let value = self.get(variable).clone();
            let value = self.computed(value);
            self.set(variable, value.clone());
            let mut lanes = Vec::new();
            value.for_each_lane(&mut |lane| lanes.push(lane));
            self.connect(variable, &lanes, made, &|place| is_count(variable, place), probe)?;
        }
        for (&flag, &phi) in flags.iter().zip(&flag_phis) {
            let lane = self.flag(flag);
            if let Some(node) = self.builder.program.nodes.get_mut(phi.index()) {
                node.arguments.push(smallvec![lane]);
            }
        }
        phis.extend(flag_phis.iter().copied());
        let body = self.builder.close();
        self.builder.span = span;
        self.builder.push(Item::Loop { index, body, results: phis, stop, span });

        // What is left behind.
        for (variable, made) in &carriers {
            let value = self.get(*variable).clone();
            let left =
                self.left_behind(&value, made, &|place| is_count(*variable, place), counter, probe.passes);
            self.set(*variable, left);
        }
        let stays_open = !stop.is(0.0);
        for (&flag, &phi) in flags.iter().zip(&flag_phis) {
            let next = self.builder.program.node(phi).arguments.get(1).and_then(|list| list.first().copied());
            let lane = if next == Some(Lane::ZERO) { Lane::ZERO } else { self.only(phi) };
            self.set(flag, Value::lane(lane));
        }
        self.last_pass(frame, source, exit, probe, stays_open)?;
        if stays_open || bound.is_some() {
            for &variable in &carried {
                let is_one = probe
                    .series
                    .get(variable)
                    .is_some_and(|lanes| (0..lanes.len()).any(|place| is_count(variable, place)));
                if is_one {
                    let unknown = self.builder.read(Op::Unknown, 1).first().copied();
                    let lanes: Vec<Option<Lane>> = (0..probe.series.get(variable).map_or(0, Vec::len))
                        .map(|place| if is_count(variable, place) { unknown } else { None })
                        .collect();
                    let value = replaced(self.get(variable), &mut lanes.into_iter());
                    self.set(variable, value);
                }
            }
        }
        Ok(())
    }

    /// The pass in which a loop of constant length is left: what stands in front of the test runs once more.
    fn last_pass(
        &mut self,
        frame: &mut Frame<'m>,
        source: Source<'m>,
        exit: Exit,
        probe: &Probe,
        is_open: bool,
    ) -> Result<()> {
        let at_head = head(source.body).is_some();
        if probe.passes.is_none() || source.break_if.is_some() || at_head {
            return Ok(());
        }
        if is_open {
            let out = self.out(frame, exit);
            let stays = self.not_one(out);
            return self.under(stays, |walk| walk.pass(frame, source, exit).map(|_| ()));
        }
        self.pass(frame, source, exit).map(|_| ())
    }

    /// Values that passes hand on: lanes that count are the counter.
    fn carried(
        &mut self,
        value: &Value,
        place: &mut usize,
        made: &mut Vec<Id>,
        is_count: &impl Fn(usize) -> bool,
        counts: Lane,
    ) -> Value {
        match value {
            Value::Vector(lanes) => Value::Vector(self.carried_lanes(lanes, place, made, is_count, counts)),
            Value::Matrix(Matrix::Columns(columns)) => {
                let columns =
                    columns.iter().map(|lanes| self.carried_lanes(lanes, place, made, is_count, counts));
                Value::Matrix(Matrix::Columns(columns.collect()))
            }
            Value::List(list) => Value::List(
                list.iter().map(|value| self.carried(value, place, made, is_count, counts)).collect(),
            ),
            other => other.clone(),
        }
    }

    fn carried_lanes(
        &mut self,
        lanes: &Lanes,
        place: &mut usize,
        made: &mut Vec<Id>,
        is_count: &impl Fn(usize) -> bool,
        counts: Lane,
    ) -> Lanes {
        let first = *place;
        *place += lanes.len();
        let before: Lanes = lanes
            .iter()
            .enumerate()
            .filter(|(lane, _)| !is_count(first + lane))
            .map(|(_, lane)| *lane)
            .collect();
        if before.is_empty() {
            return smallvec![counts; lanes.len()];
        }
        let width = u8::try_from(before.len()).unwrap_or(4);
        let node = self.builder.append(Op::Choose, width, smallvec![before]);
        made.push(node);
        let mut carried = all(node, width).into_iter();
        (0..lanes.len())
            .map(|lane| if is_count(first + lane) { counts } else { carried.next().unwrap_or(Lane::ZERO) })
            .collect()
    }

    /// Ties what a pass leaves to what the next one starts with.
    fn connect(
        &mut self,
        variable: usize,
        lanes: &[Lane],
        made: &[Id],
        is_count: &impl Fn(usize) -> bool,
        probe: &Probe,
    ) -> Result<()> {
        let count = probe.series.get(variable).map_or(lanes.len(), Vec::len);
        if lanes.len() != count {
            return self.unexpected();
        }
        let mut rest = lanes.iter().enumerate().filter(|(place, _)| !is_count(*place)).map(|(_, lane)| *lane);
        for phi in made {
            if let Some(node) = self.builder.program.nodes.get_mut(phi.index()) {
                let next: Lanes = rest.by_ref().take(node.width.into()).collect();
                node.arguments.push(next);
            }
        }
        Ok(())
    }

    /// What a variable holds behind the loop.
    fn left_behind(
        &self,
        value: &Value,
        made: &[Id],
        is_count: &impl Fn(usize) -> bool,
        counter: Series,
        passes: Option<usize>,
    ) -> Value {
        let end = passes.map(|passes| Lane::constant(counter.start + counter.step * passes as f32));
        // Lanes that are carried are read from what carries them.
        let mut carriers = made.iter().flat_map(|id| all(*id, self.builder.program.node(*id).width));
        let mut lanes = Vec::new();
        value.for_each_lane(&mut |_| {
            lanes.push(if is_count(lanes.len()) { end } else { carriers.next() });
        });
        replaced(value, &mut lanes.into_iter())
    }

    /// Variables that a loop may write.
    fn changed(&self, frame: &Frame<'m>, source: Source<'m>) -> Vec<usize> {
        let mut changed: Vec<usize> = Vec::new();
        let mut open = vec![source.body, source.continuing];
        let mut add = |root: Option<Root>| {
            if let Some(Root::Variable(variable)) = root
                && !changed.contains(&variable)
            {
                changed.push(variable);
            }
        };
        while let Some(block) = open.pop() {
            for statement in block {
                match statement {
                    Statement::Block(block) => open.push(block),
                    Statement::If { accept, reject, .. } => open.extend([accept, reject]),
                    Statement::Switch { cases, .. } => open.extend(cases.iter().map(|case| &case.body)),
                    Statement::Loop { body, continuing, .. } => open.extend([body, continuing]),
                    Statement::Store { pointer, .. } => add(self.pointed(frame, *pointer)),
                    Statement::Return { .. } => add(frame.result.map(Root::Variable)),
                    Statement::Call { arguments, .. } => {
                        arguments.iter().for_each(|argument| add(self.pointed(frame, *argument)));
                        self.globals.iter().for_each(|root| add(*root));
                    }
                    _ => {}
                }
            }
        }
        changed.sort_unstable();
        changed
    }

    /// The variable that an expression points into.
    fn pointed(&self, frame: &Frame<'m>, mut pointer: Handle<Expression>) -> Option<Root> {
        loop {
            match &frame.function.expressions[pointer] {
                Expression::Access { base, .. } | Expression::AccessIndex { base, .. } => pointer = *base,
                Expression::LocalVariable(local) => {
                    return frame.locals.get(local.index()).copied().flatten().map(Root::Variable);
                }
                Expression::GlobalVariable(global) => {
                    return self.globals.get(global.index()).copied().flatten();
                }
                Expression::FunctionArgument(index) => match frame.arguments.get(*index as usize) {
                    Some(Value::Pointer(pointer)) => return Some(pointer.root),
                    _ => return None,
                },
                _ => return None,
            }
        }
    }
}

/// A value with some of its lanes exchanged, in order.
pub(super) fn replaced(value: &Value, lanes: &mut impl Iterator<Item = Option<Lane>>) -> Value {
    let mut list =
        |of: &Lanes| of.iter().map(|lane| lanes.next().flatten().unwrap_or(*lane)).collect::<Lanes>();
    match value {
        Value::Vector(of) => Value::Vector(list(of)),
        Value::Matrix(Matrix::Columns(columns)) => {
            Value::Matrix(Matrix::Columns(columns.iter().map(list).collect()))
        }
        Value::List(values) => Value::List(values.iter().map(|value| replaced(value, lanes)).collect()),
        other => other.clone(),
    }
}
