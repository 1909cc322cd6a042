//! What a fuzz target starts from, made from the project's own samples, and a dictionary for it.

use crate::corpus::{files, root};
use std::collections::BTreeSet;
use unshade::{Container, Format, Isa, ListingOptions};
use unshade_containers::Parts;

/// Longest seed, in bytes.
const LONGEST: usize = 1 << 16;
/// Most words of a dictionary.
const WORDS: usize = 2000;

/// First words of blocks, sections and files.
const MAGICS: [&str; 54] = [
    "DVLB",
    "DVLP",
    "DVLE",
    "DVOJ",
    "MBS1",
    "CVER",
    "FRAG",
    "VERT",
    "FSHA",
    "VELA",
    "ODBI",
    "DBIN",
    "SUNI",
    "SATT",
    "SVAR",
    "VUNI",
    "VATT",
    "VVAR",
    "VIDX",
    "Gfx2",
    "BLK{",
    "SHAB",
    "BAHS",
    "SHAA",
    "AAHS",
    "BNSH",
    "FSHA    ",
    "BAHS    ",
    "grsc",
    "_DIC",
    "_STR",
    "_RLT",
    "DKSH",
    "TOCG",
    "TOCS",
    "GFXS",
    "COMS",
    "PGPS",
    "TFBD",
    "TEXK",
    "TEXS",
    "yuzucach",
    "VKCH",
    "Yaz0",
    "SARC",
    "SFAT",
    "SFNT",
    "FRES",
    "FRES    ",
    "FMDL",
    "\u{1}\u{2}",
    "}BLK",
    "RELOC",
    "main",
];

/// What a target's bytes are.
enum Bytes {
    /// Files of these formats.
    Files(&'static [Format]),
    /// Files with these endings.
    Named(&'static [&'static str]),
    /// Code behind some bytes.
    Code(Isa, &'static [u8]),
    /// Listings of code, behind some bytes, and files with this ending.
    Text(Isa, &'static [u8], &'static str),
    /// Listings of files.
    Listings,
    /// Manifests of files.
    Manifests,
    /// Settings of files.
    Settings,
    /// Source texts, behind a byte that says which language: even GLSL, odd WGSL.
    Sources,
    /// Texts.
    Texts(&'static [&'static str]),
}

fn bytes(target: &str) -> Option<Bytes> {
    Some(match target {
        "shbin" => Bytes::Files(&[Format::Shbin]),
        "mbs" => Bytes::Files(&[Format::Mbs]),
        "gfd" => Bytes::Files(&[Format::Gfd]),
        "sharc" => Bytes::Files(&[Format::Sharc]),
        "sharcfb" => Bytes::Files(&[Format::Sharcfb]),
        "sharcfb_nx" => Bytes::Files(&[Format::SharcfbNx]),
        "bnsh" => Bytes::Files(&[Format::Bnsh]),
        "bfsha" => Bytes::Files(&[Format::Bfsha]),
        "dksh" => Bytes::Files(&[Format::Dksh]),
        "ryujinx" => Bytes::Files(&[Format::Ryujinx]),
        "yuzu" => Bytes::Files(&[Format::Yuzu]),
        "cemu" => Bytes::Files(&[Format::Cemu]),
        "citra" => Bytes::Files(&[Format::Citra]),
        "vkch" => Bytes::Files(&[Format::Vkch]),
        "nvn" => Bytes::Files(&[Format::Nvn, Format::NvnCode]),
        "draw" => Bytes::Files(&[Format::Shbin, Format::Mbs, Format::Gfd, Format::Dksh, Format::Bnsh]),
        "yaz0" | "sarc" => Bytes::Named(&["szs"]),
        "catalog" => Bytes::Named(&[
            "szs", "zs", "bfres", "shbin", "mbs", "gsh", "sharcfb", "sharcb", "sharc", "bnsh", "bfsha",
            "dksh", "bcsdr",
        ]),
        "zstd" => Bytes::Named(&["zs"]),
        "bfres" => Bytes::Named(&["bfres"]),
        "pica200_words" => Bytes::Code(Isa::Pica200, &[]),
        "pica200_lift" => Bytes::Code(Isa::Pica200, &[0; 4]),
        "pica200_text" => Bytes::Text(Isa::Pica200, &[], "pica"),
        "mali_gp" => Bytes::Text(Isa::MaliGp, &[0], ""),
        "mali_pp" => Bytes::Code(Isa::MaliPp, &[200]),
        "latte_words" | "latte_exec" => Bytes::Code(Isa::Latte, &[]),
        "latte_lift" => Bytes::Code(Isa::Latte, &[1]),
        "latte_text" => Bytes::Text(Isa::Latte, &[], "latte"),
        "maxwell_exec" | "maxwell_lift" => Bytes::Code(Isa::Maxwell, &[5]),
        "maxwell_header" => Bytes::Code(Isa::Maxwell, &[0x61; 80]),
        "maxwell_text" => Bytes::Text(Isa::Maxwell, &[], "maxwell"),
        "debug" => Bytes::Code(Isa::Latte, &[8, 0x12, 8, 0, 12, 1, 8, 0, 9, 0]),
        "listing" => Bytes::Listings,
        "manifest" => Bytes::Manifests,
        "edit" => Bytes::Settings,
        "compile" | "glsl" => Bytes::Sources,
        "state" => Bytes::Texts(&[
            r#"{"registers":{"SQ_PGM_RESOURCES_PS":1,"SPI_PS_IN_CONTROL_0":3},"samplers":[],"textures":[2]}"#,
        ]),
        "patch" => Bytes::Texts(&["unshade patch 1\n"]),
        _ => return None,
    })
}

