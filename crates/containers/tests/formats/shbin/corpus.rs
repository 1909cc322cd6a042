//! Every well-formed file of the corpus is read, and written back byte for byte from its model alone.

use crate::common;
use std::collections::BTreeMap;
use unshade_bytes::Severity;
use unshade_containers::{
    Container,
    shbin::{Layout, Producer, Shbin},
    wrap::scan::Blob,
};

#[test]
fn unedited_files_are_written_identically() {
    let mut standard = 0;
    for (path, bytes) in common::well_formed() {
        if path.ends_with(".bcsdr") {
            let blob = Blob::read(&bytes);
            assert_eq!(blob.containers().count(), 2, "{path}");
            assert_eq!(blob.write().unwrap(), bytes, "{path}");
            continue;
        }
        let container = Container::read(&bytes).unwrap_or_else(|error| panic!("{path}: {error}"));
        let Container::Shbin(file) = &container else { panic!("{path}: not a SHBIN") };
        let layout = match file {
            Shbin::Linked(file) => &file.layout,
            Shbin::Object(file) => &file.layout,
        };
        let expected = match path.rsplit('/').next().unwrap() {
            "dvoj_all_tables.bin" | "object.dvoj" => None,
            name if name.starts_with("dvoj") => Some(Producer::Object),
            name if name.starts_with("official") || name.starts_with("labels") => Some(Producer::Official),
            name if name.starts_with("n0") || name.starts_with("wave") => Some(Producer::Nihstro),
            _ => Some(Producer::Picasso),
        };
        match (layout, expected) {
            (Layout::Standard(found), Some(expected)) => assert_eq!(*found, expected, "{path}"),
            (Layout::Explicit(_), None) => {}
            _ => panic!("{path}: {layout:?}"),
        }
        standard += usize::from(expected.is_some());
        assert_eq!(container.write().unwrap(), bytes, "{path}");
    }
    println!("{standard} files with the layout of a known producer");
}

#[test]
fn every_byte_has_one_owner() {
    for (path, bytes) in common::containers() {
        let container = Container::read(&bytes).unwrap();
        let coverage = container.coverage();
        assert_eq!(coverage.len, bytes.len() as u64, "{path}");
        assert_eq!(coverage.unowned().count(), 0, "{path}: {:x?}", coverage.unowned().next());
        assert_eq!(coverage.shared().count(), 0, "{path}: {:?}", coverage.shared().next());
        assert!(coverage.totals().field > 0, "{path}");
    }
}

#[test]
fn well_formed_files_have_no_errors() {
    for (path, bytes) in common::containers() {
        let container = Container::read(&bytes).unwrap();
        let mut paths = std::collections::BTreeSet::new();
        container.tree().walk(|path, _| assert!(paths.insert(path.to_owned()), "{path} stands twice"));
        for diagnostic in container.check() {
            println!("{path}: {diagnostic}");
            assert!(paths.contains(&diagnostic.path), "{path}: `{}` is no field", diagnostic.path);
            let wrong_entry = diagnostic.code == "shbin.entry" && path.ends_with("n01_wave.shbin");
            assert!(diagnostic.severity < Severity::Error || wrong_entry, "{path}: {diagnostic}");
        }
    }
}

/// Defects of the container are reported under a code that names them; those of the code are the
/// instruction set's to find, and the container is sound.
#[test]
fn malformed_files_are_reported() {
    let expected: BTreeMap<&str, Option<&str>> = [
        ("bad_dvlp_magic", Some("shbin.dvlp.magic")),
        ("bad_magic", Some("container.unknown-format")),
        ("call_outside", None),
        ("code_count_overflow", Some("shbin.dvlp.code")),
        ("code_offset_wrap", Some("shbin.dvlp.code")),
        ("const_count_huge", Some("shbin.dvle.constant-table")),
        ("const_reg_outside", Some("shbin.constant-register")),
        ("const_type_unknown", Some("shbin.constant-kind")),
        ("desc_count_too_big", Some("shbin.dvlp.descriptors")),
        ("desc_index_outside", None),
        ("dvle_count_huge", Some("shbin.dvlb.dvle-count")),
        ("dvle_offset_outside", Some("shbin.dvle.offset")),
        ("dvle_offset_unaligned", Some("shbin.dvle.offset")),
        ("dvoj_code_outside", Some("shbin.dvoj.code")),
        ("dvoj_label_name_outside", Some("shbin.label-name")),
        ("dvoj_reloc_count_overflow", Some("shbin.dvoj.relocation-table")),
        ("empty", Some("container.empty")),
        ("entry_outside", Some("shbin.entry")),
        ("magic_only", Some("shbin.dvlb.truncated")),
        ("name_offset_outside", Some("shbin.uniform-name")),
        ("overlapping_tables", Some("shbin.overlap")),
        ("recursive_call", None),
        ("symbol_size_zero", Some("shbin.symbols-missing")),
        ("trailing_garbage", Some("shbin.trailing")),
        ("truncated_in_code", Some("shbin.dvlp.code")),
        ("truncated_in_symbols", Some("shbin.dvle.symbols")),
        ("uniform_range_reversed", Some("shbin.uniform-range")),
        ("unknown_opcode", None),
    ]
    .into();
    let mut seen = 0;
    for (path, bytes) in common::malformed() {
        let name = path.rsplit('/').next().unwrap().split('.').next().unwrap();
        let found = match Container::read(&bytes) {
            Ok(container) => {
                assert_eq!(container.write().unwrap(), bytes, "{path}");
                container.check()
            }
            Err(error) => vec![error.diagnostic()],
        };
        for diagnostic in &found {
            println!("{name}: {diagnostic}");
        }
        match expected.get(name).copied() {
            Some(Some(code)) => {
                assert!(found.iter().any(|diagnostic| diagnostic.code == code), "{name}: {found:?}");
                let errors = found.iter().any(|diagnostic| diagnostic.severity == Severity::Error);
                assert_eq!(errors, code != "shbin.trailing", "{name}: {found:?}");
            }
            Some(None) => {
                assert!(
                    found.iter().all(|diagnostic| diagnostic.severity < Severity::Error),
                    "{name}: {found:?}"
                );
            }
            None => println!("{name}: a defect that this test does not know"),
        }
        seen += 1;
    }
    assert!(seen == 0 || seen >= expected.len());
}
