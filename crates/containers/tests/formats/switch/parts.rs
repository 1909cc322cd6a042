//! Switch files taken apart and put together, as they are and with other parts; raw pairs and DKSH.
#![allow(clippy::indexing_slicing)]

use crate::common;
use unshade_bytes::Severity;
use unshade_containers::{Container, Parts, build, extract};

fn files() -> Vec<(String, Vec<u8>)> {
    let mut files = common::nx("bnsh");
    files.extend(common::nx("bfsha"));
    files.extend(common::nx("dksh"));
    for (folder, ending) in [("corpus/bnsh/nvnbin", "bin"), ("corpus/maxwell/uam-out", "dksh")] {
        if let Some(folder) = common::shared(folder) {
            for entry in std::fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.extension().is_some_and(|found| found == ending) {
                    files.push((path.to_string_lossy().into_owned(), std::fs::read(&path).unwrap()));
                }
            }
        }
    }
    files
}

#[test]
fn apart_and_together() {
    for (path, bytes) in files() {
        let container = Container::read(&bytes).unwrap_or_else(|error| panic!("{path}: {error}"));
        assert!(container.write().unwrap() == bytes, "{path}");
        assert_eq!(container.coverage().unowned().next(), None, "{path}");
        let errors: Vec<_> =
            container.check().into_iter().filter(|finding| finding.severity == Severity::Error).collect();
        assert!(errors.is_empty(), "{path}: {errors:?}");
        let parts = common::through_a_folder(&extract(&container).unwrap());
        let back = build(&parts).unwrap_or_else(|error| panic!("{path}: {error}"));
        assert!(back == container, "{path}: another model from the folder");
        let json = serde_json::to_string(&container).unwrap();
        let back: Container = serde_json::from_str(&json).unwrap();
        assert!(back == container, "{path}: another model from JSON");
        for stage in container.stages() {
            assert_eq!(format!("{:?}", container.stage(&stage.id)), format!("{:?}", Some(&stage)), "{path}");
            assert!(!stage.code.words.is_empty(), "{path}: {} has no code", stage.id);
            let at = usize::try_from(stage.code.file_offset).unwrap();
            let word = u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
            assert_eq!(stage.code.words.first(), Some(&word), "{path}: {}", stage.id);
        }
    }
}

#[test]
fn other_files_in_the_folder() {
    for (path, bytes) in common::nx("bnsh").into_iter().chain(common::nx("bfsha")) {
        let container = Container::read(&bytes).unwrap();
        let parts = extract(&container).unwrap();
        let texts: Vec<_> = parts.files().filter(|(name, _)| name.ends_with(".glsl")).collect();
        let codes: Vec<_> = parts.files().filter(|(name, _)| name.ends_with(".code.bin")).collect();
        for (name, old) in texts.iter().take(2).chain(codes.iter().take(2)) {
            let mut changed = parts.clone();
            let longer = [old, &vec![b'\n'; 0x500][..]].concat();
            changed.insert(*name, longer.clone());
            let built = build(&changed).unwrap_or_else(|error| panic!("{path}: {name}: {error}"));
            let bytes = built.write().unwrap_or_else(|error| panic!("{path}: {name}: {error}"));
            let back = Container::read(&bytes).unwrap_or_else(|error| panic!("{path}: {name}: {error}"));
            let again = extract(&back).unwrap();
            let found = again.files().find(|(known, _)| known == name).map(|(_, bytes)| bytes.to_vec());
            assert_eq!(found, Some(longer), "{path}: {name}");
            // What the control section says of the code is the code's maker to bring along.
            let errors: Vec<_> = back
                .check()
                .into_iter()
                .filter(|finding| finding.severity == Severity::Error && finding.code != "bnsh.code-size")
                .collect();
            assert!(errors.is_empty(), "{path}: {name}: {errors:?}");
        }
    }
}

#[test]
fn source_text_comes_out_as_it_went_in() {
    let bytes = common::nx("bnsh").into_iter().find(|(path, _)| path.ends_with("/source.bnsh")).unwrap().1;
    let parts = extract(&Container::read(&bytes).unwrap()).unwrap();
    let text: Vec<u8> = (0..9)
        .map_while(|part| {
            let name = format!("0-vertex-{part}.glsl");
            parts.files().find(|(known, _)| *known == name).map(|(_, bytes)| bytes.to_vec())
        })
        .flatten()
        .collect();
    let text = String::from_utf8(text).unwrap();
    assert!(text.starts_with("#version 460 core\n") && text.trim_end().ends_with('}'), "{text}");
    assert!(parts.manifest().contains("format = \"bnsh\""));
    assert!(Parts::from_manifest("format = \"bnsh\"\nlen = 1").is_ok());
    assert!(build(&Parts::from_manifest("format = \"bnsh\"\nlen = 1").unwrap()).is_err());
}

#[test]
fn a_stage_has_the_variables_of_its_own_blocks() {
    let sample = format!("{}/../../samples/options.bfsha", env!("CARGO_MANIFEST_DIR"));
    let file = unshade_containers::bfsha::read(&std::fs::read(sample).unwrap()).unwrap();
    let members = |id: &str| -> Vec<(String, String, u32)> {
        let stage = file.stage(&unshade_stage::StageId(id.to_owned())).unwrap();
        let members = stage.interface.maxwell.unwrap().members;
        members.into_iter().map(|member| (member.block, member.name, member.offset)).collect()
    };
    let expected = [("vp", 0), ("world", 64), ("uvx", 128)];
    let expected = expected.map(|(name, offset)| ("Cam".to_owned(), name.to_owned(), offset));
    assert_eq!(members("options/0/vertex"), expected);
    assert_eq!(members("options/0/fragment"), [], "the block is bound in the vertex stage alone");
}
