//! Every field of an archive by name, with its value and its place.

use super::model::{Binary, Pool, Program, SharcfbNx};
use super::raw::{self, HEADER, Info, MAGIC, NO_BINARIES, Table};
use crate::formats::agl::model::Macro;
use crate::formats::agl::raw::text;
use crate::formats::agl::tree::{array, blocks, bytes, macro_fields, tail};
use crate::formats::nvn::Control;
use crate::shared::{FieldEncoding, opaque::escape, tree::Node};
use std::collections::BTreeMap;
use unshade_bytes::{Limits, Result};

/// Names of binaries that are told of code.
const USERS: usize = 4;

impl SharcfbNx {
    /// The structure of the archive with names, values and places.
    ///
    /// # Errors
    /// Where the model was changed to what no file can hold.
    pub fn tree(&self) -> Result<Node> {
        let (written, placed) = self.written()?;
        let word = |at: usize| {
            crate::formats::agl::raw::word(&written, at, unshade_bytes::Endian::Little).unwrap_or(0)
        };
        let mut root = Node::new("sharcfb-nx", 0).value(self.describe());
        root.field("magic", 4, format_args!("\"{}\"", escape(&MAGIC.to_le_bytes())));
        root.field("version", 4, self.version);
        root.field("file_size", 4, word(8));
        root.number("flags", 4, format_args!("{:#x}{}", self.flags, flags(self.flags)));
        root.number("resolved", 4, self.resolved);
        root.field("names_length", 4, self.names.0.len());
        root.field("pool_size", 4, word(0x18));
        root.field("pool_offset", 4, format_args!("{:#x}", word(0x1C)));
        root.unused("runtime", written.get(raw::RUNTIME..HEADER).unwrap_or_default());
        self.names_node(&mut root);
        if let Some(binaries) = &self.binaries {
            let node = array(binaries, "binaries", root.end(), |_, node, binary: &Binary| {
                self.binary_node(node, binary);
            });
            root.push(node);
        }
        if let Some(programs) = &self.programs {
            let node =
                array(programs, "programs", root.end(), |_, node, program| program_fields(node, program));
            root.push(node);
        }
        if let Pool::Behind { bytes: pool, .. } = &self.pool {
            let gap = written.get(usize::try_from(placed.end).unwrap_or(usize::MAX)..);
            let len = usize::try_from(placed.pool.saturating_sub(placed.end)).unwrap_or(0);
            root.unused("gap", gap.and_then(|gap| gap.get(..len)).unwrap_or_default());
            if !pool.is_empty() {
                let node = self.pool_node(root.end(), pool);
                root.push(node);
            }
        }
        tail_named(&mut root, "trailing", &self.trailing);
        Ok(root)
    }

    /// What the file is, in a few words.
    pub fn describe(&self) -> String {
        let (binaries, programs) = (self.binary_count(), self.programs().count());
        let plural = |count: usize, one: &str, many: &str| match count {
            1 => format!("1 {one}"),
            count => format!("{count} {many}"),
        };
        format!(
            "SHARCFB version {} of the Switch, {} with {}",
            self.version,
            plural(programs, "program", "programs"),
            plural(binaries, "binary", "binaries"),
        )
    }

    /// The archive's name, the names of variables, and what fills them up.
    fn names_node(&self, root: &mut Node) {
        let all = &self.names.0;
        // Behind the last NUL that ends something only zeros are left.
        let used =
            all.iter().rposition(|&byte| byte != 0).map_or(0, |last| last.saturating_add(2)).min(all.len());
        let (front, fill) = all.split_at_checked(used).unwrap_or((all, &[]));
        let mut strings = front.split_inclusive(|&byte| byte == 0);
        let Some(first) = strings.next() else { return root.unused("names_fill", fill) };
        root.coded("name", first.len() as u64, quoted(first), coding(first));
        let mut names = Node::new("names", root.end());
        for (index, string) in strings.enumerate() {
            names.coded(format!("[{index}]"), string.len() as u64, quoted(string), coding(string));
        }
        if names.size > 0 {
            names.value = Some(format!("{} strings", names.children.len()));
            root.push(names);
        }
        root.unused("names_fill", fill);
    }

    fn binary_node(&self, node: &mut Node, binary: &Binary) {
        let kind = binary.kind().map_or("unknown", raw::stage_word);
        node.value = Some(format!("{kind} stage"));
        node.number("stage", 4, format_args!("{} ({kind})", binary.stage));
        node.number("numbers", 4, binary.numbers);
        node.field("data_size", 4, binary.data.len());
        if !binary.data.is_empty() {
            let child = self.data_node(binary, node.end());
            node.push(child);
        }
        tail(node, &binary.tail);
    }

