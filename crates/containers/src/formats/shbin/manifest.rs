//! What of a SHBIN stands in files beside its manifest, and names in it as text.
//!
//! The model has a name as its offset in the strings of its executable. In a manifest it is the text, where that finds the offset
//! again; so an entry may come in without a word about strings. The strings themselves are left out where they are the names of
//! labels and uniforms in their order.

use super::Shbin;
use crate::shared::Strings;
use crate::shared::manifest::{Blob, Manifest, Stored};
use crate::shared::opaque::{escape, unescape};
use crate::shared::parts::bad;
use std::collections::BTreeMap;
use toml::{Table, Value};
use unshade_bytes::{Endian, Limits, Result};

impl Manifest for Shbin {
    const ABOUT: &'static [&'static str] = &[
        "A 3DS shader binary, taken apart. Offsets and counts follow from what is here. Code is in a file beside this one.",
    ];

    const BLOBS: &'static [Blob] = &[
        Blob { path: "code.words", stored: Stored::Words(Endian::Little), name: "code.bin" },
        Blob::bytes("trailing", "trailing.bin"),
    ];

    fn shown(model: &mut Table) {
        each(model, |table, strings, rows| {
            let Some(texts) = table.get(strings).and_then(Value::as_str).and_then(unescape) else { return };
            let index = Index::new(&texts);
            // Names of source files belong to no executable's rows.
            let follows = strings == SYMBOLS && index.follows_from(table);
            for name in names(table, rows) {
                let offset = name.as_integer().and_then(|offset| u32::try_from(offset).ok());
                if let Some(text) = offset.and_then(|offset| index.whole(offset)) {
                    *name = Value::String(text);
                }
            }
            if follows {
                table.remove(strings);
            } else if texts.last().is_none_or(|last| *last == 0) {
                let lines =
                    Strings(texts.clone()).iter().map(|(_, text)| Value::String(escape(text))).collect();
                table.insert(strings.to_owned(), Value::Array(lines));
            }
        });
    }

    fn stored(manifest: &mut Table) -> Result<()> {
        let mut result = Ok(());
        each(manifest, |table, strings, rows| {
            if result.is_ok() {
                result = store(table, strings, rows);
            }
        });
        result
    }
}

/// The strings of an executable, which its object's line table uses, too.
const SYMBOLS: &str = "symbols";

/// Lists whose entries have names, with the field that is the name.
type Rows = &'static [(&'static [&'static str], &'static str)];

