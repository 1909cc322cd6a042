//! A model as a manifest and files: what serde makes of the model, as TOML, and each large run of bytes in a file of its own.
//!
//! A format says which of its fields are such bytes ([`Blob`]), and what names of files say of where they are from. What is read
//! back is the model itself, so that a manifest holds all that a file holds, and a key that the model does not have is refused.

use super::opaque::{escape, from_hex, to_hex, unescape};
use super::parts::{Parts, bad, check_name, parse};
use serde::{Serialize, de::DeserializeOwned};
use std::collections::BTreeMap;
use toml::{Table, Value};
use unshade_bytes::{Endian, Result};

/// Bytes of no known meaning stay in the manifest up to this many.
const IN_LINE: usize = 64;
/// Characters of a label in the name of a file.
const LABEL: usize = 64;
/// Fields of a record that stands in a line.
const IN_ROW: usize = 6;
/// The key that stands for the bytes of a file.
const FILE: &str = "file";
/// Says of a text that it does not end with a NUL.
const UNTERMINATED: &str = "unterminated";

/// A model that becomes a manifest.
pub(crate) trait Manifest: Serialize + DeserializeOwned {
    /// What the manifest says first, in lines.
    const ABOUT: &'static [&'static str];

    /// The fields that are files.
    const BLOBS: &'static [Blob];

    /// Puts what people read in the place of what the model has: a name in that of its offset.
    fn shown(_model: &mut Table) {}

    /// The inverse of [`Manifest::shown`], for what stands in a manifest.
    ///
    /// # Errors
    /// Where something cannot be what it stands for.
    fn stored(_manifest: &mut Table) -> Result<()> {
        Ok(())
    }

    /// What names of files in this table say: of a program, `vertex`. `key` is that of the list it stands in.
    fn label(_key: &str, _index: usize, _table: &Table) -> Option<String> {
        None
    }
}

/// A field that is kept in a file of its own.
pub(crate) struct Blob {
    /// The last keys of its path, without indices: `code.words`.
    pub path: &'static str,
    /// What it is.
    pub stored: Stored,
    /// The end of its file's name: `code.bin`.
    pub name: &'static str,
}

/// How a field is stored in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stored {
    /// Bytes; few of them stay in the manifest.
    Bytes,
    /// Words of 32 bits.
    Words(Endian),
    /// A text of the model that ends with a NUL, which its file does not have.
    Text,
}

impl Blob {
    /// Bytes of no known meaning, and others that are not looked at.
    pub(crate) const fn bytes(path: &'static str, name: &'static str) -> Self {
        Self { path, stored: Stored::Bytes, name }
    }

    fn matches(&self, path: &[String]) -> bool {
        let mut wanted = self.path.rsplit('.');
        let mut path = path.iter().rev();
        wanted.all(|key| path.next().is_some_and(|found| found == key))
    }

    fn of<M: Manifest>(path: &[String]) -> Option<&'static Self> {
        M::BLOBS.iter().find(|blob| blob.matches(path))
    }
}

/// The manifest of a model; what is no text of it goes to `parts`.
///
/// # Errors
/// For a model that TOML cannot say.
pub(crate) fn extract<M: Manifest>(format: &str, model: &M, parts: &mut Parts) -> Result<String> {
    let unfit =
        |error: toml::ser::Error| bad(Parts::MANIFEST, "a model that TOML can say", error.to_string());
    let mut value = Value::try_from(model).map_err(unfit)?;
    if let Value::Table(model) = &mut value {
        M::shown(model);
    }
    let mut out = Out { parts, names: BTreeMap::new() };
    out.walk::<M>(&mut value, &mut Vec::new(), &mut Vec::new());
    let mut table = Table::new();
    table.insert("format".to_owned(), format.into());
    if let Value::Table(fields) = value {
        table.extend(fields);
    }
    let mut text: String = M::ABOUT.iter().map(|line| format!("# {line}\n")).collect();
    print(&mut text, "", &table);
    Ok(text)
}

