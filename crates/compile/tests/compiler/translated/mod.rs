//! Shaders translated to the common language, against what their sources compute on software OpenGL.

mod lanes;
mod refused;
mod textures;
mod vectors;

use serde_json::Value;
use std::path::Path;
use unshade_glsl::language::Stage;
use unshade_glsl::tree::Shader;
use unshade_glsl::{Options, read as read_text};

/// Reads a text whose file's ending says its stage.
fn read(path: &Path, text: &str) -> Result<Shader, String> {
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    let stage = Stage::ALL.into_iter().find(|stage| stage.ending() == ending).unwrap();
    let reading = read_text(text, &Options::new(stage));
    let message = reading.render();
    reading.shader.ok_or(message)
}

/// Words as the vectors write them.
fn words(value: &Value) -> Vec<u32> {
    let text = value.as_str().unwrap_or_default();
    text.split_whitespace().map(|word| u32::from_str_radix(word, 16).unwrap()).collect()
}
