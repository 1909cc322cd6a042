//! What is wrong with a structure, as far as its code need not be known.

use super::registers as r;
use super::samplers::SamplerType;
use super::shader::Shader;
use super::structure::{Member, Row, SHADER_MODE, ShaderKind, TableKind};
use crate::shared::findings::{Findings, inside};
use crate::shared::opaque::escape;

/// Uniform blocks, samplers, attributes of a program.
const SLOTS: u32 = 16;
/// Size of a uniform block in bytes.
const BLOCK: u32 = 0x1_0000;
/// Words in the constant file.
const CONSTANTS: u32 = 256 * 4;
/// Largest number of a type.
const LAST_TYPE: u32 = 38;

/// The data of a structure at `base` of the file, which `path` names.
pub(crate) struct Check<'c, 'a> {
    pub(crate) found: &'c mut Findings,
    pub(crate) shader: Shader<'a>,
    pub(crate) base: u64,
    pub(crate) path: &'c str,
}

/// Path of a word of the structure in the data that `path` names.
pub(crate) fn word_path(path: &str, name: &str) -> String {
    inside(&inside(path, "structure"), name)
}

impl Check<'_, '_> {
    /// Everything.
    pub(crate) fn all(&mut self) {
        self.words();
        self.tables();
        match self.shader.kind {
            ShaderKind::Vertex => {
                self.semantics();
                self.exports();
            }
            ShaderKind::Pixel => self.pixel(),
            ShaderKind::Geometry => self.exports(),
            ShaderKind::Compute => {}
        }
    }

    fn place(&self, row: &Row, index: u16) -> (u64, u64) {
        let word = u64::from(row.word).saturating_add(index.into());
        (self.base.saturating_add(word.saturating_mul(4)), 4)
    }

    fn warn(&mut self, code: &'static str, name: &str, index: u16, message: impl FnOnce() -> String) {
        let Some(row) = self.shader.kind.row_named(name) else { return };
        let place = self.place(row, index);
        self.found.warning(code, place, &word_path(self.path, &row_name(row, index)), message);
    }

    /// Reserved bits, the mode, the buffer that no file fills.
    fn words(&mut self) {
        for row in self.shader.kind.rows() {
            for index in 0..row.count {
                let word = self.shader.word(row.word.saturating_add(index));
                let Member::Register(register) = row.member else { continue };
                let reserved = register.reserved(word);
                if reserved != 0 && register.fields.len() > 1 {
                    let path = word_path(self.path, &row_name(row, index));
                    let place = self.place(row, index);
                    self.found.note("gx2.reserved", place, &path, || {
                        format!("expected 0 in the reserved bits of {}, found {reserved:#x}", register.name)
                    });
                }
            }
        }
        let mode = self.shader.mode();
        let fits = match self.shader.kind {
            ShaderKind::Geometry => mode == 2,
            ShaderKind::Compute => true,
            _ => mode <= 2,
        };
        if !fits {
            self.warn("gx2.mode", SHADER_MODE.name, 0, || {
                format!(
                    "expected 0 (uniform register), 1 (uniform block) or 2 (geometry shader), found {mode}"
                )
            });
        }
        for name in ["gx2r_flags", "gx2r_element_size", "gx2r_element_count", "gx2r_buffer"] {
            let word = self.shader.named(name, 0);
            if word != 0 {
                self.warn("gx2.buffer", name, 0, || format!("expected 0, as in every file, found {word:#x}"));
            }
        }
        if self.shader.kind.row_named("has_stream_out").is_some() {
            let (has, buffers) =
                (self.shader.named("has_stream_out", 0), self.shader.named(r::VGT_STRMOUT_BUFFER_EN.name, 0));
            if (has != 0) != (buffers != 0) {
                self.warn("gx2.stream-out", "has_stream_out", 0, || {
                    format!(
                        "expected stream-out and its buffers together, found {has} and buffers {buffers:#x}"
                    )
                });
            }
        }
    }

    fn tables(&mut self) {
        let blocks: Vec<u32> = self.shader.entries(TableKind::Blocks).map(|entry| entry.word(2)).collect();
        for table in self.shader.kind.tables() {
            let stated = self.shader.stated(table);
            if stated.count > 0 && self.shader.table(table).is_none() {
                let Some(row) = self.shader.kind.row(Member::Pointer(table)) else { continue };
                let (place, path) = (self.place(row, 0), word_path(self.path, row.name));
                let len = self.shader.data.len();
                self.found.error("gx2.table", place, &path, || {
                    let (count, size) = (stated.count, table.entry_size());
                    format!(
                        "expected {count} entries of {size} bytes inside of {len:#x} bytes of data, found the pointer {:#x}",
                        stated.pointer
                    )
                });
            }
            let limit = match table {
                TableKind::Blocks | TableKind::Samplers | TableKind::Attributes => SLOTS,
                _ => u32::MAX,
            };
            let row = self.shader.kind.row(Member::Count(table)).filter(|_| stated.count > limit);
            if let Some(row) = row {
                let (place, path) = (self.place(row, 0), word_path(self.path, row.name));
                self.found.warning("gx2.limit", place, &path, || {
                    format!("expected at most {limit}, found {}", stated.count)
                });
            }
            self.entries(table);
        }
        self.uniforms(&blocks);
    }

