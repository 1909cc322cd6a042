//! The built page, and what is shown where there is none.

/// The files of the page by their address; empty without the feature `page`.
static FILES: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/page.rs"));

/// Shown without the feature `page`.
const NOTICE: &str = include_str!("notice.html");

/// What is said without the feature `page`, in one line.
pub const HOW_TO_BUILD: &str =
    "this build has no page: run tools/web, then build with --features page (docs/serve.md)";

/// Whether the page is in this build.
pub fn is_built() -> bool {
    !FILES.is_empty()
}

/// A file of the page with its media type. The address has no `/` in front; that of the page itself is empty.
pub(crate) fn file(address: &str) -> Option<(&'static [u8], &'static str)> {
    find(FILES, address)
}

fn find(files: &'static [(&str, &[u8])], address: &str) -> Option<(&'static [u8], &'static str)> {
    let address = if address.is_empty() { "index.html" } else { address };
    if files.is_empty() {
        return (address == "index.html").then_some((NOTICE.as_bytes(), media_type(address)));
    }
    let (name, bytes) = files.iter().find(|(name, _)| *name == address)?;
    Some((bytes, media_type(name)))
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

    static PAGE: &[(&str, &[u8])] =
        &[("assets/a.js", b"js"), ("assets/lib.wasm", b"wasm"), ("index.html", b"page")];

    #[test]
    fn addresses() {
        assert_eq!(find(PAGE, ""), Some((&b"page"[..], "text/html; charset=utf-8")));
        assert_eq!(find(PAGE, "assets/lib.wasm"), Some((&b"wasm"[..], "application/wasm")));
        for nothing in ["assets", "assets/", "/index.html", "../index.html", "assets/../index.html", "x"] {
            assert_eq!(find(PAGE, nothing), None);
        }
        assert_eq!(find(&[], "").map(|(bytes, _)| bytes), Some(NOTICE.as_bytes()));
        assert_eq!(find(&[], "assets/a.js"), None);
    }
}
