//! Any text of GLSL that is read becomes a well-formed module of the common language, or is refused with a reason.

use super::glsl::reads;
use unshade_compile::translate::translate;

/// [`super::glsl::glsl`], and what the shader becomes.
pub fn translated(data: &[u8]) {
    let Some(shader) = reads(data) else { return };
    match translate(&shader) {
        Ok(translation) => {
            let problems = unshade_ir::verify::check(&translation.module);
            assert!(problems.is_empty(), "{:?}", problems.first());
        }
        Err(error) => assert!(!error.message.is_empty(), "a text is refused without a reason"),
    }
}
