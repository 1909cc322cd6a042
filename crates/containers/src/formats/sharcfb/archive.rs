//! An archive looked at in its bytes: programs, variations and binaries are found when they are asked for.
//!
//! Opening looks at the header and at the sizes of the two arrays. Nothing is copied; a program is found by going
//! over the programs in front of it, a binary by going over the binaries in front of it, a record at a time.

use super::raw::{self, ArrayView, BinaryView, Header, MacroView, ProgramView, Records, SymbolView};
use super::read::header;
use super::{MacroList, SymbolKind, variation::MacroValues};
use crate::formats::gx2::{Form, Shader, ShaderKind};
use crate::shared::opaque::escape;
use std::sync::OnceLock;
use unshade_bytes::{Endian, Error, ErrorKind, Result};

/// An archive over its bytes.
///
/// ```no_run
/// # fn main() -> unshade_bytes::Result<()> {
/// # let bytes = [];
/// use unshade_containers::sharcfb::Archive;
/// let archive = Archive::open(&bytes)?;
/// let program = archive.program_named("toon")?;
/// let macros = program.macro_list()?;
/// let variation = macros.variation_of(&[("FOG", "1")])?;
/// let vertex = archive.binary(program.binary_number(variation, unshade_containers::gx2::ShaderKind::Vertex)?)?;
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Archive<'a> {
    bytes: &'a [u8],
    endian: Endian,
    version: u32,
    name: &'a [u8],
    binaries: ArrayView<'a>,
    /// Offset of the first record.
    binaries_at: usize,
    programs: ArrayView<'a>,
    programs_at: usize,
    /// Offset of each binary, once somebody asks for one.
    places: OnceLock<Vec<u32>>,
}

/// A program of an [`Archive`].
#[derive(Debug, Clone, Copy)]
pub struct Program<'a> {
    /// Number among the programs.
    pub number: usize,
    /// Offset of its record in the file.
    pub offset: u64,
    /// Its fields.
    pub view: ProgramView<'a>,
    endian: Endian,
}

/// A binary of an [`Archive`].
#[derive(Debug, Clone, Copy)]
pub struct Binary<'a> {
    /// Number among the binaries.
    pub number: u32,
    /// Offset of its record in the file.
    pub offset: u64,
    /// Its fields.
    pub view: BinaryView<'a>,
    endian: Endian,
}

impl<'a> Archive<'a> {
    /// Looks at the header and finds the two arrays.
    ///
    /// # Errors
    /// As [`super::read()`]; and [`ErrorKind::Truncated`] where an array is missing.
    pub fn open(bytes: &'a [u8]) -> Result<Self> {
        let (Header { version, .. }, endian, name, rest) = header(bytes)?;
        let missing = |at: &[u8], path: &'static str| {
            let offset = bytes.len().saturating_sub(at.len()) as u64;
            let found = format!("the end after {} bytes", at.len());
            Error::new(ErrorKind::Truncated, offset, path, "size and count", found).code("sharcfb.truncated")
        };
        let at = |rest: &[u8]| bytes.len().saturating_sub(rest.len()).saturating_add(8);
        let binaries_at = at(rest);
        let (binaries, rest) = ArrayView::split(rest, endian).ok_or_else(|| missing(rest, "binaries"))?;
        let programs_at = at(rest);
        let (programs, _) = ArrayView::split(rest, endian).ok_or_else(|| missing(rest, "programs"))?;
        let places = OnceLock::new();
        Ok(Self { bytes, endian, version, name, binaries, binaries_at, programs, programs_at, places })
    }

    /// The whole file.
    pub fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// Byte order of the numbers.
    pub fn endian(&self) -> Endian {
        self.endian
    }

    /// Its name, without NUL.
    pub fn name(&self) -> &'a [u8] {
        raw::text(self.name)
    }

    /// How many binaries it says that it has.
    pub fn binary_count(&self) -> u32 {
        self.binaries.count
    }

    /// How many programs it says that it has.
    pub fn program_count(&self) -> u32 {
        self.programs.count
    }

    /// The programs in order.
    ///
    /// # Errors
    /// An item is an error where a record does not hold what it says.
    pub fn programs(&self) -> impl Iterator<Item = Result<Program<'a>>> + use<'a> {
        let (endian, version) = (self.endian, self.version);
        placed(self.programs.records(raw::PROGRAM), self.programs_at).enumerate().map(
            move |(number, (offset, record))| {
                let offset = offset as u64;
                let view = ProgramView::read(record, endian, version)
                    .ok_or_else(|| damaged(format!("programs[{number}]"), offset, "a name and six arrays"))?;
                Ok(Program { number, offset, view, endian })
            },
        )
    }

    /// The first program of that name, which is looked for as the console does.
    ///
    /// # Errors
    /// [`ErrorKind::OutOfBounds`] where there is none; the message lists programs. That of a damaged record in
    /// front of it.
    pub fn program_named(&self, name: &str) -> Result<Program<'a>> {
        let mut known = Vec::new();
        for program in self.programs() {
            let program = program?;
            if program.name() == name.as_bytes() {
                return Ok(program);
            }
            if known.len() < 20 {
                known.push(escape(program.name()));
            }
        }
        let more = (self.program_count() as usize).saturating_sub(known.len());
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        let expected = match known.is_empty() {
            true => "a program: the archive has none".to_owned(),
            false => format!("one of the programs {}{more}", known.join(", ")),
        };
        Err(Error::new(ErrorKind::OutOfBounds, 0, "", expected, format!("`{name}`")).code("sharcfb.program"))
    }

    /// The records of the binaries with their offsets in the file.
    pub(super) fn binary_records(&self) -> impl Iterator<Item = (usize, &'a [u8])> + use<'a> {
        placed(self.binaries.records(raw::BINARY), self.binaries_at)
    }

    /// The `number`th binary.
    ///
    /// # Errors
    /// [`ErrorKind::OutOfBounds`] where there are not so many; [`ErrorKind::BadValue`] where its data does
    /// not lie in its record.
    pub fn binary(&self, number: u32) -> Result<Binary<'a>> {
        let places = self.places.get_or_init(|| {
            let records = placed(self.binaries.records(raw::BINARY), self.binaries_at);
            records.filter_map(|(offset, _)| u32::try_from(offset).ok()).collect()
        });
        let path = || format!("binaries[{number}]");
        let offset = places.get(number as usize).copied().ok_or_else(|| {
            let expected = format!("a binary below {}", places.len());
            Error::new(ErrorKind::OutOfBounds, 0, "binaries", expected, number.to_string())
                .code("sharcfb.binary")
        })?;
        let record = self
            .bytes
            .get(offset as usize..)
            .and_then(|rest| rest.get(..raw::word(rest, 0, self.endian)? as usize));
        let view = record.and_then(|record| BinaryView::read(record, self.endian));
        let view = view.ok_or_else(|| damaged(path(), offset.into(), "data inside of the record"))?;
        Ok(Binary { number, offset: offset.into(), view, endian: self.endian })
    }
}

