//! Whole shaders of a GFD: taken, put, added, removed. A shader is a header block, a code block, of a geometry shader
//! the block of its copy program, and the padding in front of code.

use super::model::{Block, BlockKind, Gfd};
use super::raw::ALIGNMENT;
use super::stages::parse;
use crate::formats::gx2::{Blocks, Detached, Parts, ShaderKind, layout::HeaderStyle};
use crate::shared::Opaque;
use crate::shared::programs::{Details, NewProgram, Removed, missing, unfit, wrong};
use unshade_bytes::Result;
use unshade_stage::StageId;

/// Where the blocks of a shader stand among all, and how the file counts: what puts it back exactly.
#[derive(Debug, Clone, PartialEq)]
pub struct Placement {
    /// The blocks with their places, ascending; those of the shader without their data.
    blocks: Vec<(usize, Block)>,
    counting: Counting,
}

/// What the writer of a file numbered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Counting {
    /// The field `id` of each block is its place.
    ids: bool,
    /// The field `index` of each block of a shader is the number of that shader.
    indices: bool,
}

/// The blocks of a shader.
struct Shader {
    kind: ShaderKind,
    header: Option<usize>,
    code: usize,
    copy: Option<usize>,
}

impl Gfd {
    /// The shader of that name with its structure; a copy program comes with its geometry shader.
    ///
    /// # Errors
    /// [`unshade_bytes::ErrorKind::OutOfBounds`] where no stage has that name.
    pub fn take(&self, id: &StageId) -> Result<Detached> {
        let shader = self.find(id)?;
        let data = |index: usize| self.blocks.get(index).map(|block| block.data.clone());
        let blocks = Blocks {
            header: shader.header.and_then(data),
            code: data(shader.code).unwrap_or_default(),
            copy: shader.copy.and_then(data),
        };
        Ok(Detached { kind: shader.kind, parts: Parts::Blocks(blocks) })
    }

    /// Puts another shader of the same kind in the place of that name: structure, tables and programs.
    ///
    /// # Errors
    /// [`unshade_bytes::ErrorKind::OutOfBounds`] where no stage has that name;
    /// [`unshade_bytes::ErrorKind::BadValue`] for another kind of shader, and for one with other blocks;
    /// [`unshade_bytes::ErrorKind::Unrepresentable`] where a GFD cannot hold it.
    pub fn put(&mut self, id: &StageId, shader: &Detached) -> Result<()> {
        let place = self.find(id)?;
        if place.kind != shader.kind {
            let expected = format!("a {} shader", place.kind.name());
            return Err(wrong(&id.0, expected, format!("a {} shader", shader.kind.name())));
        }
        let header = place.header.and_then(|index| self.blocks.get(index));
        let blocks = shader.to_blocks(header.map_or_else(HeaderStyle::default, style))?;
        let parts = [
            ("a header", place.header, blocks.header),
            ("code", Some(place.code), Some(blocks.code)),
            ("a copy program", place.copy, blocks.copy),
        ];
        for (what, index, data) in parts {
            let (Some(index), Some(data)) = (index, &data) else {
                if index.is_some() == data.is_some() {
                    continue;
                }
                let whether = |there: bool| if there { "with" } else { "without" };
                let expected = format!("a shader {} {what}", whether(index.is_some()));
                return Err(wrong(&id.0, expected, format!("one {} it", whether(data.is_some()))));
            };
            if let Some(block) = self.blocks.get_mut(index).filter(|block| block.data != *data) {
                block.data = data.clone();
                block.size = None;
            }
        }
        Ok(())
    }

    /// Adds a shader in front of the end block: header and code, each numbered and aligned as in the rest of the
    /// file.
    ///
    /// # Errors
    /// [`unshade_bytes::ErrorKind::BadValue`] for anything but one shader with a structure, without name and values;
    /// [`unshade_bytes::ErrorKind::Unrepresentable`] where a GFD cannot hold it.
    pub fn add(&mut self, what: &NewProgram) -> Result<Vec<StageId>> {
        let shader: &Detached = what.only("one shader of the Wii U")?;
        what.bare("a shader of a GFD")?;
        let blocks = shader.to_blocks(self.style())?;
        let number = match (what.details.get::<Placement>(), what.at) {
            (Some(stood), Some(_)) => self.put_back(shader.kind, stood, &blocks)?,
            (_, at) => self.append(shader.kind, at, blocks)?,
        };
        let mut names = vec![StageId(format!("{}{number}", shader.kind.name()))];
        if shader.kind == ShaderKind::Geometry {
            names.push(StageId(format!("copy{number}")));
        }
        Ok(names)
    }

