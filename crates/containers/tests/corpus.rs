//! Every well-formed file of the corpus is read, and written back byte for byte from its model alone.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)]

mod common;

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
