//! BNSH.

use crate::common;
use crate::switch::programs::{Bench, Random, first_difference, ids, meaning, sound};
use proptest::prelude::*;
use unshade_containers::bnsh::{self, Object, Role};
use unshade_containers::nvn::{Detached, Sections};
use unshade_containers::programs::Details;
use unshade_containers::{Container, DetachedStage, NewProgram};
use unshade_stage::StageId;

/// All BNSH files, the samples among them also in the other order of bytes.
pub fn files() -> Vec<(String, Vec<u8>)> {
    let mut files = common::nx("bnsh");
    for (path, bytes) in files.clone().into_iter().filter(|(path, _)| path.contains("/samples/")) {
        let mut file = bnsh::read(&bytes).unwrap();
        file.image.form.big_endian = true;
        files.push((format!("{path}, big endian"), file.write().unwrap()));
    }
    files
}

fn read(bytes: &[u8]) -> Container {
    Container::read(bytes).unwrap()
}

#[test]
fn what_was_taken_is_put_back() {
    let mut count = 0;
    for (path, bytes) in files() {
        let file = read(&bytes);
        for id in ids(&file) {
            let mut edited = file.clone();
            let stage = file.take(&id).unwrap();
            edited.put(&id, &stage).unwrap_or_else(|error| panic!("{path} {id}: {error}"));
            assert_eq!(first_difference(&edited.write().unwrap(), &bytes), None, "{path} {id}");
            // Without its container it means the same.
            let mut loose = stage.stage().into_owned();
            (loose.code.file_offset, loose.id) = (0, StageId(String::new()));
            assert_eq!(format!("{loose:?}"), meaning(&file, &id), "{path} {id}");
            count += 1;
        }
    }
    assert!(count >= unshade_corpus::at_least(4, 6), "{count}");
    println!("{count} stages");
}

/// Each stage gets that of another variation or file, and its own again.
#[test]
fn another_stage_and_the_own_again() {
    let mut bench = Bench::new("another_stage");
    let files: Vec<(String, Container)> =
        files().into_iter().map(|(path, bytes)| (path, read(&bytes))).collect();
    let mut all = Vec::new();
    for (path, file) in &files {
        all.extend(ids(file).into_iter().map(|id| (path.clone(), id.clone(), file.take(&id).unwrap())));
    }
    let (mut exact, mut count) = (0, 0);
    let mut random = Random(7);
    for (path, file) in &files {
        let bytes = file.write().unwrap();
        for id in ids(file) {
            let own = file.take(&id).unwrap();
            let fitting: Vec<_> = all.iter().filter(|(.., stage)| stage.kind() == own.kind()).collect();
            for _ in 0..3 {
                let (from, from_id, stage) = fitting[random.below(fitting.len())];
                let name = format!("{path} {id} from {from} {from_id}");
                let mut edited = file.clone();
                edited.put(&id, stage).unwrap_or_else(|error| panic!("{name}: {error}"));
                let made = sound(&name, file, &edited);
                let got = edited.take(&id).unwrap();
                match (got.get::<Detached>(), stage.get::<Detached>()) {
                    (Some(got), Some(stage)) => {
                        assert_eq!(got.sections, stage.sections, "{name}");
                        assert_eq!(got.scratch, stage.scratch, "{name}");
                        assert!(stage.names.is_none() || got.names == stage.names, "{name}");
                    }
                    _ => panic!("{name}"),
                }
                for untouched in ids(file).into_iter().filter(|known| *known != id) {
                    assert_eq!(meaning(&edited, &untouched), meaning(file, &untouched), "{name}");
                }
                bench.keep(name.clone(), made);
                edited.put(&id, &own).unwrap();
                let again = sound(&name, file, &edited);
                let same = first_difference(&again, &bytes);
                assert!(same.is_none() || !undone(file, &id, stage), "{name}: {same:?}");
                exact += usize::from(same.is_none());
                count += 1;
                assert_eq!(meaning(&edited, &id), meaning(file, &id), "{name}");
            }
        }
    }
    println!("{exact} of {count} are the same to the byte again");
    assert!(exact * 2 > count, "{exact} of {count}");
    bench.compare();
}

