//! Places for blocks and ways: in layers, each block below those that lead to it, but for the ways back of loops.
//!
//! A way over several layers has a place in each, as if it were a narrow block. The order in a layer follows the neighbours
//! in the layers beside it, and so does the place: a few sweeps down and up. All of it is integers, so that every machine
//! comes to the same picture; the work is bounded by blocks, ways and places of ways.

use super::{FlowBlock, FlowEdge, Point};

/// Characters between neighbours.
const GAP: i64 = 4;
/// Lines between layers.
const ROWS: u32 = 3;
/// Sweeps down and up.
const SWEEPS: usize = 4;
/// Most places of ways in layers between; beyond, ways are drawn straight.
const MOST: usize = 1 << 15;

/// A block, or the place of a way in a layer between.
struct Item {
    layer: usize,
    width: i64,
    /// Left edge.
    x: i64,
    above: Vec<usize>,
    below: Vec<usize>,
}

impl Item {
    fn center(&self) -> i64 {
        self.x + self.width / 2
    }
}

/// Places blocks and draws ways; the size of the picture.
pub(super) fn place(blocks: &mut [FlowBlock], edges: &mut [FlowEdge]) -> (u32, u32) {
    let order = mark_back(blocks, edges);
    let layers = layers(&order, blocks.len(), edges);
    let mut items: Vec<Item> = blocks
        .iter()
        .zip(&layers)
        .map(|(block, layer)| Item {
            layer: *layer,
            width: i64::from(block.width) + 2,
            x: 0,
            above: Vec::new(),
            below: Vec::new(),
        })
        .collect();
    let chains: Vec<Vec<usize>> = edges.iter().map(|edge| chain(&mut items, edge)).collect();
    let count = layers.iter().max().map_or(0, |last| last + 1);
    let mut rows: Vec<Vec<usize>> = vec![Vec::new(); count];
    for at in order.into_iter().chain(blocks.len()..items.len()) {
        rows[items[at].layer].push(at);
    }
    arrange(&mut items, &mut rows);
    spread(&mut items, &rows);
    // Two lines more for the frame of a block.
    let mut y = 0;
    let mut tops = Vec::with_capacity(count);
    for row in &rows {
        let heights = row.iter().filter_map(|at| blocks.get(*at)).map(|block| block.height + 2);
        let height = heights.max().unwrap_or(0);
        tops.push((y, y + height));
        y += height + ROWS;
    }
    for (block, item) in blocks.iter_mut().zip(&items) {
        block.x = clamp(item.x);
        block.y = tops.get(item.layer).map_or(0, |(top, _)| *top);
        block.width += 2;
        block.height += 2;
    }
    for (edge, chain) in edges.iter_mut().zip(&chains) {
        edge.points = points(edge, chain, blocks, &items, &tops);
    }
    let right = blocks.iter().map(|block| block.x + block.width);
    let bends = edges.iter().flat_map(|edge| &edge.points).map(|point| point.x + 1);
    (right.chain(bends).max().unwrap_or(0), y.saturating_sub(ROWS))
}

/// Marks the ways that lead back; the blocks, each behind those that lead to it without these.
fn mark_back(blocks: &[FlowBlock], edges: &mut [FlowEdge]) -> Vec<usize> {
    let mut out: Vec<Vec<usize>> = vec![Vec::new(); blocks.len()];
    for (at, edge) in edges.iter().enumerate() {
        out[edge.from as usize].push(at);
    }
    // 0: not seen, 1: open, 2: done.
    let mut state = vec![0_u8; blocks.len()];
    let mut order = Vec::with_capacity(blocks.len());
    for root in 0..blocks.len() {
        if state[root] != 0 {
            continue;
        }
        state[root] = 1;
        let mut stack = vec![(root, 0)];
        while let Some((block, next)) = stack.last_mut() {
            let Some(edge) = out[*block].get(*next).copied() else {
                state[*block] = 2;
                order.push(*block);
                stack.pop();
                continue;
            };
            *next += 1;
            let to = edges[edge].to as usize;
            match state[to] {
                0 => {
                    state[to] = 1;
                    stack.push((to, 0));
                }
                1 => edges[edge].back = true,
                _ => {}
            }
        }
    }
    order.reverse();
    order
}

/// The layer of each block: one below the lowest of those that lead to it.
fn layers(order: &[usize], count: usize, edges: &[FlowEdge]) -> Vec<usize> {
    let mut into: Vec<Vec<usize>> = vec![Vec::new(); count];
    for edge in edges.iter().filter(|edge| !edge.back) {
        into[edge.to as usize].push(edge.from as usize);
    }
    let mut layers = vec![0; count];
    for block in order {
        layers[*block] = into[*block].iter().map(|from| layers[*from] + 1).max().unwrap_or(0);
    }
    layers
}

