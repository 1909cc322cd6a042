//! Wrappers taken apart into a manifest and files, and put together again.

use super::{build_bytes, extract, zstd as zstd_manifest};
use crate::face::container::{Container, detect};
use crate::face::nest::{DEPTH, Source, Wrapper, wrapper};
use crate::formats::{
    bfres,
    sarc::{self, File, Sarc},
    yaz0::{self, Level, Yaz0},
    zstd,
};
use crate::shared::parts::{bad, check_name, parse};
use crate::shared::{Name, Parts, opaque, path::refused};
use serde::Deserialize;
use std::collections::BTreeSet;
use std::fmt::Write;
use unshade_bytes::{Endian, ErrorKind, Result};

/// Takes a wrapper apart. What a compressed file holds is taken apart as well, where it is known; the files of an
/// archive are left as they are.
///
/// # Errors
/// Where the wrapper cannot be read; [`ErrorKind::UnknownFormat`] for anything else.
pub fn extract_wrapper<'f>(file: impl Into<Source<'f>>) -> Result<Parts> {
    let Source { bytes, dictionaries } = file.into();
    let dictionaries = dictionaries.cloned().unwrap_or_default();
    // From the outside in: each Yaz0 has its content in a folder of its own.
    let mut parts = Parts::default();
    let mut folder = String::new();
    let mut content = bytes.to_vec();
    for _ in 0..DEPTH {
        match wrapper(&content) {
            Some(Wrapper::Yaz0) => {
                let file = yaz0::read(&content)?;
                let known = wrapper(&file.data).is_some() || is_container(&file.data);
                extract_yaz0(&file, known, &folder, &mut parts);
                if !known {
                    return Ok(parts);
                }
                folder.push_str(CONTENT);
                folder.push('/');
                content = file.data;
            }
            Some(Wrapper::Sarc) => {
                extract_sarc(&sarc::read(&content)?, &folder, &mut parts);
                return Ok(parts);
            }
            Some(Wrapper::Zstd) => {
                let file = zstd::read(&content, &dictionaries)?;
                let known = wrapper(&file.data).is_some() || is_container(&file.data);
                zstd_manifest::extract(&file, known, &dictionaries, &folder, &mut parts);
                if !known {
                    return Ok(parts);
                }
                folder.push_str(zstd_manifest::CONTENT);
                folder.push('/');
                content = file.data;
            }
            Some(Wrapper::Bfres) => {
                bfres::manifest::extract(&bfres::read(&content)?, &folder, &mut parts);
                return Ok(parts);
            }
            None => {
                for (name, bytes) in extract(&Container::read(&content)?)?.files() {
                    parts.insert(format!("{folder}{name}"), bytes);
                }
                return Ok(parts);
            }
        }
    }
    let found = format!("{} and more", DEPTH);
    Err(unshade_bytes::Error::new(ErrorKind::LimitExceeded, 0, "", "fewer wrappers around a file", found)
        .code("wrap.depth"))
}

/// Name of the folder, and stem of the file, with what Yaz0 holds.
const CONTENT: &str = "content";

fn is_container(bytes: &[u8]) -> bool {
    detect(bytes).is_some()
        && Container::read(bytes)
            .is_ok_and(|container| container.write().is_ok_and(|written| written == bytes))
}

