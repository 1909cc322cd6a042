//! What an archive of the Switch holds: records with their data as it is, names, and the memory pool. Info blocks are looked
//! at when they are asked for.

use super::raw::{self, BY_PROGRAM, Info, NO_BINARIES, POOLED_NAMES, Table};
use crate::formats::agl::model::{Array, Block, Macro, Record};
use crate::formats::agl::raw::text;
use crate::formats::agl::variation::MacroList;
use crate::shared::{Name, Opaque, Strings};
use unshade_stage::StageKind;

/// Bytes of a name with its NUL; what is longer does not count as one.
const NAME: usize = 1024;

/// An archive of version 9.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SharcfbNx {
    /// 0x04. 9; another one where all sizes add up by its rules.
    pub version: u32,
    /// 0x08, where it is not the size of the file.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub file_size: Option<u32>,
    /// 0x0C. See [`raw::POOLED_NAMES`].
    pub flags: u32,
    /// 0x10. 0; the console sets it.
    pub resolved: u32,
    /// 0x20. What the console fills; empty where all of it is 0.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Opaque::is_empty"))]
    pub runtime: Opaque,
    /// The archive's name with its NUL, the names of variables, and what fills them up.
    pub names: Strings,
    /// The binaries; `None` where the file ends before.
    pub binaries: Option<Array<Record<Binary>>>,
    /// The programs; `None` where the file ends before.
    pub programs: Option<Array<Record<Box<Program>>>>,
    /// The code.
    pub pool: Pool,
    /// Bytes behind the memory pool, or, where that is elsewhere, behind the programs.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Opaque::is_empty"))]
    pub trailing: Opaque,
}

/// The memory pool of an archive.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Pool {
    /// It lies behind the programs.
    Behind {
        /// The bytes in front of it, where they are not the zeros up to the next multiple of 0x1000.
        #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
        gap: Option<Opaque>,
        /// Its bytes.
        bytes: Opaque,
    },
    /// Offset and size lead elsewhere: into other parts, or out of the file.
    Elsewhere {
        /// 0x1C.
        offset: u32,
        /// 0x18.
        size: u32,
    },
}

impl Default for SharcfbNx {
    /// An archive of version 9 that ends behind its header.
    fn default() -> Self {
        Self {
            version: raw::VERSION,
            file_size: None,
            flags: raw::NATIVE | POOLED_NAMES,
            resolved: 0,
            runtime: Opaque::default(),
            names: Strings::default(),
            binaries: None,
            programs: None,
            pool: Pool::Behind { gap: None, bytes: Opaque::default() },
            trailing: Opaque::default(),
        }
    }
}

/// A stage: an info block with everything that it points to.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Binary {
    /// 0x04. 0 vertex, 1 pixel, 2 geometry, 3 compute.
    pub stage: u32,
    /// 0x08. Four numbers of unknown meaning, of 12, 8, 6 and 6 bits.
    pub numbers: u32,
    /// The info block, the control section, tables, names.
    pub data: Opaque,
    /// Bytes behind the data.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Opaque::is_empty"))]
    pub tail: Opaque,
}

/// A program: what the binaries of its variations have in common.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Program {
    /// The name with its NUL, and whatever its length covers.
    pub name: Strings,
    /// 0x08. Bits: 1 vertex, 2 pixel, 4 geometry, 8 compute.
    pub stages: u32,
    /// 0x0C. Number of its first binary; 0xFFFFFFFF: it has none.
    pub base: u32,
    /// The macros with all their values.
    pub macros: Array<Record<Macro>>,
    /// The same macros with one value each; known files may have none.
    pub defaults: Array<Record<Macro>>,
    /// Blocks with their uniforms: one of them holds uniforms that the source has outside of blocks.
    pub blocks: Array<Record<Block>>,
    /// Bytes behind the last array.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Opaque::is_empty"))]
    pub tail: Opaque,
}

/// A name of a table with what it says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Slot {
    /// Its name; empty where it leads nowhere.
    pub name: Name,
    /// Location, or offset of a uniform.
    pub location: i32,
    /// Bytes of a block.
    pub size: Option<u32>,
}

/// The tables of a binary, in the order of [`Table::ALL`].
pub type Tables = [Vec<Slot>; 6];

impl SharcfbNx {
    /// The binaries in order, those that were not understood as `None`.
    pub fn binaries(&self) -> impl Iterator<Item = Option<&Binary>> {
        self.binaries.iter().flat_map(|array| &array.items).map(Record::known)
    }

    /// The binary of that number.
    pub fn binary(&self, number: usize) -> Option<&Binary> {
        self.binaries.as_ref()?.items.get(number)?.known()
    }

    /// How many binaries there are, those that were not understood among them.
    pub fn binary_count(&self) -> usize {
        self.binaries.as_ref().map_or(0, |array| array.items.len())
    }

