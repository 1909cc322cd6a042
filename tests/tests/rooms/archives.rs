//! The promises about shader archives with macros: `pick` is the formula, `ls` of the bytes is `ls` of the model,
//! and large archives cost what is looked at.

use std::{
    fs,
    path::PathBuf,
    process::{Command, Stdio},
};
use unshade::{Container, open, report};
use unshade_containers::sharcfb::{Archive, raw};
use unshade_tests::corpus;

/// Archives: the sample, the corpus, and generated ones where Python is there; the folder lives as long as they do.
fn archives() -> (Vec<PathBuf>, tempfile::TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let mut files = vec![corpus::root().join("samples/surface.sharcfb")];
    let Some(shared) = corpus::shared("shader archives") else { return (files, folder) };
    files.extend(corpus::files(&shared.join("corpus/sharcfb")));
    files.retain(|path| path.extension().is_some_and(|ending| ending == "sharcfb"));
    for seed in 0..16 {
        let out = folder.path().join(format!("{seed}.sharcfb"));
        let made = Command::new("python3")
            .arg(shared.join("tools/make_sharcfb.py"))
            .args(["random", "--seed", &seed.to_string(), "--endian", ["little", "big"][seed % 2], "--r700"])
            .arg(shared.join("corpus/gfd/r700"))
            .arg("-o")
            .arg(&out)
            .stdout(Stdio::null())
            .status();
        match made {
            Ok(status) if status.success() => files.push(out),
            _ => return (files, folder),
        }
    }
    (files, folder)
}

/// The formula as the format's description has it, with every macro's value by its index: the number of the variation,
/// counted up macro by macro, and the numbers of its binaries.
fn by_the_formula(counts: &[usize], indices: &[usize], base: u32, stages: u32) -> (u64, Vec<u32>) {
    let mut variation = 0;
    for (count, index) in counts.iter().zip(indices) {
        variation = variation * count + index;
    }
    let first = base.wrapping_add(variation as u32 * stages);
    (variation as u64, (0..stages).map(|stage| first.wrapping_add(stage)).collect())
}

#[test]
fn pick_is_the_formula() {
    let (files, _folder) = archives();
    let (mut combinations, mut based, mut of_three) = (0, 0, 0);
    for path in &files {
        let bytes = fs::read(path).unwrap();
        let archive = Archive::open(&bytes).unwrap();
        let text = |bytes: &[u8]| std::str::from_utf8(bytes).unwrap().to_owned();
        let mut names = Vec::new();
        for program in archive.programs() {
            let program = program.unwrap();
            let name = text(program.name());
            if names.contains(&name) {
                continue;
            }
            let list = program.macro_list().unwrap();
            let macros: Vec<(String, Vec<String>)> = list
                .macros
                .iter()
                .map(|list| (text(list.name), list.values.iter().map(|value| text(value)).collect()))
                .collect();
            let counts: Vec<usize> = macros.iter().map(|(_, values)| values.len()).collect();
            let stages = program.view.binaries_per_variation();
            let total: usize = counts.iter().product();
            for combination in 0..total {
                // Another order of the combinations than that of the variations.
                let mut rest = combination;
                let indices: Vec<usize> = counts
                    .iter()
                    .map(|count| {
                        let index = rest % count;
                        rest /= count;
                        index
                    })
                    .collect();
                let given: Vec<(&str, &str)> = macros
                    .iter()
                    .zip(&indices)
                    .map(|((name, values), &index)| (name.as_str(), values[index].as_str()))
                    .collect();
                let report = report::pick(&bytes, &[], Some(&name), &given).unwrap();
                let [picked] = report.picked.as_slice() else { panic!("{path:?} {name}: {report:?}") };
                assert!(report.defaults.is_empty() && report.any.is_empty());
                assert_eq!(report.variations, total as u64);
                let (variation, binaries) = by_the_formula(&counts, &indices, program.view.base, stages);
                assert_eq!(picked.variation, variation, "{path:?} {name} {given:?}");
                let values: Vec<_> =
                    picked.values.iter().map(|v| (v.name.as_str(), v.value.as_str())).collect();
                assert_eq!(values, given);
                if program.view.base == raw::NO_BINARIES {
                    assert!(picked.stages.is_empty());
                } else {
                    let numbers: Vec<u32> = picked.stages.iter().map(|stage| stage.binary.unwrap()).collect();
                    assert_eq!(numbers, binaries, "{path:?} {name} {given:?}");
                    based += usize::from(program.view.base > 0);
                    of_three += usize::from(stages == 3);
                }
                combinations += 1;
            }
            names.push(name);
        }
    }
    assert!(combinations >= 5, "{combinations}");
    assert!(
        files.len() < 16 || (based > 0 && of_three > 0 && combinations > 100),
        "{based} {of_three} {combinations}"
    );
}

#[test]
fn picked_items_are_items_of_the_list() {
    let (files, _folder) = archives();
    for path in &files {
        let bytes = fs::read(path).unwrap();
        let items = report::items(&open(&bytes).unwrap(), None).items;
        // The list from the bytes is the list of the model.
        let mut listed = Vec::new();
        report::each_item(&bytes, &[], None, |item| {
            listed.push(item);
            true
        })
        .unwrap();
        assert_eq!(listed, items, "{}", path.display());
        for program in report::options(&bytes, &[], None).unwrap().programs {
            let name = program.item.trim_start_matches('#');
            let any: Vec<(&str, &str)> =
                program.macros.iter().map(|list| (list.name.as_str(), "*")).collect();
            // A macro of a name that was there before cannot be set by it.
            let Ok(report) = report::pick(&bytes, &[], Some(name), &any) else { continue };
            assert_eq!(report.picked.len() as u64, program.variations);
            for (number, picked) in report.picked.iter().enumerate() {
                assert_eq!(picked.variation, number as u64);
            }
            for stage in report.picked.iter().flat_map(|picked| &picked.stages) {
                assert!(
                    items.iter().any(|item| item.item == stage.item),
                    "{}: {}",
                    path.display(),
                    stage.item
                );
            }
        }
    }
}

#[test]
fn what_is_not_there_is_said_with_what_is() {
    let bytes = fs::read(corpus::root().join("samples/surface.sharcfb")).unwrap();
    let told =
        |program, given: &[(&str, &str)]| report::pick(&bytes, &[], program, given).unwrap_err().to_string();
    let surface = Some("surface");
    assert_eq!(
        told(surface, &[("KIL", "1")]),
        "there is no macro `KIL`; `KILL` is near; there is SURFACE, KILL"
    );
    let message = "SURFACE has no value `textured2`; `textured` is near; there is plain, textured";
    assert_eq!(told(surface, &[("SURFACE", "textured2")]), message);
    assert_eq!(told(surface, &[("KILL", "0"), ("kill", "1")]), "kill is set twice");
    assert_eq!(told(None, &[]), "there are 2 programs in it; name one: #surface, #blocks");
    assert!(told(Some("surfaces"), &[]).contains("there is #surface, #blocks"));
    let default = report::pick(&bytes, &[], surface, &[("SURFACE", "textured")]).unwrap();
    assert_eq!((default.picked[0].variation, default.defaults[0].name.as_str()), (2, "KILL"));
    // Other files have no macros.
    let shbin = fs::read(corpus::root().join("samples/lighting.shbin")).unwrap();
    let error = report::options(&shbin, &[], None).unwrap_err().to_string();
    assert!(error.contains("found shbin"), "{error}");
    assert!(matches!(Container::read(&bytes), Ok(Container::Sharcfb(_))));
}
