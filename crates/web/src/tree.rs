//! The structure of what was opened, kept so that the page can ask for a part of it.

use serde::Serialize;
use std::ops::Range;
use unshade::{
    Node, Opened, Owner,
    report::{self, ContainerTree},
    wrap::nest::Piece,
};

/// The trees of wrappers and containers.
#[derive(Debug)]
pub(crate) struct Trees {
    pub all: Vec<Rooted>,
}

/// A tree with the file inside that its bytes are in.
#[derive(Debug)]
pub(crate) struct Rooted {
    pub tree: ContainerTree,
    pub piece: Piece,
    /// What the bytes are, by place.
    leaves: Vec<Leaf>,
}

/// Bytes that a field has.
#[derive(Debug, Clone)]
struct Leaf {
    start: u64,
    end: u64,
    kind: Kind,
    way: Vec<u32>,
}

/// What bytes are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Kind {
    Field,
    Padding,
    Opaque,
}

/// Bytes in a row that are of one field.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Run {
    /// The first, from the start of the file inside.
    pub start: u64,
    pub end: u64,
    pub kind: Kind,
    /// The way from the root to the field.
    pub way: Vec<u32>,
}

/// A field as the page shows it.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Field<'t> {
    pub name: &'t str,
    /// From the start of the file inside.
    pub offset: u64,
    pub size: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<&'t str>,
    pub kind: Kind,
    /// How many fields it has.
    pub children: usize,
}

impl Trees {
    pub fn new(bytes: &[u8], opened: &Opened) -> Self {
        let shown = report::show(bytes, opened).containers;
        // Wrappers come first; those whose inside cannot be read have no tree.
        let wrappers = shown.len().saturating_sub(opened.containers.len());
        let pieces = |at: usize, tree: &ContainerTree| match at.checked_sub(wrappers) {
            Some(at) => opened.containers.get(at).map(|inner| inner.piece.clone()),
            None => {
                let same =
                    opened.wrappers.iter().filter(|wrapped| wrapped.chosen && wrapped.name == tree.inner);
                // Of wrappers around each other with one name the size tells them apart.
                let size = tree.tree.size;
                same.min_by_key(|wrapped| (wrapped.piece.len() as u64).abs_diff(size))
                    .map(|found| found.piece.clone())
            }
        };
        let all = shown.into_iter().enumerate().map(|(at, tree)| {
            let piece = pieces(at, &tree).unwrap_or_else(|| Piece::whole(bytes.len()));
            let leaves = leaves(&tree);
            Rooted { tree, piece, leaves }
        });
        Self { all: all.collect() }
    }
}

impl Rooted {
    /// The field at the end of a way.
    pub fn node(&self, way: &[usize]) -> Option<&Node> {
        way.iter().try_fold(&self.tree.tree, |node, at| node.children.get(*at))
    }

    /// A field for the page.
    pub fn field<'t>(&self, node: &'t Node) -> Field<'t> {
        Field {
            name: &node.name,
            offset: self.tree.offset.saturating_add(node.offset),
            size: node.size,
            value: node.value.as_deref(),
            kind: kind(node),
            children: node.children.len(),
        }
    }

    /// What the bytes of a window are.
    pub fn owners(&self, from: u64, count: u64) -> Vec<Run> {
        let end = from.saturating_add(count);
        let first = self.leaves.partition_point(|leaf| leaf.end <= from);
        let mut runs: Vec<Run> = Vec::new();
        for leaf in self.leaves.iter().skip(first).take_while(|leaf| leaf.start < end) {
            runs.push(Run { start: leaf.start, end: leaf.end, kind: leaf.kind, way: leaf.way.clone() });
        }
        runs
    }

    /// The way to the field that `path` names, or as much of it as there is.
    pub fn find(&self, path: &str) -> Vec<usize> {
        let (mut node, mut rest, mut way) = (&self.tree.tree, path, Vec::new());
        while !rest.is_empty() {
            let fits = |child: &Node| {
                let rest = rest.strip_prefix(child.name.as_str())?;
                (rest.is_empty() || rest.starts_with(['.', '['])).then_some(child.name.len())
            };
            // The longest name: one may start with another, up to a bracket.
            let found = node.children.iter().enumerate().filter_map(|(at, child)| Some((fits(child)?, at)));
            let Some((length, at)) = found.max_by_key(|(length, at)| (*length, std::cmp::Reverse(*at)))
            else {
                break;
            };
            let Some(child) = node.children.get(at) else { break };
            (node, rest) = (child, rest.get(length..).unwrap_or_default());
            rest = rest.strip_prefix('.').unwrap_or(rest);
            way.push(at);
        }
        way
    }

    /// The path of the field at the end of a way, as `show` and `edit` call it.
    pub fn path(&self, way: &[usize]) -> String {
        let (mut node, mut path) = (&self.tree.tree, String::new());
        for at in way {
            let Some(child) = node.children.get(*at) else { break };
            if !path.is_empty() && !child.name.starts_with('[') {
                path.push('.');
            }
            path.push_str(&child.name);
            node = child;
        }
        path
    }
}

