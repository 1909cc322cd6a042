//! The programs of a GFD as stages: what the instruction set needs, with the file's own names.

use super::model::{Block, BlockKind, Gfd};
use crate::formats::gx2::{Form, Member, ShaderKind, code_bytes, code_words, edit};
use std::borrow::Cow;
use unshade_bytes::{Error, ErrorKind, Result};
use unshade_stage::{Code, Interface, Isa, Latte, Stage, StageId, StageKind};

/// What a program's name starts with, and which blocks are its code.
const NAMES: [(&str, BlockKind); 5] = [
    ("vertex", BlockKind::code(ShaderKind::Vertex)),
    ("pixel", BlockKind::code(ShaderKind::Pixel)),
    ("geometry", BlockKind::code(ShaderKind::Geometry)),
    ("copy", BlockKind::COPY),
    ("compute", BlockKind::code(ShaderKind::Compute)),
];

impl Gfd {
    /// The programs in file order, named by kind and number: `vertex0`, `pixel0`, `geometry0`, `copy0`,
    /// `compute0`. The n-th program of a kind belongs to the n-th shader header of the kind; a program without
    /// one is a stage of which nothing else is known.
    pub fn stages(&self) -> impl Iterator<Item = Stage<'_>> {
        // Headers by kind, so that many shaders are not looked for again and again.
        let headers = ShaderKind::ALL.map(|kind| {
            self.blocks.iter().filter(move |block| block.kind == BlockKind::header(kind)).collect::<Vec<_>>()
        });
        let copies: Vec<_> = self.blocks.iter().filter(|block| block.kind == BlockKind::COPY).collect();
        let mut seen = [0_usize; NAMES.len()];
        self.blocks.iter().zip(self.placed()).filter_map(move |(block, placed)| {
            let (name, _) = named(block.kind)?;
            let number = NAMES.iter().zip(&mut seen).find_map(|((_, kind), seen)| {
                (*kind == block.kind).then(|| std::mem::replace(seen, seen.saturating_add(1)))
            })?;
            let shader = block.kind.code_of().unwrap_or(ShaderKind::Geometry);
            let header = ShaderKind::ALL.iter().zip(&headers).find(|(kind, _)| **kind == shader);
            let header = header.and_then(|(_, headers)| headers.get(number).copied());
            let offset = placed.at.saturating_add(block.header_len());
            let blocks = Blocks { code: block, header, copy: copies.get(number).copied() };
            Some(stage(format!("{name}{number}"), blocks, offset))
        })
    }

    /// The program of that name.
    pub fn stage(&self, id: &StageId) -> Option<Stage<'_>> {
        let (kind, number) = parse(id)?;
        let (index, block) = self.nth(kind, number)?;
        let shader = kind.code_of().unwrap_or(ShaderKind::Geometry);
        let header = self.nth(BlockKind::header(shader), number).map(|(_, block)| block);
        let copy = self.nth(BlockKind::COPY, number).map(|(_, block)| block);
        let placed = *self.placed().get(index)?;
        let blocks = Blocks { code: block, header, copy };
        Some(stage(id.0.clone(), blocks, placed.at.saturating_add(block.header_len())))
    }

    /// Gives the program of that name other code, and its shader header the size. Registers of the header are
    /// not touched.
    ///
    /// # Errors
    /// [`ErrorKind::OutOfBounds`] where no program has that name; [`ErrorKind::Unrepresentable`] for a
    /// program that would not start at its first word.
    pub fn replace(&mut self, id: &StageId, code: &Code<'_>) -> Result<()> {
        let missing = || {
            Error::new(ErrorKind::OutOfBounds, 0, "", "the name of a stage of this file", format!("`{id}`"))
        };
        let (kind, number) = parse(id).ok_or_else(missing)?;
        let (index, _) = self.nth(kind, number).ok_or_else(missing)?;
        if code.entry != 0 {
            let found = format!("an entry point at word {}", code.entry);
            let expected = "code that starts at word 0, as that of a GFD does";
            return Err(Error::new(ErrorKind::Unrepresentable, 0, id.0.as_str(), expected, found));
        }
        let bytes = code_bytes(&code.words);
        let size = u32::try_from(bytes.len()).unwrap_or(u32::MAX);
        let shader = kind.code_of().unwrap_or(ShaderKind::Geometry);
        let header = self.nth(BlockKind::header(shader), number).map(|(index, _)| index);
        if let Some(header) = header.and_then(|index| self.blocks.get_mut(index)) {
            let member = if kind == BlockKind::COPY { Member::CopySize } else { Member::CodeSize };
            edit::set_member(shader, Form::GFD, &mut header.data.0, member, size);
        }
        if let Some(block) = self.blocks.get_mut(index) {
            block.data.0 = bytes;
            block.size = None;
        }
        Ok(())
    }
}

fn named(kind: BlockKind) -> Option<(&'static str, BlockKind)> {
    NAMES.into_iter().find(|(_, code)| *code == kind)
}

/// The blocks and the number that a name means.
pub(super) fn parse(id: &StageId) -> Option<(BlockKind, usize)> {
    let (kind, number) = NAMES.into_iter().find_map(|(name, kind)| Some((kind, id.0.strip_prefix(name)?)))?;
    let parsed: usize = number.parse().ok()?;
    (parsed.to_string() == number).then_some((kind, parsed))
}

/// The blocks that a stage is made of.
struct Blocks<'a> {
    code: &'a Block,
    header: Option<&'a Block>,
    /// The copy program of the same number: of a geometry program its own.
    copy: Option<&'a Block>,
}

fn stage(name: String, blocks: Blocks<'_>, offset: u64) -> Stage<'_> {
    let block = blocks.code;
    let copy = block.kind == BlockKind::COPY;
    let shader = blocks.header.and_then(Block::shader);
    let latte = match shader {
        Some(shader) if copy => shader.copy_latte(),
        Some(shader) => shader.latte_with_copy(blocks.copy.map(|copy| &*copy.data.0).unwrap_or_default()),
        None => Latte { copy_program: copy, ..Latte::default() },
    };
    let kind = match block.kind.code_of() {
        Some(ShaderKind::Pixel) => StageKind::Fragment,
        Some(ShaderKind::Geometry) => StageKind::Geometry,
        Some(ShaderKind::Compute) => StageKind::Compute,
        Some(ShaderKind::Vertex) | None => StageKind::Vertex,
    };
    Stage {
        id: StageId(name),
        kind,
        isa: Isa::Latte,
        code: Code { words: Cow::Owned(code_words(&block.data)), file_offset: offset, ..Code::default() },
        interface: Interface { latte: Some(Box::new(latte)), ..Interface::default() },
    }
}
