//! What lies where in the data of a structure: structure, tables, names, programs. What no piece covers is
//! padding or not understood.

use super::shader::{Form, Shader};
use super::structure::{Member, TableKind};

/// What a piece is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PieceKind {
    /// The structure itself.
    Structure,
    /// A table.
    Table(TableKind),
    /// A name with its NUL.
    Name,
    /// The program.
    Code,
    /// The copy program of a geometry shader.
    Copy,
}

/// A run of bytes of the data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Piece {
    /// Its first byte.
    pub at: usize,
    /// How many bytes.
    pub len: usize,
    /// What it is.
    pub kind: PieceKind,
}

impl Piece {
    /// Offset behind it.
    pub fn end(&self) -> usize {
        self.at.saturating_add(self.len)
    }
}

/// The pieces of some data, ordered by their start. Pieces that point at the same bytes overlap; a name inside
/// of another one (which many entries may point to) is not listed by itself.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Pieces(pub Vec<Piece>);

impl Pieces {
    /// The pieces of a structure's data that lie in it. Programs are looked for only where they are in the
    /// data, as in archives.
    pub fn of(shader: &Shader<'_>) -> Self {
        let mut list = vec![Piece { at: 0, len: shader.kind.size(), kind: PieceKind::Structure }];
        let mut names = Vec::new();
        for table in shader.kind.tables() {
            let Some((at, bytes)) = shader.table(table) else { continue };
            list.push(Piece { at, len: bytes.len(), kind: PieceKind::Table(table) });
            if table.is_named() {
                names.extend(shader.entries(table).filter_map(|entry| shader.form.text(entry.word(0))));
            }
        }
        names.sort_unstable();
        names.dedup();
        let mut reached = 0;
        for at in names {
            // Each byte is looked at once, however many names end there.
            if at < reached {
                continue;
            }
            let Some(rest) = shader.data.get(at..) else { break };
            let Some(len) = rest.iter().position(|&byte| byte == 0) else { break };
            let len = len.saturating_add(1);
            list.push(Piece { at, len, kind: PieceKind::Name });
            reached = at.saturating_add(len);
        }
        if shader.form != Form::GFD {
            for (kind, (at, len)) in [(PieceKind::Code, shader.code()), (PieceKind::Copy, shader.copy())] {
                let inside = at.checked_add(len).is_some_and(|end| end <= shader.data.len());
                if len > 0 && inside {
                    list.push(Piece { at, len, kind });
                }
            }
        }
        list.sort_by_key(|piece| (piece.at, piece.end()));
        Self(list)
    }

    /// Where the bytes in front of `at` start that no piece covers; `at` where there are none.
    pub fn gap_before(&self, at: usize) -> usize {
        let before = self.0.iter().filter(|piece| piece.at < at).map(Piece::end);
        before.max().unwrap_or(0).min(at)
    }

    /// The first piece of a kind.
    pub fn find(&self, kind: PieceKind) -> Option<Piece> {
        self.0.iter().find(|piece| piece.kind == kind).copied()
    }

    /// The piece that a member of the structure points to.
    pub fn of_member(&self, member: Member) -> Option<Piece> {
        match member {
            Member::CodePointer => self.find(PieceKind::Code),
            Member::CopyPointer => self.find(PieceKind::Copy),
            Member::Pointer(table) => self.find(PieceKind::Table(table)),
            _ => None,
        }
    }
}