    fn entries(&mut self, table: TableKind) {
        let shader = self.shader;
        // A name in front of the last NUL of the data has an end.
        let last = shader.data.iter().rposition(|&byte| byte == 0);
        for (index, entry) in shader.entries(table).enumerate() {
            let place = (self.base.saturating_add(entry.offset as u64), table.entry_size() as u64);
            let path = || format!("{}[{index}]", inside(self.path, table.name()));
            if table.is_named() {
                let at = shader.form.text(entry.word(0));
                if at.is_none() || at > last {
                    self.found.error("gx2.name", place, &inside(&path(), "name"), || {
                        format!("expected a name inside of the data, found the pointer {:#x}", entry.word(0))
                    });
                }
            }
            let mut warn = |code, field: &str, message: String| {
                self.found.warning(code, place, &inside(&path(), field), || message);
            };
            match table {
                TableKind::Blocks => {
                    let (number, size) = (entry.word(1), entry.word(2));
                    if number >= SLOTS {
                        warn(
                            "gx2.limit",
                            "offset",
                            format!("expected a buffer below {SLOTS}, found {number}"),
                        );
                    }
                    if size > BLOCK {
                        warn("gx2.limit", "size", format!("expected at most {BLOCK} bytes, found {size}"));
                    }
                }
                TableKind::Uniforms => {
                    let ty = entry.word(1);
                    if ty == 0 || ty > LAST_TYPE {
                        warn("gx2.type", "type", format!("expected 1 to {LAST_TYPE}, found {ty}"));
                    }
                }
                TableKind::Samplers => {
                    let (ty, location) = (entry.word(1), entry.word(2));
                    if SamplerType::of(ty).is_none() {
                        warn("gx2.type", "type", format!("expected {}, found {ty}", SamplerType::expected()));
                    }
                    if location >= SLOTS {
                        let found = format!("expected a sampler below {SLOTS}, found {location}");
                        warn("gx2.limit", "location", found);
                    }
                }
                TableKind::Attributes => {
                    let (ty, location) = (entry.word(1), entry.word(3));
                    if ty == 0 || ty > LAST_TYPE {
                        warn("gx2.type", "type", format!("expected 1 to {LAST_TYPE}, found {ty}"));
                    }
                    if location > 0xFF {
                        warn("gx2.limit", "location", format!("expected a byte, found {location}"));
                    }
                }
                TableKind::InitialValues | TableKind::Loops => {}
            }
        }
    }

    /// Uniforms against their blocks, of which these are the sizes; rows of elements against their arrays.
    fn uniforms(&mut self, blocks: &[u32]) {
        let latte = self.shader.latte();
        let variables = latte.variables();
        let entries = self.shader.entries(TableKind::Uniforms);
        let entries = entries.zip(&latte.uniforms).zip(&variables.rows).enumerate();
        for (index, ((entry, uniform), part)) in entries {
            let place =
                (self.base.saturating_add(entry.offset as u64), TableKind::Uniforms.entry_size() as u64);
            let path =
                |field: &str| format!("{}[{index}].{field}", inside(self.path, TableKind::Uniforms.name()));
            let variable = variables.list.get(part.variable);
            if let (Some(element), Some(variable), false) = (part.element, variable, part.fits) {
                let ty = variable.ty;
                let word = ty.stride().saturating_mul(element).saturating_add(variable.offset);
                self.found.warning("gx2.element", place, &path("offset"), || {
                    let (whole, array) = (variable.type_name(), escape(variable.name.as_bytes()));
                    if element >= variable.elements {
                        return format!("expected an element of {whole} {array}, found number {element}");
                    }
                    let (found, at) = (uniform.ty.name(), uniform.offset);
                    let ty = ty.name();
                    format!("expected element {element} of {whole} {array}, {ty} at word {word}, found {found} at word {at}")
                });
            }
            // The row of an element has the count of the whole, but the place of the element.
            let count = if part.element.is_some() { 1 } else { uniform.count };
            let end = uniform.offset.saturating_add(uniform.ty.words(count));
            let room = match i32::try_from(entry.word(4)) {
                Ok(block) if self.shader.mode() != 0 && !blocks.is_empty() => {
                    match blocks.get(block as usize) {
                        Some(size) => size / 4,
                        None => {
                            self.found.warning("gx2.block", place, &path("block"), || {
                                format!("expected one of {} blocks, found {block}", blocks.len())
                            });
                            continue;
                        }
                    }
                }
                _ => CONSTANTS,
            };
            if end > room {
                self.found.warning("gx2.range", place, &path("offset"), || {
                    format!("expected an end within {room} words, found {end}")
                });
            }
        }
    }