/// Writes a table as TOML: small records in a line each, others in sections.
fn print(out: &mut String, path: &str, table: &Table) {
    for (key, value) in table {
        match value {
            // Records and texts stand in a line each.
            Value::Array(rows)
                if rows.iter().any(|row| row.is_table() || row.is_str()) && rows.iter().all(is_row) =>
            {
                out.push_str(&format!("{key} = [\n"));
                rows.iter().for_each(|row| out.push_str(&format!("    {row},\n")));
                out.push_str("]\n");
            }
            value if is_row(value) => out.push_str(&format!("{key} = {value}\n")),
            _ => {}
        }
    }
    for (key, value) in table.iter().filter(|(_, value)| !is_row(value)) {
        let dot = if path.is_empty() { "" } else { "." };
        let path = format!("{path}{dot}{key}");
        match value {
            Value::Table(inner) => {
                out.push_str(&format!("\n[{path}]\n"));
                print(out, &path, inner);
            }
            Value::Array(rows) if !rows.iter().all(is_row) => {
                for inner in rows.iter().filter_map(Value::as_table) {
                    out.push_str(&format!("\n[[{path}]]\n"));
                    print(out, &path, inner);
                }
            }
            _ => {}
        }
    }
}

/// Whether a value stands in one line: numbers, texts, lists of these, and tables of a few of them.
fn is_row(value: &Value) -> bool {
    let plain = |value: &Value| match value {
        Value::Table(_) => false,
        Value::Array(list) => !list.iter().any(|value| value.is_table() || value.is_array()),
        _ => true,
    };
    match value {
        Value::Table(table) => table.len() <= IN_ROW && table.values().all(plain),
        Value::Array(list) => list.iter().all(|value| !value.is_table()),
        _ => true,
    }
}

struct Out<'p> {
    parts: &'p mut Parts,
    /// How often a name was taken.
    names: BTreeMap<String, usize>,
}

impl Out<'_> {
    /// Puts the bytes of a value and of all inside it into files.
    fn walk<M: Manifest>(&mut self, value: &mut Value, path: &mut Vec<String>, labels: &mut Vec<String>) {
        if let Some(blob) = Blob::of::<M>(path)
            && let Some((bytes, mut form)) = taken(blob, value)
        {
            let name = self.name(labels, blob.name);
            self.parts.insert(name.clone(), bytes);
            form.insert(FILE.to_owned(), name.into());
            *value = Value::Table(form);
            return;
        }
        match value {
            Value::Table(table) => {
                for (key, value) in table.iter_mut() {
                    path.push(key.to_owned());
                    let label = match value {
                        Value::Table(table) => M::label(key, 0, table),
                        _ => None,
                    };
                    let outside = labels.len();
                    labels.extend(label);
                    self.walk::<M>(value, path, labels);
                    labels.truncate(outside);
                    path.pop();
                }
            }
            Value::Array(values) => {
                for (index, value) in values.iter_mut().enumerate() {
                    let key = path.last().map_or("", String::as_str);
                    let label = value.as_table().and_then(|table| M::label(key, index, table));
                    let outside = labels.len();
                    labels.extend(label);
                    self.walk::<M>(value, path, labels);
                    labels.truncate(outside);
                }
            }
            _ => {}
        }
    }

    /// A name of a file that no other has.
    fn name(&mut self, labels: &[String], end: &str) -> String {
        let plain = |c: char| if c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.') { c } else { '_' };
        let labels = labels.iter().map(|label| label.chars().take(LABEL).map(plain).collect::<String>());
        let labels = labels.map(|label| label.trim_matches('.').to_owned()).filter(|label| !label.is_empty());
        let mut name: String = labels.map(|label| label + "-").collect();
        name.push_str(end);
        // On some systems, names that differ only in case are one.
        let taken = self.names.entry(name.to_ascii_lowercase()).or_default();
        let nth = *taken;
        *taken = nth.saturating_add(1);
        match (nth, name.rsplit_once('.')) {
            (0, _) => name,
            (nth, Some((stem, kind))) => format!("{stem}.{nth}.{kind}"),
            (nth, None) => format!("{name}.{nth}"),
        }
    }
}

/// The bytes of a value, and what the manifest says besides; nothing where it stays there.
fn taken(blob: &Blob, value: &Value) -> Option<(Vec<u8>, Table)> {
    let mut form = Table::new();
    let bytes = match (blob.stored, value) {
        (Stored::Bytes, Value::String(text)) => from_hex(text).filter(|bytes| bytes.len() > IN_LINE)?,
        (Stored::Text, Value::String(text)) => {
            let mut bytes = unescape(text)?;
            match bytes.last() {
                Some(0) => {
                    bytes.pop();
                }
                _ => {
                    form.insert(UNTERMINATED.to_owned(), true.into());
                }
            }
            bytes
        }
        (Stored::Words(endian), Value::Array(words)) => {
            let mut bytes = Vec::with_capacity(words.len().saturating_mul(4));
            for word in words {
                let word = word.as_integer().and_then(|word| u32::try_from(word).ok())?;
                bytes.extend(if endian == Endian::Big { word.to_be_bytes() } else { word.to_le_bytes() });
            }
            bytes
        }
        _ => return None,
    };
    Some((bytes, form))
}

