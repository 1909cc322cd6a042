//! Stages, programs, values and sources of archives: taken, put, added and removed; what went and came back is the same file.

use super::writer;
use unshade_containers::{Container, DetachedStage, NewProgram};
use unshade_stage::Code;

fn read(bytes: &[u8]) -> Container {
    Container::read(bytes).unwrap()
}

/// Archives of the Switch with programs and stages.
fn switches() -> impl Iterator<Item = (u64, Container, Vec<u8>)> {
    (0..200).map(|seed| (seed, writer::switch(seed).0)).filter_map(|(seed, bytes)| {
        let container = read(&bytes);
        container.stages().next()?;
        Some((seed, container, bytes))
    })
}

#[test]
fn stages_of_the_switch_replaced_by_themselves_stay() {
    for (seed, container, bytes) in switches() {
        let mut same = container.clone();
        for stage in container.stages() {
            let loose = container.take(&stage.id).unwrap();
            same.put(&stage.id, &loose).unwrap_or_else(|error| panic!("{seed}: {}: {error}", stage.id));
        }
        assert!(same.write().unwrap() == bytes, "{seed}");
    }
}

#[test]
fn code_that_changes_for_one_variation_stays_for_the_others() {
    let mut shared = 0;
    for (seed, container, _) in switches() {
        let stages: Vec<_> = container.stages().collect();
        let first = &stages[0];
        let mut words = first.code.words.to_vec();
        words.extend([7; 64]);
        let mut changed = container.clone();
        let code = Code { words: words.clone().into(), ..Code::default() };
        changed.replace(&first.id, &code).unwrap_or_else(|error| panic!("{seed}: {error}"));
        let again = read(&changed.write().unwrap());
        assert!(again == changed, "{seed}");
        assert_eq!(again.stage(&first.id).unwrap().code.words, words, "{seed}");
        for old in &stages[1..] {
            shared += usize::from(old.code.file_offset == first.code.file_offset);
            let new = again.stage(&old.id).unwrap();
            assert_eq!(new.code.words, old.code.words, "{seed}: {}", old.id);
            assert_eq!(format!("{:?}", new.interface), format!("{:?}", old.interface), "{seed}: {}", old.id);
        }
        // And back: the same code as before, wherever it lies.
        let mut back = again.clone();
        back.replace(&first.id, &first.code).unwrap();
        assert_eq!(back.stage(&first.id).unwrap().code.words, first.code.words);
    }
    assert!(shared > 20, "{shared}");
}

#[test]
fn programs_that_went_come_back_byte_for_byte() {
    let mut removed = 0;
    for (seed, container, bytes) in switches() {
        let Container::SharcfbNx(file) = &container else { continue };
        let names: Vec<String> = file.programs().map(|(_, program)| program.text()).collect();
        for name in names {
            let mut changed = container.clone();
            let gone = changed.remove(&name).unwrap_or_else(|error| panic!("{seed}: {name}: {error}"));
            assert!(changed.stages().all(|stage| !stage.id.0.starts_with(&format!("{name}/"))));
            let left = read(&changed.write().unwrap());
            // What is left does what it did.
            for stage in left.stages() {
                assert!(container.stages().any(|old| old.code.words == stage.code.words));
            }
            changed.add(&gone.again).unwrap_or_else(|error| panic!("{seed}: {name}: {error}"));
            assert!(changed.write().unwrap() == bytes, "{seed}: {name}");
            removed += 1;
        }
    }
    assert!(removed > 100, "{removed}");
}

#[test]
fn copies_of_programs_share_their_code() {
    for (seed, container, bytes) in switches() {
        let Container::SharcfbNx(file) = &container else { continue };
        let Some((_, program)) = file.programs().next() else { continue };
        let name = program.text();
        let mut copy = container.copy_of(&name).unwrap();
        copy.name = Some("another".to_owned());
        let mut changed = container.clone();
        let added = changed.add(&copy).unwrap_or_else(|error| panic!("{seed}: {error}"));
        let written = changed.write().unwrap();
        let Container::SharcfbNx(new) = read(&written) else { panic!("another format") };
        assert_eq!(new.pool().len(), file.pool().len(), "{seed}");
        for id in added {
            let old = id.0.replacen("another", &name, 1);
            let (old, new) = (container.stage(&unshade_stage::StageId(old)), changed.stage(&id));
            let (old, new) = (old.unwrap(), new.unwrap());
            assert_eq!(old.code.words, new.code.words, "{seed}");
            assert_eq!(format!("{:?}", old.interface), format!("{:?}", new.interface), "{seed}");
        }
        changed.remove("another").unwrap();
        assert!(changed.write().unwrap() == bytes, "{seed}: removed again");
    }
}

