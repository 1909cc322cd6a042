//! Exploring a program: from its control-flow instructions to a graph of places.
//!
//! What happens while the pixel is not active leaves no trace, so the way to where it is active again is walked
//! here and becomes an edge. What is left is the graph that the source had: a jump over the other part, a way
//! back to the head of a loop, a way out of it.

use super::super::fields::CfAlu;
use super::super::{Cf, CfOp, Effect, Fetch, FetchOp, Group, Program, Unit, Units};
use super::flow::{BoolTest, Context, Loop, Next, Stuck, bool_test, turn};
use std::collections::HashMap;
use std::rc::Rc;

/// Places that a program may have. Compiled programs have about as many as control-flow instructions.
pub(super) const PLACE_LIMIT: usize = 1 << 12;
/// Units of 64 bits that the clauses of all places may have together.
const UNIT_LIMIT: usize = 1 << 17;
/// Units of 64 bits of the instructions that may be walked while the pixel is not active, over the whole program.
const WALK_LIMIT: usize = 1 << 17;

/// Index of a [`Place`] in the graph.
pub(super) type PlaceId = u32;

/// Something that is done, and where the program goes on.
#[derive(Debug)]
pub(super) struct Place {
    pub(super) what: What,
    /// Slot of the loop index, where a loop that has one is open.
    pub(super) index: Option<u8>,
    pub(super) exit: Exit,
}

/// What is done at a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum What {
    /// The data side of the control-flow instruction at an address.
    Cf(u32),
    /// The groups from `first` on of the clause that the instruction at `cf` starts.
    Groups {
        /// Address of the instruction.
        cf: u32,
        /// Address of the first group.
        first: u32,
    },
    /// The head of a counted loop, where the passes are tested.
    Head {
        /// Where the body starts; none: a pass ends the program.
        body: Option<u32>,
        /// Where the program goes on behind the loop, if it does.
        behind: Option<u32>,
    },
}

/// Where a place goes on.
#[derive(Debug, Clone)]
pub(super) enum Exit {
    /// There.
    Jump(Edge),
    /// In one of two places.
    Branch {
        /// Which one.
        test: Test,
        /// If it holds.
        then: Edge,
        /// If not.
        otherwise: Edge,
    },
}

/// What a branch depends on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Test {
    /// The mask that a group decided.
    Mask {
        /// Address of the group.
        group: u32,
    },
    /// A bool constant.
    Bool(BoolTest),
    /// Whether a loop has another pass.
    Passes(Loop),
}

/// A way to another place.
#[derive(Debug, Clone)]
pub(super) struct Edge {
    /// What is done on the way.
    pub(super) action: Option<Action>,
    /// Where to.
    pub(super) to: Destination,
}

/// Where an edge leads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Destination {
    /// A place.
    Place(PlaceId),
    /// The end of the program.
    End,
    /// The end of a pixel that is dropped.
    Killed,
    /// Nowhere: the program goes round and round without the pixel.
    Forever,
}

/// What flow does to the registers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Action {
    /// No pass is done, aL takes its start.
    Start(Loop),
    /// One more pass is done, aL grows by the step.
    Pass(Loop),
}

/// Too many places.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TooMany;

/// One exploration.
pub(super) struct Explorer<'a> {
    program: Program<'a>,
    places: Vec<Place>,
    ids: HashMap<(What, u32), PlaceId>,
    contexts: HashMap<Rc<Context>, u32>,
    open: Vec<(PlaceId, Rc<Context>)>,
    walked: usize,
    /// Units of 64 bits in all places together.
    units: usize,
}

