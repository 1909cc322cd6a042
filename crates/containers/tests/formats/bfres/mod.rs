//! BFRES: embedded files, materials, and the programs they choose. Files of the Wii U and of versions 9 and 10 come
//! from a small writer of their own here, since nobody gives such files away.
#![allow(clippy::indexing_slicing, clippy::arithmetic_side_effects)]

mod writer;

use crate::common;
use unshade_containers::bfres::{
    self, Material, Model, OptionValue, RenderState,
    select::{Grade, Origin, select},
};
use unshade_containers::bfsha::{
    index::Index,
    options::{OptionTable, Packed, ShaderOption, packing},
};
use unshade_containers::wrap::nest::{Found, replace, walk};
use writer::{Assign, Kind, Sample, ShapeOf, write};

fn sample() -> Sample {
    Sample {
        model: "demo".into(),
        archive: "uber".into(),
        shading_model: "material".into(),
        materials: vec![
            Assign {
                name: "Mt_A".into(),
                options: vec![("fog".into(), "1".into()), ("lights".into(), "4".into())],
                render_info: vec![("gsys_render_state_mode".into(), "mask".into())],
                render_state: None,
                samplers: vec![("_a0".into(), "_a0".into()), ("_n0".into(), "_n0".into())],
                textures: vec!["Tex_Alb".into(), "Tex_Nrm".into()],
            },
            Assign {
                name: "Mt_B".into(),
                options: vec![
                    ("fog".into(), "<Default Value>".into()),
                    ("nothing".into(), "1".into()),
                    ("lights".into(), "many".into()),
                ],
                render_info: vec![],
                render_state: None,
                samplers: vec![],
                textures: vec![],
            },
        ],
        shapes: vec![
            ShapeOf { name: "Sh_0".into(), material: 1, skin: 0 },
            ShapeOf { name: "Sh_1".into(), material: 0, skin: 2 },
            ShapeOf { name: "Sh_2".into(), material: 0, skin: 4 },
            ShapeOf { name: "Sh_3".into(), material: 0, skin: 2 },
        ],
        files: vec![("uber.bfsha".into(), vec![7; 5000]), ("textures.bntx".into(), vec![9; 300])],
    }
}

/// The model's options, and programs for some combinations of them.
fn table(rows: &[[&str; 5]]) -> OptionTable {
    let names = ["fog", "lights", "gsys_renderstate", "gsys_weight", "gsys_assign_type"];
    let choices: [&[&str]; 5] = [
        &["0", "1"],
        &["0", "2", "4"],
        &["0", "1", "2", "3"],
        &["0", "1", "2", "3", "4"],
        &["gsys_assign_material", "gsys_assign_zonly"],
    ];
    let counts: Vec<u32> = choices.iter().map(|choices| choices.len() as u32).collect();
    let (mut packed, fixed) = packing(&counts[..3], 0);
    let (moving, more) = packing(&counts[3..], fixed);
    packed.extend(moving);
    let options: Vec<ShaderOption> = names
        .iter()
        .zip(choices)
        .zip(packed)
        .enumerate()
        .map(|(index, ((name, choices), packed))| ShaderOption {
            name: (*name).into(),
            is_static: index < 3,
            choices: choices.iter().map(|choice| (*choice).into()).collect(),
            values: vec![],
            default: 0,
            packed: Packed { ..packed },
            branch_offset: None,
            flags: 0,
        })
        .collect();
    let words = (fixed + more) as usize;
    let mut keys: Vec<Vec<u32>> = rows
        .iter()
        .map(|row| {
            let mut key = vec![0; words];
            for (option, choice) in options.iter().zip(row) {
                option.packed.set(&mut key, option.choice(choice).unwrap());
            }
            key
        })
        .collect();
    keys.sort();
    OptionTable {
        model: "material".into(),
        options,
        words,
        programs: keys.len(),
        keys: keys.concat(),
        default_program: None,
    }
}

fn kinds() -> [Kind; 4] {
    [Kind::Switch(8), Kind::Switch(9), Kind::Switch(10), Kind::Cafe]
}

