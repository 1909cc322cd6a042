//! Any text compiles or is refused; nothing brings the compiler down, and what compiles is sound.

use crate::support::machine;
use crate::support::programs;
use crate::support::random::Chance;
use unshade_compile::{Language, Options, Source, compile};
use unshade_isa::pica200::lint::lint;

fn take(text: &str, language: Language) {
    let source = Source { name: "hostile", text, language };
    if std::env::var_os("UNSHADE_SHOW").is_some() {
        eprintln!("{} bytes: {:.120}", text.len(), text.replace('\n', " ").get(70..).unwrap_or_default());
    }
    let result = std::panic::catch_unwind(|| compile(&[source], &Options::default()));
    match result {
        Err(_) => panic!("a panic for\n{text}"),
        Ok(Err(findings)) => {
            assert!(!findings.is_empty() && findings.iter().all(|found| !found.message.is_empty()))
        }
        Ok(Ok(compiled)) => {
            let findings = lint(&machine::stage(&compiled));
            assert!(findings.is_empty(), "{findings:?} for\n{text}\n{}", compiled.listings[0]);
        }
    }
}

/// Words, numbers, blanks and signs.
fn pieces(text: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '.';
        let length = match is_word(first) {
            true => rest.find(|c| !is_word(c)).unwrap_or(rest.len()),
            false => first.len_utf8(),
        };
        pieces.push(&rest[..length]);
        rest = &rest[length..];
    }
    pieces
}

#[test]
fn changed_programs_bring_nothing_down() {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<usize>().ok());
    let times = number("UNSHADE_HOSTILE").unwrap_or(20);
    let all = programs::sources(&["programs", "corpus", "refused"]);
    for source in &all {
        let own = pieces(&source.text);
        let other = &all[source.text.len() % all.len()];
        let foreign = pieces(&other.text);
        let seed = source.name.bytes().fold(number("UNSHADE_SEED").unwrap_or(7) as u64, |seed, byte| {
            seed * 31 % 65_521 + u64::from(byte)
        });
        let mut chance = Chance::new(seed);
        for _ in 0..times {
            let mut changed = own.clone();
            for _ in 0..1 + chance.below(3) {
                let at = chance.below(changed.len());
                if changed.len() < 2 {
                    break;
                }
                match chance.below(5) {
                    0 => drop(changed.remove(at)),
                    1 => changed[at] = own[chance.below(own.len())],
                    2 => changed.insert(at, foreign[chance.below(foreign.len())]),
                    3 => changed.truncate(at.max(1)),
                    _ => {
                        let with = chance.below(changed.len());
                        changed.swap(at, with);
                    }
                }
            }
            take(&changed.concat(), source.language);
        }
    }
}

#[test]
fn deep_and_long_texts_are_refused() {
    let main = |body: &str| {
        format!("#version 450\nin vec4 p;\nuniform vec4 u;\nvoid main() {{ {body} gl_Position = p; }}")
    };
    let deep = |open: &str, inner: &str, close: &str, times: usize| {
        format!("{}{inner}{}", open.repeat(times), close.repeat(times))
    };
    for times in [10, 60, 200, 5000] {
        for body in [
            format!("float x = {};", deep("(", "p.x", ")", times)),
            format!("float x = {} p.x;", "-".repeat(times)),
            format!("bool x = {} true;", "!".repeat(times)),
            format!("float x = p.x{};", " + p.x".repeat(times)),
            format!("float x = p.x{};", " * u.x + 1.0".repeat(times)),
            deep("{", "", "}", times),
            deep("if (p.x > 0.0) {", "", "}", times),
            format!("if (p.x > 0.0) {{}} {}", "else if (p.x > 1.0) {}".repeat(times)),
            format!("float x; {} 1.0;", "x = ".repeat(times)),
            format!("float x = {} 1.0{};", "p.x > 0.0 ? 1.0 : (".repeat(times), ")".repeat(times)),
            format!("float x = 0.0; {}", "if (p.x > x) { x = x + u.x; }".repeat(times)),
            format!("mat4 m = mat4(1.0); {} vec4 q = m * p;", "m = m * m;".repeat(times)),
            format!(
                "vec4 q = p; {}",
                "for (int i = 0; i < 9; i++) { q = q.yzwx * u + p;".repeat(times) + &"}".repeat(times)
            ),
        ] {
            take(&main(&body), Language::Glsl);
        }
        let nested = deep("if p.x > 0.0 {", "", "}", times);
        take(
            &format!(
                "@vertex fn main(@location(0) p: vec4f) -> @builtin(position) vec4f {{ {nested} return p; }}"
            ),
            Language::Wgsl,
        );
        let parenthesised = deep("(", "p", ")", times);
        take(
            &format!(
                "@vertex fn main(@location(0) p: vec4f) -> @builtin(position) vec4f {{ return {parenthesised}; }}"
            ),
            Language::Wgsl,
        );
        take(&format!("alias t = {} f32 {};", "array<".repeat(times), ", 2>".repeat(times)), Language::Wgsl);
    }
}
