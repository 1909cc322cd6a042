//! All that is wrong with a text, not only the first: what was told of is taken out, and the rest is looked at again.
//!
//! Readers stop at the first mistake of a text. Here the statement around it becomes blanks, or what it can be without the
//! mistake, so that places stay what they are. What is wrong only because something was taken out is not told.

use super::scan::{Token, tokens};
use std::{collections::HashSet, ops::Range};
use unshade_bytes::problem::Problem;

/// Times that a text is looked at again.
const TIMES: usize = 24;
/// Bytes of texts for which that is worth its time.
const BYTES: usize = 1 << 16;

/// All problems of a text, in its order. `broken` are places where something is missing that was told of already; `look`
/// reads a text and says what it finds wrong.
pub(crate) fn all(
    text: &str,
    broken: &[Range<usize>],
    look: &mut dyn FnMut(&str) -> Vec<Problem>,
) -> Vec<Problem> {
    let mut found: Vec<Problem> = Vec::new();
    let mut repair = Repair { text: text.as_bytes().to_vec(), gone: HashSet::new(), ranges: Vec::new() };
    for range in broken {
        repair.take_out(range);
    }
    let mut problems = std::str::from_utf8(&repair.text).map(&mut *look).unwrap_or_default();
    for time in 0..TIMES {
        let mut goes_on = false;
        for problem in problems {
            let (span, code) = (problem.span.clone(), problem.code);
            let is_known = found.iter().any(|known| known.span == span && known.code == problem.code);
            if !is_known && !repair.follows(&problem, text) {
                found.push(problem);
            }
            goes_on |= code != "compile.size" && repair.take_out(&span);
        }
        if !goes_on || time + 1 == TIMES || text.len() > BYTES {
            break;
        }
        let Ok(left) = std::str::from_utf8(&repair.text) else { break };
        problems = look(left);
        if problems.is_empty() {
            break;
        }
    }
    found.sort_by_key(|problem| problem.span.start);
    found
}

struct Repair {
    text: Vec<u8>,
    /// Names that are declared no more.
    gone: HashSet<String>,
    /// What was taken out.
    ranges: Vec<Range<usize>>,
}

/// A piece that can be taken out by itself.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Part {
    /// A statement up to its semicolon.
    Simple(Range<usize>),
    /// The condition of `if` or `while`: what stands in the brackets.
    Condition(Range<usize>),
    /// A loop or a `switch` with all that is in it.
    Compound(Range<usize>),
    /// A declaration at the top: a function with its body, or up to the semicolon.
    Top(Range<usize>),
}

impl Repair {
    /// Whether a problem is there only because something was taken out.
    fn follows(&self, problem: &Problem, text: &str) -> bool {
        if self.ranges.is_empty() {
            return false;
        }
        let is_inside = self.ranges.iter().any(|range| {
            range.start <= problem.span.start && problem.span.end <= range.end && !problem.span.is_empty()
        });
        let at = text.get(problem.span.clone()).unwrap_or_default();
        let mut words = tokens(&problem.message).chain(tokens(at)).map(|token| token.text);
        is_inside
            || matches!(problem.code, "compile.no-position" | "compile.entry")
            || words.any(|word| self.gone.contains(word))
    }

