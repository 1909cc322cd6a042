//! Names that GLSL itself declares and that its readers of today know no more, or not for this machine: those of the fixed
//! functions, up to version 120 and in `compatibility`, and what is written for a part of the pipeline that is not there.

use std::collections::{BTreeMap, BTreeSet};

/// Attributes and their types.
const ATTRIBUTES: [(&str, &str); 14] = [
    ("gl_Vertex", "vec4"),
    ("gl_Normal", "vec3"),
    ("gl_Color", "vec4"),
    ("gl_SecondaryColor", "vec4"),
    ("gl_FogCoord", "float"),
    ("gl_MultiTexCoord0", "vec4"),
    ("gl_MultiTexCoord1", "vec4"),
    ("gl_MultiTexCoord2", "vec4"),
    ("gl_MultiTexCoord3", "vec4"),
    ("gl_MultiTexCoord4", "vec4"),
    ("gl_MultiTexCoord5", "vec4"),
    ("gl_MultiTexCoord6", "vec4"),
    ("gl_MultiTexCoord7", "vec4"),
    ("gl_VertexAttrib", "vec4"),
];

/// Outputs, their types, and whether there are several of them.
const OUTPUTS: [(&str, &str, bool); 4] = [
    ("gl_FrontColor", "vec4", false),
    ("gl_FrontSecondaryColor", "vec4", false),
    ("gl_FogFragCoord", "float", false),
    ("gl_TexCoord", "vec4", true),
];

/// Uniforms that are no matrices: name, type, several of them, and the declaration of the type.
const UNIFORMS: [(&str, &str, bool, &str); 15] = [
    (
        "gl_LightSource",
        "gl_LightSourceParameters",
        true,
        "vec4 ambient;vec4 diffuse;vec4 specular;vec4 position;vec4 halfVector;vec3 spotDirection;float spotExponent;float spotCutoff;float spotCosCutoff;float constantAttenuation;float linearAttenuation;float quadraticAttenuation;",
    ),
    ("gl_LightModel", "gl_LightModelParameters", false, "vec4 ambient;"),
    (
        "gl_FrontMaterial",
        "gl_MaterialParameters",
        false,
        "vec4 emission;vec4 ambient;vec4 diffuse;vec4 specular;float shininess;",
    ),
    (
        "gl_BackMaterial",
        "gl_MaterialParameters",
        false,
        "vec4 emission;vec4 ambient;vec4 diffuse;vec4 specular;float shininess;",
    ),
    ("gl_FrontLightModelProduct", "gl_LightModelProducts", false, "vec4 sceneColor;"),
    ("gl_BackLightModelProduct", "gl_LightModelProducts", false, "vec4 sceneColor;"),
    ("gl_FrontLightProduct", "gl_LightProducts", true, "vec4 ambient;vec4 diffuse;vec4 specular;"),
    ("gl_BackLightProduct", "gl_LightProducts", true, "vec4 ambient;vec4 diffuse;vec4 specular;"),
    ("gl_Fog", "gl_FogParameters", false, "vec4 color;float density;float start;float end;float scale;"),
    (
        "gl_Point",
        "gl_PointParameters",
        false,
        "float size;float sizeMin;float sizeMax;float fadeThresholdSize;float distanceConstantAttenuation;float distanceLinearAttenuation;float distanceQuadraticAttenuation;",
    ),
    ("gl_DepthRange", "gl_DepthRangeParameters", false, "float near;float far;float diff;"),
    ("gl_NormalScale", "float", false, ""),
    ("gl_ClipPlane", "vec4", true, ""),
    ("gl_EyePlaneS", "vec4", true, ""),
    ("gl_EyePlaneT", "vec4", true, ""),
];

/// What is written for a part of the pipeline that the machine does not have: name, type, elements.
const NOWHERE: [(&str, &str, usize); 7] = [
    ("gl_ClipDistance", "float", 8),
    ("gl_CullDistance", "float", 8),
    ("gl_ClipVertex", "vec4", 0),
    ("gl_BackColor", "vec4", 0),
    ("gl_BackSecondaryColor", "vec4", 0),
    ("gl_Layer", "int", 0),
    ("gl_ViewportIndex", "int", 0),
];

/// Largest array of the fixed functions.
const ELEMENTS: u32 = 8;

