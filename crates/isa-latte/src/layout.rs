//! What each unit of a program is: control flow, part of a clause, or neither; and where clauses go when
//! nobody says.

use super::decode::Program;
use super::inst::Cf;
use super::table::CfOp;
use std::ops::Range;

/// What a unit of 64 bits is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Role {
    /// Nothing leads there.
    Gap,
    /// A control-flow instruction.
    Flow,
    /// Part of a clause.
    Clause,
}

/// Units that belong to a control-flow instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Clause {
    /// Address of the instruction that starts it.
    pub cf: u32,
    /// Its first unit.
    pub first: u32,
    /// Its length in units.
    pub units: u32,
    /// Fetches instead of arithmetic.
    pub fetches: bool,
}

/// The map of a program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Layout {
    /// Units of control flow, in order, none directly behind the other. The first one starts at 0, unless the
    /// program starts with nothing.
    pub runs: Vec<Range<u32>>,
    /// Clauses in the order of the instructions that start them. One that leads out of the program, into
    /// control flow or into another's units is not among them.
    pub clauses: Vec<Clause>,
    roles: Vec<Role>,
}

impl Layout {
    /// Maps a program: control flow from its start to its end, the clauses that it starts, and then whatever
    /// jumps and calls reach.
    pub fn new(program: &Program<'_>) -> Self {
        let mut layout =
            Self { runs: Vec::new(), clauses: Vec::new(), roles: vec![Role::Gap; program.units() as usize] };
        let mut entries = vec![0];
        let mut next = 0;
        while let Some(&entry) = entries.get(next) {
            next += 1;
            let run = layout.walk(program, entry);
            if run.is_empty() {
                continue;
            }
            for at in run.clone() {
                let Some(cf) = program.cf(at) else { break };
                layout.claim(program, at, cf);
            }
            for at in run.clone() {
                let Some(cf) = program.cf(at) else { break };
                let target = cf.normal().addr();
                if cf.op().is_some_and(CfOp::has_target) && layout.role(target) == Some(Role::Gap) {
                    entries.push(target);
                }
            }
            layout.runs.push(run);
        }
        layout.runs.sort_by_key(|run| run.start);
        let runs = std::mem::take(&mut layout.runs);
        for run in runs {
            match layout.runs.last_mut() {
                Some(last) if last.end == run.start => last.end = run.end,
                _ => layout.runs.push(run),
            }
        }
        layout.clauses.sort_by_key(|clause| clause.cf);
        layout
    }

    /// Claims control flow from an address up to where it ends.
    fn walk(&mut self, program: &Program<'_>, entry: u32) -> Range<u32> {
        let mut at = entry;
        // Where the first clause starts, there is no control flow any more, even if no end was seen.
        let mut stop = program.units();
        while at < stop {
            let Some(role @ Role::Gap) = self.roles.get_mut(at as usize) else { break };
            let Some(cf) = program.cf(at) else { break };
            if cf.0 == 0 && program.unit(at + 1).unwrap_or(0) == 0 {
                break;
            }
            *role = Role::Flow;
            if let Some((first, _)) = clause_of(cf)
                && first > at
            {
                stop = stop.min(first);
            }
            at += 1;
            let returns = cf.op() == Some(CfOp::Return) && cf.normal().cond() == 0;
            if cf.ends_program() || returns {
                break;
            }
        }
        entry..at
    }

    /// Claims the clause that an instruction starts, if all of it is free.
    fn claim(&mut self, program: &Program<'_>, cf: u32, inst: Cf) {
        let Some((first, units)) = clause_of(inst) else { return };
        let Some(end) = first.checked_add(units).filter(|&end| end <= program.units()) else { return };
        let Some(place) = self.roles.get_mut(first as usize..end as usize) else { return };
        if place.iter().all(|&role| role == Role::Gap) {
            place.fill(Role::Clause);
            self.clauses.push(Clause { cf, first, units, fetches: !inst.is_alu() });
        }
    }

