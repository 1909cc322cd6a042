//! Loop counters: the machine counts by itself, but only to address registers. Where a program computes with the number, it
//! is carried as a value too.

use super::{Id, Item, Lane, Loop, Node, Op, Passes, Program, build::all, live::Replacements, live::Uses};
use smallvec::smallvec;

/// How the machine's own counter of a loop serves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Count {
    /// Where it starts, 0 to 255.
    pub start: u8,
    /// What it grows by, 0 to 255.
    pub step: u8,
    /// Rows of a table for each step of the source's counter.
    pub stride: i32,
    /// Rows that are added to what it says.
    pub offset: i32,
}

/// Decides for each loop, and brings in the values that are needed beside the machine's counters.
pub fn counters(program: &mut Program) -> Vec<Option<Count>> {
    let inner = innermost(program);
    let counts: Vec<Option<Count>> = (0..program.loops.len())
        .map(|index| if inner.get(index) == Some(&true) { count(program, index) } else { None })
        .collect();
    let mut body = std::mem::take(&mut program.body);
    let mut replacements = Replacements::default();
    carry(program, &mut body, &mut replacements);
    program.body = body;
    // What the machine's counter addresses reads that counter and nothing else.
    let kept: Vec<(usize, Lane)> = program
        .nodes
        .iter()
        .enumerate()
        .filter_map(|(index, node)| Some((index, addressed(program, node, &counts)?)))
        .collect();
    replacements.apply(program);
    for (index, counter) in kept {
        if let Some(place) = program.nodes.get_mut(index).and_then(|node| node.arguments.first_mut()) {
            *place = smallvec![counter];
        }
    }
    counts
}

/// The loop whose counter alone addresses a row, and rows for each step.
fn index_of(program: &Program, lane: Lane) -> Option<(u32, i32)> {
    let Lane::Of { node, component, negate: false } = lane else { return None };
    let node = program.node(node);
    match node.op {
        Op::Counter(of) => Some((of, 1)),
        Op::Mul => {
            let operand = |at: usize| node.arguments.get(at)?.get(usize::from(component)).copied();
            let (counter, stride) = (operand(0)?, operand(1)?);
            let (counter, stride) =
                if counter.value().is_some() { (stride, counter) } else { (counter, stride) };
            match (counter, stride.value()) {
                (Lane::Of { node, negate: false, .. }, Some(stride)) if stride.fract() == 0.0 => {
                    match program.node(node).op {
                        Op::Counter(of) => Some((of, stride as i32)),
                        _ => None,
                    }
                }
                _ => None,
            }
        }
        _ => None,
    }
}

/// The counter of the machine that addresses what a node reads.
fn addressed(program: &Program, node: &Node, counts: &[Option<Count>]) -> Option<Lane> {
    let Op::Element { .. } = node.op else { return None };
    let lane = node.arguments.first()?.first().copied()?;
    let (of, stride) = index_of(program, lane)?;
    let count = counts.get(of as usize).copied().flatten()?;
    let counter = program.nodes.iter().position(|node| node.op == Op::Counter(of))?;
    let id = Id(u32::try_from(counter).ok()?);
    (count.stride == stride).then_some(Lane::Of { node: id, component: 0, negate: false })
}

/// Which loops have no loop inside: only there the machine's counter is theirs all the way through. (Behind a loop inside it is the
/// outer one's again; that is not made use of.)
fn innermost(program: &Program) -> Vec<bool> {
    let mut inner = vec![false; program.loops.len()];
    fn has_loop(items: &[Item], inner: &mut [bool]) -> bool {
        let mut any = false;
        for item in items {
            any |= match item {
                Item::Node(_) | Item::Write { .. } | Item::Call { .. } => false,
                Item::If { accept, reject, .. } => has_loop(accept, inner) | has_loop(reject, inner),
                Item::Loop { index, body, .. } => {
                    let below = has_loop(body, inner);
                    if let Some(place) = inner.get_mut(*index as usize) {
                        *place = !below;
                    }
                    true
                }
            };
        }
        any
    }
    has_loop(&program.body, &mut inner);
    inner
}

fn count(program: &Program, index: usize) -> Option<Count> {
    let uses = Uses::new(program);
    let mut strides: Vec<(i32, usize)> = Vec::new();
    for (at, node) in program.nodes.iter().enumerate() {
        let is_needed = uses.components.get(at).is_some_and(|mask| *mask != 0);
        let lane = node.arguments.first().and_then(|list| list.first().copied());
        let Some((of, stride)) = lane.and_then(|lane| index_of(program, lane)) else { continue };
        if is_needed && matches!(node.op, Op::Element { .. }) && of as usize == index {
            match strides.iter_mut().find(|(known, _)| *known == stride) {
                Some((_, count)) => *count += 1,
                None => strides.push((stride, 1)),
            }
        }
    }
    let of: Loop = *program.loops.get(index)?;
    strides.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    strides.into_iter().find_map(|(stride, _)| {
        let (start, step) = (of.start as i32 * stride, of.step as i32 * stride);
        match of.passes {
            Passes::Uniform(_) => {
                (of.is_plain && step == 1).then_some(Count { start: 0, step: 1, stride, offset: start })
            }
            Passes::Constant(_) => {
                let (start, offset) = if start < 0 { (0, start) } else { (start, 0) };
                Some(Count {
                    start: u8::try_from(start).ok()?,
                    step: u8::try_from(step).ok()?,
                    stride,
                    offset,
                })
            }
        }
    })
}

/// Puts a carried value beside each counter that is needed as a number.
fn carry(program: &mut Program, items: &mut [Item], replacements: &mut Replacements) {
    for item in items {
        match item {
            Item::Node(_) | Item::Write { .. } | Item::Call { .. } => {}
            Item::If { accept, reject, .. } => {
                carry(program, accept, replacements);
                carry(program, reject, replacements);
            }
            Item::Loop { index, body, results, span, .. } => {
                carry(program, body, replacements);
                let Some(of) = program.loops.get(*index as usize).copied() else { continue };
                let mut append = |op: Op, arguments| {
                    let id = Id(u32::try_from(program.nodes.len()).unwrap_or(u32::MAX));
                    program.nodes.push(Node { op, width: 1, arguments, span: *span });
                    id
                };
                let carrier = append(Op::Choose, smallvec![smallvec![Lane::constant(of.start)]]);
                let carried = all(carrier, 1);
                let next = append(Op::Add, smallvec![carried.clone(), smallvec![Lane::constant(of.step)]]);
                if let Some(node) = program.nodes.get_mut(carrier.index()) {
                    node.arguments.push(all(next, 1));
                }
                body.push(Item::Node(next));
                results.push(carrier);
                let counter = |(_, node): &(usize, &Node)| node.op == Op::Counter(*index);
                let known = program.nodes.iter().enumerate().find(counter).map(|(at, _)| at);
                if let (Some(at), Some(lane)) = (known, carried.first()) {
                    replacements.add(Id(u32::try_from(at).unwrap_or(u32::MAX)), 0, *lane);
                }
            }
        }
    }
}
