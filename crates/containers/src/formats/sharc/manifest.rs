//! An archive of sources as a manifest and files: each text in a file, byte for byte; programs as names, sources, macros
//! and symbols. Sizes and counts follow.

use super::model::{
    Info, Program, Record, Sharc, Source, SourceIndex, Stage, StageMacro, SymbolKind, symbol_kinds,
};
use super::raw::Rules;
use super::read;
use crate::formats::agl::manifest::{
    block_text, list, macro_text, plain, rest_of_array, symbol_text, take_block, take_list, take_macro,
    take_rest_of_array, take_symbol, terminated,
};
pub(crate) use crate::formats::gx2::manifest::wanted;
use crate::formats::gx2::manifest::{Sheet, Taker};
use crate::shared::parts::{Parts, bad};
use crate::shared::{Opaque, Strings, opaque::to_hex};
use toml::Value;
use unshade_bytes::{Endian, Result};

/// Characters of a source's name in the name of its file.
const FILE_NAME: usize = 64;

/// The manifest of an archive; texts go into `parts`.
pub(crate) fn extract(file: &Sharc, parts: &mut Parts) -> Result<String> {
    let mut out = Sheet { text: String::new(), parts };
    out.line("# An archive of shader sources, taken apart. Sizes and counts follow from what is here; texts end with a NUL");
    out.line(
        "# that their files do not have. A source of a program is the number of a [[source]], from 0 on.",
    );
    out.line("format = \"sharc\"");
    out.line(format!("endian = \"{}\"", file.endian.name()));
    out.line(format!("version = {}", file.version));
    if file.without_blocks {
        out.line("without_blocks = true");
    }
    match plain(&file.name) {
        Some(name) => out.line(format!("name = {name}")),
        None => out.line(format!("name_bytes = \"{}\"", to_hex(&file.name.0))),
    }
    out.given("endian_word", file.endian_word);
    out.given("file_size", file.file_size);
    match &file.programs {
        Some(array) => rest_of_array(&mut out, "programs", array),
        None => out.line("no_programs = true"),
    }
    match &file.sources {
        Some(array) => rest_of_array(&mut out, "sources", array),
        None => out.line("no_sources = true"),
    }
    match &file.info {
        Some(array) => rest_of_array(&mut out, "info", array),
        None if file.rules().blocks => out.line("no_info = true"),
        None => {}
    }
    if !file.trailing.is_empty() {
        out.file("trailing_file", "trailing.bin".to_owned(), &file.trailing);
    }
    for (index, record) in file.programs.iter().flat_map(|array| &array.items).enumerate() {
        out.line("\n[[program]]");
        match record {
            Record::Known(program) => match program_lines(program, file.rules()) {
                Some(lines) => lines.iter().for_each(|line| out.line(line)),
                None => {
                    let bytes = file.program_record(program)?;
                    out.file("record_file", format!("program-{index}.bin"), &bytes);
                }
            },
            Record::Damaged(bytes) => out.file("record_file", format!("program-{index}.bin"), bytes),
        }
    }
    for (index, record) in file.sources.iter().flat_map(|array| &array.items).enumerate() {
        out.line("\n[[source]]");
        match record {
            Record::Known(source) => print_source(&mut out, source, index),
            Record::Damaged(bytes) => out.file("record_file", format!("source-{index}.bin"), bytes),
        }
    }
    for (index, record) in file.info.iter().flat_map(|array| &array.items).enumerate() {
        out.line("\n[[information]]");
        match record {
            Record::Known(Info([a, b, c])) => out.line(format!("words = [{a:#x}, {b:#x}, {c:#x}]")),
            Record::Damaged(bytes) => out.file("record_file", format!("info-{index}.bin"), bytes),
        }
    }
    Ok(out.text)
}

