//! Names out of archives as paths of files: some must not be used.

/// Why a name out of an archive must not be a path of a file on this or any other system; `None` for one that
/// stays below the folder that it is put into.
pub fn refused(name: &[u8]) -> Option<&'static str> {
    let Ok(text) = std::str::from_utf8(name) else { return Some("it is no UTF-8 text") };
    if text.is_empty() {
        return Some("it is empty");
    }
    if text.len() > 1024 {
        return Some("it is longer than 1024 bytes");
    }
    if text.starts_with('/') {
        return Some("it starts at the root");
    }
    if text.contains(|c: char| c.is_control() || matches!(c, '\\' | ':' | '*' | '?' | '"' | '<' | '>' | '|'))
    {
        return Some("it has characters that mean something else on some system");
    }
    text.split('/').find_map(|part| match part {
        "" => Some("it has an empty part"),
        "." | ".." => Some("it leaves its folder"),
        part if part.len() > 255 => Some("a part of it is longer than 255 bytes"),
        part if part.ends_with(['.', ' ']) => Some("a part of it ends with a dot or a blank"),
        part if device(part) => Some("it names a device on Windows"),
        _ => None,
    })
}

/// `nul`, `com1.txt`: devices on Windows, in any folder.
fn device(part: &str) -> bool {
    let stem = part.split('.').next().unwrap_or_default().to_ascii_lowercase();
    let numbered = |rest: &str| matches!(rest.as_bytes(), [b'0'..=b'9']);
    matches!(stem.as_str(), "con" | "prn" | "aux" | "nul")
        || stem.strip_prefix("com").or_else(|| stem.strip_prefix("lpt")).is_some_and(numbered)
}

#[cfg(test)]
mod tests {
    use super::refused;

    #[test]
    fn names_that_leave_the_folder_are_refused() {
        for name in ["Shader/demo.bfsha", "a b/ü.txt", "-x", ".hidden", "comet.txt", "com10"] {
            assert_eq!(refused(name.as_bytes()), None, "{name}");
        }
        for name in [
            "", "/abs", "../x", "a/../b", "a/./b", "a//b", "a/", "C:\\w", "c:x", "a\\b", "a\0", "a\n", "nul",
            "Aux.txt", "x/COM1", "lpt9.h", "x.", "x ", "a?", "..",
        ] {
            assert!(refused(name.as_bytes()).is_some(), "{name:?}");
        }
        assert!(
            refused(b"\xff").is_some() && refused(&[b'a'; 2000]).is_some() && refused(&[b'a'; 300]).is_some()
        );
    }
}
