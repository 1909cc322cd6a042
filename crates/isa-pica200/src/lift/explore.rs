//! Exploring a program: from its words to graphs of places, one for the entry and one for each procedure
//! that can stay a function.
//!
//! A procedure stays a function where its stack entries and those of its callers cannot meet; every
//! condition is checked against what the exploration of the procedure saw ([`Summary`]). Where one fails, the
//! call is followed in its context, exactly as the machine does it.

use super::flow::{CALL_DEPTH, Call, Context, Emission, Flow, IF_DEPTH, LOOP_DEPTH, Loop, Test, Transfer};
use super::reach::{Dead, Reach, Scope};
use std::collections::HashMap;
use std::ops::Deref;
use std::rc::Rc;

/// Places that one function may have. Programs written with an assembler have about as many as words.
pub(super) const PLACE_LIMIT: usize = 1 << 14;
/// What an EMIT counts as: it moves all outputs.
const EMIT_PLACES: usize = 8;
/// Places that the exploration may visit, those of procedures that turn out to be no functions included.
const WORK_LIMIT: usize = 4 * PLACE_LIMIT;

/// Index of a [`Place`] in its graph.
pub(super) type PlaceId = u32;

/// One function: its places and where each goes. Place 0 is the start.
#[derive(Debug)]
pub(super) struct Graph {
    /// First word.
    pub(super) begin: u32,
    /// Behind the last word; `None` for the entry.
    pub(super) end: Option<u32>,
    /// All places.
    pub(super) places: Vec<Place>,
    summary: Summary,
}

/// Something that is done, and where the program goes on.
#[derive(Debug)]
pub(super) struct Place {
    /// What is done.
    pub(super) what: What,
    /// Where it goes on.
    pub(super) exit: Exit,
}

/// What is done at a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum What {
    /// The data side of the word's instruction.
    Word(u32),
    /// EMIT at a word, with what SETEMIT chose.
    Emit(u32, Emission),
    /// The head of a loop, where its passes are counted.
    Head(Loop),
}

/// Where a place goes on.
#[derive(Debug, Clone)]
pub(super) enum Exit {
    /// There.
    Jump(Edge),
    /// In one of two places.
    Branch {
        /// Which one.
        test: Choice,
        /// If it holds.
        then: Edge,
        /// If not.
        otherwise: Edge,
    },
    /// END.
    End,
}

/// What a branch depends on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Choice {
    /// A flow instruction's test.
    Test(Test),
    /// Whether a loop has another pass.
    Pass(Loop),
}

/// A way to another place.
#[derive(Debug, Clone)]
pub(super) struct Edge {
    /// What is done on the way, in order.
    pub(super) actions: Vec<Action>,
    /// Where to.
    pub(super) to: Destination,
}

/// Where an edge leads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Destination {
    /// A place.
    Place(PlaceId),
    /// Back to the function's caller.
    Return,
    /// The end of the code, which ends the program.
    End,
}

/// What flow does to the registers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Action {
    /// Calls the function with this graph.
    Call(usize),
    /// LOOP inside a loop: aL is kept for behind it.
    Keep(Loop),
    /// LOOP: no pass is done, aL takes its start.
    Start(Loop),
    /// One more pass is done, aL grows by the step.
    Pass(Loop),
    /// aL grows by the step: BREAK.
    Step(Loop),
    /// aL is again what it was in front of the loop: behind a loop inside a loop.
    Restore(Loop),
}

/// What a caller must know of a function.
#[derive(Debug, Default, Clone)]
struct Summary {
    /// For each address, whether an instruction in front of it is done.
    passes: Vec<bool>,
    /// Deepest stacks, counted from the function's own start, its own call entry included.
    calls: usize,
    ifs: usize,
    loops: usize,
    /// It contains a LOOP.
    has_loop: bool,
    /// It leaves dead IF entries behind, so its callers must have none that live.
    leaves_ifs: bool,
    /// How many call entries its return pops in one go.
    pops: usize,
}

/// Why an exploration stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stop {
    /// It cannot be a function.
    NoFunction,
    /// Too many places.
    Limit,
}

/// Explores the words of one program.
#[derive(Debug)]
pub(super) struct Explorer {
    flow: Vec<Flow>,
    reach: Reach,
    /// Graphs of the functions; the entry is not among them.
    pub(super) graphs: Vec<Graph>,
    /// What is known of procedures, by begin, end, and whether a loop is open around the call.
    known: HashMap<(u32, u32, bool), Option<usize>>,
    /// Procedures that are being explored.
    open: Vec<(u32, u32)>,
    flat: Rc<Context>,
    contexts: HashMap<Rc<Context>, u32>,
    work: usize,
}

