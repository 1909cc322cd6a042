//! `ls`: a line per program.

use super::{
    info::{UnreadInfo, unread},
    sources::{SourceArchive, source_archives},
};
use crate::code_hash::code_hash;
use crate::{Detail, OpenError, Opened, WithinError, each_program};
use serde::Serialize;
use unshade_containers::wrap::nest::Source;
use unshade_isa::{Machine, with_machine};
use unshade_stage::Stage;

/// The programs of one file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Items {
    /// In file order.
    pub items: Vec<ItemReport>,
    /// What archives of sources hold: programs of texts instead of code.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub source_archives: Vec<SourceArchive>,
    /// Files in wrappers of formats that are known by name only.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unread: Vec<UnreadInfo>,
    /// How many files in archives are nothing that is known.
    pub others: u64,
}

/// One program of a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ItemReport {
    /// What stands behind `FILE` to name it: `#0`, `:0x80#1`.
    pub item: String,
    /// Which step of the pipeline it is for: `vertex`, `geometry`.
    pub kind: String,
    /// Instruction set: `pica200`.
    pub isa: String,
    /// Code size in bytes. Programs of one file may share code.
    pub code_bytes: u64,
    /// Instructions in that code.
    pub instructions: u64,
    /// Hash of the program, see [`code_hash`]: 16 hexadecimal digits.
    pub hash: String,
    /// Name of the entry point, where the file has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

/// Lists the programs of an opened file; `item` keeps those of that name.
pub fn items(opened: &Opened, item: Option<&str>) -> Items {
    let all = opened.stages(item).map(|(inner, stage)| ItemReport::new(inner.item_name(&stage.id), &stage));
    let source_archives = source_archives(opened, item);
    Items { items: all.collect(), source_archives, unread: unread(opened), others: opened.others as u64 }
}

impl ItemReport {
    /// A program that is called `item` in its file.
    pub fn new(item: String, stage: &Stage<'_>) -> Self {
        Self {
            item,
            kind: stage.kind.name().to_owned(),
            isa: stage.isa.name().to_owned(),
            code_bytes: stage.code.words.len() as u64 * 4,
            instructions: instruction_count(stage),
            hash: format!("{:016x}", code_hash(stage)),
            name: entry_name(stage).map(str::to_owned),
        }
    }
}

/// Name of a program's entry point, where the file has one.
pub fn entry_name<'s>(stage: &'s Stage<'_>) -> Option<&'s str> {
    let entry = stage.code.labels.iter().find(|label| label.word == stage.code.entry);
    entry.map(|label| label.name.as_str())
}

/// What a file holds beside programs, see [`each_item`].
#[derive(Debug, Clone, Default)]
pub struct Listed {
    /// What archives of sources hold.
    pub source_archives: Vec<SourceArchive>,
    /// Files in wrappers of formats that are known by name only.
    pub unread: Vec<UnreadInfo>,
    /// Files in wrappers that are damaged, and what is missing at the end of containers that were read all the same.
    pub failed: Vec<WithinError>,
    /// How many files in archives are nothing that is known.
    pub others: u64,
}

/// Lists the programs that `names` and `item` choose in a file, one after the other: the same as [`items`] of what
/// [`open_at`](crate::open_at) gives, without keeping more of it than one file of an archive, or one shader of a shader
/// archive. `visit` says whether to go on.
///
/// # Errors
///
/// As [`open_at`](crate::open_at), and where no program is called `item`.
pub fn each_item<'f>(
    file: impl Into<Source<'f>>,
    names: &[String],
    item: Option<&str>,
    mut visit: impl FnMut(ItemReport) -> bool,
) -> Result<Listed, OpenError> {
    let rest =
        each_program(file, names, item, Detail::Code, |place, stage| visit(ItemReport::new(place, stage)))?;
    let source_archives = source_archives(&rest, item);
    let failed = [rest.failed.as_slice(), &rest.cut].concat();
    Ok(Listed { source_archives, unread: unread(&rest), others: rest.others as u64, failed })
}

/// How many instructions the code of a program has. PICA200: one to a word; Mali GP: one to four words, and what is left at the
/// end is none; Maxwell: three behind every word that schedules them; Mali PP and Latte: of several lengths.
pub fn instruction_count(stage: &Stage<'_>) -> u64 {
    with_machine!(stage.isa, M => M::instruction_count(&stage.code), _ => 0)
}
