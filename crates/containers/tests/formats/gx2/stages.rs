//! What GFD files and archives hand to the instruction set, what comes back, and manifests that were edited.
#![allow(clippy::indexing_slicing)]

use crate::common;
use unshade_bytes::{ErrorKind, Severity};
use unshade_containers::{
    Container, Parts, Strings, build, extract,
    sharcfb::{Archive, Record},
    wrap::scan,
};
use unshade_stage::latte::{Attribute, Dimension, PixelInput, UniformMode, VarType};
use unshade_stage::{Code, Interface, Isa, Latte, Stage, StageId, StageKind};

fn corpus(name: &str) -> Option<Vec<u8>> {
    let path = common::shared(&format!("corpus/{name}"))?;
    Some(std::fs::read(path).unwrap())
}

fn id(name: &str) -> StageId {
    StageId(name.to_owned())
}

fn latte<'s>(stage: &'s Stage<'_>) -> &'s Latte {
    stage.interface.latte.as_ref().unwrap()
}

fn words(count: usize) -> Code<'static> {
    Code { words: (0..count as u32).collect(), ..Code::default() }
}

#[test]
fn a_gsh_hands_over_registers_and_names() {
    let Some(bytes) = corpus("gfd/wut_pos_col_shader.gsh") else { return };
    let container = Container::read(&bytes).unwrap();
    let stages: Vec<_> = container.stages().collect();
    let summary: Vec<_> = stages.iter().map(|stage| (stage.id.0.as_str(), stage.kind, stage.isa)).collect();
    let expected = [("vertex0", StageKind::Vertex, Isa::Latte), ("pixel0", StageKind::Fragment, Isa::Latte)];
    assert_eq!(summary, expected);
    for stage in &stages {
        let at = stage.code.file_offset as usize;
        assert_eq!(bytes[at..at + 4], stage.code.words[0].to_le_bytes());
        assert_eq!(stage.code.words.len(), 64);
        assert_eq!(container.stage(&stage.id).as_ref(), Some(stage));
    }
    let vertex = latte(&stages[0]);
    assert_eq!(vertex.semantics, [Some(0), Some(1)]);
    assert_eq!((vertex.parameter_count, vertex.export_stage, vertex.copy_program), (Some(1), false, false));
    let attribute =
        |name: &str, location| Attribute { name: name.into(), ty: VarType(11), count: 0, location };
    assert_eq!(vertex.attributes, [attribute("aColour", 0), attribute("aPosition", 1)]);
    let pixel = latte(&stages[1]);
    assert_eq!((pixel.colours, pixel.colour_mask, pixel.exports_depth), (Some(1), Some(0xF), false));
    assert_eq!(pixel.inputs.len(), 1);
    assert_eq!((pixel.inputs[0].default, vertex.parameters[0]), (1, Some(pixel.inputs[0].semantic)));
    for missing in ["vertex1", "vertex", "vertex00", "copy0", "geometry0", "fragment0", ""] {
        assert_eq!(container.stage(&id(missing)), None, "{missing}");
    }
}

#[test]
fn uniforms_and_samplers_by_name() {
    let Some(bytes) = corpus("gfd/librw_matfx_env.gsh") else { return };
    let container = Container::read(&bytes).unwrap();
    let vertex = container.stage(&id("vertex0")).unwrap();
    let vertex = latte(&vertex);
    assert_eq!(vertex.uniform_mode, UniformMode::Registers);
    let uniforms: Vec<_> = vertex
        .uniforms
        .iter()
        .map(|uniform| (uniform.name.as_str(), uniform.ty.name(), uniform.offset))
        .collect();
    assert_eq!(uniforms[..2], [("u_proj", "mat4".to_owned(), 0), ("u_view", "mat4".to_owned(), 16)]);
    assert!(vertex.uniforms.iter().all(|uniform| uniform.block.is_none()));
    let pixel = container.stage(&id("pixel0")).unwrap();
    let samplers: Vec<_> = latte(&pixel)
        .samplers
        .iter()
        .map(|sampler| (sampler.name.as_str(), sampler.dimension, sampler.location))
        .collect();
    assert_eq!(samplers, [("tex0", Some(Dimension::D2), 0), ("tex1", Some(Dimension::D2), 1)]);
    assert!(latte(&pixel).inputs.iter().all(|input| *input != PixelInput::default()));
}

#[test]
fn code_without_a_header_and_a_header_without_code() {
    let Some(bytes) = corpus("gfd/rustgfd_vertex-program.gsh") else { return };
    let container = Container::read(&bytes).unwrap();
    let stage = container.stage(&id("vertex0")).unwrap();
    assert_eq!(*latte(&stage), Latte::default());
    let bytes = corpus("gfd/rustgfd_vertex-header.gsh").unwrap();
    assert_eq!(Container::read(&bytes).unwrap().stages().count(), 0);
}

