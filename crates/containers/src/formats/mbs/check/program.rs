//! A program: its processor, its counts, its code.

use super::{Check, Level, inside};
use crate::formats::mbs::model::{
    Code, Framebuffer, Instructions, Program, ProgramChunk, ProgramKind, TableKind, Tag,
};
use crate::formats::mbs::raw::CHUNK_HEADER;
use crate::formats::mbs::tree::{Names, core_name};
use unshade_bytes::Severity;

/// Instructions that the vertex processor holds.
const VERTEX_INSTRUCTIONS: usize = 512;
/// Words of an instruction of the vertex processor.
const VERTEX_WORDS: usize = 4;
/// The bits of the first word of an instruction of the pixel processor that say how many words it has.
const FRAGMENT_LENGTH: u32 = 0x1F;

impl Check {
    /// Checks a program whose contents lie at `start`.
    pub(super) fn program(&mut self, program: &Program, start: u64, path: &str) {
        let kind = program.kind;
        if core_name(kind, program.core).is_none() {
            let expected = match kind {
                ProgramKind::Vertex => "2 (Mali-200 GP) or 6 (Mali-400 GP)",
                ProgramKind::Fragment => "5 (Mali-200 PP) or 7 (Mali-400 PP)",
            };
            self.report(Severity::Error, "mbs.core", (start, 4), &inside(path, "core"), || {
                format!("expected {expected}, found {}", program.core)
            });
        }
        let mut names = Names::default();
        let mut seen = Vec::new();
        let mut at = start.saturating_add(4);
        for chunk in &program.chunks {
            let contents = at.saturating_add(CHUNK_HEADER);
            if let ProgramChunk::Other(raw) = chunk {
                self.raw(raw, at, &inside(path, &names.next_raw(raw.tag)), Level::Program(kind));
            } else {
                let path = inside(path, &names.next(chunk.name()));
                self.twice(&mut seen, chunk.tag(), at, &path);
                self.belongs(chunk, kind, at, &path);
                self.program_chunk(program, chunk, contents, &path);
            }
            at = contents.saturating_add(chunk.len());
        }
        self.stray(&program.stray, at, path);
        let place = (start.saturating_sub(CHUNK_HEADER), CHUNK_HEADER);
        if !seen.contains(&Tag::CODE) {
            self.report(Severity::Error, "mbs.code-missing", place, path, || {
                "expected code (DBIN), found none".to_owned()
            });
        }
        let needed: &[Tag] = match kind {
            ProgramKind::Vertex => &[Tag::INSTRUCTIONS],
            ProgramKind::Fragment => &[Tag::STACK, Tag::DISCARD, Tag::FRAMEBUFFER],
        };
        for tag in needed.iter().filter(|&tag| !seen.contains(tag)) {
            self.report(Severity::Warning, "mbs.missing", place, path, || {
                format!("expected a chunk {tag} in a {} program, found none", kind.name())
            });
        }
    }

    /// Reports a chunk that belongs to the other kind of program.
    fn belongs(&mut self, chunk: &ProgramChunk, kind: ProgramKind, at: u64, path: &str) {
        let other = match chunk {
            ProgramChunk::Instructions(_) | ProgramChunk::Attributes(_) => ProgramKind::Vertex,
            ProgramChunk::Stack(_) | ProgramChunk::Discard(_) | ProgramChunk::Framebuffer(_) => {
                ProgramKind::Fragment
            }
            _ => return,
        };
        if other != kind {
            self.report(Severity::Warning, "mbs.misplaced", (at, 8), path, || {
                let (tag, kind) = (chunk.tag(), kind.name());
                format!("expected no chunk {tag} in a {kind} program; nobody looks for it there")
            });
        }
    }

    fn program_chunk(&mut self, program: &Program, chunk: &ProgramChunk, at: u64, path: &str) {
        match chunk {
            ProgramChunk::Discard(word) if *word > 1 => {
                self.report(Severity::Warning, "mbs.discard", (at, 4), path, || {
                    format!("expected 0 or 1, found {word:#x}")
                });
            }
            ProgramChunk::Framebuffer(of) => self.framebuffer(*of, at, path),
            ProgramChunk::Instructions(of) => self.instructions(*of, program.code(), at, path),
            ProgramChunk::Uniforms(uniforms) => {
                self.space(uniforms, (at.saturating_add(4), 4), &inside(path, "space"));
                self.table(program.kind, TableKind::Uniforms, &uniforms.table, at, path);
            }
            ProgramChunk::Attributes(table) => {
                self.table(program.kind, TableKind::Attributes, table, at, path);
            }
            ProgramChunk::Varyings(table) => self.table(program.kind, TableKind::Varyings, table, at, path),
            ProgramChunk::Code(code) => self.code(program.kind, code, at, path),
            ProgramChunk::Stack(_) | ProgramChunk::Discard(_) | ProgramChunk::Other(_) => {}
        }
    }

