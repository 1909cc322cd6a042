//! Questions about what a file is: containers, programs, findings, fields, bytes.

use crate::{
    Answer, Failure, Session,
    answer::{compact, document},
    ask::{At, Fields, Find, Window, arguments},
    tree::{Field, Rooted},
};
use serde::Serialize;
use unshade::report::{self, Document, Items, Listed};

pub(crate) fn info(session: &Session, json: &str) -> Answer {
    let at: At = arguments(json)?;
    let file = session.file(at.file)?;
    let opened = file.opened(&file.place(&at.item).inner)?;
    document(&Document::new("info", [(file.name.clone() + &at.item, report::info(&file.bytes, &opened))]))
}

pub(crate) fn ls(session: &Session, json: &str) -> Answer {
    let at: At = arguments(json)?;
    let file = session.file(at.file)?;
    let place = file.place(&at.item);
    let mut items = Vec::new();
    let listed = report::each_item(file.source(), &place.inner, place.item.as_deref(), |item| {
        items.push(item);
        true
    })?;
    let Listed { source_archives, unread, others, .. } = listed;
    let items = Items { items, source_archives, unread, others };
    document(&Document::new("ls", [(file.name.clone() + &at.item, items)]))
}

pub(crate) fn check(session: &Session, json: &str) -> Answer {
    let at: At = arguments(json)?;
    let file = session.file(at.file)?;
    let place = file.place(&at.item);
    let report = report::check(file.source(), &place.inner, place.item.as_deref());
    document(&Document::new("check", [(file.name.clone() + &at.item, report)]))
}

/// A tree of the structure, without its fields.
#[derive(Serialize)]
struct Root<'t> {
    /// What stands behind `:`, where the file is not the container itself.
    inner: Option<&'t str>,
    /// How many bytes the file inside has.
    bytes: usize,
    root: Field<'t>,
}

pub(crate) fn trees(session: &Session, json: &str) -> Answer {
    let at: At = arguments(json)?;
    let file = session.file(at.file)?;
    let trees = file.trees(&file.place(&at.item).inner)?;
    let roots = trees.all.iter().map(|rooted| Root {
        inner: rooted.tree.inner.as_deref(),
        bytes: rooted.piece.bytes(&file.bytes).len(),
        root: rooted.field(&rooted.tree.tree),
    });
    compact(&roots.collect::<Vec<_>>())
}

/// The tree that is meant of those at a place.
fn with_tree<T>(
    session: &Session,
    at: &At,
    tree: usize,
    answer: impl FnOnce(&Rooted) -> Result<T, Failure>,
) -> Result<T, Failure> {
    let file = session.file(at.file)?;
    let trees = file.trees(&file.place(&at.item).inner)?;
    let rooted = trees.all.get(tree).ok_or_else(|| Failure::new(format!("there is no tree {tree}")))?;
    answer(rooted)
}

pub(crate) fn fields(session: &Session, json: &str) -> Answer {
    let asked: Fields = arguments(json)?;
    with_tree(session, &asked.at, asked.tree, |rooted| {
        let node = rooted.node(&asked.way).ok_or_else(|| Failure::new("there is no such field"))?;
        let children = node.children.iter().skip(asked.from).take(asked.count);
        compact(&children.map(|child| rooted.field(child)).collect::<Vec<_>>())
    })
}

/// Where a field is.
#[derive(Serialize)]
struct Found<'t> {
    tree: usize,
    way: Vec<usize>,
    path: String,
    field: Field<'t>,
}

pub(crate) fn find(session: &Session, json: &str) -> Answer {
    let asked: Find = arguments(json)?;
    let file = session.file(asked.at.file)?;
    let trees = file.trees(&file.place(&asked.at.item).inner)?;
    let all = trees.all.iter().enumerate();
    // In a path of a file inside its name stands in front.
    let mut meant = all.filter_map(|(at, rooted)| {
        let rest = match &rooted.tree.inner {
            None => asked.path.as_str(),
            Some(name) => asked
                .path
                .strip_prefix(&format!(":{name}"))
                .filter(|rest| rest.is_empty() || rest.starts_with(' '))?,
        };
        let way = rooted.find(rest.trim_start());
        Some(Found { tree: at, path: rooted.path(&way), field: rooted.field(rooted.node(&way)?), way })
    });
    let best = meant.by_ref().max_by_key(|found| (found.way.len(), std::cmp::Reverse(found.tree)));
    compact(&best.ok_or_else(|| Failure::new(format!("nothing is at {}", asked.path)))?)
}

pub(crate) fn way(session: &Session, json: &str) -> Answer {
    let asked: Fields = arguments(json)?;
    with_tree(session, &asked.at, asked.tree, |rooted| {
        let node = rooted.node(&asked.way).ok_or_else(|| Failure::new("there is no such field"))?;
        let (path, field) = (rooted.path(&asked.way), rooted.field(node));
        compact(&Found { tree: asked.tree, path, field, way: asked.way.clone() })
    })
}

/// The field that has a byte.
pub(crate) fn at(session: &Session, json: &str) -> Answer {
    let asked: Window = arguments(json)?;
    with_tree(session, &asked.at, asked.tree, |rooted| {
        let owner = rooted.owners(asked.from, 1).into_iter().next();
        let owner = owner.ok_or_else(|| Failure::new(format!("no field has byte {:#x}", asked.from)))?;
        let way = rooted.find_with(&owner.path, Some(asked.from));
        let node = rooted.node(&way).ok_or_else(|| Failure::new("there is no such field"))?;
        compact(&Found { tree: asked.tree, path: rooted.path(&way), field: rooted.field(node), way })
    })
}

pub(crate) fn owners(session: &Session, json: &str) -> Answer {
    let asked: Window = arguments(json)?;
    with_tree(session, &asked.at, asked.tree, |rooted| compact(&rooted.owners(asked.from, asked.count)))
}

pub(crate) fn window(session: &Session, json: &str) -> Result<Vec<u8>, Failure> {
    let asked: Window = arguments(json)?;
    let bytes = &session.file(asked.at.file)?.bytes;
    with_tree(session, &asked.at, asked.tree, |rooted| {
        let bytes = rooted.piece.bytes(bytes);
        let place = |at: u64| usize::try_from(at).unwrap_or(usize::MAX).min(bytes.len());
        let range = place(asked.from)..place(asked.from.saturating_add(asked.count));
        Ok(bytes.get(range).unwrap_or_default().to_vec())
    })
}
