//! Programs and variations of archives: values of macros that come and go with all variations that have them.

use crate::programs::{file, findings, holds, id, ids, item};
use unshade_containers::{Container, NewProgram};

fn strings(values: &[(&str, &str)]) -> Vec<(String, String)> {
    values.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
}

fn macros(container: &Container, program: usize) -> Vec<(String, Vec<String>)> {
    let Container::Sharcfb(file) = container else { panic!("no archive") };
    let (_, program) = file.programs().nth(program).unwrap();
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    let list = program.macro_list();
    list.macros
        .iter()
        .map(|of| (text(of.name), of.values.iter().map(|value| text(value)).collect()))
        .collect()
}

#[test]
fn each_value_goes_and_comes_back() {
    for name in ["surface.sharcfb", "variants_le.sharcfb", "variants_be.sharcfb"] {
        let Some(archive) = file(name) else { continue };
        let bytes = archive.write().unwrap();
        let program = ids(&archive)[0].0.split('/').next().unwrap().to_owned();
        let macros = macros(&archive, 0);
        let mut done = 0;
        for (of, values) in &macros {
            for value in values {
                let item = format!("{program}/{of}={value}");
                let mut edited = archive.clone();
                let removed = match edited.remove(&item) {
                    Ok(removed) => removed,
                    Err(error) => {
                        let text = error.to_string();
                        assert!(text.contains("the default") || text.contains("the last one"), "{text}");
                        assert!(edited == archive);
                        continue;
                    }
                };
                holds(&edited, &archive, &[&archive], &item);
                assert_eq!(edited.stages().count() + removed.stages.len(), archive.stages().count());
                let names = edited.add(&removed.again).unwrap();
                assert_eq!(names, removed.stages);
                let differs = edited.difference(&bytes).unwrap();
                assert!(differs.is_none(), "{item}: {}", differs.unwrap());
                done += 1;
            }
        }
        println!("{name}: {macros:?}, {done} values");
        assert!(done > 0 || macros.is_empty(), "{name}");
    }
}

#[test]
fn a_new_value_copies_the_default_and_takes_stages() {
    for name in ["surface.sharcfb", "variants_le.sharcfb", "variants_be.sharcfb"] {
        let Some(archive) = file(name) else { continue };
        let bytes = archive.write().unwrap();
        let program = ids(&archive)[0].0.split('/').next().unwrap().to_owned();
        let macros = macros(&archive, 0);
        for (axis, (of, values)) in macros.iter().enumerate() {
            for at in [None, Some(0), Some(values.len())] {
                let mut new = NewProgram {
                    into: Some(program.clone()),
                    values: strings(&[(of, "brand_new")]),
                    at,
                    ..NewProgram::default()
                };
                let mut edited = archive.clone();
                let names = edited.add(&new).unwrap();
                let others: usize = macros
                    .iter()
                    .enumerate()
                    .filter(|(other, _)| *other != axis)
                    .map(|(_, (_, v))| v.len())
                    .product();
                assert_eq!(names.len(), 2 * others, "{name}");
                holds(&edited, &archive, &[&archive], &format!("{name}, {of} = brand_new"));
                // The other variations are what they were, though their numbers may be others.
                let words = |container: &Container| {
                    let mut words: Vec<_> = container.stages().map(|s| s.code.words.into_owned()).collect();
                    words.sort();
                    words.dedup();
                    words
                };
                assert_eq!(words(&edited), words(&archive));
                let item = item(&edited, &new, &names);
                assert_eq!(edited.remove(&item).unwrap().stages, names);
                assert!(edited.write().unwrap() == bytes, "{item}");

                // One variation of the new ones has shaders of its own.
                let mut given = values.clone();
                given.reverse();
                let stages: Vec<_> = ["vertex", "pixel"]
                    .iter()
                    .map(|word| archive.take(&id(&format!("{program}/1/{word}"))).unwrap())
                    .collect();
                new.stages = stages.clone();
                let names = edited.add(&new).unwrap();
                holds(&edited, &archive, &[&archive], &format!("{name}, {of} = brand_new with shaders"));
                let same = names.chunks(2).filter(|pair| {
                    let is = |at: usize| {
                        edited.stage(&pair[at]).unwrap().code.words == stages[at].stage().code.words
                    };
                    is(0) && is(1)
                });
                assert!(same.count() >= 1);
                edited.remove(&item).unwrap();
                assert!(edited.write().unwrap() == bytes, "{item}");
            }
        }
    }
}

