//! Every field of a GFD by name, with its value and its place.

use super::model::{Block, BlockKind, Gfd};
use super::raw::{BLOCK_MAGIC, BlockHeader, FileHeader, MAGIC};
use super::write::Placed;
use crate::formats::gx2::relocation::{Relocation, TRAILER_MAGIC, Trailer, pointer};
use crate::formats::gx2::{ShaderKind, tree};
use crate::shared::fields::{Grow, Record};
use crate::shared::{opaque::escape, tree::Node};
use unshade_bytes::Result;

impl Gfd {
    /// The structure of the file with names, values and places.
    ///
    /// # Errors
    /// Where the model was changed to what no file can hold.
    pub fn tree(&self) -> Result<Node> {
        let mut root = Node::new("gfd", 0).value(self.describe());
        root.field("magic", 4, format_args!("\"{}\"", escape(&MAGIC)));
        let stated = self.header_size.unwrap_or_else(|| narrow(self.header_len()));
        self.header(stated).visit(&mut Grow::new(FileHeader::FORM, &mut root))?;
        root.unused("header_rest", &self.header_rest);
        for (index, (block, placed)) in self.blocks.iter().zip(self.placed()).enumerate() {
            root.push(block.node(index, placed)?);
        }
        if !self.trailing.is_empty() {
            let len = self.trailing.len();
            root.unknown("trailing", &self.trailing, format_args!("{len} bytes"));
        }
        Ok(root)
    }

    /// What the file is, in a few words.
    pub fn describe(&self) -> String {
        let mut parts = Vec::new();
        for kind in ShaderKind::ALL {
            let code = BlockKind::code(kind);
            match self.blocks.iter().filter(|block| block.kind == code).count() {
                0 => {}
                1 => parts.push(format!("a {} shader", kind.name())),
                count => parts.push(format!("{count} {} shaders", kind.name())),
            }
        }
        let textures = self.blocks.iter().filter(|block| block.kind == BlockKind(11)).count();
        match textures {
            0 => {}
            1 => parts.push("a texture".to_owned()),
            count => parts.push(format!("{count} textures")),
        }
        let version = format!("GFD version {}.{}", self.major, self.minor);
        match parts.split_last() {
            None => format!("{version} without shaders"),
            Some((one, [])) => format!("{version} with {one}"),
            Some((last, others)) => format!("{version} with {} and {last}", others.join(", ")),
        }
    }
}

impl Block {
    /// Name in trees and paths: the kind, or the number of an unknown one.
    pub(super) fn kind_name(&self) -> String {
        self.kind.name().map_or_else(|| format!("type {}", self.kind.0), str::to_owned)
    }

    fn node(&self, index: usize, placed: Placed) -> Result<Node> {
        let mut node = Node::new(format!("blocks[{index}]"), placed.at).value(self.kind_name());
        node.field("magic", 4, format_args!("\"{}\"", escape(&BLOCK_MAGIC)));
        let stated = self.header_size.unwrap_or_else(|| narrow(self.header_len()));
        let size = self.size.unwrap_or_else(|| narrow(placed.len));
        self.header(stated, size).visit(&mut Grow::new(BlockHeader::FORM, &mut node))?;
        node.unused("header_rest", &self.header_rest);
        let base = node.end();
        if let Some(shader) = self.shader() {
            let mut data = Node::new("data", base);
            tree::fill(&mut data, &shader, base, relocation(&self.data, base)?);
            node.push(data);
        } else if self.kind.is_code() {
            node.push(tree::code("code", base, &self.data));
        } else if self.kind == BlockKind::PADDING && placed.len != self.data.len() as u64 {
            let mut padding = Node::new("padding", base).value(format_args!("{} bytes of 0x00", placed.len));
            padding.size = placed.len;
            padding.owner = unshade_bytes::Owner::Padding(0);
            node.push(padding);
        } else if self.kind == BlockKind::PADDING {
            node.unused("padding", &self.data);
        } else if !self.data.is_empty() {
            node.unknown("data", &self.data, format_args!("{} bytes", self.data.len()));
        }
        Ok(node)
    }
}

fn narrow(len: u64) -> u32 {
    u32::try_from(len).unwrap_or(u32::MAX)
}

/// The table of pointers and the trailer at the end of a shader header.
fn relocation(data: &[u8], base: u64) -> Result<Vec<Node>> {
    let Some(relocation) = Relocation::of(data) else { return Ok(Vec::new()) };
    let mut nodes = Vec::new();
    let count = relocation.patches().len();
    if let Some(at) = relocation.patches_at.filter(|_| count > 0) {
        let mut node = Node::new("patches", base.saturating_add(at as u64));
        for (index, patch) in relocation.patches().enumerate() {
            node.field(format!("[{index}]"), 4, pointer(patch));
        }
        nodes.push(node.value(if count == 1 { "1 pointer".to_owned() } else { format!("{count} pointers") }));
    }
    let mut node = Node::new("trailer", base.saturating_add(relocation.at as u64));
    node.field("magic", 4, format_args!("\"{}\"", escape(&TRAILER_MAGIC)));
    let mut trailer = relocation.trailer;
    trailer.visit(&mut Grow::new(Trailer::FORM, &mut node))?;
    nodes.push(node);
    Ok(nodes)
}
