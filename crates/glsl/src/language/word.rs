//! The words of the language, and from when on each is one.

use super::{Language, Since, since, since_or};
use crate::types::{Dimension, Handle, Opaque, Scalar, Type};

/// What a name is to the parser.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Word {
    /// A word of the grammar.
    Keyword(Keyword),
    /// The name of a type of the language.
    Type(Type),
    /// A word that nobody may use in this version.
    Reserved,
    /// A name.
    Name,
}

macro_rules! keywords {
    ($($name:ident $text:literal $since:expr),* $(,)?) => {
        /// A word of the grammar.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[allow(missing_docs)]
        pub enum Keyword { $($name),* }

        impl Keyword {
            /// As it is written.
            pub fn text(self) -> &'static str {
                match self { $(Self::$name => $text),* }
            }

            /// The word, and from when on it is one.
            fn find(text: &str) -> Option<(Self, Since)> {
                Some(match text {
                    $($text => (Self::$name, $since),)*
                    _ => return None,
                })
            }

            /// All of them with their texts.
            pub const ALL: &'static [&'static str] = &[$($text),*];
        }
    };
}

const ALWAYS: Since = since(110, 100);
const IMAGES: Since =
    since_or(420, 310, &["GL_ARB_shader_image_load_store", "GL_EXT_shader_image_load_store"]);
const FP64: Since = since_or(400, 0, &["GL_ARB_gpu_shader_fp64", "GL_ARB_vertex_attrib_64bit"]);
const TESSELLATION: Since = since_or(
    400,
    320,
    &["GL_ARB_tessellation_shader", "GL_EXT_tessellation_shader", "GL_OES_tessellation_shader"],
);

keywords! {
    Attribute "attribute" ALWAYS,
    Break "break" ALWAYS,
    Buffer "buffer" since_or(430, 310, &["GL_ARB_shader_storage_buffer_object"]),
    Case "case" since_or(130, 300, &[]),
    Centroid "centroid" since_or(120, 300, &[]),
    Coherent "coherent" IMAGES,
    Const "const" ALWAYS,
    Continue "continue" ALWAYS,
    Default "default" since(130, 300),
    Demote "demote" since_or(0, 0, &["GL_EXT_demote_to_helper_invocation"]),
    Discard "discard" ALWAYS,
    Do "do" ALWAYS,
    Else "else" ALWAYS,
    False "false" ALWAYS,
    Flat "flat" since_or(130, 300, &[]),
    For "for" ALWAYS,
    Highp "highp" since(130, 100),
    If "if" ALWAYS,
    In "in" ALWAYS,
    Inout "inout" ALWAYS,
    Invariant "invariant" since(120, 100),
    Layout "layout" since_or(140, 300, &[
        "GL_ARB_explicit_attrib_location", "GL_ARB_uniform_buffer_object", "GL_ARB_fragment_coord_conventions",
        "GL_ARB_shading_language_420pack", "GL_ARB_conservative_depth", "GL_ARB_separate_shader_objects",
        "GL_ARB_shader_image_load_store", "GL_EXT_shader_image_load_store", "GL_ARB_compute_shader",
    ]),
    Lowp "lowp" since(130, 100),
    Mediump "mediump" since(130, 100),
    Noperspective "noperspective" since_or(130, 0, &["GL_NV_shader_noperspective_interpolation",]),
    Nonuniform "nonuniformEXT" since_or(0, 0, &["GL_EXT_nonuniform_qualifier"]),
    Out "out" ALWAYS,
    Patch "patch" TESSELLATION,
    Precise "precise" since_or(400, 320, &["GL_ARB_gpu_shader5", "GL_EXT_gpu_shader5", "GL_OES_gpu_shader5"]),
    Precision "precision" since(130, 100),
    Readonly "readonly" IMAGES,
    Restrict "restrict" IMAGES,
    Return "return" ALWAYS,
    Sample "sample" since_or(400, 320, &["GL_OES_shader_multisample_interpolation", "GL_ARB_gpu_shader5"]),
    Shared "shared" since_or(430, 310, &["GL_ARB_compute_shader"]),
    Smooth "smooth" since(130, 300),
    Struct "struct" ALWAYS,
    Subroutine "subroutine" since_or(400, 0, &[]),
    Switch "switch" since(130, 300),
    TerminateInvocation "terminateInvocation" since_or(0, 0, &["GL_EXT_terminate_invocation"]),
    True "true" ALWAYS,
    Uniform "uniform" ALWAYS,
    Varying "varying" ALWAYS,
    Volatile "volatile" IMAGES,
    While "while" ALWAYS,
    Writeonly "writeonly" IMAGES,
}

