//! What is fuzzed: each property with the steps that change its inputs. The programs of `fuzz` take them from here, and
//! so does the test over inputs that once broke one (tests/regressions).

use crate::mutate::{self, Step, code, container, text};
use crate::properties::{
    self, catalog, compile, debug, draw, latte, latte_exec, mali_pp, maxwell, maxwell_exec, patch, texts,
    wrappers,
};
use unshade::Isa;

/// A property that must hold for any bytes.
#[derive(Debug, Clone, Copy)]
pub struct Target {
    /// Name of its program and of its folders.
    pub name: &'static str,
    /// Panics where it does not hold.
    pub property: fn(&[u8]),
    /// How its inputs are changed, beside libFuzzer's own ways.
    pub steps: &'static [Step],
}

const FILE: &[Step] = &[container];
const TEXT: &[Step] = &[text];

const fn target(name: &'static str, property: fn(&[u8]), steps: &'static [Step]) -> Target {
    Target { name, property, steps }
}

/// All of them: the readers of containers, then the others.
pub const ALL: [Target; 42] = [
    target("bfsha", properties::bfsha, FILE),
    target("bnsh", properties::bnsh, FILE),
    target("dksh", properties::dksh, FILE),
    target("gfd", properties::gfd, FILE),
    target("mbs", properties::mbs, FILE),
    target("nvn", properties::nvn, FILE),
    target("sharc", properties::sharc, FILE),
    target("sharcfb", properties::sharcfb, FILE),
    target("sharcfb_nx", properties::sharcfb_nx, FILE),
    target("shbin", properties::shbin, FILE),
    target("cemu", properties::cemu, FILE),
    target("citra", properties::citra, FILE),
    target("ryujinx", properties::ryujinx, FILE),
    target("vkch", properties::vkch, FILE),
    target("yuzu", properties::yuzu, FILE),
    target("bfres", wrappers::bfres, FILE),
    target("catalog", catalog::catalog, FILE),
    target("compile", compile::compile, TEXT),
    target("debug", debug::debug, &[]),
    target("draw", draw::draw, FILE),
    target("edit", texts::edit, &[mutate::text_and_container]),
    target("glsl", properties::translated::translated, TEXT),
    target("latte_exec", latte_exec::exec, &[|data, dice| code(Isa::Latte, 0, data, dice)]),
    target("latte_lift", latte::latte_lift, &[|data, dice| code(Isa::Latte, 1, data, dice)]),
    target("latte_text", latte::text, TEXT),
    target("latte_words", latte::code, &[|data, dice| code(Isa::Latte, 0, data, dice)]),
    target("listing", texts::listing, TEXT),
    target(
        "mali_gp",
        properties::mali_gp,
        &[|data, dice| code(Isa::MaliGp, 1, data, dice), |data, dice| mutate::behind(1, text, data, dice)],
    ),
    target("mali_pp", mali_pp::all, &[|data, dice| code(Isa::MaliPp, 1, data, dice)]),
    target("manifest", texts::manifest, &[mutate::text_and_container]),
    target("maxwell_exec", maxwell_exec::exec, &[|data, dice| code(Isa::Maxwell, 1, data, dice)]),
    target("maxwell_header", maxwell_exec::header, &[|data, dice| code(Isa::Maxwell, 80, data, dice)]),
    target("maxwell_lift", maxwell_exec::lift, &[|data, dice| code(Isa::Maxwell, 1, data, dice)]),
    target("maxwell_text", maxwell::all, &[text, |data, dice| code(Isa::Maxwell, 0, data, dice)]),
    target("patch", patch::patch, TEXT),
    target("pica200_lift", properties::pica200_lift, &[|data, dice| code(Isa::Pica200, 4, data, dice)]),
    target("pica200_text", properties::pica200_text, TEXT),
    target("pica200_words", properties::pica200_words, &[|data, dice| code(Isa::Pica200, 0, data, dice)]),
    target("sarc", wrappers::sarc, FILE),
    target("state", texts::state, TEXT),
    target("yaz0", wrappers::yaz0, FILE),
    target("zstd", wrappers::zstd, FILE),
];

/// The target of that name.
pub fn find(name: &str) -> Option<&'static Target> {
    ALL.iter().find(|target| target.name == name)
}
