//! Text of naga's writers, as a person would have laid it out.
//!
//! The writers name every value that is read from a variable, declare all variables at the top, spell loops out, and put
//! parentheses around every operation. Here, line by line and function by function: a name for what a variable holds
//! goes away where the variable still holds it; `while` and `for` come back; a variable is declared with its first value;
//! parentheses around a whole value go. Nothing is changed that these few rules do not recognise.

mod declare;
mod line;
mod loops;
mod reads;

use line::{Line, words};
use std::collections::BTreeSet;

/// A language that naga writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Language {
    Wgsl,
    Hlsl,
    Msl,
}

/// The text as a person would have laid it out.
pub(super) fn polish(text: &str, language: Language, strict: bool) -> String {
    let mut lines: Vec<Line> = text.lines().map(Line::new).collect();
    if language == Language::Hlsl && !strict {
        lines.iter_mut().for_each(|line| line.text = plain_integers(&line.text));
    }
    let changing = changing(&lines);
    let mut out: Vec<Line> = Vec::with_capacity(lines.len());
    let mut rest = lines.into_iter().peekable();
    while let Some(line) = rest.next() {
        let begins = line.indent == 0 && line.text.ends_with('{') && line.text.contains('(')
            || line.indent == 0 && line.text == "{";
        out.push(line);
        if !begins {
            continue;
        }
        let mut body = Vec::new();
        while let Some(line) = rest.next_if(|line| line.indent > 0 || line.text.is_empty()) {
            body.push(line);
        }
        reads::run(&mut body, &changing);
        loops::run(&mut body);
        declare::run(&mut body, language);
        body.iter_mut().for_each(|line| line.text = line::without_parentheses(&line.text));
        out.extend(body);
    }
    if language == Language::Hlsl {
        without_unused_zeros(&mut out);
    }
    let mut text = String::with_capacity(text.len());
    for line in &out {
        if !line.text.is_empty() {
            text.extend(std::iter::repeat_n(' ', line.indent));
            text.push_str(&line.text);
        }
        text.push('\n');
    }
    numbered_names(&text, language)
}

/// What stands outside of functions and may change between two reads.
fn changing(lines: &[Line]) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    let marks = [
        "var<private>",
        "var<workgroup>",
        "var<storage",
        "groupshared ",
        "static ",
        "RW",
        "device ",
        "threadgroup ",
    ];
    for line in lines.iter().filter(|line| marks.iter().any(|mark| line.text.contains(mark))) {
        // The name and more: what else is there is no variable.
        names.extend(words(&line.text).map(str::to_owned));
    }
    names
}

/// `asint(asuint(a) + asuint(b))` is `(a + b)`, and `int(1)` is `1`.
fn plain_integers(text: &str) -> String {
    let mut text = text.to_owned();
    let mut from = 0;
    while let Some(start) = text.get(from..).and_then(|rest| rest.find("asint(asuint(")).map(|at| at + from) {
        from = start + 1;
        let sum = || {
            let outer = line::closing(&text, start + 5)?;
            let first = line::closing(&text, start + 12)?;
            let sign = text.get(first + 1..)?.get(..10)?;
            let sign =
                [" + ", " - ", " * "].into_iter().find(|own| sign.strip_prefix(own) == Some("asuint("))?;
            let second = line::closing(&text, first + 10)?;
            (second + 1 == outer).then_some(())?;
            let (a, b) = (text.get(start + 13..first)?, text.get(first + 11..second)?);
            Some((outer, format!("({a}{sign}{b})")))
        };
        if let Some((outer, plain)) = sum() {
            text.replace_range(start..=outer, &plain);
        }
    }
    let mut from = 0;
    while let Some(start) = text.get(from..).and_then(|rest| rest.find("int(")).map(|at| at + from) {
        from = start + 4;
        let word_before = text.get(..start).is_some_and(|before| before.ends_with(line::is_word));
        let Some(end) = line::closing(&text, start + 3).filter(|_| !word_before) else { continue };
        let Some(digits) = text.get(start + 4..end).map(str::to_owned) else { continue };
        if !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()) {
            text.replace_range(start..=end, &digits);
            from = start;
        }
    }
    text
}

/// Takes out the functions `ZeroValue...` that nobody calls.
fn without_unused_zeros(lines: &mut Vec<Line>) {
    let mut at = 0;
    while at < lines.len() {
        let name = words(&lines[at].text).find(|word| word.starts_with("ZeroValue")).map(str::to_owned);
        let defines = lines[at].indent == 0 && lines[at].text.ends_with("() {");
        let (Some(name), true) = (name, defines) else {
            at += 1;
            continue;
        };
        let used =
            lines.iter().enumerate().any(|(n, line)| n != at && words(&line.text).any(|word| word == name));
        if used {
            at += 1;
            continue;
        }
        let end = lines[at..].iter().position(|line| line.indent == 0 && line.text == "}").unwrap_or(0);
        lines.drain(at..=at + end);
        if lines.get(at).is_some_and(|line| line.text.is_empty()) {
            lines.remove(at);
        }
    }
}

