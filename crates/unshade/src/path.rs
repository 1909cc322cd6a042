//! How a place in a file is named: `FILE[:INNER...][#ITEM]`, or `FILE//INNER...`.

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
        let (rest, item) = match split_item(text) {
            ("", _) => (text, None),
            parts => parts,
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

    /// Takes the text apart where a file ends that exists: the longest one, so that names with colons and
    /// number signs can be used. Behind it `:` or `//` may separate the names; both mean the same, and `//` inside a
    /// name is part of it where `:` comes first. Where no file exists, as [`FilePath::parse`].
    ///
    /// ```
    /// use unshade::FilePath;
    /// let place = FilePath::resolve("data//game.szs//Model/x.shbin#0", |path| path == "data//game.szs");
    /// assert_eq!(place.file, "data//game.szs");
    /// assert_eq!(place.inner, ["Model/x.shbin"]);
    /// assert_eq!(place.item.as_deref(), Some("0"));
    /// ```
    pub fn resolve(text: &str, is_file: impl Fn(&str) -> bool) -> Self {
        let ends = text.char_indices().filter(|&(at, c)| {
            matches!(c, ':' | '#')
                || (c == '/' && text.get(at + 1..).is_some_and(|rest| rest.starts_with('/')))
        });
        let mut ends: Vec<_> = ends.map(|(at, _)| at).collect();
        ends.push(text.len());
        let end = ends.into_iter().rev().find(|&end| end > 0 && text.get(..end).is_some_and(&is_file));
        let Some((file, rest)) = end.and_then(|end| text.split_at_checked(end)) else {
            return Self::parse(text);
        };
        let (names, item) = split_item(rest);
        let inner = match (names.strip_prefix("//"), names.strip_prefix(':')) {
            (Some(names), _) => names.split("//").map(str::to_owned).collect(),
            (_, Some(names)) => names.split(':').map(str::to_owned).collect(),
            _ => Vec::new(),
        };
        Self { file: file.to_owned(), inner, item }
    }

    /// The whole text as the path of a file.
    pub fn literal(text: &str) -> Self {
        Self { file: text.to_owned(), ..Self::default() }
    }
}

/// What stands in front of the last `#`, and behind it.
fn split_item(text: &str) -> (&str, Option<String>) {
    match text.rsplit_once('#') {
        Some((rest, "")) => (rest, None),
        Some((rest, item)) if !item.contains('\\') => (rest, Some(item.to_owned())),
        _ => (text, None),
    }
}

#[cfg(test)]
mod tests {
    use super::FilePath;

    #[test]
    fn files_that_exist_decide() {
        let exists = |path: &str| matches!(path, "a.szs" | "a:b.szs" | "x#1.sarc" | "-");
        let resolve = |text| {
            let place = FilePath::resolve(text, exists);
            (place.file, place.inner.join("|"), place.item.unwrap_or_default())
        };
        let expect =
            |file: &str, inner: &str, item: &str| (file.to_owned(), inner.to_owned(), item.to_owned());
        assert_eq!(resolve("a.szs"), expect("a.szs", "", ""));
        assert_eq!(resolve("a.szs#0"), expect("a.szs", "", "0"));
        assert_eq!(resolve("a.szs:m/x.szs:y.shbin#0"), expect("a.szs", "m/x.szs|y.shbin", "0"));
        assert_eq!(resolve("a.szs//m/x.szs//y.shbin#0"), expect("a.szs", "m/x.szs|y.shbin", "0"));
        assert_eq!(resolve("a.szs:a//b/./c.txt"), expect("a.szs", "a//b/./c.txt", ""));
        assert_eq!(resolve("a:b.szs:c"), expect("a:b.szs", "c", ""));
        assert_eq!(resolve("x#1.sarc#2"), expect("x#1.sarc", "", "2"));
        assert_eq!(resolve("a.szs:x#1.shbin#"), expect("a.szs", "x#1.shbin", ""));
        assert_eq!(resolve("-:c#0"), expect("-", "c", "0"));
        // No such file: the message will be about the file in front of the first colon.
        assert_eq!(resolve("none//b:c#0"), expect("none//b", "c", "0"));
    }

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