    /// What a unit is; `None` past the end.
    pub fn role(&self, at: u32) -> Option<Role> {
        self.roles.get(at as usize).copied()
    }

    /// The clause of the control-flow instruction at an address.
    pub fn clause_at(&self, cf: u32) -> Option<Clause> {
        let place = self.clauses.binary_search_by_key(&cf, |clause| clause.cf).ok()?;
        self.clauses.get(place).copied()
    }

    /// Addresses of all control-flow instructions.
    pub fn flow(&self) -> impl Iterator<Item = u32> + '_ {
        self.runs.iter().flat_map(|run| run.clone())
    }

    /// Units behind the last that is control flow or part of a clause.
    pub fn end(&self) -> u32 {
        self.roles.iter().rposition(|&role| role != Role::Gap).map_or(0, |last| last as u32 + 1)
    }

    /// Stretches of units that belong to nothing and are not zero. Zeros inside are part of a stretch where
    /// they are few.
    pub fn strays(&self, program: &Program<'_>) -> Vec<Range<u32>> {
        /// Zeros in a row that end a stretch.
        const MANY: u32 = 4;
        let mut all: Vec<Range<u32>> = Vec::new();
        let mut at = 0;
        for slice in self.roles.chunk_by(|a, b| a == b) {
            let end = at + slice.len() as u32;
            if slice.first() == Some(&Role::Gap) {
                let mut open = false;
                for unit in at..end {
                    if program.unit(unit) == Some(0) {
                        continue;
                    }
                    match all.last_mut() {
                        Some(last) if open && unit - last.end < MANY => last.end = unit + 1,
                        _ => all.push(unit..unit + 1),
                    }
                    open = true;
                }
            }
            at = end;
        }
        all
    }
}

/// First unit and length of the clause that an instruction starts.
pub fn clause_of(cf: Cf) -> Option<(u32, u32)> {
    if cf.is_alu() {
        return Some((cf.alu().addr(), cf.alu().count() + 1));
    }
    let normal = cf.normal();
    cf.op().filter(|op| op.is_fetch()).map(|_| (normal.addr(), 2 * normal.clause_length()))
}

/// Where clauses go.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Policy {
    /// Arithmetic from the next multiple of 32 units behind the control flow, fetches from the next multiple of
    /// 16 behind that: what Wii U programs look like.
    #[default]
    Aligned,
    /// One behind the other in the order of the control flow, fetches at even addresses: what Mesa does.
    Packed,
}

impl Policy {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Aligned, Self::Packed];

    /// Its name in listings.
    pub fn name(self) -> &'static str {
        match self {
            Self::Aligned => "aligned",
            Self::Packed => "packed",
        }
    }

    /// Goes through clauses in the order in which they are placed. `flow` is the address behind the control
    /// flow, `clauses` tells for each whether it has fetches and its units; `decide` gets its number and the
    /// address that the policy has for it, and answers with the one that it has.
    pub fn place(self, flow: u32, clauses: &[(bool, u32)], mut decide: impl FnMut(usize, u32) -> u32) {
        let mut next = flow;
        match self {
            Self::Packed => {
                for (number, &(fetches, units)) in clauses.iter().enumerate() {
                    let free = if fetches { next.saturating_add(next & 1) } else { next };
                    next = decide(number, free).saturating_add(units);
                }
            }
            Self::Aligned => {
                next = align(next, 32);
                for fetches in [false, true] {
                    if fetches {
                        next = align(next, 16);
                    }
                    for (number, &(_, units)) in clauses.iter().enumerate().filter(|(_, of)| of.0 == fetches)
                    {
                        let free = if fetches { next.saturating_add(next & 1) } else { next };
                        next = decide(number, free).saturating_add(units);
                    }
                }
            }
        }
    }
}

/// The next multiple of a power of two.
fn align(value: u32, to: u32) -> u32 {
    value.saturating_add(to - 1) & !(to - 1)
}
