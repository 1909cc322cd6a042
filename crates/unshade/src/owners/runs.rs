//! Of fields that may lie over each other to runs that do not: the deepest owns a byte, and of those the one that starts last.

use super::{Field, Run};
use std::collections::BinaryHeap;

/// The runs from 0 to `len`.
pub(super) fn of(fields: &[Field], len: u64) -> Vec<Run> {
    let mut order: Vec<u32> = (0..fields.len() as u32).collect();
    let field = |at: u32| fields.get(at as usize);
    order.retain(|at| field(*at).is_some_and(|field| field.owns && field.start < field.end));
    order.sort_by_key(|at| field(*at).map(|field| field.start));
    let mut order = order.into_iter().peekable();
    // Those that are open here, the one that owns on top.
    let mut open: BinaryHeap<(u32, u64, u32)> = BinaryHeap::new();
    let mut runs: Vec<Run> = Vec::new();
    let mut at = 0;
    while at < len {
        while let Some(next) = order.next_if(|next| field(*next).is_some_and(|field| field.start <= at)) {
            if let Some(field) = field(next) {
                open.push((field.depth, field.start, next));
            }
        }
        while open.peek().is_some_and(|(_, _, top)| field(*top).is_none_or(|field| field.end <= at)) {
            open.pop();
        }
        let top = open.peek().map(|(_, _, top)| *top);
        let end = top.and_then(field).map_or(len, |field| field.end.min(len));
        let next = order.peek().and_then(|next| field(*next)).map_or(len, |field| field.start);
        let end = end.min(next.max(at + 1));
        let owner = top.unwrap_or(u32::MAX);
        match runs.last_mut() {
            Some(last) if last.field == owner => last.end = end,
            _ => runs.push(Run { end, field: owner }),
        }
        at = end;
    }
    runs
}