fn extract_yaz0(file: &Yaz0<'_>, known: bool, folder: &str, parts: &mut Parts) {
    let mut text = "# A Yaz0 file, unpacked. While what is inside stays the same, `stream` is used again; otherwise, or\n\
                    # without that line, it is compressed anew.\n\
                    format = \"yaz0\"\n"
        .to_owned();
    let _ = write!(text, "alignment = {:#x}\nreserved = {:#x}\n", file.alignment, file.reserved);
    let _ = write!(text, "size = {}\nstream = \"stream.bin\"\n", file.data.len());
    parts.insert(format!("{folder}stream.bin"), file.stream.to_vec());
    if !file.tail.is_empty() {
        text.push_str("tail = \"tail.bin\"\n");
        parts.insert(format!("{folder}tail.bin"), file.tail.to_vec());
    }
    if known {
        let _ = writeln!(text, "folder = \"{CONTENT}\"");
    } else {
        let _ = writeln!(text, "file = \"{CONTENT}.bin\"");
        parts.insert(format!("{folder}{CONTENT}.bin"), file.data.clone());
    }
    parts.insert(format!("{folder}{}", Parts::MANIFEST), text);
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Yaz0Manifest {
    #[serde(rename = "format")]
    _format: String,
    #[serde(default)]
    alignment: u32,
    #[serde(default)]
    reserved: u32,
    size: Option<u32>,
    stream: Option<String>,
    tail: Option<String>,
    folder: Option<String>,
    file: Option<String>,
}

/// The files that the manifest of a Yaz0 file asks for.
pub(crate) fn wanted_yaz0(text: &str) -> Result<Vec<String>> {
    let form: Yaz0Manifest = parse(text, Parts::MANIFEST)?;
    for name in [&form.stream, &form.tail, &form.folder, &form.file].into_iter().flatten() {
        check_name(name)?;
    }
    let folder = form.folder.map(|folder| format!("{folder}/{}", Parts::MANIFEST));
    Ok([form.stream, form.tail, form.file, folder].into_iter().flatten().collect())
}

/// The bytes of a Yaz0 file.
pub(crate) fn build_yaz0(text: &str, parts: &Parts, depth: usize) -> Result<Vec<u8>> {
    let form: Yaz0Manifest = parse(text, Parts::MANIFEST)?;
    let content = match (&form.folder, &form.file) {
        (Some(folder), None) => build_bytes(&parts.folder(folder), depth)?,
        (None, Some(file)) => parts.file(file)?.to_vec(),
        _ => return Err(bad(Parts::MANIFEST, "one of `folder` and `file`", "none or both")),
    };
    let tail = form.tail.as_ref().map_or(Ok(&[][..]), |tail| parts.file(tail))?;
    let mut file = Yaz0 {
        alignment: form.alignment,
        reserved: form.reserved,
        stream: Vec::new().into(),
        tail: tail.into(),
        data: Vec::new(),
    };
    if let (Some(stream), Some(size)) = (&form.stream, form.size) {
        let header =
            [yaz0::MAGIC, size.to_be_bytes(), file.alignment.to_be_bytes(), file.reserved.to_be_bytes()];
        let packed = [header.as_flattened(), parts.file(stream)?, tail].concat();
        // A stream that does not read says nothing about what is inside.
        if let Ok(before) = yaz0::read(&packed) {
            file = before.into_owned();
        }
    }
    file.replace(content, Level::Normal);
    file.write()
}

/// Name of the folder with the files of an archive.
const FILES: &str = "files";

/// Which path each file of an archive gets below [`FILES`]: its name, where that is a path which stays there, which
/// is no manifest and which no other file has on any system; else a neutral one.
fn paths(archive: &Sarc<'_>) -> Vec<String> {
    let mut files = BTreeSet::new();
    let mut folders = BTreeSet::new();
    let free = |path: &str, files: &mut BTreeSet<String>, folders: &mut BTreeSet<String>| {
        let path = path.to_lowercase();
        let above: Vec<&str> = path.match_indices('/').filter_map(|(at, _)| path.get(..at)).collect();
        if folders.contains(&path) || above.iter().any(|folder| files.contains(*folder)) {
            return false;
        }
        folders.extend(above.into_iter().map(str::to_owned));
        files.insert(path)
    };
    let path = |(index, entry): (usize, &sarc::Entry)| {
        let name = archive.name(entry).filter(|name| refused(name).is_none());
        let name = name.and_then(|name| std::str::from_utf8(name).ok());
        let manifest = |name: &str| {
            name.rsplit('/').next().is_some_and(|last| last.eq_ignore_ascii_case(Parts::MANIFEST))
        };
        match name.filter(|name| !manifest(name) && !name.starts_with("unnamed/")) {
            Some(name) if free(name, &mut files, &mut folders) => format!("{FILES}/{name}"),
            _ => format!("{FILES}/unnamed/{index}.bin"),
        }
    };
    archive.entries.iter().enumerate().map(path).collect()
}

fn extract_sarc(archive: &Sarc<'_>, folder: &str, parts: &mut Parts) {
    let mut text = "# A SARC archive, taken apart. `begin` and `size` say where a file lay: files of other sizes push those\n\
                    # behind them; where an entry has no `begin`, or the names grow, the archive is laid out anew.\n\
                    format = \"sarc\"\n"
        .to_owned();
    let order = if archive.endian == Endian::Little { "little" } else { "big" };
    let _ = writeln!(text, "byte_order = \"{order}\"");
    let mut unusual = |name: &str, value: u64, usual: u64| {
        if value != usual {
            let _ = writeln!(text, "{name} = {value:#x}");
        }
    };
    unusual("version", archive.version.into(), 0x100);
    unusual("reserved", archive.reserved.into(), 0);
    unusual("hash_key", archive.hash_key.into(), sarc::HASH_KEY.into());
    unusual("names_reserved", archive.names_reserved.into(), 0);
    let end = archive.entries.iter().map(|entry| entry.end).max().unwrap_or(0);
    let data_offset = archive.data_offset();
    unusual("announced_size", archive.size.into(), data_offset.saturating_add(archive.data.len()) as u64);
    let _ = writeln!(text, "data_offset = {data_offset:#x}");
    if archive.data.len() > end as usize {
        let _ = writeln!(text, "data_size = {:#x}", archive.data.len());
    }
    let names: Vec<_> = archive.entries.iter().map(|entry| archive.name(entry)).collect();
    let usual = usual_names(names.iter().copied(), archive.hash_key);
    let padding = archive.names.strip_prefix(usual.table.as_slice());
    // Without a table of names of its own an archive is put in the order of the hashes.
    let plain = archive.entries.is_sorted_by_key(|entry| entry.hash)
        && padding.is_some_and(|padding| padding.iter().all(|&byte| byte == 0))
        && usual.attributes.iter().zip(&archive.entries).all(|(usual, entry)| *usual == entry.attribute);
    if !plain {
        text.push_str("names = \"names.bin\"\n");
        parts.insert(format!("{folder}names.bin"), archive.names.to_vec());
    }
    let paths = paths(archive);
    for ((entry, path), name) in archive.entries.iter().zip(&paths).zip(&names) {
        text.push_str("\n[[file]]\n");
        if let Some(name) = name {
            if let Some(why) = refused(name) {
                let _ = writeln!(text, "# The name is not used as a path: {why}.");
            }
            let _ = writeln!(text, "name = {}", quoted(&opaque::escape(name)));
        }
        if name.is_none_or(|name| sarc::hash(name, archive.hash_key) != entry.hash) {
            let _ = writeln!(text, "hash = {:#010x}", entry.hash);
        }
        if !plain {
            let _ = writeln!(text, "attribute = {:#010x}", entry.attribute);
        }
        let _ = writeln!(text, "begin = {:#x}\nsize = {}\nfile = {}", entry.begin, entry.len(), quoted(path));
        parts.insert(format!("{folder}{path}"), archive.file(entry).to_vec());
    }
    for (begin, bytes) in archive.gaps() {
        let name = format!("gap-{begin:#x}.bin");
        let _ = write!(text, "\n[[gap]]\nbegin = {begin:#x}\nfile = \"{name}\"\n");
        parts.insert(format!("{folder}{name}"), bytes.to_vec());
    }
    parts.insert(format!("{folder}{}", Parts::MANIFEST), text);
}

/// The table of names as writers lay it out, and what the entries say of it.
struct UsualNames {
    table: Vec<u8>,
    attributes: Vec<u32>,
}

fn usual_names<'n>(names: impl Iterator<Item = Option<&'n [u8]>>, key: u32) -> UsualNames {
    let mut usual = UsualNames { table: Vec::new(), attributes: Vec::new() };
    let mut numbers = std::collections::BTreeMap::new();
    for name in names {
        let Some(name) = name else {
            usual.attributes.push(0);
            continue;
        };
        let number: &mut u32 = numbers.entry(sarc::hash(name, key)).or_default();
        *number = number.saturating_add(1);
        let place = u32::try_from(usual.table.len() / 4).unwrap_or(u32::MAX);
        usual.attributes.push(number.wrapping_shl(24) | place & 0xff_ffff);
        usual.table.extend_from_slice(name);
        usual.table.push(0);
        let end = usual.table.len().next_multiple_of(4);
        usual.table.resize(end, 0);
    }
    usual
}

