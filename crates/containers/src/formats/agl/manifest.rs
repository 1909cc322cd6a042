//! The records that archives share in manifests: as text, and from text.

use super::model::{Array, Block, Macro, Record, Symbol, SymbolKind, Uniform};
use crate::shared::opaque::{from_hex, to_hex};
use crate::shared::parts::bad;
use crate::shared::sheet::{self, Sheet, Taker, quoted};
use crate::shared::{Opaque, Strings};
use toml::Value;
use unshade_bytes::Result;

/// A text that ends with its NUL, as TOML; further NULs are part of it.
pub(crate) fn plain(text: &Strings) -> Option<String> {
    Some(quoted(text.0.strip_suffix(&[0])?))
}

pub(crate) fn rest_of_array<T>(out: &mut Sheet<'_>, name: &str, array: &Array<Record<T>>) {
    out.given(&format!("{name}_size"), array.size);
    out.given(&format!("{name}_count"), array.count);
    if !array.stray.is_empty() {
        out.file(&format!("{name}_stray_file"), format!("{name}-stray.bin"), &array.stray);
    }
}

pub(crate) fn list<T>(
    lines: &mut Vec<String>,
    name: &str,
    array: &Array<Record<T>>,
    text: impl Fn(&T) -> Option<String>,
) -> Option<()> {
    if array.size.is_some() || array.count.is_some() || !array.stray.is_empty() {
        return None;
    }
    if array.items.is_empty() {
        return Some(());
    }
    lines.push(format!("{name} = ["));
    for record in &array.items {
        lines.push(format!("    {{ {} }},", text(record.known()?)?));
    }
    lines.push("]".to_owned());
    Some(())
}

pub(crate) fn macro_text(of: &Macro) -> Option<String> {
    if of.count.is_some() || of.values.terminated() != of.values.0.len() {
        return None;
    }
    let values: Vec<String> = of.values.iter().map(|(_, value)| quoted(value)).collect();
    let name = plain(&of.name)?;
    // One without an id is none at all, not an empty one.
    let id = match of.id.0.is_empty() {
        true => String::new(),
        false => format!(", id = {}", plain(&of.id)?),
    };
    Some(format!("name = {name}{id}, values = [{}]", values.join(", ")))
}

pub(crate) fn block_text(block: &Block) -> Option<String> {
    if !block.tail.is_empty() {
        return None;
    }
    let uniforms = &block.uniforms;
    if uniforms.size.is_some() || uniforms.count.is_some() || !uniforms.stray.is_empty() {
        return None;
    }
    let uniform = |record: &Record<Uniform>| {
        let uniform = record.known().filter(|uniform| uniform.tail.is_empty())?;
        Some(format!("{{ name = {}, location = {} }}", plain(&uniform.name)?, uniform.location))
    };
    let uniforms: Vec<String> = uniforms.items.iter().map(uniform).collect::<Option<_>>()?;
    let (name, location) = (plain(&block.name)?, block.location);
    Some(format!("name = {name}, location = {location}, uniforms = [{}]", uniforms.join(", ")))
}

pub(crate) fn symbol_text(kind: SymbolKind, symbol: &Symbol) -> Option<String> {
    if !symbol.tail.is_empty() {
        return None;
    }
    let mut text = format!("name = {}, id = {}", plain(&symbol.name)?, plain(&symbol.id)?);
    let usual = if matches!(kind, SymbolKind::Samplers | SymbolKind::Attributes) { Some(-1) } else { None };
    if usual != Some(symbol.offset) {
        text.push_str(&format!(", offset = {}", symbol.offset));
    }
    if !symbol.default.is_empty() {
        text.push_str(&format!(", default = \"{}\"", Opaque::to_hex(&symbol.default)));
    }
    text.push_str(&format!(", flags = \"{}\"", flags(&symbol.flags)));
    Some(text)
}

