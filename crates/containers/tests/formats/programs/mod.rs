//! Whole stages and programs: taken and put back, exchanged between files, added and removed. What an edit did, its
//! opposite undoes to the byte; after each one the file reads back, nothing is without an owner, and `check` finds nothing
//! new.
#![allow(clippy::indexing_slicing)]

mod cross;
mod hostile;
mod pica;
mod random;
mod variations;

use crate::common;
use std::collections::BTreeMap;
use unshade_containers::{Container, DetachedStage, NewProgram};
use unshade_stage::{Isa, Stage, StageId};

/// All files that have stages of these formats, by the last parts of their paths.
pub fn files() -> Vec<(String, Container)> {
    let mut files = common::containers();
    files.extend(common::mbs());
    files.extend(common::gfd());
    files.extend(common::sharcfb());
    let files = files.into_iter().filter_map(|(path, bytes)| {
        let container =
            Container::read(&bytes).ok().filter(|file| file.write().is_ok_and(|back| back == bytes));
        Some((path, container?))
    });
    files.collect()
}

/// A file of the samples or the corpus.
pub fn file(name: &str) -> Option<Container> {
    let found = files().into_iter().find(|(path, _)| path.ends_with(name));
    if found.is_none() {
        println!("skipped: no {name}");
    }
    found.map(|(_, container)| container)
}

/// How many random cases are tried: so many, or as `PROGRAMS_CASES` says.
pub fn cases(usual: u32) -> u32 {
    std::env::var("PROGRAMS_CASES").map_or(usual, |cases| cases.parse().unwrap())
}

/// Of many pairs of programs one in so many is tried; of the few that the samples alone have, all.
fn some(step: usize) -> usize {
    if unshade_corpus::is_there() { step } else { 1 }
}

/// The name of a stage.
pub fn id(name: &str) -> StageId {
    StageId(name.to_owned())
}

/// The names of all stages.
pub fn ids(container: &Container) -> Vec<StageId> {
    container.stages().map(|stage| stage.id).collect()
}

/// How often `check` finds what.
pub fn findings(container: &Container) -> BTreeMap<String, usize> {
    let mut found = BTreeMap::new();
    for finding in container.check() {
        *found.entry(finding.code.into_owned()).or_default() += 1;
    }
    found
}

/// What must hold after every edit. Findings may come along with what was put in, from one of the `sources`.
pub fn holds(container: &Container, before: &Container, sources: &[&Container], what: &str) {
    let bytes = container.write().unwrap_or_else(|error| panic!("{what}: {error}"));
    let again = Container::read(&bytes).unwrap_or_else(|error| panic!("{what}: {error}"));
    assert!(again.write().unwrap() == bytes, "{what}: written in another way");
    let text = |container: &Container| format!("{:?}", container.stages().collect::<Vec<_>>());
    assert_eq!(text(&again), text(container), "{what}: other stages");
    assert_eq!(findings(&again), findings(container), "{what}: other findings");
    let coverage = container.coverage();
    assert_eq!((coverage.len, coverage.unowned().next()), (bytes.len() as u64, None), "{what}");
    let mut known = findings(before);
    for source in sources {
        for (code, count) in findings(source) {
            *known.entry(code).or_default() += count;
        }
    }
    let rest = ["mbs.no-program", "shbin.dvlb.no-executable"];
    for (code, count) in findings(container) {
        if what.ends_with("removed") && rest.contains(&code.as_str()) {
            continue;
        }
        // One kind of finding of a source may stand there several times, once its stage is copied.
        assert!(
            known.get(&code).is_some_and(|&known| count <= known || !sources.is_empty()),
            "{what}: new: {code}, {:#?}",
            container.check()
        );
    }
    if let Container::Sharcfb(file) = &again {
        let aligned = |stage: &Stage<'_>| stage.code.file_offset.is_multiple_of(0x100);
        let was = before.stages().all(|stage| aligned(&stage));
        assert!(!was || file.stages().all(|stage| aligned(&stage)), "{what}: code lies anywhere");
    }
}

/// What takes out again what was added.
pub fn item(container: &Container, what: &NewProgram, added: &[StageId]) -> String {
    let first = added.first().expect("a stage").0.clone();
    match (container, &what.into) {
        (Container::Sharcfb(_), Some(into)) => {
            let (name, value) = what.values.last().unwrap();
            format!("{into}/{name}={value}")
        }
        (Container::Sharcfb(_), None) => match first.strip_prefix('@') {
            Some(_) => first.rsplit_once('/').unwrap().0.to_owned(),
            None => first.rsplitn(3, '/').last().unwrap().to_owned(),
        },
        _ => first,
    }
}