/// Words that nobody may use, or that are words of later versions: the first desktop and ES versions that keep them.
fn reserved(text: &str) -> Option<(u16, u16)> {
    Some(match text {
        "asm" | "cast" | "class" | "enum" | "extern" | "external" | "fixed" | "goto" | "half" | "hvec2"
        | "hvec3" | "hvec4" | "fvec2" | "fvec3" | "fvec4" | "inline" | "input" | "interface" | "long"
        | "namespace" | "noinline" | "output" | "public" | "sampler3DRect" | "short" | "sizeof"
        | "static" | "template" | "this" | "typedef" | "union" | "unsigned" | "using" | "default"
        | "switch" | "double" | "dvec2" | "dvec3" | "dvec4" | "volatile" | "packed" => (110, 100),
        "common" | "filter" | "partition" | "active" | "case" => (130, 300),
        "resource" => (420, 300),
        "row_major" | "layout" => (130, 0),
        "superp" => (130, 100),
        "flat"
        | "sampler1D"
        | "sampler1DShadow"
        | "sampler2DShadow"
        | "sampler2DRect"
        | "sampler2DRectShadow"
        | "sampler3D" => (0, 100),
        "patch" | "sample" => (0, 310),
        "subroutine" | "noperspective" | "coherent" | "restrict" | "readonly" | "writeonly"
        | "atomic_uint" => (0, 300),
        _ => return None,
    })
}

const INT64: &[&str] = &[
    "GL_ARB_gpu_shader_int64",
    "GL_AMD_gpu_shader_int64",
    "GL_NV_gpu_shader5",
    "GL_EXT_shader_explicit_arithmetic_types",
    "GL_EXT_shader_explicit_arithmetic_types_int64",
    "GL_EXT_shader_subgroup_extended_types_int64",
];
const INT32: &[&str] =
    &["GL_EXT_shader_explicit_arithmetic_types", "GL_EXT_shader_explicit_arithmetic_types_int32"];
const FLOAT32: &[&str] =
    &["GL_EXT_shader_explicit_arithmetic_types", "GL_EXT_shader_explicit_arithmetic_types_float32"];
const FLOAT64: &[&str] =
    &["GL_EXT_shader_explicit_arithmetic_types", "GL_EXT_shader_explicit_arithmetic_types_float64"];
const INT16: &[&str] = &[
    "GL_AMD_gpu_shader_int16",
    "GL_EXT_shader_16bit_storage",
    "GL_EXT_shader_explicit_arithmetic_types",
    "GL_EXT_shader_explicit_arithmetic_types_int16",
    "GL_EXT_shader_subgroup_extended_types_int16",
];
const INT8: &[&str] = &[
    "GL_EXT_shader_8bit_storage",
    "GL_EXT_shader_explicit_arithmetic_types",
    "GL_EXT_shader_explicit_arithmetic_types_int8",
    "GL_EXT_shader_subgroup_extended_types_int8",
];
const FLOAT16: &[&str] = &[
    "GL_AMD_gpu_shader_half_float",
    "GL_EXT_shader_16bit_storage",
    "GL_EXT_shader_explicit_arithmetic_types",
    "GL_EXT_shader_explicit_arithmetic_types_float16",
    "GL_EXT_shader_subgroup_extended_types_float16",
];

/// From when on the name of a type is one.
pub fn type_since(name: &str, ty: Type) -> Since {
    match ty {
        Type::Void => ALWAYS,
        Type::AtomicCounter => since_or(420, 310, &["GL_ARB_shader_atomic_counters"]),
        Type::Opaque(opaque) => opaque_since(opaque),
        Type::Array(_) | Type::Struct(_) => ALWAYS,
        Type::Scalar(scalar) | Type::Vector(scalar, _) | Type::Matrix(scalar, ..) => match scalar {
            Scalar::Int if name.contains("32") => since_or(0, 0, INT32),
            Scalar::Uint if name.contains("32") => since_or(0, 0, INT32),
            Scalar::Float if name.contains("32") => since_or(0, 0, FLOAT32),
            Scalar::Double if name.contains("64") => since_or(0, 0, FLOAT64),
            Scalar::Bool | Scalar::Int => ALWAYS,
            Scalar::Float if name.contains('x') => since(120, 300),
            Scalar::Float => ALWAYS,
            Scalar::Uint => since_or(130, 300, &[]),
            Scalar::Double => FP64,
            Scalar::Int64 | Scalar::Uint64 => since_or(0, 0, INT64),
            Scalar::Int16 | Scalar::Uint16 => since_or(0, 0, INT16),
            Scalar::Int8 | Scalar::Uint8 => since_or(0, 0, INT8),
            Scalar::Float16 => since_or(0, 0, FLOAT16),
        },
    }
}