/// The places of a way in the layers between its ends, from top to bottom, with both ends.
fn chain(items: &mut Vec<Item>, edge: &FlowEdge) -> Vec<usize> {
    let (mut top, mut bottom) = (edge.from as usize, edge.to as usize);
    if items[top].layer > items[bottom].layer {
        std::mem::swap(&mut top, &mut bottom);
    }
    let (first, last) = (items[top].layer, items[bottom].layer);
    let mut chain = vec![top];
    if items.len() + last.saturating_sub(first) <= MOST {
        for layer in first + 1..last {
            items.push(Item { layer, width: 1, x: 0, above: Vec::new(), below: Vec::new() });
            chain.push(items.len() - 1);
        }
    }
    if top != bottom {
        chain.push(bottom);
    }
    for pair in chain.windows(2) {
        if let [above, below] = *pair
            && items[above].layer + 1 == items[below].layer
        {
            items[above].below.push(below);
            items[below].above.push(above);
        }
    }
    chain
}

/// Orders each layer by its neighbours.
fn arrange(items: &mut [Item], rows: &mut [Vec<usize>]) {
    let mut rank = vec![0_i64; items.len()];
    for row in rows.iter() {
        row.iter().enumerate().for_each(|(at, item)| rank[*item] = at as i64);
    }
    for sweep in 0..2 * SWEEPS {
        let down = sweep % 2 == 0;
        let turns: Vec<usize> =
            if down { (0..rows.len()).collect() } else { (0..rows.len()).rev().collect() };
        for turn in turns {
            let row = &mut rows[turn];
            // The mean of the neighbours, in thousandths of a place.
            row.sort_by_cached_key(|at| {
                let beside = if down { &items[*at].above } else { &items[*at].below };
                match beside.len() as i64 {
                    0 => 1000 * rank[*at],
                    count => 1000 * beside.iter().map(|other| rank[*other]).sum::<i64>() / count,
                }
            });
            row.iter().enumerate().for_each(|(at, item)| rank[*item] = at as i64);
        }
    }
}

/// Gives each block and way its left edge: as near to the middle of its neighbours as those beside it allow.
fn spread(items: &mut [Item], rows: &[Vec<usize>]) {
    for row in rows {
        let mut x = 0;
        for at in row {
            items[*at].x = x;
            x += items[*at].width + GAP;
        }
    }
    for sweep in 0..2 * SWEEPS {
        let down = sweep % 2 == 0;
        let turns: Vec<usize> =
            if down { (0..rows.len()).collect() } else { (0..rows.len()).rev().collect() };
        for turn in turns {
            let row = &rows[turn];
            let wanted: Vec<i64> = row
                .iter()
                .map(|at| {
                    let item = &items[*at];
                    let beside = if down { &item.above } else { &item.below };
                    match beside.len() as i64 {
                        0 => item.x,
                        count => {
                            let middle =
                                beside.iter().map(|other| items[*other].center()).sum::<i64>() / count;
                            middle - item.width / 2
                        }
                    }
                })
                .collect();
            let mut least = i64::MIN;
            let mut off = 0;
            for (at, wanted) in row.iter().zip(&wanted) {
                let x = (*wanted).max(least);
                items[*at].x = x;
                off += x - wanted;
                least = x + items[*at].width + GAP;
            }
            // What one had to give way, all share.
            let share = off / (row.len().max(1) as i64);
            row.iter().for_each(|at| items[*at].x -= share);
        }
    }
    let left = items.iter().map(|item| item.x).min().unwrap_or(0);
    items.iter_mut().for_each(|item| item.x -= left);
}

fn points(
    edge: &FlowEdge,
    chain: &[usize],
    blocks: &[FlowBlock],
    items: &[Item],
    tops: &[(u32, u32)],
) -> Vec<Point> {
    let (Some(from), Some(to)) = (blocks.get(edge.from as usize), blocks.get(edge.to as usize)) else {
        return Vec::new();
    };
    let inner = chain.get(1..chain.len().saturating_sub(1)).unwrap_or_default();
    let mut between: Vec<Point> = Vec::new();
    for at in inner {
        let Some((item, (top, bottom))) = items.get(*at).and_then(|item| Some((item, tops.get(item.layer)?)))
        else {
            continue;
        };
        let x = clamp(item.center());
        between.extend([Point { x, y: *top }, Point { x, y: *bottom }]);
    }
    if !edge.back {
        let start = Point { x: from.x + from.width / 2, y: from.y + from.height };
        let end = Point { x: to.x + to.width / 2, y: to.y };
        return [vec![start], between, vec![end]].concat();
    }
    // Out at the right side below, in at the right side above.
    let (right, into) = (from.x + from.width, to.x + to.width);
    let (below, above) = (from.y + from.height - 1, to.y + 1);
    if between.is_empty() {
        let x = right.max(into) + 2;
        between.extend([Point { x, y: below }, Point { x, y: above }]);
    } else {
        between.reverse();
    }
    [vec![Point { x: right, y: below }], between, vec![Point { x: into, y: above }]].concat()
}

fn clamp(x: i64) -> u32 {
    x.clamp(0, u32::MAX.into()) as u32
}