/// Records with their offsets in the file.
fn placed<'a>(mut records: Records<'a>, first: usize) -> impl Iterator<Item = (usize, &'a [u8])> + use<'a> {
    let mut at = first;
    std::iter::from_fn(move || {
        let record = records.next()?;
        let offset = at;
        at = at.saturating_add(record.len());
        Some((offset, record))
    })
}

fn damaged(path: String, offset: u64, expected: &'static str) -> Error {
    Error::new(ErrorKind::BadValue, offset, path, expected, "sizes that do not fit").code("sharcfb.damaged")
}

impl<'a> Program<'a> {
    /// Its name, without NUL.
    pub fn name(&self) -> &'a [u8] {
        raw::text(self.view.name)
    }

    /// Whether it has a shader of that kind.
    pub fn has(&self, kind: ShaderKind) -> bool {
        stage_bit(kind).is_some_and(|bit| self.view.stages & bit != 0)
    }

    /// The macros with all their values.
    ///
    /// # Errors
    /// An item is an error where a record does not hold what it says.
    pub fn macros(&self) -> impl Iterator<Item = Result<MacroView<'a>>> + use<'a> {
        self.macros_of(self.view.macros, "macros")
    }

    /// The macros with their default value each.
    ///
    /// # Errors
    /// An item is an error where a record does not hold what it says.
    pub fn defaults(&self) -> impl Iterator<Item = Result<MacroView<'a>>> + use<'a> {
        self.macros_of(self.view.defaults, "defaults")
    }

    fn macros_of(
        &self,
        array: ArrayView<'a>,
        name: &'static str,
    ) -> impl Iterator<Item = Result<MacroView<'a>>> + use<'a> {
        let Self { number, offset, endian, .. } = *self;
        array.records(raw::MACRO).enumerate().map(move |(index, record)| {
            let path = || format!("programs[{number}].{name}[{index}]");
            MacroView::read(record, endian).ok_or_else(|| damaged(path(), offset, "name, values and id"))
        })
    }

    /// The symbols of a kind.
    ///
    /// # Errors
    /// An item is an error where a record does not hold what it says.
    pub fn symbols(&self, kind: SymbolKind) -> impl Iterator<Item = Result<SymbolView<'a>>> + use<'a> {
        let Self { number, offset, endian, view } = *self;
        let array = match kind {
            SymbolKind::Uniforms => view.symbols[0],
            SymbolKind::Blocks => view.symbols[1],
            SymbolKind::Samplers => view.symbols[2],
            SymbolKind::Attributes => view.symbols[3],
        };
        array.records(raw::SYMBOL).enumerate().map(move |(index, record)| {
            let path = || format!("programs[{number}].{}[{index}]", kind.name());
            SymbolView::read(record, endian)
                .ok_or_else(|| damaged(path(), offset, "names, default value and flags"))
        })
    }

    /// The macros with their values and defaults, to find variations by.
    ///
    /// # Errors
    /// That of a damaged record.
    pub fn macro_list(&self) -> Result<MacroList<'a>> {
        let defaults: Vec<MacroView<'a>> = self.defaults().collect::<Result<_>>()?;
        let macros = self.macros().enumerate().map(|(index, view)| {
            let view = view?;
            Ok(macro_values(&view, defaults.get(index), &defaults))
        });
        Ok(MacroList { macros: macros.collect::<Result<_>>()? })
    }

    /// How many variations it has: the product of the numbers of values of its macros. Only counts are looked at.
    ///
    /// # Errors
    /// That of a damaged record; [`ErrorKind::LimitExceeded`] for more than 64 bits count.
    pub fn variation_count(&self) -> Result<u64> {
        let mut product = 1_u64;
        for view in self.macros() {
            product = product.checked_mul(view?.count.into()).ok_or_else(|| {
                let found = "more variations";
                Error::new(ErrorKind::LimitExceeded, self.offset, "macros", "a product of 64 bits", found)
                    .code("sharcfb.variations")
            })?;
        }
        Ok(product)
    }

    /// Number of the binary with a shader of a variation: `base + stage + variation * stages`, where a program
    /// has two stages, or three with a geometry shader.
    ///
    /// # Errors
    /// [`ErrorKind::OutOfBounds`] for a program without binaries or without that shader, and for a number
    /// that does not fit.
    pub fn binary_number(&self, variation: u64, kind: ShaderKind) -> Result<u32> {
        let outside = |expected: &'static str, found: String| {
            Error::new(ErrorKind::OutOfBounds, self.offset, escape(self.name()), expected, found)
                .code("sharcfb.binary")
        };
        if self.view.base == raw::NO_BINARIES {
            return Err(outside("a program with binaries", "one without".to_owned()));
        }
        if !self.has(kind) {
            return Err(outside("a stage that the program has", kind.name().to_owned()));
        }
        let stage = kind as u64;
        let per = u64::from(self.view.binaries_per_variation());
        let number = variation
            .checked_mul(per)
            .and_then(|first| first.checked_add(stage)?.checked_add(self.view.base.into()))
            .and_then(|number| u32::try_from(number).ok());
        number.ok_or_else(|| outside("a binary of a number of 32 bits", format!("variation {variation}")))
    }
}

