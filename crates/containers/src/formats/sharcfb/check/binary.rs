//! The binaries: their structures, and where their code lies.

use super::Check;
use crate::formats::gx2::{Member, Pieces, Shader, TableKind, check, edit};
use crate::formats::sharcfb::model::{Binary, Record};
use crate::formats::sharcfb::raw::{self, ALIGNMENT};
use crate::shared::findings::inside;
use unshade_bytes::Endian;

impl Check<'_> {
    /// Checks all binaries, the first of which lies at `at`; returns where they end.
    pub(super) fn binaries(&mut self, mut at: u64) -> u64 {
        let file = self.file;
        let form = file.form();
        for (index, record) in file.binaries.iter().flat_map(|array| &array.items).enumerate() {
            let path = format!("binaries[{index}]");
            match record {
                Record::Known(binary) => {
                    let data = binary.aligned(at, form).unwrap_or_else(|_| (&*binary.data).into());
                    self.binary(binary, &data, at, &path);
                    // Padding may have grown or shrunk.
                    let around = binary.len().saturating_sub(binary.data.len() as u64);
                    at = at.saturating_add(around).saturating_add(data.len() as u64);
                }
                Record::Damaged(bytes) => {
                    self.records().damaged(bytes, at, &path, "data at its offset, of its size,");
                    at = at.saturating_add(4).saturating_add(bytes.len() as u64);
                }
            }
        }
        at
    }

    fn binary(&mut self, binary: &Binary, data: &[u8], at: u64, path: &str) {
        let base = binary.data_at(at);
        let place = (base, data.len() as u64);
        let Some(kind) = binary.shader_kind() else {
            return self.found.error(
                "sharcfb.type",
                (at.saturating_add(4), 4),
                &inside(path, "type"),
                || format!("expected 0 (vertex), 1 (pixel) or 2 (geometry), found {}", binary.kind),
            );
        };
        if !binary.gap.is_empty() {
            let place = (at.saturating_add(raw::BINARY as u64), binary.gap.len() as u64);
            self.found.note("sharcfb.gap", place, &inside(path, "gap"), || {
                format!(
                    "expected data right behind the head of the record, found {} bytes before",
                    binary.gap.len()
                )
            });
        }
        if !binary.tail.is_empty() {
            let place = (base.saturating_add(data.len() as u64), binary.tail.len() as u64);
            self.found.note("sharcfb.tail", place, &inside(path, "tail"), || {
                format!("expected the next record behind the data, found {} bytes before", binary.tail.len())
            });
        }
        let Some(shader) = Shader::new(kind, self.file.form(), data) else {
            return self.found.error("sharcfb.structure", place, &inside(path, "data"), || {
                let (size, len) = (kind.size(), data.len());
                format!("expected a structure of {size:#x} bytes, found {len:#x}")
            });
        };
        let structure = inside(path, "data.structure");
        check::Check { found: &mut self.found, shader, base, path: &inside(path, "data") }.all();
        self.code(&shader, edit::Program::Main, base, &structure);
        if shader.kind.row(Member::CopySize).is_some() {
            self.code(&shader, edit::Program::Copy, base, &structure);
        }
        if self.file.endian == Endian::Little {
            self.contiguous(&shader, base, &structure);
        }
        self.overlaps(&shader, base, &inside(path, "data"));
    }

    fn code(&mut self, shader: &Shader<'_>, program: edit::Program, base: u64, path: &str) {
        let (size_member, pointer_member) = program.members();
        let (start, size) = program.of(shader);
        let field = |member| {
            let row = shader.kind.row(member);
            let at = row.map_or(0, |row| u64::from(row.word).saturating_mul(4));
            ((base.saturating_add(at), 4), inside(path, row.map_or("", |row| row.name)))
        };
        let (place, name) = field(pointer_member);
        if program.place(shader).is_none() {
            let len = shader.data.len();
            return self.found.error("sharcfb.code", place, &name, || {
                format!("expected code inside of {len:#x} bytes of data, found {size:#x} bytes at {start:#x}")
            });
        }
        let absolute = base.saturating_add(start as u64);
        if !absolute.is_multiple_of(ALIGNMENT) {
            self.found.warning("sharcfb.alignment", place, &name, || {
                format!("expected code at a multiple of 0x100 of the file, found it at {absolute:#x}")
            });
        }
        if !size.is_multiple_of(8) {
            let (place, name) = field(size_member);
            self.found.warning("sharcfb.code-size", place, &name, || {
                format!("expected a multiple of 8 bytes, found {size}")
            });
        }
        let gap = Pieces::of(shader).gap_before(start);
        let fill = shader.data.get(gap..start).unwrap_or_default();
        if fill.iter().any(|&byte| byte != 0) {
            let place = (base.saturating_add(gap as u64), fill.len() as u64);
            self.found.note("sharcfb.padding", place, path, || {
                "expected zeros in front of the code, found other bytes".to_owned()
            });
        }
    }

    /// The console swaps structure and tables of a little-endian archive as one run of words.
    fn contiguous(&mut self, shader: &Shader<'_>, base: u64, path: &str) {
        let mut next = shader.kind.size();
        for table in shader.kind.tables().filter(|table| *table != TableKind::Loops) {
            let Some((at, bytes)) = shader.table(table) else { continue };
            if at != next {
                let row = shader.kind.row(Member::Pointer(table));
                let word = row.map_or(0, |row| u64::from(row.word).saturating_mul(4));
                let path = inside(path, row.map_or("", |row| row.name));
                self.found.error("sharcfb.contiguous", (base.saturating_add(word), 4), &path, || {
                    format!("expected the table at {next:#x}, behind the one before, found it at {at:#x}: it is not swapped")
                });
            }
            next = at.saturating_add(bytes.len());
        }
    }

    fn overlaps(&mut self, shader: &Shader<'_>, base: u64, path: &str) {
        for pair in Pieces::of(shader).0.windows(2) {
            let [before, after] = pair else { continue };
            if before.end() > after.at {
                let place = (base.saturating_add(after.at as u64), after.len as u64);
                self.found.warning("sharcfb.overlap", place, path, || {
                    format!(
                        "expected parts that do not overlap, found {:?} over {:?}",
                        after.kind, before.kind
                    )
                });
            }
        }
    }
}