    /// The programs that were understood, each with its number.
    pub fn programs(&self) -> impl Iterator<Item = (usize, &Program)> {
        let items = self.programs.iter().flat_map(|array| &array.items).enumerate();
        items.filter_map(|(number, record)| Some((number, record.known()?.as_ref())))
    }

    /// The archive's name.
    pub fn name(&self) -> &[u8] {
        text(&self.names.0)
    }

    /// Whether names of variables stand behind the archive's name, and not in the binaries.
    pub fn has_pooled_names(&self) -> bool {
        self.flags & POOLED_NAMES != 0
    }

    /// Whether the number of a program is that of its binary.
    pub fn is_by_program(&self) -> bool {
        self.flags & BY_PROGRAM != 0
    }

    /// The memory pool; empty where it is elsewhere.
    pub fn pool(&self) -> &[u8] {
        match &self.pool {
            Pool::Behind { bytes, .. } => bytes,
            Pool::Elsewhere { .. } => &[],
        }
    }

    /// The text that the name of a table's entry leads to; `None` where it leads nowhere or does not end.
    pub fn text<'a>(&'a self, binary: &'a Binary, name: u64) -> Option<&'a [u8]> {
        let from: &[u8] = if self.has_pooled_names() { &self.names.0 } else { &binary.data };
        let rest = from.get(usize::try_from(name).ok()?..)?;
        let end = rest.iter().take(NAME).position(|&byte| byte == 0)?;
        rest.get(..end)
    }

    /// The entries of a table of a binary with their names, as far as they are there.
    pub fn slots<'a>(&'a self, binary: &'a Binary, table: Table) -> impl Iterator<Item = Slot> + use<'a> {
        let entries = binary.info().map(|info| info.entries(&binary.data, table));
        entries.into_iter().flatten().map(move |entry| Slot {
            name: Name(self.text(binary, entry.name).unwrap_or_default().to_vec()),
            location: entry.location,
            size: entry.size,
        })
    }

    /// The code section of a binary: as long as its control section says, or as the pool is.
    pub fn code(&self, binary: &Binary) -> Option<&[u8]> {
        let info = binary.info()?;
        let rest = self.pool().get(usize::try_from(info.code).ok()?..)?;
        let control = crate::formats::nvn::Control::new(info.control_in(&binary.data));
        let len = control.map_or(rest.len(), |control| control.code_size() as usize);
        Some(rest.get(..len).unwrap_or(rest))
    }

    /// The binary that a stage of a variation has.
    pub fn binary_number(
        &self,
        number: usize,
        program: &Program,
        variation: u64,
        kind: StageKind,
    ) -> Option<u32> {
        if self.is_by_program() {
            return u32::try_from(number).ok().filter(|_| program.has(kind));
        }
        program.binary_number(variation, kind)
    }
}

impl Binary {
    /// Which stage it is; `None` for an unknown one.
    pub fn kind(&self) -> Option<StageKind> {
        raw::stage_kind(self.stage)
    }

    /// Its info block; `None` where the data is shorter.
    pub fn info(&self) -> Option<Info> {
        Info::read(&self.data)
    }
}

impl Program {
    /// Its name for people.
    pub fn text(&self) -> String {
        Name(text(&self.name.0).to_vec()).text()
    }

    /// Whether it has a stage of that kind.
    pub fn has(&self, kind: StageKind) -> bool {
        raw::stage_number(kind).is_some_and(|number| self.stages >> number & 1 != 0)
    }

    /// Its stages in the order of their binaries.
    pub fn kinds(&self) -> impl Iterator<Item = StageKind> + use<'_> {
        (0..4).filter_map(raw::stage_kind).filter(|kind| self.has(*kind))
    }

    /// Binaries of one variation: that of compute programs, or vertex and pixel, and, where there is one, geometry.
    pub fn binaries_per_variation(&self) -> u32 {
        match self.stages {
            stages if stages & 4 != 0 => 3,
            stages if stages & 3 != 0 => 2,
            _ => 1,
        }
    }

    /// Binaries of all variations; `None` where nobody knows how many variations there are.
    pub fn binaries(&self) -> Option<u64> {
        Some(self.variation_count()?.saturating_mul(self.binaries_per_variation().into()))
    }

    /// The binary of a stage of a variation; `None` where it has none.
    pub fn binary_number(&self, variation: u64, kind: StageKind) -> Option<u32> {
        if self.base == NO_BINARIES || !self.has(kind) {
            return None;
        }
        let offset = match kind {
            StageKind::Compute => 0,
            kind => raw::stage_number(kind)?,
        };
        let per = u64::from(self.binaries_per_variation());
        let number = variation.checked_mul(per)?.checked_add(offset.into())?.checked_add(self.base.into())?;
        u32::try_from(number).ok()
    }

    /// The macros with their values and defaults, to find variations by.
    pub fn macro_list(&self) -> MacroList<'_> {
        MacroList::of(&self.macros, &self.defaults)
    }

    /// How many variations it has; `None` where a macro was not understood, or that does not fit.
    pub fn variation_count(&self) -> Option<u64> {
        self.macros.variation_count()
    }
}