#[test]
fn values_of_macros_come_and_go_with_their_variations() {
    let mut values = 0;
    for (seed, container, bytes) in switches() {
        let Container::SharcfbNx(file) = &container else { continue };
        for (_, program) in file.programs().filter(|(_, program)| program.base != u32::MAX) {
            let list = program.macro_list();
            for of in &list.macros {
                let (name, text) = (String::from_utf8_lossy(of.name), program.text());
                let mut wider = container.clone();
                let what = NewProgram {
                    values: vec![(name.to_string(), "new".to_owned())],
                    into: Some(text.clone()),
                    ..NewProgram::default()
                };
                let added = wider.add(&what).unwrap_or_else(|error| panic!("{seed}: {text}: {error}"));
                assert!(!added.is_empty());
                let read_again = read(&wider.write().unwrap());
                assert!(read_again == wider);
                let gone = wider.remove(&format!("{text}/{name}=new")).unwrap();
                assert_eq!(gone.stages, added, "{seed}");
                assert!(wider.write().unwrap() == bytes, "{seed}: {text}: {name}");
                values += 1;
                // One that was there goes and comes back.
                let last = String::from_utf8_lossy(of.values[of.values.len() - 1]).into_owned();
                if of.values.len() > 1 && of.default != Some(last.as_bytes()) {
                    let mut fewer = container.clone();
                    let gone = fewer.remove(&format!("{text}/{name}={last}")).unwrap();
                    fewer.add(&gone.again).unwrap();
                    assert!(fewer.write().unwrap() == bytes, "{seed}: {text}: {name}={last}");
                }
            }
        }
    }
    assert!(values > 50, "{values}");
}

#[test]
fn a_program_is_made_of_stages_of_another_archive() {
    let mut made = 0;
    let mut switches = switches();
    while let (Some((seed, from, _)), Some((_, mut into, bytes))) = (switches.next(), switches.next()) {
        let kinds = ["vertex", "pixel"];
        let stages = kinds.map(|kind| from.stages().find(|stage| stage.id.0.ends_with(kind)));
        let [Some(vertex), Some(pixel)] = stages else { continue };
        let stages: Vec<DetachedStage> = [&vertex, &pixel].map(|stage| from.take(&stage.id).unwrap()).into();
        let what = NewProgram { name: Some("fresh".to_owned()), stages, ..NewProgram::default() };
        let added = into.add(&what).unwrap_or_else(|error| panic!("{seed}: {error}"));
        assert_eq!(
            added.iter().map(|id| id.0.as_str()).collect::<Vec<_>>(),
            ["fresh/0/vertex", "fresh/0/pixel"]
        );
        let again = read(&into.write().unwrap());
        for (id, old) in added.iter().zip([&vertex, &pixel]) {
            let new = again.stage(id).unwrap();
            assert_eq!(new.code.words, old.code.words);
            let names = |stage: &unshade_stage::Stage<'_>| {
                let maxwell = stage.interface.maxwell.clone().unwrap();
                (
                    maxwell.constant_buffers,
                    maxwell.samplers,
                    maxwell.inputs,
                    maxwell.images,
                    maxwell.storage_buffers,
                )
            };
            assert_eq!(names(&new), names(old));
        }
        into.remove("fresh").unwrap();
        let _ = bytes;
        made += 1;
    }
    assert!(made > 10, "{made}");
}

#[test]
fn sources_come_and_go() {
    let (mut sources, mut programs) = (0, 0);
    for version in 10..=13 {
        for seed in 0..50 {
            let bytes = writer::sources(version, seed).0;
            let container = read(&bytes);
            let Container::Sharc(file) = &container else { panic!("another format") };
            let names: Vec<String> = file.sources().map(|(_, source)| source.title()).collect();
            for name in names {
                let shown = format!("{version}, {seed}: {name}");
                let mut changed = container.clone();
                changed.put_source(&name, b"void main() {}\n\x83\x65").unwrap();
                let again = read(&changed.write().unwrap());
                let Container::Sharc(new) = &again else { panic!("another format") };
                assert_eq!(new.sources_named(&name)[0].1.bytes(), b"void main() {}\n\x83\x65", "{shown}");
                let text = file.sources_named(&name)[0].1.bytes().to_vec();
                changed.put_source(&name, &text).unwrap();
                // What the file says of a length that nothing reads stays as it was.
                assert!(changed.write().unwrap() == bytes, "{shown}");
                let mut fewer = container.clone();
                if let Ok(gone) = fewer.remove(&name) {
                    fewer.add(&gone.again).unwrap();
                    assert!(fewer.write().unwrap() == bytes, "{shown}");
                }
                sources += 1;
            }
            let names: Vec<String> = file.programs().map(|(_, program)| program.text()).collect();
            for name in names {
                let mut fewer = container.clone();
                let gone = fewer.remove(&name).unwrap();
                fewer.add(&gone.again).unwrap();
                assert!(fewer.write().unwrap() == bytes, "{version}, {seed}: {name}");
                programs += 1;
            }
        }
    }
    assert!(sources > 200 && programs > 150, "{sources} {programs}");
    let refused = |bytes: &[u8]| {
        let mut container = read(bytes);
        let error = container.put_source("none", b"x").unwrap_err();
        assert!(error.to_string().contains("none"), "{error}");
        container.put_source("s0", b"a\0b")
    };
    assert!(refused(&writer::sources(11, 3).0).is_err());
}
