//! The end of a shader header: the table of its pointers, and the trailer that says where things are.
//!
//! Two ways of writing the table are sound. The console's compiler has a slot for each pointer of the structure in its
//! order, 0 where the pointer is null, then the place of each entry's name, then two zeros, all with the tag of data.
//! Homebrew lists the places of pointers that are not null, those of names with the tag of text.

use super::{Form as Tags, Member, Row, Shader, TableKind};
use crate::shared::fields::{Fields, Form, Number, Record, Visitor};
use unshade_bytes::{Endian, Result};

/// First bytes of the trailer of a shader header.
pub const TRAILER_MAGIC: [u8; 4] = *b"}BLK";
/// Size of the trailer of a shader header.
pub const TRAILER: usize = 0x28;

/// The last 0x28 bytes of a shader header. Offsets are tagged as [`Tags::DATA`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
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

/// A tagged offset as people read it: `0xd0600010 (data at 0x10)`.
pub(crate) fn pointer(word: u32) -> String {
    match word & Tags::TAG {
        Tags::DATA => format!("{word:#x} (data at {:#x})", word & !Tags::TAG),
        Tags::TEXT => format!("{word:#x} (text at {:#x})", word & !Tags::TAG),
        _ => format!("{word:#x}"),
    }
}

impl Record for Trailer {
    const FORM: Form = Form::plain(Endian::Big);

    fn visit(&mut self, v: &mut dyn Visitor) -> Result<()> {
        let tagged = |name| {
            let text = |value: u64| pointer(u32::try_from(value).unwrap_or(u32::MAX));
            Number::new(name).shown(text).follows()
        };
        v.u32("size", &mut self.size)?;
        v.field(&Number::new("unknown_08").unknown(), &mut self.unknown)?;
        v.u32("data_size", &mut self.data_size)?;
        v.field(&tagged("data_offset"), &mut self.data)?;
        v.u32("text_size", &mut self.text_size)?;
        v.field(&tagged("text_offset"), &mut self.text)?;
        v.u32("patch_base", &mut self.patch_base)?;
        v.u32("patch_count", &mut self.patch_count)?;
        v.field(&tagged("patch_offset"), &mut self.patches)
    }
}

impl Trailer {
    /// Its bytes with the magic number.
    pub fn to_bytes(self) -> Vec<u8> {
        let mut bytes = TRAILER_MAGIC.to_vec();
        // Words have room for every value.
        let _ = self.write(&mut bytes);
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
        let trailer = Trailer::read(data.get(at..)?.strip_prefix(&TRAILER_MAGIC)?)?;
        let place = Tags::GFD.data(trailer.patches).and_then(|start| {
            let size = usize::try_from(trailer.patch_count).ok()?.checked_mul(4)?;
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
            false => (patch & !Tags::TAG) as usize == pointer.at,
        });
        let end = rest.iter().rposition(|&patch| patch != 0).map_or(0, |last| last.saturating_add(1));
        let (names, last) = rest.split_at_checked(end).unwrap_or((rest, &[]));
        if fits && last.len() <= LAST_ZEROS {
            return zeros(names);
        }
    }
    zeros(patches)
}
