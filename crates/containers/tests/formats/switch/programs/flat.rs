//! DKSH, raw pairs and code sections, and their stages in BNSH files.

use crate::common;
use crate::switch::programs::{first_difference, ids, meaning, sound};
use std::path::PathBuf;
use unshade_containers::nvn::{Detached, Sections};
use unshade_containers::{Container, DetachedStage, NewProgram};
use unshade_stage::{StageId, StageKind};

fn sample(name: &str) -> PathBuf {
    PathBuf::from(format!("{}/../../samples/{name}", env!("CARGO_MANIFEST_DIR")))
}

fn files(folder: &str, ending: &str) -> Vec<(String, Vec<u8>)> {
    let mut files = Vec::new();
    for entry in common::shared(folder).into_iter().flat_map(|folder| std::fs::read_dir(folder).unwrap()) {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|found| found == ending) {
            files.push((path.to_string_lossy().into_owned(), std::fs::read(&path).unwrap()));
        }
    }
    files.sort();
    files
}

fn dksh() -> Vec<(String, Vec<u8>)> {
    let mut all = files("corpus/maxwell/uam-out", "dksh");
    all.push(("sample".into(), std::fs::read(sample("texture.frag.dksh")).unwrap()));
    all
}

fn nvn(stage: DetachedStage) -> Detached {
    stage.get::<Detached>().unwrap_or_else(|| panic!("{stage:?}")).clone()
}

/// Put and put back in every file of these formats.
#[test]
fn what_was_taken_is_put_back() {
    let mut all = dksh();
    all.extend(files("corpus/bnsh/nvnbin", "bin"));
    all.extend(files("corpus/maxwell/uam-out", "nvncode"));
    let all: Vec<_> =
        all.into_iter().map(|(path, bytes)| (path, Container::read(&bytes).unwrap(), bytes)).collect();
    for (path, file, bytes) in &all {
        for id in ids(file) {
            let own = file.take(&id).unwrap();
            let mut edited = file.clone();
            edited.put(&id, &own).unwrap_or_else(|error| panic!("{path} {id}: {error}"));
            assert_eq!(first_difference(&edited.write().unwrap(), bytes), None, "{path} {id}");
            for (from, other, _) in all.iter().filter(|(_, other, _)| other.format() == file.format()) {
                for other_id in ids(other) {
                    let stage = other.take(&other_id).unwrap();
                    if stage.kind() != own.kind() {
                        continue;
                    }
                    let name = format!("{path} {id} from {from} {other_id}");
                    let mut edited = file.clone();
                    edited.put(&id, &stage).unwrap_or_else(|error| panic!("{name}: {error}"));
                    sound(&name, file, &edited);
                    assert_eq!(meaning(&edited, &id), meaning(other, &other_id), "{name}");
                    for untouched in ids(file).into_iter().filter(|known| *known != id) {
                        assert_eq!(meaning(&edited, &untouched), meaning(file, &untouched), "{name}");
                    }
                    edited.put(&id, &own).unwrap();
                    assert_eq!(first_difference(&edited.write().unwrap(), bytes), None, "{name}: back again");
                }
            }
        }
    }
}

/// A DKSH grows to hold all programs, one after the other, and shrinks again.
#[test]
fn programs_of_a_dksh() {
    let all = dksh();
    for (path, bytes) in &all {
        let mut file = Container::read(bytes).unwrap();
        let mut states = vec![bytes.clone()];
        for (from, other) in all.iter().step_by(5) {
            let other = Container::read(other).unwrap();
            let what = other.copy_of("0").unwrap();
            let before = file.clone();
            let new = file.add(&what).unwrap();
            let name = format!("{path} with {from}");
            states.push(sound(&name, &before, &file));
            assert_eq!(meaning(&file, &new[0]), meaning(&other, &ids(&other)[0]), "{name}");
            for id in ids(&before) {
                assert_eq!(meaning(&file, &id), meaning(&before, &id), "{name}");
            }
            // One in the middle goes, and the others stay what they are.
            let mut fewer = file.clone();
            fewer.remove("0").unwrap();
            sound(&name, &file, &fewer);
            for (old, new) in ids(&file).iter().skip(1).zip(ids(&fewer)) {
                assert_eq!(meaning(&fewer, &new), meaning(&file, old), "{name}");
            }
        }
        while states.len() > 1 {
            states.pop();
            let last = states.len().to_string();
            file.remove(&last).unwrap();
            let wanted = states.last().unwrap();
            assert_eq!(first_difference(&file.write().unwrap(), wanted), None, "{path} without {last}");
        }
        assert!(file.remove("5").is_err());
    }
}

