//! BFSHA of the Switch.

use crate::common;
use crate::switch::programs::{Bench, Random, first_difference, ids, meaning, sound};
use proptest::prelude::*;
use std::time::Instant;
use unshade_containers::bfsha::pick::{Picker, Query};
use unshade_containers::bfsha::programs::ProgramDetails;
use unshade_containers::bfsha::{self, Bfsha, Object};
use unshade_containers::nvn::{Detached, Sections};
use unshade_containers::switch::Pointer;
use unshade_containers::switch::layout::Edit;
use unshade_containers::{Container, DetachedStage, NewProgram};
use unshade_stage::StageId;

/// The archives of the Switch, and the samples among them also in the other order of bytes.
fn files() -> Vec<(String, Bfsha)> {
    let files = common::nx("bfsha").into_iter();
    let files = files.map(|(path, bytes)| (path, bfsha::read(&bytes).unwrap()));
    let mut files: Vec<_> = files.filter(|(_, file)| !file.is_wiiu() && file.model_count() > 0).collect();
    for (path, mut file) in files.clone().into_iter().filter(|(path, _)| path.contains("/samples/")) {
        file.image.form.big_endian = true;
        for object in file.image.objects.values_mut() {
            if let Object::Bnsh(inner) = object {
                inner.image.form.big_endian = true;
            }
        }
        files.push((format!("{path}, big endian"), file));
    }
    files
}

fn inner(file: &Container) -> &Bfsha {
    match file {
        Container::Bfsha(file) => file,
        other => panic!("{}", other.describe()),
    }
}

/// A choice that no program has, one option away from `from`.
fn free(file: &Bfsha, model: usize, from: usize, random: &mut Random) -> Option<(String, String)> {
    let table = file.options(model, &file.image.texts()).unwrap();
    let current = table.choices(from);
    let mut found = Vec::new();
    for (option, (name, now)) in table.options.iter().zip(&current) {
        // Of two options of one name the first is meant.
        if table.option(name) != Some(option) {
            continue;
        }
        for choice in option.choices.iter().filter(|choice| *choice != now) {
            let mut key = table.key(from).to_vec();
            option.packed.set(&mut key, option.choice(choice).unwrap());
            if (0..table.programs).all(|program| table.key(program) != key) {
                found.push(((*name).to_owned(), choice.clone()));
            }
        }
    }
    (!found.is_empty()).then(|| found[random.below(found.len())].clone())
}

/// The programs that `pick` finds for the choices of a new program.
fn picked(file: &Bfsha, model: usize, values: &[(String, String)]) -> Vec<usize> {
    let table = file.options(model, &file.image.texts()).unwrap();
    let pairs = values.iter().map(|(name, value)| (name.as_str(), value.as_str()));
    let query = Query::new(&table, pairs).unwrap();
    Picker::new(&table).pick(&query).programs
}

#[test]
fn what_was_taken_is_put_back() {
    let mut count = 0;
    for (path, file) in files() {
        let file = Container::Bfsha(file);
        let bytes = file.write().unwrap();
        for id in ids(&file) {
            let mut edited = file.clone();
            edited.put(&id, &file.take(&id).unwrap()).unwrap_or_else(|error| panic!("{path} {id}: {error}"));
            assert_eq!(first_difference(&edited.write().unwrap(), &bytes), None, "{path} {id}");
            count += 1;
        }
    }
    println!("{count} stages");
    assert!(count > 5);
}