/// The names of a text that start with `gl_`, and what it takes from each as an array.
#[derive(Debug, Default)]
pub(super) struct Used<'t> {
    /// With the largest number in brackets behind it and one more; [`ELEMENTS`] where one is computed.
    names: BTreeMap<&'t str, u32>,
}

/// Declarations that a text needs.
#[derive(Debug, Default)]
pub(super) struct Declared {
    /// In one line.
    pub text: String,
    /// Names of uniforms.
    pub uniforms: Vec<String>,
    /// Names that go nowhere.
    pub nowhere: Vec<&'static str>,
}

impl<'t> Used<'t> {
    /// Notes a name, with the two tokens that stand behind it.
    pub fn note(&mut self, name: &'t str, behind: [&str; 3]) {
        let count = match behind {
            ["[", number, "]"] => number.parse::<u32>().map_or(ELEMENTS, |number| number.saturating_add(1)),
            ["[", ..] => ELEMENTS,
            _ => 0,
        };
        let known = self.names.entry(name).or_default();
        *known = (*known).max(count.min(ELEMENTS));
    }

    /// Whether a name is one of the fixed functions.
    pub fn is_fixed(name: &str) -> bool {
        name == "ftransform"
            || is_matrix(name).is_some()
            || ATTRIBUTES.iter().any(|(known, _)| *known == name)
            || OUTPUTS.iter().any(|(known, ..)| *known == name)
            || UNIFORMS.iter().any(|(known, ..)| *known == name && name != "gl_DepthRange")
            || matches!(name, "gl_BackColor" | "gl_BackSecondaryColor" | "gl_ClipVertex")
    }

    /// The declarations of what a text uses.
    pub fn declare(&self) -> Declared {
        let mut declared = Declared::default();
        let mut names = self.names.clone();
        if names.contains_key("ftransform") {
            names.entry("gl_ModelViewProjectionMatrix").or_default();
            names.entry("gl_Vertex").or_default();
        }
        let brackets = |is_array: bool, count: u32| match is_array {
            true => format!("[{}]", count.clamp(1, ELEMENTS)),
            false => String::new(),
        };
        let count = |name: &str| names.get(name).copied();
        let text = &mut declared.text;
        for (name, ty) in ATTRIBUTES.iter().filter(|(name, _)| count(name).is_some()) {
            text.push_str(&format!("in {ty} {name};"));
        }
        for (name, ty, is_array) in OUTPUTS {
            if let Some(count) = count(name) {
                text.push_str(&format!("out {ty} {name}{};", brackets(is_array, count)));
            }
        }
        for (name, elements) in &names {
            if let Some((ty, is_array)) = is_matrix(name) {
                text.push_str(&format!("{ty} {name}{};", brackets(is_array, *elements)));
                declared.uniforms.push((*name).to_owned());
            }
        }
        let mut types = BTreeSet::new();
        for (name, ty, is_array, members) in UNIFORMS {
            let Some(count) = count(name) else { continue };
            if !members.is_empty() && types.insert(ty) {
                text.push_str(&format!("struct {ty}{{{members}}};"));
            }
            text.push_str(&format!("{ty} {name}{};", brackets(is_array, count)));
            declared.uniforms.push(name.to_owned());
        }
        for (name, ty, elements) in NOWHERE {
            if count(name).is_some() {
                let brackets = if elements > 0 { format!("[{elements}]") } else { String::new() };
                text.push_str(&format!("{ty} {name}{brackets};"));
                declared.nowhere.push(name);
            }
        }
        if names.contains_key("ftransform") {
            text.push_str("vec4 ftransform(){return gl_ModelViewProjectionMatrix*gl_Vertex;}");
        }
        if !text.is_empty() {
            text.push(' ');
        }
        declared
    }
}

/// Type of a matrix of the fixed functions, and whether there are several.
fn is_matrix(name: &str) -> Option<(&'static str, bool)> {
    let plain = name.strip_suffix("InverseTranspose").or_else(|| name.strip_suffix("Inverse"));
    match plain.or_else(|| name.strip_suffix("Transpose")).unwrap_or(name) {
        "gl_NormalMatrix" if name == "gl_NormalMatrix" => Some(("mat3", false)),
        "gl_ModelViewMatrix" | "gl_ProjectionMatrix" | "gl_ModelViewProjectionMatrix" => {
            Some(("mat4", false))
        }
        "gl_TextureMatrix" => Some(("mat4", true)),
        _ => None,
    }
}