/// The control section that is made of a DKSH is the one that uam-nvn makes of the same source, where the code is as
/// long and uses as many registers.
#[test]
fn control_sections_as_the_open_compiler_makes_them() {
    let mut exact = 0;
    let mut bnsh = Container::read(&std::fs::read(sample("two_stages.bnsh")).unwrap()).unwrap();
    for (path, bytes) in files("corpus/maxwell/uam-out", "dksh") {
        let wanted = std::fs::read(path.replace(".dksh", ".nvnctrl")).unwrap();
        let file = Container::read(&bytes).unwrap();
        let stage = file.take(&ids(&file)[0]).unwrap();
        let scratch = |stage: &Detached| match &stage.sections {
            Sections::Deko3d { program, .. } => program.scratch_per_warp,
            _ => 0,
        };
        let mut what = NewProgram { stages: vec![stage.clone()], ..NewProgram::default() };
        if stage.kind() == StageKind::TessEval {
            let error = bnsh.add(&what).unwrap_err();
            assert!(error.to_string().contains("divides patches"), "{error}");
            continue;
        }
        let inner = nvn(stage.clone());
        if scratch(&inner) > 0 && stage.kind() != StageKind::Compute {
            let error = bnsh.add(&what).unwrap_err();
            assert!(error.to_string().contains("scratch memory is recommended"), "{error}");
            what.stages = vec![Detached { scratch: Some([0x8000, 0x1800]), ..inner }.into()];
        }
        let before = bnsh.clone();
        let new = bnsh.add(&what).unwrap_or_else(|error| panic!("{path}: {error}"));
        sound(&path, &before, &bnsh);
        let Sections::Nvn { control, code } = nvn(bnsh.take(&new[0]).unwrap()).sections else { panic!() };
        let (a, b) = (file.stage(&ids(&file)[0]).unwrap(), bnsh.stage(&new[0]).unwrap());
        // Zeros up to the next part of a DKSH are no code.
        assert!(a.code.words.starts_with(&b.code.words), "{path}");
        assert!(a.code.words[b.code.words.len()..].iter().all(|word| *word == 0), "{path}");
        let (a, b) = (a.interface.maxwell.unwrap(), b.interface.maxwell.unwrap());
        assert_eq!((a.registers, &a.constants), (b.registers, &b.constants), "{path}");
        assert_eq!(
            (a.work_group, a.early_tests, a.scratch),
            (b.work_group, b.early_tests, b.scratch),
            "{path}"
        );
        if stage.kind() != StageKind::Compute {
            assert_eq!(a.header, b.header, "{path}");
        }
        // Sizes and registers belong to the code, which differs; everything else must not.
        let known = |bytes: &[u8]| {
            let mut bytes = bytes.to_vec();
            for at in [0x6F8, 0x700, 0x704, 0x70C] {
                bytes[at..at + 4].fill(0);
            }
            bytes
        };
        assert!(
            known(&control) == known(&wanted),
            "{path}: {:x?}",
            first_difference(&known(&control), &known(&wanted))
        );
        let section = std::fs::read(path.replace(".dksh", ".nvncode")).unwrap();
        if section.len() == code.len() && control.0 == wanted {
            exact += 1;
        }
        if stage.kind() == StageKind::Compute {
            assert_eq!(section[..0x80], code[..0x80], "{path}: the room for a header");
        }
    }
    println!("{exact} control sections are the same to the byte");
    assert!(exact > 20 || common::shared("corpus/maxwell").is_none(), "{exact}");
}

/// From pair to BNSH and back: code, control sections and constants stay.
#[test]
fn from_one_format_to_another() {
    let bnsh = Container::read(&std::fs::read(sample("two_stages.bnsh")).unwrap()).unwrap();
    for (path, bytes) in files("corpus/bnsh/nvnbin", "bin") {
        let pair = Container::read(&bytes).unwrap();
        for kind in [StageKind::Vertex, StageKind::Fragment] {
            let (a, b) = (StageId(kind.name().into()), StageId(format!("0/{kind}")));
            let mut edited = bnsh.clone();
            edited.put(&b, &pair.take(&a).unwrap()).unwrap();
            sound(&path, &bnsh, &edited);
            let (x, y) = (pair.stage(&a).unwrap(), edited.stage(&b).unwrap());
            assert_eq!(x.code.words, y.code.words);
            // Names stay those that were there.
            let names = |file: &Container| nvn(file.take(&b).unwrap()).names;
            assert_eq!(names(&edited), names(&bnsh));
            let mut back = pair.clone();
            back.put(&a, &bnsh.take(&b).unwrap()).unwrap();
            sound(&path, &pair, &back);
            assert_eq!(back.stage(&a).unwrap().code.words, bnsh.stage(&b).unwrap().code.words);
            back.put(&a, &edited.take(&b).unwrap()).unwrap();
            assert_eq!(first_difference(&back.write().unwrap(), &bytes), None, "{path}");
        }
    }
    // To a DKSH: what was made of one comes back.
    for (path, bytes) in dksh() {
        let file = Container::read(&bytes).unwrap();
        let id = ids(&file)[0].clone();
        let mut there = bnsh.clone();
        let Ok(new) =
            there.add(&NewProgram { stages: vec![file.take(&id).unwrap()], ..NewProgram::default() })
        else {
            continue;
        };
        let mut back = file.clone();
        match back.put(&id, &there.take(&new[0]).unwrap()) {
            Ok(()) => assert_eq!(first_difference(&back.write().unwrap(), &bytes), None, "{path}"),
            Err(error) => assert!(error.to_string().contains("depth or a sample mask"), "{path}: {error}"),
        }
    }
    // A code section by itself: not without the number of registers.
    for (path, bytes) in files("corpus/maxwell/uam-out", "nvncode") {
        let file = Container::read(&bytes).unwrap();
        let id = ids(&file)[0].clone();
        let mut stage = nvn(file.take(&id).unwrap());
        let there = StageId(format!("0/{}", stage.kind));
        if bnsh.stage(&there).is_none() {
            continue;
        }
        let mut edited = bnsh.clone();
        let error = edited.put(&there, &stage.clone().into()).unwrap_err();
        assert!(error.to_string().contains("registers"), "{path}: {error}");
        assert!(edited == bnsh);
        if let Sections::Code { registers, .. } = &mut stage.sections {
            *registers = Some(40);
        }
        edited.put(&there, &stage.into()).unwrap_or_else(|error| panic!("{path}: {error}"));
        sound(&path, &bnsh, &edited);
        assert_eq!(edited.stage(&there).unwrap().code.words, file.stage(&id).unwrap().code.words, "{path}");
        let mut back = file.clone();
        back.put(&id, &edited.take(&there).unwrap()).unwrap();
        assert_eq!(first_difference(&back.write().unwrap(), &bytes), None, "{path}");
    }
}
