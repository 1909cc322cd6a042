//! Names, kinds and files that do not fit: refused with what was expected, and nothing changed. Nothing panics.

use crate::common;
use crate::programs::{file, files, id, ids};
use unshade_bytes::ErrorKind;
use unshade_containers::sharcfb::{Macro, Record};
use unshade_containers::shbin::{Code, Shbin};
use unshade_containers::{Container, DetachedStage, NewProgram, Strings};
use unshade_stage::StageKind;

const NAMES: [&str; 14] = [
    "",
    "/",
    "//",
    "@",
    "@/vertex",
    "@99999999999999999999/vertex",
    "0/",
    "-1",
    "00",
    "18446744073709551616",
    "vertex",
    "copy0",
    "toon/0/vertex/pixel",
    "a/b=c",
];

/// Everything that can be asked, whatever the answer. What is refused changes nothing; what is done can be written.
fn everything(container: &Container, stages: &[DetachedStage]) {
    let mut names: Vec<String> = ids(container).into_iter().map(|id| id.0).take(6).collect();
    names.extend(NAMES.map(str::to_owned));
    names.extend(names.clone().iter().filter_map(|name| Some(name.rsplitn(3, '/').nth(2)?.to_owned())));
    for name in &names {
        let taken = container.take(&id(name));
        if let Ok(taken) = &taken {
            let _ = (taken.kind(), taken.stage());
        }
        for stage in stages.iter().chain(taken.as_ref().ok()) {
            let mut edited = container.clone();
            match edited.put(&id(name), stage) {
                Ok(()) => drop(edited.write().unwrap()),
                Err(error) => assert!(edited == *container && !error.to_string().is_empty()),
            }
        }
        let mut edited = container.clone();
        match edited.remove(name) {
            Ok(removed) => {
                edited.write().unwrap();
                if let Ok(names) = edited.add(&removed.again) {
                    assert_eq!(names, removed.stages, "{name}");
                }
            }
            Err(_) => assert!(edited == *container),
        }
        for (stages, into, at) in [
            (stages.to_vec(), None, None),
            (stages.iter().take(1).cloned().collect(), None, Some(0)),
            (stages.iter().take(2).cloned().collect(), Some(name.clone()), Some(usize::MAX)),
            (Vec::new(), Some(name.clone()), Some(1)),
        ] {
            let values = vec![(name.clone(), "x".to_owned()), ("FOG".to_owned(), "\0".to_owned())];
            let new =
                NewProgram { name: Some(name.clone()), stages, into, at, values, ..NewProgram::default() };
            let bare = NewProgram { name: None, values: Vec::new(), ..new.clone() };
            for new in [new, bare] {
                let mut edited = container.clone();
                match edited.add(&new) {
                    Ok(_) => drop(edited.write().unwrap()),
                    Err(_) => assert!(edited == *container),
                }
            }
        }
    }
}

fn one_of_each() -> Vec<DetachedStage> {
    let samples = ["lighting.shbin", "lambert.vert.mbs", "phong.frag.mbs", "blur.gsh", "surface.sharcfb"];
    let taken = samples.iter().filter_map(|name| {
        let container = file(name)?;
        container.take(&ids(&container)[0]).ok()
    });
    taken.collect()
}

#[test]
fn damaged_files_are_edited_or_left_alone() {
    let stages = one_of_each();
    for (_, bytes) in common::malformed() {
        if let Ok(container) = Container::read(&bytes) {
            everything(&container, &stages);
        }
    }
    let mut random = 0x2545_F491_4F6C_DD1D_u64;
    for name in [
        "passthrough.shbin",
        "shared_transform.shbin",
        "linked.mbs",
        "blur.gsh",
        "surface.sharcfb",
        "object.dvoj",
    ] {
        let Some(container) = file(name) else { continue };
        let bytes = container.write().unwrap();
        for round in 0..60 {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            let mut damaged = bytes.clone();
            let at = random as usize % damaged.len();
            if round % 6 == 0 {
                damaged.truncate(at);
            } else {
                damaged[at] = [0, 0xFF, (random >> 32) as u8][round % 3];
            }
            if let Ok(container) = Container::read(&damaged) {
                everything(&container, &stages[..round % (stages.len() + 1)]);
            }
        }
    }
}

