//! The executables of a SHBIN as stages: what the instruction set needs, with the file's own names.

use super::layout::{Part, Scope, Section};
use super::model::{Code, ConstantValue, Dvle, Dvoj, Executable, GeometryWord, Line, Shbin};
use super::plan::{Shape, start_of};
use super::register::{Unified, class_size, semantic_name};
use crate::shared::Strings;
use std::borrow::Cow;
use unshade_bytes::{Error, ErrorKind, Result};
use unshade_stage::{
    CodeLabel, Constant, Geometry, GeometryMode, Interface, Isa, Output, Range, SourceLine, Space, Stage,
    StageId, StageKind, Variable,
};

/// Descriptors that a stage hands over. Instructions reach 128 and the upload register 4096; a table of
/// strangers may be longer, and each executable gets its own copy.
const DESCRIPTORS: usize = 4096;

/// Line entries that the stages of one file hand over together. 64 executables of the longest program have
/// so many; further ones go without.
const LINES: usize = 64 * 4096;

impl Shbin {
    /// The programs of the file in the order of the offset table, named `0`, `1`, ...; the object of a DVOJ
    /// is `0`.
    pub fn stages(&self) -> impl Iterator<Item = Stage<'_>> {
        let offset = self.code_offset();
        let mut lines_left = LINES;
        let count = match self {
            Self::Linked(file) => file.executables.len(),
            Self::Object(_) => 1,
        };
        (0..count).filter_map(move |index| {
            let stage = self.stage_at(index, offset, lines_left)?;
            lines_left = lines_left.saturating_sub(stage.code.lines.len());
            Some(stage)
        })
    }

    /// The program of that name.
    pub fn stage(&self, id: &StageId) -> Option<Stage<'_>> {
        let index = id.0.parse().ok().filter(|index: &usize| index.to_string() == id.0)?;
        self.stage_at(index, self.code_offset(), LINES)
    }

    /// Gives the program of that name other code: words, descriptors (the high words of those that stay at
    /// their index are kept), entry point and end. All executables of a linked binary share their words.
    ///
    /// # Errors
    /// [`ErrorKind::OutOfBounds`] where no program has that name; [`ErrorKind::Unrepresentable`] for an
    /// object that would not start at its first word.
    pub fn replace(&mut self, id: &StageId, code: &unshade_stage::Code<'_>) -> Result<()> {
        let missing = || {
            Error::new(ErrorKind::OutOfBounds, 0, "", "the name of a stage of this file", format!("`{id}`"))
        };
        match self {
            Self::Linked(file) => {
                let index: usize = id.0.parse().map_err(|_| missing())?;
                let dvle = file.executables.get_mut(index).ok_or_else(missing)?;
                dvle.entry = code.entry;
                dvle.end = code.end.unwrap_or(0);
                replace_code(&mut file.program.code, code);
            }
            Self::Object(file) => {
                if id.0 != "0" {
                    return Err(missing());
                }
                if code.entry != 0 {
                    return Err(Error::new(
                        ErrorKind::Unrepresentable,
                        0,
                        "dvoj.code",
                        "code that starts at word 0, as a DVOJ does",
                        format!("an entry point at word {}", code.entry),
                    ));
                }
                replace_code(&mut file.code, code);
            }
        }
        Ok(())
    }

    /// Bytes of the code that all executables share.
    pub(crate) fn code_len(&self) -> u64 {
        let code = match self {
            Self::Linked(file) => &file.program.code,
            Self::Object(file) => &file.code,
        };
        (code.words.len() as u64).saturating_mul(4)
    }

    fn code_offset(&self) -> u64 {
        let (scope, layout) = match self {
            Self::Linked(file) => (Scope::Program, &file.layout),
            Self::Object(file) => (Scope::Object, &file.layout),
        };
        let shape = Shape { form: self.form(), size: &|part| self.size(part) };
        start_of(layout, shape, Part { scope, section: Section::Code })
    }

    fn stage_at(&self, index: usize, file_offset: u64, lines_left: usize) -> Option<Stage<'_>> {
        let (executable, code, names) = match self {
            Self::Linked(file) => {
                let dvle = file.executables.get(index)?;
                (&dvle.executable, &file.program.code, &file.program.file_names)
            }
            Self::Object(file) if index == 0 => (&file.executable, &file.code, &file.executable.symbols),
            Self::Object(_) => return None,
        };
        let (entry, end) = match self {
            Self::Linked(file) => file.executables.get(index).map(entry_and_end)?,
            Self::Object(file) => object_entry_and_end(file),
        };
        let kind = if executable.kind == 1 { StageKind::Geometry } else { StageKind::Vertex };
        Some(Stage {
            id: StageId(index.to_string()),
            kind,
            isa: Isa::Pica200,
            code: unshade_stage::Code {
                words: Cow::Borrowed(&code.words),
                descriptors: code.descriptors.iter().take(DESCRIPTORS).map(|entry| entry.bits).collect(),
                file_offset,
                entry,
                end,
                constants: executable.constants.iter().filter_map(constant).collect(),
                labels: executable
                    .labels
                    .iter()
                    .map(|label| code_label(label, &executable.symbols))
                    .collect(),
                lines: lines(code, names, lines_left),
                missing: None,
            },
            interface: executable.interface(),
        })
    }
}

