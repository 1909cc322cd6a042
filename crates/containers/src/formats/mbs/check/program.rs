//! A program: its processor, its counts, its code.

use super::{Check, Level};
use crate::formats::mbs::model::{
    Code, Framebuffer, Instructions, Program, ProgramChunk, ProgramKind, TableKind, Tag,
};
use crate::formats::mbs::raw::CHUNK_HEADER;
use crate::formats::mbs::records::FORM;
use crate::formats::mbs::tree::{Names, core_name};
use crate::shared::fields::{Record, Surprises};
use crate::shared::findings::inside;
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
            self.found.report(Severity::Error, "mbs.core", (start, 4), &inside(path, "core"), || {
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
            self.found.report(Severity::Error, "mbs.code-missing", place, path, || {
                "expected code (DBIN), found none".to_owned()
            });
        }
        let needed: &[Tag] = match kind {
            ProgramKind::Vertex => &[Tag::INSTRUCTIONS],
            ProgramKind::Fragment => &[Tag::STACK, Tag::DISCARD, Tag::FRAMEBUFFER],
        };
        for tag in needed.iter().filter(|&tag| !seen.contains(tag)) {
            self.found.report(Severity::Warning, "mbs.missing", place, path, || {
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
            self.found.report(Severity::Warning, "mbs.misplaced", (at, 8), path, || {
                let (tag, kind) = (chunk.tag(), kind.name());
                format!("expected no chunk {tag} in a {kind} program; nobody looks for it there")
            });
        }
    }

    fn program_chunk(&mut self, program: &Program, chunk: &ProgramChunk, at: u64, path: &str) {
        match chunk {
            ProgramChunk::Discard(word) if *word > 1 => {
                self.found.report(Severity::Warning, "mbs.discard", (at, 4), path, || {
                    format!("expected 0 or 1, found {word:#x}")
                });
            }
            ProgramChunk::Framebuffer(of) => self.framebuffer(of, at, path),
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

    /// Reports the numbers of a record at `at` that have values which files do not have.
    fn values(&mut self, mut record: impl Record, at: u64, path: &str) {
        let mut surprises = Surprises::new(FORM);
        // Nothing that is only looked at can fail.
        let _ = record.visit(&mut surprises);
        self.found.surprises(&surprises, at, path);
    }

    fn framebuffer(&mut self, of: &Framebuffer, at: u64, path: &str) {
        self.values(of.clone(), at, path);
        if !of.unknown_06.is_empty() {
            let place = (at.saturating_add(6), 2);
            let path = inside(path, "unknown_06");
            self.found.report(Severity::Note, "mbs.framebuffer-unknown", place, &path, || {
                format!("expected zeros, found {}; their meaning is not known", of.unknown_06.to_hex())
            });
        }
    }

    fn instructions(&mut self, of: Instructions, code: Option<&Code>, at: u64, path: &str) {
        self.values(of, at, path);
        let found = code.map_or(0, |code| code.words.len() / VERTEX_WORDS);
        if of.instruction_count as usize != found {
            let place = (at.saturating_add(4), 4);
            self.found.report(
                Severity::Error,
                "mbs.instruction-count",
                place,
                &inside(path, "instruction_count"),
                || {
                    format!(
                        "expected {found}, as many instructions as the code has, found {}",
                        of.instruction_count
                    )
                },
            );
        }
        if of.attrib_prefetch > of.instruction_count {
            let place = (at.saturating_add(8), 4);
            let path = inside(path, "attrib_prefetch");
            self.found.report(Severity::Error, "mbs.attribute-prefetch", place, &path, || {
                format!(
                    "expected at most the number of instructions, {}, found {}",
                    of.instruction_count, of.attrib_prefetch
                )
            });
        }
    }

    fn code(&mut self, kind: ProgramKind, code: &Code, at: u64, path: &str) {
        let len = (code.words.len() as u64).saturating_mul(4).saturating_add(code.stray.len() as u64);
        if len == 0 {
            return self.found.report(Severity::Error, "mbs.code-size", (at, 0), path, || {
                "expected a first instruction, where execution starts, found no code".to_owned()
            });
        }
        match kind {
            ProgramKind::Vertex => {
                if !len.is_multiple_of(16) {
                    self.found.report(Severity::Error, "mbs.code-size", (at, len), path, || {
                        format!("expected instructions of 16 bytes, found {len} bytes")
                    });
                }
                if code.words.len() > VERTEX_INSTRUCTIONS * VERTEX_WORDS {
                    self.found.report(Severity::Error, "mbs.code-limit", (at, len), path, || {
                        format!("expected at most {VERTEX_INSTRUCTIONS} instructions, which the hardware holds, found {}", len / 16)
                    });
                }
            }
            ProgramKind::Fragment => {
                if !code.stray.is_empty() {
                    self.found.report(Severity::Error, "mbs.code-size", (at, len), path, || {
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
                return self.found.report(Severity::Error, "mbs.code-walk", place, path, || {
                    format!(
                        "expected an instruction of 1 to {left} words at word {index}, found one of {length}"
                    )
                });
            }
            index = index.saturating_add(length as usize);
        }
    }
}