    /// Takes out what stands around a place. `false` where nothing can be.
    fn take_out(&mut self, span: &Range<usize>) -> bool {
        if span.is_empty() && span.start == 0 {
            return false;
        }
        let text = String::from_utf8_lossy(&self.text).into_owned();
        let parts = parts(&text);
        let holds =
            |range: &Range<usize>| range.start <= span.start && span.start < range.end.max(range.start + 1);
        let inner = parts.iter().rev().find(|part| match part {
            Part::Simple(range) | Part::Condition(range) | Part::Compound(range) | Part::Top(range) => {
                holds(range)
            }
        });
        let top = parts.iter().find_map(|part| match part {
            Part::Top(range) if holds(range) => Some(range.clone()),
            _ => None,
        });
        match inner {
            Some(Part::Condition(range)) if range.len() >= 4 => self.write(range, "true"),
            Some(Part::Condition(_)) | None => match top {
                Some(top) => self.blank(&top, &text),
                None => false,
            },
            Some(Part::Simple(range)) => {
                let statement: Vec<Token<'_>> = tokens(text.get(range.clone()).unwrap_or_default()).collect();
                if statement.first().is_some_and(|first| first.text == "return") {
                    return match top {
                        Some(top) => self.without_return(range, &top, &text),
                        None => false,
                    };
                }
                // A declaration keeps its names, without the values.
                let assigns = statement.iter().position(|token| token.text == "=");
                let declares = assigns.is_some_and(|at| {
                    let before = statement.get(..at).unwrap_or_default();
                    let is_word =
                        |token: &Token<'_>| token.text.starts_with(|c: char| c.is_alphabetic() || c == '_');
                    before.len() >= 2 && before.iter().rev().take(2).all(is_word)
                });
                let value =
                    assigns.and_then(|at| statement.get(at)).map(|token| range.start + token.span.start);
                let is_constant = statement.first().is_some_and(|first| first.text == "const");
                match value {
                    Some(value) if declares && !is_constant && span.start >= value => {
                        self.spaces(&(value..range.end - 1))
                    }
                    _ => self.blank(range, &text),
                }
            }
            Some(Part::Compound(range) | Part::Top(range)) => self.blank(range, &text),
        }
    }

    /// A `return` with a value of the function's type that is not wrong, or the whole function away.
    fn without_return(&mut self, range: &Range<usize>, top: &Range<usize>, text: &str) -> bool {
        const TYPES: [&str; 20] = [
            "float", "int", "uint", "bool", "vec2", "vec3", "vec4", "mat2", "mat3", "mat4", "ivec2", "ivec3",
            "ivec4", "uvec2", "uvec3", "uvec4", "bvec2", "bvec3", "bvec4", "void",
        ];
        let head = tokens(text.get(top.clone()).unwrap_or_default());
        let ty =
            head.map(|token| token.text).take_while(|word| *word != "(").find(|word| TYPES.contains(word));
        let value = match ty {
            Some("void") => "return;".to_owned(),
            Some(ty) => format!("return {ty}(0);"),
            None => return self.blank(top, text),
        };
        if value.len() > range.len() {
            return self.blank(top, text);
        }
        self.write(range, &value)
    }

    /// Blanks, and notes which names are gone with it.
    fn blank(&mut self, range: &Range<usize>, text: &str) -> bool {
        let list: Vec<Token<'_>> = tokens(text.get(range.clone()).unwrap_or_default()).collect();
        // What stands in front of a bracket, an equals sign, a comma or the end, behind another word.
        let is_word = |token: &Token<'_>| token.text.starts_with(|c: char| c.is_alphabetic() || c == '_');
        for window in list.windows(3) {
            if let [before, name, behind] = window
                && is_word(name)
                && (is_word(before) || matches!(before.text, "," | "}" | "]"))
                && matches!(behind.text, "(" | "=" | "," | ";" | "[" | "{")
            {
                self.gone.insert(name.text.to_owned());
            }
        }
        self.spaces(range)
    }

    fn spaces(&mut self, range: &Range<usize>) -> bool {
        let mut changed = false;
        for byte in self.text.get_mut(range.clone()).into_iter().flatten() {
            changed |= !byte.is_ascii_whitespace();
            if *byte != b'\n' {
                *byte = b' ';
            }
        }
        self.ranges.push(range.clone());
        changed
    }

    fn write(&mut self, range: &Range<usize>, text: &str) -> bool {
        let same = self.text.get(range.clone()).is_some_and(|old| old.trim_ascii() == text.as_bytes());
        self.spaces(range);
        for (byte, new) in self.text.iter_mut().skip(range.start).zip(text.bytes()) {
            *byte = new;
        }
        !same
    }
}