#[test]
fn materials_read_in_every_layout() {
    for kind in kinds() {
        let sample = sample();
        let bytes = write(kind, &sample);
        let file = bfres::read(&bytes).unwrap_or_else(|error| panic!("{kind:?}: {error}"));
        assert_eq!(file.labels(), ["uber.bfsha", "textures.bntx"], "{kind:?}");
        assert_eq!((file.file(0), file.file(1)), (&[7; 5000][..], &[9; 300][..]));
        assert_eq!(file.check().len(), 0, "{kind:?}: {:?}", file.check());
        assert_eq!(file.tree().coverage(bytes.len() as u64).unowned().next(), None);
        let models = file.models().unwrap_or_else(|error| panic!("{kind:?}: {error}"));
        let [model] = models.as_slice() else { panic!("{kind:?}: {} models", models.len()) };
        assert_eq!(model.name, "demo");
        for (found, expected) in model.shapes.iter().zip(&sample.shapes) {
            assert_eq!(
                (&found.name, found.material, found.skin),
                (&expected.name, expected.material, expected.skin)
            );
        }
        assert_eq!((model.shapes.len(), model.materials.len()), (4, 2));
        for (found, expected) in model.materials.iter().zip(&sample.materials) {
            assert_eq!(
                (&found.name, &found.archive, &found.shading_model),
                (&expected.name, &sample.archive, &sample.shading_model),
                "{kind:?}"
            );
            let options: Vec<_> = found
                .options
                .iter()
                .map(|option| (option.name.clone().unwrap(), option.value.to_string()))
                .collect();
            let mut expected_options = expected.options.clone();
            // Version 10 keeps what has its default to itself.
            expected_options.retain(|(_, value)| kind != Kind::Switch(10) || value != "<Default Value>");
            let sorted = |mut list: Vec<(String, String)>| {
                list.sort();
                list
            };
            assert_eq!(sorted(options), sorted(expected_options), "{kind:?} {}", found.name);
            assert_eq!(found.samplers, expected.samplers, "{kind:?}");
            let textures: Vec<_> = found.textures.iter().map(|(_, texture)| texture.clone()).collect();
            assert_eq!(textures, expected.textures, "{kind:?}");
            for (name, value) in &expected.render_info {
                assert_eq!(found.setting(name).as_ref(), Some(value), "{kind:?}");
            }
        }
    }
}

#[test]
fn bits_of_version_10_are_choices() {
    let bytes = write(Kind::Switch(10), &sample());
    let models = bfres::read(&bytes).unwrap().models().unwrap();
    let fog =
        models[0].materials[0].options.iter().find(|option| option.name.as_deref() == Some("fog")).unwrap();
    assert_eq!(fog.value, OptionValue::Bool(true));
    assert_eq!(fog.value.among(|choice| choice == "True"), "True");
    assert_eq!(fog.value.among(|choice| choice == "1"), "1");
}

fn model(kind: Kind) -> Model {
    bfres::read(&write(kind, &sample())).unwrap().models().unwrap().swap_remove(0)
}

#[test]
fn every_pass_and_skin_has_its_program() {
    let (lit, depth) = ("gsys_assign_material", "gsys_assign_zonly");
    let table = table(&[
        ["1", "4", "1", "2", lit],
        ["1", "4", "1", "2", depth],
        ["1", "4", "1", "4", lit],
        ["0", "0", "0", "0", lit],
    ]);
    for kind in kinds() {
        let found = select(&table, &model(kind), 0, &[]).unwrap();
        assert_eq!((found.grade(), found.outcomes.len()), (Grade::Exact, 2), "{kind:?}");
        assert_eq!(found.outcomes[0].shapes, ["Sh_1", "Sh_3"]);
        let passes = |index: usize| -> Vec<_> {
            found.outcomes[index].candidates.iter().map(|one| one.pass.clone().unwrap()).collect()
        };
        assert_eq!(passes(0), [lit, depth], "{kind:?}");
        assert_eq!(passes(1), [lit]);
        let from =
            |name: &str| found.outcomes[0].wanted.iter().find(|wanted| wanted.option == name).unwrap().origin;
        assert_eq!(from("gsys_renderstate"), Origin::RenderInfo);
        assert_eq!(
            (from("fog"), from("gsys_weight"), from("gsys_assign_type")),
            (Origin::Material, Origin::Skin, Origin::Pass)
        );
        // The other material has an option and a choice that are not there.
        let found = select(&table, &model(kind), 1, &[]).unwrap();
        assert_eq!(found.grade(), Grade::Exact, "{kind:?}");
        let mut unknown: Vec<_> = found
            .unknown
            .iter()
            .map(|unknown| (unknown.option.as_str(), unknown.choices.is_some()))
            .collect();
        unknown.sort_unstable();
        assert_eq!(unknown, [("lights", true), ("nothing", false)]);
    }
}

