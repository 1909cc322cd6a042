//! Model to bytes.

use super::model::{Environment, Yuzu};
use super::raw::MAGIC;
use crate::shared::fields::Record;
use unshade_bytes::{Error, ErrorKind, Result};

impl Yuzu {
    /// The bytes of the file.
    ///
    /// # Errors
    /// [`ErrorKind::Unrepresentable`] where a record does not say how much follows on it.
    pub fn write(&self) -> Result<Vec<u8>> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend(self.cache_version.to_le_bytes());
        for (index, pipeline) in self.pipelines.iter().enumerate() {
            let count = u32::try_from(pipeline.stages.len()).unwrap_or(u32::MAX);
            bytes.extend(count.to_le_bytes());
            for (stage, environment) in pipeline.stages.iter().enumerate() {
                environment.write(&mut bytes, || format!("pipelines[{index}].stages[{stage}]"))?;
            }
            bytes.extend_from_slice(&pipeline.key);
        }
        bytes.extend_from_slice(&self.rest);
        Ok(bytes)
    }
}

impl Environment {
    fn write(&self, bytes: &mut Vec<u8>, path: impl Fn() -> String) -> Result<()> {
        let header = self.header;
        let sizes = [
            (header.code_size, self.code.len(), "code_size"),
            (header.num_texture_types, self.texture_types.len(), "num_texture_types"),
            (header.num_texture_pixel_formats, self.texture_pixel_formats.len(), "num_texture_pixel_formats"),
            (header.num_cbuf_values, self.cbuf_values.len(), "num_cbuf_values"),
            (header.num_cbuf_replacement_values, self.cbuf_replacements.len(), "num_cbuf_replacement_values"),
        ];
        for (said, is, field) in sizes {
            if said.0 != is as u64 {
                let path = format!("{}.{field}", path());
                let (expected, found) = (is.to_string(), said.0.to_string());
                return Err(
                    Error::unplaced(ErrorKind::Unrepresentable, path, expected, found).code("yuzu.sizes")
                );
            }
        }
        header.write(bytes)?;
        bytes.extend_from_slice(&self.code);
        for entry in self.texture_types.iter().chain(&self.texture_pixel_formats) {
            entry.write(bytes)?;
        }
        for value in &self.cbuf_values {
            value.write(bytes)?;
        }
        for value in &self.cbuf_replacements {
            value.write(bytes)?;
        }
        bytes.extend(self.compute.iter().flatten().flat_map(|word| word.to_le_bytes()));
        bytes.extend_from_slice(&self.program_header);
        Ok(())
    }
}
