//! Every byte by name.

use super::model::{Entry, EntryFooter, EntryHeader, Vkch};
use super::raw::{VERTEX_CONFIG, VERTEX_PROGRAM};
use super::records::type_name;
use crate::shared::Node;
use crate::shared::fields::{Grow, Record};
use unshade_bytes::{Owner, Result};

impl Vkch {
    /// What the cache is, in a few words.
    pub fn describe(&self) -> String {
        let count =
            |wanted: &dyn Fn(&Entry) -> bool| self.entries.iter().filter(|entry| wanted(entry)).count();
        let programs = count(&|entry| entry.header.entry_type == VERTEX_PROGRAM);
        let configs = count(&|entry| entry.header.entry_type == VERTEX_CONFIG);
        let spirv = count(&Entry::is_spirv);
        let rest = match self.rest.len() {
            0 => String::new(),
            len => format!(", {len} bytes behind them that are no whole entry"),
        };
        let counted =
            |count: usize, what: &str| format!("{count} {what}{}", if count == 1 { "" } else { "s" });
        format!(
            "shader cache of Azahar for Vulkan: {}, {}, {}{rest}",
            counted(programs, "vertex program"),
            counted(configs, "configuration"),
            counted(spirv, "SPIR-V module")
        )
    }

    /// The structure of the file with names, values and places.
    ///
    /// # Errors
    /// Where the model was changed to what no file can hold.
    pub fn tree(&self) -> Result<Node> {
        self.write()?;
        let mut root = Node::new("vkch", 0).value(self.describe());
        for (index, entry) in self.entries.iter().enumerate() {
            let node = entry.node(format!("entries[{index}]"), root.end())?;
            root.push(node);
        }
        root.unused("rest", &self.rest);
        Ok(root)
    }
}

impl Entry {
    fn node(&self, name: String, at: u64) -> Result<Node> {
        let mut node = Node::new(name, at).value(type_name(self.header.entry_type.into()));
        let mut header = self.header;
        header.visit(&mut Grow::new(EntryHeader::FORM, &mut node))?;
        let is_code = self.header.entry_type == VERTEX_PROGRAM;
        if is_code && !self.payload.is_empty() {
            let mut code = Node::new("code", node.end());
            let size = self.payload.len() as u64;
            let packed = if self.header.flags & 1 != 0 { ", packed" } else { "" };
            let mut row = Node::new("[0x000]", code.offset).value(format_args!("{size} bytes{packed}"));
            row.size = size;
            code.push(row);
            node.push(code);
        } else if !self.payload.is_empty() {
            let mut payload =
                Node::new("payload", node.end()).value(format_args!("{} bytes", self.payload.len()));
            payload.size = self.payload.len() as u64;
            payload.owner = Owner::Opaque;
            payload.opaque = Some(self.payload.clone());
            node.push(payload);
        }
        let mut footer = Node::new("footer", node.end());
        let mut record = self.footer;
        record.visit(&mut Grow::new(EntryFooter::FORM, &mut footer))?;
        node.push(footer);
        Ok(node)
    }
}
