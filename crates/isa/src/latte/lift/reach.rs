//! Which entries of the mask stack can still matter, so that places that differ in dead entries only are one.
//!
//! A jump out of a condition leaves its entry on the stack for ever: a `LOOP_BREAK` that is taken skips the `POP`
//! behind it. If nothing that can follow ever comes down to the entry, it may as well not be there. How far down a
//! program can come from an address is found by going every way that there is, conditions aside.

use super::super::{CfOp, Program};

/// Entries that are taken for all that there can be.
const ALL: u16 = 64;

/// How many entries the rest of the program may look at, by address.
pub(super) struct Reach {
    entries: Vec<u16>,
}

/// A way from one instruction to another.
struct Way {
    to: u32,
    pops: u32,
    /// It pushes an entry, before the pops or behind them.
    pushes: Option<Order>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Order {
    Before,
    Behind,
}

impl Reach {
    /// Looks at all that can be reached from an address.
    pub(super) fn new(program: Program<'_>, entry: u32) -> Self {
        let mut reach = Self { entries: vec![0; program.units() as usize] };
        // Who has to be looked at again when more is known of an address.
        let mut before: Vec<Vec<u32>> = vec![Vec::new(); reach.entries.len()];
        let mut seen = vec![false; reach.entries.len()];
        let mut open = vec![entry];
        let mut order = Vec::new();
        while let Some(at) = open.pop() {
            if seen.get_mut(at as usize).is_none_or(|seen| std::mem::replace(seen, true)) {
                continue;
            }
            order.push(at);
            for way in ways(program, at) {
                if let Some(before) = before.get_mut(way.to as usize) {
                    before.push(at);
                    open.push(way.to);
                }
            }
            // What is called has a stack of its own.
            if let Some(cf) = program.cf(at)
                && cf.op() == Some(CfOp::Call)
            {
                open.push(cf.normal().addr());
            }
        }
        let mut queue: Vec<u32> = order;
        while let Some(at) = queue.pop() {
            let more = reach.look(program, at);
            let place = &mut reach.entries[at as usize];
            if more > *place {
                *place = more;
                queue.extend(&before[at as usize]);
            }
        }
        reach
    }

    fn look(&self, program: Program<'_>, at: u32) -> u16 {
        let op = program.cf(at).and_then(|cf| cf.op());
        let own = u16::from(matches!(op, Some(CfOp::Else)));
        ways(program, at).map(|way| self.through(&way)).fold(own, u16::max)
    }

    /// What a way needs at its start.
    fn through(&self, way: &Way) -> u16 {
        let behind = u32::from(self.at(way.to));
        let needed = match way.pushes {
            None => way.pops + behind,
            Some(Order::Behind) => way.pops + behind.saturating_sub(1),
            Some(Order::Before) => (way.pops + behind).saturating_sub(1),
        };
        needed.min(ALL.into()) as u16
    }

    /// How many entries the program may look at from an address on; [`u16::MAX`]: any number.
    pub(super) fn at(&self, address: u32) -> u16 {
        match self.entries.get(address as usize) {
            Some(&ALL) => u16::MAX,
            Some(&entries) => entries,
            None => 0,
        }
    }

    /// The same from inside the clause that an instruction starts.
    pub(super) fn inside(&self, op: CfOp, at: u32) -> u16 {
        let behind = self.at(at.wrapping_add(1));
        match op {
            CfOp::AluPopAfter => behind.saturating_add(1),
            CfOp::AluPop2After => behind.saturating_add(2),
            CfOp::AluElseAfter => behind.max(1),
            _ => behind,
        }
    }
}

/// All ways on from an instruction.
fn ways(program: Program<'_>, at: u32) -> impl Iterator<Item = Way> {
    let next = at.wrapping_add(1);
    let mut found: [Option<Way>; 2] = [None, None];
    if let Some(cf) = program.cf(at)
        && let Some(op) = cf.op()
    {
        let normal = cf.normal();
        let pops = normal.pop_count();
        let way = |to, pops, pushes| Some(Way { to, pops, pushes });
        let (here, there) = (way(next, 0, None), normal.addr());
        found = match op {
            CfOp::AluPushBefore => [way(next, 0, Some(Order::Before)), None],
            CfOp::AluPopAfter => [way(next, 1, None), None],
            CfOp::AluPop2After => [way(next, 2, None), None],
            // It looks at the entry as if it took it and put it back.
            CfOp::AluElseAfter => [way(next, 1, Some(Order::Behind)), None],
            CfOp::Jump | CfOp::Else | CfOp::LoopBreak | CfOp::LoopContinue => [here, way(there, pops, None)],
            CfOp::Push | CfOp::PushElse => {
                [way(next, 0, Some(Order::Before)), way(there, pops, Some(Order::Before))]
            }
            CfOp::PopPush | CfOp::PopPushElse => {
                [way(next, pops, Some(Order::Behind)), way(there, pops, Some(Order::Behind))]
            }
            CfOp::Pop | CfOp::PopJump => [way(next, pops, None), way(there, pops, None)],
            CfOp::LoopStart | CfOp::LoopStartDx10 | CfOp::LoopStartNoAl | CfOp::LoopEnd => {
                [here, way(there, 0, None)]
            }
            CfOp::EndProgram => [None, None],
            _ => [here, None],
        };
        if cf.ends_program() {
            found = found.map(|way| way.filter(|way| way.to != next));
        }
    }
    found.into_iter().flatten()
}
