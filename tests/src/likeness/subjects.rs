//! The programs that were compiled from a source that lies beside them, and those of the 3DS, which have none in GLSL.

use crate::corpus;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use unshade::{GlslVersion, Isa, Stage, StageKind};

/// A compiled program beside its source.
pub struct Subject {
    /// Which table it belongs to.
    pub corpus: &'static str,
    /// Its name there.
    pub name: String,
    /// The source that it was compiled from.
    pub original: Option<String>,
    /// The program.
    pub stage: Stage<'static>,
    /// The language that the source is written in.
    pub language: GlslVersion,
}

/// Mali-200/400: files with the names of the source.
pub const MALI: &str = "mali";
/// Wii U: code as Mesa's compiler makes it, without names.
pub const LATTE: &str = "latte";
/// Switch: programs in BFSHA archives, with the names and members of the source.
pub const MAXWELL: &str = "maxwell";
/// Switch: the same sources as deko3d programs, which hold no names.
pub const DKSH: &str = "maxwell-dksh";
/// Switch: small programs of one feature each, as deko3d programs.
pub const FEATURES: &str = "maxwell-features";
/// 3DS: programs whose source is assembly.
pub const PICA: &str = "pica200";

/// All subjects of the corpus and the cases below `shared`, by table and name.
pub fn subjects(shared: &Path) -> Vec<Subject> {
    let corpus = shared.join("corpus");
    let mut found = mali(&corpus);
    found.extend(latte(&corpus));
    found.extend(maxwell(&corpus));
    found.extend(dksh(DKSH, &corpus.join("maxwell")));
    found.extend(dksh(FEATURES, &shared.join("cases/maxwell/maxwell")));
    found.extend(pica(&corpus));
    found
}

fn named(folder: &Path, ends: &str) -> Vec<(String, Vec<u8>)> {
    let name = |path: &Path| Some(path.file_name()?.to_str()?.strip_suffix(ends)?.to_owned());
    let files = corpus::files(folder);
    files.iter().filter_map(|path| Some((name(path)?, std::fs::read(path).ok()?))).collect()
}

/// The stages of a file, each with what it needs to live without it.
fn stages(bytes: &[u8]) -> Vec<Stage<'static>> {
    let Ok(opened) = unshade::open(bytes) else { return Vec::new() };
    opened.stages(None).map(|(_, stage)| stage.into_owned()).collect()
}

fn mali(corpus: &Path) -> Vec<Subject> {
    let folder = corpus.join("mbs/lima-out");
    let subject = |(name, bytes): (String, Vec<u8>)| {
        let original = std::fs::read_to_string(folder.join(&name)).ok()?;
        let stage = stages(&bytes).pop()?;
        Some(Subject { corpus: MALI, name, original: Some(original), stage, language: GlslVersion::Es100 })
    };
    named(&folder, ".mbs").into_iter().filter_map(subject).collect()
}

/// What a recorded run says of a program's surroundings, as `--state` takes it.
fn state(document: &Value) -> Value {
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let samplers = list(&document["interface"]["textures"]).into_iter().filter_map(|texture| {
        let name = texture["name"].as_str()?;
        let dimension = match document["textures"][name]["target"].as_str()? {
            "1D" => "d1",
            "2D" => "d2",
            "3D" => "d3",
            "CUBE" => "cube",
            "1D_ARRAY" => "d1-array",
            "2D_ARRAY" => "d2-array",
            "BUFFER" => "buffer",
            _ => return None,
        };
        let location: u32 = texture["key"].as_str()?.parse().ok()?;
        Some(json!({ "name": name, "dimension": dimension, "shadow": false, "location": location }))
    });
    let mut state = json!({ "profile": "mesa", "samplers": samplers.collect::<Vec<_>>() });
    for (register, input) in document["machine"]["inputs"].as_object().into_iter().flatten() {
        let Some(number) = register.strip_prefix('R').and_then(|number| number.parse::<u8>().ok()) else {
            continue;
        };
        match input["builtin"].as_str() {
            Some("gl_FragCoord") => state["frag_coord"] = json!(number),
            Some("gl_PointCoord") => state["point_coord"] = json!(number),
            Some("gl_FrontFacing") => {
                state["front_face"] = json!({ "register": number, "component": 0, "all_bits": false });
            }
            _ => {}
        }
    }
    let exports = document["machine"]["exports"].as_object().cloned().unwrap_or_default();
    let starts = |value: &Value, name: &str| value.as_str().is_some_and(|known| known.starts_with(name));
    let size = exports.get("POS61.x").is_some_and(|value| starts(value, "gl_PointSize"));
    let distances = exports
        .iter()
        .filter(|(export, value)| export.starts_with("POS6") && starts(value, "gl_ClipDistance"))
        .count();
    state["position"] = json!({
        "misc": size, "point_size": size,
        "distances": [distances > 0, distances > 4], "clip": (1_u32 << distances) - 1,
    });
    state
}