/// A context with its number; equal contexts have equal numbers.
#[derive(Debug, Clone)]
struct Shared {
    context: Rc<Context>,
    number: u32,
}

impl Deref for Shared {
    type Target = Context;

    fn deref(&self) -> &Context {
        &self.context
    }
}

/// Number of the context outside of all blocks.
const FLAT: u32 = 0;

/// One exploration.
struct Frame {
    root: Option<(u32, u32)>,
    /// A loop is open around the call.
    in_loop: bool,
    places: Vec<Place>,
    /// Places of words outside of all blocks, by word; `PlaceId::MAX` where there is none yet.
    flat: Vec<PlaceId>,
    /// All others, by word, context, and whether it is a loop's head.
    ids: HashMap<(u32, u32, bool), PlaceId>,
    open: Vec<(PlaceId, u32, Shared)>,
    summary: Summary,
    pops: Option<usize>,
    /// Places, EMIT counted several times.
    cost: usize,
}

impl Explorer {
    pub(super) fn new(flow: Vec<Flow>) -> Self {
        Self {
            reach: Reach::new(flow.clone()),
            flow,
            graphs: Vec::new(),
            known: HashMap::new(),
            open: Vec::new(),
            flat: Rc::default(),
            contexts: HashMap::new(),
            work: 0,
        }
    }

    /// Explores the program that starts at `entry`, and the functions it calls.
    pub(super) fn program(&mut self, entry: u32) -> Result<Graph, Stop> {
        self.explore(entry, None, false)
    }

    fn explore(&mut self, begin: u32, end: Option<u32>, in_loop: bool) -> Result<Graph, Stop> {
        let mut context = Context::default();
        if let Some(end) = end {
            context.calls.push(Call { end, back: None });
        }
        let mut frame = Frame {
            root: end.map(|end| (begin, end)),
            in_loop,
            places: Vec::new(),
            flat: vec![PlaceId::MAX; self.flow.len()],
            ids: HashMap::new(),
            open: Vec::new(),
            summary: Summary { passes: vec![false; self.flow.len() + 1], ..Summary::default() },
            pops: None,
            cost: 0,
        };
        frame.measure(&context);
        match self.place(&mut frame, context, begin)? {
            Destination::Place(_) => {}
            _ => frame.places.push(Place { what: What::Word(begin), exit: Exit::End }),
        }
        while let Some((id, pc, context)) = frame.open.pop() {
            let exit = self.visit(&mut frame, id, pc, &context)?;
            if let Some(place) = frame.places.get_mut(id as usize) {
                place.exit = exit;
            }
        }
        if frame.root.is_some() {
            // A procedure that never returns ends no block of its caller either; the machine's own way is
            // the simple one then.
            frame.summary.pops = frame.pops.ok_or(Stop::NoFunction)?;
        }
        Ok(Graph { begin, end, places: frame.places, summary: frame.summary })
    }

    /// Where the place with that word and context goes on.
    fn visit(&mut self, frame: &mut Frame, id: PlaceId, pc: u32, context: &Shared) -> Result<Exit, Stop> {
        if let What::Head(open) = frame.places[id as usize].what {
            let then = self.edge_to(frame, context, Vec::new(), open.body)?;
            let mut behind = Context::clone(&context.context);
            behind.loops.pop();
            let nested = !behind.loops.is_empty() || frame.in_loop;
            let actions = if nested { vec![Action::Restore(open)] } else { Vec::new() };
            let otherwise = Edge { actions, to: self.place(frame, behind, open.end)? };
            return Ok(Exit::Branch { test: Choice::Pass(open), then, otherwise });
        }
        let next = pc + 1;
        if let Some(passed) = frame.summary.passes.get_mut(next as usize) {
            *passed = true;
        }
        let plain = |this: &mut Self, frame: &mut Frame, context: &Shared| {
            this.land(frame, context, Vec::new(), pc, next, false)
        };
        match self.flow[pc as usize] {
            Flow::Plain => Ok(Exit::Jump(plain(self, frame, context)?)),
            Flow::End => match frame.root {
                Some(_) => Err(Stop::NoFunction),
                None => Ok(Exit::End),
            },
            Flow::Emit | Flow::SetEmit(_) if frame.root.is_some() => Err(Stop::NoFunction),
            Flow::Emit => Ok(Exit::Jump(plain(self, frame, context)?)),
            Flow::SetEmit(emission) => {
                let context = self.share(Context { emission, ..Context::clone(&context.context) });
                Ok(Exit::Jump(plain(self, frame, &context)?))
            }
            Flow::Transfer(transfer, test) => {
                let then = self.transfer(frame, context, pc, transfer)?;
                if test == Test::Always {
                    return Ok(Exit::Jump(then));
                }
                let otherwise = match transfer {
                    Transfer::If(block) => self.land(frame, context, Vec::new(), pc, block.end, false)?,
                    _ => plain(self, frame, context)?,
                };
                Ok(Exit::Branch { test: Choice::Test(test), then, otherwise })
            }
        }
    }