#[test]
fn what_is_taken_fits_where_it_was() {
    let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
    for (path, container) in files() {
        let bytes = container.write().unwrap();
        for id in ids(&container) {
            let stage = container.stage(&id).unwrap();
            let loose = match container.take(&id) {
                Ok(loose) => loose,
                // A copy program whose geometry shader is not there.
                Err(error) => panic!("{path}#{id}: {error}"),
            };
            assert_eq!(loose.isa(), stage.isa, "{path}#{id}");
            if !id.0.contains("copy") {
                assert_eq!(loose.kind(), stage.kind, "{path}#{id}");
                let taken = loose.stage();
                assert_eq!(format!("{:?}", taken.interface), format!("{:?}", stage.interface), "{path}#{id}");
                assert_eq!(taken.code.words, stage.code.words, "{path}#{id}");
                assert_eq!(taken.code.descriptors, stage.code.descriptors, "{path}#{id}");
                assert_eq!(taken.code.entry, stage.code.entry, "{path}#{id}");
            }
            let mut put = container.clone();
            put.put(&id, &loose).unwrap_or_else(|error| panic!("{path}#{id}: {error}"));
            assert!(put.write().unwrap() == bytes, "{path}#{id}: put back, the file differs");
            *seen.entry(container.format().name()).or_default() += 1;
        }
    }
    println!("{seen:?}");
    for (format, least) in [("shbin", 4), ("mbs", 6), ("gfd", 2), ("sharcfb", 2)] {
        assert!(seen.get(format).is_some_and(|count| *count >= least), "{format}: {seen:?}");
    }
}

/// Each stage of each file in place of each other of its kind, and back.
#[test]
fn stages_change_places_and_back() {
    let mut all: Vec<(String, Container, StageId, DetachedStage)> = Vec::new();
    let files = files();
    for (path, container) in &files {
        for id in ids(container) {
            let loose = container.take(&id).unwrap();
            all.push((path.clone(), container.clone(), id, loose));
        }
    }
    let (mut done, mut refused) = (BTreeMap::<&str, usize>::new(), BTreeMap::<String, usize>::new());
    for (path, container) in &files {
        let bytes = container.write().unwrap();
        let format = container.format().name();
        for (at, id) in ids(container).into_iter().enumerate() {
            let old = container.take(&id).unwrap();
            // Some of all others, other ones for each stage.
            for (number, (from, source, name, loose)) in all.iter().enumerate() {
                if loose.isa() != old.isa()
                    || (number + at) % some(if loose.isa() == Isa::Latte { 9 } else { 7 }) != 0
                {
                    continue;
                }
                let what = format!("{from}#{name} into {path}#{id}");
                let mut edited = container.clone();
                match edited.put(&id, loose) {
                    Ok(()) => {}
                    Err(error) => {
                        assert!(edited == *container, "{what}: half done");
                        assert!(error.code.starts_with("programs."), "{what}: {error}");
                        *refused.entry(format!("{format}: {error}")).or_default() += 1;
                        continue;
                    }
                }
                holds(&edited, container, &[source], &what);
                same_program(&edited, &id, loose, &what);
                edited.put(&id, &old).unwrap_or_else(|error| panic!("{what}, and back: {error}"));
                assert!(edited.write().unwrap() == bytes, "{what}, and back: the file differs");
                *done.entry(format).or_default() += 1;
            }
        }
    }
    println!("{done:?}");
    for (error, count) in &refused {
        println!("{count} x {error}");
    }
    for format in ["mbs", "gfd", "sharcfb", "shbin"] {
        let least = unshade_corpus::at_least(2, 10);
        assert!(done.get(format).is_some_and(|count| *count >= least), "{done:?}");
    }
}

/// What stands there now does what the loose stage does: code with its side tables and interface are the same, but
/// for where the words lie.
pub fn same_program(container: &Container, id: &StageId, loose: &DetachedStage, what: &str) {
    if id.0.contains("copy") {
        return;
    }
    let (here, loose) = (container.stage(id).unwrap(), loose.stage());
    assert_eq!(here.kind, loose.kind, "{what}");
    assert_eq!(
        format!("{:?}", here.interface),
        format!("{:?}", loose.interface),
        "{what}: another interface"
    );
    if matches!(container, Container::Shbin(_)) {
        assert_eq!(format!("{:?}", here.code.constants), format!("{:?}", loose.code.constants), "{what}");
        pica::same_code(&here.code, &loose.code, what);
    } else {
        assert_eq!(here.code.words, loose.code.words, "{what}: other code");
    }
}