    /// The data of a binary: the info block, and what it leads to.
    fn data_node(&self, binary: &Binary, at: u64) -> Node {
        let data = &binary.data;
        let Some(info) = binary.info() else {
            let mut node = Node::new("data", at);
            node.unknown("contents", data, bytes(data.len()));
            return node;
        };
        let mut node = Node::new("data", at);
        info_fields(&mut node, &info);
        let place = |offset: usize| at.saturating_add(offset as u64);
        // What the block leads to, by places; of what overlaps the first counts.
        let mut parts: BTreeMap<usize, Node> = BTreeMap::new();
        let mut add = |offset: u64, part: Node| {
            if let Ok(offset) = usize::try_from(offset)
                && part.size > 0
            {
                parts.entry(offset).or_insert(part);
            }
        };
        let section = info.control_in(data);
        let mut control = Node::new("control", at.saturating_add(info.control));
        crate::formats::nvn::control_node(&mut control, section);
        control.value = Control::new(section).map(|known| {
            let (major, minor) = known.version();
            format!("NVN code {major}.{minor}, {} registers", known.registers())
        });
        add(info.control, control);
        for table in Table::ALL {
            let Some((_, offset)) = info.table(table) else { continue };
            add(offset, self.table_node(binary, &info, table, at.saturating_add(offset)));
        }
        if !self.has_pooled_names() {
            for entry in Table::ALL.into_iter().flat_map(|table| info.entries(data, table)) {
                let Some(own) = self.text(binary, entry.name) else { continue };
                let start = usize::try_from(entry.name).unwrap_or(usize::MAX);
                let mut name = Node::new("name", place(start)).value(quoted(own));
                name.size = (own.len() as u64).saturating_add(1);
                name.coding = FieldEncoding::Text;
                add(entry.name, name);
            }
        }
        let mut reached = info.len();
        for (start, part) in parts {
            let end = start.saturating_add(usize::try_from(part.size).unwrap_or(usize::MAX));
            if start < reached || end > data.len() {
                continue;
            }
            node.unused(format!("unused_{reached:x}"), data.get(reached..start).unwrap_or_default());
            node.push(part);
            reached = end;
        }
        node.unused(format!("unused_{reached:x}"), data.get(reached..).unwrap_or_default());
        node
    }

    fn table_node(&self, binary: &Binary, info: &Info, table: Table, at: u64) -> Node {
        let mut node = Node::new(table.name(), at);
        for (index, entry) in info.entries(&binary.data, table).enumerate() {
            let mut child = Node::new(format!("[{index}]"), node.end());
            child.value = Some(match self.text(binary, entry.name) {
                Some(name) => near(name),
                None => "without a name".to_owned(),
            });
            child.field("name", 8, format_args!("{:#x}", entry.name));
            child.number("location", 4, entry.location);
            if let Some(size) = entry.size {
                child.number("size", 4, size);
            }
            node.push(child);
        }
        node
    }

    /// The code sections of the pool with what fills the room between them.
    fn pool_node(&self, at: u64, pool: &[u8]) -> Node {
        let mut node = Node::new("pool", at).value(bytes(pool.len()));
        let mut reached = 0_usize;
        for (start, used) in self.sections() {
            let end = start.saturating_add(used.len);
            if start < reached || end > pool.len() || start == end {
                continue;
            }
            node.unused(format!("fill_{reached:x}"), pool.get(reached..start).unwrap_or_default());
            let mut code = Node::new(format!("code_{start:x}"), at.saturating_add(start as u64));
            code.size = used.len as u64;
            let binaries: Vec<String> = used.binaries.iter().take(USERS).map(usize::to_string).collect();
            let more = if used.binaries.len() > USERS { ", ..." } else { "" };
            code.value = Some(format!("{}, of binaries {}{more}", bytes(used.len), binaries.join(", ")));
            node.push(code);
            reached = end;
        }
        node.unused(format!("fill_{reached:x}"), pool.get(reached..).unwrap_or_default());
        node
    }
}

/// What flags say.
fn flags(flags: u32) -> String {
    let known = [
        (raw::NATIVE, "native order"),
        (raw::RESOLVED, "resolved"),
        (raw::POOLED_NAMES, "pooled names"),
        (raw::BY_PROGRAM, "binaries by program"),
    ];
    let said: Vec<&str> =
        known.into_iter().filter(|(bit, _)| flags & bit != 0).map(|(_, name)| name).collect();
    if said.is_empty() { String::new() } else { format!(" ({})", said.join(", ")) }
}

fn info_fields(node: &mut Node, info: &Info) {
    let mut block = Node::new("info", node.end());
    block.field("code", 8, format_args!("{:#x}", info.code));
    block.field("control_size", 4, info.control_size);
    block.field("control", 8, format_args!("{:#x}", info.control));
    for table in Table::ALL {
        if let Some((count, offset)) = info.table(table) {
            block.field(format!("{}_count", table.name()), 4, count);
            block.field(format!("{}_offset", table.name()), 8, format_args!("{offset:#x}"));
        }
    }
    node.push(block);
}

fn program_fields(node: &mut Node, program: &Program) {
    let name = program.text();
    node.value = Some(match program.variation_count() {
        Some(1) => name,
        Some(count) => format!("{name}: {count} variations"),
        None => format!("{name}: more variations than can be counted"),
    });
    node.field("name_length", 4, program.name.0.len());
    let stages: Vec<&str> = program.kinds().map(raw::stage_word).collect();
    node.number("stages", 4, format_args!("{} ({})", program.stages, stages.join(", ")));
    match program.base {
        NO_BINARIES => node.number("first_binary", 4, "-1 (none)"),
        base => node.number("first_binary", 4, base),
    }
    crate::formats::agl::tree::strings(node, "name", &program.name);
    for (name, macros) in [("macros", &program.macros), ("defaults", &program.defaults)] {
        let child = array(macros, name, node.end(), |_, node, of: &Macro| macro_fields(node, of));
        node.push(child);
    }
    let child = blocks(&program.blocks, "blocks", node.end());
    node.push(child);
    tail(node, &program.tail);
}

fn tail_named(node: &mut Node, name: &str, contents: &[u8]) {
    if !contents.is_empty() {
        node.unknown(name, contents, bytes(contents.len()));
    }
}

/// As much of a name as a line holds.
fn near(name: &[u8]) -> String {
    escape(name.get(..Limits::DEFAULT.name).unwrap_or(name))
}

fn quoted(name: &[u8]) -> String {
    format!("\"{}\"", near(text(name)))
}

/// How a string says its value: one without NUL does not say where it ends.
fn coding(string: &[u8]) -> FieldEncoding {
    if string.last() == Some(&0) { FieldEncoding::Text } else { FieldEncoding::Bytes }
}
