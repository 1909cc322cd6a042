//! The header of a BFRES and the table of the files embedded in it.

use super::{Bfres, Console, MAGIC, Pointers, SWITCH, View, WIIU};
use crate::formats::switch::header;
use std::ops::Range;
use unshade_bytes::{Endian, Error, ErrorKind, Result, Under};

/// A file inside.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Embedded {
    /// Its name; `None` where the table has fewer names than files.
    pub name: Option<String>,
    /// Where its record stands: a pointer and a size.
    pub record: u64,
    /// Where it starts.
    pub offset: u64,
    /// How many bytes it has.
    pub len: u32,
}

impl Embedded {
    /// Its bytes in the file.
    pub fn range(&self) -> Range<usize> {
        let start = usize::try_from(self.offset).unwrap_or(usize::MAX);
        start..start.saturating_add(self.len as usize)
    }
}

/// Places of fields of a Switch file.
pub(super) struct Layout {
    pub files: u64,
    pub names: u64,
    pub file_count: u64,
    pub model_count: u64,
    pub flags: u64,
    pub size: u64,
}

pub(super) const fn layout(major: u16) -> Layout {
    if major >= 9 {
        Layout { files: 0xb8, names: 0xc0, file_count: 0xec, model_count: 0xdc, flags: 0xee, size: 0xf0 }
    } else {
        Layout { files: 0x98, names: 0xa0, file_count: 0xc8, model_count: 0xbc, flags: 0xca, size: 0xd0 }
    }
}

/// The file holds strings for other files, and its table of embedded files is one of those.
const HOLDS_STRINGS: u8 = 4;

/// Reads the header and the table of embedded files, and nothing else.
///
/// # Errors
/// [`ErrorKind::BadMagic`] for another file, [`ErrorKind::Unsupported`] for a version whose layout is not known,
/// [`ErrorKind::Truncated`] where bytes are missing, [`ErrorKind::OutOfBounds`] for an embedded file that does not lie
/// in the file.
pub fn read(bytes: &[u8]) -> Result<Bfres<'_>> {
    if !bytes.starts_with(&MAGIC) {
        let found = format!("\"{}\"", bytes.get(..4).unwrap_or(bytes).escape_ascii());
        return Err(Error::new(ErrorKind::BadMagic, 0, "magic", "\"FRES\"", found).code("bfres.magic"));
    }
    if bytes.get(4..8) == Some(b"    ") { switch(bytes) } else { wiiu(bytes) }
}

fn unsupported(at: u64, expected: String, found: String) -> Error {
    Error::new(ErrorKind::Unsupported, at, "version", expected, found).code("bfres.version")
}

fn switch(bytes: &[u8]) -> Result<Bfres<'_>> {
    let (form, size) = header::form(bytes, b"FRES    ")?;
    if !SWITCH.contains(&form.major) {
        let expected = format!("version {} to {}", SWITCH.start(), SWITCH.end());
        return Err(unsupported(8, expected, form.major.to_string()));
    }
    let view = View::new(bytes, form.endian(), Pointers::Absolute);
    let layout = layout(form.major);
    let micro = if form.big_endian { bytes.get(11) } else { bytes.get(8) };
    let version = vec![form.major, form.minor.into(), micro.copied().unwrap_or(0).into()];
    let name = view.named(0x20, "name")?;
    let mut file = Bfres {
        bytes,
        console: Console::Switch,
        endian: form.endian(),
        version,
        name,
        files: Vec::new(),
        view,
    };
    let flags = file.view.u8(layout.flags, "flags")?;
    if form.major >= 10 && flags & HOLDS_STRINGS != 0 {
        return Ok(file);
    }
    let count = u64::from(file.view.u16(layout.file_count, "embedded_count")?);
    let array = file.view.pointer(layout.files, "embedded")?;
    let names = file.view.pointer(layout.names, "embedded_names")?;
    let mut names = file.view.dictionary(names, "embedded_names")?.into_iter();
    if array == 0 {
        return Ok(file);
    }
    for index in 0..count {
        let record = array.saturating_add(index.saturating_mul(16));
        let under = || format!("embedded[{index}]");
        let offset = file.view.pointer(record, "data").under(under)?;
        let len = file.view.u32(record.saturating_add(8), "size").under(under)?;
        let name = names.next().and_then(|entry| entry.key);
        file.files.push(inside(Embedded { name, record, offset, len }, size).under(under)?);
    }
    Ok(file)
}

fn wiiu(bytes: &[u8]) -> Result<Bfres<'_>> {
    let view = View::new(bytes, Endian::Big, Pointers::Relative);
    let version = view.take(4, 4, "version")?;
    if !version.first().is_some_and(|major| WIIU.contains(major)) {
        let text: Vec<_> = version.iter().map(u8::to_string).collect();
        let expected =
            format!("version {}.x to {}.x of the Wii U, or a Switch file", WIIU.start(), WIIU.end());
        return Err(unsupported(4, expected, text.join(".")));
    }
    let mark = view.take(8, 2, "byte_order_mark")?;
    if mark != [0xfe, 0xff] {
        let found = format!("{mark:02x?}");
        return Err(Error::new(ErrorKind::BadValue, 8, "byte_order_mark", "fe ff (big endian)", found)
            .code("bfres.byte-order"));
    }
    let size = u64::from(view.u32(0xc, "file_size")?);
    if size > bytes.len() as u64 {
        let expected = format!("{size} bytes, as the header says");
        let found = format!("{} bytes", bytes.len());
        return Err(
            Error::new(ErrorKind::Truncated, 0xc, "file_size", expected, found).code("bfres.truncated")
        );
    }
    let version = version.iter().map(|number| u16::from(*number)).collect();
    let name = view.named(0x14, "name")?;
    let mut file =
        Bfres { bytes, console: Console::WiiU, endian: Endian::Big, version, name, files: Vec::new(), view };
    let names = file.view.pointer(0x4c, "embedded")?;
    for (index, entry) in file.view.dictionary(names, "embedded")?.into_iter().enumerate() {
        let under = || format!("embedded[{index}]");
        let record = entry.value;
        let offset = file.view.pointer(record, "data").under(under)?;
        let len = file.view.u32(record.saturating_add(4), "size").under(under)?;
        file.files.push(inside(Embedded { name: entry.key, record, offset, len }, size).under(under)?);
    }
    Ok(file)
}

fn inside(file: Embedded, size: u64) -> Result<Embedded> {
    let end = file.offset.saturating_add(file.len.into());
    if end > size || file.offset == 0 && file.len > 0 {
        let expected = format!("a file inside of the {size:#x} bytes");
        let found = format!("{:#x} to {end:#x}", file.offset);
        return Err(
            Error::new(ErrorKind::OutOfBounds, file.record, "data", expected, found).code("bfres.embedded")
        );
    }
    Ok(file)
}
