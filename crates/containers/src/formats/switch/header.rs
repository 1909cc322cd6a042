//! The header that files of the Switch's tools start with (BNSH, BFSHA, BNTX, BFRES).

use crate::shared::fields::{Fields, Form, Pointer, Use, Visitor};
use unshade_bytes::{Error, ErrorKind, Result};

/// The header. It has 0x20 bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct FileHeader {
    /// `BNSH` and four zeros, `FSHA` and four spaces.
    pub magic: [u8; 8],
    /// Third number of the version.
    pub micro: u8,
    /// Second number of the version.
    pub minor: u8,
    /// First number of the version.
    pub major: u16,
    /// 0xFEFF in the file's own order of bytes.
    pub byte_order_mark: u16,
    /// The file wants to be loaded at a multiple of 2 to this power; 12 in all that are known.
    pub alignment_shift: u8,
    /// Bits of an address, 64; 0 in files of other tools.
    pub address_size: u8,
    /// First character of the file's name.
    pub name: Pointer,
    /// Bit 0: pointers are addresses, as after loading.
    pub flags: u16,
    /// Place of the first block; without meaning in BFSHA.
    pub first_block: u16,
    /// The relocation table.
    pub relocation: Pointer,
    /// Length of the file.
    pub file_size: Pointer,
}

impl FileHeader {
    /// Its length.
    pub const LEN: u64 = 0x20;

    /// Goes through its fields.
    ///
    /// # Errors
    /// What the visitor says.
    pub fn visit(&mut self, v: &mut dyn Visitor) -> Result<()> {
        v.magic("magic", &mut self.magic)?;
        // The version is one number of 32 bits, whose bytes stand in the file's order.
        if v.form().big_endian {
            v.u16("version_major", &mut self.major)?;
            v.u8("version_minor", &mut self.minor)?;
            v.u8("version_micro", &mut self.micro)?;
        } else {
            v.u8("version_micro", &mut self.micro)?;
            v.u8("version_minor", &mut self.minor)?;
            v.u16("version_major", &mut self.major)?;
        }
        v.bits16("byte_order_mark", &mut self.byte_order_mark)?;
        v.u8("alignment_shift", &mut self.alignment_shift)?;
        v.u8("address_size", &mut self.address_size)?;
        v.pointer("name", Use::Characters, &mut self.name)?;
        v.bits16("flags", &mut self.flags)?;
        v.bits16("first_block", &mut self.first_block)?;
        v.pointer("relocation", Use::Offset, &mut self.relocation)?;
        v.pointer("file_size", Use::End, &mut self.file_size)
    }

    /// The version as it is written: `2.1.5`.
    pub fn version(&self) -> String {
        format!("{}.{}.{}", self.major, self.minor, self.micro)
    }
}

/// How a Switch file is stored, and how long it says that it is, by its header.
///
/// # Errors
/// [`ErrorKind::Truncated`] for a file without a whole header, [`ErrorKind::BadMagic`] for another file,
/// [`ErrorKind::BadValue`] for another byte order mark, [`ErrorKind::Truncated`] where bytes are missing at the
/// end, [`ErrorKind::Unsupported`] for a file that was relocated.
pub fn form(file: &[u8], magic: &[u8; 8]) -> Result<(Form, u64)> {
    let Some(header) = file.first_chunk::<0x20>() else {
        let found = format!("{} bytes", file.len());
        return Err(
            Error::new(ErrorKind::Truncated, 0, "header", "a header of 32 bytes", found).code("nx.truncated")
        );
    };
    if !header.starts_with(magic) {
        let found = format!("\"{}\"", header.get(..8).unwrap_or_default().escape_ascii());
        let expected = format!("\"{}\"", magic.escape_ascii());
        return Err(Error::new(ErrorKind::BadMagic, 0, "header.magic", expected, found).code("nx.magic"));
    }
    let big_endian = match [header[12], header[13]] {
        [0xFF, 0xFE] => false,
        [0xFE, 0xFF] => true,
        [a, b] => {
            let expected = "the byte order mark FF FE (little endian) or FE FF (big endian)";
            let found = format!("{a:02x} {b:02x}");
            return Err(Error::new(ErrorKind::BadValue, 12, "header.byte_order_mark", expected, found)
                .code("nx.byte-order"));
        }
    };
    let word =
        |bytes: [u8; 2]| if big_endian { u16::from_be_bytes(bytes) } else { u16::from_le_bytes(bytes) };
    if word([header[0x14], header[0x15]]) & 1 != 0 {
        let found = "a dump of memory, whose pointers are addresses";
        return Err(Error::new(
            ErrorKind::Unsupported,
            0x14,
            "header.flags",
            "a file as it was before loading",
            found,
        )
        .code("nx.relocated"));
    }
    let (major, minor) = if big_endian {
        (word([header[8], header[9]]), header[10])
    } else {
        (word([header[10], header[11]]), header[9])
    };
    let size = [header[0x1C], header[0x1D], header[0x1E], header[0x1F]];
    let size = if big_endian { u32::from_be_bytes(size) } else { u32::from_le_bytes(size) };
    if (size as usize) > file.len() {
        let expected = format!("{size} bytes, as the header says");
        let found = format!("{} bytes", file.len());
        return Err(
            Error::new(ErrorKind::Truncated, 0x1C, "header.file_size", expected, found).code("nx.truncated")
        );
    }
    Ok((Form { big_endian, relative: false, major, minor }, size.into()))
}
