//! What a container hands to the instruction set, and containers inside other files.

use crate::common;
use unshade_bytes::ErrorKind;
use unshade_containers::{Container, Format, detect, wrap::scan};
use unshade_stage::{
    ConstantValue, Geometry, GeometryMode, Isa, Range, Space, Stage, StageId, StageKind, Variable,
};

fn sample(name: &str) -> (Container, Vec<u8>) {
    let (_, bytes) = common::samples().into_iter().find(|(path, _)| path.ends_with(name)).expect(name);
    (Container::read(&bytes).expect(name), bytes)
}

fn names(variables: &[Variable]) -> Vec<(&str, Space, u32, u32)> {
    let of = |v: &Variable| (v.space, v.range.first, v.range.last);
    variables.iter().map(|v| (v.name.as_str(), of(v).0, of(v).1, of(v).2)).collect()
}

#[test]
fn three_executables_share_their_code() {
    let (container, bytes) = sample("shared_transform.shbin");
    let stages: Vec<Stage<'_>> = container.stages().collect();
    let summary: Vec<_> =
        stages.iter().map(|s| (s.id.0.as_str(), s.kind, s.code.entry, s.code.end)).collect();
    let expected = [
        ("0", StageKind::Vertex, 6, Some(15)),
        ("1", StageKind::Vertex, 15, Some(29)),
        ("2", StageKind::Geometry, 29, Some(40)),
    ];
    assert_eq!(summary, expected);
    for stage in &stages {
        assert_eq!((stage.isa, stage.code.words.len(), stage.code.descriptors.len()), (Isa::Pica200, 40, 9));
        let word = bytes[stage.code.file_offset as usize..].first_chunk().unwrap();
        assert_eq!(stage.code.words[0], u32::from_le_bytes(*word));
        assert!(matches!(stage.code.words, std::borrow::Cow::Borrowed(_)));
    }
    let second = &stages[1];
    assert_eq!(names(&second.interface.inputs), [("p", Space::Input, 0, 0), ("t", Space::Input, 1, 1)]);
    let uniforms = names(&second.interface.uniforms);
    assert_eq!(uniforms[0], ("proj", Space::Float, 0, 3));
    assert_eq!(uniforms.last(), Some(&("useTint", Space::Bool, 0, 0)));
    let outputs: Vec<_> =
        second.interface.outputs.iter().map(|o| (o.semantic.as_str(), o.register, o.mask)).collect();
    assert_eq!(outputs, [("position", 0, 15), ("texcoord0", 1, 15), ("color", 2, 15)]);
    let constants: Vec<_> = second.code.constants.iter().map(|c| (c.space, c.value)).collect();
    assert_eq!(
        constants,
        [
            (Space::Float, ConstantValue::Float([0.5, 0.25, 0.125, 1.0])),
            (Space::Bool, ConstantValue::Bool(true))
        ]
    );
    let point = Geometry { mode: GeometryMode::Point, merge_outputs: false };
    assert_eq!(stages.iter().map(|s| s.interface.geometry).collect::<Vec<_>>(), [None, None, Some(point)]);
}

#[test]
fn the_other_forms_have_stages_too() {
    let (container, _) = sample("particles.shbin");
    let geometry = container.stages().next().unwrap().interface.geometry.unwrap();
    assert_eq!(geometry.mode, GeometryMode::Fixed { first_uniform: 4, vertices: 6 });

    let (container, _) = sample("wave_short_header.shbin");
    let stage = container.stages().next().unwrap();
    let labels: Vec<_> = stage.code.labels.iter().map(|l| (l.name.as_str(), l.word, l.words)).collect();
    assert_eq!(labels, [("main", 0, None), ("endmain", 11, None)]);
    assert_eq!((stage.code.end, stage.code.words.len()), (None, 11));

    let (container, _) = sample("object.dvoj");
    let stage = container.stages().next().unwrap();
    assert_eq!((stage.id.0.as_str(), stage.code.entry, stage.code.end), ("0", 0, Some(18)));
    assert_eq!((stage.code.lines[17].file.as_str(), stage.code.lines[17].line), ("t09.vsh", 27));
    assert_eq!(stage.code.constants.len(), 19);
    assert_eq!(stage.interface.inputs[0].range, Range { first: 0, last: 0 });
}

#[test]
fn code_can_be_replaced() {
    for name in ["shared_transform.shbin", "object.dvoj", "wave_short_header.shbin"] {
        let (mut container, bytes) = sample(name);
        let id = StageId("0".to_owned());
        let mut code = container.stage(&id).unwrap().code;
        code.words.to_mut().push(0x8800_0000);
        code.descriptors.to_mut().push(0x0000_036F);
        let code = unshade_stage::Code {
            words: code.words.into_owned().into(),
            descriptors: code.descriptors.into_owned().into(),
            ..code
        };
        container.replace(&id, &code).unwrap();
        let written = container.write().unwrap();
        assert_eq!(written.len(), bytes.len() + 12, "{name}");
        let again = Container::read(&written).unwrap();
        assert_eq!(again, container, "{name}");
        let stage = again.stage(&id).unwrap();
        assert_eq!((&stage.code.words, &stage.code.descriptors), (&code.words, &code.descriptors));
        assert_eq!(again.check().len(), sample(name).0.check().len() + usize::from(name == "object.dvoj"));
        let missing = again.clone().replace(&StageId("9".to_owned()), &code).unwrap_err();
        assert_eq!(missing.kind, ErrorKind::OutOfBounds);
    }
}

#[test]
fn containers_are_found_in_any_blob() {
    let files: Vec<_> = common::samples().into_iter().filter(|(path, _)| !path.ends_with(".bcsdr")).collect();
    let mut blob = b"CGFXDVLB: a false start".to_vec();
    let mut expected = Vec::new();
    for (_, bytes) in &files {
        blob.extend_from_slice(b"rest");
        blob.resize(blob.len().next_multiple_of(4), 0xEE);
        expected.push((blob.len() as u64, Container::read(bytes).unwrap()));
        blob.extend_from_slice(bytes);
    }
    let found: Vec<_> = scan::scan(&blob).map(|found| (found.offset, found.container)).collect();
    assert_eq!(found, expected);
    assert_eq!(scan::Blob::read(&blob).write().unwrap(), blob);
    // Not at a multiple of 4, and so not a container.
    blob.insert(0, 0);
    assert_eq!(scan::scan(&blob).count(), 0);
    assert_eq!(scan::Blob::read(&blob).write().unwrap(), blob);
    assert!(scan::Blob::read(&[]).write().unwrap().is_empty());
}

#[test]
fn formats_are_told_by_their_first_bytes() {
    assert_eq!(detect(b"DVLB"), Some(Format::Shbin));
    assert_eq!(detect(b"DVOJ and more"), Some(Format::Shbin));
    assert_eq!((detect(b"DVL"), detect(b""), detect(b"DVLE")), (None, None, None));
    let error = Container::read(b"DVLE").unwrap_err();
    assert_eq!((error.kind, error.code), (ErrorKind::UnknownFormat, "container.unknown-format"));
}