#[test]
fn one_more_and_gone_again() {
    let mut bench = Bench::new("one_more");
    for (path, bytes) in files() {
        let file = read(&bytes);
        let Container::Bnsh(inner) = &file else { panic!() };
        for index in 0..inner.variation_count() {
            let what = inner.copy_of(&index.to_string()).unwrap();
            if what.stages.is_empty() {
                continue;
            }
            for at in [None, Some(0), Some(index as usize)] {
                let name = format!("{path} {index} again at {at:?}");
                let mut edited = file.clone();
                let new = edited.add(&NewProgram { at, ..what.clone() }).unwrap();
                bench.keep(name.clone(), sound(&name, &file, &edited));
                fields(&name, inner, &edited, at.map_or(inner.variation_count(), |at| at as u32));
                let front: u32 = new[0].0.split('/').next().unwrap().parse().unwrap();
                for id in &new {
                    let (_, kind) = id.0.split_once('/').unwrap();
                    let old = StageId(format!("{index}/{kind}"));
                    assert_eq!(meaning(&edited, id), meaning(&file, &old), "{name}");
                }
                let removed = edited.remove(&front.to_string()).unwrap();
                assert_eq!(removed.stages, new);
                assert_eq!(removed.again.stages, what.stages);
                assert_eq!(first_difference(&sound(&name, &file, &edited), &bytes), None, "{name}");
            }
        }
        let last = inner.variation_count().checked_sub(1);
        let whole = |index: u32| {
            inner.variation(index).is_some_and(|v| v.source.is_null() && v.intermediate.is_null())
        };
        if let Some(last) = last.filter(|last| *last > 0 && whole(*last)) {
            // The last one out and in again.
            let mut edited = file.clone();
            let removed = edited.remove(&last.to_string()).unwrap();
            sound(&path, &file, &edited);
            if !removed.again.stages.is_empty() {
                edited.add(&removed.again).unwrap();
                let same = first_difference(&sound(&path, &file, &edited), &bytes);
                println!("{path}: the last out and in again: {same:?}");
            }
        }
    }
    bench.compare();
}

/// Whether the layout allows that a stage, another one and the own again give the same file. Sections keep their places
/// where they belong to the stage alone, before and in between, and where a control section is not in parts: one that
/// differs in more than its metadata is whole from then on. Dictionaries keep theirs where the same groups have names.
fn undone(file: &Container, id: &StageId, other: &DetachedStage) -> bool {
    let Container::Bnsh(inner) = file else { panic!() };
    let own = file.take(id).unwrap();
    let (Some(own), Some(other)) = (own.get::<Detached>(), other.get::<Detached>()) else { panic!() };
    let all: Vec<_> = ids(file).iter().map(|id| inner.take(id).unwrap()).collect();
    let uses = |control: &[u8], code: &[u8]| {
        let pairs = all.iter().filter_map(|stage| match &stage.sections {
            Sections::Nvn { control, code } => Some((control, code)),
            _ => None,
        });
        pairs.filter(|(a, b)| ***a == *control || ***b == *code).count()
    };
    let count = |stage: &Detached| match &stage.sections {
        Sections::Nvn { control, code } => uses(control, code),
        _ => 9,
    };
    let groups = |stage: &Detached| {
        let names = stage.names.clone().unwrap_or_default();
        names.groups.map(|group| group.is_some())
    };
    let in_parts = inner.image.objects.values().any(|object| matches!(object, Object::Decomposed(_)));
    count(own) == 1 && count(other) == 0 && !in_parts && groups(own) == groups(other)
}

/// A new variation field by field: the pool, the parents, the array, the rooms.
fn fields(name: &str, before: &bnsh::Bnsh, after: &Container, new: u32) {
    let Container::Bnsh(after) = after else { panic!() };
    let (at, container) = after.container().unwrap();
    assert_eq!(container.variation_count, before.variation_count() + 1, "{name}");
    for index in 0..container.variation_count {
        let place = after.variation_place(index).unwrap();
        let variation = after.variation(index).unwrap();
        assert_eq!(variation.parent.0, at, "{name}");
        let Some(program) = after.program(variation.binary) else { continue };
        assert_eq!(program.parent.0, place, "{name}: {index}");
        let room = after.blob(program.object, program.object_size.into()).unwrap();
        assert!(room.iter().all(|&byte| byte == 0), "{name}");
    }
    // The order of the others stays.
    for index in 0..before.variation_count() {
        let moved = index + u32::from(index >= new);
        let [a, b] = [(before, index), (after, moved)].map(|(file, index)| {
            let program = file.program(file.variation(index)?.binary)?;
            Some(program.stages.map(|stage| file.stage_code(stage).map(|stage| file.code(stage).to_vec())))
        });
        assert!(a == b, "{name}: {index} is another");
    }
    let pool = after.pool().unwrap();
    let (start, end) = (pool.memory.0, pool.memory.0 + u64::from(pool.size));
    assert_eq!((start % 0x1000, end % 0x1000), (0, 0), "{name}");
    for (code, object) in &after.image.objects {
        if let Object::Blob(Role::Code, bytes) = object {
            assert!(*code >= start && code + bytes.len() as u64 <= end && code % 0x100 == 0, "{name}");
        }
    }
    let (_, table) = after.image.relocation().unwrap();
    let section = table.sections.iter().find(|section| u64::from(section.position) == start).unwrap();
    assert_eq!(u64::from(section.size), end - start, "{name}");
    let (strings, _) = after.image.strings().unwrap();
    assert_eq!(at + u64::from(container.block.next), strings, "{name}");
    assert_eq!(after.header().unwrap().file.file_size.0, after.image.len, "{name}");
}

