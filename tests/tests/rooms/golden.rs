//! Programs of all machines decompiled from files, beside the text that was read and found good.
//!
//! `golden/inputs` holds the files, `golden` a text of the same name for each, in the language that the machine's
//! programs are written in: every stage of the file, one behind the other. Bare code of the Wii U has what its code
//! does not say in a JSON file beside it, as `--state` takes it. `BLESS=1` writes the texts anew; review the difference.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};
use unshade::{DecompileOptions, GlslVersion, Isa, Stage, StageKind, Target};
use unshade_tests::corpus::{self, root};

/// The language that programs of a machine are written in.
fn language(isa: Isa) -> GlslVersion {
    match isa {
        Isa::MaliGp | Isa::MaliPp => GlslVersion::Es100,
        Isa::Latte => GlslVersion::Core330,
        _ => GlslVersion::Core450,
    }
}

/// Bare code of the Wii U: `NAME.vs.bin` with `NAME.vs.json`.
fn bare(path: &Path) -> Stage<'static> {
    let words = unshade::words_from_bytes(&fs::read(path).unwrap()).unwrap();
    let mut stage = unshade::raw_stage(Isa::Latte, words, Vec::new());
    let name = path.file_stem().unwrap().to_str().unwrap();
    stage.kind = match name.rsplit('.').next().unwrap() {
        "vs" => StageKind::Vertex,
        "ps" => StageKind::Fragment,
        "gs" => StageKind::Geometry,
        other => panic!("{name}: what kind of program is {other}?"),
    };
    let state = fs::read_to_string(path.with_extension("json")).unwrap();
    unshade::apply_state(&mut stage, &state).unwrap();
    stage
}

/// The stages of a file, each with the name of its item.
fn stages(path: &Path) -> Vec<(String, Stage<'static>)> {
    if path.extension().is_some_and(|extension| extension == "bin") {
        return vec![(String::new(), bare(path))];
    }
    let bytes = fs::read(path).unwrap();
    let opened = unshade::open(&bytes).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    opened.stages(None).map(|(_, stage)| (format!("#{}", stage.id), stage.into_owned())).collect()
}

/// The text of a file.
fn decompiled(path: &Path, machines: &mut BTreeSet<&'static str>) -> String {
    let file = path.file_name().unwrap().to_str().unwrap();
    let mut texts = Vec::new();
    for (item, stage) in stages(path) {
        machines.insert(stage.isa.name());
        let options = DecompileOptions {
            target: Target::Glsl(language(stage.isa)),
            header: vec![format!("{file}{item}: {} program, {}", stage.kind, stage.isa)],
            ..DecompileOptions::default()
        };
        let made = unshade::decompile(&stage, &options);
        texts.push(made.unwrap_or_else(|error| panic!("{file}{item}: {error}")).text);
    }
    texts.join("\n")
}

fn inputs() -> Vec<PathBuf> {
    let mut found = corpus::files(&root().join("tests/golden/inputs"));
    found.retain(|path| path.extension().is_none_or(|extension| extension != "json"));
    found.extend(
        ["lambert.vert.mbs", "phong.frag.mbs", "lighting.shbin", "blur.gsh"]
            .map(|sample| root().join("samples").join(sample)),
    );
    found
}

#[test]
fn programs_of_all_machines() {
    let bless = std::env::var_os("BLESS").is_some();
    let (mut machines, mut wrong) = (BTreeSet::new(), Vec::new());
    let inputs = inputs();
    assert!(inputs.len() >= 30, "{} files", inputs.len());
    for input in &inputs {
        let text = decompiled(input, &mut machines);
        let name = input.file_stem().unwrap().to_str().unwrap();
        let golden = root().join("tests/golden").join(format!("{name}.glsl"));
        if bless {
            fs::write(&golden, &text).unwrap();
            continue;
        }
        let expected = fs::read_to_string(&golden).unwrap_or_default().replace("\r\n", "\n");
        if let Some(line) = difference(&expected, &text) {
            wrong.push(format!("{name}.glsl: {line}"));
        }
    }
    assert_eq!(machines.len(), 5, "{machines:?}");
    assert!(
        wrong.is_empty(),
        "{}\nIf that is better than before: BLESS=1 cargo test -p unshade-tests --test rooms golden::",
        wrong.join("\n")
    );
}

/// The first line in which two texts differ.
fn difference(expected: &str, actual: &str) -> Option<String> {
    if expected == actual {
        return None;
    }
    let same = expected.lines().zip(actual.lines()).take_while(|(one, other)| one == other).count();
    let line = |text: &str| text.lines().nth(same).unwrap_or("(the end)").to_owned();
    Some(format!("line {}\n  was {}\n  is  {}", same + 1, line(expected), line(actual)))
}
