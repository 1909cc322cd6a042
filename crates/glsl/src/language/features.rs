//! What a language has: by version, or by an extension that the text enables.

use super::{Behaviour, Extension, Stage, Target, Version};

/// From when on something is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Since {
    /// From which desktop version on; 0 is none.
    pub desktop: u16,
    /// From which version of GLSL ES on; 0 is none.
    pub es: u16,
    /// Or one of these extensions.
    pub extensions: &'static [&'static str],
}

/// From versions on: desktop, ES. 0 is none.
pub const fn since(desktop: u16, es: u16) -> Since {
    Since { desktop, es, extensions: &[] }
}

/// From versions on, or with one of some extensions.
pub const fn since_or(desktop: u16, es: u16, extensions: &'static [&'static str]) -> Since {
    Since { desktop, es, extensions }
}

/// The language of a text, up to some place in it.
#[derive(Debug, Clone)]
pub struct Language {
    /// The version.
    pub version: Version,
    /// The stage.
    pub stage: Stage,
    /// The API.
    pub target: Target,
    enabled: Vec<String>,
}

/// Extensions that stand for several others.
static BUNDLES: &[(&str, &[&str])] = &[
    (
        "GL_ANDROID_extension_pack_es31a",
        &[
            "GL_KHR_blend_equation_advanced",
            "GL_OES_sample_variables",
            "GL_OES_shader_image_atomic",
            "GL_OES_shader_multisample_interpolation",
            "GL_OES_texture_storage_multisample_2d_array",
            "GL_EXT_geometry_shader",
            "GL_EXT_gpu_shader5",
            "GL_EXT_primitive_bounding_box",
            "GL_EXT_shader_io_blocks",
            "GL_EXT_tessellation_shader",
            "GL_EXT_texture_buffer",
            "GL_EXT_texture_cube_map_array",
        ],
    ),
    ("GL_EXT_geometry_shader", &["GL_EXT_shader_io_blocks"]),
    ("GL_OES_geometry_shader", &["GL_OES_shader_io_blocks"]),
    ("GL_EXT_tessellation_shader", &["GL_EXT_shader_io_blocks"]),
    ("GL_OES_tessellation_shader", &["GL_OES_shader_io_blocks"]),
    ("GL_KHR_shader_subgroup_vote", &["GL_KHR_shader_subgroup_basic"]),
    ("GL_KHR_shader_subgroup_arithmetic", &["GL_KHR_shader_subgroup_basic"]),
    ("GL_KHR_shader_subgroup_ballot", &["GL_KHR_shader_subgroup_basic"]),
    ("GL_KHR_shader_subgroup_shuffle", &["GL_KHR_shader_subgroup_basic"]),
    ("GL_KHR_shader_subgroup_shuffle_relative", &["GL_KHR_shader_subgroup_basic"]),
    ("GL_KHR_shader_subgroup_clustered", &["GL_KHR_shader_subgroup_basic"]),
    ("GL_KHR_shader_subgroup_quad", &["GL_KHR_shader_subgroup_basic"]),
    ("GL_NV_shader_subgroup_partitioned", &["GL_KHR_shader_subgroup_basic"]),
    ("GL_KHR_shader_subgroup_rotate", &["GL_KHR_shader_subgroup_basic"]),
];

impl Language {
    /// A language without extensions.
    pub fn new(version: Version, stage: Stage, target: Target) -> Self {
        Self { version, stage, target, enabled: Vec::new() }
    }

    /// Takes a line `#extension` in.
    pub fn apply(&mut self, extension: &Extension) {
        match extension.behaviour {
            Behaviour::Disable if extension.name == "all" => self.enabled.clear(),
            Behaviour::Disable => self.enabled.retain(|name| *name != extension.name),
            _ => self.enable(&extension.name),
        }
    }

    fn enable(&mut self, name: &str) {
        if self.is_enabled(name) {
            return;
        }
        self.enabled.push(name.to_owned());
        for (bundle, parts) in BUNDLES {
            if *bundle == name {
                parts.iter().for_each(|part| self.enable(part));
            }
        }
    }

    /// Whether an extension is enabled.
    pub fn is_enabled(&self, name: &str) -> bool {
        self.enabled.iter().any(|enabled| enabled == name)
    }

    /// Whether one of several extensions is enabled.
    pub fn is_any_enabled(&self, names: &[&str]) -> bool {
        !self.enabled.is_empty() && names.iter().any(|name| self.is_enabled(name))
    }

    /// Whether something is there.
    pub fn has(&self, since: &Since) -> bool {
        self.version.is_at_least(since.desktop, since.es) || self.is_any_enabled(since.extensions)
    }

    /// Whether the text is for Vulkan.
    pub fn is_vulkan(&self) -> bool {
        self.target == Target::Vulkan
    }

    /// What a text needs to have something: `#version 400, or #extension GL_ARB_gpu_shader_fp64 : enable`.
    pub fn needs(&self, since: &Since) -> String {
        let es = self.version.is_es();
        let number = if es { since.es } else { since.desktop };
        let mut ways = Vec::new();
        if number > 0 {
            let word = if es && number > 100 { " es" } else { "" };
            ways.push(format!("`#version {number}{word}`"));
        }
        let known = |name: &&&str| super::is_known(name, es);
        if let Some(name) = since.extensions.iter().find(known) {
            ways.push(format!("`#extension {name} : enable`"));
        }
        match ways.as_slice() {
            [] if es => "GLSL ES does not have it".to_owned(),
            [] => "desktop GLSL does not have it".to_owned(),
            ways => format!("it needs {}", ways.join(" or ")),
        }
    }
}