/// All parts of a text; what is inside others stands behind them.
fn parts(text: &str) -> Vec<Part> {
    let list: Vec<Token<'_>> = tokens(text).filter(|token| !token.text.starts_with('#')).collect();
    let word = |at: usize| list.get(at).map_or("", |token| token.text);
    let start = |at: usize| list.get(at).map_or(text.len(), |token| token.span.start);
    let end = |at: usize| list.get(at).map_or(text.len(), |token| token.span.end);
    // The end of what opens here.
    let closed = |from: usize, open: &str, close: &str| {
        let mut depth = 0usize;
        for at in from..list.len() {
            if word(at) == open {
                depth += 1;
            } else if word(at) == close {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return at;
                }
            }
        }
        list.len().saturating_sub(1)
    };
    let mut parts = Vec::new();
    let mut at = 0;
    while at < list.len() {
        // A declaration at the top.
        let from = at;
        let mut brackets = 0usize;
        let mut body = None;
        while at < list.len() {
            match word(at) {
                "(" | "[" => brackets += 1,
                ")" | "]" => brackets = brackets.saturating_sub(1),
                ";" if brackets == 0 => break,
                "{" => {
                    let close = closed(at, "{", "}");
                    let is_function = at > from && word(at - 1) == ")";
                    if is_function {
                        body = Some((at + 1, close));
                    }
                    at = close;
                    if is_function {
                        break;
                    }
                }
                _ => {}
            }
            at += 1;
        }
        parts.push(Part::Top(start(from)..end(at.min(list.len().saturating_sub(1)))));
        at += 1;
        let Some((mut inner, close)) = body else { continue };
        while inner < close {
            let from = inner;
            match word(inner) {
                "{" | "}" | "else" | "do" | ";" => inner += 1,
                "case" | "default" => {
                    while inner < close && word(inner) != ":" {
                        inner += 1;
                    }
                    inner += 1;
                }
                head @ ("if" | "while" | "for" | "switch") if word(inner + 1) == "(" => {
                    let last = closed(inner + 1, "(", ")").min(close);
                    if matches!(head, "for" | "switch") {
                        let after = if word(last + 1) == "{" {
                            closed(last + 1, "{", "}")
                        } else {
                            (last..close).find(|at| word(*at) == ";").unwrap_or(close)
                        };
                        parts.push(Part::Compound(start(from)..end(after.min(close))));
                    } else {
                        parts.push(Part::Condition(end(inner + 1)..start(last)));
                    }
                    inner = last + 1;
                }
                _ => {
                    while inner < close && !matches!(word(inner), ";" | "{" | "}") {
                        inner += 1;
                    }
                    let last = if word(inner) == ";" { inner } else { inner.saturating_sub(1) };
                    parts.push(Part::Simple(start(from)..end(last)));
                    if word(inner) == ";" {
                        inner += 1;
                    }
                }
            }
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_found() {
        let text = "in vec4 p; struct S { int a; } s;\nfloat f(int a) { if (a > 1) { return 1.0; } else a = 2; for (int i = 0; i < 3; i++) { a += i; } while (a < 3) a++; return f(a); }\nout vec4 q;";
        let parts = parts(text);
        let of = |part: &Part| match part {
            Part::Simple(range) => format!("simple {}", &text[range.clone()]),
            Part::Condition(range) => format!("condition {}", &text[range.clone()]),
            Part::Compound(range) => format!("compound {}", &text[range.clone()]),
            Part::Top(range) => format!("top {}", &text[range.clone()].split_whitespace().next().unwrap()),
        };
        assert_eq!(
            parts.iter().map(of).collect::<Vec<_>>(),
            [
                "top in",
                "top struct",
                "top float",
                "condition a > 1",
                "simple return 1.0;",
                "simple a = 2;",
                "compound for (int i = 0; i < 3; i++) { a += i; }",
                "simple a += i;",
                "condition a < 3",
                "simple a++;",
                "simple return f(a);",
                "top out",
            ]
        );
    }

    #[test]
    fn broken_texts_have_parts() {
        for text in [
            "",
            "}",
            "{",
            "void f( {",
            "f(",
            "void f() { if (",
            "void f() { for (;;",
            "a = (;",
            "void f() { x",
        ] {
            parts(text);
        }
    }
}