fn latte(corpus: &Path) -> Vec<Subject> {
    let folder = corpus.join("gfd/r700");
    let mut found = Vec::new();
    let mut seen = BTreeSet::new();
    for (own, document) in named(&folder.join("vectors"), ".json") {
        let Ok(document) = serde_json::from_slice::<Value>(&document) else { continue };
        let Some((base, short)) = own.rsplit_once('.') else { continue };
        let (kind, ends) = match short {
            "vs" => (StageKind::Vertex, "vert"),
            "ps" => (StageKind::Fragment, "frag"),
            "gs" => (StageKind::Geometry, "geom"),
            _ => continue,
        };
        let Ok(original) = std::fs::read_to_string(folder.join(format!("src/{base}.{ends}"))) else {
            continue;
        };
        for binary in
            document["machine"]["binaries"].as_array().into_iter().flatten().filter_map(Value::as_str)
        {
            let Ok(bytes) = std::fs::read(folder.join(binary)) else { continue };
            let Ok(words) = unshade::words_from_bytes(&bytes) else { continue };
            if !seen.insert((words.clone(), original.clone())) {
                continue;
            }
            let mut stage = unshade::raw_stage(Isa::Latte, words, Vec::new());
            stage.kind = kind;
            if unshade::apply_state(&mut stage, &state(&document).to_string()).is_err() {
                continue;
            }
            found.push(Subject {
                corpus: LATTE,
                name: format!("{own} {binary}"),
                original: Some(original.clone()),
                stage,
                language: GlslVersion::Core330,
            });
        }
    }
    found
}

fn maxwell(corpus: &Path) -> Vec<Subject> {
    let codes = named(&corpus.join("maxwell/uam-out"), ".nvncode");
    let programs: BTreeMap<Vec<u32>, String> = codes
        .into_iter()
        .filter_map(|(name, bytes)| Some((stages(&bytes).pop()?.code.words.to_vec(), name)))
        .collect();
    let mut found = BTreeMap::new();
    // Members of blocks are told by BFSHA alone, and in these two files each block belongs to one program.
    for (file, bytes) in named(&corpus.join("bfsha/generated"), ".bfsha") {
        if !matches!(&*file, "real_v5" | "real_stages_v8") {
            continue;
        }
        for stage in stages(&bytes) {
            let Some(name) = programs.get(&*stage.code.words) else { continue };
            let Ok(original) = std::fs::read_to_string(corpus.join("maxwell/glsl").join(name)) else {
                continue;
            };
            found.entry(name.clone()).or_insert(Subject {
                corpus: MAXWELL,
                name: format!("{name} {file}"),
                original: Some(original),
                stage,
                language: GlslVersion::Core450,
            });
        }
    }
    found.into_values().collect()
}

fn dksh(table: &'static str, folder: &Path) -> Vec<Subject> {
    let subject = |(name, bytes): (String, Vec<u8>)| {
        let original = std::fs::read_to_string(folder.join("glsl").join(&name)).ok()?;
        let stage = stages(&bytes).pop()?;
        Some(Subject { corpus: table, name, original: Some(original), stage, language: GlslVersion::Core450 })
    };
    named(&folder.join("uam-out"), ".dksh").into_iter().filter_map(subject).collect()
}

fn pica(corpus: &Path) -> Vec<Subject> {
    let mut found = Vec::new();
    for folder in ["picasso-out", "real", "nihstro-out"] {
        for (name, bytes) in named(&corpus.join("shbin").join(folder), ".shbin") {
            for stage in stages(&bytes) {
                let name = format!("{name}#{}", stage.id);
                found.push(Subject {
                    corpus: PICA,
                    name,
                    original: None,
                    stage,
                    language: GlslVersion::Core450,
                });
            }
        }
    }
    found
}
