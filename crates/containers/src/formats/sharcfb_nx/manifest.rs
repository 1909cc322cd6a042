//! An archive of the Switch as a manifest and files: each control and each code section in a file, tables and programs as text.
//! Sizes, counts and places follow. What is laid out otherwise than known writers do is a file of its own.

use super::layout::{Contents, NamePlaces, NamePool};
use super::model::{Binary, Pool, Program, SharcfbNx, Slot};
use super::raw::{self, CODE_ALIGNMENT, NO_BINARIES, POOL_ALIGNMENT, Table, VERSION};
use super::read;
use crate::formats::agl::manifest::{
    block_text, list, macro_text, plain, rest_of_array, take_block, take_list, take_macro,
    take_rest_of_array, terminated,
};
use crate::formats::agl::model::Record;
use crate::shared::parts::{Parts, bad};
pub(crate) use crate::shared::sheet::wanted;
use crate::shared::sheet::{Sheet, Taker, quoted};
use crate::shared::{Name, Opaque, Strings};
use toml::Value;
use unshade_bytes::Result;

/// Names fill a multiple of so many bytes.
const NAMES_ALIGNMENT: usize = 0x1000;

/// The manifest of an archive; what is no text goes into `parts`.
pub(crate) fn extract(file: &SharcfbNx, parts: &mut Parts) -> Result<String> {
    let mut out = Sheet { text: String::new(), parts };
    out.line("# A shader archive of the Switch, taken apart. Sizes, counts and places follow from what is here. The code of a");
    out.line("# [[binary]] is the number of a [[code]], from 0 on: binaries may share one.");
    out.line("format = \"sharcfb-nx\"");
    out.unless("version", file.version, VERSION);
    out.line(format!("flags = {:#x}", file.flags));
    out.unless("resolved", file.resolved, 0);
    out.given("file_size", file.file_size);
    if !file.runtime.is_empty() {
        out.file("runtime_file", "runtime.bin".to_owned(), &file.runtime);
    }
    match names_of(&file.names) {
        Some((name, others)) => {
            out.line(format!("name = {name}"));
            if !others.is_empty() {
                out.line("names = [");
                others.iter().for_each(|name| out.line(format!("    {name},")));
                out.line("]");
            }
            let usual = usual_names(&file.names).len();
            if usual != file.names.0.len() {
                out.line(format!("names_length = {}", file.names.0.len()));
            }
        }
        None => out.file("names_file", "names.bin".to_owned(), &file.names.0),
    }
    match &file.binaries {
        Some(array) => rest_of_array(&mut out, "binaries", array),
        None => out.line("no_binaries = true"),
    }
    match &file.programs {
        Some(array) => rest_of_array(&mut out, "programs", array),
        None => out.line("no_programs = true"),
    }
    // Places of code by their numbers, where the pool holds nothing but code.
    let places = pool_lines(&mut out, file);
    let names = file.has_pooled_names().then(|| NamePool::of(&file.names));
    if !file.trailing.is_empty() {
        out.file("trailing_file", "trailing.bin".to_owned(), &file.trailing);
    }
    for (number, (place, len)) in places.iter().enumerate() {
        out.line("\n[[code]]");
        let code = file.pool().get(*place..place.saturating_add(*len)).unwrap_or_default();
        out.file("code_file", format!("code-{number}.bin"), code);
    }
    for (index, record) in file.binaries.iter().flat_map(|array| &array.items).enumerate() {
        out.line("\n[[binary]]");
        match record {
            Record::Known(binary) => print_binary(&mut out, (file, names.as_ref()), binary, index, &places),
            Record::Damaged(bytes) => out.file("record_file", format!("binary-{index}.bin"), bytes),
        }
    }
    for (index, record) in file.programs.iter().flat_map(|array| &array.items).enumerate() {
        out.line("\n[[program]]");
        match record {
            Record::Known(program) => match program_lines(program) {
                Some(lines) => lines.iter().for_each(|line| out.line(line)),
                None => {
                    let bytes = SharcfbNx::program_record(program)?;
                    out.file("record_file", format!("program-{index}.bin"), &bytes);
                }
            },
            Record::Damaged(bytes) => out.file("record_file", format!("program-{index}.bin"), bytes),
        }
    }
    Ok(out.text)
}