/// What the target of this name starts from; `None` where no target has it.
pub fn seeds(target: &str) -> Option<BTreeSet<Vec<u8>>> {
    bytes(target).map(|bytes| of_kind(&bytes))
}

/// All samples, and the made-up caches, the files of one of which come as one.
fn samples() -> Vec<(String, Vec<u8>)> {
    let read = |path: &std::path::PathBuf| {
        let name = path.file_name()?.to_string_lossy().into_owned();
        Some((name, std::fs::read(path).ok()?))
    };
    let mut all: Vec<_> = files(&root().join("samples")).iter().filter_map(read).collect();
    let folder = root().join("tests/caches");
    all.extend(files(&folder).iter().filter(|path| !path.ends_with("guest.toc")).filter_map(read));
    let part = |name: &str| std::fs::read(folder.join(name)).unwrap_or_default();
    let [toc, data, list, states] = unshade::ryujinx::NAMES.map(part);
    let cache = unshade::ryujinx::Files {
        guest_toc: &toc,
        guest_data: &data,
        shared_toc: &list,
        shared_data: &states,
    };
    all.push(("guest.toc".to_owned(), unshade::ryujinx::join(cache)));
    all
}

/// The containers of all samples, unwrapped.
fn containers() -> Vec<Container> {
    let mut found = Vec::new();
    for (_, bytes) in samples() {
        if let Ok(opened) = unshade::open(&bytes) {
            found.extend(opened.containers.into_iter().map(|inner| inner.container));
        }
    }
    found
}

