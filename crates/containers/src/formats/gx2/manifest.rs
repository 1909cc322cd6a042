//! Structures in manifests: registers by field, tables by name, what follows from the rest left out.

use super::layout::{Contents, EntryContents};
use super::registers::{Register, SPI_VS_OUT_ID, SQ_VTX_SEMANTIC};
use super::structure::{Member, Row, ShaderKind, TableKind};
use crate::shared::parts::bad;
use crate::shared::sheet::{none_left, quoted, text, word};
use toml::{Table, Value};
use unshade_bytes::Result;
use unshade_stage::latte::VarType;

/// Names of the types of samplers, by number.
const SAMPLERS: [&str; 5] = ["1d", "2d", "", "3d", "cube"];

/// What the words of a row hold that are left out at its end.
fn fill(row: &Row) -> u32 {
    match row.member {
        Member::Register(register) if std::ptr::eq(register, &SPI_VS_OUT_ID) => u32::MAX,
        Member::Register(register) if std::ptr::eq(register, &SQ_VTX_SEMANTIC) => 0xFF,
        _ => 0,
    }
}

/// Whether the word follows from the rest.
fn follows(row: &Row) -> bool {
    !matches!(row.member, Member::Register(_) | Member::Word)
}

/// The lines of a structure.
pub(crate) fn lines(contents: &Contents) -> Vec<String> {
    let mut lines = Vec::new();
    for row in contents.kind.rows().iter().filter(|row| !follows(row)) {
        let start = usize::from(row.word);
        let words = contents.words.get(start..start.saturating_add(row.count.into())).unwrap_or_default();
        let kept = words.iter().rposition(|&word| word != fill(row)).map_or(0, |last| last.saturating_add(1));
        let Some(words) = words.get(..kept).filter(|words| !words.is_empty()) else { continue };
        let text: Vec<String> = words.iter().map(|&word| word_text(row, word)).collect();
        match row.count {
            1 => lines.push(format!("{} = {}", row.name, text.concat())),
            _ => lines.push(format!("{} = [{}]", row.name, text.join(", "))),
        }
    }
    for table in contents.kind.tables() {
        let entries = contents.table(table);
        if !entries.is_empty() {
            lines.push(format!("{} = [", table.name()));
            lines.extend(entries.iter().map(|entry| format!("    {{ {} }},", entry_text(table, entry))));
            lines.push("]".to_owned());
        }
    }
    lines
}

fn word_text(row: &Row, word: u32) -> String {
    match row.member {
        Member::Register(register) if register.fields.len() > 1 && register.reserved(word) == 0 => {
            let fields = register.fields.iter().map(|field| (field.name, field.of(word)));
            let set: Vec<String> = fields
                .filter(|(_, value)| *value != 0)
                .map(|(name, value)| format!("{name} = {value}"))
                .collect();
            format!("{{ {} }}", set.join(", "))
        }
        Member::Register(register) if register.fields.len() > 1 => format!("{word:#x}"),
        _ => word.to_string(),
    }
}

fn entry_text(table: TableKind, entry: &EntryContents) -> String {
    let mut parts = Vec::new();
    if let Some(name) = &entry.name {
        parts.push(format!("name = {}", quoted(name)));
    }
    let fields = table.fields().iter().skip(usize::from(table.is_named()));
    for (field, &word) in fields.zip(&entry.words) {
        let value = match (table, *field) {
            (TableKind::Samplers, "type") => {
                match SAMPLERS.get(word as usize).filter(|name| !name.is_empty()) {
                    Some(name) => format!("\"{name}\""),
                    None => word.to_string(),
                }
            }
            (_, "type") if VarType(word).shape().is_some() => format!("\"{}\"", VarType(word).name()),
            (_, "block") => i32::from_ne_bytes(word.to_ne_bytes()).to_string(),
            (TableKind::InitialValues, "x" | "y" | "z" | "w") => float_text(word),
            (TableKind::Loops, "value") => format!("{word:#x}"),
            _ => word.to_string(),
        };
        parts.push(format!("{field} = {value}"));
    }
    parts.join(", ")
}