/// The names that end with a NUL each and then only zeros, as TOML; `None` for others.
fn names_of(names: &Strings) -> Option<(String, Vec<String>)> {
    let used = names.0.iter().rposition(|&byte| byte != 0)?.checked_add(2)?;
    let all = names.0.get(..used)?;
    let mut strings = all.split_inclusive(|&byte| byte == 0).map(|text| text.strip_suffix(&[0]).map(quoted));
    let first = strings.next()??;
    Some((first, strings.collect::<Option<_>>()?))
}

/// The names as known writers fill them up.
fn usual_names(names: &Strings) -> Vec<u8> {
    let used = names.0.iter().rposition(|&byte| byte != 0).map_or(0, |last| last.saturating_add(2));
    let mut usual = names.0.get(..used).unwrap_or(&names.0).to_vec();
    usual.resize(usual.len().next_multiple_of(NAMES_ALIGNMENT), 0);
    usual
}

/// The lines of the memory pool. Returns place and length of each code section, where nothing else is in the pool and each
/// stands where it would be put.
fn pool_lines(out: &mut Sheet<'_>, file: &SharcfbNx) -> Vec<(usize, usize)> {
    let (gap, pool) = match &file.pool {
        Pool::Elsewhere { offset, size } => {
            out.line(format!("pool_offset = {offset:#x}"));
            out.line(format!("pool_size = {size:#x}"));
            return Vec::new();
        }
        Pool::Behind { gap, bytes } => (gap, bytes),
    };
    if let Some(gap) = gap {
        out.line(format!("gap = \"{}\"", gap.to_hex()));
    }
    let places: Vec<(usize, usize)> =
        file.sections().into_iter().map(|(at, section)| (at, section.len)).collect();
    let codes: Vec<&[u8]> =
        places.iter().map(|(at, len)| pool.get(*at..at.saturating_add(*len)).unwrap_or_default()).collect();
    let (made, starts) = pool_of(&codes);
    if made == pool.0 && starts.iter().zip(&places).all(|(start, (place, _))| start == place) {
        return places;
    }
    out.file("pool_file", "pool.bin".to_owned(), pool);
    Vec::new()
}

/// A memory pool of these code sections, and where each starts.
fn pool_of(codes: &[&[u8]]) -> (Vec<u8>, Vec<usize>) {
    let (mut pool, mut starts) = (Vec::new(), Vec::with_capacity(codes.len()));
    for code in codes {
        pool.resize(pool.len().next_multiple_of(CODE_ALIGNMENT as usize), 0);
        starts.push(pool.len());
        pool.extend_from_slice(code);
    }
    pool.resize(pool.len().next_multiple_of(POOL_ALIGNMENT as usize), 0);
    (pool, starts)
}

fn print_binary(
    out: &mut Sheet<'_>,
    (file, names): (&SharcfbNx, Option<&NamePool>),
    binary: &Binary,
    index: usize,
    places: &[(usize, usize)],
) {
    match binary.kind() {
        Some(kind) => out.line(format!("stage = \"{}\"", raw::stage_word(kind))),
        None => out.line(format!("stage = {}", binary.stage)),
    }
    out.unless("numbers", binary.numbers, 0);
    out.hex("tail", &binary.tail);
    let code = |contents: &Contents| {
        let place = usize::try_from(contents.code).ok()?;
        places.binary_search_by_key(&place, |(place, _)| *place).ok()
    };
    let usual = Contents::usual(file, binary, names);
    // Beside a pool of its own, a place in it is a number.
    let code = usual.as_ref().and_then(|contents| match places.is_empty() {
        true if u32::try_from(contents.code).is_ok() => Some(format!("code_offset = {:#x}", contents.code)),
        true => None,
        false => code(contents).map(|code| format!("code = {code}")),
    });
    let (Some(contents), Some(code)) = (usual, code) else {
        return out.file("data_file", format!("binary-{index}.bin"), &binary.data);
    };
    out.line(code);
    if contents.old {
        out.line("old = true");
    }
    let stage = binary.kind().map_or("stage", raw::stage_word);
    out.file("control_file", format!("{index}-{stage}-control.bin"), &contents.control);
    for (table, slots) in Table::ALL.into_iter().zip(&contents.tables) {
        if slots.is_empty() {
            continue;
        }
        out.line(format!("{} = [", table.name()));
        for Slot { name, location, size } in slots {
            let size = size.map(|size| format!(", size = {size}")).unwrap_or_default();
            out.line(format!("    {{ name = {}, location = {location}{size} }},", quoted(name)));
        }
        out.line("]");
    }
}