/// A macro of a list: its default is that of the entry of the same name in the other array, which should be the
/// entry at the same place.
fn macro_values<'a>(
    view: &MacroView<'a>,
    same_place: Option<&MacroView<'a>>,
    defaults: &[MacroView<'a>],
) -> MacroValues<'a> {
    let name = raw::text(view.name);
    let named = |other: &&MacroView<'a>| raw::text(other.name) == name;
    let default = same_place.filter(named).or_else(|| defaults.iter().find(named));
    MacroValues {
        name,
        id: raw::text(view.id),
        values: view.values().collect(),
        default: default.and_then(|view| view.values().next()),
    }
}

/// The bit of a stage in [`ProgramView::stages`].
pub(super) fn stage_bit(kind: ShaderKind) -> Option<u32> {
    match kind {
        ShaderKind::Vertex => Some(1),
        ShaderKind::Pixel => Some(2),
        ShaderKind::Geometry => Some(4),
        ShaderKind::Compute => None,
    }
}

impl<'a> Binary<'a> {
    /// Its GX2 structure.
    ///
    /// # Errors
    /// [`ErrorKind::BadValue`] for an unknown type and for a structure that is cut.
    pub fn shader(&self) -> Result<Shader<'a>> {
        let path = || format!("binaries[{}]", self.number);
        let bad = |expected: &'static str, found: String| {
            Error::new(ErrorKind::BadValue, self.offset, path(), expected, found).code("sharcfb.damaged")
        };
        let kind = crate::formats::gx2::record::shader_kind(self.view.kind)
            .ok_or_else(|| bad("type 0 (vertex), 1 (pixel) or 2 (geometry)", self.view.kind.to_string()))?;
        Shader::new(kind, Form::sharcfb(self.endian), self.view.data)
            .ok_or_else(|| bad("a whole structure", format!("{} bytes", self.view.data.len())))
    }

    /// Offset of its data in the file.
    pub fn data_offset(&self) -> u64 {
        self.offset.saturating_add(raw::BINARY as u64).saturating_add(self.view.gap.len() as u64)
    }
}
