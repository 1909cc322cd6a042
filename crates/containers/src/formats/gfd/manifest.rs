//! A GFD as a manifest and files: what a person may read and edit.
//!
//! Shader headers that are laid out as the known writers do are registers by field and tables by name; sizes, counts
//! and pointers follow from them. Code, textures and headers of another layout are files of their own.

use super::model::{Block, BlockKind, Gfd};
use crate::formats::gx2::{
    Member,
    layout::{Contents, HeaderStyle},
    manifest,
};
use crate::shared::Opaque;
use crate::shared::parts::{Parts, bad};
use crate::shared::sheet::{Sheet, Taker};
use unshade_bytes::Result;

/// Names of the files that a manifest asks for.
pub(crate) fn wanted(text: &str) -> Result<Vec<String>> {
    crate::shared::sheet::wanted(text)
}

/// The manifest of a file; everything that is no text goes into `parts`.
pub(crate) fn extract(file: &Gfd, parts: &mut Parts) -> Result<String> {
    file.write()?;
    let mut out = Sheet { text: String::new(), parts };
    out.line("# A file of the Wii U's graphics library, taken apart. Sizes, counts and pointers follow from what is");
    out.line("# here. Registers that are 0 are left out.");
    out.line("format = \"gfd\"");
    out.line(format!("version = [{}, {}]", file.major, file.minor));
    out.line(format!("gpu = {}", file.gpu));
    out.line(format!("align = {}", file.align));
    if file.unknown != [0, 0] {
        out.line(format!("unknown = {:?}", file.unknown));
    }
    out.given("header_size", file.header_size);
    out.hex("header_rest", &file.header_rest);
    if !file.trailing.is_empty() {
        out.file("trailing_file", "trailing.bin".to_owned(), &file.trailing);
    }
    for (index, block) in file.blocks.iter().enumerate() {
        out.line("\n[[block]]");
        match block.kind.name() {
            Some(name) => out.line(format!("type = \"{name}\"")),
            None => out.line(format!("type = {}", block.kind.0)),
        }
        out.unless("major", block.major, 1);
        out.unless("minor", block.minor, 0);
        out.line(format!("id = {}", block.id));
        out.line(format!("index = {}", block.index));
        out.given("header_size", block.header_size);
        out.hex("header_rest", &block.header_rest);
        out.given("size", block.size);
        if block.aligned {
            out.line("aligned = true");
        }
        let name = format!("{index}-{}.bin", block.kind.name().unwrap_or("data"));
        if let Some((contents, style)) = block.contents() {
            out.unless("name_alignment", style.names as u32, HeaderStyle::default().names as u32);
            if style.slots {
                out.line("pointer_slots = true");
            }
            for (name, member) in [("code_size", Member::CodeSize), ("copy_size", Member::CopySize)] {
                let stated = contents.member(member);
                if stated != file.code_size(index, member) {
                    out.line(format!("{name} = {stated}"));
                }
            }
            manifest::lines(&contents).into_iter().for_each(|line| out.line(line));
        } else if block.kind == BlockKind::PADDING && block.data.iter().all(|&byte| byte == 0)
            || block.kind.header_of().is_some() && block.data.is_empty()
        {
            out.line(format!("zeros = {}", block.data.len()));
        } else if !block.data.is_empty() {
            let field = if block.kind.is_code() { "code_file" } else { "data_file" };
            out.file(field, name, &block.data);
        }
    }
    Ok(out.text)
}

