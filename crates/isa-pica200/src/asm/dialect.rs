//! Sources for other assemblers of this machine: they look alike, and assemble to nothing here.

use unshade_bytes::{Diagnostic, Location, Severity};

/// Says of a text that did not assemble which other assembler it is for, at the line that shows it.
pub(super) fn finding(source: usize, text: &str) -> Option<Diagnostic> {
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let start = at + (line.len() - line.trim_start().len());
        let span = start..start + line.trim().len();
        at += line.len();
        let code = line.split([';', '#']).next().unwrap_or_default();
        let code = code.split("//").next().unwrap_or_default().trim();
        let words: Vec<&str> = code.split_whitespace().collect();
        let (name, notes) = match words.as_slice() {
            [".alias", _, _, "as", ..] => ("nihstro-assemble", NIHSTRO),
            // A label, a comma and another label; `.gsh point c0` is picasso's.
            [".vsh" | ".gsh", label, _] if label.ends_with(',') => ("aemstro_as.py", AEMSTRO),
            [".out", _, rest @ ..] if rest.iter().any(|word| word.starts_with("result.")) => {
                ("aemstro_as.py", AEMSTRO)
            }
            [".const", number, ..] if is_number(number.trim_end_matches(',')) => ("aemstro_as.py", AEMSTRO),
            [".uniform", number, ..] if is_number(number.trim_end_matches(',')) => ("aemstro_as.py", AEMSTRO),
            [_, .., last] if is_pattern(last) => ("aemstro_as.py", AEMSTRO),
            _ => continue,
        };
        let message = format!("this is a source for {name}, which has another language than picasso");
        let location = Location::Text { source, span };
        let found = Diagnostic::new(Severity::Error, "pica200.asm.dialect", location, "", message);
        return Some(notes.iter().fold(found, |found, note| found.note(*note)));
    }
    None
}

const NIHSTRO: &[&str] = &[
    "`.alias name o0 as position` is `.out name position`, `.alias name c0 as (1.0, 2.0, 3.0, 4.0)` is \
     `.constf name(1.0, 2.0, 3.0, 4.0)`, `.alias name v0` is `.in name`",
    "code stands between `.proc main` and `.end`, and comments start with `;`",
];

const AEMSTRO: &[&str] = &[
    "`.out o0, result.position` is `.out name position`, `.const 5, 1.0, 2.0, 3.0, 4.0` is \
     `.constf name(1.0, 2.0, 3.0, 4.0)`, `.uniform 0x10, 0x13, name` is `.fvec name[4]`, `.vsh` goes",
    "code stands between `.proc main` and `.end`; components stand at the operands (`r0.xy`) instead of `(0x1)` behind them",
];

fn is_number(text: &str) -> bool {
    let digits = text.strip_prefix("0x").unwrap_or(text);
    !digits.is_empty()
        && digits.bytes().all(|byte| byte.is_ascii_hexdigit())
        && text.starts_with(|c: char| c.is_ascii_digit())
}

/// `(0x5)`: the number of an operand descriptor behind an instruction.
fn is_pattern(word: &str) -> bool {
    word.strip_prefix("(0x")
        .and_then(|rest| rest.strip_suffix(')'))
        .is_some_and(|digits| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

#[cfg(test)]
mod tests {
    use crate::asm::{Options, Source, assemble};

    fn codes(text: &str) -> Vec<String> {
        let found = assemble(&[Source { name: "a", text }], Options::default());
        found
            .err()
            .unwrap_or_default()
            .into_iter()
            .map(|found| format!("{}: {}", found.code, found.message))
            .collect()
    }

    #[test]
    fn other_assemblers_are_named_once() {
        let nihstro =
            "// a comment\n.alias inpos v0\n.alias outpos o0 as position\nmain:\n mov outpos, inpos\n end\n";
        let aemstro = "; a comment\n.const 5, 0.0, 0.0, -0.99, 1.0\n.out o0, result.position, 0x0\n.vsh vmain, end_vmain\n\
            vmain:\n mul d1C, d16, d00 (0x4)\n flush\n end\nend_vmain:\n";
        for (text, name) in [(nihstro, "nihstro-assemble"), (aemstro, "aemstro_as.py")] {
            let found = codes(text);
            assert_eq!(found.len(), 1, "{found:?}");
            assert!(found[0].starts_with("pica200.asm.dialect") && found[0].contains(name), "{found:?}");
        }
    }

    #[test]
    fn mistakes_in_picassos_language_stay_what_they_are() {
        let found = codes(".out p position\n.proc main\n mov p, nothing\n end\n.end\n");
        assert!(found.iter().all(|found| !found.contains("dialect")) && !found.is_empty(), "{found:?}");
    }
}
