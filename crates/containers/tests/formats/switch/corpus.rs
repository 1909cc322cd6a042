//! Every BNSH and BFSHA of the corpus: read, covered, written back from the model and from JSON.

use crate::common;
use unshade_containers::{bfsha, bnsh};

#[test]
fn bnsh_identical_and_covered() {
    for (path, bytes) in common::nx("bnsh") {
        let file = bnsh::read(&bytes).unwrap_or_else(|error| panic!("{path}: {error}"));
        assert!(file.write().unwrap() == bytes, "{path}: written differently");
        let coverage = file.tree().unwrap().coverage(bytes.len() as u64);
        assert_eq!(coverage.unowned().next(), None, "{path}");
        assert_eq!(coverage.shared().next(), None, "{path}");
        let json = serde_json::to_string(&file).unwrap();
        let back: bnsh::Bnsh = serde_json::from_str(&json).unwrap();
        assert!(back == file, "{path}: another model from JSON");
        assert!(back.write().unwrap() == bytes, "{path}: other bytes from JSON");
    }
}

#[test]
fn bfsha_identical_and_covered() {
    for (path, bytes) in common::nx("bfsha") {
        let file = bfsha::read(&bytes).unwrap_or_else(|error| panic!("{path}: {error}"));
        assert!(file.write().unwrap() == bytes, "{path}: written differently");
        let coverage = file.tree().unwrap().coverage(bytes.len() as u64);
        assert_eq!(coverage.unowned().next(), None, "{path}");
        assert_eq!(coverage.shared().next(), None, "{path}");
        let json = serde_json::to_string(&file).unwrap();
        let back: bfsha::Bfsha = serde_json::from_str(&json).unwrap();
        assert!(back == file, "{path}: another model from JSON");
        assert!(back.write().unwrap() == bytes, "{path}: other bytes from JSON");
    }
}