/// A digit for each variation, or, where a flag is none, `0x` and its bytes.
fn flags(flags: &[u8]) -> String {
    if flags.iter().all(|&flag| flag < 10) {
        return flags.iter().map(|&flag| char::from(b'0'.saturating_add(flag))).collect();
    }
    format!("0x{}", to_hex(flags))
}

pub(crate) fn terminated(mut text: Vec<u8>) -> Strings {
    text.push(0);
    Strings(text)
}

pub(crate) fn take_rest_of_array<T>(top: &mut Taker<'_>, name: &str) -> Result<Array<Record<T>>> {
    Ok(Array {
        size: top.word(&format!("{name}_size"))?,
        count: top.word(&format!("{name}_count"))?,
        items: Vec::new(),
        stray: Opaque(top.file(&format!("{name}_stray_file"))?.unwrap_or_default().to_vec()),
    })
}

pub(crate) fn take_list<T>(
    form: &mut Taker<'_>,
    name: &str,
    take: impl Fn(&mut Taker<'_>) -> Result<T>,
) -> Result<Array<Record<T>>> {
    let mut array = Array::default();
    for mut entry in form.list(name)? {
        array.items.push(Record::Known(take(&mut entry)?));
        entry.done()?;
    }
    Ok(array)
}

pub(crate) fn take_macro(form: &mut Taker<'_>) -> Result<Macro> {
    let path = form.at("name");
    let name = form.text("name")?.map(terminated).ok_or_else(|| bad(path, "a name", "none"))?;
    let id = form.text("id")?.map(terminated).unwrap_or_default();
    let path = form.at("values");
    let Some(Value::Array(list)) = form.table.remove("values") else {
        return Err(bad(path, "a list of values", "none"));
    };
    let mut values = Vec::new();
    for value in &list {
        values.extend(sheet::text(value, &path)?);
        values.push(0);
    }
    Ok(Macro { name, values: Strings(values), count: None, id })
}

fn names(form: &mut Taker<'_>) -> Result<(Strings, Strings)> {
    let mut text = |field: &str| {
        let path = form.at(field);
        form.text(field)?.map(terminated).ok_or_else(|| bad(path, "a name", "none"))
    };
    Ok((text("name")?, text("id")?))
}

pub(crate) fn take_symbol(form: &mut Taker<'_>, usual: Option<i32>) -> Result<Symbol> {
    let (name, id) = names(form)?;
    let offset = match usual {
        Some(usual) => form.word("offset")?.map_or(usual, signed),
        None => signed(form.need("offset")?),
    };
    let default = form.hex("default")?;
    let path = form.at("flags");
    let flags = match form.table.remove("flags") {
        Some(Value::String(text)) => {
            let bytes = match text.strip_prefix("0x") {
                Some(digits) => from_hex(digits),
                None => text.bytes().map(|byte| byte.checked_sub(b'0').filter(|&flag| flag < 10)).collect(),
            };
            bytes.ok_or_else(|| bad(path, "a digit for each variation", text))?
        }
        _ => return Err(bad(path, "a digit for each variation", "none")),
    };
    Ok(Symbol { name, id, offset, default, flags: Opaque(flags), tail: Opaque::default() })
}

fn signed(word: u32) -> i32 {
    i32::from_ne_bytes(word.to_ne_bytes())
}

pub(crate) fn take_block(form: &mut Taker<'_>) -> Result<Block> {
    let (name, location) = take_located(form)?;
    let uniforms = take_list(form, "uniforms", |form| {
        let (name, location) = take_located(form)?;
        Ok(Uniform { name, location, tail: Opaque::default() })
    })?;
    Ok(Block { name, location, uniforms, tail: Opaque::default() })
}

fn take_located(form: &mut Taker<'_>) -> Result<(Strings, i32)> {
    let path = form.at("name");
    let name = form.text("name")?.map(terminated).ok_or_else(|| bad(path, "a name", "none"))?;
    Ok((name, signed(form.need("location")?)))
}