    /// The way of a flow instruction whose test holds.
    fn transfer(
        &mut self,
        frame: &mut Frame,
        context: &Shared,
        pc: u32,
        transfer: Transfer,
    ) -> Result<Edge, Stop> {
        let next = pc + 1;
        let mut inside = Context::clone(&context.context);
        match transfer {
            Transfer::Jump(to) => self.land(frame, context, Vec::new(), pc, to, false),
            Transfer::Break => {
                // The caller's loop would be left.
                if context.loops.is_empty() && frame.root.is_some() {
                    return Err(Stop::NoFunction);
                }
                self.land(frame, context, Vec::new(), pc, next, true)
            }
            Transfer::If(block) => {
                frame.push(&mut inside.ifs, block, IF_DEPTH)?;
                frame.measure(&inside);
                let inside = self.share(inside);
                self.land(frame, &inside, Vec::new(), pc, next, false)
            }
            Transfer::Loop { end, int } => {
                frame.summary.has_loop = true;
                if inside.loops.len() == LOOP_DEPTH && frame.root.is_none() {
                    inside.loops.remove(0);
                }
                let open = Loop { body: next, end, int, slot: inside.free_slot() };
                frame.push(&mut inside.loops, open, LOOP_DEPTH)?;
                frame.measure(&inside);
                let nested = inside.loops.len() > 1 || frame.in_loop;
                let mut actions = vec![Action::Start(open)];
                if nested {
                    actions.insert(0, Action::Keep(open));
                }
                if inside.ends_at(next) {
                    let inside = self.share(inside);
                    return self.land(frame, &inside, actions, pc, next, false);
                }
                Ok(Edge { actions, to: self.head(frame, inside, open)? })
            }
            Transfer::Call { begin, end } => {
                if let Some(edge) = self.call(frame, context, pc, begin, end)? {
                    return Ok(edge);
                }
                frame.push(&mut inside.calls, Call { end, back: Some(next) }, CALL_DEPTH)?;
                frame.measure(&inside);
                let inside = self.share(inside);
                self.land(frame, &inside, Vec::new(), pc, begin, false)
            }
        }
    }

    /// A call as a call, where the machine's stacks cannot tell the difference.
    fn call(
        &mut self,
        frame: &mut Frame,
        context: &Shared,
        pc: u32,
        begin: u32,
        end: u32,
    ) -> Result<Option<Edge>, Stop> {
        let next = pc + 1;
        let if_end = context.ifs.last().map(|block| block.end);
        let loop_end = context.loops.last().map(|open| open.end);
        // A block that ends with the call itself is closed before the procedure runs.
        if end == next || if_end == Some(next) || loop_end == Some(next) {
            return Ok(None);
        }
        let in_loop = frame.in_loop || !context.loops.is_empty();
        let Some(index) = self.procedure(begin, end, in_loop)? else { return Ok(None) };
        let Some(callee) = self.graphs.get(index).map(|graph| &graph.summary) else { return Ok(None) };
        let meets = |address: Option<u32>| {
            address.is_some_and(|at| callee.passes.get(at as usize).copied().unwrap_or(false))
        };
        if meets(if_end)
            || meets(loop_end)
            || context.calls.len() + callee.calls > CALL_DEPTH
            || context.ifs.len() + callee.ifs > IF_DEPTH
            || context.loops.len() + callee.loops > LOOP_DEPTH
            || callee.leaves_ifs && !context.ifs.is_empty()
        {
            return Ok(None);
        }
        // Procedures of ours that end with the call return together with it.
        let mut outside = Context::clone(&context.context);
        let mut back = next;
        let mut pops = callee.pops;
        let mut returns = false;
        while let Some(call) = outside.calls.last()
            && call.end == back
        {
            // Of four that end together the last is treated differently.
            if pops + 1 >= CALL_DEPTH {
                return Ok(None);
            }
            pops += 1;
            match call.back {
                Some(caller) => back = caller,
                None => returns = true,
            }
            outside.calls.pop();
            if returns {
                break;
            }
        }
        frame.adopt(callee, context);
        let actions = vec![Action::Call(index)];
        if returns {
            frame.returns(&outside, pops)?;
            return Ok(Some(Edge { actions, to: Destination::Return }));
        }
        Ok(Some(Edge { actions, to: self.place(frame, outside, back)? }))
    }

