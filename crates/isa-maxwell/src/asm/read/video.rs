//! The sources of video operations and their types.

use super::pieces::Reader;
use super::{Result, register};
use crate::field::Field;
use crate::print::{self, VIDEO_A, VIDEO_B, hides_types, video_part};
use crate::template::{VideoB, VideoTypes};

impl Reader<'_, '_> {
    /// The types of both sources, which are modifiers.
    pub(super) fn video_types(&mut self) -> Result<()> {
        let known = |at: usize| {
            let (name, _) = self.modifiers.get(at).filter(|_| !self.is_used(at))?;
            print::TYPES.iter().copied().find(|kind| kind.get(1..) == Some(*name))
        };
        let found = (0..self.modifiers.len()).find(|at| known(*at).is_some());
        self.types = found.and_then(|at| Some((known(at)?, known(at + 1)?)));
        match (found, self.types) {
            (Some(at), Some(_)) => self.mark(at, 2),
            (Some(_), None) => return self.miss("types of both sources"),
            _ => {}
        }
        Ok(())
    }

    /// The first source.
    pub(super) fn video_a(&mut self) -> Result<()> {
        let Some(number) = register(&mut self.cursor) else { return self.miss("a register") };
        self.set(Field::new(8, 8), number);
        let part = self.video_part();
        let kind = self.types.map_or(".S32", |(a, _)| a);
        let Some(value) = typed(kind, part, 0..16) else {
            return self.miss("a part that goes with the type");
        };
        self.set(VIDEO_A, value);
        Ok(())
    }

    fn video_part(&mut self) -> &'static str {
        [1, 2, 3, 5].map(video_part).into_iter().find(|part| self.cursor.name(part)).unwrap_or_default()
    }

    /// The second source.
    pub(super) fn video_b(&mut self, kind: VideoB) -> Result<()> {
        let shift = kind == VideoB::Shift;
        let types = if shift { VideoTypes::Shift } else { VideoTypes::Signed };
        let name = self.types.map(|(_, b)| b);
        if let Some(number) = register(&mut self.cursor) {
            self.set(Field::new(50, 1), 1);
            self.set(Field::new(20, 8), number);
            let part = self.video_part();
            let plain = if shift { ".U32" } else { ".S32" };
            // A shift's number has no sign.
            let values = if shift { 0..8 } else { 0..16 };
            let value = match (shift, name.unwrap_or(plain)) {
                (true, ".INVALIDSEL7") if part.is_empty() => Some(7),
                (_, name) => typed(name, part, values),
            };
            let Some(value) = value else { return self.miss("a part that goes with the type") };
            self.set(VIDEO_B, value & 7);
            if !shift {
                self.set(Field::new(49, 1), value >> 3);
            }
        } else {
            self.set(Field::new(50, 1), 0);
            let sign = match name {
                None | Some(".S16") => 1,
                Some(".U16") => 0,
                Some(_) => return self.miss("a register: a number is .U16 or .S16"),
            };
            if !shift {
                self.set(Field::new(49, 1), sign);
            }
            let field = Field::new(20, 16);
            if kind == VideoB::Typed && sign == 1 {
                self.signed(field, 1)?;
            } else {
                self.unsigned(field, 1)?;
            }
        }
        if name.is_none() && !hides_types(self.word, types) {
            return self.miss("an operation with types for its sources");
        }
        Ok(())
    }
}

/// The part and sign with a type and a suffix.
fn typed(name: &str, part: &str, mut values: std::ops::Range<u64>) -> Option<u64> {
    values.find(|value| print::TYPES.get(*value as usize) == Some(&name) && video_part(value & 7) == part)
}
