//! Every byte by name.

use super::model::{Environment, EnvironmentHeader, Pipeline, Yuzu};
use super::raw::{COMPUTE, KEY_HASHES};
use super::records::stage_name;
use crate::formats::caches::maxwell::SPH_LEN;
use crate::shared::Node;
use crate::shared::fields::{Grow, Record};
use unshade_bytes::Result;

/// Bytes of an instruction.
const ROW: usize = 8;
/// The stages whose hashes a key begins with.
const HASHES: [&str; 6] = ["vertex_a", "vertex", "tess_control", "tess_eval", "geometry", "fragment"];

impl Yuzu {
    /// What the cache is, in a few words.
    pub fn describe(&self) -> String {
        let count = self.pipelines.len();
        let plural = if count == 1 { "" } else { "s" };
        let rest = match self.rest.len() {
            0 => String::new(),
            len => format!(", {len} bytes behind them that are no whole pipeline"),
        };
        format!("shader cache of yuzu, version {}, {count} pipeline{plural}{rest}", self.cache_version)
    }

    /// The structure of the file with names, values and places.
    ///
    /// # Errors
    /// Where the model was changed to what no file can hold.
    pub fn tree(&self) -> Result<Node> {
        self.write()?;
        let mut root = Node::new("yuzu", 0).value(self.describe());
        root.field("magic", 8, "\"yuzucach\"");
        root.field("cache_version", 4, self.cache_version);
        for (index, pipeline) in self.pipelines.iter().enumerate() {
            let node = pipeline.node(format!("pipelines[{index}]"), root.end())?;
            root.push(node);
        }
        root.unused("rest", &self.rest);
        Ok(root)
    }
}

impl Pipeline {
    fn node(&self, name: String, at: u64) -> Result<Node> {
        let mut node = Node::new(name, at);
        node.field("stage_count", 4, self.stages.len());
        for (index, stage) in self.stages.iter().enumerate() {
            let stage = stage.node(format!("stages[{index}]"), node.end())?;
            node.push(stage);
        }
        let mut key = Node::new("key", node.end()).value(format_args!("{} bytes", self.key.len()));
        let compute = self.stages.iter().any(|stage| stage.header.stage == COMPUTE);
        let (hashes, state) = match self.key.split_at_checked(if compute { 8 } else { KEY_HASHES }) {
            Some(parts) => parts,
            None => (&[][..], &self.key[..]),
        };
        let names: &[&str] = if compute { &["compute"] } else { &HASHES };
        for (name, hash) in names.iter().zip(hashes.as_chunks::<8>().0) {
            let hash = u64::from_le_bytes(*hash);
            key.field(format!("unique_hashes.{name}"), 8, format_args!("{hash:016x}"));
        }
        key.unused("state", state);
        node.push(key);
        Ok(node)
    }
}

impl Environment {
    fn node(&self, name: String, at: u64) -> Result<Node> {
        let mut node = Node::new(name, at).value(stage_name(self.header.stage.into()));
        let mut header = self.header;
        header.visit(&mut Grow::new(EnvironmentHeader::FORM, &mut node))?;
        self.code_node(&mut node);
        list(&mut node, "texture_types", &self.texture_types)?;
        list(&mut node, "texture_pixel_formats", &self.texture_pixel_formats)?;
        list(&mut node, "cbuf_values", &self.cbuf_values)?;
        list(&mut node, "cbuf_replacements", &self.cbuf_replacements)?;
        if let Some(compute) = &self.compute {
            for (name, word) in
                ["workgroup_size_x", "workgroup_size_y", "workgroup_size_z", "shared_memory_size"]
                    .into_iter()
                    .zip(compute)
            {
                node.field(name, 4, word);
            }
        }
        if !self.program_header.is_empty() {
            let (header, mask) =
                self.program_header.split_at_checked(SPH_LEN).unwrap_or((&self.program_header, &[]));
            let mut program = Node::new("program_header", node.end());
            program.size = header.len() as u64;
            program.value = Some(format!("{} bytes", header.len()));
            node.push(program);
            if !mask.is_empty() {
                node.unused("gp_passthrough_mask", mask);
            }
        }
        Ok(node)
    }

    /// The code: what stands in front of the first instruction, then a row for each instruction.
    fn code_node(&self, node: &mut Node) {
        let first = self.first().unwrap_or(self.code.len());
        let (front, code) = self.code.split_at_checked(first).unwrap_or((&self.code, &[]));
        if !front.is_empty() {
            node.unused("front", front);
        }
        if code.is_empty() {
            return;
        }
        let mut rows = Node::new("code", node.end()).value(format_args!("{} bytes", code.len()));
        for (index, row) in code.chunks(ROW).enumerate() {
            let offset = index.saturating_mul(ROW);
            let word = row.iter().rev().fold(0_u64, |word, byte| word << 8 | u64::from(*byte));
            rows.field(format!("[{offset:#05x}]"), row.len() as u64, format_args!("{word:016x}"));
        }
        node.push(rows);
    }
}

fn list<T: Record>(node: &mut Node, name: &'static str, list: &[T]) -> Result<()> {
    for (index, entry) in list.iter().enumerate() {
        let mut row = Node::new(format!("{name}[{index}]"), node.end());
        let mut entry = entry.clone();
        entry.visit(&mut Grow::new(T::FORM, &mut row))?;
        node.push(row);
    }
    Ok(())
}
