//! What an MBS hands to the instruction sets, what comes back, and manifests that were edited.
#![allow(clippy::indexing_slicing)]

use crate::common;
use unshade_bytes::ErrorKind;
use unshade_containers::{
    Container, Parts, build, extract,
    mbs::{Mbs, ProgramKind},
    wrap::scan,
};
use unshade_stage::{Code, Declared, Isa, Precision, Space, StageId, StageKind, SymbolType};

fn sample(name: &str) -> (Container, Vec<u8>) {
    let (_, bytes) = common::mbs().into_iter().find(|(path, _)| path.ends_with(name)).expect(name);
    (Container::read(&bytes).expect(name), bytes)
}

fn id(name: &str) -> StageId {
    StageId(name.to_owned())
}

fn mbs(container: &Container) -> &Mbs {
    match container {
        Container::Mbs(file) => file,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_linked_file_has_two_stages() {
    let (container, bytes) = sample("samples/linked.mbs");
    let stages: Vec<_> = container.stages().collect();
    let summary: Vec<_> = stages.iter().map(|stage| (stage.id.0.as_str(), stage.kind, stage.isa)).collect();
    let expected = [("frag", StageKind::Fragment, Isa::MaliPp), ("vert", StageKind::Vertex, Isa::MaliGp)];
    assert_eq!(summary, expected);
    for stage in &stages {
        let at = stage.code.file_offset as usize;
        assert_eq!(bytes[at - 8..at - 4], *b"DBIN");
        assert_eq!(bytes[at..at + 4], stage.code.words[0].to_le_bytes());
        assert!(matches!(stage.code.words, std::borrow::Cow::Borrowed(_)));
    }
    assert_eq!(container.stage(&id("cfra")), Some(stages[0].clone()));
    assert_eq!(container.stage(&id("CVER")), Some(stages[1].clone()));
    assert_eq!(container.stage(&id("vert1")), None);
    let declared = Declared::MaliVertex { instructions: 18, attribute_prefetch: 14 };
    assert_eq!(stages[1].interface.declared, Some(declared));
    let framebuffer = [false, true, false, false, false, false];
    let declared = Declared::MaliFragment { stack_size: 1, stack_offset: 1, discards: false, framebuffer };
    assert_eq!(stages[0].interface.declared, Some(declared));
    let symbols: Vec<_> = stages[1].interface.symbols.iter().map(|s| (s.name.as_str(), s.space)).collect();
    let expected = [
        ("u_k", Space::Float),
        ("gl_mali_ViewportTransform", Space::Float),
        ("?__maligp2_constant_000", Space::Float),
        ("a_pos", Space::Input),
        ("gl_Position", Space::Output),
        ("v_c", Space::Output),
    ];
    assert_eq!(symbols, expected);
    let varying = &stages[0].interface.symbols[0];
    assert_eq!((varying.space, varying.ty, varying.components), (Space::Input, SymbolType::Float, 4));
    assert_eq!((varying.precision, varying.offset), (Some(Precision::Medium), Some(0)));
}

#[test]
fn code_can_be_replaced() {
    for (name, stage, words) in
        [("lambert.vert.mbs", "vert", vec![1, 2, 3, 4, 5, 6, 7, 8]), ("linked.mbs", "cfra", vec![1; 5])]
    {
        let (mut container, _) = sample(name);
        let code = Code { words: words.clone().into(), ..Code::default() };
        container.replace(&id(stage), &code).unwrap();
        let again = Container::read(&container.write().unwrap()).unwrap();
        assert_eq!(again, container);
        assert_eq!(*again.stage(&id(stage)).unwrap().code.words, words);
        if stage == "vert" {
            let of = mbs(&again).program(ProgramKind::Vertex).unwrap().instructions().unwrap();
            assert_eq!(of.instruction_count, 2);
        }
        let missing = if stage == "vert" { "frag" } else { "nobody" };
        assert_eq!(container.replace(&id(missing), &code).unwrap_err().kind, ErrorKind::OutOfBounds);
        let late = Code { entry: 4, ..code };
        assert_eq!(container.replace(&id(stage), &late).unwrap_err().kind, ErrorKind::Unrepresentable);
    }
}

#[test]
fn what_only_the_code_knows_can_be_set() {
    let (mut container, _) = sample("linked.mbs");
    let Container::Mbs(file) = &mut container else { panic!("not an MBS") };
    file.named_mut(&id("vert")).unwrap().set_attrib_prefetch(3);
    file.named_mut(&id("frag")).unwrap().set_discards(true);
    let declared: Vec<_> = container.stages().map(|stage| stage.interface.declared.unwrap()).collect();
    assert!(matches!(declared[0], Declared::MaliFragment { discards: true, .. }));
    assert_eq!(declared[1], Declared::MaliVertex { instructions: 18, attribute_prefetch: 3 });
}

#[test]
fn files_are_found_in_any_blob() {
    let mut blob = b"MBS1MBS1 and MBS2, false starts.".to_vec();
    let mut expected = Vec::new();
    for (_, bytes) in common::mbs().into_iter().take(9) {
        expected.push((blob.len() as u64, bytes.len() as u64, Container::read(&bytes).unwrap()));
        blob.extend(bytes);
        blob.extend(b"rest");
    }
    let found: Vec<_> = scan::scan(&blob).map(|found| (found.offset, found.len, found.container)).collect();
    assert_eq!(found, expected);
    assert_eq!(scan::Blob::read(&blob).write().unwrap(), blob);
}

#[test]
fn nonsense_in_a_manifest_is_refused() {
    let (container, _) = sample("linked.mbs");
    let parts = extract(&container).unwrap();
    for (from, to) in [
        ("precision = 2", "precision = 256"),
        ("precision = 2", "precision = \"mediump\""),
        ("offset = 0", "offset = 65536"),
        (
            "offset = 0",
            "offset = 0
place = 1",
        ),
        ("itdr = ", "itdr = -"),
        ("name = \"", "name = \"\\q"),
        ("kind = \"vertex\"", "kind = \"geometry\""),
        ("core = 6", ""),
        ("stack = {", "heap = {"),
        ("file = \"vertex-code.bin\"", "file = \"../vertex-code.bin\""),
        ("file = \"vertex-code.bin\"", "file = \"other.bin\""),
        (
            "file = \"vertex-code.bin\"",
            "file = \"vertex-code.bin\"
from = 1",
        ),
        (
            "format = \"mbs\"",
            "format = \"mbs\"
unknown = 1",
        ),
        ("attrib_prefetch = ", "prefetch = "),
    ] {
        let text = parts.manifest().replacen(from, to, 1);
        assert_ne!(text, parts.manifest(), "{from}");
        let mut changed = parts.clone();
        changed.insert(Parts::MANIFEST, text);
        let result = build(&changed).and_then(|container| container.write());
        assert_eq!(result.map_err(|error| error.code), Err("manifest"), "{to}");
    }
}
