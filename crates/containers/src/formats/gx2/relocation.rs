//! The end of a shader header: the table of its pointers, and the trailer that says where things are.
//!
//! Two ways of writing the table are sound. The console's compiler has a slot for each pointer of the structure in its
//! order, 0 where the pointer is null, then the place of each entry's name, then two zeros, all with the tag of data.
//! Homebrew lists the places of pointers that are not null, those of names with the tag of text.

use super::{Form, Member, Row, Shader, TableKind};

/// First bytes of the trailer of a shader header.
pub const TRAILER_MAGIC: [u8; 4] = *b"}BLK";
/// Size of the trailer of a shader header.
pub const TRAILER: usize = 0x28;

/// The big-endian words at the start of `bytes`; `None` where they end before.
pub fn words<const N: usize>(bytes: &[u8]) -> Option<[u32; N]> {
    let words = bytes.as_chunks::<4>().0.get(..N)?;
    let words: &[[u8; 4]; N] = words.try_into().ok()?;
    Some(words.map(u32::from_be_bytes))
}

/// The last 0x28 bytes of a shader header. Offsets are tagged as [`Form::DATA`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Trailer {
    /// 0x04. Size of the trailer.
    pub size: u32,
    /// 0x08. 0.
    pub unknown: u32,
    /// 0x0C. Size of structure, tables and names in bytes.
    pub data_size: u32,
    /// 0x10. Where they start.
    pub data: u32,
    /// 0x14. Size of the names in bytes.
    pub text_size: u32,
    /// 0x18. Where they start.
    pub text: u32,
    /// 0x1C. What the patches count from.
    pub patch_base: u32,
    /// 0x20. How many patches.
    pub patch_count: u32,
    /// 0x24. Where they start.
    pub patches: u32,
}

impl Trailer {
    /// Names of its words.
    pub const FIELDS: [&'static str; 10] = [
        "magic",
        "size",
        "unknown_08",
        "data_size",
        "data_offset",
        "text_size",
        "text_offset",
        "patch_base",
        "patch_count",
        "patch_offset",
    ];

    /// The bytes.
    pub fn to_bytes(self) -> [u8; TRAILER] {
        let mut bytes = [0; TRAILER];
        let words = [
            u32::from_be_bytes(TRAILER_MAGIC),
            self.size,
            self.unknown,
            self.data_size,
            self.data,
            self.text_size,
            self.text,
            self.patch_base,
            self.patch_count,
            self.patches,
        ];
        for (place, word) in bytes.as_chunks_mut().0.iter_mut().zip(words) {
            *place = word.to_be_bytes();
        }
        bytes
    }
}

/// The end of a shader header, looked at where it lies.
#[derive(Debug, Clone, Copy)]
pub struct Relocation<'a> {
    /// The trailer.
    pub trailer: Trailer,
    /// Offset of the trailer in the data.
    pub at: usize,
    /// Offset of the patches in the data; `None` where they do not lie in front of the trailer.
    pub patches_at: Option<usize>,
    patches: &'a [u8],
}

impl<'a> Relocation<'a> {
    /// The end of a shader header; `None` where no trailer stands there.
    pub fn of(data: &'a [u8]) -> Option<Self> {
        let at = data.len().checked_sub(TRAILER)?;
        let bytes = data.get(at..).filter(|bytes| bytes.starts_with(&TRAILER_MAGIC))?;
        let [_, size, unknown, data_size, data_at, text_size, text, patch_base, patch_count, patches] =
            words::<10>(bytes)?;
        let trailer = Trailer {
            size,
            unknown,
            data_size,
            data: data_at,
            text_size,
            text,
            patch_base,
            patch_count,
            patches,
        };
        let place = Form::GFD.data(patches).and_then(|start| {
            let size = usize::try_from(patch_count).ok()?.checked_mul(4)?;
            let end = start.checked_add(size).filter(|&end| end <= at)?;
            Some((start, data.get(start..end)?))
        });
        let (patches_at, patches) = place.map_or((None, [].as_slice()), |(at, bytes)| (Some(at), bytes));
        Some(Self { trailer, at, patches_at, patches })
    }