/// Programs come in with other choices, are found by these, and go again to the byte.
#[test]
fn programs_come_and_go() {
    let mut bench = Bench::new("bfsha_come_and_go");
    let mut random = Random(3);
    let (mut count, mut out, mut back) = (0, 0, 0);
    for (path, file) in files() {
        for model in 0..file.model_count() {
            let name = file.model_names(&file.image.texts())[model].clone();
            let whole = Container::Bfsha(file.clone());
            let bytes = whole.write().unwrap();
            for from in 0..file.program_count(model).min(6) {
                let item = format!("{name}/{from}");
                let mut what = whole.copy_of(&item).unwrap();
                // As it is there is such a program, and it is named.
                let error = whole.clone().add(&what).unwrap_err().to_string();
                assert!(error.contains(&format!("`{item}`")), "{error}");
                let Some((option, choice)) = free(&file, model, from, &mut random) else { continue };
                let before = what.values.clone();
                what.values.push((option.clone(), choice.clone()));
                let label = format!("{path} {item} with {option}={choice}");
                let mut edited = whole.clone();
                let new = edited.add(&what).unwrap_or_else(|error| panic!("{label}: {error}"));
                bench.keep(label.clone(), sound(&label, &whole, &edited));
                let added: usize = new[0].0.rsplit('/').nth(1).unwrap().parse().unwrap();
                for id in &new {
                    let kind = id.0.rsplit('/').next().unwrap();
                    let old = StageId(format!("{name}/{from}/{kind}"));
                    assert_eq!(meaning(&edited, id), meaning(&whole, &old), "{label}");
                }
                let unique = unique_names(&file, model);
                let shifted = |program: usize| program + usize::from(program >= added);
                if unique {
                    assert_eq!(picked(inner(&edited), model, &what.values), [added], "{label}");
                    assert_eq!(picked(inner(&edited), model, &before), [shifted(from)], "{label}");
                }
                let default = |file: &Bfsha| file.model(model).unwrap().default_program;
                if let Ok(program) = usize::try_from(default(&file)) {
                    assert_eq!(default(inner(&edited)), shifted(program) as i32);
                }
                // What is bound where is what was bound there.
                let (a, b) = (inner(&edited), &file);
                let record = |file: &Bfsha, program| {
                    let found = file.model(model).unwrap();
                    let record = file.program(found, program).unwrap();
                    let tables: Vec<Vec<i32>> = bfsha::raw::Resource::of(file.image.form)
                        .iter()
                        .map(|resource| file.table(record, *resource).to_vec())
                        .collect();
                    (tables, record.flags, record.active_attributes, record.counts)
                };
                assert_eq!(record(a, added), record(b, from), "{label}");
                let removed = edited.remove(&format!("{name}/{added}")).unwrap();
                assert_eq!(removed.stages, new);
                assert_eq!(first_difference(&sound(&label, &whole, &edited), &bytes), None, "{label}");
                if unique {
                    assert!(picked(inner(&edited), model, &what.values).is_empty(), "{label}");
                }
                count += 1;
            }
            for program in 0..file.program_count(model).min(6) {
                if file.program_count(model) < 2 {
                    continue;
                }
                let mut edited = whole.clone();
                let item = format!("{name}/{program}");
                let removed = edited.remove(&item).unwrap();
                bench.keep(format!("{path} without {item}"), sound(&item, &whole, &edited));
                edited.add(&removed.again).unwrap_or_else(|error| panic!("{path} {item}: {error}"));
                let again = sound(&item, &whole, &edited);
                for id in ids(&whole) {
                    assert_eq!(meaning(&edited, &id), meaning(&whole, &id), "{path} {item} {id}");
                }
                let record = |file: &Container| inner(file).model(model).unwrap().default_program;
                assert_eq!(record(&edited), record(&whole), "{path} {item}");
                out += 1;
                back += usize::from(first_difference(&again, &bytes).is_none());
            }
        }
    }
    println!("{count} programs came and went; {back} of {out} went and came back to the byte");
    assert!(count > 1);
    bench.compare();
}

fn unique_names(file: &Bfsha, model: usize) -> bool {
    let table = file.options(model, &file.image.texts()).unwrap();
    table.options.iter().all(|option| table.option(&option.name) == Some(option))
}

