//! What a GFD has names for: that of its shader headers; and their names of other lengths.

use super::model::{Block, Gfd};
use crate::formats::gx2::{Form, names};
use crate::shared::Node;
use crate::shared::names::{Put, Thing, no_text};
use std::collections::BTreeMap;
use unshade_bytes::Result;

impl Gfd {
    /// The shader headers: number among the blocks, place of the data in the file.
    fn headers(&self) -> Vec<(usize, u64)> {
        let placed = self.blocks.iter().zip(self.placed()).enumerate();
        let headers = placed.filter(|(_, (block, _))| block.shader().is_some());
        headers
            .map(|(index, (block, placed))| (index, placed.at.saturating_add(block.header_len())))
            .collect()
    }

    /// What the file has names for.
    pub(crate) fn things(&self, _: &Node) -> Vec<Thing> {
        let mut things = Vec::new();
        for (index, base) in self.headers() {
            let Some(block) = self.blocks.get(index) else { continue };
            let Some(shader) = block.shader() else { continue };
            let same = |other: &&Block| other.kind == block.kind;
            let nth = self.blocks.get(..index).unwrap_or_default().iter().filter(same).count();
            let all = self.blocks.iter().filter(same).count();
            let owner = match all {
                1 => format!("{}.", shader.kind.name()),
                _ => format!("{}[{nth}].", shader.kind.name()),
            };
            things.extend(names::things(&shader, base, &owner, index));
        }
        things
    }

    /// Puts other names in place of those at these places of the file.
    ///
    /// # Errors
    /// As for the data of a structure.
    pub(crate) fn set_texts(&mut self, texts: &[(u64, Vec<u8>)]) -> Result<()> {
        let headers = self.headers();
        let mut wanted: BTreeMap<usize, BTreeMap<usize, Vec<u8>>> = BTreeMap::new();
        for (at, text) in texts {
            let inside = |&(index, base): &(usize, u64)| {
                let len = self.blocks.get(index)?.data.len() as u64;
                let offset = at.checked_sub(base).filter(|offset| *offset < len)?;
                Some((index, usize::try_from(offset).ok()?))
            };
            let (index, offset) = headers.iter().find_map(inside).ok_or_else(|| no_text(*at))?;
            wanted.entry(index).or_default().insert(offset, text.clone());
        }
        for (index, texts) in wanted {
            let Some(block) = self.blocks.get_mut(index) else { continue };
            let Some(kind) = block.kind.header_of() else { continue };
            names::set_texts(kind, Form::GFD, &mut block.data.0, &texts)?;
        }
        Ok(())
    }

    /// Brings values in, and takes them out.
    ///
    /// # Errors
    /// As for the data of a structure.
    pub(crate) fn set_things(&mut self, puts: &[Put]) -> Result<()> {
        let mut by_block: BTreeMap<usize, Vec<&Put>> = BTreeMap::new();
        for put in puts {
            by_block.entry(put.key.owner).or_default().push(put);
        }
        for (index, puts) in by_block {
            let Some(block) = self.blocks.get_mut(index) else { continue };
            let Some(kind) = block.kind.header_of() else { continue };
            names::put(kind, Form::GFD, &mut block.data.0, &puts)?;
        }
        Ok(())
    }
}
