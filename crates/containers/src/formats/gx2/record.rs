//! A shader in the record of an archive: the GX2 structure with everything that it points to.

use super::edit;
use super::{Form, Shader, ShaderKind};
use crate::shared::Opaque;
use std::borrow::Cow;
use unshade_bytes::Result;

/// Multiple of the file at which code starts.
pub const ALIGNMENT: u64 = 0x100;
/// Bytes of the record in front of its data.
pub const HEAD: usize = 0x10;

/// A shader binary.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Binary {
    /// 0x04. 0 vertex, 1 pixel, 2 geometry.
    pub kind: u32,
    /// Bytes between the head of the record and its data.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Opaque::is_empty"))]
    pub gap: Opaque,
    /// The GX2 structure with its tables, names, padding and code.
    pub data: Opaque,
    /// Bytes behind the data.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Opaque::is_empty"))]
    pub tail: Opaque,
    /// The code does not lie at a multiple of 0x100 of the file, and stays where it is. Otherwise it is brought
    /// to one when something in front of it changes its length.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "is_false"))]
    pub code_unaligned: bool,
    /// The same of a copy program.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "is_false"))]
    pub copy_unaligned: bool,
}

#[cfg(feature = "serde")]
#[expect(clippy::trivially_copy_pass_by_ref, reason = "the shape that serde asks for")]
fn is_false(value: &bool) -> bool {
    !value
}

/// The shader of a binary's type.
pub(crate) fn shader_kind(number: u32) -> Option<ShaderKind> {
    match number {
        0 => Some(ShaderKind::Vertex),
        1 => Some(ShaderKind::Pixel),
        2 => Some(ShaderKind::Geometry),
        _ => None,
    }
}

impl Binary {
    /// Which structure it holds; `None` for an unknown type.
    pub fn shader_kind(&self) -> Option<ShaderKind> {
        shader_kind(self.kind)
    }

    /// Its structure; `None` for an unknown type and where it is cut.
    pub fn shader(&self, form: Form) -> Option<Shader<'_>> {
        Shader::new(self.shader_kind()?, form, &self.data)
    }

    /// Length of its record.
    pub(crate) fn len(&self) -> u64 {
        let parts = [&self.gap, &self.data, &self.tail];
        parts.iter().fold(HEAD as u64, |sum, part| sum.saturating_add(part.len() as u64))
    }

    /// Offset of the data of a record at `at`.
    pub(crate) fn data_at(&self, at: u64) -> u64 {
        at.saturating_add(HEAD as u64).saturating_add(self.gap.len() as u64)
    }

    /// The data of a record at `at`, with code at its alignment.
    pub(crate) fn aligned(&self, at: u64, form: Form) -> Result<Cow<'_, [u8]>> {
        let start = self.data_at(at);
        let Some(shader) = self.shader(form) else { return Ok(Cow::Borrowed(&self.data)) };
        let fixed = [(edit::Program::Main, self.code_unaligned), (edit::Program::Copy, self.copy_unaligned)];
        let mut programs: Vec<(usize, edit::Program)> = fixed
            .into_iter()
            .filter(|(_, unaligned)| !unaligned)
            .filter_map(|(program, _)| Some((program.place(&shader)?.0, program)))
            .collect();
        let off = |&(at, _): &(usize, _)| !start.saturating_add(at as u64).is_multiple_of(ALIGNMENT);
        if !programs.iter().any(off) {
            return Ok(Cow::Borrowed(&self.data));
        }
        // The front one first: it moves what is behind it.
        programs.sort_by_key(|(at, _)| *at);
        let mut data = self.data.0.clone();
        for (_, program) in programs {
            edit::align(shader.kind, form, &mut data, program, start, ALIGNMENT)?;
        }
        Ok(Cow::Owned(data))
    }
}
