//! Names of inputs, outputs, uniforms and textures: what the loads and stores of the module mean to a person.

use unshade_ir::{Global, Module};
use unshade_stage::{Latte, Stage};

/// Globals of a lifted program.
pub(super) fn globals(_stage: &Stage<'_>, _latte: &Latte, _module: &Module) -> Vec<Global> {
    Vec::new()
}
