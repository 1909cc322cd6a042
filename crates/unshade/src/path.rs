//! How a place in a file is named: `FILE[:INNER...][#ITEM]`.

/// A file, a container inside it, a program inside that.
///
/// ```
/// use unshade::FilePath;
/// let place = FilePath::parse("models/game.bcsdr:0x80#1");
/// assert_eq!(place.file, "models/game.bcsdr");
/// assert_eq!(place.inner, ["0x80"]);
/// assert_eq!(place.item.as_deref(), Some("1"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FilePath {
    /// Path of the file, or `-` for standard input.
    pub file: String,
    /// Names of what to open inside it, outermost first.
    pub inner: Vec<String>,
    /// Name of a program or stage.
    pub item: Option<String>,
}

impl FilePath {
    /// Takes the text apart. The item stands behind the last `#`; a colon that belongs to a Windows drive
    /// (`C:\x`) separates nothing. A caller that finds a file of the whole name should prefer that.
    pub fn parse(text: &str) -> Self {
        let (rest, item) = match text.rsplit_once('#') {
            Some((rest, item)) if !rest.is_empty() && !item.contains('\\') => (rest, Some(item.to_owned())),
            _ => (text, None),
        };
        let drive = match rest.as_bytes() {
            [letter, b':', b'\\' | b'/', ..] if letter.is_ascii_alphabetic() => 2,
            _ => 0,
        };
        let (prefix, tail) = rest.split_at(drive);
        let mut parts = tail.split(':');
        let file = format!("{prefix}{}", parts.next().unwrap_or_default());
        Self { file, inner: parts.map(str::to_owned).collect(), item }
    }

    /// The whole text as the path of a file.
    pub fn literal(text: &str) -> Self {
        Self { file: text.to_owned(), ..Self::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::FilePath;

    #[test]
    fn takes_names_apart() {
        let plain = FilePath::parse("a/b.shbin");
        assert_eq!((plain.file.as_str(), plain.inner.len(), plain.item), ("a/b.shbin", 0, None));
        let drive = FilePath::parse(r"C:\x\y.shbin:3#main");
        assert_eq!(drive.file, r"C:\x\y.shbin");
        assert_eq!(drive.inner, ["3"]);
        assert_eq!(drive.item.as_deref(), Some("main"));
        assert_eq!(FilePath::parse("-").file, "-");
        assert_eq!(FilePath::parse("#0").file, "#0");
        assert_eq!(FilePath::parse("x#model/12/fragment").item.as_deref(), Some("model/12/fragment"));
    }
}