fn kind(node: &Node) -> Kind {
    match node.owner {
        Owner::Field => Kind::Field,
        Owner::Padding(_) => Kind::Padding,
        Owner::Opaque => Kind::Opaque,
    }
}

/// The bytes of the tree by place: of each byte the innermost field that has it, so that none stands twice.
fn leaves(rooted: &ContainerTree) -> Vec<Leaf> {
    let mut spans: Vec<(u64, u64, Kind, Vec<u32>)> = Vec::new();
    let mut structures: Vec<(u64, u64, Kind, Vec<u32>)> = Vec::new();
    let mut stack: Vec<(&Node, Vec<u32>)> = vec![(&rooted.tree, Vec::new())];
    while let Some((node, way)) = stack.pop() {
        if node.children.is_empty() && node.size > 0 {
            let start = rooted.offset.saturating_add(node.offset);
            spans.push((start, start.saturating_add(node.size), kind(node), way));
            continue;
        }
        if node.size > 0 {
            let start = rooted.offset.saturating_add(node.offset);
            structures.push((start, start.saturating_add(node.size), kind(node), way.clone()));
        }
        for (at, child) in node.children.iter().enumerate() {
            let mut further = Vec::with_capacity(way.len() + 1);
            further.extend_from_slice(&way);
            further.push(u32::try_from(at).unwrap_or(u32::MAX));
            stack.push((child, further));
        }
    }
    // The smallest structure first: of bytes that no field has, it says what they are.
    structures.sort_by_key(|(start, end, ..)| end.saturating_sub(*start));
    let mut looked = 0;
    // What starts first, and of fields at one place the shortest.
    spans.sort_by(|a, b| (a.0, a.1, &a.3).cmp(&(b.0, b.1, &b.3)));
    let mut leaves: Vec<Leaf> = Vec::with_capacity(spans.len());
    let mut taken = 0_u64;
    for (start, end, kind, way) in spans {
        if start > taken {
            gap(&structures, taken..start, &mut leaves, &mut looked);
        }
        let start = start.max(taken);
        if end > start {
            taken = end;
            leaves.push(Leaf { start, end, kind, way });
        }
    }
    let end = structures.iter().map(|structure| structure.1).max().unwrap_or_default();
    if end > taken {
        gap(&structures, taken..end, &mut leaves, &mut looked);
    }
    leaves
}

/// Structures that are looked at for bytes without a field; more would make the page wait.
const LOOKED: usize = 20_000_000;

/// The bytes of a gap, which belong to structures.
fn gap(
    structures: &[(u64, u64, Kind, Vec<u32>)],
    range: Range<u64>,
    leaves: &mut Vec<Leaf>,
    looked: &mut usize,
) {
    let mut at = range.start;
    while at < range.end && *looked < LOOKED {
        *looked += structures.len().max(1);
        let around = structures.iter().find(|(start, end, ..)| *start <= at && at < *end);
        let Some((_, end, kind, way)) = around else { return };
        let end = (*end).min(range.end);
        leaves.push(Leaf { start: at, end, kind: *kind, way: way.clone() });
        at = end;
    }
}
