//! Source code.

use crate::{error::Failure, file::Program, text::Buffer};
use unshade::{
    DecompileOptions, GlslVersion, Layout,
    report::{Decompilation, DecompiledItem},
};

/// A language to decompile to.
#[repr(u32)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Target {
    /// GLSL 4.50.
    Glsl450 = 0,
    /// GLSL 3.30.
    Glsl330 = 1,
    /// GLSL ES 3.00.
    GlslEs300 = 2,
    /// GLSL ES 1.00.
    GlslEs100 = 3,
    /// WebGPU's language.
    Wgsl = 4,
    /// Direct3D's language.
    Hlsl = 5,
    /// Metal's language.
    Msl = 6,
    /// SPIR-V, a binary.
    Spirv = 7,
    /// The library's intermediate representation as text.
    Ir = 8,
}

impl Target {
    fn numbered(number: u32) -> Option<unshade::Target> {
        use unshade::Target as T;
        let all = [
            (Self::Glsl450, T::Glsl(GlslVersion::Core450)),
            (Self::Glsl330, T::Glsl(GlslVersion::Core330)),
            (Self::GlslEs300, T::Glsl(GlslVersion::Es300)),
            (Self::GlslEs100, T::Glsl(GlslVersion::Es100)),
            (Self::Wgsl, T::Wgsl),
            (Self::Hlsl, T::Hlsl),
            (Self::Msl, T::Msl),
            (Self::Spirv, T::Spirv),
            (Self::Ir, T::Ir),
        ];
        all.into_iter().find(|(target, _)| *target as u32 == number).map(|(_, target)| target)
    }
}

/// Bit-exact instead of readable.
pub const UNSHADE_DECOMPILE_STRICT: u32 = 1;
/// GLSL says by OpenGL's rules where resources are.
pub const UNSHADE_DECOMPILE_OPENGL: u32 = 2;
/// GLSL 4.50 says by Vulkan's rules where resources are.
pub const UNSHADE_DECOMPILE_VULKAN: u32 = 4;
/// Instead of the source the document of `unshade decompile --json`: the source with its inputs, outputs and uniforms, and
/// the machine words that they stand for.
pub const UNSHADE_DECOMPILE_JSON: u32 = 8;

/// A program as source.
pub(crate) fn decompile(program: &Program, target: u32, flags: u32) -> Result<Buffer, Failure> {
    let known = UNSHADE_DECOMPILE_STRICT
        | UNSHADE_DECOMPILE_OPENGL
        | UNSHADE_DECOMPILE_VULKAN
        | UNSHADE_DECOMPILE_JSON;
    if flags & !known != 0 {
        return Err(Failure::argument("flags", "bits that mean nothing"));
    }
    let number = target;
    let target = Target::numbered(number);
    let target = target.ok_or_else(|| Failure::argument("target", format!("{number} is no language")))?;
    let layout = match (flags & UNSHADE_DECOMPILE_OPENGL, flags & UNSHADE_DECOMPILE_VULKAN) {
        (0, 0) => Layout::Source,
        (_, 0) => Layout::OpenGl,
        (0, _) => Layout::Vulkan,
        _ => return Err(Failure::argument("flags", "rules of OpenGL and of Vulkan at once")),
    };
    let strict = flags & UNSHADE_DECOMPILE_STRICT != 0;
    let Program { stage, item, .. } = program;
    let header = vec![format!("{item}: {} program, {}", stage.kind, stage.isa)];
    let options = DecompileOptions { target, strict, header, layout, ..DecompileOptions::default() };
    let made = unshade::decompile(stage, &options)?;
    if flags & UNSHADE_DECOMPILE_JSON == 0 {
        return Ok(Buffer::bytes(made.bytes()));
    }
    let made = DecompiledItem::new(item.clone(), stage.kind, target, strict, made);
    let document = serde_json::to_string(&Decompilation::new("", [made]));
    // Plain data with texts as keys is always JSON.
    Ok(Buffer::text(document.unwrap_or_default()))
}
