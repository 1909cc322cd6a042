//! From the manifest to the model.

use crate::formats::agl::manifest::{
    take_block, take_list, take_macro, take_rest_of_array, take_symbol, terminated,
};
use crate::formats::gx2::{ShaderKind, layout::Programs, manifest};
use crate::formats::sharcfb::model::{Binary, Extra, Program, Record, Sharcfb, SymbolKind};
use crate::formats::sharcfb::raw::{ALIGNMENT, SectionView, VERSION};
use crate::formats::sharcfb::read;
use crate::shared::parts::{Parts, bad};
use crate::shared::sheet::Taker;
use crate::shared::{Opaque, Strings};
use toml::Value;
use unshade_bytes::{Endian, Result};

/// The model of a manifest and its files.
pub(crate) fn build(text: &str, parts: &Parts) -> Result<Sharcfb> {
    crate::shared::sheet::wanted(text)?;
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
    file.version = top.word("version")?.unwrap_or(VERSION);
    file.endian_word = top.word("endian_word")?;
    file.file_size = top.word("file_size")?;
    file.resolved = top.word("resolved")?.unwrap_or(0);
    file.trailing = Opaque(top.file("trailing_file")?.unwrap_or_default().to_vec());
    let mut at = file.first_binary();
    let mut binaries = take_rest_of_array(&mut top, "binaries")?;
    for mut form in top.list("binary")? {
        let record = take_binary(&mut form, &file, at)?;
        form.done()?;
        at = at.saturating_add(match &record {
            Record::Known(binary) => binary.len(),
            Record::Damaged(bytes) => (bytes.len() as u64).saturating_add(4),
        });
        binaries.items.push(record);
    }
    let mut programs = take_rest_of_array(&mut top, "programs")?;
    for mut form in top.list("program")? {
        let record = match form.file("record_file")? {
            Some(bytes) => read::program_record(bytes, endian, file.version),
            None => Record::Known(Box::new(take_program(&mut form, &file)?)),
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
            let number = crate::shared::sheet::word(&value, &type_path)?;
            (number, crate::formats::gx2::record::shader_kind(number))
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

fn take_program(form: &mut Taker<'_>, file: &Sharcfb) -> Result<Program> {
    let name_path = form.at("name");
    let name = form.text("name")?.ok_or_else(|| bad(name_path, "a name", "none"))?;
    Ok(Program {
        name: terminated(name),
        stages: form.need("stages")?,
        base: form.need("first_binary")?,
        macros: take_list(form, "macros", take_macro)?,
        defaults: take_list(form, "defaults", take_macro)?,
        uniforms: take_list(form, SymbolKind::Uniforms.name(), |form| take_symbol(form, None))?,
        extra: if file.has_extra() { Some(take_extra(form, file.endian)?) } else { None },
        blocks: take_list(form, SymbolKind::Blocks.name(), |form| take_symbol(form, None))?,
        samplers: take_list(form, SymbolKind::Samplers.name(), |form| take_symbol(form, Some(-1)))?,
        attributes: take_list(form, SymbolKind::Attributes.name(), |form| take_symbol(form, Some(-1)))?,
        tail: Opaque::default(),
    })
}

/// The section behind the uniforms: bytes, or an array of blocks.
fn take_extra(form: &mut Taker<'_>, endian: Endian) -> Result<Extra> {
    if form.table.contains_key("extra") {
        let contents = form.hex("extra")?;
        let size = u32::try_from(contents.len().saturating_add(4)).unwrap_or(u32::MAX);
        return Ok(Extra::of(SectionView { size, contents: &contents }, endian));
    }
    Ok(Extra::Blocks(take_list(form, "extra_blocks", take_block)?))
}
