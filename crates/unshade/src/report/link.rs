//! `link`: what met, and what was renumbered.

use crate::link::{Linked, LinkedVariable};
use serde::Serialize;

/// A linked file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LinkReport {
    /// `unshade-link-1`.
    pub schema: String,
    /// The file that was written.
    pub file: String,
    /// Its size.
    pub bytes: u64,
    /// Varyings of the vertex program.
    pub varyings: Vec<LinkItem>,
    /// Attributes.
    pub attributes: Vec<LinkItem>,
    /// Warnings and notes, as text.
    pub findings: Vec<String>,
}

/// A variable of the vertex program.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LinkItem {
    /// Its name.
    pub name: String,
    /// Its type in GLSL's words.
    #[serde(rename = "type")]
    pub ty: String,
    /// Its number before; missing where it has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before: Option<u32>,
    /// Its number now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub number: Option<u32>,
    /// First float in the fragment program that reads it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fragment: Option<u32>,
}

impl LinkReport {
    /// The report of a file of `bytes` bytes that was written to `file`.
    pub fn new(linked: &Linked, file: String, bytes: usize) -> Self {
        let item = |variable: &LinkedVariable| LinkItem {
            name: variable.name.clone(),
            ty: variable.ty.clone(),
            before: variable.before,
            number: variable.number,
            fragment: variable.fragment,
        };
        Self {
            schema: "unshade-link-1".to_owned(),
            file,
            bytes: bytes as u64,
            varyings: linked.varyings.iter().map(item).collect(),
            attributes: linked.attributes.iter().map(item).collect(),
            findings: linked.findings.iter().map(ToString::to_string).collect(),
        }
    }
}
