//! The most that an index of registers can be, as far as the code in front of each use shows it.
//!
//! Bounds are followed along all ways through the program: what a component is kept below behind an instruction holds until something
//! else is written there, and where ways meet the larger bound holds, if there is one on each.

use super::super::{Alu, AluOp, FetchOp, Group, Program, Source, Unit};
use super::explore::{Destination, Exit, Place, PlaceId, Test, What};
use super::relative::REGISTERS;
use std::collections::BTreeMap;

/// A component of a register.
type Component = (u8, u8);

/// What components are at most; those of which nothing is known are left out.
type Bounds = BTreeMap<Component, u8>;

/// Times that a place is looked at again, on average; then nothing is known.
const TURNS: usize = 16;

/// The most that any index can be, where the code in front of each says so.
pub(super) fn most(program: Program<'_>, places: &[Place]) -> Option<u8> {
    // Counters of loops are indices too.
    let counts = places.iter().any(|place| place.index.is_some() && !matches!(place.what, What::Head { .. }));
    if counts || places.is_empty() {
        return None;
    }
    let mut states: Vec<Option<Bounds>> = vec![None; places.len()];
    states[0] = Some(Bounds::new());
    let mut open: Vec<PlaceId> = vec![0];
    let mut left = places.len().saturating_mul(TURNS);
    while let Some(id) = open.pop() {
        left = left.checked_sub(1)?;
        let (place, Some(mut bounds)) = (&places[id as usize], states[id as usize].clone()) else { continue };
        follow(program, place, &mut bounds);
        for to in ways(&place.exit) {
            let state = states.get_mut(to as usize)?;
            let met = match &state {
                None => bounds.clone(),
                Some(before) => meet(before, &bounds),
            };
            if state.as_ref() != Some(&met) {
                *state = Some(met);
                open.push(to);
            }
        }
    }
    let mut most = 0;
    for (place, state) in places.iter().zip(states) {
        if let Some(mut bounds) = state {
            most = most.max(follow(program, place, &mut bounds)?);
        }
    }
    Some(most).filter(|most| *most > 0)
}

fn ways(exit: &Exit) -> impl Iterator<Item = PlaceId> {
    let (one, other) = match exit {
        Exit::Jump(edge) => (edge, None),
        Exit::Branch { then, otherwise, .. } => (then, Some(otherwise)),
    };
    [Some(one), other].into_iter().flatten().filter_map(|edge| match edge.to {
        Destination::Place(place) => Some(place),
        _ => None,
    })
}

/// What is known where both are.
fn meet(a: &Bounds, b: &Bounds) -> Bounds {
    a.iter().filter_map(|(place, bound)| Some((*place, *bound.max(b.get(place)?)))).collect()
}

/// Goes through a place with what is known in front of it, and gives the most of its indices.
fn follow(program: Program<'_>, place: &Place, bounds: &mut Bounds) -> Option<u8> {
    let (address, first) = match place.what {
        What::Cf(address) => (address, 0),
        What::Groups { cf, first } => (cf, first),
        What::Head { .. } => return Some(0),
    };
    let Some(cf) = program.cf(address) else { return Some(0) };
    let Some(op) = cf.op() else { return Some(0) };
    if op.is_alu() {
        let last = match place.exit {
            Exit::Branch { test: Test::Mask { group }, .. } => group,
            _ => u32::MAX,
        };
        let groups = program.groups(cf.alu()).filter(|group| (first..=last).contains(&group.address));
        return clause(groups, bounds);
    }
    if op.is_fetch() {
        for (_, inst) in program.fetches(cf.normal()) {
            let vtx = inst.vtx();
            let register = vtx.dst_gpr() as u8;
            // A fetch by semantic writes where a table says.
            match inst.op() {
                FetchOp::VtxSemantic => bounds.clear(),
                _ if vtx.dst_rel() != 0 => forget(bounds, register, None),
                _ => (0..4).for_each(|lane| {
                    bounds.remove(&(register, lane));
                }),
            }
        }
    } else if op.is_memory() {
        // What is read back from memory.
        forget(bounds, 0, None);
    }
    Some(0)
}

/// Something is written at an index from a register on, which is at most so much.
fn forget(bounds: &mut Bounds, base: u8, index: Option<u8>) {
    let end = index.map_or(u8::MAX, |index| base.saturating_add(index));
    bounds.retain(|(register, _), _| !(base..=end).contains(register));
}

fn clause(groups: impl Iterator<Item = Group>, bounds: &mut Bounds) -> Option<u8> {
    let mut previous: BTreeMap<u8, Option<u8>> = BTreeMap::new();
    let mut most = Some(0_u8);
    // What the four indices are at most; they are set anew in each clause.
    let mut indices: [Option<u8>; 4] = [None; 4];
    for group in groups {
        let mut next = BTreeMap::new();
        let mut written = Vec::new();
        let mut moved = indices;
        for (unit, inst) in group.insts() {
            let Some(op) = inst.op() else { continue };
            let bound = bound(&group, inst, op, bounds, &previous);
            if matches!(op, AluOp::Mova | AluOp::MovaFloor | AluOp::MovaInt) {
                most = most.zip(bound).map(|(a, b)| a.max(b));
                moved[inst.dst_chan() as usize & 3] = bound;
            }
            next.insert(if unit == Unit::T { 4 } else { inst.dst_chan() as u8 }, bound);
            if inst.writes() {
                written.push((inst, bound));
            }
        }
        for (inst, bound) in written {
            let place = (inst.dst_gpr() as u8, inst.dst_chan() as u8);
            if inst.op2().dst_rel() != 0 {
                let index = indices.get(inst.op2().index_mode() as usize).copied().flatten();
                forget(bounds, place.0, index);
                continue;
            }
            // Where a predicate decides, what was there may stay.
            let may_stay = inst.op2().pred_sel() != 0;
            let bound = match (bound, bounds.get(&place)) {
                (Some(bound), Some(before)) if may_stay => Some(bound.max(*before)),
                (bound, _) => bound.filter(|_| !may_stay),
            };
            match bound {
                Some(bound) => bounds.insert(place, bound),
                None => bounds.remove(&place),
            };
        }
        (previous, indices) = (next, moved);
    }
    most
}

/// The most that the result of an instruction is.
fn bound(
    group: &Group,
    inst: Alu,
    op: AluOp,
    bounds: &Bounds,
    previous: &BTreeMap<u8, Option<u8>>,
) -> Option<u8> {
    let of = |n: usize| {
        let operand = inst.operand(n);
        match operand.source {
            _ if operand.negate || operand.absolute || operand.relative => None,
            Source::Gpr(register) => bounds.get(&(register, operand.channel)).copied(),
            Source::PreviousVector => *previous.get(&operand.channel)?,
            Source::PreviousScalar => *previous.get(&4)?,
            Source::Zero => Some(0),
            Source::IntOne => Some(1),
            Source::Literal => {
                let word = *group.literals.get(usize::from(operand.channel))?;
                u8::try_from(word).ok().filter(|word| *word < REGISTERS)
            }
            _ => None,
        }
    };
    match op {
        AluOp::AndInt | AluOp::MinUint => match (of(0), of(1)) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        },
        AluOp::Mov | AluOp::MovaInt => of(0),
        AluOp::MaxUint | AluOp::MaxInt => of(0).zip(of(1)).map(|(a, b)| a.max(b)),
        _ => None,
    }
}