/// The model of a manifest and its files.
///
/// # Errors
/// [`ErrorKind::BadValue`](unshade_bytes::ErrorKind::BadValue) where it says what the model does not have, and where a file is
/// missing.
pub(crate) fn build<M: Manifest>(text: &str, parts: &Parts) -> Result<M> {
    let mut table: Table = parse(text, Parts::MANIFEST)?;
    table.remove("format");
    M::stored(&mut table)?;
    let mut value = Value::Table(table);
    fill::<M>(&mut value, &mut Vec::new(), parts)?;
    let mut unknown = None;
    let mut seen = |path: serde_ignored::Path<'_>| {
        unknown.get_or_insert_with(|| path.to_string());
    };
    let watched = serde_ignored::Deserializer::new(value, &mut seen);
    let model = serde_path_to_error::deserialize(watched);
    let model: M = model.map_err(|error: serde_path_to_error::Error<toml::de::Error>| {
        let path = error.path().to_string();
        let path = if path == "." { Parts::MANIFEST.to_owned() } else { path };
        bad(path, "the fields of the format", error.inner().message())
    })?;
    match unknown {
        None => Ok(model),
        Some(path) => {
            // What an enum or an option goes through has no name of its own.
            let path = path.replace(".?", "").replace("?.", "");
            let key = path.rsplit('.').next().unwrap_or_default().escape_debug().to_string();
            Err(bad(path, "only known fields", format!("`{key}`")))
        }
    }
}

/// Puts the bytes of files into their places.
fn fill<M: Manifest>(value: &mut Value, path: &mut Vec<String>, parts: &Parts) -> Result<()> {
    if let Some(blob) = Blob::of::<M>(path)
        && let Some(name) = file_of(value)
    {
        let mut bytes = parts.file(name)?.to_vec();
        let unterminated =
            value.get(UNTERMINATED).and_then(Value::as_bool).is_some_and(|unterminated| unterminated);
        *value = match blob.stored {
            Stored::Bytes => to_hex(&bytes).into(),
            Stored::Text => {
                if !unterminated {
                    bytes.push(0);
                }
                escape(&bytes).into()
            }
            Stored::Words(endian) => words(&bytes, endian, name)?,
        };
        return Ok(());
    }
    match value {
        Value::Table(table) => {
            for (key, value) in table.iter_mut() {
                path.push(key.to_owned());
                fill::<M>(value, path, parts)?;
                path.pop();
            }
        }
        Value::Array(values) => {
            for value in values {
                fill::<M>(value, path, parts)?;
            }
        }
        _ => {}
    }
    Ok(())
}

fn words(bytes: &[u8], endian: Endian, name: &str) -> Result<Value> {
    let (words, []) = bytes.as_chunks::<4>() else {
        let found = format!("{} bytes", bytes.len());
        return Err(bad(name, "words of four bytes", found));
    };
    let word = |word: &[u8; 4]| match endian {
        Endian::Big => u32::from_be_bytes(*word),
        Endian::Little => u32::from_le_bytes(*word),
    };
    Ok(Value::Array(words.iter().map(|bytes| Value::Integer(word(bytes).into())).collect()))
}

/// The name of the file that holds a value.
fn file_of(value: &Value) -> Option<&str> {
    let table = value.as_table()?;
    let name = table.get(FILE)?.as_str()?;
    table.keys().all(|key| key == FILE || key == UNTERMINATED).then_some(name)
}

/// Names of the files that a manifest asks for.
///
/// # Errors
/// [`ErrorKind::BadValue`](unshade_bytes::ErrorKind::BadValue) for a name that leaves the folder.
pub(crate) fn wanted<M: Manifest>(text: &str) -> Result<Vec<String>> {
    let table: Table = parse(text, Parts::MANIFEST)?;
    let mut names = Vec::new();
    collect::<M>(&Value::Table(table), &mut Vec::new(), &mut names)?;
    Ok(names)
}

