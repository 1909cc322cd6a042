//! Raw pairs: two stages, each with a control and a code section, behind four offsets. Debug code of the
//! console's kit and homebrew overlays keep their shaders so (`imgui.bin`, `nvn_font_shader.bin`).

use super::control::{CODE_MAGIC, Control, MAGIC, NvnStage};
use super::stage::pair;
use crate::formats::switch::check::Findings;
use crate::shared::{Node, Opaque};
use std::borrow::Cow;
use unshade_bytes::{Diagnostic, Error, ErrorKind, Owner, Result, Severity};
use unshade_stage::{Code, Interface, Isa, Stage, StageId};

/// Bytes of the offsets.
const HEADER_LEN: u64 = 16;

/// A raw pair of stages. Little endian.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct NvnPair {
    /// The two stages in the order of the file.
    pub stages: [NvnShader; 2],
    /// Bytes between and behind the sections that are not zero, by their places.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Vec::is_empty"))]
    pub others: Vec<(u32, Opaque)>,
    /// Length of the file.
    pub len: u32,
}

/// A stage of a raw pair.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct NvnShader {
    /// Place of the control section.
    pub control_at: u32,
    /// The control section, as long as it says.
    pub control: Opaque,
    /// Place of the code section.
    pub code_at: u32,
    /// The code section, as long as the control section says.
    pub code: Opaque,
}

fn word(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..)?.first_chunk().map(|bytes| u32::from_le_bytes(*bytes))
}

fn words(bytes: &[u8]) -> Option<[u32; 4]> {
    Some([word(bytes, 0)?, word(bytes, 4)?, word(bytes, 8)?, word(bytes, 12)?])
}

/// Whether a file starts like a raw pair: four offsets that lead to two control and two code sections.
pub fn detect(bytes: &[u8]) -> bool {
    words(bytes).is_some_and(|[a, b, c, d]| {
        let is = |at: u32, magic: u32| word(bytes, at as usize) == Some(magic);
        is(a, MAGIC) && is(b, MAGIC) && is(c, CODE_MAGIC) && is(d, CODE_MAGIC)
    })
}

/// Reads a raw pair.
///
/// # Errors
/// [`ErrorKind::BadMagic`] for another file; [`ErrorKind::OutOfBounds`] where a section leads out of it;
/// [`ErrorKind::BadValue`] where sections share bytes.
pub fn read(bytes: &[u8]) -> Result<NvnPair> {
    let offsets = words(bytes).filter(|_| detect(bytes));
    let Some([control_a, control_b, code_a, code_b]) = offsets else {
        let expected = "four offsets of control and code sections";
        return Err(Error::new(ErrorKind::BadMagic, 0, "header", expected, "others").code("nvn.magic"));
    };
    let len = u32::try_from(bytes.len()).map_err(|_| {
        let found = format!("{} bytes", bytes.len());
        Error::new(ErrorKind::LimitExceeded, 0, "", "a file of 32 bits", found).code("nvn.too-long")
    })?;
    let section = |at: u32, size: u32, name: &'static str| {
        let end = at.checked_add(size).filter(|end| *end <= len);
        let found = end.and_then(|end| bytes.get(at as usize..end as usize));
        found.map(|bytes| Opaque(bytes.to_vec())).ok_or_else(|| {
            let expected = format!("a section that ends before {len:#x}");
            let found = format!("{size:#x} bytes at {at:#x}");
            Error::new(ErrorKind::OutOfBounds, at.into(), name, expected, found).code("nvn.section")
        })
    };
    let stage = |control_at: u32, code_at: u32| {
        let rest = bytes.get(control_at as usize..).unwrap_or_default();
        let Some(control) = Control::new(rest) else {
            let expected = "a whole control section";
            let found = format!("{} bytes", rest.len());
            return Err(Error::new(ErrorKind::Truncated, control_at.into(), "control", expected, found)
                .code("nvn.section"));
        };
        Ok(NvnShader {
            control_at,
            control: section(control_at, control.end().max(super::control::LEAST as u32), "control")?,
            code_at,
            code: section(code_at, control.code_size(), "code")?,
        })
    };
    let mut pair =
        NvnPair { stages: [stage(control_a, code_a)?, stage(control_b, code_b)?], others: Vec::new(), len };
    let mut reached = HEADER_LEN as u32;
    let mut gaps = Vec::new();
    for (at, size) in pair.places() {
        if at < reached {
            let expected = format!("a section behind {reached:#x}");
            return Err(Error::new(ErrorKind::BadValue, at.into(), "section", expected, format!("{at:#x}"))
                .code("nvn.overlap"));
        }
        gaps.push((reached, at));
        reached = at.saturating_add(size);
    }
    gaps.push((reached, len));
    for (start, end) in gaps {
        let bytes = bytes.get(start as usize..end as usize).unwrap_or_default();
        if bytes.iter().any(|&byte| byte != 0) {
            pair.others.push((start, Opaque(bytes.to_vec())));
        }
    }
    Ok(pair)
}