#[test]
fn what_settings_decide_is_relaxed_first() {
    let lit = "gsys_assign_material";
    // Compiled for another render state only.
    let found =
        select(&table(&[["1", "4", "2", "2", lit], ["1", "4", "2", "4", lit]]), &model(Kind::Cafe), 0, &[])
            .unwrap();
    assert_eq!(found.grade(), Grade::Relaxed);
    let one = &found.outcomes[0].candidates[0];
    let differences: Vec<_> = one
        .differences
        .iter()
        .map(|one| (one.option.as_str(), one.wanted.as_str(), one.found.as_str()))
        .collect();
    assert_eq!(differences, [("gsys_renderstate", "1", "2")]);
    // Somebody who says the render state is not contradicted.
    let table = table(&[["1", "4", "2", "2", lit]]);
    let found = select(&table, &model(Kind::Cafe), 0, &[("gsys_renderstate", "1")]).unwrap();
    assert_eq!(found.grade(), Grade::None);
    let found =
        select(&table, &model(Kind::Cafe), 0, &[("gsys_renderstate", "*"), ("gsys_weight", "2")]).unwrap();
    assert_eq!(found.grade(), Grade::Exact);
    assert!(select(&table, &model(Kind::Cafe), 0, &[("gsys_renderstate", "9")]).is_err());
}

#[test]
fn the_render_state_of_the_wii_u_is_an_option() {
    let lit = "gsys_assign_material";
    let table = table(&[
        ["1", "4", "0", "2", lit],
        ["1", "4", "1", "2", lit],
        ["1", "4", "2", "2", lit],
        ["1", "4", "3", "2", lit],
    ]);
    // Upper bits of the flags say how it blends.
    for (flags, choice) in [(0x11, "0"), (2, "1"), (0x13, "2"), (0x20, "3")] {
        for (info, origin) in [(None, Origin::RenderState), (Some("opaque"), Origin::RenderInfo)] {
            let mut sample = sample();
            let material = &mut sample.materials[0];
            material.render_state = Some((flags, 0));
            // A setting counts more.
            material.render_info =
                info.into_iter().map(|info| ("gsys_render_state_mode".into(), info.into())).collect();
            let models = bfres::read(&write(Kind::Cafe, &sample)).unwrap().models().unwrap();
            assert_eq!(models[0].materials[0].render_state.unwrap().flags, flags);
            assert_eq!(models[0].materials[1].render_state, None);
            let found = select(&table, &models[0], 0, &[("gsys_weight", "2")]).unwrap();
            assert_eq!(found.grade(), Grade::Exact);
            let wanted =
                found.outcomes[0].wanted.iter().find(|wanted| wanted.option == "gsys_renderstate").unwrap();
            let choice = if info.is_some() { "0" } else { choice };
            assert_eq!((wanted.value.as_str(), wanted.origin), (choice, origin));
        }
    }
}