/// The model of a manifest and its files.
pub(crate) fn build(text: &str, parts: &Parts) -> Result<Gfd> {
    wanted(text)?;
    let mut top = Taker::manifest(text, parts)?;
    let [major, minor] = pair(&mut top, "version", [7, 1])?;
    let mut file = Gfd {
        major,
        minor,
        gpu: top.need("gpu")?,
        align: top.need("align")?,
        unknown: pair(&mut top, "unknown", [0, 0])?,
        header_size: top.word("header_size")?,
        header_rest: top.hex("header_rest")?,
        blocks: Vec::new(),
        trailing: Opaque(top.file("trailing_file")?.unwrap_or_default().to_vec()),
    };
    // What follows from blocks that come later is filled in when they are there.
    let mut waiting = Vec::new();
    for mut form in top.list("block")? {
        let (block, header) = take_block(&mut form)?;
        form.done()?;
        waiting.extend(header.map(|header| (file.blocks.len(), header)));
        file.blocks.push(block);
    }
    top.done()?;
    for (index, header) in waiting {
        let Header { mut contents, style, sizes } = header;
        for (member, stated) in [Member::CodeSize, Member::CopySize].into_iter().zip(sizes) {
            contents.set_member(member, stated.unwrap_or_else(|| file.code_size(index, member)));
        }
        let data = contents.to_header(style)?;
        if let Some(block) = file.blocks.get_mut(index) {
            block.data.0 = data;
        }
    }
    Ok(file)
}

/// Two numbers.
fn pair(form: &mut Taker<'_>, name: &str, usual: [u32; 2]) -> Result<[u32; 2]> {
    let at = form.at(name);
    let Some(value) = form.table.remove(name) else { return Ok(usual) };
    match value.as_array().map(Vec::as_slice) {
        Some([first, second]) => {
            Ok([crate::shared::sheet::word(first, &at)?, crate::shared::sheet::word(second, &at)?])
        }
        _ => Err(bad(at, "two numbers", value.to_string())),
    }
}

/// A shader header that waits for the sizes of its code.
struct Header {
    contents: Contents,
    style: HeaderStyle,
    sizes: [Option<u32>; 2],
}

fn take_block(form: &mut Taker<'_>) -> Result<(Block, Option<Header>)> {
    let at = form.at("type");
    let kind = match form.table.remove("type") {
        Some(toml::Value::String(name)) => BlockKind::named(&name)
            .ok_or_else(|| bad(at, "a type of blocks", format!("`{}`", name.escape_debug())))?,
        Some(value) => BlockKind(crate::shared::sheet::word(&value, &at)?),
        None => return Err(bad(at, "a type of blocks", "none")),
    };
    let mut block = Block {
        kind,
        major: form.word("major")?.unwrap_or(1),
        minor: form.word("minor")?.unwrap_or(0),
        id: form.word("id")?.unwrap_or(0),
        index: form.word("index")?.unwrap_or(0),
        header_size: form.word("header_size")?,
        header_rest: form.hex("header_rest")?,
        size: form.word("size")?,
        aligned: form.flag("aligned")?,
        data: Opaque::default(),
    };
    if let Some(zeros) = form.word("zeros")? {
        if u64::from(zeros) > unshade_bytes::Limits::DEFAULT.bytes {
            return Err(bad(form.at("zeros"), "a sensible number of zeros", zeros.to_string()));
        }
        block.data = Opaque(vec![0; zeros as usize]);
        return Ok((block, None));
    }
    for field in ["code_file", "data_file"] {
        if let Some(bytes) = form.file(field)? {
            block.data = Opaque(bytes.to_vec());
            return Ok((block, None));
        }
    }
    let Some(shader) = kind.header_of() else { return Ok((block, None)) };
    let names = form.word("name_alignment")?.unwrap_or(HeaderStyle::default().names as u32);
    let slots = form.flag("pointer_slots")?;
    let sizes = [form.word("code_size")?, form.word("copy_size")?];
    if !matches!(names, 1..=16) {
        return Err(bad(form.at("name_alignment"), "1 to 16", names.to_string()));
    }
    let path = form.path.clone();
    let contents = manifest::take(shader, &mut form.table, &path)?;
    let style = HeaderStyle { names: names as usize, slots };
    Ok((block, Some(Header { contents, style, sizes })))
}