#[test]
fn code_of_a_gsh_can_be_replaced() {
    for (path, original) in common::gfd() {
        let container = Container::read(&original).unwrap();
        for stage in container.stages() {
            let mut changed = container.clone();
            for count in [2, 400, 0] {
                changed.replace(&stage.id, &words(count)).unwrap();
                let bytes = changed.write().unwrap();
                let again = Container::read(&bytes).unwrap();
                assert_eq!(again, changed, "{path}");
                assert_eq!(*again.stage(&stage.id).unwrap().code.words, *words(count).words, "{path}");
                let found = again.check();
                assert!(found.iter().all(|finding| finding.code != "gfd.code-size"), "{path}: {found:?}");
                // The others stay as they are, at their new places.
                for other in again.stages().filter(|other| other.id != stage.id) {
                    assert_eq!(other.code.words, container.stage(&other.id).unwrap().code.words);
                    let at = other.code.file_offset as usize;
                    assert_eq!(bytes[at..at + 4], other.code.words[0].to_le_bytes());
                }
            }
            changed.replace(&stage.id, &stage.code).unwrap();
            assert_eq!(changed.write().unwrap(), original, "{path}");
        }
        let mut container = container;
        let error = container.replace(&id("vertex9"), &words(2)).unwrap_err();
        assert_eq!(error.kind, ErrorKind::OutOfBounds);
    }
}

#[test]
fn an_archive_names_programs_and_variations() {
    let Some(bytes) = corpus("sharcfb/variants_le.sharcfb") else { return };
    let container = Container::read(&bytes).unwrap();
    let ids: Vec<_> = container.stages().map(|stage| stage.id.0).collect();
    assert_eq!(ids.len(), 14);
    assert!(
        ids[0].ends_with("/0/vertex") && ids[3].ends_with("/1/pixel") && ids[11].ends_with("/5/pixel"),
        "{ids:?}"
    );
    for stage in container.stages() {
        assert_eq!(stage.code.file_offset % 0x100, 0);
        assert_eq!(container.stage(&stage.id), Some(stage));
    }
    let first = ids[0].strip_suffix("/0/vertex").unwrap();
    for missing in [
        format!("{first}/6/vertex"),
        format!("{first}/00/vertex"),
        format!("{first}/0/copy"),
        "@0/pixel".into(),
    ] {
        assert_eq!(container.stage(&id(&missing)), None, "{missing}");
    }
    // A binary is found by its number too.
    assert_eq!(container.stage(&id("@0/vertex")).unwrap().code, container.stage(&id(&ids[0])).unwrap().code);
}

#[test]
fn a_geometry_program_has_its_copy_program() {
    let Some(bytes) = corpus("sharcfb/geometry_be.sharcfb") else { return };
    let container = Container::read(&bytes).unwrap();
    let stages: Vec<_> = container.stages().collect();
    let words: Vec<_> = stages.iter().map(|stage| stage.id.0.rsplit('/').next().unwrap()).collect();
    assert_eq!(words, ["vertex", "pixel", "geometry", "copy"]);
    let kinds: Vec<_> = stages.iter().map(|stage| stage.kind).collect();
    let expected = [StageKind::Vertex, StageKind::Fragment, StageKind::Geometry, StageKind::Vertex];
    assert_eq!(kinds, expected);
    assert!(latte(&stages[2]).geometry.is_some() && !latte(&stages[2]).copy_program);
    assert!(latte(&stages[3]).copy_program && latte(&stages[3]).geometry.is_none());
    assert!(stages.iter().all(|stage| stage.code.file_offset % 0x100 == 0));
    // A longer geometry program moves its copy program to the next multiple.
    let mut changed = container.clone();
    changed.replace(&stages[2].id, &self::words(1000)).unwrap();
    let again = Container::read(&changed.write().unwrap()).unwrap();
    let copy = again.stage(&stages[3].id).unwrap();
    assert_eq!((copy.code.words == stages[3].code.words, copy.code.file_offset % 0x100), (true, 0));
    assert_eq!(again.stage(&stages[2].id).unwrap().code.words.len(), 1000);
}

/// What surrounds a program, without the code of its copy program, which is a stage of its own.
fn surroundings(stage: &Stage<'_>) -> Interface {
    let mut interface = stage.interface.clone();
    if let Some(geometry) = interface.latte.as_mut().and_then(|latte| latte.geometry.as_mut()) {
        geometry.copy.clear();
    }
    interface
}

/// Whether all code of an archive is what it was, but for one stage.
fn others_stay(before: &Container, after: &Container, but: &StageId) {
    let count = before.stages().count();
    assert_eq!(after.stages().count(), count);
    for (old, new) in before.stages().zip(after.stages()) {
        assert_eq!(old.id, new.id);
        if old.id != *but {
            assert_eq!(old.code.words, new.code.words, "{}", old.id);
            assert_eq!(surroundings(&old), surroundings(&new), "{}", old.id);
        }
        assert_eq!(new.code.file_offset % 0x100, 0, "{}", new.id);
    }
}