/// naga puts `_` behind a name that ends with a digit; it goes where nothing else has the name without it.
fn numbered_names(text: &str, language: Language) -> String {
    let taken: BTreeSet<&str> = words(text).collect();
    let reserved = |name: &str| {
        let functions = ["log", "exp", "atan", "pack", "unpack", "dot4", "texture", "sampler", "matrix"];
        language == Language::Wgsl && ::naga::keywords::wgsl::RESERVED.contains(&name)
            || functions.iter().any(|start| name.starts_with(start))
    };
    let plain = |name: &'_ str| {
        let plain = name.strip_suffix('_')?;
        let numbered = plain.ends_with(|c: char| c.is_ascii_digit());
        let is_type = plain.trim_end_matches(|c: char| c.is_ascii_digit() || c == 'x');
        let types = [
            "f",
            "i",
            "u",
            "vec",
            "mat",
            "float",
            "int",
            "uint",
            "half",
            "bool",
            "double",
            "min",
            "min16float",
        ];
        let is_type = types.contains(&is_type)
            && plain.len() > is_type.len()
            && !(is_type.len() == 1 && plain.len() == 2);
        (numbered && !is_type && !taken.contains(plain) && !reserved(plain)).then_some(plain.len())
    };
    let mut out = String::with_capacity(text.len());
    let mut last = 0;
    for (start, word) in line::placed_words(text) {
        if let Some(length) = plain(word) {
            out.push_str(&text[last..start + length]);
            last = start + word.len();
        }
    }
    out.push_str(&text[last..]);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wgsl(body: &str) -> String {
        let text = format!("fn main() {{\n{body}}}\n");
        let polished = polish(&text, Language::Wgsl, false);
        polished.strip_prefix("fn main() {\n").and_then(|rest| rest.strip_suffix("}\n")).unwrap().to_owned()
    }

    #[test]
    fn counted_loops() {
        let before = "    var i: i32;
    var sum: f32;

    sum = 0f;
    i = 0i;
    loop {
        let _e1 = i;
        if !((_e1 < 4i)) {
            break;
        }
        let _e2 = sum;
        let _e3 = i;
        let _e4 = uniforms.tab[_e3];
        sum = (_e2 + _e4);
        continuing {
            let _e5 = i;
            i = (_e5 + 1i);
        }
    }
    let _e6 = sum;
    return _e6;
";
        let after = "    var sum = 0f;
    for (var i = 0i; i < 4i; i = i + 1i) {
        sum = sum + uniforms.tab[i];
    }
    return sum;
";
        assert_eq!(wgsl(before), after);
    }

    #[test]
    fn what_was_read_before_a_change_stays() {
        let body = "    var a: f32;

    a = 1f;
    loop {
        let _e1 = a;
        a = 2f;
        use(_e1);
        let _e2 = a;
        loop {
            use(_e2);
        }
    }
";
        let after = "    var a = 1f;
    loop {
        let _e1 = a;
        a = 2f;
        use(_e1);
        let _e2 = a;
        loop {
            use(_e2);
        }
    }
";
        assert_eq!(wgsl(body), after);
    }

    #[test]
    fn memory_that_others_change_is_read_where_it_was() {
        let text = "@group(0) @binding(0)\nvar<storage, read_write> data: array<u32>;\n\nfn main() {\n    let _e1 = data[0];\n    data[1] = _e1;\n}\n";
        assert_eq!(polish(text, Language::Wgsl, false), text);
    }

    #[test]
    fn counted_loops_of_hlsl() {
        let text = "float4 main(float4 v : LOC0) : SV_Position
{
    int i = (int)0;
    float4 p = (float4)0;

    p = v;
    i = int(0);
    bool loop_init = true;
    while(true) {
        if (!loop_init) {
            int _e31 = i;
            i = asint(asuint(_e31) + asuint(int(1)));
        }
        loop_init = false;
        int _e12 = i;
        if (!((_e12 < int(4)))) {
            break;
        }
        float4 _e16 = p;
        p = (_e16 + v);
    }
    float4 position_1 = p;
    return position_1;
}
";
        let after = "float4 main(float4 v : LOC0) : SV_Position
{
    float4 p = v;
    for (int i = 0; i < 4; i = i + 1) {
        p = p + v;
    }
    float4 position_1 = p;
    return position_1;
}
";
        assert_eq!(polish(text, Language::Hlsl, false), after);
    }

    #[test]
    fn names_with_numbers() {
        let text = "let v0_ = v1_ + v1 + f32_ + f3_;\n";
        assert_eq!(polish(text, Language::Wgsl, false), "let v0 = v1_ + v1 + f32_ + f3;\n");
    }
}
