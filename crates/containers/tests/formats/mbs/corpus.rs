//! Every MBS of the corpus is read, and written back byte for byte from its model alone.

use crate::common;
use unshade_bytes::{ErrorKind, Severity};
use unshade_containers::{Container, Format, build, detect, extract, mbs};

#[test]
fn unedited_files_are_written_identically() {
    let files = common::mbs();
    for (path, bytes) in &files {
        let container = Container::read(bytes).unwrap_or_else(|error| panic!("{path}: {error}"));
        assert_eq!(container.format(), Format::Mbs);
        assert_eq!(&container.write().unwrap(), bytes, "{path}");
        assert!(common::sound(bytes), "{path}");
        assert!(container.stages().all(|stage| !stage.code.words.is_empty()), "{path}");
    }
    println!("{} files", files.len());
}

#[test]
fn every_byte_has_one_owner() {
    for (path, bytes) in common::mbs() {
        let coverage = Container::read(&bytes).unwrap().coverage();
        assert_eq!(coverage.len, bytes.len() as u64, "{path}");
        assert_eq!(coverage.unowned().count(), 0, "{path}: {:x?}", coverage.unowned().next());
        assert_eq!(coverage.shared().count(), 0, "{path}: {:?}", coverage.shared().next());
    }
}

#[test]
fn other_versions_are_refused_by_name() {
    for (bytes, expected) in [(b"MBS2\x04\0\0\0abcd", "Midgard"), (b"MBS7\x04\0\0\0abcd", "not known")] {
        assert_eq!(detect(bytes), Some(Format::Mbs));
        let error = Container::read(bytes).unwrap_err();
        assert_eq!((error.kind, error.code), (ErrorKind::Unsupported, "mbs.version"));
        assert!(error.to_string().contains(expected), "{error}");
    }
    let error = mbs::read(b"DVLB\0\0\0\0").unwrap_err();
    assert_eq!((error.kind, error.code), (ErrorKind::BadMagic, "mbs.magic"));
    for len in 0..8 {
        let error = mbs::read(&b"MBS1\0\0\0\0"[..len]).unwrap_err();
        assert_eq!((error.kind, error.code), (ErrorKind::Truncated, "mbs.truncated"), "{len}");
    }
    assert!(common::sound(b"MBS1\0\0\0\0"));
}

#[test]
fn json_holds_the_whole_file() {
    for (path, bytes) in common::mbs() {
        let container = Container::read(&bytes).unwrap();
        let json = serde_json::to_string(&container).unwrap();
        let back: Container = serde_json::from_str(&json).unwrap();
        assert_eq!(back, container, "{path}");
        assert_eq!(back.write().unwrap(), bytes, "{path}");
    }
}

#[test]
fn manifests_hold_the_whole_file() {
    for (path, bytes) in common::mbs() {
        let container = Container::read(&bytes).unwrap();
        let parts = extract(&container).unwrap();
        let back = build(&common::through_a_folder(&parts));
        let back = back.unwrap_or_else(|error| panic!("{path}: {error}\n{}", parts.manifest()));
        assert_eq!(back, container, "{path}\n{}", parts.manifest());
        assert_eq!(back.write().unwrap(), bytes, "{path}");
    }
}

#[test]
fn findings_of_the_corpus() {
    let mut found = Vec::new();
    for (path, bytes) in common::mbs() {
        let name = path.rsplit('/').next().unwrap();
        for finding in Container::read(&bytes).unwrap().check() {
            assert_ne!(finding.severity, Severity::Error, "{path}: {finding}");
            found.push(format!("{name}: {} {}", finding.code, finding.path));
        }
    }
    if common::shared("corpus/mbs").is_none() {
        return;
    }
    // Files of ARM's compiler follow every rule.
    let real = found.iter().filter(|text| text.starts_with("memtester") || text.starts_with("limare"));
    let expected = [
        "memtester_cube_f_limacompiler_old.mbs: mbs.space-rows fragment.uniforms.space",
        "memtester_simple_v_limacompiler.mbs: mbs.space vertex.uniforms.space",
    ];
    assert_eq!(real.collect::<Vec<_>>(), expected);
    let unknown = found.iter().filter(|text| text.contains("mbs.unknown-chunk"));
    assert_eq!(unknown.count(), 3);
    // The others are sizes and strides of the project's own files, which give each variable a row.
    let others = found.iter().filter(|text| text.contains(".component_size") || text.contains(".src_stride"));
    assert_eq!(others.count() + 5, found.len(), "{found:#?}");
}
