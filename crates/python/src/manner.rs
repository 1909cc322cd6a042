//! How programs are decompiled and listed, by the names that the command line has for it.

use pyo3::{exceptions::PyValueError, prelude::*};
use unshade::{GlslVersion, Isa, Layout, Manner, Profile, Syntax, Target};

/// What was asked for.
pub(crate) struct Wanted<'w> {
    pub(crate) target: &'w str,
    pub(crate) strict: bool,
    pub(crate) glsl: Option<&'w str>,
    pub(crate) layout: Option<&'w str>,
}

/// One of several things, by its name.
fn named<T: Copy>(what: &str, name: &str, all: &[(&str, T)]) -> PyResult<T> {
    let found = all.iter().find(|(known, _)| *known == name);
    found.map(|(_, thing)| *thing).ok_or_else(|| {
        let known: Vec<&str> = all.iter().map(|(known, _)| *known).collect();
        PyValueError::new_err(format!("there is no {what} `{name}`; there are {}", known.join(", ")))
    })
}

/// How to decompile.
pub(crate) fn manner(wanted: &Wanted<'_>) -> PyResult<Manner> {
    let versions = [
        ("450", GlslVersion::Core450),
        ("330", GlslVersion::Core330),
        ("es300", GlslVersion::Es300),
        ("es100", GlslVersion::Es100),
    ];
    let glsl = named("GLSL version", wanted.glsl.unwrap_or("450"), &versions)?;
    let targets = [
        ("glsl", Target::Glsl(glsl)),
        ("wgsl", Target::Wgsl),
        ("hlsl", Target::Hlsl),
        ("msl", Target::Msl),
        ("spirv", Target::Spirv),
        ("ir", Target::Ir),
    ];
    let layouts = [("gl", Layout::OpenGl), ("vulkan", Layout::Vulkan)];
    Ok(Manner {
        target: named("target", wanted.target, &targets)?,
        strict: wanted.strict,
        layout: wanted.layout.map_or(Ok(Layout::Source), |name| named("layout", name, &layouts))?,
        beside: false,
        one_text: true,
    })
}

/// The text of another tool; none for our own.
pub(crate) fn syntax(name: Option<&str>) -> PyResult<Option<Syntax>> {
    let all = [Syntax::Picasso, Syntax::Lima, Syntax::Decaf, Syntax::Nvdisasm];
    let mut known = vec![("unshade", None)];
    known.extend(all.iter().map(|syntax| (syntax.name(), Some(*syntax))));
    named("syntax", name.unwrap_or("unshade"), &known)
}

/// Who sets a program up.
pub(crate) fn profile(name: &str) -> PyResult<Profile> {
    let names = ["gx2", "mesa", "cemu", "nvn", "uam"];
    let all: Vec<_> = names.iter().filter_map(|name| Some((*name, unshade::profile_named(name)?))).collect();
    named("profile", name, &all)
}

/// An instruction set.
pub(crate) fn isa(name: &str) -> PyResult<Isa> {
    let all: Vec<_> = unshade::ISAS.iter().map(|isa| (isa.name(), *isa)).collect();
    named("instruction set", name, &all)
}