impl NvnPair {
    /// Places and sizes of the sections, ascending.
    fn places(&self) -> Vec<(u32, u32)> {
        let size = |bytes: &Opaque| u32::try_from(bytes.len()).unwrap_or(u32::MAX);
        let of = |stage: &NvnShader| {
            [(stage.control_at, size(&stage.control)), (stage.code_at, size(&stage.code))]
        };
        let mut places: Vec<_> = self.stages.iter().flat_map(of).collect();
        places.sort_unstable();
        places
    }

    /// The bytes of the file.
    ///
    /// # Errors
    /// [`ErrorKind::Unrepresentable`] where sections share bytes or lie behind the end.
    pub fn write(&self) -> Result<Vec<u8>> {
        let mut writer = unshade_bytes::Writer::new(unshade_bytes::Endian::Little);
        let [a, b] = &self.stages;
        for (at, word) in [(0, a.control_at), (4, b.control_at), (8, a.code_at), (12, b.code_at)] {
            writer.place(at, &word.to_le_bytes(), "header")?;
        }
        for stage in &self.stages {
            writer.place(stage.control_at.into(), &stage.control, "control")?;
            writer.place(stage.code_at.into(), &stage.code, "code")?;
        }
        for (at, bytes) in &self.others {
            writer.place((*at).into(), bytes, "other")?;
        }
        let mut spans: Vec<(u64, u64)> = vec![(0, HEADER_LEN)];
        spans.extend(self.places().into_iter().map(|(at, size)| (at.into(), size.into())));
        spans.extend(self.others.iter().map(|(at, bytes)| (u64::from(*at), bytes.len() as u64)));
        spans.sort_unstable();
        spans.push((self.len.into(), 0));
        let mut reached = 0;
        for (at, size) in spans {
            let zeros = usize::try_from(at.saturating_sub(reached)).unwrap_or(0);
            if zeros > 0 {
                writer.place(reached, &vec![0; zeros], "padding")?;
            }
            reached = at.saturating_add(size);
        }
        writer.finish()
    }

    /// What the file is, in a few words.
    pub fn describe(&self) -> String {
        let [a, b] = self.stages.each_ref().map(NvnShader::name);
        format!("raw NVN pair with a {a} and a {b} stage")
    }

    /// The structure of the file with names, values and places.
    ///
    /// # Errors
    /// Where the model was changed to what no file can hold.
    pub fn tree(&self) -> Result<Node> {
        let mut root = Node::new("nvn", 0).value(self.describe());
        let [a, b] = &self.stages;
        for (name, at) in [
            ("control_a", a.control_at),
            ("control_b", b.control_at),
            ("code_a", a.code_at),
            ("code_b", b.code_at),
        ] {
            root.field(name, 4, format_args!("{at:#x}"));
        }
        for stage in &self.stages {
            let name = stage.name();
            let mut control = Node::new(format!("{name}_control"), stage.control_at.into());
            crate::formats::nvn::control_node(&mut control, &stage.control);
            root.children.push(control);
            let mut code = Node::new(format!("{name}_code"), stage.code_at.into());
            code.size = stage.code.len() as u64;
            code.value = Some(format!("{} bytes", stage.code.len()));
            root.children.push(code);
        }
        let mut reached = HEADER_LEN;
        let mut spans: Vec<(u64, u64, Option<&Opaque>)> =
            self.places().into_iter().map(|(at, size)| (at.into(), size.into(), None)).collect();
        spans.extend(self.others.iter().map(|(at, bytes)| ((*at).into(), bytes.len() as u64, Some(bytes))));
        spans.push((self.len.into(), 0, None));
        spans.sort_by_key(|(at, ..)| *at);
        for (index, (at, size, bytes)) in spans.into_iter().enumerate() {
            if reached < at {
                let mut node = Node::new(format!("padding[{index}]"), reached);
                node.size = at.saturating_sub(reached);
                node.value = Some(format!("{} bytes of 0x00", node.size));
                node.owner = Owner::Padding(0);
                root.children.push(node);
            }
            if let Some(bytes) = bytes {
                let mut node = Node::new(format!("unknown[{index}]"), at);
                node.size = size;
                node.value = Some(format!("{size} bytes"));
                node.owner = Owner::Opaque;
                node.opaque = Some(bytes.clone());
                root.children.push(node);
            }
            reached = at.saturating_add(size);
        }
        root.size = self.len.into();
        Ok(root)
    }