/// Two materials of a program with macros: one that says nothing of how it is drawn but by its render state, and one whose
/// setting says it.
fn glass() -> Sample {
    let material = |name: &str, flags, setting: Option<&str>| Assign {
        name: name.into(),
        options: vec![("SURFACE".into(), "textured".into())],
        render_info: setting.map(|mode| ("gsys_render_state_mode".into(), mode.into())).into_iter().collect(),
        render_state: Some((flags, 0)),
        samplers: vec![],
        textures: vec![],
    };
    Sample {
        model: "house".into(),
        archive: "surface".into(),
        shading_model: "surface".into(),
        materials: vec![material("Mt_Glass", 0x13, None), material("Mt_Wall", 0x13, Some("opaque"))],
        shapes: vec![ShapeOf { name: "Window".into(), material: 0, skin: 0 }],
        files: vec![("readme.txt".into(), b"A made-up model.\n".to_vec())],
    }
}

/// `BLESS=1` writes it anew.
#[test]
fn the_model_of_the_transcripts_is_what_the_writer_makes() {
    let place = unshade_corpus::root().join("tests/cli/house.bfres");
    let bytes = write(Kind::Cafe, &glass());
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&place, &bytes).unwrap();
    }
    assert!(std::fs::read(&place).unwrap() == bytes, "{}", place.display());
}

#[test]
fn alpha_is_tested_as_the_render_state_says() {
    let of = |flags, alpha_control| {
        let state = RenderState { flags, alpha_control };
        let material = Material { render_state: Some(state), ..Material::default() };
        (material.state("gsys_alpha_test_enable"), material.state("gsys_alpha_test_func"))
    };
    assert_eq!(of(2, 6), (Some("true"), Some("gequal")));
    assert_eq!(of(1, 0xc), (Some("false"), None));
    assert_eq!(of(0, 0xc), (Some("true"), Some("greater")));
    assert_eq!(of(0, 4), (Some("false"), None));
    assert_eq!(Material::default().state("gsys_alpha_test_enable"), None);
}

#[test]
fn where_there_is_none_the_nearest_tell_why() {
    let lit = "gsys_assign_material";
    let table = table(&[["0", "4", "1", "2", lit], ["0", "0", "1", "2", lit]]);
    let found = select(&table, &model(Kind::Switch(9)), 0, &[]).unwrap();
    assert_eq!(found.grade(), Grade::None);
    let near = &found.outcomes[0].candidates;
    assert_eq!((near.len(), near[0].differences.len()), (1, 1));
    assert_eq!((near[0].differences[0].option.as_str(), near[0].differences[0].found.as_str()), ("fog", "0"));
    // Four bones: a dynamic option differs as well.
    let options: Vec<_> =
        found.outcomes[1].candidates[0].differences.iter().map(|one| one.option.clone()).collect();
    assert_eq!(options, ["fog", "gsys_weight"]);
}

#[test]
fn embedded_files_are_replaced() {
    for kind in kinds() {
        let bytes = write(kind, &sample());
        let file = bfres::read(&bytes).unwrap();
        for (index, len) in
            [(0, 4000), (0, 5000), (0, 5001), (0, 9000), (0, 100_000), (1, 10), (1, 301), (1, 70_000), (0, 0)]
        {
            let new = vec![0x5a; len];
            let changed = file.replace(index, &new).unwrap();
            let after =
                bfres::read(&changed.bytes).unwrap_or_else(|error| panic!("{kind:?} {index} {len}: {error}"));
            assert!(after.file(index) == new, "{kind:?} {index} {len}");
            assert!(after.file(1 - index) == file.file(1 - index), "{kind:?} {index} {len}");
            assert_eq!(after.models().unwrap(), file.models().unwrap());
            assert_eq!(after.check().len(), 0, "{kind:?} {index} {len}: {:?}", after.check());
            let size = if kind == Kind::Cafe { 0xc } else { 0x1c };
            // In its place nothing but the file and its size changes.
            if changed.moved_to.is_none() && changed.bytes.len() == bytes.len() {
                let place = file.files[index].range();
                let record = file.files[index].record as usize;
                for (at, (old, new)) in bytes.iter().zip(&changed.bytes).enumerate() {
                    let own = place.start <= at && at < place.end.max(place.start + len);
                    assert!(
                        old == new || own || (record..record + 16).contains(&at),
                        "{kind:?} {index} {len}: {at:#x}"
                    );
                }
            } else {
                assert_ne!(bytes[size..size + 4], changed.bytes[size..size + 4]);
            }
        }
        let same = file.replace(0, file.file(0)).unwrap();
        assert!(same.bytes == bytes && same.moved_to.is_none());
        assert!(file.replace(2, &[]).is_err());
        let parts = unshade_containers::wrap::manifest::extract_wrapper(&bytes).unwrap();
        assert!(unshade_containers::parts::build_whole(&parts).unwrap() == bytes, "{kind:?}");
    }
}

