//! Sums of a product become one operation, where the machine can read their operands at once.

use super::{Id, Lane, Lanes, Op, Program, build::source, live::Uses};
use smallvec::{SmallVec, smallvec};

/// Makes multiply-adds of all sums that can be.
pub fn multiply_adds(program: &mut Program) {
    let uses = Uses::new(program);
    for index in 0..program.nodes.len() {
        let id = Id(u32::try_from(index).unwrap_or(u32::MAX));
        let node = program.node(id);
        let mask = uses.of(id);
        if node.op != Op::Add || mask == 0 {
            continue;
        }
        let [a, b] = node.arguments.as_slice() else { continue };
        let fused = fuse(program, &uses, mask, a, b).or_else(|| fuse(program, &uses, mask, b, a));
        if let (Some(arguments), Some(node)) = (fused, program.nodes.get_mut(index)) {
            (node.op, node.arguments) = (Op::Mad, arguments);
        }
    }
}

fn fuse(
    program: &Program,
    uses: &Uses,
    mask: u8,
    product: &Lanes,
    other: &Lanes,
) -> Option<SmallVec<[Lanes; 3]>> {
    let needed = |lane: usize| mask >> lane & 1 != 0;
    let mut of: Option<(Id, bool)> = None;
    for (_, lane) in product.iter().enumerate().filter(|(lane, _)| needed(*lane)) {
        let Lane::Of { node, negate, .. } = *lane else { return None };
        if *of.get_or_insert((node, negate)) != (node, negate) {
            return None;
        }
    }
    let (id, negate) = of?;
    let node = program.node(id);
    let [a, b] = node.arguments.as_slice() else { return None };
    if node.op != Op::Mul || uses.readers(id) != 1 {
        return None;
    }
    let through = |list: &Lanes, negate: bool| -> Option<Lanes> {
        product
            .iter()
            .enumerate()
            .map(|(at, lane)| match lane {
                Lane::Of { component, .. } if needed(at) => {
                    let lane = list.get(usize::from(*component)).copied()?;
                    Some(if negate { lane.negated() } else { lane })
                }
                _ => Some(Lane::ZERO),
            })
            .collect()
    };
    let (a, b) = (through(a, negate)?, through(b, false)?);
    // Lanes that nobody needs must not bring in another register.
    let tidy = |list: &Lanes| -> Lanes {
        let first =
            list.iter().enumerate().find(|(lane, _)| needed(*lane)).map_or(Lane::ZERO, |(_, lane)| *lane);
        list.iter().enumerate().map(|(lane, value)| if needed(lane) { *value } else { first }).collect()
    };
    let lists: SmallVec<[Lanes; 3]> = smallvec![tidy(&a), tidy(&b), tidy(other)];
    reads_at_once(program, &lists).then_some(lists)
}

/// Whether the machine can read these operands in one instruction: one uniform or constant, one input.
fn reads_at_once(program: &Program, lists: &[Lanes]) -> bool {
    let mut wide = 0;
    let mut inputs: SmallVec<[Op; 3]> = SmallVec::new();
    for list in lists {
        let first = list.first().copied();
        if list.iter().any(|lane| source(Some(*lane)) != source(first)) {
            return false;
        }
        match first.and_then(Lane::node).map(|id| program.node(id).op) {
            None | Some(Op::Uniform { .. } | Op::Element { .. }) => wide += 1,
            Some(op @ Op::Input(_)) if !inputs.contains(&op) => inputs.push(op),
            _ => {}
        }
    }
    wide <= 1 && inputs.len() <= 1
}