fn opaque_since(opaque: Opaque) -> Since {
    const CUBE_ARRAY: Since = since_or(
        400,
        320,
        &["GL_ARB_texture_cube_map_array", "GL_EXT_texture_cube_map_array", "GL_OES_texture_cube_map_array"],
    );
    const BUFFER: Since = since_or(140, 320, &["GL_EXT_texture_buffer", "GL_OES_texture_buffer"]);
    let is_float = opaque.component == Scalar::Float;
    if matches!(opaque.component, Scalar::Int64 | Scalar::Uint64) {
        return since_or(0, 0, &["GL_EXT_shader_image_int64"]);
    }
    if opaque.component == Scalar::Float16 {
        return since_or(0, 0, &["GL_AMD_gpu_shader_half_float_fetch"]);
    }
    if opaque.handle == Handle::Image {
        return match opaque.dimension {
            Dimension::Buffer => since_or(
                420,
                320,
                &[
                    "GL_EXT_texture_buffer",
                    "GL_OES_texture_buffer",
                    "GL_ARB_shader_image_load_store",
                    "GL_EXT_shader_image_load_store",
                ],
            ),
            Dimension::Cube if opaque.is_array => since_or(
                420,
                320,
                &[
                    "GL_EXT_texture_cube_map_array",
                    "GL_OES_texture_cube_map_array",
                    "GL_ARB_shader_image_load_store",
                    "GL_EXT_shader_image_load_store",
                ],
            ),
            Dimension::D1 | Dimension::Rectangle => Since { es: 0, ..IMAGES },
            _ if opaque.is_multisampled => Since { es: 0, ..IMAGES },
            _ => IMAGES,
        };
    }
    if opaque.handle != Handle::Combined {
        // These are types for Vulkan alone.
        return since(140, 310);
    }
    match opaque.dimension {
        Dimension::External => {
            since_or(0, 0, &["GL_OES_EGL_image_external", "GL_OES_EGL_image_external_essl3"])
        }
        Dimension::Buffer => BUFFER,
        Dimension::Rectangle if is_float => since_or(140, 0, &["GL_ARB_texture_rectangle"]),
        Dimension::Rectangle => since_or(140, 0, &[]),
        Dimension::Cube if opaque.is_array => CUBE_ARRAY,
        Dimension::D2 if opaque.is_multisampled && opaque.is_array => {
            since_or(150, 320, &["GL_ARB_texture_multisample", "GL_OES_texture_storage_multisample_2d_array"])
        }
        Dimension::D2 if opaque.is_multisampled => since_or(150, 310, &["GL_ARB_texture_multisample"]),
        Dimension::D1 if opaque.is_array => since_or(130, 0, &["GL_EXT_texture_array"]),
        Dimension::D2 if opaque.is_array => since_or(130, 300, &["GL_EXT_texture_array"]),
        Dimension::D1 if is_float => since(110, 0),
        Dimension::D1 => since_or(130, 0, &[]),
        _ if !is_float => since_or(130, 300, &[]),
        Dimension::D2 if opaque.is_shadow => since_or(110, 300, &["GL_EXT_shadow_samplers"]),
        Dimension::Cube if opaque.is_shadow => since_or(130, 300, &[]),
        Dimension::D3 => since_or(110, 300, &["GL_OES_texture_3D"]),
        Dimension::D2 | Dimension::Cube => ALWAYS,
    }
}

/// What a name is in a language.
pub fn word(text: &str, language: &Language) -> Word {
    if let Some((keyword, since)) = Keyword::find(text) {
        if language.has(&since) {
            return Word::Keyword(keyword);
        }
    } else if let Some(ty) = type_by_name(text) {
        let is_vulkan = match ty {
            Type::Opaque(opaque) => !matches!(opaque.handle, Handle::Combined | Handle::Image),
            _ => false,
        };
        if language.has(&type_since(text, ty)) && (!is_vulkan || language.is_vulkan()) {
            return Word::Type(ty);
        }
    }
    let version = language.version;
    let is_reserved = reserved(text).is_some_and(|(desktop, es)| version.is_at_least(desktop, es));
    if is_reserved { Word::Reserved } else { Word::Name }
}

/// From when on a word that is not one here would be one.
pub fn would_need(text: &str) -> Option<Since> {
    match Keyword::find(text) {
        Some((_, since)) => Some(since),
        None => type_by_name(text).map(|ty| type_since(text, ty)),
    }
}

/// Names of types begin with one of a few letters and most names do not look like one.
fn type_by_name(text: &str) -> Option<Type> {
    let first = text.as_bytes().first()?;
    let may_be = matches!(first, b'a' | b'b' | b'd' | b'f' | b'i' | b'm' | b's' | b't' | b'u' | b'v');
    match may_be && text.len() <= 24 {
        true => Type::by_name(text),
        false => None,
    }
}
