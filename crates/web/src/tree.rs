//! The structure of what was opened, kept so that the page can ask for a part of it.

use serde::Serialize;
use unshade::{
    Node, Opened,
    owners::{self, ByteKind, Owners},
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
    owners: Owners,
}

/// Bytes in a row that are of one field.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Run {
    /// The first, from the start of the file inside.
    pub start: u64,
    pub end: u64,
    pub kind: ByteKind,
    pub path: String,
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
    /// What its bytes are, of its first one.
    pub kind: ByteKind,
    /// How many fields it has.
    pub children: usize,
}

impl Trees {
    pub fn new(bytes: &[u8], opened: &Opened) -> Self {
        let shown = report::show(bytes, opened).containers;
        let owners = owners::owners(bytes, opened);
        // Wrappers come first; those whose inside cannot be read have no tree.
        let wrappers = shown.len().saturating_sub(opened.containers.len());
        let pieces = |at: usize, owners: &Owners| match at.checked_sub(wrappers) {
            Some(at) => opened.containers.get(at).map(|inner| inner.piece.clone()),
            None => {
                // Of wrappers around each other that have one name the size tells them apart.
                let mut same =
                    opened.wrappers.iter().filter(|wrapped| wrapped.chosen && wrapped.name == owners.inner);
                let found = same.find(|wrapped| wrapped.piece.len() as u64 == owners.len);
                found.map(|found| found.piece.clone())
            }
        };
        let all = shown.into_iter().zip(owners).enumerate().map(|(at, (tree, owners))| {
            let piece = pieces(at, &owners).unwrap_or_else(|| Piece::whole(bytes.len()));
            Rooted { tree, piece, owners }
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
        let owner = self.owners.at(node.offset).filter(|_| node.size > 0);
        Field {
            name: &node.name,
            offset: self.tree.offset.saturating_add(node.offset),
            size: node.size,
            value: node.value.as_deref(),
            kind: owner.map_or(ByteKind::Field, |owner| owner.kind),
            children: node.children.len(),
        }
    }

    /// What the bytes of a window are.
    pub fn owners(&self, from: u64, count: u64) -> Vec<Run> {
        let base = self.tree.offset;
        let end = from.saturating_add(count);
        // What lies in front of a container of a blob belongs to nobody here.
        let window = from.saturating_sub(base)..end.saturating_sub(base);
        let runs = self.owners.window(window).filter(|run| run.kind != ByteKind::Unowned);
        runs.map(|run| Run {
            start: base.saturating_add(run.start),
            end: base.saturating_add(run.end),
            kind: run.kind,
            path: run.path,
        })
        .collect()
    }

    /// The way to the field that `path` names, or as much of it as there is; of fields with one path to the first.
    pub fn find(&self, path: &str) -> Vec<usize> {
        self.find_with(path, None)
    }

    /// The way to the field of that path which has a byte, from the start of the file inside.
    pub fn find_with(&self, path: &str, byte: Option<u64>) -> Vec<usize> {
        let byte = byte.and_then(|byte| byte.checked_sub(self.tree.offset));
        let (mut node, mut rest, mut way) = (&self.tree.tree, path, Vec::new());
        while !rest.is_empty() {
            let fits = |child: &Node| {
                let rest = rest.strip_prefix(child.name.as_str())?;
                (rest.is_empty() || rest.starts_with(['.', '['])).then_some(child.name.len())
            };
            // The longest name: one may start with another, up to a bracket.
            let found = node.children.iter().enumerate().filter_map(|(at, child)| Some((fits(child)?, at)));
            let has = |at: usize| {
                let child = node.children.get(at).zip(byte);
                child.is_some_and(|(child, byte)| child.offset <= byte && byte < child.end())
            };
            let best = found.max_by_key(|(length, at)| (*length, has(*at), std::cmp::Reverse(*at)));
            let Some((length, at)) = best else { break };
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
