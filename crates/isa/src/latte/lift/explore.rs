//! Exploring a program: from its control-flow instructions to a graph of places.
//!
//! What happens while the pixel is not active leaves no trace, so the way to where it is active again is walked
//! here and becomes an edge. What is left is the graph that the source had: a jump over the other part, a way
//! back to the head of a loop, a way out of it.

use super::super::{Cf, CfOp, Group, Program};
use super::flow::{BoolTest, Context, Loop, Next, bool_test, turn};
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

/// Places that a program may have. Compiled programs have about as many as control-flow instructions.
pub(super) const PLACE_LIMIT: usize = 1 << 14;
/// Instructions that may be walked while the pixel is not active, over the whole program.
const WALK_LIMIT: usize = 1 << 20;

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
        /// Where the body starts.
        body: u32,
        /// Where the program goes on behind the loop.
        behind: u32,
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
    };
    let start = explorer.settle(Next::To(entry), Context::default())?;
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
            What::Head { body, behind } => self.head(context, body, behind),
            What::Groups { cf, first } => self.clause(context, cf, Some(first)),
            What::Cf(at) => {
                let Some((cf, op)) = self.instruction(at) else {
                    return Ok(Exit::Jump(Edge { action: None, to: Destination::End }));
                };
                if op.is_alu() {
                    return self.clause(context, at, None);
                }
                let edge = |this: &mut Self, holds: bool| {
                    let mut context = context.clone();
                    let next = turn(&mut context, at, cf, op, holds);
                    let starts = matches!(op, CfOp::LoopStart | CfOp::LoopStartNoAl);
                    let action = match (next, context.loops.last()) {
                        (Next::Head(_), Some(open)) if starts => Some(Action::Start(*open)),
                        (Next::Head(_), Some(open)) => Some(Action::Pass(*open)),
                        _ => None,
                    };
                    // Where the program goes on behind the loop, as its start or its end says.
                    let behind = if starts { cf.normal().addr() } else { at.wrapping_add(1) };
                    let to = match next {
                        Next::Head(body) => this.place(What::Head { body, behind }, context)?,
                        next => this.settle(next, context)?,
                    };
                    Ok(Edge { action, to })
                };
                match bool_test(cf, op) {
                    Some(test) => Ok(Exit::Branch {
                        test: Test::Bool(test),
                        then: edge(self, true)?,
                        otherwise: edge(self, false)?,
                    }),
                    None => Ok(Exit::Jump(edge(self, true)?)),
                }
            }
        }
    }

    fn head(&mut self, context: &Context, body: u32, behind: u32) -> Result<Exit, TooMany> {
        let mut left = context.clone();
        let Some(open) = left.loops.pop() else {
            return Ok(Exit::Jump(Edge { action: None, to: self.settle(Next::To(behind), left)? }));
        };
        left.active = open.entered;
        Ok(Exit::Branch {
            test: Test::Passes(open),
            then: Edge { action: None, to: self.settle(Next::To(body), context.clone())? },
            otherwise: Edge { action: None, to: self.settle(Next::To(behind), left)? },
        })
    }

    /// Goes through a clause up to a group that decides about the mask.
    fn clause(&mut self, context: &Context, at: u32, first: Option<u32>) -> Result<Exit, TooMany> {
        let mut context = context.clone();
        let Some((cf, op)) = self.instruction(at) else {
            return Ok(Exit::Jump(Edge { action: None, to: Destination::End }));
        };
        if first.is_none() && op == CfOp::AluPushBefore {
            context.push();
        }
        let mut groups = self.program.groups(cf.alu()).filter(|group| first <= Some(group.address));
        let decides = groups.find(decides_mask);
        let then = match decides {
            None => return Ok(Exit::Jump(Edge { action: None, to: self.behind(context, at, op)? })),
            Some(_) => match groups.next() {
                Some(group) => self.place(What::Groups { cf: at, first: group.address }, context.clone())?,
                None => self.behind(context.clone(), at, op)?,
            },
        };
        context.active = false;
        let mut switched = context;
        match (op, switched.loops.last_mut()) {
            (CfOp::AluBreak, Some(open)) => open.broken = true,
            (CfOp::AluContinue, Some(open)) => open.continued = true,
            _ => {}
        }
        let otherwise = self.behind(switched, at, op)?;
        Ok(Exit::Branch {
            test: Test::Mask { group: decides.map_or(at, |group| group.address) },
            then: Edge { action: None, to: then },
            otherwise: Edge { action: None, to: otherwise },
        })
    }

    /// Goes on behind an arithmetic clause.
    fn behind(&mut self, mut context: Context, at: u32, op: CfOp) -> Result<Destination, TooMany> {
        close(&mut context, op);
        self.settle(Next::To(at.wrapping_add(1)), context)
    }

    fn instruction(&self, at: u32) -> Option<(Cf, CfOp)> {
        let cf = self.program.cf(at)?;
        Some((cf, cf.op().unwrap_or(CfOp::Nop)))
    }

    /// Walks on to where the pixel is active.
    fn settle(&mut self, mut next: Next, mut context: Context) -> Result<Destination, TooMany> {
        let mut seen = HashSet::new();
        loop {
            let at = match next {
                Next::To(at) | Next::Head(at) => at,
                Next::End => return Ok(Destination::End),
            };
            if context.is_too_deep() {
                return Err(TooMany);
            }
            let Some((cf, op)) = self.instruction(at) else { return Ok(Destination::End) };
            if context.active {
                return self.place(What::Cf(at), context);
            }
            self.walked += 1;
            if self.walked > WALK_LIMIT {
                return Err(TooMany);
            }
            if !seen.insert((at, context.clone())) {
                return Ok(Destination::Forever);
            }
            if op.is_alu() {
                if op == CfOp::AluPushBefore {
                    context.push();
                }
                close(&mut context, op);
                next = Next::To(at.wrapping_add(1));
            } else {
                next = turn(&mut context, at, cf, op, false);
            }
        }
    }

    fn place(&mut self, what: What, context: Context) -> Result<Destination, TooMany> {
        let index = context.index();
        let context = Rc::new(context);
        let fresh = self.contexts.len() as u32;
        let number = *self.contexts.entry(Rc::clone(&context)).or_insert(fresh);
        let id = self.places.len() as PlaceId;
        let known = *self.ids.entry((what, number)).or_insert(id);
        if known == id {
            if self.places.len() >= PLACE_LIMIT {
                return Err(TooMany);
            }
            let exit = Exit::Jump(Edge { action: None, to: Destination::End });
            self.places.push(Place { what, index, exit });
            self.open.push((id, context));
        }
        Ok(Destination::Place(known))
    }
}

/// What an arithmetic clause does to the stack at its end.
fn close(context: &mut Context, op: CfOp) {
    match op {
        CfOp::AluPopAfter => context.pop(1),
        CfOp::AluPop2After => context.pop(2),
        CfOp::AluElseAfter => context.invert(),
        _ => {}
    }
}

/// Whether a group changes the mask of active pixels.
pub(super) fn decides_mask(group: &Group) -> bool {
    group.insts().any(|(_, inst)| {
        let makes_predicate = inst
            .op()
            .is_some_and(|op| op.info().effect == super::super::Effect::Predicate);
        makes_predicate && inst.updates_mask()
    })
}