/// Text as a TOML string.
fn quoted(text: &str) -> String {
    toml::Value::String(text.to_owned()).to_string()
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SarcManifest {
    #[serde(rename = "format")]
    _format: String,
    byte_order: ByteOrder,
    version: Option<u16>,
    #[serde(default)]
    reserved: u16,
    hash_key: Option<u32>,
    #[serde(default)]
    names_reserved: u16,
    announced_size: Option<u32>,
    data_offset: Option<u32>,
    data_size: Option<u32>,
    names: Option<String>,
    #[serde(default)]
    file: Vec<FileEntry>,
    #[serde(default)]
    gap: Vec<GapEntry>,
}

#[derive(Deserialize, Clone, Copy)]
#[serde(rename_all = "lowercase")]
enum ByteOrder {
    Little,
    Big,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FileEntry {
    name: Option<Name>,
    hash: Option<u32>,
    attribute: Option<u32>,
    begin: Option<u32>,
    size: Option<u32>,
    file: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct GapEntry {
    begin: u32,
    file: String,
}

fn sarc_manifest(text: &str) -> Result<SarcManifest> {
    let form: SarcManifest = parse(text, Parts::MANIFEST)?;
    for name in form.names.iter().chain(form.gap.iter().map(|gap| &gap.file)) {
        check_name(name)?;
    }
    for entry in &form.file {
        if let Some(why) = refused(entry.file.as_bytes()) {
            let found = format!("`{}`: {why}", entry.file.escape_debug());
            return Err(bad(Parts::MANIFEST, "a path that stays in the folder", found));
        }
    }
    Ok(form)
}

/// The files that the manifest of an archive asks for.
pub(crate) fn wanted_sarc(text: &str) -> Result<Vec<String>> {
    let form = sarc_manifest(text)?;
    let files = form.file.into_iter().map(|entry| entry.file);
    Ok(files.chain(form.names).chain(form.gap.into_iter().map(|gap| gap.file)).collect())
}

/// The bytes of an archive.
pub(crate) fn build_sarc(text: &str, parts: &Parts) -> Result<Vec<u8>> {
    let mut form = sarc_manifest(text)?;
    let endian = match form.byte_order {
        ByteOrder::Little => Endian::Little,
        ByteOrder::Big => Endian::Big,
    };
    let key = form.hash_key.unwrap_or(sarc::HASH_KEY);
    if form.names.is_none() && form.file.iter().all(|entry| entry.hash.is_none() || entry.name.is_none()) {
        // Names may have been changed; the table is in the order of the hashes.
        form.file.sort_by_key(|entry| match &entry.name {
            Some(name) => entry.hash.unwrap_or_else(|| sarc::hash(name, key)),
            None => entry.hash.unwrap_or(0),
        });
    }
    let empty = Sarc {
        endian,
        size: 0,
        version: form.version.unwrap_or(0x100),
        reserved: form.reserved,
        hash_key: key,
        names_reserved: form.names_reserved,
        entries: Vec::new(),
        names: Vec::new().into(),
        data: Vec::new().into(),
    };
    match laid_out(&form, empty.clone(), parts)? {
        Some(archive) => archive.write(),
        None => {
            let files = form.file.iter().map(|entry| {
                let name = match (&entry.name, entry.hash) {
                    (Some(name), _) => Ok(name.clone()),
                    (None, Some(hash)) => Err(hash),
                    _ => return Err(bad(Parts::MANIFEST, "a `name` or a `hash` of every file", "neither")),
                };
                let start = form.data_offset.unwrap_or(0).wrapping_add(entry.begin.unwrap_or(0));
                let kept = entry.begin.map_or(0, |_| 1_u32 << start.trailing_zeros().min(13));
                Ok(File { name, data: parts.file(&entry.file)?, alignment: kept })
            });
            empty.repack(&files.collect::<Result<Vec<_>>>()?)?.write()
        }
    }
}

/// The archive with every file where it was, and those of other sizes put in their places; `None` where a place is
/// missing, or the names need more room than there was.
fn laid_out(form: &SarcManifest, mut archive: Sarc<'static>, parts: &Parts) -> Result<Option<Sarc<'static>>> {
    let usual = usual_names(form.file.iter().map(|entry| entry.name.as_deref()), archive.hash_key);
    let mut table = match &form.names {
        Some(names) => parts.file(names)?.to_vec(),
        None => usual.table,
    };
    let mut end = 0;
    for (entry, usual) in form.file.iter().zip(&usual.attributes) {
        let (Some(begin), Some(size)) = (entry.begin, entry.size) else { return Ok(None) };
        let hash = match (entry.hash, &entry.name) {
            (Some(hash), _) => hash,
            (None, Some(name)) => sarc::hash(name, archive.hash_key),
            (None, None) => {
                return Err(bad(Parts::MANIFEST, "a `name` or a `hash` of every file", "neither"));
            }
        };
        let behind = begin.checked_add(size).ok_or_else(|| bad(Parts::MANIFEST, "at most 4 GiB", "more"))?;
        end = behind.max(end);
        archive.entries.push(sarc::Entry {
            hash,
            attribute: entry.attribute.unwrap_or(*usual),
            begin,
            end: behind,
        });
    }
    let Some(data_offset) = form.data_offset else { return Ok(None) };
    let tables = archive.data_offset();
    let Some(room) = (data_offset as usize).checked_sub(tables).filter(|&room| room >= table.len()) else {
        return Ok(None);
    };
    // What the sizes claim is made of the files that are here, so it cannot be much more than they are.
    let len = form.data_size.unwrap_or(0).max(end) as usize;
    let here: usize = parts.files().fold(0, |sum, (_, bytes)| sum.saturating_add(bytes.len()));
    let most =
        here.saturating_mul(4).saturating_add(form.file.len().saturating_mul(0x4000)).saturating_add(1 << 20);
    if room > most || len > most {
        let found = format!("{room} and {len} bytes for files of {here}");
        return Err(bad(Parts::MANIFEST, "sizes that fit the files", found));
    }
    table.resize(room, 0);
    archive.names = table.into();
    let mut data = vec![0; len];
    let mut put = |begin: u32, bytes: &[u8]| {
        let begin = begin as usize;
        if let Some(place) = data.get_mut(begin..begin.saturating_add(bytes.len())) {
            place.copy_from_slice(bytes);
        }
    };
    for gap in &form.gap {
        put(gap.begin, parts.file(&gap.file)?);
    }
    let mut changed = Vec::new();
    for (index, entry) in form.file.iter().enumerate() {
        let bytes = parts.file(&entry.file)?;
        if entry.size.is_some_and(|size| size as usize == bytes.len()) {
            put(entry.begin.unwrap_or(0), bytes);
        } else {
            changed.push((index, bytes));
        }
    }
    archive.data = data.into();
    let whole = archive.data_offset().saturating_add(archive.data.len());
    archive.size = u32::try_from(whole).map_err(|_| bad(Parts::MANIFEST, "at most 4 GiB", "more"))?;
    for (index, bytes) in changed {
        archive.replace(index, bytes)?;
    }
    if let Some(size) = form.announced_size {
        archive.size = size;
    }
    Ok(Some(archive))
}
