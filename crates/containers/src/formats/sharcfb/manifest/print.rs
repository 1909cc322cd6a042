//! From the model to the manifest.

use super::typed;
use crate::formats::agl::manifest::{block_text, list, macro_text, plain, rest_of_array, symbol_text};
use crate::formats::gx2::{ShaderKind, manifest};
use crate::formats::sharcfb::model::{Binary, Extra, Program, Record, Sharcfb, SymbolKind};
use crate::formats::sharcfb::raw::VERSION;
use crate::shared::opaque::to_hex;
use crate::shared::parts::Parts;
use crate::shared::sheet::Sheet;
use unshade_bytes::Result;

/// The manifest of an archive; everything that is no text goes into `parts`.
pub(crate) fn extract(file: &Sharcfb, parts: &mut Parts) -> Result<String> {
    let placed = file.placed()?;
    let mut out = Sheet { text: String::new(), parts };
    out.line("# A shader archive of the Wii U, taken apart. Sizes, counts, pointers and the padding in front of code");
    out.line("# follow from what is here. Registers that are 0 are left out.");
    out.line("format = \"sharcfb\"");
    out.line(format!("endian = \"{}\"", file.endian.name()));
    out.unless("version", file.version, VERSION);
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
        crate::formats::sharcfb::raw::NO_BINARIES => "first_binary = -1".to_owned(),
        base => format!("first_binary = {base}"),
    });
    for (name, array) in [("macros", &program.macros), ("defaults", &program.defaults)] {
        list(&mut lines, name, array, macro_text)?;
    }
    for kind in SymbolKind::ALL {
        list(&mut lines, kind.name(), program.symbols(kind), |symbol| symbol_text(kind, symbol))?;
        if kind == SymbolKind::Uniforms {
            match &program.extra {
                Some(Extra::Blocks(blocks)) => list(&mut lines, "extra_blocks", blocks, block_text)?,
                Some(Extra::Bytes { size: None, bytes }) => {
                    lines.push(format!("extra = \"{}\"", to_hex(bytes)))
                }
                Some(Extra::Bytes { .. }) => return None,
                None => {}
            }
        }
    }
    Some(lines)
}