    /// All findings, most severe first, then by place.
    pub fn check(&self) -> Vec<Diagnostic> {
        let mut findings = Findings::default();
        for stage in &self.stages {
            let name = stage.name();
            let place = (u64::from(stage.control_at), u64::from(stage.code_at));
            if place.1 % 0x100 != 0 {
                let message = format!("expected a multiple of 0x100, found {:#x}", stage.code_at);
                findings.report(Severity::Warning, "nvn.code-alignment", (place.1, 4), name.clone(), message);
            }
            let control = Control(&stage.control);
            match control.stage().kind() {
                Some(kind) => {
                    crate::formats::nvn::check_pair(control, &stage.code, kind, place, &name, &mut findings)
                }
                None => {
                    let message = format!("expected the number of a stage, found {}", control.stage().0);
                    findings.report(Severity::Error, "bnsh.stage", (place.0, 4), name, message);
                }
            }
        }
        findings.finish()
    }

    /// The two stages, by the names of their kinds.
    pub fn stages(&self) -> impl Iterator<Item = Stage<'_>> {
        self.stages.iter().filter_map(NvnShader::stage)
    }

    /// The stage of that name.
    pub fn stage(&self, id: &StageId) -> Option<Stage<'_>> {
        self.stages().find(|stage| stage.id == *id)
    }

    /// Gives a stage other code, as long as it fits where the old one was.
    ///
    /// # Errors
    /// [`ErrorKind::OutOfBounds`] where no stage has that name; [`ErrorKind::Unrepresentable`] for code that
    /// needs more room than there is.
    pub fn replace(&mut self, id: &StageId, code: &Code<'_>) -> Result<()> {
        let position = self.stages.iter().position(|stage| stage.stage().is_some_and(|s| s.id == *id));
        let stage = position.and_then(|position| self.stages.get_mut(position)).ok_or_else(|| {
            Error::new(ErrorKind::OutOfBounds, 0, "", "the name of a stage of this file", format!("`{id}`"))
        })?;
        let kind = Control(&stage.control).stage().kind().unwrap_or(unshade_stage::StageKind::Vertex);
        let (control, section) = super::with_instructions(&stage.control, &stage.code, kind, &code.words)?;
        if section.len() > stage.code.len() {
            let expected = format!("code for a section of at most {} bytes", stage.code.len());
            let found = format!("{} bytes", section.len());
            return Err(Error::new(ErrorKind::Unrepresentable, 0, "code", expected, found).code("nvn.code"));
        }
        stage.control = Opaque(control);
        stage.code = Opaque(section);
        Ok(())
    }
}

impl NvnShader {
    fn name(&self) -> String {
        let NvnStage(number) = Control(&self.control).stage();
        Control(&self.control)
            .stage()
            .kind()
            .map_or_else(|| format!("stage{number}"), |kind| kind.to_string())
    }

    fn stage(&self) -> Option<Stage<'_>> {
        let kind = Control(&self.control).stage().kind()?;
        let (code, maxwell) = pair(&self.control, &self.code, kind);
        let words = Cow::Owned(code.words.into_owned());
        let file_offset = code.file_offset.saturating_add(self.code_at.into());
        Some(Stage {
            id: StageId(kind.to_string()),
            kind,
            isa: Isa::Maxwell,
            code: Code { words, file_offset, ..Code::default() },
            interface: Interface { maxwell: Some(Box::new(maxwell)), ..Interface::default() },
        })
    }
}