/// Explores a program from an address on. Place 0 is the start, if there is one at all.
pub(super) fn explore(program: Program<'_>, entry: u32) -> Result<(Destination, Vec<Place>), TooMany> {
    let mut explorer = Explorer {
        program,
        places: Vec::new(),
        ids: HashMap::new(),
        contexts: HashMap::new(),
        open: Vec::new(),
        walked: 0,
        units: 0,
    };
    let start = explorer.edge(Ok(Next::To(entry)), Context::default())?.to;
    while let Some((id, context)) = explorer.open.pop() {
        let exit = explorer.visit(id, &context)?;
        explorer.places[id as usize].exit = exit;
    }
    Ok((start, explorer.places))
}

impl Explorer<'_> {
    /// Where a place goes on.
    fn visit(&mut self, id: PlaceId, context: &Context) -> Result<Exit, TooMany> {
        match self.places[id as usize].what {
            What::Head { body, behind } => {
                let Some(open) = context.innermost() else { return Ok(ends()) };
                let mut left = context.clone();
                left.close();
                let to = |place: Option<u32>| Ok(place.map_or(Next::End, Next::To));
                Ok(Exit::Branch {
                    test: Test::Passes(open),
                    then: self.edge(to(body), context.clone())?,
                    otherwise: self.edge(to(behind), left)?,
                })
            }
            What::Groups { cf, first } => self.clause(context.clone(), cf, Some(first)),
            What::Cf(at) => {
                let Some((cf, op)) = self.instruction(at) else { return Ok(ends()) };
                if op.is_alu() {
                    return self.clause(context.clone(), at, None);
                }
                if op.is_fetch() && is_fetch_outside(self.program, cf) {
                    return Ok(ends());
                }
                let stops =
                    op.is_fetch() && self.program.fetches(cf.normal()).any(|(_, inst)| is_unknown(inst));
                let never = cf.normal().cond() == 1;
                let mut way = |holds| {
                    if holds && !never && (op == CfOp::Kill || stops) {
                        let to = if stops { Destination::End } else { Destination::Killed };
                        return Ok(Edge { action: None, to });
                    }
                    let mut context = context.clone();
                    let next = turn(&mut context, at, cf, op, holds);
                    self.edge(next, context)
                };
                match bool_test(cf, op) {
                    // What these do depends on the constant, the way behind them does not.
                    Some(_) if op.is_fetch() && !stops || is_emission(op) => Ok(Exit::Jump(way(true)?)),
                    Some(test) => {
                        Ok(Exit::Branch { test: Test::Bool(test), then: way(true)?, otherwise: way(false)? })
                    }
                    None => Ok(Exit::Jump(way(true)?)),
                }
            }
        }
    }

    /// Goes through a clause up to a group that decides about the mask.
    fn clause(&mut self, mut context: Context, at: u32, first: Option<u32>) -> Result<Exit, TooMany> {
        let Some((cf, op)) = self.instruction(at) else { return Ok(ends()) };
        let clause = cf.alu();
        if is_outside(self.program, clause) || op == CfOp::AluExtended {
            return Ok(ends());
        }
        if first.is_none() && op == CfOp::AluPushBefore && context.push().is_err() {
            return Ok(ends());
        }
        let mut groups = self.program.groups(clause).filter(|group| first <= Some(group.address));
        let found = groups.find(|group| is_faulty(group) || decides_mask(group));
        let group = match found {
            Some(group) if is_faulty(&group) => return Ok(ends()),
            Some(group) => group,
            None => return Ok(Exit::Jump(self.behind(context, at, op, false)?)),
        };
        let rest: Vec<Group> = groups.collect();
        let then = match rest.first() {
            Some(next) => {
                let what = What::Groups { cf: at, first: next.address };
                Edge { action: None, to: self.place(what, context.clone())? }
            }
            None => self.behind(context.clone(), at, op, false)?,
        };
        context.active = false;
        // Groups behind this one do nothing to the pixel, unless the machine stops there.
        let otherwise = match rest.iter().any(is_faulty) {
            true => Edge { action: None, to: Destination::End },
            false => self.behind(context, at, op, true)?,
        };
        Ok(Exit::Branch { test: Test::Mask { group: group.address }, then, otherwise })
    }

    /// Goes on behind an arithmetic clause. `switched`: a group of it switched the pixel off.
    fn behind(&mut self, mut context: Context, at: u32, op: CfOp, switched: bool) -> Result<Edge, TooMany> {
        let closed = close(&mut context, op, switched);
        self.edge(closed.map(|()| Next::To(at.wrapping_add(1))), context)
    }

    fn instruction(&self, at: u32) -> Option<(Cf, CfOp)> {
        let cf = self.program.cf(at)?;
        Some((cf, cf.op()?))
    }

    /// Walks on to where the pixel is active.
    fn edge(&mut self, next: Result<Next, Stuck>, mut context: Context) -> Result<Edge, TooMany> {
        let mut round = Round::default();
        let mut next = next;
        let mut action = None;
        let to = loop {
            let at = match next {
                Ok(Next::To(at)) => at,
                Ok(Next::Enter { body, behind }) => {
                    action = context.innermost().map(Action::Start);
                    break self.place(What::Head { body, behind }, context)?;
                }
                Ok(Next::Again { body, behind }) => {
                    action = context.innermost().map(Action::Pass);
                    break self.place(What::Head { body, behind }, context)?;
                }
                Ok(Next::End) | Err(Stuck) => break Destination::End,
            };
            let Some((cf, op)) = self.instruction(at) else { break Destination::End };
            if context.active || has_two_ways(cf, op) {
                break self.place(What::Cf(at), context)?;
            }
            self.walked += length(cf);
            if self.walked > WALK_LIMIT {
                return Err(TooMany);
            }
            if round.is_closed(at, &context) {
                break Destination::Forever;
            }
            next = self.pass_by(&mut context, at, cf, op);
        };
        Ok(Edge { action, to })
    }

    /// An instruction that finds the pixel switched off.
    fn pass_by(&self, context: &mut Context, at: u32, cf: Cf, op: CfOp) -> Result<Next, Stuck> {
        if !op.is_alu() {
            if op.is_fetch() && is_fetch_outside(self.program, cf) {
                return Err(Stuck);
            }
            return turn(context, at, cf, op, true);
        }
        let clause = cf.alu();
        if op == CfOp::AluExtended || is_outside(self.program, clause) {
            return Err(Stuck);
        }
        if op == CfOp::AluPushBefore {
            context.push()?;
        }
        if self.program.groups(clause).any(|group| is_faulty(&group)) {
            return Err(Stuck);
        }
        close(context, op, false)?;
        Ok(Next::To(at.wrapping_add(1)))
    }

    fn place(&mut self, what: What, context: Context) -> Result<Destination, TooMany> {
        let index = context.index();
        let context = Rc::new(context);
        let fresh = self.contexts.len() as u32;
        let number = *self.contexts.entry(Rc::clone(&context)).or_insert(fresh);
        let id = self.places.len() as PlaceId;
        let known = *self.ids.entry((what, number)).or_insert(id);
        if known == id {
            self.units += match what {
                What::Cf(at) | What::Groups { cf: at, .. } => self.program.cf(at).map_or(1, length),
                What::Head { .. } => 1,
            };
            if self.places.len() >= PLACE_LIMIT || self.units > UNIT_LIMIT {
                return Err(TooMany);
            }
            self.places.push(Place { what, index, exit: ends() });
            self.open.push((id, context));
        }
        Ok(Destination::Place(known))
    }
}

