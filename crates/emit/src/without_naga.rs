//! A build without naga: its languages are refused in words.

use crate::{Binary, Error, Options, Source};
use unshade_ir::ast::Program;

fn without<T>(language: &str) -> Result<T, Error> {
    Err(Error::unsupported(format!("{language} is not in this build, only GLSL")))
}

/// Refused: WGSL needs the feature `naga`.
///
/// # Errors
///
/// Always.
pub fn wgsl(_: &Program, _: &Options) -> Result<Source, Error> {
    without("WGSL")
}

/// Refused: HLSL needs the feature `naga`.
///
/// # Errors
///
/// Always.
pub fn hlsl(_: &Program, _: &Options) -> Result<Source, Error> {
    without("HLSL")
}

/// Refused: MSL needs the feature `naga`.
///
/// # Errors
///
/// Always.
pub fn msl(_: &Program, _: &Options) -> Result<Source, Error> {
    without("MSL")
}

/// Refused: SPIR-V needs the feature `naga`.
///
/// # Errors
///
/// Always.
pub fn spirv(_: &Program, _: &Options) -> Result<Binary, Error> {
    without("SPIR-V")
}
