//! The Mali units: an instruction goes on behind itself, to the target of its branch, or out of the program.

use super::{Step, WayKind, follow};
use crate::mali_gp;
use crate::mali_pp::{decode::instruction, reach::Ways};
use std::collections::BTreeMap;

/// Instructions of the vertex processor.
pub(super) fn vertex_steps(words: &[u32]) -> (BTreeMap<u32, Step>, Vec<u32>) {
    let count = (words.len() / 4) as u32;
    follow(0, |at| {
        let inst =
            mali_gp::decode::decode(mali_gp::decode::join(*words.get(at as usize..)?.first_chunk::<4>()?));
        let mut step = Step { words: at..at + 4, ways: Vec::new() };
        let last = at / 4 + 1 >= count;
        if inst.branch {
            step.add(WayKind::Taken, Some(4 * u32::from(inst.target)));
            step.add(if last { WayKind::End } else { WayKind::NotTaken }, (!last).then_some(at + 4));
        } else {
            step.add(if last { WayKind::End } else { WayKind::Next }, (!last).then_some(at + 4));
        }
        Some(step)
    })
}

/// Instructions of the pixel processor.
pub(super) fn pixel_steps(words: &[u32]) -> (BTreeMap<u32, Step>, Vec<u32>) {
    follow(0, |at| {
        let inst = words.get(at as usize..).and_then(instruction)?;
        let ways = Ways::of(at, &inst);
        let mut step = Step { words: at..at.saturating_add(inst.count()), ways: Vec::new() };
        if ways.stops || ways.discards {
            step.add(WayKind::End, None);
        }
        let target = ways.taken.map(|target| u32::try_from(target).ok());
        match (target, ways.next) {
            (Some(target), Some(next)) => {
                step.add(WayKind::Taken, target);
                step.add(WayKind::NotTaken, Some(next));
            }
            (Some(target), None) => step.add(WayKind::Jump, target),
            (None, Some(next)) => step.add(WayKind::Next, Some(next)),
            (None, None) => {}
        }
        Some(step)
    })
}
