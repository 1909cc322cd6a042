//! Files that end early and are read all the same: what is missing is said. Whole files miss nothing.

use crate::common::{files_of, gfd, mbs, root, sharcfb, well_formed};
use std::collections::BTreeSet;
use unshade_containers::{Container, Format, detect};

/// The formats whose readers take files that were cut.
const LENIENT: [Format; 5] = [Format::Mbs, Format::Gfd, Format::Sharcfb, Format::SharcfbNx, Format::Sharc];

#[test]
fn whole_files_miss_nothing() {
    for (path, bytes) in well_formed().into_iter().chain(mbs()).chain(gfd()).chain(sharcfb()) {
        let Some(format) = detect(&bytes).filter(|_| Container::read(&bytes).is_ok()) else { continue };
        let errors = Container::read(&bytes).unwrap().check();
        let is_damaged = errors.iter().any(|found| found.code.ends_with("size") || found.code == "gfd.end");
        if !is_damaged {
            assert_eq!(Container::cut(format, &bytes), None, "{path}");
        }
    }
}

/// Every length of small files, some of others: a part is refused, or said to be one.
#[test]
fn parts_are_said_to_be_parts() {
    let mut seen = BTreeSet::new();
    let endings = ["mbs", "gsh", "sharcfb", "sharcb", "sharc"];
    let samples = files_of(&root().join("samples"), &endings);
    for (path, bytes) in samples.into_iter().chain(gfd()).chain(sharcfb()) {
        let Some(format) = detect(&bytes).filter(|format| LENIENT.contains(format)) else { continue };
        if Container::cut(format, &bytes).is_some() {
            continue;
        }
        seen.insert(format.name());
        let step = (bytes.len() / 600).max(1);
        // Behind the file something else may lie: what the file itself is ends where its sizes say.
        let Some(end) = (0..bytes.len()).rev().find(|&len| Container::cut(format, &bytes[..len]).is_some())
        else {
            panic!("{path}: no part is too short");
        };
        for len in (0..=end).rev().step_by(step) {
            let part = &bytes[..len];
            if detect(part) != Some(format) {
                continue;
            }
            match Container::read(part) {
                Ok(_) => {
                    let error =
                        Container::cut(format, part).unwrap_or_else(|| panic!("{path}: {len} bytes of it"));
                    assert!(error.code.ends_with(".truncated"), "{error}");
                }
                Err(error) => assert!(error.offset <= len as u64, "{path}: {error}"),
            }
        }
    }
    assert_eq!(seen.into_iter().collect::<Vec<_>>(), ["gfd", "mbs", "sharc", "sharcfb", "sharcfb-nx"]);
}