/// The lines of a program; `None` where it has what only bytes can say.
fn program_lines(program: &Program) -> Option<Vec<String>> {
    if !program.tail.is_empty() {
        return None;
    }
    let mut lines = vec![format!("name = {}", plain(&program.name)?), format!("stages = {}", program.stages)];
    lines.push(match program.base {
        NO_BINARIES => "first_binary = -1".to_owned(),
        base => format!("first_binary = {base}"),
    });
    for (name, array) in [("macros", &program.macros), ("defaults", &program.defaults)] {
        list(&mut lines, name, array, macro_text)?;
    }
    list(&mut lines, "blocks", &program.blocks, block_text)?;
    Some(lines)
}

/// The model of a manifest and its files.
pub(crate) fn build(text: &str, parts: &Parts) -> Result<SharcfbNx> {
    wanted(text)?;
    let mut top = Taker::manifest(text, parts)?;
    let mut file = SharcfbNx { version: top.word("version")?.unwrap_or(VERSION), ..SharcfbNx::default() };
    file.flags = top.need("flags")?;
    file.resolved = top.word("resolved")?.unwrap_or(0);
    file.file_size = top.word("file_size")?;
    file.runtime = Opaque(top.file("runtime_file")?.unwrap_or_default().to_vec());
    file.names = take_names(&mut top)?;
    file.trailing = Opaque(top.file("trailing_file")?.unwrap_or_default().to_vec());
    let starts = take_pool(&mut top, &mut file)?;
    let mut binaries = take_rest_of_array(&mut top, "binaries")?;
    let mut names = file.has_pooled_names().then(|| NamePool::of(&file.names));
    for mut form in top.list("binary")? {
        let record = match form.file("record_file")? {
            Some(bytes) => Record::Damaged(Opaque(bytes.to_vec())),
            None => Record::Known(take_binary(&mut form, names.as_mut(), &starts)?),
        };
        form.done()?;
        binaries.items.push(record);
    }
    if let Some(names) = names {
        file.names = names.into_names();
    }
    let mut programs = take_rest_of_array(&mut top, "programs")?;
    for mut form in top.list("program")? {
        let record = match form.file("record_file")? {
            Some(bytes) => read::program_record(bytes),
            None => Record::Known(Box::new(take_program(&mut form)?)),
        };
        form.done()?;
        programs.items.push(record);
    }
    file.binaries = (!top.flag("no_binaries")?).then_some(binaries);
    file.programs = (!top.flag("no_programs")?).then_some(programs);
    top.done()?;
    Ok(file)
}

fn take_names(top: &mut Taker<'_>) -> Result<Strings> {
    if let Some(bytes) = top.file("names_file")? {
        return Ok(Strings(bytes.to_vec()));
    }
    let path = top.at("name");
    let name = top.text("name")?.ok_or_else(|| bad(path, "a name", "none"))?;
    let mut bytes = terminated(name).0;
    let path = top.at("names");
    let others = match top.table.remove("names") {
        None => Vec::new(),
        Some(Value::Array(names)) => names,
        Some(other) => return Err(bad(path, "a list of names", other.type_str())),
    };
    for other in &others {
        bytes.extend(crate::shared::sheet::text(other, &path)?);
        bytes.push(0);
    }
    let path = top.at("names_length");
    match top.word("names_length")? {
        Some(len) if (len as usize) < bytes.len() => {
            let expected = format!("at least {}, the length of the names", bytes.len());
            return Err(bad(path, expected, len.to_string()));
        }
        Some(len) if u64::from(len) > unshade_bytes::Limits::DEFAULT.bytes => {
            return Err(bad(path, "a length within that of a file", len.to_string()));
        }
        Some(len) => bytes.resize(len as usize, 0),
        None => bytes.resize(bytes.len().next_multiple_of(NAMES_ALIGNMENT), 0),
    }
    Ok(Strings(bytes))
}

