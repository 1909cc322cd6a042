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

/// The comment at the top: the caller's lines, and what readable text assumes.
pub(crate) fn head(out: &mut String, header: &[String], assumptions: &[String]) {
    let mut comment = |line: &str| {
        push(out, line);
        out.push('\n');
    };
    for line in header.iter().flat_map(|text| text.lines()) {
        comment(line);
    }
    if !assumptions.is_empty() {
        comment("Assumed:");
    }
    for line in assumptions.iter().flat_map(|text| text.lines()) {
        comment(&format!("- {line}"));
    }
}