fn print_source(out: &mut Sheet<'_>, source: &Source, index: usize) {
    match plain(&source.name) {
        Some(name) => out.line(format!("name = {name}")),
        None => out.line(format!("name_bytes = \"{}\"", to_hex(&source.name.0))),
    }
    out.given("raw_length", source.raw_len);
    out.hex("tail", &source.tail);
    let text = source.text.0.strip_suffix(&[0]);
    if text.is_none() {
        out.line("unterminated = true");
    }
    // The name of the source as far as every system can have it.
    let character = |c: char| match c {
        'a'..='z' | 'A'..='Z' | '0'..='9' | '-' | '_' | '.' => c,
        _ => '_',
    };
    let title: String = source.title().chars().take(FILE_NAME).map(character).collect();
    let file = format!("{index}-{}", title.trim_end_matches('.'));
    out.file("text_file", file, text.unwrap_or(&source.text.0));
}

/// The lines of a program; `None` where it has what only bytes can say.
fn program_lines(program: &Program, rules: Rules) -> Option<Vec<String>> {
    if !program.tail.is_empty() {
        return None;
    }
    let mut lines = vec![format!("name = {}", plain(&program.name)?)];
    for (stage, &word) in Stage::ALL.into_iter().zip(&program.sources) {
        let SourceIndex { index, high } = SourceIndex::of(word, rules);
        if let Some(index) = index {
            lines.push(format!("{}_source = {index}", stage.name()));
        }
        if rules.halves && high != 0xffff {
            lines.push(format!("{}_source_high = {high:#x}", stage.name()));
        }
    }
    for (stage, macros) in Stage::ALL.into_iter().zip(&program.stage_macros) {
        list(&mut lines, &format!("{}_macros", stage.name()), macros, |of: &StageMacro| {
            let text = || Some(format!("name = {}, value = {}", plain(&of.name)?, plain(&of.value)?));
            text().filter(|_| of.tail.is_empty())
        })?;
    }
    list(&mut lines, "macros", &program.macros, macro_text)?;
    list(&mut lines, "defaults", &program.defaults, macro_text)?;
    for kind in symbol_kinds(rules) {
        list(&mut lines, kind.name(), program.symbols(kind), |symbol| symbol_text(kind, symbol))?;
    }
    if rules.blocks {
        list(&mut lines, "blocks", &program.blocks, block_text)?;
    }
    Some(lines)
}

/// The model of a manifest and its files.
pub(crate) fn build(text: &str, parts: &Parts) -> Result<Sharc> {
    wanted(text)?;
    let mut top = Taker::manifest(text, parts)?;
    let endian = match top.table.remove("endian") {
        Some(Value::String(name)) if name == "little" => Endian::Little,
        Some(Value::String(name)) if name == "big" => Endian::Big,
        other => {
            let found = other.map_or("none".to_owned(), |value| value.to_string());
            return Err(bad("endian", "\"little\" or \"big\"", found));
        }
    };
    let mut file = Sharc { endian, version: top.need("version")?, ..Sharc::default() };
    file.without_blocks = top.flag("without_blocks")?;
    let rules = file.rules();
    file.name = take_name(&mut top)?;
    file.endian_word = top.word("endian_word")?;
    file.file_size = top.word("file_size")?;
    file.trailing = Opaque(top.file("trailing_file")?.unwrap_or_default().to_vec());
    let mut programs = take_rest_of_array(&mut top, "programs")?;
    for mut form in top.list("program")? {
        let record = match form.file("record_file")? {
            Some(bytes) => read::program_record(bytes, endian, rules),
            None => Record::Known(Box::new(take_program(&mut form, rules)?)),
        };
        form.done()?;
        programs.items.push(record);
    }
    let mut sources = take_rest_of_array(&mut top, "sources")?;
    for mut form in top.list("source")? {
        let record = match form.file("record_file")? {
            Some(bytes) => Record::Damaged(Opaque(bytes.to_vec())),
            None => Record::Known(take_source(&mut form)?),
        };
        form.done()?;
        sources.items.push(record);
    }
    let mut info = take_rest_of_array(&mut top, "info")?;
    for mut form in top.list("information")? {
        let record = match form.file("record_file")? {
            Some(bytes) => Record::Damaged(Opaque(bytes.to_vec())),
            None => Record::Known(Info(take_words(&mut form)?)),
        };
        form.done()?;
        info.items.push(record);
    }
    file.programs = (!top.flag("no_programs")?).then_some(programs);
    file.sources = (!top.flag("no_sources")?).then_some(sources);
    let has_info = !top.flag("no_info")? && rules.blocks;
    if !has_info && info != Default::default() {
        return Err(bad("information", "none: the version has none", "some"));
    }
    file.info = has_info.then_some(info);
    top.done()?;
    Ok(file)
}

