//! Programs of several stages as one GLSL text: `glslangValidator` takes the text for each of its stages, and links what
//! comes out of it.

use std::{collections::BTreeSet, fs, path::Path, process::Command};
use unshade::{DecompileOptions, GlslVersion, Layout, Stage, StageKind, Target};
use unshade_tests::{corpus, tools};

/// The versions with the layouts that each has.
const PROFILES: [(GlslVersion, Layout); 6] = [
    (GlslVersion::Core450, Layout::Source),
    (GlslVersion::Core450, Layout::OpenGl),
    (GlslVersion::Core450, Layout::Vulkan),
    (GlslVersion::Core330, Layout::Source),
    (GlslVersion::Es300, Layout::Source),
    (GlslVersion::Es100, Layout::Source),
];

/// Macro, ending and step of each stage.
const STAGES: [(&str, &str); 5] = [
    ("VERTEX_SHADER", "vert"),
    ("TESS_CONTROL_SHADER", "tesc"),
    ("TESS_EVALUATION_SHADER", "tese"),
    ("GEOMETRY_SHADER", "geom"),
    ("FRAGMENT_SHADER", "frag"),
];

/// The programs of a file that have several stages.
fn programs(path: &Path) -> Vec<Vec<Stage<'static>>> {
    let Ok(bytes) = fs::read(path) else { return Vec::new() };
    let Ok(opened) = unshade::open(&bytes) else { return Vec::new() };
    let stages: Vec<(String, Stage<'static>)> =
        opened.stages(None).map(|(_, stage)| (format!("#{}", stage.id), stage.into_owned())).collect();
    let groups = unshade::by_program(&stages).into_iter().filter(|group| group.stages.len() > 1);
    groups
        .map(|group| group.stages.iter().map(|at| stages[*at].1.clone()).collect::<Vec<_>>())
        // Stages without code say nothing.
        .filter(|stages| stages.iter().any(|stage| stage.code.words.len() > 16))
        .collect()
}

/// The text of a program.
fn text(stages: &[Stage<'static>], version: GlslVersion, layout: Layout, strict: bool) -> String {
    let how =
        DecompileOptions { target: Target::Glsl(version), strict, layout, ..DecompileOptions::default() };
    let asked: Vec<_> = stages.iter().map(|stage| (stage, how.clone())).collect();
    unshade::decompile_program(&asked, &[]).text
}

/// The text of all stages, where there is one: in front of texts of parts that are no stages of their own.
fn of_stages(text: &str) -> Option<&str> {
    let end = text.get(1..)?.find("\n#version ").map_or(text.len(), |at| at + 2);
    text.get(..end).filter(|text| text.contains("\n#ifdef "))
}

/// What the compiler says of a program; nothing where it takes it. Stages of a text get their macro behind its first
/// line, so that one call can link them.
fn refused(folder: &Path, text: &str, layout: Layout) -> Option<String> {
    let (version, rest) = text.split_once('\n')?;
    let mut command = Command::new("glslangValidator");
    match layout {
        Layout::Vulkan => {
            command.args(["-V", "--target-env", "vulkan1.1", "-l", "-o"]).arg(folder.join("out"))
        }
        _ => command.arg("-l"),
    };
    for (name, ending) in STAGES {
        if text.contains(&format!("#ifdef {name}\n")) {
            let path = folder.join(format!("whole.{ending}"));
            fs::write(&path, format!("{version}\n#define {name}\n{rest}")).unwrap();
            command.arg(path);
        }
    }
    let output = command.output().unwrap();
    (!output.status.success()).then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}

#[test]
fn every_stage_of_a_text_compiles_and_they_link() {
    let what = "whole programs are compiled and linked";
    if !tools::present("glslangValidator", what) {
        return;
    }
    let Some(shared) = corpus::shared(what) else { return };
    let folders =
        ["bnsh", "bfsha", "gfd", "sharcfb", "sharc-versions", "mbs", "shbin/picasso-out", "shbin/synthetic"];
    let files = folders.iter().flat_map(|folder| corpus::files(&shared.join("corpus").join(folder)));
    let folder = tempfile::tempdir().unwrap();
    let mut seen = BTreeSet::new();
    let mut wrong = Vec::new();
    for file in files {
        for (at, stages) in programs(&file).iter().enumerate() {
            for (version, layout) in PROFILES {
                for strict in [false, true] {
                    // What strict text has beside readable text is the same in the others.
                    if strict && (layout != Layout::Source || version == GlslVersion::Es100) {
                        continue;
                    }
                    let text = text(stages, version, layout, strict);
                    let Some(text) = of_stages(&text) else { continue };
                    // Compilers compare the block that the language declares itself, where one stage declares it again.
                    if text.contains("gl_ClipDistance[8];") && text.contains("GEOMETRY_SHADER") {
                        continue;
                    }
                    if seen.insert((text.to_owned(), layout == Layout::Vulkan))
                        && let Some(said) = refused(folder.path(), text, layout)
                    {
                        let file = file.display();
                        wrong.push(format!(
                            "{file}, program {at}, {version:?} {layout:?}, strict {strict}: {said}\n{text}"
                        ));
                    }
                }
            }
        }
    }
    assert!(seen.len() > 100, "{} texts", seen.len());
    assert!(
        wrong.is_empty(),
        "{} of {}\n{}",
        wrong.len(),
        seen.len(),
        wrong[..wrong.len().min(3)].join("\n")
    );
}

#[test]
fn a_compiler_takes_the_text_by_its_macros() {
    let what = "a text of all stages is compiled for each";
    if !tools::present("glslangValidator", what) {
        return;
    }
    let Some(shared) = corpus::shared(what) else { return };
    let stages = programs(&shared.join("corpus/gfd/librw_default.gsh")).remove(0);
    assert_eq!(
        stages.iter().map(|stage| stage.kind).collect::<Vec<_>>(),
        [StageKind::Vertex, StageKind::Fragment]
    );
    let text = text(&stages, GlslVersion::Core330, Layout::Source, false);
    for (step, name) in [("vert", "VERTEX_SHADER"), ("frag", "FRAGMENT_SHADER")] {
        let define = format!("-D{name}");
        tools::accepts("glslangValidator", &["-l", "-S", step, &define], ".glsl", text.as_bytes()).unwrap();
    }
}