    /// The table that says which attribute arrives where.
    fn semantics(&mut self) {
        let count = self.shader.named("num_sq_vtx_semantic", 0);
        if count > 32 {
            self.warn("gx2.count", "num_sq_vtx_semantic", 0, || {
                format!("expected at most 32, found {count}")
            });
        }
        let locations: Vec<u32> =
            self.shader.entries(TableKind::Attributes).map(|entry| entry.word(3)).collect();
        let mut used = 0_u32;
        for index in 0..count.min(32) as u16 {
            let semantic = self.shader.named(r::SQ_VTX_SEMANTIC.name, index) & 0xFF;
            if semantic == 0xFF {
                continue;
            }
            used |= 1 << index;
            // Where the names were left out there is nothing to hold it against.
            if !locations.is_empty() && !locations.contains(&semantic) {
                self.warn("gx2.semantic", r::SQ_VTX_SEMANTIC.name, index, || {
                    format!("expected the location of an attribute, found {semantic}, which none has")
                });
            }
        }
        let clear = self.shader.named(r::SQ_VTX_SEMANTIC_CLEAR.name, 0);
        if clear != !used {
            self.warn("gx2.semantic-clear", r::SQ_VTX_SEMANTIC_CLEAR.name, 0, || {
                format!("expected {:#010x}, the entries that are not used, found {clear:#010x}", !used)
            });
        }
    }

    /// Parameters of a vertex or copy program.
    fn exports(&mut self) {
        let words = self.shader.named("num_spi_vs_out_id", 0);
        if words > 10 {
            self.warn("gx2.count", "num_spi_vs_out_id", 0, || format!("expected at most 10, found {words}"));
        }
        let count =
            r::SPI_VS_OUT_CONFIG.get("VS_EXPORT_COUNT", self.shader.named(r::SPI_VS_OUT_CONFIG.name, 0));
        let parameters = count.saturating_add(1);
        let needed = parameters.div_ceil(4);
        if words < needed && (words, count) != (0, 0) {
            self.warn("gx2.parameters", "num_spi_vs_out_id", 0, || {
                format!("expected {needed} words of labels for {parameters} parameters, found {words}")
            });
        }
    }

    fn pixel(&mut self) {
        let count = self.shader.named("num_spi_ps_input_cntl", 0);
        if count > 32 {
            self.warn("gx2.count", "num_spi_ps_input_cntl", 0, || {
                format!("expected at most 32, found {count}")
            });
        }
        let inputs =
            r::SPI_PS_IN_CONTROL_0.get("NUM_INTERP", self.shader.named(r::SPI_PS_IN_CONTROL_0.name, 0));
        if inputs != count {
            self.warn("gx2.inputs", r::SPI_PS_IN_CONTROL_0.name, 0, || {
                format!("expected NUM_INTERP to be {count}, the number of inputs, found {inputs}")
            });
        }
        let exports =
            r::SQ_PGM_EXPORTS_PS.get("EXPORT_MODE", self.shader.named(r::SQ_PGM_EXPORTS_PS.name, 0)) >> 1;
        let mask = self.shader.named(r::CB_SHADER_MASK.name, 0);
        // The components of each target are four bits.
        let enabled = mask.to_le_bytes().iter().rev().fold(0_u32, |bits, byte| {
            bits << 2 | u32::from(byte & 0xF0 != 0) << 1 | u32::from(byte & 0xF != 0)
        });
        let count = enabled.count_ones();
        if count != exports && exports != 0 {
            self.warn("gx2.targets", r::CB_SHADER_MASK.name, 0, || {
                format!("expected the components of {exports} targets, found those of {count}")
            });
        }
        let control = self.shader.named(r::CB_SHADER_CONTROL.name, 0) & 0xFF;
        if control != enabled {
            self.warn("gx2.targets", r::CB_SHADER_CONTROL.name, 0, || {
                format!("expected {enabled:#x}, the targets with components, found {control:#x}")
            });
        }
    }
}

/// Name of a word of a row.
pub(crate) fn row_name(row: &Row, index: u16) -> String {
    if row.count == 1 { row.name.to_owned() } else { format!("{}[{index}]", row.name) }
}
