//! From the manifest to the model.

use crate::gx2::{
    ShaderKind,
    layout::Programs,
    manifest::{self, Taker},
};
use crate::opaque::from_hex;
use crate::parts::{Parts, bad};
use crate::sharcfb::model::{Array, Binary, Macro, Program, Record, Sharcfb, Symbol, SymbolKind};
use crate::sharcfb::raw::ALIGNMENT;
use crate::sharcfb::read;
use crate::{Opaque, Strings};
use toml::Value;
use unshade_bytes::{Endian, Result};

/// The model of a manifest and its files.
pub(crate) fn build(text: &str, parts: &Parts) -> Result<Sharcfb> {
    manifest::wanted(text)?;
    let mut top = Taker::manifest(text, parts)?;
    let endian = match top.table.remove("endian") {
        Some(Value::String(name)) if name == "little" => Endian::Little,
        Some(Value::String(name)) if name == "big" => Endian::Big,
        other => {
            let found = other.map_or("none".to_owned(), |value| value.to_string());
            return Err(bad("endian", "\"little\" or \"big\"", found));
        }
    };
    let mut file = Sharcfb { endian, ..Sharcfb::default() };
    file.name = match (top.text("name")?, top.hex("name_bytes")?) {
        (Some(name), _) => terminated(name),
        (None, bytes) => Strings(bytes.0),
    };
    file.endian_word = top.word("endian_word")?;
    file.file_size = top.word("file_size")?;
    file.resolved = top.word("resolved")?.unwrap_or(0);
    file.trailing = Opaque(top.file("trailing_file")?.unwrap_or_default().to_vec());
    let mut at = file.first_binary();
    let mut binaries = rest_of_array(&mut top, "binaries")?;
    for mut form in top.list("binary")? {
        let record = take_binary(&mut form, &file, at)?;
        form.done()?;
        at = at.saturating_add(match &record {
            Record::Known(binary) => binary.len(),
            Record::Damaged(bytes) => (bytes.len() as u64).saturating_add(4),
        });
        binaries.items.push(record);
    }
    let mut programs = rest_of_array(&mut top, "programs")?;
    for mut form in top.list("program")? {
        let record = match form.file("record_file")? {
            Some(bytes) => read::program_record(bytes, endian),
            None => Record::Known(Box::new(take_program(&mut form)?)),
        };
        form.done()?;
        programs.items.push(record);
    }
    file.binaries = (!top.flag("no_binaries")?).then_some(binaries);
    file.programs = (!top.flag("no_programs")?).then_some(programs);
    top.done()?;
    // Binaries that are given as files may have moved.
    file.settle()?;
    Ok(file)
}

fn terminated(mut text: Vec<u8>) -> Strings {
    text.push(0);
    Strings(text)
}

fn rest_of_array<T>(top: &mut Taker<'_>, name: &str) -> Result<Array<Record<T>>> {
    Ok(Array {
        size: top.word(&format!("{name}_size"))?,
        count: top.word(&format!("{name}_count"))?,
        items: Vec::new(),
        stray: Opaque(top.file(&format!("{name}_stray_file"))?.unwrap_or_default().to_vec()),
    })
}

/// A binary whose record is at `at`.
fn take_binary(form: &mut Taker<'_>, file: &Sharcfb, at: u64) -> Result<Record<Binary>> {
    if let Some(bytes) = form.file("record_file")? {
        return Ok(Record::Damaged(Opaque(bytes.to_vec())));
    }
    let type_path = form.at("type");
    let (number, kind) = match form.table.remove("type") {
        Some(Value::String(name)) => {
            let known = (0..).zip(ShaderKind::ALL).take(3).find(|(_, kind)| kind.name() == name);
            let found = format!("`{}`", name.escape_debug());
            let (number, kind) = known.ok_or_else(|| bad(type_path, "vertex, pixel or geometry", found))?;
            (number, Some(kind))
        }
        Some(value) => {
            let number = manifest::word(&value, &type_path)?;
            (number, crate::sharcfb::archive::shader_kind(number))
        }
        None => return Err(bad(type_path, "vertex, pixel, geometry or a number", "none")),
    };
    let mut binary = Binary {
        kind: number,
        gap: form.hex("gap")?,
        data: Opaque::default(),
        tail: form.hex("tail")?,
        code_unaligned: form.flag("code_unaligned")?,
        copy_unaligned: form.flag("copy_unaligned")?,
    };
    if let Some(bytes) = form.file("data_file")? {
        binary.data = Opaque(bytes.to_vec());
        return Ok(Record::Known(binary));
    }
    let Some(kind) = kind else { return Err(bad(form.at("data_file"), "a file of data", "none")) };
    let code_path = form.at("code_file");
    let code = form.file("code_file")?.ok_or_else(|| bad(code_path, "a file of code", "none"))?;
    let copy = form.file("copy_file")?.unwrap_or_default();
    let fill_path = form.at("fill");
    let fill = form.word("fill")?.unwrap_or(0);
    let fill = u8::try_from(fill).map_err(|_| bad(fill_path, "a byte", fill.to_string()))?;
    let path = form.path.clone();
    let contents = manifest::take(kind, &mut form.table, &path)?;
    let programs = Programs { code, copy, fill };
    binary.data = Opaque(contents.to_binary(file.form(), programs, binary.data_at(at), ALIGNMENT)?);
    Ok(Record::Known(binary))
}

fn take_program(form: &mut Taker<'_>) -> Result<Program> {
    let name_path = form.at("name");
    let name = form.text("name")?.ok_or_else(|| bad(name_path, "a name", "none"))?;
    Ok(Program {
        name: terminated(name),
        stages: form.need("stages")?,
        base: form.need("first_binary")?,
        macros: list(form, "macros", take_macro)?,
        defaults: list(form, "defaults", take_macro)?,
        uniforms: list(form, SymbolKind::Uniforms.name(), |form| take_symbol(form, None))?,
        blocks: list(form, SymbolKind::Blocks.name(), |form| take_symbol(form, None))?,
        samplers: list(form, SymbolKind::Samplers.name(), |form| take_symbol(form, Some(-1)))?,
        attributes: list(form, SymbolKind::Attributes.name(), |form| take_symbol(form, Some(-1)))?,
        tail: Opaque::default(),
    })
}

fn list<T>(
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

fn take_macro(form: &mut Taker<'_>) -> Result<Macro> {
    let (name, id) = names(form)?;
    let path = form.at("values");
    let Some(Value::Array(list)) = form.table.remove("values") else {
        return Err(bad(path, "a list of values", "none"));
    };
    let mut values = Vec::new();
    for value in &list {
        values.extend(manifest::text(value, &path)?);
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

fn take_symbol(form: &mut Taker<'_>, usual: Option<i32>) -> Result<Symbol> {
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
