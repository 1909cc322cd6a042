//! Changes to the data of a structure that keep its pointers true.

use super::pieces::{PieceKind, Pieces};
use super::shader::{Form, Shader};
use super::structure::{Member, ShaderKind, TableKind};
use std::ops::Range;
use unshade_bytes::{Error, ErrorKind, Result};

/// Which program of a structure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Program {
    /// The program.
    Main,
    /// The copy program of a geometry shader.
    Copy,
}

impl Program {
    /// The members of the structure with its size and its place.
    pub const fn members(self) -> (Member, Member) {
        match self {
            Self::Main => (Member::CodeSize, Member::CodePointer),
            Self::Copy => (Member::CopySize, Member::CopyPointer),
        }
    }

    /// Offset and size, as a structure states them.
    pub fn of(self, shader: &Shader<'_>) -> (usize, usize) {
        match self {
            Self::Main => shader.code(),
            Self::Copy => shader.copy(),
        }
    }

    /// Offset and size, where the program is in the data and has a size.
    pub fn place(self, shader: &Shader<'_>) -> Option<(usize, usize)> {
        let (at, len) = self.of(shader);
        let inside = at.checked_add(len).is_some_and(|end| end <= shader.data.len());
        (len > 0 && inside).then_some((at, len))
    }

    /// The kind of its piece.
    pub const fn piece(self) -> PieceKind {
        match self {
            Self::Main => PieceKind::Code,
            Self::Copy => PieceKind::Copy,
        }
    }
}

/// Sets the word that is `member`; nothing where the structure has none or is cut.
pub fn set_member(kind: ShaderKind, form: Form, data: &mut [u8], member: Member, value: u32) {
    if let Some(row) = kind.row(member) {
        set_word(form, data, usize::from(row.word).saturating_mul(4), value);
    }
}

/// Sets the word at a byte offset.
pub fn set_word(form: Form, data: &mut [u8], offset: usize, value: u32) {
    if let Some(place) = data.get_mut(offset..).and_then(|rest| rest.first_chunk_mut()) {
        *place = form.bytes(value);
    }
}

/// Puts other bytes in place of `range` of the data of a structure and moves what points behind it.
///
/// # Errors
/// [`ErrorKind::Unrepresentable`] where an offset does not fit its field any more.
pub fn splice(
    kind: ShaderKind,
    form: Form,
    data: &mut Vec<u8>,
    range: Range<usize>,
    with: &[u8],
) -> Result<()> {
    let Some(shader) = Shader::new(kind, form, data).filter(|_| range.end <= data.len()) else {
        return Err(unfit("the data of a whole structure", format!("{} bytes", data.len())));
    };
    if range.start > range.end {
        return Err(unfit("a range that does not end before it starts", format!("{range:x?}")));
    }
    let (old, new) = (range.end.saturating_sub(range.start), with.len());
    let moved = |offset: usize| match offset >= range.end {
        true => offset.saturating_sub(old).saturating_add(new),
        false => offset,
    };
    let mut changes: Vec<(usize, u32)> = Vec::new();
    let fits = |offset: usize| {
        u32::try_from(offset).map_err(|_| unfit("an offset of 32 bits", format!("{offset:#x}")))
    };
    for row in kind.rows() {
        let at = usize::from(row.word).saturating_mul(4);
        let pointer = shader.word(row.word);
        match row.member {
            Member::CodePointer | Member::CopyPointer if !form.tagged => {
                changes.push((at, fits(moved(pointer as usize))?));
            }
            Member::Pointer(table) if shader.stated(table).count > 0 => {
                if let Some(offset) = form.data(pointer) {
                    changes.push((at, form.data_pointer(fits(moved(offset))?)));
                }
            }
            _ => {}
        }
    }
    for table in TableKind::ALL.into_iter().filter(|table| table.is_named()) {
        for entry in shader.entries(table) {
            if let Some(offset) = form.text(entry.word(0)) {
                changes.push((entry.offset, form.text_pointer(fits(moved(offset))?)));
            }
        }
    }
    for (at, word) in changes {
        set_word(form, data, at, word);
    }
    data.splice(range, with.iter().copied());
    Ok(())
}

/// Gives a program in the data of a structure other code. What lies behind it moves.
///
/// # Errors
/// [`ErrorKind::Unrepresentable`] where the program does not lie in the data, or where something else lies
/// in its bytes.
pub fn replace_code(
    kind: ShaderKind,
    form: Form,
    data: &mut Vec<u8>,
    program: Program,
    code: &[u8],
) -> Result<()> {
    let Some(shader) = Shader::new(kind, form, data) else {
        return Err(unfit("the data of a whole structure", format!("{} bytes", data.len())));
    };
    let (at, len) = program.of(&shader);
    let Some(end) = at.checked_add(len).filter(|&end| end <= data.len() && at >= kind.size()) else {
        return Err(unfit("a program inside of the data", format!("{len} bytes at {at:#x}")));
    };
    let others = Pieces::of(&shader).0;
    let overlap = others
        .iter()
        .find(|piece| piece.kind != program.piece() && piece.at < end && piece.end() > at && piece.len > 0);
    if let Some(piece) = overlap {
        let found = format!("{:?} at {:#x}", piece.kind, piece.at);
        return Err(unfit("a program whose bytes nothing else uses", found));
    }
    splice(kind, form, data, at..end, code)?;
    let size = u32::try_from(code.len())
        .map_err(|_| unfit("a program of 32-bit size", format!("{} bytes", code.len())))?;
    let (size_member, pointer) = program.members();
    set_member(kind, form, data, size_member, size);
    // An empty program stands where it ends, and was moved for that.
    set_member(kind, form, data, pointer, u32::try_from(at).unwrap_or(u32::MAX));
    Ok(())
}

/// Brings a program to a multiple of `alignment` of the file, by more or fewer bytes of padding in front of it.
/// `start` is where the data is in the file.
///
/// # Errors
/// [`ErrorKind::Unrepresentable`] where an offset does not fit its field any more.
pub fn align(
    kind: ShaderKind,
    form: Form,
    data: &mut Vec<u8>,
    program: Program,
    start: u64,
    alignment: u64,
) -> Result<()> {
    let Some(shader) = Shader::new(kind, form, data) else { return Ok(()) };
    let Some((at, _)) = program.place(&shader) else { return Ok(()) };
    let gap = Pieces::of(&shader).gap_before(at);
    let front = start.saturating_add(gap as u64);
    let padding = front.checked_next_multiple_of(alignment).map_or(0, |end| end.saturating_sub(front));
    let fill = data.get(gap..at).and_then(<[u8]>::first).copied().unwrap_or(0);
    splice(kind, form, data, gap..at, &vec![fill; padding as usize])
}

fn unfit(expected: &'static str, found: String) -> Error {
    Error::new(ErrorKind::Unrepresentable, 0, "data", expected, found)
}
