//! Sums of a product become one operation, where the machine can read their operands at once, or where a copy of what it
//! cannot read serves several of them.

use super::{Id, Lane, Lanes, Op, Program, build::source, live::Uses};
use smallvec::{SmallVec, smallvec};
use std::collections::BTreeMap;

/// A sum that can be a multiply-add.
struct Sum {
    index: usize,
    product: Id,
    arguments: SmallVec<[Lanes; 3]>,
    fit: Fit,
}

/// Whether the machine can read operands in one instruction: one uniform or constant, one input.
#[derive(Debug, Clone, PartialEq)]
enum Fit {
    /// It can.
    Now,
    /// It can if one of these registers is copied first.
    Copied(SmallVec<[Op; 2]>),
    Never,
}

/// Makes multiply-adds of all sums that can be.
pub fn multiply_adds(program: &mut Program) {
    let uses = Uses::new(program);
    let sums = sums(program, &uses);
    let mut done = vec![false; program.nodes.len()];
    let mut fuse = |program: &mut Program, sum: &Sum| {
        if let (Some(node), Some(done)) = (program.nodes.get_mut(sum.index), done.get_mut(sum.index))
            && !*done
        {
            (node.op, node.arguments, *done) = (Op::Mad, sum.arguments.clone(), true);
        }
    };
    let is_only = |sum: &Sum| uses.readers(sum.product) == 1;
    for sum in sums.iter().filter(|sum| sum.fit == Fit::Now && is_only(sum)) {
        fuse(program, sum);
    }
    // A copy costs an instruction, and serves all that read the register.
    let mut copied: Vec<Op> = Vec::new();
    let is_open =
        |program: &Program, sum: &Sum| program.nodes.get(sum.index).is_some_and(|node| node.op == Op::Add);
    loop {
        let mut counts: Vec<(Op, usize)> = Vec::new();
        for sum in sums.iter().filter(|sum| is_only(sum) && is_open(program, sum)) {
            if let Fit::Copied(registers) = &sum.fit {
                for register in registers {
                    match counts.iter_mut().find(|(known, _)| known == register) {
                        Some((_, count)) => *count += 1,
                        None => counts.push((*register, 1)),
                    }
                }
            }
        }
        let Some((register, _)) =
            counts.into_iter().filter(|(_, count)| *count >= 2).max_by_key(|(_, count)| *count)
        else {
            break;
        };
        copied.push(register);
        for sum in sums.iter().filter(|sum| is_only(sum)) {
            if is_open(program, sum)
                && matches!(&sum.fit, Fit::Copied(registers) if registers.contains(&register))
            {
                fuse(program, sum);
            }
        }
    }
    // A product that several read goes if all of them can multiply by themselves.
    let mut products: BTreeMap<Id, Vec<&Sum>> = BTreeMap::new();
    for sum in sums.iter().filter(|sum| !is_only(sum)) {
        products.entry(sum.product).or_default().push(sum);
    }
    for (product, all) in products {
        let can = |sum: &&Sum| {
            is_open(program, sum)
                && match &sum.fit {
                    Fit::Now => true,
                    Fit::Copied(registers) => registers.iter().any(|register| copied.contains(register)),
                    Fit::Never => false,
                }
        };
        if all.len() == uses.readers(product) as usize && all.iter().all(can) {
            all.into_iter().for_each(|sum| fuse(program, sum));
        }
    }
}

/// All sums of a product.
fn sums(program: &Program, uses: &Uses) -> Vec<Sum> {
    let mut sums = Vec::new();
    for (index, node) in program.nodes.iter().enumerate() {
        let mask = uses.of(Id(u32::try_from(index).unwrap_or(u32::MAX)));
        if let (Op::Add, true, [a, b]) = (node.op, mask != 0, node.arguments.as_slice()) {
            for (product, other) in [(a, b), (b, a)] {
                if let Some((product, arguments)) = factors(program, mask, product, other) {
                    let fit = fit(program, &arguments);
                    sums.push(Sum { index, product, arguments, fit });
                }
            }
        }
    }
    sums
}

/// The operands of a multiply-add that is this sum, and the product that it takes the place of.
fn factors(
    program: &Program,
    mask: u8,
    product: &Lanes,
    other: &Lanes,
) -> Option<(Id, SmallVec<[Lanes; 3]>)> {
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
    if node.op != Op::Mul {
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
    Some((id, smallvec![tidy(&a), tidy(&b), tidy(other)]))
}

/// Whether the machine can read these operands in one instruction.
fn fit(program: &Program, lists: &[Lanes]) -> Fit {
    let mut wide = 0;
    let mut registers: SmallVec<[Op; 2]> = SmallVec::new();
    let mut inputs: SmallVec<[Op; 3]> = SmallVec::new();
    for list in lists {
        let first = list.first().copied();
        if list.iter().any(|lane| source(Some(*lane)) != source(first)) {
            return Fit::Never;
        }
        match first.and_then(Lane::node).map(|id| program.node(id).op) {
            None | Some(Op::Element { .. }) => wide += 1,
            Some(op @ Op::Uniform { .. }) => {
                wide += 1;
                if !registers.contains(&op) {
                    registers.push(op);
                }
            }
            Some(op @ Op::Input(_)) if !inputs.contains(&op) => inputs.push(op),
            _ => {}
        }
    }
    match (wide, inputs.len()) {
        (0 | 1, 0 | 1) => Fit::Now,
        (2, 0 | 1) if !registers.is_empty() => Fit::Copied(registers),
        _ => Fit::Never,
    }
}
