//! BFSHA of the Wii U.

use crate::common;
use crate::switch::programs::{Bench, first_difference, ids, meaning, sound};
use unshade_containers::bfsha::Object;
use unshade_containers::bfsha::pick::{Picker, Query};
use unshade_containers::gx2::{Detached, Parts};
use unshade_containers::{Container, DetachedStage};
use unshade_stage::StageId;

fn files() -> Vec<(String, Vec<u8>, Container)> {
    let files = common::nx("bfsha").into_iter();
    let files = files.map(|(path, bytes)| (path, Container::read(&bytes).unwrap(), bytes));
    files
        .filter(|(_, file, _)| matches!(file, Container::Bfsha(file) if file.is_wiiu()))
        .map(|(path, file, bytes)| (path, bytes, file))
        .collect()
}

/// The stage with so many more bytes of code, all else as it is.
fn longer(stage: &DetachedStage, more: usize) -> DetachedStage {
    let mut stage = stage.clone();
    let Some(shader) = stage.get_mut::<Detached>() else { panic!() };
    let Parts::Blocks(blocks) = &mut shader.parts else { panic!() };
    blocks.code.0[0] ^= 1;
    let len = blocks.code.len() + more;
    blocks.code.0.resize(len, 0);
    stage
}

#[test]
fn stages_are_put_and_put_back() {
    let mut bench = Bench::new("cafe_stages");
    let mut count = 0;
    for (path, bytes, file) in files() {
        for id in ids(&file) {
            let own = file.take(&id).unwrap();
            let mut edited = file.clone();
            edited.put(&id, &own).unwrap();
            assert_eq!(first_difference(&edited.write().unwrap(), &bytes), None, "{path} {id}");
            for more in [0, 8, 0x100, 0x2008] {
                let name = format!("{path} {id} with {more} bytes more");
                let stage = longer(&own, more);
                let mut edited = file.clone();
                edited.put(&id, &stage).unwrap_or_else(|error| panic!("{name}: {error}"));
                bench.keep(name.clone(), sound(&name, &file, &edited));
                assert_eq!(edited.take(&id).unwrap().stage().code.words, stage.stage().code.words, "{name}");
                for untouched in ids(&file).into_iter().filter(|known| *known != id) {
                    assert_eq!(meaning(&edited, &untouched), meaning(&file, &untouched), "{name}");
                }
                edited.put(&id, &own).unwrap();
                assert_eq!(first_difference(&sound(&name, &file, &edited), &bytes), None, "{name}: back");
                count += 1;
            }
            // Other registers, which ten words of the program may tell of.
            let mut other = own.clone();
            let Some(shader) = other.get_mut::<Detached>() else { panic!() };
            let Parts::Blocks(blocks) = &mut shader.parts else { panic!() };
            blocks.header.as_mut().unwrap().0[3] ^= 1;
            let mut edited = file.clone();
            let error = edited.put(&id, &other).unwrap_err();
            assert!(error.to_string().contains("ten words"), "{error}");
            assert!(edited == file);
            let Container::Bfsha(inner) = &mut edited else { panic!() };
            for object in inner.image.objects.values_mut() {
                if let Object::WiiUProgram(program) = object {
                    program.gx2_words = [0; 10];
                }
            }
            edited.put(&id, &other).unwrap();
        }
    }
    println!("{count} stages of the Wii U");
    assert!(count > 0);
    bench.compare();
}

