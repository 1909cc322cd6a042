//! What is wrong with a container that could be read. The instructions are not looked at, but for their
//! lengths.

mod program;
mod symbols;

use super::model::{FileChunk, Mbs, ProgramKind, RawChunk, Tag};
use super::raw::{CHUNK_HEADER, FAMILY};
use super::tree::Names;
use crate::shared::findings::{Findings, inside};
use unshade_bytes::{Diagnostic, Severity};

/// Steps of looking for overlaps in one file.
const OVERLAP_WORK: u32 = 1 << 20;

impl Mbs {
    /// All findings, most severe first, then by place; at most [`Limits::diagnostics`](unshade_bytes::Limits::diagnostics) and a note that counts
    /// the others.
    pub fn check(&self) -> Vec<Diagnostic> {
        let mut check = Check { found: Findings::default(), work: OVERLAP_WORK };
        if let Some(size) = self.size {
            let found = self.contents_len();
            check.found.report(Severity::Error, "mbs.size", (4, 4), "size", || {
                format!("expected {found}, as many bytes as follow, found {size}: the file was cut")
            });
        }
        let mut names = Names::default();
        let mut at = CHUNK_HEADER;
        let mut seen = Vec::new();
        for chunk in &self.chunks {
            let contents = at.saturating_add(CHUNK_HEADER);
            match chunk {
                FileChunk::Program(program) => {
                    let name = names.next(program.kind.name());
                    check.twice(&mut seen, program.kind.tag(), at, &name);
                    check.program(program, contents, &name);
                }
                FileChunk::Other(chunk) => {
                    let name = names.next_raw(chunk.tag);
                    check.raw(chunk, at, &name, Level::File);
                }
            }
            at = contents.saturating_add(chunk.len());
        }
        check.stray(&self.stray, at, "");
        at = at.saturating_add(self.stray.len() as u64);
        if self.programs().next().is_none() {
            check.found.report(Severity::Warning, "mbs.no-program", (0, 8), "", || {
                "expected a vertex program (CVER), a fragment program (CFRA) or both, found none".to_owned()
            });
        }
        if !self.trailing.is_empty() {
            let len = self.trailing.len();
            check.found.report(Severity::Warning, "mbs.trailing", (at, len as u64), "trailing", || {
                format!("expected the end of the file behind MBS1, found {len} more bytes: loaders refuse it")
            });
        }
        check.found.finish("mbs.more")
    }
}

/// Where a chunk stands that is kept without being understood.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Level {
    File,
    Program(ProgramKind),
    /// A table of symbols with this tag.
    Table(Tag),
    Symbol,
}

struct Check {
    found: Findings,
    /// Steps of looking for overlaps that are left.
    work: u32,
}

impl Check {
    /// Reports a second chunk of a kind of which a parent has one.
    fn twice(&mut self, seen: &mut Vec<Tag>, tag: Tag, at: u64, path: &str) {
        if seen.contains(&tag) {
            self.found.report(Severity::Error, "mbs.duplicate", (at, 8), path, || {
                format!("expected one chunk {tag}, found another: loaders take the first or the last")
            });
        } else {
            seen.push(tag);
        }
    }

    /// Reports the bytes at the end of a chunk that are no chunk themselves.
    fn stray(&mut self, stray: &[u8], at: u64, parent: &str) {
        let Some((tag, rest)) = stray.split_first_chunk() else {
            if !stray.is_empty() {
                let path = inside(parent, "stray");
                self.found.report(Severity::Error, "mbs.stray", (at, stray.len() as u64), &path, || {
                    format!("expected a chunk or the end of the parent, found {} bytes", stray.len())
                });
            }
            return;
        };
        let path = inside(parent, "stray");
        let Some((size, rest)) = rest.split_first_chunk() else {
            return self.found.report(Severity::Error, "mbs.stray", (at, stray.len() as u64), &path, || {
                format!("expected a chunk or the end of the parent, found {} bytes", stray.len())
            });
        };
        let (tag, size) = (Tag(*tag), u32::from_le_bytes(*size));
        self.found.report(Severity::Error, "mbs.chunk-size", (at, stray.len() as u64), &path, || {
            format!(
                "expected at most {} bytes in chunk {tag}, which its parent has left, found {size}",
                rest.len()
            )
        });
    }

    /// Reports a chunk that was kept without being understood: as damaged, at a wrong place, or unknown.
    fn raw(&mut self, chunk: &RawChunk, at: u64, path: &str, level: Level) {
        let len = (chunk.bytes.len() as u64).saturating_add(CHUNK_HEADER);
        let place = (at, len);
        let (tag, bytes) = (chunk.tag, chunk.bytes.len());
        if let Some(expected) = shape(tag, level) {
            return self.found.report(Severity::Error, "mbs.damaged", place, path, || {
                format!("expected {expected} in chunk {tag}, found {bytes} bytes that are not")
            });
        }
        if is_known(tag) {
            return self.found.report(Severity::Warning, "mbs.misplaced", place, path, || {
                let level = match level {
                    Level::File => "directly in MBS1",
                    Level::Program(ProgramKind::Vertex) => "in a vertex program",
                    Level::Program(ProgramKind::Fragment) => "in a fragment program",
                    Level::Table(_) => "in this table",
                    Level::Symbol => "in a symbol",
                };
                format!("expected no chunk {tag} {level}; nobody looks for it there")
            });
        }
        self.found.report(Severity::Note, "mbs.unknown-chunk", place, path, || {
            format!("chunk {tag} of {bytes} bytes is not known and kept as it is")
        });
    }
}

/// What stands in a chunk of that tag at that level, if it belongs there.
fn shape(tag: Tag, level: Level) -> Option<&'static str> {
    let shape = match (level, tag) {
        (Level::File, Tag::VERTEX | Tag::FRAGMENT) => "4 bytes of core and chunks",
        (Level::Program(_), Tag::STACK | Tag::FRAMEBUFFER) => "8 bytes",
        (Level::Program(_), Tag::DISCARD) => "4 bytes",
        (Level::Program(_), Tag::INSTRUCTIONS) => "12 bytes",
        (Level::Program(_), Tag::UNIFORMS) => "count, space and symbols",
        (Level::Program(_), Tag::ATTRIBUTES | Tag::VARYINGS) => "count and symbols",
        (Level::Table(Tag::ATTRIBUTE), Tag::ATTRIBUTE) => "a name (STRI) and a record of 16 bytes",
        (Level::Table(symbol), tag) if symbol == tag => "a name (STRI) and a record of 20 bytes",
        (Level::Symbol, Tag::INDEX) => "ITDR, IYUV and IGRD with 4 bytes each",
        (Level::Symbol, Tag::INITIAL) => "a count and words",
        _ => return None,
    };
    Some(shape)
}

fn is_known(tag: Tag) -> bool {
    let known = [
        Tag::FRAGMENT,
        Tag::VERTEX,
        Tag::STACK,
        Tag::DISCARD,
        Tag::FRAMEBUFFER,
        Tag::INSTRUCTIONS,
        Tag::UNIFORMS,
        Tag::ATTRIBUTES,
        Tag::VARYINGS,
        Tag::CODE,
        Tag::UNIFORM,
        Tag::ATTRIBUTE,
        Tag::VARYING,
        Tag::NAME,
        Tag::INDEX,
        Tag::INDEX_ITDR,
        Tag::INDEX_IYUV,
        Tag::INDEX_IGRD,
        Tag::INITIAL,
    ];
    known.contains(&tag) || tag.0.starts_with(&FAMILY)
}