/// The memory pool; where each code section starts in it.
fn take_pool(top: &mut Taker<'_>, file: &mut SharcfbNx) -> Result<Vec<usize>> {
    let mut codes: Vec<Vec<u8>> = Vec::new();
    for mut form in top.list("code")? {
        let path = form.at("code_file");
        let code = form.file("code_file")?.ok_or_else(|| bad(path, "a file of code", "none"))?;
        codes.push(code.to_vec());
        form.done()?;
    }
    if let Some(offset) = top.word("pool_offset")? {
        file.pool = Pool::Elsewhere { offset, size: top.need("pool_size")? };
        return Ok(Vec::new());
    }
    let gap = match top.table.contains_key("gap") {
        true => Some(top.hex("gap")?),
        false => None,
    };
    if let Some(bytes) = top.file("pool_file")? {
        file.pool = Pool::Behind { gap, bytes: Opaque(bytes.to_vec()) };
        return Ok(Vec::new());
    }
    let codes: Vec<&[u8]> = codes.iter().map(Vec::as_slice).collect();
    let (pool, starts) = pool_of(&codes);
    file.pool = Pool::Behind { gap, bytes: Opaque(pool) };
    Ok(starts)
}

fn take_binary(form: &mut Taker<'_>, names: Option<&mut NamePool>, starts: &[usize]) -> Result<Binary> {
    let path = form.at("stage");
    let stage = match form.table.remove("stage") {
        Some(Value::String(word)) => {
            let known = (0..4).find(|number| raw::stage_kind(*number).map(raw::stage_word) == Some(&word));
            let found = format!("`{}`", word.escape_debug());
            known.ok_or_else(|| bad(path, "vertex, pixel, geometry or compute", found))?
        }
        Some(value) => crate::shared::sheet::word(&value, &path)?,
        None => return Err(bad(path, "vertex, pixel, geometry, compute or a number", "none")),
    };
    let mut binary = Binary {
        stage,
        numbers: form.word("numbers")?.unwrap_or(0),
        data: Opaque::default(),
        tail: form.hex("tail")?,
    };
    if let Some(bytes) = form.file("data_file")? {
        binary.data = Opaque(bytes.to_vec());
        return Ok(binary);
    }
    let path = form.at("code");
    let code = match (form.word("code")?, form.word("code_offset")?) {
        (Some(number), _) => {
            let start = starts.get(number as usize).map(|start| *start as u64);
            start.ok_or_else(|| {
                bad(path, format!("the number of one of {} [[code]]", starts.len()), number.to_string())
            })?
        }
        (None, Some(offset)) => offset.into(),
        (None, None) => return Err(bad(path, "the number of a [[code]]", "none")),
    };
    let old = form.flag("old")?;
    let path = form.at("control_file");
    let control =
        form.file("control_file")?.ok_or_else(|| bad(path, "a file of a control section", "none"))?;
    let mut contents = Contents { code, old, control: control.to_vec(), ..Contents::default() };
    for (table, place) in Table::ALL.into_iter().zip(&mut contents.tables) {
        for mut entry in form.list(table.name())? {
            let path = entry.at("name");
            let name = entry.text("name")?.ok_or_else(|| bad(path, "a name", "none"))?;
            let location = i32::from_ne_bytes(entry.need("location")?.to_ne_bytes());
            let size = if table.has_size() { Some(entry.need("size")?) } else { None };
            entry.done()?;
            place.push(Slot { name: Name(name), location, size });
        }
    }
    binary.data = Opaque(contents.to_data(names.map_or(NamePlaces::Data, NamePlaces::Pool))?);
    Ok(binary)
}

fn take_program(form: &mut Taker<'_>) -> Result<Program> {
    let path = form.at("name");
    let name = form.text("name")?.ok_or_else(|| bad(path, "a name", "none"))?;
    Ok(Program {
        name: terminated(name),
        stages: form.need("stages")?,
        base: form.need("first_binary")?,
        macros: take_list(form, "macros", take_macro)?,
        defaults: take_list(form, "defaults", take_macro)?,
        blocks: take_list(form, "blocks", take_block)?,
        tail: Opaque::default(),
    })
}