/// Finds out whether a walk goes round and round: a state is kept for twice as many steps as the one before, and the
/// walk is a round when it comes back to it (after Brent). What a state is made of can be large, so that it is compared
/// only where the address is the same, and copied seldom.
#[derive(Default)]
struct Round {
    kept: Option<(u32, Context)>,
    /// Steps since it was kept, and for how many it is.
    steps: usize,
    span: usize,
}

impl Round {
    /// Whether the walk is where it has been before.
    fn is_closed(&mut self, at: u32, context: &Context) -> bool {
        if self.kept.as_ref().is_some_and(|(address, kept)| *address == at && kept == context) {
            return true;
        }
        self.steps += 1;
        if self.steps > self.span {
            self.kept = Some((at, context.clone()));
            self.span = 2 * self.span + 1;
            self.steps = 0;
        }
        false
    }
}

/// Units of 64 bits that an instruction stands for.
fn length(cf: Cf) -> usize {
    match cf.is_alu() {
        true => cf.alu().count() as usize + 1,
        false => 2 * cf.normal().clause_length() as usize,
    }
}

fn ends() -> Exit {
    Exit::Jump(Edge { action: None, to: Destination::End })
}

/// Whether the way depends on a constant though the pixel is switched off.
fn has_two_ways(cf: Cf, op: CfOp) -> bool {
    matches!(op, CfOp::Else | CfOp::PopJump) && bool_test(cf, op).is_some()
}