    /// The function for a procedure, if it can be one.
    fn procedure(&mut self, begin: u32, end: u32, in_loop: bool) -> Result<Option<usize>, Stop> {
        let outside = self.variant(begin, end, false)?;
        match outside.and_then(|index| self.graphs.get(index)) {
            // Only a loop asks whether another is open around it.
            Some(graph) if in_loop && graph.summary.has_loop => self.variant(begin, end, true),
            _ => Ok(outside),
        }
    }

    fn variant(&mut self, begin: u32, end: u32, in_loop: bool) -> Result<Option<usize>, Stop> {
        if let Some(known) = self.known.get(&(begin, end, in_loop)) {
            return Ok(*known);
        }
        // Deeper or recursive calls are followed; nothing is learnt about the procedure by that.
        if self.open.len() >= CALL_DEPTH || self.open.contains(&(begin, end)) {
            return Ok(None);
        }
        self.open.push((begin, end));
        let explored = self.explore(begin, Some(end), in_loop);
        self.open.pop();
        let known = match explored {
            Ok(graph) => {
                self.graphs.push(graph);
                Some(self.graphs.len() - 1)
            }
            Err(Stop::NoFunction) => None,
            Err(Stop::Limit) => return Err(Stop::Limit),
        };
        self.known.insert((begin, end, in_loop), known);
        Ok(known)
    }

    /// Ends the instruction at `pc`, which wants to go on at `to`: closes the blocks that end behind it.
    fn land(
        &mut self,
        frame: &mut Frame,
        context: &Shared,
        mut actions: Vec<Action>,
        pc: u32,
        to: u32,
        is_break: bool,
    ) -> Result<Edge, Stop> {
        let next = pc + 1;
        if !is_break && !context.ends_at(next) {
            return self.edge_to(frame, context, actions, to);
        }
        let mut context = Context::clone(&context.context);
        let mut to = to;
        let mut behind = next;
        for pops in 0..CALL_DEPTH {
            match context.calls.last().copied() {
                Some(call) if call.end == behind => {
                    context.calls.pop();
                    let Some(back) = call.back else {
                        if pops == CALL_DEPTH - 1 {
                            return Err(Stop::NoFunction);
                        }
                        frame.returns(&context, pops + 1)?;
                        return Ok(Edge { actions, to: Destination::Return });
                    };
                    // Of four calls that end together the fourth is closed without going back.
                    if pops < CALL_DEPTH - 1 {
                        to = back;
                        behind = back;
                    }
                }
                _ => break,
            }
        }
        if let Some(block) = context.ifs.last().copied()
            && block.end == next
        {
            to = block.behind;
            context.ifs.pop();
        }
        if let Some(open) = context.loops.last().copied()
            && (open.end == next || is_break)
        {
            if !is_break {
                actions.push(Action::Pass(open));
                return Ok(Edge { actions, to: self.head(frame, context, open)? });
            }
            let nested = context.loops.len() > 1 || frame.in_loop;
            // Behind a nested loop aL is set anyway.
            actions.push(if nested { Action::Restore(open) } else { Action::Step(open) });
            to = open.end;
            context.loops.pop();
        }
        Ok(Edge { actions, to: self.place(frame, context, to)? })
    }

    fn edge_to(
        &mut self,
        frame: &mut Frame,
        context: &Shared,
        actions: Vec<Action>,
        to: u32,
    ) -> Result<Edge, Stop> {
        let dead = self.reach.dead(context, to, frame.scope());
        let to = if dead == Dead::default() {
            self.intern(frame, context.clone(), to, None)?
        } else {
            self.place(frame, Context::clone(&context.context), to)?
        };
        Ok(Edge { actions, to })
    }

    /// The place of a word in a context.
    fn place(&mut self, frame: &mut Frame, mut context: Context, pc: u32) -> Result<Destination, Stop> {
        let dead = self.reach.dead(&context, pc, frame.scope());
        frame.summary.leaves_ifs |= dead.ifs > 0;
        dead.remove_from(&mut context);
        let context = self.share(context);
        self.intern(frame, context, pc, None)
    }

