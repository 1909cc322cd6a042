//! What is wrong with a GFD that could be read. The code is not looked at, but for its size and place.

use super::model::{Block, BlockKind, Gfd};
use super::raw::{ALIGNMENT, HEADER};
use super::relocation::{self, Pointing, Relocation};
use crate::formats::gx2::relocation::TRAILER;
use crate::formats::gx2::{Form, Member, Pieces, ShaderKind, check};
use crate::shared::findings::{Findings, inside};
use unshade_bytes::Diagnostic;

impl Gfd {
    /// All findings, most severe first, then by place; at most [`unshade_bytes::Limits::diagnostics`] and a
    /// note that counts the others.
    pub fn check(&self) -> Vec<Diagnostic> {
        let mut found = Findings::default();
        self.check_header(&mut found);
        let placed = self.placed();
        for (index, (block, placed)) in self.blocks.iter().zip(&placed).enumerate() {
            let path = format!("blocks[{index}]");
            block.check(&mut found, placed.at, &path);
            let data = placed.at.saturating_add(block.header_len());
            if self.align != 0 && block.kind.is_code() && !data.is_multiple_of(ALIGNMENT) {
                found.warning(
                    "gfd.alignment",
                    (data, block.data.len() as u64),
                    &inside(&path, "code"),
                    || {
                        format!(
                            "expected code at a multiple of 0x100, as the header says, found it at {data:#x}"
                        )
                    },
                );
            }
        }
        self.pairs(&mut found, &placed.iter().map(|placed| placed.at).collect::<Vec<_>>());
        let end = placed.last().zip(self.blocks.last()).map_or(self.header_len(), |(placed, block)| {
            placed.at.saturating_add(block.header_len()).saturating_add(placed.len)
        });
        if self.blocks.last().is_none_or(|block| block.kind != BlockKind::END) {
            found.error("gfd.end", (end, 0), "", || {
                "expected a block of type 1 (end) at the end of the file, found none".to_owned()
            });
        }
        if !self.trailing.is_empty() {
            let len = self.trailing.len() as u64;
            found.warning("gfd.trailing", (end, len), "trailing", || {
                format!("expected the end of the file behind its last block, found {len} more bytes")
            });
        }
        found.finish("gfd.more")
    }

    fn check_header(&self, found: &mut Findings) {
        if let Some(size) = self.header_size {
            found.error("gfd.header-size", (4, 4), "header_size", || {
                format!("expected at least {HEADER:#x} bytes that the file has, found {size:#x}")
            });
        }
        if !matches!(self.major, 6 | 7) {
            found.warning("gfd.version", (8, 4), "major_version", || {
                format!("expected 7, or 6 of old files, found {}", self.major)
            });
        }
        if self.gpu != 2 {
            found.warning("gfd.gpu", (0x10, 4), "gpu_version", || {
                format!("expected 2, the GPU of the Wii U, found {}", self.gpu)
            });
        }
        for (index, word) in self.unknown.iter().enumerate().filter(|(_, word)| **word != 0) {
            let (at, path) = if index == 0 { (0x18, "unknown_18") } else { (0x1C, "unknown_1c") };
            found.note("gfd.unknown", (at, 4), path, || format!("expected 0, found {word:#x}"));
        }
    }

