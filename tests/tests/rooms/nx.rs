//! The properties of the fuzz targets on the samples of the Switch, as they are, cut, and with bits flipped.
#![allow(clippy::indexing_slicing)]

use std::path::Path;
use unshade_tests::properties;

fn samples(ending: &str) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../samples");
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files.retain(|path| path.extension().is_some_and(|found| found == ending));
    assert!(files.len() >= 2);
    files.into_iter().map(|path| std::fs::read(path).unwrap()).collect()
}

fn sweep(bytes: &[u8], property: impl Fn(&[u8])) {
    property(bytes);
    for len in (0..bytes.len()).step_by(193) {
        property(&bytes[..len]);
    }
    let mut damaged = bytes.to_vec();
    for bit in (0..bytes.len() * 8).step_by(503) {
        damaged[bit / 8] ^= 1 << (bit % 8);
        property(&damaged);
        damaged[bit / 8] ^= 1 << (bit % 8);
    }
}

#[test]
fn bnsh() {
    for bytes in samples("bnsh") {
        sweep(&bytes, properties::bnsh);
    }
}

#[test]
fn bfsha() {
    for bytes in samples("bfsha") {
        sweep(&bytes, properties::bfsha);
    }
}