#[test]
fn programs_come_and_go() {
    let mut bench = Bench::new("cafe_programs");
    let mut count = 0;
    for (path, bytes, file) in files() {
        let Container::Bfsha(inner) = &file else { panic!() };
        for model in 0..inner.model_count() {
            let texts = inner.image.texts();
            let table = inner.options(model, &texts).unwrap();
            for from in 0..table.programs {
                let item = format!("{}/{from}", table.model);
                let mut what = file.copy_of(&item).unwrap();
                let error = file.clone().add(&what).unwrap_err().to_string();
                assert!(error.contains(&item), "{error}");
                let current = table.choices(from);
                // Of a static and a dynamic option of one name the first is meant.
                let meant =
                    table.options.iter().zip(&current).filter(|(o, _)| table.option(&o.name) == Some(*o));
                let unique = meant.clone().count() == table.options.len();
                let other = meant.into_iter().find_map(|(option, (name, now))| {
                    let choice = option.choices.iter().find(|choice| *choice != now)?;
                    let mut key = table.key(from).to_vec();
                    option.packed.set(&mut key, option.choice(choice).unwrap());
                    let is_free = (0..table.programs).all(|program| table.key(program) != key);
                    is_free.then(|| ((*name).to_owned(), choice.clone()))
                });
                let Some(value) = other else { continue };
                what.values.push(value);
                for own in [false, true] {
                    let name = format!("{path} {item} {own}");
                    if own {
                        what.stages[0] = longer(&what.stages[0], 0x48);
                    }
                    let mut edited = file.clone();
                    let new = edited.add(&what).unwrap_or_else(|error| panic!("{name}: {error}"));
                    bench.keep(name.clone(), sound(&name, &file, &edited));
                    let added = new[0].0.rsplit_once('/').unwrap().0.to_owned();
                    for (id, stage) in new.iter().zip(&what.stages) {
                        assert_eq!(edited.stage(id).unwrap().code.words, stage.stage().code.words, "{name}");
                    }
                    let Container::Bfsha(now) = &edited else { panic!() };
                    let now = now.options(model, &now.image.texts()).unwrap();
                    let pairs = what.values.iter().map(|(a, b)| (a.as_str(), b.as_str()));
                    let found = Picker::new(&now).pick(&Query::new(&now, pairs).unwrap()).programs;
                    let found: Vec<_> = found.iter().map(|at| format!("{}/{at}", table.model)).collect();
                    assert!(!unique || found == [added.clone()], "{name}: {found:?}");
                    for id in ids(&file) {
                        let (front, kind) = id.0.rsplit_once('/').unwrap();
                        let (front, index) = front.rsplit_once('/').unwrap();
                        let at: usize = added.rsplit('/').next().unwrap().parse().unwrap();
                        let index: usize = index.parse().unwrap();
                        let shifted = index + usize::from(index >= at && front == table.model);
                        let moved = StageId(format!("{front}/{shifted}/{kind}"));
                        assert_eq!(meaning(&edited, &moved), meaning(&file, &id), "{name}");
                    }
                    let removed = edited.remove(&added).unwrap();
                    assert_eq!(removed.stages, new);
                    assert_eq!(first_difference(&sound(&name, &file, &edited), &bytes), None, "{name}");
                    count += 1;
                }
            }
            if table.programs > 1 {
                for program in 0..table.programs {
                    let item = format!("{}/{program}", table.model);
                    let mut edited = file.clone();
                    let removed = edited.remove(&item).unwrap();
                    sound(&item, &file, &edited);
                    edited.add(&removed.again).unwrap();
                    sound(&item, &file, &edited);
                    for id in ids(&file) {
                        assert_eq!(meaning(&edited, &id), meaning(&file, &id), "{path} {item}");
                    }
                }
            }
        }
        // What nobody can read may hold distances.
        let mut edited = file.clone();
        let Container::Bfsha(inner) = &mut edited else { panic!() };
        let end = inner.image.len;
        inner.image.objects.insert(end, Object::Unknown(vec![1; 8].into()));
        inner.image.len += 0x10;
        let item = ids(&file)[0].0.rsplit_once('/').unwrap().0.to_owned();
        let Container::Bfsha(inner) = &mut edited else { panic!() };
        assert!(inner.remove_wiiu(&item).unwrap_err().to_string().contains("distances"));
    }
    println!("{count} programs of the Wii U came and went");
    assert!(count > 0);
    bench.compare();
}

/// Shaders of GFD files: those with the registers of the one in place go in, others are refused with the reason.
#[test]
fn shaders_of_other_files() {
    let (mut went, mut refused) = (0, 0);
    for (path, _, file) in files() {
        for (from, bytes) in common::gfd() {
            let Ok(other) = Container::read(&bytes) else { continue };
            for other_id in ids(&other) {
                let Ok(stage) = other.take(&other_id) else { continue };
                for id in ids(&file) {
                    if file.take(&id).unwrap().kind() != stage.kind() {
                        continue;
                    }
                    let name = format!("{path} {id} from {from} {other_id}");
                    let mut edited = file.clone();
                    match edited.put(&id, &stage) {
                        Ok(()) => {
                            sound(&name, &file, &edited);
                            assert_eq!(
                                edited.stage(&id).unwrap().code.words,
                                stage.stage().code.words,
                                "{name}"
                            );
                            went += 1;
                        }
                        Err(error) => {
                            let error = error.to_string();
                            assert!(
                                error.contains("ten words") || error.contains("structure"),
                                "{name}: {error}"
                            );
                            refused += 1;
                        }
                    }
                }
            }
        }
    }
    println!("{went} went in, {refused} were refused");
    assert!(went + refused > 0);
}
