//! From the model to the manifest.

use super::typed;
use crate::gx2::{
    ShaderKind,
    manifest::{self, Sheet, quoted},
};
use crate::parts::Parts;
use crate::sharcfb::model::{Array, Binary, Macro, Program, Record, Sharcfb, Symbol, SymbolKind};
use crate::{Opaque, Strings, opaque::to_hex};
use unshade_bytes::Result;

/// The manifest of an archive; everything that is no text goes into `parts`.
pub(crate) fn extract(file: &Sharcfb, parts: &mut Parts) -> Result<String> {
    let placed = file.placed()?;
    let mut out = Sheet { text: String::new(), parts };
    out.line("# A shader archive of the Wii U, taken apart. Sizes, counts, pointers and the padding in front of code");
    out.line("# follow from what is here. Registers that are 0 are left out.");
    out.line("format = \"sharcfb\"");
    out.line(format!("endian = \"{}\"", file.endian.name()));
    match plain(&file.name) {
        Some(name) => out.line(format!("name = {name}")),
        None => out.line(format!("name_bytes = \"{}\"", to_hex(&file.name.0))),
    }
    out.given("endian_word", file.endian_word);
    out.given("file_size", file.file_size);
    out.unless("resolved", file.resolved, 0);
    match &file.binaries {
        Some(array) => rest_of_array(&mut out, "binaries", array),
        None => out.line("no_binaries = true"),
    }
    match &file.programs {
        Some(array) => rest_of_array(&mut out, "programs", array),
        None => out.line("no_programs = true"),
    }
    if !file.trailing.is_empty() {
        out.file("trailing_file", "trailing.bin".to_owned(), &file.trailing);
    }
    for (index, record) in file.binaries.iter().flat_map(|array| &array.items).enumerate() {
        out.line("\n[[binary]]");
        match record {
            Record::Known(binary) => {
                let at = placed.get(index).map_or(0, |placed| placed.at);
                print_binary(&mut out, file, binary, binary.data_at(at), index);
            }
            Record::Damaged(bytes) => out.file("record_file", format!("binary-{index}.bin"), bytes),
        }
    }
    for (index, record) in file.programs.iter().flat_map(|array| &array.items).enumerate() {
        out.line("\n[[program]]");
        match record {
            Record::Known(program) => match program_lines(program) {
                Some(lines) => lines.iter().for_each(|line| out.line(line)),
                None => {
                    let bytes = file.program_record(program)?;
                    out.file("record_file", format!("program-{index}.bin"), &bytes);
                }
            },
            Record::Damaged(bytes) => out.file("record_file", format!("program-{index}.bin"), bytes),
        }
    }
    Ok(out.text)
}

/// A text that ends with its NUL, as TOML; further NULs are part of it.
fn plain(text: &Strings) -> Option<String> {
    Some(quoted(text.0.strip_suffix(&[0])?))
}

fn rest_of_array<T>(out: &mut Sheet<'_>, name: &str, array: &Array<Record<T>>) {
    out.given(&format!("{name}_size"), array.size);
    out.given(&format!("{name}_count"), array.count);
    if !array.stray.is_empty() {
        out.file(&format!("{name}_stray_file"), format!("{name}-stray.bin"), &array.stray);
    }
}

fn print_binary(out: &mut Sheet<'_>, file: &Sharcfb, binary: &Binary, start: u64, index: usize) {
    match binary.shader_kind() {
        Some(kind) => out.line(format!("type = \"{}\"", kind.name())),
        None => out.line(format!("type = {}", binary.kind)),
    }
    out.hex("gap", &binary.gap);
    out.hex("tail", &binary.tail);
    let Some((contents, programs)) = typed(binary, file.form(), start) else {
        for (name, flag) in
            [("code_unaligned", binary.code_unaligned), ("copy_unaligned", binary.copy_unaligned)]
        {
            if flag {
                out.line(format!("{name} = true"));
            }
        }
        return out.file("data_file", format!("binary-{index}.bin"), &binary.data);
    };
    let kind = contents.kind;
    out.unless("fill", programs.fill.into(), 0);
    out.file("code_file", format!("{index}-{}-code.bin", kind.name()), programs.code);
    if kind == ShaderKind::Geometry {
        out.file("copy_file", format!("{index}-copy-code.bin"), programs.copy);
    }
    manifest::lines(&contents).into_iter().for_each(|line| out.line(line));
}

/// The lines of a program; `None` where it has what only bytes can say.
fn program_lines(program: &Program) -> Option<Vec<String>> {
    if !program.tail.is_empty() {
        return None;
    }
    let mut lines = vec![format!("name = {}", plain(&program.name)?), format!("stages = {}", program.stages)];
    lines.push(match program.base {
        crate::sharcfb::raw::NO_BINARIES => "first_binary = -1".to_owned(),
        base => format!("first_binary = {base}"),
    });
    for (name, array) in [("macros", &program.macros), ("defaults", &program.defaults)] {
        list(&mut lines, name, array, macro_text)?;
    }
    for kind in SymbolKind::ALL {
        list(&mut lines, kind.name(), program.symbols(kind), |symbol| symbol_text(kind, symbol))?;
    }
    Some(lines)
}

fn list<T>(
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

fn macro_text(of: &Macro) -> Option<String> {
    if of.count.is_some() || of.values.terminated() != of.values.0.len() {
        return None;
    }
    let values: Vec<String> = of.values.iter().map(|(_, value)| quoted(value)).collect();
    let (name, id) = (plain(&of.name)?, plain(&of.id)?);
    Some(format!("name = {name}, id = {id}, values = [{}]", values.join(", ")))
}

fn symbol_text(kind: SymbolKind, symbol: &Symbol) -> Option<String> {
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