fn collect<M: Manifest>(value: &Value, path: &mut Vec<String>, names: &mut Vec<String>) -> Result<()> {
    if let Some(name) = file_of(value).filter(|_| Blob::of::<M>(path).is_some()) {
        check_name(name)?;
        names.push(name.to_owned());
        return Ok(());
    }
    match value {
        Value::Table(table) => {
            for (key, value) in table {
                path.push(key.to_owned());
                collect::<M>(value, path, names)?;
                path.pop();
            }
        }
        Value::Array(values) => {
            for value in values {
                collect::<M>(value, path, names)?;
            }
        }
        _ => {}
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shared::{Opaque, Strings};
    use serde::Deserialize;

    /// A made-up model with a field of each kind that becomes a file.
    #[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
    struct Made {
        version: u32,
        programs: Vec<Program>,
        #[serde(default, skip_serializing_if = "Opaque::is_empty")]
        trailing: Opaque,
    }

    #[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
    struct Program {
        name: String,
        words: Vec<u32>,
        text: Strings,
        rows: Vec<(u32, u32)>,
    }

    impl Manifest for Made {
        const ABOUT: &'static [&'static str] = &["Made up."];
        const BLOBS: &'static [Blob] = &[
            Blob { path: "programs.words", stored: Stored::Words(Endian::Big), name: "code.bin" },
            Blob { path: "programs.text", stored: Stored::Text, name: "text.glsl" },
            Blob::bytes("trailing", "trailing.bin"),
        ];

        fn label(key: &str, _: usize, table: &Table) -> Option<String> {
            (key == "programs").then(|| table.get("name")?.as_str().map(str::to_owned)).flatten()
        }
    }

    fn made() -> Made {
        let program = |name: &str, text: &[u8]| Program {
            name: name.to_owned(),
            words: vec![1, 0xFFFF_FFFF],
            text: Strings(text.to_vec()),
            rows: vec![(1, 2), (3, 4)],
        };
        let programs =
            vec![program("a/b", b"void main\xff\0"), program("A/B", b"no end"), program("", b"\0")];
        Made { version: 3, programs, trailing: Opaque(vec![5; 100]) }
    }

    fn taken_apart(made: &Made) -> Parts {
        let mut parts = Parts::default();
        let text = extract("made", made, &mut parts).unwrap();
        parts.insert(Parts::MANIFEST, text);
        parts
    }

    #[test]
    fn a_manifest_holds_the_model() {
        let parts = taken_apart(&made());
        let text = parts.manifest();
        assert!(text.starts_with("# Made up.\nformat = \"made\"\nversion = 3\n"), "{text}");
        // Names of files are letters that every system has, and differ in more than case.
        let files: Vec<_> = parts.files().map(|(name, _)| name).collect();
        let expected = [
            "A_B-code.1.bin",
            "A_B-text.1.glsl",
            "a_b-code.bin",
            "a_b-text.glsl",
            "code.bin",
            "manifest.toml",
            "text.glsl",
            "trailing.bin",
        ];
        assert_eq!(files, expected);
        assert_eq!(parts.file("a_b-code.bin").unwrap(), [0, 0, 0, 1, 255, 255, 255, 255]);
        assert_eq!(parts.file("a_b-text.glsl").unwrap(), b"void main\xff");
        assert_eq!(build::<Made>(text, &parts).unwrap(), made());
        let mut wanted = wanted::<Made>(text).unwrap();
        wanted.sort_unstable();
        assert_eq!(wanted.len(), 7);
        // Few bytes stay where they are.
        let few = Made { trailing: Opaque(vec![1, 2]), ..Made::default() };
        assert!(taken_apart(&few).manifest().contains("trailing = \"0102\""));
        assert_eq!(build::<Made>(taken_apart(&few).manifest(), &taken_apart(&few)).unwrap(), few);
    }

    #[test]
    fn what_the_model_does_not_have_is_refused() {
        let parts = taken_apart(&made());
        for (from, to, expected) in [
            ("version = 3", "version = 3\nspeed = 1", "`speed`"),
            ("version = 3", "version = -1", "fields of the format"),
            ("version = 3\n", "", "missing field `version`"),
            ("a_b-code.bin", "gone.bin", "gone.bin"),
            ("unterminated = true", "unterminated = true, more = 1", "fields of the format"),
        ] {
            let text = parts.manifest().replacen(from, to, 1);
            assert_ne!(text, parts.manifest(), "{from}");
            let error = build::<Made>(&text, &parts).unwrap_err().to_string();
            assert!(error.contains(expected), "{to}: {error}");
        }
        let outside = parts.manifest().replacen("a_b-code.bin", "../code.bin", 1);
        assert!(wanted::<Made>(&outside).is_err() && build::<Made>(&outside, &parts).is_err());
        let mut odd = parts.clone();
        odd.insert("a_b-code.bin", vec![0; 5]);
        let error = build::<Made>(odd.manifest(), &odd).unwrap_err().to_string();
        assert!(error.contains("words of four bytes"), "{error}");
    }
}