    fn framebuffer(&mut self, of: Framebuffer, at: u64, path: &str) {
        let odd = of.to_bytes().iter().take(6).any(|&byte| byte > 1);
        if odd {
            self.report(Severity::Warning, "mbs.framebuffer", (at, 6), path, || {
                format!("expected bytes of 0 and 1, found {:?}", of.to_bytes().get(..6).unwrap_or_default())
            });
        }
        if of.unknown_06 != [0; 2] {
            let place = (at.saturating_add(6), 2);
            self.report(
                Severity::Note,
                "mbs.framebuffer-unknown",
                place,
                &inside(path, "unknown_06"),
                || format!("expected zeros, found {:?}; their meaning is not known", of.unknown_06),
            );
        }
    }

    fn instructions(&mut self, of: Instructions, code: Option<&Code>, at: u64, path: &str) {
        if of.unknown_00 != 0 {
            self.report(
                Severity::Note,
                "mbs.instructions-unknown",
                (at, 4),
                &inside(path, "unknown_00"),
                || format!("expected 0, found {:#x}; its meaning is not known", of.unknown_00),
            );
        }
        let found = code.map_or(0, |code| code.words.len() / VERTEX_WORDS);
        if of.count as usize != found {
            let place = (at.saturating_add(4), 4);
            self.report(Severity::Error, "mbs.instruction-count", place, &inside(path, "count"), || {
                format!("expected {found}, as many instructions as the code has, found {}", of.count)
            });
        }
        if of.attribute_prefetch > of.count {
            let place = (at.saturating_add(8), 4);
            let path = inside(path, "attribute_prefetch");
            self.report(Severity::Error, "mbs.attribute-prefetch", place, &path, || {
                format!(
                    "expected at most the number of instructions, {}, found {}",
                    of.count, of.attribute_prefetch
                )
            });
        }
    }

    fn code(&mut self, kind: ProgramKind, code: &Code, at: u64, path: &str) {
        let len = (code.words.len() as u64).saturating_mul(4).saturating_add(code.stray.len() as u64);
        if len == 0 {
            return self.report(Severity::Error, "mbs.code-size", (at, 0), path, || {
                "expected a first instruction, where execution starts, found no code".to_owned()
            });
        }
        match kind {
            ProgramKind::Vertex => {
                if !len.is_multiple_of(16) {
                    self.report(Severity::Error, "mbs.code-size", (at, len), path, || {
                        format!("expected instructions of 16 bytes, found {len} bytes")
                    });
                }
                if code.words.len() > VERTEX_INSTRUCTIONS * VERTEX_WORDS {
                    self.report(Severity::Error, "mbs.code-limit", (at, len), path, || {
                        format!("expected at most {VERTEX_INSTRUCTIONS} instructions, which the hardware holds, found {}", len / 16)
                    });
                }
            }
            ProgramKind::Fragment => {
                if !code.stray.is_empty() {
                    self.report(Severity::Error, "mbs.code-size", (at, len), path, || {
                        format!("expected words of 4 bytes, found {len} bytes")
                    });
                }
                self.walk(&code.words, at, path);
            }
        }
    }

    /// Goes from instruction to instruction by their lengths.
    fn walk(&mut self, words: &[u32], at: u64, path: &str) {
        let mut index = 0_usize;
        while let Some(word) = words.get(index) {
            let length = word & FRAGMENT_LENGTH;
            let left = words.len().saturating_sub(index);
            if length == 0 || length as usize > left {
                let place = (at.saturating_add((index as u64).saturating_mul(4)), 4);
                return self.report(Severity::Error, "mbs.code-walk", place, path, || {
                    format!(
                        "expected an instruction of 1 to {left} words at word {index}, found one of {length}"
                    )
                });
            }
            index = index.saturating_add(length as usize);
        }
    }
}