    /// The place of a loop's head.
    fn head(&mut self, frame: &mut Frame, mut context: Context, open: Loop) -> Result<Destination, Stop> {
        // What lives in the body or behind it lives here; the loop itself does.
        let scope = Scope { in_loop: true, ..frame.scope() };
        let inside = self.reach.dead(&context, open.body, scope);
        let mut behind = context.clone();
        behind.loops.pop();
        let behind = self.reach.dead(&behind, open.end, scope);
        let dead = Dead {
            calls: inside.calls.min(behind.calls),
            ifs: inside.ifs.min(behind.ifs),
            loops: 0,
            emission: inside.emission && behind.emission,
        };
        frame.summary.leaves_ifs |= dead.ifs > 0;
        dead.remove_from(&mut context);
        let context = self.share(context);
        self.intern(frame, context, open.body, Some(open))
    }

    /// A context with its number.
    fn share(&mut self, context: Context) -> Shared {
        // Most places are outside of all blocks.
        if context == *self.flat {
            return Shared { context: Rc::clone(&self.flat), number: FLAT };
        }
        let fresh = self.contexts.len() as u32 + 1;
        let context = Rc::new(context);
        let number = *self.contexts.entry(Rc::clone(&context)).or_insert(fresh);
        Shared { context, number }
    }

    fn intern(
        &mut self,
        frame: &mut Frame,
        context: Shared,
        pc: u32,
        head: Option<Loop>,
    ) -> Result<Destination, Stop> {
        let what = match (head, self.flow.get(pc as usize)) {
            // A body behind the end of the code still has its passes counted.
            (Some(open), _) => What::Head(open),
            (None, Some(Flow::Emit)) => What::Emit(pc, context.emission),
            (None, Some(_)) => What::Word(pc),
            (None, None) if frame.root.is_some() => return Err(Stop::NoFunction),
            (None, None) => return Ok(Destination::End),
        };
        let id = frame.places.len() as PlaceId;
        let known = match (head, frame.flat.get_mut(pc as usize)) {
            (None, Some(place)) if context.number == FLAT => {
                if *place == PlaceId::MAX {
                    *place = id;
                }
                *place
            }
            _ => *frame.ids.entry((pc, context.number, head.is_some())).or_insert(id),
        };
        if known == id {
            let cost = if matches!(what, What::Emit(..)) { EMIT_PLACES } else { 1 };
            self.work += cost;
            frame.cost += cost;
            if self.work > WORK_LIMIT || frame.cost > PLACE_LIMIT {
                return Err(Stop::Limit);
            }
            frame.places.push(Place { what, exit: Exit::End });
            frame.open.push((id, pc, context));
        }
        Ok(Destination::Place(known))
    }
}

impl Frame {
    fn scope(&self) -> Scope {
        Scope { in_function: self.root.is_some(), in_loop: self.in_loop }
    }

    /// Pushes an entry; a full stack loses its oldest one.
    fn push<T>(&self, stack: &mut Vec<T>, entry: T, depth: usize) -> Result<(), Stop> {
        if stack.len() >= depth {
            // The oldest entry may be the caller's.
            if self.root.is_some() {
                return Err(Stop::NoFunction);
            }
            stack.remove(0);
        }
        stack.push(entry);
        Ok(())
    }

    fn measure(&mut self, context: &Context) {
        self.summary.calls = self.summary.calls.max(context.calls.len());
        self.summary.ifs = self.summary.ifs.max(context.ifs.len());
        self.summary.loops = self.summary.loops.max(context.loops.len());
    }

    /// What a call adds to the summary of the caller.
    fn adopt(&mut self, callee: &Summary, context: &Context) {
        for (mine, theirs) in self.summary.passes.iter_mut().zip(&callee.passes) {
            *mine |= theirs;
        }
        self.summary.calls = self.summary.calls.max(context.calls.len() + callee.calls);
        self.summary.ifs = self.summary.ifs.max(context.ifs.len() + callee.ifs);
        self.summary.loops = self.summary.loops.max(context.loops.len() + callee.loops);
        self.summary.has_loop |= callee.has_loop;
        self.summary.leaves_ifs |= callee.leaves_ifs;
    }

    /// The function returns; `pops` call entries are closed by that.
    fn returns(&mut self, context: &Context, pops: usize) -> Result<(), Stop> {
        let same = self.pops.is_none_or(|before| before == pops);
        if !context.calls.is_empty() || !context.ifs.is_empty() || !context.loops.is_empty() || !same {
            return Err(Stop::NoFunction);
        }
        self.pops = Some(pops);
        Ok(())
    }
}