fn of_kind(bytes: &Bytes) -> BTreeSet<Vec<u8>> {
    let mut seeds: BTreeSet<Vec<u8>> = BTreeSet::new();
    let written = |container: &Container| container.write().unwrap_or_default();
    match bytes {
        Bytes::Files(formats) => {
            seeds.extend(containers().iter().filter(|one| formats.contains(&one.format())).map(written));
            if formats.contains(&Format::NvnCode) {
                seeds.extend(loose());
            }
        }
        Bytes::Named(endings) => {
            let named =
                samples().into_iter().filter(|(name, _)| endings.iter().any(|ending| name.ends_with(ending)));
            seeds.extend(named.map(|(_, bytes)| bytes));
        }
        Bytes::Code(isa, head) => {
            each_program(*isa, |stage| {
                let code = stage.code.words.iter().flat_map(|word| word.to_le_bytes());
                seeds.insert(head.iter().copied().chain(code).collect());
            });
        }
        Bytes::Text(isa, head, ending) => {
            each_program(*isa, |stage| {
                let text = unshade::disassemble_stage_to_text(stage, &ListingOptions::default());
                seeds.insert([head, text.as_bytes()].concat());
            });
            let named =
                samples().into_iter().filter(|(name, _)| !ending.is_empty() && name.ends_with(ending));
            seeds.extend(named.map(|(_, bytes)| bytes));
        }
        Bytes::Listings => {
            let options = ListingOptions::default();
            let text =
                |container: &Container| unshade::disassemble_container(container, &options).text().to_owned();
            seeds.extend(containers().iter().map(|container| text(container).into_bytes()));
        }
        Bytes::Manifests => {
            for (_, bytes) in samples() {
                let parts = unshade::open(&bytes).and_then(|opened| unshade::extract_file(&bytes, &opened));
                let Ok(parts) = parts else { continue };
                let others = parts.files().filter(|(name, _)| *name != Parts::MANIFEST);
                let rest: Vec<u8> = others.flat_map(|(_, bytes)| bytes.iter().copied().take(64)).collect();
                seeds.insert([parts.manifest().as_bytes(), &[0], &rest[..]].concat());
            }
        }
        Bytes::Settings => {
            for container in containers() {
                let names = container.names();
                let mut text = String::new();
                for named in names.iter().take(4) {
                    if named.own.is_some() {
                        text.push_str(&format!("rename {}=other\n", named.name));
                    }
                    if let Some(value) = &named.value {
                        text.push_str(&format!("{}={value}\n", named.name));
                    }
                }
                text.push_str("header.version=1\nname=x\n");
                seeds.insert([text.as_bytes(), &[0], &written(&container)[..]].concat());
            }
        }
        Bytes::Sources => {
            for path in files(&root().join("tests/compile-programs/programs")) {
                let language = u8::from(path.extension().is_some_and(|ending| ending == "wgsl"));
                let text = std::fs::read(path).unwrap_or_default();
                seeds.insert([&[language], &text[..]].concat());
            }
        }
        Bytes::Texts(texts) => seeds.extend(texts.iter().map(|text| text.as_bytes().to_vec())),
    }
    seeds.retain(|seed| !seed.is_empty() && seed.len() <= LONGEST);
    seeds
}

/// Code sections and pairs of the Switch out of other samples.
fn loose() -> Vec<Vec<u8>> {
    let mut found = Vec::new();
    for container in containers() {
        if let Ok(parts) = unshade_containers::extract(&container) {
            found.extend(
                parts.files().map(|(_, bytes)| bytes.to_vec()).filter(|bytes| Container::read(bytes).is_ok()),
            );
        }
    }
    found
}

fn each_program(isa: Isa, mut visit: impl FnMut(&unshade::Stage<'_>)) {
    for container in containers() {
        container.stages().filter(|stage| stage.isa == isa).for_each(|stage| visit(&stage));
    }
}

/// What libFuzzer takes as a dictionary: words of texts, names in files, and the first words of blocks.
pub fn dictionary(seeds: &BTreeSet<Vec<u8>>) -> String {
    let mut words: BTreeSet<&[u8]> = MAGICS.iter().map(|magic| magic.as_bytes()).collect();
    for seed in seeds {
        let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'[' | b']');
        words.extend(seed.split(|byte| !is_part(byte)).filter(|word| (3..=20).contains(&word.len())));
    }
    let escaped = |word: &&[u8]| {
        let letters: String = word.iter().map(|byte| format!("\\x{byte:02x}")).collect();
        format!("\"{letters}\"\n")
    };
    words.iter().take(WORDS).map(escaped).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_target_has_seeds() {
        for target in &crate::targets::ALL {
            let seeds = seeds(target.name).unwrap_or_default();
            assert!(!seeds.is_empty(), "{} starts from nothing", target.name);
            assert!(dictionary(&seeds).lines().count() > MAGICS.len() / 2);
        }
    }
}
