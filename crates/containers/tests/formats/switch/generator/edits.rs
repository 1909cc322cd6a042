//! After each kind of edit: no errors, a relocation table that lists exactly the pointers, a stable rewrite, the
//! same description by the independent reader, and nothing else changed.

use crate::common;
use crate::switch::bench::{Bench, first_difference};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use unshade_bytes::Severity;
use unshade_containers::bfsha::edit::Named;
use unshade_containers::bfsha::raw::Resource;
use unshade_containers::bfsha::{self, Bfsha};
use unshade_containers::bnsh::{self, Bnsh};
use unshade_containers::nvn::with_instructions;
use unshade_stage::StageKind;

/// What a file means, without places: options, and programs by what they were compiled for.
fn meaning(file: &Bfsha) -> Value {
    let texts = file.image.texts();
    let mut models = Vec::new();
    for index in 0..file.model_count() {
        let table = file.options(index, &texts).unwrap();
        let model = file.model(index).unwrap();
        let inner = file.bnsh(model.bnsh).unwrap();
        let mut programs = BTreeMap::new();
        for program in 0..table.programs {
            let record = file.program(model, program).unwrap();
            let variation = file.variation_of(model, record).unwrap();
            let tables: Vec<_> =
                Resource::of(file.image.form).iter().map(|r| file.table(record, *r)).collect();
            let meaning = json!({
                "flags": record.flags, "active": record.active_attributes, "tables": tables,
                "stages": variation_meaning(inner, variation),
                "default": table.default_program == Some(program),
            });
            let choices: Vec<String> =
                table.choices(program).into_iter().map(|(name, choice)| format!("{name}={choice}")).collect();
            programs.insert(choices.join(" "), meaning);
        }
        let options: Vec<Value> = table
            .options
            .iter()
            .map(|o| json!([o.name, o.choices, o.values, o.default, o.is_static, o.branch_offset]))
            .collect();
        let names: Vec<_> =
            Resource::of(file.image.form).iter().map(|r| file.resource_names(model, *r, &texts)).collect();
        models.push(json!({
            "name": table.model, "options": options, "programs": programs, "names": names,
            "variations": inner.variation_count(),
        }));
    }
    json!({ "name": file.name(&texts), "models": models })
}

fn variation_meaning(file: &Bnsh, variation: u32) -> Value {
    let texts = file.image.texts();
    let stages: Vec<Value> = file
        .variation_stages(variation, &texts)
        .into_iter()
        .map(|stage| {
            let mut hasher = DefaultHasher::new();
            stage.code.words.hash(&mut hasher);
            format!("{:?}", stage.interface).hash(&mut hasher);
            json!([stage.kind, stage.code.words.len(), hasher.finish()])
        })
        .collect();
    json!(stages)
}