#[test]
fn what_is_removed_comes_back() {
    let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
    for (path, container) in files() {
        let bytes = container.write().unwrap();
        let mut items: Vec<String> = ids(&container).into_iter().map(|id| id.0).collect();
        if let Container::Sharcfb(_) = container {
            let programs: Vec<String> =
                items.iter().filter_map(|item| item.rsplitn(3, '/').nth(2).map(str::to_owned)).collect();
            items.extend(programs);
            items.dedup();
        }
        for item in items {
            let mut edited = container.clone();
            let removed = match edited.remove(&item) {
                Ok(removed) => removed,
                Err(error) => {
                    assert!(edited == container, "{path}#{item}: half done");
                    assert!(error.code.starts_with("programs."), "{path}#{item}: {error}");
                    continue;
                }
            };
            holds(&edited, &container, &[&container], &format!("{path}#{item} removed"));
            assert!(edited.stages().count() < container.stages().count(), "{path}#{item}");
            let names =
                edited.add(&removed.again).unwrap_or_else(|error| panic!("{path}#{item}, and back: {error}"));
            assert_eq!(names, removed.stages, "{path}#{item}");
            assert!(edited.write().unwrap() == bytes, "{path}#{item}, and back: the file differs");
            *seen.entry(container.format().name()).or_default() += 1;
        }
    }
    println!("{seen:?}");
    for format in ["shbin", "mbs", "gfd", "sharcfb"] {
        assert!(seen.contains_key(format), "{seen:?}");
    }
}

#[test]
fn what_is_added_goes_without_a_trace() {
    let files = files();
    let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
    let mut programs: Vec<(&Container, String, NewProgram)> = Vec::new();
    for (path, container) in &files {
        let mut items: Vec<String> = ids(container).into_iter().map(|id| id.0).collect();
        if let Container::Sharcfb(_) = container {
            items = items.iter().filter_map(|item| item.rsplitn(3, '/').nth(2).map(str::to_owned)).collect();
            items.dedup();
        }
        for item in items {
            let Ok(mut copy) = container.copy_of(&item) else { continue };
            if let Container::Sharcfb(_) = container {
                copy.name = Some("another".to_owned());
            }
            programs.push((container, format!("{path}#{item}"), copy));
        }
    }
    for (at, (path, container)) in files.iter().enumerate() {
        let bytes = container.write().unwrap();
        for (number, (source, from, program)) in programs.iter().enumerate() {
            if (number + at) % some(9) != 0 {
                continue;
            }
            let what = format!("{from} added to {path}");
            let mut edited = container.clone();
            let names = match edited.add(program) {
                Ok(names) => names,
                Err(error) => {
                    assert!(edited == *container, "{what}: half done");
                    assert!(error.code.starts_with("programs."), "{what}: {error}");
                    continue;
                }
            };
            holds(&edited, container, &[source], &what);
            assert_eq!(edited.stages().count(), container.stages().count() + names.len(), "{what}");
            for (name, loose) in names.iter().filter(|name| !name.0.contains("copy")).zip(&program.stages) {
                same_program(&edited, name, loose, &what);
            }
            for id in ids(container) {
                let (before, after) = (container.stage(&id).unwrap(), edited.stage(&id).unwrap());
                assert_eq!(
                    format!("{:?}", before.interface),
                    format!("{:?}", after.interface),
                    "{what}: {id}"
                );
            }
            let item = item(&edited, program, &names);
            let removed =
                edited.remove(&item).unwrap_or_else(|error| panic!("{what}, and {item} removed: {error}"));
            assert_eq!(removed.stages, names, "{what}");
            let differs = edited.difference(&bytes).unwrap();
            assert!(differs.is_none(), "{what}, and removed: {}", differs.unwrap());
            *seen.entry(container.format().name()).or_default() += 1;
        }
    }
    println!("{seen:?}");
    for format in ["shbin", "mbs", "gfd", "sharcfb"] {
        assert!(seen.contains_key(format), "{seen:?}");
    }
}
