//! Texts that people write for the library: listings of containers, manifests, settings, states.

use unshade::{Change, Isa, ListingKind, Location, change::ChangeError, renaming, report, setting};
use unshade_containers::Parts;

/// Most changes that are made at once.
const CHANGES: usize = 8;
/// Most bytes of a part that a manifest asks for.
const PART: usize = 256;

/// Files that listings of archives and of several files are put into.
const INTO: [&[u8]; 3] = [
    include_bytes!("../../../samples/surface.sharcfb"),
    include_bytes!("../../../samples/two_stages.bnsh"),
    include_bytes!("../../../samples/nested.szs"),
];

/// A listing of programs or of several files: a file that opens, or findings that point into the text.
fn listing_into(text: &str) {
    for file in INTO {
        match unshade::change::replace_by_listing(file, &[], None, ("text", text)) {
            Ok(change) => {
                let opened =
                    unshade::open(&change.rewritten.bytes).expect("what a listing was put into opens");
                let roundtrip = report::roundtrip(&change.rewritten.bytes, &opened);
                assert!(roundtrip.identical, "{:?}", roundtrip.difference);
            }
            Err(ChangeError::Text { findings, .. }) => {
                assert!(!findings.is_empty());
                for finding in findings {
                    if let Location::Text { span, .. } = &finding.location {
                        assert!(text.get(span.clone()).is_some() || span.start == text.len(), "{finding:?}");
                    }
                }
            }
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
}

/// A listing of a container: a file, or findings that point into the text.
pub fn listing(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    if ListingKind::of(text).is_some_and(ListingKind::goes_into) {
        return listing_into(text);
    }
    match unshade::assemble_listing(text) {
        // What a person wrote may be more than a file can hold; then the writer says so.
        Ok(container) => {
            if let Ok(bytes) = container.write()
                && bytes.len() <= 1 << 20
            {
                super::container(&bytes);
            }
        }
        Err(findings) => {
            assert!(!findings.is_empty());
            for finding in findings {
                if let Location::Text { span, .. } = &finding.location {
                    assert!(text.get(span.clone()).is_some() || span.start == text.len(), "{finding:?}");
                }
            }
        }
    }
}

/// A manifest with any bytes behind it, which all parts that it asks for are cut from: a file, or the reason why not.
pub fn manifest(data: &[u8]) {
    let end = data.iter().position(|byte| *byte == 0).unwrap_or(data.len());
    let (text, bytes) = data.split_at(end);
    let Ok(text) = std::str::from_utf8(text) else { return };
    let Ok(mut parts) = Parts::from_manifest(text) else { return };
    for (at, name) in parts.missing().into_iter().enumerate() {
        let start = (at * 16).min(bytes.len());
        parts.insert(name, &bytes[start..(start + PART).min(bytes.len())]);
    }
    match unshade::build_file(&parts) {
        Ok(file) => super::container(&file),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

/// Lines of settings and, behind a zero, a file: what comes out reads and writes itself.
pub fn edit(data: &[u8]) {
    let Some(end) = data.iter().position(|byte| *byte == 0) else { return };
    let (text, file) = (&data[..end], &data[end + 1..]);
    let Ok(text) = std::str::from_utf8(text) else { return };
    let change = |line: &str| match line.strip_prefix("rename ") {
        Some(line) => renaming(line).map(Change::Rename),
        None => setting(line).map(Change::Set),
    };
    let changes: Vec<Change> = text.lines().take(CHANGES).filter_map(change).collect();
    match unshade::edit(file, &[], &changes) {
        Ok(edited) => {
            let bytes = &edited.rewritten.bytes;
            let opened = unshade::open(bytes).expect("an edited file opens");
            assert!(report::roundtrip(bytes, &opened).identical);
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

/// A state of the Wii U's GPU, as JSON, put over a program; and over one that takes none.
pub fn state(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    for isa in [Isa::Latte, Isa::Pica200] {
        let mut stage = unshade::raw_stage(isa, vec![0; 4], Vec::new());
        if let Err(error) = unshade::apply_state(&mut stage, text) {
            assert!(!error.to_string().is_empty());
        }
    }
}
