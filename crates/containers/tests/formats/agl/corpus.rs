//! The archives of the corpus, of every version: identical on rewrite and out of a folder, and as the dumps beside them say.

use super::describe::describe;
use crate::common;
use serde_json::Value;
use unshade_bytes::Severity;
use unshade_containers::{Container, build, extract};

#[test]
fn archives_of_every_version_come_back_and_are_described_alike() {
    let Some(folder) = common::shared("corpus/sharc-versions") else { return };
    let mut count = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        if !["sharc", "sharcb", "sharcfb"].contains(&ending) {
            continue;
        }
        let shown = path.display();
        let bytes = std::fs::read(&path).unwrap();
        let container = Container::read(&bytes).unwrap_or_else(|error| panic!("{shown}: {error}"));
        assert!(container.write().unwrap() == bytes, "{shown}: another file");
        assert_eq!(container.coverage().unowned().next(), None, "{shown}");
        let dump = std::fs::read_to_string(format!("{shown}.json")).unwrap();
        let dump: Value = serde_json::from_str(&dump).unwrap();
        assert_eq!(describe(&container, &bytes), dump, "{shown}");
        let again = build(&common::through_a_folder(&extract(&container).unwrap())).unwrap();
        assert!(again == container, "{shown}: another model from the folder");
        let json = serde_json::to_string(&container).unwrap();
        assert!(serde_json::from_str::<Container>(&json).unwrap() == container, "{shown}");
        let error = container.check().into_iter().find(|finding| finding.severity == Severity::Error);
        // The samples' geometry stages are vertex programs, and some of its tables name nothing of their code.
        let expected = |finding: &unshade_bytes::Diagnostic| finding.code.starts_with("bnsh.");
        assert!(error.as_ref().is_none_or(expected), "{shown}: {error:?}");
        count += 1;
    }
    assert!(count >= 20, "{count} archives");
}
