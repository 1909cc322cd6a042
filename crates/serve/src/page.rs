//! The built page, and what is shown where there is none.

use ruzstd::decoding::StreamingDecoder;
use std::io::Read as _;
use std::ops::Range;
use std::sync::OnceLock;

/// Where the files of the page lie in what [`PACKED`] holds, by their address; empty without the feature `page`.
static FILES: &[(&str, Range<usize>)] = include!(concat!(env!("OUT_DIR"), "/page.rs"));

/// The files one behind the other, as a frame of zstd.
static PACKED: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/page.zst"));

/// They are unpacked when the first of them is asked for.
static UNPACKED: OnceLock<Vec<u8>> = OnceLock::new();

/// Shown without the feature `page`.
const NOTICE: &str = include_str!("notice.html");

/// What is said without the feature `page`, in one line.
pub const HOW_TO_BUILD: &str =
    "this build has no page: run tools/web, then build with --features page (docs/serve.md)";

/// Whether the page is in this build.
pub fn is_built() -> bool {
    !FILES.is_empty()
}

/// Whether the page has a file of this address. The address has no `/` in front; that of the page itself is empty.
pub(crate) fn has(address: &str) -> bool {
    find(FILES, address).is_some()
}

/// A file of the page with its media type.
pub(crate) fn file(address: &str) -> Option<(&'static [u8], &'static str)> {
    let (place, media) = find(FILES, address)?;
    let bytes = match place {
        Some(range) => UNPACKED.get_or_init(|| unpack(PACKED)).get(range)?,
        None => NOTICE.as_bytes(),
    };
    Some((bytes, media))
}

/// The bytes of a frame; fewer where it is broken, which a build cannot make.
fn unpack(packed: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    if let Ok(mut frame) = StreamingDecoder::new(packed) {
        let _ = frame.read_to_end(&mut bytes);
    }
    bytes
}

/// Where a file lies, or that the notice stands for it, and its media type.
fn find(files: &[(&str, Range<usize>)], address: &str) -> Option<(Option<Range<usize>>, &'static str)> {
    let address = if address.is_empty() { "index.html" } else { address };
    if files.is_empty() {
        return (address == "index.html").then_some((None, media_type(address)));
    }
    let (name, range) = files.iter().find(|(name, _)| *name == address)?;
    Some((Some(range.clone()), media_type(name)))
}

fn media_type(name: &str) -> &'static str {
    match name.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("js" | "mjs") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("json" | "map" | "webmanifest") => "application/json",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("woff2") => "font/woff2",
        Some("txt") => "text/plain; charset=utf-8",
        Some("wasm") => "application/wasm",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses() {
        let page = [("assets/a.js", 0..2), ("assets/lib.wasm", 2..6), ("index.html", 6..10)];
        assert_eq!(find(&page, ""), Some((Some(6..10), "text/html; charset=utf-8")));
        assert_eq!(find(&page, "assets/lib.wasm"), Some((Some(2..6), "application/wasm")));
        for nothing in ["assets", "assets/", "/index.html", "../index.html", "assets/../index.html", "x"] {
            assert_eq!(find(&page, nothing), None);
        }
        assert_eq!(find(&[], ""), Some((None, "text/html; charset=utf-8")));
        assert_eq!(find(&[], "assets/a.js"), None);
    }

    #[test]
    fn every_file_is_where_the_list_says() {
        assert!(file("").is_some_and(|(bytes, _)| bytes.starts_with(b"<!doctype html>")));
        for (address, range) in FILES {
            assert_eq!(file(address).map(|(bytes, _)| bytes.len()), Some(range.len()), "{address}");
        }
    }

    #[test]
    fn frames() {
        // "page" in one raw block.
        assert_eq!(unpack(b"\x28\xb5\x2f\xfd\x20\x04\x21\0\0page"), b"page");
        assert_eq!(unpack(b"page"), b"");
    }
}