#[test]
fn hostile_files_end_soon() {
    for kind in kinds() {
        let bytes = write(kind, &sample());
        let read = |bytes: &[u8]| {
            if let Ok(file) = bfres::read(bytes) {
                let _ = file.models();
                let _ = file.check();
                assert_eq!(file.tree().coverage(bytes.len() as u64).unowned().next(), None);
                if !file.files.is_empty() {
                    let _ = file.replace(0, b"something else");
                }
            }
        };
        let head = bytes.len().min(0x2400);
        for len in 0..head {
            read(&bytes[..len]);
        }
        for at in 0..head {
            for value in [0xff, 1] {
                let mut bad = bytes.clone();
                bad[at] ^= value;
                read(&bad);
            }
        }
        // Words of every size that say too much.
        for at in (0..head - 4).step_by(2) {
            let mut bad = bytes.clone();
            bad[at..at + 4].fill(0xff);
            read(&bad);
        }
    }
}

#[test]
fn the_corpus_finds_its_programs() {
    let Some(folder) = common::shared("corpus/wrappers") else { return };
    let bytes = std::fs::read(folder.join("gen_v5.bfres")).unwrap();
    let expected: serde_json::Value =
        serde_json::from_slice(&std::fs::read(folder.join("gen_v5.expect.json")).unwrap()).unwrap();
    let file = bfres::read(&bytes).unwrap();
    assert_eq!((file.version.as_slice(), file.files.len()), (&[5, 0, 3][..], 1));
    assert_eq!(file.check().len(), 0, "{:?}", file.check());
    let archive = Index::open(file.file(0)).unwrap();
    let models = file.models().unwrap();
    let mut found = Vec::new();
    for (index, material) in models[0].materials.iter().enumerate() {
        let name = String::from_utf8(archive.name.to_vec()).unwrap();
        assert_eq!(material.archive, name);
        let model = archive.model_named(&material.shading_model).unwrap();
        let table = archive.options(model).unwrap();
        let selection = select(&table, &models[0], index, &[]).unwrap();
        assert_eq!((selection.grade(), selection.unknown.len()), (Grade::Exact, 0));
        for outcome in &selection.outcomes {
            for candidate in &outcome.candidates {
                found.push((
                    material.name.clone(),
                    outcome.shapes[0].clone(),
                    outcome.skin.unwrap(),
                    candidate.pass.clone().unwrap(),
                    candidate.program,
                ));
            }
        }
    }
    let text = |value: &serde_json::Value| value.as_str().unwrap().to_owned();
    let wanted: Vec<_> = expected["pick"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| {
            (
                text(&one["material"]),
                text(&one["shape"]),
                one["skin"].as_u64().unwrap() as u8,
                text(&one["assign_type"]),
                one["program"].as_u64().unwrap() as usize,
            )
        })
        .collect();
    assert_eq!(found, wanted);
    // Through the wrappers: its archive by name, and another in its place.
    let path = ["gen_v5.sbfres.szs"].map(|name| std::fs::read(folder.join(name)).unwrap());
    let chain = walk(&path[0], &[])
        .find_map(|found| match found {
            Found::File { chain, .. } => Some(chain),
            _ => None,
        })
        .unwrap();
    let new = [file.file(0), &[0; 4096]].concat();
    let changed = replace(&path[0], &chain, new.clone()).unwrap();
    let again = walk(&changed.bytes, &[]).any(|found| match found {
        Found::File { piece, .. } => piece.bytes(&changed.bytes) == new,
        _ => false,
    });
    assert!(again, "{:?}", changed.notes);
}