/// Stages of other programs, and code that nobody else has: tables follow, other programs stay.
#[test]
fn another_stage_and_the_own_again() {
    let mut bench = Bench::new("bfsha_another_stage");
    let (mut exact, mut count, mut refused, mut alone) = (0, 0, 0, 0);
    let mut random = Random(11);
    let all: Vec<(String, Container)> =
        files().into_iter().map(|(path, file)| (path, Container::Bfsha(file))).collect();
    for (path, file) in &all {
        let bytes = file.write().unwrap();
        let stages = ids(file);
        for id in stages.iter().step_by(stages.len().div_ceil(8)) {
            let own = file.take(id).unwrap();
            let (_, other) = &all[random.below(all.len())];
            let others = ids(other);
            let mut candidates: Vec<DetachedStage> = Vec::new();
            for known in [&stages[random.below(stages.len())], &stages[random.below(stages.len())]] {
                candidates.push(file.take(known).unwrap());
            }
            candidates.push(other.take(&others[random.below(others.len())]).unwrap());
            let mut changed = own.clone();
            if let Some(stage) = changed.get_mut::<Detached>()
                && let Sections::Nvn { code, .. } = &mut stage.sections
                && let Some(byte) = code.0.last_mut()
            {
                *byte ^= 0x55;
                // The last sampler is bound elsewhere.
                let group = stage.names.as_mut().and_then(|names| names.groups[2].as_mut());
                if let Some(last) = group.and_then(|group| group.last_mut()) {
                    last.slot += 3;
                }
            }
            candidates.push(changed);
            for stage in candidates {
                let name = format!("{path} {id}");
                let mut edited = file.clone();
                if let Err(error) = edited.put(id, &stage) {
                    let error = error.to_string();
                    let fits = stage.kind() == own.kind();
                    let known = ["symbol", "attribute", "no new errors", "errors that it had not"];
                    assert!(!fits || known.iter().any(|part| error.contains(part)), "{name}: {error}");
                    assert!(edited == *file, "{name}: changed where it was refused");
                    refused += 1;
                    continue;
                }
                let made = sound(&name, file, &edited);
                bench.keep(name.clone(), made);
                let got = edited.take(id).unwrap();
                let (Some(got), Some(stage)) = (got.get::<Detached>(), stage.get::<Detached>()) else {
                    panic!("{name}")
                };
                assert_eq!((&got.sections, &got.names), (&stage.sections, &stage.names), "{name}");
                for untouched in stages.iter().filter(|known| *known != id) {
                    assert_eq!(meaning(&edited, untouched), meaning(file, untouched), "{name}: {untouched}");
                }
                if let Err(error) = edited.put(id, &own) {
                    // The only stage that bound what the model has no symbol for.
                    assert!(error.to_string().contains("symbol"), "{name}: {error}");
                    alone += 1;
                    continue;
                }
                let again = sound(&name, file, &edited);
                assert_eq!(meaning(&edited, id), meaning(file, id), "{name}");
                exact += usize::from(first_difference(&again, &bytes).is_none());
                count += 1;
            }
        }
    }
    println!("{count} put, {exact} the same to the byte again, {refused} refused, {alone} not put back");
    assert!(alone * 5 < count);
    assert!(exact * 2 > count);
    bench.compare();
}

#[test]
fn what_is_not_there_is_named_with_what_comes_near() {
    let path = format!("{}/../../samples/options.bfsha", env!("CARGO_MANIFEST_DIR"));
    let file = Container::read(&std::fs::read(path).unwrap()).unwrap();
    let table = inner(&file).options(0, &inner(&file).image.texts()).unwrap();
    let what = file.copy_of(&format!("{}/0", table.model)).unwrap();
    let with = |name: &str, value: &str| {
        let mut what = what.clone();
        what.values.push((name.to_owned(), value.to_owned()));
        file.clone().add(&what).unwrap_err().to_string()
    };
    let option = table.options[0].clone();
    let misspelt = format!("{}x", option.name);
    assert!(with(&misspelt, "0").contains(&format!("(near: {}", option.name)), "{}", with(&misspelt, "0"));
    assert!(with(&option.name, "no such choice").contains(&option.choices[0]));
    let error = file.clone().add(&NewProgram { into: Some("nothing".into()), ..what.clone() }).unwrap_err();
    assert!(error.to_string().contains("a shading model"), "{error}");
    for item in ["", "0", "x/0", "options/99", "/", "a/b/c"] {
        assert!(file.clone().remove(item).is_err(), "{item}");
        assert!(file.copy_of(item).is_err(), "{item}");
    }
    let error = file.clone().remove(&format!("{}/0/vertex", table.model)).unwrap_err();
    assert!(error.to_string().contains("go together"), "{error}");
    // From stages alone: with names what is bound is known, without it is not.
    let mut bare =
        NewProgram { stages: what.stages.clone(), into: what.into.clone(), ..NewProgram::default() };
    bare.values = what.values.clone();
    let (name, choice) = free(inner(&file), 0, 0, &mut Random(1)).unwrap();
    bare.values.push((name, choice));
    let mut edited = file.clone();
    let new = edited.add(&bare).unwrap();
    sound("bare", &file, &edited);
    assert_eq!(new.len(), what.stages.len());
    for stage in &mut bare.stages {
        let Some(stage) = stage.get_mut::<Detached>() else { panic!() };
        stage.names = None;
    }
    let error = file.clone().add(&bare).unwrap_err();
    assert!(error.to_string().contains("names of the stage"), "{error}");
}