    /// Takes the shader of that name out, with its blocks and the padding in front of its code.
    ///
    /// # Errors
    /// [`unshade_bytes::ErrorKind::OutOfBounds`] where no stage has that name;
    /// [`unshade_bytes::ErrorKind::Unrepresentable`] for a copy program alone.
    pub fn remove(&mut self, item: &str) -> Result<Removed> {
        let id = StageId(item.to_owned());
        let shader = self.find(&id)?;
        if item.starts_with("copy") {
            let geometry = item.replacen("copy", "geometry", 1);
            return Err(unfit(item, format!("a whole shader (`{geometry}`)"), "its copy program alone"));
        }
        let loose = self.take(&id)?;
        let counting = self.counting();
        let mut places: Vec<usize> =
            [shader.header, Some(shader.code), shader.copy].into_iter().flatten().collect();
        let padding = |place: &usize| {
            let block = self.blocks.get(*place)?;
            let before = place.checked_sub(1)?;
            let is_padding = self.blocks.get(before)?.kind == BlockKind::PADDING;
            (block.kind.is_code() && is_padding).then_some(before)
        };
        let paddings: Vec<usize> = places.iter().filter_map(padding).collect();
        places.extend(paddings);
        places.sort_unstable();
        let mut blocks = Vec::with_capacity(places.len());
        for &place in places.iter().rev() {
            let mut block = self.blocks.remove(place);
            if block.kind != BlockKind::PADDING {
                block.data = Opaque::default();
            }
            blocks.push((place, block));
        }
        blocks.reverse();
        counting.apply(self);
        let mut stages = vec![id];
        if let Some(number) = item.strip_prefix("geometry").filter(|_| shader.copy.is_some()) {
            stages.push(StageId(format!("copy{number}")));
        }
        Ok(Removed {
            stages,
            again: NewProgram {
                stages: vec![loose.into()],
                at: places.first().copied(),
                details: Details::new(Placement { blocks, counting }),
                ..NewProgram::default()
            },
        })
    }

    /// The blocks of the shader that a name means.
    fn find(&self, id: &StageId) -> Result<Shader> {
        let (code, number) = parse(id).ok_or_else(|| missing(&id.0))?;
        let kind = code.code_of().unwrap_or(ShaderKind::Geometry);
        let nth = |kind: BlockKind| self.nth(kind, number).map(|(index, _)| index);
        let copy = (kind == ShaderKind::Geometry).then(|| nth(BlockKind::COPY)).flatten();
        nth(code).ok_or_else(|| missing(&id.0))?;
        let code = nth(BlockKind::code(kind))
            .ok_or_else(|| unfit(&id.0, "a copy program with its geometry shader", "no such shader"))?;
        Ok(Shader { kind, header: nth(BlockKind::header(kind)), code, copy })
    }

    fn put_back(&mut self, kind: ShaderKind, stood: &Placement, blocks: &Blocks) -> Result<usize> {
        for (place, block) in &stood.blocks {
            if *place > self.blocks.len() {
                let expected = format!("a place among {} blocks", self.blocks.len());
                return Err(wrong("at", expected, place.to_string()));
            }
            let data = match block.kind {
                BlockKind::PADDING => Some(&block.data),
                BlockKind::COPY => blocks.copy.as_ref(),
                header if header == BlockKind::header(kind) => blocks.header.as_ref(),
                _ => Some(&blocks.code),
            };
            let data = data.cloned().unwrap_or_default();
            self.blocks.insert(*place, Block { data, ..block.clone() });
        }
        stood.counting.apply(self);
        Ok(stood.number(self, BlockKind::code(kind)))
    }

