//! A record of `TITLEID_vkpipeline.bin`: which programs were drawn together. Big endian.
//!
//! ```text
//! u8 1 | u8 mask: 1 vertex, 2 geometry, 4 pixel | of each that is there: u64 base hash, u64 aux hash | registers
//! ```

use super::record::{Kind, Packed};
use crate::formats::caches::Wide;
use unshade_bytes::{Endian, Reader};

/// A pipeline.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pipeline<'r> {
    /// Its programs by their hashes, base and aux.
    pub programs: Vec<(Kind, Wide, Wide)>,
    /// The registers of the machine.
    pub registers: Packed<'r>,
}

impl<'r> Pipeline<'r> {
    /// Reads a pipeline that is all of these bytes; `None` for another record.
    pub fn read(bytes: &'r [u8]) -> Option<Self> {
        let mut reader = Reader::new(bytes, Endian::Big);
        let (version, mask) = (reader.u8("version").ok()?, reader.u8("mask").ok()?);
        if version != 1 || !(1..=7).contains(&mask) {
            return None;
        }
        let mut programs = Vec::new();
        for (bit, kind) in [Kind::Vertex, Kind::Geometry, Kind::Pixel].into_iter().enumerate() {
            if mask >> bit & 1 != 0 {
                programs.push((
                    kind,
                    Wide(reader.u64("base_hash").ok()?),
                    Wide(reader.u64("aux_hash").ok()?),
                ));
            }
        }
        let (version, size) = (reader.u8("registers").ok()?, reader.u16("registers").ok()?);
        let at = reader.offset();
        let frame = reader.bytes(size.into(), "registers").ok()?;
        let whole = version == 1 && reader.remaining() == 0;
        whole.then_some(Self { programs, registers: Packed { at, size: None, frame } })
    }

    /// What the emulator calls its programs in names of files.
    pub fn names(&self) -> impl Iterator<Item = String> + '_ {
        self.programs.iter().map(|(kind, base, aux)| format!("{base}_{aux}_{}", kind.suffix()))
    }
}
