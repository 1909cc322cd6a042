//! Every GFD file and SHARCFB archive of the corpus is read, and written back byte for byte from its model alone.
#![allow(clippy::indexing_slicing)]

use crate::common;
use unshade_bytes::Severity;
use unshade_containers::{Container, Format, build, extract};

fn files() -> Vec<(String, Vec<u8>)> {
    let mut files = common::gfd();
    files.extend(common::sharcfb());
    files
}

#[test]
fn unedited_files_are_written_identically() {
    let files = files();
    for (path, bytes) in &files {
        let container = Container::read(bytes).unwrap_or_else(|error| panic!("{path}: {error}"));
        let format = if path.ends_with(".gsh") { Format::Gfd } else { Format::Sharcfb };
        assert_eq!(container.format(), format);
        assert!(&container.write().unwrap() == bytes, "{path}: {:?}", container.difference(bytes));
        assert!(common::sound(bytes), "{path}");
        assert!(container.stages().all(|stage| !stage.code.words.is_empty()), "{path}");
    }
    println!("{} files", files.len());
}

#[test]
fn every_byte_has_one_owner() {
    for (path, bytes) in files() {
        let coverage = Container::read(&bytes).unwrap().coverage();
        assert_eq!(coverage.len, bytes.len() as u64, "{path}");
        assert_eq!(coverage.unowned().count(), 0, "{path}: {:x?}", coverage.unowned().next());
        assert_eq!(coverage.shared().count(), 0, "{path}: {:?}", coverage.shared().next());
    }
}

#[test]
fn json_holds_the_whole_file() {
    for (path, bytes) in files() {
        let container = Container::read(&bytes).unwrap();
        let json = serde_json::to_string(&container).unwrap();
        let back: Container = serde_json::from_str(&json).unwrap();
        assert_eq!(back, container, "{path}");
        assert_eq!(back.write().unwrap(), bytes, "{path}");
    }
}

#[test]
fn manifests_hold_the_whole_file() {
    for (path, bytes) in files() {
        let container = Container::read(&bytes).unwrap();
        let parts = extract(&container).unwrap();
        let back = build(&common::through_a_folder(&parts));
        let back = back.unwrap_or_else(|error| panic!("{path}: {error}\n{}", parts.manifest()));
        assert_eq!(back, container, "{path}\n{}", parts.manifest());
        assert_eq!(back.write().unwrap(), bytes, "{path}");
        // What the known writers make is told by name, not kept as bytes.
        if !path.contains("rustgfd") {
            assert!(!parts.manifest().contains("data_file"), "{path}\n{}", parts.manifest());
        }
    }
}

#[test]
fn findings_of_the_corpus() {
    for (path, bytes) in files() {
        let name = path.rsplit('/').next().unwrap();
        for finding in Container::read(&bytes).unwrap().check() {
            println!("{name}: {finding}");
            assert_ne!(finding.severity, Severity::Error, "{path}: {finding}");
        }
    }
}