/// From stages alone: names, details and all come from them, or are made.
#[test]
fn from_stages_alone() {
    let file = read(
        &std::fs::read(format!("{}/../../samples/two_stages.bnsh", env!("CARGO_MANIFEST_DIR"))).unwrap(),
    );
    let stages: Vec<DetachedStage> = ids(&file).iter().map(|id| file.take(id).unwrap()).collect();
    let mut edited = file.clone();
    edited.add(&NewProgram { stages: stages.clone(), ..NewProgram::default() }).unwrap();
    sound("stages", &file, &edited);
    // Without names there is no reflection.
    let bare: Vec<DetachedStage> = stages
        .iter()
        .map(|stage| {
            let mut stage = stage.clone();
            stage.get_mut::<Detached>().unwrap().names = None;
            stage
        })
        .collect();
    edited.add(&NewProgram { stages: bare, ..NewProgram::default() }).unwrap();
    sound("bare", &file, &edited);
    let Container::Bnsh(inner) = &edited else { panic!() };
    assert_eq!(inner.variation_count(), 3);
    let program = |index| inner.program(inner.variation(index).unwrap().binary).unwrap();
    assert!(!program(1).reflection.is_null() && program(2).reflection.is_null());
    // Refused, and nothing changed.
    let before = edited.clone();
    let twice = vec![stages[0].clone(), stages[0].clone()];
    for (what, message) in [
        (NewProgram::default(), "the stages of a program"),
        (NewProgram { stages: twice, ..NewProgram::default() }, "one vertex stage"),
        (NewProgram { stages: stages.clone(), name: Some("x".into()), ..NewProgram::default() }, "name"),
        (NewProgram { stages: stages.clone(), at: Some(9), ..NewProgram::default() }, "a place from 0 to 3"),
        (
            NewProgram {
                stages: stages.clone(),
                values: vec![("a".into(), "b".into())],
                ..NewProgram::default()
            },
            "values",
        ),
    ] {
        let error = edited.add(&what).unwrap_err();
        assert!(error.to_string().contains(message), "{error}");
        assert!(edited == before);
    }
    let error = edited.put(&StageId("0/vertex".into()), &stages[1]).unwrap_err();
    assert!(error.to_string().contains("vertex"), "{error}");
    assert!(edited.remove("7").is_err() && edited.remove("0/vertex").is_err());
    assert!(edited == before);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, failure_persistence: None, rng_seed: proptest::test_runner::RngSeed::Fixed(1), ..ProptestConfig::default() })]

    /// A random sequence of edits, each undone, last first: the file is as it was.
    #[test]
    fn sequences_are_undone(pick in any::<prop::sample::Index>(), steps in prop::collection::vec(any::<(u8, u16, u16)>(), 1..6)) {
        let files: Vec<_> = files().into_iter().filter(|(_, bytes)| !ids(&read(bytes)).is_empty()).collect();
        let (path, bytes) = pick.get(&files);
        let mut file = read(bytes);
        let mut undo: Vec<Container> = Vec::new();
        let mut added = Vec::new();
        for (kind, a, b) in steps {
            let before = file.clone();
            let stages = ids(&file);
            let id = &stages[usize::from(a) % stages.len()];
            let name = format!("{path} {kind} {id}");
            match kind % 3 {
                0 => {
                    let variation = id.0.split('/').next().unwrap();
                    let what = file.copy_of(variation).unwrap();
                    let new = file.add(&what).unwrap();
                    added.push(new[0].0.split('/').next().unwrap().to_owned());
                }
                1 => {
                    let other = &stages[usize::from(b) % stages.len()];
                    let stage = file.take(other).unwrap();
                    let fits = file.take(id).unwrap().kind() == stage.kind();
                    prop_assert_eq!(file.put(id, &stage).is_ok(), fits, "{}", name);
                    added.push(String::new());
                }
                _ => {
                    // Code that no other stage has.
                    let mut stage = file.take(id).unwrap();
                    if let Some(stage) = stage.get_mut::<Detached>()
                        && let Sections::Nvn { code, .. } = &mut stage.sections
                        && let Some(byte) = code.0.last_mut()
                    {
                        *byte ^= (b as u8) | 1;
                    }
                    file.put(id, &stage).unwrap();
                    added.push(String::new());
                }
            }
            sound(&name, &before, &file);
            undo.push(before);
        }
        while let (Some(before), Some(new)) = (undo.pop(), added.pop()) {
            if new.is_empty() {
                for id in ids(&before) {
                    file.put(&id, &before.take(&id).unwrap()).unwrap();
                }
                // Sections that were shared are found again; those that were equal without being shared are not
                // told apart any more, and then others stand behind.
                for id in ids(&before) {
                    prop_assert_eq!(meaning(&file, &id), meaning(&before, &id));
                }
                sound(path, &before, &file);
                file = before;
            } else {
                file.remove(&new).unwrap();
                prop_assert_eq!(first_difference(&file.write().unwrap(), &before.write().unwrap()), None, "{}", path);
            }
        }
        prop_assert_eq!(first_difference(&file.write().unwrap(), bytes), None, "{}", path);
        prop_assert!(NewProgram::default().details == Details::default());
    }
}
