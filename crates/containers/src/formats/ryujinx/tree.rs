//! Every byte by name. Paths begin with the file that they are in.

use super::model::{Guest, Ryujinx, Shared};
use super::raw::Algorithm;
use crate::shared::fields::{Grow, Record};
use crate::shared::{Node, Opaque};
use std::collections::BTreeMap;
use unshade_bytes::Result;

impl Ryujinx {
    /// What the cache is, in a few words.
    pub fn describe(&self) -> String {
        let count = self.guest.entries.len();
        let codes = format!("{count} {}", if count == 1 { "shader" } else { "shaders" });
        let programs = self.shared.as_ref().map(|shared| match shared.offsets.len() {
            1 => " of 1 program".to_owned(),
            count => format!(" of {count} programs"),
        });
        let alone = if self.guest.data.is_empty() && count > 0 { ", without guest.data" } else { "" };
        format!("shader cache of Ryujinx with {codes}{}{alone}", programs.unwrap_or_default())
    }

    /// The structure of the files with names, values and places.
    ///
    /// # Errors
    /// Where the model was changed to what no file can hold.
    pub fn tree(&self) -> Result<Node> {
        self.write()?;
        let mut root = Node::new("ryujinx", 0).value(self.describe());
        self.guest.toc_node(&mut root)?;
        if !self.joined {
            return Ok(root);
        }
        self.guest.data_node(&mut root);
        if let Some(shared) = &self.shared {
            shared.toc_node(&mut root)?;
            shared.data_node(&mut root);
        }
        let mut joined = Node::new("joined", root.end());
        let lens = [
            ("guest_toc_size", self.data_at()),
            ("guest_data_size", self.guest.data.len() as u64),
            ("shared_toc_size", self.states_at().saturating_sub(self.shared_at())),
            ("shared_data_size", self.shared.as_ref().map_or(0, |shared| shared.data.len() as u64)),
        ];
        for (name, len) in lens {
            joined.field(name, 8, len);
        }
        joined.field("end", 8, "\"UNSHTOCG\"");
        root.push(joined);
        Ok(root)
    }
}

impl Guest {
    fn toc_node(&self, root: &mut Node) -> Result<()> {
        let mut toc = Node::new("guest_toc", root.end());
        toc.field("magic", 4, "\"TOCG\"");
        let mut header = self.header.clone();
        header.visit(&mut Grow::new(super::model::GuestHeader::FORM, &mut toc))?;
        for (index, entry) in self.entries.iter().enumerate() {
            let mut node = Node::new(format!("entries[{index}]"), toc.end());
            let mut entry = *entry;
            entry.visit(&mut Grow::new(super::model::GuestEntry::FORM, &mut node))?;
            toc.push(node);
        }
        toc.unused("trailing", &self.trailing);
        root.push(toc);
        Ok(())
    }

    /// What lies where in `guest.data`: constants and code of the entries in the order of their places. Where one lies in
    /// another, each goes as far as the next begins.
    fn data_node(&self, root: &mut Node) {
        let mut places: BTreeMap<usize, (usize, usize)> = BTreeMap::new();
        for (index, entry) in self.entries.iter().enumerate() {
            let place = places.entry(entry.offset as usize).or_insert((index, entry.cb1_data_size as usize));
            place.1 = place.1.max(entry.cb1_data_size as usize);
        }
        let mut data = Node::new("guest_data", root.end());
        spans(&mut data, &self.data, &places, |node, (index, constants), bytes| {
            let (constants, rest) = bytes.split_at_checked(constants).unwrap_or((bytes, &[]));
            if !constants.is_empty() {
                node.unknown(
                    "cb1_data",
                    constants,
                    format_args!("{} bytes of constant bank 1", constants.len()),
                );
            }
            packed(node, rest, "code");
            format!("entries[{index}]")
        });
        root.push(data);
    }
}

impl Shared {
    fn toc_node(&self, root: &mut Node) -> Result<()> {
        let mut toc = Node::new("shared_toc", root.end());
        toc.field("magic", 4, "\"TOCS\"");
        let mut header = self.header;
        header.visit(&mut Grow::new(super::model::SharedHeader::FORM, &mut toc))?;
        for (index, offset) in self.offsets.iter().enumerate() {
            toc.field(format!("offsets[{index}]"), 8, format_args!("{:#x}", offset.0));
        }
        toc.unused("trailing", &self.trailing);
        root.push(toc);
        Ok(())
    }

    fn data_node(&self, root: &mut Node) {
        let mut places: BTreeMap<usize, usize> = BTreeMap::new();
        for (index, offset) in self.offsets.iter().enumerate() {
            if let Ok(place) = usize::try_from(offset.0) {
                places.entry(place).or_insert(index);
            }
        }
        let mut data = Node::new("shared_data", root.end());
        spans(&mut data, &self.data, &places, |node, index, bytes| {
            packed(node, bytes, "state");
            format!("programs[{index}]")
        });
        root.push(data);
    }
}

/// Adds what begins at each place and goes to the next; `fill` names it.
fn spans<T: Copy>(
    data: &mut Node,
    bytes: &Opaque,
    places: &BTreeMap<usize, T>,
    fill: impl Fn(&mut Node, T, &[u8]) -> String,
) {
    let starts: Vec<(usize, T)> =
        places.iter().map(|(at, what)| (*at, *what)).filter(|(at, _)| *at < bytes.len()).collect();
    let first = starts.first().map_or(bytes.len(), |(at, _)| *at);
    data.unused("before", bytes.get(..first).unwrap_or_default());
    let ends = starts.iter().skip(1).map(|(at, _)| *at).chain([bytes.len()]);
    for ((start, what), end) in starts.iter().zip(ends) {
        let mut node = Node::new("", data.end());
        node.name = fill(&mut node, *what, bytes.get(*start..end).unwrap_or_default());
        data.push(node);
    }
}

/// The byte that says how something is packed, and the stream behind it.
fn packed(node: &mut Node, bytes: &[u8], name: &str) {
    let Some((algorithm, stream)) = bytes.split_first() else { return };
    let known = Algorithm::of(*algorithm);
    node.field("algorithm", 1, format_args!("{algorithm} ({})", known.map_or("unknown", Algorithm::name)));
    if stream.is_empty() {
        return;
    }
    let mut content = Node::new(name, node.end());
    let mut row = Node::new("[0x000]", content.offset).value(format_args!("{} bytes", stream.len()));
    row.size = stream.len() as u64;
    content.push(row);
    node.push(content);
}
