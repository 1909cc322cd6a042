//! What the commands report, as plain data: the terminal prints it, `--json` serialises it.

mod cfg;
mod change;
mod check;
mod decompilation;
mod diff;
mod edit;
mod info;
mod items;
mod link;
mod links;
mod listings;
mod material;
mod materials;
mod model_pick;
mod options;
mod owners;
mod patch;
mod pick;
mod roundtrip;
mod run_check;
#[cfg(feature = "schema")]
mod schema;
mod show;
mod sources;
mod stats;
mod verify;
#[cfg(feature = "compile")]
mod verify_text;
mod written;

pub use crate::code_hash::code_hash;
pub use crate::lint::lint;
pub use cfg::{CfgReport, ItemGraph};
pub use change::{ChangeReport, ProgramChange};
pub use check::{CheckReport, Kind, UnownedRange, check, check_code};
pub use decompilation::{Decompilation, DecompiledItem, InterfaceItem, OriginalItem};
pub use diff::DiffReport;
pub use edit::{EditReport, FieldChange, NamedThing, NamesReport, edit, names};
pub use info::{ContainerInfo, InfoReport, StageCount, UnreadInfo, WrapperInfo, info};
pub use items::{ItemReport, Items, Listed, each_item, entry_name, instruction_count, items};
pub use link::{LinkItem, LinkReport};
pub use links::{ItemLinks, LinksReport};
pub use listings::Listings;
pub use material::{
    ArchiveChoice, AttributeSlot, MaterialPick, MaterialProgram, MaterialSkin, ParameterPlace, ResourceSlots,
    SamplerSlots, UnknownValue, WantedValue, pick_material,
};
pub use materials::{MaterialName, materials};
pub use model_pick::{ModelPick, ModelProgram, OptionDifference};
pub use options::{
    ChoiceReport, MacroReport, ModelOptions, OptionReport, OptionsReport, ProgramOptions, ValueReport,
    options,
};
pub use owners::{BytesReport, ContainerBytes, MOST_RUNS, bytes};
pub use patch::{HunkFailure, PatchReport};
pub use pick::{Answer, MacroValue, PickError, PickReport, Picked, PickedStage, pick, pick_any};
pub use roundtrip::{RoundtripReport, roundtrip};
pub use run_check::{FailedCase, RunCheckReport, run_check};
#[cfg(feature = "schema")]
pub use schema::schemas;
pub use show::{ContainerTree, ShowReport, show};
pub use sources::{
    ShownSource, SourceArchive, SourceItem, SourceProgram, SourceStage, SourcesReport, source_archives,
};
pub use stats::{Executed, Mnemonic, Resource, StageStats, StatsReport, stats, stats_csv, stats_stages};
pub use verify::{OutsideReason, StageVerdict, VerifyReport, verify, verify_stages};
#[cfg(feature = "compile")]
pub use verify_text::{TextAlone, TextPair, TextReport, verify_text};
pub use written::{OutputPlace, TextFinding, Written, WrittenFile};

use serde::Serialize;

/// The JSON document of a command that takes several files.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Document<T> {
    /// `unshade-COMMAND-1`; the number changes when the meaning of a field does.
    pub schema: String,
    /// In the order of the arguments.
    pub files: Vec<InFile<T>>,
}

/// The report about one file.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct InFile<T> {
    /// As given.
    pub file: String,
    /// The report.
    #[serde(flatten)]
    pub report: T,
}

impl<T> Document<T> {
    /// The document of `command`, from the files' reports in order.
    pub fn new(command: &str, files: impl IntoIterator<Item = (String, T)>) -> Self {
        let files = files.into_iter().map(|(file, report)| InFile { file, report }).collect();
        Self { schema: format!("unshade-{command}-1"), files }
    }
}