    /// Each shader header with its code.
    fn pairs(&self, found: &mut Findings, places: &[u64]) {
        let all = |kind: BlockKind| -> Vec<(usize, &Block)> {
            self.blocks.iter().enumerate().filter(|(_, block)| block.kind == kind).collect()
        };
        let programs = ShaderKind::ALL
            .map(|kind| (kind, BlockKind::code(kind), Member::CodeSize))
            .into_iter()
            .chain([(ShaderKind::Geometry, BlockKind::COPY, Member::CopySize)]);
        for (kind, code, member) in programs {
            let (headers, codes) = (all(BlockKind::header(kind)), all(code));
            for (number, (index, header)) in headers.iter().enumerate() {
                let path = format!("blocks[{index}]");
                let at = places.get(*index).copied().unwrap_or(0);
                let Some((_, code)) = codes.get(number) else {
                    found.warning("gfd.code-missing", (at, header.len()), &path, || {
                        let name = code.name().unwrap_or_default();
                        format!("expected a block {name} for this header, found none")
                    });
                    continue;
                };
                let Some(shader) = header.shader() else { continue };
                let (stated, size) = (shader.member(member), code.data.len());
                if stated as usize != size {
                    let row = kind.row(member);
                    let word = row.map_or(0, |row| u64::from(row.word).saturating_mul(4));
                    let place = (at.saturating_add(header.header_len()).saturating_add(word), 4);
                    let path = inside(&path, &format!("data.structure.{}", row.map_or("", |row| row.name)));
                    found.warning("gfd.code-size", place, &path, || {
                        format!("expected {size}, the size of the code, found {stated}")
                    });
                }
            }
            for (index, block) in codes.iter().skip(headers.len()) {
                let at = places.get(*index).copied().unwrap_or(0);
                found.warning("gfd.header-missing", (at, block.len()), &format!("blocks[{index}]"), || {
                    let name = BlockKind::header(kind).name().unwrap_or_default();
                    format!("expected a block {name} for this code, found none")
                });
            }
        }
    }
}

impl Block {
    fn check(&self, found: &mut Findings, at: u64, path: &str) {
        let field = |offset: u64| (at.saturating_add(offset), 4);
        if let Some(size) = self.header_size {
            found.error("gfd.header-size", field(4), &inside(path, "header_size"), || {
                format!("expected at least {HEADER:#x} bytes that the file has, found {size:#x}")
            });
        }
        if let Some(size) = self.size {
            let len = self.data.len();
            found.error("gfd.block-size", field(0x14), &inside(path, "data_size"), || {
                format!("expected at most {len} bytes, which the file has left, found {size}")
            });
        }
        if self.kind.name().is_none() {
            found.warning("gfd.block-type", field(0x10), &inside(path, "type"), || {
                format!("expected a type from 1 to 15 but 4, found {}", self.kind.0)
            });
        }
        if self.major > 1 {
            found.warning("gfd.block-version", field(8), &inside(path, "major_version"), || {
                format!("expected 1, or 0 of old files, found {}", self.major)
            });
        }
        let base = at.saturating_add(self.header_len());
        let place = (base, self.data.len() as u64);
        if self.kind == BlockKind::PADDING && self.data.iter().any(|&byte| byte != 0) {
            found.warning("gfd.padding", place, &inside(path, "padding"), || {
                "expected zeros, found other bytes".to_owned()
            });
        }
        if self.kind == BlockKind::END && !self.data.is_empty() {
            found.warning("gfd.end", place, path, || {
                format!("expected no data in the last block, found {} bytes", self.data.len())
            });
        }
        if self.kind.is_code() && !self.data.len().is_multiple_of(8) {
            found.warning("gfd.code-size", place, &inside(path, "code"), || {
                format!("expected a multiple of 8 bytes, found {}", self.data.len())
            });
        }
        if let Some(kind) = self.kind.header_of() {
            self.check_header(found, kind, base, path);
        }
    }

    fn check_header(&self, found: &mut Findings, kind: ShaderKind, base: u64, path: &str) {
        let place = (base, self.data.len() as u64);
        let Some(shader) = self.shader() else {
            return found.error("gfd.structure", place, &inside(path, "data"), || {
                let (size, len) = (kind.size(), self.data.len());
                format!("expected a structure of {size:#x} bytes, found {len:#x}")
            });
        };
        let data_path = inside(path, "data");
        check::Check { found, shader, base, path: &data_path }.all();
        let Some(relocation) = Relocation::of(&self.data) else {
            return found.error("gfd.trailer", place, &inside(path, "data"), || {
                "expected the trailer \"}BLK\" at the end of the header, found none: pointers stay offsets".to_owned()
            });
        };
        let trailer_at = base.saturating_add(relocation.at as u64);
        let trailer_path = inside(path, "data.trailer");
        let trailer = relocation.trailer;
        if trailer.size as usize != TRAILER {
            found.error(
                "gfd.trailer",
                (trailer_at.saturating_add(4), 4),
                &inside(&trailer_path, "size"),
                || format!("expected {TRAILER:#x}, found {:#x}", trailer.size),
            );
        }
        let offsets = [
            ("data_offset", 0x10, trailer.data, trailer.data_size),
            ("text_offset", 0x18, trailer.text, trailer.text_size),
        ];
        for (name, offset, pointer, size) in offsets {
            let end = Form::GFD.data(pointer).and_then(|start| start.checked_add(size as usize));
            if end.is_none_or(|end| end > relocation.at) {
                let place = (trailer_at.saturating_add(offset), 4);
                found.error("gfd.trailer", place, &inside(&trailer_path, name), || {
                    format!("expected {size} bytes in front of the trailer, found them at {pointer:#x}")
                });
            }
        }
        if relocation.patches_at.is_none() {
            let place = (trailer_at.saturating_add(0x20), 8);
            return found.error("gfd.patches", place, &inside(&trailer_path, "patch_count"), || {
                let (count, at) = (trailer.patch_count, trailer.patches);
                format!("expected {count} patches in front of the trailer, found them at {at:#x}")
            });
        }
        self.check_patches(found, &relocation, base, path);
    }

