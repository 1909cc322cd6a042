//! At which multiples files in an archive start.
//!
//! What the loaders of games want of each kind of file, as public writers of archives have collected it: by
//! the header that newer formats share, else by the name's ending.

use unshade_bytes::Endian;

/// Alignment of a file in an archive of this byte order, in bytes: a power of two, at least 4. It counts from the
/// start of the archive.
pub fn alignment(name: &[u8], data: &[u8], endian: Endian) -> u32 {
    let ending = name.rsplit(|&byte| byte == b'.').next().unwrap_or_default();
    let by_name = match ending {
        b"sharc" | b"sharcb" => 0x1000,
        b"gtx" | b"bofx" | b"genvres" | b"ftx" | b"fmd" => 0x2000,
        b"bffnt" if endian == Endian::Little => 0x1000,
        b"bffnt" => 0x2000,
        b"baglmf" => 0x80,
        b"bflim" if endian == Endian::Big => layout_image(data).unwrap_or(4),
        ending if ENVIRONMENT.contains(&ending) => 8,
        _ => 4,
    };
    header(data).unwrap_or(by_name).max(4)
}

/// Endings of the files that describe light, fog and cameras; a loader reads them as doubles.
const ENVIRONMENT: &[&[u8]] = &[
    b"ksky",
    b"bksky",
    b"baglenv",
    b"bgsdw",
    b"baglblm",
    b"bagldof",
    b"baglccr",
    b"bagllmap",
    b"baglshpp",
    b"bglght",
    b"bpref",
    b"baglfila",
    b"baglatex",
    b"baglcube",
    b"bglpbd",
];

/// Largest alignment that is believed.
const MOST: u32 = 0x1_0000;

/// Newer binary files say their alignment themselves: a byte order mark at 0xc, the exponent at 0xe, and, as the
/// sign that it is such a file, its size at 0x1c.
fn header(data: &[u8]) -> Option<u32> {
    let word: [u8; 4] = *data.get(0x1c..)?.first_chunk()?;
    let size = match data.get(0xc..0xe)? {
        [0xff, 0xfe] => u32::from_le_bytes(word),
        [0xfe, 0xff] => u32::from_be_bytes(word),
        _ => return None,
    };
    let exponent = u32::from(*data.get(0xe)?);
    let alignment = 1_u32.checked_shl(exponent).filter(|&alignment| alignment <= MOST)?;
    (size as usize == data.len()).then_some(alignment)
}

/// Images of Wii U layouts end with their description, the alignment eight bytes before the end.
fn layout_image(data: &[u8]) -> Option<u32> {
    let at = data.len().checked_sub(8)?;
    let value = u32::from(u16::from_be_bytes(*data.get(at..)?.first_chunk()?));
    value.is_power_of_two().then_some(value)
}
