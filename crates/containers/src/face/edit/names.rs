//! What a container of any format has names for.

use crate::face::container::{Container, with_file};
use crate::shared::format::FileFormat;
use crate::shared::names::{Content, Named, Put, Thing, short_names};
use crate::shared::{Node, opaque::escape};
use unshade_bytes::Result;

impl Container {
    /// What the file has names for, in file order: what [`Container::edit`] sets and renames.
    pub fn names(&self) -> Vec<Named> {
        let things = self.things(&self.tree());
        let names = short_names(&things);
        let named = things.iter().zip(names).map(|(thing, name)| Named {
            name,
            own: (!thing.texts.is_empty()).then(|| escape(&thing.own)),
            value: thing.value.as_ref().map(Content::shown),
            takes: thing.value.as_ref().map(Content::takes),
        });
        named.collect()
    }

    /// What the file has names for, where `tree` is its tree.
    pub(super) fn things(&self, tree: &Node) -> Vec<Thing> {
        with_file!(self, file => FileFormat::things(file, tree))
    }

    /// Puts other characters where these texts are; what lies behind them moves.
    pub(super) fn set_texts(&mut self, texts: &[(u64, Vec<u8>)]) -> Result<()> {
        with_file!(self, file => FileFormat::set_texts(file, texts))
    }

    /// Brings values in, and takes them out.
    pub(super) fn set_things(&mut self, puts: &[Put]) -> Result<()> {
        with_file!(self, file => FileFormat::set_things(file, puts))
    }
}
