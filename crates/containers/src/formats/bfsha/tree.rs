//! Every field of a BFSHA by name, with its value and its place.

use super::model::{Bfsha, Object, Role};
use super::raw::{ARCHIVE_FLAGS, PROGRAM_FLAGS, flag_names};
use super::read::Kind;
use crate::formats::switch::tree::{Shape, tree};
use crate::formats::switch::{Image, Target, Texts};
use crate::shared::Node;
use unshade_bytes::{Owner, Result};

impl Bfsha {
    /// The structure of the file with names, values and places.
    ///
    /// # Errors
    /// Where the model was changed to what no file can hold.
    pub fn tree(&self) -> Result<Node> {
        let kind = if self.is_wiiu() { Kind::WiiUHeader } else { Kind::Header };
        let first = Target { name: "header", index: None, at: 0, kind };
        let mut root = tree(&self.image, "bfsha", 0, &[first])?.value(self.describe());
        if !self.trailing.is_empty() {
            let mut node =
                Node::new("trailing", self.image.len).value(format_args!("{} bytes", self.trailing.len()));
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
        let (version, platform) = match (self.header(), self.wiiu_header()) {
            (Some(header), _) => (header.file.version(), ""),
            (None, Some(header)) => {
                let [a, b, c, d] = header.version;
                (format!("{a}.{b}.{c}.{d}"), " of the Wii U")
            }
            (None, None) => (String::new(), ""),
        };
        let models = self.model_count();
        let programs: usize = (0..models)
            .map(|index| match (self.model(index), self.wiiu_model(index)) {
                (Some(model), _) => model.programs_held(),
                (None, Some(model)) => model.programs_held(),
                (None, None) => 0,
            })
            .fold(0, usize::saturating_add);
        let plural = |count: usize| if count == 1 { "" } else { "s" };
        let order = if self.image.form.big_endian && !self.is_wiiu() { ", big endian" } else { "" };
        format!(
            "BFSHA {version}{platform} with {models} shading model{} and {programs} program{}{order}",
            plural(models),
            plural(programs)
        )
    }
}

impl Shape for Object {
    fn summary(&self, _: u64, _: &Image<Self>, texts: &Texts<'_>) -> Option<String> {
        Some(match self {
            Self::Archive(archive) => {
                format!("\"{}\", {}", texts.show(archive.name), flag_names(archive.flags, &ARCHIVE_FLAGS))
            }
            Self::Model(model) => {
                format!("\"{}\" with {} programs", texts.show(model.name), model.program_count)
            }
            Self::WiiUModel(model) => {
                format!("\"{}\" with {} programs", texts.show(model.name), model.counts[2])
            }
            Self::Option(option) => format!("\"{}\"", texts.show(option.name)),
            Self::WiiUOption(option) => format!("\"{}\"", texts.show(option.name)),
            Self::Program(program) => flag_names(program.flags, &PROGRAM_FLAGS),
            Self::WiiUProgram(program) => flag_names(program.flags, &PROGRAM_FLAGS),
            Self::Dictionary(dictionary) => dictionary.names(texts).join(", "),
            Self::Strings(pool) => format!("{} strings", pool.texts.len()),
            Self::Relocation(table) => format!("{} pointers", table.count()),
            Self::Locations(all) => all.iter().map(i32::to_string).collect::<Vec<_>>().join(", "),
            Self::WiiULocations(all) => all.iter().map(i8::to_string).collect::<Vec<_>>().join(", "),
            Self::Values(values) => values.iter().map(u32::to_string).collect::<Vec<_>>().join(", "),
            _ => return None,
        })
    }

    fn contents(&self, mut node: Node, _: &Image<Self>) -> Result<Node> {
        if let Self::Bnsh(bnsh) = self {
            return bnsh.tree_at(&node.name, node.offset);
        }
        let (Self::Blob(_, bytes) | Self::Raw(bytes) | Self::Unknown(bytes)) = self else { return Ok(node) };
        let len = bytes.len() as u64;
        node.size = len;
        node.value = Some(format!("{len} bytes"));
        match self {
            Self::Blob(Role::Defaults, _) => node.value = Some(bytes.to_hex()),
            Self::Blob(Role::Code, _) => {}
            _ => {
                node.owner = Owner::Opaque;
                node.opaque = Some(bytes.clone());
            }
        }
        Ok(node)
    }

    fn entry_name(
        &self,
        name: &'static str,
        index: u64,
        image: &Image<Self>,
        texts: &Texts<'_>,
    ) -> Option<String> {
        let dictionary = match (self, name) {
            (Self::Archive(archive), "models") => archive.dictionary,
            (Self::Model(model), "static_options") => model.static_options[1],
            (Self::Model(model), "dynamic_options") => model.dynamic_options[1],
            (Self::Model(model), "samplers") => model.samplers[1],
            (Self::Model(model), "images") => model.images[1],
            (Self::Model(model), "uniform_blocks") => model.uniform_blocks[1],
            (Self::Model(model), "storage_blocks") => model.storage_blocks[1],
            (Self::Block(block), "variables") => block.dictionary,
            (Self::WiiUHeader(header), "models") => header.models,
            (Self::WiiUBlock(block), "variables") => block.dictionary,
            (Self::WiiUModel(model), _) => {
                let names = ["static_options", "dynamic_options", "attributes", "samplers", "uniform_blocks"];
                let array = names.iter().position(|known| *known == name)?;
                model.arrays.get(array)?[1]
            }
            _ => return None,
        };
        let node = image.dictionary(dictionary)?.nodes.get(usize::try_from(index).ok()?.checked_add(1)?)?;
        let text = texts.get(node.key)?;
        // A name that a path can be made of, and no other entry has.
        let plain = |byte: &u8| byte.is_ascii_graphic() && !b"[].".contains(byte);
        (!text.is_empty() && text.iter().all(plain) && !text.iter().all(u8::is_ascii_digit))
            .then(|| String::from_utf8_lossy(text).into_owned())
    }
}
