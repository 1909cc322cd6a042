//! The JSON schemas of all documents that the commands print with `--json`, and of the state that `--state` takes;
//! `docs/schema` holds them.

#[cfg(feature = "compile")]
use super::TextReport;
use super::{
    Answer, BytesReport, CfgReport, ChangeReport, CheckReport, Decompilation, DiffReport, Document,
    EditReport, InfoReport, Items, LinkReport, LinksReport, Listings, NamesReport, OptionsReport,
    PatchReport, RoundtripReport, RunCheckReport, ShowReport, SourcesReport, StatsReport, VerifyReport,
    Written,
};
use crate::debug;
use schemars::{JsonSchema, Schema, schema_for};
use unshade_stage::Latte;

/// A finding, as `unshade-bytes` serialises it.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "stands for a type of a crate that knows no schemas")]
pub(super) struct Diagnostic {
    /// `error`, `warning` or `note`.
    severity: String,
    /// Stable dotted name of the kind of finding.
    code: String,
    /// Where it is: `{"bytes": {"start", "end"}}`, `{"text": {"source", "span"}}`, `{"word": n}` or `"whole"`.
    location: serde_json::Value,
    /// Path of the field as `show` prints it, or empty.
    path: String,
    /// What was expected and what was found.
    message: String,
    /// Further sentences.
    notes: Vec<String>,
}

/// A field of a container, as `unshade-containers` serialises it.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "stands for a type of a crate that knows no schemas")]
pub(super) struct Node {
    /// Name in the parent.
    name: String,
    /// First byte, from the start of the container.
    offset: u64,
    /// How many bytes.
    size: u64,
    /// The value as text.
    value: Option<String>,
    /// `field`, `{"padding": byte}` or `opaque`.
    owner: serde_json::Value,
    /// Bytes that are kept without being understood, in hexadecimal.
    opaque: Option<String>,
    /// Fields and entries.
    #[serde(default)]
    children: Vec<Node>,
}

/// Name and schema of every document, sorted by name.
pub fn schemas() -> Vec<(&'static str, Schema)> {
    vec![
        ("bytes", schema_for!(Document<BytesReport>)),
        ("cfg", schema_for!(CfgReport)),
        ("change", schema_for!(ChangeReport)),
        ("check", schema_for!(Document<CheckReport>)),
        ("debug", schema_for!(debug::Reply)),
        ("debug-command", schema_for!(debug::Command)),
        ("decompile", schema_for!(Decompilation)),
        ("diff", schema_for!(DiffReport)),
        ("disasm", schema_for!(Listings)),
        ("edit", schema_for!(EditReport)),
        ("info", schema_for!(Document<InfoReport>)),
        ("link", schema_for!(LinkReport)),
        ("links", schema_for!(LinksReport)),
        ("ls", schema_for!(Document<Items>)),
        ("names", schema_for!(NamesReport)),
        ("options", schema_for!(Document<OptionsReport>)),
        ("patch", schema_for!(PatchReport)),
        ("pick", schema_for!(Document<Answer>)),
        ("roundtrip", schema_for!(Document<RoundtripReport>)),
        ("run-check", schema_for!(Document<RunCheckReport>)),
        ("show", schema_for!(Document<ShowReport>)),
        ("sources", schema_for!(Document<SourcesReport>)),
        ("state", schema_for!(Latte)),
        ("stats", schema_for!(Document<StatsReport>)),
        ("verify", schema_for!(Document<VerifyReport>)),
        #[cfg(feature = "compile")]
        ("verify-source", schema_for!(TextReport)),
        ("written", schema_for!(Written)),
    ]
}
