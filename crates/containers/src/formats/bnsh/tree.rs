//! Every field of a BNSH by name, with its value and its place.

use super::model::{Bnsh, Object, Role};
use super::raw::CodeType;
use super::read::Kind;
use crate::formats::nvn::{Control, control_node};
use crate::formats::switch::tree::{Shape, tree};
use crate::formats::switch::{Image, Target, Texts};
use crate::shared::Node;
use crate::shared::opaque::escape;
use unshade_bytes::{Owner, Result};

impl Bnsh {
    /// The structure of the file with names, values and places.
    ///
    /// # Errors
    /// Where the model was changed to what no file can hold.
    pub fn tree(&self) -> Result<Node> {
        self.tree_at("bnsh", 0)
    }

    /// The same for a BNSH that stands at `base` of another file.
    pub(crate) fn tree_at(&self, name: &str, base: u64) -> Result<Node> {
        let first = Target { name: "header", index: None, at: 0, kind: Kind::Header };
        let mut root = tree(&self.image, name, base, &[first])?.value(self.describe());
        if !self.trailing.is_empty() {
            let at = base.saturating_add(self.image.len);
            let mut node = Node::new("trailing", at).value(format_args!("{} bytes", self.trailing.len()));
            node.size = self.trailing.len() as u64;
            node.owner = Owner::Opaque;
            node.opaque = Some(self.trailing.clone());
            root.children.push(node);
            root.size = root.size.saturating_add(self.trailing.len() as u64);
        }
        Ok(root)
    }

    /// What the file is, in a few words.
    pub fn describe(&self) -> String {
        let version = self.header().map(|header| header.file.version()).unwrap_or_default();
        let count = self.variation_count();
        let plural = if count == 1 { "" } else { "s" };
        let order = if self.image.form.big_endian { ", big endian" } else { "" };
        let texts = match self.source_stages() {
            0 => String::new(),
            1 => ", 1 stage as source text".to_owned(),
            texts => format!(", {texts} stages as source text"),
        };
        format!("BNSH {version} with {count} variation{plural}{texts}{order}")
    }
}

impl Shape for Object {
    fn summary(&self, _: u64, image: &Image<Self>, texts: &Texts<'_>) -> Option<String> {
        Some(match self {
            Self::Program(program) => {
                let language = CodeType::from_number(program.code_type).map_or("unknown", CodeType::name);
                let stages = super::raw::STAGES.iter().zip(program.stages);
                let stages: Vec<_> = stages.filter(|(_, at)| !at.is_null()).map(|(name, _)| *name).collect();
                format!("{language} program of {}", stages.join(", "))
            }
            Self::Dictionary(dictionary) => dictionary.names(texts).join(", "),
            Self::Slots(slots) => slots.iter().map(i32::to_string).collect::<Vec<_>>().join(", "),
            Self::Strings(pool) => format!("{} strings", pool.texts.len()),
            Self::Relocation(table) => format!("{} pointers", table.count()),
            Self::StageCode(stage) => {
                let control = image.get(stage.control).and_then(|object| match object {
                    Self::Blob(_, bytes) => Control::new(bytes),
                    _ => None,
                })?;
                let (major, minor) = control.version();
                format!("NVN code {major}.{minor}, {} registers", control.registers())
            }
            _ => return None,
        })
    }

    fn contents(&self, mut node: Node, _: &Image<Self>) -> Result<Node> {
        let bytes = match self {
            Self::Blob(_, bytes) | Self::Raw(bytes) | Self::Unknown(bytes) => bytes,
            _ => return Ok(node),
        };
        let len = bytes.len() as u64;
        match self {
            Self::Blob(Role::Control, _) if Control::new(bytes).is_some() => control_node(&mut node, bytes),
            Self::Blob(Role::Code, _) => {
                node.value = Some(format!("{len} bytes"));
                node.size = len;
            }
            Self::Blob(Role::Source, _) => {
                node.value = Some(format!("\"{}\"", escape(bytes)));
                node.size = len;
            }
            Self::Blob(Role::ProgramObject | Role::PoolObject, _) => node.unused("room", bytes),
            _ => {
                node.value = Some(format!("{len} bytes"));
                node.size = len;
                node.owner = Owner::Opaque;
                node.opaque = Some(bytes.clone());
            }
        }
        Ok(node)
    }
}