/// What holds for every edited file; keeps it for the independent reader.
fn take(bench: &mut Bench, name: String, file: &Bfsha) -> Bfsha {
    let bytes = file.write().unwrap_or_else(|error| panic!("{name}: {error}"));
    let back = bfsha::read(&bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
    let bad: Vec<_> = back.check().into_iter().filter(|f| f.severity == Severity::Error).collect();
    assert!(bad.is_empty(), "{name}: {bad:?}");
    assert!(back.write().unwrap() == bytes, "{name}: another rewrite");
    assert_eq!(meaning(&back), meaning(file), "{name}");
    bench.keep(name, bytes);
    back
}

/// The archives of the Switch, and the samples among them also in the other order of bytes.
fn switch_archives() -> Vec<(String, Bfsha)> {
    let files = common::nx("bfsha").into_iter();
    let files = files.map(|(path, bytes)| (path, bfsha::read(&bytes).unwrap()));
    let mut files: Vec<_> = files.filter(|(_, file)| !file.is_wiiu() && file.model_count() > 0).collect();
    for (path, mut file) in files.clone().into_iter().filter(|(path, _)| path.contains("/samples/")) {
        file.image.form.big_endian = true;
        for object in file.image.objects.values_mut() {
            if let bfsha::Object::Bnsh(inner) = object {
                inner.image.form.big_endian = true;
            }
        }
        files.push((format!("{path}, big endian"), file));
    }
    files
}

fn bnsh_samples() -> Vec<(String, Vec<u8>)> {
    let mut files = common::nx("bnsh");
    for (path, bytes) in files.clone().into_iter().filter(|(path, _)| path.contains("/samples/")) {
        let mut file = bnsh::read(&bytes).unwrap();
        file.image.form.big_endian = true;
        files.push((format!("{path}, big endian"), file.write().unwrap()));
    }
    files
}

#[test]
fn options_and_names() {
    let mut bench = Bench::new("options_and_names");
    for (path, file) in switch_archives() {
        let texts = file.image.texts();
        let table = file.options(0, &texts).unwrap();
        drop(texts);
        for option in table.options.iter().step_by(table.options.len().div_ceil(2).max(1)) {
            let before = meaning(&file);
            let last = option.choices.len() - 1;
            let mut edited = file.clone();
            edited.set_default(0, &option.name, &option.choices[last]).unwrap();
            let back = take(&mut bench, format!("{path}: default of {}", option.name), &edited);
            let mut expected = before.clone();
            let position = table.options.iter().position(|known| known == option).unwrap();
            expected["models"][0]["options"][position][3] = json!(last);
            assert_eq!(meaning(&back), expected);
            assert_eq!(edited.image.len, file.image.len);

            if option.choices.len() < 255 {
                let mut edited = file.clone();
                for number in 0..3 {
                    edited.add_choice(0, &option.name, &format!("new choice {number}"), 77 + number).unwrap();
                }
                assert!(edited.add_choice(0, &option.name, "new choice 1", 0).is_err());
                let back = take(&mut bench, format!("{path}: choices of {}", option.name), &edited);
                let mut expected = before.clone();
                for number in 0..3 {
                    let row = &mut expected["models"][0]["options"][position];
                    row[1].as_array_mut().unwrap().push(json!(format!("new choice {number}")));
                    row[2].as_array_mut().unwrap().push(json!(77 + number));
                }
                assert_eq!(meaning(&back), expected, "{path} {}", option.name);
            }

            let mut edited = file.clone();
            edited.rename(Named::Option(0, &option.name), "renamed_option").unwrap();
            edited.rename(Named::Choice(0, "renamed_option", &option.choices[0]), "renamed choice").unwrap();
            edited.rename(Named::Model(0), "another model").unwrap();
            edited.rename(Named::Archive, "another archive").unwrap();
            let back = take(&mut bench, format!("{path}: names"), &edited);
            let found = meaning(&back);
            assert_eq!(found["name"], "another archive");
            assert_eq!(found["models"][0]["name"], "another model");
            assert_eq!(found["models"][0]["options"][position][0], "renamed_option");
            assert_eq!(found["models"][0]["options"][position][1][0], "renamed choice");
            // And back again: the same strings in the same order, hence the same file.
            let mut again = back.clone();
            again.rename(Named::Archive, &table_name(&file)).unwrap();
            again.rename(Named::Model(0), &table.model).unwrap();
            again.rename(Named::Choice(0, "renamed_option", "renamed choice"), &option.choices[0]).unwrap();
            again.rename(Named::Option(0, "renamed_option"), &option.name).unwrap();
            assert_eq!(meaning(&take(&mut bench, format!("{path}: names back"), &again)), before);
        }
    }
    bench.compare();
}

/// The lists of an option that had no choices come behind the array that it is in; lists that do not agree are refused.
#[test]
fn options_without_choices() {
    use unshade_containers::bfsha::Object;
    let mut tried = 0;
    for (path, mut file) in switch_archives() {
        let Some(static_options) = file.model(0).map(|model| model.static_options[0]) else { continue };
        let texts = file.image.texts();
        let table = file.options(0, &texts).unwrap();
        drop(texts);
        let Some(Object::Option(record)) = file.image.objects.get_mut(&static_options.0) else { continue };
        record.values = Default::default();
        let name = &table.options[0].name;
        if record.choice_count > 0 {
            assert!(file.add_choice(0, name, "first", 7).is_err(), "{path}: names without numbers");
        }
        let Some(Object::Option(record)) = file.image.objects.get_mut(&static_options.0) else { continue };
        record.choices = Default::default();
        assert!(file.add_choice(0, name, "first", 7).is_err(), "{path}: a count without choices");
        let Some(Object::Option(record)) = file.image.objects.get_mut(&static_options.0) else { continue };
        record.choice_count = 0;
        file.add_choice(0, name, "first", 7).unwrap();
        let bytes = file.write().unwrap();
        let back = bfsha::read(&bytes).unwrap();
        let texts = back.image.texts();
        let found = back.options(0, &texts).unwrap();
        assert_eq!(found.options[0].choices, ["first"], "{path}");
        assert_eq!(found.options[0].values, [7], "{path}");
        for (one, other) in table.options.iter().zip(&found.options).skip(1) {
            assert_eq!((&one.name, &one.choices, &one.values), (&other.name, &other.choices, &other.values));
        }
        tried += 1;
    }
    assert!(tried > 2, "{tried} archives");
}

fn table_name(file: &Bfsha) -> String {
    file.name(&file.image.texts())
}

#[test]
fn programs_come_and_go() {
    let mut bench = Bench::new("programs_come_and_go");
    for (path, file) in switch_archives() {
        for model in 0..file.model_count() {
            let texts = file.image.texts();
            let table = file.options(model, &texts).unwrap();
            drop(texts);
            if table.programs == 0 || table.options.is_empty() {
                continue;
            }
            let from = table.programs / 2;
            // A choice that no program has, one option away.
            let current = table.choices(from);
            let free = table.options.iter().zip(&current).find_map(|(option, (name, now))| {
                let other = option.choices.iter().find(|choice| {
                    let mut key = table.key(from).to_vec();
                    option.packed.set(&mut key, option.choice(choice).unwrap());
                    *choice != now && (0..table.programs).all(|program| table.key(program) != key)
                })?;
                Some(((*name).to_owned(), other.clone()))
            });
            let Some((name, choice)) = free else { continue };
            let before = meaning(&file);
            let mut edited = file.clone();
            let index = edited.add_program(model, from, &[(&name, &choice)]).unwrap();
            let moved = from + usize::from(index <= from);
            assert!(edited.clone().add_program(model, moved, &[(&name, &choice)]).is_err());
            let back = take(&mut bench, format!("{path}: program {index} of model {model}"), &edited);
            let added = meaning(&back);
            let old = before["models"][model]["programs"].as_object().unwrap();
            let new = added["models"][model]["programs"].as_object().unwrap();
            assert_eq!(new.len(), old.len() + 1);
            for (key, program) in old {
                assert_eq!(&new[key], program, "{path}: another program changed");
            }
            let key = |file: &Bfsha, program: usize| -> String {
                let texts = file.image.texts();
                let table = file.options(model, &texts).unwrap();
                let choices = table.choices(program);
                choices.iter().map(|(name, choice)| format!("{name}={choice}")).collect::<Vec<_>>().join(" ")
            };
            let (source, copy) = (&old[&key(&file, from)], &new[&key(&back, index)]);
            assert_eq!((&source["stages"], &source["tables"]), (&copy["stages"], &copy["tables"]));

            // Out again: everything as before, to the byte.
            let mut removed = back.clone();
            removed.remove_programs(model, &[index]).unwrap();
            let removed = take(&mut bench, format!("{path}: program {index} gone again"), &removed);
            assert_eq!(meaning(&removed), before);
            let (written, first) = (removed.write().unwrap(), file.write().unwrap());
            assert_eq!(first_difference(&written, &first), None, "{path}: other bytes");

            if table.programs > 2 {
                let mut fewer = file.clone();
                let gone = [0, table.programs - 1];
                fewer.remove_programs(model, &gone).unwrap();
                let fewer = take(&mut bench, format!("{path}: two programs fewer"), &fewer);
                let left = meaning(&fewer);
                let left = left["models"][model]["programs"].as_object().unwrap();
                assert_eq!(left.len(), old.len() - 2);
                for (key, program) in left {
                    assert_eq!(&old[key], program, "{path}: another program changed");
                }
            }
            let all: Vec<usize> = (0..table.programs).collect();
            assert!(file.clone().remove_programs(model, &all).is_err());
        }
    }
    bench.compare();
}

#[test]
fn code_of_programs() {
    let mut bench = Bench::new("code_of_programs");
    for (path, file) in switch_archives() {
        let stages: Vec<_> = file.stages().map(|stage| (stage.id.clone(), stage.kind)).collect();
        for (id, kind) in stages.iter().step_by(stages.len().div_ceil(3).max(1)) {
            for longer in [0, 2, 4096] {
                let stage = file.stage(id).unwrap();
                let mut code = stage.code.clone();
                let words = code.words.to_mut();
                words.extend(std::iter::repeat_n(0x50B0_0000, longer));
                if let Some(word) = words.first_mut() {
                    *word ^= 1;
                }
                let wanted = code.words.to_vec();
                let mut edited = file.clone();
                edited.replace(id, &code).unwrap_or_else(|error| panic!("{path} {id}: {error}"));
                let back = take(&mut bench, format!("{path}: {longer} more words in {id}"), &edited);
                assert_eq!(back.stage(id).unwrap().code.words.to_vec(), wanted);
                for stage in back.stages().filter(|stage| stage.id != *id) {
                    let before = file.stage(&stage.id).unwrap();
                    assert_eq!(stage.code.words, before.code.words, "{path}: {} changed", stage.id);
                    assert_eq!(stage.interface, before.interface, "{path}: {} changed", stage.id);
                }
                let _ = kind;
            }
        }
    }
    bench.compare();
}

#[test]
fn bnsh_files() {
    let mut bench = Bench::new("bnsh_files");
    for (path, bytes) in bnsh_samples() {
        let file = bnsh::read(&bytes).unwrap();
        let mut keep = |name: &str, edited: &Bnsh| {
            let bytes = edited.write().unwrap();
            let back = bnsh::read(&bytes).unwrap_or_else(|error| panic!("{path}: {name}: {error}"));
            assert!(back == *edited, "{path}: {name}: reads back differently");
            let bad: Vec<_> = back.check().into_iter().filter(|f| f.severity == Severity::Error).collect();
            assert!(bad.is_empty(), "{path}: {name}: {bad:?}");
            bench.keep(format!("{path}: {name}"), bytes);
        };
        let mut edited = file.clone();
        edited.rename(b"another name, which is longer than the old one").unwrap();
        keep("name", &edited);
        let ids: Vec<_> = file.stages().map(|stage| (stage.id.clone(), stage.kind)).collect();
        for (id, kind) in ids.iter().take(3) {
            let index: u32 = id.0.split('/').next().unwrap().parse().unwrap();
            let record = file.stage_code(file.stage_record(index, *kind).unwrap()).unwrap();
            let words = vec![0x5000_0000; 2048];
            let (control, code) =
                with_instructions(&file.control(record), file.code(record), *kind, &words).unwrap();
            let mut edited = file.clone();
            edited.set_code(index, *kind, &control, &code).unwrap();
            keep("code", &edited);
            assert_eq!(edited.stage(id).unwrap().code.words.to_vec(), words);
            let mut copied = file.clone();
            let copy = copied.clone_variation(index).unwrap();
            keep("one more", &copied);
            assert_eq!(variation_meaning(&copied, copy), variation_meaning(&file, index));
            // To the byte as before once it is gone again.
            copied.remove_variations(&[copy]).unwrap();
            assert_eq!(first_difference(&copied.write().unwrap(), &bytes), None, "{path}: other bytes");
            keep("one more and gone again", &copied);
        }
        if file.variation_count() > 1 {
            let mut fewer = file.clone();
            fewer.remove_variations(&[0]).unwrap();
            keep("the first gone", &fewer);
            for index in 0..fewer.variation_count() {
                assert_eq!(variation_meaning(&fewer, index), variation_meaning(&file, index + 1));
            }
        }
        assert!(file.clone().remove_variations(&[file.variation_count()]).is_err());
        assert!(file.clone().set_code(9999, StageKind::Vertex, &[], &[]).is_err());
    }
    bench.compare();
}
