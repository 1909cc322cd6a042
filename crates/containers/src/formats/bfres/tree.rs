//! A BFRES as a tree: the header, the models' materials by name, and the embedded files; the rest is kept as it is.

use super::{Bfres, Console, embedded};
use crate::shared::Node;
use unshade_bytes::Owner;

impl Bfres<'_> {
    /// The structure with places. Bytes that concern no shader are opaque.
    pub fn tree(&self) -> Node {
        let mut root = Node::new("bfres", 0).value(self.describe());
        let len = self.bytes.len() as u64;
        let header = match self.console {
            Console::Switch => embedded::layout(self.version.first().copied().unwrap_or(0)).size,
            Console::WiiU => 0x6c,
        };
        root.push(opaque("header", 0, header.min(len), format!("`{}`", self.name)));
        let labels = self.labels();
        let mut order: Vec<usize> = (0..self.files.len()).collect();
        order.sort_by_key(|index| self.files.get(*index).map(|file| (file.offset, file.len)));
        let mut data = 0_usize;
        for index in order {
            let Some(file) = self.files.get(index) else { continue };
            let at = root.end();
            if file.offset > at {
                root.push(opaque(
                    &format!("data[{data}]"),
                    at,
                    file.offset.saturating_sub(at),
                    String::new(),
                ));
                data = data.saturating_add(1);
            }
            let at = root.end();
            let end = file.offset.saturating_add(file.len.into());
            // What another file has already is not owned twice.
            let mut node = Node::new(format!("embedded[{index}]"), at);
            node = node.value(format_args!(
                "`{}`, {} bytes at {:#x}",
                labels.get(index).map(String::as_str).unwrap_or_default(),
                file.len,
                file.offset
            ));
            node.size = end.saturating_sub(at);
            root.push(node);
        }
        let at = root.end();
        if len > at {
            root.push(opaque(&format!("data[{data}]"), at, len.saturating_sub(at), String::new()));
        }
        root
    }
}

fn opaque(name: &str, at: u64, size: u64, value: String) -> Node {
    let mut node = Node::new(name, at);
    node = match value.is_empty() {
        true => node.value(format_args!("{size} bytes")),
        false => node.value(value),
    };
    node.size = size;
    node.owner = Owner::Opaque;
    node
}