#[test]
fn code_of_an_archive_can_be_replaced() {
    for (path, original) in common::sharcfb() {
        let container = Container::read(&original).unwrap();
        for stage in container.stages() {
            let mut changed = container.clone();
            for count in [2, 100, 70] {
                changed.replace(&stage.id, &words(count)).unwrap();
                let bytes = changed.write().unwrap();
                let again = Container::read(&bytes).unwrap();
                assert_eq!(again, changed, "{path} {}", stage.id);
                assert_eq!(*again.stage(&stage.id).unwrap().code.words, *words(count).words, "{path}");
                others_stay(&container, &again, &stage.id);
                let worst = again.check().first().map(|finding| finding.severity);
                assert!(worst < Some(Severity::Error), "{path} {}: {:?}", stage.id, again.check()[0]);
                assert_eq!(again.coverage().unowned().count(), 0);
                assert_eq!(Archive::open(&bytes).unwrap().binary_count() as usize, binaries(&again));
            }
            changed.replace(&stage.id, &stage.code).unwrap();
            assert!(changed.write().unwrap() == original, "{path} {}", stage.id);
        }
    }
}

fn binaries(container: &Container) -> usize {
    match container {
        Container::Sharcfb(file) => file.binaries().count(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_longer_name_moves_all_code() {
    for (path, original) in common::sharcfb() {
        let before = Container::read(&original).unwrap();
        let Container::Sharcfb(mut file) = before.clone() else { panic!() };
        for name in ["a_much_longer_name_of_an_archive\0", "\0", "x\0\0\0"] {
            file.name = Strings(name.as_bytes().to_vec());
            let bytes = file.write().unwrap();
            let after = Container::read(&bytes).unwrap();
            others_stay(&before, &after, &id(""));
            assert!(after.check().iter().all(|finding| finding.severity < Severity::Error), "{path}");
            assert_eq!(after.write().unwrap(), bytes);
            // Places of the changed model are those of the file that it becomes.
            for (old, new) in Container::Sharcfb(file.clone()).stages().zip(after.stages()) {
                assert_eq!(old.code.file_offset, new.code.file_offset, "{path}");
            }
            assert_eq!(Container::Sharcfb(file.clone()).tree(), after.tree(), "{path}");
        }
        let Container::Sharcfb(was) = &before else { panic!() };
        file.name = was.name.clone();
        assert!(file.write().unwrap() == original, "{path}");
    }
}

fn edited(parts: &Parts, changes: &[(&str, &str)]) -> Parts {
    let mut manifest = parts.manifest().to_owned();
    for (from, to) in changes {
        assert!(manifest.contains(from), "{from} in\n{manifest}");
        manifest = manifest.replacen(from, to, 1);
    }
    let mut edited = Parts::from_manifest(manifest).unwrap();
    for (name, bytes) in parts.files().filter(|(name, _)| *name != Parts::MANIFEST) {
        edited.insert(name, bytes);
    }
    edited
}

#[test]
fn edited_manifests() {
    let Some(bytes) = corpus("gfd/librw_im2d.gsh") else { return };
    let parts = extract(&Container::read(&bytes).unwrap()).unwrap();
    let longer = edited(
        &parts,
        &[
            ("name = \"u_xform\"", "name = \"u_transformation_of_the_whole_screen\""),
            ("NUM_GPRS = ", "DX10_CLAMP = 1, NUM_GPRS = "),
        ],
    );
    let container = build(&longer).unwrap();
    let again = Container::read(&container.write().unwrap()).unwrap();
    let stage = again.stage(&id("vertex0")).unwrap();
    assert_eq!(latte(&stage).uniforms[0].name, "u_transformation_of_the_whole_screen");
    assert!(latte(&stage).dx10_clamp);
    assert!(again.check().iter().all(|finding| finding.severity == Severity::Note), "{:?}", again.check());
    let mut shorter = parts.clone();
    shorter.insert("1-vertex_code.bin", vec![0; 64]);
    let again = build(&shorter).unwrap();
    assert_eq!(again.stage(&id("vertex0")).unwrap().code.words.len(), 16);
    assert!(again.check().iter().all(|finding| finding.code != "gfd.code-size"));
    for (from, to, expected) in [
        ("format = \"gfd\"", "format = \"gfe\"", "known format"),
        ("gpu = 2", "gpu = \"x\"", "number of 32 bits"),
        ("gpu = 2", "gpu = 2\nspeed = 3", "only known fields"),
        ("NUM_GPRS = ", "NUM_GPRS = 256, X = ", "fits the field"),
        ("NUM_GPRS = ", "GPRS = ", "a field of the register"),
        ("type = \"vertex_code\"", "type = \"vertex_cod\"", "a type of blocks"),
        ("code_file = \"1-vertex_code.bin\"", "code_file = \"../x\"", "../x"),
        ("type = \"vec4\"", "type = \"vec5\"", "number of 32 bits"),
        ("name = \"u_xform\"", "name = \"\\\\q\"", "a text with"),
    ] {
        let manifest = parts.manifest().replacen(from, to, 1);
        assert_ne!(manifest, parts.manifest(), "{from}");
        let mut wrong = parts.clone();
        wrong.insert(Parts::MANIFEST, manifest);
        let error = build(&wrong).unwrap_err().to_string();
        assert!(error.contains(expected), "{to}: {error}");
    }
}

#[test]
fn edited_manifests_of_archives() {
    let Some(bytes) = corpus("sharcfb/variants_be.sharcfb") else { return };
    let before = Container::read(&bytes).unwrap();
    let parts = extract(&before).unwrap();
    let Container::Sharcfb(file) = &before else { panic!() };
    let (_, program) = file.programs().next().unwrap();
    let list = program.macro_list();
    let old = String::from_utf8(list.macros[0].name.to_vec()).unwrap();
    let renamed = edited(&parts, &[(&format!("{{ name = \"{old}\""), "{ name = \"A_NEW_NAME\"")]);
    let after = build(&renamed).unwrap();
    let bytes = after.write().unwrap();
    let archive = Archive::open(&bytes).unwrap();
    let program = archive.programs().next().unwrap().unwrap();
    assert_eq!(program.macro_list().unwrap().macros[0].name, b"A_NEW_NAME");
    // The defaults still have the old name.
    assert_eq!(after.check()[0].code, "sharcfb.default");
    others_stay(&before, &after, &id(""));
    let longer = edited(&parts, &[("name = \"variants\"", "name = \"variants_of_a_longer_name\"")]);
    others_stay(&before, &build(&longer).unwrap(), &id(""));
    let other = edited(&parts, &[("endian = \"big\"", "endian = \"little\"")]);
    let little = build(&other).unwrap();
    for (old, new) in before.stages().zip(little.stages()) {
        assert_eq!((&old.code.words, &old.interface), (&new.code.words, &new.interface));
    }
}

#[test]
fn containers_are_found_in_blobs() {
    let mut blob = vec![0x55; 64];
    let mut expected = Vec::new();
    for (path, bytes) in common::gfd().into_iter().chain(common::sharcfb()) {
        expected.push((path, blob.len() as u64, bytes.len() as u64));
        blob.extend(&bytes);
        blob.resize(blob.len().next_multiple_of(4) + 8, 0x42);
    }
    let found: Vec<_> = scan::scan(&blob).collect();
    let places: Vec<_> = found.iter().map(|found| (found.offset, found.len)).collect();
    assert_eq!(places, expected.iter().map(|(_, at, len)| (*at, *len)).collect::<Vec<_>>());
    assert_eq!(scan::Blob::read(&blob).write().unwrap(), blob);
}

#[test]
fn unreferenced_and_doubly_referenced_binaries() {
    let Some(bytes) = corpus("sharcfb/homebrew_le.sharcfb") else { return };
    let Container::Sharcfb(mut file) = Container::read(&bytes).unwrap() else { panic!() };
    let programs = file.programs.as_mut().unwrap();
    let Record::Known(second) = programs.items[1].clone() else { panic!() };
    let mut twin = second.clone();
    twin.base = 0;
    let Record::Known(first) = &mut programs.items[0] else { panic!() };
    let name = String::from_utf8(second.name.0.clone()).unwrap();
    let name = name.trim_end_matches('\0');
    first.name = second.name.clone();
    first.base = 6;
    programs.items[2] = Record::Known(twin);
    let container = Container::Sharcfb(file);
    let ids: Vec<_> = container.stages().map(|stage| stage.id.0).collect();
    let expected = [
        format!("{name}~2/0/vertex"),
        format!("{name}~2/0/pixel"),
        format!("{name}~1/0/vertex"),
        format!("{name}~1/0/pixel"),
        "@4/vertex".to_owned(),
        "@5/pixel".to_owned(),
    ];
    assert_eq!(ids[..6], expected);
    assert!(ids[6..].iter().all(|id| id.starts_with(&format!("{name}/0/"))), "{ids:?}");
    assert!(container.stages().all(|stage| container.stage(&stage.id) == Some(stage.clone())));
    let codes: Vec<_> = container.check().into_iter().map(|finding| finding.code).collect();
    assert!(codes.iter().any(|code| code == "sharcfb.duplicate"), "{codes:?}");
    assert!(codes.iter().any(|code| code == "sharcfb.order"), "{codes:?}");
}