/// An archive with many programs of one variation: one option has a choice for each.
fn many(programs: u16) -> Bfsha {
    let path = format!("{}/../../samples/options.bfsha", env!("CARGO_MANIFEST_DIR"));
    let mut file = bfsha::read(&std::fs::read(path).unwrap()).unwrap();
    let mut edit = Edit::new(file.image.clone()).unwrap();
    let at = file.model_place(0).unwrap();
    let model = file.model(0).unwrap().clone();
    let last = file.program_place(&model, usize::from(model.program_count) - 1).unwrap();
    let record = file.program_at(last).unwrap().clone();
    for _ in model.program_count..programs {
        edit.insert(last.0, Object::Program(Box::new(record.clone())));
    }
    let words = model.words() as usize;
    let mut rows = Vec::with_capacity(words * usize::from(programs));
    for program in 0..u32::from(programs) {
        let mut row = vec![0; words];
        // Bits that belong to no choice: nothing but the order matters here.
        row[0] = program << 8;
        rows.extend(row);
    }
    if let Some(Object::Keys(keys)) = edit.image.objects.get_mut(&model.keys.0) {
        *keys = rows;
    }
    if let Some(Object::Model(record)) = edit.image.objects.get_mut(&at.0) {
        record.program_count = programs;
        record.default_program = -1;
    }
    let bnsh: Pointer = model.bnsh;
    file.image = edit.finish(&[(bnsh.0, 0x1000)]).unwrap().0;
    file
}

/// Adding one program and taking it out costs as much as the file is long, not more.
#[test]
fn many_programs_take_no_longer_each() {
    let mut times = Vec::new();
    for count in [8_000, 64_000] {
        let mut file = many(count);
        let name = file.model_names(&file.image.texts())[0].clone();
        let start = Instant::now();
        let mut what = file.copy_of(&format!("{name}/7")).unwrap();
        if let Some(details) = what.details.get_mut::<ProgramDetails>() {
            details.key[0] |= 1;
        }
        what.values.clear();
        let new = file.add(&what).unwrap();
        assert_eq!(new[0].0, format!("{name}/8/vertex"));
        file.remove(&format!("{name}/8")).unwrap();
        times.push(start.elapsed().as_secs_f64());
    }
    println!("{times:?} seconds for one in 8000 and in 64000");
    assert!(times[1] < times[0] * 8.0 * 4.0 + 1.0, "{times:?}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, rng_seed: proptest::test_runner::RngSeed::Fixed(1), ..ProptestConfig::default() })]

    /// Random programs come in one after the other and go, the last first: after each step the file is what it was.
    #[test]
    fn sequences_are_undone(pick in any::<prop::sample::Index>(), seed in 1_u64.., steps in 1_usize..5) {
        let all = files();
        let (path, file) = pick.get(&all);
        let mut random = Random(seed);
        let mut states = vec![Container::Bfsha(file.clone())];
        let mut added = Vec::new();
        for _ in 0..steps {
            let mut next = states.last().unwrap().clone();
            let model = random.below(file.model_count());
            let programs = inner(&next).program_count(model);
            if programs == 0 {
                continue;
            }
            let from = random.below(programs);
            let Some(value) = free(inner(&next), model, from, &mut random) else { continue };
            let name = inner(&next).model_names(&inner(&next).image.texts())[model].clone();
            let mut what = next.copy_of(&format!("{name}/{from}")).unwrap();
            what.values.push(value);
            // Every other one with code of its own.
            if random.below(2) == 0
                && let Some(stage) = what.stages.first_mut().and_then(DetachedStage::get_mut::<Detached>)
                && let Sections::Nvn { code, .. } = &mut stage.sections
                && let Some(byte) = code.0.last_mut()
            {
                *byte ^= (random.below(255) + 1) as u8;
            }
            let new = next.add(&what).unwrap();
            sound(path, states.last().unwrap(), &next);
            added.push(new[0].0.rsplit_once('/').unwrap().0.to_owned());
            states.push(next);
        }
        let mut file = states.pop().unwrap();
        while let (Some(before), Some(item)) = (states.pop(), added.pop()) {
            file.remove(&item).unwrap();
            prop_assert_eq!(first_difference(&file.write().unwrap(), &before.write().unwrap()), None, "{} {}", path, item);
        }
    }
}