#[test]
fn a_program_is_made_of_shaders() {
    let (Some(archive), Some(gsh)) = (file("surface.sharcfb"), file("blur.gsh")) else { return };
    let bytes = archive.write().unwrap();
    let stages = vec![gsh.take(&id("vertex0")).unwrap(), gsh.take(&id("pixel0")).unwrap()];
    let new = NewProgram {
        name: Some("blur".to_owned()),
        stages: stages.clone(),
        values: strings(&[("QUALITY", "2")]),
        ..NewProgram::default()
    };
    let mut edited = archive.clone();
    assert_eq!(edited.add(&new).unwrap(), [id("blur/0/vertex"), id("blur/0/pixel")]);
    holds(&edited, &archive, &[&gsh], "blur");
    let Container::Sharcfb(file) = &edited else { panic!("no archive") };
    let (_, program) = file.programs().last().unwrap();
    assert_eq!(program.variation_count(), Some(1));
    assert!(
        findings(&edited)
            .iter()
            .all(|(code, count)| { code != "sharcfb.usage" || findings(&archive).get(code) == Some(count) })
    );
    // Its one variation cannot go alone, nor one of its stages.
    for (item, message) in [
        ("blur/0", "(or `blur` as a whole)"),
        ("blur/0/pixel", "each variation has all of them"),
        ("blur/QUALITY=2", "the last one"),
        ("blur/QUALITY=3", "the name of a stage or program"),
        ("blur/1", "the name of a stage or program"),
        ("blurr", "the name of a stage or program"),
    ] {
        let error = edited.remove(item).unwrap_err().to_string();
        assert!(error.contains(message), "{item}: {error}");
    }
    // Another value makes another variation.
    let more = NewProgram {
        into: Some("blur".to_owned()),
        values: strings(&[("QUALITY", "3")]),
        stages,
        ..NewProgram::default()
    };
    assert_eq!(edited.add(&more).unwrap(), [id("blur/1/vertex"), id("blur/1/pixel")]);
    holds(&edited, &archive, &[&gsh], "blur/1");
    assert!(edited.remove("blur/0").unwrap_err().to_string().contains("the default"));
    edited.remove("blur/1").unwrap();
    edited.remove("blur").unwrap();
    assert!(edited.write().unwrap() == bytes);
}

#[test]
fn what_makes_no_variation_is_refused() {
    let Some(archive) = file("surface.sharcfb") else { return };
    let program = ids(&archive)[0].0.split('/').next().unwrap().to_owned();
    let macros = macros(&archive, 0);
    let (first, values) = &macros[0];
    let stage = archive.take(&ids(&archive)[0]).unwrap();
    let of = |values: &[(&str, &str)], stages: usize| NewProgram {
        into: Some(program.clone()),
        values: strings(values),
        stages: vec![stage.clone(); stages],
        ..NewProgram::default()
    };
    for (new, message) in [
        (of(&[], 0), "a value that its macro has not yet"),
        (of(&[(first, &values[0])], 0), "a value that its macro has not yet"),
        (of(&[("NO_SUCH_MACRO", "1")], 0), "one of the macros"),
        (of(&[(first, "")], 0), "a value of at least one byte"),
        (of(&[(first, "a\0b")], 0), "a name without NUL"),
        (of(&[(first, "x"), (first, "y")], 0), "one value that is new"),
        (of(&[(first, "x")], 1), "no stages, 2 of one variation"),
        (of(&[(first, "x")], 2), "a pixel shader"),
        (
            NewProgram { into: Some("nothing".to_owned()), ..of(&[(first, "x")], 0) },
            "the name of a stage or program",
        ),
        (NewProgram { at: Some(1000), ..of(&[(first, "x")], 0) }, "a place from 0 to"),
        (NewProgram { name: Some("v".to_owned()), ..of(&[(first, "x")], 0) }, "variations have none"),
        (NewProgram { into: None, ..of(&[], 2) }, "a name for the program"),
        (NewProgram { into: None, name: Some(program.clone()), ..of(&[], 2) }, "a name that no program"),
        (NewProgram { into: None, name: Some("n".to_owned()), ..of(&[], 2) }, "a pixel shader"),
        (NewProgram { into: None, name: Some("n".to_owned()), ..of(&[], 1) }, "a vertex and a pixel shader"),
    ] {
        let mut edited = archive.clone();
        let error = edited.add(&new).unwrap_err().to_string();
        assert!(error.contains(message), "{error} should say {message}");
        assert!(edited == archive);
    }
}