/// Whether a fetch is none that the machine knows, where it stops.
fn is_unknown(inst: Fetch) -> bool {
    match inst.op() {
        FetchOp::GetLerp => true,
        // The kind of memory: scratch, reduction, others.
        FetchOp::Mem => inst.0 >> 8 & 7 > 1,
        _ => false,
    }
}

/// Whether an instruction hands over vertices.
pub(super) fn is_emission(op: CfOp) -> bool {
    matches!(op, CfOp::EmitVertex | CfOp::EmitCutVertex | CfOp::CutVertex)
}

/// What an arithmetic clause does to the stack at its end.
fn close(context: &mut Context, op: CfOp, switched: bool) -> Result<(), Stuck> {
    match op {
        CfOp::AluPopAfter => context.pop(1),
        CfOp::AluPop2After => context.pop(2),
        CfOp::AluElseAfter => context.invert(true),
        CfOp::AluContinue | CfOp::AluBreak => context.leave(switched, op == CfOp::AluContinue).map(|_| ()),
        _ => Ok(()),
    }
}

/// Whether a clause reaches out of the program.
pub(super) fn is_outside(program: Program<'_>, clause: CfAlu) -> bool {
    u64::from(clause.addr()) + u64::from(clause.count()) >= u64::from(program.units())
}

/// The same for a clause of fetches.
pub(super) fn is_fetch_outside(program: Program<'_>, cf: Cf) -> bool {
    let normal = cf.normal();
    u64::from(normal.addr()) + 2 * u64::from(normal.clause_length()) > u64::from(program.units())
}

/// Whether a group changes the mask of active pixels.
pub(super) fn decides_mask(group: &Group) -> bool {
    group.insts().any(|(_, inst)| {
        let makes_predicate = inst.op().is_some_and(|op| op.info().effect == Effect::Predicate);
        makes_predicate && inst.updates_mask()
    })
}

/// Whether the machine cannot run a group, and stops.
pub(super) fn is_faulty(group: &Group) -> bool {
    group.fault.is_some()
        || group.insts().any(|(unit, inst)| {
            let Some(op) = inst.op() else { return true };
            let relative =
                inst.op2().dst_rel() != 0 || (0..inst.operand_count()).any(|n| inst.operand(n).relative);
            let together = |units: &[Unit]| {
                units.iter().all(|&unit| group.on(unit).is_some_and(|other| other.op() == Some(op)))
            };
            let complete = match op.info().units {
                Units::All => together(&[Unit::X, Unit::Y, Unit::Z, Unit::W]),
                Units::Pair if unit == Unit::X || unit == Unit::Y => together(&[Unit::X, Unit::Y]),
                Units::Pair => together(&[Unit::Z, Unit::W]),
                Units::Vector | Units::Trans | Units::Any => true,
            };
            !complete || relative && inst.op2().index_mode() > 4
        })
}