    /// The patches: each names the place of a pointer, tagged as that pointer is.
    pub fn patches(&self) -> impl ExactSizeIterator<Item = u32> + use<'a> {
        self.patches.as_chunks().0.iter().map(|bytes| u32::from_be_bytes(*bytes))
    }
}

/// A pointer of a shader header that a loader has to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pointer {
    /// Where it stands in the data.
    pub at: usize,
    /// What it is.
    pub what: Pointing,
}

/// What a pointer of a shader header is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pointing {
    /// The word of the structure with that name.
    Structure(&'static str),
    /// The name of that entry of a table.
    Name(TableKind, usize),
}

impl Pointing {
    /// Its path in the data of the header.
    pub fn path(self) -> String {
        match self {
            Self::Structure(name) => format!("structure.{name}"),
            Self::Name(table, index) => format!("{}[{index}].name", table.name()),
        }
    }
}

/// The pointers of a structure that are not null, in the order of their places: those to its tables, and those to the
/// names of their entries. Programs are blocks of their own, so that nothing is pointed to as one.
pub fn pointers(shader: &Shader<'_>) -> Vec<Pointer> {
    let tables = shader.kind.rows().iter().filter(|row| matches!(row.member, Member::Pointer(_)));
    let there = tables.filter(|row| shader.word(row.word) != 0);
    let mut list: Vec<Pointer> = there.map(of_row).collect();
    for table in shader.kind.tables().filter(|table| table.is_named()) {
        let entries = shader.entries(table).enumerate();
        list.extend(
            entries.map(|(index, entry)| Pointer { at: entry.offset, what: Pointing::Name(table, index) }),
        );
    }
    list.sort_by_key(|pointer| pointer.at);
    list
}

fn of_row(row: &Row) -> Pointer {
    Pointer { at: usize::from(row.word).saturating_mul(4), what: Pointing::Structure(row.name) }
}

/// The pointers of the structure itself in its order, each with whether it is null.
fn slots<'s>(shader: &'s Shader<'_>) -> impl Iterator<Item = (Pointer, bool)> + 's {
    let rows = shader.kind.rows().iter().filter(|row| row.member.is_pointer());
    rows.map(|row| (of_row(row), shader.word(row.word) == 0))
}

/// Zeros behind the last pointer in tables of the console's compiler.
const LAST_ZEROS: usize = 2;

/// How many zeros of a table stand where the console's compiler has none.
pub fn stray_zeros(shader: &Shader<'_>, patches: &[u32]) -> usize {
    let zeros = |patches: &[u32]| patches.iter().filter(|&&patch| patch == 0).count();
    // The slot of a copy program was not seen yet.
    let own: Vec<(Pointer, bool)> = slots(shader).collect();
    let without_copy: Vec<(Pointer, bool)> =
        own.iter().copied().take(1).chain(own.iter().copied().skip(2)).collect();
    let has_copy = shader.kind.row(Member::CopyPointer).is_some();
    for slots in [Some(&own), Some(&without_copy).filter(|_| has_copy)].into_iter().flatten() {
        let Some((head, rest)) = patches.split_at_checked(slots.len()) else { continue };
        let fits = head.iter().zip(slots).all(|(patch, (pointer, null))| match null {
            true => *patch == 0,
            false => (patch & !Form::TAG) as usize == pointer.at,
        });
        let end = rest.iter().rposition(|&patch| patch != 0).map_or(0, |last| last.saturating_add(1));
        let (names, last) = rest.split_at_checked(end).unwrap_or((rest, &[]));
        if fits && last.len() <= LAST_ZEROS {
            return zeros(names);
        }
    }
    zeros(patches)
}