impl Executable {
    /// Inputs, outputs and uniforms with their names. A uniform entry whose registers do not exist is left
    /// out, and one that runs past the end of its class is cut there.
    pub fn interface(&self) -> Interface {
        let mut interface = Interface {
            outputs: self
                .outputs
                .iter()
                .map(|output| Output {
                    semantic: semantic_name(output.semantic),
                    register: output.register.into(),
                    mask: (output.mask & 0xF) as u8,
                })
                .collect(),
            uniforms: Vec::new(),
            input_mask: self.input_mask.into(),
            output_mask: self.output_mask.into(),
            geometry: (self.kind == 1).then(|| self.geometry.meaning(self.flags & 1 == 1)),
            ..Interface::default()
        };
        for uniform in &self.uniforms {
            let Some((space, first)) = Unified(uniform.first).class() else { continue };
            let count = uniform.last.saturating_sub(uniform.first);
            let last = first.saturating_add(count.into()).min(class_size(space).saturating_sub(1));
            let name = self.symbols.text(uniform.name).unwrap_or_default();
            let variable = Variable { name, space, range: Range { first, last } };
            if space == Space::Input {
                interface.inputs.push(variable);
            } else {
                interface.uniforms.push(variable);
            }
        }
        interface
    }
}

impl GeometryWord {
    /// What the word says; a mode that is unknown or not set counts as point mode.
    fn meaning(self, merge_outputs: bool) -> Geometry {
        let mode = match self.mode {
            1 => GeometryMode::Variable { full_vertices: self.full_vertices },
            2 => GeometryMode::Fixed { first_uniform: self.first_uniform, vertices: self.vertices },
            _ => GeometryMode::Point,
        };
        Geometry { mode, merge_outputs }
    }
}

fn entry_and_end(dvle: &Dvle) -> (u32, Option<u32>) {
    (dvle.entry, (dvle.end != 0).then_some(dvle.end))
}

fn object_entry_and_end(file: &Dvoj) -> (u32, Option<u32>) {
    (0, u32::try_from(file.code.words.len()).ok())
}

/// A constant that a loader can set: of a known kind, for a register that exists.
fn constant(entry: &super::Constant) -> Option<Constant> {
    let (space, value) = match &entry.value {
        ConstantValue::Bool { word, .. } => (Space::Bool, unshade_stage::ConstantValue::Bool(word & 1 == 1)),
        ConstantValue::Int { xyzw, .. } => (Space::Int, unshade_stage::ConstantValue::Int(*xyzw)),
        ConstantValue::Float(_) => (Space::Float, unshade_stage::ConstantValue::Float(entry.value.floats()?)),
        ConstantValue::Unknown { .. } => return None,
    };
    let register = u32::from(entry.register);
    (register < class_size(space)).then_some(Constant { space, register, value })
}

fn code_label(label: &super::Label, symbols: &Strings) -> CodeLabel {
    CodeLabel {
        name: symbols.text(label.name).unwrap_or_default(),
        word: label.position,
        words: (label.size != 0 && label.size != u32::MAX).then_some(label.size),
    }
}

fn lines(code: &Code, names: &Strings, left: usize) -> Vec<SourceLine> {
    let entries = code.lines.len().min(code.words.len());
    if entries > left {
        return Vec::new();
    }
    let line = |line: &Line| SourceLine { file: names.text(line.file).unwrap_or_default(), line: line.line };
    code.lines.iter().take(entries).map(line).collect()
}

fn replace_code(place: &mut Code, code: &unshade_stage::Code<'_>) {
    place.words = code.words.to_vec();
    let high = |index: usize| place.descriptors.get(index).map_or(0, |descriptor| descriptor.high);
    let descriptors = code.descriptors.iter().enumerate();
    let descriptors =
        descriptors.map(|(index, &bits)| super::Descriptor { bits, high: high(index) }).collect();
    place.descriptors = descriptors;
}
