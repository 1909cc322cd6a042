//! Every source at hand is read: those of the corpus, those of the project, and texts that the decompiler printed.

use std::path::{Path, PathBuf};
use unshade_corpus::{at_least, is_there, root, shared};
use unshade_glsl::language::{Profile, Stage, Target, Version};
use unshade_glsl::preprocess::Include;
use unshade_glsl::{Options, read_with};

/// Files below a folder whose names end as those of a stage do.
fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            files(&path, found);
        } else if stage(&path).is_some() {
            found.push(path);
        }
    }
}

fn stage(path: &Path) -> Option<Stage> {
    let ending = path.extension()?.to_str()?;
    if ending != "glsl" {
        return Stage::by_ending(ending);
    }
    let stem = Path::new(path.file_stem()?);
    let before = stem.extension().and_then(|ending| ending.to_str()).and_then(Stage::by_ending);
    before.or_else(|| Some(guess(stem.to_str()?, &std::fs::read_to_string(path).ok()?)))
}

/// The stage of a text whose name does not end with one.
fn guess(name: &str, text: &str) -> Stage {
    match () {
        () if name.ends_with("tess-control") => Stage::TessellationControl,
        () if name.ends_with("tess-eval") => Stage::TessellationEvaluation,
        () if text.contains("EmitVertex") => Stage::Geometry,
        () if text.contains("local_size") => Stage::Compute,
        () if text.contains("gl_Position") => Stage::Vertex,
        () => Stage::Fragment,
    }
}

/// The project's own texts and golden files that are right by themselves: path, stage, text.
pub fn golden() -> Vec<(PathBuf, Stage, String)> {
    let mut found = Vec::new();
    for folder in [
        "samples",
        "tests/golden",
        "tests/cli/glsl",
        "tests/differential",
        "tests/compile-programs/corpus",
        "tests/compile-programs/decompiled",
        "tests/compile-programs/programs",
        "tests/compile-programs/twins",
        "crates/emit/tests/golden",
    ] {
        files(&root().join(folder), &mut found);
    }
    let mut list = Vec::new();
    for path in found {
        let (Some(first), Ok(text)) = (stage(&path), std::fs::read_to_string(&path)) else { continue };
        // All programs of a file are printed behind each other.
        if text.matches("#version").count() > 1 {
            let parts = text.split("#version").filter(|part| part.contains("main"));
            list.extend(parts.map(|part| (path.clone(), guess("", part), format!("#version{part}"))));
            continue;
        }
        // A whole program is a text for each of its stages.
        let stages =
            [("VERTEX", Stage::Vertex), ("GEOMETRY", Stage::Geometry), ("FRAGMENT", Stage::Fragment)];
        let parts: Vec<(PathBuf, Stage, String)> = stages
            .iter()
            .filter_map(|(word, stage)| {
                let condition = format!("#ifdef {word}_SHADER");
                let (version, rest) = text.split_once('\n').filter(|_| text.contains(&condition))?;
                Some((path.clone(), *stage, format!("{version}\n#define {word}_SHADER\n{rest}")))
            })
            .collect();
        match parts.is_empty() {
            true => list.push((path, first, text)),
            false => list.extend(parts),
        }
    }
    list
}

/// What is not read, each with its reason. Nothing else is refused.
const REFUSED: &[(&str, &str)] = &[
    ("glsl/include/transform.glsl", "a file that others include"),
    ("cli/glsl/shared.glsl", "a file that others include"),
    ("cli/glsl/dollar.vert", "wrong on purpose"),
    ("cli/glsl/wrong.vert", "wrong on purpose"),
];

/// Reads all; the number that was taken.
fn all(list: Vec<(PathBuf, Stage, String)>) -> usize {
    let mut taken = 0;
    let mut refused = Vec::new();
    for (path, stage, text) in list {
        let name = path.to_string_lossy().into_owned();
        let vulkan = text.contains("layout(set = ") || text.contains(", set = ") || name.contains("vulkan");
        let options = Options {
            target: if vulkan { Target::Vulkan } else { Target::OpenGl },
            name: name.clone(),
            version: Version { number: 110, profile: Profile::None },
            ..Options::new(stage)
        };
        let folder = path.parent().map(Path::to_owned).unwrap_or_default();
        let mut find = |include: Include<'_>| match [&folder, &folder.join("include")]
            .into_iter()
            .find_map(|folder| std::fs::read_to_string(folder.join(include.name)).ok())
            .ok_or("not there")
        {
            Ok(text) => Ok((include.name.to_owned(), text)),
            Err(error) => Err(error.to_string()),
        };
        let reading = read_with(&text, &options, &mut find);
        match reading.shader {
            Some(_) => {
                taken += 1;
                // What was read holds together: types, parts, indices.
                let number = Stage::ALL.iter().position(|other| *other == stage).unwrap_or(0) as u8;
                let first = number | if vulkan { 0x40 } else { 0 };
                crate::property::glsl(&[&[first], text.as_bytes()].concat());
            }
            None if REFUSED.iter().any(|(known, _)| name.ends_with(*known)) => {
                println!("refused as known: {name}");
            }
            None => refused.push(reading.render()),
        }
    }
    assert!(refused.is_empty(), "{} refused:\n{}", refused.len(), refused.join("\n"));
    taken
}

#[test]
fn own_sources_and_decompiled_texts() {
    let taken = all(golden());
    println!("{taken} texts of the project read");
    assert!(taken >= 330, "{taken}");
}

#[test]
fn sources_of_the_corpus() {
    let mut found = Vec::new();
    files(&shared("corpus"), &mut found);
    let list = found
        .into_iter()
        .filter_map(|path| Some((path.clone(), stage(&path)?, std::fs::read_to_string(&path).ok()?)))
        .collect();
    let taken = all(list);
    match is_there() {
        true => println!("{taken} sources of the corpus read"),
        false => println!("skipped: no corpus beside the checkout"),
    }
    assert!(taken >= at_least(0, 176), "{taken}");
}
