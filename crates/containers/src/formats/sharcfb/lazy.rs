//! The programs of an archive as stages, one after the other, straight from its bytes: the same as those of
//! [`Sharcfb::stages`](super::Sharcfb::stages), without the archive in memory.

use super::Archive;
use super::raw::{self, BinaryView, NO_BINARIES};
use super::stages::Wanted;
use crate::formats::agl::stages::Place;
use crate::formats::gx2::record::shader_kind;
use crate::formats::gx2::{Form, Shader, ShaderKind, code_words, edit};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use unshade_bytes::Endian;
use unshade_stage::{Code, Interface, Isa, Stage, StageId, StageKind};

/// A program that says which binaries are its own.
struct Claim {
    /// Its name, made unique.
    name: String,
    binaries: Range<u64>,
    /// Binaries of one variation.
    per: u64,
}

/// The programs that claim binaries, looked at in the order of the binaries.
struct Claims {
    /// In the order of the programs.
    all: Vec<Claim>,
    /// Indices of claims that were not reached yet, the nearest last.
    ahead: Vec<usize>,
    /// Those that have the current binary among their own.
    here: BTreeSet<usize>,
}

impl Claims {
    fn of(archive: &Archive<'_>) -> Self {
        let mut all = Vec::new();
        let mut taken = BTreeSet::new();
        let mut numbers: BTreeMap<String, u64> = BTreeMap::new();
        for program in archive.programs().flatten() {
            let text = crate::shared::Name(program.name().to_vec()).text();
            let mut name = text.clone();
            while !taken.insert(name.clone()) {
                let number = numbers.entry(text.clone()).or_default();
                *number = number.saturating_add(1);
                name = format!("{text}~{number}");
            }
            let Some(variations) = program.variation_count().ok() else {
                continue;
            };
            if program.view.base == NO_BINARIES {
                continue;
            }
            let per = u64::from(program.view.binaries_per_variation());
            let start = u64::from(program.view.base);
            let binaries = start..start.saturating_add(variations.saturating_mul(per));
            all.push(Claim { name, binaries, per });
        }
        let mut ahead: Vec<usize> = (0..all.len()).collect();
        ahead.sort_by_key(|&index| {
            std::cmp::Reverse(all.get(index).map(|claim: &Claim| claim.binaries.start))
        });
        Self { all, ahead, here: BTreeSet::new() }
    }

    /// The name of the first program that has the binary as a shader of that kind, with the variation. Binaries are
    /// asked for in rising order.
    fn owner(&mut self, binary: u64, kind: ShaderKind) -> Option<String> {
        while let Some(&next) = self.ahead.last()
            && self.all.get(next).is_some_and(|claim| claim.binaries.start <= binary)
        {
            self.ahead.pop();
            self.here.insert(next);
        }
        let all = &self.all;
        self.here.retain(|&index| all.get(index).is_some_and(|claim| binary < claim.binaries.end));
        self.here.iter().filter_map(|&index| all.get(index)).find_map(|claim| {
            let index = binary.checked_sub(claim.binaries.start)?;
            let stage = match index.checked_rem(claim.per)? {
                0 => ShaderKind::Vertex,
                1 => ShaderKind::Pixel,
                _ => ShaderKind::Geometry,
            };
            (stage == kind).then_some(format!("{}/{}", claim.name, index.checked_div(claim.per)?))
        })
    }
}

impl<'a> Archive<'a> {
    /// The programs in order of their binaries, under the names that [`Sharcfb::stages`](super::Sharcfb::stages)
    /// gives them. Each is made when it is asked for; what is kept is a few words for every program of the archive.
    pub fn stages(&self) -> impl Iterator<Item = Stage<'static>> + use<'a> {
        let endian = self.endian();
        let mut claims = Claims::of(self);
        self.binary_records().enumerate().flat_map(move |(number, (offset, record))| {
            let made = shader(offset, record, endian).map(|(shader, at)| {
                let owner = claims.owner(number as u64, shader.kind);
                let name = owner.unwrap_or_else(|| format!("@{number}"));
                [edit::Program::Main, edit::Program::Copy].map(|which| stage(&shader, &name, at, which))
            });
            made.into_iter().flatten().flatten()
        })
    }
}

impl<'a> Archive<'a> {
    /// The program of that name, as [`Sharcfb::stage`](super::Sharcfb::stage) finds it: only the records of the
    /// programs and the heads of the binaries in front of it are looked at.
    pub fn stage(&self, id: &StageId) -> Option<Stage<'static>> {
        let Wanted { owner, place, kind, which } = Wanted::of(id)?;
        let number = match place {
            Place::Variation(name, variation) => {
                let claims = Claims::of(self);
                let claim = claims.all.iter().find(|claim| claim.name == name)?;
                let first = claim.binaries.start.checked_add(variation.checked_mul(claim.per)?)?;
                let number = first.checked_add(kind as u64)?;
                claim.binaries.contains(&number).then_some(number)?
            }
            Place::Binary(number) => number,
        };
        let (offset, record) = self.binary_records().nth(usize::try_from(number).ok()?)?;
        let (shader, at) = shader(offset, record, self.endian())?;
        (shader.kind == kind).then(|| stage(&shader, owner, at, which))?
    }
}

/// The shader of a record at `offset`, with the offset of its data.
fn shader(offset: usize, record: &[u8], endian: Endian) -> Option<(Shader<'_>, u64)> {
    let view = BinaryView::read(record, endian)?;
    let at = offset.saturating_add(raw::BINARY).saturating_add(view.gap.len());
    Some((Shader::new(shader_kind(view.kind)?, Form::sharcfb(endian), view.data)?, at as u64))
}

/// A program of a shader whose data starts at `at` of the file; the copy program only of a geometry shader.
pub(super) fn stage(
    shader: &Shader<'_>,
    name: &str,
    at: u64,
    which: edit::Program,
) -> Option<Stage<'static>> {
    let copy = which == edit::Program::Copy;
    if copy && shader.kind != ShaderKind::Geometry {
        return None;
    }
    let (start, len) = which.place(shader).unwrap_or((0, 0));
    let bytes = shader.data.get(start..start.saturating_add(len)).unwrap_or_default();
    let beside = if shader.kind == ShaderKind::Geometry {
        let (start, len) = edit::Program::Copy.place(shader).unwrap_or((0, 0));
        shader.data.get(start..start.saturating_add(len)).unwrap_or_default()
    } else {
        &[]
    };
    let (word, kind) = match shader.kind {
        _ if copy => ("copy", StageKind::Vertex),
        ShaderKind::Pixel => ("pixel", StageKind::Fragment),
        ShaderKind::Geometry => ("geometry", StageKind::Geometry),
        ShaderKind::Vertex | ShaderKind::Compute => ("vertex", StageKind::Vertex),
    };
    Some(Stage {
        id: StageId(format!("{name}/{word}")),
        kind,
        isa: Isa::Latte,
        code: Code {
            words: Cow::Owned(code_words(bytes)),
            file_offset: at.saturating_add(start as u64),
            ..Code::default()
        },
        interface: Interface {
            latte: Some(Box::new(if copy { shader.copy_latte() } else { shader.latte_with_copy(beside) })),
            ..Interface::default()
        },
    })
}