    /// Every pointer is in the table of pointers, and nothing else is.
    fn check_patches(&self, found: &mut Findings, relocation: &Relocation<'_>, base: u64, path: &str) {
        let Some(shader) = self.shader() else { return };
        let pointers = relocation::pointers(&shader);
        let patches: Vec<u32> = relocation.patches().collect();
        let at = relocation.patches_at.unwrap_or(0);
        let stray = relocation::stray_zeros(&shader, &patches);
        if stray > 0 {
            let place = (base.saturating_add(at as u64), (patches.len() as u64).saturating_mul(4));
            found.warning("gfd.patch", place, &inside(path, "data.patches"), || {
                format!(
                    "expected zeros in place of null pointers of the structure and at the end alone, found {stray} others"
                )
            });
        }
        if patches.is_empty() && !pointers.is_empty() {
            let place = (base.saturating_add(relocation.at as u64).saturating_add(0x20), 4);
            found.error("gfd.unpatched", place, &inside(path, "data.trailer.patch_count"), || {
                format!(
                    "expected {} pointers among the patches, found no patches: they stay offsets",
                    pointers.len()
                )
            });
        }
        let mut patched = vec![patches.is_empty(); pointers.len()];
        for (index, patch) in patches.iter().enumerate().filter(|(_, patch)| **patch != 0) {
            let place = (base.saturating_add(at.saturating_add(index.saturating_mul(4)) as u64), 4);
            let name = || inside(path, &format!("data.patches[{index}]"));
            let offset = (patch & !Form::TAG) as usize;
            let known = pointers.binary_search_by_key(&offset, |pointer| pointer.at).ok();
            match known.and_then(|known| Some((patched.get_mut(known)?, pointers.get(known)?))) {
                Some((patched, pointer)) => {
                    *patched = true;
                    let tag = patch & Form::TAG;
                    let is_name = matches!(pointer.what, Pointing::Name(..));
                    if tag != Form::DATA && !(is_name && tag == Form::TEXT) {
                        found.warning("gfd.patch-tag", place, &name(), || {
                            let text = if is_name { format!(" or {:#x}", Form::TEXT) } else { String::new() };
                            format!("expected the tag {:#x}{text}, found {tag:#x}", Form::DATA)
                        });
                    }
                }
                None => found.warning("gfd.patch", place, &name(), || {
                    format!("expected the place of a pointer, found {patch:#x}")
                }),
            }
        }
        for (pointer, _) in pointers.iter().zip(patched).filter(|(_, patched)| !patched) {
            let place = (base.saturating_add(pointer.at as u64), 4);
            let field = inside(&inside(path, "data"), &pointer.what.path());
            found.error("gfd.unpatched", place, &field, || {
                format!("expected the pointer at {:#x} among the patches: it stays an offset", pointer.at)
            });
        }
        // Names share bytes in no file; a table inside of another one is not what was meant.
        let pieces = Pieces::of(&shader);
        for pair in pieces.0.windows(2) {
            let [before, after] = pair else { continue };
            if before.end() > after.at {
                let place = (base.saturating_add(after.at as u64), after.len as u64);
                found.warning("gfd.overlap", place, &inside(path, "data"), || {
                    format!(
                        "expected parts that do not overlap, found {:?} over {:?}",
                        after.kind, before.kind
                    )
                });
            }
        }
    }
}