fn take_name(form: &mut Taker<'_>) -> Result<Strings> {
    Ok(match (form.text("name")?, form.hex("name_bytes")?) {
        (Some(name), _) => terminated(name),
        (None, bytes) => Strings(bytes.0),
    })
}

fn take_words(form: &mut Taker<'_>) -> Result<[u32; 3]> {
    let path = form.at("words");
    let words = match form.table.remove("words") {
        Some(Value::Array(values)) => values,
        _ => return Err(bad(path, "three words", "none")),
    };
    let words: Vec<u32> =
        words.iter().map(|value| crate::formats::gx2::manifest::word(value, &path)).collect::<Result<_>>()?;
    <[u32; 3]>::try_from(words).map_err(|words| bad(path, "three words", words.len().to_string()))
}

fn take_source(form: &mut Taker<'_>) -> Result<Source> {
    let name = take_name(form)?;
    let text_path = form.at("text_file");
    let text = form.file("text_file")?.ok_or_else(|| bad(text_path, "a file of text", "none"))?.to_vec();
    let text = if form.flag("unterminated")? { Strings(text) } else { terminated(text) };
    Ok(Source { name, text, raw_len: form.word("raw_length")?, tail: form.hex("tail")? })
}

fn take_program(form: &mut Taker<'_>, rules: Rules) -> Result<Program> {
    let name_path = form.at("name");
    let name = form.text("name")?.ok_or_else(|| bad(name_path, "a name", "none"))?;
    let mut program = Program { name: terminated(name), ..Program::default() };
    for stage in Stage::ALL.into_iter().take(rules.stages) {
        let (source, upper) = (format!("{}_source", stage.name()), format!("{}_source_high", stage.name()));
        let path = form.at(&source);
        let index = form.word(&source)?;
        let high = if rules.halves { form.word(&upper)? } else { None };
        let high = u16::try_from(high.unwrap_or(0xffff))
            .map_err(|_| bad(form.at(&upper), "a number of 16 bits", high.unwrap_or(0).to_string()))?;
        let word = SourceIndex { index, high }.word(rules);
        let found = || index.unwrap_or(0).to_string();
        program.sources.push(word.ok_or_else(|| bad(path, "the number of a source", found()))?);
        program.stage_macros.push(take_list(form, &format!("{}_macros", stage.name()), take_stage_macro)?);
    }
    program.macros = take_list(form, "macros", take_macro)?;
    if rules.defaults {
        program.defaults = take_list(form, "defaults", take_macro)?;
    }
    for kind in symbol_kinds(rules) {
        let usual = matches!(kind, SymbolKind::Samplers | SymbolKind::Attributes).then_some(-1);
        *program.symbols_mut(kind) = take_list(form, kind.name(), |form| take_symbol(form, usual))?;
    }
    if rules.blocks {
        program.blocks = take_list(form, "blocks", take_block)?;
    }
    Ok(program)
}

fn take_stage_macro(form: &mut Taker<'_>) -> Result<StageMacro> {
    let mut text = |field: &str| {
        let path = form.at(field);
        form.text(field)?.map(terminated).ok_or_else(|| bad(path, "a text", "none"))
    };
    Ok(StageMacro { name: text("name")?, value: text("value")?, tail: Opaque::default() })
}
