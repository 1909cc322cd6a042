//! The model as JSON, and as a manifest with files: both hold all that the file holds.

use crate::common;
use unshade_containers::{Container, Parts, build, extract, parts, wrap::scan::Blob};

#[test]
fn json_holds_the_whole_file() {
    for (path, bytes) in common::containers() {
        let container = Container::read(&bytes).unwrap();
        let json = serde_json::to_string(&container).unwrap();
        drop(container);
        let back: Container = serde_json::from_str(&json).unwrap();
        assert_eq!(back.write().unwrap(), bytes, "{path}");
    }
}

#[test]
fn manifests_hold_the_whole_file() {
    for (path, bytes) in common::well_formed() {
        if path.ends_with(".bcsdr") {
            let parts = parts::extract_blob(&Blob::read(&bytes)).unwrap();
            let back = parts::build_blob(&common::through_a_folder(&parts)).unwrap();
            assert_eq!(back.write().unwrap(), bytes, "{path}");
            continue;
        }
        let container = Container::read(&bytes).unwrap();
        let parts = extract(&container).unwrap();
        let back = build(&common::through_a_folder(&parts))
            .unwrap_or_else(|e| panic!("{path}: {e}\n{}", parts.manifest()));
        assert_eq!(back, container, "{path}");
        assert_eq!(back.write().unwrap(), bytes, "{path}");
    }
}

#[test]
fn damaged_containers_survive_a_manifest() {
    for (path, bytes) in common::malformed() {
        let Ok(container) = Container::read(&bytes) else { continue };
        let back = build(&common::through_a_folder(&extract(&container).unwrap())).unwrap();
        assert_eq!(back.write().unwrap(), bytes, "{path}");
    }
}

#[test]
fn an_edited_manifest_moves_what_has_to_move() {
    let (_, bytes) =
        common::samples().into_iter().find(|(path, _)| path.ends_with("passthrough.shbin")).unwrap();
    let parts = extract(&Container::read(&bytes).unwrap()).unwrap();
    let added = "\n[[linked.executables.constants]]\nregister = 95\nbyte_03 = 0\nvalue = { float = [0x3f0000, 0x3e0000, 0, 0] }\n";
    // The executable's own fields stand before its tables.
    let edited = parts.manifest().replacen("constants = []\n", "", 1) + added;
    let uniform = "uniforms = [\n    { name = \"added\", first = 16, last = 19 },\n";
    let edited = edited.replacen("uniforms = [\n", uniform, 1);
    let mut changed = parts.clone();
    changed.insert(Parts::MANIFEST, edited.clone());
    assert_ne!(edited, parts.manifest());
    let file = build(&changed).unwrap_or_else(|error| panic!("{error}\n{edited}"));
    let written = file.write().unwrap();
    assert!(written.len() > bytes.len() && written.len().is_multiple_of(4));
    let again = Container::read(&written).unwrap();
    assert_eq!(again, file);
    assert_eq!(again.check(), []);
    let stage = again.stages().next().unwrap();
    assert_eq!(stage.interface.uniforms[0].name, "added");
    assert_eq!(stage.code.constants.len(), 1);
}

#[test]
fn nonsense_in_a_manifest_is_refused() {
    let (_, bytes) = common::samples().into_iter().find(|(path, _)| path.ends_with("object.dvoj")).unwrap();
    let parts = extract(&Container::read(&bytes).unwrap()).unwrap();
    for (from, to) in [
        ("file = \"code.bin\"", "file = \"../code.bin\""),
        ("file = \"code.bin\"", "file = \"other.bin\""),
        ("symbols = [", "symbols = [\n \"\\\\q\","),
        ("name = \"v\"", "name = \"\\q\""),
        ("format = \"shbin\"", "format = \"shbin\"\nunknown = 1"),
        ("[object]", "[linked]"),
        ("lines = [", "line_table = ["),
        ("mask = 15", "mask = 4294967296"),
    ] {
        let mut changed = parts.clone();
        let text = parts.manifest().replacen(from, to, 1);
        assert_ne!(text, parts.manifest(), "{from} in {}", parts.manifest());
        changed.insert(Parts::MANIFEST, text);
        let result = build(&changed).and_then(|container| container.write());
        assert!(result.is_err(), "{to} was taken");
    }
}
