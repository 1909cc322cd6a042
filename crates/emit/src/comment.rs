//! Comments, in the languages where they begin with `//`.

/// Prints a comment up to the end of the line. A backslash there would join the next line, so it does not
/// stay last.
pub(crate) fn push(out: &mut String, line: &str) {
    let line = line.trim_end();
    out.push_str(if line.is_empty() { "//" } else { "// " });
    out.extend(line.chars().map(|character| if character.is_control() { ' ' } else { character }));
    if line.ends_with('\\') {
        out.push('.');
    }
}

/// A comment of these lines and of what was assumed, as it stands at the top of a program, in the languages where it
/// begins with `//`.
pub fn comment(lines: &[String], assumptions: &[String]) -> String {
    let mut out = String::new();
    head(&mut out, lines, assumptions);
    out
}

/// Columns of a line of the paragraph.
const WIDTH: usize = 100;

/// The comment at the top: the caller's lines, and what readable text assumes, in one paragraph.
pub(crate) fn head(out: &mut String, header: &[String], assumptions: &[String]) {
    let mut comment = |line: &str| {
        push(out, line);
        out.push('\n');
    };
    for line in header.iter().flat_map(|text| text.lines()) {
        comment(line);
    }
    let mut said: Vec<&str> = Vec::new();
    for assumption in assumptions.iter().map(|text| text.trim()) {
        if !said.contains(&assumption) {
            said.push(assumption);
        }
    }
    if said.is_empty() {
        return;
    }
    let paragraph = format!("Assumed: {}.", said.join("; "));
    let mut line = String::new();
    for word in paragraph.split_whitespace() {
        // Two slashes and a blank stand in front.
        if !line.is_empty() && line.len() + word.len() + 4 > WIDTH {
            comment(&line);
            line.clear();
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    comment(&line);
}

#[cfg(test)]
mod tests {
    #[test]
    fn assumptions_are_one_paragraph() {
        let mut out = String::new();
        let long = "a product may be rounded before something is added to it, as languages allow".to_owned();
        let list = [long.clone(), "no NaN is compared".to_owned(), long];
        super::head(&mut out, &["file: vertex program".to_owned()], &list);
        let text = "// file: vertex program\n// Assumed: a product may be rounded before something is added to it, \
                    as languages allow; no NaN is\n// compared.\n";
        assert_eq!(out, text);
    }
}
