//! Manifests that say more than the model does: what follows from the rest is left out, and registers are said field by field.
//! [`manifest`](super::manifest) is the way of the others.

use super::Opaque;
use super::opaque::{escape, from_hex, unescape};
use super::parts::{Parts, bad, check_name, parse};
use toml::{Table, Value};
use unshade_bytes::Result;

/// Bytes as a string of TOML, as [`escape`] has them.
pub(crate) fn quoted(bytes: &[u8]) -> String {
    format!("\"{}\"", escape(bytes).replace('\\', "\\\\").replace('"', "\\\""))
}

/// A word: a number from -2^31 to 2^32 - 1.
pub(crate) fn word(value: &Value, path: &str) -> Result<u32> {
    let number = value.as_integer();
    let word = number.and_then(|number| {
        let signed = i32::try_from(number).map(|number| u32::from_ne_bytes(number.to_ne_bytes()));
        u32::try_from(number).or(signed).ok()
    });
    word.ok_or_else(|| bad(path, "a number of 32 bits", value.to_string()))
}

/// A text of bytes, as [`escape`] has them.
pub(crate) fn text(value: &Value, path: &str) -> Result<Vec<u8>> {
    let bytes = value.as_str().and_then(unescape);
    bytes.ok_or_else(|| bad(path, "a text with \\\\, \\0, \\xNN for what is none", value.to_string()))
}

/// Refuses what nobody took.
pub(crate) fn none_left(table: &Table, path: &str) -> Result<()> {
    match table.keys().next() {
        None => Ok(()),
        Some(name) => Err(bad(path, "only known fields", format!("`{}`", name.escape_debug()))),
    }
}

/// Names of the files that a manifest asks for: what stands behind every key that ends in `_file`.
pub(crate) fn wanted(text: &str) -> Result<Vec<String>> {
    let manifest: Table = parse(text, Parts::MANIFEST)?;
    let mut names = Vec::new();
    let mut tables = vec![&manifest];
    while let Some(table) = tables.pop() {
        for (key, value) in table {
            match value {
                Value::String(name) if key.ends_with("_file") => {
                    check_name(name)?;
                    names.push(name.clone());
                }
                Value::Table(inner) => tables.push(inner),
                Value::Array(values) => tables.extend(values.iter().filter_map(Value::as_table)),
                _ => {}
            }
        }
    }
    Ok(names)
}

/// A table of a manifest that fields are taken out of, and the files beside it.
pub(crate) struct Taker<'p> {
    pub(crate) table: Table,
    pub(crate) path: String,
    pub(crate) parts: &'p Parts,
}

impl<'p> Taker<'p> {
    /// The manifest itself.
    pub(crate) fn manifest(text: &str, parts: &'p Parts) -> Result<Self> {
        let mut table: Table = parse(text, Parts::MANIFEST)?;
        table.remove("format");
        Ok(Self { table, path: String::new(), parts })
    }

    /// The path of a field.
    pub(crate) fn at(&self, name: &str) -> String {
        if self.path.is_empty() { name.to_owned() } else { format!("{}.{name}", self.path) }
    }

    /// A number, if it is there.
    pub(crate) fn word(&mut self, name: &str) -> Result<Option<u32>> {
        let at = self.at(name);
        self.table.remove(name).map(|value| word(&value, &at)).transpose()
    }

    /// A number that must be there.
    pub(crate) fn need(&mut self, name: &str) -> Result<u32> {
        let at = self.at(name);
        self.word(name)?.ok_or_else(|| bad(at, "a number", "none"))
    }

    /// A truth value; false where it is not there.
    pub(crate) fn flag(&mut self, name: &str) -> Result<bool> {
        match self.table.remove(name) {
            None => Ok(false),
            Some(Value::Boolean(value)) => Ok(value),
            Some(value) => Err(bad(self.at(name), "true or false", value.to_string())),
        }
    }

    /// Bytes as hexadecimal digits; none where they are not there.
    pub(crate) fn hex(&mut self, name: &str) -> Result<Opaque> {
        let Some(value) = self.table.remove(name) else { return Ok(Opaque::default()) };
        let bytes = value.as_str().and_then(from_hex).map(Opaque);
        bytes.ok_or_else(|| bad(self.at(name), "pairs of hexadecimal digits", value.to_string()))
    }

    /// A text of bytes, if it is there.
    pub(crate) fn text(&mut self, name: &str) -> Result<Option<Vec<u8>>> {
        let at = self.at(name);
        self.table.remove(name).map(|value| text(&value, &at)).transpose()
    }

    /// The bytes of a file, if it is named.
    pub(crate) fn file(&mut self, name: &str) -> Result<Option<&'p [u8]>> {
        match self.table.remove(name) {
            None => Ok(None),
            Some(Value::String(file)) => self.parts.file(&file).map(Some),
            Some(value) => Err(bad(self.at(name), "the name of a file", value.to_string())),
        }
    }

    /// The tables of a list; none where it is not there.
    pub(crate) fn list(&mut self, name: &str) -> Result<Vec<Self>> {
        let path = self.at(name);
        let values = match self.table.remove(name) {
            None => Vec::new(),
            Some(Value::Array(values)) => values,
            Some(value) => return Err(bad(path, "a list", value.to_string())),
        };
        let parts = self.parts;
        let tables = values.into_iter().enumerate().map(|(index, value)| match value {
            Value::Table(table) => Ok(Self { table, path: format!("{path}[{index}]"), parts }),
            value => Err(bad(format!("{path}[{index}]"), "a table", value.to_string())),
        });
        tables.collect()
    }

    /// Refuses what nobody took.
    pub(crate) fn done(&self) -> Result<()> {
        none_left(&self.table, &self.path)
    }
}

/// A manifest that grows, with its files.
pub(crate) struct Sheet<'p> {
    pub(crate) text: String,
    pub(crate) parts: &'p mut Parts,
}

impl Sheet<'_> {
    pub(crate) fn line(&mut self, line: impl AsRef<str>) {
        self.text.push_str(line.as_ref());
        self.text.push('\n');
    }

    /// A number, where it is not the usual one.
    pub(crate) fn unless(&mut self, name: &str, value: u32, usual: u32) {
        if value != usual {
            self.line(format!("{name} = {value}"));
        }
    }

    /// A number, where there is one.
    pub(crate) fn given(&mut self, name: &str, value: Option<u32>) {
        if let Some(value) = value {
            self.line(format!("{name} = {value}"));
        }
    }

    /// Bytes as hexadecimal digits, where there are any.
    pub(crate) fn hex(&mut self, name: &str, bytes: &Opaque) {
        if !bytes.is_empty() {
            self.line(format!("{name} = \"{}\"", bytes.to_hex()));
        }
    }

    /// Bytes as a file of their own.
    pub(crate) fn file(&mut self, name: &str, file: String, bytes: &[u8]) {
        self.line(format!("{name} = \"{file}\""));
        self.parts.insert(file, bytes);
    }
}