/// Calls `visit` for each table with strings: the table, the field with its strings, the lists with names.
fn each(model: &mut Table, mut visit: impl FnMut(&mut Table, &'static str, Rows)) {
    const EXECUTABLE: Rows = &[(&["labels"], "name"), (&["uniforms"], "name")];
    const OBJECT: Rows = &[(&["labels"], "name"), (&["uniforms"], "name"), (&["code", "lines"], "file")];
    const PROGRAM: Rows = &[(&["code", "lines"], "file")];
    if let Some(object) = model.get_mut("object").and_then(Value::as_table_mut) {
        visit(object, SYMBOLS, OBJECT);
    }
    let Some(linked) = model.get_mut("linked").and_then(Value::as_table_mut) else { return };
    if let Some(program) = linked.get_mut("program").and_then(Value::as_table_mut) {
        visit(program, "file_names", PROGRAM);
    }
    let executables = linked.get_mut("executables").and_then(Value::as_array_mut);
    for executable in executables.into_iter().flatten().filter_map(Value::as_table_mut) {
        visit(executable, SYMBOLS, EXECUTABLE);
    }
}

/// The names of all entries.
fn names(table: &mut Table, rows: Rows) -> Vec<&mut Value> {
    let mut found = Vec::new();
    for (key, value) in table.iter_mut() {
        let Some((path, field)) = rows.iter().find(|(path, _)| path.first() == Some(&key.as_str())) else {
            continue;
        };
        let list = match path {
            [_, inner] => value.get_mut(inner),
            _ => Some(value),
        };
        let entries = list.and_then(Value::as_array_mut);
        found.extend(entries.into_iter().flatten().filter_map(|entry| entry.get_mut(field)));
    }
    found
}

/// Puts offsets in the place of texts, which come into the strings where they are not there.
fn store(table: &mut Table, strings: &'static str, rows: Rows) -> Result<()> {
    let text = |value: &Value| {
        let bytes = value.as_str().and_then(unescape);
        bytes
            .ok_or_else(|| bad(strings, "texts with \\\\, \\0 and \\xNN for what is none", value.to_string()))
    };
    let mut bytes = match table.get(strings) {
        None => Vec::new(),
        Some(Value::Array(lines)) => {
            let mut bytes = Vec::new();
            for line in lines {
                bytes.extend(text(line)?);
                bytes.push(0);
            }
            bytes
        }
        Some(value) => text(value)?,
    };
    let mut known: BTreeMap<Vec<u8>, usize> = BTreeMap::new();
    for (offset, string) in Strings(bytes.clone()).iter() {
        known.entry(string.to_vec()).or_insert(offset);
    }
    for name in names(table, rows) {
        if !name.is_str() {
            continue;
        }
        let wanted = text(name)?;
        let offset = match known.get(&wanted) {
            Some(offset) => *offset,
            None => {
                if bytes.last().is_some_and(|last| *last != 0) {
                    bytes.push(0);
                }
                let offset = bytes.len();
                bytes.extend_from_slice(&wanted);
                bytes.push(0);
                known.insert(wanted, offset);
                offset
            }
        };
        *name = Value::Integer(i64::try_from(offset).unwrap_or(i64::MAX));
    }
    table.insert(strings.to_owned(), Value::String(escape(&bytes)));
    Ok(())
}

/// The whole strings of a table by their offsets, and where a text stands first.
struct Index<'s> {
    by_offset: BTreeMap<u32, &'s [u8]>,
    first: BTreeMap<&'s [u8], u32>,
    len: usize,
}

impl<'s> Index<'s> {
    fn new(bytes: &'s [u8]) -> Self {
        let mut index = Self { by_offset: BTreeMap::new(), first: BTreeMap::new(), len: bytes.len() };
        let mut at = 0_usize;
        for string in bytes.split_inclusive(|&byte| byte == 0) {
            let start = at;
            at = at.saturating_add(string.len());
            let (Some(string), Ok(offset)) = (string.strip_suffix(&[0]), u32::try_from(start)) else { break };
            index.by_offset.insert(offset, string);
            index.first.entry(string).or_insert(offset);
        }
        index
    }

    /// The text at `offset` where the text alone finds that place again. Long ones are left to their offset: many entries may
    /// share one.
    fn whole(&self, offset: u32) -> Option<String> {
        let string = self.by_offset.get(&offset).filter(|string| string.len() <= Limits::DEFAULT.name)?;
        (self.first.get(string) == Some(&offset)).then(|| escape(string))
    }

    /// Whether the strings are what comes of the names of labels and uniforms alone.
    fn follows_from(&self, executable: &Table) -> bool {
        let mut end = 0_usize;
        let lists = ["labels", "uniforms"].iter().filter_map(|list| executable.get(*list)?.as_array());
        for entry in lists.flatten() {
            let offset = entry.get("name").and_then(Value::as_integer).and_then(|at| u32::try_from(at).ok());
            let Some(offset) = offset.filter(|offset| self.whole(*offset).is_some()) else { return false };
            let len = self.by_offset.get(&offset).map_or(0, |string| string.len());
            match (offset as usize).cmp(&end) {
                std::cmp::Ordering::Equal => end = end.saturating_add(len).saturating_add(1),
                std::cmp::Ordering::Greater => return false,
                std::cmp::Ordering::Less => {}
            }
        }
        end == self.len
    }
}