/// A float that is exact as text; else its bits.
fn float_text(bits: u32) -> String {
    let value = f32::from_bits(bits);
    if value.is_finite() { format!("{value:?}") } else { format!("\"{bits:#010x}\"") }
}

/// Takes what belongs to a structure of that kind out of a table.
///
/// # Errors
/// Where something is not what it must be.
pub(crate) fn take(kind: ShaderKind, table: &mut Table, path: &str) -> Result<Contents> {
    let mut contents = Contents::new(kind);
    for row in kind.rows().iter().filter(|row| !follows(row)) {
        let at = |name: &str| format!("{path}.{name}");
        let mut words = Vec::new();
        match table.remove(row.name) {
            None => {}
            Some(Value::Array(values)) if row.count > 1 => {
                for value in &values {
                    words.push(word_of(row, value, &at(row.name))?);
                }
            }
            Some(value) if row.count == 1 => words.push(word_of(row, &value, &at(row.name))?),
            Some(value) => return Err(bad(at(row.name), "a list of words", value.to_string())),
        }
        if words.len() > usize::from(row.count) {
            return Err(bad(at(row.name), "a list of as many words as there are", words.len().to_string()));
        }
        words.resize(row.count.into(), fill(row));
        let start = usize::from(row.word);
        if let Some(place) = contents.words.get_mut(start..start.saturating_add(words.len())) {
            place.copy_from_slice(&words);
        }
    }
    for of in kind.tables() {
        let Some(value) = table.remove(of.name()) else { continue };
        let path = format!("{path}.{}", of.name());
        let Value::Array(entries) = value else { return Err(bad(path, "a list", value.to_string())) };
        let taken: Result<Vec<_>> = entries
            .into_iter()
            .enumerate()
            .map(|(index, entry)| take_entry(of, entry, &format!("{path}[{index}]")))
            .collect();
        if let Some(place) = contents.tables.get_mut(of as usize) {
            *place = taken?;
        }
    }
    Ok(contents)
}

fn word_of(row: &Row, value: &Value, path: &str) -> Result<u32> {
    match (row.member, value) {
        (Member::Register(register), Value::Table(fields)) => register_of(register, fields, path),
        _ => word(value, path),
    }
}

fn register_of(register: &Register, fields: &Table, path: &str) -> Result<u32> {
    let mut word = 0;
    for (name, value) in fields {
        let path = format!("{path}.{name}");
        let Some(field) = register.field(name) else {
            return Err(bad(path, "a field of the register", format!("`{}`", name.escape_debug())));
        };
        let number = self::word(value, &path)?;
        let set = field.with(word, number);
        if field.of(set) != number {
            return Err(bad(path, "a value that fits the field", number.to_string()));
        }
        word = set;
    }
    Ok(word)
}

/// The number whose name a value is.
fn named(value: &Value, mut names: impl Iterator<Item = (u32, String)>) -> Option<u32> {
    let text = value.as_str().filter(|text| !text.is_empty())?;
    names.find(|(_, name)| name == text).map(|(number, _)| number)
}

fn take_entry(table: TableKind, value: Value, path: &str) -> Result<EntryContents> {
    let Value::Table(mut fields) = value else { return Err(bad(path, "a table", value.to_string())) };
    let mut entry = EntryContents::default();
    for field in table.fields() {
        let path = format!("{path}.{field}");
        let Some(value) = fields.remove(*field) else {
            return Err(bad(path, "a value", "none"));
        };
        let word = match (table, *field) {
            (_, "name") => {
                entry.name = Some(text(&value, &path)?);
                continue;
            }
            (TableKind::Samplers, "type") => named(&value, (0..).zip(SAMPLERS.map(str::to_owned))),
            (_, "type") => named(&value, (1..64).map(|number| (number, VarType(number).name()))),
            (TableKind::InitialValues, "x" | "y" | "z" | "w") => match &value {
                Value::Float(float) => Some((*float as f32).to_bits()),
                Value::String(bits) => {
                    bits.strip_prefix("0x").and_then(|digits| u32::from_str_radix(digits, 16).ok())
                }
                _ => None,
            },
            _ => None,
        };
        entry.words.push(match word {
            Some(word) => word,
            None => self::word(&value, &path)?,
        });
    }
    none_left(&fields, path)?;
    Ok(entry)
}