#[test]
fn what_does_not_fit_says_why() {
    let stages = one_of_each();
    for (path, container) in files().iter().step_by(7) {
        for name in NAMES {
            let known = container.stage(&id(name)).is_some();
            if !known {
                assert_eq!(
                    container.take(&id(name)).unwrap_err().kind,
                    ErrorKind::OutOfBounds,
                    "{path}#{name}"
                );
            }
        }
        for here in ids(container) {
            let stage = container.stage(&here).unwrap();
            for other in &stages {
                let mut edited = container.clone();
                let done = edited.put(&here, other);
                if other.isa() != stage.isa {
                    let error = done.unwrap_err();
                    assert_eq!((error.kind, error.code), (ErrorKind::BadValue, "programs.value"));
                    assert!(error.to_string().contains(&format!("a stage for {}", stage.isa)), "{error}");
                } else if other.kind() != stage.kind && !here.0.contains("copy") {
                    let error = done.unwrap_err();
                    assert_eq!(error.kind, ErrorKind::BadValue, "{path}#{here}: {error}");
                }
            }
        }
    }
}

#[test]
fn objects_and_programs_that_are_all_there_is() {
    let Some(object) = file("object.dvoj") else { return };
    let Some(linked) = file("lighting.shbin") else { return };
    let mut edited = object.clone();
    let error = edited.put(&id("0"), &linked.take(&id("0")).unwrap()).unwrap_err().to_string();
    assert!(error.contains("nobody knows the relocations"), "{error}");
    assert!(edited.remove("0").unwrap_err().to_string().contains("a linked binary (DVLB)"));
    // Its code can be linked.
    let loose = object.take(&id("0")).unwrap();
    let new = NewProgram { stages: vec![loose.clone()], ..NewProgram::default() };
    let mut edited = linked.clone();
    assert_eq!(edited.add(&new).unwrap(), [id("1")]);
    crate::programs::same_program(&edited, &id("1"), &loose, "an object in a linked binary");
    edited.remove("1").unwrap();
    assert!(edited.write().unwrap() == linked.write().unwrap());
    let geometry = NewProgram { name: Some("x".to_owned()), ..new };
    assert!(edited.add(&geometry).unwrap_err().to_string().contains("the name `x`"));
}

#[test]
fn limits_of_the_machine_and_the_file() {
    let Some(container) = file("lighting.shbin") else { return };
    let Container::Shbin(Shbin::Linked(file)) = &container else { panic!("no linked binary") };
    // A program of 500 words has no room behind another one: the vertex units take 512.
    let mut long = file.clone();
    let end = 0x22 << 26;
    long.program.code = Code { words: vec![0x21 << 26; 511], ..Code::default() };
    long.program.code.words.push(end);
    long.executables[0].entry = 0;
    long.executables[0].end = 512;
    let loose = Container::Shbin(Shbin::Linked(long)).take(&id("0")).unwrap();
    assert_eq!(loose.kind(), StageKind::Vertex);
    let new = NewProgram { stages: vec![loose.clone()], ..NewProgram::default() };
    let mut edited = container.clone();
    let error = edited.add(&new).unwrap_err().to_string();
    assert!(error.contains("code in the first 512 words, which the vertex units take"), "{error}");
    assert!(edited == container);
    // Instead of the other one it has.
    edited.put(&id("0"), &loose).unwrap();

    let Container::Sharcfb(mut archive) = crate::programs::file("surface.sharcfb").unwrap() else {
        panic!("no archive")
    };
    // Macros with more variations than a file can hold flags for.
    let Some(Record::Known(program)) = archive.programs.as_mut().and_then(|array| array.items.first_mut())
    else {
        panic!("no program")
    };
    program.base = u32::MAX;
    let name = |number: usize| Strings(format!("M{number}\0").into_bytes());
    for number in 0..40 {
        let values = Strings((0..10).flat_map(|value| [b'0' + value, 0]).collect());
        let of = Macro { name: name(number), values, count: None, id: name(number) };
        program.macros.items.push(Record::Known(of));
    }
    let archive = Container::Sharcfb(archive);
    let program = ids(&archive)[0].clone();
    assert!(program.0.starts_with('@'));
    let Container::Sharcfb(file) = &archive else { panic!("no archive") };
    let (_, first) = file.programs().next().unwrap();
    let text = String::from_utf8(first.name.0.clone()).unwrap().trim_end_matches('\0').to_owned();
    let new = NewProgram {
        into: Some(text.clone()),
        values: vec![("M0".to_owned(), "x".to_owned())],
        ..NewProgram::default()
    };
    let mut edited = archive.clone();
    assert!(edited.add(&new).unwrap_err().to_string().contains("variations that fit a file"));
    assert!(
        edited
            .remove(&format!("{text}/M3=7"))
            .unwrap_err()
            .to_string()
            .contains("variations that fit a file")
    );
}