    fn append(&mut self, kind: ShaderKind, at: Option<usize>, blocks: Blocks) -> Result<usize> {
        let counting = self.counting();
        let aligned =
            self.align != 0 || self.blocks.iter().any(|block| block.aligned && block.kind.is_code());
        let ends = self.blocks.last().is_some_and(|block| block.kind == BlockKind::END);
        let end = self.blocks.len().saturating_sub(ends.into());
        let mut place = at.unwrap_or(end);
        if place > end {
            return Err(wrong("at", format!("a place from 0 to {end}"), place.to_string()));
        }
        let before =
            |kind: BlockKind| self.blocks.iter().take(place).filter(|block| block.kind == kind).count();
        let all = |kind: BlockKind| self.blocks.iter().filter(|block| block.kind == kind).count();
        let (number, count) = (before(BlockKind::code(kind)), all(BlockKind::code(kind)));
        // Header and code belong together by their numbers.
        let copies = (kind == ShaderKind::Geometry).then_some(BlockKind::COPY);
        let mut others = [BlockKind::header(kind)].into_iter().chain(copies);
        if let Some(odd) = others.find(|kind| before(*kind) != number || all(*kind) != count) {
            let expected = format!("as many blocks {} as blocks of code", odd.name().unwrap_or_default());
            return Err(unfit("", expected, format!("{} and {count}", all(odd))));
        }
        let header = blocks.header.ok_or_else(|| unfit("", "a shader with its structure", "code alone"))?;
        let index = u32::try_from(number).unwrap_or(u32::MAX);
        let (major, minor) = self.blocks.first().map_or((1, 0), |block| (block.major, block.minor));
        let copy = blocks.copy.map(|data| (BlockKind::COPY, data));
        let new = [(BlockKind::header(kind), header), (BlockKind::code(kind), blocks.code)];
        for (kind, data) in new.into_iter().chain(copy) {
            let aligned = aligned && kind.is_code();
            let block = Block { kind, major, minor, index, aligned, data, ..Block::default() };
            if aligned {
                let padding = Block { kind: BlockKind::PADDING, major, minor, index, ..Block::default() };
                self.blocks.insert(place, padding);
                place = place.saturating_add(1);
            }
            self.blocks.insert(place, block);
            if aligned {
                self.fit(place.saturating_sub(1));
            }
            place = place.saturating_add(1);
        }
        counting.apply(self);
        Ok(number)
    }

    /// Gives a new block of padding the zeros that what follows needs.
    fn fit(&mut self, index: usize) {
        let len = self.placed().get(index).map_or(0, |placed| placed.len);
        if let Some(block) = self.blocks.get_mut(index) {
            block.data.0.resize(usize::try_from(len.min(ALIGNMENT)).unwrap_or(0), 0);
        }
    }

    /// How the writer of the file lays out shader headers.
    fn style(&self) -> HeaderStyle {
        self.blocks.iter().find_map(|block| Some(block.contents()?.1)).unwrap_or_default()
    }

    fn counting(&self) -> Counting {
        let ids = self.blocks.iter().zip(0..).all(|(block, place)| block.id == place);
        let mut seen = Numbers::default();
        let indices = self.blocks.iter().all(|block| seen.next(block.kind).is_none_or(|n| n == block.index));
        Counting { ids, indices }
    }
}

/// The number of each block among those of its kind.
#[derive(Default)]
struct Numbers(std::collections::BTreeMap<BlockKind, u32>);

impl Numbers {
    /// The number of the next block of a kind; `None` for one that belongs to no shader.
    fn next(&mut self, kind: BlockKind) -> Option<u32> {
        let counted = kind.is_code() || kind.header_of().is_some();
        let number = self.0.entry(kind).or_default();
        counted.then(|| std::mem::replace(number, number.saturating_add(1)))
    }
}

impl Counting {
    /// Numbers the blocks as the writer of the file did.
    fn apply(self, file: &mut Gfd) {
        let mut seen = Numbers::default();
        for (block, place) in file.blocks.iter_mut().zip(0..) {
            if self.ids {
                block.id = place;
            }
            if let Some(number) = seen.next(block.kind).filter(|_| self.indices) {
                block.index = number;
            }
        }
    }
}

impl Placement {
    /// The number of the shader among its kind, where its code stands again.
    fn number(&self, file: &Gfd, code: BlockKind) -> usize {
        let place = self.blocks.iter().find(|(_, block)| block.kind == code).map_or(0, |(place, _)| *place);
        file.blocks.iter().take(place).filter(|block| block.kind == code).count()
    }
}

/// How a header was laid out.
fn style(header: &Block) -> HeaderStyle {
    header.contents().map(|(_, style)| style).unwrap_or_default()
}
