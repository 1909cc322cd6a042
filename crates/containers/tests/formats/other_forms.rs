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
    let edited = parts.manifest().replace("\nuniforms = [\n", "\nconstants = [\n    { register = \"c95\", float = [1, 0.5, -0.0, \"0x3f0001\"] },\n]\nuniforms = [\n    { name = \"added\", first = \"c0\", last = \"c3\" },\n");
    let mut changed = parts.clone();
    changed.insert(Parts::MANIFEST, edited.clone());
    assert_ne!(edited, parts.manifest());
    let file = build(&changed).unwrap();
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
        ("layout = [", "layout = [\n\"nonsense\","),
        ("layout = [", "layout = [\n\"dvle[0]\","),
        ("code = \"code.bin\"", "code = \"../code.bin\""),
        ("code = \"code.bin\"", "code = \"other.bin\""),
        ("register = \"c", "register = \"x"),
        ("mask = \"x", "mask = \"q"),
        ("semantic = \"", "semantic = \"un"),
        ("name = \"", "name = \"\\\\q"),
        ("format = \"shbin\"", "format = \"shbin\"\nunknown = 1"),
        ("kind = \"dvoj\"", "kind = \"dvlb\""),
        ("first = \"v0\"", "first = \"v16\""),
        ("[[executable]]", "[[executable]]\nkind = \"vertex\"\n[[executable]]"),
    ] {
        let mut changed = parts.clone();
        let text = parts.manifest().replacen(from, to, 1);
        assert_ne!(text, parts.manifest(), "{from}");
        changed.insert(Parts::MANIFEST, text);
        let result = build(&changed).and_then(|container| container.write());
        assert!(result.is_err(), "{to} was taken");
    }
}
